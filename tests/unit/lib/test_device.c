// SPDX-License-Identifier: MIT
/* Devices, memory, address spaces, queues and jobs, with a kernel and a device in this process. */
#include "check.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm/faa_dump.h>

#include "check_alloc.h"
#include "device.h"
#include "error.h"
#include "fake_kernel.h"
#include "fixture_fake.h"

#define BYTES (8 * PAGE)

/* The fixture with a stream at 0 and data from PAGE on. */
static int make_queue(uint32_t shared_bytes)
{
	struct faa_queue_options options = { .shared_bytes = shared_bytes, .status_entries = 64 };

	return fixture_make(BYTES, &options);
}

static int run_stream(struct faa_job_status *status)
{
	struct faa_job job = { .stream_va = va };
	int ret = faa_stream_upload(stream, bo, 0);

	if (ret)
		return ret;
	job.stream_bytes = faa_stream_bytes(stream);
	return faa_queue_run(queue, &job, FAA_NO_DEADLINE, status);
}

static void open_and_info(void **state)
{
	struct drm_faa_device_info raw;
	struct faa_device *other;
	size_t size = 0;

	(void)state;
	assert_int_equal(faa_device_info(device)->lanes, 32);
	assert_int_equal(faa_device_info(device)->version_major, 2);
	assert_true(faa_device_info(device)->shared_max >= 32768);
	assert_int_equal(faa_device_fd(device), -1);
	assert_int_equal(faa_device_query(device, 0, NULL, &size), 0);
	assert_true(size >= 96);
	assert_int_equal(faa_device_query(device, 999, NULL, &size), -EINVAL);
	size = 65537;
	assert_int_equal(faa_device_query(device, 0, &size, &size), -EINVAL);
	/* The kernel's size has 32 bits. */
	size = (1ull << 32) + sizeof(raw);
	assert_int_equal(faa_device_query(device, 0, &raw, &size), -EINVAL);
	fake_kernel_set_major(kernel, 3);
	assert_int_equal(faa_device_open_backend(fake_kernel_open(kernel), &other), -EPROTO);
	assert_null(other);
	fake_kernel_fail(kernel, 0, -ENODEV);
	assert_int_equal(faa_device_open_backend(fake_kernel_open(kernel), &other), -ENODEV);
	assert_null(other);
}

static void not_ours(void **state)
{
	struct faa_device *other;

	(void)state;
	assert_int_equal(faa_device_open_path("/dev/null", &other), -ENODEV);
	assert_null(other);
	assert_int_equal(faa_device_open_path("/nonexistent/node", &other), -ENOENT);
	assert_int_equal(faa_device_open_fd(-1, &other), -EBADF);
	assert_int_equal(faa_device_open_fd(STDERR_FILENO, &other), -ENODEV);
}

static void buffer_objects(void **state)
{
	struct faa_bo *bo, *hidden;
	uint8_t *memory;
	void *address;
	int fd;

	(void)state;
	assert_int_equal(faa_bo_create(device, 0, 0, &bo), -EINVAL);
	assert_null(bo);
	assert_int_equal(faa_bo_create(device, 1, 2, &bo), -EINVAL);
	assert_int_equal(faa_bo_create(device, 1ull << 40, 0, &bo), -ENOMEM);
	assert_int_equal(faa_bo_create(device, 4097, 0, &bo), 0);
	assert_int_equal(faa_bo_size(bo), 8192);
	assert_true(faa_bo_handle(bo) != 0);
	assert_int_equal(faa_bo_map(bo, &address), 0);
	memory = address;
	assert_int_equal(memory[0] | memory[8191], 0);
	assert_int_equal(faa_bo_map(bo, &address), 0);
	assert_ptr_equal(address, memory);
	assert_int_equal(faa_bo_create(device, 4096, FAA_BO_NO_MMAP, &hidden), 0);
	assert_int_equal(faa_bo_map(hidden, &address), -EPERM);
	assert_null(address);
	assert_ptr_equal(faa_bo_ref(bo), bo);
	faa_bo_unref(bo);
	assert_int_equal(faa_bo_export(bo, &fd), 0);
	close(fd);
	faa_bo_unref(bo);
	faa_bo_unref(hidden);
	faa_bo_unref(NULL);
}

/* Labels that the library passes to the kernel, and those that it rejects. */
static void names_of_buffers(void **state)
{
	static char text[DRM_FAA_MAX_LABEL_BYTES + 1];
	struct faa_bo *bo;

	(void)state;
	assert_int_equal(faa_bo_create(device, PAGE, 0, &bo), 0);
	assert_int_equal(faa_bo_set_label(bo, "weights"), 0);
	assert_string_equal(fake_kernel_label(kernel, faa_bo_handle(bo)), "weights");
	memset(text, 'x', DRM_FAA_MAX_LABEL_BYTES);
	assert_int_equal(faa_bo_set_label(bo, text), -E2BIG);
	assert_string_equal(faa_last_error(), "label: 4096 bytes, the most is 4095");
	assert_string_equal(fake_kernel_label(kernel, faa_bo_handle(bo)), "weights");
	assert_int_equal(faa_bo_set_label(bo, text + 1), 0);
	assert_int_equal(faa_bo_set_label(bo, NULL), 0);
	assert_string_equal(fake_kernel_label(kernel, faa_bo_handle(bo)), "");
	fake_kernel_fail(kernel, 0, -EINVAL);
	assert_int_equal(faa_bo_set_label(bo, "x"), -EOPNOTSUPP);
	faa_bo_unref(bo);
}

