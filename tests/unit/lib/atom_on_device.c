// SPDX-License-Identifier: MIT
/*
 * ATOM on memory that the device and threads of this program change concurrently, through the
 * kernel: at scope SYS no change is lost, whatever the operations. Runs inside faa-run or on a
 * machine with the card; --operations=N is the number of device operations of each kind.
 */
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "faa.h"

#define SECOND	    1000000000ll
#define PAGE	    4096
#define CODE_BYTES  (64 * PAGE)
#define WORDS_BYTES PAGE
/* Elements of one job; results of a job take as many 64-bit words. */
#define ROUND	      25000u
#define RESULTS_BYTES ((ROUND * 8 + PAGE - 1) / PAGE * PAGE)
#define BYTES	      (CODE_BYTES + WORDS_BYTES + 2 * RESULTS_BYTES)
/*
 * Words of a game: element i of a job, and the i-th turn of a thread, use word i modulo this. Two
 * lines, one in each slice of the L2.
 */
#define GAME	16
#define THREADS 2

static uint64_t operations = 500000;

/* The changed words: those of a game, and others in a line of their own each. */
enum word {
	WORD_GAME = 0,
	WORD_HALVES = 24,
	WORD_DATA = 32,
	WORD_READY = 40,
	WORD_TAKEN = 48,
};

/* One VM, one BO: stream, words, results, addresses of a game's elements; one queue. */
struct bench {
	struct faa_device *device;
	struct faa_vm *vm;
	struct faa_bo *bo;
	struct faa_queue *queue;
	struct faa_stream *stream;
	uint64_t code;
	uint64_t va;
	uint64_t results_va;
	uint64_t addresses_va;
	uint64_t *words;
	uint64_t *results;
};

static int setup(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));
	uint64_t *addresses;
	void *memory;

	assert_non_null(b);
	assert_int_equal(faa_device_open(&b->device), 0);
	assert_int_equal(faa_vm_create(b->device, &b->vm), 0);
	assert_int_equal(faa_bo_create(b->device, BYTES, 0, &b->bo), 0);
	assert_int_equal(faa_bo_map(b->bo, &memory), 0);
	assert_int_equal(faa_vm_map(b->vm, b->bo, 0, 0, FAA_MAP_ATOMIC, &b->code), 0);
	assert_int_equal(faa_queue_create(b->vm, NULL, &b->queue), 0);
	assert_int_equal(faa_stream_create(&b->stream), 0);
	b->va = b->code + CODE_BYTES;
	b->results_va = b->va + WORDS_BYTES;
	b->addresses_va = b->results_va + RESULTS_BYTES;
	b->words = (uint64_t *)((uint8_t *)memory + CODE_BYTES);
	b->results = (uint64_t *)((uint8_t *)b->words + WORDS_BYTES);
	addresses = (uint64_t *)((uint8_t *)b->results + RESULTS_BYTES);
	for (uint64_t i = 0; i < ROUND; i++)
		addresses[i] = b->va + 8 * (WORD_GAME + i % GAME);
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	faa_stream_destroy(b->stream);
	faa_queue_destroy(b->queue);
	faa_bo_unref(b->bo);
	faa_vm_unref(b->vm);
	faa_device_unref(b->device);
	free(b);
	return 0;
}

static void needs(struct bench *b, enum faa_feature feature)
{
	if (faa_device_info(b->device)->features >> feature & 1)
		return;
	print_message("the device has no feature %d\n", feature);
	skip();
}

static uint64_t word_va(const struct bench *b, enum word word)
{
	return b->va + 8 * word;
}

/* Addresses of the words of a game, one for each element of a job. */
static struct faa_operand game_words(const struct bench *b)
{
	return faa_array_u64(b->addresses_va, 8);
}

static uint64_t game_sum(const struct bench *b)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < GAME; i++)
		sum += b->words[WORD_GAME + i];
	return sum;
}

/* Ends the stream and uploads it. */
static struct faa_job upload(struct bench *b)
{
	struct faa_job job = { .stream_va = b->code };

	faa_stream_end(b->stream);
	assert_true(faa_stream_bytes(b->stream) <= CODE_BYTES);
	if (faa_stream_upload(b->stream, b->bo, 0))
		fail_msg("%s", faa_stream_error(b->stream));
	job.stream_bytes = faa_stream_bytes(b->stream);
	faa_stream_reset(b->stream);
	return job;
}

static void run(struct bench *b)
{
	struct faa_job job = upload(b);
	struct faa_job_status status;
	char text[256];

	if (!faa_queue_run(b->queue, &job, faa_deadline(120 * SECOND), &status))
		return;
	faa_status_format(&status, NULL, 0, text, sizeof(text));
	fail_msg("%s", text);
}

