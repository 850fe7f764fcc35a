// SPDX-License-Identifier: MIT
/* Mappings of all kinds, several at a time, at once or after fences. */
#include "bind.h"
#include "bo.h"
#include "error.h"
#include "structure.h"
#include "sync.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE 4096u

/* Name of the operation, for sentences. */
static const char *bind_name(const struct faa_bind *bind)
{
	static const char *const names[] = {
		[FAA_BIND_MAP] = "map",
		[FAA_BIND_UNMAP] = "unmap",
		[FAA_BIND_MAP_USERPTR] = "map of the process's memory",
		[FAA_BIND_MAP_NULL] = "map of nothing",
	};

	return names[bind->op];
}

static int bind_check_flags(const struct faa_bind *bind)
{
	const uint32_t both = FAA_MAP_READONLY | FAA_MAP_ATOMIC;
	uint32_t allowed = 0;

	if (bind->op == FAA_BIND_MAP || bind->op == FAA_BIND_MAP_NULL)
		allowed = both;
	else if (bind->op == FAA_BIND_MAP_USERPTR)
		allowed = both | FAA_MAP_FAULTABLE;
	if (bind->flags & ~allowed)
		return faa_fail(-EINVAL, "%s: flags 0x%x: allowed are those of 0x%x",
				bind_name(bind), bind->flags, allowed);
	if ((bind->flags & both) == both)
		return faa_fail(-EINVAL,
				"%s: FAA_MAP_READONLY and FAA_MAP_ATOMIC exclude each other",
				bind_name(bind));
	return 0;
}

static int bind_check_bo(const struct faa_bind *bind)
{
	unsigned long long offset = bind->offset, size = bind->size;

	if (bind->offset % PAGE)
		return faa_fail(-EINVAL, "map: offset 0x%llx is not a multiple of %u", offset,
				PAGE);
	if (bind->offset >= bind->bo->size || bind->size > bind->bo->size - bind->offset)
		return faa_fail(-EINVAL, "map: 0x%llx bytes from 0x%llx on of a BO of 0x%llx bytes",
				size, offset, (unsigned long long)bind->bo->size);
	return 0;
}

/* Checks address and size in the VM. */
static int bind_check_range(const struct faa_bind *bind)
{
	unsigned long long va = bind->va, size = bind->size;

	if (!bind->size || bind->size % PAGE)
		return faa_fail(-EINVAL, "%s: a size of %llu bytes: allowed are multiples of %u",
				bind_name(bind), size, PAGE);
	if (bind->va % PAGE)
		return faa_fail(-EINVAL, "%s: address 0x%llx is not a multiple of %u",
				bind_name(bind), va, PAGE);
	return 0;
}

int faa_bind_check(const struct faa_bind *bind)
{
	bool has_bo = bind->op == FAA_BIND_MAP;
	bool has_address = bind->op == FAA_BIND_MAP_USERPTR;
	int ret;

	if (bind->op > FAA_BIND_MAP_NULL)
		return faa_fail(-EINVAL, "bind: operation %u: allowed are 0..%u", bind->op,
				FAA_BIND_MAP_NULL);
	ret = bind_check_flags(bind);
	if (ret)
		return ret;
	if (!has_bo != !bind->bo)
		return faa_fail(-EINVAL, "%s: %s BO", bind_name(bind), has_bo ? "no" : "it has no");
	if (!has_address != !bind->address)
		return faa_fail(-EINVAL, "%s: %s address of the process", bind_name(bind),
				has_address ? "no" : "it has no");
	if (!has_bo && bind->offset)
		return faa_fail(-EINVAL, "%s: it has no offset", bind_name(bind));
	if ((uintptr_t)bind->address % PAGE)
		return faa_fail(-EINVAL, "%s: address %p is not a multiple of %u, as of malloc()",
				bind_name(bind), bind->address, PAGE);
	ret = has_bo ? bind_check_bo(bind) : 0;
	return ret ? ret : bind_check_range(bind);
}

static uint32_t bind_kernel_flags(uint32_t flags)
{
	return (flags & FAA_MAP_READONLY ? DRM_FAA_VM_BIND_READONLY : 0) |
	       (flags & FAA_MAP_ATOMIC ? DRM_FAA_VM_BIND_ATOMIC : 0) |
	       (flags & FAA_MAP_FAULTABLE ? DRM_FAA_VM_BIND_FAULTABLE : 0);
}

