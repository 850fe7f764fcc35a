/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Guest memory
 *
 * The parts of the guest's physical memory that the front end shares, mapped into this process. DMA addresses are
 * guest physical addresses; ring addresses of the vhost-user protocol are front-end virtual ("user") addresses.
 */
#ifndef FAA_VDEV_GUEST_MEM_H
#define FAA_VDEV_GUEST_MEM_H

#include <stddef.h>
#include <stdint.h>

#define GUEST_MEM_MAX_REGIONS 8

/** struct guest_region - one shared range */
struct guest_region {
	/** @guest_addr: first guest physical (DMA) address. */
	uint64_t guest_addr;
	/** @user_addr: the front end's own address of the same byte. */
	uint64_t user_addr;
	/** @size: bytes. */
	uint64_t size;
	/** @host: the same byte in this process. */
	uint8_t *host;
	/** @map: what munmap() gets; begins on a page boundary at or before @host. */
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
 * guest_mem_add() - map one range
 * @mem: the memory
 * @guest_addr: first guest physical address
 * @user_addr: the front end's address of it
 * @size: bytes, not 0
 * @offset: of the range in the file
 * @fd: the file; stays the caller's
 *
 * Return: 0, -EINVAL for a range that wraps, -ENOSPC beyond GUEST_MEM_MAX_REGIONS, -ENXIO where the file ends before
 * the range does, or what mmap() says.
 */
int guest_mem_add(struct guest_mem *mem, uint64_t guest_addr, uint64_t user_addr, uint64_t size,
		  uint64_t offset, int fd);

/** guest_mem_clear() - unmap everything. */
void guest_mem_clear(struct guest_mem *mem);

/** guest_mem_user() - the @size bytes at front-end address @addr, or NULL if they are not all in one range. */
void *guest_mem_user(const struct guest_mem *mem, uint64_t addr, uint64_t size);

/**
 * guest_mem_read() - DMA read
 * @mem: the memory
 * @addr: guest physical address
 * @buf: destination
 * @len: bytes
 *
 * Aligned words of 8, 4, 2 and 1 bytes are each read at once, so a word that the guest writes meanwhile is old or new.
 *
 * Return: 0, or -EFAULT (and @buf undefined) where not all of it is memory.
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
 * Fully enabled aligned words are written at once, as guest_mem_read() reads them.
 *
 * Return: 0, or -EFAULT with nothing written where not all of it is memory.
 */
int guest_mem_write(const struct guest_mem *mem, uint64_t addr, const void *buf, size_t len,
		    uint64_t strb);

/**
 * guest_mem_cas() - compare and swap with one atomic instruction of this machine, atomic against the guest's processors
 * @mem: the memory
 * @addr: guest physical address, a multiple of @size
 * @size: 2, 4 or 8 bytes
 * @expected: in: the value to compare with; out: the value before
 * @desired: stored if they were equal
 *
 * Sequentially consistent. Values are numbers, in memory little-endian.
 *
 * Return: 0, or -EFAULT with nothing done where no memory is or where it is not aligned.
 */
int guest_mem_cas(const struct guest_mem *mem, uint64_t addr, unsigned int size, uint64_t *expected,
		  uint64_t desired);

#endif /* FAA_VDEV_GUEST_MEM_H */
