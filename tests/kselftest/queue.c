// SPDX-License-Identifier: MIT
/* Queues: arguments, limits, priorities, and state that a queue keeps from job to job. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(queue)
{
	struct client client;
	struct drm_faa_device_info info;
};

FIXTURE_SETUP(queue)
{
	ASSERT_EQ(0, client_open(&self->client, 1024));
	ASSERT_EQ(0, device_info(self->client.fd, &self->info));
}

FIXTURE_TEARDOWN(queue)
{
	EXPECT_EQ(0, client_close(&self->client));
}

static int create(FIXTURE_DATA(queue) *self, struct drm_faa_queue_create *arg)
{
	arg->vm_id = self->client.vm;
	return xioctl(self->client.fd, DRM_IOCTL_FAA_QUEUE_CREATE, arg);
}

TEST_F(queue, shared_memory_sizes)
{
	const uint32_t max = self->info.shared_max;
	const uint32_t good[] = { 0, 128, 1024, max - 128, max };
	const uint32_t bad[] = { 1,	   64,	       127,
				 129,	   max + 128,  max + 1,
				 1u << 31, UINT32_MAX, UINT32_MAX - 127 };

	for (unsigned int i = 0; i < ARRAY_SIZE(good); i++) {
		struct drm_faa_queue_create arg = { .shared_bytes = good[i] };

		ASSERT_EQ(0, create(self, &arg));
		EXPECT_EQ(0, queue_destroy(self->client.fd, arg.queue_id));
		EXPECT_EQ(0, bo_close(self->client.fd, arg.status_handle));
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		struct drm_faa_queue_create arg = { .shared_bytes = bad[i] };

		EXPECT_EQ(-EINVAL, create(self, &arg))
		{
			TH_LOG("shared_bytes %u", bad[i]);
		}
	}
}

TEST_F(queue, status_ring_sizes)
{
	const uint32_t bad[] = { 1, 2, 32, 63, 65, 96, 100, 4095, 4097, 8192, 1u << 31, ~0u };

	for (uint32_t entries = DRM_FAA_MIN_STATUS_ENTRIES; entries <= DRM_FAA_MAX_STATUS_ENTRIES;
	     entries *= 2) {
		struct drm_faa_queue_create arg = { .status_entries = entries };
		struct drm_faa_bo_info info = { 0 };

		ASSERT_EQ(0, create(self, &arg));
		EXPECT_EQ(entries, arg.status_entries);
		info.handle = arg.status_handle;
		ASSERT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_INFO, &info));
		EXPECT_LE(entries * FAA_STATUS_BYTES, info.size);
		EXPECT_EQ(DRM_FAA_BO_STATUS_RING, info.flags & DRM_FAA_BO_STATUS_RING);
		EXPECT_EQ(0, queue_destroy(self->client.fd, arg.queue_id));
		EXPECT_EQ(0, bo_close(self->client.fd, arg.status_handle));
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		struct drm_faa_queue_create arg = { .status_entries = bad[i] };

		EXPECT_EQ(-EINVAL, create(self, &arg))
		{
			TH_LOG("status_entries %u", bad[i]);
		}
	}
	EXPECT_EQ(256, self->client.entries);
}

TEST_F_TIMEOUT(queue, their_number_is_limited, 240)
{
	uint32_t ids[DRM_FAA_MAX_QUEUES + 1] = { 0 };
	unsigned int n = 1;
	struct drm_faa_queue_create arg = { 0 };
	int ret;

	/* The fixture has one. */
	ids[0] = self->client.queue;
	for (;;) {
		arg = (struct drm_faa_queue_create){ 0 };
		ret = create(self, &arg);
		if (ret)
			break;
		ASSERT_GE(DRM_FAA_MAX_QUEUES, n);
		for (unsigned int i = 0; i < n; i++)
			EXPECT_NE(ids[i], arg.queue_id);
		ids[n++] = arg.queue_id;
	}
	EXPECT_EQ(-ENOSPC, ret);
	EXPECT_EQ(self->info.max_queues, n);
	ASSERT_LT(1, n);
	EXPECT_EQ(0, queue_destroy(self->client.fd, ids[n - 1]));
	arg = (struct drm_faa_queue_create){ 0 };
	EXPECT_EQ(0, create(self, &arg));
	for (unsigned int i = 1; i < n - 1; i++)
		EXPECT_EQ(0, queue_destroy(self->client.fd, ids[i]));
	EXPECT_EQ(0, queue_destroy(self->client.fd, arg.queue_id));
}

