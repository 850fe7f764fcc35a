// SPDX-License-Identifier: Apache-2.0
#include "run_trace.h"
#include "run.h"
#include "trace.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of faa-vdev. */
#define TRACE_MOST_EVENTS 16777216

const char *run_trace_parse(struct run_trace *trace, char *arg)
{
	char *save = NULL, *word, *end;
	unsigned long events;

	*trace = (struct run_trace){ .file = strtok_r(arg, ",", &save), .events = TRACE_EVENTS };
	if (!trace->file)
		return "the name of a file comes first";
	word = strtok_r(NULL, ",", &save);
	if (!word)
		return NULL;
	if (strncmp(word, "events=", 7) || strtok_r(NULL, ",", &save))
		return "FILE is followed by ',events=N' at most";
	events = strtoul(word + 7, &end, 10);
	if (end == word + 7 || *end || word[7] == '-' || !events || events > TRACE_MOST_EVENTS)
		return "'events' is a number from 1 to 16777216";
	trace->events = (unsigned int)events;
	return NULL;
}

static void trace_path(const struct run_options *options, char *path)
{
	run_name(options, options->trace.file, ".json", -1, path);
}

static void trace_record_path(const struct run_files *files, unsigned int index, char *path)
{
	snprintf(path, PATH_MAX, "%s/record%u", files->dir, index);
}

int run_trace_prepare(const struct run_options *options)
{
	char path[PATH_MAX];

	if (!options->trace.file)
		return 0;
	trace_path(options, path);
	return run_check_output("trace", path);
}

void run_trace_args(const struct run_options *options, const struct run_files *files,
		    unsigned int index, struct run_trace_args *args)
{
	memset(args, 0, sizeof(*args));
	if (!options->trace.file)
		return;
	snprintf(args->record, sizeof(args->record), "--record=%s/record%u", files->dir, index);
	snprintf(args->events, sizeof(args->events), "--record-events=%u", options->trace.events);
	/* Reading the units' registers takes cycles: a run with a seed would change. */
	if (!options->seed)
		snprintf(args->units, sizeof(args->units), "--record-units");
}

static void trace_report(const struct trace_input *input, const char *path, unsigned int events)
{
	uint64_t lost = 0;

	for (unsigned int i = 0; i < input->devices; i++)
		lost += input->device[i].lost;
	if (!input->clock.known)
		run_error("the guest's events are not in the trace: no read relates its clock to "
			  "the device's");
	if (input->simulated && !input->guest.text)
		run_error("the guest's events are not in the trace: it ended before it could write "
			  "them");
	if (input->guest.lost)
		run_error("%llu events of the guest are not in the trace, as its buffer was full",
			  (unsigned long long)input->guest.lost);
	if (lost)
		run_error("the first %llu events of the device are not in the trace, as it keeps "
			  "the last %u: --trace=FILE,events=N",
			  (unsigned long long)lost, events);
	run_error("trace: %s, for ui.perfetto.dev; the guest's times are within %.1f us", path,
		  (double)input->clock.error / 1e3);
}

/* Reads what guest and devices have written; an error has been reported if it is false. */
static bool trace_read(struct trace_input *input, const struct run_files *files)
{
	char path[PATH_MAX];

	/* A guest that ended early has written nothing. */
	trace_read_guest(&input->guest, files->trace);
	for (unsigned int i = 0; i < input->devices; i++) {
		int err;

		trace_record_path(files, i, path);
		err = trace_read_device(&input->device[i], path);
		if (err) {
			run_error("there is no trace: the flight recorder of device %u has not "
				  "been written, or is damaged (%s)",
				  i, strerror(-err));
			return false;
		}
	}
	return true;
}

void run_trace_end(const struct run_machine *machine, const struct run_files *files,
		   const struct run_options *options)
{
	struct trace_device device[RUN_MAX_DEVICES] = { 0 };
	struct trace_input input = { .program = options->program[0],
				     .engine = options->engine,
				     .simulated = options->seed != NULL,
				     .device = device,
				     .devices = machine->devices };
	char path[PATH_MAX];
	int err;

	if (trace_read(&input, files)) {
		if (input.simulated)
			trace_clock_share(&input.clock);
		else
			trace_clock_relate(&input.clock, &input.guest, input.device, input.devices);
		if (input.clock.known)
			trace_clock_apply(&input.clock, &input.guest);
		else
			input.guest.count = 0;
		trace_path(options, path);
		err = trace_write(&input, path);
		if (err)
			run_error("cannot write the trace %s: %s", path, strerror(-err));
		else
			trace_report(&input, path, options->trace.events);
	}
	trace_free_guest(&input.guest);
	for (unsigned int i = 0; i < input.devices; i++)
		trace_free_device(&device[i]);
}