static void no_evil_twins(void **state)
{
	struct faa_bo *bo, *twin, *foreign, *again;
	void *address;
	int fd, memory;

	(void)state;
	assert_int_equal(faa_bo_create(device, PAGE, 0, &bo), 0);
	assert_int_equal(faa_bo_export(bo, &fd), 0);
	assert_int_equal(faa_bo_import(device, fd, &twin), 0);
	assert_ptr_equal(twin, bo);
	faa_bo_unref(bo);
	/* The twin still owns the handle. */
	assert_int_equal(faa_bo_map(twin, &address), 0);
	faa_bo_unref(twin);
	close(fd);

	memory = memfd_create("foreign", MFD_CLOEXEC);
	assert_int_equal(ftruncate(memory, 3 * PAGE), 0);
	assert_int_equal(faa_bo_import(device, memory, &foreign), 0);
	assert_int_equal(faa_bo_size(foreign), 3 * PAGE);
	assert_int_equal(faa_bo_import(device, memory, &again), 0);
	assert_ptr_equal(again, foreign);
	assert_int_equal(faa_bo_map(foreign, &address), 0);
	assert_non_null(address);
	faa_bo_unref(again);
	faa_bo_unref(foreign);
	assert_int_equal(faa_bo_import(device, memory, &again), 0);
	faa_bo_unref(again);
	close(memory);
	assert_int_equal(faa_bo_import(device, -1, &again), -EBADF);
	assert_null(again);
}

static void many_handles(void **state)
{
	struct faa_bo *bos[60];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(bos); i++)
		assert_int_equal(faa_bo_create(device, PAGE, 0, &bos[i]), 0);
	for (i = 0; i < COUNT(bos); i += 2)
		faa_bo_unref(bos[i]);
	for (i = 0; i < COUNT(bos); i += 2)
		assert_int_equal(faa_bo_create(device, PAGE, 0, &bos[i]), 0);
	for (i = 0; i < COUNT(bos); i++)
		faa_bo_unref(bos[i]);
}

static void exclusive_memory(void **state)
{
	struct faa_vm *vm;
	struct faa_bo *bo;
	int fd;

	(void)state;
	assert_int_equal(faa_vm_create(device, &vm), 0);
	assert_int_equal(faa_bo_create_exclusive(vm, PAGE, 0, &bo), 0);
	assert_int_equal(faa_bo_export(bo, &fd), -EPERM);
	assert_int_equal(fd, -1);
	faa_bo_unref(bo);
	faa_vm_unref(vm);
}

static void address_spaces(void **state)
{
	struct faa_vm *vm;
	struct faa_bo *bo, *large;
	uint64_t va, other;

	(void)state;
	assert_int_equal(faa_vm_create(device, &vm), 0);
	assert_true(faa_vm_id(vm) != 0);
	assert_int_equal(faa_bo_create(device, 4 * PAGE, 0, &bo), 0);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, 0, &va), 0);
	assert_int_equal(va, FAA_VM_GUARD);
	assert_int_equal(faa_vm_map(vm, bo, PAGE, 2 * PAGE, FAA_MAP_READONLY, &other), 0);
	assert_int_equal(other, va + 4 * PAGE);
	assert_int_equal(faa_vm_unmap(vm, other, 2 * PAGE), 0);
	assert_int_equal(faa_vm_unmap(vm, other, 2 * PAGE), -EINVAL);
	/* A part of a mapping, and the hole filled again. */
	assert_int_equal(faa_vm_unmap(vm, va + PAGE, PAGE), 0);
	assert_int_equal(faa_vm_map_fixed(vm, bo, 0, 2 * PAGE, 0, va), -EBUSY);
	assert_int_equal(faa_vm_map_fixed(vm, bo, 0, PAGE, FAA_MAP_ATOMIC, va + PAGE), 0);
	assert_int_equal(faa_vm_unmap(vm, va, 4 * PAGE), 0);
	/* Large mappings may use large pages. */
	assert_int_equal(faa_bo_create(device, 2 << 20, 0, &large), 0);
	assert_int_equal(faa_vm_map(vm, large, 0, 0, 0, &va), 0);
	assert_int_equal(va % (2 << 20), 0);
	faa_bo_unref(large);
	faa_bo_unref(bo);
	faa_vm_unref(vm);
	faa_vm_unref(NULL);
}

