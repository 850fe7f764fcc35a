// SPDX-License-Identifier: MIT
/* Types and their layout in memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

enum {
	/* Universal limits of SPIR-V. */
	LEVELS_MAX = 255,
	MEMBERS_MAX = 16383,
	POINTER_SIZE = 8,
	BOOL_SIZE = 4,
};

/* Layout of a component, element or member, which may be a forward pointer. */
struct part {
	uint64_t size, scalars;
	uint32_t align, levels;
	bool runtime;
};

static int type_fail(struct spirv_context *context, const char *what)
{
	return spirv_fail(context, context->at->result, "%s: %s",
			  spirv_op_name(context->at->opcode), what);
}

static bool type_is_void_or_function(const struct spirv_type *type)
{
	return type->op == SpvOpTypeVoid || type->op == SpvOpTypeFunction;
}

/* Reads the layout of type @id as a part of another type. */
static int type_take_part(struct spirv_context *context, uint32_t id, const char *what,
			  struct part *part)
{
	const struct spirv_type *type;

	if (context->module->ids[id].kind == SPIRV_ID_UNDEFINED &&
	    context->forward[id / 8] & 1 << id % 8) {
		*part = (struct part){ .size = POINTER_SIZE, .scalars = 1, .align = POINTER_SIZE };
		return 0;
	}
	type = spirv_want_type(context, id, what);
	if (!type)
		return -EINVAL;
	if (type_is_void_or_function(type))
		return spirv_fail(context, id, "%s: %s <id> %u is a void or function type",
				  spirv_op_name(context->at->opcode), what, id);
	*part = (struct part){ type->size, type->scalars, type->align, type->levels,
			       type->runtime };
	return 0;
}

static uint64_t type_round_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) & ~(align - 1);
}

/* Saturating product, at most SPIRV_SIZE_MAX; both factors are at most SPIRV_SIZE_MAX. */
static uint64_t type_times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) || product > SPIRV_SIZE_MAX ? SPIRV_SIZE_MAX :
										    product;
}

/* Lays out elements at multiples of @type->stride. */
static int type_lay_elements(struct spirv_context *context, struct spirv_type *type,
			     const struct part *part)
{
	uint64_t size;

	if (part->runtime)
		return type_fail(context, "an element cannot hold a runtime array");
	if (type->stride < part->size)
		return type_fail(context, "the stride is smaller than an element");
	if (__builtin_mul_overflow(type->stride, type->count, &size) || size > SPIRV_SIZE_MAX)
		return type_fail(context, "the type is larger than 2^48 bytes");
	type->size = size;
	type->scalars = type_times(part->scalars, type->count);
	type->levels = part->levels + 1;
	return type->levels > LEVELS_MAX ? type_fail(context, "types nest deeper than 255 levels") :
					   0;
}

static int type_declare_number(struct spirv_context *context, struct spirv_type *type)
{
	bool is_float = type->op == SpvOpTypeFloat;
	uint32_t width = context->at->operands[0];

	if (width != 16 && width != 32 && width != 64 && (is_float || width != 8))
		return spirv_fail(context, type->id,
				  "Invalid number of bits (%u) used for OpType%s.", width,
				  is_float ? "Float" : "Int");
	if (!is_float && context->at->operands[1] > 1)
		return spirv_fail(context, type->id, "OpTypeInt has invalid signedness: %u",
				  context->at->operands[1]);
	type->width = width;
	type->is_signed = !is_float && context->at->operands[1];
	type->size = width / 8;
	type->align = width / 8;
	type->scalars = 1;
	return 0;
}

static int type_declare_vector(struct spirv_context *context, struct spirv_type *type)
{
	const struct spirv_type *base =
		spirv_want_type(context, context->at->operands[0], "Component Type");
	uint32_t count = context->at->operands[1];

	if (!base)
		return -EINVAL;
	if (base->op != SpvOpTypeInt && base->op != SpvOpTypeFloat && base->op != SpvOpTypeBool)
		return type_fail(context, "Component Type is not a scalar type.");
	if (count != 2 && count != 3 && count != 4 && count != 8 && count != 16)
		return spirv_fail(context, type->id,
				  "Having %u components for TypeVector is not allowed", count);
	type->base = base->id;
	type->count = count;
	type->stride = base->size;
	type->size = count * base->size;
	type->scalars = count;
	type->align = base->align;
	type->levels = 1;
	return 0;
}

