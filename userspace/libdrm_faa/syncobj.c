// SPDX-License-Identifier: MIT
#include "device.h"
#include "error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Adds a sentence to the kernel's error of a function of one syncobj. */
static int syncobj_fail(int error, const char *action, uint32_t handle)
{
	if (!error)
		return 0;
	if (error == -ENOENT)
		return faa_fail(error, "%s: there is no syncobj %u", action, handle);
	return faa_fail(error, "%s of syncobj %u: %s", action, handle, strerror(-error));
}

int faa_syncobj_create(struct faa_device *device, bool signaled, uint32_t *handle)
{
	int ret;

	*handle = 0;
	ret = faa_device_check(device);
	if (ret)
		return ret;
	ret = device->backend->ops->syncobj_create(device->backend, signaled, handle);
	return faa_fail_kernel(ret, "creating a syncobj");
}

void faa_syncobj_drop(struct faa_device *device, uint32_t handle)
{
	faa_promises_forget(device, handle);
	device->backend->ops->syncobj_destroy(device->backend, handle);
}

int faa_syncobj_destroy(struct faa_device *device, uint32_t handle)
{
	int ret = faa_device_check(device);

	if (ret)
		return ret;
	faa_promises_forget(device, handle);
	ret = device->backend->ops->syncobj_destroy(device->backend, handle);
	/* The DRM core returns this for a handle that does not exist. */
	if (ret == -EINVAL)
		return faa_fail(ret, "destruction: there is no syncobj %u", handle);
	return syncobj_fail(ret, "destruction", handle);
}

/* Adds a sentence to the core's error of a wait. */
static int syncobj_wait_fail(int error, uint32_t count)
{
	switch (error) {
	case 0:
		return 0;
	case -ETIME:
		return faa_fail(error, "the deadline came before the signals of %u syncobjs",
				count);
	case -ENOENT:
		return faa_fail(error, "wait: one of %u syncobjs does not exist", count);
	default:
		return faa_fail_kernel(error, "waiting for syncobjs");
	}
}

static int syncobj_wait_check(const struct faa_device *device, uint32_t count)
{
	int ret = faa_device_check(device);

	if (!ret && !count)
		ret = faa_fail(-EINVAL, "wait: no syncobj was named");
	return ret;
}

int faa_syncobj_wait(struct faa_device *device, const uint32_t *handles, const uint64_t *points,
		     uint32_t count, bool all, int64_t deadline)
{
	int ret = syncobj_wait_check(device, count);

	if (ret)
		return ret;
	ret = device->backend->ops->syncobj_wait(device->backend, handles, points, count, all,
						 deadline);
	return syncobj_wait_fail(ret, count);
}

int faa_syncobj_wait_promised(struct faa_device *device, const uint32_t *handles,
			      const uint64_t *points, uint32_t count, bool all, int64_t deadline)
{
	uint64_t *binary = NULL;
	int ret = syncobj_wait_check(device, count);

	if (ret)
		return ret;
	if (!points) {
		binary = calloc(count, sizeof(*binary));
		if (!binary)
			return faa_fail_memory("the points of a wait");
	}
	ret = device->backend->ops->syncobj_wait_promised(
		device->backend, handles, points ? points : binary, count, all, deadline);
	free(binary);
	return syncobj_wait_fail(ret, count);
}

int faa_syncobj_signal(struct faa_device *device, uint32_t handle, uint64_t point)
{
	int ret = faa_device_check(device);

	if (ret)
		return ret;
	ret = device->backend->ops->syncobj_signal(device->backend, handle, point);
	return syncobj_fail(ret, "signal", handle);
}

int faa_syncobj_query(struct faa_device *device, uint32_t handle, uint64_t *point)
{
	int ret;

	*point = 0;
	ret = faa_device_check(device);
	if (ret)
		return ret;
	ret = device->backend->ops->syncobj_query(device->backend, handle, point);
	return syncobj_fail(ret, "query", handle);
}
