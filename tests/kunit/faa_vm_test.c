// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <drm/faa_drm.h>

#include <kunit/test.h>

#include "faa_bind_op.h"
#include "faa_pt.h"

static void ranges_accepted(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, faa_bind_range_ok(0, SZ_4K, FAA_PT_VA_END));
	KUNIT_EXPECT_TRUE(test, faa_bind_range_ok(0, FAA_PT_VA_END, FAA_PT_VA_END));
	KUNIT_EXPECT_TRUE(test, faa_bind_range_ok(FAA_PT_VA_END - SZ_4K, SZ_4K, FAA_PT_VA_END));
	KUNIT_EXPECT_TRUE(test, faa_bind_range_ok(SZ_4K, SZ_4K, SZ_8K));
}

static void ranges_refused(struct kunit *test)
{
	/* Empty ranges, and parts of pages. */
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(SZ_4K, 0, FAA_PT_VA_END));
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(1, SZ_4K, FAA_PT_VA_END));
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(SZ_4K, SZ_4K - 1, FAA_PT_VA_END));
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(SZ_2K, SZ_2K, FAA_PT_VA_END));
	/* Beyond the end of the VM, at its end and far out. */
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(SZ_4K, SZ_8K, SZ_8K));
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(FAA_PT_VA_END, SZ_4K, FAA_PT_VA_END));
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(FAA_PT_VA_END - SZ_4K, SZ_8K, FAA_PT_VA_END));
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(BIT_ULL(63), SZ_4K, FAA_PT_VA_END));
	/* Sums that overflow. */
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(-(u64)SZ_4K, SZ_4K, FAA_PT_VA_END));
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(-(u64)SZ_4K, SZ_8K, FAA_PT_VA_END));
	KUNIT_EXPECT_FALSE(test, faa_bind_range_ok(SZ_4K, -(u64)SZ_4K, FAA_PT_VA_END));
}

static struct drm_faa_vm_bind_op map_op(u32 flags)
{
	return (struct drm_faa_vm_bind_op){
		.op = DRM_FAA_VM_BIND_OP_MAP,
		.flags = flags,
		.handle = 1,
		.bo_offset = SZ_4K,
		.va = SZ_1M,
		.size = SZ_4K,
	};
}

static void map_flags(struct kunit *test)
{
	const u32 both = DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC;
	struct drm_faa_vm_bind_op op;
	u32 bit;

	op = map_op(0);
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), 0);
	op = map_op(both);
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	for (bit = 0; bit < 32; bit++) {
		op = map_op(BIT(bit));
		KUNIT_EXPECT_EQ_MSG(test, faa_bind_check_op(&op), BIT(bit) & both ? 0 : -EINVAL,
				    "flag %u", bit);
	}
}

static void map_reserved_fields(struct kunit *test)
{
	struct drm_faa_vm_bind_op op = map_op(0);

	op.pad = 1;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = map_op(0);
	op.userptr = SZ_4K;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = map_op(0);
	op.bo_offset = SZ_2K;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
}

static void unmap_fields(struct kunit *test)
{
	const struct drm_faa_vm_bind_op good = {
		.op = DRM_FAA_VM_BIND_OP_UNMAP, .va = SZ_1M, .size = SZ_4K,
	};
	struct drm_faa_vm_bind_op op = good;

	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), 0);
	op.flags = DRM_FAA_VM_BIND_READONLY;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = good;
	op.handle = 1;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = good;
	op.bo_offset = SZ_4K;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = good;
	op.userptr = SZ_64K;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
}

static void userptr_fields(struct kunit *test)
{
	const struct drm_faa_vm_bind_op good = {
		.op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		.userptr = 0x7f0000000000,
		.va = SZ_1M,
		.size = SZ_64K,
	};
	const u32 both = DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC;
	struct drm_faa_vm_bind_op op = good;
	u32 bit;

	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), 0);
	for (bit = 0; bit < 32; bit++) {
		op.flags = BIT(bit);
		KUNIT_EXPECT_EQ_MSG(test, faa_bind_check_op(&op),
				    BIT(bit) & (both | DRM_FAA_VM_BIND_FAULTABLE) ? 0 : -EINVAL,
				    "flag %u", bit);
	}
	op.flags = both | DRM_FAA_VM_BIND_FAULTABLE;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = good;
	op.userptr += SZ_1K;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op.userptr = -(u64)SZ_32K;
	KUNIT_EXPECT_EQ_MSG(test, faa_bind_check_op(&op), -EINVAL, "it wraps");
	op = good;
	op.size = BIT_ULL(38);
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), 0);
	op.size += PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = good;
	op.handle = 1;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = good;
	op.bo_offset = SZ_4K;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
}

static void null_fields(struct kunit *test)
{
	const struct drm_faa_vm_bind_op good = {
		.op = DRM_FAA_VM_BIND_OP_MAP_NULL, .va = SZ_1M, .size = BIT_ULL(40),
	};
	struct drm_faa_vm_bind_op op = good;

	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), 0);
	op.flags = DRM_FAA_VM_BIND_READONLY;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), 0);
	op.flags = DRM_FAA_VM_BIND_ATOMIC;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), 0);
	op.flags = DRM_FAA_VM_BIND_FAULTABLE;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = good;
	op.size += SZ_4K;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = good;
	op.handle = 1;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
	op = good;
	op.userptr = SZ_4K;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
}

static void unknown_operations(struct kunit *test)
{
	struct drm_faa_vm_bind_op op = { .va = SZ_1M, .size = SZ_4K };
	u32 code;

	for (code = 0; code < 40; code++) {
		op.op = code;
		KUNIT_EXPECT_EQ_MSG(test, faa_bind_check_op(&op),
				    code <= DRM_FAA_VM_BIND_OP_MAP_NULL ? 0 : -EINVAL,
				    "operation %u", code);
	}
	op.op = U32_MAX;
	KUNIT_EXPECT_EQ(test, faa_bind_check_op(&op), -EINVAL);
}

static struct kunit_case faa_vm_cases[] = {
	KUNIT_CASE(ranges_accepted),
	KUNIT_CASE(ranges_refused),
	KUNIT_CASE(map_flags),
	KUNIT_CASE(map_reserved_fields),
	KUNIT_CASE(unmap_fields),
	KUNIT_CASE(userptr_fields),
	KUNIT_CASE(null_fields),
	KUNIT_CASE(unknown_operations),
	{}
};

static struct kunit_suite faa_vm_suite = {
	.name = "faa_vm",
	.test_cases = faa_vm_cases,
};

kunit_test_suite(faa_vm_suite);
