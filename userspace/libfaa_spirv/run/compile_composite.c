// SPDX-License-Identifier: MIT
#include "compile.h"

void spirv_move(struct spirv_compiler *c, uint32_t dst, uint32_t from, uint32_t count)
{
	struct spirv_ins *ins;

	if (!count || dst == from)
		return;
	ins = spirv_emit(c, CODE_MOVE);
	ins->dst = dst;
	ins->a = from;
	ins->count = (uint16_t)count;
}

static const struct spirv_type *composite_type_of(struct spirv_compiler *c, uint32_t id)
{
	return spirv_type_of(c->module, id);
}

static void composite_construct(struct spirv_compiler *c)
{
	uint32_t dst = spirv_result(c), i, count, slot;

	for (i = 0; i < c->at->operand_count; i++) {
		count = spirv_slots(c, composite_type_of(c, c->at->operands[i]));
		slot = spirv_slot(c, c->at->operands[i]);
		spirv_move(c, dst, slot, count);
		dst += count;
	}
}

/* Number of slots before the part that literal indices select. */
static uint32_t composite_part(struct spirv_compiler *c, const struct spirv_type *type,
			       const uint32_t *indices, uint32_t count)
{
	uint32_t at = 0, i, k;

	for (i = 0; i < count && !c->error; i++) {
		if (type->op == SpvOpTypeStruct && indices[i] < type->count) {
			for (k = 0; k < indices[i]; k++)
				at += spirv_slots(c, spirv_type(c->module, type->members[k].type));
			type = spirv_type(c->module, type->members[indices[i]].type);
		} else if (type->op != SpvOpTypeStruct && type->base && indices[i] < type->count) {
			type = spirv_type(c->module, type->base);
			at += indices[i] * spirv_slots(c, type);
		} else {
			spirv_unable(c, "index %u leads out of the value", indices[i]);
		}
	}
	return at;
}

static void composite_extract(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	uint32_t at = composite_part(c, composite_type_of(c, operands[0]), operands + 1,
				     c->at->operand_count - 1);

	spirv_alias(c, spirv_slot(c, operands[0]) + at);
}

static void composite_insert(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	const struct spirv_type *type = spirv_type(c->module, c->at->type);
	uint32_t at = composite_part(c, type, operands + 2, c->at->operand_count - 2);
	uint32_t whole = spirv_slot(c, operands[1]), object = spirv_slot(c, operands[0]);
	uint32_t dst = spirv_result(c);

	spirv_move(c, dst, whole, spirv_slots(c, type));
	spirv_move(c, dst + at, object, spirv_slots(c, composite_type_of(c, operands[0])));
}

static void composite_shuffle(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	uint32_t first = (uint32_t)composite_type_of(c, operands[0])->count;
	uint32_t both = first + (uint32_t)composite_type_of(c, operands[1])->count;
	uint32_t a = spirv_slot(c, operands[0]), b = spirv_slot(c, operands[1]);
	uint32_t dst = spirv_result(c), i, from;

	for (i = 0; i + 2 < c->at->operand_count; i++) {
		from = operands[2 + i];
		if (from < first)
			spirv_move(c, dst + i, a + from, 1);
		else if (from < both)
			spirv_move(c, dst + i, b + from - first, 1);
		else if (from != UINT32_MAX)
			spirv_unable(c, "component %u of %u", from, both);
	}
}

/* A copy in slots of the warp: constant slots cannot be indexed. */
static uint32_t composite_own_copy(struct spirv_compiler *c, uint32_t slot, uint32_t count)
{
	uint32_t copy = spirv_take_slots(c, count);

	spirv_move(c, copy, slot, count);
	return copy;
}

static void composite_extract_dynamic(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	uint32_t count = spirv_slots(c, composite_type_of(c, operands[0]));
	uint32_t vector = composite_own_copy(c, spirv_slot(c, operands[0]), count);
	uint32_t index = spirv_slot(c, operands[1]), dst = spirv_result(c);
	struct spirv_ins *ins = spirv_emit(c, CODE_GATHER);

	ins->dst = dst;
	ins->a = index;
	ins->imm = vector;
	ins->count = 1;
}

static void composite_insert_dynamic(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	uint32_t count = spirv_slots(c, composite_type_of(c, operands[0]));
	uint32_t vector = spirv_slot(c, operands[0]), object = spirv_slot(c, operands[1]);
	uint32_t index = spirv_slot(c, operands[2]), dst = spirv_result(c);
	struct spirv_ins *ins;

	spirv_move(c, dst, vector, count);
	ins = spirv_emit(c, CODE_SCATTER);
	ins->a = index;
	ins->imm = dst;
	ins->b = object;
	ins->count = 1;
}

