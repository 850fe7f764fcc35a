/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_COMPAT_H__
#define __FAA_COMPAT_H__

/**
 * DOC: Kernel versions
 *
 * The driver is written for 6.12.y as Debian ships it. Kbuild looks into the
 * headers of the kernel that it builds for, and defines FAA_HAVE_x for what
 * differs. Version numbers are not compared: stable kernels backport interfaces.
 */

#include <drm/drm_drv.h>
#include <drm/gpu_scheduler.h>

#ifdef FAA_HAVE_DRM_DRIVER_DATE
#define FAA_DRM_DRIVER_DATE .date = "20261122",
#else
#define FAA_DRM_DRIVER_DATE
#endif

/* Result of a timeout handler for a job that continues. */
#ifdef FAA_HAVE_SCHED_NO_HANG
#define FAA_SCHED_STAT_NO_HANG DRM_GPU_SCHED_STAT_NO_HANG
#else
#define FAA_SCHED_STAT_NO_HANG DRM_GPU_SCHED_STAT_NOMINAL
#endif

/* Give a job back that the scheduler took off its list for the timeout handler.
 *
 * Newer kernels do so themselves for DRM_GPU_SCHED_STAT_NO_HANG. drm_sched_stop()
 * with drm_sched_start() is no way to do it: it ends every job that still runs.
 * The job may have ended while it was off the list: the wakeup makes the
 * scheduler check the list.
 */
static inline void faa_sched_readd_job(struct drm_sched_job *job)
{
#ifndef FAA_HAVE_SCHED_NO_HANG
	struct drm_gpu_scheduler *sched = job->sched;

	spin_lock(&sched->job_list_lock);
	list_add(&job->list, &sched->pending_list);
	spin_unlock(&sched->job_list_lock);
	drm_sched_wqueue_start(sched);
#endif
}

static inline int faa_sched_job_init(struct drm_sched_job *job,
				     struct drm_sched_entity *entity,
				     void *owner, u64 client_id)
{
#ifdef FAA_HAVE_SCHED_JOB_CLIENT_ID
	return drm_sched_job_init(job, entity, 1, owner, client_id);
#else
	return drm_sched_job_init(job, entity, 1, owner);
#endif
}

#endif
