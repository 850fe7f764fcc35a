// SPDX-License-Identifier: MIT
/* Cycles that an order or a fence adds to a stream: the same stream runs with it and without it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "order.h"

#define REPETITIONS 24
/*
 * Warps of a command that keeps the front busy for longer than loads and stores to the L2, and the
 * next words of the stream, take.
 */
#define PAUSE_WARPS 160
#define LINE	    64u

/* Lines of the data: those of the stores, and of the other accesses. */
#define STORES	     32
#define LOADED_LINE  40
#define COMMAND_LINE 48
#define DATA_BYTES   (64 * LINE)

enum reg {
	REG_STORES = 10,
	REG_LOADED = 12,
	REG_COMMAND = 14,
	REG_VALUE = 16,
	REG_PAUSE = 18,
	REG_D = 20,
	REG_COMMAND_D = 22,
};

struct machine {
	struct bench_machine device;
	struct tb_buffer data, registers;
};

/* Results of an execution: its cycles, data, both registers. */
struct result {
	uint64_t cycles;
	uint8_t data[DATA_BYTES];
	uint8_t registers[2 * FAA_LANES * 4];
};

static void add_setup(struct faa_stream *s, uint64_t data)
{
	faa_stream_mov(s, FAA_TYPE_U64, FAA_LANES, faa_reg(REG_STORES), faa_affine(data, LINE));
	faa_stream_mov(s, FAA_TYPE_U64, FAA_LANES, faa_reg(REG_LOADED),
		       faa_affine(data + LOADED_LINE * LINE, 4));
	faa_stream_mov(s, FAA_TYPE_U64, FAA_LANES, faa_reg(REG_COMMAND),
		       faa_affine(data + COMMAND_LINE * LINE, 4));
	faa_stream_mov(s, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_VALUE), faa_affine(1, 3));
}

/*
 * The command; without its order a fence is left out, and an access is relaxed at the same scope.
 */
static void add_command(struct faa_stream *s, const struct order_bench *bench, bool ordered)
{
	enum faa_order order = ordered ? bench->order : FAA_ORDER_RELAXED;
	struct faa_operand at = faa_reg(REG_COMMAND), d = faa_reg(REG_COMMAND_D);
	struct faa_operand value = faa_reg(REG_VALUE);

	switch (bench->opcode) {
	case FAA_OPCODE_FENCE:
		if (ordered)
			faa_stream_fence(s, bench->order, bench->scope);
		break;
	case FAA_OPCODE_LD:
		faa_stream_ld_strong(s, FAA_TYPE_U32, bench->scope, order, FAA_LANES, d, at, 0);
		break;
	case FAA_OPCODE_ST:
		faa_stream_st_strong(s, FAA_TYPE_U32, bench->scope, order, FAA_LANES, at, 0, value);
		break;
	default:
		faa_stream_atom(s, FAA_ATOM_OP_ADD, FAA_TYPE_U32, bench->scope, order, FAA_LANES, d,
				at, 0, value, faa_none());
		break;
	}
}

/* The load after the command waits for the accesses that the order names. */
static void add_repetition(struct faa_stream *s, const struct order_bench *bench, bool ordered)
{
	faa_stream_mov(s, FAA_TYPE_U32, PAUSE_WARPS * FAA_LANES, faa_reg(REG_PAUSE), faa_imm(7));
	if (bench->stores)
		faa_stream_st(s, FAA_TYPE_U32, STORES, faa_reg(REG_STORES), 0, faa_reg(REG_VALUE));
	add_command(s, bench, ordered);
	faa_stream_ld(s, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_D), faa_reg(REG_LOADED), 0);
}

static void build(struct machine *m, const struct order_bench *bench, bool ordered)
{
	struct faa_stream *s = m->device.stream;
	unsigned int i;

	faa_stream_reset(s);
	add_setup(s, m->data.va);
	bench_machine_snapshot(&m->device, 0);
	for (i = 0; i < REPETITIONS; i++)
		add_repetition(s, bench, ordered);
	bench_machine_snapshot(&m->device, 1);
	faa_stream_mov(s, FAA_TYPE_U32, FAA_LANES, faa_array(m->registers.va, FAA_TYPE_U32, 4),
		       faa_reg(REG_D));
	if (bench->opcode == FAA_OPCODE_LD || bench->opcode == FAA_OPCODE_ATOM)
		faa_stream_mov(s, FAA_TYPE_U32, FAA_LANES,
			       faa_array(m->registers.va + FAA_LANES * 4, FAA_TYPE_U32, 4),
			       faa_reg(REG_COMMAND_D));
	faa_stream_end(s);
}

