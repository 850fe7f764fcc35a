// SPDX-License-Identifier: Apache-2.0
/* Jobs: their events in the guest, and their time on the device. */
#include "trace_tracks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "faa_regs.h"

/* A doorbell is at most so far from the event of the driver. */
#define DOORBELL_NS 5000000

static struct trace_job *jobs_get(struct trace_jobs *jobs, const struct trace_event *event)
{
	uint64_t ctx = trace_field(event, "ctx"), seqno = trace_field(event, "seqno");
	struct trace_job *grown;

	for (size_t i = jobs->count; i-- > 0;)
		if (jobs->job[i].ctx == ctx && jobs->job[i].seqno == seqno)
			return &jobs->job[i];
	grown = trace_grow(jobs->job, jobs->count, sizeof(*grown));
	if (!grown)
		return NULL;
	jobs->job = grown;
	jobs->job[jobs->count] = (struct trace_job){ .ctx = ctx, .seqno = seqno };
	return &jobs->job[jobs->count++];
}

static int jobs_take(struct trace_jobs *jobs, const struct trace_event *event)
{
	struct trace_job *job;

	if (trace_is(event, "dma_fence_signaled"))
		trace_waits_signal(jobs, event);
	if (strncmp(event->name, "faa_job_", 8))
		return 0;
	job = jobs_get(jobs, event);
	if (!job)
		return -ENOMEM;
	if (trace_is(event, "faa_job_wait")) {
		return trace_waits_take(jobs, (size_t)(job - jobs->job), event);
	} else if (trace_is(event, "faa_job_submit")) {
		job->submit = event->ns;
		job->submit_task = event->task;
		job->vm = (unsigned int)trace_field(event, "vm");
		job->slot = (unsigned int)trace_field(event, "slot");
		job->bytes = trace_field(event, "bytes");
	} else if (trace_is(event, "faa_job_ready")) {
		job->ready = event->ns;
	} else if (trace_is(event, "faa_job_run")) {
		job->run = event->ns;
		job->run_task = event->task;
		job->hwq = (unsigned int)trace_field(event, "hwq");
	} else if (trace_is(event, "faa_job_start")) {
		job->start_cycle = trace_field(event, "cycle");
		job->has_cycles = true;
	} else if (trace_is(event, "faa_job_done")) {
		job->done = event->ns;
		job->code = trace_field(event, "code");
		job->elements = trace_field(event, "elements");
		job->end_cycle = trace_field(event, "cycle");
	} else if (trace_is(event, "faa_job_fence")) {
		job->fence = event->ns;
		job->fence_task = event->task;
	}
	return 0;
}

