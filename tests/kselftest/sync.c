// SPDX-License-Identifier: MIT
/*
 * Syncobjs and timelines of SUBMIT: waits, signals, batches, other queues, other files, sync files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define ROUNDS	51
#define TICK_NS 10000000ull

FIXTURE(sync)
{
	struct client a, b;
	uint32_t obj;
};

FIXTURE_SETUP(sync)
{
	ASSERT_EQ(0, client_open(&self->a, 0));
	ASSERT_EQ(0, client_open(&self->b, 0));
	ASSERT_EQ(0, syncobj_create(self->a.fd, false, &self->obj));
	put_end(&self->a);
	put_end(&self->b);
}

FIXTURE_TEARDOWN(sync)
{
	EXPECT_EQ(0, client_close(&self->a));
	EXPECT_EQ(0, client_close(&self->b));
}

/* Submit the stream's words [first, words) with these syncs. */
static int submit_with(struct client *c, unsigned int first, const struct drm_faa_sync *syncs,
		       uint32_t count)
{
	struct drm_faa_job job = {
		.stream_va = STREAM_VA + 8ull * first,
		.stream_bytes = 8 * (c->words - first),
		.syncs = { .stride = sizeof(*syncs), .count = count, .array = (uintptr_t)syncs },
	};

	return submit(c->fd, c->queue, &job, 1, NULL);
}

static int compare_times(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* A second queue of the same file and VM. */
static uint32_t second_queue(struct client *c)
{
	struct drm_faa_queue_create queue;

	return queue_create(c->fd, c->vm, 0, &queue) ? 0 : queue.queue_id;
}

static uint32_t share(int from, uint32_t handle, int to)
{
	struct drm_syncobj_handle args = { .handle = handle, .fd = -1 };

	if (xioctl(from, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &args))
		return 0;
	args.handle = 0;
	if (xioctl(to, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &args))
		args.handle = 0;
	close(args.fd);
	return args.handle;
}

TEST_F(sync, a_wait_needs_a_fence)
{
	struct drm_faa_sync sync = { .handle = self->obj };
	struct drm_faa_queue_get_state state;

	EXPECT_EQ(-EINVAL, submit_with(&self->a, 0, &sync, 1));
	sync.flags = DRM_FAA_SYNC_TIMELINE;
	sync.point = 1;
	EXPECT_EQ(-EINVAL, submit_with(&self->a, 0, &sync, 1));
	ASSERT_EQ(0, timeline_signal(self->a.fd, self->obj, 5));
	sync.point = 6;
	EXPECT_EQ(-EINVAL, submit_with(&self->a, 0, &sync, 1));
	sync.point = 5;
	EXPECT_EQ(0, submit_with(&self->a, 0, &sync, 1));
	ASSERT_EQ(0, queue_state(self->a.fd, self->a.queue, &state));
	EXPECT_EQ(1, state.submitted);
}

TEST_F(sync, a_signalled_syncobj_does_not_hold_a_job_up)
{
	uint32_t ready;

	ASSERT_EQ(0, syncobj_create(self->a.fd, true, &ready));
	struct drm_faa_sync syncs[] = {
		{ .handle = ready },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->a.sync },
	};

	ASSERT_EQ(0, submit_with(&self->a, 0, syncs, 2));
	EXPECT_EQ(0, client_wait(&self->a, 1, NULL));
}

/* A gate in memory stops job 1; job 2 of another queue waits for it by syncobj. */
TEST_F(sync, a_job_waits_for_another_queue)
{
	struct client *c = &self->a;
	uint32_t queue = second_queue(c);
	struct drm_faa_sync out = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->obj };
	struct drm_faa_sync in_out[] = {
		{ .handle = self->obj },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync },
	};
	struct drm_faa_job job = {
		.syncs = { .stride = sizeof(in_out[0]), .count = 2, .array = (uintptr_t)in_out },
	};
	unsigned int word = c->words;

	ASSERT_NE(0, queue);
	put_sem_wait(c, DATA_VA, 1);
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 8, FAA_TYPE_U64, 8), op_imm(7));
	put_end(c);
	ASSERT_EQ(0, submit_with(c, word, &out, 1));
	word = c->words;
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 16, FAA_TYPE_U64, 8),
		op_stream(DATA_VA + 8, FAA_TYPE_U64, 8));
	put_end(c);
	job.stream_va = STREAM_VA + 8 * word;
	job.stream_bytes = 8 * (c->words - word);
	ASSERT_EQ(0, submit(c->fd, queue, &job, 1, NULL));
	EXPECT_EQ(-ETIME, syncobj_wait(c->fd, c->sync, 100));
	EXPECT_EQ(0, c->data64[2]);
	__atomic_store_n(&c->data64[0], 1, __ATOMIC_RELEASE);
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	EXPECT_EQ(0, fence_error(c->fd, c->sync));
	EXPECT_EQ(7, c->data64[2]);
	EXPECT_EQ(0, queue_destroy(c->fd, queue));
}

