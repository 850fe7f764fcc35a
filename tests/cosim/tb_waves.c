// SPDX-License-Identifier: MIT
/* See tb_waves.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faa_engine.h"
#include "waves_build.h"

#include "tb_host.h"
#include "tb_waves.h"

#define HOSTS	 4
#define MAX_ARGS 8

static struct tb_host *waves_hosts[HOSTS];

static const char *waves_dir(void)
{
	const char *dir = getenv("FAA_WAVES");

	return dir && *dir ? dir : NULL;
}

uint32_t tb_waves_cycles(const void *ops)
{
	return tb_traces() && waves_dir() && ops != &faa_engine_model ? TB_WAVES_CYCLES : 0;
}

/* An engine aborts when an assertion of the RTL fails. */
static void waves_on_abort(int number)
{
	signal(number, SIG_DFL);
	tb_waves_keep("aborted");
}

void tb_waves_add(struct tb_host *host)
{
	if (!tb_waves_cycles(host->ops))
		return;
	signal(SIGABRT, waves_on_abort);
	for (unsigned int i = 0; i < HOSTS; i++) {
		if (!waves_hosts[i]) {
			waves_hosts[i] = host;
			return;
		}
	}
}

void tb_waves_remove(struct tb_host *host)
{
	for (unsigned int i = 0; i < HOSTS; i++)
		if (waves_hosts[i] == host)
			waves_hosts[i] = NULL;
}

void tb_waves_keep(const char *name)
{
	char path[PATH_MAX], number[16];
	unsigned int count = 0;
	int err;

	for (unsigned int i = 0; i < HOSTS; i++) {
		struct tb_host *host = waves_hosts[i];

		if (!host)
			continue;
		if (mkdir(waves_dir(), 0777) && errno != EEXIST)
			fprintf(stderr, "cannot make the directory of FAA_WAVES, %s: %s\n",
				waves_dir(), strerror(errno));
		snprintf(number, sizeof(number), count ? "-%u" : "", count);
		count++;
		snprintf(path, sizeof(path), "%s/%s-%s%s.fst", waves_dir(),
			 program_invocation_short_name, name, number);
		err = host->ops->dump_trace(host->engine, path);
		if (err)
			fprintf(stderr, "the waveform %s cannot be written: %s\n", path,
				strerror(-err));
		else
			fprintf(stderr, "waveform: %s; 'gtkwave %.*s.gtkw' shows it\n", path,
				(int)(strlen(path) - 4), path);
	}
}

bool tb_waves_wanted(void)
{
	return waves_dir() && !tb_traces();
}

/* "faa-lockstep-trace" of "faa-lockstep", "directed-atom-trace" of "directed-atom-rtl". */
static void waves_program(char *traced, size_t size)
{
	const char *name = program_invocation_short_name;
	size_t length = strlen(name);

	if (length > 4 && strcmp(name + length - 4, "-rtl") == 0)
		length -= 4;
	snprintf(traced, size, "tests/cosim/%.*s-trace", (int)length, name);
}

static void waves_exec(const char *path, const char *const args[])
{
	const char *argv[MAX_ARGS + 2] = { path };
	int null = open("/dev/null", O_WRONLY);

	/* Its results are known: a second list of them would be counted. */
	dup2(null, 1);
	for (unsigned int i = 0; i < MAX_ARGS && args[i]; i++)
		argv[i + 1] = args[i];
	execv(path, (char *const *)argv);
	fprintf(stderr, "cannot run %s: %s\n", path, strerror(errno));
	_exit(127);
}

void tb_waves_again(const char *const args[])
{
	char root[PATH_MAX], plain[PATH_MAX], target[128], path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", root, sizeof(root) - 1);
	int status = 0;
	char *at;
	pid_t pid;

	root[n > 0 ? n : 0] = 0;
	at = strstr(root, "/tests/cosim/");
	if (!at) {
		fprintf(stderr, "no waveform: %s is in no build directory\n", root);
		return;
	}
	snprintf(plain, sizeof(plain), "%s", at + 1);
	*at = 0;
	waves_program(target, sizeof(target));
	if (waves_build(root, target, plain, path))
		return;
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		waves_exec(path, args);
	if (pid > 0)
		waitpid(pid, &status, 0);
	if (!status)
		fprintf(stderr, "no waveform: %s has not failed again\n", path);
}
