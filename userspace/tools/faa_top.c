// SPDX-License-Identifier: MIT
/* Reports the processes, and their queues, that use the device, once every interval. */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "faa.h"
#include "tool.h"
#include "top.h"

#define NS_PER_S 1000000000ull
/* Moves to the upper left corner, and clears the screen from there. */
#define REDRAW "\033[H\033[J"

struct options {
	double interval;
	bool once, queues, json;
};

/* Where the reports come from. */
struct source {
	/* NULL: there are no counters, for a reason in @no_counters. */
	struct faa_counters_stream *counters;
	char no_counters[128];
};

static int top_sample_all(const struct source *source, const struct top_sample *before,
			  struct top_sample *sample)
{
	int ret = top_take(sample);

	if (!ret && source->counters)
		ret = top_counters_take(source->counters, before, sample);
	return ret;
}

static void top_pause_for(double seconds)
{
	struct timespec time = { .tv_sec = (time_t)seconds };

	time.tv_nsec = (long)((seconds - (double)time.tv_sec) * (double)NS_PER_S);
	nanosleep(&time, NULL);
}

static void top_show(const struct options *options, const struct source *source,
		     const struct top_sample *before, const struct top_sample *now)
{
	const struct top_rates rates = {
		.seconds = (double)(now->time - before->time) / (double)NS_PER_S,
		.before = before,
		.now = now,
		.no_counters = source->counters ? NULL : source->no_counters,
	};

	if (options->json) {
		top_show_json(&rates);
	} else {
		if (!options->once && isatty(STDOUT_FILENO))
			printf(REDRAW);
		top_show_text(&rates, options->queues);
	}
	fflush(stdout);
}

static int top_report(const struct source *source, const struct options *options)
{
	struct top_sample before, now = { 0 };
	int ret = top_sample_all(source, NULL, &before);
	bool over = false;

	while (!ret && !over) {
		top_pause_for(options->interval);
		ret = top_sample_all(source, &before, &now);
		if (ret) {
			top_free(&now);
			break;
		}
		top_show(options, source, &before, &now);
		top_free(&before);
		before = now;
		over = options->once;
		/* The reader has closed the pipe, or the file system is full. */
		if (ferror(stdout))
			ret = -EPIPE;
	}
	top_free(&before);
	return ret;
}

/* Reports without counters if there is no stream of them. */
static int top_run(struct faa_device *device, const struct options *options)
{
	struct source source = { 0 };
	int ret;

	if (top_counters_open(device, options->interval, &source.counters))
		snprintf(source.no_counters, sizeof(source.no_counters), "%s", faa_last_error());
	ret = top_report(&source, options);
	faa_counters_close(source.counters);
	return ret;
}

const char *argp_program_version = "faa-top " FAA_VERSION_TEXT;

static double top_parse_interval(const char *arg, struct argp_state *state)
{
	char *end;
	double value = strtod(arg, &end);

	if (*end || end == arg || !isfinite(value) || value < 0.01 || value > 3600)
		argp_error(state, "the interval is 0.01 to 3600 seconds, not '%s'", arg);
	return value;
}

static error_t top_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'i':
		options->interval = top_parse_interval(arg, state);
		return 0;
	case '1':
		options->once = true;
		return 0;
	case 'q':
		options->queues = true;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument is needed, but '%s' was given", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option top_argp_options[] = {
	{ "interval", 'i', "SECONDS", 0, "Time between two reports, default 1", 0 },
	{ "once", '1', NULL, 0, "One report, after one interval", 0 },
	{ "queues", 'q', NULL, 0, "A line for each queue, too", 0 },
	TOOL_JSON_OPTION("each report, with all queues,"),
	{ 0 },
};

static const struct argp top_argp = {
	.options = top_argp_options,
	.parser = top_parse,
	.children = tool_children,
	.doc = "Show which processes use the device.\v"
	       "BUSY% is the time on compute units: 100 is one unit all the time. Processes of other users are shown to root alone; stalls of "
	       "compute units need CAP_PERFMON. Processes of its machine see a simulated device: "
	       "faa-run sh -c 'histogram & faa-top --once'.",
};

int main(int argc, char **argv)
{
	struct options options = { .interval = 1 };
	struct faa_device *device;
	int ret;

	tool_parse(&top_argp, argc, argv, &options);
	ret = faa_device_open(&device);
	if (ret) {
		fprintf(stderr, "faa-top: %s\n", faa_last_error());
		return 1;
	}
	ret = top_run(device, &options);
	if (ret)
		fprintf(stderr, "faa-top: %s\n", strerror(-ret));
	faa_device_unref(device);
	return ret ? 1 : 0;
}
