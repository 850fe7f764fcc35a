// SPDX-License-Identifier: MIT
/* Streams of counters: samples from records, deadlines, errors. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <drm/faa_drm.h>

#include "check_alloc.h"
#include "device.h"
#include "error.h"
#include "fake_kernel.h"
#include "fixture_fake.h"

#define PERIOD	1000000
#define RECORDS 64

static struct faa_counters_stream *counters;

static int setup(void **state)
{
	int ret = fixture_open_device(state);

	return ret ? ret : faa_counters_open(device, PERIOD, RECORDS, &counters);
}

static int teardown(void **state)
{
	faa_counters_close(counters);
	return fixture_close(state);
}

/* A record of the kernel, and the counters of its compute units. */
struct record {
	struct drm_faa_counters_record head;
	struct drm_faa_cu_counters cus[FAA_MAX_CUS];
};

static struct record record_of(uint64_t number)
{
	uint32_t count = faa_device_info(device)->num_cus, cu, i;
	struct record record = {
		.head = {
			.size = sizeof(record.head) + count * sizeof(record.cus[0]),
			.cus_offset = sizeof(record.head),
			.cu_stride = sizeof(record.cus[0]),
			.num_cus = count,
			.time_ns = 1000 * number,
			.total_cycles = 100 * number,
			.dropped = 2 * number,
			.late = 3 * number,
			.flags = DRM_FAA_COUNTERS_RESTARTED,
		},
	};

	for (cu = 0; cu < count; cu++) {
		record.cus[cu].device_cycles = 10 * number + cu;
		for (i = 0; i < DRM_FAA_COUNTERS; i++)
			record.cus[cu].values[i] = number << 32 | cu << 8 | i;
	}
	return record;
}

static void give(const struct record *record)
{
	size_t size =
		sizeof(record->head) + faa_device_info(device)->num_cus * sizeof(record->cus[0]);

	assert_int_equal(write(fake_kernel_counters(kernel), record, size), size);
}

static void expect_sample(uint64_t number)
{
	struct faa_counters_sample sample;
	uint32_t cu, i;

	assert_int_equal(faa_counters_next(counters, &sample, 0), 0);
	assert_int_equal(sample.time, 1000 * number);
	assert_int_equal(sample.total_cycles, 100 * number);
	assert_int_equal(sample.dropped, 2 * number);
	assert_int_equal(sample.late, 3 * number);
	assert_int_equal(sample.flags, FAA_COUNTERS_RESTARTED);
	assert_int_equal(sample.num_cus, faa_device_info(device)->num_cus);
	for (cu = 0; cu < sample.num_cus; cu++) {
		assert_int_equal(sample.cus[cu].cycle, 10 * number + cu);
		for (i = 0; i < FAA_COUNTERS; i++)
			assert_int_equal(sample.cus[cu].counters.value[i],
					 number << 32 | cu << 8 | i);
	}
}

/* More of them than one read takes. */
static void samples_in_order(void **state)
{
	struct faa_counters_sample sample;
	uint64_t i;

	(void)state;
	for (i = 1; i <= 40; i++) {
		struct record record = record_of(i);

		give(&record);
	}
	for (i = 1; i <= 40; i++)
		expect_sample(i);
	assert_int_equal(faa_counters_next(counters, &sample, 0), -ETIME);
	assert_null(sample.cus);
}

static void deadlines(void **state)
{
	struct pollfd file = { .fd = faa_counters_fd(counters), .events = POLLIN };
	const int64_t deadline = faa_deadline(20000000);
	struct record record = record_of(5);
	struct faa_counters_sample sample;

	(void)state;
	assert_int_equal(poll(&file, 1, 0), 0);
	assert_int_equal(faa_counters_next(counters, &sample, deadline), -ETIME);
	assert_true(faa_deadline(0) >= deadline);
	give(&record);
	assert_int_equal(poll(&file, 1, 0), 1);
	expect_sample(5);
	give(&record);
	assert_int_equal(faa_counters_next(counters, &sample, FAA_NO_DEADLINE), 0);
}

static void expect_malformed(const struct record *record)
{
	struct faa_counters_sample sample;

	give(record);
	assert_int_equal(faa_counters_next(counters, &sample, 0), -EPROTO);
	assert_int_equal(sample.num_cus, 0);
}

