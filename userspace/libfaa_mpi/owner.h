/* SPDX-License-Identifier: MIT */
/**
 * DOC: A rank's part of a table and the device that updates it
 *
 * All memory is the process's own, which the device reaches by faa_vm_map_userptr(): MPI may then
 * send and receive it by any transport, which is not so for mapped BOs.
 */
#ifndef MPI_OWNER_H
#define MPI_OWNER_H

#include "batch.h"
#include "failure.h"

/** OWNER_SLOTS - batches whose updates may be executed at the same time */
#define OWNER_SLOTS 2

/** struct owner_area - memory of the process, and its address for the device */
struct owner_area {
	uint8_t *memory;
	uint64_t va;
};

/** struct owner_slot - what the ranks sent at once, and the job that executes it */
struct owner_slot {
	/** @received: a block from each rank. */
	struct owner_area received;
	/** @results: of each block, at multiples of 8 bytes. */
	struct owner_area results;
	struct owner_area code;
	/** @counts: updates of each block. */
	uint32_t *counts;
	/** @ends: bytes of code up to the end of each block's commands. */
	uint32_t *ends;
	/** @code_words: of the job. */
	size_t code_words;
	/** @seqno: of the job; 0: there is none, or it was waited for. */
	uint64_t seqno;
	/** @round: number of the exchange. */
	uint64_t round;
};

/** struct owner - see above; owner_close() releases all of it */
struct owner {
	struct faa_device *device;
	struct faa_vm *vm;
	struct faa_queue *queue;
	struct faa_stream *stream;
	uint32_t ranks;
	enum faa_type type;
	/** @cell_bytes: of an element. */
	uint32_t cell_bytes;
	/** @memory: all areas, one after the other. */
	struct owner_area memory;
	size_t memory_bytes;
	/** @code_bytes: room for the commands of a slot. */
	size_t code_bytes;
	struct owner_area table;
	struct owner_slot slots[OWNER_SLOTS];
};

/** struct owner_shape - sizes of an owner */
struct owner_shape {
	uint32_t ranks;
	enum faa_type type;
	bool exact;
	/** @elements: of the part, not 0. */
	uint64_t elements;
	/** @limit: updates from one rank in a slot at most. */
	uint32_t limit;
};

/**
 * owner_open() - make a part, whose elements are zero, and a queue
 * @owner: zeroed; the caller calls owner_close() in any case
 * @device: device, of which the owner takes a reference
 * @shape: sizes
 *
 * Return: 0 or a negative errno, with the reason in faa_last_error().
 */
int owner_open(struct owner *owner, struct faa_device *device, const struct owner_shape *shape);

/** owner_close() - cancel unfinished jobs and release everything; a zeroed owner is allowed */
void owner_close(struct owner *owner);

/**
 * owner_check() - whether the device's commands allow an operation on a type
 *
 * Return: 0; -EINVAL, with the reason in faa_last_error().
 */
int owner_check(struct owner *owner, const struct call *call);

/**
 * owner_submit() - have the device execute what a slot received
 * @owner: owner
 * @slot: slot, whose counts and received blocks are complete
 * @call: kind of the updates
 * @failure: out if it fails
 *
 * Return: 0 or a negative errno.
 */
int owner_submit(struct owner *owner, struct owner_slot *slot, const struct call *call,
		 struct failure *failure);

/**
 * owner_wait() - wait for the job of a slot, if it has one
 * @owner: owner
 * @slot: slot
 * @failure: out if the job failed
 *
 * Return: 0 or a negative errno.
 */
int owner_wait(struct owner *owner, struct owner_slot *slot, struct failure *failure);

/** owner_read_sums() - round the exact sums that a slot asks for; all jobs have ended */
void owner_read_sums(struct owner *owner, struct owner_slot *slot, const struct call *call);

#endif /* MPI_OWNER_H */
