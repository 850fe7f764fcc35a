// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Queues
 *
 * A client queue takes one of the hardware queues for its whole life; where the client has
 * its share (faa_share.c) QUEUE_CREATE fails. Its memory (ring, save area, status ring)
 * belongs to the kernel.
 *
 * How a queue ends, in this order: it is stopped (faa_queue_stop()), so the device runs
 * nothing of it and the jobs in the ring have ended; nobody submits any more; the entity
 * ends the jobs that were waiting; the scheduler has freed the jobs that it had run; the hardware
 * queue is disabled, from when on the device does not know its memory and
 * page tables; the hardware queue is free for the next client. Jobs that wait for
 * fences of others keep the struct for as long as that takes.
 */

#include <linux/capability.h>
#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "faa_compat.h"
#include "faa_device.h"
#include "faa_gem.h"
#include "faa_job.h"
#include "faa_queue.h"
#include "faa_refuse.h"
#include "faa_reset.h"
#include "faa_share.h"
#include "faa_status.h"
#include "faa_timeline.h"
#include "faa_vm.h"

/* Calls of the timeout handler per job timeout. */
#define FAA_TIMEOUT_TICKS 4

static int status_init(struct faa_queue *queue, u32 entries)
{
	struct sg_dma_page_iter iter;
	struct iosys_map map;
	struct sg_table *sgt;
	struct faa_bo *bo;
	unsigned int i = 0;
	int ret;

	queue->status.entries = entries;
	bo = faa_bo_create(queue->faa, (u64)entries * FAA_STATUS_BYTES,
			   DRM_FAA_BO_STATUS_RING, NULL);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	queue->status.bo = bo;

	sgt = faa_bo_get_sgt(bo);
	if (IS_ERR(sgt))
		return PTR_ERR(sgt);

	queue->status.pages = kcalloc(bo->base.base.size >> PAGE_SHIFT,
				      sizeof(*queue->status.pages), GFP_KERNEL_ACCOUNT);
	if (!queue->status.pages)
		return -ENOMEM;
	for_each_sgtable_dma_page(sgt, &iter, 0)
		queue->status.pages[i++] = sg_page_iter_dma_address(&iter);

	ret = drm_gem_vmap_unlocked(&bo->base.base, &map);
	if (!ret)
		queue->status.slots = map.vaddr;

	return ret;
}

static void status_fini(struct faa_queue *queue)
{
	struct iosys_map map = IOSYS_MAP_INIT_VADDR(queue->status.slots);

	if (!queue->status.bo)
		return;
	if (queue->status.slots)
		drm_gem_vunmap_unlocked(&queue->status.bo->base.base, &map);
	kfree(queue->status.pages);
	drm_gem_object_put(&queue->status.bo->base.base);
}

static int dma_init(struct faa_queue *queue)
{
	struct device *dev = queue->faa->drm.dev;

	queue->ring.desc = dma_alloc_coherent(dev, FAA_RING_BYTES, &queue->ring.dma,
					      GFP_KERNEL_ACCOUNT);
	if (!queue->ring.desc)
		return -ENOMEM;

	queue->save.size = queue->faa->info.warp_slots * FAA_CONTEXT_BYTES +
			   queue->shared_bytes;
	queue->save.mem = dma_alloc_coherent(dev, queue->save.size, &queue->save.dma,
					     GFP_KERNEL_ACCOUNT);

	return queue->save.mem ? 0 : -ENOMEM;
}

/* The device must not use the memory any more. Twice is allowed. */
static void dma_fini(struct faa_queue *queue)
{
	struct device *dev = queue->faa->drm.dev;

	if (queue->ring.desc)
		dma_free_coherent(dev, FAA_RING_BYTES, queue->ring.desc, queue->ring.dma);
	if (queue->save.mem)
		dma_free_coherent(dev, queue->save.size, queue->save.mem, queue->save.dma);
	queue->ring.desc = NULL;
	queue->save.mem = NULL;
}

static void queue_release_work(struct work_struct *work)
{
	struct faa_queue *queue = container_of(work, struct faa_queue, release_work);
	struct faa_timeline *timeline = queue->timeline;

	status_fini(queue);
	faa_user_remove_queue(queue->user);
	mutex_destroy(&queue->pause_lock);
	mutex_destroy(&queue->stop_lock);
	mutex_destroy(&queue->submit_lock);
	/* The callback of a dependency may still be looking at the entity. */
	kfree_rcu(queue, rcu);
	faa_timeline_put(timeline);
}

static void queue_release(struct kref *kref)
{
	struct faa_queue *queue = container_of(kref, struct faa_queue, refcount);

	faa_timeline_queue_release(&queue->release_work);
}

