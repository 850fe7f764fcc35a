// SPDX-License-Identifier: MIT
/*
 * Jobs of several streams (device.rst, "Several streams in a job") and BAR. Groups have up to as
 * many streams as the device has warp slots; a device with one slot rejects them.
 */
#include <endian.h>
#include <string.h>

#include "faa_model.h"

#include "fixture.h"

/* struct member - expected status of a stream that has ended */
struct member {
	uint32_t code;
	uint32_t command;
	uint32_t element;
	uint64_t address;
};

static unsigned int slots(const struct fixture *f)
{
	return f->host->warp_slots;
}

/* The fixture of a test of groups of two streams or more. */
static struct fixture *begin(void **state)
{
	struct fixture *f = *state;

	needs_slots(f, 2);
	return f;
}

static void wait_for(struct fixture *f, uint32_t job)
{
	if (!tb_wait(f->queue, job))
		fail_msg("the job did not end; queue state %d", tb_queue_state(f->queue));
}

static uint32_t submit(struct fixture *f, const struct tb_stream *streams, unsigned int count)
{
	uint32_t first = tb_submit_group(f->queue, streams, count);

	wait_for(f, first + count - 1);
	return first;
}

static void expect_member(struct fixture *f, uint32_t job, const struct member *expected)
{
	const struct faa_status *status = tb_status(f->queue, job);

	assert_int_equal(le64toh(status->seqno), job + 1);
	assert_int_equal(le32toh(status->code), expected->code);
	assert_int_equal(le32toh(status->command), expected->command);
	assert_int_equal(le32toh(status->element), expected->element);
	assert_int_equal(le64toh(status->address), expected->address);
}

/* Runs a group whose streams must all succeed. */
static uint32_t run_group(struct fixture *f, const struct tb_stream *streams, unsigned int count)
{
	uint32_t first = submit(f, streams, count);

	for (unsigned int i = 0; i < count; i++) {
		struct member good = { .code = FAA_ERROR_SUCCESS, .command = streams[i].bytes - 8 };

		expect_member(f, first + i, &good);
	}
	return first;
}

/* Word @index of a stream's part of the output buffer. */
static uint64_t out_va(const struct fixture *f, unsigned int stream, unsigned int index)
{
	return f->out.va + 4096 * stream + 4 * index;
}

static uint32_t out_word(const struct fixture *f, unsigned int stream, unsigned int index)
{
	return le32toh(((const uint32_t *)f->out.ptr)[1024 * stream + index]);
}

/*
 * -------------------------------------------------------------------------------------------------
 * Streams that run together
 */

/* Groups of every size: each stream has registers, statistics and a sequence number of its own. */
static void every_size(void **state)
{
	struct fixture *f = *state;
	/* Passes of 40 stores to one word: each warp in parts of the unit's width. */
	unsigned int passes = 32 / lanes_of(f) + (8 + lanes_of(f) - 1) / lanes_of(f);

	for (unsigned int n = 1; n <= slots(f); n++) {
		struct tb_stream streams[FAA_MAX_SLOTS];
		uint32_t first;

		memset(f->out.ptr, 0, f->out.bytes);
		for (unsigned int i = 0; i < n; i++) {
			add_mov(f, FAA_TYPE_U32, 32, reg(1), affine(1000 * n + 100 * i, 1));
			add_st(f, FAA_TYPE_U32, 32, affine(out_va(f, i, 0), 4), 0, reg(1));
			for (unsigned int k = 0; k <= i; k++)
				add_sts(f, FAA_TYPE_U32, 40, affine(256 * i, 0), 0, affine(0, 1));
			add_end(f);
			streams[i] = keep_stream(f, i);
		}
		first = run_group(f, streams, n);
		for (unsigned int i = 0; i < n; i++) {
			const struct faa_status *status = tb_status(f->queue, first + i);

			for (unsigned int lane = 0; lane < 32; lane++)
				assert_int_equal(out_word(f, i, lane), 1000 * n + 100 * i + lane);
			assert_int_equal(le64toh(status->elements_retired), 64 + 40 * (i + 1));
			assert_int_equal(le32toh(status->warps), 2 + 2 * (i + 1));
			assert_int_equal(le32toh(status->passes), passes * (i + 1));
			assert_true(le64toh(status->start_cycle) <= le64toh(status->end_cycle));
		}
		assert_int_equal(tb_seqno(f->queue), first + n);
	}
	tb_idle(f->host);
	assert_int_equal(tb_read(f->host, FAA_REG_QUEUE_HEAD(f->queue->index)), f->queue->tail);
	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_IDLE);
}

/* The counters of the CU are those of all its streams; each stream counts as a job. */
static void counters(void **state)
{
	static const uint8_t counted[] = { FAA_COUNTER_JOBS,   FAA_COUNTER_COMMANDS,
					   FAA_COUNTER_WARPS,  FAA_COUNTER_ELEMENTS,
					   FAA_COUNTER_PASSES, FAA_COUNTER_GROUPS };
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	uint64_t before[sizeof(counted)];
	unsigned int n = slots(f), lanes = lanes_of(f);
	/* Passes of an STS of 70 elements: two warps of 32 and one of 6. */
	unsigned int passes = 64 / lanes + (6 + lanes - 1) / lanes;
	/* Each stream has STS, BAR and END. */
	const uint64_t grown[] = { n, 3 * n, 3 * n, 70 * n, passes * n, 70 * n };

	for (unsigned int i = 0; i < n; i++) {
		add_sts(f, FAA_TYPE_U32, 70, affine(512 * i, 4), 0, affine(0, 1));
		add_bar(f);
		add_end(f);
		streams[i] = keep_stream(f, i);
	}
	for (unsigned int i = 0; i < sizeof(counted); i++)
		before[i] = cu_counter(f, counted[i]);
	run_group(f, streams, n);
	tb_idle(f->host);
	for (unsigned int i = 0; i < sizeof(counted); i++)
		assert_int_equal(cu_counter(f, counted[i]) - before[i], grown[i]);
}

