// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Recovery
 *
 * A device that does not do what it should is reset, by the mildest means that help: the rungs of
 * a ladder (&enum faa_rung). The first two, which end one queue or what one compute unit runs, are
 * in faa_reset.c. A fault that comes back within &faa_device.fault_memory_ms is answered one rung
 * higher.
 *
 * A device reset, by either of the next two rungs:
 *
 * - A section that works with registers that the reset changes begins with faa_recover_enter(). The
 *   reset waits for these sections, and new ones wait for its end.
 * - All queues are told to leave their hardware queues. Those whose context the device can write
 *   to their save areas in time get a hardware queue again afterwards, and notice nothing. The
 *   running jobs of the others are killed, so that their records say how far they got.
 * - The device is reset: all compute units, which waits for their accesses in flight, or the
 *   function, for which it is cut off from memory first.
 * - The hardware queues are set up again. Queues that have lost their context are dead: their
 *   jobs end, none is run again.
 *
 * A queue without a hardware queue takes no part.
 *
 * Sections are counted here because no lock may be held over the function level reset: the MSI
 * core restores vectors under a mutex that it holds while it allocates them, too. For this device
 * that is over when it is registered, which lockdep cannot know. For the same reason that part is
 * no annotated section of the fence signalling path, although it neither allocates nor waits for
 * anything but the device, for a minute at most (pci_dev_wait()).
 */

#include <linux/delay.h>
#include <linux/dma-fence.h>
#include <linux/kobject.h>
#include <linux/pci.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include <kunit/visibility.h>

#include "faa_device.h"
#include "faa_fault.h"
#include "faa_hw.h"
#include "faa_mux.h"
#include "faa_pci.h"
#include "faa_pm.h"
#include "faa_recover.h"
#include "faa_trace.h"
#include "faa_usage.h"

#define FAA_RECOVER_POLL_US	200

/*
 * The contexts of all warp slots and shared memory are written in some thousand cycles; a job may
 * take longer to end.
 */
#define FAA_RECOVER_CYCLES	16384

/**
 * faa_ladder_next() - the rung that a fault is answered with
 * @ladder: what was needed before
 * @rung: the lowest one that may help
 * @now: when the fault was noticed
 * @memory_ms: for how long a fault counts, milliseconds; 0 = not at all
 *
 * Return: @rung, or a higher one if the last fault was a short time ago.
 */
enum faa_rung faa_ladder_next(const struct faa_ladder *ladder, enum faa_rung rung, ktime_t now,
			      u32 memory_ms)
{
	if (ladder->rung != FAA_RUNG_NONE && ktime_ms_delta(now, ladder->when) < (s64)memory_ms)
		rung = max(rung, ladder->rung + 1);

	return min(rung, FAA_RUNG_WEDGED);
}
EXPORT_SYMBOL_IF_KUNIT(faa_ladder_next);

/* Close the sections, unless another thread has done so. */
static bool recover_try_close(struct faa_device *faa)
{
	bool closed;

	spin_lock(&faa->recover.lock);
	closed = faa->recover.closed;
	WRITE_ONCE(faa->recover.closed, true);
	spin_unlock(&faa->recover.lock);

	return !closed;
}

static bool recover_unused(struct faa_device *faa)
{
	bool unused;

	spin_lock(&faa->recover.lock);
	unused = !faa->recover.users;
	spin_unlock(&faa->recover.lock);

	return unused;
}

/* Keep all other threads from the registers, after the end of a reset or a pause. */
static void recover_close(struct faa_device *faa)
{
	wait_event(faa->recover.wait, recover_try_close(faa));
	wait_event(faa->recover.wait, recover_unused(faa));
}

