// SPDX-License-Identifier: MIT
/*
 * SUBMIT with TOGETHER: invalid groups are rejected; streams of a group run at the same time, and
 * begin, fail and are killed together.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

/* Entries of the ring that the driver allocates for a queue; further jobs wait outside. */
#define RING_ENTRIES 64

FIXTURE(group)
{
	struct client client;
	struct drm_faa_device_info info;
	/* Of each member: its syncobj, and the sync operation that is passed to the kernel. */
	uint32_t syncs[FAA_MAX_SLOTS];
	struct drm_faa_sync signals[FAA_MAX_SLOTS];
};

FIXTURE_SETUP(group)
{
	struct client *c = &self->client;

	ASSERT_EQ(0, client_open(c, 1024));
	ASSERT_EQ(0, device_info(c->fd, &self->info));
	ASSERT_LE(1, self->info.warp_slots);
	ASSERT_GE(FAA_MAX_SLOTS, self->info.warp_slots);
	for (unsigned int i = 0; i < FAA_MAX_SLOTS; i++) {
		ASSERT_EQ(0, syncobj_create(c->fd, false, &self->syncs[i]));
		self->signals[i] = (struct drm_faa_sync){
			.flags = DRM_FAA_SYNC_SIGNAL,
			.handle = self->syncs[i],
		};
	}
}

FIXTURE_TEARDOWN(group)
{
	for (unsigned int i = 0; i < FAA_MAX_SLOTS; i++)
		EXPECT_EQ(0, syncobj_destroy(self->client.fd, self->syncs[i]));
	EXPECT_EQ(0, client_close(&self->client));
}

/* Tests that run groups need a device that can run them. */
#define NEED_SLOTS(n)                                       \
	do {                                                \
		if (self->info.warp_slots < (n))            \
			SKIP(return, "too few warp slots"); \
	} while (0)

/* The words from @first on as a job, member @slot of a group; it signals that member's syncobj. */
static struct drm_faa_job member(FIXTURE_DATA(group) *self, unsigned int slot, unsigned int first)
{
	struct client *c = &self->client;

	return (struct drm_faa_job){
		.stream_va = STREAM_VA + 8ull * first,
		.stream_bytes = 8 * (c->words - first),
		.flags = DRM_FAA_JOB_TOGETHER,
		.syncs = { .stride = sizeof(struct drm_faa_sync),
			   .count = 1,
			   .array = (uintptr_t)&self->signals[slot] },
	};
}

static struct drm_faa_job end_member(FIXTURE_DATA(group) *self, unsigned int slot)
{
	const unsigned int first = self->client.words;

	put_end(&self->client);
	return member(self, slot, first);
}

/* Waits for the CPU, or a job, to write 1 to word @index. */
static struct drm_faa_job gate_member(FIXTURE_DATA(group) *self, unsigned int slot,
				      unsigned int index)
{
	const unsigned int first = self->client.words;

	put_sem_wait(&self->client, DATA_VA + 8ull * index, 1);
	put_end(&self->client);
	return member(self, slot, first);
}

/* Adds 1 to word @index of shared memory, @count times. */
static struct drm_faa_job adding_member(FIXTURE_DATA(group) *self, unsigned int slot,
					unsigned int index, unsigned int count)
{
	const unsigned int first = self->client.words;

	put_atoms(&self->client, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, count, op_none(),
		  op_imm(4 * index), op_imm(1));
	put_end(&self->client);
	return member(self, slot, first);
}

/* One group of @count jobs; the last one has no flag. */
static int submit_group(FIXTURE_DATA(group) *self, struct drm_faa_job *jobs, unsigned int count,
			uint64_t *first)
{
	jobs[count - 1].flags = 0;
	return submit(self->client.fd, self->client.queue, jobs, count, first);
}

static void open_gate(struct client *c, unsigned int index)
{
	__atomic_store_n(&c->data64[index], 1, __ATOMIC_RELEASE);
}

/* The first @count words of shared memory, copied to the data buffer from word 256 on. */
static int read_shared(struct client *c, unsigned int count)
{
	c->words = 0;
	put_lds(c, FAA_TYPE_U32, count, op_stream(DATA_VA + 1024, FAA_TYPE_U32, 4),
		op_affine(0, 4));
	put_end(c);
	return client_run(c, NULL);
}

