/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_STATUS_H__
#define __FAA_STATUS_H__

#include <linux/bits.h>
#include <linux/types.h>

#include "faa_isa.h"

/* Descriptors in a ring: one page. */
#define FAA_RING_LOG2		6
#define FAA_RING_ENTRIES	BIT(FAA_RING_LOG2)
#define FAA_RING_BYTES		(FAA_RING_ENTRIES * FAA_JOB_DESC_BYTES)

/**
 * faa_ring_slot() - place of a descriptor
 * @index: how many descriptors were put in the ring before it, modulo 2^32
 *
 * Return: entry of the ring.
 */
static inline u32 faa_ring_slot(u32 index)
{
	return index & (FAA_RING_ENTRIES - 1);
}

/**
 * faa_status_slot() - place of a status record
 * @seqno: sequence number of the job
 * @entries: slots of the status ring, a power of two
 *
 * Return: slot.
 */
static inline u32 faa_status_slot(u64 seqno, u32 entries)
{
	return seqno & (entries - 1);
}

int faa_status_errno(u32 code);
bool faa_status_is_page_fault(u32 code);
void faa_status_write(struct faa_status *slot, u64 seqno, u32 code);
bool faa_status_room(u64 submitted, u64 ended, u32 count, u32 entries);
int faa_status_entries(u32 wanted, u32 *entries);

#endif
