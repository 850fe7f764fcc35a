// SPDX-License-Identifier: MIT
/*
 * Additions to exact sums: f32 numbers to integers in cells of 17 words, as
 * Documentation/exact.rst specifies them. For each warp, with a = |x| as bits:
 *
 *		LD	x = value, i = index		unless they are the same for all lanes
 *			c = cells + 136 * i
 *		SETP	minus = x < 0
 *			a = x & 0x7fffffff
 *		SETP	special = a >= 0x7f800000
 *			t = max(a, 0x00800000)		its exponent field is e, at least 1
 *			s = t >> 23 & 15
 *			w = t >> 24 & 0x78		byte offset of the word e >> 4
 *			f = x & 0x7fffff | min(a, 0x00800000)
 *			v = f << s
 *	@minus		v = 0 - v
 *	@!special RED	[c + w] += v
 *		RED	[c + 128] += 8
 *	@special JUMP.NONE past the rest
 *			flag = minus ? MINUS_INF : PLUS_INF, or NAN
 *	@special RED	[c + 128] |= flag
 */
#include "exact.h"

#include <errno.h>

#define MAX_INDEX UINT32_MAX
/* The product with 136 is beyond the shared memory, and fits in 32 bits. */
#define BEYOND_SHARED (FAA_SHARED_WINDOW_BYTES / FAA_EXACT_CELL_BYTES + 1)

/* A sequence that is added: arguments, and the numbers of its registers. */
struct exact_sequence {
	struct faa_stream *stream;
	const struct faa_exact_add *add;
	/* All elements add to one cell. */
	bool uniform;
	uint8_t minus, special;
	/* Pairs of registers: addresses of the next value and index, cell, word of the cell. */
	struct faa_operand value_at, index_at, cell, word;
	/* Pairs whose upper halves are 0: index, significand, byte offset of the word, flag. */
	struct faa_operand index, significand, offset, flag;
	/* Pair: addend. */
	struct faa_operand addend;
	/* Shift, in a pair whose upper half has no effect: it is the temporary register. */
	struct faa_operand shift, temporary;
	struct faa_operand value, magnitude, left;
};

static void exact_assign(struct exact_sequence *q)
{
	uint8_t r = q->add->reg;

	q->minus = q->add->predicate;
	q->special = q->minus + 1;
	q->uniform = q->add->cell.kind == FAA_KIND_IMM;
	q->value_at = faa_reg(r);
	q->index_at = faa_reg(r + 2);
	q->cell = q->uniform ? faa_imm(q->add->cells + q->add->cell.value * FAA_EXACT_CELL_BYTES) :
			       faa_reg(r + 4);
	q->word = faa_reg(r + 6);
	q->index = faa_reg(r + 8);
	q->significand = faa_reg(r + 10);
	q->offset = faa_reg(r + 12);
	q->flag = q->offset;
	q->addend = faa_reg(r + 14);
	q->shift = faa_reg(r + 16);
	q->temporary = faa_reg(r + 17);
	q->value = faa_reg(r + 18);
	q->magnitude = faa_reg(r + 19);
	q->left = faa_reg(r + 20);
}

int exact_check_common(struct faa_stream *stream, const char *name, uint8_t reg, uint8_t predicate,
		       uint64_t cells)
{
	const struct faa_issue *issue = &stream->next;

	if (issue->guard != FAA_PT || issue->guard_negate || stream->guard != FAA_PT)
		return faa_stream_fail(stream, -EINVAL, "%s: it cannot have a guard", name);
	if (issue->read_barrier != FAA_NO_BARRIER || issue->write_barrier != FAA_NO_BARRIER)
		return faa_stream_fail(stream, -EINVAL,
				       "%s: it cannot hold a barrier; it may wait for some", name);
	if (reg % 2 || reg + FAA_EXACT_REGISTERS > FAA_REGISTERS)
		return faa_stream_fail(stream, -EINVAL,
				       "%s: first register R%u: allowed are even ones up to R%u",
				       name, reg, FAA_REGISTERS - 1 - FAA_EXACT_REGISTERS);
	if (predicate + FAA_EXACT_PREDICATES > FAA_PT)
		return faa_stream_fail(stream, -EINVAL,
				       "%s: first predicate P%u: allowed are P0..P%u", name,
				       predicate, FAA_PT - FAA_EXACT_PREDICATES);
	if (cells % 8)
		return faa_stream_fail(stream, -EINVAL,
				       "%s: cells at 0x%llx: allowed are multiples of 8", name,
				       (unsigned long long)cells);
	return 0;
}

