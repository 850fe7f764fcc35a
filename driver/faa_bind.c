// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Binding
 *
 * An operation of VM_BIND has four steps:
 *
 * 1. prepare: check, look up, allocate everything that it may need in whatever state
 *    the VM is by then (mappings, page tables), look at memory of the process. May sleep,
 *    wait and fail.
 * 2. stage: take the pages of the process that were looked at, unless they changed.
 * 3. run: change mappings and tables, invalidate the TLBs. Cannot fail.
 * 4. finish: let go what was mapped, and what was not needed.
 *
 * 2 and 3 are done with the VM's pt_lock, 1 and 4 with its lock. VM_BIND does them one
 * after the other, operation by operation.
 *
 * With ASYNC all operations are prepared, then staged together while the fence is published;
 * they run on a workqueue when the fences that were asked for have signalled, the calls of
 * one VM in order, and finish on another one. The first of these workqueues signals
 * fences: there, nothing is allocated, nor any lock taken that is held during
 * an allocation. A call without ASYNC waits until none is pending.
 *
 * Jobs are not waited for: one that needs an address which is no longer mapped ends with a
 * page fault of its own.
 */

#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>
#include <drm/drm_managed.h>
#include <drm/drm_syncobj.h>

#include <kunit/visibility.h>

#include "faa_bind.h"
#include "faa_device.h"
#include "faa_gem.h"
#include "faa_mmu.h"
#include "faa_sync.h"
#include "faa_trace.h"
#include "faa_uobj.h"
#include "faa_userptr.h"
#include "faa_vm.h"

#define FAA_BIND_MAP_FLAGS	(DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC)
/* What the page tables, and the list of pages, of one operation may take. */
#define FAA_BIND_USERPTR_MAX	BIT_ULL(38)
#define FAA_BIND_NULL_MAX	BIT_ULL(40)

/**
 * struct faa_bind_op - one operation under way
 */
struct faa_bind_op {
	/** @vm: the VM. */
	struct faa_vm *vm;
	/** @args: what user space asked for. */
	const struct drm_faa_vm_bind_op *args;
	/** @pt: change of the page tables. */
	struct faa_pt_update pt;
	/** @prot: MAP_x: bits of the leaves. */
	u64 prot;
	/** @obj: MAP: object; holds a reference. */
	struct drm_gem_object *obj;
	/** @vm_bo: MAP: link between VM and object; holds a reference. */
	struct drm_gpuvm_bo *vm_bo;
	/** @sgt: MAP: pages of the object; valid inside drm_dev_enter(). */
	struct sg_table *sgt;
	/** @userptr: MAP_USERPTR: holds a reference. */
	struct faa_userptr *userptr;
	/** @look: MAP_USERPTR: what was found there. */
	struct faa_userptr_look look;
	/** @spare: a new mapping, and the rests of two that are cut. */
	struct faa_va *spare[3];
	/** @removed: &drm_gpuva.rb.entry of mappings to unlink. */
	struct list_head removed;
};

/**
 * struct faa_bind_fence - fence of an asynchronous VM_BIND
 */
struct faa_bind_fence {
	/** @base: base. */
	struct dma_fence base;
	/** @lock: of @base. Its own, because the fence may outlive the VM. */
	spinlock_t lock;
};

/**
 * struct faa_bind - an asynchronous VM_BIND
 */
struct faa_bind {
	/** @node: entry of one of the lists of &faa_vm.binds. */
	struct list_head node;
	/** @vm: the VM, which ends those that are pending before itself. */
	struct faa_vm *vm;
	/** @args: operations as user space gave them. */
	struct drm_faa_vm_bind_op *args;
	/** @ops: operations, those that are prepared. */
	struct faa_bind_op *ops;
	/** @count: elements of @ops. */
	u32 count;
	/** @waits: fences to wait for. */
	struct dma_fence **waits;
	/** @num_waits: elements of @waits. */
	u32 num_waits;
	/** @next_wait: the first that has not been seen signalled. */
	u32 next_wait;
	/** @callback: looks on when that one signals. */
	struct dma_fence_cb callback;
	/** @signals: list of &struct faa_signal. */
	struct list_head signals;
	/** @fence: signals when the operations are done. */
	struct faa_bind_fence *fence;
};

