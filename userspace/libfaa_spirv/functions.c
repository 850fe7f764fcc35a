// SPDX-License-Identifier: MIT
/* Variables, functions and their blocks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

static uint32_t function_count_of(const struct faa_spirv_module *module, uint32_t opcode)
{
	uint32_t i, count = 0;

	for (i = 0; i < module->instruction_count; i++)
		count += module->instructions[i].opcode == opcode;
	return count;
}

/* The number in a decoration of @id; SPIRV_NONE: it has none. */
static uint32_t function_number_of(const struct faa_spirv_module *module, uint32_t id,
				   uint32_t decoration)
{
	const struct spirv_decoration *found = spirv_decoration(module, id, SPIRV_NONE, decoration);

	return found ? found->operands[0] : SPIRV_NONE;
}

/* NonWritable may decorate all members of a block in place of the variable. */
static bool function_is_nonwritable(const struct faa_spirv_module *module,
				    const struct spirv_variable *variable)
{
	const struct spirv_type *type = spirv_type(module, variable->type);
	uint32_t i;

	if (spirv_decoration(module, variable->id, SPIRV_NONE, SpvDecorationNonWritable))
		return true;
	if (type->op != SpvOpTypeStruct || !type->count)
		return false;
	for (i = 0; i < type->count; i++)
		if (!spirv_decoration(module, type->id, i, SpvDecorationNonWritable))
			return false;
	return true;
}

static void function_describe_variable(struct faa_spirv_module *module,
				       struct spirv_variable *variable)
{
	variable->set = function_number_of(module, variable->id, SpvDecorationDescriptorSet);
	variable->binding = function_number_of(module, variable->id, SpvDecorationBinding);
	variable->builtin = function_number_of(module, variable->id, SpvDecorationBuiltIn);
	variable->nonwritable = function_is_nonwritable(module, variable);
}

static int function_check_variable(struct spirv_context *context,
				   const struct spirv_variable *variable,
				   const struct spirv_type *pointer)
{
	const struct spirv_id *initializer = &context->module->ids[variable->initializer];
	bool local = variable->storage_class == SpvStorageClassFunction;

	if (pointer->op != SpvOpTypePointer)
		return spirv_fail(context, variable->id,
				  "OpVariable Result Type <id> %u is not a pointer type.",
				  pointer->id);
	if (pointer->storage_class != variable->storage_class)
		return spirv_fail(context, variable->id,
				  "Storage class must match result type storage class");
	if (local != (context->function != SPIRV_NONE))
		return spirv_fail(
			context, variable->id, "%s",
			local ? "Variables can not have a function[7] storage class outside of a function" :
				"Variables must have a function[7] storage class inside of a function");
	if (variable->initializer && initializer->kind != SPIRV_ID_CONSTANT &&
	    (initializer->kind != SPIRV_ID_VARIABLE || initializer->function != SPIRV_NONE))
		return spirv_fail(
			context, variable->id,
			"OpVariable Initializer <id> %u is not a constant or module-scope variable.",
			variable->initializer);
	if (variable->initializer && initializer->type != pointer->base)
		return spirv_fail(
			context, variable->id,
			"Initializer type must match the type pointed to by the Result Type");
	return 0;
}

int spirv_declare_variable(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	const struct spirv_type *pointer = spirv_type(module, context->at->type);
	struct spirv_variable *variable;
	int ret;

	if (!module->variables)
		module->variables = spirv_alloc(module, function_count_of(module, SpvOpVariable),
						sizeof(*module->variables));
	if (!module->variables)
		return -ENOMEM;
	variable = &module->variables[module->variable_count];
	variable->id = context->at->result;
	variable->type = pointer->base;
	variable->storage_class = context->at->operands[0];
	variable->initializer = context->at->operand_count > 1 ? context->at->operands[1] : 0;
	variable->function = context->function;
	ret = function_check_variable(context, variable, pointer);
	if (ret)
		return ret;
	function_describe_variable(module, variable);
	return spirv_define(context, SPIRV_ID_VARIABLE, module->variable_count++);
}

/* ------------------------------------------------------------------------------------------------
 * Functions
 */

static int function_misplaced(struct spirv_context *context, const char *where)
{
	return spirv_fail(context, context->at->result, "%s %s", spirv_op_name(context->at->opcode),
			  where);
}

