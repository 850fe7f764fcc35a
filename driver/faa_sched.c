// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Scheduling
 *
 * Each client queue has a drm_gpu_scheduler with one entity. The entity waits for dependencies;
 * the scheduler keeps the ring from overflowing (a job is one credit, the ring has as many) and
 * calls the timeout handler. A job that it runs is put in the ring if the queue has a hardware
 * queue; otherwise the mux (faa_mux.c) is asked for one, and all jobs that have come meanwhile
 * are put in its ring when the queue gets it. Which hardware queue gets a compute unit is
 * decided by the device.
 *
 * Jobs of a group come one after the other too. Their descriptors are put in the ring as
 * room is there, and the device is told of them, by TAIL, with the last one; so it finds the
 * group complete. The first ones wait for room, which jobs before the group make, never the
 * group itself. Until then they are in the ring of a queue that may
 * die: then they end as jobs that never ran, and those that are still to come are not put
 * into the ring.
 *
 * The device gives a compute unit to the queue of highest priority, so one of lower priority
 * could wait for ever, and with it every waiter for its fences. When its first job has waited
 * too long (faa_reset.c) the doorbells of higher priorities are held back. The device then
 * knows of at most one ring of jobs for each queue; after these the job gets its turn, and the
 * doorbells are rung.
 *
 * All schedulers share one ordered workqueue: putting a descriptor in a ring is
 * a few writes to memory and one posted write to the device.
 */

#include <linux/slab.h>

#include <drm/drm_drv.h>

#include <kunit/visibility.h>

#include "faa_completion.h"
#include "faa_device.h"
#include "faa_job.h"
#include "faa_mux.h"
#include "faa_pm.h"
#include "faa_queue.h"
#include "faa_reset.h"
#include "faa_status.h"
#include "faa_trace.h"
#include "faa_usage.h"
#include "faa_vm.h"

static u64 sched_status_dma(const struct faa_queue *queue, u64 seqno)
{
	u64 offset = (u64)faa_status_slot(seqno, queue->status.entries) * FAA_STATUS_BYTES;

	return queue->status.pages[offset >> PAGE_SHIFT] + offset_in_page(offset);
}

/* The members of a group end at the same time: one interrupt tells of all. */
static u32 sched_desc_flags(const struct faa_job *job)
{
	return job->together ? FAA_JOB_FLAG_TOGETHER : FAA_JOB_FLAG_INTERRUPT;
}

static void sched_make_desc(struct faa_queue *queue, const struct faa_job *job,
			    struct faa_job_desc *desc)
{
	*desc = (struct faa_job_desc){
		.stream_va = cpu_to_le64(job->stream_va),
		.stream_bytes = cpu_to_le32(job->stream_bytes),
		.flags = cpu_to_le32(sched_desc_flags(job)),
		.seqno = cpu_to_le64(job->seqno),
		.status_addr = cpu_to_le64(sched_status_dma(queue, job->seqno)),
		.first_element = cpu_to_le32(job->first_element),
	};
}

/* Put a job in the ring. The lock of the queue, which has a hardware queue, is held. */
static void sched_put_desc(struct faa_queue *queue, const struct faa_fence *fence)
{
	queue->hwq->ring[faa_ring_slot(queue->ring.tail)] = fence->desc;
	queue->ring.tail++;
	queue->slots |= BIT(fence->slot);
	if (!(le32_to_cpu(fence->desc.flags) & FAA_JOB_FLAG_TOGETHER))
		queue->ring.complete_tail = queue->ring.tail;
}

/**
 * faa_sched_must_yield() - does a queue of lower priority have to get a compute unit first?
 * @starving: for each priority, how many hardware queues have waited too long
 * @priority: of the queue whose jobs the device would be told of
 *
 * Queues of one priority take turns in the device: they do not yield to each other.
 *
 * Return: true if the device must not be told yet.
 */