/**
 * faa_bind_range_ok() - is a range one that can be mapped?
 * @va: first address
 * @size: bytes
 * @va_range: addresses of the VM are below this
 *
 * Return: true if it consists of whole pages, is not empty and lies in the VM.
 */
bool faa_bind_range_ok(u64 va, u64 size, u64 va_range)
{
	u64 end;

	return size && IS_ALIGNED(va | size, FAA_PT_PAGE) &&
	       !check_add_overflow(va, size, &end) && end <= va_range;
}
EXPORT_SYMBOL_IF_KUNIT(faa_bind_range_ok);

static bool map_flags_ok(u32 flags, u32 more)
{
	return !(flags & ~(FAA_BIND_MAP_FLAGS | more)) &&
	       (flags & FAA_BIND_MAP_FLAGS) != FAA_BIND_MAP_FLAGS;
}

static bool check_fields(const struct drm_faa_vm_bind_op *op)
{
	u64 end;

	if (op->pad || (op->op != DRM_FAA_VM_BIND_OP_MAP && (op->handle || op->bo_offset)) ||
	    (op->op != DRM_FAA_VM_BIND_OP_MAP_USERPTR && op->userptr))
		return false;

	switch (op->op) {
	case DRM_FAA_VM_BIND_OP_MAP:
		return map_flags_ok(op->flags, 0) && IS_ALIGNED(op->bo_offset, FAA_PT_PAGE);
	case DRM_FAA_VM_BIND_OP_UNMAP:
		return !op->flags;
	case DRM_FAA_VM_BIND_OP_MAP_USERPTR:
		return map_flags_ok(op->flags, DRM_FAA_VM_BIND_FAULTABLE) &&
		       IS_ALIGNED(op->userptr | op->size, PAGE_SIZE) &&
		       op->size <= FAA_BIND_USERPTR_MAX &&
		       !check_add_overflow(op->userptr, op->size, &end);
	case DRM_FAA_VM_BIND_OP_MAP_NULL:
		return map_flags_ok(op->flags, 0) && op->size <= FAA_BIND_NULL_MAX;
	default:
		return false;
	}
}

/**
 * faa_bind_check_op() - check what can be checked without looking anything up
 * @op: operation of VM_BIND
 *
 * Return: 0 or -EINVAL.
 */
int faa_bind_check_op(const struct drm_faa_vm_bind_op *op)
{
	return check_fields(op) ? 0 : -EINVAL;
}
EXPORT_SYMBOL_IF_KUNIT(faa_bind_check_op);

/* Take a preallocated mapping, into which the core has put what it is to hold. */
static struct faa_va *take_va(struct faa_bind_op *op)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(op->spare); i++) {
		struct faa_va *va = op->spare[i];

		if (va) {
			op->spare[i] = NULL;
			return va;
		}
	}

	return NULL;
}

/* Tell what is mapped of its new mapping. */
static void link_va(struct faa_va *va, struct drm_gpuvm_bo *vm_bo, struct faa_userptr *userptr)
{
	struct faa_bo *bo;

	if (userptr) {
		va->userptr = userptr;
		kref_get(&userptr->refcount);
		list_add_tail(&va->node, &userptr->mappings);
	}
	if (vm_bo) {
		bo = to_faa_bo(vm_bo->obj);
		mutex_lock(&bo->gpuva_lock);
		drm_gpuva_link(&va->base, vm_bo);
		mutex_unlock(&bo->gpuva_lock);
	}
}

/**
 * faa_bind_unlink() - let go what a removed mapping mapped, and free it
 * @va: mapping, removed from the VM, whose range the TLBs have forgotten
 *
 * The VM's lock is held, its pt_lock is not.
 */
void faa_bind_unlink(struct faa_va *va)
{
	struct drm_gem_object *obj = va->base.gem.obj;
	struct faa_bo *bo;

	faa_userptr_put(va->userptr);
	if (obj) {
		/* What may be the last reference to the object, whose lock is needed. */
		bo = to_faa_bo(obj);
		drm_gem_object_get(obj);
		mutex_lock(&bo->gpuva_lock);
		drm_gpuva_unlink(&va->base);
		mutex_unlock(&bo->gpuva_lock);
		drm_gem_object_put(obj);
	}
	kfree(va);
}

