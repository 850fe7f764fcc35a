// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Operations of VM_BIND
 *
 * An operation has four steps:
 *
 * 1. prepare: check, look up, allocate everything that it may need in whatever state
 *    the VM is by then (mappings, page tables), look at memory of the process. May sleep,
 *    wait and fail.
 * 2. stage: take the pages of the process that were looked at, unless they changed.
 * 3. run: change mappings and tables, invalidate the TLBs. Cannot fail. Work that takes time
 *    for each page (clear entries, write entries, release pages) is done in pieces, each with
 *    pt_lock; the mappings themselves change at once in between.
 * 4. finish: release removed mappings and unused spare objects.
 *
 * 2 and 3 take the VM's pt_lock, 1 and 4 are done with its lock. Between two pieces notifiers
 * and SUBMIT may change the entries of userptrs: unmapped entries that come back are cleared with
 * the mappings, and pages that a notifier has dropped are not mapped.
 *
 * Jobs are not waited for: one that needs an address which is no longer mapped ends with a
 * page fault of its own.
 */

#include <linux/overflow.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>

#include <kunit/visibility.h>

#include "faa_bind_op.h"
#include "faa_device.h"
#include "faa_gem.h"
#include "faa_mmu.h"
#include "faa_refuse.h"
#include "faa_timeline.h"
#include "faa_trace.h"

#define FAA_BIND_MAP_FLAGS	(DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC)
/* Limits of the memory that page tables and the list of pages of one operation take. */
#define FAA_BIND_USERPTR_MAX	BIT_ULL(38)
#define FAA_BIND_NULL_MAX	BIT_ULL(40)

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

static bool bind_op_map_flags_ok(u32 flags, u32 more)
{
	return !(flags & ~(FAA_BIND_MAP_FLAGS | more)) &&
	       (flags & FAA_BIND_MAP_FLAGS) != FAA_BIND_MAP_FLAGS;
}

static int bind_op_refuse_field(const struct drm_faa_vm_bind_op *op, const char *field, u64 value)
{
	return faa_refuse(NULL, -EINVAL, "VM_BIND: op %u: %s 0x%llx, not allowed", op->op, field,
			  value);
}

static int bind_op_check_flags(const struct drm_faa_vm_bind_op *op, u32 more)
{
	return bind_op_map_flags_ok(op->flags, more) ? 0 :
	       bind_op_refuse_field(op, "flags", op->flags);
}

/* Fields that an operation does not have are 0. */
static int bind_op_check_unused(const struct drm_faa_vm_bind_op *op)
{
	bool map = op->op == DRM_FAA_VM_BIND_OP_MAP;

	if (op->pad)
		return bind_op_refuse_field(op, "pad", op->pad);
	if (!map && op->handle)
		return bind_op_refuse_field(op, "handle", op->handle);
	if (!map && op->bo_offset)
		return bind_op_refuse_field(op, "bo_offset", op->bo_offset);
	if (op->op != DRM_FAA_VM_BIND_OP_MAP_USERPTR && op->userptr)
		return bind_op_refuse_field(op, "userptr", op->userptr);

	return 0;
}

static int bind_op_check_userptr(const struct drm_faa_vm_bind_op *op)
{
	u64 end;

	if (!IS_ALIGNED(op->userptr, PAGE_SIZE) ||
	    check_add_overflow(op->userptr, op->size, &end))
		return bind_op_refuse_field(op, "userptr", op->userptr);
	if (!IS_ALIGNED(op->size, PAGE_SIZE) || op->size > FAA_BIND_USERPTR_MAX)
		return bind_op_refuse_field(op, "size", op->size);

	return bind_op_check_flags(op, DRM_FAA_VM_BIND_FAULTABLE);
}

/**
 * faa_bind_check_op() - check what can be checked without looking anything up
 * @op: operation of VM_BIND
 *
 * Return: 0 or -EINVAL.
 */
