// SPDX-License-Identifier: MIT
/*
 * Accesses of the device to host memory as a processor makes them: naturally aligned data is read
 * or written at once, so that threads of a test may observe it.
 */
#include <string.h>

#include "tb_host.h"

#define WORD 8

/* The largest aligned piece at the start of @len bytes at @at. */
static size_t piece(const void *at, size_t len)
{
	size_t size = WORD;

	while (size > len || (uintptr_t)at % size)
		size /= 2;
	return size;
}

static void load_piece(uint8_t *to, const void *from, size_t size)
{
	uint64_t word64;
	uint32_t word32;
	uint16_t word16;

	switch (size) {
	case 8:
		word64 = __atomic_load_n((const uint64_t *)from, __ATOMIC_RELAXED);
		memcpy(to, &word64, size);
		break;
	case 4:
		word32 = __atomic_load_n((const uint32_t *)from, __ATOMIC_RELAXED);
		memcpy(to, &word32, size);
		break;
	case 2:
		word16 = __atomic_load_n((const uint16_t *)from, __ATOMIC_RELAXED);
		memcpy(to, &word16, size);
		break;
	default:
		*to = __atomic_load_n((const uint8_t *)from, __ATOMIC_RELAXED);
	}
}

static void store_piece(void *to, const uint8_t *from, size_t size)
{
	uint64_t word64;
	uint32_t word32;
	uint16_t word16;

	switch (size) {
	case 8:
		memcpy(&word64, from, size);
		__atomic_store_n((uint64_t *)to, word64, __ATOMIC_RELAXED);
		break;
	case 4:
		memcpy(&word32, from, size);
		__atomic_store_n((uint32_t *)to, word32, __ATOMIC_RELAXED);
		break;
	case 2:
		memcpy(&word16, from, size);
		__atomic_store_n((uint16_t *)to, word16, __ATOMIC_RELAXED);
		break;
	default:
		__atomic_store_n((uint8_t *)to, *from, __ATOMIC_RELAXED);
	}
}

/* The aligned piece of @size bytes, or those of its parts whose bytes are all enabled. */
static void store_enabled(uint8_t *to, const uint8_t *from, size_t size, uint64_t strb)
{
	uint64_t all = (1ULL << size) - 1;

	strb &= all;
	if (strb == all) {
		store_piece(to, from, size);
	} else if (strb) {
		size /= 2;
		store_enabled(to, from, size, strb);
		store_enabled(to + size, from + size, size, strb >> size);
	}
}

void tb_access_read(void *to, const void *memory, size_t len)
{
	const uint8_t *from = memory;
	uint8_t *out = to;

	while (len) {
		size_t size = piece(from, len);

		load_piece(out, from, size);
		out += size;
		from += size;
		len -= size;
	}
}

void tb_access_write(void *memory, const void *from, size_t len, uint64_t strb)
{
	const uint8_t *in = from;
	uint8_t *to = memory;

	while (len) {
		size_t size = piece(to, len);

		store_enabled(to, in, size, strb);
		in += size;
		to += size;
		len -= size;
		strb >>= size;
	}
}
