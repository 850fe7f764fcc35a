// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Timeouts and resets
 *
 * The ladder: the queue is asked to stop (CONTROL.kill); if it does not, its compute unit
 * alone is reset; if that does not help the device is (faa_recover.c), and when that fails it is
 * cut off from memory and unplugged. Jobs of other queues notice nothing of the first. The second
 * ends what runs on that compute unit: another queue that got it meanwhile stops, too
 * (FAA_STOP_VICTIM). A queue that was stopped is dead: its client makes a new one. Nothing is ever
 * run again.
 *
 * The timeout handler of a scheduler is called several times per job timeout. It looks
 * for completions first, in case an interrupt was lost. Then the job at the head of
 * the ring is judged: while a compute unit runs it, it must retire elements
 * at least once per job timeout, and end within the job limit. A group is judged by its first
 * job: progress of one stream counts for all of them, and they end together.
 *
 * No element retires while a compute unit saves and loads contexts, which is before it runs the
 * job, or cleans its caches, which is after the last command. That takes some thousand cycles. A
 * simulated device may need longer than the job timeout for them, so a job without progress is
 * overdue only after a number of cycles, too, or if the cycle counter stands still.
 *
 * Waiting for a compute unit is no fault of a job, and does not kill it. Queues of its own
 * priority take turns with it, and each of their jobs ends within the limit. Those of higher
 * priority could keep it waiting for ever: after FAA_WAIT_LIMITS they are held back until it
 * has run (faa_sched.c). So fences always signal. A device that leaves a queue waiting while
 * no other has a job is broken, which is treated as a timeout.
 *
 * Everything here runs on one ordered workqueue, but for the stop of a queue that is
 * destroyed. All of it is in the fence signalling path, where nothing may allocate.
 */

#include <linux/jiffies.h>
#include <linux/ktime.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include <kunit/visibility.h>

#include "faa_compat.h"
#include "faa_completion.h"
#include "faa_device.h"
#include "faa_dump.h"
#include "faa_job.h"
#include "faa_mux.h"
#include "faa_queue.h"
#include "faa_report.h"
#include "faa_reset.h"
#include "faa_trace.h"
#include "faa_usage.h"

/* Limits in cycles for jobs without progress: longer than the caches are cleaned. */
#define FAA_RESET_RUN_CYCLES	16384
/* Longer than contexts of all warp slots and shared memory move through the narrowest port. */
#define FAA_RESET_BEGIN_CYCLES	65536

/**
 * faa_queue_mark_dead() - forbid the ring of a queue to new jobs
 * @queue: the queue
 * @reason: why; the first one counts, but a reset that fails is the loss of the device
 *
 * Afterwards faa_queue_stop() ends its jobs.
 */
void faa_queue_mark_dead(struct faa_queue *queue, enum faa_stop_reason reason)
{
	static const u32 state[] = {
		[FAA_STOP_DESTROY] = 0,
		[FAA_STOP_TIMEOUT] = DRM_FAA_QUEUE_STATE_TIMEDOUT,
		[FAA_STOP_FAULT] = DRM_FAA_QUEUE_STATE_FAULT,
		[FAA_STOP_VICTIM] = DRM_FAA_QUEUE_STATE_RESET,
		[FAA_STOP_LOST] = DRM_FAA_QUEUE_STATE_LOST,
		[FAA_STOP_RESET] = DRM_FAA_QUEUE_STATE_RESET,
	};

	spin_lock(&queue->lock);
	if (!queue->progress.dead ||
	    (reason == FAA_STOP_LOST && queue->progress.reason == FAA_STOP_RESET)) {
		queue->progress.dead = true;
		queue->progress.reason = reason;
		queue->progress.state |= DRM_FAA_QUEUE_STATE_DEAD | state[reason];
	}
	spin_unlock(&queue->lock);
}

/* Stop a hardware queue by the mildest means that help. Inside drm_dev_enter(). */
static enum faa_hw_stop reset_climb_to_stop(struct faa_device *faa, unsigned int index,
					    bool leaving)
{
	enum faa_rung rung = FAA_RUNG_DEVICE;
	u64 epoch = faa_recover_enter(faa);
	int ret = faa_hw_queue_kill(faa, index, leaving);

	if (!ret) {
		faa_recover_exit(faa);
		return FAA_HW_STOP_KILLED;
	}
	if (ret == -ENODEV) {
		/* Nothing that registers do helps if they cannot be read. */
		rung = FAA_RUNG_FUNCTION;
	} else if (faa_recover_may_reset_unit(faa)) {
		ret = faa_hw_queue_reset_unit(faa, index);
		rung = FAA_RUNG_FUNCTION;
	}
	faa_recover_exit(faa);
	if (!ret)
		return FAA_HW_STOP_RESET;

	return faa_recover(faa, epoch, rung, "a queue cannot be stopped") ? FAA_HW_STOP_DEVICE :
									   FAA_HW_STOP_LOST;
}

