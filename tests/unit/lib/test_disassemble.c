// SPDX-License-Identifier: MIT
/*
 * The disassembler: text of every command, reasons for every kind of illegal word, and robustness
 * with random words.
 */
#include "check_stream.h"

#include <stdbool.h>
#include <string.h>

#include "decode.h"
#include "faa.h"

/* The text of the only command of the stream is @expected. */
static void expect_text(const char *expected)
{
	const uint64_t *words;
	unsigned int used;
	char text[512];
	size_t count;

	if (faa_stream_error(stream))
		fail_msg("%s", faa_stream_error(stream));
	words = faa_stream_words(stream, &count);
	assert_int_equal(faa_disassemble(words, count, &used, text, sizeof(text)),
			 strlen(expected));
	assert_string_equal(text, expected);
	assert_int_equal(used, count);
	faa_stream_reset(stream);
}

static void control_commands(void **state)
{
	uint32_t label;

	(void)state;
	faa_stream_nop(stream);
	expect_text("NOP;");
	faa_stream_wait(stream, 0x29);
	faa_stream_end(stream);
	expect_text("END &req_101001;");
	faa_stream_sem_wait(stream, FAA_SEM_COND_EQ, 0x10008, 255);
	expect_text("SEM_WAIT.EQ [0x10008], 0xff;");
	faa_stream_sem_signal(stream, 0x10008, 1);
	expect_text("SEM_SIGNAL.SET [0x10008], 0x1;");
	faa_stream_snapshot(stream, 0x20100);
	expect_text("SNAPSHOT [0x20100];");
	faa_stream_fence(stream, FAA_FENCE_ORDER_ACQ_REL, FAA_SCOPE_GPU);
	expect_text("FENCE.ACQ_REL.GPU;");
	faa_stream_wait(stream, 2);
	faa_stream_bar(stream);
	expect_text("BAR.SYNC &req_000010;");
	faa_stream_label(stream, &label);
	faa_stream_place(stream, label);
	faa_stream_guard(stream, 2, true);
	faa_stream_jump(stream, FAA_JUMP_COND_ALL, label);
	faa_stream_finish(stream);
	expect_text("@!P2 JUMP.ALL +0;");
}

static void seed_examples(void **state)
{
	struct faa_operand none = faa_none();

	(void)state;
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_S32, 32, faa_reg(0), faa_reg(1), -400,
			 faa_reg(9), none);
	expect_text("ATOMS.ADD.S32 R0, [R1 - 400], R9;");
	faa_stream_atoms(stream, FAA_ATOMS_OP_MIN, FAA_TYPE_U32, 32, faa_reg(0), faa_reg(4), 8,
			 faa_reg(2), none);
	expect_text("ATOMS.MIN.U32 R0, [R4 + 8], R2;");
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, faa_reg(9), none, 0x10,
			 faa_reg(8), none);
	expect_text("ATOMS.ADD.U32 R9, [0x10], R8;");
	faa_stream_atoms(stream, FAA_ATOMS_OP_CAS, FAA_TYPE_U64, 32, faa_reg(0), faa_reg(4), 8,
			 faa_reg(4), faa_reg(6));
	expect_text("ATOMS.CAS.U64 R0, [R4 + 8], R4, R6;");
	faa_stream_guard(stream, 0, false);
	faa_stream_wait(stream, 1);
	faa_stream_read_barrier(stream, 2);
	faa_stream_write_barrier(stream, 3);
	faa_stream_atoms(stream, FAA_ATOMS_OP_CAST_SPIN, FAA_TYPE_U32, 32, faa_reg(0), faa_reg(255),
			 24, faa_reg(4), faa_reg(255));
	expect_text("@P0 ATOMS.CAST.SPIN.U32 R0, [RZ + 24], R4, RZ &req_000001 &rd2 &wr3;");
}

