// SPDX-License-Identifier: Apache-2.0
#include "now.h"
#include "run.h"
#include "wire.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* Number of interrupts after which everything is killed. */
#define PATIENCE_SIGNALS 3
/* Time limit of a program after a signal that ends it; a caller that hangs up waits no longer. */
#define GRACE_MS  1000
#define FOLLOW_MS 100
/* faa-vdev also ends when the guest powers off; then the exit status arrives within this time. */
#define POWER_OFF_MS 500

struct relay {
	struct run_machine *machine;
	const struct run_files *files;
	const struct run_options *options;
	int line, signal_fd;
	struct wire_in in;
	struct wire_out out;
	size_t written;	 /* of the output frame in @in */
	uint32_t credit; /* bytes of standard input that may be sent */
	bool input_open;
	bool has_terminal;
	bool up; /* the guest has sent a frame */
	unsigned int signals;
	long long deadline, grace, unplug_message; /* ms; 0 = none */
	int result;				   /* exit status once known */
	bool done;
};

static volatile sig_atomic_t relay_terminal_is_raw;
static struct termios relay_terminal_before;

/* Only a foreground process may read a terminal; in the background its input counts as closed. */
static bool relay_reads_terminal(void)
{
	return isatty(0) && tcgetpgrp(0) == getpgrp();
}

/*
 * The guest opens a regular file itself: its data needs no frames, and faa-run reads nothing ahead
 * of the program.
 */
static bool relay_reads_file(void)
{
	char path[PATH_MAX];
	struct stat open_file, named;
	ssize_t n = readlink("/proc/self/fd/0", path, sizeof(path) - 1);

	if (n < 0)
		return false;
	path[n] = 0;
	return !fstat(0, &open_file) && S_ISREG(open_file.st_mode) && !stat(path, &named) &&
	       named.st_dev == open_file.st_dev && named.st_ino == open_file.st_ino;
}

void run_choose_stdio(char *stdio)
{
	struct stat out, err;

	stdio[0] = relay_reads_terminal() ? 't' : relay_reads_file() ? 'f' : 'p';
	stdio[1] = isatty(1) && stdio[0] == 't' ? 't' : 'p';
	stdio[2] = isatty(2) && stdio[0] == 't' ? 't' : 'p';
	stdio[3] = 0;
	/* "2>&1": a single pipe preserves the order of both. */
	if (stdio[1] == 'p' && stdio[2] == 'p' && !fstat(1, &out) && !fstat(2, &err) &&
	    out.st_dev == err.st_dev && out.st_ino == err.st_ino)
		stdio[2] = '1';
}

static void relay_restore_terminal(void)
{
	if (relay_terminal_is_raw)
		tcsetattr(0, TCSADRAIN, &relay_terminal_before);
	relay_terminal_is_raw = 0;
}

/* The guest's terminal handles line editing and signals. */
static void relay_make_terminal_raw(void)
{
	struct termios raw;

	if (tcgetattr(0, &relay_terminal_before))
		return;
	raw = relay_terminal_before;
	cfmakeraw(&raw);
	relay_terminal_is_raw = 1;
	atexit(relay_restore_terminal);
	tcsetattr(0, TCSADRAIN, &raw);
}

