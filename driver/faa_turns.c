// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Turns
 *
 * Which client queue gets a hardware queue next, and which one has to give its own up. Files
 * share the compute units, whatever the number of their queues:
 *
 * - A file may have so many queues with jobs on hardware queues as makes all compute units busy
 *   when every file may have as many (faa_turns_limit()). A file with 500 queues and one with a
 *   single queue get a unit each of two. A file that is alone has no limit.
 * - Of the files below their limit the one that has used the fewest cycles is next. A file
 *   that comes after a pause starts with as many as the file that was served last, so it saves
 *   nothing up.
 * - Of a file, the queue of highest priority is next; within a priority, the one that has
 *   waited longest. A queue that has waited for too long comes before any priority, and keeps
 *   its turn, so the fences of its jobs signal.
 * - A queue keeps its hardware queue for a slice: so many cycles of compute units. Then it yields
 *   to queues of its file that wait, and at once to those of higher priority.
 *
 * Nothing here knows the device: see faa_mux.c for that.
 */

#include <linux/minmax.h>

#include <kunit/visibility.h>

#include "faa_turns.h"

/**
 * faa_turns_init() - begin without a waiting queue
 * @turns: the turns
 */
void faa_turns_init(struct faa_turns *turns)
{
	INIT_LIST_HEAD(&turns->files);
	turns->waiting = 0;
	turns->floor = 0;
}
EXPORT_SYMBOL_IF_KUNIT(faa_turns_init);

/**
 * faa_turns_init_file() - initialise the part of a file
 * @file: the part
 */
void faa_turns_init_file(struct faa_turns_file *file)
{
	unsigned int i;

	INIT_LIST_HEAD(&file->node);
	for (i = 0; i < FAA_TURNS_PRIORITIES; i++)
		INIT_LIST_HEAD(&file->queues[i]);
	file->waiting = 0;
	file->running = 0;
	file->leaving = 0;
	atomic64_set(&file->used, 0);
}
EXPORT_SYMBOL_IF_KUNIT(faa_turns_init_file);

/**
 * faa_turns_init_queue() - initialise the part of a queue
 * @queue: the part
 * @file: that of its file
 * @priority: &enum drm_faa_priority
 */
void faa_turns_init_queue(struct faa_turns_queue *queue, struct faa_turns_file *file,
			  unsigned int priority)
{
	INIT_LIST_HEAD(&queue->node);
	queue->file = file;
	queue->priority = priority;
	queue->urgent = false;
	atomic64_set(&queue->cycles, 0);
}
EXPORT_SYMBOL_IF_KUNIT(faa_turns_init_queue);

/**
 * faa_turns_add() - a queue begins to wait
 * @turns: the turns
 * @queue: the queue; nothing happens if it waits
 * @now: the time
 */
void faa_turns_add(struct faa_turns *turns, struct faa_turns_queue *queue, ktime_t now)
{
	struct faa_turns_file *file = queue->file;

	if (!list_empty(&queue->node))
		return;
	if (!file->waiting && !file->running &&
	    (u64)atomic64_read(&file->used) < turns->floor)
		atomic64_set(&file->used, turns->floor);
	queue->since = now;
	list_add_tail(&queue->node, &file->queues[queue->priority]);
	if (!file->waiting++)
		list_add_tail(&file->node, &turns->files);
	turns->waiting++;
}
EXPORT_SYMBOL_IF_KUNIT(faa_turns_add);

/**
 * faa_turns_remove() - a queue waits no longer
 * @turns: the turns
 * @queue: the queue; nothing happens if it does not wait
 */
void faa_turns_remove(struct faa_turns *turns, struct faa_turns_queue *queue)
{
	struct faa_turns_file *file = queue->file;

	if (list_empty(&queue->node))
		return;
	list_del_init(&queue->node);
	if (!--file->waiting)
		list_del_init(&file->node);
	turns->waiting--;
}
EXPORT_SYMBOL_IF_KUNIT(faa_turns_remove);

