// SPDX-License-Identifier: MIT
/* Operand types of pointers, loads, stores, and composites. */
#include <errno.h>

#include "typing.h"

enum {
	/* Limit of type pairs that OpCopyLogical compares: types can share parts many times. */
	PAIRS_MAX = 100000,
};

static const struct spirv_type *memory_pointee(const struct faa_spirv_module *module, uint32_t id)
{
	const struct spirv_type *pointer = spirv_value_type(module, id);

	return pointer && pointer->op == SpvOpTypePointer ? spirv_type(module, pointer->base) :
							    NULL;
}

static int memory_check_load(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct spirv_type *type = memory_pointee(context->module, at->operands[0]);

	if (!type)
		return spirv_mistyped(context, at, 0, "a pointer");
	if (type->id != at->type)
		return spirv_refuse(
			context, at, 1, at->result,
			"OpLoad Result Type <id> %u does not match Pointer <id> %u's type.",
			at->type, at->operands[0]);
	if (type->runtime || type->op == SpvOpTypeVoid)
		return spirv_refuse(context, at, 1, at->result,
				    "OpLoad cannot load a value of <id> %u's type", at->type);
	return 0;
}

static int memory_check_store(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct spirv_type *type = memory_pointee(context->module, at->operands[0]);

	if (!type)
		return spirv_mistyped(context, at, 0, "a pointer");
	if (spirv_value_type(context->module, at->operands[1]) != type)
		return spirv_refuse(
			context, at, 2, at->operands[1],
			"OpStore Pointer <id> %u's type does not match Object <id> %u's type.",
			at->operands[0], at->operands[1]);
	return 0;
}

static int memory_check_copy(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct spirv_type *target = memory_pointee(context->module, at->operands[0]);

	if (!target)
		return spirv_mistyped(context, at, 0, "a pointer");
	if (target != memory_pointee(context->module, at->operands[1]))
		return spirv_mistyped(context, at, 1, "a pointer to the type of Target");
	return 0;
}

/* Type id of part @index, a literal, of @type; 0: there is none. */
static uint32_t memory_part_type(const struct spirv_type *type, uint32_t index)
{
	switch (type->op) {
	case SpvOpTypeStruct:
		return index < type->count ? type->members[index].type : 0;
	case SpvOpTypeVector:
	case SpvOpTypeMatrix:
	case SpvOpTypeArray:
		return index < type->count ? type->base : 0;
	default:
		return 0;
	}
}

/* Type id of the part of @type that index operand @id selects; 0: none. */
static uint32_t memory_step(const struct faa_spirv_module *module, const struct spirv_type *type,
			    uint32_t id)
{
	const struct spirv_constant *constant = spirv_constant(module, id);

	if (!spirv_is_scalar(spirv_value_type(module, id), SpvOpTypeInt))
		return 0;
	if (type->op == SpvOpTypeStruct)
		return constant && constant->value < type->count ?
			       memory_part_type(type, constant->value) :
			       0;
	if (type->op == SpvOpTypeRuntimeArray || type->op == SpvOpTypeVector ||
	    type->op == SpvOpTypeMatrix || type->op == SpvOpTypeArray)
		return type->base;
	return 0;
}

static int memory_check_access_chain(struct spirv_context *context,
				     const struct spirv_instruction *at, uint32_t first)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *result = spirv_type(module, at->type),
				*type = memory_pointee(module, at->operands[0]);
	uint32_t i;

	if (result->op != SpvOpTypePointer)
		return spirv_refuse(context, at, 1, at->result,
				    "The Result Type of Op%s <id> %u must be OpTypePointer.",
				    spirv_op_name(at->opcode), at->result);
	if (!type)
		return spirv_mistyped(context, at, 0, "a pointer");
	if (spirv_value_type(module, at->operands[0])->storage_class != result->storage_class)
		return spirv_refuse(
			context, at, 1, at->result,
			"The result pointer storage class and base pointer storage class in Op%s do not match.",
			spirv_op_name(at->opcode));
	if (first == 2 && !spirv_is_scalar(spirv_value_type(module, at->operands[1]), SpvOpTypeInt))
		return spirv_mistyped(context, at, 1, "an integer scalar");
	for (i = first; i < at->operand_count; i++) {
		uint32_t next = memory_step(module, type, at->operands[i]);

		if (!next)
			return spirv_refuse(
				context, at, 3 + i, at->operands[i],
				"Op%s: index <id> %u does not lead into type <id> %u: it must be an integer, for a structure a constant below the number of its members",
				spirv_op_name(at->opcode), at->operands[i], type->id);
		type = spirv_type(module, next);
	}
	if (type->id != result->base)
		return spirv_refuse(
			context, at, 1, at->result,
			"Op%s result type (pointee <id> %u) does not match the type that results from indexing into the base (<id> %u).",
			spirv_op_name(at->opcode), result->base, type->id);
	return 0;
}

