// SPDX-License-Identifier: MIT
/*
 * Queues: descriptors, states, contexts, kill, reset, invalidation, events.
 */
#include <endian.h>
#include <string.h>

#include "fixture.h"

#define END_BYTES 8

/* A queue of its own VM with a buffer for code and one for data. */
struct client {
	struct tb_vm *vm;
	struct tb_queue *queue;
	struct tb_buffer code;
	struct tb_buffer data;
};

static struct client client_create(struct tb_host *host, unsigned int index, unsigned int prio,
				   uint32_t shared_bytes)
{
	struct tb_queue_config config = { .shared_bytes = shared_bytes,
					  .prio = prio,
					  .vector = index % FAA_PCI_VECTORS };
	struct client client;

	client.vm = tb_vm_create(host, 100 + index);
	client.queue = tb_queue_create(client.vm, index, &config);
	client.code = tb_buffer_create(client.vm, 16384);
	client.data = tb_buffer_create(client.vm, 16384);
	return client;
}

static void client_destroy(struct client *client)
{
	assert_true(tb_queue_destroy(client->queue));
	tb_vm_destroy(client->vm);
}

/* Moves the stream under construction to the client's code; returns its bytes. */
static uint32_t take_stream(struct fixture *f, struct client *client)
{
	uint32_t bytes = f->count * 8;

	memcpy(client->code.ptr, f->words, bytes);
	f->count = 0;
	return bytes;
}

/* A queue that is not the fixture's own. */
static unsigned int last_queue(struct fixture *f)
{
	return f->host->num_queues - 1;
}

static uint32_t client_submit(struct fixture *f, struct client *client)
{
	return tb_submit(client->queue, client->code.va, take_stream(f, client));
}

static void client_run(struct fixture *f, struct client *client)
{
	uint32_t job;

	add_end(f);
	job = client_submit(f, client);
	assert_true(tb_wait(client->queue, job));
	assert_int_equal(tb_status(client->queue, job)->code, FAA_ERROR_SUCCESS);
}

/* Runs one job with a changed descriptor; it must fail at byte @offset of it. */
static void bad_descriptor(struct fixture *f, const struct faa_job_desc *desc, uint32_t offset)
{
	uint32_t job = tb_push(f->queue, desc);
	const struct faa_status *status = tb_status(f->queue, job);

	tb_doorbell(f->queue);
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(status->code, FAA_ERROR_BAD_DESCRIPTOR);
	assert_int_equal(status->address, offset);
	assert_int_equal(status->command, 0);
	assert_int_equal(status->element, 0);
	assert_int_equal(status->lane, 0);
	assert_int_equal(status->seqno, job + 1);
	assert_int_equal(status->warps, 0);
}

static void descriptor_fields(void **state)
{
	struct fixture *f = *state;
	struct faa_job_desc desc;
	uint32_t bytes;

	/* A command that allows a first element of 32. */
	add_sts(f, FAA_TYPE_U32, 64, imm(0), 0, imm(1));
	add_end(f);
	bytes = f->count * 8;
	memcpy(f->code.ptr, f->words, bytes);
	f->count = 0;
	for (unsigned int bit = 0; bit < 512; bit++) {
		unsigned int byte = bit / 8 & ~3u;
		uint32_t offset = byte;

		desc = tb_desc(f->queue, f->code.va, bytes);
		((uint8_t *)&desc)[bit / 8] ^= 1u << bit % 8;
		if (byte < 8 ? bit >= 3 : byte == 8 ? bit - 64 >= 3 : byte == 12 && bit == 96)
			continue; /* another stream, or an interrupt */
		if ((byte >= 16 && byte < 24) || (byte >= 24 && byte < 32 && bit - 192 >= 6))
			continue; /* sequence number, place of the status record */
		if (byte == 32 && bit - 256 >= 5)
			continue;
		if (byte >= 40)
			offset = byte & ~7u;
		bad_descriptor(f, &desc, offset);
	}
	desc = tb_desc(f->queue, f->code.va, 0);
	bad_descriptor(f, &desc, 8);
	/* The first of several bad fields is reported. */
	desc = tb_desc(f->queue, f->code.va + 4, 4);
	bad_descriptor(f, &desc, 0);
	desc = tb_desc(f->queue, f->code.va, 4);
	desc.flags = htole32(2);
	bad_descriptor(f, &desc, 8);
	desc = tb_desc(f->queue, f->code.va, 8);
	desc.first_element = 1;
	desc.reserved3 = 1;
	bad_descriptor(f, &desc, 32);
	run(f);
}

static void shared_bytes_of_a_queue(void **state)
{
	struct fixture *f = *state;
	uint32_t bad[] = { 64, 127, 129, f->host->shared_max + 128, 0xffffff80, 1 };

	for (unsigned int i = 0; i < 6; i++) {
		struct faa_job_desc desc;

		assert_true(tb_queue_disable(f->queue));
		tb_write(f->host, FAA_REG_QUEUE_SHARED(f->queue->index), bad[i]);
		tb_queue_enable(f->queue);
		desc = tb_desc(f->queue, f->code.va, 8);
		bad_descriptor(f, &desc, 64);
		/* A bad field has precedence. */
		desc = tb_desc(f->queue, f->code.va, 8);
		desc.reserved3 = 5;
		bad_descriptor(f, &desc, 56);
	}
	assert_true(tb_queue_disable(f->queue));
	tb_write(f->host, FAA_REG_QUEUE_SHARED(f->queue->index), FIXTURE_SHARED);
	tb_queue_enable(f->queue);
	run(f);
}

/* All of a CU's shared memory, and all of a row, can be allocated. */
static void largest_shared_memory(void **state)
{
	struct fixture *f = *state;
	struct client client = client_create(f->host, last_queue(f), 0, f->host->shared_max);
	uint32_t words = f->host->shared_max / 4;

	add_sts(f, FAA_TYPE_U32, words, affine(0, 4), 0, affine(7, 3));
	add_lds(f, FAA_TYPE_U32, words / 64, stream(FAA_TYPE_U32, client.data.va, 4),
		affine(252, 256), 0);
	client_run(f, &client);
	for (uint32_t i = 0; i < words / 64; i++)
		assert_int_equal(((uint32_t *)client.data.ptr)[i], 7 + 3 * (64 * i + 63));
	client_destroy(&client);
}

