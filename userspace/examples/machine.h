/* SPDX-License-Identifier: MIT */
/**
 * DOC: What the examples of atomic operations on memory run on
 *
 * One VM; one BO in it, mapped for atomic operations, of which the examples take areas; and a few queues, each with a stream that is
 * built anew for every job.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "faa.h"

/** MACHINE_QUEUES - most queues of a machine */
#define MACHINE_QUEUES 4

/** struct machine_area - a part of the BO: where the CPU and where the device finds it */
struct machine_area {
	void *memory;
	uint64_t va;
};

/** struct machine_queue - a queue and the job that it is given next */
struct machine_queue {
	struct faa_queue *queue;
	/** @stream: commands of the job, behind a SNAPSHOT; after machine_submit() those of the next one. */
	struct faa_stream *stream;
	/** @words: the stream of the last job, as the device reads it. */
	const uint64_t *words;
	size_t word_count;
	/** @seqno: the last job. */
	uint64_t seqno;
	/** @counters: of the last job that was waited for. */
	struct faa_counters counters;
};

/** struct machine - see above; all released by machine_close() */
struct machine {
	const struct faa_device_info *info;
	struct faa_vm *vm;
	struct faa_bo *bo;
	uint8_t *memory;
	uint64_t va;
	/** @unit: what the device's cycle counter counts: "cycles", or "steps" of the C model, which has no clock; after the first job. */
	const char *unit;
	/** @used: bytes of the BO that are taken. */
	uint64_t used;
	struct machine_queue queues[MACHINE_QUEUES];
	unsigned int queue_count;
};

/**
 * machine_open() - a machine whose areas have @bytes bytes together
 * @machine: zeroed
 * @device: device; must outlive the machine
 * @queues: 1..MACHINE_QUEUES
 * @features: mask of enum faa_feature that the program needs
 * @bytes: sum of the areas, each rounded up to 64 bytes
 *
 * Return: 0, or a negative errno after a message on stderr; -EOPNOTSUPP: the device lacks a feature. machine_close() in any case.
 */
int machine_open(struct machine *machine, struct faa_device *device, unsigned int queues,
		 uint64_t features, uint64_t bytes);

/** machine_close() - release everything; a zeroed machine is allowed. */
void machine_close(struct machine *machine);

/** machine_area_bytes() - what an area of @bytes bytes takes of those that machine_open() is told */
static inline uint64_t machine_area_bytes(uint64_t bytes)
{
	return (bytes + 63) & ~(uint64_t)63;
}

/** machine_take() - the next @bytes bytes, zero, a multiple of 64 in address. More than machine_open() was told: the program ends. */
struct machine_area machine_take(struct machine *machine, uint64_t bytes);

/**
 * machine_submit() - submit the stream of queue @index as a job, with SNAPSHOT and END behind it, and begin that of the next
 *
 * The job before it on this queue must have been waited for. Return: 0, or a negative errno after a message on stderr.
 */
int machine_submit(struct machine *machine, unsigned int index);

/** machine_wait() - wait for the last job of queue @index; 0 and its status, or a negative errno after a message on stderr. */
int machine_wait(struct machine *machine, unsigned int index, struct faa_job_status *status);

/** machine_disassemble() - print the last job of queue @index. */
void machine_disassemble(const struct machine *machine, unsigned int index);

/** machine_number() - option --@name with argument @text as a number from @min to @max; otherwise the program ends with a message */
uint64_t machine_number(const char *name, const char *text, uint64_t min, uint64_t max);

#endif /* MACHINE_H */
