/* SPDX-License-Identifier: MIT */
/**
 * DOC: A kernel for unit tests
 *
 * A backend of the library in the test's own process: the ioctls of uapi/drm/faa_drm.h over the C model of the device, as far
 * as the library uses them, with the checks of arguments that a kernel makes. Jobs run when somebody waits, so no result here
 * depends on time. It may be called from several threads.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend.h"

struct fake_kernel;

/** fake_kernel_create() - a device of its own, no file open. */
struct fake_kernel *fake_kernel_create(void);

/** fake_kernel_destroy() - fails the test if the device touched memory that it must not. */
void fake_kernel_destroy(struct fake_kernel *kernel);

/** fake_kernel_open() - open it; several files may be open one after the other. */
struct faa_backend *fake_kernel_open(struct fake_kernel *kernel);

/** fake_kernel_fail() - let call number @nth from now (0 = the next) fail with @error (negative errno). */
void fake_kernel_fail(struct fake_kernel *kernel, unsigned int nth, int error);

/** fake_kernel_failed() - whether the failure that was asked for has happened; also takes the request back. */
bool fake_kernel_failed(struct fake_kernel *kernel);

/** fake_kernel_hold() - while @hold, no job makes progress. */
void fake_kernel_hold(struct fake_kernel *kernel, bool hold);

/**
 * fake_kernel_lose() - the device is gone: from now on every call fails with -ENODEV
 * @kernel: kernel
 * @in_wait: not before the next wait, which still lets jobs run
 *
 * The records of the status rings stay. Destruction still works, as in the kernel.
 */
void fake_kernel_lose(struct fake_kernel *kernel, bool in_wait);

/** fake_kernel_waited() - the point of the last wait for one of a timeline. */
uint64_t fake_kernel_waited(struct fake_kernel *kernel);

/** fake_kernel_promise_late() - the next SUBMIT fails as for an early wait; the CPU signals @handle right behind it. */
void fake_kernel_promise_late(struct fake_kernel *kernel, uint32_t handle);

/** fake_kernel_live() - objects that exist: handles, VMs, queues, syncobjs, mappings. */
unsigned int fake_kernel_live(const struct fake_kernel *kernel);

/** fake_kernel_label() - the name of a BO, "" = none. */
const char *fake_kernel_label(const struct fake_kernel *kernel, uint32_t handle);

/** fake_kernel_calls() - calls so far. */
unsigned int fake_kernel_calls(const struct fake_kernel *kernel);

/** fake_kernel_set_major() - major version that the device reports; 1 at first. */
void fake_kernel_set_major(struct fake_kernel *kernel, uint32_t major);

/** fake_kernel_memory() - zeroed whole pages of the process that the device can reach; they go with the kernel. */
void *fake_kernel_memory(struct fake_kernel *kernel, size_t bytes);

/** fake_kernel_invalidate() - what happens to pages of FAULTABLE mappings when the process's memory changes. */
void fake_kernel_invalidate(struct fake_kernel *kernel, void *address, size_t bytes);

/** fake_kernel_shy_pages() - from now on every MAP_USERPTR first unmaps these two pages; NULL: none. */
void fake_kernel_shy_pages(struct fake_kernel *kernel, void *one, void *other);

/** fake_kernel_storm() - while @storm, every SUBMIT is followed by a fork: pages of FAULTABLE mappings go before the device looks. */
void fake_kernel_storm(struct fake_kernel *kernel, bool storm);

/** fake_kernel_pages_that_wait() - pages of the process that are mapped at their own addresses without FAULTABLE. */
unsigned int fake_kernel_pages_that_wait(struct fake_kernel *kernel);

/** fake_kernel_userptr_binds() - operations MAP_USERPTR so far, failed ones too. */
unsigned int fake_kernel_userptr_binds(struct fake_kernel *kernel);

#endif /* FAKE_KERNEL_H */
