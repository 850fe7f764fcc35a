/* SPDX-License-Identifier: MIT */
#ifndef MPI_FAILURE_H
#define MPI_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#define FAILURE_TEXT 512

/** struct failure - why a call failed on one rank, as the ranks exchange it */
struct failure {
	/** @error: a negative errno; 0: nothing failed. */
	int32_t error;
	/** @rank: rank that failed. */
	int32_t rank;
	/** @source: rank whose update failed, or -1. */
	int32_t source;
	/** @lasting: the table cannot be used any more. */
	int32_t lasting;
	uint64_t round;
	uint64_t element;
	/** @text: the reason, for faa_last_error(). */
	char text[FAILURE_TEXT];
};

/**
 * failure_set() - note a failure, unless there is a former one
 * @failure: of this rank
 * @error: a negative errno
 * @lasting: see struct failure
 * @format: the reason, as for printf()
 *
 * Return: @error.
 */
int failure_set(struct failure *failure, int error, bool lasting, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif /* MPI_FAILURE_H */
