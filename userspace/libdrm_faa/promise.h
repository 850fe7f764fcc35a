/* SPDX-License-Identifier: MIT */
/**
 * DOC: Signals that the library gives, not the kernel
 *
 * A job of a shared VM is several jobs of the kernel, and only the last of them shall signal what the caller named. So its syncobjs
 * get a fence when it has ended. Until then this is who knows that they will: a *promise* is one signal of one job, a *target* one
 * syncobj with the promises that are open, in the order in which they were made. Points of a timeline are given in that order, as
 * the kernel would: a point is never signaled before one that was promised earlier.
 *
 * One lock for a device, &faa_promises.lock, guards all of it; "lock held" below means this one.
 */
#ifndef FAA_PROMISE_H
#define FAA_PROMISE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct faa_device;
struct faa_sync;
struct faa_target;

/** struct faa_promises - the open promises of a device */
struct faa_promises {
	pthread_mutex_t lock;
	/* Signaled whenever a promise was kept, and when a waiter shall look at its stop flag. */
	pthread_cond_t kept;
	struct faa_target *targets;
};

/** struct faa_fence - a syncobj with the fence of a job's last part, for all its promises */
struct faa_fence {
	atomic_uint refs;
	uint32_t syncobj;
};

struct faa_promise;

/** faa_promises_init() - 0 or -errno. */
int faa_promises_init(struct faa_promises *promises);

/** faa_promises_fini() - nothing is open any more. */
void faa_promises_fini(struct faa_promises *promises);

/** faa_fence_create() - without a fence at first; 0, -ENOMEM or the kernel's error. */
int faa_fence_create(struct faa_device *device, struct faa_fence **fence);

/** faa_fence_unref() - drop a reference; NULL is allowed. */
void faa_fence_unref(struct faa_device *device, struct faa_fence *fence);

/**
 * faa_promise_prepare() - everything that can fail of a promise; lock held
 * @device: device
 * @sync: a signal
 * @fence: receives a reference
 * @promise: out: with one reference; to be made or dropped
 *
 * Return: 0; -ENOENT: no such syncobj; -ENOMEM; -EMFILE.
 */
int faa_promise_prepare(struct faa_device *device, const struct faa_sync *sync,
			struct faa_fence *fence, struct faa_promise **promise);

/** faa_promise_make() - open it: from now on the syncobj is not signaled before the promise is kept; lock held. */
void faa_promise_make(struct faa_device *device, struct faa_promise *promise);

/** faa_promise_matches() - whether it is for @sync, a wait, that it must be kept; lock held. */
bool faa_promise_matches(const struct faa_promise *promise, const struct faa_sync *wait);

/** faa_promise_find() - the open promise that @wait means, with a reference, or NULL; lock held. */
struct faa_promise *faa_promise_find(struct faa_device *device, const struct faa_sync *wait);

/** faa_promise_ref() - one reference more; lock held. Returns @promise. */
struct faa_promise *faa_promise_ref(struct faa_promise *promise);

/** faa_promise_unref() - drop a reference; lock held. NULL is allowed. */
void faa_promise_unref(struct faa_device *device, struct faa_promise *promise);

/** faa_promise_keep() - the job has ended: signal, as soon as earlier promises of the timeline are kept; lock held. */
void faa_promise_keep(struct faa_device *device, struct faa_promise *promise);

/** faa_promise_wait() - until it is kept, or *@stop; lock held. False: stopped. */
bool faa_promise_wait(struct faa_device *device, struct faa_promise *promise,
		      const atomic_bool *stop);

/** faa_promises_forget() - the program has dropped @handle, and may get the number again for another syncobj. */
void faa_promises_forget(struct faa_device *device, uint32_t handle);

#endif /* FAA_PROMISE_H */
