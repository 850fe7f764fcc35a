// SPDX-License-Identifier: MIT
/* VM_BIND with ASYNC: its time, its order, its signals, and its errors. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define AREA  0x7fffe000ull
#define PAGES 8

/*
 * The gate is a job of another client that waits for a word of this program: an operation that
 * waits for the gate's fence waits for this program.
 */
FIXTURE(async)
{
	struct client client, gate;
	uint32_t bo, gate_sync, done;
	uint64_t *at;
};

FIXTURE_SETUP(async)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
	ASSERT_EQ(0, client_open(&self->gate, 0));
	ASSERT_EQ(0, bo_create(self->client.fd, PAGES * PAGE, &self->bo));
	self->at = bo_mmap(self->client.fd, self->bo, PAGES * PAGE, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, self->at);
	for (unsigned int i = 0; i < PAGES; i++)
		self->at[i * PAGE / 8] = i + 1;
	ASSERT_EQ(0, syncobj_create(self->client.fd, false, &self->done));
	ASSERT_EQ(0, syncobj_create(self->client.fd, false, &self->gate_sync));
}

FIXTURE_TEARDOWN(async)
{
	EXPECT_EQ(0, client_close(&self->gate));
	if (self->client.fd < 0)
		return;
	EXPECT_EQ(0, syncobj_destroy(self->client.fd, self->gate_sync));
	EXPECT_EQ(0, syncobj_destroy(self->client.fd, self->done));
	EXPECT_EQ(0, bo_close(self->client.fd, self->bo));
	EXPECT_EQ(0, client_close(&self->client));
}

/* Start the gate's job; its fence is in gate_sync of the client. */
static int shut(FIXTURE_DATA(async) *self)
{
	struct drm_syncobj_handle import = {
		.handle = self->gate_sync,
		.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
	};
	struct client *gate = &self->gate;
	uint64_t seqno;
	int ret;

	gate->data64[0] = 0;
	put_sem_wait(gate, DATA_VA, 1);
	put_end(gate);
	ret = client_submit(gate, &seqno);
	gate->words = 0;
	if (ret)
		return ret;
	import.fd = fence_fd(gate->fd, gate->sync);
	if (import.fd < 0)
		return import.fd;
	ret = xioctl(self->client.fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
	close(import.fd);
	return ret;
}

static void open_gate(FIXTURE_DATA(async) *self)
{
	__atomic_store_n(&self->gate.data64[0], 1, __ATOMIC_RELEASE);
}

/* @count operations, after the gate if @wait; signals done unless @signal is false. */
static int bind_async(FIXTURE_DATA(async) *self, const struct drm_faa_vm_bind_op *ops,
		      uint32_t count, bool wait, bool signal, uint32_t *failed)
{
	struct drm_faa_sync syncs[2];
	struct drm_faa_vm_bind arg = {
		.vm_id = self->client.vm,
		.flags = DRM_FAA_VM_BIND_ASYNC,
		.ops = { .stride = sizeof(*ops), .count = count, .array = (uintptr_t)ops },
		.failed_op = 77,
	};
	unsigned int n = 0;
	int ret;

	if (wait)
		syncs[n++] = (struct drm_faa_sync){ .handle = self->gate_sync };
	if (signal)
		syncs[n++] =
			(struct drm_faa_sync){ .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->done };
	if (n)
		arg.syncs = (struct drm_faa_obj_array){ .stride = sizeof(syncs[0]),
							.count = n,
							.array = (uintptr_t)syncs };
	ret = xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg);
	if (failed)
		*failed = arg.failed_op;
	return ret;
}

static struct drm_faa_vm_bind_op map_op(FIXTURE_DATA(async) *self, unsigned int page, uint64_t va)
{
	return (struct drm_faa_vm_bind_op){
		.op = DRM_FAA_VM_BIND_OP_MAP,
		.handle = self->bo,
		.bo_offset = page * PAGE,
		.va = va,
		.size = PAGE,
	};
}