static int type_declare_matrix(struct spirv_context *context, struct spirv_type *type)
{
	const struct spirv_type *base =
		spirv_want_type(context, context->at->operands[0], "Column Type");
	uint32_t count = context->at->operands[1];

	if (!base)
		return -EINVAL;
	if (base->op != SpvOpTypeVector ||
	    spirv_type(context->module, base->base)->op != SpvOpTypeFloat)
		return type_fail(context, "Columns in a matrix must be of type vector of floats.");
	if (count < 2 || count > 4)
		return type_fail(
			context,
			"Matrix types can only be parameterized as having only 2, 3, or 4 columns.");
	type->base = base->id;
	type->count = count;
	type->stride = base->size;
	type->align = base->align;
	return type_lay_elements(context, type,
				 &(struct part){ base->size, base->scalars, base->align,
						 base->levels, false });
}

/* Number of elements, after specialization. */
static int type_array_length(struct spirv_context *context, uint64_t *length)
{
	const struct spirv_constant *constant =
		spirv_want_constant(context, context->at->operands[1], "Length");
	const struct spirv_type *type = constant ? spirv_type(context->module, constant->type) :
						   NULL;

	if (!constant)
		return -EINVAL;
	if (type->op != SpvOpTypeInt)
		return type_fail(context, "Length is not a scalar integer");
	if (!constant->value || (type->is_signed && constant->value >> (type->width - 1)))
		return type_fail(context, "Length must be at least 1");
	*length = constant->value;
	return 0;
}

static int type_declare_array(struct spirv_context *context, struct spirv_type *type)
{
	const struct spirv_decoration *stride =
		spirv_decoration(context->module, type->id, SPIRV_NONE, SpvDecorationArrayStride);
	struct part part;
	int ret = type_take_part(context, context->at->operands[0], "Element Type", &part);

	if (!ret && type->op == SpvOpTypeArray)
		ret = type_array_length(context, &type->count);
	if (ret)
		return ret;
	type->base = context->at->operands[0];
	type->align = part.align;
	type->stride = stride ? stride->operands[0] : type_round_up(part.size, part.align);
	ret = type_lay_elements(context, type, &part);
	type->runtime = type->op == SpvOpTypeRuntimeArray;
	return ret;
}

/*
 * Reads the decorations of member @index. Return: its offset; @end, the end of the previous member,
 * without a decoration.
 */
static uint64_t type_decorate_member(struct faa_spirv_module *module, struct spirv_type *type,
				     uint32_t index, uint64_t end)
{
	struct spirv_member *member = &type->members[index];
	const struct spirv_decoration *found;

	member->builtin = SPIRV_NONE;
	found = spirv_decoration(module, type->id, index, SpvDecorationBuiltIn);
	if (found)
		member->builtin = found->operands[0];
	found = spirv_decoration(module, type->id, index, SpvDecorationMatrixStride);
	if (found)
		member->matrix_stride = found->operands[0];
	member->row_major = spirv_decoration(module, type->id, index, SpvDecorationRowMajor);
	found = spirv_decoration(module, type->id, index, SpvDecorationOffset);
	return found ? found->operands[0] : end;
}

/* The type of the matrix in a member, possibly within arrays; NULL: there is none. */
static const struct spirv_type *type_matrix_in(const struct faa_spirv_module *module, uint32_t id)
{
	const struct spirv_type *type;

	while (module->ids[id].kind == SPIRV_ID_TYPE) {
		type = spirv_type(module, id);
		if (type->op == SpvOpTypeMatrix)
			return type;
		if (type->op != SpvOpTypeArray && type->op != SpvOpTypeRuntimeArray)
			break;
		id = type->base;
	}
	return NULL;
}

/* A matrix with a stride may reach beyond its natural size. */
static uint64_t type_member_size(const struct faa_spirv_module *module,
				 const struct spirv_member *member, uint64_t size)
{
	const struct spirv_type *matrix =
		member->matrix_stride ? type_matrix_in(module, member->type) : NULL;
	uint64_t vectors;

	if (!matrix || module->ids[member->type].index != (uint32_t)(matrix - module->types))
		return size;
	vectors = member->row_major ? spirv_type(module, matrix->base)->count : matrix->count;
	return vectors * member->matrix_stride > size ? vectors * member->matrix_stride : size;
}

