// SPDX-License-Identifier: MIT
/* Code as PTX text, with everything written out that has a default. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../asm/output.h"
#include "ptx.h"

static const char *register_name(const struct ptx_code *code, uint32_t index)
{
	return ptx_names_text(&code->names, code->registers[index].name);
}

static const char *symbol_name(const struct ptx_code *code, uint32_t index)
{
	return ptx_names_text(&code->names, code->symbols[index].name);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Declarations
 */

static void write_symbol(struct faa_output *out, const struct ptx_code *code, uint32_t index)
{
	const struct ptx_symbol *symbol = &code->symbols[index];

	if (symbol->space == PTX_IN_PARAM)
		return;
	if (symbol->elements == UINT32_MAX)
		faa_output_text(out, ".extern ");
	faa_output_format(out, ".%s .align %u .%s %s", ptx_spaces[symbol->space], symbol->align,
			  ptx_types[symbol->type].name, symbol_name(code, index));
	if (symbol->elements == UINT32_MAX)
		faa_output_text(out, "[]");
	else if (symbol->elements)
		faa_output_format(out, "[%u]", symbol->elements);
	faa_output_text(out, ";\n");
}

static void write_registers(struct faa_output *out, const struct ptx_code *code, unsigned int type)
{
	unsigned int column = 0;
	uint32_t i;

	for (i = 0; i < code->register_count; i++) {
		if (code->registers[i].type != type)
			continue;
		if (!column)
			faa_output_format(out, ".reg .%s %s", ptx_types[type].name,
					  register_name(code, i));
		else
			faa_output_format(out, ", %s", register_name(code, i));
		if (++column == 12) {
			faa_output_text(out, ";\n");
			column = 0;
		}
	}
	if (column)
		faa_output_text(out, ";\n");
}

/* The first version with the orders and scopes that are written. */
#define LEAST_VERSION 60u

static void write_head(struct faa_output *out, const struct ptx_code *code)
{
	uint32_t version = code->version < LEAST_VERSION ? LEAST_VERSION : code->version;
	const char *between = "";
	uint32_t i;

	if (code->version)
		faa_output_format(out, ".version %u.%u\n", version / 10, version % 10);
	if (code->target)
		faa_output_format(out, ".target sm_%u\n", code->target);
	if (code->version)
		faa_output_text(out, ".address_size 64\n");
	for (i = 0; i < code->symbol_count; i++)
		write_symbol(out, code, i);
	if (code->entry < 0)
		return;
	faa_output_format(out, ".visible .entry %s(",
			  ptx_names_text(&code->names, (uint32_t)code->entry));
	for (i = 0; i < code->symbol_count; i++) {
		if (code->symbols[i].space != PTX_IN_PARAM)
			continue;
		faa_output_format(out, "%s\n\t.param .%s %s", between,
				  ptx_types[code->symbols[i].type].name, symbol_name(code, i));
		between = ",";
	}
	faa_output_text(out, ")\n{\n");
}

/* ---------------------------------------------------------------------------------------------------------------
 * Operands
 */

static void write_constant(struct faa_output *out, unsigned int type, uint64_t value)
{
	const struct ptx_type_info *info = &ptx_types[type];

	if (type == PTX_F32)
		faa_output_format(out, "0f%08" PRIX64, value);
	else if (type == PTX_F64)
		faa_output_format(out, "0d%016" PRIX64, value);
	else if (info->kind == 's' && value >> (info->bits - 1))
		faa_output_format(out, "-%llu", (0ull - value) & (~0ull >> (64 - info->bits)));
	else
		faa_output_format(out, info->kind == 'b' && value > 9 ? "0x%" PRIx64 : "%" PRIu64,
				  value);
}

static void write_operand(struct faa_output *out, const struct ptx_code *code, unsigned int type,
			  const struct ptx_operand *operand)
{
	switch (operand->kind) {
	case PTX_OPERAND_REGISTER:
		faa_output_text(out, register_name(code, operand->index));
		break;
	case PTX_OPERAND_CONSTANT:
		write_constant(out, type, operand->value);
		break;
	case PTX_OPERAND_SYMBOL:
		faa_output_text(out, symbol_name(code, operand->index));
		break;
	case PTX_OPERAND_SPECIAL:
		faa_output_text(out, ptx_specials[operand->index].name);
		break;
	case PTX_OPERAND_LABEL:
		faa_output_text(out,
				ptx_names_text(&code->names, code->labels[operand->index].name));
		break;
	case PTX_OPERAND_NONE:
		faa_output_text(out, "_");
		break;
	}
}

static void write_address(struct faa_output *out, const struct ptx_code *code,
			  const struct ptx_operand *operand)
{
	faa_output_text(out, "[");
	if (operand->kind == PTX_OPERAND_CONSTANT)
		faa_output_format(out, "0x%" PRIx64, operand->value);
	else
		write_operand(out, code, PTX_B64, operand);
	if (operand->kind != PTX_OPERAND_CONSTANT && operand->value)
		faa_output_format(out, "+%" PRId64, (int64_t)operand->value);
	faa_output_text(out, "]");
}

/* ---------------------------------------------------------------------------------------------------------------
 * Instructions
 */

