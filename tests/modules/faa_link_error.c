// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Errors of a link without a root port
 *
 * Calls the error handlers of the device's driver in the order, and under the locks, of
 * pcie_do_recovery() and pci_walk_bus() of drivers/pci/pcie/err.c. User Mode Linux has no root
 * port that could report an error itself.
 *
 * Write the state of the link to the parameter "inject": "normal" (the link works, an access was
 * lost), "frozen" (the link does not work until it is reset) or "failure" (it does not come back).
 * The write returns when the driver has recovered: 0, -ENODEV if it has not, -EINVAL.
 */

#include <linux/module.h>
#include <linux/pci.h>
#include <linux/string.h>

#include "faa_isa.h"

static pci_ers_result_t report_error(struct pci_dev *pdev, pci_channel_state_t state)
{
	pci_ers_result_t vote;

	device_lock(&pdev->dev);
	pdev->error_state = state;
	vote = pdev->driver->err_handler->error_detected(pdev, state);
	device_unlock(&pdev->dev);

	return vote;
}

/* The link is reset, and with it the function. */
static pci_ers_result_t report_reset(struct pci_dev *pdev)
{
	pci_ers_result_t vote;

	device_lock(&pdev->dev);
	pcie_reset_flr(pdev, PCI_RESET_DO_RESET);
	pdev->error_state = pci_channel_io_normal;
	vote = pdev->driver->err_handler->slot_reset(pdev);
	device_unlock(&pdev->dev);

	return vote;
}

static void report_resume(struct pci_dev *pdev)
{
	device_lock(&pdev->dev);
	pdev->driver->err_handler->resume(pdev);
	device_unlock(&pdev->dev);
}

static int recover(struct pci_dev *pdev, pci_channel_state_t state)
{
	pci_ers_result_t vote = report_error(pdev, state);

	if (state == pci_channel_io_perm_failure)
		return vote == PCI_ERS_RESULT_DISCONNECT ? 0 : -EIO;
	if (vote == PCI_ERS_RESULT_NEED_RESET)
		vote = report_reset(pdev);
	if (vote != PCI_ERS_RESULT_RECOVERED)
		return -ENODEV;
	report_resume(pdev);

	return 0;
}

static int inject_set(const char *text, const struct kernel_param *param)
{
	static const char *const names[] = { "normal", "frozen", "failure" };
	static const pci_channel_state_t states[] = {
		pci_channel_io_normal, pci_channel_io_frozen, pci_channel_io_perm_failure
	};
	int index = sysfs_match_string(names, text), ret = -ENODEV;
	struct pci_dev *pdev;

	if (index < 0)
		return index;
	pdev = pci_get_device(FAA_PCI_VENDOR_ID, FAA_PCI_DEVICE_ID, NULL);
	if (pdev && pdev->driver && pdev->driver->err_handler)
		ret = recover(pdev, states[index]);
	pci_dev_put(pdev);

	return ret;
}

static const struct kernel_param_ops inject_ops = {
	.set = inject_set,
};
module_param_cb(inject, &inject_ops, NULL, 0200);
MODULE_PARM_DESC(inject, "state of the link: normal, frozen or failure");

MODULE_AUTHOR("faa contributors");
MODULE_DESCRIPTION("Errors of the link of the FPGA atomics accelerator, for tests");
MODULE_LICENSE("Dual MIT/GPL");
