// SPDX-License-Identifier: MIT
/* Host memory, registers and progress; see tb_host.h. */
#include <endian.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_model.h"

#include "tb_host.h"
#include "tb_waves.h"

#define DEFAULT_MEMORY_BYTES (16u << 20)
/* Above 4 GiB, so that a lost high half shows. */
#define MEMORY_BASE 0x340000000ULL
#define STEP_UNITS  64

void tb_die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	tb_waves_keep("ended");
	exit(2);
}

static bool page_allows(const struct tb_host *host, uint64_t addr, size_t len,
			enum tb_access access)
{
	uint64_t first, last;

	if (addr < host->base || addr - host->base > host->bytes ||
	    len > host->bytes - (addr - host->base))
		return false;
	first = (addr - host->base) / TB_PAGE;
	last = (addr - host->base + len - 1) / TB_PAGE;
	for (uint64_t page = first; page <= last; page++)
		if (!(host->access[page] & access))
			return false;
	return true;
}

static int check_dma(struct tb_host *host, uint64_t addr, size_t len, enum tb_access access)
{
	bool inside = addr >= host->base && addr - host->base < host->bytes;

	if (host->trace_dma)
		fprintf(stderr, "%s 0x%llx + %zu\n", access == TB_READ ? "read " : "write",
			(unsigned long long)addr, len);
	if (page_allows(host, addr, len, access))
		return 0;
	if (inside || !host->allow_bus_errors) {
		if (!host->violations++)
			host->violation_addr = addr;
	}
	return -EFAULT;
}

static int dma_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct tb_host *host = ctx;
	int ret = check_dma(host, addr, len, TB_READ);

	if (!ret)
		tb_access_read(buf, tb_ptr(host, addr), len);
	return ret;
}

static int dma_write(void *ctx, uint64_t addr, const void *buf, size_t len, uint64_t strb)
{
	struct tb_host *host = ctx;
	uint8_t data[64];
	int ret;

	if (len == 0 || len > 64)
		tb_die("the engine wrote %zu bytes at once; 1 to 64 are allowed", len);
	ret = check_dma(host, addr, len, TB_WRITE);
	if (ret)
		return ret;
	memcpy(data, buf, len);
	if (host->tamper)
		host->tamper(host, addr, data, len, strb);
	tb_access_write(tb_ptr(host, addr), data, len, strb);
	return 0;
}

