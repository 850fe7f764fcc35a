// SPDX-License-Identifier: MIT
#include "vm.h"
#include "bind.h"
#include "bo.h"
#include "error.h"
#include "svm/share.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE 4096ull

/* Without a sentence: the callers return nothing, or an earlier error. */
static void vm_destroy_id(struct faa_device *device, uint32_t id)
{
	struct drm_faa_vm_destroy args = { .vm_id = id };

	device->backend->ops->ioctl(device->backend, DRM_IOCTL_FAA_VM_DESTROY, &args);
}

int faa_vm_create(struct faa_device *device, struct faa_vm **out)
{
	struct drm_faa_vm_create args = { 0 };
	struct faa_vm *vm;
	int ret;

	*out = NULL;
	vm = calloc(1, sizeof(*vm));
	if (!vm)
		return faa_fail_memory("a VM");
	ret = faa_device_ioctl(device, DRM_IOCTL_FAA_VM_CREATE, &args);
	if (ret == -ENOSPC)
		faa_fail(ret, "the program has %u VMs, or the device has no VM left",
			 device->info.max_vms);
	if (ret)
		goto err_free;
	ret = faa_va_init(&vm->va, FAA_VM_GUARD, args.va_range);
	if (ret) {
		faa_fail_memory("the address ranges of a VM");
		goto err_destroy;
	}
	ret = faa_fail_lock(-pthread_mutex_init(&vm->lock, NULL));
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
	vm_destroy_id(device, args.vm_id);
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
	/* In the child of a fork the VM belongs to the parent. */
	if (faa_device_is_mine(vm->device)) {
		vm_destroy_id(vm->device, vm->id);
		faa_share_fini(vm->share);
		pthread_mutex_destroy(&vm->lock);
	}
	free(vm->share);
	faa_va_fini(&vm->va);
	faa_device_unref(vm->device);
	free(vm);
}

uint32_t faa_vm_id(const struct faa_vm *vm)
{
	return vm->id;
}

struct faa_device *faa_vm_device(const struct faa_vm *vm)
{
	return vm->device;
}

int faa_vm_info_sized(struct faa_vm *vm, struct faa_vm_info *info, size_t info_size)
{
	struct drm_faa_vm_get_state args = { .vm_id = vm->id };
	int ret = faa_device_ioctl(vm->device, DRM_IOCTL_FAA_VM_GET_STATE, &args);
	struct faa_vm_info own = { 0 };

	if (!ret)
		own = (struct faa_vm_info){
			.flags = args.state,
			.fault_code = args.fault_code,
			.fault_va = args.fault_va,
			.fault_seqno = args.fault_seqno,
		};
	faa_struct_write(info, info_size, &own, sizeof(own));
	return ret;
}

/* Checks for whole pages. */
static int vm_check_pages(uint64_t start, uint64_t size)
{
	if (start % PAGE)
		return faa_fail(-EINVAL, "address 0x%llx is not a multiple of %llu",
				(unsigned long long)start, PAGE);
	if (!size || size % PAGE)
		return faa_fail(-EINVAL, "a size of %llu bytes: allowed are multiples of %llu",
				(unsigned long long)size, PAGE);
	return 0;
}

/* Adds a sentence to the allocator's error of the range [@va, @va + @size). */
static int vm_range_fail(const struct faa_vm *vm, int error, uint64_t va, uint64_t size)
{
	unsigned long long start = va, bytes = size;

	switch (error) {
	case 0:
		return 0;
	case -ENOMEM:
		return faa_fail_memory("the address ranges of a VM");
	case -EBUSY:
		return faa_fail(error, "a part of 0x%llx bytes at 0x%llx is in use", bytes, start);
	default:
		return faa_fail(error, "0x%llx bytes at 0x%llx are not inside of 0x%llx..0x%llx",
				bytes, start, (unsigned long long)vm->va.start,
				(unsigned long long)vm->va.end);
	}
}

/* Checks that are common to all functions of an address range of the VM. */
static int vm_check_range(const struct faa_vm *vm, uint64_t start, uint64_t size)
{
	int ret = faa_device_check(vm->device);

	return ret ? ret : vm_check_pages(start, size);
}

