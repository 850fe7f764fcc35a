/* SPDX-License-Identifier: MIT */
/* What holds for vISA code, wherever it came from. */
#ifndef VISA_ROUND_H
#define VISA_ROUND_H

#include <stdlib.h>
#include <string.h>

#include "faa_asm.h"

static void visa_expect(int holds)
{
	if (!holds)
		abort();
}

/* Both have the same @format. */
static void visa_expect_same(const struct faa_asm_code *a, const struct faa_asm_code *b,
			     enum faa_asm_format format)
{
	void *data[2];
	size_t size[2];

	visa_expect(!faa_asm_write(a, format, &data[0], &size[0], NULL));
	visa_expect(!faa_asm_write(b, format, &data[1], &size[1], NULL));
	visa_expect(size[0] == size[1] && !memcmp(data[0], data[1], size[0]));
	free(data[0]);
	free(data[1]);
}

/* What is written can be read, and is the same code: bytes alone have no declarations. */
static void visa_expect_form(const struct faa_asm_code *code, enum faa_asm_format format)
{
	struct faa_asm_code *again;
	struct faa_asm_error error;
	void *data;
	size_t size;

	if (faa_asm_write(code, format, &data, &size, &error)) {
		/* Bare instructions, or a version that has no such file. */
		visa_expect(format == FAA_ASM_CISA && error.text[0]);
		return;
	}
	visa_expect(!faa_asm_read(FAA_ASM_VISA, format, data, size, &again, &error));
	visa_expect(faa_asm_count(again) == faa_asm_count(code));
	visa_expect_same(code, again, format);
	visa_expect_same(code, again, FAA_ASM_HEX);
	if (format != FAA_ASM_HEX)
		visa_expect_same(code, again, FAA_ASM_TEXT);
	faa_asm_destroy(again);
	free(data);
}

/* A stream that was emitted is made of commands that a device knows. */
static void visa_expect_stream(struct faa_stream *stream)
{
	const uint64_t *words;
	unsigned int used;
	char text[64];
	size_t count, at;

	faa_stream_end(stream);
	visa_expect(!faa_stream_finish(stream));
	words = faa_stream_words(stream, &count);
	for (at = 0; at < count; at += used) {
		faa_disassemble(words + at, count - at, &used, text, sizeof(text));
		visa_expect(strncmp(text, ".word", 5) != 0);
	}
}

static void visa_expect_emit(const struct faa_asm_code *code, size_t count, uint32_t lanes)
{
	const struct faa_asm_value values[] = {
		{ "V32", faa_stream_u64(65536, 8) },
		{ "P1", faa_stream_u32(131072, 4) },
		{ "V33", faa_stream_u32(196608, -4) },
	};
	const struct faa_asm_environment environment = { .inputs = values,
							 .input_count = count,
							 .outputs = values,
							 .output_count = count,
							 .lanes = lanes };
	struct faa_asm_error error;
	struct faa_stream *stream;

	if (faa_stream_create(&stream))
		return;
	if (faa_asm_emit(code, &environment, stream, &error))
		visa_expect(error.text[0] != 0);
	else
		visa_expect_stream(stream);
	faa_stream_destroy(stream);
}

static void visa_expect_all(const struct faa_asm_code *code)
{
	visa_expect_form(code, FAA_ASM_TEXT);
	visa_expect_form(code, FAA_ASM_HEX);
	visa_expect_form(code, FAA_ASM_CISA);
	visa_expect_emit(code, 0, (uint32_t)faa_asm_count(code) * 0x9e3779b9u);
	visa_expect_emit(code, 1, ~0u);
	visa_expect_emit(code, 3, ~0u);
}

/* Any bytes as code of a form: refused with a reason, or code that survives each of its forms. */
static int visa_try(enum faa_asm_format format, const uint8_t *data, size_t size, int *line,
		    int *column)
{
	struct faa_asm_error error;
	struct faa_asm_code *code;

	if (faa_asm_read(FAA_ASM_VISA, format, data, size, &code, &error)) {
		visa_expect(error.text[0] != 0);
		*line = error.line != 0;
		*column = error.column != 0;
		return 0;
	}
	visa_expect_all(code);
	faa_asm_destroy(code);
	return 1;
}

#endif /* VISA_ROUND_H */