/* More jobs than ring entries, submitted in batches; each reads the register of the job before. */
static void ring_wraps_and_jobs_are_in_order(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;
	uint32_t job = 0, bytes, batches = amount_of(f, 5, 2);

	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, reg(1), none(), 0, imm(1), none());
	add_st(f, FAA_TYPE_U32, 1, scaled(FAA_TYPE_U32, f->in.va, 0, 2, f->out.va), 0, reg(1));
	add_mov(f, FAA_TYPE_U32, 1, stream(FAA_TYPE_U32, f->in.va, 0), reg(2));
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, reg(2), none(), 0, imm(0), none());
	add_mov(f, FAA_TYPE_U32, 1, stream(FAA_TYPE_U32, f->in.va, 0), reg(2));
	add_end(f);
	bytes = f->count * 8;
	memcpy(f->code.ptr, f->words, bytes);
	f->count = 0;
	for (unsigned int batch = 0; batch < batches; batch++) {
		for (unsigned int i = 0; i < 40; i++) {
			struct faa_job_desc desc = tb_desc(f->queue, f->code.va, bytes);

			job = tb_push(f->queue, &desc);
		}
		tb_doorbell(f->queue);
		assert_true(tb_wait(f->queue, job));
	}
	/* Job n found the value n in in[0], stored by job n - 1. */
	for (unsigned int i = 1; i < 40 * batches; i++)
		assert_int_equal(out[i], i);
	assert_int_equal(tb_seqno(f->queue), 40 * batches);
	tb_idle(f->host);
	assert_int_equal(tb_read(f->host, FAA_REG_QUEUE_HEAD(f->queue->index)), 40 * batches);
	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_IDLE);
}

/* The vector is raised only for jobs that request it, after their sequence number. */
static void interrupts_of_jobs(void **state)
{
	struct fixture *f = *state;
	unsigned int queue = last_queue(f);
	struct client client = client_create(f->host, queue, 0, 0);

	for (unsigned int i = 0; i < 10; i++) {
		struct faa_job_desc desc;
		unsigned int before = f->host->interrupts[queue];
		uint32_t job;

		add_end(f);
		desc = tb_desc(client.queue, client.code.va, take_stream(f, &client));
		desc.flags = htole32(i % 3 ? FAA_JOB_FLAG_INTERRUPT : 0);
		if (i == 7)
			desc.reserved2 = 1; /* malformed jobs raise interrupts, too */
		job = tb_push(client.queue, &desc);
		tb_doorbell(client.queue);
		assert_true(tb_wait(client.queue, job));
		tb_idle(f->host);
		assert_int_equal(f->host->interrupts[queue] - before, i % 3 ? 1 : 0);
	}
	client_destroy(&client);
}

static void counters_and_progress_of_a_job(void **state)
{
	struct fixture *f = *state;
	uint64_t snapshot[2][FAA_COUNTERS];
	uint64_t va = f->out.va;

	f->count += faa_encode_snapshot(f->words + f->count, &f->issue, va);
	add_setp(f, FAA_CMP_LT, FAA_TYPE_U32, 32, 0, affine(0, 1), imm(5));
	f->issue.guard = 0;
	add_sts(f, FAA_TYPE_U32, 50, imm(0), 0, imm(1));
	f->issue.guard = FAA_PT;
	add_mov(f, FAA_TYPE_U32, 70, stream(FAA_TYPE_U32, f->in.va, 4), imm(1));
	f->count += faa_encode_nop(f->words + f->count, &f->issue);
	f->count += faa_encode_snapshot(f->words + f->count, &f->issue, va + 256);
	run(f);
	memcpy(snapshot, f->out.ptr, sizeof(snapshot));
	assert_int_equal(snapshot[1][FAA_COUNTER_JOBS], snapshot[0][FAA_COUNTER_JOBS]);
	assert_int_equal(snapshot[1][FAA_COUNTER_COMMANDS] - snapshot[0][FAA_COUNTER_COMMANDS], 5);
	assert_int_equal(snapshot[1][FAA_COUNTER_WARPS] - snapshot[0][FAA_COUNTER_WARPS],
			 1 + 2 + 3);
	/* All lanes of a warp store to one word: one group each. */
	assert_int_equal(snapshot[1][FAA_COUNTER_GROUPS] - snapshot[0][FAA_COUNTER_GROUPS], 2);
	assert_int_equal(snapshot[1][FAA_COUNTER_PASSES] - snapshot[0][FAA_COUNTER_PASSES], 2);
	/* 32 + the 5 + 5 lanes of the guard + 70 */
	assert_int_equal(snapshot[1][FAA_COUNTER_ELEMENTS] - snapshot[0][FAA_COUNTER_ELEMENTS],
			 32 + 10 + 70);
	assert_true(snapshot[1][FAA_COUNTER_CYCLES] > snapshot[0][FAA_COUNTER_CYCLES]);
	assert_true(snapshot[1][FAA_COUNTER_BUSY] > snapshot[0][FAA_COUNTER_BUSY]);
	assert_int_equal(f->status.warps, 6);
	assert_int_equal(f->status.passes, 2);
	for (unsigned int n = FAA_COUNTER_STALL_WRITEBACK + 1; n < FAA_COUNTERS; n++)
		assert_int_equal(snapshot[1][n], 0);
	assert_int_equal(f->status.elements_retired, 32 + 50 + 70);
	assert_true(f->status.end_cycle >= f->status.start_cycle);
}

/* Two queues pass a token by semaphores, 20 times. */
static void semaphores_between_queues(void **state)
{
	struct fixture *f = *state;
	struct tb_queue *other = tb_queue_create(f->vm, last_queue(f), NULL);
	struct tb_buffer code = tb_buffer_create(f->vm, 4096);
	uint64_t a = f->out.va + 64, b = f->out.va + 128, word = f->out.va;
	uint32_t first, second;

	/* A queue that waits occupies its unit. */
	needs_cus(f, 2);
	for (unsigned int i = 1; i <= 20; i++) {
		f->count +=
			faa_encode_sem_wait(f->words + f->count, &f->issue, FAA_SEM_COND_GE, a, i);
		add_ld(f, FAA_TYPE_U32, 1, reg(1), imm(word), 0);
		add_st(f, FAA_TYPE_U32, 1, imm(word), 512 + 4 * i, reg(1));
		add_st(f, FAA_TYPE_U32, 1, imm(word), 0, imm(1000 + i));
		f->count +=
			faa_encode_sem_signal(f->words + f->count, &f->issue, FAA_SEM_OP_SET, b, i);
	}
	add_end(f);
	memcpy(code.ptr, f->words, f->count * 8);
	assert_true(f->count * 8 <= 4096);
	second = tb_submit(other, code.va, f->count * 8);
	f->count = 0;
	tb_step(f->host, 500);
	assert_int_equal(tb_queue_state(other), FAA_QUEUE_STATE_RUNNING);
	for (unsigned int i = 1; i <= 20; i++) {
		add_st(f, FAA_TYPE_U32, 1, imm(word), 0, imm(i));
		f->count +=
			faa_encode_sem_signal(f->words + f->count, &f->issue, FAA_SEM_OP_SET, a, i);
		f->count +=
			faa_encode_sem_wait(f->words + f->count, &f->issue, FAA_SEM_COND_EQ, b, i);
		add_ld(f, FAA_TYPE_U32, 1, reg(1), imm(word), 0);
		add_st(f, FAA_TYPE_U32, 1, imm(word), 1024 + 4 * i, reg(1));
	}
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	first = tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	assert_true(tb_wait(f->queue, first));
	assert_true(tb_wait(other, second));
	for (unsigned int i = 1; i <= 20; i++) {
		assert_int_equal(((uint32_t *)f->out.ptr)[128 + i], i);
		assert_int_equal(((uint32_t *)f->out.ptr)[256 + i], 1000 + i);
	}
	assert_true(tb_queue_destroy(other));
}

