// SPDX-License-Identifier: MIT
#include "sync.h"
#include "error.h"

#include <errno.h>

int faa_syncs_check(const struct faa_sync *syncs, uint32_t count)
{
	const uint32_t allowed = FAA_SYNC_TIMELINE | FAA_SYNC_SIGNAL;
	uint32_t i;

	for (i = 0; i < count; i++) {
		const struct faa_sync *sync = &syncs[i];

		if (sync->flags & ~allowed)
			return faa_fail(-EINVAL, "sync operation %u: flags 0x%x: allowed are 0x%x",
					i, sync->flags, allowed);
		if (sync->flags & FAA_SYNC_TIMELINE && !sync->point)
			return faa_fail(-EINVAL, "sync operation %u: point 0 of a timeline", i);
		if (!(sync->flags & FAA_SYNC_TIMELINE) && sync->point)
			return faa_fail(-EINVAL,
					"sync operation %u: point %llu without FAA_SYNC_TIMELINE",
					i, (unsigned long long)sync->point);
	}
	return 0;
}

bool faa_sync_promises(const struct faa_sync *signal, const struct faa_sync *wait)
{
	if (!(signal->flags & FAA_SYNC_SIGNAL) || signal->handle != wait->handle)
		return false;
	return wait->point ? signal->point >= wait->point : !signal->point;
}

int faa_sync_too_early(const struct faa_sync *sync, uint32_t index)
{
	if (sync->point)
		return faa_fail(-EAGAIN,
				"sync operation %u: point %llu of syncobj %u has no promise yet, "
				"for which faa_syncobj_wait_promised() waits",
				index, (unsigned long long)sync->point, sync->handle);
	return faa_fail(-EAGAIN,
			"sync operation %u: syncobj %u has no promise yet, for which "
			"faa_syncobj_wait_promised() waits",
			index, sync->handle);
}

int faa_sync_find_error(struct faa_device *device, const struct faa_sync *sync, uint32_t index)
{
	struct faa_backend *backend = device->backend;
	int ret = backend->ops->syncobj_wait_promised(backend, &sync->handle, &sync->point, 1, true,
						      0);

	if (ret == -ENOENT)
		return faa_fail(ret, "sync operation %u: there is no syncobj %u", index,
				sync->handle);
	if (ret == -ETIME && !(sync->flags & FAA_SYNC_SIGNAL))
		return faa_sync_too_early(sync, index);
	return 0;
}
