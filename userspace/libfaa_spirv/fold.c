// SPDX-License-Identifier: MIT
/* OpSpecConstantOp: evaluation of an instruction with constant operands. */
#include <errno.h>

#include "context.h"

/* One component of each operand. */
struct scalars {
	uint64_t value[3];
	/* Widths of the operands in bits; 1: bool. */
	uint32_t width[3];
};

static int fold_fail(struct spirv_context *context, const char *what)
{
	return spirv_fail(context, context->at->result, "SpecConstantOp %s: %s",
			  spirv_op_name(context->at->operands[0]), what);
}

static uint64_t fold_mask(uint32_t width)
{
	return width < 64 ? (1ull << width) - 1 : UINT64_MAX;
}

static int64_t fold_extend(uint64_t value, uint32_t width)
{
	uint64_t sign = 1ull << (width - 1);

	return (int64_t)(((value & fold_mask(width)) ^ sign) - sign);
}

/*
 * Quotient, and below the remainder. Undefined cases have fixed results: 0 for a divisor of 0,
 * wrap-around on overflow.
 */
static int64_t fold_divide(int64_t a, int64_t b)
{
	return !b ? 0 : b == -1 ? (int64_t) - (uint64_t)a : a / b;
}

static int64_t fold_remainder_of(int64_t a, int64_t b)
{
	return !b || b == -1 ? 0 : a % b;
}

/* Remainder with the sign of the divisor. */
static int64_t fold_modulo(int64_t a, int64_t b)
{
	int64_t r = fold_remainder_of(a, b);

	return r && (r < 0) != (b < 0) ? r + b : r;
}

static bool fold_arithmetic(uint32_t op, const struct scalars *in, uint64_t *out)
{
	uint64_t a = in->value[0], b = in->value[1];
	int64_t sa = fold_extend(a, in->width[0]), sb = fold_extend(b, in->width[1]);
	uint32_t width = in->width[0];

	switch (op) {
	case SpvOpIAdd:
		*out = a + b;
		return true;
	case SpvOpISub:
		*out = a - b;
		return true;
	case SpvOpIMul:
		*out = a * b;
		return true;
	case SpvOpUDiv:
		*out = b ? a / b : 0;
		return true;
	case SpvOpSDiv:
		*out = fold_divide(sa, sb);
		return true;
	case SpvOpUMod:
		*out = b ? a % b : 0;
		return true;
	case SpvOpSRem:
		*out = fold_remainder_of(sa, sb);
		return true;
	case SpvOpSMod:
		*out = fold_modulo(sa, sb);
		return true;
	case SpvOpSNegate:
		*out = -a;
		return true;
	case SpvOpNot:
		*out = ~a;
		return true;
	case SpvOpBitwiseAnd:
		*out = a & b;
		return true;
	case SpvOpBitwiseOr:
		*out = a | b;
		return true;
	case SpvOpBitwiseXor:
		*out = a ^ b;
		return true;
	case SpvOpShiftLeftLogical:
		*out = b < width ? a << b : 0;
		return true;
	case SpvOpShiftRightLogical:
		*out = b < width ? a >> b : 0;
		return true;
	case SpvOpShiftRightArithmetic:
		*out = sa >> (b < width ? b : width - 1);
		return true;
	case SpvOpUConvert:
		*out = a;
		return true;
	case SpvOpSConvert:
		*out = sa;
		return true;
	default:
		return false;
	}
}

static bool fold_logic(uint32_t op, const struct scalars *in, uint64_t *out)
{
	uint64_t a = in->value[0], b = in->value[1];
	int64_t sa = fold_extend(a, in->width[0]), sb = fold_extend(b, in->width[1]);

	switch (op) {
	case SpvOpIEqual:
	case SpvOpLogicalEqual:
		*out = a == b;
		return true;
	case SpvOpINotEqual:
	case SpvOpLogicalNotEqual:
		*out = a != b;
		return true;
	case SpvOpUGreaterThan:
		*out = a > b;
		return true;
	case SpvOpUGreaterThanEqual:
		*out = a >= b;
		return true;
	case SpvOpULessThan:
		*out = a < b;
		return true;
	case SpvOpULessThanEqual:
		*out = a <= b;
		return true;
	case SpvOpSGreaterThan:
		*out = sa > sb;
		return true;
	case SpvOpSGreaterThanEqual:
		*out = sa >= sb;
		return true;
	case SpvOpSLessThan:
		*out = sa < sb;
		return true;
	case SpvOpSLessThanEqual:
		*out = sa <= sb;
		return true;
	case SpvOpLogicalAnd:
		*out = a & b;
		return true;
	case SpvOpLogicalOr:
		*out = a | b;
		return true;
	case SpvOpLogicalNot:
		*out = !a;
		return true;
	case SpvOpSelect:
		*out = a ? b : in->value[2];
		return true;
	default:
		return false;
	}
}

