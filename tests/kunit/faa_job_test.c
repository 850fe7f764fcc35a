// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <kunit/test.h>

#include <linux/sizes.h>

#include <drm/faa_drm.h>

#include "faa_completion.h"
#include "faa_isa.h"
#include "faa_job.h"
#include "faa_sync.h"

static struct drm_faa_job good_job(void)
{
	return (struct drm_faa_job){ .stream_va = SZ_1M, .stream_bytes = 64 };
}

/* Set one field of a good job and check it. */
#define CHECK_WITH(field, value) ({ \
	struct drm_faa_job job_ = good_job(); \
	job_.field = (value); \
	faa_job_check(&job_); \
})

static void jobs_accepted(struct kunit *test)
{
	const u64 end = BIT_ULL(FAA_VA_BITS);

	KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_bytes, 8), 0);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_bytes, U32_MAX - 7), 0);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_va, 0), 0);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_va, end - 64), 0);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(first_element, 32), 0);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(first_element, U32_MAX - 31), 0);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(syncs.count, DRM_FAA_MAX_SYNCS), 0);
}

static void jobs_refused(struct kunit *test)
{
	const u64 end = BIT_ULL(FAA_VA_BITS);
	u32 bit;

	for (bit = 0; bit < 32; bit++) {
		KUNIT_EXPECT_EQ(test, CHECK_WITH(flags, BIT(bit)),
				BIT(bit) == DRM_FAA_JOB_TOGETHER ? 0 : -EINVAL);
		KUNIT_EXPECT_EQ(test, CHECK_WITH(pad, BIT(bit)), -EINVAL);
	}
	for (bit = 0; bit < 3; bit++) {
		KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_va, SZ_1M + BIT(bit)), -EINVAL);
		KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_bytes, 64 + BIT(bit)), -EINVAL);
	}
	KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_bytes, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_va, end - 56), -EINVAL);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_va, end), -EINVAL);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(stream_va, -(u64)64), -EINVAL);
	for (bit = 0; bit < 5; bit++)
		KUNIT_EXPECT_EQ(test, CHECK_WITH(first_element, BIT(bit)), -EINVAL);
	KUNIT_EXPECT_EQ(test, CHECK_WITH(syncs.count, DRM_FAA_MAX_SYNCS + 1), -EINVAL);
}

/* Jobs as a string: '+' is chained to the next one, '.' is not. */
static int check_groups(const char *picture, u32 slots, u32 *last_slot)
{
	struct drm_faa_job jobs[16] = {};
	u32 i, count = strlen(picture);

	for (i = 0; i < count; i++)
		jobs[i].flags = picture[i] == '+' ? DRM_FAA_JOB_TOGETHER : 0;
	*last_slot = faa_job_slot(jobs, count - 1);

	return faa_job_check_groups(jobs, count, slots);
}

static void groups(struct kunit *test)
{
	static const struct {
		const char *picture;
		u32 slots, last_slot;
		int ret;
	} cases[] = {
		{ ".", 1, 0, 0 },
		{ "...", 1, 0, 0 },
		{ "+.", 2, 1, 0 },
		{ "+.+.", 2, 1, 0 },
		{ "+++.", 4, 3, 0 },
		{ ".+++.+++..", 4, 0, 0 },
		{ "+..++.", 3, 2, 0 },
		/* More jobs than slots. */
		{ "+.", 1, 1, -EINVAL },
		{ "++.", 2, 2, -EINVAL },
		{ "++++.", 4, 4, -EINVAL },
		{ "+.++.", 2, 2, -EINVAL },
		{ "++++.", 1, 4, -EINVAL },
		/* The last job of the group is missing. */
		{ "+", 1, 0, -EINVAL },
		{ "+", 4, 0, -EINVAL },
		{ "..+", 4, 0, -EINVAL },
		{ "+.++", 4, 1, -EINVAL },
		{ "+++", 3, 2, -EINVAL },
	};
	u32 i, slot;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_EXPECT_EQ_MSG(test,
				    check_groups(cases[i].picture, cases[i].slots, &slot),
				    cases[i].ret, "%s, %u slots", cases[i].picture,
				    cases[i].slots);
		KUNIT_EXPECT_EQ_MSG(test, slot, cases[i].last_slot, "%s", cases[i].picture);
	}
}

/* The first group in the ring of a stopped queue. */
static void groups_that_may_have_run(struct kunit *test)
{
	/* The device was notified of it, or of jobs after it as well. */
	KUNIT_EXPECT_TRUE(test, faa_group_may_have_run(5, 5, 0));
	KUNIT_EXPECT_TRUE(test, faa_group_may_have_run(5, 8, 0));
	KUNIT_EXPECT_TRUE(test, faa_group_may_have_run(1, 60, 0));
	/* Not complete in the ring, so the device was not notified. */
	KUNIT_EXPECT_FALSE(test, faa_group_may_have_run(5, 4, 0));
	KUNIT_EXPECT_FALSE(test, faa_group_may_have_run(1, 0, 0));
	/* A job before it timed out. */
	KUNIT_EXPECT_FALSE(test, faa_group_may_have_run(5, 8, 4));
	KUNIT_EXPECT_FALSE(test, faa_group_may_have_run(5, 8, 1));
	/* A job of the group itself timed out, and the record of another one was not written. */
	KUNIT_EXPECT_TRUE(test, faa_group_may_have_run(5, 8, 5));
	KUNIT_EXPECT_TRUE(test, faa_group_may_have_run(5, 8, 6));
}

static void queues_that_yield(struct kunit *test)
{
	enum { PRIORITIES = DRM_FAA_PRIORITY_REALTIME + 1 };
	unsigned int waits, priority;

	for (waits = 0; waits < PRIORITIES; waits++) {
		atomic_t starving[PRIORITIES] = {};

		for (priority = 0; priority < PRIORITIES; priority++)
			KUNIT_EXPECT_FALSE(test, faa_sched_must_yield(starving, priority));
		/*
		 * Queues of higher priority yield, those of the same and of lower priority do not.
		 */
		atomic_set(&starving[waits], 2);
		for (priority = 0; priority < PRIORITIES; priority++)
			KUNIT_EXPECT_EQ_MSG(test, faa_sched_must_yield(starving, priority),
					    priority > waits, "priority %u, %u waits", priority,
					    waits);
	}
}

static void syncs(struct kunit *test)
{
	struct drm_faa_sync sync = { .handle = 1 };
	u32 bit;

	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync, "SUBMIT"), 0);
	sync.point = 1;
	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync, "SUBMIT"), -EINVAL);
	sync.flags = DRM_FAA_SYNC_TIMELINE;
	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync, "SUBMIT"), 0);
	sync.flags |= DRM_FAA_SYNC_SIGNAL;
	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync, "SUBMIT"), 0);
	sync.point = 0;
	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync, "SUBMIT"), -EINVAL);
	for (bit = 2; bit < 32; bit++) {
		sync.flags = BIT(bit);
		KUNIT_EXPECT_EQ_MSG(test, faa_sync_check(&sync, "SUBMIT"), -EINVAL, "flag %u", bit);
	}
}

static struct kunit_case faa_job_cases[] = {
	KUNIT_CASE(jobs_accepted),
	KUNIT_CASE(jobs_refused),
	KUNIT_CASE(groups),
	KUNIT_CASE(groups_that_may_have_run),
	KUNIT_CASE(queues_that_yield),
	KUNIT_CASE(syncs),
	{}
};

static struct kunit_suite faa_job_suite = {
	.name = "faa_job",
	.test_cases = faa_job_cases,
};

kunit_test_suite(faa_job_suite);
