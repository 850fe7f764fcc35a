/* SPDX-License-Identifier: MIT */
/**
 * DOC: Virtual address allocator
 *
 * The free ranges of one address space are an array of holes, sorted by address, which never touch
 * each other. First fit, lowest address first, so that equal programs get equal addresses. Not
 * thread safe: the owning VM locks.
 */
#ifndef FAA_VA_H
#define FAA_VA_H

#include <stddef.h>
#include <stdint.h>

/** struct faa_hole - free addresses [@start, @end) */
struct faa_hole {
	uint64_t start;
	uint64_t end;
};

/** struct faa_va - one address space [@start, @end) and its holes */
struct faa_va {
	uint64_t start;
	uint64_t end;
	struct faa_hole *holes;
	size_t count;
	size_t capacity;
};

/** faa_va_init() - [@start, @end) is free; 0, -EINVAL for an empty range, -ENOMEM. */
int faa_va_init(struct faa_va *va, uint64_t start, uint64_t end);

/** faa_va_fini() - free the holes. */
void faa_va_fini(struct faa_va *va);

/**
 * faa_va_alloc() - take @size bytes at a multiple of @align (a power of two)
 *
 * Return: 0 and the address in @addr, -EINVAL for a size of 0 or a bad alignment, -ENOSPC, -ENOMEM.
 */
int faa_va_alloc(struct faa_va *va, uint64_t size, uint64_t align, uint64_t *addr);

/**
 * faa_va_reserve() - take exactly [@addr, @addr + @size)
 *
 * Return: 0; -EINVAL: outside of the space; -EBUSY; -ENOMEM.
 */
int faa_va_reserve(struct faa_va *va, uint64_t addr, uint64_t size);

/**
 * faa_va_release() - give [@addr, @addr + @size) back
 *
 * Return: 0; -EINVAL: a byte of it is not taken; -ENOMEM.
 */
int faa_va_release(struct faa_va *va, uint64_t addr, uint64_t size);

/** faa_va_taken() - whether every byte of [@addr, @addr + @size) is taken and inside the space. */
int faa_va_taken(const struct faa_va *va, uint64_t addr, uint64_t size);

#endif /* FAA_VA_H */