static void put_vm_bo(struct drm_gpuvm_bo *vm_bo)
{
	struct faa_bo *bo = to_faa_bo(vm_bo->obj);

	mutex_lock(&bo->gpuva_lock);
	drm_gpuvm_bo_put(vm_bo);
	mutex_unlock(&bo->gpuva_lock);
}

/* Write the entries of [va, va + size), which begins at an offset of the object. */
static void map_sgt(struct faa_bind_op *op, u64 va, u64 size, u64 offset)
{
	struct scatterlist *sg;
	unsigned int i;

	for_each_sgtable_dma_sg(op->sgt, sg, i) {
		u64 len = sg_dma_len(sg);
		u64 piece;

		if (offset >= len) {
			offset -= len;
			continue;
		}

		piece = min(len - offset, size);
		faa_pt_map(&op->pt, va, sg_dma_address(sg) + offset, piece, op->prot);
		va += piece;
		size -= piece;
		offset = 0;
		if (!size)
			break;
	}
}

static int step_map(struct drm_gpuva_op *gpuva_op, void *priv)
{
	struct drm_gpuva_op_map *map = &gpuva_op->map;
	struct faa_bind_op *op = priv;
	struct faa_va *va = take_va(op);

	if (WARN_ON_ONCE(!va))
		return -ENOMEM;

	drm_gpuva_map(&op->vm->base, &va->base, map);
	link_va(va, op->vm_bo, op->userptr);
	if (op->userptr)
		faa_userptr_map(op->userptr, &op->pt, map->va.addr, map->va.range);
	else if (op->sgt)
		map_sgt(op, map->va.addr, map->va.range, map->gem.offset);
	else
		faa_pt_map(&op->pt, map->va.addr, 0, map->va.range, op->prot);

	return 0;
}

/* A mapping is no longer one; what it mapped is let go later. */
static void remove_va(struct faa_bind_op *op, struct faa_va *va)
{
	list_add_tail(&va->base.rb.entry, &op->removed);
	if (va->userptr)
		list_del_init(&va->node);
}

static int step_remap(struct drm_gpuva_op *gpuva_op, void *priv)
{
	struct drm_gpuva_op_remap *remap = &gpuva_op->remap;
	struct faa_va *old = to_faa_va(remap->unmap->va);
	struct faa_va *prev = NULL, *next = NULL;
	struct faa_bind_op *op = priv;
	u64 start, range;

	if (remap->prev)
		prev = take_va(op);
	if (remap->next)
		next = take_va(op);
	if (WARN_ON_ONCE((remap->prev && !prev) || (remap->next && !next))) {
		kfree(prev);
		kfree(next);
		return -ENOMEM;
	}

	/* The entries of the rests stay as they are. */
	drm_gpuva_op_remap_to_unmap_range(remap, &start, &range);
	faa_pt_unmap(&op->pt, start, range);

	drm_gpuva_remap(prev ? &prev->base : NULL, next ? &next->base : NULL, remap);
	if (prev)
		link_va(prev, old->base.vm_bo, old->userptr);
	if (next)
		link_va(next, old->base.vm_bo, old->userptr);
	remove_va(op, old);

	return 0;
}

static int step_unmap(struct drm_gpuva_op *gpuva_op, void *priv)
{
	struct faa_va *va = to_faa_va(gpuva_op->unmap.va);
	struct faa_bind_op *op = priv;

	faa_pt_unmap(&op->pt, va->base.va.addr, va->base.va.range);
	drm_gpuva_unmap(&gpuva_op->unmap);
	remove_va(op, va);

	return 0;
}

static void vm_free(struct drm_gpuvm *gpuvm)
{
	struct faa_vm *vm = to_faa_vm(gpuvm);

	mutex_destroy(&vm->pt_lock);
	mutex_destroy(&vm->lock);
	kfree(vm);
}

/* faa_gpuvm_ops - how the core splits an operation; the private data is the operation */
const struct drm_gpuvm_ops faa_gpuvm_ops = {
	.vm_free = vm_free,
	.sm_step_map = step_map,
	.sm_step_remap = step_remap,
	.sm_step_unmap = step_unmap,
};

/* Get or make the link between a VM and an object. */
static struct drm_gpuvm_bo *obtain_vm_bo(struct faa_vm *vm, struct faa_bo *bo)
{
	struct drm_gpuvm_bo *vm_bo = drm_gpuvm_bo_create(&vm->base, &bo->base.base);

	if (!vm_bo)
		return NULL;

