/* SPDX-License-Identifier: MIT */
/**
 * DOC: Signals that the library gives in place of the kernel
 *
 * A job of a shared VM is several jobs of the kernel, and only the last of them must signal the
 * caller's syncobjs. These get a fence when the job has ended. Until then this module records that
 * they will: a *promise* is one signal of one job; a *target* is one syncobj with its open
 * promises, in the order in which they were made. Points of a timeline are signaled in that order,
 * as the kernel does: never before a point that was promised earlier.
 *
 * The lock &faa_promises.lock of a device guards all of this; "lock held" below means this one.
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
	/* Signaled whenever a promise was kept, and when waiters must check their stop flag. */
	pthread_cond_t kept;
	struct faa_target *targets;
};

/** struct faa_fence - a syncobj with the fence of a job's last part, for all promises of the job */
struct faa_fence {
	atomic_uint refs;
	uint32_t syncobj;
};

struct faa_promise;

/** faa_promises_init() - 0 or -errno. */
int faa_promises_init(struct faa_promises *promises);

/** faa_promises_fini() - no promise is open any more. */
void faa_promises_fini(struct faa_promises *promises);

/** faa_fence_create() - create one, without a fence at first; 0, -ENOMEM or the kernel's error. */
int faa_fence_create(struct faa_device *device, struct faa_fence **fence);

/** faa_fence_unref() - drop a reference; NULL is allowed. */
void faa_fence_unref(struct faa_device *device, struct faa_fence *fence);

/**
 * faa_promise_prepare() - do all steps of a promise that can fail; lock held
 * @device: device
 * @sync: a signal
 * @fence: receives a reference
 * @promise: out: with one reference; to be made or dropped
 *
 * Return: 0; -ENOENT: no such syncobj; -ENOMEM; -EMFILE.
 */
int faa_promise_prepare(struct faa_device *device, const struct faa_sync *sync,
			struct faa_fence *fence, struct faa_promise **promise);

/**
 * faa_promise_make() - open it; lock held
 *
 * From now on the syncobj is not signaled before the promise is kept.
 */
void faa_promise_make(struct faa_device *device, struct faa_promise *promise);

/** faa_promise_matches() - whether a wait @wait needs it to be kept; lock held. */
bool faa_promise_matches(const struct faa_promise *promise, const struct faa_sync *wait);

/**
 * faa_promise_find() - the open promise that @wait waits for, with a reference, or NULL; lock held.
 */
struct faa_promise *faa_promise_find(struct faa_device *device, const struct faa_sync *wait);

/** faa_promise_ref() - take a reference; lock held. Returns @promise. */
struct faa_promise *faa_promise_ref(struct faa_promise *promise);

/** faa_promise_unref() - drop a reference; lock held. NULL is allowed. */
void faa_promise_unref(struct faa_device *device, struct faa_promise *promise);

/**
 * faa_promise_keep() - the job has ended; lock held
 *
 * Signals as soon as earlier promises of the timeline are kept.
 */
void faa_promise_keep(struct faa_device *device, struct faa_promise *promise);

/** faa_promise_wait() - wait until it is kept, or *@stop; lock held. False: stopped. */
bool faa_promise_wait(struct faa_device *device, struct faa_promise *promise,
		      const atomic_bool *stop);

/**
 * faa_promises_forget() - the program has dropped @handle, whose number another syncobj may get.
 */
void faa_promises_forget(struct faa_device *device, uint32_t handle);

#endif /* FAA_PROMISE_H */
