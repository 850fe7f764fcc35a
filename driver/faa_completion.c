// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Completion
 *
 * A job has ended when the device has written its sequence number, which it does after
 * the status record. Both are in host memory: nothing here reads a register. The
 * jobs of a ring end in its order.
 *
 * Fences of ended jobs are collected under the lock of the queue, and signalled after it
 * was dropped: callbacks of a fence are other people's code. A mutex around both keeps the
 * fences of a ring in order. Everything here is in
 * the fence signalling path: no allocation, no lock that is held during one.
 *
 * A reservation keeps the last fence of a queue only, and what signals it declares all earlier
 * jobs ended. So a job of a dead queue is not ended at once: it is put after those that
 * the device may still run (&faa_queue.inflight), and ends with them.
 */

#include <linux/dma-fence.h>
#include <linux/ktime.h>
#include <linux/slab.h>

#include <drm/drm_print.h>

#include <kunit/visibility.h>

#include "faa_completion.h"
#include "faa_device.h"
#include "faa_job.h"
#include "faa_mux.h"
#include "faa_queue.h"
#include "faa_status.h"
#include "faa_trace.h"
#include "faa_turns.h"
#include "faa_usage.h"
#include "faa_vm.h"

static const char *fence_driver_name(struct dma_fence *fence)
{
	return "faa";
}

static const char *fence_timeline_name(struct dma_fence *fence)
{
	return "faa-ring";
}

static const struct dma_fence_ops faa_fence_ops = {
	.get_driver_name = fence_driver_name,
	.get_timeline_name = fence_timeline_name,
};

/**
 * faa_fence_alloc() - allocate the fence of a job
 *
 * Return: the fence, to be freed by kfree() until it is initialised; or NULL.
 */
struct faa_fence *faa_fence_alloc(void)
{
	/* The base comes first: its release frees the whole. */
	BUILD_BUG_ON(offsetof(struct faa_fence, base));

	return kzalloc(sizeof(struct faa_fence), GFP_KERNEL_ACCOUNT);
}

/**
 * faa_fence_init() - initialise the fence of a job
 * @fence: the fence
 * @job: the job, submitted
 */
void faa_fence_init(struct faa_fence *fence, const struct faa_job *job)
{
	struct faa_queue *queue = job->queue;

	spin_lock_init(&fence->lock);
	fence->seqno = job->seqno;
	fence->slot = job->slot;
	fence->started = ktime_get();
	/* The scheduler has two contexts for the entity; this is not one of them. */
	dma_fence_init(&fence->base, &faa_fence_ops, &fence->lock,
		       queue->fence_context, job->seqno);
}

static struct faa_status *completion_status_of(struct faa_queue *queue, u64 seqno)
{
	return &queue->status.slots[faa_status_slot(seqno, queue->status.entries)];
}

/* The record says what happened in the device; say why, where only we know. */
static u32 completion_final_code(struct faa_queue *queue, struct faa_status *status, u64 seqno)
{
	u32 code = le32_to_cpu(READ_ONCE(status->code));

	if (le64_to_cpu(READ_ONCE(status->seqno)) != seqno) {
		drm_err_ratelimited(&queue->faa->drm,
				    "queue %u: no status record of job %llu\n",
				    queue->number, seqno);
		faa_status_write(status, seqno, FAA_ERROR_BUS_ERROR);
		return FAA_ERROR_BUS_ERROR;
	}

	if (code != FAA_ERROR_KILLED && code != FAA_ERROR_CU_RESET)
		return code;
	if (queue->progress.dead && queue->progress.reason == FAA_STOP_TIMEOUT)
		code = FAA_ERROR_TIMEOUT;
	else if (queue->progress.dead && queue->progress.reason == FAA_STOP_LOST)
		code = FAA_ERROR_DEVICE_LOST;
	WRITE_ONCE(status->code, cpu_to_le32(code));

	return code;
}

