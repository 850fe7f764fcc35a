/* SPDX-License-Identifier: MIT */
#ifndef CHECK_H
#define CHECK_H

/* cmocka requires these headers in this order. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "../run_tests.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/**
 * check_seed() - seed of a random test: FAA_SEED or @fallback, printed so that a failure can be
 * replayed.
 */
static inline uint64_t check_seed(uint64_t fallback)
{
	const char *text = getenv("FAA_SEED");
	uint64_t seed = text ? strtoull(text, NULL, 0) : fallback;

	print_message("seed 0x%llx\n", (unsigned long long)seed);
	return seed ? seed : 1;
}

/** check_random() - next number of a xorshift64* generator; @state is not 0. */
static inline uint64_t check_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

#endif /* CHECK_H */
