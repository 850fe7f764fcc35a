// SPDX-License-Identifier: MIT
/* SASS as commands of the device: the emitted stream as the disassembler shows it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "faa_asm.h"
#include "../run_tests.h"

static int emit(const char *text, const struct faa_asm_environment *environment,
		struct faa_stream **stream, struct faa_asm_error *error)
{
	struct faa_asm_code *code;
	int ret;

	if (faa_asm_read(FAA_ASM_SASS, FAA_ASM_TEXT, text, strlen(text), &code, error))
		fail_msg("%s: %s", text, error->text);
	assert_int_equal(faa_stream_create(stream), 0);
	ret = faa_asm_emit(code, environment, *stream, error);
	faa_asm_destroy(code);
	return ret;
}

/* The commands after those that clear registers. */
static void check(const char *text, const struct faa_asm_environment *environment,
		  const char *expected)
{
	struct faa_asm_error error;
	struct faa_stream *stream;
	const uint64_t *words;
	char got[4096] = "", line[256];
	bool clearing = true;
	unsigned int used;
	size_t count, at;

	if (emit(text, environment, &stream, &error))
		fail_msg("%s: %u: %s", text, error.line, error.text);
	words = faa_stream_words(stream, &count);
	for (at = 0; at < count; at += used) {
		faa_disassemble(words + at, count - at, &used, line, sizeof(line));
		clearing = clearing &&
			   ((!strncmp(line, "MOV.U32 R", 9) && strstr(line, ", 0x0;")) ||
			    strstr(line, ", 0x0, 0x0;"));
		if (!clearing)
			snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s\n", line);
	}
	faa_stream_destroy(stream);
	assert_string_equal(got, expected);
}

static const struct faa_asm_environment all_lanes = { .lanes = ~0u };

static void test_atoms(void **state)
{
	check("ATOMS.ADD.S32 R0, [R1 - 400], R9;\nATOMS.EXCH.U64 RZ, [0xfffff8], RZ", &all_lanes,
	      "ATOMS.ADD.S32 R0, [R1 - 400], R9;\nATOMS.EXCH.U64 _, [RZ + 16777208], RZ;\n");
	check("@!P3 ATOMS.CAST.SPIN R0, [R4 + 0x18], R4, R5 &req={0,1} &rd=0x1 &wr=0x2 ?trans1",
	      &all_lanes,
	      "@!P3 ATOMS.CAST.SPIN.U32 R0, [R4 + 24], R4, R5 &req_000011 &rd1 &wr2;\n");
	check("ATOMS.CAS.U64 R0, [R4 + 8], R4, RZ", &all_lanes,
	      "ATOMS.CAS.U64 R0, [R4 + 8], R4, RZ;\n");
	check("@!PT ATOMS.CAS R0, [R4 + 8], R4, R5", &all_lanes,
	      "@!PT ATOMS.CAS.U32 R0, [R4 + 8], R4, R5;\n");
	check("NOP &req={5} &wr=1;", &all_lanes, "NOP &req_100000;\n");
}

/* The device's result has 64 bits; SASS's flag is one register, which may be odd. */
static void test_wide_cast(void **state)
{
	check("@P1 ATOMS.CAST.U64 R1, [R2], R4, R6 &req={3} &rd=0 &wr=1", &all_lanes,
	      "@P1 ATOMS.CAST.U64 R8, [R2], R4, R6 &req_001000 &rd0;\n@P1 MOV.U32 R1, R8 &wr1;\n");
	check("ATOMS.CAST.U64 RZ, [R2], R4, R6 &wr=1", &all_lanes,
	      "ATOMS.CAST.U64 _, [R2], R4, R6 &wr1;\n");
}

