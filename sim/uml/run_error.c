// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void run_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("faa-run: ", stderr);
	vfprintf(stderr, format, args);
	/* In raw mode, a terminal needs a carriage return as well. */
	fputs(isatty(2) ? "\r\n" : "\n", stderr);
	va_end(args);
}
