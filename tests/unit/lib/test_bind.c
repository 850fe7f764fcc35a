// SPDX-License-Identifier: MIT
/* Mappings of process memory and null pages, several at a time, and after fences. */
#include "check.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "device.h"
#include "fake_kernel.h"
#include "fixture_fake.h"

static int setup(void **state)
{
	(void)state;
	fixture_open(4 * PAGE, NULL);
	return 0;
}

/* Copies @count words from @from to @to, both in the VM; returns the errno of the job. */
static int copy(uint64_t to, uint64_t from, uint32_t count, const struct faa_sync *syncs,
		uint32_t sync_count)
{
	struct faa_stream *stream;
	struct faa_job job = { .stream_va = va, .syncs = syncs, .sync_count = sync_count };
	int ret;

	assert_int_equal(faa_stream_create(&stream), 0);
	faa_stream_mov(stream, FAA_TYPE_U32, count, faa_array_u32(to, 4), faa_array_u32(from, 4));
	faa_stream_end(stream);
	assert_int_equal(faa_stream_upload(stream, bo, 0), 0);
	job.stream_bytes = faa_stream_bytes(stream);
	faa_stream_destroy(stream);
	ret = faa_queue_run(queue, &job, FAA_NO_DEADLINE, NULL);
	return ret;
}

static void memory_of_the_process(void **state)
{
	uint32_t *data = fake_kernel_memory(kernel, 4 * PAGE);
	uint64_t at;

	(void)state;
	data[0] = 77;
	data[4095] = 78;
	assert_int_equal(faa_vm_map_userptr(vm, data, 4 * PAGE, 0, &at), 0);
	assert_int_equal(copy(at + 4, at, 1, NULL, 0), 0);
	assert_int_equal(copy(at + 8, at + 4 * 4095, 1, NULL, 0), 0);
	assert_int_equal(data[1], 77);
	assert_int_equal(data[2], 78);
	assert_int_equal(faa_vm_unmap(vm, at, 4 * PAGE), 0);
	assert_int_equal(copy(va + PAGE, at, 1, NULL, 0), -EFAULT);
	assert_int_equal(faa_vm_map_userptr(vm, data, 4 * PAGE, FAA_MAP_READONLY, &at), 0);
	assert_int_equal(copy(va + PAGE, at, 1, NULL, 0), 0);
	assert_int_equal(copy(at, va + PAGE, 1, NULL, 0), -EFAULT);
	assert_int_equal(mprotect(data, PAGE, PROT_READ), 0);
	assert_int_equal(faa_vm_map_userptr(vm, data, 4 * PAGE, 0, &at), -EPERM);
	assert_int_equal(at, 0);
	assert_int_equal(mprotect(data, PAGE, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(faa_vm_map_userptr(vm, (char *)data + 8, PAGE, 0, &at), -EINVAL);
	assert_int_equal(faa_vm_map_userptr(vm, data, PAGE + 8, 0, &at), -EINVAL);
	assert_int_equal(faa_vm_map_userptr(vm, data, 0, 0, &at), -EINVAL);
	assert_int_equal(faa_vm_map_userptr(vm, NULL, PAGE, 0, &at), -EINVAL);
	assert_int_equal(faa_vm_map_userptr(vm, data, PAGE, 8, &at), -EINVAL);
	assert_int_equal(faa_vm_map_userptr(vm, data, PAGE, FAA_MAP_READONLY | FAA_MAP_ATOMIC, &at),
			 -EINVAL);
	assert_int_equal(faa_vm_map_userptr(vm, (void *)0x7000, PAGE, 0, &at), -EFAULT);
	/* FAULTABLE is valid for process memory only. */
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, FAA_MAP_FAULTABLE, &at), -EINVAL);
}

static void nothing_at_all(void **state)
{
	uint64_t at;

	(void)state;
	memset(memory + PAGE, 0x55, PAGE);
	assert_int_equal(faa_vm_map_null(vm, 16 * PAGE, 0, &at), 0);
	assert_int_equal(copy(at, va + PAGE, 1024, NULL, 0), 0);
	assert_int_equal(copy(va + PAGE, at, 512, NULL, 0), 0);
	assert_int_equal(((uint32_t *)(memory + PAGE))[511], 0);
	assert_int_equal(((uint32_t *)(memory + PAGE))[512], 0x55555555);
	assert_int_equal(faa_vm_unmap(vm, at, 16 * PAGE), 0);
	assert_int_equal(faa_vm_map_null(vm, 16 * PAGE, FAA_MAP_READONLY, &at), 0);
	assert_int_equal(copy(at, va + PAGE, 1, NULL, 0), -EFAULT);
	assert_int_equal(faa_vm_map_null(vm, PAGE + 1, 0, &at), -EINVAL);
	assert_int_equal(faa_vm_map_null(vm, PAGE, FAA_MAP_FAULTABLE, &at), -EINVAL);
}

