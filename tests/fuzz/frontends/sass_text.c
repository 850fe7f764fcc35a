// SPDX-License-Identifier: MIT
/* Any bytes as SASS text: rejected with a position, or code that survives each of its forms. */
#include "sass_round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct faa_asm_error error;
	struct faa_asm_code *code;

	if (faa_asm_read(FAA_ASM_SASS, FAA_ASM_TEXT, data, size, &code, &error)) {
		expect(error.line && error.column && error.text[0]);
		expect_errors(FAA_ASM_SASS, data, size, &error);
		return 0;
	}
	sass_expect_all(code, 1);
	faa_asm_destroy(code);
	return 0;
}
