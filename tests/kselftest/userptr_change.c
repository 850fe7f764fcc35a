// SPDX-License-Identifier: MIT
/*
 * Memory of the process changes under a running job: by munmap, mremap, mprotect, madvise, fork,
 * swap, KSM, compaction. A job that was submitted with the memory sees no change: the system call
 * waits for the job. With FAULTABLE it does not wait: the job ends with the precise fault, and can
 * be continued.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define AREA 0x7fffe000ull
/* Pages of the memory; the jobs use the first two, the last two are equal. */
#define PAGES 4
#define WORDS (PAGE / 8)
#define OLD   0x1234
#define NEW   0x5678

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

FIXTURE(change)
{
	struct client client;
	volatile uint64_t *memory;
	pthread_t thread;
	bool result;
	bool (*change)(volatile uint64_t * memory);
};

/* Memory after the change: the same contents, zeros, read-only, or inaccessible. */
enum left { SAME, ZERO, READABLE, NOTHING };

FIXTURE_VARIANT(change)
{
	bool (*change)(volatile uint64_t * memory);
	enum left left;
};

static bool do_munmap(volatile uint64_t *memory)
{
	return !munmap((void *)memory, PAGES * PAGE);
}

static bool do_mremap(volatile uint64_t *memory)
{
	/* To another address: the mapping cannot grow at its own, because the address is given. */
	char *to = mmap(NULL, PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t *at;

	if (to == MAP_FAILED)
		return false;
	at = mremap((void *)memory, PAGES * PAGE, PAGES * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
	/* The memory moved, with the device's stores if there were any. */
	return at != MAP_FAILED && at[0] == OLD && (!at[WORDS] || at[WORDS] == NEW) &&
	       !munmap(at, PAGES * PAGE);
}

static bool do_protect_none(volatile uint64_t *memory)
{
	return !mprotect((void *)memory, PAGES * PAGE, PROT_NONE);
}

static bool do_protect_read(volatile uint64_t *memory)
{
	return !mprotect((void *)memory, PAGES * PAGE, PROT_READ);
}

static bool do_dontneed(volatile uint64_t *memory)
{
	return !madvise((void *)memory, PAGES * PAGE, MADV_DONTNEED);
}

/* A child that reads the memory, writes to its copy, and ends. */
static bool do_fork(volatile uint64_t *memory)
{
	pid_t child = fork();
	int status;

	if (!child) {
		bool good = memory[0] == OLD;

		memory[0] = 1;
		memory[WORDS] = 2;
		_exit(!good);
	}
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

/* Afterwards the parent writes: its page is copied, the child keeps the old one. */
static bool do_fork_and_write(volatile uint64_t *memory)
{
	pid_t child = fork();
	int status;

	if (!child) {
		usleep(50000);
		_exit(memory[0] != OLD);
	}
	memory[1] = 1;
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static bool do_exec(volatile uint64_t *memory)
{
	pid_t child = fork();
	int status;

	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

/*
 * The pagemap entry of @address; bit 63: present, bit 62: swapped, bits 54..0: frame of a present
 * page.
 */
static uint64_t pagemap_entry(volatile void *address)
{
	int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (pread(file, &entry, 8, (off_t)((uintptr_t)address / PAGE * 8)) != 8)
		entry = 0;
	close(file);
	return entry;
}

/* A RAM disk as swap space, once for all tests of the machine. */
static bool have_swap(void)
{
	static const char device[] = "/dev/ram0";
	uint32_t header[PAGE / 4] = { 0 };
	int file = open(device, O_RDWR | O_CLOEXEC);
	off_t size;

	if (file < 0)
		return false;
	size = lseek(file, 0, SEEK_END);
	header[256] = 1;
	header[257] = (uint32_t)(size / PAGE) - 1;
	memcpy((char *)header + PAGE - 10, "SWAPSPACE2", 10);
	if (swapon(device, 0) && errno != EBUSY) {
		if (pwrite(file, header, PAGE, 0) != PAGE || fsync(file))
			size = 0;
		if (swapon(device, 0) && errno != EBUSY)
			size = 0;
	}
	close(file);
	return size > 0;
}

static bool do_swap(volatile uint64_t *memory)
{
	if (!have_swap())
		return false;
	for (uint64_t end = now_ms() + WAIT_MS; now_ms() < end; usleep(1000)) {
		if (madvise((void *)memory, PAGES * PAGE, MADV_PAGEOUT))
			return false;
		if (pagemap_entry(memory) >> 62 & 1 && pagemap_entry(memory + WORDS) >> 62 & 1)
			return true;
	}
	return false;
}

/*
 * The last two pages are equal: KSM merges them, and neither the device nor this process may write
 * the page.
 */
static bool do_merge(volatile uint64_t *memory)
{
	bool merged = false;

	if (madvise((void *)memory, PAGES * PAGE, MADV_MERGEABLE) ||
	    write_file("/sys/kernel/mm/ksm/sleep_millisecs", "1") ||
	    write_file("/sys/kernel/mm/ksm/run", "1"))
		return false;
	for (uint64_t end = now_ms() + WAIT_MS; now_ms() < end && !merged; usleep(1000)) {
		uint64_t one = pagemap_entry(memory + 2 * WORDS),
			 two = pagemap_entry(memory + 3 * WORDS);

		merged = one >> 63 && one == two;
	}
	return !write_file("/sys/kernel/mm/ksm/run", "0") && merged;
}

FIXTURE_VARIANT_ADD(change, munmap){ .change = do_munmap, .left = NOTHING };
FIXTURE_VARIANT_ADD(change, mremap){ .change = do_mremap, .left = NOTHING };
FIXTURE_VARIANT_ADD(change, protect_none){ .change = do_protect_none, .left = NOTHING };
FIXTURE_VARIANT_ADD(change, protect_read){ .change = do_protect_read, .left = READABLE };
FIXTURE_VARIANT_ADD(change, dontneed){ .change = do_dontneed, .left = ZERO };
FIXTURE_VARIANT_ADD(change, fork){ .change = do_fork, .left = SAME };
FIXTURE_VARIANT_ADD(change, fork_and_write){ .change = do_fork_and_write, .left = SAME };
FIXTURE_VARIANT_ADD(change, exec){ .change = do_exec, .left = SAME };
FIXTURE_VARIANT_ADD(change, swap){ .change = do_swap, .left = SAME };
FIXTURE_VARIANT_ADD(change, merge){ .change = do_merge, .left = SAME };

FIXTURE_SETUP(change)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
	self->memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	ASSERT_NE(MAP_FAILED, self->memory);
	self->memory[0] = OLD;
	self->memory[WORDS] = 0;
	/* Equal to each other, and different from all other pages. */
	for (unsigned int i = 0; i < WORDS; i++) {
		self->memory[2 * WORDS + i] = 0x77 + i;
		self->memory[3 * WORDS + i] = 0x77 + i;
	}
	self->change = variant->change;
}

FIXTURE_TEARDOWN(change)
{
	EXPECT_EQ(0, client_close(&self->client));
	munmap((void *)self->memory, PAGES * PAGE);
}

static int bind(FIXTURE_DATA(change) *self, uint32_t flags)
{
	return vm_map_userptr(self->client.fd, self->client.vm, (void *)self->memory, AREA,
			      PAGES * PAGE, flags);
}

/*
 * Read the first page into data[0], signal by data[8], wait for data[16], then read the first page
 * into data[1] and write the second one.
 */
static void put_body(struct client *c)
{
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		op_stream(AREA, FAA_TYPE_U64, 8));
	put_sem_signal(c, DATA_VA + 64, 1);
	put_sem_wait(c, DATA_VA + 128, 1);
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 8, FAA_TYPE_U64, 8),
		op_stream(AREA, FAA_TYPE_U64, 8));
	put_mov(c, FAA_TYPE_U64, 1, op_stream(AREA + PAGE, FAA_TYPE_U64, 8), op_imm(NEW));
	put_end(c);
}

static int wait_for_body(struct client *c)
{
	for (uint64_t end = now_ms() + WAIT_MS;
	     !((volatile uint64_t *)c->data64)[8] && now_ms() < end;)
		usleep(1000);
	return c->data64[8] == 1 ? 0 : -ETIME;
}

static int start_job(FIXTURE_DATA(change) *self, uint64_t *seqno)
{
	struct client *c = &self->client;
	int ret;

	put_body(c);
	ret = client_submit(c, seqno);
	c->words = 0;
	return ret ? ret : wait_for_body(c);
}

/* The same as the second job of a call whose first one ends at once. */
static int start_second_job(FIXTURE_DATA(change) *self, uint64_t *seqno)
{
	struct client *c = &self->client;
	struct drm_faa_sync done = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_job jobs[2] = {
		{ .stream_va = STREAM_VA, .stream_bytes = 8 },
		{ .stream_va = STREAM_VA + 8,
		  .syncs = { .stride = sizeof(done), .count = 1, .array = (uintptr_t)&done } },
	};
	int ret;

	put_end(c);
	put_body(c);
	jobs[1].stream_bytes = 8 * (c->words - 1);
	c->words = 0;
	ret = submit(c->fd, c->queue, jobs, 2, seqno);
	++*seqno;
	return ret ? ret : wait_for_body(c);
}

static void go_on(FIXTURE_DATA(change) *self)
{
	__atomic_store_n(&self->client.data64[16], 1, __ATOMIC_RELEASE);
}

static void *changer(void *arg)
{
	FIXTURE_DATA(change) *self = arg;

	self->result = self->change(self->memory);
	__atomic_store_n(&self->client.data64[24], 1, __ATOMIC_RELEASE);
	return NULL;
}

/*
 * Another process with the data buffer, but without this one's memory and locks: fork() waits for
 * the job with the whole address space locked. The helper lets the job continue after a time that
 * suffices for the change, and stores in data[25] whether it had completed by then.
 */
static pid_t start_helper(FIXTURE_DATA(change) *self)
{
	volatile uint64_t *data = self->client.data64;
	pid_t child = fork();

	if (child)
		return child;
	for (uint64_t end = now_ms() + WAIT_MS; !data[8] && now_ms() < end;)
		usleep(1000);
	usleep(100000);
	data[25] = data[24] ? 2 : 1;
	go_on(self);
	_exit(0);
}

/* Copies one word from @from to @to; returns the device's error code. */
static uint32_t copy(FIXTURE_DATA(change) *self, uint64_t to, uint64_t from, uint64_t *address)
{
	struct drm_faa_status status = { .code = ~0u };

	put_mov(&self->client, FAA_TYPE_U64, 1, op_stream(to, FAA_TYPE_U64, 8),
		op_stream(from, FAA_TYPE_U64, 8));
	put_end(&self->client);
	client_run(&self->client, &status);
	if (address)
		*address = status.address;
	return status.code;
}

/* Result of a job that is submitted after the change. */
static void check_left(struct __test_metadata *_metadata, FIXTURE_DATA(change) *self,
		       enum left left, uint64_t written)
{
	uint64_t *data = self->client.data64, address = 0;

	data[2] = 99;
	if (left == NOTHING) {
		EXPECT_EQ(FAA_ERROR_NOT_MAPPED, copy(self, DATA_VA + 16, AREA + 8, &address));
		EXPECT_EQ(AREA + 8, address);
		EXPECT_EQ(99, data[2]);
		return;
	}
	EXPECT_EQ(0, copy(self, DATA_VA + 16, AREA, NULL));
	EXPECT_EQ(left == ZERO ? 0 : OLD, data[2]);
	EXPECT_EQ(0, copy(self, DATA_VA + 16, AREA + PAGE, NULL));
	EXPECT_EQ(left == ZERO ? 0 : written, data[2]);
	if (left == READABLE) {
		EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, copy(self, AREA + 16, DATA_VA, &address));
		EXPECT_EQ(AREA + 16, address);
		return;
	}
	/* Store to one of two pages that may have been merged. */
	data[3] = 0xabc;
	EXPECT_EQ(0, copy(self, AREA + 2 * PAGE, DATA_VA + 24, NULL));
	EXPECT_EQ(0xabc, self->memory[2 * WORDS]);
	EXPECT_EQ(left == ZERO ? 0 : 0x77, self->memory[3 * WORDS]);
	EXPECT_EQ(left == ZERO ? 0 : written, self->memory[WORDS]);
}