static void several_at_a_time(void **state)
{
	uint32_t *data = fake_kernel_memory(kernel, PAGE), failed = 99;
	struct faa_bind binds[17];
	uint64_t at;

	(void)state;
	assert_int_equal(faa_vm_reserve(vm, 8 * PAGE, 0, &at), 0);
	memset(binds, 0, sizeof(binds));
	binds[0] = (struct faa_bind){ FAA_BIND_MAP, 0, bo, PAGE, NULL, at, 2 * PAGE };
	binds[1] = (struct faa_bind){ FAA_BIND_MAP_USERPTR, 0, NULL, 0, data, at + PAGE, PAGE };
	binds[2] = (struct faa_bind){ FAA_BIND_MAP_NULL, 0, NULL, 0, NULL, at + 2 * PAGE, PAGE };
	binds[3] = (struct faa_bind){ FAA_BIND_UNMAP, 0, NULL, 0, NULL, at, PAGE };
	assert_int_equal(faa_vm_bind_batch(vm, binds, 4, &failed), 0);
	assert_int_equal(failed, 4);
	data[5] = 12;
	assert_int_equal(copy(at + PAGE, at + PAGE + 20, 1, NULL, 0), 0);
	assert_int_equal(data[0], 12);
	assert_int_equal(copy(at + PAGE, at + 2 * PAGE, 1, NULL, 0), 0);
	assert_int_equal(data[0], 0);
	assert_int_equal(copy(at, at + PAGE, 1, NULL, 0), -EFAULT);
	/* The kernel rejects the third: the first two are applied. */
	binds[0].op = FAA_BIND_UNMAP;
	binds[0].bo = NULL;
	binds[0].offset = 0;
	binds[2] = (struct faa_bind){ FAA_BIND_MAP_USERPTR, 0, NULL, 0, (void *)0x7000, at, PAGE };
	assert_int_equal(faa_vm_bind_batch(vm, binds, 4, &failed), -EFAULT);
	assert_int_equal(failed, 2);
	/* The library rejects the second: none is applied. */
	binds[1].flags = FAA_MAP_READONLY | FAA_MAP_ATOMIC;
	assert_int_equal(faa_vm_bind_batch(vm, binds, 3, &failed), -EINVAL);
	assert_int_equal(failed, 1);
	assert_int_equal(copy(at + PAGE, at + PAGE, 1, NULL, 0), 0);
	/* Beyond the end of the object. */
	binds[1] = (struct faa_bind){ FAA_BIND_MAP, 0, bo, 3 * PAGE, NULL, at + PAGE, 2 * PAGE };
	assert_int_equal(faa_vm_bind_batch(vm, binds, 3, &failed), -EINVAL);
	assert_int_equal(failed, 1);
	assert_int_equal(copy(at + PAGE, at + PAGE, 1, NULL, 0), 0);
	binds[1] = (struct faa_bind){ FAA_BIND_MAP_USERPTR, 0, NULL, 0, data, at + PAGE, PAGE };
	binds[1].va = at + 8 * PAGE;
	assert_int_equal(faa_vm_bind_batch(vm, binds, 3, &failed), -EINVAL);
	assert_int_equal(failed, 1);
	binds[1] = (struct faa_bind){ FAA_BIND_UNMAP, 0, NULL, 0, data, at, PAGE };
	assert_int_equal(faa_vm_bind_batch(vm, binds, 2, &failed), -EINVAL);
	assert_int_equal(failed, 1);
	binds[0].op = 4;
	assert_int_equal(faa_vm_bind_batch(vm, binds, 1, &failed), -EINVAL);
	assert_int_equal(failed, 0);
	assert_int_equal(faa_vm_bind_batch(vm, binds, 0, NULL), -EINVAL);
	assert_int_equal(faa_vm_bind_batch(vm, binds, 17, &failed), -EINVAL);
	assert_int_equal(failed, 17);
}

static void behind_fences(void **state)
{
	struct faa_sync syncs[2], done;
	struct faa_bind bind = { .op = FAA_BIND_MAP, .bo = bo, .offset = 2 * PAGE, .size = PAGE };
	uint32_t before, after, failed = 9;

	(void)state;
	assert_int_equal(faa_vm_reserve(vm, PAGE, 0, &bind.va), 0);
	assert_int_equal(faa_syncobj_create(device, false, &before), 0);
	assert_int_equal(faa_syncobj_create(device, false, &after), 0);
	syncs[0] = (struct faa_sync){ 0, before, 0 };
	syncs[1] = (struct faa_sync){ FAA_SYNC_SIGNAL | FAA_SYNC_TIMELINE, after, 3 };
	done = (struct faa_sync){ FAA_SYNC_TIMELINE, after, 3 };
	assert_int_equal(faa_vm_bind_async(vm, &bind, 1, syncs, 2, &failed), -EAGAIN);
	assert_int_equal(failed, 1);
	assert_int_equal(faa_vm_bind_async(vm, &bind, 1, syncs, 9, &failed), -EINVAL);
	assert_int_equal(failed, 1);
	assert_int_equal(faa_syncobj_signal(device, before, 0), 0);
	assert_int_equal(faa_vm_bind_async(vm, &bind, 1, syncs, 2, &failed), 0);
	assert_int_equal(failed, 1);
	*(uint32_t *)(memory + PAGE) = 4711;
	assert_int_equal(copy(bind.va, va + PAGE, 1, &done, 1), 0);
	assert_int_equal(*(uint32_t *)(memory + 2 * PAGE), 4711);
	faa_syncobj_destroy(device, before);
	faa_syncobj_destroy(device, after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(memory_of_the_process, setup, fixture_close),
		cmocka_unit_test_setup_teardown(nothing_at_all, setup, fixture_close),
		cmocka_unit_test_setup_teardown(several_at_a_time, setup, fixture_close),
		cmocka_unit_test_setup_teardown(behind_fences, setup, fixture_close),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
