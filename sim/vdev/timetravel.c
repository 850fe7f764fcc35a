// SPDX-License-Identifier: Apache-2.0
#include "timetravel.h"

#include <errno.h>
#include <linux/um_timetravel.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vpci.h"

/* Operations that older headers do not have. */
#define TIMETRAVEL_FREE_UNTIL 7
#define TIMETRAVEL_GET_TOD    8
/* Files of the answer to START: shared memory and a log. */
#define TIMETRAVEL_FILES 2

int timetravel_open(struct timetravel *link, const char *path)
{
	*link = (struct timetravel){ .sock = -1, .request = TIMETRAVEL_NEVER };
	link->listener = vpci_listen(path);
	return link->listener < 0 ? link->listener : 0;
}

void timetravel_accept(struct timetravel *link)
{
	int sock = accept4(link->listener, NULL, NULL, SOCK_CLOEXEC);

	if (link->sock < 0)
		link->sock = sock;
	else if (sock >= 0)
		close(sock);
}

static void timetravel_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void timetravel_close(struct timetravel *link)
{
	timetravel_close_fd(&link->sock);
	timetravel_close_fd(&link->listener);
}

static int timetravel_lost(struct timetravel *link)
{
	timetravel_close_fd(&link->sock);
	link->waiting = false;
	return -ECONNRESET;
}

static int timetravel_send(struct timetravel *link, uint32_t op, uint32_t seq, uint64_t time)
{
	const struct um_timetravel_msg msg = { .op = op, .seq = seq, .time = time };

	if (send(link->sock, &msg, sizeof(msg), MSG_NOSIGNAL) != sizeof(msg))
		return timetravel_lost(link);
	return 0;
}

/*
 * Linux 6.12 takes two files from the answer to START even if there are none, and closes what it
 * finds. An empty memory has no valid version, so it does without it.
 */
static int timetravel_answer_start(struct timetravel *link, uint32_t seq)
{
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(TIMETRAVEL_FILES * sizeof(int))];
	} control = { 0 };
	struct um_timetravel_msg answer = { .op = UM_TIMETRAVEL_ACK, .seq = seq };
	struct iovec iov = { &answer, sizeof(answer) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.space,
		.msg_controllen = sizeof(control.space),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
	int memory = memfd_create("faa-no-shared-time", MFD_CLOEXEC);
	int files[TIMETRAVEL_FILES] = { memory, memory };
	bool sent;

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(files));
	memcpy(CMSG_DATA(cmsg), files, sizeof(files));
	sent = memory >= 0 && ftruncate(memory, sysconf(_SC_PAGESIZE)) == 0 &&
	       sendmsg(link->sock, &msg, MSG_NOSIGNAL) == sizeof(answer);
	timetravel_close_fd(&memory);
	return sent ? 0 : timetravel_lost(link);
}

/* Handles a message; *@acked becomes its number if it is an acknowledgement. */
static int timetravel_handle(struct timetravel *link, uint32_t *acked)
{
	struct um_timetravel_msg msg;
	uint64_t answer = 0;

	if (recv(link->sock, &msg, sizeof(msg), MSG_WAITALL) != sizeof(msg))
		return timetravel_lost(link);
	switch (msg.op) {
	case UM_TIMETRAVEL_ACK:
		*acked = msg.seq;
		return 0;
	case UM_TIMETRAVEL_START:
		return timetravel_answer_start(link, msg.seq);
	case UM_TIMETRAVEL_REQUEST:
		link->request = msg.time;
		break;
	case UM_TIMETRAVEL_WAIT:
		link->waiting = true;
		link->granted = 0;
		break;
	case UM_TIMETRAVEL_GET:
		answer = link->now;
		break;
	case UM_TIMETRAVEL_UPDATE:
		link->now = msg.time;
		break;
	case TIMETRAVEL_GET_TOD:
		break;
	default:
		vpci_warn("the kernel sent an unknown message %u about its time", msg.op);
		break;
	}
	return timetravel_send(link, UM_TIMETRAVEL_ACK, msg.seq, answer);
}

int timetravel_receive(struct timetravel *link)
{
	uint32_t acked;

	return timetravel_handle(link, &acked);
}

int timetravel_poll(struct timetravel *link)
{
	struct pollfd fd = { .fd = link->sock, .events = POLLIN };

	return poll(&fd, 1, 0) > 0 ? timetravel_receive(link) : 0;
}

/* Sends a message, and handles those of the kernel until it has acknowledged it. */
static int timetravel_tell(struct timetravel *link, uint32_t op, uint64_t time)
{
	uint32_t seq = ++link->seq, acked = seq - 1;
	int err = timetravel_send(link, op, seq, time);

	while (!err && acked != seq)
		err = timetravel_handle(link, &acked);
	return err;
}

int timetravel_grant(struct timetravel *link, uint64_t until)
{
	link->granted = until;
	return timetravel_tell(link, TIMETRAVEL_FREE_UNTIL, until);
}

int timetravel_run(struct timetravel *link)
{
	link->waiting = false;
	link->request = TIMETRAVEL_NEVER;
	return timetravel_tell(link, UM_TIMETRAVEL_RUN, link->now);
}
