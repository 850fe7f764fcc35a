// SPDX-License-Identifier: MIT
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

/* What phi @at takes when control comes from block @from. */
static uint32_t phi_source(struct spirv_compiler *c, uint32_t from)
{
	uint32_t label = c->module->blocks[from].label, i;

	for (i = 0; i + 1 < c->at->operand_count; i += 2)
		if (c->at->operands[i + 1] == label)
			return c->at->operands[i];
	spirv_unable(c, "has nothing for its predecessor %%%u", label);
	return c->at->operands[0];
}

/* The slot of a pointer is computed where it is made: here it is too late for it. */
static uint32_t phi_slot(struct spirv_compiler *c, uint32_t id)
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

static void finish_edge(struct spirv_compiler *c, const struct spirv_pending_edge *pending)
{
	const struct spirv_block *block = &c->module->blocks[pending->to];
	struct spirv_program *program = c->program;
	uint32_t first = program->move_count, i, slots = 0, from;
	struct spirv_move *move;

	for (i = 0; i < block->count && !c->error; i++) {
		c->at = &c->module->instructions[block->first + i];
		if (c->at->opcode != SpvOpPhi)
			break;
		from = phi_slot(c, phi_source(c, pending->from));
		move = spirv_append(c, &program->moves, &program->move_count, 1, sizeof(*move));
		if (!move)
			return;
		*move = (struct spirv_move){ spirv_result(c), from,
					     spirv_slots(c, spirv_type(c->module, c->at->type)) };
		slots += move->count;
	}
	if (c->error)
		return;
	program->edges[pending->edge] =
		(struct spirv_edge){ c->block_at[pending->to], first, program->move_count - first };
	if (slots > program->most_moves)
		program->most_moves = slots;
}

void spirv_edges_finish(struct spirv_compiler *c)
{
	uint32_t i;

	for (i = 0; i < c->pending_count && !c->error; i++)
		finish_edge(c, &c->pending[i]);
	c->pending_count = 0;
}

static uint32_t successor(struct spirv_compiler *c, uint32_t index)
{
	return c->module->blocks[c->current].successors[index];
}

static void branch(struct spirv_compiler *c)
{
	uint32_t edge = spirv_edge(c, successor(c, 0));

	spirv_emit(c, CODE_JUMP)->a = edge;
}

static void branch_conditional(struct spirv_compiler *c)
{
	uint32_t condition = spirv_slot(c, c->at->operands[0]);
	uint32_t yes = spirv_edge(c, successor(c, 0)), no = spirv_edge(c, successor(c, 1));
	struct spirv_ins *ins = spirv_emit(c, CODE_JUMP_IF);

	ins->a = condition;
	ins->b = yes;
	ins->c = no;
}

static void branch_switch(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	unsigned int width = spirv_width(spirv_type_of(c->module, operands[0]));
	uint32_t words = width > 32 ? 2 : 1, selector = spirv_slot(c, operands[0]);
	uint32_t first = c->program->case_count, count = (c->at->operand_count - 2) / (words + 1),
		 i;
	uint32_t otherwise = spirv_edge(c, successor(c, 0)), edge;
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

static void call(struct spirv_compiler *c)
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

static void leave(struct spirv_compiler *c)
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
		branch(c);
		return true;
	case SpvOpBranchConditional:
		branch_conditional(c);
		return true;
	case SpvOpSwitch:
		branch_switch(c);
		return true;
	case SpvOpFunctionCall:
		call(c);
		return true;
	case SpvOpReturn:
	case SpvOpReturnValue:
		leave(c);
		return true;
	case SpvOpUnreachable:
		spirv_emit(c, CODE_TRAP);
		return true;
	default:
		return false;
	}
}
