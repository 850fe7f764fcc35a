// SPDX-License-Identifier: MIT
/*
 * A device with a fault: which rung of the ladder helps, and what each client sees of it. The
 * faults of the device, which FAA_VDEV_OPTS tells, are a row of the table.
 *
 * Clients: one that meets the fault, one whose job runs on another compute unit, and one with more
 * idle queues than there are hardware queues, so that the contexts of some are in memory. Data of
 * queues that continue are checked word by word.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

enum {
	SHARED = 128,
	WORDS = SHARED / 4,
	IDLE = FAA_MAX_QUEUES + 4,
	/* Doorbells and invalidations before a fault that lasts: more than the set-up needs. */
	TRIES = 120,
	/* Limit of a wait that a recovery is part of, milliseconds. */
	PATIENCE_MS = 5 * WAIT_MS,
	/* Where in its data the job that runs beside says so. */
	STARTED = 256,
};

/* The operation of the client that meets the fault. */
enum meets {
	/* A job that never ends. */
	IN_A_JOB,
	/* Two of them, one after the other. */
	IN_TWO_JOBS,
	/* Short jobs, and one that never ends. */
	IN_SHORT_JOBS,
	/* The same, until one fails. */
	UNTIL_ONE_FAILS,
	/* Mappings that come and go. */
	IN_UNMAP,
};

/* The effect on queues that have a hardware queue. */
enum others {
	/* They notice nothing. */
	NOTICE_NOTHING,
	/*
	 * Idle ones continue. A job that does not end in time is killed, and its record says where.
	 */
	SAVED,
	/* They are dead, and a job that ran may have run in part. */
	CONTEXT_LOST,
	/* The device is lost. */
	DEVICE_LOST,
};

struct row {
	const char *faults;
	enum meets meets;
	enum others others;
	/* Line of the kernel log, and uevent; NULL = none. */
	const char *log;
	const char *uevent;
	/* Record of the job that never ends. */
	uint32_t code;
};

static const struct row rows[] = {
	{ "--fault=ignore-kill:1", IN_A_JOB, NOTICE_NOTHING, "compute unit reset", NULL,
	  FAA_ERROR_TIMEOUT },
	{ "--fault=ignore-kill:2", IN_TWO_JOBS, SAVED,
	  "a queue cannot be stopped: compute units reset", "WEDGED=none", FAA_ERROR_TIMEOUT },
	{ "--fault=ignore-kill:1 --fault=ignore-reset:1", IN_A_JOB, SAVED,
	  "a queue cannot be stopped: function reset", "WEDGED=none", FAA_ERROR_TIMEOUT },
	{ "--fault=stick-tlb:1@40", IN_UNMAP, SAVED,
	  "a TLB invalidation does not complete: compute units reset", "WEDGED=none", 0 },
	{ "--fault=stick-tlb:2@40", IN_UNMAP, SAVED,
	  "a TLB invalidation does not complete: function reset", "WEDGED=none", 0 },
	{ "--fault=stop-axi:1@60", UNTIL_ONE_FAILS, CONTEXT_LOST, "function reset", "WEDGED=none",
	  0 },
	{ "--fault=read-ones:1@60", UNTIL_ONE_FAILS, CONTEXT_LOST, "function reset", "WEDGED=none",
	  0 },
	{ "--fault=lose-irq@115", IN_SHORT_JOBS, NOTICE_NOTHING, NULL, NULL, FAA_ERROR_TIMEOUT },
	{ "--fault=ignore-kill --fault=ignore-reset --fault=ignore-flr", IN_A_JOB, DEVICE_LOST,
	  "a queue cannot be stopped: giving the device up", "WEDGED=rebind,bus-reset",
	  FAA_ERROR_TIMEOUT },
	{ 0 },
};

/* A queue of the client with idle ones. */
struct idle {
	struct drm_faa_queue_create queue;
	uint32_t sync;
};

FIXTURE(recovery)
{
	const struct row *row;
	struct client bad, second, running, owner;
	struct idle idle[IDLE];
	struct drm_faa_device_info info;
	uint64_t seqno;
	/* Byte offset of the long command in the job that runs beside. */
	unsigned int endless;
	int log, uevents;
};