/* The change waits for the job that @start submits. */
static void check_waits(struct __test_metadata *_metadata, FIXTURE_DATA(change) *self,
			enum left left, int (*start)(FIXTURE_DATA(change) *self, uint64_t *seqno))
{
	struct drm_faa_status status;
	uint64_t seqno;
	pid_t helper;

	memset(self->client.data, 0, PAGE);
	helper = start_helper(self);
	ASSERT_LT(0, helper);
	ASSERT_EQ(0, bind(self, 0));
	ASSERT_EQ(0, start(self, &seqno));
	ASSERT_EQ(0, pthread_create(&self->thread, NULL, changer, self));
	EXPECT_EQ(0, client_wait(&self->client, seqno, &status));
	EXPECT_EQ(1, self->client.data64[25]);
	EXPECT_EQ(OLD, self->client.data64[0]);
	EXPECT_EQ(OLD, self->client.data64[1]);
	ASSERT_EQ(0, pthread_join(self->thread, NULL));
	ASSERT_EQ(helper, waitpid(helper, NULL, 0));
	EXPECT_TRUE(self->result);
	check_left(_metadata, self, left, NEW);
}

TEST_F_TIMEOUT(change, waits_for_the_job, 200)
{
	check_waits(_metadata, self, variant->left, start_job);
}