static void vector_commands(void **state)
{
	(void)state;
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 240000, faa_none(),
			 faa_scaled(faa_array_u8(0x200001, 3), 2, 1024), 0, faa_imm(1), faa_none());
	expect_text("ATOMS.ADD.U32 _, [0x400 + (u8[0x200001 + e * 3] << 2)], 0x1 x240000;");
	faa_stream_mov(stream, FAA_TYPE_U64, 100, faa_array_u64(0x20000, -8),
		       faa_affine(5, (uint64_t)-2));
	expect_text("MOV.U64 u64[0x20000 - e * 8], 0x5 - e * 2 x100;");
	faa_stream_setp(stream, FAA_CMP_GE, FAA_TYPE_S32, 32, 7, faa_reg(7),
			faa_array_u32(0x30000, 0));
	expect_text("SETP.GE.S32 PT, R7, u32[0x30000];");
	faa_stream_ld(stream, FAA_TYPE_S16, 1, faa_reg(9), faa_reg(2), -1);
	expect_text("LD.S16 R9, [R2 - 1] x1;");
	faa_stream_st(stream, FAA_TYPE_U8, 32, faa_affine(0x30000, 1), 3, faa_reg(1));
	expect_text("ST.U8 [0x30000 + e * 1 + 3], R1;");
	faa_stream_lds(stream, FAA_TYPE_U32, 256, faa_array_u32(0x50000, 4), faa_affine(0, 4), 0);
	expect_text("LDS.U32 u32[0x50000 + e * 4], [0x0 + e * 4] x256;");
	faa_stream_sts(stream, FAA_TYPE_U64, 32, faa_none(), 0xfffff8, faa_imm(UINT64_MAX));
	expect_text("STS.U64 [0xfffff8], 0xffffffffffffffff;");
}

static void strong_accesses(void **state)
{
	(void)state;
	faa_stream_ld_strong(stream, FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_ACQUIRE, 1, faa_reg(9),
			     faa_reg(2), -4);
	expect_text("LD.U32.GPU.ACQUIRE R9, [R2 - 4] x1;");
	faa_stream_ld_strong(stream, FAA_TYPE_S8, FAA_SCOPE_CTA, FAA_ORDER_RELAXED, 32, faa_reg(9),
			     faa_affine(0x30000, 1), 0);
	expect_text("LD.S8.CTA.RELAXED R9, [0x30000 + e * 1];");
	faa_stream_guard(stream, 1, true);
	faa_stream_st_strong(stream, FAA_TYPE_U64, FAA_SCOPE_SYS, FAA_ORDER_RELEASE, 1,
			     faa_imm(0x7f0000001000), 8, faa_imm(1));
	expect_text("@!P1 ST.U64.SYS.RELEASE [0x7f0000001000 + 8], 0x1 x1;");
	faa_stream_st_strong(stream, FAA_TYPE_U16, FAA_SCOPE_CTA, FAA_ORDER_RELAXED, 32, faa_reg(2),
			     0, faa_reg(1));
	expect_text("ST.U16.CTA.RELAXED [R2], R1;");
}

static void alu_and_modes(void **state)
{
	struct faa_operand none = faa_none();

	(void)state;
	faa_stream_alu(stream, FAA_ALU_OP_SHL, FAA_TYPE_U64, 32, faa_reg(2), faa_reg(4),
		       faa_imm(5));
	expect_text("ALU.SHL.U64 R2, R4, 0x5;");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	faa_stream_alu(stream, FAA_ALU_OP_MAX, FAA_TYPE_F32, 100, faa_reg(2), faa_reg(4),
		       faa_reg(5));
	expect_text("ALU.MAX.F32.FTZ R2, R4, R5 x100;");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ | FAA_FLOAT_MODE_RELAXED);
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_F32, 32, none, faa_reg(1), 0,
			 faa_reg(9), none);
	expect_text("ATOMS.ADD.F32.FTZ.RELAXED _, [R1], R9;");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_RELAXED);
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_F16X2, 32, faa_reg(0), faa_reg(1), 0,
			 faa_reg(9), none);
	expect_text("ATOMS.ADD.F16X2.RELAXED R0, [R1], R9;");
	faa_stream_setp(stream, FAA_CMP_LT, FAA_TYPE_F64, 32, 3, faa_reg(2), faa_reg(4));
	expect_text("SETP.LT.F64 P3, R2, R4;");
}

/* Error that a device would report, and the reason. */
static void expect_illegal(const uint64_t *words, size_t count, uint32_t error,
			   unsigned int used_expected, const char *reason)
{
	struct faa_decoded decoded;
	unsigned int used;
	char text[512];

	faa_decode(words, count, &decoded);
	assert_int_equal(decoded.error, error);
	faa_disassemble(words, count, &used, text, sizeof(text));
	assert_int_equal(used, used_expected);
	assert_true(!strncmp(text, ".word 0x", 8));
	if (!strstr(text, reason))
		fail_msg("'%s' does not say '%s'", text, reason);
}

/* ATOMS.ADD.U32 R0, [R1], R2: the command that the cases below corrupt. */
static void good_atoms(uint64_t *words)
{
	words[0] = 0x00000200fc070330ull;
	words[1] = 0x0002090000000020ull;
	words[2] = 0x0000000000000201ull;
}

