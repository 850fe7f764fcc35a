// SPDX-License-Identifier: MIT
/*
 * Cells of shared memory added to cells of global memory: 17 lanes load a cell, add its words and
 * count, OR its flags, and clear it.
 */
#include "exact.h"

#include <errno.h>

#define CELL_LANES (FAA_EXACT_WORDS + 1)
#define MAX_CELLS  (1u << 16)

/* The registers and predicates of a flush. */
struct flush_sequence {
	/* Pairs: address in global memory, word of the cell, flags. */
	struct faa_operand to, word, flags;
	struct faa_operand from, left;
	/* The lane of the tally; whether cells are left. */
	uint8_t tally, more;
};

static int flush_check(struct faa_stream *stream, const struct faa_exact_flush *flush)
{
	int ret = exact_check_common(stream, "exact flush", flush->reg, flush->predicate,
				     flush->cells);

	if (ret)
		return ret;
	if (flush->count < 1 || flush->count > MAX_CELLS)
		return faa_stream_fail(stream, -EINVAL, "exact flush: %u cells: allowed are 1..%u",
				       flush->count, MAX_CELLS);
	if (flush->shared % 8 || flush->shared >= FAA_SHARED_WINDOW_BYTES)
		return faa_stream_fail(stream, -EINVAL,
				       "exact flush: shared cells at 0x%x: allowed are multiples "
				       "of 8 below 2^24",
				       flush->shared);
	return 0;
}

static void flush_add_cell(struct faa_stream *stream, const struct faa_exact_flush *flush,
			   const struct flush_sequence *q)
{
	faa_stream_lds(stream, FAA_TYPE_U64, CELL_LANES, q->word, q->from, 0);
	faa_stream_guard(stream, q->tally, false);
	faa_stream_alu(stream, FAA_ALU_OP_AND, FAA_TYPE_U64, CELL_LANES, q->flags, q->word,
		       faa_imm(EXACT_FLAGS));
	faa_stream_guard(stream, q->tally, false);
	faa_stream_alu(stream, FAA_ALU_OP_AND, FAA_TYPE_U64, CELL_LANES, q->word, q->word,
		       faa_imm(~(uint64_t)EXACT_FLAGS));
	faa_stream_red(stream, FAA_ATOM_OP_ADD, FAA_TYPE_U64, flush->scope, FAA_ORDER_RELAXED,
		       CELL_LANES, q->to, 0, q->word, faa_none());
	faa_stream_guard(stream, q->tally, false);
	faa_stream_red(stream, FAA_ATOM_OP_OR, FAA_TYPE_U64, flush->scope, FAA_ORDER_RELAXED,
		       CELL_LANES, q->to, 0, q->flags, faa_none());
	faa_stream_sts(stream, FAA_TYPE_U64, CELL_LANES, q->from, 0, faa_imm(0));
}

static void flush_advance(struct faa_stream *stream, const struct flush_sequence *q)
{
	faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_U32, FAA_LANES, q->from, q->from,
		       faa_imm(FAA_EXACT_CELL_BYTES));
	faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_U64, FAA_LANES, q->to, q->to,
		       faa_imm(FAA_EXACT_CELL_BYTES));
	faa_stream_alu(stream, FAA_ALU_OP_SUB, FAA_TYPE_U32, FAA_LANES, q->left, q->left,
		       faa_imm(1));
	faa_stream_setp(stream, FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES, q->more, q->left, faa_imm(0));
}

int faa_stream_exact_flush(struct faa_stream *stream, const struct faa_exact_flush *flush)
{
	uint8_t r = flush->reg;
	struct flush_sequence q = {
		.to = faa_reg(r),
		.word = faa_reg(r + 2),
		.flags = faa_reg(r + 4),
		.from = faa_reg(r + 6),
		.left = faa_reg(r + 7),
		.tally = flush->predicate,
		.more = flush->predicate + 1,
	};
	int ret = faa_stream_failed(stream);
	uint32_t again;

	if (!ret)
		ret = flush_check(stream, flush);
	if (ret)
		return ret;
	faa_stream_mov(stream, FAA_TYPE_U64, FAA_LANES, q.to, faa_affine(flush->cells, 8));
	faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, q.from, faa_affine(flush->shared, 8));
	faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, q.left, faa_imm(flush->count));
	faa_stream_setp(stream, FAA_CMP_EQ, FAA_TYPE_U32, FAA_LANES, q.tally, faa_affine(0, 1),
			faa_imm(FAA_EXACT_WORDS));
	faa_stream_label(stream, &again);
	faa_stream_place(stream, again);
	flush_add_cell(stream, flush, &q);
	flush_advance(stream, &q);
	faa_stream_guard(stream, q.more, false);
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, again);
	return faa_stream_failed(stream);
}
