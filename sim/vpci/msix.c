// SPDX-License-Identifier: Apache-2.0
#include "msix.h"

#include <string.h>

#define MSIX_ADDR_LO	    0
#define MSIX_ADDR_HI	    1
#define MSIX_DATA	    2
#define MSIX_CONTROL	    3
#define MSIX_CONTROL_MASKED 1u

void msix_init(struct msix *msix)
{
	memset(msix, 0, sizeof(*msix));
	for (unsigned int i = 0; i < FAA_PCI_VECTORS; i++)
		msix->table[i][MSIX_CONTROL] = MSIX_CONTROL_MASKED;
}

uint32_t msix_read(const struct msix *msix, uint32_t offset)
{
	if (offset - FAA_PCI_MSIX_TABLE < sizeof(msix->table))
		return msix->table[offset / 16][offset / 4 % 4];
	if (offset == FAA_PCI_MSIX_PBA)
		return (uint32_t)msix->pending;
	if (offset == FAA_PCI_MSIX_PBA + 4)
		return (uint32_t)(msix->pending >> 32);
	return 0;
}

void msix_write(struct msix *msix, uint32_t offset, uint32_t value)
{
	unsigned int word = offset / 4 % 4;

	if (offset - FAA_PCI_MSIX_TABLE >= sizeof(msix->table))
		return;
	if (word == MSIX_CONTROL)
		value &= MSIX_CONTROL_MASKED;
	else if (word == MSIX_ADDR_LO)
		value &= ~3u;
	msix->table[offset / 16][word] = value;
}

void msix_request(struct msix *msix, unsigned int vector)
{
	msix->pending |= 1ull << vector;
}

void msix_hold(struct msix *msix, unsigned int vector)
{
	msix->held |= 1ull << vector;
}

void msix_release(struct msix *msix, unsigned int vector)
{
	msix->held &= ~(1ull << vector);
}

int msix_peek(const struct msix *msix, struct msix_message *message)
{
	for (unsigned int i = 0; i < FAA_PCI_VECTORS; i++) {
		unsigned int vector = (msix->next + i) % FAA_PCI_VECTORS;
		const uint32_t *entry = msix->table[vector];

		if (!((msix->pending & ~msix->held) >> vector & 1) ||
		    entry[MSIX_CONTROL] & MSIX_CONTROL_MASKED)
			continue;
		message->vector = vector;
		message->addr = (uint64_t)entry[MSIX_ADDR_HI] << 32 | entry[MSIX_ADDR_LO];
		message->data = entry[MSIX_DATA];
		return (int)vector;
	}
	return -1;
}

void msix_sent(struct msix *msix, unsigned int vector)
{
	msix->pending &= ~(1ull << vector);
	msix->next = (vector + 1) % FAA_PCI_VECTORS;
}
