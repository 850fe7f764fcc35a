/* SPDX-License-Identifier: MIT */
/*
 * Pieces of a line of text, put where there is room for the longest: printf() would take most of the time of a disassembler. Each returns the end.
 */
#ifndef FAA_ASM_PUT_H
#define FAA_ASM_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** faa_put_text() - text without its 0 */
static inline char *faa_put_text(char *at, const char *text)
{
	size_t length = strlen(text);

	memcpy(at, text, length);
	return at + length;
}

/** faa_put_decimal() - a number of up to 10 digits */
static inline char *faa_put_decimal(char *at, uint32_t value)
{
	char digits[10];
	size_t n = 0;

	do {
		digits[n++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	while (n)
		*at++ = digits[--n];
	return at;
}

#endif /* FAA_ASM_PUT_H */