static void atomics_on_memory(void **state)
{
	struct faa_operand none = faa_none();

	(void)state;
	faa_stream_atom(stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED, 32,
			faa_reg(0), faa_reg(2), 8, faa_reg(5), none);
	expect_text("ATOM.ADD.U32.GPU R0, [R2 + 8], R5;");
	faa_stream_red(stream, FAA_ATOM_OP_ADD, FAA_TYPE_U64, FAA_SCOPE_SYS, FAA_ORDER_ACQ_REL,
		       1000, faa_imm(0x7f0000001000), 0, faa_imm(1), none);
	expect_text("RED.ADD.U64.SYS.ACQ_REL [0x7f0000001000], 0x1 x1000;");
	faa_stream_atom(stream, FAA_ATOM_OP_INCU, FAA_TYPE_U16, FAA_SCOPE_SYS, FAA_ORDER_ACQUIRE,
			32, faa_reg(1), faa_reg(2), -6, none, none);
	expect_text("ATOM.INCU.U16.SYS.ACQUIRE R1, [R2 - 6];");
	faa_stream_guard(stream, 3, true);
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ);
	faa_stream_atom(stream, FAA_ATOM_OP_FCMPWR, FAA_TYPE_F16, FAA_SCOPE_CTA, FAA_ORDER_RELEASE,
			8, faa_array_u16(0x30000, 2), faa_affine(0x40000, 2), 0, faa_reg(3),
			faa_imm(0x3c00));
	expect_text("@!P3 ATOM.FCMPWR.F16.FTZ.CTA.RELEASE u16[0x30000 + e * 2], "
		    "[0x40000 + e * 2], R3, 0x3c00 x8;");
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_RELAXED);
	faa_stream_red(stream, FAA_ATOM_OP_ADD, FAA_TYPE_F32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED, 96,
		       faa_scaled(faa_array_u32(0x50000, 4), 2, 0x60000), 0,
		       faa_array(0x70000, FAA_TYPE_F32, 4), none);
	expect_text("RED.ADD.F32.RELAXED.GPU [0x60000 + (u32[0x50000 + e * 4] << 2)], "
		    "f32[0x70000 + e * 4] x96;");
}

/* ATOM.CAS.U32.SYS R0, [R2], R4, R5 */
static void good_atom(uint64_t *words)
{
	words[0] = 0x00000209fc070331ull;
	words[1] = 0x0022490000000020ull;
	words[2] = 0x0000000000050402ull;
}

static void illegal_atomics_on_memory(void **state)
{
	uint64_t w[16] = { 0 };
	struct faa_decoded decoded;

	(void)state;
	good_atom(w);
	faa_decode(w, 3, &decoded);
	assert_int_equal(decoded.error, FAA_ERROR_SUCCESS);
	assert_int_equal(decoded.vector.scope, FAA_SCOPE_SYS);
	assert_int_equal(decoded.vector.order, FAA_ORDER_RELAXED);
	w[1] |= 3ull << 52;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "scope 3 does not exist");
	w[1] |= 1ull << 56;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "second word");
	/* Operation 11 is CAST_SPIN, which ATOM does not have. */
	good_atom(w);
	w[0] ^= 2ull << 32;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "ATOM: illegal combination");
	/* INCU with b and c, then with b alone; CAS without b. */
	good_atom(w);
	w[0] ^= (9ull ^ 13ull) << 32;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "kind not allowed");
	w[1] &= ~(7ull << 46);
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "kind not allowed");
	good_atom(w);
	w[1] &= ~(7ull << 43);
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "kind not allowed");
	/* An address has 64 bits. */
	good_atom(w);
	w[2] |= 1;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "odd register");
	good_atom(w);
	w[0] |= 1ull << 44;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "floating-point mode");
	/* RELAXED is a mode of ADD: FCMPWR.F32 may only have FTZ. */
	good_atom(w);
	w[0] ^= (9ull ^ 16ull) << 32 | (2ull ^ 10ull) << 40 | 2ull << 44;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "floating-point mode");
	w[0] ^= 3ull << 44;
	faa_decode(w, 3, &decoded);
	assert_int_equal(decoded.error, FAA_ERROR_SUCCESS);
}

