// SPDX-License-Identifier: MIT
#include "run.h"
#include "bo.h"
#include "decode.h"
#include "share.h"

#include <endian.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#define PAGE 4096u
/* Words of the JUMP in front of a copy. */
#define TRAMPOLINE_WORDS 2
#define TRAMPOLINE_BYTES (TRAMPOLINE_WORDS * 8)

/*
 * A warp has at most 32 lanes with 5 accesses each, of which each may miss twice, for reading and for writing. A page that goes missing
 * again and again, because somebody else changes it all the time, is waited for a little longer each time.
 */
#define MAX_TRIES      400
#define MAX_PAGE_TRIES 30
/* A part that ran so long was not stuck, whatever it did: for instance waited for a semaphore. */
#define LONG_CYCLES 65536

/* ---- One part ---- */

static void pause_for(unsigned int tries)
{
	struct timespec pause = { .tv_nsec = 10000 };

	if (tries < 3)
		return;
	pause.tv_nsec <<= tries < 12 ? tries - 3 : 9;
	nanosleep(&pause, NULL);
}

/* With the queue's lock: once it is being destroyed, its number may soon be another queue's. */
static int submit_once(struct faa_run *run, struct drm_faa_submit *args)
{
	int ret = -ECANCELED;

	pthread_mutex_lock(&run->queue->lock);
	if (!atomic_load(run->stop))
		ret = faa_device_ioctl(run->queue->vm->device, DRM_IOCTL_FAA_SUBMIT, args);
	pthread_mutex_unlock(&run->queue->lock);
	return ret;
}

static int submit(struct faa_run *run, uint64_t *seqno)
{
	bool first = !run->parts++;
	struct drm_faa_job job = {
		.stream_va = run->part.va,
		.stream_bytes = run->part.bytes,
		.first_element = run->part.first_element,
		.syncs = { .stride = sizeof(*run->syncs),
			   .count = first ? run->sync_count : 1,
			   .array = (uintptr_t)run->syncs },
	};
	struct drm_faa_submit args = {
		.queue_id = run->queue->id,
		.jobs = { .stride = sizeof(job), .count = 1, .array = (uintptr_t)&job },
	};
	unsigned int tries = 0;
	int ret;

	do {
		pause_for(tries);
		ret = submit_once(run, &args);
	} while (ret == -ENOMEM && ++tries < MAX_PAGE_TRIES);
	*seqno = args.first_seqno;
	return ret;
}

/* What the kernel did not take ends like what it took and never ran, a later part like a job that was killed where that begins. */
static void never_ran(const struct faa_run *run, struct faa_job_status *status, int error)
{
	*status = (struct faa_job_status){ .code = FAA_ERROR_CANCELLED };
	if (error == -ENODEV)
		status->code = FAA_ERROR_DEVICE_LOST;
	else if (run->parts > 1)
		status->code = FAA_ERROR_KILLED;
}

static void run_part(struct faa_run *run, struct faa_job_status *status)
{
	struct faa_device *device = run->queue->vm->device;
	uint64_t seqno;
	int ret;

	ret = submit(run, &seqno);
	if (ret) {
		run->queue_died = ret != -ENOMEM;
		never_ran(run, status, ret);
		return;
	}
	ret = faa_syncobj_wait(device, &run->syncs[0].handle, NULL, 1, true, FAA_NO_DEADLINE);
	faa_queue_read_slot(run->queue, seqno, status);
	/* The wait fails when the device is lost; then there may be no record. */
	if (ret && status->seqno != seqno)
		never_ran(run, status, -ENODEV);
	run->queue_died = status->code == FAA_ERROR_TIMEOUT ||
			  status->code == FAA_ERROR_DEVICE_LOST;
}