/* The streams run at the same time: none can end before all have begun. */
static void at_the_same_time(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	unsigned int n = slots(f);
	const uint64_t *flags = f->in.ptr;

	for (unsigned int i = 0; i < n; i++) {
		/*
		 * Stream 0 signals, the next ones pass it on, and stream 0 waits for the last one.
		 */
		if (i == 0)
			add_sem_signal(f, f->in.va, 1);
		add_sem_wait(f, f->in.va + 8 * ((i + n - 1) % n), 1);
		if (i)
			add_sem_signal(f, f->in.va + 8 * i, 1);
		add_end(f);
		streams[i] = keep_stream(f, i);
	}
	run_group(f, streams, n);
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(le64toh(flags[i]), 1);
}

/* Each descriptor requests an interrupt for itself. */
static void interrupts(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream stream;
	struct faa_job_desc desc;
	unsigned int before;
	uint32_t job = 0;

	add_end(f);
	stream = keep_stream(f, 0);
	for (unsigned int mask = 0; mask < 1u << slots(f); mask++) {
		before = f->host->interrupts[0];
		for (unsigned int i = 0; i < slots(f); i++) {
			uint32_t flags = i + 1 < slots(f) ? FAA_JOB_FLAG_TOGETHER : 0;

			if (mask >> i & 1)
				flags |= FAA_JOB_FLAG_INTERRUPT;
			desc = tb_desc(f->queue, stream.va, stream.bytes);
			desc.flags = htole32(flags);
			job = tb_push(f->queue, &desc);
		}
		tb_doorbell(f->queue);
		wait_for(f, job);
		tb_idle(f->host);
		assert_int_equal(f->host->interrupts[0] - before, __builtin_popcount(mask));
	}
}

/*
 * Groups and single jobs in one ring, which wraps inside of groups: in order, each job after the
 * one before.
 */
static void ring_order(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	const uint32_t *out = f->out.ptr;
	uint32_t last = 0, jobs = 0;

	/*
	 * The first stream of a job records the number of streams before the job; then each stream
	 * counts itself.
	 */
	for (unsigned int i = 0; i < slots(f); i++) {
		if (i == 0) {
			add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1,
				  stream(FAA_TYPE_U32, f->in.va, 0), none(), 4, imm(1), none());
			add_lds(f, FAA_TYPE_U32, 1, reg(3), none(), 0);
			add_st(f, FAA_TYPE_U32, 1, scaled(FAA_TYPE_U32, f->in.va, 0, 2, f->out.va),
			       0, reg(3));
		}
		add_bar(f);
		add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), none(), 0, imm(1), none());
		add_end(f);
		streams[i] = keep_stream(f, i);
	}
	/* 64 entries, in batches that fit. */
	for (unsigned int batch = 0; batch < 40; batch++) {
		for (unsigned int n = 1; n <= slots(f); n++, jobs++)
			last = tb_submit_group(f->queue, streams, n) + n - 1;
		wait_for(f, last);
	}
	for (unsigned int job = 0, before = 0; job < jobs; job++) {
		assert_int_equal(le32toh(out[job]), before);
		before += job % slots(f) + 1;
	}
}

/*
 * -------------------------------------------------------------------------------------------------
 * BAR
 */

#define ROUNDS 12

/*
 * Commands of stream @own of @n in a round of an exchange: stores values, and loads those of its
 * neighbour to R1.
 */
typedef void add_round(struct fixture *f, unsigned int own, unsigned int n, unsigned int round);

static struct faa_operand left_values(unsigned int own, unsigned int round)
{
	return affine(1000 * own + 100 * round, 1);
}

/* Each stream stores values and loads those of its neighbour after the barrier, many times. */
static void exchange(void **state, add_round *add)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	unsigned int n = slots(f);

	for (unsigned int i = 0; i < n; i++) {
		for (unsigned int round = 0; round < ROUNDS; round++) {
			add(f, i, n, round);
			add_bar(f);
			add_st(f, FAA_TYPE_U32, 32, affine(out_va(f, i, 32 * round), 4), 0, reg(1));
		}
		add_end(f);
		streams[i] = keep_stream(f, i);
	}
	run_group(f, streams, n);
	for (unsigned int i = 0; i < n; i++)
		for (unsigned int word = 0; word < 32 * ROUNDS; word++)
			assert_int_equal(out_word(f, i, word),
					 1000 * ((i + 1) % n) + 100 * (word / 32) + word % 32);
}

static void add_shared_round(struct fixture *f, unsigned int own, unsigned int n,
			     unsigned int round)
{
	/* Streams arrive late in turns. */
	for (unsigned int k = 0; k < (round + own) % n * 3; k++)
		add_mov(f, FAA_TYPE_U32, 200, reg(9), affine(0, 1));
	add_sts(f, FAA_TYPE_U32, 32, affine(128 * own, 4), 0, left_values(own, round));
	add_bar(f);
	add_lds(f, FAA_TYPE_U32, 32, reg(1), affine(128 * ((own + 1) % n), 4), 0);
}

static void bar_exchanges_shared_memory(void **state)
{
	exchange(state, add_shared_round);
}

/* BAR orders at scope CTA, without a fence. */
static void add_global_round(struct fixture *f, unsigned int own, unsigned int n,
			     unsigned int round)
{
	add_st(f, FAA_TYPE_U32, 32, affine(f->in.va + 128 * own, 4), 0, left_values(own, round));
	add_bar(f);
	add_ld(f, FAA_TYPE_U32, 32, reg(1), affine(f->in.va + 128 * ((own + 1) % n), 4), 0);
}

static void bar_exchanges_global_memory(void **state)
{
	exchange(state, add_global_round);
}