/* Job @seqno ended with @code, and the fence of member @slot with @error. */
static void check_end(struct __test_metadata *_metadata, FIXTURE_DATA(group) *self,
		      unsigned int slot, uint64_t seqno, uint32_t code, int error)
{
	struct client *c = &self->client;
	struct drm_faa_status status;

	ASSERT_EQ(0, syncobj_wait(c->fd, self->syncs[slot], WAIT_MS));
	EXPECT_EQ(error, fence_error(c->fd, self->syncs[slot]));
	ASSERT_TRUE(client_status(c, seqno, &status));
	EXPECT_EQ(code, status.code)
	{
		TH_LOG("member %u", slot);
	}
}

static void check_nothing_submitted(struct __test_metadata *_metadata, FIXTURE_DATA(group) *self)
{
	struct drm_faa_queue_get_state state;

	ASSERT_EQ(0, queue_state(self->client.fd, self->client.queue, &state));
	EXPECT_EQ(0, state.submitted);
}

/* ---- Invalid groups ---- */

TEST_F(group, has_an_end)
{
	struct client *c = &self->client;
	struct drm_faa_job jobs[3];

	jobs[0] = end_member(self, 0);
	jobs[1] = jobs[0];
	jobs[2] = jobs[0];
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, jobs, 1, NULL));
	jobs[0].flags = 0;
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, jobs, 2, NULL));
	jobs[1].flags = 0;
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, jobs, 3, NULL));
	check_nothing_submitted(_metadata, self);
	EXPECT_EQ(0, submit(c->fd, c->queue, jobs, 2, NULL));
}

TEST_F(group, has_a_job_for_each_slot_at_most)
{
	const uint32_t slots = self->info.warp_slots;
	struct drm_faa_job jobs[2 * FAA_MAX_SLOTS + 2];
	struct client *c = &self->client;
	uint64_t first;

	jobs[0] = end_member(self, 0);
	for (unsigned int i = 1; i < 2 * slots + 2; i++)
		jobs[i] = jobs[0];
	jobs[slots].flags = 0;
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, jobs, slots + 1, NULL));
	/* A valid group, then an invalid one. */
	jobs[slots - 1].flags = 0;
	jobs[slots].flags = DRM_FAA_JOB_TOGETHER;
	jobs[2 * slots].flags = 0;
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, jobs, 2 * slots + 1, NULL));
	check_nothing_submitted(_metadata, self);
	jobs[2 * slots - 1].flags = 0;
	jobs[2 * slots].flags = 0;
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, 2 * slots + 1, &first));
	ASSERT_EQ(1, first);
	EXPECT_EQ(0, syncobj_wait(c->fd, self->syncs[0], WAIT_MS));
}

TEST_F(group, waits_before_its_first_job_alone)
{
	struct drm_faa_sync ops[2] = { self->signals[1] };
	struct client *c = &self->client;
	struct drm_faa_job jobs[3];
	uint32_t gate;

	ASSERT_EQ(0, syncobj_create(c->fd, true, &gate));
	ops[1].handle = gate;
	for (unsigned int i = 0; i < 2; i++)
		jobs[i] = end_member(self, i);
	/* Not even for a signalled fence, or one that an earlier job of the call signals. */
	jobs[1].syncs.array = (uintptr_t)ops;
	jobs[1].syncs.count = 2;
	EXPECT_EQ(-EINVAL, submit_group(self, jobs, 2, NULL));
	ops[1].handle = self->syncs[0];
	EXPECT_EQ(-EINVAL, submit_group(self, jobs, 2, NULL));
	check_nothing_submitted(_metadata, self);
	EXPECT_EQ(0, syncobj_destroy(c->fd, gate));
	NEED_SLOTS(2);
	/* The first member may wait, also for a job of its own call. */
	jobs[2] = jobs[1];
	jobs[2].syncs.count = 1;
	jobs[1].flags = DRM_FAA_JOB_TOGETHER;
	jobs[0].flags = 0;
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, 3, NULL));
	EXPECT_EQ(0, syncobj_wait(c->fd, self->syncs[1], WAIT_MS));
}

