// SPDX-License-Identifier: MIT
/* Cells of exact sums in memory of the process: additions, merges and the one rounding. */
#include "exact.h"

#include <errno.h>

#include "../../float_bits.h"
#include "../error.h"

/* Exponent of bit 0 of a cell. */
#define CELL_EXPONENT (-150)
#define LIMBS	      5
#define F32_NAN	      0x7fc00000u
#define F32_INF	      0x7f800000u
#define F64_NAN	      0x7ff8000000000000u
#define F64_INF	      0x7ff0000000000000u

/* Sign and magnitude of a sum, in units of 2^CELL_EXPONENT; limb 0 is the lowest. */
struct cell_wide {
	uint64_t limb[LIMBS];
	bool negative;
};

/* A magnitude that was cut to some bits. */
struct cell_rounded {
	/* The integer, at most 2^bits. */
	uint64_t significand;
	/* The bit of the magnitude at its bit 0. */
	unsigned int low;
	bool inexact;
};

void faa_exact_add_host(struct faa_exact_cell *cell, const float *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t bits = faa_float_bits(values[i]), exponent = bits >> 23 & 255;
		uint64_t significand = bits & 0x7fffff;
		int64_t *sum;

		cell->tally += 1 << FAA_EXACT_COUNT_SHIFT;
		if (exponent == 255) {
			cell->tally |= significand ? FAA_EXACT_NAN :
				       bits >> 31  ? FAA_EXACT_MINUS_INF :
						     FAA_EXACT_PLUS_INF;
			continue;
		}
		if (exponent)
			significand |= 1 << 23;
		else
			exponent = 1;
		significand <<= exponent & 15;
		sum = &cell->sum[exponent >> 4];
		/* Modulo 2^64 like the device: too many addends are no undefined behaviour. */
		*sum = (int64_t)((uint64_t)*sum + (bits >> 31 ? -significand : significand));
	}
}

void faa_exact_merge(struct faa_exact_cell *to, const struct faa_exact_cell *from)
{
	uint64_t a = to->tally & ~(uint64_t)EXACT_FLAGS, b = from->tally & ~(uint64_t)EXACT_FLAGS;
	uint64_t flags = (to->tally | from->tally) & EXACT_FLAGS;
	unsigned int i;

	for (i = 0; i < FAA_EXACT_WORDS; i++)
		to->sum[i] = (int64_t)((uint64_t)to->sum[i] + (uint64_t)from->sum[i]);
	to->tally = (a + b < a ? ~(uint64_t)EXACT_FLAGS : a + b) | flags;
}

/* @wide += @word * 2^(16 @k), in two's complement. */
static void cell_accumulate(uint64_t *limb, int64_t word, unsigned int k)
{
	unsigned int at = k / 4, shift = k % 4 * 16, i;
	uint64_t sign = word < 0 ? UINT64_MAX : 0, carry = 0;

	for (i = at; i < LIMBS; i++) {
		uint64_t part = sign, sum;

		if (i == at)
			part = (uint64_t)word << shift;
		else if (i == at + 1 && shift)
			part = (uint64_t)word >> (64 - shift) | sign << shift;
		sum = limb[i] + part;
		limb[i] = sum + carry;
		carry = (sum < part) | (limb[i] < carry);
	}
}

static struct cell_wide cell_value(const struct faa_exact_cell *cell)
{
	struct cell_wide wide = { { 0 }, false };
	uint64_t carry = 1;
	unsigned int i;

	for (i = 0; i < FAA_EXACT_WORDS; i++)
		cell_accumulate(wide.limb, cell->sum[i], i);
	wide.negative = wide.limb[LIMBS - 1] >> 63;
	for (i = 0; wide.negative && i < LIMBS; i++) {
		wide.limb[i] = ~wide.limb[i] + carry;
		carry &= !wide.limb[i];
	}
	return wide;
}

/* Number of bits of the magnitude, 0 for zero. */
static unsigned int cell_bits(const struct cell_wide *wide)
{
	unsigned int i = LIMBS;

	while (i--)
		if (wide->limb[i])
			return 64 * i + 64 - (unsigned int)__builtin_clzll(wide->limb[i]);
	return 0;
}

/* Bits @low and above of the magnitude, of which there are at most 64. */
static uint64_t cell_from(const struct cell_wide *wide, unsigned int low)
{
	unsigned int i = low / 64, shift = low % 64;
	uint64_t value = wide->limb[i] >> shift;

	if (shift && i + 1 < LIMBS)
		value |= wide->limb[i + 1] << (64 - shift);
	return value;
}

