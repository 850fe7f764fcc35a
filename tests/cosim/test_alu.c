// SPDX-License-Identifier: MIT
/* ALU on integers, register destinations of many warps, and loops of ALU and ATOMS.CAS. */
#include <string.h>

#include "fixture.h"

#define OP(x)	FAA_ALU_OP_##x
#define TYPE(x) FAA_TYPE_##x

/* struct row - a op b, calculated by hand */
struct row {
	enum faa_alu_op op;
	enum faa_type type;
	uint64_t a, b, result;
};

static const struct row rows[] = {
	{ OP(ADD), TYPE(U32), 0xffffffff, 1, 0 },
	{ OP(ADD), TYPE(S32), 0x7fffffff, 1, 0x80000000 },
	{ OP(ADD), TYPE(U64), 0xffffffff, 1, 0x100000000 },
	{ OP(ADD), TYPE(S64), ~0ULL, 1, 0 },
	{ OP(SUB), TYPE(U32), 0, 1, 0xffffffff },
	{ OP(SUB), TYPE(S32), 0x80000000, 1, 0x7fffffff },
	{ OP(SUB), TYPE(U64), 0x100000000, 1, 0xffffffff },
	{ OP(SUB), TYPE(S64), 3, 5, 0xfffffffffffffffe },
	{ OP(MIN), TYPE(U32), 0x80000000, 1, 1 },
	{ OP(MIN), TYPE(S32), 0x80000000, 1, 0x80000000 },
	{ OP(MIN), TYPE(U64), 0x8000000000000000, 1, 1 },
	{ OP(MIN), TYPE(S64), 0x8000000000000000, 1, 0x8000000000000000 },
	{ OP(MIN), TYPE(U64), 0x100000000, 0xffffffff, 0xffffffff },
	{ OP(MIN), TYPE(S64), 0x100000000, 0xffffffff, 0xffffffff },
	{ OP(MAX), TYPE(U32), 1, 0xffffffff, 0xffffffff },
	{ OP(MAX), TYPE(S32), 1, 0xffffffff, 1 },
	{ OP(MAX), TYPE(U64), ~0ULL, 1, ~0ULL },
	{ OP(MAX), TYPE(S64), ~0ULL, 1, 1 },
	{ OP(MAX), TYPE(S64), 0x80000000, 0x7fffffff, 0x80000000 },
	{ OP(AND), TYPE(U32), 0xff00ff00, 0x0ff00ff0, 0x0f000f00 },
	{ OP(AND), TYPE(S64), 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0x0f000f000f000f00 },
	{ OP(OR), TYPE(S32), 0xff00ff00, 0x0ff00ff0, 0xfff0fff0 },
	{ OP(OR), TYPE(U64), 0xff00000000000000, 0x0ff0, 0xff00000000000ff0 },
	{ OP(XOR), TYPE(U32), 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0 },
	{ OP(XOR), TYPE(S64), 0x8000000000000001, ~0ULL, 0x7ffffffffffffffe },
	/* The shift amount is taken modulo the width. */
	{ OP(SHL), TYPE(U32), 0x80000001, 1, 2 },
	{ OP(SHL), TYPE(U32), 1, 31, 0x80000000 },
	{ OP(SHL), TYPE(U32), 1, 32, 1 },
	{ OP(SHL), TYPE(S32), 1, 33, 2 },
	{ OP(SHL), TYPE(U32), 1, 0xffffffff, 0x80000000 },
	{ OP(SHL), TYPE(U64), 1, 32, 0x100000000 },
	{ OP(SHL), TYPE(U64), 1, 63, 0x8000000000000000 },
	{ OP(SHL), TYPE(U64), 1, 64, 1 },
	{ OP(SHL), TYPE(S64), 3, 127, 0x8000000000000000 },
	{ OP(SHL), TYPE(S64), 1, 0xffffffff00000001, 2 },
	{ OP(SHR), TYPE(U32), 0x80000000, 31, 1 },
	{ OP(SHR), TYPE(S32), 0x80000000, 31, 0xffffffff },
	{ OP(SHR), TYPE(S32), 0x40000000, 30, 1 },
	{ OP(SHR), TYPE(U32), 0x80000000, 32, 0x80000000 },
	{ OP(SHR), TYPE(S32), 0x80000000, 36, 0xf8000000 },
	{ OP(SHR), TYPE(U32), 0xdeadbeef, 0, 0xdeadbeef },
	{ OP(SHR), TYPE(U64), 0x8000000000000000, 63, 1 },
	{ OP(SHR), TYPE(S64), 0x8000000000000000, 63, ~0ULL },
	{ OP(SHR), TYPE(S64), 0x8000000000000000, 32, 0xffffffff80000000 },
	{ OP(SHR), TYPE(U64), 0x8000000000000000, 64, 0x8000000000000000 },
	{ OP(SHR), TYPE(S64), 0xf000000000000000, 68, 0xff00000000000000 },
	{ OP(MUL), TYPE(U32), 0xffffffff, 0xffffffff, 1 },
	{ OP(MUL), TYPE(S32), 0xfffffffe, 3, 0xfffffffa },
	{ OP(MUL), TYPE(U32), 0x10000, 0x10000, 0 },
	{ OP(MUL), TYPE(U32), 123456789, 1000, 0xbe991a08 },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static bool wide(enum faa_type type)
{
	return type == FAA_TYPE_U64 || type == FAA_TYPE_S64;
}

static enum faa_type bits(enum faa_type type)
{
	return wide(type) ? FAA_TYPE_U64 : FAA_TYPE_U32;
}

/* Immediates to a stream, and registers to a register. */
static void every_operation(void **state)
{
	struct fixture *f = *state;
	const uint64_t *out = f->out.ptr;

	needs_feature(*state, FAA_FEATURE_ALU);
	for (unsigned int i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];
		enum faa_type type = bits(row->type);

		memset(f->out.ptr, 0, 1024);
		add_alu(f, 0, row->op, row->type, 1, stream(type, f->out.va, 8), imm(row->a),
			imm(row->b));
		add_mov(f, type, 32, reg(2), imm(row->a));
		add_mov(f, type, 32, reg(4), imm(row->b));
		add_alu(f, 0, row->op, row->type, 32, reg(6), reg(2), reg(4));
		add_mov(f, type, 32, stream(type, f->out.va + 256, 8), reg(6));
		run(f);
		for (unsigned int e = 0; e < 33; e++)
			if (out[e ? 31 + e : 0] != row->result)
				fail_msg("row %u, element %u: 0x%llx", i, e,
					 (unsigned long long)out[e ? 31 + e : 0]);
	}
}