static void address_errors(void **state)
{
	struct faa_vm *vm;
	struct faa_bo *bo;
	uint64_t va;

	(void)state;
	assert_int_equal(faa_vm_create(device, &vm), 0);
	assert_int_equal(faa_bo_create(device, 4 * PAGE, 0, &bo), 0);
	assert_int_equal(faa_vm_map(vm, bo, 1, 0, 0, &va), -EINVAL);
	assert_int_equal(faa_vm_map(vm, bo, 4 * PAGE, 0, 0, &va), -EINVAL);
	assert_int_equal(faa_vm_map(vm, bo, 0, 5 * PAGE, 0, &va), -EINVAL);
	assert_int_equal(faa_vm_map(vm, bo, 0, 100, 0, &va), -EINVAL);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, 4, &va), -EINVAL);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, FAA_MAP_READONLY | FAA_MAP_ATOMIC, &va), -EINVAL);
	assert_int_equal(va, 0);
	assert_int_equal(faa_vm_map_fixed(vm, bo, 0, 0, 0, 0), -EINVAL);
	assert_int_equal(faa_vm_map_fixed(vm, bo, 0, 0, 0, FAA_VM_GUARD - PAGE), -EINVAL);
	assert_int_equal(faa_vm_map_fixed(vm, bo, 0, 0, 0, (1ull << 48) - PAGE), -EINVAL);
	assert_int_equal(faa_vm_map_fixed(vm, bo, 0, 0, 0, FAA_VM_GUARD + 1), -EINVAL);
	assert_int_equal(faa_vm_reserve(vm, 100, 0, &va), -EINVAL);
	assert_int_equal(faa_vm_reserve(vm, PAGE, 3 * PAGE, &va), -EINVAL);
	assert_int_equal(faa_vm_reserve(vm, 1ull << 48, 0, &va), -ENOSPC);
	/* A failed bind frees its addresses. */
	fake_kernel_fail(kernel, 0, -ENOMEM);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, 0, &va), -ENOMEM);
	fake_kernel_fail(kernel, 0, -ENOMEM);
	assert_int_equal(faa_vm_map_fixed(vm, bo, 0, 0, 0, FAA_VM_GUARD), -ENOMEM);
	assert_int_equal(faa_vm_reserve_fixed(vm, FAA_VM_GUARD, 4 * PAGE), 0);
	assert_int_equal(faa_vm_bind(vm, bo, 0, 2 * PAGE, 0, FAA_VM_GUARD + PAGE), 0);
	assert_int_equal(faa_vm_bind(vm, bo, 0, 2 * PAGE, 0, FAA_VM_GUARD + 3 * PAGE), -EINVAL);
	assert_int_equal(faa_vm_unbind(vm, FAA_VM_GUARD, 4 * PAGE), 0);
	assert_int_equal(faa_vm_unbind(vm, FAA_VM_GUARD, 5 * PAGE), -EINVAL);
	assert_int_equal(faa_vm_release(vm, FAA_VM_GUARD, 4 * PAGE), 0);
	faa_bo_unref(bo);
	faa_vm_unref(vm);
}

static void histogram_of_bytes(void **state)
{
	uint32_t expected[256] = { 0 }, *bins;
	struct faa_job_status status;
	unsigned int i;

	(void)state;
	assert_int_equal(make_queue(1024), 0);
	for (i = 0; i < 1000; i++) {
		memory[PAGE + i] = i * i / 7;
		expected[memory[PAGE + i]]++;
	}
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1000, faa_none(),
			 faa_scaled(faa_array_u8(va + PAGE, 1), 2, 0), 0, faa_imm(1), faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, 256, faa_array_u32(va + 2 * PAGE, 4), faa_affine(0, 4),
		       0);
	faa_stream_end(stream);
	assert_int_equal(run_stream(&status), 0);
	bins = (uint32_t *)(memory + 2 * PAGE);
	for (i = 0; i < 256; i++)
		assert_int_equal(bins[i], expected[i]);
	assert_int_equal(status.seqno, 1);
	assert_int_equal(status.elements_retired, 1256);
	assert_int_equal(status.warps, 32 + 8);
	assert_true(status.end_cycle > status.start_cycle);
}

static void counters_of_a_job(void **state)
{
	struct faa_counters before, after, diff;

	(void)state;
	assert_int_equal(make_queue(1024), 0);
	faa_stream_snapshot(stream, va + PAGE);
	faa_stream_sts(stream, FAA_TYPE_U32, 100, faa_affine(0, 4), 0, faa_imm(7));
	faa_stream_snapshot(stream, va + PAGE + FAA_SNAPSHOT_BYTES);
	faa_stream_end(stream);
	assert_int_equal(run_stream(NULL), 0);
	faa_counters_read(memory + PAGE, &before);
	faa_counters_read(memory + PAGE + FAA_SNAPSHOT_BYTES, &after);
	faa_counters_diff(&before, &after, &diff);
	assert_int_equal(diff.value[FAA_COUNTER_ELEMENTS], 100);
	assert_int_equal(diff.value[FAA_COUNTER_WARPS], 4);
	assert_int_equal(diff.value[FAA_COUNTER_PASSES], 4);
	assert_int_equal(diff.value[FAA_COUNTER_COMMANDS], 2);
}

