// SPDX-License-Identifier: MIT
/*
 * A job that never ends is killed, its queue is dead and reports it, and other queues are not
 * affected.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(timeout)
{
	struct client bad, good;
	struct drm_faa_device_info info;
	int log;
};

FIXTURE_SETUP(timeout)
{
	ASSERT_EQ(0, client_open(&self->bad, 1024));
	ASSERT_EQ(0, client_open(&self->good, 1024));
	ASSERT_EQ(0, device_info(self->bad.fd, &self->info));
	ASSERT_LT(0, self->info.job_timeout_ms);
	ASSERT_LE(self->info.job_timeout_ms, self->info.job_limit_ms);
	self->log = log_open();
	ASSERT_LE(0, self->log);
}

FIXTURE_TEARDOWN(timeout)
{
	EXPECT_EQ(0, client_close(&self->bad));
	EXPECT_EQ(0, client_close(&self->good));
	close(self->log);
}

static int wait_limit(const FIXTURE_DATA(timeout) *self)
{
	return (int)self->info.job_limit_ms + WAIT_MS;
}

/* One round of the good client: adds 1 to its shared memory and checks the sum. */
static int good_round(struct client *c, uint32_t round)
{
	int ret;

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 256, op_none(), op_affine(0, 4), op_imm(1));
	put_lds(c, FAA_TYPE_U32, 256, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(0, 4));
	put_end(c);
	ret = client_run(c, NULL);
	if (ret)
		return ret;
	for (unsigned int i = 0; i < 256; i++)
		if (c->data32[i] != round)
			return -EIO;
	return 0;
}

/*
 * The good client works from before the bad one's job starts until after it was killed. Returns its
 * rounds or an error.
 */
static int work_beside(FIXTURE_DATA(timeout) *self)
{
	const uint64_t end = now_ms() + (uint64_t)wait_limit(self);
	uint32_t round = 0;

	while (now_ms() < end) {
		int ret = good_round(&self->good, ++round);

		if (ret)
			return ret;
		if (!syncobj_wait(self->bad.fd, self->bad.sync, 0))
			return (int)round;
	}
	return -ETIME;
}

/*
 * The kernel log has one line about this process, with the reason for stopping the queue, @why, and
 * the positions of its jobs. The line is complete when the fences have signalled.
 */
static void check_log(struct __test_metadata *_metadata, FIXTURE_DATA(timeout) *self,
		      const char *why, const char *jobs)
{
	const uint64_t end = now_ms() + WAIT_MS;
	char text[64], line[2048] = "";
	int found = 0;

	snprintf(text, sizeof(text), " of timeout[%d] stopped: ", getpid());
	while (!found && now_ms() < end) {
		found = log_find(self->log, text, line, sizeof(line));
		usleep(1000);
	}
	/* No second line: the log of a queue is complete when it is destroyed. */
	EXPECT_EQ(0, queue_destroy(self->bad.fd, self->bad.queue));
	self->bad.queue = 0;
	found += log_find(self->log, text, line, sizeof(line));
	EXPECT_EQ(1, found);
	EXPECT_NE(NULL, strstr(line, why))
	{
		TH_LOG("no \"%s\" in %s", why, line);
	}
	EXPECT_NE(NULL, strstr(line, jobs))
	{
		TH_LOG("no \"%s\" in %s", jobs, line);
	}
}

/* The same for job 1 alone, by byte offset and element. */
static void check_place(struct __test_metadata *_metadata, FIXTURE_DATA(timeout) *self,
			const char *why, unsigned int command, unsigned int element)
{
	char jobs[64];

	snprintf(jobs, sizeof(jobs), ": job 1 at command 0x%x, element %u\n", command, element);
	check_log(_metadata, self, why, jobs);
}

/* The record of job 1 of the bad client, which timed out. */
static void check_dead(struct __test_metadata *_metadata, FIXTURE_DATA(timeout) *self,
		       struct drm_faa_status *status)
{
	struct client *c = &self->bad;
	struct drm_faa_queue_get_state state;
	struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 };

	EXPECT_EQ(-ETIMEDOUT, fence_error(c->fd, c->sync));
	ASSERT_TRUE(client_status(c, 1, status));
	EXPECT_EQ(FAA_ERROR_TIMEOUT, status->code);
	EXPECT_EQ(0, status->lane);
	EXPECT_EQ(0, status->address);
	EXPECT_LT(status->start_cycle, status->end_cycle);
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_TIMEDOUT,
		  state.state & (DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_TIMEDOUT));
	EXPECT_LE(1, state.completed);
	EXPECT_LE(1, state.failed);
	EXPECT_EQ(-ECANCELED, submit(c->fd, c->queue, &job, 1, NULL));
}

