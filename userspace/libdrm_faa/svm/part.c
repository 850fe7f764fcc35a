// SPDX-License-Identifier: MIT
/* One part of a job: its way through the kernel and the device. */
#include "parts.h"
#include "share.h"

#include <errno.h>
#include <time.h>

/* A submission for which the kernel has no memory is retried. */
#define MAX_SUBMIT_TRIES 30

void faa_part_pause(unsigned int tries)
{
	struct timespec pause = { .tv_nsec = 10000 };

	if (tries < 3)
		return;
	pause.tv_nsec <<= tries < 12 ? tries - 3 : 9;
	nanosleep(&pause, NULL);
}

/* With the queue's lock: once the queue is being destroyed, another queue may get its number. */
static int part_submit_once(struct faa_run *run, struct drm_faa_submit *args)
{
	int ret = -ECANCELED;

	pthread_mutex_lock(&run->queue->lock);
	if (!atomic_load(run->stop))
		ret = faa_device_ioctl(run->queue->vm->device, DRM_IOCTL_FAA_SUBMIT, args);
	pthread_mutex_unlock(&run->queue->lock);
	return ret;
}

static int part_submit(struct faa_run *run, uint64_t *seqno)
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
		faa_part_pause(tries);
		ret = part_submit_once(run, &args);
	} while (ret == -ENOMEM && ++tries < MAX_SUBMIT_TRIES);
	*seqno = args.first_seqno;
	return ret;
}

/*
 * A part that the kernel rejected is CANCELLED, like a job that never ran; a later part is KILLED
 * at its beginning.
 */
static void part_never_ran(const struct faa_run *run, struct faa_job_status *status, int error)
{
	*status = (struct faa_job_status){ .code = FAA_ERROR_CANCELLED };
	if (error == -ENODEV)
		status->code = FAA_ERROR_DEVICE_LOST;
	else if (run->parts > 1)
		status->code = FAA_ERROR_KILLED;
}

static void part_run(struct faa_run *run, struct faa_job_status *status)
{
	struct faa_device *device = run->queue->vm->device;
	uint64_t seqno;
	int ret;

	ret = part_submit(run, &seqno);
	if (ret) {
		run->queue_died = ret != -ENOMEM;
		part_never_ran(run, status, ret);
		return;
	}
	ret = faa_syncobj_wait(device, &run->syncs[0].handle, NULL, 1, true, FAA_NO_DEADLINE);
	/* The wait fails when the device is lost; then there may be no record. */
	if (!faa_queue_read_slot(run->queue, seqno, status) && ret)
		part_never_ran(run, status, -ENODEV);
	run->queue_died = status->code == FAA_ERROR_TIMEOUT ||
			  status->code == FAA_ERROR_DEVICE_LOST;
}

/* The status of the part in terms of the whole stream. */
static void part_translate(const struct faa_run *run, struct faa_job_status *status)
{
	uint32_t first = run->part.first_element;

	/*
	 * A command that could not be fetched reports element 0, but the elements before the first
	 * one are done.
	 */
	if (!status->command && !status->elements_retired && status->element < first) {
		status->element = first;
	}
	status->command += (uint32_t)run->part.shift;
	/* A JUMP to before a copy has been corrected by copy_lead_out(). */
	if (status->code == FAA_ERROR_BAD_JUMP &&
	    (run->part.shift >= 0 || (int64_t)status->address >= 0))
		status->address += (uint64_t)run->part.shift;
}

void faa_part_add_up(struct faa_run *run, const struct faa_job_status *status, bool first)
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

void faa_part_run(struct faa_run *run, struct faa_job_status *status)
{
	struct faa_share *share = run->queue->vm->share;

	if (!run->alone)
		faa_share_begin_part(share);
	part_run(run, status);
	if (!run->alone)
		faa_share_end_part(share);
	part_translate(run, status);
}