/* Every combination of kinds of both operands, and a result stream of narrow items. */
static void every_kind(void **state)
{
	struct fixture *f = *state;
	const uint8_t *out = f->out.ptr;

	needs_feature(*state, FAA_FEATURE_ALU);
	for (unsigned int i = 0; i < 32; i++)
		((uint16_t *)f->in.ptr)[i] = 0xfff0 + i;
	add_mov(f, FAA_TYPE_U32, 32, reg(7), affine(100, 3));
	for (unsigned int i = 0; i < 16; i++) {
		const struct faa_operand kinds[4] = { reg(7), imm(200), affine(10, 5),
						      scaled(FAA_TYPE_S16, f->in.va, 2, 1, 4) };

		add_alu(f, 0, FAA_ALU_OP_SUB, FAA_TYPE_U32, 32,
			stream(FAA_TYPE_U8, f->out.va + 32 * i, 1), kinds[i % 4], kinds[i / 4]);
	}
	run(f);
	for (unsigned int i = 0; i < 16; i++) {
		for (unsigned int e = 0; e < 32; e++) {
			const uint32_t values[4] = { 100 + 3 * e, 200, 10 + 5 * e,
						     4 + 2 * (uint32_t)(int16_t)(0xfff0 + e) };

			assert_int_equal(out[32 * i + e], (uint8_t)(values[i % 4] - values[i / 4]));
		}
	}
}

static void guard_selects_lanes(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	needs_feature(*state, FAA_FEATURE_ALU);
	add_mov(f, FAA_TYPE_U32, 32, reg(1), affine(0, 10));
	add_setp(f, FAA_CMP_GE, FAA_TYPE_U32, 32, 4, reg(1), imm(200));
	f->issue.guard = 4;
	add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, reg(1), reg(1), imm(1));
	f->issue.guard = FAA_PT;
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(1));
	run(f);
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(out[i], 10 * i + (i >= 20));
}

