/* SPDX-License-Identifier: MIT */
/**
 * DOC: The fixture on a device of the fake kernel
 */
#ifndef FIXTURE_FAKE_H
#define FIXTURE_FAKE_H

#include "fixture.h"

extern struct fake_kernel *kernel;

/** fixture_open_device() - create the kernel, and only open its device. For cmocka's setup. */
int fixture_open_device(void **state);

/**
 * fixture_open() - fixture_open_device(), and fixture_make() with @bytes and @options
 *
 * A call that fails ends the test.
 */
void fixture_open(uint64_t bytes, const struct faa_queue_options *options);

/**
 * fixture_close() - release all of them. For cmocka's teardown.
 *
 * Objects that are left in the kernel afterwards end the test.
 */
int fixture_close(void **state);

#endif /* FIXTURE_FAKE_H */
