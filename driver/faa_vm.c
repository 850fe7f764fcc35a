// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Address spaces
 *
 * A VM is a drm_gpuvm with a page table tree and, while it has queues, a VM number. Its
 * mappings are changed by VM_BIND (faa_bind_op.c) and follow the memory of processes
 * (faa_userptr.c).
 *
 * Lifetimes:
 *
 * - A mapping (faa_va, drm_gpuvm_bo) holds the buffer object or userptr. A GEM handle that
 *   is closed leaves the mapping as it is.
 * - A mapping that was removed is unlinked, which may free the object, only after
 *   faa_mmu_invalidate() returned. The same holds for page tables. If the device does not
 *   answer it has been cut off from memory when that function returns.
 * - A queue holds its VM. VM_DESTROY is refused while there is one; when a file is
 *   closed, its queues are stopped and disabled before its VMs are closed.
 * - Closing unmaps everything. The struct goes with the last reference.
 *
 * The device knows a VM by a number of 8 bits. A VM has one only while it has a queue; files share
 * the numbers (faa_share.c). It is invalidated as a whole when it gets its number,
 * because a previous owner of the device may have left translations, and when it gives it
 * back. While it has none changes need no invalidation.
 *
 * Two locks: lock is for ioctls, which hold it while they allocate. pt_lock is for callers
 * that an allocation may call, or that fences wait for: it protects mappings and tables, and
 * its owner invalidates the TLBs before it drops the lock.
 */

#include <linux/sched/mm.h>
#include <linux/slab.h>

#include <drm/drm_debugfs.h>
#include <drm/drm_drv.h>
#include <drm/drm_gem.h>

#include "faa_bind.h"
#include "faa_bind_op.h"
#include "faa_device.h"
#include "faa_mmu.h"
#include "faa_refuse.h"
#include "faa_reset.h"
#include "faa_share.h"
#include "faa_timeline.h"
#include "faa_trace.h"
#include "faa_userptr.h"
#include "faa_vm.h"

/**
 * faa_vm_invalidate_update() - make sure that the device does not use what was removed
 * @vm: the VM, its pt_lock held
 * @update: change of its tables
 *
 * When it returns, what was mapped may be freed, and faa_pt_update_fini() be called. Does
 * not allocate.
 */
void faa_vm_invalidate_update(struct faa_vm *vm, const struct faa_pt_update *update)
{
	int cookie;

	lockdep_assert_held(&vm->pt_lock);

	if (!faa_pt_update_needs_inv(update) || !vm->cached)
		return;

	if (drm_dev_enter(&vm->faa->drm, &cookie)) {
		faa_mmu_invalidate(vm->faa, vm->vmid, update->inv_first, update->inv_last);
		drm_dev_exit(cookie);
	} else {
		/* The unplug path does that, too, but may wait for us. */
		faa_device_cut_off(vm->faa);
	}
}

/**
 * faa_vm_check_usable() - may what is mapped be changed?
 * @vm: the VM, its lock held
 *
 * Return: 0, -ENOENT if it was destroyed, -ENODEV.
 */
int faa_vm_check_usable(struct faa_vm *vm)
{
	lockdep_assert_held(&vm->lock);

	if (vm->closed)
		return faa_refuse(&vm->faa->drm, -ENOENT, "the VM was destroyed meanwhile");

	return drm_dev_is_unplugged(&vm->faa->drm) ? -ENODEV : 0;
}

/* Nobody looks for the VM's page tables any more. */
static void vm_untrack(struct faa_vm *vm)
{
	struct faa_device *faa = vm->faa;

	mutex_lock(&faa->objects.lock);
	list_del_init(&vm->node);
	mutex_unlock(&faa->objects.lock);
}

/* Take out all mappings and tables. The lock is held. */
static void vm_remove_all(struct faa_vm *vm, struct list_head *removed)
{
	struct drm_gpuva *va, *next;
	struct faa_pt pt;

	mutex_lock(&vm->pt_lock);
	drm_gpuvm_for_each_va_safe(va, next, &vm->base) {
		drm_gpuva_remove(va);
		list_add_tail(&va->rb.entry, removed);
		if (to_faa_va(va)->userptr)
			list_del_init(&to_faa_va(va)->node);
	}
	pt = vm->pt;
	vm->pt.root = NULL;
	memset(vm->pt.null, 0, sizeof(vm->pt.null));
	mutex_unlock(&vm->pt_lock);

	/* Takes time, so without the lock: no other thread, and no queue, finds the tables. */
	faa_pt_fini(&pt);
}

