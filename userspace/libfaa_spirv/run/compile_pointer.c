// SPDX-License-Identifier: MIT
#include "compile.h"
#include "lanes.h"

/* A pointer while indices are applied, and the type that it points to. */
struct walk {
	struct spirv_value pointer;
	const struct spirv_type *type;
};

/* Adds index @id times @step. */
static void pointer_add_index(struct spirv_compiler *c, struct walk *walk, uint32_t id,
			      uint64_t step)
{
	const struct spirv_constant *constant = spirv_constant(c->module, id);
	const struct spirv_type *type = spirv_type_of(c->module, id);
	struct spirv_value *pointer = &walk->pointer;
	struct spirv_ins *ins;
	uint32_t index, slot;

	if (type->op != SpvOpTypeInt) {
		spirv_unable(c, "an index must be an integer");
		return;
	}
	if (constant) {
		pointer->offset += spirv_signed(constant->value, type->width) * (int64_t)step;
		return;
	}
	index = spirv_slot(c, id);
	slot = spirv_take_slots(c, 1);
	if (pointer->base == SLOT_NONE)
		pointer->base = spirv_constant_slot(c, 0);
	ins = spirv_emit(c, CODE_MUL_ADD);
	ins->dst = slot;
	ins->a = pointer->base;
	ins->b = index;
	ins->width = (uint8_t)type->width;
	ins->imm = (int64_t)step;
	pointer->base = slot;
}

static void pointer_enter_struct(struct spirv_compiler *c, struct walk *walk, uint32_t id)
{
	uint64_t index = spirv_number(c, id, "the index of a structure"), i;
	const struct spirv_member *member;

	if (index >= walk->type->count) {
		spirv_unable(c, "the structure has no member %llu", (unsigned long long)index);
		return;
	}
	member = &walk->type->members[index];
	if (walk->pointer.space == SPACE_SLOTS) {
		for (i = 0; i < index; i++)
			walk->pointer.offset +=
				spirv_slots(c, spirv_type(c->module, walk->type->members[i].type));
	} else if (walk->pointer.space == SPACE_SHARED) {
		walk->pointer.offset += spirv_shared_member(c, walk->type, (uint32_t)index);
	} else {
		walk->pointer.offset += (int64_t)member->offset;
		walk->pointer.matrix_stride = member->matrix_stride;
		walk->pointer.row_major = member->row_major;
	}
	walk->type = spirv_type(c->module, member->type);
}

/* Distance between elements of walk->type, in bytes or slots. */
static uint64_t pointer_element_step(struct spirv_compiler *c, const struct walk *walk,
				     const struct spirv_type *element)
{
	const struct spirv_value *pointer = &walk->pointer;

	switch (pointer->space) {
	case SPACE_SLOTS:
		return spirv_slots(c, element);
	case SPACE_SHARED:
		return spirv_shared_size(c, element);
	case SPACE_IMAGE:
		return 1;
	default:
		break;
	}
	if (walk->type->op == SpvOpTypeMatrix)
		return pointer->row_major     ? spirv_width(spirv_scalar(c, element)) / 8 :
		       pointer->matrix_stride ? pointer->matrix_stride :
						walk->type->stride;
	if (walk->type->op == SpvOpTypeVector)
		return pointer->row_major ? pointer->matrix_stride : spirv_width(element) / 8;
	return walk->type->stride;
}

/* Reads the address from the table of a binding with several buffers. */
static void pointer_enter_buffers(struct spirv_compiler *c, struct walk *walk, uint32_t id)
{
	const struct spirv_constant *constant = spirv_constant(c->module, id);
	struct spirv_ins *ins;
	uint32_t index, slot;

	walk->type = spirv_type(c->module, walk->type->base);
	if (constant) {
		walk->pointer.base += (uint32_t)constant->value;
		return;
	}
	index = spirv_slot(c, id);
	slot = spirv_take_slots(c, 1);
	ins = spirv_emit(c, CODE_TABLE);
	ins->dst = slot;
	ins->a = walk->pointer.base;
	ins->b = index;
	walk->pointer.base = slot;
}

static void pointer_enter(struct spirv_compiler *c, struct walk *walk, uint32_t id)
{
	const struct spirv_type *element;

	switch (walk->type->op) {
	case SpvOpTypeStruct:
		pointer_enter_struct(c, walk, id);
		return;
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray:
	case SpvOpTypeVector:
	case SpvOpTypeMatrix:
		element = spirv_type(c->module, walk->type->base);
		pointer_add_index(c, walk, id, pointer_element_step(c, walk, element));
		walk->type = element;
		return;
	default:
		spirv_unable(c, "indices lead into a scalar");
	}
}