/* The status of the part in terms of the whole stream. */
static void translate(const struct faa_run *run, struct faa_job_status *status)
{
	uint32_t first = run->part.first_element;

	/* A command that could not even be fetched reports element 0, but the elements before the first one are done. */
	if (!status->command && !status->elements_retired && status->element < first) {
		status->element = first;
		status->lane = 0;
	}
	status->command += (uint32_t)run->part.shift;
	/* A JUMP to before a copy has been set right by lead_out(). */
	if (status->code == FAA_ERROR_BAD_JUMP &&
	    (run->part.shift >= 0 || (int64_t)status->address >= 0))
		status->address += (uint64_t)run->part.shift;
}

static void add_up(struct faa_run *run, const struct faa_job_status *status, bool first)
{
	struct faa_job_status sum = *status;

	if (!first) {
		sum.start_cycle = run->status.start_cycle;
		sum.elements_retired += run->status.elements_retired;
		sum.warps += run->status.warps;
		sum.passes += run->status.passes;
	}
	/* Nothing of it ran: the cycles are those of the part before. */
	if (!first && !status->end_cycle)
		sum.end_cycle = run->status.end_cycle;
	run->status = sum;
}

/* ---- Going on ---- */

/* Whether the part got anywhere; counts those that did not. */
static bool is_stuck(struct faa_run *run, const struct faa_job_status *status)
{
	struct faa_part *part = &run->part;
	uint64_t page = status->address & ~(uint64_t)(PAGE - 1);

	if (status->elements_retired || status->command != part->shift ||
	    status->end_cycle - status->start_cycle > LONG_CYCLES)
		part->tries = part->page_tries = 0;
	part->page_tries = page == part->page ? part->page_tries + 1 : 0;
	part->page = page;
	pause_for(part->page_tries);
	return ++part->tries > MAX_TRIES || part->page_tries > MAX_PAGE_TRIES;
}

/* The rest of the stream from the command and warp of @status on. */
static void go_on_at(struct faa_run *run, const struct faa_job_status *status)
{
	run->part.va = run->va + status->command;
	run->part.bytes = run->bytes - status->command;
	run->part.first_element = status->element & ~(uint32_t)(FAA_LANES - 1);
	run->part.shift = status->command;
}

static bool resolve_fault(struct faa_run *run, const struct faa_job_status *status, uint64_t serial)
{
	if (status->command >= run->bytes || is_stuck(run, status) ||
	    faa_share_fault(run->queue->vm, status->code, status->address, serial))
		return false;
	go_on_at(run, status);
	return true;
}

/* ---- Streams that jump back ---- */

static void drop_copy(struct faa_run *run)
{
	if (!run->copy.bo)
		return;
	faa_vm_unmap(run->queue->vm, run->copy.va, faa_bo_size(run->copy.bo));
	faa_bo_unref(run->copy.bo);
	run->copy.bo = NULL;
}

/* Memory for the stream behind a page with the command that fetches it. */
static int create_copy(struct faa_run *run)
{
	struct faa_vm *vm = run->queue->vm;
	struct faa_bo *bo;
	void *memory;
	int ret;

	ret = faa_bo_create_exclusive(vm, PAGE + TRAMPOLINE_BYTES + (uint64_t)run->bytes, 0, &bo);
	if (ret)
		return ret;
	ret = faa_bo_map(bo, &memory);
	if (!ret)
		ret = faa_vm_map(vm, bo, 0, 0, 0, &run->copy.va);
	if (ret) {
		faa_bo_unref(bo);
		return ret;
	}
	run->copy.bo = bo;
	run->copy.memory = memory;
	return 0;
}

