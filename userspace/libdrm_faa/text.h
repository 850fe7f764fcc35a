/* SPDX-License-Identifier: MIT */
#ifndef FAA_TEXT_H
#define FAA_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/** struct faa_text - text that is truncated at @size; @length is that of the full text */
struct faa_text {
	char *buffer;
	size_t size;
	size_t length;
};

/** faa_text() - append, like printf(). */
static inline void __attribute__((format(printf, 2, 3)))
faa_text(struct faa_text *text, const char *format, ...)
{
	size_t room = text->length < text->size ? text->size - text->length : 0;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(room ? text->buffer + text->length : NULL, room, format, args);
	va_end(args);
	if (n > 0)
		text->length += n;
}

#endif /* FAA_TEXT_H */
