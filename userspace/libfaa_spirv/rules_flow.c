// SPDX-License-Identifier: MIT
/* Phis and their predecessors, merges and dominance, back edges, recursion. */
#include <errno.h>
#include <stdlib.h>

#include "typing.h"

/*
 * Predecessors of block b: edge[first[b]] to edge[first[b + 1] - 1]; two edges from one block occur
 * twice.
 */
struct edges {
	uint32_t *first, *edge;
	/* By block: mark of the last block that has it as predecessor; last phi that names it. */
	uint32_t *stamp, *named;
};

static void flow_free_edges(struct edges *edges)
{
	free(edges->first);
	free(edges->edge);
	free(edges->stamp);
	free(edges->named);
}

static int flow_collect_edges(const struct faa_spirv_module *module, struct edges *edges)
{
	uint32_t b, i, total = 0;

	for (b = 0; b < module->block_count; b++)
		total += module->blocks[b].successor_count;
	edges->first = calloc((size_t)module->block_count + 2, sizeof(uint32_t));
	edges->edge = calloc((size_t)total + 1, sizeof(uint32_t));
	edges->stamp = calloc((size_t)module->block_count + 1, sizeof(uint32_t));
	edges->named = calloc((size_t)module->block_count + 1, sizeof(uint32_t));
	if (!edges->first || !edges->edge || !edges->stamp || !edges->named)
		return -ENOMEM;
	for (b = 0; b < module->block_count; b++)
		for (i = 0; i < module->blocks[b].successor_count; i++)
			edges->first[module->blocks[b].successors[i] + 2]++;
	for (b = 0; b < module->block_count; b++)
		edges->first[b + 2] += edges->first[b + 1];
	for (b = 0; b < module->block_count; b++)
		for (i = 0; i < module->blocks[b].successor_count; i++)
			edges->edge[edges->first[module->blocks[b].successors[i] + 1]++] = b;
	return 0;
}

/* A phi has one pair for each of its @count predecessors, which are stamped with @mark. */
static int flow_check_phi(struct spirv_context *context, struct edges *edges,
			  const struct spirv_instruction *phi, uint32_t mark, uint32_t count)
{
	const struct faa_spirv_module *module = context->module;
	uint32_t i, name = phi - module->instructions + 1;

	if (phi->operand_count != 2 * count)
		return spirv_refuse(
			context, phi, 0, phi->result,
			"OpPhi's number of incoming blocks (%u) does not match block's predecessor count (%u).",
			phi->operand_count / 2, count);
	for (i = 0; i < phi->operand_count; i += 2) {
		const struct spirv_type *type = spirv_value_type(module, phi->operands[i]);
		uint32_t parent = module->ids[phi->operands[i + 1]].index;

		if (!type || type->id != phi->type)
			return spirv_refuse(
				context, phi, 3 + i, phi->result,
				"OpPhi's result type <id> %u does not match incoming value <id> %u type.",
				phi->type, phi->operands[i]);
		if (edges->stamp[parent] != mark)
			return spirv_refuse(
				context, phi, 4 + i, phi->result,
				"OpPhi's incoming basic block <id> %u is not a predecessor of its block.",
				phi->operands[i + 1]);
		if (edges->named[parent] == name)
			return spirv_refuse(context, phi, 4 + i, phi->result,
					    "OpPhi names the incoming basic block <id> %u twice",
					    phi->operands[i + 1]);
		edges->named[parent] = name;
	}
	return 0;
}

static int flow_check_phis(struct spirv_context *context, struct edges *edges, uint32_t b)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_block *block = &module->blocks[b];
	uint32_t i, count = 0;
	int ret = 0;

	for (i = edges->first[b]; i < edges->first[b + 1]; i++) {
		count += edges->stamp[edges->edge[i]] != b + 1;
		edges->stamp[edges->edge[i]] = b + 1;
	}
	for (i = 0; i < block->count && !ret; i++)
		if (module->instructions[block->first + i].opcode == SpvOpPhi)
			ret = flow_check_phi(context, edges,
					     &module->instructions[block->first + i], b + 1, count);
	return ret;
}

/* ------------------------------------------------------------------------------------------------
 * Structure
 */

static const struct spirv_instruction *flow_last_of(const struct faa_spirv_module *module,
						    const struct spirv_block *block)
{
	return &module->instructions[block->first + block->count - 1];
}

/* By block: whether it is a merge block; whether a branch leads to it. */
struct marks {
	bool *merge, *seen;
};

/* A merge block belongs to one header, which dominates it. */
static int flow_check_header(struct spirv_context *context, const struct spirv_block *block,
			     struct marks *marks)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_instruction *at = flow_last_of(module, block) - 1;
	const struct spirv_block *merge = &module->blocks[block->merge];

	if (marks->merge[block->merge])
		return spirv_refuse(context, at, 1, merge->label,
				    "Block %u is already a merge block for another header",
				    merge->label);
	marks->merge[block->merge] = true;
	if (merge->reachable && !spirv_dominates(block, merge))
		return spirv_refuse(
			context, at, 1, merge->label,
			"The %s construct with the header %u does not dominate the merge block %u",
			block->merge_op == SpvOpLoopMerge ? "loop" : "selection", block->label,
			merge->label);
	if (block->merge_op != SpvOpLoopMerge)
		return 0;
	merge = &module->blocks[block->continue_target];
	if (merge->reachable && !spirv_dominates(block, merge))
		return spirv_refuse(
			context, at, 2, merge->label,
			"The loop construct with the header %u does not dominate the continue target %u",
			block->label, merge->label);
	return 0;
}

