/* SPDX-License-Identifier: MIT */
#ifndef FAA_VM_H
#define FAA_VM_H

#include "device.h"
#include "va.h"

struct faa_vm {
	atomic_uint refs;
	struct faa_device *device;
	uint32_t id;
	/* Guards @va. */
	pthread_mutex_t lock;
	struct faa_va va;
};

#endif /* FAA_VM_H */
