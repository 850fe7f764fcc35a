// SPDX-License-Identifier: MIT
#include "promise.h"
#include "device.h"
#include "error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct faa_promise {
	unsigned int refs;
	struct faa_target *target;
	/* The next one of the target. */
	struct faa_promise *next;
	/* 0: the syncobj is a binary one. */
	uint64_t point;
	struct faa_fence *fence;
	bool job_ended;
	/* In the target's list. */
	bool open;
	bool kept;
};

/*
 * A syncobj of the program, by a handle of the library: the program may drop its own handle at any
 * time.
 */
struct faa_target {
	struct faa_target *next;
	/* Promises that refer to it. */
	unsigned int refs;
	/* The program's handle, 0 once it was dropped. */
	uint32_t name;
	uint32_t handle;
	struct faa_promise *first;
	struct faa_promise *last;
};

int faa_promises_init(struct faa_promises *promises)
{
	int ret = -pthread_mutex_init(&promises->lock, NULL);

	if (ret)
		return ret;
	ret = -pthread_cond_init(&promises->kept, NULL);
	if (ret)
		pthread_mutex_destroy(&promises->lock);
	return ret;
}

void faa_promises_fini(struct faa_promises *promises)
{
	pthread_cond_destroy(&promises->kept);
	pthread_mutex_destroy(&promises->lock);
}

int faa_fence_create(struct faa_device *device, struct faa_fence **out)
{
	struct faa_fence *fence = calloc(1, sizeof(*fence));
	int ret;

	*out = NULL;
	if (!fence)
		return faa_fail_memory("the fence of a job");
	atomic_init(&fence->refs, 1);
	ret = faa_syncobj_create(device, false, &fence->syncobj);
	if (ret)
		free(fence);
	else
		*out = fence;
	return ret;
}

void faa_fence_unref(struct faa_device *device, struct faa_fence *fence)
{
	if (!fence || !faa_unref(&fence->refs))
		return;
	device->backend->ops->syncobj_destroy(device->backend, fence->syncobj);
	free(fence);
}

static struct faa_target *promise_find_target(struct faa_device *device, uint32_t name)
{
	struct faa_target *target;

	for (target = device->promises.targets; target && target->name != name;)
		target = target->next;
	return target;
}

static int promise_get_target(struct faa_device *device, uint32_t name, struct faa_target **out)
{
	struct faa_backend *backend = device->backend;
	struct faa_target *target = name ? promise_find_target(device, name) : NULL;
	int ret;

	if (!target) {
		target = calloc(1, sizeof(*target));
		if (!target)
			return faa_fail_memory("the signal of a job");
		ret = backend->ops->syncobj_dup(backend, name, &target->handle);
		if (ret) {
			free(target);
			return faa_fail(ret, "a signal of syncobj %u: %s", name, strerror(-ret));
		}
		target->name = name;
		target->next = device->promises.targets;
		device->promises.targets = target;
	}
	target->refs++;
	*out = target;
	return 0;
}

static void promise_put_target(struct faa_device *device, struct faa_target *target)
{
	struct faa_target **link = &device->promises.targets;

	if (--target->refs)
		return;
	while (*link != target)
		link = &(*link)->next;
	*link = target->next;
	device->backend->ops->syncobj_destroy(device->backend, target->handle);
	free(target);
}

int faa_promise_prepare(struct faa_device *device, const struct faa_sync *sync,
			struct faa_fence *fence, struct faa_promise **out)
{
	struct faa_promise *promise = calloc(1, sizeof(*promise));
	int ret;

	*out = NULL;
	if (!promise)
		return faa_fail_memory("the signal of a job");
	ret = promise_get_target(device, sync->handle, &promise->target);
	if (ret) {
		free(promise);
		return ret;
	}
	faa_ref(&fence->refs);
	promise->refs = 1;
	promise->fence = fence;
	promise->point = sync->point;
	*out = promise;
	return 0;
}

struct faa_promise *faa_promise_ref(struct faa_promise *promise)
{
	promise->refs++;
	return promise;
}

void faa_promise_unref(struct faa_device *device, struct faa_promise *promise)
{
	if (!promise || --promise->refs)
		return;
	promise_put_target(device, promise->target);
	faa_fence_unref(device, promise->fence);
	free(promise);
}

bool faa_promise_matches(const struct faa_promise *promise, const struct faa_sync *wait)
{
	bool timeline = wait->flags & FAA_SYNC_TIMELINE;

	if (promise->target->name != wait->handle || !wait->handle)
		return false;
	return timeline ? promise->point >= wait->point : !promise->point;
}

struct faa_promise *faa_promise_find(struct faa_device *device, const struct faa_sync *wait)
{
	struct faa_target *target = wait->handle ? promise_find_target(device, wait->handle) : NULL;
	struct faa_promise *promise;

	for (promise = target ? target->first : NULL; promise; promise = promise->next)
		if (faa_promise_matches(promise, wait))
			return faa_promise_ref(promise);
	return NULL;
}

/* Drops the list's reference. */
static void promise_pop(struct faa_device *device, struct faa_target *target)
{
	struct faa_promise *promise = target->first;

	target->first = promise->next;
	if (!target->first)
		target->last = NULL;
	promise->next = NULL;
	promise->open = false;
	faa_promise_unref(device, promise);
}

/*
 * A binary syncobj has one fence, its latest: a wait for an earlier one waits for that job alone.
 * So open promises of it are no longer signaled.
 */
static void promise_supersede(struct faa_device *device, struct faa_target *target)
{
	device->backend->ops->syncobj_reset(device->backend, target->handle);
	while (target->first)
		promise_pop(device, target);
}

void faa_promise_make(struct faa_device *device, struct faa_promise *promise)
{
	struct faa_target *target = promise->target;

	if (!promise->point)
		promise_supersede(device, target);
	if (target->last)
		target->last->next = promise;
	else
		target->first = promise;
	target->last = faa_promise_ref(promise);
	promise->open = true;
}

/*
 * Signals the fence of the job. A job that the kernel never had has no fence, and is signaled as by
 * the CPU.
 */
static void promise_signal_target(struct faa_device *device, struct faa_promise *promise)
{
	struct faa_backend *backend = device->backend;
	uint32_t handle = promise->target->handle;

	if (backend->ops->syncobj_transfer(backend, handle, promise->point, promise->fence->syncobj,
					   0))
		backend->ops->syncobj_signal(backend, handle, promise->point);
}

void faa_promise_keep(struct faa_device *device, struct faa_promise *promise)
{
	struct faa_target *target = promise->target;

	promise->job_ended = true;
	/* Superseded. */
	if (!promise->open)
		promise->kept = true;
	while (target->first && target->first->job_ended) {
		promise_signal_target(device, target->first);
		target->first->kept = true;
		promise_pop(device, target);
	}
	pthread_cond_broadcast(&device->promises.kept);
}

bool faa_promise_wait(struct faa_device *device, struct faa_promise *promise,
		      const atomic_bool *stop)
{
	while (!promise->kept && !atomic_load(stop))
		pthread_cond_wait(&device->promises.kept, &device->promises.lock);
	return promise->kept;
}

void faa_promises_forget(struct faa_device *device, uint32_t handle)
{
	struct faa_target *target;

	pthread_mutex_lock(&device->promises.lock);
	target = handle ? promise_find_target(device, handle) : NULL;
	if (target)
		target->name = 0;
	pthread_mutex_unlock(&device->promises.lock);
}
