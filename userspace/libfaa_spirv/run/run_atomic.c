// SPDX-License-Identifier: MIT
#include "run.h"

static void atomic_ask_fence(struct spirv_run *run, struct spirv_warp *warp,
			     const struct spirv_ins *ins, uint8_t order, uint8_t scope,
			     uint32_t sub)
{
	struct spirv_ask *ask = spirv_ask(run, warp, ins, ASK_FENCE, 1);

	if (!ask)
		return;
	ask->op = order;
	ask->scope = scope;
	ask->sub = sub;
	warp->step++;
}

void spirv_fence(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins)
{
	const struct spirv_fence *fence = &run->program->fences[ins->extra];

	/* The fence is in step 0: it orders all earlier rounds before this one. */
	if (!fence->none && warp->asked)
		atomic_ask_fence(run, warp, ins, fence->order, fence->scope, 0);
}

/*
 * Packed coordinates have 16 bits each. Lanes with larger ones are outside of every surface with
 * three coordinates, and are masked.
 */
static uint32_t atomic_place(struct spirv_run *run, const struct spirv_warp *warp,
			     const struct spirv_ins *ins, const struct spirv_atomic *atomic,
			     struct spirv_ask *ask, uint32_t lanes)
{
	const uint64_t *at = spirv_lanes_of(run, warp, ins->b);
	uint32_t inside = 0, i, k;
	uint64_t coordinate;

	ask->packed = atomic->coordinates == 3;
	for (k = 0; k < SPIRV_LANES; k++) {
		ask->a[k] = 0;
		coordinate = 0;
		for (i = 0; i < atomic->coordinates; i++) {
			uint64_t one = at[(size_t)i * SPIRV_LANES + k] & UINT32_MAX;

			coordinate |= ask->packed && one > 0x7fff ? 1ull << 63 : 0;
			ask->a[k] |= one << (ask->packed ? 16 * i : 32 * i);
		}
		inside |= (uint32_t) !(coordinate >> 63) << k;
	}
	return lanes & inside;
}

static void atomic_address(struct spirv_run *run, const struct spirv_warp *warp,
			   const struct spirv_ins *ins, const struct spirv_atomic *atomic,
			   struct spirv_ask *ask, uint32_t lanes)
{
	const uint64_t *base = spirv_lanes_of(run, warp, ins->a);
	uint32_t bytes = atomic->space == SPACE_SHARED && atomic->width < 32 ? 4 :
									       atomic->width / 8u;
	uint64_t at;
	unsigned int i;

	for (i = 0; i < SPIRV_LANES && !run->error; i++) {
		at = (base ? base[i] : 0) + (uint64_t)ins->imm;
		ask->a[i] = at;
		if (!(lanes >> i & 1))
			continue;
		if (at % bytes)
			spirv_stop(run, ins, warp, i, "address 0x%llx is not a multiple of %u",
				   (unsigned long long)at, bytes);
		else if (atomic->space == SPACE_GLOBAL && !spirv_memory(run, at, bytes))
			spirv_stop(run, ins, warp, i, "nothing is bound at 0x%llx, %u bytes",
				   (unsigned long long)at, bytes);
		else if (atomic->space == SPACE_SHARED && at >= run->program->shared_bytes)
			spirv_stop(run, ins, warp, i, "byte %lld of %u bytes of shared memory",
				   (long long)at, run->program->shared_bytes);
		if (atomic->space == SPACE_SHARED)
			ask->a[i] += warp->workgroup->shared;
	}
}

static uint8_t atomic_kind_of(const struct spirv_atomic *atomic)
{
	if (atomic->space == SPACE_IMAGE)
		return ASK_SUATOM;
	if (atomic->kind == ATOMIC_LOAD)
		return atomic->space == SPACE_SHARED ? ASK_LDS : ASK_LD;
	if (atomic->kind == ATOMIC_STORE)
		return atomic->space == SPACE_SHARED ? ASK_STS : ASK_ST;
	return atomic->space == SPACE_SHARED ? ASK_ATOMS : ASK_ATOM;
}

