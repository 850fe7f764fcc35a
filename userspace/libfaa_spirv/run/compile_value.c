// SPDX-License-Identifier: MIT
#include <string.h>

#include "compile.h"

uint32_t spirv_constant_slots(struct spirv_compiler *c, uint32_t count)
{
	struct spirv_program *program = c->program;
	uint32_t first = program->constant_count;

	/* 64 MiB, as for the slots of a warp. */
	if (count > (1u << 18) - first) {
		spirv_unable(c, "the kernel has more than %u constants", 1u << 18);
		return SLOT_CONST;
	}
	spirv_append(c, &program->constants, &program->constant_count, count,
		     SPIRV_LANES * sizeof(*program->constants));
	return SLOT_CONST | first;
}

static void value_set_constant(struct spirv_compiler *c, uint32_t slot, uint64_t value)
{
	uint64_t *lanes = c->program->constants + (size_t)(slot & ~SLOT_CONST) * SPIRV_LANES;
	unsigned int i;

	for (i = 0; i < SPIRV_LANES && !c->error; i++)
		lanes[i] = value;
}

uint32_t spirv_constant_slot(struct spirv_compiler *c, uint64_t value)
{
	uint32_t slot = spirv_constant_slots(c, 1);

	value_set_constant(c, slot, value);
	return slot;
}

/* Stores the scalars of constant @id to the slots from @slot on; returns the slot after them. */
static uint32_t value_fill_constant(struct spirv_compiler *c, uint32_t slot, uint32_t id)
{
	const struct spirv_constant *constant = spirv_constant(c->module, id);
	const struct spirv_type *type = spirv_type(c->module, constant->type);
	uint64_t i;

	if (!spirv_slots(c, type))
		return slot;
	if (!constant->constituents) {
		value_set_constant(c, slot, constant->value);
		return slot + spirv_slots(c, type);
	}
	for (i = 0; i < type->count && !c->error; i++)
		slot = value_fill_constant(c, slot, constant->constituents[i]);
	return slot;
}

static void value_make_constant(struct spirv_compiler *c, struct spirv_value *value, uint32_t id)
{
	const struct spirv_constant *constant = spirv_constant(c->module, id);
	const struct spirv_type *type = spirv_type(c->module, constant->type);

	value->slot = spirv_constant_slots(c, spirv_slots(c, type));
	value->base = value->slot;
	value_fill_constant(c, value->slot, id);
	if (type->op == SpvOpTypePointer)
		value->space = spirv_space(c, type->storage_class);
}

uint8_t spirv_space(struct spirv_compiler *c, uint32_t storage_class)
{
	switch (storage_class) {
	case SpvStorageClassFunction:
	case SpvStorageClassPrivate:
	case SpvStorageClassInput:
		return SPACE_SLOTS;
	case SpvStorageClassStorageBuffer:
	case SpvStorageClassUniform:
	case SpvStorageClassPhysicalStorageBuffer:
		return SPACE_GLOBAL;
	case SpvStorageClassPushConstant:
		return SPACE_PUSH;
	case SpvStorageClassWorkgroup:
		return SPACE_SHARED;
	case SpvStorageClassUniformConstant:
	case SpvStorageClassImage:
		return SPACE_IMAGE;
	default:
		spirv_unable(c, "storage class %u is not supported", storage_class);
		return SPACE_SLOTS;
	}
}

static unsigned int value_data_type(const struct spirv_type *sampled)
{
	if (sampled->op == SpvOpTypeFloat)
		return FAA_DATA_TYPE_FLOAT;
	return sampled->is_signed ? FAA_DATA_TYPE_SINT : FAA_DATA_TYPE_UINT;
}

/*
 * Texel layout for atomic operations and loads: by the format; if unknown, one component of the
 * sampled type.
 */
static void value_image_texel(struct spirv_compiler *c, struct spirv_resource *resource,
			      const struct spirv_type *type)
{
	resource->components = 1;
	resource->width = (uint8_t)spirv_width(spirv_type(c->module, type->base));
	switch (type->format) {
	case SpvImageFormatRgba32f:
	case SpvImageFormatRgba32i:
	case SpvImageFormatRgba32ui:
		resource->components = 4;
		break;
	case SpvImageFormatRg32f:
	case SpvImageFormatRg32i:
	case SpvImageFormatRg32ui:
		resource->components = 2;
		break;
	case SpvImageFormatUnknown:
	case SpvImageFormatR32f:
	case SpvImageFormatR32i:
	case SpvImageFormatR32ui:
	case SpvImageFormatR64i:
	case SpvImageFormatR64ui:
		break;
	default:
		spirv_unable(c, "image format %u is not supported", type->format);
	}
	resource->data_type = (uint8_t)value_data_type(spirv_type(c->module, type->base));
	resource->dim = (uint8_t)spirv_image_dim(c, type);
}