static struct drm_faa_vm_bind_op userptr_op(const void *memory, uint64_t va, uint64_t size)
{
	return (struct drm_faa_vm_bind_op){
		.op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		.userptr = (uintptr_t)memory,
		.va = va,
		.size = size,
	};
}

/* The word that the device reads at @va; 0 for the fault of an unmapped address. */
static int look(FIXTURE_DATA(async) *self, uint64_t va)
{
	struct client *c = &self->client;
	struct drm_faa_status status;
	int ret;

	c->data64[0] = 0;
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		op_stream(va, FAA_TYPE_U64, 8));
	put_end(c);
	ret = client_run(c, &status);
	if (!ret)
		return (int)c->data64[0];
	return ret == -EFAULT && status.code == FAA_ERROR_NOT_MAPPED && status.address == va ? 0 :
											       ret;
}

static int wait_done(FIXTURE_DATA(async) *self)
{
	int ret = syncobj_wait(self->client.fd, self->done, WAIT_MS);

	return ret ? ret : fence_error(self->client.fd, self->done);
}

TEST_F(async, happens_when_what_it_waits_for_has)
{
	struct drm_faa_vm_bind_op op = map_op(self, 3, AREA);
	uint32_t failed;

	ASSERT_EQ(0, shut(self));
	ASSERT_EQ(0, bind_async(self, &op, 1, true, true, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(0, look(self, AREA));
	EXPECT_EQ(-EBUSY, fence_error(self->client.fd, self->done));
	open_gate(self);
	ASSERT_EQ(0, wait_done(self));
	EXPECT_EQ(4, look(self, AREA));
}

TEST_F(async, nothing_to_wait_for)
{
	struct drm_faa_vm_bind_op op = map_op(self, 1, AREA);

	ASSERT_EQ(0, bind_async(self, &op, 1, false, true, NULL));
	ASSERT_EQ(0, wait_done(self));
	EXPECT_EQ(2, look(self, AREA));
	/* Without any sync: a call without ASYNC is applied after it. */
	op = map_op(self, 2, AREA);
	ASSERT_EQ(0, bind_async(self, &op, 1, false, false, NULL));
	ASSERT_EQ(0, vm_unmap(self->client.fd, self->client.vm, AREA + PAGE, PAGE));
	EXPECT_EQ(3, look(self, AREA));
}

TEST_F(async, several_operations_in_order)
{
	struct drm_faa_vm_bind_op ops[5] = {
		map_op(self, 0, AREA),
		map_op(self, 1, AREA + PAGE),
		map_op(self, 2, AREA + 2 * PAGE),
		{ .op = DRM_FAA_VM_BIND_OP_UNMAP, .va = AREA + PAGE, .size = PAGE },
		{ .op = DRM_FAA_VM_BIND_OP_MAP_NULL, .va = AREA + 3 * PAGE, .size = PAGE },
	};

	ops[0].size = 4 * PAGE;
	ASSERT_EQ(0, shut(self));
	ASSERT_EQ(0, bind_async(self, ops, 5, true, false, NULL));
	/* Calls keep their order, whether or not they wait. */
	ops[0] = map_op(self, 6, AREA + 2 * PAGE);
	ASSERT_EQ(0, bind_async(self, ops, 1, false, true, NULL));
	usleep(10000);
	EXPECT_EQ(-EBUSY, fence_error(self->client.fd, self->done));
	open_gate(self);
	ASSERT_EQ(0, wait_done(self));
	EXPECT_EQ(1, look(self, AREA));
	EXPECT_EQ(0, look(self, AREA + PAGE));
	EXPECT_EQ(7, look(self, AREA + 2 * PAGE));
	self->client.data64[0] = 1;
	EXPECT_EQ(0, look(self, AREA + 3 * PAGE));
}

static void *sync_unmap(void *arg)
{
	FIXTURE_DATA(async) *self = arg;
	int ret = vm_unmap(self->client.fd, self->client.vm, AREA, PAGE);

	__atomic_store_n(&self->gate.data64[1], ret ? 2 : 1, __ATOMIC_RELEASE);
	return NULL;
}

TEST_F(async, a_call_without_the_flag_waits)
{
	struct drm_faa_vm_bind_op op = map_op(self, 3, AREA);
	pthread_t thread;

	self->gate.data64[1] = 0;
	ASSERT_EQ(0, shut(self));
	ASSERT_EQ(0, bind_async(self, &op, 1, true, true, NULL));
	ASSERT_EQ(0, pthread_create(&thread, NULL, sync_unmap, self));
	usleep(50000);
	EXPECT_EQ(0, ((volatile uint64_t *)self->gate.data64)[1]);
	open_gate(self);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(1, self->gate.data64[1]);
	EXPECT_EQ(0, wait_done(self));
	EXPECT_EQ(0, look(self, AREA));
}

TEST_F(async, jobs_wait_for_it_and_it_for_jobs)
{
	struct client *c = &self->client;
	struct drm_faa_vm_bind_op op = map_op(self, 4, AREA);
	struct drm_faa_sync syncs[2] = {
		{ .handle = self->done },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync },
	};
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.syncs = { .stride = sizeof(syncs[0]), .count = 2, .array = (uintptr_t)syncs },
	};
	uint64_t seqno;

	ASSERT_EQ(0, shut(self));
	ASSERT_EQ(0, bind_async(self, &op, 1, true, true, NULL));
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		op_stream(AREA, FAA_TYPE_U64, 8));
	put_end(c);
	job.stream_bytes = c->words * 8;
	ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, &seqno));
	open_gate(self);
	ASSERT_EQ(0, client_wait(c, seqno, NULL));
	EXPECT_EQ(5, c->data64[0]);
	c->words = 0;
}

