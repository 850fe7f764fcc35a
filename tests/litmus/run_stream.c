// SPDX-License-Identifier: MIT
/* A device thread of a litmus test as a stream. */
#include "run.h"

#include <errno.h>

/* Registers: the meeting, noise, locations, constants, and results; pairs, for 64 bits. */
enum {
	REG_MEET = 0,
	REG_NOISE = 2,
	REG_LOCATION = 16,
	REG_CONSTANT = 40,
	REG_RESULT = 64,
};

#define PREDICATE 1

/* State of the construction of a thread's stream. */
struct builder {
	struct faa_stream *stream;
	const struct run_place *place;
	const struct run_round *round;
	unsigned int thread;
	/* VA of the round's area. */
	uint64_t area;
	/* Values of the registers of constants. */
	int32_t constants[8];
	unsigned int constant_count;
};

static const enum faa_scope scopes[] = {
	[LIT_CTA] = FAA_SCOPE_CTA,
	[LIT_GPU] = FAA_SCOPE_GPU,
	[LIT_SYS] = FAA_SCOPE_SYS,
};

static const enum faa_order orders[] = {
	[LIT_RELAXED] = FAA_ORDER_RELAXED,
	[LIT_ACQUIRE] = FAA_ORDER_ACQUIRE,
	[LIT_RELEASE] = FAA_ORDER_RELEASE,
	[LIT_ACQ_REL] = FAA_ORDER_ACQ_REL,
};

static const enum faa_fence_order fences[] = {
	[LIT_ACQUIRE] = FAA_FENCE_ORDER_ACQUIRE,
	[LIT_RELEASE] = FAA_FENCE_ORDER_RELEASE,
	[LIT_ACQ_REL] = FAA_FENCE_ORDER_ACQ_REL,
	[LIT_SC] = FAA_FENCE_ORDER_SC,
};

static const enum faa_atom_op rmws[] = {
	[LIT_ADD] = FAA_ATOM_OP_ADD,
	[LIT_SUB] = FAA_ATOM_OP_SUB,
	[LIT_EXCH] = FAA_ATOM_OP_EXCH,
	[LIT_CAS] = FAA_ATOM_OP_CAS,
};

static enum faa_order order_of(const struct builder *b, const struct lit_op *op)
{
	return b->place->inject == RUN_FAULT_ORDER ? FAA_ORDER_RELAXED : orders[op->order];
}

static struct faa_operand address_of(const struct builder *b, unsigned int location)
{
	switch (b->round->address[b->thread]) {
	case RUN_REGISTER:
		return faa_reg(REG_LOCATION + 2 * location);
	case RUN_ARRAY:
		return faa_array_u64(b->area + RUN_ADDRESSES + location * RUN_LANES * 8u, 8);
	default:
		return faa_affine(b->area + b->round->location[location], b->round->stride);
	}
}

/* A number as an immediate, a register that was loaded before, or an array. */
static struct faa_operand constant(const struct builder *b, int32_t number)
{
	bool small = number >= 0 && number < (int)RUN_CONSTANTS;
	uint64_t value = b->round->type == FAA_TYPE_U64 ? (uint64_t)(int64_t)number :
							  (uint32_t)number;
	unsigned int i;

	if (b->round->value[b->thread] == RUN_ARRAY && small)
		return faa_array(b->place->constants + (uint64_t)number * RUN_LANES * 8,
				 b->round->type, 8);
	for (i = 0; i < b->constant_count; i++)
		if (b->constants[i] == number)
			return faa_reg(REG_CONSTANT + 2 * i);
	return faa_imm(value);
}

static struct faa_operand value_of(const struct builder *b, const struct lit_value *value)
{
	return value->is_register ? faa_reg(REG_RESULT + 2 * value->reg) :
				    constant(b, value->number);
}

/*
 * Whether an operation after op @from uses the register, or writes it, so that the result must stay
 * in the register.
 */
