// SPDX-License-Identifier: MIT
/*
 * Scopes by execution model: the entry points that reach a function limit the scopes of its
 * instructions. Rules of SPIR-V (OpControlBarrier) and of Vulkan's appendix "Standalone SPIR-V
 * Validation", whose numbers are in the messages.
 */
#include <errno.h>
#include <stdlib.h>

#include "context.h"

/* Execution models that the rules distinguish. */
enum spirv_stage {
	/** task, mesh and compute shaders: they have workgroups */
	STAGE_GROUP,
	STAGE_TESSELLATION_CONTROL,
	STAGE_RAY,
	/** vertex, tessellation evaluation, geometry, fragment */
	STAGE_GRAPHICS,
	STAGE_KERNEL,
	STAGES,
};

#define STAGE(name) (1u << STAGE_##name)

/* A rule for instructions with some scope, in functions that some stages reach. */
struct scope_rule {
	/** @stages: mask of the stages that violate it. */
	uint32_t stages;
	const char *text;
};

static enum spirv_stage scope_stage_of(uint32_t model)
{
	switch (model) {
	case SpvExecutionModelGLCompute:
	case SpvExecutionModelTaskNV:
	case SpvExecutionModelMeshNV:
	case SpvExecutionModelTaskEXT:
	case SpvExecutionModelMeshEXT:
		return STAGE_GROUP;
	case SpvExecutionModelTessellationControl:
		return STAGE_TESSELLATION_CONTROL;
	case SpvExecutionModelRayGenerationKHR:
	case SpvExecutionModelIntersectionKHR:
	case SpvExecutionModelAnyHitKHR:
	case SpvExecutionModelClosestHitKHR:
	case SpvExecutionModelMissKHR:
	case SpvExecutionModelCallableKHR:
		return STAGE_RAY;
	case SpvExecutionModelKernel:
		return STAGE_KERNEL;
	default:
		return STAGE_GRAPHICS;
	}
}

/*
 * Adds @stage to all functions that @from calls, also indirectly; @stack has room for all
 * functions.
 */
static void scope_reach(const struct faa_spirv_module *module, uint8_t *stages, uint32_t *stack,
			uint32_t from, enum spirv_stage stage)
{
	uint32_t depth = 0, i, callee;

	if (stages[from] >> stage & 1)
		return;
	stages[from] |= (uint8_t)(1u << stage);
	stack[depth++] = from;
	while (depth) {
		const struct spirv_function *function = &module->functions[stack[--depth]];

		for (i = 0; i < function->count; i++) {
			const struct spirv_instruction *at =
				&module->instructions[function->first + i];

			if (at->opcode != SpvOpFunctionCall)
				continue;
			callee = module->ids[at->operands[0]].index;
			if (stages[callee] >> stage & 1)
				continue;
			stages[callee] |= (uint8_t)(1u << stage);
			stack[depth++] = callee;
		}
	}
}

static void scope_check_rule(struct spirv_context *context, const struct spirv_instruction *at,
			     uint32_t operand, uint32_t stages, const struct scope_rule *rule)
{
	uint32_t word = at->operands + operand - (context->module->words + at->word);

	if (stages & rule->stages)
		spirv_refuse(context, at, word, at->operands[operand], rule->text,
			     spirv_op_name(at->opcode));
}

/* Value of operand @operand; false: unknown, which other rules handle. */
static bool scope_of(const struct spirv_context *context, const struct spirv_instruction *at,
		     uint32_t operand, uint32_t *scope)
{
	const struct spirv_constant *constant;

	if (operand >= at->operand_count)
		return false;
	constant = spirv_constant(context->module, at->operands[operand]);
	if (!constant || (constant->op != SpvOpConstant && constant->op != SpvOpConstantNull))
		return false;
	*scope = (uint32_t)constant->value;
	return true;
}

static void scope_check_memory(struct spirv_context *context, const struct spirv_instruction *at,
			       uint32_t operand, uint32_t stages)
{
	static const struct scope_rule shader_call = {
		~STAGE(RAY),
		"[VUID-StandaloneSpirv-None-04640] %s: ShaderCallKHR Memory Scope requires a ray tracing execution model",
	};
	static const struct scope_rule workgroup = {
		STAGE(RAY) | STAGE(GRAPHICS) | STAGE(KERNEL),
		"[VUID-StandaloneSpirv-None-07321] %s: Workgroup Memory Scope is limited to task, mesh, tessellation control and GLCompute execution models",
	};
	static const struct scope_rule control = {
		STAGE(TESSELLATION_CONTROL),
		"[VUID-StandaloneSpirv-ExecutionModel-07320] %s: Workgroup Memory Scope cannot be used with TessellationControl and the memory model GLSL450",
	};
	uint32_t scope;

	if (!scope_of(context, at, operand, &scope))
		return;
	if (scope == SpvScopeShaderCallKHR)
		scope_check_rule(context, at, operand, stages, &shader_call);
	if (scope != SpvScopeWorkgroup)
		return;
	scope_check_rule(context, at, operand, stages, &workgroup);
	if (context->module->memory_model == SpvMemoryModelGLSL450)
		scope_check_rule(context, at, operand, stages, &control);
}

