// SPDX-License-Identifier: MIT
#include "half.h"

#include <math.h>

#include "../../float_bits.h"

double spirv_half_to_double(uint16_t half)
{
	uint64_t sign = (uint64_t)(half >> 15) << 63;
	uint64_t exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
	double value;

	if (exponent == 0x1f)
		return faa_bits_double(sign | 0x7ffull << 52 | fraction << 42);
	if (exponent)
		return faa_bits_double(sign | (exponent + 1023 - 15) << 52 | fraction << 42);
	value = ldexp((double)fraction, -24);
	return sign ? -value : value;
}

uint16_t spirv_double_to_half(double value)
{
	uint64_t bits = faa_double_bits(value);
	uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
	double magnitude = fabs(value), scaled;
	int exponent;

	if (isnan(value))
		return sign | 0x7e00 | (uint16_t)(bits >> 42 & 0x3ff);
	if (magnitude >= 65520.0)
		return sign | 0x7c00;
	/*
	 * In units of the last place: nearbyint() rounds to even, and a carry increments the
	 * exponent.
	 */
	if (magnitude < ldexp(1.0, -14))
		return sign | (uint16_t)nearbyint(ldexp(magnitude, 24));
	frexp(magnitude, &exponent);
	scaled = nearbyint(ldexp(magnitude, 11 - exponent));
	return sign | (uint16_t)(((exponent + 13) << 10) + (int)scaled);
}