/* Loops of each condition over each shape of guard. */
static void jumps_on_conditions(void **state)
{
	static const uint32_t limits[] = { 0, 1, 31, 32 };
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	for (unsigned int i = 0; i < 4 * 4 * 2; i++) {
		enum faa_jump_cond cond = i % 4;
		uint32_t limit = limits[i / 4 % 4], lanes = i / 16 ? 32 - limit : limit;
		bool taken = cond == FAA_JUMP_COND_ALWAYS ||
			     (cond == FAA_JUMP_COND_ANY && lanes > 0) ||
			     (cond == FAA_JUMP_COND_ALL && lanes == 32) ||
			     (cond == FAA_JUMP_COND_NONE && lanes == 0);

		memset(f->out.ptr, 0, 64);
		add_setp(f, FAA_CMP_LT, FAA_TYPE_U32, 32, 6, affine(0, 1), imm(limit));
		f->issue.guard = 6;
		f->issue.guard_negate = i / 16;
		add_jump(f, cond, 2 + 5);
		f->issue.guard = FAA_PT;
		f->issue.guard_negate = 0;
		add_st(f, FAA_TYPE_U32, 1, imm(f->out.va), 0, imm(1));
		run(f);
		/* ST has 3 + 1 + 1 words. */
		assert_int_equal(out[0], taken ? 0 : 1);
	}
	/* Backwards: count to ten. */
	add_mov(f, FAA_TYPE_U32, 32, reg(0), imm(0));
	add_sts(f, FAA_TYPE_U32, 1, none(), 0, imm(0));
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, reg(0), none(), 0, imm(1), none());
	add_setp(f, FAA_CMP_LT, FAA_TYPE_U32, 1, 0, reg(0), imm(9));
	f->issue.guard = 0;
	add_jump(f, FAA_JUMP_COND_ANY, -8);
	f->issue.guard = FAA_PT;
	add_lds(f, FAA_TYPE_U32, 1, stream(FAA_TYPE_U32, f->out.va, 4), none(), 0);
	run(f);
	assert_int_equal(out[0], 10);
}

static void fences_of_every_order_and_scope(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < 12; i++) {
		add_st(f, FAA_TYPE_U32, 1, imm(f->out.va), 4 * i, imm(i + 1));
		f->count += faa_encode_fence(f->words + f->count, &f->issue, i % 4, i / 4);
	}
	run(f);
	for (unsigned int i = 0; i < 12; i++)
		assert_int_equal(((uint32_t *)f->out.ptr)[i], i + 1);
}

/* A stream that never ends by itself: a jump to itself, or a wait for a value that never comes. */
static void add_forever(struct fixture *f, bool poll)
{
	if (poll)
		f->count += faa_encode_sem_wait(f->words + f->count, &f->issue, FAA_SEM_COND_EQ,
						f->in.va, ~0ULL);
	else
		add_jump(f, FAA_JUMP_COND_ALWAYS, 0);
	add_end(f);
}

/* A queue that was KILLED restarts with a zeroed context. */
static void revive(struct fixture *f)
{
	uint32_t word;

	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_KILLED);
	assert_true(tb_queue_disable(f->queue));
	tb_queue_enable(f->queue);
	shared_dump(f, &word, 1);
	assert_int_equal(word, 0);
}

static void kill_a_running_job(void **state)
{
	struct fixture *f = *state;
	const uint32_t mark = 5;

	for (unsigned int poll = 0; poll < 2; poll++) {
		uint32_t job;

		tb_write(f->host, FAA_REG_EVENT_STATUS, 0xf);
		shared_fill(f, &mark, 1);
		f->count += faa_encode_nop(f->words + f->count, &f->issue);
		add_forever(f, poll);
		memcpy(f->code.ptr, f->words, f->count * 8);
		job = tb_submit(f->queue, f->code.va, f->count * 8);
		/* A second job must not run. */
		tb_submit(f->queue, f->code.va, f->count * 8);
		f->count = 0;
		tb_step(f->host, 2000);
		assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_RUNNING);
		tb_write(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index),
			 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
		assert_true(tb_wait(f->queue, job));
		assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_KILLED);
		assert_int_equal(tb_status(f->queue, job)->command, 8);
		assert_int_equal(tb_status(f->queue, job)->element, 0);
		assert_true(tb_idle(f->host));
		assert_int_equal(tb_seqno(f->queue), job + 1);
		assert_int_equal(tb_read(f->host, FAA_REG_QUEUE_HEAD(f->queue->index)), job + 1);
		assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS),
				 FAA_REG_EVENT_STATUS_QUEUE_KILLED_MASK);
		revive(f);
	}
}

/* Kills the job at the queue's head and waits for its record. */
static struct faa_status kill_job(struct fixture *f, uint32_t job)
{
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index),
		 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(le32toh(tb_status(f->queue, job)->code), FAA_ERROR_KILLED);
	assert_int_equal(le32toh(tb_status(f->queue, job)->lane), 0);
	return *tb_status(f->queue, job);
}

/* Commands of the loop of kill_in_a_loop(). */
enum loop_command { LOOP_ADD, LOOP_ST0, LOOP_ST1, LOOP_ST2, LOOP_JUMP, LOOP_COMMANDS };

/*
 * A loop that counts its rounds in R2 and stores the number in three words; @at: bytes of its
 * commands.
 */