static void value_make_resource(struct spirv_compiler *c, struct spirv_value *value,
				const struct spirv_variable *variable)
{
	struct spirv_program *program = c->program;
	const struct spirv_type *type = spirv_type(c->module, variable->type);
	struct spirv_resource *resource;
	uint64_t count = 1;

	if (variable->binding == SPIRV_NONE)
		spirv_unable(c, "variable %%%u has no binding", variable->id);
	if (type->op == SpvOpTypeRuntimeArray)
		spirv_unable(c, "arrays of bindings of no fixed length are not supported");
	if (type->op == SpvOpTypeArray) {
		count = type->count;
		type = spirv_type(c->module, type->base);
	}
	if (count > 4096)
		spirv_unable(c, "more than 4096 descriptors in one binding");
	resource = spirv_append(c, &program->resources, &program->resource_count, 1,
				sizeof(*resource));
	if (c->error)
		return;
	resource->set = variable->set == SPIRV_NONE ? 0 : variable->set;
	resource->binding = variable->binding;
	resource->count = (uint32_t)count;
	value->base = SLOT_NONE;
	if (value->space == SPACE_IMAGE && type->op == SpvOpTypeImage && type->sampled != 1) {
		resource->kind = RESOURCE_IMAGE;
		value_image_texel(c, resource, type);
		resource->slot = program->images;
		value->offset = program->images;
		program->images += (uint32_t)count;
	} else if (value->space == SPACE_GLOBAL && type->op == SpvOpTypeStruct) {
		resource->kind = RESOURCE_BUFFER;
		resource->min_bytes = type->size;
		resource->slot = spirv_constant_slots(c, (uint32_t)count);
		value->base = program->resources[program->resource_count - 1].slot;
		value->buffers = program->resource_count;
	} else {
		spirv_unable(c, "binding %u of set %u is neither a buffer nor a storage image",
			     variable->binding, variable->set);
	}
}

static void value_make_variable(struct spirv_compiler *c, struct spirv_value *value, uint32_t id)
{
	const struct spirv_variable *variable = &c->module->variables[c->module->ids[id].index];
	const struct spirv_type *type = spirv_type(c->module, variable->type);
	struct spirv_program *program = c->program;
	uint64_t end;

	value->space = spirv_space(c, variable->storage_class);
	value->base = SLOT_NONE;
	switch (value->space) {
	case SPACE_SLOTS:
		value->offset = spirv_take_slots(c, spirv_slots(c, type));
		break;
	case SPACE_SHARED:
		value->offset = program->shared_bytes;
		end = (uint64_t)program->shared_bytes + spirv_shared_size(c, type);
		if (end > FAA_SHARED_WINDOW_BYTES)
			spirv_unable(c, "more shared memory than %u bytes",
				     FAA_SHARED_WINDOW_BYTES);
		program->shared_bytes = ((uint32_t)end + 7) & ~7u;
		break;
	case SPACE_PUSH:
		break;
	default:
		value_make_resource(c, value, variable);
	}
}

struct spirv_value *spirv_value(struct spirv_compiler *c, uint32_t id)
{
	struct spirv_value *value = &c->values[id];

	if (value->known)
		return value;
	value->known = true;
	value->base = SLOT_NONE;
	if (c->module->ids[id].kind == SPIRV_ID_CONSTANT)
		value_make_constant(c, value, id);
	else if (c->module->ids[id].kind == SPIRV_ID_VARIABLE)
		value_make_variable(c, value, id);
	else
		spirv_unable(c, "operand %%%u is not supported", id);
	return value;
}

/* Whether the pointer's or image's number is the value of a slot. */
static bool value_is_solid(const struct spirv_value *value)
{
	return value->base != SLOT_NONE && !value->offset;
}

uint32_t spirv_slot(struct spirv_compiler *c, uint32_t id)
{
	struct spirv_value *value = spirv_value(c, id);
	const struct spirv_type *type = spirv_type_of(c->module, id);
	struct spirv_ins *ins;
	uint32_t slot;

	if (value->texel)
		spirv_unable(c, "a pointer to a texel can be used by atomic operations alone");
	if (type->op != SpvOpTypePointer && type->op != SpvOpTypeImage)
		return value->slot;
	if (value_is_solid(value))
		return value->base;
	if (value->base == SLOT_NONE)
		return spirv_constant_slot(c, (uint64_t)value->offset);
	slot = spirv_take_slots(c, 1);
	ins = spirv_emit(c, CODE_ADD_IMM);
	ins->dst = slot;
	ins->a = value->base;
	ins->imm = value->offset;
	return slot;
}

static struct spirv_value *value_result(struct spirv_compiler *c)
{
	struct spirv_value *value = &c->values[c->at->result];
	const struct spirv_type *type = spirv_type(c->module, c->at->type);

	value->known = true;
	value->base = SLOT_NONE;
	if (type->op == SpvOpTypePointer)
		value->space = spirv_space(c, type->storage_class);
	return value;
}

uint32_t spirv_result(struct spirv_compiler *c)
{
	struct spirv_value *value = &c->values[c->at->result];

	if (!value->known)
		spirv_alias(
			c, spirv_take_slots(c, spirv_slots(c, spirv_type(c->module, c->at->type))));
	return value->slot;
}

void spirv_alias(struct spirv_compiler *c, uint32_t slot)
{
	struct spirv_value *value = value_result(c);

	value->slot = slot;
	value->base = slot;
}

void spirv_pointer(struct spirv_compiler *c, const struct spirv_value *pointer)
{
	struct spirv_value *value = value_result(c);
	struct spirv_ins *ins;

	*value = *pointer;
	value->known = true;
	if (!c->solid || value_is_solid(value) || value->space == SPACE_IMAGE ||
	    value->base == SLOT_NONE)
		return;
	value->slot = spirv_take_slots(c, 1);
	ins = spirv_emit(c, CODE_ADD_IMM);
	ins->dst = value->slot;
	ins->a = value->base;
	ins->imm = value->offset;
	value->base = value->slot;
	value->offset = 0;
}

uint64_t spirv_number(struct spirv_compiler *c, uint32_t id, const char *what)
{
	const struct spirv_constant *constant = spirv_constant(c->module, id);
	const struct spirv_type *type = constant ? spirv_type(c->module, constant->type) : NULL;

	if (type && type->op == SpvOpTypeInt)
		return constant->value;
	spirv_unable(c, "%s must be an integer constant", what);
	return 0;
}
