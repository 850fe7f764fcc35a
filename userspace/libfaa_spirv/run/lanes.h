/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic on the lanes of a warp, one component of an instruction at a time.
 */
#ifndef FAA_SPIRV_LANES_H
#define FAA_SPIRV_LANES_H

#include "program.h"

/**
 * spirv_lanes() - one component of an instruction, in all lanes
 * @ins: instruction, of which code, width and to are used
 * @out: 32 results; may be one of the operands
 * @a, @b, @c: 32 items each, NULL for operands that the instruction lacks
 *
 * Division by zero gives 0, other undefined results are arbitrary; nothing traps.
 *
 * Return: whether the instruction exists.
 */
bool spirv_lanes(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a, const uint64_t *b,
		 const uint64_t *c);

/** spirv_lanes_glsl() - the same for instructions of GLSL.std.450; called by spirv_lanes(). */
bool spirv_lanes_glsl(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
		      const uint64_t *b, const uint64_t *c);

/** spirv_get_float() - a number of @width bits 16, 32 or 64 as double, exact. */
double spirv_get_float(uint64_t bits, unsigned int width);

/** spirv_put_float() - bits of a number of @width bits, rounded to nearest, ties to even. */
uint64_t spirv_put_float(double value, unsigned int width);

/** spirv_mask() - the low @width bits, 1..64. */
static inline uint64_t spirv_mask(unsigned int width)
{
	return UINT64_MAX >> (64 - width);
}

/** spirv_signed() - @bits of @width bits, sign-extended. */
static inline int64_t spirv_signed(uint64_t bits, unsigned int width)
{
	return (int64_t)(bits << (64 - width)) >> (64 - width);
}

#endif /* FAA_SPIRV_LANES_H */
