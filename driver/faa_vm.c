// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Address spaces
 *
 * A VM is a drm_gpuvm with a page table tree and a VM number. VM_BIND works at once,
 * in the ioctl, under the VM's lock: everything is allocated first (mappings, tables),
 * then the tables are changed and the range is invalidated, then what was
 * mapped is let go. Jobs are not waited for: one that needs an address which is no
 * longer mapped ends with a page fault of its own.
 *
 * Who keeps what alive:
 *
 * - A mapping (drm_gpuva, drm_gpuvm_bo) holds the buffer object. A GEM handle that is
 *   closed leaves the mapping as it is.
 * - A mapping that was removed is unlinked, which may free the object, only after
 *   faa_mmu_invalidate() returned. The same holds for page tables. If the device does not
 *   answer it has been cut off from memory when that function returns.
 * - A queue holds its VM. VM_DESTROY is refused while there is one; when a file is
 *   closed, its queues are stopped and disabled before its VMs are closed.
 * - Closing unmaps everything and invalidates the whole VM, after which its number may
 *   go to another VM. The struct goes with the last reference.
 *
 * A VM is invalidated as a whole before its first queue is made, because a previous owner
 * of the device, or of the number, may have left translations. Until then changes need
 * no invalidation.
 *
 * Roads not taken: asynchronous binding has its place in the interface and would
 * need preallocated mappings, as here, plus a scheduler.
 */

#include <linux/overflow.h>
#include <linux/slab.h>

#include <drm/drm_debugfs.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>

#include <kunit/visibility.h>

#include "faa_device.h"
#include "faa_gem.h"
#include "faa_mmu.h"
#include "faa_trace.h"
#include "faa_vm.h"

#define FAA_VM_MAP_FLAGS (DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC)

/**
 * struct faa_vm_op - one operation under way
 */
struct faa_vm_op {
	/** @vm: the VM. */
	struct faa_vm *vm;
	/** @pt: change of the page tables. */
	struct faa_pt_update pt;
	/** @vm_bo: MAP: link between VM and object. */
	struct drm_gpuvm_bo *vm_bo;
	/** @sgt: MAP: pages of the object. */
	struct sg_table *sgt;
	/** @prot: MAP: bits of the leaves. */
	u64 prot;
	/** @spare: a new mapping, and the rests of two that are cut. */
	struct drm_gpuva *spare[3];
	/** @removed: mappings to unlink after the invalidation. */
	struct list_head removed;
};

/**
 * faa_vm_range_ok() - is a range one that can be mapped?
 * @va: first address
 * @size: bytes
 * @va_range: addresses of the VM are below this
 *
 * Return: true if it consists of whole pages, is not empty and lies in the VM.
 */
bool faa_vm_range_ok(u64 va, u64 size, u64 va_range)
{
	u64 end;

	return size && IS_ALIGNED(va | size, FAA_PT_PAGE) &&
	       !check_add_overflow(va, size, &end) && end <= va_range;
}
EXPORT_SYMBOL_IF_KUNIT(faa_vm_range_ok);

/**
 * faa_vm_check_op() - check what can be checked without looking anything up
 * @op: operation of VM_BIND
 *
 * Return: 0, -EINVAL, -EOPNOTSUPP for reserved operations.
 */
int faa_vm_check_op(const struct drm_faa_vm_bind_op *op)
{
	if (op->op == DRM_FAA_VM_BIND_OP_MAP_USERPTR ||
	    op->op == DRM_FAA_VM_BIND_OP_MAP_NULL)
		return -EOPNOTSUPP;

	if (op->pad || op->userptr)
		return -EINVAL;

	switch (op->op) {
	case DRM_FAA_VM_BIND_OP_MAP:
		if (op->flags & ~FAA_VM_MAP_FLAGS || op->flags == FAA_VM_MAP_FLAGS ||
		    !IS_ALIGNED(op->bo_offset, FAA_PT_PAGE))
			return -EINVAL;
		return 0;
	case DRM_FAA_VM_BIND_OP_UNMAP:
		return op->flags || op->handle || op->bo_offset ? -EINVAL : 0;
	default:
		return -EINVAL;
	}
}
EXPORT_SYMBOL_IF_KUNIT(faa_vm_check_op);

