// SPDX-License-Identifier: MIT
/*
 * The harness of the verilated device, on a small device that copies lines: registers, memory,
 * interrupt, waveform.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "faa_engine.h"
#include "../run_tests.h"

#define MEM_SIZE 65536u

static uint8_t host[MEM_SIZE];
static unsigned int interrupts;
static bool stopped;

static int host_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	if (addr > MEM_SIZE - len)
		return -EFAULT;
	memcpy(buf, host + addr, len);
	return 0;
}

static int host_write(void *ctx, uint64_t addr, const void *buf, size_t len, uint64_t strb)
{
	if (addr > MEM_SIZE - len)
		return -EFAULT;
	for (size_t i = 0; i < len; i++)
		if (strb >> i & 1)
			host[addr + i] = ((const uint8_t *)buf)[i];
	return 0;
}

static void host_msix(void *ctx, unsigned int vector)
{
	assert_int_equal(vector, 3);
	interrupts++;
}

static bool host_stopped(void *ctx)
{
	return stopped;
}

static const struct faa_host_ops ops = { .dma_read = host_read,
					 .dma_write = host_write,
					 .msix = host_msix,
					 .dma_stopped = host_stopped };
static const struct faa_engine_ops *const rtl = &faa_engine_rtl;

static struct faa_engine *make(struct faa_mem_config mem, uint32_t trace_cycles)
{
	const struct faa_engine_config config = { .ops = &ops,
						  .mem = mem,
						  .trace_cycles = trace_cycles };
	struct faa_engine *engine = rtl->create(&config);

	assert_non_null(engine);
	interrupts = 0;
	for (unsigned int i = 0; i < MEM_SIZE; i++)
		host[i] = (uint8_t)(i * 3 + i / 251);
	return engine;
}

static void start_copy(struct faa_engine *engine, uint64_t src, uint64_t dst, uint32_t lines)
{
	rtl->mmio_write(engine, 0x08, (uint32_t)src);
	rtl->mmio_write(engine, 0x0c, (uint32_t)(src >> 32));
	rtl->mmio_write(engine, 0x10, (uint32_t)dst);
	rtl->mmio_write(engine, 0x14, (uint32_t)(dst >> 32));
	rtl->mmio_write(engine, 0x18, lines);
	rtl->mmio_write(engine, 0x1c, 1);
}

static void test_registers(void **state)
{
	struct faa_engine *engine =
		make((struct faa_mem_config){ .latency = 1, .outstanding = 1 }, 0);
	uint64_t cycle;

	assert_int_equal(rtl->mmio_read(engine, 0), 0x7e57da7a);
	assert_int_equal(rtl->mmio_read(engine, 4), 0);
	rtl->mmio_write(engine, 4, 0x12345678);
	assert_int_equal(rtl->mmio_read(engine, 4), 0x12345678);
	/* The clock of an idle engine stops. */
	assert_false(rtl->step(engine, 1000));
	cycle = rtl->cycle(engine);
	assert_false(rtl->step(engine, 1000));
	assert_int_equal(rtl->cycle(engine), cycle);
	rtl->destroy(engine);
}

static void test_copy(void **state)
{
	const struct faa_mem_config configs[] = {
		{ .latency = 1, .outstanding = 1 },
		{ .latency = 20, .jitter = 30, .outstanding = 2, .stall = 400, .seed = 5 },
	};

	for (int i = 0; i < 2; i++) {
		struct faa_engine *engine = make(configs[i], 0);
		unsigned int steps = 0;

		start_copy(engine, 0, 32768, 100);
		/* Registers answer while it works. */
		assert_int_equal(rtl->mmio_read(engine, 0x1c), 1);
		while (rtl->step(engine, 10))
			assert_true(++steps < 10000);
		assert_memory_equal(host, host + 32768, 6400);
		assert_int_equal(interrupts, 1);
		assert_int_equal(rtl->mmio_read(engine, 0x1c), 0);
		assert_int_equal(rtl->mmio_read(engine, 0x20), 0);
		rtl->destroy(engine);
	}
}

