// SPDX-License-Identifier: MIT
#include <errno.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "lanes.h"
#include "run.h"

/* Instructions that a warp executes in its turn. */
#define QUANTUM 65536u
/*
 * Turns of a loop while other lanes of the warp wait for its end. Then the waiting lanes run first,
 * as the loop may depend on them.
 */
#define PATIENCE      256u
#define LESS_PATIENCE 32u
/* Weight of a turn that waits for the device. */
#define DEVICE_TURN 16u

void spirv_warp_join(struct spirv_warp *warp, uint32_t at, uint32_t lanes, bool late)
{
	unsigned int i = 0;

	if (!lanes)
		return;
	while (i < warp->group_count && warp->groups[i].at < at)
		i++;
	if (i < warp->group_count && warp->groups[i].at == at) {
		warp->groups[i].lanes |= lanes;
		warp->groups[i].late &= late;
		return;
	}
	memmove(&warp->groups[i + 1], &warp->groups[i],
		(warp->group_count - i) * sizeof(warp->groups[0]));
	warp->groups[i] = (struct spirv_group){ at, lanes, late };
	warp->group_count++;
}

/* Selects the group at the lowest instruction that is not late. */
static unsigned int warp_choose(struct spirv_warp *warp)
{
	unsigned int i;

	for (i = 0; i < warp->group_count; i++)
		if (!warp->groups[i].late)
			return i;
	for (i = 0; i < warp->group_count; i++)
		warp->groups[i].late = false;
	return 0;
}

static struct spirv_group warp_take(struct spirv_warp *warp, unsigned int index)
{
	struct spirv_group group = warp->groups[index];

	warp->group_count--;
	memmove(&warp->groups[index], &warp->groups[index + 1],
		(warp->group_count - index) * sizeof(warp->groups[0]));
	return group;
}

/*
 * If the module requires reconvergence, the lanes of a loop are never late: others wait for them at
 * the merge block.
 */
static void warp_count_turns(const struct spirv_run *run, struct spirv_warp *warp,
			     struct spirv_group *group, uint32_t turns)
{
	if (!warp->group_count || run->program->reconverges) {
		warp->turns = 0;
		warp->hurried = false;
		group->late = false;
		return;
	}
	warp->turns += turns;
	if (warp->turns < (warp->hurried ? LESS_PATIENCE : PATIENCE))
		return;
	group->late = true;
	warp->turns = 0;
	warp->hurried = true;
}

/* The moves of an edge are parallel: all sources are read before a destination is written. */
static void warp_edge_moves(struct spirv_run *run, struct spirv_warp *warp,
			    const struct spirv_edge *edge, uint32_t lanes)
{
	const struct spirv_move *moves = run->program->moves + edge->move;
	uint64_t *scratch = run->scratch;
	uint32_t i, k;

	for (i = 0; i < edge->moves; i++) {
		memcpy(scratch, spirv_lanes_of(run, warp, moves[i].from),
		       (size_t)moves[i].count * SPIRV_LANES * sizeof(*scratch));
		scratch += (size_t)moves[i].count * SPIRV_LANES;
	}
	scratch = run->scratch;
	for (i = 0; i < edge->moves; i++) {
		for (k = 0; k < moves[i].count; k++) {
			spirv_put(spirv_lanes_of(run, warp, moves[i].to + k), scratch, lanes);
			scratch += SPIRV_LANES;
		}
	}
}

static void warp_follow(struct spirv_run *run, struct spirv_warp *warp, struct spirv_group *group,
			uint32_t index, uint32_t lanes)
{
	const struct spirv_edge *edge = &run->program->edges[index];

	if (!lanes)
		return;
	if (edge->moves)
		warp_edge_moves(run, warp, edge, lanes);
	if (edge->target <= group->at)
		warp_count_turns(run, warp, group, 1);
	spirv_warp_join(warp, edge->target, lanes, group->late);
}

