// SPDX-License-Identifier: MIT
/*
 * SASS: words, bundles and text compared with external vectors; every word in both directions;
 * errors and their positions.
 */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sass/sass.h"
#include "tsv.h"
#include "../run_tests.h"
#ifdef CHECK_ALLOC
#include "../lib/check_alloc.h"
#endif

/* One line of text without its end; it lasts until the next call. */
static const char *text_of(uint64_t word, uint32_t control)
{
	static char line[256];
	const struct sass_item item = { word, control, 0 };
	struct faa_output output = { 0 };

	sass_print(&output, &item);
	assert_in_range(output.size, 2, sizeof(line) - 1);
	assert_int_equal(output.bytes[output.size - 1], '\n');
	memcpy(line, output.bytes, output.size - 1);
	line[output.size - 1] = 0;
	faa_output_drop(&output);
	return line;
}

/* The instruction of one text; false, with @error, if it is rejected. */
static bool assemble(const char *text, struct sass_item *item, struct faa_asm_error *error)
{
	struct faa_asm_code *code;
	int ret = faa_asm_read(FAA_ASM_SASS, FAA_ASM_TEXT, text, strlen(text), &code, error);

	if (ret) {
		assert_int_equal(ret, -EINVAL);
		assert_null(code);
		return false;
	}
	assert_int_equal(faa_asm_count(code), 1);
	*item = ((struct sass_code *)code)->items[0];
	faa_asm_destroy(code);
	return true;
}

static void check_word(const char *text, uint64_t word)
{
	struct faa_asm_error error;
	struct sass_item item;

	if (!assemble(text, &item, &error))
		fail_msg("%s: %u:%u: %s", text, error.line, error.column, error.text);
	if (item.word != word)
		fail_msg("%s: 0x%016" PRIx64 ", expected 0x%016" PRIx64, text, item.word, word);
}

/* ---- vectors ---- */

static unsigned int find(const char *const *texts, unsigned int count, const char *text)
{
	unsigned int n;

	for (n = 0; n < count && strcmp(texts[n], text); n++)
		;
	assert_in_range(n, 0, count - 1);
	return n;
}

static void check_cells(const struct tsv *t, const struct sass_instruction *i)
{
	const char *form = tsv_text(t, "form");

	assert_int_equal(i->field[SASS_OP], find(sass_op_texts, SASS_OPS, tsv_text(t, "op")));
	/* The sign of CAS on a surface is in the word, that of ATOMS.CAS is not. */
	assert_string_equal(sass_size_texts[i->field[SASS_SIZE]], tsv_text(t, "sz"));
	assert_int_equal(i->field[SASS_PG], tsv_number(t, "Pg"));
	assert_int_equal(i->field[SASS_PG_NOT], tsv_number(t, "PgNot"));
	assert_int_equal(i->field[SASS_RD], tsv_number(t, "Rd"));
	assert_int_equal(i->field[SASS_RA], tsv_number(t, "Ra"));
	assert_int_equal(i->field[SASS_RB], tsv_number(t, "Rb"));
	assert_int_equal(i->field[SASS_IMM], tsv_number(t, "imm22"));
	assert_int_equal(i->field[SASS_BCRZ], tsv_number(t, "bcRZ"));
	assert_int_equal(i->field[sass_has(i, SASS_RC) ? SASS_RC : SASS_INDEX],
			 tsv_number(t, "handle"));
	if (sass_is_atoms(i))
		return;
	assert_int_equal(i->field[SASS_DIM], find(sass_dim_texts, SASS_DIMS, tsv_text(t, "dim")));
	assert_int_equal(i->field[SASS_CLAMP],
			 find(sass_clamp_texts, SASS_CLAMPS, tsv_text(t, "clamp")));
	assert_int_equal(i->field[SASS_BA], tsv_number(t, "BA"));
	if (strcmp(form, "SUATOM_IMM") && strcmp(form, "SUATOM_REG"))
		assert_int_equal(i->field[SASS_PS], tsv_number(t, "Ps"));
}

/*
 * Whether the specification does not give the row's size to its operation; the row has a word
 * nevertheless.
 */
static bool breaks_sizes(const struct tsv *t)
{
	const char *op = tsv_text(t, "op"), *size = tsv_text(t, "sz");
	bool exch = !strcmp(op, "EXCH"), inc = !strcmp(op, "INC") || !strcmp(op, "DEC");

	return !strcmp(tsv_text(t, "form"), "ATOMS") &&
	       (!strcmp(size, "S64") || (!strcmp(size, "U64") && !exch) ||
		(!strcmp(size, "S32") && inc));
}

static void check_row(const struct tsv *t)
{
	const char *text = tsv_text(t, "seed_syntax");
	uint64_t word = tsv_number(t, "word");
	struct sass_instruction i;
	struct faa_asm_error error;
	struct sass_item item;
	char sparse[256];

	assert_true(sass_decode(word, &i));
	check_cells(t, &i);
	assert_true(sass_encode(&i) == word);
	/*
	 * The vectors omit a Ps that is PT. Such a word has the form with Ps, which distinguishes
	 * it from the form without.
	 */
	if (i.form == SASS_FORM_SUATOM_REG_SPARSE && i.field[SASS_PS] == SASS_PT) {
		size_t before = (size_t)(strstr(text, ", [") - text);

		while (text[before - 1] != ' ')
			before--;
		snprintf(sparse, sizeof(sparse), "%.*sPT, %s", (int)before, text, text + before);
		text = sparse;
	}
	assert_string_equal(text_of(word, SASS_CONTROL_NONE), text);
	if (!breaks_sizes(t)) {
		check_word(text, word);
		return;
	}
	assert_false(assemble(text, &item, &error));
	assert_non_null(strstr(error.text, "has no size"));
	assert_int_equal(error.column, strstr(text, tsv_text(t, "sz")) - text);
}

