// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Submission
 *
 * A SUBMIT names one queue and any number of jobs. In this order:
 *
 * 1. arguments are copied and checked,
 * 2. jobs and hardware fences are allocated, syncobjs to signal are looked up and
 *    links of timelines allocated,
 * 3. dependencies of all jobs are added,
 * 4. under the queue's submit lock and the VM's lock, memory of processes that has
 *    changed is mapped anew,
 * 5. room is made for the fence in the reservations of the VM and of the shared
 *    objects that are mapped in it,
 * 6. the jobs are armed and pushed, and the fences published, none of which can fail.
 *
 * If memory changes between 4 and 6, 4 is repeated. Once the fences are published a
 * change waits for them.
 *
 * Jobs that DRM_FAA_JOB_TOGETHER chains are a group. Each member is a job like others; only
 * the ring treats them as one (faa_sched.c). A wait of a member after the first is refused:
 * its fence might wait for the group.
 *
 * So either all jobs are submitted or none. A wait for a point that an earlier job of the
 * same call signals is satisfied by the order of the queue and is dropped. The
 * reservations get the last fence only, as bookkeeping: synchronisation is explicit. The
 * fences that others get are not the scheduler's but follow them (faa_timeline.c).
 */

#include <linux/sched/signal.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_exec.h>
#include <drm/drm_gpuvm.h>
#include <drm/drm_syncobj.h>

#include <kunit/visibility.h>

#include "faa_compat.h"
#include "faa_completion.h"
#include "faa_device.h"
#include "faa_job.h"
#include "faa_pt.h"
#include "faa_queue.h"
#include "faa_refuse.h"
#include "faa_status.h"
#include "faa_sync.h"
#include "faa_timeline.h"
#include "faa_trace.h"
#include "faa_uobj.h"
#include "faa_userptr.h"
#include "faa_vm.h"

/**
 * struct faa_submit - a SUBMIT in progress
 */
struct faa_submit {
	/** @file: DRM file. */
	struct drm_file *file;
	/** @queue: the queue. */
	struct faa_queue *queue;
	/** @args: jobs as user space gave them. */
	struct drm_faa_job *args;
	/** @syncs: sync operations of each job, NULL = none. */
	struct drm_faa_sync **syncs;
	/** @jobs: the jobs; NULL once pushed. */
	struct faa_job **jobs;
	/** @done: fence of each job, once submitted. */
	struct dma_fence **done;
	/** @count: number of jobs. */
	u32 count;
	/** @signals: syncobjs to signal. */
	struct faa_signals signals;
};

static int job_check_syncs(const struct drm_faa_job *args)
{
	if (args->syncs.count > DRM_FAA_MAX_SYNCS)
		return faa_refuse(NULL, -EINVAL, "SUBMIT: job.syncs.count %u, the most is %u",
				  args->syncs.count, DRM_FAA_MAX_SYNCS);

	return 0;
}

/**
 * faa_job_check() - check a job
 * @args: job of SUBMIT
 *
 * Return: 0 or -EINVAL.
 */
int faa_job_check(const struct drm_faa_job *args)
{
	if (args->flags & ~DRM_FAA_JOB_TOGETHER || args->pad)
		return faa_refuse(NULL, -EINVAL,
				  "SUBMIT: job.flags 0x%x, allowed are 0x%x, pad 0x%x, must be 0",
				  args->flags, DRM_FAA_JOB_TOGETHER, args->pad);
	if (!args->stream_bytes || !IS_ALIGNED(args->stream_bytes, sizeof(u64)) ||
	    !IS_ALIGNED(args->stream_va, sizeof(u64)) || args->stream_va >= FAA_PT_VA_END ||
	    args->stream_bytes > FAA_PT_VA_END - args->stream_va)
		return faa_refuse(NULL, -EINVAL,
				  "SUBMIT: job.stream_va 0x%llx, stream_bytes 0x%x, allowed are words below 0x%llx",
				  args->stream_va, args->stream_bytes, FAA_PT_VA_END);
	if (!IS_ALIGNED(args->first_element, FAA_LANES))
		return faa_refuse(NULL, -EINVAL,
				  "SUBMIT: job.first_element %u, allowed are multiples of %u",
				  args->first_element, FAA_LANES);

	return job_check_syncs(args);
}
EXPORT_SYMBOL_IF_KUNIT(faa_job_check);

/**
 * faa_job_slot() - the warp slot that a job of SUBMIT runs in
 * @args: jobs of SUBMIT
 * @job: index of the job
 *
 * Return: how many jobs before it belong to its group.
 */
