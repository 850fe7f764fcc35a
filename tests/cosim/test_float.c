// SPDX-License-Identifier: MIT
/*
 * Floating point: ADD, SUB, MIN, MAX of ATOMS and ALU on each format, both treatments of denormals,
 * strict and relaxed order, SETP. The expected values follow IEEE 754 and were calculated by hand
 * from the formats; this file uses no floating-point arithmetic.
 */
#include <string.h>

#include "fixture.h"

/* enum number - interesting numbers, in units in the last place (ulp) of one where that matters */
enum number {
	ZERO,
	NEG_ZERO,
	ONE,
	NEG_ONE,
	TWO,
	NEG_TWO,
	/* 1 + 1 ulp, 1 + 2 ulp */
	ONE_1,
	ONE_2,
	/* the number below 1: half an ulp less */
	BELOW_ONE,
	/* half an ulp and the next number; minus a quarter */
	HALF_ULP,
	HALF_ULP_1,
	NEG_QUARTER_ULP,
	MAX,
	NEG_MAX,
	/* half an ulp of MAX, and the number below that */
	MAX_HALF_ULP,
	MAX_HALF_ULP_BELOW,
	INF,
	NEG_INF,
	/* a quiet NaN that is not the canonical one, a signalling NaN, the canonical NaN */
	QUIET,
	SIGNALLING,
	CANONICAL,
	/* least denormals, the greatest one */
	TINY,
	NEG_TINY,
	TINY_2,
	NEG_TINY_2,
	DENORMAL,
	/* least normal number, and the next one */
	NORMAL,
	NEG_NORMAL,
	NORMAL_1,
	NEG_NORMAL_1,
	NUMBERS,
};

static const uint64_t binary16[NUMBERS] = {
	0x0000, 0x8000, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x3c01, 0x3c02, 0x3bff, 0x1000,
	0x1001, 0x8c00, 0x7bff, 0xfbff, 0x4c00, 0x4bff, 0x7c00, 0xfc00, 0xfe01, 0x7c01,
	0x7e00, 0x0001, 0x8001, 0x0002, 0x8002, 0x03ff, 0x0400, 0x8400, 0x0401, 0x8401,
};

static const uint64_t bfloat16[NUMBERS] = {
	0x0000, 0x8000, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x3f81, 0x3f82, 0x3f7f, 0x3b80,
	0x3b81, 0xbb00, 0x7f7f, 0xff7f, 0x7b00, 0x7aff, 0x7f80, 0xff80, 0xffc1, 0x7f81,
	0x7fc0, 0x0001, 0x8001, 0x0002, 0x8002, 0x007f, 0x0080, 0x8080, 0x0081, 0x8081,
};

static const uint64_t binary32[NUMBERS] = {
	0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000,
	0x3f800001, 0x3f800002, 0x3f7fffff, 0x33800000, 0x33800001, 0xb3000000,
	0x7f7fffff, 0xff7fffff, 0x73000000, 0x72ffffff, 0x7f800000, 0xff800000,
	0xffc12345, 0x7f800001, 0x7fc00000, 0x00000001, 0x80000001, 0x00000002,
	0x80000002, 0x007fffff, 0x00800000, 0x80800000, 0x00800001, 0x80800001,
};

static const uint64_t binary64[NUMBERS] = {
	0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
	0x4000000000000000, 0xc000000000000000, 0x3ff0000000000001, 0x3ff0000000000002,
	0x3fefffffffffffff, 0x3ca0000000000000, 0x3ca0000000000001, 0xbc90000000000000,
	0x7fefffffffffffff, 0xffefffffffffffff, 0x7c90000000000000, 0x7c8fffffffffffff,
	0x7ff0000000000000, 0xfff0000000000000, 0xfff8123456789abc, 0x7ff0000000000001,
	0x7ff8000000000000, 0x0000000000000001, 0x8000000000000001, 0x0000000000000002,
	0x8000000000000002, 0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000,
	0x0010000000000001, 0x8010000000000001,
};