static int type_lay_member(struct spirv_context *context, struct spirv_type *type, uint32_t index,
			   uint64_t *end)
{
	struct spirv_member *member = &type->members[index];
	struct part part;
	uint64_t size;
	int ret;

	member->type = context->at->operands[index];
	ret = type_take_part(context, member->type, "Member Type", &part);
	if (ret)
		return ret;
	if (part.runtime && index + 1 < type->count)
		return type_fail(
			context,
			"Only the last member of a structure may be or hold a runtime array");
	if (part.levels + 1 > LEVELS_MAX)
		return type_fail(context, "types nest deeper than 255 levels");
	member->offset =
		type_decorate_member(context->module, type, index, type_round_up(*end, part.align));
	size = type_member_size(context->module, member, part.size);
	if (size > SPIRV_SIZE_MAX - member->offset)
		return type_fail(context, "the type is larger than 2^48 bytes");
	if (member->offset + size > *end)
		*end = member->offset + size;
	type->scalars = type->scalars + part.scalars > SPIRV_SIZE_MAX ?
				SPIRV_SIZE_MAX :
				type->scalars + part.scalars;
	type->levels = part.levels + 1 > type->levels ? part.levels + 1 : type->levels;
	type->align = part.align > type->align ? part.align : type->align;
	type->runtime |= part.runtime;
	return 0;
}

static int type_declare_struct(struct spirv_context *context, struct spirv_type *type)
{
	struct faa_spirv_module *module = context->module;
	uint64_t end = 0;
	uint32_t i;
	int ret = 0;

	type->count = context->at->operand_count;
	if (type->count > MEMBERS_MAX)
		return spirv_fail(
			context, type->id,
			"Number of OpTypeStruct members (%u) has exceeded the limit (%u).",
			(uint32_t)type->count, MEMBERS_MAX);
	type->members = spirv_alloc(module, type->count, sizeof(*type->members));
	if (!type->members)
		return -ENOMEM;
	for (i = 0; i < type->count && !ret; i++)
		ret = type_lay_member(context, type, i, &end);
	type->size = end;
	/*
	 * Without offsets a structure may be an array element: its size is a multiple of its
	 * alignment.
	 */
	if (!spirv_decoration(module, type->id, 0, SpvDecorationOffset))
		type->size = type->runtime ? end : type_round_up(end, type->align);
	type->block = spirv_decoration(module, type->id, SPIRV_NONE, SpvDecorationBlock);
	type->buffer_block =
		spirv_decoration(module, type->id, SPIRV_NONE, SpvDecorationBufferBlock);
	type->levels = type->levels ? type->levels : 1;
	return ret;
}

static int type_declare_pointer(struct spirv_context *context, struct spirv_type *type)
{
	const struct spirv_type *base = spirv_want_type(context, context->at->operands[1], "Type");

	if (!base)
		return -EINVAL;
	type->storage_class = context->at->operands[0];
	type->base = base->id;
	type->size = POINTER_SIZE;
	type->align = POINTER_SIZE;
	type->scalars = 1;
	return 0;
}

static int type_declare_function(struct spirv_context *context, struct spirv_type *type)
{
	struct part part;
	uint32_t i;
	int ret = 0;

	if (!spirv_want_type(context, context->at->operands[0], "Return Type"))
		return -EINVAL;
	type->base = context->at->operands[0];
	type->count = context->at->operand_count - 1;
	type->parameters = context->at->operands + 1;
	for (i = 0; i < type->count && !ret; i++)
		ret = type_take_part(context, type->parameters[i], "Parameter Type", &part);
	return ret;
}

static int type_declare_image(struct spirv_context *context, struct spirv_type *type)
{
	const uint32_t *operands = context->at->operands;
	const struct spirv_type *base = spirv_want_type(context, operands[0], "Sampled Type");

	if (!base)
		return -EINVAL;
	if (base->op != SpvOpTypeVoid && base->op != SpvOpTypeInt && base->op != SpvOpTypeFloat)
		return type_fail(
			context,
			"Expected Sampled Type to be either void or numerical scalar type");
	if (operands[2] > 2 || operands[3] > 1 || operands[4] > 1 || operands[5] > 2)
		return type_fail(
			context,
			"Invalid Depth, Arrayed, MS or Sampled (must be at most 2, 1, 1 and 2)");
	type->base = base->id;
	type->dim = operands[1];
	type->depth = operands[2];
	type->arrayed = operands[3];
	type->multisampled = operands[4];
	type->sampled = operands[5];
	type->format = operands[6];
	return 0;
}

static int type_declare_bool(struct spirv_context *context, struct spirv_type *type)
{
	type->size = BOOL_SIZE;
	type->align = BOOL_SIZE;
	type->scalars = 1;
	return 0;
}

