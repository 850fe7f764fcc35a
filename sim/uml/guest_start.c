// SPDX-License-Identifier: Apache-2.0
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Exit statuses of a shell for a program that does not exist, or cannot be executed. */
#define EXIT_NOT_FOUND	  127
#define EXIT_NOT_RUNNABLE 126

/* Error between fork and exec, sent through a pipe that a successful exec closes. */
struct start_error {
	int error;
	bool in_chdir;
};

/* The program's ends: three descriptors, and its terminal (-1 = none). */
struct far_end {
	int fd[3];
	int terminal;
};

static void start_need(bool ok, const char *what)
{
	if (!ok)
		guest_fail("cannot make a %s for the program: %s", what, strerror(errno));
}

static int start_open_terminal(const struct job *job, struct program *program)
{
	struct winsize size = { .ws_row = job->rows, .ws_col = job->columns };
	int slave;

	start_need(openpty(&program->terminal, &slave, NULL, NULL, &size) == 0, "terminal");
	fcntl(program->terminal, F_SETFD, FD_CLOEXEC);
	fcntl(program->terminal, F_SETFL, O_NONBLOCK);
	fcntl(slave, F_SETFD, FD_CLOEXEC);
	return slave;
}

/*
 * One terminal serves all descriptors. Its output goes to the host's fd 1 if that is a terminal,
 * else to fd 2, else to fd 0.
 */
static void start_attach_terminal(const struct job *job, struct program *program)
{
	int shows = job->stdio[1] == 't' ? 1 : job->stdio[2] == 't' ? 2 : 0;

	program->output[shows] = program->terminal;
	if (job->stdio[0] == 't')
		program->input = program->terminal;
}

static void start_connect_stdio(const struct job *job, struct program *program, struct far_end *far)
{
	*program = (struct program){ .input = -1, .output = { -1, -1, -1 }, .terminal = -1 };
	far->terminal = strchr(job->stdio, 't') ? start_open_terminal(job, program) : -1;
	for (int i = 0; i < 3; i++) {
		int ends[2];

		far->fd[i] = far->terminal;
		if (job->stdio[i] == 't')
			continue;
		if (i == 0 && job->stdio[0] == 'f') {
			far->fd[0] = open(job->input, O_RDONLY | O_CLOEXEC);
			start_need(far->fd[0] >= 0 &&
					   lseek(far->fd[0], job->input_offset, SEEK_SET) >= 0,
				   "standard input");
			continue;
		}
		if (i == 2 && job->stdio[i] == '1') {
			far->fd[2] = far->fd[1];
			continue;
		}
		start_need(pipe2(ends, O_CLOEXEC) == 0, "pipe");
		far->fd[i] = ends[i == 0 ? 0 : 1];
		fcntl(ends[i == 0 ? 1 : 0], F_SETFL, O_NONBLOCK);
		if (i == 0)
			program->input = ends[1];
		else
			program->output[i] = ends[0];
	}
	if (far->terminal >= 0)
		start_attach_terminal(job, program);
}

static void start_close_far_end(const struct far_end *far)
{
	for (int i = 0; i < 3; i++)
		if (far->fd[i] != far->terminal && !(i == 2 && far->fd[2] == far->fd[1]))
			close(far->fd[i]);
	if (far->terminal >= 0)
		close(far->terminal);
}

static void start_become_program(const struct job *job, const struct far_end *far, int report)
{
	struct start_error failed = { 0 };
	sigset_t none;

	setsid();
	if (far->terminal >= 0)
		ioctl(far->terminal, TIOCSCTTY, 0);
	for (int i = 0; i < 3; i++)
		dup2(far->fd[i], i);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	umask(job->umask);
	environ = job->envp;
	if (chdir(job->dir))
		failed = (struct start_error){ errno, true };
	else if (execvp(job->argv[0], job->argv))
		failed = (struct start_error){ errno, false };
	if (write(report, &failed, sizeof(failed)) < 0)
		_exit(EXIT_FAILURE);
	_exit(EXIT_SUCCESS);
}

int guest_start(const struct job *job, struct program *program, char *error, size_t error_size)
{
	struct start_error failed;
	struct far_end far;
	int report[2];

	start_connect_stdio(job, program, &far);
	start_need(pipe2(report, O_CLOEXEC) == 0, "pipe");
	program->pid = fork();
	start_need(program->pid >= 0, "process");
	if (program->pid == 0)
		start_become_program(job, &far, report[1]);
	close(report[1]);
	start_close_far_end(&far);
	if (read(report[0], &failed, sizeof(failed)) != sizeof(failed)) {
		close(report[0]);
		return 0;
	}
	close(report[0]);
	if (failed.in_chdir)
		snprintf(error, error_size, "faa-run: cannot enter the directory %s: %s\n",
			 job->dir, strerror(failed.error));
	else
		snprintf(error, error_size, "faa-run: cannot run '%s': %s\n", job->argv[0],
			 strerror(failed.error));
	return failed.error == ENOENT && !failed.in_chdir ? EXIT_NOT_FOUND : EXIT_NOT_RUNNABLE;
}
