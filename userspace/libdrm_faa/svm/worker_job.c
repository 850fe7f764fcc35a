// SPDX-License-Identifier: MIT
#include "worker_job.h"
#include "error.h"
#include "sync.h"

#include <errno.h>
#include <stdlib.h>

static struct faa_device *worker_job_device_of(const struct faa_queue *queue)
{
	return queue->vm->device;
}

/*
 * A job of a group that touches unmapped memory stops the others. To resume, each of them would
 * have to be in its own slot again. So only jobs of one stream run in parts.
 */
static int worker_job_check_flags(const struct faa_job *job)
{
	if (job->flags & FAA_JOB_TOGETHER)
		return faa_fail(-EOPNOTSUPP, "a VM that shares the process has no groups of jobs");
	return 0;
}

static int worker_job_allocate(const struct faa_job *job, struct faa_worker_job **out)
{
	struct faa_worker_job *made = calloc(1, sizeof(*made));

	if (!made)
		return faa_fail_memory("a job");
	*out = made;
	made->syncs = calloc((size_t)job->sync_count + 1, sizeof(*made->syncs));
	made->signals = calloc((size_t)job->sync_count + 1, sizeof(struct faa_promise *));
	made->waits = calloc((size_t)job->sync_count + 1, sizeof(struct faa_promise *));
	return made->syncs && made->signals && made->waits ? 0 : faa_fail_memory("a job");
}

/*
 * Keeps the fence that @sync has now in a syncobj of the library, since the caller may replace it
 * afterwards. -EINVAL, without a sentence: there is no fence.
 */
static int worker_job_capture(struct faa_queue *queue, struct faa_worker_job *job,
			      const struct faa_sync *sync)
{
	struct faa_backend *backend = worker_job_device_of(queue)->backend;
	uint32_t own;
	int ret;

	ret = faa_syncobj_create(worker_job_device_of(queue), false, &own);
	if (ret)
		return ret;
	ret = backend->ops->syncobj_transfer(backend, own, 0, sync->handle, sync->point);
	if (ret)
		backend->ops->syncobj_destroy(backend, own);
	if (ret == -ENOENT)
		return faa_fail(ret, "a wait for syncobj %u: there is none", sync->handle);
	if (ret)
		return ret == -EINVAL ? ret : faa_fail_kernel(ret, "a wait of a job");
	job->syncs[job->sync_count++] = (struct drm_faa_sync){ .handle = own };
	return ret;
}

/*
 * The promise that @sync waits for among those of earlier jobs of the same call: the last of a
 * binary syncobj, the first of a timeline.
 */
static struct faa_promise *worker_job_find_earlier(const struct faa_worker_job *earlier,
						   const struct faa_sync *sync)
{
	struct faa_promise *found = NULL;
	uint32_t i;

	for (; earlier; earlier = earlier->next)
		for (i = 0; i < earlier->signal_count; i++) {
			if (!faa_promise_matches(earlier->signals[i], sync))
				continue;
			found = earlier->signals[i];
			if (!sync->point)
				return found;
		}
	return found;
}

/* @index is the number of the sync, for the sentence. */
static int worker_job_add_wait(struct faa_queue *queue, struct faa_worker_job *job,
			       const struct faa_worker_job *earlier, const struct faa_sync *sync,
			       uint32_t index)
{
	struct faa_promise *promise = sync->point ? NULL : worker_job_find_earlier(earlier, sync);
	int ret = -EINVAL;

	if (promise)
		faa_promise_ref(promise);
	else
		ret = worker_job_capture(queue, job, sync);
	if (ret != -EINVAL)
		return ret;
	if (!promise)
		promise = faa_promise_find(worker_job_device_of(queue), sync);
	if (!promise) {
		promise = worker_job_find_earlier(earlier, sync);
		if (!promise)
			return faa_sync_too_early(sync, index);
		faa_promise_ref(promise);
	}
	job->waits[job->wait_count++] = promise;
	return 0;
}

static int worker_job_add_signal(struct faa_queue *queue, struct faa_worker_job *job,
				 const struct faa_sync *sync)
{
	struct faa_promise *promise;
	int ret = faa_promise_prepare(worker_job_device_of(queue), sync, job->fence, &promise);

	if (!ret)
		job->signals[job->signal_count++] = promise;
	return ret;
}

static int worker_job_fill(struct faa_queue *queue, struct faa_worker_job *made,
			   const struct faa_job *job, const struct faa_worker_job *earlier)
{
	struct faa_sync own = { FAA_SYNC_TIMELINE | FAA_SYNC_SIGNAL, queue->syncobj, made->seqno };
	uint32_t i;
	int ret;

	ret = faa_fence_create(worker_job_device_of(queue), &made->fence);
	if (ret)
		return ret;
	made->syncs[made->sync_count++] = (struct drm_faa_sync){ .flags = DRM_FAA_SYNC_SIGNAL,
								 .handle = made->fence->syncobj };
	for (i = 0; i < job->sync_count && !ret; i++)
		ret = job->syncs[i].flags & FAA_SYNC_SIGNAL ?
			      worker_job_add_signal(queue, made, &job->syncs[i]) :
			      worker_job_add_wait(queue, made, earlier, &job->syncs[i], i);
	return ret ? ret : worker_job_add_signal(queue, made, &own);
}

int faa_worker_job_create(struct faa_queue *queue, const struct faa_job *job, uint64_t seqno,
			  const struct faa_worker_job *earlier, struct faa_worker_job **out)
{
	struct faa_worker_job *made = NULL;
	int ret;

	ret = worker_job_check_flags(job);
	if (ret)
		return ret;
	ret = worker_job_allocate(job, &made);
	if (!ret) {
		made->seqno = seqno;
		made->stream_va = job->stream_va;
		made->stream_bytes = job->stream_bytes;
		made->first_element = job->first_element;
		ret = worker_job_fill(queue, made, job, earlier);
	}
	if (ret)
		faa_worker_job_destroy(queue, made);
	else
		*out = made;
	return ret;
}

void faa_worker_job_destroy(struct faa_queue *queue, struct faa_worker_job *job)
{
	struct faa_backend *backend = worker_job_device_of(queue)->backend;
	uint32_t i;

	if (!job)
		return;
	for (i = 0; i < job->wait_count; i++)
		faa_promise_unref(worker_job_device_of(queue), job->waits[i]);
	for (i = 0; i < job->signal_count; i++)
		faa_promise_unref(worker_job_device_of(queue), job->signals[i]);
	for (i = 1; i < job->sync_count; i++)
		backend->ops->syncobj_destroy(backend, job->syncs[i].handle);
	faa_fence_unref(worker_job_device_of(queue), job->fence);
	free(job->waits);
	free(job->signals);
	free(job->syncs);
	free(job);
}
