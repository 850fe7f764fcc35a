// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "compile.h"
#include "lanes.h"

uint32_t spirv_edge(struct spirv_compiler *c, uint32_t to)
{
	struct spirv_program *program = c->program;
	struct spirv_pending_edge *pending;
	uint32_t index = program->edge_count;

	spirv_append(c, &program->edges, &program->edge_count, 1, sizeof(*program->edges));
	pending = spirv_append(c, &c->pending, &c->pending_count, 1, sizeof(*pending));
	if (pending)
		*pending = (struct spirv_pending_edge){ index, c->current, to };
	return index;
}

/* Edges to one block, sorted by source. */
struct spirv_edge_group {
	const struct spirv_pending_edge *edges;
	uint32_t count;
	/* Number of distinct source blocks; edges between the same blocks share their moves. */
	uint32_t sources;
};

/* Sets phi_value of each predecessor of phi @at, or clears it. */
static void flow_note_phi(struct spirv_compiler *c, bool forget)
{
	const struct spirv_id *ids = c->module->ids;
	uint32_t i, label;

	for (i = 0; i + 1 < c->at->operand_count; i += 2) {
		label = c->at->operands[i + 1];
		if (ids[label].kind != SPIRV_ID_BLOCK)
			continue;
		if (forget)
			c->phi_value[ids[label].index] = 0;
		else if (!c->phi_value[ids[label].index])
			c->phi_value[ids[label].index] = c->at->operands[i];
	}
}

/* A pointer without a slot of its own would have to be computed in its defining block. */
static uint32_t flow_phi_slot(struct spirv_compiler *c, uint32_t id)
{
	const struct spirv_value *value = spirv_value(c, id);
	const struct spirv_type *type = spirv_type_of(c->module, id);

	if ((type->op == SpvOpTypePointer || type->op == SpvOpTypeImage) &&
	    value->base != SLOT_NONE && value->offset)
		spirv_unable(
			c, "pointer %%%u cannot be chosen without the capability VariablePointers",
			id);
	return spirv_slot(c, id);
}

/*
 * Adds the moves of phi @at for each source of @group; the moves of consecutive sources are @stride
 * apart.
 */
static void flow_move_phi(struct spirv_compiler *c, const struct spirv_edge_group *group,
			  uint32_t first, uint32_t stride)
{
	uint32_t to = spirv_result(c), i, from, value, at = first;
	uint32_t count = spirv_slots(c, spirv_type(c->module, c->at->type));

	flow_note_phi(c, false);
	for (i = 0; i < group->count && !c->error; i++) {
		from = group->edges[i].from;
		if (i && from == group->edges[i - 1].from)
			continue;
		value = c->phi_value[from];
		if (!value)
			spirv_unable(c, "has nothing for its predecessor %%%u",
				     c->module->blocks[from].label);
		else if (stride)
			c->program->moves[at] =
				(struct spirv_move){ to, flow_phi_slot(c, value), count };
		at += stride;
	}
	flow_note_phi(c, true);
}

/* Counts the phis at the start of @block; a phi that lacks a source is an error. */
static uint32_t flow_count_phis(struct spirv_compiler *c, const struct spirv_block *block,
				const struct spirv_edge_group *group)
{
	uint32_t i;

	for (i = 0; i < block->count && !c->error; i++) {
		c->at = &c->module->instructions[block->first + i];
		if (c->at->opcode != SpvOpPhi)
			break;
		/* Too few pairs: report it before moves are allocated. */
		if (c->at->operand_count / 2 < group->sources)
			flow_move_phi(c, group, 0, 0);
	}
	return i;
}

static void flow_finish_group(struct spirv_compiler *c, const struct spirv_edge_group *group)
{
	uint32_t to = group->edges[0].to, first = c->program->move_count, phis, i, slots = 0;
	const struct spirv_block *block = &c->module->blocks[to];
	struct spirv_program *program = c->program;

	phis = flow_count_phis(c, block, group);
	if (c->error || (phis && !spirv_append(c, &program->moves, &program->move_count,
					       phis * group->sources, sizeof(*program->moves))))
		return;
	for (i = 0; i < phis && !c->error; i++) {
		c->at = &c->module->instructions[block->first + i];
		flow_move_phi(c, group, first + i, phis);
		slots += c->error ? 0 : program->moves[first + i].count;
	}
	if (slots > program->most_moves)
		program->most_moves = slots;
	for (i = 0; i < group->count && !c->error; i++) {
		if (i && group->edges[i].from != group->edges[i - 1].from)
			first += phis;
		program->edges[group->edges[i].edge] =
			(struct spirv_edge){ c->block_at[to], first, phis };
	}
}

