/* SPDX-License-Identifier: MIT */
/**
 * DOC: Benchmarks of the device
 *
 * A benchmark is one ATOMS command, or one ATOM command (global.h), over many warps. It runs on an
 * engine in this process; its cycles are those of the device's own counter. Its results are
 * compared with the C model; its limit is computed from the addresses.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa.h"
#include "tb_host.h"

/** BENCH_SHARED - shared memory of a benchmark's queue, bytes */
#define BENCH_SHARED 65536u

/** enum bench_words - the word that element e goes to */
enum bench_words {
	/** @BENCH_ONE: the same word for all. */
	BENCH_ONE,
	/** @BENCH_RANDOM: uniform over all of shared memory. */
	BENCH_RANDOM,
	/** @BENCH_STRIDE_1: consecutive words. */
	BENCH_STRIDE_1,
	/** @BENCH_STRIDE_32: 32 words apart. */
	BENCH_STRIDE_32,
	/** @BENCH_WARP: warp w to word w. */
	BENCH_WARP,
	/** @BENCH_ZIPF: word i of 4096 with weight 1 / (i + 1). */
	BENCH_ZIPF,
	/** @BENCH_PHOTO: 8-bit values of one channel of a photograph. */
	BENCH_PHOTO,
};

/** enum bench_result - the destination of the old values */
enum bench_result {
	BENCH_REGISTER,
	BENCH_NOWHERE,
	BENCH_MEMORY,
};

/** BENCH_RESULTS - number of enum bench_result */
#define BENCH_RESULTS 3

/** struct bench - one row of the table, in up to three forms */
struct bench {
	/**
	 * @name: of the form with a register destination; the others append "/red" and
	 * "/to-memory".
	 */
	const char *name;
	/** @op: enum faa_atoms_op. */
	uint8_t op;
	/** @type: enum faa_type. */
	uint8_t type;
	/** @modes: mask of enum faa_float_mode. */
	uint8_t modes;
	/** @words: addresses. */
	enum bench_words words;
	/** @b, @c: the other operands. */
	struct faa_operand b, c;
	/** @initial: every 32-bit word of shared memory before the command. */
	uint32_t initial;
	/** @ceiling: most cycles per warp allowed, 0 = not stated. */
	double ceiling;
	/** @aim: target in cycles per warp, 0 = not stated. */
	double aim;
	/** @per_adder: @ceiling counts latencies of the adder instead of cycles. */
	bool per_adder;
	/** @fewer: divides the number of warps, for warps that take long; 0 = 1. */
	unsigned int fewer;
	/** @forms: mask of 1 << enum bench_result that are benchmarks. */
	unsigned int forms;
};

extern const struct bench bench_table[];
extern const unsigned int bench_count;

/** bench_name() - name of a form; @buffer of @size bytes receives and is returned. */
const char *bench_name(const struct bench *bench, enum bench_result form, char *buffer,
		       size_t size);

/** bench_start_warps() - number of first warps of a command, whose cycles are not counted */
uint32_t bench_start_warps(const struct bench *bench);

/** struct bench_stream - the addresses of a benchmark */
struct bench_stream {
	/** @warps: full warps. */
	uint32_t warps;
	/** @items: index of each element's word, counted in words of the type; NULL: all 0x10. */
	uint16_t *items;
	/** @item_bytes: size of an item as the device reads it: 0 (immediate address), 1 or 2. */
	unsigned int item_bytes;
	/** @shared_bytes: end of the shared memory that it touches; a multiple of 128. */
	uint32_t shared_bytes;
};

/** bench_stream_create() - addresses for @warps warps; 0, or -1 after a message on stderr. */
int bench_stream_create(const struct bench *bench, uint32_t warps, struct bench_stream *stream);

/** bench_stream_destroy() - free the items. */
void bench_stream_destroy(struct bench_stream *stream);

/** bench_stream_word() - item index of element @e. */
uint32_t bench_stream_word(const struct bench_stream *stream, uint32_t e);

/**
 * bench_photo() - the first channel of the photograph, repeated where it ends; to be freed; NULL
 * after a message on stderr.
 */
uint8_t *bench_photo(uint32_t count);

/**
 * bench_operand() - value of operand @o for element @e: immediate or affine, of the type's width.
 */
uint64_t bench_operand(const struct bench *bench, const struct faa_operand *o, uint32_t e);

/** bench_wide() - whether the type has 64 bits. */
bool bench_wide(const struct bench *bench);

/** struct bench_build - the build of a device, as its registers report it */
struct bench_build {
	/** @shared_unit: register SHARED_UNIT. */
	uint32_t shared_unit;
	/** @features: register FEATURES_LO. */
	uint32_t features;
	/** @axi_width: bits of the memory port, of register AXI_WIDTH. */
	uint32_t axi_width;
	/** @line_bytes: unit of LINES_READ and LINES_WRITTEN, of the same register. */
	uint32_t line_bytes;
};