bool faa_sched_must_yield(const atomic_t *starving, unsigned int priority)
{
	unsigned int lower;

	for (lower = 0; lower < priority; lower++) {
		if (atomic_read(&starving[lower]))
			return true;
	}

	return false;
}
EXPORT_SYMBOL_IF_KUNIT(faa_sched_must_yield);

/* The jobs that the device is about to be told of. The lock of the queue is held. */
static void sched_trace_given(struct faa_queue *queue)
{
	struct faa_fence *fence;

	list_for_each_entry(fence, &queue->inflight, node) {
		if (fence->seqno > queue->ring.given && fence->seqno <= queue->ring.complete)
			trace_faa_job_run(queue, fence);
	}
}

/* The device is being told of the complete groups in the ring. The lock of the queue is held. */
static void sched_give(struct faa_queue *queue)
{
	struct faa_fence *head = faa_queue_head(queue);
	ktime_t now = ktime_get();

	if (head->seqno > queue->ring.given)
		head->started = now;
	if (trace_faa_job_run_enabled())
		sched_trace_given(queue);
	queue->ring.given = queue->ring.complete;
	faa_usage_update(queue);
}

/* Let the device run the complete groups in the ring. The lock of the queue is held. */
static void sched_ring_doorbell(struct faa_queue *queue)
{
	struct faa_hwq *hwq = queue->hwq;

	if (!hwq || queue->leaving || queue->ring.given == queue->ring.complete ||
	    faa_sched_must_yield(queue->faa->starving, queue->priority))
		return;

	sched_give(queue);
	/* Orders the descriptors before the doorbell, too. */
	faa_write(hwq->faa, FAA_REG_QUEUE_TAIL(hwq->index), queue->ring.complete_tail);
}

/**
 * faa_sched_setup() - write the registers of a disabled hardware queue for a queue
 * @queue: the queue
 * @hwq: hardware queue; the mux is held, inside drm_dev_enter()
 */
void faa_sched_setup(const struct faa_queue *queue, struct faa_hwq *hwq)
{
	const struct faa_hw_queue_config config = {
		.ring_dma = hwq->config.ring_dma,
		.seqno_dma = hwq->seqno_dma,
		.ring_log2 = FAA_RING_LOG2,
		.vector = hwq->vector,
		.pt_dma = queue->vm->pt.root->dma,
		.vmid = queue->vm->vmid,
		.save_dma = queue->save.dma,
		.shared_bytes = queue->shared_bytes,
		/* It has waited long enough; not once more for a compute unit. */
		.prio = queue->turn.urgent ? DRM_FAA_PRIORITY_REALTIME : queue->priority,
	};

	faa_hw_queue_setup(hwq, &config);
}

/**
 * faa_sched_start() - let a hardware queue that was free run the jobs of a queue
 * @queue: the queue, which has just got it, with a complete group; its lock is held
 *
 * Inside drm_dev_enter().
 */
void faa_sched_start(struct faa_queue *queue)
{
	struct faa_hwq *hwq = queue->hwq;
	struct faa_fence *fence;
	u32 tail = 0;

	lockdep_assert_held(&queue->lock);

	/* Another queue's number may be there. */
	WRITE_ONCE(*hwq->seqno, 0);
	queue->ring.tail = 0;
	queue->ring.complete_tail = 0;
	list_for_each_entry(fence, &queue->inflight, node)
		sched_put_desc(queue, fence);

	if (!faa_sched_must_yield(queue->faa->starving, queue->priority)) {
		sched_give(queue);
		tail = queue->ring.complete_tail;
	}
	faa_sched_setup(queue, hwq);
	faa_hw_queue_enable(hwq, tail, queue->saved);
}

/**
 * faa_sched_set_starving() - has the first job of a ring waited too long?
 * @queue: the queue, its lock held
 * @starving: it has; otherwise it got a compute unit or ended
 *
 * While it has, the device is told of no further jobs of higher priority. After the end of
 * it faa_sched_resume() is to be called.
 */
