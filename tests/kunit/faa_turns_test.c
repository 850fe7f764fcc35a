// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Turns: the queue that gets a hardware queue next, and the one that gives up its own. */

#include <kunit/test.h>

#include "faa_turns.h"

#define SLICE	100
#define MOST	16
#define NEVER	0

static struct faa_turns_queue *make_queues(struct kunit *test, struct faa_turns_file *file,
					   unsigned int count, unsigned int priority)
{
	struct faa_turns_queue *queues;
	unsigned int i;

	queues = kunit_kcalloc(test, count, sizeof(*queues), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, queues);
	for (i = 0; i < count; i++)
		faa_turns_init_queue(&queues[i], file, priority);

	return queues;
}

/* A waiting queue gets a hardware queue. */
static struct faa_turns_queue *start_next(struct faa_turns *turns, unsigned int limit)
{
	struct faa_turns_queue *queue = faa_turns_next(turns, limit, NEVER);

	if (queue) {
		faa_turns_remove(turns, queue);
		queue->file->running++;
		atomic64_set(&queue->cycles, 0);
	}

	return queue;
}

/* The limit of a file keeps all compute units busy, whatever its demand. */
static void limit_keeps_units_busy(struct kunit *test)
{
	static const struct {
		unsigned int demand[4], files, cus, limit;
	} cases[] = {
		{ { 500 }, 1, 2, MOST },
		{ { 500, 1 }, 2, 2, 1 },
		{ { 500, 500 }, 2, 2, 1 },
		{ { 500, 1 }, 2, 8, 7 },
		{ { 500, 2 }, 2, 3, 2 },
		{ { 500, 500, 1 }, 3, 3, 1 },
		{ { 500, 500, 1 }, 3, 8, 4 },
		{ { 500, 500, 500, 500 }, 4, 2, 1 },
		{ { 1, 1 }, 2, 8, MOST },
		{ { 0 }, 0, 2, MOST },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, cases[i].limit,
				    faa_turns_limit(cases[i].demand, cases[i].files, cases[i].cus,
						    MOST), "case %u", i);
}

/* In a file: the highest priority, then the longest waiting queue; an overdue one before all. */
static void order_within_a_file(struct kunit *test)
{
	struct faa_turns_queue *low, *high;
	struct faa_turns_file file;
	struct faa_turns turns;

	faa_turns_init(&turns);
	faa_turns_init_file(&file);
	low = make_queues(test, &file, 2, DRM_FAA_PRIORITY_LOW);
	high = make_queues(test, &file, 2, DRM_FAA_PRIORITY_NORMAL);
	faa_turns_add(&turns, &low[0], 1);
	faa_turns_add(&turns, &high[0], 2);
	faa_turns_add(&turns, &high[1], 3);
	faa_turns_add(&turns, &low[1], 4);
	/* A queue that waits keeps its position. */
	faa_turns_add(&turns, &high[0], 9);
	KUNIT_EXPECT_EQ(test, turns.waiting, 4);

	KUNIT_EXPECT_PTR_EQ(test, faa_turns_next(&turns, MOST, 2), &low[0]);
	KUNIT_EXPECT_PTR_EQ(test, start_next(&turns, MOST), &high[0]);
	KUNIT_EXPECT_PTR_EQ(test, start_next(&turns, MOST), &high[1]);
	KUNIT_EXPECT_PTR_EQ(test, start_next(&turns, MOST), &low[0]);
	KUNIT_EXPECT_PTR_EQ(test, start_next(&turns, MOST), &low[1]);
	KUNIT_EXPECT_NULL(test, start_next(&turns, MOST));
	KUNIT_EXPECT_EQ(test, turns.waiting, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&turns.files));
}

/* A file at its limit gets no more, and one that has used fewer cycles comes first. */
static void order_of_files(struct kunit *test)
{
	struct faa_turns_file many, few;
	struct faa_turns_queue *a, *b;
	struct faa_turns turns;

	faa_turns_init(&turns);
	faa_turns_init_file(&many);
	faa_turns_init_file(&few);
	a = make_queues(test, &many, 3, DRM_FAA_PRIORITY_NORMAL);
	b = make_queues(test, &few, 1, DRM_FAA_PRIORITY_LOW);
	faa_turns_add(&turns, &a[0], 1);
	faa_turns_add(&turns, &a[1], 1);
	KUNIT_EXPECT_PTR_EQ(test, start_next(&turns, 1), &a[0]);
	KUNIT_EXPECT_NULL(test, start_next(&turns, 1));
	faa_turns_charge(&a[0], 1000);
	/* Priorities apply within a file. */
	faa_turns_add(&turns, &b[0], 5);
	KUNIT_EXPECT_PTR_EQ(test, start_next(&turns, 2), &b[0]);
	KUNIT_EXPECT_PTR_EQ(test, start_next(&turns, 2), &a[1]);
}

/* A file does not accumulate credit during a pause. */
static void pauses_are_not_saved(struct kunit *test)
{
	struct faa_turns_queue *a, *b;
	struct faa_turns_file busy, late;
	struct faa_turns turns;

	faa_turns_init(&turns);
	faa_turns_init_file(&busy);
	faa_turns_init_file(&late);
	a = make_queues(test, &busy, 1, DRM_FAA_PRIORITY_NORMAL);
	b = make_queues(test, &late, 1, DRM_FAA_PRIORITY_NORMAL);
	faa_turns_charge(&a[0], 100000);
	faa_turns_add(&turns, &a[0], 1);
	start_next(&turns, 1);
	faa_turns_add(&turns, &b[0], 2);
	KUNIT_EXPECT_EQ(test, atomic64_read(&late.used), 100000);
}

