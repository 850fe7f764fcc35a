/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The PCI identity of faa
 *
 * Configuration space of the bridge in front of the device, the same for the virtual device and a
 * board wrapper. Vendor, device and number of vectors come from the specification
 * (FAA_PCI_VENDOR_ID, FAA_PCI_DEVICE_ID, FAA_PCI_VECTORS of faa_isa.h). The numbers are not
 * assigned by the PCI-SIG, and are for development only.
 */
#ifndef FAA_PCI_H
#define FAA_PCI_H

#include "faa_isa.h"

#define FAA_PCI_REVISION 0x01
/* Base class 12h: processing accelerator. */
#define FAA_PCI_CLASS 0x120000

/* Registers, 64-bit memory BAR (BAR 0 and 1). */
#define FAA_PCI_BAR_REGS      0
#define FAA_PCI_BAR_REGS_SIZE 0x100000u
/* MSI-X table and pending bits, 64-bit memory BAR (BAR 2 and 3). */
#define FAA_PCI_BAR_MSIX      2
#define FAA_PCI_BAR_MSIX_SIZE 0x1000u
#define FAA_PCI_MSIX_TABLE    0x000u
#define FAA_PCI_MSIX_PBA      0x800u

/* Offsets of the capabilities in configuration space. */
#define FAA_PCI_CAP_PM	 0x40
#define FAA_PCI_CAP_MSIX 0x50
#define FAA_PCI_CAP_EXP	 0x60

#endif /* FAA_PCI_H */
