/* SPDX-License-Identifier: MIT */
/**
 * DOC: Benchmarks of ATOM, SUATOM, LD and ST on global memory
 *
 * One command over a table in memory, with its addresses and operands in memory too where the
 * benchmark says so.
 */
#ifndef BENCH_GLOBAL_H
#define BENCH_GLOBAL_H

#include "bench.h"

/** enum global_words - the item of the table that element e goes to */
enum global_words {
	/** @GLOBAL_ONE: the same item for all. */
	GLOBAL_ONE,
	/** @GLOBAL_NEXT: consecutive items; needs no addresses from memory. */
	GLOBAL_NEXT,
	/**
	 * @GLOBAL_GUPS: the low bits of the numbers of HPC Challenge RandomAccess, which are also
	 * operand b.
	 */
	GLOBAL_GUPS,
	/** @GLOBAL_CELLS: one of 100 drawn at random; operand b from memory too. */
	GLOBAL_CELLS,
	/** @GLOBAL_PHOTO: 8-bit values of one channel of a photograph. */
	GLOBAL_PHOTO,
	/** @GLOBAL_ADDRESSES: any item, as 64-bit addresses. */
	GLOBAL_ADDRESSES,
	/**
	 * @GLOBAL_ROW: consecutive texels of a row of a surface, repeated; needs no addresses from
	 * memory.
	 */
	GLOBAL_ROW,
	/** @GLOBAL_TEXELS: any texel of a surface. */
	GLOBAL_TEXELS,
	/** @GLOBAL_CLOUD: texels of a surface, at points that cluster around its middle. */
	GLOBAL_CLOUD,
	/**
	 * @GLOBAL_LINES: the first item of each line, line after line; needs no addresses from
	 * memory.
	 */
	GLOBAL_LINES,
};

/** enum global_access - the command */
enum global_access {
	/** @GLOBAL_ATOMIC: ATOM, or SUATOM if there is a surface. */
	GLOBAL_ATOMIC,
	/** @GLOBAL_LOAD, @GLOBAL_STORE: LD, ST. */
	GLOBAL_LOAD,
	GLOBAL_STORE,
	/**
	 * @GLOBAL_COPY: LD of other memory to registers, ST of these to the table; a command for
	 * each warp.
	 */
	GLOBAL_COPY,
};

/** enum global_figure - the figure that is measured */
enum global_figure {
	/** @GLOBAL_CYCLES: cycles per warp. */
	GLOBAL_CYCLES,
	/** @GLOBAL_UPDATES: updates per clock. */
	GLOBAL_UPDATES,
	/**
	 * @GLOBAL_WIDTH: lanes per clock, as a share of the width of the AXI port in 32-bit words.
	 */
	GLOBAL_WIDTH,
	/** @GLOBAL_PORT: lines of operands per line that the read port can take. */
	GLOBAL_PORT,
	/** @GLOBAL_BYTES: bytes of commands, and of addresses made for them, per lane. */
	GLOBAL_BYTES,
	/** @GLOBAL_OF_ATOM: cycles, divided by those of ATOM on the same addresses. */
	GLOBAL_OF_ATOM,
	/** @GLOBAL_OF_LIMIT: cycles, divided by their lower limit. */
	GLOBAL_OF_LIMIT,
};

/** struct global_surface - the surface of a benchmark of SUATOM: block-linear, 2D, U32 */
struct global_surface {
	uint32_t width;
	uint32_t height;
	uint32_t log2_gobs_y;
};

/** struct global_bench - one row of the table */
struct global_bench {
	const char *name;
	uint8_t op;
	uint8_t type;
	enum global_access access;
	/** @strong: of LD and ST: relaxed at scope GPU, not weak. */
	bool strong;
	enum global_words words;
	enum global_figure figure;
	/** @returns: old values go to a register, and in another run to memory. */
	bool returns;
	/** @b: operand b, unless it comes from memory. */
	struct faa_operand b;
	/** @surface: the table is its memory, and the command SUATOM; NULL: ATOM. */
	const struct global_surface *surface;
	/** @table_bytes: 0 = the bytes that the elements touch. */
	uint32_t table_bytes;
	/** @elements: replaces the default of --warps; 0 = that default. */
	uint32_t elements;
	/** @device: the device whose program measures it (devices.h), NULL = any. */
	const char *device;
	/** @axi_width: of the device that it needs, 0 = any. */
	uint32_t axi_width;
	/** @bound: least value that is wanted; for CYCLES and BYTES the largest. */
	double bound;
	/** @aim: target, 0 = not stated. */
	double aim;
};

extern const struct global_bench global_table[];
extern const unsigned int global_count;

