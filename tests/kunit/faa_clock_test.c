// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Conversion of device cycles to host time: exact at its marks, monotonic, bounded in size. */

#include <kunit/test.h>

#include <linux/slab.h>

#include "faa_clock.h"

static struct faa_clock *clock_alloc(struct kunit *test)
{
	struct faa_clock *clock = kunit_kzalloc(test, sizeof(*clock), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, clock);
	return clock;
}

static void linear_between_marks(struct kunit *test)
{
	struct faa_clock *clock = clock_alloc(test);

	KUNIT_EXPECT_EQ(test, faa_clock_ns(clock, 123), 0);
	faa_clock_mark(clock, 1000, 50000);
	KUNIT_EXPECT_EQ(test, faa_clock_ns(clock, 1), 50000);
	KUNIT_EXPECT_EQ(test, faa_clock_ns(clock, 2000), 50000);
	faa_clock_mark(clock, 2000, 60000);
	faa_clock_mark(clock, 2100, 160000);
	KUNIT_EXPECT_EQ(test, faa_clock_ns(clock, 1500), 55000);
	KUNIT_EXPECT_EQ(test, faa_clock_ns(clock, 2000), 60000);
	KUNIT_EXPECT_EQ(test, faa_clock_ns(clock, 2050), 110000);
	KUNIT_EXPECT_EQ(test, faa_clock_ns(clock, U64_MAX), 160000);
	KUNIT_EXPECT_EQ(test, faa_clock_cycle(clock, 55000), 1500);
	KUNIT_EXPECT_EQ(test, faa_clock_cycle(clock, 110000), 2050);
	KUNIT_EXPECT_EQ(test, faa_clock_cycle(clock, 0), 1000);
}

static void earlier_moments_change_nothing(struct kunit *test)
{
	struct faa_clock *clock = clock_alloc(test);

	faa_clock_mark(clock, 1000, 50000);
	faa_clock_mark(clock, 2000, 60000);
	faa_clock_mark(clock, 1500, 90000);
	faa_clock_mark(clock, 2500, 60000);
	faa_clock_mark(clock, 0, 0);
	KUNIT_EXPECT_EQ(test, clock->count, 2);
	KUNIT_EXPECT_EQ(test, faa_clock_ns(clock, 1500), 55000);
}

/* Values of 64 bits: a year in nanoseconds, and as many cycles of 4 GHz. */
static void large_values(struct kunit *test)
{
	struct faa_clock *clock = clock_alloc(test);
	const u64 year = 31536000ULL * 1000000000ULL;

	faa_clock_mark(clock, 0, year);
	faa_clock_mark(clock, 4 * year, 2 * year);
	KUNIT_EXPECT_EQ(test, faa_clock_ns(clock, 2 * year), year + year / 2);
	KUNIT_EXPECT_EQ(test, faa_clock_cycle(clock, year + year / 4), year);
}

/* A clock of irregular rate with many more marks than it can store. */
static void thinned_but_monotonic(struct kunit *test)
{
	struct faa_clock *clock = clock_alloc(test);
	u64 cycle, last = 0;
	unsigned int i;

	for (i = 0; i < 100 * FAA_CLOCK_MARKS; i++) {
		cycle = 10ULL * i + (i % 7);
		faa_clock_mark(clock, cycle, 1000ULL * i);
		KUNIT_ASSERT_LE(test, clock->count, FAA_CLOCK_MARKS);
		KUNIT_ASSERT_EQ(test, faa_clock_ns(clock, cycle), 1000ULL * i);
	}
	/* The newer half is exact, and all times ascend. */
	for (i = 0; i < 100 * FAA_CLOCK_MARKS; i++) {
		u64 ns = faa_clock_ns(clock, 10ULL * i + (i % 7));

		KUNIT_ASSERT_GE(test, ns, last);
		if (i + FAA_CLOCK_MARKS / 2 >= 100 * FAA_CLOCK_MARKS)
			KUNIT_ASSERT_EQ(test, ns, 1000ULL * i);
		/* The error is everywhere at most a small part of the age. */
		KUNIT_ASSERT_LE(test, abs_diff(ns, 1000ULL * i),
				1000ULL * (100 * FAA_CLOCK_MARKS - i) / 16 + 1000);
		last = ns;
	}
}

static struct kunit_case faa_clock_cases[] = {
	KUNIT_CASE(linear_between_marks),
	KUNIT_CASE(earlier_moments_change_nothing),
	KUNIT_CASE(large_values),
	KUNIT_CASE(thinned_but_monotonic),
	{}
};

static struct kunit_suite faa_clock_suite = {
	.name = "faa_clock",
	.test_cases = faa_clock_cases,
};

kunit_test_suite(faa_clock_suite);
