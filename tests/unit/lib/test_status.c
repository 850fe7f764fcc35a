// SPDX-License-Identifier: MIT
/* Status records in words, as errnos, and as jobs that continue; counters. */
#include "check.h"

#include <errno.h>
#include <string.h>

#include "faa.h"
#include "faa_encode.h"

/* MOV (4 words), ATOMS (3), JUMP to the ATOMS (2), END: commands at bytes 0, 32, 56, 72. */
static uint64_t words[16];
static size_t word_count;

static int setup(void **state)
{
	struct faa_stream *stream;
	uint32_t label;

	(void)state;
	assert_int_equal(faa_stream_create(&stream), 0);
	faa_stream_label(stream, &label);
	faa_stream_mov(stream, FAA_TYPE_U32, 32, faa_reg(0), faa_imm(1));
	faa_stream_place(stream, label);
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, faa_none(), faa_reg(1), 0,
			 faa_reg(0), faa_none());
	faa_stream_guard(stream, 0, false);
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, label);
	faa_stream_end(stream);
	assert_int_equal(faa_stream_finish(stream), 0);
	memcpy(words, faa_stream_words(stream, &word_count), faa_stream_bytes(stream));
	assert_int_equal(word_count, 10);
	faa_stream_destroy(stream);
	return 0;
}

static void expect_format(const struct faa_job_status *status, const char *expected)
{
	char text[256], small[12];

	assert_int_equal(faa_status_format(status, words, word_count, text, sizeof(text)),
			 strlen(expected));
	assert_string_equal(text, expected);
	assert_int_equal(faa_status_format(status, words, word_count, small, sizeof(small)),
			 strlen(expected));
	assert_int_equal(strlen(small), sizeof(small) - 1);
	assert_true(!strncmp(small, expected, sizeof(small) - 1));
	assert_int_equal(faa_status_format(status, words, word_count, NULL, 0), strlen(expected));
}

