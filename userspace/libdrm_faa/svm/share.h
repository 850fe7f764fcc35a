/* SPDX-License-Identifier: MIT */
/**
 * DOC: Memory of the process in a VM
 *
 * The lower half of a shared VM has the addresses of the process. Its memory is mapped when the
 * device faults.
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

/**
 * faa_vma_find() - the mapping that holds @address
 *
 * Return: 0; -ENOENT: there is none; or the errno of /proc/self/maps.
 */
int faa_vma_find(uint64_t address, struct faa_vma *vma);

/**
 * faa_vma_search() - the mapping that holds @address, from a file in the format of /proc/self/maps
 *
 * The file is read from its current position.
 *
 * Return: as faa_vma_find().
 */
int faa_vma_search(FILE *maps, uint64_t address, struct faa_vma *vma);

/** struct faa_window - a range that was mapped, to recognise jobs that continue next to it */
struct faa_window {
	/* Bound last: [start, end). */
	uint64_t start;
	uint64_t end;
	/* Size of the next bind adjacent to it, bytes; 0 = unused. */
	uint64_t size;
	bool writable;
	/* Serial number of its bind in this VM. */
	uint64_t serial;
};

#define FAA_WINDOWS 16

/** struct faa_share - state of a shared VM */
struct faa_share {
	/* Addresses below are the process's. */
	uint64_t end;
	/* Guards all members below. */
	pthread_mutex_t lock;
	uint64_t serial;
	struct faa_window windows[FAA_WINDOWS];
	/*
	 * Parts of jobs in the kernel; whether a step runs or waits to, so that no part may begin;
	 * signaled when either changes.
	 */
	unsigned int parts;
	bool alone;
	pthread_cond_t changed;
};

/** faa_share_fini() - destroy its locks; NULL is allowed. */
void faa_share_fini(struct faa_share *share);

/** faa_share_serial() - number of binds of process memory in this VM. */
uint64_t faa_share_serial(struct faa_share *share);

/**
 * faa_share_fault() - map the memory that a job missed
 * @vm: shared VM
 * @code: FAA_ERROR_NOT_MAPPED, _NOT_WRITABLE or _NOT_ATOMIC
 * @address: of the fault
 * @since: faa_share_serial() when the job was given to the device
 * @lost: receives whether the memory had been mapped before
 *
 * Return: 0: the job may be tried again; -EFAULT: there is no such memory; -EPERM: it cannot be
 * written; -ENOMEM; -ENODEV.
 */
int faa_share_fault(struct faa_vm *vm, uint32_t code, uint64_t address, uint64_t since, bool *lost);

/**
 * faa_share_find() - the mapping of the process that a job missed
 *
 * Arguments and errors as for faa_share_fault().
 */
int faa_share_find(const struct faa_share *share, uint32_t code, uint64_t address,
		   struct faa_vma *vma);

/**
 * faa_share_bind() - map [@start, @end) of the process; 0 or -errno
 *
 * @stays: a change of the memory waits for the VM's jobs.
 */
int faa_share_bind(struct faa_vm *vm, uint64_t start, uint64_t end, bool writable, bool stays);

/** faa_share_begin_part() - before a part is submitted; waits while a step runs. */
void faa_share_begin_part(struct faa_share *share);

/** faa_share_end_part() - when it has ended. */
void faa_share_end_part(struct faa_share *share);

/** faa_share_begin_alone() - before a step; false if other parts of the VM do not end soon. */
bool faa_share_begin_alone(struct faa_share *share);

/** faa_share_end_alone() - after it. */
void faa_share_end_alone(struct faa_share *share);

/**
 * faa_window_choose() - the range to bind for a fault at @address
 * @share: lock held
 * @address: inside of @vma
 * @vma: the range is inside of it
 *
 * Return: the window, with @start and @end of the range; the caller sets the other members when it
 * is bound.
 */
struct faa_window *faa_window_choose(struct faa_share *share, uint64_t address,
				     const struct faa_vma *vma);

#endif /* FAA_SHARE_H */