/* A lane of a register destination keeps its last result; the last warp has 6 elements. */
static void register_results_of_many_warps(void **state)
{
	enum { N = 70 };
	struct fixture *f = *state;
	const uint64_t *out = f->out.ptr;
	uint64_t *in = f->in.ptr;

	needs_feature(*state, FAA_FEATURE_ALU);
	for (uint64_t e = 0; e < N; e++)
		in[e] = e << 32 | (e + 1000);
	add_sts(f, FAA_TYPE_U64, N, affine(0, 8), 0, stream(FAA_TYPE_U64, f->in.va, 8));
	add_mov(f, FAA_TYPE_U64, N, reg(0), affine(7, 0x100000003));
	add_ld(f, FAA_TYPE_U64, N, reg(2), affine(f->in.va, 8), 0);
	add_lds(f, FAA_TYPE_U64, N, reg(4), affine(0, 8), 0);
	add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U64, N, reg(6), stream(FAA_TYPE_U64, f->in.va, 8),
		imm(5));
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U64, N, reg(8), affine(0, 8), 0, imm(9), none());
	for (unsigned int r = 0; r < 5; r++)
		add_mov(f, FAA_TYPE_U64, 32, stream(FAA_TYPE_U64, f->out.va + 256 * r, 8),
			reg(2 * r));
	run(f);
	for (unsigned int lane = 0; lane < 32; lane++) {
		uint64_t e = lane < 6 ? 64 + lane : 32 + lane;

		assert_int_equal(out[lane], 7 + e * 0x100000003);
		assert_int_equal(out[32 + lane], in[e]);
		assert_int_equal(out[64 + lane], in[e]);
		assert_int_equal(out[96 + lane], in[e] + 5);
		assert_int_equal(out[128 + lane], in[e]);
	}
}

/* A lane that the guard disables keeps the register's value from before the command. */
static void register_results_of_many_guarded_warps(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	add_mov(f, FAA_TYPE_U32, 32, reg(3), imm(1));
	add_setp(f, FAA_CMP_LT, FAA_TYPE_U32, 32, 0, affine(0, 1), imm(9));
	f->issue.guard = 0;
	add_mov(f, FAA_TYPE_U32, 100, reg(3), affine(0, 1));
	f->issue.guard = FAA_PT;
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(3));
	run(f);
	for (unsigned int lane = 0; lane < 32; lane++)
		assert_int_equal(out[lane], lane >= 9 ? 1 : lane < 4 ? 96 + lane : 64 + lane);
}

/*
 * Every warp reads the values that a source register had before the command, even if it is the
 * destination.
 */
static void source_that_is_the_destination(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;
	uint32_t zero = 0, sum;

	needs_feature(*state, FAA_FEATURE_ALU);
	shared_fill(f, &zero, 1);
	add_mov(f, FAA_TYPE_U32, 32, reg(3), affine(50, 1));
	add_mov(f, FAA_TYPE_U32, 32, reg(5), imm(1));
	add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 200, reg(3), reg(3), imm(1));
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 200, reg(5), imm(0), 0, reg(5), none());
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(3));
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 128, 4), reg(5));
	run(f);
	for (unsigned int lane = 0; lane < 32; lane++) {
		assert_int_equal(out[lane], 51 + lane);
		assert_int_equal(out[32 + lane], lane < 8 ? 192 + lane : 160 + lane);
	}
	shared_dump(f, &sum, 1);
	assert_int_equal(sum, 200);
}

/* Register results of many warps as sources of the next commands, without barriers. */
static void hazards_of_many_warps(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	needs_feature(*state, FAA_FEATURE_ALU);
	for (unsigned int i = 0; i < 32; i++)
		((uint32_t *)f->in.ptr)[i] = 1000 + i;
	add_ld(f, FAA_TYPE_U32, 320, reg(1), imm(f->in.va + 4), 0);
	add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 320, reg(2), reg(1), affine(0, 1));
	add_mov(f, FAA_TYPE_U32, 32, reg(1), imm(5));
	add_sts(f, FAA_TYPE_U32, 320, affine(0, 4), 0, reg(2));
	add_lds(f, FAA_TYPE_U32, 320, reg(2), affine(0, 4), 0);
	add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 320, reg(3), reg(2), reg(1));
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(3));
	run(f);
	/* The last element of a lane is 288 + lane. */
	for (unsigned int lane = 0; lane < 32; lane++)
		assert_int_equal(out[lane], 1001 + 288 + lane + 5);
}

/*
 * The loop that makes an operation out of CAS: R2 is the value that the lane assumes in memory, R4
 * the new value, R6 the value found. Lanes with a wrong assumption repeat the loop.
 */
