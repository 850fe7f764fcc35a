// SPDX-License-Identifier: MIT
/* Lanes and predicates: P0 is the guard of an instruction, P1 evaluates any and all. */
#include "emit.h"

/*
 * Sets @predicate in lanes @first to @first + @count - 1; other lanes become false, with @more they
 * keep true.
 */
static int guard_add_run(struct visa_emitter *emitter, unsigned int predicate, bool more,
			 unsigned int first, unsigned int count)
{
	if (more)
		faa_stream_guard(emitter->stream, predicate, true);
	return visa_emit_failed(emitter, faa_stream_setp(emitter->stream, FAA_CMP_LT, FAA_TYPE_U32,
							 FAA_LANES, predicate,
							 faa_affine(0 - (uint64_t)first, 1),
							 faa_imm(count)));
}

int visa_emit_lanes(struct visa_emitter *emitter, uint32_t lanes, unsigned int *guard)
{
	uint32_t rest = lanes;
	int ret;

	*guard = FAA_PT;
	if (!(lanes & (lanes + 1)))
		return 0;
	*guard = 0;
	if (emitter->lanes_ready && emitter->lanes == lanes)
		return 0;
	while (rest) {
		unsigned int first = (unsigned int)__builtin_ctz(rest);
		uint32_t ones = rest >> first;
		unsigned int count = ~ones ? (unsigned int)__builtin_ctz(~ones) : 32;

		ret = guard_add_run(emitter, 0, rest != lanes, first, count);
		if (ret)
			return ret;
		rest &= count == 32 ? 0 : ~(((1u << count) - 1) << first);
	}
	emitter->lanes = lanes;
	emitter->lanes_ready = true;
	return 0;
}

/* P0 = bit of the predicate in each of @lanes. */
static int guard_each_lane(struct visa_emitter *emitter, const struct visa_inst *inst,
			   uint32_t lanes, uint8_t reg, unsigned int *guard)
{
	int ret = visa_emit_lanes(emitter, lanes, guard);

	if (ret)
		return ret;
	emitter->lanes_ready = false;
	faa_stream_guard(emitter->stream, *guard, false);
	*guard = 0;
	return visa_emit_failed(
		emitter,
		faa_stream_setp(emitter->stream, visa_inverted(inst) ? FAA_CMP_EQ : FAA_CMP_NE,
				FAA_TYPE_U32, visa_emit_count(lanes), 0, faa_reg(reg), faa_imm(0)));
}

/*
 * Jumps to @skip unless any, or all, bits of the predicate for the instruction's channels are true.
 */
static int guard_whole_instruction(struct visa_emitter *emitter, const struct visa_inst *inst,
				   uint8_t reg, uint32_t *skip)
{
	bool all = visa_combine(inst) == VISA_ALL;
	int ret;

	ret = guard_add_run(emitter, 1, false, visa_channel(inst), visa_size(inst));
	if (ret)
		return ret;
	/* P1: some bit is true, for any; some bit is false, for all. */
	faa_stream_guard(emitter->stream, 1, false);
	faa_stream_setp(emitter->stream, all ? FAA_CMP_EQ : FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES, 1,
			faa_reg(reg), faa_imm(0));
	faa_stream_label(emitter->stream, skip);
	faa_stream_guard(emitter->stream, 1, false);
	return visa_emit_failed(emitter,
				faa_stream_jump(emitter->stream,
						all == visa_inverted(inst) ? FAA_JUMP_COND_NONE :
									     FAA_JUMP_COND_ANY,
						*skip));
}

int visa_emit_predicate(struct visa_emitter *emitter, const struct visa_inst *inst, uint32_t lanes,
			unsigned int view, unsigned int *guard, uint32_t *skip)
{
	uint8_t reg = emitter->views[view].reg;
	int ret;

	*skip = VISA_NO_LABEL;
	if (visa_combine(inst) == VISA_EACH)
		return guard_each_lane(emitter, inst, lanes, reg, guard);
	ret = visa_emit_lanes(emitter, lanes, guard);
	return ret ? ret : guard_whole_instruction(emitter, inst, reg, skip);
}