	mutex_lock(&bo->gpuva_lock);
	vm_bo = drm_gpuvm_bo_obtain_prealloc(vm_bo);
	mutex_unlock(&bo->gpuva_lock);
	drm_gpuvm_bo_extobj_add(vm_bo);

	return vm_bo;
}

static int prepare_bo(struct faa_bind_op *op, struct drm_file *file)
{
	const struct drm_faa_vm_bind_op *args = op->args;
	struct faa_bo *bo;

	op->obj = drm_gem_object_lookup(file, args->handle);
	if (!op->obj)
		return -ENOENT;

	bo = to_faa_bo(op->obj);
	if (bo->flags & DRM_FAA_BO_STATUS_RING ||
	    (bo->exclusive_root && bo->exclusive_root != drm_gpuvm_resv_obj(&op->vm->base)) ||
	    args->bo_offset > op->obj->size || args->size > op->obj->size - args->bo_offset)
		return -EINVAL;

	op->sgt = faa_bo_get_sgt(bo);
	if (IS_ERR(op->sgt))
		return PTR_ERR(op->sgt);
	op->vm_bo = obtain_vm_bo(op->vm, bo);

	return op->vm_bo ? 0 : -ENOMEM;
}

static int prepare_userptr(struct faa_bind_op *op)
{
	struct faa_userptr *userptr = faa_userptr_create(op->vm, op->args);

	if (IS_ERR(userptr))
		return PTR_ERR(userptr);
	op->userptr = userptr;

	return faa_userptr_look(userptr, &op->look, false);
}

static int prepare_kind(struct faa_bind_op *op, struct drm_file *file)
{
	switch (op->args->op) {
	case DRM_FAA_VM_BIND_OP_MAP:
		return prepare_bo(op, file);
	case DRM_FAA_VM_BIND_OP_MAP_USERPTR:
		return prepare_userptr(op);
	case DRM_FAA_VM_BIND_OP_MAP_NULL:
		op->prot |= FAA_PTE_SPARSE_MASK;
		return op->vm->faa->info.features & BIT_ULL(FAA_FEATURE_SPARSE) ?
		       0 : -EOPNOTSUPP;
	default:
		return 0;
	}
}

static enum faa_pt_change change_of(u32 op)
{
	switch (op) {
	case DRM_FAA_VM_BIND_OP_UNMAP:
		return FAA_PT_UNMAP;
	case DRM_FAA_VM_BIND_OP_MAP_NULL:
		return FAA_PT_MAP_HUGE;
	default:
		return FAA_PT_MAP;
	}
}

/* Step 4. The VM's lock is held. */
static void finish_op(struct faa_bind_op *op)
{
	struct faa_va *va, *next;
	unsigned int i;

	faa_pt_update_fini(&op->pt);
	list_for_each_entry_safe(va, next, &op->removed, base.rb.entry)
		faa_bind_unlink(va);
	for (i = 0; i < ARRAY_SIZE(op->spare); i++)
		kfree(op->spare[i]);
	faa_userptr_look_fini(&op->look);
	faa_userptr_put(op->userptr);
	if (op->vm_bo)
		put_vm_bo(op->vm_bo);
	drm_gem_object_put(op->obj);
}

/* Step 1. The VM's lock is held, inside drm_dev_enter(). On failure nothing is left. */
static int prepare_op(struct faa_bind_op *op, struct faa_vm *vm, struct drm_file *file,
		      const struct drm_faa_vm_bind_op *args)
{
	unsigned int i;
	int ret;

	ret = faa_bind_check_op(args);
	if (ret)
		return ret;
	if (!faa_bind_range_ok(args->va, args->size, vm->base.mm_range))
		return -EINVAL;

	memset(op, 0, sizeof(*op));
	op->vm = vm;
	op->args = args;
	op->prot = faa_vm_prot(args->flags);
	INIT_LIST_HEAD(&op->removed);
	faa_pt_update_begin(&op->pt, &vm->pt);

	ret = prepare_kind(op, file);
	if (ret)
		goto err_finish;
	ret = -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(op->spare); i++) {
		op->spare[i] = kzalloc(sizeof(*op->spare[i]), GFP_KERNEL);
		if (!op->spare[i])
			goto err_finish;
	}
	ret = faa_pt_update_init(&op->pt, &vm->pt, args->va, args->size, change_of(args->op));
	if (!ret)
		return 0;