/* BAR does not wait for a stream that has ended; in a job of one stream it does not wait at all. */
static void bar_and_streams_that_end_early(void **state)
{
	struct fixture *f = *state;
	struct tb_stream streams[FAA_MAX_SLOTS];

	for (unsigned int n = 1; n <= slots(f); n++) {
		memset(f->out.ptr, 0, f->out.bytes);
		/* Stream i passes i barriers. */
		for (unsigned int i = 0; i < n; i++) {
			for (unsigned int round = 0; round < i; round++) {
				add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), none(),
					  (int)(4 * (8 * n + round)), imm(1), none());
				add_bar(f);
				add_lds(f, FAA_TYPE_U32, 1, reg(1), none(),
					(int)(4 * (8 * n + round)));
				add_st(f, FAA_TYPE_U32, 1, imm(out_va(f, i, round)), 0, reg(1));
			}
			if (n == 1)
				add_bar(f);
			add_end(f);
			streams[i] = keep_stream(f, i);
		}
		run_group(f, streams, n);
		for (unsigned int i = 0; i < n; i++)
			for (unsigned int round = 0; round < i; round++)
				assert_int_equal(out_word(f, i, round), n - 1 - round);
	}
}

/* Stores before the barrier are visible after it, whatever barriers and masks the commands use. */
static void bar_waits_for_commands_under_way(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	unsigned int n = slots(f), words = 4096 / 4 / 4;

	for (unsigned int i = 0; i < n; i++) {
		f->issue.write_barrier = i;
		add_st(f, FAA_TYPE_U32, words, affine(f->in.va + 4 * words * i, 4), 0,
		       affine(i << 16, 1));
		f->issue.write_barrier = FAA_NO_BARRIER;
		add_bar(f);
		add_ld(f, FAA_TYPE_U32, words, stream(FAA_TYPE_U32, out_va(f, i, 0), 4),
		       affine(f->in.va + 4 * words * ((i + 1) % n), 4), 0);
		add_end(f);
		streams[i] = keep_stream(f, i);
	}
	run_group(f, streams, n);
	for (unsigned int i = 0; i < n; i++)
		for (unsigned int word = 0; word < words; word++)
			assert_int_equal(out_word(f, i, word), ((i + 1) % n) << 16 | word);
}

/*
 * -------------------------------------------------------------------------------------------------
 * Errors
 */

/* Commands that take long enough for the other streams of a job to reach their waits. */
static void add_delay(struct fixture *f)
{
	for (unsigned int i = 0; i < 20; i++)
		add_mov(f, FAA_TYPE_U32, 1000, reg(200), imm(1));
}

/*
 * A stream fails while the others wait in different ways; they are stopped at the command that
 * waits.
 */
static void an_error_stops_the_others(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	unsigned int n = slots(f);

	for (unsigned int bad = 0; bad < n; bad++) {
		for (unsigned int kind = 0; kind < 3; kind++) {
			struct member expected[FAA_MAX_SLOTS];
			uint32_t first;

			memset(f->in.ptr, 0, 64);
			for (unsigned int i = 0; i < n; i++) {
				expected[i] = (struct member){ .code = FAA_ERROR_STOPPED };
				add_mov(f, FAA_TYPE_U32, 32, reg(1), imm(i));
				if (i == bad)
					add_delay(f);
				expected[i].command = here(f);
				if (i == bad) {
					add_st(f, FAA_TYPE_U32, 64, affine(f->in.va + 128, 4), 2,
					       imm(1));
					expected[i].code = FAA_ERROR_MISALIGNED;
					expected[i].address = f->in.va + 130;
				} else if (kind == 0) {
					add_sem_wait(f, f->in.va, 1);
				} else if (kind == 1) {
					/* The failing stream does not complete the barrier. */
					add_bar(f);
				} else {
					add_jump(f, FAA_JUMP_COND_ALWAYS, 0);
				}
				add_st(f, FAA_TYPE_U32, 1, imm(out_va(f, i, 0)), 0, imm(1));
				add_end(f);
				streams[i] = keep_stream(f, i);
			}
			first = submit(f, streams, n);
			for (unsigned int i = 0; i < n; i++) {
				expect_member(f, first + i, &expected[i]);
				assert_int_equal(out_word(f, i, 0), 0);
			}
			run(f);
		}
	}
}

/* Streams that ended before another one failed have succeeded. */
static void ended_before_the_error(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	struct member good = { .code = FAA_ERROR_SUCCESS };
	struct member bad = { .code = FAA_ERROR_ILLEGAL_COMMAND, .address = 0xff };
	uint32_t first;

	add_end(f);
	streams[0] = keep_stream(f, 0);
	add_delay(f);
	bad.command = here(f);
	add_word(f, 0xff);
	streams[1] = keep_stream(f, 1);
	first = submit(f, streams, 2);
	expect_member(f, first, &good);
	expect_member(f, first + 1, &bad);
}

/*
 * A stream is stopped at each point of the fetch of its commands; then the unit runs another job.
 */
static void stopped_between_commands(void **state)
{
	struct fixture *f = begin(state);

	for (unsigned int before = 0; before < 64; before++) {
		struct tb_stream streams[FAA_MAX_SLOTS];
		struct member bad = { .code = FAA_ERROR_ILLEGAL_COMMAND, .address = 0xff };
		uint32_t first;

		for (unsigned int i = 0; i < 400; i++)
			add_nop(f);
		add_end(f);
		streams[0] = keep_stream(f, 0);
		for (unsigned int i = 0; i < before; i++)
			add_nop(f);
		bad.command = here(f);
		add_word(f, 0xff);
		streams[1] = keep_stream(f, 1);
		first = submit(f, streams, 2);
		assert_int_equal(le32toh(tb_status(f->queue, first)->code), FAA_ERROR_STOPPED);
		expect_member(f, first + 1, &bad);
		run(f);
	}
}

