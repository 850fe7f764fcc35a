// SPDX-License-Identifier: MIT
#include "lanes.h"

#include <math.h>
#include <spirv/unified1/spirv.h>

#include "../../float_bits.h"
#include "half.h"

double spirv_get_float(uint64_t bits, unsigned int width)
{
	if (width == 16)
		return spirv_half_to_double((uint16_t)bits);
	if (width == 32)
		return faa_bits_float((uint32_t)bits);
	return faa_bits_double(bits);
}

uint64_t spirv_put_float(double value, unsigned int width)
{
	if (width == 16)
		return spirv_double_to_half(value);
	if (width == 32)
		return faa_float_bits((float)value);
	return faa_double_bits(value);
}

#define EACH(expression)                                       \
	do {                                                   \
		for (unsigned int i = 0; i < SPIRV_LANES; i++) \
			out[i] = (expression);                 \
	} while (0)

/*
 * @expression of x and y: as float for 32 bits, else as double; the second rounding to 16 bits does
 * not change the result.
 */
#define FLOATS(expression)                                                            \
	do {                                                                          \
		if (ins->width == 32) {                                               \
			for (unsigned int i = 0; i < SPIRV_LANES; i++) {              \
				float x = faa_bits_float((uint32_t)a[i]),             \
				      y = b ? faa_bits_float((uint32_t)b[i]) : 0;     \
				(void)y;                                              \
				out[i] = faa_float_bits(expression);                  \
			}                                                             \
		} else {                                                              \
			for (unsigned int i = 0; i < SPIRV_LANES; i++) {              \
				double x = spirv_get_float(a[i], ins->width);         \
				double y = b ? spirv_get_float(b[i], ins->width) : 0; \
				(void)y;                                              \
				out[i] = spirv_put_float(expression, ins->width);     \
			}                                                             \
		}                                                                     \
	} while (0)

#define COMPARES(expression)                                                  \
	do {                                                                  \
		for (unsigned int i = 0; i < SPIRV_LANES; i++) {              \
			double x = spirv_get_float(a[i], ins->width);         \
			double y = b ? spirv_get_float(b[i], ins->width) : 0; \
			(void)y;                                              \
			out[i] = (expression);                                \
		}                                                             \
	} while (0)

static bool lanes_integer(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
			  const uint64_t *b)
{
	const unsigned int width = ins->width;
	const uint64_t m = spirv_mask(width);

#define SA spirv_signed(a[i], width)
#define SB spirv_signed(b[i], width)
	switch (ins->code) {
	case SpvOpIAdd:
		EACH((a[i] + b[i]) & m);
		break;
	case SpvOpISub:
		EACH((a[i] - b[i]) & m);
		break;
	case SpvOpIMul:
		EACH((a[i] * b[i]) & m);
		break;
	case SpvOpSNegate:
		EACH((0 - a[i]) & m);
		break;
	case SpvOpUDiv:
		EACH(b[i] ? a[i] / b[i] : 0);
		break;
	case SpvOpUMod:
		EACH(b[i] ? a[i] % b[i] : 0);
		break;
	/* A divisor of -1 is a negation, which wraps where the host's division traps. */
	case SpvOpSDiv:
		EACH((!b[i] ? 0 : SB == -1 ? 0 - a[i] : (uint64_t)(SA / SB)) & m);
		break;
	case SpvOpSRem:
		EACH((!b[i] || SB == -1 ? 0 : (uint64_t)(SA % SB)) & m);
		break;
	case SpvOpSMod:
		EACH((!b[i] || SB == -1 || !(SA % SB) ?
			      0 :
			      (uint64_t)(SA % SB + ((SA ^ SB) < 0 ? SB : 0))) &
		     m);
		break;
	case SpvOpIEqual:
	case SpvOpLogicalEqual:
	case SpvOpPtrEqual:
		EACH(a[i] == b[i]);
		break;
	case SpvOpINotEqual:
	case SpvOpLogicalNotEqual:
	case SpvOpPtrNotEqual:
		EACH(a[i] != b[i]);
		break;
	case SpvOpUGreaterThan:
		EACH(a[i] > b[i]);
		break;
	case SpvOpUGreaterThanEqual:
		EACH(a[i] >= b[i]);
		break;
	case SpvOpULessThan:
		EACH(a[i] < b[i]);
		break;
	case SpvOpULessThanEqual:
		EACH(a[i] <= b[i]);
		break;
	case SpvOpSGreaterThan:
		EACH(SA > SB);
		break;
	case SpvOpSGreaterThanEqual:
		EACH(SA >= SB);
		break;
	case SpvOpSLessThan:
		EACH(SA < SB);
		break;
	case SpvOpSLessThanEqual:
		EACH(SA <= SB);
		break;
	default:
		return false;
	}
	return true;
}

