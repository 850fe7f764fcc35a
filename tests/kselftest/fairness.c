// SPDX-License-Identifier: MIT
/*
 * Waiting for a compute unit is no fault of a job: it runs however long other jobs delay it, and
 * its queue survives. Needs a driver with short limits (module parameters job_timeout_ms and
 * job_limit_ms), otherwise it takes minutes.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

enum { MAX_HOGS = 6 };

FIXTURE(fairness)
{
	struct client hogs[MAX_HOGS];
	struct drm_faa_device_info info;
	unsigned int count;
};

/*
 * A job that runs for 1/32 to 1/16 of the job limit, and makes progress all the time. The margin is
 * for a competing job, which doubles the time, and for machine load that ends after the
 * measurement.
 */
static void put_long_job(struct client *c, uint32_t limit_ms)
{
	uint64_t begin;
	uint32_t count;
	bool enough;

	/* Its duration depends on the machine. */
	for (count = 1024, enough = false; !enough; count *= 2) {
		put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, count, op_none(), op_imm(0),
			  op_imm(1));
		put_end(c);
		begin = now_ms();
		enough = client_run(c, NULL) || now_ms() - begin >= limit_ms / 32;
	}
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, count / 2, op_none(), op_imm(0), op_imm(1));
	put_end(c);
}

FIXTURE_SETUP(fairness)
{
	ASSERT_EQ(0, client_open(&self->hogs[0], 1024));
	ASSERT_EQ(0, device_info(self->hogs[0].fd, &self->info));
	if (self->info.job_limit_ms > 2000)
		SKIP(return, "load the driver with job_limit_ms of at most 2000");
	self->count = self->info.num_cus + 3;
	ASSERT_GE(MAX_HOGS, self->count);
	put_long_job(&self->hogs[0], self->info.job_limit_ms);
	for (unsigned int i = 1; i < self->count; i++) {
		ASSERT_EQ(0, client_open(&self->hogs[i], 1024));
		memcpy(self->hogs[i].stream, self->hogs[0].stream, 8 * self->hogs[0].words);
		self->hogs[i].words = self->hogs[0].words;
	}
}

FIXTURE_TEARDOWN(fairness)
{
	for (unsigned int i = 0; i < self->count; i++)
		EXPECT_EQ(0, client_close(&self->hogs[i]));
	if (!self->count)
		EXPECT_EQ(0, client_close(&self->hogs[0]));
}

/* Fill the rings of the hogs up to @depth unfinished jobs each. */
static int feed(FIXTURE_DATA(fairness) *self, unsigned int depth)
{
	for (unsigned int i = 0; i < self->count; i++) {
		struct client *c = &self->hogs[i];
		struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 * c->words };
		struct drm_faa_queue_get_state state;
		int ret = queue_state(c->fd, c->queue, &state);

		while (!ret && state.submitted - state.completed < depth) {
			ret = submit(c->fd, c->queue, &job, 1, NULL);
			state.submitted++;
		}
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Queues of one priority with full rings. A job is in its ring for a long time, because jobs of its
 * own queue and of others precede it, but waits for a compute unit for a short time only.
 */
TEST_F_TIMEOUT(fairness, a_full_ring_is_no_timeout, 240)
{
	const uint64_t end = now_ms() + 32ull * self->info.job_limit_ms;

	while (now_ms() < end) {
		ASSERT_EQ(0, feed(self, 60));
		usleep(20000);
	}
	for (unsigned int i = 0; i < self->count; i++) {
		struct client *c = &self->hogs[i];
		struct drm_faa_queue_get_state state;

		ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
		EXPECT_EQ(0, state.state);
		EXPECT_EQ(0, state.failed);
		EXPECT_LT(0, state.completed);
	}
}

/*
 * A queue of low priority competes with queues that always have jobs: it is served late, but
 * repeatedly.
 */
TEST_F_TIMEOUT(fairness, a_low_priority_is_served, 240)
{
	struct client *c = &self->hogs[0];
	struct drm_faa_queue_create low = { .vm_id = c->vm, .priority = DRM_FAA_PRIORITY_LOW };
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_queue_get_state state;
	uint64_t end;
	uint32_t job_words = c->words;

	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_QUEUE_CREATE, &low));
	c->words++;
	unsigned int word = c->words;

	put_mov(c, FAA_TYPE_U32, 1, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_imm(1));
	put_end(c);
	struct drm_faa_job job = {
		.stream_va = STREAM_VA + 8ull * word,
		.stream_bytes = 8 * (c->words - word),
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};

	c->words = job_words;
	for (unsigned int round = 0; round < 2; round++) {
		c->data32[0] = 0;
		ASSERT_EQ(0, feed(self, 4));
		ASSERT_EQ(0, submit(c->fd, low.queue_id, &job, 1, NULL));
		end = now_ms() + 60ull * self->info.job_limit_ms;
		while (syncobj_wait(c->fd, c->sync, 5) && now_ms() < end)
			ASSERT_EQ(0, feed(self, 4));
		EXPECT_EQ(0, fence_error(c->fd, c->sync));
		EXPECT_EQ(1, c->data32[0]);
	}
	ASSERT_EQ(0, queue_state(c->fd, low.queue_id, &state));
	EXPECT_EQ(0, state.state);
	for (unsigned int i = 0; i < self->count; i++) {
		ASSERT_EQ(0, queue_state(self->hogs[i].fd, self->hogs[i].queue, &state));
		EXPECT_EQ(0, state.state);
	}
	EXPECT_EQ(0, queue_destroy(c->fd, low.queue_id));
	EXPECT_EQ(0, bo_close(c->fd, low.status_handle));
}

TEST_HARNESS_MAIN
