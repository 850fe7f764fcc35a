/* SPDX-License-Identifier: MIT */
/* Properties of vISA code, whatever its source. */
#ifndef VISA_ROUND_H
#define VISA_ROUND_H

#include "round.h"

/* Written code can be read, and is the same code; only bytes lose the declarations. */
static void visa_expect_form(const struct faa_asm_code *code, enum faa_asm_format format)
{
	struct faa_asm_code *again;
	struct faa_asm_error error;
	void *data;
	size_t size;

	if (faa_asm_write(code, format, &data, &size, &error)) {
		/* Bare instructions, or a version without such a file. */
		expect(format == FAA_ASM_CISA && error.text[0]);
		return;
	}
	expect(!faa_asm_read(FAA_ASM_VISA, format, data, size, &again, &error));
	expect(faa_asm_count(again) == faa_asm_count(code));
	expect_same(code, again, format);
	expect_same(code, again, FAA_ASM_HEX);
	if (format != FAA_ASM_HEX)
		expect_same(code, again, FAA_ASM_TEXT);
	faa_asm_destroy(again);
	free(data);
}

static void visa_expect_emit(const struct faa_asm_code *code, size_t count, uint32_t lanes)
{
	const struct faa_asm_value values[] = {
		{ "V32", faa_array_u64(65536, 8) },
		{ "P1", faa_array_u32(131072, 4) },
		{ "V33", faa_array_u32(196608, -4) },
	};

	expect_emit(code, values, count, lanes);
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

/* Any bytes as code of a form: rejected with a reason, or code that survives each of its forms. */
static int visa_try(enum faa_asm_format format, const uint8_t *data, size_t size, int *line,
		    int *column)
{
	struct faa_asm_error error;
	struct faa_asm_code *code;

	if (faa_asm_read(FAA_ASM_VISA, format, data, size, &code, &error)) {
		expect(error.text[0] != 0);
		*line = error.line != 0;
		*column = error.column != 0;
		return 0;
	}
	visa_expect_all(code);
	faa_asm_destroy(code);
	return 1;
}

#endif /* VISA_ROUND_H */
