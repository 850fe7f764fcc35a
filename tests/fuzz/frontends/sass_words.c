// SPDX-License-Identifier: MIT
/*
 * Any bytes as SASS words: bundles if the first bit is set, else hexadecimal text. Whole bundles
 * are never rejected.
 */
#include "sass_round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int bundles = size && data[0] & 1;
	struct faa_asm_error error;
	struct faa_asm_code *code;

	if (!size)
		return 0;
	if (faa_asm_read(FAA_ASM_SASS, bundles ? FAA_ASM_BUNDLE : FAA_ASM_HEX, data + 1, size - 1,
			 &code, &error)) {
		expect(error.line && error.text[0] && !(bundles && (size - 1) % 32 == 0));
		return 0;
	}
	sass_expect_all(code, 0);
	faa_asm_destroy(code);
	return 0;
}
