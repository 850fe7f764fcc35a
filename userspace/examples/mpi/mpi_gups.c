// SPDX-License-Identifier: MIT
/**
 * DOC: MPI RandomAccess of the HPC Challenge
 *
 * A table of 2^n 64-bit words, T[i] = i, is divided among the ranks. Each rank computes an equal
 * part of the sequence of a linear feedback shift register and updates T[ran mod 2^n] ^= ran,
 * wherever that word is. A rank knows at most 1024 numbers ahead of their updates.
 *
 * Verification: each rank repeats the whole sequence on its own words. All must have their first
 * values then; the benchmark allows errors in 1 % of them, and this program none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gups_sequence.h"
#include "ranks.h"
#include "tool.h"

/* Limit of numbers that a rank computes ahead of the updates before them: the benchmark's rule. */
#define GUPS_LOOK_AHEAD 1024

const char *argp_program_version = "mpi_gups " FAA_VERSION_TEXT;

struct gups_options {
	unsigned int log2;
	uint64_t updates;
	bool json;
};

struct gups {
	struct ranks ranks;
	uint64_t words;
	/* Of this rank */
	uint64_t first, updates;
	struct faa_mpi_table *table;
	struct faa_mpi_part part;
};

static void gups_open(struct gups *gups, const struct gups_options *options)
{
	uint64_t each = options->updates / (uint64_t)gups->ranks.count, i;
	struct faa_mpi_table_options table = { .elements = 1ull << options->log2,
					       .type = FAA_TYPE_U64,
					       .batch = GUPS_LOOK_AHEAD };

	gups->words = table.elements;
	gups->first = each * (uint64_t)gups->ranks.own;
	/* The last rank has the rest. */
	gups->updates = gups->ranks.own == gups->ranks.count - 1 ? options->updates - gups->first :
								   each;
	ranks_check(&gups->ranks, faa_mpi_table_create(MPI_COMM_WORLD, &table, &gups->table));
	faa_mpi_table_part(gups->table, &gups->part);
	for (i = 0; i < gups->part.count; i++)
		((uint64_t *)gups->part.memory)[i] = gups->part.first + i;
}

/* Makes the updates of this rank; returns the seconds until those of all ranks are made. */
static double gups_update(struct gups *gups)
{
	uint64_t indices[GUPS_LOOK_AHEAD], values[GUPS_LOOK_AHEAD];
	uint64_t ran = gups_element(gups->first), done = 0, calls, i;
	double begin = ranks_barrier();

	calls = gups->updates / GUPS_LOOK_AHEAD + 1;
	MPI_Allreduce(MPI_IN_PLACE, &calls, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
	for (; calls; calls--) {
		uint64_t left = gups->updates - done;
		uint64_t count = left < GUPS_LOOK_AHEAD ? left : GUPS_LOOK_AHEAD;

		for (i = 0; i < count; i++) {
			values[i] = ran = gups_step(ran);
			indices[i] = ran & (gups->words - 1);
		}
		ranks_check(&gups->ranks,
			    faa_mpi_update(gups->table, FAA_ATOM_OP_XOR, indices, values, count));
		done += count;
	}
	ranks_check(&gups->ranks, faa_mpi_flush(gups->table));
	return ranks_barrier() - begin;
}

static uint64_t gups_verify(struct gups *gups, uint64_t updates)
{
	uint64_t *table = gups->part.memory, ran = 1, errors = 0, i, word;

	for (i = 0; i < updates; i++) {
		ran = gups_step(ran);
		word = (ran & (gups->words - 1)) - gups->part.first;
		if (word < gups->part.count)
			table[word] ^= ran;
	}
	for (i = 0; i < gups->part.count; i++)
		errors += table[i] != gups->part.first + i;
	return ranks_sum(errors);
}

static void gups_print(const struct gups *gups, const struct gups_options *options, double seconds,
		       uint64_t errors)
{
	double rate = (double)options->updates / seconds;

	if (options->json) {
		printf("{\"ranks\": %d, \"words\": %" PRIu64 ", \"updates\": %" PRIu64
		       ", \"seconds\": %.6f, \"gups\": %.9f, \"errors\": %" PRIu64
		       ", \"check\": %s}\n",
		       gups->ranks.count, gups->words, options->updates, seconds, rate / 1e9,
		       errors, errors ? "false" : "true");
		return;
	}
	printf("table of 2^%u words on %d ranks, %" PRIu64 " updates\n", options->log2,
	       gups->ranks.count, options->updates);
	printf("%.3f s, %.6f GUPS by the clock of the host\n", seconds, rate / 1e9);
	printf("verification %s: %" PRIu64 " errors in %" PRIu64 " words\n",
	       errors ? "FAILED" : "passed", errors, gups->words);
}

static error_t gups_parse(int key, char *arg, struct argp_state *state)
{
	struct gups_options *options = state->input;

	switch (key) {
	case 'n':
		options->log2 = (unsigned int)tool_number("log2", arg, 7, 31);
		return 0;
	case 'u':
		options->updates = tool_number("updates", arg, 1, 1ull << 40);
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument is needed, but '%s' was given", arg);
		return EINVAL;
	case ARGP_KEY_END:
		if (!options->updates)
			options->updates = 4ull << options->log2;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option gups_argp_options[] = {
	{ "log2", 'n', "N", 0, "The table has 2^N words, N from 7 to 31 (default 16)", 0 },
	{ "updates", 'u', "COUNT", 0, "Updates of all ranks (default 4 times the words)", 0 },
	TOOL_JSON_OPTION("counts and rates"),
	{ 0 },
};

static const struct argp gups_argp = {
	.options = gups_argp_options,
	.parser = gups_parse,
	.children = tool_children,
	.doc = "MPI RandomAccess of the HPC Challenge: random XOR updates of a table of 64-bit words "
	       "on the devices of all ranks, verified.\v"
	       "Run it with mpirun. Exit status: 0 if no word is wrong, 1 if one is or if something "
	       "failed.",
};

int main(int argc, char **argv)
{
	struct gups_options options = { .log2 = 16 };
	struct gups gups = { 0 };
	uint64_t errors;
	double seconds;

	tool_parse(&gups_argp, argc, argv, &options);
	ranks_begin(&gups.ranks);
	gups_open(&gups, &options);
	seconds = gups_update(&gups);
	errors = gups_verify(&gups, options.updates);
	if (!gups.ranks.own)
		gups_print(&gups, &options, seconds, errors);
	faa_mpi_table_destroy(gups.table);
	ranks_end(&gups.ranks, errors ? 1 : 0);
}
