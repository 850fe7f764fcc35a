// SPDX-License-Identifier: MIT
/*
 * Shared virtual memory on a kernel with a device: pointers of all kinds, memory that changes,
 * forks, threads, and large commands that fault. Runs inside faa-run or on a machine with the card.
 *
 *   share_on_device [ELEMENTS]        size of the large commands, default 1000000
 */
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faa.h"

#define PAGE   4096u
#define BINS   256u
#define SECOND 1000000000ll

/* Of the large commands */
#define ELEMENTS 1000000u

static uint32_t elements = ELEMENTS;

/* A device for which the caller asks for less work: the RTL. */
static bool is_slow(void)
{
	return elements < ELEMENTS;
}

/* One shared VM with one queue; no memory is mapped explicitly. */
struct bench {
	struct faa_device *device;
	struct faa_vm *vm;
	struct faa_queue *queue;
	struct faa_stream *stream;
	/* Words of the last stream, on the heap. */
	uint64_t *words;
};

static int setup(void **state)
{
	struct faa_queue_options options = { .shared_bytes = 4 * BINS, .status_entries = 64 };
	struct bench *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	assert_int_equal(faa_device_open(&b->device), 0);
	assert_int_equal(faa_vm_create(b->device, &b->vm), 0);
	assert_int_equal(faa_vm_share_process(b->vm), 0);
	assert_int_equal(faa_queue_create(b->vm, &options, &b->queue), 0);
	assert_int_equal(faa_stream_create(&b->stream), 0);
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	faa_stream_destroy(b->stream);
	faa_queue_destroy(b->queue);
	faa_vm_unref(b->vm);
	faa_device_unref(b->device);
	free(b->words);
	free(b);
	return 0;
}

/* Any address of the process is an address of the device. */
static uint64_t va(const void *pointer)
{
	return (uintptr_t)pointer;
}

/* The stream under construction as a job that runs it from the heap. */
static struct faa_job job_of(struct bench *b)
{
	const uint64_t *words;
	struct faa_job job;
	size_t count;

	assert_int_equal(faa_stream_finish(b->stream), 0);
	words = faa_stream_words(b->stream, &count);
	free(b->words);
	b->words = malloc(count * 8);
	assert_non_null(b->words);
	memcpy(b->words, words, count * 8);
	faa_stream_reset(b->stream);
	job = (struct faa_job){ .stream_va = va(b->words), .stream_bytes = count * 8 };
	return job;
}

static int run(struct bench *b, struct faa_job_status *status)
{
	struct faa_job job = job_of(b);

	return faa_queue_run(b->queue, &job, faa_deadline(300 * SECOND), status);
}

static void build_histogram(struct bench *b, const uint8_t *pixels, uint32_t count, uint32_t *bins)
{
	faa_stream_sts(b->stream, FAA_TYPE_U32, BINS, faa_affine(0, 4), 0, faa_imm(0));
	faa_stream_atoms(b->stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, count, faa_none(),
			 faa_scaled(faa_array_u8(va(pixels), 1), 2, 0), 0, faa_imm(1), faa_none());
	faa_stream_lds(b->stream, FAA_TYPE_U32, BINS, faa_array_u32(va(bins), 4), faa_affine(0, 4),
		       0);
	faa_stream_end(b->stream);
}

static void draw(uint8_t *pixels, uint32_t count, uint32_t *expected)
{
	uint32_t i;

	memset(expected, 0, BINS * sizeof(*expected));
	for (i = 0; i < count; i++) {
		pixels[i] = i * 7 + i / 300;
		expected[pixels[i]]++;
	}
}

/*
 * Faults in the middle of a command with many elements; stream, input and output are on the heap.
 * The program sees one job.
 */
static void histogram_of_the_heap(void **state)
{
	uint32_t expected[BINS], *bins = malloc(sizeof(expected));
	uint8_t *pixels = malloc(elements);
	struct faa_job_status status;
	struct faa_queue_info info;
	struct bench *b = *state;

	assert_true(bins && pixels);
	draw(pixels, elements, expected);
	build_histogram(b, pixels, elements, bins);
	assert_int_equal(run(b, &status), 0);
	assert_memory_equal(bins, expected, sizeof(expected));
	assert_int_equal(status.seqno, 1);
	assert_true(status.elements_retired == (uint64_t)elements + 2 * BINS);
	assert_int_equal(status.warps, (elements + 31) / 32 + 2 * BINS / 32);
	assert_true(status.passes >= status.warps);
	assert_int_equal(faa_queue_info(b->queue, &info), 0);
	assert_int_equal(info.submitted, 1);
	assert_int_equal(info.failed, 0);
	assert_true(info.elements_retired == status.elements_retired);
	/* Again, when the memory is bound. */
	memset(bins, 0, sizeof(expected));
	build_histogram(b, pixels, elements, bins);
	assert_int_equal(run(b, &status), 0);
	assert_memory_equal(bins, expected, sizeof(expected));
	free(bins);
	free(pixels);
}

