// SPDX-License-Identifier: MIT
/* From bytes to instructions: header, byte order, word counts. */
#include <byteswap.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

enum {
	HEADER_WORDS = 5,
	/* Universal limit of SPIR-V on the id bound. */
	BOUND_MAX = 4194303,
	SIZE_MAX_BYTES = 64 << 20,
};

static int words_copy(struct spirv_context *context, const void *data, size_t size)
{
	struct faa_spirv_module *module = context->module;
	uint32_t i;

	if (size < 4 * HEADER_WORDS)
		return spirv_refuse(context, NULL, 0, 0,
				    "Module has incomplete header: only %zu bytes instead of %u",
				    size, 4 * HEADER_WORDS);
	if (size > SIZE_MAX_BYTES)
		return spirv_refuse(context, NULL, 0, 0, "Module has %zu bytes, more than %u", size,
				    SIZE_MAX_BYTES);
	if (size % 4)
		return spirv_refuse(context, NULL, 0, 0,
				    "Module has %zu bytes, which is no whole number of words",
				    size);
	module->count = size / 4;
	module->words = spirv_alloc(module, module->count, 4);
	if (!module->words)
		return -ENOMEM;
	memcpy(module->words, data, size);
	if (module->words[0] != SpvMagicNumber && module->words[0] != bswap_32(SpvMagicNumber))
		return spirv_refuse(context, NULL, 0, 0, "Invalid SPIR-V magic number '%08x'",
				    module->words[0]);
	if (module->words[0] != SpvMagicNumber)
		for (i = 0; i < module->count; i++)
			module->words[i] = bswap_32(module->words[i]);
	return 0;
}

static int words_read_header(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	uint32_t version = module->words[1];

	if (version & 0xff0000ff || version < 0x10000 || version > 0x10600)
		return spirv_refuse(context, NULL, 1, 0, "Version 0x%08x is not one of 1.0 to 1.6",
				    version);
	module->version = version;
	module->generator = module->words[2];
	module->bound = module->words[3];
	if (!module->bound || module->bound > BOUND_MAX)
		return spirv_refuse(context, NULL, 3, 0,
				    "Invalid ID bound %u: it must be from 1 to %u", module->bound,
				    BOUND_MAX);
	if (module->words[4])
		return spirv_refuse(context, NULL, 4, 0, "Invalid schema %u: it must be 0",
				    module->words[4]);
	return 0;
}

/* Length of the instruction at @word; 0 after an error. */
static uint32_t words_cut(struct spirv_context *context, uint32_t word, uint32_t number)
{
	struct faa_spirv_module *module = context->module;
	uint32_t length = module->words[word] >> 16;
	const char *why = NULL;

	if (!length)
		why = "Invalid instruction word count: 0";
	else if (length > module->count - word)
		why = "Instruction reaches beyond the end of the module";
	if (!why)
		return length;
	spirv_refuse(context, NULL, word, 0, "%s (instruction %u, Op%s, %u words, %u words left)",
		     why, number, spirv_op_name(module->words[word] & 0xffff), length,
		     module->count - word);
	return 0;
}

static int words_cut_instructions(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	uint32_t word, length, count = 0;

	for (word = HEADER_WORDS; word < module->count; word += length, count++) {
		length = words_cut(context, word, count + 1);
		if (!length)
			return -EINVAL;
	}
	module->instructions = spirv_alloc(module, count, sizeof(*module->instructions));
	if (!module->instructions)
		return -ENOMEM;
	for (word = HEADER_WORDS; word < module->count; word += length) {
		struct spirv_instruction *at = &module->instructions[module->instruction_count++];

		length = module->words[word] >> 16;
		at->opcode = module->words[word] & 0xffff;
		at->length = length;
		at->word = word;
	}
	return 0;
}

int spirv_read_words(struct spirv_context *context, const void *data, size_t size)
{
	int ret = words_copy(context, data, size);

	if (!ret)
		ret = words_read_header(context);
	return ret ? ret : words_cut_instructions(context);
}