/* A back edge of the depth-first walk must lead to the header of the loop that it closes. */
static int flow_check_back_edges(struct spirv_context *context, const struct spirv_block *block)
{
	const struct faa_spirv_module *module = context->module;
	uint32_t i;

	for (i = 0; i < block->successor_count; i++) {
		const struct spirv_block *target = &module->blocks[block->successors[i]];

		if (block->order < target->order || block->order > target->order_end)
			continue;
		if (!spirv_dominates(target, block) || target->merge_op != SpvOpLoopMerge)
			return spirv_refuse(
				context, flow_last_of(module, block), 0, target->label,
				"Back-edges (%u -> %u) can only be formed between a block and a loop header.",
				block->label, target->label);
	}
	return 0;
}

/*
 * A conditional branch without a merge must leave a construct with one of its targets: the merge
 * block or continue target of an earlier header, or the target of an earlier conditional branch.
 */
static int flow_check_choice(struct spirv_context *context, const struct spirv_block *block,
			     struct marks *marks)
{
	const struct spirv_instruction *at = flow_last_of(context->module, block);
	bool left, right;

	if (block->merge != SPIRV_NONE)
		marks->seen[block->merge] = true;
	if (block->continue_target != SPIRV_NONE)
		marks->seen[block->continue_target] = true;
	if (at->opcode == SpvOpSwitch && !block->merge_op)
		return spirv_refuse(context, at, 0, 0,
				    "OpSwitch must be preceded by an OpSelectionMerge instruction");
	if (at->opcode != SpvOpBranchConditional)
		return 0;
	left = marks->seen[block->successors[0]];
	right = marks->seen[block->successors[1]];
	marks->seen[block->successors[0]] = true;
	marks->seen[block->successors[1]] = true;
	if (block->merge_op || left || right || block->successors[0] == block->successors[1])
		return 0;
	return spirv_refuse(context, at, 0, block->label, "Selection must be structured");
}

static int flow_check_structure(struct spirv_context *context, const struct spirv_block *block,
				struct marks *marks)
{
	int ret = 0;

	if (!block->reachable)
		return 0;
	if (block->merge_op)
		ret = flow_check_header(context, block, marks);
	if (!ret)
		ret = flow_check_back_edges(context, block);
	return ret ? ret : flow_check_choice(context, block, marks);
}

/* ------------------------------------------------------------------------------------------------
 * Recursion
 */

/*
 * A walk over calls: position in each function on the stack; state: 0 new, 1 on the stack, 2 done.
 */
struct calls {
	uint32_t *stack, *place;
	uint8_t *state;
};

/* The callee of the next call in function @f; SPIRV_NONE: there is none. */
static uint32_t flow_next_call(const struct faa_spirv_module *module, struct calls *calls,
			       uint32_t f)
{
	const struct spirv_function *function = &module->functions[f];

	while (calls->place[f] < function->count) {
		const struct spirv_instruction *at =
			&module->instructions[function->first + calls->place[f]++];

		if (at->opcode == SpvOpFunctionCall)
			return module->ids[at->operands[0]].index;
	}
	return SPIRV_NONE;
}

static int flow_walk_calls(struct spirv_context *context, struct calls *calls, uint32_t from)
{
	const struct faa_spirv_module *module = context->module;
	uint32_t depth = 1;

	calls->stack[0] = from;
	calls->state[from] = 1;
	while (depth) {
		uint32_t f = calls->stack[depth - 1], callee = flow_next_call(module, calls, f);

		if (callee == SPIRV_NONE) {
			calls->state[f] = 2;
			depth--;
		} else if (calls->state[callee] == 1) {
			return spirv_refuse(context,
					    &module->instructions[module->functions[f].first +
								  calls->place[f] - 1],
					    3, module->functions[callee].id,
					    "Entry points may not have a call graph with cycles.");
		} else if (!calls->state[callee]) {
			calls->state[callee] = 1;
			calls->stack[depth++] = callee;
		}
	}
	return 0;
}

static int flow_check_calls(struct spirv_context *context)
{
	const struct faa_spirv_module *module = context->module;
	size_t count = (size_t)module->function_count + 1;
	struct calls calls = { calloc(count, sizeof(uint32_t)), calloc(count, sizeof(uint32_t)),
			       calloc(count, 1) };
	int ret = calls.stack && calls.place && calls.state ? 0 : -ENOMEM;
	uint32_t f;

	for (f = 0; f < module->function_count && !ret; f++)
		if (!calls.state[f])
			ret = flow_walk_calls(context, &calls, f);
	free(calls.stack);
	free(calls.place);
	free(calls.state);
	return ret;
}

int spirv_check_flow(struct spirv_context *context)
{
	const struct faa_spirv_module *module = context->module;
	size_t count = (size_t)module->block_count + 1;
	struct marks marks = { calloc(count, sizeof(bool)), calloc(count, sizeof(bool)) };
	struct edges edges = { 0 };
	int ret = marks.merge && marks.seen ? flow_collect_edges(module, &edges) : -ENOMEM;
	uint32_t b;

	for (b = 0; b < module->block_count && !ret; b++) {
		ret = flow_check_phis(context, &edges, b);
		if (!ret && spirv_has_capability(module, SpvCapabilityShader))
			ret = flow_check_structure(context, &module->blocks[b], &marks);
	}
	flow_free_edges(&edges);
	free(marks.merge);
	free(marks.seen);
	return ret ? ret : flow_check_calls(context);
}
