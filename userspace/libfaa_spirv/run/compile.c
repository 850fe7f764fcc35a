// SPDX-License-Identifier: MIT
#include "compile.h"
#include "grammar.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar.h"

static const char *compile_name_of(uint16_t opcode)
{
	const struct spirv_grammar *grammar = spirv_grammar(opcode);

	return grammar ? grammar->name : NULL;
}

void spirv_unable(struct spirv_compiler *c, const char *format, ...)
{
	struct faa_spirv_message *message = c->message;
	va_list args;
	int used = 0;

	if (c->error)
		return;
	c->error = -EOPNOTSUPP;
	memset(message, 0, sizeof(*message));
	if (c->at) {
		message->word = c->at->word;
		message->instruction = (uint32_t)(c->at - c->module->instructions) + 1;
		message->name = compile_name_of(c->at->opcode);
		message->id = c->at->result;
		used = snprintf(message->text, sizeof(message->text),
				"%s: ", spirv_op_name(c->at->opcode));
	}
	va_start(args, format);
	vsnprintf(message->text + used, sizeof(message->text) - (size_t)used, format, args);
	va_end(args);
}

static void compile_no_memory(struct spirv_compiler *c)
{
	if (c->error)
		return;
	spirv_unable(c, "out of memory");
	c->error = -ENOMEM;
}

void *spirv_append(struct spirv_compiler *c, void *array, uint32_t *used, uint32_t count,
		   size_t size)
{
	uint32_t capacity = 16, need = *used + count;
	void **items = array, *grown;
	uint8_t *first;

	while (capacity < *used)
		capacity *= 2;
	if (!*items || need > capacity) {
		while (capacity < need)
			capacity *= 2;
		grown = realloc(*items, capacity * size);
		if (!grown) {
			compile_no_memory(c);
			return NULL;
		}
		*items = grown;
	}
	first = (uint8_t *)*items + *used * size;
	memset(first, 0, count * size);
	*used = need;
	return first;
}

struct spirv_ins *spirv_emit(struct spirv_compiler *c, unsigned int code)
{
	/* Receives instructions after an error. */
	static __thread struct spirv_ins lost;
	struct spirv_program *program = c->program;
	struct spirv_ins *ins;

	ins = spirv_append(c, &program->code, &program->length, 1, sizeof(*ins));
	if (!ins) {
		memset(&lost, 0, sizeof(lost));
		return &lost;
	}
	ins->code = (uint16_t)code;
	ins->dst = ins->a = ins->b = ins->c = ins->d = SLOT_NONE;
	if (c->at) {
		ins->opcode = c->at->opcode;
		ins->word = c->at->word;
	}
	return ins;
}

uint32_t spirv_take_slots(struct spirv_compiler *c, uint32_t count)
{
	uint32_t first = c->program->slots;

	/* 64 MiB per warp. */
	if (count > (1u << 18) - first) {
		spirv_unable(c, "the kernel needs more than %u values a lane", 1u << 18);
		return 0;
	}
	c->program->slots += count;
	return first;
}

/*
 * Order of the blocks of a function: reverse postorder, so that blocks follow their predecessors,
 * except in loops, and merge blocks come last.
 */
struct order {
	struct spirv_compiler *c;
	const struct spirv_function *function;
	bool *seen;
	uint32_t *list;
	uint32_t count;
};

struct visit {
	uint32_t block;
	/* Number of visited neighbours: merge, continue target and successors. */
	uint32_t next;
};

static uint32_t compile_neighbour(const struct spirv_block *block, uint32_t index)
{
	if (index == 0)
		return block->merge;
	if (index == 1)
		return block->continue_target;
	/* The last successor is visited first, so that the first one directly follows the block. */
	return block->successors[block->successor_count - 1 - (index - 2)];
}

