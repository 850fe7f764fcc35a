// SPDX-License-Identifier: Apache-2.0
/*
 * Floating point: commands.rst, "Floating point". Values are bit patterns. The arithmetic is the
 * host's double, or float for sums of binary32, which C11 Annex F makes IEEE 754. The small formats
 * are computed in double. Sums of binary16 are exact there, and so are denormal sums of bfloat16. A
 * normal sum of bfloat16 may be rounded to 53 bits first, which does not change the rounding to 8
 * bits because 53 >= 2 * 8 + 2.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "model.h"

#ifdef __FAST_MATH__
#error "the model's floating point needs IEEE 754: do not compile it with -ffast-math"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "float sums must be rounded to float");
_Static_assert(FLT_MANT_DIG == 24 && DBL_MANT_DIG == 53, "float and double must be IEEE formats");

/* struct format - an IEEE binary interchange format of @bits bits */
struct format {
	unsigned int bits;
	unsigned int fraction;
};

static const struct format binary16 = { 16, 10 };
static const struct format bfloat16 = { 16, 7 };
static const struct format binary32 = { 32, 23 };
static const struct format binary64 = { 64, 52 };

static uint64_t sign_bit(struct format f)
{
	return 1ULL << (f.bits - 1);
}

static uint64_t magnitude(struct format f, uint64_t x)
{
	return x & (sign_bit(f) - 1);
}

/* All exponent bits set, fraction 0. */
static uint64_t infinity(struct format f)
{
	return sign_bit(f) - (1ULL << f.fraction);
}

static uint64_t canonical_nan(struct format f)
{
	return infinity(f) | 1ULL << (f.fraction - 1);
}

static bool is_nan(struct format f, uint64_t x)
{
	return magnitude(f, x) > infinity(f);
}

static uint64_t flush(struct format f, bool ftz, uint64_t x)
{
	return ftz && magnitude(f, x) < 1ULL << f.fraction ? x & sign_bit(f) : x;
}

static double double_of_bits(uint64_t x)
{
	double value;

	memcpy(&value, &x, sizeof(value));
	return value;
}

static uint64_t bits_of_double(double value)
{
	uint64_t x;

	memcpy(&x, &value, sizeof(x));
	return x;
}

static float float_of_bits(uint32_t x)
{
	float value;

	memcpy(&value, &x, sizeof(value));
	return value;
}

static uint32_t bits_of_float(float value)
{
	uint32_t x;

	memcpy(&x, &value, sizeof(x));
	return x;
}

/* Exponent of the smallest normal number of the format. */
static int least_exponent(struct format f)
{
	return 2 - (1 << (f.bits - f.fraction - 2));
}

/* The exact value of a pattern of a small format; not a NaN. */
static double small_value(struct format f, uint64_t x)
{
	uint64_t fraction = x & ((1ULL << f.fraction) - 1);
	int exponent = magnitude(f, x) >> f.fraction;
	double value;

	if (magnitude(f, x) == infinity(f))
		value = INFINITY;
	else if (exponent == 0)
		value = ldexp(fraction, least_exponent(f) - (int)f.fraction);
	else
		value = ldexp(fraction | 1ULL << f.fraction,
			      exponent - 1 + least_exponent(f) - (int)f.fraction);
	return x & sign_bit(f) ? -value : value;
}

/*
 * The pattern of a value in a small format, rounded to nearest, ties to even; not a NaN. The value
 * is counted in units of the last place. A count that reaches the next power of two carries into
 * the exponent, and beyond the largest one into infinity.
 */
static uint64_t small_pattern(struct format f, double value)
{
	uint64_t sign = signbit(value) ? sign_bit(f) : 0, x;
	int exponent;

	value = fabs(value);
	if (isinf(value) || value == 0)
		return sign | (value == 0 ? 0 : infinity(f));
	exponent = ilogb(value);
	if (exponent < least_exponent(f))
		exponent = least_exponent(f);
	x = (uint64_t)rint(ldexp(value, (int)f.fraction - exponent));
	x += (uint64_t)(exponent - least_exponent(f)) << f.fraction;
	return sign | (x > infinity(f) ? infinity(f) : x);
}

