// SPDX-License-Identifier: MIT
#include "device.h"
#include "error.h"
#include "fork.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <xf86drm.h>

/* Major number of the command stream that this library builds. */
#define STREAM_MAJOR 2

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

/* Name of the ioctl without its prefix, for sentences. */
static const char *device_ioctl_name(unsigned long request)
{
	static const char *const names[] = {
		[DRM_FAA_DEV_QUERY] = "DEV_QUERY",
		[DRM_FAA_BO_CREATE] = "BO_CREATE",
		[DRM_FAA_BO_MMAP_OFFSET] = "BO_MMAP_OFFSET",
		[DRM_FAA_BO_INFO] = "BO_INFO",
		[DRM_FAA_VM_CREATE] = "VM_CREATE",
		[DRM_FAA_VM_DESTROY] = "VM_DESTROY",
		[DRM_FAA_VM_BIND] = "VM_BIND",
		[DRM_FAA_VM_GET_STATE] = "VM_GET_STATE",
		[DRM_FAA_QUEUE_CREATE] = "QUEUE_CREATE",
		[DRM_FAA_QUEUE_DESTROY] = "QUEUE_DESTROY",
		[DRM_FAA_QUEUE_GET_STATE] = "QUEUE_GET_STATE",
		[DRM_FAA_SUBMIT] = "SUBMIT",
		[DRM_FAA_BO_SET_LABEL] = "BO_SET_LABEL",
		[DRM_FAA_QUEUE_DUMP] = "QUEUE_DUMP",
		[DRM_FAA_COUNTERS_OPEN] = "COUNTERS_OPEN",
	};

	return names[_IOC_NR(request) - DRM_COMMAND_BASE];
}

bool faa_device_is_mine(const struct faa_device *device)
{
	return device->generation == faa_fork_generation();
}

int faa_device_check(const struct faa_device *device)
{
	if (faa_device_is_mine(device))
		return 0;
	return faa_fail(-EPERM, "the device was opened before a fork() and belongs to the parent: "
				"a child opens it again");
}

int faa_device_ioctl(struct faa_device *device, unsigned long request, void *arg)
{
	int ret = faa_device_check(device);

	if (ret)
		return ret;
	ret = device->backend->ops->ioctl(device->backend, request, arg);
	return faa_fail_kernel(ret, device_ioctl_name(request));
}

int faa_device_query(struct faa_device *device, uint32_t type, void *buffer, size_t *size)
{
	struct drm_faa_dev_query query = { .type = type, .pointer = (uintptr_t)buffer };
	int ret;

	if (buffer && *size > DRM_FAA_MAX_QUERY_BYTES)
		return faa_fail(-EINVAL, "query: a size of %zu bytes: allowed are up to %u", *size,
				DRM_FAA_MAX_QUERY_BYTES);
	query.size = buffer ? *size : 0;
	ret = faa_device_ioctl(device, DRM_IOCTL_FAA_DEV_QUERY, &query);
	if (ret == -EINVAL)
		return faa_fail(ret, "query: the driver has no type %u", type);
	if (!ret)
		*size = query.size;
	return ret;
}

static int device_load_info(struct faa_device *device)
{
	struct drm_faa_device_info raw = { 0 };
	size_t size = sizeof(raw);
	int ret = faa_device_query(device, DRM_FAA_DEV_QUERY_DEVICE, &raw, &size);

	if (ret)
		return ret;
	if (raw.version_major != STREAM_MAJOR)
		return faa_fail(-EPROTO,
				"the device has command streams of version %u.%u, this library %d",
				raw.version_major, raw.version_minor, STREAM_MAJOR);
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

static int device_init_locks(struct faa_device *device)
{
	int ret = -pthread_mutex_init(&device->lock, NULL);

	if (ret)
		return faa_fail_lock(ret);
	ret = faa_promises_init(&device->promises);
	if (ret)
		pthread_mutex_destroy(&device->lock);
	return faa_fail_lock(ret);
}

int faa_device_open_backend(struct faa_backend *backend, struct faa_device **out)
{
	struct faa_device *device = calloc(1, sizeof(*device));
	int ret;

	*out = NULL;
	if (!device) {
		ret = faa_fail_memory("a device");
		goto err_close;
	}
	device->backend = backend;
	atomic_init(&device->refs, 1);
	ret = faa_fork_watch();
	device->generation = faa_fork_generation();
	if (!ret)
		ret = device_load_info(device);
	if (!ret)
		ret = device_init_locks(device);
	if (ret)
		goto err_free;
	*out = device;
	return 0;

err_free:
	free(device);
err_close:
	backend->ops->close(backend);
	return ret;
}

/*
 * Whether the driver of @fd is faa's: 1: yes; 0: another driver, or none; or -errno. Allocates
 * nothing.
 */
static int device_is_faa(int fd)
{
	char name[8] = "";
	struct drm_version version = { .name_len = sizeof(name) - 1, .name = name };

	if (!drmIoctl(fd, DRM_IOCTL_VERSION, &version))
		return version.name_len == 3 && !strcmp(name, "faa");
	/* Other errors come from files that are no DRM nodes, or whose device is gone. */
	return errno == ENOMEM || errno == EACCES || errno == EPERM ? -errno : 0;
}

/* Takes @fd over; @path is for sentences. @ours: whether the node is faa's. */
static int device_open_owned(int fd, const char *path, struct faa_device **out, bool *ours)
{
	struct faa_backend *backend;
	int ret = device_is_faa(fd);

	*ours = ret == 1;
	if (!*ours) {
		close(fd);
		return ret ? faa_fail(ret, "%s: asking for its driver: %s", path, strerror(-ret)) :
			     faa_fail(-ENODEV, "%s is no render node of faa", path);
	}
	ret = faa_backend_kernel(fd, &backend);
	return ret ? ret : faa_device_open_backend(backend, out);
}

int faa_device_open_node(const char *path, struct faa_device **out, bool *ours)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	*out = NULL;
	*ours = false;
	if (fd < 0)
		return faa_fail(-errno, "%s: %s", path, strerror(errno));
	return device_open_owned(fd, path, out, ours);
}

int faa_device_open_path(const char *path, struct faa_device **out)
{
	bool ours;

	return faa_device_open_node(path, out, &ours);
}

int faa_device_open_fd(int fd, struct faa_device **out)
{
	char path[32];
	bool ours;
	int own;

	*out = NULL;
	own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (own < 0)
		return faa_fail(-errno, "file descriptor %d: %s", fd, strerror(errno));
	snprintf(path, sizeof(path), "file descriptor %d", fd);
	return device_open_owned(own, path, out, &ours);
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
	/* In the child of a fork, threads of the parent may have been waiting for the locks. */
	if (faa_device_is_mine(device)) {
		faa_promises_fini(&device->promises);
		pthread_mutex_destroy(&device->lock);
	}
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
