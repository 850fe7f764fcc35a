// SPDX-License-Identifier: MIT
/* Files of herd7: positions of errors, questions, and tests that are written and read again. */
#include "../unit/lib/check.h"

#include <errno.h>
#include <glob.h>
#include <string.h>

#include "herd.h"
#include "model.h"
#include "test_wrong.h"

#define HEAD "LISA T\n{ x=0; y=-7; }\nP0 | P1;\n"
#define BODY HEAD "r[weak] r0 x | w[release,sys] y 1;\n"
#define TREE "scopes: (sys (gpu (cta P0) (cta P1)))\n"

static const struct wrong_file wrong[] = {
	{ "LISA", 1, 1, "'LISA NAME'" },
	{ "LISA\n", 1, 5, "a name of 1..63" },
	{ "LISA a b\n", 1, 7, "a name without spaces" },
	{ "LISA T\nbogus\n", 2, 1, "KEY=VALUE, a comment or {" },
	{ "LISA T\n\"text\n", 2, 2, "the end of a text" },
	{ "LISA T\nVerdict=maybe\n{", 2, 9, "allowed or forbidden" },
	{ "LISA T\nHost=0\n{", 2, 6, "threads, like P1 P2" },
	{ "LISA T\n(* (* *)\n{ x=0; }", 3, 9, "the end of a comment" },
	{ "LISA T\n{ 0:r1=x; }\n", 2, 3, "a location, like x" },
	{ "LISA T\n{ x=y; }\n", 2, 5, "a number of 32 bits" },
	{ "LISA T\n{ x=0 y=0; }\n", 2, 7, "expected ;" },
	{ "LISA T\n{ x=0; }\nP1;\n", 3, 1, "expected a thread, P0 to P0" },
	{ HEAD "r[weak] r0 x;\n", 4, 13, "expected |: there are 2 threads" },
	{ HEAD "r[weak] r0 x | | ;\n", 4, 16, "expected ;: there are 2 threads" },
	{ HEAD "b[] r0 loop | ;\n", 4, 1, "no branches, labels or moves" },
	{ HEAD "r r0 x | ;\n", 4, 1, "the order in brackets" },
	{ HEAD "r[weak r0 x | ;\n", 4, 8, "expected , or ]" },
	{ HEAD "r[] r0 x | ;\n", 4, 3, "an order, a scope or red" },
	{ HEAD "r[weak,gpu] r0 x | ;\n", 4, 1, "no scope" },
	{ HEAD " | w[relaxed,dev] x 1;\n", 4, 4, "a scope: cta, gpu or sys (read as 'st" },
	{ HEAD "w[weak] x r1 | ;\n", 4, 1, "written before" },
	{ HEAD "w[weak] x 1 2 | ;\n", 4, 13, "expected | or ;" },
	{ HEAD "r[weak] r0 r1 | ;\n", 4, 12, "a location, like x" },
	{ HEAD "r[red,relaxed,gpu] r0 x | ;\n", 4, 1, "red only at an rmw" },
	{ HEAD "rmw[relaxed,gpu] r0 (xor r0 1) x | ;\n", 4, 22, "expected (add r0 VALUE)" },
	{ HEAD "rmw[relaxed,gpu] r0 (add r1 1) x | ;\n", 4, 22, "expected (add r0 VALUE)" },
	{ HEAD "rmw[weak] r0 1 x | ;\n", 4, 1, "the order of atom" },
	{ HEAD "rmw[red,acquire,gpu] r0 1 x | ;\n", 4, 1, "the order of red" },
	{ BODY, 5, 1, "| or ; after an instruction" },
	{ BODY "scopes: (gpu)\n", 5, 10, "expected sys" },
	{ BODY "scopes: (sys (gpu (cta P0)))\n", 5, 8, "a place for P1" },
	{ BODY "scopes: (sys (gpu (cta P0 P0 P1)))\n", 5, 27, "each thread once" },
	{ BODY TREE, 6, 1, "expected exists, ~exists or forall" },
	{ BODY TREE "filter (x=1) exists (x=1)\n", 6, 1, "expected exists" },
	{ BODY TREE "exists (z=1)\n", 6, 9, "a register, like 1:r0, or a location" },
	{ BODY TREE "exists (2:r0=1)\n", 6, 9, "the number of a thread, 0..1" },
	{ BODY TREE "exists (1:r0=1)\n", 6, 11, "a register that P1 writes, not r0" },
	{ BODY TREE "exists (x<1)\n", 6, 10, "= or !=" },
	{ BODY TREE "exists (x=1\n", 7, 1, "expected )" },
	{ BODY TREE "exists x=1 y=1\n", 6, 12, "the end of the file" },
	{ BODY TREE "locations [x y]\nexists x=1\n", 6, 14, "expected ;" },
	{ "LISA T\nVerdict=allowed\n{ x=0; }\nP0;\nr[weak] r0 x;\nscopes: (sys (gpu (cta P0)))\n~exists (x=1)",
	  7, 1, "the file has Verdict=allowed" },
	{ "LISA T\nHost=P1\n{ x=0; }\nP0;\nr[weak] r0 x;\nscopes: (sys (gpu (cta P0)))\nexists (x=1)",
	  1, 1, "threads of the file after Host=" },
	{ "LISA T\nHost=P0\n{ x=0; }\nP0;\nr[relaxed,gpu] r0 x;\nscopes: (sys (gpu (cta P0)))\nexists (x=1)",
	  6, 8, "scope sys in P0 of the host" },
	{ "LISA T\nHost=P0\n{ x=0; }\nP0|P1;\nr[weak] r0 x| ;\nscopes: (sys (gpu (cta P0 P1)))\nexists (x=1)",
	  6, 8, "a gpu of its own for P0" },
};

