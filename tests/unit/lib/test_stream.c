// SPDX-License-Identifier: MIT
/*
 * The stream builder: every command's words, written by hand from the layout, and every argument
 * error.
 */
#include "check_stream.h"

#include <errno.h>
#include <string.h>

#include "check_alloc.h"
#include "faa.h"

/* Guard PT, no barrier: bits 16..31 of a header without scheduling. */
#define PLAIN 0xfc070000ull

static void expect_words(const uint64_t *expected, size_t count)
{
	const uint64_t *words;
	size_t got, i;

	if (faa_stream_error(stream))
		fail_msg("%s", faa_stream_error(stream));
	assert_int_equal(faa_stream_finish(stream), 0);
	words = faa_stream_words(stream, &got);
	assert_int_equal(got, count);
	assert_int_equal(faa_stream_bytes(stream), count * 8);
	for (i = 0; i < count; i++)
		if (words[i] != expected[i])
			fail_msg("word %zu is 0x%016llx, not 0x%016llx", i,
				 (unsigned long long)words[i], (unsigned long long)expected[i]);
	faa_stream_reset(stream);
}

#define EXPECT(...)                                           \
	do {                                                  \
		const uint64_t expected_[] = { __VA_ARGS__ }; \
		expect_words(expected_, COUNT(expected_));    \
	} while (0)

static void control_commands(void **state)
{
	(void)state;
	faa_stream_nop(stream);
	EXPECT(PLAIN | 0x0101);
	faa_stream_end(stream);
	EXPECT(PLAIN | 0x0102);
	faa_stream_sem_wait(stream, FAA_SEM_COND_GE, 0x10008, 7);
	EXPECT(PLAIN | 0x0304, 0x10008, 7);
	faa_stream_sem_wait(stream, FAA_SEM_COND_EQ, 0x10008, UINT64_MAX);
	EXPECT(1ull << 32 | PLAIN | 0x0304, 0x10008, UINT64_MAX);
	faa_stream_sem_signal(stream, 0xfffffffffff8, 9);
	EXPECT(PLAIN | 0x0305, 0xfffffffffff8, 9);
	faa_stream_snapshot(stream, 0x10100);
	EXPECT(PLAIN | 0x0206, 0x10100);
	faa_stream_fence(stream, FAA_FENCE_ORDER_SC, FAA_SCOPE_SYS);
	EXPECT(0x0000200300000000ull | PLAIN | 0x0107);
	faa_stream_fence(stream, FAA_FENCE_ORDER_RELEASE, FAA_SCOPE_GPU);
	EXPECT(0x0000100100000000ull | PLAIN | 0x0107);
}

static void scheduling(void **state)
{
	(void)state;
	/* Guard, wait mask and barriers, then a command without them: they apply to one command. */
	faa_stream_guard(stream, 3, true);
	faa_stream_wait(stream, 0x21);
	faa_stream_wait(stream, 0x04);
	faa_stream_read_barrier(stream, 4);
	faa_stream_write_barrier(stream, 5);
	faa_stream_mov(stream, FAA_TYPE_U32, 32, faa_reg(5), faa_imm(0x1234));
	faa_stream_nop(stream);
	EXPECT(0x0000020000000000ull | 5ull << 29 | 4u << 26 | 0x25u << 20 | 1u << 19 | 3u << 16 |
		       0x0410,
	       0x0002020000000020ull, 0x0000000005000000ull, 0x1234, PLAIN | 0x0101);
	faa_stream_wait(stream, 0x3f);
	faa_stream_nop(stream);
	EXPECT(PLAIN | 0x3fu << 20 | 0x0101);
}

static void vector_commands(void **state)
{
	(void)state;
	faa_stream_mov(stream, FAA_TYPE_U64, 100, faa_array_u64(0x20000, 8),
		       faa_affine(5, UINT64_MAX));
	EXPECT(0x0000030000000000ull | PLAIN | 0x0810, 0x0008030000000064ull, 0, 5, UINT64_MAX,
	       0x20000, 0x0000000300000008ull, 0);
	faa_stream_setp(stream, FAA_CMP_GE, FAA_TYPE_S32, 32, 2, faa_reg(7), faa_reg(255));
	EXPECT(0x0000260500000000ull | PLAIN | 0x0311, 0x0000090000000020ull,
	       0x000000000000ff07ull);
	faa_stream_ld(stream, FAA_TYPE_S16, 32, faa_reg(9), faa_reg(2), -8388608);
	EXPECT(0x0000050000000000ull | PLAIN | 0x0320, 0x0002010000000020ull,
	       0x0080000009000002ull);
	faa_stream_st(stream, FAA_TYPE_U8, 1ull << 32, faa_affine(0x30000, 1), 3,
		      faa_array_u8(0x40000, -1));
	EXPECT(0x0000000000000000ull | PLAIN | 0x0821, 0x0000230000000000ull | 1ull << 32,
	       0x0000000300000000ull, 0x30000, 1, 0x40000, 0x00000000ffffffffull, 0);
	faa_stream_lds(stream, FAA_TYPE_U32, 256, faa_array_u32(0x50000, 4), faa_affine(0, 4), 0);
	EXPECT(0x0000020000000000ull | PLAIN | 0x0822, 0x0008030000000100ull, 0, 0, 4, 0x50000,
	       0x0000000200000004ull, 0);
	faa_stream_sts(stream, FAA_TYPE_U64, 32, faa_none(), 0xfffff8, faa_reg(254));
	EXPECT(0x0000030000000000ull | PLAIN | 0x0323, 0x0000080000000020ull,
	       0x00fffff80000fe00ull);
}