static void write_memory(struct faa_output *out, const struct ptx_code *code,
			 const struct ptx_instruction *instruction)
{
	const struct ptx_memory_info *info = &ptx_memories[instruction->which];
	bool atomic = instruction->which == PTX_TO_ATOM || instruction->which == PTX_TO_RED;
	unsigned int i, sources = 1;

	faa_output_format(out, "%s.%s", info->name, ptx_sems[instruction->sem]);
	if (instruction->sem != PTX_IS_WEAK)
		faa_output_format(out, ".%s", ptx_scopes[instruction->scope].name);
	if (instruction->which == PTX_TO_FENCE)
		return;
	if (instruction->space != PTX_IN_GENERIC)
		faa_output_format(out, ".%s", ptx_spaces[instruction->space]);
	if (atomic) {
		sources = ptx_atomics[instruction->atomic].args;
		faa_output_format(out, ".%s%s", ptx_atomics[instruction->atomic].name,
				  ptx_atomics[instruction->atomic].noftz >> instruction->type & 1 ?
					  ".noftz" :
					  "");
	}
	faa_output_format(out, ".%s ", ptx_types[instruction->type].name);
	if (instruction->which == PTX_TO_ATOM || instruction->which == PTX_TO_LD) {
		write_operand(out, code, instruction->type, &instruction->operands[0]);
		faa_output_text(out, ", ");
	}
	write_address(out, code, &instruction->operands[1]);
	for (i = 0; instruction->which != PTX_TO_LD && i < sources; i++) {
		faa_output_text(out, ", ");
		write_operand(out, code, instruction->type, &instruction->operands[2 + i]);
	}
}

static void write_operands(struct faa_output *out, const struct ptx_code *code,
			   const struct ptx_plain_info *info,
			   const struct ptx_instruction *instruction)
{
	unsigned int i, count = (unsigned int)(strlen(info->operands) + 2) / 3,
			type = info->from ? instruction->from : instruction->type;
	bool shift = info->lowering == PTX_LOWER_ALU &&
		     (info->alu == FAA_ALU_OP_SHL || info->alu == FAA_ALU_OP_SHR);

	write_operand(out, code, instruction->type, &instruction->operands[0]);
	for (i = 1; i < count; i++) {
		faa_output_text(out, ", ");
		write_operand(out, code, shift && i == 2 ? PTX_U32 : type,
			      &instruction->operands[i]);
	}
}

static void write_plain(struct faa_output *out, const struct ptx_code *code,
			const struct ptx_instruction *instruction)
{
	const struct ptx_plain_info *info = &ptx_plains[instruction->which];
	unsigned int i;

	faa_output_text(out, info->name);
	for (i = 0; info->modifiers[i]; i++)
		faa_output_format(out, ".%s", info->modifiers[i]);
	if (info->lowering == PTX_LOWER_COMPARE)
		faa_output_format(out, ".%s", ptx_compares[instruction->compare].name);
	for (i = 0; info->optional[i]; i++)
		if (instruction->optional >> i & 1)
			faa_output_format(out, ".%s", info->optional[i]);
	if (info->types)
		faa_output_format(out, ".%s", ptx_types[instruction->type].name);
	if (info->from)
		faa_output_format(out, ".%s", ptx_types[instruction->from].name);
	if (info->lowering == PTX_LOWER_RETURN)
		return;
	faa_output_text(out, " ");
	if (info->lowering == PTX_LOWER_BARRIER) {
		faa_output_text(out, "0");
	} else if (info->lowering == PTX_LOWER_BRANCH) {
		write_operand(out, code, PTX_B32, &instruction->operands[0]);
	} else if (info->lowering == PTX_LOWER_COMPARE) {
		write_operand(out, code, PTX_PRED, &instruction->operands[0]);
		if (instruction->operands[3].kind == PTX_OPERAND_REGISTER)
			faa_output_format(out, "|%s",
					  register_name(code, instruction->operands[3].index));
		faa_output_text(out, ", ");
		write_operand(out, code, instruction->type, &instruction->operands[1]);
		faa_output_text(out, ", ");
		write_operand(out, code, instruction->type, &instruction->operands[2]);
	} else {
		write_operands(out, code, info, instruction);
	}
}

static void write_instruction(struct faa_output *out, const struct ptx_code *code,
			      const struct ptx_instruction *instruction)
{
	faa_output_text(out, "\t");
	if (instruction->guarded)
		faa_output_format(out, "@%s%s ", instruction->negated ? "!" : "",
				  register_name(code, instruction->guard));
	if (instruction->memory)
		write_memory(out, code, instruction);
	else
		write_plain(out, code, instruction);
	faa_output_text(out, ";\n");
}

int ptx_write(const struct faa_asm_code *common, void **data, size_t *size,
	      struct faa_asm_error *error)
{
	const struct ptx_code *code = (const struct ptx_code *)common;
	struct ptx_label *labels = ptx_sort_labels(code), *label = labels;
	struct faa_output out = { 0 };
	unsigned int type;
	size_t i;

	(void)error;
	if (!labels)
		return -ENOMEM;
	write_head(&out, code);
	for (type = 0; type < PTX_COUNT; type++)
		write_registers(&out, code, type);
	for (i = 0; i <= code->count; i++) {
		for (; label->at == i; label++)
			faa_output_format(&out, "%s:\n", ptx_names_text(&code->names, label->name));
		if (i < code->count)
			write_instruction(&out, code, &code->instructions[i]);
	}
	if (code->entry >= 0)
		faa_output_text(&out, "}\n");
	free(labels);
	return faa_output_finish(&out, data, size);
}
