// SPDX-License-Identifier: MIT
/* Commands of all other instructions. */
#include <errno.h>
#include <string.h>

#include "emit.h"

static uint8_t plain_destination(const struct ptx_emit *emit,
				 const struct ptx_instruction *instruction)
{
	return emit->where[instruction->operands[0].index];
}

/*
 * Types of ALU and SETP: untyped bits are unsigned, 16-bit integers are the low half of a register.
 */
static enum faa_type plain_type_of(const struct ptx_instruction *instruction)
{
	const struct ptx_type_info *type = &ptx_types[instruction->type];

	if (type->kind == 'f')
		return type->bits == 64 ? FAA_TYPE_F64 : FAA_TYPE_F32;
	if (type->kind == 's')
		return type->bits == 64 ? FAA_TYPE_S64 : FAA_TYPE_S32;
	return type->bits == 64 ? FAA_TYPE_U64 : FAA_TYPE_U32;
}

/* The device uses shift amounts modulo the width, PTX clamps them. */
static int plain_shift(struct ptx_emit *emit, const struct ptx_instruction *instruction,
		       const struct ptx_plain_info *info)
{
	unsigned int bits = ptx_types[instruction->type].bits;
	uint64_t amount = instruction->operands[2].value;
	bool sign = info->alu == FAA_ALU_OP_SHR && ptx_types[instruction->type].kind == 's';

	if (amount >= bits && !sign)
		return ptx_move(emit, instruction, bits,
				faa_reg(plain_destination(emit, instruction)), faa_imm(0));
	return ptx_alu(emit, instruction, info->alu, plain_type_of(instruction),
		       plain_destination(emit, instruction),
		       ptx_source(emit, &instruction->operands[1]),
		       faa_imm(amount < bits ? amount : bits - 1));
}

static int plain_alu(struct ptx_emit *emit, const struct ptx_instruction *instruction,
		     const struct ptx_plain_info *info)
{
	struct faa_vector vector = { .opcode = FAA_OPCODE_ALU,
				     .op = (uint8_t)info->alu,
				     .type = (uint8_t)plain_type_of(instruction) };
	unsigned int i;

	if (info->alu == FAA_ALU_OP_SHL || info->alu == FAA_ALU_OP_SHR)
		return plain_shift(emit, instruction, info);
	for (i = 0; info->optional[i]; i++)
		if (instruction->optional >> i & 1 && !strcmp(info->optional[i], "ftz"))
			vector.mod = FAA_FLOAT_MODE_FTZ;
	vector.d = faa_reg(plain_destination(emit, instruction));
	vector.a = ptx_source(emit, &instruction->operands[1]);
	vector.b = ptx_source(emit, &instruction->operands[2]);
	return ptx_add(emit, instruction, vector);
}

static int plain_wide(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	uint8_t d = plain_destination(emit, instruction);
	int ret = ptx_move(emit, instruction, 32, faa_reg(d),
			   ptx_source(emit, &instruction->operands[1]));

	if (!ret)
		ret = ptx_widen(emit, instruction, d, ptx_types[instruction->type].kind == 's');
	return ret ? ret :
		     ptx_alu(emit, instruction, FAA_ALU_OP_SHL, FAA_TYPE_U64, d, faa_reg(d),
			     faa_imm((uint64_t)__builtin_ctzll(instruction->operands[2].value)));
}

static int plain_multiply_add(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	int ret = ptx_alu(emit, instruction, FAA_ALU_OP_MUL, plain_type_of(instruction), PTX_TEMP,
			  ptx_source(emit, &instruction->operands[1]),
			  ptx_source(emit, &instruction->operands[2]));

	return ret ? ret :
		     ptx_alu(emit, instruction, FAA_ALU_OP_ADD, plain_type_of(instruction),
			     plain_destination(emit, instruction), faa_reg(PTX_TEMP),
			     ptx_source(emit, &instruction->operands[3]));
}

