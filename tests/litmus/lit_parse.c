// SPDX-License-Identifier: MIT
/* Lines of a litmus test. */
#include "herd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lit_scan.h"

/* More rows than any file could list by hand; limits the allocation for a wrong file. */
#define MAX_ROWS 65536

/*
 * Parts that have been read; lines come in the order of these bits, optional parts may be missing.
 */
enum part {
	PART_NAME = 1 << 0,
	PART_INIT = 1 << 1,
	PART_ASK = 1 << 2,
	PART_VERDICT = 1 << 3,
	PART_COLUMNS = 1 << 4,
	PART_OUTCOMES = 1 << 5,
	PART_END = 1 << 6,
};

struct parser {
	struct lit_scan scan;
	struct lit_test *test;
	struct lit_thread *thread;
	unsigned int parts;
	/* First word of the current line; @scan is after it. */
	struct lit_word first;
};

static int copy_name(struct parser *parser, char *name)
{
	struct lit_word word = lit_next_word(&parser->scan);
	size_t i;

	for (i = 0; i < word.size; i++)
		if (word.text[i] <= ' ' || word.text[i] > '~')
			return lit_fail(&parser->scan, word.text + i,
					"expected printable characters");
	if (!word.size || word.size >= LIT_NAME)
		return lit_fail(&parser->scan, word.text, "expected a name of 1..%d characters",
				LIT_NAME - 1);
	memcpy(name, word.text, word.size);
	name[word.size] = '\0';
	return lit_line_done(&parser->scan);
}

static int parse_name(struct parser *parser)
{
	return copy_name(parser, parser->test->name);
}

static int parse_family(struct parser *parser)
{
	return copy_name(parser, parser->test->family);
}

/* Free text. */
static int parse_text(struct parser *parser)
{
	(void)parser;
	return 0;
}

static int parse_init(struct parser *parser)
{
	struct lit_test *test = parser->test;
	struct lit_word word, name, number;
	const char *equals;

	for (;;) {
		word = lit_next_word(&parser->scan);
		if (!word.size)
			break;
		equals = memchr(word.text, '=', word.size);
		name = (struct lit_word){ word.text,
					  equals ? (size_t)(equals - word.text) : word.size };
		if (!lit_name(name))
			return lit_fail(&parser->scan, word.text,
					"expected a location and its value, like x=0");
		if (!equals)
			return lit_fail(&parser->scan, word.text + word.size,
					"expected = and a number");
		number = (struct lit_word){ equals + 1, word.size - name.size - 1 };
		if (lit_find_location(test, name) >= 0)
			return lit_fail(&parser->scan, word.text,
					"expected another location: %.*s is there", (int)name.size,
					name.text);
		if (test->location_count == LIT_MAX_LOCATIONS)
			return lit_fail(&parser->scan, word.text, "expected at most %d locations",
					LIT_MAX_LOCATIONS);
		if (!lit_number(number, &test->initial[test->location_count]))
			return lit_fail(&parser->scan, number.text, "expected a number of 32 bits");
		memcpy(test->locations[test->location_count++], name.text, name.size);
	}
	return test->location_count ?
		       0 :
		       lit_fail(&parser->scan, word.text, "expected a location, like x=0");
}

/* "key=number". */
static int parse_place(struct parser *parser, const char *key, unsigned int *number)
{
	struct lit_word word = lit_next_word(&parser->scan), digits;
	size_t size = strlen(key);
	int32_t value;

	if (word.size <= size || memcmp(word.text, key, size))
		return lit_fail(&parser->scan, word.text, "expected %s and a number%s", key,
				strcmp(key, "cta=") ? "" : ", or host");
	digits = (struct lit_word){ word.text + size, word.size - size };
	if (!lit_number(digits, &value) || value < 0)
		return lit_fail(&parser->scan, digits.text, "expected a number, 0 or more");
	*number = value;
	return 0;
}

static int parse_thread(struct parser *parser)
{
	struct lit_word word = lit_next_word(&parser->scan);
	struct lit_test *test = parser->test;
	const char *at;
	int32_t number;
	int ret;

	if (test->thread_count == LIT_MAX_THREADS)
		return lit_fail(&parser->scan, parser->first.text, "expected at most %d threads",
				LIT_MAX_THREADS);
	if (!lit_number(word, &number) || number != (int)test->thread_count)
		return lit_fail(&parser->scan, word.text, "expected the number of the thread: %u",
				test->thread_count);
	parser->thread = &test->threads[test->thread_count++];
	at = parser->scan.at;
	if (lit_is(lit_next_word(&parser->scan), "host")) {
		parser->thread->host = true;
		return lit_line_done(&parser->scan);
	}
	parser->scan.at = at;
	ret = parse_place(parser, "cta=", &parser->thread->cta);
	if (!ret)
		ret = parse_place(parser, "dev=", &parser->thread->dev);
	return ret ? ret : lit_line_done(&parser->scan);
}