static void compile_visit_blocks(struct order *order, uint32_t first)
{
	const struct faa_spirv_module *module = order->c->module;
	const struct spirv_block *block;
	struct visit *stack;
	uint32_t depth = 0, next;

	stack = calloc(order->function->block_count, sizeof(*stack));
	if (!stack) {
		compile_no_memory(order->c);
		return;
	}
	stack[depth++].block = first;
	order->seen[first - order->function->first_block] = true;
	while (depth) {
		block = &module->blocks[stack[depth - 1].block];
		if (stack[depth - 1].next == 2 + block->successor_count) {
			order->list[order->count++] = stack[--depth].block;
			continue;
		}
		next = compile_neighbour(block, stack[depth - 1].next++);
		if (next == SPIRV_NONE || order->seen[next - order->function->first_block])
			continue;
		order->seen[next - order->function->first_block] = true;
		stack[depth++] = (struct visit){ .block = next };
	}
	free(stack);
}

static void compile_instruction(struct spirv_compiler *c)
{
	if (spirv_compile_memory(c) || spirv_compile_pointer(c) || spirv_compile_arithmetic(c) ||
	    spirv_compile_composite(c) || spirv_compile_flow(c) || spirv_compile_atomic(c))
		return;
	spirv_unable(c, "the interpreter does not have this instruction");
}

static void compile_block(struct spirv_compiler *c, uint32_t index)
{
	const struct spirv_block *block = &c->module->blocks[index];
	uint32_t i;

	c->current = index;
	c->block_at[index] = c->program->length;
	for (i = 0; i < block->count && !c->error; i++) {
		c->at = &c->module->instructions[block->first + i];
		compile_instruction(c);
	}
}

/* Allocates slots of the function's phis, which may be used before they are reached. */
static void compile_define_phis(struct spirv_compiler *c, const struct spirv_function *function)
{
	uint32_t i;

	for (i = function->first; i < function->first + function->count && !c->error; i++) {
		c->at = &c->module->instructions[i];
		if (c->at->opcode == SpvOpPhi)
			spirv_result(c);
	}
}

static void compile_define_parameters(struct spirv_compiler *c,
				      const struct spirv_function *function)
{
	struct spirv_value *value;
	const struct spirv_type *type;
	uint32_t i;

	for (i = 0; i < function->parameter_count; i++) {
		type = spirv_type_of(c->module, function->parameters[i]);
		value = &c->values[function->parameters[i]];
		value->known = true;
		value->slot = spirv_take_slots(c, spirv_slots(c, type));
		value->base = value->slot;
		if (type->op == SpvOpTypePointer)
			value->space = spirv_space(c, type->storage_class);
	}
}

static void compile_blocks(struct spirv_compiler *c, const struct spirv_function *function)
{
	struct order order = { .c = c, .function = function };
	uint32_t i;

	order.seen = calloc(function->block_count, sizeof(*order.seen));
	order.list = calloc(function->block_count, sizeof(*order.list));
	if (order.seen && order.list)
		compile_visit_blocks(&order, function->first_block);
	else
		compile_no_memory(c);
	for (i = order.count; i && !c->error; i--)
		compile_block(c, order.list[i - 1]);
	spirv_edges_finish(c);
	free(order.seen);
	free(order.list);
}

static void compile_one(struct spirv_compiler *c, uint32_t index)
{
	const struct spirv_function *function = &c->module->functions[index];
	struct spirv_function_slots *slots = &c->functions[index];

	c->at = &c->module->instructions[function->first];
	compile_define_parameters(c, function);
	slots->back = spirv_take_slots(c, 1);
	slots->result =
		spirv_take_slots(c, spirv_slots(c, spirv_type(c->module, function->result)));
	compile_define_phis(c, function);
	slots->entry = c->program->length;
	compile_blocks(c, function);
}

/* A function on the path to a leaf of the call graph, and the position in its instructions. */
struct caller {
	uint32_t function, place;
};

/* The next function that @caller calls and that is not compiled yet; SPIRV_NONE: none. */
static uint32_t compile_next_called(struct spirv_compiler *c, struct caller *caller)
{
	const struct faa_spirv_module *module = c->module;
	const struct spirv_function *function = &module->functions[caller->function];
	uint32_t index;

	while (caller->place < function->count) {
		c->at = &module->instructions[function->first + caller->place++];
		if (c->at->opcode != SpvOpFunctionCall)
			continue;
		index = module->ids[c->at->operands[0]].index;
		if (!module->functions[index].block_count)
			spirv_unable(c, "calls a function that the module does not have");
		else if (!c->functions[index].done)
			return index;
	}
	return SPIRV_NONE;
}

