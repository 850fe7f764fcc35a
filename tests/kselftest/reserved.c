// SPDX-License-Identifier: MIT
/*
 * Each reserved byte and each undefined flag bit of every ioctl and of every array element, one at
 * a time, is EINVAL.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "drm/faa_dump.h"
#include "faa_test.h"

FIXTURE(reserved)
{
	struct client client;
};

FIXTURE_SETUP(reserved)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
}

FIXTURE_TEARDOWN(reserved)
{
	EXPECT_EQ(0, client_close(&self->client));
}

TEST_F(reserved, bo_create)
{
	struct drm_faa_bo_create good = { .size = PAGE }, arg = good;

	EXPECT_BITS_REFUSED(arg.flags, DRM_FAA_BO_NO_MMAP,
			    xioctl(self->client.fd, DRM_IOCTL_FAA_BO_CREATE, &arg));
	EXPECT_BITS_REFUSED(arg.region, 0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_CREATE, &arg));
	EXPECT_EQ(0, memcmp(&good, &arg, sizeof(arg)));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_CREATE, &arg));
	EXPECT_EQ(0, bo_close(self->client.fd, arg.handle));
}

TEST_F(reserved, bo_mmap_offset)
{
	struct drm_faa_bo_mmap_offset arg = { .handle = self->client.data_bo };

	EXPECT_BITS_REFUSED(arg.pad, 0,
			    xioctl(self->client.fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &arg));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &arg));
}

TEST_F(reserved, bo_info)
{
	struct drm_faa_bo_info arg = { .handle = self->client.data_bo };

	EXPECT_BITS_REFUSED(arg.pad, 0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_INFO, &arg));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_INFO, &arg));
}

TEST_F(reserved, bo_set_label)
{
	struct drm_faa_bo_set_label arg = { .handle = self->client.data_bo };

	EXPECT_BITS_REFUSED(arg.pad, 0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_SET_LABEL, &arg));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_SET_LABEL, &arg));
}

TEST_F(reserved, queue_dump)
{
	static uint8_t dump[FAA_DUMP_MAX_BYTES];
	struct drm_faa_queue_dump arg = { .queue_id = self->client.queue,
					  .size = sizeof(dump),
					  .pointer = (uintptr_t)dump };

	EXPECT_BITS_REFUSED(arg.pad, 0, xioctl(self->client.fd, DRM_IOCTL_FAA_QUEUE_DUMP, &arg));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_QUEUE_DUMP, &arg));
}

TEST_F(reserved, counters_open)
{
	struct drm_faa_counters_open arg = { .period_ns = 1000000, .records = 1 };

	EXPECT_BITS_REFUSED(arg.flags, 0,
			    xioctl(self->client.fd, DRM_IOCTL_FAA_COUNTERS_OPEN, &arg));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_COUNTERS_OPEN, &arg));
	EXPECT_EQ(0, close(arg.fd));
}

TEST_F(reserved, vm_create)
{
	struct drm_faa_vm_create arg = { 0 };

	EXPECT_BITS_REFUSED(arg.flags, 0, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_CREATE, &arg));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_CREATE, &arg));
	EXPECT_EQ(0, vm_destroy(self->client.fd, arg.vm_id));
}

TEST_F(reserved, vm_destroy)
{
	struct drm_faa_vm_destroy arg = { 0 };

	ASSERT_EQ(0, vm_create(self->client.fd, &arg.vm_id));
	EXPECT_BITS_REFUSED(arg.pad, 0, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_DESTROY, &arg));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_DESTROY, &arg));
}

TEST_F(reserved, vm_bind)
{
	struct drm_faa_vm_bind_op op = {
		.op = DRM_FAA_VM_BIND_OP_MAP,
		.handle = self->client.data_bo,
		.va = DATA_VA,
		.size = PAGE,
	};
	struct drm_faa_vm_bind arg = {
		.vm_id = self->client.vm,
		.ops = { .stride = sizeof(op), .count = 1, .array = (uintptr_t)&op },
	};

	EXPECT_BITS_REFUSED(arg.flags, DRM_FAA_VM_BIND_ASYNC,
			    xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_BITS_REFUSED(arg.pad, 0, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_BITS_REFUSED(arg.syncs.stride, 0,
			    xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_BITS_REFUSED(arg.syncs.count, 0,
			    xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_BITS_REFUSED(arg.syncs.array, 0,
			    xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
}

TEST_F(reserved, vm_bind_async)
{
	struct drm_faa_vm_bind_op op = { .op = DRM_FAA_VM_BIND_OP_UNMAP, .size = PAGE };
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->client.sync };
	struct drm_faa_vm_bind arg = {
		.vm_id = self->client.vm,
		.flags = DRM_FAA_VM_BIND_ASYNC,
		.ops = { .stride = sizeof(op), .count = 1, .array = (uintptr_t)&op },
	};
	int fd = self->client.fd;

	/* Without syncs there is no array. */
	EXPECT_BITS_REFUSED(arg.syncs.stride, 0, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_BITS_REFUSED(arg.syncs.array, 0, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(0, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	arg.syncs = (struct drm_faa_obj_array){ .stride = sizeof(sync),
						.count = 1,
						.array = (uintptr_t)&sync };
	/* Bits 0 and 1 are TIMELINE and SIGNAL. */
	EXPECT_BITS_REFUSED(sync.flags, 3, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_BITS_REFUSED(sync.point, 0, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(0, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(0, syncobj_wait(fd, self->client.sync, WAIT_MS));
}

TEST_F(reserved, vm_bind_map)
{
	struct drm_faa_vm_bind_op op = {
		.op = DRM_FAA_VM_BIND_OP_MAP,
		.handle = self->client.data_bo,
		.va = DATA_VA,
		.size = PAGE,
	};
	int fd = self->client.fd;
	uint32_t vm = self->client.vm;

	EXPECT_BITS_REFUSED(op.flags, DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC,
			    vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.pad, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.userptr, 0, vm_bind(fd, vm, &op));
	/* Bits 0 and 1 of the operation form other valid ones. */
	EXPECT_BITS_REFUSED(op.op, 3, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.bo_offset, ~0xfffull, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.va, ~0xfffull & ((1ull << FAA_VA_BITS) - 1), vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.size, ~0xfffull & (DATA_BYTES - 1), vm_bind(fd, vm, &op));
	op.flags = DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC;
	EXPECT_EQ(-EINVAL, vm_bind(fd, vm, &op));
	op.flags = 0;
	EXPECT_EQ(0, vm_bind(fd, vm, &op));
}

TEST_F(reserved, vm_bind_unmap)
{
	struct drm_faa_vm_bind_op op = { .op = DRM_FAA_VM_BIND_OP_UNMAP,
					 .va = DATA_VA,
					 .size = PAGE };
	int fd = self->client.fd;
	uint32_t vm = self->client.vm;

	EXPECT_BITS_REFUSED(op.flags, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.handle, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.pad, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.bo_offset, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.userptr, 0, vm_bind(fd, vm, &op));
	EXPECT_EQ(0, vm_bind(fd, vm, &op));
}

TEST_F(reserved, vm_bind_map_userptr)
{
	static _Alignas(2 * PAGE) char memory[4 * PAGE];
	struct drm_faa_vm_bind_op op = {
		.op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		.userptr = (uintptr_t)memory,
		.va = DATA_VA,
		.size = PAGE,
	};
	int fd = self->client.fd;
	uint32_t vm = self->client.vm;

	EXPECT_BITS_REFUSED(op.flags,
			    DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC |
				    DRM_FAA_VM_BIND_FAULTABLE,
			    vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.handle, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.pad, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.bo_offset, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.userptr, ~0xfffull, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.va, ~0xfffull & ((1ull << FAA_VA_BITS) - 1), vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.size, 0x7ffffff000ull, vm_bind(fd, vm, &op));
	op.flags = DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC;
	EXPECT_EQ(-EINVAL, vm_bind(fd, vm, &op));
	op.flags = DRM_FAA_VM_BIND_FAULTABLE | DRM_FAA_VM_BIND_ATOMIC;
	EXPECT_EQ(0, vm_bind(fd, vm, &op));
}

TEST_F(reserved, vm_bind_map_null)
{
	struct drm_faa_vm_bind_op op = {
		.op = DRM_FAA_VM_BIND_OP_MAP_NULL,
		.va = DATA_VA,
		.size = PAGE,
	};
	int fd = self->client.fd;
	uint32_t vm = self->client.vm;

	EXPECT_BITS_REFUSED(op.flags, DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC,
			    vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.handle, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.pad, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.bo_offset, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.userptr, 0, vm_bind(fd, vm, &op));
	EXPECT_BITS_REFUSED(op.size, 0xfffffff000ull, vm_bind(fd, vm, &op));
	op.flags = DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC;
	EXPECT_EQ(-EINVAL, vm_bind(fd, vm, &op));
	op.flags = 0;
	EXPECT_EQ(0, vm_bind(fd, vm, &op));
}

TEST_F(reserved, queue_create)
{
	struct drm_faa_queue_create arg = { .vm_id = self->client.vm };
	int fd = self->client.fd;

	EXPECT_BITS_REFUSED(arg.flags, 0, xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, &arg));
	EXPECT_BITS_REFUSED(arg.pad, 0, xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, &arg));
	EXPECT_BITS_REFUSED(arg.priority, 3, xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, &arg));
	EXPECT_BITS_REFUSED(arg.status_entries, 0x1fc0,
			    xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, &arg));
	EXPECT_EQ(0, xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, &arg));
	EXPECT_EQ(0, queue_destroy(fd, arg.queue_id));
	EXPECT_EQ(0, bo_close(fd, arg.status_handle));
}