/**
 * faa_queue_put() - drop a reference
 * @queue: the queue
 */
void faa_queue_put(struct faa_queue *queue)
{
	kref_put(&queue->refcount, queue_release);
}

/**
 * faa_queue_get() - look up a queue
 * @file: file
 * @id: ID
 *
 * Return: the queue with a reference, NULL if there is none.
 */
struct faa_queue *faa_queue_get(struct faa_file *file, u32 id)
{
	struct faa_queue *queue;

	xa_lock(&file->queues);
	queue = xa_load(&file->queues, id);
	if (queue)
		kref_get(&queue->refcount);
	xa_unlock(&file->queues);

	return queue;
}

/**
 * faa_hwq_get_queue() - who has a hardware queue?
 * @hwq: hardware queue
 *
 * Return: the queue with a reference, NULL if it is free.
 */
struct faa_queue *faa_hwq_get_queue(struct faa_hwq *hwq)
{
	struct faa_queue *queue;

	spin_lock(&hwq->lock);
	queue = hwq->queue;
	if (queue && !kref_get_unless_zero(&queue->refcount))
		queue = NULL;
	spin_unlock(&hwq->lock);

	return queue;
}

/* A free hardware queue, the number of which is in @count; NULL if there is none. */
static struct faa_hwq *hwq_find_free(struct faa_device *faa, unsigned int *count)
{
	struct faa_hwq *found = NULL;
	unsigned int i;

	*count = 0;
	for (i = faa->info.num_queues; i--;) {
		if (!faa->hwqs[i].queue) {
			found = &faa->hwqs[i];
			(*count)++;
		}
	}

	return found;
}

static int hwq_acquire(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	struct faa_file *file = queue->file;
	unsigned int free;
	struct faa_hwq *hwq;

	mutex_lock(&faa->users.lock);
	if (READ_ONCE(faa->unplug.begun)) {
		mutex_unlock(&faa->users.lock);
		return -ENODEV;
	}
	hwq = hwq_find_free(faa, &free);
	if (!faa_share_allows(faa->info.num_queues, free, file->hwqs, queue->user->hwqs)) {
		mutex_unlock(&faa->users.lock);
		return faa_refuse(&faa->drm, -ENOSPC,
				  "QUEUE_CREATE: of %u hardware queues %u are free, the file has %u",
				  faa->info.num_queues, free, file->hwqs);
	}

	spin_lock(&hwq->lock);
	hwq->queue = queue;
	WRITE_ONCE(*hwq->seqno, 0);
	spin_unlock(&hwq->lock);
	queue->hwq = hwq;
	file->hwqs++;
	queue->user->hwqs++;
	mutex_unlock(&faa->users.lock);

	return 0;
}

/* The queue's file is still open. */
static void hwq_release(struct faa_queue *queue)
{
	struct faa_hwq *hwq = queue->hwq;

	mutex_lock(&queue->faa->users.lock);
	spin_lock(&hwq->lock);
	hwq->queue = NULL;
	spin_unlock(&hwq->lock);
	queue->file->hwqs--;
	queue->user->hwqs--;
	mutex_unlock(&queue->faa->users.lock);
}

static struct faa_queue *queue_alloc(struct faa_file *file,
				     const struct drm_faa_queue_create *args)
{
	struct faa_queue *queue;
	int ret;

	ret = faa_user_add_queue(file->user);
	if (ret)
		return ERR_PTR(ret);
	queue = kzalloc(sizeof(*queue), GFP_KERNEL_ACCOUNT);
	if (queue)
		queue->timeline = faa_timeline_create(&file->faa->drm, "faa-queue");
	if (!queue || !queue->timeline) {
		kfree(queue);
		faa_user_remove_queue(file->user);
		return ERR_PTR(-ENOMEM);
	}

	kref_init(&queue->refcount);
	INIT_WORK(&queue->release_work, queue_release_work);
	mutex_init(&queue->submit_lock);
	mutex_init(&queue->stop_lock);
	mutex_init(&queue->pause_lock);
	init_waitqueue_head(&queue->idle);
	queue->faa = file->faa;
	queue->file = file;
	queue->user = file->user;
	queue->shared_bytes = args->shared_bytes;
	queue->priority = args->priority;
	queue->owner.pid = task_pid_nr(current->group_leader);
	get_task_comm(queue->owner.comm, current->group_leader);

	return queue;
}

