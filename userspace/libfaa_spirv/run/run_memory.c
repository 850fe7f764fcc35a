// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "run.h"

const struct spirv_region *spirv_region(struct spirv_run *run, uint64_t va)
{
	const struct spirv_region *regions = run->regions;
	uint32_t low = 0, high = run->region_count, middle;

	if (run->region_count &&
	    va - regions[run->last_region].va < regions[run->last_region].bytes)
		return &regions[run->last_region];
	while (low < high) {
		middle = (low + high) / 2;
		if (regions[middle].va > va)
			high = middle;
		else
			low = middle + 1;
	}
	if (!low || va - regions[low - 1].va >= regions[low - 1].bytes)
		return NULL;
	run->last_region = low - 1;
	return &regions[low - 1];
}

uint8_t *spirv_memory(struct spirv_run *run, uint64_t va, uint64_t bytes)
{
	const struct spirv_region *region = spirv_region(run, va);

	if (!region || bytes > region->bytes - (va - region->va))
		return NULL;
	return region->memory + (va - region->va);
}

/* Host address of a lane's item; NULL after a message. */
static uint8_t *memory_item(struct spirv_run *run, const struct spirv_warp *warp,
			    const struct spirv_ins *ins, unsigned int lane, uint8_t space,
			    uint64_t address, uint32_t bytes)
{
	uint8_t *memory = NULL;

	if (space == SPACE_GLOBAL)
		memory = spirv_memory(run, address, bytes);
	else if (address <= run->program->push_bytes && bytes <= run->program->push_bytes - address)
		memory = run->push + address;
	if (!memory)
		spirv_stop(run, ins, warp, lane, "nothing is bound at 0x%llx, %u bytes",
			   (unsigned long long)address, bytes);
	return memory;
}

static uint64_t memory_get(const uint8_t *memory, uint32_t bytes)
{
	uint64_t value = 0;

	/* The device and its hosts are little endian. */
	memcpy(&value, memory, bytes);
	return value;
}

/* Only the device accesses shared memory: one command per scalar. */
static enum spirv_outcome memory_ask_shared(struct spirv_run *run, struct spirv_warp *warp,
					    const struct spirv_ins *ins, uint32_t lanes, bool store)
{
	const struct spirv_access *access = &run->program->accesses[ins->extra];
	const struct spirv_leaf *leaf = &run->program->leaves[access->leaf];
	const uint64_t *base = spirv_lanes_of(run, warp, ins->a);
	const uint64_t *value = store ? spirv_lanes_of(run, warp, ins->b) : NULL;
	uint64_t address;
	struct spirv_ask *ask;
	uint32_t i, k;

	for (i = 0; i < access->leaves; i++) {
		ask = spirv_ask(run, warp, ins, store ? ASK_STS : ASK_LDS, lanes);
		if (!ask)
			return OUTCOME_NEXT;
		ask->sub = i;
		ask->wide = leaf[i].bytes == 8;
		ask->type = ask->wide ? FAA_TYPE_U64 : FAA_TYPE_U32;
		ask->width = ask->wide ? 64 : 32;
		ask->has_b = store;
		ask->dst = store ? SLOT_NONE : ins->dst + i;
		for (k = 0; k < SPIRV_LANES; k++) {
			address = (base ? base[k] : 0) + (uint64_t)ins->imm + leaf[i].offset;
			if (lanes >> k & 1 &&
			    (address >= run->program->shared_bytes ||
			     leaf[i].bytes > run->program->shared_bytes - address))
				spirv_stop(run, ins, warp, k,
					   "byte %lld of %u bytes of shared memory",
					   (long long)address, run->program->shared_bytes);
			ask->a[k] = address + warp->workgroup->shared;
			if (store)
				ask->b[k] = value[(size_t)i * SPIRV_LANES + k];
		}
	}
	warp->step++;
	run->statistics->shared_accesses +=
		(uint64_t)access->leaves * (uint64_t)__builtin_popcount(lanes);
	return store ? OUTCOME_NEXT : OUTCOME_WAIT;
}