/* Commands that end, so that a stream does not hang at its start. Returns their elements. */
static unsigned int put_work(struct client *c)
{
	put_nop(c);
	put_mov(c, FAA_TYPE_U32, 64, op_reg(1), op_imm(1));
	return 64;
}

TEST_F_TIMEOUT(timeout, an_endless_loop, 180)
{
	struct client *c = &self->bad;
	struct drm_faa_status status;
	unsigned int work = put_work(c), at = 8 * c->words;
	uint64_t seqno;
	int rounds;

	put_jump(c, 0);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	rounds = work_beside(self);
	EXPECT_LT(0, rounds)
	{
		TH_LOG("the other client: %d", rounds);
	}
	check_dead(_metadata, self, &status);
	EXPECT_EQ(at, status.command);
	EXPECT_EQ(0, status.element);
	EXPECT_EQ(work, status.elements_retired);
	check_place(_metadata, self, "ms without progress", at, 0);
}

/* An endless loop with progress all the time ends at the job limit. */
TEST_F_TIMEOUT(timeout, an_endless_loop_of_work, 240)
{
	struct client *c = &self->bad;
	struct drm_faa_status status;
	unsigned int work = put_work(c), word = c->words, jump;
	uint64_t seqno, begin = now_ms();

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_imm(0), op_imm(1));
	jump = c->words;
	put_jump(c, (int32_t)word - (int32_t)jump);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, wait_limit(self)));
	/* Not before the job limit, which is longer than the timeout of jobs without progress. */
	ASSERT_LT(self->info.job_timeout_ms, self->info.job_limit_ms);
	EXPECT_LE(self->info.job_limit_ms, now_ms() - begin);
	check_dead(_metadata, self, &status);
	EXPECT_TRUE(status.command == 8 * word || status.command == 8 * jump);
	EXPECT_EQ(0, status.element);
	EXPECT_LT(work + 32, status.elements_retired);
	check_place(_metadata, self, "ms in all", status.command, 0);
}

/* A command of 2^32 elements: the status has the first element that was not executed. */
TEST_F_TIMEOUT(timeout, a_long_command, 240)
{
	struct client *c = &self->bad;
	struct drm_faa_status status;
	unsigned int work = put_work(c), at = 8 * c->words;
	uint64_t seqno;

	put_st(c, FAA_TYPE_U32, 1ULL << 32, op_imm(DATA_VA), op_affine(0, 1));
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, wait_limit(self)));
	check_dead(_metadata, self, &status);
	EXPECT_EQ(at, status.command);
	EXPECT_LT(0, status.element);
	EXPECT_EQ(work + status.element, status.elements_retired);
	EXPECT_EQ(status.element - 1, c->data32[0]);
	check_place(_metadata, self, "ms in all", at, status.element);
}

TEST_F_TIMEOUT(timeout, a_semaphore_that_nobody_signals, 180)
{
	struct client *c = &self->bad;
	struct drm_faa_status status;
	unsigned int work = put_work(c), at = 8 * c->words;
	uint64_t seqno;

	put_sem_wait(c, DATA_VA, 1);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	EXPECT_LT(0, work_beside(self));
	check_dead(_metadata, self, &status);
	EXPECT_EQ(at, status.command);
	EXPECT_EQ(0, status.element);
	EXPECT_EQ(work, status.elements_retired);
	check_place(_metadata, self, "ms without progress", at, 0);
}

/* Streams of a group wait for each other in a circle: the line has the position of each. */
TEST_F_TIMEOUT(timeout, a_group, 180)
{
	struct client *c = &self->bad;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_job jobs[2] = { { 0 } };
	struct drm_faa_status status;
	unsigned int at[2], word;
	char text[128];

	if (self->info.warp_slots < 2)
		SKIP(return, "one warp slot");
	for (unsigned int i = 0; i < 2; i++) {
		word = c->words;
		for (unsigned int k = 0; k <= i; k++)
			put_work(c);
		at[i] = 8 * (c->words - word);
		put_sem_wait(c, DATA_VA + 8 * i, 1);
		put_sem_signal(c, DATA_VA + 8 * !i, 1);
		put_end(c);
		jobs[i].stream_va = STREAM_VA + 8 * word;
		jobs[i].stream_bytes = 8 * (c->words - word);
	}
	jobs[0].flags = DRM_FAA_JOB_TOGETHER;
	jobs[1].syncs = (struct drm_faa_obj_array){ .stride = sizeof(sync),
						    .count = 1,
						    .array = (uintptr_t)&sync };
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, 2, NULL));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, wait_limit(self)));
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_TRUE(client_status(c, 1 + i, &status));
		EXPECT_EQ(FAA_ERROR_TIMEOUT, status.code);
		EXPECT_EQ(at[i], status.command);
		EXPECT_EQ(0, status.element);
		EXPECT_EQ(64 * (i + 1), status.elements_retired);
	}
	snprintf(text, sizeof(text),
		 ": job 1 at command 0x%x, element 0; job 2 at command 0x%x, element 0\n", at[0],
		 at[1]);
	check_log(_metadata, self, "ms without progress", text);
}

