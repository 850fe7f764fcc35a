// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The line of a stopped queue has the reason and the times for which it was stopped. */

#include <kunit/test.h>

#include <linux/ktime.h>

#include "faa_queue.h"
#include "faa_report.h"

#define TIMEOUT_MS	2000

/* At second 20; it is later now, as when a queue is stopped late on a busy machine. */
static struct faa_watch found_overdue(enum faa_watch_phase phase, s64 idle_ms, s64 total_ms)
{
	return (struct faa_watch){
		.phase = phase,
		.started = ms_to_ktime(20000 - total_ms),
		.progressed = ms_to_ktime(20000 - idle_ms),
		.looked = ms_to_ktime(20000),
	};
}

static void expect_text(struct kunit *test, struct faa_watch watch, const char *expected)
{
	char text[48];

	faa_report_timeout(&watch, TIMEOUT_MS, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, expected);
}

static void a_job_without_a_unit(struct kunit *test)
{
	expect_text(test, found_overdue(FAA_WATCH_WAITS, 0, 0), "timeout, no compute unit");
}

static void a_job_that_did_not_begin(struct kunit *test)
{
	expect_text(test, found_overdue(FAA_WATCH_BEGINS, 2001, 2001),
		    "timeout, not begun after 2001 ms");
}

static void a_job_that_ran(struct kunit *test)
{
	expect_text(test, found_overdue(FAA_WATCH_RUNS, 2000, 3000),
		    "timeout, 2000 ms without progress");
	expect_text(test, found_overdue(FAA_WATCH_RUNS, 1999, 10000), "timeout, 10000 ms in all");
}

static struct kunit_case faa_report_cases[] = {
	KUNIT_CASE(a_job_without_a_unit),
	KUNIT_CASE(a_job_that_did_not_begin),
	KUNIT_CASE(a_job_that_ran),
	{}
};

static struct kunit_suite faa_report_suite = {
	.name = "faa_report",
	.test_cases = faa_report_cases,
};

kunit_test_suite(faa_report_suite);
