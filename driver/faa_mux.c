// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Client queues on hardware queues
 *
 * A client queue is in one of these states, of which the device knows the last three:
 *
 * - idle: it has no job, its context is in its save area;
 * - waiting: it has jobs, and is in the list of turns (faa_turns.c);
 * - running: it has a hardware queue, whose ring has its jobs;
 * - resident: the same without jobs. It keeps the hardware queue until another one needs it, so
 *   its next job costs no more than the doorbell;
 * - leaving: the device ends its running job, writes the context to the save area, and says so
 *   by event QUEUE_SAVED. Jobs that have not begun wait for the next turn.
 *
 * A stopped queue leaves for good: it is killed and disabled, its context is of no use.
 *
 * The lock of the mux, a mutex, protects who has which hardware queue, and the turns. It is in
 * the fence signalling path: nothing is allocated and no device waited for while it is held. The
 * order is stop_lock, mux, end_lock, the spin locks of a queue and of a hardware queue.
 * &faa_queue.hwq changes with the mux and the queue's spin lock held; one is enough to read it.
 * Of a dead queue it changes in faa_mux_release() alone.
 *
 * Decisions are made in a pass. There is none as long as all queues with jobs have a hardware
 * queue and belong to one file: then a job costs what it would with a hardware queue for each
 * client queue. Otherwise the end of a job, a new job of an idle queue, and the event lead to
 * one.
 */

#include <linux/dma-fence.h>
#include <linux/ktime.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include "faa_completion.h"
#include "faa_device.h"
#include "faa_hw.h"
#include "faa_job.h"
#include "faa_mux.h"
#include "faa_queue.h"
#include "faa_reset.h"
#include "faa_status.h"
#include "faa_trace.h"
#include "faa_turns.h"
#include "faa_usage.h"
#include "faa_vm.h"

/*
 * Cycles of compute units in a turn: some hundred times what it costs to write one context and to
 * read another.
 */
#define FAA_MUX_SLICE		200000

/* Has a queue jobs that the device may run? Its spin lock is held. */
static bool mux_busy(const struct faa_queue *queue)
{
	return !queue->progress.dead && queue->ring.complete > queue->progress.ended;
}

/* The same for a queue of a hardware queue. The mux is held. */
static bool mux_is_busy(struct faa_queue *queue)
{
	bool busy;

	spin_lock(&queue->lock);
	busy = mux_busy(queue);
	spin_unlock(&queue->lock);

	return busy;
}

/* Waiting since before this is waiting for too long. */
static ktime_t mux_overdue(const struct faa_device *faa)
{
	return ktime_sub_ms(ktime_get(), (u64)faa->job_limit_ms * FAA_WAIT_LIMITS);
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

/* Set who has a hardware queue. The mux and the queue's spin lock are held. */
static void mux_set(struct faa_queue *queue, struct faa_hwq *hwq, struct faa_queue *owner)
{
	lockdep_assert_held(&hwq->faa->mux.lock);
	lockdep_assert_held(&queue->lock);

	spin_lock(&hwq->lock);
	hwq->queue = owner;
	spin_unlock(&hwq->lock);
	queue->hwq = owner ? hwq : NULL;
	queue->leaving = false;
	hwq->free_since = owner ? 0 : ++hwq->faa->mux.serial;
}

/*
 * A hardware queue for a queue: the one that it had last, if no other queue has had it since, whose
 * registers need not be written; else the one that has been free the longest. NULL if there is
 * none.
 */
static struct faa_hwq *mux_find_free(struct faa_device *faa, const struct faa_queue *queue)
{
	struct faa_hwq *found = NULL;
	unsigned int i;

	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_hwq *hwq = &faa->hwqs[i];

		if (hwq->queue)
			continue;
		if (queue && hwq->config.save_dma == queue->save.dma)
			return hwq;
		if (!found || hwq->free_since < found->free_since)
			found = hwq;
	}

	return found;
}