/* The device fetches the stream, since it alone can read all of a VM. No register changes. */
static int fetch(struct faa_run *run)
{
	static const struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct faa_vector mov = {
		.opcode = FAA_OPCODE_MOV,
		.type = FAA_TYPE_U64,
		.count = run->bytes / 8,
		.a = faa_stream_u64(run->va, 8),
		.d = faa_stream_u64(run->copy.va + PAGE + TRAMPOLINE_BYTES, 8),
	};
	uint64_t words[FAA_MAX_COMMAND_WORDS + 1], *out = (uint64_t *)run->copy.memory;
	struct faa_run copying = {
		.queue = run->queue,
		.va = run->copy.va,
		.syncs = run->syncs,
		.sync_count = 1,
		.stop = run->stop,
	};
	unsigned int i, count;

	count = faa_encode_vector(words, &issue, &mov);
	count += faa_encode_end(words + count, &issue);
	for (i = 0; i < count; i++)
		out[i] = htole64(words[i]);
	copying.bytes = count * 8;
	faa_run(&copying);
	return faa_status_errno(&copying.status);
}

/*
 * A JUMP to before the stream is an error; in the copy it might hit the JUMP in front. Such a one is made to go further by as much as stands
 * there, to before that too.
 */
static void lead_out(struct faa_run *run)
{
	uint64_t *words = (uint64_t *)(run->copy.memory + PAGE + TRAMPOLINE_BYTES);
	size_t at, count = run->bytes / 8;
	struct faa_decoded decoded;

	for (at = 0; at < count; at += decoded.words) {
		int32_t distance;

		faa_decode(words + at, count - at, &decoded);
		if (decoded.error || decoded.vector.opcode != FAA_OPCODE_JUMP)
			continue;
		distance = (int32_t)(uint32_t)FAA_GET(JUMP_TARGET, decoded.control[0]);
		if ((int64_t)at + distance < 0 && distance >= INT32_MIN + TRAMPOLINE_WORDS)
			words[at + 1] =
				FAA_PUT(JUMP_TARGET, (uint32_t)(distance - TRAMPOLINE_WORDS));
	}
}

/* The stream in a copy, ready for a JUMP in front; an error is that of the copying. */
static int make_copy(struct faa_run *run)
{
	int ret = create_copy(run);

	if (ret)
		return ret;
	ret = fetch(run);
	if (ret)
		drop_copy(run);
	else
		lead_out(run);
	return ret;
}

/*
 * The rest of a stream has no room before it, so a JUMP back from there is an error. Then the whole stream is needed, but a job begins
 * with its first command: a copy of it with a JUMP in front.
 */
static bool resolve_jump(struct faa_run *run, const struct faa_job_status *status)
{
	static const struct faa_issue issue = FAA_ISSUE_DEFAULT;
	uint64_t words[TRAMPOLINE_WORDS], *out;

	if (run->part.shift <= 0 || status->address >= run->bytes ||
	    run->bytes > UINT32_MAX - TRAMPOLINE_BYTES)
		return false;
	if (!run->copy.bo && make_copy(run))
		return false;
	faa_encode_jump(words, &issue, FAA_JUMP_COND_ALWAYS,
			(int32_t)(TRAMPOLINE_WORDS + status->command / 8));
	out = (uint64_t *)(run->copy.memory + PAGE);
	out[0] = htole64(words[0]);
	out[1] = htole64(words[1]);
	run->part.va = run->copy.va + PAGE;
	run->part.bytes = run->bytes + TRAMPOLINE_BYTES;
	run->part.first_element = 0;
	run->part.shift = -TRAMPOLINE_BYTES;
	return true;
}

static bool resolve(struct faa_run *run, const struct faa_job_status *status, uint64_t serial)
{
	if (atomic_load(run->stop))
		return false;
	switch (status->code) {
	case FAA_ERROR_NOT_MAPPED:
	case FAA_ERROR_NOT_WRITABLE:
	case FAA_ERROR_NOT_ATOMIC:
		return resolve_fault(run, status, serial);
	case FAA_ERROR_BAD_JUMP:
		return resolve_jump(run, status);
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
	do {
		serial = faa_share_serial(run->queue->vm->share);
		run_part(run, &status);
		translate(run, &status);
		add_up(run, &status, first);
		first = false;
	} while (resolve(run, &status, serial));
	drop_copy(run);
}