/* Let the sections begin. @over: the device has been reset, or given up: so are earlier faults. */
static void recover_open(struct faa_device *faa, bool over)
{
	spin_lock(&faa->recover.lock);
	if (over) {
		WRITE_ONCE(faa->recover.epoch, faa->recover.epoch + 1);
		WRITE_ONCE(faa->recover.pending, false);
		WRITE_ONCE(faa->recover.paused, false);
	}
	WRITE_ONCE(faa->recover.closed, false);
	spin_unlock(&faa->recover.lock);
	wake_up_all(&faa->recover.wait);
}

/**
 * faa_recover_enter() - begin a section in which the device is not reset
 * @faa: the device
 *
 * Sections are short, but for waits for the device, and do not nest. A device that sleeps because
 * it had no jobs is woken up. In the fence signalling path.
 *
 * Return: epoch, for faa_recover().
 */
u64 faa_recover_enter(struct faa_device *faa)
{
	u64 epoch;

	spin_lock(&faa->recover.lock);
	while (faa->recover.closed) {
		spin_unlock(&faa->recover.lock);
		/* Resets and other pauses end by themselves. */
		faa_pm_wake(faa);
		wait_event(faa->recover.wait, !READ_ONCE(faa->recover.closed));
		spin_lock(&faa->recover.lock);
	}
	faa->recover.users++;
	epoch = faa->recover.epoch;
	spin_unlock(&faa->recover.lock);

	return epoch;
}

/**
 * faa_recover_try_enter() - begin a section unless it would wait
 * @faa: the device
 *
 * Neither wakes a device that sleeps nor delays a reset that was asked for.
 *
 * Return: true if the section has begun.
 */
bool faa_recover_try_enter(struct faa_device *faa)
{
	bool open;

	spin_lock(&faa->recover.lock);
	open = !faa->recover.closed && !faa->recover.pending;
	if (open)
		faa->recover.users++;
	spin_unlock(&faa->recover.lock);

	return open;
}

/**
 * faa_recover_exit() - end a section
 * @faa: the device
 */
void faa_recover_exit(struct faa_device *faa)
{
	bool last;

	spin_lock(&faa->recover.lock);
	last = !--faa->recover.users && faa->recover.closed;
	spin_unlock(&faa->recover.lock);
	if (last)
		wake_up_all(&faa->recover.wait);
}

/**
 * faa_recover_may_reset_unit() - is the reset of a compute unit enough for a queue that hangs?
 * @faa: the device
 *
 * Return: true if it is to be tried; false if that was needed a short time ago.
 */
bool faa_recover_may_reset_unit(struct faa_device *faa)
{
	const ktime_t now = ktime_get();
	bool may;

	spin_lock(&faa->recover.lock);
	may = faa_ladder_next(&faa->recover.ladder, FAA_RUNG_UNIT, now,
			      faa->fault_memory_ms) == FAA_RUNG_UNIT;
	/* The rung of a pending reset stays: a fault soon after it is answered by the next one. */
	if (may && !faa->recover.pending)
		faa->recover.ladder = (struct faa_ladder){ .rung = FAA_RUNG_UNIT, .when = now };
	spin_unlock(&faa->recover.lock);

	return may;
}

/**
 * faa_recover() - have the device reset, and wait for it
 * @faa: the device; inside drm_dev_enter(), not inside faa_recover_enter()
 * @epoch: of the section in which the fault was noticed
 * @rung: the lowest rung that may help
 * @what: what it does not do, for the log
 *
 * A fault that was noticed before the last reset is over. In the fence signalling path.
 *
 * Return: true if the device works on; false if it was given up, and cut off from memory.
 */
