/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The vhost-user protocol, back-end side
 *
 * One connection of a front end (a User Mode Linux kernel): feature negotiation, shared memory and queue set-up. What
 * the queues carry is not known here. A message that makes no sense is refused with one line in the log and, where the
 * front end asked for an answer, with an error; only a broken byte stream ends the connection.
 */
#ifndef FAA_VDEV_VHOST_USER_H
#define FAA_VDEV_VHOST_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest_mem.h"
#include "virtq.h"

#define VHOST_USER_MAX_QUEUES  2
#define VHOST_USER_MAX_PAYLOAD 4096
#define VHOST_USER_MAX_FDS     8

/** struct vhost_user_header - begins every message */
struct vhost_user_header {
	/** @request: what is asked. */
	uint32_t request;
	/** @flags: version, reply, reply wanted. */
	uint32_t flags;
	/** @size: bytes of payload that follow. */
	uint32_t size;
};

/** struct vhost_user - one connection */
struct vhost_user {
	/** @sock: the connection, or -1. */
	int sock;
	/** @request_fd: back end to front end requests; held open because its closing tells the front end that we are gone. */
	int request_fd;
	/** @features: that the front end has accepted. */
	uint64_t features;
	/** @protocol_features: that the front end has accepted. */
	uint64_t protocol_features;
	/** @mem: the front end's shared memory. */
	struct guest_mem mem;
	/** @queue: its queues. */
	struct virtq queue[VHOST_USER_MAX_QUEUES];
	/** @header: of the message that is being received. */
	struct vhost_user_header header;
	/** @payload: of the message that is being received. */
	uint8_t payload[VHOST_USER_MAX_PAYLOAD];
	/** @received: bytes of header and payload so far. */
	size_t received;
	/** @fds: files that came with the message. */
	int fds[VHOST_USER_MAX_FDS];
	/** @fd_count: entries of @fds. */
	unsigned int fd_count;
	/** @kick_changed: called after a kick file changed; -1 = none. */
	void (*kick_changed)(void *ctx, unsigned int queue, int fd);
	/** @ctx: of @kick_changed. */
	void *ctx;
};

/** vhost_user_init() - not connected. */
void vhost_user_init(struct vhost_user *vu,
		     void (*kick_changed)(void *ctx, unsigned int queue, int fd), void *ctx);
/** vhost_user_connect() - serve the connected socket @sock, which becomes ours and non-blocking. */
void vhost_user_connect(struct vhost_user *vu, int sock);
/** vhost_user_disconnect() - close everything that the front end gave us. */
void vhost_user_disconnect(struct vhost_user *vu);

/**
 * vhost_user_receive() - handle what has arrived
 * @vu: the connection
 *
 * Return: 0 when nothing more is there; -ECONNRESET when the front end has closed the connection; -EPROTO when its
 * bytes cannot be read as messages.
 */
int vhost_user_receive(struct vhost_user *vu);

#endif /* FAA_VDEV_VHOST_USER_H */