/* Take a preallocated mapping, into which the core has put what it is to hold. */
static struct drm_gpuva *take_va(struct faa_vm_op *op)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(op->spare); i++) {
		struct drm_gpuva *va = op->spare[i];

		if (va) {
			op->spare[i] = NULL;
			return va;
		}
	}

	return NULL;
}

static void link_va(struct drm_gpuva *va, struct drm_gpuvm_bo *vm_bo)
{
	struct faa_bo *bo = to_faa_bo(vm_bo->obj);

	mutex_lock(&bo->gpuva_lock);
	drm_gpuva_link(va, vm_bo);
	mutex_unlock(&bo->gpuva_lock);
}

/* Drops what may be the last reference to the object, whose lock is needed for it. */
static void unlink_va(struct drm_gpuva *va)
{
	struct drm_gem_object *obj = va->gem.obj;
	struct faa_bo *bo = to_faa_bo(obj);

	drm_gem_object_get(obj);
	mutex_lock(&bo->gpuva_lock);
	drm_gpuva_unlink(va);
	mutex_unlock(&bo->gpuva_lock);
	drm_gem_object_put(obj);
	kfree(va);
}

static void put_vm_bo(struct drm_gpuvm_bo *vm_bo)
{
	struct drm_gem_object *obj = vm_bo->obj;
	struct faa_bo *bo = to_faa_bo(obj);

	drm_gem_object_get(obj);
	mutex_lock(&bo->gpuva_lock);
	drm_gpuvm_bo_put(vm_bo);
	mutex_unlock(&bo->gpuva_lock);
	drm_gem_object_put(obj);
}

/* Write the entries of [va, va + size), which begins at an offset of the object. */
static void map_sgt(struct faa_vm_op *op, u64 va, u64 size, u64 offset)
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
	struct faa_vm_op *op = priv;
	struct drm_gpuva *va = take_va(op);

	if (WARN_ON_ONCE(!va))
		return -ENOMEM;

	map_sgt(op, map->va.addr, map->va.range, map->gem.offset);
	drm_gpuva_map(&op->vm->base, va, map);
	link_va(va, op->vm_bo);

	return 0;
}

static int step_remap(struct drm_gpuva_op *gpuva_op, void *priv)
{
	struct drm_gpuva_op_remap *remap = &gpuva_op->remap;
	struct drm_gpuva *old = remap->unmap->va;
	struct drm_gpuva *prev = NULL, *next = NULL;
	struct faa_vm_op *op = priv;
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

	drm_gpuva_remap(prev, next, remap);
	if (prev)
		link_va(prev, old->vm_bo);
	if (next)
		link_va(next, old->vm_bo);
	list_add_tail(&old->rb.entry, &op->removed);

	return 0;
}

static int step_unmap(struct drm_gpuva_op *gpuva_op, void *priv)
{
	struct drm_gpuva *va = gpuva_op->unmap.va;
	struct faa_vm_op *op = priv;

	faa_pt_unmap(&op->pt, va->va.addr, va->va.range);
	drm_gpuva_unmap(&gpuva_op->unmap);
	list_add_tail(&va->rb.entry, &op->removed);

	return 0;
}

static void vm_free(struct drm_gpuvm *gpuvm)
{
	struct faa_vm *vm = to_faa_vm(gpuvm);

	mutex_destroy(&vm->lock);
	kfree(vm);
}

static const struct drm_gpuvm_ops faa_gpuvm_ops = {
	.vm_free = vm_free,
	.sm_step_map = step_map,
	.sm_step_remap = step_remap,
	.sm_step_unmap = step_unmap,
};

