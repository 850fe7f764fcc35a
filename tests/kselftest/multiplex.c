// SPDX-License-Identifier: MIT
/*
 * More queues than the device has: each gets turns with its registers and shared memory, and
 * compute units are shared between files, not between queues.
 *
 * FAA_QUEUES: queues of the first test, default: the limit of a file. FAA_SHARE_CYCLES: cycles of
 * compute units over which shares are measured.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

enum {
	ALL = 1024,
	JOBS = 10,
	MANY = 500,
	SHARED = 128,
	ENTRIES = DRM_FAA_MIN_STATUS_ENTRIES,
};

/* A queue in addition to that of the client; signals @sync. */
struct extra {
	struct drm_faa_queue_create queue;
	uint32_t sync;
};

static int extra_open(const struct client *c, struct extra *extra, uint32_t priority)
{
	*extra = (struct extra){ .queue = { .vm_id = c->vm,
					    .priority = priority,
					    .shared_bytes = SHARED,
					    .status_entries = ENTRIES } };
	int ret = xioctl(c->fd, DRM_IOCTL_FAA_QUEUE_CREATE, &extra->queue);

	return ret ? ret : syncobj_create(c->fd, false, &extra->sync);
}

static int extra_close(const struct client *c, const struct extra *extra)
{
	int ret = queue_destroy(c->fd, extra->queue.queue_id);

	if (!ret)
		ret = bo_close(c->fd, extra->queue.status_handle);
	return ret ? ret : syncobj_destroy(c->fd, extra->sync);
}

/* The stream of the client from word @from on, as a job. */
static struct drm_faa_job job_from(const struct client *c, unsigned int from)
{
	return (struct drm_faa_job){ .stream_va = STREAM_VA + 8ull * from,
				     .stream_bytes = 8 * (c->words - from) };
}

/* Cycles of compute units that a file has used. */
static uint64_t cycles_of(int fd)
{
	return fdinfo_number(fd, "drm-cycles-rmw");
}

FIXTURE(multiplex)
{
	struct client client;
	struct drm_faa_device_info info;
	struct extra *extras;
};

FIXTURE_SETUP(multiplex)
{
	ASSERT_EQ(0, client_open(&self->client, SHARED));
	ASSERT_EQ(0, device_info(self->client.fd, &self->info));
	self->extras = calloc(ALL, sizeof(*self->extras));
	ASSERT_NE(NULL, self->extras);
}

FIXTURE_TEARDOWN(multiplex)
{
	free(self->extras);
	EXPECT_EQ(0, client_close(&self->client));
}

/*
 * All queues of a file have jobs at the same time. Each counts in shared memory, and has the
 * address of the sum in a register, so the result is right only if its context is restored in each
 * turn.
 */
