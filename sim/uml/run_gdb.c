// SPDX-License-Identifier: Apache-2.0
/*
 * --gdb: the kernel is the process that gdb runs; gdb finds the program in the kernel. gdb and the
 * program's output share the terminal, which belongs to gdb; the kernel's console goes to the log.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Standard input of faa-run, for the debugger; -1 = none. */
static int gdb_input = -1;

void run_gdb_take_terminal(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	gdb_input = fcntl(0, F_DUPFD_CLOEXEC, 3);
	dup2(null, 0);
	close(null);
}

/*
 * The module's file with symbols, as a Python string: x.debug, where the build has moved those of
 * x.ko, else x.ko. Arguments of the module, or another line, follow its name.
 */
static void gdb_put_module(FILE *file, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = strcspn(path, " \n");
	char symbols[PATH_MAX];

	if (!slash || length < 3 || strncmp(path + length - 3, ".ko", 3))
		return;
	snprintf(symbols, sizeof(symbols), "%.*s.debug", (int)(length - 3), path);
	if (access(symbols, R_OK))
		snprintf(symbols, sizeof(symbols), "%.*s", (int)length, path);
	fprintf(file, "python faa_modules.append(r\"\"\"%s\"\"\")\n", symbols);
}

static int gdb_write_script(const struct run_files *files, const struct run_options *options,
			    const char *path)
{
	FILE *file = fopen(path, "we");
	char program[PATH_MAX], commands[PATH_MAX];
	bool failed;

	if (!file) {
		run_error("cannot write %s: %s", path, strerror(errno));
		return -1;
	}
	fputs("python faa_modules = []\n", file);
	for (unsigned int i = 0; i < options->modules.count; i++)
		gdb_put_module(file, options->modules.item[i]);
	for (const char *path = files->user_modules, *end; path; path = end ? end + 1 : NULL) {
		end = strchr(path, '\n');
		gdb_put_module(file, path);
	}
	if (options->driver)
		gdb_put_module(file, files->module);
	if (options->kunit)
		gdb_put_module(file, files->kunit);
	fprintf(file, "python faa_log = r\"\"\"%s\"\"\"\n", files->log);
	if (run_find_program(options->program[0], program))
		fprintf(file, "python faa_program = r\"\"\"%s\"\"\"\n", program);
	fprintf(file, "python faa_script = r\"\"\"%s\"\"\"\nsource %s\n", files->gdb, files->gdb);
	/* With --seed gdb runs in another directory. */
	if (options->gdb_file && realpath(options->gdb_file, commands))
		fprintf(file, "source %s\n", commands);
	failed = ferror(file);
	if (fclose(file) || failed) {
		run_error("cannot write %s: %s", path, strerror(errno));
		return -1;
	}
	return 0;
}

int run_gdb_args(const struct run_files *files, const struct run_options *options,
		 const char **args)
{
	static char path[PATH_MAX];
	char debugger[PATH_MAX];

	if (!run_find_program("gdb", debugger)) {
		run_error("--gdb: there is no gdb; the Debian package gdb has it");
		return -1;
	}
	if (options->gdb_file && access(options->gdb_file, R_OK)) {
		run_error("cannot read %s: %s", options->gdb_file, strerror(errno));
		return -1;
	}
	snprintf(path, sizeof(path), "%s/gdb", files->dir);
	args[0] = "gdb";
	args[1] = "-q";
	args[2] = "-x";
	args[3] = path;
	args[4] = "--args";
	return gdb_write_script(files, options, path);
}

/* Gives the terminal to process group @group. The calling one is in the background. */
static void gdb_give_terminal(int fd, pid_t group)
{
	signal(SIGTTOU, SIG_IGN);
	tcsetpgrp(fd, group);
	signal(SIGTTOU, SIG_DFL);
}

void run_gdb_become(void)
{
	setpgid(0, 0);
	dup2(gdb_input, 0);
	/* Ctrl-C is for the debugger. */
	gdb_give_terminal(0, getpgrp());
}

void run_gdb_end(void)
{
	gdb_give_terminal(gdb_input, getpgrp());
}