int faa_bind_check_op(const struct drm_faa_vm_bind_op *op)
{
	int ret = bind_op_check_unused(op);

	if (ret)
		return ret;

	switch (op->op) {
	case DRM_FAA_VM_BIND_OP_MAP:
		if (!IS_ALIGNED(op->bo_offset, FAA_PT_PAGE))
			return bind_op_refuse_field(op, "bo_offset", op->bo_offset);
		return bind_op_check_flags(op, 0);
	case DRM_FAA_VM_BIND_OP_UNMAP:
		return op->flags ? bind_op_refuse_field(op, "flags", op->flags) : 0;
	case DRM_FAA_VM_BIND_OP_MAP_USERPTR:
		return bind_op_check_userptr(op);
	case DRM_FAA_VM_BIND_OP_MAP_NULL:
		if (op->size > FAA_BIND_NULL_MAX)
			return bind_op_refuse_field(op, "size", op->size);
		return bind_op_check_flags(op, 0);
	default:
		return bind_op_refuse_field(op, "op", op->op);
	}
}
EXPORT_SYMBOL_IF_KUNIT(faa_bind_check_op);

/* Take a preallocated mapping, into which the core has put what it is to hold. */
static struct faa_va *bind_op_take_va(struct faa_bind_op *op)
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
static void bind_op_link_va(struct faa_va *va, struct drm_gpuvm_bo *vm_bo,
			    struct faa_userptr *userptr)
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
 * faa_bind_unlink() - release the memory of a removed mapping, and free the mapping
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
		/* Keeps the object, whose lock is needed, until after its last mapping. */
		bo = to_faa_bo(obj);
		drm_gem_object_get(obj);
		mutex_lock(&bo->gpuva_lock);
		drm_gpuva_unlink(&va->base);
		mutex_unlock(&bo->gpuva_lock);
		drm_gem_object_put(obj);
	}
	kfree(va);
}

static void bind_op_put_vm_bo(struct drm_gpuvm_bo *vm_bo)
{
	struct faa_bo *bo = to_faa_bo(vm_bo->obj);

	mutex_lock(&bo->gpuva_lock);
	drm_gpuvm_bo_put(vm_bo);
	mutex_unlock(&bo->gpuva_lock);
}

/* Find the place of the object where the operation begins. */
static void bind_op_seek(struct faa_bind_op *op)
{
	struct scatterlist *sg;
	unsigned int i;

	op->next.offset = op->args->bo_offset;
	for_each_sgtable_dma_sg(op->sgt, sg, i) {
		op->next.sg = sg;
		if (op->next.offset < sg_dma_len(sg))
			break;
		op->next.offset -= sg_dma_len(sg);
		if (!(i % FAA_PT_ENTRIES))
			cond_resched();
	}
}

/* Write the entries of [va, va + size) and move on in the object. */
static void bind_op_map_sgt(struct faa_bind_op *op, u64 va, u64 size)
{
	while (size && op->next.sg) {
		struct scatterlist *sg = op->next.sg;
		u64 piece = min(sg_dma_len(sg) - op->next.offset, size);

		faa_pt_map(&op->pt, va, sg_dma_address(sg) + op->next.offset, piece, op->prot);
		va += piece;
		size -= piece;
		op->next.offset += piece;
		if (op->next.offset == sg_dma_len(sg)) {
			op->next.sg = sg_next(sg);
			op->next.offset = 0;
		}
	}
}

static int bind_op_step_map(struct drm_gpuva_op *gpuva_op, void *priv)
{
	struct drm_gpuva_op_map *map = &gpuva_op->map;
	struct faa_bind_op *op = priv;
	struct faa_va *va = bind_op_take_va(op);

	if (WARN_ON_ONCE(!va))
		return -ENOMEM;

	drm_gpuva_map(&op->vm->base, &va->base, map);
	bind_op_link_va(va, op->vm_bo, op->userptr);

	return 0;
}

/* Remove a mapping from the VM; faa_bind_op_finish() releases its memory. */
static void bind_op_remove_va(struct faa_bind_op *op, struct faa_va *va)
{
	list_add_tail(&va->base.rb.entry, &op->removed);
	if (va->userptr)
		list_del_init(&va->node);
}

static int bind_op_step_remap(struct drm_gpuva_op *gpuva_op, void *priv)
{
	struct drm_gpuva_op_remap *remap = &gpuva_op->remap;
	struct faa_va *old = to_faa_va(remap->unmap->va);
	struct faa_va *prev = NULL, *next = NULL;
	struct faa_bind_op *op = priv;
	u64 start, range;

	if (remap->prev)
		prev = bind_op_take_va(op);
	if (remap->next)
		next = bind_op_take_va(op);
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
		bind_op_link_va(prev, old->base.vm_bo, old->userptr);
	if (next)
		bind_op_link_va(next, old->base.vm_bo, old->userptr);
	bind_op_remove_va(op, old);

	return 0;
}

