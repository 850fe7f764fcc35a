// SPDX-License-Identifier: MIT
/* Outcomes of a litmus test, and its file. */
#include "lit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limit of the size of a file: a hundred times the largest existing one. */
#define MAX_FILE 1048576

int lit_compare(const int32_t *a, const int32_t *b, unsigned int columns)
{
	unsigned int i;

	for (i = 0; i < columns; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

ptrdiff_t lit_find(const int32_t *rows, size_t count, unsigned int columns, const int32_t *row)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = lit_compare(row, rows + middle * columns, columns);

		if (!order)
			return middle;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return -1;
}

void lit_column_name(const struct lit_test *test, unsigned int column, char *buffer, size_t size)
{
	const struct lit_column *what = &test->columns[column];

	if (what->is_register)
		snprintf(buffer, size, "%u:r%u", what->thread,
			 test->threads[what->thread].registers[what->reg]);
	else
		snprintf(buffer, size, "%s", test->locations[what->location]);
}

void lit_format(const struct lit_test *test, const int32_t *row, char *buffer, size_t size)
{
	char name[LIT_NAME];
	unsigned int i;
	size_t n = 0;

	for (i = 0; i < test->column_count && n < size; i++) {
		lit_column_name(test, i, name, sizeof(name));
		n += snprintf(buffer + n, size - n, "%s%s=%d", i ? " " : "", name, row[i]);
	}
}

int lit_read(const char *path, struct lit_test *test)
{
	char *text = malloc(MAX_FILE);
	struct lit_error error = { 0 };
	FILE *file = fopen(path, "rb");
	size_t size = 0;
	int ret = text ? 0 : -ENOMEM;

	memset(test, 0, sizeof(*test));
	if (!file && !ret)
		ret = -errno;
	if (!ret)
		size = fread(text, 1, MAX_FILE, file);
	if (!ret && ferror(file))
		ret = -EIO;
	if (!ret && size == MAX_FILE)
		ret = -EFBIG;
	if (ret) {
		fprintf(stderr, "%s: %s\n", path, strerror(-ret));
	} else {
		ret = lit_parse(text, size, test, &error);
		if (ret)
			fprintf(stderr, "%s:%u:%u: %s\n", path, error.line, error.column,
				error.text[0] ? error.text : strerror(-ret));
	}
	if (file)
		fclose(file);
	free(text);
	return ret;
}