static struct drm_faa_vm_bind_op bind_kernel_op(const struct faa_bind *bind)
{
	static const uint32_t ops[] = {
		[FAA_BIND_MAP] = DRM_FAA_VM_BIND_OP_MAP,
		[FAA_BIND_UNMAP] = DRM_FAA_VM_BIND_OP_UNMAP,
		[FAA_BIND_MAP_USERPTR] = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		[FAA_BIND_MAP_NULL] = DRM_FAA_VM_BIND_OP_MAP_NULL,
	};

	return (struct drm_faa_vm_bind_op){
		.op = ops[bind->op],
		.flags = bind_kernel_flags(bind->flags),
		.handle = bind->bo ? bind->bo->handle : 0,
		.bo_offset = bind->offset,
		.userptr = (uintptr_t)bind->address,
		.va = bind->va,
		.size = bind->size,
	};
}

/* Adds a sentence to the kernel's error of operation @bind. */
static int bind_fail(int error, const struct faa_bind *bind)
{
	const char *name = bind_name(bind);

	switch (error) {
	case -EFAULT:
		return faa_fail(error,
				"%s: not all of %p and %llu bytes from there on is memory of the "
				"process, or it is a device's",
				name, bind->address, (unsigned long long)bind->size);
	case -EPERM:
		return faa_fail(error,
				"%s: the memory at %p cannot be written, and "
				"FAA_MAP_READONLY is missing",
				name, bind->address);
	case -EOPNOTSUPP:
		return faa_fail(error, "%s: the kernel or the device cannot", name);
	case -EINVAL:
		return faa_fail(error, "%s: the kernel refused 0x%llx bytes at 0x%llx", name,
				(unsigned long long)bind->size, (unsigned long long)bind->va);
	default:
		return error;
	}
}

/* One call; operations and syncs are the kernel's structs already. */
static int bind_call(struct faa_vm *vm, struct drm_faa_vm_bind_op *ops, uint32_t count,
		     const struct faa_sync *syncs, uint32_t sync_count, bool async,
		     uint32_t *failed)
{
	struct drm_faa_vm_bind args = {
		.vm_id = vm->id,
		.flags = async ? DRM_FAA_VM_BIND_ASYNC : 0,
		.ops = { .stride = sizeof(*ops), .count = count, .array = (uintptr_t)ops },
	};
	int ret;

	if (sync_count)
		args.syncs = (struct drm_faa_obj_array){ .stride = sizeof(*syncs),
							 .count = sync_count,
							 .array = (uintptr_t)syncs };
	ret = faa_device_ioctl(vm->device, DRM_IOCTL_FAA_VM_BIND, &args);
	*failed = args.failed_op;
	return ret;
}

int faa_bind_one(struct faa_vm *vm, const struct faa_bind *bind)
{
	struct drm_faa_vm_bind_op op;
	uint32_t failed;
	int ret;

	ret = faa_bind_check(bind);
	if (ret)
		return ret;
	op = bind_kernel_op(bind);
	ret = bind_call(vm, &op, 1, NULL, 0, false, &failed);
	return ret ? bind_fail(ret, bind) : 0;
}

/* Checks operation @index of a batch; the sentence has its number. */
static int bind_check_nth(struct faa_vm *vm, const struct faa_bind *bind, uint32_t index)
{
	int ret = faa_bind_check(bind);

	if (!ret)
		ret = faa_vm_check_taken(vm, bind->va, bind->size);
	return ret ? faa_fail(ret, "operation %u: %s", index, faa_last_error()) : 0;
}

/* Checks all operations, then converts them to the kernel's; @failed is the first bad one. */
static int bind_prepare(struct faa_vm *vm, const struct faa_bind *binds, uint32_t count,
			struct drm_faa_vm_bind_op **out, uint32_t *failed)
{
	struct drm_faa_vm_bind_op *ops;
	uint32_t i;
	int ret;

	*failed = count;
	for (i = 0; i < count; i++) {
		ret = bind_check_nth(vm, &binds[i], i);
		if (!ret)
			continue;
		*failed = i;
		return ret;
	}
	ops = calloc(count, sizeof(*ops));
	if (!ops)
		return faa_fail_memory("the operations of a bind");
	for (i = 0; i < count; i++)
		ops[i] = bind_kernel_op(&binds[i]);
	*out = ops;
	return 0;
}

/* Adds a sentence to the kernel's error of a call. */
static int bind_fail_many(int error, const struct faa_bind *binds, uint32_t count, uint32_t failed)
{
	if (failed >= count)
		return error;
	bind_fail(error, &binds[failed]);
	return faa_fail(error, "operation %u: %s", failed, faa_last_error());
}