/* Make sure that the device does not use what the update removed. */
static void invalidate_update(struct faa_vm *vm, const struct faa_pt_update *update)
{
	if (faa_pt_update_needs_inv(update) && vm->cached)
		faa_mmu_invalidate(vm->faa, vm->vmid, update->inv_first, update->inv_last);
}

/* Allocate everything that an operation may need. */
static int prepare_op(struct faa_vm_op *op, struct faa_vm *vm, u64 va, u64 size, bool map)
{
	unsigned int i;

	op->vm = vm;
	INIT_LIST_HEAD(&op->removed);
	for (i = 0; i < ARRAY_SIZE(op->spare); i++) {
		op->spare[i] = kzalloc(sizeof(*op->spare[i]), GFP_KERNEL);
		if (!op->spare[i])
			goto err_free_spare;
	}
	if (!faa_pt_update_init(&op->pt, &vm->pt, va, size, map))
		return 0;

err_free_spare:
	for (i = 0; i < ARRAY_SIZE(op->spare); i++)
		kfree(op->spare[i]);
	return -ENOMEM;
}

/* End an operation: the order of these steps keeps memory that is reachable. */
static void finish_op(struct faa_vm_op *op)
{
	struct drm_gpuva *va, *next;
	unsigned int i;

	invalidate_update(op->vm, &op->pt);
	faa_pt_update_fini(&op->pt);
	list_for_each_entry_safe(va, next, &op->removed, rb.entry)
		unlink_va(va);
	for (i = 0; i < ARRAY_SIZE(op->spare); i++)
		kfree(op->spare[i]);
}

static int check_usable(struct faa_vm *vm)
{
	if (vm->closed)
		return -ENOENT;

	return vm->unusable ? -ENODEV : 0;
}

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

static int map_bo(struct faa_vm *vm, struct faa_bo *bo, const struct drm_faa_vm_bind_op *args)
{
	struct faa_vm_op op = {
		.prot = (args->flags & DRM_FAA_VM_BIND_READONLY ? 0 : FAA_PTE_WRITABLE_MASK) |
			(args->flags & DRM_FAA_VM_BIND_ATOMIC ? FAA_PTE_ATOMIC_MASK : 0),
	};
	struct drm_gem_object *obj = &bo->base.base;
	int ret;

	if (bo->flags & DRM_FAA_BO_STATUS_RING ||
	    (bo->exclusive_root && bo->exclusive_root != drm_gpuvm_resv_obj(&vm->base)) ||
	    args->bo_offset > obj->size || args->size > obj->size - args->bo_offset)
		return -EINVAL;

	op.sgt = faa_bo_get_sgt(bo);
	if (IS_ERR(op.sgt))
		return PTR_ERR(op.sgt);

	mutex_lock(&vm->lock);
	ret = check_usable(vm);
	if (ret)
		goto out_unlock;
	op.vm_bo = obtain_vm_bo(vm, bo);
	if (!op.vm_bo) {
		ret = -ENOMEM;
		goto out_unlock;
	}
	ret = prepare_op(&op, vm, args->va, args->size, true);
	if (!ret) {
		ret = drm_gpuvm_sm_map(&vm->base, &op, args->va, args->size, obj,
				       args->bo_offset);
		finish_op(&op);
	}
	put_vm_bo(op.vm_bo);
out_unlock:
	mutex_unlock(&vm->lock);

	return ret;
}

static int unmap_range(struct faa_vm *vm, u64 va, u64 size)
{
	struct faa_vm_op op = {};
	int ret;

	mutex_lock(&vm->lock);
	ret = check_usable(vm);
	if (!ret)
		ret = prepare_op(&op, vm, va, size, false);
	if (!ret) {
		ret = drm_gpuvm_sm_unmap(&vm->base, &op, va, size);
		finish_op(&op);
	}
	mutex_unlock(&vm->lock);

	return ret;
}

