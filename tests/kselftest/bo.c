// SPDX-License-Identifier: MIT
/* Buffer objects: creation, sizes, mapping, properties, and that their memory is zero. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(bo)
{
	int fd;
};

FIXTURE_SETUP(bo)
{
	self->fd = faa_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(bo)
{
	close(self->fd);
}

TEST_F(bo, sizes_are_rounded_up_to_pages)
{
	const uint64_t sizes[] = {
		1, 8, PAGE - 1, PAGE, PAGE + 1, 3 * PAGE, 1 << 20, (1 << 20) + 1
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct drm_faa_bo_create create = { .size = sizes[i] };
		struct drm_faa_bo_info info = { 0 };

		ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_BO_CREATE, &create));
		EXPECT_EQ((sizes[i] + PAGE - 1) / PAGE * PAGE, create.size);
		EXPECT_NE(0, create.handle);
		info.handle = create.handle;
		ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_BO_INFO, &info));
		EXPECT_EQ(create.size, info.size);
		EXPECT_EQ(0, info.flags);
		EXPECT_EQ(DRM_FAA_REGION_HOST, info.region);
		EXPECT_EQ(0, info.exclusive);
		EXPECT_EQ(0, info.pad2);
		EXPECT_EQ(0, bo_close(self->fd, create.handle));
	}
}

TEST_F(bo, impossible_sizes_are_refused)
{
	const uint64_t bad[] = { 0,	     UINT64_MAX, UINT64_MAX - PAGE, UINT64_MAX - PAGE + 1,
				 1ull << 63, 1ull << 62 };

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		struct drm_faa_bo_create create = { .size = bad[i] };

		EXPECT_EQ(-EINVAL, xioctl(self->fd, DRM_IOCTL_FAA_BO_CREATE, &create))
		{
			TH_LOG("size %#llx", (unsigned long long)bad[i]);
		}
	}
}

TEST_F(bo, memory_is_zero_and_keeps_what_is_written)
{
	const size_t size = 8 * PAGE;
	uint32_t handle;
	uint64_t *at, *again;

	ASSERT_EQ(0, bo_create(self->fd, size, &handle));
	at = bo_mmap(self->fd, handle, size, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, at);
	for (size_t i = 0; i < size / 8; i++)
		ASSERT_EQ(0, at[i]);
	for (size_t i = 0; i < size / 8; i++)
		at[i] = i * 0x0101010101ull;
	again = bo_mmap(self->fd, handle, size, PROT_READ);
	ASSERT_NE(NULL, again);
	EXPECT_EQ(0, memcmp(at, again, size));
	munmap(at, size);
	/* A mapping outlives the handle. */
	EXPECT_EQ(0, bo_close(self->fd, handle));
	EXPECT_EQ(5 * 0x0101010101ull, again[5]);
	munmap(again, size);
}

/* The memory of a freed buffer is zeroed before its next use. */
TEST_F(bo, freed_memory_does_not_come_back_dirty)
{
	for (int round = 0; round < 32; round++) {
		const size_t size = 16 * PAGE;
		uint32_t handle;
		uint8_t *at;

		ASSERT_EQ(0, bo_create(self->fd, size, &handle));
		at = bo_mmap(self->fd, handle, size, PROT_READ | PROT_WRITE);
		ASSERT_NE(NULL, at);
		for (size_t i = 0; i < size; i += 64)
			ASSERT_EQ(0, at[i]);
		memset(at, 0xee, size);
		munmap(at, size);
		ASSERT_EQ(0, bo_close(self->fd, handle));
	}
}

TEST_F(bo, mapping_past_the_end_is_refused)
{
	struct drm_faa_bo_mmap_offset map = { 0 };
	uint32_t handle;

	ASSERT_EQ(0, bo_create(self->fd, PAGE, &handle));
	map.handle = handle;
	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &map));
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, self->fd, (off_t)map.offset));
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd, (off_t)map.offset + 64 * PAGE));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->fd, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, self->fd,
				   (off_t)map.offset));
}

TEST_F(bo, another_file_cannot_map_it)
{
	struct drm_faa_bo_mmap_offset map = { 0 };
	int other = faa_open();
	uint32_t handle;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, bo_create(self->fd, PAGE, &handle));
	map.handle = handle;
	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &map));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, other, (off_t)map.offset));
	EXPECT_EQ(EACCES, errno);
	close(other);
}

TEST_F(bo, no_mmap_means_no_mmap)
{
	struct drm_faa_bo_create create = { .size = PAGE, .flags = DRM_FAA_BO_NO_MMAP };
	struct drm_faa_bo_mmap_offset map = { 0 };
	struct drm_faa_bo_info info = { 0 };
	int dmabuf;

	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_BO_CREATE, &create));
	map.handle = create.handle;
	EXPECT_EQ(-EPERM, xioctl(self->fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &map));
	info.handle = create.handle;
	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_BO_INFO, &info));
	EXPECT_EQ(DRM_FAA_BO_NO_MMAP, info.flags);
	/* Nor as a dma-buf, whose mmap() needs no offset. */
	ASSERT_EQ(0, prime_export(self->fd, create.handle, &dmabuf));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, dmabuf, 0));
	EXPECT_EQ(EPERM, errno);
	close(dmabuf);
}

TEST_F(bo, exclusive_buffers_say_so)
{
	struct drm_faa_bo_create create = { .size = PAGE };
	struct drm_faa_bo_info info = { 0 };
	uint32_t vm, other;

	ASSERT_EQ(0, vm_create(self->fd, &vm));
	ASSERT_EQ(0, vm_create(self->fd, &other));
	create.exclusive_vm = vm;
	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_BO_CREATE, &create));
	info.handle = create.handle;
	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_BO_INFO, &info));
	EXPECT_EQ(1, info.exclusive);
	EXPECT_EQ(-EINVAL, vm_map(self->fd, other, create.handle, 0, DATA_VA, PAGE, 0));
	EXPECT_EQ(0, vm_map(self->fd, vm, create.handle, 0, DATA_VA, PAGE, 0));
	EXPECT_EQ(0, bo_close(self->fd, create.handle));
	EXPECT_EQ(0, vm_destroy(self->fd, vm));
}

/* An exclusive buffer may outlive its VM, but then it cannot be mapped in any VM. */
TEST_F(bo, an_exclusive_buffer_outlives_its_vm)
{
	struct drm_faa_bo_create create = { .size = PAGE };
	uint32_t vm, next;
	uint8_t *at;

	ASSERT_EQ(0, vm_create(self->fd, &vm));
	create.exclusive_vm = vm;
	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_FAA_BO_CREATE, &create));
	ASSERT_EQ(0, vm_destroy(self->fd, vm));
	/* The next VM may get the same number, but is another VM. */
	ASSERT_EQ(0, vm_create(self->fd, &next));
	EXPECT_EQ(-EINVAL, vm_map(self->fd, next, create.handle, 0, DATA_VA, PAGE, 0));
	at = bo_mmap(self->fd, create.handle, PAGE, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, at);
	at[0] = 1;
	munmap(at, PAGE);
}

TEST_F(bo, many_small_buffers)
{
	static uint32_t handles[4096];

	for (unsigned int i = 0; i < 4096; i++)
		ASSERT_EQ(0, bo_create(self->fd, PAGE, &handles[i]));
	for (unsigned int i = 0; i < 4096; i += 2)
		ASSERT_EQ(0, bo_close(self->fd, handles[i]));
	/* The others are freed with the file. */
}

TEST_HARNESS_MAIN