static void one_sentence_each(void **state)
{
	static const struct {
		struct faa_job_status status;
		const char *text;
	} cases[] = {
		{ { .seqno = 1, .elements_retired = 2000, .warps = 63 },
		  "job 1: success, 2000 elements in 63 warps" },
		{ { .seqno = 17,
		    .code = FAA_ERROR_MISALIGNED,
		    .command = 56,
		    .element = 96,
		    .address = 0x1002 },
		  "job 17: misaligned address 0x1002 at command 2, element 96, lane 0" },
		{ { .seqno = 2,
		    .code = FAA_ERROR_OUT_OF_WINDOW,
		    .command = 32,
		    .element = 37,
		    .lane = 5,
		    .address = 1 << 24 },
		  "job 2: address 0x1000000 outside the 16 MiB shared memory window at command 1, element 37, lane 5" },
		{ { .seqno = 2,
		    .code = FAA_ERROR_OUT_OF_RANGE,
		    .command = 32,
		    .element = 1,
		    .lane = 1,
		    .address = 1024 },
		  "job 2: address 0x400 outside the allocated shared memory at command 1, element 1, lane 1" },
		{ { .seqno = 3, .code = FAA_ERROR_NOT_MAPPED, .command = 0, .address = 0x7000 },
		  "job 3: page fault: nothing mapped at address 0x7000 at command 0, element 0, lane 0" },
		{ { .seqno = 3, .code = FAA_ERROR_NOT_WRITABLE, .command = 0, .address = 0x7000 },
		  "job 3: page fault: write to read-only address 0x7000 at command 0, element 0, lane 0" },
		{ { .seqno = 3, .code = FAA_ERROR_NOT_ATOMIC, .command = 0, .address = 0x7000 },
		  "job 3: page fault: atomic operation where the mapping does not allow it, address 0x7000 at command 0, element 0, lane 0" },
		{ { .seqno = 3,
		    .code = FAA_ERROR_TRAP,
		    .command = 32,
		    .element = 33,
		    .lane = 1,
		    .address = 1ULL << 52 | 5ULL << 32 | 0xfffffffd },
		  "job 3: surface coordinate out of bounds (y or layer = -3, surface of header 5) at command 1, element 33, lane 1" },
		{ { .seqno = 3, .code = FAA_ERROR_BAD_HEADER, .command = 0, .address = 0x7020 },
		  "job 3: texture header that the operation cannot use, address 0x7020 at command 0, element 0, lane 0" },
		{ { .seqno = 3, .code = FAA_ERROR_BANK_RANGE, .command = 0, .address = 0x40 },
		  "job 3: constant word beyond the end of the bank (byte 0x40) at command 0, element 0, lane 0" },
		{ { .seqno = 4, .code = FAA_ERROR_ILLEGAL_COMMAND, .command = 72, .address = 0xff },
		  "job 4: unknown command (word 0x00000000000000ff) at command 3" },
		{ { .seqno = 5, .code = FAA_ERROR_BAD_COUNT, .command = 0, .address = 0 },
		  "job 5: element count not in 1..2^32 (count 0) at command 0" },
		{ { .seqno = 5, .code = FAA_ERROR_BAD_OFFSET, .command = 0, .address = 2 },
		  "job 5: address offset with its low bits set (offset 0x2) at command 0" },
		{ { .seqno = 6, .code = FAA_ERROR_BAD_JUMP, .command = 56, .address = (uint64_t)-8 },
		  "job 6: jump to outside the stream (to byte -8) at command 2" },
		{ { .seqno = 7, .code = FAA_ERROR_TRUNCATED, .command = 80 },
		  "job 7: stream ends inside a command or without END at command 4" },
		{ { .seqno = 8, .code = FAA_ERROR_BAD_DESCRIPTOR, .address = 32 },
		  "job 8: malformed job descriptor (byte 32)" },
		{ { .seqno = 9, .code = FAA_ERROR_KILLED, .command = 32, .element = 64 },
		  "job 9: killed while running before command 1, element 64, in the loop of commands 1 to 2" },
		{ { .seqno = 9, .code = FAA_ERROR_KILLED, .element = 32 },
		  "job 9: killed while running before command 0, element 32" },
		{ { .seqno = 9, .code = FAA_ERROR_TIMEOUT, .command = 56, .end_cycle = 7 },
		  "job 9: job timeout before command 2, element 0, in the loop of commands 1 to 2" },
		{ { .seqno = 9, .code = FAA_ERROR_TIMEOUT, .command = 72, .end_cycle = 7 },
		  "job 9: job timeout before command 3, element 0" },
		{ { .seqno = 9, .code = FAA_ERROR_TIMEOUT },
		  "job 9: job timeout at an unknown place" },
		{ { .seqno = 10, .code = FAA_ERROR_CANCELLED }, "job 10: cancelled before it ran" },
		{ { .seqno = 11, .code = FAA_ERROR_DEVICE_LOST }, "job 11: device lost" },
		/* Not the beginning of a command, so only the byte offset is reported. */
		{ { .seqno = 12, .code = FAA_ERROR_MISALIGNED, .command = 40, .address = 1 },
		  "job 12: misaligned address 0x1 at the command at byte 0x28, element 0, lane 0" },
		/* Without a record of the device. */
		{ { .seqno = 0 }, "no job: it was not submitted" },
		{ { .code = FAA_JOB_NOT_SUBMITTED }, "no job: it was not submitted" },
		{ { .seqno = 14, .code = FAA_JOB_UNFINISHED },
		  "job 14: had not ended when its status was taken" },
		{ { .seqno = 15, .code = FAA_JOB_OVERWRITTEN },
		  "job 15: has ended, but its status record was overwritten by that of a later job" },
		{ { .seqno = 13, .code = 77, .command = 0, .address = 1 },
		  "job 13: unknown error, address 0x1 at command 0, element 0, lane 0" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++)
		expect_format(&cases[i].status, cases[i].text);
}

static void without_the_stream(void **state)
{
	struct faa_job_status status = {
		.seqno = 1, .code = FAA_ERROR_RESERVED_BITS, .command = 24, .address = 5
	};
	char text[256];

	(void)state;
	faa_status_format(&status, NULL, 0, text, sizeof(text));
	assert_string_equal(
		text,
		"job 1: reserved bits set (word 0x0000000000000005) at the command at byte 0x18");
}

/* The inner one of nested loops is reported; a JUMP out of the stream is no loop. */
static void loops(void **state)
{
	static const struct {
		uint32_t command;
		const char *place;
	} cases[] = {
		{ 0, "before command 0, element 0, in the loop of commands 0 to 4" },
		{ 8, "before command 1, element 0, in the loop of commands 1 to 2" },
		{ 16, "before command 2, element 0, in the loop of commands 1 to 2" },
		{ 32, "before command 3, element 0, which jumps to itself" },
		{ 48, "before command 4, element 0, in the loop of commands 0 to 4" },
		{ 64, "before command 5, element 0" },
	};
	static const int32_t jumps[][2] = { { 2, -1 }, { 4, 0 }, { 6, -6 }, { 8, -100 } };
	uint64_t loop[11];
	char text[256];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(loop); i++)
		faa_encode_nop(&loop[i], &(struct faa_issue)FAA_ISSUE_DEFAULT);
	for (i = 0; i < COUNT(jumps); i++)
		faa_encode_jump(&loop[jumps[i][0]], &(struct faa_issue)FAA_ISSUE_DEFAULT,
				FAA_JUMP_COND_ALWAYS, jumps[i][1]);
	for (i = 0; i < COUNT(cases); i++) {
		struct faa_job_status status = { .seqno = 1,
						 .code = FAA_ERROR_TIMEOUT,
						 .command = cases[i].command,
						 .end_cycle = 1 };

		faa_status_format(&status, loop, COUNT(loop), text, sizeof(text));
		assert_string_equal(text + strlen("job 1: job timeout "), cases[i].place);
	}
}

