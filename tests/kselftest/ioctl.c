// SPDX-License-Identifier: MIT
/* Every ioctl: bad argument pointers, short and long structs, numbers that do not exist. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

/* clang-format off */
static const struct {
	const char *name;
	unsigned long request;
} ioctls[] = {
	{ "DEV_QUERY", DRM_IOCTL_FAA_DEV_QUERY },
	{ "BO_CREATE", DRM_IOCTL_FAA_BO_CREATE },
	{ "BO_MMAP_OFFSET", DRM_IOCTL_FAA_BO_MMAP_OFFSET },
	{ "BO_INFO", DRM_IOCTL_FAA_BO_INFO },
	{ "VM_CREATE", DRM_IOCTL_FAA_VM_CREATE },
	{ "VM_DESTROY", DRM_IOCTL_FAA_VM_DESTROY },
	{ "VM_BIND", DRM_IOCTL_FAA_VM_BIND },
	{ "VM_GET_STATE", DRM_IOCTL_FAA_VM_GET_STATE },
	{ "QUEUE_CREATE", DRM_IOCTL_FAA_QUEUE_CREATE },
	{ "QUEUE_DESTROY", DRM_IOCTL_FAA_QUEUE_DESTROY },
	{ "QUEUE_GET_STATE", DRM_IOCTL_FAA_QUEUE_GET_STATE },
	{ "SUBMIT", DRM_IOCTL_FAA_SUBMIT },
	{ "BO_SET_LABEL", DRM_IOCTL_FAA_BO_SET_LABEL },
	{ "QUEUE_DUMP", DRM_IOCTL_FAA_QUEUE_DUMP },
	{ "COUNTERS_OPEN", DRM_IOCTL_FAA_COUNTERS_OPEN },
};

/* clang-format on */

#define N_IOCTLS (ARRAY_SIZE(ioctls))

FIXTURE(ioctl)
{
	int fd;
};

FIXTURE_SETUP(ioctl)
{
	self->fd = faa_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(ioctl)
{
	close(self->fd);
}

TEST_F(ioctl, bad_argument_pointers_are_efault)
{
	uint8_t *page =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, (void *)page);
	ASSERT_EQ(0, munmap(page + PAGE, PAGE));
	for (unsigned int i = 0; i < N_IOCTLS; i++) {
		const void *bad[] = { NULL, (void *)64, (void *)UINTPTR_MAX,
				      (void *)(UINTPTR_MAX << 32), page + PAGE - 4 };

		for (unsigned int b = 0; b < ARRAY_SIZE(bad); b++) {
			EXPECT_EQ(-EFAULT, xioctl(self->fd, ioctls[i].request, (void *)bad[b]))
			{
				TH_LOG("%s at %p", ioctls[i].name, bad[b]);
			}
		}
	}
	munmap(page, PAGE);
}

TEST_F(ioctl, structs_are_multiples_of_8_and_fit_the_stack)
{
	for (unsigned int i = 0; i < N_IOCTLS; i++) {
		EXPECT_EQ(0, _IOC_SIZE(ioctls[i].request) % 8);
		EXPECT_GE(128, _IOC_SIZE(ioctls[i].request));
	}
}

TEST_F(ioctl, numbers_past_the_table_are_refused)
{
	uint8_t bytes[128] = { 0 };

	for (unsigned int nr = DRM_FAA_COUNTERS_OPEN + 1; nr < DRM_COMMAND_END - DRM_COMMAND_BASE;
	     nr++)
		EXPECT_EQ(-EINVAL, xioctl(self->fd, DRM_IOWR(DRM_COMMAND_BASE + nr, bytes), bytes));
}

/*
 * A struct of an older header: missing fields count as 0, and the kernel writes no byte after it.
 */
