// SPDX-License-Identifier: MIT
/**
 * DOC: A graph: in-degrees and breadth-first search
 *
 * The graph is the dependencies of packages of Debian. A single RED.ADD command over all edges
 * counts the packages that depend on each one. Then two queues together find all dependencies of a
 * package level by level: a CAS on the parent of a vertex decides which lane found it, and an ADD
 * on a counter gives its index in the list of the next level.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bfs_stream.h"
#include "clock.h"
#include "data_path.h"
#include "faa_program.h"
#include "graph_file.h"
#include "machine.h"
#include "tool.h"

#define QUEUES 2
#define TOP    5

struct options {
	const char *engine;
	const char *path;
	const char *from;
	bool disassemble;
	bool json;
};

/* A vertex and the edges that lead to it. */
struct needed {
	uint32_t vertex;
	uint32_t edges;
};

/* The graph and the search on the device. */
struct search {
	struct machine machine;
	struct machine_area first, targets, degrees, parent, order, found;
	/* Cycles of the job that counts degrees, and of all levels. */
	uint64_t degree_cycles, cycles;
	/* Level l is order[levels[l]] .. order[levels[l + 1] - 1]; each has a vertex. */
	uint32_t *levels;
	unsigned int level_count;
};

static int graph_search_open(struct search *search, struct faa_device *device,
			     const struct graph *graph)
{
	uint64_t vertices = machine_area_bytes(graph->vertices * 4ull);
	uint64_t first = machine_area_bytes((graph->vertices + 1) * 4ull);
	uint64_t edges = machine_area_bytes(graph->edges * 4ull);
	struct machine *machine = &search->machine;
	int ret;

	search->levels = calloc(graph->vertices + 2ull, sizeof(*search->levels));
	if (!search->levels) {
		fprintf(stderr, "graph: no memory\n");
		return -ENOMEM;
	}
	ret = machine_open(machine, device, QUEUES,
			   1ull << FAA_FEATURE_GLOBAL_ATOMICS | 1ull << FAA_FEATURE_ALU,
			   first + edges + 3 * vertices + machine_area_bytes(4));
	if (ret)
		return ret;
	search->first = machine_take(machine, first);
	search->targets = machine_take(machine, edges);
	search->degrees = machine_take(machine, vertices);
	search->parent = machine_take(machine, vertices);
	search->order = machine_take(machine, vertices);
	search->found = machine_take(machine, 4);
	memcpy(search->first.memory, graph->first, (graph->vertices + 1) * 4ull);
	memcpy(search->targets.memory, graph->targets, graph->edges * 4ull);
	memset(search->parent.memory, 0xff, vertices);
	return 0;
}

/* degrees[v]++ for the target v of each edge: one command. */
static int graph_count_degrees(struct search *search, const struct graph *graph)
{
	struct machine_queue *queue = &search->machine.queues[0];
	struct faa_operand target = faa_array_u32(search->targets.va, 4);
	struct faa_job_status status;
	int ret;

	faa_stream_red(queue->stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
		       FAA_ORDER_RELAXED, graph->edges, faa_scaled(target, 2, search->degrees.va),
		       0, faa_imm(1), faa_none());
	ret = machine_submit(&search->machine, 0);
	if (!ret)
		ret = machine_wait(&search->machine, 0, &status);
	if (!ret)
		search->degree_cycles = status.end_cycle - status.start_cycle;
	return ret;
}

/*
 * Searches from the vertices at index @begin up to @end of the order; appends the vertices found
 * after @end.
 */
