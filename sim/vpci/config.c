// SPDX-License-Identifier: Apache-2.0
/* Checks of the description of a function. */
#include <errno.h>

#include "function.h"

static int config_check_bar(const struct vpci_config *config, unsigned int index)
{
	const struct vpci_bar *bar = &config->bar[index];

	if (bar->flags & ~(unsigned int)(VPCI_BAR_64 | VPCI_BAR_PREFETCH | VPCI_BAR_WORDS)) {
		vpci_warn("BAR %u has unknown flags: 0x%x", index, bar->flags);
		return -EINVAL;
	}
	if (!bar->size)
		return 0;
	if (bar->size < VPCI_MIN_BAR || bar->size > VPCI_MAX_BAR || bar->size & (bar->size - 1)) {
		vpci_warn("BAR %u has 0x%x bytes, no power of two from 0x%x to 0x%x", index,
			  bar->size, VPCI_MIN_BAR, VPCI_MAX_BAR);
		return -EINVAL;
	}
	if (bar->flags & VPCI_BAR_64 && (index + 1 == VPCI_BARS || config->bar[index + 1].size)) {
		vpci_warn("BAR %u has a 64-bit address, whose upper half needs the next one",
			  index);
		return -EINVAL;
	}
	return 0;
}

/* @what has the @len bytes at @at of the MSI-X BAR. */
static int config_check_msix_part(const struct vpci_config *config, const char *what, uint32_t at,
				  uint32_t len)
{
	uint32_t size = config->bar[config->msix_bar].size;

	if (at % 8 == 0 && at < size && len <= size - at)
		return 0;
	vpci_warn(
		"%s of %u bytes at 0x%x is not in the 0x%x bytes of BAR %u, or not at a multiple of 8",
		what, len, at, size, config->msix_bar);
	return -EINVAL;
}

static int config_check_msix(const struct vpci_config *config)
{
	uint32_t len = 16 * config->vectors;
	int err;

	if (config->vectors > VPCI_MAX_VECTORS) {
		vpci_warn("%u MSI-X vectors are more than %d", config->vectors, VPCI_MAX_VECTORS);
		return -EINVAL;
	}
	if (!config->vectors)
		return 0;
	if (config->msix_bar >= VPCI_BARS || !config->bar[config->msix_bar].size) {
		vpci_warn("BAR %u, that of the MSI-X table, does not exist", config->msix_bar);
		return -EINVAL;
	}
	err = config_check_msix_part(config, "the MSI-X table", config->msix_table, len);
	if (!err)
		err = config_check_msix_part(config, "the array of pending bits", config->msix_pba,
					     8);
	if (!err && config->msix_table < config->msix_pba + 8 &&
	    config->msix_pba < config->msix_table + len) {
		vpci_warn("the MSI-X table at 0x%x and the pending bits at 0x%x overlap",
			  config->msix_table, config->msix_pba);
		err = -EINVAL;
	}
	return err;
}

int function_check(const struct vpci_config *config)
{
	int err = 0;

	if (config->class_code >> 24) {
		vpci_warn("class code 0x%x has more than 24 bits", config->class_code);
		return -EINVAL;
	}
	if (config->flags &
	    ~(unsigned int)(VPCI_PM | VPCI_FLR | VPCI_ATOMIC_OPS | VPCI_ATOMIC_ROUTE)) {
		vpci_warn("the function has unknown flags: 0x%x", config->flags);
		return -EINVAL;
	}
	if (config->flags & VPCI_ATOMIC_ROUTE && !(config->flags & VPCI_ATOMIC_OPS)) {
		vpci_warn("VPCI_ATOMIC_ROUTE needs VPCI_ATOMIC_OPS");
		return -EINVAL;
	}
	for (unsigned int i = 0; i < VPCI_BARS && !err; i++)
		err = config_check_bar(config, i);
	return err ? err : config_check_msix(config);
}