static void malformed_records(void **state)
{
	struct record record;
	struct faa_counters_sample sample;

	(void)state;
	record = record_of(1);
	record.head.size -= 8;
	expect_malformed(&record);
	record = record_of(1);
	record.head.num_cus = UINT32_MAX;
	expect_malformed(&record);
	record = record_of(1);
	record.head.cu_stride -= 8;
	expect_malformed(&record);
	record = record_of(1);
	record.head.cu_stride = UINT32_MAX;
	expect_malformed(&record);
	record = record_of(1);
	record.head.cus_offset += 8;
	expect_malformed(&record);
	record = record_of(1);
	record.head.cus_offset = UINT32_MAX;
	expect_malformed(&record);
	assert_int_equal(write(fake_kernel_counters(kernel), &record, 8), 8);
	assert_int_equal(faa_counters_next(counters, &sample, 0), -EPROTO);
}

/* The call fails with @error, and its sentence has @text. */
static void refused(struct faa_device *of, uint64_t period, uint32_t records, int error,
		    const char *text)
{
	struct faa_counters_stream *other = counters;

	faa_fail(0, "an old sentence");
	assert_int_equal(faa_counters_open(of, period, records, &other), error);
	assert_null(other);
	if (!strstr(faa_last_error(), text))
		fail_msg("'%s', not '%s'", faa_last_error(), text);
}

static void arguments(void **state)
{
	(void)state;
	refused(device, 99999, 1, -EINVAL, "a period of 99999 ns");
	refused(device, 10000000001, 1, -EINVAL, "100000 to 10000000000");
	refused(device, PERIOD, 0, -EINVAL, "0 records: allowed are 1 to 4096");
	refused(device, PERIOD, 4097, -EINVAL, "4097 records");
}

static void errors_of_the_kernel(void **state)
{
	(void)state;
	fake_kernel_fail(kernel, 0, -EINVAL);
	refused(device, PERIOD, 1, -EOPNOTSUPP, "older than version 1.4");
	fake_kernel_fail(kernel, 0, -EOPNOTSUPP);
	refused(device, PERIOD, 1, -EOPNOTSUPP, "a simulated device");
	fake_kernel_fail(kernel, 0, -EACCES);
	refused(device, PERIOD, 1, -EACCES, "CAP_PERFMON");
	fake_kernel_fail(kernel, 0, -ENOSPC);
	refused(device, PERIOD, 1, -ENOSPC, "no stream left");
	fake_kernel_lose(kernel, false);
	refused(device, PERIOD, 1, -ENODEV, "COUNTERS_OPEN: the device is gone");
}

/* The stream holds the device. */
static void outlives_the_device(void **state)
{
	struct record record = record_of(1);

	(void)state;
	faa_device_ref(device);
	give(&record);
	faa_device_unref(device);
	expect_sample(1);
	assert_true(fcntl(faa_counters_fd(counters), F_GETFD) & FD_CLOEXEC);
	faa_counters_close(NULL);
}

static int child(void)
{
	struct faa_counters_sample sample;

	if (faa_counters_next(counters, &sample, 0) != -EPERM)
		return 1;
	faa_counters_close(counters);
	return 0;
}

static void child_of_a_fork(void **state)
{
	struct record record = record_of(1);
	int status;
	pid_t pid;

	(void)state;
	give(&record);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect_sample(1);
}

#ifdef CHECK_ALLOC
static void every_allocation_fails_once(void **state)
{
	struct faa_counters_stream *other;
	unsigned int nth;

	(void)state;
	for (nth = 0;; nth++) {
		int ret;

		check_alloc_fail(nth);
		ret = faa_counters_open(device, PERIOD, RECORDS, &other);
		if (!check_alloc_failed()) {
			assert_int_equal(ret, 0);
			faa_counters_close(other);
			break;
		}
		assert_int_equal(ret, -ENOMEM);
		assert_null(other);
	}
	assert_int_equal(nth, 3);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(samples_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(deadlines, setup, teardown),
		cmocka_unit_test_setup_teardown(malformed_records, setup, teardown),
		cmocka_unit_test_setup_teardown(arguments, setup, teardown),
		cmocka_unit_test_setup_teardown(errors_of_the_kernel, setup, teardown),
		cmocka_unit_test_setup_teardown(outlives_the_device, setup, teardown),
		cmocka_unit_test_setup_teardown(child_of_a_fork, setup, teardown),
#ifdef CHECK_ALLOC
		cmocka_unit_test_setup_teardown(every_allocation_fails_once, setup, teardown),
#endif
	};

	return RUN_TESTS(tests, NULL, NULL);
}
