// SPDX-License-Identifier: MIT
/*
 * SUBMIT: several jobs, their order, sequence numbers, a full ring, failures in the middle, queues
 * that are destroyed.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(submit)
{
	struct client client;
};

FIXTURE_SETUP(submit)
{
	ASSERT_EQ(0, client_open(&self->client, 1024));
}

FIXTURE_TEARDOWN(submit)
{
	EXPECT_EQ(0, client_close(&self->client));
}

/* A job of the words that @build appends, signalling nothing. */
static struct drm_faa_job job_from(struct client *c, unsigned int first_word)
{
	return (struct drm_faa_job){
		.stream_va = STREAM_VA + 8ull * first_word,
		.stream_bytes = 8 * (c->words - first_word),
	};
}

static struct drm_faa_job end_job(struct client *c)
{
	const unsigned int first = c->words;

	put_end(c);
	return job_from(c, first);
}

/* Stores @value into word @index of the data buffer. */
static struct drm_faa_job store_job(struct client *c, unsigned int index, uint64_t value)
{
	const unsigned int first = c->words;

	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 8ull * index, FAA_TYPE_U64, 8),
		op_imm(value));
	put_end(c);
	return job_from(c, first);
}

/* Waits until the CPU has written 1 to word @index. */
static struct drm_faa_job gate_job(struct client *c, unsigned int index)
{
	const unsigned int first = c->words;

	put_sem_wait(c, DATA_VA + 8ull * index, 1);
	put_end(c);
	return job_from(c, first);
}

static int submit_signal(struct client *c, struct drm_faa_job *jobs, uint32_t count,
			 uint64_t *first)
{
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };

	jobs[count - 1].syncs = (struct drm_faa_obj_array){
		.stride = sizeof(sync),
		.count = 1,
		.array = (uintptr_t)&sync,
	};
	return submit(c->fd, c->queue, jobs, count, first);
}

TEST_F(submit, the_smallest_job)
{
	struct client *c = &self->client;
	struct drm_faa_status status;

	put_end(c);
	ASSERT_EQ(0, client_run(c, &status));
	EXPECT_EQ(1, status.seqno);
	EXPECT_EQ(0, status.code);
	EXPECT_EQ(0, status.command);
	EXPECT_EQ(0, status.elements_retired);
	EXPECT_EQ(0, status.warps);
	EXPECT_LE(status.start_cycle, status.end_cycle);
}

TEST_F(submit, as_many_jobs_as_allowed_run_in_order)
{
	struct client *c = &self->client;
	static struct drm_faa_job jobs[DRM_FAA_MAX_JOBS];
	struct drm_faa_status status;
	uint64_t first;

	/*
	 * Each job overwrites a word, and the last one must win; each also increments a counter in
	 * shared memory.
	 */
	for (unsigned int i = 0; i < DRM_FAA_MAX_JOBS; i++) {
		const unsigned int word = c->words;

		put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1,
			  op_stream(DATA_VA + 64 + 4 * i, FAA_TYPE_U32, 4), op_imm(0), op_imm(1));
		put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8), op_imm(i));
		put_end(c);
		jobs[i] = job_from(c, word);
	}
	ASSERT_EQ(0, submit_signal(c, jobs, DRM_FAA_MAX_JOBS, &first));
	EXPECT_EQ(1, first);
	ASSERT_EQ(0, client_wait(c, DRM_FAA_MAX_JOBS, &status));
	EXPECT_EQ(DRM_FAA_MAX_JOBS - 1, c->data64[0]);
	for (unsigned int i = 0; i < DRM_FAA_MAX_JOBS; i++) {
		ASSERT_EQ(i, c->data32[16 + i]);
		ASSERT_TRUE(client_status(c, 1 + i, &status));
		ASSERT_EQ(0, status.code);
	}
}