static void a_bad_job_in_words(void **state)
{
	struct faa_job_status status;
	const uint64_t *words;
	char text[256];
	size_t count;

	(void)state;
	assert_int_equal(make_queue(1024), 0);
	faa_stream_nop(stream);
	/* Element e at 4 e, except element 99 at 2. */
	faa_stream_sts(stream, FAA_TYPE_U32, 64, faa_affine(0, 4), 0, faa_imm(1));
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 128, faa_none(),
			 faa_array_u32(va + PAGE, 4), 0, faa_imm(1), faa_none());
	faa_stream_end(stream);
	((uint32_t *)(memory + PAGE))[99] = 2;
	assert_int_equal(run_stream(&status), -EINVAL);
	words = faa_stream_words(stream, &count);
	faa_status_format(&status, words, count, text, sizeof(text));
	assert_string_equal(text, "job 1: misaligned address 0x2 at command 2, element 99, lane 3");
	assert_int_equal(status.elements_retired, 64 + 96);
	/* The next job of the queue runs. */
	faa_stream_reset(stream);
	faa_stream_end(stream);
	assert_int_equal(run_stream(&status), 0);
	assert_int_equal(status.seqno, 2);
}

static void restart_after_a_fault(void **state)
{
	uint32_t *data, *result;
	struct faa_job_status status;
	struct faa_job job = { 0 };
	const uint64_t *words;
	uint64_t items;
	size_t count, i;

	(void)state;
	assert_int_equal(make_queue(128), 0);
	/* Two pages of items, of which the second is not mapped at first. */
	assert_int_equal(faa_vm_reserve(vm, 2 * PAGE, 0, &items), 0);
	assert_int_equal(faa_vm_bind(vm, bo, PAGE, PAGE, 0, items), 0);
	data = (uint32_t *)(memory + PAGE);
	for (i = 0; i < 2048; i++)
		data[i] = i;
	faa_stream_mov(stream, FAA_TYPE_U32, 32, faa_reg(3), faa_imm(0));
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 2048, faa_none(), faa_none(), 0x10,
			 faa_array_u32(items, 4), faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, 1, faa_array_u32(va + 4 * PAGE, 4), faa_none(), 0x10);
	faa_stream_end(stream);
	assert_int_equal(run_stream(&status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_MAPPED);
	assert_int_equal(status.element, 1024);
	assert_int_equal(status.address, items + PAGE);
	job.stream_va = va;
	job.stream_bytes = faa_stream_bytes(stream);
	words = faa_stream_words(stream, &count);
	assert_int_equal(faa_status_restart(&status, words, count, &job), 0);
	assert_int_equal(job.stream_va, va + 32);
	assert_int_equal(job.first_element, 1024);
	assert_int_equal(faa_vm_bind(vm, bo, 2 * PAGE, PAGE, 0, items + PAGE), 0);
	assert_int_equal(faa_queue_run(queue, &job, FAA_NO_DEADLINE, &status), 0);
	assert_int_equal(status.elements_retired, 1024 + 1);
	result = (uint32_t *)(memory + 4 * PAGE);
	/* Every element once, none twice. */
	assert_int_equal(*result, 2047 * 2048 / 2);
}

/* A stream that adds @value to the first word of shared memory and stores it at @at. */
static void build_add(uint32_t value, uint64_t at)
{
	faa_stream_reset(stream);
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, faa_none(), faa_none(), 0,
			 faa_imm(value), faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, 1, faa_array_u32(at, 4), faa_none(), 0);
	faa_stream_end(stream);
}

