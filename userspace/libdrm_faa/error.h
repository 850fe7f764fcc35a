/* SPDX-License-Identifier: MIT */
/**
 * DOC: The sentence of the last error
 *
 * faa_fail() of faa.h or one of these functions makes, or passes on, every negative errno of the
 * library, so that faa_last_error() of the thread has the reason. A function that refines the error
 * of a function that it called calls faa_fail() again.
 */
#ifndef FAA_ERROR_H
#define FAA_ERROR_H

#include "faa.h"

/** FAA_SENTENCE_BYTES - longer than any message of a stream or of the libraries on top */
#define FAA_SENTENCE_BYTES 768

/** struct faa_sentence - the thread's sentence, saved over calls whose errors are ignored */
struct faa_sentence {
	char text[FAA_SENTENCE_BYTES];
};

/** faa_sentence_keep() - copy it to @kept. */
void faa_sentence_keep(struct faa_sentence *kept);

/** faa_sentence_restore() - make @kept the thread's again. */
void faa_sentence_restore(const struct faa_sentence *kept);

/** faa_fail_memory() - -ENOMEM: the program has no memory for @object. */
int faa_fail_memory(const char *object);

/** faa_fail_kernel() - add a sentence to @error of the kernel's @call; 0 stays 0, without one. */
int faa_fail_kernel(int error, const char *call);

/** faa_fail_lock() - add a sentence to @error of a pthread_*_init(); 0 stays 0. */
int faa_fail_lock(int error);

/** faa_fail_status() - faa_status_errno() of @status, with its sentence; 0 for a success. */
int faa_fail_status(const struct faa_job_status *status);

#endif /* FAA_ERROR_H */
