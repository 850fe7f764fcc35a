/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_COMPLETION_H__
#define __FAA_COMPLETION_H__

#include <linux/types.h>

struct faa_fence;
struct faa_job;
struct faa_queue;

struct faa_fence *faa_fence_alloc(void);
void faa_fence_init(struct faa_fence *fence, const struct faa_job *job);

bool faa_group_may_have_run(u64 group, u64 given, u64 timed_out);
void faa_queue_complete(struct faa_queue *queue);
void faa_queue_cancel(struct faa_queue *queue);

#endif
