// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The ladder of resets: the lowest rung that may help, one higher for a fault that comes back. */

#include <kunit/test.h>

#include "faa_recover.h"

#define MEMORY_MS	60000

static enum faa_rung next(const struct faa_ladder *ladder, enum faa_rung rung, s64 ms)
{
	return faa_ladder_next(ladder, rung, ms_to_ktime(ms), MEMORY_MS);
}

static void the_first_fault(struct kunit *test)
{
	const struct faa_ladder ladder = {};

	/* Though the host may have been up for less than the memory lasts. */
	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_UNIT, 0), FAA_RUNG_UNIT);
	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_DEVICE, 10), FAA_RUNG_DEVICE);
	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_FUNCTION, 10), FAA_RUNG_FUNCTION);
}

static void a_fault_that_comes_back(struct kunit *test)
{
	struct faa_ladder ladder = { .rung = FAA_RUNG_UNIT, .when = ms_to_ktime(1000) };

	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_UNIT, 1000), FAA_RUNG_DEVICE);
	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_UNIT, 60999), FAA_RUNG_DEVICE);
	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_UNIT, 61000), FAA_RUNG_UNIT);
	/* A higher rung that is needed anyway is not climbed over. */
	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_FUNCTION, 2000), FAA_RUNG_FUNCTION);
	ladder.rung = FAA_RUNG_DEVICE;
	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_UNIT, 2000), FAA_RUNG_FUNCTION);
	ladder.rung = FAA_RUNG_FUNCTION;
	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_UNIT, 2000), FAA_RUNG_WEDGED);
}

static void there_is_nothing_above_the_last_rung(struct kunit *test)
{
	const struct faa_ladder ladder = { .rung = FAA_RUNG_WEDGED, .when = ms_to_ktime(1000) };

	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_UNIT, 1001), FAA_RUNG_WEDGED);
	KUNIT_EXPECT_EQ(test, next(&ladder, FAA_RUNG_WEDGED + 1, 100000), FAA_RUNG_WEDGED);
}

static void without_memory(struct kunit *test)
{
	const struct faa_ladder ladder = { .rung = FAA_RUNG_DEVICE, .when = ms_to_ktime(1000) };

	KUNIT_EXPECT_EQ(test, faa_ladder_next(&ladder, FAA_RUNG_UNIT, ms_to_ktime(1000), 0),
			FAA_RUNG_UNIT);
}

static struct kunit_case faa_recover_cases[] = {
	KUNIT_CASE(the_first_fault),
	KUNIT_CASE(a_fault_that_comes_back),
	KUNIT_CASE(there_is_nothing_above_the_last_rung),
	KUNIT_CASE(without_memory),
	{}
};

static struct kunit_suite faa_recover_suite = {
	.name = "faa_recover",
	.test_cases = faa_recover_cases,
};

kunit_test_suite(faa_recover_suite);