/* The queue of a file that is next. */
static struct faa_turns_queue *turns_of_file(struct faa_turns_file *file, ktime_t overdue)
{
	struct faa_turns_queue *first, *found = NULL;
	unsigned int i;

	for (i = FAA_TURNS_PRIORITIES; i--;) {
		first = list_first_entry_or_null(&file->queues[i], struct faa_turns_queue, node);
		if (first && (!found || (ktime_before(first->since, overdue) &&
					 ktime_before(first->since, found->since))))
			found = first;
	}

	return found;
}

/**
 * faa_turns_next() - which queue gets a hardware queue?
 * @turns: the turns
 * @limit: queues with jobs that a file may have on hardware queues
 * @overdue: a queue that has waited since before this has waited for too long
 *
 * Return: the queue, which still waits; NULL if none may have one.
 */
struct faa_turns_queue *faa_turns_next(struct faa_turns *turns, unsigned int limit,
				       ktime_t overdue)
{
	struct faa_turns_file *file, *found = NULL;
	struct faa_turns_queue *queue;

	list_for_each_entry(file, &turns->files, node) {
		if (file->running < limit &&
		    (!found || atomic64_read(&file->used) < atomic64_read(&found->used)))
			found = file;
	}
	if (!found)
		return NULL;
	turns->floor = max_t(u64, turns->floor, atomic64_read(&found->used));
	queue = turns_of_file(found, overdue);
	queue->urgent = ktime_before(queue->since, overdue);

	return queue;
}
EXPORT_SYMBOL_IF_KUNIT(faa_turns_next);

/**
 * faa_turns_charge() - a job of a queue has ended
 * @queue: the queue
 * @cycles: of a compute unit that it had
 *
 * Needs no lock.
 */
void faa_turns_charge(struct faa_turns_queue *queue, u64 cycles)
{
	atomic64_add(cycles, &queue->cycles);
	atomic64_add(cycles, &queue->file->used);
}
EXPORT_SYMBOL_IF_KUNIT(faa_turns_charge);

/**
 * faa_turns_displaced() - has a queue to make room for another one of its file?
 * @queue: a queue that has a hardware queue and jobs
 * @slice: cycles after which its turn is over
 * @limit: as for faa_turns_next()
 * @overdue: as for faa_turns_next()
 *
 * Return: true if its file has its limit, and a queue that waits comes before it, for which no
 * other one makes room; or if it was urgent and has had its slice.
 */
bool faa_turns_displaced(const struct faa_turns_queue *queue, u64 slice, unsigned int limit,
			 ktime_t overdue)
{
	const struct faa_turns_queue *next = turns_of_file(queue->file, overdue);
	bool over = (u64)atomic64_read(&queue->cycles) >= slice;

	/* Its priority in the device ends with its slice. */
	if (queue->urgent && over)
		return true;
	if (!next || queue->file->running < limit ||
	    queue->file->leaving >= queue->file->waiting)
		return false;
	/* A queue that has waited for too long has its slice in any case. */
	if (next->priority > queue->priority && !queue->urgent)
		return true;

	return over &&
	       (next->priority >= queue->priority || ktime_before(next->since, overdue));
}
EXPORT_SYMBOL_IF_KUNIT(faa_turns_displaced);

/**
 * faa_turns_limit() - how many queues with jobs may each file have on hardware queues?
 * @demand: for each file, how many queues have jobs; the first @cus are looked at
 * @files: how many files have any
 * @cus: compute units
 * @most: hardware queues
 *
 * Return: the smallest number with which no compute unit is left idle; @most for one file, or
 * if there is a unit for each queue.
 */
unsigned int faa_turns_limit(const unsigned int *demand, unsigned int files, unsigned int cus,
			     unsigned int most)
{
	unsigned int limit, sum, i;

	if (files < 2)
		return most;
	if (files >= cus)
		return 1;

	for (limit = 1; limit < most; limit++) {
		for (sum = 0, i = 0; i < files; i++)
			sum += min(demand[i], limit);
		if (sum >= cus)
			break;
	}

	return limit;
}
EXPORT_SYMBOL_IF_KUNIT(faa_turns_limit);
