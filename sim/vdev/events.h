/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Digest of the order of events
 *
 * A hash over all events between guest and device in simulated time, with checkpoints: two runs are
 * the same if the hashes are equal, and else the checkpoints tell where they differ. The number of
 * checkpoints is limited: the distance between them grows with the run.
 */
#ifndef FAA_VDEV_EVENTS_H
#define FAA_VDEV_EVENTS_H

#include <stdint.h>

#include "recorder.h"

#define EVENTS_CHECKPOINTS 64

/** struct event - an event, as recorder_add() takes it */
struct event {
	/** @time_ns: simulated time. */
	uint64_t time_ns;
	/** @cycle: cycle of the engine. */
	uint64_t cycle;
	/** @addr: address or offset. */
	uint64_t addr;
	/** @value: value, the first bytes of a longer one. */
	uint64_t value;
	/** @len: bytes. */
	uint32_t len;
	/** @unit: BAR or vector. */
	uint32_t unit;
	/** @kind: kind of the event. */
	enum recorder_kind kind;
};

/** struct events - digest of a run */
struct events {
	/** @count: events so far. */
	uint64_t count;
	/** @digest: hash of them. */
	uint64_t digest;
	/** @interval: events from checkpoint to checkpoint, a power of two. */
	uint64_t interval;
	/** @checkpoints: used entries of @checkpoint. */
	unsigned int checkpoints;
	/** @checkpoint: number i is after (i + 1) * @interval events, and has the last of them. */
	struct {
		/** @digest: hash of all events up to it. */
		uint64_t digest;
		/** @last: the last event. */
		struct event last;
	} checkpoint[EVENTS_CHECKPOINTS];
};

/** events_init() - the digest of no event. */
void events_init(struct events *events);
/** events_add() - add an event. */
void events_add(struct events *events, const struct event *event);
/** events_write() - write the digest and the checkpoints to @path. Return: 0 or -errno. */
int events_write(const struct events *events, const char *path);

#endif /* FAA_VDEV_EVENTS_H */