TEST_F(submit, sequence_numbers_count_on)
{
	struct client *c = &self->client;
	struct drm_faa_job jobs[3];
	struct drm_faa_status status;
	uint64_t expect = 1, first;

	for (int round = 0; round < 10; round++) {
		c->words = 0;
		for (int i = 0; i < 3; i++)
			jobs[i] = end_job(c);
		ASSERT_EQ(0, submit_signal(c, jobs, 3, &first));
		EXPECT_EQ(expect, first);
		expect += 3;
		ASSERT_EQ(0, client_wait(c, expect - 1, NULL));
		/* Each job has its record, not only the last one of a call. */
		for (uint64_t seqno = first; seqno < expect; seqno++) {
			ASSERT_TRUE(client_status(c, seqno, &status));
			EXPECT_EQ(0, status.code);
		}
	}
}

TEST_F(submit, the_ring_wraps)
{
	struct client *c = &self->client;
	struct drm_faa_job jobs[64];
	struct drm_faa_status status;
	uint64_t first = 0;

	for (unsigned int i = 0; i < 64; i++)
		jobs[i] = store_job(c, i, i + 1);
	for (unsigned int round = 0; round < 10; round++) {
		memset(c->data, 0, 64 * 8);
		ASSERT_EQ(0, submit_signal(c, jobs, 64, &first));
		ASSERT_EQ(1 + 64 * round, first);
		ASSERT_EQ(0, client_wait(c, first + 63, NULL));
		for (unsigned int i = 0; i < 64; i++) {
			ASSERT_EQ(i + 1, c->data64[i]);
			ASSERT_TRUE(client_status(c, first + i, &status));
			ASSERT_EQ(0, status.code);
		}
	}
}

TEST_F(submit, unfinished_jobs_are_limited)
{
	struct client *c = &self->client;
	struct drm_faa_job gate = gate_job(c, 0), more = end_job(c);
	uint64_t first;
	int ret = 0;
	uint32_t n = 0;

	ASSERT_EQ(0, submit(c->fd, c->queue, &gate, 1, NULL));
	while (n < 2 * c->entries) {
		ret = submit(c->fd, c->queue, &more, 1, NULL);
		if (ret)
			break;
		n++;
	}
	EXPECT_EQ(-ENOSPC, ret);
	EXPECT_EQ(c->entries - 1, n);
	__atomic_store_n(&c->data64[0], 1, __ATOMIC_RELEASE);
	for (uint64_t end = now_ms() + WAIT_MS; now_ms() < end; usleep(1000)) {
		ret = submit_signal(c, &more, 1, &first);
		if (ret != -ENOSPC)
			break;
	}
	ASSERT_EQ(0, ret);
	EXPECT_EQ(c->entries + 1, first);
	EXPECT_EQ(0, client_wait(c, first, NULL));
}

TEST_F(submit, more_jobs_than_the_ring_holds_are_refused_as_a_whole)
{
	struct drm_faa_queue_create queue = { .vm_id = self->client.vm, .status_entries = 64 };
	struct drm_faa_queue_get_state state;
	struct drm_faa_job jobs[65];
	struct client *c = &self->client;

	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_QUEUE_CREATE, &queue));
	jobs[0] = end_job(c);
	for (unsigned int i = 1; i < 65; i++)
		jobs[i] = jobs[0];
	EXPECT_EQ(-ENOSPC, submit(c->fd, queue.queue_id, jobs, 65, NULL));
	ASSERT_EQ(0, queue_state(c->fd, queue.queue_id, &state));
	EXPECT_EQ(0, state.submitted);
	EXPECT_EQ(0, submit(c->fd, queue.queue_id, jobs, 64, NULL));
	EXPECT_EQ(0, queue_destroy(c->fd, queue.queue_id));
	EXPECT_EQ(0, bo_close(c->fd, queue.status_handle));
}

TEST_F(submit, all_jobs_or_none)
{
	struct client *c = &self->client;
	struct drm_faa_queue_get_state state;
	struct drm_faa_job jobs[3];

	jobs[0] = store_job(c, 0, 1);
	jobs[1] = store_job(c, 1, 1);
	jobs[2] = store_job(c, 2, 1);
	jobs[2].pad = 1;
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, jobs, 3, NULL));
	jobs[2].pad = 0;
	jobs[1].stream_bytes = 0;
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, jobs, 3, NULL));
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(0, state.submitted);
	c->words = 0;
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	EXPECT_EQ(0, c->data64[0]);
}

