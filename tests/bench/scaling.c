// SPDX-License-Identifier: MIT
/* Two streams on disjoint data, each alone and both at the same time. */
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "order.h"

#define PARTS 2
/* The areas of a part in the buffer: its data, its commands, its snapshots. */
#define PART_BYTES   (TB_LARGE_PAGE / PARTS)
#define DATA_BYTES   (32u << 10)
#define CODE_AT	     (256u << 10)
#define SNAPSHOTS_AT (768u << 10)
#define CODE_BYTES   (SNAPSHOTS_AT - CODE_AT)
#define COMMANDS     16
#define REG_D	     8
/* Loads that are outstanding together. */
#define UNROLLED 8

const struct scaling_bench scaling_table[] = {
	{ .name = "scaling/cus-2", .work = SCALING_SUMS, .bound = 1.9 },
	{ .name = "scaling/cus-2-all-atoms", .work = SCALING_ATOMS, .bound = 1.8 },
	{ .name = "scaling/slots-2", .work = SCALING_COPIES, .slots = true, .bound = 1.8 },
};

const unsigned int scaling_count = sizeof(scaling_table) / sizeof(scaling_table[0]);

struct machine {
	struct bench_machine device;
	struct tb_queue *second;
	struct tb_buffer memory;
	struct tb_stream streams[PARTS];
};

/* Sums of data in the L2: loads to registers, added to other words. */
static void add_sums(struct faa_stream *s, uint64_t data)
{
	unsigned int at, i;

	for (at = 0; at < DATA_BYTES / 2; at += UNROLLED * FAA_LANES * 4) {
		for (i = 0; i < UNROLLED; i++)
			faa_stream_ld(s, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_D + 2 * i),
				      faa_affine(data + at + i * FAA_LANES * 4, 4), 0);
		for (i = 0; i < UNROLLED; i++)
			faa_stream_red(s, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
				       FAA_ORDER_RELAXED, FAA_LANES,
				       faa_affine(data + DATA_BYTES / 2 + at + i * FAA_LANES * 4,
						  4),
				       0, faa_reg(REG_D + 2 * i), faa_none());
	}
}

/* Streams of work for an atomic unit: ADD over data that stay in the L2. */
static void add_atoms(struct faa_stream *s, uint64_t data)
{
	unsigned int i;

	for (i = 0; i < COMMANDS; i++)
		faa_stream_red(s, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
			       DATA_BYTES / 4, faa_affine(data, 4), 0, faa_affine(i, 3),
			       faa_none());
}

/* Work that waits for memory: each store needs the load before it. */
static void add_copies(struct faa_stream *s, uint64_t data)
{
	unsigned int at;

	for (at = 0; at < DATA_BYTES / 2; at += FAA_LANES * 4) {
		faa_stream_ld(s, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_D), faa_affine(data + at, 4),
			      0);
		faa_stream_st(s, FAA_TYPE_U32, FAA_LANES, faa_affine(data + DATA_BYTES / 2 + at, 4),
			      0, faa_reg(REG_D));
	}
}

static void (*const add_work[])(struct faa_stream *s, uint64_t data) = {
	[SCALING_SUMS] = add_sums,
	[SCALING_ATOMS] = add_atoms,
	[SCALING_COPIES] = add_copies,
};

/* The stream of a part, between two snapshots of its own. */
static void build(struct machine *m, const struct scaling_bench *bench, unsigned int part)
{
	uint64_t at = m->memory.va + part * PART_BYTES;
	uint64_t *code = (uint64_t *)((uint8_t *)m->memory.ptr + part * PART_BYTES + CODE_AT);
	struct faa_stream *s = m->device.stream;
	const uint64_t *words;
	size_t count, i;

	faa_stream_reset(s);
	faa_stream_snapshot(s, at + SNAPSHOTS_AT);
	add_work[bench->work](s, at);
	faa_stream_snapshot(s, at + SNAPSHOTS_AT + FAA_SNAPSHOT_BYTES);
	faa_stream_end(s);
	if (faa_stream_finish(s) || faa_stream_bytes(s) > CODE_BYTES)
		tb_die("%s: %s", bench->name, faa_stream_error(s));
	words = faa_stream_words(s, &count);
	for (i = 0; i < count; i++)
		code[i] = htole64(words[i]);
	m->streams[part] = (struct tb_stream){ at + CODE_AT, (uint32_t)count * 8 };
}

static int ended(struct machine *m, const struct scaling_bench *bench, struct tb_queue *queue,
		 uint32_t job)
{
	if (tb_wait(queue, job) && !tb_status(queue, job)->code)
		return 0;
	fprintf(stderr, "%s: a job did not end well in %llu cycles\n", bench->name,
		(unsigned long long)m->device.host->limit);
	return -1;
}

static int run_both(struct machine *m, const struct scaling_bench *bench)
{
	struct tb_queue *queue = m->device.queue;
	uint32_t job, other;

	if (bench->slots) {
		job = tb_submit_group(queue, m->streams, PARTS);
		return ended(m, bench, queue, job) || ended(m, bench, queue, job + 1) ? -1 : 0;
	}
	job = tb_submit(queue, m->streams[0].va, m->streams[0].bytes);
	other = tb_submit(m->second, m->streams[1].va, m->streams[1].bytes);
	return ended(m, bench, queue, job) || ended(m, bench, m->second, other) ? -1 : 0;
}

