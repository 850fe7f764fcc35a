// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Binding
 *
 * VM_BIND does its operations (faa_bind_op.c) one after the other, each in all its steps.
 *
 * With ASYNC all operations are prepared, then staged together while the fence is published;
 * they run on a workqueue when the fences that were asked for have signalled, the calls of
 * one VM in order, and finish on another one. The first of these workqueues signals
 * fences: there, nothing is allocated, nor any lock taken that is held during
 * an allocation. A call without ASYNC waits until none is pending.
 *
 * A published call runs, unless the VM is closed or the device unplugged first.
 */

#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_syncobj.h>

#include "faa_bind.h"
#include "faa_bind_op.h"
#include "faa_device.h"
#include "faa_refuse.h"
#include "faa_sync.h"
#include "faa_timeline.h"
#include "faa_trace.h"
#include "faa_uobj.h"
#include "faa_vm.h"

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
	/** @signals: syncobjs to signal. */
	struct faa_signals signals;
	/** @fence: signals when the operations are done. */
	struct faa_timeline_fence *fence;
};

/* Stage and run an operation, or -EAGAIN if memory of the process has changed. */
static int bind_do_op_bound(struct faa_vm *vm, struct faa_bind_op *op)
{
	int cookie, ret;

	if (!drm_dev_enter(&vm->faa->drm, &cookie))
		return -ENODEV;
	mutex_lock(&vm->pt_lock);
	ret = faa_bind_op_stage(op);
	mutex_unlock(&vm->pt_lock);
	if (!ret)
		faa_bind_op_run(op);
	drm_dev_exit(cookie);

	return ret;
}

/* An operation of a call without ASYNC. The VM's lock is held. */
static int bind_do_op(struct faa_vm *vm, struct drm_file *file,
		      const struct drm_faa_vm_bind_op *args)
{
	struct faa_bind_op op;
	int ret;

	ret = faa_vm_check_usable(vm);
	if (!ret)
		ret = faa_bind_op_prepare(&op, vm, file, args);
	if (ret)
		return ret;

	do {
		ret = faa_bind_op_look_again(&op);
		if (!ret)
			ret = bind_do_op_bound(vm, &op);
	} while (ret == -EAGAIN);
	faa_bind_op_finish(&op);

	return ret;
}

/* Get the VM's lock with no asynchronous call pending. Not inside drm_dev_enter(). */
static int bind_lock_idle(struct faa_vm *vm)
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

/* Between operations: let others run, and end early if the process is being killed. */
static int bind_pause(void)
{
	cond_resched();

	return fatal_signal_pending(current) ? -EINTR : 0;
}

/* The operations in order, up to the first that fails. */
static int bind_sync(struct faa_vm *vm, struct drm_file *file, struct drm_faa_vm_bind *args,
		     const struct drm_faa_vm_bind_op *ops)
{
	int ret = 0;
	u32 i;

	if (args->syncs.stride || args->syncs.count || args->syncs.array)
		return faa_refuse(&vm->faa->drm, -EINVAL,
				  "VM_BIND: syncs with stride %u, count %u, array 0x%llx need ASYNC",
				  args->syncs.stride, args->syncs.count, args->syncs.array);

	for (i = 0; i < args->ops.count && !ret; i++) {
		args->failed_op = i;
		ret = bind_pause();
		if (!ret)
			ret = bind_lock_idle(vm);
		if (ret)
			break;
		ret = bind_do_op(vm, file, &ops[i]);
		mutex_unlock(&vm->lock);
		trace_faa_vm_bind(vm->serial, &ops[i], ret);
	}
	if (!ret)
		args->failed_op = args->ops.count;

	return ret;
}

