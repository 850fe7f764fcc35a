// SPDX-License-Identifier: MIT
/* A host thread of a litmus test. */
#include "run.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

static const enum faa_memory_order orders[] = {
	[LIT_WEAK] = FAA_MEMORY_ORDER_RELAXED,	  [LIT_RELAXED] = FAA_MEMORY_ORDER_RELAXED,
	[LIT_ACQUIRE] = FAA_MEMORY_ORDER_ACQUIRE, [LIT_RELEASE] = FAA_MEMORY_ORDER_RELEASE,
	[LIT_ACQ_REL] = FAA_MEMORY_ORDER_ACQ_REL, [LIT_SC] = FAA_MEMORY_ORDER_SEQ_CST,
};

static const enum faa_atom_op rmws[] = {
	[LIT_ADD] = FAA_ATOM_OP_ADD,
	[LIT_SUB] = FAA_ATOM_OP_SUB,
	[LIT_EXCH] = FAA_ATOM_OP_EXCH,
};

/* A host thread in a round. */
struct host {
	const struct run_place *place;
	const struct run_round *round;
	unsigned int thread;
	uint64_t area;
	/* A register machine for each lane. */
	struct faa_host_thread lanes[RUN_LANES];
};

static struct faa_operand value_of(const struct lit_value *value)
{
	return value->is_register ? faa_reg(2 * value->reg) :
				    faa_imm((uint64_t)(int64_t)value->number);
}

static void do_op(struct host *h, const struct lit_op *op, unsigned int lane)
{
	uint64_t address = h->area + h->round->location[op->location] + lane * h->round->stride;
	struct faa_atomic_object object = faa_atomic_at(h->round->type, faa_imm(address), 0);
	struct faa_host_thread *t = &h->lanes[lane];
	enum faa_memory_order order = orders[op->order];

	switch (op->kind) {
	case LIT_LD:
		faa_atomic_load_explicit(t, faa_reg(2 * op->reg), object, order,
					 FAA_THREAD_SCOPE_SYSTEM);
		break;
	case LIT_ST:
		faa_atomic_store_explicit(t, object, value_of(&op->value), order,
					  FAA_THREAD_SCOPE_SYSTEM);
		break;
	case LIT_ATOM:
	case LIT_RED:
		if (op->rmw == LIT_CAS)
			faa_atomic_compare_exchange_strong_explicit(t, FAA_PT, faa_reg(2 * op->reg),
								    object, value_of(&op->value),
								    value_of(&op->desired), order,
								    faa_atomic_failure_order(order),
								    FAA_THREAD_SCOPE_SYSTEM);
		else
			faa_atomic_rmw_explicit(
				t, rmws[op->rmw],
				op->kind == LIT_RED ? faa_none() : faa_reg(2 * op->reg), object,
				value_of(&op->value), order, FAA_THREAD_SCOPE_SYSTEM);
		break;
	case LIT_FENCE:
		faa_atomic_thread_fence(t, order, FAA_THREAD_SCOPE_SYSTEM);
		break;
	}
}

/* Returns false if other threads will not arrive. */
static bool meet(struct host *h, const int *stop)
{
	struct faa_host_thread t = { .offset = h->lanes[0].offset };
	struct faa_atomic_object come = faa_atomic_at(FAA_TYPE_U32, faa_imm(h->area + RUN_COME), 0);
	struct faa_atomic_object begin =
		faa_atomic_at(FAA_TYPE_U32, faa_imm(h->area + RUN_BEGIN_HOSTS), 0);
	bool helper = h->place->helper;

	faa_atomic_fetch_add_explicit(&t, faa_none(), come, faa_imm(1), FAA_MEMORY_ORDER_RELAXED,
				      FAA_THREAD_SCOPE_SYSTEM);
	FAA_REPEAT_WHILE(&t, 0, FAA_CMP_NE, FAA_TYPE_U32, 1, faa_reg(0),
			 faa_imm(helper ? 1 : h->place->test->thread_count))
	{
		if (__atomic_load_n(stop, __ATOMIC_RELAXED))
			return false;
		/* A guest has one processor, which other host threads need to arrive. */
		sched_yield();
		faa_atomic_load_explicit(&t, faa_reg(0), helper ? begin : come,
					 FAA_MEMORY_ORDER_RELAXED, FAA_THREAD_SCOPE_SYSTEM);
	}
	return true;
}

/* A busy wait, since a timer is too coarse. */
static void pause_for(unsigned int microseconds)
{
	struct timespec start, now;

	if (!microseconds)
		return;
	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000000000ll + now.tv_nsec - start.tv_nsec <
	       1000ll * microseconds);
}

static void do_round(struct host *h)
{
	const struct lit_thread *thread = &h->place->test->threads[h->thread];
	unsigned int op, lane, pause = h->round->pause[h->thread];

	pause_for(10 * h->round->skew[h->thread]);
	if (h->round->by_operation[h->thread]) {
		for (op = 0; op < thread->op_count; op++, pause_for(pause))
			for (lane = 0; lane < h->round->lanes; lane++)
				do_op(h, &thread->ops[op], lane);
	} else {
		for (lane = 0; lane < h->round->lanes; lane++, pause_for(pause))
			for (op = 0; op < thread->op_count; op++)
				do_op(h, &thread->ops[op], lane);
	}
}

static void store_results(struct host *h)
{
	const struct lit_thread *thread = &h->place->test->threads[h->thread];
	unsigned int reg, lane;

	for (reg = 0; reg < thread->register_count; reg++)
		for (lane = 0; lane < h->round->lanes; lane++)
			faa_host_mov(
				&h->lanes[lane], h->round->type, 1,
				faa_array(h->area + run_result_offset(h->thread, reg) + 8 * lane,
					  h->round->type, 8),
				faa_reg(2 * reg));
}

int run_host_thread(const struct run_place *place, unsigned int thread, const int *stop)
{
	struct host h = { .place = place, .thread = thread };
	unsigned int i, lane;

	for (lane = 0; lane < RUN_LANES; lane++)
		h.lanes[lane].offset = (uintptr_t)place->memory - place->va;
	for (i = 0; i < place->batch->round_count; i++) {
		h.round = &place->batch->rounds[i];
		h.area = place->va + h.round->offset;
		if (!meet(&h, stop))
			return -ECANCELED;
		do_round(&h);
		store_results(&h);
	}
	for (lane = 0; lane < RUN_LANES; lane++)
		if (h.lanes[lane].error) {
			fprintf(stderr, "host thread %u: %s\n", thread, h.lanes[lane].why);
			return h.lanes[lane].error;
		}
	return 0;
}