static int parse_ask(struct parser *parser)
{
	return lit_parse_ask(&parser->scan, parser->test);
}

static int parse_verdict(struct parser *parser)
{
	struct lit_word word = lit_next_word(&parser->scan);

	parser->test->allowed = lit_is(word, "allowed");
	if (!parser->test->allowed && !lit_is(word, "forbidden"))
		return lit_fail(&parser->scan, word.text, "expected allowed or forbidden");
	parser->test->judged = true;
	return lit_line_done(&parser->scan);
}

static bool same_column(const struct lit_column *a, const struct lit_column *b)
{
	return a->is_register == b->is_register && a->thread == b->thread && a->reg == b->reg &&
	       a->location == b->location;
}

unsigned int lit_columns(const struct lit_test *test)
{
	unsigned int count = test->location_count, i;

	for (i = 0; i < test->thread_count; i++)
		count += __builtin_popcount(test->threads[i].written);
	return count;
}

static int parse_columns(struct parser *parser)
{
	struct lit_test *test = parser->test;
	struct lit_column *column;
	struct lit_word word;
	const char *start;
	unsigned int i;
	int ret;

	for (;;) {
		word = lit_next_word(&parser->scan);
		if (!word.size)
			break;
		start = word.text;
		if (test->column_count == LIT_MAX_COLUMNS)
			return lit_fail(&parser->scan, start, "expected at most %d columns",
					LIT_MAX_COLUMNS);
		column = &test->columns[test->column_count];
		ret = lit_parse_place(&parser->scan, test, &word, column);
		if (ret)
			return ret;
		if (word.size)
			return lit_fail(&parser->scan, word.text, "expected a space");
		for (i = 0; i < test->column_count; i++)
			if (same_column(&test->columns[i], column))
				return lit_fail(&parser->scan, start, "expected each column once");
		test->column_count++;
	}
	if (test->column_count != lit_columns(test))
		return lit_fail(&parser->scan, word.text,
				"expected %u columns: each register that is written, each location",
				lit_columns(test));
	return 0;
}

static int parse_row(struct parser *parser, int32_t *row)
{
	unsigned int i;

	if (!lit_next_line(&parser->scan))
		return lit_fail(&parser->scan, parser->scan.line_end, "expected another outcome");
	for (i = 0; i < parser->test->column_count; i++) {
		struct lit_word word = lit_next_word(&parser->scan);

		if (!lit_number(word, &row[i]))
			return lit_fail(&parser->scan, word.text,
					"expected a number for column %u of %u", i + 1,
					parser->test->column_count);
	}
	return lit_line_done(&parser->scan);
}

/* Rows are in the order of lit_compare(), so none occurs twice. */
static int parse_rows(struct parser *parser)
{
	struct lit_test *test = parser->test;
	unsigned int columns = test->column_count;
	size_t i;
	int ret;

	for (i = 0; i < test->row_count; i++) {
		ret = parse_row(parser, test->rows + i * columns);
		if (ret)
			return ret;
		if (i && lit_compare(test->rows + (i - 1) * columns, test->rows + i * columns,
				     columns) >= 0)
			return lit_fail(&parser->scan, parser->scan.line,
					"expected an outcome that is greater than the one before");
	}
	return 0;
}

static int parse_outcomes(struct parser *parser)
{
	struct lit_word word = lit_next_word(&parser->scan);
	struct lit_test *test = parser->test;
	int32_t count;
	int ret;

	if (!lit_number(word, &count) || count < 1 || count > MAX_ROWS)
		return lit_fail(&parser->scan, word.text,
				"expected how many outcomes follow, 1..%d", MAX_ROWS);
	ret = lit_line_done(&parser->scan);
	if (ret)
		return ret;
	test->rows = calloc((size_t)count * test->column_count, sizeof(*test->rows));
	if (!test->rows)
		return -ENOMEM;
	test->row_count = count;
	test->has_table = true;
	return parse_rows(parser);
}

static int parse_end(struct parser *parser)
{
	return lit_line_done(&parser->scan);
}

