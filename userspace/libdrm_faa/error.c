// SPDX-License-Identifier: MIT
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local struct faa_sentence error_sentence;

const char *faa_last_error(void)
{
	return error_sentence.text;
}

void faa_sentence_keep(struct faa_sentence *kept)
{
	*kept = error_sentence;
}

void faa_sentence_restore(const struct faa_sentence *kept)
{
	error_sentence = *kept;
}

int faa_fail(int error, const char *format, ...)
{
	struct faa_sentence made;
	va_list args;

	/* The arguments may point into the sentence that is being replaced. */
	va_start(args, format);
	vsnprintf(made.text, sizeof(made.text), format, args);
	va_end(args);
	error_sentence = made;
	return error;
}

int faa_fail_memory(const char *object)
{
	return faa_fail(-ENOMEM, "the program has no memory for %s", object);
}

int faa_fail_kernel(int error, const char *call)
{
	switch (error) {
	case 0:
		return 0;
	case -ENODEV:
		return faa_fail(error, "%s: the device is gone", call);
	case -ENOMEM:
		return faa_fail(error, "%s: the kernel has no memory for it", call);
	default:
		return faa_fail(error, "%s: the kernel refused it: %s", call, strerror(-error));
	}
}

int faa_fail_lock(int error)
{
	return error ? faa_fail(error, "a lock of the library: %s", strerror(-error)) : 0;
}

int faa_fail_status(const struct faa_job_status *status)
{
	int error = faa_status_errno(status);
	char text[256];

	if (!error)
		return 0;
	faa_status_format(status, NULL, 0, text, sizeof(text));
	return faa_fail(error, "%s", text);
}