static void add_counting_loop(struct fixture *f, uint32_t at[LOOP_COMMANDS])
{
	add_mov(f, FAA_TYPE_U32, 64, reg(2), imm(0));
	at[LOOP_ADD] = here(f);
	add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, reg(2), reg(2), imm(1));
	for (unsigned int i = 0; i < 3; i++) {
		at[LOOP_ST0 + i] = here(f);
		add_st(f, FAA_TYPE_U32, 1, imm(f->out.va + 4 * i), 0, reg(2));
	}
	at[LOOP_JUMP] = here(f);
	add_jump(f, FAA_JUMP_COND_ALWAYS, ((int32_t)at[LOOP_ADD] - (int32_t)at[LOOP_JUMP]) / 8);
	add_end(f);
}

/*
 * Checks that @status names the command that follows the last stores in @stored; returns the
 * command.
 */
static enum loop_command check_loop_position(const struct faa_status *status,
					     const uint32_t at[LOOP_COMMANDS],
					     const uint32_t stored[3])
{
	/* Elements of a round before each command, including its stores. */
	static const unsigned int retired[LOOP_COMMANDS] = { 0, 32, 33, 34, 35 };
	static const unsigned int stores[LOOP_COMMANDS] = { 0, 0, 1, 2, 3 };
	unsigned int command = 0;
	uint32_t rounds = le32toh(stored[2]);

	while (command < LOOP_COMMANDS && at[command] != le32toh(status->command))
		command++;
	assert_in_range(command, 0, LOOP_COMMANDS - 1);
	assert_int_equal(status->element, 0);
	/* The third word counts rounds that are complete up to JUMP. */
	if (command == LOOP_JUMP)
		rounds--;
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(le32toh(stored[i]), rounds + (i < stores[command]));
	assert_int_equal(le64toh(status->elements_retired), 64 + 35ULL * rounds + retired[command]);
	return command;
}

/*
 * Wherever a kill stops a loop, the record names the next command: all commands before it are
 * complete, and no part of it is.
 */
static void kill_in_a_loop(void **state)
{
	struct fixture *f = *state;
	unsigned int places[LOOP_COMMANDS] = { 0 }, different = 0;
	uint32_t at[LOOP_COMMANDS];

	needs_feature(f, FAA_FEATURE_ALU);
	for (unsigned int moment = 0; moment < 60; moment += amount_of(f, 1, 5)) {
		struct faa_status status;
		uint32_t job;

		memset(f->out.ptr, 0, 12);
		add_counting_loop(f, at);
		memcpy(f->code.ptr, f->words, f->count * 8);
		job = tb_submit(f->queue, f->code.va, f->count * 8);
		f->count = 0;
		tb_step(f->host, 3000 + moment);
		status = kill_job(f, job);
		assert_true(le32toh(*(uint32_t *)f->out.ptr) > 1);
		places[check_loop_position(&status, at, f->out.ptr)]++;
		assert_true(tb_queue_disable(f->queue));
		tb_queue_enable(f->queue);
	}
	for (unsigned int i = 0; i < LOOP_COMMANDS; i++)
		different += places[i] != 0;
	assert_in_range(different, 2, LOOP_COMMANDS);
}

/*
 * A SEM_WAIT that does not end follows other commands: the record names it, whichever of them it
 * waits for.
 */
static void kill_in_a_semaphore_behind_work(void **state)
{
	struct fixture *f = *state;

	for (unsigned int moment = 0; moment < 40; moment += amount_of(f, 1, 5)) {
		struct faa_status status;
		uint32_t job, wait;

		*(uint64_t *)f->in.ptr = 0;
		add_mov(f, FAA_TYPE_U32, 96, reg(1), imm(1));
		add_st(f, FAA_TYPE_U32, 33, affine(f->out.va, 4), 0, imm(7));
		wait = here(f);
		add_sem_wait(f, f->in.va, 1);
		add_mov(f, FAA_TYPE_U32, 32, reg(1), imm(2));
		add_end(f);
		memcpy(f->code.ptr, f->words, f->count * 8);
		job = tb_submit(f->queue, f->code.va, f->count * 8);
		f->count = 0;
		tb_step(f->host, 3000 + 7 * moment);
		status = kill_job(f, job);
		assert_int_equal(le32toh(status.command), wait);
		assert_int_equal(status.element, 0);
		assert_int_equal(le64toh(status.elements_retired), 96 + 33);
		assert_true(tb_queue_disable(f->queue));
		tb_queue_enable(f->queue);
	}
}

/* A killed job ends after a whole warp, and a restart continues with the next one. */
static void kill_inside_a_long_command(void **state)
{
	struct fixture *f = *state;
	const uint64_t n = 1ULL << 32;
	struct faa_status status;
	uint32_t job, word;

	add_st(f, FAA_TYPE_U32, n, imm(f->out.va), 0, affine(0, 1));
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	tb_step(f->host, 5000);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index),
		 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
	assert_true(tb_wait(f->queue, job));
	status = *tb_status(f->queue, job);
	assert_int_equal(status.code, FAA_ERROR_KILLED);
	assert_int_equal(status.command, 0);
	assert_true(status.element > 0);
	assert_int_equal(status.element % 32, 0);
	assert_int_equal(status.element, status.elements_retired);
	assert_int_equal(status.warps * 32, status.element);
	word = *(uint32_t *)f->out.ptr;
	assert_int_equal(word, status.element - 1);
	revive(f);
}

static void kill_without_a_job(void **state)
{
	struct fixture *f = *state;
	uint32_t control = FAA_REG_QUEUE_CONTROL(f->queue->index);
	uint32_t killed = FAA_REG_EVENT_STATUS_QUEUE_KILLED_MASK;
	uint32_t invalidated = FAA_REG_EVENT_STATUS_TLB_INV_DONE_MASK;

	tb_write(f->host, FAA_REG_EVENT_ENABLE, killed);
	tb_write(f->host, control,
		 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
	tb_idle(f->host);
	assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS), killed);
	assert_int_equal(f->host->interrupts[0], 1);
	/* Each bit is cleared individually. */
	assert_true(tb_vm_invalidate(f->vm, 0, 0));
	assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS), killed | invalidated);
	tb_write(f->host, FAA_REG_EVENT_STATUS, invalidated);
	assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS), killed);
	/* The doorbell does not restart it. */
	tb_submit(f->queue, f->code.va, 8);
	tb_idle(f->host);
	assert_int_equal(tb_seqno(f->queue), 0);
	revive(f);
	tb_write(f->host, FAA_REG_EVENT_STATUS, killed);
	assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS), 0);
	/* Not enabled: the bit appears, no interrupt. */
	tb_write(f->host, FAA_REG_EVENT_ENABLE, 0);
	tb_write(f->host, control,
		 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
	tb_idle(f->host);
	assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS), killed);
	assert_int_equal(f->host->interrupts[0], 1);
	revive(f);
}

