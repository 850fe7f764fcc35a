// SPDX-License-Identifier: MIT
/* Submitting jobs, waiting for them, and reading what they came to. */
#include "queue.h"
#include "worker.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct faa_sync) == sizeof(struct drm_faa_sync) &&
		       offsetof(struct faa_sync, flags) == offsetof(struct drm_faa_sync, flags) &&
		       offsetof(struct faa_sync, handle) == offsetof(struct drm_faa_sync, handle) &&
		       offsetof(struct faa_sync, point) == offsetof(struct drm_faa_sync, point) &&
		       FAA_SYNC_TIMELINE == (int)DRM_FAA_SYNC_TIMELINE &&
		       FAA_SYNC_SIGNAL == (int)DRM_FAA_SYNC_SIGNAL,
	       "struct faa_sync is handed to the kernel as it is");
_Static_assert(FAA_JOB_TOGETHER == (int)DRM_FAA_JOB_TOGETHER,
	       "flags of struct faa_job are handed to the kernel as they are");

/* Room for @jobs jobs with @syncs sync operations together; queue lock held. */
static int reserve(struct faa_queue *queue, uint32_t jobs, size_t syncs)
{
	void *grown;

	if (jobs > queue->job_capacity) {
		grown = realloc(queue->jobs, jobs * sizeof(*queue->jobs));
		if (!grown)
			return -ENOMEM;
		queue->jobs = grown;
		queue->job_capacity = jobs;
	}
	if (syncs > queue->sync_capacity) {
		grown = realloc(queue->syncs, syncs * sizeof(*queue->syncs));
		if (!grown)
			return -ENOMEM;
		queue->syncs = grown;
		queue->sync_capacity = syncs;
	}
	return 0;
}

/* The job for the kernel: the caller's syncs, then the queue's own point. Returns the syncs used. */
static size_t fill_job(struct faa_queue *queue, const struct faa_job *job, uint64_t seqno,
		       struct drm_faa_job *out, struct drm_faa_sync *syncs)
{
	uint32_t n = job->sync_count;

	if (n)
		memcpy(syncs, job->syncs, n * sizeof(*syncs));
	syncs[n] = (struct drm_faa_sync){
		.flags = DRM_FAA_SYNC_TIMELINE | DRM_FAA_SYNC_SIGNAL,
		.handle = queue->syncobj,
		.point = seqno,
	};
	*out = (struct drm_faa_job){
		.stream_va = job->stream_va,
		.stream_bytes = job->stream_bytes,
		.first_element = job->first_element,
		.flags = job->flags,
		.syncs = { .stride = sizeof(*syncs), .count = n + 1, .array = (uintptr_t)syncs },
	};
	return n + 1;
}

static int submit_locked(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count)
{
	struct drm_faa_submit args = { .queue_id = queue->id };
	size_t syncs = 0;
	uint32_t i;
	int ret;

	for (i = 0; i < count; i++)
		syncs += (size_t)jobs[i].sync_count + 1;
	ret = reserve(queue, count, syncs);
	if (ret)
		return ret;
	for (i = 0, syncs = 0; i < count; i++)
		syncs += fill_job(queue, &jobs[i], queue->submitted + 1 + i, &queue->jobs[i],
				  queue->syncs + syncs);
	args.jobs.stride = sizeof(*queue->jobs);
	args.jobs.count = count;
	args.jobs.array = (uintptr_t)queue->jobs;
	ret = faa_device_ioctl(queue->vm->device, DRM_IOCTL_FAA_SUBMIT, &args);
	if (!ret)
		queue->submitted = args.first_seqno + count - 1;
	return ret;
}

int faa_queue_submit(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count,
		     uint64_t *first_seqno)
{
	const struct faa_device_info *info = &queue->vm->device->info;
	uint32_t i;
	int ret;

	if (first_seqno)
		*first_seqno = 0;
	if (!count || count > info->max_jobs)
		return -EINVAL;
	for (i = 0; i < count; i++)
		if (jobs[i].sync_count >= info->max_syncs)
			return -EINVAL;
	if (queue->worker)
		return faa_worker_submit(queue, jobs, count, first_seqno);
	pthread_mutex_lock(&queue->lock);
	ret = submit_locked(queue, jobs, count);
	if (!ret && first_seqno)
		*first_seqno = queue->submitted - count + 1;
	pthread_mutex_unlock(&queue->lock);
	return ret;
}

static bool was_submitted(struct faa_queue *queue, uint64_t seqno)
{
	uint64_t submitted;

	pthread_mutex_lock(&queue->lock);
	submitted = queue->submitted;
	pthread_mutex_unlock(&queue->lock);
	return seqno && seqno <= submitted;
}