/* Width of a scalar that can be folded, in bits; 0: another type. */
static uint32_t fold_width_of(const struct spirv_type *type)
{
	return type->op == SpvOpTypeInt ? type->width : type->op == SpvOpTypeBool ? 1 : 0;
}

/* Constant @index of composite @constant; NULL for a part of a null constant, which has no id. */
static const struct spirv_constant *fold_part_of(const struct faa_spirv_module *module,
						 const struct spirv_constant *constant,
						 uint32_t index)
{
	return constant->constituents ? spirv_constant(module, constant->constituents[index]) :
					NULL;
}

/* Gathers component @index of the operands; a scalar is used for all components. */
static int fold_gather(struct spirv_context *context, uint32_t index, struct scalars *in)
{
	const struct faa_spirv_module *module = context->module;
	uint32_t i, count = context->at->operand_count - 1;

	*in = (struct scalars){ .width = { 1, 1, 1 } };
	if (!count || count > 3)
		return fold_fail(context, "wrong number of operands");
	for (i = 0; i < count; i++) {
		const struct spirv_constant *constant =
			spirv_want_constant(context, context->at->operands[1 + i], "Operand");
		const struct spirv_type *type = constant ? spirv_type(module, constant->type) :
							   NULL;

		if (!constant)
			return -EINVAL;
		if (type->op == SpvOpTypeVector) {
			constant = index < type->count ? fold_part_of(module, constant, index) :
							 NULL;
			type = spirv_type(module, type->base);
		}
		in->width[i] = fold_width_of(type);
		in->value[i] = constant ? constant->value : 0;
		if (!in->width[i])
			return fold_fail(context,
					 "operands must be integers, bools, or vectors of them");
	}
	return 0;
}

static int fold_component(struct spirv_context *context, const struct spirv_type *type,
			  uint32_t index, uint64_t *value)
{
	uint32_t op = context->at->operands[0];
	struct scalars in;
	int ret = fold_gather(context, index, &in);

	if (ret)
		return ret;
	if (!fold_width_of(type))
		return fold_fail(context,
				 "the result must be an integer, a bool, or a vector of them");
	if (!fold_arithmetic(op, &in, value) && !fold_logic(op, &in, value))
		return fold_fail(context, "not supported");
	*value &= fold_mask(fold_width_of(type));
	return 0;
}

/*
 * Makes a constant without an instruction, with an id at or above the bound. Return: its id; 0:
 * there is no room.
 */
static uint32_t fold_make_constant(struct spirv_context *context, uint32_t type, uint64_t value)
{
	struct faa_spirv_module *module = context->module;
	uint32_t id = module->bound + module->made_constants;
	struct spirv_constant *constant =
		&module->constants[module->constant_room + module->made_constants];

	if (module->made_constants == module->made_room)
		return 0;
	module->made_constants++;
	*constant = (struct spirv_constant){
		.op = SpvOpConstant,
		.id = id,
		.type = type,
		.value = value,
		.spec_id = SPIRV_NONE,
		.specialized = true,
	};
	module->ids[id] = (struct spirv_id){
		.kind = SPIRV_ID_CONSTANT,
		.index = constant - module->constants,
		.type = type,
		.instruction = context->at - module->instructions,
		.function = SPIRV_NONE,
	};
	return id;
}

static int fold_vector(struct spirv_context *context, struct spirv_constant *constant,
		       const struct spirv_type *type)
{
	uint32_t i, *parts = spirv_alloc(context->module, type->count, sizeof(*parts));
	uint64_t value;
	int ret;

	if (!parts)
		return -ENOMEM;
	for (i = 0; i < type->count; i++) {
		ret = fold_component(context, spirv_type(context->module, type->base), i, &value);
		if (ret)
			return ret;
		parts[i] = fold_make_constant(context, type->base, value);
	}
	constant->constituents = parts;
	return 0;
}

