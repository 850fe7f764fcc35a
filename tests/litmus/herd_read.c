// SPDX-License-Identifier: MIT
/* Files of herd7: header, initial values and the table of instructions. */
#include "herd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "herd_scan.h"

/* Tokens of a cell: a read-modify-write in parentheses has 17. */
#define HERD_CELL 24

struct herd_cell {
	struct lit_word words[HERD_CELL];
	unsigned int count;
	/* Position of the next token for the functions that translate. */
	unsigned int at;
	/* Where the cell begins, and what ends it: "|" or ";". */
	const char *start;
	char end;
};

static struct lit_word herd_word(struct herd_cell *cell)
{
	static const struct lit_word none = { "", 0 };

	return cell->at < cell->count ? cell->words[cell->at++] : none;
}

static int herd_read_cell(struct herd *h, struct herd_cell *cell)
{
	struct lit_word word;

	memset(cell, 0, sizeof(*cell));
	cell->start = herd_peek(h).text;
	for (;;) {
		word = herd_next(h);
		if (!word.size)
			return herd_fail(h, word.text, "expected | or ; after an instruction");
		if (lit_is(word, "|") || lit_is(word, ";")) {
			cell->end = *word.text;
			return 0;
		}
		if (cell->count == HERD_CELL)
			return herd_fail(h, word.text,
					 "expected | or ;: no instruction is so long");
		cell->words[cell->count++] = word;
	}
}

/* The part of an instruction in brackets, in the form of this project: "order" or "order.scope". */
struct herd_annotation {
	char text[2 * LIT_NAME];
	bool red;
};

static int herd_read_annotation(struct herd *h, struct herd_cell *cell,
				struct herd_annotation *annotation)
{
	struct lit_word word = herd_word(cell);
	size_t size = 0;

	memset(annotation, 0, sizeof(*annotation));
	if (!lit_is(word, "["))
		return herd_fail(h, cell->start,
				 "expected the order in brackets, like [weak] or [relaxed,gpu]");
	do {
		word = herd_word(cell);
		if (lit_is(word, "red")) {
			annotation->red = true;
			continue;
		}
		if (!lit_name(word) || size + word.size + 2 > sizeof(annotation->text))
			return herd_fail(h, word.size ? word.text : cell->start,
					 "expected an order, a scope or red within the brackets");
		size += snprintf(annotation->text + size, sizeof(annotation->text) - size, "%s%.*s",
				 size ? "." : "", (int)word.size, word.text);
	} while (lit_is(word = herd_word(cell), ","));
	return lit_is(word, "]") ?
		       0 :
		       herd_fail(h, word.size ? word.text : cell->start, "expected , or ]");
}

/* "(add REGISTER VALUE)", in which the result register stands for the old value. */
static int herd_read_sum(struct herd *h, struct herd_cell *cell, struct lit_word reg,
			 struct lit_word *value)
{
	struct lit_word op = herd_word(cell), a = herd_word(cell), b = herd_word(cell);
	struct lit_word close = herd_word(cell);
	bool first = reg.size && a.size == reg.size && !memcmp(a.text, reg.text, reg.size);
	bool second = reg.size && b.size == reg.size && !memcmp(b.text, reg.text, reg.size);

	*value = first ? b : a;
	if (!lit_is(op, "add") || first == second || !lit_is(close, ")"))
		return herd_fail(
			h, op.size ? op.text : cell->start,
			"expected (add %.*s VALUE): the other operations of LISA are none of the device's",
			(int)reg.size, reg.text);
	return 0;
}

static int herd_translate_rmw(struct herd *h, struct herd_cell *cell, char *line, size_t size)
{
	struct lit_word reg, value, place, result = { "", 0 };
	struct herd_annotation annotation;
	const char *op = "exch";
	int ret = herd_read_annotation(h, cell, &annotation);

	if (ret)
		return ret;
	reg = herd_word(cell);
	value = herd_word(cell);
	if (lit_is(value, "(")) {
		op = "add";
		ret = herd_read_sum(h, cell, reg, &value);
		if (ret)
			return ret;
	}
	place = herd_word(cell);
	if (!annotation.red)
		result = reg;
	snprintf(line, size, "%s %s %s %.*s %.*s %.*s", annotation.red ? "red" : "atom",
		 annotation.text, op, (int)result.size, result.text, (int)place.size, place.text,
		 (int)value.size, value.text);
	ret = herd_location(h, place);
	return ret < 0 ? ret : 0;
}

