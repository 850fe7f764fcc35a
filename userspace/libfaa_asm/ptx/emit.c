// SPDX-License-Identifier: MIT
/* PTX as commands: the environment around the code, guards and lanes. */
#include "emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Names of the environment
 */

/* Whether a register is declared in a range, but used in no instruction. */
static bool emit_declared(const struct ptx_code *code, const char *name)
{
	size_t size = strlen(name),
	       digits = strspn(name + strcspn(name, "0123456789"), "0123456789"), start;
	const struct ptx_name *range;

	for (start = size; start && name[start - 1] >= '0' && name[start - 1] <= '9'; start--)
		;
	digits = size - start;
	if (!digits || digits > 7 || (name[start] == '0' && digits > 1))
		return false;
	range = ptx_names_find(&code->names, ptx_chosen(code)->scope, name, start, true);
	if (!range)
		range = ptx_names_find(&code->names, 0, name, start, true);
	return range && strtoul(name + start, NULL, 10) < code->ranges[range->index].count;
}

struct ptx_found ptx_find_name(const struct ptx_code *code, const char *name)
{
	const struct ptx_name *entry =
		ptx_names_find(&code->names, ptx_chosen(code)->scope, name, strlen(name), false);
	uint32_t i;

	if (!entry)
		entry = ptx_names_find(&code->names, 0, name, strlen(name), false);

	for (i = 0; i < PTX_SPECIAL_COUNT; i++)
		if (!strcmp(name, ptx_specials[i].name))
			return (struct ptx_found){ PTX_FOUND_SPECIAL, i };
	if (entry && entry->kind == PTX_NAME_REGISTER)
		return (struct ptx_found){ PTX_FOUND_REGISTER, entry->index };
	if (entry && entry->kind == PTX_NAME_SYMBOL && entry->index != UINT32_MAX &&
	    code->symbols[entry->index].space != PTX_IN_SHARED)
		return (struct ptx_found){ PTX_FOUND_SYMBOL, entry->index };
	if (!entry && emit_declared(code, name))
		return (struct ptx_found){ PTX_FOUND_UNUSED, 0 };
	return (struct ptx_found){ PTX_FOUND_NOTHING, 0 };
}

/* ------------------------------------------------------------------------------------------------
 * Commands
 */

/*
 * PTX_NEGATED = active lanes in which @predicate is false; a negated guard alone would include
 * inactive lanes.
 */
static int emit_negate(struct ptx_emit *emit, uint8_t predicate)
{
	static const struct faa_operand zero = { FAA_KIND_IMM, 0, 0, 0, 0, 0, 0 };
	int ret = faa_stream_setp(emit->stream, FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES, PTX_NEGATED,
				  zero, zero);

	if (!ret)
		ret = faa_stream_guard(emit->stream, PTX_ACTIVE, false);
	if (!ret)
		ret = faa_stream_setp(emit->stream, FAA_CMP_EQ, FAA_TYPE_U32, emit->count,
				      PTX_NEGATED, zero, zero);
	if (!ret)
		ret = faa_stream_guard(emit->stream, predicate, false);
	return ret ? ret :
		     faa_stream_setp(emit->stream, FAA_CMP_NE, FAA_TYPE_U32, emit->count,
				     PTX_NEGATED, zero, zero);
}

static int emit_set_guard(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	uint8_t predicate;
	int ret;

	if (!instruction || !instruction->guarded)
		return emit->sparse ? faa_stream_guard(emit->stream, PTX_ACTIVE, false) : 0;
	predicate = emit->where[instruction->guard];
	if (!emit->sparse || !instruction->negated)
		return faa_stream_guard(emit->stream, predicate, instruction->negated);
	ret = emit_negate(emit, predicate);
	return ret ? ret : faa_stream_guard(emit->stream, PTX_NEGATED, false);
}

int ptx_add(struct ptx_emit *emit, const struct ptx_instruction *instruction,
	    struct faa_vector vector)
{
	int ret = emit_set_guard(emit, instruction);