TEST_F(async, timelines)
{
	struct drm_faa_vm_bind_op op = map_op(self, 5, AREA);
	int fd = self->client.fd;
	struct drm_faa_sync syncs[3] = {
		{ .flags = DRM_FAA_SYNC_TIMELINE, .handle = self->done, .point = 1 },
		{ .flags = DRM_FAA_SYNC_TIMELINE | DRM_FAA_SYNC_SIGNAL,
		  .handle = self->done,
		  .point = 2 },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->gate_sync },
	};
	struct drm_faa_vm_bind arg = {
		.vm_id = self->client.vm,
		.flags = DRM_FAA_VM_BIND_ASYNC,
		.ops = { .stride = sizeof(op), .count = 1, .array = (uintptr_t)&op },
		.syncs = { .stride = sizeof(syncs[0]), .count = 3, .array = (uintptr_t)syncs },
	};

	/* No job is going to signal point 1. */
	EXPECT_EQ(-EINVAL, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(1, arg.failed_op);
	ASSERT_EQ(0, timeline_signal(fd, self->done, 1));
	ASSERT_EQ(0, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	ASSERT_EQ(0, timeline_wait(fd, self->done, 2, WAIT_MS));
	ASSERT_EQ(0, syncobj_wait(fd, self->gate_sync, WAIT_MS));
	EXPECT_EQ(6, look(self, AREA));
	syncs[2].handle = 4711;
	EXPECT_EQ(-ENOENT, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	arg.syncs.count = DRM_FAA_MAX_SYNCS + 1;
	EXPECT_EQ(-EINVAL, xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &arg));
}

TEST_F(async, all_operations_or_none)
{
	struct drm_faa_vm_bind_op ops[3] = { map_op(self, 0, AREA), map_op(self, 1, AREA + PAGE),
					     map_op(self, 2, AREA + 2 * PAGE) };
	uint32_t failed;

	for (unsigned int i = 0; i < 3; i++) {
		const struct drm_faa_vm_bind_op good = ops[i];

		ops[i].handle = 4711;
		EXPECT_EQ(-ENOENT, bind_async(self, ops, 3, false, true, &failed));
		EXPECT_EQ(i, failed);
		ops[i] = userptr_op(NULL, AREA, PAGE);
		EXPECT_EQ(-EFAULT, bind_async(self, ops, 3, false, true, &failed));
		EXPECT_EQ(i, failed);
		ops[i] = good;
	}
	for (unsigned int i = 0; i < 3; i++)
		EXPECT_EQ(0, look(self, AREA + i * PAGE));
	/* The syncobj was not changed. */
	EXPECT_EQ(-EINVAL, syncobj_wait(self->client.fd, self->done, 0));
	ASSERT_EQ(0, bind_async(self, ops, 3, false, true, &failed));
	EXPECT_EQ(3, failed);
	ASSERT_EQ(0, wait_done(self));
	for (unsigned int i = 0; i < 3; i++)
		EXPECT_EQ((int)i + 1, look(self, AREA + i * PAGE));
}

static void *unmap_memory(void *arg)
{
	FIXTURE_DATA(async) *self = arg;
	int ret = munmap((void *)(uintptr_t)self->gate.data64[2], 2 * PAGE);

	__atomic_store_n(&self->gate.data64[1], ret ? 2 : 1, __ATOMIC_RELEASE);
	return NULL;
}

/* Let a mapping of the process's memory wait for the gate; unmap_memory() unmaps that memory. */
static void map_behind_gate(struct __test_metadata *_metadata, FIXTURE_DATA(async) *self)
{
	uint64_t *memory =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_faa_vm_bind_op op = userptr_op(memory, AREA, 2 * PAGE);

	ASSERT_NE(MAP_FAILED, memory);
	memory[0] = 4711;
	self->gate.data64[1] = 0;
	self->gate.data64[2] = (uintptr_t)memory;
	ASSERT_EQ(0, shut(self));
	ASSERT_EQ(0, bind_async(self, &op, 1, true, true, NULL));
}

/*
 * munmap() of memory whose mapping is pending waits for it, and for the job that waits for the
 * mapping.
 */
TEST_F(async, memory_stays_until_it_was_used)
{
	struct client *c = &self->client;
	struct drm_faa_sync syncs[2] = {
		{ .handle = self->done },
		{ .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync },
	};
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.syncs = { .stride = sizeof(syncs[0]), .count = 2, .array = (uintptr_t)syncs },
	};
	pthread_t thread;
	uint64_t seqno;

	map_behind_gate(_metadata, self);
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		op_stream(AREA, FAA_TYPE_U64, 8));
	put_end(c);
	job.stream_bytes = c->words * 8;
	ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, &seqno));
	ASSERT_EQ(0, pthread_create(&thread, NULL, unmap_memory, self));
	usleep(50000);
	EXPECT_EQ(0, ((volatile uint64_t *)self->gate.data64)[1]);
	open_gate(self);
	EXPECT_EQ(0, client_wait(c, seqno, NULL));
	EXPECT_EQ(4711, c->data64[0]);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(1, self->gate.data64[1]);
	c->words = 0;
	EXPECT_EQ(0, look(self, AREA));
}