/* Index of the first record at or after @ns. */
static size_t jobs_record_at(const struct trace_device *device, uint64_t ns)
{
	size_t low = 0, high = device->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (device->record[middle].ns < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The distance of @ns to the nearest doorbell of a hardware queue, at most DOORBELL_NS. */
static uint64_t jobs_doorbell(const struct trace_device *device, unsigned int hwq, uint64_t ns)
{
	uint64_t best = DOORBELL_NS;

	for (size_t i = jobs_record_at(device, ns - DOORBELL_NS);
	     i < device->count && device->record[i].ns <= ns + best; i++) {
		const struct trace_record *record = &device->record[i];
		uint64_t away = record->ns > ns ? record->ns - ns : ns - record->ns;

		if (record->kind == REC_MMIO_WRITE && record->unit == 0 &&
		    record->addr == FAA_REG_QUEUE_TAIL(hwq) && away < best)
			best = away;
	}
	return best;
}

/* Events do not name the device: it is the one with the nearest doorbell. */
static void jobs_find_device(struct trace_job *job, const struct trace_input *input)
{
	uint64_t best = DOORBELL_NS;

	for (unsigned int i = 0; input->devices > 1 && job->run && i < input->devices; i++) {
		uint64_t away = jobs_doorbell(&input->device[i], job->hwq, job->run);

		if (away < best) {
			best = away;
			job->device = i;
		}
	}
}

static void jobs_find_times(struct trace_job *job, const struct trace_input *input)
{
	const struct trace_device *device = &input->device[job->device];
	uint64_t near = job->done + input->clock.error;

	if (!job->has_cycles || !job->end_cycle)
		return;
	job->start = trace_clock_cycle(device, job->start_cycle, near);
	job->end = trace_clock_cycle(device, job->end_cycle, near);
	if (job->end < job->start)
		job->start = job->end = 0;
}

/* Numbers the tracks: one for each queue and slot. */
static void jobs_find_track(struct trace_jobs *jobs, size_t index)
{
	struct trace_job *job = &jobs->job[index];
	unsigned int tracks = 0;

	for (size_t i = 0; i < index; i++) {
		const struct trace_job *other = &jobs->job[i];

		if (other->ctx == job->ctx && other->slot == job->slot) {
			job->track = other->track;
			return;
		}
		if (other->track > tracks)
			tracks = other->track;
	}
	job->track = tracks + 1;
}

int trace_jobs_collect(struct trace_jobs *jobs, const struct trace_input *input)
{
	*jobs = (struct trace_jobs){ 0 };
	for (size_t i = 0; i < input->guest.count; i++)
		if (jobs_take(jobs, &input->guest.event[i]))
			return -ENOMEM;
	for (size_t i = 0; i < jobs->count; i++) {
		jobs_find_track(jobs, i);
		jobs_find_device(&jobs->job[i], input);
		if (input->devices)
			jobs_find_times(&jobs->job[i], input);
	}
	return 0;
}

static void jobs_phase(struct json *json, const char *id, const char *name, uint64_t from,
		       uint64_t to)
{
	const struct json_track track = { TRACK_JOBS, 1 };

	if (!from || to < from)
		return;
	json_async(json, track, 'b', name, id, from, "");
	json_async(json, track, 'e', name, id, to, "");
}

/* From the submission to the fence, and what it waits for meanwhile. */
static void jobs_write_life(struct json *json, const struct trace_job *job, const char *id,
			    const char *args)
{
	const struct json_track track = { TRACK_JOBS, 1 };
	char name[64];

	if (!job->submit || !job->fence)
		return;
	snprintf(name, sizeof(name), "job %llu of queue %llu", (unsigned long long)job->seqno,
		 (unsigned long long)job->ctx);
	json_async(json, track, 'b', name, id, job->submit, args);
	jobs_phase(json, id, "waits for fences and the ring", job->submit, job->ready);
	jobs_phase(json, id, "on its way to the device", job->ready, job->run);
	jobs_phase(json, id, "in the ring", job->run, job->start);
	jobs_phase(json, id, "on the device", job->start, job->end);
	jobs_phase(json, id, "interrupt and completion", job->end, job->fence);
	json_async(json, track, 'e', name, id, job->fence, "");
}

static void jobs_write_one(struct json *json, const struct trace_job *job, size_t number)
{
	const struct json_track queue = { TRACK_QUEUES, job->track };
	char id[24], args[320], name[48];

	trace_flow_id(id, sizeof(id), TRACE_FLOW_JOBS, number);
	snprintf(args, sizeof(args),
		 "\"ctx\":%llu,\"seqno\":%llu,\"vm\":%u,\"hardware queue\":%u,\"slot\":%u,"
		 "\"stream bytes\":%llu,\"code\":%llu,\"elements\":%llu,\"start cycle\":%llu,"
		 "\"end cycle\":%llu",
		 (unsigned long long)job->ctx, (unsigned long long)job->seqno, job->vm, job->hwq,
		 job->slot, (unsigned long long)job->bytes, (unsigned long long)job->code,
		 (unsigned long long)job->elements, (unsigned long long)job->start_cycle,
		 (unsigned long long)job->end_cycle);
	snprintf(name, sizeof(name), "job %llu", (unsigned long long)job->seqno);
	jobs_write_life(json, job, id, args);
	if (job->start)
		json_slice(json, queue, name, job->start, job->end - job->start, args);
	if (job->submit && job->fence) {
		json_flow(json, trace_task_track(job->submit_task), 's', id, job->submit);
		if (job->start)
			json_flow(json, queue, 't', id, job->start);
		json_flow(json, trace_task_track(job->fence_task), 'f', id, job->fence);
	}
}

void trace_jobs_write(struct json *json, const struct trace_jobs *jobs)
{
	unsigned int named = 0;
	char name[64];

	json_name(json, (struct json_track){ TRACK_JOBS, 0 }, "Jobs");
	json_name(json, (struct json_track){ TRACK_QUEUES, 0 }, "Queues");
	for (size_t i = 0; i < jobs->count; i++) {
		const struct trace_job *job = &jobs->job[i];

		if (job->track > named) {
			named = job->track;
			snprintf(name, sizeof(name), "queue %llu, slot %u",
				 (unsigned long long)job->ctx, job->slot);
			json_name(json, (struct json_track){ TRACK_QUEUES, named }, name);
		}
		jobs_write_one(json, job, i);
	}
	trace_waits_write(json, jobs);
}

void trace_jobs_free(struct trace_jobs *jobs)
{
	free(jobs->job);
	free(jobs->wait);
}
