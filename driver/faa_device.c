// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Device
 *
 * What ends when: devm_ resources (registers, interrupts)
 * live as long as the driver is bound; drmm_ resources (locks, schedulers, workqueues)
 * until the last file is closed. Registers are only touched inside drm_dev_enter(),
 * so an unbind waits for who is there and nobody comes after.
 *
 * faa_device_unplug() runs once, for an unbind, a removal or a device that was given up. It
 * stops the device, cuts it off from memory, ends all jobs with -ENODEV and all DMA
 * mappings. Objects of clients stay until they are closed, without hardware behind them.
 */

#include <linux/dma-fence.h>
#include <linux/pci.h>
#include <linux/sched/mm.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "faa_bind.h"
#include "faa_device.h"
#include "faa_drv.h"
#include "faa_gem.h"
#include "faa_irq.h"
#include "faa_mmu.h"
#include "faa_queue.h"
#include "faa_reset.h"
#include "faa_vm.h"

static void destroy_vmids(struct drm_device *drm, void *vmids)
{
	ida_destroy(vmids);
}

static int init_locks(struct faa_device *faa)
{
	int ret;

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
	init_waitqueue_head(&faa->tlb.wait);
	INIT_LIST_HEAD(&faa->objects.vms);
	INIT_LIST_HEAD(&faa->objects.bos);
	INIT_LIST_HEAD(&faa->users.list);
	ida_init(&faa->vmids);

	return drmm_add_action_or_reset(&faa->drm, destroy_vmids, &faa->vmids);
}

/* What scope SYS means here: nothing without a way for its operations to host memory. */
static void init_host_atomics(struct faa_device *faa)
{
	const u32 needed = PCI_EXP_DEVCAP2_ATOMIC_COMP32 | PCI_EXP_DEVCAP2_ATOMIC_COMP64;

	faa->host_atomics = DRM_FAA_HOST_ATOMICS_NONE;
	if (!(faa->info.features & BIT_ULL(FAA_FEATURE_SYS_ATOMICS)))
		return;

	if ((faa->atomic_ops & needed) == needed) {
		faa->host_atomics = DRM_FAA_HOST_ATOMICS_PCI;
		return;
	}
	drm_notice(&faa->drm, "no PCI atomic operations to host memory: scope SYS is off\n");
	faa->info.features &= ~BIT_ULL(FAA_FEATURE_SYS_ATOMICS);
}

/**
 * faa_device_init() - bring a device up and register it
 * @faa: the device; PCI function enabled, registers mapped, may do DMA
 *
 * Return: 0 or an error, with nothing left to undo but what is managed.
 */
int faa_device_init(struct faa_device *faa)
{
	struct pci_dev *pdev = to_pci_dev(faa->drm.dev);
	int ret;

	faa_drv_job_times(&faa->job_timeout_ms, &faa->job_limit_ms);

	ret = init_locks(faa);
	if (ret)
		return ret;
	ret = faa_hw_init(faa);
	if (ret)
		return ret;
	init_host_atomics(faa);
	faa_usage_init(faa);
	faa_gem_init(faa);
	ret = faa_dma_init(faa);
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
static void stop_device(struct faa_device *faa)
{
	unsigned int i;

	/* A device that is gone answers nothing: do not wait for it, queue by queue. */
	if (faa_read(faa, FAA_REG_MAGIC) != FAA_REG_MAGIC_VALUE)
		return;

	faa_write(faa, FAA_REG_EVENT_ENABLE, 0);
	for (i = 0; i < faa->info.num_queues; i++) {
		if (faa_hw_queue_state(faa, i) == FAA_QUEUE_STATE_DISABLED)
			continue;
		if (faa_hw_queue_stop(faa, i) == FAA_HW_STOP_LOST ||
		    faa_hw_queue_disable(faa, i))
			return;
	}
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
	if (!faa->unplug.at_rest)
		pci_clear_master(to_pci_dev(faa->drm.dev));
	spin_unlock(&faa->unplug.dma_lock);
}

/**
 * faa_device_unplug() - end a device
 * @faa: the device
 *
 * Whoever comes second waits for the first.
 */
void faa_device_unplug(struct faa_device *faa)
{
	struct pci_dev *pdev = to_pci_dev(faa->drm.dev);

	mutex_lock(&faa->unplug.lock);
	if (drm_dev_is_unplugged(&faa->drm)) {
		mutex_unlock(&faa->unplug.lock);
		wait_for_completion(&faa->unplug.done);
		return;
	}
	drm_dev_unplug(&faa->drm);
	mutex_unlock(&faa->unplug.lock);

	faa_queue_unplug_begin(faa);
	stop_device(faa);
	faa_device_cut_off(faa);
	spin_lock(&faa->unplug.dma_lock);
	faa->unplug.at_rest = true;
	spin_unlock(&faa->unplug.dma_lock);
	faa_irq_free(faa, pdev);
	faa_reset_unplug(faa);

	faa_queue_unplug(faa);
	faa_vm_unplug(faa);
	faa_gem_unplug(faa);

	complete_all(&faa->unplug.done);
}
