// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Time on compute units
 *
 * A client is charged with the time in which jobs of its queues had a compute unit. Waiting
 * for one is not counted, so all clients together never get more than the device has.
 *
 * When a job ends its record says in cycles when it had the compute unit. While a job runs the
 * registers of its compute unit say when it began. faa_clock.c converts cycles to host time.
 */

#include <linux/math64.h>

#include <drm/drm_drv.h>

#include "faa_completion.h"
#include "faa_device.h"
#include "faa_queue.h"
#include "faa_usage.h"

/**
 * faa_usage_init() - begin to count
 * @faa: the device, identified
 */
void faa_usage_init(struct faa_device *faa)
{
	spin_lock_init(&faa->usage.lock);
	faa_usage_mark(faa, faa_hw_cycles(faa), ktime_get());
}

/**
 * faa_usage_restart() - the cycle counter of the device begins again
 * @faa: the device, which was reset
 *
 * Jobs that it began before have no time that could be told in the new cycles.
 */
void faa_usage_restart(struct faa_device *faa)
{
	u64 cycle = faa_hw_cycles(faa), now = ktime_get_ns();

	spin_lock(&faa->usage.lock);
	faa->usage.before += faa_clock_cycle(&faa->usage.clock, now);
	faa->usage.clock.count = 0;
	faa_clock_mark(&faa->usage.clock, cycle, now);
	spin_unlock(&faa->usage.lock);
}

/**
 * faa_usage_cycles_before() - cycles that the cycle counter does not count any more
 * @faa: the device; inside faa_recover_enter(), so it is not reset
 *
 * Return: clock cycles before the last reset; it grows with each reset.
 */
u64 faa_usage_cycles_before(struct faa_device *faa)
{
	u64 before;

	spin_lock(&faa->usage.lock);
	before = faa->usage.before;
	spin_unlock(&faa->usage.lock);

	return before;
}

/**
 * faa_usage_total_cycles() - read the cycle counter, over resets of the device
 * @faa: the device; inside drm_dev_enter() and faa_recover_enter()
 *
 * Return: clock cycles; a reset does not make it smaller.
 */
u64 faa_usage_total_cycles(struct faa_device *faa)
{
	u64 cycle = faa_hw_cycles(faa);

	faa_usage_mark(faa, cycle, ktime_get());

	return faa_usage_cycles_before(faa) + cycle;
}

/* The first job of a ring if the device knows of it. */
static struct faa_fence *usage_head(struct faa_queue *queue)
{
	struct faa_fence *head = faa_queue_head(queue);

	return head && head->seqno <= queue->ring.given ? head : NULL;
}

/**
 * faa_usage_update() - jobs have ended, or the device was told of some
 * @queue: their queue, its lock held
 */
void faa_usage_update(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	bool busy = usage_head(queue);

	lockdep_assert_held(&queue->lock);

	if (queue->busy == busy)
		return;

	queue->busy = busy;
	spin_lock(&faa->usage.lock);
	faa->usage.busy += busy ? 1 : -1;
	spin_unlock(&faa->usage.lock);
}

/**
 * faa_usage_mark() - tell the time of the device's clock
 * @faa: the device
 * @cycle: its cycle counter
 * @now: time of the host
 */
void faa_usage_mark(struct faa_device *faa, u64 cycle, ktime_t now)
{
	/* Registers that cannot be read show all-ones. */
	if (cycle == ~0ULL)
		return;
	spin_lock(&faa->usage.lock);
	faa_clock_mark(&faa->usage.clock, cycle, ktime_to_ns(now));
	spin_unlock(&faa->usage.lock);
}

/**
 * faa_usage_ns() - when was a cycle?
 * @faa: the device
 * @cycle: its cycle counter
 *
 * Return: time of the host, CLOCK_MONOTONIC in nanoseconds, as exact as the marks are.
 */
u64 faa_usage_ns(struct faa_device *faa, u64 cycle)
{
	u64 ns;

	spin_lock(&faa->usage.lock);
	ns = faa_clock_ns(&faa->usage.clock, cycle);
	spin_unlock(&faa->usage.lock);

	return ns;
}

