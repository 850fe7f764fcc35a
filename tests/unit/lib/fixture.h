/* SPDX-License-Identifier: MIT */
/**
 * DOC: A machine for unit tests
 *
 * A device of the fake kernel, and on it one VM, one BO that is mapped there and here, one queue and one stream.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "faa.h"

#define PAGE 4096

extern struct fake_kernel *kernel;
extern struct faa_device *device;
extern struct faa_vm *vm;
extern struct faa_bo *bo;
extern struct faa_queue *queue;
/** stream - empty */
extern struct faa_stream *stream;
/** va, memory - where the device and the CPU find the BO */
extern uint64_t va;
extern uint8_t *memory;

/** fixture_open() - make all of them, the BO with @bytes bytes, the queue with @options; what fails ends the test. */
void fixture_open(uint64_t bytes, const struct faa_queue_options *options);

/** fixture_close() - release all of them; what the kernel still has afterwards ends the test. For cmocka's teardown. */
int fixture_close(void **state);

#endif /* FIXTURE_H */
