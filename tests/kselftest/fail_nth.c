// SPDX-License-Identifier: MIT
/*
 * Every allocation and every user copy of each ioctl fails once: the first, the second, ... until
 * the ioctl succeeds. A failure is ENOMEM, EFAULT, or ENOSPC (shmem, without memory for its inode),
 * and changes nothing. Leaks appear in kmemleak if it is enabled (faa-run --check-log). Needs
 * CONFIG_FAULT_INJECTION (the debug flavour).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "drm/faa_dump.h"
#include "faa_test.h"

#define MAX_NTH 2000

FIXTURE(fail)
{
	struct client client;
	uint32_t bo;
};

FIXTURE_SETUP(fail)
{
	if (access("/proc/self/fail-nth", F_OK))
		SKIP(return, "the kernel has no fault injection");
	ASSERT_EQ(0, fail_prepare());
	ASSERT_EQ(0, client_open(&self->client, 1024));
	ASSERT_EQ(0, bo_create(self->client.fd, 64 * PAGE, &self->bo));
}

FIXTURE_TEARDOWN(fail)
{
	if (self->client.fd <= 0)
		return;
	/* The client's queue still works after every failure. */
	self->client.words = 0;
	put_end(&self->client);
	EXPECT_EQ(0, client_run(&self->client, NULL));
	/*
	 * Not client_close(): a VM or queue whose ID could not be copied to user space is unknown
	 * here, and is destroyed with the file.
	 */
	EXPECT_EQ(0, close(self->client.fd));
}

/*
 * Sweep one ioctl. @reset is called after each success of the ioctl, also of one that succeeded in
 * spite of an injected fault; the sweep ends when no fault was left to inject.
 */
static void sweep(struct __test_metadata *_metadata, FIXTURE_DATA(fail) *self, const char *name,
		  int (*call)(FIXTURE_DATA(fail) *self, void *arg),
		  void (*reset)(FIXTURE_DATA(fail) *self, void *arg), void *arg)
{
	int file = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	unsigned int failures = 0;
	int nth, left = 0;

	ASSERT_LE(0, file);
	for (nth = 1; nth < MAX_NTH; nth++) {
		int ret;

		ASSERT_EQ(0, fail_nth(file, nth));
		ret = call(self, arg);
		left = fail_nth(file, 0);
		ASSERT_TRUE(ret == 0 || ret == -ENOMEM || ret == -EFAULT || ret == -ENOSPC)
		{
			TH_LOG("%s with fault %d: %d", name, nth, ret);
		}
		if (!ret)
			reset(self, arg);
		failures += !!ret;
		/* Not reached: the ioctl has fewer failable operations. */
		if (left > 0) {
			ASSERT_EQ(0, ret);
			break;
		}
	}
	close(file);
	EXPECT_GT(MAX_NTH, nth);
	printf("# %s: %u of %d injected faults made it fail\n", name, failures, nth - 1);
	EXPECT_LT(0, failures);
}

static int call_bo_create(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_bo_create *create = arg;

	*create = (struct drm_faa_bo_create){ .size = 40 * PAGE };
	return xioctl(self->client.fd, DRM_IOCTL_FAA_BO_CREATE, create);
}

static void reset_bo_create(FIXTURE_DATA(fail) *self, void *arg)
{
	bo_close(self->client.fd, ((struct drm_faa_bo_create *)arg)->handle);
}

TEST_F_TIMEOUT(fail, bo_create, 300)
{
	struct drm_faa_bo_create arg;

	sweep(_metadata, self, "BO_CREATE", call_bo_create, reset_bo_create, &arg);
}

static int call_bo_mmap_offset(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_bo_mmap_offset map = { .handle = self->bo };

	return xioctl(self->client.fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &map);
}

static void reset_nothing(FIXTURE_DATA(fail) *self, void *arg)
{
}

TEST_F_TIMEOUT(fail, bo_mmap_offset, 300)
{
	sweep(_metadata, self, "BO_MMAP_OFFSET", call_bo_mmap_offset, reset_nothing, NULL);
}

static int call_bo_info(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_bo_info info = { .handle = self->bo };

	return xioctl(self->client.fd, DRM_IOCTL_FAA_BO_INFO, &info);
}

TEST_F_TIMEOUT(fail, bo_info, 300)
{
	sweep(_metadata, self, "BO_INFO", call_bo_info, reset_nothing, NULL);
}