TEST_F(group, needs_room_in_the_status_ring_as_a_whole)
{
	struct client *c = &self->client;
	struct drm_faa_queue_get_state state;
	struct drm_faa_job gate, jobs[2];

	NEED_SLOTS(2);
	gate = gate_member(self, 0, 0);
	gate.flags = 0;
	jobs[0] = end_member(self, 0);
	jobs[1] = end_member(self, 1);
	for (unsigned int i = 0; i + 1 < c->entries; i++)
		ASSERT_EQ(0, submit(c->fd, c->queue, &gate, 1, NULL));
	EXPECT_EQ(-ENOSPC, submit_group(self, jobs, 2, NULL));
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(c->entries - 1, state.submitted);
	open_gate(c, 0);
}

/* ---- Running groups ---- */

/*
 * Each stream waits for the one before and signals the next; the first waits for the last: no
 * stream can run alone.
 */
TEST_F(group, streams_run_at_the_same_time)
{
	const unsigned int slots = self->info.warp_slots;
	struct drm_faa_job jobs[FAA_MAX_SLOTS];
	struct client *c = &self->client;
	uint64_t first;

	NEED_SLOTS(2);
	for (unsigned int i = 0; i < slots; i++) {
		const unsigned int word = c->words;

		if (i)
			put_sem_wait(c, DATA_VA + 8 * i, 1);
		put_sem_signal(c, DATA_VA + 8 * ((i + 1) % slots), 1);
		if (!i)
			put_sem_wait(c, DATA_VA, 1);
		put_end(c);
		jobs[i] = member(self, i, word);
	}
	ASSERT_EQ(0, submit_group(self, jobs, slots, &first));
	EXPECT_EQ(1, first);
	for (unsigned int i = 0; i < slots; i++)
		check_end(_metadata, self, i, first + i, FAA_ERROR_SUCCESS, 0);
}

TEST_F(group, shared_memory_is_one_and_bar_is_where_they_meet)
{
	const unsigned int slots = self->info.warp_slots;
	struct drm_faa_job jobs[FAA_MAX_SLOTS];
	struct client *c = &self->client;
	struct drm_faa_status status;
	uint64_t first;

	NEED_SLOTS(2);
	for (unsigned int i = 0; i < slots; i++) {
		const unsigned int word = c->words;

		put_sts(c, FAA_TYPE_U32, 1, op_imm(4 * i), op_imm(100 + i));
		put_bar(c);
		/* The values of all streams, as this one sees them. */
		put_lds(c, FAA_TYPE_U32, slots,
			op_stream(DATA_VA + 64 + 4 * slots * i, FAA_TYPE_U32, 4), op_affine(0, 4));
		put_end(c);
		jobs[i] = member(self, i, word);
	}
	ASSERT_EQ(0, submit_group(self, jobs, slots, &first));
	for (unsigned int i = 0; i < slots; i++) {
		check_end(_metadata, self, i, first + i, FAA_ERROR_SUCCESS, 0);
		ASSERT_TRUE(client_status(c, first + i, &status));
		EXPECT_EQ(1 + slots, status.elements_retired);
		for (unsigned int k = 0; k < slots; k++)
			EXPECT_EQ(100 + k, c->data32[16 + slots * i + k]);
	}
}

/*
 * Registers belong to a slot of the queue, and persist until the next job in it, also a single job
 * in slot 0.
 */
