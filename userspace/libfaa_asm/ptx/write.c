// SPDX-License-Identifier: MIT
/* Writes code as PTX text, with all defaults explicit. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../asm/output.h"
#include "ptx.h"

static const char *write_register_name(const struct ptx_code *code, uint32_t index)
{
	return ptx_names_text(&code->names, code->registers[index].name);
}

static const char *write_symbol_name(const struct ptx_code *code, uint32_t index)
{
	return ptx_names_text(&code->names, code->symbols[index].name);
}

/* ------------------------------------------------------------------------------------------------
 * Declarations
 */

static void write_constant(struct faa_output *out, unsigned int type, uint64_t value);

static uint64_t ptx_initial_value(const struct ptx_code *code, const struct ptx_symbol *symbol,
				  size_t element)
{
	size_t bytes = ptx_types[symbol->type].bits / 8, i;
	uint64_t value = 0;

	for (i = 0; i < bytes; i++)
		value |= (uint64_t)code->data[symbol->initial + element * bytes + i] << (8 * i);
	return value;
}

/* f16 has no constants: its variables have no initial values. */
static void ptx_write_initial(struct faa_output *out, const struct ptx_code *code,
			      const struct ptx_symbol *symbol)
{
	size_t count = symbol->initial_bytes / (ptx_types[symbol->type].bits / 8), i;

	if (!count)
		return;
	faa_output_text(out, symbol->elements ? " = { " : " = ");
	for (i = 0; i < count; i++) {
		faa_output_text(out, i ? ", " : "");
		write_constant(out, symbol->type, ptx_initial_value(code, symbol, i));
	}
	faa_output_text(out, symbol->elements ? " }" : "");
}

static void write_symbol(struct faa_output *out, const struct ptx_code *code, uint32_t index)
{
	const struct ptx_symbol *symbol = &code->symbols[index];

	if (symbol->space == PTX_IN_PARAM)
		return;
	if (symbol->elements == PTX_UNKNOWN_SIZE)
		faa_output_text(out, ".extern ");
	faa_output_format(out, ".%s .align %u .%s %s", ptx_spaces[symbol->space], symbol->align,
			  ptx_types[symbol->type].name, write_symbol_name(code, index));
	if (symbol->elements == PTX_UNKNOWN_SIZE)
		faa_output_text(out, "[]");
	else if (symbol->elements)
		faa_output_format(out, "[%u]", symbol->elements);
	ptx_write_initial(out, code, symbol);
	faa_output_text(out, ";\n");
}

/* Writes the registers of one type in the list of a scope. */
static void write_registers(struct faa_output *out, const struct ptx_code *code,
			    const uint32_t *list, size_t count, unsigned int type)
{
	unsigned int column = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (code->registers[list[i]].type != type)
			continue;
		if (!column)
			faa_output_format(out, ".reg .%s %s", ptx_types[type].name,
					  write_register_name(code, list[i]));
		else
			faa_output_format(out, ", %s", write_register_name(code, list[i]));
		if (++column == 12) {
			faa_output_text(out, ";\n");
			column = 0;
		}
	}
	if (column)
		faa_output_text(out, ";\n");
}

/**
 * struct ptx_members - declarations by scope: those of scope s are items[first[s]] .. items[first[s
 * + 1] - 1]
 */
struct ptx_members {
	uint32_t *first, *items;
};

static uint32_t ptx_scope_of(const struct ptx_code *code, uint32_t name)
{
	return code->names.entries[name].scope;
}

/* @names: names of @count registers or symbols. Return: false: no memory. */
static bool ptx_sort_members(const struct ptx_code *code, const uint32_t *names, size_t count,
			     struct ptx_members *members)
{
	size_t i;

	members->first = calloc(code->scope_count + 2, sizeof(*members->first));
	members->items = calloc(count + 1, sizeof(*members->items));
	if (!members->first || !members->items)
		return false;
	for (i = 0; i < count; i++)
		members->first[ptx_scope_of(code, names[i]) + 2]++;
	for (i = 2; i < code->scope_count + 2; i++)
		members->first[i] += members->first[i - 1];
	for (i = 0; i < count; i++)
		members->items[members->first[ptx_scope_of(code, names[i]) + 1]++] = (uint32_t)i;
	return true;
}

static void ptx_free_members(struct ptx_members *members)
{
	free(members->first);
	free(members->items);
}

/** struct ptx_writer - state of the writer */
struct ptx_writer {
	const struct ptx_code *code;
	struct faa_output out;
	struct ptx_members registers, symbols;
};

static bool ptx_begin_writer(struct ptx_writer *writer)
{
	const struct ptx_code *code = writer->code;
	uint32_t *names = calloc(code->register_count + code->symbol_count + 1, sizeof(*names));
	bool done = names != NULL;
	size_t i;

	for (i = 0; done && i < code->register_count; i++)
		names[i] = code->registers[i].name;
	done = done && ptx_sort_members(code, names, code->register_count, &writer->registers);
	for (i = 0; done && i < code->symbol_count; i++)
		names[i] = code->symbols[i].name;
	done = done && ptx_sort_members(code, names, code->symbol_count, &writer->symbols);
	free(names);
	return done;
}