static int hwq_enable(struct faa_queue *queue)
{
	struct faa_hwq *hwq = queue->hwq;
	struct faa_hw_queue_config config = {
		.ring_dma = queue->ring.dma,
		.pt_dma = queue->vm->pt.root->dma,
		.save_dma = queue->save.dma,
		.seqno_dma = hwq->seqno_dma,
		.ring_log2 = FAA_RING_LOG2,
		.shared_bytes = queue->shared_bytes,
		.prio = queue->priority,
		.vector = hwq->vector,
		.vmid = queue->vm->vmid,
	};
	int cookie;

	memset(&hwq->watch, 0, sizeof(hwq->watch));
	if (!drm_dev_enter(&queue->faa->drm, &cookie))
		return -ENODEV;
	faa_hw_queue_enable(queue->faa, hwq->index, &config);
	drm_dev_exit(cookie);

	return 0;
}

/* Memory, hardware queue and entity of a queue. Inside faa_bound_enter(). */
static int queue_setup_bound(struct faa_queue *queue, u32 entries)
{
	struct drm_gpu_scheduler *sched;
	int ret;

	ret = status_init(queue, entries);
	if (ret)
		return ret;
	ret = dma_init(queue);
	if (ret)
		goto err_free_dma;
	ret = hwq_acquire(queue);
	if (ret)
		goto err_free_dma;
	sched = &queue->hwq->sched;
	ret = drm_sched_entity_init(&queue->entity, DRM_SCHED_PRIORITY_KERNEL, &sched, 1,
				    NULL);
	if (ret)
		goto err_release_hwq;
	ret = hwq_enable(queue);
	if (ret)
		goto err_end_entity;

	return 0;

err_end_entity:
	drm_sched_entity_fini(&queue->entity);
err_release_hwq:
	hwq_release(queue);
err_free_dma:
	dma_fini(queue);
	return ret;
}

/* The same; on failure nothing is left that the device knows. */
static int queue_setup(struct faa_queue *queue, u32 entries)
{
	int idx, ret;

	if (!faa_bound_enter(queue->faa, &idx))
		return -ENODEV;
	ret = queue_setup_bound(queue, entries);
	faa_bound_exit(queue->faa, idx);

	return ret;
}

/*
 * End the jobs that wait for their dependencies, and the entity.
 *
 * The scheduler must not look at it meanwhile: drm_sched_entity_pop_job() puts an entity
 * that drm_sched_entity_fini() takes out of the run queue back into it.
 */
static void end_entity(struct faa_queue *queue)
{
	struct drm_gpu_scheduler *sched = &queue->hwq->sched;

	mutex_lock(&queue->pause_lock);
	drm_sched_wqueue_stop(sched);
	drm_sched_entity_fini(&queue->entity);
	drm_sched_wqueue_start(sched);
	mutex_unlock(&queue->pause_lock);
}

/*
 * End a queue that nobody can find any more. May wait for an unplug: not inside
 * drm_dev_enter().
 */
static void queue_close(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	int cookie;

	faa_queue_stop(queue, FAA_STOP_DESTROY);
	/* Who was submitting has seen neither; from here on nobody pushes a job. */
	mutex_lock(&queue->submit_lock);
	mutex_unlock(&queue->submit_lock);
	end_entity(queue);
	wait_event(queue->idle, !atomic_read(&queue->running));

	if (drm_dev_enter(&faa->drm, &cookie)) {
		if (faa_hw_queue_disable(faa, queue->hwq->index))
			faa_device_lost(faa, "a queue cannot be disabled");
		dma_fini(queue);
		drm_dev_exit(cookie);
	} else {
		wait_for_completion(&faa->unplug.done);
	}

	hwq_release(queue);
	faa_vm_remove_queue(queue->vm);
	faa_queue_put(queue);
}

static int check_create(struct faa_device *faa, const struct drm_faa_queue_create *args,
			u32 *entries)
{
	struct drm_device *drm = &faa->drm;

	if (args->flags || args->pad)
		return faa_refuse(drm, -EINVAL, "QUEUE_CREATE: flags 0x%x, pad 0x%x, must be 0",
				  args->flags, args->pad);
	if (args->priority > DRM_FAA_PRIORITY_REALTIME)
		return faa_refuse(drm, -EINVAL, "QUEUE_CREATE: priority %u, the largest is %u",
				  args->priority, DRM_FAA_PRIORITY_REALTIME);
	if (args->shared_bytes > faa->info.shared_max ||
	    args->shared_bytes % FAA_SHARED_GRANULE)
		return faa_refuse(drm, -EINVAL,
				  "QUEUE_CREATE: shared_bytes %u, allowed are multiples of %u up to %u",
				  args->shared_bytes, FAA_SHARED_GRANULE, faa->info.shared_max);
	if (faa_status_entries(args->status_entries, entries))
		return faa_refuse(drm, -EINVAL,
				  "QUEUE_CREATE: status_entries %u, allowed are powers of two from %u to %u",
				  args->status_entries, DRM_FAA_MIN_STATUS_ENTRIES,
				  DRM_FAA_MAX_STATUS_ENTRIES);

	return 0;
}