static void completion_record_error(struct faa_queue *queue, struct faa_status *status, u64 seqno,
				    u32 code)
{
	u64 address = le64_to_cpu(status->address);

	queue->progress.failed++;
	/* The one that made it stop says why. */
	if (code == FAA_ERROR_STOPPED || code == FAA_ERROR_CANCELLED ||
	    (code == FAA_ERROR_DEVICE_LOST && code == queue->progress.error_code))
		return;
	queue->progress.error_seqno = seqno;
	queue->progress.error_code = code;
	queue->progress.error_address = address;
	if (faa_status_is_page_fault(code))
		faa_vm_report_fault(queue->vm, queue->id, seqno, code, address);
}

static void completion_count_job(struct faa_queue *queue, struct faa_status *status,
				 struct faa_fence *fence)
{
	struct faa_usage_time time = faa_usage_job(queue, fence, status);
	u64 elements = le64_to_cpu(status->elements_retired);
	u32 warps = le32_to_cpu(status->warps);
	struct faa_file *file = queue->file;

	queue->progress.elements += elements;
	queue->progress.warps += warps;
	queue->progress.used.ns += time.ns;
	queue->progress.used.cycles += time.cycles;
	faa_turns_charge(&queue->turn, time.cycles);
	atomic64_add(time.ns, &file->stats.busy_ns);
	atomic64_add(time.cycles, &file->stats.cycles);
	atomic64_add(elements, &file->stats.elements);
	atomic64_add(warps, &file->stats.warps);
	atomic64_inc(&file->stats.jobs);
}

/* A record that the kernel wrote has no cycles: the device has not begun the job. */
static void completion_trace_end(struct faa_queue *queue, struct faa_fence *fence,
				 struct faa_status *status, u32 code)
{
	u64 cycle = le64_to_cpu(status->start_cycle);

	if (trace_faa_job_start_enabled() && status->end_cycle)
		trace_faa_job_start(queue, fence->seqno, cycle, faa_usage_ns(queue->faa, cycle));
	trace_faa_job_done(queue, fence, code, le64_to_cpu(status->elements_retired),
			   le64_to_cpu(status->end_cycle));
}

/* A job has ended and its record is there. */
static void completion_end_job(struct faa_queue *queue, struct faa_fence *fence,
			       struct list_head *done, ktime_t now)
{
	struct faa_status *status = completion_status_of(queue, fence->seqno);
	u32 code = completion_final_code(queue, status, fence->seqno);
	struct faa_fence *next;
	int error = faa_status_errno(code);

	if (error) {
		dma_fence_set_error(&fence->base, error);
		completion_record_error(queue, status, fence->seqno, code);
	}
	completion_count_job(queue, status, fence);
	queue->progress.ended = max(queue->progress.ended, fence->seqno);
	completion_trace_end(queue, fence, status, code);

	list_move_tail(&fence->node, done);
	next = faa_queue_head(queue);
	if (next)
		next->started = now;
	faa_usage_update(queue);
}

/* The device's clock was at the end of the last job that has ended when we noticed. */
static void completion_mark_clock(struct faa_queue *queue, u64 seqno, ktime_t now)
{
	struct faa_status *status = completion_status_of(queue, seqno);

	if (le64_to_cpu(READ_ONCE(status->seqno)) == seqno)
		faa_usage_mark(queue->faa, le64_to_cpu(status->end_cycle), now);
}

/* The first job of a ring has ended, and with it its wait. Returns whether others waited for it. */
static bool completion_end_starving(struct faa_queue *queue)
{
	bool starving = queue->starving;

	if (starving)
		faa_sched_set_starving(queue, false);

	return starving;
}

static void completion_signal_all(struct list_head *done)
{
	struct faa_fence *fence, *next;

	list_for_each_entry_safe(fence, next, done, node) {
		list_del_init(&fence->node);
		dma_fence_signal(&fence->base);
		dma_fence_put(&fence->base);
	}
}

/**
 * faa_queue_complete() - end the jobs that the device has ended
 * @queue: the queue
 */
