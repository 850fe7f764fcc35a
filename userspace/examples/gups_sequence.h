/* SPDX-License-Identifier: MIT */
#ifndef GUPS_SEQUENCE_H
#define GUPS_SEQUENCE_H

#include <stdint.h>

/**
 * GUPS_GENERATORS - generators of HPC Challenge RandomAccess, which take turns
 *
 * The number of updates is a multiple of it.
 */
#define GUPS_GENERATORS 128

/** struct gups_sequence - the numbers of the benchmark, in the order of its generators' turns */
struct gups_sequence {
	uint64_t generators[GUPS_GENERATORS];
	/** @turn: next generator. */
	uint32_t turn;
};

/** gups_step() - the number after @ran in the sequence of the register, which begins with 1 */
static inline uint64_t gups_step(uint64_t ran)
{
	return ran << 1 ^ (ran >> 63 ? 7 : 0);
}

/** gups_element() - number @n of the sequence of the register, which begins with 1 */
uint64_t gups_element(uint64_t n);

/**
 * gups_sequence_begin() - the sequence of @updates numbers, in parts of equal length by generator
 */
void gups_sequence_begin(struct gups_sequence *sequence, uint64_t updates);

/** gups_sequence_next() - the next number */
uint64_t gups_sequence_next(struct gups_sequence *sequence);

#endif /* GUPS_SEQUENCE_H */
