// SPDX-License-Identifier: MIT
/* The library's allocations, one of which can be made to fail. */
#include "check_alloc.h"

#include <stdbool.h>
#include <stdlib.h>

static bool armed;
static unsigned int left;

void check_alloc_fail(unsigned int nth)
{
	armed = true;
	left = nth;
}

bool check_alloc_failed(void)
{
	bool failed = !armed;

	armed = false;
	return failed;
}

static bool fails(void)
{
	if (!armed || left--)
		return false;
	armed = false;
	return true;
}

void *check_malloc(size_t size)
{
	return fails() ? NULL : malloc(size);
}

void *check_calloc(size_t count, size_t size)
{
	return fails() ? NULL : calloc(count, size);
}

void *check_realloc(void *old, size_t size)
{
	return fails() ? NULL : realloc(old, size);
}
