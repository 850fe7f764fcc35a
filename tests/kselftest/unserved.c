// SPDX-License-Identifier: MIT
/*
 * A queue that the device leaves waiting for a compute unit although no other queue has a job: its
 * jobs are ended, so fences always signal. Needs a device with the defect "unserved"
 * (FAA_VDEV_OPTS=--defect=unserved) and a driver with a short job limit.
 */
#include <errno.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

/* Job limits for which the driver lets a job wait for a compute unit: FAA_WAIT_LIMITS. */
#define WAIT_LIMITS 16

FIXTURE(unserved)
{
	struct client client;
	struct drm_faa_device_info info;
	struct drm_faa_queue_create low;
	int log;
};

FIXTURE_SETUP(unserved)
{
	struct client *c = &self->client;

	ASSERT_EQ(0, client_open(c, 0));
	ASSERT_EQ(0, device_info(c->fd, &self->info));
	ASSERT_GE(2000, self->info.job_limit_ms);
	self->low =
		(struct drm_faa_queue_create){ .vm_id = c->vm, .priority = DRM_FAA_PRIORITY_LOW };
	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_QUEUE_CREATE, &self->low));
	self->log = log_open();
	ASSERT_LE(0, self->log);
}

FIXTURE_TEARDOWN(unserved)
{
	struct client *c = &self->client;

	EXPECT_EQ(0, bo_close(c->fd, self->low.status_handle));
	EXPECT_EQ(0, client_close(c));
	close(self->log);
}

/*
 * Submit a job to the queue of low priority, which would write 1 to the first word. Its stream is
 * in the second half of the buffer.
 */
static int submit_low(FIXTURE_DATA(unserved) *self, uint32_t done)
{
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = done };
	const unsigned int first = STREAM_BYTES / 16;
	struct drm_faa_job job = {
		.stream_va = STREAM_VA + 8 * first,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};

	c->words = first;
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8), op_imm(1));
	put_end(c);
	job.stream_bytes = 8 * (c->words - first);
	c->words = 0;
	return submit(c->fd, self->low.queue_id, &job, 1, NULL);
}

/* The queue was stopped after the longest allowed wait, and its job has not run. */
static void check_stopped(struct __test_metadata *_metadata, FIXTURE_DATA(unserved) *self,
			  uint32_t done, uint64_t waited)
{
	struct client *c = &self->client;
	struct drm_faa_queue_get_state state;
	char line[512] = "";

	EXPECT_LE((uint64_t)WAIT_LIMITS * self->info.job_limit_ms, waited);
	EXPECT_EQ(-ETIMEDOUT, fence_error(c->fd, done));
	EXPECT_EQ(0, c->data64[0]);
	ASSERT_EQ(0, queue_state(c->fd, self->low.queue_id, &state));
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_TIMEDOUT, state.state);
	EXPECT_EQ(FAA_ERROR_TIMEOUT, state.error_code);
	EXPECT_EQ(-ECANCELED, submit_low(self, done));
	/* The log is complete when the queue is destroyed. */
	ASSERT_EQ(0, queue_destroy(c->fd, self->low.queue_id));
	EXPECT_EQ(1, log_find(self->log, "stopped: timeout, no compute unit", line, sizeof(line)));
	/* Other queues are served, now as before. */
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 8, FAA_TYPE_U64, 8), op_imm(7));
	put_end(c);
	EXPECT_EQ(0, client_run(c, NULL));
	EXPECT_EQ(7, c->data64[1]);
}

TEST_F_TIMEOUT(unserved, stopped_when_it_waits_alone, 200)
{
	struct client *c = &self->client;
	uint64_t begin;

	/* A queue whose jobs have ended does not compete. */
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	begin = now_ms();
	ASSERT_EQ(0, submit_low(self, c->sync));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync,
				  WAIT_LIMITS * (int)self->info.job_limit_ms + WAIT_MS));
	check_stopped(_metadata, self, c->sync, now_ms() - begin);
}

/* Other queues, which are held back to give it a turn, continue after it was stopped. */
TEST_F_TIMEOUT(unserved, holds_others_back_until_it_is_stopped, 200)
{
	struct client *c = &self->client;
	const uint64_t begin = now_ms();
	unsigned int jobs = 0;
	uint32_t done;

	ASSERT_EQ(0, syncobj_create(c->fd, false, &done));
	ASSERT_EQ(0, submit_low(self, done));
	while (syncobj_wait(c->fd, done, 0)) {
		ASSERT_GE(WAIT_LIMITS * self->info.job_limit_ms + WAIT_MS, now_ms() - begin);
		put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 16, FAA_TYPE_U64, 8),
			op_imm(++jobs));
		put_end(c);
		ASSERT_EQ(0, client_run(c, NULL));
		ASSERT_EQ(jobs, c->data64[2]);
	}
	check_stopped(_metadata, self, done, now_ms() - begin);
	EXPECT_LT(1, jobs);
	EXPECT_EQ(0, syncobj_destroy(c->fd, done));
}

TEST_HARNESS_MAIN