/**
 * faa_queue_create() - create a queue
 * @file: file that gets it
 * @drm_file: the same
 * @args: QUEUE_CREATE; out fields are filled
 *
 * The priority has been permitted.
 *
 * Return: 0 or an error of QUEUE_CREATE.
 */
int faa_queue_create(struct faa_file *file, struct drm_file *drm_file,
		     struct drm_faa_queue_create *args)
{
	struct faa_queue *queue;
	struct faa_vm *vm;
	u32 entries, handle;
	int ret;

	ret = check_create(file->faa, args, &entries);
	if (ret)
		return ret;

	vm = faa_vm_get(file, args->vm_id);
	if (!vm)
		return faa_refuse(&file->faa->drm, -ENOENT,
				  "QUEUE_CREATE: VM %u, the file has none with this ID",
				  args->vm_id);
	ret = faa_vm_add_queue(vm);
	faa_vm_put(vm);
	if (ret)
		return ret;

	queue = queue_alloc(file, args);
	if (IS_ERR(queue)) {
		faa_vm_remove_queue(vm);
		return PTR_ERR(queue);
	}
	queue->vm = vm;

	ret = queue_setup(queue, entries);
	if (ret) {
		faa_vm_remove_queue(vm);
		faa_queue_put(queue);
		return ret;
	}

	ret = drm_gem_handle_create(drm_file, &queue->status.bo->base.base, &handle);
	if (ret)
		goto err_close;

	/* Can be found, and destroyed, from here on. */
	args->status_entries = entries;
	args->status_handle = handle;
	ret = xa_alloc(&file->queues, &queue->id, queue, XA_LIMIT(1, DRM_FAA_MAX_QUEUES),
		       GFP_KERNEL_ACCOUNT);
	if (ret)
		goto err_delete_handle;
	args->queue_id = queue->id;

	return 0;

err_delete_handle:
	drm_gem_handle_delete(drm_file, handle);
	if (ret == -EBUSY)
		ret = faa_refuse(&file->faa->drm, -ENOSPC, "QUEUE_CREATE: the file has %u queues",
				 DRM_FAA_MAX_QUEUES);
err_close:
	queue_close(queue);
	return ret;
}

/**
 * faa_queue_destroy() - destroy a queue
 * @file: file
 * @id: ID
 *
 * Return: 0 or -ENOENT.
 */
int faa_queue_destroy(struct faa_file *file, u32 id)
{
	struct faa_queue *queue = xa_erase(&file->queues, id);

	if (!queue)
		return faa_refuse(&file->faa->drm, -ENOENT,
				  "QUEUE_DESTROY: queue %u, the file has none with this ID", id);

	queue_close(queue);
	return 0;
}

/**
 * faa_queue_close_all() - close all queues of a file that goes
 * @file: file
 */
void faa_queue_close_all(struct faa_file *file)
{
	struct faa_queue *queue;
	unsigned long id;

	xa_for_each(&file->queues, id, queue)
		queue_close(queue);
	xa_destroy(&file->queues);
}

/**
 * faa_queue_get_state() - answer QUEUE_GET_STATE
 * @queue: the queue
 * @args: out fields are filled
 */
void faa_queue_get_state(struct faa_queue *queue, struct drm_faa_queue_get_state *args)
{
	struct faa_hwq *hwq = queue->hwq;

	mutex_lock(&queue->submit_lock);
	args->submitted = queue->submitted;
	mutex_unlock(&queue->submit_lock);

	spin_lock(&hwq->lock);
	args->state = queue->progress.state;
	args->completed = queue->progress.ended;
	args->failed = queue->progress.failed;
	args->error_seqno = queue->progress.error_seqno;
	args->error_address = queue->progress.error_address;
	args->error_code = queue->progress.error_code;
	args->resets = queue->progress.resets;
	args->elements_retired = queue->progress.elements;
	spin_unlock(&hwq->lock);
}

/* Call a function for each queue that has a hardware queue. */
static void visit_queues(struct faa_device *faa, void (*visit)(struct faa_queue *queue))
{
	unsigned int i;

	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa_hwq_get_queue(&faa->hwqs[i]);

		if (!queue)
			continue;
		visit(queue);
		faa_queue_put(queue);
	}
}