/* The same without a job: the pending mapping alone keeps the memory. */
TEST_F(async, memory_stays_until_it_was_mapped)
{
	pthread_t thread;

	map_behind_gate(_metadata, self);
	ASSERT_EQ(0, pthread_create(&thread, NULL, unmap_memory, self));
	usleep(100000);
	EXPECT_EQ(0, ((volatile uint64_t *)self->gate.data64)[1]);
	open_gate(self);
	EXPECT_EQ(0, wait_done(self));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	EXPECT_EQ(1, self->gate.data64[1]);
	EXPECT_EQ(0, look(self, AREA));
}

/*
 * The same with FAULTABLE: munmap() does not wait, and the memory is missing when it is to be
 * mapped.
 */
TEST_F(async, faultable_memory_goes_before_it_is_mapped)
{
	uint64_t *memory =
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_faa_vm_bind_op op = userptr_op(memory, AREA, PAGE);

	ASSERT_NE(MAP_FAILED, memory);
	memory[0] = 1;
	op.flags = DRM_FAA_VM_BIND_FAULTABLE;
	ASSERT_EQ(0, shut(self));
	ASSERT_EQ(0, bind_async(self, &op, 1, true, true, NULL));
	ASSERT_EQ(0, munmap(memory, PAGE));
	open_gate(self);
	ASSERT_EQ(0, wait_done(self));
	EXPECT_EQ(0, look(self, AREA));
}

