// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Scheduling
 *
 * Each hardware queue has a drm_gpu_scheduler, which lives as long as the device, and each
 * client queue an entity that is the only one of its scheduler. The entity waits for
 * dependencies; the scheduler keeps the ring from overflowing (a job is one credit, the
 * ring has as many) and calls the timeout handler. Which queue gets a compute
 * unit is decided by the device.
 *
 * Jobs of a group come one after the other too. Their descriptors are put in the ring as
 * room is there, and the device is told of them, by TAIL, with the last one; so it finds the
 * group complete. What the first ones wait for is room, which jobs before the
 * group make, never the group itself. Until then they are in the ring of a queue that may
 * die: then they end as jobs that never ran, and those that are still to come are not put
 * into the ring.
 *
 * The device gives a compute unit to the queue of highest priority, so one of lower priority
 * could wait for ever, and with it whoever waits for its fences. When its first job has
 * waited too long (faa_reset.c) the doorbells of higher priorities are held back. What the
 * device was told of before is at most a ring for each queue; then the job gets its turn, and
 * the doorbells are rung.
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
#include "faa_queue.h"
#include "faa_reset.h"
#include "faa_status.h"
#include "faa_trace.h"
#include "faa_usage.h"

static u64 status_dma(const struct faa_queue *queue, u64 seqno)
{
	u64 offset = (u64)faa_status_slot(seqno, queue->status.entries) * FAA_STATUS_BYTES;

	return queue->status.pages[offset >> PAGE_SHIFT] + offset_in_page(offset);
}

/* The members of a group end at the same time: one interrupt tells of all. */
static u32 desc_flags(const struct faa_job *job)
{
	return job->together ? FAA_JOB_FLAG_TOGETHER : FAA_JOB_FLAG_INTERRUPT;
}

static void write_desc(struct faa_queue *queue, const struct faa_job *job)
{
	queue->ring.desc[faa_ring_slot(queue->ring.tail)] = (struct faa_job_desc){
		.stream_va = cpu_to_le64(job->stream_va),
		.stream_bytes = cpu_to_le32(job->stream_bytes),
		.flags = cpu_to_le32(desc_flags(job)),
		.seqno = cpu_to_le64(job->seqno),
		.status_addr = cpu_to_le64(status_dma(queue, job->seqno)),
		.first_element = cpu_to_le32(job->first_element),
	};
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

/* The jobs that the device is about to be told of. The hardware queue's lock is held. */
static void trace_given(struct faa_queue *queue)
{
	struct faa_fence *fence;

	list_for_each_entry(fence, &queue->hwq->inflight, node) {
		if (fence->seqno > queue->ring.given && fence->seqno <= queue->ring.complete)
			trace_faa_job_run(queue, fence);
	}
}

/* Let the device run the complete groups in the ring. The hardware queue's lock is held. */
static void ring_doorbell(struct faa_queue *queue)
{
	struct faa_hwq *hwq = queue->hwq;
	struct faa_fence *head;
	ktime_t now;

	if (queue->ring.given == queue->ring.complete ||
	    faa_sched_must_yield(queue->faa->starving, queue->priority))
		return;

	now = ktime_get();
	head = list_first_entry(&hwq->inflight, struct faa_fence, node);
	if (head->seqno > queue->ring.given)
		head->started = now;
	if (trace_faa_job_run_enabled())
		trace_given(queue);
	queue->ring.given = queue->ring.complete;
	faa_usage_update(hwq, now);
	/* Orders the descriptors before the doorbell, too. */
	faa_write(hwq->faa, FAA_REG_QUEUE_TAIL(hwq->index), queue->ring.complete_tail);
}

/**
 * faa_sched_set_starving() - has the first job of a ring waited too long?
 * @hwq: hardware queue, its lock held
 * @starving: it has; otherwise it got a compute unit or ended
 *
 * While it has, the device is told of no further jobs of higher priority. After the end of
 * it faa_sched_resume() is to be called.
 */
void faa_sched_set_starving(struct faa_hwq *hwq, bool starving)
{
	atomic_t *count = &hwq->faa->starving[hwq->queue->priority];

	lockdep_assert_held(&hwq->lock);

	if (hwq->starving == starving)
		return;
	hwq->starving = starving;
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
		struct faa_hwq *hwq = &faa->hwqs[i];

		spin_lock(&hwq->lock);
		if (hwq->queue && !hwq->queue->progress.dead)
			ring_doorbell(hwq->queue);
		spin_unlock(&hwq->lock);
	}
	drm_dev_exit(cookie);
}

/* Put the fence of a job behind those that are to signal before. The lock is held. */
static void sched_add_fence(struct faa_hwq *hwq, struct faa_job *job)
{
	struct faa_fence *fence = job->fence;

	job->fence = NULL;
	job->hw_fence = &fence->base;
	faa_fence_init(fence, job);
	/* One reference for the list, one for the job, one for the scheduler. */
	dma_fence_get(&fence->base);
	dma_fence_get(&fence->base);
	list_add_tail(&fence->node, &hwq->inflight);
}

/*
 * Put a job in the ring, and ring the doorbell unless more of its group is to come. The lock of
 * the hardware queue is held.
 */
static void start_job(struct faa_queue *queue, struct faa_job *job)
{
	write_desc(queue, job);
	queue->ring.tail++;
	if (!job->together) {
		queue->ring.complete = job->seqno;
		queue->ring.complete_tail = queue->ring.tail;
		ring_doorbell(queue);
	}
}

static struct dma_fence *faa_sched_run_job(struct drm_sched_job *base)
{
	struct faa_job *job = to_faa_job(base);
	struct faa_queue *queue = job->queue;
	struct faa_hwq *hwq = queue->hwq;
	bool signalling = dma_fence_begin_signalling();
	bool bound, drained;
	int cookie;

	job->counted = true;
	atomic_inc(&queue->running);
	trace_faa_job_ready(job);

	bound = drm_dev_enter(&queue->faa->drm, &cookie);
	spin_lock(&hwq->lock);
	sched_add_fence(hwq, job);
	drained = queue->progress.drained;
	if (bound && !queue->progress.dead)
		start_job(queue, job);
	spin_unlock(&hwq->lock);
	if (bound)
		drm_dev_exit(cookie);
	/* Otherwise the stop of the dead queue, or the timeout handler, ends it. */
	if (drained)
		faa_hwq_cancel(hwq);
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
	if (job->counted && atomic_dec_and_test(&queue->running))
		wake_up_all(&queue->idle);
	kfree(job);
	faa_queue_put(queue);
}

/* faa_sched_ops - how the schedulers drive the hardware queues */
const struct drm_sched_backend_ops faa_sched_ops = {
	.run_job = faa_sched_run_job,
	.timedout_job = faa_reset_timedout_job,
	.free_job = faa_sched_free_job,
};