/* struct sum - a + b, denormals kept and flushed */
struct sum {
	enum number a, b, kept, flushed;
};

static const struct sum sums[] = {
	{ ONE, ONE, TWO, TWO },
	{ ONE, NEG_ONE, ZERO, ZERO },
	{ NEG_ONE, ONE, ZERO, ZERO },
	{ NEG_ONE, NEG_ONE, NEG_TWO, NEG_TWO },
	{ TWO, NEG_ONE, ONE, ONE },
	/* ties to even, and sums beyond the tie */
	{ ONE, HALF_ULP, ONE, ONE },
	{ HALF_ULP, ONE, ONE, ONE },
	{ ONE, HALF_ULP_1, ONE_1, ONE_1 },
	{ ONE_1, HALF_ULP, ONE_2, ONE_2 },
	{ ONE, NEG_QUARTER_ULP, ONE, ONE },
	{ BELOW_ONE, HALF_ULP, ONE, ONE },
	{ ONE, TINY, ONE, ONE },
	{ MAX, TINY, MAX, MAX },
	/* overflow */
	{ MAX, MAX, INF, INF },
	{ NEG_MAX, NEG_MAX, NEG_INF, NEG_INF },
	{ MAX, MAX_HALF_ULP, INF, INF },
	{ MAX, MAX_HALF_ULP_BELOW, MAX, MAX },
	{ MAX, ONE, MAX, MAX },
	{ MAX, NEG_MAX, ZERO, ZERO },
	/* infinities and NaNs */
	{ INF, ONE, INF, INF },
	{ ONE, NEG_INF, NEG_INF, NEG_INF },
	{ INF, INF, INF, INF },
	{ NEG_INF, NEG_INF, NEG_INF, NEG_INF },
	{ INF, NEG_INF, CANONICAL, CANONICAL },
	{ NEG_INF, INF, CANONICAL, CANONICAL },
	{ INF, NEG_MAX, INF, INF },
	{ NEG_INF, TINY, NEG_INF, NEG_INF },
	{ QUIET, ONE, CANONICAL, CANONICAL },
	{ ONE, SIGNALLING, CANONICAL, CANONICAL },
	{ SIGNALLING, QUIET, CANONICAL, CANONICAL },
	{ INF, QUIET, CANONICAL, CANONICAL },
	{ CANONICAL, TINY, CANONICAL, CANONICAL },
	/* zeros */
	{ ZERO, ZERO, ZERO, ZERO },
	{ NEG_ZERO, NEG_ZERO, NEG_ZERO, NEG_ZERO },
	{ ZERO, NEG_ZERO, ZERO, ZERO },
	{ NEG_ZERO, ZERO, ZERO, ZERO },
	{ NEG_ZERO, ONE, ONE, ONE },
	/* denormals */
	{ TINY, TINY, TINY_2, ZERO },
	{ NEG_TINY, NEG_TINY, NEG_TINY_2, NEG_ZERO },
	{ TINY, NEG_TINY, ZERO, ZERO },
	{ NEG_TINY, TINY, ZERO, ZERO },
	{ TINY_2, NEG_TINY, TINY, ZERO },
	{ NEG_ZERO, TINY, TINY, ZERO },
	{ NEG_ZERO, NEG_TINY, NEG_TINY, NEG_ZERO },
	{ DENORMAL, TINY, NORMAL, ZERO },
	{ NORMAL, NEG_TINY, DENORMAL, NORMAL },
	{ NORMAL, TINY, NORMAL_1, NORMAL },
	{ NORMAL_1, NEG_NORMAL, TINY, ZERO },
	{ NEG_NORMAL_1, NORMAL, NEG_TINY, NEG_ZERO },
	{ NORMAL, NEG_NORMAL, ZERO, ZERO },
};

/* struct pair - a and b, their minimum and maximum, denormals kept and flushed */
struct pair {
	enum number a, b, min, max, min_flushed, max_flushed;
};

