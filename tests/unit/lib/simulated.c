// SPDX-License-Identifier: MIT
/*
 * faa_device_open_simulated(): a device in a machine of its own, for a program outside of the
 * machine.
 */
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faa.h"

#define BYTES (3u << 20)
#define ITEMS 1000
/* Time limit of these tests in nanoseconds; an RTL engine is slow. */
#define PATIENCE 60000000000

static const char *engine = "--engine=model";

static struct faa_device *open_device(void)
{
	const char *arguments[] = { engine, NULL };
	struct faa_simulation simulation = { .arguments = arguments };
	struct faa_device *device;

	assert_int_equal(faa_device_open_simulated(&simulation, &device), 0);
	assert_int_equal(faa_device_fd(device), -1);
	return device;
}

/* Adds items of the BO in shared memory, and stores the sum after them. */
static int run_sum(struct faa_vm *vm, struct faa_bo *bo, uint64_t va)
{
	struct faa_queue_options options = { .shared_bytes = 128 };
	struct faa_job_status status;
	struct faa_job job = { .stream_va = va + BYTES - 4096 };
	struct faa_stream *stream;
	struct faa_queue *queue;
	void *dump;
	size_t size;
	int ret;

	assert_int_equal(faa_stream_create(&stream), 0);
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, ITEMS, faa_none(), faa_none(), 0,
			 faa_array_u32(va, 4), faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, 1, faa_array_u32(va + 4 * ITEMS, 4), faa_none(), 0);
	faa_stream_end(stream);
	assert_int_equal(faa_stream_upload(stream, bo, BYTES - 4096), 0);
	job.stream_bytes = (uint32_t)faa_stream_bytes(stream);
	assert_int_equal(faa_queue_create(vm, &options, &queue), 0);
	ret = faa_queue_run(queue, &job, faa_deadline(PATIENCE), &status);
	assert_int_equal(faa_queue_dump(queue, &dump, &size), 0);
	assert_memory_equal(dump, "faadump", 8);
	free(dump);
	faa_queue_destroy(queue);
	faa_stream_destroy(stream);
	return ret;
}

static void test_job(void **state)
{
	struct faa_device *device = open_device();
	struct faa_vm *vm;
	struct faa_bo *bo;
	uint32_t *items, i;
	void *memory;
	uint64_t va;

	assert_int_equal(faa_vm_create(device, &vm), 0);
	assert_int_equal(faa_bo_create(device, BYTES, 0, &bo), 0);
	assert_int_equal(faa_bo_map(bo, &memory), 0);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, FAA_MAP_ATOMIC, &va), 0);
	items = memory;
	for (i = 0; i < ITEMS; i++)
		items[i] = i;
	assert_int_equal(run_sum(vm, bo, va), 0);
	assert_int_equal(items[ITEMS], ITEMS * (ITEMS - 1) / 2);
	/* A part of the BO at another address: the same pages. */
	assert_int_equal(faa_vm_unmap(vm, va, BYTES), 0);
	assert_int_equal(run_sum(vm, bo, va), -EFAULT);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, 0, &va), 0);
	items[0] = 7;
	assert_int_equal(run_sum(vm, bo, va), 0);
	assert_int_equal(items[ITEMS], ITEMS * (ITEMS - 1) / 2 + 7);
	assert_int_equal(faa_vm_unmap(vm, va, BYTES), 0);
	faa_bo_unref(bo);
	faa_vm_unref(vm);
	faa_device_unref(device);
}

static void test_syncobj(void **state)
{
	struct faa_device *device = open_device();
	uint64_t point = 3, value;
	uint32_t handle;

	assert_int_equal(faa_syncobj_create(device, false, &handle), 0);
	assert_int_equal(faa_syncobj_wait(device, &handle, &point, 1, true, faa_deadline(50000000)),
			 -ETIME);
	assert_int_equal(faa_syncobj_signal(device, handle, 3), 0);
	assert_int_equal(faa_syncobj_wait(device, &handle, &point, 1, true, 0), 0);
	assert_int_equal(faa_syncobj_query(device, handle, &value), 0);
	assert_int_equal(value, 3);
	assert_int_equal(faa_syncobj_destroy(device, handle), 0);
	assert_int_equal(faa_syncobj_wait(device, &handle, &point, 1, true, 0), -ENOENT);
	faa_device_unref(device);
}