/* With the processor's instruction, because threads of a test may use the memory concurrently. */
static uint64_t swap(void *at, unsigned int size, uint64_t expected, uint64_t desired)
{
	uint16_t before16 = htole16((uint16_t)expected);
	uint32_t before32 = htole32((uint32_t)expected);
	uint64_t before64 = htole64(expected);

	switch (size) {
	case 2:
		__atomic_compare_exchange_n((uint16_t *)at, &before16, htole16((uint16_t)desired),
					    false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return le16toh(before16);
	case 4:
		__atomic_compare_exchange_n((uint32_t *)at, &before32, htole32((uint32_t)desired),
					    false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		return le32toh(before32);
	}
	__atomic_compare_exchange_n((uint64_t *)at, &before64, htole64(desired), false,
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return le64toh(before64);
}

static int dma_cas(void *ctx, uint64_t addr, unsigned int size, uint64_t *expected,
		   uint64_t desired)
{
	struct tb_host *host = ctx;

	if ((size != 2 && size != 4 && size != 8) || addr % size)
		tb_die("the engine compares and swaps %u bytes at 0x%llx; 2, 4 or 8, aligned, are allowed",
		       size, (unsigned long long)addr);
	if (check_dma(host, addr, size, TB_READ) || check_dma(host, addr, size, TB_WRITE))
		return -EFAULT;
	*expected = swap(tb_ptr(host, addr), size, *expected, desired);
	host->swaps++;
	return 0;
}

static void msix(void *ctx, unsigned int vector)
{
	struct tb_host *host = ctx;

	if (vector >= TB_VECTORS)
		tb_die("the engine requested vector %u", vector);
	host->interrupts[vector]++;
}

static const struct faa_host_ops host_ops = {
	.dma_read = dma_read,
	.dma_write = dma_write,
	.msix = msix,
	.dma_cas = dma_cas,
};

struct faa_mem_config tb_mem_default(uint64_t seed)
{
	struct faa_mem_config mem = { .latency = 20, .jitter = 0, .outstanding = 16, .seed = seed };

	return mem;
}

struct faa_mem_config tb_mem_random(uint64_t seed)
{
	static const uint32_t latencies[] = { 1, 2, 5, 20, 60 };
	static const uint32_t jitters[] = { 0, 1, 7, 40 };
	static const uint32_t outstanding[] = { 1, 2, 4, 16, 64 };
	static const uint32_t stalls[] = { 0, 50, 300 };
	struct faa_mem_config mem = { .seed = seed };

	mem.latency = latencies[seed % 5];
	mem.jitter = jitters[seed / 5 % 4];
	mem.outstanding = outstanding[seed / 20 % 5];
	mem.stall = stalls[seed / 100 % 3];
	return mem;
}

static void read_configuration(struct tb_host *host)
{
	uint32_t config = tb_read(host, FAA_REG_CONFIG0);

	if (tb_read(host, FAA_REG_MAGIC) != FAA_REG_MAGIC_VALUE)
		tb_die("register MAGIC reads 0x%08x, not 0x%08x", tb_read(host, FAA_REG_MAGIC),
		       FAA_REG_MAGIC_VALUE);
	host->num_queues = (config & FAA_REG_CONFIG0_NUM_QUEUES_MASK) >>
			   FAA_REG_CONFIG0_NUM_QUEUES_SHIFT;
	host->num_cus = (config & FAA_REG_CONFIG0_NUM_CUS_MASK) >> FAA_REG_CONFIG0_NUM_CUS_SHIFT;
	host->warp_slots = (config & FAA_REG_CONFIG0_WARP_SLOTS_MASK) >>
			   FAA_REG_CONFIG0_WARP_SLOTS_SHIFT;
	host->shared_max = tb_read(host, FAA_REG_SHARED_MAX);
}

struct tb_host *tb_host_create(const struct tb_config *config)
{
	struct tb_host *host = calloc(1, sizeof(*host));
	struct faa_engine_config engine = { .ops = &host_ops, .ctx = host, .mem = config->mem };

	if (!host)
		tb_die("no memory for a host");
	tb_waves_set(config->engine, &engine);
	host->ops = config->engine;
	host->base = MEMORY_BASE;
	host->bytes = config->memory_bytes ? config->memory_bytes : DEFAULT_MEMORY_BYTES;
	host->bytes = (host->bytes + TB_PAGE - 1) / TB_PAGE * TB_PAGE;
	host->limit = 20000000;
	host->memory = calloc(1, host->bytes);
	host->access = calloc(host->bytes / TB_PAGE, 1);
	if (!host->memory || !host->access)
		tb_die("no memory for %zu bytes of host memory", host->bytes);
	if (config->model && config->engine == &faa_engine_model)
		host->engine = faa_model_create(&engine, config->model);
	else
		host->engine = config->engine->create(&engine);
	if (!host->engine)
		tb_die("engine %s: %s", config->engine->name, strerror(errno));
	tb_waves_add(host);
	read_configuration(host);
	return host;
}

void tb_host_destroy(struct tb_host *host)
{
	if (!host)
		return;
	tb_waves_remove(host);
	host->ops->destroy(host->engine);
	free(host->access);
	free(host->memory);
	free(host);
}

uint64_t tb_dma_alloc_aligned(struct tb_host *host, size_t bytes, size_t align,
			      enum tb_access access)
{
	/* The base is aligned to every page size, so offsets align as addresses do. */
	size_t start = (host->used + align - 1) / align * align;
	size_t size = (bytes + TB_PAGE - 1) / TB_PAGE * TB_PAGE;

	if (size > host->bytes || start > host->bytes - size)
		tb_die("host memory of %zu bytes is exhausted: %zu used, %zu wanted", host->bytes,
		       host->used, size);
	host->used = start + size;
	memset(host->access + start / TB_PAGE, access, size / TB_PAGE);
	return host->base + start;
}

uint64_t tb_dma_alloc(struct tb_host *host, size_t bytes, enum tb_access access)
{
	return tb_dma_alloc_aligned(host, bytes, TB_PAGE, access);
}

void tb_dma_access(struct tb_host *host, uint64_t addr, size_t bytes, enum tb_access access)
{
	memset(host->access + (addr - host->base) / TB_PAGE, access,
	       (bytes + TB_PAGE - 1) / TB_PAGE);
}

void *tb_ptr(struct tb_host *host, uint64_t addr)
{
	if (addr < host->base || addr - host->base >= host->bytes)
		tb_die("DMA address 0x%llx is not host memory", (unsigned long long)addr);
	return host->memory + (addr - host->base);
}

uint32_t tb_read(struct tb_host *host, uint32_t reg)
{
	return host->ops->mmio_read(host->engine, reg);
}

void tb_write(struct tb_host *host, uint32_t reg, uint32_t value)
{
	host->ops->mmio_write(host->engine, reg, value);
}

void tb_write64(struct tb_host *host, uint32_t reg_lo, uint64_t value)
{
	tb_write(host, reg_lo, (uint32_t)value);
	tb_write(host, reg_lo + 4, value >> 32);
}

uint64_t tb_read64(struct tb_host *host, uint32_t reg_lo)
{
	uint64_t low = tb_read(host, reg_lo);

	return low | (uint64_t)tb_read(host, reg_lo + 4) << 32;
}

bool tb_step(struct tb_host *host, uint64_t units)
{
	return host->ops->step(host->engine, units);
}

bool tb_idle(struct tb_host *host)
{
	for (uint64_t i = 0; i < host->limit; i += STEP_UNITS)
		if (!tb_step(host, STEP_UNITS))
			return true;
	return false;
}

bool tb_wait_reg(struct tb_host *host, uint32_t reg, uint32_t mask, uint32_t value)
{
	for (uint64_t i = 0; i < host->limit; i += STEP_UNITS) {
		if ((tb_read(host, reg) & mask) == value)
			return true;
		tb_step(host, STEP_UNITS);
	}
	return false;
}
