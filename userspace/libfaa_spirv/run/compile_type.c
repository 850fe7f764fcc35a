// SPDX-License-Identifier: MIT
#include "compile.h"

/* Limit of scalars in a value. */
#define MOST_SLOTS 65535u
/*
 * Limit of scalars of all loads and stores together: an instruction of a few words may have 64 Ki.
 */
#define MOST_LEAVES (1u << 22)

static const struct spirv_type *type_base(struct spirv_compiler *c, const struct spirv_type *type)
{
	return spirv_type(c->module, type->base);
}

static struct spirv_layout *type_layout(struct spirv_compiler *c, const struct spirv_type *type)
{
	return &c->layouts[type - c->module->types];
}

static uint32_t type_count_slots(struct spirv_compiler *c, const struct spirv_type *type)
{
	uint64_t slots = 0, i;

	switch (type->op) {
	case SpvOpTypeVoid:
		return 0;
	case SpvOpTypeBool:
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
	case SpvOpTypePointer:
	case SpvOpTypeImage:
		return 1;
	case SpvOpTypeVector:
	case SpvOpTypeMatrix:
	case SpvOpTypeArray:
		slots = type->count > MOST_SLOTS ? type->count :
						   type->count * spirv_slots(c, type_base(c, type));
		break;
	case SpvOpTypeStruct:
		for (i = 0; i < type->count; i++)
			slots += spirv_slots(c, spirv_type(c->module, type->members[i].type));
		break;
	default:
		spirv_unable(c, "a value of this type (%%%u) is not supported", type->id);
		return 1;
	}
	if (slots > MOST_SLOTS) {
		spirv_unable(c, "a value of %llu scalars, more than %u", (unsigned long long)slots,
			     MOST_SLOTS);
		return 1;
	}
	return (uint32_t)slots;
}

uint32_t spirv_slots(struct spirv_compiler *c, const struct spirv_type *type)
{
	struct spirv_layout *known = type_layout(c, type);

	if (!known->slots)
		known->slots = type_count_slots(c, type) + 1;
	return known->slots - 1;
}

const struct spirv_type *spirv_scalar(struct spirv_compiler *c, const struct spirv_type *type)
{
	while (type->op == SpvOpTypeVector || type->op == SpvOpTypeMatrix)
		type = type_base(c, type);
	return type;
}

unsigned int spirv_width(const struct spirv_type *scalar)
{
	if (scalar->op == SpvOpTypeInt || scalar->op == SpvOpTypeFloat)
		return scalar->width;
	return scalar->op == SpvOpTypePointer ? 64 : 32;
}

static uint32_t type_shared_align(struct spirv_compiler *c, const struct spirv_type *type);

static uint32_t type_find_shared_align(struct spirv_compiler *c, const struct spirv_type *type)
{
	uint32_t align = 4, member;
	uint64_t i;

	while (type->op == SpvOpTypeVector || type->op == SpvOpTypeMatrix ||
	       type->op == SpvOpTypeArray)
		type = type_base(c, type);
	if (type->op != SpvOpTypeStruct)
		return spirv_width(type) == 64 ? 8 : 4;
	for (i = 0; i < type->count; i++) {
		member = type_shared_align(c, spirv_type(c->module, type->members[i].type));
		align = member > align ? member : align;
	}
	return align;
}

static uint32_t type_shared_align(struct spirv_compiler *c, const struct spirv_type *type)
{
	struct spirv_layout *known = type_layout(c, type);

	if (!known->shared_align)
		known->shared_align = type_find_shared_align(c, type) + 1;
	return known->shared_align - 1;
}

uint32_t spirv_shared_member(struct spirv_compiler *c, const struct spirv_type *type,
			     uint32_t index)
{
	const struct spirv_type *member;
	uint64_t at = 0, align;
	uint32_t i;

	for (i = 0; i <= index; i++) {
		member = spirv_type(c->module, type->members[i].type);
		align = type_shared_align(c, member);
		at = (at + align - 1) & ~(align - 1);
		if (i < index)
			at += spirv_shared_size(c, member);
	}
	return (uint32_t)at;
}

static uint32_t type_find_shared_size(struct spirv_compiler *c, const struct spirv_type *type)
{
	const struct spirv_type *last;
	uint64_t size, align;

	switch (type->op) {
	case SpvOpTypeVector:
	case SpvOpTypeMatrix:
	case SpvOpTypeArray:
		size = type->count > FAA_SHARED_WINDOW_BYTES ?
			       type->count :
			       type->count * spirv_shared_size(c, type_base(c, type));
		break;
	case SpvOpTypeStruct:
		if (!type->count)
			return 4;
		last = spirv_type(c->module, type->members[type->count - 1].type);
		align = type_shared_align(c, type);
		size = (uint64_t)spirv_shared_member(c, type, (uint32_t)type->count - 1) +
		       spirv_shared_size(c, last);
		size = (size + align - 1) & ~(align - 1);
		break;
	default:
		return spirv_width(type) == 64 ? 8 : 4;
	}
	if (size > FAA_SHARED_WINDOW_BYTES) {
		spirv_unable(c, "more shared memory than %u bytes", FAA_SHARED_WINDOW_BYTES);
		return 4;
	}
	return (uint32_t)size;
}