TEST_F(group, each_has_registers_of_its_own)
{
	const unsigned int slots = self->info.warp_slots;
	struct drm_faa_job jobs[FAA_MAX_SLOTS];
	struct client *c = &self->client;
	unsigned int word;

	NEED_SLOTS(2);
	for (unsigned int i = 0; i < slots; i++) {
		word = c->words;
		put_mov(c, FAA_TYPE_U32, 32, op_reg(7), op_affine(1000 * (i + 1), 1));
		put_end(c);
		jobs[i] = member(self, i, word);
	}
	ASSERT_EQ(0, submit_group(self, jobs, slots, NULL));
	for (unsigned int i = 0; i < slots; i++) {
		word = c->words;
		put_mov(c, FAA_TYPE_U32, 32, op_stream(DATA_VA + 128 * i, FAA_TYPE_U32, 4),
			op_reg(7));
		put_end(c);
		jobs[i] = member(self, i, word);
	}
	ASSERT_EQ(0, submit_group(self, jobs, slots, NULL));
	word = c->words;
	put_mov(c, FAA_TYPE_U32, 32, op_stream(DATA_VA + 128 * slots, FAA_TYPE_U32, 4), op_reg(7));
	put_end(c);
	jobs[0] = member(self, 0, word);
	ASSERT_EQ(0, submit_group(self, jobs, 1, NULL));
	ASSERT_EQ(0, syncobj_wait(c->fd, self->syncs[0], WAIT_MS));
	for (unsigned int lane = 0; lane < 32; lane++) {
		for (unsigned int i = 0; i < slots; i++)
			EXPECT_EQ(1000 * (i + 1) + lane, c->data32[32 * i + lane]);
		EXPECT_EQ(1000 + lane, c->data32[32 * slots + lane]);
	}
}

/* Groups of all sizes and single jobs, many more than ring entries: all run, in order. */
TEST_F(group, many_wrap_the_ring)
{
	const unsigned int slots = self->info.warp_slots;
	static struct drm_faa_job jobs[DRM_FAA_MAX_JOBS];
	struct drm_faa_job adder[FAA_MAX_SLOTS], order;
	struct client *c = &self->client;
	unsigned int word, count = 0, round = 0, sum = 0;
	uint64_t first;

	NEED_SLOTS(2);
	for (unsigned int i = 0; i < slots; i++)
		adder[i] = adding_member(self, i, 0, i + 1);
	/*
	 * Copies the current sum after the last copy; the array's address is in the stream: one job
	 * for each round.
	 */
	while (count + slots + 1 < DRM_FAA_MAX_JOBS) {
		const unsigned int size = 1 + round % slots;

		for (unsigned int i = 0; i < size; i++) {
			jobs[count] = adder[i];
			jobs[count++].flags = i + 1 < size ? DRM_FAA_JOB_TOGETHER : 0;
		}
		word = c->words;
		put_lds(c, FAA_TYPE_U32, 1, op_stream(DATA_VA + 4 * round, FAA_TYPE_U32, 4),
			op_none());
		put_end(c);
		order = member(self, 0, word);
		order.flags = 0;
		jobs[count++] = order;
		round++;
	}
	ASSERT_LT(RING_ENTRIES, count);
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, count, &first));
	ASSERT_EQ(0, syncobj_wait(c->fd, self->syncs[0], WAIT_MS));
	for (unsigned int i = 0; i < round; i++) {
		const unsigned int size = 1 + i % slots;

		sum += size * (size + 1) / 2;
		ASSERT_EQ(sum, c->data32[i])
		{
			TH_LOG("round %u", i);
		}
	}
}

/*
 * The ring is full except for one entry: it holds the first member of the group, the others wait
 * outside, and no member runs.
 */
static void fill_ring(struct __test_metadata *_metadata, FIXTURE_DATA(group) *self)
{
	struct client *c = &self->client;
	struct drm_faa_job gate = gate_member(self, 0, 0), more = end_member(self, 0);

	gate.flags = 0;
	more.flags = 0;
	gate.syncs.count = 0;
	more.syncs.count = 0;
	ASSERT_EQ(0, submit(c->fd, c->queue, &gate, 1, NULL));
	for (unsigned int i = 0; i < RING_ENTRIES - 2; i++)
		ASSERT_EQ(0, submit(c->fd, c->queue, &more, 1, NULL));
}

TEST_F(group, waits_for_room_in_the_ring)
{
	struct drm_faa_job jobs[2];
	struct client *c = &self->client;
	uint64_t first;

	NEED_SLOTS(2);
	fill_ring(_metadata, self);
	jobs[0] = adding_member(self, 0, 0, 10);
	jobs[1] = adding_member(self, 1, 1, 20);
	ASSERT_EQ(0, submit_group(self, jobs, 2, &first));
	ASSERT_EQ(RING_ENTRIES, first);
	EXPECT_EQ(-ETIME, syncobj_wait(c->fd, self->syncs[0], 20));
	open_gate(c, 0);
	for (unsigned int i = 0; i < 2; i++)
		check_end(_metadata, self, i, first + i, FAA_ERROR_SUCCESS, 0);
	ASSERT_EQ(0, read_shared(c, 2));
	EXPECT_EQ(10, c->data32[256]);
	EXPECT_EQ(20, c->data32[257]);
}