static bool needed_later(const struct lit_thread *thread, unsigned int from, uint8_t reg)
{
	unsigned int i;

	for (i = from + 1; i < thread->op_count; i++) {
		const struct lit_op *op = &thread->ops[i];

		if ((op->kind == LIT_LD || op->kind == LIT_ATOM) && op->reg == reg)
			return true;
		if (op->kind != LIT_FENCE && op->kind != LIT_LD &&
		    ((op->value.is_register && op->value.reg == reg) ||
		     (op->desired.is_register && op->desired.reg == reg)))
			return true;
	}
	return false;
}

static uint64_t result_va(const struct builder *b, unsigned int reg)
{
	return b->area + run_result_offset(b->thread, reg);
}

/* Destination of the result of op @index: memory, or a register. */
static struct faa_operand destination(const struct builder *b, unsigned int index)
{
	const struct lit_thread *thread = &b->place->test->threads[b->thread];
	uint8_t reg = thread->ops[index].reg;

	if (b->round->direct[b->thread] && !needed_later(thread, index, reg))
		return faa_array(result_va(b, reg), b->round->type, 8);
	return faa_reg(REG_RESULT + 2 * reg);
}

static void add_op(const struct builder *b, unsigned int index)
{
	const struct lit_op *op = &b->place->test->threads[b->thread].ops[index];
	struct faa_operand a = address_of(b, op->location);
	struct faa_stream *s = b->stream;
	enum faa_type type = b->round->type;
	unsigned int n = b->round->lanes;

	switch (op->kind) {
	case LIT_LD:
		if (op->order == LIT_WEAK)
			faa_stream_ld(s, type, n, destination(b, index), a, 0);
		else
			faa_stream_ld_strong(s, type, scopes[op->scope], order_of(b, op), n,
					     destination(b, index), a, 0);
		break;
	case LIT_ST:
		if (op->order == LIT_WEAK)
			faa_stream_st(s, type, n, a, 0, value_of(b, &op->value));
		else
			faa_stream_st_strong(s, type, scopes[op->scope], order_of(b, op), n, a, 0,
					     value_of(b, &op->value));
		break;
	case LIT_ATOM:
	case LIT_RED:
		faa_stream_atom(s, rmws[op->rmw], type, scopes[op->scope], order_of(b, op), n,
				op->kind == LIT_RED ? faa_none() : destination(b, index), a, 0,
				value_of(b, &op->value),
				op->rmw == LIT_CAS ? value_of(b, &op->desired) : faa_none());
		break;
	case LIT_FENCE:
		if (b->place->inject == RUN_FAULT_ORDER)
			break;
		faa_stream_fence(s, fences[op->order], scopes[op->scope]);
		break;
	}
}

/* Loads a number into a register if it must be in one. */
static void load_constant(struct builder *b, const struct lit_value *value)
{
	unsigned int i;

	if (value->is_register || b->constant_count == 8)
		return;
	for (i = 0; i < b->constant_count; i++)
		if (b->constants[i] == value->number)
			return;
	faa_stream_mov(b->stream, FAA_TYPE_U64, RUN_LANES, faa_reg(REG_CONSTANT + 2 * i),
		       faa_imm((uint64_t)(int64_t)value->number));
	b->constants[b->constant_count++] = value->number;
}

/* Another line of the page at @va, in the same slice (hold_slice). */
static uint64_t beside(uint64_t va)
{
	return (va & ~63ull) ^ 45 * 64;
}

static void touch(const struct builder *b, uint64_t va)
{
	faa_stream_ld(b->stream, FAA_TYPE_U32, 1, faa_reg(REG_NOISE), faa_imm(beside(va)), 0);
}