/* An operand in a register: lanes of one warp, beside the registers of the sequence. */
static int exact_check_register(struct faa_stream *stream, const struct faa_exact_add *add,
				const struct faa_operand *operand, const char *name)
{
	if (operand->kind != FAA_KIND_REG)
		return 0;
	if (add->count > FAA_LANES)
		return faa_stream_fail(stream, -EINVAL,
				       "exact add: operand %s of %llu elements is R%u: a register "
				       "has 32",
				       name, (unsigned long long)add->count, operand->reg);
	if (operand->reg >= add->reg && operand->reg < add->reg + FAA_EXACT_REGISTERS)
		return faa_stream_fail(stream, -EINVAL,
				       "exact add: operand %s is R%u, one of the registers R%u to "
				       "R%u that are overwritten",
				       name, operand->reg, add->reg,
				       add->reg + FAA_EXACT_REGISTERS - 1);
	return 0;
}

static int exact_check_value(struct faa_stream *stream, const struct faa_exact_add *add)
{
	const struct faa_operand *value = &add->value;

	if (value->kind == FAA_KIND_STREAM) {
		if (value->type != FAA_TYPE_U32 && value->type != FAA_TYPE_F32)
			return faa_stream_fail(stream, -EINVAL,
					       "exact add: value has items of type %u: allowed are "
					       "U32 and F32",
					       value->type);
		if (value->shift || value->step)
			return faa_stream_fail(stream, -EINVAL,
					       "exact add: value cannot have a shift or a base");
	} else if (value->kind != FAA_KIND_IMM && value->kind != FAA_KIND_REG) {
		return faa_stream_fail(stream, -EINVAL,
				       "exact add: value is an immediate, a register or an array");
	}
	return exact_check_register(stream, add, value, "value");
}

/* Indices of arrays are below 2^32 by their type; these are known. */
static int exact_check_index(struct faa_stream *stream, const struct faa_exact_add *add)
{
	const struct faa_operand *cell = &add->cell;
	int64_t step = cell->kind == FAA_KIND_AFFINE ? (int64_t)cell->step : 0;
	__int128 last = (__int128)cell->value + (__int128)step * (add->count - 1);

	if (cell->kind == FAA_KIND_REG || cell->kind == FAA_KIND_STREAM)
		return 0;
	if (cell->value > MAX_INDEX || last < 0 || last > MAX_INDEX)
		return faa_stream_fail(stream, -EINVAL,
				       "exact add: number of a cell is not in 0..2^32-1");
	if (add->space == FAA_EXACT_SHARED &&
	    (cell->value >= BEYOND_SHARED || last >= BEYOND_SHARED))
		return faa_stream_fail(
			stream, -EINVAL, "exact add: cell %llu is beyond the shared memory",
			(unsigned long long)(cell->value > (uint64_t)last ? cell->value :
									    (uint64_t)last));
	return 0;
}

static int exact_check_cell(struct faa_stream *stream, const struct faa_exact_add *add)
{
	const struct faa_operand *cell = &add->cell;
	int ret = exact_check_index(stream, add);

	if (ret)
		return ret;
	if (cell->kind == FAA_KIND_NONE)
		return faa_stream_fail(stream, -EINVAL, "exact add: there is no operand cell");
	if (cell->kind == FAA_KIND_STREAM && cell->type > FAA_TYPE_U32)
		return faa_stream_fail(stream, -EINVAL,
				       "exact add: cell has items of type %u: allowed are U8, U16 "
				       "and U32",
				       cell->type);
	if (cell->kind == FAA_KIND_STREAM && (cell->shift || cell->step))
		return faa_stream_fail(stream, -EINVAL,
				       "exact add: cell is a number, without a shift or a base");
	return exact_check_register(stream, add, cell, "cell");
}