static void several_jobs_and_a_timeline(void **state)
{
	struct faa_queue_options options = { .shared_bytes = 128 };
	struct faa_sync waits, signals[2];
	struct faa_job jobs[3] = { { 0 } };
	struct faa_queue *second;
	uint32_t binary, timeline;
	uint64_t first, point;

	(void)state;
	assert_int_equal(make_queue(128), 0);
	assert_int_equal(faa_queue_create(vm, &options, &second), 0);
	assert_int_equal(faa_syncobj_create(device, false, &binary), 0);
	assert_int_equal(faa_syncobj_create(device, false, &timeline), 0);
	build_add(5, va + PAGE);
	assert_int_equal(faa_stream_upload(stream, bo, 0), 0);
	jobs[0].stream_va = jobs[1].stream_va = jobs[2].stream_va = va;
	jobs[0].stream_bytes = jobs[1].stream_bytes = jobs[2].stream_bytes =
		faa_stream_bytes(stream);
	signals[0] = (struct faa_sync){ FAA_SYNC_SIGNAL, binary, 0 };
	signals[1] = (struct faa_sync){ FAA_SYNC_SIGNAL | FAA_SYNC_TIMELINE, timeline, 77 };
	jobs[2].syncs = signals;
	jobs[2].sync_count = 2;
	fake_kernel_hold(kernel, true);
	assert_int_equal(faa_queue_submit(queue, jobs, 3, &first), 0);
	assert_int_equal(first, 1);
	assert_int_equal(faa_syncobj_wait(device, &binary, NULL, 1, true, 0), -ETIME);
	fake_kernel_hold(kernel, false);
	/* A job of the other queue after the third job of the first. */
	waits = (struct faa_sync){ FAA_SYNC_TIMELINE, faa_queue_syncobj(queue), 3 };
	jobs[0].syncs = &waits;
	jobs[0].sync_count = 1;
	assert_int_equal(faa_queue_submit(second, jobs, 1, &first), 0);
	assert_int_equal(faa_queue_wait(second, 1, FAA_NO_DEADLINE), 0);
	point = 77;
	assert_int_equal(faa_syncobj_wait(device, &timeline, &point, 1, true, 0), 0);
	assert_int_equal(faa_syncobj_wait(device, &binary, NULL, 1, true, 0), 0);
	assert_int_equal(faa_syncobj_query(device, timeline, &point), 0);
	assert_int_equal(point, 77);
	/* The last job to store was the second queue's, with shared memory of its own. */
	assert_int_equal(*(uint32_t *)(memory + PAGE), 5);
	assert_int_equal(faa_syncobj_signal(device, timeline, 99), 0);
	assert_int_equal(faa_syncobj_query(device, timeline, &point), 0);
	assert_int_equal(point, 99);
	assert_int_equal(faa_syncobj_destroy(device, binary), 0);
	assert_int_equal(faa_syncobj_destroy(device, timeline), 0);
	faa_queue_destroy(second);
}

static void waits_and_deadlines(void **state)
{
	struct faa_job job = { 0 };
	struct faa_job_status status;
	struct faa_queue_info info;
	uint64_t seqno;

	(void)state;
	assert_int_equal(make_queue(128), 0);
	build_add(1, va + PAGE);
	assert_int_equal(faa_stream_upload(stream, bo, 0), 0);
	job.stream_va = va;
	job.stream_bytes = faa_stream_bytes(stream);
	assert_int_equal(faa_queue_wait(queue, 1, 0), -EINVAL);
	assert_int_equal(faa_queue_status(queue, 1, &status), -EINVAL);
	fake_kernel_hold(kernel, true);
	assert_int_equal(faa_queue_submit(queue, &job, 1, &seqno), 0);
	assert_int_equal(faa_queue_wait(queue, seqno, faa_deadline(1000)), -ETIME);
	assert_int_equal(faa_queue_status(queue, seqno, &status), -EBUSY);
	assert_int_equal(status.seqno, seqno);
	assert_int_equal(status.code, FAA_JOB_UNFINISHED);
	assert_int_equal(faa_queue_run(queue, &job, 0, &status), -ETIME);
	assert_int_equal(status.seqno, 2);
	assert_int_equal(status.code, FAA_JOB_UNFINISHED);
	assert_int_equal(faa_queue_wait(queue, 0, 0), -EINVAL);
	assert_int_equal(faa_queue_wait(queue, 3, 0), -EINVAL);
	fake_kernel_hold(kernel, false);
	assert_int_equal(faa_queue_wait(queue, 2, FAA_NO_DEADLINE), 0);
	assert_int_equal(faa_queue_status(queue, 1, &status), 0);
	assert_int_equal(faa_queue_info(queue, &info), 0);
	assert_int_equal(info.submitted, 2);
	assert_int_equal(info.completed, 2);
}

static void dumps(void **state)
{
	struct faa_dump_header header;
	void *dump;
	size_t size;

	(void)state;
	assert_int_equal(make_queue(128), 0);
	assert_int_equal(faa_queue_dump(queue, &dump, &size), 0);
	assert_int_equal(size, sizeof(header));
	memcpy(&header, dump, sizeof(header));
	assert_true(le64toh(header.magic) == FAA_DUMP_MAGIC);
	free(dump);
	fake_kernel_fail(kernel, 0, -EINVAL);
	assert_int_equal(faa_queue_dump(queue, &dump, &size), -EOPNOTSUPP);
	assert_null(dump);
	assert_int_equal(size, 0);
}