static const struct pair pairs[] = {
	{ ONE, TWO, ONE, TWO, ONE, TWO },
	{ TWO, ONE, ONE, TWO, ONE, TWO },
	{ NEG_ONE, NEG_TWO, NEG_TWO, NEG_ONE, NEG_TWO, NEG_ONE },
	{ NEG_ONE, ONE, NEG_ONE, ONE, NEG_ONE, ONE },
	{ ONE, ONE_1, ONE, ONE_1, ONE, ONE_1 },
	{ BELOW_ONE, ONE, BELOW_ONE, ONE, BELOW_ONE, ONE },
	/* -0 is less than +0 */
	{ ZERO, NEG_ZERO, NEG_ZERO, ZERO, NEG_ZERO, ZERO },
	{ NEG_ZERO, ZERO, NEG_ZERO, ZERO, NEG_ZERO, ZERO },
	{ NEG_ZERO, NEG_ZERO, NEG_ZERO, NEG_ZERO, NEG_ZERO, NEG_ZERO },
	{ NEG_ONE, NEG_ZERO, NEG_ONE, NEG_ZERO, NEG_ONE, NEG_ZERO },
	/* infinities */
	{ INF, MAX, MAX, INF, MAX, INF },
	{ NEG_MAX, NEG_INF, NEG_INF, NEG_MAX, NEG_INF, NEG_MAX },
	{ INF, NEG_INF, NEG_INF, INF, NEG_INF, INF },
	/* the operand that is not a NaN */
	{ QUIET, ONE, ONE, ONE, ONE, ONE },
	{ ONE, QUIET, ONE, ONE, ONE, ONE },
	{ SIGNALLING, NEG_ONE, NEG_ONE, NEG_ONE, NEG_ONE, NEG_ONE },
	{ NEG_INF, SIGNALLING, NEG_INF, NEG_INF, NEG_INF, NEG_INF },
	{ CANONICAL, INF, INF, INF, INF, INF },
	{ NEG_ZERO, QUIET, NEG_ZERO, NEG_ZERO, NEG_ZERO, NEG_ZERO },
	{ QUIET, SIGNALLING, CANONICAL, CANONICAL, CANONICAL, CANONICAL },
	{ SIGNALLING, SIGNALLING, CANONICAL, CANONICAL, CANONICAL, CANONICAL },
	/* denormals */
	{ TINY, TINY_2, TINY, TINY_2, ZERO, ZERO },
	{ NEG_TINY_2, NEG_TINY, NEG_TINY_2, NEG_TINY, NEG_ZERO, NEG_ZERO },
	{ TINY, NEG_TINY, NEG_TINY, TINY, NEG_ZERO, ZERO },
	{ NEG_TINY, ZERO, NEG_TINY, ZERO, NEG_ZERO, ZERO },
	{ NEG_ZERO, TINY, NEG_ZERO, TINY, NEG_ZERO, ZERO },
	{ TINY, ZERO, ZERO, TINY, ZERO, ZERO },
	{ NEG_TINY, NEG_ZERO, NEG_TINY, NEG_ZERO, NEG_ZERO, NEG_ZERO },
	{ DENORMAL, NORMAL, DENORMAL, NORMAL, ZERO, NORMAL },
	{ NEG_NORMAL, DENORMAL, NEG_NORMAL, DENORMAL, NEG_NORMAL, ZERO },
	{ QUIET, TINY, TINY, TINY, ZERO, ZERO },
	{ NEG_TINY_2, SIGNALLING, NEG_TINY_2, NEG_TINY_2, NEG_ZERO, NEG_ZERO },
};

#define SUMS	(sizeof(sums) / sizeof(sums[0]))
#define PAIRS	(sizeof(pairs) / sizeof(pairs[0]))
#define LARGEST (SUMS > PAIRS ? SUMS : PAIRS)

/* struct format - a type and its numbers */
struct format {
	enum faa_type type;
	unsigned int bytes;
	/* @halves: two numbers of 16 bits */
	bool halves;
	const uint64_t *numbers;
};