static void add_cas_loop(struct fixture *f, enum faa_type type, int32_t loop)
{
	add_atoms(f, FAA_ATOMS_OP_CAS, type, 32, reg(6), none(), 16, reg(2), reg(4));
	add_setp(f, FAA_CMP_NE, type, 32, 0, reg(6), reg(2));
	add_mov(f, type, 32, reg(2), reg(6));
	add_jump(f, FAA_JUMP_COND_ANY, loop - (int32_t)f->count);
	f->issue.guard = FAA_PT;
	run(f);
}

static void begin_cas_loop(struct fixture *f, enum faa_type type)
{
	add_mov(f, type, 32, reg(0), stream(type, f->in.va, wide(type) ? 8 : 4));
	add_lds(f, type, 32, reg(2), none(), 16);
	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 0, imm(0), imm(0));
	f->issue.guard = 0;
}

/* The example of the compatibility set: uint64 atomicMin. */
static void minimum_of_64_bits(void **state)
{
	struct fixture *f = *state;
	uint64_t *in = f->in.ptr, least = ~0ULL, seed = 11;
	uint32_t words[8];
	int32_t loop;

	needs_feature(*state, FAA_FEATURE_ALU);
	for (unsigned int i = 0; i < 32; i++) {
		in[i] = test_random(&seed);
		least = in[i] < least ? in[i] : least;
	}
	add_sts(f, FAA_TYPE_U64, 1, none(), 16, imm(~0ULL));
	begin_cas_loop(f, FAA_TYPE_U64);
	loop = f->count;
	add_alu(f, 0, FAA_ALU_OP_MIN, FAA_TYPE_U64, 32, reg(4), reg(2), reg(0));
	add_cas_loop(f, FAA_TYPE_U64, loop);
	shared_dump(f, words, 8);
	assert_int_equal(words[4] | (uint64_t)words[5] << 32, least);
	assert_int_equal(words[6], 0);
}

/* A user-defined function: addition that saturates at 2^32 - 1. */
static uint32_t saturating_sum(struct fixture *f, uint32_t start)
{
	uint32_t words[8];
	int32_t loop;

	add_sts(f, FAA_TYPE_U32, 1, none(), 16, imm(start));
	begin_cas_loop(f, FAA_TYPE_U32);
	loop = f->count;
	/* M + min(b, ~M) */
	add_alu(f, 0, FAA_ALU_OP_XOR, FAA_TYPE_U32, 32, reg(4), reg(2), imm(0xffffffff));
	add_alu(f, 0, FAA_ALU_OP_MIN, FAA_TYPE_U32, 32, reg(4), reg(4), reg(0));
	add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, reg(4), reg(4), reg(2));
	add_cas_loop(f, FAA_TYPE_U32, loop);
	shared_dump(f, words, 8);
	return words[4];
}

static void saturating_add(void **state)
{
	struct fixture *f = *state;
	uint32_t *in = f->in.ptr, seen = 0;
	const uint32_t *out = f->out.ptr;

	needs_feature(*state, FAA_FEATURE_ALU);
	for (unsigned int i = 0; i < 32; i++)
		in[i] = i * 100;
	assert_int_equal(saturating_sum(f, 7), 7 + 49600);
	assert_int_equal(saturating_sum(f, 0xffffffff - 49600), 0xffffffff);
	assert_int_equal(saturating_sum(f, 0xffffffff - 49601), 0xfffffffe);
	assert_int_equal(saturating_sum(f, 0xffffff00), 0xffffffff);
	/* With b = 1, every lane has seen another value. */
	for (unsigned int i = 0; i < 32; i++)
		in[i] = 1;
	assert_int_equal(saturating_sum(f, 0), 32);
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(6));
	run(f);
	for (unsigned int i = 0; i < 32; i++) {
		assert_true(out[i] < 32);
		seen |= 1u << out[i];
	}
	assert_int_equal(seen, 0xffffffff);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(every_operation),
		FIXTURE_TEST(every_kind),
		FIXTURE_TEST(guard_selects_lanes),
		FIXTURE_TEST(register_results_of_many_warps),
		FIXTURE_TEST(register_results_of_many_guarded_warps),
		FIXTURE_TEST(source_that_is_the_destination),
		FIXTURE_TEST(hazards_of_many_warps),
		FIXTURE_TEST(minimum_of_64_bits),
		FIXTURE_TEST(saturating_add),
	};

	return fixture_main(argc, argv, "alu", tests, sizeof(tests) / sizeof(tests[0]));
}
