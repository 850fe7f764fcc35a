/* SPDX-License-Identifier: MIT */
#ifndef FAA_DEVICE_H
#define FAA_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include <drm/faa_drm.h>

#include "backend.h"
#include "faa.h"
#include "promise.h"

struct faa_device {
	atomic_uint refs;
	struct faa_backend *backend;
	struct faa_device_info info;
	/* Guards @bos and the step from a handle to its BO: closing, importing, and a BO's last reference. */
	pthread_mutex_t lock;
	/* BO of each handle: one BO object a handle, or two of them would close it twice. */
	struct faa_bo **bos;
	uint32_t bo_capacity;
	/* What jobs of shared VMs are going to signal. */
	struct faa_promises promises;
};

/**
 * faa_device_open_backend() - a device over any backend
 * @backend: becomes the device's; closed on failure
 * @device: out: the device, with one reference
 */
int faa_device_open_backend(struct faa_backend *backend, struct faa_device **device);

/** faa_device_ioctl() - DRM_IOCTL_FAA_*; 0 or -errno. */
int faa_device_ioctl(struct faa_device *device, unsigned long request, void *arg);

/** faa_ref() - one reference more. */
void faa_ref(atomic_uint *refs);

/** faa_unref() - one reference less; true if it was the last. */
bool faa_unref(atomic_uint *refs);

#endif /* FAA_DEVICE_H */
