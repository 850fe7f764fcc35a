/* SPDX-License-Identifier: MIT */
/* Tables of tests/vectors: the first line names the columns, tabs separate them. */
#ifndef TSV_H
#define TSV_H

#include <stddef.h>

#define TSV_COLUMNS 24

/** struct tsv - a table, and a row of it at a time; {0} is closed */
struct tsv {
	void *file;
	unsigned int columns;
	unsigned int row;
	char *names[TSV_COLUMNS];
	char *cells[TSV_COLUMNS];
	char head[1024];
	char line[1024];
};

/**
 * tsv_open() - open table @name below tests/vectors
 *
 * @head names its columns; NULL: its first line does. The test fails if the table does not exist.
 */
void tsv_open(struct tsv *table, const char *name, const char *head);

/** tsv_next() - the next row; 0 at the end, which closes the table. */
int tsv_next(struct tsv *table);

/** tsv_text() - the cell of column @name; the test fails if there is no such column. */
const char *tsv_text(const struct tsv *table, const char *name);

/** tsv_number() - the same as a number, decimal or 0x; an empty cell is 0. */
unsigned long long tsv_number(const struct tsv *table, const char *name);

#endif /* TSV_H */