/* The change waits for the last job of a call, not only for the first. */
TEST_F_TIMEOUT(change, waits_for_the_last_job_of_a_call, 200)
{
	check_waits(_metadata, self, variant->left, start_second_job);
}

TEST_F_TIMEOUT(change, faults_without_waiting, 200)
{
	struct drm_faa_status status;
	uint64_t seqno;

	memset(self->client.data, 0, PAGE);
	ASSERT_EQ(0, bind(self, DRM_FAA_VM_BIND_FAULTABLE));
	ASSERT_EQ(0, start_job(self, &seqno));
	/* The change completes while the job waits for this thread. */
	ASSERT_TRUE(self->change(self->memory));
	go_on(self);
	/* KSM does not change pages that are not equal to others, so the job is not affected. */
	if (self->change == do_merge) {
		EXPECT_EQ(0, client_wait(&self->client, seqno, &status));
	} else {
		EXPECT_EQ(-EFAULT, client_wait(&self->client, seqno, &status));
		EXPECT_EQ(FAA_ERROR_NOT_MAPPED, status.code);
		EXPECT_EQ(AREA, status.address);
		EXPECT_EQ(0, self->client.data64[1]);
	}
	/* The page is not mapped again without a request. */
	EXPECT_EQ(FAA_ERROR_NOT_MAPPED, copy(self, DATA_VA, AREA + 3 * PAGE, NULL));
	/* A new mapping works if there is memory to map. */
	switch (variant->left) {
	case NOTHING:
		EXPECT_EQ(-EFAULT, bind(self, DRM_FAA_VM_BIND_FAULTABLE));
		break;
	case READABLE:
		EXPECT_EQ(-EPERM, bind(self, DRM_FAA_VM_BIND_FAULTABLE));
		ASSERT_EQ(0, bind(self, DRM_FAA_VM_BIND_FAULTABLE | DRM_FAA_VM_BIND_READONLY));
		break;
	default:
		ASSERT_EQ(0, bind(self, DRM_FAA_VM_BIND_FAULTABLE));
	}
	check_left(_metadata, self, variant->left, self->change == do_merge ? NEW : 0);
}

