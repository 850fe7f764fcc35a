/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_TURNS_H__
#define __FAA_TURNS_H__

#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/types.h>

#include <drm/faa_drm.h>

#define FAA_TURNS_PRIORITIES	(DRM_FAA_PRIORITY_REALTIME + 1)

/**
 * struct faa_turns - client queues that wait for a hardware queue
 *
 * Not locked: its owner does that.
 */
struct faa_turns {
	/** @files: &faa_turns_file.node of those with queues that wait. */
	struct list_head files;
	/** @waiting: queues that wait. */
	unsigned int waiting;
	/** @floor: cycles that the file had used whose turn was the last. */
	u64 floor;
};

/**
 * struct faa_turns_file - part of a file
 */
struct faa_turns_file {
	/** @node: entry of &faa_turns.files, empty if none of its queues waits. */
	struct list_head node;
	/** @queues: &faa_turns_queue.node by priority, the longest waiting first. */
	struct list_head queues[FAA_TURNS_PRIORITIES];
	/** @waiting: how many there are. */
	unsigned int waiting;
	/** @running: its queues that have a hardware queue and jobs. */
	unsigned int running;
	/** @leaving: of these, those that are giving theirs up. */
	unsigned int leaving;
	/** @used: cycles of compute units that it has used, or was charged for coming late. */
	atomic64_t used;
};

/**
 * struct faa_turns_queue - part of a client queue
 */
struct faa_turns_queue {
	/** @node: entry of &faa_turns_file.queues, empty if it does not wait. */
	struct list_head node;
	/** @file: its file. */
	struct faa_turns_file *file;
	/** @priority: &enum drm_faa_priority. */
	unsigned int priority;
	/** @since: since when it has waited. */
	ktime_t since;
	/** @urgent: it got its turn because it had waited for too long. */
	bool urgent;
	/** @cycles: of compute units since it got its hardware queue. */
	atomic64_t cycles;
};

void faa_turns_init(struct faa_turns *turns);
void faa_turns_init_file(struct faa_turns_file *file);
void faa_turns_init_queue(struct faa_turns_queue *queue, struct faa_turns_file *file,
			  unsigned int priority);
void faa_turns_add(struct faa_turns *turns, struct faa_turns_queue *queue, ktime_t now);
void faa_turns_remove(struct faa_turns *turns, struct faa_turns_queue *queue);
struct faa_turns_queue *faa_turns_next(struct faa_turns *turns, unsigned int limit,
				       ktime_t overdue);
void faa_turns_charge(struct faa_turns_queue *queue, u64 cycles);
bool faa_turns_displaced(const struct faa_turns_queue *queue, u64 slice, unsigned int limit,
			 ktime_t overdue);
unsigned int faa_turns_limit(const unsigned int *demand, unsigned int files, unsigned int cus,
			     unsigned int most);

#endif