	vector.count = emit->count;
	return ret ? ret : faa_stream_vector(emit->stream, &vector);
}

struct faa_operand ptx_source(const struct ptx_emit *emit, const struct ptx_operand *operand)
{
	const struct ptx_symbol *symbol;

	switch (operand->kind) {
	case PTX_OPERAND_REGISTER:
		return faa_reg(emit->where[operand->index]);
	case PTX_OPERAND_SPECIAL:
		return emit->specials[operand->index];
	case PTX_OPERAND_SYMBOL:
		symbol = &emit->code->symbols[operand->index];
		return symbol->space == PTX_IN_SHARED ? faa_imm(ptx_shared_address(emit, symbol)) :
							emit->symbols[operand->index];
	default:
		return faa_imm(operand->value);
	}
}

int ptx_move(struct ptx_emit *emit, const struct ptx_instruction *instruction, unsigned int bits,
	     struct faa_operand d, struct faa_operand a)
{
	struct faa_vector vector = { .opcode = FAA_OPCODE_MOV,
				     .type = bits == 64 ? FAA_TYPE_U64 : FAA_TYPE_U32,
				     .d = d,
				     .a = a };

	return ptx_add(emit, instruction, vector);
}

int ptx_alu(struct ptx_emit *emit, const struct ptx_instruction *instruction, enum faa_alu_op op,
	    enum faa_type type, uint8_t d, struct faa_operand a, struct faa_operand b)
{
	struct faa_vector vector = {
		.opcode = FAA_OPCODE_ALU,
		.op = (uint8_t)op,
		.type = (uint8_t)type,
		.d = faa_reg(d),
		.a = a,
		.b = b,
	};

	return ptx_add(emit, instruction, vector);
}

int ptx_widen(struct ptx_emit *emit, const struct ptx_instruction *instruction, uint8_t low,
	      bool is_signed)
{
	if (!is_signed)
		return ptx_move(emit, instruction, 32, faa_reg(low + 1), faa_imm(0));
	return ptx_alu(emit, instruction, FAA_ALU_OP_SHR, FAA_TYPE_S32, low + 1, faa_reg(low),
		       faa_imm(31));
}

/* ------------------------------------------------------------------------------------------------
 * Prologue
 */

/* Sets PTX_ACTIVE in the active lanes, unless these are the lowest ones. */
static int emit_begin_lanes(struct ptx_emit *emit)
{
	struct faa_vector shift = { .opcode = FAA_OPCODE_ALU,
				    .op = FAA_ALU_OP_SHR,
				    .type = FAA_TYPE_U32,
				    .count = FAA_LANES };
	int ret;

	if (!emit->sparse)
		return 0;
	shift.d = faa_reg(PTX_TEMP);
	shift.a = faa_imm(emit->environment->lanes);
	shift.b = faa_affine(0, 1);
	ret = faa_stream_vector(emit->stream, &shift);
	shift.op = FAA_ALU_OP_AND;
	shift.a = faa_reg(PTX_TEMP);
	shift.b = faa_imm(1);
	if (!ret)
		ret = faa_stream_vector(emit->stream, &shift);
	return ret ? ret :
		     faa_stream_setp(emit->stream, FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES, PTX_ACTIVE,
				     faa_reg(PTX_TEMP), faa_imm(0));
}

/*
 * Predicates are cleared in all lanes: in inactive lanes they stay false, so that a guard excludes
 * these.
 */
static int emit_clear_registers(struct ptx_emit *emit)
{
	const struct ptx_code *code = emit->code;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < FAA_PREDICATES; i++)
		if (emit->predicates >> i & 1)
			ret = faa_stream_setp(emit->stream, FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES,
					      (unsigned int)i, faa_imm(0), faa_imm(0));
	for (i = 0; !ret && i < code->register_count; i++)
		if (emit->clear[i] && code->registers[i].type != PTX_PRED)
			ret = ptx_move(emit, NULL, ptx_register_bits(code, (uint32_t)i),
				       faa_reg(emit->where[i]), faa_imm(0));
	return ret;
}