static int exact_check(struct faa_stream *stream, const struct faa_exact_add *add)
{
	int ret = exact_check_common(stream, "exact add", add->reg, add->predicate, add->cells);

	if (ret)
		return ret;
	if (add->count < 1 || add->count > 1ull << 32)
		return faa_stream_fail(stream, -EINVAL,
				       "exact add: element count %llu is not in 1..2^32",
				       (unsigned long long)add->count);
	if (add->space > FAA_EXACT_SHARED)
		return faa_stream_fail(
			stream, -EINVAL,
			"exact add: space %u: allowed are 0 (global) and 1 (shared memory)",
			add->space);
	if (add->space == FAA_EXACT_SHARED &&
	    (add->scope != FAA_SCOPE_CTA || add->cells >= FAA_SHARED_WINDOW_BYTES))
		return faa_stream_fail(stream, -EINVAL,
				       "exact add: scope %u, cells at 0x%llx: shared memory has "
				       "scope CTA and addresses below 2^24",
				       add->scope, (unsigned long long)add->cells);
	ret = exact_check_value(stream, add);
	return ret ? ret : exact_check_cell(stream, add);
}

/* d = a op b on 32 bits. */
static void exact_alu(const struct exact_sequence *q, enum faa_alu_op op, uint32_t lanes,
		      struct faa_operand d, struct faa_operand a, struct faa_operand b)
{
	faa_stream_alu(q->stream, op, FAA_TYPE_U32, lanes, d, a, b);
}

/* The same on 64 bits. */
static void exact_alu64(const struct exact_sequence *q, enum faa_alu_op op, uint32_t lanes,
			struct faa_operand d, struct faa_operand a, struct faa_operand b)
{
	faa_stream_alu(q->stream, op, FAA_TYPE_U64, lanes, d, a, b);
}

/* [address + offset] op= b, without a result. */
static void exact_red(const struct exact_sequence *q, bool or, uint32_t lanes,
		      struct faa_operand address, int32_t offset, struct faa_operand b)
{
	if (q->add->space == FAA_EXACT_SHARED)
		faa_stream_atoms(q->stream, or ? FAA_ATOMS_OP_OR : FAA_ATOMS_OP_ADD, FAA_TYPE_U64,
				 lanes, faa_none(), address, offset, b, faa_none());
	else
		faa_stream_red(q->stream, or ? FAA_ATOM_OP_OR : FAA_ATOM_OP_ADD, FAA_TYPE_U64,
			       q->add->scope, FAA_ORDER_RELAXED, lanes, address, offset, b,
			       faa_none());
}

/* Before the first warp: addresses of the arrays, zeros, and the count of a single cell. */
static void exact_begin(const struct exact_sequence *q)
{
	const struct faa_operand *value = &q->add->value, *cell = &q->add->cell;
	const struct faa_operand zero[] = { q->index, q->significand, q->offset };
	unsigned int i;

	for (i = 0; i < 3; i++)
		faa_stream_mov(q->stream, FAA_TYPE_U64, FAA_LANES, zero[i], faa_imm(0));
	if (value->kind == FAA_KIND_STREAM)
		faa_stream_mov(q->stream, FAA_TYPE_U64, FAA_LANES, q->value_at,
			       faa_affine(value->value, (uint64_t)(int64_t)value->stride));
	if (cell->kind == FAA_KIND_STREAM)
		faa_stream_mov(q->stream, FAA_TYPE_U64, FAA_LANES, q->index_at,
			       faa_affine(cell->value, (uint64_t)(int64_t)cell->stride));
	if (cell->kind == FAA_KIND_AFFINE)
		faa_stream_mov(q->stream, FAA_TYPE_U64, FAA_LANES, q->index, *cell);
	if (q->uniform)
		exact_red(q, false, 1, q->cell, EXACT_TALLY,
			  faa_imm(q->add->count << FAA_EXACT_COUNT_SHIFT));
}

