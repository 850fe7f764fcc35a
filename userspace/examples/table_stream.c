// SPDX-License-Identifier: MIT
/*
 * Insertion into a hash table with open addressing, for 32 keys at a time, one a lane:
 *
 *		i = begin + lane
 * chunk:
 *	@P0	key = keys[i]; slot = hash(key)				P0 = i < end
 * probe:
 *	@P1	old = ATOM.CAS(slots[slot].key, 0, key)			P1 = P0 at first
 *	@P1	P1 = old is neither 0 nor key: the slot is another key's
 *	@P1	slot = next slot; to probe while any lane has to
 *	@P0	RED.ADD(slots[slot].count, 1)
 *		i += 32; to chunk while any lane has a key
 *
 * A lookup has a load in place of the CAS, stops at key or 0, and takes the count of the slot with
 * the key. Indices are 32-bit words in even registers. The odd registers above them are zero, so
 * that each pair is the same number with 64 bits.
 */
#include "table_stream.h"

#include <stddef.h>

enum {
	REG_INDEX = 0,
	REG_ADDRESS = 2,
	REG_KEY = 4,
	REG_SLOT = 6,
	REG_FOUND = 8,
	REG_RESULT = 9,
};

enum {
	HAS_KEY = 0,
	PENDING = 1,
	PRESENT = 2,
};

static void stream_add_alu(struct faa_stream *stream, unsigned int guard, enum faa_alu_op op,
			   enum faa_type type, unsigned int d, unsigned int a, uint64_t b)
{
	faa_stream_guard(stream, guard, false);
	faa_stream_alu(stream, op, type, FAA_LANES, faa_reg(d), faa_reg(a), faa_imm(b));
}

/* @guard: REG_ADDRESS = @array + (@index << @shift) */
static void stream_add_address(struct faa_stream *stream, unsigned int guard, uint64_t array,
			       unsigned int index, unsigned int shift)
{
	stream_add_alu(stream, guard, FAA_ALU_OP_SHL, FAA_TYPE_U64, REG_ADDRESS, index, shift);
	stream_add_alu(stream, guard, FAA_ALU_OP_ADD, FAA_TYPE_U64, REG_ADDRESS, REG_ADDRESS,
		       array);
}

static void stream_add_test(struct faa_stream *stream, unsigned int predicate, unsigned int guard,
			    enum faa_cmp cmp, struct faa_operand a, struct faa_operand b)
{
	faa_stream_guard(stream, guard, false);
	faa_stream_setp(stream, cmp, FAA_TYPE_U32, FAA_LANES, predicate, a, b);
}

/* Makes predicate @predicate false in all lanes. */
static void stream_add_clear(struct faa_stream *stream, unsigned int predicate)
{
	stream_add_test(stream, predicate, FAA_PT, FAA_CMP_NE, faa_imm(0), faa_imm(0));
}

/* HAS_KEY: whether the lane's index is in the range of the stream. */
static void stream_add_bound(struct faa_stream *stream, const struct table_work *work)
{
	stream_add_test(stream, HAS_KEY, FAA_PT, FAA_CMP_LT, faa_reg(REG_INDEX),
			faa_imm(work->end));
}

/* Loads the lane's key and computes the first slot; all lanes with a key are pending. */
static void stream_add_begin(struct faa_stream *stream, const struct table_work *work)
{
	stream_add_address(stream, HAS_KEY, work->keys, REG_INDEX, 2);
	faa_stream_guard(stream, HAS_KEY, false);
	faa_stream_ld(stream, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_KEY), faa_reg(REG_ADDRESS), 0);
	stream_add_alu(stream, HAS_KEY, FAA_ALU_OP_MUL, FAA_TYPE_U32, REG_SLOT, REG_KEY,
		       TABLE_MULTIPLIER);
	stream_add_alu(stream, HAS_KEY, FAA_ALU_OP_SHR, FAA_TYPE_U32, REG_SLOT, REG_SLOT,
		       32 - work->log2);
	stream_add_clear(stream, PENDING);
	stream_add_test(stream, PENDING, HAS_KEY, FAA_CMP_EQ, faa_imm(0), faa_imm(0));
}