/**
 * faa_usage_job() - how long did a job have a compute unit?
 * @queue: its queue, its lock held
 * @fence: its fence
 * @status: its record
 *
 * The streams of a group run at the same time, so of each only what goes beyond the
 * longest before it counts.
 *
 * Return: what the job adds to the time of its client.
 */
struct faa_usage_time faa_usage_job(struct faa_queue *queue, const struct faa_fence *fence,
				    const struct faa_status *status)
{
	struct faa_device *faa = queue->faa;
	u64 first = le64_to_cpu(status->start_cycle);
	u64 last = le64_to_cpu(status->end_cycle);
	struct faa_usage_time *group = &queue->progress.group_time;
	struct faa_usage_time counted, time = {};
	u64 start, end;

	lockdep_assert_held(&queue->lock);

	spin_lock(&faa->usage.lock);
	start = faa_clock_ns(&faa->usage.clock, first);
	end = faa_clock_ns(&faa->usage.clock, last);
	queue->progress.last_cycle = max(queue->progress.last_cycle, faa->usage.before + last);
	spin_unlock(&faa->usage.lock);

	/* Times that the host has seen are more exact than a time between two marks. */
	start = max_t(u64, start, ktime_to_ns(fence->started));

	if (last > first) {
		time.cycles = last - first;
		time.ns = end > start ? end - start : 0;
	}
	counted = fence->slot ? *group : (struct faa_usage_time){};
	group->ns = max(counted.ns, time.ns);
	group->cycles = max(counted.cycles, time.cycles);

	return (struct faa_usage_time){
		.ns = group->ns - counted.ns,
		.cycles = group->cycles - counted.cycles,
	};
}

/**
 * faa_usage_others() - do other queues have jobs to run?
 * @queue: queue that has one
 *
 * Return: true if they do.
 */
bool faa_usage_others(struct faa_queue *queue)
{
	return READ_ONCE(queue->faa->usage.busy) > 1;
}

/* The time from a cycle on until another one, which is now. The lock of the queue is held. */
static struct faa_usage_time usage_since(struct faa_queue *queue, struct faa_fence *head,
					 u64 first, u64 cycle)
{
	struct faa_device *faa = queue->faa;
	struct faa_usage_time time = {};
	u64 start, end;

	spin_lock(&faa->usage.lock);
	/* A job that has been charged may still be reported. */
	if (faa->usage.before + first >= queue->progress.last_cycle && cycle > first) {
		start = max_t(u64, faa_clock_ns(&faa->usage.clock, first),
			      ktime_to_ns(head->started));
		end = faa_clock_ns(&faa->usage.clock, cycle);
		time.cycles = cycle - first;
		time.ns = end > start ? end - start : 0;
	}
	spin_unlock(&faa->usage.lock);

	return time;
}

/**
 * faa_usage_running() - how long has the running job of a queue had its compute unit?
 * @queue: the queue; inside drm_dev_enter() and faa_recover_enter()
 *
 * Return: its time so far, 0 if none runs.
 */
struct faa_usage_time faa_usage_running(struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	struct faa_usage_time time = {};
	struct faa_fence *head;
	unsigned int index = 0;
	u64 first, cycle;
	bool given;

	/* Jobs that have ended are charged as such. */
	faa_queue_complete(queue);
	spin_lock(&queue->lock);
	given = queue->hwq && usage_head(queue);
	if (given)
		index = queue->hwq->index;
	spin_unlock(&queue->lock);
	/* The device is asked, and its clock read, for a job that it may run alone. */
	if (!given || !faa_hw_queue_start(faa, index, &first))
		return time;

	cycle = faa_hw_cycles(faa);
	faa_usage_mark(faa, cycle, ktime_get());

	spin_lock(&queue->lock);
	head = queue->hwq && queue->hwq->index == index ? usage_head(queue) : NULL;
	if (head)
		time = usage_since(queue, head, first, cycle);
	spin_unlock(&queue->lock);

	return time;
}
