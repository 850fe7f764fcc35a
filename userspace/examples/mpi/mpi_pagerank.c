// SPDX-License-Identifier: MIT
/**
 * DOC: PageRank of a graph on several ranks
 *
 * The graph is that of graph.c: packages of Debian, with an edge to each package that one depends
 * on. A rank has the edges of an equal part of the packages. In each round a package gives its
 * value in equal shares to those that it depends on. The shares are added to a distributed table of
 * exact sums, so the values have the same bits on any number of ranks; in f32 atomics they would
 * depend on the order in which the shares arrive.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "graph_file.h"
#include "ranks.h"
#include "tool.h"

/* Share of a value that follows the edges. */
#define PAGERANK_DAMPING 0.85
#define PAGERANK_BAR	 40

const char *argp_program_version = "mpi_pagerank " FAA_VERSION_TEXT;

struct pagerank_options {
	unsigned int rounds;
	unsigned int top;
	const char *file;
	bool json;
};

struct pagerank {
	struct ranks ranks;
	struct graph graph;
	struct faa_mpi_table *sums;
	struct faa_mpi_table *degrees;
	/* The packages of this rank, whose sums and values it has. */
	struct faa_mpi_part part;
	/* Values of those; after pagerank_collect() of all packages, on rank 0. */
	float *values;
	float *all;
	uint32_t *all_degrees;
};

static void pagerank_open(struct pagerank *pagerank, const char *file)
{
	struct faa_mpi_table_options options = { .type = FAA_TYPE_F32, .exact = true };
	char own[4096], error[512];
	uint64_t i;

	data_path("packages.txt", own, sizeof(own));
	if (graph_read(file ? file : own, &pagerank->graph, error, sizeof(error)))
		ranks_fail(&pagerank->ranks, "%s", error);
	options.elements = pagerank->graph.vertices;
	ranks_check(&pagerank->ranks,
		    faa_mpi_table_create(MPI_COMM_WORLD, &options, &pagerank->sums));
	options.type = FAA_TYPE_U32;
	options.exact = false;
	ranks_check(&pagerank->ranks,
		    faa_mpi_table_create(MPI_COMM_WORLD, &options, &pagerank->degrees));
	faa_mpi_table_part(pagerank->sums, &pagerank->part);
	pagerank->values =
		ranks_memory(&pagerank->ranks, pagerank->part.count, sizeof(*pagerank->values));
	for (i = 0; i < pagerank->part.count; i++)
		pagerank->values[i] = 1.0f / (float)pagerank->graph.vertices;
}

/* The edges of this rank: the number of each target, and the share of its package. */
static uint64_t pagerank_edges(const struct pagerank *pagerank, uint64_t *targets, float *shares)
{
	const uint32_t *first = pagerank->graph.first;
	uint64_t count = 0, i, at;

	for (i = 0; i < pagerank->part.count; i++) {
		uint64_t package = pagerank->part.first + i;

		for (at = first[package]; at < first[package + 1]; at++) {
			targets[count] = pagerank->graph.targets[at];
			shares[count++] =
				pagerank->values[i] / (float)(first[package + 1] - first[package]);
		}
	}
	return count;
}

/* Values of the next round from the sums of this rank, which become empty. */
static void pagerank_take_sums(struct pagerank *pagerank)
{
	struct faa_exact_cell *cells = pagerank->part.memory;
	double rest = (1 - PAGERANK_DAMPING) / pagerank->graph.vertices;
	struct faa_exact_sum sum;
	uint64_t i;

	for (i = 0; i < pagerank->part.count; i++) {
		if (faa_exact_read(&cells[i], &sum))
			ranks_fail(&pagerank->ranks, "a package has too many edges");
		pagerank->values[i] = (float)(rest + PAGERANK_DAMPING * sum.f64);
	}
	memset(cells, 0, pagerank->part.count * sizeof(*cells));
	MPI_Barrier(MPI_COMM_WORLD);
}