static void malformed_says_why(void **state)
{
	struct faa_job_status status = { .seqno = 1,
					 .code = FAA_ERROR_RESERVED_BITS,
					 .command = 32 };
	char text[256];

	(void)state;
	words[5] |= 1ull << 63;
	faa_status_format(&status, words, word_count, text, sizeof(text));
	words[5] &= ~(1ull << 63);
	assert_non_null(strstr(text, "at command 1: reserved bits of the second word set"));
}

static void every_error_has_words(void **state)
{
	uint32_t code;

	(void)state;
	for (code = 0; code <= FAA_ERROR_STOPPED; code++)
		assert_string_not_equal(faa_error_text(code), "unknown error");
	for (code = FAA_ERROR_TIMEOUT; code <= FAA_ERROR_DEVICE_LOST; code++)
		assert_string_not_equal(faa_error_text(code), "unknown error");
	assert_string_equal(faa_error_text(UINT32_MAX), "unknown error");
	assert_string_equal(faa_error_text(FAA_ERROR_STOPPED + 1), "unknown error");
}

static void errnos(void **state)
{
	static const struct {
		uint32_t code;
		int error;
	} cases[] = {
		{ FAA_ERROR_SUCCESS, 0 },
		{ FAA_ERROR_ILLEGAL_COMMAND, -EINVAL },
		{ FAA_ERROR_MISALIGNED, -EINVAL },
		{ FAA_ERROR_OUT_OF_RANGE, -EINVAL },
		{ FAA_ERROR_NON_CANONICAL, -EINVAL },
		{ FAA_ERROR_NOT_MAPPED, -EFAULT },
		{ FAA_ERROR_BUS_ERROR, -EFAULT },
		{ FAA_ERROR_KILLED, -ECANCELED },
		{ FAA_ERROR_TRAP, -EINVAL },
		{ FAA_ERROR_BAD_HEADER, -EINVAL },
		{ FAA_ERROR_BANK_RANGE, -EINVAL },
		{ FAA_ERROR_TIMEOUT, -ETIMEDOUT },
		{ FAA_ERROR_CANCELLED, -ECANCELED },
		{ FAA_ERROR_DEVICE_LOST, -ENODEV },
		{ FAA_JOB_NOT_SUBMITTED, -ENOENT },
		{ FAA_JOB_UNFINISHED, -EBUSY },
		{ FAA_JOB_OVERWRITTEN, -ENODATA },
		{ FAA_JOB_OVERWRITTEN + 1, -EIO },
		{ 1000, -EIO },
	};
	struct faa_job_status status = { 0 };
	size_t i;

	(void)state;
	/* Zeros are no success: no job has number 0. */
	assert_int_equal(faa_status_errno(&status), -ENOENT);
	status.seqno = 1;
	for (i = 0; i < COUNT(cases); i++) {
		status.code = cases[i].code;
		assert_int_equal(faa_status_errno(&status), cases[i].error);
	}
}

