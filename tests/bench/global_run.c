// SPDX-License-Identifier: MIT
/* One benchmark of ATOM, SUATOM, LD or ST on one engine. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "global.h"
#include "machine.h"

/*
 * Register of the destination: even, for 64-bit types. Consecutive commands have different ones, so
 * that no command waits for the results of another.
 */
#define REG_D	  8
#define REGS_OF_D 16
/* Most bytes of commands for an element of a copy. */
#define COPY_BYTES 4

/* The device, and the memory that the streams use. */
struct machine {
	struct bench_machine device;
	struct tb_buffer table, indices, values, reg, results, header;
	/* The last command's destination register. */
	unsigned int last_reg;
};

static size_t large_pages(size_t bytes)
{
	return (bytes + TB_LARGE_PAGE - 1) / TB_LARGE_PAGE * TB_LARGE_PAGE;
}

/* A pool of one texture header. */
static void put_header(struct machine *m, const struct global_bench *bench, struct tb_vm *vm)
{
	struct faa_surface_layout layout;
	struct faa_surface_view view;
	uint32_t header[FAA_HEADER_WORDS], i;

	m->header = tb_buffer_create(vm, TB_PAGE);
	global_layout(bench, &layout);
	view = faa_surface_view(&layout);
	if (faa_surface_encode(&layout, &view, m->table.va, header, NULL))
		tb_die("%s: the surface has no header", bench->name);
	for (i = 0; i < FAA_HEADER_WORDS; i++)
		((uint32_t *)m->header.ptr)[i] = htole32(header[i]);
}

static int machine_open(struct machine *m, const struct bench_engine *engine,
			const struct global_bench *bench, const struct global_stream *stream)
{
	size_t elements = stream->elements;
	size_t table = large_pages(stream->table_bytes);
	size_t indices = large_pages(elements * stream->index_bytes + 1);
	size_t values = large_pages(elements * stream->value_bytes + 1);
	size_t results = large_pages(elements * global_result_bytes(bench));
	struct tb_vm *vm;

	size_t code = bench->access == GLOBAL_COPY ? large_pages(elements * COPY_BYTES) : 0;

	if (bench_machine_open(&m->device, engine, 0, elements,
			       table + indices + values + results + code))
		return -1;
	vm = m->device.vm;
	if (code)
		m->device.code = bench_large_buffer(vm, code, 0);
	m->table = bench_large_buffer(vm, table, FAA_PTE_ATOMIC_MASK);
	m->indices = bench_large_buffer(vm, indices, 0);
	m->values = bench_large_buffer(vm, values, 0);
	m->results = bench_large_buffer(vm, results, 0);
	m->reg = tb_buffer_create(vm, TB_PAGE);
	if (bench->surface)
		put_header(m, bench, vm);
	return 0;
}

/* @value as the little-endian item @i of @bytes bytes. */
static void put(void *array, uint32_t i, unsigned int bytes, uint64_t value)
{
	value = htole64(value);
	memcpy((uint8_t *)array + (size_t)i * bytes, &value, bytes);
}

static uint64_t get(const void *array, uint32_t i, unsigned int bytes)
{
	uint64_t value = 0;

	memcpy(&value, (const uint8_t *)array + (size_t)i * bytes, bytes);
	return le64toh(value);
}

static void put_table(struct machine *m, const struct global_bench *bench,
		      const struct global_stream *stream)
{
	unsigned int bytes = global_item_bytes(bench);
	uint32_t i;

	for (i = 0; i < stream->table_bytes / bytes; i++)
		put(m->table.ptr, i, bytes, global_initial(bench, i));
}

static void put_elements(struct machine *m, const struct global_bench *bench,
			 const struct global_stream *stream)
{
	unsigned int bytes = global_item_bytes(bench);
	uint32_t e;

	for (e = 0; e < stream->elements; e++) {
		uint64_t index = stream->items[e];

		if (bench->surface)
			index = stream->points ? stream->points[e] : 0;
		else if (bench->words == GLOBAL_ADDRESSES)
			index = m->table.va + index * bytes;
		put(m->indices.ptr, e, stream->index_bytes, index);
		if (stream->values)
			put(m->values.ptr, e, stream->value_bytes, stream->values[e]);
	}
}