static void status_ring_is_finite(void **state)
{
	struct faa_job jobs[64] = { { 0 } };
	struct faa_job_status status;
	unsigned int i;

	(void)state;
	assert_int_equal(make_queue(128), 0);
	faa_stream_end(stream);
	assert_int_equal(faa_stream_upload(stream, bo, 0), 0);
	for (i = 0; i < 64; i++)
		jobs[i] = (struct faa_job){ .stream_va = va, .stream_bytes = 8 };
	fake_kernel_hold(kernel, true);
	assert_int_equal(faa_queue_submit(queue, jobs, 64, NULL), 0);
	assert_int_equal(faa_queue_submit(queue, jobs, 1, NULL), -ENOSPC);
	fake_kernel_hold(kernel, false);
	assert_int_equal(faa_queue_wait(queue, 64, FAA_NO_DEADLINE), 0);
	assert_int_equal(faa_queue_status(queue, 1, &status), 0);
	assert_int_equal(faa_queue_run(queue, jobs, FAA_NO_DEADLINE, &status), 0);
	assert_int_equal(status.seqno, 65);
	assert_int_equal(faa_queue_status(queue, 1, &status), -ENODATA);
	assert_int_equal(faa_queue_status(queue, 2, &status), 0);
}

static void submit_errors(void **state)
{
	struct faa_sync syncs[8] = { { 0 } };
	struct faa_job job = { .stream_va = FAA_VM_GUARD, .stream_bytes = 8 };
	struct faa_queue *other;
	struct faa_queue_options options = { .shared_bytes = 100 };
	uint64_t seqno = 9;

	(void)state;
	assert_int_equal(make_queue(128), 0);
	assert_int_equal(faa_queue_submit(queue, &job, 0, &seqno), -EINVAL);
	assert_int_equal(seqno, 0);
	assert_int_equal(faa_queue_submit(queue, &job, 65, NULL), -EINVAL);
	job.syncs = syncs;
	job.sync_count = 8;
	assert_int_equal(faa_queue_submit(queue, &job, 1, NULL), -EINVAL);
	job.sync_count = 1;
	syncs[0].handle = 20;
	assert_int_equal(faa_queue_submit(queue, &job, 1, NULL), -ENOENT);
	/* No job is going to signal the other queue's first point. */
	syncs[0] = (struct faa_sync){ FAA_SYNC_TIMELINE, faa_queue_syncobj(queue), 1 };
	assert_int_equal(faa_queue_submit(queue, &job, 1, NULL), -EAGAIN);
	job.sync_count = 0;
	job.stream_bytes = 12;
	assert_int_equal(faa_queue_run(queue, &job, 0, NULL), -EINVAL);
	/* A failed submission takes no sequence number. */
	faa_stream_end(stream);
	assert_int_equal(run_stream(NULL), 0);
	assert_int_equal(faa_queue_create(vm, &options, &other), -EINVAL);
	assert_null(other);
	options = (struct faa_queue_options){ .high_priority = true };
	assert_int_equal(faa_queue_create(vm, &options, &other), -EACCES);
	options.low_priority = true;
	assert_int_equal(faa_queue_create(vm, &options, &other), -EINVAL);
}

/* The stream as job @place of a group, in a part of the BO of its own. */
static struct faa_job take_stream(unsigned int place)
{
	struct faa_job job = { .stream_va = va + 256 * place };

	assert_int_equal(faa_stream_upload(stream, bo, 256 * place), 0);
	job.stream_bytes = faa_stream_bytes(stream);
	faa_stream_reset(stream);
	return job;
}

static void group_errors(void **state)
{
	uint32_t slots = faa_device_info(device)->warp_slots, i;
	struct faa_job_status statuses[FAA_MAX_SLOTS + 1];
	struct faa_job jobs[FAA_MAX_SLOTS + 1];
	struct faa_sync wait;
	uint64_t seqno;

	(void)state;
	assert_int_equal(make_queue(128), 0);
	faa_stream_end(stream);
	jobs[0] = take_stream(0);
	for (i = 1; i <= FAA_MAX_SLOTS; i++)
		jobs[i] = jobs[0];
	assert_int_equal(faa_queue_run_group(queue, jobs, 0, 0, NULL), -EINVAL);
	memset(statuses, 0xff, sizeof(statuses));
	assert_int_equal(faa_queue_run_group(queue, jobs, slots + 1, 0, statuses), -EINVAL);
	for (i = 0; i <= slots; i++) {
		assert_int_equal(statuses[i].seqno, 0);
		assert_int_equal(statuses[i].code, FAA_JOB_NOT_SUBMITTED);
	}
	/* A group without an end; an unknown flag. */
	jobs[0].flags = FAA_JOB_TOGETHER;
	assert_int_equal(faa_queue_submit(queue, jobs, 1, &seqno), -EINVAL);
	jobs[0].flags = FAA_JOB_TOGETHER << 1;
	assert_int_equal(faa_queue_submit(queue, jobs, 2, &seqno), -EINVAL);
	/* The library ignores the flag of the last job: a group of one job is a job. */
	jobs[0].flags = FAA_JOB_TOGETHER;
	assert_int_equal(faa_queue_run_group(queue, jobs, 1, FAA_NO_DEADLINE, statuses), 0);
	assert_int_equal(statuses[0].seqno, 1);
	assert_int_equal(statuses[0].code, FAA_ERROR_SUCCESS);
	if (slots > 1) {
		/* Only the first may wait. */
		wait = (struct faa_sync){ FAA_SYNC_TIMELINE, faa_queue_syncobj(queue), 1 };
		jobs[1].syncs = &wait;
		jobs[1].sync_count = 1;
		assert_int_equal(faa_queue_submit(queue, jobs, 2, &seqno), -EINVAL);
		assert_int_equal(seqno, 0);
		jobs[0].syncs = &wait;
		jobs[0].sync_count = 1;
		jobs[1].sync_count = 0;
		assert_int_equal(faa_queue_run_group(queue, jobs, 2, FAA_NO_DEADLINE, statuses), 0);
		assert_int_equal(statuses[0].seqno, 2);
		assert_int_equal(statuses[1].seqno, 3);
	}
	/* A stream in the last bytes of the address space is accepted, and is unmapped. */
	jobs[0] = (struct faa_job){ .stream_va = (1ull << 48) - 8, .stream_bytes = 8 };
	assert_int_equal(faa_queue_run(queue, &jobs[0], FAA_NO_DEADLINE, statuses), -EFAULT);
	assert_int_equal(statuses[0].code, FAA_ERROR_NOT_MAPPED);
}

