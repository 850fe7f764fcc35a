/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_REPORT_H__
#define __FAA_REPORT_H__

#include <linux/types.h>

#include "faa_hw.h"
#include "faa_queue.h"

/**
 * struct faa_report - the jobs of which the device ran one when its queue was stopped
 */
struct faa_report {
	/** @seqno: the first job of the group at the head of the ring, 0 = the ring was empty. */
	u64 seqno;
	/** @count: jobs of the group that had not ended. */
	u32 count;
	/** @how: how it was stopped. */
	enum faa_hw_stop how;
};

void faa_report_timeout(const struct faa_watch *watch, u32 timeout_ms, char *text, size_t size);
void faa_report_begin(struct faa_queue *queue, struct faa_report *report);
void faa_report_stop(struct faa_queue *queue, enum faa_stop_reason reason,
		     const struct faa_report *report);

#endif