TEST_F(sync, timelines_count)
{
	struct client *c = &self->a;

	for (uint64_t point = 1; point <= 20; point++) {
		struct drm_faa_sync syncs[] = {
			{ .flags = DRM_FAA_SYNC_TIMELINE, .handle = self->obj, .point = point - 1 },
			{ .flags = DRM_FAA_SYNC_TIMELINE | DRM_FAA_SYNC_SIGNAL,
			  .handle = self->obj,
			  .point = point },
		};

		/* The first job has no dependency. */
		ASSERT_EQ(0, submit_with(c, 0, syncs + (point == 1), 2 - (point == 1)));
	}
	EXPECT_EQ(0, timeline_wait(c->fd, self->obj, 20, WAIT_MS));
	uint64_t value = 0;
	struct drm_syncobj_timeline_array query = {
		.handles = (uintptr_t)&self->obj,
		.points = (uintptr_t)&value,
		.count_handles = 1,
	};

	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_SYNCOBJ_QUERY, &query));
	EXPECT_EQ(20, value);
}

/*
 * Each job of a call signals its own syncobjs: the first one ends while a gate stops the second
 * one.
 */
TEST_F(sync, each_job_of_a_call_signals_for_itself)
{
	struct client *c = &self->a;
	struct drm_faa_sync syncs[] = {
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->obj },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync },
	};
	struct drm_faa_job jobs[2] = {
		{ .stream_va = STREAM_VA, .stream_bytes = 8 },
		{ .stream_va = STREAM_VA + 8 * c->words },
	};
	unsigned int word = c->words;

	put_sem_wait(c, DATA_VA, 1);
	put_end(c);
	jobs[1].stream_bytes = 8 * (c->words - word);
	for (unsigned int i = 0; i < 2; i++)
		jobs[i].syncs = (struct drm_faa_obj_array){ .stride = sizeof(syncs[0]),
							    .count = 1,
							    .array = (uintptr_t)&syncs[i] };
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, 2, NULL));
	EXPECT_EQ(0, syncobj_wait(c->fd, self->obj, WAIT_MS));
	EXPECT_EQ(-ETIME, syncobj_wait(c->fd, c->sync, 100));
	__atomic_store_n(&c->data64[0], 1, __ATOMIC_RELEASE);
	EXPECT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	EXPECT_EQ(0, fence_error(c->fd, c->sync));
}

/* A job may wait for a syncobj that an earlier job of the same call signals. */
TEST_F(sync, within_one_call)
{
	struct client *c = &self->a;
	struct drm_faa_sync first[] = {
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->obj },
	};
	struct drm_faa_sync second[] = {
		{ .handle = self->obj },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync },
	};
	struct drm_faa_job jobs[2] = {
		{
			.stream_va = STREAM_VA,
			.stream_bytes = 8,
			.syncs = { .stride = sizeof(first[0]),
				   .count = 1,
				   .array = (uintptr_t)first },
		},
		{
			.stream_va = STREAM_VA,
			.stream_bytes = 8,
			.syncs = { .stride = sizeof(second[0]),
				   .count = 2,
				   .array = (uintptr_t)second },
		},
	};

	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, 2, NULL));
	EXPECT_EQ(0, client_wait(c, 2, NULL));

	/* Points as well. */
	uint32_t line;

	ASSERT_EQ(0, syncobj_create(c->fd, false, &line));
	first[0] = (struct drm_faa_sync){
		.flags = DRM_FAA_SYNC_SIGNAL | DRM_FAA_SYNC_TIMELINE,
		.handle = line,
		.point = 3,
	};
	second[0] =
		(struct drm_faa_sync){ .flags = DRM_FAA_SYNC_TIMELINE, .handle = line, .point = 3 };
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, 2, NULL));
	EXPECT_EQ(0, client_wait(c, 4, NULL));
	EXPECT_EQ(0, timeline_wait(c->fd, line, 3, WAIT_MS));

	/* But an earlier job may not wait for a later one. */
	uint32_t late;

	ASSERT_EQ(0, syncobj_create(c->fd, false, &late));
	first[0] = (struct drm_faa_sync){ .handle = late };
	second[0] = (struct drm_faa_sync){ .flags = DRM_FAA_SYNC_SIGNAL, .handle = late };
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, jobs, 2, NULL));
	/* Nor may a job wait for its own signal. */
	struct drm_faa_sync own[] = {
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = late },
		{ .handle = late },
	};

	EXPECT_EQ(-EINVAL, submit_with(c, 0, own, 2));
}

