// SPDX-License-Identifier: MIT
/*
 * Wrong handles and IDs of every kind, including those of another file, are ENOENT in every ioctl
 * that takes one.
 */
#include <errno.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(handles)
{
	struct client mine, other;
	/* IDs that exist in the other file only. */
	uint32_t other_vm, other_queue, other_bo, other_sync;
};

FIXTURE_SETUP(handles)
{
	struct drm_faa_queue_create queue;

	ASSERT_EQ(0, client_open(&self->mine, 0));
	ASSERT_EQ(0, client_open(&self->other, 0));
	/* More objects of each kind, so that the last numbers are unknown in the first file. */
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, vm_create(self->other.fd, &self->other_vm));
		ASSERT_EQ(0, queue_create(self->other.fd, self->other_vm, 0, &queue));
		ASSERT_EQ(0, bo_create(self->other.fd, PAGE, &self->other_bo));
		ASSERT_EQ(0, syncobj_create(self->other.fd, true, &self->other_sync));
	}
	self->other_queue = queue.queue_id;
	put_end(&self->mine);
}

FIXTURE_TEARDOWN(handles)
{
	EXPECT_EQ(0, client_close(&self->mine));
	/* The others are freed with the file. */
	close(self->other.fd);
}

#define EXPECT_ENOENT(field, foreign, call)                                        \
	do {                                                                       \
		const uint32_t bad[] = { 0,	     foreign,	 0x7fffffff,       \
					 0x80000000, UINT32_MAX, UINT32_MAX - 1 }; \
		const uint32_t good = (field);                                     \
		for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {               \
			(field) = bad[i];                                          \
			EXPECT_EQ(-ENOENT, (call))                                 \
			{                                                          \
				TH_LOG(#field " = %#x", bad[i]);                   \
			}                                                          \
		}                                                                  \
		(field) = good;                                                    \
	} while (0)

TEST_F(handles, buffers)
{
	struct drm_faa_bo_mmap_offset map = { .handle = self->mine.data_bo };
	struct drm_faa_bo_info info = { .handle = self->mine.data_bo };
	struct drm_faa_bo_set_label label = { .handle = self->mine.data_bo };
	struct drm_faa_vm_bind_op op = {
		.op = DRM_FAA_VM_BIND_OP_MAP,
		.handle = self->mine.data_bo,
		.va = DATA_VA,
		.size = PAGE,
	};
	int fd = self->mine.fd;

	EXPECT_ENOENT(map.handle, self->other_bo, xioctl(fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &map));
	EXPECT_ENOENT(info.handle, self->other_bo, xioctl(fd, DRM_IOCTL_FAA_BO_INFO, &info));
	EXPECT_ENOENT(label.handle, self->other_bo, xioctl(fd, DRM_IOCTL_FAA_BO_SET_LABEL, &label));
	EXPECT_ENOENT(op.handle, self->other_bo, vm_bind(fd, self->mine.vm, &op));
}

TEST_F(handles, closed_buffers)
{
	struct drm_faa_bo_info info = { 0 };
	uint32_t handle;

	ASSERT_EQ(0, bo_create(self->mine.fd, PAGE, &handle));
	ASSERT_EQ(0, bo_close(self->mine.fd, handle));
	info.handle = handle;
	EXPECT_EQ(-ENOENT, xioctl(self->mine.fd, DRM_IOCTL_FAA_BO_INFO, &info));
	EXPECT_EQ(-EINVAL, bo_close(self->mine.fd, handle));
}

TEST_F(handles, address_spaces)
{
	struct drm_faa_vm_destroy destroy = { .vm_id = self->mine.vm };
	struct drm_faa_vm_get_state state = { .vm_id = self->mine.vm };
	struct drm_faa_vm_bind_op op = { .op = DRM_FAA_VM_BIND_OP_UNMAP,
					 .va = DATA_VA,
					 .size = PAGE };
	struct drm_faa_queue_create queue = { .vm_id = self->mine.vm };
	struct drm_faa_bo_create bo = { .size = PAGE, .exclusive_vm = self->mine.vm };
	uint32_t vm = self->mine.vm;
	int fd = self->mine.fd;

	EXPECT_ENOENT(destroy.vm_id, self->other_vm,
		      xioctl(fd, DRM_IOCTL_FAA_VM_DESTROY, &destroy));
	EXPECT_ENOENT(state.vm_id, self->other_vm, xioctl(fd, DRM_IOCTL_FAA_VM_GET_STATE, &state));
	EXPECT_ENOENT(vm, self->other_vm, vm_bind(fd, vm, &op));
	EXPECT_ENOENT(queue.vm_id, self->other_vm, xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, &queue));
	/* 0 means any VM here. */
	bo.exclusive_vm = self->other_vm;
	EXPECT_EQ(-ENOENT, xioctl(fd, DRM_IOCTL_FAA_BO_CREATE, &bo));
	bo.exclusive_vm = UINT32_MAX;
	EXPECT_EQ(-ENOENT, xioctl(fd, DRM_IOCTL_FAA_BO_CREATE, &bo));
}

