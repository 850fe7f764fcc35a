// SPDX-License-Identifier: Apache-2.0
#include "vpci.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static const char *log_name;
static bool log_verbose;

void vpci_set_log(const char *name, bool verbose)
{
	log_name = name;
	log_verbose = verbose;
}

static void log_print_line(const char *format, va_list args)
{
	char line[512];

	/* One write per line, as the guest's console may share this terminal. */
	vsnprintf(line, sizeof(line), format, args);
	fprintf(stderr, "%s: %s\n", log_name ? log_name : program_invocation_short_name, line);
}

void vpci_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_print_line(format, args);
	va_end(args);
}

void vpci_debug(const char *format, ...)
{
	va_list args;

	if (!log_verbose)
		return;
	va_start(args, format);
	log_print_line(format, args);
	va_end(args);
}
