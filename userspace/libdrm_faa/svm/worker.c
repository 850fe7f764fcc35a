// SPDX-License-Identifier: MIT
#include "worker.h"
#include "error.h"
#include "job.h"
#include "parts.h"
#include "share.h"
#include "worker_job.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The queue's lock guards everything but @stop. */
struct faa_worker {
	pthread_t thread;
	/* There is a job, or @stop is set. */
	pthread_cond_t work;
	/* A job has ended. */
	pthread_cond_t ended;
	atomic_bool stop;
	/* Jobs in order; the first one is with the thread. */
	struct faa_worker_job *first;
	struct faa_worker_job *last;
	/* All jobs up to this one have ended. */
	uint64_t completed;
	/* The kernel accepts no more jobs. */
	bool dead;
	uint64_t failed;
	uint64_t error_seqno;
	uint64_t elements_retired;
	/* As many as the kernel's ring has. */
	struct faa_job_status *statuses;
};

static struct faa_device *worker_device_of(const struct faa_queue *queue)
{
	return queue->vm->device;
}

/* ---- The thread ---- */

/* False: stopped. */
static bool worker_wait_for_promises(struct faa_queue *queue, struct faa_worker_job *job)
{
	struct faa_device *device = worker_device_of(queue);
	bool kept = true;
	uint32_t i;

	pthread_mutex_lock(&device->promises.lock);
	for (i = 0; i < job->wait_count && kept; i++)
		kept = faa_promise_wait(device, job->waits[i], &queue->worker->stop);
	pthread_mutex_unlock(&device->promises.lock);
	return kept;
}

static void worker_run_job(struct faa_queue *queue, struct faa_worker_job *job, struct faa_run *run)
{
	*run = (struct faa_run){
		.queue = queue,
		.va = job->stream_va,
		.bytes = job->stream_bytes,
		.first_element = job->first_element,
		.syncs = job->syncs,
		.sync_count = job->sync_count,
		.stop = &queue->worker->stop,
		.status = { .code = FAA_ERROR_CANCELLED },
	};

	if (worker_wait_for_promises(queue, job) && !atomic_load(run->stop))
		faa_run(run);
	run->status.seqno = job->seqno;
}

/*
 * Lock of the queue held. The status is stored before any thread can know that the job has ended.
 */
static void worker_end_job(struct faa_queue *queue, const struct faa_run *run)
{
	const struct faa_job_status *status = &run->status;
	struct faa_worker *worker = queue->worker;
	struct faa_device *device = worker_device_of(queue);
	struct faa_worker_job *job = worker->first;
	uint32_t i;

	worker->statuses[job->seqno % queue->status_entries] = *status;
	worker->completed = job->seqno;
	worker->elements_retired += status->elements_retired;
	if (status->code) {
		worker->failed++;
		worker->error_seqno = job->seqno;
	}
	if (run->queue_died)
		worker->dead = true;
	worker->first = job->next;
	if (!worker->first)
		worker->last = NULL;
	pthread_mutex_lock(&device->promises.lock);
	for (i = 0; i < job->signal_count; i++)
		faa_promise_keep(device, job->signals[i]);
	faa_worker_job_destroy(queue, job);
	pthread_mutex_unlock(&device->promises.lock);
	pthread_cond_broadcast(&worker->ended);
}

