// SPDX-License-Identifier: MIT
/*
 * The driver appears and disappears: unbind and bind, removal and rescan of the device, idle and
 * with jobs in flight. The module can be unloaded only when it is not in use.
 *
 * FAA_CYCLES is the number of unbind and bind cycles (default 100). FAA_MODULE is the path of
 * faa.ko, to load it again.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(module)
{
	char address[64];
	char remove[128];
};

FIXTURE_SETUP(module)
{
	ASSERT_EQ(0, faa_pci_address(self->address, sizeof(self->address)));
	snprintf(self->remove, sizeof(self->remove), "/sys/bus/pci/devices/%s/remove",
		 self->address);
}

static int driver_unbind(FIXTURE_DATA(module) *self)
{
	return write_file("/sys/bus/pci/drivers/faa/unbind", self->address);
}

static int driver_bind(FIXTURE_DATA(module) *self)
{
	return write_file("/sys/bus/pci/drivers/faa/bind", self->address);
}

/* The device works for a new client. */
static int device_works(void)
{
	struct client c;
	int ret = client_open(&c, 256);

	if (ret)
		return ret;
	put_mov(&c, FAA_TYPE_U32, 64, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(3, 5));
	put_end(&c);
	ret = client_run(&c, NULL);
	if (!ret && c.data32[63] != 3 + 5 * 63)
		ret = -EIO;
	return ret ? ret : client_close(&c);
}

FIXTURE_TEARDOWN(module)
{
	EXPECT_EQ(0, device_works());
}

/* A lost device, as seen by a client that has it open. */
static void check_lost(struct __test_metadata *_metadata, struct client *c)
{
	struct drm_faa_queue_get_state queue = { .queue_id = c->queue };
	struct drm_faa_vm_get_state vm = { .vm_id = c->vm };
	struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 };
	struct drm_faa_device_info info;
	uint32_t handle;

	/*
	 * drm_ioctl() returns these errors; unbind_and_bind_under_load reaches the driver's own
	 * checks.
	 */
	EXPECT_EQ(-ENODEV, bo_create(c->fd, PAGE, &handle));
	EXPECT_EQ(-ENODEV, syncobj_wait(c->fd, c->sync, 5000));
	EXPECT_EQ(-ENODEV, vm_create(c->fd, &handle));
	EXPECT_EQ(-ENODEV, submit(c->fd, c->queue, &job, 1, NULL));
	EXPECT_EQ(-ENODEV, vm_map(c->fd, c->vm, c->data_bo, 0, 0x70000000, PAGE, 0));
	EXPECT_EQ(-ENODEV, device_info(c->fd, &info));
	EXPECT_EQ(-ENODEV, xioctl(c->fd, DRM_IOCTL_FAA_QUEUE_GET_STATE, &queue));
	EXPECT_EQ(-ENODEV, xioctl(c->fd, DRM_IOCTL_FAA_VM_GET_STATE, &vm));
	/* Mappings remain usable. */
	c->data32[0] = 77;
	EXPECT_EQ(77, c->data32[0]);
	EXPECT_EQ(1, c->ring[1].seqno);
	EXPECT_EQ(FAA_ERROR_DEVICE_LOST, c->ring[1].code);
}

static void drop(struct client *c)
{
	close(c->fd);
	munmap(c->data, DATA_BYTES);
	munmap(c->stream, STREAM_BYTES);
	munmap((void *)c->ring, c->entries * sizeof(*c->ring));
}

TEST_F_TIMEOUT(module, unbind_and_bind, 600)
{
	const uint64_t cycles = env_number("FAA_CYCLES", 100);

	for (uint64_t i = 0; i < cycles; i++) {
		ASSERT_EQ(0, driver_unbind(self));
		EXPECT_EQ(-ENODEV, faa_open());
		ASSERT_EQ(0, driver_bind(self));
		if (i % 10 == 0)
			ASSERT_EQ(0, device_works());
	}
}