static void touch_pages(const struct builder *b)
{
	const struct run_round *round = b->round;
	uint64_t last = (uint64_t)(round->lanes - 1) * round->stride;
	unsigned int i;

	if (!round->known[b->thread])
		return;
	for (i = 0; i < b->place->test->location_count; i++) {
		touch(b, b->area + round->location[i]);
		touch(b, b->area + round->location[i] + last);
	}
	for (i = 0; i < b->place->test->threads[b->thread].register_count; i++)
		touch(b, result_va(b, i));
	touch(b, b->area + RUN_ADDRESSES);
	touch(b, b->area + RUN_ADDRESSES + LIT_MAX_LOCATIONS * RUN_LANES * 8u - 1);
}

/* Commands that must not run between the operations. */
static void prepare(struct builder *b)
{
	const struct lit_thread *thread = &b->place->test->threads[b->thread];
	const struct run_round *round = b->round;
	unsigned int i;

	for (i = 0; i < b->place->test->location_count; i++) {
		if (round->address[b->thread] == RUN_REGISTER)
			faa_stream_mov(b->stream, FAA_TYPE_U64, RUN_LANES,
				       faa_reg(REG_LOCATION + 2 * i),
				       faa_affine(b->area + round->location[i], round->stride));
		if (round->warm[b->thread] >> i & 1)
			faa_stream_ld(b->stream, round->type, round->lanes, faa_reg(REG_NOISE),
				      faa_affine(b->area + round->location[i], round->stride), 0);
	}
	touch_pages(b);
	b->constant_count = 0;
	for (i = 0; round->value[b->thread] == RUN_REGISTER && i < thread->op_count; i++) {
		const struct lit_op *op = &thread->ops[i];

		if (op->kind == LIT_FENCE || op->kind == LIT_LD)
			continue;
		load_constant(b, &op->value);
		if (op->kind == LIT_ATOM && op->rmw == LIT_CAS)
			load_constant(b, &op->desired);
	}
}

static struct faa_atomic_object word_at(const struct builder *b, uint32_t offset)
{
	return faa_atomic_at(FAA_TYPE_U32, faa_imm(b->area + offset), 0);
}

static void wait_for(const struct builder *b, uint32_t offset, uint32_t number)
{
	struct faa_stream *s = b->stream;

	FAA_REPEAT_WHILE(s, PREDICATE, FAA_CMP_NE, FAA_TYPE_U32, 1, faa_reg(REG_MEET),
			 faa_imm(number))
	faa_atomic_load_explicit(s, faa_reg(REG_MEET), word_at(b, offset), FAA_MEMORY_ORDER_RELAXED,
				 b->place->scope);
}

/* Wait until all threads have arrived. Relaxed, since the meeting must not order accesses. */
static void meet(const struct builder *b)
{
	faa_atomic_fetch_add_explicit(b->stream, faa_none(), word_at(b, RUN_COME), faa_imm(1),
				      FAA_MEMORY_ORDER_RELAXED, b->place->scope);
	if (b->place->helper)
		wait_for(b, RUN_BEGIN, 1);
	else
		wait_for(b, RUN_COME, b->place->test->thread_count);
}

/*
 * Accesses that no other thread sees, to lines whose number equals that of a location modulo 8:
 * lines of its slice of the L2.
 */
static void make_noise(const struct builder *b)
{
	const struct run_round *round = b->round;
	uint32_t line = (uint32_t)(b->area + round->location[round->noise_location[b->thread]]) &
			448;
	unsigned int lanes = round->noise_lanes[b->thread];
	uint32_t block = round->noise_block[b->thread] * RUN_NOISE_BLOCK;
	struct faa_operand a =
		faa_affine(b->place->noise + b->thread * RUN_NOISE_BYTES + block + line, 512);

	if (round->noise[b->thread] & 1)
		faa_stream_ld(b->stream, FAA_TYPE_U32, lanes, faa_reg(REG_NOISE), a, 0);
	if (round->noise[b->thread] & 2)
		faa_stream_st(b->stream, FAA_TYPE_U32, lanes, a, 4, faa_imm(b->thread));
}