/* Queues are freed when their file is closed. */
TEST_F_TIMEOUT(queue, a_closed_file_gives_its_queues_back, 240)
{
	struct drm_faa_queue_create arg = { 0 };

	for (unsigned int round = 0; round < 4; round++) {
		int other = faa_open();
		unsigned int n;
		uint32_t vm;

		ASSERT_LE(0, other);
		ASSERT_EQ(0, vm_create(other, &vm));
		for (n = 0; !queue_create(other, vm, 0, &arg); n++)
			;
		EXPECT_EQ(DRM_FAA_MAX_QUEUES, n);
		close(other);
	}
}

/*
 * An interrupt reports the end of a job in any hardware queue. The timeout handler, which runs
 * every quarter of a job timeout, would find it too, but so late that consecutive jobs exceed the
 * time allowed here.
 */
TEST_F_TIMEOUT(queue, each_has_an_interrupt, 120)
{
	enum { JOBS = 8 };
	struct client others[FAA_MAX_QUEUES];
	unsigned int n = 0;

	/* The fixture's queue has run no job, so each of them gets another hardware queue. */
	for (; n < self->info.num_queues; n++)
		ASSERT_EQ(0, client_open(&others[n], 0));
	for (unsigned int i = 0; i < n; i++) {
		uint64_t begin = now_ms();

		for (unsigned int k = 0; k < JOBS; k++) {
			put_end(&others[i]);
			ASSERT_EQ(0, client_run(&others[i], NULL));
		}
		EXPECT_GT(JOBS * self->info.job_timeout_ms / 8, now_ms() - begin)
		{
			TH_LOG("queue %u of %u", i, n);
		}
	}
	while (n)
		EXPECT_EQ(0, client_close(&others[--n]));
}

TEST_F(queue, root_may_use_every_priority)
{
	for (uint32_t priority = DRM_FAA_PRIORITY_LOW; priority <= DRM_FAA_PRIORITY_REALTIME;
	     priority++) {
		struct drm_faa_queue_create arg = { .priority = priority };

		ASSERT_EQ(0, create(self, &arg));
		EXPECT_EQ(0, queue_destroy(self->client.fd, arg.queue_id));
	}
}

struct attempt {
	FIXTURE_DATA(queue) *self;
	uint32_t priority;
};

static int attempt_run(void *arg)
{
	const struct attempt *attempt = arg;
	struct drm_faa_queue_create queue = { .priority = attempt->priority };
	int ret = create(attempt->self, &queue);

	/* The child shares the file, and so the queue, with its parent. */
	return ret ? ret : queue_destroy(attempt->self->client.fd, queue.queue_id);
}

static int try_as_nobody(FIXTURE_DATA(queue) *self, uint32_t priority)
{
	return as_nobody(attempt_run, &(struct attempt){ self, priority });
}

TEST_F(queue, high_priorities_need_a_privilege)
{
	EXPECT_EQ(0, try_as_nobody(self, DRM_FAA_PRIORITY_LOW));
	EXPECT_EQ(0, try_as_nobody(self, DRM_FAA_PRIORITY_NORMAL));
	EXPECT_EQ(-EACCES, try_as_nobody(self, DRM_FAA_PRIORITY_HIGH));
	EXPECT_EQ(-EACCES, try_as_nobody(self, DRM_FAA_PRIORITY_REALTIME));
}

/* A queue whose one job waits until a word of the data buffer is 1. */
struct waiter {
	struct drm_faa_queue_create queue;
	const volatile struct drm_faa_status *ring;
	uint32_t sync;
};