TEST_F_TIMEOUT(module, unbind_with_a_job_under_way, 300)
{
	for (int i = 0; i < 5; i++) {
		struct client c;
		uint64_t seqno;
		int fence;

		ASSERT_EQ(0, client_open(&c, 1024));
		put_jump(&c, 0);
		ASSERT_EQ(0, client_submit(&c, &seqno));
		/* More jobs after it. */
		ASSERT_EQ(0, client_submit(&c, &seqno));
		fence = fence_fd(c.fd, c.sync);
		ASSERT_LE(0, fence);
		ASSERT_EQ(0, driver_unbind(self));
		EXPECT_EQ(-ENODEV, fence_fd_wait(fence, 5000));
		close(fence);
		EXPECT_EQ(2, c.ring[2].seqno);
		EXPECT_EQ(FAA_ERROR_DEVICE_LOST, c.ring[2].code);
		check_lost(_metadata, &c);
		ASSERT_EQ(0, driver_bind(self));
		/* The old file remains lost, new ones work. */
		check_lost(_metadata, &c);
		EXPECT_EQ(0, device_works());
		drop(&c);
	}
}

/* Memory of the process is mapped, and a VM_BIND waits for a job that never ends. */
TEST_F_TIMEOUT(module, unbind_with_memory_of_the_process, 300)
{
	for (int i = 0; i < 4; i++) {
		char *memory = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		struct drm_faa_vm_bind_op op = {
			.op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
			.flags = i & 1 ? DRM_FAA_VM_BIND_FAULTABLE : 0,
			.userptr = (uintptr_t)memory,
			.va = 0x80000000,
			.size = 8 * PAGE,
		};
		struct drm_faa_sync syncs[2] = { { 0 }, { .flags = DRM_FAA_SYNC_SIGNAL } };
		struct drm_faa_vm_bind bind_later = {
			.flags = DRM_FAA_VM_BIND_ASYNC,
			.ops = { .stride = sizeof(op), .count = 1, .array = (uintptr_t)&op },
			.syncs = { .stride = sizeof(syncs[0]),
				   .count = 2,
				   .array = (uintptr_t)syncs },
		};
		struct client c;
		uint64_t seqno;
		int fence;

		ASSERT_NE(MAP_FAILED, memory);
		ASSERT_EQ(0, client_open(&c, 0));
		ASSERT_EQ(0, vm_bind(c.fd, c.vm, &op));
		put_mov(&c, FAA_TYPE_U64, 8, op_stream(0x80000000, FAA_TYPE_U64, 8), op_imm(1));
		put_jump(&c, 0);
		ASSERT_EQ(0, client_submit(&c, &seqno));
		ASSERT_EQ(0, syncobj_create(c.fd, false, &syncs[1].handle));
		syncs[0].handle = c.sync;
		op.userptr += 8 * PAGE;
		bind_later.vm_id = c.vm;
		ASSERT_EQ(0, xioctl(c.fd, DRM_IOCTL_FAA_VM_BIND, &bind_later));
		fence = fence_fd(c.fd, syncs[1].handle);
		ASSERT_LE(0, fence);
		ASSERT_EQ(0, driver_unbind(self));
		EXPECT_EQ(-ENODEV, fence_fd_wait(fence, 5000));
		close(fence);
		/* Only the process uses the memory now. */
		memory[0] = 1;
		ASSERT_EQ(0, munmap(memory, 16 * PAGE));
		ASSERT_EQ(0, driver_bind(self));
		EXPECT_EQ(0, device_works());
		drop(&c);
	}
}

static bool stop;

