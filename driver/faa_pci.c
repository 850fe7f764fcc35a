// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include <kunit/visibility.h>

#include "faa_device.h"
#include "faa_drv.h"
#include "faa_pci.h"
#include "faa_pm.h"

#define FAA_BAR_REGS	0
/* Bits of a DMA address in a page table entry. */
#define FAA_DMA_BITS	52

static int faa_pci_map_registers(struct faa_device *faa, struct pci_dev *pdev)
{
	if (pci_resource_len(pdev, FAA_BAR_REGS) < FAA_REG_BYTES) {
		drm_err(&faa->drm, "BAR %d has 0x%llx bytes, the registers need 0x%x\n",
			FAA_BAR_REGS, (u64)pci_resource_len(pdev, FAA_BAR_REGS),
			FAA_REG_BYTES);
		return -ENODEV;
	}

	faa->regs = pcim_iomap_region(pdev, FAA_BAR_REGS, "faa");

	return PTR_ERR_OR_ZERO(faa->regs);
}

/**
 * faa_pci_atomics_suffice() - can scope SYS be done by PCI atomic operations?
 * @sizes: PCI_EXP_DEVCAP2_ATOMIC_COMPx that the way to host memory has
 *
 * A root port may have those of 32 bits alone. Without the others the device must not send any:
 * a program would rely on all.
 *
 * Return: true if so.
 */
bool faa_pci_atomics_suffice(u32 sizes)
{
	const u32 needed = PCI_EXP_DEVCAP2_ATOMIC_COMP32 | PCI_EXP_DEVCAP2_ATOMIC_COMP64;

	return (sizes & needed) == needed;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pci_atomics_suffice);

/*
 * Which atomic operations may reach host memory as such? Asking enables the requester. It
 * stays on only where the sizes that scope SYS needs are there.
 */
static void faa_pci_enable_atomic_ops(struct faa_device *faa, struct pci_dev *pdev)
{
	static const u32 sizes[] = {
		PCI_EXP_DEVCAP2_ATOMIC_COMP32,
		PCI_EXP_DEVCAP2_ATOMIC_COMP64,
		PCI_EXP_DEVCAP2_ATOMIC_COMP128,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		if (!pci_enable_atomic_ops_to_root(pdev, sizes[i]))
			faa->atomic_ops |= sizes[i];
	}
	if (!faa_pci_atomics_suffice(faa->atomic_ops))
		pcie_capability_clear_word(pdev, PCI_EXP_DEVCTL2,
					   PCI_EXP_DEVCTL2_ATOMIC_REQ);
	drm_dbg_driver(&faa->drm, "atomic operations to the root:%s%s%s%s\n",
		       faa->atomic_ops & PCI_EXP_DEVCAP2_ATOMIC_COMP32 ? " 32" : "",
		       faa->atomic_ops & PCI_EXP_DEVCAP2_ATOMIC_COMP64 ? " 64" : "",
		       faa->atomic_ops & PCI_EXP_DEVCAP2_ATOMIC_COMP128 ? " 128" : "",
		       faa->atomic_ops ? " bit" : " none");
}

/**
 * faa_pci_is_present() - does the function answer?
 * @faa: the device
 *
 * Return: true if its configuration space can be read.
 */
bool faa_pci_is_present(struct faa_device *faa)
{
	return pci_device_is_present(to_pci_dev(faa->drm.dev));
}

/**
 * faa_pci_save() - keep the configuration space for faa_pci_restore()
 * @faa: the device, set up
 *
 * To be repeated after each restore, which drops what was saved.
 */
void faa_pci_save(struct faa_device *faa)
{
	if (pci_save_state(to_pci_dev(faa->drm.dev)))
		drm_dbg_driver(&faa->drm, "no memory for the configuration space\n");
}

/**
 * faa_pci_reset() - reset the function
 * @faa: the device, inside drm_dev_enter(); no other thread uses its registers
 *
 * Afterwards its configuration space is what it was, but the function may not access memory. Not
 * by pci_reset_function(): that takes the lock of the device, with which an unbind waits for jobs.
 *
 * Return: 0; -ENOTTY without function level reset, or an error of pcie_reset_flr().
 */
int faa_pci_reset(struct faa_device *faa)
{
	struct pci_dev *pdev = to_pci_dev(faa->drm.dev);
	int ret;

	/* So that nothing new is in flight when pcie_flr() waits for pending transactions. */
	faa_device_disconnect(faa);
	ret = pci_save_state(pdev);
	if (ret)
		return ret;
	ret = pcie_reset_flr(pdev, PCI_RESET_DO_RESET);
	pci_restore_state(pdev);
	faa_pci_save(faa);

	return ret;
}

/**
 * faa_pci_restore() - set the configuration space up after a reset of the link
 * @faa: the device, paused; faa_pci_save() was called before
 *
 * Afterwards the function may not access memory.
 */
void faa_pci_restore(struct faa_device *faa)
{
	struct pci_dev *pdev = to_pci_dev(faa->drm.dev);

	pci_restore_state(pdev);
	faa_device_disconnect(faa);
	faa_pci_save(faa);
}

static int faa_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct faa_device *faa;
	int ret;

	faa = devm_drm_dev_alloc(&pdev->dev, &faa_drm_driver, struct faa_device, drm);
	if (IS_ERR(faa))
		return PTR_ERR(faa);
	pci_set_drvdata(pdev, faa);

	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;
	ret = faa_pci_map_registers(faa, pdev);
	if (ret)
		return ret;
	ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(FAA_DMA_BITS));
	if (ret)
		return ret;
	dma_set_max_seg_size(&pdev->dev, UINT_MAX);
	faa_pci_enable_atomic_ops(faa, pdev);
	/* Queues of a previous owner, whose memory has others by now, are stopped first. */
	pci_clear_master(pdev);

	ret = faa_device_init(faa);
	if (ret)
		return ret;
	faa_pci_save(faa);
	faa_pm_begin(faa);

	return 0;
}

static void faa_pci_remove(struct pci_dev *pdev)
{
	faa_pm_end(pci_get_drvdata(pdev));
	faa_device_unplug(pci_get_drvdata(pdev));
	/* The work that gives a device up has nothing left to do, and must not run later. */
	cancel_work_sync(&((struct faa_device *)pci_get_drvdata(pdev))->lost_work);
}

static const struct pci_device_id faa_pci_ids[] = {
	{ PCI_DEVICE(FAA_PCI_VENDOR_ID, FAA_PCI_DEVICE_ID) },
	{ }
};
MODULE_DEVICE_TABLE(pci, faa_pci_ids);

static struct pci_driver faa_pci_driver = {
	.name = "faa",
	.id_table = faa_pci_ids,
	.probe = faa_pci_probe,
	.remove = faa_pci_remove,
	.shutdown = faa_pci_remove,
	.err_handler = &faa_pm_error_handlers,
	.driver.pm = pm_ptr(&faa_pm_ops),
};

/**
 * faa_pci_register() - register the driver
 *
 * Return: 0 or an error.
 */
int faa_pci_register(void)
{
	return pci_register_driver(&faa_pci_driver);
}

/**
 * faa_pci_unregister() - unbind all devices
 */
void faa_pci_unregister(void)
{
	pci_unregister_driver(&faa_pci_driver);
}