static void scope_check_execution(struct spirv_context *context, const struct spirv_instruction *at,
				  uint32_t stages)
{
	static const struct scope_rule barrier = {
		STAGE(GRAPHICS) | STAGE(RAY),
		"[VUID-StandaloneSpirv-None-04682] %s: execution scope must be Subgroup for fragment, vertex, geometry, tessellation evaluation and ray tracing execution models",
	};
	static const struct scope_rule workgroup = {
		STAGE(GRAPHICS) | STAGE(RAY) | STAGE(KERNEL),
		"[VUID-StandaloneSpirv-None-04637] %s: Workgroup execution scope is only for task, mesh, tessellation control and GLCompute execution models",
	};
	uint32_t scope;

	if (!scope_of(context, at, 0, &scope) || scope == SpvScopeSubgroup)
		return;
	scope_check_rule(context, at, 0, stages, &barrier);
	if (scope == SpvScopeWorkgroup)
		scope_check_rule(context, at, 0, stages, &workgroup);
}

/* Since SPIR-V 1.3 all execution models have the instruction. */
static void scope_check_barrier_model(struct spirv_context *context,
				      const struct spirv_instruction *at, uint32_t stages)
{
	static const struct scope_rule models = {
		STAGE(GRAPHICS) | STAGE(RAY),
		"%s requires one of the following Execution Models: TessellationControl, GLCompute, Kernel, MeshNV or TaskNV",
	};

	if (context->module->version < 0x10300)
		scope_check_rule(context, at, 0, stages, &models);
}

/* Non-uniform group operations. */
static bool scope_is_group_operation(uint32_t opcode)
{
	return (opcode >= SpvOpGroupNonUniformElect && opcode <= SpvOpGroupNonUniformQuadSwap) ||
	       opcode == SpvOpGroupNonUniformRotateKHR;
}

static void scope_check_group(struct spirv_context *context, const struct spirv_instruction *at)
{
	bool vulkan = context->module->environment == FAA_SPIRV_VULKAN;
	uint32_t word = at->operands - (context->module->words + at->word), scope;

	if (!scope_of(context, at, 0, &scope) || scope == SpvScopeSubgroup)
		return;
	if (vulkan)
		spirv_refuse(
			context, at, word, at->operands[0],
			"[VUID-StandaloneSpirv-None-04642] %s: in Vulkan environment Execution scope is limited to Subgroup",
			spirv_op_name(at->opcode));
	else if (scope != SpvScopeWorkgroup)
		spirv_refuse(context, at, word, at->operands[0],
			     "%s: Execution scope is limited to Subgroup or Workgroup",
			     spirv_op_name(at->opcode));
}

static void scope_check_function(struct spirv_context *context,
				 const struct spirv_function *function, uint32_t stages)
{
	bool vulkan = context->module->environment == FAA_SPIRV_VULKAN;
	uint32_t i, memory;

	for (i = 0; i < function->count; i++) {
		const struct spirv_instruction *at =
			&context->module->instructions[function->first + i];

		if (scope_is_group_operation(at->opcode))
			scope_check_group(context, at);
		if (at->opcode == SpvOpControlBarrier)
			scope_check_barrier_model(context, at, stages);
		if (!vulkan)
			continue;
		if (at->opcode == SpvOpControlBarrier)
			scope_check_execution(context, at, stages);
		memory = spirv_memory_scope(at->opcode);
		if (memory != SPIRV_NONE)
			scope_check_memory(context, at, memory, stages);
	}
}

int spirv_check_scopes(struct spirv_context *context)
{
	const struct faa_spirv_module *module = context->module;
	uint8_t *stages = calloc((size_t)module->function_count + 1, 1);
	uint32_t *stack = calloc((size_t)module->function_count + 1, sizeof(*stack));
	uint32_t i;

	if (stages && stack) {
		for (i = 0; i < module->entry_count; i++)
			scope_reach(module, stages, stack, module->entries[i].function,
				    scope_stage_of(module->entries[i].model));
		for (i = 0; i < module->function_count; i++)
			scope_check_function(context, &module->functions[i], stages[i]);
	}
	i = stages && stack;
	free(stages);
	free(stack);
	return i ? 0 : -ENOMEM;
}