static void test_vectors(void **state)
{
	struct tsv t;

	for (tsv_open(&t, "sass/sass_words.tsv", NULL); tsv_next(&t);)
		check_row(&t);
	for (tsv_open(&t, "sass/sass_words_sparse_f16.tsv", NULL); tsv_next(&t);)
		check_row(&t);
}

/* ".2D_ARRAY" of "SULD.D.BA.2D_ARRAY.U16" */
static bool has_modifier(const char *text, const char *name)
{
	size_t length = strlen(name);

	while ((text = strchr(text, '.'))) {
		text++;
		if (!strncmp(text, name, length) && strchr(". ", text[length]))
			return true;
	}
	return false;
}

/*
 * Instructions of the vendor that the specification does not describe share fields; their words are
 * data here.
 */
static void check_neighbour(const char *text, uint64_t word)
{
	const char *dim = sass_dim_texts[word >> 33 & 7], *clamp = sass_clamp_texts[word >> 49 & 3];
	struct sass_instruction i;
	struct faa_asm_error error;
	struct sass_item item;

	assert_true(has_modifier(text, dim));
	assert_true(has_modifier(text, clamp) || !strcmp(clamp, "NEAR"));
	assert_false(sass_decode(word, &i));
	assert_false(assemble(text, &item, &error));
	assert_int_equal(error.column, strstr(text, "SU") - text + 1);
	check_word(text_of(word, SASS_CONTROL_NONE), word);
}

static void test_vendor_text(void **state)
{
	unsigned int atoms = 0, neighbours = 0;
	struct tsv t;

	for (tsv_open(&t, "sass/sass_vendor_text.tsv", NULL); tsv_next(&t);) {
		const char *text = tsv_text(&t, "vendor_text");
		uint64_t word = tsv_number(&t, "word");

		if (strstr(text, "ATOMS")) {
			check_word(text, word);
			check_word(text_of(word, SASS_CONTROL_NONE), word);
			atoms++;
		} else {
			check_neighbour(text, word);
			neighbours++;
		}
	}
	assert_true(atoms && neighbours);
}

/* An instruction's part of a control word as envydis writes it. */
static int envydis_control(char *out, size_t size, uint32_t control)
{
	uint32_t wr = control >> SASS_WR_SHIFT & 7, rd = control >> SASS_RD_SHIFT & 7;
	uint32_t req = control >> SASS_REQ_SHIFT & 63, reuse = control >> SASS_REUSE_SHIFT & 15;
	int n = snprintf(out, size, " (st 0x%x%s", control & 15, control & 16 ? " yl" : "");

	if (wr != SASS_NO_BARRIER)
		n += snprintf(out + n, size - (size_t)n, " wr 0x%x", wr);
	if (rd != SASS_NO_BARRIER)
		n += snprintf(out + n, size - (size_t)n, " rd 0x%x", rd);
	if (req)
		n += snprintf(out + n, size - (size_t)n, " wt 0x%x", req);
	if (reuse)
		n += snprintf(out + n, size - (size_t)n, " ru 0x%x", reuse);
	return n + snprintf(out + n, size - (size_t)n, ")");
}

static void read_back(enum faa_asm_format from, const void *data, size_t size,
		      struct faa_asm_code **code)
{
	struct faa_asm_error error;

	if (faa_asm_read(FAA_ASM_SASS, from, data, size, code, &error))
		fail_msg("%u:%u: %s", error.line, error.column, error.text);
}

static void write_as(const struct faa_asm_code *code, enum faa_asm_format to, void **data,
		     size_t *size)
{
	struct faa_asm_error error;

	if (faa_asm_write(code, to, data, size, &error))
		fail_msg("%u: %s", error.line, error.text);
}

/* Bundle to text to bundle; returns the instructions. */
static struct faa_asm_code *check_bundle(const uint64_t *words, size_t size)
{
	struct faa_asm_code *code, *again;
	void *text, *bundle;
	size_t text_size, bundle_size;

	read_back(FAA_ASM_BUNDLE, words, size, &code);
	write_as(code, FAA_ASM_TEXT, &text, &text_size);
	read_back(FAA_ASM_TEXT, text, text_size, &again);
	write_as(again, FAA_ASM_BUNDLE, &bundle, &bundle_size);
	assert_int_equal(bundle_size, size);
	assert_memory_equal(bundle, words, size);
	faa_asm_destroy(again);
	free(text);
	free(bundle);
	return code;
}

static void test_control_words(void **state)
{
	struct tsv t;

	for (tsv_open(&t, "sass/sched_words.tsv", "word\tenvydis"); tsv_next(&t);) {
		uint64_t words[4] = { htole64(tsv_number(&t, "word")), htole64(0xEC0FFFE710970100),
				      htole64(0xEA7000860047020A), htole64(0x123456789abcdef0) };
		struct faa_asm_code *code = check_bundle(words, sizeof(words));
		const struct sass_code *sass = (const struct sass_code *)code;
		char text[256] = "sched";
		size_t n = strlen(text), slot;

		assert_int_equal(sass->count, 3);
		for (slot = 0; slot < 3; slot++) {
			n += (size_t)envydis_control(text + n, sizeof(text) - n,
						     sass->items[slot].control);
			assert_true(sass->items[slot].word == le64toh(words[1 + slot]));
		}
		assert_string_equal(text, tsv_text(&t, "envydis"));
		faa_asm_destroy(code);
	}
}