err_finish:
	/* An error is no table. */
	if (IS_ERR(op->sgt))
		op->sgt = NULL;
	finish_op(op);
	return ret;
}

/* Step 2. -EAGAIN: look again. */
static int stage_op(struct faa_bind_op *op)
{
	return op->userptr ? faa_userptr_stage(op->userptr, &op->look) : 0;
}

static int look_again(struct faa_bind_op *op)
{
	if (!op->userptr || !mmu_interval_check_retry(&op->userptr->notifier, op->look.seq))
		return 0;

	return faa_userptr_look(op->userptr, &op->look, false);
}

/* Step 3. The VM's pt_lock is held, inside drm_dev_enter(). */
static void run_op(struct faa_bind_op *op)
{
	const struct drm_faa_vm_bind_op *args = op->args;
	struct drm_gpuvm *gpuvm = &op->vm->base;
	struct faa_va *va;
	int ret;

	if (args->op == DRM_FAA_VM_BIND_OP_UNMAP)
		ret = drm_gpuvm_sm_unmap(gpuvm, op, args->va, args->size);
	else
		ret = drm_gpuvm_sm_map(gpuvm, op, args->va, args->size, op->obj,
				       args->bo_offset);
	WARN_ON_ONCE(ret);

	/* The device forgets what is let go. */
	faa_vm_invalidate_update(op->vm, &op->pt);
	list_for_each_entry(va, &op->removed, base.rb.entry) {
		if (va->userptr)
			faa_userptr_drop(va->userptr, args->va, args->size);
	}
}

/* An operation of a call without ASYNC. The VM's lock is held, inside drm_dev_enter(). */
static int do_op_bound(struct faa_vm *vm, struct drm_file *file,
		       const struct drm_faa_vm_bind_op *args)
{
	struct faa_bind_op op;
	int ret;

	ret = prepare_op(&op, vm, file, args);
	if (ret)
		return ret;

	do {
		ret = look_again(&op);
		if (ret)
			break;
		mutex_lock(&vm->pt_lock);
		ret = stage_op(&op);
		if (!ret)
			run_op(&op);
		mutex_unlock(&vm->pt_lock);
	} while (ret == -EAGAIN);
	finish_op(&op);

	return ret;
}

/* The VM's lock is held. */
static int do_op(struct faa_vm *vm, struct drm_file *file, const struct drm_faa_vm_bind_op *args)
{
	int cookie, ret = faa_vm_check_usable(vm);

	if (ret)
		return ret;
	if (!drm_dev_enter(&vm->faa->drm, &cookie))
		return -ENODEV;
	ret = do_op_bound(vm, file, args);
	drm_dev_exit(cookie);

	return ret;
}

/* Get the VM's lock with no asynchronous call pending. Not inside drm_dev_enter(). */
static int lock_idle(struct faa_vm *vm)
{
	int ret;

	for (;;) {
		ret = wait_event_interruptible(vm->binds.idle, faa_vm_no_binds(vm));
		if (ret)
			return ret;
		ret = mutex_lock_interruptible(&vm->lock);
		if (ret)
			return ret;
		if (faa_vm_no_binds(vm))
			return 0;
		mutex_unlock(&vm->lock);
	}
}

/* The operations in order, up to the first that fails. */
static int bind_sync(struct faa_vm *vm, struct drm_file *file, struct drm_faa_vm_bind *args,
		     const struct drm_faa_vm_bind_op *ops)
{
	int ret = 0;
	u32 i;

	if (args->syncs.stride || args->syncs.count || args->syncs.array)
		return -EINVAL;

	for (i = 0; i < args->ops.count && !ret; i++) {
		args->failed_op = i;
		ret = lock_idle(vm);
		if (ret)
			break;
		ret = do_op(vm, file, &ops[i]);
		mutex_unlock(&vm->lock);
		trace_faa_vm_bind(vm->vmid, &ops[i], ret);
	}
	if (!ret)
		args->failed_op = args->ops.count;

	return ret;
}

static const char *fence_driver_name(struct dma_fence *fence)
{
	return "faa";
}

static const char *fence_timeline_name(struct dma_fence *fence)
{
	return "faa-bind";
}

static const struct dma_fence_ops faa_bind_fence_ops = {
	.get_driver_name = fence_driver_name,
	.get_timeline_name = fence_timeline_name,
};