/**
 * faa_queue_stop_vm() - stop all queues of a VM that have jobs
 * @vm: the VM
 *
 * When it returns none of the jobs that had been submitted will run. In the fence signalling
 * path: does not allocate.
 */
void faa_queue_stop_vm(struct faa_vm *vm)
{
	unsigned int i;

	for (i = 0; i < vm->faa->info.num_queues; i++) {
		struct faa_hwq *hwq = &vm->faa->hwqs[i];
		struct faa_queue *queue = faa_hwq_get_queue(hwq);
		bool busy;

		if (!queue)
			continue;
		spin_lock(&hwq->lock);
		busy = queue->vm == vm && queue->progress.ended < READ_ONCE(queue->submitted);
		spin_unlock(&hwq->lock);
		if (busy)
			faa_queue_stop(queue, FAA_STOP_TIMEOUT);
		faa_queue_put(queue);
	}
}

static void stop_lost(struct faa_queue *queue)
{
	faa_queue_stop(queue, FAA_STOP_LOST);
}

/**
 * faa_queue_unplug_begin() - stop all queues and end their jobs
 * @faa: the device, which is being unplugged and may still run
 *
 * No hardware queue is given away any more. One that is being set up may be enabled after
 * this; its ring stays empty.
 */
void faa_queue_unplug_begin(struct faa_device *faa)
{
	/* A later holder of the lock sees that the unplug has begun, and takes no queue. */
	mutex_lock(&faa->users.lock);
	mutex_unlock(&faa->users.lock);

	/* All at once: stopping one takes time, and what that ends is lost, not killed. */
	visit_queues(faa, faa_queue_lose);
	visit_queues(faa, stop_lost);
}

/**
 * faa_queue_unplug() - free the memory that the device knows
 * @faa: the device, unplugged; it does no DMA any more
 */
void faa_queue_unplug(struct faa_device *faa)
{
	visit_queues(faa, dma_fini);
}

static void fini_sched(struct drm_device *drm, void *sched)
{
	drm_sched_fini(sched);
}

static int sched_init(struct faa_device *faa, struct drm_gpu_scheduler *sched)
{
	const struct drm_sched_init_args args = {
		.ops = &faa_sched_ops,
		.submit_wq = faa->submit_wq,
		.timeout_wq = faa->reset_wq,
		.num_rqs = 1,
		.credit_limit = FAA_RING_ENTRIES,
		.timeout = max(msecs_to_jiffies(faa->job_timeout_ms) / FAA_TIMEOUT_TICKS, 1UL),
		.name = "faa-queue",
		.dev = faa->drm.dev,
	};
	int ret = drm_sched_init(sched, &args);

	return ret ?: drmm_add_action_or_reset(&faa->drm, fini_sched, sched);
}

static void destroy_submit_wq(struct drm_device *drm, void *wq)
{
	destroy_workqueue(wq);
}

/**
 * faa_queue_init_device() - get the hardware queues ready for clients
 * @faa: the device, identified; its interrupt vectors are known
 *
 * Return: 0 or -ENOMEM.
 */
int faa_queue_init_device(struct faa_device *faa)
{
	dma_addr_t seqno_dma;
	void *seqnos;
	unsigned int i;
	int ret;

	faa->submit_wq = alloc_ordered_workqueue("faa-submit", WQ_MEM_RECLAIM);
	if (!faa->submit_wq)
		return -ENOMEM;
	ret = drmm_add_action_or_reset(&faa->drm, destroy_submit_wq, faa->submit_wq);
	if (ret)
		return ret;

	/* A line each: no two queues complete in one. */
	seqnos = dmam_alloc_coherent(faa->drm.dev, FAA_MAX_QUEUES * FAA_LINE_BYTES,
				     &seqno_dma, GFP_KERNEL);
	if (!seqnos)
		return -ENOMEM;

	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_hwq *hwq = &faa->hwqs[i];

		hwq->faa = faa;
		hwq->index = i;
		/* Vector 0 is for events; the others are dealt out. */
		hwq->vector = faa->irq.count > 1 ? 1 + i % (faa->irq.count - 1) : 0;
		hwq->seqno = seqnos + i * FAA_LINE_BYTES;
		hwq->seqno_dma = seqno_dma + i * FAA_LINE_BYTES;
		hwq->fence_context = dma_fence_context_alloc(1);
		ret = drmm_mutex_init(&faa->drm, &hwq->end_lock);
		if (ret)
			return ret;
		spin_lock_init(&hwq->lock);
		INIT_LIST_HEAD(&hwq->inflight);
		ret = sched_init(faa, &hwq->sched);
		if (ret)
			return ret;
	}

	return 0;
}
