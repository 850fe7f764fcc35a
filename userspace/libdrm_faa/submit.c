// SPDX-License-Identifier: MIT
/* Submitting jobs, waiting for them, and reading their results. */
#include "queue.h"
#include "error.h"
#include "job.h"
#include "structure.h"
#include "svm/worker.h"

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

/* Makes room for @jobs jobs with @syncs sync operations in all; queue lock held. */
static int submit_reserve(struct faa_queue *queue, uint32_t jobs, size_t syncs)
{
	void *grown;

	if (jobs > queue->job_capacity) {
		grown = realloc(queue->jobs, jobs * sizeof(*queue->jobs));
		if (!grown)
			return faa_fail_memory("the jobs of a submission");
		queue->jobs = grown;
		queue->job_capacity = jobs;
	}
	if (syncs > queue->sync_capacity) {
		grown = realloc(queue->syncs, syncs * sizeof(*queue->syncs));
		if (!grown)
			return faa_fail_memory("the jobs of a submission");
		queue->syncs = grown;
		queue->sync_capacity = syncs;
	}
	return 0;
}

/*
 * Fills the kernel's job: the caller's syncs, then the queue's own point. Returns the syncs used.
 */
static size_t submit_fill_job(struct faa_queue *queue, const struct faa_job *job, uint64_t seqno,
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
	ret = submit_reserve(queue, count, syncs);
	if (ret)
		return ret;
	for (i = 0, syncs = 0; i < count; i++)
		syncs += submit_fill_job(queue, &jobs[i], queue->submitted + 1 + i, &queue->jobs[i],
					 queue->syncs + syncs);
	args.jobs.stride = sizeof(*queue->jobs);
	args.jobs.count = count;
	args.jobs.array = (uintptr_t)queue->jobs;
	ret = faa_device_ioctl(queue->vm->device, DRM_IOCTL_FAA_SUBMIT, &args);
	if (ret) {
		int reason = faa_jobs_find_error(queue, jobs, count, ret);

		if (reason)
			return reason;
		/* The missing promise was made after the kernel had checked: try once more. */
		ret = faa_device_ioctl(queue->vm->device, DRM_IOCTL_FAA_SUBMIT, &args);
	}
	if (!ret)
		queue->submitted = args.first_seqno + count - 1;
	return ret;
}

static int submit_jobs(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count,
		       uint64_t *first_seqno)
{
	int ret = faa_jobs_check(queue, jobs, count);

	if (ret)
		return ret;
	if (queue->worker)
		return faa_worker_submit(queue, jobs, count, first_seqno);
	pthread_mutex_lock(&queue->lock);
	ret = submit_locked(queue, jobs, count);
	if (!ret && first_seqno)
		*first_seqno = queue->submitted - count + 1;
	pthread_mutex_unlock(&queue->lock);
	return ret;
}

int faa_queue_submit_sized(struct faa_queue *queue, const struct faa_job *given, size_t job_size,
			   uint32_t count, uint64_t *first_seqno)
{
	const void *jobs;
	void *made;
	int ret;

	if (first_seqno)
		*first_seqno = 0;
	ret = faa_device_check(queue->vm->device);
	if (!ret)
		ret = faa_jobs_check_count(queue, count);
	if (!ret)
		ret = faa_array_read(&jobs, &made, sizeof(*given), given, job_size, count,
				     "faa_job");
	if (ret)
		return ret;
	ret = submit_jobs(queue, jobs, count, first_seqno);
	free(made);
	return ret;
}

int faa_queue_unknown_job(uint64_t seqno, uint64_t submitted)
{
	return faa_fail(-EINVAL, "the queue has no job %llu: the last one submitted is %llu",
			(unsigned long long)seqno, (unsigned long long)submitted);
}

int faa_queue_too_late(uint64_t seqno)
{
	return faa_fail(-ETIME, "job %llu had not ended at the deadline",
			(unsigned long long)seqno);
}

