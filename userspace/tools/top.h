/* SPDX-License-Identifier: MIT */
/*
 * faa-top: shows the processes that use the device. Its data comes from the fdinfo of open files
 * (Documentation/driver.rst), which needs no privilege for processes of one's own, and from a
 * stream of counters, which needs CAP_PERFMON and does not wake up a device that sleeps.
 */
#ifndef FAA_TOP_H
#define FAA_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "faa.h"

/** struct top_work - completed work of a client, or of one of its queues */
struct top_work {
	uint64_t jobs, elements, warps;
	/** @cycles, @ns: on compute units. */
	uint64_t cycles, ns;
};

/** struct top_queue - a queue of a client */
struct top_queue {
	uint32_t id, priority;
	/** @state: idle, waiting, running or dead. */
	char state[16];
	struct top_work work;
};

/** struct top_client - an open file of the driver, which several processes may share */
struct top_client {
	/** @id: drm-client-id, unique on its device. */
	uint64_t id;
	/** @device: its PCI address. */
	char device[32];
	/** @pid: the first process found with it. */
	pid_t pid;
	char comm[32];
	/** @capacity: compute units of the device. */
	uint64_t capacity;
	struct top_work work;
	/** @total, @resident: bytes of its buffer objects. */
	uint64_t total, resident;
	struct top_queue *queues;
	size_t num_queues;
};

/** struct top_sample - state at one moment */
struct top_sample {
	/** @time: CLOCK_MONOTONIC, nanoseconds. */
	uint64_t time;
	struct top_client *clients;
	size_t num_clients;
	/** @counters: of each compute unit, the last that were read; none without a stream. */
	struct faa_cu_counters *counters;
	size_t num_cus;
	/** @asleep: the device sleeps, as it has no jobs. */
	bool asleep;
	/** @restarted: the counters started at 0 again since the sample before. */
	bool restarted;
};

/** struct top_rates - change between two samples, for text and JSON */
struct top_rates {
	/** @seconds: between them. */
	double seconds;
	const struct top_sample *before, *now;
	/** @no_counters: why there are no counters; NULL: there are. */
	const char *no_counters;
};

/** top_take() - clients of all processes but this one; 0 or a negative errno. */
int top_take(struct top_sample *sample);

/**
 * top_counters_open() - have the kernel sample the counters once every @interval seconds, at most
 * every 10 s; 0 or an error of faa_counters_open()
 */
int top_counters_open(struct faa_device *device, double interval,
		      struct faa_counters_stream **stream);

/**
 * top_counters_take() - add the newest counters of a stream to a sample of top_take(), waiting for
 * them if there are none since the call before, whose sample is @before (NULL: none); 0 or a
 * negative errno
 */
int top_counters_take(struct faa_counters_stream *stream, const struct top_sample *before,
		      struct top_sample *sample);

/** top_free() - free a sample of top_take(). */
void top_free(struct top_sample *sample);

/** top_client_before() - the same client in the sample before, NULL: it is new */
const struct top_client *top_client_before(const struct top_rates *rates,
					   const struct top_client *client);

/** top_queue_before() - the same queue of it. @client may be NULL. */
const struct top_queue *top_queue_before(const struct top_client *client,
					 const struct top_queue *queue);

/** top_show_text() - print a screen; @queues: a line for each queue, too. */
void top_show_text(const struct top_rates *rates, bool queues);

/** top_show_json() - print one JSON object. */
void top_show_json(const struct top_rates *rates);

#endif /* FAA_TOP_H */