static int function_reserve(struct faa_spirv_module *module)
{
	if (module->functions)
		return 0;
	module->functions = spirv_alloc(module, function_count_of(module, SpvOpFunction),
					sizeof(*module->functions));
	module->blocks =
		spirv_alloc(module, function_count_of(module, SpvOpLabel), sizeof(*module->blocks));
	return module->functions && module->blocks ? 0 : -ENOMEM;
}

static int function_begin(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	const struct spirv_type *type =
		spirv_want_type(context, context->at->operands[1], "Function Type");
	struct spirv_function *function;
	int ret;

	if (!type)
		return -EINVAL;
	if (type->op != SpvOpTypeFunction)
		return spirv_fail(context, type->id,
				  "OpFunction Function Type <id> %u is not a function type.",
				  type->id);
	if (type->base != context->at->type)
		return spirv_fail(
			context, context->at->result,
			"OpFunction Result Type <id> does not match the Function Type's return type");
	ret = function_reserve(module);
	ret = ret ? ret : spirv_define(context, SPIRV_ID_FUNCTION, module->function_count);
	if (ret)
		return ret;
	context->function = module->function_count++;
	context->parameters = 0;
	function = &module->functions[context->function];
	function->id = context->at->result;
	function->type = type->id;
	function->result = type->base;
	function->parameter_count = type->count;
	function->first_block = module->block_count;
	function->first = context->at - module->instructions;
	function->parameters = spirv_alloc(module, type->count, sizeof(uint32_t));
	return function->parameters ? 0 : -ENOMEM;
}

static int function_add_parameter(struct spirv_context *context)
{
	struct spirv_function *function = &context->module->functions[context->function];
	const struct spirv_type *type = spirv_type(context->module, function->type);
	int ret;

	if (context->parameters == type->count)
		return spirv_fail(
			context, context->at->result,
			"Too many OpFunctionParameters for %u: expected %u based on the function's type",
			function->id, (uint32_t)type->count);
	if (context->at->type != type->parameters[context->parameters])
		return spirv_fail(
			context, context->at->result,
			"OpFunctionParameter Result Type <id> %u does not match the OpTypeFunction parameter type of the same index.",
			context->at->type);
	ret = spirv_define(context, SPIRV_ID_PARAMETER, context->parameters);
	((uint32_t *)function->parameters)[context->parameters++] = context->at->result;
	return ret;
}

static int function_check_parameters(struct spirv_context *context)
{
	const struct spirv_function *function = &context->module->functions[context->function];

	if (context->parameters == function->parameter_count)
		return 0;
	return spirv_fail(
		context, function->id,
		"Too few OpFunctionParameters for %u: expected %u based on the function's type",
		function->id, function->parameter_count);
}

static int function_begin_block(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	struct spirv_block *block = &module->blocks[module->block_count];
	int ret = function_check_parameters(context);

	ret = ret ? ret : spirv_define(context, SPIRV_ID_BLOCK, module->block_count);
	if (ret)
		return ret;
	context->block = module->block_count++;
	module->functions[context->function].block_count++;
	block->label = context->at->result;
	block->function = context->function;
	block->first = context->at - module->instructions + 1;
	block->merge = SPIRV_NONE;
	block->continue_target = SPIRV_NONE;
	block->idom = SPIRV_NONE;
	return 0;
}

static int function_end(struct spirv_context *context)
{
	struct spirv_function *function = &context->module->functions[context->function];
	int ret = function_check_parameters(context);

	function->count = context->at - context->module->instructions + 1 - function->first;
	context->function = SPIRV_NONE;
	return ret;
}

static bool function_is_terminator(uint32_t opcode)
{
	switch (opcode) {
	case SpvOpBranch:
	case SpvOpBranchConditional:
	case SpvOpSwitch:
	case SpvOpReturn:
	case SpvOpReturnValue:
	case SpvOpKill:
	case SpvOpUnreachable:
	case SpvOpTerminateInvocation:
	case SpvOpIgnoreIntersectionKHR:
	case SpvOpTerminateRayKHR:
	case SpvOpEmitMeshTasksEXT:
		return true;
	default:
		return false;
	}
}

static bool function_is_line(uint32_t opcode)
{
	return opcode == SpvOpLine || opcode == SpvOpNoLine || opcode == SpvOpNop;
}