static void test_suatom(void **state)
{
	check("SUATOM.D.2D.ADD.IGN R10, [R2], R4, R1", &all_lanes,
	      "SUATOM.2D.IGN.ADD.U32.GPU R10, [R2], R4, R1;\n");
	check("SUATOM.D.BA.1D.ADD.U64.TRAP R2, [R3], R4, 0x100", &all_lanes,
	      "SUATOM.1D.BA.TRAP.ADD.U64.GPU R2, [R3], R4, #0x100;\n");
	check("@P0 SUATOM.D.2D_ARRAY.CAS.S32 P2, R10, [R4], R2, 0x20 &wr=3", &all_lanes,
	      "@P0 SUATOM.2D_ARRAY.CAS.S32.GPU P2, R10, [R4], R2, R3, #0x20 &wr3;\n");
	check("SUATOM.D.3D.CAS.U64 RZ, [R4], R8, R1", &all_lanes,
	      "SUATOM.3D.CAS.U64.GPU _, [R4], R8, R10, R1;\n");
	check("SUATOM.D.1D_BUFFER.MIN.F16x2.RN P1, R0, [R4], R8, R1", &all_lanes,
	      "SUATOM.1D_BUFFER.MIN.F16X2.FTZ.GPU P1, R0, [R4], R8, R1;\n");
	check("SUATOM.D.1D.ADD.F32.FTZ.RN R0, [R4], R8, R1", &all_lanes,
	      "SUATOM.1D.ADD.F32.FTZ.GPU R0, [R4], R8, R1;\n");
	check("SUATOM.D.1D_ARRAY.MAX.SD64 R0, [R4], R8, R1", &all_lanes,
	      "SUATOM.1D_ARRAY.MAX.SD64.GPU R0, [R4], R8, R1;\n");
}

static void test_clearing(void **state)
{
	struct faa_asm_error error;
	struct faa_stream *stream;
	const uint64_t *words;
	char line[256];
	unsigned int used;
	size_t count;

	assert_int_equal(emit("@P1 ATOMS.ADD R7, [RZ], RZ", &all_lanes, &stream, &error), 0);
	words = faa_stream_words(stream, &count);
	faa_disassemble(words, count, &used, line, sizeof(line));
	assert_string_equal(line, "MOV.U32 R7, 0x0;");
	words += used;
	faa_disassemble(words, count - used, &used, line, sizeof(line));
	assert_string_equal(line, "SETP.NE.U32 P1, 0x0, 0x0;");
	faa_stream_destroy(stream);
}

/* Both registers of every 64-bit value begin as 0. */
static void test_clearing_pairs(void **state)
{
	static const char *const cleared[] = { "R2", "R4", "R5", "R6", "R7" };
	struct faa_asm_error error;
	struct faa_stream *stream;
	char line[256], expected[64];
	const uint64_t *words;
	unsigned int used, n;
	size_t count;

	assert_int_equal(emit("ATOMS.CAST.U64 RZ, [R2], R4, R6", &all_lanes, &stream, &error), 0);
	words = faa_stream_words(stream, &count);
	for (n = 0; n < 5; n++, words += used, count -= used) {
		faa_disassemble(words, count, &used, line, sizeof(line));
		snprintf(expected, sizeof(expected), "MOV.U32 %s, 0x0;", cleared[n]);
		assert_string_equal(line, expected);
	}
	faa_stream_destroy(stream);
}

static void test_environment(void **state)
{
	const struct faa_asm_value inputs[] = {
		{ "R1", faa_affine(0x100, 4) },
		{ "r4.64", faa_imm(0x123456789) },
		{ "R8", faa_array_u64(0x10000, 8) },
		{ "P0", faa_array_u32(0x20000, 4) },
	};
	const struct faa_asm_value outputs[] = {
		{ "R0", faa_array_u32(0x30000, 4) },
		{ "R4.64", faa_array_u64(0x40000, 8) },
		{ "P0", faa_array_u32(0x50000, 4) },
		{ "RZ", faa_array_u32(0x60000, 4) },
	};
	const struct faa_asm_environment environment = { .inputs = inputs,
							 .input_count = 4,
							 .outputs = outputs,
							 .output_count = 4,
							 .lanes = 0xff };

	check("@!P0 ATOMS.ADD R0, [R1], R4", &environment,
	      "MOV.U32 R1, 0x100 + e * 4 x8;\n"
	      "MOV.U64 R4, 0x123456789 x8;\n"
	      "MOV.U64 R8, u64[0x10000 + e * 8] x8;\n"
	      "SETP.NE.U32 P0, u32[0x20000 + e * 4], 0x0 x8;\n"
	      "@!P0 ATOMS.ADD.U32 R0, [R1], R4 x8;\n"
	      "MOV.U32 u32[0x30000 + e * 4], R0 x8;\n"
	      "MOV.U64 u64[0x40000 + e * 8], R4 x8;\n"
	      "MOV.U32 u32[0x50000 + e * 4], 0x0 x8;\n"
	      "@P0 MOV.U32 u32[0x50000 + e * 4], 0x1 x8;\n"
	      "MOV.U32 u32[0x60000 + e * 4], RZ x8;\n");
}