/* The cell of each lane. */
static void exact_locate(const struct exact_sequence *q, uint32_t lanes)
{
	const struct faa_operand *cell = &q->add->cell;

	if (q->uniform)
		return;
	if (cell->kind == FAA_KIND_STREAM)
		faa_stream_ld(q->stream, cell->type, lanes, q->index, q->index_at, 0);
	if (cell->kind == FAA_KIND_REG)
		faa_stream_mov(q->stream, FAA_TYPE_U32, lanes, q->index, *cell);
	if (q->add->space == FAA_EXACT_SHARED) {
		exact_alu(q, FAA_ALU_OP_MIN, lanes, q->cell, q->index, faa_imm(BEYOND_SHARED));
		exact_alu(q, FAA_ALU_OP_MUL, lanes, q->cell, q->cell,
			  faa_imm(FAA_EXACT_CELL_BYTES));
		exact_alu(q, FAA_ALU_OP_ADD, lanes, q->cell, q->cell, faa_imm(q->add->cells));
		return;
	}
	exact_alu64(q, FAA_ALU_OP_SHL, lanes, q->cell, q->index, faa_imm(7));
	exact_alu64(q, FAA_ALU_OP_SHL, lanes, q->word, q->index, faa_imm(3));
	exact_alu64(q, FAA_ALU_OP_ADD, lanes, q->cell, q->cell, q->word);
	exact_alu64(q, FAA_ALU_OP_ADD, lanes, q->cell, q->cell, faa_imm(q->add->cells));
}

/* Addend and byte offset of its word, and the predicates. */
static void exact_split(const struct exact_sequence *q, uint32_t lanes, struct faa_operand x)
{
	struct faa_operand t = q->temporary, hidden = faa_imm(0x800000);

	faa_stream_setp(q->stream, FAA_CMP_LT, FAA_TYPE_S32, lanes, q->minus, x, faa_imm(0));
	exact_alu(q, FAA_ALU_OP_AND, lanes, q->magnitude, x, faa_imm(0x7fffffff));
	faa_stream_setp(q->stream, FAA_CMP_GE, FAA_TYPE_U32, lanes, q->special, q->magnitude,
			faa_imm(0x7f800000));
	exact_alu(q, FAA_ALU_OP_MAX, lanes, t, q->magnitude, hidden);
	exact_alu(q, FAA_ALU_OP_SHR, lanes, q->shift, t, faa_imm(23));
	exact_alu(q, FAA_ALU_OP_AND, lanes, q->shift, q->shift, faa_imm(15));
	exact_alu(q, FAA_ALU_OP_SHR, lanes, q->offset, t, faa_imm(24));
	exact_alu(q, FAA_ALU_OP_AND, lanes, q->offset, q->offset, faa_imm(0x78));
	exact_alu(q, FAA_ALU_OP_MIN, lanes, t, q->magnitude, hidden);
	exact_alu(q, FAA_ALU_OP_AND, lanes, q->significand, x, faa_imm(0x7fffff));
	exact_alu(q, FAA_ALU_OP_OR, lanes, q->significand, q->significand, t);
	exact_alu64(q, FAA_ALU_OP_SHL, lanes, q->addend, q->significand, q->shift);
	faa_stream_guard(q->stream, q->minus, false);
	exact_alu64(q, FAA_ALU_OP_SUB, lanes, q->addend, faa_imm(0), q->addend);
}

