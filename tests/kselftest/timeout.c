/* SPDX-License-Identifier: MIT */
/* A job that never ends: it is killed, its queue is dead and says so, the other queues notice nothing. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(timeout)
{
	struct client bad, good;
	struct drm_faa_device_info info;
};

FIXTURE_SETUP(timeout)
{
	ASSERT_EQ(0, client_open(&self->bad, 1024));
	ASSERT_EQ(0, client_open(&self->good, 1024));
	ASSERT_EQ(0, device_info(self->bad.fd, &self->info));
	ASSERT_LT(0, self->info.job_timeout_ms);
	ASSERT_LE(self->info.job_timeout_ms, self->info.job_limit_ms);
}

FIXTURE_TEARDOWN(timeout)
{
	EXPECT_EQ(0, client_close(&self->bad));
	EXPECT_EQ(0, client_close(&self->good));
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

/* The good client works from before until after the bad one's job has been killed. Returns its rounds or an error. */
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

static void check_dead(struct __test_metadata *_metadata, FIXTURE_DATA(timeout) *self)
{
	struct client *c = &self->bad;
	struct drm_faa_queue_get_state state;
	struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 };
	struct drm_faa_status status;

	EXPECT_EQ(-ETIMEDOUT, fence_error(c->fd, c->sync));
	ASSERT_TRUE(client_status(c, 1, &status));
	EXPECT_TRUE(status.code == FAA_ERROR_TIMEOUT || status.code == FAA_ERROR_KILLED ||
		    status.code == FAA_ERROR_CU_RESET)
	{
		TH_LOG("status code %u", status.code);
	}
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_TIMEDOUT,
		  state.state & (DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_TIMEDOUT));
	EXPECT_LE(1, state.completed);
	EXPECT_LE(1, state.failed);
	EXPECT_EQ(-ECANCELED, submit(c->fd, c->queue, &job, 1, NULL));
}

TEST_F_TIMEOUT(timeout, an_endless_loop, 180)
{
	struct client *c = &self->bad;
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
	check_dead(_metadata, self);
}

/* An endless loop that makes progress all the time ends at the hard limit. */
TEST_F_TIMEOUT(timeout, an_endless_loop_of_work, 240)
{
	struct client *c = &self->bad;
	uint64_t seqno, begin = now_ms();

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_imm(0), op_imm(1));
	put_jump(c, -(int32_t)c->words);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, wait_limit(self)));
	/* Not before the shorter limit, which is for jobs without progress. */
	EXPECT_LE(self->info.job_timeout_ms, now_ms() - begin);
	check_dead(_metadata, self);
}

TEST_F_TIMEOUT(timeout, a_semaphore_that_nobody_signals, 180)
{
	struct client *c = &self->bad;
	uint64_t seqno;

	put_sem_wait(c, DATA_VA, 1);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	EXPECT_LT(0, work_beside(self));
	check_dead(_metadata, self);
}

/* What waits behind the endless job never runs. */
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
	check_dead(_metadata, self);
	for (unsigned int i = 0; i < 4; i++) {
		ASSERT_EQ(0, syncobj_wait(c->fd, behind[i], WAIT_MS));
		EXPECT_EQ(-ECANCELED, fence_error(c->fd, behind[i]));
		ASSERT_TRUE(client_status(c, 2 + i, &status));
		EXPECT_EQ(FAA_ERROR_CANCELLED, status.code);
	}
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(5, state.completed);
	EXPECT_EQ(5, state.failed);
	EXPECT_EQ(5, state.error_seqno);
	EXPECT_EQ(0, c->data32[0]);
}

/* The file's other queues, and new ones, work on. */
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

/* As many endless jobs as there are compute units, and more: the good client is served when they have gone. */
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
