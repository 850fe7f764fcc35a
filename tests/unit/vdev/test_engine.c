// SPDX-License-Identifier: MIT
#include "test_engine.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

struct faa_engine {
	struct faa_engine_config config;
	uint32_t regs[0x200];
	uint32_t src[2];
	uint32_t dst[2];
	uint32_t vector;
	uint32_t irqs;
	uint32_t busy;
	uint32_t slow;
	uint32_t swap;
	uint32_t errors;
	bool go;
	uint64_t cycle;
};

static uint32_t log_values[TEST_LOG_SIZE];
static uint32_t log_count;
static unsigned int creations;

static struct faa_engine *engine_create(const struct faa_engine_config *config)
{
	struct faa_engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return NULL;
	engine->config = *config;
	log_count = 0;
	creations++;
	return engine;
}

static void engine_destroy(struct faa_engine *engine)
{
	free(engine);
}

static uint32_t engine_read(struct faa_engine *engine, uint32_t offset)
{
	if (offset < sizeof(engine->regs))
		return engine->regs[offset / 4];
	switch (offset) {
	case TEST_REG_ERRORS:
		return engine->errors;
	case TEST_REG_BUSY:
		return engine->busy;
	case TEST_REG_LOG_LEN:
		return log_count;
	default:
		return 0xffffffff;
	}
}

static void engine_write(struct faa_engine *engine, uint32_t offset, uint32_t value)
{
	if (offset < sizeof(engine->regs)) {
		engine->regs[offset / 4] = value;
		return;
	}
	switch (offset) {
	case TEST_REG_SRC_LO:
	case TEST_REG_SRC_HI:
		engine->src[offset == TEST_REG_SRC_HI] = value;
		break;
	case TEST_REG_DST_LO:
	case TEST_REG_DST_HI:
		engine->dst[offset == TEST_REG_DST_HI] = value;
		break;
	case TEST_REG_VECTOR:
		engine->vector = value;
		break;
	case TEST_REG_BUSY:
		engine->busy = value;
		break;
	case TEST_REG_SLOW:
		engine->slow = value;
		break;
	case TEST_REG_SWAP:
		engine->swap = value;
		break;
	case TEST_REG_GO:
		engine->go = true;
		break;
	case TEST_REG_IRQS:
		engine->irqs = value;
		break;
	case TEST_REG_LOG:
		if (log_count < TEST_LOG_SIZE)
			log_values[log_count++] = value;
		break;
	}
}

static void engine_swap(struct faa_engine *engine, uint64_t src, uint64_t dst, uint64_t value)
{
	const struct faa_host_ops *ops = engine->config.ops;
	uint64_t mask = engine->swap == 8 ? ~0ull : (1ull << 8 * engine->swap) - 1;
	uint64_t seen = value & mask;

	if (ops->dma_cas(engine->config.ctx, dst, engine->swap, &seen, (value + 1) & mask) ||
	    ops->dma_write(engine->config.ctx, src + 8, &seen, sizeof(seen), 0xff))
		engine->errors++;
}

static void engine_go(struct faa_engine *engine)
{
	const struct faa_host_ops *ops = engine->config.ops;
	uint64_t src = (uint64_t)engine->src[1] << 32 | engine->src[0];
	uint64_t dst = (uint64_t)engine->dst[1] << 32 | engine->dst[0];
	uint64_t value;

	if (ops->dma_read(engine->config.ctx, src, &value, sizeof(value))) {
		engine->errors++;
	} else if (engine->swap) {
		engine_swap(engine, src, dst, value);
	} else {
		value++;
		if (ops->dma_write(engine->config.ctx, dst, &value, sizeof(value), 0xff))
			engine->errors++;
	}
	ops->msix(engine->config.ctx, engine->vector);
}

static void waste_time(void)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < 20000);
}

static bool engine_step(struct faa_engine *engine, uint64_t cycles)
{
	while (cycles--) {
		engine->cycle++;
		if (engine->busy) {
			engine->busy--;
			if (engine->busy < engine->slow)
				waste_time();
			continue;
		}
		if (engine->irqs) {
			engine->irqs--;
			engine->config.ops->msix(engine->config.ctx, engine->vector++ % 16);
			continue;
		}
		if (!engine->go)
			return false;
		engine->go = false;
		engine_go(engine);
	}
	return engine->go || engine->busy || engine->irqs;
}

static uint64_t engine_cycle(struct faa_engine *engine)
{
	return engine->cycle;
}

static int engine_dump_trace(struct faa_engine *engine, const char *path)
{
	return -EOPNOTSUPP;
}

const struct faa_engine_ops faa_engine_test = {
	.name = "test",
	.create = engine_create,
	.destroy = engine_destroy,
	.mmio_read = engine_read,
	.mmio_write = engine_write,
	.step = engine_step,
	.cycle = engine_cycle,
	.dump_trace = engine_dump_trace,
};

const uint32_t *test_engine_log(uint32_t *count)
{
	*count = log_count;
	return log_values;
}

unsigned int test_engine_creations(void)
{
	return creations;
}