/* Several streams fail on their own: each reports its own error or STOPPED. */
static void several_errors(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	unsigned int n = slots(f), failed = 0;
	uint32_t first;

	for (unsigned int i = 0; i < n; i++) {
		add_st(f, FAA_TYPE_U32, 1, imm(out_va(f, i, 0) + 1), 0, imm(1));
		streams[i] = keep_stream(f, i);
	}
	first = submit(f, streams, n);
	for (unsigned int i = 0; i < n; i++) {
		struct member expected = { .code = FAA_ERROR_STOPPED };

		if (tb_status(f->queue, first + i)->code == htole32(FAA_ERROR_MISALIGNED)) {
			failed++;
			expected.code = FAA_ERROR_MISALIGNED;
			expected.address = out_va(f, i, 0) + 1;
		}
		expect_member(f, first + i, &expected);
	}
	assert_true(failed >= 1);
}

/* The job that continues a stream at the command and element of @status. */
static void push_rest(struct fixture *f, const struct tb_stream *stream,
		      const struct faa_status *status, bool together)
{
	uint32_t command = le32toh(status->command);
	struct faa_job_desc desc = tb_desc(f->queue, stream->va + command, stream->bytes - command);

	desc.first_element = htole32(le32toh(status->element) & ~31u);
	desc.flags = htole32(together ? FAA_JOB_FLAG_TOGETHER : 0);
	tb_push(f->queue, &desc);
}

/*
 * Streams count elements one by one while the last one accesses an unmapped page. The stopped
 * streams continue where they were, and no element is lost or counted twice.
 */
static void stopped_streams_go_on(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	struct faa_status stopped[FAA_MAX_SLOTS];
	unsigned int n = slots(f), elements = 32000;
	uint64_t hole = f->in.va + f->in.bytes;
	uint32_t first, words[FAA_MAX_SLOTS];

	for (unsigned int i = 0; i < n; i++) {
		if (i == n - 1)
			add_st(f, FAA_TYPE_U32, 1, imm(hole), 0, imm(1));
		add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, elements, none(), imm(4 * i), 0,
			  imm(1), none());
		add_end(f);
		streams[i] = keep_stream(f, i);
	}
	first = submit(f, streams, n);
	for (unsigned int i = 0; i < n; i++) {
		stopped[i] = *tb_status(f->queue, first + i);
		assert_int_equal(le32toh(stopped[i].code),
				 i == n - 1 ? FAA_ERROR_NOT_MAPPED : FAA_ERROR_STOPPED);
		assert_int_equal(le32toh(stopped[i].element) % 32, 0);
		assert_int_equal(le64toh(stopped[i].elements_retired), le32toh(stopped[i].element));
	}
	tb_vm_map(f->vm, hole, f->out.dma + 4096 * 7, TB_PAGE, FAA_PTE_WRITABLE_MASK);
	tb_vm_invalidate(f->vm, hole, hole + TB_PAGE - 1);
	for (unsigned int i = 0; i < n; i++)
		push_rest(f, &streams[i], &stopped[i], i + 1 < n);
	tb_doorbell(f->queue);
	wait_for(f, first + 2 * n - 1);
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(tb_status(f->queue, first + n + i)->code, FAA_ERROR_SUCCESS);
	shared_dump(f, words, n);
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(words[i], elements);
}

/*
 * -------------------------------------------------------------------------------------------------
 * Descriptors
 */

/* Pushes a good descriptor of a stream that stores to its word of the output, and ends. */
static struct faa_job_desc good_member(struct fixture *f, unsigned int i)
{
	struct faa_job_desc desc;
	struct tb_stream stream;

	add_st(f, FAA_TYPE_U32, 64, affine(out_va(f, i, 0), 4), 0, imm(1));
	add_end(f);
	stream = keep_stream(f, i);
	desc = tb_desc(f->queue, stream.va, stream.bytes);
	desc.flags = htole32(FAA_JOB_FLAG_TOGETHER);
	return desc;
}

/* One descriptor of a group is bad: no stream begins. */
static void a_bad_descriptor(void **state)
{
	struct fixture *f = begin(state);
	unsigned int n = slots(f);

	for (unsigned int bad = 0; bad < n; bad++) {
		struct member expected[FAA_MAX_SLOTS];
		uint32_t first = f->queue->tail;

		for (unsigned int i = 0; i < n; i++) {
			struct faa_job_desc desc = good_member(f, i);

			if (i == n - 1)
				desc.flags = 0;
			expected[i] = (struct member){ .code = FAA_ERROR_STOPPED };
			/* The restart position of a stream that never began. */
			desc.first_element = htole32(i == 0 ? 32 : 0);
			expected[i].element = i == 0 ? 32 : 0;
			if (i == bad) {
				desc.reserved1 = 1;
				expected[i] = (struct member){ .code = FAA_ERROR_BAD_DESCRIPTOR,
							       .address = 40 };
			}
			tb_push(f->queue, &desc);
		}
		tb_doorbell(f->queue);
		wait_for(f, first + n - 1);
		for (unsigned int i = 0; i < n; i++) {
			expect_member(f, first + i, &expected[i]);
			assert_int_equal(tb_status(f->queue, first + i)->elements_retired, 0);
			assert_int_equal(out_word(f, i, 32), 0);
		}
		run(f);
	}
}

/* Each of several bad descriptors reports its own error; unknown flags are not TOGETHER. */
static void several_bad_descriptors(void **state)
{
	struct fixture *f = begin(state);
	struct member unaligned = { .code = FAA_ERROR_BAD_DESCRIPTOR, .address = 0 };
	struct member flags = { .code = FAA_ERROR_BAD_DESCRIPTOR, .address = 12 };
	uint32_t first = f->queue->tail;
	struct faa_job_desc desc;

	desc = good_member(f, 0);
	desc.stream_va = htole64(le64toh(desc.stream_va) + 1);
	tb_push(f->queue, &desc);
	desc = good_member(f, 1);
	desc.flags = htole32(4);
	tb_push(f->queue, &desc);
	desc = good_member(f, 2);
	desc.flags = 0;
	tb_push(f->queue, &desc);
	tb_doorbell(f->queue);
	wait_for(f, first + 2);
	expect_member(f, first, &unaligned);
	expect_member(f, first + 1, &flags);
	assert_int_equal(tb_status(f->queue, first + 2)->code, FAA_ERROR_SUCCESS);
	assert_int_equal(out_word(f, 2, 63), 1);
}