static int emit_unknown(struct ptx_emit *emit, const char *name, const char *what)
{
	return faa_asm_fail(emit->error, 0, 0, "'%s' is no %s of this code", name, what);
}

/* Only registers are set; parameters and other symbols become operands of commands. */
static int emit_take_inputs(struct ptx_emit *emit)
{
	const struct faa_asm_environment *environment = emit->environment;
	size_t i;

	for (i = 0; i < environment->input_count; i++) {
		const struct faa_asm_value *value = &environment->inputs[i];
		struct ptx_found found = ptx_find_name(emit->code, value->name);

		if (found.kind == PTX_FOUND_NOTHING)
			return emit_unknown(emit, value->name, "register, parameter or variable");
		if (found.kind == PTX_FOUND_SYMBOL) {
			emit->symbols[found.index] = value->operand;
			emit->given[found.index] = true;
		}
		if (found.kind == PTX_FOUND_SPECIAL) {
			emit->specials[found.index] = value->operand;
			emit->threads |= !strcmp(value->name, "%ntid.x");
		}
	}
	for (i = 0; i < environment->output_count; i++) {
		struct ptx_found found = ptx_find_name(emit->code, environment->outputs[i].name);

		if (found.kind != PTX_FOUND_REGISTER && found.kind != PTX_FOUND_UNUSED)
			return emit_unknown(emit, environment->outputs[i].name, "register");
	}
	return 0;
}

static int emit_set_predicate(struct ptx_emit *emit, uint8_t predicate, struct faa_operand a)
{
	struct faa_vector vector = { .opcode = FAA_OPCODE_SETP,
				     .op = FAA_CMP_NE,
				     .type = FAA_TYPE_U32,
				     .mod = predicate,
				     .a = a };

	vector.b = faa_imm(0);
	return ptx_add(emit, NULL, vector);
}

static int emit_set_registers(struct ptx_emit *emit)
{
	const struct ptx_code *code = emit->code;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < emit->environment->input_count; i++) {
		const struct faa_asm_value *value = &emit->environment->inputs[i];
		struct ptx_found found = ptx_find_name(code, value->name);

		if (found.kind != PTX_FOUND_REGISTER)
			continue;
		if (code->registers[found.index].type == PTX_PRED)
			ret = emit_set_predicate(emit, emit->where[found.index], value->operand);
		else
			ret = ptx_move(emit, NULL, ptx_register_bits(code, found.index),
				       faa_reg(emit->where[found.index]), value->operand);
	}
	return ret;
}

/* ------------------------------------------------------------------------------------------------
 * Epilogue
 */

static int emit_store_predicate(struct ptx_emit *emit, uint32_t index, struct faa_operand d)
{
	struct ptx_instruction guarded = { .guarded = true, .guard = index };
	int ret = ptx_move(emit, NULL, 32, d, faa_imm(0));

	return ret ? ret : ptx_move(emit, &guarded, 32, d, faa_imm(1));
}

static int emit_store_output(struct ptx_emit *emit, const struct faa_asm_value *value)
{
	struct ptx_found found = ptx_find_name(emit->code, value->name);
	unsigned int bits;
	int ret;

	if (found.kind == PTX_FOUND_UNUSED)
		return ptx_move(emit, NULL, 32, value->operand, faa_imm(0));
	bits = ptx_register_bits(emit->code, found.index);
	if (bits == 1)
		return emit_store_predicate(emit, found.index, value->operand);
	if (bits >= 32)
		return ptx_move(emit, NULL, bits, value->operand,
				faa_reg(emit->where[found.index]));
	/* Bits above the width of the register's type are undefined. */
	ret = ptx_alu(emit, NULL, FAA_ALU_OP_AND, FAA_TYPE_U32, PTX_TEMP,
		      faa_reg(emit->where[found.index]), faa_imm((1u << bits) - 1));
	return ret ? ret : ptx_move(emit, NULL, 32, value->operand, faa_reg(PTX_TEMP));
}

/* ------------------------------------------------------------------------------------------------
 * The code
 */

