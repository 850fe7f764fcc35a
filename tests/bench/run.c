// SPDX-License-Identifier: MIT
/* One benchmark on one engine. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "faa_model.h"
#include "faa_regs.h"

/* Registers of the destination: even, for 64-bit types. */
#define REG_D 8

/* Enough for one line per cycle at any latency that is asked for. */
#define OUTSTANDING 256

/* The device, its queue, and the memory that the streams use. */
struct machine {
	struct tb_host *host;
	struct tb_vm *vm;
	struct tb_queue *queue;
	struct faa_stream *stream;
	struct tb_buffer code, items, snapshots, reg, shared, results;
};

static struct bench_build read_build(struct tb_host *host)
{
	struct bench_build build = {
		.shared_unit = tb_read(host, FAA_REG_SHARED_UNIT),
		.features = tb_read(host, FAA_REG_FEATURES_LO),
	};

	return build;
}

struct bench_build bench_probe(const struct faa_engine_ops *ops)
{
	struct tb_config config = { .engine = ops, .mem = tb_mem_default(1) };
	struct tb_host *host = tb_host_create(&config);
	struct bench_build build = read_build(host);

	tb_host_destroy(host);
	return build;
}

static size_t element_bytes(const struct bench *bench)
{
	return bench_wide(bench) ? 8 : 4;
}

static size_t large_pages(size_t bytes)
{
	return (bytes + TB_LARGE_PAGE - 1) / TB_LARGE_PAGE * TB_LARGE_PAGE;
}

/* Memory in 2 MiB pages, as the library maps what is that large: no table walk takes a cycle of the memory port. */
static struct tb_buffer large_buffer(struct tb_vm *vm, size_t bytes)
{
	struct tb_buffer buffer = { .bytes = bytes, .va = large_pages(vm->next_va) };
	size_t size = large_pages(bytes), i;

	buffer.dma = tb_dma_alloc_aligned(vm->host, size, TB_LARGE_PAGE, TB_READ_WRITE);
	buffer.ptr = tb_ptr(vm->host, buffer.dma);
	vm->next_va = buffer.va + size;
	for (i = 0; i < size; i += TB_LARGE_PAGE)
		tb_vm_map_large(vm, buffer.va + i, buffer.dma + i, FAA_PTE_WRITABLE_MASK);
	return buffer;
}

static void machine_open(struct machine *m, const struct bench_engine *engine,
			 const struct bench *bench, const struct bench_stream *stream)
{
	size_t elements = (size_t)stream->warps * FAA_LANES;
	size_t items = elements * (stream->item_bytes ? stream->item_bytes : 1);
	size_t results = elements * element_bytes(bench);
	struct faa_model_params params = FAA_MODEL_DEFAULT;
	struct tb_config config = { .engine = engine->ops, .model = &params };
	struct tb_queue_config queue = { .shared_bytes = BENCH_SHARED };

	if (engine->build) {
		params.shared_unit = engine->build->shared_unit;
		params.features = engine->build->features;
	}
	config.mem = tb_mem_default(1);
	config.mem.latency = engine->latency;
	config.mem.outstanding = OUTSTANDING;
	config.memory_bytes = 3 * TB_LARGE_PAGE + large_pages(items) + large_pages(results);
	m->host = tb_host_create(&config);
	m->host->limit = 100000 + elements * 100;
	m->vm = tb_vm_create(m->host, 1);
	m->queue = tb_queue_create(m->vm, 0, &queue);
	m->code = tb_buffer_create(m->vm, TB_PAGE);
	m->items = large_buffer(m->vm, items);
	m->snapshots = tb_buffer_create(m->vm, TB_PAGE);
	m->reg = tb_buffer_create(m->vm, TB_PAGE);
	m->shared = tb_buffer_create(m->vm, BENCH_SHARED);
	m->results = large_buffer(m->vm, results);
}

static void machine_close(struct machine *m)
{
	faa_stream_destroy(m->stream);
	tb_queue_destroy(m->queue);
	tb_vm_destroy(m->vm);
	tb_host_destroy(m->host);
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
	return faa_scaled(stream->item_bytes == 1 ? faa_stream_u8(m->items.va, 1) :
						    faa_stream_u16(m->items.va, 2),
			  shift, 0);
}

static struct faa_operand destination(const struct machine *m, const struct bench *bench,
				      enum bench_result form)
{
	if (form == BENCH_REGISTER)
		return faa_reg(REG_D);
	if (form == BENCH_NOWHERE)
		return faa_none();
	return bench_wide(bench) ? faa_stream_u64(m->results.va, 8) :
				   faa_stream_u32(m->results.va, 4);
}

static void add_command(struct machine *m, const struct bench *bench, enum bench_result form,
			const struct bench_stream *stream, uint32_t warps)
{
	faa_stream_float_mode(m->stream, bench->modes);
	faa_stream_atoms(m->stream, bench->op, bench->type, (uint64_t)warps * FAA_LANES,
			 destination(m, bench, form), address(m, bench, stream), 0, bench->b,
			 bench->c);
}

