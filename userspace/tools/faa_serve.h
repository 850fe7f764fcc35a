/* SPDX-License-Identifier: MIT */
/**
 * DOC: Memory of faa-serve
 *
 * BOs of the library are locked memory of faa-serve; see remote.h of the library. One thread.
 */
#ifndef FAA_SERVE_H
#define FAA_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa.h"
#include "remote.h"

/** struct serve_memory - a BO, or the copy of a status ring */
struct serve_memory {
	/** @handle: the library's handle; 0: the entry is free. */
	uint32_t handle;
	/** @address: whole pages, locked. */
	void *address;
	/** @bytes: of them. */
	uint64_t bytes;
	/** @ring: the kernel's status ring; NULL: this is a BO. */
	const void *ring;
};

/** struct serve - state of the program */
struct serve {
	struct faa_backend *backend;
	/** @memory: @capacity entries. */
	struct serve_memory *memory;
	uint32_t capacity;
};

/** serve_open() - keep the kernel from moving locked memory; 0 or -errno. */
int serve_open(struct serve *serve);

/** serve_create() - a BO of @bytes, zero; 0 or -errno. */
int serve_create(struct serve *serve, uint64_t bytes, uint32_t *handle);

/** serve_add_ring() - the status ring @handle of the kernel, of @bytes; 0 or -errno. */
int serve_add_ring(struct serve *serve, uint32_t handle, uint64_t bytes);

/** serve_find() - the entry of @handle, or NULL. */
struct serve_memory *serve_find(struct serve *serve, uint32_t handle);

/**
 * serve_pages() - its page frames in the guest's memory
 *
 * Return: 0, with @count runs in @runs, which the caller frees; or -errno.
 */
int serve_pages(const struct serve_memory *memory, struct faa_remote_run **runs, uint64_t *count);

/** serve_close() - free it; 0 or -ENOENT. */
int serve_close(struct serve *serve, uint32_t handle);

/** serve_update_rings() - copy all status rings. */
void serve_update_rings(struct serve *serve);

#endif /* FAA_SERVE_H */
