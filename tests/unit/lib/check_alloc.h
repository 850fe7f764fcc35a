/* SPDX-License-Identifier: MIT */
#ifndef CHECK_ALLOC_H
#define CHECK_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* The library under test is compiled with malloc, calloc and realloc renamed to these. */
void *check_malloc(size_t size);
void *check_calloc(size_t count, size_t size);
void *check_realloc(void *old, size_t size);

/**
 * check_alloc_fail() - let allocation number @nth of the library from now on (0 = the next) fail.
 */
void check_alloc_fail(unsigned int nth);

/** check_alloc_failed() - whether the requested failure has occurred; also cancels the request. */
bool check_alloc_failed(void);

#endif /* CHECK_ALLOC_H */
