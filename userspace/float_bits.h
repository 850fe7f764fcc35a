/* SPDX-License-Identifier: MIT */
/*
 * Floating-point numbers as their bits.
 */
#ifndef FAA_FLOAT_BITS_H
#define FAA_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

/** faa_float_bits() - bits of an F32 */
static inline uint32_t faa_float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/** faa_bits_float() - the F32 of these bits */
static inline float faa_bits_float(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/** faa_double_bits() - bits of an F64 */
static inline uint64_t faa_double_bits(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/** faa_bits_double() - the F64 of these bits */
static inline double faa_bits_double(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

#endif /* FAA_FLOAT_BITS_H */
