// SPDX-License-Identifier: MIT
/*
 * A library for tests of the Python package: all libraries of C and a device without a kernel, the
 * C model under fake_kernel.h.
 */
#include "check.h"
#include "device.h"
#include "fake_kernel.h"

int faa_fake_open(struct faa_device **device);
void faa_fake_lose(void);

static struct fake_kernel *fake;

/* A new device, 64 MiB of memory. */
int faa_fake_open(struct faa_device **device)
{
	fake = fake_kernel_create();
	return faa_device_open_backend(fake_kernel_open(fake), device);
}

/* The device that was opened last is lost. */
void faa_fake_lose(void)
{
	fake_kernel_lose(fake, false);
}
