// SPDX-License-Identifier: Apache-2.0
/* Jobs that wait for fences before they start. */
#include "trace_tracks.h"

#include <errno.h>

int trace_waits_take(struct trace_jobs *jobs, size_t job, const struct trace_event *event)
{
	struct trace_wait *grown = trace_grow(jobs->wait, jobs->waits, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	jobs->wait = grown;
	jobs->wait[jobs->waits++] = (struct trace_wait){
		.job = job,
		.ctx = trace_field(event, "fence_ctx"),
		.seqno = trace_field(event, "fence_seqno"),
	};
	return 0;
}

void trace_waits_signal(struct trace_jobs *jobs, const struct trace_event *event)
{
	uint64_t ctx = trace_field(event, "context"), seqno = trace_field(event, "seqno");

	for (size_t i = 0; i < jobs->waits; i++) {
		struct trace_wait *wait = &jobs->wait[i];

		if (wait->ctx == ctx && wait->seqno == seqno && !wait->signal) {
			wait->signal = event->ns;
			wait->signal_task = event->task;
		}
	}
}

void trace_waits_write(struct json *json, const struct trace_jobs *jobs)
{
	char id[24];

	for (size_t i = 0; i < jobs->waits; i++) {
		const struct trace_wait *wait = &jobs->wait[i];
		const struct trace_job *job = &jobs->job[wait->job];

		/* A fence that signalled before the submission has no event after it. */
		if (!wait->signal || job->run < wait->signal)
			continue;
		trace_flow_id(id, sizeof(id), TRACE_FLOW_WAITS, i);
		json_flow(json, trace_task_track(wait->signal_task), 's', id, wait->signal);
		json_flow(json, trace_task_track(job->run_task), 'f', id, job->run);
	}
}