/* Give a free hardware queue to a queue that waits. The mux is held, inside drm_dev_enter(). */
static void mux_attach(struct faa_queue *queue, struct faa_hwq *hwq)
{
	struct faa_device *faa = hwq->faa;

	faa_turns_remove(&faa->mux.turns, &queue->turn);
	spin_lock(&queue->lock);
	if (mux_busy(queue)) {
		mux_set(queue, hwq, queue);
		queue->attached = ++faa->mux.serial;
		atomic64_set(&queue->turn.cycles, 0);
		queue->turn.file->running++;
		trace_faa_queue_attach(queue->number, hwq->index);
		faa_sched_start(queue);
	}
	spin_unlock(&queue->lock);
}

/* A queue is to give its hardware queue up. The mux is held, inside drm_dev_enter(). */
static void mux_evict(struct faa_queue *queue)
{
	struct faa_hwq *hwq = queue->hwq;

	spin_lock(&queue->lock);
	if (!queue->progress.dead) {
		queue->leaving = true;
		if (mux_busy(queue))
			queue->turn.file->leaving++;
		trace_faa_queue_leave(queue->number, hwq->index);
		faa_hw_queue_leave(hwq->faa, hwq->index);
	}
	spin_unlock(&queue->lock);
}

/* A queue has left its hardware queue. The mux is held, inside drm_dev_enter(). */
static void mux_left(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	bool busy = false, resume = false;

	/* The device wrote the sequence number of each ended job before it saved the context. */
	faa_queue_complete(queue);
	spin_lock(&queue->lock);
	if (!queue->progress.dead) {
		queue->ring.given = queue->progress.ended;
		queue->saved = queue->slots;
		resume = queue->starving;
		if (resume)
			faa_sched_set_starving(queue, false);
		faa_usage_update(queue);
		mux_set(queue, queue->hwq, NULL);
		busy = mux_busy(queue);
	}
	spin_unlock(&queue->lock);

	if (busy)
		faa_turns_add(&faa->mux.turns, &queue->turn, ktime_get());
	if (resume)
		faa_sched_resume(faa);
}

/* Take the hardware queues back that queues have left. */
static void mux_reap(struct faa_device *faa)
{
	unsigned int i;

	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa->hwqs[i].queue;

		if (queue && queue->leaving &&
		    faa_hw_queue_state(faa, i) == FAA_QUEUE_STATE_DISABLED)
			mux_left(queue);
	}
}

/* Count a queue of a file, of which none may have been counted in this pass. */
static void mux_count_file(struct faa_device *faa, struct faa_turns_file *file,
			   unsigned int *demand, unsigned int *files)
{
	struct faa_file *owner = container_of(file, struct faa_file, turns);

	if (owner->mux_pass != faa->mux.pass) {
		owner->mux_pass = faa->mux.pass;
		owner->mux_index = (*files)++;
		file->running = 0;
		file->leaving = 0;
		if (owner->mux_index < FAA_MAX_CUS)
			demand[owner->mux_index] = file->waiting;
	}
}

/* Count what runs and waits. Returns how many queues each file may have. */
static unsigned int mux_count(struct faa_device *faa)
{
	unsigned int demand[FAA_MAX_CUS] = {}, files = 0, clients = 0, i;
	struct faa_file *only = NULL;
	struct faa_turns_file *file;

	faa->mux.pass++;
	list_for_each_entry(file, &faa->mux.turns.files, node)
		mux_count_file(faa, file, demand, &files);
	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa->hwqs[i].queue;

		if (!queue)
			continue;
		if (queue->file != only)
			clients++;
		only = queue->file;
		if (!mux_is_busy(queue))
			continue;
		file = queue->turn.file;
		mux_count_file(faa, file, demand, &files);
		file->running++;
		file->leaving += queue->leaving;
		if (queue->file->mux_index < FAA_MAX_CUS)
			demand[queue->file->mux_index]++;
	}
	WRITE_ONCE(faa->mux.shared, clients > 1);

	return faa_turns_limit(demand, files, faa->info.num_cus, faa->info.num_queues);
}