static const struct format formats[] = {
	{ FAA_TYPE_F16X2, 4, true, binary16 },
	{ FAA_TYPE_BF16X2, 4, true, bfloat16 },
	{ FAA_TYPE_F32, 4, false, binary32 },
	{ FAA_TYPE_F64, 8, false, binary64 },
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

/* enum what - the operation under test; SUB is ALU's */
enum what { ADD, SUB, MIN_OF, MAX_OF };

/* struct example - patterns of operands and result */
struct example {
	uint64_t a, b, result;
};

/* Example @i of a single number; b of SUB has the opposite sign. */
static struct example single(const struct format *format, enum what what, bool ftz, unsigned int i)
{
	const uint64_t *n = format->numbers;
	uint64_t sign = format->halves ? 0x8000 : format->bytes == 8 ? 1ULL << 63 : 0x80000000;
	struct example e;

	if (what == MIN_OF || what == MAX_OF) {
		const struct pair *pair = &pairs[i % PAIRS];
		enum number min = ftz ? pair->min_flushed : pair->min;
		enum number max = ftz ? pair->max_flushed : pair->max;

		e.a = n[pair->a];
		e.b = n[pair->b];
		e.result = n[what == MIN_OF ? min : max];
		return e;
	}
	e.a = n[sums[i % SUMS].a];
	e.b = n[sums[i % SUMS].b] ^ (what == SUB ? sign : 0);
	e.result = n[ftz ? sums[i % SUMS].flushed : sums[i % SUMS].kept];
	return e;
}

/* The same for types with two halves: another example is in the upper half. */
static struct example example(const struct format *format, enum what what, bool ftz, unsigned int i)
{
	struct example low = single(format, what, ftz, i), high;

	if (!format->halves)
		return low;
	high = single(format, what, ftz, i * 7 + 3);
	low.a |= high.a << 16;
	low.b |= high.b << 16;
	low.result |= high.result << 16;
	return low;
}

static void put(void *memory, unsigned int index, unsigned int bytes, uint64_t value)
{
	memcpy((uint8_t *)memory + (size_t)index * bytes, &value, bytes);
}

static uint64_t get(const void *memory, unsigned int index, unsigned int bytes)
{
	uint64_t value = 0;

	memcpy(&value, (const uint8_t *)memory + (size_t)index * bytes, bytes);
	return value;
}

static void expect(const struct format *format, const char *where, enum what what,
		   unsigned int mode, const struct example *e, uint64_t got, uint64_t right)
{
	if (got != right)
		fail_msg("type %u operation %u mode %u, a 0x%llx b 0x%llx: %s 0x%llx, not 0x%llx",
			 format->type, what, mode, (unsigned long long)e->a,
			 (unsigned long long)e->b, where, (unsigned long long)got,
			 (unsigned long long)right);
}

/* Writes a at byte 0 and b at byte 1024 of the input; returns the number of examples. */
static unsigned int fill(struct fixture *f, const struct format *format, enum what what)
{
	for (unsigned int i = 0; i < LARGEST; i++) {
		struct example e = example(format, what, false, i);

		put(f->in.ptr, i, format->bytes, e.a);
		put((uint8_t *)f->in.ptr + 1024, i, format->bytes, e.b);
	}
	return LARGEST;
}

static void check_atoms(struct fixture *f, const struct format *format, enum what what,
			unsigned int mode)
{
	static const enum faa_atoms_op ops[] = {
		[ADD] = FAA_ATOMS_OP_ADD, [MIN_OF] = FAA_ATOMS_OP_MIN, [MAX_OF] = FAA_ATOMS_OP_MAX
	};
	enum faa_type bits = format->bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;
	unsigned int bytes = format->bytes, n = fill(f, format, what);
	struct faa_operand words = affine(128, bytes);
	uint64_t in = f->in.va, out = f->out.va;

	add_sts(f, bits, n, words, 0, stream(bits, in, bytes));
	/* Each number at a word of its own, so that RELAXED is the same as strict. */
	add_atoms_mode(f, mode, ops[what], format->type, n, stream(format->type, out, bytes), words,
		       0, stream(format->type, in + 1024, bytes), none());
	add_lds(f, bits, n, stream(bits, out + 1024, bytes), words, 0);
	run(f);
	for (unsigned int i = 0; i < n; i++) {
		struct example e = example(format, what, mode & FAA_FLOAT_MODE_FTZ, i);

		expect(format, "Rd", what, mode, &e, get(f->out.ptr, i, bytes), e.a);
		expect(format, "memory", what, mode, &e,
		       get((uint8_t *)f->out.ptr + 1024, i, bytes), e.result);
	}
}

static void atoms_on_every_format(void **state)
{
	needs_floats(*state);
	for (unsigned int i = 0; i < FORMATS; i++) {
		for (unsigned int mode = 0; mode < 4; mode++)
			if (has_modes(*state, mode))
				check_atoms(*state, &formats[i], ADD, mode);
		for (unsigned int mode = 0; mode < 2; mode++) {
			check_atoms(*state, &formats[i], MIN_OF, mode);
			check_atoms(*state, &formats[i], MAX_OF, mode);
		}
	}
}

static void check_alu(struct fixture *f, const struct format *format, enum what what,
		      unsigned int mode)
{
	static const enum faa_alu_op ops[] = { [ADD] = FAA_ALU_OP_ADD,
					       [SUB] = FAA_ALU_OP_SUB,
					       [MIN_OF] = FAA_ALU_OP_MIN,
					       [MAX_OF] = FAA_ALU_OP_MAX };
	unsigned int bytes = format->bytes, n = fill(f, format, what);

	add_alu(f, mode, ops[what], format->type, n, stream(format->type, f->out.va, bytes),
		stream(format->type, f->in.va, bytes),
		stream(format->type, f->in.va + 1024, bytes));
	run(f);
	for (unsigned int i = 0; i < n; i++) {
		struct example e = example(format, what, mode & FAA_FLOAT_MODE_FTZ, i);

		expect(format, "result", what, mode, &e, get(f->out.ptr, i, bytes), e.result);
	}
}

static void alu_on_both_formats(void **state)
{
	needs_floats(*state);
	for (unsigned int i = 0; i < FORMATS; i++)
		for (unsigned int mode = 0; !formats[i].halves && mode < 2; mode++)
			for (enum what what = ADD; what <= MAX_OF; what++)
				check_alu(*state, &formats[i], what, mode);
}

/* Stores a word, adds with one command, and compares Rd of the first lanes and the word. */
static void check_one_word(struct fixture *f, unsigned int mode, enum faa_type type, uint64_t m,
			   unsigned int n, struct faa_operand b, const uint64_t *rd, uint64_t after)
{
	unsigned int bytes = type == FAA_TYPE_F64 ? 8 : 4;
	enum faa_type bits = bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;

	add_sts(f, bits, 1, none(), 64, imm(m));
	add_atoms_mode(f, mode, FAA_ATOMS_OP_ADD, type, n, stream(bits, f->out.va, bytes), imm(64),
		       0, b, none());
	add_lds(f, bits, 1, stream(bits, f->out.va + 1024, bytes), none(), 64);
	run(f);
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(get(f->out.ptr, i, bytes), rd[i]);
	assert_int_equal(get((uint8_t *)f->out.ptr + 1024, 0, bytes), after);
}

/*
 * 2^p + 1 is a tie that rounds to 2^p: in strict order 32 such steps change nothing, as in relaxed
 * order on all types but F32.
 */
static void strict_order_loses_small_terms(void **state)
{
	static const struct {
		enum faa_type type;
		uint64_t m, one;
	} rows[] = {
		{ FAA_TYPE_F32, 0x4b800000, 0x3f800000 },
		{ FAA_TYPE_F64, 0x4340000000000000, 0x3ff0000000000000 },
		{ FAA_TYPE_F16X2, 0x68004000, 0x3c000000 },
		{ FAA_TYPE_BF16X2, 0x43804000, 0x3f800000 },
	};
	uint64_t rd[64];

	needs_floats(*state);
	for (unsigned int i = 0; i < 4; i++) {
		for (unsigned int lane = 0; lane < 64; lane++)
			rd[lane] = rows[i].m;
		check_one_word(*state, 0, rows[i].type, rows[i].m, 64, imm(rows[i].one), rd,
			       rows[i].m);
		if (rows[i].type != FAA_TYPE_F32 && has_modes(*state, FAA_FLOAT_MODE_RELAXED))
			check_one_word(*state, FAA_FLOAT_MODE_RELAXED, rows[i].type, rows[i].m, 64,
				       imm(rows[i].one), rd, rows[i].m);
	}
}

/* Relaxed, 2^24 + i is rounded once: for odd i to the neighbour whose significand is even. */
static void relaxed_order_sums_first(void **state)
{
	uint64_t rd[64];

	needs_relaxed(*state);
	for (uint32_t warp = 0; warp < 2; warp++) {
		for (uint32_t i = 0; i < 32; i++) {
			uint32_t pair = i / 2;

			/* 2^24 + 32 warp + 2 pair (+ 1): patterns count pairs. */
			rd[32 * warp + i] = 0x4b800000 + 16 * warp + pair + (i % 2 ? pair % 2 : 0);
		}
	}
	check_one_word(*state, FAA_FLOAT_MODE_RELAXED, FAA_TYPE_F32, 0x4b800000, 64,
		       imm(0x3f800000), rd, 0x4b800020);
}

/* b of the first lanes from a list. */
static struct faa_operand list(struct fixture *f, const uint32_t *values, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		put(f->in.ptr, i, 4, values[i]);
	return stream(FAA_TYPE_F32, f->in.va, 4);
}

/* Sums that are special before they reach memory. */
static void relaxed_specials(void **state)
{
	static const uint32_t infinities[] = { 0x7f800000, 0xff800000, 0x3f800000 };
	static const uint64_t infinities_rd[] = { 0x3f800000, 0x7f800000, 0x7fc00000 };
	/* Strict order would return to -MAX. */
	static const uint32_t overflow[] = { 0x7f7fffff, 0x7f7fffff, 0xff7fffff, 0xff7fffff };
	static const uint64_t overflow_rd[] = { 0xff7fffff, 0, 0x7f800000, 0x7f800000 };
	static const uint64_t overflow_strict[] = { 0xff7fffff, 0, 0x7f7fffff, 0 };
	/* Only -0 plus -0 is -0; M keeps its sign until the sum is calculated. */
	static const uint32_t zeros[] = { 0x80000000, 0x80000000, 0 };
	static const uint64_t zeros_rd[] = { 0x80000000, 0x80000000, 0x80000000 };
	/* A lone NaN becomes canonical only in the sum with M. */
	static const uint32_t nan[] = { 0xffc00001 };
	static const uint64_t nan_rd[] = { 0x40000000 };
	struct fixture *f = *state;
	unsigned int mode = FAA_FLOAT_MODE_RELAXED;

	needs_relaxed(*state);
	check_one_word(f, mode, FAA_TYPE_F32, 0x3f800000, 3, list(f, infinities, 3), infinities_rd,
		       0x7fc00000);
	check_one_word(f, mode, FAA_TYPE_F32, 0xff7fffff, 4, list(f, overflow, 4), overflow_rd,
		       0x7f800000);
	check_one_word(f, 0, FAA_TYPE_F32, 0xff7fffff, 4, list(f, overflow, 4), overflow_strict,
		       0xff7fffff);
	check_one_word(f, mode, FAA_TYPE_F32, 0x80000000, 3, list(f, zeros, 3), zeros_rd, 0);
	check_one_word(f, mode, FAA_TYPE_F32, 0x40000000, 1, list(f, nan, 1), nan_rd, 0x7fc00000);
}

/* FTZ flushes each sum; lane 0 returns M as it was. */
static void relaxed_with_ftz(void **state)
{
	static const uint32_t b[] = { 0x00800001, 0x80800000, 0x00000003, 0x80800000 };
	/* s = 2^-126 + 1 ulp, then 0 (not 1 ulp), then 0, then -2^-126; M counts as 0. */
	static const uint64_t flushed[] = { 0x00000005, 0x00800001, 0, 0 };
	/* s = 2^-126 + 1 ulp, 1 ulp, 4 ulp, 4 ulp - 2^-126; each plus 5 ulp. */
	static const uint64_t kept[] = { 0x00000005, 0x00800006, 0x00000006, 0x00000009 };
	struct fixture *f = *state;

	needs_relaxed(*state);
	check_one_word(f, FAA_FLOAT_MODE_RELAXED | FAA_FLOAT_MODE_FTZ, FAA_TYPE_F32, 0x00000005, 4,
		       list(f, b, 4), flushed, 0x80800000);
	/* 9 ulp - 2^-126 = -(2^23 - 9) ulp */
	check_one_word(f, FAA_FLOAT_MODE_RELAXED, FAA_TYPE_F32, 0x00000005, 4, list(f, b, 4), kept,
		       0x807ffff7);
}

/*
 * Strict FTZ: the stored value is flushed; the returned value is the stored one, for the first
 * element the unflushed M.
 */
static void strict_with_ftz(void **state)
{
	static const uint32_t b[] = { 0x00800001, 0x80800000, 0x00000003, 0x80800000 };
	static const uint64_t rd[] = { 0x00000005, 0x00800001, 0, 0 };
	struct fixture *f = *state;

	needs_floats(*state);
	check_one_word(f, FAA_FLOAT_MODE_FTZ, FAA_TYPE_F32, 0x00000005, 4, list(f, b, 4), rd,
		       0x80800000);
}

/* Two words in turn, lanes 8 to 15 guarded off: each word sums the active lanes on it. */
static void relaxed_words_and_guards(void **state)
{
	struct fixture *f = *state;
	const uint32_t *rd = f->out.ptr;
	uint32_t words[2] = { 0x4b800000, 0 }, active[2] = { 0 };

	needs_relaxed(*state);
	shared_fill(f, words, 2);
	for (unsigned int i = 0; i < 32; i++)
		put(f->in.ptr, i, 4, i % 2 * 4);
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), imm(0x77));
	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 0, affine(0, 1), affine(0, 1));
	add_setp(f, FAA_CMP_NE, FAA_TYPE_U32, 16, 0, imm(0), imm(0));
	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 8, 0, imm(0), imm(0));
	f->issue.guard = 0;
	add_atoms_mode(f, FAA_FLOAT_MODE_RELAXED, FAA_ATOMS_OP_ADD, FAA_TYPE_F32, 32,
		       stream(FAA_TYPE_U32, f->out.va, 4), stream(FAA_TYPE_U32, f->in.va, 4), 0,
		       imm(0x3f800000), none());
	f->issue.guard = FAA_PT;
	run(f);
	for (unsigned int i = 0; i < 32; i++) {
		/* 0, 1, 2 ... 12 */
		static const uint32_t integers[] = {
			0x00000000, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000,
			0x40c00000, 0x40e00000, 0x41000000, 0x41100000, 0x41200000, 0x41300000
		};
		uint32_t before = active[i % 2], pair = before / 2;

		if (i >= 8 && i < 16) {
			assert_int_equal(rd[i], 0x77);
			continue;
		}
		active[i % 2]++;
		assert_int_equal(rd[i], i % 2 ? integers[before] :
						0x4b800000 + pair + (before % 2 ? pair % 2 : 0));
	}
	shared_dump(f, words, 2);
	assert_int_equal(words[0], 0x4b800006);
	assert_int_equal(words[1], 0x41400000);
}