TEST_F_TIMEOUT(multiplex, all_queues_of_a_file_end_their_jobs, 4000)
{
	struct client *c = &self->client;
	const unsigned int count = env_number("FAA_QUEUES", self->info.max_queues) - 1;
	struct drm_faa_queue_get_state state;
	struct drm_faa_job jobs[JOBS], count_up;
	uint64_t begin;

	ASSERT_GE(ALL, count + 1);
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, op_reg(5), op_imm(0), op_imm(1));
	put_st(c, FAA_TYPE_U32, 1, op_reg(10), op_reg(5));
	put_end(c);
	count_up = job_from(c, 0);
	for (unsigned int i = 0; i < count; i++)
		ASSERT_EQ(0, extra_open(c, &self->extras[i], DRM_FAA_PRIORITY_NORMAL));
	begin = now_ms();
	for (unsigned int i = 0; i < count; i++) {
		struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL,
					     .handle = self->extras[i].sync };
		unsigned int from = c->words;

		put_mov(c, FAA_TYPE_U64, 1, op_reg(10), op_imm(DATA_VA + 4ull * i));
		put_end(c);
		jobs[0] = job_from(c, from);
		c->data32[i] = ~0u;
		for (unsigned int k = 1; k < JOBS; k++)
			jobs[k] = count_up;
		jobs[JOBS - 1].syncs = (struct drm_faa_obj_array){ .stride = sizeof(sync),
								   .count = 1,
								   .array = (uintptr_t)&sync };
		ASSERT_EQ(0, submit(c->fd, self->extras[i].queue.queue_id, jobs, JOBS, NULL));
	}
	for (unsigned int i = 0; i < count; i++) {
		/* All end at about the same time: the first takes as long as all together. */
		ASSERT_EQ(0, syncobj_wait(c->fd, self->extras[i].sync, (10 + count) * WAIT_MS))
		{
			TH_LOG("queue %u of %u", i, count);
		}
		EXPECT_EQ(0, fence_error(c->fd, self->extras[i].sync));
		EXPECT_EQ(JOBS - 2, c->data32[i]);
		ASSERT_EQ(0, queue_state(c->fd, self->extras[i].queue.queue_id, &state));
		EXPECT_EQ(JOBS, state.completed);
		EXPECT_EQ(0, state.failed);
	}
	TH_LOG("%u queues, %u jobs each, %u compute units, %u hardware queues: %llu ms", count,
	       JOBS, self->info.num_cus, self->info.num_queues,
	       (unsigned long long)(now_ms() - begin));
	for (unsigned int i = 0; i < count; i++)
		ASSERT_EQ(0, extra_close(c, &self->extras[i]));
}

/* Queues that are used one at a time, in turns; more of them than hardware queues. */
TEST_F_TIMEOUT(multiplex, idle_queues_come_back_with_their_contexts, 300)
{
	struct client *c = &self->client;
	const unsigned int count = 2 * self->info.num_queues + 1, rounds = 3;
	struct drm_faa_job job;

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, op_stream(DATA_VA, FAA_TYPE_U32, 4),
		  op_imm(4), op_imm(1));
	put_end(c);
	job = job_from(c, 0);
	for (unsigned int i = 0; i < count; i++)
		ASSERT_EQ(0, extra_open(c, &self->extras[i], i % 2));
	for (unsigned int round = 0; round < rounds; round++) {
		for (unsigned int i = 0; i < count; i++) {
			struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL,
						     .handle = self->extras[i].sync };

			job.syncs = (struct drm_faa_obj_array){ .stride = sizeof(sync),
								.count = 1,
								.array = (uintptr_t)&sync };
			ASSERT_EQ(0, submit(c->fd, self->extras[i].queue.queue_id, &job, 1, NULL));
			ASSERT_EQ(0, syncobj_wait(c->fd, self->extras[i].sync, WAIT_MS));
			EXPECT_EQ(round, c->data32[0]);
		}
	}
	for (unsigned int i = 0; i < count; i++)
		ASSERT_EQ(0, extra_close(c, &self->extras[i]));
}

/*
 * One queue more than compute units, so that each job waits for contexts to move. On a device that
 * needs longer than the job timeout for that (suite 61) no queue is stopped: its job has not begun.
 */
TEST_F_TIMEOUT(multiplex, contexts_that_move_slowly, 300)
{
	struct client *c = &self->client;
	const unsigned int count = self->info.num_cus + 1, rounds = 2;
	struct drm_faa_queue_get_state state;
	struct drm_faa_job job;

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, op_stream(DATA_VA, FAA_TYPE_U32, 4),
		  op_imm(4), op_imm(1));
	put_end(c);
	job = job_from(c, 0);
	for (unsigned int i = 0; i < count; i++)
		ASSERT_EQ(0, extra_open(c, &self->extras[i], DRM_FAA_PRIORITY_NORMAL));
	for (unsigned int i = 0; i < rounds * count; i++) {
		const struct extra *extra = &self->extras[i % count];
		struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = extra->sync };

		job.syncs = (struct drm_faa_obj_array){ .stride = sizeof(sync),
							.count = 1,
							.array = (uintptr_t)&sync };
		ASSERT_EQ(0, submit(c->fd, extra->queue.queue_id, &job, 1, NULL));
		ASSERT_EQ(0, syncobj_wait(c->fd, extra->sync, WAIT_MS));
		EXPECT_EQ(0, fence_error(c->fd, extra->sync));
		EXPECT_EQ(i / count, c->data32[0]);
		ASSERT_EQ(0, queue_state(c->fd, extra->queue.queue_id, &state));
		EXPECT_EQ(0, state.state);
	}
	for (unsigned int i = 0; i < count; i++)
		ASSERT_EQ(0, extra_close(c, &self->extras[i]));
}

