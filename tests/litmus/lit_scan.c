// SPDX-License-Identifier: MIT
#include "lit_scan.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool lit_next_line(struct lit_scan *scan)
{
	const char *end;

	if (scan->next == scan->end)
		return false;
	scan->line = scan->at = scan->next;
	end = memchr(scan->line, '\n', scan->end - scan->line);
	scan->line_end = end ? end : scan->end;
	scan->next = end ? end + 1 : scan->end;
	scan->line_number++;
	return true;
}

struct lit_word lit_next_word(struct lit_scan *scan)
{
	struct lit_word word;

	while (scan->at < scan->line_end && *scan->at == ' ')
		scan->at++;
	word.text = scan->at;
	while (scan->at < scan->line_end && *scan->at != ' ')
		scan->at++;
	word.size = scan->at - word.text;
	return word;
}

bool lit_is(struct lit_word word, const char *text)
{
	return word.size == strlen(text) && !memcmp(word.text, text, word.size);
}

bool lit_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool lit_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool lit_name(struct lit_word word)
{
	size_t i;

	if (!word.size || word.size >= LIT_NAME || !lit_letter(word.text[0]))
		return false;
	for (i = 1; i < word.size; i++)
		if (!lit_letter(word.text[i]) && !lit_digit(word.text[i]))
			return false;
	return true;
}

bool lit_number(struct lit_word word, int32_t *number)
{
	bool negative = word.size && word.text[0] == '-';
	int64_t value = 0;
	size_t i;

	if (word.size == (size_t)negative)
		return false;
	for (i = negative; i < word.size; i++) {
		if (!lit_digit(word.text[i]) || value > INT32_MAX)
			return false;
		value = 10 * value + (word.text[i] - '0');
	}
	value = negative ? -value : value;
	*number = (int32_t)value;
	return value == *number;
}

bool lit_register(struct lit_word word, unsigned int *number)
{
	struct lit_word digits = { word.text + 1, word.size - 1 };
	int32_t value;

	if (word.size < 2 || word.size > 5 || word.text[0] != 'r' || !lit_digit(word.text[1]) ||
	    !lit_number(digits, &value))
		return false;
	*number = value;
	return true;
}

int lit_fail(struct lit_scan *scan, const char *at, const char *format, ...)
{
	va_list args;

	scan->error->line = scan->line_number ? scan->line_number : 1;
	scan->error->column = at - scan->line + 1;
	va_start(args, format);
	vsnprintf(scan->error->text, sizeof(scan->error->text), format, args);
	va_end(args);
	return -EINVAL;
}

int lit_line_done(struct lit_scan *scan)
{
	struct lit_word word = lit_next_word(scan);

	return word.size ? lit_fail(scan, word.text, "expected the end of the line") : 0;
}

int lit_find_location(const struct lit_test *test, struct lit_word word)
{
	unsigned int i;

	for (i = 0; i < test->location_count; i++)
		if (lit_is(word, test->locations[i]))
			return i;
	return -1;
}

int lit_find_register(const struct lit_thread *thread, unsigned int number)
{
	unsigned int i;

	for (i = 0; i < thread->register_count; i++)
		if (thread->registers[i] == number && thread->written >> i & 1)
			return i;
	return -1;
}

static int parse_register(struct lit_scan *scan, const struct lit_test *test, struct lit_word word,
			  const char *colon, struct lit_column *what)
{
	struct lit_word thread = { word.text, colon - word.text };
	struct lit_word reg = { colon + 1, word.size - thread.size - 1 };
	unsigned int wanted;
	int32_t number;
	int found;

	if (!lit_number(thread, &number) || number < 0 || number >= (int)test->thread_count)
		return lit_fail(scan, word.text, "expected the number of a thread, 0..%d",
				(int)test->thread_count - 1);
	if (!lit_register(reg, &wanted))
		return lit_fail(scan, reg.text, "expected a register, like r0");
	found = lit_find_register(&test->threads[number], wanted);
	if (found >= 0) {
		*what = (struct lit_column){ .is_register = true, .thread = number, .reg = found };
		return 0;
	}
	return lit_fail(scan, reg.text, "expected a register that thread %d writes, not r%u",
			number, wanted);
}

int lit_parse_place(struct lit_scan *scan, const struct lit_test *test, struct lit_word *word,
		    struct lit_column *what)
{
	struct lit_word place = { word->text, 0 };
	const char *colon;
	int location;

	while (place.size < word->size &&
	       (lit_letter(place.text[place.size]) || lit_digit(place.text[place.size]) ||
		place.text[place.size] == ':'))
		place.size++;
	word->text += place.size;
	word->size -= place.size;
	memset(what, 0, sizeof(*what));
	colon = memchr(place.text, ':', place.size);
	if (colon)
		return parse_register(scan, test, place, colon, what);
	location = lit_find_location(test, place);
	if (location < 0)
		return lit_fail(scan, place.text,
				"expected a register, like 1:r0, or a location of the init line");
	what->location = location;
	return 0;
}
