/* SPDX-License-Identifier: MIT */
/**
 * DOC: A VM, a BO, a queue and a stream for tests
 *
 * One of each on a device that the test has opened; fixture_fake.h opens one of the fake kernel.
 * The BO is mapped on the device and in the process.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "faa.h"

#define PAGE 4096

extern struct faa_device *device;
extern struct faa_vm *vm;
extern struct faa_bo *bo;
extern struct faa_queue *queue;
/** stream - empty */
extern struct faa_stream *stream;
/** va, memory - addresses of the BO for the device and for the CPU */
extern uint64_t va;
extern uint8_t *memory;

/**
 * fixture_make() - create everything except the device
 * @bytes: of the BO
 * @options: of the queue, or NULL
 *
 * Return: 0, or the error of the first call that failed; fixture_release() in any case.
 */
int fixture_make(uint64_t bytes, const struct faa_queue_options *options);

/**
 * fixture_release() - release everything except the device, and set the variables to NULL
 *
 * A test that has released one of them itself sets it to NULL.
 */
void fixture_release(void);

#endif /* FIXTURE_H */
