/* SPDX-License-Identifier: MIT */
/**
 * DOC: Updates sorted by owner
 *
 * The updates that a rank sends at once. Those of one owner are a block: the items of the first
 * operand, those of the second, then the numbers of the elements in the owner's part, 32 bits each.
 * A block begins at a multiple of 8 bytes, and an owner that gets nothing has an empty one.
 */
#ifndef MPI_BATCH_H
#define MPI_BATCH_H

#include "call.h"

/** BATCH_ENTRY_MAX - most bytes of an update in a block: two operands of 8 bytes and the number */
#define BATCH_ENTRY_MAX 20
/** BATCH_RESULT_MAX - most bytes of a result */
#define BATCH_RESULT_MAX sizeof(struct faa_exact_sum)

/** struct batch_shape - what all batches of a table have in common */
struct batch_shape {
	uint32_t owners;
	/** @part: elements of each owner but the last ones. */
	uint64_t part;
	/** @most: updates of a batch at most. */
	uint32_t most;
	/** @limit: those to one owner at most. */
	uint32_t limit;
};

/** struct batch - a batch of one call */
struct batch {
	/** @blocks: one after the other. */
	uint8_t *blocks;
	/** @counts: updates to each owner. */
	uint32_t *counts;
	/** @owners: owner of each update of the caller, from @first on. */
	uint32_t *owners;
	/** @places: number of each update of the blocks among the caller's, from @first on. */
	uint32_t *places;
	/** @starts: number of the first update of each block. */
	uint32_t *starts;
	/** @first: the first update of the caller. */
	size_t first;
	/** @count: of updates. */
	uint32_t count;
};

/**
 * batch_create() - memory of a batch
 *
 * Return: 0 or -ENOMEM; batch_destroy() frees it in both cases.
 */
int batch_create(struct batch *batch, const struct batch_shape *shape);

/** batch_destroy() - free the memory of a batch; a zeroed one is allowed */
void batch_destroy(struct batch *batch);

/** batch_part() - elements per owner when @elements are divided among @owners */
uint64_t batch_part(uint64_t elements, uint32_t owners);

/** batch_limit() - updates to one owner at most, for batches of @most: twice an even share */
uint32_t batch_limit(uint32_t most, uint32_t owners);

/** batch_block_bytes() - bytes of a block of @count updates of @call */
size_t batch_block_bytes(const struct call *call, uint32_t count);

/** batch_results_bytes() - bytes of the results of such a block */
size_t batch_results_bytes(const struct call *call, uint32_t count);

/**
 * batch_fill() - sort updates of a call into blocks
 * @batch: its former content is gone
 * @shape: of the batches
 * @call: whose indices are all in the table
 * @first: the first update that is not sent yet; @call->count: none is left
 *
 * The batch ends with the last update, at @shape->most, or before the first one whose owner has
 * @shape->limit already.
 */
void batch_fill(struct batch *batch, const struct batch_shape *shape, const struct call *call,
		size_t first);

/**
 * batch_give_results() - hand the results of a batch to the caller, in the order of the call
 * @batch: batch
 * @shape: of the batches
 * @call: the call that it was filled from
 * @results: the results of each block, one after the other, each at a multiple of 8 bytes
 */
void batch_give_results(const struct batch *batch, const struct batch_shape *shape,
			const struct call *call, const uint8_t *results);

#endif /* MPI_BATCH_H */