/* Extends the low bits of a register to 32 bits. */
static int plain_extend(struct ptx_emit *emit, const struct ptx_instruction *instruction, uint8_t d,
			const struct ptx_type_info *type)
{
	int ret;

	if (type->bits >= 32)
		return 0;
	if (type->kind != 's')
		return ptx_alu(emit, instruction, FAA_ALU_OP_AND, FAA_TYPE_U32, d, faa_reg(d),
			       faa_imm((1u << type->bits) - 1));
	ret = ptx_alu(emit, instruction, FAA_ALU_OP_SHL, FAA_TYPE_U32, d, faa_reg(d),
		      faa_imm(32 - type->bits));
	return ret ? ret :
		     ptx_alu(emit, instruction, FAA_ALU_OP_SHR, FAA_TYPE_S32, d, faa_reg(d),
			     faa_imm(32 - type->bits));
}

/* Computed in PTX_TEMP, then written to the destination by one move. */
static int plain_convert(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	const struct ptx_type_info *from = &ptx_types[instruction->from],
				   *to = &ptx_types[instruction->type];
	unsigned int width = ptx_register_bits(emit->code, instruction->operands[0].index);
	struct faa_operand a = ptx_source(emit, &instruction->operands[1]);
	int ret;

	if (to->bits == 64 && from->bits == 64)
		return ptx_move(emit, instruction, 64,
				faa_reg(plain_destination(emit, instruction)), a);
	ret = ptx_move(emit, instruction, 32, faa_reg(PTX_TEMP), a);
	if (!ret)
		ret = plain_extend(emit, instruction, PTX_TEMP, from);
	if (!ret && to->bits < width)
		ret = plain_extend(emit, instruction, PTX_TEMP, to);
	if (!ret && width == 64)
		ret = ptx_widen(emit, instruction, PTX_TEMP,
				to->bits == 64 ? from->kind == 's' : to->kind == 's');
	return ret ? ret :
		     ptx_move(emit, instruction, width,
			      faa_reg(plain_destination(emit, instruction)), faa_reg(PTX_TEMP));
}

static int plain_set_predicate(struct ptx_emit *emit, const struct ptx_instruction *instruction,
			       const struct ptx_operand *p, enum faa_cmp cmp)
{
	struct faa_vector vector = { .opcode = FAA_OPCODE_SETP,
				     .op = (uint8_t)cmp,
				     .type = (uint8_t)plain_type_of(instruction) };

	vector.mod = emit->where[p->index];
	vector.a = ptx_source(emit, &instruction->operands[1]);
	vector.b = ptx_source(emit, &instruction->operands[2]);
	return ptx_add(emit, instruction, vector);
}

/* The predicate that is also the guard is set last. */
static int plain_compare(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	const struct ptx_compare_info *info = &ptx_compares[instruction->compare];
	const struct ptx_operand *p = &instruction->operands[0], *q = &instruction->operands[3];
	bool first = instruction->guarded && q->kind == PTX_OPERAND_REGISTER &&
		     q->index == instruction->guard;
	int ret = 0;

	if (first)
		ret = plain_set_predicate(emit, instruction, p, info->cmp);
	if (!ret && q->kind == PTX_OPERAND_REGISTER)
		ret = plain_set_predicate(emit, instruction, q, info->opposite);
	return ret || first ? ret : plain_set_predicate(emit, instruction, p, info->cmp);
}

static int ptx_jump_if(struct ptx_emit *emit, const struct ptx_instruction *instruction,
		       enum faa_jump_cond cond, uint32_t label)
{
	int ret = faa_stream_guard(emit->stream, emit->where[instruction->guard], false);

	return ret ? ret : faa_stream_jump(emit->stream, cond, label);
}

/*
 * A load that faults in the lanes whose guard is false; reached only if some other lane's guard is
 * true.
 */
