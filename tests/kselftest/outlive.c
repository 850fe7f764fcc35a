// SPDX-License-Identifier: MIT
/*
 * Fences that outlive their queue, file and binding of the driver: sync files, syncobjs,
 * reservations of foreign buffers. They can be read for as long as they exist, and the module
 * cannot be unloaded meanwhile. FAA_MODULE is the path of faa.ko.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

/* Time for which only the fence keeps the module loaded. */
#define STAYS_MS 1500
/* Limit for everything that is freed asynchronously. */
#define UNLOAD_MS 10000
#define AREA_VA	  0x50000000ull

FIXTURE(outlive)
{
	struct client client;
	char address[64];
	int timeline;
};

FIXTURE_SETUP(outlive)
{
	ASSERT_NE(NULL, getenv("FAA_MODULE"))
	{
		TH_LOG("FAA_MODULE does not say where faa.ko is");
	}
	ASSERT_EQ(0, faa_pci_address(self->address, sizeof(self->address)));
	self->timeline = sw_sync_open();
	ASSERT_LE(0, self->timeline);
	ASSERT_EQ(0, client_open(&self->client, 0));
}

/* No reference keeps the module, and a new one works. */
FIXTURE_TEARDOWN(outlive)
{
	struct client c;

	close(self->timeline);
	ASSERT_EQ(0, module_unload(UNLOAD_MS));
	ASSERT_EQ(0, module_load());
	ASSERT_EQ(0, client_open(&c, 0));
	put_end(&c);
	EXPECT_EQ(0, client_run(&c, NULL));
	EXPECT_EQ(0, client_close(&c));
}

/*
 * Only the fence remains; it keeps the module loaded and reports its names, also without a device.
 */
static void check_outlives(struct __test_metadata *_metadata, FIXTURE_DATA(outlive) *self,
			   int fence, const char *timeline)
{
	EXPECT_EQ(-EAGAIN, module_unload(STAYS_MS));
	EXPECT_TRUE(fence_fd_names(fence, "faa", timeline));
	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/faa/unbind", self->address));
	EXPECT_EQ(-EAGAIN, module_unload(STAYS_MS));
	EXPECT_TRUE(fence_fd_names(fence, "faa", timeline));
	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/faa/bind", self->address));
}

TEST_F_TIMEOUT(outlive, fence_of_a_job, 120)
{
	struct client *c = &self->client;
	int fence;

	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	fence = fence_fd(c->fd, c->sync);
	ASSERT_LE(0, fence);
	ASSERT_EQ(0, client_close(c));
	check_outlives(_metadata, self, fence, "faa-queue");
	EXPECT_EQ(0, fence_fd_wait(fence, 0));
	close(fence);
}

/* A job that waits for a fence when its file is closed, and one after it. */
TEST_F_TIMEOUT(outlive, fences_of_jobs_that_never_ran, 120)
{
	struct client *c = &self->client;
	struct drm_faa_sync syncs[2] = { { 0 }, { .flags = DRM_FAA_SYNC_SIGNAL } };
	struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 };
	int foreign = sw_sync_fence(self->timeline, 1), fences[2];
	uint64_t seqno;

	ASSERT_LE(0, foreign);
	ASSERT_EQ(0, syncobj_create(c->fd, false, &syncs[0].handle));
	ASSERT_EQ(0, syncobj_create(c->fd, false, &syncs[1].handle));
	ASSERT_EQ(0, fence_import(c->fd, syncs[0].handle, foreign));
	close(foreign);
	job.syncs = (struct drm_faa_obj_array){ .stride = sizeof(syncs[0]),
						.count = 2,
						.array = (uintptr_t)syncs };
	ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, NULL));
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	fences[0] = fence_fd(c->fd, syncs[1].handle);
	fences[1] = fence_fd(c->fd, c->sync);
	ASSERT_LE(0, fences[0]);
	ASSERT_LE(0, fences[1]);
	ASSERT_EQ(0, syncobj_destroy(c->fd, syncs[0].handle));
	ASSERT_EQ(0, syncobj_destroy(c->fd, syncs[1].handle));
	ASSERT_EQ(0, client_close(c));
	/* Not signalled yet: the jobs keep the queue. */
	EXPECT_EQ(-EAGAIN, module_unload(STAYS_MS));
	ASSERT_EQ(0, sw_sync_advance(self->timeline, 1));
	for (int i = 0; i < 2; i++)
		EXPECT_EQ(-ECANCELED, fence_fd_wait(fences[i], WAIT_MS));
	close(fences[0]);
	check_outlives(_metadata, self, fences[1], "faa-queue");
	EXPECT_EQ(-ECANCELED, fence_fd_wait(fences[1], 0));
	close(fences[1]);
}

TEST_F_TIMEOUT(outlive, fence_of_a_bind, 120)
{
	struct client *c = &self->client;
	struct drm_faa_vm_bind_op op = {
		.op = DRM_FAA_VM_BIND_OP_MAP_NULL,
		.va = AREA_VA,
		.size = PAGE,
	};
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_vm_bind bind = {
		.vm_id = c->vm,
		.flags = DRM_FAA_VM_BIND_ASYNC,
		.ops = { .stride = sizeof(op), .count = 1, .array = (uintptr_t)&op },
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};
	int fence;

	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_VM_BIND, &bind));
	fence = fence_fd(c->fd, c->sync);
	ASSERT_LE(0, fence);
	EXPECT_EQ(0, fence_fd_wait(fence, WAIT_MS));
	ASSERT_EQ(0, client_close(c));
	check_outlives(_metadata, self, fence, "faa-bind");
	close(fence);
}

/* The reservation of a foreign buffer has the fence of a job that used it. */
TEST_F_TIMEOUT(outlive, fence_of_a_foreign_buffer, 120)
{
	struct client *c = &self->client;
	uint32_t foreign, handle, *at;
	int vgem = vgem_open(), dmabuf;
	size_t size;

	ASSERT_LE(0, vgem);
	ASSERT_EQ(0, vgem_buffer(vgem, &foreign, &at, &size));
	ASSERT_EQ(0, prime_export(vgem, foreign, &dmabuf));
	ASSERT_EQ(0, prime_import(c->fd, dmabuf, &handle));
	ASSERT_EQ(0, vm_map(c->fd, c->vm, handle, 0, AREA_VA, size, 0));
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA_VA, size));
	ASSERT_EQ(0, bo_close(c->fd, handle));
	ASSERT_EQ(0, client_close(c));
	EXPECT_EQ(-EAGAIN, module_unload(STAYS_MS));
	munmap(at, size);
	close(dmabuf);
	close(vgem);
}

TEST_HARNESS_MAIN