static void restart(void **state)
{
	struct faa_job_status status = {
		.code = FAA_ERROR_MISALIGNED, .command = 32, .element = 97, .lane = 1
	};
	struct faa_job job = { .stream_va = 0x10000, .stream_bytes = 80 };

	(void)state;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), 0);
	assert_int_equal(job.stream_va, 0x10020);
	assert_int_equal(job.stream_bytes, 48);
	assert_int_equal(job.first_element, 96);
	/*
	 * Its first command could not be fetched, after the elements before 96 had been executed.
	 */
	status = (struct faa_job_status){ .code = FAA_ERROR_NOT_MAPPED };
	job = (struct faa_job){ .stream_va = 0x10000, .stream_bytes = 80, .first_element = 96 };
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), 0);
	assert_int_equal(job.stream_va, 0x10000);
	assert_int_equal(job.first_element, 96);
}

static void restart_refused(void **state)
{
	struct faa_job original = { .stream_va = 0x10000, .stream_bytes = 80, .first_element = 32 },
		       job = original;
	struct faa_job_status status = { .seqno = 1, .code = FAA_ERROR_SUCCESS, .command = 72 };

	(void)state;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), -EALREADY);
	status.code = FAA_ERROR_BUS_ERROR;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), -EIO);
	status.code = FAA_ERROR_DEVICE_LOST;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), -EIO);
	status.code = FAA_JOB_UNFINISHED;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), -EIO);
	status.code = FAA_JOB_OVERWRITTEN;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), -EIO);
	/* From the JUMP on, the rest would jump to before its start. */
	status.code = FAA_ERROR_KILLED;
	status.command = 56;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), -EINVAL);
	status.command = 4;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), -EINVAL);
	status.command = 80;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), -EINVAL);
	status.command = 0;
	assert_int_equal(faa_status_restart(&status, words, word_count - 1, &job), -EINVAL);
	/* A job that never ran continues at its start. */
	status.code = FAA_ERROR_CANCELLED;
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), 0);
	assert_memory_equal(&job, &original, sizeof(job));
	status = (struct faa_job_status){ .code = FAA_JOB_NOT_SUBMITTED };
	assert_int_equal(faa_status_restart(&status, words, word_count, &job), 0);
	assert_memory_equal(&job, &original, sizeof(job));
}

static void counters(void **state)
{
	struct faa_counters a, b, diff;
	uint8_t snapshot[FAA_SNAPSHOT_BYTES + 1];
	unsigned int i;

	(void)state;
	/* An unaligned snapshot, little-endian by hand. */
	for (i = 0; i < sizeof(snapshot); i++)
		snapshot[i] = i;
	faa_counters_read(snapshot + 1, &a);
	assert_true(a.value[FAA_COUNTER_CYCLES] == 0x0807060504030201ull);
	assert_true(a.value[FAA_COUNTER_LINES_WRITTEN] == 0x807f7e7d7c7b7a79ull);
	for (i = 0; i < FAA_COUNTERS; i++)
		b.value[i] = a.value[i] + i;
	a.value[2] = UINT64_MAX;
	b.value[2] = 5;
	faa_counters_diff(&a, &b, &diff);
	for (i = 0; i < FAA_COUNTERS; i++)
		assert_int_equal(diff.value[i], i == 2 ? 6 : i);
	assert_string_equal(faa_counter_name(FAA_COUNTER_CYCLES), "CYCLES");
	assert_string_equal(faa_counter_name(FAA_COUNTER_LINES_WRITTEN), "LINES_WRITTEN");
	assert_null(faa_counter_name(FAA_COUNTERS));
}

static void deadlines(void **state)
{
	int64_t now = faa_deadline(0);

	(void)state;
	assert_true(faa_deadline(-5) >= now);
	assert_true(faa_deadline(1000000000) >= now + 1000000000);
	assert_true(faa_deadline(INT64_MAX) == FAA_NO_DEADLINE);
	assert_true(faa_deadline(INT64_MAX - 1) == FAA_NO_DEADLINE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_sentence_each),
		cmocka_unit_test(without_the_stream),
		cmocka_unit_test(loops),
		cmocka_unit_test(malformed_says_why),
		cmocka_unit_test(every_error_has_words),
		cmocka_unit_test(errnos),
		cmocka_unit_test(restart),
		cmocka_unit_test(restart_refused),
		cmocka_unit_test(counters),
		cmocka_unit_test(deadlines),
	};

	return RUN_TESTS(tests, setup, NULL);
}
