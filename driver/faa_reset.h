/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_RESET_H__
#define __FAA_RESET_H__

#include <drm/gpu_scheduler.h>

#include "faa_queue.h"

struct faa_device;

/*
 * Job limits that a job waits for a compute unit, or a queue for a hardware queue, before higher
 * priorities are held back. More than it takes when all hardware queues take their turns first.
 */
#define FAA_WAIT_LIMITS 16

int faa_reset_init(struct faa_device *faa);
void faa_reset_unplug(struct faa_device *faa);
void faa_queue_stop(struct faa_queue *queue, enum faa_stop_reason reason);
void faa_queue_mark_dead(struct faa_queue *queue, enum faa_stop_reason reason);
bool faa_watch_is_stuck(struct faa_watch *watch, ktime_t now, u64 cycle, u32 timeout_ms,
			u64 cycles);
enum drm_gpu_sched_stat faa_reset_timedout_job(struct drm_sched_job *base);

#endif
