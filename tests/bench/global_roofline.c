// SPDX-License-Identifier: MIT
/* The limit that the addresses of a benchmark of ATOM set, and its figure. */
#include <stdlib.h>
#include <string.h>

#include "faa_regs.h"
#include "global.h"

/* Figures count lines of this size, whatever the lines of the device are. */
#define LINE 64u
/* The largest L2 of the builds, all slices, in lines of a device with the shortest lines. */
#define L2_BYTES  (128u << 10)
#define MAX_LINES (L2_BYTES / 16)

struct count {
	/* Of the device's lines, and how many the L2 has. */
	uint32_t line_bytes, l2_lines;
	/*
	 * Of the table, by line: whether the L2 has it if it keeps the last lines that it read;
	 * these lines, next the oldest.
	 */
	bool *present;
	uint32_t kept[MAX_LINES];
	uint32_t next;
	/* By item: lanes of the warp on it; sums so far. By line: operations. */
	uint32_t *lanes, *sums, *operations;
	/* Sums over the counted elements. */
	uint64_t reads, writes, all_operations;
	uint32_t most_sums, most_operations;
};

/* Operations that combine the lanes of a warp on one item into one. */
static bool combines(const struct global_bench *bench)
{
	return bench->access != GLOBAL_ATOMIC || bench->type == FAA_TYPE_U32;
}

static void touch(struct count *count, uint32_t line, bool counts, bool writes)
{
	uint32_t *place = &count->kept[count->next];

	if (count->present[line])
		return;
	count->reads += counts;
	if (*place) {
		count->present[*place - 1] = false;
		count->writes += counts && writes;
	}
	*place = line + 1;
	count->present[line] = true;
	count->next = (count->next + 1) % count->l2_lines;
}

/*
 * A line operation has one lane, or all that combine, of each item of a line: there are as many as
 * lanes on its busiest item.
 */
static void count_warp(struct count *count, const struct global_bench *bench,
		       const struct global_stream *stream, uint32_t first, bool counts)
{
	unsigned int bytes = global_item_bytes(bench), per_line = count->line_bytes / bytes;
	uint32_t end = first + FAA_LANES < stream->elements ? first + FAA_LANES : stream->elements;
	uint32_t most[FAA_LANES] = { 0 }, lines[FAA_LANES], used = 0, e, l;

	for (e = first; e < end; e++) {
		uint32_t item = stream->items[e], times;

		times = ++count->lanes[item];
		if (combines(bench))
			times = 1;
		for (l = 0; l < used && lines[l] != item / per_line; l++)
			;
		if (l == used)
			lines[used++] = item / per_line;
		if (times > most[l])
			most[l] = times;
		if (counts && ++count->sums[item] > count->most_sums)
			count->most_sums = count->sums[item];
	}
	for (l = 0; l < used; l++) {
		uint32_t *operations = &count->operations[lines[l]];

		*operations += counts ? most[l] : 0;
		count->all_operations += counts ? most[l] : 0;
		if (*operations > count->most_operations)
			count->most_operations = *operations;
		touch(count, lines[l], counts, bench->access != GLOBAL_LOAD);
	}
	for (e = first; e < end; e++)
		count->lanes[stream->items[e]] = 0;
}

static void raise_to(struct bench_roofline *roofline, double limit, const char *bound_by)
{
	if (limit <= roofline->limit)
		return;
	roofline->limit = limit;
	roofline->bound_by = bound_by;
}

/* Bytes of the operands of @elements elements in memory. */
static double operand_bytes(const struct global_stream *stream, uint32_t elements)
{
	return (double)elements * (stream->index_bytes + stream->value_bytes);
}