/*
 * TOGETHER in the last slot: the job ends there with the error of field flags; the next descriptor
 * is another job.
 */
static void too_long(void **state)
{
	struct fixture *f = *state;
	struct member bad = { .code = FAA_ERROR_BAD_DESCRIPTOR, .address = 12 };
	struct member stopped = { .code = FAA_ERROR_STOPPED };
	uint32_t first = f->queue->tail;
	unsigned int n = slots(f);

	for (unsigned int i = 0; i <= n; i++) {
		struct faa_job_desc desc = good_member(f, i);

		if (i == n)
			desc.flags = 0;
		tb_push(f->queue, &desc);
	}
	tb_doorbell(f->queue);
	wait_for(f, first + n);
	for (unsigned int i = 0; i < n; i++) {
		expect_member(f, first + i, i == n - 1 ? &bad : &stopped);
		assert_int_equal(out_word(f, i, 0), 0);
	}
	assert_int_equal(tb_status(f->queue, first + n)->code, FAA_ERROR_SUCCESS);
	assert_int_equal(out_word(f, n, 0), 1);
}

/* TOGETHER in the last descriptor before TAIL: the same error, in every slot. */
static void cut_off_by_tail(void **state)
{
	struct fixture *f = *state;
	struct member bad = { .code = FAA_ERROR_BAD_DESCRIPTOR, .address = 12 };
	struct member stopped = { .code = FAA_ERROR_STOPPED };

	for (unsigned int n = 1; n <= slots(f); n++) {
		uint32_t first = f->queue->tail;

		for (unsigned int i = 0; i < n; i++) {
			struct faa_job_desc desc = good_member(f, i);

			tb_push(f->queue, &desc);
		}
		tb_doorbell(f->queue);
		wait_for(f, first + n - 1);
		for (unsigned int i = 0; i < n; i++) {
			expect_member(f, first + i, i == n - 1 ? &bad : &stopped);
			assert_int_equal(out_word(f, i, 0), 0);
		}
		run(f);
	}
}

/* A SHARED_BYTES larger than the CU's memory is an error with every descriptor. */
static void shared_bytes(void **state)
{
	struct fixture *f = begin(state);
	struct member bad = { .code = FAA_ERROR_BAD_DESCRIPTOR, .address = 64 };
	uint32_t first;

	assert_true(tb_queue_disable(f->queue));
	tb_write(f->host, FAA_REG_QUEUE_SHARED(f->queue->index), f->host->shared_max + 128);
	tb_queue_enable(f->queue);
	first = f->queue->tail;
	for (unsigned int i = 0; i < 2; i++) {
		struct faa_job_desc desc = good_member(f, i);

		if (i == 1)
			desc.flags = 0;
		tb_push(f->queue, &desc);
	}
	tb_doorbell(f->queue);
	wait_for(f, first + 1);
	expect_member(f, first, &bad);
	expect_member(f, first + 1, &bad);
}

/*
 * A first element that the command does not allow is found when the stream begins, and stops the
 * others.
 */
static void first_element_of_one(void **state)
{
	struct fixture *f = begin(state);
	struct member bad = { .code = FAA_ERROR_BAD_DESCRIPTOR, .address = 32 };
	struct member stopped = { .code = FAA_ERROR_STOPPED };
	uint32_t first = f->queue->tail;
	struct faa_job_desc desc;
	struct tb_stream stream;

	add_sem_wait(f, f->in.va, 1);
	add_end(f);
	stream = keep_stream(f, 0);
	desc = tb_desc(f->queue, stream.va, stream.bytes);
	desc.flags = htole32(FAA_JOB_FLAG_TOGETHER);
	tb_push(f->queue, &desc);
	desc = good_member(f, 1);
	desc.flags = 0;
	desc.first_element = htole32(64);
	tb_push(f->queue, &desc);
	tb_doorbell(f->queue);
	wait_for(f, first + 1);
	expect_member(f, first, &stopped);
	expect_member(f, first + 1, &bad);
	assert_int_equal(out_word(f, 1, 0), 0);
}

/*
 * -------------------------------------------------------------------------------------------------
 * Contexts
 */

/* Each stream increments its register, and stores the old value under a predicate. */
static void add_counting(struct fixture *f, unsigned int i)
{
	add_st(f, FAA_TYPE_U32, 32, affine(out_va(f, i, 0), 4), 0, reg(250));
	f->issue.guard = 3;
	add_st(f, FAA_TYPE_U32, 32, affine(out_va(f, i, 32), 4), 0, reg(250));
	f->issue.guard = FAA_PT;
	add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, reg(250), reg(250), affine(1 + i, 1));
	add_setp(f, FAA_CMP_GE, FAA_TYPE_U32, 32, 3, affine(0, 1), imm(8 * i + 4));
	add_end(f);
}

/*
 * Submits a stream at @offset of @code that sets word @number of @flags when it runs, then waits
 * for word 0.
 */
static void submit_waiter(struct fixture *f, struct tb_queue *queue, const struct tb_buffer *code,
			  size_t offset, uint64_t flags, unsigned int number)
{
	uint32_t bytes;

	add_sem_signal(f, flags + 8 * number, 1);
	add_sem_wait(f, flags, 1);
	add_end(f);
	bytes = f->count * 8;
	memcpy((uint8_t *)code->ptr + offset, f->words, bytes);
	f->count = 0;
	tb_submit(queue, code->va + offset, bytes);
}