static void atoms(void **state)
{
	(void)state;
	/* The four examples of the compatibility set's document. */
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_S32, 32, faa_reg(0), faa_reg(1), -400,
			 faa_reg(9), faa_none());
	EXPECT(0x0000060000000000ull | PLAIN | 0x0330, 0x0002090000000020ull,
	       0x00fffe7000000901ull);
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, faa_reg(9), faa_none(), 0x10,
			 faa_reg(8), faa_none());
	EXPECT(0x0000020000000000ull | PLAIN | 0x0330, 0x0002080000000020ull,
	       0x0000001009000800ull);
	faa_stream_atoms(stream, FAA_ATOMS_OP_CAS, FAA_TYPE_U64, 32, faa_reg(0), faa_reg(4), 8,
			 faa_reg(4), faa_reg(6));
	EXPECT(0x0000030900000000ull | PLAIN | 0x0330, 0x0002490000000020ull,
	       0x0000000800060404ull);
	faa_stream_atoms(stream, FAA_ATOMS_OP_CAST_SPIN, FAA_TYPE_U32, 32, faa_reg(0), faa_reg(4),
			 0x18, faa_reg(4), faa_reg(6));
	EXPECT(0x0000020b00000000ull | PLAIN | 0x0330, 0x0002490000000020ull,
	       0x0000001800060404ull);
	/* A histogram's command: reduction form, scaled bytes as address. */
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 240000, faa_none(),
			 faa_scaled(faa_array_u8(0x200001, 3), 2, 1024), 0, faa_imm(1), faa_none());
	EXPECT(0x0000020000000000ull | PLAIN | 0x0730, 0x0000140000000000ull | 240000, 0, 0x200001,
	       0x0000002000000003ull, 1024, 1);
}

static void alu_and_modes(void **state)
{
	struct faa_operand none = faa_none();

	(void)state;
	faa_stream_alu(stream, FAA_ALU_OP_SHR, FAA_TYPE_S64, 32, faa_reg(4), faa_reg(6),
		       faa_imm(3));
	EXPECT(0x0000070800000000ull | PLAIN | 0x0412, 0x0002110000000020ull, 0x0000000004000006ull,
	       3);
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	faa_stream_alu(stream, FAA_ALU_OP_SUB, FAA_TYPE_F32, 32, faa_reg(1), faa_reg(2),
		       faa_reg(3));
	/* The mode applies to one command. */
	faa_stream_alu(stream, FAA_ALU_OP_SUB, FAA_TYPE_F32, 32, faa_reg(1), faa_reg(2),
		       faa_reg(3));
	EXPECT(0x00001a0100000000ull | PLAIN | 0x0312, 0x0002090000000020ull, 0x0000000001000302ull,
	       0x00000a0100000000ull | PLAIN | 0x0312, 0x0002090000000020ull,
	       0x0000000001000302ull);
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_RELAXED);
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_BF16X2, 64, faa_reg(0), faa_reg(1), 0,
			 faa_reg(2), none);
	EXPECT(0x00003d0000000000ull | PLAIN | 0x0330, 0x0002090000000040ull,
	       0x0000000000000201ull);
	faa_stream_setp(stream, FAA_CMP_NE, FAA_TYPE_F64, 32, 1, faa_reg(8), faa_reg(10));
	EXPECT(0x00001b0100000000ull | PLAIN | 0x0311, 0x0000090000000020ull,
	       0x0000000000000a08ull);
}

static void atomics_on_memory(void **state)
{
	struct faa_operand none = faa_none();

	(void)state;
	faa_stream_atom(stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED, 32,
			faa_reg(0), faa_reg(2), 8, faa_reg(5), none);
	EXPECT(0x0000020000000000ull | PLAIN | 0x0331, 0x0012090000000020ull,
	       0x0000000800000502ull);
	faa_stream_red(stream, FAA_ATOM_OP_ADD, FAA_TYPE_U64, FAA_SCOPE_SYS, FAA_ORDER_ACQ_REL,
		       1000, faa_imm(0x7f0000001000), 0, faa_imm(1), none);
	EXPECT(0x0000030000000000ull | PLAIN | 0x0531, 0x00e01200000003e8ull, 0, 0x7f0000001000, 1);
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	faa_stream_red(stream, FAA_ATOM_OP_FCMPWR, FAA_TYPE_F16, FAA_SCOPE_CTA, FAA_ORDER_RELAXED,
		       32, faa_reg(2), 0, faa_reg(3), faa_reg(4));
	EXPECT(0x0000181000000000ull | PLAIN | 0x0331, 0x0000490000000020ull,
	       0x0000000000040302ull);
	faa_stream_atom(stream, FAA_ATOM_OP_PREDEC, FAA_TYPE_U16, FAA_SCOPE_SYS, FAA_ORDER_ACQUIRE,
			5, faa_reg(1), faa_reg(2), -2, none, none);
	EXPECT(0x0000010f00000000ull | PLAIN | 0x0331, 0x0062010000000005ull,
	       0x00fffffe01000002ull);
	/* 64-bit addresses out of 32-bit indices and a base; values from memory. */
	faa_stream_red(stream, FAA_ATOM_OP_ADD, FAA_TYPE_F32, FAA_SCOPE_GPU, FAA_ORDER_RELEASE, 96,
		       faa_scaled(faa_array_u32(0x50000, 4), 2, 0x60000), 0,
		       faa_array(0x70000, FAA_TYPE_F32, 4), none);
	EXPECT(0x00000a0000000000ull | PLAIN | 0x0931, 0x0090240000000060ull, 0, 0x50000,
	       0x0000002200000004ull, 0x60000, 0x70000, 0x0000000a00000004ull, 0);
}