void faa_sched_set_starving(struct faa_queue *queue, bool starving)
{
	atomic_t *count = &queue->faa->starving[queue->priority];

	lockdep_assert_held(&queue->lock);

	if (queue->starving == starving)
		return;
	queue->starving = starving;
	atomic_add(starving ? 1 : -1, count);
}

/**
 * faa_sched_resume() - tell the device of the jobs that were held back
 * @faa: the device
 */
void faa_sched_resume(struct faa_device *faa)
{
	unsigned int i;
	int cookie;

	if (!drm_dev_enter(&faa->drm, &cookie))
		return;
	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa_hwq_get_queue(&faa->hwqs[i]);

		if (!queue)
			continue;
		spin_lock(&queue->lock);
		if (!queue->progress.dead)
			sched_ring_doorbell(queue);
		spin_unlock(&queue->lock);
		faa_queue_put(queue);
	}
	drm_dev_exit(cookie);
}

/* Put the fence of a job after those that are to signal before it. The lock is held. */
static struct faa_fence *sched_add_fence(struct faa_queue *queue, struct faa_job *job)
{
	struct faa_fence *fence = job->fence;

	job->fence = NULL;
	job->hw_fence = &fence->base;
	faa_fence_init(fence, job);
	sched_make_desc(queue, job, &fence->desc);
	/* One reference for the list, one for the job, one for the scheduler. */
	dma_fence_get(&fence->base);
	dma_fence_get(&fence->base);
	list_add_tail(&fence->node, &queue->inflight);

	return fence;
}

/*
 * Put a job in the ring if the queue has one, and ring the doorbell unless more of its group is to
 * come. The lock of the queue is held. Returns whether the mux has to look at the queue.
 */
static bool sched_start_job(struct faa_queue *queue, struct faa_job *job, struct faa_fence *fence)
{
	bool attached = queue->hwq && !queue->leaving;
	bool idle = queue->ring.complete == queue->progress.ended;

	if (attached)
		sched_put_desc(queue, fence);
	if (job->together)
		return false;
	queue->ring.complete = job->seqno;
	if (attached)
		sched_ring_doorbell(queue);

	return idle && (!queue->hwq || READ_ONCE(queue->faa->mux.shared));
}

static struct dma_fence *faa_sched_run_job(struct drm_sched_job *base)
{
	struct faa_job *job = to_faa_job(base);
	struct faa_queue *queue = job->queue;
	bool signalling = dma_fence_begin_signalling();
	bool bound, drained, request = false;
	struct faa_fence *fence;
	int cookie;

	job->counted = true;
	atomic_inc(&queue->running);
	faa_pm_get(queue->faa);
	trace_faa_job_ready(job);

	bound = drm_dev_enter(&queue->faa->drm, &cookie);
	spin_lock(&queue->lock);
	fence = sched_add_fence(queue, job);
	drained = queue->progress.drained;
	if (bound && !queue->progress.dead)
		request = sched_start_job(queue, job, fence);
	spin_unlock(&queue->lock);
	if (request)
		faa_mux_request(queue);
	if (bound)
		drm_dev_exit(cookie);
	/* Otherwise the stop of the dead queue, or the timeout handler, ends it. */
	if (drained)
		faa_queue_cancel(queue);
	dma_fence_end_signalling(signalling);

	return job->hw_fence;
}

static void faa_sched_free_job(struct drm_sched_job *base)
{
	struct faa_job *job = to_faa_job(base);
	struct faa_queue *queue = job->queue;

	drm_sched_job_cleanup(base);
	dma_fence_put(job->hw_fence);
	kfree(job->fence);
	if (job->counted) {
		faa_pm_put(queue->faa);
		if (atomic_dec_and_test(&queue->running))
			wake_up_all(&queue->idle);
	}
	kfree(job);
	faa_queue_put(queue);
}

/* faa_sched_ops - how the schedulers drive the hardware queues */
const struct drm_sched_backend_ops faa_sched_ops = {
	.run_job = faa_sched_run_job,
	.timedout_job = faa_reset_timedout_job,
	.free_job = faa_sched_free_job,
};
