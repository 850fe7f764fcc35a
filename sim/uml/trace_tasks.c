// SPDX-License-Identifier: Apache-2.0
/* Tasks of the guest: what programs submit and wait for, what the driver does, interrupts. */
#include "trace_tracks.h"

#include <stdlib.h>
#include <string.h>

/* State of a task: what it has begun, and the fence that it signals. */
struct tasks_open {
	/* Times; 0: it does not sleep, or handles no interrupt. */
	uint64_t sleep, irq;
	/* End of its last wait. */
	uint64_t awake;
	/* Its last event, if that signalled a fence: it wakes who waits for it. */
	const struct trace_event *signal;
	/* It has a track. */
	bool shown;
};

/* All tasks, and the number of waits so far. */
struct tasks {
	const struct trace_guest *guest;
	struct tasks_open *open;
	unsigned int waits;
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

/*
 * A task that signals a fence wakes another one: the sleep of the latter was a wait for the fence.
 * The wait lasts as long as a moment beyond the waking, which the arrow leads to.
 */
static void tasks_wake(struct json *json, struct tasks *tasks, const struct trace_event *event)
{
	const struct trace_event *signal = tasks->open[event->task].signal;
	unsigned int woken = trace_find_task(tasks->guest, (int)trace_field(event, "pid"));
	struct tasks_open *open;
	char args[512], id[24];

	if (woken == tasks->guest->tasks)
		return;
	open = &tasks->open[woken];
	if (signal && open->sleep && open->sleep <= event->ns) {
		tasks_args(args, sizeof(args), signal->fields);
		json_slice(json, trace_task_track(woken), "waits for a fence", open->sleep,
			   event->ns - open->sleep + TRACE_MOMENT_NS, args);
		open->awake = event->ns + TRACE_MOMENT_NS;
		trace_flow_id(id, sizeof(id), TRACE_FLOW_TASKS, tasks->waits++);
		json_flow(json, trace_task_track(event->task), 's', id, signal->ns);
		json_flow(json, trace_task_track(woken), 'f', id, event->ns);
		open->shown = true;
	}
	open->sleep = 0;
}

/* True if the event is part of a slice that is, or will be, written. */
static bool tasks_take_span(struct json *json, struct tasks *tasks, const struct trace_event *event)
{
	struct tasks_open *open = &tasks->open[event->task];

	if (trace_is(event, "sched_waking")) {
		tasks_wake(json, tasks, event);
		return true;
	}
	open->signal = trace_is(event, "dma_fence_signaled") ? event : NULL;
	if (trace_is(event, "sched_switch")) {
		/* Times are rounded: it may sleep again in the microsecond of the waking. */
		open->sleep = event->ns < open->awake ? open->awake : event->ns;
		return true;
	}
	open->shown = true;
	if (trace_is(event, "irq_handler_entry")) {
		open->irq = event->ns;
	} else if (trace_is(event, "irq_handler_exit")) {
		if (open->irq)
			json_slice(json, trace_task_track(event->task), "interrupt of faa",
				   open->irq, event->ns - open->irq, "");
		open->irq = 0;
	} else {
		return false;
	}
	return true;
}

/* Arrows begin at submissions, and begin and end at fences and starts, so these are slices. */
static void tasks_write(struct json *json, const struct trace_event *event)
{
	static const char *const ends[] = { "faa_job_submit", "faa_job_fence", "faa_job_run",
					    "dma_fence_signaled" };
	struct json_track track = trace_task_track(event->task);
	char args[512];

	tasks_args(args, sizeof(args), event->fields);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (trace_is(event, ends[i])) {
			json_slice(json, track, event->name, event->ns, TRACE_MOMENT_NS, args);
			return;
		}
	}
	json_instant(json, track, event->name, event->ns, args);
}

static void tasks_name(struct json *json, const struct tasks *tasks)
{
	const struct trace_guest *guest = tasks->guest;
	char name[48];

	json_name(json, (struct json_track){ TRACK_GUEST, 0 }, "Guest: programs and driver");
	for (unsigned int i = 0; i < guest->tasks; i++) {
		if (!tasks->open[i].shown)
			continue;
		snprintf(name, sizeof(name), "%s %d", guest->task[i].name, guest->task[i].pid);
		json_name(json, trace_task_track(i), name);
	}
}

void trace_guest_write(struct json *json, const struct trace_guest *guest)
{
	struct tasks tasks = {
		.guest = guest,
		.open = calloc(guest->tasks ? guest->tasks : 1, sizeof(*tasks.open)),
	};

	if (!tasks.open)
		return;
	for (size_t i = 0; i < guest->count; i++)
		if (!tasks_take_span(json, &tasks, &guest->event[i]))
			tasks_write(json, &guest->event[i]);
	tasks_name(json, &tasks);
	free(tasks.open);
}
