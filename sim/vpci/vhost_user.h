/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The vhost-user protocol, back-end side
 *
 * One connection of a front end (a User Mode Linux kernel): feature negotiation, shared memory and
 * queue set-up. The contents of the queues are handled elsewhere. An invalid message is rejected
 * with one line in the log and, if the front end asked for a reply, with an error. Only a broken
 * byte stream ends the connection.
 */
#ifndef FAA_VPCI_VHOST_USER_H
#define FAA_VPCI_VHOST_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest_mem.h"
#include "virtq.h"

#define VHOST_USER_MAX_QUEUES  2
#define VHOST_USER_MAX_PAYLOAD 4096
#define VHOST_USER_MAX_FDS     8

/** struct vhost_user_header - header of every message */
struct vhost_user_header {
	/** @request: kind of the request. */
	uint32_t request;
	/** @flags: version, reply, reply requested. */
	uint32_t flags;
	/** @size: bytes of payload that follow. */
	uint32_t size;
};

/** struct vhost_user - one connection */
struct vhost_user {
	/** @sock: the connection, or -1. */
	int sock;
	/**
	 * @request_fd: channel for requests to the front end; kept open, as closing it signals a
	 * disconnect to the front end.
	 */
	int request_fd;
	/** @features: features that the front end has accepted. */
	uint64_t features;
	/** @protocol_features: protocol features that the front end has accepted. */
	uint64_t protocol_features;
	/** @mem: the front end's shared memory. */
	struct guest_mem mem;
	/** @queue: the queues. */
	struct virtq queue[VHOST_USER_MAX_QUEUES];
	/** @header: header of the message that is being received. */
	struct vhost_user_header header;
	/** @payload: payload of the message that is being received. */
	uint8_t payload[VHOST_USER_MAX_PAYLOAD];
	/** @received: bytes of header and payload so far. */
	size_t received;
	/** @fds: files received with the message. */
	int fds[VHOST_USER_MAX_FDS];
	/** @fd_count: entries of @fds. */
	unsigned int fd_count;
	/** @inband: offer that notifications are messages instead of files. */
	bool inband;
	/** @kicked: called when the front end has notified a queue by a message. */
	void (*kicked)(void *ctx, unsigned int queue);
	/** @kick_changed: called after a kick file changed; -1 = none. */
	void (*kick_changed)(void *ctx, unsigned int queue, int fd);
	/** @ctx: passed to @kick_changed. */
	void *ctx;
};

/** vhost_user_init() - state without a connection. */
void vhost_user_init(struct vhost_user *vu,
		     void (*kick_changed)(void *ctx, unsigned int queue, int fd), void *ctx);
/**
 * vhost_user_connect() - serve the connected socket @sock, which the connection owns and makes
 * non-blocking.
 */
void vhost_user_connect(struct vhost_user *vu, int sock);
/** vhost_user_disconnect() - close everything received from the front end. */
void vhost_user_disconnect(struct vhost_user *vu);

/** vhost_user_call() - send a notification of @queue as a message. Return: 0 or -errno. */
int vhost_user_call(struct vhost_user *vu, unsigned int queue);
/** vhost_user_called() - read the answer to vhost_user_call(). Return: 0 or -errno. */
int vhost_user_called(struct vhost_user *vu);

/**
 * vhost_user_receive() - handle received messages
 * @vu: the connection
 *
 * Return: 0 when there is no more data; -ECONNRESET when the front end has closed the connection;
 * -EPROTO when the byte stream is broken.
 */
int vhost_user_receive(struct vhost_user *vu);

#endif /* FAA_VPCI_VHOST_USER_H */