static void illegal_strong_accesses(void **state)
{
	/* LD.U32.GPU.ACQUIRE R9, [R2] */
	const uint64_t load[3] = { 0x00000200fc070320ull, 0x0152010000000020ull, 0x09000002ull };
	/* ST.U32.SYS.RELEASE [R2], R1 */
	const uint64_t store[3] = { 0x00000200fc070321ull, 0x01a0090000000020ull, 0x0102ull };
	struct faa_decoded decoded;
	uint64_t w[3];

	(void)state;
	faa_decode(load, 3, &decoded);
	assert_int_equal(decoded.error, FAA_ERROR_SUCCESS);
	assert_int_equal(decoded.vector.strong, 1);
	assert_int_equal(decoded.vector.order, FAA_ORDER_ACQUIRE);
	faa_decode(store, 3, &decoded);
	assert_int_equal(decoded.error, FAA_ERROR_SUCCESS);
	assert_int_equal(decoded.vector.scope, FAA_SCOPE_SYS);
	/* Weak with a scope, weak with an order. */
	memcpy(w, load, sizeof(w));
	w[1] ^= 1ull << 56 | 1ull << 54;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "second word");
	memcpy(w, store, sizeof(w));
	w[1] ^= 1ull << 56 | 2ull << 52;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "second word");
	/* Reserved bits precede a scope, a scope precedes an order. */
	memcpy(w, load, sizeof(w));
	w[1] |= 1ull << 57 | 3ull << 52;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "second word");
	w[1] ^= 1ull << 57 | 3ull << 54;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "scope 3 does not exist");
	w[1] ^= 2ull << 52;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "order that the command");
	w[1] ^= 1ull << 54;
	faa_decode(w, 3, &decoded);
	assert_int_equal(decoded.error, FAA_ERROR_ILLEGAL_OPERATION);
	memcpy(w, store, sizeof(w));
	w[1] ^= 3ull << 54;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "order that the command");
	/* LDS cannot be strong; BAR has one operation. */
	memcpy(w, load, sizeof(w));
	w[0] |= 2;
	w[1] &= ~(0xfull << 52);
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "second word");
	w[0] = 0x00000001fc070109ull;
	expect_illegal(w, 1, FAA_ERROR_ILLEGAL_OPERATION, 1, "BAR");
	w[0] = 0xfc000109ull;
	expect_illegal(w, 1, FAA_ERROR_ILLEGAL_OPERAND, 1, "guard");
}

static void surface_commands(void **state)
{
	struct faa_place place = faa_place_header(FAA_DIM_D2, FAA_CLAMP_NEAR, 5);
	struct faa_operand none = faa_none();

	(void)state;
	faa_stream_config_headers(stream, 0x20020, 63);
	expect_text("CONFIG.HEADER_POOL [0x20020], 0x3f;");
	faa_stream_config_bank(stream, 0x30004, 256);
	expect_text("CONFIG.CONSTANT_BANK [0x30004], 0x100;");
	faa_stream_wait(stream, 1);
	faa_stream_config_helpers(stream, 0xf0);
	expect_text("CONFIG.HELPER_LANES 0xf0 &req_000001;");
	place.packed = 1;
	faa_stream_sured(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, 1000, faa_array_u32(0x50000, 4), faa_imm(1), none);
	expect_text(
		"SUATOM.2D.PACKED.ADD.U32.GPU _, [u32[0x50000 + e * 4]], 0x1, header[5] x1000;");
	/* The two examples of the document that specifies the command, in this notation. */
	place = faa_place_reg(FAA_DIM_D2, FAA_CLAMP_IGN, 1);
	faa_stream_suatom(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			  FAA_ORDER_RELAXED, 32, faa_reg(10), faa_reg(2), faa_reg(4), none);
	expect_text("SUATOM.2D.IGN.ADD.U32.GPU R10, [R2], R4, R1;");
	place = faa_place_bank(FAA_DIM_D1, FAA_CLAMP_TRAP, 0x100);
	place.ba = 1;
	faa_stream_suatom(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U64, FAA_SCOPE_GPU,
			  FAA_ORDER_RELAXED, 32, faa_reg(2), faa_reg(3), faa_reg(4), none);
	expect_text("SUATOM.1D.BA.TRAP.ADD.U64.GPU R2, [R3], R4, #0x100;");
	place = faa_place_header(FAA_DIM_D2_ARRAY, FAA_CLAMP_NEAR, 0xfffff);
	place.ps = 2;
	faa_stream_guard(stream, 3, true);
	faa_stream_write_barrier(stream, 4);
	faa_stream_float_mode(stream, FAA_FLOAT_MODE_FTZ | FAA_FLOAT_MODE_RELAXED);
	faa_stream_suatom(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_F16X2, FAA_SCOPE_SYS,
			  FAA_ORDER_ACQ_REL, 8, faa_reg(0), faa_reg(4), faa_reg(8), none);
	expect_text("@!P3 SUATOM.2D_ARRAY.ADD.F16X2.FTZ.RELAXED.SYS.ACQ_REL P2, R0, [R4], R8, "
		    "header[1048575] x8 &wr4;");
	place = faa_place_reg(FAA_DIM_D1_BUFFER, FAA_CLAMP_NEAR, 9);
	place.ps = 0;
	faa_stream_sured(stream, &place, FAA_ATOM_OP_INCU, FAA_TYPE_U16, FAA_SCOPE_CTA,
			 FAA_ORDER_RELAXED, 32, faa_affine(0, 1), none, none);
	expect_text("SUATOM.1D_BUFFER.INCU.U16.CTA P0, _, [0x0 + e * 1], R9;");
}

