// SPDX-License-Identifier: MIT
/* Checks files with the model, and wrong models with the files. */
#include "litmus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_rows(const struct lit_test *test, const struct model_rows *rows)
{
	return test->row_count == rows->count &&
	       !memcmp(test->rows, rows->rows,
		       rows->count * test->column_count * sizeof(*rows->rows));
}

/* Prints the rows of @a that are not in @b. */
static void print_difference(const struct lit_test *test, const char *what, const int32_t *a,
			     size_t a_count, const int32_t *b, size_t b_count)
{
	char text[512];
	size_t i;

	for (i = 0; i < a_count; i++) {
		const int32_t *row = a + i * test->column_count;

		if (lit_find(b, b_count, test->column_count, row) >= 0)
			continue;
		lit_format(test, row, text, sizeof(text));
		printf("  %s: %s\n", what, text);
	}
}

/* Whether the outcome in question is among the outcomes. */
static bool seen(const struct lit_test *test, const struct model_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		if (lit_asked(test, rows->rows + i * test->column_count))
			return true;
	return false;
}

static bool judge(const struct lit_test *test, const struct model_rows *rows, const char *path)
{
	bool allowed = seen(test, rows);

	if (test->has_table && !same_rows(test, rows)) {
		printf("not ok %s: the table has %zu outcomes, the model %zu\n", path,
		       test->row_count, rows->count);
		print_difference(test, "only in the table", test->rows, test->row_count, rows->rows,
				 rows->count);
		print_difference(test, "only in the model", rows->rows, rows->count, test->rows,
				 test->row_count);
		return false;
	}
	if (test->asked && test->judged && allowed != test->allowed) {
		printf("not ok %s: what is asked about is %s by the model\n", path,
		       allowed ? "allowed" : "forbidden");
		return false;
	}
	return true;
}

static bool check_one(const char *path, bool verbose)
{
	struct model_rows rows = { 0 };
	struct lit_test test;
	char text[512];
	bool good = false;
	size_t i;
	int ret = lit_read(path, &test);

	if (!ret)
		ret = model_outcomes(&test, MODEL_CORRECT, &rows);
	if (ret)
		printf("not ok %s: %s\n", path, strerror(-ret));
	else
		good = judge(&test, &rows, path);
	if (good && verbose)
		printf("ok %s: %zu outcomes%s%s\n", test.name, rows.count,
		       test.has_table ? "" : ", no table to compare with",
		       !test.asked	  ? "" :
		       seen(&test, &rows) ? ", allowed" :
					    ", forbidden");
	for (i = 0; good && verbose && i < rows.count; i++) {
		lit_format(&test, rows.rows + i * test.column_count, text, sizeof(text));
		printf("  %s\n", text);
	}
	free(rows.rows);
	lit_free(&test);
	return good;
}

unsigned int litmus_check(char *const *paths, unsigned int count, bool verbose)
{
	unsigned int wrong = 0, i;

	for (i = 0; i < count; i++)
		wrong += !check_one(paths[i], verbose);
	printf("%u passed, %u failed\n", count - wrong, wrong);
	return wrong;
}

/* Prints the lines of a file up to its question; those of a file of herd7 in this format. */
static int print_head(const char *path, const struct lit_test *test)
{
	FILE *file = fopen(path, "r");
	char line[512];

	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file) && strncmp(line, "verdict", 7) &&
	       strncmp(line, "columns", 7) && strncmp(line, "end", 3)) {
		if (!strncmp(line, "LISA", 4)) {
			lit_write_head(test, stdout);
			break;
		}
		fputs(line, stdout);
	}
	fclose(file);
	return 0;
}

/* Prints the head of a file, then the verdict and the table of the model. */
static int print_table(const char *path, const struct lit_test *test, const struct model_rows *rows)
{
	char name[LIT_NAME];
	unsigned int i;
	size_t row;
	int ret = print_head(path, test);

	if (ret)
		return ret;
	if (test->asked)
		printf("verdict %s\n", seen(test, rows) ? "allowed" : "forbidden");
	printf("columns");
	for (i = 0; i < test->column_count; i++) {
		lit_column_name(test, i, name, sizeof(name));
		printf(" %s", name);
	}
	printf("\noutcomes %zu\n", rows->count);
	for (row = 0; row < rows->count; row++, printf("\n"))
		for (i = 0; i < test->column_count; i++)
			printf(" %d", rows->rows[row * test->column_count + i]);
	printf("end\n");
	return 0;
}

unsigned int litmus_table(char *const *paths, unsigned int count)
{
	unsigned int wrong = 0, i;

	for (i = 0; i < count; i++) {
		struct model_rows rows = { 0 };
		struct lit_test test;
		int ret = lit_read(paths[i], &test);

		if (!ret)
			ret = model_outcomes(&test, MODEL_CORRECT, &rows);
		if (!ret)
			ret = print_table(paths[i], &test, &rows);
		wrong += !!ret;
		free(rows.rows);
		lit_free(&test);
	}
	return wrong;
}

/*
 * Counts the files whose table differs from that of the model with the defect; *@first: the first
 * one.
 */
static unsigned int notice(struct lit_test *tests, unsigned int count, enum model_defect defect,
			   const char **first)
{
	unsigned int noticed = 0, i;

	*first = NULL;
	for (i = 0; i < count; i++) {
		struct model_rows rows;

		if (model_outcomes(&tests[i], defect, &rows) || !same_rows(&tests[i], &rows)) {
			noticed++;
			*first = *first ? *first : tests[i].name;
		}
		free(rows.rows);
	}
	return noticed;
}

/* Reads all files, which must have tables; NULL after a message. */
static struct lit_test *read_all(char *const *paths, unsigned int count)
{
	struct lit_test *tests = calloc(count + 1, sizeof(*tests));
	unsigned int i;

	for (i = 0; tests && i < count; i++) {
		if (!lit_read(paths[i], &tests[i]) && tests[i].has_table)
			continue;
		printf("not ok %s: a file with a table is needed\n", paths[i]);
		while (i--)
			lit_free(&tests[i]);
		free(tests);
		return NULL;
	}
	return tests;
}

unsigned int litmus_defects(char *const *paths, unsigned int count)
{
	struct lit_test *tests = read_all(paths, count);
	unsigned int defect, noticed, wrong = 0, i;
	const char *first;

	if (!tests)
		return 1;
	for (defect = 0; defect < MODEL_DEFECTS; defect++) {
		const struct model_defect_info *info = &model_defects[defect];

		noticed = notice(tests, count, defect, &first);
		wrong += !noticed != info->equivalent;
		printf("%s %s: %s: %u files notice%s%s\n",
		       !noticed == info->equivalent ? "ok" : "not ok", info->name, info->text,
		       noticed, first ? ", like " : "", first ? first : "");
	}
	for (i = 0; i < count; i++)
		lit_free(&tests[i]);
	free(tests);
	printf("%u passed, %u failed\n", MODEL_DEFECTS - wrong, wrong);
	return wrong;
}
