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

static const struct format fp_binary16 = { 16, 10 };
static const struct format fp_bfloat16 = { 16, 7 };
static const struct format fp_binary32 = { 32, 23 };
static const struct format fp_binary64 = { 64, 52 };

static uint64_t fp_sign_bit(struct format f)
{
	return 1ULL << (f.bits - 1);
}

static uint64_t fp_magnitude(struct format f, uint64_t x)
{
	return x & (fp_sign_bit(f) - 1);
}

/* All exponent bits set, fraction 0. */
static uint64_t fp_infinity(struct format f)
{
	return fp_sign_bit(f) - (1ULL << f.fraction);
}

static uint64_t fp_canonical_nan(struct format f)
{
	return fp_infinity(f) | 1ULL << (f.fraction - 1);
}

static bool fp_is_nan(struct format f, uint64_t x)
{
	return fp_magnitude(f, x) > fp_infinity(f);
}

static uint64_t fp_flush(struct format f, bool ftz, uint64_t x)
{
	return ftz && fp_magnitude(f, x) < 1ULL << f.fraction ? x & fp_sign_bit(f) : x;
}

static double fp_double_of_bits(uint64_t x)
{
	double value;

	memcpy(&value, &x, sizeof(value));
	return value;
}

static uint64_t fp_bits_of_double(double value)
{
	uint64_t x;

	memcpy(&x, &value, sizeof(x));
	return x;
}

static float fp_float_of_bits(uint32_t x)
{
	float value;

	memcpy(&value, &x, sizeof(value));
	return value;
}

static uint32_t fp_bits_of_float(float value)
{
	uint32_t x;

	memcpy(&x, &value, sizeof(x));
	return x;
}

/* Exponent of the smallest normal number of the format. */
static int fp_least_exponent(struct format f)
{
	return 2 - (1 << (f.bits - f.fraction - 2));
}

/* The exact value of a pattern of a small format; not a NaN. */
static double fp_small_value(struct format f, uint64_t x)
{
	uint64_t fraction = x & ((1ULL << f.fraction) - 1);
	int exponent = fp_magnitude(f, x) >> f.fraction;
	double value;

	if (fp_magnitude(f, x) == fp_infinity(f))
		value = INFINITY;
	else if (exponent == 0)
		value = ldexp(fraction, fp_least_exponent(f) - (int)f.fraction);
	else
		value = ldexp(fraction | 1ULL << f.fraction,
			      exponent - 1 + fp_least_exponent(f) - (int)f.fraction);
	return x & fp_sign_bit(f) ? -value : value;
}

/*
 * The pattern of a value in a small format, rounded to nearest, ties to even; not a NaN. The value
 * is counted in units of the last place. A count that reaches the next power of two carries into
 * the exponent, and beyond the largest one into infinity.
 */
static uint64_t fp_small_pattern(struct format f, double value)
{
	uint64_t sign = signbit(value) ? fp_sign_bit(f) : 0, x;
	int exponent;

	value = fabs(value);
	if (isinf(value) || value == 0)
		return sign | (value == 0 ? 0 : fp_infinity(f));
	exponent = ilogb(value);
	if (exponent < fp_least_exponent(f))
		exponent = fp_least_exponent(f);
	x = (uint64_t)rint(ldexp(value, (int)f.fraction - exponent));
	x += (uint64_t)(exponent - fp_least_exponent(f)) << f.fraction;
	return sign | (x > fp_infinity(f) ? fp_infinity(f) : x);
}

/* The rounded sum; neither term is a NaN. */
static uint64_t fp_rounded_sum(struct format f, uint64_t a, uint64_t b)
{
	if (f.bits == 64)
		return fp_bits_of_double(fp_double_of_bits(a) + fp_double_of_bits(b));
	if (f.bits == 32)
		return fp_bits_of_float(fp_float_of_bits(a) + fp_float_of_bits(b));
	if (fp_magnitude(f, a) == fp_infinity(f) && b == (a ^ fp_sign_bit(f)))
		return fp_canonical_nan(f);
	return fp_small_pattern(f, fp_small_value(f, a) + fp_small_value(f, b));
}

