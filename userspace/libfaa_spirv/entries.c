// SPDX-License-Identifier: MIT
/* Entry points and their execution modes, after all functions are read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

static int entry_check(struct spirv_context *context, struct spirv_entry *entry)
{
	struct faa_spirv_module *module = context->module;
	const struct spirv_instruction *at = &module->instructions[entry->instruction];
	const struct spirv_id *id = &module->ids[at->operands[1]];
	const struct spirv_function *function;
	uint32_t i;

	if (id->kind != SPIRV_ID_FUNCTION)
		return spirv_refuse(context, at, 2, at->operands[1],
				    "OpEntryPoint Entry Point <id> %u is not a function.",
				    at->operands[1]);
	entry->function = id->index;
	function = &module->functions[id->index];
	if (!function->block_count)
		return spirv_refuse(context, at, 2, function->id,
				    "OpEntryPoint Entry Point <id> %u is only declared",
				    function->id);
	if (entry->model != SpvExecutionModelKernel &&
	    (function->parameter_count ||
	     spirv_type(module, function->result)->op != SpvOpTypeVoid))
		return spirv_refuse(
			context, at, 2, function->id,
			"OpEntryPoint Entry Point <id> %u's function must return void and take no parameters",
			function->id);
	for (i = 0; i < entry->interface_count; i++) {
		const struct spirv_id *variable = &module->ids[entry->interface[i]];

		if (variable->kind != SPIRV_ID_VARIABLE || variable->function != SPIRV_NONE)
			return spirv_refuse(
				context, at, 0, entry->interface[i],
				"Interfaces passed to OpEntryPoint must be variables of the module: <id> %u is none",
				entry->interface[i]);
	}
	return 0;
}

/* Bit of a float width in the modes of an entry point; 0: no such width. */
static uint8_t entry_width_bit(uint32_t width)
{
	return width == 16 ? 1 : width == 32 ? 2 : width == 64 ? 4 : 0;
}

static int entry_take_float_mode(struct spirv_context *context, const struct spirv_instruction *at,
				 uint8_t *mode)
{
	if (!entry_width_bit(at->operands[2]))
		return spirv_refuse(context, at, 3, at->operands[0],
				    "Float width %u of the execution mode is not 16, 32 or 64",
				    at->operands[2]);
	*mode |= entry_width_bit(at->operands[2]);
	return 0;
}

/* A size, given as a literal or the id of a constant; 0: neither. */
static uint32_t entry_size_of(const struct faa_spirv_module *module,
			      const struct spirv_instruction *at, uint32_t operand)
{
	const struct spirv_constant *constant;

	if (at->opcode != SpvOpExecutionModeId)
		return operand;
	constant = spirv_constant(module, operand);
	return constant && spirv_type(module, constant->type)->op == SpvOpTypeInt ?
		       constant->value :
		       0;
}

static int entry_take_sizes(struct spirv_context *context, const struct spirv_instruction *at,
			    uint32_t *size)
{
	uint32_t i;

	for (i = 0; i < 3; i++) {
		size[i] = entry_size_of(context->module, at, at->operands[2 + i]);
		if (!size[i])
			return spirv_refuse(
				context, at, 3 + i, at->operands[0],
				"Local size must be a constant of at least 1 in each dimension");
	}
	return 0;
}

/* SpvExecutionModeMaximallyReconvergesKHR, which spirv-headers before 1.3.268 lack. */
#define MAXIMALLY_RECONVERGES 6023

static int entry_take_mode(struct spirv_context *context, const struct spirv_instruction *at,
			   struct spirv_entry *entry)
{
	bool by_id = at->opcode == SpvOpExecutionModeId;

	switch (at->operands[1]) {
	case SpvExecutionModeLocalSizeId:
		return by_id ? entry_take_sizes(context, at, entry->local_size) : 0;
	case SpvExecutionModeLocalSize:
		return by_id ? 0 : entry_take_sizes(context, at, entry->local_size);
	case SpvExecutionModeDenormPreserve:
		return entry_take_float_mode(context, at, &entry->denorm_preserve);
	case SpvExecutionModeDenormFlushToZero:
		return entry_take_float_mode(context, at, &entry->denorm_flush);
	case SpvExecutionModeRoundingModeRTE:
		return entry_take_float_mode(context, at, &entry->round_even);
	case SpvExecutionModeRoundingModeRTZ:
		return entry_take_float_mode(context, at, &entry->round_zero);
	case SpvExecutionModeSignedZeroInfNanPreserve:
		return entry_take_float_mode(context, at, &entry->keep_nan_inf);
	case SpvExecutionModeSubgroupUniformControlFlowKHR:
	case MAXIMALLY_RECONVERGES:
		entry->reconverges = true;
		return 0;
	default:
		return 0;
	}
}