static void errors(void **state)
{
	(void)state;
	check_wrong(wrong, COUNT(wrong));
}

/* Whether a question is judged, its verdict, and the values of x, up to 3, that meet it. */
static void questions(void **state)
{
	static const struct {
		const char *text;
		bool asked, judged, allowed;
		unsigned int meets;
	} cases[] = {
		{ "exists (x=1)", true, false, false, 1 << 1 },
		{ "~exists (x=1 \\/ [x]=2)", true, true, false, 1 << 1 | 1 << 2 },
		{ "forall (x=1)", true, true, false, 1 << 0 | 1 << 2 | 1 << 3 },
		{ "forall (true)", false, false, false, 0 },
		{ "exists not (x=1) /\\ ~(x=2) /\\ x!=3", true, false, false, 1 << 0 },
		{ "locations [x; 0:r0] (* all *) exists x<>0 /\\ (x=1 \\/ x=3)", true, false, false,
		  1 << 1 | 1 << 3 },
	};
	struct lit_error error;
	struct lit_test test;
	char text[512];
	size_t i;
	int x;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		snprintf(text, sizeof(text), BODY TREE "%s", cases[i].text);
		assert_int_equal(lit_parse(text, strlen(text), &test, &error), 0);
		assert_int_equal(test.asked, cases[i].asked);
		assert_int_equal(test.judged, cases[i].judged);
		assert_int_equal(test.allowed, cases[i].allowed);
		for (x = 0; x < 4; x++)
			assert_int_equal(lit_asked(&test, (int32_t[]){ 0, x, 0 }),
					 cases[i].meets >> x & 1);
		lit_free(&test);
	}
}

/* All that a file of herd7 may contain besides the table. */
static void decoration(void **state)
{
	static const char text[] =
		"LISA T \r\n\"PodWW Rfe\"\n(* a comment (* in *) it *)\nOrig=x\nHost=P1\nFamily=F\n"
		"{ [x]=3 }\n P0 | P1 (* of the host *) ;\n"
		" rmw[red,release,sys] r7 (add 2 r7) z | ;\n | rmw[acquire,sys] r1 4 x ;\n"
		"scopes: (sys (gpu (cta P1)) (gpu (cta P0)))\nexists (1:r1=3)\n";
	struct lit_error error;
	struct lit_test test;

	(void)state;
	assert_int_equal(lit_parse(text, sizeof(text) - 1, &test, &error), 0);
	assert_string_equal(test.family, "F");
	assert_int_equal(test.location_count, 2);
	assert_int_equal(test.initial[0], 3);
	assert_false(test.threads[0].host);
	assert_int_equal(test.threads[0].dev, 0);
	assert_int_equal(test.threads[0].ops[0].kind, LIT_RED);
	assert_int_equal(test.threads[0].ops[0].value.number, 2);
	assert_true(test.threads[1].host);
	assert_int_equal(test.threads[1].ops[0].rmw, LIT_EXCH);
	assert_int_equal(test.threads[1].ops[0].order, LIT_ACQUIRE);
	assert_int_equal(test.column_count, 3);
	lit_free(&test);
}

static int convert(const struct lit_test *from, struct lit_test *to)
{
	struct lit_error error = { 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int ret;

	assert_non_null(out);
	ret = herd_write(from, out);
	fclose(out);
	if (!ret && lit_parse(text, size, to, &error))
		fail_msg("%s: %u:%u: %s in %s", from->name, error.line, error.column, error.text,
			 text);
	assert_true(!ret || !size);
	free(text);
	return ret;
}

/* A file that is written and read again has the outcomes, the verdict and the hosts of the test. */
static void both_ways(void **state)
{
	struct lit_test test, again;
	struct model_rows rows;
	unsigned int refused = 0, i;
	size_t file;
	glob_t files;

	(void)state;
	assert_int_equal(glob(LITMUS "/*/*.lit", 0, NULL, &files), 0);
	for (file = 0; file < files.gl_pathc; file++) {
		assert_int_equal(lit_read(files.gl_pathv[file], &test), 0);
		if (convert(&test, &again)) {
			refused++;
			lit_free(&test);
			continue;
		}
		assert_string_equal(again.name, test.name);
		assert_int_equal(again.judged, test.judged);
		assert_int_equal(again.allowed, test.allowed);
		for (i = 0; i < test.thread_count; i++)
			assert_int_equal(again.threads[i].host, test.threads[i].host);
		assert_int_equal(model_outcomes(&again, MODEL_CORRECT, &rows), 0);
		assert_int_equal(again.column_count, test.column_count);
		assert_int_equal(rows.count, test.row_count);
		assert_memory_equal(rows.rows, test.rows,
				    rows.count * test.column_count * sizeof(*rows.rows));
		free(rows.rows);
		lit_free(&again);
		lit_free(&test);
	}
	/* Those with a compare-exchange. */
	assert_int_equal(refused, 5);
	globfree(&files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors),
		cmocka_unit_test(questions),
		cmocka_unit_test(decoration),
		cmocka_unit_test(both_ways),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
