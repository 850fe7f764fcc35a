/* SPDX-License-Identifier: MIT */
/**
 * DOC: Device set-up of the examples of atomic operations on memory
 *
 * One VM; one BO in it, mapped for atomic operations, which is divided into areas; and a few
 * queues, each with a stream that is rebuilt for every job.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "faa.h"

/** MACHINE_QUEUES - most queues of a machine */
#define MACHINE_QUEUES 4

/** struct machine_area - a part of the BO, with its addresses for CPU and device */
struct machine_area {
	void *memory;
	uint64_t va;
};

/** struct machine_queue - a queue and its next job */
struct machine_queue {
	struct faa_queue *queue;
	/**
	 * @stream: commands of the job after a SNAPSHOT; after machine_submit() those of the next
	 * one.
	 */
	struct faa_stream *stream;
	/** @words: the stream of the last job, as the device reads it. */
	const uint64_t *words;
	size_t word_count;
	/** @seqno: sequence number of the last job. */
	uint64_t seqno;
	/** @counters: of the last job that was waited for. */
	struct faa_counters counters;
};

/** struct machine - see above; machine_close() releases all of it */
struct machine {
	const struct faa_device_info *info;
	struct faa_vm *vm;
	struct faa_bo *bo;
	uint8_t *memory;
	uint64_t va;
	/**
	 * @unit: of the device's cycle counter: "cycles", or "steps" of the C model, which has no
	 * clock. Set by the first job.
	 */
	const char *unit;
	/** @used: bytes of the BO in use. */
	uint64_t used;
	struct machine_queue queues[MACHINE_QUEUES];
	unsigned int queue_count;
};

/**
 * machine_open() - open a machine whose areas have @bytes bytes in all
 * @machine: zeroed
 * @device: device; must outlive the machine
 * @queues: 1..MACHINE_QUEUES
 * @features: mask of enum faa_feature that the program needs
 * @bytes: sum of the areas, each rounded up to 64 bytes
 *
 * The caller calls machine_close() in any case.
 *
 * Return: 0, or a negative errno after a message on stderr; -EOPNOTSUPP: the device lacks a
 * feature.
 */
int machine_open(struct machine *machine, struct faa_device *device, unsigned int queues,
		 uint64_t features, uint64_t bytes);

/** machine_close() - release everything; a zeroed machine is allowed. */
void machine_close(struct machine *machine);

/** machine_area_bytes() - bytes that an area of @bytes bytes adds to those of machine_open() */
static inline uint64_t machine_area_bytes(uint64_t bytes)
{
	return (bytes + 63) & ~(uint64_t)63;
}

/**
 * machine_take() - take the next @bytes bytes, which are zero, at a multiple of 64
 *
 * The program exits if there are fewer bytes than machine_open() was told.
 */
struct machine_area machine_take(struct machine *machine, uint64_t bytes);

/**
 * machine_submit() - submit the stream of queue @index as a job, and begin that of the next job
 *
 * A SNAPSHOT and an END are added to the stream. The former job of this queue must have been waited
 * for. Return: 0, or a negative errno after a message on stderr.
 */
int machine_submit(struct machine *machine, unsigned int index);

/**
 * machine_wait() - wait for the last job of queue @index
 *
 * Return: 0 and its status, or a negative errno after a message on stderr.
 */
int machine_wait(struct machine *machine, unsigned int index, struct faa_job_status *status);

/** machine_disassemble() - print the last job of queue @index. */
void machine_disassemble(const struct machine *machine, unsigned int index);

#endif /* MACHINE_H */