/*
 * Occupies every CU with a job of a queue of higher priority, so that the fixture's queue is saved;
 * then ends these jobs.
 */
static void chase_away(struct fixture *f)
{
	struct tb_queue_config config = { .prio = 3, .vector = 9 };
	struct tb_queue *others[FAA_MAX_CUS];
	struct tb_buffer code = tb_buffer_create(f->vm, TB_PAGE);
	size_t offset = f->in.bytes - 128;
	uint64_t *flags = (uint64_t *)((uint8_t *)f->in.ptr + offset);

	memset(flags, 0, 128);
	for (unsigned int i = 0; i < f->host->num_cus; i++) {
		others[i] = tb_queue_create(f->vm, 6 + i, &config);
		submit_waiter(f, others[i], &code, 256 * i, f->in.va + offset, i + 1);
		for (uint64_t unit = 0; !__atomic_load_n(&flags[i + 1], __ATOMIC_ACQUIRE); unit++) {
			assert_true(unit < f->host->limit);
			tb_step(f->host, 1);
		}
	}
	__atomic_store_n(flags, htole64(1), __ATOMIC_RELEASE);
	for (unsigned int i = 0; i < f->host->num_cus; i++) {
		assert_true(tb_wait(others[i], 0));
		assert_true(tb_queue_destroy(others[i]));
	}
}

/*
 * Registers and predicates of each slot persist from job to job, whether or not the context is
 * saved in between, and whatever other slots do.
 */
static void contexts_persist(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	unsigned int n = slots(f), runs[FAA_MAX_SLOTS] = { 0 };

	for (unsigned int i = 0; i < n; i++) {
		add_counting(f, i);
		streams[i] = keep_stream(f, i);
	}
	for (unsigned int round = 0; round < 3 * n; round++) {
		unsigned int size = (round * 7 + 1) % n + 1;

		memset(f->out.ptr, 0, f->out.bytes);
		run_group(f, streams, size);
		for (unsigned int i = 0; i < size; i++) {
			for (unsigned int lane = 0; lane < 32; lane++) {
				bool guard = runs[i] && lane >= 8 * i + 4;
				uint32_t value = runs[i] * (1 + i + lane);

				assert_int_equal(out_word(f, i, lane), value);
				assert_int_equal(out_word(f, i, 32 + lane), guard ? value : 0);
			}
			runs[i]++;
		}
		if (round % 3 != 2)
			chase_away(f);
	}
}

static bool untouched(const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != 0xa5)
			return false;
	return true;
}

/*
 * The save area, byte for byte: a context for each used slot and shared memory; other slots are not
 * written.
 */
static void save_area(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];

	for (unsigned int n = 1; n <= slots(f); n++) {
		for (unsigned int i = 0; i < n; i++) {
			for (unsigned int r = 0; r < FAA_REGISTERS; r += 127)
				add_mov(f, FAA_TYPE_U32, 32, reg(r),
					affine(r << 16 | n << 8 | i, 0x1000));
			add_sts(f, FAA_TYPE_U32, 1, imm(4 * i), 0, imm(n + i));
			add_end(f);
			streams[i] = keep_stream(f, i);
		}
		run_group(f, streams, n);
		chase_away(f);
		for (unsigned int i = 0; i < slots(f); i++) {
			const uint8_t *context = tb_saved_context(f->queue, i);

			if (i >= n) {
				assert_true(untouched(context, FAA_CONTEXT_BYTES));
				continue;
			}
			for (unsigned int word = 0; word < 256 * 32; word++) {
				unsigned int r = word / 32, lane = word % 32;
				uint32_t expect = r << 16 | n << 8 | i, value;

				memcpy(&value, context + 4 * word, 4);
				assert_int_equal(le32toh(value), r % 127 == 0 && r < 255 ?
									 expect + 0x1000 * lane :
									 0);
			}
		}
		for (unsigned int i = 0; i < n; i++)
			assert_int_equal(le32toh(((uint32_t *)tb_saved_shared(f->queue))[i]),
					 n + i);
	}
}

/* The saved state is restored: the host changes the save area of a slot in between. */
static void restored_from_its_place(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];

	for (unsigned int i = 0; i < slots(f); i++) {
		add_counting(f, i);
		streams[i] = keep_stream(f, i);
	}
	run_group(f, streams, slots(f));
	chase_away(f);
	for (unsigned int i = 0; i < slots(f); i++) {
		uint32_t *row = (uint32_t *)(tb_saved_context(f->queue, i) + 250 * 128);

		for (unsigned int lane = 0; lane < 32; lane++)
			row[lane] = htole32(77 * i + lane);
	}
	run_group(f, streams, slots(f));
	for (unsigned int i = 0; i < slots(f); i++)
		for (unsigned int lane = 0; lane < 32; lane++)
			assert_int_equal(out_word(f, i, lane), 77 * i + lane);
}

/* A queue that is enabled again finds zeros in every slot, also in those that it used before. */
static void new_life(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];

	for (unsigned int i = 0; i < slots(f); i++) {
		add_counting(f, i);
		streams[i] = keep_stream(f, i);
	}
	for (unsigned int life = 0; life < 3; life++) {
		memset(f->out.ptr, 0xff, f->out.bytes);
		/* The last slots are used later. */
		run_group(f, streams, 1);
		run_group(f, streams, slots(f));
		for (unsigned int i = 1; i < slots(f); i++)
			for (unsigned int lane = 0; lane < 32; lane++) {
				assert_int_equal(out_word(f, i, lane), 0);
				assert_int_equal(out_word(f, i, 32 + lane), ~0u);
			}
		assert_true(tb_queue_disable(f->queue));
		tb_queue_enable(f->queue);
	}
}

/*
 * -------------------------------------------------------------------------------------------------
 * Kill, reset, registers
 */

