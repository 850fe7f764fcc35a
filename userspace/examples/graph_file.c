// SPDX-License-Identifier: MIT
#include "graph_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * @items with room for @count + 1 items of @size bytes: the room doubles when @count reaches a
 * power of two. NULL: no memory, @items is unchanged.
 */
static void *file_grown(void *items, uint32_t count, size_t size)
{
	if (items && (!count || count & (count - 1)))
		return items;
	return realloc(items, (count ? 2 * (size_t)count : 1) * size);
}

static int file_add_vertex(struct graph *graph, const char *name)
{
	char **names = file_grown(graph->names, graph->vertices, sizeof(*names));
	uint32_t *first = file_grown(graph->first, graph->vertices + 1, sizeof(*first));

	if (names)
		graph->names = names;
	if (first)
		graph->first = first;
	if (!names || !first)
		return -1;
	names[graph->vertices] = strdup(name);
	if (!names[graph->vertices])
		return -1;
	first[++graph->vertices] = graph->edges;
	return 0;
}

/* An edge from the last vertex. */
static int file_add_edge(struct graph *graph, uint32_t target)
{
	uint32_t *targets = file_grown(graph->targets, graph->edges, sizeof(*targets));

	if (!targets)
		return -1;
	graph->targets = targets;
	targets[graph->edges++] = target;
	graph->first[graph->vertices] = graph->edges;
	return 0;
}

/* Writes a sentence about line @line of @path. */
static int file_fail(char *error, size_t size, const char *path, unsigned int line,
		     const char *what)
{
	snprintf(error, size, "%s, line %u: %s", path, line, what);
	return -1;
}

/* Reads one line: a name and numbers. Returns NULL, or the error. */
static const char *file_read_line(struct graph *graph, char *line)
{
	char *save, *word = strtok_r(line, " \n", &save), *end;
	unsigned long target;

	if (!word)
		return "no name";
	if (file_add_vertex(graph, word))
		return "no memory";
	while ((word = strtok_r(NULL, " \n", &save))) {
		errno = 0;
		target = strtoul(word, &end, 10);
		if (*end || *word == '-' || errno || target >= UINT32_MAX)
			return "what follows the name must be numbers of lines, from 0 on";
		if (file_add_edge(graph, target))
			return "no memory";
	}
	return NULL;
}

static int file_check_targets(const struct graph *graph, const char *path, char *error, size_t size)
{
	uint32_t i;

	for (i = 0; i < graph->edges; i++) {
		if (graph->targets[i] < graph->vertices)
			continue;
		snprintf(error, size, "%s: an edge leads to vertex %u, but there are %u", path,
			 graph->targets[i], graph->vertices);
		return -1;
	}
	if (graph->vertices && graph->edges)
		return 0;
	snprintf(error, size, "%s: %u vertices and %u edges are no graph to search", path,
		 graph->vertices, graph->edges);
	return -1;
}

int graph_read(const char *path, struct graph *graph, char *error, size_t size)
{
	FILE *file = fopen(path, "r");
	const char *wrong = NULL;
	unsigned int number = 0;
	char *line = NULL;
	size_t room = 0;
	int ret;

	memset(graph, 0, sizeof(*graph));
	graph->first = calloc(1, sizeof(*graph->first));
	if (!file || !graph->first) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		if (file)
			fclose(file);
		graph_free(graph);
		return -1;
	}
	while (!wrong && getline(&line, &room, file) >= 0) {
		number++;
		if (line[0] != '#')
			wrong = file_read_line(graph, line);
	}
	fclose(file);
	free(line);
	ret = wrong ? file_fail(error, size, path, number, wrong) :
		      file_check_targets(graph, path, error, size);
	if (ret)
		graph_free(graph);
	return ret;
}

void graph_free(struct graph *graph)
{
	uint32_t i;

	for (i = 0; i < graph->vertices; i++)
		free(graph->names[i]);
	free(graph->names);
	free(graph->first);
	free(graph->targets);
	memset(graph, 0, sizeof(*graph));
}

int64_t graph_find(const struct graph *graph, const char *name)
{
	uint32_t i;

	for (i = 0; i < graph->vertices; i++)
		if (!strcmp(graph->names[i], name))
			return i;
	return -1;
}
