/* SPDX-License-Identifier: MIT */
/**
 * DOC: The sentence of the last error
 *
 * Every negative errno of the library is made by one of these functions, or passes through one of
 * them, so that faa_last_error() of the thread has the reason. A function that refines an error of
 * a function below it calls faa_fail() again.
 */
#ifndef FAA_ERROR_H
#define FAA_ERROR_H

#include "faa.h"

/** faa_fail() - set the sentence of the calling thread; returns @error, a negative errno. */
int faa_fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** faa_fail_memory() - -ENOMEM: the program has no memory for @object. */
int faa_fail_memory(const char *object);

/** faa_fail_kernel() - @error of the kernel's @call, in words; 0 stays 0 without a sentence. */
int faa_fail_kernel(int error, const char *call);

/** faa_fail_lock() - @error of a pthread_*_init(), in words; 0 stays 0. */
int faa_fail_lock(int error);

/** faa_fail_status() - faa_status_errno() of @status with its sentence; 0 for a success. */
int faa_fail_status(const struct faa_job_status *status);

#endif /* FAA_ERROR_H */