/* The VM's lock is held. */
static void bind_free(struct faa_bind *bind)
{
	u32 i;

	for (i = 0; i < bind->count; i++)
		faa_bind_op_finish(&bind->ops[i]);
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

static int bind_add_sync(struct faa_bind *bind, struct drm_file *file,
			 const struct drm_faa_sync *sync)
{
	int ret = faa_sync_check(sync, "VM_BIND");

	if (ret)
		return ret;
	if (sync->flags & DRM_FAA_SYNC_SIGNAL)
		return faa_sync_add_signal(file, &bind->signals, 0, sync);

	ret = faa_sync_find(file, sync, &bind->waits[bind->num_waits], "VM_BIND");
	if (!ret)
		bind->num_waits++;

	return ret;
}

static int bind_get_syncs(struct faa_bind *bind, struct drm_file *file,
			  const struct drm_faa_obj_array *array)
{
	struct drm_faa_sync *syncs;
	int ret = 0;
	u32 i;

	if (!array->count && (array->stride || array->array))
		return faa_refuse(&bind->vm->faa->drm, -EINVAL,
				  "VM_BIND: syncs.stride %u and array 0x%llx without a count",
				  array->stride, array->array);
	if (!array->count)
		return 0;

	syncs = FAA_UOBJ_GET_ARRAY(array, DRM_FAA_MAX_SYNCS, struct drm_faa_sync, point,
				   "VM_BIND: syncs");
	if (IS_ERR(syncs))
		return PTR_ERR(syncs);
	bind->waits = kvcalloc(array->count, sizeof(*bind->waits), GFP_KERNEL_ACCOUNT);
	if (!bind->waits)
		ret = -ENOMEM;
	for (i = 0; i < array->count && !ret; i++)
		ret = bind_add_sync(bind, file, &syncs[i]);
	kvfree(syncs);

	return ret;
}

/* Takes over the operations, also when it fails. */
static struct faa_bind *bind_create(struct faa_vm *vm, struct drm_file *file,
				    const struct drm_faa_vm_bind *args,
				    struct drm_faa_vm_bind_op *ops)
{
	struct faa_bind *bind = kzalloc(sizeof(*bind), GFP_KERNEL_ACCOUNT);
	int ret = -ENOMEM;

	if (!bind) {
		kvfree(ops);
		return ERR_PTR(-ENOMEM);
	}
	bind->vm = vm;
	bind->args = ops;
	faa_sync_init_signals(&bind->signals);
	INIT_LIST_HEAD(&bind->callback.node);
	bind->ops = kvcalloc(args->ops.count, sizeof(*bind->ops), GFP_KERNEL_ACCOUNT);
	bind->fence = faa_timeline_fence_alloc();
	if (bind->ops && bind->fence)
		ret = bind_get_syncs(bind, file, &args->syncs);
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

	faa_timeline_fence_init(bind->fence, vm->timeline);
	dma_resv_add_fence(drm_gpuvm_resv(&vm->base), fence, DMA_RESV_USAGE_BOOKKEEP);
	spin_lock(&vm->binds.lock);
	list_add_tail(&bind->node, &vm->binds.pending);
	spin_unlock(&vm->binds.lock);
	vm->binds.count++;
	trace_faa_bind_submit(vm->serial, fence, bind->count, bind->num_waits);
	queue_work(vm->faa->bind_wq, &vm->binds.work);
}

/* Stage everything and publish, or -EAGAIN with some pages staged. */
static int bind_commit(struct faa_bind *bind)
{
	struct dma_resv *resv = drm_gpuvm_resv(&bind->vm->base);
	struct dma_fence *fence;
	int cookie, ret;
	u32 i;

	for (i = 0; i < bind->count; i++) {
		ret = faa_bind_op_look_again(&bind->ops[i]);
		if (ret)
			return ret;
	}

	ret = dma_resv_lock_interruptible(resv, NULL);
	if (ret)
		return ret;
	ret = dma_resv_reserve_fences(resv, 1);
	if (ret)
		goto out_unlock;

	/* The unplug path, which waits for the section, ends what has been published. */
	ret = -ENODEV;
	if (!drm_dev_enter(&bind->vm->faa->drm, &cookie))
		goto out_unlock;
	ret = 0;
	mutex_lock(&bind->vm->pt_lock);
	for (i = 0; i < bind->count && !ret; i++)
		ret = faa_bind_op_stage(&bind->ops[i]);
	if (!ret)
		bind_publish(bind);
	mutex_unlock(&bind->vm->pt_lock);
	drm_dev_exit(cookie);
out_unlock:
	dma_resv_unlock(resv);
	/* With the VM's lock, without which the call is not freed. */
	if (!ret) {
		fence = &bind->fence->base;
		faa_sync_publish(&bind->signals, &fence);
	}

	return ret;
}

/* All operations, or none. The VM's lock is held. */
static int bind_prepare_all(struct faa_bind *bind, struct drm_file *file,
			    struct drm_faa_vm_bind *args)
{
	struct faa_vm *vm = bind->vm;
	int ret = 0;
	u32 i;

	for (i = 0; i < args->ops.count && !ret; i++) {
		ret = bind_pause();
		if (!ret)
			ret = faa_bind_op_prepare(&bind->ops[i], vm, file, &bind->args[i]);
		trace_faa_vm_bind(vm->serial, &bind->args[i], ret);
		if (ret)
			args->failed_op = i;
		else
			bind->count++;
	}

	return ret;
}

/* Free what is over. The VM's lock is held. */
static void bind_finish_all(struct faa_vm *vm)
{
	struct faa_bind *bind, *next;
	LIST_HEAD(over);

	spin_lock(&vm->binds.lock);
	list_splice_init(&vm->binds.over, &over);
	spin_unlock(&vm->binds.lock);
	list_for_each_entry_safe(bind, next, &over, node) {
		bind_free(bind);
		vm->binds.count--;
		cond_resched();
	}
}

/* Is there room for one more call? Those that are over make some. The VM's lock is held. */
static int bind_check_pending(struct faa_vm *vm)
{
	if (vm->binds.count >= DRM_FAA_MAX_PENDING_BINDS)
		bind_finish_all(vm);

	if (vm->binds.count >= DRM_FAA_MAX_PENDING_BINDS)
		return faa_refuse(&vm->faa->drm, -ENOSPC, "VM_BIND: %u calls are pending",
				  DRM_FAA_MAX_PENDING_BINDS);

	return 0;
}

/* Takes over the operations. */
static int bind_async(struct faa_vm *vm, struct drm_file *file, struct drm_faa_vm_bind *args,
		      struct drm_faa_vm_bind_op *ops)
{
	struct faa_bind *bind = bind_create(vm, file, args, ops);
	int ret;

	if (IS_ERR(bind))
		return PTR_ERR(bind);

	mutex_lock(&vm->lock);
	ret = faa_vm_check_usable(vm);
	if (!ret)
		ret = bind_check_pending(vm);
	if (!ret)
		ret = bind_prepare_all(bind, file, args);
	if (!ret) {
		do {
			ret = bind_commit(bind);
		} while (ret == -EAGAIN);
	}
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
				 struct drm_faa_vm_bind_op, size, "VM_BIND: ops");
	if (IS_ERR(ops))
		return PTR_ERR(ops);

	if (args->flags & DRM_FAA_VM_BIND_ASYNC) {
		ret = bind_async(vm, file, args, ops);
	} else {
		ret = bind_sync(vm, file, args, ops);
		kvfree(ops);
	}

	return faa_device_error(vm->faa, ret);
}

