// SPDX-License-Identifier: MIT
#include "bo.h"
#include "error.h"
#include "vm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Makes room in the handle table for @handle; device lock held. */
static int bo_table_reserve(struct faa_device *device, uint32_t handle)
{
	uint32_t capacity = device->bo_capacity ? device->bo_capacity : 64;
	struct faa_bo **bos;

	while (capacity <= handle) {
		if (capacity > UINT32_MAX / 2)
			return faa_fail_memory("a table of handles");
		capacity *= 2;
	}
	if (capacity == device->bo_capacity)
		return 0;
	bos = realloc(device->bos, capacity * sizeof(*bos));
	if (!bos)
		return faa_fail_memory("a table of handles");
	memset(bos + device->bo_capacity, 0, (capacity - device->bo_capacity) * sizeof(*bos));
	device->bos = bos;
	device->bo_capacity = capacity;
	return 0;
}

/*
 * Creates the BO of a new @handle and enters it in the table; device lock held. The handle is
 * closed on failure.
 */
static int bo_wrap_handle(struct faa_device *device, uint32_t handle, uint64_t size, bool imported,
			  struct faa_bo **out)
{
	struct faa_bo *bo = calloc(1, sizeof(*bo));
	int ret = bo ? bo_table_reserve(device, handle) : faa_fail_memory("a BO");

	if (!ret)
		ret = faa_fail_lock(-pthread_mutex_init(&bo->lock, NULL));
	if (ret) {
		free(bo);
		device->backend->ops->gem_close(device->backend, handle);
		return ret;
	}
	atomic_init(&bo->refs, 1);
	bo->device = faa_device_ref(device);
	bo->handle = handle;
	bo->size = size;
	bo->imported = imported;
	device->bos[handle] = bo;
	*out = bo;
	return 0;
}

static int bo_create_fail(int error, uint64_t size)
{
	if (error == -ENOMEM || error == -EINVAL)
		faa_fail(error, "BO: the kernel has no %llu bytes for it: %s",
			 (unsigned long long)size, strerror(-error));
	return error;
}

static int bo_create(struct faa_device *device, uint32_t vm_id, uint64_t size, uint32_t flags,
		     struct faa_bo **out)
{
	struct drm_faa_bo_create args = { .size = size, .exclusive_vm = vm_id };
	int ret;

	*out = NULL;
	if (!size)
		return faa_fail(-EINVAL, "BO: a size of 0 bytes");
	if (flags & ~(uint32_t)FAA_BO_NO_MMAP)
		return faa_fail(-EINVAL, "BO: flags 0x%x: allowed is FAA_BO_NO_MMAP (0x%x)", flags,
				FAA_BO_NO_MMAP);
	if (flags & FAA_BO_NO_MMAP)
		args.flags |= DRM_FAA_BO_NO_MMAP;
	ret = faa_device_ioctl(device, DRM_IOCTL_FAA_BO_CREATE, &args);
	if (ret)
		return bo_create_fail(ret, size);
	pthread_mutex_lock(&device->lock);
	ret = bo_wrap_handle(device, args.handle, args.size, false, out);
	pthread_mutex_unlock(&device->lock);
	return ret;
}

int faa_bo_create(struct faa_device *device, uint64_t size, uint32_t flags, struct faa_bo **out)
{
	return bo_create(device, 0, size, flags, out);
}

int faa_bo_create_exclusive(struct faa_vm *vm, uint64_t size, uint32_t flags, struct faa_bo **out)
{
	return bo_create(vm->device, vm->id, size, flags, out);
}

struct faa_bo *faa_bo_ref(struct faa_bo *bo)
{
	faa_ref(&bo->refs);
	return bo;
}

static void bo_unmap_cpu(struct faa_bo *bo)
{
	if (bo->address)
		bo->device->backend->ops->unmap(bo->device->backend, bo->address, bo->size);
}

/* The child of a fork frees only its copy of the object; the handle is the parent's. */
static void bo_release_copy(struct faa_bo *bo)
{
	struct faa_device *device = bo->device;

	if (!faa_unref(&bo->refs))
		return;
	bo_unmap_cpu(bo);
	free(bo);
	faa_device_unref(device);
}