/* No job runs, so the change does not wait; the next job finds the new contents. */
TEST_F_TIMEOUT(change, between_jobs, 200)
{
	ASSERT_EQ(0, bind(self, 0));
	self->client.data64[3] = NEW;
	ASSERT_EQ(0, copy(self, AREA + PAGE, DATA_VA + 24, NULL));
	ASSERT_TRUE(self->change(self->memory));
	check_left(_metadata, self, variant->left, NEW);
}

FIXTURE(again)
{
	struct client client;
	volatile uint64_t *memory;
};

FIXTURE_SETUP(again)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
	self->memory =
		mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->memory);
}

FIXTURE_TEARDOWN(again)
{
	EXPECT_EQ(0, client_close(&self->client));
	munmap((void *)self->memory, 64 * PAGE);
}

static uint32_t copy_words(struct client *c, uint64_t to, uint64_t from, uint64_t count)
{
	struct drm_faa_status status = { .code = ~0u };

	put_mov(c, FAA_TYPE_U64, count, op_stream(to, FAA_TYPE_U64, 8),
		op_stream(from, FAA_TYPE_U64, 8));
	put_end(c);
	client_run(c, &status);
	return status.code;
}

/** struct race - a SUBMIT while another thread's change waits for a job */
struct race {
	struct client *client;
	volatile uint64_t *memory;
	struct drm_faa_job job;
	bool changed, submitted;
	int result;
};

