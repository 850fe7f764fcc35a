// SPDX-License-Identifier: Apache-2.0
#include "run_guests.h"
#include "now.h"
#include "run_prefix.h"
#include "run_switch.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Time that the guests have to power off after the end of the program. */
#define GUESTS_PATIENCE_MS 20000

struct guest {
	pid_t pid;  /* of its faa-run; 0 = ended */
	int status; /* exit status of that */
	int hold;   /* socket of run_guests_hold(); -1 = closed */
	bool ended; /* its program */
	int input;  /* a guest without a program ends when this pipe is closed; -1 = none */
	struct prefix said[2]; /* standard output and error */
};

struct guests {
	struct guest guest[RUN_MAX_GUESTS];
	unsigned int count;
	bool each;
	struct frame_switch frames;
	int signal_fd;
	int result;	   /* -1 = the program runs */
	long long give_up; /* time at which guests that still run are killed; 0 = never */
};

/* Ends of the pipes and of the network that belong to the guest's process. */
struct guest_ends {
	int network, hold, input, output[2];
};

static void guests_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool guests_pipe(int *read_end, int *write_end)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return false;
	*read_end = ends[0];
	*write_end = ends[1];
	return true;
}

/* Makes what joins guest @index with the calling process; false after run_error(). */
static bool guests_connect(struct guests *all, unsigned int index, struct guest_ends *ends)
{
	struct guest *guest = &all->guest[index];
	int pair[2];
	bool ok;

	*ends = (struct guest_ends){ -1, -1, -1, { -1, -1 } };
	guest->input = -1;
	guest->hold = -1;
	ok = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0;
	if (ok) {
		all->frames.port[index].fd = pair[0];
		ends->network = pair[1];
		ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
	}
	if (ok) {
		guest->hold = pair[0];
		ends->hold = pair[1];
	}
	for (int i = 0; i < 2; i++) {
		guest->said[i] = (struct prefix){ .from = -1, .to = i + 1 };
		snprintf(guest->said[i].name, sizeof(guest->said[i].name), GUEST_NAME, index);
		if (!ok || (index == 0 && !all->each))
			continue;
		ok = guests_pipe(&guest->said[i].from, &ends->output[i]);
		if (ok)
			fcntl(guest->said[i].from, F_SETFL, O_NONBLOCK);
	}
	if (ok && index && !all->each)
		ok = guests_pipe(&ends->input, &guest->input);
	if (!ok)
		run_error("cannot connect guest %u: %s", index, strerror(errno));
	return ok;
}

/* In the calling process: the guest's process has these. */
static void guests_close_ends(struct guest_ends *ends)
{
	guests_close(&ends->network);
	guests_close(&ends->hold);
	guests_close(&ends->input);
	for (int i = 0; i < 2; i++)
		guests_close(&ends->output[i]);
}

/* FILE of --log and --pids: one for each guest, FILE-guest1 and so on. */
static const char *guests_file(const char *path, unsigned int index)
{
	char *text;

	if (!path || asprintf(&text, "%s-" GUEST_NAME, path, index) < 0)
		return path;
	return text;
}

/* In the process of guest @index. */
static void guests_become(struct guests *all, unsigned int index, const struct guest_ends *ends,
			  struct run_options *options, pid_t parent)
{
	static char *serve[] = { "cat", NULL };
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		exit(RUN_FAILED);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(all->signal_fd);
	/* The ends of the calling process, so that a pipe ends when that closes it. */
	for (unsigned int i = 0; i <= index; i++) {
		guests_close(&all->frames.port[i].fd);
		guests_close(&all->guest[i].hold);
		guests_close(&all->guest[i].input);
		for (int k = 0; k < 2; k++)
			prefix_close(&all->guest[i].said[k]);
	}
	if (ends->input >= 0)
		dup2(ends->input, 0);
	else if (index)
		dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
	for (int i = 0; i < 2; i++)
		if (ends->output[i] >= 0)
			dup2(ends->output[i], i + 1);
	if (index && !all->each) {
		/* Ctrl-C is for the program. */
		setpgid(0, 0);
		options->program = serve;
	}
	options->guest = index;
	options->network = ends->network;
	options->hold = ends->hold;
	options->log = guests_file(options->log, index);
	options->pids = guests_file(options->pids, index);
}

/* Lets all guests power off, and gives them time to do so. */
static void guests_finish(struct guests *all, int result)
{
	if (all->result < 0)
		all->result = result;
	if (all->give_up)
		return;
	all->give_up = now_ms() + GUESTS_PATIENCE_MS;
	for (unsigned int i = 0; i < all->count; i++) {
		guests_close(&all->guest[i].input);
		guests_close(&all->guest[i].hold);
	}
}

/* To the first @count guests. */
static void guests_signal(const struct guests *all, unsigned int count, int number)
{
	for (unsigned int i = 0; i < count; i++)
		if (all->guest[i].pid)
			kill(all->guest[i].pid, number);
}

