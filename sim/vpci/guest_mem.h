/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Guest memory
 *
 * The parts of the guest's physical memory that the front end shares, mapped into this process. DMA
 * addresses are guest physical addresses; ring addresses of the vhost-user protocol are virtual
 * ("user") addresses of the front end.
 */
#ifndef FAA_VPCI_GUEST_MEM_H
#define FAA_VPCI_GUEST_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GUEST_MEM_MAX_REGIONS 8

/** struct guest_region - one shared range */
struct guest_region {
	/** @guest_addr: first guest physical (DMA) address. */
	uint64_t guest_addr;
	/** @user_addr: address of the same byte in the front end. */
	uint64_t user_addr;
	/** @size: bytes. */
	uint64_t size;
	/** @host: address of the same byte in this process. */
	uint8_t *host;
	/** @map: address for munmap(); begins on a page boundary at or before @host. */
	void *map;
	/** @map_size: bytes at @map. */
	size_t map_size;
};

/** struct guest_mem - all shared ranges */
struct guest_mem {
	/** @count: entries of @region in use. */
	unsigned int count;
	/** @region: the ranges, in the order in which they were added. */
	struct guest_region region[GUEST_MEM_MAX_REGIONS];
};

/**
 * guest_mem_add() - map a range
 * @mem: the memory
 * @guest_addr: first guest physical address
 * @user_addr: address of the range in the front end
 * @size: bytes, not 0
 * @offset: offset of the range in the file
 * @fd: the file; the caller keeps it
 *
 * Return: 0, -EINVAL for a range that wraps, -ENOSPC beyond GUEST_MEM_MAX_REGIONS, -ENXIO if the
 * file ends before the range, or an error of mmap().
 */
int guest_mem_add(struct guest_mem *mem, uint64_t guest_addr, uint64_t user_addr, uint64_t size,
		  uint64_t offset, int fd);

/** guest_mem_clear() - unmap all ranges. */
void guest_mem_clear(struct guest_mem *mem);

/**
 * guest_mem_user() - the @size bytes at front-end address @addr; NULL if they are not all in one
 * range.
 */
void *guest_mem_user(const struct guest_mem *mem, uint64_t addr, uint64_t size);

/** guest_mem_covers() - whether the @len bytes at DMA address @addr are memory. */
bool guest_mem_covers(const struct guest_mem *mem, uint64_t addr, size_t len);

/**
 * guest_mem_read() - DMA read
 * @mem: the memory
 * @addr: guest physical address
 * @buf: destination
 * @len: bytes
 *
 * Aligned words of 8, 4, 2 and 1 bytes are read atomically: a word that the guest writes at the
 * same time is old or new.
 *
 * Return: 0, or -EFAULT (@buf is undefined) if some of it is not memory.
 */
int guest_mem_read(const struct guest_mem *mem, uint64_t addr, void *buf, size_t len);

/**
 * guest_mem_write() - DMA write
 * @mem: the memory
 * @addr: guest physical address
 * @buf: source
 * @len: bytes, at most 64
 * @strb: bit i set: byte i is written
 *
 * Fully enabled aligned words are written atomically, as in guest_mem_read().
 *
 * Return: 0, or -EFAULT, without a write, if some of it is not memory.
 */
int guest_mem_write(const struct guest_mem *mem, uint64_t addr, const void *buf, size_t len,
		    uint64_t strb);

/**
 * guest_mem_cas() - compare and swap, atomic with respect to the guest's processors
 * @mem: the memory
 * @addr: guest physical address, a multiple of @size
 * @size: 2, 4 or 8 bytes
 * @expected: in: the value to compare with; out: the previous value
 * @desired: stored if they were equal
 *
 * Sequentially consistent. Values are numbers, little-endian in memory.
 *
 * Return: 0, or -EFAULT, without an access, if it is not memory or not aligned.
 */
int guest_mem_cas(const struct guest_mem *mem, uint64_t addr, unsigned int size, uint64_t *expected,
		  uint64_t desired);

#endif /* FAA_VPCI_GUEST_MEM_H */
