/* SPDX-License-Identifier: MIT */
/* Properties of code of any assembly language, whatever its source. */
#ifndef ROUND_H
#define ROUND_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "faa_asm.h"

static inline void expect(bool holds)
{
	if (!holds)
		abort();
}

/*
 * A reader that continues after an error reports the same first error, and then further errors with
 * their lines.
 */
static inline void expect_errors(enum faa_asm_syntax syntax, const uint8_t *data, size_t size,
				 const struct faa_asm_error *first)
{
	struct faa_asm_error errors[4];
	struct faa_asm_code *code;
	size_t count, i;

	expect(faa_asm_read_errors(syntax, FAA_ASM_TEXT, data, size, &code, errors, 4, &count) ==
	       -EINVAL);
	expect(!code && count >= 1 && count <= 4);
	expect(errors[0].line == first->line && errors[0].column == first->column &&
	       !strcmp(errors[0].text, first->text));
	for (i = 0; i < count; i++)
		expect(errors[i].text[0] && (errors[i].line || i + 1 == count));
}

/* Both codes are the same in @format. */
static inline void expect_same(const struct faa_asm_code *a, const struct faa_asm_code *b,
			       enum faa_asm_format format)
{
	void *data[2];
	size_t size[2];

	expect(!faa_asm_write(a, format, &data[0], &size[0], NULL));
	expect(!faa_asm_write(b, format, &data[1], &size[1], NULL));
	expect(size[0] == size[1] && !memcmp(data[0], data[1], size[0]));
	free(data[0]);
	free(data[1]);
}

/* An emitted stream consists of commands that a device knows. */
static inline void expect_stream(struct faa_stream *stream)
{
	const uint64_t *words;
	unsigned int used;
	char text[64];
	size_t count, at;

	expect(!faa_stream_end(stream));
	expect(!faa_stream_finish(stream));
	words = faa_stream_words(stream, &count);
	for (at = 0; at < count; at += used) {
		faa_disassemble(words + at, count - at, &used, text, sizeof(text));
		expect(strncmp(text, ".word", 5) != 0);
	}
}

/*
 * Emits on @lanes with @count @values as inputs and outputs; a rejection must have a reason.
 * Return: the result of faa_asm_emit().
 */
static inline int expect_emit(const struct faa_asm_code *code, const struct faa_asm_value *values,
			      size_t count, uint32_t lanes)
{
	const struct faa_asm_environment environment = { .inputs = values,
							 .input_count = count,
							 .outputs = values,
							 .output_count = count,
							 .lanes = lanes };
	struct faa_asm_error error;
	struct faa_stream *stream;
	int ret;

	if (faa_stream_create(&stream))
		return 0;
	ret = faa_asm_emit(code, &environment, stream, &error);
	if (ret)
		expect(error.text[0] != 0);
	else
		expect_stream(stream);
	faa_stream_destroy(stream);
	return ret;
}

#endif /* ROUND_H */
