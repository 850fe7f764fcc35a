// SPDX-License-Identifier: MIT
#include <math.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "lanes.h"

/* @expression of x, y and z in double precision, rounded once to the width of the result. */
#define FLOATS(expression)                                                    \
	do {                                                                  \
		for (unsigned int i = 0; i < SPIRV_LANES; i++) {              \
			double x = spirv_get_float(a[i], ins->width);         \
			double y = b ? spirv_get_float(b[i], ins->width) : 0; \
			double z = c ? spirv_get_float(c[i], ins->width) : 0; \
			(void)y;                                              \
			(void)z;                                              \
			out[i] = spirv_put_float(expression, ins->width);     \
		}                                                             \
	} while (0)

#define EACH(expression)                                       \
	do {                                                   \
		for (unsigned int i = 0; i < SPIRV_LANES; i++) \
			out[i] = (expression);                 \
	} while (0)

#define SA spirv_signed(a[i], ins->width)
#define SB spirv_signed(b[i], ins->width)
#define SC spirv_signed(c[i], ins->width)

static double glsl_sign(double x)
{
	return x > 0 ? 1 : x < 0 ? -1 : x;
}

static double glsl_smooth_step(double low, double high, double x)
{
	double t = fmin(fmax((x - low) / (high - low), 0), 1);

	return t * t * (3 - 2 * t);
}

/* fma(); for 32 bits fmaf(), which rounds only once. */
static void glsl_fused(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
		       const uint64_t *b, const uint64_t *c)
{
	if (ins->width != 32) {
		FLOATS(fma(x, y, z));
		return;
	}
	EACH(spirv_put_float(fmaf((float)spirv_get_float(a[i], 32),
				  (float)spirv_get_float(b[i], 32),
				  (float)spirv_get_float(c[i], 32)),
			     32));
}

static bool glsl_common(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
			const uint64_t *b, const uint64_t *c)
{
	switch (ins->code - CODE_GLSL) {
	case GLSLstd450Round:
		FLOATS(round(x));
		break;
	case GLSLstd450RoundEven:
		FLOATS(nearbyint(x));
		break;
	case GLSLstd450Trunc:
		FLOATS(trunc(x));
		break;
	case GLSLstd450Floor:
		FLOATS(floor(x));
		break;
	case GLSLstd450Ceil:
		FLOATS(ceil(x));
		break;
	case GLSLstd450Fract:
		FLOATS(x - floor(x));
		break;
	case GLSLstd450FAbs:
		EACH(a[i] & spirv_mask(ins->width - 1));
		break;
	case GLSLstd450FSign:
		FLOATS(glsl_sign(x));
		break;
	case GLSLstd450FMin:
	case GLSLstd450NMin:
		FLOATS(fmin(x, y));
		break;
	case GLSLstd450FMax:
	case GLSLstd450NMax:
		FLOATS(fmax(x, y));
		break;
	case GLSLstd450FClamp:
	case GLSLstd450NClamp:
		FLOATS(fmin(fmax(x, y), z));
		break;
	case GLSLstd450FMix:
		FLOATS(x * (1 - z) + y * z);
		break;
	case GLSLstd450Step:
		FLOATS(y < x ? 0.0 : 1.0);
		break;
	case GLSLstd450SmoothStep:
		FLOATS(glsl_smooth_step(x, y, z));
		break;
	case GLSLstd450Fma:
		glsl_fused(ins, out, a, b, c);
		break;
	case GLSLstd450Ldexp:
		EACH(spirv_put_float(ldexp(spirv_get_float(a[i], ins->width), (int)(int32_t)b[i]),
				     ins->width));
		break;
	default:
		return false;
	}
	return true;
}

/*
 * Converts -1 to 1, or 0 to 1, to a normalized integer of ins->to bits; ties to even, NaN to the
 * minimum.
 */
static uint64_t glsl_to_normal(double x, unsigned int width, bool is_signed)
{
	double scale = (double)spirv_mask(is_signed ? width - 1 : width);
	double value = fmin(fmax(x, is_signed ? -1 : 0), 1) * scale;

	return (uint64_t)(int64_t)nearbyint(value) & spirv_mask(width);
}

/* The inverse; the lowest signed number also stands for -1. */
static double glsl_from_normal(uint64_t bits, unsigned int width, bool is_signed)
{
	if (!is_signed)
		return (double)bits / (double)spirv_mask(width);
	return fmax((double)spirv_signed(bits, width) / (double)spirv_mask(width - 1), -1);
}

static double glsl_significand_of(double x)
{
	int exponent;

	return frexp(x, &exponent);
}

/* 0 for infinities and NaNs, whose exponent is undefined. */
static uint64_t glsl_exponent_of(double x, unsigned int width)
{
	int exponent = 0;

	if (isfinite(x))
		frexp(x, &exponent);
	return (uint64_t)(int64_t)exponent & spirv_mask(width);
}

static double glsl_fraction_of(double x)
{
	double whole;

	return modf(x, &whole);
}