static void test_not_supported(void **state)
{
	struct faa_device *device = open_device();
	void *memory = aligned_alloc(4096, 4096);
	struct faa_counters_stream *counters;
	struct faa_vm *vm, *shared;
	struct faa_bo *bo;
	uint64_t va;
	int fd;

	assert_non_null(memory);
	memset(memory, 0, 4096);
	assert_int_equal(faa_vm_create(device, &vm), 0);
	assert_int_equal(faa_vm_create(device, &shared), 0);
	assert_int_equal(faa_vm_map_userptr(vm, memory, 4096, 0, &va), -EOPNOTSUPP);
	assert_string_not_equal(faa_last_error(), "");
	assert_int_equal(faa_vm_share_process(shared), -EOPNOTSUPP);
	assert_int_equal(faa_bo_create(device, 1, 0, &bo), 0);
	assert_int_equal(faa_bo_size(bo), 4096);
	assert_int_equal(faa_bo_set_label(bo, "a name"), -EOPNOTSUPP);
	assert_int_equal(faa_bo_export(bo, &fd), -EOPNOTSUPP);
	assert_int_equal(faa_bo_import(device, 0, &bo), -EOPNOTSUPP);
	assert_int_equal(faa_counters_open(device, 1000000, 1, &counters), -EOPNOTSUPP);
	assert_int_equal(faa_bo_create(device, 1ull << 40, 0, &bo), -ENOMEM);
	faa_vm_unref(shared);
	faa_vm_unref(vm);
	faa_device_unref(device);
	free(memory);
}

/* Two machines at a time; the end of one does not affect the other. A child has neither. */
static void test_processes(void **state)
{
	struct faa_device *one = open_device(), *other = open_device();
	struct faa_vm *vm;
	int status;
	pid_t pid;

	faa_device_unref(one);
	pid = fork();
	if (!pid) {
		int ret = faa_vm_create(other, &vm);

		faa_device_unref(other);
		_exit(ret == -EPERM ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(faa_vm_create(other, &vm), 0);
	faa_vm_unref(vm);
	faa_device_unref(other);
}

static void test_no_machine(void **state)
{
	const char *arguments[] = { "--engine=steam", NULL };
	struct faa_simulation simulation = { .runner = "/nowhere/faa-run" };
	struct faa_device *device;

	assert_int_equal(faa_device_open_simulated(&simulation, &device), -ENOENT);
	assert_null(device);
	assert_non_null(strstr(faa_last_error(), "/nowhere/faa-run"));
	simulation = (struct faa_simulation){ .arguments = arguments };
	assert_int_equal(faa_device_open_simulated(&simulation, &device), -ENODEV);
	assert_null(device);
	assert_non_null(strstr(faa_last_error(), "faa-run"));
}

/* The machine is ended from outside: the device is lost, and the program continues. */
static void test_lost(void **state)
{
	struct faa_device *device = open_device();
	struct faa_vm *vm;
	char command[64];

	assert_int_equal(faa_vm_create(device, &vm), 0);
	snprintf(command, sizeof(command), "pkill -TERM -P %d faa-run", (int)getpid());
	assert_int_equal(system(command), 0);
	while (!faa_vm_create(device, &vm))
		usleep(10000);
	assert_int_equal(faa_vm_create(device, &vm), -ENODEV);
	faa_device_unref(device);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_job),	      cmocka_unit_test(test_syncobj),
		cmocka_unit_test(test_not_supported), cmocka_unit_test(test_processes),
		cmocka_unit_test(test_no_machine),    cmocka_unit_test(test_lost),
	};

	if (argc > 1)
		engine = argv[1];
	return RUN_TESTS(tests, NULL, NULL);
}
