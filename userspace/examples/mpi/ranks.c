// SPDX-License-Identifier: MIT
#include "ranks.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void ranks_begin(struct ranks *ranks)
{
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &ranks->own);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
}

void ranks_end(const struct ranks *ranks, int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "%s: rank %d: the output: %s\n", program_invocation_short_name,
			ranks->own, strerror(errno));
		status = 1;
	}
	MPI_Finalize();
	exit(status);
}

void ranks_check(const struct ranks *ranks, int ret)
{
	if (!ret)
		return;
	fprintf(stderr, "%s: rank %d ends: %s\n", program_invocation_short_name, ranks->own,
		faa_last_error());
	ranks_end(ranks, 1);
}

void ranks_fail(const struct ranks *ranks, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: rank %d: ", program_invocation_short_name, ranks->own);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	MPI_Abort(MPI_COMM_WORLD, 1);
	exit(1);
}

void *ranks_memory(const struct ranks *ranks, size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		ranks_fail(ranks, "no memory for %zu items of %zu bytes", count, size);
	return memory;
}

uint64_t ranks_sum(uint64_t value)
{
	MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	return value;
}

/* MPI_Wtime() of Open MPI 4.1 stands still in a guest when mpirun starts one rank. */
double ranks_barrier(void)
{
	struct timespec now;

	MPI_Barrier(MPI_COMM_WORLD);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