/* An instruction in the form of this project: "ld relaxed.gpu r0 x". */
static int herd_translate(struct herd *h, struct herd_cell *cell, char *line, size_t size)
{
	struct lit_word kind = herd_word(cell), a = { "", 0 }, b = { "", 0 }, place;
	struct herd_annotation annotation;
	bool fence = lit_is(kind, "f"), load = lit_is(kind, "r");
	int ret;

	if (lit_is(kind, "rmw"))
		return herd_translate_rmw(h, cell, line, size);
	if (!fence && !load && !lit_is(kind, "w"))
		return herd_fail(h, kind.text,
				 "expected r, w, f or rmw: there are no branches, labels or moves");
	ret = herd_read_annotation(h, cell, &annotation);
	if (ret)
		return ret;
	if (annotation.red)
		return herd_fail(h, cell->start, "expected red only at an rmw");
	if (!fence) {
		a = herd_word(cell);
		b = herd_word(cell);
		place = load ? b : a;
		ret = herd_location(h, place);
	}
	snprintf(line, size, "%s %s %.*s %.*s",
		 fence ? "fence" :
		 load  ? "ld" :
			 "st",
		 annotation.text, (int)a.size, a.text, (int)b.size, b.text);
	return ret < 0 ? ret : 0;
}

static int herd_instruction(struct herd *h, struct herd_cell *cell, unsigned int thread)
{
	char line[4 * LIT_NAME];
	struct lit_error error = { 0 };
	struct lit_scan scan = { .error = &error, .line = line, .at = line, .line_number = 1 };
	int ret;

	if (!cell->count)
		return 0;
	ret = herd_translate(h, cell, line, sizeof(line));
	if (ret)
		return ret;
	if (cell->at < cell->count)
		return herd_fail(h, cell->words[cell->at].text, "expected | or ;");
	scan.line_end = scan.next = scan.end = line + strlen(line);
	ret = lit_parse_op(&scan, h->test, &h->test->threads[thread], lit_next_word(&scan));
	if (ret == -EINVAL)
		return herd_fail(h, cell->start, "%s (read as '%s')", error.text, line);
	return ret;
}

/* "P0 | P1 ;" */
static int herd_threads(struct herd *h)
{
	struct lit_word word;
	unsigned int thread;
	int ret;

	do {
		if (h->test->thread_count == LIT_MAX_THREADS)
			return herd_fail(h, h->at, "expected at most %d threads", LIT_MAX_THREADS);
		h->test->thread_count++;
		word = herd_peek(h);
		ret = herd_proc(h, &thread);
		if (!ret && thread != h->test->thread_count - 1)
			ret = herd_fail(h, word.text, "expected P%u", h->test->thread_count - 1);
		if (ret)
			return ret;
	} while (herd_take(h, "|"));
	return herd_expect(h, ";");
}

