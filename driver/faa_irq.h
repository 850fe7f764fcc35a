/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_IRQ_H__
#define __FAA_IRQ_H__

struct faa_device;
struct pci_dev;

int faa_irq_alloc(struct faa_device *faa, struct pci_dev *pdev);
int faa_irq_request(struct faa_device *faa, struct pci_dev *pdev);
void faa_irq_free(struct faa_device *faa, struct pci_dev *pdev);

#endif
