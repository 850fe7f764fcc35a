// SPDX-License-Identifier: MIT
/* Instructions across the active lanes of a warp. */
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "lanes.h"
#include "run.h"

static uint32_t subgroup_lanes_where(const uint64_t *value, uint32_t lanes)
{
	uint32_t where = 0, i;

	for (i = 0; i < SPIRV_LANES; i++)
		where |= (uint32_t)(value[i] & 1) << i;
	return where & lanes;
}

static void subgroup_fill(uint64_t *out, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++)
		out[i] = value;
}

/* A reduction: its operation on two lanes, and its identity. */
struct joining {
	uint16_t opcode;
	uint16_t code;
	enum {
		UNIT_ZERO,
		UNIT_ONE,
		UNIT_ONES,
		UNIT_SMAX,
		UNIT_SMIN,
		UNIT_FONE,
		UNIT_FMAX,
		UNIT_FMIN,
		UNIT_TRUE,
		UNIT_FZERO
	} unit;
};

static const struct joining subgroup_joinings[] = {
	{ SpvOpGroupNonUniformIAdd, SpvOpIAdd, UNIT_ZERO },
	{ SpvOpGroupNonUniformFAdd, SpvOpFAdd, UNIT_FZERO },
	{ SpvOpGroupNonUniformIMul, SpvOpIMul, UNIT_ONE },
	{ SpvOpGroupNonUniformFMul, SpvOpFMul, UNIT_FONE },
	{ SpvOpGroupNonUniformSMin, CODE_GLSL + GLSLstd450SMin, UNIT_SMAX },
	{ SpvOpGroupNonUniformUMin, CODE_GLSL + GLSLstd450UMin, UNIT_ONES },
	{ SpvOpGroupNonUniformFMin, CODE_GLSL + GLSLstd450FMin, UNIT_FMAX },
	{ SpvOpGroupNonUniformSMax, CODE_GLSL + GLSLstd450SMax, UNIT_SMIN },
	{ SpvOpGroupNonUniformUMax, CODE_GLSL + GLSLstd450UMax, UNIT_ZERO },
	{ SpvOpGroupNonUniformFMax, CODE_GLSL + GLSLstd450FMax, UNIT_FMIN },
	{ SpvOpGroupNonUniformBitwiseAnd, SpvOpBitwiseAnd, UNIT_ONES },
	{ SpvOpGroupNonUniformBitwiseOr, SpvOpBitwiseOr, UNIT_ZERO },
	{ SpvOpGroupNonUniformBitwiseXor, SpvOpBitwiseXor, UNIT_ZERO },
	{ SpvOpGroupNonUniformLogicalAnd, SpvOpLogicalAnd, UNIT_TRUE },
	{ SpvOpGroupNonUniformLogicalOr, SpvOpLogicalOr, UNIT_ZERO },
	{ SpvOpGroupNonUniformLogicalXor, SpvOpBitwiseXor, UNIT_ZERO },
};

static uint64_t subgroup_unit(const struct joining *joining, unsigned int width)
{
	switch (joining->unit) {
	case UNIT_ONE:
	case UNIT_TRUE:
		return 1;
	case UNIT_ONES:
		return spirv_mask(width);
	case UNIT_SMAX:
		return spirv_mask(width - 1);
	case UNIT_SMIN:
		return 1ull << (width - 1);
	case UNIT_FONE:
		return spirv_put_float(1, width);
	case UNIT_FMAX:
		return spirv_put_float(__builtin_inf(), width);
	case UNIT_FMIN:
		return spirv_put_float(-__builtin_inf(), width);
	case UNIT_FZERO:
		return spirv_put_float(-0.0, width);
	default:
		return 0;
	}
}

static uint64_t subgroup_join(const struct spirv_ins *ins, const struct joining *joining,
			      uint64_t a, uint64_t b)
{
	struct spirv_ins one = { .code = joining->code, .width = ins->width, .to = ins->to };
	uint64_t left[SPIRV_LANES] = { a }, right[SPIRV_LANES] = { b };

	spirv_lanes(&one, left, left, right, NULL);
	return left[0];
}