int run_open_signals(void)
{
	static const int handled[] = { SIGINT,	SIGTERM, SIGHUP,  SIGQUIT,
				       SIGUSR1, SIGUSR2, SIGCHLD, SIGWINCH };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(handled) / sizeof(handled[0]); i++)
		sigaddset(&set, handled[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void relay_finish(struct relay *relay, int result)
{
	relay->result = result;
	relay->done = true;
}

static void relay_send_winsize(struct relay *relay)
{
	struct wire_winsize size;
	struct winsize winsize;

	if (!relay->has_terminal || ioctl(0, TIOCGWINSZ, &winsize) || !wire_room(&relay->out))
		return;
	size = (struct wire_winsize){ winsize.ws_row, winsize.ws_col };
	wire_put(&relay->out, WIRE_WINSIZE, 0, &size, sizeof(size));
}

/* Passes a signal to the program. A program that has not started, or does not end, is killed. */
static void relay_pass_signal(struct relay *relay, int number)
{
	bool asks_to_end = number != SIGUSR1 && number != SIGUSR2;

	if (relay->up && wire_room(&relay->out))
		wire_put(&relay->out, WIRE_SIGNAL, number, NULL, 0);
	if (!asks_to_end)
		return;
	relay->signals++;
	if ((number == SIGTERM || number == SIGHUP) && !relay->grace)
		relay->grace = now_ms() + GRACE_MS;
	if (!relay->up || relay->signals >= PATIENCE_SIGNALS)
		relay_finish(relay, 128 + number);
}

static void relay_check_processes(struct relay *relay)
{
	struct run_machine *machine = relay->machine;

	run_reap(machine);
	if (machine->ended && machine->kernel && !machine->unplugged) {
		machine->unplugged = true;
		relay->unplug_message = now_ms() + POWER_OFF_MS;
	}
}

static void relay_say_unplugged(struct relay *relay)
{
	const struct run_machine *machine = relay->machine;
	int status = machine->ended_status;
	bool killed = WIFSIGNALED(status);
	char which[32] = "";

	relay->unplug_message = 0;
	if (machine->devices > 1)
		snprintf(which, sizeof(which), " %u of %u", machine->ended, machine->devices);
	run_error("%s%s ended (%s %d); for the kernel the card has been pulled out",
		  run_device_name(relay->options), which, killed ? "signal" : "exit status",
		  killed ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void relay_take_signals(struct relay *relay)
{
	struct signalfd_siginfo info;

	while (read(relay->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			relay_check_processes(relay);
		else if (info.ssi_signo == SIGWINCH)
			relay_send_winsize(relay);
		else
			relay_pass_signal(relay, (int)info.ssi_signo);
	}
}

/*
 * Writes part of an output frame; true when the frame is complete. After poll() a write of at most
 * PIPE_BUF bytes does not block.
 */
static bool relay_write_output(struct relay *relay)
{
	struct wire_head head = wire_head(&relay->in);
	ssize_t n = write(head.fd, wire_body(&relay->in) + relay->written,
			  head.length - relay->written);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n < 0) {
		if (wire_room(&relay->out))
			wire_put(&relay->out, WIRE_CLOSED, head.fd, NULL, 0);
		n = (ssize_t)(head.length - relay->written);
	}
	relay->written += (size_t)n;
	return relay->written == head.length;
}

/* Handles the frame in @in; true when it is complete. */
static bool relay_take_frame(struct relay *relay)
{
	struct wire_head head = wire_head(&relay->in);
	const uint8_t *body = wire_body(&relay->in);
	uint32_t credit;

	relay->up = true;
	switch (head.type) {
	case WIRE_OUTPUT:
		return head.fd > 2 || relay_write_output(relay);
	case WIRE_CREDIT:
		memcpy(&credit, body, sizeof(credit));
		relay->credit += credit;
		return true;
	case WIRE_EXIT:
		relay_finish(relay, wire_exit_status(body));
		return true;
	case WIRE_ERROR:
		run_error("%.*s", (int)head.length, (const char *)body);
		relay_finish(relay, -1);
		return true;
	default:
		run_error("the guest sent an unknown frame %u", head.type);
		relay_finish(relay, -1);
		return true;
	}
}

static void relay_line_ended(struct relay *relay)
{
	run_error(relay->options->gdb ? "the debugger has ended before the program" :
					"the kernel ended before the program did");
	relay_finish(relay, -1);
}

/* Output that the caller does not read blocks the line, and thereby the program, like a pipe. */
static int relay_blocked_fd(const struct relay *relay)
{
	struct wire_head head;

	if (relay->in.have < sizeof(head))
		return -1;
	head = wire_head(&relay->in);
	if (relay->in.have < sizeof(head) + head.length || head.type != WIRE_OUTPUT || head.fd > 2)
		return -1;
	return head.fd;
}

static void relay_take_line(struct relay *relay)
{
	int got = wire_fill(&relay->in, relay->line);

	if (got < 0)
		relay_line_ended(relay);
	/* Output waits for poll(); other frames are handled at once. */
	if (got == 1 && relay_blocked_fd(relay) < 0 && relay_take_frame(relay))
		wire_next(&relay->in);
}

static void relay_check_time(struct relay *relay)
{
	long long now = now_ms();

	if (relay->unplug_message && now >= relay->unplug_message)
		relay_say_unplugged(relay);
	if (relay->deadline && now >= relay->deadline) {
		run_error("'%s' has not ended within %u s", relay->options->program[0],
			  relay->options->timeout);
		relay_finish(relay, -1);
	} else if (relay->grace && now >= relay->grace) {
		relay_finish(relay, 128 + SIGTERM);
	}
}

/* The earlier of two times; 0 is never. */
static long long relay_earlier(long long a, long long b)
{
	return a && (!b || a < b) ? a : b;
}

static int relay_poll_timeout(const struct relay *relay)
{
	long long until =
		relay_earlier(relay->deadline, relay_earlier(relay->grace, relay->unplug_message));
	long long left;

	left = until ? until - now_ms() : -1;
	if (until && left < 0)
		left = 0;
	if (relay->options->verbose && (left < 0 || left > FOLLOW_MS))
		left = FOLLOW_MS;
	return left > 1000000 ? 1000000 : (int)left;
}

static void relay_turn(struct relay *relay)
{
	int blocked = relay_blocked_fd(relay);
	bool may_read = relay->input_open && relay->credit > sizeof(struct wire_head) &&
			wire_room(&relay->out);
	struct pollfd fds[] = {
		{ .fd = relay->signal_fd, .events = POLLIN },
		{ .fd = relay->line,
		  .events = (blocked < 0 ? POLLIN : 0) | (relay->out.have ? POLLOUT : 0) },
		{ .fd = may_read ? 0 : -1, .events = POLLIN },
		{ .fd = blocked, .events = POLLOUT },
	};

	poll(fds, 4, relay_poll_timeout(relay));
	if (relay->options->verbose)
		run_log_follow(relay->files);
	if (fds[0].revents)
		relay_take_signals(relay);
	if (fds[3].revents && relay_take_frame(relay)) {
		relay->written = 0;
		wire_next(&relay->in);
	}
	if (fds[1].revents & (POLLIN | POLLHUP | POLLERR) && blocked < 0 && !relay->done)
		relay_take_line(relay);
	if (fds[2].revents && wire_room(&relay->out))
		relay->input_open = wire_put_input(&relay->out, &relay->credit);
	/* An end of the line is detected when reading, after the remaining data. */
	wire_flush(&relay->out, relay->line);
	if (!relay->done)
		relay_check_time(relay);
}

int run_relay(struct run_machine *machine, const struct run_files *files,
	      const struct run_options *options, const char *stdio, int signal_fd)
{
	static struct relay relay;

	relay = (struct relay){ .machine = machine,
				.files = files,
				.options = options,
				.line = machine->line,
				.signal_fd = signal_fd,
				.input_open = stdio[0] == 't' || (stdio[0] == 'p' && !isatty(0)),
				.has_terminal = strchr(stdio, 't') != NULL };
	if (options->timeout)
		relay.deadline = now_ms() + options->timeout * 1000LL;
	if (stdio[0] == 't')
		relay_make_terminal_raw();
	relay_send_winsize(&relay);
	if (stdio[0] == 'p' && !relay.input_open)
		wire_put(&relay.out, WIRE_STDIN, 0, NULL, 0);
	while (!relay.done)
		relay_turn(&relay);
	relay_restore_terminal();
	return relay.result;
}