static int memory_check_array_length(struct spirv_context *context,
				     const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *type = memory_pointee(module, at->operands[0]),
				*result = spirv_type(module, at->type);

	if (result->op != SpvOpTypeInt || result->width != 32)
		return spirv_refuse(
			context, at, 1, at->result,
			"The Result Type of OpArrayLength <id> %u must be OpTypeInt with width 32 and signedness 0.",
			at->result);
	if (!type || type->op != SpvOpTypeStruct || !type->runtime)
		return spirv_mistyped(context, at, 0,
				      "a pointer to a structure that ends with a runtime array");
	if (at->operands[1] != type->count - 1)
		return spirv_refuse(
			context, at, 4, at->result,
			"The array member in OpArrayLength <id> %u must be the last member of the struct.",
			at->result);
	if (spirv_type(module, type->members[type->count - 1].type)->op != SpvOpTypeRuntimeArray)
		return spirv_mistyped(
			context, at, 0,
			"a pointer to a structure whose last member is a runtime array");
	return 0;
}

static int memory_check_pointer_cast(struct spirv_context *context,
				     const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *result = spirv_type(module, at->type),
				*from = spirv_value_type(module, at->operands[0]);
	bool to_pointer = at->opcode == SpvOpConvertUToPtr;

	if (!spirv_is_scalar(result, to_pointer ? SpvOpTypePointer : SpvOpTypeInt))
		return spirv_refuse(context, at, 1, at->result,
				    "Expected %s type as Result Type: %s",
				    to_pointer ? "pointer" : "int scalar",
				    spirv_op_name(at->opcode));
	if (!spirv_is_scalar(from, to_pointer ? SpvOpTypeInt : SpvOpTypePointer))
		return spirv_mistyped(context, at, 0,
				      to_pointer ? "an integer scalar" : "a pointer");
	return 0;
}

/* ------------------------------------------------------------------------------------------------
 * Composites
 */

/* Follows literal indices from operand @first on. Return: type id; 0 after an error. */
static uint32_t memory_follow(struct spirv_context *context, const struct spirv_instruction *at,
			      uint32_t composite, uint32_t first)
{
	const struct spirv_type *type = spirv_value_type(context->module, at->operands[composite]);
	uint32_t i, next;

	if (!type) {
		spirv_mistyped(context, at, composite, "a composite");
		return 0;
	}
	for (i = first; i < at->operand_count; i++) {
		next = memory_part_type(type, at->operands[i]);
		if (!next) {
			spirv_refuse(context, at, 3 + i, at->result,
				     "Op%s: index %u is out of bounds of type <id> %u",
				     spirv_op_name(at->opcode), at->operands[i], type->id);
			return 0;
		}
		type = spirv_type(context->module, next);
	}
	return type->id;
}

static int memory_check_extract(struct spirv_context *context, const struct spirv_instruction *at)
{
	uint32_t type = memory_follow(context, at, 0, 1);

	if (!type)
		return -EINVAL;
	if (type != at->type)
		return spirv_refuse(
			context, at, 1, at->result,
			"Result type does not match the type that results from indexing into the composite");
	return 0;
}

static int memory_check_insert(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct spirv_type *object = spirv_value_type(context->module, at->operands[0]);
	uint32_t type;

	if (spirv_value_type(context->module, at->operands[1]) !=
	    spirv_type(context->module, at->type))
		return spirv_refuse(
			context, at, 1, at->result,
			"The Result Type must be the same as Composite type in OpCompositeInsert");
	type = memory_follow(context, at, 1, 2);
	if (!type)
		return -EINVAL;
	if (!object || object->id != type)
		return spirv_mistyped(context, at, 0,
				      "of the type that results from indexing into the composite");
	return 0;
}

static int memory_construct_vector(struct spirv_context *context,
				   const struct spirv_instruction *at,
				   const struct spirv_type *result)
{
	const struct faa_spirv_module *module = context->module;
	uint64_t given = 0;
	uint32_t i;

	for (i = 0; i < at->operand_count; i++) {
		const struct spirv_type *type = spirv_value_type(module, at->operands[i]);

		if (!type || spirv_scalar(module, type)->id != result->base)
			return spirv_mistyped(context, at, i,
					      "a scalar or vector of Result Type's component type");
		given += spirv_components(type);
	}
	if (given != result->count)
		return spirv_refuse(
			context, at, 0, at->result,
			"Expected total number of given components to be equal to the size of Result Type vector");
	return 0;
}

static int memory_check_construct(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *result = spirv_type(module, at->type);
	uint32_t i;

	if (result->op == SpvOpTypeVector)
		return memory_construct_vector(context, at, result);
	if (result->op != SpvOpTypeStruct && result->op != SpvOpTypeArray &&
	    result->op != SpvOpTypeMatrix)
		return spirv_refuse(context, at, 1, at->result,
				    "Expected Result Type to be a composite type");
	if (at->operand_count != result->count)
		return spirv_refuse(
			context, at, 0, at->result,
			"Expected number of Constituents to be equal to the number of members or elements of Result Type");
	for (i = 0; i < at->operand_count; i++) {
		const struct spirv_type *type = spirv_value_type(module, at->operands[i]);

		if (!type || type->id != memory_part_type(result, i))
			return spirv_mistyped(
				context, at, i,
				"of the type of its member, element or column of Result Type");
	}
	return 0;
}