/* Places the labels before instruction @at, from @mark on. */
static int emit_place_labels(struct ptx_emit *emit, size_t *mark, size_t at)
{
	const struct ptx_kernel *kernel = emit->kernel;
	const struct ptx_mark *marks = emit->code->marks;
	int ret = 0;

	for (; !ret && *mark < kernel->first_mark + kernel->mark_count && marks[*mark].at == at;
	     (*mark)++)
		if (marks[*mark].kind == PTX_MARK_LABEL)
			ret = faa_stream_place(emit->stream, emit->labels[marks[*mark].index]);
	return ret;
}

bool ptx_is_jump(const struct ptx_code *code, size_t at)
{
	const struct ptx_instruction *instruction = &code->instructions[at];
	const struct ptx_kernel *kernel = ptx_chosen(code);

	if (instruction->memory)
		return false;
	switch (ptx_plains[instruction->which].lowering) {
	case PTX_LOWER_BRANCH:
		return true;
	case PTX_LOWER_RETURN:
		return at + 1 != kernel->first + kernel->count;
	default:
		return false;
	}
}

/*
 * The caller provides the memory of variables with initial values. Without an address, address 0
 * would be read.
 */
static int ptx_check_symbols(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		uint32_t index = instruction->operands[i].index;
		const struct ptx_symbol *symbol;

		if (instruction->operands[i].kind != PTX_OPERAND_SYMBOL || emit->given[index])
			continue;
		symbol = &emit->code->symbols[index];
		if (!symbol->initial_bytes && !ptx_is_aggregate(symbol))
			continue;
		return faa_asm_fail(emit->error, instruction->line, instruction->column,
				    "the address of '%s' is not set",
				    ptx_names_text(&emit->code->names, symbol->name));
	}
	return 0;
}

/* Notes an error of the stream at the place of the instruction. */
static int emit_note(struct ptx_emit *emit, const struct ptx_instruction *instruction, int ret)
{
	const char *why = faa_stream_error(emit->stream);

	if (ret == -EINVAL && why)
		faa_asm_fail(emit->error, instruction ? instruction->line : 0,
			     instruction ? instruction->column : 0, "%s", why);
	return ret;
}

static int emit_add_instructions(struct ptx_emit *emit)
{
	const struct ptx_kernel *kernel = emit->kernel;
	const struct ptx_code *code = emit->code;
	size_t i, mark = kernel->first_mark, end = kernel->first + kernel->count;
	int ret = faa_stream_label(emit->stream, &emit->end);

	for (i = kernel->first_mark; !ret && i < mark + kernel->mark_count; i++)
		if (code->marks[i].kind == PTX_MARK_LABEL)
			ret = faa_stream_label(emit->stream, &emit->labels[code->marks[i].index]);
	for (i = kernel->first; !ret && i < end; i++) {
		const struct ptx_instruction *instruction = &code->instructions[i];

		ret = emit_place_labels(emit, &mark, i);
		if (emit->environment->at)
			emit->environment->at(emit->environment->data, instruction->line);
		if (!ret)
			ret = ptx_check_symbols(emit, instruction);
		if (!ret)
			ret = instruction->memory ? ptx_emit_memory(emit, instruction) :
						    ptx_emit_plain(emit, instruction);
		emit_note(emit, instruction, ret);
	}
	if (!ret)
		ret = emit_place_labels(emit, &mark, end);
	return ret ? ret : faa_stream_place(emit->stream, emit->end);
}

static int emit_add_all(struct ptx_emit *emit)
{
	const struct faa_asm_environment *environment = emit->environment;
	size_t i;
	int ret = emit_begin_lanes(emit);

	if (!ret)
		ret = emit_clear_registers(emit);
	if (!ret)
		ret = emit_set_registers(emit);
	if (!ret)
		ret = emit_add_instructions(emit);
	for (i = 0; !ret && i < environment->output_count; i++)
		ret = emit_store_output(emit, &environment->outputs[i]);
	if (emit->error && !emit->error->text[0])
		emit_note(emit, NULL, ret);
	return ret;
}