/* SUATOM.2D.CAS.S64.SYS R8, [R4], R10, R12, R1 */
static void good_suatom(uint64_t *words)
{
	words[0] = 0x00000709fc070332ull;
	words[1] = 0x3422490000000020ull;
	words[2] = 0x01c00001080c0a04ull;
}

static void illegal_surface_operations(void **state)
{
	uint64_t w[16] = { 0 };
	struct faa_decoded decoded;

	(void)state;
	good_suatom(w);
	faa_decode(w, 3, &decoded);
	assert_int_equal(decoded.error, FAA_ERROR_SUCCESS);
	assert_int_equal(decoded.vector.place.dim, FAA_DIM_D2);
	assert_int_equal(decoded.vector.place.clamp, FAA_CLAMP_NEAR);
	w[1] |= 1ull << 63;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "second word");
	good_suatom(w);
	w[2] |= 1ull << 57;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "third word");
	good_suatom(w);
	w[1] |= 3ull << 52;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "scope 3");
	good_suatom(w);
	w[1] ^= 5ull << 60;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "dimension");
	good_suatom(w);
	w[1] |= 3ull << 58;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "clamp 3");
	good_suatom(w);
	w[1] = (w[1] & ~(7ull << 60)) | 1ull << 56;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "single coordinate");
	good_suatom(w);
	w[2] |= 3ull << 52;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "handle kind 3");
	/* Registers: RZ, odd for two coordinates, no multiple of 4 for three. */
	good_suatom(w);
	w[2] |= 0xff;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "RZ");
	good_suatom(w);
	w[2] |= 1;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "odd register");
	good_suatom(w);
	w[1] ^= 6ull << 60;
	w[2] |= 2;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "multiple of 4");
	w[1] ^= 3ull << 40;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "must be in registers");
	good_suatom(w);
	w[2] |= 255ull << 32;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "is RZ");
	w[2] |= 1ull << 52 | 0x2000ull << 32;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "constant word");
	/* ADD.SD64 does not exist, and CAS has no mode. */
	good_suatom(w);
	w[0] = 0x00000f00fc070332ull;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "SUATOM: illegal combination");
	good_suatom(w);
	w[0] |= 1ull << 44;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "floating-point mode");
}

static void illegal_configuration(void **state)
{
	uint64_t w[3] = { 0xfc070308ull, 0x20000, 0xfffff };
	struct faa_decoded decoded;

	(void)state;
	faa_decode(w, 3, &decoded);
	assert_int_equal(decoded.error, FAA_ERROR_SUCCESS);
	w[2] = 1 << 20;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "bits of the value");
	w[0] |= 1ull << 32;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "bits of the value");
	w[2] = 0xfffe;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "bits of the value");
	w[0] ^= 3ull << 32;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "helper lanes have no address");
	w[1] = 0;
	faa_decode(w, 3, &decoded);
	assert_int_equal(decoded.error, FAA_ERROR_SUCCESS);
	w[0] |= 1ull << 32;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "CONFIG: illegal combination");
	w[0] = 0xfc070208ull;
	expect_illegal(w, 3, FAA_ERROR_BAD_LENGTH, 1, "CONFIG: wrong command length");
}