static int uevents_open(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Wait for a change of a DRM device with a variable WEDGED=..., which is copied to @value. */
static bool uevents_find(int fd, char *value, size_t size, int ms)
{
	const uint64_t end = now_ms() + (uint64_t)ms;
	char text[4096];

	do {
		ssize_t length = recv(fd, text, sizeof(text) - 1, 0);
		bool drm = false, change = false;

		if (length <= 0) {
			usleep(10000);
			continue;
		}
		text[length] = '\0';
		value[0] = '\0';
		for (char *word = text; word < text + length; word += strlen(word) + 1) {
			change |= !strcmp(word, "ACTION=change");
			drm |= !strcmp(word, "SUBSYSTEM=drm");
			if (!strncmp(word, "WEDGED=", 7))
				snprintf(value, size, "%.*s", (int)size - 1, word);
		}
		if (change && drm && value[0])
			return true;
	} while (now_ms() < end);
	return false;
}

/* A job of an idle queue, whose shared memory counts its jobs. */
static int idle_run(struct client *c, struct idle *idle)
{
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = idle->sync };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};
	int ret;

	c->words = 0;
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, WORDS, op_none(), op_affine(0, 4), op_imm(1));
	put_lds(c, FAA_TYPE_U32, WORDS, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(0, 4));
	put_end(c);
	job.stream_bytes = 8 * c->words;
	memset(c->data, 0xee, SHARED);
	ret = submit(c->fd, idle->queue.queue_id, &job, 1, NULL);
	if (!ret)
		ret = syncobj_wait(c->fd, idle->sync, WAIT_MS);
	return ret ? ret : fence_error(c->fd, idle->sync);
}

FIXTURE_SETUP(recovery)
{
	const char *faults = getenv("FAA_VDEV_OPTS");

	for (const struct row *row = rows; faults && row->faults; row++)
		if (!strcmp(row->faults, faults))
			self->row = row;
	ASSERT_NE(NULL, self->row);
	self->log = log_open();
	ASSERT_LE(0, self->log);
	self->uevents = uevents_open();
	ASSERT_LE(0, self->uevents);
	ASSERT_EQ(0, client_open(&self->owner, SHARED));
	ASSERT_EQ(0, device_info(self->owner.fd, &self->info));
	ASSERT_LT(self->info.num_queues, IDLE);
	for (unsigned int i = 0; i < IDLE; i++) {
		struct idle *idle = &self->idle[i];

		ASSERT_EQ(0, queue_create(self->owner.fd, self->owner.vm, SHARED, &idle->queue));
		ASSERT_EQ(0, syncobj_create(self->owner.fd, false, &idle->sync));
		ASSERT_EQ(0, idle_run(&self->owner, idle));
	}
	ASSERT_EQ(0, client_open(&self->bad, SHARED));
	ASSERT_EQ(0, client_open(&self->second, SHARED));
	ASSERT_EQ(0, client_open(&self->running, SHARED));
	/* Tells that it runs; then works in shared memory for longer than all that follows. */
	put_sem_signal(&self->running, DATA_VA + STARTED, 1);
	self->endless = 8 * self->running.words;
	put_atoms(&self->running, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1ull << 32, op_none(), op_imm(0),
		  op_imm(1));
	put_end(&self->running);
}

FIXTURE_TEARDOWN(recovery)
{
	const int want = self->row && self->row->others == DEVICE_LOST ? -ENODEV : 0;

	/* Closing a device that is lost must not hang. */
	EXPECT_EQ(want, client_close(&self->running));
	EXPECT_EQ(want, client_close(&self->second));
	EXPECT_EQ(want, client_close(&self->bad));
	close(self->owner.fd);
	close(self->uevents);
	close(self->log);
}

static void start_running(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	struct client *c = &self->running;
	const uint64_t end = now_ms() + WAIT_MS;

	ASSERT_EQ(0, client_submit(c, &self->seqno));
	while (!((volatile uint64_t *)c->data64)[STARTED / 8] && now_ms() < end)
		usleep(1000);
	ASSERT_EQ(1, c->data64[STARTED / 8]);
}

/* Like client_run(), through a recovery: a simulated device takes its time for each wait. */
static int run_patiently(struct client *c, struct drm_faa_status *status)
{
	uint64_t seqno;
	int fence, ret;

	ret = client_submit(c, &seqno);
	c->words = 0;
	if (ret)
		return ret;
	fence = fence_fd(c->fd, c->sync);
	if (fence < 0)
		return fence;
	ret = fence_fd_wait(fence, PATIENCE_MS);
	close(fence);
	return client_status(c, seqno, status) ? ret : -EBADMSG;
}

/* A job that never ends; its record says @code. */
static void run_endless(struct __test_metadata *_metadata, struct client *c, uint32_t code)
{
	struct drm_faa_status status = { 0 };

	c->words = 0;
	put_jump(c, 0);
	EXPECT_EQ(code == FAA_ERROR_TIMEOUT ? -ETIMEDOUT : -ECANCELED, run_patiently(c, &status));
	EXPECT_EQ(code, status.code);
}

/* A short job. Returns its error, or 0 with the right data. */
static int run_short(struct __test_metadata *_metadata, struct client *c, uint32_t value,
		     struct drm_faa_status *status)
{
	int ret;

