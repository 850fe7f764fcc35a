// SPDX-License-Identifier: Apache-2.0
#include "log.h"

#include <stdarg.h>
#include <stdio.h>

static bool log_verbose;

void vdev_log_set_verbose(bool verbose)
{
	log_verbose = verbose;
}

bool vdev_log_verbose(void)
{
	return log_verbose;
}

static void log_print_line(const char *format, va_list args)
{
	char line[512];

	/* One write per line, as the guest's console may share this terminal. */
	vsnprintf(line, sizeof(line), format, args);
	fprintf(stderr, "faa-vdev: %s\n", line);
}

void vdev_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_print_line(format, args);
	va_end(args);
}

void vdev_debug(const char *format, ...)
{
	va_list args;

	if (!log_verbose)
		return;
	va_start(args, format);
	log_print_line(format, args);
	va_end(args);
}
