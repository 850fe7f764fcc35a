// SPDX-License-Identifier: MIT
/*
 * vISA: text and bytes compared with external vectors; every form in both directions; errors and
 * their positions.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "visa/visa.h"
#include "../run_tests.h"
#ifdef CHECK_ALLOC
#include "../lib/check_alloc.h"
#endif

static struct faa_asm_code *read_form(enum faa_asm_format format, const void *data, size_t size)
{
	struct faa_asm_error error;
	struct faa_asm_code *code;

	if (faa_asm_read(FAA_ASM_VISA, format, data, size, &code, &error))
		fail_msg("%u:%u: %s", error.line, error.column, error.text);
	return code;
}

static char *write_form(const struct faa_asm_code *code, enum faa_asm_format format, size_t *size)
{
	struct faa_asm_error error;
	void *data;

	if (faa_asm_write(code, format, &data, size, &error))
		fail_msg("%u:%u: %s", error.line, error.column, error.text);
	return data;
}

/* @text in form @from, written in form @to; the caller frees it. */
static char *translate(const char *text, enum faa_asm_format from, enum faa_asm_format to)
{
	struct faa_asm_code *code = read_form(from, text, strlen(text));
	size_t size;
	char *data = write_form(code, to, &size);

	faa_asm_destroy(code);
	return data;
}

static void check_translation(const char *text, enum faa_asm_format from, enum faa_asm_format to,
			      const char *expected)
{
	char *data = translate(text, from, to);
	size_t size = strlen(data);

	/* One instruction, one line. */
	assert_true(size && data[size - 1] == '\n');
	data[size - 1] = 0;
	assert_string_equal(data, expected);
	free(data);
}

/* -------------------------------------------------------------------------------------------------
 * Vectors
 */

struct row {
	char text[160];
	char hex[80];
	char tool[160];
	int rc;
};

/* The value of "key" in a line of JSON, if present. */
static void take(const char *line, const char *key, char *value, size_t size)
{
	const char *at = strstr(line, key), *end;

	if (!at || !(at = strchr(at + strlen(key), '"')))
		return;
	end = strchr(++at, '"');
	assert_non_null(end);
	assert_true((size_t)(end - at) < size);
	memcpy(value, at, (size_t)(end - at));
	value[end - at] = 0;
}

/* Calls @check for each object of a file. Return: the number of objects. */
static unsigned int each_row(const char *path, void (*check)(const struct row *row))
{
	FILE *file = fopen(path, "r");
	struct row row = { .rc = -1 };
	unsigned int count = 0;
	char line[512];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		take(line, "\"text\":", row.text, sizeof(row.text));
		take(line, "\"hex\":", row.hex, sizeof(row.hex));
		take(line, "\"tool_text_from_bytes\":", row.tool, sizeof(row.tool));
		sscanf(line, " \"rc\": %d", &row.rc);
		if (!strncmp(line, " }", 2) && row.text[0]) {
			check(&row);
			count++;
			row = (struct row){ .rc = -1 };
		}
	}
	fclose(file);
	return count;
}

static void check_word(const struct row *row)
{
	/* The tool has no name for predec. */
	const char *expected = strstr(row->tool, "svm_atomic. ") ? row->text : row->tool;

	check_translation(row->text, FAA_ASM_TEXT, FAA_ASM_HEX, row->hex);
	check_translation(row->tool == expected ? row->tool : row->text, FAA_ASM_TEXT, FAA_ASM_HEX,
			  row->hex);
	check_translation(row->hex, FAA_ASM_HEX, FAA_ASM_TEXT, expected);
}

static void test_words(void **state)
{
	assert_int_equal(each_row(VECTORS "/visa/visa_words.json", check_word), 40);
}

/* The variables that the rows use. */
#define DECLARE(name, type) ".decl V" name " v_type=G type=" type " num_elts=8 align=GRF\n"
static const char prelude[] = ".version 3.6\n.kernel \"k\"\n" DECLARE("32", "uq")
	DECLARE("33", "ud") DECLARE("34", "ud") DECLARE("35", "ud") DECLARE("36", "uq")
		DECLARE("37", "uq") DECLARE("38", "uq") DECLARE("39", "d") DECLARE("40", "d")
			DECLARE("41", "d") DECLARE("42", "q") DECLARE("43", "q") DECLARE("44", "q")
				DECLARE("45", "f") DECLARE("46", "f")
					DECLARE("47", "f") ".decl P1 v_type=P num_elts=8\n"
							   ".decl P2 v_type=P num_elts=8\n";

#define PRELUDE_LINES 20u

static struct faa_asm_code *read_body(const char *body, struct faa_asm_error *error)
{
	struct faa_asm_code *code;
	char text[4096];