/* Submits until the device is lost; errors other than ENODEV and ENOENT are failures. */
static void *hammer(void *arg)
{
	intptr_t bad = 0;

	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		struct client c;
		int ret = client_open(&c, 512);
		char *memory = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (!ret)
			ret = vm_map_userptr(c.fd, c.vm, memory, 0x80000000, 4 * PAGE, 0);
		while (!ret && !__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
			/* Pages are dropped before each job and faulted in again. */
			madvise(memory, 4 * PAGE, MADV_DONTNEED);
			put_mov(&c, FAA_TYPE_U64, 512, op_stream(0x80000000, FAA_TYPE_U64, 32),
				op_imm(1));
			put_atoms(&c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 64, op_none(),
				  op_affine(0, 4), op_imm(1));
			put_end(&c);
			ret = client_run(&c, NULL);
		}
		/* ENOENT: a queue that was destroyed with its file. */
		if (ret && ret != -ENODEV && ret != -ENOENT) {
			ksft_print_msg("a worker saw %d\n", ret);
			bad++;
		}
		munmap(memory, 4 * PAGE);
		if (c.fd >= 0 && c.ring)
			drop(&c);
		else
			usleep(1000);
	}
	return (void *)bad;
}

TEST_F_TIMEOUT(module, unbind_and_bind_under_load, 600)
{
	const uint64_t cycles = env_number("FAA_CYCLES", 100);
	pthread_t threads[3];
	void *bad;

	stop = false;
	for (int i = 0; i < 3; i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, hammer, NULL));
	for (uint64_t i = 0; i < cycles; i++) {
		usleep(5000 + 1000 * (i % 7));
		ASSERT_EQ(0, driver_unbind(self));
		ASSERT_EQ(0, driver_bind(self));
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, pthread_join(threads[i], &bad));
		EXPECT_EQ(NULL, bad);
	}
}

/* Hot unplug and replug through the bus. */
TEST_F_TIMEOUT(module, remove_and_rescan, 300)
{
	for (int i = 0; i < 5; i++) {
		struct client c;
		uint64_t seqno;
		int fence;

		ASSERT_EQ(0, client_open(&c, 1024));
		put_jump(&c, 0);
		ASSERT_EQ(0, client_submit(&c, &seqno));
		fence = fence_fd(c.fd, c.sync);
		ASSERT_LE(0, fence);
		ASSERT_EQ(0, write_file(self->remove, "1"));
		EXPECT_EQ(-ENODEV, fence_fd_wait(fence, 5000));
		close(fence);
		check_lost(_metadata, &c);
		drop(&c);
		ASSERT_EQ(0, write_file("/sys/bus/pci/rescan", "1"));
		for (uint64_t end = now_ms() + 5000; now_ms() < end && device_works();)
			usleep(10000);
		ASSERT_EQ(0, device_works());
	}
}

TEST_F_TIMEOUT(module, unload_and_load, 300)
{
	if (!getenv("FAA_MODULE"))
		SKIP(return, "FAA_MODULE does not say where faa.ko is");
	for (int i = 0; i < 10; i++) {
		int fd = faa_open();

		ASSERT_LE(0, fd);
		EXPECT_EQ(-1, syscall(SYS_delete_module, "faa", O_NONBLOCK));
		EXPECT_EQ(EAGAIN, errno);
		close(fd);
		ASSERT_EQ(0, module_unload(5000));
		EXPECT_EQ(-ENODEV, faa_open());
		ASSERT_EQ(0, module_load());
		ASSERT_EQ(0, device_works());
	}
}

/* A process that has an object mapped holds a reference to the file, and so to the module. */
TEST_F_TIMEOUT(module, a_mapping_keeps_the_module, 60)
{
	uint32_t handle;
	int fd = faa_open();
	uint8_t *at;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, bo_create(fd, PAGE, &handle));
	at = bo_mmap(fd, handle, PAGE, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, at);
	close(fd);
	EXPECT_EQ(-1, syscall(SYS_delete_module, "faa", O_NONBLOCK));
	at[0] = 1;
	munmap(at, PAGE);
}

TEST_HARNESS_MAIN
