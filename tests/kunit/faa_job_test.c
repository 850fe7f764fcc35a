// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <kunit/test.h>

#include <linux/sizes.h>

#include "faa_drm.h"
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
		KUNIT_EXPECT_EQ(test, CHECK_WITH(flags, BIT(bit)), -EINVAL);
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

static void syncs(struct kunit *test)
{
	struct drm_faa_sync sync = { .handle = 1 };
	u32 bit;

	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync), 0);
	sync.point = 1;
	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync), -EINVAL);
	sync.flags = DRM_FAA_SYNC_TIMELINE;
	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync), 0);
	sync.flags |= DRM_FAA_SYNC_SIGNAL;
	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync), 0);
	sync.point = 0;
	KUNIT_EXPECT_EQ(test, faa_sync_check(&sync), -EINVAL);
	for (bit = 2; bit < 32; bit++) {
		sync.flags = BIT(bit);
		KUNIT_EXPECT_EQ_MSG(test, faa_sync_check(&sync), -EINVAL, "flag %u", bit);
	}
}

static struct kunit_case faa_job_cases[] = {
	KUNIT_CASE(jobs_accepted),
	KUNIT_CASE(jobs_refused),
	KUNIT_CASE(syncs),
	{}
};

static struct kunit_suite faa_job_suite = {
	.name = "faa_job",
	.test_cases = faa_job_cases,
};

kunit_test_suite(faa_job_suite);