/* Rows of instructions, up to the scopes. */
static int herd_rows(struct herd *h)
{
	struct herd_cell cell;
	unsigned int thread;
	int ret;

	while (!lit_is(herd_peek(h), "scopes")) {
		for (thread = 0; thread < h->test->thread_count; thread++) {
			bool last = thread + 1 == h->test->thread_count;

			ret = herd_read_cell(h, &cell);
			if (!ret && (cell.end == ';') != last)
				ret = herd_fail(h, h->at - 1, "expected %c: there are %u threads",
						last ? ';' : '|', h->test->thread_count);
			if (!ret)
				ret = herd_instruction(h, &cell, thread);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int herd_read_initial(struct herd *h)
{
	struct lit_word word, number;
	int place, ret;

	while (!herd_take(h, "}")) {
		word = herd_next(h);
		if (lit_is(word, "[")) {
			word = herd_next(h);
			ret = herd_expect(h, "]");
			if (ret)
				return ret;
		}
		place = herd_location(h, word);
		if (place < 0)
			return place;
		ret = herd_expect(h, "=");
		number = herd_next(h);
		if (!ret && !lit_number(number, &h->test->initial[place]))
			ret = herd_fail(h, number.text, "expected a number of 32 bits");
		if (!ret && !lit_is(herd_peek(h), "}"))
			ret = herd_expect(h, ";");
		if (ret)
			return ret;
	}
	return 0;
}

/* "P1 P3": threads that are of the host. */
static int herd_read_hosts(struct herd *h, struct lit_word value)
{
	struct lit_scan scan = { .at = value.text, .line_end = value.text + value.size };
	struct lit_word word;
	int32_t number;

	for (word = lit_next_word(&scan); word.size; word = lit_next_word(&scan)) {
		struct lit_word digits = { word.text + 1, word.size - 1 };

		if (word.text[0] != 'P' || !lit_number(digits, &number) || number < 0 ||
		    number >= LIT_MAX_THREADS)
			return herd_fail(h, word.text, "expected threads, like P1 P2");
		h->hosts |= 1u << number;
	}
	return 0;
}

static int herd_copy(struct herd *h, char *name, struct lit_word word)
{
	size_t i;

	for (i = 0; i < word.size; i++)
		if (word.text[i] <= ' ' || word.text[i] > '~')
			return herd_fail(h, word.text + i, "expected a name without spaces");
	if (!word.size || word.size >= LIT_NAME)
		return herd_fail(h, word.text, "expected a name of 1..%d characters", LIT_NAME - 1);
	memcpy(name, word.text, word.size);
	return 0;
}

/* The rest of the line, without spaces around it. */
static struct lit_word herd_line(struct herd *h)
{
	struct lit_word word;

	while (h->at < h->end && (*h->at == ' ' || *h->at == '\t'))
		h->at++;
	word.text = h->at;
	while (h->at < h->end && *h->at != '\n')
		h->at++;
	word.size = h->at - word.text;
	while (word.size && strchr(" \t\r", word.text[word.size - 1]))
		word.size--;
	return word;
}

/* A line "KEY=VALUE"; herd7 allows any. */
static int herd_key(struct herd *h)
{
	struct lit_word line = herd_line(h), key = line, value;
	const char *equals = memchr(line.text, '=', line.size);

	if (!equals)
		return herd_fail(h, line.text, "expected KEY=VALUE, a comment or {");
	key.size = equals - line.text;
	value = (struct lit_word){ equals + 1, line.size - key.size - 1 };
	if (lit_is(key, "Family"))
		return herd_copy(h, h->test->family, value);
	if (lit_is(key, "Host"))
		return herd_read_hosts(h, value);
	if (!lit_is(key, "Verdict"))
		return 0;
	h->test->judged = true;
	h->test->allowed = lit_is(value, "allowed");
	if (!h->test->allowed && !lit_is(value, "forbidden"))
		return herd_fail(h, value.text, "expected allowed or forbidden");
	return 0;
}

static int herd_head(struct herd *h)
{
	const char *quote;
	int ret;

	h->at += strlen("LISA");
	ret = herd_copy(h, h->test->name, herd_line(h));
	while (!ret && !herd_take(h, "{")) {
		if (herd_take(h, "\"")) {
			quote = memchr(h->at, '"', h->end - h->at);
			if (!quote)
				return herd_fail(h, h->at, "expected the end of a text, \"");
			h->at = quote + 1;
		} else {
			ret = herd_key(h);
		}
	}
	return ret;
}

int herd_parse(const char *text, size_t size, struct lit_test *test, struct lit_error *error)
{
	struct herd h = {
		.text = text, .end = text + size, .at = text, .test = test, .error = error
	};
	int ret = herd_head(&h);

	if (!ret)
		ret = herd_read_initial(&h);
	if (!ret)
		ret = herd_threads(&h);
	if (!ret)
		ret = herd_rows(&h);
	if (!ret)
		ret = herd_scopes(&h);
	if (!ret && !test->location_count)
		ret = herd_fail(&h, text, "expected an access to a location");
	if (!ret && lit_columns(test) > LIT_MAX_COLUMNS)
		ret = herd_fail(&h, text, "expected at most %d registers and locations",
				LIT_MAX_COLUMNS);
	if (ret)
		return ret;
	lit_default_columns(test);
	return herd_question(&h);
}
