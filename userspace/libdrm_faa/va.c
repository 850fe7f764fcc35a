// SPDX-License-Identifier: MIT
#include "va.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for one more hole, before any change: a failure then changes nothing. */
static int va_make_room(struct faa_va *va)
{
	size_t capacity = va->capacity ? va->capacity * 2 : 16;
	struct faa_hole *holes;

	if (va->count < va->capacity)
		return 0;
	holes = realloc(va->holes, capacity * sizeof(*holes));
	if (!holes)
		return -ENOMEM;
	va->holes = holes;
	va->capacity = capacity;
	return 0;
}

static void va_insert_hole(struct faa_va *va, size_t at, uint64_t start, uint64_t end)
{
	memmove(va->holes + at + 1, va->holes + at, (va->count - at) * sizeof(*va->holes));
	va->holes[at] = (struct faa_hole){ start, end };
	va->count++;
}

static void va_remove_hole(struct faa_va *va, size_t at)
{
	va->count--;
	memmove(va->holes + at, va->holes + at + 1, (va->count - at) * sizeof(*va->holes));
}

/* Index of the first hole that ends above addr. */
static size_t va_find_hole(const struct faa_va *va, uint64_t addr)
{
	size_t low = 0, high = va->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (va->holes[middle].end <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int va_range_valid(const struct faa_va *va, uint64_t addr, uint64_t size)
{
	return size && addr >= va->start && addr < va->end && size <= va->end - addr;
}

/* Cut [start, end) out of the hole that holds it; there is room for one more hole. */
static void va_cut_hole(struct faa_va *va, size_t at, uint64_t start, uint64_t end)
{
	struct faa_hole *hole = &va->holes[at];

	if (hole->start == start && hole->end == end) {
		va_remove_hole(va, at);
	} else if (hole->start == start) {
		hole->start = end;
	} else if (hole->end == end) {
		hole->end = start;
	} else {
		uint64_t tail = hole->end;

		hole->end = start;
		va_insert_hole(va, at + 1, end, tail);
	}
}

int faa_va_init(struct faa_va *va, uint64_t start, uint64_t end)
{
	*va = (struct faa_va){ .start = start, .end = end };
	if (start >= end)
		return -EINVAL;
	if (va_make_room(va))
		return -ENOMEM;
	va_insert_hole(va, 0, start, end);
	return 0;
}

void faa_va_fini(struct faa_va *va)
{
	free(va->holes);
	*va = (struct faa_va){ 0 };
}

int faa_va_alloc(struct faa_va *va, uint64_t size, uint64_t align, uint64_t *addr)
{
	size_t i;

	if (!size || !align || (align & (align - 1)))
		return -EINVAL;
	if (va_make_room(va))
		return -ENOMEM;
	for (i = 0; i < va->count; i++) {
		const struct faa_hole *hole = &va->holes[i];
		uint64_t start = (hole->start + align - 1) & ~(align - 1);

		if (start < hole->start || start >= hole->end || size > hole->end - start)
			continue;
		va_cut_hole(va, i, start, start + size);
		*addr = start;
		return 0;
	}
	return -ENOSPC;
}

int faa_va_reserve(struct faa_va *va, uint64_t addr, uint64_t size)
{
	size_t at;

	if (!va_range_valid(va, addr, size))
		return -EINVAL;
	at = va_find_hole(va, addr);
	if (at == va->count || va->holes[at].start > addr || va->holes[at].end < addr + size)
		return -EBUSY;
	if (va_make_room(va))
		return -ENOMEM;
	va_cut_hole(va, at, addr, addr + size);
	return 0;
}

int faa_va_taken(const struct faa_va *va, uint64_t addr, uint64_t size)
{
	size_t at;

	if (!va_range_valid(va, addr, size))
		return 0;
	at = va_find_hole(va, addr);
	return at == va->count || va->holes[at].start >= addr + size;
}

int faa_va_release(struct faa_va *va, uint64_t addr, uint64_t size)
{
	uint64_t end = addr + size;
	int joins_before, joins_after;
	size_t at;

	if (!faa_va_taken(va, addr, size))
		return -EINVAL;
	if (va_make_room(va))
		return -ENOMEM;
	at = va_find_hole(va, addr);
	joins_before = at > 0 && va->holes[at - 1].end == addr;
	joins_after = at < va->count && va->holes[at].start == end;
	if (joins_before && joins_after) {
		va->holes[at - 1].end = va->holes[at].end;
		va_remove_hole(va, at);
	} else if (joins_before) {
		va->holes[at - 1].end = end;
	} else if (joins_after) {
		va->holes[at].start = addr;
	} else {
		va_insert_hole(va, at, addr, end);
	}
	return 0;
}