static void atomic_values(struct spirv_run *run, const struct spirv_warp *warp,
			  const struct spirv_ins *ins, struct spirv_ask *ask)
{
	const uint64_t *value = spirv_lanes_of(run, warp, ins->c),
		       *compare = spirv_lanes_of(run, warp, ins->d);
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++) {
		/* The device compares with b and stores c. */
		ask->b[i] = ask->has_c ? compare[i] : ask->has_b ? value[i] : 0;
		ask->c[i] = ask->has_c ? value[i] : 0;
	}
}

/* A command has one image: that of the lowest lane. Returns the lanes with this image. */
static uint32_t atomic_one_image(struct spirv_run *run, const struct spirv_warp *warp,
				 const struct spirv_ins *ins, struct spirv_ask *ask, uint32_t lanes)
{
	const uint64_t *base = spirv_lanes_of(run, warp, ins->a);
	uint64_t first = (base ? base[__builtin_ctz(lanes)] : 0) + (uint64_t)ins->imm;
	uint32_t same = 0, i;

	if (first >= run->program->images) {
		spirv_stop(run, ins, warp, (unsigned int)__builtin_ctz(lanes),
			   "there is no image %llu", (unsigned long long)first);
		return 0;
	}
	for (i = 0; i < SPIRV_LANES; i++)
		same |= (uint32_t)((base ? base[i] : 0) + (uint64_t)ins->imm == first) << i;
	ask->header = run->images[first].header;
	return lanes & same;
}

static void atomic_ask(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		       uint32_t lanes)
{
	const struct spirv_atomic *atomic = &run->program->atomics[ins->extra];
	uint32_t left = lanes, sub = 0, i;
	struct spirv_ask *ask;
	uint64_t *to;

	while (left && !run->error) {
		ask = spirv_ask(run, warp, ins, atomic_kind_of(atomic), left);
		if (!ask)
			return;
		ask->sub = sub++;
		ask->type = atomic->type;
		ask->op = atomic->op;
		ask->scope = atomic->scope;
		ask->order = atomic->order;
		ask->modes = atomic->modes;
		ask->has_b = atomic->has_b;
		ask->has_c = atomic->has_c;
		ask->flag = atomic->flag;
		ask->wide = atomic->width == 64;
		ask->width = atomic->width;
		ask->dim = atomic->dim;
		ask->dst = atomic->kind == ATOMIC_STORE ? SLOT_NONE : ins->dst;
		atomic_values(run, warp, ins, ask);
		if (atomic->space != SPACE_IMAGE) {
			atomic_address(run, warp, ins, atomic, ask, left);
			break;
		}
		lanes = atomic_one_image(run, warp, ins, ask, left);
		left &= ~lanes;
		ask->lanes = atomic_place(run, warp, ins, atomic, ask, lanes);
		to = ins->dst == SLOT_NONE ? NULL : spirv_lanes_of(run, warp, ins->dst);
		for (i = 0; to && i < SPIRV_LANES; i++)
			if ((lanes & ~ask->lanes) >> i & 1)
				to[i] = 0;
	}
}

enum spirv_outcome spirv_atomic(struct spirv_run *run, struct spirv_warp *warp,
				const struct spirv_ins *ins, uint32_t lanes)
{
	const struct spirv_atomic *atomic = &run->program->atomics[ins->extra];

	if (atomic->seq_cst)
		atomic_ask_fence(run, warp, ins, FAA_FENCE_ORDER_SC, atomic->scope, 1);
	if (atomic->fence_before != UINT8_MAX)
		atomic_ask_fence(run, warp, ins, atomic->fence_before, atomic->scope, 2);
	atomic_ask(run, warp, ins, lanes);
	warp->step++;
	warp->stale |= atomic->space != SPACE_SHARED;
	if (atomic->fence_after != UINT8_MAX)
		atomic_ask_fence(run, warp, ins, atomic->fence_after, atomic->scope, 3);
	run->statistics->atomics += (uint64_t)__builtin_popcount(lanes);
	return ins->dst == SLOT_NONE ? OUTCOME_NEXT : OUTCOME_WAIT;
}