/*
 * Unmap everything. No queue uses the VM; no ioctl can find it. The unplug path finds it as
 * long as it has DMA mappings: whichever comes first, under pt_lock, ends them.
 */
static void vm_close(struct faa_vm *vm)
{
	struct drm_gpuva *va, *next;
	LIST_HEAD(removed);

	mutex_lock(&vm->lock);
	vm->closed = true;
	mutex_unlock(&vm->lock);
	faa_bind_close(vm);

	mutex_lock(&vm->lock);
	vm_remove_all(vm, &removed);
	list_for_each_entry_safe(va, next, &removed, rb.entry)
		faa_bind_unlink(to_faa_va(va));
	mutex_unlock(&vm->lock);
	vm_untrack(vm);

	faa_vm_put(vm);
}

/* Tell lockdep what any allocation may do. */
static void vm_init_locks(struct faa_vm *vm)
{
	mutex_init(&vm->lock);
	mutex_init(&vm->pt_lock);
	fs_reclaim_acquire(GFP_KERNEL);
	might_lock(&vm->pt_lock);
	fs_reclaim_release(GFP_KERNEL);
}

static struct faa_vm *vm_alloc(struct faa_device *faa, u64 va_range)
{
	struct drm_gem_object *root;
	struct faa_vm *vm;

	vm = kzalloc(sizeof(*vm), GFP_KERNEL_ACCOUNT);
	if (!vm)
		return NULL;

	vm->timeline = faa_timeline_create(&faa->drm, "faa-bind");
	root = vm->timeline ? drm_gpuvm_resv_object_alloc(&faa->drm) : NULL;
	if (!root) {
		faa_timeline_put(vm->timeline);
		kfree(vm);
		return NULL;
	}

	vm->faa = faa;
	vm->serial = atomic_inc_return(&faa->vm_serial);
	INIT_LIST_HEAD(&vm->node);
	INIT_LIST_HEAD(&vm->userptr.all);
	INIT_LIST_HEAD(&vm->userptr.stale);
	INIT_LIST_HEAD(&vm->userptr.partial);
	vm_init_locks(vm);
	faa_bind_init_vm(vm);
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
	int idx, ret;

	if (!faa_bound_enter(faa, &idx))
		return -ENODEV;

	ret = faa_pt_init(&vm->pt, &faa_mmu_pt_ops, faa);
	if (!ret) {
		mutex_lock(&faa->objects.lock);
		list_add_tail(&vm->node, &faa->objects.vms);
		mutex_unlock(&faa->objects.lock);
	}
	faa_bound_exit(faa, idx);

	return faa_device_error(faa, ret);
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
		return faa_refuse(&faa->drm, -EINVAL,
				  "VM_CREATE: va_range 0x%llx, allowed are pages up to 0x%llx",
				  range, FAA_PT_VA_END);

	vm = vm_alloc(faa, range);
	if (!vm)
		return -ENOMEM;

	ret = vm_init_tables(vm);
	if (ret) {
		faa_vm_put(vm);
		return ret;
	}

	ret = xa_alloc(&file->vms, id, vm, XA_LIMIT(1, DRM_FAA_MAX_VMS), GFP_KERNEL_ACCOUNT);
	if (ret) {
		vm_close(vm);
		if (ret == -EBUSY)
			ret = faa_refuse(&faa->drm, -ENOSPC, "VM_CREATE: the file has %u VMs",
					 DRM_FAA_MAX_VMS);
		return ret;
	}
	*va_range = range;

	return 0;
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
	struct drm_device *drm = &file->faa->drm;
	struct faa_vm *vm = faa_vm_get(file, id);
	int ret = 0;

	if (!vm)
		return faa_refuse(drm, -ENOENT, "VM_DESTROY: VM %u, the file has none with this ID",
				  id);