	snprintf(text, sizeof(text), "%s%s\n", prelude, body);
	if (faa_asm_read(FAA_ASM_VISA, FAA_ASM_TEXT, text, strlen(text), &code, error))
		return NULL;
	return code;
}

/* Rows that the tool accepts and this assembler rejects, and vice versa. */
static void check_edge(const struct row *row)
{
	static const char *const ours[] = { ", 16)",
					    "M8, 8",
					    "V33.0 V34.0",
					    "cmpxchg (M1, 8) V32.0 V35.0 V33.0 %null.0",
					    "add (M1, 8) V32.0 V47",
					    "fmax.64",
					    "fadd" };
	bool refused = row->rc != 0 && !strstr(row->text, "SVM_ATOMIC");
	struct faa_asm_error error;
	struct faa_asm_code *code;
	unsigned int i;

	if (!strncmp(row->text, "same", 4))
		return;
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		refused |= strstr(row->text, ours[i]) != NULL;
	code = read_body(row->text, &error);
	if (refused != !code)
		fail_msg("'%s' is %s: %s", row->text, code ? "taken" : "refused",
			 code ? "" : error.text);
	faa_asm_destroy(code);
}

static void test_edges(void **state)
{
	assert_int_equal(each_row(VECTORS "/visa/visa_edge.json", check_edge), 21);
}

/* -------------------------------------------------------------------------------------------------
 * Forms
 */

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *data = malloc(65536);

	assert_non_null(file);
	assert_non_null(data);
	*size = fread(data, 1, 65536, file);
	fclose(file);
	return data;
}

/* @code is the same after each of the forms. */
static void check_forms(const struct faa_asm_code *code)
{
	static const enum faa_asm_format formats[] = { FAA_ASM_TEXT, FAA_ASM_CISA };
	size_t size, again_size;
	char *text = write_form(code, FAA_ASM_TEXT, &size);
	unsigned int i;

	for (i = 0; i < 2; i++) {
		size_t bytes;
		char *data = write_form(code, formats[i], &bytes), *again_text;
		struct faa_asm_code *again = read_form(formats[i], data, bytes);

		again_text = write_form(again, FAA_ASM_TEXT, &again_size);
		assert_string_equal(again_text, text);
		free(again_text);
		free(data);
		faa_asm_destroy(again);
	}
	free(text);
}

static void test_minimal(void **state)
{
	size_t size;
	char *text = read_file(VECTORS "/visa/minimal.visaasm", &size), *hex;
	struct faa_asm_code *code = read_form(FAA_ASM_TEXT, text, size);

	assert_int_equal(faa_asm_count(code), 4);
	hex = write_form(code, FAA_ASM_HEX, &size);
	assert_string_equal(
		hex,
		"300000\n310100\n4e0503000000200000000000210000000000000000000000220000000000\n34000000\n");
	check_forms(code);
	faa_asm_destroy(code);
	free(hex);
	free(text);
}

static const char everything[] =
	".version 4.1\n"
	".kernel \"all of it\"\n"
	".decl addresses v_type=G type=uq num_elts=32 align=GRF\n"
	".decl data v_type=G type=ud num_elts=64 align=wordx32 attrs={Output, Scope=2}\n"
	".decl part v_type=G type=ud num_elts=8 align=dword alias=<data, 32>\n"
	".decl inner v_type=G type=uw num_elts=4 align=word alias=<part, 2>\n"
	".decl A0 v_type=A num_elts=1\n"
	".decl some v_type=P num_elts=32\n"
	".decl S0 v_type=S num_elts=1\n"
	".decl T6 v_type=T num_elts=1\n"
	".input addresses offset=32 size=256\n"
	".input T6 offset=288 size=4\n"
	".kernel_attr Target=\"cm\"\n"
	".kernel_attr SimdSize=32\n"
	".kernel_attr OutputAsmPath=\"out.asm\"\n"
	".kernel_attr Entry\n"
	"\n.function \"start\"\n"
	"\nfirst:\n"
	"    fence_global.EISCRL1\n"
	"    fence_global\n"
	"    fence_local.ER\n"
	"    fence_sw\n"
	"    (!some.any) svm_atomic.cmpxchg (M5_NM, 8) addresses.64 data.32 data.64 part.0\n"
	"    (some.all) svm_atomic.predec.16 (M8, 4) addresses.0 %null.0 %null.0 %null.0\n"
	"\nend:\n"
	"    (some) ret (M1, 32)\n"
	"    ret (M1, 1)\n";

static void test_everything(void **state)
{
	struct faa_asm_code *code = read_form(FAA_ASM_TEXT, everything, strlen(everything));
	size_t size;
	char *text = write_form(code, FAA_ASM_TEXT, &size);

	assert_string_equal(text, everything);
	check_forms(code);
	faa_asm_destroy(code);
	free(text);
}