/* struct player - a thread, its function, and its results */
struct player {
	pthread_t thread;
	uint64_t *words;
	void (*play)(struct player *player);
	bool stop;
	/* Number of its turns. */
	uint64_t count;
	/* Sum over its turns. */
	uint64_t sum;
};

static void *play_on(void *argument)
{
	struct player *player = argument;

	while (!__atomic_load_n(&player->stop, __ATOMIC_RELAXED)) {
		player->play(player);
		player->count++;
	}
	return NULL;
}

/* The word of this turn. */
static uint64_t *turn(struct player *player)
{
	return &player->words[WORD_GAME + player->count % GAME];
}

/* struct totals - sums over all threads */
struct totals {
	uint64_t count;
	uint64_t sum;
};

/*
 * Runs threads while the device executes jobs that @add builds, with @operations elements in total;
 * @check is called with the results of each. Returns the device's elements.
 */
static uint64_t compete(struct bench *b, void (*play)(struct player *player),
			void (*add)(struct bench *b, unsigned int count),
			void (*check)(struct bench *b, uint64_t *sum), struct totals *totals)
{
	struct player players[THREADS] = { 0 };
	uint64_t done = 0;

	memset(totals, 0, sizeof(*totals));
	memset(b->words, 0, WORDS_BYTES);
	for (unsigned int i = 0; i < THREADS; i++) {
		players[i].words = b->words;
		players[i].play = play;
		assert_int_equal(pthread_create(&players[i].thread, NULL, play_on, &players[i]), 0);
	}
	for (; done < operations; done += ROUND) {
		add(b, ROUND);
		run(b);
		if (check)
			check(b, &totals->sum);
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		__atomic_store_n(&players[i].stop, true, __ATOMIC_RELAXED);
		assert_int_equal(pthread_join(players[i].thread, NULL), 0);
		totals->count += players[i].count;
		totals->sum += players[i].sum;
	}
	print_message("the device: %llu operations, the processor: %llu\n",
		      (unsigned long long)done, (unsigned long long)totals->count);
	assert_true(totals->count > 0);
	return done;
}

/* -------------------------------------------------------------------------------------------------
 * ADD
 */

static void count_up(struct player *player)
{
	__atomic_fetch_add(turn(player), 3, __ATOMIC_RELAXED);
}

static void add_counts(struct bench *b, unsigned int count)
{
	faa_stream_red(b->stream, FAA_ATOM_OP_ADD, FAA_TYPE_U64, FAA_SCOPE_SYS, FAA_ORDER_RELAXED,
		       count, game_words(b), 0, faa_imm(5), faa_none());
}

static void additions(void **state)
{
	struct bench *b = *state;
	struct totals totals;
	uint64_t done;

	needs(b, FAA_FEATURE_SYS_ATOMICS);
	done = compete(b, count_up, add_counts, NULL, &totals);
	assert_true(game_sum(b) == 5 * done + 3 * totals.count);
}

/*
 * -------------------------------------------------------------------------------------------------
 * EXCH: tokens are stored and taken; sums modulo 2^64
 */

static void exchange(struct player *player)
{
	uint64_t token = (player->count + 1) * 0x9e3779b97f4a7c15ull + (uintptr_t)player;

	player->sum += token - __atomic_exchange_n(turn(player), token, __ATOMIC_RELAXED);
}

static void add_exchanges(struct bench *b, unsigned int count)
{
	faa_stream_atom(b->stream, FAA_ATOM_OP_EXCH, FAA_TYPE_U64, FAA_SCOPE_SYS, FAA_ORDER_RELAXED,
			count, faa_array_u64(b->results_va, 8), game_words(b), 0,
			faa_affine(1, 0xd1342543de82ef95ull), faa_none());
}

static void check_exchanges(struct bench *b, uint64_t *sum)
{
	for (uint64_t i = 0; i < ROUND; i++)
		*sum += 1 + i * 0xd1342543de82ef95ull - b->results[i];
}

/* Every token that was stored was taken once, or is still in memory. */
static void exchanges(void **state)
{
	struct bench *b = *state;
	struct totals totals;

	needs(b, FAA_FEATURE_SYS_ATOMICS);
	compete(b, exchange, add_exchanges, check_exchanges, &totals);
	assert_true(game_sum(b) == totals.sum);
}

/* -------------------------------------------------------------------------------------------------
 * CAS: the device sets flags, the processor clears them
 */

