// SPDX-License-Identifier: MIT
/* Address spaces: creation, range, limits, state. */
#include <errno.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(vm)
{
	int fd;
};

FIXTURE_SETUP(vm)
{
	self->fd = faa_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(vm)
{
	close(self->fd);
}

TEST_F(vm, the_range_is_the_whole_space_by_default)
{
	struct drm_faa_vm_create create = { 0 };

	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_VM_CREATE, &create));
	EXPECT_NE(0, create.vm_id);
	EXPECT_EQ(1ull << FAA_VA_BITS, create.va_range);
}

TEST_F(vm, ranges_are_checked)
{
	const uint64_t good[] = { PAGE, 1 << 20, 1ull << 32, 1ull << FAA_VA_BITS };
	const uint64_t bad[] = { 1,	     PAGE - 1,	 PAGE + 1,  (1ull << FAA_VA_BITS) + PAGE,
				 1ull << 49, 1ull << 63, UINT64_MAX };

	for (unsigned int i = 0; i < ARRAY_SIZE(good); i++) {
		struct drm_faa_vm_create create = { .va_range = good[i] };

		EXPECT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_VM_CREATE, &create));
		EXPECT_EQ(good[i], create.va_range);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		struct drm_faa_vm_create create = { .va_range = bad[i] };

		EXPECT_EQ(-EINVAL, xioctl(self->fd, DRM_IOCTL_FAA_VM_CREATE, &create))
		{
			TH_LOG("range %#llx", (unsigned long long)bad[i]);
		}
	}
}

TEST_F(vm, mappings_stay_below_the_range)
{
	struct drm_faa_vm_create create = { .va_range = 1 << 20 };
	uint32_t handle;

	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_VM_CREATE, &create));
	ASSERT_EQ(0, bo_create(self->fd, 2 * PAGE, &handle));
	EXPECT_EQ(0, vm_map(self->fd, create.vm_id, handle, 0, (1 << 20) - 2 * PAGE, 2 * PAGE, 0));
	EXPECT_EQ(-EINVAL,
		  vm_map(self->fd, create.vm_id, handle, 0, (1 << 20) - PAGE, 2 * PAGE, 0));
	EXPECT_EQ(-EINVAL, vm_map(self->fd, create.vm_id, handle, 0, 1 << 20, PAGE, 0));
	EXPECT_EQ(-EINVAL, vm_unmap(self->fd, create.vm_id, 1 << 20, PAGE));
}

TEST_F(vm, a_file_has_a_limited_number)
{
	uint32_t ids[DRM_FAA_MAX_VMS], more;

	for (unsigned int i = 0; i < DRM_FAA_MAX_VMS; i++) {
		ASSERT_EQ(0, vm_create(self->fd, &ids[i]));
		for (unsigned int j = 0; j < i; j++)
			EXPECT_NE(ids[j], ids[i]);
	}
	EXPECT_EQ(-ENOSPC, vm_create(self->fd, &more));
	EXPECT_EQ(0, vm_destroy(self->fd, ids[7]));
	EXPECT_EQ(0, vm_create(self->fd, &more));
	EXPECT_EQ(-ENOSPC, vm_create(self->fd, &more));
}

TEST_F(vm, a_vm_with_queues_is_busy)
{
	struct drm_faa_queue_create queue;
	uint32_t vm;

	ASSERT_EQ(0, vm_create(self->fd, &vm));
	ASSERT_EQ(0, queue_create(self->fd, vm, 0, &queue));
	EXPECT_EQ(-EBUSY, vm_destroy(self->fd, vm));
	ASSERT_EQ(0, queue_destroy(self->fd, queue.queue_id));
	EXPECT_EQ(0, vm_destroy(self->fd, vm));
}

TEST_F(vm, a_new_vm_has_no_fault)
{
	struct drm_faa_vm_get_state state = {
		.state = 0xffffffff, .fault_va = 1, .fault_code = 1, .fault_seqno = 1
	};

	ASSERT_EQ(0, vm_create(self->fd, &state.vm_id));
	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_VM_GET_STATE, &state));
	EXPECT_EQ(0, state.state);
	EXPECT_EQ(0, state.fault_va);
	EXPECT_EQ(0, state.fault_code);
	EXPECT_EQ(0, state.fault_queue);
	EXPECT_EQ(0, state.fault_seqno);
}

TEST_F(vm, create_and_destroy_often)
{
	/* More VMs than VM numbers of the device. */
	for (int i = 0; i < 600; i++) {
		uint32_t vm;

		ASSERT_EQ(0, vm_create(self->fd, &vm));
		ASSERT_EQ(0, vm_destroy(self->fd, vm));
	}
}

TEST_HARNESS_MAIN