/* The VM's lock is held. */
static void bind_free(struct faa_bind *bind)
{
	u32 i;

	for (i = 0; i < bind->count; i++)
		finish_op(&bind->ops[i]);
	for (i = 0; i < bind->num_waits; i++)
		dma_fence_put(bind->waits[i]);
	faa_sync_free_signals(&bind->signals);
	if (bind->fence && bind->fence->base.ops)
		dma_fence_put(&bind->fence->base);
	else
		kfree(bind->fence);
	kvfree(bind->waits);
	kvfree(bind->ops);
	kvfree(bind->args);
	kfree(bind);
}

static int add_sync(struct faa_bind *bind, struct drm_file *file, const struct drm_faa_sync *sync)
{
	int ret = faa_sync_check(sync);

	if (ret)
		return ret;
	if (sync->flags & DRM_FAA_SYNC_SIGNAL)
		return faa_sync_add_signal(file, &bind->signals, 0, sync);

	ret = drm_syncobj_find_fence(file, sync->handle, sync->point, 0,
				     &bind->waits[bind->num_waits]);
	if (!ret)
		bind->num_waits++;

	return ret;
}

static int get_syncs(struct faa_bind *bind, struct drm_file *file,
		     const struct drm_faa_obj_array *array)
{
	struct drm_faa_sync *syncs;
	int ret = 0;
	u32 i;

	if (!array->count)
		return array->stride || array->array ? -EINVAL : 0;

	syncs = FAA_UOBJ_GET_ARRAY(array, DRM_FAA_MAX_SYNCS, struct drm_faa_sync, point);
	if (IS_ERR(syncs))
		return PTR_ERR(syncs);
	bind->waits = kvcalloc(array->count, sizeof(*bind->waits), GFP_KERNEL);
	if (!bind->waits)
		ret = -ENOMEM;
	for (i = 0; i < array->count && !ret; i++)
		ret = add_sync(bind, file, &syncs[i]);
	kvfree(syncs);

	return ret;
}

/* Takes over the operations, also when it fails. */
static struct faa_bind *bind_create(struct faa_vm *vm, struct drm_file *file,
				    const struct drm_faa_vm_bind *args,
				    struct drm_faa_vm_bind_op *ops)
{
	struct faa_bind *bind = kzalloc(sizeof(*bind), GFP_KERNEL);
	int ret = -ENOMEM;

	if (!bind) {
		kvfree(ops);
		return ERR_PTR(-ENOMEM);
	}
	bind->vm = vm;
	bind->args = ops;
	INIT_LIST_HEAD(&bind->signals);
	INIT_LIST_HEAD(&bind->callback.node);
	bind->ops = kvcalloc(args->ops.count, sizeof(*bind->ops), GFP_KERNEL);
	bind->fence = kzalloc(sizeof(*bind->fence), GFP_KERNEL);
	if (bind->ops && bind->fence)
		ret = get_syncs(bind, file, &args->syncs);
	if (ret) {
		bind_free(bind);
		return ERR_PTR(ret);
	}

	return bind;
}

/* The point of no return. The VM's lock, its reservation's and pt_lock are held. */
static void bind_publish(struct faa_bind *bind)
{
	struct dma_fence *fence = &bind->fence->base;
	struct faa_vm *vm = bind->vm;

	/* The base comes first: its release frees the whole. */
	BUILD_BUG_ON(offsetof(struct faa_bind_fence, base));

	spin_lock_init(&bind->fence->lock);
	dma_fence_init(fence, &faa_bind_fence_ops, &bind->fence->lock, vm->binds.fence_context,
		       ++vm->binds.seqno);
	dma_resv_add_fence(drm_gpuvm_resv(&vm->base), fence, DMA_RESV_USAGE_BOOKKEEP);
	faa_sync_publish(&bind->signals, &fence);
	spin_lock(&vm->binds.lock);
	list_add_tail(&bind->node, &vm->binds.pending);
	spin_unlock(&vm->binds.lock);
	queue_work(vm->faa->bind_wq, &vm->binds.work);
}

