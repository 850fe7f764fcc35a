// SPDX-License-Identifier: MIT
#include "parts.h"
#include "share.h"

#define PAGE 4096u

/*
 * A warp has at most 32 lanes with 5 accesses each; each may miss twice, for reading and for
 * writing.
 */
#define MAX_TRIES      400
#define MAX_PAGE_TRIES 30
/* Elements that make up for faults on memory that had been mapped before. */
#define ENOUGH 2048
/* A part that ran longer was not stuck; it may have waited for a semaphore. */
#define LONG_CYCLES 65536

/* Whether the job is stuck: too many parts in a row made no progress. */
static bool parts_is_stuck(struct faa_run *run, const struct faa_job_status *status)
{
	struct faa_part *part = &run->part;
	uint64_t page = status->address & ~(uint64_t)(PAGE - 1);

	if (status->elements_retired || status->command != part->shift ||
	    status->end_cycle - status->start_cycle > LONG_CYCLES)
		part->tries = part->page_tries = 0;
	part->page_tries = page == part->page ? part->page_tries + 1 : 0;
	part->page = page;
	faa_part_pause(part->page_tries);
	return ++part->tries > MAX_TRIES || part->page_tries > MAX_PAGE_TRIES;
}

/* Whether memory is unmapped faster than the job progresses. */
static bool parts_is_robbed(struct faa_run *run, const struct faa_job_status *status, bool lost)
{
	run->gained += status->elements_retired;
	if (run->gained >= ENOUGH || status->end_cycle - status->start_cycle > LONG_CYCLES)
		run->gained = run->lost = 0;
	run->lost += lost;
	return run->lost >= run->patience;
}

void faa_run_go_on(struct faa_run *run, uint32_t command, uint32_t element)
{
	run->part.va = run->va + command;
	run->part.bytes = run->bytes - command;
	run->part.first_element = element & ~(uint32_t)(FAA_LANES - 1);
	run->part.shift = command;
}

static bool parts_resolve_fault(struct faa_run *run, const struct faa_job_status *status,
				uint64_t serial)
{
	bool lost, stuck;

	if (status->command >= run->bytes)
		return false;
	stuck = parts_is_stuck(run, status);
	if (faa_share_fault(run->queue->vm, status->code, status->address, serial, &lost))
		return false;
	if (parts_is_robbed(run, status, lost) || stuck) {
		run->gained = run->lost = 0;
		run->part.tries = run->part.page_tries = 0;
		return faa_step(run, status->command, status->element);
	}
	faa_run_go_on(run, status->command, status->element);
	return true;
}

/*
 * The rest of a stream has no room before it, so a JUMP back from there is an error. Then the next
 * part is the whole stream. A job begins with its first command, so a copy of the stream with a
 * JUMP in front is used.
 */
static bool parts_resolve_jump(struct faa_run *run, const struct faa_job_status *status)
{
	return run->part.shift > 0 && status->address < run->bytes &&
	       faa_copy_go_on(run, status->command);
}

static bool parts_resolve(struct faa_run *run, const struct faa_job_status *status, uint64_t serial)
{
	if (atomic_load(run->stop))
		return false;
	switch (status->code) {
	case FAA_ERROR_NOT_MAPPED:
	case FAA_ERROR_NOT_WRITABLE:
	case FAA_ERROR_NOT_ATOMIC:
		return parts_resolve_fault(run, status, serial);
	case FAA_ERROR_BAD_JUMP:
		return parts_resolve_jump(run, status);
	default:
		return false;
	}
}

void faa_run(struct faa_run *run)
{
	struct faa_job_status status;
	bool first = true;
	uint64_t serial;

	run->part = (struct faa_part){ .va = run->va,
				       .bytes = run->bytes,
				       .first_element = run->first_element };
	run->patience = FAA_PATIENCE;
	do {
		serial = faa_share_serial(run->queue->vm->share);
		faa_part_run(run, &status);
		faa_part_add_up(run, &status, first);
		first = false;
	} while (parts_resolve(run, &status, serial));
	faa_copy_drop(run);
	faa_step_drop(run);
}
