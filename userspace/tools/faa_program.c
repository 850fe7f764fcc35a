// SPDX-License-Identifier: MIT
#include "faa_program.h"
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static error_t program_parse_engine(int key, char *arg, struct argp_state *state)
{
	const char **engine = state->input;

	if (key != 'e')
		return ARGP_ERR_UNKNOWN;
	if (strcmp(arg, "rtl") && strcmp(arg, "model"))
		argp_error(state, "--engine=%s: allowed are rtl and model", arg);
	*engine = arg;
	return 0;
}

static const struct argp_option program_engine_options[] = {
	{ "engine", 'e', "rtl|model", 0,
	  "Engine of the simulated device; without effect where a device exists", 0 },
	{ 0 },
};

static const struct argp program_engine_argp = { .options = program_engine_options,
						 .parser = program_parse_engine };

const struct argp_child faa_program_children[] = {
	{ &program_engine_argp, 0, NULL, 0 },
	{ &tool_help_argp, 0, NULL, -1 },
	{ 0 },
};

/* Path of this program; 0 or -errno. */
static int program_own_path(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	if (n < 0)
		return -errno;
	path[n] = '\0';
	return 0;
}

/*
 * Path of faa-run: in bin/ of this program's prefix, next to it or in a directory above; otherwise
 * the bare name, which execvp() searches in $PATH.
 */
static void program_runner_path(const char *self, char *path, size_t size)
{
	int n;

	for (n = (int)strlen(self); n > 0; n--) {
		if (self[n] != '/')
			continue;
		if (snprintf(path, size, "%.*s/bin/faa-run", n, self) < (int)size &&
		    !access(path, X_OK))
			return;
	}
	snprintf(path, size, "faa-run");
}

/* Returns only if it fails. */
static int program_run_inside(const struct faa_program *program)
{
	char self[PATH_MAX], runner[PATH_MAX], engine[32];
	char **argv;
	int n = 0, ret;

	ret = program_own_path(self, sizeof(self));
	if (ret)
		return ret;
	program_runner_path(self, runner, sizeof(runner));
	argv = calloc(program->argc + 3, sizeof(*argv));
	if (!argv)
		return -ENOMEM;
	argv[n++] = runner;
	if (program->engine) {
		snprintf(engine, sizeof(engine), "--engine=%s", program->engine);
		argv[n++] = engine;
	}
	argv[n++] = self;
	memcpy(argv + n, program->argv + 1, (program->argc - 1) * sizeof(*argv));
	fprintf(stderr, "%s: no faa device on this machine, running in a simulated one (%s)\n",
		program_invocation_short_name, runner);
	setenv("FAA_IN_RUN", "1", 1);
	execvp(runner, argv);
	ret = -errno;
	fprintf(stderr, "%s: cannot start %s: %s\n", program_invocation_short_name, runner,
		strerror(errno));
	free(argv);
	return ret;
}

int faa_program_device(const struct faa_program *program, struct faa_device **device)
{
	int ret = faa_device_open(device);

	if (!ret)
		return 0;
	if (ret == -ENODEV && !getenv("FAA_IN_RUN"))
		return program_run_inside(program);
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, faa_last_error());
	return ret;
}