/*
 * Stop the hardware queue of a dead queue. The device runs none of its jobs afterwards. Returns
 * how.
 */
static enum faa_hw_stop reset_stop_hardware(struct faa_queue *queue, enum faa_stop_reason reason)
{
	enum faa_hw_stop how = FAA_HW_STOP_LOST;
	struct faa_device *faa = queue->faa;
	unsigned int index;
	bool leaving;
	int cookie;

	if (!faa_mux_forget(queue, &index, &leaving))
		return FAA_HW_STOP_KILLED;
	if (!drm_dev_enter(&faa->drm, &cookie)) {
		/* The unplug path does that, too, but may not have come to it. */
		faa_device_cut_off(faa);
		return how;
	}

	/* A device that has been given up cannot access memory. */
	if (!READ_ONCE(faa->unplug.lost)) {
		how = reset_climb_to_stop(faa, index, leaving);
		trace_faa_queue_stop(queue, index, reason, how);
	}
	if (how == FAA_HW_STOP_RESET || how == FAA_HW_STOP_DEVICE) {
		spin_lock(&queue->lock);
		queue->progress.resets++;
		queue->progress.state |= DRM_FAA_QUEUE_STATE_RESET;
		spin_unlock(&queue->lock);
	}
	drm_dev_exit(cookie);

	return how;
}

/* End the jobs of a dead queue, of which the device runs none, and give its hardware queue up. */
static void reset_end_jobs(struct faa_queue *queue)
{
	faa_queue_complete(queue);
	faa_queue_cancel(queue);
	faa_mux_release(queue);
	queue->stopped = true;
}

/**
 * faa_queue_stop() - stop a queue for good
 * @queue: the queue
 * @reason: why; the first one counts
 *
 * When it returns no job will be put in the ring, the device runs no job of the queue, and
 * every job that was in the ring has ended.
 */
void faa_queue_stop(struct faa_queue *queue, enum faa_stop_reason reason)
{
	bool cookie = dma_fence_begin_signalling();
	struct faa_report report;

	mutex_lock(&queue->stop_lock);
	faa_queue_mark_dead(queue, reason);
	faa_report_begin(queue, &report);
	if (!queue->stopped) {
		faa_dump_stop(queue, reason);
		report.how = reset_stop_hardware(queue, reason);
		reset_end_jobs(queue);
		faa_report_stop(queue, reason, &report);
		faa_dump_publish(queue);
	}
	mutex_unlock(&queue->stop_lock);

	dma_fence_end_signalling(cookie);
}

/* The job at the head of a ring; 0 if there is none that the device knows. */
static u64 reset_head_job(struct faa_queue *queue, ktime_t *started, unsigned int *index)
{
	struct faa_fence *fence;
	u64 seqno = 0;

	spin_lock(&queue->lock);
	fence = faa_queue_head(queue);
	if (queue->hwq && fence && fence->seqno <= queue->ring.given) {
		*index = queue->hwq->index;
		seqno = fence->seqno;
		*started = fence->started;
	}
	spin_unlock(&queue->lock);

	return seqno;
}

/*
 * The job at the head of a ring waits for a compute unit. Help it if that takes too long; is
 * the device at fault?
 */
static bool reset_waited_in_vain(struct faa_queue *queue, ktime_t since, ktime_t now)
{
	struct faa_device *faa = queue->faa;

	if (faa_usage_others(queue))
		queue->watch.competed = now;
	if (ktime_ms_delta(now, since) < (s64)faa->job_limit_ms * FAA_WAIT_LIMITS)
		return false;

	spin_lock(&queue->lock);
	if (!list_empty(&queue->inflight))
		faa_sched_set_starving(queue, true);
	spin_unlock(&queue->lock);

	return ktime_ms_delta(now, queue->watch.competed) >= faa->job_timeout_ms;
}

/* The job at the head of a ring was seen to have a compute unit. */
static void reset_got_compute_unit(struct faa_queue *queue)
{
	bool resume = false;

	spin_lock(&queue->lock);
	if (queue->starving) {
		faa_sched_set_starving(queue, false);
		resume = true;
	}
	spin_unlock(&queue->lock);

	if (resume)
		faa_sched_resume(queue->faa);
}

