/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_PCI_H__
#define __FAA_PCI_H__

#include <linux/types.h>

struct faa_device;

bool faa_pci_atomics_suffice(u32 sizes);
int faa_pci_register(void);
void faa_pci_unregister(void);
bool faa_pci_is_present(struct faa_device *faa);
void faa_pci_save(struct faa_device *faa);
void faa_pci_restore(struct faa_device *faa);
int faa_pci_reset(struct faa_device *faa);

#endif
