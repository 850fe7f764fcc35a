/* SPDX-License-Identifier: MIT */
#ifndef FAA_VM_H
#define FAA_VM_H

#include "device.h"
#include "va.h"

struct faa_vm {
	atomic_uint refs;
	struct faa_device *device;
	uint32_t id;
	/* Guards all members below. */
	pthread_mutex_t lock;
	struct faa_va va;
	/* Queues of the VM: with one, the VM can no longer be shared. */
	unsigned int queues;
	/* Set once, before the first queue, in a shared VM. */
	struct faa_share *share;
};

/**
 * faa_vm_check_taken() - 0; -EINVAL, with a sentence: a part of [@va, @va + @size) is not reserved.
 */
int faa_vm_check_taken(struct faa_vm *vm, uint64_t va, uint64_t size);

/** faa_vm_give_back() - undo a reservation; 0 or -errno without a sentence. */
int faa_vm_give_back(struct faa_vm *vm, uint64_t va, uint64_t size);

#endif /* FAA_VM_H */
