// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Shares of hardware queues: the number that greedy files and users leave to others. */

#include <kunit/test.h>

#include "faa_share.h"

/* Number of queues of a file that takes as many as it can. */
static unsigned int take(unsigned int total, unsigned int *free, unsigned int *user)
{
	unsigned int file = 0;

	while (faa_share_allows(total, *free, file, *user)) {
		file++;
		(*user)++;
		(*free)--;
	}

	return file;
}

static void a_file_gets_half(struct kunit *test)
{
	unsigned int total;

	for (total = 1; total <= 16; total++) {
		unsigned int free = total, user = 0;

		KUNIT_EXPECT_EQ(test, take(total, &free, &user), total - total / 2);
	}
}

/* Files of one user take as many as they can: each file except the last ones gets one. */
static void a_user_leaves_a_quarter(struct kunit *test)
{
	unsigned int total;

	for (total = 1; total <= 16; total++) {
		unsigned int free = total, user = 0, files;

		for (files = 0; files < 2 * total; files++)
			take(total, &free, &user);
		KUNIT_EXPECT_EQ(test, free, total / 4);
		KUNIT_EXPECT_EQ(test, user, total - total / 4);
	}
}

/* Each user after a greedy one gets a queue as long as any is free. */
static void other_users_get_theirs(struct kunit *test)
{
	unsigned int free = 16, greedy = 0, i;

	for (i = 0; i < 32; i++)
		take(16, &free, &greedy);
	for (i = 0; i < 4; i++) {
		unsigned int user = 0;

		KUNIT_EXPECT_EQ(test, take(16, &free, &user), 1);
	}
	KUNIT_EXPECT_EQ(test, free, 0);
	KUNIT_EXPECT_FALSE(test, faa_share_allows(16, 0, 0, 0));
}

/* Threads that create queues concurrently have first counted them as those of their files. */
static void ending_queues_are_limited(struct kunit *test)
{
	unsigned int making;

	for (making = 1; making < 4; making++)
		KUNIT_EXPECT_TRUE(test, faa_share_ending_allows(0, making));
	KUNIT_EXPECT_TRUE(test, faa_share_ending_allows(FAA_USER_MAX_ENDING - 1, 1));
	KUNIT_EXPECT_FALSE(test, faa_share_ending_allows(FAA_USER_MAX_ENDING, 1));
	KUNIT_EXPECT_TRUE(test, faa_share_ending_allows(FAA_USER_MAX_ENDING + 99, 101));
}

static struct kunit_case faa_share_cases[] = {
	KUNIT_CASE(a_file_gets_half),
	KUNIT_CASE(a_user_leaves_a_quarter),
	KUNIT_CASE(other_users_get_theirs),
	KUNIT_CASE(ending_queues_are_limited),
	{}
};

static struct kunit_suite faa_share_suite = {
	.name = "faa_share",
	.test_cases = faa_share_cases,
};

kunit_test_suite(faa_share_suite);
