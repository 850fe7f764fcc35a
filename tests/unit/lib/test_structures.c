// SPDX-License-Identifier: MIT
/*
 * Structures of programs that are compiled with other headers than the library: larger ones, whose
 * unknown members have to be 0, and smaller ones, whose missing members are 0. A sized function
 * neither reads nor writes beyond the size that it is given.
 */
#include "check.h"

#include <errno.h>
#include <string.h>

#include "fixture.h"
#include "fixture_fake.h"

#define PATTERN 0xa5

/* The structures of a later version. */
struct later_job {
	struct faa_job now;
	uint64_t more;
};

struct later_status {
	struct faa_job_status now;
	uint64_t more[3];
};

struct later_options {
	struct faa_queue_options now;
	uint32_t more;
};

struct later_bind {
	struct faa_bind now;
	uint64_t more;
};

/* An earlier version: without the members from @name on. */
#define SIZE_BEFORE(type, name) offsetof(struct type, name)

/* One element more at word 1024 of the BO, by a stream at its start. */
static struct faa_job adding_job(uint64_t at)
{
	struct faa_job job = { .stream_va = va + at };

	faa_stream_reset(stream);
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 64, faa_none(), faa_none(), 0,
			 faa_imm(1), faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, 1, faa_array_u32(va + PAGE, 4), faa_none(), 0);
	faa_stream_end(stream);
	assert_int_equal(faa_stream_upload(stream, bo, at), 0);
	job.stream_bytes = (uint32_t)faa_stream_bytes(stream);
	return job;
}

static uint32_t sum(void)
{
	return ((uint32_t *)(void *)(memory + PAGE))[0];
}

/* Arrays of larger jobs and statuses: the items are found by their size. */
static void later_arrays(void **state)
{
	struct later_job jobs[3] = { { { 0 }, 0 } };
	struct later_status status;
	uint64_t first;
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++)
		jobs[i].now = adding_job(i * 256);
	assert_int_equal(faa_queue_submit_sized(queue, &jobs[0].now, sizeof(jobs[0]), 3, &first),
			 0);
	assert_int_equal(faa_queue_wait(queue, first + 2, FAA_NO_DEADLINE), 0);
	assert_int_equal(sum(), 192);
	memset(&status, PATTERN, sizeof(status));
	assert_int_equal(faa_queue_status_sized(queue, first + 2, &status.now, sizeof(status)), 0);
	assert_int_equal(status.now.seqno, first + 2);
	assert_int_equal(status.now.elements_retired, 65);
	assert_true(!status.more[0] && !status.more[1] && !status.more[2]);
	status.more[1] = 1;
	assert_int_equal(faa_status_errno_sized(&status.now, sizeof(status)), 0);
}

/* Each function refuses a member that it does not know, and says which structure has it. */
static void later_members(void **state)
{
	struct later_job jobs[2] = { { { 0 }, 0 } };
	struct faa_job_status status;
	struct later_options options = { { 0 }, 1 };
	struct later_bind bind = { { .op = FAA_BIND_UNMAP, .va = va, .size = PAGE }, 1 };
	struct faa_queue *other;
	uint32_t failed;

	(void)state;
	jobs[0].now = adding_job(0);
	jobs[1].now = jobs[0].now;
	jobs[1].more = 1ull << 63;
	assert_int_equal(faa_queue_submit_sized(queue, &jobs[0].now, sizeof(jobs[0]), 2, NULL),
			 -E2BIG);
	assert_non_null(strstr(faa_last_error(), "struct faa_job: byte 39 of 40 is not 0"));
	assert_non_null(strstr(faa_last_error(), "needs a newer library"));
	assert_int_equal(sum(), 0);
	assert_int_equal(faa_queue_run_sized(queue, &jobs[1].now, sizeof(jobs[1]), FAA_NO_DEADLINE,
					     &status, sizeof(status)),
			 -E2BIG);
	assert_int_equal(status.code, FAA_JOB_NOT_SUBMITTED);
	assert_int_equal(faa_status_restart_sized(&status, sizeof(status), NULL, 0, &jobs[1].now,
						  sizeof(jobs[1])),
			 -E2BIG);
	assert_int_equal(faa_queue_create_sized(vm, &options.now, sizeof(options), &other), -E2BIG);
	assert_null(other);
	assert_non_null(strstr(faa_last_error(), "struct faa_queue_options"));
	assert_int_equal(faa_vm_bind_batch_sized(vm, &bind.now, sizeof(bind), 1, &failed), -E2BIG);
	assert_non_null(strstr(faa_last_error(), "struct faa_bind"));
	bind.more = 0;
	assert_int_equal(faa_vm_bind_batch_sized(vm, &bind.now, sizeof(bind), 1, &failed), 0);
}

