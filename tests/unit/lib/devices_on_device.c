// SPDX-License-Identifier: MIT
/*
 * Several devices in one process: faa-run --devices=N PROGRAM N. Each is opened by its index and by
 * its path; memory of one is imported by the others, and all of them change it at the same time.
 */
#include "check.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faa_exact.h"

#define MAX_DEVICES 8
#define PAGE	    4096
#define BYTES	    (16 * PAGE)
#define SECOND	    1000000000ll
/* In the buffer that all devices have: a word for each kind of test, cells, and the values. */
#define COUNTER	  0
#define CELLS	  PAGE
#define VALUES	  (4 * PAGE)
#define ELEMENTS  2000
#define ADDITIONS 1000
#define SUMS	  5

/* A device with a VM and a queue; its stream is in memory of its own. */
struct member {
	struct faa_device *device;
	struct faa_vm *vm;
	struct faa_bo *code, *shared;
	struct faa_queue *queue;
	struct faa_stream *stream;
	uint64_t code_va, shared_va, seqno;
};

static unsigned int device_count;
static struct member members[MAX_DEVICES];
static uint8_t *memory;

static void open_member(struct member *member, unsigned int index)
{
	assert_int_equal(faa_device_open_index(index, &member->device), 0);
	assert_int_equal(faa_vm_create(member->device, &member->vm), 0);
	assert_int_equal(faa_bo_create(member->device, 4 * PAGE, 0, &member->code), 0);
	assert_int_equal(faa_vm_map(member->vm, member->code, 0, 0, 0, &member->code_va), 0);
	assert_int_equal(faa_queue_create(member->vm, NULL, &member->queue), 0);
	assert_int_equal(faa_stream_create(&member->stream), 0);
}

/* The first device's buffer in the VM of every device. */
static int open_all(void **state)
{
	void *address;
	unsigned int i;
	int fd;

	(void)state;
	for (i = 0; i < device_count; i++)
		open_member(&members[i], i);
	assert_int_equal(faa_bo_create(members[0].device, BYTES, 0, &members[0].shared), 0);
	assert_int_equal(faa_bo_map(members[0].shared, &address), 0);
	memory = address;
	assert_int_equal(faa_bo_export(members[0].shared, &fd), 0);
	for (i = 0; i < device_count; i++) {
		struct member *member = &members[i];

		if (i)
			assert_int_equal(faa_bo_import(member->device, fd, &member->shared), 0);
		assert_int_equal(faa_vm_map(member->vm, member->shared, 0, 0, FAA_MAP_ATOMIC,
					    &member->shared_va),
				 0);
	}
	close(fd);
	return 0;
}

static void close_member(struct member *member)
{
	faa_stream_destroy(member->stream);
	faa_queue_destroy(member->queue);
	faa_bo_unref(member->shared);
	faa_bo_unref(member->code);
	faa_vm_unref(member->vm);
	faa_device_unref(member->device);
	memset(member, 0, sizeof(*member));
}

static int close_all(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < device_count; i++)
		close_member(&members[i]);
	return 0;
}

static void submit(struct member *member)
{
	struct faa_job job = { .stream_va = member->code_va };

	faa_stream_end(member->stream);
	assert_int_equal(faa_stream_upload(member->stream, member->code, 0), 0);
	job.stream_bytes = faa_stream_bytes(member->stream);
	assert_int_equal(faa_queue_submit(member->queue, &job, 1, &member->seqno), 0);
	faa_stream_reset(member->stream);
}

static void expect_success(struct member *member)
{
	struct faa_job_status status;
	char text[256];

	assert_int_equal(faa_queue_wait(member->queue, member->seqno, faa_deadline(60 * SECOND)),
			 0);
	assert_int_equal(faa_queue_status(member->queue, member->seqno, &status), 0);
	faa_status_format(&status, NULL, 0, text, sizeof(text));
	if (status.code)
		fail_msg("device %td: %s", member - members, text);
}

static dev_t node_of(const struct faa_device *device)
{
	struct stat node;

	assert_int_equal(fstat(faa_device_fd(device), &node), 0);
	return node.st_rdev;
}

static void each_by_index_and_path(void **state)
{
	struct faa_device *device, *same;
	unsigned int i;
	char path[32];
	dev_t last = 0;

	(void)state;
	assert_int_equal(faa_device_count(), device_count);
	for (i = 0; i < device_count; i++) {
		assert_int_equal(faa_device_open_index(i, &device), 0);
		snprintf(path, sizeof(path), "/dev/dri/renderD%u", 128 + i);
		assert_int_equal(faa_device_open_path(path, &same), 0);
		assert_true(node_of(device) == node_of(same));
		/* In the order of their numbers. */
		assert_true(node_of(device) > last);
		last = node_of(device);
		faa_device_unref(device);
		faa_device_unref(same);
	}
	assert_int_equal(faa_device_open(&device), 0);
	assert_int_equal(faa_device_open_index(0, &same), 0);
	assert_true(node_of(device) == node_of(same));
	faa_device_unref(device);
	faa_device_unref(same);
	assert_int_equal(faa_device_open_index(device_count, &device), -ENODEV);
	assert_null(device);
	snprintf(path, sizeof(path), "has %u, counted from 0", device_count);
	assert_non_null(strstr(faa_last_error(), path));
	assert_int_equal(faa_device_open_index(UINT32_MAX, &device), -ENODEV);
}

