/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Configuration space
 *
 * A PCI Express endpoint with the capabilities power management, MSI-X and PCI Express (AtomicOp requester,
 * function-level reset). Geometry: faa_pci.h.
 */
#ifndef FAA_VDEV_PCI_H
#define FAA_VDEV_PCI_H

#include <stdbool.h>
#include <stdint.h>

#define PCI_CONFIG_SIZE 4096

/** struct pci - configuration space of the function */
struct pci {
	/** @config: contents, little-endian. */
	uint8_t config[PCI_CONFIG_SIZE];
	/** @writable: bits that a write changes. */
	uint8_t writable[PCI_CONFIG_SIZE];
};

/** pci_init() - configuration space just out of reset. */
void pci_init(struct pci *pci);
/** pci_read() - @size (1, 2, 4, 8) bytes at @addr; all-ones outside of configuration space. */
uint64_t pci_read(const struct pci *pci, uint64_t addr, unsigned int size);

/**
 * pci_write() - write @size (1, 2, 4, 8) bytes at @addr
 * @pci: the configuration space
 * @addr: byte address; writes that leave configuration space are ignored
 * @size: bytes
 * @value: new contents
 *
 * Return: true if the write asks for a function-level reset, which the caller performs.
 */
bool pci_write(struct pci *pci, uint64_t addr, unsigned int size, uint64_t value);

/** pci_memory_enabled() - the function answers accesses to its BARs (memory space enable, power state D0). */
bool pci_memory_enabled(const struct pci *pci);
/** pci_bus_master() - the function may read and write memory and send MSI-X (bus master enable, power state D0). */
bool pci_bus_master(const struct pci *pci);
/** pci_set_atomic_requester() - as a hypervisor does that knows a root port which takes AtomicOps. */
void pci_set_atomic_requester(struct pci *pci);
/** pci_atomic_requester() - the function may send AtomicOps (AtomicOp Requester Enable). */
bool pci_atomic_requester(const struct pci *pci);
/** pci_msix_enabled() - MSI-X is on. */
bool pci_msix_enabled(const struct pci *pci);
/** pci_msix_masked() - all vectors are masked by the function mask. */
bool pci_msix_masked(const struct pci *pci);

#endif /* FAA_VDEV_PCI_H */