static void *worker_thread(void *arg)
{
	struct faa_queue *queue = arg;
	struct faa_worker *worker = queue->worker;
	struct faa_worker_job *job;
	struct faa_run run;

	pthread_mutex_lock(&queue->lock);
	for (;;) {
		while (!worker->first && !atomic_load(&worker->stop))
			pthread_cond_wait(&worker->work, &queue->lock);
		job = worker->first;
		if (!job)
			break;
		pthread_mutex_unlock(&queue->lock);
		worker_run_job(queue, job, &run);
		pthread_mutex_lock(&queue->lock);
		worker_end_job(queue, &run);
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

/* The thread blocks all signals: they are for the program's threads. */
static int worker_start_thread(struct faa_queue *queue)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	ret = -pthread_sigmask(SIG_SETMASK, &all, &before);
	if (ret)
		return ret;
	ret = -pthread_create(&queue->worker->thread, NULL, worker_thread, queue);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static int worker_init_conditions(struct faa_worker *worker)
{
	pthread_condattr_t attributes;
	int ret;

	ret = -pthread_condattr_init(&attributes);
	if (ret)
		return ret;
	/* The clock of deadlines. */
	ret = -pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	if (!ret)
		ret = -pthread_cond_init(&worker->ended, &attributes);
	pthread_condattr_destroy(&attributes);
	if (ret)
		return ret;
	ret = -pthread_cond_init(&worker->work, NULL);
	if (ret)
		pthread_cond_destroy(&worker->ended);
	return ret;
}

int faa_worker_create(struct faa_queue *queue)
{
	struct faa_worker *worker = calloc(1, sizeof(*worker));
	int ret = -ENOMEM;

	if (!worker)
		return faa_fail_memory("the thread of a queue");
	worker->statuses = calloc(queue->status_entries, sizeof(*worker->statuses));
	if (!worker->statuses) {
		faa_fail_memory("the statuses of a queue");
		goto err_free;
	}
	ret = faa_fail_lock(worker_init_conditions(worker));
	if (ret)
		goto err_free;
	queue->worker = worker;
	ret = worker_start_thread(queue);
	if (!ret)
		return 0;
	faa_fail(ret, "the thread of a queue: %s", strerror(-ret));
	queue->worker = NULL;
	pthread_cond_destroy(&worker->ended);
	pthread_cond_destroy(&worker->work);
err_free:
	free(worker->statuses);
	free(worker);
	return ret;
}

void faa_worker_about_to_stop(struct faa_queue *queue)
{
	struct faa_promises *promises = &worker_device_of(queue)->promises;

	pthread_mutex_lock(&queue->lock);
	pthread_mutex_lock(&promises->lock);
	atomic_store(&queue->worker->stop, true);
	pthread_cond_broadcast(&promises->kept);
	pthread_mutex_unlock(&promises->lock);
	pthread_cond_broadcast(&queue->worker->work);
	pthread_mutex_unlock(&queue->lock);
}

void faa_worker_stop(struct faa_queue *queue)
{
	struct faa_worker *worker = queue->worker;

	/* The child of a fork has no such thread; its jobs are the parent's. */
	if (faa_device_is_mine(worker_device_of(queue))) {
		pthread_join(worker->thread, NULL);
		pthread_cond_destroy(&worker->ended);
		pthread_cond_destroy(&worker->work);
	}
	free(worker->statuses);
	free(worker);
	queue->worker = NULL;
}

/* ---- Callers ---- */

/* Lock of promises held. */
static void worker_destroy_jobs(struct faa_queue *queue, struct faa_worker_job *jobs)
{
	while (jobs) {
		struct faa_worker_job *next = jobs->next;

		faa_worker_job_destroy(queue, jobs);
		jobs = next;
	}
}

/* The jobs of a call, the last one first; locks of the queue and of promises held. */
static int worker_create_jobs(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count,
			      struct faa_worker_job **out)
{
	struct faa_worker_job *list = NULL, *job;
	uint32_t i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = faa_worker_job_create(queue, &jobs[i], queue->submitted + 1 + i, list, &job);
		if (ret) {
			worker_destroy_jobs(queue, list);
			return faa_fail(ret, "job %u: %s", i, faa_last_error());
		}
		job->next = list;
		list = job;
	}
	*out = list;
	return 0;
}

/* Reverse the list. */
static struct faa_worker_job *worker_reverse(struct faa_worker_job *list)
{
	struct faa_worker_job *reversed = NULL;

	while (list) {
		struct faa_worker_job *next = list->next;

		list->next = reversed;
		reversed = list;
		list = next;
	}
	return reversed;
}

static void worker_append(struct faa_worker *worker, struct faa_worker_job *job)
{
	if (worker->last)
		worker->last->next = job;
	else
		worker->first = job;
	while (job->next)
		job = job->next;
	worker->last = job;
}

/* Lock of the queue held. */
static int worker_submit_locked(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count)
{
	struct faa_device *device = worker_device_of(queue);
	struct faa_worker *worker = queue->worker;
	struct faa_worker_job *list = NULL, *job;
	uint32_t i;
	int ret;

	if (worker->dead || atomic_load(&worker->stop))
		return faa_jobs_find_error(queue, jobs, count, -ECANCELED);
	if (queue->submitted + count - worker->completed > queue->status_entries)
		return faa_jobs_find_error(queue, jobs, count, -ENOSPC);
	pthread_mutex_lock(&device->promises.lock);
	ret = worker_create_jobs(queue, jobs, count, &list);
	if (!ret) {
		list = worker_reverse(list);
		for (job = list; job; job = job->next)
			for (i = 0; i < job->signal_count; i++)
				faa_promise_make(device, job->signals[i]);
	}
	pthread_mutex_unlock(&device->promises.lock);
	if (ret)
		return ret;
	worker_append(worker, list);
	queue->submitted += count;
	pthread_cond_signal(&worker->work);
	return 0;
}

int faa_worker_submit(struct faa_queue *queue, const struct faa_job *jobs, uint32_t count,
		      uint64_t *first_seqno)
{
	int ret;

	pthread_mutex_lock(&queue->lock);
	ret = worker_submit_locked(queue, jobs, count);
	if (!ret && first_seqno)
		*first_seqno = queue->submitted - count + 1;
	pthread_mutex_unlock(&queue->lock);
	return ret;
}

/* Lock of the queue held. */
static int worker_wait_locked(struct faa_queue *queue, uint64_t seqno, int64_t deadline)
{
	struct faa_worker *worker = queue->worker;
	struct timespec until;
	int ret = 0;

	if (!seqno || seqno > queue->submitted)
		return faa_queue_unknown_job(seqno, queue->submitted);
	if (deadline < 0)
		deadline = 0;
	until.tv_sec = deadline / 1000000000;
	until.tv_nsec = deadline % 1000000000;
	while (worker->completed < seqno && !ret)
		ret = deadline == FAA_NO_DEADLINE ?
			      pthread_cond_wait(&worker->ended, &queue->lock) :
			      pthread_cond_timedwait(&worker->ended, &queue->lock, &until);
	if (worker->completed >= seqno)
		return 0;
	if (ret == ETIMEDOUT)
		return faa_queue_too_late(seqno);
	return faa_fail(-ret, "waiting for job %llu: %s", (unsigned long long)seqno, strerror(ret));
}

int faa_worker_wait(struct faa_queue *queue, uint64_t seqno, int64_t deadline)
{
	int ret;

	pthread_mutex_lock(&queue->lock);
	ret = worker_wait_locked(queue, seqno, deadline);
	pthread_mutex_unlock(&queue->lock);
	return ret;
}

int faa_worker_status(struct faa_queue *queue, uint64_t seqno, struct faa_job_status *status)
{
	const struct faa_job_status *slot;
	int ret;

	pthread_mutex_lock(&queue->lock);
	ret = worker_wait_locked(queue, seqno, 0);
	slot = &queue->worker->statuses[seqno % queue->status_entries];
	if (!ret && slot->seqno != seqno)
		ret = -ENODATA;
	if (!ret)
		*status = *slot;
	pthread_mutex_unlock(&queue->lock);
	return ret;
}

void faa_worker_info(struct faa_queue *queue, struct faa_queue_info *info)
{
	struct faa_worker *worker = queue->worker;

	pthread_mutex_lock(&queue->lock);
	info->submitted = queue->submitted;
	info->completed = worker->completed;
	info->failed = worker->failed;
	info->error_seqno = worker->error_seqno;
	info->elements_retired = worker->elements_retired;
	pthread_mutex_unlock(&queue->lock);
}
