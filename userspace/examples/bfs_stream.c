// SPDX-License-Identifier: MIT
/*
 * A level of breadth-first search, for 32 vertices at a time, one a lane:
 *
 *		i = begin + lane
 * chunk:
 *	@P0	u = order[i]; e = first[u]; end = first[u + 1]		P0 = i < end of the level
 * edge:
 *	@P1	v = targets[e]						P1 = e < end
 *	@P1	old = ATOM.CAS(parent[v], NONE, u)
 *	@P2	order[ATOM.ADD(found, 1)] = v				P2 = P1, and old is NONE
 *	@P1	e += 1; to edge while any lane has one
 *		i += step; to chunk while any lane has a vertex
 *
 * Indices are 32-bit words in even registers. The odd registers above them are zero, so that each
 * pair is the same number with 64 bits.
 */
#include "bfs_stream.h"

enum {
	REG_INDEX = 0,
	REG_ADDRESS = 2,
	REG_VERTEX = 4,
	REG_EDGE = 6,
	REG_END = 8,
	REG_OLD = 9,
	REG_TARGET = 10,
	REG_SLOT = 14,
};

enum {
	HAS_VERTEX = 0,
	HAS_EDGE = 1,
	FOUND = 2,
};

static struct faa_operand stream_reg(unsigned int number)
{
	return faa_reg(number);
}

/* @guard: REG_ADDRESS = @array + 4 * @index */
static void stream_add_address(struct faa_stream *stream, unsigned int guard, uint64_t array,
			       unsigned int index)
{
	faa_stream_guard(stream, guard, false);
	faa_stream_alu(stream, FAA_ALU_OP_SHL, FAA_TYPE_U64, FAA_LANES, stream_reg(REG_ADDRESS),
		       stream_reg(index), faa_imm(2));
	faa_stream_guard(stream, guard, false);
	faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_U64, FAA_LANES, stream_reg(REG_ADDRESS),
		       stream_reg(REG_ADDRESS), faa_imm(array));
}

/* @guard: @d = the word at REG_ADDRESS + @offset */
static void stream_add_load(struct faa_stream *stream, unsigned int guard, unsigned int d,
			    int32_t offset)
{
	faa_stream_guard(stream, guard, false);
	faa_stream_ld(stream, FAA_TYPE_U32, FAA_LANES, stream_reg(d), stream_reg(REG_ADDRESS),
		      offset);
}

/* @guard: @d += @value */
static void stream_add_to(struct faa_stream *stream, unsigned int guard, unsigned int d,
			  uint32_t value)
{
	faa_stream_guard(stream, guard, false);
	faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_U32, FAA_LANES, stream_reg(d),
		       stream_reg(d), faa_imm(value));
}

/* @predicate = @a @cmp @b in the lanes of @guard, false in the others */
static void stream_add_test(struct faa_stream *stream, unsigned int predicate, unsigned int guard,
			    enum faa_cmp cmp, struct faa_operand a, struct faa_operand b)
{
	if (guard != predicate)
		faa_stream_setp(stream, FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES, predicate, faa_imm(0),
				faa_imm(0));
	faa_stream_guard(stream, guard, false);
	faa_stream_setp(stream, cmp, FAA_TYPE_U32, FAA_LANES, predicate, a, b);
}

/* Sets the range of the vertex's edges: from REG_EDGE up to REG_END. */
static void stream_add_vertex(struct faa_stream *stream, const struct bfs_memory *memory)
{
	stream_add_address(stream, HAS_VERTEX, memory->order, REG_INDEX);
	stream_add_load(stream, HAS_VERTEX, REG_VERTEX, 0);
	stream_add_address(stream, HAS_VERTEX, memory->first, REG_VERTEX);
	stream_add_load(stream, HAS_VERTEX, REG_EDGE, 0);
	stream_add_load(stream, HAS_VERTEX, REG_END, 4);
}

/* Visits one edge in each lane. */
static void stream_add_edge(struct faa_stream *stream, const struct bfs_memory *memory)
{
	struct faa_operand none = faa_imm(BFS_NONE);

	stream_add_address(stream, HAS_EDGE, memory->targets, REG_EDGE);
	stream_add_load(stream, HAS_EDGE, REG_TARGET, 0);
	stream_add_address(stream, HAS_EDGE, memory->parent, REG_TARGET);
	faa_stream_guard(stream, HAS_EDGE, false);
	faa_stream_atom(stream, FAA_ATOM_OP_CAS, FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
			FAA_LANES, stream_reg(REG_OLD), stream_reg(REG_ADDRESS), 0, none,
			stream_reg(REG_VERTEX));
	stream_add_test(stream, FOUND, HAS_EDGE, FAA_CMP_EQ, stream_reg(REG_OLD), none);
	faa_stream_guard(stream, FOUND, false);
	faa_stream_atom(stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
			FAA_LANES, stream_reg(REG_SLOT), faa_imm(memory->found), 0, faa_imm(1),
			faa_none());
	stream_add_address(stream, FOUND, memory->order, REG_SLOT);
	faa_stream_guard(stream, FOUND, false);
	faa_stream_st(stream, FAA_TYPE_U32, FAA_LANES, stream_reg(REG_ADDRESS), 0,
		      stream_reg(REG_TARGET));
	stream_add_to(stream, HAS_EDGE, REG_EDGE, 1);
}

void bfs_add_level(struct faa_stream *stream, const struct bfs_memory *memory,
		   const struct bfs_part *part)
{
	struct faa_operand end = faa_imm(part->end);
	uint32_t chunk, edge, done;

	faa_stream_label(stream, &chunk);
	faa_stream_label(stream, &edge);
	faa_stream_label(stream, &done);
	faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, stream_reg(REG_INDEX),
		       faa_affine(part->begin, 1));
	stream_add_test(stream, HAS_VERTEX, FAA_PT, FAA_CMP_LT, stream_reg(REG_INDEX), end);
	faa_stream_place(stream, chunk);
	stream_add_vertex(stream, memory);
	stream_add_test(stream, HAS_EDGE, HAS_VERTEX, FAA_CMP_LT, stream_reg(REG_EDGE),
			stream_reg(REG_END));
	faa_stream_guard(stream, HAS_EDGE, false);
	faa_stream_jump(stream, FAA_JUMP_COND_NONE, done);
	faa_stream_place(stream, edge);
	stream_add_edge(stream, memory);
	stream_add_test(stream, HAS_EDGE, HAS_EDGE, FAA_CMP_LT, stream_reg(REG_EDGE),
			stream_reg(REG_END));
	faa_stream_guard(stream, HAS_EDGE, false);
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, edge);
	faa_stream_place(stream, done);
	stream_add_to(stream, FAA_PT, REG_INDEX, part->step);
	stream_add_test(stream, HAS_VERTEX, FAA_PT, FAA_CMP_LT, stream_reg(REG_INDEX), end);
	faa_stream_guard(stream, HAS_VERTEX, false);
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, chunk);
}
