// SPDX-License-Identifier: Apache-2.0
#include "run_switch.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ADDRESS_BYTES sizeof(((struct switch_port *)0)->address)

/* Ports that wait for port @to to be writable. */
static bool switch_waits_for(const struct frame_switch *frames, unsigned int to)
{
	for (unsigned int i = 0; i < frames->count; i++)
		if (frames->port[i].to & 1u << to)
			return true;
	return false;
}

void switch_poll(const struct frame_switch *frames, struct pollfd *fds)
{
	for (unsigned int i = 0; i < frames->count; i++) {
		const struct switch_port *port = &frames->port[i];

		fds[i] = (struct pollfd){ .fd = port->fd };
		if (!port->to)
			fds[i].events |= POLLIN;
		if (switch_waits_for(frames, i))
			fds[i].events |= POLLOUT;
	}
}

/* The ports that a frame of port @from goes to. */
static uint32_t switch_route(const struct frame_switch *frames, unsigned int from)
{
	const struct switch_port *port = &frames->port[from];
	uint32_t all = 0;

	for (unsigned int i = 0; i < frames->count; i++) {
		if (i == from || frames->port[i].fd < 0)
			continue;
		if (memcmp(frames->port[i].address, port->frame, ADDRESS_BYTES) == 0)
			return 1u << i;
		all |= 1u << i;
	}
	return all;
}

static void switch_receive(struct frame_switch *frames, unsigned int from)
{
	struct switch_port *port = &frames->port[from];
	ssize_t n = recv(port->fd, port->frame, sizeof(port->frame), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close(port->fd);
		port->fd = -1;
		return;
	}
	/* Destination and source address are the first fields of a frame. */
	if ((size_t)n < 2 * ADDRESS_BYTES)
		return;
	port->length = (size_t)n;
	memcpy(port->address, port->frame + ADDRESS_BYTES, ADDRESS_BYTES);
	port->to = switch_route(frames, from);
}

/* Sends the frame of a port to those that have room. */
static void switch_send(struct frame_switch *frames, struct switch_port *port)
{
	for (unsigned int i = 0; i < frames->count; i++) {
		int fd = frames->port[i].fd;

		if (!(port->to & 1u << i))
			continue;
		if (fd >= 0 &&
		    send(fd, port->frame, port->length, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 &&
		    (errno == EAGAIN || errno == EINTR || errno == ENOBUFS))
			continue;
		port->to &= ~(1u << i);
	}
}

void switch_turn(struct frame_switch *frames, const struct pollfd *fds)
{
	for (unsigned int i = 0; i < frames->count; i++)
		if (fds[i].revents & (POLLIN | POLLHUP | POLLERR) && !frames->port[i].to &&
		    frames->port[i].fd >= 0)
			switch_receive(frames, i);
	for (unsigned int i = 0; i < frames->count; i++)
		if (frames->port[i].to)
			switch_send(frames, &frames->port[i]);
}