/* Twice: the second time the TLB has the pages and the L2 the lines. */
static int run(struct machine *m, const struct order_bench *bench, bool ordered,
	       struct faa_counters *counters)
{
	unsigned int i;

	for (i = 0; i < DATA_BYTES; i++)
		((uint8_t *)m->data.ptr)[i] = (uint8_t)(i * 37 + 11);
	build(m, bench, ordered);
	if (faa_stream_bytes(m->device.stream) > m->device.code.bytes)
		tb_die("%s: the stream is longer than its page", bench->name);
	if (bench_machine_run(&m->device) || bench_machine_run(&m->device))
		return -1;
	bench_machine_counters(&m->device, counters);
	return 0;
}

static int execute(const struct bench_engine *engine, const struct order_bench *bench, bool ordered,
		   struct result *result, struct bench_report *report)
{
	struct machine m = { .device = { .host = NULL } };
	struct faa_counters counters = { { 0 } };
	int ret = bench_machine_open(&m.device, engine, 0, REPETITIONS * PAUSE_WARPS * FAA_LANES,
				     TB_LARGE_PAGE);

	if (!ret) {
		m.data = bench_large_buffer(m.device.vm, DATA_BYTES, FAA_PTE_ATOMIC_MASK);
		m.registers = tb_buffer_create(m.device.vm, TB_PAGE);
		ret = run(&m, bench, ordered, &counters);
	}
	if (!ret) {
		((uint8_t *)m.data.ptr)[0] ^= engine->inject == BENCH_INJECT_TABLE;
		((uint8_t *)m.registers.ptr)[0] ^= engine->inject == BENCH_INJECT_REGISTER;
		memcpy(result->data, m.data.ptr, sizeof(result->data));
		memcpy(result->registers, m.registers.ptr, sizeof(result->registers));
		result->cycles = counters.value[FAA_COUNTER_CYCLES];
		report->counters = counters;
		ret = bench_machine_violations(&m.device);
	}
	bench_machine_close(&m.device);
	return ret;
}

/* The model has neither caches nor order: results with and without the order are the same. */
static int checked(const struct bench_engine *engine, const struct order_bench *bench, bool ordered,
		   struct result *result, struct bench_report *report)
{
	struct bench_engine reference = { .ops = &faa_engine_model,
					  .latency = engine->latency,
					  .outstanding = engine->outstanding };
	struct bench_report unused;
	struct result model;

	if (execute(engine, bench, ordered, result, report) ||
	    execute(&reference, bench, ordered, &model, &unused))
		return -1;
	if (memcmp(result->data, model.data, sizeof(model.data))) {
		fprintf(stderr, "%s: memory is not that of the model\n", bench->name);
		return -1;
	}
	if (memcmp(result->registers, model.registers, sizeof(model.registers))) {
		fprintf(stderr, "%s: a register is not that of the model\n", bench->name);
		return -1;
	}
	return 0;
}

/* The least cycles of an order. */
static struct bench_roofline least(const struct bench_engine *engine,
				   const struct order_bench *bench)
{
	bool fence = bench->opcode == FAA_OPCODE_FENCE, sys = bench->scope == FAA_SCOPE_SYS;
	bool acquires = fence ? bench->order != FAA_FENCE_ORDER_RELEASE :
				bench->order != FAA_ORDER_RELEASE;
	bool releases = fence ? bench->order != FAA_FENCE_ORDER_ACQUIRE :
				bench->order != FAA_ORDER_ACQUIRE;

	if (bench->stores && releases && sys)
		return (struct bench_roofline){ STORES - 1 + engine->latency, "write back" };
	if (bench->stores && releases)
		return (struct bench_roofline){ STORES - 1, "line operations" };
	if (!fence && acquires && sys)
		return (struct bench_roofline){ engine->latency, "memory" };
	return (struct bench_roofline){ 0, sys ? "sweep of the L2" : "issue" };
}

int order_measure(const struct bench_engine *engine, const struct order_bench *bench,
		  struct bench_report *report)
{
	static struct result with, without;
	double cycles;

	if (checked(engine, bench, false, &without, report) ||
	    checked(engine, bench, true, &with, report))
		return -1;
	cycles = (double)with.cycles - (double)without.cycles;
	report->unit = "cycles";
	report->value = cycles / REPETITIONS;
	report->roofline = least(engine, bench);
	report->start = without.cycles;
	report->cycles = with.cycles > without.cycles ? with.cycles - without.cycles : 0;
	report->warps = REPETITIONS;
	return 0;
}