/* A smaller result is written up to its end. */
static void earlier_results(void **state)
{
	const size_t size = SIZE_BEFORE(faa_job_status, start_cycle);
	unsigned char bytes[2 * sizeof(struct faa_job_status)];
	struct faa_job_status *status = (void *)bytes;
	struct faa_queue_info info;
	struct faa_job job = adding_job(0);
	unsigned int i;

	(void)state;
	memset(bytes, PATTERN, sizeof(bytes));
	assert_int_equal(faa_queue_run_sized(queue, &job, SIZE_BEFORE(faa_job, syncs),
					     FAA_NO_DEADLINE, status, size),
			 0);
	assert_int_equal(status->elements_retired, 65);
	for (i = 0; i < sizeof(bytes); i++)
		assert_true(i < size || bytes[i] == PATTERN);
	assert_int_equal(faa_status_errno_sized(status, size), 0);
	memset(&info, PATTERN, sizeof(info));
	assert_int_equal(faa_queue_info_sized(queue, &info, SIZE_BEFORE(faa_queue_info, failed)),
			 0);
	assert_int_equal(info.completed, 1);
	for (i = SIZE_BEFORE(faa_queue_info, failed); i < sizeof(info); i++)
		assert_int_equal(((unsigned char *)&info)[i], PATTERN);
}

/* Smaller jobs and statuses of a group lie one after the other, without the members at the end. */
static void earlier_group(void **state)
{
	const size_t job_size = SIZE_BEFORE(faa_job, syncs);
	const size_t status_size = SIZE_BEFORE(faa_job_status, start_cycle);
	unsigned char jobs[2 * sizeof(struct faa_job)];
	unsigned char bytes[2 * sizeof(struct faa_job_status) + 1];
	struct faa_job job = adding_job(0);
	uint32_t i, slots = faa_device_info(device)->warp_slots;
	uint32_t count = slots < 2 ? slots : 2;
	uint64_t retired;

	(void)state;
	memset(bytes, PATTERN, sizeof(bytes));
	for (i = 0; i < count; i++)
		memcpy(jobs + i * job_size, &job, job_size);
	assert_int_equal(faa_queue_run_group_sized(queue, (void *)jobs, job_size, count,
						   FAA_NO_DEADLINE, (void *)bytes, status_size),
			 0);
	for (i = 0; i < count; i++) {
		memcpy(&retired,
		       bytes + i * status_size + offsetof(struct faa_job_status, elements_retired),
		       sizeof(retired));
		assert_int_equal(retired, 65);
	}
	assert_int_equal(bytes[count * status_size], PATTERN);
}

static int setup(void **state)
{
	static const struct faa_queue_options options = { .shared_bytes = 128 };

	(void)state;
	fixture_open(4 * PAGE, &options);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(later_arrays, setup, fixture_close),
		cmocka_unit_test_setup_teardown(later_members, setup, fixture_close),
		cmocka_unit_test_setup_teardown(earlier_results, setup, fixture_close),
		cmocka_unit_test_setup_teardown(earlier_group, setup, fixture_close),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
