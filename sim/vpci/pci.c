// SPDX-License-Identifier: Apache-2.0
#include "pci.h"

#include <linux/pci_regs.h>
#include <string.h>

#include "faa_pci.h"

static void pci_put16(uint8_t *space, unsigned int at, uint16_t value)
{
	space[at] = (uint8_t)value;
	space[at + 1] = (uint8_t)(value >> 8);
}

static void pci_put32(uint8_t *space, unsigned int at, uint32_t value)
{
	pci_put16(space, at, (uint16_t)value);
	pci_put16(space, at + 2, (uint16_t)(value >> 16));
}

static uint16_t pci_get16(const struct pci *pci, unsigned int at)
{
	return (uint16_t)(pci->config[at] | pci->config[at + 1] << 8);
}

/*
 * A 64-bit memory BAR: address bits above the size are writable, by which software finds the size.
 */
static void pci_init_bar(struct pci *pci, unsigned int bar, uint32_t size)
{
	unsigned int at = PCI_BASE_ADDRESS_0 + 4 * bar;

	pci_put32(pci->config, at, PCI_BASE_ADDRESS_SPACE_MEMORY | PCI_BASE_ADDRESS_MEM_TYPE_64);
	pci_put32(pci->writable, at, ~(size - 1));
	pci_put32(pci->writable, at + 4, 0xffffffff);
}

static void pci_init_header(struct pci *pci)
{
	pci_put16(pci->config, PCI_VENDOR_ID, FAA_PCI_VENDOR_ID);
	pci_put16(pci->config, PCI_DEVICE_ID, FAA_PCI_DEVICE_ID);
	pci_put16(pci->config, PCI_SUBSYSTEM_VENDOR_ID, FAA_PCI_VENDOR_ID);
	pci_put16(pci->config, PCI_SUBSYSTEM_ID, FAA_PCI_DEVICE_ID);
	pci_put32(pci->config, PCI_CLASS_REVISION, FAA_PCI_CLASS << 8 | FAA_PCI_REVISION);
	pci_put16(pci->config, PCI_STATUS, PCI_STATUS_CAP_LIST);
	pci->config[PCI_CAPABILITY_LIST] = FAA_PCI_CAP_PM;
	pci_put16(pci->writable, PCI_COMMAND,
		  PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
			  PCI_COMMAND_INTX_DISABLE);
	pci->writable[PCI_CACHE_LINE_SIZE] = 0xff;
	pci->writable[PCI_INTERRUPT_LINE] = 0xff;
	pci_init_bar(pci, FAA_PCI_BAR_REGS, FAA_PCI_BAR_REGS_SIZE);
	pci_init_bar(pci, FAA_PCI_BAR_MSIX, FAA_PCI_BAR_MSIX_SIZE);
}