/* Resetting a CU ends its job alone. */
static void cu_reset_ends_one_job(void **state)
{
	struct fixture *f = *state;
	struct client other = client_create(f->host, 2, 0, 256);
	uint32_t job, cu, stays = 0;

	/* The other queue continues unaffected. */
	if (f->host->num_cus > 1) {
		add_sts(f, FAA_TYPE_U32, 32, affine(0, 4), 0, affine(3, 1));
		add_forever(f, false);
		memcpy(other.code.ptr, f->words, f->count * 8);
		stays = tb_submit(other.queue, other.code.va, f->count * 8);
		f->count = 0;
	}
	f->count += faa_encode_nop(f->words + f->count, &f->issue);
	add_forever(f, true);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	tb_step(f->host, 3000);
	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_RUNNING);
	cu = (tb_read(f->host, FAA_REG_QUEUE_STATE(f->queue->index)) &
	      FAA_REG_QUEUE_STATE_CU_MASK) >>
	     FAA_REG_QUEUE_STATE_CU_SHIFT;
	tb_write(f->host, FAA_REG_CU_CONTROL(cu), FAA_REG_CU_CONTROL_RESET_MASK);
	assert_true(tb_wait_reg(f->host, FAA_REG_EVENT_STATUS,
				FAA_REG_EVENT_STATUS_CU_RESET_DONE_MASK,
				FAA_REG_EVENT_STATUS_CU_RESET_DONE_MASK));
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_CU_RESET);
	assert_int_equal(tb_status(f->queue, job)->command, 8);
	assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(f->queue->index),
				FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_KILLED));
	if (f->host->num_cus > 1) {
		assert_int_equal(tb_queue_state(other.queue), FAA_QUEUE_STATE_RUNNING);
		tb_write(f->host, FAA_REG_QUEUE_CONTROL(2),
			 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
		assert_true(tb_wait(other.queue, stays));
		assert_int_equal(tb_status(other.queue, stays)->code, FAA_ERROR_KILLED);
	}
	revive(f);
	client_destroy(&other);
}

/*
 * The other CU stores to one word without an end, a warp a cycle. The reset waits for the accesses
 * of its own CU, which has to get its turns: within a few thousand cycles, at any moment.
 */
static void cu_reset_beside_endless_stores(void **state)
{
	struct fixture *f = *state;
	struct client other = client_create(f->host, 2, 0, 256);
	uint32_t job, stores, cu;

	for (unsigned int i = 0; i < 8 && f->host->num_cus > 1; i += amount_of(f, 1, 3)) {
		add_st(f, FAA_TYPE_U32, 1ULL << 32, imm(other.data.va), 0, imm(1));
		add_end(f);
		stores = client_submit(f, &other);
		tb_step(f->host, 2000 + 617 * i);
		add_st(f, FAA_TYPE_U32, 32, affine(f->out.va, 64), 0, imm(i));
		add_forever(f, false);
		memcpy(f->code.ptr, f->words, f->count * 8);
		job = tb_submit(f->queue, f->code.va, f->count * 8);
		f->count = 0;
		tb_step(f->host, 500 + 293 * i);
		assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_RUNNING);
		cu = (tb_read(f->host, FAA_REG_QUEUE_STATE(f->queue->index)) &
		      FAA_REG_QUEUE_STATE_CU_MASK) >>
		     FAA_REG_QUEUE_STATE_CU_SHIFT;
		tb_write(f->host, FAA_REG_EVENT_STATUS, FAA_REG_EVENT_STATUS_CU_RESET_DONE_MASK);
		tb_write(f->host, FAA_REG_CU_CONTROL(cu), FAA_REG_CU_CONTROL_RESET_MASK);
		tb_step(f->host, 20000);
		assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS) &
					 FAA_REG_EVENT_STATUS_CU_RESET_DONE_MASK,
				 FAA_REG_EVENT_STATUS_CU_RESET_DONE_MASK);
		assert_true(tb_wait(f->queue, job));
		assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_CU_RESET);
		tb_write(f->host, FAA_REG_QUEUE_CONTROL(2),
			 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
		assert_true(tb_wait(other.queue, stores));
		assert_true(tb_queue_disable(other.queue));
		tb_queue_enable(other.queue);
		revive(f);
	}
	client_destroy(&other);
}

/* The reset of a CU drops a resident context, so the queue that owns it is stopped as well. */
static void cu_reset_stops_a_resident_queue(void **state)
{
	struct fixture *f = *state;
	const uint32_t mark = 3;

	shared_fill(f, &mark, 1);
	tb_idle(f->host);
	for (unsigned int cu = 0; cu < f->host->num_cus; cu++)
		tb_write(f->host, FAA_REG_CU_CONTROL(cu), FAA_REG_CU_CONTROL_RESET_MASK);
	tb_idle(f->host);
	assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(f->queue->index),
				FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_KILLED));
	revive(f);
}

/* Disabling waits for the running job and runs no other. */
static void disable_ends_after_the_running_job(void **state)
{
	struct fixture *f = *state;
	uint64_t *flag = f->in.ptr;
	uint32_t job;

	f->count += faa_encode_sem_wait(f->words, &f->issue, FAA_SEM_COND_EQ, f->in.va, 1);
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	tb_step(f->host, 2000);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index), 0);
	tb_step(f->host, 2000);
	assert_int_equal(tb_queue_state(f->queue), FAA_QUEUE_STATE_RUNNING);
	*flag = 1;
	assert_true(tb_queue_disable(f->queue));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_SUCCESS);
	assert_int_equal(tb_seqno(f->queue), job + 1);
	tb_queue_enable(f->queue);
	assert_int_equal(tb_read(f->host, FAA_REG_QUEUE_HEAD(f->queue->index)), 0);
	run(f);
}

/*
 * Every queue of the device at once, each with a context of its own: the whole context is restored
 * after the CUs served other queues, and no data of these is visible.
 */
