// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Statistics of a client
 *
 * fdinfo has the keys of the DRM usage statistics. There is one engine class, ``rmw``, whose
 * capacity is the number of compute units. Its time is the time on compute units (faa_usage.c),
 * that of the running jobs included. The sum over all clients never exceeds the time that has
 * passed times the capacity.
 *
 * The memory is counted here rather than by drm_show_memory_stats(), which does not look at
 * bookkeeping fences, and jobs have no others.
 */

#include <linux/dma-resv.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#include "faa_completion.h"
#include "faa_device.h"
#include "faa_mux.h"
#include "faa_queue.h"
#include "faa_stats.h"
#include "faa_usage.h"

/* Notice what has ended, so that no such job is taken for one that keeps others waiting. */
static void stats_complete(struct faa_device *faa)
{
	struct faa_queue *queue;
	unsigned int i;

	for (i = 0; i < faa->info.num_queues; i++) {
		queue = faa_hwq_get_queue(&faa->hwqs[i]);
		if (!queue)
			continue;
		faa_queue_complete(queue);
		faa_queue_put(queue);
	}
}

/* State of a queue, whose lock is held. */
static const char *stats_state(const struct faa_queue *queue)
{
	if (queue->progress.dead)
		return "dead";
	if (queue->ring.complete == queue->progress.ended)
		return "idle";

	return queue->hwq ? "running" : "waiting";
}

/* Print the line of a queue. Returns the time of its running job. */
static struct faa_usage_time stats_show_queue(struct drm_printer *p, struct faa_queue *queue)
{
	struct faa_usage_time used, running;
	u64 jobs, elements, warps;
	const char *state;

	spin_lock(&queue->lock);
	state = stats_state(queue);
	jobs = queue->progress.ended;
	elements = queue->progress.elements;
	warps = queue->progress.warps;
	used = queue->progress.used;
	spin_unlock(&queue->lock);
	/* Afterwards: a job that ends meanwhile is left out rather than counted twice. */
	running = faa_usage_running(queue);

	drm_printf(p,
		   "faa-queue-%u:\t%s priority %u jobs %llu elements %llu warps %llu cycles %llu ns %llu\n",
		   queue->id, state, queue->priority, jobs, elements, warps,
		   used.cycles + running.cycles, used.ns + running.ns);

	return running;
}

/*
 * A job that ends while it is looked at is neither among the ended ones nor the running one. The
 * sum that was shown before was true, so it does not fall below that.
 */
static u64 stats_never_less(atomic64_t *shown, u64 now)
{
	s64 before = atomic64_read(shown);

	while ((u64)before < now)
		if (atomic64_try_cmpxchg(shown, &before, now))
			return now;

	return before;
}

/* Print the queues of a file, and the time of ended and running jobs; the device is not reset. */
static void stats_show_time(struct drm_printer *p, struct faa_file *file)
{
	struct faa_usage_time time, running;
	struct faa_queue *queue;
	unsigned long id;

	stats_complete(file->faa);
	/* First: as for a queue. */
	time.ns = atomic64_read(&file->stats.busy_ns);
	time.cycles = atomic64_read(&file->stats.cycles);

	rcu_read_lock();
	xa_for_each(&file->queues, id, queue) {
		if (!kref_get_unless_zero(&queue->refcount))
			continue;
		rcu_read_unlock();
		running = stats_show_queue(p, queue);
		time.ns += running.ns;
		time.cycles += running.cycles;
		faa_queue_put(queue);
		rcu_read_lock();
	}
	rcu_read_unlock();

	drm_printf(p, "drm-engine-rmw:\t%llu ns\n",
		   stats_never_less(&file->stats.shown_ns, time.ns));
	drm_printf(p, "drm-cycles-rmw:\t%llu\n",
		   stats_never_less(&file->stats.shown_cycles, time.cycles));
	drm_printf(p, "drm-total-cycles-rmw:\t%llu\n", faa_usage_total_cycles(file->faa));
}

static void stats_add_bo(struct drm_memory_stats *stats, struct drm_gem_object *obj)
{
	if (drm_gem_object_is_shared_for_memory_stats(obj))
		stats->shared += obj->size;
	else
		stats->private += obj->size;
	if (obj->funcs->status(obj) & DRM_GEM_OBJECT_RESIDENT)
		stats->resident += obj->size;
	if (!dma_resv_test_signaled(obj->resv, DMA_RESV_USAGE_BOOKKEEP))
		stats->active += obj->size;
}

static void stats_show_memory(struct drm_printer *p, struct drm_file *drm_file)
{
	struct drm_memory_stats stats = {};
	struct drm_gem_object *obj;
	int id;

	spin_lock(&drm_file->table_lock);
	idr_for_each_entry(&drm_file->object_idr, obj, id)
		stats_add_bo(&stats, obj);
	spin_unlock(&drm_file->table_lock);

	drm_print_memory_stats(p, &stats, DRM_GEM_OBJECT_RESIDENT, "memory");
}

/**
 * faa_stats_show_fdinfo() - drm_driver.show_fdinfo
 * @p: where to print
 * @drm_file: the client
 */
void faa_stats_show_fdinfo(struct drm_printer *p, struct drm_file *drm_file)
{
	struct faa_file *file = drm_file->driver_priv;
	struct faa_device *faa = file->faa;
	int cookie;

	drm_printf(p, "drm-engine-capacity-rmw:\t%u\n", faa->info.num_cus);
	if (drm_dev_enter(&faa->drm, &cookie)) {
		faa_recover_enter(faa);
		stats_show_time(p, file);
		faa_recover_exit(faa);
		drm_dev_exit(cookie);
	}
	drm_printf(p, "faa-jobs:\t%lld\n", atomic64_read(&file->stats.jobs));
	drm_printf(p, "faa-elements:\t%lld\n", atomic64_read(&file->stats.elements));
	drm_printf(p, "faa-warps:\t%lld\n", atomic64_read(&file->stats.warps));

	stats_show_memory(p, drm_file);
}
