// SPDX-License-Identifier: MIT
/*
 * Immediate dominators by semidominators with path compression (Lengauer and Tarjan): almost linear
 * for every graph. Without recursion, as a module may have millions of blocks in a row.
 */
#include <errno.h>
#include <stdlib.h>

#include "context.h"

/*
 * The graph of a function. Vertices are numbered in depth-first order; block[] maps them to blocks.
 * The other arrays are indexed by vertex. Predecessors of vertex v: edge[first[v + 1]] to
 * edge[first[v + 2] - 1].
 */
struct graph {
	struct faa_spirv_module *module;
	uint32_t count;
	uint32_t *block, *parent, *semi, *best, *ancestor, *idom, *bucket, *next, *first, *edge,
		*stack;
	uint32_t *memory;
};

enum {
	ARRAYS = 10,
};

static int dominator_allocate(struct graph *graph, uint32_t blocks, uint32_t edges)
{
	uint32_t **const arrays[ARRAYS] = { &graph->block,  &graph->parent,   &graph->semi,
					    &graph->best,   &graph->ancestor, &graph->idom,
					    &graph->bucket, &graph->next,     &graph->first,
					    &graph->stack };
	size_t each = (size_t)blocks + 2;
	uint32_t i;

	graph->memory = calloc(ARRAYS * each + edges, sizeof(uint32_t));
	if (!graph->memory)
		return -ENOMEM;
	for (i = 0; i < ARRAYS; i++)
		*arrays[i] = graph->memory + i * each;
	graph->edge = graph->memory + ARRAYS * each;
	return 0;
}

static void dominator_enter(struct graph *graph, uint32_t block, uint32_t parent)
{
	struct spirv_block *at = &graph->module->blocks[block];

	at->reachable = true;
	at->order = graph->count;
	graph->block[graph->count] = block;
	graph->parent[graph->count++] = parent;
}

/* Depth-first numbering from the entry block; next[] counts the visited successors of a vertex. */
static void dominator_number_blocks(struct graph *graph, uint32_t entry)
{
	uint32_t depth = 1;

	dominator_enter(graph, entry, 0);
	graph->stack[0] = 0;
	while (depth) {
		uint32_t vertex = graph->stack[depth - 1];
		const struct spirv_block *block = &graph->module->blocks[graph->block[vertex]];
		uint32_t successor;

		if (graph->next[vertex] == block->successor_count) {
			graph->module->blocks[graph->block[vertex]].order_end = graph->count - 1;
			depth--;
			continue;
		}
		successor = block->successors[graph->next[vertex]++];
		if (graph->module->blocks[successor].reachable)
			continue;
		graph->stack[depth++] = graph->count;
		dominator_enter(graph, successor, vertex);
	}
}

static void dominator_collect_predecessors(struct graph *graph)
{
	const struct spirv_block *blocks = graph->module->blocks;
	uint32_t v, i;

	for (v = 0; v < graph->count; v++)
		for (i = 0; i < blocks[graph->block[v]].successor_count; i++)
			graph->first[blocks[blocks[graph->block[v]].successors[i]].order + 1]++;
	for (v = 0; v < graph->count; v++)
		graph->first[v + 1] += graph->first[v];
	graph->first[graph->count + 1] = graph->first[graph->count];
	/* Each list is filled backwards, from its end to its start. */
	for (v = 0; v < graph->count; v++)
		for (i = 0; i < blocks[graph->block[v]].successor_count; i++)
			graph->edge[--graph->first[blocks[blocks[graph->block[v]].successors[i]]
							   .order +
						   1]] = v;
}

/*
 * The vertex with the least semidominator on the path from @v up the forest; compresses the path.
 */
static uint32_t dominator_evaluate(struct graph *graph, uint32_t v)
{
	uint32_t depth = 0, u = v;

	if (graph->ancestor[v] == SPIRV_NONE)
		return graph->best[v];
	while (graph->ancestor[graph->ancestor[u]] != SPIRV_NONE) {
		graph->stack[depth++] = u;
		u = graph->ancestor[u];
	}
	while (depth--) {
		uint32_t above;

		u = graph->stack[depth];
		above = graph->ancestor[u];
		if (graph->semi[graph->best[above]] < graph->semi[graph->best[u]])
			graph->best[u] = graph->best[above];
		graph->ancestor[u] = graph->ancestor[above];
	}
	return graph->best[v];
}

static void dominator_find_semidominator(struct graph *graph, uint32_t v)
{
	uint32_t i, u, parent = graph->parent[v];

	for (i = graph->first[v + 1]; i < graph->first[v + 2]; i++) {
		u = dominator_evaluate(graph, graph->edge[i]);
		if (graph->semi[u] < graph->semi[v])
			graph->semi[v] = graph->semi[u];
	}
	graph->next[v] = graph->bucket[graph->semi[v]];
	graph->bucket[graph->semi[v]] = v;
	graph->ancestor[v] = parent;
	for (u = graph->bucket[parent]; u != SPIRV_NONE; u = graph->next[u]) {
		uint32_t best = dominator_evaluate(graph, u);

		graph->idom[u] = graph->semi[best] < graph->semi[u] ? best : parent;
	}
	graph->bucket[parent] = SPIRV_NONE;
}

static void dominator_find_idoms(struct graph *graph)
{
	uint32_t v;

	for (v = 0; v < graph->count; v++) {
		graph->semi[v] = v;
		graph->best[v] = v;
		graph->ancestor[v] = SPIRV_NONE;
		graph->bucket[v] = SPIRV_NONE;
	}
	for (v = graph->count; --v;)
		dominator_find_semidominator(graph, v);
	for (v = 1; v < graph->count; v++) {
		if (graph->idom[v] != graph->semi[v])
			graph->idom[v] = graph->idom[graph->idom[v]];
		graph->module->blocks[graph->block[v]].idom = graph->block[graph->idom[v]];
	}
}

/*
 * Intervals of the dominator tree: a vertex is numbered after its dominator, and its interval
 * covers the vertices that it dominates.
 */
static void dominator_number_tree(struct graph *graph)
{
	struct spirv_block *blocks = graph->module->blocks;
	uint32_t v, *size = graph->best, *used = graph->semi;

	for (v = 0; v < graph->count; v++) {
		size[v] = 1;
		used[v] = 1;
	}
	for (v = graph->count; --v;)
		size[graph->idom[v]] += size[v];
	blocks[graph->block[0]].enter = 0;
	for (v = 0; v < graph->count; v++) {
		struct spirv_block *block = &blocks[graph->block[v]];

		if (v) {
			block->enter =
				blocks[graph->block[graph->idom[v]]].enter + used[graph->idom[v]];
			used[graph->idom[v]] += size[v];
		}
		block->leave = block->enter + size[v] - 1;
	}
}

static int dominator_find_in_function(struct faa_spirv_module *module,
				      const struct spirv_function *function)
{
	struct graph graph = { .module = module };
	uint32_t i, edges = 0;
	int ret;

	if (!function->block_count)
		return 0;
	for (i = 0; i < function->block_count; i++)
		edges += module->blocks[function->first_block + i].successor_count;
	ret = dominator_allocate(&graph, function->block_count, edges);
	if (ret)
		return ret;
	dominator_number_blocks(&graph, function->first_block);
	dominator_collect_predecessors(&graph);
	dominator_find_idoms(&graph);
	dominator_number_tree(&graph);
	free(graph.memory);
	return 0;
}

int spirv_find_dominators(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < module->function_count && !ret; i++)
		ret = dominator_find_in_function(module, &module->functions[i]);
	return ret;
}