/* Variables and phis precede all other instructions except debug information. */
static int function_check_leading(struct spirv_context *context)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_block *block = &module->blocks[context->block];
	uint32_t opcode = context->at->opcode, i;
	const struct spirv_instruction *before;

	if (opcode == SpvOpVariable &&
	    context->block != module->functions[context->function].first_block)
		return function_misplaced(context, "can only be in the first block of a function");
	for (i = context->at - module->instructions; i-- > block->first;) {
		before = &module->instructions[i];
		if (before->opcode == opcode)
			return 0;
		if (!function_is_line(before->opcode) && before->opcode != SpvOpExtInst &&
		    before->opcode != SpvOpPhi)
			return function_misplaced(
				context, "must be among the first instructions of its block");
	}
	return 0;
}

/* A merge instruction directly precedes its terminator. */
static int function_check_merge(struct spirv_context *context)
{
	const struct spirv_block *block = &context->module->blocks[context->block];
	uint32_t opcode = context->at->opcode;
	const struct spirv_instruction *before = context->at - 1;
	bool merged = context->at > &context->module->instructions[block->first] &&
		      (before->opcode == SpvOpSelectionMerge || before->opcode == SpvOpLoopMerge);

	if (!merged)
		return 0;
	if (before->opcode == SpvOpSelectionMerge && opcode != SpvOpBranchConditional &&
	    opcode != SpvOpSwitch)
		return function_misplaced(
			context,
			"follows OpSelectionMerge, which must precede OpBranchConditional or OpSwitch");
	if (before->opcode == SpvOpLoopMerge && opcode != SpvOpBranch &&
	    opcode != SpvOpBranchConditional)
		return function_misplaced(
			context,
			"follows OpLoopMerge, which must precede OpBranch or OpBranchConditional");
	return 0;
}

static int function_add_instruction(struct spirv_context *context)
{
	struct spirv_block *block = &context->module->blocks[context->block];
	uint32_t opcode = context->at->opcode;
	int ret = function_check_merge(context);

	if (!ret && (opcode == SpvOpPhi || opcode == SpvOpVariable))
		ret = function_check_leading(context);
	if (!ret && opcode == SpvOpVariable)
		ret = spirv_declare_variable(context);
	else if (!ret && context->at->result)
		ret = spirv_define(context, SPIRV_ID_VALUE, 0);
	if (opcode == SpvOpSelectionMerge || opcode == SpvOpLoopMerge)
		block->merge_op = opcode;
	if (function_is_terminator(opcode)) {
		block->count = context->at - context->module->instructions + 1 - block->first;
		context->block = SPIRV_NONE;
	}
	return ret;
}

/* Instructions that are allowed in a function outside of blocks. */
static int function_read_between_blocks(struct spirv_context *context)
{
	bool has_block = context->module->functions[context->function].block_count;

	switch (context->at->opcode) {
	case SpvOpLine:
	case SpvOpNoLine:
		return 0;
	case SpvOpFunctionParameter:
		return has_block ? function_misplaced(context, "must precede the first block") :
				   function_add_parameter(context);
	case SpvOpLabel:
		return function_begin_block(context);
	case SpvOpFunctionEnd:
		return function_end(context);
	default:
		return function_misplaced(context, "cannot appear between blocks of a function");
	}
}

static int function_read_between_functions(struct spirv_context *context)
{
	const struct spirv_id *set;

	switch (context->at->opcode) {
	case SpvOpLine:
	case SpvOpNoLine:
		return 0;
	case SpvOpFunction:
		return function_begin(context);
	case SpvOpExtInst:
		set = &context->module->ids[context->at->operands[0]];
		if (set->kind == SPIRV_ID_IMPORT && set->index == SPIRV_IMPORT_NONSEMANTIC)
			return spirv_define(context, SPIRV_ID_OTHER, 0);
		/* fall through */
	default:
		return function_misplaced(
			context,
			"is in an invalid layout section: it must appear in a function body");
	}
}

static bool function_belongs_between_blocks(uint32_t opcode)
{
	return opcode == SpvOpLabel || opcode == SpvOpFunction || opcode == SpvOpFunctionEnd ||
	       opcode == SpvOpFunctionParameter;
}

static bool function_is_declaration(uint32_t opcode)
{
	const char *name = spirv_op_name(opcode);

	return !strncmp(name, "Type", 4) || !strncmp(name, "Constant", 8) ||
	       !strncmp(name, "SpecConstant", 12);
}

int spirv_read_function(struct spirv_context *context)
{
	uint32_t opcode = context->at->opcode;

	if (context->function == SPIRV_NONE)
		return function_read_between_functions(context);
	if (context->block == SPIRV_NONE)
		return function_read_between_blocks(context);
	if (function_belongs_between_blocks(opcode) || function_is_declaration(opcode))
		return function_misplaced(context, "cannot appear in a block");
	return function_add_instruction(context);
}

