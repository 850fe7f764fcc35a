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
	/* Of a shared VM: who submits the jobs. What follows but for @lock and @submitted is not used then. */
	struct faa_worker *worker;
	/*
	 * Guards what follows. Held over a submission: the timeline points that a submission signals are the sequence numbers
	 * that the kernel is about to give, so nobody else may submit in between.
	 */
	pthread_mutex_t lock;
	uint64_t submitted;
	/* Memory of the last submission, kept so that submitting allocates nothing. */
	struct drm_faa_job *jobs;
	uint32_t job_capacity;
	struct drm_faa_sync *syncs;
	size_t sync_capacity;
};

/** faa_queue_read_slot() - the slot of the status ring that the kernel's job @seqno has; its seqno tells whether it is that job's. */
void faa_queue_read_slot(const struct faa_queue *queue, uint64_t seqno,
			 struct faa_job_status *status);

#endif /* FAA_QUEUE_H */