static void clear_flag(struct player *player)
{
	uint64_t set = 1;

	player->sum -= __atomic_compare_exchange_n(turn(player), &set, 0, false, __ATOMIC_RELAXED,
						   __ATOMIC_RELAXED);
}

static void add_flags(struct bench *b, unsigned int count)
{
	faa_stream_atom(b->stream, FAA_ATOM_OP_CAS, FAA_TYPE_U64, FAA_SCOPE_SYS, FAA_ORDER_RELAXED,
			count, faa_array_u64(b->results_va, 8), game_words(b), 0, faa_imm(0),
			faa_imm(1));
}

static void check_flags(struct bench *b, uint64_t *sum)
{
	for (uint64_t i = 0; i < ROUND; i++) {
		assert_true(b->results[i] <= 1);
		*sum += b->results[i] == 0;
	}
}

/* A flag was set once more than it was cleared, or as often. */
static void flags(void **state)
{
	struct bench *b = *state;
	struct totals totals;

	needs(b, FAA_FEATURE_SYS_ATOMICS);
	compete(b, clear_flag, add_flags, check_flags, &totals);
	assert_true(game_sum(b) == totals.sum);
}

/*
 * -------------------------------------------------------------------------------------------------
 * Neighbours: the device counts in the lower half of a word, the processor in the upper; this needs
 * no scope
 */

static void count_upper_half(struct player *player)
{
	uint16_t *halves = (uint16_t *)&player->words[WORD_HALVES];

	__atomic_fetch_add(&halves[1], 1, __ATOMIC_RELAXED);
}

static void add_lower_half(struct bench *b, unsigned int count)
{
	faa_stream_red(b->stream, FAA_ATOM_OP_INCU, FAA_TYPE_U16, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
		       count, faa_imm(word_va(b, WORD_HALVES)), 0, faa_none(), faa_none());
}

static void neighbours(void **state)
{
	struct bench *b = *state;
	struct totals totals;
	uint64_t done;

	needs(b, FAA_FEATURE_GLOBAL_ATOMICS);
	done = compete(b, count_upper_half, add_lower_half, NULL, &totals);
	assert_int_equal(b->words[WORD_HALVES], (done & 0xffff) | (totals.count & 0xffff) << 16);
}

/*
 * -------------------------------------------------------------------------------------------------
 * Scope GPU with processor accesses: results are undefined, and are printed
 */

static void add_counts_of_the_device(struct bench *b, unsigned int count)
{
	faa_stream_red(b->stream, FAA_ATOM_OP_ADD, FAA_TYPE_U64, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
		       count, game_words(b), 0, faa_imm(5), faa_none());
}

static void scope_gpu_is_not_guaranteed(void **state)
{
	struct bench *b = *state;
	struct totals totals;
	uint64_t done;

	needs(b, FAA_FEATURE_GLOBAL_ATOMICS);
	done = compete(b, count_up, add_counts_of_the_device, NULL, &totals);
	print_message("scope GPU: the words are %lld short of all additions; that is allowed\n",
		      (long long)(5 * done + 3 * totals.count - game_sum(b)));
	for (unsigned int i = GAME; i < WORDS_BYTES / 8; i++)
		assert_int_equal(b->words[i], 0);
	/* Without other accesses the device loses no change. */
	memset(b->words, 0, WORDS_BYTES);
	add_counts_of_the_device(b, ROUND);
	run(b);
	assert_true(game_sum(b) == 5 * ROUND);
}

/* -------------------------------------------------------------------------------------------------
 * Order, and errors
 */

#define MESSAGES 1000

/* Data, then RELEASE: a reader that sees the flag sees the data. */
static void messages(void **state)
{
	struct bench *b = *state;
	struct faa_job job;
	uint64_t seqno;

	needs(b, FAA_FEATURE_SYS_ATOMICS);
	memset(b->words, 0, WORDS_BYTES);
	for (uint64_t i = 1; i <= MESSAGES; i++) {
		faa_stream_st(b->stream, FAA_TYPE_U64, 1, faa_imm(word_va(b, WORD_DATA)), 0,
			      faa_imm(i * 77));
		faa_stream_red(b->stream, FAA_ATOM_OP_INCU, FAA_TYPE_U64, FAA_SCOPE_SYS,
			       FAA_ORDER_RELEASE, 1, faa_imm(word_va(b, WORD_READY)), 0, faa_none(),
			       faa_none());
		faa_stream_sem_wait(b->stream, FAA_SEM_COND_GE, word_va(b, WORD_TAKEN), i);
	}
	job = upload(b);
	assert_int_equal(faa_queue_submit(b->queue, &job, 1, &seqno), 0);
	for (uint64_t i = 1; i <= MESSAGES; i++) {
		while (__atomic_load_n(&b->words[WORD_READY], __ATOMIC_ACQUIRE) < i)
			;
		assert_int_equal(b->words[WORD_DATA], i * 77);
		__atomic_fetch_add(&b->words[WORD_TAKEN], 1, __ATOMIC_RELEASE);
	}
	assert_int_equal(faa_queue_wait(b->queue, seqno, faa_deadline(30 * SECOND)), 0);
}

