/* SPDX-License-Identifier: Apache-2.0 */
/* The option --waves of faa-run, lock step and directed tests. */
#ifndef FAA_VDEV_WAVES_OPTION_H
#define FAA_VDEV_WAVES_OPTION_H

#include <stdbool.h>
#include <stdint.h>

/* Cycles before the end that a waveform has without other numbers. */
#define WAVES_CYCLES 10000

/** struct waves_option - which cycles of a device are written to which file */
struct waves_option {
	/** @file: NULL = none. */
	const char *file;
	/** @from: first cycle; @to: the one after the last, 0 = the last cycles of the run. */
	uint64_t from, to;
	/** @cycles: number of the last cycles. */
	unsigned int cycles;
	/** @on_failure: only if what runs fails. */
	bool on_failure;
};

/**
 * waves_option_parse - parse an argument of --waves, FILE[,from=CYCLE][,to=CYCLE][,cycles=N]
 * @arg: is changed, and used later
 *
 * Return: NULL, or an error message.
 */
const char *waves_option_parse(struct waves_option *waves, char *arg);

#endif /* FAA_VDEV_WAVES_OPTION_H */
