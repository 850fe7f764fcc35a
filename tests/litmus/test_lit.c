// SPDX-License-Identifier: MIT
/*
 * The parser of litmus tests: accepted files, positions of errors, and robustness with damaged
 * files.
 */
#include "../unit/lib/check.h"

#include <errno.h>
#include <glob.h>
#include <string.h>

#include "herd.h"
#include "model.h"
#include "test_wrong.h"

#define HEAD  "faa-litmus 1\nname T\ninit x=0 y=-7\n"
#define BODY  HEAD "thread 0 cta=0 dev=0\n ld weak r0 x\nthread 1 host\n st release.sys y 1\n"
#define TABLE "columns 0:r0 x y\n"

static const struct wrong_file wrong[] = {
	{ "", 1, 1, "'faa-litmus 1'" },
	{ "faa-litmus 2\n", 1, 1, "'faa-litmus 1'" },
	{ "faa-litmus 1\n", 1, 13, "expected end" },
	{ "faa-litmus 1\nend\n", 2, 1, "expected end elsewhere" },
	{ "faa-litmus 1\nname\n", 2, 5, "a name of 1..63" },
	{ "faa-litmus 1\nname a b\n", 2, 8, "the end of the line" },
	{ "faa-litmus 1\nname a\nname b\n", 3, 1, "name elsewhere" },
	{ "faa-litmus 1\nname a\ninit\n", 3, 5, "a location, like x=0" },
	{ "faa-litmus 1\nname a\ninit x\n", 3, 7, "= and a number" },
	{ "faa-litmus 1\nname a\ninit x=\n", 3, 8, "a number of 32 bits" },
	{ "faa-litmus 1\nname a\ninit x=2147483648\n", 3, 8, "a number of 32 bits" },
	{ "faa-litmus 1\nname a\ninit 1=0\n", 3, 6, "a location and its value" },
	{ "faa-litmus 1\nname a\ninit x=0 x=1\n", 3, 10, "another location: x is there" },
	{ "faa-litmus 1\nname a\n ld weak r0 x\n", 3, 1, "an instruction after a space" },
	{ HEAD "bogus\n", 4, 1, "expected name, family" },
	{ HEAD "thread 1 cta=0 dev=0\n", 4, 8, "the number of the thread: 0" },
	{ HEAD "thread 0\n", 4, 9, "cta= and a number, or host" },
	{ HEAD "thread 0 cta=x dev=0\n", 4, 14, "a number, 0 or more" },
	{ HEAD "thread 0 cta=0\n", 4, 15, "dev= and a number" },
	{ HEAD "end\n", 4, 1, "a thread before the end" },
	{ HEAD "thread 0 host\n ld relaxed.gpu r0 x\n", 5, 13, "the scope of a host thread" },
	{ HEAD "thread 0 host\n mov r0 x\n", 5, 2, "ld, st, atom, red or fence" },
	{ HEAD "thread 0 host\n ld release.sys r0 x\n", 5, 5,
	  "the order of ld: weak, relaxed or acquire" },
	{ HEAD "thread 0 host\n st acquire.sys x 1\n", 5, 5, "the order of st" },
	{ HEAD "thread 0 host\n red acquire.sys add x 1\n", 5, 6,
	  "the order of red: relaxed or release" },
	{ HEAD "thread 0 host\n fence relaxed.sys\n", 5, 8, "the order of fence" },
	{ HEAD "thread 0 host\n atom weak add r0 x 1\n", 5, 7, "the order of atom" },
	{ HEAD "thread 0 host\n ld weak.sys r0 x\n", 5, 9, "no scope" },
	{ HEAD "thread 0 host\n ld relaxed r0 x\n", 5, 12, ".cta, .gpu or .sys" },
	{ HEAD "thread 0 host\n ld relaxed.all r0 x\n", 5, 13, "a scope" },
	{ HEAD "thread 0 host\n ld weak x x\n", 5, 10, "a register, like r0" },
	{ HEAD "thread 0 host\n ld weak r0 z\n", 5, 13, "a location of the init line" },
	{ HEAD "thread 0 host\n ld weak r0 x 1\n", 5, 15, "the end of the line" },
	{ HEAD "thread 0 host\n st weak x r0\n", 5, 12, "a register that was written before" },
	{ HEAD "thread 0 host\n st weak x\n", 5, 11, "a number or a register" },
	{ HEAD "thread 0 host\n atom relaxed.sys mul r0 x 1\n", 5, 19, "add, sub, exch or cas" },
	{ HEAD "thread 0 host\n red relaxed.sys cas x 1 2\n", 5, 18, "add, sub, exch" },
	{ HEAD "thread 0 host\n atom relaxed.sys cas r0 x 1\n", 5, 29, "a number or a register" },
	{ HEAD "thread 0 host\n atom relaxed.sys add r0 x r0\n", 5, 28, "was written before" },
	{ BODY "ask 2:r0=1\n", 8, 5, "the number of a thread, 0..1" },
	{ BODY "ask 0:r1=1\n", 8, 7, "a register that thread 0 writes, not r1" },
	{ BODY "ask z=1\n", 8, 5, "a register, like 1:r0, or a location" },
	{ BODY "ask x<1\n", 8, 6, "= or !=" },
	{ BODY "ask x=\n", 8, 7, "a number of 32 bits" },
	{ BODY "ask (x=1\n", 8, 9, "expected &, | or )" },
	{ BODY "ask x=1 y=1\n", 8, 9, "expected &, | or the end" },
	{ BODY "ask x=1\nend\n", 9, 1, "a verdict for the question" },
	{ BODY "verdict allowed\n", 8, 1, "verdict elsewhere" },
	{ BODY "ask x=1\nverdict maybe\n", 9, 9, "allowed or forbidden" },
	{ BODY "columns 0:r0 x\n", 8, 15, "expected 3 columns" },
	{ BODY "columns 0:r0 x x\n", 8, 16, "each column once" },
	{ BODY "columns 0:r0 x,y\n", 8, 15, "expected a space" },
	{ BODY TABLE "end\n", 9, 1, "outcomes for the columns" },
	{ BODY TABLE "outcomes 0\n", 9, 10, "how many outcomes follow" },
	{ BODY TABLE "outcomes 2\n 0 0 1\n", 10, 7, "another outcome" },
	{ BODY TABLE "outcomes 1\n 0 0\nend\n", 10, 5, "a number for column 3 of 3" },
	{ BODY TABLE "outcomes 1\n 0 0 1 1\nend\n", 10, 8, "the end of the line" },
	{ BODY TABLE "outcomes 2\n 0 0 1\n 0 0 1\nend\n", 11, 1, "greater than the one before" },
	{ BODY "thread 2 host\n ld weak r0 x\nend\nend\n", 11, 1, "nothing after end" },
};

