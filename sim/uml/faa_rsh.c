// SPDX-License-Identifier: Apache-2.0
/*
 * faa-rsh runs a command in another guest of faa-run --guests. It takes the arguments of rsh and
 * ssh, so that Open MPI can start its daemons with it.
 */
#include "now.h"
#include "wire.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* The other guest may still boot. */
#define RSH_PATIENCE_MS 30000
#define RSH_FAILED	125
#define RSH_USAGE	2

const char *argp_program_version = "faa-rsh " FAA_VERSION_TEXT;

struct rsh_options {
	const char *guest;
	char **command;
};

struct rsh {
	int line;
	struct wire_in in;
	struct wire_out out;
	uint32_t credit; /* bytes of standard input that may be sent */
	bool input_open;
};

static const struct argp_option rsh_argp_options[] = {
	{ 0, 'h', 0, 0, "the same as --help", -1 },
	{ 0 },
};

static const char rsh_doc[] =
	"Run a command in another guest of faa-run --guests, with the working directory of the caller.\v"
	"GUEST is a name like guest1. The words of the command, joined by spaces, go to /bin/sh. Standard "
	"input, output and error are those of the caller; the environment is that of the other guest. The "
	"exit status is the command's, 128 + N if signal N ended it, 125 if the guest cannot be reached.";

__attribute__((format(printf, 1, 2), noreturn)) static void rsh_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("faa-rsh: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(RSH_FAILED);
}

static error_t rsh_parse(int key, char *arg, struct argp_state *state)
{
	struct rsh_options *options = state->input;

	switch (key) {
	case 'h':
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
		return 0;
	case ARGP_KEY_ARG:
		options->guest = arg;
		options->command = state->argv + state->next;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!options->guest || !*options->command)
			argp_error(state, "there is no %s",
				   options->guest ? "command" : "guest to run a command in");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Whether the guest may answer later. */
static bool rsh_may_come(int error)
{
	return error == ECONNREFUSED || error == EHOSTUNREACH || error == ETIMEDOUT ||
	       error == ENETUNREACH;
}

static int rsh_connect(const char *guest)
{
	struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM }, *found;
	long long until = now_ms() + RSH_PATIENCE_MS;
	char port[8];
	int error, line, one = 1;

	snprintf(port, sizeof(port), "%d", GUEST_PORT);
	error = getaddrinfo(guest, port, &hints, &found);
	if (error)
		rsh_fail("there is no guest '%s': %s", guest, gai_strerror(error));
	for (;;) {
		line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (line < 0)
			rsh_fail("cannot make a socket: %s", strerror(errno));
		if (connect(line, found->ai_addr, found->ai_addrlen) == 0)
			break;
		if (!rsh_may_come(errno) || now_ms() >= until)
			rsh_fail("cannot reach %s: %s", guest, strerror(errno));
		close(line);
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	}
	freeaddrinfo(found);
	setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	fcntl(line, F_SETFL, O_NONBLOCK);
	return line;
}

static void rsh_send_part(struct rsh *rsh, const char *text, size_t length)
{
	while (length) {
		size_t part = length < WIRE_MAX ? length : WIRE_MAX;

		wire_put(&rsh->out, WIRE_COMMAND, 0, text, part);
		wire_drain(&rsh->out, rsh->line);
		text += part;
		length -= part;
	}
}

static void rsh_send_command(struct rsh *rsh, char **words)
{
	char *dir = getcwd(NULL, 0);

	if (!dir)
		rsh_fail("cannot find the working directory: %s", strerror(errno));
	rsh_send_part(rsh, dir, strlen(dir) + 1);
	free(dir);
	for (char **word = words; *word; word++) {
		if (word != words)
			rsh_send_part(rsh, " ", 1);
		rsh_send_part(rsh, *word, strlen(*word));
	}
	wire_put(&rsh->out, WIRE_COMMAND, 0, NULL, 0);
	wire_drain(&rsh->out, rsh->line);
}

/* Writes output of the command; its program learns when there is no reader any more. */
static void rsh_put_output(struct rsh *rsh, int fd, const uint8_t *data, size_t length)
{
	while (length) {
		ssize_t n = write(fd, data, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			/* Further output repeats this: a full buffer loses nothing. */
			if (wire_room(&rsh->out))
				wire_put(&rsh->out, WIRE_CLOSED, fd, NULL, 0);
			return;
		}
		data += n;
		length -= (size_t)n;
	}
}

/* Takes a frame; returns the exit status when the command has ended, otherwise -1. */
static int rsh_take_frame(struct rsh *rsh)
{
	struct wire_head head = wire_head(&rsh->in);
	uint32_t credit;

	switch (head.type) {
	case WIRE_OUTPUT:
		rsh_put_output(rsh, head.fd == 2 ? 2 : 1, wire_body(&rsh->in), head.length);
		break;
	case WIRE_CREDIT:
		memcpy(&credit, wire_body(&rsh->in), sizeof(credit));
		rsh->credit += credit;
		break;
	case WIRE_EXIT:
		return wire_exit_status(wire_body(&rsh->in));
	default:
		rsh_fail("the guest sent a frame of the unknown type %u", head.type);
	}
	wire_next(&rsh->in);
	return -1;
}

static int rsh_run(struct rsh *rsh, const char *guest)
{
	for (;;) {
		bool may_read = rsh->input_open && rsh->credit > sizeof(struct wire_head) &&
				wire_room(&rsh->out);
		struct pollfd fds[] = {
			{ .fd = rsh->line, .events = POLLIN | (rsh->out.have ? POLLOUT : 0) },
			{ .fd = may_read ? 0 : -1, .events = POLLIN },
		};
		int got, status;

		poll(fds, 2, -1);
		while ((got = wire_fill(&rsh->in, rsh->line)) == 1) {
			status = rsh_take_frame(rsh);
			if (status >= 0)
				return status;
		}
		if (got < 0)
			rsh_fail("%s has gone before the command ended", guest);
		if (fds[1].revents)
			rsh->input_open = wire_put_input(&rsh->out, &rsh->credit);
		wire_flush(&rsh->out, rsh->line);
	}
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .options = rsh_argp_options,
					  .parser = rsh_parse,
					  .args_doc = "GUEST COMMAND [WORDS...]",
					  .doc = rsh_doc };
	static struct rsh rsh = { .input_open = true };
	struct rsh_options options = { 0 };

	argp_err_exit_status = RSH_USAGE;
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &options);
	signal(SIGPIPE, SIG_IGN);
	rsh.line = rsh_connect(options.guest);
	rsh_send_command(&rsh, options.command);
	return rsh_run(&rsh, options.guest);
}