/* Both streams wait at BAR, so they cannot have run one after the other. */
static void group_meets_at_a_barrier(void **state)
{
	struct faa_job_status statuses[2];
	struct faa_job jobs[2];

	(void)state;
	if (faa_device_info(device)->warp_slots < 2)
		skip();
	assert_int_equal(make_queue(128), 0);
	faa_stream_sts(stream, FAA_TYPE_U32, 1, faa_none(), 0, faa_imm(5));
	faa_stream_bar(stream);
	faa_stream_lds(stream, FAA_TYPE_U32, 1, faa_array_u32(va + PAGE, 4), faa_none(), 4);
	faa_stream_end(stream);
	jobs[0] = take_stream(0);
	faa_stream_sts(stream, FAA_TYPE_U32, 1, faa_none(), 4, faa_imm(6));
	faa_stream_bar(stream);
	faa_stream_lds(stream, FAA_TYPE_U32, 1, faa_array_u32(va + PAGE + 4, 4), faa_none(), 0);
	faa_stream_end(stream);
	jobs[1] = take_stream(1);
	assert_int_equal(faa_queue_run_group(queue, jobs, 2, FAA_NO_DEADLINE, statuses), 0);
	/* The group has ended with its last job. */
	assert_int_equal(fake_kernel_waited(kernel), 2);
	assert_int_equal(statuses[0].seqno, 1);
	assert_int_equal(statuses[0].elements_retired, 2);
	assert_int_equal(statuses[1].seqno, 2);
	assert_int_equal(*(uint32_t *)(memory + PAGE), 6);
	assert_int_equal(*(uint32_t *)(memory + PAGE + 4), 5);
}

static void group_fails_together(void **state)
{
	struct faa_job_status statuses[2];
	struct faa_job jobs[2];
	char text[128];

	(void)state;
	if (faa_device_info(device)->warp_slots < 2)
		skip();
	assert_int_equal(make_queue(128), 0);
	/* Waits for a stream that has ended. */
	faa_stream_bar(stream);
	faa_stream_sts(stream, FAA_TYPE_U32, 1, faa_none(), 0, faa_imm(5));
	faa_stream_end(stream);
	jobs[0] = take_stream(0);
	faa_stream_ld(stream, FAA_TYPE_U32, 1, faa_reg(0), faa_none(), 0);
	faa_stream_bar(stream);
	faa_stream_end(stream);
	jobs[1] = take_stream(1);
	assert_int_equal(faa_queue_run_group(queue, jobs, 2, FAA_NO_DEADLINE, statuses), -EFAULT);
	assert_int_equal(statuses[0].code, FAA_ERROR_STOPPED);
	assert_int_equal(statuses[0].command, 0);
	assert_int_equal(faa_status_errno(&statuses[0]), -ECANCELED);
	faa_status_format(&statuses[0], NULL, 0, text, sizeof(text));
	assert_string_equal(text, "job 1: stopped because another stream of the job failed before "
				  "the command at byte 0x0, element 0");
	assert_int_equal(statuses[1].code, FAA_ERROR_NOT_MAPPED);
	/* The queue continues to work. */
	faa_stream_end(stream);
	assert_int_equal(run_stream(statuses), 0);
}

static void upload_errors(void **state)
{

	(void)state;
	assert_int_equal(make_queue(128), 0);
	assert_int_equal(faa_stream_upload(stream, bo, 0), -EINVAL);
	faa_stream_reset(stream);
	faa_stream_end(stream);
	assert_int_equal(faa_stream_upload(stream, bo, 4), -EINVAL);
	assert_int_equal(faa_stream_upload(stream, bo, BYTES), -ENOSPC);
	assert_int_equal(faa_stream_upload(stream, bo, BYTES + 8), -ENOSPC);
	assert_int_equal(faa_stream_upload(stream, bo, BYTES - 8), 0);
	assert_int_equal(*(uint64_t *)(memory + BYTES - 8), 0xfc070102);
}