static void errors(void **state)
{
	(void)state;
	check_wrong(wrong, COUNT(wrong));
}

static void limits(void **state)
{
	char text[4096] = HEAD;
	struct lit_error error;
	struct lit_test test;
	int i;

	(void)state;
	for (i = 0; i <= LIT_MAX_THREADS; i++)
		sprintf(text + strlen(text), "thread %d host\n", i);
	assert_int_equal(lit_parse(text, strlen(text), &test, &error), -EINVAL);
	assert_non_null(strstr(error.text, "at most 8 threads"));
	strcpy(text, HEAD "thread 0 host\n");
	for (i = 0; i <= LIT_MAX_OPS; i++)
		strcat(text, " st weak x 1\n");
	assert_int_equal(lit_parse(text, strlen(text), &test, &error), -EINVAL);
	assert_non_null(strstr(error.text, "at most 16 instructions"));
	strcpy(text, BODY "ask ");
	for (i = 0; i < 40; i++)
		strcat(text, "(");
	assert_int_equal(lit_parse(text, strlen(text), &test, &error), -EINVAL);
	assert_non_null(strstr(error.text, "32 parentheses"));
	strcpy(text, BODY "ask x=0");
	for (i = 0; i < 40; i++)
		strcat(text, "|x=0");
	assert_int_equal(lit_parse(text, strlen(text), &test, &error), -EINVAL);
	assert_non_null(strstr(error.text, "at most 64 parts"));
}

static void question(void **state)
{
	static const char text[] = BODY
		"ask !(0:r0 = 1 | x != 0) & y=-7|x=5 & !y=2\nverdict allowed\nend\n";
	static const struct {
		int32_t row[3];
		bool asked;
	} rows[] = {
		{ { 0, 0, -7 }, true }, { { 1, 0, -7 }, false }, { { 0, 1, -7 }, false },
		{ { 0, 0, 1 }, false }, { { 1, 5, 0 }, true },	 { { 1, 5, 2 }, false },
	};
	struct lit_error error;
	struct lit_test test;
	char line[64];
	size_t i;

	(void)state;
	assert_int_equal(lit_parse(text, strlen(text), &test, &error), 0);
	for (i = 0; i < COUNT(rows); i++)
		assert_int_equal(lit_asked(&test, rows[i].row), rows[i].asked);
	lit_format(&test, rows[0].row, line, sizeof(line));
	assert_string_equal(line, "0:r0=0 x=0 y=-7");
	lit_free(&test);
}