static void warp_jump_if(struct spirv_run *run, struct spirv_warp *warp, struct spirv_group *group,
			 const struct spirv_ins *ins)
{
	const uint64_t *condition = spirv_lanes_of(run, warp, ins->a);
	uint32_t yes = 0;
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++)
		yes |= (uint32_t)(condition[i] & 1) << i;
	/* Lanes of both edges may join at one block. */
	warp_follow(run, warp, group, ins->b, group->lanes & yes);
	warp_follow(run, warp, group, ins->c, group->lanes & ~yes);
}

static void warp_jump_switch(struct spirv_run *run, struct spirv_warp *warp,
			     struct spirv_group *group, const struct spirv_ins *ins)
{
	const struct spirv_case *entry = run->program->cases + ins->extra;
	const uint64_t *selector = spirv_lanes_of(run, warp, ins->a);
	uint32_t left = group->lanes, lanes, i, k;

	for (i = 0; i < (uint64_t)ins->imm && left; i++) {
		lanes = 0;
		for (k = 0; k < SPIRV_LANES; k++)
			lanes |= (uint32_t)(selector[k] == entry[i].value) << k;
		warp_follow(run, warp, group, entry[i].edge, left & lanes);
		left &= ~lanes;
	}
	warp_follow(run, warp, group, ins->b, left);
}

static void warp_call(struct spirv_run *run, struct spirv_warp *warp,
		      const struct spirv_group *group, const struct spirv_ins *ins)
{
	uint64_t *back = spirv_lanes_of(run, warp, ins->dst);
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++)
		if (group->lanes >> i & 1)
			back[i] = group->at + 1;
	spirv_warp_join(warp, ins->extra, group->lanes, group->late);
}

/* Lanes that were called from different places diverge here. */
static void warp_leave(struct spirv_run *run, struct spirv_warp *warp,
		       const struct spirv_group *group, const struct spirv_ins *ins)
{
	const uint64_t *back = spirv_lanes_of(run, warp, ins->a);
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++) {
		if (!(group->lanes >> i & 1))
			continue;
		if (back[i] >= run->program->length)
			spirv_stop(run, ins, warp, i, "an index has led out of a variable before");
		else
			spirv_warp_join(warp, (uint32_t)back[i], 1u << i, group->late);
	}
}

static void warp_finish(struct spirv_warp *warp, uint32_t lanes)
{
	struct spirv_workgroup *workgroup = warp->workgroup;

	workgroup->live -= (uint32_t)__builtin_popcount(lanes);
	spirv_barrier_check(workgroup);
}

void spirv_barrier_check(struct spirv_workgroup *workgroup)
{
	struct spirv_warp *warp;
	uint32_t i, k, step = 0;
	bool stale = false, asked = false;

	if (!workgroup->arrived || workgroup->arrived != workgroup->live)
		return;
	for (i = 0; i < workgroup->warp_count; i++) {
		warp = &workgroup->warps[i];
		step = warp->step > step ? warp->step : step;
		stale |= warp->stale;
		asked |= warp->asked;
	}
	for (i = 0; i < workgroup->warp_count; i++) {
		warp = &workgroup->warps[i];
		warp->step = step;
		warp->stale = stale;
		warp->asked = asked;
		for (k = 0; k < SPIRV_LANES; k++)
			if (warp->barrier >> k & 1)
				spirv_warp_join(warp, warp->barrier_at[k], 1u << k, false);
		if (warp->barrier)
			warp->state = WARP_READY;
		warp->barrier = 0;
	}
	workgroup->arrived = 0;
}

static void warp_barrier(struct spirv_run *run, struct spirv_warp *warp,
			 const struct spirv_group *group, const struct spirv_ins *ins)
{
	unsigned int i;

	spirv_fence(run, warp, ins);
	for (i = 0; i < SPIRV_LANES; i++)
		if (group->lanes >> i & 1)
			warp->barrier_at[i] = group->at + 1;
	warp->barrier |= group->lanes;
	warp->workgroup->arrived += (uint32_t)__builtin_popcount(group->lanes);
	spirv_barrier_check(warp->workgroup);
}

/*
 * Executes an instruction after which the lanes of a group may diverge. Return: whether it is one.
 */