static int type_declare_by_op(struct spirv_context *context, struct spirv_type *type)
{
	switch (type->op) {
	case SpvOpTypeBool:
		return type_declare_bool(context, type);
	case SpvOpTypeInt:
	case SpvOpTypeFloat:
		return type_declare_number(context, type);
	case SpvOpTypeVector:
		return type_declare_vector(context, type);
	case SpvOpTypeMatrix:
		return type_declare_matrix(context, type);
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray:
		return type_declare_array(context, type);
	case SpvOpTypeStruct:
		return type_declare_struct(context, type);
	case SpvOpTypePointer:
		return type_declare_pointer(context, type);
	case SpvOpTypeFunction:
		return type_declare_function(context, type);
	case SpvOpTypeImage:
		return type_declare_image(context, type);
	default:
		/* Void, samplers, events and other types that cannot be in memory. */
		return 0;
	}
}

static uint32_t type_count_types(const struct faa_spirv_module *module)
{
	uint32_t i, count = 0;

	for (i = 0; i < module->instruction_count; i++)
		count += !strncmp(spirv_op_name(module->instructions[i].opcode), "Type", 4);
	return count;
}

int spirv_declare_type(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	struct spirv_type *type;
	int ret;

	if (context->at->opcode == SpvOpTypeForwardPointer) {
		context->forward[context->at->operands[0] / 8] |= 1 << context->at->operands[0] % 8;
		return 0;
	}
	if (!module->types)
		module->types =
			spirv_alloc(module, type_count_types(module), sizeof(*module->types));
	if (!module->types)
		return -ENOMEM;
	type = &module->types[module->type_count];
	type->op = context->at->opcode;
	type->id = context->at->result;
	type->align = 1;
	ret = type_declare_by_op(context, type);
	return ret ? ret : spirv_define(context, SPIRV_ID_TYPE, module->type_count++);
}

/* ------------------------------------------------------------------------------------------------
 * After the last type
 */

static const struct spirv_instruction *type_instruction_of(const struct faa_spirv_module *module,
							   uint32_t id)
{
	return &module->instructions[module->ids[id].instruction];
}

static int type_compare_types(const void *a, const void *b, void *module)
{
	const struct spirv_instruction *x = type_instruction_of(module, *(const uint32_t *)a);
	const struct spirv_instruction *y = type_instruction_of(module, *(const uint32_t *)b);

	if (x->opcode != y->opcode)
		return x->opcode < y->opcode ? -1 : 1;
	if (x->operand_count != y->operand_count)
		return x->operand_count < y->operand_count ? -1 : 1;
	return x->operand_count ? memcmp(x->operands, y->operands, 4 * x->operand_count) : 0;
}

/* Types are compared by id, so non-aggregate types must not be declared twice. */
static bool type_may_repeat(uint32_t op)
{
	return op == SpvOpTypeArray || op == SpvOpTypeRuntimeArray || op == SpvOpTypeStruct ||
	       op == SpvOpTypePointer;
}

static int type_find_duplicates(struct spirv_context *context, uint32_t *ids)
{
	struct faa_spirv_module *module = context->module;
	uint32_t i, count = 0;

	for (i = 0; i < module->type_count; i++)
		if (!type_may_repeat(module->types[i].op))
			ids[count++] = module->types[i].id;
	qsort_r(ids, count, sizeof(*ids), type_compare_types, module);
	for (i = 1; i < count; i++)
		if (!type_compare_types(&ids[i - 1], &ids[i], module))
			return spirv_refuse(
				context, type_instruction_of(module, ids[i]), 0, ids[i],
				"Duplicate non-aggregate type declarations are not allowed. Opcode: %s id: %u",
				spirv_op_name(type_instruction_of(module, ids[i])->opcode), ids[i]);
	return 0;
}

static int type_check_forward(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	uint32_t i;

	for (i = 0; i < module->instruction_count; i++) {
		const struct spirv_instruction *at = &module->instructions[i];
		const struct spirv_id *id;

		if (at->opcode != SpvOpTypeForwardPointer)
			continue;
		id = &module->ids[at->operands[0]];
		if (id->kind != SPIRV_ID_TYPE || module->types[id->index].op != SpvOpTypePointer)
			return spirv_refuse(context, at, 1, at->operands[0],
					    "Forward reference is not to an OpTypePointer");
		if (module->types[id->index].storage_class != at->operands[1])
			return spirv_refuse(
				context, at, 2, at->operands[0],
				"Storage class in OpTypeForwardPointer does not match the pointer definition.");
	}
	return 0;
}

int spirv_finish_types(struct spirv_context *context)
{
	uint32_t *ids = calloc(context->module->type_count + 1, sizeof(*ids));
	int ret;

	if (!ids)
		return -ENOMEM;
	ret = type_find_duplicates(context, ids);
	free(ids);
	return ret ? ret : type_check_forward(context);
}