/**
 * GLOBAL_LATENCY, GLOBAL_OUTSTANDING - the memory of these benchmarks, unless --latency is given
 */
#define GLOBAL_LATENCY	   100
#define GLOBAL_OUTSTANDING 128

/** global_item_bytes() - size of an item of the table, 2, 4 or 8. */
unsigned int global_item_bytes(const struct global_bench *bench);

/** global_result_bytes() - size of an item of a result, 4 or 8. */
unsigned int global_result_bytes(const struct global_bench *bench);

/**
 * global_item_step() - items between those of consecutive elements, where no addresses are read.
 */
uint32_t global_item_step(const struct global_bench *bench);

/** global_commands() - warps that the commands have for each warp of elements. */
uint32_t global_commands(const struct global_bench *bench);

/** global_at_least() - whether the bound is a least value. */
bool global_at_least(const struct global_bench *bench);

/** global_missing() - why this device cannot run @bench, in @buffer; NULL if it can. */
const char *global_missing(const struct global_bench *bench, const struct bench_build *build,
			   char *buffer, size_t size);

/** struct global_stream - the elements of a benchmark */
struct global_stream {
	uint32_t elements;
	/** @start: number of first elements, whose cycles are not counted. */
	uint32_t start;
	/** @items: index of each element's item. */
	uint32_t *items;
	/**
	 * @points: x, and y in the upper half, of each element, where they come from memory; else
	 * NULL.
	 */
	uint32_t *points;
	/** @values: operand b, where it comes from memory; else NULL. */
	uint64_t *values;
	/** @index_bytes, @value_bytes: size per element in memory; 0: not in memory. */
	unsigned int index_bytes, value_bytes;
	uint32_t table_bytes;
};

/**
 * global_stream_create() - make the elements of a benchmark
 * @bench: benchmark
 * @elements: the counted ones; where the benchmark has its own number, all elements
 * @stream: has to be destroyed in any case
 *
 * Return: 0, or -1 after a message on stderr.
 */
int global_stream_create(const struct global_bench *bench, uint32_t elements,
			 struct global_stream *stream);

/** global_stream_destroy() - free the elements. */
void global_stream_destroy(struct global_stream *stream);

/** GLOBAL_ROW_Y - the row of GLOBAL_ROW */
#define GLOBAL_ROW_Y 5

/** global_layout() - the layout of the benchmark's surface. */
void global_layout(const struct global_bench *bench, struct faa_surface_layout *layout);

/** global_fill_surface() - items and points of a benchmark of SUATOM. */
void global_fill_surface(const struct global_bench *bench, struct global_stream *stream);

/** global_initial() - item @i of the table at the start. */
uint64_t global_initial(const struct global_bench *bench, uint32_t i);

/** struct global_run - the results of one execution */
struct global_run {
	struct bench_build build;
	/** @table: afterwards. */
	uint8_t *table;
	/**
	 * @reg: the destination register afterwards; @results: old values of all elements, NULL if
	 * they did not go to memory.
	 */
	uint64_t reg[FAA_LANES];
	uint8_t *results;
	/** @command_bytes: of the command. */
	uint32_t command_bytes;
	/**
	 * @command, @start: counters of the command, and of the command with its first elements
	 * alone.
	 */
	struct faa_counters command, start;
};

/**
 * global_execute() - run a benchmark, old values to memory if @to_memory; 0, or -1 after a message
 * on stderr.
 */
int global_execute(const struct bench_engine *engine, const struct global_bench *bench,
		   const struct global_stream *stream, bool to_memory, struct global_run *run);

/** global_run_free() - free what it points to. */
void global_run_free(struct global_run *run);

/** global_compare() - whether two executions have the same results; else a message on stderr. */
bool global_compare(const struct global_bench *bench, const struct global_stream *stream,
		    const struct global_run *run, const struct global_run *model);

/**
 * global_verify() - the benchmark's own verification, where it has one; false after a message on
 * stderr.
 */
bool global_verify(const struct global_bench *bench, const struct global_stream *stream,
		   const struct global_run *run);

/** global_report() - figures of a run of a device. */
void global_report(const struct global_bench *bench, const struct global_stream *stream,
		   const struct bench_engine *engine, const struct global_run *run,
		   struct bench_report *report);

/**
 * global_least_cycles() - least cycles of the elements after the first ones, and the resource that
 * sets them.
 */
struct bench_roofline global_least_cycles(const struct global_bench *bench,
					  const struct global_stream *stream,
					  const struct bench_engine *engine,
					  const struct bench_build *build);

#endif /* BENCH_GLOBAL_H */