/**
 * faa_vm_bind_op() - do one operation of VM_BIND
 * @file: DRM file
 * @vm: the VM
 * @op: the operation
 *
 * Call inside drm_dev_enter(). On failure nothing has changed.
 *
 * Return: 0 or an error of VM_BIND.
 */
int faa_vm_bind_op(struct drm_file *file, struct faa_vm *vm,
		   const struct drm_faa_vm_bind_op *op)
{
	struct drm_gem_object *obj;
	int ret = faa_vm_check_op(op);

	if (ret)
		return ret;
	if (!faa_vm_range_ok(op->va, op->size, vm->base.mm_range))
		return -EINVAL;

	if (op->op == DRM_FAA_VM_BIND_OP_UNMAP) {
		ret = unmap_range(vm, op->va, op->size);
	} else {
		obj = drm_gem_object_lookup(file, op->handle);
		if (!obj)
			return -ENOENT;
		ret = map_bo(vm, to_faa_bo(obj), op);
		drm_gem_object_put(obj);
	}
	trace_faa_vm_bind(vm->vmid, op, ret);

	return ret;
}

/* Free the page tables, which the device must not use any more. */
static void release_tables(struct faa_vm *vm)
{
	struct faa_device *faa = vm->faa;

	mutex_lock(&faa->objects.lock);
	list_del_init(&vm->node);
	mutex_unlock(&faa->objects.lock);
	faa_pt_fini(&vm->pt);
}

/*
 * Unmap everything. No queue uses the VM; nobody else can find it. May wait for an
 * unplug: not inside drm_dev_enter().
 */
static void vm_close(struct faa_vm *vm)
{
	struct faa_device *faa = vm->faa;
	struct drm_gpuva *va, *next;
	LIST_HEAD(removed);
	bool bound;
	int cookie;

	bound = drm_dev_enter(&faa->drm, &cookie);
	/* The tables are freed by whoever unplugs; the device is at rest then. */
	if (!bound)
		wait_for_completion(&faa->unplug.done);

	mutex_lock(&vm->lock);
	vm->closed = true;
	drm_gpuvm_for_each_va_safe(va, next, &vm->base) {
		drm_gpuva_remove(va);
		list_add_tail(&va->rb.entry, &removed);
	}

	if (bound && vm->cached)
		faa_mmu_invalidate(faa, vm->vmid, 0, FAA_PT_VA_END - 1);
	if (bound)
		release_tables(vm);
	list_for_each_entry_safe(va, next, &removed, rb.entry)
		unlink_va(va);
	mutex_unlock(&vm->lock);
	if (bound)
		drm_dev_exit(cookie);

	ida_free(&faa->vmids, vm->vmid);
	faa_vm_put(vm);
}

static struct faa_vm *vm_alloc(struct faa_device *faa, u64 va_range)
{
	struct drm_gem_object *root;
	struct faa_vm *vm;

	vm = kzalloc(sizeof(*vm), GFP_KERNEL);
	if (!vm)
		return NULL;

	root = drm_gpuvm_resv_object_alloc(&faa->drm);
	if (!root) {
		kfree(vm);
		return NULL;
	}

	vm->faa = faa;
	INIT_LIST_HEAD(&vm->node);
	mutex_init(&vm->lock);
	spin_lock_init(&vm->fault.lock);
	drm_gpuvm_init(&vm->base, "faa-vm", 0, &faa->drm, root, 0, va_range, 0, 0,
		       &faa_gpuvm_ops);
	drm_gem_object_put(root);

	return vm;
}

/* Make the page tables, which a device that is being unplugged must not get. */
static int vm_init_tables(struct faa_vm *vm)
{
	struct faa_device *faa = vm->faa;
	int cookie, ret;

	if (!drm_dev_enter(&faa->drm, &cookie))
		return -ENODEV;

	ret = faa_pt_init(&vm->pt, &faa_mmu_pt_ops, faa);
	if (!ret) {
		mutex_lock(&faa->objects.lock);
		list_add_tail(&vm->node, &faa->objects.vms);
		mutex_unlock(&faa->objects.lock);
	}
	drm_dev_exit(cookie);

	return ret;
}

