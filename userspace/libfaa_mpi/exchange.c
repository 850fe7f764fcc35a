// SPDX-License-Identifier: MIT
/*
 * Rounds. While a device executes the blocks of a round, the next batch is sorted and exchanged.
 */
#include "exchange.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A failure of MPI, whose error handler has returned: the ranks cannot agree any more. */
static int exchange_broken(struct exchange *exchange, int code, const char *what)
{
	char text[MPI_MAX_ERROR_STRING];
	int length = 0;

	if (MPI_Error_string(code, text, &length))
		length = 0;
	return failure_set(&exchange->own, -EIO, true, "%s: %.*s", what, length, text);
}

static int exchange_open_sizes(struct exchange_sizes *sizes, size_t ranks)
{
	sizes->bytes = calloc(ranks, sizeof(int));
	sizes->at = calloc(ranks, sizeof(int));
	return sizes->bytes && sizes->at ? 0 : -ENOMEM;
}

static int exchange_open_slot(struct exchange *exchange, struct exchange_slot *slot)
{
	size_t ranks = (size_t)exchange->ranks;

	slot->blocks = MPI_REQUEST_NULL;
	slot->told = calloc(ranks, sizeof(*slot->told));
	slot->heard = calloc(ranks, sizeof(*slot->heard));
	slot->returned = malloc(exchange->shape.most * BATCH_RESULT_MAX + ranks * 8);
	if (!slot->told || !slot->heard || !slot->returned ||
	    exchange_open_sizes(&slot->sent, ranks) || exchange_open_sizes(&slot->received, ranks))
		return -ENOMEM;
	return batch_create(&slot->batch, &exchange->shape);
}

int exchange_open(struct exchange *exchange)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < OWNER_SLOTS; i++)
		ret = exchange_open_slot(exchange, &exchange->slots[i]);
	return ret ? faa_fail(ret, "the program has no memory for batches of %u updates",
			      exchange->shape.most) :
		     0;
}

void exchange_close(struct exchange *exchange)
{
	unsigned int i;

	for (i = 0; i < OWNER_SLOTS; i++) {
		struct exchange_slot *slot = &exchange->slots[i];

		batch_destroy(&slot->batch);
		free(slot->told);
		free(slot->heard);
		free(slot->returned);
		free(slot->sent.bytes);
		free(slot->sent.at);
		free(slot->received.bytes);
		free(slot->received.at);
	}
}

int exchange_agree(struct exchange *exchange, struct failure *agreed)
{
	int mine = exchange->own.error ? exchange->rank : INT_MAX, lowest, ret;

	exchange->own.rank = exchange->rank;
	*agreed = exchange->own;
	ret = MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, exchange->comm);
	if (!ret && lowest != INT_MAX)
		ret = MPI_Bcast(agreed, sizeof(*agreed), MPI_BYTE, lowest, exchange->comm);
	if (ret) {
		exchange_broken(exchange, ret, "agreeing on errors");
		*agreed = exchange->own;
		return -EIO;
	}
	if (!exchange->own.lasting)
		memset(&exchange->own, 0, sizeof(exchange->own));
	return 0;
}

/* Sizes of what goes to or comes from each rank, one after the other. */
static void exchange_set_sizes(struct exchange_sizes *sizes, int rank, size_t bytes)
{
	sizes->bytes[rank] = (int)bytes;
	sizes->at[rank] = rank ? sizes->at[rank - 1] + sizes->bytes[rank - 1] : 0;
}

/* Waits for the blocks of a slot and has the device execute them. */
static int exchange_deliver(struct exchange *exchange, unsigned int number, const struct call *call)
{
	struct exchange_slot *slot = &exchange->slots[number];
	struct owner_slot *arrived = &exchange->owner->slots[number];
	int ret;

	if (slot->blocks == MPI_REQUEST_NULL)
		return 0;
	ret = MPI_Wait(&slot->blocks, MPI_STATUS_IGNORE);
	if (ret)
		return exchange_broken(exchange, ret, "exchanging updates");
	/* A failure is told in the next round. */
	owner_submit(exchange->owner, arrived, call, &exchange->own);
	return 0;
}

void exchange_finish(struct exchange *exchange)
{
	unsigned int i;

	for (i = 0; i < OWNER_SLOTS; i++)
		owner_wait(exchange->owner, &exchange->owner->slots[i], &exchange->own);
}

/* Returns the results of a slot, whose job has ended, to the ranks that asked for them. */
static int exchange_return_results(struct exchange *exchange, unsigned int number,
				   const struct call *call)
{
	struct exchange_slot *slot = &exchange->slots[number];
	struct owner_slot *arrived = &exchange->owner->slots[number];
	int rank, ret;

	if (call->kind == CALL_EXACT_READ) {
		/* The processor reads them: no job may add to them any more. */
		exchange_finish(exchange);
		owner_read_sums(exchange->owner, arrived, call);
	}
	for (rank = 0; rank < exchange->ranks; rank++) {
		exchange_set_sizes(&slot->sent, rank,
				   batch_results_bytes(call, arrived->counts[rank]));
		exchange_set_sizes(&slot->received, rank,
				   batch_results_bytes(call, slot->batch.counts[rank]));
	}
	ret = MPI_Alltoallv(arrived->results.memory, slot->sent.bytes, slot->sent.at, MPI_BYTE,
			    slot->returned, slot->received.bytes, slot->received.at, MPI_BYTE,
			    exchange->comm);
	if (ret)
		return exchange_broken(exchange, ret, "exchanging results");
	batch_give_results(&slot->batch, &exchange->shape, call, slot->returned);
	slot->owes_results = false;
	return 0;
}