/* ---- every word ---- */

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t random_word(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1d;
}

/*
 * Text of a word gives the same word, or is rejected because the word breaks a rule. Returns
 * whether the word is legal.
 */
static bool check_any_word(uint64_t word)
{
	const char *text = text_of(word, SASS_CONTROL_NONE);
	struct sass_instruction i;
	struct faa_asm_error error;
	struct sass_item item;
	char why[256] = "";
	bool decodes = sass_decode(word, &i),
	     legal = decodes && sass_check(&i, why, sizeof(why)) < 0;

	assert_true(decodes == !!strncmp(text, ".word", 5));
	if (assemble(text, &item, &error)) {
		assert_true(item.word == word);
		assert_true(legal || !decodes);
		return true;
	}
	assert_true(decodes && !legal);
	assert_string_equal(error.text, why);
	return false;
}

static void test_words_of_forms(void **state)
{
	const unsigned int rounds = 30000;
	unsigned int form, n;

	for (form = 0; form < SASS_FORMS; form++) {
		const struct sass_encoding *encoding = &sass_encodings[form];
		unsigned int legal = 0, text = 0;
		struct sass_instruction i;

		for (n = 0; n < rounds; n++) {
			uint64_t word = encoding->word | (random_word() & ~encoding->mask);

			legal += check_any_word(word);
			if (sass_decode(word, &i)) {
				assert_int_equal(i.form, form);
				assert_true(sass_encode(&i) == word);
				text++;
			}
			/* A fixed bit with the wrong value. */
			check_any_word(word ^ 1ull << (random_word() & 63));
		}
		assert_in_range(text, rounds / 8, rounds);
		assert_in_range(legal, rounds / 1000, rounds);
	}
}

static void test_any_words(void **state)
{
	unsigned int n;

	for (n = 0; n < 100000; n++)
		check_any_word(random_word());
	check_any_word(0);
	check_any_word(UINT64_MAX);
}

/*
 * Any control word. Text of one with barrier 6, which does not exist, is written but rejected by
 * the reader.
 */
static void test_any_bundles(void **state)
{
	struct faa_asm_code *code;
	struct faa_asm_error error;
	uint64_t words[4];
	unsigned int n, slot;
	void *text;
	size_t size;

	for (n = 0; n < 5000; n++) {
		bool six = false;

		/* The words are data: this test is not about legal instructions. */
		for (slot = 0; slot < 4; slot++)
			words[slot] = htole64(slot ? random_word() >> 8 : random_word());
		for (slot = 0; slot < 6; slot++)
			six |= (le64toh(words[0]) >> (5 + 21 * (slot / 2) + 3 * (slot % 2)) & 7) ==
			       6;
		if (!six) {
			faa_asm_destroy(check_bundle(words, sizeof(words)));
			continue;
		}
		read_back(FAA_ASM_BUNDLE, words, sizeof(words), &code);
		write_as(code, FAA_ASM_TEXT, &text, &size);
		faa_asm_destroy(code);
		assert_int_equal(faa_asm_read(FAA_ASM_SASS, FAA_ASM_TEXT, text, size, &code,
					      &error),
				 -EINVAL);
		assert_non_null(strstr(error.text, "0 to 5, or 7 for none"));
		free(text);
	}
}

/* ---- spellings ---- */

static void test_seed_examples(void **state)
{
	static const char text[] =
		"ATOMS.ADD.S32 R0, [R1 - 400], R9;\n"
		"ATOMS.MIN.U32 R0, [R4 + 8], R2;\n"
		"ATOMS.ADD.U32 R9, [0x10], R8; # absolute 24-bit address\n"
		"ATOMS.CAS.U64 R0, [R4 + 8], R4, R6; # R4 is Reg4 aligned, Rc=Rb+2\n"
		"SUATOM.D.2D.ADD.IGN R10, [R2], R4, R1; // Coordinates in R2 and R3. SamplePtr and headerPtr in R1.\n";
	static const uint64_t words[] = { 0xEC0FFFE710970100, 0xEC10000080270400,
					  0xEC0000010087FF09, 0xEE50000080470400,
					  0xEA7000860047020A };
	struct faa_asm_code *code;
	size_t n;

	read_back(FAA_ASM_TEXT, text, sizeof(text) - 1, &code);
	assert_int_equal(faa_asm_count(code), sizeof(words) / sizeof(words[0]));
	for (n = 0; n < faa_asm_count(code); n++) {
		assert_true(((struct sass_code *)code)->items[n].word == words[n]);
		assert_int_equal(((struct sass_code *)code)->items[n].line, n + 1);
	}
	faa_asm_destroy(code);
}

