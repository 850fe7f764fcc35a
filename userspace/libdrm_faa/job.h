/* SPDX-License-Identifier: MIT */
#ifndef FAA_JOB_H
#define FAA_JOB_H

#include "queue.h"

/** faa_jobs_check_count() - -EINVAL, with its sentence, for too many jobs or none. */
int faa_jobs_check_count(const struct faa_queue *queue, uint32_t count);

/**
 * faa_jobs_check() - the checks of a submission that need no kernel
 * @queue: queue
 * @jobs: @count jobs
 * @count: how many; faa_jobs_check_count() accepts it
 *
 * Return: 0; -EINVAL, with a sentence that names the job.
 */
int faa_jobs_check(const struct faa_queue *queue, const struct faa_job *jobs, uint32_t count);

/**
 * faa_jobs_find_error() - why the kernel rejected a submission that faa_jobs_check() accepts
 * @queue: queue, its lock held
 * @jobs: @count jobs
 * @count: number of jobs
 * @error: the kernel's error
 *
 * Return: the error for the caller, with a sentence; 0: the reason is gone, because a promise was
 * made since.
 */
int faa_jobs_find_error(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count,
			int error);

#endif /* FAA_JOB_H */