static void surface_commands(void **state)
{
	struct faa_place place = faa_place_header(FAA_DIM_D2, FAA_CLAMP_NEAR, 5);
	struct faa_operand none = faa_none();

	(void)state;
	faa_stream_config_headers(stream, 0x20020, 0xfffff);
	EXPECT(PLAIN | 0x0308, 0x20020, 0xfffff);
	faa_stream_config_bank(stream, 0x30004, 65532);
	EXPECT(1ull << 32 | PLAIN | 0x0308, 0x30004, 65532);
	faa_stream_config_helpers(stream, 0x80000001);
	EXPECT(2ull << 32 | PLAIN | 0x0308, 0, 0x80000001);
	/* An array of points, 16 bits a coordinate. */
	place.packed = 1;
	faa_stream_sured(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, 1000, faa_array_u32(0x50000, 4), faa_imm(1), none);
	EXPECT(0x0000020000000000ull | PLAIN | 0x0732, 0x35101400000003e8ull, 0x01e0000500000000ull,
	       0x50000, 0x0000000200000004ull, 0, 1);
	place = faa_place_reg(FAA_DIM_D3, FAA_CLAMP_TRAP, 1);
	place.ba = 1;
	place.ps = 2;
	faa_stream_suatom(stream, &place, FAA_ATOM_OP_CAS, FAA_TYPE_S64, FAA_SCOPE_SYS,
			  FAA_ORDER_ACQUIRE, 32, faa_reg(8), faa_reg(4), faa_reg(10), faa_reg(12));
	EXPECT(0x0000070900000000ull | PLAIN | 0x0332, 0x5a62490000000020ull,
	       0x00800001080c0a04ull);
	place = faa_place_bank(FAA_DIM_D1, FAA_CLAMP_IGN, 0x1fff);
	faa_stream_suatom(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_SD32, FAA_SCOPE_CTA,
			  FAA_ORDER_RELAXED, 32, faa_reg(0), faa_reg(1), faa_reg(2), none);
	EXPECT(0x00000e0000000000ull | PLAIN | 0x0332, 0x0002090000000020ull,
	       0x01d01fff00000201ull);
}

static void jumps(void **state)
{
	uint32_t back, forward;

	(void)state;
	faa_stream_label(stream, &back);
	faa_stream_label(stream, &forward);
	faa_stream_nop(stream);
	faa_stream_place(stream, back);
	faa_stream_mov(stream, FAA_TYPE_U32, 1, faa_reg(0), faa_imm(1));
	faa_stream_guard(stream, 0, false);
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, forward);
	faa_stream_jump(stream, FAA_JUMP_COND_ALWAYS, back);
	faa_stream_place(stream, forward);
	faa_stream_end(stream);
	EXPECT(PLAIN | 0x0101, 0x0000020000000000ull | PLAIN | 0x0410, 0x0002020000000001ull, 0, 1,
	       1ull << 32 | 0xfc000203ull, 4, PLAIN | 0x0203, (uint32_t)-6, PLAIN | 0x0102);
}

static void growth(void **state)
{
	const uint64_t *words;
	size_t count, i;

	(void)state;
	for (i = 0; i < 100000; i++)
		faa_stream_sem_signal(stream, 8 * i, i);
	assert_int_equal(faa_stream_finish(stream), 0);
	words = faa_stream_words(stream, &count);
	assert_int_equal(count, 300000);
	for (i = 0; i < 100000; i++) {
		assert_int_equal(words[3 * i + 1], 8 * i);
		assert_int_equal(words[3 * i + 2], i);
	}
}

static void raw_words(void **state)
{
	const uint64_t words[] = { 0xdeadbeefcafef00dull, 0, UINT64_MAX };

	(void)state;
	faa_stream_raw(stream, words, COUNT(words));
	expect_words(words, COUNT(words));
}

/*
 * The call must have failed with @error, with a message that holds @text, and must have added
 * nothing.
 */
static void expect_error(int ret, int error, const char *text)
{
	assert_int_equal(ret, error);
	assert_non_null(faa_stream_error(stream));
	if (!strstr(faa_stream_error(stream), text))
		fail_msg("'%s' does not say '%s'", faa_stream_error(stream), text);
	assert_int_equal(faa_stream_bytes(stream), 0);
	/* The first error remains, whatever is called. */
	assert_int_equal(faa_stream_nop(stream), error);
	assert_int_equal(faa_stream_finish(stream), error);
	assert_true(strstr(faa_stream_error(stream), text));
	faa_stream_reset(stream);
	assert_null(faa_stream_error(stream));
}

static void scheduling_errors(void **state)
{
	(void)state;
	expect_error(faa_stream_guard(stream, 8, false), -EINVAL,
		     "guard predicate 8: allowed are 0..6 and 7 (PT)");
	expect_error(faa_stream_wait(stream, 0x40), -EINVAL, "wait mask 0x40");
	expect_error(faa_stream_read_barrier(stream, 6), -EINVAL, "read barrier 6");
	expect_error(faa_stream_write_barrier(stream, 7), -EINVAL, "write barrier 7");
	faa_stream_guard(stream, 1, false);
	expect_error(faa_stream_end(stream), -EINVAL, "END cannot have a guard");
	faa_stream_guard(stream, 7, true);
	expect_error(faa_stream_snapshot(stream, 0), -EINVAL, "SNAPSHOT cannot have a guard");
	faa_stream_read_barrier(stream, 1);
	expect_error(faa_stream_fence(stream, FAA_FENCE_ORDER_SC, FAA_SCOPE_CTA), -EINVAL,
		     "FENCE cannot hold a barrier");
	faa_stream_write_barrier(stream, 1);
	expect_error(faa_stream_nop(stream), -EINVAL, "NOP cannot hold a barrier");
}

