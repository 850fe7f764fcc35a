// SPDX-License-Identifier: MIT
/* The language PTX. */
#include <stdlib.h>

#include "ptx.h"

static size_t ptx_count(const struct faa_asm_code *code)
{
	return ((const struct ptx_code *)code)->count;
}

void ptx_destroy(struct faa_asm_code *common)
{
	struct ptx_code *code = (struct ptx_code *)common;

	ptx_names_free(&code->names);
	free(code->instructions);
	free(code->registers);
	free(code->symbols);
	free(code->labels);
	free(code->ranges);
	free(code->marks);
	free(code->kernels);
	free(code->scopes);
	free(code->data);
	free(code);
}

const struct faa_asm_language faa_asm_ptx = {
	.name = "ptx",
	.read_text = ptx_read,
	.write = { [FAA_ASM_TEXT] = ptx_write },
	.emit = ptx_emit,
	.choose = ptx_choose,
	.variable = ptx_variable,
	.count = ptx_count,
	.destroy = ptx_destroy,
};