TEST_F(reserved, queue_destroy)
{
	struct drm_faa_queue_create queue;
	struct drm_faa_queue_destroy arg = { 0 };

	ASSERT_EQ(0, queue_create(self->client.fd, self->client.vm, 0, &queue));
	arg.queue_id = queue.queue_id;
	EXPECT_BITS_REFUSED(arg.pad, 0, xioctl(self->client.fd, DRM_IOCTL_FAA_QUEUE_DESTROY, &arg));
	EXPECT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_QUEUE_DESTROY, &arg));
	EXPECT_EQ(0, bo_close(self->client.fd, queue.status_handle));
}

TEST_F(reserved, submit)
{
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->client.sync };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.stream_bytes = 8,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};
	struct drm_faa_submit arg = {
		.queue_id = self->client.queue,
		.jobs = { .stride = sizeof(job), .count = 1, .array = (uintptr_t)&job },
	};
	struct drm_faa_queue_get_state state;
	int fd = self->client.fd;

	put_end(&self->client);
	EXPECT_BITS_REFUSED(arg.flags, 0, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	EXPECT_BITS_REFUSED(job.flags, 0, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	EXPECT_BITS_REFUSED(job.pad, 0, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	EXPECT_BITS_REFUSED(job.first_element, ~31u, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	EXPECT_BITS_REFUSED(job.stream_va, ~7ull, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	EXPECT_BITS_REFUSED(job.stream_bytes, ~7u, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	job.stream_bytes = 0;
	EXPECT_EQ(-EINVAL, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	job.stream_bytes = 8;
	/* Bits 0 and 1 are TIMELINE and SIGNAL. */
	EXPECT_BITS_REFUSED(sync.flags, 3, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	EXPECT_BITS_REFUSED(sync.point, 0, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	sync.flags |= DRM_FAA_SYNC_TIMELINE;
	EXPECT_EQ(-EINVAL, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	sync.flags &= ~DRM_FAA_SYNC_TIMELINE;

	/* None of these calls has submitted a job. */
	ASSERT_EQ(0, queue_state(fd, self->client.queue, &state));
	EXPECT_EQ(0, state.submitted);
	EXPECT_EQ(0, xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &arg));
	EXPECT_EQ(1, arg.first_seqno);
	EXPECT_EQ(0, client_wait(&self->client, 1, NULL));
}

TEST_HARNESS_MAIN
