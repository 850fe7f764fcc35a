// SPDX-License-Identifier: MIT
/*
 * Counters of queues, which are a part of their contexts, and of compute units (device.rst,
 * "Statistics"); when a job began (registers.rst, START).
 */
#include <endian.h>
#include <string.h>

#include "fixture.h"

enum { COMMANDS_OF_A_LOOK = 2 };

/* Counters whose value the specification gives */
static const uint8_t exact[] = { FAA_COUNTER_JOBS,     FAA_COUNTER_COMMANDS, FAA_COUNTER_WARPS,
				 FAA_COUNTER_ELEMENTS, FAA_COUNTER_PASSES,   FAA_COUNTER_GROUPS };

struct counters {
	uint64_t of[FAA_COUNTERS];
};

/* A queue, and the counters that it must have */
struct user {
	struct tb_queue *queue;
	struct counters want;
};

static void submit(struct fixture *f, struct user *user)
{
	struct tb_queue *own = f->queue;

	f->queue = user->queue;
	run(f);
	f->queue = own;
	user->want.of[FAA_COUNTER_JOBS]++;
}

/* Runs a job of @warps warps that store to shared memory, with END two commands. */
static void work(struct fixture *f, struct user *user, unsigned int warps)
{
	add_sts(f, FAA_TYPE_U32, warps * 32, affine(0, 4), 0, imm(1));
	submit(f, user);
	user->want.of[FAA_COUNTER_COMMANDS] += 2;
	user->want.of[FAA_COUNTER_WARPS] += warps;
	user->want.of[FAA_COUNTER_ELEMENTS] += warps * 32;
}

/* The counters of a queue as a SNAPSHOT shows them. */
static struct counters look(struct fixture *f, struct user *user)
{
	struct counters shown;

	f->count += faa_encode_snapshot(f->words + f->count, &f->issue, f->out.va);
	submit(f, user);
	memcpy(&shown, f->out.ptr, sizeof(shown));
	/* It shows neither itself nor its job. */
	user->want.of[FAA_COUNTER_COMMANDS] += COMMANDS_OF_A_LOOK;
	return shown;
}

static void expect_shown(struct fixture *f, struct user *user)
{
	static const uint8_t known[] = { FAA_COUNTER_JOBS, FAA_COUNTER_COMMANDS, FAA_COUNTER_WARPS,
					 FAA_COUNTER_ELEMENTS };
	struct counters want = user->want, shown = look(f, user);

	for (unsigned int i = 0; i < sizeof(known); i++)
		assert_int_equal(shown.of[known[i]], want.of[known[i]]);
}

static uint64_t of_units(struct fixture *f, enum faa_counter counter)
{
	uint64_t sum = 0;

	for (unsigned int cu = 0; cu < f->host->num_cus; cu++)
		sum += tb_read64(f->host, FAA_REG_CU_COUNTER_LO(cu, counter));
	return sum;
}

static const uint64_t *saved(struct fixture *f, const struct tb_queue *queue)
{
	return tb_ptr(f->host, queue->save + (uint64_t)f->host->warp_slots * FAA_CONTEXT_BYTES +
				       queue->shared_bytes);
}

/* A queue in the hardware queue @n after the fixture's. */
static struct user new_user(struct fixture *f, unsigned int n)
{
	static const struct tb_queue_config config = { .shared_bytes = FIXTURE_SHARED };
	unsigned int index = (f->queue->index + n) % f->host->num_queues;
	struct user user = { .queue = tb_queue_create(f->vm, index, &config) };

	return user;
}

/* Queues that take turns on the same units see only what they did themselves. */
static void each_queue_has_its_own(void **state)
{
	struct fixture *f = *state;
	struct user users[4] = { { .queue = f->queue } };

	for (unsigned int i = 1; i < 4; i++)
		users[i] = new_user(f, i);
	for (unsigned int round = 0; round < 3; round++)
		for (unsigned int i = 0; i < 4; i++) {
			work(f, &users[i], 1 + 3 * i + round);
			expect_shown(f, &users[i]);
		}
	for (unsigned int i = 1; i < 4; i++)
		assert_true(tb_queue_destroy(users[i].queue));
}

