// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: TLB invalidation
 *
 * One invalidation at a time, device wide. It is complete when TLB_INV_DONE shows its
 * number: then no translation of the range is cached or in use, and every access
 * that used one has been performed. Only then may memory that was mapped there,
 * and tables that led there, be freed.
 *
 * A job does not have to end for that: the device completes the accesses in flight
 * and continues with the new tables. An invalidation that does not complete means
 * that the device is broken; it is reset, or cut off from memory, before anything is freed.
 */

#include <linux/dma-mapping.h>
#include <linux/jiffies.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "faa_device.h"
#include "faa_fault.h"
#include "faa_mmu.h"
#include "faa_trace.h"

/* An interrupt that is lost costs so much. */
#define FAA_TLB_POLL_MS		10

/* Not from a pool: that never gives memory back, and charges the wrong client with it. */
static int mmu_pt_alloc(void *ctx, struct faa_pt_table *table)
{
	struct faa_device *faa = ctx;
	int idx;

	if (!faa_bound_enter(faa, &idx))
		return -ENODEV;
	table->entries = dma_alloc_coherent(faa->drm.dev, FAA_PT_TABLE_BYTES, &table->dma,
					    FAA_PT_GFP);
	if (table->entries) {
		mutex_lock(&faa->tables.lock);
		list_add_tail(&table->tracked, &faa->tables.list);
		mutex_unlock(&faa->tables.lock);
	}
	faa_bound_exit(faa, idx);

	return table->entries ? 0 : -ENOMEM;
}

/* The lock is held: the unplug path takes it, so nothing is freed after the unbind. */
static void mmu_pt_free_memory(struct faa_device *faa, struct faa_pt_table *table)
{
	list_del(&table->tracked);
	dma_free_coherent(faa->drm.dev, FAA_PT_TABLE_BYTES, table->entries, table->dma);
	table->entries = NULL;
}

static void mmu_pt_free(void *ctx, struct faa_pt_table *table)
{
	struct faa_device *faa = ctx;

	mutex_lock(&faa->tables.lock);
	if (table->entries)
		mmu_pt_free_memory(faa, table);
	mutex_unlock(&faa->tables.lock);
}

/* faa_mmu_pt_ops - page tables in DMA memory; the context is the device */
const struct faa_pt_ops faa_mmu_pt_ops = {
	.alloc = mmu_pt_alloc,
	.free = mmu_pt_free,
};

/**
 * faa_mmu_unplug() - free the memory of the page tables that are left
 * @faa: the device, unplugged
 *
 * These are tables that an ioctl has prepared and will not use any more.
 */
void faa_mmu_unplug(struct faa_device *faa)
{
	struct faa_pt_table *table, *next;

	mutex_lock(&faa->tables.lock);
	list_for_each_entry_safe(table, next, &faa->tables.list, tracked)
		mmu_pt_free_memory(faa, table);
	mutex_unlock(&faa->tables.lock);
}

/*
 * Wait for the invalidation with a number; -ETIMEDOUT, -EAGAIN if the device is about to be reset
 * for another reason.
 */
static int mmu_wait_inv(struct faa_device *faa, u32 serial)
{
	struct faa_hw_wait wait;

	if (faa_fault(FAA_FAULT_TLB_INV))
		return -ETIMEDOUT;
	faa_hw_wait_begin(&wait, FAA_HW_WAIT_CYCLES);
	while (!READ_ONCE(faa->unplug.lost) && !faa_hw_wait_over(faa, &wait)) {
		if (wait_event_timeout(faa->tlb.wait, READ_ONCE(faa->tlb.done) == serial,
				       msecs_to_jiffies(FAA_TLB_POLL_MS)))
			return 0;
		if (faa_read(faa, FAA_REG_TLB_INV_DONE) == serial)
			return 0;
		if (READ_ONCE(faa->recover.pending))
			return -EAGAIN;
	}

	return -ETIMEDOUT;
}

/* Invalidate a range, if the device does it; as mmu_wait_inv(). Inside faa_recover_enter(). */
static int mmu_try_invalidate(struct faa_device *faa, u32 vmid, u64 first, u64 last)
{
	int ret;

	mutex_lock(&faa->tlb.lock);
	/* All-ones is what a dead link shows, 0 what the device shows after a reset. */
	if (++faa->tlb.serial == ~0U)
		faa->tlb.serial = 1;
	trace_faa_tlb_invalidate(vmid, first, last, faa->tlb.serial);

	faa_write(faa, FAA_REG_TLB_INV_VMID, vmid);
	faa_write64(faa, FAA_REG_TLB_INV_START_LO, first);
	faa_write64(faa, FAA_REG_TLB_INV_LAST_LO, last);
	/* Orders the tables before the request, too. */
	faa_write(faa, FAA_REG_TLB_INV_REQUEST, faa->tlb.serial);
	ret = mmu_wait_inv(faa, faa->tlb.serial);
	mutex_unlock(&faa->tlb.lock);

	return ret;
}

/**
 * faa_mmu_invalidate() - invalidate a range of a VM
 * @faa: the device, inside drm_dev_enter()
 * @vmid: number of the VM
 * @first: first byte
 * @last: last byte
 *
 * If the device does not do it, it is reset. In the fence signalling path.
 *
 * Return: 0 when the device no longer uses what was mapped; -EIO if it has been given up and cut
 * off from memory: nothing uses it either.
 */
int faa_mmu_invalidate(struct faa_device *faa, u32 vmid, u64 first, u64 last)
{
	enum faa_rung rung = FAA_RUNG_DEVICE;
	u64 epoch;
	int ret;

	for (;;) {
		epoch = faa_recover_enter(faa);
		ret = mmu_try_invalidate(faa, vmid, first, last);
		faa_recover_exit(faa);
		if (!ret)
			return 0;
		if (!faa_recover(faa, epoch, rung, "a TLB invalidation does not complete"))
			return -EIO;
		/* Each time that it fails one rung higher, so the last one ends it. */
		if (ret == -ETIMEDOUT)
			rung++;
	}
}
