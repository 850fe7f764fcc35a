// SPDX-License-Identifier: MIT
/*
 * The device disappears while a job runs (the caller kills faa-vdev): the wait ends with ENODEV,
 * every ioctl returns ENODEV, mappings remain. An munmap() of process memory that waits for the job
 * completes. Prints "READY" when the device may be removed; not part of a plain run,
 * tests/suites/70-robustness.sh runs it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(unplug)
{
	struct client idle, busy, together;
};

FIXTURE_SETUP(unplug)
{
	ASSERT_EQ(0, client_open(&self->idle, 0));
	ASSERT_EQ(0, client_open(&self->busy, 1024));
	ASSERT_EQ(0, client_open(&self->together, 1024));
}

FIXTURE_TEARDOWN(unplug)
{
	/* Closing files of a lost device must not hang. */
	client_close(&self->together);
	client_close(&self->busy);
	client_close(&self->idle);
}

static void check_lost(struct __test_metadata *_metadata, struct client *c)
{
	struct drm_faa_queue_get_state queue = { .queue_id = c->queue };
	struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 };
	uint32_t handle;

	EXPECT_EQ(-ENODEV, submit(c->fd, c->queue, &job, 1, NULL));
	EXPECT_EQ(-ENODEV, bo_create(c->fd, PAGE, &handle));
	EXPECT_EQ(-ENODEV, vm_create(c->fd, &handle));
	EXPECT_EQ(-ENODEV, vm_unmap(c->fd, c->vm, DATA_VA, PAGE));
	EXPECT_EQ(-ENODEV, xioctl(c->fd, DRM_IOCTL_FAA_QUEUE_GET_STATE, &queue));
	c->data32[1] = 99;
	EXPECT_EQ(99, c->data32[1]);
}

static bool device_is_there(void)
{
	int fd = faa_open();

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void *unmap(void *memory)
{
	return munmap(memory, PAGE) ? memory : NULL;
}

/* As many endless jobs as can run together; returns their number. */
static unsigned int submit_group(struct __test_metadata *_metadata, struct client *c)
{
	struct drm_faa_job jobs[FAA_MAX_SLOTS];
	struct drm_faa_device_info info;

	ASSERT_EQ(0, device_info(c->fd, &info));
	put_sem_wait(c, DATA_VA, 1);
	put_end(c);
	for (unsigned int i = 0; i < info.warp_slots; i++)
		jobs[i] = (struct drm_faa_job){
			.stream_va = STREAM_VA,
			.stream_bytes = 8 * c->words,
			.flags = i + 1 < info.warp_slots ? DRM_FAA_JOB_TOGETHER : 0,
		};
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, info.warp_slots, NULL));
	return info.warp_slots;
}

TEST_F_TIMEOUT(unplug, in_mid_job, 120)
{
	struct client *c = &self->busy;
	unsigned int slots;
	uint64_t seqno, end;
	pthread_t thread;
	void *memory, *failed;
	int fence, ret;

	memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, memory);
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, memory, 0x80000000, PAGE, 0));

	slots = submit_group(_metadata, &self->together);
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_imm(0), op_imm(1));
	put_sem_signal(c, DATA_VA, 1);
	put_jump(c, -(int32_t)c->words);
	ASSERT_EQ(0, client_submit(c, &seqno));
	ASSERT_EQ(0, client_submit(c, &seqno));
	for (end = now_ms() + WAIT_MS; !((volatile uint64_t *)c->data64)[0] && now_ms() < end;)
		usleep(1000);
	ASSERT_EQ(1, c->data64[0]);
	fence = fence_fd(c->fd, c->sync);
	ASSERT_LE(0, fence);
	ASSERT_EQ(0, pthread_create(&thread, NULL, unmap, memory));
	usleep(50000);
	printf("READY\n");
	fflush(stdout);
	/* A wait that has begun ends; DRM rejects one that begins later. */
	ret = syncobj_wait(c->fd, c->sync, WAIT_MS);
	EXPECT_TRUE(ret == 0 || ret == -ENODEV);
	EXPECT_EQ(-ENODEV, fence_fd_wait(fence, WAIT_MS));
	close(fence);
	EXPECT_EQ(0, pthread_join(thread, &failed));
	EXPECT_EQ(NULL, failed);
	EXPECT_EQ(seqno, c->ring[seqno].seqno);
	EXPECT_EQ(FAA_ERROR_DEVICE_LOST, c->ring[seqno].code);
	/* The jobs of each queue end independently. */
	for (end = now_ms() + WAIT_MS; !self->together.ring[slots].seqno && now_ms() < end;)
		usleep(1000);
	for (unsigned int i = 1; i <= slots; i++) {
		EXPECT_EQ(i, self->together.ring[i].seqno);
		EXPECT_EQ(FAA_ERROR_DEVICE_LOST, self->together.ring[i].code);
	}
	/* The removal continues for a short time after the last fence. */
	for (end = now_ms() + 10000; device_is_there() && now_ms() < end;)
		usleep(10000);
	check_lost(_metadata, &self->busy);
	check_lost(_metadata, &self->together);
	check_lost(_metadata, &self->idle);
	EXPECT_FALSE(device_is_there());
}

TEST_HARNESS_MAIN
