/* SPDX-License-Identifier: MIT */
/* faa-vdev as the device of a front end. */
#ifndef VDEV_END_H
#define VDEV_END_H

#include "front_end.h"
#include "vdev.h"

static inline int vdev_end_connect(void *device, int sock)
{
	return vdev_connect(device, sock);
}

static inline int vdev_end_fd(const void *device)
{
	return vdev_fd(device);
}

static inline bool vdev_end_run(void *device)
{
	return vdev_run(device);
}

#define VDEV_END(vdev) ((struct fe_device){ vdev_end_connect, vdev_end_fd, vdev_end_run, (vdev) })

#endif /* VDEV_END_H */
