// SPDX-License-Identifier: Apache-2.0
#include "run_seed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The guest's clock at its start: 2026-01-01 00:00 UTC, in ns. */
#define SEED_START "1767225600000000000"
/* Random cycles of latency at the AXI port of the RTL, and per mille of withheld handshakes. */
#define SEED_JITTER "--jitter=64"
#define SEED_STALL  "--stall=20"

/* Variables that the program gets; a * at the end stands for any rest of the name. */
static const char *const seed_variables[] = {
	"PATH",		"HOME",		 "USER",  "LANG", "LC_*",    "TZ",
	"TERM",		"PWD",		 "FAA_*", "LD_*", "PYTHON*", "OMPI_*",
	"ASAN_OPTIONS", "UBSAN_OPTIONS", "KSFT*", NULL,
};

const char *run_seed_check(const struct run_options *options)
{
	if (!options->seed)
		return options->record ? "--record needs --seed" : NULL;
	if (options->guests)
		return "--seed is of one guest: the network of --guests has no simulated time";
	if (options->devices > 1)
		return "--seed takes one device: several have no common simulated time";
	return NULL;
}

bool run_seed_passes_variable(const char *variable)
{
	size_t length = strcspn(variable, "=");

	for (const char *const *name = seed_variables; *name; name++) {
		size_t known = strlen(*name);

		if ((*name)[known - 1] == '*' ? !strncmp(variable, *name, known - 1) :
						known == length && !strncmp(variable, *name, known))
			return true;
	}
	return false;
}

static bool seed_copy_input(int to)
{
	char data[65536];
	ssize_t n;

	while ((n = read(0, data, sizeof(data))) > 0)
		if (write(to, data, (size_t)n) != n)
			return false;
	return n == 0 && lseek(to, 0, SEEK_SET) == 0;
}

int run_seed_choose_input(const struct run_files *files)
{
	char path[128];
	struct stat st;
	int fd;

	if (fstat(0, &st) == 0 && S_ISREG(st.st_mode))
		return 0;
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) {
		snprintf(path, sizeof(path), "%s/input", files->dir);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd < 0 || !seed_copy_input(fd)) {
			run_error("cannot copy standard input to %s: %s", path, strerror(errno));
			return -1;
		}
	} else {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	dup2(fd, 0);
	close(fd);
	return 0;
}

unsigned int run_seed_vdev_args(const struct run_options *options, const struct run_files *files,
				char (*text)[256], const char **args)
{
	if (!options->seed)
		return 0;
	snprintf(text[0], sizeof(text[0]), "--seed=%s", options->seed);
	snprintf(text[1], sizeof(text[1]), "--time-socket=%s/time", files->dir);
	snprintf(text[2], sizeof(text[2]), "--events=%s/events", files->dir);
	for (unsigned int i = 0; i < 3; i++)
		args[i] = text[i];
	args[3] = SEED_JITTER;
	args[4] = SEED_STALL;
	return 5;
}

unsigned int run_seed_kernel_args(const struct run_options *options, char (*text)[256],
				  const char **args)
{
	if (!options->seed)
		return 0;
	snprintf(text[0], sizeof(text[0]), "time-travel-seed=%s", options->seed);
	args[0] = text[0];
	args[1] = options->devices ? "time-travel=ext:time" : "time-travel=inf-cpu";
	args[2] = "time-travel-start=" SEED_START;
	return 3;
}

int run_seed_become(const char *dir)
{
	const struct rlimit none = { 0, 0 };
	int now = personality(0xffffffff);

	/* The kernel logs it. */
	setrlimit(RLIMIT_CORE, &none);
	if (now < 0 || personality((unsigned int)now | ADDR_NO_RANDOMIZE) < 0)
		return -1;
	return chdir(dir);
}