/* A queue yields at the end of its slice, or at once to a higher priority, once for each waiter. */
static void a_turn_ends(struct kunit *test)
{
	struct faa_turns_queue *first, *urgent, *low;
	struct faa_turns_file file;
	struct faa_turns turns;

	faa_turns_init(&turns);
	faa_turns_init_file(&file);
	first = make_queues(test, &file, 2, DRM_FAA_PRIORITY_NORMAL);
	urgent = make_queues(test, &file, 1, DRM_FAA_PRIORITY_HIGH);
	low = make_queues(test, &file, 1, DRM_FAA_PRIORITY_LOW);
	faa_turns_add(&turns, &first[0], 1);
	start_next(&turns, 1);

	/* No queue waits. */
	faa_turns_charge(&first[0], SLICE);
	KUNIT_EXPECT_FALSE(test, faa_turns_displaced(&first[0], SLICE, 1, NEVER));
	/* One of lower priority waits, then is overdue. */
	faa_turns_add(&turns, &low[0], 2);
	KUNIT_EXPECT_FALSE(test, faa_turns_displaced(&first[0], SLICE, 1, NEVER));
	KUNIT_EXPECT_TRUE(test, faa_turns_displaced(&first[0], SLICE, 1, 3));
	/* One of the same priority waits. */
	faa_turns_add(&turns, &first[1], 3);
	KUNIT_EXPECT_TRUE(test, faa_turns_displaced(&first[0], SLICE, 1, NEVER));
	KUNIT_EXPECT_FALSE(test, faa_turns_displaced(&first[0], SLICE + 1, 1, NEVER));
	/* The file may run one more queue, so no queue has to yield. */
	KUNIT_EXPECT_FALSE(test, faa_turns_displaced(&first[0], SLICE, 2, NEVER));
	/* One of higher priority waits. */
	faa_turns_add(&turns, &urgent[0], 4);
	KUNIT_EXPECT_TRUE(test, faa_turns_displaced(&first[0], SLICE + 1, 1, NEVER));
	/* One that was overdue gets a full slice. */
	file.running = 0;
	KUNIT_EXPECT_PTR_EQ(test, faa_turns_next(&turns, 1, 3), &low[0]);
	faa_turns_remove(&turns, &low[0]);
	file.running = 1;
	KUNIT_EXPECT_FALSE(test, faa_turns_displaced(&low[0], SLICE, 1, NEVER));
	faa_turns_charge(&low[0], SLICE);
	KUNIT_EXPECT_TRUE(test, faa_turns_displaced(&low[0], SLICE, 1, NEVER));
	KUNIT_EXPECT_TRUE(test, faa_turns_displaced(&low[0], SLICE, 2, NEVER));
	faa_turns_add(&turns, &low[0], 5);
	/* As many queues are leaving as are waiting. */
	file.leaving = 3;
	KUNIT_EXPECT_FALSE(test, faa_turns_displaced(&first[0], SLICE, 1, NEVER));
}

/* Two files on two units, one with 500 queues that are always busy: each gets half. */
static void five_hundred_beside_one(struct kunit *test)
{
	struct faa_turns_queue *a, *b, *on[2] = {};
	const unsigned int demand[] = { 500, 1 };
	struct faa_turns_file many, one;
	unsigned int limit, i, step, least = UINT_MAX, most = 0, *turns_of;
	struct faa_turns turns;

	faa_turns_init(&turns);
	faa_turns_init_file(&many);
	faa_turns_init_file(&one);
	a = make_queues(test, &many, 500, DRM_FAA_PRIORITY_NORMAL);
	b = make_queues(test, &one, 1, DRM_FAA_PRIORITY_NORMAL);
	turns_of = kunit_kcalloc(test, 500, sizeof(*turns_of), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, turns_of);
	for (i = 0; i < 500; i++)
		faa_turns_add(&turns, &a[i], i);
	faa_turns_add(&turns, &b[0], 500);
	limit = faa_turns_limit(demand, 2, 2, MOST);
	for (step = 0; step < 100000; step++) {
		for (i = 0; i < 2; i++) {
			if (on[i] && faa_turns_displaced(on[i], SLICE, limit, NEVER)) {
				on[i]->file->running--;
				faa_turns_add(&turns, on[i], step);
				on[i] = NULL;
			}
			if (!on[i]) {
				on[i] = start_next(&turns, limit);
				if (on[i] && on[i] != b)
					turns_of[on[i] - a]++;
			}
			if (on[i])
				faa_turns_charge(on[i], 10);
		}
	}
	KUNIT_EXPECT_EQ(test, atomic64_read(&one.used), atomic64_read(&many.used));
	for (i = 0; i < 500; i++) {
		least = min(least, turns_of[i]);
		most = max(most, turns_of[i]);
	}
	KUNIT_EXPECT_GE(test, least, 1);
	KUNIT_EXPECT_LE(test, most - least, 1);
}

static struct kunit_case faa_turns_cases[] = {
	KUNIT_CASE(limit_keeps_units_busy),
	KUNIT_CASE(order_within_a_file),
	KUNIT_CASE(order_of_files),
	KUNIT_CASE(pauses_are_not_saved),
	KUNIT_CASE(a_turn_ends),
	KUNIT_CASE(five_hundred_beside_one),
	{}
};

static struct kunit_suite faa_turns_suite = {
	.name = "faa_turns",
	.test_cases = faa_turns_cases,
};

kunit_test_suite(faa_turns_suite);
