// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Dumps
 *
 * A queue that is stopped against the will of its owner leaves a device core dump: root reads it
 * from /sys/class/devcoredump, and ``faa-dis --dump`` shows it. A client gets a dump of a queue of
 * its own whenever it wants one.
 *
 * The first is taken in the fence signalling path, where nothing may be allocated: there is
 * memory for one at a time. A work writes it when the queue has been stopped. A queue that is
 * stopped meanwhile leaves none, and neither does one while the core dump before has not been
 * read, or has not been kept for five minutes: the first of several is the one that tells why.
 */

#include <linux/devcoredump.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include <kunit/visibility.h>

#include "faa_device.h"
#include "faa_dump.h"
#include "faa_queue.h"
#include "faa_refuse.h"

static const u32 faa_dump_reasons[] = {
	[FAA_STOP_TIMEOUT] = FAA_DUMP_TIMEOUT,
	[FAA_STOP_FAULT] = FAA_DUMP_FAULT,
	[FAA_STOP_VICTIM] = FAA_DUMP_VICTIM,
	[FAA_STOP_LOST] = FAA_DUMP_LOST,
	[FAA_STOP_RESET] = FAA_DUMP_VICTIM,
};

/* Nothing can be told of a queue that the device was not working for. */
static bool dump_wanted(struct faa_queue *queue, enum faa_stop_reason reason)
{
	bool jobs;

	if (reason == FAA_STOP_DESTROY)
		return false;
	spin_lock(&queue->lock);
	jobs = !list_empty(&queue->inflight);
	spin_unlock(&queue->lock);

	return jobs || reason != FAA_STOP_LOST;
}

/**
 * faa_dump_stop() - take the state of a queue that is about to be stopped
 * @queue: the queue, its stop_lock held
 * @reason: why
 *
 * In the fence signalling path. After the stop faa_dump_publish() is to be called.
 */
void faa_dump_stop(struct faa_queue *queue, enum faa_stop_reason reason)
{
	struct faa_device *faa = queue->faa;

	if (!dump_wanted(queue, reason) || atomic_cmpxchg(&faa->dump.busy, 0, 1))
		return;
	if (faa_dump_take(faa->dump.state, queue, faa_dump_reasons[reason], true))
		queue->dumped = true;
	else
		atomic_set(&faa->dump.busy, 0);
}

/**
 * faa_dump_publish() - write the dump of a queue that has been stopped
 * @queue: the queue, its stop_lock held
 */
void faa_dump_publish(struct faa_queue *queue)
{
	if (!queue->dumped)
		return;
	queue->dumped = false;
	queue_work(system_unbound_wq, &queue->faa->dump.work);
}

static void dump_work(struct work_struct *work)
{
	struct faa_device *faa = container_of(work, struct faa_device, dump.work);
	void *buffer = vzalloc(FAA_DUMP_MAX_BYTES);

	/* The core dump owns the memory. */
	if (buffer)
		dev_coredumpv(faa->drm.dev, buffer, faa_dump_write(faa->dump.state, buffer),
			      GFP_KERNEL);
	faa_dump_release(faa->dump.state);
	atomic_set_release(&faa->dump.busy, 0);
}

/* Take a state on demand: of a device that sleeps when it is awake, and not during a reset. */
static bool dump_take_on_demand(struct faa_dump_state *state, struct faa_queue *queue)
{
	struct faa_device *faa = queue->faa;
	bool bound, taken;
	int cookie;

	bound = drm_dev_enter(&faa->drm, &cookie);
	if (bound)
		faa_recover_enter(faa);
	taken = faa_dump_take(state, queue, FAA_DUMP_DEMAND, capable(CAP_SYS_ADMIN));
	if (bound) {
		faa_recover_exit(faa);
		drm_dev_exit(cookie);
	}

	return taken;
}

/**
 * faa_dump_queue() - DRM_IOCTL_FAA_QUEUE_DUMP
 * @queue: the queue, of the caller's file
 * @args: its argument
 *
 * Return: 0; -ENOENT, -ENOSPC, -EFAULT, -ENOMEM.
 */
int faa_dump_queue(struct faa_queue *queue, struct drm_faa_queue_dump *args)
{
	struct drm_device *drm = &queue->faa->drm;
	struct faa_dump_state *state = kvzalloc(sizeof(*state), GFP_KERNEL_ACCOUNT);
	void *buffer = kvzalloc(FAA_DUMP_MAX_BYTES, GFP_KERNEL_ACCOUNT);
	size_t size;
	int ret = -ENOMEM;

	if (!state || !buffer)
		goto out;
	if (!dump_take_on_demand(state, queue)) {
		ret = faa_refuse(drm, -ENOENT, "QUEUE_DUMP: queue %u was destroyed meanwhile",
				 args->queue_id);
		goto out;
	}
	size = faa_dump_write(state, buffer);
	faa_dump_release(state);

	ret = 0;
	if (size > args->size)
		ret = faa_refuse(drm, -ENOSPC, "QUEUE_DUMP: size %llu, the dump has %zu bytes",
				 args->size, size);
	else if (copy_to_user(u64_to_user_ptr(args->pointer), buffer, size))
		ret = faa_refuse(drm, -EFAULT, "QUEUE_DUMP: pointer 0x%llx", args->pointer);
	args->size = size;

out:
	kvfree(buffer);
	kvfree(state);
	return ret;
}

static void dump_free_state(struct drm_device *drm, void *state)
{
	kvfree(state);
}

/**
 * faa_dump_init() - get ready for dumps
 * @faa: the device
 *
 * Return: 0 or -ENOMEM.
 */
int faa_dump_init(struct faa_device *faa)
{
	INIT_WORK(&faa->dump.work, dump_work);
	atomic_set(&faa->dump.busy, 0);
	faa->dump.state = kvzalloc(sizeof(*faa->dump.state), GFP_KERNEL);
	if (!faa->dump.state)
		return -ENOMEM;

	return drmm_add_action_or_reset(&faa->drm, dump_free_state, faa->dump.state);
}

/**
 * faa_dump_unplug() - wait until the last dump is written
 * @faa: the device; all queues have been stopped
 *
 * Writes a dump that no worker has begun with. A flush would wait for a worker: the workqueue of a
 * lost device must make progress when memory is short, and that of dumps need not.
 */
void faa_dump_unplug(struct faa_device *faa)
{
	if (cancel_work_sync(&faa->dump.work))
		dump_work(&faa->dump.work);
}
EXPORT_SYMBOL_IF_KUNIT(faa_dump_unplug);
