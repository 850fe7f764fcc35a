// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* A job without progress is overdue in time and in cycles of the device. */

#include <kunit/test.h>

#include "faa_reset.h"

#define TIMEOUT_MS	2000
#define CYCLES		16384

/* Progress was seen at second 1, in cycle 5000. */
static const struct faa_watch begin = {
	.progressed = 1000 * NSEC_PER_MSEC,
	.mark = 5000,
	.cycle = 5000,
};

static bool stuck(struct faa_watch *watch, s64 ms, u64 cycle)
{
	return faa_watch_is_stuck(watch, ms_to_ktime(ms), cycle, TIMEOUT_MS, CYCLES);
}

/* Hardware has many cycles in the time. */
static void a_fast_device(struct kunit *test)
{
	struct faa_watch watch = begin;

	KUNIT_EXPECT_FALSE(test, stuck(&watch, 1500, 5000 + 50 * 1000 * 1000));
	KUNIT_EXPECT_FALSE(test, stuck(&watch, 2999, 5000 + 199 * 1000 * 1000));
	KUNIT_EXPECT_TRUE(test, stuck(&watch, 3000, 5000 + 200 * 1000 * 1000));
}

static void a_slow_device(struct kunit *test)
{
	struct faa_watch watch = begin;
	s64 ms;

	/* 400 cycles a second */
	for (ms = 1500; ms < 41960; ms += 500)
		KUNIT_EXPECT_FALSE(test, stuck(&watch, ms, 5000 + (ms - 1000) * 400 / 1000));
	KUNIT_EXPECT_FALSE(test, stuck(&watch, 41960, 5000 + CYCLES - 1));
	KUNIT_EXPECT_TRUE(test, stuck(&watch, 41961, 5000 + CYCLES));
}

/* The clock of the device never ran, or stops. */
static void a_device_that_stands_still(struct kunit *test)
{
	struct faa_watch watch = begin;

	KUNIT_EXPECT_FALSE(test, stuck(&watch, 2999, 5000));
	KUNIT_EXPECT_TRUE(test, stuck(&watch, 3000, 5000));

	watch = begin;
	KUNIT_EXPECT_FALSE(test, stuck(&watch, 2500, 5400));
	KUNIT_EXPECT_FALSE(test, stuck(&watch, 3000, 5401));
	KUNIT_EXPECT_TRUE(test, stuck(&watch, 3500, 5401));
}

static struct kunit_case faa_reset_cases[] = {
	KUNIT_CASE(a_fast_device),
	KUNIT_CASE(a_slow_device),
	KUNIT_CASE(a_device_that_stands_still),
	{}
};

static struct kunit_suite faa_reset_suite = {
	.name = "faa_reset",
	.test_cases = faa_reset_cases,
};

kunit_test_suite(faa_reset_suite);
