// SPDX-License-Identifier: MIT
#include "herd_scan.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Skips a comment, which may contain others. */
static void herd_skip_comment(struct herd *h)
{
	unsigned int depth = 0;

	for (; h->at + 1 < h->end; h->at++) {
		if (h->at[0] == '(' && h->at[1] == '*') {
			depth++;
			h->at++;
		} else if (h->at[0] == '*' && h->at[1] == ')') {
			h->at++;
			if (!--depth) {
				h->at++;
				return;
			}
		}
	}
	h->at = h->end;
	h->lost = true;
}

static void herd_skip(struct herd *h)
{
	for (;;) {
		while (h->at < h->end && strchr(" \t\r\n", *h->at))
			h->at++;
		if (h->end - h->at < 2 || h->at[0] != '(' || h->at[1] != '*')
			return;
		herd_skip_comment(h);
	}
}

struct lit_word herd_next(struct herd *h)
{
	static const char *const pairs[] = { "/\\", "\\/", "!=", "<>" };
	struct lit_word word;
	unsigned int i;

	herd_skip(h);
	word.text = h->at;
	word.size = h->at < h->end;
	if (!word.size)
		return word;
	if (lit_letter(*h->at)) {
		while (h->at + word.size < h->end &&
		       (lit_letter(h->at[word.size]) || lit_digit(h->at[word.size])))
			word.size++;
	} else if (lit_digit(*h->at) || *h->at == '-') {
		while (h->at + word.size < h->end && lit_digit(h->at[word.size]))
			word.size++;
	} else {
		for (i = 0; h->end - h->at >= 2 && i < sizeof(pairs) / sizeof(pairs[0]); i++)
			if (!memcmp(h->at, pairs[i], 2))
				word.size = 2;
	}
	h->at += word.size;
	return word;
}

struct lit_word herd_peek(struct herd *h)
{
	struct lit_word word = herd_next(h);

	h->at = word.text;
	return word;
}

bool herd_take(struct herd *h, const char *text)
{
	bool same = lit_is(herd_peek(h), text);

	if (same)
		herd_next(h);
	return same;
}

int herd_expect(struct herd *h, const char *text)
{
	return herd_take(h, text) ? 0 : herd_fail(h, h->at, "expected %s", text);
}

int herd_fail(struct herd *h, const char *at, const char *format, ...)
{
	const char *line = at;
	const char *c;
	va_list args;

	h->error->line = 1;
	for (c = h->text; c < at; c++)
		h->error->line += *c == '\n';
	while (line > h->text && line[-1] != '\n')
		line--;
	h->error->column = at - line + 1;
	va_start(args, format);
	vsnprintf(h->error->text, sizeof(h->error->text),
		  h->lost ? "expected the end of a comment, *)" : format, args);
	va_end(args);
	return -EINVAL;
}

int herd_proc(struct herd *h, unsigned int *thread)
{
	struct lit_word word = herd_next(h);
	struct lit_word digits = { word.text + 1, word.size - !!word.size };
	int32_t number;

	if (word.size < 2 || word.text[0] != 'P' || !lit_number(digits, &number) || number < 0 ||
	    number >= (int)h->test->thread_count)
		return herd_fail(h, word.text, "expected a thread, P0 to P%u",
				 h->test->thread_count - 1);
	*thread = number;
	return 0;
}

int herd_location(struct herd *h, struct lit_word word)
{
	struct lit_test *test = h->test;
	int found = lit_find_location(test, word);
	unsigned int number;

	if (found >= 0)
		return found;
	if (!lit_name(word) || lit_register(word, &number))
		return herd_fail(h, word.text, "expected a location, like x");
	if (test->location_count == LIT_MAX_LOCATIONS)
		return herd_fail(h, word.text, "expected at most %d locations", LIT_MAX_LOCATIONS);
	memcpy(test->locations[test->location_count], word.text, word.size);
	return test->location_count++;
}