static int graph_search_level(struct search *search, uint32_t begin, uint32_t end)
{
	const struct bfs_memory memory = { search->first.va, search->targets.va, search->parent.va,
					   search->order.va, search->found.va };
	uint64_t start = UINT64_MAX, stop = 0;
	struct faa_job_status status;
	unsigned int i, submitted = 0;
	int ret = 0, wait;

	for (i = 0; !ret && i < QUEUES; i++) {
		struct bfs_part part = { begin + i * FAA_LANES, end, QUEUES * FAA_LANES };

		bfs_add_level(search->machine.queues[i].stream, &memory, &part);
		ret = machine_submit(&search->machine, i);
		submitted += !ret;
	}
	/* Waits for all, even if one fails: they work on the same memory. */
	for (i = 0; i < submitted; i++) {
		wait = machine_wait(&search->machine, i, &status);
		if (wait) {
			ret = wait;
			continue;
		}
		if (status.start_cycle < start)
			start = status.start_cycle;
		if (status.end_cycle > stop)
			stop = status.end_cycle;
	}
	if (!ret)
		search->cycles += stop - start;
	return ret;
}

static int graph_breadth_first(struct search *search, uint32_t root)
{
	uint32_t *parent = search->parent.memory, *order = search->order.memory;
	uint32_t *found = search->found.memory, *levels = search->levels;
	unsigned int l = 0;
	int ret = 0;

	parent[root] = root;
	order[0] = root;
	*found = 1;
	levels[1] = 1;
	for (; !ret && levels[l] < levels[l + 1]; l++) {
		ret = graph_search_level(search, levels[l], levels[l + 1]);
		levels[l + 2] = *found;
	}
	search->level_count = l;
	return ret;
}

/* Distances from @root by the CPU, UINT32_MAX for unreachable vertices; NULL: no memory. */
static uint32_t *graph_distances(const struct graph *graph, uint32_t root)
{
	uint32_t *distance = malloc(graph->vertices * sizeof(*distance));
	uint32_t *queue = malloc(graph->vertices * sizeof(*queue));
	uint32_t head = 0, tail = 0, e;

	if (!distance || !queue) {
		free(distance);
		free(queue);
		return NULL;
	}
	memset(distance, 0xff, graph->vertices * sizeof(*distance));
	distance[root] = 0;
	queue[tail++] = root;
	for (; head < tail; head++) {
		for (e = graph->first[queue[head]]; e < graph->first[queue[head] + 1]; e++) {
			uint32_t v = graph->targets[e];

			if (distance[v] != UINT32_MAX)
				continue;
			distance[v] = distance[queue[head]] + 1;
			queue[tail++] = v;
		}
	}
	free(queue);
	return distance;
}

static bool graph_has_edge(const struct graph *graph, uint32_t from, uint32_t to)
{
	uint32_t e;

	for (e = graph->first[from]; e < graph->first[from + 1]; e++)
		if (graph->targets[e] == to)
			return true;
	return false;
}

/* The error in vertex @v, which the device has put into level @level; NULL if there is none. */
static const char *graph_check_vertex(const struct graph *graph, const struct search *search,
				      const uint32_t *distance, uint32_t v, uint32_t level)
{
	const uint32_t *parent = search->parent.memory;

	if (v >= graph->vertices)
		return "there is no such vertex";
	if (distance[v] != level)
		return "the CPU finds it in another level";
	if (parent[v] >= graph->vertices)
		return "its parent is no vertex";
	if (level && (distance[parent[v]] != level - 1 || !graph_has_edge(graph, parent[v], v)))
		return "no edge leads to it from its parent, or the parent is not one level above";
	return NULL;
}

/*
 * Checks that every reachable vertex is in the order once, in its level, with a parent in the level
 * above.
 */
