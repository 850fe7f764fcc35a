/* SPDX-License-Identifier: MIT */
/**
 * DOC: A job in parts
 *
 * A job of a shared VM runs until it touches unmapped memory, the library maps that memory, and the
 * job resumes where it stopped, as often as needed. Each part is a job of the kernel.
 */
#ifndef FAA_PARTS_H
#define FAA_PARTS_H

#include "queue.h"

/**
 * struct faa_copy - a copy of the stream in memory of the library, after a JUMP to the resume point
 */
struct faa_copy {
	struct faa_bo *bo;
	uint64_t va;
	uint8_t *memory;
};

/** struct faa_part - the next job for the device */
struct faa_part {
	uint64_t va;
	uint32_t bytes;
	uint32_t first_element;
	/* Offset of its byte 0 in the job's stream. */
	int64_t shift;
	/* Parts that began at this warp, and parts in a row that missed @page. */
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

/**
 * FAA_PATIENCE - faults on memory that had been mapped before, after which a job executes a step
 */
#define FAA_PATIENCE 8

/** struct faa_run - a job in flight */
struct faa_run {
	/* In: the queue, the stream, its first element, */
	struct faa_queue *queue;
	uint64_t va;
	uint32_t bytes;
	uint32_t first_element;
	/* a syncobj for the fence of each part, then the waits of the first part, */
	struct drm_faa_sync *syncs;
	uint32_t sync_count;
	/* set when no further part may be tried. */
	const atomic_bool *stop;
	/* Out: as the status of one job, except its seqno, */
	struct faa_job_status status;
	/* and whether the kernel will accept no more jobs. */
	bool queue_died;

	struct faa_part part;
	struct faa_copy copy;
	struct faa_step_area area;
	unsigned int parts;
	/*
	 * Faults on memory that had been mapped before, and elements, since the last progress;
	 * limit of these faults: FAA_PATIENCE, doubled each time that a step cannot be done.
	 */
	unsigned int lost;
	uint64_t gained;
	unsigned int patience;
	/* No other part of the VM is in flight. */
	bool alone;
};

/** faa_run() - run the job; returns when it has ended. */
void faa_run(struct faa_run *run);

/**
 * faa_run_go_on() - let the next part begin with @command, a byte of the stream, at @element's
 * warp.
 */
void faa_run_go_on(struct faa_run *run, uint32_t command, uint32_t element);

/* Submit and judge a part: part.c. */

/**
 * faa_part_run() - run the part and wait for it
 *
 * @status is in terms of the whole stream, but counts the work of this part alone.
 */
void faa_part_run(struct faa_run *run, struct faa_job_status *status);

/** faa_part_add_up() - add @status to that of the run. */
void faa_part_add_up(struct faa_run *run, const struct faa_job_status *status, bool first);

/**
 * faa_part_pause() - wait a little longer with each try, at most 5 ms; not at all for the first
 * three.
 */
void faa_part_pause(unsigned int tries);

/* The copy of the stream: resume_copy.c. */

/**
 * faa_copy_go_on() - let the next part begin with @command in a copy of the stream
 *
 * Return: false if there can be none.
 */
bool faa_copy_go_on(struct faa_run *run, uint32_t command);

/** faa_copy_drop() - free the copy, if there is one. */
void faa_copy_drop(struct faa_run *run);

/* A step of one instruction: single_step.c. */

/**
 * faa_step() - execute one command, or some of its warps, with the memory of the process held
 * @run: job; the next part is prepared
 * @command: byte of the stream where it resumes
 * @element: of that command
 *
 * Does nothing if other parts of the VM stay in flight for long, or if the command waits for a
 * semaphore.
 *
 * Return: false: the job ends.
 */
bool faa_step(struct faa_run *run, uint32_t command, uint32_t element);

/** faa_step_drop() - free the memory of steps, if there is any. */
void faa_step_drop(struct faa_run *run);

#endif /* FAA_PARTS_H */
