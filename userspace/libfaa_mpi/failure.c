// SPDX-License-Identifier: MIT
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

int failure_set(struct failure *failure, int error, bool lasting, const char *format, ...)
{
	va_list args;

	if (failure->error)
		return error;
	failure->error = error;
	failure->source = -1;
	failure->lasting = lasting;
	va_start(args, format);
	vsnprintf(failure->text, sizeof(failure->text), format, args);
	va_end(args);
	return error;
}
