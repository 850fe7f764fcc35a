// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Queues
 *
 * A client queue is a scheduler, an entity, a save area, a status ring and a place among those
 * that share the hardware queues (faa_mux.c). Nothing of it grows with the number of other queues:
 * creating it takes the same time beside one as beside a thousand. How many there may be is the
 * concern of faa_share.c. Its memory belongs to the kernel.
 *
 * A queue ends in this order:
 *
 * - It is stopped (faa_queue_stop()): the device runs none of its jobs, the jobs that its scheduler
 *   has run have ended, and its hardware queue is disabled. From then on the device does not know
 *   its memory and page tables.
 * - No thread submits any more.
 * - The entity ends the jobs that were waiting.
 * - The scheduler has freed the jobs that it had run.
 *
 * Jobs that wait for fences of others keep the struct, and with it the scheduler, until these
 * signal.
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
#include "faa_mux.h"
#include "faa_queue.h"
#include "faa_refuse.h"
#include "faa_reset.h"
#include "faa_share.h"
#include "faa_status.h"
#include "faa_timeline.h"
#include "faa_vm.h"

/* Calls of the timeout handler per job timeout. */
#define FAA_TIMEOUT_TICKS 4

static int queue_status_init(struct faa_queue *queue, u32 entries)
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

static void queue_status_fini(struct faa_queue *queue)
{
	struct iosys_map map = IOSYS_MAP_INIT_VADDR(queue->status.slots);

	if (!queue->status.bo)
		return;
	if (queue->status.slots)
		drm_gem_vunmap_unlocked(&queue->status.bo->base.base, &map);
	kfree(queue->status.pages);
	drm_gem_object_put(&queue->status.bo->base.base);
}

static int queue_dma_init(struct faa_queue *queue)
{
	struct device *dev = queue->faa->drm.dev;

	queue->save.size = queue->faa->info.warp_slots * FAA_CONTEXT_BYTES +
			   queue->shared_bytes + FAA_COUNTER_BYTES;
	queue->save.mem = dma_alloc_coherent(dev, queue->save.size, &queue->save.dma,
					     GFP_KERNEL_ACCOUNT);

	return queue->save.mem ? 0 : -ENOMEM;
}

/* The device must not use the memory any more. Twice is allowed. */
static void queue_dma_fini(struct faa_queue *queue)
{
	struct device *dev = queue->faa->drm.dev;

	if (queue->save.mem)
		dma_free_coherent(dev, queue->save.size, queue->save.mem, queue->save.dma);
	queue->save.mem = NULL;
}

static void queue_release_work(struct work_struct *work)
{
	struct faa_queue *queue = container_of(work, struct faa_queue, release_work);
	struct faa_timeline *timeline = queue->timeline;

	drm_sched_fini(&queue->sched);
	queue_status_fini(queue);
	faa_user_remove_queue(queue->user);
	mutex_destroy(&queue->end_lock);
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

static int queue_sched_init(struct faa_device *faa, struct drm_gpu_scheduler *sched)
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

	return drm_sched_init(sched, &args);
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
	if (!queue || !queue->timeline)
		goto err_free;
	if (queue_sched_init(file->faa, &queue->sched))
		goto err_timeline;

	kref_init(&queue->refcount);
	INIT_WORK(&queue->release_work, queue_release_work);
	mutex_init(&queue->submit_lock);
	mutex_init(&queue->stop_lock);
	mutex_init(&queue->pause_lock);
	mutex_init(&queue->end_lock);
	spin_lock_init(&queue->lock);
	INIT_LIST_HEAD(&queue->inflight);
	queue->fence_context = dma_fence_context_alloc(1);
	faa_turns_init_queue(&queue->turn, &file->turns, args->priority);
	init_waitqueue_head(&queue->idle);
	queue->faa = file->faa;
	queue->file = file;
	queue->user = file->user;
	queue->shared_bytes = args->shared_bytes;
	queue->priority = args->priority;
	queue->owner.pid = task_pid_nr(current->group_leader);
	get_task_comm(queue->owner.comm, current->group_leader);

	return queue;

err_timeline:
	faa_timeline_put(queue->timeline);
err_free:
	kfree(queue);
	faa_user_remove_queue(file->user);
	return ERR_PTR(-ENOMEM);
}

/*
 * Let the unplug path find a queue. It has begun to look for queues only after
 * &faa_device.unplug.begun, and with the lock of the mux.
 */