static bool warp_flow(struct spirv_run *run, struct spirv_warp *warp, struct spirv_group *group,
		      const struct spirv_ins *ins)
{
	switch (ins->code) {
	case CODE_JUMP:
		warp_follow(run, warp, group, ins->a, group->lanes);
		return true;
	case CODE_JUMP_IF:
		warp_jump_if(run, warp, group, ins);
		return true;
	case CODE_SWITCH:
		warp_jump_switch(run, warp, group, ins);
		return true;
	case CODE_CALL:
		warp_call(run, warp, group, ins);
		return true;
	case CODE_RETURN:
		warp_leave(run, warp, group, ins);
		return true;
	case CODE_BARRIER:
		warp_barrier(run, warp, group, ins);
		return true;
	case CODE_END:
		warp_finish(warp, group->lanes);
		return true;
	case CODE_TRAP:
		spirv_stop(run, ins, warp, (unsigned int)__builtin_ctz(group->lanes), "is reached");
		return true;
	default:
		return false;
	}
}

static void warp_move(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		      uint32_t lanes)
{
	uint64_t *to = spirv_lanes_of(run, warp, ins->dst);
	const uint64_t *from = spirv_lanes_of(run, warp, ins->a);
	uint32_t i;

	if (lanes == UINT32_MAX) {
		memmove(to, from, (size_t)ins->count * SPIRV_LANES * sizeof(*to));
		return;
	}
	for (i = 0; i < ins->count; i++)
		spirv_put(to + (size_t)i * SPIRV_LANES, from + (size_t)i * SPIRV_LANES, lanes);
}

static void warp_mul_add(struct spirv_run *run, struct spirv_warp *warp,
			 const struct spirv_ins *ins, uint32_t lanes)
{
	const uint64_t *a = spirv_lanes_of(run, warp, ins->a),
		       *b = spirv_lanes_of(run, warp, ins->b);
	uint64_t out[SPIRV_LANES];
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++)
		out[i] = a[i] + (b ? (uint64_t)spirv_signed(b[i], ins->width) * (uint64_t)ins->imm :
				     (uint64_t)ins->imm);
	spirv_put(spirv_lanes_of(run, warp, ins->dst), out, lanes);
}

/*
 * An index beyond all constants reads the last one. The access to the resulting address is checked.
 */
static void warp_table(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		       uint32_t lanes)
{
	const uint64_t *index = spirv_lanes_of(run, warp, ins->b);
	uint64_t out[SPIRV_LANES], first = ins->a & ~SLOT_CONST,
				   last = run->program->constant_count - 1;
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++)
		out[i] = run->constants[(index[i] > last - first ? last : first + index[i]) *
						SPIRV_LANES +
					i];
	spirv_put(spirv_lanes_of(run, warp, ins->dst), out, lanes);
}

static void warp_pack(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		      uint32_t lanes)
{
	const uint64_t *from = spirv_lanes_of(run, warp, ins->a);
	uint64_t *to = spirv_lanes_of(run, warp, ins->dst), out[SPIRV_LANES] = { 0 };
	unsigned int i, k;

	for (k = 0; k < ins->count; k++) {
		for (i = 0; i < SPIRV_LANES; i++) {
			if (ins->code == CODE_PACK)
				out[i] |= from[(size_t)k * SPIRV_LANES + i] << (k * ins->width);
			else
				out[i] = from[i] >> (k * ins->width) & spirv_mask(ins->width);
		}
		if (ins->code == CODE_UNPACK)
			spirv_put(to + (size_t)k * SPIRV_LANES, out, lanes);
	}
	if (ins->code == CODE_PACK)
		spirv_put(to, out, lanes);
}

static void warp_arithmetic(struct spirv_run *run, struct spirv_warp *warp,
			    const struct spirv_ins *ins, uint32_t lanes)
{
	const uint64_t *a = spirv_lanes_of(run, warp, ins->a),
		       *b = spirv_lanes_of(run, warp, ins->b);
	const uint64_t *c = spirv_lanes_of(run, warp, ins->c);
	uint64_t *to = spirv_lanes_of(run, warp, ins->dst), out[SPIRV_LANES];
	unsigned int i;

	for (i = 0; i < ins->count; i++) {
		if (!spirv_lanes(ins, lanes == UINT32_MAX ? to : out, a, b, c)) {
			spirv_stop(run, ins, warp, 0,
				   "the interpreter does not have this operation");
			return;
		}
		if (lanes != UINT32_MAX)
			spirv_put(to, out, lanes);
		to += SPIRV_LANES;
		a += ins->step & 1 ? SPIRV_LANES : 0;
		if (b)
			b += ins->step & 2 ? SPIRV_LANES : 0;
		if (c)
			c += ins->step & 4 ? SPIRV_LANES : 0;
	}
}

