// SPDX-License-Identifier: MIT
#include "backend.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <xf86drm.h>

/* Functions of libdrm return either -1 with errno or -errno. */
static int kernel_result(int ret)
{
	if (ret >= 0)
		return 0;
	return ret == -1 && errno ? -errno : ret;
}

static void kernel_close(struct faa_backend *backend)
{
	close(backend->fd);
	free(backend);
}

static int kernel_ioctl(struct faa_backend *backend, unsigned long request, void *arg)
{
	return drmIoctl(backend->fd, request, arg) ? -errno : 0;
}

static int kernel_map_fd(int fd, uint64_t offset, uint64_t size, int prot, void **address)
{
	void *mapped;

	if (size > SIZE_MAX)
		return -ENOMEM;
	mapped = mmap(NULL, size, prot, MAP_SHARED, fd, (off_t)offset);
	if (mapped == MAP_FAILED)
		return -errno;
	*address = mapped;
	return 0;
}

static int kernel_map(struct faa_backend *backend, uint64_t offset, uint64_t size, int prot,
		      void **address)
{
	return kernel_map_fd(backend->fd, offset, size, prot, address);
}

static void kernel_unmap(struct faa_backend *backend, void *address, uint64_t size)
{
	munmap(address, size);
}

static int kernel_gem_close(struct faa_backend *backend, uint32_t handle)
{
	return kernel_result(drmCloseBufferHandle(backend->fd, handle));
}

static int kernel_prime_export(struct faa_backend *backend, uint32_t handle, int *fd)
{
	return kernel_result(drmPrimeHandleToFD(backend->fd, handle, DRM_CLOEXEC | DRM_RDWR, fd));
}

static int kernel_prime_import(struct faa_backend *backend, int fd, uint32_t *handle)
{
	return kernel_result(drmPrimeFDToHandle(backend->fd, fd, handle));
}

static int kernel_map_dmabuf(struct faa_backend *backend, uint32_t handle, uint64_t size,
			     void **address)
{
	int fd, ret;

	ret = kernel_prime_export(backend, handle, &fd);
	if (ret)
		return ret;
	ret = kernel_map_fd(fd, 0, size, PROT_READ | PROT_WRITE, address);
	close(fd);
	return ret;
}

static int kernel_syncobj_create(struct faa_backend *backend, bool signaled, uint32_t *handle)
{
	return kernel_result(
		drmSyncobjCreate(backend->fd, signaled ? DRM_SYNCOBJ_CREATE_SIGNALED : 0, handle));
}

static int kernel_syncobj_destroy(struct faa_backend *backend, uint32_t handle)
{
	return kernel_result(drmSyncobjDestroy(backend->fd, handle));
}

/* In the timeline ioctl point 0 is a binary syncobj; the other ioctl cannot wait for a promise. */
static int kernel_syncobj_wait_promised(struct faa_backend *backend, const uint32_t *handles,
					const uint64_t *points, uint32_t count, bool all,
					int64_t deadline)
{
	uint32_t flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
			 DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE |
			 (all ? DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL : 0);

	return kernel_result(drmSyncobjTimelineWait(backend->fd, (uint32_t *)handles,
						    (uint64_t *)points, count, deadline, flags,
						    NULL));
}

static int kernel_syncobj_wait(struct faa_backend *backend, const uint32_t *handles,
			       const uint64_t *points, uint32_t count, bool all, int64_t deadline)
{
	uint32_t flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
			 (all ? DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL : 0);

	/* libdrm's prototypes lack const; the kernel only reads both arrays. */
	if (points)
		return kernel_result(drmSyncobjTimelineWait(backend->fd, (uint32_t *)handles,
							    (uint64_t *)points, count, deadline,
							    flags, NULL));
	return kernel_result(
		drmSyncobjWait(backend->fd, (uint32_t *)handles, count, deadline, flags, NULL));
}

static int kernel_syncobj_signal(struct faa_backend *backend, uint32_t handle, uint64_t point)
{
	if (point)
		return kernel_result(drmSyncobjTimelineSignal(backend->fd, &handle, &point, 1));
	return kernel_result(drmSyncobjSignal(backend->fd, &handle, 1));
}

static int kernel_syncobj_query(struct faa_backend *backend, uint32_t handle, uint64_t *point)
{
	return kernel_result(drmSyncobjQuery(backend->fd, &handle, point, 1));
}

static int kernel_syncobj_reset(struct faa_backend *backend, uint32_t handle)
{
	return kernel_result(drmSyncobjReset(backend->fd, &handle, 1));
}

static int kernel_syncobj_dup(struct faa_backend *backend, uint32_t handle, uint32_t *dup)
{
	int fd, ret;

	ret = kernel_result(drmSyncobjHandleToFD(backend->fd, handle, &fd));
	/* Unlike other ioctls this one returns -EINVAL for an unknown handle. */
	if (ret)
		return ret == -EINVAL ? -ENOENT : ret;
	ret = kernel_result(drmSyncobjFDToHandle(backend->fd, fd, dup));
	close(fd);
	return ret;
}

static int kernel_syncobj_transfer(struct faa_backend *backend, uint32_t to, uint64_t to_point,
				   uint32_t from, uint64_t from_point)
{
	return kernel_result(drmSyncobjTransfer(backend->fd, to, to_point, from, from_point, 0));
}

static const struct faa_backend_ops kernel_ops = {
	.close = kernel_close,
	.ioctl = kernel_ioctl,
	.map = kernel_map,
	.unmap = kernel_unmap,
	.map_dmabuf = kernel_map_dmabuf,
	.gem_close = kernel_gem_close,
	.prime_export = kernel_prime_export,
	.prime_import = kernel_prime_import,
	.syncobj_create = kernel_syncobj_create,
	.syncobj_destroy = kernel_syncobj_destroy,
	.syncobj_wait = kernel_syncobj_wait,
	.syncobj_wait_promised = kernel_syncobj_wait_promised,
	.syncobj_signal = kernel_syncobj_signal,
	.syncobj_query = kernel_syncobj_query,
	.syncobj_reset = kernel_syncobj_reset,
	.syncobj_dup = kernel_syncobj_dup,
	.syncobj_transfer = kernel_syncobj_transfer,
};

int faa_backend_kernel(int fd, struct faa_backend **out)
{
	struct faa_backend *backend = calloc(1, sizeof(*backend));

	if (!backend) {
		close(fd);
		return faa_fail_memory("a device");
	}
	backend->ops = &kernel_ops;
	backend->fd = fd;
	*out = backend;
	return 0;
}
