// SPDX-License-Identifier: MIT
#include "compile.h"

/* Memory operands, also Volatile and Nontemporal, are ignored: every access is executed. */

static void memory_load_from(struct spirv_compiler *c, const struct spirv_value *pointer,
			     const struct spirv_type *type, uint32_t dst)
{
	uint32_t count = spirv_slots(c, type), access;
	struct spirv_ins *ins;

	if (pointer->space == SPACE_SLOTS && pointer->base == SLOT_NONE) {
		spirv_move(c, dst, (uint32_t)pointer->offset, count);
		return;
	}
	access = pointer->space == SPACE_SLOTS ? 0 : spirv_access(c, type, pointer);
	ins = spirv_emit(c, pointer->space == SPACE_SLOTS ? CODE_GATHER : CODE_LOAD);
	ins->dst = dst;
	ins->a = pointer->base;
	ins->imm = pointer->offset;
	ins->count = (uint16_t)count;
	ins->extra = access;
}

static void memory_load(struct spirv_compiler *c)
{
	struct spirv_value *pointer = spirv_value(c, c->at->operands[0]);
	const struct spirv_type *type = spirv_type(c->module, c->at->type);

	if (type->op == SpvOpTypeImage) {
		spirv_pointer(c, pointer);
		c->values[c->at->result].space = SPACE_IMAGE;
		return;
	}
	if (pointer->texel || pointer->space == SPACE_IMAGE)
		spirv_unable(c, "texels are loaded by OpImageRead and OpAtomicLoad");
	else
		memory_load_from(c, pointer, type, spirv_result(c));
}

static void memory_store_to(struct spirv_compiler *c, const struct spirv_value *pointer,
			    const struct spirv_type *type, uint32_t from)
{
	uint32_t count = spirv_slots(c, type), access;
	struct spirv_ins *ins;

	if (pointer->space == SPACE_SLOTS && pointer->base == SLOT_NONE) {
		spirv_move(c, (uint32_t)pointer->offset, from, count);
		return;
	}
	access = pointer->space == SPACE_SLOTS ? 0 : spirv_access(c, type, pointer);
	ins = spirv_emit(c, pointer->space == SPACE_SLOTS ? CODE_SCATTER : CODE_STORE);
	ins->a = pointer->base;
	ins->imm = pointer->offset;
	ins->b = from;
	ins->count = (uint16_t)count;
	ins->extra = access;
}

void spirv_store_value(struct spirv_compiler *c, uint32_t id, const struct spirv_type *type,
		       uint32_t from)
{
	const struct spirv_value *pointer = spirv_value(c, id);

	if (pointer->texel || pointer->space == SPACE_IMAGE || pointer->space == SPACE_PUSH)
		spirv_unable(c, "this memory cannot be stored to");
	else
		memory_store_to(c, pointer, type, from);
}

static void memory_store(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;

	spirv_store_value(c, operands[0], spirv_type_of(c->module, operands[1]),
			  spirv_slot(c, operands[1]));
}

/* Through a value, as source and destination may overlap. */
static void memory_copy(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	const struct spirv_value *to = spirv_value(c, operands[0]),
				 *from = spirv_value(c, operands[1]);
	const struct spirv_type *pointer = spirv_type_of(c->module, operands[0]);
	const struct spirv_type *type = spirv_type(c->module, pointer->base);
	uint32_t slot;

	if (to->space >= SPACE_IMAGE || from->space >= SPACE_IMAGE || to->space == SPACE_PUSH) {
		spirv_unable(c, "this memory cannot be copied");
		return;
	}
	slot = spirv_take_slots(c, spirv_slots(c, type));
	memory_load_from(c, from, type, slot);
	memory_store_to(c, to, type, slot);
}

void spirv_initialize(struct spirv_compiler *c, const struct spirv_value *value, uint32_t id)
{
	if (c->module->ids[id].kind != SPIRV_ID_CONSTANT) {
		spirv_unable(c, "an initializer that is no constant is not supported");
		return;
	}
	memory_store_to(c, value, spirv_type_of(c->module, id), spirv_slot(c, id));
}

