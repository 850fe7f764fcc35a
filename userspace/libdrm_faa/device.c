// SPDX-License-Identifier: MIT
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <xf86drm.h>

/* Major number of the command stream that this library builds. */
#define STREAM_MAJOR 1
#define MAX_DEVICES  64

void faa_ref(atomic_uint *refs)
{
	atomic_fetch_add_explicit(refs, 1, memory_order_relaxed);
}

bool faa_unref(atomic_uint *refs)
{
	return atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel) == 1;
}

int64_t faa_deadline(int64_t timeout)
{
	struct timespec now;
	int64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	if (timeout < 0)
		timeout = 0;
	return timeout > FAA_NO_DEADLINE - ns ? FAA_NO_DEADLINE : ns + timeout;
}

int faa_device_ioctl(struct faa_device *device, unsigned long request, void *arg)
{
	return device->backend->ops->ioctl(device->backend, request, arg);
}

int faa_device_query(struct faa_device *device, uint32_t type, void *buffer, size_t *size)
{
	struct drm_faa_dev_query query = { .type = type, .pointer = (uintptr_t)buffer };
	int ret;

	if (buffer && *size > DRM_FAA_MAX_QUERY_BYTES)
		return -EINVAL;
	query.size = buffer ? *size : 0;
	ret = faa_device_ioctl(device, DRM_IOCTL_FAA_DEV_QUERY, &query);
	if (!ret)
		*size = query.size;
	return ret;
}

static int load_info(struct faa_device *device)
{
	struct drm_faa_device_info raw = { 0 };
	size_t size = sizeof(raw);
	int ret = faa_device_query(device, DRM_FAA_DEV_QUERY_DEVICE, &raw, &size);

	if (ret)
		return ret;
	if (raw.version_major != STREAM_MAJOR)
		return -EPROTO;
	device->info = (struct faa_device_info){
		.version_major = raw.version_major,
		.version_minor = raw.version_minor,
		.num_queues = raw.num_queues,
		.num_cus = raw.num_cus,
		.warp_slots = raw.warp_slots,
		.lanes = raw.lanes,
		.shared_max = raw.shared_max,
		.shared_granule = raw.shared_granule,
		.axi_width = raw.axi_width,
		.va_bits = raw.va_bits,
		.features = raw.features,
		.page_sizes = raw.page_sizes,
		.job_timeout_ms = raw.job_timeout_ms,
		.job_limit_ms = raw.job_limit_ms,
		.host_atomics = raw.host_atomics,
		.max_vms = raw.max_vms,
		.max_queues = raw.max_queues,
		.max_bind_ops = raw.max_bind_ops,
		.max_jobs = raw.max_jobs,
		.max_syncs = raw.max_syncs,
		.max_status_entries = raw.max_status_entries,
	};
	return 0;
}

int faa_device_open_backend(struct faa_backend *backend, struct faa_device **out)
{
	struct faa_device *device = calloc(1, sizeof(*device));
	int ret = -ENOMEM;

	*out = NULL;
	if (!device)
		goto err_close;
	device->backend = backend;
	atomic_init(&device->refs, 1);
	ret = load_info(device);
	if (ret)
		goto err_free;
	ret = -pthread_mutex_init(&device->lock, NULL);
	if (ret)
		goto err_free;
	ret = faa_promises_init(&device->promises);
	if (ret)
		goto err_lock;
	*out = device;
	return 0;

err_lock:
	pthread_mutex_destroy(&device->lock);
err_free:
	free(device);
err_close:
	backend->ops->close(backend);
	return ret;
}

/* Takes @fd over. */
static int open_owned(int fd, struct faa_device **out)
{
	drmVersionPtr version = drmGetVersion(fd);
	struct faa_backend *backend;
	bool ours = version && !strcmp(version->name, "faa");
	int ret;

	drmFreeVersion(version);
	if (!ours) {
		close(fd);
		return -ENODEV;
	}
	ret = faa_backend_kernel(fd, &backend);
	return ret ? ret : faa_device_open_backend(backend, out);
}

int faa_device_open_path(const char *path, struct faa_device **out)
{
	int fd;

	*out = NULL;
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : open_owned(fd, out);
}

int faa_device_open_fd(int fd, struct faa_device **out)
{
	int own;

	*out = NULL;
	own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return own < 0 ? -errno : open_owned(own, out);
}

int faa_device_open(struct faa_device **out)
{
	drmDevicePtr devices[MAX_DEVICES];
	int i, count, ret = -ENODEV;

	*out = NULL;
	count = drmGetDevices2(0, devices, MAX_DEVICES);
	if (count < 0)
		return -ENODEV;
	for (i = 0; i < count && !*out; i++) {
		int one;

		if (!(devices[i]->available_nodes & (1 << DRM_NODE_RENDER)))
			continue;
		one = faa_device_open_path(devices[i]->nodes[DRM_NODE_RENDER], out);
		/* A node of another driver, or one that cannot be opened, says less than an faa node that fails. */
		if (!one || one == -EPROTO || (one == -EACCES && ret == -ENODEV))
			ret = one;
	}
	drmFreeDevices(devices, count);
	return ret;
}

struct faa_device *faa_device_ref(struct faa_device *device)
{
	faa_ref(&device->refs);
	return device;
}

void faa_device_unref(struct faa_device *device)
{
	if (!device || !faa_unref(&device->refs))
		return;
	device->backend->ops->close(device->backend);
	faa_promises_fini(&device->promises);
	pthread_mutex_destroy(&device->lock);
	free(device->bos);
	free(device);
}

int faa_device_fd(const struct faa_device *device)
{
	return device->backend->fd;
}

const struct faa_device_info *faa_device_info(const struct faa_device *device)
{
	return &device->info;
}
