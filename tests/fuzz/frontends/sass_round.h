/* SPDX-License-Identifier: MIT */
/* Properties of SASS code, whatever its source. */
#ifndef SASS_ROUND_H
#define SASS_ROUND_H

#include "round.h"

/*
 * Code written in one form and read again; NULL if it is rejected, as text of words that break a
 * rule.
 */
static struct faa_asm_code *sass_again(const struct faa_asm_code *code, enum faa_asm_format format)
{
	struct faa_asm_code *again;
	struct faa_asm_error error;
	void *data;
	size_t size;
	int ret = faa_asm_write(code, format, &data, &size, &error);

	/* A bundle has room for bit 63 of a control word at one position in three. */
	if (ret) {
		expect(format == FAA_ASM_BUNDLE && error.text[0]);
		return NULL;
	}
	ret = faa_asm_read(FAA_ASM_SASS, format, data, size, &again, &error);
	expect(!ret || (format == FAA_ASM_TEXT && error.line && error.column && error.text[0]));
	free(data);
	return again;
}

static void sass_expect_emit(const struct faa_asm_code *code, uint32_t lanes)
{
	const struct faa_asm_value values[] = {
		{ "R2", faa_array_u32(65536, 4) },
		{ "P1", faa_array_u32(131072, 4) },
		{ "R4.64", faa_array_u64(196608, 8) },
	};

	expect_emit(code, values, 3, lanes);
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
			/* Bundles are padded. */
			expect(formats[n] == FAA_ASM_BUNDLE ||
			       faa_asm_count(again) == faa_asm_count(code));
			expect_same(code, again, formats[n]);
		} else {
			expect(formats[n] == FAA_ASM_BUNDLE || !legal);
		}
		faa_asm_destroy(again);
	}
	sass_expect_emit(code, ~0u);
	sass_expect_emit(code, lanes);
}

#endif /* SASS_ROUND_H */
