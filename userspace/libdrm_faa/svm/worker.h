/* SPDX-License-Identifier: MIT */
/**
 * DOC: Queues of shared VMs
 *
 * A thread submits the jobs of such a queue to the device, one after the other, each in as many
 * parts as needed (parts.h). Sequence numbers, status records and syncobjs that callers see are
 * those of the library, not of the kernel.
 *
 * Locks: the queue's, then the device's of promises. Neither is held while a job runs.
 */
#ifndef FAA_WORKER_H
#define FAA_WORKER_H

#include "queue.h"

/** faa_worker_create() - start the thread of @queue; 0 or -errno. */
int faa_worker_create(struct faa_queue *queue);

/**
 * faa_worker_stop() - end the thread once the kernel's queue is destroyed; unfinished jobs are
 * cancelled.
 */
void faa_worker_stop(struct faa_queue *queue);

/** faa_worker_about_to_stop() - from now on no further part of a job is submitted. */
void faa_worker_about_to_stop(struct faa_queue *queue);

/** faa_worker_submit() - faa_queue_submit() of jobs that faa_jobs_check() accepts. */
int faa_worker_submit(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count,
		      uint64_t *first_seqno);

/** faa_worker_wait() - faa_queue_wait() */
int faa_worker_wait(struct faa_queue *queue, uint64_t seqno, int64_t deadline);

/** faa_worker_status() - the status of a job that has ended; 0, -ETIME, -ENODATA or -EINVAL. */
int faa_worker_status(struct faa_queue *queue, uint64_t seqno, struct faa_job_status *status);

/** faa_worker_info() - replace the kernel's numbers of jobs by the library's. */
void faa_worker_info(struct faa_queue *queue, struct faa_queue_info *info);

#endif /* FAA_WORKER_H */
