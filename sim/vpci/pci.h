/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Configuration space
 *
 * A PCI Express endpoint with the capabilities power management and MSI-X, if the description has
 * them, and PCI Express (AtomicOp requester, function-level reset).
 */
#ifndef FAA_VPCI_PCI_H
#define FAA_VPCI_PCI_H

#include <stdbool.h>
#include <stdint.h>

#include "vpci.h"

#define PCI_CONFIG_SIZE 4096

/* Offsets of the capabilities. */
#define PCI_AT_PM   0x40
#define PCI_AT_MSIX 0x50
#define PCI_AT_EXP  0x60

/** struct pci - configuration space of the function */
struct pci {
	/** @config: contents, little-endian. */
	uint8_t config[PCI_CONFIG_SIZE];
	/** @writable: bits that a write can change. */
	uint8_t writable[PCI_CONFIG_SIZE];
};

/** pci_init() - configuration space of a function after reset. */
void pci_init(struct pci *pci, const struct vpci_config *config);
/** pci_read() - read @size (1, 2, 4, 8) bytes at @addr; all-ones outside of configuration space. */
uint64_t pci_read(const struct pci *pci, uint64_t addr, unsigned int size);

/**
 * pci_write() - write @size (1, 2, 4, 8) bytes at @addr
 * @pci: the configuration space
 * @addr: byte address; writes beyond configuration space are ignored
 * @size: bytes
 * @value: new contents
 *
 * Return: true if the write requests a function-level reset, which the caller performs.
 */
bool pci_write(struct pci *pci, uint64_t addr, unsigned int size, uint64_t value);

/** pci_in_d0() - whether the function is in power state D0, not D3hot. */
bool pci_in_d0(const struct pci *pci);
/**
 * pci_memory_enabled() - whether the function responds to accesses to its BARs (memory space
 * enable, power state D0).
 */
bool pci_memory_enabled(const struct pci *pci);
/**
 * pci_bus_master() - whether the function may access memory and send MSI-X (bus master enable,
 * power state D0).
 */
bool pci_bus_master(const struct pci *pci);
/** pci_atomic_requester() - whether the function may send AtomicOps (AtomicOp Requester Enable). */
bool pci_atomic_requester(const struct pci *pci);
/** pci_msix_enabled() - whether there is MSI-X, and enabled. */
bool pci_msix_enabled(const struct pci *pci);
/** pci_msix_masked() - whether the function mask masks all vectors. */
bool pci_msix_masked(const struct pci *pci);

#endif /* FAA_VPCI_PCI_H */
