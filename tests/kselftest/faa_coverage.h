/* SPDX-License-Identifier: MIT */
/**
 * DOC: Coverage of the kernel by a thread
 *
 * The debug kernel of faa-run has KCOV for the driver, drm_*, the scheduler and dma-buf
 * (Documentation/dev-tools/kcov.rst of the kernel). The number of places that a system call reaches
 * is its cost without the machine's: it does not depend on what else the host does.
 */
#ifndef FAA_COVERAGE_H
#define FAA_COVERAGE_H

/** COVERAGE_WORDS - places that are counted at most between start and stop. */
#define COVERAGE_WORDS 0x40000ul

/** struct coverage - where the kernel writes the addresses that one thread reaches */
struct coverage {
	/** @fd: the file of KCOV. */
	int fd;
	/** @words: their number, then the addresses. */
	unsigned long *words;
};

/** coverage_open() - prepare coverage; 0 or -errno, -ENOENT where the kernel has no KCOV. */
int coverage_open(struct coverage *coverage);
/** coverage_close() - the end of coverage. */
void coverage_close(struct coverage *coverage);
/** coverage_start() - count what the calling thread reaches from here on; 0 or -errno. */
int coverage_start(const struct coverage *coverage);
/** coverage_stop() - number of places since coverage_start(), at most COVERAGE_WORDS - 1. */
unsigned long coverage_stop(const struct coverage *coverage);

#endif /* FAA_COVERAGE_H */
