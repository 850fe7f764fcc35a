// SPDX-License-Identifier: MIT
/* Constants and their values. */
#include <errno.h>
#include <string.h>

#include "context.h"

static int constant_fail(struct spirv_context *context, const char *what)
{
	return spirv_fail(context, context->at->result, "Op%s %s",
			  spirv_op_name(context->at->opcode), what);
}

/* The value of the constant in the options. Return: whether there is one. */
static bool constant_specialize(struct spirv_context *context, struct spirv_constant *constant)
{
	const struct spirv_decoration *found;
	size_t i;

	found = spirv_decoration(context->module, constant->id, SPIRV_NONE, SpvDecorationSpecId);
	constant->specialized = true;
	if (!found)
		return false;
	constant->spec_id = found->operands[0];
	for (i = 0; i < context->options->specialization_count; i++)
		if (context->options->specializations[i].spec_id == constant->spec_id) {
			constant->value = context->options->specializations[i].value;
			return true;
		}
	return false;
}

static int constant_declare_bool(struct spirv_context *context, struct spirv_constant *constant,
				 const struct spirv_type *type)
{
	bool spec = constant->op == SpvOpSpecConstantTrue || constant->op == SpvOpSpecConstantFalse;

	if (type->op != SpvOpTypeBool)
		return constant_fail(context, "Result Type <id> is not a boolean type.");
	if (spec && constant_specialize(context, constant))
		constant->value = !!constant->value;
	else
		constant->value = constant->op == SpvOpConstantTrue ||
				  constant->op == SpvOpSpecConstantTrue;
	return 0;
}

/* Narrow numbers are sign-extended in their word; only their own bits are kept. */
static int constant_declare_number(struct spirv_context *context, struct spirv_constant *constant,
				   const struct spirv_type *type)
{
	const uint32_t *operands = context->at->operands;

	if (constant->op == SpvOpConstant || !constant_specialize(context, constant))
		constant->value = operands[0] |
				  (type->width > 32 ? (uint64_t)operands[1] << 32 : 0);
	if (type->width < 64)
		constant->value &= (1ull << type->width) - 1;
	return 0;
}

/* Type id of constituent @index of @type. */
static uint32_t constant_constituent_type(const struct spirv_type *type, uint32_t index)
{
	return type->op == SpvOpTypeStruct ? type->members[index].type : type->base;
}

static int constant_declare_composite(struct spirv_context *context,
				      struct spirv_constant *constant,
				      const struct spirv_type *type)
{
	uint32_t i, count = context->at->operand_count;

	if (type->op != SpvOpTypeStruct && type->op != SpvOpTypeArray &&
	    type->op != SpvOpTypeVector && type->op != SpvOpTypeMatrix)
		return constant_fail(context, "Result Type <id> is not a composite type.");
	if (count != type->count)
		return constant_fail(
			context,
			"Constituent <id> count does not match Result Type <id>'s component count.");
	constant->constituents = context->at->operands;
	constant->specialized = constant->op == SpvOpSpecConstantComposite;
	for (i = 0; i < count; i++) {
		const struct spirv_constant *part =
			spirv_want_constant(context, constant->constituents[i], "Constituent");

		if (!part)
			return -EINVAL;
		if (part->type != constant_constituent_type(type, i))
			return spirv_fail(
				context, part->id,
				"Op%s Constituent <id> %u's type does not match Result Type <id>'s",
				spirv_op_name(constant->op), part->id);
	}
	return 0;
}

static int constant_declare_by_op(struct spirv_context *context, struct spirv_constant *constant)
{
	const struct spirv_type *type = spirv_type(context->module, constant->type);

	switch (constant->op) {
	case SpvOpConstantTrue:
	case SpvOpConstantFalse:
	case SpvOpSpecConstantTrue:
	case SpvOpSpecConstantFalse:
		return constant_declare_bool(context, constant, type);
	case SpvOpConstant:
	case SpvOpSpecConstant:
		return constant_declare_number(context, constant, type);
	case SpvOpConstantComposite:
	case SpvOpSpecConstantComposite:
		return constant_declare_composite(context, constant, type);
	case SpvOpSpecConstantOp:
		return spirv_fold(context, constant);
	case SpvOpConstantNull:
	case SpvOpUndef:
		if (type->op == SpvOpTypeVoid || type->op == SpvOpTypeFunction || type->runtime)
			return constant_fail(context, "Result Type <id> cannot have a null value");
		return 0;
	default:
		/* Samplers and others, which no executed instruction uses. */
		return 0;
	}
}

/* Counts constants, and the vector components that OpSpecConstantOp may add. */
static void constant_count_constants(struct faa_spirv_module *module)
{
	uint32_t i;

	for (i = 0; i < module->instruction_count; i++) {
		const char *name = spirv_op_name(module->instructions[i].opcode);

		module->constant_room += !strncmp(name, "Constant", 8) ||
					 !strncmp(name, "SpecConstant", 12) ||
					 !strcmp(name, "Undef");
		if (module->instructions[i].opcode == SpvOpSpecConstantOp)
			module->made_room += SPIRV_COMPONENTS_MAX;
	}
}

int spirv_reserve_constants(struct faa_spirv_module *module)
{
	constant_count_constants(module);
	module->constants = spirv_alloc(module, module->constant_room + module->made_room,
					sizeof(*module->constants));
	module->ids = spirv_alloc(module, module->bound + module->made_room, sizeof(*module->ids));
	return module->constants && module->ids ? 0 : -ENOMEM;
}

int spirv_declare_constant(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	struct spirv_constant *constant;
	int ret;

	if (!context->at->type || !context->at->result)
		return spirv_fail(context, 0, "%s is not supported",
				  spirv_op_name(context->at->opcode));
	constant = &module->constants[module->constant_count];
	constant->op = context->at->opcode;
	constant->id = context->at->result;
	constant->type = context->at->type;
	constant->spec_id = SPIRV_NONE;
	ret = constant_declare_by_op(context, constant);
	return ret ? ret : spirv_define(context, SPIRV_ID_CONSTANT, module->constant_count++);
}
