/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: faa-run --trace
 *
 * Merges the trace events of the guest's kernel (guest_trace.c) and the flight recorders of the
 * devices (sim/vdev/recorder.h) into one trace on the host's clock, in the JSON format of Chrome
 * and Perfetto. All times here are nanoseconds of the host's CLOCK_MONOTONIC, unless they are said
 * to be the guest's. In simulated time they are those of the guest, which are the device's, too.
 */
#ifndef FAA_UML_TRACE_H
#define FAA_UML_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "recorder.h"

/** struct trace_record - an event of a device */
struct trace_record {
	uint64_t ns;
	uint64_t cycle;
	uint64_t addr;
	uint64_t value;
	uint32_t len;
	uint8_t kind; /* enum recorder_kind */
	uint8_t unit;
};

/** struct trace_device - what a flight recorder has kept */
struct trace_device {
	struct trace_record *record;
	size_t count;
	/** @lost: events before the first one that is there. */
	uint64_t lost;
};

/** struct trace_event - a trace event of the guest */
struct trace_event {
	/** @ns: until trace_clock_apply() of the guest. */
	uint64_t ns;
	/** @task: index in trace_guest.task. */
	unsigned int task;
	char name[32];
	/** @fields: "ctx=3 seqno=1 ..." */
	const char *fields;
};

/** struct trace_task - a process of the guest */
struct trace_task {
	char name[24];
	int pid;
};

/**
 * struct trace_mark - times of the guest around a read of configuration space, and then around
 * reads of the device's clock (0: none)
 */
struct trace_mark {
	unsigned int device;
	uint64_t before, after;
	uint64_t clock_before, clock_after;
};

/** struct trace_guest - what the guest has written */
struct trace_guest {
	struct trace_event *event;
	size_t count;
	struct trace_task *task;
	unsigned int tasks;
	struct trace_mark *mark;
	size_t marks;
	/** @lost: events that the kernel's buffer had no room for. */
	uint64_t lost;
	char *text;
};

/** struct trace_clock - relation of the guest's clock to the host's */
struct trace_clock {
	/** @known: false: the guest has written no mark that a device has recorded. */
	bool known;
	/** @offset: what is added to a time of the guest. */
	int64_t offset;
	/** @error: limit of its error. */
	uint64_t error;
	/** @marks: reads that it was calculated from. */
	size_t marks;
};

/** trace_read_device() - read a flight recorder's file. Return: 0 or -errno (-EINVAL: not one). */
int trace_read_device(struct trace_device *device, const char *path);
/** trace_free_device() - undo trace_read_device() */
void trace_free_device(struct trace_device *device);

/**
 * trace_grow() - make room for one more of @count items of @size bytes
 *
 * Return: the items, which may have moved; NULL without memory.
 */
void *trace_grow(void *items, size_t count, size_t size);

/** trace_find_task() - index of the task with this number; trace_guest.tasks: there is none */
unsigned int trace_find_task(const struct trace_guest *guest, int pid);
/** trace_read_guest() - read the guest's file. Return: 0 or -errno. */
int trace_read_guest(struct trace_guest *guest, const char *path);
/** trace_free_guest() - undo trace_read_guest() */
void trace_free_guest(struct trace_guest *guest);
/**
 * trace_field() - value of the field @name of an event, 0 if it has none
 *
 * Values are decimal, or hexadecimal with 0x.
 */
uint64_t trace_field(const struct trace_event *event, const char *name);
/** trace_is() - whether the event has this name */
bool trace_is(const struct trace_event *event, const char *name);

/** trace_clock_relate() - calculate the relation of the clocks from marks */
void trace_clock_relate(struct trace_clock *clock, const struct trace_guest *guest,
			const struct trace_device *devices, unsigned int count);
/** trace_clock_share() - the relation of two clocks that are one, in simulated time */
void trace_clock_share(struct trace_clock *clock);
/** trace_clock_apply() - make the times of all events the host's */
void trace_clock_apply(const struct trace_clock *clock, struct trace_guest *guest);
/**
 * trace_clock_cycle() - time of a clock cycle of a device, from the records beside it
 * @near: a time soon after the cycle; cycles begin at 0 with each reset of the function
 *
 * Return: the time, or 0 if there are no records beside it.
 */
uint64_t trace_clock_cycle(const struct trace_device *device, uint64_t cycle, uint64_t near);

/** struct trace_input - all of a trace */
struct trace_input {
	const char *program;
	const char *engine;
	/** @simulated: all times are simulated ones, from the start of the guest. */
	bool simulated;
	struct trace_guest guest;
	struct trace_device *device;
	unsigned int devices;
	struct trace_clock clock;
};

/** trace_write() - write the trace as JSON. Return: 0 or -errno. */
int trace_write(const struct trace_input *input, const char *path);

#endif /* FAA_UML_TRACE_H */
