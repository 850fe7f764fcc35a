// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

bool faa_output_room(struct faa_output *output, size_t size)
{
	size_t capacity = output->capacity ? output->capacity : 256;
	char *grown;

	if (output->failed)
		return false;
	if (size <= output->capacity - output->size)
		return true;
	while (capacity - output->size < size && capacity <= SIZE_MAX / 2)
		capacity *= 2;
	grown = capacity - output->size >= size ? realloc(output->bytes, capacity) : NULL;
	if (!grown) {
		output->failed = true;
		return false;
	}
	output->bytes = grown;
	output->capacity = capacity;
	return true;
}

void faa_output_add(struct faa_output *output, const void *bytes, size_t size)
{
	if (!size || !faa_output_room(output, size))
		return;
	memcpy(output->bytes + output->size, bytes, size);
	output->size += size;
}

void faa_output_text(struct faa_output *output, const char *text)
{
	faa_output_add(output, text, strlen(text));
}

void faa_output_format(struct faa_output *output, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length < 0 || !faa_output_room(output, (size_t)length + 1))
		return;
	va_start(arguments, format);
	vsnprintf(output->bytes + output->size, (size_t)length + 1, format, arguments);
	va_end(arguments);
	output->size += (size_t)length;
}

int faa_output_finish(struct faa_output *output, void **data, size_t *size)
{
	if (!faa_output_room(output, 1)) {
		faa_output_drop(output);
		return -ENOMEM;
	}
	output->bytes[output->size] = 0;
	*data = output->bytes;
	*size = output->size;
	*output = (struct faa_output){ 0 };
	return 0;
}

void faa_output_drop(struct faa_output *output)
{
	free(output->bytes);
	*output = (struct faa_output){ 0 };
}
