// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Driver of the tutorial's PCI device: /dev/sum. A write of 32-bit words has the
 * device compute their running sums, which a read of the same file returns.
 */
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/uaccess.h>

#define SUM_CONTROL	  0x04
#define SUM_CONTROL_START BIT(0)
#define SUM_CONTROL_ERROR BIT(1)
#define SUM_SRC		  0x08
#define SUM_DST		  0x10
#define SUM_COUNT	  0x18

#define SUM_MAX_BYTES SZ_64K
#define SUM_TIMEOUT   (10 * HZ)

static const struct file_operations sum_fops;

/*
 * The one device, which has the only name in /dev. A file may be open longer than the device is
 * there, so this is not part of the device's resources.
 */
static struct {
	struct miscdevice misc;
	/* Serializes jobs, probe and removal. */
	struct mutex lock;
	/* NULL: there is no device. */
	struct device *dev;
	void __iomem *regs;
	struct completion done;
	void *buffer;
	dma_addr_t dma;
	size_t len;
} sum = {
	.misc = { .name = KBUILD_MODNAME, .fops = &sum_fops },
	.lock = __MUTEX_INITIALIZER(sum.lock),
	.done = COMPLETION_INITIALIZER(sum.done),
};

static irqreturn_t sum_irq(int irq, void *data)
{
	complete(&sum.done);
	return IRQ_HANDLED;
}

/* Replaces the words of the buffer by their running sums. */
static int sum_execute(size_t len)
{
	reinit_completion(&sum.done);
	writeq(sum.dma, sum.regs + SUM_SRC);
	writeq(sum.dma, sum.regs + SUM_DST);
	writel(len / sizeof(u32), sum.regs + SUM_COUNT);
	writel(SUM_CONTROL_START, sum.regs + SUM_CONTROL);
	if (!wait_for_completion_timeout(&sum.done, SUM_TIMEOUT)) {
		dev_err(sum.dev, "no interrupt after %zu bytes\n", len);
		return -ETIMEDOUT;
	}
	return readl(sum.regs + SUM_CONTROL) & SUM_CONTROL_ERROR ? -EIO : 0;
}

static ssize_t sum_write(struct file *file, const char __user *data, size_t len, loff_t *pos)
{
	int err;

	if (len % sizeof(u32) || len > SUM_MAX_BYTES)
		return -EINVAL;
	guard(mutex)(&sum.lock);
	if (!sum.dev)
		return -ENODEV;
	sum.len = 0;
	if (copy_from_user(sum.buffer, data, len))
		return -EFAULT;
	err = sum_execute(len);
	if (err)
		return err;
	sum.len = len;
	return len;
}

static ssize_t sum_read(struct file *file, char __user *data, size_t len, loff_t *pos)
{
	loff_t start = 0;

	guard(mutex)(&sum.lock);
	if (!sum.dev)
		return -ENODEV;
	return simple_read_from_buffer(data, len, &start, sum.buffer, sum.len);
}

static const struct file_operations sum_fops = {
	.owner = THIS_MODULE,
	.write = sum_write,
	.read = sum_read,
};

static int sum_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	int err;

	guard(mutex)(&sum.lock);
	if (sum.dev)
		return -EBUSY;
	err = pcim_enable_device(pdev);
	if (!err)
		err = pcim_iomap_regions(pdev, BIT(0), KBUILD_MODNAME);
	if (!err)
		err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (err)
		return err;
	sum.regs = pcim_iomap_table(pdev)[0];
	sum.buffer = dmam_alloc_coherent(&pdev->dev, SUM_MAX_BYTES, &sum.dma, GFP_KERNEL);
	if (!sum.buffer)
		return -ENOMEM;
	sum.len = 0;
	sum.misc.minor = MISC_DYNAMIC_MINOR;
	sum.misc.parent = &pdev->dev;
	pci_set_master(pdev);
	err = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSIX);
	if (err < 0)
		return err;
	err = devm_request_irq(&pdev->dev, pci_irq_vector(pdev, 0), sum_irq, 0, KBUILD_MODNAME,
			       NULL);
	if (!err)
		err = misc_register(&sum.misc);
	if (!err)
		sum.dev = &pdev->dev;
	return err;
}

static void sum_remove(struct pci_dev *pdev)
{
	misc_deregister(&sum.misc);
	/* A device that was pulled out ends no job. */
	complete(&sum.done);
	guard(mutex)(&sum.lock);
	sum.dev = NULL;
}

static const struct pci_device_id sum_ids[] = { { PCI_DEVICE(0x1234, 0x5001) }, {} };
MODULE_DEVICE_TABLE(pci, sum_ids);

static struct pci_driver sum_driver = {
	.name = KBUILD_MODNAME,
	.id_table = sum_ids,
	.probe = sum_probe,
	.remove = sum_remove,
};
module_pci_driver(sum_driver);

MODULE_DESCRIPTION("Running sums by the tutorial's PCI device");
MODULE_LICENSE("Dual MIT/GPL");
