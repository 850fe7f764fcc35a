// SPDX-License-Identifier: Apache-2.0
/* Scheduler: assigns queues to CUs, and moves their contexts. */
#include <assert.h>
#include <endian.h>
#include <string.h>

#include "model.h"

#define ROW_BYTES ((uint64_t)FAA_LANES * 4)
/* First word and number of words of row 255 that hold the configuration of surfaces. */
#define CONFIG_WORD  8
#define CONFIG_WORDS 7

/* Whether step() has work. */
bool sched_has_work(const struct faa_engine *engine)
{
	if (engine->inv_pending || engine->event_interrupt)
		return true;
	for (unsigned int i = 0; i < engine->params.num_cus; i++)
		if (engine->cus[i].busy || engine->cus[i].reset)
			return true;
	for (unsigned int i = 0; i < engine->params.num_queues; i++)
		if (engine->queues[i].state == FAA_QUEUE_STATE_READY || engine->queues[i].leaving)
			return true;
	return false;
}

/* Whether a CU that serves another queue still has to save this queue's context. */
static bool sched_context_is_leaving(const struct faa_engine *engine, unsigned int queue)
{
	for (unsigned int i = 0; i < engine->params.num_cus; i++)
		if (engine->cus[i].busy && engine->cus[i].resident == (int)queue)
			return true;
	return false;
}

/* Next runnable queue: highest priority first, round-robin within a priority. */
static int sched_next_queue(const struct faa_engine *engine)
{
	const int lowest = engine->unserved ? 1 : 0;
	unsigned int n = engine->params.num_queues;

	for (int prio = 3; prio >= lowest; prio--) {
		for (unsigned int i = 1; i <= n; i++) {
			unsigned int candidate = (engine->served[prio] + i) % n;
			const struct queue *queue = &engine->queues[candidate];

			if (queue->state == FAA_QUEUE_STATE_READY && !queue->leaving &&
			    queue->prio == (uint32_t)prio &&
			    !sched_context_is_leaving(engine, candidate))
				return candidate;
		}
	}
	return NO_QUEUE;
}

/* A free CU for a queue: the one with its context, else an empty one, else any. */
static struct cu *sched_choose_cu(struct faa_engine *engine, int queue)
{
	struct cu *free[FAA_MAX_CUS], *empty = NULL;
	unsigned int n = 0;

	for (unsigned int i = 0; i < engine->params.num_cus; i++) {
		struct cu *cu = &engine->cus[i];

		if (cu->busy || cu->reset)
			continue;
		if (cu->resident == queue)
			return cu;
		if (cu->resident == NO_QUEUE && !empty)
			empty = cu;
		free[n++] = cu;
	}
	if (empty)
		return empty;
	return n ? free[model_random(engine) % n] : NULL;
}

/* Assigns free CUs to runnable queues. */
void sched_assign(struct faa_engine *engine)
{
	for (;;) {
		int index = sched_next_queue(engine);
		struct cu *cu;

		if (index == NO_QUEUE)
			return;
		cu = sched_choose_cu(engine, index);
		if (!cu)
			return;
		engine->queues[index].state = FAA_QUEUE_STATE_RUNNING;
		engine->queues[index].cu = cu->index;
		engine->served[engine->queues[index].prio] = index;
		cu->busy = true;
		cu->queue = index;
		cu->phase = JOB_DESCRIPTORS;
	}
}

static bool sched_save_row(struct cu *cu, uint64_t addr, const uint32_t *row)
{
	uint32_t le[FAA_LANES];

	for (unsigned int lane = 0; lane < FAA_LANES; lane++)
		le[lane] = htole32(row[lane]);
	return !bus_write(cu->engine, addr, le, FAA_LINE_BYTES) &&
	       !bus_write(cu->engine, addr + FAA_LINE_BYTES, le + FAA_LINE_BYTES / 4,
			  FAA_LINE_BYTES);
}

static void sched_config_to_words(const struct surface_config *config, uint32_t *words)
{
	words[0] = (uint32_t)config->pool;
	words[1] = config->pool >> 32;
	words[2] = config->headers;
	words[3] = config->bank_bytes;
	words[4] = (uint32_t)config->bank;
	words[5] = config->bank >> 32;
	words[6] = config->helpers;
}

