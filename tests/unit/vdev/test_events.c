// SPDX-License-Identifier: MIT
/*
 * The digest of events in simulated time, and interrupts that are held until their time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "events.h"
#include "../run_tests.h"

static void add(struct events *events, uint64_t time_ns, uint64_t value)
{
	events_add(events,
		   &(struct event){ .time_ns = time_ns, .value = value, .kind = REC_MMIO_READ });
}

static uint64_t digest_of(const uint64_t *times, const uint64_t *values, unsigned int count)
{
	struct events events;

	events_init(&events);
	for (unsigned int i = 0; i < count; i++)
		add(&events, times[i], values[i]);
	assert_int_equal(events.count, count);
	return events.digest;
}

static void test_digest(void **state)
{
	const uint64_t times[] = { 1, 2, 3 }, later[] = { 1, 2, 4 };
	const uint64_t values[] = { 5, 6, 7 }, swapped[] = { 6, 5, 7 };
	uint64_t digest = digest_of(times, values, 3);

	(void)state;
	assert_true(digest == digest_of(times, values, 3));
	assert_true(digest != digest_of(times, values, 2));
	assert_true(digest != digest_of(later, values, 3));
	assert_true(digest != digest_of(times, swapped, 3));
}

/* However long the run is, the checkpoints are evenly spaced, and each has its last event. */
static void test_checkpoints(void **state)
{
	struct events events;

	(void)state;
	events_init(&events);
	for (uint64_t i = 1; i <= 100000; i++) {
		add(&events, i, i);
		assert_true(events.checkpoints <= EVENTS_CHECKPOINTS);
		assert_int_equal(events.checkpoints, i / events.interval);
	}
	assert_true(events.checkpoints >= EVENTS_CHECKPOINTS / 2);
	for (unsigned int i = 0; i < events.checkpoints; i++)
		assert_int_equal(events.checkpoint[i].last.time_ns, (i + 1) * events.interval);
}

static void test_file(void **state)
{
	char path[] = "/tmp/test-events.XXXXXX", line[200];
	int fd = mkstemp(path);
	struct events events;
	FILE *file;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	events_init(&events);
	add(&events, 1234, 0x56);
	assert_int_equal(events_write(&events, path), 0);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	assert_non_null(strstr(line, "events 1 "));
	assert_non_null(fgets(line, sizeof(line), file));
	assert_non_null(strstr(line, " 1234 ns, cycle 0: mmio read[0] 0x0 = 0x56\n"));
	assert_null(fgets(line, sizeof(line), file));
	fclose(file);
	unlink(path);
	assert_true(events_write(&events, "/nonexistent/file") < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digest),
		cmocka_unit_test(test_checkpoints),
		cmocka_unit_test(test_file),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
