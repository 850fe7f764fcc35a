// SPDX-License-Identifier: Apache-2.0
#include "guest_mem.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int guest_mem_add(struct guest_mem *mem, uint64_t guest_addr, uint64_t user_addr, uint64_t size,
		  uint64_t offset, int fd)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t skip = offset & (page - 1);
	struct guest_region *region;
	struct stat st;
	uint64_t end;
	void *map;

	if (mem->count == GUEST_MEM_MAX_REGIONS)
		return -ENOSPC;
	if (size == 0 || size > SIZE_MAX / 2 || guest_addr + size < guest_addr ||
	    user_addr + size < user_addr)
		return -EINVAL;
	if (fstat(fd, &st))
		return -errno;
	/* An access to a page beyond the end of the file would kill this process. */
	if (__builtin_add_overflow(offset, size, &end) || !S_ISREG(st.st_mode) ||
	    end > (uint64_t)st.st_size)
		return -ENXIO;

	map = mmap(NULL, size + skip, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   (off_t)(offset - skip));
	if (map == MAP_FAILED)
		return -errno;

	region = &mem->region[mem->count++];
	*region = (struct guest_region){
		.guest_addr = guest_addr,
		.user_addr = user_addr,
		.size = size,
		.host = (uint8_t *)map + skip,
		.map = map,
		.map_size = size + skip,
	};
	return 0;
}

void guest_mem_clear(struct guest_mem *mem)
{
	while (mem->count) {
		mem->count--;
		munmap(mem->region[mem->count].map, mem->region[mem->count].map_size);
	}
}

void *guest_mem_user(const struct guest_mem *mem, uint64_t addr, uint64_t size)
{
	for (unsigned int i = 0; i < mem->count; i++) {
		const struct guest_region *region = &mem->region[i];
		uint64_t offset = addr - region->user_addr;

		if (addr >= region->user_addr && offset < region->size &&
		    size <= region->size - offset)
			return region->host + offset;
	}
	return NULL;
}

/* Bytes from @addr to the end of its range, 0: no range; @host receives the host address. */
static uint64_t guest_mem_dma_range(const struct guest_mem *mem, uint64_t addr, uint8_t **host)
{
	for (unsigned int i = 0; i < mem->count; i++) {
		const struct guest_region *region = &mem->region[i];
		uint64_t offset = addr - region->guest_addr;

		if (addr >= region->guest_addr && offset < region->size) {
			*host = region->host + offset;
			return region->size - offset;
		}
	}
	return 0;
}

bool guest_mem_covers(const struct guest_mem *mem, uint64_t addr, size_t len)
{
	uint8_t *host;

	while (len) {
		uint64_t run = guest_mem_dma_range(mem, addr, &host);

		if (!run)
			return false;
		if (run >= len)
			return true;
		addr += run;
		len -= run;
	}
	return true;
}

/* Size of the largest aligned word at @addr that is not longer than @len. */
static size_t guest_mem_word_size(const void *addr, size_t len)
{
	size_t size = 8;

	while (size > len || ((uintptr_t)addr & (size - 1)))
		size /= 2;
	return size;
}

static void guest_mem_load(uint8_t *dst, const uint8_t *src, size_t len)
{
	while (len) {
		size_t size = guest_mem_word_size(src, len);

		if (size == 8) {
			uint64_t word = __atomic_load_n((const uint64_t *)src, __ATOMIC_RELAXED);

			memcpy(dst, &word, 8);
		} else if (size == 4) {
			uint32_t word = __atomic_load_n((const uint32_t *)src, __ATOMIC_RELAXED);

			memcpy(dst, &word, 4);
		} else if (size == 2) {
			uint16_t word = __atomic_load_n((const uint16_t *)src, __ATOMIC_RELAXED);

			memcpy(dst, &word, 2);
		} else {
			*dst = __atomic_load_n(src, __ATOMIC_RELAXED);
		}
		dst += size;
		src += size;
		len -= size;
	}
}

/* Stores an aligned word of @size bytes atomically. */
static void guest_mem_store_word(uint8_t *dst, const uint8_t *src, size_t size)
{
	uint64_t word = 0;

	memcpy(&word, src, size);
	if (size == 8)
		__atomic_store_n((uint64_t *)dst, word, __ATOMIC_RELAXED);
	else if (size == 4)
		__atomic_store_n((uint32_t *)dst, (uint32_t)word, __ATOMIC_RELAXED);
	else if (size == 2)
		__atomic_store_n((uint16_t *)dst, (uint16_t)word, __ATOMIC_RELAXED);
	else
		__atomic_store_n(dst, (uint8_t)word, __ATOMIC_RELAXED);
}

/* Stores the enabled bytes of an aligned word in the largest fully enabled pieces. */
static void guest_mem_store(uint8_t *dst, const uint8_t *src, size_t size, uint64_t strb)
{
	uint64_t all = (1ull << size) - 1;

	strb &= all;
	if (!strb)
		return;
	if (strb == all) {
		guest_mem_store_word(dst, src, size);
		return;
	}
	guest_mem_store(dst, src, size / 2, strb);
	guest_mem_store(dst + size / 2, src + size / 2, size / 2, strb >> (size / 2));
}

int guest_mem_read(const struct guest_mem *mem, uint64_t addr, void *buf, size_t len)
{
	uint8_t *dst = buf;
	uint8_t *host = NULL;

	if (!guest_mem_covers(mem, addr, len))
		return -EFAULT;
	/* Orders the read after the doorbell: data that the guest wrote before it is visible. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	while (len) {
		uint64_t run = guest_mem_dma_range(mem, addr, &host);

		if (run > len)
			run = len;
		guest_mem_load(dst, host, run);
		dst += run;
		addr += run;
		len -= run;
	}
	return 0;
}

int guest_mem_write(const struct guest_mem *mem, uint64_t addr, const void *buf, size_t len,
		    uint64_t strb)
{
	const uint8_t *src = buf;
	uint8_t *host = NULL;

	if (len > 64)
		return -EINVAL;
	if (!guest_mem_covers(mem, addr, len))
		return -EFAULT;
	/* Writes become visible in the order of the device. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	while (len) {
		uint64_t run = guest_mem_dma_range(mem, addr, &host);
		size_t size = guest_mem_word_size(host, run < len ? run : len);

		guest_mem_store(host, src, size, strb);
		src += size;
		addr += size;
		len -= size;
		strb >>= size;
	}
	return 0;
}

int guest_mem_cas(const struct guest_mem *mem, uint64_t addr, unsigned int size, uint64_t *expected,
		  uint64_t desired)
{
	uint64_t before64 = htole64(*expected);
	uint32_t before32 = htole32((uint32_t)*expected);
	uint16_t before16 = htole16((uint16_t)*expected);
	uint8_t *host = NULL;

	if (guest_mem_dma_range(mem, addr, &host) < size || (uintptr_t)host % size)
		return -EFAULT;
	switch (size) {
	case 8:
		__atomic_compare_exchange_n((uint64_t *)host, &before64, htole64(desired), false,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		*expected = le64toh(before64);
		return 0;
	case 4:
		__atomic_compare_exchange_n((uint32_t *)host, &before32, htole32((uint32_t)desired),
					    false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		*expected = le32toh(before32);
		return 0;
	case 2:
		__atomic_compare_exchange_n((uint16_t *)host, &before16, htole16((uint16_t)desired),
					    false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		*expected = le16toh(before16);
		return 0;
	}
	return -EFAULT;
}