static int waiter_start(FIXTURE_DATA(queue) *self, struct waiter *waiter, uint32_t priority,
			unsigned int word)
{
	struct client *c = &self->client;
	struct drm_faa_sync done = { .flags = DRM_FAA_SYNC_SIGNAL };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA + 8ull * c->words,
		.stream_bytes = 8 * c->words,
		.syncs = { .stride = sizeof(done), .count = 1, .array = (uintptr_t)&done },
	};
	int ret;

	*waiter = (struct waiter){ .queue = { .priority = priority } };
	put_sem_wait(c, DATA_VA + 8ull * word, 1);
	put_end(c);
	job.stream_bytes = 8 * c->words - job.stream_bytes;
	ret = create(self, &waiter->queue);
	if (ret)
		return ret;
	waiter->ring = bo_mmap(c->fd, waiter->queue.status_handle, PAGE, PROT_READ);
	if (!waiter->ring)
		return -errno;
	ret = syncobj_create(c->fd, false, &waiter->sync);
	done.handle = waiter->sync;
	return ret ? ret : submit(c->fd, waiter->queue.queue_id, &job, 1, NULL);
}

static int waiter_end(FIXTURE_DATA(queue) *self, struct waiter *waiter)
{
	const int fd = self->client.fd;
	int ret = munmap((void *)waiter->ring, PAGE);

	if (!ret)
		ret = queue_destroy(fd, waiter->queue.queue_id);
	if (!ret)
		ret = bo_close(fd, waiter->queue.status_handle);
	return ret ? ret : syncobj_destroy(fd, waiter->sync);
}

/*
 * While all compute units are busy, queues wait; the one with the highest priority gets the first
 * free unit.
 */
TEST_F(queue, the_highest_priority_is_served_first)
{
	static const uint32_t priorities[] = { DRM_FAA_PRIORITY_LOW, DRM_FAA_PRIORITY_NORMAL,
					       DRM_FAA_PRIORITY_HIGH };
	enum { RIVALS = 3, MAX_UNITS = 8, OPEN = MAX_UNITS };
	struct waiter holders[MAX_UNITS], rivals[RIVALS];
	const uint32_t units = self->info.num_cus;
	struct client *c = &self->client;

	ASSERT_GE((uint32_t)MAX_UNITS, units);
	memset(c->data, 0, PAGE);
	c->data64[OPEN] = 1;
	for (uint32_t i = 0; i < units; i++)
		ASSERT_EQ(0, waiter_start(self, &holders[i], DRM_FAA_PRIORITY_NORMAL, i));
	usleep(100000);
	for (unsigned int i = 0; i < RIVALS; i++)
		ASSERT_EQ(0, waiter_start(self, &rivals[i], priorities[i], OPEN));
	usleep(100000);
	/* One unit becomes free, and serves the queues one after the other. */
	__atomic_store_n(&c->data64[0], 1, __ATOMIC_RELEASE);
	for (unsigned int i = 0; i < RIVALS; i++)
		ASSERT_EQ(0, syncobj_wait(c->fd, rivals[i].sync, WAIT_MS));
	for (unsigned int i = 1; i < RIVALS; i++) {
		EXPECT_LE(rivals[i].ring[1].end_cycle, rivals[i - 1].ring[1].start_cycle)
		{
			TH_LOG("priority %u began before the job of priority %u had ended",
			       priorities[i - 1], priorities[i]);
		}
	}
	for (unsigned int i = 0; i < RIVALS; i++)
		EXPECT_EQ(0, waiter_end(self, &rivals[i]));
	for (uint32_t i = 0; i < units; i++)
		EXPECT_EQ(0, waiter_end(self, &holders[i]));
}

TEST_F(queue, shared_memory_and_registers_persist)
{
	struct client *c = &self->client;

	put_sts(c, FAA_TYPE_U32, 256, op_affine(0, 4), op_affine(100, 1));
	put_mov(c, FAA_TYPE_U32, 32, op_reg(9), op_affine(500, 2));
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 256, op_none(), op_affine(0, 4), op_imm(1));
	put_lds(c, FAA_TYPE_U32, 256, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(0, 4));
	put_mov(c, FAA_TYPE_U32, 32, op_stream(DATA_VA + 1024, FAA_TYPE_U32, 4), op_reg(9));
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	for (unsigned int i = 0; i < 256; i++)
		ASSERT_EQ(101 + i, c->data32[i]);
	for (unsigned int i = 0; i < 32; i++)
		ASSERT_EQ(500 + 2 * i, c->data32[256 + i]);
}