static int call_bo_set_label(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_bo_set_label label = {
		.handle = self->bo,
		.label = (uintptr_t) "a name",
	};

	return xioctl(self->client.fd, DRM_IOCTL_FAA_BO_SET_LABEL, &label);
}

TEST_F_TIMEOUT(fail, bo_set_label, 300)
{
	sweep(_metadata, self, "BO_SET_LABEL", call_bo_set_label, reset_nothing, NULL);
}

static int call_queue_dump(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_queue_dump dump = {
		.queue_id = self->client.queue,
		.size = FAA_DUMP_MAX_BYTES,
		.pointer = (uintptr_t)arg,
	};

	return xioctl(self->client.fd, DRM_IOCTL_FAA_QUEUE_DUMP, &dump);
}

TEST_F_TIMEOUT(fail, queue_dump, 300)
{
	static uint8_t dump[FAA_DUMP_MAX_BYTES];

	sweep(_metadata, self, "QUEUE_DUMP", call_queue_dump, reset_nothing, dump);
}

static int call_counters_open(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_counters_open open = { .period_ns = 1000000, .records = 64 };
	int ret = xioctl(self->client.fd, DRM_IOCTL_FAA_COUNTERS_OPEN, &open);

	*(int *)arg = open.fd;
	return ret;
}

static void reset_counters_open(FIXTURE_DATA(fail) *self, void *arg)
{
	close(*(int *)arg);
}

TEST_F_TIMEOUT(fail, counters_open, 300)
{
	int stream;

	sweep(_metadata, self, "COUNTERS_OPEN", call_counters_open, reset_counters_open, &stream);
}

static int call_dev_query(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_device_info info;

	return device_info(self->client.fd, &info);
}

TEST_F_TIMEOUT(fail, dev_query, 300)
{
	sweep(_metadata, self, "DEV_QUERY", call_dev_query, reset_nothing, NULL);
}

static int call_vm_create(FIXTURE_DATA(fail) *self, void *arg)
{
	return vm_create(self->client.fd, arg);
}

static void reset_vm_create(FIXTURE_DATA(fail) *self, void *arg)
{
	vm_destroy(self->client.fd, *(uint32_t *)arg);
}

TEST_F_TIMEOUT(fail, vm_create, 300)
{
	uint32_t vm = 0;

	sweep(_metadata, self, "VM_CREATE", call_vm_create, reset_vm_create, &vm);
	/*
	 * The copy of an ID to user space fails after the VM was created: such VMs stay, up to the
	 * limit.
	 */
	for (int i = 0; i < 8; i++) {
		ASSERT_EQ(0, vm_create(self->client.fd, &vm));
		ASSERT_EQ(0, vm_destroy(self->client.fd, vm));
	}
}

static void reset_vm_destroy(FIXTURE_DATA(fail) *self, void *arg)
{
	if (vm_create(self->client.fd, arg))
		abort();
}

/*
 * Destruction may need no memory, but its arguments are copied; a fault of the copy to user space
 * comes after the VM was destroyed.
 */
static int call_vm_destroy(FIXTURE_DATA(fail) *self, void *arg)
{
	int ret = vm_destroy(self->client.fd, *(uint32_t *)arg);

	return ret == -ENOENT ? 0 : ret;
}

TEST_F_TIMEOUT(fail, vm_destroy, 300)
{
	uint32_t vm;

	ASSERT_EQ(0, vm_create(self->client.fd, &vm));
	sweep(_metadata, self, "VM_DESTROY", call_vm_destroy, reset_vm_destroy, &vm);
}

static int call_vm_get_state(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_vm_get_state state = { .vm_id = self->client.vm };

	return xioctl(self->client.fd, DRM_IOCTL_FAA_VM_GET_STATE, &state);
}

TEST_F_TIMEOUT(fail, vm_get_state, 300)
{
	sweep(_metadata, self, "VM_GET_STATE", call_vm_get_state, reset_nothing, NULL);
}

