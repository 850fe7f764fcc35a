// SPDX-License-Identifier: MIT
/* vISA as commands: SVM_ATOMIC becomes ATOM with scope SYS, a fence becomes FENCE. */
#include <errno.h>
#include <stdlib.h>

#include "emit.h"

/*
 * Instructions that become one command: the same operation on the same registers, in ascending
 * lanes.
 */
struct group {
	const struct visa_inst *inst;
	uint32_t lanes;
	unsigned int views[VISA_SLOTS];
	unsigned int predicate;
};

int visa_emit_failed(struct visa_emitter *emitter, int ret)
{
	const char *text = faa_stream_error(emitter->stream);

	if (text)
		faa_asm_fail(emitter->error, emitter->line, 0, "%s", text);
	if (text && !ret)
		return -EINVAL;
	return ret;
}

/* Lanes that the mask of an instruction enables. */
static uint32_t emit_enabled(const struct visa_emitter *emitter, const struct visa_inst *inst)
{
	uint32_t lanes = ((1u << visa_size(inst)) - 1) << visa_channel(inst);

	return visa_no_mask(inst) ? lanes : lanes & emitter->environment->lanes;
}

static unsigned int emit_element_bytes(const struct visa_inst *inst, unsigned int slot)
{
	return slot == VISA_ADDRESSES || visa_width_code(inst) == 2 ? 8 : 4;
}

/* Finds the views of an instruction. */
static int emit_find_views(struct visa_emitter *emitter, const struct visa_inst *inst,
			   struct group *group)
{
	unsigned int slot, value;

	group->inst = inst;
	group->lanes = emit_enabled(emitter, inst);
	group->predicate = UINT32_MAX;
	for (slot = 0; slot < VISA_SLOTS; slot++) {
		group->views[slot] = UINT32_MAX;
		if (inst->raw[slot].variable &&
		    visa_emit_raw(emitter, &inst->raw[slot], emit_element_bytes(inst, slot),
				  visa_channel(inst), visa_size(inst), &group->views[slot]))
			return -EINVAL;
	}
	if (!visa_predicate(inst))
		return 0;
	if (visa_emit_value(emitter, VISA_PREDICATE, visa_predicate(inst), &value))
		return -EINVAL;
	if (!visa_find(emitter->code, VISA_PREDICATE, visa_predicate(inst)))
		emitter->values[value].elements = 32;
	return visa_emit_view(emitter, value, 0, &group->predicate);
}

/* Lanes of an operand that are read; also of a destination whose lanes a predicate may preserve. */
static uint32_t emit_read_lanes(const struct group *group, unsigned int slot)
{
	if (group->views[slot] == UINT32_MAX)
		return 0;
	return slot == VISA_DST && group->predicate == UINT32_MAX ? 0 : group->lanes;
}

static bool emit_ends(const struct visa_inst *inst)
{
	return inst->opcode == VISA_RET;
}

/* Collects the views and lanes that are live at the beginning. */
static int emit_collect(struct visa_emitter *emitter)
{
	uint32_t i;

	for (i = 0; i < emitter->code->insts.count; i++) {
		const struct visa_inst *inst = &visa_insts(emitter->code)[i];
		struct group group;
		unsigned int slot;

		emitter->line = inst->line;
		if (emit_ends(inst) && visa_predicate(inst))
			return faa_asm_fail(
				emitter->error, inst->line, 0,
				"a ret with a predicate ends some channels, which no stream of the device can: predicate the instructions after it");
		if (emit_ends(inst))
			break;
		if (inst->opcode != VISA_SVM)
			continue;
		if (emit_find_views(emitter, inst, &group))
			return -EINVAL;
		for (slot = 0; slot < VISA_SLOTS; slot++)
			if (emit_read_lanes(&group, slot))
				emitter->views[group.views[slot]].needed |= group.lanes;
		if (group.predicate != UINT32_MAX)
			emitter->views[group.predicate].needed = UINT32_MAX;
	}
	return 0;
}

static struct faa_operand emit_operand(const struct visa_emitter *emitter, unsigned int view)
{
	return view == UINT32_MAX ? faa_none() : faa_reg(emitter->views[view].reg);
}

/*
 * A signed 16-bit result is sign-extended; the upper half of the dword has to be 0, as for unsigned
 * ones.
 */
static int emit_clear_upper(struct visa_emitter *emitter, const struct group *group,
			    unsigned int guard)
{
	struct faa_operand d = emit_operand(emitter, group->views[VISA_DST]);

	faa_stream_guard(emitter->stream, guard, false);
	return faa_stream_alu(emitter->stream, FAA_ALU_OP_AND, FAA_TYPE_U32,
			      visa_emit_count(group->lanes), d, d, faa_imm(0xffff));
}

