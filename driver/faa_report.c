// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: The line in the kernel log
 *
 * A queue that is stopped against the will of its owner leaves one line: which process made
 * it, why it was stopped, and where each stream of the group that ran was, from the status
 * records. A queue that its owner destroys leaves none, nor does one whose device is lost:
 * for the latter there is a line about the device.
 *
 * Called in the fence signalling path: nothing here allocates or waits.
 */

#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/ratelimit.h>
#include <linux/sched.h>

#include <drm/drm_print.h>

#include <kunit/visibility.h>

#include "faa_completion.h"
#include "faa_device.h"
#include "faa_queue.h"
#include "faa_report.h"
#include "faa_status.h"

/* "; job 18446744073709551615 at command 0x12345678, element 4294967295" for each slot. */
#define FAA_REPORT_JOB_CHARS	72

/**
 * faa_report_begin() - note what a queue runs before it is stopped
 * @queue: the queue
 * @report: out: the jobs
 */
void faa_report_begin(struct faa_queue *queue, struct faa_report *report)
{
	struct faa_fence *fence;

	*report = (struct faa_report){ .how = FAA_HW_STOP_KILLED };
	spin_lock(&queue->lock);
	list_for_each_entry(fence, &queue->inflight, node) {
		if (!faa_queue_heads(queue, fence))
			break;
		if (!report->count++)
			report->seqno = fence->seqno;
	}
	spin_unlock(&queue->lock);
}

/**
 * faa_report_timeout() - which of its time limits a job has exceeded, in words
 * @watch: the job; the text has the times at which it was found overdue, not those until it was
 *	stopped
 * @timeout_ms: limit without progress
 * @text: out: the words
 * @size: room for them
 */
void faa_report_timeout(const struct faa_watch *watch, u32 timeout_ms, char *text, size_t size)
{
	s64 idle = ktime_ms_delta(watch->looked, watch->progressed);
	s64 total = ktime_ms_delta(watch->looked, watch->started);

	if (watch->phase == FAA_WATCH_WAITS)
		scnprintf(text, size, "timeout, no compute unit");
	else if (watch->phase == FAA_WATCH_BEGINS)
		scnprintf(text, size, "timeout, not begun after %lld ms", idle);
	else if (idle >= timeout_ms)
		scnprintf(text, size, "timeout, %lld ms without progress", idle);
	else
		scnprintf(text, size, "timeout, %lld ms in all", total);
}
EXPORT_SYMBOL_IF_KUNIT(faa_report_timeout);

/* Why the queue was stopped. */
static void faa_report_reason(const struct faa_queue *queue, enum faa_stop_reason reason,
			      char *text, size_t size)
{
	switch (reason) {
	case FAA_STOP_TIMEOUT:
		/* This is the timeout handler, to which the watch belongs. */
		faa_report_timeout(&queue->watch, queue->faa->job_timeout_ms, text, size);
		break;
	case FAA_STOP_FAULT:
		scnprintf(text, size, "bus error on its own memory");
		break;
	case FAA_STOP_VICTIM:
		scnprintf(text, size, "its compute unit was reset");
		break;
	case FAA_STOP_RESET:
		scnprintf(text, size, "the device was reset");
		break;
	default:
		scnprintf(text, size, "stopped");
	}
}

/* Where the jobs of the group were. */
static void faa_report_jobs(const struct faa_queue *queue, const struct faa_report *report,
			    char *text, size_t size)
{
	size_t used = 0;
	u32 i;

	text[0] = '\0';
	for (i = 0; i < report->count; i++) {
		u64 seqno = report->seqno + i;
		u32 slot = faa_status_slot(seqno, queue->status.entries);
		const struct faa_status *status = &queue->status.slots[slot];
		u32 code = le32_to_cpu(READ_ONCE(status->code));

		used += scnprintf(text + used, size - used, "%s job %llu", i ? ";" : "", seqno);
		if (code == FAA_ERROR_CANCELLED)
			used += scnprintf(text + used, size - used, " had not begun");
		else if (code == FAA_ERROR_SUCCESS)
			used += scnprintf(text + used, size - used, " had ended");
		else if (!status->end_cycle)
			used += scnprintf(text + used, size - used, " at an unknown place");
		else
			used += scnprintf(text + used, size - used,
					  " at command 0x%x, element %u",
					  le32_to_cpu(READ_ONCE(status->command)),
					  le32_to_cpu(READ_ONCE(status->element)));
	}
	if (!report->count)
		scnprintf(text, size, " no job");
}

/* The reset that stopped the queue, in words. */
static const char *faa_report_reset(const struct faa_report *report)
{
	switch (report->how) {
	case FAA_HW_STOP_RESET:
		return ", compute unit reset";
	case FAA_HW_STOP_DEVICE:
		return ", device reset";
	default:
		return "";
	}
}

/**
 * faa_report_stop() - write the line of a queue that was stopped
 * @queue: the queue; its jobs have ended
 * @reason: why
 * @report: what faa_report_begin() noted, and how the queue was stopped
 */
void faa_report_stop(struct faa_queue *queue, enum faa_stop_reason reason,
		     const struct faa_report *report)
{
	static DEFINE_RATELIMIT_STATE(limit, DEFAULT_RATELIMIT_INTERVAL,
				      DEFAULT_RATELIMIT_BURST);
	char why[48], jobs[FAA_MAX_SLOTS * FAA_REPORT_JOB_CHARS];

	if (reason == FAA_STOP_DESTROY || reason == FAA_STOP_LOST || !__ratelimit(&limit))
		return;

	faa_report_reason(queue, reason, why, sizeof(why));
	faa_report_jobs(queue, report, jobs, sizeof(jobs));
	drm_warn(&queue->faa->drm, "queue %u of %s[%d] stopped: %s%s:%s\n", queue->number,
		 queue->owner.comm, queue->owner.pid, why,
		 faa_report_reset(report), jobs);
}
