/* SPDX-License-Identifier: MIT */
/**
 * DOC: Sync operations of jobs and binds
 *
 * The kernel has one errno for a malformed operation and for a wait that is too early. The library
 * checks the form before the call, and searches for the early wait after the kernel has rejected
 * the call.
 */
#ifndef FAA_SYNC_H
#define FAA_SYNC_H

#include "device.h"

/** faa_syncs_check() - 0; -EINVAL, with a sentence: illegal flags or points. */
int faa_syncs_check(const struct faa_sync *syncs, uint32_t count);

/** faa_sync_promises() - whether @signal promises the signal for @wait. */
bool faa_sync_promises(const struct faa_sync *signal, const struct faa_sync *wait);

/**
 * faa_sync_find_error() - why the kernel rejects @sync now
 * @device: device
 * @sync: well-formed
 * @index: its number, for the sentence
 *
 * Return: 0: no reason; -EAGAIN: a wait for a signal that is not promised yet; -ENOENT: no such
 * syncobj; both with a sentence.
 */
int faa_sync_find_error(struct faa_device *device, const struct faa_sync *sync, uint32_t index);

/** faa_sync_too_early() - -EAGAIN with its sentence: the signal for @sync is not promised yet. */
int faa_sync_too_early(const struct faa_sync *sync, uint32_t index);

#endif /* FAA_SYNC_H */