static void control_errors(void **state)
{
	uint32_t label;

	(void)state;
	expect_error(faa_stream_sem_wait(stream, 2, 0, 0), -EINVAL, "condition 2");
	expect_error(faa_stream_sem_wait(stream, FAA_SEM_COND_GE, 0x1004, 0), -EINVAL,
		     "0x1004 is not a multiple of 8");
	expect_error(faa_stream_sem_signal(stream, 1ull << 48, 0), -EINVAL, "bits above bit 47");
	expect_error(faa_stream_snapshot(stream, 128), -EINVAL, "0x80 is not a multiple of 256");
	expect_error(faa_stream_fence(stream, 4, FAA_SCOPE_CTA), -EINVAL, "FENCE order 4");
	expect_error(faa_stream_fence(stream, FAA_FENCE_ORDER_SC, 3), -EINVAL, "FENCE scope 3");
	expect_error(faa_stream_place(stream, 0), -EINVAL, "label 0 does not exist");
	expect_error(faa_stream_jump(stream, FAA_JUMP_COND_ALWAYS, 5), -EINVAL,
		     "label 5 does not exist");
	assert_int_equal(faa_stream_label(stream, &label), 0);
	expect_error(faa_stream_jump(stream, 4, label), -EINVAL, "JUMP condition 4");
	faa_stream_label(stream, &label);
	faa_stream_place(stream, label);
	expect_error(faa_stream_place(stream, label), -EINVAL, "already placed");
	expect_error(faa_stream_finish(stream), -EINVAL, "empty");
}

static void label_errors(void **state)
{
	uint32_t label;

	(void)state;
	faa_stream_label(stream, &label);
	faa_stream_jump(stream, FAA_JUMP_COND_ALWAYS, label);
	assert_int_equal(faa_stream_finish(stream), -EINVAL);
	assert_non_null(strstr(faa_stream_error(stream), "placed nowhere"));
	faa_stream_reset(stream);
	faa_stream_label(stream, &label);
	faa_stream_jump(stream, FAA_JUMP_COND_ALWAYS, label);
	faa_stream_place(stream, label);
	assert_int_equal(faa_stream_finish(stream), -EINVAL);
	assert_non_null(strstr(faa_stream_error(stream), "at the end of the stream"));
}

static int add(enum faa_type type, uint64_t count, struct faa_operand d, struct faa_operand a,
	       int32_t offset, struct faa_operand b)
{
	return faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, type, count, d, a, offset, b, faa_none());
}

static void operation_errors(void **state)
{
	struct faa_operand r = faa_reg(2), none = faa_none();
	struct faa_vector v = { .opcode = FAA_OPCODE_END };

	(void)state;
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "opcode 0x02 is no vector command");
	v.opcode = 0xff;
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "opcode 0xff is no vector command");
	expect_error(faa_stream_atoms(stream, 12, FAA_TYPE_U32, 32, r, r, 0, r, none), -EINVAL,
		     "operation");
	/* 256 must not turn into ADD. */
	expect_error(faa_stream_atoms(stream, 256, FAA_TYPE_U32, 32, r, r, 0, r, none), -EINVAL,
		     "operation");
	expect_error(add(16, 32, r, r, 0, r), -EINVAL, "type 16 does not exist");
	expect_error(add(FAA_TYPE_SD32, 32, r, r, 0, r), -EINVAL, "ATOMS.ADD has no type SD32");
	expect_error(add(258, 32, r, r, 0, r), -EINVAL, "does not exist");
	expect_error(
		add(FAA_TYPE_U8, 32, r, r, 0, r), -EINVAL,
		"ATOMS.ADD has no type U8; allowed: U32, U64, S32, S64, F32, F64, F16X2, BF16X2");
	expect_error(faa_stream_atoms(stream, FAA_ATOMS_OP_XOR, FAA_TYPE_F32, 32, r, r, 0, r, none),
		     -EINVAL, "ATOMS.XOR has no type F32; allowed: U32, U64, S32, S64");
	expect_error(faa_stream_alu(stream, FAA_ALU_OP_MUL, FAA_TYPE_U64, 32, r, r, r), -EINVAL,
		     "ALU.MUL has no type U64; allowed: U32, S32");
	expect_error(faa_stream_alu(stream, FAA_ALU_OP_SHL, FAA_TYPE_F32, 32, r, r, r), -EINVAL,
		     "ALU.SHL has no type F32");
	expect_error(faa_stream_alu(stream, 10, FAA_TYPE_U32, 32, r, r, r), -EINVAL,
		     "ALU operation 10: allowed are 0..9");
	expect_error(faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, none, r, r), -EINVAL,
		     "operand d is of kind NONE; allowed: REG, STREAM");
	expect_error(faa_stream_atoms(stream, FAA_ATOMS_OP_INC, FAA_TYPE_S32, 32, r, r, 0, r, none),
		     -EINVAL, "ATOMS.INC has no type S32; allowed: U32, U64");
	expect_error(faa_stream_mov(stream, FAA_TYPE_U8, 32, r, r), -EINVAL, "MOV has no type U8");
	expect_error(add(FAA_TYPE_U32, 0, r, r, 0, r), -EINVAL, "element count 0");
	expect_error(add(FAA_TYPE_U32, (1ull << 32) + 1, none, r, 0, r), -EINVAL, "not in 1..2^32");
	/* More elements than a register has lanes: each lane keeps its last result. */
	assert_int_equal(add(FAA_TYPE_U32, 33, r, r, 0, r), 0);
	faa_stream_reset(stream);
	expect_error(faa_stream_setp(stream, FAA_CMP_EQ, FAA_TYPE_U32, 33, 0, r, r), -EINVAL,
		     "a predicate has 32 lanes");
	expect_error(faa_stream_setp(stream, FAA_CMP_EQ, FAA_TYPE_U32, 32, 8, r, r), -EINVAL,
		     "predicate 8");
	expect_error(faa_stream_setp(stream, 6, FAA_TYPE_U32, 32, 0, r, r), -EINVAL,
		     "SETP operation 6");
}