bool faa_recover(struct faa_device *faa, u64 epoch, enum faa_rung rung, const char *what)
{
	const ktime_t now = ktime_get();

	if (READ_ONCE(faa->unplug.lost))
		return false;
	if (READ_ONCE(faa->unplug.begun)) {
		faa_device_lost(faa, what);
		return false;
	}

	spin_lock(&faa->recover.lock);
	if (faa->recover.epoch == epoch && !faa->recover.pending) {
		WRITE_ONCE(faa->recover.pending, true);
		faa->recover.what = what;
		faa->recover.rung = faa_ladder_next(&faa->recover.ladder, rung, now,
						    faa->fault_memory_ms);
		faa->recover.ladder =
			(struct faa_ladder){ .rung = faa->recover.rung, .when = now };
		queue_work(faa->recover.wq, &faa->recover.work);
	}
	spin_unlock(&faa->recover.lock);
	wait_event(faa->recover.wait, READ_ONCE(faa->recover.epoch) != epoch);

	return !READ_ONCE(faa->unplug.lost);
}

/* Wait until the queues that may still leave have left; not for longer than they may take. */
static void recover_wait_left(struct faa_device *faa)
{
	struct faa_hw_wait wait;

	faa_hw_wait_begin(&wait, FAA_RECOVER_CYCLES);
	while (faa_mux_leaving(faa) && !faa_hw_wait_over(faa, &wait))
		usleep_range(FAA_RECOVER_POLL_US / 4, FAA_RECOVER_POLL_US);
}

/* Have the contexts of all queues saved, as far as the device still does that. */
static void recover_save(struct faa_device *faa)
{
	faa_mux_freeze(faa);
	recover_wait_left(faa);
	if (faa_mux_kill_running(faa))
		recover_wait_left(faa);
	faa_mux_reap(faa);
}

/* Set up a device that was cut off from memory. @reset: its registers have lost their values. */
static int recover_connect(struct faa_device *faa, bool reset)
{
	int ret = faa_hw_restart(faa);

	if (ret)
		return ret;
	/* Its cycle counter begins again. */
	if (reset)
		faa_usage_restart(faa);

	return faa_device_reconnect(faa);
}

/* One rung, for which the device is at rest if it can be. */
static int recover_reset(struct faa_device *faa, enum faa_rung rung)
{
	int ret;

	if (rung == FAA_RUNG_DEVICE) {
		ret = faa_fault(FAA_FAULT_DEVICE_RESET) ? -ETIMEDOUT : faa_hw_reset_units(faa);
		return ret ?: faa_hw_restart(faa);
	}

	ret = faa_fault(FAA_FAULT_FLR) ? -ETIMEDOUT : faa_pci_reset(faa);

	return ret ?: recover_connect(faa, true);
}

/* Climb from a rung until one helps. Inside drm_dev_enter(). */
static int recover_climb(struct faa_device *faa, enum faa_rung rung, const char *what)
{
	static const char *const names[] = {
		[FAA_RUNG_DEVICE] = "compute units",
		[FAA_RUNG_FUNCTION] = "function",
	};
	unsigned int victims;
	int ret = -EIO;

	for (; rung < FAA_RUNG_WEDGED; rung++) {
		ret = recover_reset(faa, rung);
		trace_faa_device_reset(rung, ret, what);
		if (!ret)
			break;
	}
	spin_lock(&faa->recover.lock);
	faa->recover.ladder.rung = rung;
	spin_unlock(&faa->recover.lock);
	if (ret)
		return ret;

	victims = faa_mux_thaw(faa);
	drm_warn(&faa->drm, "%s: %s reset, queues that lost their context: %u\n", what, names[rung],
		 victims);

	return 0;
}

/* The device works again. */
static void recover_go_on(struct faa_device *faa)
{
	/* The victims end where it may be waited for the next reset. */
	queue_work(faa->reset_wq, &faa->error_work);
	faa_mux_kick(faa);
}

