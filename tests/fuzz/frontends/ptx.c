// SPDX-License-Identifier: MIT
/*
 * PTX text: accepted text can be written and read again, and becomes a stream or is rejected with a
 * reason.
 */
#include <errno.h>

#include "round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const struct faa_asm_code *code)
{
	struct faa_asm_code *again;
	struct faa_asm_error error;
	void *text;
	size_t size;

	expect(!faa_asm_write(code, FAA_ASM_TEXT, &text, &size, &error));
	expect(!faa_asm_read(FAA_ASM_PTX, FAA_ASM_TEXT, text, size, &again, &error));
	expect(faa_asm_count(code) == faa_asm_count(again));
	expect_same(code, again, FAA_ASM_TEXT);
	free(text);
	faa_asm_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct faa_asm_code *code;
	struct faa_asm_error error;
	int ret = faa_asm_read(FAA_ASM_PTX, FAA_ASM_TEXT, data, size, &code, &error);

	expect(!ret || (ret == -EINVAL && error.text[0] && !code));
	if (ret) {
		expect_errors(FAA_ASM_PTX, data, size, &error);
		return 0;
	}
	check_text(code);
	/* One of several kernels may have this name. */
	(void)faa_asm_choose(code, "k", &error);
	ret = expect_emit(code, NULL, 0, ~0u);
	expect(!ret || ret == -EINVAL);
	ret = expect_emit(code, NULL, 0, 0x5);
	expect(!ret || ret == -EINVAL);
	faa_asm_destroy(code);
	return 0;
}