/* Lanes whose slot is neither free nor has their key continue with the next slot. */
static void stream_add_next_slot(struct faa_stream *stream, const struct table_work *work,
				 uint32_t probe)
{
	stream_add_test(stream, PENDING, PENDING, FAA_CMP_NE, faa_reg(REG_FOUND), faa_imm(0));
	stream_add_test(stream, PENDING, PENDING, FAA_CMP_NE, faa_reg(REG_FOUND), faa_reg(REG_KEY));
	stream_add_alu(stream, PENDING, FAA_ALU_OP_ADD, FAA_TYPE_U32, REG_SLOT, REG_SLOT, 1);
	stream_add_alu(stream, PENDING, FAA_ALU_OP_AND, FAA_TYPE_U32, REG_SLOT, REG_SLOT,
		       (1u << work->log2) - 1);
	faa_stream_guard(stream, PENDING, false);
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, probe);
}

/* Continues with the next 32 keys, if there are any. */
static void stream_add_next_chunk(struct faa_stream *stream, const struct table_work *work,
				  uint32_t chunk)
{
	stream_add_alu(stream, FAA_PT, FAA_ALU_OP_ADD, FAA_TYPE_U32, REG_INDEX, REG_INDEX,
		       FAA_LANES);
	stream_add_bound(stream, work);
	faa_stream_guard(stream, HAS_KEY, false);
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, chunk);
}

/* Makes the labels of the two loops; the outer one begins here. */
static void stream_add_loops(struct faa_stream *stream, const struct table_work *work,
			     uint32_t *chunk, uint32_t *probe)
{
	faa_stream_label(stream, chunk);
	faa_stream_label(stream, probe);
	faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_INDEX),
		       faa_affine(work->begin, 1));
	stream_add_bound(stream, work);
	faa_stream_place(stream, *chunk);
}

void table_add_insert(struct faa_stream *stream, const struct table_work *work)
{
	uint32_t chunk, probe;

	stream_add_loops(stream, work, &chunk, &probe);
	stream_add_begin(stream, work);
	faa_stream_place(stream, probe);
	stream_add_address(stream, PENDING, work->slots, REG_SLOT, TABLE_ENTRY_SHIFT);
	faa_stream_guard(stream, PENDING, false);
	faa_stream_atom(stream, FAA_ATOM_OP_CAS, FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
			FAA_LANES, faa_reg(REG_FOUND), faa_reg(REG_ADDRESS),
			offsetof(struct table_entry, key), faa_imm(0), faa_reg(REG_KEY));
	stream_add_next_slot(stream, work, probe);
	/* Lanes that are not pending any more keep the address of their slot. */
	faa_stream_guard(stream, HAS_KEY, false);
	faa_stream_red(stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
		       FAA_LANES, faa_reg(REG_ADDRESS), offsetof(struct table_entry, count),
		       faa_imm(1), faa_none());
	stream_add_next_chunk(stream, work, chunk);
}

void table_add_lookup(struct faa_stream *stream, const struct table_work *work)
{
	uint32_t chunk, probe;

	stream_add_loops(stream, work, &chunk, &probe);
	stream_add_begin(stream, work);
	faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_RESULT), faa_imm(0));
	faa_stream_place(stream, probe);
	stream_add_address(stream, PENDING, work->slots, REG_SLOT, TABLE_ENTRY_SHIFT);
	faa_stream_guard(stream, PENDING, false);
	faa_stream_ld(stream, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_FOUND), faa_reg(REG_ADDRESS),
		      offsetof(struct table_entry, key));
	stream_add_clear(stream, PRESENT);
	stream_add_test(stream, PRESENT, PENDING, FAA_CMP_EQ, faa_reg(REG_FOUND), faa_reg(REG_KEY));
	faa_stream_guard(stream, PRESENT, false);
	faa_stream_ld(stream, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_RESULT), faa_reg(REG_ADDRESS),
		      offsetof(struct table_entry, count));
	stream_add_next_slot(stream, work, probe);
	stream_add_address(stream, HAS_KEY, work->results, REG_INDEX, 2);
	faa_stream_guard(stream, HAS_KEY, false);
	faa_stream_st(stream, FAA_TYPE_U32, FAA_LANES, faa_reg(REG_ADDRESS), 0,
		      faa_reg(REG_RESULT));
	stream_add_next_chunk(stream, work, chunk);
}
