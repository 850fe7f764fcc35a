/* SPDX-License-Identifier: MIT */
/*
 * Appends pieces of a line of text to a buffer with room for the longest line. printf() would take
 * most of the run time of a disassembler. Each function returns the end of the text.
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