void faa_queue_complete(struct faa_queue *queue)
{
	bool cookie = dma_fence_begin_signalling();
	struct faa_fence *fence, *next;
	ktime_t now = ktime_get();
	bool resume = false, ended = false;
	LIST_HEAD(done);
	u64 seqno;

	mutex_lock(&queue->end_lock);
	spin_lock(&queue->lock);
	if (queue->hwq && !list_empty(&queue->inflight)) {
		seqno = le64_to_cpu(READ_ONCE(*queue->hwq->seqno));
		/* The records were written before the number. */
		dma_rmb();
		completion_mark_clock(queue, seqno, now);
		list_for_each_entry_safe(fence, next, &queue->inflight, node) {
			if (fence->seqno > seqno)
				break;
			completion_end_job(queue, fence, &done, now);
		}
		ended = !list_empty(&done);
		if (ended)
			resume = completion_end_starving(queue);
	}
	spin_unlock(&queue->lock);

	if (resume)
		faa_sched_resume(queue->faa);
	completion_signal_all(&done);
	mutex_unlock(&queue->end_lock);
	if (ended)
		faa_mux_job_ended(queue);
	dma_fence_end_signalling(cookie);
}

/* Code of a job of a queue that was stopped; @begun: it may have run. */
static u32 completion_cancel_code(struct faa_queue *queue, bool begun)
{
	switch (queue->progress.reason) {
	case FAA_STOP_LOST:
		return FAA_ERROR_DEVICE_LOST;
	case FAA_STOP_TIMEOUT:
		return begun ? FAA_ERROR_TIMEOUT : FAA_ERROR_CANCELLED;
	case FAA_STOP_FAULT:
		return begun ? FAA_ERROR_BUS_ERROR : FAA_ERROR_CANCELLED;
	case FAA_STOP_RESET:
		return begun ? FAA_ERROR_CU_RESET : FAA_ERROR_CANCELLED;
	default:
		return FAA_ERROR_CANCELLED;
	}
}

/**
 * faa_group_may_have_run() - may the first group in the ring of a stopped queue have run?
 * @group: its first job
 * @given: last job that the device was told of
 * @timed_out: job that the device ended because it was overdue, 0 if there is none
 *
 * If so, each of its jobs may have changed memory, ended or not. No group after it has
 * begun.
 *
 * Return: true if it may have run.
 */
bool faa_group_may_have_run(u64 group, u64 given, u64 timed_out)
{
	/* A job that had not begun is no timeout: the device ended the one that had. */
	return group <= given && !(timed_out && timed_out < group);
}
EXPORT_SYMBOL_IF_KUNIT(faa_group_may_have_run);

/* The group in the ring whose jobs may have run, 0 if there is none. */
static u64 completion_begun_group(struct faa_queue *queue)
{
	u64 timed_out = queue->progress.error_code == FAA_ERROR_TIMEOUT ?
			queue->progress.error_seqno : 0;
	struct faa_fence *first = faa_queue_head(queue);
	u64 group;

	group = first ? faa_fence_group(first) : 0;

	return faa_group_may_have_run(group, queue->ring.given, timed_out) ? group : 0;
}

/**
 * faa_queue_cancel() - end the jobs that the device will not end
 * @queue: the queue, dead and stopped
 *
 * The record of every job that was submitted is written. Jobs that have not been run by their
 * scheduler yet end when they are: this function is called again then.
 */
void faa_queue_cancel(struct faa_queue *queue)
{
	bool cookie = dma_fence_begin_signalling();
	struct faa_fence *fence, *next;
	LIST_HEAD(done);
	u64 seqno, begun;
	bool resume;

	mutex_lock(&queue->end_lock);
	spin_lock(&queue->lock);
	queue->progress.drained = true;
	resume = completion_end_starving(queue);
	begun = completion_begun_group(queue);
	list_for_each_entry_safe(fence, next, &queue->inflight, node) {
		faa_status_write(completion_status_of(queue, fence->seqno), fence->seqno,
				 completion_cancel_code(queue, faa_fence_group(fence) == begun));
		completion_end_job(queue, fence, &done, ktime_get());
	}
	for (seqno = queue->progress.ended + 1; seqno <= READ_ONCE(queue->submitted); seqno++)
		faa_status_write(completion_status_of(queue, seqno), seqno,
				 completion_cancel_code(queue, false));
	spin_unlock(&queue->lock);

	if (resume)
		faa_sched_resume(queue->faa);
	completion_signal_all(&done);
	mutex_unlock(&queue->end_lock);
	dma_fence_end_signalling(cookie);
}