static void pci_init_pm(struct pci *pci)
{
	unsigned int at = FAA_PCI_CAP_PM;

	pci->config[at] = PCI_CAP_ID_PM;
	pci->config[at + PCI_CAP_LIST_NEXT] = FAA_PCI_CAP_MSIX;
	pci_put16(pci->config, at + PCI_PM_PMC, 3);
	pci_put16(pci->config, at + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET);
	pci_put16(pci->writable, at + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
}

static void pci_init_msix(struct pci *pci)
{
	unsigned int at = FAA_PCI_CAP_MSIX;

	pci->config[at] = PCI_CAP_ID_MSIX;
	pci->config[at + PCI_CAP_LIST_NEXT] = FAA_PCI_CAP_EXP;
	pci_put16(pci->config, at + PCI_MSIX_FLAGS, FAA_PCI_VECTORS - 1);
	pci_put16(pci->writable, at + PCI_MSIX_FLAGS,
		  PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	pci_put32(pci->config, at + PCI_MSIX_TABLE, FAA_PCI_MSIX_TABLE | FAA_PCI_BAR_MSIX);
	pci_put32(pci->config, at + PCI_MSIX_PBA, FAA_PCI_MSIX_PBA | FAA_PCI_BAR_MSIX);
}

static void pci_init_express(struct pci *pci)
{
	unsigned int at = FAA_PCI_CAP_EXP;

	pci->config[at] = PCI_CAP_ID_EXP;
	pci_put16(pci->config, at + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_ENDPOINT << 4);
	pci_put32(pci->config, at + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_FLR);
	pci_put16(pci->config, at + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_RELAX_EN);
	pci_put16(pci->writable, at + PCI_EXP_DEVCTL, 0x7fff);
	pci_put32(pci->config, at + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_8_0GB | 8 << 4);
	pci_put16(pci->writable, at + PCI_EXP_LNKCTL,
		  PCI_EXP_LNKCTL_ASPMC | PCI_EXP_LNKCTL_RCB | PCI_EXP_LNKCTL_CCC);
	pci_put16(pci->config, at + PCI_EXP_LNKSTA, PCI_EXP_LNKSTA_CLS_8_0GB | 8 << 4);
	pci_put16(pci->writable, at + PCI_EXP_DEVCTL2, PCI_EXP_DEVCTL2_ATOMIC_REQ);
}

void pci_init(struct pci *pci)
{
	memset(pci, 0, sizeof(*pci));
	pci_init_header(pci);
	pci_init_pm(pci);
	pci_init_msix(pci);
	pci_init_express(pci);
}

void pci_set_vectors(struct pci *pci, unsigned int count)
{
	pci_put16(pci->config, FAA_PCI_CAP_MSIX + PCI_MSIX_FLAGS, (uint16_t)(count - 1));
}

uint64_t pci_read(const struct pci *pci, uint64_t addr, unsigned int size)
{
	uint64_t value = 0;

	if (addr >= PCI_CONFIG_SIZE || size > PCI_CONFIG_SIZE - addr)
		return ~0ull;
	for (unsigned int i = 0; i < size; i++)
		value |= (uint64_t)pci->config[addr + i] << (8 * i);
	return value;
}

/* States D1 and D2 do not exist here; a write of them leaves the state as it was. */
static void pci_write_power_state(struct pci *pci, uint8_t before)
{
	uint8_t *pmcsr = &pci->config[FAA_PCI_CAP_PM + PCI_PM_CTRL];
	uint8_t state = *pmcsr & PCI_PM_CTRL_STATE_MASK;

	if (state == 1 || state == 2)
		*pmcsr = before;
}

bool pci_write(struct pci *pci, uint64_t addr, unsigned int size, uint64_t value)
{
	uint8_t power = pci->config[FAA_PCI_CAP_PM + PCI_PM_CTRL];
	unsigned int flr = FAA_PCI_CAP_EXP + PCI_EXP_DEVCTL + 1;
	bool reset = false;

	if (addr >= PCI_CONFIG_SIZE || size > PCI_CONFIG_SIZE - addr)
		return false;
	for (unsigned int i = 0; i < size; i++) {
		uint8_t mask = pci->writable[addr + i];
		uint8_t byte = (uint8_t)(value >> (8 * i));

		pci->config[addr + i] = (pci->config[addr + i] & ~mask) | (byte & mask);
		if (addr + i == flr && byte & (PCI_EXP_DEVCTL_BCR_FLR >> 8))
			reset = true;
	}
	pci_write_power_state(pci, power);
	return reset;
}

bool pci_in_d0(const struct pci *pci)
{
	return !(pci->config[FAA_PCI_CAP_PM + PCI_PM_CTRL] & PCI_PM_CTRL_STATE_MASK);
}

bool pci_memory_enabled(const struct pci *pci)
{
	return pci_in_d0(pci) && pci_get16(pci, PCI_COMMAND) & PCI_COMMAND_MEMORY;
}

bool pci_bus_master(const struct pci *pci)
{
	return pci_in_d0(pci) && pci_get16(pci, PCI_COMMAND) & PCI_COMMAND_MASTER;
}

void pci_set_atomic_requester(struct pci *pci)
{
	pci_put16(pci->config, FAA_PCI_CAP_EXP + PCI_EXP_DEVCTL2, PCI_EXP_DEVCTL2_ATOMIC_REQ);
}

bool pci_atomic_requester(const struct pci *pci)
{
	return pci_get16(pci, FAA_PCI_CAP_EXP + PCI_EXP_DEVCTL2) & PCI_EXP_DEVCTL2_ATOMIC_REQ;
}

bool pci_msix_enabled(const struct pci *pci)
{
	return pci_get16(pci, FAA_PCI_CAP_MSIX + PCI_MSIX_FLAGS) & PCI_MSIX_FLAGS_ENABLE;
}

bool pci_msix_masked(const struct pci *pci)
{
	return pci_get16(pci, FAA_PCI_CAP_MSIX + PCI_MSIX_FLAGS) & PCI_MSIX_FLAGS_MASKALL;
}
