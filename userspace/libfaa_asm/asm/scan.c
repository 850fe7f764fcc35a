// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "asm.h"
#include "scan.h"

/* Not isdigit() and friends, which depend on the locale. */
static bool scan_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool scan_is_word(int c)
{
	return scan_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int scan_digit_value(int c)
{
	if (scan_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

void faa_scan_rest(struct faa_scan *scan)
{
	const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));

	scan->at = newline ? newline : scan->end;
}

size_t faa_scan_word(struct faa_scan *scan, const char *others)
{
	const char *start = scan->at;

	while (scan->at < scan->end &&
	       (scan_is_word((unsigned char)*scan->at) || (*scan->at && strchr(others, *scan->at))))
		scan->at++;
	return (size_t)(scan->at - start);
}

int faa_scan_number(struct faa_scan *scan, uint64_t *value)
{
	const char *at = scan->at, *start;
	uint64_t number = 0;
	int base = 10;

	if (scan->end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
		base = 16;
		at += 2;
	}
	for (start = at; at < scan->end && scan_digit_value((unsigned char)*at) < base; at++) {
		int digit = scan_digit_value((unsigned char)*at);

		if (__builtin_mul_overflow(number, (uint64_t)base, &number) ||
		    __builtin_add_overflow(number, (uint64_t)digit, &number))
			return -ERANGE;
	}
	if (at == start || (at < scan->end && scan_is_word((unsigned char)*at)))
		return -EINVAL;
	scan->at = at;
	*value = number;
	return 0;
}

static int scan_fail(struct faa_asm_error *error, uint32_t line, uint32_t column,
		     const char *format, va_list arguments)
{
	if (error) {
		error->line = line;
		error->column = column;
		vsnprintf(error->text, sizeof(error->text), format, arguments);
	}
	return -EINVAL;
}

int faa_asm_fail(struct faa_asm_error *error, uint32_t line, uint32_t column, const char *format,
		 ...)
{
	va_list arguments;

	va_start(arguments, format);
	scan_fail(error, line, column, format, arguments);
	va_end(arguments);
	return -EINVAL;
}

int faa_scan_fail(const struct faa_scan *scan, struct faa_asm_error *error, const char *format, ...)
{
	struct faa_scan_mark mark = faa_scan_mark(scan);
	va_list arguments;

	va_start(arguments, format);
	scan_fail(error, mark.line, mark.column, format, arguments);
	va_end(arguments);
	return -EINVAL;
}

const char *faa_scan_show(const struct faa_scan *scan, char *buffer)
{
	struct faa_scan copy = *scan;
	int c = faa_scan_peek(scan);
	size_t size;

	if (c < 0)
		return "the end";
	if (c == '\n' || c == '\r')
		return "the end of the line";
	size = faa_scan_word(&copy, "");
	if (size)
		snprintf(buffer, 64, "'%.*s'%s", (int)(size > 40 ? 40 : size), scan->at,
			 size > 40 ? "..." : "");
	else if (c > ' ' && c < 127)
		snprintf(buffer, 64, "'%c'", c);
	else
		snprintf(buffer, 64, "byte 0x%02x", (unsigned int)c);
	return buffer;
}

bool faa_word_is(const char *word, size_t size, const char *text)
{
	size_t i;

	for (i = 0; i < size; i++) {
		int c = (unsigned char)word[i], d = (unsigned char)text[i];

		if (!d)
			return false;
		if (c >= 'a' && c <= 'z')
			c -= 'a' - 'A';
		if (d >= 'a' && d <= 'z')
			d -= 'a' - 'A';
		if (c != d)
			return false;
	}
	return !text[size];
}