static void recover_work(struct work_struct *work)
{
	struct faa_device *faa = container_of(work, struct faa_device, recover.work);
	bool signalling = dma_fence_begin_signalling();
	int cookie, ret = -ENODEV;
	enum faa_rung rung;
	const char *what;

	recover_close(faa);
	spin_lock(&faa->recover.lock);
	rung = faa->recover.rung;
	what = faa->recover.what;
	spin_unlock(&faa->recover.lock);
	if (!READ_ONCE(faa->recover.pending)) {
		/* A pause has ended meanwhile, and with it the fault. */
		recover_open(faa, false);
		goto out;
	}
	if (drm_dev_enter(&faa->drm, &cookie)) {
		if (faa_pci_is_present(faa)) {
			recover_save(faa);
			dma_fence_end_signalling(signalling);
			ret = recover_climb(faa, rung, what);
			signalling = dma_fence_begin_signalling();
		}
		if (ret)
			faa_device_lost(faa, what);
		drm_dev_exit(cookie);
	} else {
		/* The unplug path does that, too, but may be waiting for who waits for this. */
		faa_device_lost(faa, what);
	}
	recover_open(faa, true);
	if (!ret) {
		recover_go_on(faa);
		queue_work(system_unbound_wq, &faa->recover.event_work);
	}
out:
	dma_fence_end_signalling(signalling);
}

/* Has every queue left its hardware queue, or will none leave any more? */
static bool recover_drained(struct faa_device *faa)
{
	bool drained;
	int cookie;

	if (!drm_dev_enter(&faa->drm, &cookie))
		return true;
	faa_recover_enter(faa);
	drained = READ_ONCE(faa->unplug.lost) || !faa_mux_leaving(faa);
	faa_recover_exit(faa);
	drm_dev_exit(cookie);

	return drained;
}

/**
 * faa_recover_drain() - let the running jobs end, and begin no other
 * @faa: the device
 *
 * faa_recover_pause() and faa_recover_resume() follow; until then no queue gets a hardware queue.
 * Overdue jobs are killed meanwhile, so this takes no longer than the limit of a job. A reset of
 * the device ends it.
 */
void faa_recover_drain(struct faa_device *faa)
{
	const ktime_t end = ktime_add_ms(ktime_get(), faa->job_limit_ms);
	int cookie;

	if (!drm_dev_enter(&faa->drm, &cookie))
		return;
	faa_recover_enter(faa);
	faa_mux_freeze(faa);
	faa_recover_exit(faa);
	drm_dev_exit(cookie);
	while (!recover_drained(faa) && ktime_before(ktime_get(), end))
		usleep_range(FAA_RECOVER_POLL_US, 2 * FAA_RECOVER_POLL_US);
}

/**
 * faa_recover_pause() - take the device from all queues and threads
 * @faa: the device; no other thread begins or ends a pause
 *
 * For resets by others, errors of the link, and sleep. Nothing happens if it is paused already.
 * Contexts are saved as before a reset by the driver. Until faa_recover_resume() the device is cut
 * off from memory, sections wait, and registers may lose their values.
 */
void faa_recover_pause(struct faa_device *faa)
{
	bool signalling;
	int cookie;

	if (READ_ONCE(faa->recover.paused))
		return;
	signalling = dma_fence_begin_signalling();
	recover_close(faa);
	WRITE_ONCE(faa->recover.paused, true);
	if (drm_dev_enter(&faa->drm, &cookie)) {
		if (!READ_ONCE(faa->unplug.lost)) {
			recover_save(faa);
			faa_device_disconnect(faa);
		}
		drm_dev_exit(cookie);
	}
	trace_faa_device_pause(faa);
	dma_fence_end_signalling(signalling);
}

/* Set up a device that may or may not have been reset in a pause. Inside drm_dev_enter(). */
static int recover_set_up(struct faa_device *faa)
{
	bool reset = faa_hw_was_reset(faa);
	unsigned int queue;
	int ret;

	/* Jobs that did not end before the pause. */
	ret = reset ? 0 : faa_hw_rest(faa, &queue);

	return ret ?: recover_connect(faa, reset);
}

