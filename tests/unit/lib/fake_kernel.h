/* SPDX-License-Identifier: MIT */
/**
 * DOC: A kernel for unit tests
 *
 * A backend of the library in the test's own process: the ioctls of uapi/drm/faa_drm.h that the
 * library uses, on the C model of the device, with the checks of arguments that a kernel makes.
 * Jobs run while a call waits, so results do not depend on time. It may be called from several
 * threads.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend.h"

struct faa_model_params;
struct fake_kernel;

/** fake_kernel_create() - a new device without an open file. */
struct fake_kernel *fake_kernel_create(void);

/** fake_kernel_create_build() - the same with a device of build @params */
struct fake_kernel *fake_kernel_create_build(const struct faa_model_params *params);

/** fake_kernel_destroy() - fails the test if the device accessed memory without permission. */
void fake_kernel_destroy(struct fake_kernel *kernel);

/** fake_kernel_open() - open it; several files may be open one after the other. */
struct faa_backend *fake_kernel_open(struct fake_kernel *kernel);

/**
 * fake_kernel_fail() - let call number @nth from now on (0 = the next) fail with @error (negative
 * errno).
 */
void fake_kernel_fail(struct fake_kernel *kernel, unsigned int nth, int error);

/** fake_kernel_failed() - whether the requested failure has occurred; also cancels the request. */
bool fake_kernel_failed(struct fake_kernel *kernel);

/** fake_kernel_hold() - while @hold, no job makes progress. */
void fake_kernel_hold(struct fake_kernel *kernel, bool hold);

/**
 * fake_kernel_lose() - the device is lost: from now on every call fails with -ENODEV
 * @kernel: kernel
 * @in_wait: not before the next wait, during which jobs still run
 *
 * The records of the status rings remain. Destruction still works, as in the kernel.
 */
void fake_kernel_lose(struct fake_kernel *kernel, bool in_wait);

/** fake_kernel_waited() - the point of the last wait for a timeline. */
uint64_t fake_kernel_waited(struct fake_kernel *kernel);

/**
 * fake_kernel_promise_late() - the next SUBMIT fails as for an early wait; the CPU signals @handle
 * right after it.
 */
void fake_kernel_promise_late(struct fake_kernel *kernel, uint32_t handle);

/** fake_kernel_live() - number of existing handles, VMs, queues, syncobjs and mappings. */
unsigned int fake_kernel_live(const struct fake_kernel *kernel);

/** fake_kernel_label() - the name of a BO, "" = none. */
const char *fake_kernel_label(const struct fake_kernel *kernel, uint32_t handle);

/** fake_kernel_calls() - calls so far. */
unsigned int fake_kernel_calls(const struct fake_kernel *kernel);

/** fake_kernel_set_major() - major version that the device reports; 2 at first. */
void fake_kernel_set_major(struct fake_kernel *kernel, uint32_t major);

/**
 * fake_kernel_memory() - zeroed whole pages of the process that the device can access; freed with
 * the kernel.
 */
void *fake_kernel_memory(struct fake_kernel *kernel, size_t bytes);

/**
 * fake_kernel_invalidate() - drop pages of FAULTABLE mappings, as by a change of the process's
 * memory.
 */
void fake_kernel_invalidate(struct fake_kernel *kernel, void *address, size_t bytes);

/**
 * fake_kernel_shy_pages() - from now on every MAP_USERPTR first unmaps these two pages; NULL: none.
 */
void fake_kernel_shy_pages(struct fake_kernel *kernel, void *one, void *other);

/**
 * fake_kernel_storm() - while @storm, every SUBMIT is followed by a fork, which drops the pages of
 * FAULTABLE mappings before the device accesses them.
 */
void fake_kernel_storm(struct fake_kernel *kernel, bool storm);

/**
 * fake_kernel_pages_that_wait() - number of process pages that are mapped at their own addresses
 * without FAULTABLE.
 */
unsigned int fake_kernel_pages_that_wait(struct fake_kernel *kernel);

/** fake_kernel_userptr_binds() - number of MAP_USERPTR operations so far, including failed ones. */
unsigned int fake_kernel_userptr_binds(struct fake_kernel *kernel);

/**
 * fake_kernel_counters() - the file to which a test writes the records of the last stream of
 * counters; 0: none was opened.
 */
int fake_kernel_counters(struct fake_kernel *kernel);

#endif /* FAKE_KERNEL_H */
