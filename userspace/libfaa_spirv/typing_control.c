// SPDX-License-Identifier: MIT
/* Operand types of branches, returns and calls, and of reads and writes of images. */
#include <errno.h>

#include "typing.h"

static int control_check_call(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_id *id = &module->ids[at->operands[0]];
	const struct spirv_function *function;
	uint32_t i;

	if (id->kind != SPIRV_ID_FUNCTION)
		return spirv_refuse(context, at, 3, at->operands[0],
				    "OpFunctionCall Function <id> %u is not a function.",
				    at->operands[0]);
	function = &module->functions[id->index];
	if (function->result != at->type)
		return spirv_refuse(
			context, at, 1, at->result,
			"OpFunctionCall Result Type <id> %u's type does not match Function <id> %u's return type.",
			at->type, function->id);
	if (at->operand_count - 1 != function->parameter_count)
		return spirv_refuse(
			context, at, 0, at->result,
			"OpFunctionCall Function <id>'s parameter count does not match the argument count.");
	for (i = 0; i < function->parameter_count; i++) {
		const struct spirv_type *type = spirv_value_type(module, at->operands[1 + i]);

		if (!type || type->id != module->ids[function->parameters[i]].type)
			return spirv_refuse(
				context, at, 4 + i, at->operands[1 + i],
				"OpFunctionCall Argument <id> %u's type does not match Function's parameter type.",
				at->operands[1 + i]);
	}
	return 0;
}

/* The function that contains @at. */
static const struct spirv_function *control_function_of(const struct faa_spirv_module *module,
							const struct spirv_instruction *at)
{
	uint32_t index = at - module->instructions, low = 0, high = module->function_count;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (module->functions[middle].first <= index)
			low = middle;
		else
			high = middle;
	}
	return &module->functions[low];
}

static int control_check_return(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *result =
		spirv_type(module, control_function_of(module, at)->result);
	const struct spirv_type *value;

	if (at->opcode == SpvOpReturn)
		return result->op == SpvOpTypeVoid ?
			       0 :
			       spirv_refuse(
				       context, at, 0, 0,
				       "OpReturn can only be called from a function with void return type.");
	value = spirv_value_type(module, at->operands[0]);
	if (value != result)
		return spirv_refuse(
			context, at, 1, at->operands[0],
			"OpReturnValue Value <id> %u's type does not match OpFunction's return type.",
			at->operands[0]);
	return 0;
}

int spirv_check_control(struct spirv_context *context, const struct spirv_instruction *at)
{
	switch (at->opcode) {
	case SpvOpFunctionCall:
		return control_check_call(context, at);
	case SpvOpReturn:
	case SpvOpReturnValue:
		return control_check_return(context, at);
	case SpvOpBranchConditional:
		if (!spirv_is_scalar(spirv_value_type(context->module, at->operands[0]),
				     SpvOpTypeBool))
			return spirv_refuse(
				context, at, 1, at->operands[0],
				"Condition operand for OpBranchConditional must be of boolean type");
		return 0;
	default:
		return 0;
	}
}

static bool control_is_number(const struct faa_spirv_module *module, const struct spirv_type *type)
{
	const struct spirv_type *scalar = spirv_scalar(module, type);

	return scalar && (scalar->op == SpvOpTypeInt || scalar->op == SpvOpTypeFloat);
}

/* The image type of operand 0; NULL after an error. */
static const struct spirv_type *control_want_image(struct spirv_context *context,
						   const struct spirv_instruction *at)
{
	const struct spirv_type *image = spirv_value_type(context->module, at->operands[0]);

	if (spirv_is_scalar(image, SpvOpTypeImage))
		return image;
	spirv_refuse(context, at, at->result ? 3 : 1, at->operands[0],
		     "Expected Image to be of type OpTypeImage");
	return NULL;
}

/* Texels that are read and written have the sampled type of the image. */
static int control_check_texel(struct spirv_context *context, const struct spirv_instruction *at,
			       const struct spirv_type *image, const struct spirv_type *texel)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *sampled = spirv_type(module, image->base);

	if (!texel || !control_is_number(module, texel))
		return spirv_refuse(context, at, 0, at->result,
				    "%s: expected the texel to be an int or float scalar or vector",
				    spirv_op_name(at->opcode));
	if (sampled->op != SpvOpTypeVoid && spirv_scalar(module, texel) != sampled)
		return spirv_refuse(context, at, 0, at->result,
				    "%s: Expected Image 'Sampled Type' to be the same as %s",
				    spirv_op_name(at->opcode),
				    at->result ? "Result Type components" : "Texel components");
	return 0;
}

static int control_check_access(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *image = control_want_image(context, at),
				*coordinate = spirv_value_type(module, at->operands[1]);
	bool write = at->opcode == SpvOpImageWrite;

	if (!image)
		return -EINVAL;
	if (!coordinate || spirv_scalar(module, coordinate)->op != SpvOpTypeInt)
		return spirv_refuse(context, at, write ? 2 : 4, at->operands[1],
				    "Expected Coordinate to be int scalar or vector");
	return control_check_texel(context, at, image,
				   write ? spirv_value_type(module, at->operands[2]) :
					   spirv_type(module, at->type));
}

int spirv_check_images(struct spirv_context *context, const struct spirv_instruction *at)
{
	switch (at->opcode) {
	case SpvOpImageRead:
	case SpvOpImageWrite:
		return control_check_access(context, at);
	case SpvOpImageQuerySize:
	case SpvOpImageQuerySizeLod:
	case SpvOpImageQuerySamples:
		if (!control_want_image(context, at))
			return -EINVAL;
		if (spirv_scalar(context->module, spirv_type(context->module, at->type))->op !=
		    SpvOpTypeInt)
			return spirv_refuse(context, at, 1, at->result,
					    "Expected Result Type to be int scalar or vector type");
		return 0;
	default:
		return 0;
	}
}
