/* SPDX-License-Identifier: MIT */
/**
 * DOC: Held memory
 *
 * A step of a job (parts.h) holds the memory of the process that it needs: a change of held memory
 * waits until the VM's jobs have ended. After the step the memory is mapped as before.
 */
#ifndef FAA_HOLD_H
#define FAA_HOLD_H

#include <stdbool.h>

#include "vm.h"

/** FAA_HOLDS - limit of held ranges; it exceeds the number of ranges that one warp can miss */
#define FAA_HOLDS 256

/** struct faa_hold - a held range: [@start, @end) */
struct faa_hold {
	uint64_t start;
	uint64_t end;
	bool writable;
};

/** struct faa_holds - the held ranges of a step */
struct faa_holds {
	unsigned int count;
	/* Faults on ranges that were held already. */
	unsigned int again;
	struct faa_hold hold[FAA_HOLDS];
};

/**
 * faa_hold() - hold the memory that a part missed, and some memory around it
 * @vm: shared VM
 * @code: FAA_ERROR_NOT_MAPPED, _NOT_WRITABLE or _NOT_ATOMIC
 * @address: of the fault
 * @holds: receives the range
 *
 * Return: 0; -ENOSPC: too much is held, or the process keeps changing it; else as
 * faa_share_fault().
 */
int faa_hold(struct faa_vm *vm, uint32_t code, uint64_t address, struct faa_holds *holds);

/** faa_hold_release() - release all of it. */
void faa_hold_release(struct faa_vm *vm, struct faa_holds *holds);

#endif /* FAA_HOLD_H */
