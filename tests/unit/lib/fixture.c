// SPDX-License-Identifier: MIT
#include "check.h"
#include "device.h"
#include "fake_kernel.h"
#include "fixture.h"

struct fake_kernel *kernel;
struct faa_device *device;
struct faa_vm *vm;
struct faa_bo *bo;
struct faa_queue *queue;
struct faa_stream *stream;
uint64_t va;
uint8_t *memory;

void fixture_open(uint64_t bytes, const struct faa_queue_options *options)
{
	void *address;

	kernel = fake_kernel_create();
	assert_int_equal(faa_device_open_backend(fake_kernel_open(kernel), &device), 0);
	assert_int_equal(faa_vm_create(device, &vm), 0);
	assert_int_equal(faa_bo_create(device, bytes, 0, &bo), 0);
	assert_int_equal(faa_bo_map(bo, &address), 0);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, 0, &va), 0);
	assert_int_equal(faa_queue_create(vm, options, &queue), 0);
	assert_int_equal(faa_stream_create(&stream), 0);
	memory = address;
}

int fixture_close(void **state)
{
	(void)state;
	faa_stream_destroy(stream);
	faa_queue_destroy(queue);
	faa_bo_unref(bo);
	faa_vm_unref(vm);
	faa_device_unref(device);
	assert_int_equal(fake_kernel_live(kernel), 0);
	fake_kernel_destroy(kernel);
	return 0;
}