/* Stage everything and publish, or -EAGAIN with some pages staged. */
static int bind_commit(struct faa_bind *bind)
{
	struct dma_resv *resv = drm_gpuvm_resv(&bind->vm->base);
	int ret;
	u32 i;

	for (i = 0; i < bind->count; i++) {
		ret = look_again(&bind->ops[i]);
		if (ret)
			return ret;
	}

	ret = dma_resv_lock_interruptible(resv, NULL);
	if (ret)
		return ret;
	ret = dma_resv_reserve_fences(resv, 1);
	if (ret)
		goto out_unlock;

	mutex_lock(&bind->vm->pt_lock);
	for (i = 0; i < bind->count && !ret; i++)
		ret = stage_op(&bind->ops[i]);
	if (!ret)
		bind_publish(bind);
	mutex_unlock(&bind->vm->pt_lock);
out_unlock:
	dma_resv_unlock(resv);

	return ret;
}

/* All operations, or none. The VM's lock is held, inside drm_dev_enter(). */
static int prepare_all(struct faa_bind *bind, struct drm_file *file, struct drm_faa_vm_bind *args)
{
	struct faa_vm *vm = bind->vm;
	int ret = 0;
	u32 i;

	for (i = 0; i < args->ops.count && !ret; i++) {
		ret = prepare_op(&bind->ops[i], vm, file, &bind->args[i]);
		trace_faa_vm_bind(vm->vmid, &bind->args[i], ret);
		if (ret)
			args->failed_op = i;
		else
			bind->count++;
	}

	return ret;
}

/* Takes over the operations. */
static int bind_async(struct faa_vm *vm, struct drm_file *file, struct drm_faa_vm_bind *args,
		      struct drm_faa_vm_bind_op *ops)
{
	struct faa_bind *bind = bind_create(vm, file, args, ops);
	int cookie, ret;

	if (IS_ERR(bind))
		return PTR_ERR(bind);

	mutex_lock(&vm->lock);
	ret = faa_vm_check_usable(vm);
	if (!ret && !drm_dev_enter(&vm->faa->drm, &cookie))
		ret = -ENODEV;
	if (ret)
		goto out_unlock;

	ret = prepare_all(bind, file, args);
	if (!ret) {
		do {
			ret = bind_commit(bind);
		} while (ret == -EAGAIN);
	}
	drm_dev_exit(cookie);
out_unlock:
	if (ret)
		bind_free(bind);
	mutex_unlock(&vm->lock);

	return ret;
}

/**
 * faa_bind() - VM_BIND
 * @file: DRM file
 * @vm: the VM
 * @args: arguments, flags and pad checked; @failed_op is set if an operation fails
 *
 * Return: 0 or an error of VM_BIND.
 */
int faa_bind(struct drm_file *file, struct faa_vm *vm, struct drm_faa_vm_bind *args)
{
	struct drm_faa_vm_bind_op *ops;
	int ret;

	ops = FAA_UOBJ_GET_ARRAY(&args->ops, DRM_FAA_MAX_BIND_OPS,
				 struct drm_faa_vm_bind_op, size);
	if (IS_ERR(ops))
		return PTR_ERR(ops);

	if (args->flags & DRM_FAA_VM_BIND_ASYNC)
		return bind_async(vm, file, args, ops);

	ret = bind_sync(vm, file, args, ops);
	kvfree(ops);

	return ret;
}

static void look_on(struct dma_fence *fence, struct dma_fence_cb *callback)
{
	struct faa_bind *bind = container_of(callback, struct faa_bind, callback);

	queue_work(bind->vm->faa->bind_wq, &bind->vm->binds.work);
}

/* Nobody looks on any more, nor is about to: callbacks are made under the fence's lock. */
static void stop_looking(struct faa_bind *bind)
{
	if (bind->next_wait < bind->num_waits)
		dma_fence_remove_callback(bind->waits[bind->next_wait], &bind->callback);
}

/* Has everything that a call waits for signalled? If not, come back when it may have. */
static bool ready(struct faa_bind *bind)
{
	for (; bind->next_wait < bind->num_waits; bind->next_wait++) {
		stop_looking(bind);
		if (!dma_fence_add_callback(bind->waits[bind->next_wait], &bind->callback,
					    look_on))
			return false;
	}

	return true;
}

/* The next call to run; NULL if there is none, or it has to wait. */
static struct faa_bind *next_bind(struct faa_vm *vm)
{
	struct faa_bind *bind = NULL;

