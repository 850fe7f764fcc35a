// SPDX-License-Identifier: MIT
/* One benchmark on one engine. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

/* Registers of the destination: even, for 64-bit types. */
#define REG_D 8

/* The device, and the memory that the streams use. */
struct machine {
	struct bench_machine device;
	struct tb_buffer items, reg, shared, results;
};

static size_t element_bytes(const struct bench *bench)
{
	return bench_wide(bench) ? 8 : 4;
}

static size_t large_pages(size_t bytes)
{
	return (bytes + TB_LARGE_PAGE - 1) / TB_LARGE_PAGE * TB_LARGE_PAGE;
}

static int machine_open(struct machine *m, const struct bench_engine *engine,
			const struct bench *bench, const struct bench_stream *stream)
{
	size_t elements = (size_t)stream->warps * FAA_LANES;
	size_t items = elements * (stream->item_bytes ? stream->item_bytes : 1);
	size_t results = elements * element_bytes(bench);
	struct tb_vm *vm;

	if (bench_machine_open(&m->device, engine, BENCH_SHARED, elements,
			       large_pages(items) + large_pages(results)))
		return -1;
	vm = m->device.vm;
	m->items = bench_large_buffer(vm, items, 0);
	m->reg = tb_buffer_create(vm, TB_PAGE);
	m->shared = tb_buffer_create(vm, BENCH_SHARED);
	m->results = bench_large_buffer(vm, results, 0);
	return 0;
}

static void put_items(struct machine *m, const struct bench_stream *stream)
{
	uint32_t e, count = stream->warps * FAA_LANES;

	for (e = 0; stream->items && e < count; e++) {
		if (stream->item_bytes == 1)
			((uint8_t *)m->items.ptr)[e] = (uint8_t)stream->items[e];
		else
			((uint16_t *)m->items.ptr)[e] = htole16(stream->items[e]);
	}
}

static struct faa_operand address(const struct machine *m, const struct bench *bench,
				  const struct bench_stream *stream)
{
	uint8_t shift = bench_wide(bench) ? 3 : 2;

	if (!stream->items)
		return faa_imm((uint64_t)bench_stream_word(stream, 0) << shift);
	return faa_scaled(stream->item_bytes == 1 ? faa_array_u8(m->items.va, 1) :
						    faa_array_u16(m->items.va, 2),
			  shift, 0);
}

static struct faa_operand destination(const struct machine *m, const struct bench *bench,
				      enum bench_result form)
{
	if (form == BENCH_REGISTER)
		return faa_reg(REG_D);
	if (form == BENCH_NOWHERE)
		return faa_none();
	return bench_wide(bench) ? faa_array_u64(m->results.va, 8) :
				   faa_array_u32(m->results.va, 4);
}

static void add_command(struct machine *m, const struct bench *bench, enum bench_result form,
			const struct bench_stream *stream, uint32_t warps)
{
	faa_stream_float_mode(m->device.stream, bench->modes);
	faa_stream_atoms(m->device.stream, bench->op, bench->type, (uint64_t)warps * FAA_LANES,
			 destination(m, bench, form), address(m, bench, stream), 0, bench->b,
			 bench->c);
}

/*
 * One warp and a snapshot first, so that the TLB has the pages; then the initial shared memory;
 * then @warps warps of the command between two snapshots. Streams for different @warps are alike,
 * so that they take the same time to fetch.
 */
static void build(struct machine *m, const struct bench *bench, enum bench_result form,
		  const struct bench_stream *stream, uint32_t warps)
{
	enum faa_type type = bench_wide(bench) ? FAA_TYPE_U64 : FAA_TYPE_U32;
	/* The result of the stream with fewer warps is not used. */
	uint32_t dumped = warps == stream->warps ? stream->shared_bytes / 4 : FAA_LANES;

	faa_stream_reset(m->device.stream);
	add_command(m, bench, form, stream, 1);
	bench_machine_snapshot(&m->device, 0);
	faa_stream_sts(m->device.stream, FAA_TYPE_U32, stream->shared_bytes / 4, faa_affine(0, 4),
		       0, faa_imm(bench->initial));
	bench_machine_snapshot(&m->device, 0);
	add_command(m, bench, form, stream, warps);
	bench_machine_snapshot(&m->device, 1);
	if (form == BENCH_REGISTER)
		faa_stream_mov(m->device.stream, type, FAA_LANES,
			       faa_array(m->reg.va, type, (int32_t)element_bytes(bench)),
			       faa_reg(REG_D));
	faa_stream_lds(m->device.stream, FAA_TYPE_U32, dumped, faa_array_u32(m->shared.va, 4),
		       faa_affine(0, 4), 0);
	faa_stream_end(m->device.stream);
}

static void take_results(const struct machine *m, const struct bench *bench, enum bench_result form,
			 struct bench_run *run)
{
	const uint32_t *shared = m->shared.ptr;
	uint32_t i;

