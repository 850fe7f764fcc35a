/* SPDX-License-Identifier: MIT */
#ifndef BFS_STREAM_H
#define BFS_STREAM_H

#include "faa.h"

/** BFS_NONE - parent of a vertex that has not been found */
#define BFS_NONE UINT32_MAX

/** struct bfs_memory - device addresses of the data of a search, all arrays of 32-bit words */
struct bfs_memory {
	/** @first, @targets: the graph, as in struct graph. */
	uint64_t first, targets;
	/** @parent: for each vertex, BFS_NONE before it is found. */
	uint64_t parent;
	/** @order: the vertices, in the order in which they are found. */
	uint64_t order;
	/** @found: one word: number of vertices in @order. */
	uint64_t found;
};

/**
 * struct bfs_part - one queue's part of a level
 *
 * Vertices @begin, @begin + 1 .. @begin + 31 of the order, then those @step further, and so on.
 */
struct bfs_part {
	uint32_t begin;
	/** @end: of the level: index after its last vertex. */
	uint32_t end;
	uint32_t step;
};

/**
 * bfs_add_level() - add the commands that visit all edges of the vertices of a part
 *
 * A CAS decides which lane finds a vertex: that lane's vertex becomes its parent. The lane appends
 * the vertex to the order, at an index that it gets by an ADD. Several queues may work on one
 * level. Registers R0..R15 and predicates P0..P2 are used; R1, R5, R7, R11 and R15 must be zero and
 * stay so, as in a new queue.
 */
void bfs_add_level(struct faa_stream *stream, const struct bfs_memory *memory,
		   const struct bfs_part *part);

#endif /* BFS_STREAM_H */