static int queue_publish(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	int ret;

	ret = xa_alloc(&faa->queues, &queue->number, NULL, XA_LIMIT(1, FAA_SHARE_QUEUES),
		       GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret == -EBUSY ? faa_refuse(&faa->drm, -ENOSPC,
						  "QUEUE_CREATE: the device has %u queues",
						  FAA_SHARE_QUEUES) : ret;

	mutex_lock(&faa->mux.lock);
	if (READ_ONCE(faa->unplug.begun))
		ret = -ENODEV;
	else
		/* The entry is there: nothing is allocated. */
		xa_store(&faa->queues, queue->number, queue, GFP_NOWAIT);
	mutex_unlock(&faa->mux.lock);
	if (ret)
		xa_erase(&faa->queues, queue->number);
	else
		faa_mux_prepare(queue);

	return ret;
}

/* Memory and entity of a queue. Inside faa_bound_enter(). */
static int queue_setup_bound(struct faa_queue *queue, u32 entries)
{
	struct drm_gpu_scheduler *sched = &queue->sched;
	int ret;

	ret = queue_status_init(queue, entries);
	if (ret)
		return ret;
	ret = queue_dma_init(queue);
	if (ret)
		return ret;
	ret = drm_sched_entity_init(&queue->entity, DRM_SCHED_PRIORITY_KERNEL, &sched, 1,
				    NULL);
	if (ret)
		goto err_free_dma;
	ret = queue_publish(queue);
	if (ret)
		goto err_end_entity;

	return 0;

err_end_entity:
	drm_sched_entity_fini(&queue->entity);
err_free_dma:
	queue_dma_fini(queue);
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
static void queue_end_entity(struct faa_queue *queue)
{
	struct drm_gpu_scheduler *sched = &queue->sched;

	mutex_lock(&queue->pause_lock);
	drm_sched_wqueue_stop(sched);
	drm_sched_entity_fini(&queue->entity);
	drm_sched_wqueue_start(sched);
	mutex_unlock(&queue->pause_lock);
}

/*
 * End a queue that no other thread can find any more. May wait for an unplug: not inside
 * drm_dev_enter().
 */
static void queue_close(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	int cookie;

	faa_queue_stop(queue, FAA_STOP_DESTROY);
	/* A submission in progress has seen neither; after it no job is pushed. */
	mutex_lock(&queue->submit_lock);
	mutex_unlock(&queue->submit_lock);
	queue_end_entity(queue);
	wait_event(queue->idle, !atomic_read(&queue->running));

	if (drm_dev_enter(&faa->drm, &cookie)) {
		queue_dma_fini(queue);
		drm_dev_exit(cookie);
	} else {
		wait_for_completion(&faa->unplug.done);
	}

	/* debugfs and dumps hold the lock while they look at a queue, its VM and its file. */
	mutex_lock(&faa->mux.lock);
	xa_erase(&faa->queues, queue->number);
	mutex_unlock(&faa->mux.lock);
	faa_share_remove_queue(queue->file);
	faa_vm_remove_queue(queue->vm, queue->file);
	faa_queue_put(queue);
}

static int queue_check_create(struct faa_device *faa, const struct drm_faa_queue_create *args,
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

	ret = queue_check_create(file->faa, args, &entries);
	if (ret)
		return ret;

	vm = faa_vm_get(file, args->vm_id);
	if (!vm)
		return faa_refuse(&file->faa->drm, -ENOENT,
				  "QUEUE_CREATE: VM %u, the file has none with this ID",
				  args->vm_id);
	ret = faa_vm_add_queue(vm, file);
	faa_vm_put(vm);
	if (ret)
		return ret;

	ret = faa_share_add_queue(file);
	if (ret)
		goto err_remove_from_vm;
	queue = queue_alloc(file, args);
	if (IS_ERR(queue)) {
		ret = PTR_ERR(queue);
		goto err_remove_share;
	}
	queue->vm = vm;

	ret = queue_setup(queue, entries);
	if (ret) {
		faa_queue_put(queue);
		goto err_remove_share;
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
err_remove_share:
	faa_share_remove_queue(file);
err_remove_from_vm:
	faa_vm_remove_queue(vm, file);
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
	mutex_lock(&queue->submit_lock);
	args->submitted = queue->submitted;
	mutex_unlock(&queue->submit_lock);

	spin_lock(&queue->lock);
	args->state = queue->progress.state;
	args->completed = queue->progress.ended;
	args->failed = queue->progress.failed;
	args->error_seqno = queue->progress.error_seqno;
	args->error_address = queue->progress.error_address;
	args->error_code = queue->progress.error_code;
	args->resets = queue->progress.resets;
	args->elements_retired = queue->progress.elements;
	spin_unlock(&queue->lock);
}

/* The first queue of a device from a number on, with a reference; NULL if there is none. */
static struct faa_queue *queue_find(struct faa_device *faa, unsigned long *number)
{
	struct faa_queue *queue;

	rcu_read_lock();
	do {
		queue = xa_find(&faa->queues, number, ULONG_MAX, XA_PRESENT);
		if (!queue || kref_get_unless_zero(&queue->refcount))
			break;
		++*number;
	} while (true);
	rcu_read_unlock();

	return queue;
}

/* Call a function for each queue. */
static void queue_visit_all(struct faa_device *faa, void (*visit)(struct faa_queue *queue))
{
	struct faa_queue *queue;
	unsigned long number;

	for (number = 1; (queue = queue_find(faa, &number)); number++) {
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
	struct faa_queue *queue;
	unsigned long number;
	bool busy;

	for (number = 1; (queue = queue_find(vm->faa, &number)); number++) {
		spin_lock(&queue->lock);
		busy = queue->vm == vm && queue->progress.ended < READ_ONCE(queue->submitted);
		spin_unlock(&queue->lock);
		if (busy)
			faa_queue_stop(queue, FAA_STOP_TIMEOUT);
		faa_queue_put(queue);
	}
}

static void queue_mark_lost(struct faa_queue *queue)
{
	faa_queue_mark_dead(queue, FAA_STOP_LOST);
}

static void queue_stop_lost(struct faa_queue *queue)
{
	faa_queue_stop(queue, FAA_STOP_LOST);
}

/**
 * faa_queue_unplug_begin() - stop all queues and end their jobs
 * @faa: the device, which is being unplugged and may still run
 *
 * No queue is created any more.
 */
void faa_queue_unplug_begin(struct faa_device *faa)
{
	/* A later holder of the lock sees that the unplug has begun, and publishes no queue. */
	mutex_lock(&faa->mux.lock);
	mutex_unlock(&faa->mux.lock);

	/* All at once: stopping one takes time, and what that ends is lost, not killed. */
	queue_visit_all(faa, queue_mark_lost);
	queue_visit_all(faa, queue_stop_lost);
}

/**
 * faa_queue_unplug() - free the memory that the device knows
 * @faa: the device, unplugged; it does no DMA any more
 */
void faa_queue_unplug(struct faa_device *faa)
{
	queue_visit_all(faa, queue_dma_fini);
}

static void queue_destroy_submit_wq(struct drm_device *drm, void *wq)
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
	dma_addr_t seqno_dma, ring_dma;
	void *seqnos, *rings;
	unsigned int i;
	int ret;

	faa->submit_wq = alloc_ordered_workqueue("faa-submit", WQ_MEM_RECLAIM);
	if (!faa->submit_wq)
		return -ENOMEM;
	ret = drmm_add_action_or_reset(&faa->drm, queue_destroy_submit_wq, faa->submit_wq);
	if (ret)
		return ret;

	/* A line each: no two queues complete in one. */
	seqnos = dmam_alloc_coherent(faa->drm.dev, FAA_MAX_QUEUES * FAA_LINE_BYTES,
				     &seqno_dma, GFP_KERNEL);
	rings = dmam_alloc_coherent(faa->drm.dev, FAA_MAX_QUEUES * FAA_RING_BYTES, &ring_dma,
				    GFP_KERNEL);
	if (!seqnos || !rings)
		return -ENOMEM;

	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_hwq *hwq = &faa->hwqs[i];

		hwq->faa = faa;
		hwq->index = i;
		/* Vector 0 is for events; the others are dealt out. */
		hwq->vector = faa->irq.count > 1 ? 1 + i % (faa->irq.count - 1) : 0;
		hwq->seqno = seqnos + i * FAA_LINE_BYTES;
		hwq->seqno_dma = seqno_dma + i * FAA_LINE_BYTES;
		hwq->ring = rings + i * FAA_RING_BYTES;
		spin_lock_init(&hwq->lock);
		faa_hw_queue_init(hwq, ring_dma + i * FAA_RING_BYTES);
	}

	return faa_mux_init(faa);
}