/* Each version that has 32-bit numbers: the layout of its file changes. */
static void test_versions(void **state)
{
	static const char *const versions[] = { "3.4", "3.5", "3.6", "3.7", "4.0", "4.1", "4.9" };
	char text[sizeof(everything)];
	unsigned int i;

	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		struct faa_asm_code *code;

		strcpy(text, everything);
		memcpy(text + 9, versions[i], 3);
		code = read_form(FAA_ASM_TEXT, text, strlen(text));
		check_forms(code);
		faa_asm_destroy(code);
	}
}

/* Accepted spellings that are not the written one. */
static void test_spellings(void **state)
{
	static const char expected[] = "svm_atomic.minsint (M3, 8) V32.64 V41.32 V39.0 %null.0";
	static const char *const others[] = {
		"SVM_ATOMIC.IMIN (M3, 8) V32.64 V41.32 V39.0 V0.0",
		"svm_atomic.imin.32 (m3,8) V32.0x40 V41.(16*2) V39.(((1<<5)+8)%8) %null.0",
		"  svm_atomic.MINSINT ( M3 , 8 )\tV32.64 V41.(~-33) /* a */ V39.(-(1) + 1) %null.0 // b",
		"/* over\nlines */ svm_atomic.minsint (M3, 8) V32.(128 >> 1 | 0) V41.(7 & 4 ^ 36) V39.0 %null.0\r\n",
	};
	unsigned int i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		check_translation(others[i], FAA_ASM_TEXT, FAA_ASM_TEXT, expected);
	check_translation("svm_atomic.inc (NoMask, 2) V32.0 V33.0 %null.0 %null.0", FAA_ASM_TEXT,
			  FAA_ASM_TEXT, "svm_atomic.inc (M1_NM, 2) V32.0 V33.0 %null.0 %null.0");
	check_translation("svm_atomic.inc (2) V32.0 V33.0 %null.0 %null.0", FAA_ASM_TEXT,
			  FAA_ASM_TEXT, "svm_atomic.inc (M1, 2) V32.0 V33.0 %null.0 %null.0");
	check_translation(
		"4E 05 03 00 00 02  20000000 0000 00000000 0000 00000000 0000 23000000 0000 # inc",
		FAA_ASM_HEX, FAA_ASM_TEXT, "svm_atomic.inc (M1, 8) V32.0 V35.0 %null.0 %null.0");
	check_translation("svm_atomic.inc (M1, 8) V4294967295.0 V35.65504 %null.0 %null.0",
			  FAA_ASM_TEXT, FAA_ASM_HEX,
			  "4e0503000002ffffffff0000"
			  "000000000000"
			  "000000000000"
			  "23000000e0ff");
}

/*
 * Integers of either sign are accepted for every integer operation of their width, as compilers
 * declare them.
 */
static void test_signs(void **state)
{
	static const char *const taken[] = {
		"svm_atomic.add (M1, 8) V32.0 V41.0 V39.0 %null.0",
		"svm_atomic.add (M1, 8) V42.0 V35.0 V39.0 %null.0",
		"svm_atomic.add.16 (M1, 8) V32.0 V41.0 V39.0 %null.0",
		"svm_atomic.minsint (M1, 8) V32.0 V35.0 V33.0 %null.0",
		"svm_atomic.maxsint (M1, 8) V32.0 V41.0 V33.0 %null.0",
		"svm_atomic.max (M1, 8) V32.0 V35.0 V39.0 %null.0",
		"svm_atomic.cmpxchg (M1, 8) V32.0 V41.0 V33.0 V39.0",
		"svm_atomic.predec (M1, 8) V32.0 V41.0 %null.0 %null.0",
		"svm_atomic.minsint.64 (M1, 8) V32.0 V38.0 V42.0 %null.0",
		"svm_atomic.xchg.64 (M1, 8) V32.0 V44.0 V36.0 %null.0",
	};
	struct faa_asm_error error;
	struct faa_asm_code *code;
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		code = read_body(taken[i], &error);
		if (!code)
			fail_msg("'%s' is refused: %s", taken[i], error.text);
		check_forms(code);
		faa_asm_destroy(code);
	}
}

/* As the reference tool writes a function: its name twice, and comments. */
static void test_function(void **state)
{
	char *hex = translate(
		".function \"k_BB_0_0\"\n\nk_BB_0_0:\n\nBB_0:\n    ret (M1, 1)    /// $2\n",
		FAA_ASM_TEXT, FAA_ASM_HEX);

	assert_string_equal(hex, "300000\n310100\n34000000\n");
	free(hex);
}

