// SPDX-License-Identifier: MIT
/*
 * Failures that the allocator's fault injection does not reach: waits for the device and DMA
 * addresses (fail_faa_* in debugfs). Needs CONFIG_FAULT_INJECTION (the debug flavour).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(fail)
{
	struct client client;
	char address[64];
	int node;
};

/* The attribute of a lost device: it has gone, at the latest while it was open. */
static bool is_gone(int error)
{
	return error == -ENOENT || error == -EIO || error == -ENODEV;
}

/*
 * Whether all requested failures have occurred, within ten seconds; disables further ones. The job
 * may end before the last of them: a reset of its compute unit that seems to fail ends it.
 */
static bool has_failed(FIXTURE_DATA(fail) *self, const char *attribute)
{
	const uint64_t end = now_ms() + 10000;
	int over, ret;

	do {
		over = fault_is_over(self->node, attribute);
		if (over < 0)
			return is_gone(over);
		usleep(1000);
	} while (!over && now_ms() < end);
	ret = fault_set(self->node, attribute, "probability", "0");
	return is_gone(ret) || (!ret && over);
}

FIXTURE_SETUP(fail)
{
	if (access("/proc/self/fail-nth", F_OK))
		SKIP(return, "the kernel has no fault injection");
	ASSERT_EQ(0, client_open(&self->client, 0));
	self->node = drm_minor(self->client.fd);
	ASSERT_LE(0, self->node);
	ASSERT_EQ(0, faa_pci_address(self->address, sizeof(self->address)));
}

FIXTURE_TEARDOWN(fail)
{
	if (self->client.fd > 0)
		close(self->client.fd);
}

/* A stream that runs until its queue is stopped. */
static int start_endless(FIXTURE_DATA(fail) *self)
{
	struct client *c = &self->client;

	put_jump(c, 0);
	put_end(c);
	return client_submit(c, NULL);
}

static int work(void)
{
	struct client c;
	int ret = client_open(&c, 0);

	if (ret)
		return ret;
	put_end(&c);
	ret = client_run(&c, NULL);
	return ret ? ret : client_close(&c);
}

/* The device is lost: every ioctl fails with ENODEV. A new bind restores it. */
static void check_lost(struct __test_metadata *_metadata, FIXTURE_DATA(fail) *self)
{
	EXPECT_EQ(-ENODEV, wait_lost(self->client.fd));
	close(self->client.fd);
	self->client.fd = -1;
	EXPECT_EQ(0, write_file("/sys/bus/pci/drivers/faa/unbind", self->address));
	EXPECT_EQ(0, write_file("/sys/bus/pci/drivers/faa/bind", self->address));
	EXPECT_EQ(0, work());
}

TEST_F(fail, dma_map)
{
	struct client *c = &self->client;
	void *memory =
		mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, memory);
	memset(memory, 1, 4 * PAGE);
	ASSERT_EQ(0, fault_arm(self->node, "dma_map", "1"));
	EXPECT_EQ(-ENOMEM, vm_map_userptr(c->fd, c->vm, memory, 0x70000000, 4 * PAGE, 0));
	EXPECT_TRUE(has_failed(self, "dma_map"));
	EXPECT_EQ(0, vm_map_userptr(c->fd, c->vm, memory, 0x70000000, 4 * PAGE, 0));
	munmap(memory, 4 * PAGE);
}

/* A timeout whose queue was stopped by a reset, of a unit or of the device. */
static void check_stopped(struct __test_metadata *_metadata, FIXTURE_DATA(fail) *self)
{
	const uint64_t end = now_ms() + WAIT_MS;
	struct drm_faa_queue_get_state state;

	EXPECT_EQ(0, syncobj_wait(self->client.fd, self->client.sync, WAIT_MS));
	EXPECT_EQ(-ETIMEDOUT, fence_error(self->client.fd, self->client.sync));
	/* A reset may end the job; the kernel counts it once it has seen the end of the reset. */
	do {
		ASSERT_EQ(0, queue_state(self->client.fd, self->client.queue, &state));
	} while (!state.resets && now_ms() < end);
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_TIMEDOUT |
			  DRM_FAA_QUEUE_STATE_RESET,
		  state.state);
	EXPECT_EQ(1, state.resets);
}

/* A compute unit is reset, and the device works on. */
TEST_F(fail, kill)
{
	ASSERT_EQ(0, fault_arm(self->node, "kill", "1"));
	ASSERT_EQ(0, start_endless(self));
	check_stopped(_metadata, self);
	EXPECT_TRUE(has_failed(self, "kill"));
	EXPECT_EQ(0, work());
}

/* The function is reset, and the device works on. */
TEST_F(fail, cu_reset)
{
	ASSERT_EQ(0, fault_arm(self->node, "kill", "1"));
	ASSERT_EQ(0, fault_arm(self->node, "cu_reset", "1"));
	ASSERT_EQ(0, start_endless(self));
	check_stopped(_metadata, self);
	EXPECT_TRUE(has_failed(self, "kill"));
	EXPECT_TRUE(has_failed(self, "cu_reset"));
	EXPECT_EQ(0, work());
}

/* Nothing helps: the device is given up. */
TEST_F(fail, flr)
{
	ASSERT_EQ(0, fault_arm(self->node, "kill", "1"));
	ASSERT_EQ(0, fault_arm(self->node, "cu_reset", "1"));
	ASSERT_EQ(0, fault_arm(self->node, "flr", "1"));
	ASSERT_EQ(0, start_endless(self));
	EXPECT_EQ(0, syncobj_wait(self->client.fd, self->client.sync, WAIT_MS));
	EXPECT_TRUE(has_failed(self, "kill"));
	EXPECT_TRUE(has_failed(self, "cu_reset"));
	EXPECT_TRUE(has_failed(self, "flr"));
	check_lost(_metadata, self);
}

/* A queue that is not disabled leads to a reset of all compute units, here or of the function. */
static void destroy_undisabled(struct __test_metadata *_metadata, FIXTURE_DATA(fail) *self)
{
	struct client *c = &self->client;

	/* Only a queue that had a job has a hardware queue. */
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	ASSERT_EQ(0, fault_arm(self->node, "disable", "1"));
	EXPECT_EQ(0, queue_destroy(c->fd, c->queue));
	EXPECT_TRUE(has_failed(self, "disable"));
	EXPECT_EQ(0, work());
}

TEST_F(fail, disable)
{
	destroy_undisabled(_metadata, self);
}

TEST_F(fail, device_reset)
{
	ASSERT_EQ(0, fault_arm(self->node, "device_reset", "1"));
	destroy_undisabled(_metadata, self);
	EXPECT_TRUE(has_failed(self, "device_reset"));
}

/* The caller notices nothing but the time. */
TEST_F(fail, tlb_inv)
{
	struct client *c = &self->client;

	ASSERT_EQ(0, fault_arm(self->node, "tlb_inv", "1"));
	EXPECT_EQ(0, vm_unmap(c->fd, c->vm, DATA_VA, PAGE));
	EXPECT_TRUE(has_failed(self, "tlb_inv"));
	EXPECT_EQ(0, work());
}

TEST_HARNESS_MAIN
