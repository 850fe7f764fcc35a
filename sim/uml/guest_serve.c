// SPDX-License-Identifier: Apache-2.0
/*
 * The server of faa-rsh: a process for each command. The guests' network has no other machines, so
 * the server asks for no password.
 */
#include "guest.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Working directory and command. */
#define COMMAND_MAX (256 * 1024)

struct command {
	char text[COMMAND_MAX];
	size_t length;
};

/* Reads the frames of a command; false if the connection ends before, or they are too many. */
static bool serve_read(int connection, struct command *command)
{
	static struct wire_in in;

	in.have = 0;
	while (wire_wait(&in, connection) > 0) {
		struct wire_head head = wire_head(&in);

		if (head.type != WIRE_COMMAND ||
		    head.length >= sizeof(command->text) - command->length)
			return false;
		memcpy(command->text + command->length, wire_body(&in), head.length);
		command->length += head.length;
		wire_next(&in);
		if (!head.length)
			return strnlen(command->text, command->length) < command->length;
	}
	return false;
}

/* In a process of its own. */
static void serve_command(const struct job *serves, int connection)
{
	static struct command command;
	static struct wire_out out;
	char *argv[] = { "/bin/sh", "-c", NULL, NULL }, error[512];
	struct job job = { .argv = argv, .envp = serves->envp, .stdio = "ppp", .umask = 022 };
	struct program program;
	uint32_t status;
	int code;

	if (!serve_read(connection, &command))
		return;
	job.dir = command.text;
	argv[2] = command.text + strlen(command.text) + 1;
	code = guest_start(&job, &program, error, sizeof(error));
	if (code) {
		wire_put(&out, WIRE_OUTPUT, 2, error, strlen(error));
		status = (uint32_t)code << 8;
	} else if (guest_relay(&program, connection, &status)) {
		/* Its caller has gone. */
		kill(-program.pid, SIGKILL);
		return;
	}
	wire_put(&out, WIRE_EXIT, 0, &status, sizeof(status));
	wire_drain(&out, connection);
}

static void serve_loop(const struct job *job, int listener)
{
	for (;;) {
		int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		int one = 1;
		pid_t pid = connection < 0 ? -1 : fork();

		if (pid == 0) {
			close(listener);
			signal(SIGCHLD, SIG_DFL);
			setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
			serve_command(job, connection);
			_exit(0);
		}
		if (connection >= 0)
			close(connection);
	}
}

void guest_serve(const struct job *job, int line)
{
	struct sockaddr_in any = { .sin_family = AF_INET, .sin_port = htons(GUEST_PORT) };
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	pid_t pid;

	if (listener < 0 || bind(listener, (struct sockaddr *)&any, sizeof(any)) ||
	    listen(listener, SOMAXCONN))
		guest_fail("cannot listen for commands of other guests: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		guest_fail("cannot start the server of commands: %s", strerror(errno));
	if (pid == 0) {
		close(line);
		signal(SIGCHLD, SIG_IGN);
		signal(SIGPIPE, SIG_IGN);
		serve_loop(job, listener);
	}
	close(listener);
}