static void *race_change(void *arg)
{
	struct race *race = arg;

	madvise((void *)race->memory, PAGE, MADV_DONTNEED);
	__atomic_store_n(&race->changed, true, __ATOMIC_RELEASE);
	return NULL;
}

static void *race_submit(void *arg)
{
	struct race *race = arg;

	usleep(200000);
	race->result = submit(race->client->fd, race->client->queue, &race->job, 1, NULL);
	__atomic_store_n(&race->submitted, true, __ATOMIC_RELEASE);
	return NULL;
}

/*
 * Until the change is complete no further job may be submitted: it would use the memory that is
 * removed.
 */
TEST_F_TIMEOUT(again, a_submit_waits_for_the_change, 200)
{
	struct client *c = &self->client;
	struct race race = { .client = c, .memory = self->memory };
	pthread_t change, other;
	unsigned int first;
	uint64_t seqno;

	self->memory[0] = OLD;
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, (void *)self->memory, AREA, PAGE, 0));
	put_sem_wait(c, DATA_VA + 128, 1);
	put_end(c);
	first = c->words;
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		op_stream(AREA, FAA_TYPE_U64, 8));
	put_end(c);
	race.job = (struct drm_faa_job){ .stream_va = STREAM_VA + 8 * first,
					 .stream_bytes = 8 * (c->words - first) };
	c->words = first;
	c->data64[0] = 99;
	ASSERT_EQ(0, client_submit(c, &seqno));
	ASSERT_EQ(0, pthread_create(&other, NULL, race_submit, &race));
	ASSERT_EQ(0, pthread_create(&change, NULL, race_change, &race));
	usleep(500000);
	EXPECT_FALSE(__atomic_load_n(&race.changed, __ATOMIC_ACQUIRE));
	EXPECT_FALSE(__atomic_load_n(&race.submitted, __ATOMIC_ACQUIRE));
	__atomic_store_n(&c->data64[16], 1, __ATOMIC_RELEASE);
	ASSERT_EQ(0, pthread_join(change, NULL));
	ASSERT_EQ(0, pthread_join(other, NULL));
	EXPECT_EQ(0, race.result);
	for (uint64_t end = now_ms() + WAIT_MS; c->ring[2].seqno != 2 && now_ms() < end;)
		usleep(1000);
	EXPECT_EQ(0, c->ring[2].code);
	EXPECT_EQ(0, c->data64[0]);
}

/** struct release - signals a fence if nothing else has ended the test */
struct release {
	int timeline;
	unsigned int after_ms;
	volatile bool done;
};

static void *release_later(void *arg)
{
	struct release *release = arg;
	uint64_t end = now_ms() + release->after_ms;

	while (!release->done && now_ms() < end)
		usleep(10000);
	sw_sync_advance(release->timeline, 1);
	return NULL;
}

/*
 * A job that waits for a fence of another program, which may never signal: the change waits no
 * longer than a job may run.
 */
