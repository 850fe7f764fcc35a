// SPDX-License-Identifier: MIT
/*
 * A queue that gives up its hardware queue and gets another one, with its context: CONTROL.keep and
 * CONTROL.slots (registers.rst, "Giving up a hardware queue").
 */
#include <endian.h>
#include <string.h>

#include "faa_model.h"

#include "fixture.h"

#define KEEP	FAA_REG_QUEUE_CONTROL_KEEP_MASK
#define NO_SLOT UINT32_MAX

/* A context: registers, a predicate and shared memory. */
static void make_context(struct fixture *f, uint32_t value)
{
	add_mov(f, FAA_TYPE_U32, 32, reg(3), affine(value, 1));
	add_mov(f, FAA_TYPE_U32, 32, reg(254), affine(value + 1000, 1));
	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 2, affine(0, 1), imm(7));
	add_sts(f, FAA_TYPE_U32, 32, affine(0, 4), 0, affine(value + 2000, 1));
	run(f);
}

static void expect_context(struct fixture *f, uint32_t value, uint32_t predicate_lane)
{
	const uint32_t *out = f->out.ptr;
	const uint32_t step = value ? 1 : 0;

	memset(f->out.ptr, 0, 512);
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(3));
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 128, 4), reg(254));
	f->issue.guard = 2;
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 256, 4), imm(1));
	f->issue.guard = FAA_PT;
	add_lds(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 384, 4), affine(0, 4), 0);
	run(f);
	for (unsigned int i = 0; i < 32; i++) {
		assert_int_equal(out[i], value + i * step);
		assert_int_equal(out[32 + i], value ? value + 1000 + i : 0);
		assert_int_equal(out[64 + i], i == predicate_lane);
		assert_int_equal(out[96 + i], value ? value + 2000 + i : 0);
	}
}

/* The whole context is restored, in this hardware queue and in others. */
static void context_moves_with_the_queue(void **state)
{
	struct fixture *f = *state;

	for (uint32_t round = 1; round < 4; round++) {
		make_context(f, 10000 * round);
		queue_leave(f);
		queue_enter(f, queue_another(f), 1);
		assert_int_equal(tb_read(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index)),
				 queue_enable_with(1));
		expect_context(f, 10000 * round, 7);
	}
	/* Without CONTROL.slots it begins with zeros. */
	queue_leave(f);
	queue_enter(f, queue_another(f), 0);
	expect_context(f, 0, NO_SLOT);
}

/* A queue that has run nothing saves nothing: its area does not change. */
static void nothing_to_save(void **state)
{
	struct fixture *f = *state;
	const uint8_t *save = tb_saved_context(f->queue, 0);

	queue_leave(f);
	for (unsigned int i = 0; i < FAA_CONTEXT_BYTES; i++)
		assert_int_equal(save[i], 0xa5);
	queue_enter(f, queue_another(f), 0);
	expect_context(f, 0, NO_SLOT);
}

/* The running job ends, the next one waits for the queue's next hardware queue. */
static void leaves_between_jobs(void **state)
{
	struct fixture *f = *state;
	unsigned int former = f->queue->index;
	uint64_t *flag = f->in.ptr;
	uint32_t job;

	make_context(f, 500);
	f->count += faa_encode_sem_wait(f->words, &f->issue, FAA_SEM_COND_EQ, f->in.va, 1);
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	tb_step(f->host, 2000);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(former), KEEP);
	tb_step(f->host, 2000);
	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_RUNNING);
	*flag = 1;
	assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(former),
				FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_DISABLED));
	assert_int_equal(tb_seqno(f->queue), job + 1);
	assert_true(tb_idle(f->host));
	queue_enter(f, queue_another(f), 1);
	expect_context(f, 500, 7);
}

/*
 * Every unit is busy with other queues while queues leave: contexts are saved before the next ones
 * are loaded.
 */
static void leaves_while_units_are_busy(void **state)
{
	struct fixture *f = *state;
	unsigned int n = f->host->num_cus;
	struct tb_queue *others[FAA_MAX_CUS];
	uint64_t *flag = f->in.ptr;

	make_context(f, 700);
	f->count += faa_encode_sem_wait(f->words, &f->issue, FAA_SEM_COND_EQ, f->in.va, 1);
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	for (unsigned int i = 0; i < n; i++) {
		others[i] = tb_queue_create(f->vm, f->host->num_queues - 1 - i, NULL);
		tb_submit(others[i], f->code.va, f->count * 8);
	}
	f->count = 0;
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index), KEEP);
	assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(f->queue->index),
				FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_DISABLED));
	*flag = 1;
	for (unsigned int i = 0; i < n; i++) {
		assert_true(tb_wait(others[i], 0));
		assert_true(tb_queue_destroy(others[i]));
	}
	queue_enter(f, queue_another(f), 1);
	expect_context(f, 700, 7);
}

/* A save area that cannot be written: state ERROR until keep is cleared. */
static void save_area_fails(void **state)
{
	struct fixture *f = *state;
	unsigned int index = f->queue->index;

	assert_true(tb_queue_disable(f->queue));
	tb_write64(f->host, FAA_REG_QUEUE_SAVE_LO(index), TB_NO_MEMORY);
	tb_queue_enable(f->queue);
	make_context(f, 900);
	f->host->allow_bus_errors = true;
	tb_write(f->host, FAA_REG_EVENT_STATUS, FAA_REG_EVENT_ENABLE_MASK_MASK);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(index), KEEP);
	assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(index), FAA_REG_QUEUE_STATE_STATE_MASK,
				FAA_QUEUE_STATE_ERROR));
	assert_true(tb_idle(f->host));
	f->host->allow_bus_errors = false;
	assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS),
			 FAA_REG_EVENT_STATUS_QUEUE_ERROR_MASK);
	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_ERROR);
	assert_true(tb_queue_disable(f->queue));
	tb_write64(f->host, FAA_REG_QUEUE_SAVE_LO(index), f->queue->save);
	tb_queue_enable(f->queue);
	expect_context(f, 0, NO_SLOT);
}

/* A kill of a queue that is leaving: state KILLED until keep is cleared. */
static void killed_while_leaving(void **state)
{
	struct fixture *f = *state;
	unsigned int index = f->queue->index;

	f->count += faa_encode_sem_wait(f->words, &f->issue, FAA_SEM_COND_EQ, f->in.va, 1);
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	tb_step(f->host, 2000);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(index), KEEP);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(index), KEEP | FAA_REG_QUEUE_CONTROL_KILL_MASK);
	assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(index), FAA_REG_QUEUE_STATE_STATE_MASK,
				FAA_QUEUE_STATE_KILLED));
	assert_true(tb_idle(f->host));
	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_KILLED);
	assert_true(tb_queue_disable(f->queue));
	tb_queue_enable(f->queue);
	expect_context(f, 0, NO_SLOT);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(context_moves_with_the_queue),
		FIXTURE_TEST(nothing_to_save),
		FIXTURE_TEST(leaves_between_jobs),
		FIXTURE_TEST(leaves_while_units_are_busy),
		FIXTURE_TEST(save_area_fails),
		FIXTURE_TEST(killed_while_leaving),
	};

	return fixture_main(argc, argv, "keep", tests, sizeof(tests) / sizeof(tests[0]));
}