/* The rounded sum; neither term is a NaN. */
static uint64_t rounded_sum(struct format f, uint64_t a, uint64_t b)
{
	if (f.bits == 64)
		return bits_of_double(double_of_bits(a) + double_of_bits(b));
	if (f.bits == 32)
		return bits_of_float(float_of_bits(a) + float_of_bits(b));
	if (magnitude(f, a) == infinity(f) && b == (a ^ sign_bit(f)))
		return canonical_nan(f);
	return small_pattern(f, small_value(f, a) + small_value(f, b));
}

static uint64_t add(struct format f, bool ftz, uint64_t a, uint64_t b)
{
	uint64_t sum;

	if (is_nan(f, a) || is_nan(f, b))
		return canonical_nan(f);
	sum = rounded_sum(f, flush(f, ftz, a), flush(f, ftz, b));
	return is_nan(f, sum) ? canonical_nan(f) : flush(f, ftz, sum);
}

/*
 * Order of numbers with -0 below +0: negative numbers by descending, then positive ones by
 * ascending magnitude.
 */
static bool below(struct format f, uint64_t a, uint64_t b)
{
	bool a_negative = a & sign_bit(f), b_negative = b & sign_bit(f);

	if (a_negative != b_negative)
		return a_negative;
	return a_negative ? magnitude(f, a) > magnitude(f, b) : magnitude(f, a) < magnitude(f, b);
}

/* minimumNumber, or with @most maximumNumber. */
static uint64_t extreme(struct format f, bool ftz, bool most, uint64_t a, uint64_t b)
{
	a = flush(f, ftz, a);
	b = flush(f, ftz, b);
	if (is_nan(f, a) && is_nan(f, b))
		return canonical_nan(f);
	if (is_nan(f, a) || is_nan(f, b))
		return is_nan(f, a) ? b : a;
	return below(f, a, b) != most ? a : b;
}

static uint64_t operate(struct format f, enum fp_op op, bool ftz, uint64_t a, uint64_t b)
{
	switch (op) {
	case FP_ADD:
		return add(f, ftz, a, b);
	case FP_SUB:
		return add(f, ftz, a, b ^ sign_bit(f));
	case FP_MIN:
		return extreme(f, ftz, false, a, b);
	default:
		return extreme(f, ftz, true, a, b);
	}
}

static uint64_t operate_halves(struct format f, enum fp_op op, bool ftz, uint64_t a, uint64_t b)
{
	return operate(f, op, ftz, a & 0xffff, b & 0xffff) |
	       operate(f, op, ftz, a >> 16 & 0xffff, b >> 16 & 0xffff) << 16;
}

/* a op b of a floating-point type. */
uint64_t fp_operate(unsigned int type, enum fp_op op, bool ftz, uint64_t a, uint64_t b)
{
	switch (type) {
	case FAA_TYPE_F16X2:
		return operate_halves(binary16, op, ftz, a, b);
	case FAA_TYPE_BF16X2:
		return operate_halves(bfloat16, op, ftz, a, b);
	case FAA_TYPE_F16:
		return operate(binary16, op, ftz, a, b);
	case FAA_TYPE_F32:
		return operate(binary32, op, ftz, (uint32_t)a, (uint32_t)b);
	default:
		return operate(binary64, op, ftz, a, b);
	}
}

/*
 * Whether two values of F16, F32 or F64 are equal as numbers: a NaN equals no value, -0 equals +0.
 */
bool fp_equal(unsigned int type, bool ftz, uint64_t a, uint64_t b)
{
	struct format f = type == FAA_TYPE_F16 ? binary16 :
			  type == FAA_TYPE_F32 ? binary32 :
						 binary64;

	if (is_nan(f, a) || is_nan(f, b))
		return false;
	a = flush(f, ftz, a);
	b = flush(f, ftz, b);
	return a == b || (magnitude(f, a) == 0 && magnitude(f, b) == 0);
}

bool fp_type(unsigned int type)
{
	return type >= FAA_TYPE_F16 && type <= FAA_TYPE_BF16X2;
}

/* The operand of a comparison in SETP, F32 and F64: every float is a double. */
double fp_value(unsigned int type, uint64_t x)
{
	return type == FAA_TYPE_F32 ? float_of_bits((uint32_t)x) : double_of_bits(x);
}