	mutex_lock(&vm->lock);
	if (vm->closed)
		ret = faa_refuse(drm, -ENOENT, "VM_DESTROY: VM %u was destroyed", id);
	else if (vm->queues)
		ret = faa_refuse(drm, -EBUSY, "VM_DESTROY: VM %u has %u queues", id, vm->queues);
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

/* Make the TLBs forget a VM; -ENODEV if the device is unplugged, -EIO. */
static int vm_invalidate_all(struct faa_vm *vm)
{
	int cookie, ret;

	if (!drm_dev_enter(&vm->faa->drm, &cookie))
		return -ENODEV;
	ret = faa_mmu_invalidate(vm->faa, vm->vmid, 0, FAA_PT_VA_END - 1);
	drm_dev_exit(cookie);

	return ret;
}

/* From now on the TLBs may hold translations of the VM, or cannot any more. */
static void vm_set_cached(struct faa_vm *vm, bool cached)
{
	mutex_lock(&vm->pt_lock);
	vm->cached = cached;
	mutex_unlock(&vm->pt_lock);
}

/*
 * A VM gets its first queue, and with it a number. The device may have cached something for
 * a previous owner of the number. The lock is held.
 */
static int vm_get_number(struct faa_vm *vm, struct faa_file *file)
{
	struct ida *vmids = &vm->faa->vmids;
	int ret;

	ret = faa_share_add_vmid(file);
	if (ret)
		return ret;
	ret = ida_alloc_max(vmids, FAA_VMID_MAX, GFP_KERNEL_ACCOUNT);
	if (ret < 0)
		goto err_share;
	vm->vmid = ret;
	ret = vm_invalidate_all(vm);
	if (ret)
		goto err_free;
	vm_set_cached(vm, true);

	return 0;

err_free:
	ida_free(vmids, vm->vmid);
err_share:
	faa_share_remove_vmid(file);
	return ret;
}

/*
 * A VM has lost its last queue. If the device is unplugged, or given up, it forgets
 * everything before a VM gets a number again. The lock is held.
 */
static void vm_put_number(struct faa_vm *vm, struct faa_file *file)
{
	vm_invalidate_all(vm);
	vm_set_cached(vm, false);
	ida_free(&vm->faa->vmids, vm->vmid);
	faa_share_remove_vmid(file);
}

/**
 * faa_vm_add_queue() - a queue is going to use a VM
 * @vm: the VM
 * @file: file of both
 *
 * Return: 0, -ENOENT if it was destroyed, -ENOSPC if there is no VM number left for the file,
 * -ENODEV, -EIO, -ENOMEM.
 */
int faa_vm_add_queue(struct faa_vm *vm, struct faa_file *file)
{
	int ret;

	mutex_lock(&vm->lock);
	ret = faa_vm_check_usable(vm);
	if (!ret && !vm->queues)
		ret = vm_get_number(vm, file);
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
 * @file: file of both
 *
 * The queue is disabled: the device does nothing with the VM on its behalf. Its
 * reference to the VM is dropped.
 */
void faa_vm_remove_queue(struct faa_vm *vm, struct faa_file *file)
{
	mutex_lock(&vm->lock);
	if (!--vm->queues)
		vm_put_number(vm, file);
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
	trace_faa_vm_fault(vm->serial, queue, seqno, code, va);
}

/**
 * faa_vm_get_state() - answer VM_GET_STATE
 * @vm: the VM
 * @args: out fields are filled
 */
void faa_vm_get_state(struct faa_vm *vm, struct drm_faa_vm_get_state *args)
{
	args->state = drm_dev_is_unplugged(&vm->faa->drm) ? DRM_FAA_VM_STATE_UNUSABLE : 0;

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
		mutex_lock(&vm->pt_lock);
		seq_printf(m, "vm %u\n", vm->serial);
		drm_debugfs_gpuva_info(m, &vm->base);
		mutex_unlock(&vm->pt_lock);
		mutex_unlock(&vm->lock);
	}
	mutex_unlock(&faa->objects.lock);

	return 0;
}

/**
 * faa_vm_unplug() - free all page tables and end all DMA mappings of processes' memory
 * @faa: the device, unplugged; it does no DMA any more, and all jobs have ended
 *
 * The records of mappings stay until the VM is closed. The lock of a VM is not taken: its
 * owner may sleep in a page fault of the process for any time.
 */
void faa_vm_unplug(struct faa_device *faa)
{
	struct faa_vm *vm;

	mutex_lock(&faa->objects.lock);
	while ((vm = list_first_entry_or_null(&faa->objects.vms, struct faa_vm, node))) {
		drm_gpuvm_get(&vm->base);
		mutex_unlock(&faa->objects.lock);

		faa_bind_end(vm, -ENODEV);
		vm_untrack(vm);
		mutex_lock(&vm->pt_lock);
		faa_pt_fini(&vm->pt);
		faa_userptr_drop_all(vm);
		mutex_unlock(&vm->pt_lock);
		faa_vm_put(vm);

		mutex_lock(&faa->objects.lock);
	}
	mutex_unlock(&faa->objects.lock);
}