/* Registers are identified by their numbers, and initial values count. */
static void outcomes(void **state)
{
	static const char text[] = "faa-litmus 1\nname T\ninit x=5\nthread 0 cta=0 dev=0\n"
				   " atom relaxed.gpu sub r12 x 2\n ld weak r3 x\nend\n";
	const int32_t expected[] = { 3, 5, 3 };
	struct model_rows rows;
	struct lit_error error;
	struct lit_test test;
	char name[16];

	(void)state;
	assert_int_equal(lit_parse(text, strlen(text), &test, &error), 0);
	assert_int_equal(test.column_count, 3);
	lit_column_name(&test, 0, name, sizeof(name));
	assert_string_equal(name, "0:r3");
	assert_int_equal(model_outcomes(&test, MODEL_CORRECT, &rows), 0);
	assert_int_equal(rows.count, 1);
	assert_memory_equal(rows.rows, expected, sizeof(expected));
	free(rows.rows);
	lit_free(&test);
}

static size_t read_file(const char *path, char *buffer, size_t size)
{
	FILE *file = fopen(path, "rb");
	size_t n;

	assert_non_null(file);
	n = fread(buffer, 1, size, file);
	fclose(file);
	return n;
}

/* Changes, drops or doubles bytes, or copies words from another place. */
static size_t damage(char *text, size_t size, size_t room, uint64_t *random)
{
	unsigned int i, times = 1 + check_random(random) % 4;

	for (i = 0; i < times && size; i++) {
		size_t at = check_random(random) % size, from = check_random(random) % size;
		size_t n = 1 + check_random(random) % 12;

		n = n > size - at ? size - at : n;
		switch (check_random(random) % 4) {
		case 0:
			text[at] = (char)check_random(random);
			break;
		case 1:
			memmove(text + at, text + at + n, size - at - n);
			size -= n;
			break;
		case 2:
			n = n > room - size ? room - size : n;
			memmove(text + at + n, text + at, size - at);
			size += n;
			break;
		default:
			n = n > size - from ? size - from : n;
			memmove(text + at, text + from, n);
			break;
		}
	}
	return size;
}

static bool has_cas(const struct lit_test *test)
{
	unsigned int i, j;

	for (i = 0; i < test->thread_count; i++)
		for (j = 0; j < test->threads[i].op_count; j++)
			if (test->threads[i].ops[j].rmw == LIT_CAS)
				return true;
	return false;
}

/* Replaces a test by its file of herd7, if LISA can express it. */
static size_t to_herd(char *text, size_t size, size_t room)
{
	struct lit_error error;
	struct lit_test test;
	size_t written = size;
	char *herd = NULL;
	FILE *out;

	assert_int_equal(lit_parse(text, size, &test, &error), 0);
	if (!has_cas(&test)) {
		out = open_memstream(&herd, &written);
		assert_non_null(out);
		assert_int_equal(herd_write(&test, out), 0);
		fclose(out);
		assert_true(written <= room);
		memcpy(text, herd, written);
		free(herd);
	}
	lit_free(&test);
	return written;
}

static void damaged(void **state)
{
	uint64_t random = check_seed(1);
	unsigned int rounds = getenv("FAA_LONG") ? 2000000 : 40000, accepted = 0, i;
	struct lit_error error;
	struct lit_test test;
	glob_t files;
	size_t size;
	char text[8192], *copy;

	(void)state;
	assert_int_equal(glob(LITMUS "/*/*.lit", 0, NULL, &files), 0);
	for (i = 0; i < rounds; i++) {
		size = read_file(files.gl_pathv[check_random(&random) % files.gl_pathc], text,
				 sizeof(text) / 2);
		if (i % 2)
			size = to_herd(text, size, sizeof(text) / 2);
		size = damage(text, size, sizeof(text), &random);
		/* A buffer of exactly its size, so that the sanitizer detects reads beyond it. */
		copy = malloc(size ? size : 1);
		memcpy(copy, text, size);
		if (!lit_parse(copy, size, &test, &error))
			accepted++;
		else
			assert_true(error.line >= 1 && error.column >= 1 && error.text[0]);
		lit_free(&test);
		free(copy);
	}
	print_message("%u of %u damaged files are legal\n", accepted, rounds);
	globfree(&files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors),   cmocka_unit_test(limits),  cmocka_unit_test(question),
		cmocka_unit_test(outcomes), cmocka_unit_test(damaged),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