enum spirv_outcome spirv_load(struct spirv_run *run, struct spirv_warp *warp,
			      const struct spirv_ins *ins, uint32_t lanes)
{
	const struct spirv_access *access = &run->program->accesses[ins->extra];
	const struct spirv_leaf *leaf = &run->program->leaves[access->leaf];
	const uint64_t *base = spirv_lanes_of(run, warp, ins->a);
	uint64_t addresses[SPIRV_LANES], *to = spirv_lanes_of(run, warp, ins->dst);
	const uint8_t *memory;
	uint32_t i, k;

	if (access->space == SPACE_SHARED)
		return memory_ask_shared(run, warp, ins, lanes, false);
	if (access->space == SPACE_GLOBAL && warp->stale)
		return OUTCOME_RETRY;
	/* The result may overwrite the address. */
	for (k = 0; k < SPIRV_LANES; k++)
		addresses[k] = (base ? base[k] : 0) + (uint64_t)ins->imm;
	for (i = 0; i < access->leaves; i++, to += SPIRV_LANES) {
		for (k = 0; k < SPIRV_LANES; k++) {
			if (!(lanes >> k & 1))
				continue;
			memory = memory_item(run, warp, ins, k, access->space,
					     addresses[k] + leaf[i].offset, leaf[i].bytes);
			if (!memory)
				return OUTCOME_NEXT;
			to[k] = memory_get(memory, leaf[i].bytes);
		}
	}
	return OUTCOME_NEXT;
}

enum spirv_outcome spirv_store(struct spirv_run *run, struct spirv_warp *warp,
			       const struct spirv_ins *ins, uint32_t lanes)
{
	const struct spirv_access *access = &run->program->accesses[ins->extra];
	const struct spirv_leaf *leaf = &run->program->leaves[access->leaf];
	const uint64_t *base = spirv_lanes_of(run, warp, ins->a),
		       *from = spirv_lanes_of(run, warp, ins->b);
	uint8_t *memory;
	uint32_t i, k;

	if (access->space == SPACE_SHARED)
		return memory_ask_shared(run, warp, ins, lanes, true);
	if (access->space == SPACE_GLOBAL && warp->stale)
		return OUTCOME_RETRY;
	for (i = 0; i < access->leaves; i++, from += SPIRV_LANES) {
		for (k = 0; k < SPIRV_LANES; k++) {
			if (!(lanes >> k & 1))
				continue;
			memory = memory_item(run, warp, ins, k, access->space,
					     (base ? base[k] : 0) + (uint64_t)ins->imm +
						     leaf[i].offset,
					     leaf[i].bytes);
			if (!memory)
				return OUTCOME_NEXT;
			memcpy(memory, &from[k], leaf[i].bytes);
		}
	}
	return OUTCOME_NEXT;
}

/*
 * The slots from a lane's computed number on. An index beyond a variable still selects a slot of
 * the warp.
 */
static uint64_t *memory_own(struct spirv_run *run, struct spirv_warp *warp,
			    const struct spirv_ins *ins, const uint64_t *base, unsigned int lane)
{
	uint64_t slot = (base ? base[lane] : 0) + (uint64_t)ins->imm;

	if (slot < run->program->slots && ins->count <= run->program->slots - slot)
		return warp->slots + slot * SPIRV_LANES + lane;
	spirv_stop(run, ins, warp, lane, "an index leads out of a variable");
	return NULL;
}

void spirv_gather(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		  uint32_t lanes)
{
	uint64_t base[SPIRV_LANES] = { 0 }, *to = spirv_lanes_of(run, warp, ins->dst);
	const uint64_t *from;
	uint32_t i, k;

	if (ins->a != SLOT_NONE)
		memcpy(base, spirv_lanes_of(run, warp, ins->a), sizeof(base));
	for (k = 0; k < SPIRV_LANES; k++) {
		from = lanes >> k & 1 ? memory_own(run, warp, ins, base, k) : NULL;
		for (i = 0; from && i < ins->count; i++)
			to[(size_t)i * SPIRV_LANES + k] = from[(size_t)i * SPIRV_LANES];
	}
}

void spirv_scatter(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		   uint32_t lanes)
{
	const uint64_t *base = spirv_lanes_of(run, warp, ins->a),
		       *from = spirv_lanes_of(run, warp, ins->b);
	uint64_t *to;
	uint32_t i, k;

	for (k = 0; k < SPIRV_LANES; k++) {
		to = lanes >> k & 1 ? memory_own(run, warp, ins, base, k) : NULL;
		for (i = 0; to && i < ins->count; i++)
			to[(size_t)i * SPIRV_LANES] = from[(size_t)i * SPIRV_LANES + k];
	}
}

void spirv_length(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		  uint32_t lanes)
{
	const uint64_t *base = spirv_lanes_of(run, warp, ins->a);
	const struct spirv_region *region;
	uint64_t out[SPIRV_LANES] = { 0 }, end, first;
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++) {
		if (!(lanes >> i & 1))
			continue;
		region = spirv_region(run, base[i]);
		first = base[i] + (uint64_t)ins->imm;
		end = region ? region->va + region->bytes : 0;
		if (!region)
			spirv_stop(run, ins, warp, i, "nothing is bound at 0x%llx",
				   (unsigned long long)base[i]);
		else
			out[i] = first < end ? (end - first) / ins->extra : 0;
	}
	spirv_put(spirv_lanes_of(run, warp, ins->dst), out, lanes);
}
