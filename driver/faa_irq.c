// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Interrupts
 *
 * Vector 0 tells of events, the other vectors of ended jobs; each serves every n-th
 * hardware queue. With a single vector it serves all. MSI-X is a message: there is
 * nothing to acknowledge, so the hard interrupt only wakes the thread. A message that
 * comes while the thread runs makes it run again.
 *
 * The thread looks at sequence numbers in host memory. Only the event vector, which is
 * rare, reads a register.
 */

#include <linux/interrupt.h>
#include <linux/pci.h>

#include <drm/drm_drv.h>
#include <drm/drm_print.h>

#include "faa_completion.h"
#include "faa_device.h"
#include "faa_irq.h"
#include "faa_mux.h"
#include "faa_queue.h"

static irqreturn_t faa_irq_hard(int irq, void *data)
{
	return IRQ_WAKE_THREAD;
}

static void faa_irq_handle_events(struct faa_device *faa)
{
	u32 events;
	int cookie;

	if (!drm_dev_enter(&faa->drm, &cookie))
		return;

	events = faa_read(faa, FAA_REG_EVENT_STATUS);
	if (events == ~0U)
		goto out_exit;

	/* Cached: most waiters then need no MMIO read. */
	if (events & FAA_REG_EVENT_STATUS_TLB_INV_DONE_MASK)
		WRITE_ONCE(faa->tlb.done, faa_read(faa, FAA_REG_TLB_INV_DONE));

	/* Before they are handled: one that comes again is not lost then. */
	faa_write(faa, FAA_REG_EVENT_STATUS, events);
	if (events & FAA_REG_EVENT_STATUS_TLB_INV_DONE_MASK)
		wake_up_all(&faa->tlb.wait);
	if (events & (FAA_REG_EVENT_STATUS_QUEUE_ERROR_MASK |
		      FAA_REG_EVENT_STATUS_QUEUE_KILLED_MASK))
		queue_work(faa->reset_wq, &faa->error_work);
	if (events & FAA_REG_EVENT_STATUS_QUEUE_SAVED_MASK)
		faa_mux_kick(faa);

out_exit:
	drm_dev_exit(cookie);
}

static irqreturn_t faa_irq_thread(int irq, void *data)
{
	struct faa_irq_vector *vector = data;
	struct faa_device *faa = vector->faa;
	struct faa_queue *queue;
	unsigned int i;

	for (i = 0; i < faa->info.num_queues; i++) {
		if (faa->hwqs[i].vector != vector->index)
			continue;
		queue = faa_hwq_get_queue(&faa->hwqs[i]);
		if (!queue)
			continue;
		faa_queue_complete(queue);
		faa_queue_put(queue);
	}
	if (!vector->index)
		faa_irq_handle_events(faa);

	return IRQ_HANDLED;
}

/**
 * faa_irq_alloc() - get as many vectors as there are uses for
 * @faa: the device, identified
 * @pdev: its PCI function, enabled by pcim_enable_device()
 *
 * Return: 0 or an error of pci_alloc_irq_vectors().
 */
int faa_irq_alloc(struct faa_device *faa, struct pci_dev *pdev)
{
	unsigned int wanted = min(1 + faa->info.num_queues, (u32)FAA_PCI_VECTORS);
	int count = pci_alloc_irq_vectors(pdev, 1, wanted, PCI_IRQ_MSIX | PCI_IRQ_MSI);

	if (count < 0) {
		drm_err(&faa->drm, "no interrupt vector: %d\n", count);
		return count;
	}
	faa->irq.count = count;

	return 0;
}

/**
 * faa_irq_request() - install the handlers
 * @faa: the device, its hardware queues ready
 * @pdev: its PCI function
 *
 * Return: 0 or an error of request_threaded_irq().
 */
int faa_irq_request(struct faa_device *faa, struct pci_dev *pdev)
{
	unsigned int i;
	int ret;

	for (i = 0; i < faa->irq.count; i++) {
		struct faa_irq_vector *vector = &faa->irq.vectors[i];

		vector->faa = faa;
		vector->index = i;
		ret = devm_request_threaded_irq(&pdev->dev, pci_irq_vector(pdev, i),
						faa_irq_hard, faa_irq_thread, 0, "faa",
						vector);
		if (ret) {
			drm_err(&faa->drm, "vector %u: %d\n", i, ret);
			return ret;
		}
	}

	return 0;
}

/**
 * faa_irq_free() - remove the handlers and wait for them
 * @faa: the device
 * @pdev: its PCI function
 */
void faa_irq_free(struct faa_device *faa, struct pci_dev *pdev)
{
	unsigned int i;

	for (i = 0; i < faa->irq.count; i++)
		devm_free_irq(&pdev->dev, pci_irq_vector(pdev, i), &faa->irq.vectors[i]);
}