/* Fill a queue up to @depth unfinished jobs. */
static int feed(int fd, uint32_t queue, const struct drm_faa_job *job, unsigned int depth)
{
	struct drm_faa_job jobs[ENTRIES];
	struct drm_faa_queue_get_state state;
	int ret = queue_state(fd, queue, &state);
	unsigned int count;

	if (ret || state.submitted - state.completed >= depth)
		return ret;
	count = depth - (state.submitted - state.completed);
	for (unsigned int i = 0; i < count; i++)
		jobs[i] = *job;
	return submit(fd, queue, jobs, count, NULL);
}

/*
 * A file with many busy queues competes with a file with one: each gets half of two compute units,
 * measured in cycles of their jobs. The many queues have more jobs than can run in the time. Jobs
 * of the one are longer, so that its queue has some even if this program has to wait for the host;
 * if it had none all the same, the measurement begins anew.
 */
TEST_F_TIMEOUT(multiplex, files_share_not_queues, 800)
{
	struct client *c = &self->client, one;
	const uint64_t least = env_number("FAA_SHARE_CYCLES", 4000000);
	uint64_t mine, others, both, first_mine, first_others;
	struct drm_faa_queue_get_state state;
	struct drm_faa_job job, longer;

	if (self->info.num_cus != 2)
		SKIP(return, "for two compute units");
	ASSERT_EQ(0, client_open(&one, SHARED));
	for (unsigned int i = 0; i < 2; i++) {
		struct client *to = i ? &one : c;

		put_atoms(to, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, i ? (uint32_t)(least / 8) : 100000,
			  op_none(), op_imm(0), op_imm(1));
		put_end(to);
	}
	job = job_from(c, 0);
	longer = job_from(&one, 0);
	for (unsigned int i = 0; i < MANY; i++) {
		ASSERT_EQ(0, extra_open(c, &self->extras[i], DRM_FAA_PRIORITY_NORMAL));
		ASSERT_EQ(0, feed(c->fd, self->extras[i].queue.queue_id, &job, ENTRIES));
	}
	/* Jobs that were in the device before the second file had any have ended by then. */
	do {
		ASSERT_EQ(0, feed(one.fd, one.queue, &longer, ENTRIES));
	} while (cycles_of(one.fd) < least / 8);
	first_mine = cycles_of(one.fd);
	first_others = cycles_of(c->fd);
	do {
		ASSERT_EQ(0, queue_state(one.fd, one.queue, &state));
		ASSERT_EQ(0, feed(one.fd, one.queue, &longer, ENTRIES));
		/* Reading those of many queues takes long: the one's are from before and after. */
		mine = cycles_of(one.fd);
		others = cycles_of(c->fd) - first_others;
		mine = (mine + cycles_of(one.fd)) / 2 - first_mine;
		if (state.submitted == state.completed) {
			first_mine += mine;
			first_others += others;
			mine = 0;
			others = 0;
		}
	} while (mine + others < least);
	for (unsigned int i = 0; i < MANY; i++) {
		ASSERT_EQ(0, queue_state(c->fd, self->extras[i].queue.queue_id, &state));
		EXPECT_EQ(0, state.failed)
		{
			TH_LOG("queue %u: job %llu, error %u at 0x%llx", i,
			       (unsigned long long)state.error_seqno, state.error_code,
			       (unsigned long long)state.error_address);
		}
	}
	both = mine + others;
	TH_LOG("1 queue: %llu cycles, %u queues: %llu cycles, share of the one %llu.%llu %%",
	       (unsigned long long)mine, MANY, (unsigned long long)others,
	       (unsigned long long)(100 * mine / both),
	       (unsigned long long)(1000 * mine / both % 10));
	EXPECT_LE(45 * both, 100 * mine);
	EXPECT_GE(60 * both, 100 * mine);
	/*
	 * Waits for the queues in reverse: each hanging job has to be killed before another queue
	 * gets its turn.
	 */
	for (unsigned int i = MANY; i--;)
		ASSERT_EQ(0, extra_close(c, &self->extras[i]));
	EXPECT_EQ(0, client_close(&one));
}