TEST_F(sync, a_failed_submit_signals_nothing)
{
	struct drm_faa_sync syncs[] = {
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->obj },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = UINT32_MAX },
	};

	EXPECT_EQ(-ENOENT, submit_with(&self->a, 0, syncs, 2));
	/* No fence in it: waiting without WAIT_FOR_SUBMIT is EINVAL. */
	EXPECT_EQ(-EINVAL, syncobj_wait(self->a.fd, self->obj, 10));
}

TEST_F(sync, as_many_syncs_as_allowed)
{
	static struct drm_faa_sync syncs[DRM_FAA_MAX_SYNCS];
	static uint32_t handles[DRM_FAA_MAX_SYNCS];

	for (unsigned int i = 0; i < DRM_FAA_MAX_SYNCS; i++) {
		/* The first half is waited for, the second signalled. */
		const bool wait = i < DRM_FAA_MAX_SYNCS / 2;

		ASSERT_EQ(0, syncobj_create(self->a.fd, wait, &handles[i]));
		syncs[i].handle = handles[i];
		syncs[i].flags = wait ? 0 : DRM_FAA_SYNC_SIGNAL;
	}
	ASSERT_EQ(0, submit_with(&self->a, 0, syncs, DRM_FAA_MAX_SYNCS));
	for (unsigned int i = DRM_FAA_MAX_SYNCS / 2; i < DRM_FAA_MAX_SYNCS; i++)
		EXPECT_EQ(0, syncobj_wait(self->a.fd, handles[i], WAIT_MS));
}

/* A syncobj is passed to another file, whose job waits for the job of this one. */
TEST_F(sync, across_files)
{
	struct client *a = &self->a, *b = &self->b;
	uint32_t theirs = share(a->fd, self->obj, b->fd);
	struct drm_faa_sync out = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->obj };
	struct drm_faa_sync in_out[] = {
		{ .handle = theirs },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = b->sync },
	};
	unsigned int word = a->words;

	ASSERT_NE(0, theirs);
	put_sem_wait(a, DATA_VA, 1);
	put_end(a);
	ASSERT_EQ(0, submit_with(a, word, &out, 1));
	ASSERT_EQ(0, submit_with(b, 0, in_out, 2));
	EXPECT_EQ(-ETIME, syncobj_wait(b->fd, b->sync, 100));
	__atomic_store_n(&a->data64[0], 1, __ATOMIC_RELEASE);
	EXPECT_EQ(0, client_wait(b, 1, NULL));
}

TEST_F(sync, sync_files_in_and_out)
{
	struct client *a = &self->a, *b = &self->b;
	struct drm_syncobj_handle file = {
		.handle = self->obj,
		.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE,
		.fd = -1,
	};
	struct drm_faa_sync out = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->obj };
	uint32_t in;

	ASSERT_EQ(0, submit_with(a, 0, &out, 1));
	ASSERT_EQ(0, xioctl(a->fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &file));
	ASSERT_EQ(0, syncobj_create(b->fd, false, &in));
	file.handle = in;
	file.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE;
	ASSERT_EQ(0, xioctl(b->fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &file));
	close(file.fd);
	struct drm_faa_sync in_out[] = {
		{ .handle = in },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = b->sync },
	};

	ASSERT_EQ(0, submit_with(b, 0, in_out, 2));
	EXPECT_EQ(0, client_wait(b, 1, NULL));
}

