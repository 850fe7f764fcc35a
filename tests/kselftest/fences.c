// SPDX-License-Identifier: MIT
/* Fences of a queue signal in its order. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

/* Rounds; in each the job becomes ready at a different time while its queue stops. */
#define ROUNDS 30

FIXTURE(fences)
{
	char address[64];
	int timeline;
};

FIXTURE_SETUP(fences)
{
	ASSERT_EQ(0, faa_pci_address(self->address, sizeof(self->address)));
	self->timeline = sw_sync_open();
	if (self->timeline < 0)
		SKIP(return, "no sw_sync");
}

FIXTURE_TEARDOWN(fences)
{
	if (self->timeline >= 0)
		close(self->timeline);
}

/* A job at the start of the stream that may wait for @in, and signals @out. */
static int submit_with(struct client *c, uint32_t in, uint32_t out)
{
	struct drm_faa_sync syncs[2] = {
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = out },
		{ .handle = in },
	};
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.stream_bytes = 8 * c->words,
		.syncs = { .stride = sizeof(syncs[0]),
			   .count = in ? 2 : 1,
			   .array = (uintptr_t)syncs },
	};

	return submit(c->fd, c->queue, &job, 1, NULL);
}

/* A syncobj with the fence that signals when the timeline reaches @value. */
static int import_fence(struct client *c, int timeline, uint32_t value, uint32_t *handle)
{
	int fence = sw_sync_fence(timeline, value);
	int ret = fence < 0 ? fence : syncobj_create(c->fd, false, handle);

	if (!ret)
		ret = fence_import(c->fd, *handle, fence);
	close(fence);
	return ret;
}

/** struct moment - time at which a job becomes ready */
struct moment {
	int timeline;
	unsigned int after_us;
	pthread_barrier_t start;
};

static void *make_ready(void *arg)
{
	struct moment *moment = arg;

	pthread_barrier_wait(&moment->start);
	usleep(moment->after_us);
	sw_sync_advance(moment->timeline, 1);
	return NULL;
}

/*
 * The second job becomes ready, after some time, while its queue is stopped with the first job
 * running. Its fence represents both in reservations, so it must not signal before the first fence.
 */
static void check_order(struct __test_metadata *_metadata, FIXTURE_DATA(fences) *self,
			uint32_t round, unsigned int after_us, bool unbind)
{
	struct moment moment = { .timeline = self->timeline, .after_us = after_us };
	uint32_t ready, last;
	pthread_t thread;
	struct client c;
	int first, second;

	ASSERT_EQ(0, pthread_barrier_init(&moment.start, NULL, 2));
	ASSERT_EQ(0, client_open(&c, 1024));
	put_jump(&c, 0);
	ASSERT_EQ(0, submit_with(&c, 0, c.sync));
	ASSERT_EQ(0, import_fence(&c, self->timeline, round + 1, &ready));
	ASSERT_EQ(0, syncobj_create(c.fd, false, &last));
	ASSERT_EQ(0, submit_with(&c, ready, last));
	first = fence_fd(c.fd, c.sync);
	second = fence_fd(c.fd, last);
	ASSERT_LE(0, first);
	ASSERT_LE(0, second);
	ASSERT_EQ(0, pthread_create(&thread, NULL, make_ready, &moment));
	pthread_barrier_wait(&moment.start);
	if (unbind) {
		ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/faa/unbind", self->address));
	} else {
		ASSERT_EQ(0, queue_destroy(c.fd, c.queue));
		c.queue = 0;
	}
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(unbind ? -ENODEV : -ECANCELED, fence_fd_wait(first, WAIT_MS));
	EXPECT_GT(0, fence_fd_wait(second, WAIT_MS));
	EXPECT_LT(0, fence_fd_time(first));
	EXPECT_LE(fence_fd_time(first), fence_fd_time(second))
	{
		TH_LOG("round %u: the second fence signalled %llu ns before", round,
		       (unsigned long long)(fence_fd_time(first) - fence_fd_time(second)));
	}
	close(first);
	close(second);
	client_close(&c);
	if (unbind)
		ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/faa/bind", self->address));
}

TEST_F_TIMEOUT(fences, signal_in_order_at_destroy, 300)
{
	for (uint32_t round = 0; round < ROUNDS; round++)
		check_order(_metadata, self, round, round * 100, false);
}

TEST_F_TIMEOUT(fences, signal_in_order_at_unbind, 300)
{
	for (uint32_t round = 0; round < ROUNDS; round++)
		check_order(_metadata, self, round, round * 500, true);
}

TEST_HARNESS_MAIN