/* Combines lanes in ascending order, separately in each cluster. */
static void subgroup_scan(struct spirv_run *run, const struct spirv_warp *warp,
			  const struct spirv_ins *ins, const struct joining *joining,
			  const uint64_t *value, uint64_t *out, uint32_t lanes)
{
	uint64_t cluster = SPIRV_LANES, sum, begin, i;

	if (ins->extra == SpvGroupOperationClusteredReduce)
		cluster = spirv_lanes_of(run, warp, ins->b)[__builtin_ctz(lanes)];
	if (!cluster || cluster > SPIRV_LANES || cluster & (cluster - 1)) {
		spirv_stop(run, ins, warp, (unsigned int)__builtin_ctz(lanes),
			   "clusters of %llu lanes", (unsigned long long)cluster);
		return;
	}
	for (begin = 0; begin < SPIRV_LANES; begin += cluster) {
		sum = subgroup_unit(joining, ins->width);
		for (i = begin; i < begin + cluster; i++) {
			if (!(lanes >> i & 1))
				continue;
			if (ins->extra == SpvGroupOperationExclusiveScan)
				out[i] = sum;
			sum = subgroup_join(ins, joining, sum, value[i]);
			if (ins->extra == SpvGroupOperationInclusiveScan)
				out[i] = sum;
		}
		for (i = begin; i < begin + cluster; i++)
			if (ins->extra == SpvGroupOperationReduce ||
			    ins->extra == SpvGroupOperationClusteredReduce)
				out[i] = sum;
	}
}

static bool subgroup_arithmetic(struct spirv_run *run, struct spirv_warp *warp,
				const struct spirv_ins *ins, uint32_t lanes)
{
	const uint64_t *value = spirv_lanes_of(run, warp, ins->a);
	uint64_t out[SPIRV_LANES] = { 0 };
	unsigned int i, k;

	for (i = 0; i < sizeof(subgroup_joinings) / sizeof(subgroup_joinings[0]) &&
		    subgroup_joinings[i].opcode != ins->code;
	     i++)
		;
	if (i == sizeof(subgroup_joinings) / sizeof(subgroup_joinings[0]))
		return false;
	for (k = 0; k < ins->count && !run->error; k++) {
		subgroup_scan(run, warp, ins, &subgroup_joinings[i],
			      value + (size_t)k * SPIRV_LANES, out, lanes);
		spirv_put(spirv_lanes_of(run, warp, ins->dst + k), out, lanes);
	}
	return true;
}

/* The lane whose value a lane reads. */
static uint64_t subgroup_source(const struct spirv_ins *ins, uint64_t lane, uint64_t operand)
{
	switch (ins->code) {
	case SpvOpGroupNonUniformShuffleXor:
		return lane ^ operand;
	case SpvOpGroupNonUniformShuffleUp:
		return lane - operand;
	case SpvOpGroupNonUniformShuffleDown:
		return lane + operand;
	case SpvOpGroupNonUniformQuadBroadcast:
		return (lane & ~3ull) + (operand & 3);
	case SpvOpGroupNonUniformQuadSwap:
		return lane ^ (operand == 0 ? 1 : operand == 1 ? 2 : 3);
	default:
		return operand;
	}
}

/* A lane number above 31 reads 0. */
static bool subgroup_exchange(struct spirv_run *run, struct spirv_warp *warp,
			      const struct spirv_ins *ins, uint32_t lanes)
{
	const uint64_t *value = spirv_lanes_of(run, warp, ins->a),
		       *operand = spirv_lanes_of(run, warp, ins->b);
	uint64_t out[SPIRV_LANES], from;
	unsigned int i, k;

	switch (ins->code) {
	case SpvOpGroupNonUniformBroadcast:
	case SpvOpGroupNonUniformBroadcastFirst:
	case SpvOpGroupNonUniformShuffle:
	case SpvOpGroupNonUniformShuffleXor:
	case SpvOpGroupNonUniformShuffleUp:
	case SpvOpGroupNonUniformShuffleDown:
	case SpvOpGroupNonUniformQuadBroadcast:
	case SpvOpGroupNonUniformQuadSwap:
		break;
	default:
		return false;
	}
	for (k = 0; k < ins->count; k++) {
		for (i = 0; i < SPIRV_LANES; i++) {
			from = operand ? subgroup_source(ins, i, operand[i]) :
					 (unsigned int)__builtin_ctz(lanes);
			out[i] = from < SPIRV_LANES ? value[(size_t)k * SPIRV_LANES + from] : 0;
		}
		spirv_put(spirv_lanes_of(run, warp, ins->dst + k), out, lanes);
	}
	return true;
}

