/* SPDX-License-Identifier: MIT */
/**
 * DOC: Common parts of the examples of libfaa_mpi
 *
 * A call of libfaa_mpi fails on all ranks with the same error, so each rank says why and ends; an
 * error of one rank alone ends the job as MPI does.
 */
#ifndef RANKS_H
#define RANKS_H

#include <stddef.h>
#include <stdint.h>

#include "faa_mpi.h"

/** struct ranks - this rank, and how many there are */
struct ranks {
	int own;
	int count;
};

/** ranks_begin() - MPI_Init() */
void ranks_begin(struct ranks *ranks);

/** ranks_end() - MPI_Finalize(), and exit with @status: 0, or 1 if a check or the output failed */
void ranks_end(const struct ranks *ranks, int status) __attribute__((noreturn));

/** ranks_check() - end all ranks with status 1 if @ret is an error of libfaa_mpi */
void ranks_check(const struct ranks *ranks, int ret);

/** ranks_fail() - end the job, for an error of this rank alone; as printf() */
void ranks_fail(const struct ranks *ranks, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/** ranks_memory() - calloc() that ends the job without memory; the result is never NULL */
void *ranks_memory(const struct ranks *ranks, size_t count, size_t size);

/** ranks_sum() - sum over all ranks */
uint64_t ranks_sum(uint64_t value);

/** ranks_barrier() - the time, seconds, when all ranks have come here */
double ranks_barrier(void);

/** ranks_random() - the next number of the sequence of @seed (splitmix64) */
static inline uint64_t ranks_random(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

#endif /* RANKS_H */