/* Memory that stops to answer in mid-copy: only the clock and the registers work. */
static void test_stopped_memory(void **state)
{
	struct faa_engine *engine = make(
		(struct faa_mem_config){ .latency = 20, .jitter = 30, .outstanding = 2, .seed = 5 },
		0);
	uint8_t copied[6400];
	uint64_t cycle;

	start_copy(engine, 0, 32768, 100);
	assert_true(rtl->step(engine, 1000));
	stopped = true;
	/* Answers from before the stop are taken. */
	rtl->step(engine, 10);
	memcpy(copied, host + 32768, sizeof(copied));
	cycle = rtl->cycle(engine);
	assert_true(rtl->step(engine, 10000));
	assert_int_equal(rtl->cycle(engine), cycle + 10000);
	assert_memory_equal(host + 32768, copied, sizeof(copied));
	assert_memory_not_equal(host + 32768, host, sizeof(copied));
	assert_int_equal(rtl->mmio_read(engine, 0x1c), 1);
	stopped = false;
	while (rtl->step(engine, 1000))
		;
	assert_memory_equal(host, host + 32768, sizeof(copied));
	assert_int_equal(interrupts, 1);
	/* A device may end with its accesses unanswered. */
	start_copy(engine, 64, 32768, 100);
	rtl->step(engine, 100);
	stopped = true;
	rtl->step(engine, 100);
	rtl->destroy(engine);
	stopped = false;
}

static void test_bus_errors(void **state)
{
	struct faa_engine *engine =
		make((struct faa_mem_config){ .latency = 1, .outstanding = 1 }, 0);

	start_copy(engine, MEM_SIZE, 0, 1);
	while (rtl->step(engine, 1000))
		;
	assert_true(rtl->mmio_read(engine, 0x20) >= 1);
	rtl->destroy(engine);

	engine = make(
		(struct faa_mem_config){
			.latency = 1, .outstanding = 1, .error_rate = 3, .seed = 8 },
		0);
	start_copy(engine, 0, 32768, 100);
	while (rtl->step(engine, 1000))
		;
	assert_in_range(rtl->mmio_read(engine, 0x20), 30, 120);
	rtl->destroy(engine);
}

/* Clock cycles of the waveform, from the header of the FST format; 0 if it is not FST. */
static uint64_t fst_cycles(const char *path)
{
	uint8_t header[25] = { 1 };
	uint64_t begin = 0, end = 0;
	FILE *file = fopen(path, "rb");

	if (!file)
		return 0;
	if (fread(header, sizeof(header), 1, file) != 1)
		header[0] = 1;
	fclose(file);
	for (int i = 0; i < 8; i++) {
		begin = begin << 8 | header[9 + i];
		end = end << 8 | header[17 + i];
	}
	return header[0] ? 0 : (end - begin) / 10;
}

#ifdef FAA_RTL_TRACE
static void unlink_save(const char *path)
{
	char save[64];

	snprintf(save, sizeof(save), "%s.gtkw", path);
	unlink(save);
}
#endif

/* A range of cycles, which ends before the device does, and one that is never reached. */
static void test_trace_range(void **state)
{
#ifdef FAA_RTL_TRACE
	struct faa_engine_config config = { .ops = &ops,
					    .mem = { .latency = 4, .outstanding = 2 },
					    .trace_from = 200,
					    .trace_to = 450 };
	char path[] = "/tmp/faa-trace-XXXXXX";
	struct faa_engine *engine;

	close(mkstemp(path));
	for (config.trace_to = 450; config.trace_to <= 1000000; config.trace_to += 999550) {
		engine = rtl->create(&config);
		assert_non_null(engine);
		assert_int_equal(rtl->dump_trace(engine, path), -ENODATA);
		start_copy(engine, 0, 32768, 100);
		while (rtl->step(engine, 17))
			;
		assert_int_equal(rtl->dump_trace(engine, path), 0);
		if (config.trace_to == 450)
			assert_int_equal(fst_cycles(path), 249);
		else
			assert_int_equal(fst_cycles(path), rtl->cycle(engine) - 200);
		rtl->destroy(engine);
	}
	unlink(path);
	unlink_save(path);
#else
	const struct faa_engine_config config = { .ops = &ops, .trace_to = 1 };

	assert_null(rtl->create(&config));
	assert_int_equal(errno, EOPNOTSUPP);
#endif
}

