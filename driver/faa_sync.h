/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_SYNC_H__
#define __FAA_SYNC_H__

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/types.h>

struct dma_fence;
struct dma_fence_chain;
struct drm_faa_sync;
struct drm_file;
struct drm_syncobj;

/**
 * struct faa_signals - the syncobjs that a call signals
 */
struct faa_signals {
	/** @list: &faa_signal.node, in the order of the jobs. */
	struct list_head list;
	/** @by_point: &faa_signal.hash, by handle and point. */
	DECLARE_HASHTABLE(by_point, 6);
};

/**
 * struct faa_signal - a syncobj to signal
 */
struct faa_signal {
	/** @node: entry of &faa_signals.list. */
	struct list_head node;
	/** @hash: entry of &faa_signals.by_point; not if an earlier job signals the same. */
	struct hlist_node hash;
	/** @handle: of the syncobj. */
	u32 handle;
	/** @job: number of the job whose end signals it. */
	u32 job;
	/** @point: of the timeline, 0 = binary. */
	u64 point;
	/** @syncobj: holds a reference. */
	struct drm_syncobj *syncobj;
	/** @chain: link for the timeline; NULL for a binary one. */
	struct dma_fence_chain *chain;
};

int faa_sync_check(const struct drm_faa_sync *sync, const char *ioctl);
int faa_sync_find(struct drm_file *file, const struct drm_faa_sync *sync,
		  struct dma_fence **fence, const char *ioctl);
void faa_sync_init_signals(struct faa_signals *signals);
int faa_sync_add_signal(struct drm_file *file, struct faa_signals *signals, u32 job,
			const struct drm_faa_sync *sync);
bool faa_sync_signalled_before(struct faa_signals *signals, u32 job,
			       const struct drm_faa_sync *sync);
void faa_sync_publish(struct faa_signals *signals, struct dma_fence *const *fences);
void faa_sync_free_signals(struct faa_signals *signals);

#endif
