/* SPDX-License-Identifier: Apache-2.0 */
/* The switch between guests: Ethernet frames on SOCK_SEQPACKET sockets, one for each guest. */
#ifndef FAA_UML_RUN_SWITCH_H
#define FAA_UML_RUN_SWITCH_H

#include "run.h"

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#define SWITCH_FRAME 65536

/* A port: a guest, known by the source address of its frames. */
struct switch_port {
	int fd;		    /* non-blocking; -1 = the guest has gone */
	uint8_t address[6]; /* zero = unknown */
	uint32_t to;	    /* ports that the frame has not been sent to yet, one bit each */
	size_t length;	    /* of the frame */
	uint8_t frame[SWITCH_FRAME];
};

struct frame_switch {
	struct switch_port port[RUN_MAX_GUESTS];
	unsigned int count;
};

/**
 * switch_poll - what to wait for
 * @fds: out: an entry for each port
 */
void switch_poll(const struct frame_switch *frames, struct pollfd *fds);

/**
 * switch_turn - receive and send what is possible
 * @fds: as switch_poll() has made them, after poll()
 *
 * A frame for an address that no port has goes to all other ports. A port whose frame waits for a
 * full socket is not read: its guest waits, as on a wire, and no frame is lost.
 */
void switch_turn(struct frame_switch *frames, const struct pollfd *fds);

#endif