/* A job runs even if a fence that it waited for had an error. */
TEST_F(sync, errors_are_not_inherited)
{
	struct client *c = &self->a;
	struct drm_faa_sync out = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->obj };
	struct drm_faa_sync in_out[] = {
		{ .handle = self->obj },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync },
	};
	unsigned int word = c->words;

	c->stream[c->words++] = 0xff;
	ASSERT_EQ(0, submit_with(c, word, &out, 1));
	ASSERT_EQ(0, syncobj_wait(c->fd, self->obj, WAIT_MS));
	EXPECT_EQ(-EINVAL, fence_error(c->fd, self->obj));
	c->words = 1;
	ASSERT_EQ(0, submit_with(c, 0, in_out, 2));
	EXPECT_EQ(0, client_wait(c, 2, NULL));
}

/* Closing everything while a job waits for a fence of its own file. */
TEST_F(sync, a_file_closes_while_its_jobs_wait)
{
	struct client c;
	struct drm_faa_sync out, in;
	unsigned int word;
	uint32_t queue;

	ASSERT_EQ(0, client_open(&c, 0));
	queue = second_queue(&c);
	out = (struct drm_faa_sync){ .flags = DRM_FAA_SYNC_SIGNAL, .handle = c.sync };
	in = (struct drm_faa_sync){ .handle = c.sync };
	put_sem_wait(&c, DATA_VA, 1);
	put_end(&c);
	ASSERT_EQ(0, submit_with(&c, 0, &out, 1));
	word = c.words;
	put_end(&c);
	struct drm_faa_job job = {
		.stream_va = STREAM_VA + 8 * word,
		.stream_bytes = 8,
		.syncs = { .stride = sizeof(in), .count = 1, .array = (uintptr_t)&in },
	};

	ASSERT_EQ(0, submit(c.fd, queue, &job, 1, NULL));
	close(c.fd);
	/* The other files continue to work. */
	self->b.words = 0;
	put_end(&self->b);
	EXPECT_EQ(0, client_run(&self->b, NULL));
}

/* The median time from SUBMIT to the end of the wait for a client's job, nanoseconds; 0: failed. */
static uint64_t round_trip(struct client *c, bool timeline)
{
	struct drm_faa_sync out = {
		.flags = DRM_FAA_SYNC_SIGNAL | (timeline ? DRM_FAA_SYNC_TIMELINE : 0),
		.handle = c->sync,
	};
	uint64_t times[ROUNDS];
	unsigned int i;
	int ret;

	if (timeline && syncobj_create(c->fd, false, &out.handle))
		return 0;
	for (i = 0; i < ROUNDS; i++) {
		uint64_t begin = now_ns();

		out.point = timeline ? i + 1 : 0;
		if (submit_with(c, 0, &out, 1))
			return 0;
		ret = timeline ? timeline_wait(c->fd, out.handle, out.point, WAIT_MS) :
				 syncobj_wait(c->fd, out.handle, WAIT_MS);
		if (ret)
			return 0;
		times[i] = now_ns() - begin;
	}
	qsort(times, ROUNDS, sizeof(times[0]), compare_times);
	return times[ROUNDS / 2];
}

/*
 * Points of a timeline signal through irq_work: without an interrupt for it, a kernel adds up to a
 * tick of 10 ms.
 */
TEST_F(sync, a_point_comes_as_soon_as_a_binary_syncobj)
{
	struct client *clients[] = { &self->a, &self->b };

	/* Long enough that the wait begins before the job ends. */
	for (unsigned int i = 0; i < 2; i++) {
		clients[i]->words = 0;
		put_mov(clients[i], FAA_TYPE_U32, 2000, op_stream(DATA_VA, FAA_TYPE_U32, 0),
			op_imm(1));
		put_end(clients[i]);
	}
	uint64_t binary = round_trip(&self->a, false);
	uint64_t point = round_trip(&self->b, true);

	ASSERT_NE(0, binary);
	ASSERT_NE(0, point);
	TH_LOG("binary %u us, point %u us", (unsigned int)(binary / 1000),
	       (unsigned int)(point / 1000));
	EXPECT_GT(2 * binary + TICK_NS / 2, point);
}

TEST_HARNESS_MAIN
