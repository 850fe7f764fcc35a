// SPDX-License-Identifier: MIT
/* Structures of the caller, which may be of another version of the headers than the library. */
#include "structure.h"
#include "error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static size_t structure_smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

int faa_struct_read(void *to, size_t to_size, const void *from, size_t from_size, const char *name)
{
	const unsigned char *bytes = from;
	size_t i, common = structure_smaller(to_size, from_size);

	for (i = to_size; i < from_size; i++)
		if (bytes[i])
			return faa_fail(
				-E2BIG,
				"struct %s: byte %zu of %zu is not 0, and this version of the "
				"library knows %zu: the program needs a newer library",
				name, i, from_size, to_size);
	memcpy(to, from, common);
	memset((char *)to + common, 0, to_size - common);
	return 0;
}

void faa_struct_write(void *to, size_t to_size, const void *from, size_t from_size)
{
	size_t common = structure_smaller(to_size, from_size);

	memcpy(to, from, common);
	memset((char *)to + common, 0, to_size - common);
}

int faa_array_read(const void **items, void **made, size_t own_size, const void *from,
		   size_t from_size, uint32_t count, const char *name)
{
	char *copy;
	uint32_t i;
	int ret = 0;

	*items = from;
	*made = NULL;
	if (from_size == own_size)
		return 0;
	copy = calloc(count, own_size);
	if (!copy)
		return faa_fail_memory("structures of another version");
	for (i = 0; i < count && !ret; i++)
		ret = faa_struct_read(copy + i * own_size, own_size,
				      (const char *)from + i * from_size, from_size, name);
	if (ret) {
		free(copy);
		return ret;
	}
	*items = *made = copy;
	return 0;
}
