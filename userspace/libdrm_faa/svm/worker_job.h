/* SPDX-License-Identifier: MIT */
#ifndef FAA_WORKER_JOB_H
#define FAA_WORKER_JOB_H

#include "queue.h"

/** struct faa_worker_job - a job that waits for the thread, or that the thread runs */
struct faa_worker_job {
	struct faa_worker_job *next;
	uint64_t seqno;
	uint64_t stream_va;
	uint32_t stream_bytes;
	uint32_t first_element;
	/* Gets the fence of each part. */
	struct faa_fence *fence;
	/* For the kernel: @fence, then a syncobj of the library for each fence of a wait. */
	struct drm_faa_sync *syncs;
	uint32_t sync_count;
	/* The signals of the job, the queue's point last. */
	struct faa_promise **signals;
	uint32_t signal_count;
	/* Promises of other jobs that it waits for. */
	struct faa_promise **waits;
	uint32_t wait_count;
};

/**
 * faa_worker_job_create() - do all steps of a job that can fail; lock of promises held
 * @queue: queue
 * @job: the caller's job, accepted by faa_jobs_check()
 * @seqno: its number
 * @earlier: jobs of the same call, the last one first (linked by @next), NULL if there are none
 * @out: the job
 *
 * Return: 0; -EAGAIN: a wait for a signal that is not promised yet; -EOPNOTSUPP: one of a group;
 * -ENOENT: no such syncobj; -ENOMEM; -EMFILE; -ENODEV.
 */
int faa_worker_job_create(struct faa_queue *queue, const struct faa_job *job, uint64_t seqno,
			  const struct faa_worker_job *earlier, struct faa_worker_job **out);

/** faa_worker_job_destroy() - free it; lock of promises held. */
void faa_worker_job_destroy(struct faa_queue *queue, struct faa_worker_job *job);

#endif /* FAA_WORKER_JOB_H */