static struct faa_operand address(const struct machine *m, const struct global_bench *bench,
				  const struct global_stream *stream)
{
	unsigned int bytes = global_item_bytes(bench), shift = bytes == 8 ? 3 : 2;

	switch (stream->index_bytes) {
	case 1:
		return faa_scaled(faa_array_u8(m->indices.va, 1), shift, m->table.va);
	case 4:
		return faa_scaled(faa_array_u32(m->indices.va, 4), shift, m->table.va);
	case 8:
		return faa_array_u64(m->indices.va, 8);
	default:
		return global_item_step(bench) ?
			       faa_affine(m->table.va, (int32_t)(bytes * global_item_step(bench))) :
			       faa_imm(m->table.va + (uint64_t)stream->items[0] * bytes);
	}
}

static struct faa_operand operand_b(const struct machine *m, const struct global_bench *bench)
{
	if (bench->words == GLOBAL_GUPS)
		return faa_array_u64(m->values.va, 8);
	/* Bit patterns, as floats are stored in memory. */
	return bench->words == GLOBAL_CELLS ? faa_array_u32(m->values.va, 4) : bench->b;
}

static struct faa_operand destination(const struct machine *m, const struct global_bench *bench,
				      bool to_memory)
{
	unsigned int bytes = global_result_bytes(bench);

	if (to_memory)
		return faa_array(m->results.va, bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32,
				 (int32_t)bytes);
	return bench->returns ? faa_reg((uint8_t)m->last_reg) : faa_none();
}

/* Points from memory, or one command per pass along the row. */
static void add_surface_commands(struct machine *m, const struct global_bench *bench,
				 const struct global_stream *stream, bool to_memory,
				 uint32_t elements)
{
	struct faa_place place = faa_place_header(FAA_DIM_D2, FAA_CLAMP_NEAR, 0);
	struct faa_operand points = faa_affine((uint64_t)GLOBAL_ROW_Y << 32, 1), d;
	uint32_t size = bench->surface->width, e, count, command;

	if (stream->points) {
		place.packed = 1;
		points = faa_array_u32(m->indices.va, 4);
		size = elements;
	}
	for (e = 0, command = 0; e < elements; e += size, command++) {
		count = elements - e < size ? elements - e : size;
		m->last_reg = REG_D + 2 * (command % REGS_OF_D);
		d = destination(m, bench, to_memory);
		if (to_memory)
			d.value += (uint64_t)e * global_item_bytes(bench);
		faa_stream_suatom(m->device.stream, &place, bench->op, bench->type, FAA_SCOPE_GPU,
				  FAA_ORDER_RELAXED, count, d, points, operand_b(m, bench),
				  faa_none());
	}
}

static void add_load(struct machine *m, const struct global_bench *bench, uint32_t elements,
		     struct faa_operand d, struct faa_operand a)
{
	if (bench->strong)
		faa_stream_ld_strong(m->device.stream, bench->type, FAA_SCOPE_GPU,
				     FAA_ORDER_RELAXED, elements, d, a, 0);
	else
		faa_stream_ld(m->device.stream, bench->type, elements, d, a, 0);
}

static void add_store(struct machine *m, const struct global_bench *bench, uint32_t elements,
		      struct faa_operand a, struct faa_operand b)
{
	if (bench->strong)
		faa_stream_st_strong(m->device.stream, bench->type, FAA_SCOPE_GPU,
				     FAA_ORDER_RELAXED, elements, a, 0, b);
	else
		faa_stream_st(m->device.stream, bench->type, elements, a, 0, b);
}

