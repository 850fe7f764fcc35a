/* SPDX-License-Identifier: MIT */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/**
 * random_next() - the next number of the splitmix64 sequence with state @state
 *
 * The same on every machine.
 */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

#endif /* RANDOM_H */