/* The save file has the ports of the device, by rooms. */
static void test_save(void **state)
{
#ifdef FAA_RTL_TRACE
	char path[] = "/tmp/faa-trace-XXXXXX", save[64], text[8192] = { 0 };
	struct faa_engine *engine =
		make((struct faa_mem_config){ .latency = 4, .outstanding = 2 }, 300);
	FILE *file;

	close(mkstemp(path));
	start_copy(engine, 0, 32768, 1);
	while (rtl->step(engine, 17))
		;
	assert_int_equal(rtl->dump_trace(engine, path), 0);
	rtl->destroy(engine);
	snprintf(save, sizeof(save), "%s.gtkw", path);
	file = fopen(save, "r");
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	assert_non_null(strstr(text, path));
	assert_non_null(strstr(text, "-Memory (AXI4)\n@22\nTOP.faa_test_master.m_axi_ar"));
	assert_non_null(strstr(text, "\nTOP.faa_test_master.m_axi_rdata_i[63:0]\n"));
	assert_non_null(strstr(text, "\n@28\nTOP.faa_test_master.clk_i\n"));
	/* A room without signals is left out. */
	assert_null(strstr(text, "MMU"));
	unlink(path);
	unlink(save);
#endif
}

static void test_trace(void **state)
{
	const struct faa_engine_config config = { .ops = &ops,
						  .mem = { .latency = 4, .outstanding = 2 },
						  .trace_cycles = 300 };
	char path[] = "/tmp/faa-trace-XXXXXX";
	struct faa_engine *engine;

	close(mkstemp(path));
#ifdef FAA_RTL_TRACE
	engine = make(config.mem, config.trace_cycles);
	start_copy(engine, 0, 32768, 100);
	while (rtl->step(engine, 17))
		;
	/* Dumping replays: it must not disturb the device, and works twice and during a job. */
	assert_int_equal(rtl->dump_trace(engine, path), 0);
	assert_in_range(fst_cycles(path), config.trace_cycles, 2 * config.trace_cycles);
	start_copy(engine, 64, 32768, 100);
	rtl->step(engine, 333);
	assert_int_equal(rtl->dump_trace(engine, path), 0);
	assert_in_range(fst_cycles(path), config.trace_cycles, 2 * config.trace_cycles);
	while (rtl->step(engine, 17))
		;
	assert_memory_equal(host + 64, host + 32768, 6400);
	assert_int_equal(rtl->dump_trace(engine, "/nonexistent/faa.fst"), -EIO);
	rtl->destroy(engine);
	unlink(path);
	unlink_save(path);
#else
	assert_null(rtl->create(&config));
	assert_int_equal(errno, EOPNOTSUPP);
	engine = make(config.mem, 0);
	assert_int_equal(rtl->dump_trace(engine, path), -EOPNOTSUPP);
	assert_int_equal(fst_cycles(path), 0);
	rtl->destroy(engine);
	unlink(path);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),      cmocka_unit_test(test_copy),
		cmocka_unit_test(test_stopped_memory), cmocka_unit_test(test_bus_errors),
		cmocka_unit_test(test_trace),	       cmocka_unit_test(test_trace_range),
		cmocka_unit_test(test_save),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
