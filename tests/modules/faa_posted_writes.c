// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Posted writes in a row
 *
 * Writes a register of the device "count" times and reads it back now and then. In User Mode Linux
 * each write is a command in a queue, whose completion interrupts the writes that follow. Loading
 * the module fails with -EIO if a read does not return what was written last.
 *
 * The device must have no driver.
 */

#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "faa_isa.h"
#include "faa_regs.h"

static unsigned int count = 1000000;
module_param(count, uint, 0444);
MODULE_PARM_DESC(count, "writes (default 1000000)");

static int write_in_a_row(void __iomem *regs)
{
	unsigned int i, size;
	u32 got;

	for (i = 0; i < count; i += size) {
		/* The number of commands in the queue varies. */
		for (size = 0; size <= i % 61; size++)
			writel((i + size) & 0xff, regs + FAA_REG_TLB_INV_VMID);
		got = readl(regs + FAA_REG_TLB_INV_VMID);
		if (got != ((i + size - 1) & 0xff)) {
			pr_err("faa_posted_writes: read 0x%x after write %u\n", got, i + size);
			return -EIO;
		}
		cond_resched();
	}

	return 0;
}

static int __init faa_posted_writes_init(void)
{
	struct pci_dev *pdev = pci_get_device(FAA_PCI_VENDOR_ID, FAA_PCI_DEVICE_ID, NULL);
	void __iomem *regs;
	int ret = -ENODEV;

	if (!pdev)
		return ret;
	ret = pci_enable_device(pdev);
	if (!ret) {
		regs = pci_ioremap_bar(pdev, 0);
		ret = regs ? write_in_a_row(regs) : -ENOMEM;
		if (regs)
			iounmap(regs);
		pci_disable_device(pdev);
	}
	pci_dev_put(pdev);

	return ret;
}
module_init(faa_posted_writes_init);

static void __exit faa_posted_writes_exit(void)
{
}
module_exit(faa_posted_writes_exit);

MODULE_AUTHOR("faa contributors");
MODULE_DESCRIPTION("Posted writes to the FPGA atomics accelerator, for tests");
MODULE_LICENSE("Dual MIT/GPL");
