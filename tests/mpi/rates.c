// SPDX-License-Identifier: MIT
/*
 * Updates of a distributed table per second, by three methods in the same run: MPI_Accumulate() for
 * each element, the bucketed exchange of libfaa_mpi with additions by the processors, and
 * libfaa_mpi with additions by the devices. All methods make the same updates, and their tables are
 * compared. Each is measured on its second pass: the first one touches its memory and opens its
 * connections.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "ranks.h"
#include "tool.h"

const char *argp_program_version = "mpi_rates " FAA_VERSION_TEXT;

struct rates_options {
	uint64_t elements;
	uint64_t updates;
	uint32_t batch;
	/* The processors alone */
	bool no_device;
	bool json;
};

struct rates {
	struct rates_options options;
	struct ranks ranks;
	uint64_t *indices;
	uint32_t *values;
	/* The caller's part of the table. */
	uint64_t part;
	uint32_t *accumulated, *added;
};

enum rates_method { RATES_ACCUMULATE, RATES_PROCESSOR, RATES_DEVICE, RATES_METHODS };

static const char *const rates_names[RATES_METHODS] = { "accumulate", "processor", "device" };

static void rates_open(struct rates *rates)
{
	uint64_t seed = (uint64_t)rates->ranks.own + 1, i;

	rates->part = batch_part(rates->options.elements, (uint32_t)rates->ranks.count);
	rates->indices =
		ranks_memory(&rates->ranks, rates->options.updates, sizeof(*rates->indices));
	rates->values = ranks_memory(&rates->ranks, rates->options.updates, sizeof(*rates->values));
	rates->accumulated = ranks_memory(&rates->ranks, rates->part, sizeof(*rates->accumulated));
	rates->added = ranks_memory(&rates->ranks, rates->part, sizeof(*rates->added));
	for (i = 0; i < rates->options.updates; i++) {
		rates->indices[i] = ranks_random(&seed) % rates->options.elements;
		rates->values[i] = (uint32_t)ranks_random(&seed);
	}
}

static void rates_accumulate_pass(struct rates *rates, MPI_Win window)
{
	uint64_t i;

	MPI_Win_lock_all(0, window);
	for (i = 0; i < rates->options.updates; i++)
		MPI_Accumulate(&rates->values[i], 1, MPI_UINT32_T,
			       (int)(rates->indices[i] / rates->part),
			       (MPI_Aint)(rates->indices[i] % rates->part), 1, MPI_UINT32_T,
			       MPI_SUM, window);
	MPI_Win_unlock_all(window);
}

static double rates_accumulate(struct rates *rates)
{
	MPI_Win window;
	double begin;

	MPI_Win_create(rates->accumulated, (MPI_Aint)(rates->part * 4), 4, MPI_INFO_NULL,
		       MPI_COMM_WORLD, &window);
	rates_accumulate_pass(rates, window);
	begin = ranks_barrier();
	rates_accumulate_pass(rates, window);
	begin = ranks_barrier() - begin;
	MPI_Win_free(&window);
	return begin;
}

/* The exchange of one batch, and the additions; the sizes of the blocks first. */
struct rates_exchange {
	uint32_t *counts;
	int *sent, *sent_at, *received, *received_at;
	uint8_t *blocks;
};

static void rates_open_exchange(const struct rates *rates, struct rates_exchange *exchange,
				const struct batch_shape *shape)
{
	size_t ranks = (size_t)rates->ranks.count;

	exchange->counts = ranks_memory(&rates->ranks, ranks, sizeof(*exchange->counts));
	exchange->sent = ranks_memory(&rates->ranks, 4 * ranks, sizeof(int));
	exchange->sent_at = exchange->sent + ranks;
	exchange->received = exchange->sent_at + ranks;
	exchange->received_at = exchange->received + ranks;
	exchange->blocks = ranks_memory(
		&rates->ranks, ranks,
		batch_block_bytes(&(struct call){ .operand_count = 1, .operand_bytes = 4 },
				  shape->limit));
}

