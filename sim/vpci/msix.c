// SPDX-License-Identifier: Apache-2.0
#include "msix.h"

#include <string.h>

#define MSIX_ADDR_LO	    0
#define MSIX_ADDR_HI	    1
#define MSIX_DATA	    2
#define MSIX_CONTROL	    3
#define MSIX_CONTROL_MASKED 1u

void msix_init(struct msix *msix, const struct vpci_config *config)
{
	memset(msix, 0, sizeof(*msix));
	msix->count = config->vectors;
	msix->table_at = config->msix_table;
	msix->pba_at = config->msix_pba;
	for (unsigned int i = 0; i < VPCI_MAX_VECTORS; i++)
		msix->table[i][MSIX_CONTROL] = MSIX_CONTROL_MASKED;
}

static bool msix_in_table(const struct msix *msix, uint64_t offset)
{
	return offset - msix->table_at < msix->count * sizeof(msix->table[0]);
}

bool msix_has(const struct msix *msix, uint64_t offset)
{
	return msix_in_table(msix, offset) || offset - msix->pba_at < sizeof(msix->pending);
}

uint32_t msix_read(const struct msix *msix, uint32_t offset)
{
	uint32_t at = offset - msix->table_at;

	if (msix_in_table(msix, offset))
		return msix->table[at / 16][at / 4 % 4];
	return (uint32_t)(offset == msix->pba_at ? msix->pending : msix->pending >> 32);
}

void msix_write(struct msix *msix, uint32_t offset, uint32_t value)
{
	uint32_t at = offset - msix->table_at, word = at / 4 % 4;

	if (!msix_in_table(msix, offset))
		return;
	if (word == MSIX_CONTROL)
		value &= MSIX_CONTROL_MASKED;
	else if (word == MSIX_ADDR_LO)
		value &= ~3u;
	msix->table[at / 16][word] = value;
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
	for (unsigned int i = 0; i < msix->count; i++) {
		unsigned int vector = (msix->next + i) % msix->count;
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
	msix->next = (vector + 1) % msix->count;
}