TEST_F(ioctl, short_structs_are_filled_with_zeros)
{
	struct {
		uint32_t id;
		uint32_t guard;
	} destroy = { .guard = 0xdeadbeef };
	struct drm_faa_queue_create queue = { 0 };
	struct drm_faa_bo_create bo = { .size = PAGE, .flags = UINT32_MAX, .handle = 0x5a5a5a5a };
	struct drm_faa_submit submit = { 0 };
	struct drm_faa_vm_bind bind = { 0 };
	uint32_t vm;

	/* BO_CREATE with the size field only. */
	EXPECT_EQ(0, xioctl_sized(self->fd, DRM_IOCTL_FAA_BO_CREATE, 8, &bo));
	EXPECT_EQ(0x5a5a5a5a, bo.handle);
	EXPECT_EQ(UINT32_MAX, bo.flags);

	ASSERT_EQ(0, vm_create(self->fd, &vm));
	queue.vm_id = vm;
	queue.status_entries = 3;
	EXPECT_EQ(0, xioctl_sized(self->fd, DRM_IOCTL_FAA_QUEUE_CREATE, 16, &queue));
	EXPECT_EQ(3, queue.status_entries);
	EXPECT_EQ(0, queue.queue_id);

	/* Arrays that are missing are empty. */
	submit.queue_id = 1;
	EXPECT_EQ(-EINVAL, xioctl_sized(self->fd, DRM_IOCTL_FAA_SUBMIT, 8, &submit));
	bind.vm_id = vm;
	EXPECT_EQ(-EINVAL, xioctl_sized(self->fd, DRM_IOCTL_FAA_VM_BIND, 8, &bind));

	EXPECT_EQ(0, vm_create(self->fd, &vm));
	destroy.id = vm;
	EXPECT_EQ(0, xioctl_sized(self->fd, DRM_IOCTL_FAA_VM_DESTROY, 4, &destroy));
	EXPECT_EQ(0xdeadbeef, destroy.guard);
}

/* A struct of a newer header: the DRM core ignores unknown fields at top level. */
TEST_F(ioctl, long_structs_are_accepted)
{
	struct {
		struct drm_faa_vm_create create;
		uint64_t more[2];
	} vm = { .more = { 1, 2 } };
	struct {
		struct drm_faa_bo_create create;
		uint64_t more[2];
	} bo = { .create.size = 1, .more = { 1, 2 } };

	EXPECT_EQ(0, xioctl_sized(self->fd, DRM_IOCTL_FAA_VM_CREATE, sizeof(vm), &vm));
	EXPECT_NE(0, vm.create.vm_id);
	EXPECT_EQ(0, xioctl_sized(self->fd, DRM_IOCTL_FAA_BO_CREATE, sizeof(bo), &bo));
	EXPECT_NE(0, bo.create.handle);
	EXPECT_EQ(PAGE, bo.create.size);
}

TEST_F(ioctl, the_driver_says_its_name_and_version)
{
	char name[32] = "", date[32] = "", text[128] = "";
	struct drm_version version = {
		.name = name,
		.name_len = sizeof(name) - 1,
		.date = date,
		.date_len = sizeof(date) - 1,
		.desc = text,
		.desc_len = sizeof(text) - 1,
	};

	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_VERSION, &version));
	EXPECT_STREQ("faa", name);
	EXPECT_LT(0, version.desc_len);
	EXPECT_LE(1, version.version_major);
}

TEST_F(ioctl, syncobjs_and_timelines_are_offered)
{
	struct drm_get_cap cap = { .capability = DRM_CAP_SYNCOBJ };

	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_GET_CAP, &cap));
	EXPECT_EQ(1, cap.value);
	cap = (struct drm_get_cap){ .capability = DRM_CAP_SYNCOBJ_TIMELINE };
	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_GET_CAP, &cap));
	EXPECT_EQ(1, cap.value);
	cap = (struct drm_get_cap){ .capability = DRM_CAP_PRIME };
	ASSERT_EQ(0, xioctl(self->fd, DRM_IOCTL_GET_CAP, &cap));
	EXPECT_EQ(DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT, cap.value);
}

TEST_HARNESS_MAIN