/** struct bench_roofline - the least cycles per warp that a resource allows, and that resource */
struct bench_roofline {
	double limit;
	const char *bound_by;
};

/**
 * bench_missing() - name of a feature that @bench needs and the build lacks; NULL if it has all.
 */
const char *bench_missing(const struct bench *bench, const struct bench_build *build);

/** bench_lanes() - lanes that the shared memory unit takes per cycle. */
uint32_t bench_lanes(const struct bench_build *build);

/** bench_line_bytes() - bytes of the device's lines; 64 of the model, which has none. */
uint32_t bench_line_bytes(const struct bench_build *build);

/** bench_probe() - reads the build from the registers of the engine. */
struct bench_build bench_probe(const struct faa_engine_ops *ops);

/**
 * bench_roofline() - the limit that the addresses set
 *
 * The largest of: lanes that enter per cycle; operations of the busiest bank, where the groups of
 * consecutive warps on one word count as one if the operation can be combined (as two if the lanes
 * get values back); lines of operands, one per cycle; results, one register or one line per cycle;
 * floating-point sums on the busiest word, one after the other. Counts the warps after the first
 * bench_start_warps(), which alone took @start_cycles.
 */
struct bench_roofline bench_roofline(const struct bench *bench, enum bench_result form,
				     const struct bench_stream *stream,
				     const struct bench_build *build, uint64_t start_cycles);

/** struct bench_run - the results of one execution */
struct bench_run {
	/** @build: of the device. */
	struct bench_build build;
	/** @shared: shared memory afterwards. */
	uint32_t shared[BENCH_SHARED / 4];
	/** @reg: the destination register afterwards. */
	uint64_t reg[FAA_LANES];
	/** @results: old values of all elements (BENCH_MEMORY), 4 or 8 bytes each; else NULL. */
	uint8_t *results;
	size_t result_bytes;
	/**
	 * @command, @start: counters of the command, and of the command with its first warps alone.
	 */
	struct faa_counters command, start;
};

/** enum bench_inject - the result that is falsified, to prove that it would be noticed */
enum bench_inject {
	BENCH_INJECT_NOTHING,
	/** @BENCH_INJECT_SHARED: a bit of shared memory as read back. */
	BENCH_INJECT_SHARED,
	/** @BENCH_INJECT_TABLE: a bit of the table in memory (ATOM). */
	BENCH_INJECT_TABLE,
	/** @BENCH_INJECT_REGISTER: a bit of the register. */
	BENCH_INJECT_REGISTER,
	/** @BENCH_INJECT_VALUES: a bit of the last old value in memory. */
	BENCH_INJECT_VALUES,
};

/** struct bench_engine - the engine that a benchmark runs on */
struct bench_engine {
	const struct faa_engine_ops *ops;
	/** @build: only for the model: the build that it stands for, NULL = the default. */
	const struct bench_build *build;
	/** @latency: of the memory, cycles. */
	uint32_t latency;
	/** @outstanding: most outstanding transactions of the memory per direction. */
	uint32_t outstanding;
	enum bench_inject inject;
};

/** bench_execute() - run a benchmark; 0, or -1 after a message on stderr. */
int bench_execute(const struct bench_engine *engine, const struct bench *bench,
		  enum bench_result form, const struct bench_stream *stream, struct bench_run *run);

/** bench_run_free() - free the results. */
void bench_run_free(struct bench_run *run);

/**
 * bench_compare() - whether two executions have the same results; else a message on stderr that
 * begins with @name.
 */
bool bench_compare(const char *name, const struct bench *bench, const struct bench_run *run,
		   const struct bench_run *model);

/** struct bench_report - a benchmark's figures */
struct bench_report {
	const char *name;
	const char *engine;
	/** @build: build or device that was measured; NULL for the model. */
	const char *build;
	/** @unit: of @value, its limit, @ceiling and @aim. */
	const char *unit;
	/** @value: of the warps after the first ones, without start and end. */
	double value;
	struct bench_roofline roofline;
	/** @ceiling: the most that is allowed, or the least if @at_least; 0 = not stated. */
	double ceiling, aim;
	bool at_least;
	/** @cycles, @warps: @value is computed from these. */
	uint64_t cycles, warps;
	/** @start: cycles of the command with its first warps alone. */
	uint64_t start;
	/** @counters: of the whole command. */
	struct faa_counters counters;
};

/** bench_beats_limit() - whether a figure is better than its limit: the limit is wrong */
bool bench_beats_limit(const struct bench_report *report);
/** bench_print_json() - one object in one line. */
void bench_print_json(const struct bench_report *report);

/** bench_print_row() - a row of the table. */
void bench_print_row(const struct bench_report *report);

/** bench_print_head() - the head of the table; @build is NULL for the model. */
void bench_print_head(const char *engine, const char *build);

#endif /* BENCH_H */