/* ---- Ends of groups ---- */

/*
 * The interrupt of its last job reports the end of a group. The timeout handler, which runs every
 * quarter of a job timeout, would find it too, but so late that consecutive groups exceed the time
 * allowed here.
 */
TEST_F(group, ends_with_an_interrupt)
{
	enum { GROUPS = 8 };
	struct client *c = &self->client;
	uint64_t begin;

	NEED_SLOTS(2);
	begin = now_ms();
	for (unsigned int i = 0; i < GROUPS; i++) {
		struct drm_faa_job jobs[2];

		c->words = 0;
		for (unsigned int slot = 0; slot < 2; slot++)
			jobs[slot] = end_member(self, slot);
		ASSERT_EQ(0, submit_group(self, jobs, 2, NULL));
		ASSERT_EQ(0, syncobj_wait(c->fd, self->syncs[1], WAIT_MS));
	}
	EXPECT_GT(GROUPS * self->info.job_timeout_ms / 8, now_ms() - begin);
}

TEST_F(group, fails_as_a_whole)
{
	const unsigned int count = self->info.warp_slots > 2 ? 3 : 2;
	struct client *c = &self->client;
	struct drm_faa_queue_get_state state;
	struct drm_faa_status status;
	struct drm_faa_job jobs[3];
	unsigned int word;
	uint64_t first;

	NEED_SLOTS(2);
	/* One stream waits at BAR for all, one fails, one waits for ever. */
	put_bar(c);
	put_end(c);
	jobs[0] = member(self, 0, 0);
	word = c->words;
	put_mov(c, FAA_TYPE_U32, 32, op_reg(0), op_imm(1));
	c->stream[c->words++] = 0xff;
	jobs[1] = member(self, 1, word);
	jobs[2] = gate_member(self, 2, 0);
	ASSERT_EQ(0, submit_group(self, jobs, count, &first));
	for (unsigned int i = 0; i < count; i++)
		if (i == 1)
			check_end(_metadata, self, i, first + i, FAA_ERROR_ILLEGAL_COMMAND,
				  -EINVAL);
		else
			check_end(_metadata, self, i, first + i, FAA_ERROR_STOPPED, -ECANCELED);
	ASSERT_TRUE(client_status(c, first, &status));
	EXPECT_EQ(0, status.command);
	/* The queue reports the member that failed on its own, and continues to work. */
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(0, state.state & DRM_FAA_QUEUE_STATE_DEAD);
	EXPECT_EQ(count, state.failed);
	EXPECT_EQ(first + 1, state.error_seqno);
	EXPECT_EQ(FAA_ERROR_ILLEGAL_COMMAND, state.error_code);
	c->words = 0;
	put_end(c);
	EXPECT_EQ(0, client_run(c, NULL));
}

/*
 * The queue names the job that failed on its own, although the record of the job that it stopped
 * comes later.
 */
TEST_F(group, names_the_job_that_failed_by_itself)
{
	struct client *c = &self->client;
	struct drm_faa_queue_get_state state;
	struct drm_faa_job jobs[2];
	unsigned int word;
	uint64_t first;

	NEED_SLOTS(2);
	c->stream[c->words++] = 0xff;
	jobs[0] = member(self, 0, 0);
	word = c->words;
	put_bar(c);
	put_end(c);
	jobs[1] = member(self, 1, word);
	ASSERT_EQ(0, submit_group(self, jobs, 2, &first));
	check_end(_metadata, self, 0, first, FAA_ERROR_ILLEGAL_COMMAND, -EINVAL);
	check_end(_metadata, self, 1, first + 1, FAA_ERROR_STOPPED, -ECANCELED);
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(2, state.failed);
	EXPECT_EQ(first, state.error_seqno);
	EXPECT_EQ(FAA_ERROR_ILLEGAL_COMMAND, state.error_code);
}

