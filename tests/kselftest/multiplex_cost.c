// SPDX-License-Identifier: MIT
/*
 * The cost of creating a queue, and of SUBMIT to it, is the same with a thousand other queues as
 * without. For a kernel without debugging, whose own costs grow with the number of objects.
 */
#include <stdlib.h>

#include <drm/drm.h>

#include "kselftest_harness.h"

#include "faa_test.h"

enum { OTHERS = 1000 };

static int extra_open(const struct client *c, struct drm_faa_queue_create *queue)
{
	*queue = (struct drm_faa_queue_create){ .vm_id = c->vm,
						.shared_bytes = 128,
						.status_entries = DRM_FAA_MIN_STATUS_ENTRIES };

	return xioctl(c->fd, DRM_IOCTL_FAA_QUEUE_CREATE, queue);
}

static int extra_close(const struct client *c, const struct drm_faa_queue_create *queue)
{
	int ret = queue_destroy(c->fd, queue->queue_id);

	return ret ? ret : bo_close(c->fd, queue->status_handle);
}

FIXTURE(multiplex_cost)
{
	struct client client;
	struct drm_faa_device_info info;
	struct drm_faa_queue_create *extras;
};

FIXTURE_SETUP(multiplex_cost)
{
	ASSERT_EQ(0, client_open(&self->client, 128));
	ASSERT_EQ(0, device_info(self->client.fd, &self->info));
	self->extras = calloc(OTHERS, sizeof(*self->extras));
	ASSERT_NE(NULL, self->extras);
}

FIXTURE_TEARDOWN(multiplex_cost)
{
	free(self->extras);
	EXPECT_EQ(0, client_close(&self->client));
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Median time of creating a queue, ns. */
static uint64_t cost_of_creation(const struct client *c)
{
	enum { TRIES = 31 };
	uint64_t times[TRIES];

	for (unsigned int i = 0; i < TRIES; i++) {
		struct drm_faa_queue_create extra;
		uint64_t begin = now_ns();

		if (extra_open(c, &extra))
			return 0;
		times[i] = now_ns() - begin;
		if (extra_close(c, &extra))
			return 0;
	}
	qsort(times, TRIES, sizeof(times[0]), compare);
	return times[TRIES / 2];
}

/* The time to create a queue does not depend on the number of queues. */
TEST_F_TIMEOUT(multiplex_cost, creation_takes_constant_time, 300)
{
	static const unsigned int others[] = { 1, 100, 1000 };
	struct client *c = &self->client;
	uint64_t cost[3];
	unsigned int n = 0;

	for (unsigned int i = 0; i < 3; i++) {
		while (n + 1 < others[i])
			ASSERT_EQ(0, extra_open(c, &self->extras[n++]));
		cost[i] = cost_of_creation(c);
		ASSERT_NE(0, cost[i]);
		TH_LOG("beside %u queues: %llu us", others[i],
		       (unsigned long long)(cost[i] / 1000));
	}
	/* An increase of a tenth for each hundred queues would double the time. */
	EXPECT_GT(2 * cost[0], cost[2]);
	while (n)
		ASSERT_EQ(0, extra_close(c, &self->extras[--n]));
}

/* Least time of a call of a kind, ns. */
static uint64_t cost_of_version(int fd)
{
	uint64_t least = UINT64_MAX;

	for (unsigned int round = 0; round < 40; round++) {
		uint64_t begin = now_ns(), time;

		for (unsigned int i = 0; i < 50; i++) {
			struct drm_version version = { 0 };

			if (xioctl(fd, DRM_IOCTL_VERSION, &version))
				return 0;
		}
		time = (now_ns() - begin) / 50;
		least = time < least ? time : least;
	}
	return least;
}

static uint64_t cost_of_submit(struct client *c, const struct drm_faa_job *job)
{
	uint64_t least = UINT64_MAX;

	for (unsigned int round = 0; round < 40; round++) {
		uint64_t begin = now_ns(), time;

		for (unsigned int i = 0; i < 50; i++)
			if (submit(c->fd, c->queue, job, 1, NULL))
				return 0;
		time = (now_ns() - begin) / 50;
		least = time < least ? time : least;
		put_end(c);
		if (client_run(c, NULL))
			return 0;
	}
	return least;
}

/*
 * SUBMIT in units of the cheapest call, also beside a thousand queues: its time does not depend on
 * their number.
 */
TEST_F_TIMEOUT(multiplex_cost, submit_takes_constant_time, 300)
{
	struct client *c = &self->client;
	const unsigned int others = self->info.max_queues > OTHERS ? OTHERS :
								     self->info.max_queues - 1;
	uint64_t version, alone, beside;
	struct drm_faa_job job;

	put_end(c);
	job = (struct drm_faa_job){ .stream_va = STREAM_VA, .stream_bytes = 8 * c->words };
	version = cost_of_version(c->fd);
	ASSERT_NE(0, version);
	alone = cost_of_submit(c, &job);
	ASSERT_NE(0, alone);
	for (unsigned int i = 0; i < others; i++)
		ASSERT_EQ(0, extra_open(c, &self->extras[i]));
	beside = cost_of_submit(c, &job);
	TH_LOG("DRM_IOCTL_VERSION %llu ns, SUBMIT %llu ns alone: %llu.%02llu times as much",
	       (unsigned long long)version, (unsigned long long)alone,
	       (unsigned long long)(alone / version),
	       (unsigned long long)(100 * alone / version % 100));
	TH_LOG("SUBMIT %llu ns beside %u queues", (unsigned long long)beside, others);
	EXPECT_GT(3 * alone, 2 * beside);
	for (unsigned int i = 0; i < others; i++)
		ASSERT_EQ(0, extra_close(c, &self->extras[i]));
}

TEST_HARNESS_MAIN