static int bind_many(struct faa_vm *vm, const struct faa_bind *binds, uint32_t count,
		     const struct faa_sync *syncs, uint32_t sync_count, bool async,
		     uint32_t *failed)
{
	struct drm_faa_vm_bind_op *ops = NULL;
	int ret = bind_prepare(vm, binds, count, &ops, failed);

	if (ret)
		return ret;
	ret = bind_call(vm, ops, count, syncs, sync_count, async, failed);
	free(ops);
	return ret ? bind_fail_many(ret, binds, count, *failed) : 0;
}

/* bind_many() for operations of @bind_size bytes each, which may be of other headers. */
static int bind_given(struct faa_vm *vm, const struct faa_bind *given, size_t bind_size,
		      uint32_t count, const struct faa_sync *syncs, uint32_t sync_count, bool async,
		      uint32_t *failed)
{
	uint32_t max = vm->device->info.max_bind_ops;
	const void *binds;
	void *made;
	int ret = faa_device_check(vm->device);

	*failed = count;
	if (ret)
		return ret;
	if (!count || count > max)
		return faa_fail(-EINVAL, "bind: %u operations: allowed are 1..%u", count, max);
	ret = faa_array_read(&binds, &made, sizeof(*given), given, bind_size, count, "faa_bind");
	if (ret)
		return ret;
	ret = bind_many(vm, binds, count, syncs, sync_count, async, failed);
	free(made);
	return ret;
}

int faa_vm_bind_batch_sized(struct faa_vm *vm, const struct faa_bind *binds, size_t bind_size,
			    uint32_t count, uint32_t *failed)
{
	uint32_t first;
	int ret = bind_given(vm, binds, bind_size, count, NULL, 0, false, &first);

	if (failed)
		*failed = first;
	return ret;
}

/* The kernel names no operation if a sync is wrong, and its errno has other meanings too. */
static int bind_find_sync_error(struct faa_vm *vm, const struct faa_sync *syncs,
				uint32_t sync_count, int error)
{
	uint32_t i;
	int ret = 0;

	if (error != -EINVAL && error != -ENOENT)
		return error;
	for (i = 0; i < sync_count && !ret; i++)
		ret = faa_sync_find_error(vm->device, &syncs[i], i);
	return ret ? ret : error;
}

int faa_vm_bind_async_sized(struct faa_vm *vm, const struct faa_bind *binds, size_t bind_size,
			    uint32_t count, const struct faa_sync *syncs, uint32_t sync_count,
			    uint32_t *failed)
{
	uint32_t first = count, max = vm->device->info.max_syncs;
	int ret;

	if (failed)
		*failed = count;
	if (sync_count > max)
		return faa_fail(-EINVAL, "bind: %u sync operations: allowed are up to %u",
				sync_count, max);
	ret = faa_syncs_check(syncs, sync_count);
	if (ret)
		return ret;
	ret = bind_given(vm, binds, bind_size, count, syncs, sync_count, true, &first);
	if (failed)
		*failed = first;
	/* The library names no operation either if the count is wrong. */
	if (ret && first == count && count && count <= vm->device->info.max_bind_ops)
		ret = bind_find_sync_error(vm, syncs, sync_count, ret);
	return ret;
}

int faa_bind_anywhere(struct faa_vm *vm, struct faa_bind *bind, uint64_t *va)
{
	int ret;

	*va = 0;
	ret = faa_bind_check(bind);
	if (ret)
		return ret;
	ret = faa_vm_reserve(vm, bind->size, bind->size >= FAA_LARGE_PAGE ? FAA_LARGE_PAGE : 0,
			     &bind->va);
	if (ret)
		return ret;
	ret = faa_bind_one(vm, bind);
	if (ret)
		faa_vm_give_back(vm, bind->va, bind->size);
	else
		*va = bind->va;
	return ret;
}

int faa_vm_map_userptr(struct faa_vm *vm, void *address, uint64_t size, uint32_t flags,
		       uint64_t *va)
{
	struct faa_bind bind = {
		.op = FAA_BIND_MAP_USERPTR, .flags = flags, .address = address, .size = size
	};

	return faa_bind_anywhere(vm, &bind, va);
}

int faa_vm_map_null(struct faa_vm *vm, uint64_t size, uint32_t flags, uint64_t *va)
{
	struct faa_bind bind = { .op = FAA_BIND_MAP_NULL, .flags = flags, .size = size };

	return faa_bind_anywhere(vm, &bind, va);
}