static bool subgroup_all_equal(struct spirv_run *run, const struct spirv_warp *warp,
			       const struct spirv_ins *ins, uint32_t lanes)
{
	const uint64_t *value = spirv_lanes_of(run, warp, ins->a);
	unsigned int first = (unsigned int)__builtin_ctz(lanes), i, k;

	for (k = 0; k < ins->count; k++, value += SPIRV_LANES)
		for (i = 0; i < SPIRV_LANES; i++)
			if (lanes >> i & 1 && value[i] != value[first])
				return false;
	return true;
}

static uint32_t subgroup_bit_count_mask(const struct spirv_ins *ins, unsigned int lane)
{
	if (ins->extra == SpvGroupOperationInclusiveScan)
		return UINT32_MAX >> (31 - lane);
	if (ins->extra == SpvGroupOperationExclusiveScan)
		return ~(UINT32_MAX << lane);
	return UINT32_MAX;
}

/* Ballots have 128 bits, of which the low 32 correspond to lanes. */
static bool subgroup_ballot(struct spirv_run *run, struct spirv_warp *warp,
			    const struct spirv_ins *ins, uint64_t *out)
{
	const uint64_t *value = spirv_lanes_of(run, warp, ins->a),
		       *operand = spirv_lanes_of(run, warp, ins->b);
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++) {
		switch (ins->code) {
		case SpvOpGroupNonUniformInverseBallot:
			out[i] = value[i] >> i & 1;
			break;
		case SpvOpGroupNonUniformBallotBitExtract:
			out[i] = operand[i] < SPIRV_LANES ? value[i] >> operand[i] & 1 : 0;
			break;
		case SpvOpGroupNonUniformBallotBitCount:
			out[i] = (uint64_t)__builtin_popcount((uint32_t)value[i] &
							      subgroup_bit_count_mask(ins, i));
			break;
		case SpvOpGroupNonUniformBallotFindLSB:
			out[i] = value[i] ? (uint64_t)__builtin_ctzll(value[i]) : UINT32_MAX;
			break;
		case SpvOpGroupNonUniformBallotFindMSB:
			out[i] = value[i] ? 63 - (uint64_t)__builtin_clzll(value[i]) : UINT32_MAX;
			break;
		default:
			return false;
		}
	}
	return true;
}

void spirv_subgroup(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		    uint32_t lanes)
{
	const uint64_t *value = ins->a == SLOT_NONE ? NULL : spirv_lanes_of(run, warp, ins->a);
	uint64_t out[SPIRV_LANES] = { 0 };
	uint32_t k;

	if (subgroup_exchange(run, warp, ins, lanes) || subgroup_arithmetic(run, warp, ins, lanes))
		return;
	switch (ins->code) {
	case SpvOpGroupNonUniformElect:
		out[__builtin_ctz(lanes)] = 1;
		break;
	case SpvOpGroupNonUniformAll:
		subgroup_fill(out, subgroup_lanes_where(value, lanes) == lanes);
		break;
	case SpvOpGroupNonUniformAny:
		subgroup_fill(out, subgroup_lanes_where(value, lanes) != 0);
		break;
	case SpvOpGroupNonUniformAllEqual:
		subgroup_fill(out, subgroup_all_equal(run, warp, ins, lanes));
		break;
	case SpvOpGroupNonUniformBallot:
		for (k = 1; k < 4; k++)
			spirv_put(spirv_lanes_of(run, warp, ins->dst + k), out, lanes);
		subgroup_fill(out, subgroup_lanes_where(value, lanes));
		break;
	default:
		if (!subgroup_ballot(run, warp, ins, out))
			spirv_stop(run, ins, warp, 0,
				   "the interpreter does not have this operation");
	}
	spirv_put(spirv_lanes_of(run, warp, ins->dst), out, lanes);
}
