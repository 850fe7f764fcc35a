// SPDX-License-Identifier: Apache-2.0
/*
 * faa-init, the first process of the guest. The root file system is the host's. faa-init mounts
 * file systems on /dev, /proc and /sys, loads the driver, runs one program with the host's standard
 * input, output and error, and powers off.
 */
#include "guest.h"
#include "guest_line.h"
#include "guest_trace.h"

#include <string.h>

/* The other guests reach this one until the host lets it end. */
static void init_wait_for_end_of_line(int line)
{
	static struct wire_in in;

	while (wire_wait(&in, line) > 0)
		wire_next(&in);
}

int main(int argc, char **argv)
{
	struct program program;
	struct job job;
	const char *broken;
	char error[512], path[4096];
	uint32_t status;
	int code, line;

	if (argc > 1)
		guest_find_job(argv[1], path, sizeof(path));
	guest_mount();
	line = guest_open_line();
	if (argc < 2)
		guest_fail("faa-init has no job");
	guest_read_job(&job, path);
	guest_load_modules(&job);
	guest_network(&job);
	guest_trace_begin(&job);
	if (job.guests)
		guest_serve(&job, line);
	code = guest_start(&job, &program, error, sizeof(error));
	if (code) {
		guest_send_last(WIRE_OUTPUT, 2, error, strlen(error));
		status = (uint32_t)code << 8;
	} else {
		broken = guest_relay(&program, line, &status);
		if (broken && *broken)
			guest_fail("%s", broken);
		if (broken)
			guest_power_off();
	}
	if (job.guests) {
		guest_send_last(WIRE_EXIT, 0, &status, sizeof(status));
		init_wait_for_end_of_line(line);
	}
	guest_trace_end(&job);
	guest_unload_modules(&job);
	if (!job.guests)
		guest_send_last(WIRE_EXIT, 0, &status, sizeof(status));
	guest_power_off();
}
