// SPDX-License-Identifier: MIT
#include "faa_coverage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcov.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int coverage_open(struct coverage *coverage)
{
	int ret;

	coverage->fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
	if (coverage->fd < 0)
		return -errno;
	if (ioctl(coverage->fd, KCOV_INIT_TRACE, COVERAGE_WORDS)) {
		ret = -errno;
		close(coverage->fd);
		return ret;
	}
	coverage->words = mmap(NULL, COVERAGE_WORDS * sizeof(*coverage->words),
			       PROT_READ | PROT_WRITE, MAP_SHARED, coverage->fd, 0);
	if (coverage->words == MAP_FAILED) {
		ret = -errno;
		close(coverage->fd);
		return ret;
	}
	return 0;
}

void coverage_close(struct coverage *coverage)
{
	munmap(coverage->words, COVERAGE_WORDS * sizeof(*coverage->words));
	close(coverage->fd);
}

int coverage_start(const struct coverage *coverage)
{
	if (ioctl(coverage->fd, KCOV_ENABLE, KCOV_TRACE_PC))
		return -errno;
	__atomic_store_n(&coverage->words[0], 0, __ATOMIC_RELAXED);
	return 0;
}

unsigned long coverage_stop(const struct coverage *coverage)
{
	unsigned long count = __atomic_load_n(&coverage->words[0], __ATOMIC_RELAXED);

	ioctl(coverage->fd, KCOV_DISABLE, 0);
	return count < COVERAGE_WORDS ? count : COVERAGE_WORDS - 1;
}