static int graph_check_search(const struct graph *graph, const struct search *search, uint32_t root)
{
	const uint32_t *order = search->order.memory, *parent = search->parent.memory;
	uint32_t *distance = graph_distances(graph, root);
	uint32_t l, i, v, reachable = 0, found = search->levels[search->level_count];
	const char *wrong = distance ? NULL : "no memory";
	uint8_t *seen = calloc(graph->vertices, 1);

	for (l = 0; !wrong && seen && l < search->level_count; l++) {
		for (i = search->levels[l]; !wrong && i < search->levels[l + 1]; i++) {
			wrong = graph_check_vertex(graph, search, distance, order[i], l);
			if (!wrong && seen[order[i]]++)
				wrong = "it has been found twice";
			if (wrong)
				fprintf(stderr, "graph: vertex %u of level %u: %s\n", order[i], l,
					wrong);
		}
	}
	for (v = 0; !wrong && v < graph->vertices; v++) {
		reachable += distance[v] != UINT32_MAX;
		if (distance[v] == UINT32_MAX && parent[v] != BFS_NONE)
			wrong = "an unreachable vertex has a parent";
	}
	if (!wrong && reachable != found)
		wrong = "vertices are missing";
	if (wrong)
		fprintf(stderr, "graph: %s: %u found, %u can be reached\n", wrong, found,
			reachable);
	free(seen);
	free(distance);
	return wrong || !seen ? 1 : 0;
}

static int graph_check_degrees(const struct graph *graph, const struct search *search)
{
	const uint32_t *degrees = search->degrees.memory;
	uint32_t *expected = calloc(graph->vertices, sizeof(*expected)), v, wrong = 0;

	for (v = 0; expected && v < graph->edges; v++)
		expected[graph->targets[v]]++;
	for (v = 0; expected && v < graph->vertices; v++) {
		if (degrees[v] != expected[v] && !wrong++)
			fprintf(stderr, "graph: %s: the device counted %u edges, the CPU %u\n",
				graph->names[v], degrees[v], expected[v]);
	}
	free(expected);
	return wrong || !expected ? 1 : 0;
}

/* Finds the vertices with most incoming edges; returns their number, up to TOP. */
static uint32_t graph_find_top(const struct graph *graph, const struct search *search,
			       struct needed top[TOP])
{
	const uint32_t *degrees = search->degrees.memory;
	uint32_t last = UINT32_MAX, last_v = 0, v, best, i;

	for (i = 0; i < TOP && i < graph->vertices; i++) {
		best = UINT32_MAX;
		for (v = 0; v < graph->vertices; v++) {
			if (degrees[v] > last || (degrees[v] == last && v <= last_v && i))
				continue;
			if (best == UINT32_MAX || degrees[v] > degrees[best])
				best = v;
		}
		top[i] = (struct needed){ best, degrees[best] };
		last = degrees[best];
		last_v = best;
	}
	return i;
}

static void graph_print_text(const struct graph *graph, const struct search *search, uint32_t root,
			     bool ok)
{
	struct needed top[TOP];
	uint32_t count = graph_find_top(graph, search, top), i, l;

	printf("in-degrees: %u edges in one command, %" PRIu64 " %s\n", graph->edges,
	       search->degree_cycles, search->machine.unit);
	for (i = 0; i < count; i++)
		printf("%s%s %u", i ? ", " : "most needed: ", graph->names[top[i].vertex],
		       top[i].edges);
	printf("\nfrom %s: %u vertices in %u levels:", graph->names[root],
	       search->levels[search->level_count], search->level_count);
	for (l = 0; l < search->level_count; l++)
		printf(" %u", search->levels[l + 1] - search->levels[l]);
	printf("; %" PRIu64 " %s\n", search->cycles, search->machine.unit);
	printf("CPU check %s\n", ok ? "passed: degrees, levels and parents" : "FAILED");
}

