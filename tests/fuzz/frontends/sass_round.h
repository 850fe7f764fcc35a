/* SPDX-License-Identifier: MIT */
/* What holds for SASS code, wherever it came from. */
#ifndef SASS_ROUND_H
#define SASS_ROUND_H

#include <stdlib.h>
#include <string.h>

#include "faa_asm.h"

static void sass_expect(int holds)
{
	if (!holds)
		abort();
}

/* Code written in one form and read again. NULL if reading refuses it, which text does with words that break a rule. */
static struct faa_asm_code *sass_again(const struct faa_asm_code *code, enum faa_asm_format format)
{
	struct faa_asm_code *again;
	struct faa_asm_error error;
	void *data;
	size_t size;
	int ret = faa_asm_write(code, format, &data, &size, &error);

	/* Bit 63 of a control word is for one place in three. */
	if (ret) {
		sass_expect(format == FAA_ASM_BUNDLE && error.text[0]);
		return NULL;
	}
	ret = faa_asm_read(FAA_ASM_SASS, format, data, size, &again, &error);
	sass_expect(!ret ||
		    (format == FAA_ASM_TEXT && error.line && error.column && error.text[0]));
	free(data);
	return again;
}

/* Both have the same @format. */
static void sass_expect_same(const struct faa_asm_code *a, const struct faa_asm_code *b,
			     enum faa_asm_format format)
{
	void *data[2];
	size_t size[2];

	sass_expect(!faa_asm_write(a, format, &data[0], &size[0], NULL));
	sass_expect(!faa_asm_write(b, format, &data[1], &size[1], NULL));
	sass_expect(size[0] == size[1] && !memcmp(data[0], data[1], size[0]));
	free(data[0]);
	free(data[1]);
}

/* A stream that was emitted is made of commands that a device knows. */
static void sass_expect_stream(struct faa_stream *stream)
{
	const uint64_t *words;
	unsigned int used;
	char text[64];
	size_t count, at;

	faa_stream_end(stream);
	sass_expect(!faa_stream_finish(stream));
	words = faa_stream_words(stream, &count);
	for (at = 0; at < count; at += used) {
		faa_disassemble(words + at, count - at, &used, text, sizeof(text));
		sass_expect(strncmp(text, ".word", 5) != 0);
	}
}

/* Returns whether the code was emitted. */
static int sass_expect_emit(const struct faa_asm_code *code, uint32_t lanes)
{
	const struct faa_asm_value values[] = {
		{ "R2", faa_stream_u32(65536, 4) },
		{ "P1", faa_stream_u32(131072, 4) },
		{ "R4.64", faa_stream_u64(196608, 8) },
	};
	const struct faa_asm_environment environment = { .inputs = values,
							 .input_count = 3,
							 .outputs = values,
							 .output_count = 3,
							 .lanes = lanes };
	struct faa_asm_error error;
	struct faa_stream *stream;
	int ret;

	if (faa_stream_create(&stream))
		return 0;
	ret = faa_asm_emit(code, &environment, stream, &error);
	if (ret)
		sass_expect(error.text[0]);
	else
		sass_expect_stream(stream);
	faa_stream_destroy(stream);
	return !ret;
}

/* @legal: every instruction keeps the rules, since it was read from text. */
static void sass_expect_all(const struct faa_asm_code *code, int legal)
{
	static const enum faa_asm_format formats[] = { FAA_ASM_TEXT, FAA_ASM_HEX, FAA_ASM_BUNDLE };
	uint32_t lanes = (uint32_t)faa_asm_count(code) * 0x9e3779b9u;
	unsigned int n;

	for (n = 0; n < 3; n++) {
		struct faa_asm_code *again = sass_again(code, formats[n]);

		if (again) {
			/* Bundles are filled up. */
			sass_expect(formats[n] == FAA_ASM_BUNDLE ||
				    faa_asm_count(again) == faa_asm_count(code));
			sass_expect_same(code, again, formats[n]);
		} else {
			sass_expect(formats[n] == FAA_ASM_BUNDLE || !legal);
		}
		faa_asm_destroy(again);
	}
	sass_expect_emit(code, ~0u);
	sass_expect_emit(code, lanes);
}

#endif /* SASS_ROUND_H */
