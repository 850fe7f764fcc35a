// SPDX-License-Identifier: MIT
/*
 * The cost of creating a queue, and of SUBMIT to it, is the same with a thousand other queues as
 * without. Cost is the number of places of driver, DRM and scheduler that the call reaches, a loop
 * counted as often as it runs; times would be those of the host. Needs CONFIG_KCOV (the debug
 * flavour).
 */
#include <stdlib.h>

#include <drm/drm.h>

#include "kselftest_harness.h"

#include "faa_coverage.h"
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
	struct coverage coverage;
};

FIXTURE_SETUP(multiplex_cost)
{
	if (access("/sys/kernel/debug/kcov", F_OK))
		SKIP(return, "the kernel has no KCOV");
	ASSERT_EQ(0, client_open(&self->client, 128));
	ASSERT_EQ(0, device_info(self->client.fd, &self->info));
	self->extras = calloc(OTHERS, sizeof(*self->extras));
	ASSERT_NE(NULL, self->extras);
	ASSERT_EQ(0, coverage_open(&self->coverage));
}

FIXTURE_TEARDOWN(multiplex_cost)
{
	coverage_close(&self->coverage);
	free(self->extras);
	EXPECT_EQ(0, client_close(&self->client));
}

/* Places that creating a queue reaches; 0 if it fails. */
static unsigned long cost_of_creation(struct client *c, const struct coverage *coverage)
{
	struct drm_faa_queue_create extra;
	unsigned long cost;

	if (coverage_start(coverage))
		return 0;
	if (extra_open(c, &extra)) {
		coverage_stop(coverage);
		return 0;
	}
	cost = coverage_stop(coverage);
	return extra_close(c, &extra) ? 0 : cost;
}

/* Places that a call of a kind reaches; 0 if it fails. */
static unsigned long cost_of_version(struct client *c, const struct coverage *coverage)
{
	struct drm_version version = { 0 };
	unsigned long cost;
	int ret;

	if (coverage_start(coverage))
		return 0;
	ret = xioctl(c->fd, DRM_IOCTL_VERSION, &version);
	cost = coverage_stop(coverage);
	return ret ? 0 : cost;
}

static unsigned long cost_of_submit(struct client *c, const struct coverage *coverage)
{
	struct drm_faa_job job = { .stream_va = STREAM_VA };
	unsigned long cost;
	int ret;

	put_end(c);
	job.stream_bytes = 8 * c->words;
	if (coverage_start(coverage))
		return 0;
	ret = submit(c->fd, c->queue, &job, 1, NULL);
	cost = coverage_stop(coverage);
	/* The next one finds an idle queue, too. */
	return ret || client_run(c, NULL) ? 0 : cost;
}

/*
 * The least cost of several calls, because an interrupt may add to one. The first call may allocate
 * what later ones find.
 */
static unsigned long cost_of(unsigned long (*call)(struct client *c,
						   const struct coverage *coverage),
			     struct client *c, const struct coverage *coverage)
{
	enum { TRIES = 8 };
	unsigned long least = COVERAGE_WORDS, cost;

	for (unsigned int i = 0; i < TRIES; i++) {
		cost = call(c, coverage);
		if (!cost)
			return 0;
		least = cost < least ? cost : least;
	}
	return least;
}

static void check_constant(struct __test_metadata *_metadata, FIXTURE_DATA(multiplex_cost) *self,
			   const char *name,
			   unsigned long (*call)(struct client *c, const struct coverage *coverage))
{
	const unsigned int most = self->info.max_queues > OTHERS ? OTHERS :
								   self->info.max_queues - 2;
	const unsigned int others[] = { 1, 100, most };
	unsigned long cost[3];
	unsigned int n = 0;

	for (unsigned int i = 0; i < 3; i++) {
		while (n + 1 < others[i]) {
			ASSERT_EQ(0, extra_open(&self->client, &self->extras[n]));
			n++;
		}
		cost[i] = cost_of(call, &self->client, &self->coverage);
		ASSERT_NE(0, cost[i]);
		ASSERT_GT(COVERAGE_WORDS - 1, cost[i]);
		TH_LOG("%s with %u queues: %lu places", name, others[i], cost[i]);
	}
	/* One place for each ten other queues would be more. */
	EXPECT_GT(cost[0] + most / 10, cost[2]);
	while (n)
		ASSERT_EQ(0, extra_close(&self->client, &self->extras[--n]));
}

TEST_F_TIMEOUT(multiplex_cost, creation_takes_constant_time, 300)
{
	check_constant(_metadata, self, "QUEUE_CREATE", cost_of_creation);
}

TEST_F_TIMEOUT(multiplex_cost, submit_takes_constant_time, 300)
{
	TH_LOG("VERSION: %lu places", cost_of(cost_of_version, &self->client, &self->coverage));
	check_constant(_metadata, self, "SUBMIT", cost_of_submit);
}

TEST_HARNESS_MAIN