/**
 * faa_watch_is_stuck() - has the device had time and cycles enough without progress?
 * @watch: the job; this reading of the cycle counter is noted
 * @now: the time
 * @cycle: the cycle counter
 * @timeout_ms: limit in milliseconds
 * @cycles: limit in cycles
 *
 * Return: true if both limits have passed since progress was last seen, or the time has and the
 * counter stands still.
 */
bool faa_watch_is_stuck(struct faa_watch *watch, ktime_t now, u64 cycle, u32 timeout_ms, u64 cycles)
{
	bool stands = cycle == watch->cycle;

	watch->cycle = cycle;

	return ktime_ms_delta(now, watch->progressed) >= timeout_ms &&
	       (stands || cycle - watch->mark >= cycles);
}
EXPORT_SYMBOL_IF_KUNIT(faa_watch_is_stuck);

/* The job has made progress, or its time begins. */
static void reset_mark(struct faa_watch *watch, ktime_t now, u64 cycle)
{
	watch->progressed = now;
	watch->mark = cycle;
	watch->cycle = cycle;
}

/* The job at the head of a ring has a compute unit that has not begun with it. Is it overdue? */
static bool reset_begins_in_vain(struct faa_queue *queue, ktime_t now, u64 cycle)
{
	struct faa_watch *watch = &queue->watch;

	if (watch->phase != FAA_WATCH_BEGINS) {
		watch->phase = FAA_WATCH_BEGINS;
		watch->started = now;
		reset_mark(watch, now, cycle);
	}

	return faa_watch_is_stuck(watch, now, cycle, queue->faa->job_timeout_ms,
				  FAA_RESET_BEGIN_CYCLES);
}

/* A compute unit runs the job at the head of a ring. Is it overdue? */
static bool reset_runs_in_vain(struct faa_queue *queue, u32 retired, ktime_t now, u64 cycle)
{
	struct faa_device *faa = queue->faa;
	struct faa_watch *watch = &queue->watch;

	/*
	 * Not from when it was looked at before: that may be long ago when stops of other queues
	 * kept this workqueue busy, or when it had no hardware queue meanwhile.
	 */
	if (watch->phase != FAA_WATCH_RUNS)
		watch->started = now;
	if (watch->phase != FAA_WATCH_RUNS || retired != watch->retired) {
		watch->phase = FAA_WATCH_RUNS;
		watch->retired = retired;
		reset_mark(watch, now, cycle);
	}

	return faa_watch_is_stuck(watch, now, cycle, faa->job_timeout_ms, FAA_RESET_RUN_CYCLES) ||
	       ktime_ms_delta(now, watch->started) >= faa->job_limit_ms;
}

/* Must the job at the head of a ring be killed, and why? Inside drm_dev_enter(). */
static bool reset_overdue(struct faa_queue *queue, enum faa_stop_reason *reason)
{
	struct faa_device *faa = queue->faa;
	struct faa_watch *watch = &queue->watch;
	u64 epoch = faa_recover_enter(faa);
	ktime_t now, started;
	unsigned int index;
	u64 seqno = reset_head_job(queue, &started, &index);
	u64 cycle = 0;
	u32 retired = 0;
	int ret = 0;

	if (seqno) {
		ret = faa_hw_queue_progress(faa, index, &retired);
		if (!ret || ret == -EBUSY)
			cycle = faa_usage_total_cycles(faa);
	}
	faa_recover_exit(faa);
	if (!seqno) {
		watch->phase = FAA_WATCH_WAITS;
		return false;
	}
	if (ret == -ENODEV) {
		*reason = FAA_STOP_LOST;
		return !faa_recover(faa, epoch, FAA_RUNG_FUNCTION, "registers read as all-ones");
	}
	now = ktime_get();
	watch->looked = now;

	if (watch->seqno != seqno) {
		watch->seqno = seqno;
		watch->phase = FAA_WATCH_WAITS;
		watch->competed = started;
	}

	if (ret == -EAGAIN) {
		/* It waits for a compute unit: its time has not begun. */
		watch->phase = FAA_WATCH_WAITS;
		watch->started = now;
		watch->progressed = now;
		return reset_waited_in_vain(queue, started, now);
	}
	reset_got_compute_unit(queue);

	return ret == -EBUSY ? reset_begins_in_vain(queue, now, cycle) :
			       reset_runs_in_vain(queue, retired, now, cycle);
}

/**
 * faa_reset_timedout_job() - drm_sched_backend_ops.timedout_job
 * @base: first job of the scheduler
 *
 * Return: the scheduler continues in any case; a queue that was stopped has no jobs.
 */