static void sched_config_of_words(struct surface_config *config, const uint32_t *words)
{
	config->pool = words[0] | (uint64_t)words[1] << 32;
	config->headers = words[2];
	config->bank_bytes = words[3];
	config->bank = words[4] | (uint64_t)words[5] << 32;
	config->helpers = words[6];
}

static bool sched_slot_save(struct cu *cu, const struct warp_slot *ws, uint64_t area)
{
	uint32_t last[FAA_LANES] = { 0 };

	for (unsigned int r = 0; r < FAA_REGISTERS; r++)
		if (!sched_save_row(cu, area + r * ROW_BYTES, ws->registers[r]))
			return false;
	memcpy(last, ws->predicates, sizeof(ws->predicates));
	sched_config_to_words(&ws->config, last + CONFIG_WORD);
	return sched_save_row(cu, area + FAA_REGISTERS * ROW_BYTES, last);
}

/* The counters of the queue whose context a CU holds, in memory order. */
void counters_to_le(const struct cu *cu, uint64_t le[FAA_COUNTERS])
{
	for (unsigned int i = 0; i < FAA_COUNTERS; i++)
		le[i] = htole64(i == FAA_COUNTER_CYCLES ? cu->engine->cycle :
							  cu->counters[i] - cu->base[i]);
}

static bool sched_counters_save(const struct cu *cu, uint64_t addr)
{
	uint64_t le[FAA_COUNTERS];

	static_assert(sizeof(le) == FAA_COUNTER_BYTES, "a save area holds all counters");
	counters_to_le(cu, le);
	for (unsigned int i = 0; i < FAA_COUNTER_BYTES; i += FAA_LINE_BYTES)
		if (bus_write(cu->engine, addr + i, (const uint8_t *)le + i, FAA_LINE_BYTES))
			return false;
	return true;
}

static bool sched_counters_restore(struct cu *cu, uint64_t addr)
{
	uint64_t le[FAA_COUNTERS];

	if (bus_read(cu->engine, addr, le, sizeof(le)))
		return false;
	/* Those without a name stay 0. */
	for (unsigned int i = 0; i <= FAA_COUNTER_STALL_SURFACE; i++)
		cu->base[i] = cu->counters[i] - le64toh(le[i]);
	return true;
}

/* Saves the resident context to its queue's save area. */
static bool sched_context_save(struct cu *cu)
{
	const struct queue *queue = &cu->engine->queues[cu->resident];
	uint64_t area = queue->save_area & ~(uint64_t)(FAA_LINE_BYTES - 1);

	for (unsigned int i = 0; i < cu->engine->params.warp_slots; i++, area += FAA_CONTEXT_BYTES)
		if ((queue->used >> i & 1) && !sched_slot_save(cu, &cu->slots[i], area))
			return false;
	for (uint32_t i = 0; i < shared_bytes(cu->engine, queue); i += FAA_LINE_BYTES)
		if (bus_write(cu->engine, area + i, cu->shared + i, FAA_LINE_BYTES))
			return false;
	return sched_counters_save(cu, area + shared_bytes(cu->engine, queue));
}

static bool sched_restore_row(struct cu *cu, uint64_t addr, uint32_t *row, unsigned int words)
{
	uint32_t le[FAA_LANES];

	if (bus_read(cu->engine, addr, le, sizeof(le)))
		return false;
	for (unsigned int i = 0; i < words; i++)
		row[i] = le32toh(le[i]);
	return true;
}

static bool sched_slot_restore(struct cu *cu, struct warp_slot *ws, uint64_t area)
{
	uint32_t last[CONFIG_WORD + CONFIG_WORDS];

	for (unsigned int r = 0; r < FAA_REGISTERS; r++)
		if (!sched_restore_row(cu, area + r * ROW_BYTES, ws->registers[r], FAA_LANES))
			return false;
	if (!sched_restore_row(cu, area + FAA_REGISTERS * ROW_BYTES, last,
			       CONFIG_WORD + CONFIG_WORDS))
		return false;
	memcpy(ws->predicates, last, sizeof(ws->predicates));
	sched_config_of_words(&ws->config, last + CONFIG_WORD);
	return true;
}