static void add_snapshot(struct machine *m, unsigned int index)
{
	faa_stream_snapshot(m->stream, m->snapshots.va + index * FAA_SNAPSHOT_BYTES);
}

/*
 * One warp and a snapshot first, so that the pages are known; shared memory as the benchmark wants it; then @warps warps of the command
 * between two snapshots. Streams for different @warps are alike, so that they take the same time to fetch.
 */
static void build(struct machine *m, const struct bench *bench, enum bench_result form,
		  const struct bench_stream *stream, uint32_t warps)
{
	enum faa_type type = bench_wide(bench) ? FAA_TYPE_U64 : FAA_TYPE_U32;
	/* Of the stream with fewer warps nobody wants the result. */
	uint32_t dumped = warps == stream->warps ? stream->shared_bytes / 4 : FAA_LANES;

	faa_stream_reset(m->stream);
	add_command(m, bench, form, stream, 1);
	add_snapshot(m, 0);
	faa_stream_sts(m->stream, FAA_TYPE_U32, stream->shared_bytes / 4, faa_affine(0, 4), 0,
		       faa_imm(bench->initial));
	add_snapshot(m, 0);
	add_command(m, bench, form, stream, warps);
	add_snapshot(m, 1);
	if (form == BENCH_REGISTER)
		faa_stream_mov(m->stream, type, FAA_LANES,
			       faa_array(m->reg.va, type, (int32_t)element_bytes(bench)),
			       faa_reg(REG_D));
	faa_stream_lds(m->stream, FAA_TYPE_U32, dumped, faa_stream_u32(m->shared.va, 4),
		       faa_affine(0, 4), 0);
	faa_stream_end(m->stream);
}

static int run_job(struct machine *m)
{
	struct faa_job_status status = { 0 };
	const struct faa_status *record;
	uint64_t *code = m->code.ptr;
	const uint64_t *words;
	char text[256];
	size_t count, i;
	uint32_t job;

	if (faa_stream_finish(m->stream)) {
		fprintf(stderr, "faa-bench: %s\n", faa_stream_error(m->stream));
		return -1;
	}
	words = faa_stream_words(m->stream, &count);
	for (i = 0; i < count; i++)
		code[i] = htole64(words[i]);
	job = tb_submit(m->queue, m->code.va, (uint32_t)count * 8);
	if (!tb_wait(m->queue, job)) {
		fprintf(stderr, "faa-bench: the job did not end in %llu cycles\n",
			(unsigned long long)m->host->limit);
		return -1;
	}
	record = tb_status(m->queue, job);
	status.seqno = le64toh(record->seqno);
	status.code = le32toh(record->code);
	status.command = le32toh(record->command);
	status.element = le32toh(record->element);
	status.lane = le32toh(record->lane);
	status.address = le64toh(record->address);
	if (!status.code)
		return 0;
	faa_status_format(&status, words, count, text, sizeof(text));
	fprintf(stderr, "faa-bench: %s\n", text);
	return -1;
}

static void take_counters(const struct machine *m, struct faa_counters *diff)
{
	const uint8_t *snapshots = m->snapshots.ptr;
	struct faa_counters before, after;

	faa_counters_read(snapshots, &before);
	faa_counters_read(snapshots + FAA_SNAPSHOT_BYTES, &after);
	faa_counters_diff(&before, &after, diff);
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

/* Falsify one bit, as a device would that computes it wrongly. */
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
	if (run_job(m))
		return -1;
	inject(m, falsify);
	take_counters(m, &run->command);
	take_results(m, bench, form, run);
	build(m, bench, form, stream, bench_start_warps(bench));
	if (run_job(m))
		return -1;
	take_counters(m, &run->start);
	if (!m->host->violations)
		return 0;
	fprintf(stderr, "faa-bench: the device accessed 0x%llx, which it was not given\n",
		(unsigned long long)m->host->violation_addr);
	return -1;
}

int bench_execute(const struct bench_engine *engine, const struct bench *bench,
		  enum bench_result form, const struct bench_stream *stream, struct bench_run *run)
{
	struct machine m = { 0 };
	int ret = -1;

	memset(run, 0, sizeof(*run));
	machine_open(&m, engine, bench, stream);
	run->build = read_build(m.host);
	put_items(&m, stream);
	if (m.host->shared_max < BENCH_SHARED)
		fprintf(stderr,
			"faa-bench: the device has %u bytes of shared memory, %u are needed\n",
			m.host->shared_max, BENCH_SHARED);
	else if (faa_stream_create(&m.stream))
		fprintf(stderr, "faa-bench: no memory for a stream\n");
	else
		ret = run_both(&m, bench, form, stream, engine->inject, run);
	machine_close(&m);
	return ret;
}

void bench_run_free(struct bench_run *run)
{
	free(run->results);
	run->results = NULL;
}

/* The counters that specification, model and RTL agree on. */
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
