// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Fences of others
 *
 * A syncobj, a sync file or the reservation of a shared buffer may keep a fence after its
 * queue, the file and the binding of the driver are gone. All that uses the fence calls the
 * functions and reads the names that its ops point to, which are in the module. So each fence
 * that leaves the driver belongs to a timeline, which holds the device and the module: while
 * such a fence exists the module cannot be unloaded.
 *
 * The fences of the scheduler do not leave the driver. They point to the name of their
 * scheduler, which is in the device, and are not charged to anybody; and those of a job whose
 * entity is killed have the error -ESRCH. Others get a fence of the driver, which follows that
 * of the scheduler. So the scheduler's live as long as their job, or as long as it is the last one
 * of its entity.
 *
 * The last reference to the module is dropped by a work, which the end of the module waits
 * for. It also waits for threads that have queued the work and not returned from there yet.
 */

#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>

#include "faa_device.h"
#include "faa_timeline.h"
#include "faa_trace.h"

/* Frees timelines and queues. Of the module, not of the device, which these may keep. */
static struct workqueue_struct *timeline_release_wq;

/**
 * faa_timeline_module_init() - get ready for timelines
 *
 * Return: 0 or -ENOMEM.
 */
int faa_timeline_module_init(void)
{
	timeline_release_wq = alloc_workqueue("faa-release", WQ_UNBOUND, 0);

	return timeline_release_wq ? 0 : -ENOMEM;
}

/**
 * faa_timeline_module_exit() - wait until the last timeline and queue are freed
 */
void faa_timeline_module_exit(void)
{
	destroy_workqueue(timeline_release_wq);
	/* A thread may have been preempted between queue_work() and its return to the core. */
	synchronize_rcu_tasks();
}

/**
 * faa_timeline_flush() - wait until what faa_timeline_queue_release() was given is freed
 *
 * Not in the fence signalling path.
 */
void faa_timeline_flush(void)
{
	flush_workqueue(timeline_release_wq);
}

/**
 * faa_timeline_queue_release() - have something freed that holds the module
 * @work: frees it
 *
 * In any context.
 */
void faa_timeline_queue_release(struct work_struct *work)
{
	queue_work(timeline_release_wq, work);
}

static void timeline_release_work(struct work_struct *work)
{
	struct faa_timeline *timeline = container_of(work, struct faa_timeline, release_work);

	drm_dev_put(timeline->drm);
	kfree(timeline);
	module_put(THIS_MODULE);
}

/**
 * faa_timeline_create() - create a timeline
 * @drm: the device, of which a file is open
 * @name: name, not freed before the module
 *
 * Return: the timeline with a reference; NULL if there is no memory.
 */
struct faa_timeline *faa_timeline_create(struct drm_device *drm, const char *name)
{
	struct faa_timeline *timeline = kzalloc(sizeof(*timeline), GFP_KERNEL_ACCOUNT);

	if (!timeline)
		return NULL;

	kref_init(&timeline->refcount);
	INIT_WORK(&timeline->release_work, timeline_release_work);
	timeline->name = name;
	timeline->context = dma_fence_context_alloc(1);
	timeline->drm = drm;
	drm_dev_get(drm);
	__module_get(THIS_MODULE);

	return timeline;
}

static void timeline_release(struct kref *kref)
{
	struct faa_timeline *timeline = container_of(kref, struct faa_timeline, refcount);

	faa_timeline_queue_release(&timeline->release_work);
}

/**
 * faa_timeline_put() - drop a reference
 * @timeline: the timeline, NULL is allowed
 *
 * In any context.
 */
void faa_timeline_put(struct faa_timeline *timeline)
{
	if (timeline)
		kref_put(&timeline->refcount, timeline_release);
}

static struct faa_timeline_fence *timeline_to_fence(struct dma_fence *base)
{
	return container_of(base, struct faa_timeline_fence, base);
}

static const char *timeline_driver_name(struct dma_fence *base)
{
	return "faa";
}

static const char *timeline_name(struct dma_fence *base)
{
	return timeline_to_fence(base)->timeline->name;
}

static void timeline_fence_release(struct dma_fence *base)
{
	struct faa_timeline *timeline = timeline_to_fence(base)->timeline;

	dma_fence_free(base);
	faa_timeline_put(timeline);
}

static const struct dma_fence_ops faa_timeline_fence_ops = {
	.get_driver_name = timeline_driver_name,
	.get_timeline_name = timeline_name,
	.release = timeline_fence_release,
};

/**
 * faa_timeline_fence_alloc() - allocate a fence
 *
 * Return: the fence, to be freed by kfree() until it is initialised; or NULL.
 */
struct faa_timeline_fence *faa_timeline_fence_alloc(void)
{
	/* The base comes first: dma_fence_free() frees the whole. */
	BUILD_BUG_ON(offsetof(struct faa_timeline_fence, base));

	return kzalloc(sizeof(struct faa_timeline_fence), GFP_KERNEL_ACCOUNT);
}

/**
 * faa_timeline_fence_init() - make a fence the next one of a timeline
 * @fence: the fence
 * @timeline: the timeline; the caller serialises
 */
void faa_timeline_fence_init(struct faa_timeline_fence *fence, struct faa_timeline *timeline)
{
	spin_lock_init(&fence->lock);
	kref_get(&timeline->refcount);
	fence->timeline = timeline;
	dma_fence_init(&fence->base, &faa_timeline_fence_ops, &fence->lock, timeline->context,
		       ++timeline->seqno);
}

/* Error of a job whose entity was killed before it ran; as its status record. */
static int timeline_cancel_error(const struct faa_timeline *timeline)
{
	return READ_ONCE(to_faa_device(timeline->drm)->unplug.begun) ? -ENODEV : -ECANCELED;
}

static void timeline_follow(struct dma_fence *finished, struct dma_fence_cb *callback)
{
	struct faa_timeline_fence *fence =
		container_of(callback, struct faa_timeline_fence, callback);
	int error = finished->error;

	if (error == -ESRCH)
		error = timeline_cancel_error(fence->timeline);
	if (error)
		dma_fence_set_error(&fence->base, error);
	trace_faa_job_fence(&fence->base, error);
	dma_fence_signal(&fence->base);
	dma_fence_put(&fence->base);
}

/**
 * faa_timeline_fence_follow() - signal when the scheduler has ended a job
 * @fence: the fence, initialised; a reference to it is consumed
 * @finished: the scheduler's fence of a job that is armed and not pushed yet
 */
void faa_timeline_fence_follow(struct faa_timeline_fence *fence, struct dma_fence *finished)
{
	/* Cannot fail: nothing ends a job that was not pushed. */
	WARN_ON(dma_fence_add_callback(finished, &fence->callback, timeline_follow));
}