static bool glsl_parts(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a)
{
	switch (ins->code - CODE_GLSL) {
	case GLSLstd450Modf:
		EACH(spirv_put_float(glsl_fraction_of(spirv_get_float(a[i], ins->width)),
				     ins->width));
		break;
	case GLSLstd450Frexp:
		EACH(spirv_put_float(glsl_significand_of(spirv_get_float(a[i], ins->width)),
				     ins->width));
		break;
	/* The second result of Frexp. */
	case GLSLstd450FrexpStruct:
		EACH(glsl_exponent_of(spirv_get_float(a[i], ins->width), ins->to));
		break;
	case GLSLstd450PackSnorm4x8:
	case GLSLstd450PackSnorm2x16:
		EACH(glsl_to_normal(spirv_get_float(a[i], ins->width), ins->to, true));
		break;
	case GLSLstd450PackUnorm4x8:
	case GLSLstd450PackUnorm2x16:
		EACH(glsl_to_normal(spirv_get_float(a[i], ins->width), ins->to, false));
		break;
	case GLSLstd450UnpackSnorm4x8:
	case GLSLstd450UnpackSnorm2x16:
		EACH(spirv_put_float(glsl_from_normal(a[i], ins->width, true), ins->to));
		break;
	case GLSLstd450UnpackUnorm4x8:
	case GLSLstd450UnpackUnorm2x16:
		EACH(spirv_put_float(glsl_from_normal(a[i], ins->width, false), ins->to));
		break;
	default:
		return false;
	}
	return true;
}

static bool glsl_transcendental(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
				const uint64_t *b, const uint64_t *c)
{
	switch (ins->code - CODE_GLSL) {
	case GLSLstd450Radians:
		FLOATS(x * (M_PI / 180));
		break;
	case GLSLstd450Degrees:
		FLOATS(x * (180 / M_PI));
		break;
	case GLSLstd450Sin:
		FLOATS(sin(x));
		break;
	case GLSLstd450Cos:
		FLOATS(cos(x));
		break;
	case GLSLstd450Tan:
		FLOATS(tan(x));
		break;
	case GLSLstd450Asin:
		FLOATS(asin(x));
		break;
	case GLSLstd450Acos:
		FLOATS(acos(x));
		break;
	case GLSLstd450Atan:
		FLOATS(atan(x));
		break;
	case GLSLstd450Atan2:
		FLOATS(atan2(x, y));
		break;
	case GLSLstd450Sinh:
		FLOATS(sinh(x));
		break;
	case GLSLstd450Cosh:
		FLOATS(cosh(x));
		break;
	case GLSLstd450Tanh:
		FLOATS(tanh(x));
		break;
	case GLSLstd450Asinh:
		FLOATS(asinh(x));
		break;
	case GLSLstd450Acosh:
		FLOATS(acosh(x));
		break;
	case GLSLstd450Atanh:
		FLOATS(atanh(x));
		break;
	case GLSLstd450Pow:
		FLOATS(pow(x, y));
		break;
	case GLSLstd450Exp:
		FLOATS(exp(x));
		break;
	case GLSLstd450Log:
		FLOATS(log(x));
		break;
	case GLSLstd450Exp2:
		FLOATS(exp2(x));
		break;
	case GLSLstd450Log2:
		FLOATS(log2(x));
		break;
	case GLSLstd450Sqrt:
		FLOATS(sqrt(x));
		break;
	case GLSLstd450InverseSqrt:
		FLOATS(1 / sqrt(x));
		break;
	default:
		return false;
	}
	return true;
}

/* Index of the highest set bit; all ones if there is none. */
static uint64_t glsl_highest(uint64_t bits)
{
	return bits ? 63 - (uint64_t)__builtin_clzll(bits) : UINT64_MAX;
}

static bool glsl_integer(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
			 const uint64_t *b, const uint64_t *c)
{
	const uint64_t m = spirv_mask(ins->width);

	switch (ins->code - CODE_GLSL) {
	case GLSLstd450SAbs:
		EACH((SA < 0 ? 0 - a[i] : a[i]) & m);
		break;
	case GLSLstd450SSign:
		EACH((uint64_t)((SA > 0) - (SA < 0)) & m);
		break;
	case GLSLstd450UMin:
		EACH(b[i] < a[i] ? b[i] : a[i]);
		break;
	case GLSLstd450UMax:
		EACH(b[i] > a[i] ? b[i] : a[i]);
		break;
	case GLSLstd450SMin:
		EACH(SB < SA ? b[i] : a[i]);
		break;
	case GLSLstd450SMax:
		EACH(SB > SA ? b[i] : a[i]);
		break;
	case GLSLstd450UClamp:
		EACH(a[i] < b[i] ? b[i] : a[i] > c[i] ? c[i] : a[i]);
		break;
	case GLSLstd450SClamp:
		EACH(SA < SB ? b[i] : SA > SC ? c[i] : a[i]);
		break;
	case GLSLstd450FindILsb:
		EACH((a[i] ? (uint64_t)__builtin_ctzll(a[i]) : UINT64_MAX) & m);
		break;
	case GLSLstd450FindUMsb:
		EACH(glsl_highest(a[i]) & m);
		break;
	case GLSLstd450FindSMsb:
		EACH(glsl_highest((SA < 0 ? ~a[i] : a[i]) & m) & m);
		break;
	default:
		return false;
	}
	return true;
}

bool spirv_lanes_glsl(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
		      const uint64_t *b, const uint64_t *c)
{
	return glsl_integer(ins, out, a, b, c) || glsl_common(ins, out, a, b, c) ||
	       glsl_parts(ins, out, a) || glsl_transcendental(ins, out, a, b, c);
}
