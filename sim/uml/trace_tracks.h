/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Tracks of a trace
 *
 * ==================  ===========================================================================
 * process             threads
 * ==================  ===========================================================================
 * TRACK_GUEST         each task of the guest: submissions, waits, driver events, interrupts
 * TRACK_JOBS          one event for each job, from its submission to its fence
 * TRACK_QUEUES        each warp slot of each queue: jobs on the device
 * TRACK_DEVICE + n    device n: compute units, accesses to it, and its interrupts
 * ==================  ===========================================================================
 */
#ifndef FAA_UML_TRACE_TRACKS_H
#define FAA_UML_TRACE_TRACKS_H

#include "trace.h"
#include "trace_json.h"

enum { TRACK_GUEST = 1, TRACK_JOBS, TRACK_QUEUES, TRACK_DEVICE = 10 };
/* Threads of a device; those of compute units come first. */
enum { TRACK_UNIT = 1, TRACK_REGISTERS = 20, TRACK_CONFIG, TRACK_INTERRUPTS, TRACK_FAULTS };

/** struct trace_job - what the events of a job say */
struct trace_job {
	uint64_t ctx, seqno;
	/** @hwq: hardware queue, @slot: warp slot. */
	unsigned int hwq, slot, vm;
	/** @device: index; @track: thread of TRACK_QUEUES. */
	unsigned int device, track;
	/** @submit: when; 0: not seen. The same holds for the next ones. */
	uint64_t submit, ready, run, done, fence;
	/** @submit_task: its task, and those of the others. */
	unsigned int submit_task, run_task, fence_task;
	uint64_t bytes, start_cycle, end_cycle, code, elements;
	/** @start: host's time of the cycles; 0: unknown. */
	uint64_t start, end;
	/** @has_cycles: the device has begun and ended it. */
	bool has_cycles;
};

/** struct trace_wait - a job that waits for a fence */
struct trace_wait {
	/** @job: index. */
	size_t job;
	/** @ctx: context and sequence number of the fence. */
	uint64_t ctx, seqno;
	/** @signal: when a task signalled it; 0: not seen. */
	uint64_t signal;
	unsigned int signal_task;
};

/** struct trace_jobs - all jobs, in the order of their first events */
struct trace_jobs {
	struct trace_job *job;
	size_t count;
	struct trace_wait *wait;
	size_t waits;
};

/** trace_jobs_collect() - gather the events of jobs. Return: 0 or -ENOMEM. */
int trace_jobs_collect(struct trace_jobs *jobs, const struct trace_input *input);
/** trace_jobs_free() - undo trace_jobs_collect() */
void trace_jobs_free(struct trace_jobs *jobs);
/** trace_waits_take() - note a fence that job @job waits for. Return: 0 or -ENOMEM. */
int trace_waits_take(struct trace_jobs *jobs, size_t job, const struct trace_event *event);
/** trace_waits_signal() - note that a fence signals */
void trace_waits_signal(struct trace_jobs *jobs, const struct trace_event *event);
/** trace_waits_write() - arrows from fences to the jobs that have waited for them */
void trace_waits_write(struct json *json, const struct trace_jobs *jobs);
/** trace_jobs_write() - jobs, queues, and arrows from submission to start and fence */
void trace_jobs_write(struct json *json, const struct trace_jobs *jobs);
/** trace_guest_write() - events of the guest's tasks */
void trace_guest_write(struct json *json, const struct trace_guest *guest);
/** trace_access_write() - compute units of a device, and accesses to it and by it */
void trace_access_write(struct json *json, const struct trace_device *device, unsigned int number,
			const struct trace_jobs *jobs);

/** trace_task_track() - the track of a task */
static inline struct json_track trace_task_track(unsigned int task)
{
	return (struct json_track){ TRACK_GUEST, task + 1 };
}

/* Numbers of arrows: of jobs, of the waits of jobs, of the waits of tasks. */
enum { TRACE_FLOW_JOBS, TRACE_FLOW_WAITS, TRACE_FLOW_TASKS };

/** trace_flow_id() - the name of arrow @number of a kind */
static inline void trace_flow_id(char *id, size_t size, unsigned int kind, size_t number)
{
	snprintf(id, size, "0x%zx", (size_t)kind << 40 | (number + 1));
}

/* Length of slices that stand for a moment, so that arrows can be attached to them. */
#define TRACE_MOMENT_NS 500

#endif /* FAA_UML_TRACE_TRACKS_H */