	for (i = 0; i < BENCH_SHARED / 4; i++)
		run->shared[i] = le32toh(shared[i]);
	for (i = 0; i < FAA_LANES; i++)
		run->reg[i] = bench_wide(bench) ? le64toh(((uint64_t *)m->reg.ptr)[i]) :
						  le32toh(((uint32_t *)m->reg.ptr)[i]);
	if (form != BENCH_MEMORY)
		return;
	run->result_bytes = m->results.bytes;
	run->results = malloc(run->result_bytes);
	if (!run->results)
		tb_die("no memory for %zu bytes of results", run->result_bytes);
	memcpy(run->results, m->results.ptr, run->result_bytes);
}

/* Falsify one bit, as a device with a wrong result would. */
static void inject(struct machine *m, enum bench_inject what)
{
	if (what == BENCH_INJECT_SHARED)
		((uint8_t *)m->shared.ptr)[4] ^= 1;
	if (what == BENCH_INJECT_REGISTER)
		((uint8_t *)m->reg.ptr)[0] ^= 0x80;
	if (what == BENCH_INJECT_VALUES)
		((uint8_t *)m->results.ptr)[m->results.bytes - 1] ^= 0x40;
}

static int run_both(struct machine *m, const struct bench *bench, enum bench_result form,
		    const struct bench_stream *stream, enum bench_inject falsify,
		    struct bench_run *run)
{
	build(m, bench, form, stream, stream->warps);
	if (bench_machine_run(&m->device))
		return -1;
	inject(m, falsify);
	bench_machine_counters(&m->device, &run->command);
	take_results(m, bench, form, run);
	build(m, bench, form, stream, bench_start_warps(bench));
	if (bench_machine_run(&m->device))
		return -1;
	bench_machine_counters(&m->device, &run->start);
	return bench_machine_violations(&m->device);
}

int bench_execute(const struct bench_engine *engine, const struct bench *bench,
		  enum bench_result form, const struct bench_stream *stream, struct bench_run *run)
{
	struct machine m = { 0 };
	int ret;

	memset(run, 0, sizeof(*run));
	ret = machine_open(&m, engine, bench, stream);
	run->build = m.device.build;
	if (!ret) {
		put_items(&m, stream);
		ret = run_both(&m, bench, form, stream, engine->inject, run);
	}
	bench_machine_close(&m.device);
	return ret;
}

void bench_run_free(struct bench_run *run)
{
	free(run->results);
	run->results = NULL;
}

/* The counters on which specification, model and RTL agree. */
static bool compare_counters(const char *name, const struct bench_run *run,
			     const struct bench_run *model)
{
	static const enum faa_counter same[] = {
		FAA_COUNTER_COMMANDS, FAA_COUNTER_WARPS,  FAA_COUNTER_ELEMENTS,
		FAA_COUNTER_PASSES,   FAA_COUNTER_GROUPS,
	};
	size_t i;

	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		unsigned long long got = run->command.value[same[i]];
		unsigned long long expected = model->command.value[same[i]];

		if (got == expected)
			continue;
		fprintf(stderr, "%s: counter %s grew by %llu, in the model by %llu\n", name,
			faa_counter_name(same[i]), got, expected);
		return false;
	}
	return true;
}

static bool compare_results(const char *name, const struct bench *bench,
			    const struct bench_run *run, const struct bench_run *model)
{
	size_t size = element_bytes(bench), i;

	if (run->result_bytes != model->result_bytes) {
		fprintf(stderr, "%s: %zu bytes of results, in the model %zu\n", name,
			run->result_bytes, model->result_bytes);
		return false;
	}
	for (i = 0; i < run->result_bytes; i += size) {
		uint64_t got = 0, expected = 0;

		memcpy(&got, run->results + i, size);
		memcpy(&expected, model->results + i, size);
		if (got == expected)
			continue;
		fprintf(stderr, "%s: element %zu got 0x%llx, in the model 0x%llx\n", name, i / size,
			(unsigned long long)le64toh(got), (unsigned long long)le64toh(expected));
		return false;
	}
	return true;
}

bool bench_compare(const char *name, const struct bench *bench, const struct bench_run *run,
		   const struct bench_run *model)
{
	unsigned int i;

	for (i = 0; i < BENCH_SHARED / 4; i++) {
		if (run->shared[i] == model->shared[i])
			continue;
		fprintf(stderr, "%s: shared memory at 0x%x holds 0x%x, in the model 0x%x\n", name,
			i * 4, run->shared[i], model->shared[i]);
		return false;
	}
	for (i = 0; i < FAA_LANES; i++) {
		if (run->reg[i] == model->reg[i])
			continue;
		fprintf(stderr, "%s: lane %u of the register holds 0x%llx, in the model 0x%llx\n",
			name, i, (unsigned long long)run->reg[i],
			(unsigned long long)model->reg[i]);
		return false;
	}
	return compare_results(name, bench, run, model) && compare_counters(name, run, model);
}