/* Lanes 1, 2 and 4: a predicate that the code does not use disables the others. */
static void test_lanes(void **state)
{
	const struct faa_asm_environment environment = { .lanes = 0x16 };

	check("ATOMS.ADD R0, [R1], R4; @P0 ATOMS.ADD R0, [R1], R4 &req={1}; @!P0 ATOMS.ADD R0, [R1], R4;"
	      "@!PT ATOMS.ADD R0, [R1], R4; ATOMS.ADD R0, [R1], R4; ATOMS.ADD R0, [R1], R4",
	      &environment,
	      "SETP.LT.U32 P1, 0xffffffffffffffff + e * 1, 0x2;\n"
	      "@!P1 SETP.LT.U32 P1, 0xfffffffffffffffc + e * 1, 0x1;\n"
	      "@P1 ATOMS.ADD.U32 R0, [R1], R4 x5;\n"
	      "@!P0 SETP.LT.U32 P1, 0x0, 0x0;\n"
	      "@P1 ATOMS.ADD.U32 R0, [R1], R4 x5 &req_000010;\n"
	      "SETP.LT.U32 P1, 0xffffffffffffffff + e * 1, 0x2;\n"
	      "@!P1 SETP.LT.U32 P1, 0xfffffffffffffffc + e * 1, 0x1;\n"
	      "@P0 SETP.LT.U32 P1, 0x0, 0x0;\n"
	      "@P1 ATOMS.ADD.U32 R0, [R1], R4 x5;\n"
	      "@!PT ATOMS.ADD.U32 R0, [R1], R4 x5;\n"
	      "SETP.LT.U32 P1, 0xffffffffffffffff + e * 1, 0x2;\n"
	      "@!P1 SETP.LT.U32 P1, 0xfffffffffffffffc + e * 1, 0x1;\n"
	      "@P1 ATOMS.ADD.U32 R0, [R1], R4 x5;\n"
	      "@P1 ATOMS.ADD.U32 R0, [R1], R4 x5;\n");
}

static void check_refused(const char *text, const struct faa_asm_environment *environment,
			  uint32_t line, const char *why)
{
	struct faa_asm_error error;
	struct faa_stream *stream;

	assert_int_equal(emit(text, environment, &stream, &error), -EINVAL);
	assert_int_equal(error.line, line);
	assert_string_equal(error.text, why);
	faa_stream_destroy(stream);
}

/*
 * Text has no barrier 6, but the control word of a bundle can have it. Bits 5 and 8: the write and
 * the read barrier; 7 means none.
 */
static void test_barrier_6(void **state)
{
	static const uint64_t controls[] = { 6 << 5 | 7 << 8, 7 << 5 | 6 << 8 };
	struct faa_asm_error error;
	struct faa_asm_code *code;
	struct faa_stream *stream;
	uint64_t *words;
	size_t size;
	void *data;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		assert_int_equal(faa_asm_read(FAA_ASM_SASS, FAA_ASM_TEXT, "NOP", 3, &code, &error),
				 0);
		assert_int_equal(faa_asm_write(code, FAA_ASM_BUNDLE, &data, &size, &error), 0);
		faa_asm_destroy(code);
		assert_int_equal(size, 32);
		words = data;
		words[0] = (words[0] & ~0x1fffffull) | controls[i];
		assert_int_equal(
			faa_asm_read(FAA_ASM_SASS, FAA_ASM_BUNDLE, data, size, &code, &error), 0);
		assert_int_equal(faa_stream_create(&stream), 0);
		assert_int_equal(faa_asm_emit(code, &all_lanes, stream, &error), -EINVAL);
		assert_string_equal(error.text, "there is no barrier 6");
		faa_stream_destroy(stream);
		faa_asm_destroy(code);
		free(data);
	}
}