/* Flags of infinities and NaNs; most warps jump over it. */
static void exact_add_flags(const struct exact_sequence *q, uint32_t lanes)
{
	struct faa_stream *stream = q->stream;
	uint32_t past;

	faa_stream_label(stream, &past);
	faa_stream_guard(stream, q->special, false);
	faa_stream_jump(stream, FAA_JUMP_COND_NONE, past);
	faa_stream_mov(stream, FAA_TYPE_U32, lanes, q->flag, faa_imm(FAA_EXACT_PLUS_INF));
	faa_stream_guard(stream, q->minus, false);
	faa_stream_mov(stream, FAA_TYPE_U32, lanes, q->flag, faa_imm(FAA_EXACT_MINUS_INF));
	faa_stream_setp(stream, FAA_CMP_GT, FAA_TYPE_U32, lanes, q->minus, q->magnitude,
			faa_imm(0x7f800000));
	faa_stream_guard(stream, q->minus, false);
	faa_stream_mov(stream, FAA_TYPE_U32, lanes, q->flag, faa_imm(FAA_EXACT_NAN));
	faa_stream_guard(stream, q->special, false);
	exact_red(q, true, lanes, q->cell, EXACT_TALLY, q->flag);
	faa_stream_place(stream, past);
}

/* The elements of one warp, those of its first @lanes lanes. */
static void exact_add_warp(const struct exact_sequence *q, uint32_t lanes)
{
	struct faa_operand x = q->value;

	exact_locate(q, lanes);
	if (q->add->value.kind == FAA_KIND_STREAM)
		faa_stream_ld(q->stream, FAA_TYPE_U32, lanes, x, q->value_at, 0);
	else if (q->add->value.kind == FAA_KIND_REG)
		x = q->add->value;
	else
		faa_stream_mov(q->stream, FAA_TYPE_U32, lanes, x, q->add->value);
	exact_split(q, lanes, x);
	if (q->add->space == FAA_EXACT_SHARED)
		exact_alu(q, FAA_ALU_OP_ADD, lanes, q->word, q->offset, q->cell);
	else
		exact_alu64(q, FAA_ALU_OP_ADD, lanes, q->word, q->offset, q->cell);
	faa_stream_guard(q->stream, q->special, true);
	exact_red(q, false, lanes, q->word, 0, q->addend);
	if (!q->uniform)
		exact_red(q, false, lanes, q->cell, EXACT_TALLY,
			  faa_imm(1 << FAA_EXACT_COUNT_SHIFT));
	exact_add_flags(q, lanes);
}

/* From one warp to the next. */
static void exact_advance(const struct exact_sequence *q)
{
	const struct faa_operand *value = &q->add->value, *cell = &q->add->cell;

	if (value->kind == FAA_KIND_STREAM)
		exact_alu64(q, FAA_ALU_OP_ADD, FAA_LANES, q->value_at, q->value_at,
			    faa_imm((uint64_t)value->stride * FAA_LANES));
	if (cell->kind == FAA_KIND_STREAM)
		exact_alu64(q, FAA_ALU_OP_ADD, FAA_LANES, q->index_at, q->index_at,
			    faa_imm((uint64_t)cell->stride * FAA_LANES));
	if (cell->kind == FAA_KIND_AFFINE)
		exact_alu64(q, FAA_ALU_OP_ADD, FAA_LANES, q->index, q->index,
			    faa_imm(cell->step * FAA_LANES));
}

int faa_stream_exact_add(struct faa_stream *stream, const struct faa_exact_add *add)
{
	struct exact_sequence q = { .stream = stream, .add = add };
	uint64_t warps = add->count / FAA_LANES;
	uint32_t rest = add->count % FAA_LANES, again;
	int ret = faa_stream_failed(stream);

	if (!ret)
		ret = exact_check(stream, add);
	if (ret)
		return ret;
	exact_assign(&q);
	exact_begin(&q);
	if (warps) {
		faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, q.left, faa_imm(warps));
		faa_stream_label(stream, &again);
		faa_stream_place(stream, again);
		exact_add_warp(&q, FAA_LANES);
		exact_advance(&q);
		exact_alu(&q, FAA_ALU_OP_SUB, FAA_LANES, q.left, q.left, faa_imm(1));
		faa_stream_setp(stream, FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES, q.minus, q.left,
				faa_imm(0));
		faa_stream_guard(stream, q.minus, false);
		faa_stream_jump(stream, FAA_JUMP_COND_ANY, again);
	}
	if (rest)
		exact_add_warp(&q, rest);
	return faa_stream_failed(stream);
}