/*
 * A mapping without FAA_MAP_ATOMIC: a precise error; after a new bind, the job continues where it
 * stopped.
 */
static void not_atomic_and_restart(void **state)
{
	struct bench *b = *state;
	struct faa_job_status status;
	struct faa_vm_info info;
	struct faa_bo *bo;
	struct faa_job job;
	uint32_t *counts;
	void *memory;
	uint64_t va;

	needs(b, FAA_FEATURE_GLOBAL_ATOMICS);
	assert_int_equal(faa_bo_create(b->device, 2 * PAGE, 0, &bo), 0);
	assert_int_equal(faa_bo_map(bo, &memory), 0);
	assert_int_equal(faa_vm_reserve(b->vm, 2 * PAGE, 0, &va), 0);
	assert_int_equal(faa_vm_bind(b->vm, bo, 0, PAGE, FAA_MAP_ATOMIC, va), 0);
	assert_int_equal(faa_vm_bind(b->vm, bo, PAGE, PAGE, 0, va + PAGE), 0);
	faa_stream_red(b->stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
		       2048, faa_affine(va, 4), 0, faa_imm(1), faa_none());
	job = upload(b);
	assert_int_equal(faa_queue_run(b->queue, &job, faa_deadline(30 * SECOND), &status),
			 -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_ATOMIC);
	assert_int_equal(status.element, 1024);
	assert_int_equal(faa_vm_info(b->vm, &info), 0);
	assert_int_equal(info.fault_code, FAA_ERROR_NOT_ATOMIC);
	assert_true(info.fault_va == va + PAGE);
	assert_int_equal(faa_vm_bind(b->vm, bo, PAGE, PAGE, FAA_MAP_ATOMIC, va + PAGE), 0);
	assert_int_equal(faa_status_restart(&status, (uint64_t *)((uint8_t *)b->words - CODE_BYTES),
					    job.stream_bytes / 8, &job),
			 0);
	assert_int_equal(faa_queue_run(b->queue, &job, faa_deadline(30 * SECOND), &status), 0);
	counts = memory;
	for (unsigned int i = 0; i < 2048; i++)
		assert_int_equal(counts[i], 1);
	assert_int_equal(faa_vm_unmap(b->vm, va, 2 * PAGE), 0);
	faa_bo_unref(bo);
}

/* A device that lacks ATOM, or scope SYS, reports it. */
static void a_device_that_lacks_it(void **state)
{
	struct bench *b = *state;
	uint64_t features = faa_device_info(b->device)->features;
	bool atom = features >> FAA_FEATURE_GLOBAL_ATOMICS & 1;
	struct faa_job_status status;
	struct faa_job job;

	add_counts(b, 1);
	job = upload(b);
	if (features >> FAA_FEATURE_SYS_ATOMICS & 1) {
		assert_true(atom);
		assert_int_equal(faa_queue_run(b->queue, &job, faa_deadline(30 * SECOND), &status),
				 0);
		return;
	}
	assert_int_equal(faa_queue_run(b->queue, &job, faa_deadline(30 * SECOND), &status),
			 -EINVAL);
	assert_int_equal(status.code,
			 atom ? FAA_ERROR_ILLEGAL_OPERATION : FAA_ERROR_ILLEGAL_COMMAND);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(additions, setup, teardown),
		cmocka_unit_test_setup_teardown(exchanges, setup, teardown),
		cmocka_unit_test_setup_teardown(flags, setup, teardown),
		cmocka_unit_test_setup_teardown(neighbours, setup, teardown),
		cmocka_unit_test_setup_teardown(scope_gpu_is_not_guaranteed, setup, teardown),
		cmocka_unit_test_setup_teardown(messages, setup, teardown),
		cmocka_unit_test_setup_teardown(not_atomic_and_restart, setup, teardown),
		cmocka_unit_test_setup_teardown(a_device_that_lacks_it, setup, teardown),
	};

	if (argc == 2 && !strncmp(argv[1], "--operations=", 13))
		operations = strtoull(argv[1] + 13, NULL, 0);
	else if (argc != 1)
		return 2;
	return RUN_TESTS(tests, NULL, NULL);
}
