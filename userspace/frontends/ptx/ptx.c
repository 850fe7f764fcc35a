// SPDX-License-Identifier: MIT
/* The language PTX. */
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

static size_t count(const struct faa_asm_code *code)
{
	return ((const struct ptx_code *)code)->count;
}

static int by_place(const void *left, const void *right)
{
	const struct ptx_label *a = left, *b = right;

	return a->at < b->at ? -1 : a->at > b->at;
}

struct ptx_label *ptx_sort_labels(const struct ptx_code *code)
{
	struct ptx_label *labels = calloc(code->label_count + 1, sizeof(*labels));

	if (!labels)
		return NULL;
	if (code->label_count)
		memcpy(labels, code->labels, code->label_count * sizeof(*labels));
	qsort(labels, code->label_count, sizeof(*labels), by_place);
	labels[code->label_count].at = UINT32_MAX;
	return labels;
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
	free(code);
}

const struct faa_asm_language faa_asm_ptx = {
	.name = "ptx",
	.read = { [FAA_ASM_TEXT] = ptx_read },
	.write = { [FAA_ASM_TEXT] = ptx_write },
	.emit = ptx_emit,
	.count = count,
	.destroy = ptx_destroy,
};