/* Each device changes words of its own, and then the words of the next one. */
static void a_job_on_each(void **state)
{
	unsigned int round, i;

	(void)state;
	for (round = 0; round < 2; round++) {
		for (i = 0; i < device_count; i++) {
			struct member *member = &members[i];
			unsigned int block = (i + round) % device_count;

			faa_stream_red(member->stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
				       FAA_ORDER_RELAXED, 64,
				       faa_affine(member->shared_va + block * 256, 4), 0,
				       faa_affine(i * 1000 + round, 1), faa_none());
			submit(member);
		}
		for (i = 0; i < device_count; i++)
			expect_success(&members[i]);
	}
	for (i = 0; i < device_count * 64; i++) {
		unsigned int block = i / 64, other = (block + device_count - 1) % device_count;

		assert_int_equal(((uint32_t *)memory)[i],
				 (block + other) * 1000 + 1 + 2 * (i % 64));
	}
}

/* All devices and the processor increment one counter at the same time. */
static void one_counter(void **state)
{
	uint64_t *counter = (uint64_t *)(memory + COUNTER);
	unsigned int i;

	(void)state;
	*counter = 0;
	for (i = 0; i < device_count; i++) {
		faa_stream_red(members[i].stream, FAA_ATOM_OP_ADD, FAA_TYPE_U64, FAA_SCOPE_SYS,
			       FAA_ORDER_RELAXED, ADDITIONS,
			       faa_imm(members[i].shared_va + COUNTER), 0, faa_imm(i + 1),
			       faa_none());
		submit(&members[i]);
	}
	for (i = 0; i < ADDITIONS; i++)
		__atomic_fetch_add(counter, 1ull << 32, __ATOMIC_RELAXED);
	for (i = 0; i < device_count; i++)
		expect_success(&members[i]);
	assert_true(*counter ==
		    (uint64_t)ADDITIONS * ((1ull << 32) + device_count * (device_count + 1) / 2));
}

/* Exact sums in one table, to which all devices add, and of one table for each device. */
static void exact_sums(void **state)
{
	struct faa_exact_cell *cells = (struct faa_exact_cell *)(memory + CELLS);
	struct faa_exact_cell expected[SUMS] = { 0 }, merged[SUMS] = { 0 };
	float *values = (float *)(memory + VALUES);
	uint32_t *indices = (uint32_t *)(values + ELEMENTS);
	uint64_t seed = check_seed(0x5eed00e5);
	unsigned int i, j, apart;

	(void)state;
	for (i = 0; i < ELEMENTS; i++) {
		uint32_t bits = check_random(&seed) >> 32;

		bits = (bits >> 23 & 255) == 255 ? bits & 0xbfffffff : bits;
		memcpy(&values[i], &bits, sizeof(bits));
		indices[i] = check_random(&seed) % SUMS;
		faa_exact_add_host(&expected[indices[i]], &values[i], 1);
	}
	for (apart = 0; apart < 2; apart++) {
		memset(cells, 0, device_count * sizeof(expected));
		for (i = 0; i < device_count; i++) {
			uint64_t va = members[i].shared_va, first = ELEMENTS * i / device_count;
			struct faa_exact_add add = {
				.count = ELEMENTS * (i + 1) / device_count - first,
				.scope = apart ? FAA_SCOPE_GPU : FAA_SCOPE_SYS,
				.cells = va + CELLS + apart * i * sizeof(expected),
				.cell = faa_array_u32(va + VALUES + 4 * (ELEMENTS + first), 4),
				.value = faa_array_u32(va + VALUES + 4 * first, 4),
			};

			faa_stream_exact_add(members[i].stream, &add);
			submit(&members[i]);
		}
		for (i = 0; i < device_count; i++)
			expect_success(&members[i]);
		for (i = 0; apart && i < device_count; i++)
			for (j = 0; j < SUMS; j++)
				faa_exact_merge(&merged[j], &cells[i * SUMS + j]);
		assert_memory_equal(apart ? merged : cells, expected, sizeof(expected));
	}
}

/* The importer keeps the memory of a device that the process has closed. */
static void memory_outlives_its_device(void **state)
{
	struct member *last = &members[device_count - 1];
	struct faa_bo *again;
	void *address;
	int fd;

	(void)state;
	memory[COUNTER] = 42;
	assert_int_equal(faa_bo_export(last->shared, &fd), 0);
	assert_int_equal(faa_bo_import(last->device, fd, &again), 0);
	assert_true(again == last->shared);
	faa_bo_unref(again);
	/* Back to its own device, it is the buffer that the device has. */
	assert_int_equal(faa_bo_import(members[0].device, fd, &again), 0);
	assert_true(again == members[0].shared);
	faa_bo_unref(again);
	close(fd);
	close_member(&members[0]);
	assert_int_equal(faa_bo_map(last->shared, &address), 0);
	assert_int_equal(*(uint64_t *)address & 255, 42);
	faa_stream_red(last->stream, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
		       FAA_ORDER_RELAXED, 32, faa_imm(last->shared_va + COUNTER), 0, faa_imm(1),
		       faa_none());
	submit(last);
	expect_success(last);
	assert_int_equal(*(uint64_t *)address & 255, 74);
}

#define ON_ALL(test) cmocka_unit_test_setup_teardown(test, open_all, close_all)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_by_index_and_path),
		ON_ALL(a_job_on_each),
		ON_ALL(one_counter),
		ON_ALL(exact_sums),
		ON_ALL(memory_outlives_its_device),
	};

	device_count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	if (device_count < 2 || device_count > MAX_DEVICES) {
		fprintf(stderr, "usage: %s DEVICES, from 2 to %d\n", argv[0], MAX_DEVICES);
		return 64;
	}
	return RUN_TESTS(tests, NULL, NULL);
}
