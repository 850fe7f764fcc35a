// SPDX-License-Identifier: MIT
/* Programs with other devices. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices.h"

/*
 * The build or device of this program and that of faa-bench, names of spec/builds.toml; the
 * directory of the programs of the others.
 */
#ifndef BENCH_DEFAULT
#define BENCH_DEFAULT "full"
#endif
#ifndef BENCH_DEVICE
#define BENCH_DEVICE BENCH_DEFAULT
#endif
#ifndef BENCH_BUILD
#define BENCH_BUILD "."
#endif

#define PROGRAM	      "tests/bench/faa-bench"
#define PATH_BYTES    4096
#define MAX_ARGUMENTS 16

static void path_of(const char *device, char *path)
{
	snprintf(path, PATH_BYTES, BENCH_BUILD "/" PROGRAM "-%s", device);
}

const char *devices_name(void)
{
	return BENCH_DEVICE;
}

bool devices_here(const char *device)
{
	return !device || strcmp(BENCH_DEVICE, BENCH_DEFAULT) != 0;
}

const char *devices_missing(const char *device, char *buffer, size_t size)
{
	struct stat own, other;
	char path[PATH_BYTES];

	path_of(device, path);
	if (!stat(path, &other) && !stat(BENCH_BUILD "/" PROGRAM, &own) &&
	    (other.st_mtim.tv_sec > own.st_mtim.tv_sec ||
	     (other.st_mtim.tv_sec == own.st_mtim.tv_sec &&
	      other.st_mtim.tv_nsec >= own.st_mtim.tv_nsec)))
		return NULL;
	snprintf(buffer, size, "it is measured on another device: ninja -C %s " PROGRAM "-%s",
		 BENCH_BUILD, device);
	return buffer;
}

int devices_run(const char *device, char *const arguments[])
{
	char path[PATH_BYTES], *argv[MAX_ARGUMENTS];
	unsigned int n = 0;
	int status;
	pid_t child;

	path_of(device, path);
	argv[n++] = path;
	for (; *arguments && n < MAX_ARGUMENTS - 1; arguments++)
		argv[n++] = *arguments;
	argv[n] = NULL;
	fflush(stdout);
	child = fork();
	if (!child) {
		execv(path, argv);
		fprintf(stderr, "faa-bench: %s: %s\n", path, strerror(errno));
		_exit(1);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		fprintf(stderr, "faa-bench: %s: %s\n", path, strerror(errno));
		return -1;
	}
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
}