/* Waits for the job of a slot, so that the slot can be filled again. */
static int exchange_retire(struct exchange *exchange, unsigned int number, const struct call *call)
{
	owner_wait(exchange->owner, &exchange->owner->slots[number], &exchange->own);
	if (!exchange->slots[number].owes_results)
		return 0;
	return exchange_return_results(exchange, number, call);
}

/* Exchanges the notices of a round for the batch of a slot. */
static int exchange_tell(struct exchange *exchange, struct exchange_slot *slot,
			 const struct call *call, size_t next)
{
	struct notice notice = { .failed = exchange->own.error != 0,
				 .call = (uint32_t)call->kind | (uint32_t)call->op << 8,
				 .more = next < call->count };
	int rank, ret;

	for (rank = 0; rank < exchange->ranks; rank++) {
		slot->told[rank] = notice;
		slot->told[rank].count = slot->batch.counts[rank];
	}
	ret = MPI_Alltoall(slot->told, sizeof(notice), MPI_BYTE, slot->heard, sizeof(notice),
			   MPI_BYTE, exchange->comm);
	return ret ? exchange_broken(exchange, ret, "exchanging notices") : 0;
}

/* Starts the exchange of the blocks of a slot. */
static int exchange_send(struct exchange *exchange, unsigned int number, const struct call *call)
{
	struct exchange_slot *slot = &exchange->slots[number];
	struct owner_slot *arriving = &exchange->owner->slots[number];
	int rank, ret;

	arriving->round = exchange->round;
	for (rank = 0; rank < exchange->ranks; rank++) {
		arriving->counts[rank] = slot->heard[rank].count;
		exchange_set_sizes(&slot->sent, rank,
				   batch_block_bytes(call, slot->batch.counts[rank]));
		exchange_set_sizes(&slot->received, rank,
				   batch_block_bytes(call, arriving->counts[rank]));
	}
	ret = MPI_Ialltoallv(slot->batch.blocks, slot->sent.bytes, slot->sent.at, MPI_BYTE,
			     arriving->received.memory, slot->received.bytes, slot->received.at,
			     MPI_BYTE, exchange->comm, &slot->blocks);
	slot->owes_results = call->result_bytes != 0;
	return ret ? exchange_broken(exchange, ret, "exchanging updates") : 0;
}

/* The notices of a round, together. */
struct exchange_news {
	bool failed;
	bool more;
	/* The first rank whose call differs from that of rank 0; 0: none. */
	int other;
};

static struct exchange_news exchange_read(const struct exchange *exchange,
					  const struct exchange_slot *slot)
{
	struct exchange_news news = { 0 };
	int rank;

	for (rank = 0; rank < exchange->ranks; rank++) {
		news.failed |= slot->heard[rank].failed;
		news.more |= slot->heard[rank].more;
		if (!news.other && slot->heard[rank].call != slot->heard[0].call)
			news.other = rank;
	}
	return news;
}

/* Fills a slot with the next updates of the call; with none after a failure. */
static size_t exchange_fill(struct exchange *exchange, struct exchange_slot *slot,
			    const struct call *call, size_t next)
{
	if (exchange->own.error)
		next = call->count;
	batch_fill(&slot->batch, &exchange->shape, call, next);
	return next + slot->batch.count;
}

/* Ends a call: the last blocks are given to the device, and the results to the caller. */
static int exchange_end(struct exchange *exchange, const struct call *call, unsigned int last,
			struct failure *agreed)
{
	unsigned int i;
	int ret = exchange_deliver(exchange, last, call);

	if (ret || !call->result_bytes)
		return ret;
	for (i = 1; !ret && i <= OWNER_SLOTS; i++)
		ret = exchange_retire(exchange, (last + i) % OWNER_SLOTS, call);
	return ret ? ret : exchange_agree(exchange, agreed);
}

/* The rounds of a call, up to the first one with a failure. */
static int exchange_rounds(struct exchange *exchange, const struct call *call,
			   struct failure *agreed)
{
	struct exchange_news news;
	size_t next = 0;
	int ret;

	do {
		unsigned int number = exchange->round % OWNER_SLOTS;
		struct exchange_slot *slot = &exchange->slots[number];

		ret = exchange_deliver(exchange, (number + OWNER_SLOTS - 1) % OWNER_SLOTS, call);
		if (!ret)
			ret = exchange_retire(exchange, number, call);
		if (ret)
			return ret;
		next = exchange_fill(exchange, slot, call, next);
		ret = exchange_tell(exchange, slot, call, next);
		if (ret)
			return ret;
		news = exchange_read(exchange, slot);
		if (news.other) {
			failure_set(&exchange->own, -EINVAL, false,
				    "rank %d calls another function than rank 0", news.other);
			news.failed = true;
		}
		if (news.failed)
			return exchange_agree(exchange, agreed);
		ret = exchange_send(exchange, number, call);
		if (ret)
			return ret;
		exchange->round++;
	} while (news.more);
	return exchange_end(exchange, call, (exchange->round - 1) % OWNER_SLOTS, agreed);
}

int exchange_run(struct exchange *exchange, const struct call *call, struct failure *agreed)
{
	int ret;

	memset(agreed, 0, sizeof(*agreed));
	ret = exchange_rounds(exchange, call, agreed);
	if (ret)
		*agreed = exchange->own;
	return ret;
}