/* Labels of bare instructions keep their numbers. */
static void test_labels(void **state)
{
	char *hex = translate("L7:\nhere:\n.function \"L2\"\nthere: ret (M1, 1)\n", FAA_ASM_TEXT,
			      FAA_ASM_HEX);
	char *text = translate(hex, FAA_ASM_HEX, FAA_ASM_TEXT);

	assert_string_equal(hex, "310700\n310000\n300200\n310100\n34000000\n");
	assert_string_equal(text, "L7:\nL0:\n.function \"L2\"\nL1:\nret (M1, 1)\n");
	free(hex);
	free(text);
}

/*
 * Every first six bytes of an instruction: accepted ones are the same after a round trip as bytes
 * and as text; the others have a reason.
 */
static void check_bytes(unsigned int exec, unsigned int op, unsigned int predicate,
			unsigned int *taken)
{
	const struct visa_op *operation = &visa_ops[op & 31];
	bool wide = (op >> 5 & 3) == 2, legal;
	struct faa_asm_error error;
	struct faa_asm_code *code;
	char hex[64];

	snprintf(hex, sizeof(hex), "4e05%02x%02x%02x%02x200000000000%s%s230000000000", exec,
		 predicate & 0xff, predicate >> 8, op,
		 operation->sources > 0 ? "210000000000" : "000000000000",
		 operation->sources > 1 ? "220000000000" : "000000000000");
	legal = (exec & 15) < 4 && (exec >> 4 & 7) * 4 % (1u << (exec & 3)) == 0 &&
		operation->name && op < 3 << 5 &&
		!(wide && operation->types[2] == VISA_TYPE_NONE) && !(predicate & 0x1000) &&
		(predicate >> 13 & 3) != 3 && (!predicate || predicate & 0xfff);
	if (faa_asm_read(FAA_ASM_VISA, FAA_ASM_HEX, hex, strlen(hex), &code, &error)) {
		if (legal || error.line != 1 || !error.column)
			fail_msg("%s: %u:%u %s", hex, error.line, error.column, error.text);
		return;
	}
	faa_asm_destroy(code);
	if (!legal)
		fail_msg("%s is taken", hex);
	check_translation(hex, FAA_ASM_HEX, FAA_ASM_HEX, hex);
	if (++*taken % 8 == 0) {
		char *text = translate(hex, FAA_ASM_HEX, FAA_ASM_TEXT);

		check_translation(text, FAA_ASM_TEXT, FAA_ASM_HEX, hex);
		free(text);
	}
}

static void test_bytes(void **state)
{
	unsigned int exec, op, predicate, taken = 0;

	for (exec = 0; exec < 256; exec++)
		for (op = 0; op < 256; op++)
			check_bytes(exec, op, 0, &taken);
	/*
	 * 6 combinations of mask and size for 8, and 8 for each of the others, with and without NM;
	 * 3 * 14 + 2 * 3 operations.
	 */
	assert_int_equal(taken, (4 + 8 + 8 + 8) * 2 * (3 * 14 + 2 * 3));
	for (predicate = 0; predicate < 65536; predicate++)
		check_bytes(3, 0, predicate, &taken);
}

/* -------------------------------------------------------------------------------------------------
 * Refusals
 */

struct refusal {
	const char *text;
	uint32_t column;
	const char *reason;
};

