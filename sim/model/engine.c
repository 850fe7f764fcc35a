// SPDX-License-Identifier: Apache-2.0
/* The model as an engine: creation, bus, random choices and progress. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "faa_regs.h"

#include "model.h"

uint64_t model_random(struct faa_engine *engine)
{
	uint64_t x = engine->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	engine->random = x;
	return x * 0x2545f4914f6cdd1dULL;
}

static bool engine_bus_error(struct faa_engine *engine)
{
	return engine->error_rate && model_random(engine) % engine->error_rate == 0;
}

/* Reads @len bytes at a DMA address; -EFAULT for a bus error. */
int bus_read(struct faa_engine *engine, uint64_t addr, void *buf, size_t len)
{
	if (engine_bus_error(engine))
		return -EFAULT;
	return engine->ops->dma_read(engine->ctx, addr, buf, len);
}

/* Writes @len <= 64 bytes at a DMA address; -EFAULT for a bus error. */
int bus_write(struct faa_engine *engine, uint64_t addr, const void *buf, size_t len)
{
	uint64_t strb = len == 64 ? ~0ULL : (1ULL << len) - 1;

	if (engine_bus_error(engine))
		return -EFAULT;
	return engine->ops->dma_write(engine->ctx, addr, buf, len, strb);
}

/*
 * Compares and swaps 2, 4 or 8 bytes with the host's atomic instruction; -EFAULT for a bus error.
 */
int bus_cas(struct faa_engine *engine, uint64_t addr, unsigned int size, uint64_t *expected,
	    uint64_t desired)
{
	if (engine_bus_error(engine))
		return -EFAULT;
	return engine->ops->dma_cas(engine->ctx, addr, size, expected, desired);
}

/* Requests vector 0 if an enabled event bit is set that is not in @before. */
void update_events(struct faa_engine *engine, uint32_t before)
{
	if (engine->event_status & engine->event_enable & ~before)
		engine->event_interrupt = true;
}

/* Sets bits of EVENT_STATUS; an enabled bit that was clear interrupts. */
void raise_event(struct faa_engine *engine, uint32_t event)
{
	uint32_t before = engine->event_status & engine->event_enable;

	engine->event_status |= event;
	update_events(engine, before);
}

static void engine_destroy(struct faa_engine *engine)
{
	if (!engine)
		return;
	for (unsigned int i = 0; i < FAA_MAX_CUS; i++)
		free(engine->cus[i].shared);
	free(engine);
}

static unsigned int engine_shared_lanes(const struct faa_model_params *params)
{
	return (params->shared_unit & FAA_REG_SHARED_UNIT_LANES_MASK) >>
	       FAA_REG_SHARED_UNIT_LANES_SHIFT;
}

/*
 * Features are complete, supported by the model, and have the features and host functions that they
 * need.
 */
static bool engine_features_valid(uint32_t features, const struct faa_host_ops *ops)
{
	const uint32_t always = 1u << FAA_FEATURE_ATOMS_SEED | 1u << FAA_FEATURE_STREAM_OPERANDS |
				1u << FAA_FEATURE_SPARSE;

	const uint32_t need_global = 1u << FAA_FEATURE_SYS_ATOMICS |
				     1u << FAA_FEATURE_SURFACE_ATOMICS;

	if (features & need_global && !(features >> FAA_FEATURE_GLOBAL_ATOMICS & 1))
		return false;
	if (features >> FAA_FEATURE_SYS_ATOMICS & 1 && !ops->dma_cas)
		return false;
	return (features & always) == always && !(features & ~FAA_MODEL_FEATURES);
}

static bool engine_params_valid(const struct faa_model_params *params,
				const struct faa_host_ops *ops)
{
	unsigned int lanes = engine_shared_lanes(params);

	return (lanes == 4 || lanes == 8 || lanes == 16 || lanes == 32) &&
	       engine_features_valid(params->features, ops) && params->num_cus >= 1 &&
	       params->num_cus <= FAA_MAX_CUS && params->num_queues >= 1 &&
	       params->num_queues <= FAA_MAX_QUEUES && params->warp_slots >= 1 &&
	       params->warp_slots <= FAA_MAX_SLOTS &&
	       params->shared_max % FAA_SHARED_GRANULE == 0 &&
	       params->shared_max >= FAA_SHARED_GRANULE &&
	       params->shared_max <= FAA_SHARED_WINDOW_BYTES;
}