	put_mov(c, FAA_TYPE_U32, 32, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_imm(value));
	put_end(c);
	ret = run_patiently(c, status);
	for (unsigned int k = 0; !ret && k < 32; k++)
		ASSERT_EQ(value, c->data32[k]);
	return ret;
}

/* Short jobs whose interrupts are lost: each costs a quarter of the timeout at most. */
static void run_without_interrupts(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	const uint64_t begin = now_ms();
	struct drm_faa_status status;

	for (unsigned int i = 0; i < TRIES; i++)
		ASSERT_EQ(0, run_short(_metadata, &self->bad, i, &status));
	EXPECT_GT(TRIES * (self->info.job_timeout_ms / 4 + 200), now_ms() - begin);
	/* Ten at least were lost. */
	EXPECT_LT(10 * self->info.job_timeout_ms / 5, now_ms() - begin);
	run_endless(_metadata, &self->bad, self->row->code);
}

/* Short jobs until the device does not answer; registers are read when a job takes long. */
static void run_until_one_fails(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	struct drm_faa_status status = { 0 };
	struct drm_faa_queue_get_state state;
	struct client *c = &self->bad;
	int ret = 0;

	for (unsigned int i = 0; !ret && i < TRIES; i++)
		ret = run_short(_metadata, c, i, &status);
	c->words = 0;
	if (!ret) {
		put_jump(c, 0);
		ret = run_patiently(c, &status);
	}
	/* Whose timeout was noticed first: that of this job, or of the one beside it? */
	EXPECT_TRUE(ret == -ETIMEDOUT || ret == -ECANCELED);
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_RESET,
		  state.state & ~DRM_FAA_QUEUE_STATE_TIMEDOUT);
	/* All that were submitted have ended; the last one may not have been accepted any more. */
	EXPECT_EQ(state.submitted, state.completed);
	if (state.failed)
		EXPECT_TRUE(status.code == FAA_ERROR_TIMEOUT || status.code == FAA_ERROR_CU_RESET ||
			    status.code == FAA_ERROR_CANCELLED);
}

/* Unmap until an invalidation does not complete; nothing shows but the time. */
static void run_unmap(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	struct client *c = &self->bad;
	const uint64_t va = DATA_VA + DATA_BYTES;

	for (unsigned int i = 0; i < TRIES; i++) {
		/* One page, then another at the same address: an old translation would show. */
		const uint32_t page = i % 2 * PAGE;

		ASSERT_EQ(0, vm_map(c->fd, c->vm, c->data_bo, page, va, PAGE, 0));
		put_mov(c, FAA_TYPE_U32, 32, op_stream(va, FAA_TYPE_U32, 4), op_imm(i));
		put_end(c);
		ASSERT_EQ(0, client_run(c, NULL));
		ASSERT_EQ(i, c->data32[page / 4 + 31]);
		ASSERT_EQ(0, vm_unmap(c->fd, c->vm, va, PAGE));
	}
	/* Unmapped memory cannot be reached. */
	put_mov(c, FAA_TYPE_U32, 32, op_stream(va, FAA_TYPE_U32, 4), op_imm(77));
	put_end(c);
	EXPECT_EQ(-EFAULT, client_run(c, NULL));
	EXPECT_NE(77, c->data32[31]);
}

static void meet(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	switch (self->row->meets) {
	case IN_TWO_JOBS:
		run_endless(_metadata, &self->second, self->row->code);
		run_endless(_metadata, &self->bad, self->row->code);
		break;
	case IN_A_JOB:
		run_endless(_metadata, &self->bad, self->row->code);
		break;
	case IN_SHORT_JOBS:
		run_without_interrupts(_metadata, self);
		break;
	case UNTIL_ONE_FAILS:
		run_until_one_fails(_metadata, self);
		break;
	case IN_UNMAP:
		run_unmap(_metadata, self);
		break;
	}
}

/* The job that ran on another compute unit. */
static void check_running(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	struct client *c = &self->running;
	struct drm_faa_queue_get_state state;
	struct drm_faa_status status;
	uint32_t code;

	if (self->row->others == NOTICE_NOTHING) {
		/* It runs, or has met the limit of a job. */
		ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
		EXPECT_EQ(0, state.state & DRM_FAA_QUEUE_STATE_RESET);
		return;
	}
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, PATIENCE_MS));
	ASSERT_TRUE(client_status(c, self->seqno, &status));
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_RESET,
		  state.state & ~DRM_FAA_QUEUE_STATE_TIMEDOUT);
	EXPECT_EQ(self->seqno, state.completed);
	EXPECT_EQ(1, state.failed);
	code = status.code;
	if (self->row->others == SAVED) {
		/* The record says which element is the next: the first one of a warp. */
		EXPECT_EQ(FAA_ERROR_KILLED, code);
		EXPECT_EQ(-ECANCELED, fence_error(c->fd, c->sync));
		EXPECT_EQ(self->endless, status.command);
		EXPECT_LT(0, status.element);
		EXPECT_EQ(status.element, status.elements_retired);
		EXPECT_EQ(0, status.element % 32);
	} else {
		EXPECT_TRUE(code == FAA_ERROR_CU_RESET || code == FAA_ERROR_TIMEOUT);
		EXPECT_EQ(0, status.end_cycle);
	}
}

