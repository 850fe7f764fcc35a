// SPDX-License-Identifier: Apache-2.0
#include "pci.h"

#include <linux/pci_regs.h>
#include <string.h>

/* PCI_EXP_DEVCAP_FLR in its byte. */
#define FLR_BIT (PCI_EXP_DEVCAP_FLR >> 24)

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
 * A memory BAR: address bits above the size are writable, by which software finds the size.
 */
static void pci_init_bar(struct pci *pci, unsigned int index, const struct vpci_bar *bar)
{
	unsigned int at = PCI_BASE_ADDRESS_0 + 4 * index;
	uint32_t type = PCI_BASE_ADDRESS_SPACE_MEMORY;

	if (!bar->size)
		return;
	if (bar->flags & VPCI_BAR_64)
		type |= PCI_BASE_ADDRESS_MEM_TYPE_64;
	if (bar->flags & VPCI_BAR_PREFETCH)
		type |= PCI_BASE_ADDRESS_MEM_PREFETCH;
	pci_put32(pci->config, at, type);
	pci_put32(pci->writable, at, ~(bar->size - 1));
	if (bar->flags & VPCI_BAR_64)
		pci_put32(pci->writable, at + 4, 0xffffffff);
}

static void pci_init_header(struct pci *pci, const struct vpci_config *config)
{
	pci_put16(pci->config, PCI_VENDOR_ID, config->vendor);
	pci_put16(pci->config, PCI_DEVICE_ID, config->device);
	pci_put16(pci->config, PCI_SUBSYSTEM_VENDOR_ID, config->subsystem_vendor);
	pci_put16(pci->config, PCI_SUBSYSTEM_ID, config->subsystem);
	pci_put32(pci->config, PCI_CLASS_REVISION, config->class_code << 8 | config->revision);
	pci_put16(pci->config, PCI_STATUS, PCI_STATUS_CAP_LIST);
	pci_put16(pci->writable, PCI_COMMAND,
		  PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
			  PCI_COMMAND_INTX_DISABLE);
	pci->writable[PCI_CACHE_LINE_SIZE] = 0xff;
	pci->writable[PCI_INTERRUPT_LINE] = 0xff;
	for (unsigned int i = 0; i < VPCI_BARS; i++)
		pci_init_bar(pci, i, &config->bar[i]);
}

/* Puts a capability in front of the list of capabilities. */
static void pci_add_capability(struct pci *pci, unsigned int at, uint8_t id)
{
	pci->config[at] = id;
	pci->config[at + PCI_CAP_LIST_NEXT] = pci->config[PCI_CAPABILITY_LIST];
	pci->config[PCI_CAPABILITY_LIST] = (uint8_t)at;
}