/* Id of component @index of a vector constant. */
static uint32_t fold_part_id(struct spirv_context *context, const struct spirv_constant *constant,
			     uint32_t index)
{
	const struct spirv_type *type = spirv_type(context->module, constant->type);

	return constant->constituents ? constant->constituents[index] :
					fold_make_constant(context, type->base, 0);
}

static int fold_insert(struct spirv_context *context, struct spirv_constant *constant,
		       const struct spirv_type *type)
{
	const struct spirv_instruction *at = context->at;
	const struct spirv_constant *object, *into;
	uint32_t i, *parts;

	object = spirv_want_constant(context, at->operands[1], "Object");
	into = object ? spirv_want_constant(context, at->operands[2], "Composite") : NULL;
	if (!into)
		return -EINVAL;
	if (type->op != SpvOpTypeVector || at->operand_count != 4)
		return fold_fail(context, "only a vector's component can be replaced");
	if (into->type != type->id || object->type != type->base || at->operands[3] >= type->count)
		return fold_fail(context, "types or index do not fit");
	parts = spirv_alloc(context->module, type->count, sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	for (i = 0; i < type->count; i++)
		parts[i] = i == at->operands[3] ? object->id : fold_part_id(context, into, i);
	constant->constituents = parts;
	return 0;
}

static int fold_shuffle(struct spirv_context *context, struct spirv_constant *constant,
			const struct spirv_type *type)
{
	const struct spirv_instruction *at = context->at;
	const struct spirv_constant *from[2];
	uint32_t i, count[2], *parts;

	for (i = 0; i < 2; i++) {
		const struct spirv_type *vector;

		from[i] = spirv_want_constant(context, at->operands[1 + i], "Vector");
		if (!from[i])
			return -EINVAL;
		vector = spirv_type(context->module, from[i]->type);
		if (type->op != SpvOpTypeVector || vector->op != SpvOpTypeVector ||
		    vector->base != type->base)
			return fold_fail(
				context,
				"operands must be vectors with the component type of the result");
		count[i] = vector->count;
	}
	if (at->operand_count - 3 != type->count)
		return fold_fail(context, "wrong number of components");
	parts = spirv_alloc(context->module, type->count, sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	for (i = 0; i < type->count; i++) {
		uint32_t index = at->operands[3 + i];

		if (index != UINT32_MAX && index >= count[0] + count[1])
			return fold_fail(context, "component is out of range");
		if (index == UINT32_MAX)
			parts[i] = fold_make_constant(context, type->base, 0);
		else
			parts[i] = index < count[0] ?
					   fold_part_id(context, from[0], index) :
					   fold_part_id(context, from[1], index - count[0]);
	}
	constant->constituents = parts;
	return 0;
}

static int fold_extract(struct spirv_context *context, struct spirv_constant *constant)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_instruction *at = context->at;
	const struct spirv_constant *from =
		spirv_want_constant(context, at->operands[1], "Composite");
	uint32_t i, type = from ? from->type : 0;

	if (!from)
		return -EINVAL;
	for (i = 2; i < at->operand_count; i++) {
		const struct spirv_type *composite = spirv_type(module, type);

		if (at->operands[i] >= composite->count ||
		    (composite->op != SpvOpTypeStruct && composite->op != SpvOpTypeArray &&
		     composite->op != SpvOpTypeVector && composite->op != SpvOpTypeMatrix))
			return fold_fail(context, "index is out of range");
		type = composite->op == SpvOpTypeStruct ? composite->members[at->operands[i]].type :
							  composite->base;
		from = from ? fold_part_of(module, from, at->operands[i]) : NULL;
	}
	if (type != constant->type)
		return fold_fail(context, "Result Type is not the type of the extracted part");
	constant->value = from ? from->value : 0;
	constant->constituents = from ? from->constituents : NULL;
	return 0;
}

int spirv_fold(struct spirv_context *context, struct spirv_constant *constant)
{
	const struct spirv_type *type = spirv_type(context->module, constant->type);

	constant->specialized = true;
	if (context->at->operands[0] == SpvOpCompositeExtract)
		return fold_extract(context, constant);
	if (context->at->operands[0] == SpvOpCompositeInsert)
		return fold_insert(context, constant, type);
	if (context->at->operands[0] == SpvOpVectorShuffle)
		return fold_shuffle(context, constant, type);
	if (type->op == SpvOpTypeVector)
		return fold_vector(context, constant, type);
	return fold_component(context, type, 0, &constant->value);
}
