/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_TIMELINE_H__
#define __FAA_TIMELINE_H__

#include <linux/dma-fence.h>
#include <linux/kref.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct drm_device;

/**
 * struct faa_timeline - the order of the fences of a queue, or of a VM's binds
 */
struct faa_timeline {
	/** @refcount: references: the queue or VM, and each fence. */
	struct kref refcount;
	/** @release_work: frees it; fences end where that is not allowed. */
	struct work_struct release_work;
	/** @drm: the device. Holds a reference, and one to the module. */
	struct drm_device *drm;
	/** @name: for sync files, without end. */
	const char *name;
	/** @context: of the fences. */
	u64 context;
	/** @seqno: of the last fence; the queue or VM serialises. */
	u64 seqno;
};

/**
 * struct faa_timeline_fence - a fence that others may keep
 */
struct faa_timeline_fence {
	/** @base: base. */
	struct dma_fence base;
	/** @lock: of @base. Its own, because the fence may outlive the queue or VM. */
	spinlock_t lock;
	/** @timeline: its timeline. Holds a reference once @base is initialised. */
	struct faa_timeline *timeline;
	/** @callback: of the scheduler's fence that it follows. */
	struct dma_fence_cb callback;
};

struct faa_timeline *faa_timeline_create(struct drm_device *drm, const char *name);
void faa_timeline_put(struct faa_timeline *timeline);
void faa_timeline_flush(void);
void faa_timeline_queue_release(struct work_struct *work);

struct faa_timeline_fence *faa_timeline_fence_alloc(void);
void faa_timeline_fence_init(struct faa_timeline_fence *fence, struct faa_timeline *timeline);
void faa_timeline_fence_follow(struct faa_timeline_fence *fence, struct dma_fence *finished);

int faa_timeline_module_init(void);
void faa_timeline_module_exit(void);

#endif