/* More queues than compute units: contexts move, and every queue has its own again. */
TEST_F(queue, contexts_survive_the_change_of_queues)
{
	enum { N = 6, ROUNDS = 4 };
	struct client clients[N];

	for (unsigned int i = 0; i < N; i++)
		ASSERT_EQ(0, client_open(&clients[i], 1024));
	for (unsigned int round = 0; round < ROUNDS; round++) {
		uint64_t seqno[N];

		for (unsigned int i = 0; i < N; i++) {
			struct client *c = &clients[i];

			c->words = 0;
			put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 256, op_none(),
				  op_affine(0, 4), op_affine(i + 1, 3));
			put_lds(c, FAA_TYPE_U32, 256, op_stream(DATA_VA, FAA_TYPE_U32, 4),
				op_affine(0, 4));
			put_mov(c, FAA_TYPE_U32, 32, op_stream(DATA_VA + 1024, FAA_TYPE_U32, 4),
				op_reg(254));
			put_mov(c, FAA_TYPE_U32, 32, op_reg(254), op_affine(1000 * i + round, 1));
			put_end(c);
			ASSERT_EQ(0, client_submit(c, &seqno[i]));
		}
		for (unsigned int i = 0; i < N; i++) {
			struct client *c = &clients[i];

			ASSERT_EQ(0, client_wait(c, seqno[i], NULL));
			for (unsigned int e = 0; e < 256; e++)
				ASSERT_EQ((round + 1) * (i + 1 + 3 * e), c->data32[e]);
			for (unsigned int l = 0; l < 32; l++)
				ASSERT_EQ(round ? 1000 * i + round - 1 + l : 0, c->data32[256 + l]);
		}
	}
	for (unsigned int i = 0; i < N; i++)
		EXPECT_EQ(0, client_close(&clients[i]));
}

TEST_F(queue, a_new_queue_starts_with_zeros)
{
	for (int round = 0; round < 4; round++) {
		struct client c;

		ASSERT_EQ(0, client_open(&c, 4096));
		memset(c.data, 0x55, 8192);
		put_lds(&c, FAA_TYPE_U32, 1024, op_stream(DATA_VA, FAA_TYPE_U32, 4),
			op_affine(0, 4));
		put_mov(&c, FAA_TYPE_U32, 32, op_stream(DATA_VA + 4096, FAA_TYPE_U32, 4),
			op_reg(0));
		put_mov(&c, FAA_TYPE_U32, 32, op_stream(DATA_VA + 4096 + 128, FAA_TYPE_U32, 4),
			op_reg(254));
		put_sts(&c, FAA_TYPE_U32, 1024, op_affine(0, 4), op_imm(0xdeadbeef));
		put_mov(&c, FAA_TYPE_U32, 32, op_reg(0), op_imm(0xdeadbeef));
		put_mov(&c, FAA_TYPE_U32, 32, op_reg(254), op_imm(0xdeadbeef));
		put_end(&c);
		ASSERT_EQ(0, client_run(&c, NULL));
		for (unsigned int i = 0; i < 1024 + 64; i++)
			ASSERT_EQ(0, c.data32[i]);
		EXPECT_EQ(0, client_close(&c));
	}
}

TEST_F(queue, state_counts_jobs)
{
	struct client *c = &self->client;
	struct drm_faa_queue_get_state state;

	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(0, state.state);
	EXPECT_EQ(0, state.submitted);
	EXPECT_EQ(0, state.completed);
	EXPECT_EQ(0, state.failed);
	EXPECT_EQ(0, state.elements_retired);

	put_mov(c, FAA_TYPE_U32, 100, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_imm(1));
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	put_mov(c, FAA_TYPE_U32, 50, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_imm(1));
	put_mov(c, FAA_TYPE_U32, 50, op_stream(0x123000, FAA_TYPE_U32, 4), op_imm(1));
	put_end(c);
	EXPECT_EQ(-EFAULT, client_run(c, NULL));
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(0, state.state);
	EXPECT_EQ(2, state.submitted);
	EXPECT_EQ(2, state.completed);
	EXPECT_EQ(1, state.failed);
	EXPECT_EQ(2, state.error_seqno);
	EXPECT_EQ(0x123000, state.error_address);
	EXPECT_EQ(FAA_ERROR_NOT_MAPPED, state.error_code);
	EXPECT_EQ(0, state.resets);
	EXPECT_EQ(150, state.elements_retired);
}

TEST_HARNESS_MAIN