/* Streams that wait in different ways; *commands: the commands at which they wait. */
static uint32_t submit_waiting(struct fixture *f, uint32_t commands[FAA_MAX_SLOTS])
{
	struct tb_stream streams[FAA_MAX_SLOTS];

	for (unsigned int i = 0; i < slots(f); i++) {
		for (unsigned int k = 0; k < i; k++)
			add_mov(f, FAA_TYPE_U32, 64, reg(1), imm(1));
		commands[i] = here(f);
		if (i % 2)
			add_bar(f);
		else
			add_sem_wait(f, f->in.va, 1);
		add_end(f);
		streams[i] = keep_stream(f, i);
	}
	return tb_submit_group(f->queue, streams, slots(f));
}

/* The CU that runs the fixture's queue. */
static unsigned int cu_of(struct fixture *f)
{
	uint32_t state = tb_read(f->host, FAA_REG_QUEUE_STATE(f->queue->index));

	return (state & FAA_REG_QUEUE_STATE_CU_MASK) >> FAA_REG_QUEUE_STATE_CU_SHIFT;
}

static void registers(void **state)
{
	struct fixture *f = begin(state);
	uint32_t commands[FAA_MAX_SLOTS], first = submit_waiting(f, commands), sum = 0;
	unsigned int cu;

	tb_step(f->host, 40000);
	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_RUNNING);
	cu = cu_of(f);
	assert_int_equal(tb_read(f->host, FAA_REG_CU_PC(cu)), commands[0]);
	for (unsigned int i = 0; i < FAA_MAX_SLOTS; i++) {
		uint32_t pc = i < slots(f) ? commands[i] : 0, elements = i < slots(f) ? 64 * i : 0;

		assert_int_equal(tb_read(f->host, FAA_REG_CU_SLOT_PC(cu, i)), pc);
		assert_int_equal(tb_read(f->host, FAA_REG_CU_SLOT_PROGRESS(cu, i)), elements);
		sum += elements;
	}
	assert_int_equal(tb_read(f->host, FAA_REG_CU_PROGRESS(cu)), sum);
	*(uint64_t *)f->in.ptr = htole64(1);
	wait_for(f, first + slots(f) - 1);
}

static void expect_all(struct fixture *f, uint32_t first, uint32_t code,
		       const uint32_t commands[FAA_MAX_SLOTS])
{
	for (unsigned int i = 0; i < slots(f); i++) {
		struct member expected = { .code = code, .command = commands[i] };

		expect_member(f, first + i, &expected);
		assert_int_equal(tb_status(f->queue, first + i)->elements_retired, htole64(64 * i));
	}
}

/* A kill ends every stream, also one in BAR. */
static void kill(void **state)
{
	struct fixture *f = begin(state);
	uint32_t commands[FAA_MAX_SLOTS], first = submit_waiting(f, commands);

	tb_step(f->host, 40000);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index),
		 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
	assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(f->queue->index),
				FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_KILLED));
	assert_int_equal(tb_seqno(f->queue), first + slots(f));
	expect_all(f, first, FAA_ERROR_KILLED, commands);
	assert_true(tb_queue_disable(f->queue));
	tb_queue_enable(f->queue);
	run(f);
}

/* Adds stream @kind of kill_each_where_it_is(); it may be stopped at commands [*begin, *end). */
static void add_endless(struct fixture *f, unsigned int kind, uint32_t *begin, uint32_t *end)
{
	for (unsigned int k = 0; k <= kind; k++)
		add_mov(f, FAA_TYPE_U32, 32, reg(1), imm(1));
	*begin = here(f);
	switch (kind) {
	case 0:
		add_st(f, FAA_TYPE_U32, 64, affine(out_va(f, 0, 0), 4), 0, imm(1));
		add_nop(f);
		add_jump(f, FAA_JUMP_COND_ALWAYS, ((int32_t)*begin - (int32_t)here(f)) / 8);
		break;
	case 1:
		add_sem_wait(f, f->in.va, 1);
		break;
	case 2:
		add_st(f, FAA_TYPE_U32, 1ULL << 32, imm(out_va(f, 2, 0)), 0, affine(0, 1));
		break;
	default:
		add_bar(f);
	}
	*end = here(f);
	add_end(f);
}

/* Each stream of a group is stopped at its own command. */
static void kill_each_where_it_is(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];
	uint32_t begins[FAA_MAX_SLOTS], ends[FAA_MAX_SLOTS];

	for (unsigned int i = 0; i < slots(f); i++) {
		add_endless(f, i, &begins[i], &ends[i]);
		streams[i] = keep_stream(f, i);
	}
	for (unsigned int moment = 0; moment < 12; moment++) {
		uint32_t first = tb_submit_group(f->queue, streams, slots(f));

		tb_step(f->host, 8000 + moment);
		tb_write(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index),
			 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
		wait_for(f, first + slots(f) - 1);
		for (unsigned int i = 0; i < slots(f); i++) {
			const struct faa_status *status = tb_status(f->queue, first + i);
			uint32_t command = le32toh(status->command);

			assert_int_equal(le32toh(status->code), FAA_ERROR_KILLED);
			assert_true(command >= begins[i] && command < ends[i]);
			if (i == 0)
				assert_int_equal(le64toh(status->elements_retired) % 64,
						 (32 + le32toh(status->element)) % 64);
			else
				assert_int_equal(le64toh(status->elements_retired),
						 32 * (i + 1) + le32toh(status->element));
			assert_true(i == 2 ? status->element != 0 : i == 0 || !status->element);
		}
		if (slots(f) > 2)
			assert_int_equal(out_word(f, 2, 0),
					 le32toh(tb_status(f->queue, first + 2)->element) - 1);
		assert_true(tb_queue_disable(f->queue));
		tb_queue_enable(f->queue);
	}
}

/*
 * A kill at many points of time: each stream succeeds or ends between two warps, and all of them
 * end.
 */