static int minimum(enum faa_type type)
{
	return faa_stream_atoms(stream, FAA_ATOMS_OP_MIN, type, 32, faa_none(), faa_reg(1), 0,
				faa_reg(2), faa_none());
}

static void mode_errors(void **state)
{
	struct faa_operand r = faa_reg(2);
	struct faa_vector v = { .opcode = FAA_OPCODE_ATOMS,
				.type = FAA_TYPE_F32,
				.mod = 4,
				.count = 1,
				.a = r,
				.b = r };

	(void)state;
	expect_error(faa_stream_float_mode(stream, 4), -EINVAL, "modes 0x4: allowed are FTZ");
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "modes 0x4: allowed are FTZ");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	expect_error(minimum(FAA_TYPE_U32), -EINVAL, "ATOMS.MIN on U32 has no floating-point mode");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_RELAXED);
	expect_error(minimum(FAA_TYPE_F32), -EINVAL, "ATOMS.MIN has no mode RELAXED");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_RELAXED);
	expect_error(faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_F32, 1, r, r, r), -EINVAL,
		     "ALU.ADD has no mode RELAXED");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	expect_error(faa_stream_mov(stream, FAA_TYPE_U32, 1, r, r), -EINVAL,
		     "MOV on U32 has no floating-point mode");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	expect_error(faa_stream_setp(stream, FAA_CMP_EQ, FAA_TYPE_F32, 1, 0, r, r), -EINVAL,
		     "SETP.EQ has no floating-point mode");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	expect_error(faa_stream_end(stream), -EINVAL, "END has no floating-point mode");
	/* A reset clears the mode. */
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	faa_stream_reset(stream);
	assert_int_equal(minimum(FAA_TYPE_U32), 0);
}

static int atom(enum faa_atom_op op, enum faa_type type, unsigned int scope, unsigned int order,
		struct faa_operand b, struct faa_operand c)
{
	return faa_stream_atom(stream, op, type, scope, order, 32, faa_reg(0), faa_reg(2), 0, b, c);
}

static int red_of_64_bits(struct faa_operand a, int32_t offset)
{
	return faa_stream_red(stream, FAA_ATOM_OP_SUB, FAA_TYPE_U64, FAA_SCOPE_GPU,
			      FAA_ORDER_RELAXED, 32, a, offset, faa_reg(4), faa_none());
}

static void errors_of_atomics_on_memory(void **state)
{
	struct faa_operand r = faa_reg(2), none = faa_none();
	struct faa_vector v = { .opcode = FAA_OPCODE_ATOMS,
				.type = FAA_TYPE_U32,
				.count = 1,
				.scope = FAA_SCOPE_GPU,
				.a = r,
				.b = r };

	(void)state;
	expect_error(atom(FAA_ATOM_OP_ADD, FAA_TYPE_U32, 3, 0, r, none), -EINVAL,
		     "ATOM.ADD scope 3: allowed are 0 (CTA), 1 (GPU) and 2 (SYS)");
	expect_error(atom(FAA_ATOM_OP_ADD, FAA_TYPE_U32, 256, 0, r, none), -EINVAL, "scope 255");
	expect_error(atom(FAA_ATOM_OP_ADD, FAA_TYPE_U32, 2, 4, r, none), -EINVAL,
		     "ATOM.ADD order 4: allowed are 0 (RELAXED), 1 (ACQUIRE), 2 (RELEASE)");
	expect_error(atom(11, FAA_TYPE_U32, 2, 0, r, r), -EINVAL, "ATOM has no operation 11");
	expect_error(atom(17, FAA_TYPE_U32, 2, 0, r, r), -EINVAL,
		     "ATOM operation 17: allowed are 0..16");
	expect_error(atom(FAA_ATOM_OP_ADD, FAA_TYPE_U8, 2, 0, r, none), -EINVAL,
		     "ATOM.ADD has no type U8; allowed: U16, U32, U64, S16, S32, S64, F16, F32");
	expect_error(atom(FAA_ATOM_OP_INC, FAA_TYPE_U16, 2, 0, r, none), -EINVAL,
		     "ATOM.INC has no type U16; allowed: U32, U64");
	expect_error(atom(FAA_ATOM_OP_FCMPWR, FAA_TYPE_U32, 2, 0, r, r), -EINVAL,
		     "ATOM.FCMPWR has no type U32; allowed: F16, F32, F64");
	/* Operands that an operation needs, or does not have. */
	expect_error(atom(FAA_ATOM_OP_INCU, FAA_TYPE_U32, 2, 0, r, none), -EINVAL,
		     "ATOM.INCU operand b is of kind REG; allowed: NONE");
	expect_error(atom(FAA_ATOM_OP_INC, FAA_TYPE_U32, 2, 0, none, none), -EINVAL,
		     "ATOM.INC operand b is of kind NONE");
	expect_error(atom(FAA_ATOM_OP_SUB, FAA_TYPE_U32, 2, 0, r, r), -EINVAL,
		     "ATOM.SUB operand c is of kind REG; allowed: NONE");
	expect_error(atom(FAA_ATOM_OP_FCMPWR, FAA_TYPE_F32, 2, 0, r, none), -EINVAL,
		     "ATOM.FCMPWR operand c is of kind NONE");
	/* Addresses have 64 bits, values those of the type; any offset is legal. */
	expect_error(red_of_64_bits(faa_reg(3), 0), -EINVAL, "operand a: R3 is odd");
	expect_error(red_of_64_bits(none, -8), -EINVAL, "not in 0..16777215");
	assert_int_equal(red_of_64_bits(r, 3), 0);
	faa_stream_reset(stream);
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_RELAXED);
	expect_error(atom(FAA_ATOM_OP_MAX, FAA_TYPE_F16, 2, 0, r, none), -EINVAL,
		     "ATOM.MAX has no mode RELAXED; only ADD of ATOMS, ATOM and SUATOM has");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	expect_error(atom(FAA_ATOM_OP_SUB, FAA_TYPE_U32, 2, 0, r, none), -EINVAL,
		     "ATOM.SUB on U32 has no floating-point mode");
	/* No other command has a scope or an order. */
	expect_error(faa_stream_vector(stream, &v), -EINVAL,
		     "ATOMS.ADD has neither scope nor order, only ATOM, SUATOM and strong LD");
	v.scope = 0;
	v.order = FAA_ORDER_ACQUIRE;
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "neither scope nor order");
}