/* SETP: two numbers and the results of EQ NE LT LE GT GE, bit = enum faa_cmp. */
static const struct {
	enum number a, b;
	const char *true_ones;
} comparisons[] = {
	{ ONE, ONE, "EQ LE GE" },
	{ ONE, TWO, "NE LT LE" },
	{ TWO, ONE, "NE GT GE" },
	{ NEG_ONE, NEG_TWO, "NE GT GE" },
	{ NEG_ONE, ONE, "NE LT LE" },
	{ ZERO, NEG_ZERO, "EQ LE GE" },
	{ NEG_ZERO, ZERO, "EQ LE GE" },
	{ QUIET, ONE, "NE" },
	{ ONE, SIGNALLING, "NE" },
	{ CANONICAL, CANONICAL, "NE" },
	{ QUIET, INF, "NE" },
	{ INF, INF, "EQ LE GE" },
	{ NEG_INF, NEG_MAX, "NE LT LE" },
	{ INF, MAX, "NE GT GE" },
	{ TINY, ZERO, "NE GT GE" },
	{ NEG_TINY, NEG_ZERO, "NE LT LE" },
	{ TINY, TINY_2, "NE LT LE" },
	{ DENORMAL, NORMAL, "NE LT LE" },
	{ NEG_TINY, TINY, "NE LT LE" },
	{ NEG_NORMAL, NEG_NORMAL_1, "NE GT GE" },
	{ NEG_ZERO, SIGNALLING, "NE" },
	{ ONE_1, ONE, "NE GT GE" },
};

