/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Simulated time of a User Mode Linux kernel
 *
 * The controller's side of the protocol of linux/um_timetravel.h (time-travel=ext:SOCKET), for one
 * kernel. The kernel's time stands still while it computes. To let time pass it requests a time and
 * waits; the controller decides when it runs, and what the time is then.
 */
#ifndef FAA_VDEV_TIMETRAVEL_H
#define FAA_VDEV_TIMETRAVEL_H

#include <stdbool.h>
#include <stdint.h>

/* The kernel panics at INT64_MAX, which it requests when it has no timer. */
#define TIMETRAVEL_NEVER ((uint64_t)INT64_MAX)

/** struct timetravel - the link to one kernel; times are ns since its start */
struct timetravel {
	/** @listener: socket at which the kernel connects, or -1. */
	int listener;
	/** @sock: the connection, or -1. */
	int sock;
	/** @now: the current time. */
	uint64_t now;
	/** @granted: up to this time, exclusively, the running kernel advances time itself. */
	uint64_t granted;
	/** @request: time at which the kernel is to run. */
	uint64_t request;
	/** @waiting: the kernel does not run. */
	bool waiting;
	/** @seq: number of the last message to the kernel. */
	uint32_t seq;
};

/** timetravel_open() - listen at @path. Return: 0 or -errno. */
int timetravel_open(struct timetravel *link, const char *path);
/** timetravel_accept() - accept the kernel's connection; a second one is closed. */
void timetravel_accept(struct timetravel *link);
/** timetravel_close() - close connection and listener. */
void timetravel_close(struct timetravel *link);

/** timetravel_receive() - wait for a message of the kernel, handle it. Return: 0 or -ECONNRESET. */
int timetravel_receive(struct timetravel *link);
/** timetravel_poll() - handle a message of the kernel if there is one. Return: 0 or -ECONNRESET. */
int timetravel_poll(struct timetravel *link);
/**
 * timetravel_grant() - limit the time up to which the kernel may run without asking
 * @until: the limit; not after @now: it has to ask each time
 *
 * Return: 0 or -ECONNRESET.
 */
int timetravel_grant(struct timetravel *link, uint64_t until);
/** timetravel_run() - let the waiting kernel run at @now. Return: 0 or -ECONNRESET. */
int timetravel_run(struct timetravel *link);

#endif /* FAA_VDEV_TIMETRAVEL_H */
