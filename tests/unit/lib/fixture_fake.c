// SPDX-License-Identifier: MIT
#include "check.h"
#include "device.h"
#include "fake_kernel.h"
#include "fixture_fake.h"

struct fake_kernel *kernel;

int fixture_open_device(void **state)
{
	(void)state;
	kernel = fake_kernel_create();
	return faa_device_open_backend(fake_kernel_open(kernel), &device);
}

void fixture_open(uint64_t bytes, const struct faa_queue_options *options)
{
	assert_int_equal(fixture_open_device(NULL), 0);
	assert_int_equal(fixture_make(bytes, options), 0);
}

int fixture_close(void **state)
{
	(void)state;
	fixture_release();
	faa_device_unref(device);
	device = NULL;
	assert_int_equal(fake_kernel_live(kernel), 0);
	fake_kernel_destroy(kernel);
	return 0;
}
