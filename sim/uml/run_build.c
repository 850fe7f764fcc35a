// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels and drivers of the user: the scripts user-kernel.sh and user-module.sh build them, and
 * print where they are.
 */
#include "run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child: the script with its output in @out. */
static void build_become(const char *const *args, int out)
{
	dup2(out, 1);
	execv(args[0], (char *const *)args);
	run_error("cannot run %s: %s", args[0], strerror(errno));
	_exit(RUN_FAILED);
}

/* Reads all of @fd. Return: the text, to be freed, without the last line end. */
static char *build_read(int fd)
{
	FILE *file = fdopen(fd, "r");
	char *text = NULL;
	size_t size = 0;
	ssize_t length = file ? getdelim(&text, &size, 0, file) : -1;

	if (file)
		fclose(file);
	if (length > 0 && text[length - 1] == '\n')
		text[length - 1] = 0;
	if (length < 0 && text)
		*text = 0;
	return text;
}

/* Return: what the script prints, to be freed, or NULL: it has failed, and has said why. */
static char *build_ask(const char *const *args)
{
	char *text = NULL;
	int ends[2], status = -1;
	pid_t pid;

	if (pipe(ends))
		return NULL;
	pid = fork();
	if (pid == 0)
		build_become(args, ends[1]);
	close(ends[1]);
	if (pid > 0) {
		text = build_read(ends[0]);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	} else {
		close(ends[0]);
	}
	if (status == 0 && text && *text)
		return text;
	free(text);
	return NULL;
}

int run_build_kernel(const char *scripts, const struct run_options *options, char *path)
{
	char script[PATH_MAX];
	const char *args[] = { script, options->kernel_tree, options->flavour,
			       options->kernel_config, NULL };
	char *dir;

	snprintf(script, sizeof(script), "%s/user-kernel.sh", scripts);
	dir = build_ask(args);
	if (!dir)
		return -1;
	snprintf(path, PATH_MAX, "%s", dir);
	free(dir);
	return 0;
}

int run_build_module(const char *scripts, const struct run_options *options,
		     struct run_files *files)
{
	char script[PATH_MAX];
	const char *args[] = { script, options->module, files->kernel, NULL };
	struct stat st;

	if (stat(options->module, &st)) {
		run_error("--module: %s: %s", options->module, strerror(errno));
		return -1;
	}
	if (S_ISDIR(st.st_mode)) {
		snprintf(script, sizeof(script), "%s/user-module.sh", scripts);
		files->user_modules = build_ask(args);
	} else {
		files->user_modules = realpath(options->module, NULL);
	}
	return files->user_modules ? 0 : -1;
}

const char *run_device_name(const struct run_options *options)
{
	const char *slash = options->device ? strrchr(options->device, '/') : NULL;

	if (!options->device)
		return "faa-vdev";
	return slash ? slash + 1 : options->device;
}
