/* SPDX-License-Identifier: MIT */
/**
 * DOC: One job in parts
 *
 * A job of a shared VM runs until it comes to memory that is not mapped, is given it, and goes on where it stopped, as often as need
 * be. Each part is a job of the kernel.
 */
#ifndef FAA_RUN_H
#define FAA_RUN_H

#include "queue.h"

/** struct faa_copy - a stream in memory of the library, behind a JUMP to where it is to go on */
struct faa_copy {
	struct faa_bo *bo;
	uint64_t va;
	uint8_t *memory;
};

/** struct faa_part - what the device is given next */
struct faa_part {
	uint64_t va;
	uint32_t bytes;
	uint32_t first_element;
	/* Byte 0 of it is this byte of the job's stream. */
	int64_t shift;
	/* Parts that began at this warp, and the page that the last of them missed. */
	unsigned int tries;
	unsigned int page_tries;
	uint64_t page;
};

/** struct faa_step_area - memory of the library for the commands of a step */
struct faa_step_area {
	struct faa_bo *bo;
	uint64_t va;
	uint64_t *words;
};

/** FAA_PATIENCE - faults on what had been mapped before after which a job goes a step with memory that stays */
#define FAA_PATIENCE 8

/** struct faa_run - a job under way */
struct faa_run {
	/* In: the queue, the stream, its first element, */
	struct faa_queue *queue;
	uint64_t va;
	uint32_t bytes;
	uint32_t first_element;
	/* a syncobj for the fence of each part, then the waits of the first part, */
	struct drm_faa_sync *syncs;
	uint32_t sync_count;
	/* set when no further part is to be tried. */
	const atomic_bool *stop;
	/* Out: as the status of one job, but for its seqno. */
	struct faa_job_status status;
	/* and whether the kernel will take no more jobs. */
	bool queue_died;

	struct faa_part part;
	struct faa_copy copy;
	struct faa_step_area area;
	unsigned int parts;
	/*
	 * Faults on what had been mapped before, and elements, since the job last got on; how many faults are borne:
	 * FAA_PATIENCE, and twice as many each time that a step cannot be done.
	 */
	unsigned int lost;
	uint64_t gained;
	unsigned int patience;
	/* No other part of the VM is under way. */
	bool alone;
};

/** faa_run() - do it; returns when the job has ended. */
void faa_run(struct faa_run *run);

/** faa_run_go_on() - let the next part begin with @command, a byte of the stream, at the warp of @element. */
void faa_run_go_on(struct faa_run *run, uint32_t command, uint32_t element);

/* part.c */

/** faa_part_run() - run the part and wait for it; @status is in terms of the whole stream, but counts what the part did. */
void faa_part_run(struct faa_run *run, struct faa_job_status *status);

/** faa_part_add_up() - put @status on top of that of the run. */
void faa_part_add_up(struct faa_run *run, const struct faa_job_status *status, bool first);

/** faa_part_pause() - wait a little longer with every try, 5 ms at most; the first three not at all. */
void faa_part_pause(unsigned int tries);

/* copy.c */

/** faa_copy_go_on() - let the next part begin with @command in a copy of the stream; false if there can be none. */
bool faa_copy_go_on(struct faa_run *run, uint32_t command);

/** faa_copy_drop() - free the copy, if there is one. */
void faa_copy_drop(struct faa_run *run);

/* step.c */

/**
 * faa_step() - execute one command, or some of its warps, whatever happens to the process's memory meanwhile
 * @run: job; the next part is prepared
 * @command: byte of the stream where it goes on
 * @element: of that command
 *
 * Does nothing if other parts of the VM are under way for long, or if the command waits for a semaphore.
 *
 * Return: false: the job ends.
 */
bool faa_step(struct faa_run *run, uint32_t command, uint32_t element);

/** faa_step_drop() - free the memory of steps, if there is any. */
void faa_step_drop(struct faa_run *run);

#endif /* FAA_RUN_H */
