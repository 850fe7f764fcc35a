/* SPDX-License-Identifier: MIT */
/**
 * DOC: Memory of the process in a VM
 *
 * The lower half of a shared VM is the process's, address by address. What is mapped there is mapped when the device faults.
 */
#ifndef FAA_SHARE_H
#define FAA_SHARE_H

#include <stdio.h>

#include "vm.h"

/** struct faa_vma - one mapping of the process: [@start, @end) */
struct faa_vma {
	uint64_t start;
	uint64_t end;
	bool readable;
	bool writable;
};

/** faa_vma_find() - the mapping that holds @address; 0, -ENOENT: there is none, or the errno of /proc/self/maps. */
int faa_vma_find(uint64_t address, struct faa_vma *vma);

/**
 * faa_vma_search() - the mapping that holds @address, from a file with the lines of /proc/self/maps, read from where it is
 *
 * Return: as faa_vma_find().
 */
int faa_vma_search(FILE *maps, uint64_t address, struct faa_vma *vma);

/** struct faa_window - a range that was mapped, to recognise jobs that go on behind or before it */
struct faa_window {
	/* Bound last: [start, end). */
	uint64_t start;
	uint64_t end;
	/* Bytes that a bind next to it takes; 0 = unused. */
	uint64_t size;
	bool writable;
	/* When it was bound, in binds of this VM. */
	uint64_t serial;
};

#define FAA_WINDOWS 16

/** struct faa_share - what a shared VM knows of its process */
struct faa_share {
	/* Addresses below are the process's. */
	uint64_t end;
	/* Guards what follows. */
	pthread_mutex_t lock;
	uint64_t serial;
	struct faa_window windows[FAA_WINDOWS];
	/* Parts of jobs that are with the kernel; whether a step goes on, or is about to, so that none begins; one of both has changed. */
	unsigned int parts;
	bool alone;
	pthread_cond_t changed;
};

/** faa_share_fini() - destroy its locks; NULL is allowed. */
void faa_share_fini(struct faa_share *share);

/** faa_share_serial() - how often this VM has bound memory of the process. */
uint64_t faa_share_serial(struct faa_share *share);

/**
 * faa_share_fault() - map what a job missed
 * @vm: shared VM
 * @code: FAA_ERROR_NOT_MAPPED, _NOT_WRITABLE or _NOT_ATOMIC
 * @address: where
 * @since: faa_share_serial() when the job was given to the device
 * @lost: receives whether it had been mapped before
 *
 * Return: 0: it is worth another try; -EFAULT: there is no such memory; -EPERM: it cannot be written; -ENOMEM; -ENODEV.
 */
int faa_share_fault(struct faa_vm *vm, uint32_t code, uint64_t address, uint64_t since, bool *lost);

/**
 * faa_share_find() - the mapping of the process that a job missed
 *
 * Arguments and errors as for faa_share_fault().
 */
int faa_share_find(const struct faa_share *share, uint32_t code, uint64_t address,
		   struct faa_vma *vma);

/** faa_share_bind() - map [@start, @end) of the process; @stays: who takes it away waits for the VM's jobs. 0 or -errno. */
int faa_share_bind(struct faa_vm *vm, uint64_t start, uint64_t end, bool writable, bool stays);

/** faa_share_begin_part() - before a part is submitted; waits while a step goes on. */
void faa_share_begin_part(struct faa_share *share);

/** faa_share_end_part() - when it has ended. */
void faa_share_end_part(struct faa_share *share);

/** faa_share_begin_alone() - before a step; false if other parts of the VM do not end soon. */
bool faa_share_begin_alone(struct faa_share *share);

/** faa_share_end_alone() - after it. */
void faa_share_end_alone(struct faa_share *share);

/**
 * faa_window_choose() - what to bind for a fault at @address
 * @share: lock held
 * @address: inside of @vma
 * @vma: the range is inside of it
 *
 * Return: the window, with @start and @end of the range; the caller sets the rest when it is bound.
 */
struct faa_window *faa_window_choose(struct faa_share *share, uint64_t address,
				     const struct faa_vma *vma);

#endif /* FAA_SHARE_H */
