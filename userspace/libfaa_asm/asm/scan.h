/* SPDX-License-Identifier: MIT */
/*
 * A scanner of text from left to right that tracks line and column.
 */
#ifndef FAA_ASM_SCAN_H
#define FAA_ASM_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../faa_asm.h"

/** struct faa_scan - text and a position in it */
struct faa_scan {
	/** @at: next byte. */
	const char *at;
	/** @end: end of the text (exclusive). */
	const char *end;
	/** @line_start: first byte of the line of @at. */
	const char *line_start;
	/** @line: number of that line, from 1. */
	uint32_t line;
};

/** struct faa_scan_mark - a position, for an error that is found later */
struct faa_scan_mark {
	uint32_t line;
	uint32_t column;
};

/** faa_scan_begin() - the start of @size bytes at @data. */
static inline struct faa_scan faa_scan_begin(const void *data, size_t size)
{
	const char *text = (const char *)data;

	return (struct faa_scan){ text, text + size, text, 1 };
}

/** faa_scan_mark() - line and column of the next byte. */
static inline struct faa_scan_mark faa_scan_mark(const struct faa_scan *scan)
{
	return (struct faa_scan_mark){ scan->line, (uint32_t)(scan->at - scan->line_start) + 1 };
}

/** faa_scan_peek() - the next byte; -1 at the end. A byte 0 is an ordinary byte. */
static inline int faa_scan_peek(const struct faa_scan *scan)
{
	return scan->at < scan->end ? (unsigned char)*scan->at : -1;
}

/** faa_scan_take() - skip the next byte if it is @c. */
static inline bool faa_scan_take(struct faa_scan *scan, char c)
{
	if (scan->at == scan->end || *scan->at != c)
		return false;
	scan->at++;
	return true;
}

/** faa_scan_newline() - skip the next byte, which is the end of a line. */
static inline void faa_scan_newline(struct faa_scan *scan)
{
	scan->line_start = ++scan->at;
	scan->line++;
}

/** faa_scan_blank() - skip blanks, tabs and carriage returns, but not the end of the line. */
static inline void faa_scan_blank(struct faa_scan *scan)
{
	while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r'))
		scan->at++;
}

/** faa_scan_rest() - skip to the end of the line, which is not skipped. */
void faa_scan_rest(struct faa_scan *scan);

/**
 * faa_scan_word() - skip letters, digits, '_' and bytes of @others
 * @scan: position
 * @others: more bytes that belong to a word, such as "."
 *
 * Return: number of bytes skipped.
 */
size_t faa_scan_word(struct faa_scan *scan, const char *others);

/**
 * faa_scan_number() - skip and convert an unsigned number: decimal, or hexadecimal with 0x
 * @scan: position; unchanged on failure
 * @value: receives the number
 *
 * Return: 0; -EINVAL: there is no number, or a letter or '_' follows it; -ERANGE: it does not fit
 * 64 bits.
 */
int faa_scan_number(struct faa_scan *scan, uint64_t *value);

/** faa_scan_fail() - faa_asm_fail() at the next byte. Return: -EINVAL. */
int faa_scan_fail(const struct faa_scan *scan, struct faa_asm_error *error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * faa_scan_show() - the next word or byte in quotes, for messages: up to 40 bytes; or "the end of
 * the line", "the end". @buffer has 64 bytes.
 */
const char *faa_scan_show(const struct faa_scan *scan, char *buffer);

/** faa_word_is() - whether @size bytes at @word equal @text, ignoring case. */
bool faa_word_is(const char *word, size_t size, const char *text);

#endif /* FAA_ASM_SCAN_H */