/* Give a device back to its queues after a pause; 0 if it works. Inside drm_dev_enter(). */
static int recover_end_pause(struct faa_device *faa, const char *what)
{
	unsigned int victims;
	int ret;

	if (READ_ONCE(faa->unplug.lost) || !faa_pci_is_present(faa))
		return -ENODEV;
	if (recover_set_up(faa)) {
		ret = recover_climb(faa, FAA_RUNG_FUNCTION, what);
		if (!ret)
			queue_work(system_unbound_wq, &faa->recover.event_work);
		return ret;
	}
	victims = faa_mux_thaw(faa);
	if (victims)
		drm_warn(&faa->drm, "%s: queues that lost their context: %u\n", what, victims);

	return 0;
}

/**
 * faa_recover_resume() - end a pause
 * @faa: the device, its configuration space is what it was before; as faa_recover_pause()
 * @what: what the pause was for, for the log
 *
 * A device that does not work is reset, or given up. Nothing happens if it is not paused.
 */
void faa_recover_resume(struct faa_device *faa, const char *what)
{
	int cookie, ret = -ENODEV;

	if (!READ_ONCE(faa->recover.paused))
		return;
	if (drm_dev_enter(&faa->drm, &cookie)) {
		ret = recover_end_pause(faa, what);
		if (ret)
			faa_device_lost(faa, what);
		else
			recover_go_on(faa);
		drm_dev_exit(cookie);
	}
	trace_faa_device_resume(faa, ret, what);
	recover_open(faa, true);
}

/**
 * faa_recover_give_up() - end a pause of a device that does not come back
 * @faa: the device, paused or not
 * @what: what became of it, for the log
 */
void faa_recover_give_up(struct faa_device *faa, const char *what)
{
	faa_device_lost(faa, what);
	if (!READ_ONCE(faa->recover.paused))
		return;
	trace_faa_device_resume(faa, -ENODEV, what);
	recover_open(faa, true);
}

/**
 * faa_recover_wedged() - tell user space what became of a device
 * @faa: the device, registered
 * @method: what brings it back: "none" if it has recovered by itself, else a list
 *
 * The uevent is that of drm_dev_wedged_event() in newer kernels. Allocates.
 */
void faa_recover_wedged(struct faa_device *faa, const char *method)
{
	char event[32];
	char *envp[2] = { event };

	scnprintf(event, sizeof(event), "WEDGED=%s", method);
	kobject_uevent_env(&faa->drm.primary->kdev->kobj, KOBJ_CHANGE, envp);
}

static void recover_event_work(struct work_struct *work)
{
	struct faa_device *faa = container_of(work, struct faa_device, recover.event_work);
	int cookie;

	if (!drm_dev_enter(&faa->drm, &cookie))
		return;
	faa_recover_wedged(faa, "none");
	drm_dev_exit(cookie);
}

static void recover_destroy_wq(struct drm_device *drm, void *wq)
{
	destroy_workqueue(wq);
}

/**
 * faa_recover_init() - get ready for faults
 * @faa: the device
 *
 * Return: 0 or -ENOMEM.
 */
int faa_recover_init(struct faa_device *faa)
{
	spin_lock_init(&faa->recover.lock);
	init_waitqueue_head(&faa->recover.wait);
	INIT_WORK(&faa->recover.work, recover_work);
	INIT_WORK(&faa->recover.event_work, recover_event_work);

	/* One of its own: works of the other queues may wait for it. */
	faa->recover.wq = alloc_ordered_workqueue("faa-recover", WQ_MEM_RECLAIM);
	if (!faa->recover.wq)
		return -ENOMEM;

	return drmm_add_action_or_reset(&faa->drm, recover_destroy_wq, faa->recover.wq);
}

/**
 * faa_recover_unplug() - wait for a reset that still runs
 * @faa: the device, unplugged
 */
void faa_recover_unplug(struct faa_device *faa)
{
	cancel_work_sync(&faa->recover.work);
	cancel_work_sync(&faa->recover.event_work);
}