/* They go with the context to another hardware queue; all of them are in the save area. */
static void they_move_with_the_queue(void **state)
{
	struct fixture *f = *state;
	struct user user = { .queue = f->queue };

	for (unsigned int round = 0; round < 4; round++) {
		struct counters before;

		work(f, &user, 5);
		expect_shown(f, &user);
		before = look(f, &user);
		queue_leave(f);
		for (unsigned int n = 0; n < FAA_COUNTERS; n++)
			assert_true(le64toh(saved(f, f->queue)[n]) >= before.of[n]);
		for (unsigned int n = FAA_COUNTER_STALL_SURFACE + 1; n < FAA_COUNTERS; n++)
			assert_int_equal(saved(f, f->queue)[n], 0);
		assert_int_equal(le64toh(saved(f, f->queue)[FAA_COUNTER_JOBS]),
				 user.want.of[FAA_COUNTER_JOBS]);
		queue_enter(f, queue_another(f), 1);
		expect_shown(f, &user);
	}
}

/* They continue from the numbers in the save area, in all of their bits. */
static void they_go_on_from_the_save_area(void **state)
{
	struct fixture *f = *state;
	struct user user = { .queue = f->queue };
	struct counters shown;
	uint64_t *area =
		tb_ptr(f->host, f->queue->save + (uint64_t)f->host->warp_slots * FAA_CONTEXT_BYTES +
					FIXTURE_SHARED);

	work(f, &user, 1);
	queue_leave(f);
	for (unsigned int n = 0; n < FAA_COUNTERS; n++)
		area[n] = htole64((n + 1) * 0x0123456789abcdefULL);
	queue_enter(f, queue_another(f), 1);
	shown = look(f, &user);
	for (unsigned int i = 0; i < sizeof(exact); i++)
		assert_int_equal(shown.of[exact[i]], (exact[i] + 1) * 0x0123456789abcdefULL);
	for (unsigned int n = 1; n <= FAA_COUNTER_STALL_SURFACE; n++)
		assert_in_range(shown.of[n] - (n + 1) * 0x0123456789abcdefULL, 0, 100000);
	for (unsigned int n = FAA_COUNTER_STALL_SURFACE + 1; n < FAA_COUNTERS; n++)
		assert_int_equal(shown.of[n], 0);
	/* Clock cycles of the device */
	assert_in_range(shown.of[FAA_COUNTER_CYCLES], 1, tb_read64(f->host, FAA_REG_CYCLE_LO));
}

/* A fresh context has counters of zero, also in a hardware queue that was used before. */
static void a_fresh_context_begins_with_zero(void **state)
{
	struct fixture *f = *state;
	struct user user = { .queue = f->queue };
	struct counters shown;

	work(f, &user, 9);
	assert_true(tb_queue_disable(f->queue));
	tb_queue_enable(f->queue);
	f->queue->tail = 0;
	memset(&user.want, 0, sizeof(user.want));
	shown = look(f, &user);
	for (unsigned int i = 0; i < sizeof(exact); i++)
		assert_int_equal(shown.of[exact[i]], 0);
}

/* The counters of the units have what all queues did, and never run back. */
static void units_count_for_all_queues(void **state)
{
	struct fixture *f = *state;
	struct user users[3] = { { .queue = f->queue } };
	uint64_t before[FAA_COUNTERS] = { 0 };

	for (unsigned int i = 1; i < 3; i++)
		users[i] = new_user(f, i);
	for (unsigned int round = 0; round < 4; round++) {
		for (unsigned int i = 0; i < 3; i++)
			work(f, &users[i], 2 + i);
		for (unsigned int n = 0; n < FAA_COUNTERS; n++) {
			uint64_t now = of_units(f, n);

			assert_true(now >= before[n]);
			before[n] = now;
		}
		for (unsigned int i = 0; i < 4; i++)
			assert_int_equal(before[exact[i]], users[0].want.of[exact[i]] +
								   users[1].want.of[exact[i]] +
								   users[2].want.of[exact[i]]);
	}
	for (unsigned int i = 1; i < 3; i++)
		assert_true(tb_queue_destroy(users[i].queue));
}