static void bind_look_on(struct dma_fence *fence, struct dma_fence_cb *callback)
{
	struct faa_bind *bind = container_of(callback, struct faa_bind, callback);

	queue_work(bind->vm->faa->bind_wq, &bind->vm->binds.work);
}

/* Nobody looks on any more, nor is about to: callbacks are made under the fence's lock. */
static void bind_stop_looking(struct faa_bind *bind)
{
	if (bind->next_wait < bind->num_waits)
		dma_fence_remove_callback(bind->waits[bind->next_wait], &bind->callback);
}

/* Has everything that a call waits for signalled? If not, come back when it may have. */
static bool bind_ready(struct faa_bind *bind)
{
	for (; bind->next_wait < bind->num_waits; bind->next_wait++) {
		bind_stop_looking(bind);
		if (!dma_fence_add_callback(bind->waits[bind->next_wait], &bind->callback,
					    bind_look_on))
			return false;
	}

	return true;
}

/* The next call to run; NULL if there is none, or it has to wait. */
static struct faa_bind *bind_next(struct faa_vm *vm)
{
	struct faa_bind *bind = NULL;

	spin_lock(&vm->binds.lock);
	if (!vm->binds.ended)
		bind = list_first_entry_or_null(&vm->binds.pending, struct faa_bind, node);
	spin_unlock(&vm->binds.lock);