void spirv_compile_function(struct spirv_compiler *c, uint32_t index)
{
	struct caller *stack = calloc(c->module->function_count, sizeof(*stack));
	uint32_t depth = 0;

	if (!stack) {
		compile_no_memory(c);
		return;
	}
	stack[depth++].function = index;
	c->functions[index].done = true;
	while (depth && !c->error) {
		index = compile_next_called(c, &stack[depth - 1]);
		if (index == SPIRV_NONE) {
			compile_one(c, stack[--depth].function);
			continue;
		}
		c->functions[index].done = true;
		stack[depth++] = (struct caller){ .function = index };
	}
	free(stack);
}

static const uint16_t compile_builtins[BUILTINS] = {
	[BUILTIN_NUM_WORKGROUPS] = SpvBuiltInNumWorkgroups,
	[BUILTIN_WORKGROUP_SIZE] = SpvBuiltInWorkgroupSize,
	[BUILTIN_WORKGROUP_ID] = SpvBuiltInWorkgroupId,
	[BUILTIN_LOCAL_ID] = SpvBuiltInLocalInvocationId,
	[BUILTIN_GLOBAL_ID] = SpvBuiltInGlobalInvocationId,
	[BUILTIN_LOCAL_INDEX] = SpvBuiltInLocalInvocationIndex,
	[BUILTIN_SUBGROUP_SIZE] = SpvBuiltInSubgroupSize,
	[BUILTIN_NUM_SUBGROUPS] = SpvBuiltInNumSubgroups,
	[BUILTIN_SUBGROUP_ID] = SpvBuiltInSubgroupId,
	[BUILTIN_SUBGROUP_LANE] = SpvBuiltInSubgroupLocalInvocationId,
	[BUILTIN_MASK_EQ] = SpvBuiltInSubgroupEqMask,
	[BUILTIN_MASK_GE] = SpvBuiltInSubgroupGeMask,
	[BUILTIN_MASK_GT] = SpvBuiltInSubgroupGtMask,
	[BUILTIN_MASK_LE] = SpvBuiltInSubgroupLeMask,
	[BUILTIN_MASK_LT] = SpvBuiltInSubgroupLtMask,
};

/* Emits the initial values of built-in slots and of variables of the module. */
static void compile_globals(struct spirv_compiler *c)
{
	const struct faa_spirv_module *module = c->module;
	const struct spirv_variable *variable;
	const struct spirv_value *value;
	uint32_t i, k;

	for (k = 0; k < BUILTINS; k++)
		c->program->builtin[k] = SLOT_NONE;
	for (i = 0; i < module->variable_count && !c->error; i++) {
		variable = &module->variables[i];
		/* Unused variables may belong to another entry point. */
		if (variable->function != SPIRV_NONE || !c->values[variable->id].known)
			continue;
		c->at = &module->instructions[module->ids[variable->id].instruction];
		if (variable->storage_class == SpvStorageClassInput) {
			value = spirv_value(c, variable->id);
			for (k = 0; k < BUILTINS && compile_builtins[k] != variable->builtin; k++)
				;
			if (k == BUILTINS)
				spirv_unable(c, "the interpreter does not have this input");
			else
				c->program->builtin[k] = (uint32_t)value->offset;
		} else if (variable->initializer &&
			   variable->storage_class == SpvStorageClassPrivate) {
			spirv_initialize(c, spirv_value(c, variable->id), variable->initializer);
		} else if (variable->initializer &&
			   variable->storage_class == SpvStorageClassWorkgroup) {
			c->program->clear_shared = true;
		}
	}
}

/* Literals are taken for ids too; the only effect is that some unused result is kept. */
static void compile_find_used(struct spirv_compiler *c)
{
	const struct spirv_function *function;
	const struct spirv_instruction *at;
	uint32_t i, k, n, word;

	for (i = 0; i < c->module->function_count; i++) {
		function = &c->module->functions[i];
		for (k = function->first; k < function->first + function->count; k++) {
			at = &c->module->instructions[k];
			for (n = 0; n < at->operand_count; n++) {
				word = at->operands[n];
				if (word < c->module->bound)
					c->used[word / 8] |= (uint8_t)(1 << word % 8);
			}
		}
	}
}