TEST_F(submit, a_failing_job_does_not_stop_the_next)
{
	struct client *c = &self->client;
	struct drm_faa_job jobs[3];
	struct drm_faa_status status;
	unsigned int word;
	uint64_t first;

	jobs[0] = store_job(c, 0, 1);
	word = c->words;
	c->stream[c->words++] = 0xff;
	jobs[1] = job_from(c, word);
	jobs[2] = store_job(c, 1, 2);
	ASSERT_EQ(0, submit_signal(c, jobs, 3, &first));
	EXPECT_EQ(0, client_wait(c, first + 2, NULL));
	EXPECT_EQ(1, c->data64[0]);
	EXPECT_EQ(2, c->data64[1]);
	ASSERT_TRUE(client_status(c, first + 1, &status));
	EXPECT_EQ(FAA_ERROR_ILLEGAL_COMMAND, status.code);
}

/* Restarts a stopped job at the position in its status. */
TEST_F(submit, first_element_continues_a_job)
{
	struct client *c = &self->client;
	struct drm_faa_job job;
	struct drm_faa_status status;
	uint64_t first;

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 128, op_none(), op_affine(0, 4), op_imm(1));
	put_lds(c, FAA_TYPE_U32, 128, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(0, 4));
	put_end(c);
	job = job_from(c, 0);
	job.first_element = 64;
	ASSERT_EQ(0, submit_signal(c, &job, 1, &first));
	ASSERT_EQ(0, client_wait(c, first, &status));
	EXPECT_EQ(64 + 128, status.elements_retired);
	for (unsigned int i = 0; i < 128; i++)
		ASSERT_EQ(i >= 64, c->data32[i]);

	job.first_element = 128;
	ASSERT_EQ(0, submit_signal(c, &job, 1, &first));
	EXPECT_EQ(-EINVAL, client_wait(c, first, &status));
	EXPECT_EQ(FAA_ERROR_BAD_DESCRIPTOR, status.code);
	EXPECT_EQ(32, status.address);
}

TEST_F(submit, destroying_a_queue_cancels_its_jobs)
{
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL };
	struct drm_faa_queue_create queue;
	struct drm_faa_job jobs[8];
	const volatile struct drm_faa_status *ring;
	uint32_t syncs[8];

	ASSERT_EQ(0, queue_create(c->fd, c->vm, 0, &queue));
	ring = bo_mmap(c->fd, queue.status_handle, 256 * sizeof(*ring), PROT_READ);
	ASSERT_NE(NULL, (void *)ring);
	/* The first job signals its start, and then waits for ever. */
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 64, FAA_TYPE_U64, 8), op_imm(1));
	put_fence(c);
	gate_job(c, 0);
	jobs[0] = job_from(c, 0);
	for (unsigned int i = 1; i < 8; i++)
		jobs[i] = store_job(c, i, 1);
	for (unsigned int i = 0; i < 8; i++) {
		ASSERT_EQ(0, syncobj_create(c->fd, false, &syncs[i]));
		sync.handle = syncs[i];
		jobs[i].syncs = (struct drm_faa_obj_array){
			.stride = sizeof(sync),
			.count = 1,
			.array = (uintptr_t)&sync,
		};
		ASSERT_EQ(0, submit(c->fd, queue.queue_id, &jobs[i], 1, NULL));
	}
	for (uint64_t end = now_ms() + WAIT_MS;
	     now_ms() < end && !__atomic_load_n(&c->data64[8], __ATOMIC_ACQUIRE);)
		usleep(1000);
	ASSERT_EQ(1, c->data64[8]);
	ASSERT_EQ(0, queue_destroy(c->fd, queue.queue_id));
	for (unsigned int i = 0; i < 8; i++) {
		EXPECT_EQ(0, syncobj_wait(c->fd, syncs[i], WAIT_MS));
		EXPECT_EQ(-ECANCELED, fence_error(c->fd, syncs[i]));
		/* The ring outlives the queue. */
		EXPECT_EQ(i + 1, ring[i + 1].seqno);
		EXPECT_EQ(i ? FAA_ERROR_CANCELLED : FAA_ERROR_KILLED, ring[i + 1].code);
		EXPECT_EQ(0, c->data64[i]);
		syncobj_destroy(c->fd, syncs[i]);
	}
	munmap((void *)ring, 256 * sizeof(*ring));
	EXPECT_EQ(0, bo_close(c->fd, queue.status_handle));
}

