// SPDX-License-Identifier: MIT
/* Files of the device in debugfs: its queues, mappings, and atomic operations on memory. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

/* No other queue has this size of shared memory. */
#define SHARED 384

FIXTURE(debugfs)
{
	struct client client;
	char *text;
};

FIXTURE_SETUP(debugfs)
{
	ASSERT_EQ(0, client_open(&self->client, SHARED));
}

FIXTURE_TEARDOWN(debugfs)
{
	free(self->text);
	EXPECT_EQ(0, client_close(&self->client));
}

/* Whether a file has @wanted; the text remains for messages. */
static bool shows(FIXTURE_DATA(debugfs) *self, const char *name, const char *wanted)
{
	free(self->text);
	self->text = debugfs_read(self->client.fd, name);
	return self->text && strstr(self->text, wanted);
}

TEST_F(debugfs, a_queue_with_its_jobs)
{
	struct client *c = &self->client;
	char wanted[128];

	snprintf(wanted, sizeof(wanted), " -: queue ");
	EXPECT_TRUE(shows(self, "queues", wanted))
	{
		TH_LOG("no queue without a hardware queue in '%s'", self->text);
	}
	for (unsigned int i = 0; i < 3; i++) {
		put_end(c);
		ASSERT_EQ(0, client_run(c, NULL));
	}
	snprintf(wanted, sizeof(wanted),
		 "shared %u submitted 3 ended 3 failed 0 resets 0 state 0x0\n", SHARED);
	EXPECT_TRUE(shows(self, "queues", wanted))
	{
		TH_LOG("'%s' is not in '%s'", wanted, self->text);
	}
}

TEST_F(debugfs, a_job_that_runs)
{
	const uint64_t end = now_ms() + WAIT_MS;
	struct client *c = &self->client;
	bool found;

	put_jump(c, 0);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, NULL));
	do {
		found = shows(self, "queues",
			      "submitted 1 ended 0 failed 0 resets 0 state 0x0 busy with group ");
	} while (!found && now_ms() < end);
	EXPECT_TRUE(found)
	{
		TH_LOG("no busy queue in '%s'", self->text);
	}
}

TEST_F(debugfs, mappings_of_a_vm)
{
	static const uint64_t mapped[] = { STREAM_VA, DATA_VA };
	char wanted[32];

	for (unsigned int i = 0; i < 2; i++) {
		snprintf(wanted, sizeof(wanted), "| 0x%016" PRIx64 " |", mapped[i]);
		EXPECT_TRUE(shows(self, "gpuvas", wanted))
		{
			TH_LOG("'%s' is not in '%s'", wanted, self->text);
		}
	}
}

TEST_F(debugfs, atomic_operations_of_memory)
{
	char word[3][4] = { 0 };
	int words;

	ASSERT_TRUE(shows(self, "atomic_ops", "64 bit: "));
	words = sscanf(self->text, "32 bit: %3s\n64 bit: %3s\n128 bit: %3s\n", word[0], word[1],
		       word[2]);
	ASSERT_EQ(3, words);
	for (unsigned int i = 0; i < 3; i++)
		EXPECT_TRUE(!strcmp(word[i], "yes") || !strcmp(word[i], "no"));
}

TEST_HARNESS_MAIN
