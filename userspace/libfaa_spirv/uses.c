// SPDX-License-Identifier: MIT
/* Every used id is defined, has an allowed kind, and is defined before its use. */
#include <errno.h>

#include "context.h"

/* Instructions that may use ids before their definition. */
static bool use_may_be_ahead(uint32_t opcode)
{
	switch (opcode) {
	case SpvOpEntryPoint:
	case SpvOpExecutionMode:
	case SpvOpExecutionModeId:
	case SpvOpName:
	case SpvOpMemberName:
	case SpvOpDecorate:
	case SpvOpDecorateId:
	case SpvOpDecorateString:
	case SpvOpMemberDecorate:
	case SpvOpMemberDecorateString:
	case SpvOpGroupDecorate:
	case SpvOpGroupMemberDecorate:
	case SpvOpTypeForwardPointer:
	case SpvOpTypeStruct:
	case SpvOpTypeArray:
	case SpvOpTypeRuntimeArray:
	case SpvOpPhi:
	case SpvOpFunctionCall:
	case SpvOpExtInst:
		return true;
	default:
		return false;
	}
}

/* The block that contains instruction @index; SPIRV_NONE: none. */
static uint32_t use_block_of(const struct faa_spirv_module *module, uint32_t function,
			     uint32_t index)
{
	uint32_t low = module->functions[function].first_block;
	uint32_t high = low + module->functions[function].block_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct spirv_block *block = &module->blocks[middle];

		if (index < block->first)
			high = middle;
		else if (index >= block->first + block->count)
			low = middle + 1;
		else
			return middle;
	}
	return SPIRV_NONE;
}

/* The definition of a value dominates its uses. */
static int use_check_dominance(struct spirv_context *context, const struct spirv_instruction *user,
			       uint32_t word, uint32_t id)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_id *used = &module->ids[id];
	uint32_t index = user - module->instructions;
	const struct spirv_block *definer, *block;
	uint32_t from;

	from = use_block_of(module, used->function, used->instruction);
	if (context->block == SPIRV_NONE || from == SPIRV_NONE)
		return 0;
	definer = &module->blocks[from];
	block = &module->blocks[context->block];
	if (!block->reachable ||
	    (from == context->block ? used->instruction < index :
				      definer->reachable && spirv_dominates(definer, block)))
		return 0;
	return spirv_refuse(context, user, word, id,
			    "ID %u defined in block %u does not dominate its use in block %u", id,
			    definer->label, block->label);
}

static bool use_is_value(const struct spirv_id *id)
{
	return id->kind == SPIRV_ID_CONSTANT || id->kind == SPIRV_ID_VARIABLE ||
	       id->kind == SPIRV_ID_PARAMETER || id->kind == SPIRV_ID_VALUE;
}

/* Checks a use of an id that may be local to a function. */
static int use_check_local(struct spirv_context *context, const struct spirv_instruction *user,
			   uint32_t word, uint32_t id)
{
	const struct spirv_id *used = &context->module->ids[id];

	if (used->function == SPIRV_NONE || used->kind == SPIRV_ID_FUNCTION)
		return 0;
	if (used->function != context->function)
		return spirv_refuse(context, user, word, id,
				    "ID %u is used outside of the function that defines it", id);
	if (used->kind == SPIRV_ID_BLOCK || !use_is_value(used) || user->opcode == SpvOpPhi)
		return 0;
	return use_check_dominance(context, user, word, id);
}

static int use_check_scope_id(struct spirv_context *context, const struct spirv_instruction *user,
			      uint32_t word, uint32_t id)
{
	if (use_is_value(&context->module->ids[id]))
		return 0;
	return spirv_refuse(context, user, word, id, "%s: ID %u is not a value",
			    spirv_op_name(user->opcode), id);
}

static int use_check(struct spirv_context *context, const struct spirv_instruction *user,
		     const struct spirv_operand *operand)
{
	const struct faa_spirv_module *module = context->module;
	uint32_t id = module->words[user->word + operand->word];
	const struct spirv_id *used;

	if (spirv_kinds[operand->kind].category != SPIRV_CATEGORY_Id ||
	    operand->kind == SPIRV_KIND_IdResult)
		return 0;
	used = &module->ids[id];
	if (used->kind == SPIRV_ID_UNDEFINED)
		return spirv_refuse(context, user, operand->word, id, "ID %u has not been defined",
				    id);
	if (operand->kind == SPIRV_KIND_IdScope || operand->kind == SPIRV_KIND_IdMemorySemantics) {
		int ret = use_check_scope_id(context, user, operand->word, id);

		if (ret)
			return ret;
	}
	if (context->function != SPIRV_NONE)
		return use_check_local(context, user, operand->word, id);
	if (used->instruction > user - module->instructions && !use_may_be_ahead(user->opcode))
		return spirv_refuse(context, user, operand->word, id,
				    "ID %u is used before it is defined", id);
	return 0;
}

/* The definition of a value of a phi dominates the block that it is paired with. */
static int use_check_phi(struct spirv_context *context, const struct spirv_instruction *phi)
{
	const struct faa_spirv_module *module = context->module;
	uint32_t i, from;

	for (i = 0; i + 1 < phi->operand_count; i += 2) {
		const struct spirv_id *value = &module->ids[phi->operands[i]],
				      *parent = &module->ids[phi->operands[i + 1]];
		const struct spirv_block *block, *definer;

		if (parent->kind != SPIRV_ID_BLOCK || !use_is_value(value))
			return spirv_refuse(context, phi, 3 + i, phi->result,
					    "OpPhi takes pairs of a value and a block");
		block = &module->blocks[parent->index];
		from = value->function == SPIRV_NONE ?
			       SPIRV_NONE :
			       use_block_of(module, value->function, value->instruction);
		if (from == SPIRV_NONE || !block->reachable)
			continue;
		definer = &module->blocks[from];
		if (!definer->reachable || !spirv_dominates(definer, block))
			return spirv_refuse(
				context, phi, 3 + i, phi->operands[i],
				"In OpPhi instruction %u, ID %u definition does not dominate its parent %u",
				phi->result, phi->operands[i], block->label);
	}
	return 0;
}

/* Updates the current function and block for instruction @index. */
static void use_follow(struct spirv_context *context, uint32_t index)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_instruction *at = &module->instructions[index];

	if (at->opcode == SpvOpFunction)
		context->function = module->ids[at->result].index;
	if (at->opcode == SpvOpLabel)
		context->block = module->ids[at->result].index;
	if (at->opcode == SpvOpFunctionEnd) {
		context->function = SPIRV_NONE;
		context->block = SPIRV_NONE;
	}
}

int spirv_check_uses(struct spirv_context *context)
{
	const struct faa_spirv_module *module = context->module;
	int ret = 0, one;
	uint32_t i;

	context->function = SPIRV_NONE;
	context->block = SPIRV_NONE;
	for (i = 0; i < module->instruction_count; i++) {
		use_follow(context, i);
		one = spirv_walk(context, &module->instructions[i], use_check);
		if (!one && module->instructions[i].opcode == SpvOpPhi)
			one = use_check_phi(context, &module->instructions[i]);
		ret = one ? one : ret;
	}
	context->function = SPIRV_NONE;
	context->block = SPIRV_NONE;
	return ret;
}
