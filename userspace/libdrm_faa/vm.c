// SPDX-License-Identifier: MIT
#include "vm.h"
#include "bind.h"
#include "bo.h"
#include "share.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE 4096ull

static int destroy_id(struct faa_device *device, uint32_t id)
{
	struct drm_faa_vm_destroy args = { .vm_id = id };

	return faa_device_ioctl(device, DRM_IOCTL_FAA_VM_DESTROY, &args);
}

int faa_vm_create(struct faa_device *device, struct faa_vm **out)
{
	struct drm_faa_vm_create args = { 0 };
	struct faa_vm *vm;
	int ret;

	*out = NULL;
	vm = calloc(1, sizeof(*vm));
	if (!vm)
		return -ENOMEM;
	ret = faa_device_ioctl(device, DRM_IOCTL_FAA_VM_CREATE, &args);
	if (ret)
		goto err_free;
	ret = faa_va_init(&vm->va, FAA_VM_GUARD, args.va_range);
	if (ret)
		goto err_destroy;
	ret = -pthread_mutex_init(&vm->lock, NULL);
	if (ret)
		goto err_va;
	atomic_init(&vm->refs, 1);
	vm->device = faa_device_ref(device);
	vm->id = args.vm_id;
	*out = vm;
	return 0;

err_va:
	faa_va_fini(&vm->va);
err_destroy:
	destroy_id(device, args.vm_id);
err_free:
	free(vm);
	return ret;
}

struct faa_vm *faa_vm_ref(struct faa_vm *vm)
{
	faa_ref(&vm->refs);
	return vm;
}

void faa_vm_unref(struct faa_vm *vm)
{
	if (!vm || !faa_unref(&vm->refs))
		return;
	/* The child of a fork has the parent's open file: its VM is not the child's to end. */
	if (faa_share_is_mine(vm->share))
		destroy_id(vm->device, vm->id);
	faa_share_destroy(vm->share);
	pthread_mutex_destroy(&vm->lock);
	faa_va_fini(&vm->va);
	faa_device_unref(vm->device);
	free(vm);
}

uint32_t faa_vm_id(const struct faa_vm *vm)
{
	return vm->id;
}

int faa_vm_info(struct faa_vm *vm, struct faa_vm_info *info)
{
	struct drm_faa_vm_get_state args = { .vm_id = vm->id };
	int ret = faa_device_ioctl(vm->device, DRM_IOCTL_FAA_VM_GET_STATE, &args);

	*info = (struct faa_vm_info){ 0 };
	if (ret)
		return ret;
	*info = (struct faa_vm_info){
		.flags = args.state,
		.fault_code = args.fault_code,
		.fault_va = args.fault_va,
		.fault_seqno = args.fault_seqno,
	};
	return 0;
}

static bool page_range(uint64_t start, uint64_t size)
{
	return size && !(start % PAGE) && !(size % PAGE);
}

int faa_vm_reserve(struct faa_vm *vm, uint64_t size, uint64_t align, uint64_t *va)
{
	int ret;

	*va = 0;
	if (!page_range(0, size))
		return -EINVAL;
	if (align < PAGE && !(align & (align - 1)))
		align = PAGE;
	pthread_mutex_lock(&vm->lock);
	ret = faa_va_alloc(&vm->va, size, align, va);
	pthread_mutex_unlock(&vm->lock);
	return ret;
}

int faa_vm_reserve_fixed(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	int ret;

	if (!page_range(va, size))
		return -EINVAL;
	pthread_mutex_lock(&vm->lock);
	ret = faa_va_reserve(&vm->va, va, size);
	pthread_mutex_unlock(&vm->lock);
	return ret;
}

int faa_vm_release(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	int ret;

	if (!page_range(va, size))
		return -EINVAL;
	pthread_mutex_lock(&vm->lock);
	ret = faa_va_release(&vm->va, va, size);
	pthread_mutex_unlock(&vm->lock);
	return ret;
}

/* Bytes to map, 0 if the arguments make no sense. */
static uint64_t map_size(const struct faa_bo *bo, uint64_t offset, uint64_t size)
{
	if (offset % PAGE || offset >= bo->size)
		return 0;
	if (!size)
		size = bo->size - offset;
	return size % PAGE || size > bo->size - offset ? 0 : size;
}

/* The operation that maps a part of a BO; false if the arguments make no sense. */
static bool map_op(struct faa_bo *bo, uint64_t offset, uint64_t size, uint32_t flags, uint64_t va,
		   struct faa_bind *bind)
{
	*bind = (struct faa_bind){
		.op = FAA_BIND_MAP,
		.flags = flags,
		.bo = bo,
		.offset = offset,
		.va = va,
		.size = map_size(bo, offset, size),
	};
	return bind->size;
}

int faa_vm_map(struct faa_vm *vm, struct faa_bo *bo, uint64_t offset, uint64_t size, uint32_t flags,
	       uint64_t *va)
{
	struct faa_bind bind;

	*va = 0;
	return map_op(bo, offset, size, flags, 0, &bind) ? faa_bind_anywhere(vm, &bind, va) :
							   -EINVAL;
}

int faa_vm_map_fixed(struct faa_vm *vm, struct faa_bo *bo, uint64_t offset, uint64_t size,
		     uint32_t flags, uint64_t va)
{
	struct faa_bind bind;
	int ret;

	if (!map_op(bo, offset, size, flags, va, &bind))
		return -EINVAL;
	ret = faa_vm_reserve_fixed(vm, va, bind.size);
	if (ret)
		return ret;
	ret = faa_bind_one(vm, &bind);
	if (ret)
		faa_vm_release(vm, va, bind.size);
	return ret;
}

bool faa_vm_taken(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	bool ret;

	pthread_mutex_lock(&vm->lock);
	ret = page_range(va, size) && faa_va_taken(&vm->va, va, size);
	pthread_mutex_unlock(&vm->lock);
	return ret;
}

int faa_vm_bind(struct faa_vm *vm, struct faa_bo *bo, uint64_t offset, uint64_t size,
		uint32_t flags, uint64_t va)
{
	struct faa_bind bind;

	if (!map_op(bo, offset, size, flags, va, &bind) || !faa_vm_taken(vm, va, bind.size))
		return -EINVAL;
	return faa_bind_one(vm, &bind);
}

int faa_vm_unbind(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	struct faa_bind bind = { .op = FAA_BIND_UNMAP, .va = va, .size = size };

	return faa_vm_taken(vm, va, size) ? faa_bind_one(vm, &bind) : -EINVAL;
}

int faa_vm_unmap(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	int ret = faa_vm_unbind(vm, va, size);

	return ret ? ret : faa_vm_release(vm, va, size);
}
