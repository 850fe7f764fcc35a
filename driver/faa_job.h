/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_JOB_H__
#define __FAA_JOB_H__

#include <linux/list.h>
#include <linux/types.h>

#include <drm/gpu_scheduler.h>

struct drm_faa_job;
struct drm_faa_submit;
struct faa_device;
struct faa_fence;
struct faa_file;
struct faa_hwq;
struct faa_queue;
struct faa_timeline_fence;

/**
 * struct faa_job - one job
 */
struct faa_job {
	/** @base: base. */
	struct drm_sched_job base;
	/** @queue: its queue. Holds a reference. */
	struct faa_queue *queue;
	/** @fence: of the hardware; NULL once the job was put in the ring. */
	struct faa_fence *fence;
	/** @hw_fence: the same from then on; valid as long as the job. */
	struct dma_fence *hw_fence;
	/** @done: for others; NULL once the job was submitted. */
	struct faa_timeline_fence *done;
	/** @seqno: sequence number, given when it is submitted. */
	u64 seqno;
	/** @stream_va: address of the stream. */
	u64 stream_va;
	/** @stream_bytes: size of the stream. */
	u32 stream_bytes;
	/** @first_element: where its first command starts. */
	u32 first_element;
	/** @slot: warp slot: how many jobs of its group are before it. */
	u32 slot;
	/** @together: the next job belongs to its group. */
	bool together;
	/** @counted: it is one of &faa_queue.running. */
	bool counted;
};

static inline struct faa_job *to_faa_job(struct drm_sched_job *base)
{
	return container_of(base, struct faa_job, base);
}

extern const struct drm_sched_backend_ops faa_sched_ops;

bool faa_sched_must_yield(const atomic_t *starving, unsigned int priority);
void faa_sched_set_starving(struct faa_queue *queue, bool starving);
void faa_sched_setup(const struct faa_queue *queue, struct faa_hwq *hwq);
void faa_sched_start(struct faa_queue *queue);
void faa_sched_resume(struct faa_device *faa);

int faa_job_check(const struct drm_faa_job *args);
u32 faa_job_slot(const struct drm_faa_job *args, u32 job);
int faa_job_check_groups(const struct drm_faa_job *args, u32 count, u32 slots);
int faa_job_submit(struct faa_file *file, struct drm_file *drm_file,
		   struct drm_faa_submit *args);

#endif