u32 faa_job_slot(const struct drm_faa_job *args, u32 job)
{
	u32 slot = 0;

	while (slot < job && args[job - slot - 1].flags & DRM_FAA_JOB_TOGETHER)
		slot++;

	return slot;
}
EXPORT_SYMBOL_IF_KUNIT(faa_job_slot);

/**
 * faa_job_check_groups() - check how jobs are chained
 * @args: jobs of SUBMIT
 * @count: number of jobs, not 0
 * @slots: warp slots of a compute unit
 *
 * Return: 0 or -EINVAL: a group has more jobs than slots, or no end.
 */
int faa_job_check_groups(const struct drm_faa_job *args, u32 count, u32 slots)
{
	u32 i, size = 0;

	for (i = 0; i < count; i++) {
		if (++size > slots)
			return faa_refuse(NULL, -EINVAL,
					  "SUBMIT: job %u is member %u of its group, the most is %u",
					  i, size, slots);
		if (!(args[i].flags & DRM_FAA_JOB_TOGETHER))
			size = 0;
	}

	if (size)
		return faa_refuse(NULL, -EINVAL, "SUBMIT: job %u, the last one, has TOGETHER",
				  count - 1);

	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(faa_job_check_groups);

static struct faa_job *job_create(struct faa_submit *submit, u32 index)
{
	const struct drm_faa_job *args = &submit->args[index];
	struct faa_queue *queue = submit->queue;
	struct faa_job *job = kzalloc(sizeof(*job), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!job)
		return ERR_PTR(-ENOMEM);

	job->stream_va = args->stream_va;
	job->stream_bytes = args->stream_bytes;
	job->first_element = args->first_element;
	job->slot = faa_job_slot(submit->args, index);
	job->together = args->flags & DRM_FAA_JOB_TOGETHER;
	job->fence = faa_fence_alloc();
	job->done = faa_timeline_fence_alloc();
	ret = job->fence && job->done ?
	      faa_sched_job_init(&job->base, &queue->entity, queue, submit->file->client_id) :
	      -ENOMEM;
	if (ret) {
		kfree(job->done);
		kfree(job->fence);
		kfree(job);
		return ERR_PTR(ret);
	}

	job->queue = queue;
	kref_get(&queue->refcount);

	return job;
}

/* Only for a job that was not armed; the scheduler frees the others. */
static void job_discard(struct faa_job *job)
{
	struct faa_queue *queue = job->queue;

	drm_sched_job_cleanup(&job->base);
	kfree(job->done);
	kfree(job->fence);
	kfree(job);
	faa_queue_put(queue);
}

static int submit_add_wait(struct faa_submit *submit, u32 job, const struct drm_faa_sync *sync)
{
	struct dma_fence *fence;
	int ret;

	if (faa_sync_signalled_before(&submit->signals, job, sync))
		return 0;

	ret = faa_sync_find(submit->file, sync, &fence, "SUBMIT");
	if (ret)
		return ret;
	/* The order of the queue is enough. */
	if (fence->context == submit->queue->timeline->context) {
		dma_fence_put(fence);
		return 0;
	}

	return drm_sched_job_add_dependency(&submit->jobs[job]->base, fence);
}

/* Copy and check the sync operations of a job and collect what it signals. */
static int submit_get_syncs(struct faa_submit *submit, u32 job)
{
	const struct drm_faa_obj_array *array = &submit->args[job].syncs;
	struct drm_faa_sync *syncs;
	u32 i;
	int ret;

	if (!array->count)
		return 0;

	syncs = FAA_UOBJ_GET_ARRAY(array, DRM_FAA_MAX_SYNCS, struct drm_faa_sync, point,
				   "SUBMIT: job.syncs");
	if (IS_ERR(syncs))
		return PTR_ERR(syncs);
	submit->syncs[job] = syncs;

	for (i = 0; i < array->count; i++) {
		ret = faa_sync_check(&syncs[i], "SUBMIT");
		if (!ret && !(syncs[i].flags & DRM_FAA_SYNC_SIGNAL) &&
		    faa_job_slot(submit->args, job))
			ret = faa_refuse(NULL, -EINVAL,
					 "SUBMIT: job %u waits and is not the first of its group",
					 job);
		if (!ret && syncs[i].flags & DRM_FAA_SYNC_SIGNAL)
			ret = faa_sync_add_signal(submit->file, &submit->signals, job,
						  &syncs[i]);
		if (ret)
			return ret;
	}

	return 0;
}

static int submit_add_waits(struct faa_submit *submit, u32 job)
{
	u32 i, count = submit->args[job].syncs.count;
	int ret;

	for (i = 0; i < count; i++) {
		const struct drm_faa_sync *sync = &submit->syncs[job][i];

		if (sync->flags & DRM_FAA_SYNC_SIGNAL)
			continue;
		ret = submit_add_wait(submit, job, sync);
		if (ret)
			return ret;
	}

	return 0;
}

static void submit_fini(struct faa_submit *submit)
{
	u32 i;

	faa_sync_free_signals(&submit->signals);
	for (i = 0; i < submit->count; i++) {
		if (submit->jobs && submit->jobs[i])
			job_discard(submit->jobs[i]);
		if (submit->syncs)
			kvfree(submit->syncs[i]);
		if (submit->done)
			dma_fence_put(submit->done[i]);
	}
	kvfree(submit->done);
	kvfree(submit->jobs);
	kvfree(submit->syncs);
	kvfree(submit->args);
}

/* Between jobs: let others run, and end early if the process is being killed. */
static int submit_pause(void)
{
	cond_resched();

	return fatal_signal_pending(current) ? -EINTR : 0;
}

/* A SUBMIT has so many sync operations in all, because each costs time with locks held. */
static int submit_check_syncs(const struct faa_submit *submit)
{
	u32 i, sum = 0;

	for (i = 0; i < submit->count; i++) {
		if (job_check_syncs(&submit->args[i]))
			return -EINVAL;
		sum += submit->args[i].syncs.count;
	}

	if (sum > DRM_FAA_MAX_SUBMIT_SYNCS)
		return faa_refuse(NULL, -EINVAL, "SUBMIT: %u syncs in all, the most is %u", sum,
				  DRM_FAA_MAX_SUBMIT_SYNCS);

	return 0;
}

/* Steps 1 to 3: everything that can be done without a lock. */
static int submit_prepare(struct faa_submit *submit, const struct drm_faa_obj_array *jobs)
{
	struct drm_faa_job *args;
	u32 i;
	int ret;

	args = FAA_UOBJ_GET_ARRAY(jobs, DRM_FAA_MAX_JOBS, struct drm_faa_job, syncs,
				  "SUBMIT: jobs");
	if (IS_ERR(args))
		return PTR_ERR(args);
	submit->args = args;
	submit->count = jobs->count;
	ret = faa_job_check_groups(args, jobs->count, submit->queue->faa->info.warp_slots);
	if (!ret)
		ret = submit_check_syncs(submit);
	if (ret)
		return ret;

	submit->syncs = kvcalloc(jobs->count, sizeof(*submit->syncs), GFP_KERNEL_ACCOUNT);
	submit->jobs = kvcalloc(jobs->count, sizeof(*submit->jobs), GFP_KERNEL_ACCOUNT);
	submit->done = kvcalloc(jobs->count, sizeof(*submit->done), GFP_KERNEL_ACCOUNT);
	if (!submit->syncs || !submit->jobs || !submit->done)
		return -ENOMEM;

	for (i = 0; i < submit->count; i++) {
		struct faa_job *job;

		ret = submit_pause();
		if (!ret)
			ret = faa_job_check(&args[i]);
		if (!ret)
			ret = submit_get_syncs(submit, i);
		if (ret)
			return ret;
		job = job_create(submit, i);
		if (IS_ERR(job))
			return PTR_ERR(job);
		submit->jobs[i] = job;
	}

	for (i = 0; i < submit->count; i++) {
		ret = submit_pause();
		if (!ret)
			ret = submit_add_waits(submit, i);
		if (ret)
			return ret;
	}

	return 0;
}

/* Can the queue take the jobs? The submit lock is held. */
static int submit_check_queue(struct faa_submit *submit)
{
	struct faa_queue *queue = submit->queue;
	int ret = 0;

	spin_lock(&queue->lock);
	if (queue->progress.dead)
		ret = queue->progress.reason == FAA_STOP_LOST ? -ENODEV : -ECANCELED;
	else if (!faa_status_room(queue->submitted, queue->progress.ended, submit->count,
				  queue->status.entries))
		ret = -ENOSPC;
	spin_unlock(&queue->lock);
	if (ret == -ENOSPC)
		faa_refuse(&queue->faa->drm, ret,
			   "SUBMIT: %u jobs, the status ring of %u entries has no room",
			   submit->count, queue->status.entries);
	else if (ret)
		faa_refuse(&queue->faa->drm, ret, "SUBMIT: the queue is dead");

	return ret;
}

/* The fences that a job waits for; the scheduler takes them over with the job. */
static void submit_trace_waits(struct faa_job *job)
{
	struct dma_fence *fence;
	unsigned long index;

	if (!trace_faa_job_wait_enabled())
		return;
	xa_for_each(&job->base.dependencies, index, fence)
		trace_faa_job_wait(job, fence);
}

/* The point of no return. */
static void submit_push(struct faa_submit *submit)
{
	struct faa_queue *queue = submit->queue;
	u32 i;

	for (i = 0; i < submit->count; i++) {
		struct faa_job *job = submit->jobs[i];

		job->seqno = queue->submitted + 1;
		drm_sched_job_arm(&job->base);
		faa_timeline_fence_init(job->done, queue->timeline);
		submit->done[i] = dma_fence_get(&job->done->base);
		faa_timeline_fence_follow(job->done, &job->base.s_fence->finished);
		job->done = NULL;
		WRITE_ONCE(queue->submitted, job->seqno);
		trace_faa_job_submit(job);
		submit_trace_waits(job);

		/* The scheduler's from here on. */
		submit->jobs[i] = NULL;
		drm_sched_entity_push_job(&job->base);
	}
}

/*
 * Steps 5 and 6. -EAGAIN: the process's memory has changed, which is to be looked at
 * again.
 */
static int submit_locked(struct faa_submit *submit, u64 *first_seqno)
{
	struct faa_queue *queue = submit->queue;
	struct faa_vm *vm = queue->vm;
	struct drm_gpuvm_exec exec = {
		.vm = &vm->base,
		.flags = DRM_EXEC_INTERRUPTIBLE_WAIT | DRM_EXEC_IGNORE_DUPLICATES,
		.num_fences = 1,
	};
	int ret;

	ret = drm_gpuvm_exec_lock(&exec);
	if (ret)
		return ret;

	/* From here to the fences no userptr mapping becomes stale. */
	mutex_lock(&vm->pt_lock);
	if (faa_userptr_stale(vm)) {
		ret = -EAGAIN;
	} else {
		*first_seqno = queue->submitted + 1;
		submit_push(submit);
		drm_gpuvm_exec_resv_add_fence(&exec, submit->done[submit->count - 1],
					      DMA_RESV_USAGE_BOOKKEEP,
					      DMA_RESV_USAGE_BOOKKEEP);
	}
	mutex_unlock(&vm->pt_lock);
	drm_gpuvm_exec_unlock(&exec);
	/* In the order of the queue, which the submit lock keeps. */
	if (!ret)
		faa_sync_publish(&submit->signals, submit->done);

	return ret;
}

/* Steps 4 to 6. */
static int submit_commit(struct faa_submit *submit, u64 *first_seqno)
{
	struct faa_queue *queue = submit->queue;
	int ret;

	ret = mutex_lock_interruptible(&queue->submit_lock);
	if (ret)
		return ret;
	/* A queue that is alive has its VM, as long as we hold the lock. */
	ret = submit_check_queue(submit);
	if (ret)
		goto out_unlock;
	/*
	 * With the VM's lock no object is unlinked meanwhile, so the VM keeps its objects
	 * and exec never drops the last reference to one with reservations locked.
	 */
	ret = mutex_lock_interruptible(&queue->vm->lock);
	if (ret)
		goto out_unlock;

	do {
		ret = faa_userptr_revalidate(queue->vm);
		if (!ret)
			ret = submit_locked(submit, first_seqno);
	} while (ret == -EAGAIN);

	mutex_unlock(&queue->vm->lock);
out_unlock:
	mutex_unlock(&queue->submit_lock);

	return ret;
}

/**
 * faa_job_submit() - SUBMIT
 * @file: file
 * @drm_file: the same
 * @args: arguments; out fields are filled
 *
 * Return: 0 or an error of SUBMIT.
 */
int faa_job_submit(struct faa_file *file, struct drm_file *drm_file,
		   struct drm_faa_submit *args)
{
	struct faa_submit submit = { .file = drm_file };
	int ret;

	submit.queue = faa_queue_get(file, args->queue_id);
	if (!submit.queue)
		return faa_refuse(&file->faa->drm, -ENOENT,
				  "SUBMIT: queue %u, the file has none with this ID",
				  args->queue_id);

	faa_sync_init_signals(&submit.signals);
	ret = submit_prepare(&submit, &args->jobs);
	if (!ret)
		ret = submit_commit(&submit, &args->first_seqno);
	submit_fini(&submit);
	faa_queue_put(submit.queue);

	return ret;
}