static int emit_add_atom(struct visa_emitter *emitter, const struct group *group,
			 unsigned int guard)
{
	const struct visa_op *op = &visa_ops[group->inst->op & 31];
	uint8_t type = op->device_types[visa_width_code(group->inst)];
	struct faa_operand sources[2] = {
		emit_operand(emitter, group->views[VISA_SRC0]),
		emit_operand(emitter, group->views[VISA_SRC1]),
	};
	int ret;

	faa_stream_guard(emitter->stream, guard, false);
	ret = faa_stream_atom(emitter->stream, (enum faa_atom_op)op->device_op, (enum faa_type)type,
			      FAA_SCOPE_SYS, FAA_ORDER_RELAXED, visa_emit_count(group->lanes),
			      emit_operand(emitter, group->views[VISA_DST]),
			      emit_operand(emitter, group->views[VISA_ADDRESSES]), 0,
			      op->sources > 0 ? sources[op->b] : faa_none(),
			      op->sources > 1 ? sources[op->c] : faa_none());
	if (!ret && type == FAA_TYPE_S16 && group->views[VISA_DST] != UINT32_MAX)
		ret = emit_clear_upper(emitter, group, guard);
	return visa_emit_failed(emitter, ret);
}

/* The following commands belong to this line. */
static void emit_begin_line(struct visa_emitter *emitter, uint32_t line)
{
	emitter->line = line;
	if (emitter->environment->at)
		emitter->environment->at(emitter->environment->data, line);
}

static int emit_add_group(struct visa_emitter *emitter, struct group *group)
{
	uint32_t skip = VISA_NO_LABEL;
	unsigned int guard;
	int ret;

	if (!group->lanes)
		return 0;
	emit_begin_line(emitter, group->inst->line);
	ret = group->predicate == UINT32_MAX ?
		      visa_emit_lanes(emitter, group->lanes, &guard) :
		      visa_emit_predicate(emitter, group->inst, group->lanes, group->predicate,
					  &guard, &skip);
	if (!ret)
		ret = emit_add_atom(emitter, group, guard);
	if (!ret && skip != VISA_NO_LABEL)
		ret = visa_emit_failed(emitter, faa_stream_place(emitter->stream, skip));
	group->lanes = 0;
	return ret;
}

/*
 * Whether one command can replace both instructions: the lanes of @next are above those of @group.
 */
static bool emit_joins(const struct group *group, const struct group *next)
{
	unsigned int slot;

	if (!group->lanes || group->inst->op != next->inst->op ||
	    group->inst->predicate != next->inst->predicate ||
	    (next->predicate != UINT32_MAX && visa_combine(next->inst) != VISA_EACH) ||
	    group->lanes >= (next->lanes & (0 - next->lanes)))
		return false;
	for (slot = 0; slot < VISA_SLOTS; slot++)
		if (group->views[slot] != next->views[slot])
			return false;
	return true;
}

static int emit_add_svm(struct visa_emitter *emitter, const struct visa_inst *inst,
			struct group *group)
{
	struct group next;
	unsigned int slot;
	int ret;

	if (emit_find_views(emitter, inst, &next))
		return -EINVAL;
	if (!next.lanes)
		return 0;
	for (slot = 0; slot < VISA_SLOTS; slot++)
		if (emit_read_lanes(&next, slot) &&
		    visa_emit_read(emitter, next.views[slot], next.lanes))
			return -EINVAL;
	if (next.views[VISA_DST] != UINT32_MAX)
		visa_emit_written(emitter, next.views[VISA_DST], next.lanes);
	if (emit_joins(group, &next)) {
		group->lanes |= next.lanes;
		return 0;
	}
	ret = emit_add_group(emitter, group);
	*group = next;
	return ret;
}

/* The device has no instruction, sampler or first-level cache that the fence could flush. */
static int emit_add_fence(struct visa_emitter *emitter, const struct visa_inst *inst)
{
	if (inst->op & 0x80)
		return 0;
	return visa_emit_failed(emitter,
				faa_stream_fence(emitter->stream, FAA_FENCE_ORDER_ACQ_REL,
						 inst->op & 0x20 ? FAA_SCOPE_CTA : FAA_SCOPE_SYS));
}

static int emit_add_insts(struct visa_emitter *emitter)
{
	struct group group = { 0 };
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < emitter->code->insts.count; i++) {
		const struct visa_inst *inst = &visa_insts(emitter->code)[i];

		emitter->line = inst->line;
		if (emit_ends(inst))
			break;
		if (inst->opcode == VISA_SVM)
			ret = emit_add_svm(emitter, inst, &group);
		if (inst->opcode == VISA_FENCE) {
			ret = emit_add_group(emitter, &group);
			emit_begin_line(emitter, inst->line);
			if (!ret)
				ret = emit_add_fence(emitter, inst);
		}
	}
	return ret ? ret : emit_add_group(emitter, &group);
}

int visa_emit(const struct faa_asm_code *base, const struct faa_asm_environment *environment,
	      struct faa_stream *stream, struct faa_asm_error *error)
{
	struct visa_emitter *emitter = calloc(1, sizeof(*emitter));
	int ret;

	if (!emitter)
		return -ENOMEM;
	emitter->code = (const struct visa_code *)base;
	emitter->environment = environment;
	emitter->stream = stream;
	emitter->error = error;
	emitter->next_single = FAA_RZ - 1;
	ret = emit_collect(emitter);
	if (!ret)
		ret = visa_emit_bind(emitter);
	if (!ret)
		ret = visa_emit_outputs_needed(emitter);
	if (!ret)
		ret = visa_emit_load(emitter);
	if (!ret)
		ret = emit_add_insts(emitter);
	emitter->line = 0;
	if (!ret)
		ret = visa_emit_store(emitter);
	free(emitter);
	return ret;
}