static void pci_init_pm(struct pci *pci)
{
	unsigned int at = PCI_AT_PM;

	pci_add_capability(pci, at, PCI_CAP_ID_PM);
	pci_put16(pci->config, at + PCI_PM_PMC, 3);
	pci_put16(pci->config, at + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET);
	pci_put16(pci->writable, at + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
}

static void pci_init_msix(struct pci *pci, const struct vpci_config *config)
{
	unsigned int at = PCI_AT_MSIX;

	pci_add_capability(pci, at, PCI_CAP_ID_MSIX);
	pci_put16(pci->config, at + PCI_MSIX_FLAGS, (uint16_t)(config->vectors - 1));
	pci_put16(pci->writable, at + PCI_MSIX_FLAGS,
		  PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	pci_put32(pci->config, at + PCI_MSIX_TABLE, config->msix_table | config->msix_bar);
	pci_put32(pci->config, at + PCI_MSIX_PBA, config->msix_pba | config->msix_bar);
}

static void pci_init_express(struct pci *pci, unsigned int flags)
{
	unsigned int at = PCI_AT_EXP;

	pci_add_capability(pci, at, PCI_CAP_ID_EXP);
	pci_put16(pci->config, at + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_ENDPOINT << 4);
	pci_put32(pci->config, at + PCI_EXP_DEVCAP,
		  PCI_EXP_DEVCAP_RBER | (flags & VPCI_FLR ? PCI_EXP_DEVCAP_FLR : 0));
	pci_put16(pci->config, at + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_RELAX_EN);
	pci_put16(pci->writable, at + PCI_EXP_DEVCTL, 0x7fff);
	pci_put32(pci->config, at + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_8_0GB | 8 << 4);
	pci_put16(pci->writable, at + PCI_EXP_LNKCTL,
		  PCI_EXP_LNKCTL_ASPMC | PCI_EXP_LNKCTL_RCB | PCI_EXP_LNKCTL_CCC);
	pci_put16(pci->config, at + PCI_EXP_LNKSTA, PCI_EXP_LNKSTA_CLS_8_0GB | 8 << 4);
	if (!(flags & VPCI_ATOMIC_OPS))
		return;
	pci_put16(pci->writable, at + PCI_EXP_DEVCTL2, PCI_EXP_DEVCTL2_ATOMIC_REQ);
	if (flags & VPCI_ATOMIC_ROUTE)
		pci_put16(pci->config, at + PCI_EXP_DEVCTL2, PCI_EXP_DEVCTL2_ATOMIC_REQ);
}

void pci_init(struct pci *pci, const struct vpci_config *config)
{
	memset(pci, 0, sizeof(*pci));
	pci_init_header(pci, config);
	pci_init_express(pci, config->flags);
	if (config->vectors)
		pci_init_msix(pci, config);
	if (config->flags & VPCI_PM)
		pci_init_pm(pci);
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
	uint8_t *pmcsr = &pci->config[PCI_AT_PM + PCI_PM_CTRL];
	uint8_t state = *pmcsr & PCI_PM_CTRL_STATE_MASK;

	if (state == 1 || state == 2)
		*pmcsr = before;
}

bool pci_write(struct pci *pci, uint64_t addr, unsigned int size, uint64_t value)
{
	uint8_t power = pci->config[PCI_AT_PM + PCI_PM_CTRL];
	unsigned int flr = PCI_AT_EXP + PCI_EXP_DEVCTL + 1;
	bool reset = false;

	if (addr >= PCI_CONFIG_SIZE || size > PCI_CONFIG_SIZE - addr)
		return false;
	for (unsigned int i = 0; i < size; i++) {
		uint8_t mask = pci->writable[addr + i];
		uint8_t byte = (uint8_t)(value >> (8 * i));

		pci->config[addr + i] = (pci->config[addr + i] & ~mask) | (byte & mask);
		if (addr + i == flr && pci->config[PCI_AT_EXP + PCI_EXP_DEVCAP + 3] & FLR_BIT &&
		    byte & (PCI_EXP_DEVCTL_BCR_FLR >> 8))
			reset = true;
	}
	pci_write_power_state(pci, power);
	return reset;
}

bool pci_in_d0(const struct pci *pci)
{
	return !(pci->config[PCI_AT_PM + PCI_PM_CTRL] & PCI_PM_CTRL_STATE_MASK);
}

bool pci_memory_enabled(const struct pci *pci)
{
	return pci_in_d0(pci) && pci_get16(pci, PCI_COMMAND) & PCI_COMMAND_MEMORY;
}

bool pci_bus_master(const struct pci *pci)
{
	return pci_in_d0(pci) && pci_get16(pci, PCI_COMMAND) & PCI_COMMAND_MASTER;
}

bool pci_atomic_requester(const struct pci *pci)
{
	return pci_get16(pci, PCI_AT_EXP + PCI_EXP_DEVCTL2) & PCI_EXP_DEVCTL2_ATOMIC_REQ;
}

bool pci_msix_enabled(const struct pci *pci)
{
	return pci_get16(pci, PCI_AT_MSIX + PCI_MSIX_FLAGS) & PCI_MSIX_FLAGS_ENABLE;
}

bool pci_msix_masked(const struct pci *pci)
{
	return pci_get16(pci, PCI_AT_MSIX + PCI_MSIX_FLAGS) & PCI_MSIX_FLAGS_MASKALL;
}