/* In a kernel with the prelude's variables. */
static const struct refusal bodies[] = {
	{ "svm_atomic.add (M1, 8) V32.0 V35.0 V33.0 V34.0", 42, "add has no src1" },
	{ "svm_atomic.add (M1, 8) V32.0 V35.0 %null.0 %null.0", 36, "add needs src0" },
	{ "svm_atomic.inc (M1, 8) V32.0 V35.0 V33.0 %null.0", 36, "inc has no src0" },
	{ "svm_atomic.predec (M1, 8) V32.0 V35.0 V33.0 %null.0", 39, "predec has no src0" },
	{ "svm_atomic.cmpxchg (M1, 8) V32.0 V35.0 V33.0 %null.0", 46, "cmpxchg needs src1" },
	{ "svm_atomic.add (M1, 8) %null.0 V35.0 V33.0 %null.0", 24,
	  "the addresses cannot be %null" },
	{ "svm_atomic.add (M1, 8) V33.0 V35.0 V33.0 %null.0", 24,
	  "V33 has type ud, but the addresses of svm_atomic.add must be uq or q" },
	{ "svm_atomic.add (M1, 8) V46.0 V35.0 V33.0 %null.0", 24, "must be uq or q" },
	{ "svm_atomic.add (M1, 8) V32.0 V33.0 %null.0 V35.0", 36, "add needs src0" },
	{ "svm_atomic.inc (M1, 8) V32.0 %null.0 %null.0 V35.0", 46, "inc has no src1" },
	{ "svm_atomic.imin (M1, 8) V32.0 V38.0 V33.0 %null.0", 31,
	  "V38 has type uq, but the dst of svm_atomic.minsint must be ud or d" },
	{ "svm_atomic.imin (M1, 8) V32.0 V35.0 V45.0 %null.0", 37,
	  "V45 has type f, but the src0 of svm_atomic.minsint must be ud or d" },
	{ "svm_atomic.fmax (M1, 8) V32.0 V47.0 V39.0 %null.0", 37,
	  "V39 has type d, but the src0 of svm_atomic.fmax must be f" },
	{ "svm_atomic.fmax (M1, 8) V32.0 %null.0 V33.0 %null.0", 39,
	  "the src0 of svm_atomic.fmax must be f" },
	{ "svm_atomic.add (M1, 8) V32.0 V47.0 V45.0 %null.0", 30, "V47 has type f" },
	{ "svm_atomic.add.64 (M1, 8) V32.0 V35.0 V33.0 %null.0", 33,
	  "the dst of svm_atomic.add.64 must be uq or q" },
	{ "svm_atomic.add.16 (M1, 8) V32.0 V38.0 V33.0 %null.0", 33,
	  "the dst of svm_atomic.add.16 must be ud or d" },
	{ "svm_atomic.fmax.64 (M1, 8) V32.0 V47.0 V45.0 %null.0", 17, "fmax has no 64-bit form" },
	{ "svm_atomic.fadd (M1, 8) V32.0 V47.0 V45.0 %null.0", 12,
	  "not supported: svm_atomic.fadd, which later platforms alone have" },
	{ "svm_atomic.mul (M1, 8) V32.0 V47.0 V45.0 %null.0", 12,
	  "svm_atomic has no operation 'mul'" },
	{ "svm_atomic.add.8 (M1, 8) V32.0 V35.0 V33.0 %null.0", 16, "width 8: it is 16, 32 or 64" },
	{ "svm_atomic.add (M1, 16) V32.0 V35.0 V33.0 %null.0", 21, "execution size 16" },
	{ "svm_atomic.add (M1, 32) V32.0 V35.0 V33.0 %null.0", 21, "execution size 32" },
	{ "svm_atomic.add (M1, 3) V32.0 V35.0 V33.0 %null.0", 21, "execution size 3" },
	{ "svm_atomic.add (M2, 8) V32.0 V35.0 V33.0 %null.0", 17, "mask M2 begins at channel 4" },
	{ "svm_atomic.add (M9, 8) V32.0 V35.0 V33.0 %null.0", 17, "'M9' is no mask" },
	{ "svm_atomic.add (M1, 8) V99.0 V35.0 V33.0 %null.0", 24,
	  "V99: undefined raw operand variable" },
	{ "svm_atomic.add (M1, 8) V1.0 V35.0 V33.0 %null.0", 24, "V1 is predefined" },
	{ "svm_atomic.add (M1, 8) %r0.0 V35.0 V33.0 %null.0", 24, "%r0 is predefined" },
	{ "svm_atomic.add (M1, 8) P1.0 V35.0 V33.0 %null.0", 24, "P1 is no general variable" },
	{ "(P9) svm_atomic.add (M1, 8) V32.0 V35.0 V33.0 %null.0", 2,
	  "P9: undefined predicate variable" },
	{ "(V33) svm_atomic.add (M1, 8) V32.0 V35.0 V33.0 %null.0", 2,
	  "V33: undefined predicate variable" },
	{ "(P1.most) svm_atomic.add (M1, 8) V32.0 V35.0 V33.0 %null.0", 5,
	  "combined by any or all" },
	{ "svm_atomic.add (M1, 8) V32 V35.0 V33.0 %null.0", 28, "V32 lacks its offset" },
	{ "svm_atomic.add (M1, 8) V32.0 V35.0 V33.0 %null", 47, "%null lacks its offset" },
	{ "svm_atomic.add (M1, 8) V32.0 V35.0 V33.0 %null.32", 42, "%null has no byte 32" },
	{ "svm_atomic.add (M1, 8) V32.4 V35.0 V33.0 %null.0", 24, "offset 4 is no multiple of 32" },
	{ "svm_atomic.add (M1, 8) V32.0 V35.32 V33.0 %null.0", 30,
	  "8 elements from byte 32 on lead beyond the end of V35" },
	{ "svm_atomic.add (M1, 8) V32.32 V35.0 V33.0 %null.0", 24,
	  "beyond the end of V32, which has 64 bytes" },
	{ "svm_atomic.add (M1, 8) V32.65536 V35.0 V33.0 %null.0", 28,
	  "an offset in bytes is 0 to 65535" },
	{ "svm_atomic.add (M1, 8) V32.(1/0) V35.0 V33.0 %null.0", 30, "no value of 32 bits" },
	{ "svm_atomic.add (M1, 8) V32.(0-32) V35.0 V33.0 %null.0", 28,
	  "an offset in bytes is 0 to 65535" },
	{ "svm_atomic.add (M1, 8) V32.0 V35.0 V33.0", 41,
	  "an operand such as V32.0 or %null.0 belongs here, not the end of the line" },
	{ "svm_atomic.add (M1, 8) V32.0, V35.0 V33.0 %null.0", 29, "an operand such as" },
	{ "svm_atomic.add (M1, 8) V32.0 V35.0 V33.0 %null.0 V34.0", 50,
	  "the line should end here, not continue with 'V34'" },
	{ "(P1) fence_global.E", 6, "a fence has no predicate" },
	{ "fence_global.IE", 15, "a fence has some of E, I, S, C, R, L1, in this order" },
	{ "mov (M1, 8) V32.0 V33.0", 1,
	  "not supported: instruction 'mov'; of vISA faa executes svm_atomic, ret" },
	{ "(P1) MOV (M1, 8) V32.0 V33.0", 6, "not supported: instruction 'MOV'" },
	{ "svm_gather.4 (M1, 8) V32.0 V33.0", 1, "not supported: instruction 'svm_gather'" },
	{ "lsc_atomic_iadd.ugm (M1, 8) V32:d32", 1,
	  "not supported: instruction 'lsc_atomic_iadd'" },
	{ "sbarrier.signal", 1, "not supported: instruction 'sbarrier'" },
	{ "max (M1, 8) V32.0 V33.0", 1, "not supported: instruction 'max'" },
	{ "movx (M1, 8) V32.0 V33.0", 1, "'movx' is no instruction of vISA" },
	{ "svm_atomics.add (M1, 8)", 1, "'svm_atomics' is no instruction of vISA" },
	{ "fminmax (M1, 8)", 1, "'fminmax' is no instruction of vISA" },
	{ "x:\nx:", 1, "duplicate label x" },
	{ ".decl V33 v_type=G type=ud num_elts=8", 7, "V33 is declared already" },
	{ ".decl X v_type=G num_elts=8", 7, "lacks type=" },
	{ ".decl X v_type=G type=v num_elts=8", 23, "'v' is no type of a variable" },
	{ ".decl X v_type=G type=ud num_elts=0", 7, "X has no elements" },
	{ ".decl X v_type=P num_elts=33", 7, "a predicate has up to 32 elements" },
	{ ".decl X v_type=P type=ud num_elts=8", 7, "v_type=G alone has type=" },
	{ ".decl X v_type=Q num_elts=8", 16, "v_type is G, A, P, S or T" },
	{ ".decl X v_type=G type=ud num_elts=8 align=page", 43, "'page' is no alignment" },
	{ ".decl X v_type=G type=ud num_elts=8 type=ud", 37, "duplicate type" },
	{ ".decl X v_type=G type=ud num_elts=8 alias=<V99, 0>", 44,
	  "V99 is no general variable that is declared before" },
	{ ".decl X v_type=G type=ud num_elts=8 alias=<V33, 4>", 7, "leads beyond the end of V33" },
	{ ".decl X v_type=G type=ud num_elts=2 alias=<V33, 2>", 7, "cannot begin at byte 2" },
	{ ".decl X v_type=G type=ud num_elts=4 alias=<V33, 16>\nsvm_atomic.inc (M1, 4) V32.0 X.0 %null.0 %null.0",
	  30, "byte 16 of the variable that X aliases does not" },
	{ ".input P1 offset=32 size=8", 8, "P1 cannot be an input" },
	{ ".input V33 offset=32 size=64", 8, "an input of 64 bytes, but its variable has 32" },
	{ ".input V33 offset=48", 8, "byte 48 is none" },
	{ ".input V33 offset=0", 8, "inputs begin at byte 32" },
	{ ".input V33 offset=32\n.input V34 offset=32", 8, "which overlap input number 1" },
	{ ".input V33 size=32", 8, "lacks offset=" },
	{ ".kernel_attr Target=\"gl\"", 21, "Target is \"cm\" or \"3d\"" },
	{ ".kernel_attr SimdSize=\"x\"", 23, "the attribute's value belongs here" },
	{ ".kernel \"again\"", 1, "a second kernel" },
	{ ".version 3.6", 1, ".version must be the first statement" },
	{ ".global_function \"f\"", 1, "not supported: directive '.global_function'" },
	{ ".functions \"f\"", 1, "'.functions' is no directive of vISA; those that are read are" },
	{ "ret (M1, 1)\n.decl X v_type=P num_elts=8", 1,
	  "declarations come before the instructions" },
	{ "/* never", 1, "a comment has no end" },
};