static void pagerank_run(struct pagerank *pagerank, unsigned int rounds)
{
	uint64_t *targets = ranks_memory(&pagerank->ranks, pagerank->graph.edges, sizeof(*targets));
	float *shares = ranks_memory(&pagerank->ranks, pagerank->graph.edges, sizeof(*shares));
	uint32_t *ones = ranks_memory(&pagerank->ranks, pagerank->graph.edges, sizeof(*ones));
	uint64_t count = pagerank_edges(pagerank, targets, shares), i;

	for (i = 0; i < count; i++)
		ones[i] = 1;
	ranks_check(&pagerank->ranks, faa_mpi_add(pagerank->degrees, targets, ones, count));
	ranks_check(&pagerank->ranks, faa_mpi_flush(pagerank->degrees));
	for (; rounds; rounds--) {
		count = pagerank_edges(pagerank, targets, shares);
		ranks_check(&pagerank->ranks,
			    faa_mpi_exact_add(pagerank->sums, targets, shares, count));
		ranks_check(&pagerank->ranks, faa_mpi_flush(pagerank->sums));
		pagerank_take_sums(pagerank);
	}
	free(targets);
	free(shares);
	free(ones);
}

/* Brings the values and in-degrees of all packages to rank 0. */
static void pagerank_collect(struct pagerank *pagerank)
{
	struct faa_mpi_part degrees;
	int *counts = ranks_memory(&pagerank->ranks, (size_t)pagerank->ranks.count, sizeof(int));
	int *firsts = ranks_memory(&pagerank->ranks, (size_t)pagerank->ranks.count, sizeof(int));
	int count = (int)pagerank->part.count, first = (int)pagerank->part.first;

	pagerank->all =
		ranks_memory(&pagerank->ranks, pagerank->graph.vertices, sizeof(*pagerank->all));
	pagerank->all_degrees = ranks_memory(&pagerank->ranks, pagerank->graph.vertices,
					     sizeof(*pagerank->all_degrees));
	faa_mpi_table_part(pagerank->degrees, &degrees);
	MPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Gather(&first, 1, MPI_INT, firsts, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Gatherv(pagerank->values, count, MPI_FLOAT, pagerank->all, counts, firsts, MPI_FLOAT, 0,
		    MPI_COMM_WORLD);
	MPI_Gatherv(degrees.memory, count, MPI_UINT32_T, pagerank->all_degrees, counts, firsts,
		    MPI_UINT32_T, 0, MPI_COMM_WORLD);
	free(counts);
	free(firsts);
}

/* In-degrees that differ from those of the file. */
static uint64_t pagerank_check_degrees(const struct pagerank *pagerank)
{
	uint32_t *want = ranks_memory(&pagerank->ranks, pagerank->graph.vertices, sizeof(*want));
	uint64_t errors = 0, i;

	for (i = 0; i < pagerank->graph.edges; i++)
		want[pagerank->graph.targets[i]]++;
	for (i = 0; i < pagerank->graph.vertices; i++)
		errors += pagerank->all_degrees[i] != want[i];
	free(want);
	return errors;
}

/* One number for the bits of all values (FNV-1a). */
static uint64_t pagerank_digest(const struct pagerank *pagerank)
{
	const unsigned char *bytes = (const unsigned char *)pagerank->all;
	uint64_t digest = 0xcbf29ce484222325;
	size_t i;

	for (i = 0; i < pagerank->graph.vertices * sizeof(float); i++)
		digest = (digest ^ bytes[i]) * 0x100000001b3;
	return digest;
}

/* The package with the greatest value that is not above that of the one before. */
static uint32_t pagerank_next(const struct pagerank *pagerank, const bool *printed)
{
	uint32_t best = UINT32_MAX, i;

	for (i = 0; i < pagerank->graph.vertices; i++)
		if (!printed[i] && (best == UINT32_MAX || pagerank->all[i] > pagerank->all[best]))
			best = i;
	return best;
}

static void pagerank_print(const struct pagerank *pagerank, const struct pagerank_options *options,
			   uint64_t errors)
{
	bool *printed = ranks_memory(&pagerank->ranks, pagerank->graph.vertices, sizeof(*printed));
	uint32_t highest = pagerank_next(pagerank, printed), best;
	unsigned int i;

	printf("%" PRIu32 " packages, %" PRIu32 " edges on %d ranks, %u rounds\n",
	       pagerank->graph.vertices, pagerank->graph.edges, pagerank->ranks.count,
	       options->rounds);
	for (i = 0; i < options->top && i < pagerank->graph.vertices; i++) {
		best = pagerank_next(pagerank, printed);
		printed[best] = true;
		printf("%-20s %.5f %5" PRIu32 " ", pagerank->graph.names[best], pagerank->all[best],
		       pagerank->all_degrees[best]);
		for (double bar = 0; bar < PAGERANK_BAR * (double)pagerank->all[best] /
						   (double)pagerank->all[highest];
		     bar++)
			putchar('#');
		putchar('\n');
	}
	printf("bits of all values: 0x%016" PRIx64 "\n", pagerank_digest(pagerank));
	printf("in-degrees: %" PRIu64 " errors\n", errors);
	free(printed);
}

static void pagerank_print_json(const struct pagerank *pagerank,
				const struct pagerank_options *options, uint64_t errors)
{
	printf("{\"packages\": %" PRIu32 ", \"edges\": %" PRIu32
	       ", \"ranks\": %d, \"rounds\": %u, \"digest\": \"0x%016" PRIx64
	       "\", \"errors\": %" PRIu64 ", \"check\": %s}\n",
	       pagerank->graph.vertices, pagerank->graph.edges, pagerank->ranks.count,
	       options->rounds, pagerank_digest(pagerank), errors, errors ? "false" : "true");
}

static error_t pagerank_parse(int key, char *arg, struct argp_state *state)
{
	struct pagerank_options *options = state->input;

	switch (key) {
	case 'r':
		options->rounds = (unsigned int)tool_number("rounds", arg, 1, 10000);
		return 0;
	case 't':
		options->top = (unsigned int)tool_number("top", arg, 0, 1000000);
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->file)
			argp_error(state, "one graph, please: '%s'", arg);
		options->file = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option pagerank_argp_options[] = {
	{ "rounds", 'r', "COUNT", 0, "Rounds (default 20)", 0 },
	{ "top", 't', "COUNT", 0, "Packages to print (default 10)", 0 },
	TOOL_JSON_OPTION("counts and a digest of the values"),
	{ 0 },
};

static const struct argp pagerank_argp = {
	.options = pagerank_argp_options,
	.parser = pagerank_parse,
	.children = tool_children,
	.args_doc = "[GRAPH]",
	.doc = "PageRank of a graph whose shares are exact sums in a table on the devices of all "
	       "ranks.\v"
	       "GRAPH is a text as that of graph: by default the packages of Debian. The table shows "
	       "name, value and in-degree. Run it with mpirun. Exit status: 0 if all in-degrees are "
	       "right, 1 if one is not or if something failed.",
};

int main(int argc, char **argv)
{
	struct pagerank_options options = { .rounds = 20, .top = 10 };
	struct pagerank pagerank = { 0 };
	uint64_t errors = 0;

	tool_parse(&pagerank_argp, argc, argv, &options);
	ranks_begin(&pagerank.ranks);
	pagerank_open(&pagerank, options.file);
	pagerank_run(&pagerank, options.rounds);
	pagerank_collect(&pagerank);
	if (!pagerank.ranks.own) {
		errors = pagerank_check_degrees(&pagerank);
		if (options.json)
			pagerank_print_json(&pagerank, &options, errors);
		else
			pagerank_print(&pagerank, &options, errors);
	}
	faa_mpi_table_destroy(pagerank.sums);
	faa_mpi_table_destroy(pagerank.degrees);
	graph_free(&pagerank.graph);
	free(pagerank.values);
	free(pagerank.all);
	free(pagerank.all_degrees);
	ranks_end(&pagerank.ranks, ranks_sum(errors) ? 1 : 0);
}
