// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Unit tests of the driver's pure logic. They call functions of faa.ko, which must be loaded first;
 * results go to the kernel log as KTAP.
 */

#include <linux/module.h>

MODULE_DESCRIPTION("Unit tests of faa");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