/* In text without a kernel. */
static const struct refusal bare[] = {
	{ ".kernel \"k\"", 1, ".kernel needs .version" },
	{ ".version 5.0", 1, "version 5.0: 3 and 4 are known" },
	{ ".version x", 10, "a version such as 3.6" },
	{ ".input V32 offset=32", 1, ".input needs a .kernel" },
	{ "svm_atomic.inc (M1, 8) V031.0 V35.0 %null.0 %null.0", 24, "V031: undefined" },
	{ "svm_atomic.inc (M1, 8) V31.0 V35.0 %null.0 %null.0", 24, "V31 is predefined" },
	{ "svm_atomic.inc (M1, 8) V4294967296.0 V35.0 %null.0 %null.0", 24,
	  "undefined raw operand" },
	{ "(P4096) svm_atomic.inc (M1, 8) V32.0 V35.0 %null.0 %null.0", 2,
	  "predicates are number 1 to 4095" },
	{ "(!P0) svm_atomic.inc (M1, 8) V32.0 V35.0 %null.0 %null.0", 3,
	  "predicates are number 1 to 4095" },
	{ ".decl V32 v_type=G type=uq num_elts=8\nsvm_atomic.inc (M1, 8) V32.0 V33.0 %null.0 %null.0",
	  30, "V33: undefined" },
	{ "L1:\nL1:", 1, "duplicate label L1" },
	{ "x:\nL0:", 1, "duplicate label number 0" },
	{ "\xff", 1, "an instruction belongs here, not byte 0xff" },
};