/* The job waits for a fence, so it never enters the ring: only the kernel can write its record. */
TEST_F(submit, destroying_a_queue_cancels_a_job_that_waits)
{
	struct client *c = &self->client;
	struct drm_faa_sync open = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_sync syncs[2] = { { .handle = c->sync }, { .flags = DRM_FAA_SYNC_SIGNAL } };
	struct drm_faa_job gate = gate_job(c, 0), job = store_job(c, 1, 1);
	const volatile struct drm_faa_status *ring;
	struct drm_faa_queue_create queue;

	c->data64[0] = 0;
	c->data64[1] = 0;
	ASSERT_EQ(0, queue_create(c->fd, c->vm, 0, &queue));
	ring = bo_mmap(c->fd, queue.status_handle, PAGE, PROT_READ);
	ASSERT_NE(NULL, (void *)ring);
	ASSERT_EQ(0, syncobj_create(c->fd, false, &syncs[1].handle));
	gate.syncs = (struct drm_faa_obj_array){ .stride = sizeof(open),
						 .count = 1,
						 .array = (uintptr_t)&open };
	job.syncs = (struct drm_faa_obj_array){ .stride = sizeof(open),
						.count = 2,
						.array = (uintptr_t)syncs };
	ASSERT_EQ(0, submit(c->fd, c->queue, &gate, 1, NULL));
	ASSERT_EQ(0, submit(c->fd, queue.queue_id, &job, 1, NULL));
	ASSERT_EQ(0, queue_destroy(c->fd, queue.queue_id));
	EXPECT_EQ(0, syncobj_wait(c->fd, syncs[1].handle, WAIT_MS));
	EXPECT_EQ(-ECANCELED, fence_error(c->fd, syncs[1].handle));
	EXPECT_EQ(1, ring[1].seqno);
	EXPECT_EQ(FAA_ERROR_CANCELLED, ring[1].code);
	c->data64[0] = 1;
	EXPECT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	EXPECT_EQ(0, c->data64[1]);
	munmap((void *)ring, PAGE);
	EXPECT_EQ(0, bo_close(c->fd, queue.status_handle));
	EXPECT_EQ(0, syncobj_destroy(c->fd, syncs[1].handle));
}

TEST_F(submit, queues_of_one_vm_share_its_memory)
{
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_queue_create queue;
	struct drm_faa_job wait, signal;
	unsigned int word;

	ASSERT_EQ(0, queue_create(c->fd, c->vm, 0, &queue));
	put_sem_wait(c, DATA_VA, 5);
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 8, FAA_TYPE_U64, 8),
		op_stream(DATA_VA + 16, FAA_TYPE_U64, 8));
	put_end(c);
	wait = job_from(c, 0);
	wait.syncs = (struct drm_faa_obj_array){ .stride = sizeof(sync),
						 .count = 1,
						 .array = (uintptr_t)&sync };
	ASSERT_EQ(0, submit(c->fd, c->queue, &wait, 1, NULL));
	word = c->words;
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 16, FAA_TYPE_U64, 8), op_imm(0xfeed));
	put_sem_signal(c, DATA_VA, 5);
	put_end(c);
	signal = job_from(c, word);
	ASSERT_EQ(0, submit(c->fd, queue.queue_id, &signal, 1, NULL));
	EXPECT_EQ(0, client_wait(c, 1, NULL));
	EXPECT_EQ(0xfeed, c->data64[1]);
	EXPECT_EQ(0, queue_destroy(c->fd, queue.queue_id));
	EXPECT_EQ(0, bo_close(c->fd, queue.status_handle));
}

TEST_HARNESS_MAIN