/* More hanging queues than hardware queues: each is stopped, and others get their turns. */
TEST_F_TIMEOUT(multiplex, hanging_queues_give_theirs_up, 300)
{
	struct client *c = &self->client;
	const unsigned int count = self->info.num_queues + 2;
	struct drm_faa_queue_get_state state;
	unsigned int from;
	struct drm_faa_job hang, good;

	if (self->info.job_timeout_ms > 3000)
		SKIP(return, "load the driver with job_timeout_ms of at most 3000");
	put_jump(c, 0);
	put_end(c);
	hang = job_from(c, 0);
	from = c->words;
	put_mov(c, FAA_TYPE_U32, 1, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_imm(77));
	put_end(c);
	good = job_from(c, from);
	for (unsigned int i = 0; i < count; i++) {
		ASSERT_EQ(0, extra_open(c, &self->extras[i], DRM_FAA_PRIORITY_NORMAL));
		ASSERT_EQ(0, submit(c->fd, self->extras[i].queue.queue_id, &hang, 1, NULL));
	}
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };

	good.syncs = (struct drm_faa_obj_array){ .stride = sizeof(sync),
						 .count = 1,
						 .array = (uintptr_t)&sync };
	ASSERT_EQ(0, submit(c->fd, c->queue, &good, 1, NULL));
	EXPECT_EQ(0, syncobj_wait(c->fd, c->sync, 4 * WAIT_MS));
	EXPECT_EQ(77, c->data32[0]);
	for (unsigned int i = 0; i < count; i++) {
		for (unsigned int tries = 0; tries < 1000; tries++) {
			ASSERT_EQ(0, queue_state(c->fd, self->extras[i].queue.queue_id, &state));
			if (state.completed)
				break;
			usleep(100000);
		}
		EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_TIMEDOUT, state.state);
		ASSERT_EQ(0, extra_close(c, &self->extras[i]));
	}
}

/* A program that is killed while many of its queues have jobs leaks no queue. */
TEST_F_TIMEOUT(multiplex, of_a_program_that_is_killed, 300)
{
	struct client *c = &self->client;
	int status;

	for (unsigned int round = 0; round < 4; round++) {
		int ready[2];
		char byte;
		pid_t pid;

		ASSERT_EQ(0, pipe(ready));
		pid = fork();
		if (!pid) {
			struct client own;
			struct drm_faa_job job;
			struct extra extra;

			if (client_open(&own, SHARED))
				_exit(1);
			put_atoms(&own, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 2000, op_none(), op_imm(0),
				  op_imm(1));
			put_end(&own);
			job = job_from(&own, 0);
			for (unsigned int i = 0; i < 100; i++)
				if (extra_open(&own, &extra, i % 2) ||
				    feed(own.fd, extra.queue.queue_id, &job, 8))
					_exit(1);
			if (write(ready[1], "", 1) != 1)
				_exit(1);
			pause();
		}
		close(ready[1]);
		EXPECT_EQ(1, read(ready[0], &byte, 1));
		close(ready[0]);
		usleep(1000 * (round + 1));
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		put_end(c);
		EXPECT_EQ(0, client_run(c, NULL));
	}
}

TEST_HARNESS_MAIN