static uint64_t fp_add(struct format f, bool ftz, uint64_t a, uint64_t b)
{
	uint64_t sum;

	if (fp_is_nan(f, a) || fp_is_nan(f, b))
		return fp_canonical_nan(f);
	sum = fp_rounded_sum(f, fp_flush(f, ftz, a), fp_flush(f, ftz, b));
	return fp_is_nan(f, sum) ? fp_canonical_nan(f) : fp_flush(f, ftz, sum);
}

/*
 * Order of numbers with -0 below +0: negative numbers by descending, then positive ones by
 * ascending magnitude.
 */
static bool fp_below(struct format f, uint64_t a, uint64_t b)
{
	bool a_negative = a & fp_sign_bit(f), b_negative = b & fp_sign_bit(f);

	if (a_negative != b_negative)
		return a_negative;
	return a_negative ? fp_magnitude(f, a) > fp_magnitude(f, b) :
			    fp_magnitude(f, a) < fp_magnitude(f, b);
}

/* minimumNumber, or with @most maximumNumber. */
static uint64_t fp_extreme(struct format f, bool ftz, bool most, uint64_t a, uint64_t b)
{
	a = fp_flush(f, ftz, a);
	b = fp_flush(f, ftz, b);
	if (fp_is_nan(f, a) && fp_is_nan(f, b))
		return fp_canonical_nan(f);
	if (fp_is_nan(f, a) || fp_is_nan(f, b))
		return fp_is_nan(f, a) ? b : a;
	return fp_below(f, a, b) != most ? a : b;
}

static uint64_t fp_operate_on(struct format f, enum fp_op op, bool ftz, uint64_t a, uint64_t b)
{
	switch (op) {
	case FP_ADD:
		return fp_add(f, ftz, a, b);
	case FP_SUB:
		return fp_add(f, ftz, a, b ^ fp_sign_bit(f));
	case FP_MIN:
		return fp_extreme(f, ftz, false, a, b);
	default:
		return fp_extreme(f, ftz, true, a, b);
	}
}

static uint64_t fp_operate_halves(struct format f, enum fp_op op, bool ftz, uint64_t a, uint64_t b)
{
	return fp_operate_on(f, op, ftz, a & 0xffff, b & 0xffff) |
	       fp_operate_on(f, op, ftz, a >> 16 & 0xffff, b >> 16 & 0xffff) << 16;
}

/* a op b of a floating-point type. */
uint64_t fp_operate(unsigned int type, enum fp_op op, bool ftz, uint64_t a, uint64_t b)
{
	switch (type) {
	case FAA_TYPE_F16X2:
		return fp_operate_halves(fp_binary16, op, ftz, a, b);
	case FAA_TYPE_BF16X2:
		return fp_operate_halves(fp_bfloat16, op, ftz, a, b);
	case FAA_TYPE_F16:
		return fp_operate_on(fp_binary16, op, ftz, a, b);
	case FAA_TYPE_F32:
		return fp_operate_on(fp_binary32, op, ftz, (uint32_t)a, (uint32_t)b);
	default:
		return fp_operate_on(fp_binary64, op, ftz, a, b);
	}
}

/*
 * Whether two values of F16, F32 or F64 are equal as numbers: a NaN equals no value, -0 equals +0.
 */
bool fp_equal(unsigned int type, bool ftz, uint64_t a, uint64_t b)
{
	struct format f = type == FAA_TYPE_F16 ? fp_binary16 :
			  type == FAA_TYPE_F32 ? fp_binary32 :
						 fp_binary64;

	if (fp_is_nan(f, a) || fp_is_nan(f, b))
		return false;
	a = fp_flush(f, ftz, a);
	b = fp_flush(f, ftz, b);
	return a == b || (fp_magnitude(f, a) == 0 && fp_magnitude(f, b) == 0);
}

bool fp_type(unsigned int type)
{
	return type >= FAA_TYPE_F16 && type <= FAA_TYPE_BF16X2;
}

/* The operand of a comparison in SETP, F32 and F64: every float is a double. */
double fp_value(unsigned int type, uint64_t x)
{
	return type == FAA_TYPE_F32 ? fp_float_of_bits((uint32_t)x) : fp_double_of_bits(x);
}