/* Alone, either part on the compute unit of the first queue. */
static int run_alone(struct machine *m, const struct scaling_bench *bench, unsigned int part)
{
	struct tb_queue *queue = m->device.queue;

	return ended(m, bench, queue,
		     tb_submit(queue, m->streams[part].va, m->streams[part].bytes));
}

/* Counter CYCLES, which all compute units share, at snapshot @index of a part. */
static uint64_t cycle(const struct machine *m, unsigned int part, unsigned int index,
		      struct faa_counters *counters)
{
	const uint8_t *memory = m->memory.ptr;

	faa_counters_read(memory + part * PART_BYTES + SNAPSHOTS_AT + index * FAA_SNAPSHOT_BYTES,
			  counters);
	return counters->value[FAA_COUNTER_CYCLES];
}

struct times {
	/*
	 * Cycles: the sum of the parts alone; both together, from the first start to the last end.
	 */
	uint64_t alone, both;
	uint8_t data[PARTS][DATA_BYTES];
};

static void fill(struct machine *m)
{
	unsigned int part, i;

	for (part = 0; part < PARTS; part++)
		for (i = 0; i < DATA_BYTES; i++)
			((uint8_t *)m->memory.ptr)[part * PART_BYTES + i] =
				(uint8_t)(i * 13 + part * 5 + 1);
}

/* Both together once before measuring, so that the TLBs have the pages and the L2 has the lines. */
static int run(struct machine *m, const struct scaling_bench *bench, struct times *times,
	       struct bench_report *report)
{
	struct faa_counters begin, end;
	unsigned int part;
	uint64_t first, last;

	fill(m);
	for (part = 0; part < PARTS; part++)
		build(m, bench, part);
	if (run_both(m, bench))
		return -1;
	times->alone = 0;
	for (part = 0; part < PARTS; part++) {
		if (run_alone(m, bench, part) || run_alone(m, bench, part))
			return -1;
		first = cycle(m, part, 0, &begin);
		times->alone += cycle(m, part, 1, &end) - first;
	}
	if (run_both(m, bench) || run_both(m, bench))
		return -1;
	first = cycle(m, 1, 0, &begin);
	last = cycle(m, 1, 1, &end);
	first = cycle(m, 0, 0, &begin) < first ? cycle(m, 0, 0, &begin) : first;
	last = cycle(m, 0, 1, &end) > last ? cycle(m, 0, 1, &end) : last;
	times->both = last - first;
	cycle(m, 0, 0, &begin);
	faa_counters_diff(&begin, &end, &report->counters);
	return 0;
}

static int execute(const struct bench_engine *engine, const struct scaling_bench *bench,
		   struct times *times, struct bench_report *report)
{
	struct machine m = { .device = { .host = NULL } };
	int ret = bench_machine_open(&m.device, engine, 0, 100000, TB_LARGE_PAGE);
	unsigned int part;

	if (!ret && (m.device.host->num_cus < PARTS || m.device.host->warp_slots < PARTS)) {
		fprintf(stderr, "%s: the device has %u compute units of %u slots\n", bench->name,
			m.device.host->num_cus, m.device.host->warp_slots);
		ret = -1;
	}
	if (!ret) {
		m.second = tb_queue_create(m.device.vm, 1, NULL);
		m.memory = bench_large_buffer(m.device.vm, TB_LARGE_PAGE, FAA_PTE_ATOMIC_MASK);
		ret = run(&m, bench, times, report);
		((uint8_t *)m.memory.ptr)[0] ^= engine->inject == BENCH_INJECT_TABLE;
		for (part = 0; part < PARTS; part++)
			memcpy(times->data[part], (uint8_t *)m.memory.ptr + part * PART_BYTES,
			       DATA_BYTES);
	}
	if (!ret)
		ret = bench_machine_violations(&m.device);
	if (m.second)
		tb_queue_destroy(m.second);
	bench_machine_close(&m.device);
	return ret;
}

int scaling_measure(const struct bench_engine *engine, const struct scaling_bench *bench,
		    struct bench_report *report)
{
	struct bench_engine reference = { .ops = &faa_engine_model,
					  .latency = engine->latency,
					  .outstanding = engine->outstanding };
	static struct times times, model;
	struct bench_report unused;

	if (execute(engine, bench, &times, report) || execute(&reference, bench, &model, &unused))
		return -1;
	if (memcmp(times.data, model.data, sizeof(times.data))) {
		fprintf(stderr, "%s: memory is not that of the model\n", bench->name);
		return -1;
	}
	report->unit = "times as fast";
	report->value = (double)times.alone / (double)(times.both ? times.both : 1);
	report->roofline =
		(struct bench_roofline){ PARTS, bench->slots ? "slots" : "compute units" };
	report->ceiling = bench->bound;
	report->at_least = true;
	report->start = times.alone;
	report->cycles = times.both;
	report->warps = report->counters.value[FAA_COUNTER_WARPS];
	return 0;
}
