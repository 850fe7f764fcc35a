/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_CLOCK_H__
#define __FAA_CLOCK_H__

#include <linux/types.h>

#define FAA_CLOCK_MARKS	256

/**
 * struct faa_clock - relation of the device's cycle counter to host time
 *
 * Not locked here.
 */
struct faa_clock {
	/** @count: marks in use. */
	unsigned int count;
	/** @marks: moments of which both times are known, in ascending order. */
	struct faa_clock_mark {
		/** @marks.cycle: cycle counter of the device. */
		u64 cycle;
		/** @marks.ns: nanoseconds of the host. */
		u64 ns;
	} marks[FAA_CLOCK_MARKS];
};

void faa_clock_mark(struct faa_clock *clock, u64 cycle, u64 ns);
u64 faa_clock_ns(const struct faa_clock *clock, u64 cycle);
u64 faa_clock_cycle(const struct faa_clock *clock, u64 ns);

#endif