/* The program of a guest has ended. With --each the guests stay until it has ended in all. */
static void guests_program_ended(struct guests *all, unsigned int index)
{
	all->guest[index].ended = true;
	for (unsigned int i = 0; all->each && i < all->count; i++)
		if (!all->guest[i].ended)
			return;
	if (all->each || index == 0)
		guests_finish(all, all->guest[index].status);
}

static void guests_take_end(struct guests *all, unsigned int index)
{
	struct guest *guest = &all->guest[index];
	uint8_t status;

	if (read(guest->hold, &status, 1) != 1)
		return;
	guest->status = status;
	guests_program_ended(all, index);
}

static void guests_ended(struct guests *all, unsigned int index, int status)
{
	struct guest *guest = &all->guest[index];

	guest->pid = 0;
	guest->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	guests_close(&guest->hold);
	if (all->each || index == 0) {
		guests_program_ended(all, index);
	} else if (all->result < 0) {
		run_error(GUEST_NAME " has ended, with status %d, before the program", index,
			  guest->status);
		guests_signal(all, all->count, SIGTERM);
		guests_finish(all, RUN_FAILED);
	}
}

static void guests_take_signals(struct guests *all)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(all->signal_fd, &info, sizeof(info)) == sizeof(info))
		/* The terminal sends its signals to the processes with a program, too. */
		if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
			guests_signal(all, all->each ? all->count : 1, (int)info.ssi_signo);
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (unsigned int i = 0; i < all->count; i++)
			if (all->guest[i].pid == pid)
				guests_ended(all, i, status);
}

/* Status of the run: of the program; with --each the first guest's that is not 0. */
static int guests_result(const struct guests *all)
{
	/* The first guest's log may be bad after a program that succeeded. */
	int result = all->each || !all->result ? all->guest[0].status : all->result;

	for (unsigned int i = 0; i < all->count; i++) {
		int status = all->guest[i].status;

		/* A guest without a program has a status of its own only if its log is bad. */
		if (!result && (all->each || status == RUN_LOG_BAD))
			result = status;
	}
	return result;
}

static bool guests_run(const struct guests *all)
{
	for (unsigned int i = 0; i < all->count; i++)
		if (all->guest[i].pid || all->guest[i].said[0].from >= 0 ||
		    all->guest[i].said[1].from >= 0)
			return true;
	return false;
}

static void guests_turn(struct guests *all)
{
	struct pollfd fds[1 + 4 * RUN_MAX_GUESTS] = { { .fd = all->signal_fd, .events = POLLIN } };
	struct pollfd *said = fds + 1, *hold = said + 2 * all->count, *frames = hold + all->count;

	for (unsigned int i = 0; i < 2 * all->count; i++)
		said[i] = (struct pollfd){ .fd = all->guest[i / 2].said[i % 2].from,
					   .events = POLLIN };
	for (unsigned int i = 0; i < all->count; i++)
		hold[i] = (struct pollfd){ .fd = all->guest[i].ended ? -1 : all->guest[i].hold,
					   .events = POLLIN };
	switch_poll(&all->frames, frames);
	poll(fds, 1 + 4 * all->count, all->give_up ? 100 : -1);
	for (unsigned int i = 0; i < 2 * all->count; i++)
		if (said[i].revents)
			prefix_turn(&all->guest[i / 2].said[i % 2]);
	switch_turn(&all->frames, frames);
	for (unsigned int i = 0; i < all->count; i++)
		if (hold[i].revents & POLLIN)
			guests_take_end(all, i);
	guests_take_signals(all);
	if (all->give_up && now_ms() >= all->give_up)
		guests_signal(all, all->count, SIGKILL);
}

void run_guests_hold(const struct run_options *options, int result)
{
	uint8_t status = (uint8_t)result;

	if (options->hold < 0 || write(options->hold, &status, 1) != 1)
		return;
	while (read(options->hold, &status, 1) < 0 && errno == EINTR)
		;
}

int run_guests_start(struct run_options *options)
{
	static struct guests all;
	pid_t parent = getpid();

	all = (struct guests){ .each = options->each,
			       .result = -1,
			       .signal_fd = run_open_signals() };
	while (all.count < options->guests && all.result < 0) {
		struct guest *guest = &all.guest[all.count];
		struct guest_ends ends;

		if (!guests_connect(&all, all.count, &ends)) {
			guests_finish(&all, RUN_FAILED);
			break;
		}
		guest->pid = fork();
		if (guest->pid == 0) {
			guests_become(&all, all.count, &ends, options, parent);
			return -1;
		}
		guests_close_ends(&ends);
		all.count++;
		all.frames.count = all.count;
		if (guest->pid < 0) {
			guest->pid = 0;
			run_error("cannot start guest %u: %s", all.count - 1, strerror(errno));
			guests_finish(&all, RUN_FAILED);
		}
	}
	if (all.result == RUN_FAILED)
		guests_signal(&all, all.count, SIGTERM);
	while (guests_run(&all))
		guests_turn(&all);
	return guests_result(&all);
}