	return bind && bind_ready(bind) ? bind : NULL;
}

/* A call is over: signal, and have the rest done where that is allowed. */
static void bind_end(struct faa_bind *bind, int error)
{
	struct dma_fence *fence = &bind->fence->base;
	struct faa_vm *vm = bind->vm;

	if (error)
		dma_fence_set_error(fence, error);
	trace_faa_bind_done(vm->serial, fence, error);
	dma_fence_signal(fence);

	spin_lock(&vm->binds.lock);
	list_move_tail(&bind->node, &vm->binds.over);
	spin_unlock(&vm->binds.lock);
	wake_up_all(&vm->binds.idle);
	queue_work(system_unbound_wq, &vm->binds.finish_work);
}

static void bind_run_all(struct work_struct *work)
{
	struct faa_vm *vm = container_of(work, struct faa_vm, binds.work);
	bool cookie = dma_fence_begin_signalling();
	struct faa_bind *bind;
	int entered;
	u32 i;

	while ((bind = bind_next(vm))) {
		/* The jobs that it waited for may have ended because the device goes. */
		if (READ_ONCE(vm->faa->unplug.begun) ||
		    !drm_dev_enter(&vm->faa->drm, &entered)) {
			bind_end(bind, -ENODEV);
			continue;
		}
		for (i = 0; i < bind->count; i++) {
			faa_bind_op_run(&bind->ops[i]);
			cond_resched();
		}
		drm_dev_exit(entered);
		bind_end(bind, 0);
	}
	dma_fence_end_signalling(cookie);
}

static void bind_finish_work(struct work_struct *work)
{
	struct faa_vm *vm = container_of(work, struct faa_vm, binds.finish_work);

	mutex_lock(&vm->lock);
	bind_finish_all(vm);
	mutex_unlock(&vm->lock);
}

/**
 * faa_bind_init_vm() - get a VM ready for asynchronous calls
 * @vm: the VM
 */
void faa_bind_init_vm(struct faa_vm *vm)
{
	mutex_init(&vm->binds.end_lock);
	spin_lock_init(&vm->binds.lock);
	INIT_LIST_HEAD(&vm->binds.pending);
	INIT_LIST_HEAD(&vm->binds.over);
	INIT_WORK(&vm->binds.work, bind_run_all);
	INIT_WORK(&vm->binds.finish_work, bind_finish_work);
	init_waitqueue_head(&vm->binds.idle);
}

/**
 * faa_bind_end() - end all asynchronous calls
 * @vm: the VM, closed or its device unplugged; none of its locks is held
 * @error: of the fences of those that are pending
 *
 * faa_bind_close() releases their resources later: it takes the VM's lock, whose owner may wait
 * without a limit for a page of the process.
 */
void faa_bind_end(struct faa_vm *vm, int error)
{
	struct faa_bind *bind, *next;

	mutex_lock(&vm->binds.end_lock);
	spin_lock(&vm->binds.lock);
	vm->binds.ended = true;
	spin_unlock(&vm->binds.lock);

	/* A callback that is made meanwhile may queue the work once more, for nothing. */
	cancel_work_sync(&vm->binds.work);
	list_for_each_entry(bind, &vm->binds.pending, node)
		bind_stop_looking(bind);
	cancel_work_sync(&vm->binds.work);

	list_for_each_entry_safe(bind, next, &vm->binds.pending, node)
		bind_end(bind, error);
	mutex_unlock(&vm->binds.end_lock);
}

/**
 * faa_bind_close() - end all asynchronous calls and release their resources
 * @vm: the VM, closed; none of its locks is held
 */
void faa_bind_close(struct faa_vm *vm)
{
	faa_bind_end(vm, -ECANCELED);
	cancel_work_sync(&vm->binds.finish_work);
	mutex_lock(&vm->lock);
	bind_finish_all(vm);
	mutex_unlock(&vm->lock);
}

static void bind_destroy_wq(struct drm_device *drm, void *wq)
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

	return drmm_add_action_or_reset(&faa->drm, bind_destroy_wq, faa->bind_wq);
}