struct bench_roofline global_least_cycles(const struct global_bench *bench,
					  const struct global_stream *stream,
					  const struct bench_engine *engine,
					  const struct bench_build *build)
{
	uint32_t items = stream->table_bytes / global_item_bytes(bench), e;
	uint32_t adder = (build->shared_unit & FAA_REG_SHARED_UNIT_ADDER_MASK) >>
			 FAA_REG_SHARED_UNIT_ADDER_SHIFT;
	uint32_t elements = stream->elements - stream->start;
	uint32_t line_bytes = bench_line_bytes(build);
	uint32_t table_lines = stream->table_bytes / line_bytes;
	double beats = line_bytes * 8.0 / (build->axi_width ? build->axi_width : 512), reads;
	struct bench_roofline roofline = { 0, "" };
	struct count *count = calloc(1, sizeof(*count));

	if (!count)
		tb_die("no memory for the roofline");
	count->line_bytes = line_bytes;
	count->l2_lines = L2_BYTES / line_bytes;
	count->present = calloc(table_lines, sizeof(*count->present));
	count->lanes = calloc(items, sizeof(*count->lanes));
	count->sums = calloc(items, sizeof(*count->sums));
	count->operations = calloc(table_lines, sizeof(*count->operations));
	if (!count->present || !count->lanes || !count->sums || !count->operations)
		tb_die("no memory for the roofline");
	for (e = 0; e < stream->elements; e += FAA_LANES)
		count_warp(count, bench, stream, e, e >= stream->start);
	reads = (double)count->reads + operand_bytes(stream, elements) / line_bytes;
	raise_to(&roofline, elements / (double)bench_lanes(build), "one warp a cycle");
	raise_to(&roofline, (double)count->most_operations, "line operations");
	/* One port to the L2. */
	if (bench->access != GLOBAL_ATOMIC)
		raise_to(&roofline, (double)count->all_operations * global_commands(bench),
			 "line operations");
	raise_to(&roofline, reads * beats, "read port");
	raise_to(&roofline, (double)count->writes * beats, "write port");
	raise_to(&roofline, reads * engine->latency / engine->outstanding, "outstanding reads");
	if (bench->type == FAA_TYPE_F32)
		raise_to(&roofline, (double)count->most_sums * adder, "adder");
	free(count->present);
	free(count->lanes);
	free(count->sums);
	free(count->operations);
	free(count);
	return roofline;
}

/* ---- Figures ---- */

static const char *const units[] = {
	[GLOBAL_CYCLES] = "cycles/warp",    [GLOBAL_UPDATES] = "updates/clock",
	[GLOBAL_WIDTH] = "of the width",    [GLOBAL_PORT] = "of the read port",
	[GLOBAL_BYTES] = "bytes/lane",	    [GLOBAL_OF_ATOM] = "of ATOM's cycles",
	[GLOBAL_OF_LIMIT] = "of the limit",
};

/* The figure for this number of cycles and, for the read port, of lines. */
static double figure(const struct global_bench *bench, const struct bench_build *build,
		     double elements, double cycles, double lines)
{
	double width = build->axi_width ? build->axi_width : 512;

	switch (bench->figure) {
	case GLOBAL_UPDATES:
		return elements / cycles;
	case GLOBAL_WIDTH:
		return elements / cycles / (width / 32);
	case GLOBAL_PORT:
		return lines * (LINE * 8 / width) / cycles;
	default:
		return cycles / (elements * global_commands(bench) / FAA_LANES);
	}
}

static uint64_t grown(const struct global_run *run, enum faa_counter counter)
{
	return run->command.value[counter] - run->start.value[counter];
}

/*
 * Addresses that were made for the command count as part of it; data that the program has anyway do
 * not.
 */
static void report_bytes(const struct global_bench *bench, const struct global_stream *stream,
			 const struct global_run *run, struct bench_report *report)
{
	report->roofline.limit = bench->words == GLOBAL_ADDRESSES ? stream->index_bytes : 0;
	report->roofline.bound_by = "addresses";
	report->value = report->roofline.limit + (double)run->command_bytes / stream->elements;
}

void global_report(const struct global_bench *bench, const struct global_stream *stream,
		   const struct bench_engine *engine, const struct global_run *run,
		   struct bench_report *report)
{
	uint32_t elements = stream->elements - stream->start;
	double lines = operand_bytes(stream, elements) / LINE;
	/* In lines of LINE bytes, independent of the device's unit. */
	double got = (double)grown(run, FAA_COUNTER_LINES_READ) * run->build.line_bytes / LINE;

	report->unit = units[bench->figure];
	report->at_least = global_at_least(bench);
	report->start = run->start.value[FAA_COUNTER_CYCLES];
	report->cycles = grown(run, FAA_COUNTER_CYCLES);
	report->warps = grown(run, FAA_COUNTER_WARPS);
	report->counters = run->command;
	report->ceiling = bench->bound;
	report->aim = bench->aim;
	if (bench->figure == GLOBAL_BYTES) {
		report_bytes(bench, stream, run, report);
		return;
	}
	report->roofline = global_least_cycles(bench, stream, engine, &run->build);
	/* Several commands: a line of commands is read during the execution of the one before. */
	if (bench->access == GLOBAL_COPY)
		raise_to(&report->roofline,
			 (double)run->command_bytes / LINE * engine->latency * elements /
				 stream->elements,
			 "fetch");
	if (bench->figure == GLOBAL_OF_LIMIT) {
		report->value = (double)report->cycles / report->roofline.limit;
		report->roofline.limit = 1;
		return;
	}
	report->roofline.limit =
		figure(bench, &run->build, elements, report->roofline.limit, lines);
	report->value = figure(bench, &run->build, elements,
			       report->cycles ? (double)report->cycles : 1, got);
}