/* Writes the declarations of a scope. */
static void ptx_write_scope(struct ptx_writer *writer, uint32_t scope)
{
	const struct ptx_members *registers = &writer->registers, *symbols = &writer->symbols;
	unsigned int type;
	uint32_t i;

	for (i = symbols->first[scope]; i < symbols->first[scope + 1]; i++)
		write_symbol(&writer->out, writer->code, symbols->items[i]);
	for (type = 0; type < PTX_COUNT; type++)
		write_registers(&writer->out, writer->code,
				&registers->items[registers->first[scope]],
				registers->first[scope + 1] - registers->first[scope], type);
}

/* The first version that has the orders and scopes that are written. */
#define LEAST_VERSION 60u

static void write_head(struct faa_output *out, const struct ptx_code *code)
{
	uint32_t version = code->version < LEAST_VERSION ? LEAST_VERSION : code->version;

	if (code->version)
		faa_output_format(out, ".version %u.%u\n", version / 10, version % 10);
	if (code->target)
		faa_output_format(out, ".target sm_%u\n", code->target);
	if (code->version)
		faa_output_text(out, ".address_size 64\n");
}

static void ptx_write_parameter(struct faa_output *out, const struct ptx_code *code, uint32_t index)
{
	const struct ptx_symbol *symbol = &code->symbols[index];

	faa_output_text(out, "\n\t.param ");
	if (symbol->elements)
		faa_output_format(out, ".align %u ", symbol->align);
	faa_output_format(out, ".%s %s", ptx_types[symbol->type].name,
			  write_symbol_name(code, index));
	if (symbol->elements)
		faa_output_format(out, "[%u]", symbol->elements);
}

static void ptx_write_kernel_head(struct ptx_writer *writer, const struct ptx_kernel *kernel)
{
	const struct ptx_code *code = writer->code;
	const struct ptx_members *symbols = &writer->symbols;
	struct faa_output *out = &writer->out;
	const char *between = "";
	uint32_t i;

	faa_output_format(out, ".visible .entry %s(",
			  ptx_names_text(&code->names, (uint32_t)kernel->name));
	for (i = symbols->first[kernel->scope]; i < symbols->first[kernel->scope + 1]; i++) {
		if (code->symbols[symbols->items[i]].space != PTX_IN_PARAM)
			continue;
		faa_output_text(out, between);
		ptx_write_parameter(out, code, symbols->items[i]);
		between = ",";
	}
	faa_output_text(out, ")\n");
	if (kernel->needed[0])
		faa_output_format(out, ".reqntid %u, %u, %u\n", kernel->needed[0],
				  kernel->needed[1], kernel->needed[2]);
	if (kernel->most[0])
		faa_output_format(out, ".maxntid %u, %u, %u\n", kernel->most[0], kernel->most[1],
				  kernel->most[2]);
	faa_output_text(out, "{\n");
}

/* ------------------------------------------------------------------------------------------------
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
		faa_output_text(out, write_register_name(code, operand->index));
		break;
	case PTX_OPERAND_CONSTANT:
		write_constant(out, type, operand->value);
		break;
	case PTX_OPERAND_SYMBOL:
		faa_output_text(out, write_symbol_name(code, operand->index));
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

/* ------------------------------------------------------------------------------------------------
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
					  write_register_name(code,
							      instruction->operands[3].index));
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
				  write_register_name(code, instruction->guard));
	if (instruction->memory)
		write_memory(out, code, instruction);
	else
		write_plain(out, code, instruction);
	faa_output_text(out, ";\n");
}

static void ptx_write_mark(struct ptx_writer *writer, const struct ptx_mark *mark)
{
	const struct ptx_code *code = writer->code;

	switch (mark->kind) {
	case PTX_MARK_LABEL:
		faa_output_format(&writer->out, "%s:\n",
				  ptx_names_text(&code->names, code->labels[mark->index].name));
		break;
	case PTX_MARK_OPEN:
		faa_output_text(&writer->out, "{\n");
		ptx_write_scope(writer, mark->index);
		break;
	case PTX_MARK_CLOSE:
		faa_output_text(&writer->out, "}\n");
		break;
	}
}

static void ptx_write_kernel(struct ptx_writer *writer, const struct ptx_kernel *kernel)
{
	const struct ptx_code *code = writer->code;
	size_t i, mark = kernel->first_mark, last = mark + kernel->mark_count,
		  end = kernel->first + kernel->count;

	if (kernel->name >= 0) {
		ptx_write_kernel_head(writer, kernel);
		ptx_write_scope(writer, kernel->scope);
	}
	for (i = kernel->first; i <= end; i++) {
		for (; mark < last && code->marks[mark].at == i; mark++)
			ptx_write_mark(writer, &code->marks[mark]);
		if (i < end)
			write_instruction(&writer->out, code, &code->instructions[i]);
	}
	if (kernel->name >= 0)
		faa_output_text(&writer->out, "}\n");
}

int ptx_write(const struct faa_asm_code *common, void **data, size_t *size,
	      struct faa_asm_error *error)
{
	const struct ptx_code *code = (const struct ptx_code *)common;
	struct ptx_writer writer = { .code = code };
	bool ready = ptx_begin_writer(&writer);
	size_t i;

	(void)error;
	if (ready) {
		write_head(&writer.out, code);
		ptx_write_scope(&writer, 0);
		if (!code->kernel_count)
			ptx_write_kernel(&writer, &code->bare);
		for (i = 0; i < code->kernel_count; i++)
			ptx_write_kernel(&writer, &code->kernels[i]);
	}
	ptx_free_members(&writer.registers);
	ptx_free_members(&writer.symbols);
	if (ready)
		return faa_output_finish(&writer.out, data, size);
	faa_output_drop(&writer.out);
	return -ENOMEM;
}