static void illegal_headers(void **state)
{
	uint64_t w[16] = { 0 };

	(void)state;
	good_atoms(w);
	w[0] = 0xfc070100ull;
	expect_illegal(w, 16, FAA_ERROR_ILLEGAL_COMMAND, 1, "unknown command");
	w[0] = 0xfc070230ull;
	expect_illegal(w, 16, FAA_ERROR_BAD_LENGTH, 1, "ATOMS: wrong command length");
	w[0] = 0xfc071030ull;
	expect_illegal(w, 16, FAA_ERROR_BAD_LENGTH, 1, "wrong command length");
	w[0] = 0xfc070201ull;
	expect_illegal(w, 16, FAA_ERROR_BAD_LENGTH, 1, "NOP: wrong command length");
	good_atoms(w);
	expect_illegal(w, 2, FAA_ERROR_TRUNCATED, 1, "beyond the end of the stream");
	w[0] |= 1ull << 48;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "reserved bits of the header");
	/* Modes: not of an integer, not two bits of the four, not of a MIN, never of MOV. */
	good_atoms(w);
	w[0] |= 1ull << 44;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "floating-point mode");
	good_atoms(w);
	w[0] ^= (2ull ^ 10ull) << 40 | 4ull << 44;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "floating-point mode");
	good_atoms(w);
	w[0] ^= (2ull ^ 10ull) << 40 | 2ull << 44 | 1ull << 32;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "floating-point mode");
	w[0] = 0x00001200fc070310ull;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "does not use");
	good_atoms(w);
	w[0] &= ~(1ull << 29);
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "barrier 6");
	good_atoms(w);
	w[0] |= 12ull << 32;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "illegal combination");
	good_atoms(w);
	w[0] ^= (2ull ^ 8ull) << 40;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERATION, 3, "illegal combination");
	w[0] = 0xfc000101ull;
	expect_illegal(w, 1, FAA_ERROR_ILLEGAL_OPERAND, 1, "guard");
	w[0] = 0xe0070101ull;
	expect_illegal(w, 1, FAA_ERROR_ILLEGAL_OPERAND, 1,
		       "control command with a read or write barrier");
	w[0] = 0x00003000fc070107ull;
	expect_illegal(w, 1, FAA_ERROR_ILLEGAL_OPERATION, 1, "FENCE");
	w[0] = 0xfc070203ull;
	w[1] = 1ull << 32;
	expect_illegal(w, 2, FAA_ERROR_RESERVED_BITS, 2, "jump word");
}

static void illegal_vectors(void **state)
{
	uint64_t w[16] = { 0 };

	(void)state;
	good_atoms(w);
	w[1] |= 1ull << 52;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "second word");
	good_atoms(w);
	w[2] |= 1ull << 56;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "third word");
	good_atoms(w);
	w[1] |= 7ull << 40;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "kind not allowed");
	good_atoms(w);
	w[2] |= 5ull << 16;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "no register");
	/* SETP.EQ.U32 P0, R1, R2 */
	w[0] = 0x00000200fc070311ull;
	w[1] = 0x0000090000000021ull;
	w[2] = 0x0000000000000201ull;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "more than 32 elements");
	good_atoms(w);
	w[1] &= ~0xffull;
	expect_illegal(w, 3, FAA_ERROR_BAD_COUNT, 3, "element count");
	good_atoms(w);
	w[0] += 0x100;
	expect_illegal(w, 4, FAA_ERROR_BAD_LENGTH, 4, "not that of the operands");
	good_atoms(w);
	w[2] |= 2ull << 32;
	expect_illegal(w, 3, FAA_ERROR_BAD_OFFSET, 3, "low bits");
	/* ATOMS.EXCH.U64 R0, [R1], R2 with an odd data register. */
	good_atoms(w);
	w[0] ^= 8ull << 32 | (2ull ^ 3ull) << 40;
	w[2] += 0x100;
	expect_illegal(w, 3, FAA_ERROR_ILLEGAL_OPERAND, 3, "odd register");
	/* MOV with an offset. */
	w[0] = 0x00000200fc070310ull;
	w[1] = 0x0002010000000020ull;
	w[2] = 0x0000000400000000ull;
	expect_illegal(w, 3, FAA_ERROR_RESERVED_BITS, 3, "third word");
}

static void illegal_arrays(void **state)
{
	/* MOV.U32 u32[0x1000 + e * 4], u32[0x2000 + e * 4] */
	uint64_t good[] = { 0x00000200fc070910ull,
			    0x0008040000000020ull,
			    0,
			    0x2000,
			    0x0000000200000004ull,
			    0,
			    0x1000,
			    0x0000000200000004ull,
			    0 };
	uint64_t w[9];

	(void)state;
	memcpy(w, good, sizeof(w));
	w[4] |= 1ull << 39;
	expect_illegal(w, 9, FAA_ERROR_RESERVED_BITS, 9, "stream operand");
	memcpy(w, good, sizeof(w));
	w[4] |= 3ull << 32;
	expect_illegal(w, 9, FAA_ERROR_ILLEGAL_OPERAND, 9, "does not fit");
	memcpy(w, good, sizeof(w));
	w[7] |= 1ull << 36;
	expect_illegal(w, 9, FAA_ERROR_ILLEGAL_OPERAND, 9, "shift or a base");
	memcpy(w, good, sizeof(w));
	w[8] = 1;
	expect_illegal(w, 9, FAA_ERROR_ILLEGAL_OPERAND, 9, "shift or a base");
}