	spin_lock(&vm->binds.lock);
	if (!vm->binds.ended)
		bind = list_first_entry_or_null(&vm->binds.pending, struct faa_bind, node);
	spin_unlock(&vm->binds.lock);

	return bind && ready(bind) ? bind : NULL;
}

/* A call is over: signal, and have the rest done where that is allowed. */
static void end_bind(struct faa_bind *bind, int error)
{
	struct dma_fence *fence = &bind->fence->base;
	struct faa_vm *vm = bind->vm;

	if (error)
		dma_fence_set_error(fence, error);
	dma_fence_signal(fence);

	spin_lock(&vm->binds.lock);
	list_move_tail(&bind->node, &vm->binds.over);
	spin_unlock(&vm->binds.lock);
	wake_up_all(&vm->binds.idle);
	queue_work(system_unbound_wq, &vm->binds.finish_work);
}

static void run_binds(struct work_struct *work)
{
	struct faa_vm *vm = container_of(work, struct faa_vm, binds.work);
	bool cookie = dma_fence_begin_signalling();
	struct faa_bind *bind;
	int entered;
	u32 i;

	while ((bind = next_bind(vm))) {
		if (!drm_dev_enter(&vm->faa->drm, &entered)) {
			end_bind(bind, -ENODEV);
			continue;
		}
		mutex_lock(&vm->pt_lock);
		for (i = 0; i < bind->count; i++)
			run_op(&bind->ops[i]);
		mutex_unlock(&vm->pt_lock);
		drm_dev_exit(entered);
		end_bind(bind, 0);
	}
	dma_fence_end_signalling(cookie);
}

/* Free what is over. The VM's lock is held. */
static void finish_binds(struct faa_vm *vm)
{
	struct faa_bind *bind, *next;
	LIST_HEAD(over);

	spin_lock(&vm->binds.lock);
	list_splice_init(&vm->binds.over, &over);
	spin_unlock(&vm->binds.lock);
	list_for_each_entry_safe(bind, next, &over, node)
		bind_free(bind);
}

static void finish_work(struct work_struct *work)
{
	struct faa_vm *vm = container_of(work, struct faa_vm, binds.finish_work);

	mutex_lock(&vm->lock);
	finish_binds(vm);
	mutex_unlock(&vm->lock);
}

/**
 * faa_bind_init_vm() - get a VM ready for asynchronous calls
 * @vm: the VM
 */
void faa_bind_init_vm(struct faa_vm *vm)
{
	spin_lock_init(&vm->binds.lock);
	INIT_LIST_HEAD(&vm->binds.pending);
	INIT_LIST_HEAD(&vm->binds.over);
	INIT_WORK(&vm->binds.work, run_binds);
	INIT_WORK(&vm->binds.finish_work, finish_work);
	init_waitqueue_head(&vm->binds.idle);
	vm->binds.fence_context = dma_fence_context_alloc(1);
}

/**
 * faa_bind_end() - end all asynchronous calls
 * @vm: the VM, closed or its device unplugged; none of its locks is held
 * @error: of the fences of those that are pending
 */
void faa_bind_end(struct faa_vm *vm, int error)
{
	struct faa_bind *bind, *next;

	spin_lock(&vm->binds.lock);
	vm->binds.ended = true;
	spin_unlock(&vm->binds.lock);

	/* A callback that is made meanwhile may queue the work once more, for nothing. */
	cancel_work_sync(&vm->binds.work);
	list_for_each_entry(bind, &vm->binds.pending, node)
		stop_looking(bind);
	cancel_work_sync(&vm->binds.work);

	list_for_each_entry_safe(bind, next, &vm->binds.pending, node)
		end_bind(bind, error);
	cancel_work_sync(&vm->binds.finish_work);
	mutex_lock(&vm->lock);
	finish_binds(vm);
	mutex_unlock(&vm->lock);
}

static void destroy_bind_wq(struct drm_device *drm, void *wq)
{
	destroy_workqueue(wq);
}

/**
 * faa_bind_init_device() - get ready for asynchronous calls
 * @faa: the device
 *
 * Return: 0 or -ENOMEM.
 */
int faa_bind_init_device(struct faa_device *faa)
{
	faa->bind_wq = alloc_workqueue("faa-bind", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	if (!faa->bind_wq)
		return -ENOMEM;

	return drmm_add_action_or_reset(&faa->drm, destroy_bind_wq, faa->bind_wq);
}
