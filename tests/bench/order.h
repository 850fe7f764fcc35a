/* SPDX-License-Identifier: MIT */
/**
 * DOC: Benchmarks of order and of several streams
 *
 * The cost of an order or a fence, and the throughput of two compute units or of two streams of
 * one.
 */
#ifndef BENCH_ORDER_H
#define BENCH_ORDER_H

#include "bench.h"

/** struct order_bench - cost of one command */
struct order_bench {
	const char *name;
	/** @opcode: FAA_OPCODE_FENCE, _LD, _ST or _ATOM. */
	uint8_t opcode;
	/** @order: enum faa_fence_order of a fence, else enum faa_order. */
	uint8_t order;
	uint8_t scope;
	/** @stores: 32 stores to 32 lines are outstanding before it. */
	bool stores;
};

extern const struct order_bench order_table[];
extern const unsigned int order_count;

/** order_measure() - run it, check it and report; 0, or -1 after a message on stderr. */
int order_measure(const struct bench_engine *engine, const struct order_bench *bench,
		  struct bench_report *report);

/** enum scaling_work - the work of the streams, each on data of its own */
enum scaling_work {
	/** @SCALING_SUMS: load eight warps of words, add them to others. */
	SCALING_SUMS,
	/**
	 * @SCALING_ATOMS: ATOM without pause: two units use the full throughput of an L2 of two
	 * slices.
	 */
	SCALING_ATOMS,
	/** @SCALING_COPIES: loads, and a store that waits for each. */
	SCALING_COPIES,
};

/** struct scaling_bench - two concurrent streams */
struct scaling_bench {
	const char *name;
	enum scaling_work work;
	/** @slots: they are one job; else each has a queue and a compute unit. */
	bool slots;
	/** @bound: least speed-up over running one after the other. */
	double bound;
};

extern const struct scaling_bench scaling_table[];
extern const unsigned int scaling_count;

/** scaling_measure() - run it, check it and report; 0, or -1 after a message on stderr. */
int scaling_measure(const struct bench_engine *engine, const struct scaling_bench *bench,
		    struct bench_report *report);

#endif /* BENCH_ORDER_H */