TEST_F_TIMEOUT(again, the_wait_is_bounded, 300)
{
	struct drm_faa_sync syncs[2] = { { 0 }, { .flags = DRM_FAA_SYNC_SIGNAL } };
	struct client *c = &self->client, other;
	struct drm_faa_queue_get_state state;
	struct drm_faa_device_info info;
	struct release release = { 0 };
	struct drm_faa_job job = {
		.syncs = { .stride = sizeof(syncs[0]), .count = 2, .array = (uintptr_t)syncs },
	};
	uint64_t begin, waited;
	pthread_t thread;
	int fence;

	release.timeline = sw_sync_open();
	if (release.timeline < 0)
		SKIP(return, "no sw_sync");
	ASSERT_EQ(0, device_info(c->fd, &info));
	release.after_ms = 2 * info.job_limit_ms + 10000;
	ASSERT_EQ(0, client_open(&other, 0));
	self->memory[0] = OLD;
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, (void *)self->memory, AREA, PAGE, 0));
	fence = sw_sync_fence(release.timeline, 1);
	ASSERT_LE(0, fence);
	ASSERT_EQ(0, syncobj_create(c->fd, false, &syncs[0].handle));
	ASSERT_EQ(0, fence_import(c->fd, syncs[0].handle, fence));
	close(fence);
	put_mov(c, FAA_TYPE_U64, 1, op_stream(AREA, FAA_TYPE_U64, 8), op_imm(NEW));
	put_end(c);
	job.stream_va = STREAM_VA;
	job.stream_bytes = 8 * c->words;
	syncs[1].handle = c->sync;
	ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, NULL));
	ASSERT_EQ(0, pthread_create(&thread, NULL, release_later, &release));
	begin = now_ms();
	ASSERT_EQ(0, madvise((void *)self->memory, PAGE, MADV_DONTNEED));
	waited = now_ms() - begin;
	EXPECT_LE(info.job_limit_ms - 500, waited);
	EXPECT_GE(info.job_limit_ms + 5000, waited);
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_TIMEDOUT, state.state);
	EXPECT_EQ(-ECANCELED, submit(c->fd, c->queue, &job, 1, NULL));
	/* The job never runs. */
	release.done = true;
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	EXPECT_EQ(-ECANCELED, fence_error(c->fd, c->sync));
	EXPECT_EQ(1, c->ring[1].seqno);
	EXPECT_EQ(FAA_ERROR_CANCELLED, c->ring[1].code);
	EXPECT_EQ(0, self->memory[0]);
	/* Other queues are not affected. */
	put_end(&other);
	EXPECT_EQ(0, client_run(&other, NULL));
	EXPECT_EQ(0, client_close(&other));
	EXPECT_EQ(0, syncobj_destroy(c->fd, syncs[0].handle));
	close(release.timeline);
}

/* Memory is unmapped, then mapped again at the same addresses: the mapping is of addresses. */
TEST_F(again, memory_comes_back)
{
	struct client *c = &self->client;

	self->memory[0] = 1;
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, (void *)self->memory, AREA, 4 * PAGE, 0));
	ASSERT_EQ(0, munmap((void *)self->memory, 2 * PAGE));
	EXPECT_EQ(FAA_ERROR_NOT_MAPPED, copy_words(c, DATA_VA, AREA, 1));
	EXPECT_EQ(0, copy_words(c, DATA_VA, AREA + 2 * PAGE, 1));
	ASSERT_EQ(self->memory, mmap((void *)self->memory, 2 * PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	self->memory[0] = 2;
	ASSERT_EQ(0, copy_words(c, DATA_VA, AREA, 1));
	EXPECT_EQ(2, c->data64[0]);
	EXPECT_EQ(0, copy_words(c, AREA + 8, DATA_VA, 1));
	EXPECT_EQ(2, self->memory[1]);
}

/* The rests of a cut mapping follow their memory, before the hole and after it. */
TEST_F(again, the_rests_of_a_cut_mapping_follow)
{
	static const unsigned int rests[] = { 0, 3 };
	struct client *c = &self->client;

	for (unsigned int i = 0; i < 4; i++)
		self->memory[i * WORDS] = OLD;
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, (void *)self->memory, AREA, 4 * PAGE, 0));
	ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA + PAGE, 2 * PAGE));
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_EQ(0, copy_words(c, DATA_VA, AREA + rests[i] * PAGE, 1));
	ASSERT_EQ(0, madvise((void *)self->memory, 4 * PAGE, MADV_DONTNEED));
	for (unsigned int i = 0; i < 2; i++) {
		volatile uint64_t *word = &self->memory[rests[i] * WORDS];

		*word = NEW + i;
		ASSERT_EQ(0, copy_words(c, DATA_VA, AREA + rests[i] * PAGE, 1));
		EXPECT_EQ(NEW + i, c->data64[0]);
		EXPECT_EQ(0, copy_words(c, AREA + rests[i] * PAGE + 8, DATA_VA, 1));
		EXPECT_EQ(NEW + i, word[1]);
	}
}