static int bind_op_step_unmap(struct drm_gpuva_op *gpuva_op, void *priv)
{
	struct faa_va *va = to_faa_va(gpuva_op->unmap.va);
	struct faa_bind_op *op = priv;

	faa_pt_unmap(&op->pt, va->base.va.addr, va->base.va.range);
	drm_gpuva_unmap(&gpuva_op->unmap);
	bind_op_remove_va(op, va);

	return 0;
}

static void bind_op_vm_free(struct drm_gpuvm *gpuvm)
{
	struct faa_vm *vm = to_faa_vm(gpuvm);

	mutex_destroy(&vm->binds.end_lock);
	mutex_destroy(&vm->pt_lock);
	mutex_destroy(&vm->lock);
	faa_timeline_put(vm->timeline);
	kfree(vm);
}

/* As the core does, but charged. */
static struct drm_gpuvm_bo *bind_op_vm_bo_alloc(void)
{
	return kzalloc(sizeof(struct drm_gpuvm_bo), GFP_KERNEL_ACCOUNT);
}

static void bind_op_vm_bo_free(struct drm_gpuvm_bo *vm_bo)
{
	kfree(vm_bo);
}

/* faa_gpuvm_ops - how the core splits an operation; the private data is the operation */
const struct drm_gpuvm_ops faa_gpuvm_ops = {
	.vm_free = bind_op_vm_free,
	.vm_bo_alloc = bind_op_vm_bo_alloc,
	.vm_bo_free = bind_op_vm_bo_free,
	.sm_step_map = bind_op_step_map,
	.sm_step_remap = bind_op_step_remap,
	.sm_step_unmap = bind_op_step_unmap,
};

/* Get or make the link between a VM and an object. */
static struct drm_gpuvm_bo *bind_op_obtain_vm_bo(struct faa_vm *vm, struct faa_bo *bo)
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

static int bind_op_prepare_bo(struct faa_bind_op *op, struct drm_file *file)
{
	const struct drm_faa_vm_bind_op *args = op->args;
	struct drm_device *drm = &op->vm->faa->drm;
	struct faa_bo *bo;

	op->obj = drm_gem_object_lookup(file, args->handle);
	if (!op->obj)
		return faa_refuse(drm, -ENOENT, "VM_BIND: handle %u, the file has no such BO",
				  args->handle);

	bo = to_faa_bo(op->obj);
	if (bo->flags & DRM_FAA_BO_STATUS_RING)
		return faa_refuse(drm, -EINVAL, "VM_BIND: handle %u is a status ring",
				  args->handle);
	if (bo->exclusive_root && bo->exclusive_root != drm_gpuvm_resv_obj(&op->vm->base))
		return faa_refuse(drm, -EINVAL, "VM_BIND: handle %u is exclusive to another VM",
				  args->handle);
	if (args->bo_offset > op->obj->size || args->size > op->obj->size - args->bo_offset)
		return faa_refuse(drm, -EINVAL,
				  "VM_BIND: bo_offset 0x%llx, size 0x%llx of a BO of 0x%zx bytes",
				  args->bo_offset, args->size, op->obj->size);

	op->sgt = faa_bo_get_sgt(bo);
	if (IS_ERR(op->sgt))
		return PTR_ERR(op->sgt);
	op->vm_bo = bind_op_obtain_vm_bo(op->vm, bo);

	return op->vm_bo ? 0 : -ENOMEM;
}

static int bind_op_refuse_memory(const struct faa_bind_op *op, int error)
{
	return faa_refuse(&op->vm->faa->drm, error,
			  "VM_BIND: userptr 0x%llx, size 0x%llx, some memory %s",
			  op->args->userptr, op->args->size,
			  error == -EPERM ? "cannot be written" : "is not the process's own");
}

