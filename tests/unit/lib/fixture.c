// SPDX-License-Identifier: MIT
#include "fixture.h"

struct faa_device *device;
struct faa_vm *vm;
struct faa_bo *bo;
struct faa_queue *queue;
struct faa_stream *stream;
uint64_t va;
uint8_t *memory;

int fixture_make(uint64_t bytes, const struct faa_queue_options *options)
{
	void *address = NULL;
	int ret;

	ret = faa_vm_create(device, &vm);
	if (!ret)
		ret = faa_bo_create(device, bytes, 0, &bo);
	if (!ret)
		ret = faa_bo_map(bo, &address);
	if (!ret)
		ret = faa_vm_map(vm, bo, 0, 0, 0, &va);
	if (!ret)
		ret = faa_queue_create(vm, options, &queue);
	if (!ret)
		ret = faa_stream_create(&stream);
	memory = address;
	return ret;
}

void fixture_release(void)
{
	faa_stream_destroy(stream);
	faa_queue_destroy(queue);
	faa_bo_unref(bo);
	faa_vm_unref(vm);
	stream = NULL;
	queue = NULL;
	bo = NULL;
	vm = NULL;
	memory = NULL;
}
