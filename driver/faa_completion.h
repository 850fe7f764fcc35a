/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_COMPLETION_H__
#define __FAA_COMPLETION_H__

#include <linux/dma-fence.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "faa_isa.h"
#include "faa_queue.h"

struct faa_job;

/**
 * struct faa_fence - fence of a job that its scheduler has run
 *
 * Allocated with the job, so that running it cannot fail. Only the scheduler and the
 * completion know it: it ends before the queue.
 */
struct faa_fence {
	/** @base: base. */
	struct dma_fence base;
	/** @lock: of @base. */
	spinlock_t lock;
	/** @node: entry of &faa_queue.inflight, which holds a reference. */
	struct list_head node;
	/** @seqno: sequence number of the job. */
	u64 seqno;
	/** @slot: its warp slot. */
	u32 slot;
	/** @desc: its descriptor, for each ring that it comes into. */
	struct faa_job_desc desc;
	/** @started: since when it may run: it is the first in the ring, and the device knows. */
	ktime_t started;
};

/**
 * faa_fence_group() - the group of a job that is in a ring
 * @fence: its fence
 *
 * Return: sequence number of the group's first job: its own if it runs alone.
 */
static inline u64 faa_fence_group(const struct faa_fence *fence)
{
	return fence->seqno - fence->slot;
}

/**
 * faa_queue_head() - the first job that has not ended
 * @queue: the queue, its lock held
 *
 * Return: its fence, NULL if the scheduler has run none.
 */
static inline struct faa_fence *faa_queue_head(struct faa_queue *queue)
{
	return list_first_entry_or_null(&queue->inflight, struct faa_fence, node);
}

/**
 * faa_queue_heads() - is a job in the group that the device runs, or runs next?
 * @queue: the queue, its lock held
 * @fence: fence of one of its jobs that have not ended
 *
 * Return: true if it is in the group of the first one.
 */
static inline bool faa_queue_heads(struct faa_queue *queue, const struct faa_fence *fence)
{
	return faa_fence_group(fence) == faa_fence_group(faa_queue_head(queue));
}

struct faa_fence *faa_fence_alloc(void);
void faa_fence_init(struct faa_fence *fence, const struct faa_job *job);

bool faa_group_may_have_run(u64 group, u64 given, u64 timed_out);
void faa_queue_complete(struct faa_queue *queue);
void faa_queue_cancel(struct faa_queue *queue);

#endif
