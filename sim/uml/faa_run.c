// SPDX-License-Identifier: Apache-2.0
/*
 * faa-run: the user's door to the co-simulation. Starts the virtual device and the kernel, lets the guest run one
 * program, passes its standard input, output, error and exit status, and leaves nothing behind.
 */
#include "run.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

/* How long the guest may take to write back files and power off after the program's end, in ms. */
#define POWER_OFF_MS 20000

void run_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("faa-run: ", stderr);
	vfprintf(stderr, format, args);
	/* A terminal may be in raw mode, where a line needs a carriage return too. */
	fputs(isatty(2) ? "\r\n" : "\n", stderr);
	va_end(args);
}

/* A descriptor that the caller left closed would be taken by the next file that is opened. */
static void fill_stdio(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

static int run(const struct run_files *files, const struct run_options *options)
{
	struct run_machine machine;
	char stdio[4];
	int result = -1, signal_fd = run_open_signals();

	run_choose_stdio(stdio);
	if (run_write_job(files, options, stdio))
		return -1;
	if (run_start(&machine, files, options) == 0)
		result = run_relay(&machine, files, options, stdio, signal_fd);
	run_stop(&machine, result >= 0 && result < 128 ? POWER_OFF_MS : 0);
	if (options->verbose)
		run_log_follow(files);
	if (result < 0 && !options->verbose)
		run_log_tail(files);
	if (result > 0)
		run_explain_sanitizer(options->program[0]);
	/* A program that failed may have done so because of what the kernel complains of. */
	if (options->check_log && !run_log_check(files, options, machine.unplugged) &&
	    result >= 0) {
		if (result)
			run_error("the program ended with status %d", result);
		result = RUN_LOG_BAD;
	}
	return result;
}

int main(int argc, char **argv)
{
	struct run_options options;
	struct run_files files;
	int result = -1;

	fill_stdio();
	run_parse(&options, argc, argv);
	if (run_find_files(&files, &options) == 0)
		result = run(&files, &options);
	run_remove_files(&files);
	return result < 0 ? RUN_FAILED : result;
}