/* A header with the length of the operands in the second word; control commands have their own. */
static uint64_t fitting_length(const uint64_t *words)
{
	unsigned int slot, length = 3;

	for (slot = 0; slot < 4; slot++)
		length += faa_operand_words(words[1] >> (40 + 3 * slot) & 7);
	return (words[0] & ~0xff00ull) | length << 8;
}

/*
 * Random words with headers that are likely to be legal: always some text, always progress, never a
 * byte too many.
 */
static void random_words(void **state)
{
	static const uint8_t opcodes[] = { 1,	 2,    3,    4,	   5,	 6,    7,
					   8,	 9,    0x10, 0x11, 0x12, 0x20, 0x21,
					   0x22, 0x23, 0x30, 0x31, 0x32 };
	uint64_t seed = check_seed(0x5eed0002), words[16];
	unsigned int legal = 0, i, round;

	(void)state;
	for (round = 0; round < 300000; round++) {
		size_t count = 1 + check_random(&seed) % 16, length;
		unsigned int used;
		char text[600], small[16];

		for (i = 0; i < 16; i++)
			words[i] = check_random(&seed) & check_random(&seed);
		if (round % 4)
			words[0] = 0xfc070000ull | opcodes[check_random(&seed) % COUNT(opcodes)] |
				   (1 + check_random(&seed) % 15) << 8 |
				   (check_random(&seed) % 2 * check_random(&seed)) % 12 << 32 |
				   check_random(&seed) % 4 << 40;
		if (round % 4 > 1)
			words[1] &= 0x000fffff00000001ull;
		if (round % 4 > 1)
			words[2] &= 0x00fffffc00000000ull;
		if (round % 4 > 2 && (words[0] & 0xff) >= 0x10) {
			words[1] = (words[1] & ~(7ull << 46)) | 1;
			words[0] = fitting_length(words);
		}
		length = faa_disassemble(words, count, &used, text, sizeof(text));
		assert_true(length > 0 && length < sizeof(text));
		assert_int_equal(length, strlen(text));
		assert_true(used >= 1 && used <= count);
		legal += text[0] != '.';
		memset(small, 'x', sizeof(small));
		assert_int_equal(faa_disassemble(words, count, NULL, small, 8), length);
		assert_int_equal(small[8], 'x');
		assert_true(!strncmp(small, text, 7));
		assert_int_equal(faa_disassemble(words, count, NULL, NULL, 0), length);
	}
	/* Otherwise the legal half of the disassembler was not tested. */
	print_message("%u of %u legal\n", legal, round);
	assert_true(legal > 500);
}

/* A random legal command: encoded, decoded, and unchanged. */
static struct faa_operand random_operand(uint64_t *seed, unsigned int kinds, unsigned int bits,
					 bool destination)
{
	struct faa_operand o = { 0 };

	do {
		o.kind = check_random(seed) % 5;
	} while (!(kinds & (1u << o.kind)));
	if (o.kind == FAA_KIND_REG)
		o.reg = check_random(seed) % 128 * 2;
	if (o.kind >= FAA_KIND_IMM)
		o.value = check_random(seed);
	if (o.kind == FAA_KIND_AFFINE)
		o.step = check_random(seed);
	if (o.kind == FAA_KIND_STREAM) {
		do {
			o.type = check_random(seed) % 14;
		} while (!faa_stream_type_ok(o.type, bits));
		o.value &= 0xfffffffffff8ull;
		o.stride = (int32_t)(uint32_t)check_random(seed) & ~7;
		o.shift = destination ? 0 : check_random(seed) % 8;
		o.step = destination ? 0 : check_random(seed);
	}
	return o;
}

static bool same_operand(const struct faa_operand *a, const struct faa_operand *b)
{
	return a->kind == b->kind && a->reg == b->reg && a->type == b->type &&
	       a->shift == b->shift && a->stride == b->stride && a->value == b->value &&
	       a->step == b->step;
}

/* Any place; the coordinates in operand a are made to fit it. */
static void random_place(uint64_t *seed, struct faa_vector *v)
{
	static const uint32_t handles[] = { FAA_RZ, FAA_CONSTANT_WORDS,
					    1u << FAA_HEADER_INDEX_BITS };

	v->place.dim = check_random(seed) % 6;
	v->place.clamp = check_random(seed) % 3;
	v->place.ba = check_random(seed) % 2;
	v->place.packed = faa_coordinates(v->place.dim) > 1 && check_random(seed) % 2;
	v->place.ps = check_random(seed) % 8;
	v->place.handle_kind = check_random(seed) % 3;
	v->place.handle = check_random(seed) % handles[v->place.handle_kind];
	v->a = random_operand(seed,
			      faa_coordinates_in_registers(&v->place) ?
				      1u << FAA_KIND_REG :
				      faa_commands[v->opcode].kinds[0],
			      faa_operand_bits(v, 0), false);
	v->a.reg &= ~3;
}

