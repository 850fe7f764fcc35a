// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tsv.h"

static unsigned int split(char *line, char **cells)
{
	unsigned int count = 0;

	line[strcspn(line, "\r\n")] = 0;
	do {
		assert_in_range(count, 0, TSV_COLUMNS - 1);
		cells[count++] = strsep(&line, "\t");
	} while (line);
	return count;
}

void tsv_open(struct tsv *table, const char *name, const char *head)
{
	char path[512];

	memset(table, 0, sizeof(*table));
	snprintf(path, sizeof(path), "%s/%s", VECTORS, name);
	table->file = fopen(path, "r");
	if (!table->file)
		fail_msg("%s cannot be read", path);
	if (head)
		snprintf(table->head, sizeof(table->head), "%s", head);
	else
		assert_non_null(fgets(table->head, sizeof(table->head), table->file));
	table->columns = split(table->head, table->names);
}

int tsv_next(struct tsv *table)
{
	unsigned int count;

	if (!fgets(table->line, sizeof(table->line), table->file)) {
		fclose(table->file);
		assert_int_not_equal(table->row, 0);
		return 0;
	}
	count = split(table->line, table->cells);
	assert_in_range(count, 1, table->columns);
	while (count < table->columns)
		table->cells[count++] = table->line + strlen(table->line);
	table->row++;
	return 1;
}

const char *tsv_text(const struct tsv *table, const char *name)
{
	unsigned int n;

	for (n = 0; n < table->columns; n++)
		if (!strcmp(table->names[n], name))
			return table->cells[n];
	fail_msg("no column %s", name);
	return NULL;
}

unsigned long long tsv_number(const struct tsv *table, const char *name)
{
	const char *text = tsv_text(table, name);
	char *end;
	unsigned long long value = strtoull(text, &end, 0);

	if (*end)
		fail_msg("column %s: %s is no number", name, text);
	return value;
}