static void composite_copy(struct spirv_compiler *c)
{
	const struct spirv_type *type = spirv_type(c->module, c->at->type);

	if (type->op == SpvOpTypePointer || type->op == SpvOpTypeImage)
		spirv_pointer(c, spirv_value(c, c->at->operands[0]));
	else
		spirv_alias(c, spirv_slot(c, c->at->operands[0]));
}

static void composite_undefined(struct spirv_compiler *c)
{
	spirv_alias(c, spirv_constant_slots(c, spirv_slots(c, spirv_type(c->module, c->at->type))));
}

static void composite_transpose(struct spirv_compiler *c)
{
	const struct spirv_type *type = spirv_type(c->module, c->at->type);
	uint32_t columns = (uint32_t)type->count, rows, i, k;
	uint32_t from = spirv_slot(c, c->at->operands[0]), dst = spirv_result(c);

	rows = spirv_slots(c, type) / columns;
	for (i = 0; i < columns; i++)
		for (k = 0; k < rows; k++)
			spirv_move(c, dst + i * rows + k, from + k * columns + i, 1);
}

/*
 * Converts between scalars of different widths: a 64-bit scalar is two of 32 bits, and so on, low
 * part first.
 */
static void composite_repack(struct spirv_compiler *c, uint32_t dst, uint32_t from,
			     unsigned int width, unsigned int to, uint32_t count)
{
	unsigned int wide = width > to ? width : to, narrow = width > to ? to : width;
	uint32_t parts = wide / narrow, i;
	struct spirv_ins *ins;

	/* @count: number of the wider scalars. */
	for (i = 0; i < count; i++) {
		ins = spirv_emit(c, width > to ? CODE_UNPACK : CODE_PACK);
		ins->dst = dst + i * (width > to ? parts : 1);
		ins->a = from + i * (width > to ? 1 : parts);
		ins->count = (uint16_t)parts;
		ins->width = (uint8_t)narrow;
	}
}

static void composite_bitcast(struct spirv_compiler *c)
{
	const struct spirv_type *from = composite_type_of(c, c->at->operands[0]);
	const struct spirv_type *to = spirv_type(c->module, c->at->type);
	unsigned int width = spirv_width(spirv_scalar(c, from));
	unsigned int wide = spirv_width(spirv_scalar(c, to));
	uint32_t slot = spirv_slot(c, c->at->operands[0]), dst;

	if (width == wide) {
		spirv_alias(c, slot);
		return;
	}
	dst = spirv_result(c);
	composite_repack(c, dst, slot, width, wide,
			 width > wide ? spirv_slots(c, from) : spirv_slots(c, to));
}

static void composite_select(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	const struct spirv_type *type = spirv_type(c->module, c->at->type);
	bool vector = composite_type_of(c, operands[0])->op == SpvOpTypeVector;
	uint32_t slots[3], i, dst;

	for (i = 0; i < 3; i++)
		slots[i] = spirv_slot(c, operands[i]);
	dst = spirv_result(c);
	spirv_operate(c, SpvOpSelect, spirv_scalar(c, type), spirv_slots(c, type), vector ? 7 : 6,
		      dst, slots);
}

bool spirv_compile_composite(struct spirv_compiler *c)
{
	switch (c->at->opcode) {
	case SpvOpCompositeConstruct:
		composite_construct(c);
		return true;
	case SpvOpCompositeExtract:
		composite_extract(c);
		return true;
	case SpvOpCompositeInsert:
		composite_insert(c);
		return true;
	case SpvOpVectorShuffle:
		composite_shuffle(c);
		return true;
	case SpvOpVectorExtractDynamic:
		composite_extract_dynamic(c);
		return true;
	case SpvOpVectorInsertDynamic:
		composite_insert_dynamic(c);
		return true;
	case SpvOpCopyObject:
	case SpvOpCopyLogical:
		composite_copy(c);
		return true;
	case SpvOpUndef:
		composite_undefined(c);
		return true;
	case SpvOpTranspose:
		composite_transpose(c);
		return true;
	case SpvOpBitcast:
		composite_bitcast(c);
		return true;
	case SpvOpSelect:
		composite_select(c);
		return true;
	default:
		return false;
	}
}