static void rates_close_exchange(struct rates_exchange *exchange)
{
	free(exchange->counts);
	free(exchange->sent);
	free(exchange->blocks);
}

static void rates_exchange_batch(const struct rates *rates, const struct call *call,
				 const struct batch *batch, struct rates_exchange *exchange)
{
	int rank;

	MPI_Alltoall(batch->counts, 1, MPI_UINT32_T, exchange->counts, 1, MPI_UINT32_T,
		     MPI_COMM_WORLD);
	for (rank = 0; rank < rates->ranks.count; rank++) {
		exchange->sent[rank] = (int)batch_block_bytes(call, batch->counts[rank]);
		exchange->received[rank] = (int)batch_block_bytes(call, exchange->counts[rank]);
		exchange->sent_at[rank] =
			rank ? exchange->sent_at[rank - 1] + exchange->sent[rank - 1] : 0;
		exchange->received_at[rank] =
			rank ? exchange->received_at[rank - 1] + exchange->received[rank - 1] : 0;
	}
	MPI_Alltoallv(batch->blocks, exchange->sent, exchange->sent_at, MPI_BYTE, exchange->blocks,
		      exchange->received, exchange->received_at, MPI_BYTE, MPI_COMM_WORLD);
}

static void rates_add_batch(struct rates *rates, const struct rates_exchange *exchange)
{
	uint32_t i;
	int rank;

	for (rank = 0; rank < rates->ranks.count; rank++) {
		uint32_t count = exchange->counts[rank];
		const uint32_t *values =
			(const uint32_t *)(exchange->blocks + exchange->received_at[rank]);
		const uint32_t *numbers = values + count;

		for (i = 0; i < count; i++)
			rates->added[numbers[i]] += values[i];
	}
}

static void rates_processor_pass(struct rates *rates, const struct batch_shape *shape,
				 struct batch *batch, struct rates_exchange *exchange)
{
	struct call call = { .indices = rates->indices,
			     .operands = { rates->values },
			     .operand_count = 1,
			     .operand_bytes = 4,
			     .count = rates->options.updates };
	size_t next = 0;
	int more = 1;