/* The reset of a unit ends a context with its counters, but the unit's own stay. */
static void units_keep_them_over_their_reset(void **state)
{
	struct fixture *f = *state;
	struct user user = { .queue = f->queue };
	uint64_t warps;

	work(f, &user, 7);
	warps = of_units(f, FAA_COUNTER_WARPS);
	for (unsigned int cu = 0; cu < f->host->num_cus; cu++)
		tb_write(f->host, FAA_REG_CU_CONTROL(cu), FAA_REG_CU_CONTROL_RESET_MASK);
	assert_true(tb_idle(f->host));
	assert_int_equal(of_units(f, FAA_COUNTER_WARPS), warps);
	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_KILLED);
	assert_true(tb_queue_disable(f->queue));
	tb_queue_enable(f->queue);
	f->queue->tail = 0;
	memset(&user.want, 0, sizeof(user.want));
	work(f, &user, 2);
	expect_shown(f, &user);
	assert_int_equal(of_units(f, FAA_COUNTER_WARPS), warps + 2);
}

/* A unit refuses a bad descriptor without the queue's context: the job does not count. */
static void refused_jobs_do_not_count(void **state)
{
	struct fixture *f = *state;
	struct user user = { .queue = f->queue }, other = new_user(f, 1);
	struct faa_job_desc desc;
	uint32_t job;

	work(f, &user, 1);
	work(f, &other, 1);
	desc = tb_desc(user.queue, f->code.va, 8);
	desc.reserved2 = 1;
	job = tb_push(user.queue, &desc);
	tb_doorbell(user.queue);
	assert_true(tb_wait(user.queue, job));
	assert_int_equal(le32toh(tb_status(user.queue, job)->code), FAA_ERROR_BAD_DESCRIPTOR);
	expect_shown(f, &other);
	expect_shown(f, &user);
	assert_int_equal(of_units(f, FAA_COUNTER_JOBS),
			 user.want.of[FAA_COUNTER_JOBS] + other.want.of[FAA_COUNTER_JOBS]);
	assert_true(tb_queue_destroy(other.queue));
}

/* STATE.running and START tell since when a job runs; its record says the same. */
static void the_start_of_a_job_is_shown(void **state)
{
	struct fixture *f = *state;
	uint64_t *flag = f->in.ptr, start = 0;
	uint32_t job, shown = 0;

	f->count += faa_encode_sem_wait(f->words, &f->issue, FAA_SEM_COND_EQ, f->in.va, 1);
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	tb_step(f->host, 5000);
	for (unsigned int cu = 0; cu < f->host->num_cus; cu++) {
		uint32_t value = tb_read(f->host, FAA_REG_CU_STATE(cu));

		if (!(value & FAA_REG_CU_STATE_RUNNING_MASK))
			continue;
		shown++;
		start = tb_read64(f->host, FAA_REG_CU_START_LO(cu));
		assert_int_equal((value & FAA_REG_CU_STATE_QUEUE_MASK) >>
					 FAA_REG_CU_STATE_QUEUE_SHIFT,
				 f->queue->index);
	}
	assert_int_equal(shown, 1);
	*flag = 1;
	assert_true(tb_wait(f->queue, job));
	tb_idle(f->host);
	assert_int_equal(le64toh(tb_status(f->queue, job)->start_cycle), start);
	for (unsigned int cu = 0; cu < f->host->num_cus; cu++)
		assert_int_equal(
			tb_read(f->host, FAA_REG_CU_STATE(cu)) & FAA_REG_CU_STATE_RUNNING_MASK, 0);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(each_queue_has_its_own),
		FIXTURE_TEST(they_move_with_the_queue),
		FIXTURE_TEST(they_go_on_from_the_save_area),
		FIXTURE_TEST(a_fresh_context_begins_with_zero),
		FIXTURE_TEST(units_count_for_all_queues),
		FIXTURE_TEST(units_keep_them_over_their_reset),
		FIXTURE_TEST(refused_jobs_do_not_count),
		FIXTURE_TEST(the_start_of_a_job_is_shown),
	};

	return fixture_main(argc, argv, "counters", tests, sizeof(tests) / sizeof(tests[0]));
}
