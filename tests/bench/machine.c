// SPDX-License-Identifier: MIT
#include "machine.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_regs.h"

static struct bench_build read_build(struct tb_host *host)
{
	uint32_t width = tb_read(host, FAA_REG_AXI_WIDTH);
	struct bench_build build = {
		.shared_unit = tb_read(host, FAA_REG_SHARED_UNIT),
		.features = tb_read(host, FAA_REG_FEATURES_LO),
		.axi_width = (width & FAA_REG_AXI_WIDTH_BITS_MASK) >> FAA_REG_AXI_WIDTH_BITS_SHIFT,
		.line_bytes = (width & FAA_REG_AXI_WIDTH_LINE_MASK) >> FAA_REG_AXI_WIDTH_LINE_SHIFT,
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

static size_t large_pages(size_t bytes)
{
	return (bytes + TB_LARGE_PAGE - 1) / TB_LARGE_PAGE * TB_LARGE_PAGE;
}

struct tb_buffer bench_large_buffer(struct tb_vm *vm, size_t bytes, uint64_t flags)
{
	struct tb_buffer buffer = { .bytes = bytes, .va = large_pages(vm->next_va) };
	size_t size = large_pages(bytes), i;

	buffer.dma = tb_dma_alloc_aligned(vm->host, size, TB_LARGE_PAGE, TB_READ_WRITE);
	buffer.ptr = tb_ptr(vm->host, buffer.dma);
	vm->next_va = buffer.va + size;
	for (i = 0; i < size; i += TB_LARGE_PAGE)
		tb_vm_map_large(vm, buffer.va + i, buffer.dma + i, FAA_PTE_WRITABLE_MASK | flags);
	return buffer;
}

int bench_machine_open(struct bench_machine *m, const struct bench_engine *engine,
		       uint32_t shared_bytes, size_t elements, size_t large_bytes)
{
	struct tb_queue_config queue = { .shared_bytes = shared_bytes };
	struct faa_model_params params = FAA_MODEL_DEFAULT;
	struct tb_config config = { .engine = engine->ops, .model = &params };

	if (engine->build) {
		params.shared_unit = engine->build->shared_unit;
		params.features = engine->build->features;
	}
	config.mem = tb_mem_default(1);
	config.mem.latency = engine->latency;
	config.mem.outstanding = engine->outstanding;
	config.memory_bytes = 3 * TB_LARGE_PAGE + large_bytes;
	m->host = tb_host_create(&config);
	m->host->limit = 100000 + elements * 100;
	m->build = read_build(m->host);
	if (m->host->shared_max < shared_bytes) {
		fprintf(stderr,
			"faa-bench: the device has %u bytes of shared memory, %u are needed\n",
			m->host->shared_max, shared_bytes);
		return -1;
	}
	m->vm = tb_vm_create(m->host, 1);
	m->queue = tb_queue_create(m->vm, 0, &queue);
	m->code = tb_buffer_create(m->vm, TB_PAGE);
	m->snapshots = tb_buffer_create(m->vm, TB_PAGE);
	if (!faa_stream_create(&m->stream))
		return 0;
	fprintf(stderr, "faa-bench: no memory for a stream\n");
	return -1;
}

void bench_machine_close(struct bench_machine *m)
{
	faa_stream_destroy(m->stream);
	if (m->queue)
		tb_queue_destroy(m->queue);
	if (m->vm)
		tb_vm_destroy(m->vm);
	tb_host_destroy(m->host);
}

void bench_machine_snapshot(struct bench_machine *m, unsigned int index)
{
	faa_stream_snapshot(m->stream, m->snapshots.va + index * FAA_SNAPSHOT_BYTES);
}

int bench_machine_run(struct bench_machine *m)
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

void bench_machine_counters(const struct bench_machine *m, struct faa_counters *diff)
{
	const uint8_t *snapshots = m->snapshots.ptr;
	struct faa_counters before, after;

	faa_counters_read(snapshots, &before);
	faa_counters_read(snapshots + FAA_SNAPSHOT_BYTES, &after);
	faa_counters_diff(&before, &after, diff);
}

int bench_machine_violations(const struct bench_machine *m)
{
	if (!m->host->violations)
		return 0;
	fprintf(stderr, "faa-bench: the device accessed 0x%llx, which it was not given\n",
		(unsigned long long)m->host->violation_addr);
	return -1;
}