/*
 * After MADV_FREE a page is writable and yet clean: the device's stores appear in no page table of
 * the CPU. The kernel must still know that the page was written, so that it is not freed.
 */
TEST_F_TIMEOUT(again, lazily_freed_memory_keeps_what_only_the_device_wrote, 200)
{
	struct client *c = &self->client;

	ASSERT_TRUE(have_swap());
	for (unsigned int i = 0; i < 4; i++)
		self->memory[i * WORDS] = OLD;
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, (void *)self->memory, AREA, 4 * PAGE, 0));
	for (unsigned int round = 0; round < 5; round++) {
		ASSERT_EQ(0, madvise((void *)self->memory, 2 * PAGE, MADV_FREE));
		c->data64[0] = NEW + round;
		ASSERT_EQ(0, copy_words(c, AREA, DATA_VA, 1));
		ASSERT_EQ(0, copy_words(c, AREA + PAGE, DATA_VA, 1));
		for (unsigned int i = 0; i < 3; i++)
			ASSERT_EQ(0, madvise((void *)self->memory, 4 * PAGE, MADV_PAGEOUT));
		EXPECT_EQ(NEW + round, self->memory[0]);
		EXPECT_EQ(NEW + round, self->memory[WORDS]);
		EXPECT_EQ(OLD, self->memory[2 * WORDS]);
	}
}

/*
 * The same for a file of a real file system: the device's stores after a write-back are written
 * back, too.
 */
TEST_F(again, files_keep_what_only_the_device_wrote)
{
	char path[] = "/tmp/faa-userptr-XXXXXX";
	struct client *c = &self->client;
	int file = mkstemp(path);

	ASSERT_LE(0, file);
	/* In this order: 9p sets sizes by name. */
	ASSERT_EQ(0, ftruncate(file, PAGE));
	unlink(path);
	uint64_t *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	ASSERT_NE(MAP_FAILED, map);
	map[1] = 1;
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, map, AREA, PAGE, 0));
	for (uint64_t round = 1; round < 6; round++) {
		uint64_t got = 0;

		ASSERT_EQ(0, msync(map, PAGE, MS_SYNC));
		c->data64[0] = round;
		ASSERT_EQ(0, copy_words(c, AREA, DATA_VA, 1));
		if (round == 5)
			ASSERT_EQ(0, munmap(map, PAGE));
		ASSERT_EQ(0, fsync(file));
		ASSERT_EQ(0, posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED));
		ASSERT_EQ(8, pread(file, &got, 8, 0));
		EXPECT_EQ(round, got);
	}
	close(file);
}