static int load(enum faa_type type, unsigned int scope, unsigned int order)
{
	return faa_stream_ld_strong(stream, type, scope, order, 32, faa_reg(0), faa_reg(2), 0);
}

static int store(enum faa_type type, unsigned int scope, unsigned int order)
{
	return faa_stream_st_strong(stream, type, scope, order, 32, faa_reg(2), 0, faa_reg(0));
}

static void errors_of_strong_accesses(void **state)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_LD,
				.type = FAA_TYPE_U32,
				.count = 1,
				.order = FAA_ORDER_ACQUIRE,
				.a = faa_reg(2),
				.d = faa_reg(0) };

	(void)state;
	expect_error(load(FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_RELEASE), -EINVAL,
		     "LD has no order RELEASE; allowed: RELAXED, ACQUIRE");
	expect_error(load(FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_ACQ_REL), -EINVAL,
		     "LD has no order ACQ_REL");
	expect_error(store(FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_ACQUIRE), -EINVAL,
		     "ST has no order ACQUIRE; allowed: RELAXED, RELEASE");
	expect_error(store(FAA_TYPE_U32, FAA_SCOPE_GPU, 4), -EINVAL, "ST order 4");
	expect_error(store(FAA_TYPE_U32, 3, FAA_ORDER_RELEASE), -EINVAL, "ST scope 3");
	expect_error(load(FAA_TYPE_U32, 256, 256), -EINVAL, "LD scope 255");
	expect_error(store(FAA_TYPE_S8, FAA_SCOPE_CTA, FAA_ORDER_RELAXED), -EINVAL,
		     "ST has no type S8");
	expect_error(faa_stream_vector(stream, &v), -EINVAL,
		     "LD is weak, only a strong one has scope and order");
	v.strong = 2;
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "LD strength 2");
	v.strong = 1;
	assert_int_equal(faa_stream_vector(stream, &v), 0);
	faa_stream_reset(stream);
	v.opcode = FAA_OPCODE_LDS;
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "LDS strength 1");
	v.strong = 0;
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "LDS has neither scope nor order");
	faa_stream_guard(stream, 0, false);
	expect_error(faa_stream_bar(stream), -EINVAL, "BAR cannot have a guard");
	faa_stream_write_barrier(stream, 0);
	expect_error(faa_stream_bar(stream), -EINVAL, "BAR cannot hold a barrier");
}

/* ADD of a U32 at coordinates @a. */
static int suadd(const struct faa_place *place, struct faa_operand a)
{
	return faa_stream_sured(stream, place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
				FAA_ORDER_RELAXED, 32, a, faa_imm(1), faa_none());
}

static void errors_of_configuration(void **state)
{
	(void)state;
	expect_error(faa_stream_config_headers(stream, 16, 0), -EINVAL,
		     "CONFIG.HEADER_POOL address 0x10 is not a multiple of 32");
	expect_error(faa_stream_config_headers(stream, 1ull << 48, 0), -EINVAL, "above bit 47");
	expect_error(faa_stream_config_headers(stream, 32, 1 << 20), -EINVAL,
		     "greatest index 1048576: allowed are 0..1048575");
	expect_error(faa_stream_config_bank(stream, 2, 4), -EINVAL,
		     "CONFIG.CONSTANT_BANK address 0x2 is not a multiple of 4");
	expect_error(faa_stream_config_bank(stream, 4, 65536), -EINVAL, "of 65536 bytes");
	expect_error(faa_stream_config_bank(stream, 4, 7), -EINVAL,
		     "CONFIG.CONSTANT_BANK of 7 bytes: allowed are multiples of 4");
	faa_stream_guard(stream, 1, false);
	expect_error(faa_stream_config_helpers(stream, 1), -EINVAL, "CONFIG cannot have a guard");
	faa_stream_write_barrier(stream, 1);
	expect_error(faa_stream_config_bank(stream, 4, 4), -EINVAL, "CONFIG cannot hold a barrier");
}

