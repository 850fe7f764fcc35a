// SPDX-License-Identifier: MIT
/* Functions of both sides of a remote device. */
#include "remote.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <drm/faa_drm.h>

static unsigned int remote_add_array(struct faa_remote_pointer *pointer,
				     struct drm_faa_obj_array *array)
{
	*pointer = (struct faa_remote_pointer){ (uint64_t *)&array->array,
						(uint64_t)array->stride * array->count, false };
	return 1;
}

unsigned int faa_remote_pointers(unsigned long request, void *arg,
				 struct faa_remote_pointer *pointers)
{
	struct drm_faa_dev_query *query = arg;
	struct drm_faa_queue_dump *dump = arg;
	struct drm_faa_vm_bind *bind = arg;
	struct drm_faa_submit *submit = arg;

	/* No default: the compiler warns of a new ioctl, which may have pointers. */
	switch ((enum drm_faa_ioctl_id)(_IOC_NR(request) - DRM_COMMAND_BASE)) {
	case DRM_FAA_DEV_QUERY:
		if (!query->pointer)
			return 0;
		pointers[0] = (struct faa_remote_pointer){ (uint64_t *)&query->pointer, query->size,
							   true };
		return 1;
	case DRM_FAA_QUEUE_DUMP:
		pointers[0] =
			(struct faa_remote_pointer){ (uint64_t *)&dump->pointer, dump->size, true };
		return 1;
	case DRM_FAA_VM_BIND:
		return remote_add_array(&pointers[0], &bind->ops) +
		       remote_add_array(&pointers[1], &bind->syncs);
	case DRM_FAA_SUBMIT:
		return remote_add_array(&pointers[0], &submit->jobs);
	/* These are not sent: BOs are memory of faa-serve, descriptors are the guest's. */
	case DRM_FAA_COUNTERS_OPEN:
	case DRM_FAA_BO_SET_LABEL:
	case DRM_FAA_BO_CREATE:
	case DRM_FAA_BO_MMAP_OFFSET:
	case DRM_FAA_BO_INFO:
	case DRM_FAA_VM_CREATE:
	case DRM_FAA_VM_DESTROY:
	case DRM_FAA_VM_GET_STATE:
	case DRM_FAA_QUEUE_CREATE:
	case DRM_FAA_QUEUE_DESTROY:
	case DRM_FAA_QUEUE_GET_STATE:
		break;
	}
	return 0;
}

int faa_remote_transfer(int fd, void *data, uint64_t bytes, bool reading)
{
	char *at = data;

	while (bytes) {
		ssize_t n = reading ? read(fd, at, bytes) : write(fd, at, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EPIPE;
		at += n;
		bytes -= (uint64_t)n;
	}
	return 0;
}