enum drm_gpu_sched_stat faa_reset_timedout_job(struct drm_sched_job *base)
{
	struct faa_queue *queue = to_faa_job(base)->queue;
	enum faa_stop_reason reason = FAA_STOP_TIMEOUT;
	bool kill;
	int cookie;

	/* The job, and with it its reference, may go once the scheduler has it back. */
	kref_get(&queue->refcount);
	faa_queue_complete(queue);
	if (drm_dev_enter(&queue->faa->drm, &cookie)) {
		kill = reset_overdue(queue, &reason);
		/* In case an interrupt was lost. */
		if (READ_ONCE(queue->faa->mux.waiting))
			faa_mux_kick(queue->faa);
		drm_dev_exit(cookie);
	} else {
		kill = true;
		reason = FAA_STOP_LOST;
	}

	if (kill)
		faa_queue_stop(queue, reason);

	mutex_lock(&queue->pause_lock);
	faa_sched_readd_job(base);
	mutex_unlock(&queue->pause_lock);
	faa_queue_put(queue);

	return FAA_SCHED_STAT_NO_HANG;
}

/* Has the device stopped a queue by itself, or was its context lost in a reset? */
static bool reset_check_stopped(struct faa_hwq *hwq, struct faa_queue *queue,
				enum faa_stop_reason *reason)
{
	u32 state;
	int cookie;

	if (READ_ONCE(queue->progress.dead)) {
		*reason = queue->progress.reason;
		return true;
	}
	if (!drm_dev_enter(&hwq->faa->drm, &cookie))
		return false;
	faa_recover_enter(hwq->faa);
	state = faa_hw_queue_state(hwq->faa, hwq->index);
	faa_recover_exit(hwq->faa);
	drm_dev_exit(cookie);

	*reason = state == FAA_QUEUE_STATE_ERROR ? FAA_STOP_FAULT : FAA_STOP_VICTIM;
	return state == FAA_QUEUE_STATE_ERROR || state == FAA_QUEUE_STATE_KILLED;
}

static void reset_error_work(struct work_struct *work)
{
	struct faa_device *faa = container_of(work, struct faa_device, error_work);
	enum faa_stop_reason reason;
	unsigned int i;

	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa_hwq_get_queue(&faa->hwqs[i]);

		if (!queue)
			continue;
		if (reset_check_stopped(&faa->hwqs[i], queue, &reason))
			faa_queue_stop(queue, reason);
		faa_queue_put(queue);
	}
}

static void reset_lost_work(struct work_struct *work)
{
	faa_device_unplug(container_of(work, struct faa_device, lost_work));
}

/**
 * faa_device_lost() - give a device up
 * @faa: the device
 * @what: what it does not do any more, for the log
 *
 * It is cut off from memory at once and unplugged soon after. Does not allocate.
 */
void faa_device_lost(struct faa_device *faa, const char *what)
{
	faa_device_cut_off(faa);
	WRITE_ONCE(faa->unplug.lost, true);
	/* An unplug that has begun needs no other one. */
	if (!READ_ONCE(faa->unplug.begun) && queue_work(faa->lost_wq, &faa->lost_work)) {
		trace_faa_device_lost(what);
		drm_err(&faa->drm, "%s: giving the device up\n", what);
	}
}

static void reset_destroy_wq(struct drm_device *drm, void *wq)
{
	destroy_workqueue(wq);
}

/**
 * faa_reset_init() - get ready for timeouts
 * @faa: the device
 *
 * Return: 0 or -ENOMEM.
 */
int faa_reset_init(struct faa_device *faa)
{
	int ret;

	INIT_WORK(&faa->error_work, reset_error_work);
	INIT_WORK(&faa->lost_work, reset_lost_work);
	init_completion(&faa->unplug.done);

	faa->reset_wq = alloc_ordered_workqueue("faa-reset", WQ_MEM_RECLAIM);
	if (!faa->reset_wq)
		return -ENOMEM;
	ret = drmm_add_action_or_reset(&faa->drm, reset_destroy_wq, faa->reset_wq);
	if (ret)
		return ret;

	/* Not the same: the unplug path waits for timeout handlers. */
	faa->lost_wq = alloc_ordered_workqueue("faa-lost", WQ_MEM_RECLAIM);
	if (!faa->lost_wq)
		return -ENOMEM;

	return drmm_add_action_or_reset(&faa->drm, reset_destroy_wq, faa->lost_wq);
}

/**
 * faa_reset_unplug() - wait for the work of errors
 * @faa: the device, unplugged, its interrupts off
 */
void faa_reset_unplug(struct faa_device *faa)
{
	cancel_work_sync(&faa->error_work);
}
