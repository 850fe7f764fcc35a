// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Fault injection
 *
 * Memory that cannot be had is the business of failslab and fail_page_alloc, which reach every
 * allocation of the driver. Other failures have attributes of their own in debugfs: waits
 * for the device, which then end as if their limit had come, and the DMA mapping of processes'
 * pages. Documentation/fault-injection describes the files of an attribute. Devices share them.
 *
 * An attribute whose probability is 0 does not count for fail-nth of a task: that sweeps
 * allocations, and a wait that fails has the device reset.
 */

#include <linux/debugfs.h>
#include <linux/fault-inject.h>

#include "faa_fault.h"

static struct fault_attr faa_fault_attrs[] = {
	[FAA_FAULT_DMA_MAP] = FAULT_ATTR_INITIALIZER,
	[FAA_FAULT_KILL] = FAULT_ATTR_INITIALIZER,
	[FAA_FAULT_CU_RESET] = FAULT_ATTR_INITIALIZER,
	[FAA_FAULT_DISABLE] = FAULT_ATTR_INITIALIZER,
	[FAA_FAULT_TLB_INV] = FAULT_ATTR_INITIALIZER,
	[FAA_FAULT_DEVICE_RESET] = FAULT_ATTR_INITIALIZER,
	[FAA_FAULT_FLR] = FAULT_ATTR_INITIALIZER,
};

/**
 * faa_fault() - is something to fail now?
 * @fault: what
 *
 * In any context.
 *
 * Return: true if so.
 */
bool faa_fault(enum faa_fault fault)
{
	struct fault_attr *attr = &faa_fault_attrs[fault];

	return READ_ONCE(attr->probability) && should_fail(attr, 1);
}

/**
 * faa_fault_debugfs_init() - show the attributes
 * @root: directory of the device
 */
void faa_fault_debugfs_init(struct dentry *root)
{
	static const char *const names[] = {
		[FAA_FAULT_DMA_MAP] = "fail_faa_dma_map",
		[FAA_FAULT_KILL] = "fail_faa_kill",
		[FAA_FAULT_CU_RESET] = "fail_faa_cu_reset",
		[FAA_FAULT_DISABLE] = "fail_faa_disable",
		[FAA_FAULT_TLB_INV] = "fail_faa_tlb_inv",
		[FAA_FAULT_DEVICE_RESET] = "fail_faa_device_reset",
		[FAA_FAULT_FLR] = "fail_faa_flr",
	};
	unsigned int i;

	BUILD_BUG_ON(ARRAY_SIZE(names) != FAA_FAULTS);
	BUILD_BUG_ON(ARRAY_SIZE(faa_fault_attrs) != FAA_FAULTS);

	for (i = 0; i < FAA_FAULTS; i++)
		fault_create_debugfs_attr(names[i], root, &faa_fault_attrs[i]);
}
