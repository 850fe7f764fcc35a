// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Device
 *
 * Lifetimes: devm_ resources (registers, interrupts) live as long as the driver is bound,
 * drmm_ resources (locks, schedulers, workqueues) until the last file is closed.
 *
 * Two kinds of sections hold an unbind off:
 *
 * - drm_dev_enter(), around accesses to registers and whatever changes the page tables. All
 *   DRM drivers share its SRCU domain, so such a section is short: no page fault, fence or
 *   notifier is waited for inside.
 * - faa_bound_enter(), around the creation of DMA mappings that allocate memory or, for an
 *   imported dma-buf, wait for the exporter. It has a domain of its own.
 *
 * faa_device_unplug() runs once, for an unbind, a removal or a device that was given up. It
 * first stops all queues and ends their jobs with -ENODEV. Only then does it wait for
 * sections: a thread in a section of another driver, or in an allocation, may wait for these
 * jobs. Then the device is cut off from memory, and all DMA mappings end. Objects of clients
 * stay until they are closed, without hardware.
 */

#include <linux/dma-fence.h>
#include <linux/pci.h>
#include <linux/sched/mm.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "faa_bind.h"
#include "faa_counters.h"
#include "faa_device.h"
#include "faa_drv.h"
#include "faa_dump.h"
#include "faa_gem.h"
#include "faa_irq.h"
#include "faa_mmu.h"
#include "faa_pci.h"
#include "faa_queue.h"
#include "faa_reset.h"
#include "faa_vm.h"

static void faa_device_destroy_vmids(struct drm_device *drm, void *vmids)
{
	ida_destroy(vmids);
}

static void faa_device_cleanup_dma(struct drm_device *drm, void *srcu)
{
	cleanup_srcu_struct(srcu);
}

static int faa_device_init_locks(struct faa_device *faa)
{
	int ret;

	ret = init_srcu_struct(&faa->bound.srcu);
	if (!ret)
		ret = drmm_add_action_or_reset(&faa->drm, faa_device_cleanup_dma, &faa->bound.srcu);
	if (!ret)
		ret = drmm_mutex_init(&faa->drm, &faa->tables.lock);
	if (!ret)
		ret = drmm_mutex_init(&faa->drm, &faa->tlb.lock);
	if (!ret)
		ret = drmm_mutex_init(&faa->drm, &faa->objects.lock);
	if (!ret)
		ret = drmm_mutex_init(&faa->drm, &faa->users.lock);
	if (!ret)
		ret = drmm_mutex_init(&faa->drm, &faa->unplug.lock);
	if (ret)
		return ret;

	spin_lock_init(&faa->unplug.dma_lock);
	INIT_LIST_HEAD(&faa->tables.list);
	init_waitqueue_head(&faa->tlb.wait);
	INIT_LIST_HEAD(&faa->objects.vms);
	INIT_LIST_HEAD(&faa->objects.bos);
	INIT_LIST_HEAD(&faa->objects.all);
	xa_init_flags(&faa->objects.imports, XA_FLAGS_ACCOUNT);
	INIT_LIST_HEAD(&faa->users.list);
	ida_init(&faa->vmids);
	xa_init_flags(&faa->queues, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);

	return drmm_add_action_or_reset(&faa->drm, faa_device_destroy_vmids, &faa->vmids);
}

/* Scope SYS is offered only if its operations have a way to host memory. */
static void faa_device_init_host_atomics(struct faa_device *faa)
{
	faa->host_atomics = DRM_FAA_HOST_ATOMICS_NONE;
	if (!(faa->info.features & BIT_ULL(FAA_FEATURE_SYS_ATOMICS)))
		return;

	if (faa_pci_atomics_suffice(faa->atomic_ops)) {
		faa->host_atomics = DRM_FAA_HOST_ATOMICS_PCI;
		return;
	}
	drm_notice(&faa->drm, "no PCI atomic operations to host memory: scope SYS is off\n");
	faa->info.features &= ~BIT_ULL(FAA_FEATURE_SYS_ATOMICS);
}

/**
 * faa_device_init() - bring a device up and register it
 * @faa: the device; PCI function enabled, registers mapped, not allowed to access memory
 *
 * Return: 0 or an error, with nothing left to undo but what is managed.
 */
int faa_device_init(struct faa_device *faa)
{
	struct pci_dev *pdev = to_pci_dev(faa->drm.dev);
	int ret;

	faa_drv_job_times(&faa->job_timeout_ms, &faa->job_limit_ms);
	faa->fault_memory_ms = faa_drv_fault_memory();

	ret = faa_device_init_locks(faa);
	if (ret)
		return ret;
	ret = faa_recover_init(faa);
	if (ret)
		return ret;
	ret = faa_hw_init(faa);
	if (ret)
		return ret;
	pci_set_master(pdev);
	faa_device_init_host_atomics(faa);
	faa_usage_init(faa);
	faa_gem_init(faa);
	ret = faa_dma_init(faa);
	if (ret)
		return ret;
	ret = faa_counters_init(faa);
	if (ret)
		return ret;
	ret = faa_dump_init(faa);
	if (ret)
		return ret;
	ret = faa_reset_init(faa);
	if (ret)
		return ret;
	ret = faa_irq_alloc(faa, pdev);
	if (ret)
		return ret;
	ret = faa_queue_init_device(faa);
	if (ret)
		return ret;
	ret = faa_bind_init_device(faa);
	if (ret)
		return ret;
	ret = faa_irq_request(faa, pdev);
	if (ret)
		return ret;
	faa_hw_events_enable(faa);

	ret = drm_dev_register(&faa->drm, 0);
	if (ret)
		return ret;

	drm_info(&faa->drm, "version %u.%u, %u CUs, %u queues, %u bytes of shared memory, %u vectors\n",
		 faa->info.version_major, faa->info.version_minor, faa->info.num_cus,
		 faa->info.num_queues, faa->info.shared_max, faa->irq.count);

	return 0;
}

