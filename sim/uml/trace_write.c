// SPDX-License-Identifier: Apache-2.0
#include "trace_tracks.h"

#include <errno.h>
#include <stdlib.h>

/* The first time of all. */
static uint64_t write_origin(const struct trace_input *input)
{
	uint64_t origin = UINT64_MAX;

	if (input->guest.count && input->guest.event[0].ns < origin)
		origin = input->guest.event[0].ns;
	for (unsigned int i = 0; i < input->devices; i++)
		if (input->device[i].count && input->device[i].record[0].ns < origin)
			origin = input->device[i].record[0].ns;
	return origin == UINT64_MAX ? 0 : origin;
}

/* Facts of the run, and of the clock. */
static void write_head(FILE *file, const struct trace_input *input, uint64_t origin)
{
	const struct trace_clock *clock = &input->clock;
	uint64_t lost = 0;

	for (unsigned int i = 0; i < input->devices; i++)
		lost += input->device[i].lost;
	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":", file);
	json_string(file, input->program);
	fputs(",\"engine\":", file);
	json_string(file, input->engine);
	fprintf(file,
		",\"time 0 (%s, ns)\":\"%llu\","
		"\"guest's clock + this = host's (ns)\":\"%lld\","
		"\"largest error of the guest's times (ns)\":\"%llu\","
		"\"reads that the clocks were related with\":\"%zu\","
		"\"lost events of the guest\":\"%llu\",\"lost events of devices\":\"%llu\"},\n",
		input->simulated ? "simulated" : "CLOCK_MONOTONIC of the host",
		(unsigned long long)origin, (long long)clock->offset,
		(unsigned long long)clock->error, clock->marks,
		(unsigned long long)input->guest.lost, (unsigned long long)lost);
}

int trace_write(const struct trace_input *input, const char *path)
{
	FILE *file = fopen(path, "we");
	uint64_t origin = write_origin(input);
	struct trace_jobs jobs;
	struct json json;
	int err;

	if (!file)
		return -errno;
	err = trace_jobs_collect(&jobs, input);
	write_head(file, input, origin);
	json_begin(&json, file, origin);
	if (!err) {
		trace_guest_write(&json, &input->guest);
		trace_jobs_write(&json, &jobs);
		for (unsigned int i = 0; i < input->devices; i++)
			trace_access_write(&json, &input->device[i], i, &jobs);
	}
	json_end(&json);
	fputs("}\n", file);
	trace_jobs_free(&jobs);
	if (ferror(file))
		err = -EIO;
	return fclose(file) ? -EIO : err;
}