/* Idle queues: those whose context is there count on, the others say that they have lost it. */
static void check_idle(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	struct client *c = &self->owner;
	struct drm_faa_queue_get_state state;
	unsigned int dead = 0;

	for (unsigned int i = 0; i < IDLE; i++) {
		struct idle *idle = &self->idle[i];

		ASSERT_EQ(0, queue_state(c->fd, idle->queue.queue_id, &state));
		EXPECT_EQ(1, state.completed);
		EXPECT_EQ(0, state.failed);
		EXPECT_EQ(0, state.resets);
		if (state.state) {
			EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_RESET,
				  state.state);
			EXPECT_EQ(-ECANCELED, idle_run(c, idle));
			dead++;
			continue;
		}
		ASSERT_EQ(0, idle_run(c, idle));
		for (unsigned int k = 0; k < WORDS; k++)
			ASSERT_EQ(2, c->data32[k]);
	}
	/* The RTL has most contexts in memory; only those in compute units are lost. */
	EXPECT_GE(self->row->others == CONTEXT_LOST ? self->info.num_queues : 0, dead);
}

/* Kernel log and uevent. The line comes when the last fence has signalled, or just afterwards. */
static void check_messages(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	const struct row *row = self->row;
	const uint64_t end = now_ms() + WAIT_MS;
	char line[2048] = "", value[64] = "";
	int found = 0;

	while (row->log && !found && now_ms() < end) {
		found = log_find(self->log, row->log, line, sizeof(line));
		usleep(1000);
	}
	EXPECT_EQ(!!row->log, found);
	if (row->uevent) {
		EXPECT_TRUE(uevents_find(self->uevents, value, sizeof(value), WAIT_MS));
		EXPECT_STREQ(row->uevent, value);
	} else {
		EXPECT_FALSE(uevents_find(self->uevents, value, sizeof(value), 200));
	}
}

static void check_lost(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	EXPECT_EQ(-ENODEV, wait_lost(self->owner.fd));
	EXPECT_EQ(-ENODEV, idle_run(&self->owner, &self->idle[0]));
	EXPECT_EQ(FAA_ERROR_DEVICE_LOST, self->running.ring[self->seqno].code);
}

/* New clients work, on all compute units, and interrupts come: without, a job takes longer. */
static void check_new(struct __test_metadata *_metadata, FIXTURE_DATA(recovery) *self)
{
	uint64_t begin, fastest = UINT64_MAX;

	for (unsigned int i = 0; i < 4 * self->info.num_cus; i++) {
		struct client c;

		ASSERT_EQ(0, client_open(&c, 0));
		put_mov(&c, FAA_TYPE_U32, 32, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_imm(i));
		put_end(&c);
		begin = now_ms();
		EXPECT_EQ(0, client_run(&c, NULL));
		if (now_ms() - begin < fastest)
			fastest = now_ms() - begin;
		EXPECT_EQ(i, c.data32[31]);
		EXPECT_EQ(0, client_close(&c));
	}
	/* A lost interrupt delays its job by a quarter of the timeout. */
	if (self->row->log)
		EXPECT_GT(self->info.job_timeout_ms / 4, fastest);
}

TEST_F_TIMEOUT(recovery, from_a_fault, 800)
{
	uint64_t cycles;

	if (self->row->meets == IN_TWO_JOBS || self->row->meets == IN_A_JOB ||
	    self->row->others == CONTEXT_LOST)
		start_running(_metadata, self);
	cycles = fdinfo_number(self->owner.fd, "drm-total-cycles-rmw");
	meet(_metadata, self);
	check_messages(_metadata, self);
	if (self->row->others == DEVICE_LOST) {
		check_lost(_metadata, self);
		return;
	}
	if (self->seqno)
		check_running(_metadata, self);
	EXPECT_EQ(0, queue_destroy(self->running.fd, self->running.queue));
	self->running.queue = 0;
	check_idle(_metadata, self);
	check_new(_metadata, self);
	/* The device's own counter begins again with a reset of the function. */
	EXPECT_LT(cycles, fdinfo_number(self->owner.fd, "drm-total-cycles-rmw"));
}

TEST_HARNESS_MAIN
