/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_USAGE_H__
#define __FAA_USAGE_H__

#include <linux/ktime.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "faa_clock.h"

struct faa_device;
struct faa_fence;
struct faa_queue;
struct faa_status;

/**
 * struct faa_usage - who had the compute units, of a device
 */
struct faa_usage {
	/** @lock: protects the struct; taken with the lock of a queue. */
	spinlock_t lock;
	/** @clock: the device's clock. */
	struct faa_clock clock;
	/** @before: cycles of the device before its last reset. */
	u64 before;
	/** @busy: queues that have a job for the device to run. */
	unsigned int busy;
};

/**
 * struct faa_usage_time - time on a compute unit
 */
struct faa_usage_time {
	/** @ns: nanoseconds. */
	u64 ns;
	/** @cycles: clock cycles of the device. */
	u64 cycles;
};

void faa_usage_init(struct faa_device *faa);
void faa_usage_restart(struct faa_device *faa);
u64 faa_usage_cycles_before(struct faa_device *faa);
u64 faa_usage_total_cycles(struct faa_device *faa);
void faa_usage_update(struct faa_queue *queue);
void faa_usage_mark(struct faa_device *faa, u64 cycle, ktime_t now);
u64 faa_usage_ns(struct faa_device *faa, u64 cycle);
struct faa_usage_time faa_usage_job(struct faa_queue *queue, const struct faa_fence *fence,
				    const struct faa_status *status);
bool faa_usage_others(struct faa_queue *queue);
struct faa_usage_time faa_usage_running(struct faa_queue *queue);

#endif