static void contexts_of_more_queues_than_cus(void **state)
{
	struct fixture *f = *state;
	struct client clients[FAA_MAX_QUEUES];
	uint32_t jobs[FAA_MAX_QUEUES];
	unsigned int n = f->host->num_queues, rounds = amount_of(f, 3, 2);

	assert_true(tb_queue_destroy(f->queue));
	for (unsigned int q = 0; q < n; q++)
		clients[q] = client_create(f->host, q, 0, 128 * (q % 5) + 128);
	for (unsigned int round = 0; round < rounds; round++) {
		for (unsigned int q = 0; q < n; q++) {
			/* Registers, predicate and shared memory are increased by each job. */
			add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, clients[q].data.va, 4),
				reg((509 - 17 * q) % 255));
			add_mov(f, FAA_TYPE_U32, 32, reg((509 - 17 * q) % 255),
				affine(1000 * q + 100 * round + 1, 1));
			add_lds(f, FAA_TYPE_U32, 32,
				stream(FAA_TYPE_U32, clients[q].data.va + 128, 4),
				affine(clients[q].queue->shared_bytes - 128, 4), 0);
			add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, none(),
				  affine(clients[q].queue->shared_bytes - 128, 4), 0, affine(q, 1),
				  none());
			f->issue.guard = q % 7;
			add_mov(f, FAA_TYPE_U32, 32,
				stream(FAA_TYPE_U32, clients[q].data.va + 256, 4), imm(1));
			f->issue.guard = FAA_PT;
			add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, q % 7, affine(0, 1),
				 imm(q + round));
			add_end(f);
			memset(clients[q].data.ptr, 0, 512);
			jobs[q] = client_submit(f, &clients[q]);
		}
		for (unsigned int q = 0; q < n; q++) {
			const uint32_t *data = clients[q].data.ptr;

			assert_true(tb_wait(clients[q].queue, jobs[q]));
			assert_int_equal(tb_status(clients[q].queue, jobs[q])->code,
					 FAA_ERROR_SUCCESS);
			for (unsigned int i = 0; i < 32; i++) {
				assert_int_equal(data[i],
						 round ? 1000 * q + 100 * (round - 1) + 1 + i : 0);
				assert_int_equal(data[32 + i], round * (q + i));
				assert_int_equal(data[64 + i], round && i == q + round - 1);
			}
		}
	}
	for (unsigned int q = 0; q < n; q++)
		client_destroy(&clients[q]);
	f->queue = tb_queue_create(f->vm, 0, NULL);
}

/* The save area's layout, byte for byte. */
static void save_area_layout(void **state)
{
	struct fixture *f = *state;
	struct client others[FAA_MAX_CUS];
	const uint8_t *save = tb_ptr(f->host, f->queue->save);
	uint32_t shared[FIXTURE_SHARED / 4];

	for (unsigned int i = 0; i < FIXTURE_SHARED / 4; i++)
		shared[i] = i * 0x01000193u;
	shared_fill(f, shared, FIXTURE_SHARED / 4);
	for (unsigned int r = 0; r < 255; r++)
		add_mov(f, FAA_TYPE_U32, 32, reg(r), affine(r << 16, 1));
	for (unsigned int p = 0; p < 7; p++)
		add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, p, affine(0, 1), imm(p * 4));
	run(f);
	/* Evicts the context from every CU: as many queues of higher priority are busy at once. */
	for (unsigned int i = 0; i < f->host->num_cus; i++) {
		others[i] = client_create(f->host, last_queue(f) - i, 3, 128);
		f->count += faa_encode_sem_wait(f->words + f->count, &f->issue, FAA_SEM_COND_EQ,
						others[i].data.va, 1);
		add_end(f);
		client_submit(f, &others[i]);
	}
	tb_step(f->host, 20000);
	for (unsigned int i = 0; i < f->host->num_cus; i++)
		assert_int_equal(tb_queue_state(others[i].queue), FAA_QUEUE_STATE_RUNNING);
	for (unsigned int i = 0; i < 256 * 32; i++) {
		uint32_t word, expect = (i / 32 << 16) + i % 32;

		memcpy(&word, save + 4 * i, 4);
		if (i / 32 == 255)
			expect = i % 32 < 7 ? 1u << i % 32 * 4 : 0;
		assert_int_equal(le32toh(word), expect);
	}
	assert_memory_equal(tb_saved_shared(f->queue), shared, FIXTURE_SHARED);
	for (unsigned int i = 0; i < f->host->num_cus; i++) {
		*(uint64_t *)others[i].data.ptr = 1;
		assert_true(tb_wait(others[i].queue, 0));
		client_destroy(&others[i]);
	}
	/* And back. */
	shared_dump(f, shared, FIXTURE_SHARED / 4);
	for (unsigned int i = 0; i < FIXTURE_SHARED / 4; i++)
		assert_int_equal(shared[i], i * 0x01000193u);
}

/* A new queue sees no data of the queue that used the CU before, on any CU. */
static void new_queue_starts_zeroed(void **state)
{
	struct fixture *f = *state;
	uint32_t *out = f->out.ptr;

	for (unsigned int life = 0; life < 4; life++) {
		uint32_t words[FIXTURE_SHARED / 4];

		shared_dump(f, words, FIXTURE_SHARED / 4);
		for (unsigned int i = 0; i < FIXTURE_SHARED / 4; i++)
			assert_int_equal(words[i], 0);
		memset(f->out.ptr, 0, 4096);
		add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(0));
		add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 128, 4), reg(254));
		f->issue.guard = 6;
		add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 256, 4), imm(1));
		f->issue.guard = FAA_PT;
		add_mov(f, FAA_TYPE_U32, 32, reg(0), imm(~0u));
		add_mov(f, FAA_TYPE_U32, 32, reg(254), imm(~0u));
		add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 6, imm(0), imm(0));
		add_sts(f, FAA_TYPE_U32, FIXTURE_SHARED / 4, affine(0, 4), 0, imm(~0u));
		run(f);
		for (unsigned int i = 0; i < 96; i++)
			assert_int_equal(out[i], 0);
		assert_true(tb_queue_disable(f->queue));
		tb_queue_enable(f->queue);
	}
}

/* One address, two VMs: each queue sees its own memory, in every kind of access. */
static void isolation_of_vms(void **state)
{
	struct fixture *f = *state;
	struct client a = client_create(f->host, last_queue(f) - 1, 0, 256);
	struct client b = client_create(f->host, last_queue(f), 0, 256);

	assert_int_equal(a.data.va, b.data.va);
	for (unsigned int round = 0; round < 6; round++) {
		struct client *client = round % 2 ? &b : &a;

		add_ld(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, client->data.va + 512, 4),
		       affine(client->data.va, 4), 0);
		add_st(f, FAA_TYPE_U32, 32, affine(client->data.va, 4), 0,
		       affine(1000 * (round % 2 + 1) + round, 1));
		client_run(f, client);
		for (unsigned int i = 0; i < 32; i++)
			assert_int_equal(((uint32_t *)client->data.ptr)[128 + i],
					 round < 2 ? 0 : 1000 * (round % 2 + 1) + round - 2 + i);
	}
	client_destroy(&a);
	client_destroy(&b);
}

