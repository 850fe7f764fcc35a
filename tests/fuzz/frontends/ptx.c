// SPDX-License-Identifier: MIT
/* PTX text: what is read can be written and read again, and becomes a stream or is refused with a reason. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "faa_asm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int condition)
{
	if (!condition)
		abort();
}

static void check_emit(const struct faa_asm_code *code, uint32_t lanes)
{
	const struct faa_asm_environment environment = { .lanes = lanes };
	struct faa_asm_error error;
	struct faa_stream *stream;
	int ret;

	if (faa_stream_create(&stream))
		return;
	ret = faa_asm_emit(code, &environment, stream, &error);
	check(!ret || (ret == -EINVAL && error.text[0]));
	if (!ret) {
		check(!faa_stream_end(stream));
		check(!faa_stream_finish(stream));
	}
	faa_stream_destroy(stream);
}

static void check_text(const struct faa_asm_code *code)
{
	struct faa_asm_code *again;
	struct faa_asm_error error;
	void *text, *second;
	size_t size, second_size;

	check(!faa_asm_write(code, FAA_ASM_TEXT, &text, &size, &error));
	check(!faa_asm_read(FAA_ASM_PTX, FAA_ASM_TEXT, text, size, &again, &error));
	check(faa_asm_count(code) == faa_asm_count(again));
	check(!faa_asm_write(again, FAA_ASM_TEXT, &second, &second_size, &error));
	check(size == second_size && !memcmp(text, second, size));
	free(text);
	free(second);
	faa_asm_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct faa_asm_code *code;
	struct faa_asm_error error;
	int ret = faa_asm_read(FAA_ASM_PTX, FAA_ASM_TEXT, data, size, &code, &error);

	check(!ret || (ret == -EINVAL && error.text[0] && !code));
	if (ret)
		return 0;
	check_text(code);
	check_emit(code, ~0u);
	check_emit(code, 0x5);
	faa_asm_destroy(code);
	return 0;
}