static void errors_of_surface_operations(void **state)
{
	struct faa_place place = faa_place_header(6, FAA_CLAMP_NEAR, 0);
	struct faa_vector v = { .opcode = FAA_OPCODE_ATOM,
				.type = FAA_TYPE_U32,
				.count = 1,
				.a = faa_reg(2),
				.b = faa_reg(2),
				.place = { .ps = FAA_PT } };

	(void)state;
	expect_error(suadd(&place, faa_reg(4)), -EINVAL, "SUATOM.ADD dimension 6");
	place = faa_place_header(FAA_DIM_D2, 3, 0);
	expect_error(suadd(&place, faa_reg(4)), -EINVAL,
		     "clamp 3: allowed are 0 (IGN), 1 (NEAR) and 2 (TRAP)");
	place = faa_place_header(FAA_DIM_D2, FAA_CLAMP_IGN, 1 << 20);
	expect_error(suadd(&place, faa_reg(4)), -EINVAL, "header index 1048576 is not in 0..");
	place = faa_place_bank(FAA_DIM_D2, FAA_CLAMP_IGN, 8192);
	expect_error(suadd(&place, faa_reg(4)), -EINVAL, "constant word 8192 is not in 0..8191");
	place = faa_place_reg(FAA_DIM_D2, FAA_CLAMP_IGN, 255);
	expect_error(suadd(&place, faa_reg(4)), -EINVAL, "RZ is no handle");
	place.handle_kind = 3;
	expect_error(suadd(&place, faa_reg(4)), -EINVAL, "handle kind 3");
	place = faa_place_reg(FAA_DIM_D2, FAA_CLAMP_IGN, 1);
	place.ps = 8;
	expect_error(suadd(&place, faa_reg(4)), -EINVAL, "predicate 8: allowed are 0..6");
	place.ps = 0;
	place.ba = 2;
	expect_error(suadd(&place, faa_reg(4)), -EINVAL, "packed 0, ba 2: allowed are 0 and 1");
	/* Coordinates: one of 32 bits, two of 64, three in registers, packed half of that. */
	place = faa_place_reg(FAA_DIM_D1, FAA_CLAMP_IGN, 1);
	assert_int_equal(suadd(&place, faa_reg(5)), 0);
	faa_stream_reset(stream);
	expect_error(suadd(&place, faa_reg(255)), -EINVAL, "operand a: RZ is no coordinate");
	expect_error(suadd(&place, faa_none()), -EINVAL, "operand a is of kind NONE");
	expect_error(suadd(&place, faa_array_u64(0, 8)), -EINVAL, "do not fit its 32 bits");
	place.packed = 1;
	expect_error(suadd(&place, faa_reg(4)), -EINVAL, "single coordinate cannot be PACKED");
	place = faa_place_reg(FAA_DIM_D2, FAA_CLAMP_IGN, 1);
	expect_error(suadd(&place, faa_reg(5)), -EINVAL, "operand a: R5 is odd");
	place.packed = 1;
	assert_int_equal(suadd(&place, faa_reg(5)), 0);
	faa_stream_reset(stream);
	place = faa_place_reg(FAA_DIM_D2_ARRAY, FAA_CLAMP_IGN, 1);
	expect_error(suadd(&place, faa_imm(5)), -EINVAL, "must be in registers");
	expect_error(suadd(&place, faa_reg(6)), -EINVAL,
		     "R6: three coordinates take a register that is a multiple of 4");
	place.packed = 1;
	assert_int_equal(suadd(&place, faa_reg(6)), 0);
	faa_stream_reset(stream);
	expect_error(suadd(&place, faa_reg(7)), -EINVAL, "operand a: R7 is odd");
	/* Properties of SUATOM that no other command has. */
	expect_error(faa_stream_vector(stream, &v), -EINVAL,
		     "ATOM.ADD is on no surface, only SUATOM is");
	v.opcode = FAA_OPCODE_SUATOM;
	v.offset = 4;
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "SUATOM.ADD has no address");
	v.offset = 0;
	v.type = FAA_TYPE_SD64;
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "SUATOM.ADD has no type SD64");
}

static void operand_errors(void **state)
{
	struct faa_operand r = faa_reg(2), none = faa_none(), bad = { .kind = 5 };

	(void)state;
	expect_error(add(FAA_TYPE_U32, 32, r, bad, 0, r), -EINVAL, "operand a: kind 5");
	expect_error(add(FAA_TYPE_U32, 32, r, r, 0, none), -EINVAL,
		     "operand b is of kind NONE; allowed: REG, IMM, AFFINE, STREAM");
	expect_error(add(FAA_TYPE_U32, 32, faa_imm(1), r, 0, r), -EINVAL,
		     "operand d is of kind IMM; allowed: NONE, REG, STREAM");
	expect_error(faa_stream_mov(stream, FAA_TYPE_U32, 32, none, r), -EINVAL,
		     "operand d is of kind NONE");
	/* Rc for an operation without it, and no Rc for one that needs it. */
	expect_error(faa_stream_atoms(stream, FAA_ATOMS_OP_MAX, FAA_TYPE_U32, 32, r, r, 0, r, r),
		     -EINVAL, "operand c is of kind REG; allowed: NONE");
	expect_error(faa_stream_atoms(stream, FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 32, r, r, 0, r, none),
		     -EINVAL, "operand c is of kind NONE");
	/* Even registers for 64 bits: data of U64, addresses of LD, but not shared addresses. */
	expect_error(faa_stream_atoms(stream, FAA_ATOMS_OP_EXCH, FAA_TYPE_U64, 32, r, r, 0,
				      faa_reg(3), none),
		     -EINVAL, "operand b: R3 is odd");
	expect_error(faa_stream_ld(stream, FAA_TYPE_U32, 32, r, faa_reg(7), 0), -EINVAL,
		     "operand a: R7 is odd");
	assert_int_equal(faa_stream_lds(stream, FAA_TYPE_U64, 32, r, faa_reg(7), 0), 0);
	assert_int_equal(faa_stream_ld(stream, FAA_TYPE_U32, 32, faa_reg(3), faa_reg(255), 0), 0);
	faa_stream_reset(stream);
}

