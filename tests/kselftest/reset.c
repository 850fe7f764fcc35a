// SPDX-License-Identifier: MIT
/*
 * A compute unit that does not stop for a kill is reset, without the rest of the device. Needs a
 * device with the defect "deaf" (FAA_VDEV_OPTS=--defect=deaf); without it the first test fails.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(reset)
{
	struct client client, other;
	struct drm_faa_device_info info;
	int log;
};

FIXTURE_SETUP(reset)
{
	ASSERT_EQ(0, client_open(&self->client, 1024));
	ASSERT_EQ(0, client_open(&self->other, 1024));
	ASSERT_EQ(0, device_info(self->client.fd, &self->info));
	self->log = log_open();
	ASSERT_LE(0, self->log);
}

FIXTURE_TEARDOWN(reset)
{
	EXPECT_EQ(0, client_close(&self->client));
	EXPECT_EQ(0, client_close(&self->other));
	close(self->log);
}

/* The other client's queue, whose shared memory counts its jobs. */
static void check_other(struct __test_metadata *_metadata, FIXTURE_DATA(reset) *self, uint32_t jobs)
{
	struct client *c = &self->other;
	struct drm_faa_queue_get_state state;

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_affine(0, 4), op_imm(1));
	put_lds(c, FAA_TYPE_U32, 32, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(0, 4));
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	for (unsigned int i = 0; i < 32; i++)
		EXPECT_EQ(jobs, c->data32[i]);
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(0, state.state);
	EXPECT_EQ(0, state.resets);
}

TEST_F_TIMEOUT(reset, of_a_job_that_timed_out, 200)
{
	struct client *c = &self->client;
	struct drm_faa_queue_get_state state;
	struct drm_faa_status status;
	char line[2048] = "";
	uint64_t seqno, end;

	check_other(_metadata, self, 1);
	put_jump(c, 0);
	ASSERT_EQ(0, client_submit(c, &seqno));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, (int)self->info.job_timeout_ms + WAIT_MS));
	EXPECT_EQ(-ETIMEDOUT, fence_error(c->fd, c->sync));
	ASSERT_TRUE(client_status(c, 1, &status));
	EXPECT_EQ(FAA_ERROR_TIMEOUT, status.code);
	/* The reset ends the job; the kernel counts it after the compute unit is ready again. */
	for (end = now_ms() + 5000; now_ms() < end; usleep(1000)) {
		ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
		if (state.resets)
			break;
	}
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_TIMEDOUT |
			  DRM_FAA_QUEUE_STATE_RESET,
		  state.state);
	EXPECT_EQ(1, state.resets);
	EXPECT_EQ(FAA_ERROR_TIMEOUT, state.error_code);
	/* The log is complete when the queue is destroyed. */
	EXPECT_EQ(0, queue_destroy(c->fd, c->queue));
	c->queue = 0;
	EXPECT_EQ(1, log_find(self->log, "compute unit reset", line, sizeof(line)));
	check_other(_metadata, self, 2);
}

/* The unit that was reset serves new queues. */
TEST_F_TIMEOUT(reset, of_a_queue_that_is_destroyed, 200)
{
	const uint64_t begin = now_ms();
	struct client *c = &self->client;
	uint64_t seqno;

	check_other(_metadata, self, 1);
	for (unsigned int i = 0; i <= self->info.num_cus; i++) {
		struct client next;

		ASSERT_EQ(0, client_open(&next, 0));
		put_jump(&next, 0);
		ASSERT_EQ(0, client_submit(&next, &seqno));
		usleep(10000);
		EXPECT_EQ(0, client_close(&next));
	}
	/*
	 * The waits for a kill and a reset take a second each at most; no wait takes the timeout of
	 * a job.
	 */
	EXPECT_GT(2000 * (self->info.num_cus + 2), now_ms() - begin);
	put_end(c);
	EXPECT_EQ(0, client_run(c, NULL));
	check_other(_metadata, self, 2);
}

TEST_HARNESS_MAIN