static void memory_variable(struct spirv_compiler *c)
{
	const struct spirv_variable *variable =
		&c->module->variables[c->module->ids[c->at->result].index];
	const struct spirv_value *value = spirv_value(c, c->at->result);

	if (variable->initializer)
		spirv_initialize(c, value, variable->initializer);
}

/* Read, write and size name the image by its index in the table of images. */
static bool memory_image_operands(struct spirv_compiler *c, unsigned int before)
{
	const struct spirv_type *type = spirv_type_of(c->module, c->at->operands[0]);

	if (type->op != SpvOpTypeImage || type->multisampled)
		spirv_unable(c, "only storage images of one sample are supported");
	if (c->at->operand_count > before &&
	    c->at->operands[before] &
		    (SpvImageOperandsBiasMask | SpvImageOperandsLodMask | SpvImageOperandsGradMask |
		     SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask |
		     SpvImageOperandsConstOffsetsMask | SpvImageOperandsSampleMask))
		spirv_unable(c, "image operands 0x%x are not supported", c->at->operands[before]);
	return !c->error;
}

static void memory_image_read(struct spirv_compiler *c)
{
	const struct spirv_type *type = spirv_type(c->module, c->at->type);
	const struct spirv_type *coordinates = spirv_type_of(c->module, c->at->operands[1]);
	uint32_t image, at, dst;
	struct spirv_ins *ins;

	if (!memory_image_operands(c, 2))
		return;
	image = spirv_slot(c, c->at->operands[0]);
	at = spirv_slot(c, c->at->operands[1]);
	dst = spirv_result(c);
	ins = spirv_emit(c, CODE_IMAGE_READ);
	ins->dst = dst;
	ins->a = image;
	ins->b = at;
	ins->extra = spirv_slots(c, coordinates);
	ins->count = (uint16_t)spirv_slots(c, type);
	ins->width = (uint8_t)spirv_width(spirv_scalar(c, type));
}

static void memory_image_write(struct spirv_compiler *c)
{
	const struct spirv_type *coordinates = spirv_type_of(c->module, c->at->operands[1]);
	const struct spirv_type *type = spirv_type_of(c->module, c->at->operands[2]);
	uint32_t image, at, from;
	struct spirv_ins *ins;

	if (!memory_image_operands(c, 3))
		return;
	image = spirv_slot(c, c->at->operands[0]);
	at = spirv_slot(c, c->at->operands[1]);
	from = spirv_slot(c, c->at->operands[2]);
	ins = spirv_emit(c, CODE_IMAGE_WRITE);
	ins->a = image;
	ins->b = at;
	ins->c = from;
	ins->extra = spirv_slots(c, coordinates);
	ins->count = (uint16_t)spirv_slots(c, type);
	ins->width = (uint8_t)spirv_width(spirv_scalar(c, type));
}

static void memory_image_size(struct spirv_compiler *c)
{
	uint32_t image, dst;
	struct spirv_ins *ins;

	if (!memory_image_operands(c, 1))
		return;
	image = spirv_slot(c, c->at->operands[0]);
	dst = spirv_result(c);
	ins = spirv_emit(c, CODE_IMAGE_SIZE);
	ins->dst = dst;
	ins->a = image;
	ins->count = (uint16_t)spirv_slots(c, spirv_type(c->module, c->at->type));
}

bool spirv_compile_memory(struct spirv_compiler *c)
{
	switch (c->at->opcode) {
	case SpvOpLoad:
		memory_load(c);
		return true;
	case SpvOpStore:
		memory_store(c);
		return true;
	case SpvOpCopyMemory:
		memory_copy(c);
		return true;
	case SpvOpVariable:
		memory_variable(c);
		return true;
	case SpvOpImageRead:
		memory_image_read(c);
		return true;
	case SpvOpImageWrite:
		memory_image_write(c);
		return true;
	case SpvOpImageQuerySize:
		memory_image_size(c);
		return true;
	default:
		return false;
	}
}