/*
 * The slice of a line is the exclusive or of groups of one, two or three bits of its number, for 2,
 * 4 or 8 slices. Lines whose numbers differ in bits 0, 2, 3 and 5 have the same slice, and are in
 * one page. Adding 0 at scope SYS occupies the slice for the latency of host memory, and changes no
 * value.
 */
static void hold_slice(const struct builder *b, unsigned int location)
{
	uint64_t line = beside(b->area + b->round->location[location]);

	faa_stream_atom(b->stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_SYS, FAA_ORDER_RELAXED,
			1, faa_none(), faa_imm(line), 0, faa_imm(0), faa_none());
}

static void hold_slices(const struct builder *b)
{
	uint8_t location = b->round->hold[b->thread];
	unsigned int i;

	if (location == RUN_NO_HOLD || !b->place->sys)
		return;
	for (i = 0; i < b->round->holds[b->thread]; i++)
		hold_slice(b, location);
}

/* Stores results that are still in registers. */
static void store_results(const struct builder *b)
{
	const struct lit_thread *thread = &b->place->test->threads[b->thread];
	unsigned int i;

	for (i = 0; i < thread->op_count; i++) {
		const struct lit_op *op = &thread->ops[i];

		if ((op->kind == LIT_LD || op->kind == LIT_ATOM) &&
		    destination(b, i).kind == FAA_KIND_REG)
			faa_stream_mov(b->stream, b->round->type, b->round->lanes,
				       faa_array(result_va(b, op->reg), b->round->type, 8),
				       faa_reg(REG_RESULT + 2 * op->reg));
	}
}

static void add_round(struct builder *b)
{
	unsigned int i;

	prepare(b);
	meet(b);
	for (i = 0; i < b->round->skew[b->thread]; i++)
		faa_stream_nop(b->stream);
	make_noise(b);
	hold_slices(b);
	for (i = 0; i < b->place->test->threads[b->thread].op_count; i++)
		add_op(b, i);
	store_results(b);
}

static void let_begin(const struct builder *b, uint32_t offset)
{
	faa_atomic_store_explicit(b->stream, word_at(b, offset), faa_imm(1),
				  FAA_MEMORY_ORDER_RELAXED, b->place->scope);
}

/* The location whose slice hold @i of the helper stalls. */
static uint8_t held_by_helper(const struct builder *b, unsigned int i)
{
	uint8_t location = b->round->helper_hold[i];

	if (location == RUN_HOLD_FIRST)
		location = run_first_location(&b->place->test->threads[b->place->neighbour]);
	return location == RUN_NO_HOLD ? 0 : location;
}

/* Commands of the helper: the slices are stalled when the device threads begin. */
static void add_help(struct builder *b)
{
	unsigned int i;

	for (i = 0; i < b->round->helper_holds; i++)
		touch(b, b->area + b->round->location[held_by_helper(b, i)]);
	wait_for(b, RUN_COME, b->place->test->thread_count);
	let_begin(b, b->round->hosts_first ? RUN_BEGIN_HOSTS : RUN_BEGIN);
	for (i = 0; i < b->round->helper_lag; i++)
		faa_stream_nop(b->stream);
	for (i = 0; i < b->round->helper_holds; i++)
		hold_slice(b, held_by_helper(b, i));
	for (i = 0; i < b->round->gap; i++)
		faa_stream_nop(b->stream);
	let_begin(b, b->round->hosts_first ? RUN_BEGIN : RUN_BEGIN_HOSTS);
}

int run_build(struct faa_stream *stream, const struct run_place *place, unsigned int thread)
{
	struct builder b = { .stream = stream, .place = place, .thread = thread };
	unsigned int i;

	faa_stream_reset(stream);
	for (i = 0; i < place->batch->round_count; i++) {
		b.round = &place->batch->rounds[i];
		b.area = place->va + b.round->offset;
		if (thread == RUN_HELPER)
			add_help(&b);
		else
			add_round(&b);
	}
	faa_stream_end(stream);
	return faa_stream_finish(stream);
}