/*
 * Invalidated pages are translated again while a job runs that never stops; its fence makes its
 * stores visible to the host.
 */
static void invalidation_under_a_running_job(void **state)
{
	struct fixture *f = *state;
	uint64_t page = 0x99000000000ULL, both = 2 * TB_PAGE;
	uint64_t one = tb_dma_alloc(f->host, both, TB_READ_WRITE);
	uint64_t two = tb_dma_alloc(f->host, both, TB_READ_WRITE);
	uint32_t *first = tb_ptr(f->host, one), *second = tb_ptr(f->host, two);
	uint32_t job;

	tb_vm_map(f->vm, page, one, both, FAA_PTE_WRITABLE_MASK);
	add_st(f, FAA_TYPE_U32, 40, affine(page + TB_PAGE - 80, 4), 0, imm(1));
	f->count +=
		faa_encode_fence(f->words + f->count, &f->issue, FAA_FENCE_ORDER_SC, FAA_SCOPE_SYS);
	add_jump(f, FAA_JUMP_COND_ALWAYS, -7);
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	tb_step(f->host, 3000);
	assert_int_equal(first[1023], 1);
	assert_int_equal(first[1024], 1);
	for (unsigned int round = 0; round < 10; round++) {
		uint32_t *now = round % 2 ? first : second, *old = round % 2 ? second : first;

		tb_vm_map(f->vm, page, round % 2 ? one : two, both, FAA_PTE_WRITABLE_MASK);
		assert_true(tb_vm_invalidate(f->vm, page, page + both - 1));
		memset(old, 0, both);
		memset(now, 0, both);
		tb_step(f->host, 3000);
		for (unsigned int i = 1004; i < 1044; i++) {
			assert_int_equal(old[i], 0);
			assert_int_equal(now[i], 1);
		}
	}
	/* Unmapped: the job ends. */
	tb_vm_unmap(f->vm, page, both);
	assert_true(tb_vm_invalidate(f->vm, 0, ~0ULL));
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_NOT_MAPPED);
	assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS) &
				 FAA_REG_EVENT_STATUS_TLB_INV_DONE_MASK,
			 FAA_REG_EVENT_STATUS_TLB_INV_DONE_MASK);
}

/* Stores a value at an address, in a job of its own. */
static void store_word(struct fixture *f, uint64_t va, uint32_t value)
{
	uint32_t job;

	add_st(f, FAA_TYPE_U32, 1, imm(va), 0, imm(value));
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_SUCCESS);
}

/*
 * The invalidation of one byte drops the translation of the whole page. Not every page maps to the
 * TLB set of the stream's page.
 */
static void invalidation_of_a_part_of_a_page(void **state)
{
	static const uint64_t parts[][2] = { { 0, 0 }, { 8, 15 }, { TB_PAGE - 1, TB_PAGE - 1 } };
	struct fixture *f = *state;

	for (unsigned int i = 0; i < 6; i++) {
		uint64_t page = 0x99000000000ULL + i * TB_PAGE;
		uint64_t old = tb_dma_alloc(f->host, TB_PAGE, TB_READ_WRITE);
		uint64_t now = tb_dma_alloc(f->host, TB_PAGE, TB_READ_WRITE);

		tb_vm_map(f->vm, page, old, TB_PAGE, FAA_PTE_WRITABLE_MASK);
		/* Leaves a translation in the TLB, which the second job must not use. */
		store_word(f, page + 64, 1);
		tb_vm_map(f->vm, page, now, TB_PAGE, FAA_PTE_WRITABLE_MASK);
		assert_true(
			tb_vm_invalidate(f->vm, page + parts[i % 3][0], page + parts[i % 3][1]));
		store_word(f, page + 64, 2);
		assert_int_equal(((uint32_t *)tb_ptr(f->host, old))[16], 1);
		assert_int_equal(((uint32_t *)tb_ptr(f->host, now))[16], 2);
	}
}

/*
 * A stream ends when its own page is unmapped: an invalidation applies to fetches as well. The loop
 * is nearly as long as the page, so that prefetched words cannot keep it running.
 */
static void invalidation_of_the_stream_itself(void **state)
{
	struct fixture *f = *state;
	const uint32_t nops = TB_PAGE / 8 - 8;
	uint32_t job;

	for (uint32_t i = 0; i < nops; i++)
		add_nop(f);
	add_jump(f, FAA_JUMP_COND_ALWAYS, -(int32_t)nops);
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	tb_step(f->host, 2000);
	assert_int_equal(tb_seqno(f->queue), job);
	tb_vm_unmap(f->vm, f->code.va, TB_PAGE);
	assert_true(tb_vm_invalidate(f->vm, f->code.va, f->code.va + TB_PAGE - 1));
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_NOT_MAPPED);
	assert_in_range(tb_status(f->queue, job)->address, f->code.va, f->code.va + TB_PAGE - 1);
}

/*
 * While all CUs are busy, the highest priority gets the next one; queues of one priority take
 * turns.
 */
