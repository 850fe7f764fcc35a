/* SPDX-License-Identifier: MIT */
#ifndef FAA_BO_H
#define FAA_BO_H

#include "device.h"

struct faa_bo {
	atomic_uint refs;
	struct faa_device *device;
	uint64_t size;
	uint32_t handle;
	bool imported;
	/* Guards @address. */
	pthread_mutex_t lock;
	void *address;
};

#endif /* FAA_BO_H */
