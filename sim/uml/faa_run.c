// SPDX-License-Identifier: Apache-2.0
/*
 * faa-run, the front end of the co-simulation: starts the virtual device and the kernel, and runs
 * one program in the guest. It transfers standard input, output, error and the exit status of the
 * program, and removes everything that it created.
 */
#include "run.h"
#include "run_guests.h"
#include "run_seed.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Time limit for the guest to write back files and power off after the program's end, in ms. */
#define POWER_OFF_MS 20000

/*
 * Opens standard descriptors that the caller left closed, so that no other file gets their numbers.
 */
static void run_fill_stdio(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

/* The flight recorders of --trace are written, however long that takes. */
static void run_end_devices(struct run_machine *machine, const struct run_options *options)
{
	for (unsigned int i = 0; options->trace.file && i < machine->devices; i++)
		if (machine->vdev[i] > 0)
			kill(machine->vdev[i], SIGTERM);
	run_stop_devices(machine, options->trace.file != NULL);
}

static int run(const struct run_files *files, const struct run_options *options)
{
	struct run_machine machine;
	char stdio[4];
	int result = -1, signal_fd;

	/* Signals are not held back yet, so Ctrl-C ends a wait for input. */
	if (options->seed && run_seed_choose_input(files))
		return -1;
	signal_fd = run_open_signals();
	if (options->gdb)
		run_gdb_take_terminal();
	run_choose_stdio(stdio);
	if (options->seed)
		stdio[0] = 'f';
	run_record_choose_stdio(stdio);
	if (run_write_job(files, options, stdio))
		return -1;
	if (run_start(&machine, files, options) == 0)
		result = run_relay(&machine, files, options, stdio, signal_fd);
	if (result >= 0 && options->guests) {
		run_guests_hold(options, result);
		/* The guest powers off when its line has ended. */
		close(machine.line);
		machine.line = -1;
	}
	run_stop_kernel(&machine, options->gdb		      ? RUN_PATIENT :
				  result >= 0 && result < 128 ? POWER_OFF_MS :
								0);
	if (options->gdb)
		run_gdb_end();
	if (!options->waves.file)
		run_end_devices(&machine, options);
	if (options->verbose)
		run_log_follow(files);
	if (result < 0 && !options->verbose && !options->gdb)
		run_log_tail(files);
	if (result > 0)
		run_explain_sanitizer(options->program[0]);
	/* The kernel's complaint may be the cause of a failure of the program. */
	if (options->check_log && !run_log_check(files, options, machine.unplugged) &&
	    result >= 0) {
		if (result)
			run_error("the program ended with status %d", result);
		result = RUN_LOG_BAD;
	}
	if (options->record && run_record_write(options, files, stdio, result))
		return -1;
	if (options->replay && !run_record_compare(files, result))
		return -1;
	if (options->waves.file)
		run_waves_end(&machine, files, options, result);
	if (options->trace.file)
		run_trace_end(&machine, files, options);
	return result;
}

int main(int argc, char **argv)
{
	struct run_options options;
	struct run_files files;
	int result = -1;

	run_fill_stdio();
	run_parse(&options, argc, argv);
	if (options.guests)
		result = run_guests_start(&options);
	if (result >= 0)
		return result;
	if (run_find_files(&files, &options) == 0)
		result = run(&files, &options);
	run_remove_files(&files);
	return result < 0 ? RUN_FAILED : result;
}