/**
 * faa_vm_create() - create a VM
 * @file: file that gets it
 * @va_range: in: addresses are below this, 0 = all; out: the value used
 * @id: out: ID
 *
 * Return: 0, -EINVAL, -ENOSPC, -ENOMEM, -ENODEV.
 */
int faa_vm_create(struct faa_file *file, u64 *va_range, u32 *id)
{
	struct faa_device *faa = file->faa;
	u64 range = *va_range ?: FAA_PT_VA_END;
	struct faa_vm *vm;
	int ret;

	if (range > FAA_PT_VA_END || !IS_ALIGNED(range, FAA_PT_PAGE))
		return -EINVAL;

	vm = vm_alloc(faa, range);
	if (!vm)
		return -ENOMEM;

	ret = ida_alloc_max(&faa->vmids, FAA_REG_QUEUE_CONFIG0_VMID_MASK >>
			    FAA_REG_QUEUE_CONFIG0_VMID_SHIFT, GFP_KERNEL);
	if (ret < 0)
		goto err_put_vm;
	vm->vmid = ret;

	ret = vm_init_tables(vm);
	if (ret)
		goto err_free_vmid;

	ret = xa_alloc(&file->vms, id, vm, XA_LIMIT(1, DRM_FAA_MAX_VMS), GFP_KERNEL);
	if (ret) {
		vm_close(vm);
		return ret == -EBUSY ? -ENOSPC : ret;
	}
	*va_range = range;

	return 0;

err_free_vmid:
	ida_free(&faa->vmids, vm->vmid);
err_put_vm:
	faa_vm_put(vm);
	return ret;
}

/**
 * faa_vm_get() - look up a VM
 * @file: file
 * @id: ID
 *
 * Return: the VM with a reference, NULL if there is none.
 */
struct faa_vm *faa_vm_get(struct faa_file *file, u32 id)
{
	struct faa_vm *vm;

	xa_lock(&file->vms);
	vm = xa_load(&file->vms, id);
	if (vm)
		drm_gpuvm_get(&vm->base);
	xa_unlock(&file->vms);

	return vm;
}

/**
 * faa_vm_destroy() - destroy a VM
 * @file: file
 * @id: ID
 *
 * Return: 0, -ENOENT, -EBUSY if a queue uses it.
 */
int faa_vm_destroy(struct faa_file *file, u32 id)
{
	struct faa_vm *vm = faa_vm_get(file, id);
	int ret = 0;

	if (!vm)
		return -ENOENT;

	mutex_lock(&vm->lock);
	if (vm->closed)
		ret = -ENOENT;
	else if (vm->queues)
		ret = -EBUSY;
	else
		vm->closed = true;
	mutex_unlock(&vm->lock);

	if (!ret) {
		xa_erase(&file->vms, id);
		vm_close(vm);
	}
	faa_vm_put(vm);

	return ret;
}

/**
 * faa_vm_close_all() - close all VMs of a file that goes
 * @file: file, whose queues have been destroyed
 */
void faa_vm_close_all(struct faa_file *file)
{
	struct faa_vm *vm;
	unsigned long id;

	xa_for_each(&file->vms, id, vm)
		vm_close(vm);
	xa_destroy(&file->vms);
}

/*
 * The first use of a VM number by the device since the driver was bound: forget what
 * it may have cached for a previous owner of the number. The lock is held.
 */
static int make_cached(struct faa_vm *vm)
{
	int cookie, ret;

	if (vm->cached)
		return 0;
	if (!drm_dev_enter(&vm->faa->drm, &cookie))
		return -ENODEV;
	ret = faa_mmu_invalidate(vm->faa, vm->vmid, 0, FAA_PT_VA_END - 1);
	drm_dev_exit(cookie);
	vm->cached = !ret;

	return ret;
}

/**
 * faa_vm_add_queue() - a queue is going to use a VM
 * @vm: the VM
 *
 * Return: 0, -ENOENT if it was destroyed, -ENODEV, -EIO.
 */