/* As many loads as there are registers, then the stores of these. */
static void add_copy(struct machine *m, const struct global_bench *bench, uint32_t elements)
{
	uint32_t bytes = global_item_bytes(bench), first, e, i;

	for (first = 0; first < elements; first += REGS_OF_D * FAA_LANES) {
		uint32_t end = first + REGS_OF_D * FAA_LANES;

		end = end < elements ? end : elements;
		for (e = first, i = 0; e < end; e += FAA_LANES, i++)
			add_load(m, bench, FAA_LANES, faa_reg((uint8_t)(REG_D + 2 * i)),
				 faa_affine(m->values.va + (uint64_t)e * bytes, (int32_t)bytes));
		for (e = first, i = 0; e < end; e += FAA_LANES, i++)
			add_store(m, bench, FAA_LANES,
				  faa_affine(m->table.va + (uint64_t)e * bytes, (int32_t)bytes),
				  faa_reg((uint8_t)(REG_D + 2 * i)));
	}
}

static void add_command(struct machine *m, const struct global_bench *bench,
			const struct global_stream *stream, bool to_memory, uint32_t elements)
{
	if (bench->surface) {
		add_surface_commands(m, bench, stream, to_memory, elements);
		return;
	}
	switch (bench->access) {
	case GLOBAL_ATOMIC:
		faa_stream_atom(m->device.stream, bench->op, bench->type, FAA_SCOPE_GPU,
				FAA_ORDER_RELAXED, elements, destination(m, bench, to_memory),
				address(m, bench, stream), 0, operand_b(m, bench), faa_none());
		break;
	case GLOBAL_LOAD:
		add_load(m, bench, elements, destination(m, bench, to_memory),
			 address(m, bench, stream));
		break;
	case GLOBAL_STORE:
		add_store(m, bench, elements, address(m, bench, stream), operand_b(m, bench));
		break;
	case GLOBAL_COPY:
		add_copy(m, bench, elements);
		break;
	}
}

/* A snapshot first, so that the TLB has its page; then the command between two snapshots. */
static void build(struct machine *m, const struct global_bench *bench,
		  const struct global_stream *stream, bool to_memory, uint32_t elements)
{
	bool wide = global_item_bytes(bench) == 8;

	m->last_reg = REG_D;
	faa_stream_reset(m->device.stream);
	bench_machine_snapshot(&m->device, 0);
	if (bench->surface)
		faa_stream_config_headers(m->device.stream, m->header.va, 0);
	bench_machine_snapshot(&m->device, 0);
	add_command(m, bench, stream, to_memory, elements);
	bench_machine_snapshot(&m->device, 1);
	if (bench->returns && !to_memory)
		faa_stream_mov(m->device.stream, wide ? FAA_TYPE_U64 : FAA_TYPE_U32, FAA_LANES,
			       faa_array(m->reg.va, wide ? FAA_TYPE_U64 : FAA_TYPE_U32,
					 wide ? 8 : 4),
			       faa_reg((uint8_t)m->last_reg));
	faa_stream_end(m->device.stream);
}

/* The length of the command alone. */
static uint32_t command_bytes(struct machine *m, const struct global_bench *bench,
			      const struct global_stream *stream)
{
	faa_stream_reset(m->device.stream);
	add_command(m, bench, stream, false, stream->elements);
	return (uint32_t)faa_stream_bytes(m->device.stream);
}

static uint8_t *copy_of(const void *memory, size_t bytes)
{
	uint8_t *copy = malloc(bytes);

	if (!copy)
		tb_die("no memory for %zu bytes of results", bytes);
	memcpy(copy, memory, bytes);
	return copy;
}

static void inject(struct machine *m, const struct global_stream *stream, enum bench_inject what)
{
	if (what == BENCH_INJECT_TABLE)
		((uint8_t *)m->table.ptr)[stream->table_bytes - 1] ^= 1;
	if (what == BENCH_INJECT_REGISTER)
		((uint8_t *)m->reg.ptr)[0] ^= 0x80;
	if (what == BENCH_INJECT_VALUES)
		((uint8_t *)m->results.ptr)[0] ^= 0x40;
}

static int run_elements(struct machine *m, const struct global_bench *bench,
			const struct global_stream *stream, bool to_memory, uint32_t elements)
{
	put_table(m, bench, stream);
	build(m, bench, stream, to_memory, elements);
	return bench_machine_run(&m->device);
}