/* .reqntid and .maxntid, where the environment has set the number of threads of a CTA. */
static int ptx_check_threads(struct ptx_emit *emit)
{
	static const char *const names[] = { "%ntid.x", "%ntid.y", "%ntid.z" };
	const struct ptx_kernel *kernel = emit->kernel;
	uint64_t all = 1, most, threads;
	unsigned int i, s;

	for (i = 0; emit->threads && i < 3; i++) {
		for (s = 0; strcmp(ptx_specials[s].name, names[i]) != 0; s++)
			;
		if (emit->specials[s].kind != FAA_KIND_IMM && emit->specials[s].step)
			return 0;
		threads = emit->specials[s].value;
		all *= threads;
		if (kernel->needed[0] && kernel->needed[i] != threads)
			return faa_asm_fail(
				emit->error, 0, 0,
				"the kernel needs %u x %u x %u threads (.reqntid), and %s is %llu",
				kernel->needed[0], kernel->needed[1], kernel->needed[2], names[i],
				(unsigned long long)threads);
	}
	most = (uint64_t)kernel->most[0] * kernel->most[1] * kernel->most[2];
	if (emit->threads && most && all > most)
		return faa_asm_fail(emit->error, 0, 0,
				    "the kernel has up to %llu threads (.maxntid), not %llu",
				    (unsigned long long)most, (unsigned long long)all);
	return 0;
}

static int ptx_check_choice(const struct ptx_code *code, struct faa_asm_error *error)
{
	char names[160] = "";
	size_t i, n = 0;

	if (code->kernel_count < 2 || code->choice)
		return 0;
	for (i = 0; i < code->kernel_count && n < sizeof(names); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "",
				      ptx_names_text(&code->names,
						     (uint32_t)code->kernels[i].name));
	return faa_asm_fail(error, 0, 0, "which kernel? There are %s%s", names,
			    n < sizeof(names) ? "" : "...");
}

static void emit_prepare(struct ptx_emit *emit)
{
	uint32_t lanes = emit->environment->lanes;
	size_t i;

	emit->count = 32 - (unsigned int)__builtin_clz(lanes);
	emit->sparse = lanes & (lanes + 1);
	for (i = 0; i < PTX_SPECIAL_COUNT; i++)
		emit->specials[i] = faa_affine(ptx_specials[i].base, ptx_specials[i].step);
	for (i = 0; i < emit->code->symbol_count; i++)
		emit->symbols[i] = faa_imm(0);
}

int ptx_emit(const struct faa_asm_code *common, const struct faa_asm_environment *environment,
	     struct faa_stream *stream, struct faa_asm_error *error)
{
	const struct ptx_code *code = (const struct ptx_code *)common;
	struct ptx_emit emit = { .code = code,
				 .kernel = ptx_chosen(code),
				 .environment = environment,
				 .stream = stream,
				 .error = error };
	int ret = ptx_check_choice(code, error);

	if (ret)
		return ret;
	ret = -ENOMEM;
	emit.where = calloc(code->register_count + 1, sizeof(*emit.where));
	emit.clear = calloc(code->register_count + 1, sizeof(*emit.clear));
	emit.symbols = calloc(code->symbol_count + 1, sizeof(*emit.symbols));
	emit.labels = calloc(code->label_count + 1, sizeof(*emit.labels));
	emit.given = calloc(code->symbol_count + 1, sizeof(*emit.given));
	if (emit.where && emit.clear && emit.symbols && emit.labels && emit.given) {
		if (environment->lanes)
			emit_prepare(&emit);
		ret = emit_take_inputs(&emit);
		if (!ret)
			ret = ptx_check_threads(&emit);
		if (!ret && environment->lanes) {
			ret = ptx_allocate(&emit);
			if (!ret)
				ret = emit_add_all(&emit);
		}
	}
	free(emit.where);
	free(emit.clear);
	free(emit.symbols);
	free(emit.labels);
	free(emit.given);
	return ret;
}