static uint64_t lane_high_half(uint64_t a, uint64_t b, unsigned int width, bool is_signed)
{
	unsigned __int128 product;

	if (is_signed)
		product = (unsigned __int128)((__int128)spirv_signed(a, width) *
					      spirv_signed(b, width));
	else
		product = (unsigned __int128)a * b;
	return (uint64_t)(product >> width) & spirv_mask(width);
}

/* Second members of the results of extended arithmetic; the first ones are IAdd, ISub and IMul. */
static bool lanes_extended(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
			   const uint64_t *b)
{
	const unsigned int width = ins->width;

	switch (ins->code) {
	case SpvOpIAddCarry:
		EACH(((a[i] + b[i]) & spirv_mask(width)) < a[i]);
		break;
	case SpvOpISubBorrow:
		EACH(a[i] < b[i]);
		break;
	case SpvOpUMulExtended:
		EACH(lane_high_half(a[i], b[i], width, false));
		break;
	case SpvOpSMulExtended:
		EACH(lane_high_half(a[i], b[i], width, true));
		break;
	default:
		return false;
	}
	return true;
}

static uint64_t lane_reverse(uint64_t value, unsigned int width)
{
	uint64_t result = 0;
	unsigned int i;

	for (i = 0; i < width; i++)
		result |= (value >> i & 1) << (width - 1 - i);
	return result;
}

static bool lanes_bits(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
		       const uint64_t *b, const uint64_t *c)
{
	const unsigned int width = ins->width;
	const uint64_t m = spirv_mask(width);

	switch (ins->code) {
	case SpvOpBitwiseAnd:
	case SpvOpLogicalAnd:
		EACH(a[i] & b[i]);
		break;
	case SpvOpBitwiseOr:
	case SpvOpLogicalOr:
		EACH(a[i] | b[i]);
		break;
	case SpvOpBitwiseXor:
		EACH(a[i] ^ b[i]);
		break;
	case SpvOpNot:
		EACH(~a[i] & m);
		break;
	case SpvOpLogicalNot:
		EACH(!a[i]);
		break;
	case SpvOpShiftLeftLogical:
		EACH(b[i] < width ? a[i] << b[i] & m : 0);
		break;
	case SpvOpShiftRightLogical:
		EACH(b[i] < width ? a[i] >> b[i] : 0);
		break;
	case SpvOpShiftRightArithmetic:
		EACH((uint64_t)(SA >> (b[i] < width ? b[i] : width - 1)) & m);
		break;
	case SpvOpBitReverse:
		EACH(lane_reverse(a[i], width));
		break;
	case SpvOpBitCount:
		EACH((uint64_t)__builtin_popcountll(a[i]));
		break;
	case CODE_FIELD_MASK:
		EACH(b[i] && a[i] < 64 ?
			     spirv_mask(b[i] < 64 ? (unsigned int)b[i] : 64) << a[i] & m :
			     0);
		break;
	case SpvOpSelect:
		EACH(a[i] ? b[i] : c[i]);
		break;
	default:
		return false;
	}
	return true;
}

/* Bit fields: offset b, count c; clipped to the width of the value. */
static bool lanes_field(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
			const uint64_t *b, const uint64_t *c)
{
	const unsigned int width = ins->width;
	uint64_t offset, count, field;
	unsigned int i;

	if (ins->code != SpvOpBitFieldSExtract && ins->code != SpvOpBitFieldUExtract)
		return false;
	for (i = 0; i < SPIRV_LANES; i++) {
		offset = b[i] & 0xff;
		count = c[i] & 0xff;
		field = 0;
		if (count && offset + count <= width) {
			field = a[i] >> offset & spirv_mask((unsigned int)count);
			if (ins->code == SpvOpBitFieldSExtract)
				field = (uint64_t)spirv_signed(field, (unsigned int)count) &
					spirv_mask(width);
		}
		out[i] = field;
	}
	return true;
}

static bool lanes_float(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
			const uint64_t *b)
{
	switch (ins->code) {
	case SpvOpFAdd:
		FLOATS(x + y);
		break;
	case SpvOpFSub:
		FLOATS(x - y);
		break;
	case SpvOpFMul:
		FLOATS(x * y);
		break;
	case SpvOpFDiv:
		FLOATS(x / y);
		break;
	case SpvOpFRem:
		FLOATS(fmod(x, y));
		break;
	case SpvOpFMod:
		FLOATS(x - y * floor(x / y));
		break;
	case SpvOpFNegate:
		EACH(a[i] ^ 1ull << (ins->width - 1));
		break;
	case SpvOpIsNan:
		COMPARES(isnan(x) != 0);
		break;
	case SpvOpIsInf:
		COMPARES(isinf(x) != 0);
		break;
	default:
		return false;
	}
	return true;
}