static int memory_check_shuffle(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *result = spirv_type(module, at->type);
	uint32_t i, count = 0;

	if (result->op != SpvOpTypeVector)
		return spirv_refuse(context, at, 1, at->result,
				    "The Result Type of OpVectorShuffle must be OpTypeVector.");
	for (i = 0; i < 2; i++) {
		const struct spirv_type *type = spirv_value_type(module, at->operands[i]);

		if (!type || type->op != SpvOpTypeVector || type->base != result->base)
			return spirv_mistyped(context, at, i,
					      "a vector of Result Type's component type");
		count += type->count;
	}
	if (at->operand_count - 2 != result->count)
		return spirv_refuse(
			context, at, 0, at->result,
			"OpVectorShuffle component literals count does not match Result Type's vector component count.");
	for (i = 2; i < at->operand_count; i++)
		if (at->operands[i] != UINT32_MAX && at->operands[i] >= count)
			return spirv_refuse(
				context, at, 3 + i, at->result,
				"Component index %u is out of bounds for combined (Vector1 + Vector2) size of %u.",
				at->operands[i], count);
	return 0;
}

static int memory_check_dynamic(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *result = spirv_type(module, at->type),
				*vector = spirv_value_type(module, at->operands[0]);
	bool insert = at->opcode == SpvOpVectorInsertDynamic;

	if (!vector || vector->op != SpvOpTypeVector ||
	    (insert ? vector != result : vector->base != result->id))
		return spirv_mistyped(context, at, 0,
				      insert ? "a vector of Result Type" :
					       "a vector with components of Result Type");
	if (insert && spirv_value_type(module, at->operands[1]) != spirv_type(module, vector->base))
		return spirv_mistyped(context, at, 1, "of the vector's component type");
	if (!spirv_is_scalar(spirv_value_type(module, at->operands[1 + insert]), SpvOpTypeInt))
		return spirv_mistyped(context, at, 1 + insert, "an integer scalar");
	return 0;
}

/* Whether two types differ only in decorations. */
static bool memory_match(const struct faa_spirv_module *module, uint32_t a, uint32_t b,
			 uint32_t *pairs)
{
	const struct spirv_type *x = spirv_type(module, a), *y = spirv_type(module, b);
	uint32_t i;

	if (a == b)
		return true;
	if (!(*pairs)--) {
		*pairs = 0;
		return false;
	}
	if (x->op != y->op || x->count != y->count)
		return false;
	if (x->op == SpvOpTypeArray)
		return memory_match(module, x->base, y->base, pairs);
	if (x->op != SpvOpTypeStruct)
		return false;
	for (i = 0; i < x->count; i++)
		if (!memory_match(module, x->members[i].type, y->members[i].type, pairs))
			return false;
	return true;
}

static int memory_check_copy_logical(struct spirv_context *context,
				     const struct spirv_instruction *at)
{
	const struct spirv_type *type = spirv_value_type(context->module, at->operands[0]);
	uint32_t pairs = PAIRS_MAX;

	if (!type || !memory_match(context->module, type->id, at->type, &pairs))
		return spirv_refuse(context, at, 1, at->result,
				    "Result Type does not logically match the Operand type");
	return 0;
}

int spirv_check_memory(struct spirv_context *context, const struct spirv_instruction *at)
{
	switch (at->opcode) {
	case SpvOpLoad:
		return memory_check_load(context, at);
	case SpvOpStore:
		return memory_check_store(context, at);
	case SpvOpCopyMemory:
		return memory_check_copy(context, at);
	case SpvOpAccessChain:
	case SpvOpInBoundsAccessChain:
		return memory_check_access_chain(context, at, 1);
	case SpvOpPtrAccessChain:
	case SpvOpInBoundsPtrAccessChain:
		return memory_check_access_chain(context, at, 2);
	case SpvOpArrayLength:
		return memory_check_array_length(context, at);
	case SpvOpConvertUToPtr:
	case SpvOpConvertPtrToU:
		return memory_check_pointer_cast(context, at);
	case SpvOpCompositeExtract:
		return memory_check_extract(context, at);
	case SpvOpCompositeInsert:
		return memory_check_insert(context, at);
	case SpvOpCompositeConstruct:
		return memory_check_construct(context, at);
	case SpvOpVectorShuffle:
		return memory_check_shuffle(context, at);
	case SpvOpVectorExtractDynamic:
	case SpvOpVectorInsertDynamic:
		return memory_check_dynamic(context, at);
	case SpvOpCopyLogical:
		return memory_check_copy_logical(context, at);
	default:
		return 0;
	}
}