static int submit_check_submitted(struct faa_queue *queue, uint64_t seqno)
{
	uint64_t submitted;

	pthread_mutex_lock(&queue->lock);
	submitted = queue->submitted;
	pthread_mutex_unlock(&queue->lock);
	return seqno && seqno <= submitted ? 0 : faa_queue_unknown_job(seqno, submitted);
}

bool faa_queue_read_slot(const struct faa_queue *queue, uint64_t seqno, struct faa_job_status *out)
{
	const volatile struct drm_faa_status *slot =
		&queue->status_ring[seqno % queue->status_entries];

	out->seqno = le64toh(slot->seqno);
	atomic_thread_fence(memory_order_acquire);
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
	/* If the slot was written during the copy, its number differs now. */
	atomic_thread_fence(memory_order_acquire);
	return out->seqno == seqno && le64toh(slot->seqno) == seqno;
}

/* The ring stays mapped when the device is lost: its record shows that a job has ended. */
static int submit_wait_in_kernel(struct faa_queue *queue, uint64_t seqno, int64_t deadline)
{
	struct faa_backend *backend = queue->vm->device->backend;
	struct faa_job_status status;
	int ret;

	ret = backend->ops->syncobj_wait(backend, &queue->syncobj, &seqno, 1, true, deadline);
	if (ret == -ETIME)
		return faa_queue_too_late(seqno);
	if (ret == -ENODEV && faa_queue_read_slot(queue, seqno, &status))
		return 0;
	return faa_fail_kernel(ret, "waiting for a job");
}

int faa_queue_wait(struct faa_queue *queue, uint64_t seqno, int64_t deadline)
{
	int ret = faa_device_check(queue->vm->device);

	if (ret)
		return ret;
	if (queue->worker)
		return faa_worker_wait(queue, seqno, deadline);
	ret = submit_check_submitted(queue, seqno);
	return ret ? ret : submit_wait_in_kernel(queue, seqno, deadline);
}

/* The status of a job without a record: its code is never that of a success. */
static struct faa_job_status submit_no_status(uint64_t seqno, uint32_t code)
{
	return (struct faa_job_status){ .seqno = seqno, .code = code };
}

/*
 * Reads the status of a job after a wait that returned @waited. Returns the errno of wait or
 * record.
 */
static int submit_read_status(struct faa_queue *queue, uint64_t seqno, int waited,
			      struct faa_job_status *status)
{
	int ret = 0;

	if (waited == -ENODEV) {
		*status = submit_no_status(seqno, FAA_ERROR_DEVICE_LOST);
		return faa_fail_status(status);
	}
	if (waited) {
		*status = submit_no_status(seqno, FAA_JOB_UNFINISHED);
		return waited;
	}
	if (queue->worker)
		ret = faa_worker_status(queue, seqno, status);
	else if (!faa_queue_read_slot(queue, seqno, status))
		ret = -ENODATA;
	if (!ret)
		return 0;
	*status = submit_no_status(seqno, FAA_JOB_OVERWRITTEN);
	return faa_fail_status(status);
}

static int submit_status(struct faa_queue *queue, uint64_t seqno, struct faa_job_status *status)
{
	int ret = faa_queue_wait(queue, seqno, 0);

	if (ret == -EINVAL || ret == -EPERM)
		return ret;
	ret = submit_read_status(queue, seqno, ret, status);
	return ret == -ETIME ? faa_fail_status(status) : ret;
}

int faa_queue_status_sized(struct faa_queue *queue, uint64_t seqno, struct faa_job_status *status,
			   size_t status_size)
{
	struct faa_job_status own = submit_no_status(0, FAA_JOB_NOT_SUBMITTED);
	int ret = submit_status(queue, seqno, &own);

	faa_struct_write(status, status_size, &own, sizeof(own));
	return ret;
}