static enum spirv_outcome warp_execute(struct spirv_run *run, struct spirv_warp *warp,
				       const struct spirv_ins *ins, uint32_t lanes)
{
	switch (ins->code) {
	case CODE_MOVE:
		warp_move(run, warp, ins, lanes);
		break;
	case CODE_ADD_IMM:
	case CODE_MUL_ADD:
		warp_mul_add(run, warp, ins, lanes);
		break;
	case CODE_TABLE:
		warp_table(run, warp, ins, lanes);
		break;
	case CODE_PACK:
	case CODE_UNPACK:
		warp_pack(run, warp, ins, lanes);
		break;
	case CODE_LOAD:
		return spirv_load(run, warp, ins, lanes);
	case CODE_STORE:
		return spirv_store(run, warp, ins, lanes);
	case CODE_GATHER:
		spirv_gather(run, warp, ins, lanes);
		break;
	case CODE_SCATTER:
		spirv_scatter(run, warp, ins, lanes);
		break;
	case CODE_ATOMIC:
		return spirv_atomic(run, warp, ins, lanes);
	case CODE_LENGTH:
		spirv_length(run, warp, ins, lanes);
		break;
	case CODE_IMAGE_READ:
		return spirv_image_read(run, warp, ins, lanes);
	case CODE_IMAGE_WRITE:
		return spirv_image_write(run, warp, ins, lanes);
	case CODE_IMAGE_SIZE:
		spirv_image_size(run, warp, ins, lanes);
		break;
	case CODE_FENCE:
		spirv_fence(run, warp, ins);
		break;
	default:
		if (ins->code >= SpvOpGroupNonUniformElect &&
		    ins->code <= SpvOpGroupNonUniformQuadSwap)
			spirv_subgroup(run, warp, ins, lanes);
		else
			warp_arithmetic(run, warp, ins, lanes);
	}
	return OUTCOME_NEXT;
}

/* Executes one group until it diverges, ends or waits. Return: false: the warp waits. */
static bool run_group(struct spirv_run *run, struct spirv_warp *warp, uint32_t *left)
{
	struct spirv_group group = warp_take(warp, warp_choose(warp));
	unsigned int active = (unsigned int)__builtin_popcount(group.lanes);
	const struct spirv_ins *ins;
	enum spirv_outcome outcome;

	while (!run->error) {
		ins = &run->program->code[group.at];
		run->statistics->lane_instructions += active;
		run->statistics->warp_instructions++;
		if (warp_flow(run, warp, &group, ins))
			break;
		outcome = warp_execute(run, warp, ins, group.lanes);
		group.at += outcome != OUTCOME_RETRY;
		if (outcome == OUTCOME_NEXT && spirv_round_full(run->round))
			outcome = OUTCOME_WAIT;
		if (outcome == OUTCOME_NEXT && --*left)
			continue;
		if (outcome != OUTCOME_NEXT)
			warp_count_turns(run, warp, &group, DEVICE_TURN);
		spirv_warp_join(warp, group.at, group.lanes, group.late);
		if (outcome != OUTCOME_NEXT)
			warp->state = WARP_ASKED;
		return false;
	}
	return --*left != 0;
}

void spirv_warp_run(struct spirv_run *run, struct spirv_warp *warp)
{
	uint32_t left = QUANTUM;

	run->progress = true;
	while (warp->group_count && !run->error) {
		if (run_group(run, warp, &left))
			continue;
		run->spun |= warp->state == WARP_READY;
		return;
	}
	if (warp->barrier)
		warp->state = WARP_BARRIER;
	else if (!warp->group_count)
		warp->state = WARP_DONE;
}
