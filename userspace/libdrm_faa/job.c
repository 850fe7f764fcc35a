// SPDX-License-Identifier: MIT
/* Checks of jobs before a submission, and the reason of the kernel's error after it. */
#include "job.h"
#include "error.h"
#include "sync.h"

#include <errno.h>

static bool job_waits(const struct faa_job *job)
{
	uint32_t i;

	for (i = 0; i < job->sync_count; i++)
		if (!(job->syncs[i].flags & FAA_SYNC_SIGNAL))
			return true;
	return false;
}

static int job_check_stream(const struct faa_queue *queue, const struct faa_job *job)
{
	unsigned int va_bits = queue->vm->device->info.va_bits;
	unsigned long long va = job->stream_va;
	uint64_t end = 1ull << va_bits;

	if (job->stream_va % 8)
		return faa_fail(-EINVAL, "stream_va 0x%llx is not a multiple of 8", va);
	if (job->stream_bytes % 8 || !job->stream_bytes)
		return faa_fail(-EINVAL, "stream_bytes %u: allowed are multiples of 8 other than 0",
				job->stream_bytes);
	if (job->stream_va >= end || job->stream_bytes > end - job->stream_va)
		return faa_fail(-EINVAL, "a stream of %u bytes at 0x%llx goes beyond 2^%u",
				job->stream_bytes, va, va_bits);
	if (job->first_element % FAA_LANES)
		return faa_fail(-EINVAL, "first_element %u is not a multiple of %u",
				job->first_element, FAA_LANES);
	return 0;
}

static int job_check(const struct faa_queue *queue, const struct faa_job *job)
{
	uint32_t max = queue->vm->device->info.max_syncs - 1;
	int ret;

	if (job->flags & ~(uint32_t)FAA_JOB_TOGETHER)
		return faa_fail(-EINVAL, "flags 0x%x: allowed is FAA_JOB_TOGETHER (0x%x)",
				job->flags, FAA_JOB_TOGETHER);
	if (job->sync_count > max)
		return faa_fail(-EINVAL, "%u sync operations: allowed are up to %u",
				job->sync_count, max);
	ret = job_check_stream(queue, job);
	return ret ? ret : faa_syncs_check(job->syncs, job->sync_count);
}

/* Checks job @place of a group. Returns the place of the next job (0: none), or -EINVAL. */
static int job_check_place(const struct faa_queue *queue, const struct faa_job *job, uint32_t place)
{
	uint32_t slots = queue->vm->device->info.warp_slots;

	if (place && job_waits(job))
		return faa_fail(-EINVAL, "a wait: of a group only the first job may wait");
	if (!(job->flags & FAA_JOB_TOGETHER))
		return 0;
	if (place + 1 >= slots)
		return faa_fail(-EINVAL, "it begins a group of more than the device's %u streams",
				slots);
	return (int)place + 1;
}

int faa_jobs_check_count(const struct faa_queue *queue, uint32_t count)
{
	uint32_t max = queue->vm->device->info.max_jobs;

	if (count && count <= max)
		return 0;
	return faa_fail(-EINVAL, "a submission of %u jobs: allowed are 1..%u", count, max);
}

int faa_jobs_check(const struct faa_queue *queue, const struct faa_job *jobs, uint32_t count)
{
	uint32_t i;
	int ret, place = 0;

	for (i = 0; i < count; i++) {
		ret = job_check(queue, &jobs[i]);
		/* Shared VMs have no groups; worker_job.c rejects them. */
		if (!ret && !queue->worker)
			ret = place = job_check_place(queue, &jobs[i], (uint32_t)place);
		if (ret < 0)
			return faa_fail(ret, "job %u of %u: %s", i, count, faa_last_error());
	}
	if (place)
		return faa_fail(-EINVAL, "job %u of %u: FAA_JOB_TOGETHER without a next job",
				count - 1, count);
	return 0;
}

/* Whether a job before @index of the same call promises the signal for @wait. */
static bool job_promised_before(const struct faa_queue *queue, const struct faa_job *jobs,
				uint32_t index, const struct faa_sync *wait)
{
	uint32_t i, j;

	if (wait->handle == queue->syncobj && wait->point && index &&
	    wait->point <= queue->submitted + index)
		return true;
	for (i = 0; i < index; i++)
		for (j = 0; j < jobs[i].sync_count; j++)
			if (faa_sync_promises(&jobs[i].syncs[j], wait))
				return true;
	return false;
}

static int job_find_sync_error(struct faa_queue *queue, const struct faa_job *jobs, uint32_t index)
{
	const struct faa_job *job = &jobs[index];
	uint32_t i;
	int ret;

	for (i = 0; i < job->sync_count; i++) {
		if (job_promised_before(queue, jobs, index, &job->syncs[i]))
			continue;
		ret = faa_sync_find_error(queue->vm->device, &job->syncs[i], i);
		if (ret)
			return faa_fail(ret, "job %u: %s", index, faa_last_error());
	}
	return 0;
}

/* Why a queue is dead. */
static const char *job_dead_because(uint32_t state)
{
	if (state & DRM_FAA_QUEUE_STATE_LOST)
		return "the device was lost";
	if (state & DRM_FAA_QUEUE_STATE_TIMEDOUT)
		return "a job ran longer than the timeout";
	if (state & DRM_FAA_QUEUE_STATE_FAULT)
		return "the device could not access the queue's own memory";
	if (state & DRM_FAA_QUEUE_STATE_RESET)
		return "its compute unit had to be reset";
	return "the kernel does not say why";
}

static int job_dead(struct faa_queue *queue, int error)
{
	struct drm_faa_queue_get_state args = { .queue_id = queue->id };

	if (faa_device_ioctl(queue->vm->device, DRM_IOCTL_FAA_QUEUE_GET_STATE, &args))
		args.state = 0;
	return faa_fail(error, "the queue is dead: %s", job_dead_because(args.state));
}

int faa_jobs_find_error(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count,
			int error)
{
	bool waits = false;
	uint32_t i;
	int ret;

	switch (error) {
	case -ECANCELED:
		return job_dead(queue, error);
	case -ENOSPC:
		return faa_fail(error,
				"with %u jobs more, more than the queue's status_entries, %u, "
				"would be unfinished: wait for one",
				count, queue->status_entries);
	case -EINVAL:
	case -ENOENT:
		break;
	default:
		return error;
	}
	for (i = 0; i < count; i++) {
		ret = job_find_sync_error(queue, jobs, i);
		if (ret)
			return ret;
		waits = waits || job_waits(&jobs[i]);
	}
	if (waits && error == -EINVAL)
		return 0;
	return faa_fail_kernel(error, "SUBMIT");
}
