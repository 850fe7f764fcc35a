/* SPDX-License-Identifier: MIT */
/**
 * DOC: Backend of the library
 *
 * In programs the backend is the kernel; in unit tests it is a fake kernel in the test's own
 * process. Every function returns 0 or -errno.
 */
#ifndef FAA_BACKEND_H
#define FAA_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

/** struct faa_backend - an open device file */
struct faa_backend {
	/** @ops: its functions. */
	const struct faa_backend_ops *ops;
	/** @fd: its file descriptor, -1 if it has none. */
	int fd;
};

/** struct faa_backend_ops - functions of a kind of kernel */
struct faa_backend_ops {
	/** @close: end of use; frees @backend. */
	void (*close)(struct faa_backend *backend);
	/** @ioctl: one of DRM_IOCTL_FAA_*. */
	int (*ioctl)(struct faa_backend *backend, unsigned long request, void *arg);
	/** @map: mmap() of the device file, shared. */
	int (*map)(struct faa_backend *backend, uint64_t offset, uint64_t size, int prot,
		   void **address);
	/** @unmap: undo @map and @map_dmabuf. */
	void (*unmap)(struct faa_backend *backend, void *address, uint64_t size);
	/** @map_dmabuf: map the memory of an imported handle. */
	int (*map_dmabuf)(struct faa_backend *backend, uint32_t handle, uint64_t size,
			  void **address);
	/** @gem_close: close a GEM handle. */
	int (*gem_close)(struct faa_backend *backend, uint32_t handle);
	/** @prime_export: handle to dma-buf. */
	int (*prime_export)(struct faa_backend *backend, uint32_t handle, int *fd);
	/** @prime_import: dma-buf to handle. */
	int (*prime_import)(struct faa_backend *backend, int fd, uint32_t *handle);
	/** @syncobj_create: as faa_syncobj_create(). */
	int (*syncobj_create)(struct faa_backend *backend, bool signaled, uint32_t *handle);
	/** @syncobj_destroy: as faa_syncobj_destroy(). */
	int (*syncobj_destroy)(struct faa_backend *backend, uint32_t handle);
	/** @syncobj_wait: as faa_syncobj_wait(). */
	int (*syncobj_wait)(struct faa_backend *backend, const uint32_t *handles,
			    const uint64_t *points, uint32_t count, bool all, int64_t deadline);
	/** @syncobj_wait_promised: as faa_syncobj_wait_promised(), but @points is not NULL. */
	int (*syncobj_wait_promised)(struct faa_backend *backend, const uint32_t *handles,
				     const uint64_t *points, uint32_t count, bool all,
				     int64_t deadline);
	/** @syncobj_signal: as faa_syncobj_signal(). */
	int (*syncobj_signal)(struct faa_backend *backend, uint32_t handle, uint64_t point);
	/** @syncobj_query: as faa_syncobj_query(). */
	int (*syncobj_query)(struct faa_backend *backend, uint32_t handle, uint64_t *point);
	/** @syncobj_reset: remove the fence of a binary syncobj. */
	int (*syncobj_reset)(struct faa_backend *backend, uint32_t handle);
	/** @syncobj_dup: another handle of the same syncobj; -ENOENT: no such handle. */
	int (*syncobj_dup)(struct faa_backend *backend, uint32_t handle, uint32_t *dup);
	/**
	 * @syncobj_transfer: give @to, at @to_point, the fence that @from has at @from_point; a
	 * point of 0 means a binary syncobj. -EINVAL: @from has none there; -ENOENT: no such
	 * handle.
	 */
	int (*syncobj_transfer)(struct faa_backend *backend, uint32_t to, uint64_t to_point,
				uint32_t from, uint64_t from_point);
};

/**
 * faa_backend_kernel() - the kernel, reached through @fd, a DRM file that the backend then owns
 *
 * Return: 0; or -errno, with @fd closed.
 */
int faa_backend_kernel(int fd, struct faa_backend **backend);

#endif /* FAA_BACKEND_H */