/* Objects may be released in any order: each is kept while another one needs it. */
static void release_in_any_order(void **state)
{
	struct faa_device *mine = faa_device_ref(device);
	struct faa_job_status status;

	(void)state;
	assert_int_equal(make_queue(128), 0);
	faa_device_unref(mine);
	faa_vm_unref(vm);
	faa_stream_end(stream);
	assert_int_equal(run_stream(&status), 0);
	vm = NULL;
}

/* Makes every call of the library to the kernel in one run. */
static int whole_run(void)
{
	struct faa_bo *imported = NULL;
	uint32_t syncobj = 0;
	uint64_t point;
	int fd = -1, ret;

	ret = make_queue(128);
	if (!ret)
		ret = faa_bo_export(bo, &fd);
	if (!ret)
		ret = faa_bo_import(device, fd, &imported);
	if (!ret)
		ret = faa_syncobj_create(device, true, &syncobj);
	if (!ret)
		ret = faa_syncobj_signal(device, syncobj, 5);
	if (!ret)
		ret = faa_syncobj_query(device, syncobj, &point);
	if (!ret) {
		build_add(5, va + PAGE);
		ret = run_stream(NULL);
	}
	if (!ret)
		ret = faa_vm_unmap(vm, va, BYTES);
	if (fd >= 0)
		close(fd);
	if (syncobj)
		faa_syncobj_destroy(device, syncobj);
	faa_bo_unref(imported);
	fixture_release();
	return ret;
}

/* Each call into the kernel fails once: the error is returned, and no object leaks. */
static void every_call_fails_once(void **state)
{
	unsigned int nth;
	int ret;

	(void)state;
	for (nth = 0;; nth++) {
		fake_kernel_fail(kernel, nth, -EXDEV);
		faa_fail(0, "an old sentence");
		ret = whole_run();
		assert_int_equal(fake_kernel_live(kernel), 0);
		if (!fake_kernel_failed(kernel))
			break;
		assert_int_equal(ret, -EXDEV);
		assert_non_null(strstr(faa_last_error(), strerror(EXDEV)));
	}
	assert_int_equal(ret, 0);
	assert_true(nth >= 15);
	print_message("%u calls failed, one at a time\n", nth);
}

#ifdef CHECK_ALLOC
/* The same for each allocation of the library. */
static void every_allocation_fails_once(void **state)
{
	unsigned int nth;
	int ret;

	(void)state;
	for (nth = 0;; nth++) {
		/* A new device each time, since later uses of one allocate less. */
		struct fake_kernel *own = fake_kernel_create();
		struct faa_device *shared = device;

		check_alloc_fail(nth);
		faa_fail(0, "an old sentence");
		ret = faa_device_open_backend(fake_kernel_open(own), &device);
		if (!ret)
			ret = whole_run();
		faa_device_unref(device);
		device = shared;
		assert_int_equal(fake_kernel_live(own), 0);
		fake_kernel_destroy(own);
		if (!check_alloc_failed())
			break;
		assert_int_equal(ret, -ENOMEM);
		assert_non_null(strstr(faa_last_error(), "no memory"));
	}
	assert_int_equal(ret, 0);
	assert_true(nth >= 10);
	print_message("%u allocations failed, one at a time\n", nth);
}
#endif

static void import_fails_half_way(void **state)
{
	int fd = memfd_create("foreign", MFD_CLOEXEC);
	struct faa_bo *bo;

	(void)state;
	assert_int_equal(ftruncate(fd, PAGE), 0);
	/* The handle was created, but the query of its size fails. */
	fake_kernel_fail(kernel, 1, -ENOMEM);
	assert_int_equal(faa_bo_import(device, fd, &bo), -ENOMEM);
	assert_null(bo);
	assert_int_equal(fake_kernel_live(kernel), 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(open_and_info, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(not_ours, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(buffer_objects, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(names_of_buffers, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(no_evil_twins, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(many_handles, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(exclusive_memory, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(address_spaces, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(address_errors, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(histogram_of_bytes, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(counters_of_a_job, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(a_bad_job_in_words, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(restart_after_a_fault, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(several_jobs_and_a_timeline, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(dumps, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(waits_and_deadlines, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(status_ring_is_finite, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(submit_errors, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(group_errors, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(group_meets_at_a_barrier, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(group_fails_together, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(upload_errors, fixture_open_device, fixture_close),
		cmocka_unit_test_setup_teardown(release_in_any_order, fixture_open_device,
						fixture_close),
		cmocka_unit_test_setup_teardown(every_call_fails_once, fixture_open_device,
						fixture_close),
#ifdef CHECK_ALLOC
		cmocka_unit_test_setup_teardown(every_allocation_fails_once, fixture_open_device,
						fixture_close),
#endif
		cmocka_unit_test_setup_teardown(import_fails_half_way, fixture_open_device,
						fixture_close),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