static int bind_op_prepare_userptr(struct faa_bind_op *op)
{
	struct faa_userptr *userptr = faa_userptr_create(op->vm, op->args);
	int ret;

	if (userptr == ERR_PTR(-EFAULT))
		return bind_op_refuse_memory(op, -EFAULT);
	if (IS_ERR(userptr))
		return PTR_ERR(userptr);
	op->userptr = userptr;
	ret = faa_userptr_look(userptr, &op->look, false);
	if (ret == -EFAULT || ret == -EPERM)
		return bind_op_refuse_memory(op, ret);

	return ret ?: faa_userptr_stage_ahead(userptr, &op->look);
}

static int bind_op_prepare_kind(struct faa_bind_op *op, struct drm_file *file)
{
	switch (op->args->op) {
	case DRM_FAA_VM_BIND_OP_MAP:
		return bind_op_prepare_bo(op, file);
	case DRM_FAA_VM_BIND_OP_MAP_USERPTR:
		return bind_op_prepare_userptr(op);
	case DRM_FAA_VM_BIND_OP_MAP_NULL:
		op->prot |= FAA_PTE_SPARSE_MASK;
		if (op->vm->faa->info.features & BIT_ULL(FAA_FEATURE_SPARSE))
			return 0;
		return faa_refuse(&op->vm->faa->drm, -EOPNOTSUPP,
				  "VM_BIND: MAP_NULL, the device has no feature SPARSE");
	default:
		return 0;
	}
}

static enum faa_pt_change bind_op_change_of(u32 op)
{
	switch (op) {
	case DRM_FAA_VM_BIND_OP_UNMAP:
		return FAA_PT_UNMAP;
	case DRM_FAA_VM_BIND_OP_MAP_NULL:
		return FAA_PT_MAP_HUGE;
	case DRM_FAA_VM_BIND_OP_MAP_USERPTR:
		/* Notifiers unmap in between. */
		return FAA_PT_MAP_PIECES;
	default:
		return FAA_PT_MAP;
	}
}

/**
 * faa_bind_op_finish() - release removed mappings and unused spare objects
 * @op: operation that was prepared, whether or not it has run
 *
 * May wait for the VM's jobs. The VM's lock is held.
 */
void faa_bind_op_finish(struct faa_bind_op *op)
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
		bind_op_put_vm_bo(op->vm_bo);
	drm_gem_object_put(op->obj);
}

/**
 * faa_bind_op_prepare() - check, look up and allocate everything
 * @op: operation
 * @vm: the VM, its lock held
 * @file: whose handles
 * @args: what user space asked for; stays until the operation is finished
 *
 * Return: 0 or an error of VM_BIND, with nothing left.
 */
int faa_bind_op_prepare(struct faa_bind_op *op, struct faa_vm *vm, struct drm_file *file,
			const struct drm_faa_vm_bind_op *args)
{
	unsigned int i;
	int ret;

	ret = faa_bind_check_op(args);
	if (ret)
		return ret;
	if (!faa_bind_range_ok(args->va, args->size, vm->base.mm_range))
		return faa_refuse(&vm->faa->drm, -EINVAL,
				  "VM_BIND: va 0x%llx, size 0x%llx, allowed are pages below 0x%llx",
				  args->va, args->size, vm->base.mm_range);

	memset(op, 0, sizeof(*op));
	op->vm = vm;
	op->args = args;
	op->prot = faa_vm_prot(args->flags);
	INIT_LIST_HEAD(&op->removed);
	faa_pt_update_begin(&op->pt, &vm->pt);

	ret = bind_op_prepare_kind(op, file);
	if (ret)
		goto err_finish;
	ret = -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(op->spare); i++) {
		op->spare[i] = kzalloc(sizeof(*op->spare[i]), GFP_KERNEL_ACCOUNT);
		if (!op->spare[i])
			goto err_finish;
	}
	ret = faa_pt_update_init(&op->pt, &vm->pt, args->va, args->size,
				 bind_op_change_of(args->op));
	if (!ret)
		return 0;

err_finish:
	/* An error is no table. */
	if (IS_ERR(op->sgt))
		op->sgt = NULL;
	faa_bind_op_finish(op);
	return ret;
}

/**
 * faa_bind_op_stage() - take the pages that were looked at
 * @op: operation that is prepared
 *
 * The VM's pt_lock is held, inside drm_dev_enter(). May be repeated.
 *
 * Return: 0, -EAGAIN if faa_bind_op_look_again() is to be called first, -ENOMEM.
 */
