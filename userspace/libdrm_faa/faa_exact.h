/* SPDX-License-Identifier: MIT */
/**
 * DOC: Exact sums of f32 numbers
 *
 * Sums whose bits do not depend on the order of the addends, nor on the number of queues, compute
 * units and devices. A sum is a cell in memory to which integers are added; it is rounded once,
 * when it is read. Documentation/exact.rst specifies the cell and has the reasons.
 */
#ifndef FAA_EXACT_H
#define FAA_EXACT_H

#include "faa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** FAA_EXACT_WORDS - words of a cell that hold the sum */
#define FAA_EXACT_WORDS 16
/** FAA_EXACT_CELL_BYTES - distance of two cells of a table */
#define FAA_EXACT_CELL_BYTES 136
/** FAA_EXACT_MAX_ADDENDS - addends of a cell that cannot overflow a word */
#define FAA_EXACT_MAX_ADDENDS (1u << 24)
/** FAA_EXACT_REGISTERS - registers that the commands of a sum use */
#define FAA_EXACT_REGISTERS 22
/** FAA_EXACT_PREDICATES - predicates that the commands of a sum use */
#define FAA_EXACT_PREDICATES 2
/** FAA_EXACT_COUNT_SHIFT - bit of the tally where the number of addends begins */
#define FAA_EXACT_COUNT_SHIFT 3

/** struct faa_exact_cell - a sum in memory of the device or the process; all zero: the empty sum */
struct faa_exact_cell {
	/** @sum: the value is the sum of sum[k] * 2^(16 k - 150). */
	int64_t sum[FAA_EXACT_WORDS];
	/** @tally: bits 0..2: flags of addends, enum faa_exact_flags; above: number of addends. */
	uint64_t tally;
};

/** enum faa_exact_flags - flags of struct faa_exact_sum; the first three are also in the tally */
enum faa_exact_flags {
	/** @FAA_EXACT_PLUS_INF: an addend was +Inf. */
	FAA_EXACT_PLUS_INF = 1 << 0,
	/** @FAA_EXACT_MINUS_INF: an addend was -Inf. */
	FAA_EXACT_MINUS_INF = 1 << 1,
	/** @FAA_EXACT_NAN: an addend was a NaN. */
	FAA_EXACT_NAN = 1 << 2,
	/** @FAA_EXACT_OVERFLOW_F32: the finite sum is beyond the largest f32 number. */
	FAA_EXACT_OVERFLOW_F32 = 1 << 3,
	/** @FAA_EXACT_INEXACT_F32: f32 differs from the exact sum. */
	FAA_EXACT_INEXACT_F32 = 1 << 4,
	/** @FAA_EXACT_INEXACT_F64: f64 differs from the exact sum. */
	FAA_EXACT_INEXACT_F64 = 1 << 5,
};

/** struct faa_exact_sum - a cell as numbers, from faa_exact_read() */
struct faa_exact_sum {
	/** @f64: the exact sum, rounded once to binary64, to nearest, ties to even. */
	double f64;
	/** @f32: the exact sum, rounded once to binary32, to nearest, ties to even. */
	float f32;
	/** @flags: mask of enum faa_exact_flags. */
	uint32_t flags;
	/** @count: number of addends. */
	uint64_t count;
};

/**
 * faa_exact_read() - round the sum of a cell
 * @cell: cell, which no job changes at the same time
 * @sum: out
 *
 * An exact zero is +0. With infinities or NaNs among the addends both results are what IEEE 754
 * addition gives, and @sum->flags has the cause.
 *
 * Return: 0; -EOVERFLOW: more than FAA_EXACT_MAX_ADDENDS addends; both results are NaN, count and
 * the flags of the addends are valid.
 */
int faa_exact_read(const struct faa_exact_cell *cell, struct faa_exact_sum *sum);

