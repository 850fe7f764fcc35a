// SPDX-License-Identifier: MIT
#include "gups_sequence.h"

/* Product of two polynomials over GF(2) modulo that of the register, x^64 + x^2 + x + 1. */
static uint64_t sequence_multiply(uint64_t a, uint64_t b)
{
	uint64_t product = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--)
		product = gups_step(product) ^ (b >> bit & 1 ? a : 0);
	return product;
}

/* A step multiplies by x: number @n is x^n. */
uint64_t gups_element(uint64_t n)
{
	uint64_t result = 1, power = 2;

	for (; n; n >>= 1) {
		if (n & 1)
			result = sequence_multiply(result, power);
		power = sequence_multiply(power, power);
	}
	return result;
}

void gups_sequence_begin(struct gups_sequence *sequence, uint64_t updates)
{
	uint64_t i;

	for (i = 0; i < GUPS_GENERATORS; i++)
		sequence->generators[i] = gups_element(updates / GUPS_GENERATORS * i);
	sequence->turn = 0;
}

uint64_t gups_sequence_next(struct gups_sequence *sequence)
{
	uint64_t *ran = &sequence->generators[sequence->turn];

	sequence->turn = (sequence->turn + 1) % GUPS_GENERATORS;
	*ran = gups_step(*ran);
	return *ran;
}
