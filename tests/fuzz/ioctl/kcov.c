// SPDX-License-Identifier: MIT
/* Coverage of the kernel by this thread: Documentation/dev-tools/kcov.rst of the kernel. */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcov.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define KCOV_WORDS 0x40000u
#define KCOV_BITS  18u

static struct {
	int fd;
	unsigned long *words;
	uint64_t edges[(1u << KCOV_BITS) / 64], places[(1u << KCOV_BITS) / 64];
	unsigned int known, place_count;
} kcov;

int fuzz_kcov_open(void)
{
	kcov.fd = open("/sys/kernel/debug/kcov", O_RDWR | O_CLOEXEC);
	if (kcov.fd < 0 || ioctl(kcov.fd, KCOV_INIT_TRACE, (unsigned long)KCOV_WORDS))
		return -errno;
	kcov.words = mmap(NULL, KCOV_WORDS * sizeof(*kcov.words), PROT_READ | PROT_WRITE,
			  MAP_SHARED, kcov.fd, 0);
	return kcov.words == MAP_FAILED ? -errno : 0;
}

void fuzz_kcov_start(void)
{
	if (!kcov.words || ioctl(kcov.fd, KCOV_ENABLE, KCOV_TRACE_PC))
		return;
	__atomic_store_n(&kcov.words[0], 0, __ATOMIC_RELAXED);
}

/* Sets the bit of a hash; true if it was not set. */
static bool kcov_mark(uint64_t *set, uint64_t value)
{
	uint32_t bit = (value * 0x9e3779b97f4a7c15ull) >> (64 - KCOV_BITS);
	uint64_t mask = 1ull << bit % 64;
	bool added = !(set[bit / 64] & mask);

	set[bit / 64] |= mask;
	return added;
}

unsigned int fuzz_kcov_stop(void)
{
	unsigned int added = 0;
	uint64_t before = 0;
	unsigned long count, i;

	if (!kcov.words)
		return 0;
	count = __atomic_load_n(&kcov.words[0], __ATOMIC_RELAXED);
	ioctl(kcov.fd, KCOV_DISABLE, 0);
	count = count < KCOV_WORDS ? count : KCOV_WORDS - 1;
	for (i = 1; i <= count; i++) {
		kcov.place_count += kcov_mark(kcov.places, kcov.words[i]);
		added += kcov_mark(kcov.edges, kcov.words[i] ^ before << 1);
		before = kcov.words[i];
	}
	kcov.known += added;
	return added;
}

unsigned int fuzz_kcov_known(void)
{
	return kcov.known;
}

unsigned int fuzz_kcov_places(void)
{
	return kcov.place_count;
}
