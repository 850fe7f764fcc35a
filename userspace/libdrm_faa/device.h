/* SPDX-License-Identifier: MIT */
#ifndef FAA_DEVICE_H
#define FAA_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include <drm/faa_drm.h>

#include "backend.h"
#include "faa.h"
#include "svm/promise.h"

struct faa_device {
	atomic_uint refs;
	struct faa_backend *backend;
	struct faa_device_info info;
	/* faa_fork_generation() of the process that opened it. */
	unsigned int generation;
	/*
	 * Guards @bos and the lookup of a BO by its handle: closing, importing, and a BO's last
	 * reference.
	 */
	pthread_mutex_t lock;
	/* BO of each handle. A second BO object of a handle would close it twice. */
	struct faa_bo **bos;
	uint32_t bo_capacity;
	/* Pending signals of jobs of shared VMs. */
	struct faa_promises promises;
};

/**
 * faa_device_open_backend() - a device over any backend
 * @backend: becomes the device's; closed on failure
 * @device: out: the device, with one reference
 */
int faa_device_open_backend(struct faa_backend *backend, struct faa_device **device);

/**
 * faa_device_is_mine() - whether the caller is the process that opened it, not a child of that one.
 */
bool faa_device_is_mine(const struct faa_device *device);

/** faa_device_check() - 0; -EPERM, with a sentence, in the child of a fork(). */
int faa_device_check(const struct faa_device *device);

/**
 * faa_device_ioctl() - DRM_IOCTL_FAA_*
 *
 * Return: 0 or -errno, with a sentence that names the ioctl; -EPERM: as faa_device_check().
 */
int faa_device_ioctl(struct faa_device *device, unsigned long request, void *arg);

/** faa_syncobj_drop() - faa_syncobj_destroy() of a handle that exists, without a sentence. */
void faa_syncobj_drop(struct faa_device *device, uint32_t handle);

/**
 * faa_device_open_in() - faa_device_open() in another directory than /dev/dri
 * @directory: its entries renderD* are tried in the order of their numbers
 * @device: out: the device, with one reference
 */
int faa_device_open_in(const char *directory, struct faa_device **device);

/** faa_device_open_index_in() - faa_device_open_index() in another directory, as above */
int faa_device_open_index_in(const char *directory, unsigned int index, struct faa_device **device);

/** faa_device_count_in() - faa_device_count() in another directory, as above */
int faa_device_count_in(const char *directory);

/**
 * faa_device_open_node() - faa_device_open_path()
 * @path: of the node
 * @device: out: the device, with one reference; NULL on failure
 * @ours: out: whether the node is one of faa, also on failure
 */
int faa_device_open_node(const char *path, struct faa_device **device, bool *ours);

/** faa_ref() - take a reference. */
void faa_ref(atomic_uint *refs);

/** faa_unref() - drop a reference; true if it was the last. */
bool faa_unref(atomic_uint *refs);

#endif /* FAA_DEVICE_H */