static const struct refusal hex[] = {
	{ "4e0503000000200000000000210000000000000000000000230000", 28, "has 30 bytes, not 27" },
	{ "4e050300000020000000000021000000000000000000000023000000000000", 31,
	  "the instruction ends after 30 bytes" },
	{ "4e0", 2, "a byte has two hexadecimal digits" },
	{ "4e0x", 2, "a byte has two hexadecimal digits" },
	{ "zz", 1, "a byte in hexadecimal digits belongs here, not 'zz'" },
	{ "7d00", 1, "not supported: opcode 0x7d, dword_atomic; of vISA faa executes svm_atomic" },
	{ "2900", 1, "not supported: opcode 0x29, mov;" },
	{ "89", 1, "not supported: opcode 0x89, lsc_untyped;" },
	{ "00", 1, "vISA has no opcode 0x00" },
	{ "3b00", 1, "vISA has no opcode 0x3b" },
	{ "88", 1, "vISA has no opcode 0x88" },
	{ "ff", 1, "vISA has no opcode 0xff" },
	{ "4e0303000000200000000000210000000000000000000000230000000000", 2,
	  "not supported: svm_gather (0x03); of the SVM instructions" },
	{ "4e0803000000200000000000210000000000000000000000230000000000", 2,
	  "SVM has no operation 0x08" },
	{ "4e050b000000200000000000210000000000000000000000230000000000", 3,
	  "execution size code 11" },
	{ "4e0504000000200000000000210000000000000000000000230000000000", 3, "execution size 16" },
	{ "4e0503001000200000000000210000000000000000000000230000000000", 4,
	  "bit 12 of the predicate control" },
	{ "4e0503016000200000000000210000000000000000000000230000000000", 4,
	  "predicate combination 3" },
	{ "4e0503008000200000000000210000000000000000000000230000000000", 4, "P0 is no predicate" },
	{ "4e0503000080200000000000210000000000000000000000230000000000", 6,
	  "bit 7 of the operation" },
	{ "4e0503000060200000000000210000000000000000000000230000000000", 6, "width code 3" },
	{ "4e050300000e200000000000210000000000000000000000230000000000", 6, "operation code 14" },
	{ "4e0503000013200000000000210000000000000000000000230000000000", 6,
	  "not supported: svm_atomic.fadd, which later platforms alone have" },
	{ "4e0503000000200000000000210000000000000000000000000000002000", 25,
	  "%null has no byte 32" },
	{ "4e0503000000010000000000210000000000000000000000230000000000", 7, "V1 is predefined" },
	{ "4e0503000000200000000400210000000000000000000000230000000000", 7,
	  "offset 4 is no multiple" },
	{ "310000\n310000", 2, "duplicate label number 0" },
	{ "5c81", 2, "a software fence" },
};

static void check_refusal(enum faa_asm_format format, const char *text,
			  const struct refusal *expected, uint32_t line)
{
	struct faa_asm_error error;
	struct faa_asm_code *code;
	const char *at;

	/* The last line has the error. */
	for (at = expected->text; (at = strchr(at, '\n')); at++)
		line++;
	assert_int_equal(faa_asm_read(FAA_ASM_VISA, format, text, strlen(text), &code, &error),
			 -EINVAL);
	assert_null(code);
	if (error.line != line || error.column != expected->column ||
	    !strstr(error.text, expected->reason))
		fail_msg("'%s' gives %u:%u: '%s', not %u:%u: '%s'", expected->text, error.line,
			 error.column, error.text, line, expected->column, expected->reason);
}