int faa_vm_reserve(struct faa_vm *vm, uint64_t size, uint64_t align, uint64_t *va)
{
	int ret;

	*va = 0;
	ret = vm_check_range(vm, 0, size);
	if (ret)
		return ret;
	if (align & (align - 1))
		return faa_fail(-EINVAL, "an alignment of %llu: allowed are powers of two",
				(unsigned long long)align);
	if (align < PAGE)
		align = PAGE;
	pthread_mutex_lock(&vm->lock);
	ret = faa_va_alloc(&vm->va, size, align, va);
	pthread_mutex_unlock(&vm->lock);
	if (ret == -ENOSPC)
		return faa_fail(ret, "the VM has no hole of 0x%llx bytes",
				(unsigned long long)size);
	return vm_range_fail(vm, ret, 0, size);
}

int faa_vm_reserve_fixed(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	int ret = vm_check_range(vm, va, size);

	if (ret)
		return ret;
	pthread_mutex_lock(&vm->lock);
	ret = faa_va_reserve(&vm->va, va, size);
	pthread_mutex_unlock(&vm->lock);
	return vm_range_fail(vm, ret, va, size);
}

int faa_vm_give_back(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	int ret;

	pthread_mutex_lock(&vm->lock);
	ret = faa_va_release(&vm->va, va, size);
	pthread_mutex_unlock(&vm->lock);
	return ret;
}

static int vm_not_reserved(uint64_t va, uint64_t size)
{
	return faa_fail(-EINVAL, "a part of 0x%llx bytes at 0x%llx is not reserved or mapped",
			(unsigned long long)size, (unsigned long long)va);
}

int faa_vm_release(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	int ret = vm_check_range(vm, va, size);

	if (ret)
		return ret;
	ret = faa_vm_give_back(vm, va, size);
	return ret == -EINVAL ? vm_not_reserved(va, size) : vm_range_fail(vm, ret, va, size);
}

/* The operation that maps a part of a BO; @size 0: up to its end. */
static struct faa_bind vm_map_op(struct faa_bo *bo, uint64_t offset, uint64_t size, uint32_t flags,
				 uint64_t va)
{
	return (struct faa_bind){
		.op = FAA_BIND_MAP,
		.flags = flags,
		.bo = bo,
		.offset = offset,
		.va = va,
		.size = size || offset >= bo->size ? size : bo->size - offset,
	};
}

int faa_vm_map(struct faa_vm *vm, struct faa_bo *bo, uint64_t offset, uint64_t size, uint32_t flags,
	       uint64_t *va)
{
	struct faa_bind bind = vm_map_op(bo, offset, size, flags, 0);

	return faa_bind_anywhere(vm, &bind, va);
}

int faa_vm_map_fixed(struct faa_vm *vm, struct faa_bo *bo, uint64_t offset, uint64_t size,
		     uint32_t flags, uint64_t va)
{
	struct faa_bind bind = vm_map_op(bo, offset, size, flags, va);
	int ret;

	ret = faa_bind_check(&bind);
	if (!ret)
		ret = faa_vm_reserve_fixed(vm, va, bind.size);
	if (ret)
		return ret;
	ret = faa_bind_one(vm, &bind);
	if (ret)
		faa_vm_give_back(vm, va, bind.size);
	return ret;
}

int faa_vm_check_taken(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	int taken, ret = vm_check_range(vm, va, size);

	if (ret)
		return ret;
	pthread_mutex_lock(&vm->lock);
	taken = faa_va_taken(&vm->va, va, size);
	pthread_mutex_unlock(&vm->lock);
	return taken ? 0 : vm_not_reserved(va, size);
}

int faa_vm_bind(struct faa_vm *vm, struct faa_bo *bo, uint64_t offset, uint64_t size,
		uint32_t flags, uint64_t va)
{
	struct faa_bind bind = vm_map_op(bo, offset, size, flags, va);
	int ret;

	ret = faa_bind_check(&bind);
	if (!ret)
		ret = faa_vm_check_taken(vm, va, bind.size);
	return ret ? ret : faa_bind_one(vm, &bind);
}

int faa_vm_unbind(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	struct faa_bind bind = { .op = FAA_BIND_UNMAP, .va = va, .size = size };
	int ret = faa_vm_check_taken(vm, va, size);

	return ret ? ret : faa_bind_one(vm, &bind);
}

int faa_vm_unmap(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	int ret = faa_vm_unbind(vm, va, size);

	return ret ? ret : faa_vm_release(vm, va, size);
}

void faa_vm_drop(struct faa_vm *vm, uint64_t va, uint64_t size)
{
	struct faa_sentence kept;

	faa_sentence_keep(&kept);
	faa_vm_unmap(vm, va, size);
	faa_sentence_restore(&kept);
}
