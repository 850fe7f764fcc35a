/* SPDX-License-Identifier: MIT */
/*
 * Load for tests that reset the device: processes whose jobs check, word by word, that the shared
 * memory of a queue survives, and that a queue that has lost it says so.
 */
#ifndef FAA_LOAD_H
#define FAA_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define LOAD_WORKERS 8

/** struct load - the processes and what they count, in memory that all share */
struct load {
	struct load_tally {
		/** @stop: nonzero ends the workers. */
		volatile uint32_t stop;
		/** @jobs: jobs that ended with the right data. */
		volatile uint32_t jobs[LOAD_WORKERS];
		/** @lost: queues that lost their context, of which all said so. */
		volatile uint32_t lost[LOAD_WORKERS];
	} * tally;
	pid_t pid[LOAD_WORKERS];
};

/**
 * load_start() - start the workers
 * @load: out
 * @seed: of their choices
 * @hang: they also submit jobs without an end, which are killed with their queues
 *
 * To be called before the test opens the device. 0 or -errno.
 */
int load_start(struct load *load, uint64_t seed, bool hang);
/** load_jobs() - jobs so far with the right data */
uint32_t load_jobs(const struct load *load);
/** load_lost() - queues so far that lost their context */
uint32_t load_lost(const struct load *load);
/**
 * load_stop() - end the workers
 * @load: the workers
 * @which: out: the number of a worker that failed
 *
 * 0, or -errno of what nothing explains; -EIO for wrong data.
 */
int load_stop(struct load *load, unsigned int *which);

#endif
