// SPDX-License-Identifier: MIT
#include "device.h"

#include <errno.h>

int faa_syncobj_create(struct faa_device *device, bool signaled, uint32_t *handle)
{
	*handle = 0;
	return device->backend->ops->syncobj_create(device->backend, signaled, handle);
}

int faa_syncobj_destroy(struct faa_device *device, uint32_t handle)
{
	faa_promises_forget(device, handle);
	return device->backend->ops->syncobj_destroy(device->backend, handle);
}

int faa_syncobj_wait(struct faa_device *device, const uint32_t *handles, const uint64_t *points,
		     uint32_t count, bool all, int64_t deadline)
{
	if (!count)
		return -EINVAL;
	return device->backend->ops->syncobj_wait(device->backend, handles, points, count, all,
						  deadline);
}

int faa_syncobj_signal(struct faa_device *device, uint32_t handle, uint64_t point)
{
	return device->backend->ops->syncobj_signal(device->backend, handle, point);
}

int faa_syncobj_query(struct faa_device *device, uint32_t handle, uint64_t *point)
{
	*point = 0;
	return device->backend->ops->syncobj_query(device->backend, handle, point);
}