static void pointer_access_chain(struct spirv_compiler *c, bool has_element)
{
	const uint32_t *operands = c->at->operands;
	const struct spirv_type *pointer = spirv_type_of(c->module, operands[0]);
	const struct spirv_decoration *stride;
	const struct spirv_resource *resource;
	const struct spirv_constant *constant;
	struct walk walk;
	uint32_t i = 1;

	walk.pointer = *spirv_value(c, operands[0]);
	walk.type = spirv_type(c->module, pointer->base);
	if (walk.pointer.texel) {
		spirv_unable(c, "a pointer to a texel has no parts");
		return;
	}
	if (has_element) {
		stride = spirv_decoration(c->module, pointer->id, SPIRV_NONE,
					  SpvDecorationArrayStride);
		pointer_add_index(
			c, &walk, operands[i++],
			walk.pointer.space == SPACE_SLOTS  ? spirv_slots(c, walk.type) :
			walk.pointer.space == SPACE_SHARED ? spirv_shared_size(c, walk.type) :
			stride				   ? stride->operands[0] :
							     walk.type->size);
	}
	resource = walk.pointer.buffers ? &c->program->resources[walk.pointer.buffers - 1] : NULL;
	/* Indices select a part of the variable. */
	if (i < c->at->operand_count)
		walk.pointer.buffers = 0;
	if (resource && walk.type->op == SpvOpTypeArray && i < c->at->operand_count) {
		constant = spirv_constant(c->module, operands[i]);
		if (constant && constant->value >= resource->count)
			spirv_unable(c, "the binding has no buffer %llu",
				     (unsigned long long)constant->value);
		pointer_enter_buffers(c, &walk, operands[i++]);
	}
	for (; i < c->at->operand_count && !c->error; i++)
		pointer_enter(c, &walk, operands[i]);
	if (!c->error)
		spirv_pointer(c, &walk.pointer);
}

/* Converts between an integer and an address. */
static void pointer_convert(struct spirv_compiler *c)
{
	const struct spirv_type *from = spirv_type_of(c->module, c->at->operands[0]);
	const struct spirv_type *to = spirv_type(c->module, c->at->type);
	struct spirv_ins *ins;
	uint32_t slot = spirv_slot(c, c->at->operands[0]);

	if (from->op == SpvOpTypePointer && to->op == SpvOpTypeInt && to->width < 64) {
		uint32_t dst = spirv_result(c);

		ins = spirv_emit(c, SpvOpUConvert);
		ins->dst = dst;
		ins->a = slot;
		ins->count = 1;
		ins->width = 64;
		ins->to = (uint8_t)to->width;
		return;
	}
	spirv_alias(c, slot);
}

static void pointer_array_length(struct spirv_compiler *c)
{
	const struct spirv_value *pointer = spirv_value(c, c->at->operands[0]);
	const struct spirv_type *type = spirv_type_of(c->module, c->at->operands[0]);
	const struct spirv_type *block = spirv_type(c->module, type->base), *array;
	uint32_t member = c->at->operands[1], dst;
	struct spirv_ins *ins;

	if (pointer->space != SPACE_GLOBAL || block->op != SpvOpTypeStruct ||
	    member >= block->count) {
		spirv_unable(c, "only buffers have a length");
		return;
	}
	array = spirv_type(c->module, block->members[member].type);
	if (array->op != SpvOpTypeRuntimeArray || !array->stride) {
		spirv_unable(c, "only a runtime array with a stride has a length");
		return;
	}
	dst = spirv_result(c);
	ins = spirv_emit(c, CODE_LENGTH);
	ins->dst = dst;
	ins->a = pointer->base;
	ins->imm = pointer->offset + (int64_t)block->members[member].offset;
	ins->extra = (uint32_t)array->stride;
}

static void pointer_texel(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	const struct spirv_type *pointer = spirv_type_of(c->module, operands[0]);
	struct spirv_value texel = *spirv_value(c, operands[0]);

	if (spirv_type(c->module, pointer->base)->op != SpvOpTypeImage ||
	    texel.space != SPACE_IMAGE) {
		spirv_unable(c, "a texel belongs to an image");
		return;
	}
	if (spirv_number(c, operands[2], "the sample"))
		spirv_unable(c, "images with several samples are not supported");
	texel.texel = true;
	texel.coordinates = operands[1];
	texel.image = pointer->base;
	texel.slot = spirv_slot(c, operands[1]);
	spirv_pointer(c, &texel);
}

bool spirv_compile_pointer(struct spirv_compiler *c)
{
	switch (c->at->opcode) {
	case SpvOpAccessChain:
	case SpvOpInBoundsAccessChain:
		pointer_access_chain(c, false);
		return true;
	case SpvOpPtrAccessChain:
	case SpvOpInBoundsPtrAccessChain:
		pointer_access_chain(c, true);
		return true;
	case SpvOpConvertPtrToU:
	case SpvOpConvertUToPtr:
		pointer_convert(c);
		return true;
	case SpvOpArrayLength:
		pointer_array_length(c);
		return true;
	case SpvOpImageTexelPointer:
		pointer_texel(c);
		return true;
	default:
		return false;
	}
}