/* Give free hardware queues to queues that wait. */
static void mux_assign(struct faa_device *faa, unsigned int limit)
{
	ktime_t overdue = mux_overdue(faa);
	struct faa_turns_queue *next;
	struct faa_queue *queue;
	struct faa_hwq *hwq;

	while (mux_find_free(faa, NULL)) {
		next = faa_turns_next(&faa->mux.turns, limit, overdue);
		if (!next)
			return;
		queue = container_of(next, struct faa_queue, turn);
		hwq = mux_find_free(faa, queue);
		mux_attach(queue, hwq);
	}
}

/* Evict queues of files that have more than their limit, or others that come before. */
static void mux_evict_displaced(struct faa_device *faa, unsigned int limit)
{
	ktime_t overdue = mux_overdue(faa);
	unsigned int i;

	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa->hwqs[i].queue;
		struct faa_turns_file *file = queue ? queue->turn.file : NULL;

		if (!queue || queue->leaving || !mux_is_busy(queue))
			continue;
		if (file->running - file->leaving > limit ||
		    faa_turns_displaced(&queue->turn, FAA_MUX_SLICE, limit, overdue))
			mux_evict(queue);
	}
}

/*
 * The hardware queue that has to become free for a queue that may have one: that of the queue
 * which has been resident the longest; if there is none, of the file that has used most of those
 * whose turn is over.
 */
static struct faa_queue *mux_victim(struct faa_device *faa)
{
	struct faa_queue *idle = NULL, *over = NULL;
	unsigned int i;

	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa->hwqs[i].queue;

		if (!queue || queue->leaving || READ_ONCE(queue->progress.dead))
			continue;
		if (!mux_is_busy(queue)) {
			if (!idle || queue->attached < idle->attached)
				idle = queue;
		} else if (atomic64_read(&queue->turn.cycles) >= FAA_MUX_SLICE &&
			   (!over || atomic64_read(&queue->turn.file->used) >
					     atomic64_read(&over->turn.file->used))) {
			over = queue;
		}
	}

	return idle ?: over;
}

/* Queues that are leaving, of those with jobs or of the others, which leave at once. */
static unsigned int mux_count_leaving(struct faa_device *faa, bool busy)
{
	unsigned int i, count = 0;

	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa->hwqs[i].queue;

		if (queue && queue->leaving && mux_is_busy(queue) == busy)
			count++;
	}

	return count;
}

/* Make room for those that may have a hardware queue, where none is free. */
static void mux_make_room(struct faa_device *faa, unsigned int limit)
{
	struct faa_queue *victim;

	mux_evict_displaced(faa, limit);
	if (mux_find_free(faa, NULL))
		return;
	while (faa_turns_next(&faa->mux.turns, limit, mux_overdue(faa))) {
		victim = mux_victim(faa);
		/* As many at a time as compute units can save. */
		if (!victim ||
		    mux_count_leaving(faa, mux_is_busy(victim)) >= faa->info.num_cus)
			return;
		mux_evict(victim);
	}
}

/* One pass. The mux is held, inside drm_dev_enter(). */
static void mux_pass(struct faa_device *faa)
{
	unsigned int limit;

	if (faa->mux.frozen)
		return;
	mux_reap(faa);
	/* Before the rings are looked at: a job that ends afterwards leads to another pass. */
	WRITE_ONCE(faa->mux.waiting, faa->mux.turns.waiting);
	limit = mux_count(faa);
	mux_assign(faa, limit);
	mux_make_room(faa, limit);
	WRITE_ONCE(faa->mux.waiting, faa->mux.turns.waiting);
}

static void mux_work(struct work_struct *work)
{
	struct faa_device *faa = container_of(work, struct faa_device, mux.work);
	bool signalling = dma_fence_begin_signalling();
	int cookie;

	if (drm_dev_enter(&faa->drm, &cookie)) {
		mutex_lock(&faa->mux.lock);
		mux_pass(faa);
		mutex_unlock(&faa->mux.lock);
		drm_dev_exit(cookie);
	}
	dma_fence_end_signalling(signalling);
}

/**
 * faa_mux_kick() - have a pass made
 * @faa: the device
 */
