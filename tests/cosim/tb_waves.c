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
#include "waves_option.h"

#include "tb_host.h"
#include "tb_waves.h"

#define HOSTS	 4
#define MAX_ARGS 8

static struct tb_host *waves_hosts[HOSTS];
static struct waves_option waves_asked = { .cycles = WAVES_CYCLES };

static const char *waves_dir(void)
{
	const char *dir = getenv("FAA_WAVES");

	return dir && *dir ? dir : NULL;
}

/* Whether engines of @ops are to keep waveforms. */
static bool waves_of(const void *ops)
{
	return tb_traces() && (waves_dir() || waves_asked.file) && ops != &faa_engine_model;
}

void tb_waves_set(const void *ops, struct faa_engine_config *config)
{
	if (!waves_of(ops))
		return;
	config->trace_cycles = waves_asked.to ? 0 : waves_asked.cycles;
	config->trace_from = waves_asked.from;
	config->trace_to = waves_asked.to;
}

/* An engine aborts when an assertion of the RTL fails. */
static void waves_on_abort(int number)
{
	signal(number, SIG_DFL);
	tb_waves_keep("aborted");
}

void tb_waves_add(struct tb_host *host)
{
	if (!waves_of(host->ops))
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

/* The name of waveform @count of the test @name. */
static void waves_path(const char *name, unsigned int count, char path[PATH_MAX])
{
	const char *file = waves_asked.file, *end = file ? strrchr(file, '.') : NULL;
	char number[16];

	snprintf(number, sizeof(number), count ? "-%u" : "", count);
	if (!file)
		snprintf(path, PATH_MAX, "%s/%s-%s%s.fst", waves_dir(),
			 program_invocation_short_name, name, number);
	else if (end && !strchr(end, '/'))
		snprintf(path, PATH_MAX, "%.*s%s%s", (int)(end - file), file, number, end);
	else
		snprintf(path, PATH_MAX, "%s%s.fst", file, number);
}

static void waves_write(struct tb_host *host, const char *path)
{
	int err = host->ops->dump_trace(host->engine, path);

	if (err)
		fprintf(stderr, "the waveform %s cannot be written: %s\n", path, strerror(-err));
	else
		fprintf(stderr, "waveform: %s; 'gtkwave %.*s.gtkw' shows it\n", path,
			(int)(strrchr(path, '.') - path), path);
}

void tb_waves_keep(const char *name)
{
	unsigned int count = 0;
	char path[PATH_MAX];

	for (unsigned int i = 0; i < HOSTS; i++) {
		if (!waves_hosts[i])
			continue;
		if (!waves_asked.file && mkdir(waves_dir(), 0777) && errno != EEXIST)
			fprintf(stderr, "cannot make the directory of FAA_WAVES, %s: %s\n",
				waves_dir(), strerror(errno));
		waves_path(name, count++, path);
		waves_write(waves_hosts[i], path);
	}
}

bool tb_waves_wanted(void)
{
	return waves_dir() && !tb_traces();
}

bool tb_waves_asked(void)
{
	return waves_asked.file;
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

/* Finds the program with waveforms, and builds it if it is missing; false after a message. */
static bool waves_find(char path[PATH_MAX])
{
	char root[PATH_MAX], plain[PATH_MAX], target[128];
	ssize_t n = readlink("/proc/self/exe", root, sizeof(root) - 1);
	char *at;

	root[n > 0 ? n : 0] = 0;
	at = strstr(root, "/tests/cosim/");
	if (!at) {
		fprintf(stderr, "no waveform: %s is in no build directory\n", root);
		return false;
	}
	snprintf(plain, sizeof(plain), "%s", at + 1);
	*at = 0;
	waves_program(target, sizeof(target));
	return waves_build(root, target, plain, path) == 0;
}

void tb_waves_again(const char *const args[])
{
	char path[PATH_MAX];
	int status = 0;
	pid_t pid;

	if (!waves_find(path))
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

void tb_waves_option(char *argument, char *const argv[])
{
	char *text = strdup(argument);
	const char *problem = text ? waves_option_parse(&waves_asked, text) : "no memory";
	char path[PATH_MAX];

	if (problem)
		tb_die("--waves=%s: %s", argument, problem);
	if (tb_traces())
		return;
	if (!waves_find(path))
		exit(2);
	execv(path, argv);
	tb_die("cannot run %s: %s", path, strerror(errno));
}
