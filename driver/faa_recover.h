/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_RECOVER_H__
#define __FAA_RECOVER_H__

#include <linux/ktime.h>
#include <linux/types.h>

struct faa_device;

/**
 * enum faa_rung - what is done about a device that does not do what it should
 *
 * Each ends more than the one before. Values are those of trace event faa_device_reset.
 */
enum faa_rung {
	/** @FAA_RUNG_NONE: nothing was wrong. */
	FAA_RUNG_NONE,
	/** @FAA_RUNG_KILL: a queue is killed; that is no fault of the device. */
	FAA_RUNG_KILL,
	/** @FAA_RUNG_UNIT: a compute unit is reset. */
	FAA_RUNG_UNIT,
	/** @FAA_RUNG_DEVICE: all queues are stopped, all compute units are reset. */
	FAA_RUNG_DEVICE,
	/** @FAA_RUNG_FUNCTION: the same by a function level reset. */
	FAA_RUNG_FUNCTION,
	/** @FAA_RUNG_WEDGED: the device is given up. */
	FAA_RUNG_WEDGED,
};

/**
 * struct faa_ladder - which rung was needed last
 */
struct faa_ladder {
	/** @rung: the rung, FAA_RUNG_NONE if none has been. */
	enum faa_rung rung;
	/** @when: when the fault was noticed. */
	ktime_t when;
};

enum faa_rung faa_ladder_next(const struct faa_ladder *ladder, enum faa_rung rung, ktime_t now,
			      u32 memory_ms);

int faa_recover_init(struct faa_device *faa);
void faa_recover_unplug(struct faa_device *faa);
u64 faa_recover_enter(struct faa_device *faa);
bool faa_recover_try_enter(struct faa_device *faa);
void faa_recover_exit(struct faa_device *faa);
bool faa_recover_may_reset_unit(struct faa_device *faa);
bool faa_recover(struct faa_device *faa, u64 epoch, enum faa_rung rung, const char *what);
void faa_recover_drain(struct faa_device *faa);
void faa_recover_pause(struct faa_device *faa);
void faa_recover_resume(struct faa_device *faa, const char *what);
void faa_recover_give_up(struct faa_device *faa, const char *what);
void faa_recover_wedged(struct faa_device *faa, const char *method);

#endif
