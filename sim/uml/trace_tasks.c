// SPDX-License-Identifier: Apache-2.0
/* Tasks of the guest: what programs submit and wait for, what the driver does, interrupts. */
#include "trace_tracks.h"

#include <stdlib.h>
#include <string.h>

/* A wait or an interrupt of a task that has begun. */
struct tasks_open {
	uint64_t wait, irq;
	char args[96];
};

static void tasks_args(char *args, size_t size, const char *fields)
{
	size_t have = (size_t)snprintf(args, size, "\"fields\":\"");

	for (; *fields && have + 8 < size; fields++) {
		if (*fields == '"' || *fields == '\\')
			args[have++] = '\\';
		args[have++] = (unsigned char)*fields < 0x20 ? ' ' : *fields;
	}
	args[have++] = '"';
	args[have] = 0;
}

/* True if the event is part of a slice that is, or will be, written. */
static bool tasks_take_span(struct json *json, const struct trace_event *event,
			    struct tasks_open *open)
{
	struct json_track track = trace_task_track(event->task);

	if (trace_is(event, "dma_fence_wait_start")) {
		open->wait = event->ns;
		tasks_args(open->args, sizeof(open->args), event->fields);
	} else if (trace_is(event, "dma_fence_wait_end")) {
		if (open->wait)
			json_slice(json, track, "waits for a fence", open->wait,
				   event->ns - open->wait, open->args);
		open->wait = 0;
	} else if (trace_is(event, "irq_handler_entry")) {
		open->irq = event->ns;
	} else if (trace_is(event, "irq_handler_exit")) {
		if (open->irq)
			json_slice(json, track, "interrupt of faa", open->irq,
				   event->ns - open->irq, "");
		open->irq = 0;
	} else {
		return false;
	}
	return true;
}

/* Arrows begin at submissions and end at fences, so these are slices. */
static void tasks_write(struct json *json, const struct trace_event *event)
{
	struct json_track track = trace_task_track(event->task);
	char args[512];

	tasks_args(args, sizeof(args), event->fields);
	if (trace_is(event, "faa_job_submit") || trace_is(event, "faa_job_fence") ||
	    trace_is(event, "faa_job_run"))
		json_slice(json, track, event->name, event->ns, TRACE_MOMENT_NS, args);
	else
		json_instant(json, track, event->name, event->ns, args);
}

void trace_guest_write(struct json *json, const struct trace_guest *guest)
{
	struct tasks_open *open = calloc(guest->tasks ? guest->tasks : 1, sizeof(*open));
	char name[48];

	if (!open)
		return;
	json_name(json, (struct json_track){ TRACK_GUEST, 0 }, "Guest: programs and driver");
	for (unsigned int i = 0; i < guest->tasks; i++) {
		snprintf(name, sizeof(name), "%s %d", guest->task[i].name, guest->task[i].pid);
		json_name(json, trace_task_track(i), name);
	}
	for (size_t i = 0; i < guest->count; i++)
		if (!tasks_take_span(json, &guest->event[i], &open[guest->event[i].task]))
			tasks_write(json, &guest->event[i]);
	free(open);
}
