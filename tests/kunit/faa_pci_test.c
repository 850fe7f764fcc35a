// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <kunit/test.h>

#include <linux/pci_regs.h>

#include "faa_pci.h"

/* Of the eight sets that a root port may offer, those with both 32 and 64 bits suffice. */
static void atomics_need_both_sizes(struct kunit *test)
{
	const u32 comp32 = PCI_EXP_DEVCAP2_ATOMIC_COMP32;
	const u32 comp64 = PCI_EXP_DEVCAP2_ATOMIC_COMP64;
	const u32 comp128 = PCI_EXP_DEVCAP2_ATOMIC_COMP128;

	KUNIT_EXPECT_FALSE(test, faa_pci_atomics_suffice(0));
	KUNIT_EXPECT_FALSE(test, faa_pci_atomics_suffice(comp32));
	KUNIT_EXPECT_FALSE(test, faa_pci_atomics_suffice(comp64));
	KUNIT_EXPECT_FALSE(test, faa_pci_atomics_suffice(comp128));
	KUNIT_EXPECT_FALSE(test, faa_pci_atomics_suffice(comp32 | comp128));
	KUNIT_EXPECT_FALSE(test, faa_pci_atomics_suffice(comp64 | comp128));
	KUNIT_EXPECT_TRUE(test, faa_pci_atomics_suffice(comp32 | comp64));
	KUNIT_EXPECT_TRUE(test, faa_pci_atomics_suffice(comp32 | comp64 | comp128));
}

static struct kunit_case pci_cases[] = {
	KUNIT_CASE(atomics_need_both_sizes),
	{ }
};

static struct kunit_suite pci_suite = {
	.name = "faa_pci",
	.test_cases = pci_cases,
};

kunit_test_suite(pci_suite);