static void priorities_and_turns(void **state)
{
	static const unsigned int prios[] = { 0, 2, 1, 3, 2, 1, 0, 3 };
	struct fixture *f = *state;
	struct client blockers[FAA_MAX_CUS], clients[8];
	unsigned int n = f->host->num_cus,
		     used = f->host->num_queues - n < 8 ? f->host->num_queues - n : 8;
	uint64_t ends[8][2];

	assert_true(tb_queue_destroy(f->queue));
	for (unsigned int i = 0; i < n; i++) {
		blockers[i] = client_create(f->host, i, 3, 0);
		f->count += faa_encode_sem_wait(f->words, &f->issue, FAA_SEM_COND_EQ,
						blockers[i].data.va, 1);
		add_end(f);
		client_submit(f, &blockers[i]);
	}
	tb_step(f->host, 3000);
	for (unsigned int i = 0; i < used; i++) {
		clients[i] = client_create(f->host, n + i, prios[i], 0);
		add_end(f);
		take_stream(f, &clients[i]);
		tb_submit(clients[i].queue, clients[i].code.va, END_BYTES);
		tb_submit(clients[i].queue, clients[i].code.va, END_BYTES);
	}
	tb_step(f->host, 3000);
	for (unsigned int i = 0; i < used; i++)
		assert_int_equal(tb_queue_state(clients[i].queue), FAA_QUEUE_STATE_READY);
	/* One CU becomes free. */
	*(uint64_t *)blockers[0].data.ptr = 1;
	for (unsigned int i = 0; i < used; i++) {
		assert_true(tb_wait(clients[i].queue, 1));
		for (unsigned int j = 0; j < 2; j++)
			ends[i][j] = tb_status(clients[i].queue, j)->end_cycle;
	}
	for (unsigned int i = 0; i < used; i++) {
		for (unsigned int j = 0; j < used; j++) {
			if (prios[i] > prios[j])
				assert_true(ends[i][1] < ends[j][0]);
			/* Each queue has had a turn before any has a second one. */
			if (prios[i] == prios[j] && i != j)
				assert_true(ends[i][0] < ends[j][1]);
		}
	}
	for (unsigned int i = 0; i < used; i++)
		client_destroy(&clients[i]);
	for (unsigned int i = 0; i < n; i++) {
		*(uint64_t *)blockers[i].data.ptr = 1;
		client_destroy(&blockers[i]);
	}
	f->queue = tb_queue_create(f->vm, 0, NULL);
}

/* A queue whose own memory is missing can report an error by its event only. */
static void queue_memory_errors(void **state)
{
	static const uint32_t registers[] = { FAA_REG_QUEUE_RING_LO(1), FAA_REG_QUEUE_SEQNO_LO(1) };
	struct fixture *f = *state;

	f->host->allow_bus_errors = true;
	for (unsigned int i = 0; i < 3; i++) {
		uint64_t good = i < 2 ? tb_read64(f->host, registers[i]) : 0;
		struct faa_job_desc desc;

		tb_write(f->host, FAA_REG_EVENT_STATUS, 0xf);
		assert_true(tb_queue_disable(f->queue));
		if (i < 2)
			tb_write64(f->host, registers[i], TB_NO_MEMORY);
		tb_queue_enable(f->queue);
		desc = tb_desc(f->queue, f->code.va, END_BYTES);
		if (i == 2)
			desc.status_addr = htole64(TB_NO_MEMORY);
		tb_push(f->queue, &desc);
		tb_doorbell(f->queue);
		assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(1),
					FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_ERROR));
		tb_idle(f->host);
		assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS),
				 FAA_REG_EVENT_STATUS_QUEUE_ERROR_MASK);
		assert_int_equal(tb_seqno(f->queue), 0);
		assert_int_equal(tb_read(f->host, FAA_REG_QUEUE_HEAD(1)), 0);
		if (i < 2)
			tb_write64(f->host, registers[i], good);
	}
	f->host->allow_bus_errors = false;
	assert_true(tb_queue_disable(f->queue));
	tb_queue_enable(f->queue);
	run(f);
}

/* Registers that the driver reads before any job runs. */
static void identity_and_idle(void **state)
{
	struct fixture *f = *state;
	uint32_t version = tb_read(f->host, FAA_REG_VERSION);
	uint32_t config = tb_read(f->host, FAA_REG_CONFIG0);
	uint32_t features = tb_read(f->host, FAA_REG_FEATURES_LO);

	assert_int_equal(version >> FAA_REG_VERSION_MAJOR_SHIFT, FAA_REG_VERSION_MAJOR_VALUE);
	assert_in_range(f->host->num_queues, 1, FAA_MAX_QUEUES);
	assert_in_range(f->host->num_cus, 1, FAA_MAX_CUS);
	assert_int_equal(config >> FAA_REG_CONFIG0_LANES_SHIFT, FAA_LANES);
	assert_int_equal(f->host->shared_max % FAA_SHARED_GRANULE, 0);
	assert_int_equal(features & 7, 7);
	assert_int_equal(tb_read(f->host, FAA_REG_STATUS), FAA_REG_STATUS_IDLE_MASK);
	add_forever(f, false);
	memcpy(f->code.ptr, f->words, f->count * 8);
	f->count = 0;
	tb_submit(f->queue, f->code.va, 3 * 8);
	tb_step(f->host, 1000);
	assert_int_equal(tb_read(f->host, FAA_REG_STATUS), 0);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(1), FAA_REG_QUEUE_CONTROL_KILL_MASK);
	assert_true(tb_queue_disable(f->queue));
	tb_idle(f->host);
	assert_int_equal(tb_read(f->host, FAA_REG_STATUS), FAA_REG_STATUS_IDLE_MASK);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(identity_and_idle),
		FIXTURE_TEST(descriptor_fields),
		FIXTURE_TEST(shared_bytes_of_a_queue),
		FIXTURE_TEST(largest_shared_memory),
		FIXTURE_TEST(ring_wraps_and_jobs_are_in_order),
		FIXTURE_TEST(interrupts_of_jobs),
		FIXTURE_TEST(counters_and_progress_of_a_job),
		FIXTURE_TEST(semaphores_between_queues),
		FIXTURE_TEST(jumps_on_conditions),
		FIXTURE_TEST(fences_of_every_order_and_scope),
		FIXTURE_TEST(kill_a_running_job),
		FIXTURE_TEST(kill_in_a_loop),
		FIXTURE_TEST(kill_in_a_semaphore_behind_work),
		FIXTURE_TEST(kill_inside_a_long_command),
		FIXTURE_TEST(kill_without_a_job),
		FIXTURE_TEST(cu_reset_ends_one_job),
		FIXTURE_TEST(cu_reset_beside_endless_stores),
		FIXTURE_TEST(cu_reset_stops_a_resident_queue),
		FIXTURE_TEST(disable_ends_after_the_running_job),
		FIXTURE_TEST(contexts_of_more_queues_than_cus),
		FIXTURE_TEST(save_area_layout),
		FIXTURE_TEST(new_queue_starts_zeroed),
		FIXTURE_TEST(isolation_of_vms),
		FIXTURE_TEST(invalidation_under_a_running_job),
		FIXTURE_TEST(invalidation_of_a_part_of_a_page),
		FIXTURE_TEST(invalidation_of_the_stream_itself),
		FIXTURE_TEST(priorities_and_turns),
		FIXTURE_TEST(queue_memory_errors),
	};

	return fixture_main(argc, argv, "queue", tests, sizeof(tests) / sizeof(tests[0]));
}
