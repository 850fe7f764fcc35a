/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_PCI_H__
#define __FAA_PCI_H__

int faa_pci_register(void);
void faa_pci_unregister(void);

#endif