static void test_refusals(void **state)
{
	unsigned int i;
	char text[4096];

	for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		snprintf(text, sizeof(text), "%s%s\n", prelude, bodies[i].text);
		check_refusal(FAA_ASM_TEXT, text, &bodies[i], PRELUDE_LINES + 1);
	}
	for (i = 0; i < sizeof(bare) / sizeof(bare[0]); i++)
		check_refusal(FAA_ASM_TEXT, bare[i].text, &bare[i], 1);
	for (i = 0; i < sizeof(hex) / sizeof(hex[0]); i++)
		check_refusal(FAA_ASM_HEX, hex[i].text, &hex[i], 1);
}

/* A CISA file that is truncated, or in which a byte is changed, is rejected or is code again. */
static void test_broken_files(void **state)
{
	struct faa_asm_code *code = read_form(FAA_ASM_TEXT, everything, strlen(everything)), *other;
	struct faa_asm_error error;
	size_t size, i;
	char *data = write_form(code, FAA_ASM_CISA, &size);
	unsigned int bit;

	faa_asm_destroy(code);
	for (i = 0; i < size; i++) {
		char *cut = malloc(i + 1);

		assert_non_null(cut);
		memcpy(cut, data, i);
		assert_int_equal(faa_asm_read(FAA_ASM_VISA, FAA_ASM_CISA, cut, i, &other, &error),
				 -EINVAL);
		assert_true(error.text[0]);
		free(cut);
	}
	for (i = 0; i < 8 * size; i++) {
		bit = 1u << i % 8;
		data[i / 8] ^= (char)bit;
		if (faa_asm_read(FAA_ASM_VISA, FAA_ASM_CISA, data, size, &other, &error)) {
			assert_true(error.text[0]);
		} else if (other) {
			check_forms(other);
			faa_asm_destroy(other);
		}
		data[i / 8] ^= (char)bit;
	}
	free(data);
}

static void test_no_file(void **state)
{
	static const char *const texts[] = { "ret (M1, 1)",
					     ".version 3.3\n.kernel \"k\"\nret (M1, 1)" };
	struct faa_asm_error error;
	unsigned int i;
	size_t size;
	void *data;

	for (i = 0; i < 2; i++) {
		struct faa_asm_code *code = read_form(FAA_ASM_TEXT, texts[i], strlen(texts[i]));

		assert_int_equal(faa_asm_write(code, FAA_ASM_CISA, &data, &size, &error), -EINVAL);
		assert_non_null(strstr(error.text, i ? "from version 3.4 on" : "holds a kernel"));
		assert_int_equal(faa_asm_write(code, FAA_ASM_BUNDLE, &data, &size, &error),
				 -EOPNOTSUPP);
		faa_asm_destroy(code);
	}
}

#ifdef CHECK_ALLOC
/* Each allocation fails once; no memory leaks, and no partial result remains. */
static void try_all(const char *text, bool *done)
{
	static const enum faa_asm_format formats[] = { FAA_ASM_TEXT, FAA_ASM_HEX, FAA_ASM_CISA };
	const struct faa_asm_environment environment = { .lanes = 0xff };
	struct faa_asm_code *code, *again;
	struct faa_stream *stream;
	unsigned int i;
	size_t size;
	void *data;

	*done = !faa_asm_read(FAA_ASM_VISA, FAA_ASM_TEXT, text, strlen(text), &code, NULL);
	if (!*done)
		return;
	for (i = 0; *done && i < 3; i++) {
		*done = !faa_asm_write(code, formats[i], &data, &size, NULL);
		if (*done) {
			*done = !faa_asm_read(FAA_ASM_VISA, formats[i], data, size, &again, NULL);
			faa_asm_destroy(again);
			free(data);
		}
	}
	if (*done && !faa_stream_create(&stream)) {
		faa_asm_emit(code, &environment, stream, NULL);
		faa_stream_destroy(stream);
	}
	faa_asm_destroy(code);
}

static void test_no_memory(void **state)
{
	unsigned int nth;
	bool done, failed = true;

	for (nth = 0; failed; nth++) {
		check_alloc_fail(nth);
		try_all(everything, &done);
		failed = check_alloc_failed();
		assert_true(done || failed);
	}
	assert_true(nth > 20);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),	  cmocka_unit_test(test_edges),
		cmocka_unit_test(test_minimal),	  cmocka_unit_test(test_everything),
		cmocka_unit_test(test_versions),  cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_signs),	  cmocka_unit_test(test_function),
		cmocka_unit_test(test_labels),	  cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_refusals),  cmocka_unit_test(test_broken_files),
		cmocka_unit_test(test_no_file),
#ifdef CHECK_ALLOC
		cmocka_unit_test(test_no_memory),
#endif
	};

	return RUN_TESTS(tests, NULL, NULL);
}