static int flow_compare_edges(const void *left, const void *right)
{
	const struct spirv_pending_edge *a = left, *b = right;

	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

void spirv_edges_finish(struct spirv_compiler *c)
{
	struct spirv_edge_group group;
	uint32_t i;

	if (c->pending_count)
		qsort(c->pending, c->pending_count, sizeof(*c->pending), flow_compare_edges);
	for (i = 0; i < c->pending_count && !c->error; i += group.count) {
		group = (struct spirv_edge_group){ &c->pending[i], 0, 0 };
		for (; i + group.count < c->pending_count &&
		       group.edges[group.count].to == group.edges[0].to;
		     group.count++)
			group.sources += !group.count || group.edges[group.count].from !=
								 group.edges[group.count - 1].from;
		flow_finish_group(c, &group);
	}
	c->pending_count = 0;
}

static uint32_t flow_successor(struct spirv_compiler *c, uint32_t index)
{
	return c->module->blocks[c->current].successors[index];
}

static void flow_branch(struct spirv_compiler *c)
{
	uint32_t edge = spirv_edge(c, flow_successor(c, 0));

	spirv_emit(c, CODE_JUMP)->a = edge;
}

static void flow_branch_conditional(struct spirv_compiler *c)
{
	uint32_t condition = spirv_slot(c, c->at->operands[0]);
	uint32_t yes = spirv_edge(c, flow_successor(c, 0)),
		 no = spirv_edge(c, flow_successor(c, 1));
	struct spirv_ins *ins = spirv_emit(c, CODE_JUMP_IF);

	ins->a = condition;
	ins->b = yes;
	ins->c = no;
}

static void flow_branch_switch(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	unsigned int width = spirv_width(spirv_type_of(c->module, operands[0]));
	uint32_t words = width > 32 ? 2 : 1, selector = spirv_slot(c, operands[0]);
	uint32_t first = c->program->case_count, count = (c->at->operand_count - 2) / (words + 1),
		 i;
	uint32_t otherwise = spirv_edge(c, flow_successor(c, 0)), edge;
	const uint32_t *literal = operands + 2;
	struct spirv_case *entry;
	struct spirv_ins *ins;

	for (i = 0; i < count; i++, literal += words + 1) {
		edge = spirv_edge(c, c->module->ids[literal[words]].index);
		entry = spirv_append(c, &c->program->cases, &c->program->case_count, 1,
				     sizeof(*entry));
		if (!entry)
			return;
		entry->edge = edge;
		entry->value = literal[0];
		if (words == 2)
			entry->value |= (uint64_t)literal[1] << 32;
		entry->value &= spirv_mask(width);
	}
	ins = spirv_emit(c, CODE_SWITCH);
	ins->a = selector;
	ins->b = otherwise;
	ins->extra = first;
	ins->imm = count;
}

static void flow_call(struct spirv_compiler *c)
{
	uint32_t index = c->module->ids[c->at->operands[0]].index, i, from;
	const struct spirv_function *function = &c->module->functions[index];
	const struct spirv_function_slots *slots = &c->functions[index];
	const struct spirv_type *type = spirv_type(c->module, function->result);
	struct spirv_ins *ins;

	for (i = 0; i < function->parameter_count; i++) {
		from = spirv_slot(c, c->at->operands[1 + i]);
		spirv_move(c, c->values[function->parameters[i]].slot, from,
			   spirv_slots(c, spirv_type_of(c->module, function->parameters[i])));
	}
	ins = spirv_emit(c, CODE_CALL);
	ins->dst = slots->back;
	ins->extra = slots->entry;
	if (type->op != SpvOpTypeVoid)
		spirv_move(c, spirv_result(c), slots->result, spirv_slots(c, type));
}

static void flow_leave(struct spirv_compiler *c)
{
	const struct spirv_function_slots *slots =
		&c->functions[c->module->blocks[c->current].function];

	if (c->at->opcode == SpvOpReturnValue)
		spirv_move(c, slots->result, spirv_slot(c, c->at->operands[0]),
			   spirv_slots(c, spirv_type_of(c->module, c->at->operands[0])));
	spirv_emit(c, CODE_RETURN)->a = slots->back;
}

bool spirv_compile_flow(struct spirv_compiler *c)
{
	switch (c->at->opcode) {
	case SpvOpPhi:
	case SpvOpSelectionMerge:
	case SpvOpLoopMerge:
	case SpvOpLine:
	case SpvOpNoLine:
	case SpvOpNop:
		return true;
	case SpvOpBranch:
		flow_branch(c);
		return true;
	case SpvOpBranchConditional:
		flow_branch_conditional(c);
		return true;
	case SpvOpSwitch:
		flow_branch_switch(c);
		return true;
	case SpvOpFunctionCall:
		flow_call(c);
		return true;
	case SpvOpReturn:
	case SpvOpReturnValue:
		flow_leave(c);
		return true;
	case SpvOpUnreachable:
		spirv_emit(c, CODE_TRAP);
		return true;
	default:
		return false;
	}
}