static const struct {
	const char *word;
	int (*parse)(struct parser *parser);
	/* Parts that must precede the line, parts that must not, and the part that it is. */
	unsigned int needs, excludes, gives;
} lines[] = {
	{ "name", parse_name, 0, PART_NAME | PART_INIT, PART_NAME },
	{ "family", parse_family, PART_NAME, PART_INIT, 0 },
	{ "note", parse_text, PART_NAME, PART_INIT, 0 },
	{ "source", parse_text, PART_NAME, PART_INIT, 0 },
	{ "init", parse_init, PART_NAME, PART_INIT, PART_INIT },
	{ "thread", parse_thread, PART_INIT, PART_ASK | PART_COLUMNS, 0 },
	{ "ask", parse_ask, PART_INIT, PART_ASK | PART_COLUMNS, PART_ASK },
	{ "verdict", parse_verdict, PART_ASK, PART_VERDICT | PART_COLUMNS, PART_VERDICT },
	{ "columns", parse_columns, PART_INIT, PART_COLUMNS, PART_COLUMNS },
	{ "outcomes", parse_outcomes, PART_COLUMNS, PART_OUTCOMES, PART_OUTCOMES },
	{ "end", parse_end, PART_INIT, 0, PART_END },
};

#define LINES (sizeof(lines) / sizeof(lines[0]))

static int parse_line(struct parser *parser)
{
	bool instruction = parser->scan.line < parser->scan.line_end && *parser->scan.line == ' ';
	unsigned int i;
	int ret;

	parser->first = lit_next_word(&parser->scan);
	if (instruction && parser->thread && !(parser->parts & (PART_ASK | PART_COLUMNS)))
		return lit_parse_op(&parser->scan, parser->test, parser->thread, parser->first);
	for (i = 0; i < LINES; i++) {
		if (instruction || !lit_is(parser->first, lines[i].word))
			continue;
		if ((parser->parts & lines[i].needs) != lines[i].needs ||
		    parser->parts & lines[i].excludes)
			return lit_fail(
				&parser->scan, parser->first.text,
				"expected %s elsewhere: name, init, threads, ask, verdict, columns, outcomes, end is the order",
				lines[i].word);
		ret = lines[i].parse(parser);
		parser->parts |= ret ? 0 : lines[i].gives;
		return ret;
	}
	return lit_fail(
		&parser->scan, parser->scan.line,
		"expected name, family, note, source, init, thread, an instruction after a space, ask, verdict, columns, outcomes or end");
}

void lit_default_columns(struct lit_test *test)
{
	unsigned int thread, number, i;

	for (thread = 0; thread < test->thread_count; thread++)
		for (number = 0; number < 10000; number++)
			for (i = 0; i < test->threads[thread].register_count; i++)
				if (test->threads[thread].registers[i] == number &&
				    test->threads[thread].written >> i & 1 &&
				    test->column_count < LIT_MAX_COLUMNS)
					test->columns[test->column_count++] = (struct lit_column){
						.is_register = true, .thread = thread, .reg = i
					};
	for (i = 0; i < test->location_count && test->column_count < LIT_MAX_COLUMNS; i++)
		test->columns[test->column_count++] = (struct lit_column){ .location = i };
}

static int check_whole(struct parser *parser)
{
	struct lit_scan *scan = &parser->scan;
	struct lit_test *test = parser->test;

	if (!test->thread_count)
		return lit_fail(scan, scan->line, "expected a thread before the end");
	if (test->asked != !!(parser->parts & PART_VERDICT))
		return lit_fail(scan, scan->line, "expected a verdict for the question");
	if ((parser->parts & PART_COLUMNS) && !test->has_table)
		return lit_fail(scan, scan->line, "expected outcomes for the columns");
	if (lit_columns(test) > LIT_MAX_COLUMNS)
		return lit_fail(scan, scan->line, "expected at most %d registers and locations",
				LIT_MAX_COLUMNS);
	if (!test->has_table)
		lit_default_columns(test);
	if (lit_next_line(scan))
		return lit_fail(scan, scan->line, "expected nothing after end");
	return 0;
}

int lit_parse(const char *text, size_t size, struct lit_test *test, struct lit_error *error)
{
	struct parser parser = { .scan = { .next = text,
					   .end = text + size,
					   .line = text,
					   .line_end = text,
					   .at = text,
					   .error = error },
				 .test = test };
	int ret = 0;

	memset(test, 0, sizeof(*test));
	memset(error, 0, sizeof(*error));
	if (size > 4 && !memcmp(text, "LISA", 4))
		return herd_parse(text, size, test, error);
	if (!lit_next_line(&parser.scan) ||
	    !lit_is((struct lit_word){ parser.scan.line, parser.scan.line_end - parser.scan.line },
		    "faa-litmus 1"))
		return lit_fail(
			&parser.scan, parser.scan.line,
			"expected 'faa-litmus 1' or 'LISA NAME', the first line of every file");
	while (!ret && !(parser.parts & PART_END)) {
		if (!lit_next_line(&parser.scan))
			return lit_fail(&parser.scan, parser.scan.line_end,
					"expected end, the last line of every file");
		ret = parse_line(&parser);
	}
	return ret ? ret : check_whole(&parser);
}

void lit_free(struct lit_test *test)
{
	free(test->rows);
	test->rows = NULL;
}
