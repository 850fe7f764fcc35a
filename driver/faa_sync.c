// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Syncobjs
 *
 * What SUBMIT and VM_BIND have in common: sync operations are checked, syncobjs
 * to signal looked up and links of timelines allocated before the point of no return;
 * after it fences are published, which cannot fail.
 */

#include <linux/dma-fence-chain.h>
#include <linux/slab.h>

#include <drm/drm_syncobj.h>

#include <kunit/visibility.h>

#include "faa_drm.h"
#include "faa_sync.h"

#define FAA_SYNC_FLAGS (DRM_FAA_SYNC_TIMELINE | DRM_FAA_SYNC_SIGNAL)

/**
 * faa_sync_check() - check a sync operation
 * @sync: sync operation of a job or VM_BIND
 *
 * Return: 0 or -EINVAL.
 */
int faa_sync_check(const struct drm_faa_sync *sync)
{
	if (sync->flags & ~FAA_SYNC_FLAGS)
		return -EINVAL;

	/* A timeline has no point 0, a binary syncobj no other. */
	return !sync->point == !(sync->flags & DRM_FAA_SYNC_TIMELINE) ? 0 : -EINVAL;
}
EXPORT_SYMBOL_IF_KUNIT(faa_sync_check);

static void signal_free(struct faa_signal *signal)
{
	drm_syncobj_put(signal->syncobj);
	dma_fence_chain_free(signal->chain);
	kfree(signal);
}

/**
 * faa_sync_add_signal() - prepare to signal a syncobj
 * @file: whose handles
 * @signals: list of &struct faa_signal to add to
 * @job: number of the job
 * @sync: sync operation, checked, with DRM_FAA_SYNC_SIGNAL
 *
 * Return: 0, -ENOENT, -ENOMEM.
 */
int faa_sync_add_signal(struct drm_file *file, struct list_head *signals, u32 job,
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
		return -ENOENT;
	}

	if (sync->point) {
		/* As dma_fence_chain_alloc(), but charged. */
		signal->chain = kmalloc(sizeof(*signal->chain), GFP_KERNEL_ACCOUNT);
		if (!signal->chain) {
			signal_free(signal);
			return -ENOMEM;
		}
	}
	list_add_tail(&signal->node, signals);

	return 0;
}

/**
 * faa_sync_signalled_before() - does an earlier job signal what a job waits for?
 * @signals: what the jobs of the call signal
 * @job: number of the job
 * @sync: its wait
 *
 * Return: true if the order of the jobs makes the wait superfluous.
 */
bool faa_sync_signalled_before(const struct list_head *signals, u32 job,
			       const struct drm_faa_sync *sync)
{
	struct faa_signal *signal;

	list_for_each_entry(signal, signals, node) {
		if (signal->job < job && signal->handle == sync->handle &&
		    signal->point == sync->point)
			return true;
	}

	return false;
}

/**
 * faa_sync_publish() - let the syncobjs have their fences
 * @signals: list of &struct faa_signal
 * @fences: fence of each job
 *
 * Does not allocate.
 */
void faa_sync_publish(struct list_head *signals, struct dma_fence *const *fences)
{
	struct faa_signal *signal;

	list_for_each_entry(signal, signals, node) {
		struct dma_fence *fence = fences[signal->job];

		if (signal->chain) {
			drm_syncobj_add_point(signal->syncobj, signal->chain, fence,
					      signal->point);
			signal->chain = NULL;
		} else {
			drm_syncobj_replace_fence(signal->syncobj, fence);
		}
	}
}

/**
 * faa_sync_free_signals() - free a list
 * @signals: list of &struct faa_signal, published or not
 */
void faa_sync_free_signals(struct list_head *signals)
{
	struct faa_signal *signal, *next;

	list_for_each_entry_safe(signal, next, signals, node)
		signal_free(signal);
	INIT_LIST_HEAD(signals);
}