/* Stop and disable every queue. Nobody else touches the device any more. */
static void faa_device_stop(struct faa_device *faa)
{
	unsigned int queue;

	/* A device that is gone answers nothing: do not wait for it, queue by queue. */
	if (faa->unplug.lost || faa_read(faa, FAA_REG_MAGIC) != FAA_REG_MAGIC_VALUE)
		return;

	faa_write(faa, FAA_REG_EVENT_ENABLE, 0);
	faa_hw_rest(faa, &queue);
}

/**
 * faa_device_cut_off() - forbid a device to access memory
 * @faa: the device, whether it is unplugged or not
 *
 * Does not allocate. Nothing happens once the device may have another owner.
 */
void faa_device_cut_off(struct faa_device *faa)
{
	spin_lock(&faa->unplug.dma_lock);
	faa->unplug.cut_off = true;
	if (!faa->unplug.at_rest)
		pci_clear_master(to_pci_dev(faa->drm.dev));
	spin_unlock(&faa->unplug.dma_lock);
}

/**
 * faa_device_disconnect() - keep a device that is about to be reset from memory
 * @faa: the device, inside drm_dev_enter()
 */
void faa_device_disconnect(struct faa_device *faa)
{
	spin_lock(&faa->unplug.dma_lock);
	pci_clear_master(to_pci_dev(faa->drm.dev));
	spin_unlock(&faa->unplug.dma_lock);
}

/**
 * faa_device_reconnect() - let a device that was reset access memory again
 * @faa: the device, inside drm_dev_enter(), its hardware queues at rest
 *
 * Return: 0; -ENODEV if it was cut off meanwhile, because what it knew may have been freed.
 */
int faa_device_reconnect(struct faa_device *faa)
{
	bool cut_off;

	spin_lock(&faa->unplug.dma_lock);
	cut_off = faa->unplug.cut_off;
	if (!cut_off)
		pci_set_master(to_pci_dev(faa->drm.dev));
	spin_unlock(&faa->unplug.dma_lock);

	return cut_off ? -ENODEV : 0;
}

/**
 * faa_bound_enter() - hold an unbind off while a DMA mapping is made
 * @faa: the device
 * @idx: out: for faa_bound_exit()
 *
 * Before the section ends, the mapping must be where the unplug path finds it. Sections may
 * sleep.
 *
 * Return: false if no DMA mapping may be made any more.
 */
bool faa_bound_enter(struct faa_device *faa, int *idx)
{
	*idx = srcu_read_lock(&faa->bound.srcu);
	/* For sparse, which cannot tell that the result says whether the section has begun. */
	__release(&faa->bound.srcu);
	if (!READ_ONCE(faa->bound.closed))
		return true;
	faa_bound_exit(faa, *idx);

	return false;
}

/**
 * faa_bound_exit() - end a section that faa_bound_enter() began
 * @faa: the device
 * @idx: from faa_bound_enter()
 */
void faa_bound_exit(struct faa_device *faa, int idx)
{
	__acquire(&faa->bound.srcu);
	srcu_read_unlock(&faa->bound.srcu, idx);
}

/**
 * faa_device_error() - what an ioctl returns
 * @faa: the device
 * @error: what its steps returned
 *
 * Return: -ENODEV for an allocation that failed because the device has gone, else @error.
 */
int faa_device_error(struct faa_device *faa, int error)
{
	return error == -ENOMEM && READ_ONCE(faa->bound.closed) ? -ENODEV : error;
}

/* Wait for all DMA mappings that are being made; none is made afterwards. */
static void faa_device_close_dma(struct faa_device *faa)
{
	WRITE_ONCE(faa->bound.closed, true);
	synchronize_srcu(&faa->bound.srcu);
}

/**
 * faa_device_unplug() - end a device
 * @faa: the device
 *
 * A second caller waits for the first one.
 */
void faa_device_unplug(struct faa_device *faa)
{
	struct pci_dev *pdev = to_pci_dev(faa->drm.dev);
	bool first;

	mutex_lock(&faa->unplug.lock);
	first = !faa->unplug.begun;
	WRITE_ONCE(faa->unplug.begun, true);
	mutex_unlock(&faa->unplug.lock);
	if (!first) {
		wait_for_completion(&faa->unplug.done);
		return;
	}

	/* A pause that no callback will end: all that follows would wait for it. */
	if (READ_ONCE(faa->recover.paused))
		faa_recover_give_up(faa, "unplugged in a pause");
	/* First: the sections that drm_dev_unplug() waits for may wait for jobs. */
	faa_queue_unplug_begin(faa);
	/* All fences have signalled, and the device cannot access memory. */
	if (READ_ONCE(faa->unplug.lost) && faa_pci_is_present(faa))
		faa_recover_wedged(faa, "rebind,bus-reset");
	drm_dev_unplug(&faa->drm);
	faa_counters_unplug(faa);
	faa_device_close_dma(faa);

	faa_device_stop(faa);
	faa_device_cut_off(faa);
	spin_lock(&faa->unplug.dma_lock);
	faa->unplug.at_rest = true;
	spin_unlock(&faa->unplug.dma_lock);
	faa_irq_free(faa, pdev);
	faa_recover_unplug(faa);
	faa_reset_unplug(faa);

	faa_queue_unplug(faa);
	faa_dump_unplug(faa);
	faa_vm_unplug(faa);
	faa_gem_unplug(faa);
	faa_mmu_unplug(faa);

	complete_all(&faa->unplug.done);
}