struct faa_engine *faa_model_create(const struct faa_engine_config *config,
				    const struct faa_model_params *params)
{
	struct faa_engine *engine;

	if (!engine_params_valid(params, config->ops)) {
		errno = EINVAL;
		return NULL;
	}
	engine = calloc(1, sizeof(*engine));
	if (!engine)
		return NULL;
	engine->ops = config->ops;
	engine->ctx = config->ctx;
	engine->params = *params;
	engine->shared_lanes = engine_shared_lanes(params);
	engine->error_rate = config->mem.error_rate;
	engine->random = config->mem.seed * 2 + 0x9e3779b97f4a7c15ULL;
	for (unsigned int i = 0; i < FAA_MAX_QUEUES; i++)
		engine->queues[i].cu = NO_CU;
	for (unsigned int prio = 0; prio < 4; prio++)
		engine->served[prio] = params->num_queues - 1;
	for (unsigned int i = 0; i < params->num_cus; i++) {
		struct cu *cu = &engine->cus[i];

		cu->engine = engine;
		cu->index = i;
		cu->resident = NO_QUEUE;
		for (unsigned int j = 0; j < FAA_MAX_SLOTS; j++)
			cu->slots[j].cu = cu;
		cu->shared = calloc(1, params->shared_max);
		if (!cu->shared) {
			engine_destroy(engine);
			errno = ENOMEM;
			return NULL;
		}
	}
	return engine;
}

static struct faa_engine *engine_create(const struct faa_engine_config *config)
{
	struct faa_model_params params = FAA_MODEL_DEFAULT;
	const char *defect = config->defect ? config->defect : "";
	const bool deaf = !strcmp(defect, "deaf"), unserved = !strcmp(defect, "unserved");
	struct faa_engine *engine;

	if (config->defect && !deaf && !unserved) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if (config->num_cus)
		params.num_cus = config->num_cus;
	if (!config->ops->dma_cas)
		params.features &= ~(1u << FAA_FEATURE_SYS_ATOMICS);
	engine = faa_model_create(config, &params);
	if (engine) {
		engine->deaf = deaf;
		engine->unserved = unserved;
	}
	return engine;
}

/* Work of the device other than jobs. */
static void engine_housekeeping(struct faa_engine *engine)
{
	for (unsigned int i = 0; i < engine->params.num_cus; i++)
		if (engine->cus[i].reset)
			cu_reset(&engine->cus[i]);
	if (engine->inv_pending)
		mmu_invalidate(engine);
	if (engine->event_interrupt) {
		engine->event_interrupt = false;
		engine->ops->msix(engine->ctx, 0);
	}
	queues_leave(engine);
	sched_assign(engine);
}

/* One warp, command, poll or step of a job. */
static void engine_unit(struct faa_engine *engine)
{
	struct turn turn;

	engine->cycle++;
	engine_housekeeping(engine);
	for (unsigned int i = 0; i < engine->params.num_cus; i++)
		engine->cus[i].counters[FAA_COUNTER_BUSY] += engine->cus[i].busy;
	turn = turn_next(engine);
	if (turn.cu)
		exec_unit(turn);
	/* Other threads of the host see memory change unit by unit. */
	atomic_thread_fence(memory_order_seq_cst);
}

/*
 * No unit makes progress without memory: a command is fetched, a job has a descriptor and a record,
 * an invalidation and the reset of a compute unit wait for the accesses in flight.
 */
static bool engine_stopped(const struct faa_engine *engine)
{
	return engine->ops->dma_stopped && engine->ops->dma_stopped(engine->ctx);
}

static bool engine_step(struct faa_engine *engine, uint64_t cycles)
{
	if (engine_stopped(engine) && sched_has_work(engine)) {
		engine->cycle += cycles;
		return true;
	}
	while (cycles-- && sched_has_work(engine))
		engine_unit(engine);
	return sched_has_work(engine);
}

static uint64_t engine_cycle(struct faa_engine *engine)
{
	return engine->cycle;
}

static int engine_dump_trace(struct faa_engine *engine, const char *path)
{
	(void)engine;
	(void)path;
	return -EOPNOTSUPP;
}

const struct faa_engine_ops faa_engine_model = {
	.name = "model",
	.create = engine_create,
	.destroy = engine_destroy,
	.mmio_read = regs_read,
	.mmio_write = regs_write,
	.step = engine_step,
	.cycle = engine_cycle,
	.dump_trace = engine_dump_trace,
};
