// SPDX-License-Identifier: MIT
/*
 * Faults at random while eight processes work: resets of compute units, of all of them, and of the
 * function. Shared memory of a queue that continues is checked word by word after each job; a queue
 * that does not continue says so. Needs CONFIG_FAULT_INJECTION (the debug flavour) and
 * fault_memory_ms=0.
 *
 * FAA_FAULTS: how many, default 40. FAA_SEED: of all choices.
 */
#include <stdio.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"
#include "faa_load.h"

FIXTURE(load)
{
	struct load load;
	struct client client;
	int node;
	uint64_t seed;
};

FIXTURE_SETUP(load)
{
	if (access("/proc/self/fail-nth", F_OK))
		SKIP(return, "the kernel has no fault injection");
	self->seed = env_number("FAA_SEED", 1);
	ASSERT_EQ(0, load_start(&self->load, self->seed, true));
	ASSERT_EQ(0, client_open(&self->client, 0));
	self->node = drm_minor(self->client.fd);
	ASSERT_LE(0, self->node);
	/* Invalidations of this process alone fail. */
	ASSERT_EQ(0, write_file("/proc/self/make-it-fail", "1"));
	ASSERT_EQ(0, fault_set(self->node, "tlb_inv", "task-filter", "1"));
}

FIXTURE_TEARDOWN(load)
{
	EXPECT_EQ(0, client_close(&self->client));
}

/* An invalidation of our own fails: it is repeated after the reset. */
static void inject_here(struct __test_metadata *_metadata, FIXTURE_DATA(load) *self)
{
	struct client *c = &self->client;

	ASSERT_EQ(0, vm_map(c->fd, c->vm, c->data_bo, 0, DATA_VA + DATA_BYTES, PAGE, 0));
	ASSERT_EQ(0, fault_arm(self->node, "tlb_inv", "1"));
	EXPECT_EQ(0, vm_unmap(c->fd, c->vm, DATA_VA + DATA_BYTES, PAGE));
	EXPECT_EQ(1, fault_is_over(self->node, "tlb_inv"));
}

/* Some worker meets a fault. */
static void inject_there(struct __test_metadata *_metadata, FIXTURE_DATA(load) *self,
			 const char *attribute)
{
	const uint64_t end = now_ms() + WAIT_MS;

	ASSERT_EQ(0, fault_arm(self->node, attribute, "1"));
	while (fault_is_over(self->node, attribute) != 1 && now_ms() < end)
		usleep(1000);
	EXPECT_EQ(1, fault_is_over(self->node, attribute));
}

/* The ways in which the resets fail that it leads to are drawn, too. */
static void inject(struct __test_metadata *_metadata, FIXTURE_DATA(load) *self)
{
	const unsigned int which = random_next(&self->seed) % 3;

	if (random_next(&self->seed) % 2)
		ASSERT_EQ(0, fault_arm(self->node, "device_reset", "1"));
	if (random_next(&self->seed) % 2)
		ASSERT_EQ(0, fault_arm(self->node, "cu_reset", "1"));
	if (which)
		inject_there(_metadata, self, which == 1 ? "disable" : "kill");
	else
		inject_here(_metadata, self);
	ASSERT_EQ(0, fault_set(self->node, "device_reset", "probability", "0"));
	ASSERT_EQ(0, fault_set(self->node, "cu_reset", "probability", "0"));
}

TEST_F_TIMEOUT(load, with_faults, 3000)
{
	const uint64_t faults = env_number("FAA_FAULTS", 40);
	unsigned int worker = 0;

	for (uint64_t i = 0; i < faults; i++)
		inject(_metadata, self);
	EXPECT_EQ(0, load_stop(&self->load, &worker))
	{
		TH_LOG("worker %u", worker);
	}
	printf("# %u jobs with the right data, %u whose queue lost its context\n",
	       load_jobs(&self->load), load_lost(&self->load));
}

TEST_HARNESS_MAIN