/* Three operations that need tables, a replaced mapping and a split. */
static int call_vm_bind(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_vm_bind_op ops[3] = {
		{ .op = DRM_FAA_VM_BIND_OP_MAP,
		  .handle = self->bo,
		  .va = 0x600000000000,
		  .size = 64 * PAGE },
		{ .op = DRM_FAA_VM_BIND_OP_MAP,
		  .handle = self->bo,
		  .va = 0x600000000000 + 8 * PAGE,
		  .size = 4 * PAGE },
		{ .op = DRM_FAA_VM_BIND_OP_UNMAP,
		  .va = 0x600000000000 + 16 * PAGE,
		  .size = 4 * PAGE },
	};
	struct drm_faa_vm_bind bind = {
		.vm_id = self->client.vm,
		.ops = { .stride = sizeof(ops[0]), .count = 3, .array = (uintptr_t)ops },
	};

	return xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &bind);
}

static void reset_vm_bind(FIXTURE_DATA(fail) *self, void *arg)
{
	if (vm_unmap(self->client.fd, self->client.vm, 0x600000000000, 64 * PAGE))
		abort();
}

TEST_F_TIMEOUT(fail, vm_bind, 300)
{
	sweep(_metadata, self, "VM_BIND", call_vm_bind, reset_vm_bind, NULL);
	/* A sweep may leave the first operations done. */
	reset_vm_bind(self, NULL);
}

/* Memory of the process, partly untouched, and null pages; replaced and cut. */
static int call_vm_bind_kinds(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_vm_bind_op ops[4] = {
		{ .op = DRM_FAA_VM_BIND_OP_MAP_NULL, .va = 0x600000000000, .size = 4ull << 20 },
		{ .op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		  .userptr = (uintptr_t)arg,
		  .va = 0x600000000000,
		  .size = 64 * PAGE },
		{ .op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		  .flags = DRM_FAA_VM_BIND_FAULTABLE | DRM_FAA_VM_BIND_READONLY,
		  .userptr = (uintptr_t)arg,
		  .va = 0x600000000000 + 16 * PAGE,
		  .size = 8 * PAGE },
		{ .op = DRM_FAA_VM_BIND_OP_UNMAP,
		  .va = 0x600000000000 + 18 * PAGE,
		  .size = 2 * PAGE },
	};
	struct drm_faa_vm_bind bind = {
		.vm_id = self->client.vm,
		.ops = { .stride = sizeof(ops[0]), .count = 4, .array = (uintptr_t)ops },
	};

	/* Pages that are faulted in again in each round. */
	madvise(arg, 60 * PAGE, MADV_DONTNEED);
	return xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &bind);
}

static void reset_vm_bind_kinds(FIXTURE_DATA(fail) *self, void *arg)
{
	if (vm_unmap(self->client.fd, self->client.vm, 0x600000000000, 4ull << 20))
		abort();
}

TEST_F_TIMEOUT(fail, vm_bind_kinds, 300)
{
	void *memory =
		mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, memory);
	sweep(_metadata, self, "VM_BIND of memory and nothing", call_vm_bind_kinds,
	      reset_vm_bind_kinds, memory);
	reset_vm_bind_kinds(self, NULL);
	munmap(memory, 64 * PAGE);
}

struct async_arg {
	void *memory;
	uint32_t wait, binary, timeline;
	uint64_t point;
};

static int call_vm_bind_async(FIXTURE_DATA(fail) *self, void *data)
{
	struct async_arg *arg = data;
	struct drm_faa_vm_bind_op ops[3] = {
		{ .op = DRM_FAA_VM_BIND_OP_MAP,
		  .handle = self->bo,
		  .va = 0x600000000000,
		  .size = 64 * PAGE },
		{ .op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		  .userptr = (uintptr_t)arg->memory,
		  .va = 0x600000000000 + 8 * PAGE,
		  .size = 16 * PAGE },
		{ .op = DRM_FAA_VM_BIND_OP_UNMAP,
		  .va = 0x600000000000 + 12 * PAGE,
		  .size = 2 * PAGE },
	};
	struct drm_faa_sync syncs[3] = {
		{ .handle = arg->wait },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = arg->binary },
		{ .flags = DRM_FAA_SYNC_SIGNAL | DRM_FAA_SYNC_TIMELINE,
		  .handle = arg->timeline,
		  .point = ++arg->point },
	};
	struct drm_faa_vm_bind bind = {
		.vm_id = self->client.vm,
		.flags = DRM_FAA_VM_BIND_ASYNC,
		.ops = { .stride = sizeof(ops[0]), .count = 3, .array = (uintptr_t)ops },
		.syncs = { .stride = sizeof(syncs[0]), .count = 3, .array = (uintptr_t)syncs },
	};

	madvise(arg->memory, 10 * PAGE, MADV_DONTNEED);
	return xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &bind);
}