/* A program that destroys its queue with a running job causes no line. */
TEST_F(timeout, destroying_a_queue_is_no_timeout)
{
	struct client *c = &self->bad;
	char text[64], line[2048];
	uint64_t seqno;

	put_jump(c, 0);
	ASSERT_EQ(0, client_submit(c, &seqno));
	usleep(10000);
	ASSERT_EQ(0, queue_destroy(c->fd, c->queue));
	c->queue = 0;
	snprintf(text, sizeof(text), "timeout[%d]", getpid());
	EXPECT_EQ(0, log_find(self->log, text, line, sizeof(line)));
}

/* Jobs after the endless one never run. */
TEST_F_TIMEOUT(timeout, jobs_behind_it_are_cancelled, 180)
{
	struct client *c = &self->bad;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL };
	struct drm_faa_queue_get_state state;
	struct drm_faa_status status;
	uint32_t behind[4];
	uint64_t seqno;

	put_jump(c, 0);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	unsigned int word = c->words;

	put_mov(c, FAA_TYPE_U32, 1, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_imm(1));
	put_end(c);
	struct drm_faa_job job = {
		.stream_va = STREAM_VA + 8 * word,
		.stream_bytes = 8 * (c->words - word),
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};

	for (unsigned int i = 0; i < 4; i++) {
		ASSERT_EQ(0, syncobj_create(c->fd, false, &behind[i]));
		sync.handle = behind[i];
		ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, NULL));
	}
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, wait_limit(self)));
	check_dead(_metadata, self, &status);
	EXPECT_EQ(0, status.command);
	for (unsigned int i = 0; i < 4; i++) {
		ASSERT_EQ(0, syncobj_wait(c->fd, behind[i], WAIT_MS));
		EXPECT_EQ(-ECANCELED, fence_error(c->fd, behind[i]));
		ASSERT_TRUE(client_status(c, 2 + i, &status));
		EXPECT_EQ(FAA_ERROR_CANCELLED, status.code);
	}
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(5, state.completed);
	EXPECT_EQ(5, state.failed);
	EXPECT_EQ(1, state.error_seqno);
	EXPECT_EQ(FAA_ERROR_TIMEOUT, state.error_code);
	EXPECT_EQ(0, c->data32[0]);
}

/* The file's other queues, and new ones, still work. */
TEST_F_TIMEOUT(timeout, the_file_can_make_a_new_queue, 180)
{
	struct client *c = &self->bad;
	struct drm_faa_queue_create queue;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.stream_bytes = 8,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};
	uint64_t seqno;

	put_jump(c, 0);
	ASSERT_EQ(0, client_submit(c, &seqno));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, wait_limit(self)));
	ASSERT_EQ(0, queue_create(c->fd, c->vm, 1024, &queue));
	c->words = 0;
	put_end(c);
	ASSERT_EQ(0, submit(c->fd, queue.queue_id, &job, 1, NULL));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	EXPECT_EQ(0, fence_error(c->fd, c->sync));
	EXPECT_EQ(0, queue_destroy(c->fd, queue.queue_id));
	EXPECT_EQ(0, bo_close(c->fd, queue.status_handle));
}

/* More endless jobs than compute units: the good client is served after they were killed. */
TEST_F_TIMEOUT(timeout, every_compute_unit_hangs, 240)
{
	enum { MORE = 4 };
	struct client hogs[MORE];
	uint64_t seqno;

	for (unsigned int i = 0; i < MORE; i++) {
		ASSERT_EQ(0, client_open(&hogs[i], 0));
		put_jump(&hogs[i], 0);
		ASSERT_EQ(0, client_submit(&hogs[i], &seqno));
	}
	for (unsigned int i = 0; i < MORE; i++) {
		EXPECT_EQ(0, syncobj_wait(hogs[i].fd, hogs[i].sync, MORE * wait_limit(self)));
		EXPECT_EQ(-ETIMEDOUT, fence_error(hogs[i].fd, hogs[i].sync));
	}
	EXPECT_EQ(0, good_round(&self->good, 1));
	for (unsigned int i = 0; i < MORE; i++)
		EXPECT_EQ(0, client_close(&hogs[i]));
}

TEST_HARNESS_MAIN
