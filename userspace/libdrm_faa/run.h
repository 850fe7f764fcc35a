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
	unsigned int parts;
};

/** faa_run() - do it; returns when the job has ended. */
void faa_run(struct faa_run *run);

#endif /* FAA_RUN_H */