	while (more) {
		batch_fill(batch, shape, &call, next);
		next += batch->count;
		rates_exchange_batch(rates, &call, batch, exchange);
		rates_add_batch(rates, exchange);
		more = next < call.count;
		MPI_Allreduce(MPI_IN_PLACE, &more, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	}
}

static double rates_processor(struct rates *rates)
{
	struct batch_shape shape = { .owners = (uint32_t)rates->ranks.count,
				     .part = rates->part,
				     .most = rates->options.batch,
				     .limit = batch_limit(rates->options.batch,
							  (uint32_t)rates->ranks.count) };
	struct rates_exchange exchange;
	struct batch batch = { 0 };
	double begin;

	if (batch_create(&batch, &shape))
		ranks_fail(&rates->ranks, "no memory for a batch");
	rates_open_exchange(rates, &exchange, &shape);
	rates_processor_pass(rates, &shape, &batch, &exchange);
	begin = ranks_barrier();
	rates_processor_pass(rates, &shape, &batch, &exchange);
	begin = ranks_barrier() - begin;
	batch_destroy(&batch);
	rates_close_exchange(&exchange);
	return begin;
}

static void rates_compare(const struct rates *rates, const void *part, uint64_t count,
			  const char *method)
{
	if (memcmp(part, rates->added, count * 4))
		ranks_fail(&rates->ranks, "the table of %s differs", method);
}

static void rates_device_pass(struct rates *rates, struct faa_mpi_table *table)
{
	if (faa_mpi_add(table, rates->indices, rates->values, rates->options.updates) ||
	    faa_mpi_flush(table))
		ranks_fail(&rates->ranks, "%s", faa_last_error());
}

static double rates_device(struct rates *rates)
{
	struct faa_mpi_table_options options = { .elements = rates->options.elements,
						 .type = FAA_TYPE_U32,
						 .batch = rates->options.batch };
	struct faa_mpi_table *table;
	struct faa_mpi_part part;
	double begin;

	if (faa_mpi_table_create(MPI_COMM_WORLD, &options, &table))
		ranks_fail(&rates->ranks, "%s", faa_last_error());
	rates_device_pass(rates, table);
	begin = ranks_barrier();
	rates_device_pass(rates, table);
	begin = ranks_barrier() - begin;
	faa_mpi_table_part(table, &part);
	rates_compare(rates, part.memory, part.count, "libfaa_mpi");
	rates_compare(rates, rates->accumulated, part.count, "MPI_Accumulate()");
	faa_mpi_table_destroy(table);
	return begin;
}

static void rates_print(const struct rates *rates, const double *seconds, int methods)
{
	double all = (double)rates->options.updates * rates->ranks.count;
	int i;

	if (rates->options.json) {
		printf("{\"ranks\": %d, \"batch\": %" PRIu32 ", \"updates\": %.0f",
		       rates->ranks.count, rates->options.batch, all);
		for (i = 0; i < methods; i++)
			printf(", \"%s\": %.0f", rates_names[i], all / seconds[i]);
		puts("}");
		return;
	}
	printf("%d ranks, batches of %" PRIu32 ", %.0f updates in all\n", rates->ranks.count,
	       rates->options.batch, all);
	for (i = 0; i < methods; i++)
		printf("%-10s %12.0f updates/s, %6.2f times MPI_Accumulate()\n", rates_names[i],
		       all / seconds[i], seconds[RATES_ACCUMULATE] / seconds[i]);
}

static error_t rates_parse(int key, char *arg, struct argp_state *state)
{
	struct rates_options *options = state->input;

	switch (key) {
	case 'e':
		options->elements = tool_number("elements", arg, 1, UINT32_MAX);
		return 0;
	case 'u':
		options->updates = tool_number("updates", arg, 1, UINT32_MAX);
		return 0;
	case 'b':
		options->batch = (uint32_t)tool_number("batch", arg, 1, FAA_MPI_MAX_BATCH);
		return 0;
	case 'n':
		options->no_device = true;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument is needed, but '%s' was given", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option rates_argp_options[] = {
	{ "elements", 'e', "COUNT", 0, "Elements of the table (default 65536)", 0 },
	{ "updates", 'u', "COUNT", 0, "Updates of each rank (default 200000)", 0 },
	{ "batch", 'b', "COUNT", 0, "Updates of a batch (default 65536)", 0 },
	{ "no-device", 'n', NULL, 0, "Leave libfaa_mpi out, which needs a device", 0 },
	TOOL_JSON_OPTION("rates"),
	{ 0 },
};

static const struct argp rates_argp = {
	.options = rates_argp_options,
	.parser = rates_parse,
	.children = tool_children,
	.doc = "Updates of a distributed table per second: MPI_Accumulate() for each element, a "
	       "bucketed exchange with additions by the processors, and libfaa_mpi.",
};

int main(int argc, char **argv)
{
	static double (*const methods[RATES_METHODS])(
		struct rates *) = { rates_accumulate, rates_processor, rates_device };
	struct rates rates = { .options = {
				       .elements = 65536, .updates = 200000, .batch = 65536 } };
	double seconds[RATES_METHODS];
	int i, count;

	tool_parse(&rates_argp, argc, argv, &rates.options);
	ranks_begin(&rates.ranks);
	rates_open(&rates);
	count = rates.options.no_device ? RATES_DEVICE : RATES_METHODS;
	for (i = 0; i < count; i++)
		seconds[i] = methods[i](&rates);
	if (!rates.ranks.own)
		rates_print(&rates, seconds, count);
	free(rates.indices);
	free(rates.values);
	free(rates.accumulated);
	free(rates.added);
	ranks_end(&rates.ranks, 0);
}
