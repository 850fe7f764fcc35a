// SPDX-License-Identifier: MIT
#include "faa_serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm/faa_drm.h>

#define PAGE 4096ull
/*
 * First handle of BOs. The kernel's handles, of status rings, are below: it hands out the lowest
 * free one.
 */
#define FIRST_HANDLE 1024u
/* An entry of /proc/PID/pagemap. */
#define PAGEMAP_PRESENT (1ull << 63)
#define PAGEMAP_FRAME	((1ull << 55) - 1)
/* Entries that are read at a time. */
#define ENTRIES 4096

/* Otherwise compaction may move locked pages. */
static int serve_forbid_moves(void)
{
	int fd = open("/proc/sys/vm/compact_unevictable_allowed", O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, "0", 1) != 1)
		ret = -errno;
	close(fd);
	return ret;
}

int serve_open(struct serve *serve)
{
	return serve_forbid_moves();
}

static void *serve_allocate(uint64_t bytes)
{
	void *address = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (address == MAP_FAILED)
		return NULL;
	if (mlock(address, bytes)) {
		munmap(address, bytes);
		return NULL;
	}
	return address;
}

static struct serve_memory *serve_free_entry(struct serve *serve, uint32_t *index)
{
	uint32_t i, capacity = serve->capacity ? serve->capacity * 2 : 64;
	struct serve_memory *grown;

	for (i = 0; i < serve->capacity; i++)
		if (!serve->memory[i].handle)
			break;
	if (i == serve->capacity) {
		grown = realloc(serve->memory, capacity * sizeof(*grown));
		if (!grown)
			return NULL;
		memset(grown + i, 0, (capacity - i) * sizeof(*grown));
		serve->memory = grown;
		serve->capacity = capacity;
	}
	*index = i;
	return &serve->memory[i];
}

int serve_create(struct serve *serve, uint64_t bytes, uint32_t *handle)
{
	struct serve_memory *memory;
	uint32_t index;
	void *address;

	if (!bytes || bytes > SIZE_MAX / 2)
		return -EINVAL;
	bytes = (bytes + PAGE - 1) / PAGE * PAGE;
	memory = serve_free_entry(serve, &index);
	address = memory ? serve_allocate(bytes) : NULL;
	if (!address)
		return -ENOMEM;
	*memory = (struct serve_memory){ .handle = FIRST_HANDLE + index,
					 .address = address,
					 .bytes = bytes };
	*handle = memory->handle;
	return 0;
}

int serve_add_ring(struct serve *serve, uint32_t handle, uint64_t bytes)
{
	struct drm_faa_bo_mmap_offset args = { .handle = handle };
	struct serve_memory *memory;
	void *ring, *copy;
	uint32_t index;
	int ret;

	bytes = (bytes + PAGE - 1) / PAGE * PAGE;
	if (handle >= FIRST_HANDLE)
		return -ENOSPC;
	ret = serve->backend->ops->ioctl(serve->backend, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &args);
	if (ret)
		return ret;
	memory = serve_free_entry(serve, &index);
	copy = memory ? serve_allocate(bytes) : NULL;
	if (!copy)
		return -ENOMEM;
	ret = serve->backend->ops->map(serve->backend, args.offset, bytes, PROT_READ, &ring);
	if (ret) {
		munmap(copy, bytes);
		return ret;
	}
	*memory = (struct serve_memory){
		.handle = handle, .address = copy, .bytes = bytes, .ring = ring
	};
	return 0;
}

struct serve_memory *serve_find(struct serve *serve, uint32_t handle)
{
	for (uint32_t i = 0; i < serve->capacity && handle; i++)
		if (serve->memory[i].handle == handle)
			return &serve->memory[i];
	return NULL;
}

/* Adds the page frame of an entry to @runs. */
static int serve_add_frame(uint64_t entry, struct faa_remote_run *runs, uint64_t *count)
{
	struct faa_remote_run *last = *count ? &runs[*count - 1] : NULL;
	uint64_t address = (entry & PAGEMAP_FRAME) * PAGE;

	/* Frame 0 means that the caller lacks the privilege. */
	if (!(entry & PAGEMAP_PRESENT) || !address)
		return -EFAULT;
	if (last && last->address + last->bytes == address)
		last->bytes += PAGE;
	else
		runs[(*count)++] = (struct faa_remote_run){ address, PAGE };
	return 0;
}

/* Page frames of @memory as runs; the file @pagemap has an entry a page. */
static int serve_read_frames(int pagemap, const struct serve_memory *memory,
			     struct faa_remote_run *runs, uint64_t *count)
{
	uint64_t pages = memory->bytes / PAGE, first = (uintptr_t)memory->address / PAGE;
	uint64_t entries[ENTRIES];
	int ret = 0;

	for (uint64_t done = 0; !ret && done < pages; done += ENTRIES) {
		uint64_t n = pages - done < ENTRIES ? pages - done : ENTRIES;
		size_t bytes = n * sizeof(*entries);
		off_t at = (off_t)((first + done) * sizeof(*entries));

		if (pread(pagemap, entries, bytes, at) != (ssize_t)bytes)
			return -EIO;
		for (uint64_t i = 0; !ret && i < n; i++)
			ret = serve_add_frame(entries[i], runs, count);
	}
	return ret;
}

int serve_pages(const struct serve_memory *memory, struct faa_remote_run **out, uint64_t *count)
{
	struct faa_remote_run *runs = calloc(memory->bytes / PAGE, sizeof(*runs));
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int ret = -ENOMEM;

	*count = 0;
	if (pagemap < 0)
		ret = -errno;
	else if (runs)
		ret = serve_read_frames(pagemap, memory, runs, count);
	if (pagemap >= 0)
		close(pagemap);
	if (ret) {
		free(runs);
		*count = 0;
		runs = NULL;
	}
	*out = runs;
	return ret;
}

int serve_close(struct serve *serve, uint32_t handle)
{
	struct serve_memory *memory = serve_find(serve, handle);
	int ret = 0;

	if (!memory)
		return -ENOENT;
	munmap(memory->address, memory->bytes);
	if (memory->ring) {
		serve->backend->ops->unmap(serve->backend, (void *)memory->ring, memory->bytes);
		ret = serve->backend->ops->gem_close(serve->backend, handle);
	}
	*memory = (struct serve_memory){ 0 };
	return ret;
}

void serve_update_rings(struct serve *serve)
{
	for (uint32_t i = 0; i < serve->capacity; i++)
		if (serve->memory[i].ring)
			memcpy(serve->memory[i].address, serve->memory[i].ring,
			       serve->memory[i].bytes);
}
