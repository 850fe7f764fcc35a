/* SPDX-License-Identifier: MIT */
/**
 * DOC: Memory that stays
 *
 * For a step of a job (run.h) memory of the process is mapped so that whoever takes it away waits until the VM's jobs have ended. Then it is
 * mapped as it was.
 */
#ifndef FAA_HOLD_H
#define FAA_HOLD_H

#include <stdbool.h>

#include "vm.h"

/** FAA_HOLDS - ranges that may be held: more than one warp can miss */
#define FAA_HOLDS 256

/** struct faa_hold - a range that is mapped so: [@start, @end) */
struct faa_hold {
	uint64_t start;
	uint64_t end;
	bool writable;
};

/** struct faa_holds - all of a step */
struct faa_holds {
	unsigned int count;
	/* How often what was held already has been missed. */
	unsigned int again;
	struct faa_hold hold[FAA_HOLDS];
};

/**
 * faa_hold() - map what a part missed, and some memory around it
 * @vm: shared VM
 * @code: FAA_ERROR_NOT_MAPPED, _NOT_WRITABLE or _NOT_ATOMIC
 * @address: where
 * @holds: where it is noted
 *
 * Return: 0; -ENOSPC: too much is held, or the process changes it all the time; else as faa_share_fault().
 */
int faa_hold(struct faa_vm *vm, uint32_t code, uint64_t address, struct faa_holds *holds);

/** faa_hold_release() - let all of it go. */
void faa_hold_release(struct faa_vm *vm, struct faa_holds *holds);

#endif /* FAA_HOLD_H */
