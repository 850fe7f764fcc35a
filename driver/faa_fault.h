/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_FAULT_H__
#define __FAA_FAULT_H__

#include <linux/types.h>

struct dentry;

/**
 * enum faa_fault - what can be made to fail
 *
 * Each has a directory of this name in debugfs, fail_faa_x.
 */
enum faa_fault {
	/** @FAA_FAULT_DMA_MAP: a page of a process gets no DMA address. */
	FAA_FAULT_DMA_MAP,
	/** @FAA_FAULT_KILL: a queue does not stop when it is asked to. */
	FAA_FAULT_KILL,
	/** @FAA_FAULT_CU_RESET: the reset of a compute unit does not end. */
	FAA_FAULT_CU_RESET,
	/** @FAA_FAULT_DISABLE: a queue that has stopped is not disabled. */
	FAA_FAULT_DISABLE,
	/** @FAA_FAULT_TLB_INV: a TLB invalidation does not complete. */
	FAA_FAULT_TLB_INV,
	/** @FAA_FAULT_DEVICE_RESET: the reset of all compute units does not end. */
	FAA_FAULT_DEVICE_RESET,
	/** @FAA_FAULT_FLR: a function level reset fails. */
	FAA_FAULT_FLR,
	/** @FAA_FAULTS: number of them. */
	FAA_FAULTS,
};

#ifdef CONFIG_FAULT_INJECTION
bool faa_fault(enum faa_fault fault);
void faa_fault_debugfs_init(struct dentry *root);
#else
static inline bool faa_fault(enum faa_fault fault)
{
	return false;
}

static inline void faa_fault_debugfs_init(struct dentry *root)
{
}
#endif

#endif