/* As submit_read_status(), then the errno of the job. */
static int submit_take_status(struct faa_queue *queue, uint64_t seqno, int waited,
			      struct faa_job_status *status)
{
	int ret = submit_read_status(queue, seqno, waited, status);

	return ret ? ret : faa_fail_status(status);
}

int faa_queue_run_sized(struct faa_queue *queue, const struct faa_job *job, size_t job_size,
			int64_t deadline, struct faa_job_status *status, size_t status_size)
{
	struct faa_job_status own = submit_no_status(0, FAA_JOB_NOT_SUBMITTED);
	uint64_t seqno;
	int ret = faa_queue_submit_sized(queue, job, job_size, 1, &seqno);

	if (!ret) {
		ret = faa_queue_wait(queue, seqno, deadline);
		ret = submit_take_status(queue, seqno, ret, &own);
	}
	if (status)
		faa_struct_write(status, status_size, &own, sizeof(own));
	return ret;
}

/* The most specific status of a group: of a job that failed on its own, else of a stopped one. */
static const struct faa_job_status *submit_group_status(const struct faa_job_status *statuses,
							uint32_t count)
{
	const struct faa_job_status *stopped = &statuses[0];
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (statuses[i].code && statuses[i].code != FAA_ERROR_STOPPED)
			return &statuses[i];
		if (statuses[i].code)
			stopped = &statuses[i];
	}
	return stopped;
}

/* Waits for the group that begins with job @first, and reads its statuses. */
static int submit_wait_group(struct faa_queue *queue, uint64_t first, uint32_t count,
			     int64_t deadline, struct faa_job_status *statuses)
{
	int ret = faa_queue_wait(queue, first + count - 1, deadline);
	uint32_t i;

	for (i = 0; i < count; i++)
		submit_take_status(queue, first + i, ret, &statuses[i]);
	if (ret && ret != -ENODEV)
		return ret;
	return faa_fail_status(submit_group_status(statuses, count));
}

static int submit_check_group(const struct faa_queue *queue, uint32_t count)
{
	uint32_t slots = queue->vm->device->info.warp_slots;

	if (slots > FAA_MAX_SLOTS)
		slots = FAA_MAX_SLOTS;
	if (count >= 1 && count <= slots)
		return 0;
	return faa_fail(-EINVAL, "a group of %u jobs: allowed are 1..%u", count, slots);
}

/* Copies the jobs of a group and chains them. */
static int submit_read_group(struct faa_job *group, const struct faa_job *jobs, size_t job_size,
			     uint32_t count)
{
	uint32_t i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = faa_struct_read(&group[i], sizeof(group[i]),
				      (const char *)jobs + i * job_size, job_size, "faa_job");
		if (ret)
			return ret;
		group[i].flags &= ~(uint32_t)FAA_JOB_TOGETHER;
		if (i + 1 < count)
			group[i].flags |= FAA_JOB_TOGETHER;
	}
	return 0;
}

int faa_queue_run_group_sized(struct faa_queue *queue, const struct faa_job *jobs, size_t job_size,
			      uint32_t count, int64_t deadline, struct faa_job_status *statuses,
			      size_t status_size)
{
	const struct faa_job_status none = submit_no_status(0, FAA_JOB_NOT_SUBMITTED);
	struct faa_job_status own[FAA_MAX_SLOTS];
	struct faa_job group[FAA_MAX_SLOTS];
	uint64_t first = 0;
	bool ran = false;
	uint32_t i;
	int ret = submit_check_group(queue, count);

	if (!ret)
		ret = submit_read_group(group, jobs, job_size, count);
	if (!ret)
		ret = faa_queue_submit(queue, group, count, &first);
	if (!ret) {
		ran = true;
		ret = submit_wait_group(queue, first, count, deadline, own);
	}
	for (i = 0; statuses && i < count; i++)
		faa_struct_write((char *)statuses + i * status_size, status_size,
				 ran ? &own[i] : &none, sizeof(none));
	return ret;
}