/* Found when its first command is fetched: the other stream has begun. */
TEST_F(group, a_bad_restart_stops_the_others)
{
	struct drm_faa_job jobs[2];
	uint64_t first;

	NEED_SLOTS(2);
	jobs[0] = gate_member(self, 0, 0);
	jobs[1] = adding_member(self, 1, 0, 32);
	jobs[1].first_element = 64;
	ASSERT_EQ(0, submit_group(self, jobs, 2, &first));
	check_end(_metadata, self, 1, first + 1, FAA_ERROR_BAD_DESCRIPTOR, -EINVAL);
	check_end(_metadata, self, 0, first, FAA_ERROR_STOPPED, -ECANCELED);
	ASSERT_EQ(0, read_shared(&self->client, 1));
	EXPECT_EQ(0, self->client.data32[256]);
}

/*
 * One stream waits, the other makes progress for longer than the timeout of a job without progress.
 */
TEST_F_TIMEOUT(group, progress_of_one_is_progress_of_all, 240)
{
	struct drm_faa_job jobs[2];
	struct client *c = &self->client;
	unsigned int word;
	uint64_t first;

	NEED_SLOTS(2);
	jobs[0] = gate_member(self, 0, 1);
	word = c->words;
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_imm(0), op_imm(1));
	put_ld(c, FAA_TYPE_U32, 32, op_reg(0), op_imm(DATA_VA));
	put_jump(c, -(int32_t)(c->words - word));
	put_end(c);
	jobs[1] = member(self, 1, word);
	ASSERT_EQ(0, submit_group(self, jobs, 2, &first));
	usleep(1000 * (self->info.job_timeout_ms + self->info.job_timeout_ms / 2));
	EXPECT_EQ(-ETIME, syncobj_wait(c->fd, self->syncs[0], 0));
	/* It never ends: the job limit applies to the group. Both were running. */
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_EQ(0, syncobj_wait(c->fd, self->syncs[i],
					  (int)self->info.job_limit_ms + WAIT_MS));
		check_end(_metadata, self, i, first + i, FAA_ERROR_TIMEOUT, -ETIMEDOUT);
	}
}

/* A hang kills the group; the groups after it never run. */
TEST_F_TIMEOUT(group, hangs_as_a_whole, 240)
{
	struct client *c = &self->client;
	struct drm_faa_queue_get_state state;
	struct drm_faa_job jobs[4];
	uint64_t first;

	NEED_SLOTS(2);
	jobs[0] = gate_member(self, 0, 0);
	jobs[1] = gate_member(self, 1, 0);
	jobs[1].flags = 0;
	jobs[2] = adding_member(self, 2, 0, 1);
	jobs[3] = adding_member(self, 3, 0, 1);
	ASSERT_EQ(0, submit_group(self, jobs, 4, &first));
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_EQ(0, syncobj_wait(c->fd, self->syncs[i],
					  (int)self->info.job_limit_ms + WAIT_MS));
		check_end(_metadata, self, i, first + i, FAA_ERROR_TIMEOUT, -ETIMEDOUT);
	}
	for (unsigned int i = 2; i < 4; i++)
		check_end(_metadata, self, i, first + i, FAA_ERROR_CANCELLED, -ECANCELED);
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_NE(0, state.state & DRM_FAA_QUEUE_STATE_DEAD);
	EXPECT_EQ(-ECANCELED, submit_group(self, jobs, 2, NULL));
}

/*
 * The queue is killed with the first job of a group in the ring and the others outside: no member
 * may have run, none hangs.
 */
TEST_F_TIMEOUT(group, dies_half_way_into_the_ring, 240)
{
	struct client *c = &self->client;
	struct drm_faa_job jobs[2];
	uint64_t first;

	NEED_SLOTS(2);
	fill_ring(_metadata, self);
	jobs[0] = adding_member(self, 0, 0, 1);
	jobs[1] = adding_member(self, 1, 0, 1);
	ASSERT_EQ(0, submit_group(self, jobs, 2, &first));
	/* The gate at the head times out. */
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_EQ(0, syncobj_wait(c->fd, self->syncs[i],
					  (int)self->info.job_limit_ms + WAIT_MS));
		check_end(_metadata, self, i, first + i, FAA_ERROR_CANCELLED, -ECANCELED);
	}
}