void faa_bo_unref(struct faa_bo *bo)
{
	struct faa_device *device;

	if (!bo)
		return;
	device = bo->device;
	if (!faa_device_is_mine(device)) {
		bo_release_copy(bo);
		return;
	}
	/*
	 * The last reference is dropped under the table's lock: an import of the same memory either
	 * finds the BO alive, or comes after its handle is closed.
	 */
	pthread_mutex_lock(&device->lock);
	if (!faa_unref(&bo->refs)) {
		pthread_mutex_unlock(&device->lock);
		return;
	}
	device->bos[bo->handle] = NULL;
	bo_unmap_cpu(bo);
	device->backend->ops->gem_close(device->backend, bo->handle);
	pthread_mutex_unlock(&device->lock);
	pthread_mutex_destroy(&bo->lock);
	free(bo);
	faa_device_unref(device);
}

uint64_t faa_bo_size(const struct faa_bo *bo)
{
	return bo->size;
}

uint32_t faa_bo_handle(const struct faa_bo *bo)
{
	return bo->handle;
}

static int bo_map_fail(int error, const struct faa_bo *bo)
{
	return error ? faa_fail(error, "map: %llu bytes of %s: %s", (unsigned long long)bo->size,
				bo->imported ? "another driver" : "a BO", strerror(-error)) :
		       0;
}

static int bo_map_cpu(struct faa_bo *bo)
{
	struct drm_faa_bo_mmap_offset args = { .handle = bo->handle };
	struct faa_backend *backend = bo->device->backend;
	int ret;

	if (bo->imported)
		return bo_map_fail(
			backend->ops->map_dmabuf(backend, bo->handle, bo->size, &bo->address), bo);
	ret = faa_device_ioctl(bo->device, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &args);
	if (ret == -EPERM)
		return faa_fail(ret, "map: the BO was made with FAA_BO_NO_MMAP");
	if (ret)
		return ret;
	ret = backend->ops->map(backend, args.offset, bo->size, PROT_READ | PROT_WRITE,
				&bo->address);
	return bo_map_fail(ret, bo);
}

int faa_bo_map(struct faa_bo *bo, void **address)
{
	int ret;

	*address = NULL;
	ret = faa_device_check(bo->device);
	if (ret)
		return ret;
	pthread_mutex_lock(&bo->lock);
	if (!bo->address)
		ret = bo_map_cpu(bo);
	if (!ret)
		*address = bo->address;
	pthread_mutex_unlock(&bo->lock);
	return ret;
}

int faa_bo_set_label(struct faa_bo *bo, const char *label)
{
	struct drm_faa_bo_set_label args = { .handle = bo->handle, .label = (uintptr_t)label };
	int ret;

	if (label && strlen(label) >= DRM_FAA_MAX_LABEL_BYTES)
		return faa_fail(-E2BIG, "label: %zu bytes, the most is %d", strlen(label),
				DRM_FAA_MAX_LABEL_BYTES - 1);
	ret = faa_device_ioctl(bo->device, DRM_IOCTL_FAA_BO_SET_LABEL, &args);
	/* The kernel does not have this ioctl. */
	if (ret == -EINVAL)
		return faa_fail(-EOPNOTSUPP, "label: the driver is older than version 1.3");
	return ret;
}

int faa_bo_export(struct faa_bo *bo, int *fd)
{
	int ret;

	*fd = -1;
	ret = faa_device_check(bo->device);
	if (ret)
		return ret;
	ret = bo->device->backend->ops->prime_export(bo->device->backend, bo->handle, fd);
	if (ret == -EPERM)
		return faa_fail(ret, "export: the BO is exclusive to a VM");
	return faa_fail_kernel(ret, "exporting a BO");
}

int faa_bo_import(struct faa_device *device, int fd, struct faa_bo **out)
{
	struct drm_faa_bo_info info = { 0 };
	int ret;

	*out = NULL;
	ret = faa_device_check(device);
	if (ret)
		return ret;
	/*
	 * Locked before the handle exists: otherwise another thread could close it between import
	 * and lookup.
	 */
	pthread_mutex_lock(&device->lock);
	ret = device->backend->ops->prime_import(device->backend, fd, &info.handle);
	if (ret) {
		faa_fail(ret,
			 "import: file descriptor %d is no dma-buf that the device can use: %s", fd,
			 strerror(-ret));
		goto out;
	}
	if (info.handle < device->bo_capacity && device->bos[info.handle]) {
		*out = faa_bo_ref(device->bos[info.handle]);
		goto out;
	}
	ret = faa_device_ioctl(device, DRM_IOCTL_FAA_BO_INFO, &info);
	if (ret) {
		device->backend->ops->gem_close(device->backend, info.handle);
		goto out;
	}
	ret = bo_wrap_handle(device, info.handle, info.size, info.flags & DRM_FAA_BO_IMPORTED, out);
out:
	pthread_mutex_unlock(&device->lock);
	return ret;
}
