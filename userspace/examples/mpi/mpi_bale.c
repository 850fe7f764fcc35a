// SPDX-License-Identifier: MIT
/**
 * DOC: Histogram and index-gather of bale
 *
 * The first two applications of the bale suite (2019), written from their description. Histogram:
 * each rank increments random elements of a distributed table. Index-gather: each rank reads random
 * elements of a distributed table, in which element i is -(i + 1), to an array of its own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ranks.h"
#include "tool.h"

const char *argp_program_version = "mpi_bale " FAA_VERSION_TEXT;

struct bale_options {
	uint64_t elements;
	uint64_t updates;
	bool json;
};

struct bale {
	struct ranks ranks;
	uint64_t elements;
	uint64_t updates;
	uint64_t *indices;
};

/* Time and errors of a pattern. */
struct bale_result {
	double seconds;
	uint64_t errors;
};

/* The indices of a rank. */
static void bale_fill(const struct bale *bale, int rank, uint64_t *indices)
{
	uint64_t seed = (uint64_t)rank + 1, i;

	for (i = 0; i < bale->updates; i++)
		indices[i] = ranks_random(&seed) % bale->elements;
}

/* Elements of the caller's part that differ from a count by the processor. */
static uint64_t bale_check_histogram(const struct bale *bale, const struct faa_mpi_part *part)
{
	uint32_t *counts = ranks_memory(&bale->ranks, part->count, sizeof(*counts));
	uint64_t *indices = ranks_memory(&bale->ranks, bale->updates, sizeof(*indices));
	uint64_t errors = 0, i;
	int rank;

	for (rank = 0; rank < bale->ranks.count; rank++) {
		bale_fill(bale, rank, indices);
		for (i = 0; i < bale->updates; i++)
			if (indices[i] - part->first < part->count)
				counts[indices[i] - part->first]++;
	}
	for (i = 0; i < part->count; i++)
		errors += ((const uint32_t *)part->memory)[i] != counts[i];
	free(counts);
	free(indices);
	return ranks_sum(errors);
}

static struct bale_result bale_histogram(const struct bale *bale)
{
	struct faa_mpi_table_options options = { .elements = bale->elements, .type = FAA_TYPE_U32 };
	uint32_t *ones = ranks_memory(&bale->ranks, bale->updates, sizeof(*ones));
	struct faa_mpi_table *table;
	struct faa_mpi_part part;
	struct bale_result result;
	uint64_t i;

	for (i = 0; i < bale->updates; i++)
		ones[i] = 1;
	ranks_check(&bale->ranks, faa_mpi_table_create(MPI_COMM_WORLD, &options, &table));
	result.seconds = -ranks_barrier();
	ranks_check(&bale->ranks, faa_mpi_add(table, bale->indices, ones, bale->updates));
	ranks_check(&bale->ranks, faa_mpi_flush(table));
	result.seconds += ranks_barrier();
	faa_mpi_table_part(table, &part);
	result.errors = bale_check_histogram(bale, &part);
	faa_mpi_table_destroy(table);
	free(ones);
	return result;
}

static struct bale_result bale_gather(const struct bale *bale)
{
	struct faa_mpi_table_options options = { .elements = bale->elements, .type = FAA_TYPE_S64 };
	int64_t *values = ranks_memory(&bale->ranks, bale->updates, sizeof(*values));
	struct bale_result result = { 0 };
	struct faa_mpi_table *table;
	struct faa_mpi_part part;
	uint64_t i;

	ranks_check(&bale->ranks, faa_mpi_table_create(MPI_COMM_WORLD, &options, &table));
	faa_mpi_table_part(table, &part);
	for (i = 0; i < part.count; i++)
		((int64_t *)part.memory)[i] = -(int64_t)(part.first + i + 1);
	result.seconds = -ranks_barrier();
	ranks_check(&bale->ranks, faa_mpi_gather(table, bale->indices, values, bale->updates));
	result.seconds += ranks_barrier();
	for (i = 0; i < bale->updates; i++)
		result.errors += values[i] != -(int64_t)(bale->indices[i] + 1);
	result.errors = ranks_sum(result.errors);
	faa_mpi_table_destroy(table);
	free(values);
	return result;
}

static void bale_print(const struct bale *bale, bool json, const struct bale_result *histogram,
		       const struct bale_result *gather)
{
	double all = (double)bale->updates * bale->ranks.count;
	uint64_t errors = histogram->errors + gather->errors;

	if (json) {
		printf("{\"ranks\": %d, \"elements\": %" PRIu64 ", \"updates\": %.0f, "
		       "\"histogram_rate\": %.0f, \"gather_rate\": %.0f, \"errors\": %" PRIu64
		       ", \"check\": %s}\n",
		       bale->ranks.count, bale->elements, all, all / histogram->seconds,
		       all / gather->seconds, errors, errors ? "false" : "true");
		return;
	}
	printf("%" PRIu64
	       " elements on %d ranks, %.0f updates and reads, by the clock of the host:\n",
	       bale->elements, bale->ranks.count, all);
	printf("histogram    %12.0f a second, %" PRIu64 " errors\n", all / histogram->seconds,
	       histogram->errors);
	printf("index-gather %12.0f a second, %" PRIu64 " errors\n", all / gather->seconds,
	       gather->errors);
	printf("check %s\n", errors ? "FAILED" : "passed");
}

static error_t bale_parse(int key, char *arg, struct argp_state *state)
{
	struct bale_options *options = state->input;

	switch (key) {
	case 'e':
		options->elements = tool_number("elements", arg, 1, 1ull << 32);
		return 0;
	case 'u':
		options->updates = tool_number("updates", arg, 1, 1ull << 32);
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

static const struct argp_option bale_argp_options[] = {
	{ "elements", 'e', "COUNT", 0, "Elements of the table (default 100000)", 0 },
	{ "updates", 'u', "COUNT", 0, "Updates, and reads, of each rank (default 200000)", 0 },
	TOOL_JSON_OPTION("counts and rates"),
	{ 0 },
};

static const struct argp bale_argp = {
	.options = bale_argp_options,
	.parser = bale_parse,
	.children = tool_children,
	.doc = "The patterns histogram and index-gather of the bale suite on the devices of all ranks, "
	       "verified.\v"
	       "Run it with mpirun. Exit status: 0 if no element is wrong, 1 if one is or if something "
	       "failed.",
};

int main(int argc, char **argv)
{
	struct bale_options options = { .elements = 100000, .updates = 200000 };
	struct bale_result histogram, gather;
	struct bale bale;

	tool_parse(&bale_argp, argc, argv, &options);
	bale = (struct bale){ .elements = options.elements, .updates = options.updates };
	ranks_begin(&bale.ranks);
	bale.indices = ranks_memory(&bale.ranks, bale.updates, sizeof(*bale.indices));
	bale_fill(&bale, bale.ranks.own, bale.indices);
	histogram = bale_histogram(&bale);
	gather = bale_gather(&bale);
	if (!bale.ranks.own)
		bale_print(&bale, options.json, &histogram, &gather);
	free(bale.indices);
	ranks_end(&bale.ranks, histogram.errors || gather.errors ? 1 : 0);
}