static int run_both(struct machine *m, const struct bench_engine *engine,
		    const struct global_bench *bench, const struct global_stream *stream,
		    bool to_memory, struct global_run *run)
{
	unsigned int bytes = global_result_bytes(bench), i;

	run->command_bytes = command_bytes(m, bench, stream);
	/* Once, so that the TLB has the pages. */
	if (run_elements(m, bench, stream, to_memory, stream->start) ||
	    run_elements(m, bench, stream, to_memory, stream->start))
		return -1;
	bench_machine_counters(&m->device, &run->start);
	if (run_elements(m, bench, stream, to_memory, stream->elements))
		return -1;
	inject(m, stream, engine->inject);
	bench_machine_counters(&m->device, &run->command);
	run->table = copy_of(m->table.ptr, stream->table_bytes);
	for (i = 0; i < FAA_LANES; i++)
		run->reg[i] = get(m->reg.ptr, i, bytes);
	if (to_memory)
		run->results = copy_of(m->results.ptr, (size_t)stream->elements * bytes);
	return bench_machine_violations(&m->device);
}

int global_execute(const struct bench_engine *engine, const struct global_bench *bench,
		   const struct global_stream *stream, bool to_memory, struct global_run *run)
{
	struct machine m = { 0 };
	int ret;

	memset(run, 0, sizeof(*run));
	ret = machine_open(&m, engine, bench, stream);
	run->build = m.device.build;
	if (!ret) {
		put_elements(&m, bench, stream);
		ret = run_both(&m, engine, bench, stream, to_memory, run);
	}
	bench_machine_close(&m.device);
	return ret;
}

void global_run_free(struct global_run *run)
{
	free(run->table);
	free(run->results);
	run->table = NULL;
	run->results = NULL;
}

/* ---- Results ---- */

static bool same(const char *name, const char *what, const uint8_t *got, const uint8_t *expected,
		 uint32_t items, unsigned int bytes)
{
	uint32_t i;

	for (i = 0; i < items; i++) {
		if (get(got, i, bytes) == get(expected, i, bytes))
			continue;
		fprintf(stderr, "%s: %s %u is 0x%llx, in the model 0x%llx\n", name, what, i,
			(unsigned long long)get(got, i, bytes),
			(unsigned long long)get(expected, i, bytes));
		return false;
	}
	return true;
}

static bool same_counters(const char *name, const struct global_run *run,
			  const struct global_run *model)
{
	static const enum faa_counter counters[] = { FAA_COUNTER_COMMANDS, FAA_COUNTER_WARPS,
						     FAA_COUNTER_ELEMENTS };
	size_t i;

	for (i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		unsigned long long got = run->command.value[counters[i]];
		unsigned long long expected = model->command.value[counters[i]];

		if (got == expected)
			continue;
		fprintf(stderr, "%s: counter %s grew by %llu, in the model by %llu\n", name,
			faa_counter_name(counters[i]), got, expected);
		return false;
	}
	return true;
}

bool global_compare(const struct global_bench *bench, const struct global_stream *stream,
		    const struct global_run *run, const struct global_run *model)
{
	unsigned int bytes = global_item_bytes(bench);

	return same(bench->name, "item", run->table, model->table, stream->table_bytes / bytes,
		    bytes) &&
	       same(bench->name, "lane", (const uint8_t *)run->reg, (const uint8_t *)model->reg,
		    FAA_LANES, 8) &&
	       (!run->results ||
		same(bench->name, "old value of element", run->results, model->results,
		     stream->elements, global_result_bytes(bench))) &&
	       same_counters(bench->name, run, model);
}

/* RandomAccess: repeating the same updates restores each word. */
bool global_verify(const struct global_bench *bench, const struct global_stream *stream,
		   const struct global_run *run)
{
	uint32_t i, words = stream->table_bytes / 8, errors = 0;
	uint64_t *table;

	if (bench->words != GLOBAL_GUPS)
		return true;
	table = (uint64_t *)copy_of(run->table, stream->table_bytes);
	for (i = 0; i < stream->elements; i++)
		table[stream->items[i]] ^= htole64(stream->values[i]);
	for (i = 0; i < words; i++)
		errors += le64toh(table[i]) != i;
	free(table);
	if (errors)
		fprintf(stderr, "%s: %u of %u words are wrong\n", bench->name, errors, words);
	return !errors;
}