static int ptx_refuse_split(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	struct ptx_instruction others = *instruction;
	struct faa_vector load = {
		.opcode = FAA_OPCODE_LD,
		.type = FAA_TYPE_U8,
		.d = faa_reg(PTX_TEMP),
		.a = faa_imm(FAA_ASM_SPLIT | instruction->line),
	};

	others.negated = true;
	return ptx_add(emit, &others, load);
}

/*
 * A jump whose guard has to be uniform; where it is not, the job fails. Predicates are false in
 * inactive lanes, so FAA_JUMP_COND_ALL works only with 32 active lanes; then a taken jump is one
 * command.
 */
static int ptx_jump_together(struct ptx_emit *emit, const struct ptx_instruction *instruction,
			     uint32_t label)
{
	bool full = emit->count == FAA_LANES && !emit->sparse;
	uint32_t next;
	int ret;

	if (!instruction->guarded)
		return faa_stream_jump(emit->stream, FAA_JUMP_COND_ALWAYS, label);
	ret = faa_stream_label(emit->stream, &next);
	if (!ret && instruction->negated)
		ret = ptx_jump_if(emit, instruction, FAA_JUMP_COND_NONE, label);
	else if (!ret && full)
		ret = ptx_jump_if(emit, instruction, FAA_JUMP_COND_ALL, label);
	if (!ret && instruction->negated && full)
		ret = ptx_jump_if(emit, instruction, FAA_JUMP_COND_ALL, next);
	else if (!ret && !instruction->negated)
		ret = ptx_jump_if(emit, instruction, FAA_JUMP_COND_NONE, next);
	if (!ret)
		ret = ptx_refuse_split(emit, instruction);
	if (!ret && !instruction->negated && !full)
		ret = faa_stream_jump(emit->stream, FAA_JUMP_COND_ALWAYS, label);
	return ret ? ret : faa_stream_place(emit->stream, next);
}

static int plain_branch(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	const struct ptx_label *labels = emit->code->labels;
	uint32_t label = instruction->operands[0].index;

	while (labels[label].same != label)
		label = labels[label].same;
	return ptx_jump_together(emit, instruction, emit->labels[label]);
}

static int ptx_leave(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	size_t at = (size_t)(instruction - emit->code->instructions);

	return ptx_is_jump(emit->code, at) ? ptx_jump_together(emit, instruction, emit->end) : 0;
}

int ptx_emit_plain(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	const struct ptx_plain_info *info = &ptx_plains[instruction->which];
	unsigned int bits = ptx_types[instruction->type].bits;
	struct faa_operand a = ptx_source(emit, &instruction->operands[1]);

	switch (info->lowering) {
	case PTX_LOWER_ALU:
		return plain_alu(emit, instruction, info);
	case PTX_LOWER_MOVE:
		return ptx_move(emit, instruction, bits,
				faa_reg(plain_destination(emit, instruction)), a);
	case PTX_LOWER_NOT:
		return ptx_alu(emit, instruction, FAA_ALU_OP_XOR, plain_type_of(instruction),
			       plain_destination(emit, instruction), a, faa_imm(UINT64_MAX));
	case PTX_LOWER_NEGATE:
		return ptx_alu(emit, instruction, FAA_ALU_OP_SUB, plain_type_of(instruction),
			       plain_destination(emit, instruction), faa_imm(0), a);
	case PTX_LOWER_WIDE:
		return plain_wide(emit, instruction);
	case PTX_LOWER_MAD:
		return plain_multiply_add(emit, instruction);
	case PTX_LOWER_CONVERT:
		return plain_convert(emit, instruction);
	case PTX_LOWER_COMPARE:
		return plain_compare(emit, instruction);
	case PTX_LOWER_BRANCH:
		return plain_branch(emit, instruction);
	case PTX_LOWER_BARRIER:
		return faa_stream_bar(emit->stream);
	case PTX_LOWER_RETURN:
		return ptx_leave(emit, instruction);
	}
	return -EINVAL;
}