static void kill_at_any_moment(void **state)
{
	struct fixture *f = begin(state);
	struct tb_stream streams[FAA_MAX_SLOTS];

	for (unsigned int i = 0; i < slots(f); i++) {
		add_sts(f, FAA_TYPE_U32, 320, affine(0, 4), 0, imm(1));
		add_bar(f);
		add_sts(f, FAA_TYPE_U32, 320, affine(0, 4), 0, imm(2));
		add_end(f);
		streams[i] = keep_stream(f, i);
	}
	for (unsigned int moment = 1; moment < 4000; moment += 1 + moment / 8) {
		uint32_t first = tb_submit_group(f->queue, streams, slots(f));

		tb_step(f->host, moment);
		tb_write(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index),
			 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
		assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(f->queue->index),
					FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_KILLED));
		for (unsigned int i = 0; i < slots(f) && tb_seqno(f->queue); i++) {
			const struct faa_status *status = tb_status(f->queue, first + i);
			uint32_t code = le32toh(status->code);

			assert_true(code == FAA_ERROR_SUCCESS || code == FAA_ERROR_KILLED);
			assert_int_equal(le32toh(status->element) % 32, 0);
			assert_int_equal(le64toh(status->elements_retired),
					 32 * le32toh(status->warps));
		}
		/* All streams have ended, or the job had not begun. */
		assert_true(tb_seqno(f->queue) == 0 || tb_seqno(f->queue) == slots(f));
		assert_true(tb_queue_disable(f->queue));
		tb_queue_enable(f->queue);
	}
}

static void cu_reset(void **state)
{
	struct fixture *f = begin(state);
	uint32_t commands[FAA_MAX_SLOTS], first = submit_waiting(f, commands);

	tb_step(f->host, 40000);
	tb_write(f->host, FAA_REG_CU_CONTROL(cu_of(f)), FAA_REG_CU_CONTROL_RESET_MASK);
	assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(f->queue->index),
				FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_KILLED));
	assert_int_equal(tb_seqno(f->queue), first + slots(f));
	expect_all(f, first, FAA_ERROR_CU_RESET, commands);
	assert_true(tb_queue_disable(f->queue));
	tb_queue_enable(f->queue);
	run(f);
}

/*
 * -------------------------------------------------------------------------------------------------
 * Builds
 */

/* Tests of a device of any number of slots, and of one with several. */
static const CMUnitTestFunction any_slots[] = { every_size, bar_and_streams_that_end_early,
						too_long, cut_off_by_tail };
static const CMUnitTestFunction several_slots[] = {
	counters,
	at_the_same_time,
	interrupts,
	ring_order,
	bar_exchanges_shared_memory,
	bar_exchanges_global_memory,
	bar_waits_for_commands_under_way,
	an_error_stops_the_others,
	ended_before_the_error,
	stopped_between_commands,
	several_errors,
	stopped_streams_go_on,
	a_bad_descriptor,
	several_bad_descriptors,
	shared_bytes,
	first_element_of_one,
	contexts_persist,
	save_area,
	restored_from_its_place,
	new_life,
	registers,
	kill,
	kill_each_where_it_is,
	kill_at_any_moment,
	cu_reset,
};

#define ANY	(sizeof(any_slots) / sizeof(any_slots[0]))
#define SEVERAL (sizeof(several_slots) / sizeof(several_slots[0]))

static void run_on_build(const struct faa_model_params *params, CMUnitTestFunction test)
{
	void *f;

	fixture_setup_build(&f, params);
	assert_int_equal(slots(f), params->warp_slots);
	test(&f);
	assert_int_equal(fixture_teardown(&f), 0);
}

/* Every number of slots; only the model can be any build. */
static void builds(void **state)
{
	struct faa_model_params params = FAA_MODEL_DEFAULT;

	(void)state;
	needs_model();
	for (params.warp_slots = 1; params.warp_slots <= FAA_MAX_SLOTS; params.warp_slots++) {
		for (unsigned int i = 0; i < ANY; i++)
			run_on_build(&params, any_slots[i]);
		for (unsigned int i = 0; i < SEVERAL && params.warp_slots > 1; i++)
			run_on_build(&params, several_slots[i]);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(every_size),
		FIXTURE_TEST(counters),
		FIXTURE_TEST(at_the_same_time),
		FIXTURE_TEST(interrupts),
		FIXTURE_TEST(ring_order),
		FIXTURE_TEST(bar_exchanges_shared_memory),
		FIXTURE_TEST(bar_exchanges_global_memory),
		FIXTURE_TEST(bar_and_streams_that_end_early),
		FIXTURE_TEST(bar_waits_for_commands_under_way),
		FIXTURE_TEST(an_error_stops_the_others),
		FIXTURE_TEST(ended_before_the_error),
		FIXTURE_TEST(stopped_between_commands),
		FIXTURE_TEST(several_errors),
		FIXTURE_TEST(stopped_streams_go_on),
		FIXTURE_TEST(a_bad_descriptor),
		FIXTURE_TEST(several_bad_descriptors),
		FIXTURE_TEST(too_long),
		FIXTURE_TEST(cut_off_by_tail),
		FIXTURE_TEST(shared_bytes),
		FIXTURE_TEST(first_element_of_one),
		FIXTURE_TEST(contexts_persist),
		FIXTURE_TEST(save_area),
		FIXTURE_TEST(restored_from_its_place),
		FIXTURE_TEST(new_life),
		FIXTURE_TEST(registers),
		FIXTURE_TEST(kill),
		FIXTURE_TEST(kill_each_where_it_is),
		FIXTURE_TEST(kill_at_any_moment),
		FIXTURE_TEST(cu_reset),
		cmocka_unit_test(builds),
	};

	return fixture_main(argc, argv, "group", tests, sizeof(tests) / sizeof(tests[0]));
}