void faa_mux_kick(struct faa_device *faa)
{
	queue_work(faa->submit_wq, &faa->mux.work);
}

/**
 * faa_mux_prepare() - set a free hardware queue up for a queue that was created
 * @queue: the queue
 *
 * So that its first job costs one register write more than the doorbell, as long as no other queue
 * needs the hardware queue.
 */
void faa_mux_prepare(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	struct faa_hwq *hwq;
	int cookie;

	if (!drm_dev_enter(&faa->drm, &cookie))
		return;
	mutex_lock(&faa->mux.lock);
	hwq = faa->mux.frozen ? NULL : mux_find_free(faa, NULL);
	if (hwq) {
		faa_sched_setup(queue, hwq);
		hwq->free_since = ++faa->mux.serial;
	}
	mutex_unlock(&faa->mux.lock);
	drm_dev_exit(cookie);
}

/**
 * faa_mux_request() - a queue has jobs and no hardware queue, or was idle beside other files
 * @queue: the queue; inside drm_dev_enter()
 *
 * If a hardware queue is free, and the file may have it, the queue has it afterwards. In the
 * fence signalling path.
 */
void faa_mux_request(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	bool add;

	mutex_lock(&faa->mux.lock);
	spin_lock(&queue->lock);
	add = !queue->hwq && mux_busy(queue);
	spin_unlock(&queue->lock);
	if (add)
		faa_turns_add(&faa->mux.turns, &queue->turn, ktime_get());
	mux_pass(faa);
	mutex_unlock(&faa->mux.lock);
}

/**
 * faa_mux_job_ended() - a job of a queue has ended
 * @queue: the queue
 */
void faa_mux_job_ended(struct faa_queue *queue)
{
	if (READ_ONCE(queue->faa->mux.waiting) || READ_ONCE(queue->turn.urgent))
		faa_mux_kick(queue->faa);
}

/**
 * faa_mux_forget() - a queue that is dead waits no longer
 * @queue: the queue
 * @index: out: its hardware queue, which stays its own until faa_mux_release()
 * @leaving: out: it is giving that up
 *
 * Return: true if it has a hardware queue.
 */
bool faa_mux_forget(struct faa_queue *queue, unsigned int *index, bool *leaving)
{
	struct faa_device *faa = queue->faa;
	bool has;

	mutex_lock(&faa->mux.lock);
	faa_turns_remove(&faa->mux.turns, &queue->turn);
	WRITE_ONCE(faa->mux.waiting, faa->mux.turns.waiting);
	has = queue->hwq;
	if (has) {
		*index = queue->hwq->index;
		*leaving = queue->leaving;
	}
	mutex_unlock(&faa->mux.lock);

	return has;
}

/**
 * faa_mux_release() - a dead queue gives its hardware queue up
 * @queue: the queue; it was stopped, or the device is unplugged
 */
void faa_mux_release(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	struct faa_hwq *hwq = queue->hwq;
	bool disabled;
	int cookie;
	u64 epoch;

	if (!hwq)
		return;
	if (drm_dev_enter(&faa->drm, &cookie)) {
		epoch = faa_recover_enter(faa);
		disabled = READ_ONCE(faa->unplug.lost) || !faa_hw_queue_disable(faa, hwq->index);
		faa_recover_exit(faa);
		if (!disabled)
			faa_recover(faa, epoch, FAA_RUNG_DEVICE, "a queue cannot be disabled");
		drm_dev_exit(cookie);
	}

	mutex_lock(&faa->mux.lock);
	spin_lock(&queue->lock);
	mux_set(queue, hwq, NULL);
	spin_unlock(&queue->lock);
	mutex_unlock(&faa->mux.lock);
	faa_mux_kick(faa);
}

/**
 * faa_mux_freeze() - have all queues leave their hardware queues, and none get one
 * @faa: the device, which is about to be reset; inside drm_dev_enter()
 *
 * Afterwards only the stop of a dead queue writes registers of a hardware queue.
 */
