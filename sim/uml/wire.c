// SPDX-License-Identifier: Apache-2.0
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t wire_frame_size(const struct wire_in *in)
{
	size_t size = sizeof(struct wire_head);

	if (in->have >= size)
		size += wire_head(in).length;
	return size;
}

int wire_fill(struct wire_in *in, int fd)
{
	while (in->have < wire_frame_size(in)) {
		size_t want = wire_frame_size(in) - in->have;
		ssize_t n = read(fd, in->data + in->have, want);

		if (n == 0)
			return -EPIPE;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		in->have += (size_t)n;
		if (in->have >= sizeof(struct wire_head) && wire_head(in).length > WIRE_MAX)
			return -EPROTO;
	}
	return 1;
}

struct wire_head wire_head(const struct wire_in *in)
{
	struct wire_head head;

	memcpy(&head, in->data, sizeof(head));
	return head;
}

const uint8_t *wire_body(const struct wire_in *in)
{
	return in->data + sizeof(struct wire_head);
}

void wire_next(struct wire_in *in)
{
	in->have = 0;
}

bool wire_room(const struct wire_out *out)
{
	return sizeof(out->data) - out->have >= sizeof(struct wire_head) + WIRE_MAX;
}

void wire_put(struct wire_out *out, enum wire_type type, int fd, const void *body, size_t length)
{
	struct wire_head head = { .type = type, .fd = (uint8_t)fd, .length = (uint16_t)length };

	assert(length <= WIRE_MAX && wire_room(out));
	memcpy(out->data + out->have, &head, sizeof(head));
	if (length)
		memcpy(out->data + out->have + sizeof(head), body, length);
	out->have += sizeof(head) + length;
}

int wire_flush(struct wire_out *out, int fd)
{
	size_t done = 0;
	int err = 0;

	while (done < out->have) {
		ssize_t n = write(fd, out->data + done, out->have - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err = errno == EAGAIN ? 0 : -errno;
			break;
		}
		done += (size_t)n;
	}
	memmove(out->data, out->data + done, out->have - done);
	out->have -= done;
	return err;
}

int wire_wait(struct wire_in *in, int fd)
{
	int got;

	while (!(got = wire_fill(in, fd)))
		poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, -1);
	return got;
}

void wire_drain(struct wire_out *out, int fd)
{
	while (!wire_flush(out, fd) && out->have)
		poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, 100);
}

bool wire_put_input(struct wire_out *out, uint32_t *credit)
{
	uint8_t data[WIRE_STDIN_WINDOW];
	ssize_t n = read(0, data, *credit - sizeof(struct wire_head));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n < 0)
		n = 0;
	*credit -= (uint32_t)(sizeof(struct wire_head) + (size_t)n);
	wire_put(out, WIRE_STDIN, 0, data, (size_t)n);
	return n > 0;
}

int wire_exit_status(const void *body)
{
	uint32_t status;

	memcpy(&status, body, sizeof(status));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