static void reset_vm_bind_async(FIXTURE_DATA(fail) *self, void *data)
{
	const struct async_arg *arg = data;

	if (syncobj_wait(self->client.fd, arg->binary, WAIT_MS) ||
	    fence_error(self->client.fd, arg->binary) ||
	    vm_unmap(self->client.fd, self->client.vm, 0x600000000000, 64 * PAGE))
		abort();
}

TEST_F_TIMEOUT(fail, vm_bind_async, 300)
{
	struct async_arg arg = { 0 };

	arg.memory =
		mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, arg.memory);
	ASSERT_EQ(0, syncobj_create(self->client.fd, true, &arg.wait));
	ASSERT_EQ(0, syncobj_create(self->client.fd, false, &arg.binary));
	ASSERT_EQ(0, syncobj_create(self->client.fd, false, &arg.timeline));
	sweep(_metadata, self, "VM_BIND, asynchronous", call_vm_bind_async, reset_vm_bind_async,
	      &arg);
	munmap(arg.memory, 64 * PAGE);
}

/* SUBMIT has to map pages again that were removed. */
static int call_submit_stale(FIXTURE_DATA(fail) *self, void *arg)
{
	const struct async_arg *async = arg;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = async->binary };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.stream_bytes = 8,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};

	madvise(async->memory, 60 * PAGE, MADV_DONTNEED);
	return submit(self->client.fd, self->client.queue, &job, 1, NULL);
}

static void reset_submit_stale(FIXTURE_DATA(fail) *self, void *arg)
{
	if (syncobj_wait(self->client.fd, ((struct async_arg *)arg)->binary, WAIT_MS))
		abort();
}

TEST_F_TIMEOUT(fail, submit_stale, 300)
{
	struct async_arg arg = { 0 };

	arg.memory =
		mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, arg.memory);
	ASSERT_EQ(0, syncobj_create(self->client.fd, false, &arg.binary));
	put_end(&self->client);
	ASSERT_EQ(0, vm_map_userptr(self->client.fd, self->client.vm, arg.memory, 0x600000000000,
				    64 * PAGE, 0));
	sweep(_metadata, self, "SUBMIT with memory to map", call_submit_stale, reset_submit_stale,
	      &arg);
	/* After temporary failures all pages are mapped. */
	((uint64_t *)arg.memory)[3] = 33;
	self->client.words = 0;
	put_mov(&self->client, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		op_stream(0x600000000000 + 24, FAA_TYPE_U64, 8));
	put_end(&self->client);
	EXPECT_EQ(0, client_run(&self->client, NULL));
	EXPECT_EQ(33, self->client.data64[0]);
	munmap(arg.memory, 64 * PAGE);
}

static int call_queue_create(FIXTURE_DATA(fail) *self, void *arg)
{
	return queue_create(self->client.fd, self->client.vm, 1024, arg);
}

static void reset_queue_create(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_queue_create *queue = arg;

	if (queue_destroy(self->client.fd, queue->queue_id) ||
	    bo_close(self->client.fd, queue->status_handle))
		abort();
}

TEST_F_TIMEOUT(fail, queue_create, 300)
{
	struct drm_faa_queue_create queue;

	sweep(_metadata, self, "QUEUE_CREATE", call_queue_create, reset_queue_create, &queue);
	for (int i = 0; i < 8; i++) {
		ASSERT_EQ(0, queue_create(self->client.fd, self->client.vm, 1024, &queue));
		reset_queue_create(self, &queue);
	}
}

static int call_queue_destroy(FIXTURE_DATA(fail) *self, void *arg)
{
	int ret = queue_destroy(self->client.fd, ((struct drm_faa_queue_create *)arg)->queue_id);

	return ret == -ENOENT ? 0 : ret;
}

static void reset_queue_destroy(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_queue_create *queue = arg;

	if (bo_close(self->client.fd, queue->status_handle) ||
	    queue_create(self->client.fd, self->client.vm, 0, queue))
		abort();
}

TEST_F_TIMEOUT(fail, queue_destroy, 300)
{
	struct drm_faa_queue_create queue;

	ASSERT_EQ(0, queue_create(self->client.fd, self->client.vm, 0, &queue));
	sweep(_metadata, self, "QUEUE_DESTROY", call_queue_destroy, reset_queue_destroy, &queue);
	EXPECT_EQ(0, queue_destroy(self->client.fd, queue.queue_id));
}