void faa_mux_freeze(struct faa_device *faa)
{
	unsigned int i;

	mutex_lock(&faa->mux.lock);
	faa->mux.frozen = true;
	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa->hwqs[i].queue;

		if (queue && !queue->leaving)
			mux_evict(queue);
	}
	mutex_unlock(&faa->mux.lock);
}

/* May a queue still leave its hardware queue? The mux is held. */
static bool mux_may_leave(struct faa_device *faa, unsigned int index)
{
	struct faa_queue *queue = faa->hwqs[index].queue;
	u32 state;

	/* One that was dead before does not leave. */
	if (!queue || !queue->leaving)
		return false;
	state = faa_hw_queue_state(faa, index);

	return state == FAA_QUEUE_STATE_IDLE || state == FAA_QUEUE_STATE_READY ||
	       state == FAA_QUEUE_STATE_RUNNING;
}

/**
 * faa_mux_leaving() - are there queues that may still leave their hardware queues?
 * @faa: the device, after faa_mux_freeze()
 *
 * Return: true if there are, and registers can be read.
 */
bool faa_mux_leaving(struct faa_device *faa)
{
	bool leaving = false;
	unsigned int i;

	mutex_lock(&faa->mux.lock);
	for (i = 0; i < faa->info.num_queues && !leaving; i++)
		leaving = mux_may_leave(faa, i);
	mutex_unlock(&faa->mux.lock);

	return leaving;
}

/**
 * faa_mux_kill_running() - kill the queues that have not left their hardware queues
 * @faa: the device, after faa_mux_freeze()
 *
 * So that the device writes down how far their jobs got. They are dead. Does not wait.
 *
 * Return: true if there are any.
 */
bool faa_mux_kill_running(struct faa_device *faa)
{
	bool found = false;
	unsigned int i;

	mutex_lock(&faa->mux.lock);
	for (i = 0; i < faa->info.num_queues; i++) {
		if (!mux_may_leave(faa, i))
			continue;
		/* First: who sees that the job has ended sees why. */
		faa_queue_mark_dead(faa->hwqs[i].queue, FAA_STOP_RESET);
		faa_hw_queue_ask_kill(faa, i, true);
		found = true;
	}
	mutex_unlock(&faa->mux.lock);

	return found;
}

/**
 * faa_mux_reap() - take the hardware queues back that queues have left
 * @faa: the device, after faa_mux_freeze()
 */
void faa_mux_reap(struct faa_device *faa)
{
	mutex_lock(&faa->mux.lock);
	mux_reap(faa);
	mutex_unlock(&faa->mux.lock);
}

/**
 * faa_mux_thaw() - give hardware queues out again
 * @faa: the device, which was reset after faa_mux_freeze(); inside drm_dev_enter()
 *
 * Queues that have a hardware queue yet did not leave it in time: they are dead.
 * &faa_device.error_work ends their jobs.
 *
 * Return: how many there are.
 */
unsigned int faa_mux_thaw(struct faa_device *faa)
{
	unsigned int i, victims = 0;

	mutex_lock(&faa->mux.lock);
	for (i = 0; i < faa->info.num_queues; i++) {
		struct faa_queue *queue = faa->hwqs[i].queue;

		if (!queue)
			continue;
		faa_queue_mark_dead(queue, FAA_STOP_RESET);
		/* Not those that are being stopped for another reason. */
		if (queue->progress.reason == FAA_STOP_RESET)
			victims++;
	}
	faa->mux.frozen = false;
	mutex_unlock(&faa->mux.lock);

	return victims;
}

static void mux_cancel(struct drm_device *drm, void *work)
{
	cancel_work_sync(work);
}

/**
 * faa_mux_init() - get ready to give hardware queues to client queues
 * @faa: the device; &faa_device.submit_wq is there
 *
 * Return: 0 or -ENOMEM.
 */
int faa_mux_init(struct faa_device *faa)
{
	int ret = drmm_mutex_init(&faa->drm, &faa->mux.lock);

	if (ret)
		return ret;
	faa_turns_init(&faa->mux.turns);
	INIT_WORK(&faa->mux.work, mux_work);

	return drmm_add_action_or_reset(&faa->drm, mux_cancel, &faa->mux.work);
}