/* A fault in the middle of a command: bind again, and continue where it stopped. */
TEST_F(again, a_job_is_continued_after_its_fault)
{
	const unsigned int words = 8 * WORDS;
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};
	struct drm_faa_status status;
	unsigned int faults = 0;
	uint64_t seqno;

	for (unsigned int i = 0; i < words; i++)
		self->memory[i] = i;
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, (void *)self->memory, AREA, 8 * PAGE,
				    DRM_FAA_VM_BIND_FAULTABLE));
	/* Pages 2 and 5 are dropped with their contents. */
	ASSERT_EQ(0, madvise((char *)self->memory + 2 * PAGE, PAGE, MADV_DONTNEED));
	ASSERT_EQ(0, madvise((char *)self->memory + 5 * PAGE, PAGE, MADV_DONTNEED));
	put_mov(c, FAA_TYPE_U64, words, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		op_stream(AREA, FAA_TYPE_U64, 8));
	put_end(c);
	job.stream_bytes = c->words * 8;
	for (;;) {
		int ret;

		ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, &seqno));
		ret = client_wait(c, seqno, &status);
		if (!ret)
			break;
		ASSERT_EQ(-EFAULT, ret);
		ASSERT_EQ(FAA_ERROR_NOT_MAPPED, status.code);
		ASSERT_GT(3, ++faults);
		/* One page of the middle of the old mapping. */
		ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm,
					    (char *)self->memory + (status.address - AREA),
					    status.address, PAGE, DRM_FAA_VM_BIND_FAULTABLE));
		job.first_element = (uint32_t)status.element;
	}
	EXPECT_EQ(2, faults);
	for (unsigned int i = 0; i < words; i++)
		ASSERT_EQ(i / WORDS == 2 || i / WORDS == 5 ? 0 : i, c->data64[i]);
	c->words = 0;
}

/*
 * Memory moves all the time, in every way that keeps its contents, while jobs copy it back and
 * forth.
 */
static void *mover(void *arg)
{
	volatile uint64_t *memory = arg;
	bool swap = have_swap();

	for (unsigned int i = 0; memory[63 * WORDS] != 1; i++) {
		pid_t child;
		int status;

		switch (i % 5) {
		case 0:
			if (swap)
				madvise((void *)memory, 63 * PAGE, MADV_PAGEOUT);
			break;
		case 1:
			child = fork();
			if (!child) {
				memory[0] = 1;
				memory[5 * WORDS] = 1;
				_exit(0);
			}
			if (child > 0)
				waitpid(child, &status, 0);
			break;
		case 2:
			write_file("/proc/sys/vm/compact_memory", "1");
			break;
		case 3:
			mprotect((void *)memory, 32 * PAGE, PROT_READ);
			mprotect((void *)memory, 32 * PAGE, PROT_READ | PROT_WRITE);
			break;
		default:
			usleep(1000);
		}
	}
	return NULL;
}

TEST_F_TIMEOUT(again, memory_that_never_rests, 300)
{
	struct client *c = &self->client;
	const unsigned int rounds = (unsigned int)env_number("FAA_ROUNDS", 100);
	unsigned int jobs, refused = 0;
	uint64_t random = env_number("FAA_SEED", 1);
	static uint64_t shadow[62 * WORDS];
	pthread_t thread;

	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, (void *)self->memory, AREA, 62 * PAGE, 0));
	for (unsigned int i = 0; i < 62 * WORDS; i++) {
		shadow[i] = random_next(&random);
		self->memory[i] = shadow[i];
	}
	ASSERT_EQ(0, pthread_create(&thread, NULL, mover, (void *)self->memory));
	for (jobs = 0; jobs < rounds; jobs++) {
		unsigned int count = 1 + random_next(&random) % 1500;
		unsigned int from = random_next(&random) % (31 * WORDS - count);
		unsigned int to = 31 * WORDS + random_next(&random) % (31 * WORDS - count);
		uint32_t code;

		if (jobs & 1) {
			unsigned int other = from;

			from = to;
			to = other;
		}
		code = copy_words(c, AREA + to * 8, AREA + from * 8, count);
		if (code == FAA_ERROR_NOT_WRITABLE) {
			/*
			 * The page was read-only at that time; the copied words are those that the
			 * retry copies.
			 */
			refused++;
			jobs--;
			ASSERT_GT(1000, refused);
			do {
				code = copy_words(c, AREA + to * 8, AREA + from * 8, count);
			} while (code == FAA_ERROR_NOT_WRITABLE);
		}
		ASSERT_EQ(0, code);
		memcpy(shadow + to, shadow + from, count * 8);
	}
	self->memory[63 * WORDS] = 1;
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(0, memcmp((void *)self->memory, shadow, sizeof(shadow)));
	printf("# refused %u times\n", refused);
}

TEST_HARNESS_MAIN