static void test_spellings(void **state)
{
	static const struct {
		const char *text;
		uint64_t word;
	} rows[] = {
		{ "ATOMS.ADD R0, [R1 - 400], R9", 0xEC0FFFE700970100 },
		{ "ATOMS.ADD.32 R0,[R1-0x190],R9;", 0xEC0FFFE700970100 },
		{ "atoms.add.s32 r0 , [ r1 + -400 ] , r9 ;", 0xEC0FFFE710970100 },
		{ "@PT ATOMS.ADD.S32 R0, [R1+-0x190], R9;", 0xEC0FFFE710970100 },
		{ "@!P6\nATOMS.ADD.S32\nR0, [R1 - 400], R9\n&req_000011\n&rd1\n&wr2\n?trans1\n;",
		  0xEC0FFFE7109E0100 },
		{ "ATOMS.ADD R9, [RZ + 0x10], R8;", 0xEC0000010087FF09 },
		{ "ATOMS.ADD R9, [RZ+#16], R8;", 0xEC0000010087FF09 },
		{ "ATOMS.ADD R9, [#0x10], R8;", 0xEC0000010087FF09 },
		{ "ATOMS.ADD R9, [16], R8;", 0xEC0000010087FF09 },
		{ "ATOMS.ADD R9, [0xfffffc], R8;", 0xEC0FFFFFC087FF09 },
		{ "ATOMS.ADD R9, [RZ], R8;", 0xEC0000000087FF09 },
		{ "ATOMS.ADD R9, [0], R8;", 0xEC0000000087FF09 },
		{ "ATOMS.ADD R9, [RZ - 0], R8;", 0xEC0000000087FF09 },
		{ "ATOMS.ADD R9, [R1 - 0x800000], R8;", 0xEC08000000870109 },
		{ "ATOMS.ADD R9, [R1 + 0x7ffffc], R8;", 0xEC07FFFFC0870109 },
		{ "ATOMS.CAS.64 R0, [R4 + 8], R4, R6;", 0xEE50000080470400 },
		{ "ATOMS.CAS.S32 R0, [R6], R4, R5", 0xEE40000000470600 },
		{ "ATOMS.CAST.SPIN.64 R0, [R4 + 0x18], R4, R6;", 0xEE30000180470400 },
		{ "ATOMS.CAST.SPIN R0, [R4 + 0x18], R4, RZ;", 0xEE20000190470400 },
		{ "SUATOM.D.BA.1D.ADD.U64.TRAP R2, [R3], R4, 0x100;", 0xEA14100010470302 },
		{ "SUATOM.D.BA.1D.ADD.64.TRAP R2, [R3], R4, #256;", 0xEA14100010470302 },
		{ "SUATOM.D.BA.1D.ADD.64.TRAP R2, [R3], R4, # the handle\n#256;",
		  0xEA14100010470302 },
		{ "SUATOM.D.2D.CAS.U32.NEAR R10, [R2], R4, 0x20;", 0xEA8202060047020A },
		{ "SUATOM.D.2D.CAS R10, [R2], R4, 0x20;", 0xEA8202060047020A },
		{ "SUATOM.D.2D.CAS PT, R10, [R2], R4, 0x20;", 0xEA8202060047020A },
		{ "SUATOM.D.2D.CAS P2, R10, [R2], R4, 0x20;", 0xEA8202074047020A },
		{ "SUATOM.D.2D.ADD P0, R10, [R2], R4, R1;", 0xEBBA00860047020A },
		{ "SUATOM.D.2D.ADD.F16x2.RN PT, R10, [R2], R4, R1;", 0xEB8200C60047020A },
		{ "SUATOM.D.2D.ADD.F16X2.FTZ.RN.IGN R10, [R2], R4, R1;", 0xEA7000C60047020A },
		{ ".word 0x123;", 0x123 },
		{ ".word 18446744073709551615", UINT64_MAX },
		{ "NOP;", 0x50b0000000070f00 },
		{ "@!P2 NOP", 0x50b00000000a0f00 },
		{ "/* a\n b */ ATOMS.ADD R9, /* c */ [16], R8 // d", 0xEC0000010087FF09 },
		{ ";;ATOMS.ADD R9, [16], R8;;", 0xEC0000010087FF09 },
	};
	size_t n;

	for (n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		check_word(rows[n].text, rows[n].word);
}

/* The ';' may be missing at the end of a line; annotations may follow on the next one. */
static void test_lines(void **state)
{
	static const char text[] = "ATOMS.ADD R9, [16], R8\n"
				   "ATOMS.CAS R0, [R6], R4, R5 // no end\n"
				   "SUATOM.D.2D.ADD.IGN R10, [R2], R4, R1\n\n"
				   "SUATOM.D.2D.ADD.IGN R10, [R2], R4, 1 /* two\nlines */ &wr1\n"
				   "&rd2\n"
				   "NOP\n"
				   "@P0 NOP; .word 3\n"
				   ".word 4";
	struct faa_asm_code *code;
	const struct sass_item *items;

	read_back(FAA_ASM_TEXT, text, sizeof(text) - 1, &code);
	assert_int_equal(faa_asm_count(code), 8);
	items = ((struct sass_code *)code)->items;
	assert_int_equal(items[1].line, 2);
	assert_int_equal(items[3].control, 2 << SASS_RD_SHIFT | 1 << SASS_WR_SHIFT);
	assert_int_equal(items[4].line, 8);
	assert_true(items[7].word == 4);
	faa_asm_destroy(code);
}

static void check_control(const char *annotations, uint32_t control, const char *canonical)
{
	struct faa_asm_error error;
	struct sass_item item;
	char text[256];

	snprintf(text, sizeof(text), "NOP %s;", annotations);
	if (!assemble(text, &item, &error))
		fail_msg("%s: %u:%u: %s", text, error.line, error.column, error.text);
	assert_int_equal(item.control, control);
	snprintf(text, sizeof(text), "NOP%s%s;", *canonical ? " " : "", canonical);
	assert_string_equal(text_of(item.word, item.control), text);
}

static void test_annotations(void **state)
{
	uint32_t n;
	char name[64];

	check_control("", 0x7e0, "");
	check_control("?DRAIN", 0x7e0, "");
	check_control("?YIELD_SB", 0x7e0, "");
	check_control("?off_deck_drain", 0x7e0, "");
	check_control("&req={0,5}", 0x7e0 | 0x21 << 11, "&req={0,5}");
	check_control("&req = { 5 , 0 }", 0x7e0 | 0x21 << 11, "&req={0,5}");
	check_control("&req={}", 0x7e0, "");
	check_control("&req=0x21", 0x7e0 | 0x21 << 11, "&req={0,5}");
	check_control("&req=33", 0x7e0 | 0x21 << 11, "&req={0,5}");
	check_control("&req_100001", 0x7e0 | 0x21 << 11, "&req={0,5}");
	check_control("&rd=0x1", 0x1e0, "&rd=0x1");
	check_control("&rd5", 0x5e0, "&rd=0x5");
	check_control("&wr=0", 0x700, "&wr=0x0");
	check_control("&wr3", 0x760, "&wr=0x3");
	check_control("&wr=7 &rd7", 0x7e0, "");
	check_control("&reuse=7", 0x7e0 | 7 << 17, "&reuse=0x7");
	check_control("&bit63", 0x7e0 | 1 << 21, "&bit63");
	check_control("?trans4 &wr=0x2 &rd=0x1 &req={1}", 0x1154,
		      "&req={1} &rd=0x1 &wr=0x2 ?trans4");
	check_control("?floxy2", 0x7f0, "?floxy2");
	check_control("?PIXBAR", 0x7fc, "?PIXBAR");
	check_control("?YLD", 0x7fd, "?YIELD");
	check_control("?YIELD6", 0x7fd, "?YIELD");
	check_control("?YIELD8", 0x7fe, "?YIELD8");
	check_control("?OFF_DECK", 0x7ff, "?OFF_DECK");
	for (n = 1; n <= 15; n++) {
		snprintf(name, sizeof(name), "?WAIT%u_END_GROUP", n);
		check_control(name, 0x7e0 | n, name);
	}
	for (n = 1; n <= 11; n++) {
		char alias[64];

		snprintf(name, sizeof(name), "?trans%u", n);
		check_control(name, 0x7f0 + n, name);
		snprintf(alias, sizeof(alias), "?W%u", n);
		check_control(alias, 0x7f0 + n, name);
		snprintf(alias, sizeof(alias), "?WAIT%u_BOOST", n);
		check_control(alias, 0x7f0 + n, name);
	}
	check_control("?W15G", 0x7ef, "?WAIT15_END_GROUP");
	check_control("?WAIT3_GROUP", 0x7e3, "?WAIT3_END_GROUP");
}

/* ---- refusals ---- */

static void test_refusals(void **state)
{
	static const struct {
		const char *text;
		uint32_t line, column;
		const char *why;
	} rows[] = {
		/* The two examples of the specification that break its rules. */
		{ "ATOMS.CAST.SPIN.U32 R0, [R4 + 0x18], R4, R6;", 1, 42,
		  "Rc is R6: with Rb = R4 and size .U32 it is R5 (Rb+1) or RZ" },
		{ "SUATOM.D.BA.1D.U64.TRAP R2, [R3], R4, 0x100;", 1, 15,
		  "SUATOM needs an operation after its dimension" },
		{ "\n  ATOMS.CAS R0, [R1], R3, R4", 2, 23,
		  "Rb is R3: 32-bit CAS takes a register that is a multiple of 2" },
		{ "ATOMS.CAS.U64 R0, [R1], R2, R4", 1, 25,
		  "Rb is R2: 64-bit CAS takes a register that is a multiple of 4" },
		{ "ATOMS.CAS.U64 R0, [R1], R4, R5", 1, 29,
		  "Rc is R5: with Rb = R4 and size .U64 it is R6 (Rb+2) or RZ" },
		{ "ATOMS.CAS R0, [R1], RZ, RZ", 1, 21, "Rb of CAS cannot be RZ" },
		{ "ATOMS.CAST R0, [R1], RZ, R1", 1, 22, "Rb of CAST cannot be RZ" },
		{ "ATOMS.CAS.U64 R0, [R1], R252, R254", 1, 25,
		  "Rb is R252: 64-bit CAS takes 4 registers, and R254 is the last one" },
		{ "ATOMS.CAS R0, [R1], R254, R255", 1, 27, "'R255' is no register" },
		{ "ATOMS.CAS R0, [R1], R2", 1, 23, "',' is expected before Rc" },
		{ "ATOMS.CAS.S64 R0, [R1], R4, R6", 1, 10,
		  "ATOMS.CAS has no size .S64; it has .U32 .S32 .U64" },
		{ "ATOMS.CAS.U64 R1, [R1], R4, R6", 1, 15,
		  "Rd is R1: a 64-bit result takes a register that is a multiple of 2" },
		{ "ATOMS.EXCH.U64 R254, [R1], R4", 1, 16,
		  "Rd is R254: a 64-bit result takes 2 registers, and R254 is the last one" },
		{ "ATOMS.EXCH.U64 R0, [R1], R3", 1, 26,
		  "Rb is R3: a 64-bit value takes a register that is a multiple of 2" },
		{ "ATOMS.ADD.U64 R0, [R1], R4", 1, 10,
		  "ATOMS.ADD has no size .U64; it has .U32 .S32" },
		{ "ATOMS.INC.S32 R0, [R1], R4", 1, 10, "ATOMS.INC has no size .S32; it has .U32" },
		{ "ATOMS.ADD.F32.FTZ.RN R0, [R1], R4", 1, 10, "ATOMS.ADD has no size .F32.FTZ.RN" },
		{ "ATOMS.CAS.SPIN R0, [R1], R4, R5", 1, 10, "'.SPIN' is unknown here" },
		{ "ATOMS.CAST.U32.SPIN R0, [R1], R4, R5", 1, 15,
		  "'.SPIN' is unknown here; the order is ATOMS.CAS{.sz} or ATOMS.CAST{.SPIN}{.sz}" },
		{ "ATOMS.SUB R0, [R1], R4", 1, 6, "ATOMS needs an operation" },
		{ "ATOMS R0, [R1], R4", 1, 6, "ATOMS needs an operation" },
		{ "ATOMS.ADD R0, [R1], R4, R5", 1, 23, "ATOMS.ADD takes one value, Rb" },
		{ "ATOMS.ADD R0, [R1 + 2], R4", 1, 21, "the low 2 bits of an offset must be 0" },
		{ "ATOMS.ADD R0, [0x11], R4", 1, 16, "the low 2 bits of an address must be 0" },
		{ "ATOMS.ADD R0, [R1 + 0x800000], R4", 1, 21, "an offset has 24 bits with a sign" },
		{ "ATOMS.ADD R0, [R1 - 0x800004], R4", 1, 21, "an offset has 24 bits with a sign" },
		{ "ATOMS.ADD R0, [0x1000000], R4", 1, 16,
		  "an absolute address, or one on RZ, has 24 bits without a sign" },
		{ "ATOMS.ADD R0, [RZ - 4], R4", 1, 21,
		  "an absolute address, or one on RZ, has 24 bits without a sign" },
		{ "ATOMS.ADD R0, [-4], R4", 1, 16, "an absolute address has no sign" },
		{ "ATOMS.ADD R0, [R1 + R2], R4", 1, 21, "an offset is expected" },
		{ "ATOMS.ADD R0, [R1 + 99999999999999999999], R4", 1, 21,
		  "an offset does not fit 64 bits" },
		{ "ATOMS.ADD R0, [], R4", 1, 16, "a register is expected, not ']'" },
		{ "ATOMS.ADD R0, [R1, R4", 1, 18,
		  "']' is expected after the register of an address, not ','" },
		{ "ATOMS.ADD R0, R1, R4", 1, 15, "an address in [ ] is expected" },
		{ "ATOMS.ADD R256, [R1], R4", 1, 11,
		  "'R256' is no register: there are R0 to R254 and RZ" },
		{ "ATOMS.ADD R, [R1], R4", 1, 11, "'R' is no register" },
		{ "ATOMS.ADD R01, [R1], R4", 1, 11, "'R01' is no register" },
		{ "ATOMS.ADD P0, [R1], R4", 1, 11, "a register is expected, not 'P0'" },
		{ "@P7 ATOMS.ADD R0, [R1], R4", 1, 2,
		  "'P7' is no predicate: there are P0 to P6 and PT" },
		{ "@R1 ATOMS.ADD R0, [R1], R4", 1, 2, "'R1' is no predicate" },
		{ "SUATOM.P.2D.ADD R0, [R2], R4, R1", 1, 7, "SUATOM is followed by .D" },
		{ "SUATOM.D.4D.ADD R0, [R2], R4, R1", 1, 9, "SUATOM needs a dimension" },
		{ "SUATOM.D.2D.BA.ADD R0, [R2], R4, R1", 1, 12, "SUATOM needs an operation" },
		{ "SUATOM.D.2D.CAST R0, [R2], R4, R1", 1, 12, "SUATOM has no CAST" },
		{ "SUATOM.D.2D.ADD.TRAP.U32 R0, [R2], R4, R1", 1, 21,
		  "'.U32' is unknown here; the order is SUATOM.D{.BA}.dim.op{.sz}{.clamp}" },
		{ "SUATOM.D.2D.ADD.F32 R0, [R2], R4, R1", 1, 16, "'.F32' is unknown here" },
		{ "SUATOM.D.2D.ADD.SD64 R0, [R2], R4, R1", 1, 16, "SUATOM.ADD has no size .SD64" },
		{ "SUATOM.D.2D.INC.S32 R0, [R2], R4, R1", 1, 16,
		  "SUATOM.INC has no size .S32; it has .U32" },
		{ "SUATOM.D.2D.ADD R0, [R3], R4, R1", 1, 22,
		  "Ra is R3: 2D takes a register that is a multiple of 2" },
		{ "SUATOM.D.2D.ADD R0, [R254], R4, R1", 1, 22, "Ra is R254: 2D takes 2 registers" },
		{ "SUATOM.D.3D.ADD R0, [R2], R4, R1", 1, 22,
		  "Ra is R2: 3D takes a register that is a multiple of 4" },
		{ "SUATOM.D.1D.ADD R0, [RZ], R4, R1", 1, 22, "Ra of SUATOM cannot be RZ" },
		{ "SUATOM.D.1D.ADD R0, [R1], R4, RZ", 1, 31,
		  "Rc, the handle, of SUATOM cannot be RZ" },
		{ "SUATOM.D.1D.ADD R0, [R1 + 4], R4, R1", 1, 25,
		  "']' is expected after the register of coordinates" },
		{ "SUATOM.D.1D.ADD R0, [R1], R4, 0x2000", 1, 31,
		  "the index of the handle has 13 bits: 0 to 0x1fff" },
		{ "SUATOM.D.1D.ADD P0, R0, [R1], R4, 0x20", 1, 17,
		  "the sparse status Ps takes CAS, or a handle in a register" },
		{ "SUATOM.D.1D.CAS R0, [R1], RZ, R1", 1, 27, "Rb of CAS cannot be RZ" },
		{ "SUATOM.D.1D.CAS R0, [R1], R3, R1", 1, 27,
		  "Rb is R3: 32-bit CAS takes a register that is a multiple of 2" },
		{ "SUATOM.D.1D.CAS R0, [R1], R254, R1", 1, 27,
		  "Rb is R254: 32-bit CAS takes 2 registers" },
		{ "SUATOM.D.1D.CAS.U64 R0, [R1], R6, R1", 1, 31,
		  "Rb is R6: 64-bit CAS takes a register that is a multiple of 4" },
		{ "SUATOM.D.1D.ADD.U64 R0, [R1], R5, R1", 1, 31,
		  "Rb is R5: a 64-bit value takes a register that is a multiple of 2" },
		{ "SUATOM.D.1D.ADD.U64 R1, [R1], R4, R1", 1, 21,
		  "Rd is R1: a 64-bit result takes a register that is a multiple of 2" },
		{ "SUATOM.D.1D.ADD R0, [R1], R4", 1, 29,
		  "',' is expected before the handle, not the end" },
		{ "LDS R0, [R1]", 1, 1,
		  "not supported: instruction 'LDS'; of SASS faa executes ATOMS, SUATOM and NOP" },
		{ "@!P0 EXIT", 1, 6, "not supported: instruction 'EXIT'" },
		{ "iadd3.x R0, R1, R2, R3", 1, 1, "not supported: instruction 'iadd3'" },
		{ "LDSX R0, [R1]", 1, 1,
		  "an instruction is expected, ATOMS, SUATOM, NOP or .word, not 'LDSX'" },
		{ "ATOMSX.ADD R0, [R1], R4", 1, 1, "an instruction is expected" },
		{ "@P0", 1, 4,
		  "an instruction is expected, ATOMS, SUATOM, NOP or .word, not the end" },
		{ ".long 3", 1, 1,
		  "an instruction is expected, ATOMS, SUATOM, NOP or .word, not '.long'" },
		{ "NOP.S", 1, 4, "'.S' is unknown here" },
		{ ".word 0x10000000000000000", 1, 7, "a word does not fit 64 bits" },
		{ ".word R3", 1, 7, "a word is expected" },
		{ "ATOMS.ADD R0, [R1], R4 R5", 1, 24,
		  "';' is expected after the operands, not 'R5'" },
		{ "NOP NOP", 1, 5, "';' is expected after the operands, not 'NOP'" },
		{ "NOP; /* no end", 1, 6, "this comment does not end" },
		{ "NOP &rd=6", 1, 9, "&rd takes a barrier, 0 to 5, or 7 for none" },
		{ "NOP &wr6", 1, 9, "&wr takes a barrier, 0 to 5, or 7 for none" },
		{ "NOP &wr=", 1, 9, "a barrier is expected" },
		{ "NOP &wr", 1, 8, "'=' is expected after &wr" },
		{ "NOP &req_6", 1, 11, "&req is written &req={0,1}, &req=0x3 or &req_000011" },
		{ "NOP &req={6}", 1, 11, "a barrier is 0 to 0x5" },
		{ "NOP &req={0 1}", 1, 13, "',' or '}' is expected, not '1'" },
		{ "NOP &req=64", 1, 10, "the mask of &req is 0 to 0x3f" },
		{ "NOP &reuse=16", 1, 12, "the mask of &reuse is 0 to 0xf" },
		{ "NOP &rd=1 &rd=2", 1, 11, "duplicate annotation" },
		{ "NOP ?trans1 ?trans2", 1, 13, "duplicate annotation" },
		{ "NOP ?trans12", 1, 5, "unknown scheduling" },
		{ "NOP ?WAIT0_END_GROUP", 1, 5, "unknown scheduling" },
		{ "NOP &foo", 1, 5, "the annotations are" },
		{ "NOP;\n\n  ATOMS.ADD\tR0, [R1], \xc3\xa4", 3, 23,
		  "a register is expected, not byte 0xc3" },
	};
	size_t n;

	for (n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct faa_asm_error error;
		struct sass_item item;

		if (assemble(rows[n].text, &item, &error))
			fail_msg("%s: is taken as 0x%016" PRIx64, rows[n].text, item.word);
		if (error.line != rows[n].line || error.column != rows[n].column ||
		    strncmp(error.text, rows[n].why, strlen(rows[n].why)))
			fail_msg("%s: %u:%u: %s", rows[n].text, error.line, error.column,
				 error.text);
	}
}

/* ---- forms as a whole ---- */

static void test_empty(void **state)
{
	static const enum faa_asm_format formats[] = { FAA_ASM_TEXT, FAA_ASM_HEX, FAA_ASM_BUNDLE };
	struct faa_asm_code *code;
	void *data;
	size_t n, size;

	for (n = 0; n < 3; n++) {
		read_back(formats[n], NULL, 0, &code);
		assert_int_equal(faa_asm_count(code), 0);
		write_as(code, formats[n], &data, &size);
		assert_int_equal(size, 0);
		free(data);
		faa_asm_destroy(code);
	}
	read_back(FAA_ASM_TEXT, " // nothing\n", 12, &code);
	assert_int_equal(faa_asm_count(code), 0);
	faa_asm_destroy(code);
}

static void test_hex(void **state)
{
	static const char text[] =
		"0xec0fffe710970100\r\n\n  EC10000080270400 # MIN\n// none\n0x1 // one";
	struct faa_asm_code *code;
	void *data;
	size_t size;

	read_back(FAA_ASM_HEX, text, sizeof(text) - 1, &code);
	write_as(code, FAA_ASM_HEX, &data, &size);
	assert_string_equal(data, "0xec0fffe710970100\n0xec10000080270400\n0x0000000000000001\n");
	assert_int_equal(size, strlen(data));
	free(data);
	write_as(code, FAA_ASM_TEXT, &data, &size);
	assert_string_equal(
		data,
		"ATOMS.ADD.S32 R0, [R1 - 0x190], R9;\nATOMS.MIN.U32 R0, [R4 + 0x8], R2;\n.word 0x0000000000000001;\n");
	free(data);
	faa_asm_destroy(code);
}

static void check_refused(enum faa_asm_format format, const char *data, size_t size, uint32_t line,
			  uint32_t column, const char *why)
{
	struct faa_asm_code *code;
	struct faa_asm_error error;

	assert_int_equal(faa_asm_read(FAA_ASM_SASS, format, data, size, &code, &error), -EINVAL);
	assert_int_equal(error.line, line);
	assert_int_equal(error.column, column);
	assert_string_equal(error.text, why);
	assert_int_equal(faa_asm_read(FAA_ASM_SASS, format, data, size, &code, NULL), -EINVAL);
}

static void test_hex_refusals(void **state)
{
	check_refused(FAA_ASM_HEX, "0x1\n0x1g", 8, 2, 1, "'0x1g' is no hexadecimal number");
	check_refused(FAA_ASM_HEX, "0x12345678123456781", 19, 1, 1,
		      "a word has up to 16 hexadecimal digits, not 17");
	check_refused(FAA_ASM_HEX, " 1 2", 4, 1, 4,
		      "one word a line is expected, not '2' after it");
	check_refused(FAA_ASM_HEX, "0x", 2, 1, 1, "'0x' is no hexadecimal number");
	check_refused(FAA_ASM_HEX, "_1", 2, 1, 1, "'_1' is no hexadecimal number");
	check_refused(FAA_ASM_HEX, "+1", 2, 1, 1, "a word of 64 bits is expected, not '+'");
	check_refused(FAA_ASM_HEX, "1\0", 2, 1, 2,
		      "one word a line is expected, not byte 0x00 after it");
}

static void test_bundles(void **state)
{
	static const char text[] = "NOP; NOP; NOP; ATOMS.ADD R0, [R1], R2 &wr=0x1;";
	static const uint64_t nop = 0x50b0000000070f00;
	struct faa_asm_error error;
	struct faa_asm_code *code;
	uint64_t *words;
	void *data;
	size_t size;

	read_back(FAA_ASM_TEXT, text, sizeof(text) - 1, &code);
	write_as(code, FAA_ASM_BUNDLE, &data, &size);
	assert_int_equal(size, 64);
	words = data;
	assert_true(le64toh(words[0]) == 0x001F8000FC0007E0);
	assert_true(le64toh(words[3]) == nop);
	assert_true(le64toh(words[4]) == (0x001F8000FC0007E0 & ~(6ull << 5)));
	assert_true(le64toh(words[5]) == 0xec00000000270100);
	assert_true(le64toh(words[6]) == nop && le64toh(words[7]) == nop);
	free(data);
	faa_asm_destroy(code);
	check_refused(FAA_ASM_BUNDLE, text, 40, 2, 0, "the last bundle has 8 bytes, not 32");
	read_back(FAA_ASM_TEXT, "NOP;\nNOP &bit63;", 16, &code);
	assert_int_equal(faa_asm_write(code, FAA_ASM_BUNDLE, &data, &size, &error), -EINVAL);
	assert_int_equal(error.line, 2);
	assert_string_equal(error.text, "&bit63 is for the third instruction of a bundle");
	faa_asm_destroy(code);
}

#ifdef CHECK_ALLOC
/* When memory runs out, no partial result remains, whatever the operation. */
static void test_no_memory(void **state)
{
	static const enum faa_asm_format formats[] = { FAA_ASM_TEXT, FAA_ASM_HEX, FAA_ASM_BUNDLE };
	char text[100 * 5 + 1];
	struct faa_asm_error error;
	struct faa_asm_code *code;
	unsigned int nth, n;
	void *data;
	size_t size;
	int ret;

	for (n = 0; n < 100; n++)
		memcpy(text + 5 * n, "NOP;\n", 5);
	for (nth = 0;; nth++) {
		check_alloc_fail(nth);
		ret = faa_asm_read(FAA_ASM_SASS, FAA_ASM_TEXT, text, 500, &code, &error);
		if (!check_alloc_failed())
			break;
		assert_int_equal(ret, -ENOMEM);
		assert_null(code);
		assert_string_not_equal(error.text, "");
	}
	assert_int_equal(ret, 0);
	assert_true(nth > 1);
	for (n = 0; n < 3; n++) {
		for (nth = 0;; nth++) {
			check_alloc_fail(nth);
			ret = faa_asm_write(code, formats[n], &data, &size, &error);
			if (!check_alloc_failed())
				break;
			assert_int_equal(ret, -ENOMEM);
			assert_null(data);
		}
		assert_int_equal(ret, 0);
		free(data);
	}
	faa_asm_destroy(code);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),	      cmocka_unit_test(test_vendor_text),
		cmocka_unit_test(test_control_words), cmocka_unit_test(test_words_of_forms),
		cmocka_unit_test(test_any_words),     cmocka_unit_test(test_any_bundles),
		cmocka_unit_test(test_seed_examples), cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_lines),	      cmocka_unit_test(test_annotations),
		cmocka_unit_test(test_refusals),      cmocka_unit_test(test_empty),
		cmocka_unit_test(test_hex),	      cmocka_unit_test(test_hex_refusals),
		cmocka_unit_test(test_bundles),
#ifdef CHECK_ALLOC
		cmocka_unit_test(test_no_memory),
#endif
	};

	return RUN_TESTS(tests, NULL, NULL);
}
