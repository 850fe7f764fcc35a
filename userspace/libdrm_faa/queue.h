/* SPDX-License-Identifier: MIT */
#ifndef FAA_QUEUE_H
#define FAA_QUEUE_H

#include "vm.h"

struct faa_queue {
	struct faa_vm *vm;
	uint32_t id;
	/* Timeline whose point s is signaled when job s has ended. */
	uint32_t syncobj;
	uint32_t status_handle;
	uint32_t status_entries;
	const struct drm_faa_status *status_ring;
	/*
	 * The thread that submits the jobs in a shared VM. Then only @lock and @submitted of the
	 * members below are used.
	 */
	struct faa_worker *worker;
	/*
	 * Guards all members below. Held over a submission: the timeline points that a submission
	 * signals are the sequence numbers that the kernel is about to give, so no other thread may
	 * submit in between.
	 */
	pthread_mutex_t lock;
	uint64_t submitted;
	/* Memory of the last submission, kept so that a submission allocates nothing. */
	struct drm_faa_job *jobs;
	uint32_t job_capacity;
	struct drm_faa_sync *syncs;
	size_t sync_capacity;
};

/** faa_queue_unknown_job() - -EINVAL with its sentence: @seqno is not in 1..@submitted. */
int faa_queue_unknown_job(uint64_t seqno, uint64_t submitted);

/** faa_queue_too_late() - -ETIME with its sentence: job @seqno had not ended at the deadline. */
int faa_queue_too_late(uint64_t seqno);

/**
 * faa_queue_read_slot() - the record of the kernel's job @seqno, which outlives the device
 *
 * Return: false: the slot has the record of another job, or changed while it was copied.
 */
bool faa_queue_read_slot(const struct faa_queue *queue, uint64_t seqno,
			 struct faa_job_status *status);

#endif /* FAA_QUEUE_H */
