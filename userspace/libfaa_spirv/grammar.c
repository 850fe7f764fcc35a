// SPDX-License-Identifier: MIT
#include <stddef.h>

#include "grammar.h"

static const struct spirv_grammar *grammar_find(const struct spirv_grammar *table, uint32_t length,
						uint32_t opcode)
{
	uint32_t low = 0, high = length;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (table[middle].opcode == opcode)
			return &table[middle];
		if (table[middle].opcode < opcode)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct spirv_grammar *spirv_grammar(uint32_t opcode)
{
	return grammar_find(spirv_instruction_table, spirv_instruction_table_length, opcode);
}

const struct spirv_grammar *spirv_glsl(uint32_t number)
{
	return grammar_find(spirv_glsl_table, spirv_glsl_table_length, number);
}

const struct spirv_enumerant *spirv_enumerant(enum spirv_kind kind, uint32_t value)
{
	uint32_t low = spirv_kinds[kind].first, high = low + spirv_kinds[kind].count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (spirv_enumerants[middle].value == value)
			return &spirv_enumerants[middle];
		if (spirv_enumerants[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const char *spirv_op_name(uint32_t opcode)
{
	const struct spirv_grammar *grammar = spirv_grammar(opcode);

	return grammar ? grammar->name + 2 : "?";
}