/* The same with a running group, when the queue is destroyed. */
TEST_F(group, destroyed_while_one_runs_and_one_is_half_way_into_the_ring)
{
	struct client *c = &self->client;
	struct drm_faa_job running[2], jobs[2], more = end_member(self, 0);
	const volatile struct drm_faa_status *ring;
	struct drm_faa_queue_create queue;

	NEED_SLOTS(2);
	ASSERT_EQ(0, queue_create(c->fd, c->vm, 0, &queue));
	ring = bo_mmap(c->fd, queue.status_handle, 256 * sizeof(*ring), PROT_READ);
	ASSERT_NE(NULL, (void *)ring);
	running[0] = gate_member(self, 0, 0);
	running[1] = gate_member(self, 1, 0);
	running[1].flags = 0;
	ASSERT_EQ(0, submit(c->fd, queue.queue_id, running, 2, NULL));
	more.flags = 0;
	more.syncs.count = 0;
	for (unsigned int i = 0; i < RING_ENTRIES - 3; i++)
		ASSERT_EQ(0, submit(c->fd, queue.queue_id, &more, 1, NULL));
	jobs[0] = end_member(self, 2);
	jobs[1] = end_member(self, 3);
	jobs[1].flags = 0;
	ASSERT_EQ(0, submit(c->fd, queue.queue_id, jobs, 2, NULL));
	usleep(20000);
	ASSERT_EQ(0, queue_destroy(c->fd, queue.queue_id));
	for (unsigned int i = 0; i < 4; i++) {
		EXPECT_EQ(0, syncobj_wait(c->fd, self->syncs[i], WAIT_MS));
		EXPECT_EQ(-ECANCELED, fence_error(c->fd, self->syncs[i]))
		{
			TH_LOG("member %u", i);
		}
	}
	/* Each job has its record, also jobs outside the ring. */
	for (unsigned int i = 1; i <= RING_ENTRIES + 1; i++) {
		EXPECT_EQ(i, ring[i].seqno);
		EXPECT_TRUE(ring[i].code == FAA_ERROR_CANCELLED ||
			    (i <= 2 && ring[i].code == FAA_ERROR_KILLED))
		{
			TH_LOG("job %u: code %u", i, ring[i].code);
		}
	}
	munmap((void *)ring, 256 * sizeof(*ring));
	EXPECT_EQ(0, bo_close(c->fd, queue.status_handle));
}

/* The program is killed; the next program can use the device. */
TEST_F(group, of_a_program_that_is_killed)
{
	struct drm_faa_job jobs[2];
	struct client *c = &self->client;
	int ready[2], status;
	uint64_t first;
	char byte = 0;
	pid_t pid;

	NEED_SLOTS(2);
	ASSERT_EQ(0, pipe(ready));
	fflush(stdout);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct client child;

		if (client_open(&child, 1024))
			_exit(1);
		self->client = child;
		for (unsigned int i = 0; i < 2; i++) {
			jobs[i] = gate_member(self, i, 0);
			jobs[i].syncs.count = 0;
		}
		if (submit_group(self, jobs, 2, NULL) || write(ready[1], "r", 1) != 1)
			_exit(2);
		pause();
		_exit(3);
	}
	close(ready[1]);
	EXPECT_EQ(1, read(ready[0], &byte, 1));
	close(ready[0]);
	usleep(5000);
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	for (unsigned int i = 0; i < 2; i++)
		jobs[i] = adding_member(self, i, i, 5);
	ASSERT_EQ(0, submit_group(self, jobs, 2, &first));
	for (unsigned int i = 0; i < 2; i++)
		check_end(_metadata, self, i, first + i, FAA_ERROR_SUCCESS, 0);
	ASSERT_EQ(0, read_shared(c, 2));
	EXPECT_EQ(5, c->data32[256]);
	EXPECT_EQ(5, c->data32[257]);
}

TEST_HARNESS_MAIN