TEST_F(handles, destroyed_address_spaces)
{
	struct drm_faa_vm_get_state state = { 0 };
	uint32_t vm;

	ASSERT_EQ(0, vm_create(self->mine.fd, &vm));
	ASSERT_EQ(0, vm_destroy(self->mine.fd, vm));
	EXPECT_EQ(-ENOENT, vm_destroy(self->mine.fd, vm));
	state.vm_id = vm;
	EXPECT_EQ(-ENOENT, xioctl(self->mine.fd, DRM_IOCTL_FAA_VM_GET_STATE, &state));
	EXPECT_EQ(-ENOENT, vm_map(self->mine.fd, vm, self->mine.data_bo, 0, DATA_VA, PAGE, 0));
}

TEST_F(handles, queues)
{
	struct drm_faa_queue_destroy destroy = { .queue_id = self->mine.queue };
	struct drm_faa_queue_get_state state = { .queue_id = self->mine.queue };
	struct drm_faa_queue_dump dump = { .queue_id = self->mine.queue };
	struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 };
	uint32_t queue = self->mine.queue;
	int fd = self->mine.fd;

	EXPECT_ENOENT(destroy.queue_id, self->other_queue,
		      xioctl(fd, DRM_IOCTL_FAA_QUEUE_DESTROY, &destroy));
	EXPECT_ENOENT(state.queue_id, self->other_queue,
		      xioctl(fd, DRM_IOCTL_FAA_QUEUE_GET_STATE, &state));
	EXPECT_ENOENT(dump.queue_id, self->other_queue,
		      xioctl(fd, DRM_IOCTL_FAA_QUEUE_DUMP, &dump));
	EXPECT_ENOENT(queue, self->other_queue, submit(fd, queue, &job, 1, NULL));
}

TEST_F(handles, destroyed_queues)
{
	struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 };
	struct drm_faa_queue_create queue;

	ASSERT_EQ(0, queue_create(self->mine.fd, self->mine.vm, 0, &queue));
	ASSERT_EQ(0, queue_destroy(self->mine.fd, queue.queue_id));
	EXPECT_EQ(-ENOENT, queue_destroy(self->mine.fd, queue.queue_id));
	EXPECT_EQ(-ENOENT, submit(self->mine.fd, queue.queue_id, &job, 1, NULL));
}

TEST_F(handles, syncobjs)
{
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->mine.sync };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.stream_bytes = 8,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};
	struct drm_faa_queue_get_state state;
	int fd = self->mine.fd;
	uint32_t queue = self->mine.queue;

	EXPECT_ENOENT(sync.handle, self->other_sync, submit(fd, queue, &job, 1, NULL));
	sync.flags = 0;
	EXPECT_ENOENT(sync.handle, self->other_sync, submit(fd, queue, &job, 1, NULL));
	sync.flags = DRM_FAA_SYNC_TIMELINE;
	sync.point = 1;
	EXPECT_ENOENT(sync.handle, self->other_sync, submit(fd, queue, &job, 1, NULL));
	ASSERT_EQ(0, queue_state(fd, queue, &state));
	EXPECT_EQ(0, state.submitted);
}

TEST_HARNESS_MAIN