int faa_vm_add_queue(struct faa_vm *vm)
{
	int ret;

	mutex_lock(&vm->lock);
	ret = check_usable(vm);
	if (!ret)
		ret = make_cached(vm);
	if (!ret) {
		vm->queues++;
		drm_gpuvm_get(&vm->base);
	}
	mutex_unlock(&vm->lock);

	return ret;
}

/**
 * faa_vm_remove_queue() - a queue no longer uses a VM
 * @vm: the VM
 *
 * The queue is disabled: the device does nothing with the VM on its behalf. Its
 * reference to the VM is dropped.
 */
void faa_vm_remove_queue(struct faa_vm *vm)
{
	mutex_lock(&vm->lock);
	vm->queues--;
	mutex_unlock(&vm->lock);
	faa_vm_put(vm);
}

/**
 * faa_vm_report_fault() - remember a page fault
 * @vm: the VM
 * @queue: ID of the queue
 * @seqno: job
 * @code: enum faa_error
 * @va: address
 */
void faa_vm_report_fault(struct faa_vm *vm, u32 queue, u64 seqno, u32 code, u64 va)
{
	spin_lock(&vm->fault.lock);
	vm->fault.queue = queue;
	vm->fault.seqno = seqno;
	vm->fault.code = code;
	vm->fault.va = va;
	spin_unlock(&vm->fault.lock);
	trace_faa_vm_fault(vm->vmid, queue, seqno, code, va);
}

/**
 * faa_vm_get_state() - answer VM_GET_STATE
 * @vm: the VM
 * @args: out fields are filled
 */
void faa_vm_get_state(struct faa_vm *vm, struct drm_faa_vm_get_state *args)
{
	mutex_lock(&vm->lock);
	args->state = vm->unusable ? DRM_FAA_VM_STATE_UNUSABLE : 0;
	mutex_unlock(&vm->lock);

	spin_lock(&vm->fault.lock);
	if (vm->fault.seqno)
		args->state |= DRM_FAA_VM_STATE_FAULTED;
	args->fault_va = vm->fault.va;
	args->fault_code = vm->fault.code;
	args->fault_queue = vm->fault.queue;
	args->fault_seqno = vm->fault.seqno;
	spin_unlock(&vm->fault.lock);
}

/**
 * faa_vm_show() - show what is mapped
 * @faa: the device
 * @m: where to
 *
 * Return: 0.
 */
int faa_vm_show(struct faa_device *faa, struct seq_file *m)
{
	struct faa_vm *vm;

	/*
	 * The lock of a VM is taken before that of the list: a VM that is busy is left
	 * out rather than waited for.
	 */
	mutex_lock(&faa->objects.lock);
	list_for_each_entry(vm, &faa->objects.vms, node) {
		if (!mutex_trylock(&vm->lock))
			continue;
		seq_printf(m, "vm %u\n", vm->vmid);
		drm_debugfs_gpuva_info(m, &vm->base);
		mutex_unlock(&vm->lock);
	}
	mutex_unlock(&faa->objects.lock);

	return 0;
}

/**
 * faa_vm_unplug() - free all page tables
 * @faa: the device, unplugged; it does no DMA any more
 *
 * What is mapped stays recorded until the VM is closed.
 */
void faa_vm_unplug(struct faa_device *faa)
{
	struct faa_vm *vm;

	mutex_lock(&faa->objects.lock);
	while ((vm = list_first_entry_or_null(&faa->objects.vms, struct faa_vm, node))) {
		drm_gpuvm_get(&vm->base);
		mutex_unlock(&faa->objects.lock);

		mutex_lock(&vm->lock);
		vm->unusable = true;
		release_tables(vm);
		mutex_unlock(&vm->lock);
		faa_vm_put(vm);

		mutex_lock(&faa->objects.lock);
	}
	mutex_unlock(&faa->objects.lock);
}