int faa_bind_op_stage(struct faa_bind_op *op)
{
	return op->userptr ? faa_userptr_stage(op->userptr, &op->look) : 0;
}

/**
 * faa_bind_op_look_again() - look at memory of the process if it has changed
 * @op: operation that is prepared
 *
 * The VM's lock is held.
 *
 * Return: 0 or an error of VM_BIND.
 */
int faa_bind_op_look_again(struct faa_bind_op *op)
{
	if (!op->userptr || !mmu_interval_check_retry(&op->userptr->notifier, op->look.seq))
		return 0;

	return faa_userptr_look(op->userptr, &op->look, false);
}

/* Clear most entries of the range, piece by piece: others get the lock in between. */
static void bind_op_unmap_ahead(struct faa_bind_op *op)
{
	u64 va, next, end = op->args->va + op->args->size;

	for (va = op->args->va; va < end; va = next) {
		mutex_lock(&op->vm->pt_lock);
		next = faa_pt_unmap_ahead(&op->pt, va, end);
		trace_faa_vm_piece(op->vm->serial, va, next - va);
		mutex_unlock(&op->vm->pt_lock);
		cond_resched();
	}
}

/* Write the entries of an object or userptr, piece by piece. */
static void bind_op_map(struct faa_bind_op *op)
{
	u64 va, next, end = op->args->va + op->args->size;

	if (op->sgt)
		bind_op_seek(op);
	for (va = op->args->va; va < end; va = next) {
		next = faa_pt_piece_end(va, end);
		mutex_lock(&op->vm->pt_lock);
		trace_faa_vm_piece(op->vm->serial, va, next - va);
		if (op->userptr)
			faa_userptr_map(op->userptr, &op->pt, va, next - va);
		else
			bind_op_map_sgt(op, va, next - va);
		mutex_unlock(&op->vm->pt_lock);
		cond_resched();
	}
}

/* Let the pages go that a removed mapping had in the range, piece by piece. */
static void bind_op_drop(struct faa_bind_op *op, struct faa_va *removed)
{
	u64 va = max(op->args->va, removed->base.va.addr), next;
	u64 end = min(op->args->va + op->args->size,
		      removed->base.va.addr + removed->base.va.range);

	for (; va < end; va = next) {
		next = faa_pt_piece_end(va, end);
		mutex_lock(&op->vm->pt_lock);
		trace_faa_vm_piece(op->vm->serial, va, next - va);
		faa_userptr_drop(removed->userptr, va, next - va);
		mutex_unlock(&op->vm->pt_lock);
		cond_resched();
	}
}

/* Change the mappings, and the tables as far as that is little work. pt_lock is held. */
static void bind_op_change(struct faa_bind_op *op)
{
	const struct drm_faa_vm_bind_op *args = op->args;
	struct drm_gpuvm *gpuvm = &op->vm->base;
	int ret;

	if (args->op == DRM_FAA_VM_BIND_OP_UNMAP)
		ret = drm_gpuvm_sm_unmap(gpuvm, op, args->va, args->size);
	else
		ret = drm_gpuvm_sm_map(gpuvm, op, args->va, args->size, op->obj,
				       args->bo_offset);
	WARN_ON_ONCE(ret);

	/* No TLB has the released pages any more. */
	faa_vm_invalidate_update(op->vm, &op->pt);
	if (args->op == DRM_FAA_VM_BIND_OP_MAP_NULL)
		faa_pt_map(&op->pt, args->va, 0, args->size, op->prot);
}

/**
 * faa_bind_op_run() - change what is mapped
 * @op: operation that is prepared and staged
 *
 * Inside drm_dev_enter(), without the VM's pt_lock. Does not allocate, and does not end
 * early: others may have the VM when its process is killed.
 */
void faa_bind_op_run(struct faa_bind_op *op)
{
	struct faa_va *removed;

	bind_op_unmap_ahead(op);

	mutex_lock(&op->vm->pt_lock);
	bind_op_change(op);
	mutex_unlock(&op->vm->pt_lock);

	if (op->sgt || op->userptr)
		bind_op_map(op);
	list_for_each_entry(removed, &op->removed, base.rb.entry) {
		if (removed->userptr)
			bind_op_drop(op, removed);
	}
}