uint32_t spirv_shared_size(struct spirv_compiler *c, const struct spirv_type *type)
{
	struct spirv_layout *known = type_layout(c, type);

	if (!known->shared_size)
		known->shared_size = type_find_shared_size(c, type) + 1;
	return known->shared_size - 1;
}

/* Layout of matrices within a structure. */
struct matrix {
	uint64_t stride;
	bool row_major;
};

static void type_leaf(struct spirv_compiler *c, const struct spirv_type *type, uint8_t space,
		      uint64_t offset)
{
	struct spirv_leaf *leaf;
	unsigned int width = spirv_width(type);

	if (c->program->leaf_count == MOST_LEAVES) {
		spirv_unable(c, "the loads and stores of the kernel have more than %u scalars",
			     MOST_LEAVES);
		return;
	}
	leaf = spirv_append(c, &c->program->leaves, &c->program->leaf_count, 1, sizeof(*leaf));
	if (!leaf)
		return;
	if (offset > UINT32_MAX)
		spirv_unable(c, "a value reaches beyond 4 GiB");
	leaf->offset = (uint32_t)offset;
	leaf->bytes = space == SPACE_SHARED && width < 32 ? 4 : width / 8;
}

static void type_leaves(struct spirv_compiler *c, const struct spirv_type *type, uint8_t space,
			uint64_t offset, struct matrix matrix);

static void type_vector_leaves(struct spirv_compiler *c, const struct spirv_type *type,
			       uint8_t space, uint64_t offset, uint64_t step)
{
	const struct spirv_type *component = type_base(c, type);
	uint64_t i;

	if (space == SPACE_SHARED)
		step = spirv_shared_size(c, component);
	else if (!step)
		step = spirv_width(component) / 8;
	for (i = 0; i < type->count; i++)
		type_leaf(c, component, space, offset + i * step);
}

static void type_matrix_leaves(struct spirv_compiler *c, const struct spirv_type *type,
			       uint8_t space, uint64_t offset, struct matrix matrix)
{
	const struct spirv_type *column = type_base(c, type);
	uint64_t component = spirv_width(type_base(c, column)) / 8, i;

	for (i = 0; i < type->count; i++) {
		if (space == SPACE_SHARED)
			type_vector_leaves(c, column, space,
					   offset + i * spirv_shared_size(c, column), 0);
		else if (matrix.row_major)
			type_vector_leaves(c, column, space, offset + i * component, matrix.stride);
		else
			type_vector_leaves(
				c, column, space,
				offset + i * (matrix.stride ? matrix.stride : type->stride), 0);
	}
}

static void type_struct_leaves(struct spirv_compiler *c, const struct spirv_type *type,
			       uint8_t space, uint64_t offset)
{
	const struct spirv_member *member;
	uint32_t i;

	for (i = 0; i < type->count; i++) {
		member = &type->members[i];
		type_leaves(c, spirv_type(c->module, member->type), space,
			    offset + (space == SPACE_SHARED ? spirv_shared_member(c, type, i) :
							      member->offset),
			    (struct matrix){ member->matrix_stride, member->row_major });
	}
}

static void type_leaves(struct spirv_compiler *c, const struct spirv_type *type, uint8_t space,
			uint64_t offset, struct matrix matrix)
{
	uint64_t step, i;

	if (!spirv_slots(c, type) || c->error)
		return;
	switch (type->op) {
	case SpvOpTypeVector:
		type_vector_leaves(c, type, space, offset, matrix.row_major ? matrix.stride : 0);
		break;
	case SpvOpTypeMatrix:
		type_matrix_leaves(c, type, space, offset, matrix);
		break;
	case SpvOpTypeArray:
		step = space == SPACE_SHARED ? spirv_shared_size(c, type_base(c, type)) :
					       type->stride;
		for (i = 0; i < type->count && !c->error; i++)
			type_leaves(c, type_base(c, type), space, offset + i * step, matrix);
		break;
	case SpvOpTypeStruct:
		type_struct_leaves(c, type, space, offset);
		break;
	default:
		type_leaf(c, type, space, offset);
	}
}

uint32_t spirv_access(struct spirv_compiler *c, const struct spirv_type *type,
		      const struct spirv_value *pointer)
{
	struct spirv_program *program = c->program;
	uint32_t first = program->leaf_count, index = program->access_count;
	struct spirv_access *access;

	/* Checked first, so that a value that is too large is rejected before it gets leaves. */
	if (!spirv_slots(c, type) || c->error)
		return 0;
	type_leaves(c, type, pointer->space, 0,
		    (struct matrix){ pointer->matrix_stride, pointer->row_major });
	access = spirv_append(c, &program->accesses, &program->access_count, 1, sizeof(*access));
	if (access)
		*access =
			(struct spirv_access){ pointer->space, first, program->leaf_count - first };
	return index;
}