int faa_queue_wait(struct faa_queue *queue, uint64_t seqno, int64_t deadline)
{
	if (queue->worker)
		return faa_worker_wait(queue, seqno, deadline);
	if (!was_submitted(queue, seqno))
		return -EINVAL;
	return faa_syncobj_wait(queue->vm->device, &queue->syncobj, &seqno, 1, true, deadline);
}

void faa_queue_read_slot(const struct faa_queue *queue, uint64_t seqno, struct faa_job_status *out)
{
	const volatile struct drm_faa_status *slot =
		&queue->status_ring[seqno % queue->status_entries];

	out->code = le32toh(slot->code);
	out->command = le32toh(slot->command);
	out->element = le32toh(slot->element);
	out->lane = le32toh(slot->lane);
	out->address = le64toh(slot->address);
	out->elements_retired = le64toh(slot->elements_retired);
	out->start_cycle = le64toh(slot->start_cycle);
	out->end_cycle = le64toh(slot->end_cycle);
	out->warps = le32toh(slot->warps);
	out->passes = le32toh(slot->passes);
	/* Last: a slot that is being reused while it is copied shows the number of the newer job. */
	atomic_thread_fence(memory_order_acquire);
	out->seqno = le64toh(slot->seqno);
}

int faa_queue_status(struct faa_queue *queue, uint64_t seqno, struct faa_job_status *status)
{
	int ret;

	*status = (struct faa_job_status){ 0 };
	if (queue->worker)
		return faa_worker_status(queue, seqno, status);
	ret = faa_queue_wait(queue, seqno, 0);
	if (ret)
		return ret == -ETIME ? -EBUSY : ret;
	faa_queue_read_slot(queue, seqno, status);
	if (status->seqno == seqno)
		return 0;
	*status = (struct faa_job_status){ 0 };
	return -ENODATA;
}

int faa_queue_run(struct faa_queue *queue, const struct faa_job *job, int64_t deadline,
		  struct faa_job_status *status)
{
	struct faa_job_status local;
	uint64_t seqno;
	int ret;

	if (!status)
		status = &local;
	*status = (struct faa_job_status){ 0 };
	ret = faa_queue_submit(queue, job, 1, &seqno);
	if (ret)
		return ret;
	ret = faa_queue_wait(queue, seqno, deadline);
	if (ret) {
		status->seqno = seqno;
		return ret;
	}
	ret = faa_queue_status(queue, seqno, status);
	return ret ? ret : faa_status_errno(status);
}

/* What the group came to: the error of one that failed by itself says more than those of the jobs that it stopped. */
static int group_errno(const struct faa_job_status *statuses, uint32_t count)
{
	int stopped = 0;
	uint32_t i;

	for (i = 0; i < count; i++) {
		int ret = faa_status_errno(&statuses[i]);

		if (ret && statuses[i].code != FAA_ERROR_STOPPED)
			return ret;
		if (ret)
			stopped = ret;
	}
	return stopped;
}

/* The statuses of the group that begins with job @first, once it has ended. */
static int wait_group(struct faa_queue *queue, uint64_t first, uint32_t count, int64_t deadline,
		      struct faa_job_status *statuses)
{
	uint32_t i;
	int ret;

	ret = faa_queue_wait(queue, first + count - 1, deadline);
	for (i = 0; !ret && i < count; i++)
		ret = faa_queue_status(queue, first + i, &statuses[i]);
	for (i = 0; i < count; i++)
		statuses[i].seqno = first + i;
	return ret ? ret : group_errno(statuses, count);
}

int faa_queue_run_group(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count,
			int64_t deadline, struct faa_job_status *statuses)
{
	struct faa_job_status local[FAA_MAX_SLOTS] = { { 0 } };
	struct faa_job group[FAA_MAX_SLOTS];
	uint64_t first = 0;
	uint32_t i;
	int ret = -EINVAL;

	if (count >= 1 && count <= FAA_MAX_SLOTS) {
		for (i = 0; i < count; i++) {
			group[i] = jobs[i];
			group[i].flags &= ~(uint32_t)FAA_JOB_TOGETHER;
			if (i + 1 < count)
				group[i].flags |= FAA_JOB_TOGETHER;
		}
		ret = faa_queue_submit(queue, group, count, &first);
	}
	if (!ret)
		ret = wait_group(queue, first, count, deadline, local);
	for (i = 0; statuses && i < count; i++)
		statuses[i] = i < FAA_MAX_SLOTS ? local[i] : (struct faa_job_status){ 0 };
	return ret;
}
