// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Syncobjs
 *
 * Sync operations of SUBMIT and VM_BIND. They are checked, syncobjs to signal looked
 * up and links of timelines allocated before the point of no return; after it
 * fences are published, which cannot fail.
 */

#include <linux/dma-fence-chain.h>
#include <linux/slab.h>

#include <drm/drm_syncobj.h>
#include <drm/faa_drm.h>

#include <kunit/visibility.h>

#include "faa_refuse.h"
#include "faa_sync.h"

#define FAA_SYNC_FLAGS (DRM_FAA_SYNC_TIMELINE | DRM_FAA_SYNC_SIGNAL)

/**
 * faa_sync_check() - check a sync operation
 * @sync: sync operation of a job or VM_BIND
 * @ioctl: its name, for messages
 *
 * Return: 0 or -EINVAL.
 */
int faa_sync_check(const struct drm_faa_sync *sync, const char *ioctl)
{
	if (sync->flags & ~FAA_SYNC_FLAGS)
		return faa_refuse(NULL, -EINVAL, "%s: sync.flags 0x%x, allowed are 0x%x", ioctl,
				  sync->flags, FAA_SYNC_FLAGS);

	/* A timeline has no point 0, a binary syncobj no other. */
	if (!sync->point != !(sync->flags & DRM_FAA_SYNC_TIMELINE))
		return faa_refuse(NULL, -EINVAL, "%s: sync.point %llu, %s", ioctl, sync->point,
				  sync->point ? "0 is that of a binary syncobj" :
						"a timeline has none of 0");

	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(faa_sync_check);

/**
 * faa_sync_find() - look up the fence that a sync operation waits for
 * @file: whose handles
 * @sync: sync operation, checked, without DRM_FAA_SYNC_SIGNAL
 * @fence: out: the fence, with a reference
 * @ioctl: its name, for messages
 *
 * Return: 0, -ENOENT, -EINVAL if no submission has promised to signal the point.
 */
int faa_sync_find(struct drm_file *file, const struct drm_faa_sync *sync,
		  struct dma_fence **fence, const char *ioctl)
{
	int ret = drm_syncobj_find_fence(file, sync->handle, sync->point, 0, fence);

	if (ret)
		faa_refuse(NULL, ret, "%s: sync.handle %u, point %llu to wait for, %s", ioctl,
			   sync->handle, sync->point,
			   ret == -ENOENT ? "the file has no such syncobj" :
					    "no fence is there yet");

	return ret;
}

static void sync_signal_free(struct faa_signal *signal)
{
	drm_syncobj_put(signal->syncobj);
	dma_fence_chain_free(signal->chain);
	kfree(signal);
}

/**
 * faa_sync_init_signals() - begin with no syncobj to signal
 * @signals: what a call signals
 */
void faa_sync_init_signals(struct faa_signals *signals)
{
	INIT_LIST_HEAD(&signals->list);
	hash_init(signals->by_point);
}

static u64 sync_key(u32 handle, u64 point)
{
	return (u64)handle << 32 ^ point;
}

/* The first signal of a point by the call, NULL if there is none. */
static struct faa_signal *sync_find(struct faa_signals *signals, u32 handle, u64 point)
{
	struct faa_signal *signal;

	hash_for_each_possible(signals->by_point, signal, hash, sync_key(handle, point)) {
		if (signal->handle == handle && signal->point == point)
			return signal;
	}

	return NULL;
}

/**
 * faa_sync_add_signal() - prepare to signal a syncobj
 * @file: whose handles
 * @signals: what the call signals, of this job and earlier ones
 * @job: number of the job
 * @sync: sync operation, checked, with DRM_FAA_SYNC_SIGNAL
 *
 * Return: 0, -ENOENT, -ENOMEM.
 */
int faa_sync_add_signal(struct drm_file *file, struct faa_signals *signals, u32 job,
			const struct drm_faa_sync *sync)
{
	struct faa_signal *signal = kzalloc(sizeof(*signal), GFP_KERNEL_ACCOUNT);

	if (!signal)
		return -ENOMEM;

	signal->handle = sync->handle;
	signal->point = sync->point;
	signal->job = job;
	signal->syncobj = drm_syncobj_find(file, sync->handle);
	if (!signal->syncobj) {
		kfree(signal);
		return faa_refuse(NULL, -ENOENT,
				  "sync.handle %u to signal, the file has no such syncobj",
				  sync->handle);
	}

	if (sync->point) {
		/* As dma_fence_chain_alloc(), but charged. */
		signal->chain = kmalloc(sizeof(*signal->chain), GFP_KERNEL_ACCOUNT);
		if (!signal->chain) {
			sync_signal_free(signal);
			return -ENOMEM;
		}
	}
	if (!sync_find(signals, signal->handle, signal->point))
		hash_add(signals->by_point, &signal->hash,
			 sync_key(signal->handle, signal->point));
	list_add_tail(&signal->node, &signals->list);

	return 0;
}

/**
 * faa_sync_signalled_before() - does an earlier job signal what a job waits for?
 * @signals: what the jobs of the call signal, each in the order of the jobs
 * @job: number of the job
 * @sync: its wait
 *
 * Return: true if the order of the jobs makes the wait superfluous.
 */
bool faa_sync_signalled_before(struct faa_signals *signals, u32 job,
			       const struct drm_faa_sync *sync)
{
	struct faa_signal *signal = sync_find(signals, sync->handle, sync->point);

	return signal && signal->job < job;
}

/**
 * faa_sync_publish() - let the syncobjs have their fences
 * @signals: what the call signals
 * @fences: fence of each job
 *
 * Does not allocate. The core walks the whole timeline for each point, so this may take a
 * while: not with a lock that a notifier, or a fence, waits for.
 */
void faa_sync_publish(struct faa_signals *signals, struct dma_fence *const *fences)
{
	struct faa_signal *signal;

	list_for_each_entry(signal, &signals->list, node) {
		struct dma_fence *fence = fences[signal->job];

		if (signal->chain) {
			drm_syncobj_add_point(signal->syncobj, signal->chain, fence,
					      signal->point);
			signal->chain = NULL;
		} else {
			drm_syncobj_replace_fence(signal->syncobj, fence);
		}
		cond_resched();
	}
}

/**
 * faa_sync_free_signals() - free what a call has to signal
 * @signals: what it signals, published or not
 */
void faa_sync_free_signals(struct faa_signals *signals)
{
	struct faa_signal *signal, *next;

	list_for_each_entry_safe(signal, next, &signals->list, node)
		sync_signal_free(signal);
	faa_sync_init_signals(signals);
}