static bool same_place(const struct faa_place *a, const struct faa_place *b)
{
	return a->dim == b->dim && a->clamp == b->clamp && a->ba == b->ba &&
	       a->packed == b->packed && a->ps == b->ps && a->handle_kind == b->handle_kind &&
	       a->handle == b->handle;
}

static void round_trip(void **state)
{
	static const uint8_t opcodes[] = { 0x10, 0x11, 0x12, 0x20, 0x21,
					   0x22, 0x23, 0x30, 0x31, 0x32 };
	uint64_t seed = check_seed(0x5eed0003);
	unsigned int round, slot;

	(void)state;
	for (round = 0; round < 100000; round++) {
		struct faa_vector v = { .opcode = opcodes[check_random(&seed) % COUNT(opcodes)] };
		const struct faa_command_info *info = &faa_commands[v.opcode];
		struct faa_operand *operands[] = { &v.a, &v.b, &v.c, &v.d };
		struct faa_decoded decoded;
		const uint64_t *words;
		size_t count;

		do
			v.op = check_random(&seed) % info->op_count;
		while (!info->types[v.op]);
		v.strong = info->strong && check_random(&seed) % 2;
		if (info->access && (v.strong || !info->strong)) {
			v.scope = check_random(&seed) % 3;
			do
				v.order = check_random(&seed) % 4;
			while (!(info->orders >> v.order & 1));
		}
		do {
			v.type = check_random(&seed) % 16;
		} while (!(info->types[v.op] & (1u << v.type)));
		v.mod = v.opcode == FAA_OPCODE_SETP ?
				check_random(&seed) % (info->mod_max + 1u) :
				check_random(&seed) & faa_modes_allowed(v.opcode, v.op, v.type);
		for (slot = 0; slot < 4; slot++)
			*operands[slot] = random_operand(&seed, faa_kinds_allowed(info, v.op, slot),
							 faa_operand_bits(&v, slot), slot == 3);
		if (info->surface)
			random_place(&seed, &v);
		v.count = 1 + check_random(&seed) % 32;
		if (v.opcode != FAA_OPCODE_SETP)
			v.count = 1 + check_random(&seed) % (1ull << 32);
		if (info->address != FAA_ADDRESS_NONE)
			v.offset = (int32_t)(check_random(&seed) % (1 << 23)) & ~3;
		faa_stream_reset(stream);
		if (faa_stream_vector(stream, &v))
			fail_msg("round %u: %s", round, faa_stream_error(stream));
		words = faa_stream_words(stream, &count);
		faa_decode(words, count, &decoded);
		assert_int_equal(decoded.error, FAA_ERROR_SUCCESS);
		assert_int_equal(decoded.words, count);
		assert_int_equal(decoded.vector.op, v.op);
		assert_int_equal(decoded.vector.type, v.type);
		assert_int_equal(decoded.vector.mod, v.mod);
		assert_int_equal(decoded.vector.scope, v.scope);
		assert_int_equal(decoded.vector.order, v.order);
		assert_int_equal(decoded.vector.strong, v.strong);
		assert_true(same_place(&decoded.vector.place, &v.place));
		assert_int_equal(decoded.vector.count, v.count);
		assert_int_equal(decoded.vector.offset, v.offset);
		for (slot = 0; slot < 4; slot++)
			assert_true(same_operand(operands[slot],
						 faa_vector_operand(&decoded.vector, slot)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(control_commands, setup, teardown),
		cmocka_unit_test_setup_teardown(seed_examples, setup, teardown),
		cmocka_unit_test_setup_teardown(vector_commands, setup, teardown),
		cmocka_unit_test_setup_teardown(strong_accesses, setup, teardown),
		cmocka_unit_test(illegal_strong_accesses),
		cmocka_unit_test_setup_teardown(alu_and_modes, setup, teardown),
		cmocka_unit_test_setup_teardown(atomics_on_memory, setup, teardown),
		cmocka_unit_test(illegal_atomics_on_memory),
		cmocka_unit_test_setup_teardown(surface_commands, setup, teardown),
		cmocka_unit_test(illegal_surface_operations),
		cmocka_unit_test(illegal_configuration),
		cmocka_unit_test(illegal_headers),
		cmocka_unit_test(illegal_vectors),
		cmocka_unit_test(illegal_arrays),
		cmocka_unit_test(random_words),
		cmocka_unit_test_setup_teardown(round_trip, setup, teardown),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
