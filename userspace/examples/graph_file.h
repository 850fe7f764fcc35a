/* SPDX-License-Identifier: MIT */
#ifndef GRAPH_FILE_H
#define GRAPH_FILE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct graph - a directed graph whose vertices have names
 *
 * The edges of vertex v are targets[first[v]] .. targets[first[v + 1] - 1].
 */
struct graph {
	uint32_t vertices;
	uint32_t edges;
	/** @names: of the vertices. */
	char **names;
	/** @first: @vertices + 1 indices into @targets. */
	uint32_t *first;
	/** @targets: @edges vertices. */
	uint32_t *targets;
};

/**
 * graph_read() - read a graph from a text
 * @path: one line for each vertex: its name, then the numbers of the targets of its edges; vertices
 *        are numbered from 0 in the order of their lines. Lines that begin with # are comments.
 * @graph: out
 * @error: receives a sentence on failure
 * @size: bytes at @error
 *
 * Return: 0 or -1.
 */
int graph_read(const char *path, struct graph *graph, char *error, size_t size);

/** graph_free() - release a graph of graph_read(). */
void graph_free(struct graph *graph);

/** graph_find() - number of the vertex called @name, or -1. */
int64_t graph_find(const struct graph *graph, const char *name);

#endif /* GRAPH_FILE_H */