/* ------------------------------------------------------------------------------------------------
 * Edges
 */

/* The block @id, a branch target of @block; SPIRV_NONE after an error. */
static uint32_t function_want_block(struct spirv_context *context, const struct spirv_block *block,
				    uint32_t id)
{
	const struct spirv_id *target = &context->module->ids[id];

	if (target->kind == SPIRV_ID_BLOCK &&
	    context->module->blocks[target->index].function == block->function)
		return target->index;
	spirv_fail(context, id, "%s: <id> %u is not a block of the same function",
		   spirv_op_name(context->at->opcode), id);
	return SPIRV_NONE;
}

/* First operand that is a block, distance to the next one, and number of blocks. */
static uint32_t function_count_targets(const struct faa_spirv_module *module,
				       const struct spirv_instruction *at, uint32_t *first,
				       uint32_t *step)
{
	const struct spirv_type *type;

	*first = 1;
	*step = 1;
	switch (at->opcode) {
	case SpvOpBranch:
		*first = 0;
		return 1;
	case SpvOpBranchConditional:
		return 2;
	case SpvOpSwitch:
		type = spirv_type_of(module, at->operands[0]);
		*step = 1 + (type->width + 31) / 32;
		return 1 + (at->operand_count - 2) / *step;
	default:
		return 0;
	}
}

static bool function_is_integer(const struct faa_spirv_module *module, uint32_t id)
{
	const struct spirv_type *type = spirv_type_of(module, id);

	return type && type->op == SpvOpTypeInt;
}

static int function_link_block(struct spirv_context *context, struct spirv_block *block)
{
	struct faa_spirv_module *module = context->module;
	uint32_t i, first, step, *successors;

	context->at = &module->instructions[block->first + block->count - 1];
	if (context->at->opcode == SpvOpSwitch &&
	    !function_is_integer(module, context->at->operands[0]))
		return spirv_fail(context, context->at->operands[0],
				  "Selector type must be OpTypeInt");
	block->successor_count = function_count_targets(module, context->at, &first, &step);
	successors = spirv_alloc(module, block->successor_count, sizeof(*successors));
	if (!successors)
		return -ENOMEM;
	block->successors = successors;
	for (i = 0; i < block->successor_count; i++) {
		successors[i] = function_want_block(context, block,
						    context->at->operands[first + i * step]);
		if (successors[i] == SPIRV_NONE)
			return -EINVAL;
		if (successors[i] == module->functions[block->function].first_block)
			return spirv_fail(context, block->label,
					  "First block %u of function %u is targeted by block %u",
					  module->blocks[successors[i]].label,
					  module->functions[block->function].id, block->label);
	}
	return 0;
}

static int function_link_merge(struct spirv_context *context, struct spirv_block *block)
{
	struct faa_spirv_module *module = context->module;

	if (!block->merge_op)
		return 0;
	context->at = &module->instructions[block->first + block->count - 2];
	if (context->at->opcode != block->merge_op)
		return function_misplaced(context, "separates a merge instruction from its branch");
	block->merge = function_want_block(context, block, context->at->operands[0]);
	if (block->merge == SPIRV_NONE)
		return -EINVAL;
	if (module->blocks[block->merge].label == block->label)
		return spirv_fail(context, block->label,
				  "Merge Block may not be the block containing the Op%s",
				  spirv_op_name(block->merge_op));
	if (block->merge_op != SpvOpLoopMerge)
		return 0;
	block->continue_target = function_want_block(context, block, context->at->operands[1]);
	if (block->continue_target != SPIRV_NONE && block->continue_target == block->merge)
		return spirv_fail(context, block->label,
				  "Merge Block and Continue Target must be different ids");
	return block->continue_target == SPIRV_NONE ? -EINVAL : 0;
}

int spirv_finish_functions(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	uint32_t i;
	int ret = 0;

	if (context->function != SPIRV_NONE)
		return spirv_refuse(context, NULL, module->count, 0,
				    "Missing OpFunctionEnd at end of module.");
	for (i = 0; i < module->block_count && !ret; i++) {
		ret = function_link_block(context, &module->blocks[i]);
		ret = ret ? ret : function_link_merge(context, &module->blocks[i]);
	}
	context->at = NULL;
	return ret ? ret : spirv_find_dominators(context);
}