/* @first: the first entry point of each function, which receives the modes. */
static int entry_take_modes(struct spirv_context *context, const struct spirv_instruction *at,
			    const uint32_t *first)
{
	struct faa_spirv_module *module = context->module;
	const struct spirv_id *id = &module->ids[at->operands[0]];

	if (id->kind == SPIRV_ID_FUNCTION && first[id->index] != SPIRV_NONE)
		return entry_take_mode(context, at, &module->entries[first[id->index]]);
	return spirv_refuse(
		context, at, 1, at->operands[0],
		"OpExecutionMode Entry Point <id> %u is not the Entry Point operand of an OpEntryPoint.",
		at->operands[0]);
}

static void entry_share_modes(const struct spirv_entry *from, struct spirv_entry *to)
{
	memcpy(to->local_size, from->local_size, sizeof(to->local_size));
	to->denorm_preserve = from->denorm_preserve;
	to->denorm_flush = from->denorm_flush;
	to->round_even = from->round_even;
	to->round_zero = from->round_zero;
	to->keep_nan_inf = from->keep_nan_inf;
	to->reconverges = from->reconverges;
}

/*
 * Modes belong to functions: read each once, then copy those of the first entry point to the
 * others.
 */
static int entry_take_all_modes(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	uint32_t *first = malloc((module->function_count + 1) * sizeof(*first)), i, function;
	int ret = first ? 0 : -ENOMEM;

	if (first)
		memset(first, 0xff, (module->function_count + 1) * sizeof(*first));
	for (i = module->entry_count; i && !ret; i--)
		first[module->entries[i - 1].function] = i - 1;
	for (i = 0; i < module->instruction_count && !ret; i++) {
		const struct spirv_instruction *at = &module->instructions[i];

		if (at->opcode == SpvOpExecutionMode || at->opcode == SpvOpExecutionModeId)
			ret = entry_take_modes(context, at, first);
	}
	for (i = 0; i < module->entry_count && !ret; i++) {
		function = module->entries[i].function;
		if (first[function] != i)
			entry_share_modes(&module->entries[first[function]], &module->entries[i]);
	}
	free(first);
	return ret;
}

/* A constant with BuiltIn WorkgroupSize is the local size of every entry point. */
static int entry_take_workgroup_size(struct spirv_context *context,
				     const struct spirv_decoration *decoration, uint32_t *size)
{
	struct faa_spirv_module *module = context->module;
	const struct spirv_constant *constant = spirv_constant(module, decoration->target);
	const struct spirv_instruction *at = &module->instructions[decoration->instruction];
	uint32_t i;

	if (!constant || !constant->constituents || spirv_type(module, constant->type)->count != 3)
		return spirv_refuse(
			context, at, 0, decoration->target,
			"Vulkan spec requires BuiltIn WorkgroupSize to be a constant of three 32-bit ints");
	for (i = 0; i < 3; i++) {
		const struct spirv_constant *part =
			spirv_constant(module, constant->constituents[i]);
		const struct spirv_type *type = spirv_type(module, part->type);

		if (type->op != SpvOpTypeInt || type->width != 32 || !part->value)
			return spirv_refuse(
				context, at, 0, decoration->target,
				"Vulkan spec requires BuiltIn WorkgroupSize to be a constant of three 32-bit ints, none 0");
		size[i] = part->value;
	}
	return 0;
}

/* The number of invocations has to fit 32 bits. */
static int entry_check_local_size(struct spirv_context *context, const struct spirv_entry *entry)
{
	uint64_t xy = (uint64_t)entry->local_size[0] * entry->local_size[1];

	if (xy <= UINT32_MAX && xy * entry->local_size[2] <= UINT32_MAX)
		return 0;
	return spirv_refuse(context, &context->module->instructions[entry->instruction], 0, 0,
			    "Workgroup of %u x %u x %u invocations is too large",
			    entry->local_size[0], entry->local_size[1], entry->local_size[2]);
}

int spirv_finish_entries(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	uint32_t size[3] = { 0 }, i;
	int ret = 0;

	for (i = 0; i < module->entry_count && !ret; i++)
		ret = entry_check(context, &module->entries[i]);
	ret = ret ? ret : entry_take_all_modes(context);
	for (i = 0; i < module->decoration_count && !ret; i++)
		if (module->decorations[i].decoration == SpvDecorationBuiltIn &&
		    module->decorations[i].member == SPIRV_NONE &&
		    module->decorations[i].operands[0] == SpvBuiltInWorkgroupSize)
			ret = entry_take_workgroup_size(context, &module->decorations[i], size);
	for (i = 0; i < module->entry_count && !ret && size[0]; i++)
		memcpy(module->entries[i].local_size, size, sizeof(size));
	for (i = 0; i < module->entry_count && !ret; i++)
		ret = entry_check_local_size(context, &module->entries[i]);
	return ret;
}