static int call_queue_get_state(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_queue_get_state state;

	return queue_state(self->client.fd, self->client.queue, &state);
}

TEST_F_TIMEOUT(fail, queue_get_state, 300)
{
	sweep(_metadata, self, "QUEUE_GET_STATE", call_queue_get_state, reset_nothing, NULL);
}

/* Two jobs with a wait, a binary signal and a point each; the second job of a group cannot wait. */
static int call_submit(FIXTURE_DATA(fail) *self, void *arg)
{
	uint32_t *syncs = arg;
	struct drm_faa_sync list[2][3];
	struct drm_faa_job jobs[2];

	for (unsigned int i = 0; i < 2; i++) {
		list[i][0] = (struct drm_faa_sync){ .handle = syncs[0] };
		list[i][1] = (struct drm_faa_sync){ .flags = DRM_FAA_SYNC_SIGNAL,
						    .handle = syncs[1 + i] };
		list[i][2] = (struct drm_faa_sync){
			.flags = DRM_FAA_SYNC_SIGNAL | DRM_FAA_SYNC_TIMELINE,
			.handle = syncs[3 + i],
			.point = ++syncs[5],
		};
		jobs[i] = (struct drm_faa_job){
			.stream_va = STREAM_VA,
			.stream_bytes = 8,
			.syncs = { .stride = sizeof(list[0][0]),
				   .count = 3,
				   .array = (uintptr_t)list[i] },
		};
	}
	if (syncs[6]) {
		jobs[0].flags = DRM_FAA_JOB_TOGETHER;
		jobs[1].syncs.count = 2;
		jobs[1].syncs.array = (uintptr_t)&list[1][1];
	}
	return submit(self->client.fd, self->client.queue, jobs, 2, NULL);
}

static void reset_submit(FIXTURE_DATA(fail) *self, void *arg)
{
	const uint32_t *syncs = arg;

	if (syncobj_wait(self->client.fd, syncs[2], WAIT_MS))
		abort();
}

TEST_F_TIMEOUT(fail, submit, 300)
{
	/*
	 * Handles of a signalled one, two binary ones and two timelines, the last point, and
	 * whether the jobs are a group.
	 */
	struct drm_faa_device_info info;
	uint32_t syncs[7] = { 0 };

	ASSERT_EQ(0, device_info(self->client.fd, &info));
	put_end(&self->client);
	for (unsigned int i = 0; i < 5; i++)
		ASSERT_EQ(0, syncobj_create(self->client.fd, i == 0, &syncs[i]));
	sweep(_metadata, self, "SUBMIT", call_submit, reset_submit, syncs);
	syncs[6] = info.warp_slots > 1;
	if (syncs[6])
		sweep(_metadata, self, "SUBMIT of a group", call_submit, reset_submit, syncs);
}

static int call_open(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_device_info info;
	int fd = open(arg, O_RDWR | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = device_info(fd, &info);
	close(fd);
	return ret;
}

TEST_F_TIMEOUT(fail, open, 300)
{
	char link[64], path[128] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", self->client.fd);
	ASSERT_LT(0, readlink(link, path, sizeof(path) - 1));
	sweep(_metadata, self, "open", call_open, reset_nothing, path);
}

static int call_mmap(FIXTURE_DATA(fail) *self, void *arg)
{
	struct drm_faa_bo_mmap_offset *map = arg;
	void *at =
		mmap(NULL, 64 * PAGE, PROT_READ, MAP_SHARED, self->client.fd, (off_t)map->offset);

	if (at == MAP_FAILED)
		return -errno;
	munmap(at, 64 * PAGE);
	return 0;
}

TEST_F_TIMEOUT(fail, mmap, 300)
{
	struct drm_faa_bo_mmap_offset map = { .handle = self->bo };

	ASSERT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &map));
	sweep(_metadata, self, "mmap", call_mmap, reset_nothing, &map);
}

static int call_prime(FIXTURE_DATA(fail) *self, void *arg)
{
	int dmabuf, ret = prime_export(self->client.fd, self->bo, &dmabuf);

	if (!ret)
		close(dmabuf);
	return ret;
}

TEST_F_TIMEOUT(fail, prime_export, 300)
{
	sweep(_metadata, self, "PRIME_HANDLE_TO_FD", call_prime, reset_nothing, NULL);
}

TEST_HARNESS_MAIN