/* Restores the context of the CU's queue from its save area. */
static bool sched_context_restore(struct cu *cu)
{
	const struct queue *queue = &cu->engine->queues[cu->queue];
	uint64_t area = queue->save_area & ~(uint64_t)(FAA_LINE_BYTES - 1);

	for (unsigned int i = 0; i < cu->engine->params.warp_slots; i++, area += FAA_CONTEXT_BYTES)
		if ((queue->used >> i & 1) && !sched_slot_restore(cu, &cu->slots[i], area))
			return false;
	for (uint32_t i = 0; i < shared_bytes(cu->engine, queue); i += FAA_LINE_BYTES)
		if (bus_read(cu->engine, area + i, cu->shared + i, FAA_LINE_BYTES))
			return false;
	return sched_counters_restore(cu, area + shared_bytes(cu->engine, queue));
}

/* Begins a context of zeros, but for the registers of its slots. */
static void sched_context_clear(struct cu *cu)
{
	memset(cu->shared, 0, cu->engine->params.shared_max);
	memcpy(cu->base, cu->counters, sizeof(cu->base));
}

/* Clears the contexts of slots that the job uses for the first time in its queue. */
static void sched_slots_clear(struct cu *cu, struct queue *queue)
{
	for (unsigned int i = 0; i < cu->streams; i++) {
		struct warp_slot *ws = &cu->slots[i];

		if (queue->used >> i & 1)
			continue;
		memset(ws->registers, 0, sizeof(ws->registers));
		memset(ws->predicates, 0, sizeof(ws->predicates));
		memset(&ws->config, 0, sizeof(ws->config));
		queue->used |= 1u << i;
	}
}

/*
 * Replaces the resident context by that of the CU's queue. False if the save area of the CU's own
 * queue could not be read. If the area of the former queue could not be written, only that queue
 * goes to state ERROR.
 */
static bool sched_context_change(struct cu *cu)
{
	struct faa_engine *engine = cu->engine;
	const struct queue *queue = &engine->queues[cu->queue];
	int former = cu->resident;

	if (former != NO_QUEUE && !sched_context_save(cu))
		queue_stop(engine, &engine->queues[former], FAA_QUEUE_STATE_ERROR);
	cu->resident = NO_QUEUE;
	if (!queue->used)
		sched_context_clear(cu);
	else if (!sched_context_restore(cu))
		return false;
	cu->resident = cu->queue;
	return true;
}

/* Makes the context of the CU's queue resident; false if that failed. */
bool context_switch(struct cu *cu)
{
	if (cu->resident != cu->queue && !sched_context_change(cu))
		return false;
	sched_slots_clear(cu, &cu->engine->queues[cu->queue]);
	return true;
}

/*
 * Saves the context of a disabled queue if a CU has it. False while that CU serves another queue,
 * which saves it before it begins. If the area could not be written, the queue goes to state ERROR.
 */
bool context_evict(struct faa_engine *engine, unsigned int queue)
{
	for (unsigned int i = 0; i < engine->params.num_cus; i++) {
		struct cu *cu = &engine->cus[i];

		if (cu->resident != (int)queue)
			continue;
		if (cu->busy || cu->reset)
			return false;
		if (!sched_context_save(cu))
			queue_stop(engine, &engine->queues[queue], FAA_QUEUE_STATE_ERROR);
		cu->resident = NO_QUEUE;
	}
	return true;
}

/* Drops the context of a queue in all CUs. */
void context_discard(struct faa_engine *engine, unsigned int queue)
{
	for (unsigned int i = 0; i < engine->params.num_cus; i++)
		if (engine->cus[i].resident == (int)queue)
			engine->cus[i].resident = NO_QUEUE;
}

/* Executes CU control.reset. */
void cu_reset(struct cu *cu)
{
	struct faa_engine *engine = cu->engine;
	int lost = cu->resident;

	cu->resident = NO_QUEUE;
	cu->reset = false;
	if (cu->busy && (cu->phase != JOB_DESCRIPTORS || job_read_descriptors(cu)))
		job_stop(cu, FAA_ERROR_CU_RESET);
	if (lost != NO_QUEUE && (engine->queues[lost].state == FAA_QUEUE_STATE_IDLE ||
				 engine->queues[lost].state == FAA_QUEUE_STATE_READY))
		queue_stop(engine, &engine->queues[lost], FAA_QUEUE_STATE_KILLED);
	raise_event(engine, EVENT_CU_RESET_DONE);
}