static void compile_check_modes(struct spirv_compiler *c)
{
	const struct spirv_entry *entry = c->entry;

	c->at = &c->module->instructions[entry->instruction];
	if (entry->model != SpvExecutionModelGLCompute)
		spirv_unable(c, "the execution model GLCompute is needed: '%s' has %s", entry->name,
			     spirv_enumerant(SPIRV_KIND_ExecutionModel, entry->model)->name);
	if (entry->round_zero)
		spirv_unable(
			c,
			"the execution mode RoundingModeRTZ is not supported: the device rounds to nearest");
	if (!entry->local_size[0] || !entry->local_size[1] || !entry->local_size[2])
		spirv_unable(c, "the module does not say how large a workgroup is");
	else if ((uint64_t)entry->local_size[0] * entry->local_size[1] > 4096 ||
		 (uint64_t)entry->local_size[0] * entry->local_size[1] * entry->local_size[2] >
			 4096)
		spirv_unable(c, "more than 4096 invocations in a workgroup");
	if (spirv_has_capability(c->module, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR))
		spirv_unable(c, "the capability WorkgroupMemoryExplicitLayoutKHR is not supported");
}

static void compile_entry(struct spirv_compiler *c)
{
	struct spirv_program *program = c->program;
	const struct spirv_entry *entry = c->entry;
	struct spirv_ins *call;
	uint32_t start;

	compile_check_modes(c);
	compile_find_used(c);
	memcpy(program->local, entry->local_size, sizeof(program->local));
	program->reconverges = entry->reconverges;
	program->push_bytes = (uint32_t)c->module->info.push_constant_size;
	c->flush = entry->denorm_flush;
	c->solid = spirv_has_capability(c->module, SpvCapabilityVariablePointers) ||
		   spirv_has_capability(c->module, SpvCapabilityVariablePointersStorageBuffer) ||
		   spirv_has_capability(c->module, SpvCapabilityPhysicalStorageBufferAddresses);
	spirv_compile_function(c, entry->function);
	/* The start code follows the functions, and calls the entry point. */
	start = program->length;
	compile_globals(c);
	c->at = NULL;
	call = spirv_emit(c, CODE_CALL);
	call->dst = c->functions[entry->function].back;
	call->extra = c->functions[entry->function].entry;
	spirv_emit(c, CODE_END);
	program->entry = start;
}

int spirv_compile(const struct faa_spirv_module *module, const struct spirv_entry *entry,
		  struct spirv_program *program, struct faa_spirv_message *message)
{
	struct spirv_compiler c = {
		.module = module, .entry = entry, .program = program, .message = message
	};

	memset(program, 0, sizeof(*program));
	c.values = calloc(module->bound, sizeof(*c.values));
	c.functions = calloc(module->function_count + 1, sizeof(*c.functions));
	c.layouts = calloc(module->type_count + 1, sizeof(*c.layouts));
	c.block_at = calloc(module->block_count + 1, sizeof(*c.block_at));
	c.phi_value = calloc(module->block_count + 1, sizeof(*c.phi_value));
	c.used = calloc(module->bound / 8 + 1, 1);
	if (c.values && c.functions && c.layouts && c.block_at && c.phi_value && c.used)
		compile_entry(&c);
	else
		c.error = -ENOMEM;
	free(c.values);
	free(c.functions);
	free(c.layouts);
	free(c.block_at);
	free(c.phi_value);
	free(c.pending);
	free(c.used);
	if (c.error)
		spirv_program_free(program);
	return c.error;
}

void spirv_program_free(struct spirv_program *program)
{
	free(program->code);
	free(program->constants);
	free(program->resources);
	free(program->edges);
	free(program->moves);
	free(program->cases);
	free(program->accesses);
	free(program->leaves);
	free(program->atomics);
	free(program->fences);
	memset(program, 0, sizeof(*program));
}