static bool lanes_compare(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a,
			  const uint64_t *b)
{
	switch (ins->code) {
	case SpvOpFOrdEqual:
		COMPARES(x == y);
		break;
	case SpvOpFUnordEqual:
		COMPARES(!islessgreater(x, y));
		break;
	case SpvOpFOrdNotEqual:
		COMPARES(islessgreater(x, y) != 0);
		break;
	case SpvOpFUnordNotEqual:
		COMPARES(x != y);
		break;
	case SpvOpFOrdLessThan:
		COMPARES(isless(x, y) != 0);
		break;
	case SpvOpFUnordLessThan:
		COMPARES(!isgreaterequal(x, y));
		break;
	case SpvOpFOrdGreaterThan:
		COMPARES(isgreater(x, y) != 0);
		break;
	case SpvOpFUnordGreaterThan:
		COMPARES(!islessequal(x, y));
		break;
	case SpvOpFOrdLessThanEqual:
		COMPARES(islessequal(x, y) != 0);
		break;
	case SpvOpFUnordLessThanEqual:
		COMPARES(!isgreater(x, y));
		break;
	case SpvOpFOrdGreaterThanEqual:
		COMPARES(isgreaterequal(x, y) != 0);
		break;
	case SpvOpFUnordGreaterThanEqual:
		COMPARES(!isless(x, y));
		break;
	case SpvOpOrdered:
		COMPARES(!isunordered(x, y));
		break;
	case SpvOpUnordered:
		COMPARES(isunordered(x, y) != 0);
		break;
	default:
		return false;
	}
	return true;
}

/* Out of range: the nearest integer; NaN: 0. */
static uint64_t lane_to_unsigned(double x, unsigned int width)
{
	if (!(x > 0))
		return 0;
	return x >= ldexp(1.0, (int)width) ? spirv_mask(width) : (uint64_t)x;
}

static uint64_t lane_to_signed(double x, unsigned int width)
{
	double limit = ldexp(1.0, (int)width - 1);

	if (isnan(x))
		return 0;
	if (x >= limit)
		return spirv_mask(width - 1);
	return (x < -limit ? (uint64_t)1 << (width - 1) : (uint64_t)(int64_t)x) & spirv_mask(width);
}

static uint64_t lane_from_integer(uint64_t bits, bool is_signed, unsigned int width,
				  unsigned int to)
{
	int64_t number = spirv_signed(bits, width);

	/* 64-bit integers do not fit a double: one conversion per width avoids double rounding. */
	if (to == 32)
		return faa_float_bits(is_signed ? (float)number : (float)bits);
	return spirv_put_float(is_signed ? (double)number : (double)bits, to);
}

static bool lanes_convert(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a)
{
	const unsigned int width = ins->width, to = ins->to;

	switch (ins->code) {
	case SpvOpConvertFToU:
		EACH(lane_to_unsigned(spirv_get_float(a[i], width), to));
		break;
	case SpvOpConvertFToS:
		EACH(lane_to_signed(spirv_get_float(a[i], width), to));
		break;
	case SpvOpConvertSToF:
		EACH(lane_from_integer(a[i], true, width, to));
		break;
	case SpvOpConvertUToF:
		EACH(lane_from_integer(a[i], false, width, to));
		break;
	case SpvOpUConvert:
		EACH(a[i] & spirv_mask(to));
		break;
	case SpvOpSConvert:
		EACH((uint64_t)SA & spirv_mask(to));
		break;
	case SpvOpFConvert:
		EACH(spirv_put_float(spirv_get_float(a[i], width), to));
		break;
	case SpvOpQuantizeToF16:
		EACH(faa_float_bits((float)spirv_half_to_double(
			spirv_double_to_half(faa_bits_float((uint32_t)a[i])))));
		break;
	default:
		return false;
	}
	return true;
}

/* Flushes denormal results to zero, keeping the sign. */
static void lane_flush(uint64_t *out, unsigned int width)
{
	unsigned int fraction = width == 16 ? 10 : width == 32 ? 23 : 52;
	uint64_t exponent = spirv_mask(width - 1) & ~spirv_mask(fraction);

	EACH(out[i] & exponent ? out[i] : out[i] & 1ull << (width - 1));
}

bool spirv_lanes(const struct spirv_ins *ins, uint64_t *out, const uint64_t *a, const uint64_t *b,
		 const uint64_t *c)
{
	bool known;

	if (ins->code >= CODE_GLSL)
		known = spirv_lanes_glsl(ins, out, a, b, c);
	else
		known = lanes_integer(ins, out, a, b) || lanes_bits(ins, out, a, b, c) ||
			lanes_float(ins, out, a, b) || lanes_compare(ins, out, a, b) ||
			lanes_convert(ins, out, a) || lanes_field(ins, out, a, b, c) ||
			lanes_extended(ins, out, a, b);
	if (known && ins->flush)
		lane_flush(out, ins->to);
	return known;
}