static void array_errors(void **state)
{
	struct faa_operand r = faa_reg(2), none = faa_none();

	(void)state;
	expect_error(add(FAA_TYPE_U32, 32, r, faa_array(0, 16, 4), 0, r), -EINVAL,
		     "item type 16 does not exist");
	/* Types whose sign the surface sets are no item types. */
	expect_error(add(FAA_TYPE_U32, 32, r, r, 0, faa_array(0, FAA_TYPE_SD32, 4)), -EINVAL,
		     "items of type SD32 do not fit");
	expect_error(add(FAA_TYPE_U32, 32, r, faa_array_u64(0, 8), 0, r), -EINVAL,
		     "items of type U64 do not fit its 32 bits");
	expect_error(add(FAA_TYPE_U32, 32, r, r, 0, faa_array(0, FAA_TYPE_F16, 2)), -EINVAL,
		     "F16 do not fit");
	expect_error(add(FAA_TYPE_U32, 32, r, r, 0, faa_array(0, FAA_TYPE_F64, 8)), -EINVAL,
		     "F64 do not fit");
	assert_int_equal(add(FAA_TYPE_U32, 32, r, r, 0, faa_array(0, FAA_TYPE_F32, 4)), 0);
	faa_stream_reset(stream);
	expect_error(add(FAA_TYPE_U32, 32, r, faa_scaled(faa_array_u8(0, 1), 8, 0), 0, r), -EINVAL,
		     "shift 8");
	expect_error(add(FAA_TYPE_U32, 32, faa_scaled(faa_array_u32(0, 4), 1, 0), r, 0, r), -EINVAL,
		     "neither shift nor base");
	expect_error(add(FAA_TYPE_U32, 32, faa_scaled(faa_array_u32(0, 4), 0, 4), r, 0, r), -EINVAL,
		     "neither shift nor base");
	expect_error(add(FAA_TYPE_U32, 32, r, faa_array_u32(2, 4), 0, r), -EINVAL,
		     "not a multiple of the item's 4 bytes");
	expect_error(add(FAA_TYPE_U32, 32, r, faa_array_u32(0, 6), 0, r), -EINVAL, "stride 6");
	expect_error(add(FAA_TYPE_U32, 32, r, faa_array_u16(1, 2), 0, r), -EINVAL, "2 bytes");
	expect_error(add(FAA_TYPE_U32, 32, none, r, 0, faa_array_u32(1ull << 48, 0)), -EINVAL,
		     "above bit 47");
}

static void offset_errors(void **state)
{
	struct faa_operand r = faa_reg(2), none = faa_none();
	struct faa_vector v = { .opcode = FAA_OPCODE_MOV,
				.type = FAA_TYPE_U32,
				.count = 1,
				.offset = 4,
				.a = faa_imm(1),
				.d = faa_reg(0) };

	(void)state;
	expect_error(add(FAA_TYPE_U32, 32, r, r, 2, r), -EINVAL, "offset 2 is not a multiple of 4");
	expect_error(add(FAA_TYPE_U32, 32, r, r, -3, r), -EINVAL,
		     "offset -3 is not a multiple of 4");
	expect_error(add(FAA_TYPE_U32, 32, r, r, 8388608, r), -EINVAL, "not in -8388608..8388607");
	expect_error(add(FAA_TYPE_U32, 32, r, r, -8388612, r), -EINVAL, "not in -8388608..8388607");
	expect_error(add(FAA_TYPE_U32, 32, r, none, -4, r), -EINVAL, "not in 0..16777215");
	expect_error(add(FAA_TYPE_U32, 32, r, faa_reg(255), 16777216, r), -EINVAL,
		     "not in 0..16777215");
	assert_int_equal(add(FAA_TYPE_U32, 32, r, faa_reg(255), 16777212, r), 0);
	assert_int_equal(add(FAA_TYPE_U32, 32, r, faa_imm(0), -8388608, r), 0);
	assert_int_equal(faa_stream_lds(stream, FAA_TYPE_U8, 32, r, r, 3), 0);
	faa_stream_reset(stream);
	expect_error(faa_stream_vector(stream, &v), -EINVAL, "MOV has no address");
}

#ifdef CHECK_ALLOC
/* A stream that grows, with a label and a jump: each allocation fails once. */
static void no_memory(void **state)
{
	unsigned int nth, i;
	int ret;

	(void)state;
	for (nth = 0;; nth++) {
		struct faa_stream *own;
		uint32_t label;

		check_alloc_fail(nth);
		ret = faa_stream_create(&own);
		if (!ret) {
			faa_stream_label(own, &label);
			faa_stream_place(own, label);
			for (i = 0; i < 100; i++)
				faa_stream_nop(own);
			faa_stream_jump(own, FAA_JUMP_COND_ALWAYS, label);
			ret = faa_stream_finish(own);
			if (ret)
				assert_non_null(strstr(faa_stream_error(own), "no memory"));
		}
		faa_stream_destroy(own);
		if (!check_alloc_failed())
			break;
		assert_int_equal(ret, -ENOMEM);
	}
	assert_int_equal(ret, 0);
	assert_true(nth >= 4);
}
#endif

static void error_names_the_command(void **state)
{
	(void)state;
	faa_stream_nop(stream);
	faa_stream_nop(stream);
	faa_stream_snapshot(stream, 1);
	assert_string_equal(faa_stream_error(stream),
			    "command 2: SNAPSHOT address 0x1 is not a multiple of 256");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(control_commands, setup, teardown),
		cmocka_unit_test_setup_teardown(scheduling, setup, teardown),
		cmocka_unit_test_setup_teardown(vector_commands, setup, teardown),
		cmocka_unit_test_setup_teardown(atoms, setup, teardown),
		cmocka_unit_test_setup_teardown(alu_and_modes, setup, teardown),
		cmocka_unit_test_setup_teardown(atomics_on_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(errors_of_atomics_on_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(mode_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(surface_commands, setup, teardown),
		cmocka_unit_test_setup_teardown(jumps, setup, teardown),
		cmocka_unit_test_setup_teardown(growth, setup, teardown),
		cmocka_unit_test_setup_teardown(raw_words, setup, teardown),
		cmocka_unit_test_setup_teardown(scheduling_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(control_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(label_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(operation_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(errors_of_strong_accesses, setup, teardown),
		cmocka_unit_test_setup_teardown(errors_of_configuration, setup, teardown),
		cmocka_unit_test_setup_teardown(errors_of_surface_operations, setup, teardown),
		cmocka_unit_test_setup_teardown(operand_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(array_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(offset_errors, setup, teardown),
#ifdef CHECK_ALLOC
		cmocka_unit_test(no_memory),
#endif
		cmocka_unit_test_setup_teardown(error_names_the_command, setup, teardown),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