/* Whether one of the bits below @low is 1. */
static bool cell_any_below(const struct cell_wide *wide, unsigned int low)
{
	unsigned int i;

	for (i = 0; i < low / 64; i++)
		if (wide->limb[i])
			return true;
	return low % 64 && wide->limb[i] << (64 - low % 64);
}

/* Round to nearest, ties to even: @bits bits, none of them below bit @lowest. */
static struct cell_rounded cell_round(const struct cell_wide *wide, unsigned int bits,
				      unsigned int lowest)
{
	unsigned int length = cell_bits(wide);
	struct cell_rounded out = { 0, lowest, false };
	bool half, more;

	if (length > bits + lowest)
		out.low = length - bits;
	out.significand = cell_from(wide, out.low);
	if (!out.low)
		return out;
	half = wide->limb[(out.low - 1) / 64] >> (out.low - 1) % 64 & 1;
	more = cell_any_below(wide, out.low - 1);
	out.inexact = half || more;
	if (half && (more || out.significand & 1))
		out.significand++;
	if (out.significand >> bits) {
		out.significand >>= 1;
		out.low++;
	}
	return out;
}

/* Bit 1 of a cell is the smallest subnormal number; a normal one has its exponent field at bit 0.*/
static float cell_to_f32(const struct cell_wide *wide, uint32_t *flags)
{
	struct cell_rounded rounded = cell_round(wide, 24, 1);
	uint32_t sign = (uint32_t)wide->negative << 31, significand = (uint32_t)rounded.significand;

	if (rounded.inexact)
		*flags |= FAA_EXACT_INEXACT_F32;
	if (rounded.low > 254) {
		*flags |= FAA_EXACT_OVERFLOW_F32 | FAA_EXACT_INEXACT_F32;
		return faa_bits_float(sign | F32_INF);
	}
	if (!(significand >> 23))
		return faa_bits_float(sign | significand);
	return faa_bits_float(sign | rounded.low << 23 | (significand & 0x7fffff));
}

static double cell_to_f64(const struct cell_wide *wide, uint32_t *flags)
{
	struct cell_rounded rounded = cell_round(wide, 53, 0);
	uint64_t sign = (uint64_t)wide->negative << 63, exponent;
	unsigned int zeros;

	if (rounded.inexact)
		*flags |= FAA_EXACT_INEXACT_F64;
	if (!rounded.significand)
		return 0;
	/* Of the leading bit, at bit 63 - zeros of the significand. */
	zeros = (unsigned int)__builtin_clzll(rounded.significand);
	exponent = (uint64_t)(1023 + CELL_EXPONENT + (int)rounded.low + 63 - (int)zeros);
	return faa_bits_double(sign | exponent << 52 | (rounded.significand << zeros << 1 >> 12));
}

/* The results of addends that include infinities or NaNs. */
static void cell_special(uint32_t flags, struct faa_exact_sum *sum)
{
	bool minus = flags == FAA_EXACT_MINUS_INF;

	if (minus || flags == FAA_EXACT_PLUS_INF) {
		sum->f32 = faa_bits_float((uint32_t)minus << 31 | F32_INF);
		sum->f64 = faa_bits_double((uint64_t)minus << 63 | F64_INF);
	} else {
		sum->f32 = faa_bits_float(F32_NAN);
		sum->f64 = faa_bits_double(F64_NAN);
	}
}

int faa_exact_read(const struct faa_exact_cell *cell, struct faa_exact_sum *sum)
{
	uint32_t flags = cell->tally & EXACT_FLAGS;
	struct cell_wide wide;

	*sum = (struct faa_exact_sum){ .count = cell->tally >> FAA_EXACT_COUNT_SHIFT,
				       .flags = flags };
	if (sum->count > FAA_EXACT_MAX_ADDENDS) {
		cell_special(FAA_EXACT_NAN, sum);
		return faa_fail(-EOVERFLOW,
				"exact sum: %llu addends: a cell has room for %u without overflow",
				(unsigned long long)sum->count, FAA_EXACT_MAX_ADDENDS);
	}
	if (flags) {
		cell_special(flags, sum);
		return 0;
	}
	wide = cell_value(cell);
	sum->f32 = cell_to_f32(&wide, &sum->flags);
	sum->f64 = cell_to_f64(&wide, &sum->flags);
	return 0;
}