static void check_value(const char *name, struct faa_operand operand, bool output, const char *why)
{
	const struct faa_asm_value value = { name, operand };
	const struct faa_asm_environment environment = { .inputs = output ? NULL : &value,
							 .input_count = !output,
							 .outputs = output ? &value : NULL,
							 .output_count = output,
							 .lanes = ~0u };

	check_refused("NOP", &environment, 0, why);
}

static void test_refusals(void **state)
{
	const struct faa_asm_environment gaps = { .lanes = 2 };
	char text[4096] = "";
	unsigned int n;

	check_refused("NOP;\n.word 0x123;", &all_lanes, 2,
		      "0x0000000000000123 is no instruction of ATOMS, SUATOM or NOP");
	check_refused("NOP;\n.word 0xec06d330efc742fc;", &all_lanes, 2,
		      "ATOMS.ADD has no size .U64; it has .U32 .S32");
	check_value(
		"R255", faa_imm(0), false,
		"'R255' is neither a register R0 to R254, a pair such as R2.64, nor a predicate P0 to P6");
	check_value(
		"V3", faa_imm(0), false,
		"'V3' is neither a register R0 to R254, a pair such as R2.64, nor a predicate P0 to P6");
	check_value(
		"", faa_imm(0), false,
		"'' is neither a register R0 to R254, a pair such as R2.64, nor a predicate P0 to P6");
	check_value(
		"R", faa_imm(0), false,
		"'R' is neither a register R0 to R254, a pair such as R2.64, nor a predicate P0 to P6");
	check_value(
		"P7", faa_imm(0), false,
		"'P7' is neither a register R0 to R254, a pair such as R2.64, nor a predicate P0 to P6");
	check_value("RZ", faa_imm(0), false, "RZ cannot be set");
	check_value("PT", faa_imm(0), false, "PT cannot be set");
	check_value("R3.64", faa_imm(0), false,
		    "R3 is no pair of registers: its number must be even, and below 254");
	check_value("R254", faa_array_u64(65536, 8), true,
		    "R254 is no pair of registers: its number must be even, and below 254");
	check_value("R2", faa_imm(0x100000000), false,
		    "R2 has 32 bits, 0x100000000 does not fit; R2.64 is a pair");
	check_value("R2", faa_reg(3), false,
		    "R2 comes from a number, a number for each lane, or an array");
	check_value("R2", faa_imm(3), true, "R2 is an output, which can only be an array");
	for (n = 0; n < 7; n++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "@P%u ATOMS.ADD R0, [R0], R0;\n", n);
	check_refused(text, &gaps, 1,
		      "inactive lanes need a free predicate, and the code uses all of them");
	strcpy(text, "ATOMS.CAST.U64 R0, [R0], R0, R2;\n");
	for (n = 4; n < 254; n += 2)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "ATOMS.ADD R%u, [0], R0\n", n);
	check_refused(
		text, &all_lanes, 1,
		"a 64-bit CAST needs a free pair of registers, and the code uses all of them");
}

/* No lane: nothing to do, though the code is checked. */
static void test_no_lanes(void **state)
{
	static const struct faa_asm_environment none = { .lanes = 0 };

	check("ATOMS.ADD R0, [R1], R4", &none, "");
	check_refused(".word 1", &none, 1,
		      "0x0000000000000001 is no instruction of ATOMS, SUATOM or NOP");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_atoms),	    cmocka_unit_test(test_wide_cast),
		cmocka_unit_test(test_suatom),	    cmocka_unit_test(test_clearing),
		cmocka_unit_test(test_environment), cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_refusals),    cmocka_unit_test(test_no_lanes),
		cmocka_unit_test(test_barrier_6),   cmocka_unit_test(test_clearing_pairs),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