static uint32_t data[3 * PAGE / 4] = { 1, 2, 3, 4 };
static const uint32_t constants[64] = { [0] = 11, [63] = 12 };

static void stack_data_and_text(void **state)
{
	volatile uint32_t local[64] = { 0 };
	struct faa_job_status status;
	struct bench *b = *state;

	/* local[i] = constants[i]; data[1000 + i] = local[i]; local[0] = data[3] */
	faa_stream_mov(b->stream, FAA_TYPE_U32, 64, faa_array_u32(va((void *)local), 4),
		       faa_array_u32(va(constants), 4));
	faa_stream_mov(b->stream, FAA_TYPE_U32, 64, faa_array_u32(va(&data[1000]), 4),
		       faa_array_u32(va((void *)local), 4));
	faa_stream_mov(b->stream, FAA_TYPE_U32, 1, faa_array_u32(va((void *)local), 4),
		       faa_array_u32(va(&data[3]), 4));
	faa_stream_end(b->stream);
	assert_int_equal(run(b, NULL), 0);
	assert_int_equal(local[0], 4);
	assert_int_equal(local[63], 12);
	assert_int_equal(data[1000], 11);
	assert_int_equal(data[1063], 12);
	/* Constants cannot be written, and the job reports it. */
	faa_stream_nop(b->stream);
	faa_stream_st(b->stream, FAA_TYPE_U32, 64, faa_affine(va(constants), 4), 0, faa_imm(1));
	faa_stream_end(b->stream);
	assert_int_equal(run(b, &status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_WRITABLE);
	assert_int_equal(status.command, 8);
	assert_int_equal(status.element, 0);
	assert_true(status.address == va(constants));
	assert_int_equal(constants[63], 12);
}

static void file_in_memory(void **state)
{
	char path[] = "/tmp/faa-share-XXXXXX";
	uint32_t *file, *copy, word = 0;
	struct bench *b = *state;
	struct faa_job_status status;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(pwrite(fd, "device reads it", 16, 3 * PAGE), 16);
	assert_int_equal(ftruncate(fd, 20 * PAGE), 0);
	/* Twice the size of the file. */
	file = mmap(NULL, 40 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	copy = mmap(NULL, 40 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_true(file != MAP_FAILED && copy != MAP_FAILED);
	faa_stream_mov(b->stream, FAA_TYPE_U32, 4, faa_array_u32(va(file + 5 * PAGE / 4), 4),
		       faa_array_u32(va(copy + 3 * PAGE / 4), 4));
	faa_stream_mov(b->stream, FAA_TYPE_U32, 1, faa_array_u32(va(file + 20 * PAGE / 4 - 1), 4),
		       faa_imm(77));
	faa_stream_end(b->stream);
	assert_int_equal(run(b, NULL), 0);
	assert_string_equal((char *)(file + 5 * PAGE / 4), "device reads it");
	assert_int_equal(pread(fd, &word, 4, 20 * PAGE - 4), 4);
	assert_int_equal(word, 77);
	/* After the end of the file. */
	faa_stream_mov(b->stream, FAA_TYPE_U32, 1, faa_array_u32(va(file + 20 * PAGE / 4), 4),
		       faa_imm(77));
	faa_stream_end(b->stream);
	assert_int_equal(run(b, &status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_MAPPED);
	munmap(file, 40 * PAGE);
	munmap(copy, 40 * PAGE);
	close(fd);
}

/* Adds up @count words at @words. */
static uint32_t sum(struct bench *b, const uint32_t *words, uint32_t count, int *error)
{
	uint32_t result = 0;

	faa_stream_sts(b->stream, FAA_TYPE_U32, 1, faa_none(), 0, faa_imm(0));
	faa_stream_atoms(b->stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, count, faa_none(), faa_none(),
			 0, faa_array_u32(va(words), 4), faa_none());
	faa_stream_lds(b->stream, FAA_TYPE_U32, 1, faa_array_u32(va(&result), 4), faa_none(), 0);
	faa_stream_end(b->stream);
	*error = run(b, NULL);
	return result;
}

#define WORDS (64 * PAGE / 4)

static uint32_t *words_of(uint32_t value, int prot)
{
	uint32_t *words =
		mmap(NULL, WORDS * 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t i;

	assert_true(words != MAP_FAILED);
	for (i = 0; i < WORDS; i++)
		words[i] = value;
	assert_int_equal(mprotect(words, WORDS * 4, prot), 0);
	return words;
}

/* The bound memory is replaced. */
static void memory_that_changes(void **state)
{
	uint32_t *words = words_of(3, PROT_READ | PROT_WRITE), *moved, *other;
	struct bench *b = *state;
	int error;

	assert_int_equal(sum(b, words, WORDS, &error), 3 * WORDS);
	assert_int_equal(error, 0);
	/* Moved; other memory at the old address; dropped; new contents; unmapped. */
	moved = mmap(NULL, WORDS * 8, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	moved = mremap(words, WORDS * 4, WORDS * 8, MREMAP_MAYMOVE | MREMAP_FIXED, moved);
	assert_true(moved != MAP_FAILED);
	assert_int_equal(sum(b, moved, WORDS, &error), 3 * WORDS);
	sum(b, words, WORDS, &error);
	assert_int_equal(error, -EFAULT);
	other = mmap(words, WORDS * 4, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	assert_ptr_equal(other, words);
	words[WORDS - 1] = 5;
	assert_int_equal(sum(b, words, WORDS, &error), 5);
	assert_int_equal(error, 0);
	assert_int_equal(madvise(words, WORDS * 4, MADV_DONTNEED), 0);
	assert_int_equal(sum(b, words, WORDS, &error), 0);
	assert_int_equal(error, 0);
	words[7] = 9;
	assert_int_equal(sum(b, words, WORDS, &error), 9);
	assert_int_equal(munmap(words, WORDS * 4), 0);
	sum(b, words, WORDS, &error);
	assert_int_equal(error, -EFAULT);
	munmap(moved, WORDS * 8);
}

static void rights(void **state)
{
	uint32_t *words = words_of(2, PROT_READ);
	struct faa_job_status status;
	struct bench *b = *state;
	int error, i;

	assert_int_equal(sum(b, words, WORDS, &error), 2 * WORDS);
	assert_int_equal(error, 0);
	for (i = 0; i < 2; i++) {
		faa_stream_mov(b->stream, FAA_TYPE_U32, WORDS, faa_array_u32(va(words), 4),
			       faa_affine(0, 1));
		faa_stream_end(b->stream);
		assert_int_equal(run(b, &status), -EFAULT);
		assert_int_equal(status.code, FAA_ERROR_NOT_WRITABLE);
		assert_int_equal(words[0], 2);
		/* Some of it is writable: the job stops at the first page that is not. */
		assert_int_equal(mprotect(words, 5 * PAGE, PROT_READ | PROT_WRITE), 0);
		faa_stream_mov(b->stream, FAA_TYPE_U32, WORDS, faa_array_u32(va(words), 4),
			       faa_affine(0, 1));
		faa_stream_end(b->stream);
		assert_int_equal(run(b, &status), -EFAULT);
		assert_int_equal(status.code, FAA_ERROR_NOT_WRITABLE);
		assert_int_equal(status.element, 5 * PAGE / 4);
		assert_true(status.elements_retired == 5 * PAGE / 4);
		assert_int_equal(words[5 * PAGE / 4 - 1], 5 * PAGE / 4 - 1);
		words[0] = 2;
		assert_int_equal(mprotect(words, 5 * PAGE, PROT_READ), 0);
	}
	assert_int_equal(mprotect(words, WORDS * 4, PROT_NONE), 0);
	sum(b, words, WORDS, &error);
	assert_int_equal(error, -EFAULT);
	munmap(words, WORDS * 4);
}

/* Jobs that were submitted after one that faults, and a syncobj at their end. */
static void jobs_behind_a_fault(void **state)
{
	uint32_t *words = words_of(1, PROT_READ | PROT_WRITE);
	uint32_t *out = words_of(0, PROT_READ | PROT_WRITE), done;
	struct faa_sync signal = { FAA_SYNC_SIGNAL, 0, 0 };
	struct bench *b = *state;
	struct faa_job jobs[6];
	uint64_t *streams[6];
	int i;

	assert_int_equal(faa_syncobj_create(b->device, false, &done), 0);
	signal.handle = done;
	for (i = 0; i < 6; i++) {
		faa_stream_atoms(b->stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, WORDS, faa_none(),
				 faa_none(), 0, faa_array_u32(va(words), 4), faa_none());
		faa_stream_lds(b->stream, FAA_TYPE_U32, 1, faa_array_u32(va(&out[i * PAGE * 2]), 4),
			       faa_none(), 0);
		faa_stream_end(b->stream);
		jobs[i] = job_of(b);
		streams[i] = b->words;
		b->words = NULL;
	}
	jobs[5].syncs = &signal;
	jobs[5].sync_count = 1;
	assert_int_equal(faa_queue_submit(b->queue, jobs, 6, NULL), 0);
	assert_int_equal(
		faa_syncobj_wait(b->device, &done, NULL, 1, true, faa_deadline(300 * SECOND)), 0);
	for (i = 0; i < 6; i++) {
		assert_int_equal(out[i * PAGE * 2], (i + 1) * WORDS);
		free(streams[i]);
	}
	faa_syncobj_destroy(b->device, done);
	munmap(words, WORDS * 4);
	munmap(out, WORDS * 4);
}

struct counter {
	uint64_t *words;
	bool *stop;
	uint64_t added;
};

/* Adds 2^32 to each word in turn until it is stopped. */
static void *count_up(void *arg)
{
	struct counter *c = arg;

	while (!__atomic_load_n(c->stop, __ATOMIC_ACQUIRE)) {
		__atomic_fetch_add(&c->words[c->added % 512 * 64], 1ull << 32, __ATOMIC_SEQ_CST);
		c->added++;
	}
	return NULL;
}

/*
 * Words on the heap that a thread of the processor and the device change concurrently: no change is
 * lost.
 */
static void atomics_with_a_thread(void **state)
{
	uint64_t *words = calloc(512, 512), i, low = 0, high = 0;
	/* With few elements on the RTL, where each of these waits for memory. */
	const unsigned int commands = is_slow() ? 8 : 64;
	struct bench *b = *state;
	bool stop = false;
	struct counter c = { words, &stop, 0 };
	pthread_t thread;

	assert_non_null(words);
	if (!(faa_device_info(b->device)->features >> FAA_FEATURE_SYS_ATOMICS & 1)) {
		free(words);
		skip();
	}
	for (i = 0; i < commands; i++)
		faa_stream_red(b->stream, FAA_ATOM_OP_ADD, FAA_TYPE_U64, FAA_SCOPE_SYS,
			       FAA_ORDER_RELAXED, 512, faa_affine(va(words), 512), 0, faa_imm(1),
			       faa_none());
	faa_stream_end(b->stream);
	assert_int_equal(pthread_create(&thread, NULL, count_up, &c), 0);
	assert_int_equal(run(b, NULL), 0);
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	assert_int_equal(pthread_join(thread, NULL), 0);
	for (i = 0; i < 512; i++) {
		low += words[i * 64] & UINT32_MAX;
		high += words[i * 64] >> 32;
	}
	assert_int_equal(low, commands * 512);
	assert_true(high == c.added);
	free(words);
}

/* Each round of the loop stores to another page and reads its counter from memory. */
static void loop_over_pages(void **state)
{
	uint8_t *pages =
		mmap(NULL, 200 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct bench *b = *state;
	uint32_t again, i;

	assert_true(pages != MAP_FAILED);
	faa_stream_mov(b->stream, FAA_TYPE_U64, 32, faa_reg(2), faa_affine(va(pages), 4));
	faa_stream_mov(b->stream, FAA_TYPE_U32, 32, faa_reg(4), faa_imm(0));
	faa_stream_label(b->stream, &again);
	faa_stream_place(b->stream, again);
	faa_stream_alu(b->stream, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, faa_reg(4), faa_reg(4),
		       faa_imm(1));
	faa_stream_st(b->stream, FAA_TYPE_U32, 32, faa_reg(2), 0, faa_reg(4));
	faa_stream_alu(b->stream, FAA_ALU_OP_ADD, FAA_TYPE_U64, 32, faa_reg(2), faa_reg(2),
		       faa_imm(19 * PAGE));
	faa_stream_setp(b->stream, FAA_CMP_LT, FAA_TYPE_U32, 32, 0, faa_reg(4), faa_imm(10));
	faa_stream_guard(b->stream, 0, false);
	faa_stream_jump(b->stream, FAA_JUMP_COND_ANY, again);
	faa_stream_end(b->stream);
	assert_int_equal(run(b, NULL), 0);
	for (i = 0; i < 10; i++)
		assert_int_equal(((uint32_t *)(pages + i * 19 * PAGE))[31], i + 1);
	munmap(pages, 200 * PAGE);
}

#define THREADS 2
#define ROUNDS	6

struct client {
	struct bench *parent;
	unsigned int failures;
};

static void *client(void *arg)
{
	struct faa_queue_options options = { .shared_bytes = 4 * BINS };
	struct client *self = arg;
	struct bench b = { .vm = self->parent->vm };
	int i, error, rounds;

	self->failures += faa_queue_create(b.vm, &options, &b.queue) != 0;
	self->failures += faa_stream_create(&b.stream) != 0;
	/* Fewer rounds on a slow device. */
	rounds = is_slow() ? 2 : ROUNDS;
	for (i = 0; i < rounds && !self->failures; i++) {
		uint32_t *words = words_of(i, PROT_READ | PROT_WRITE);

		self->failures += sum(&b, words, WORDS, &error) != i * WORDS;
		self->failures += error != 0;
		munmap(words, WORDS * 4);
	}
	free(b.words);
	faa_stream_destroy(b.stream);
	faa_queue_destroy(b.queue);
	return NULL;
}

struct meddler {
	bool stop;
	/* Pause between two forks in microseconds. */
	unsigned int pause_us;
};

/* Forks, which write-protect every page, and changes of its own memory. */
static void *meddler(void *arg)
{
	struct meddler *self = arg;

	while (!__atomic_load_n(&self->stop, __ATOMIC_ACQUIRE)) {
		uint32_t *words = words_of(1, PROT_READ);
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		munmap(words, WORDS * 4);
		if (self->pause_us)
			usleep(self->pause_us);
	}
	return NULL;
}

static void clients_and_forks(struct bench *b, unsigned int pause_us)
{
	struct meddler forks = { .pause_us = pause_us };
	struct client clients[THREADS];
	pthread_t threads[THREADS], other;
	int i;

	assert_int_equal(pthread_create(&other, NULL, meddler, &forks), 0);
	for (i = 0; i < THREADS; i++) {
		clients[i] = (struct client){ .parent = b };
		assert_int_equal(pthread_create(&threads[i], NULL, client, &clients[i]), 0);
	}
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(clients[i].failures, 0);
	}
	__atomic_store_n(&forks.stop, true, __ATOMIC_RELEASE);
	assert_int_equal(pthread_join(other, NULL), 0);
}

static void threads_and_forks(void **state)
{
	clients_and_forks(*state, 3000);
}

/*
 * Forks are more frequent than a slow device needs from the doorbell to the first element: mappings
 * are dropped before each use.
 */
static void threads_and_forks_without_pause(void **state)
{
	clients_and_forks(*state, 0);
}

/*
 * Parent and child have memory of their own; releasing objects in the child does not affect the
 * parent.
 */
static void fork_with_a_queue(void **state)
{
	uint32_t *words = words_of(4, PROT_READ | PROT_WRITE);
	struct bench *b = *state;
	int error, status;
	pid_t pid;

	assert_int_equal(sum(b, words, WORDS, &error), 4 * WORDS);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct faa_job job = { .stream_va = va(b->words), .stream_bytes = 8 };
		bool ok = faa_queue_submit(b->queue, &job, 1, NULL) == -EPERM;

		memset(words, 0xff, WORDS * 4);
		faa_queue_destroy(b->queue);
		faa_vm_unref(b->vm);
		_exit(ok ? 0 : 1);
	}
	words[0] = 5;
	assert_int_equal(sum(b, words, WORDS, &error), 4 * WORDS + 1);
	assert_int_equal(error, 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(sum(b, words, WORDS, &error), 4 * WORDS + 1);
	assert_int_equal(error, 0);
	munmap(words, WORDS * 4);
}

/* Destroyed while a job waits for a word, with others after it. */
static void destroyed_under_way(void **state)
{
	uint64_t *word = calloc(1, 8), *streams[3];
	struct faa_sync signal = { FAA_SYNC_SIGNAL, 0, 0 };
	struct bench *b = *state;
	struct faa_job jobs[3];
	uint32_t done;
	int i;

	assert_int_equal(faa_syncobj_create(b->device, false, &done), 0);
	signal.handle = done;
	for (i = 0; i < 3; i++) {
		faa_stream_sem_wait(b->stream, FAA_SEM_COND_EQ, va(word), 99);
		faa_stream_end(b->stream);
		jobs[i] = job_of(b);
		streams[i] = b->words;
		b->words = NULL;
	}
	jobs[2].syncs = &signal;
	jobs[2].sync_count = 1;
	assert_int_equal(faa_queue_submit(b->queue, jobs, 3, NULL), 0);
	assert_int_equal(faa_queue_wait(b->queue, 1, faa_deadline(SECOND / 5)), -ETIME);
	faa_queue_destroy(b->queue);
	b->queue = NULL;
	assert_int_equal(faa_syncobj_wait(b->device, &done, NULL, 1, true, 0), 0);
	faa_syncobj_destroy(b->device, done);
	for (i = 0; i < 3; i++)
		free(streams[i]);
	free(word);
}

/*
 * Explicit mappings: at an address that the library chooses, null pages, several at once,
 * asynchronously with a signal.
 */
static void explicit_mappings(void **state)
{
	uint32_t *words = words_of(6, PROT_READ | PROT_WRITE), signal = 0, failed = 0;
	struct faa_sync sync = { FAA_SYNC_SIGNAL, 0, 0 };
	struct faa_bind binds[2];
	struct bench *b = *state;
	uint64_t at, null;
	int error;

	assert_int_equal(faa_vm_map_userptr(b->vm, words, WORDS * 4, 0, &at), 0);
	assert_int_equal(sum(b, (uint32_t *)(uintptr_t)at, WORDS, &error), 6 * WORDS);
	assert_int_equal(error, 0);
	assert_int_equal(faa_vm_unmap(b->vm, at, WORDS * 4), 0);
	sum(b, (uint32_t *)(uintptr_t)at, WORDS, &error);
	assert_int_equal(error, -EFAULT);
	if (faa_device_info(b->device)->features >> FAA_FEATURE_SPARSE & 1) {
		assert_int_equal(faa_vm_map_null(b->vm, 1 << 20, 0, &null), 0);
		assert_int_equal(sum(b, (uint32_t *)(uintptr_t)null, 1000, &error), 0);
		assert_int_equal(error, 0);
	}
	assert_int_equal(faa_syncobj_create(b->device, false, &signal), 0);
	sync.handle = signal;
	assert_int_equal(faa_vm_reserve(b->vm, 2 * PAGE, 0, &at), 0);
	binds[0] = (struct faa_bind){ FAA_BIND_MAP_USERPTR, 0, NULL, 0, words, at, PAGE };
	binds[1] = (struct faa_bind){ FAA_BIND_MAP_USERPTR, 0, NULL, 0, words, at + PAGE, PAGE };
	assert_int_equal(faa_vm_bind_async(b->vm, binds, 2, &sync, 1, &failed), 0);
	assert_int_equal(
		faa_syncobj_wait(b->device, &signal, NULL, 1, true, faa_deadline(30 * SECOND)), 0);
	assert_int_equal(sum(b, (uint32_t *)(uintptr_t)at, 2 * PAGE / 4, &error), 12 * PAGE / 4);
	assert_int_equal(error, 0);
	munmap(words, WORDS * 4);
	assert_int_equal(faa_vm_bind_batch(b->vm, binds, 2, &failed), -EFAULT);
	assert_int_equal(failed, 0);
	faa_syncobj_destroy(b->device, signal);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(histogram_of_the_heap, setup, teardown),
		cmocka_unit_test_setup_teardown(stack_data_and_text, setup, teardown),
		cmocka_unit_test_setup_teardown(file_in_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(memory_that_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(rights, setup, teardown),
		cmocka_unit_test_setup_teardown(jobs_behind_a_fault, setup, teardown),
		cmocka_unit_test_setup_teardown(atomics_with_a_thread, setup, teardown),
		cmocka_unit_test_setup_teardown(loop_over_pages, setup, teardown),
		cmocka_unit_test_setup_teardown(threads_and_forks, setup, teardown),
		cmocka_unit_test_setup_teardown(threads_and_forks_without_pause, setup, teardown),
		cmocka_unit_test_setup_teardown(fork_with_a_queue, setup, teardown),
		cmocka_unit_test_setup_teardown(destroyed_under_way, setup, teardown),
		cmocka_unit_test_setup_teardown(explicit_mappings, setup, teardown),
	};

	if (argc > 1)
		elements = strtoul(argv[1], NULL, 0);
	return RUN_TESTS(tests, NULL, NULL);
}