#define COMPARISONS (sizeof(comparisons) / sizeof(comparisons[0]))

static void check_setp(struct fixture *f, const struct format *format, enum faa_cmp cmp)
{
	static const char *const names[] = {
		[FAA_CMP_EQ] = "EQ", [FAA_CMP_NE] = "NE", [FAA_CMP_LT] = "LT",
		[FAA_CMP_LE] = "LE", [FAA_CMP_GT] = "GT", [FAA_CMP_GE] = "GE"
	};
	const uint32_t *out = f->out.ptr;

	for (unsigned int i = 0; i < COMPARISONS; i++) {
		put(f->in.ptr, i, format->bytes, format->numbers[comparisons[i].a]);
		put((uint8_t *)f->in.ptr + 1024, i, format->bytes,
		    format->numbers[comparisons[i].b]);
	}
	memset(f->out.ptr, 0, 128);
	add_setp(f, cmp, format->type, COMPARISONS, 3,
		 stream(format->type, f->in.va, format->bytes),
		 stream(format->type, f->in.va + 1024, format->bytes));
	f->issue.guard = 3;
	add_mov(f, FAA_TYPE_U32, COMPARISONS, stream(FAA_TYPE_U32, f->out.va, 4), imm(1));
	f->issue.guard = FAA_PT;
	run(f);
	for (unsigned int i = 0; i < COMPARISONS; i++)
		if (out[i] != (strstr(comparisons[i].true_ones, names[cmp]) != NULL))
			fail_msg("type %u, comparison %u: %s is %u", format->type, i, names[cmp],
				 out[i]);
}

static void setp_on_both_formats(void **state)
{
	needs_floats(*state);
	for (unsigned int i = 0; i < FORMATS; i++)
		for (unsigned int cmp = 0; !formats[i].halves && cmp < 6; cmp++)
			check_setp(*state, &formats[i], cmp);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(atoms_on_every_format),
		FIXTURE_TEST(alu_on_both_formats),
		FIXTURE_TEST(strict_order_loses_small_terms),
		FIXTURE_TEST(relaxed_order_sums_first),
		FIXTURE_TEST(relaxed_specials),
		FIXTURE_TEST(relaxed_with_ftz),
		FIXTURE_TEST(strict_with_ftz),
		FIXTURE_TEST(relaxed_words_and_guards),
		FIXTURE_TEST(setp_on_both_formats),
	};

	return fixture_main(argc, argv, "float", tests, sizeof(tests) / sizeof(tests[0]));
}