/**
 * faa_exact_merge() - add the sum, the flags and the count of a cell to another
 * @to: cell in memory of the process; not atomic
 * @from: cell; may be @to, which doubles the sum
 *
 * A count that does not fit remains the largest one.
 */
void faa_exact_merge(struct faa_exact_cell *to, const struct faa_exact_cell *from);

/**
 * faa_exact_add_host() - add numbers to a cell in memory of the process
 * @cell: cell; not atomic
 * @values: numbers
 * @count: of them
 *
 * The cell gets the same bits as by faa_stream_exact_add() of these numbers.
 */
void faa_exact_add_host(struct faa_exact_cell *cell, const float *values, size_t count);

/** enum faa_exact_space - memory in which cells are */
enum faa_exact_space {
	/** @FAA_EXACT_GLOBAL: global memory, mapped with FAA_MAP_ATOMIC. */
	FAA_EXACT_GLOBAL = 0,
	/** @FAA_EXACT_SHARED: shared memory of the queue. */
	FAA_EXACT_SHARED = 1,
};

/** struct faa_exact_add - additions to exact sums, as faa_stream_exact_add() adds them */
struct faa_exact_add {
	/** @count: elements, 1..2^32. */
	uint64_t count;
	/** @space: memory in which the cells are. */
	enum faa_exact_space space;
	/** @scope: observers of the operations; FAA_SCOPE_CTA for shared memory. */
	enum faa_scope scope;
	/** @cells: address of cell 0, a multiple of 8. */
	uint64_t cells;
	/**
	 * @cell: number of the cell of each element: immediate; affine; register, at most 32
	 * elements; array of U8, U16 or U32 without a shift. All are below 2^32.
	 */
	struct faa_operand cell;
	/**
	 * @value: bits of the f32 addend of each element: array of U32 or F32; immediate; register,
	 * at most 32 elements.
	 */
	struct faa_operand value;
	/** @reg: first of FAA_EXACT_REGISTERS registers that are overwritten, even. */
	uint8_t reg;
	/** @predicate: first of FAA_EXACT_PREDICATES predicates that are overwritten. */
	uint8_t predicate;
};

/**
 * faa_stream_exact_add() - cell[@add->cell] += @add->value, exactly, for every element
 * @stream: stream
 * @add: elements, cells and registers
 *
 * The commands are a loop over the warps. faa_stream_wait() before it applies to the first command;
 * guards and barriers are refused. Needs FAA_FEATURE_ALU, and FAA_FEATURE_GLOBAL_ATOMICS or, for
 * shared memory, FAA_FEATURE_ATOMS_INT64.
 *
 * Return: 0; -EINVAL: an argument, with the reason in faa_stream_error(); errors of
 * faa_stream_vector().
 */
int faa_stream_exact_add(struct faa_stream *stream, const struct faa_exact_add *add);

/** struct faa_exact_flush - shared cells that faa_stream_exact_flush() moves to global memory */
struct faa_exact_flush {
	/** @count: cells, 1..2^16. */
	uint32_t count;
	/** @scope: observers of the additions to global memory. */
	enum faa_scope scope;
	/** @shared: address of the first cell in shared memory, a multiple of 8. */
	uint32_t shared;
	/** @cells: address of the first cell in global memory, a multiple of 8. */
	uint64_t cells;
	/** @reg: as in struct faa_exact_add. */
	uint8_t reg;
	/** @predicate: as in struct faa_exact_add. */
	uint8_t predicate;
};

/**
 * faa_stream_exact_flush() - add shared cells to global cells, and make the shared ones empty
 * @stream: stream
 * @flush: cells and registers
 *
 * Other streams of the queue must not change the shared cells at the same time (faa_stream_bar()).
 * The additions to global memory are atomic. Guards, barriers, needs and errors are those of
 * faa_stream_exact_add().
 */
int faa_stream_exact_flush(struct faa_stream *stream, const struct faa_exact_flush *flush);

#ifdef __cplusplus
}
#endif

#endif /* FAA_EXACT_H */