static void graph_print_json(const struct graph *graph, const struct search *search, uint32_t root,
			     bool ok)
{
	struct needed top[TOP];
	uint32_t count = graph_find_top(graph, search, top), i, l;

	printf("{\"vertices\": %u, \"edges\": %u, \"degrees\": {", graph->vertices, graph->edges);
	clock_print_json(search->machine.unit, search->degree_cycles);
	printf(", \"most_needed\": [");
	for (i = 0; i < count; i++) {
		printf("%s{\"name\": ", i ? ", " : "");
		tool_print_json_string(graph->names[top[i].vertex]);
		printf(", \"edges\": %u}", top[i].edges);
	}
	printf("]}, \"search\": {\"from\": ");
	tool_print_json_string(graph->names[root]);
	printf(", \"vertices\": %u, \"levels\": [", search->levels[search->level_count]);
	for (l = 0; l < search->level_count; l++)
		printf("%s%u", l ? ", " : "", search->levels[l + 1] - search->levels[l]);
	printf("], ");
	clock_print_json(search->machine.unit, search->cycles);
	printf("}, \"check\": %s}\n", ok ? "true" : "false");
}

static int graph_run(struct faa_device *device, const struct graph *graph, uint32_t root,
		     const struct options *options)
{
	struct search search = { 0 };
	int ret;

	ret = graph_search_open(&search, device, graph);
	if (!ret)
		ret = graph_count_degrees(&search, graph);
	if (!ret)
		ret = graph_breadth_first(&search, root);
	if (!ret) {
		if (options->disassemble)
			machine_disassemble(&search.machine, 0);
		ret = graph_check_degrees(graph, &search) |
		      graph_check_search(graph, &search, root);
		(options->json ? graph_print_json : graph_print_text)(graph, &search, root, !ret);
	}
	machine_close(&search.machine);
	free(search.levels);
	return ret ? 1 : 0;
}

const char *argp_program_version = "graph " FAA_VERSION_TEXT;

static error_t graph_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 'f':
		options->from = arg;
		return 0;
	case 'd':
		options->disassemble = true;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->path)
			argp_error(state, "one graph, please: '%s' and '%s' were given",
				   options->path, arg);
		options->path = arg;
		return 0;
	case ARGP_KEY_END:
		tool_check_json(state, options->json, options->disassemble);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option graph_argp_options[] = {
	{ "from", 'f', "NAME", 0,
	  "Start of the search (default kde-full, or the first vertex of FILE)", 0 },
	{ "disassemble", 'd', NULL, 0, "Show the stream of the last level", 0 },
	TOOL_JSON_OPTION("degrees and levels"),
	{ 0 },
};

static const struct argp graph_argp = {
	.options = graph_argp_options,
	.parser = graph_parse,
	.children = faa_program_children,
	.args_doc = "[FILE]",
	.doc = "In-degrees and breadth-first search of a graph on the faa device, checked against the CPU. "
	       "FILE has a line a vertex: its name, and the numbers of the lines (from 0) that its "
	       "edges lead to. Without FILE: dependencies of the desktops of Debian.\v"
	       "Exit status: 0 if device and CPU agree, 1 if they do not or something failed.",
};

/* The start vertex, or -1 after a message. */
static int64_t graph_find_root(const struct graph *graph, const struct options *options)
{
	const char *name = options->from ? options->from :
			   options->path ? graph->names[0] :
					   "kde-full";
	int64_t root = graph_find(graph, name);

	if (root < 0)
		fprintf(stderr, "graph: the graph has no vertex '%s'\n", name);
	return root;
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	struct faa_program program = { argc, argv, NULL };
	char error[PATH_MAX + 128], own[PATH_MAX + 32];
	struct faa_device *device;
	struct graph graph;
	int64_t root;
	int ret = 1;

	tool_parse(&graph_argp, argc, argv, &options);
	data_path("packages.txt", own, sizeof(own));
	if (graph_read(options.path ? options.path : own, &graph, error, sizeof(error))) {
		fprintf(stderr, "graph: %s\n", error);
		return 1;
	}
	root = graph_find_root(&graph, &options);
	program.engine = options.engine;
	if (root >= 0 && !faa_program_device(&program, &device)) {
		ret = graph_run(device, &graph, root, &options);
		faa_device_unref(device);
	}
	graph_free(&graph);
	return ret;
}