TEST_F(async, a_closed_handle_stays_until_it_was_mapped)
{
	struct drm_faa_vm_bind_op op;
	uint32_t handle;
	uint64_t *at;

	ASSERT_EQ(0, bo_create(self->client.fd, PAGE, &handle));
	at = bo_mmap(self->client.fd, handle, PAGE, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, at);
	at[0] = 42;
	op = (struct drm_faa_vm_bind_op){
		.op = DRM_FAA_VM_BIND_OP_MAP, .handle = handle, .va = AREA, .size = PAGE
	};
	ASSERT_EQ(0, shut(self));
	ASSERT_EQ(0, bind_async(self, &op, 1, true, true, NULL));
	ASSERT_EQ(0, bo_close(self->client.fd, handle));
	munmap(at, PAGE);
	open_gate(self);
	ASSERT_EQ(0, wait_done(self));
	EXPECT_EQ(42, look(self, AREA));
}

TEST_F(async, many_calls_and_operations)
{
	struct drm_faa_vm_bind_op ops[32];

	ASSERT_EQ(0, shut(self));
	for (unsigned int call = 0; call < 32; call++) {
		for (unsigned int i = 0; i < 32; i++)
			ops[i] = map_op(self, (call + i) % PAGES, AREA + (call + i) * PAGE);
		ASSERT_EQ(0, bind_async(self, ops, 32, call % 3 == 0, true, NULL));
	}
	open_gate(self);
	ASSERT_EQ(0, wait_done(self));
	for (unsigned int i = 0; i < 63; i += 7)
		EXPECT_EQ((int)(i % PAGES) + 1, look(self, AREA + i * PAGE));
}

/*
 * The VM is destroyed while calls are pending, by itself or with the file: the fence has an error.
 */
TEST_F(async, the_vm_is_destroyed_first)
{
	uint64_t *memory =
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct drm_faa_vm_bind_op ops[2] = {
		userptr_op(memory, AREA, PAGE),
		{ .op = DRM_FAA_VM_BIND_OP_MAP_NULL, .va = AREA, .size = PAGE },
	};
	const int fd = self->client.fd;
	const uint32_t vm = self->client.vm, gate_sync = self->gate_sync, done = self->done;

	ASSERT_NE(MAP_FAILED, memory);
	for (int by_file = 0; by_file < 2; by_file++) {
		int fence;

		/* A file that nothing else keeps open. */
		self->client.fd = faa_open();
		ASSERT_LE(0, self->client.fd);
		ASSERT_EQ(0, vm_create(self->client.fd, &self->client.vm));
		ASSERT_EQ(0, syncobj_create(self->client.fd, false, &self->done));
		ASSERT_EQ(0, syncobj_create(self->client.fd, false, &self->gate_sync));
		ASSERT_EQ(0, shut(self));
		ASSERT_EQ(0, bind_async(self, ops, 2, true, false, NULL));
		ASSERT_EQ(0, bind_async(self, ops, 2, false, true, NULL));
		fence = fence_fd(self->client.fd, self->done);
		ASSERT_LE(0, fence);
		if (!by_file)
			ASSERT_EQ(0, vm_destroy(self->client.fd, self->client.vm));
		close(self->client.fd);
		EXPECT_EQ(-ECANCELED, fence_fd_wait(fence, WAIT_MS));
		close(fence);
		open_gate(self);
	}
	munmap(memory, PAGE);
	self->client.fd = fd;
	self->client.vm = vm;
	self->gate_sync = gate_sync;
	self->done = done;
}

TEST_HARNESS_MAIN
