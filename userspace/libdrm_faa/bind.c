// SPDX-License-Identifier: MIT
/* Mappings of all kinds, several at a time, now or behind fences. */
#include "bind.h"
#include "bo.h"

#include <errno.h>
#include <stdlib.h>

#define PAGE 4096

static bool flags_valid(const struct faa_bind *bind)
{
	uint32_t allowed = 0;

	if (bind->op == FAA_BIND_MAP || bind->op == FAA_BIND_MAP_NULL)
		allowed = FAA_MAP_READONLY | FAA_MAP_ATOMIC;
	else if (bind->op == FAA_BIND_MAP_USERPTR)
		allowed = FAA_MAP_READONLY | FAA_MAP_ATOMIC | FAA_MAP_FAULTABLE;
	if (bind->flags & ~allowed)
		return false;
	return (bind->flags & (FAA_MAP_READONLY | FAA_MAP_ATOMIC)) !=
	       (FAA_MAP_READONLY | FAA_MAP_ATOMIC);
}

/* Whether only members that the operation has are set, and in its range. */
static bool members_valid(const struct faa_bind *bind)
{
	bool has_bo = bind->op == FAA_BIND_MAP;
	bool has_address = bind->op == FAA_BIND_MAP_USERPTR;

	if (bind->op > FAA_BIND_MAP_NULL || !flags_valid(bind))
		return false;
	if (!has_bo != !bind->bo || !has_address != !bind->address)
		return false;
	if (!has_bo)
		return !bind->offset && !((uintptr_t)bind->address % PAGE);
	return !(bind->offset % PAGE) && bind->offset < bind->bo->size &&
	       bind->size <= bind->bo->size - bind->offset;
}

static uint32_t kernel_flags(uint32_t flags)
{
	return (flags & FAA_MAP_READONLY ? DRM_FAA_VM_BIND_READONLY : 0) |
	       (flags & FAA_MAP_ATOMIC ? DRM_FAA_VM_BIND_ATOMIC : 0) |
	       (flags & FAA_MAP_FAULTABLE ? DRM_FAA_VM_BIND_FAULTABLE : 0);
}

static struct drm_faa_vm_bind_op kernel_op(const struct faa_bind *bind)
{
	static const uint32_t ops[] = {
		[FAA_BIND_MAP] = DRM_FAA_VM_BIND_OP_MAP,
		[FAA_BIND_UNMAP] = DRM_FAA_VM_BIND_OP_UNMAP,
		[FAA_BIND_MAP_USERPTR] = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		[FAA_BIND_MAP_NULL] = DRM_FAA_VM_BIND_OP_MAP_NULL,
	};

	return (struct drm_faa_vm_bind_op){
		.op = ops[bind->op],
		.flags = kernel_flags(bind->flags),
		.handle = bind->bo ? bind->bo->handle : 0,
		.bo_offset = bind->offset,
		.userptr = (uintptr_t)bind->address,
		.va = bind->va,
		.size = bind->size,
	};
}

/* One call; operations and syncs are the kernel's structs already. */
static int call(struct faa_vm *vm, struct drm_faa_vm_bind_op *ops, uint32_t count,
		const struct faa_sync *syncs, uint32_t sync_count, bool async, uint32_t *failed)
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

	if (!members_valid(bind))
		return -EINVAL;
	op = kernel_op(bind);
	return call(vm, &op, 1, NULL, 0, false, &failed);
}

/* Checks all operations, then makes them the kernel's; @failed is the first bad one. */
static int prepare(struct faa_vm *vm, const struct faa_bind *binds, uint32_t count,
		   struct drm_faa_vm_bind_op **out, uint32_t *failed)
{
	struct drm_faa_vm_bind_op *ops;
	uint32_t i;

	*failed = count;
	if (!count || count > vm->device->info.max_bind_ops)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		if (members_valid(&binds[i]) && faa_vm_taken(vm, binds[i].va, binds[i].size))
			continue;
		*failed = i;
		return -EINVAL;
	}
	ops = calloc(count, sizeof(*ops));
	if (!ops)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		ops[i] = kernel_op(&binds[i]);
	*out = ops;
	return 0;
}

static int bind_many(struct faa_vm *vm, const struct faa_bind *binds, uint32_t count,
		     const struct faa_sync *syncs, uint32_t sync_count, bool async,
		     uint32_t *failed)
{
	struct drm_faa_vm_bind_op *ops;
	uint32_t first;
	int ret;

	ret = prepare(vm, binds, count, &ops, &first);
	if (!ret) {
		ret = call(vm, ops, count, syncs, sync_count, async, &first);
		free(ops);
	}
	if (failed)
		*failed = first;
	return ret;
}

int faa_vm_bind_batch(struct faa_vm *vm, const struct faa_bind *binds, uint32_t count,
		      uint32_t *failed)
{
	return bind_many(vm, binds, count, NULL, 0, false, failed);
}

int faa_vm_bind_async(struct faa_vm *vm, const struct faa_bind *binds, uint32_t count,
		      const struct faa_sync *syncs, uint32_t sync_count, uint32_t *failed)
{
	if (failed)
		*failed = count;
	if (sync_count > vm->device->info.max_syncs)
		return -EINVAL;
	return bind_many(vm, binds, count, syncs, sync_count, true, failed);
}

int faa_bind_anywhere(struct faa_vm *vm, struct faa_bind *bind, uint64_t *va)
{
	int ret;

	*va = 0;
	if (!members_valid(bind))
		return -EINVAL;
	ret = faa_vm_reserve(vm, bind->size, bind->size >= FAA_LARGE_PAGE ? FAA_LARGE_PAGE : 0,
			     &bind->va);
	if (ret)
		return ret;
	ret = faa_bind_one(vm, bind);
	if (ret)
		faa_vm_release(vm, bind->va, bind->size);
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
