// SPDX-License-Identifier: Apache-2.0
#include "guest.h"
#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * After the program's end, output of processes that it left running is relayed until there was none
 * for this time, in ms.
 */
#define LINGER_MS 50
/*
 * Capacity of pipes and a terminal, an upper bound of the program's own output after its end. More
 * comes from processes that it left running, and is dropped.
 */
#define LEFT_OVER_MAX (256 * 1024)

struct relay {
	struct program *program;
	int line;
	int child_fd; /* signalfd of SIGCHLD */
	struct wire_in in;
	struct wire_out out;
	uint8_t input[WIRE_STDIN_WINDOW]; /* standard input that the program has not read yet */
	size_t input_have;
	uint32_t owed; /* credit that has not been sent to the host yet */
	bool input_ends;
	bool exited;
	size_t left_over; /* bytes of output after the program's end */
	uint32_t status;
	const char *broken; /* why the line cannot be used any more */
};

/* The terminal has one descriptor for both directions, which stays open until the guest ends. */
static void relay_close_end(struct program *program, int *fd)
{
	if (*fd != program->terminal)
		close(*fd);
	*fd = -1;
}

static void relay_close_output(struct program *program, int fd)
{
	if (fd < 3 && program->output[fd] >= 0)
		relay_close_end(program, &program->output[fd]);
}

static void relay_set_winsize(struct program *program, const uint8_t *body)
{
	struct wire_winsize size;
	struct winsize winsize = { 0 };

	memcpy(&size, body, sizeof(size));
	winsize.ws_row = size.rows;
	winsize.ws_col = size.columns;
	if (program->terminal >= 0)
		ioctl(program->terminal, TIOCSWINSZ, &winsize);
}

static void relay_take_input(struct relay *relay, const uint8_t *body, size_t length)
{
	if (!length)
		relay->input_ends = true;
	relay->owed += sizeof(struct wire_head);
	if (relay->program->input < 0)
		return;
	if (length > sizeof(relay->input) - relay->input_have) {
		relay->broken = "the host sent more standard input than it was allowed to";
		return;
	}
	memcpy(relay->input + relay->input_have, body, length);
	relay->input_have += length;
}

static void relay_take_frame(struct relay *relay)
{
	struct wire_head head = wire_head(&relay->in);
	const uint8_t *body = wire_body(&relay->in);

	switch (head.type) {
	case WIRE_STDIN:
		relay_take_input(relay, body, head.length);
		break;
	case WIRE_CLOSED:
		relay_close_output(relay->program, head.fd);
		break;
	case WIRE_SIGNAL:
		kill(-relay->program->pid, head.fd);
		break;
	case WIRE_WINSIZE:
		relay_set_winsize(relay->program, body);
		break;
	default:
		relay->broken = "the host sent a frame of an unknown type";
	}
	wire_next(&relay->in);
}

static void relay_take_frames(struct relay *relay)
{
	int got = 0;

	while (!relay->broken && (got = wire_fill(&relay->in, relay->line)) == 1)
		relay_take_frame(relay);
	if (!relay->broken && got < 0)
		relay->broken = "";
}

static void relay_give_input(struct relay *relay)
{
	struct program *program = relay->program;
	ssize_t n = 0;

	if (relay->input_have && program->input >= 0)
		n = write(program->input, relay->input, relay->input_have);
	if (n > 0) {
		relay->owed += (uint32_t)n;
		relay->input_have -= (size_t)n;
		memmove(relay->input, relay->input + n, relay->input_have);
	}
	if (relay->owed && program->input >= 0) {
		wire_put(&relay->out, WIRE_CREDIT, 0, &relay->owed, sizeof(relay->owed));
		relay->owed = 0;
	}
	/* Without a reader no credit is given, so the remaining input stays unread on the host. */
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		relay->input_have = 0;
		relay_close_end(program, &program->input);
	}
	if (relay->input_ends && !relay->input_have && program->input >= 0)
		relay_close_end(program, &program->input);
}

static bool relay_take_output(struct relay *relay, int fd)
{
	struct program *program = relay->program;
	uint8_t data[WIRE_MAX];
	ssize_t n = read(program->output[fd], data, sizeof(data));

	if (n > 0)
		wire_put(&relay->out, WIRE_OUTPUT, fd, data, (size_t)n);
	if (n > 0 && relay->exited)
		relay->left_over += (size_t)n;
	if (n > 0)
		return true;
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		relay_close_end(program, &program->output[fd]);
	return false;
}

/* Also reaps orphans, which the first process inherits. */
static void relay_take_children(struct relay *relay)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(relay->child_fd, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != relay->program->pid)
			continue;
		relay->exited = true;
		relay->status = (uint32_t)status;
	}
}

static bool relay_has_output(const struct program *program)
{
	return program->output[0] >= 0 || program->output[1] >= 0 || program->output[2] >= 0;
}

/*
 * One iteration; returns false when the program has ended and there is no more output, or the line
 * cannot be used.
 */
static bool relay_turn(struct relay *relay)
{
	struct program *program = relay->program;
	bool room = wire_room(&relay->out), moved = relay->out.have > 0;
	struct pollfd fds[6] = {
		{ .fd = relay->line, .events = POLLIN | (relay->out.have ? POLLOUT : 0) },
		{ .fd = relay->child_fd, .events = POLLIN },
		{ .fd = relay->input_have && room ? program->input : -1, .events = POLLOUT },
	};
	int events;

	for (int i = 0; i < 3; i++)
		fds[3 + i] =
			(struct pollfd){ .fd = room ? program->output[i] : -1, .events = POLLIN };
	events = poll(fds, 6, relay->exited ? LINGER_MS : -1);
	if (fds[1].revents)
		relay_take_children(relay);
	if (fds[0].revents & (POLLIN | POLLHUP | POLLERR))
		relay_take_frames(relay);
	if (wire_room(&relay->out))
		relay_give_input(relay);
	for (int i = 0; i < 3; i++)
		if (fds[3 + i].revents && program->output[i] >= 0 && wire_room(&relay->out))
			moved |= relay_take_output(relay, i);
	if (!relay->broken && wire_flush(&relay->out, relay->line))
		relay->broken = "";
	if (relay->broken)
		return false;
	if (!relay->exited || relay->out.have)
		return true;
	return relay_has_output(program) && relay->left_over < LEFT_OVER_MAX &&
	       (moved || events > 0);
}

const char *guest_relay(struct program *program, int line, uint32_t *status)
{
	static struct relay relay;
	sigset_t child;

	relay = (struct relay){ .program = program, .line = line, .owed = WIRE_STDIN_WINDOW };
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	relay.child_fd = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
	/* The program may have ended before SIGCHLD was blocked. */
	relay_take_children(&relay);
	relay_give_input(&relay);
	wire_flush(&relay.out, line);
	while (relay_turn(&relay))
		;
	close(relay.child_fd);
	*status = relay.status;
	return relay.broken;
}
