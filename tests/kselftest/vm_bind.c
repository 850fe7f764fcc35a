// SPDX-License-Identifier: MIT
/*
 * Effects of VM_BIND in the device: maps, overlaps, partial unmaps, read-only pages, several
 * operations, running jobs.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

/* Area of the tests' mappings; spans a 2 MiB and a 1 GiB boundary when it grows. */
#define AREA  0x7fffe000ull
#define PAGES 8

FIXTURE(bind)
{
	struct client client;
	uint32_t bo;
	uint64_t *at;
};

FIXTURE_SETUP(bind)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
	ASSERT_EQ(0, bo_create(self->client.fd, PAGES * PAGE, &self->bo));
	self->at = bo_mmap(self->client.fd, self->bo, PAGES * PAGE, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, self->at);
	/* Each page begins with its number + 1. */
	for (unsigned int i = 0; i < PAGES; i++)
		self->at[i * PAGE / 8] = i + 1;
}

FIXTURE_TEARDOWN(bind)
{
	EXPECT_EQ(0, bo_close(self->client.fd, self->bo));
	EXPECT_EQ(0, client_close(&self->client));
}

static int map(FIXTURE_DATA(bind) *self, unsigned int first, uint64_t va, unsigned int pages,
	       uint32_t flags)
{
	return vm_map(self->client.fd, self->client.vm, self->bo, (uint64_t)first * PAGE, va,
		      (uint64_t)pages * PAGE, flags);
}

static int unmap(FIXTURE_DATA(bind) *self, uint64_t va, unsigned int pages)
{
	return vm_unmap(self->client.fd, self->client.vm, va, (uint64_t)pages * PAGE);
}

/* The page number + 1 that the device reads at @va; 0 for the fault of an unmapped address. */
static int look(FIXTURE_DATA(bind) *self, uint64_t va)
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
	if (ret == -EFAULT && status.code == FAA_ERROR_NOT_MAPPED && status.address == va)
		return 0;
	return ret;
}

/* The word at @va, or the error of the job. */
static int read_word(FIXTURE_DATA(bind) *self, uint64_t va)
{
	struct client *c = &self->client;
	int ret;

	c->data64[0] = 0x5a5a;
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		op_stream(va, FAA_TYPE_U64, 8));
	put_end(c);
	ret = client_run(c, NULL);
	return ret ? ret : (int)c->data64[0];
}

/* Error code of the device for a store at @va, 0 = success. */
static int poke(FIXTURE_DATA(bind) *self, uint64_t va)
{
	struct drm_faa_status status;

	put_mov(&self->client, FAA_TYPE_U64, 1, op_stream(va + 8, FAA_TYPE_U64, 8), op_imm(99));
	put_end(&self->client);
	client_run(&self->client, &status);
	return (int)status.code;
}

TEST_F(bind, pages_appear_and_disappear)
{
	EXPECT_EQ(0, look(self, AREA));
	ASSERT_EQ(0, map(self, 0, AREA, PAGES, 0));
	for (unsigned int i = 0; i < PAGES; i++)
		EXPECT_EQ((int)i + 1, look(self, AREA + i * PAGE));
	EXPECT_EQ(0, look(self, AREA + PAGES * PAGE));
	EXPECT_EQ(0, look(self, AREA - PAGE));
	ASSERT_EQ(0, unmap(self, AREA, PAGES));
	for (unsigned int i = 0; i < PAGES; i++)
		EXPECT_EQ(0, look(self, AREA + i * PAGE));
}

TEST_F(bind, unmapping_the_middle_leaves_both_ends)
{
	ASSERT_EQ(0, map(self, 0, AREA, PAGES, 0));
	ASSERT_EQ(0, unmap(self, AREA + 2 * PAGE, 3));
	for (unsigned int i = 0; i < PAGES; i++)
		EXPECT_EQ(i >= 2 && i < 5 ? 0 : (int)i + 1, look(self, AREA + i * PAGE));
}

TEST_F(bind, unmapping_more_than_is_mapped_is_fine)
{
	EXPECT_EQ(0, unmap(self, AREA, PAGES));
	ASSERT_EQ(0, map(self, 0, AREA, 1, 0));
	ASSERT_EQ(0, map(self, 1, AREA + 4 * PAGE, 1, 0));
	EXPECT_EQ(0, vm_unmap(self->client.fd, self->client.vm, AREA - 16 * PAGE, 64 * PAGE));
	EXPECT_EQ(0, look(self, AREA));
	EXPECT_EQ(0, look(self, AREA + 4 * PAGE));
}

TEST_F(bind, a_new_mapping_replaces_what_it_covers)
{
	ASSERT_EQ(0, map(self, 0, AREA, 4, 0));
	/* Pages 6, 7 over the second and third page. */
	ASSERT_EQ(0, map(self, 6, AREA + PAGE, 2, 0));
	EXPECT_EQ(1, look(self, AREA));
	EXPECT_EQ(7, look(self, AREA + PAGE));
	EXPECT_EQ(8, look(self, AREA + 2 * PAGE));
	EXPECT_EQ(4, look(self, AREA + 3 * PAGE));
	/* One mapping over all of them. */
	ASSERT_EQ(0, map(self, 4, AREA, 4, 0));
	for (unsigned int i = 0; i < 4; i++)
		EXPECT_EQ((int)i + 5, look(self, AREA + i * PAGE));
}

TEST_F(bind, one_page_at_many_addresses)
{
	for (unsigned int i = 0; i < 16; i++)
		ASSERT_EQ(0, map(self, 3, AREA + i * PAGE, 1, 0));
	EXPECT_EQ(0, poke(self, AREA + 5 * PAGE));
	EXPECT_EQ(99, self->at[3 * PAGE / 8 + 1]);
	for (unsigned int i = 0; i < 16; i++)
		EXPECT_EQ(4, look(self, AREA + i * PAGE));
}

TEST_F(bind, read_only_pages_cannot_be_written)
{
	ASSERT_EQ(0, map(self, 0, AREA, 2, DRM_FAA_VM_BIND_READONLY));
	ASSERT_EQ(0, map(self, 2, AREA + 2 * PAGE, 1, 0));
	EXPECT_EQ(1, look(self, AREA));
	EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, poke(self, AREA));
	EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, poke(self, AREA + PAGE));
	EXPECT_EQ(0, poke(self, AREA + 2 * PAGE));
	EXPECT_EQ(0, self->at[1]);
	/* The reverse again. */
	ASSERT_EQ(0, map(self, 0, AREA, 1, 0));
	EXPECT_EQ(0, poke(self, AREA));
	EXPECT_EQ(99, self->at[1]);
	ASSERT_EQ(0, map(self, 0, AREA, 1, DRM_FAA_VM_BIND_READONLY));
	EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, poke(self, AREA));
}

/* A split read-only mapping stays read-only on both sides. */
TEST_F(bind, splitting_keeps_the_flags)
{
	ASSERT_EQ(0, map(self, 0, AREA, PAGES, DRM_FAA_VM_BIND_READONLY));
	ASSERT_EQ(0, unmap(self, AREA + 3 * PAGE, 1));
	EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, poke(self, AREA));
	EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, poke(self, AREA + 4 * PAGE));
	EXPECT_EQ(5, look(self, AREA + 4 * PAGE));
}

TEST_F(bind, ranges_are_checked)
{
	const struct {
		uint64_t offset, va, size;
	} bad[] = {
		{ 0, AREA, 0 },
		{ 0, AREA, PAGE + 1 },
		{ 0, AREA + 1, PAGE },
		{ 1, AREA, PAGE },
		{ 0, AREA, (PAGES + 1) * PAGE },
		{ PAGES * PAGE, AREA, PAGE },
		{ PAGE, AREA, PAGES * PAGE },
		{ UINT64_MAX - PAGE + 1, AREA, PAGE },
		{ UINT64_MAX - PAGE + 1, AREA, 2 * PAGE },
		{ 0, AREA, UINT64_MAX - PAGE + 1 },
		{ 0, UINT64_MAX - PAGE + 1, PAGE },
		{ 0, UINT64_MAX - PAGE + 1, 2 * PAGE },
		{ 0, 1ull << FAA_VA_BITS, PAGE },
		{ 0, (1ull << FAA_VA_BITS) - PAGE, 2 * PAGE },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, vm_map(self->client.fd, self->client.vm, self->bo, bad[i].offset,
					  bad[i].va, bad[i].size, 0))
		{
			TH_LOG("offset %#llx va %#llx size %#llx",
			       (unsigned long long)bad[i].offset, (unsigned long long)bad[i].va,
			       (unsigned long long)bad[i].size);
		}
	}
	EXPECT_EQ(0, map(self, 0, (1ull << FAA_VA_BITS) - PAGE, 1, 0));
	EXPECT_EQ(1, look(self, (1ull << FAA_VA_BITS) - PAGE));
	EXPECT_EQ(0, map(self, 1, 0, 1, 0));
	EXPECT_EQ(2, look(self, 0));
}

TEST_F(bind, the_failed_operation_is_named)
{
	struct drm_faa_vm_bind_op ops[4];
	struct drm_faa_vm_bind arg = {
		.vm_id = self->client.vm,
		.ops = { .stride = sizeof(ops[0]), .count = 4, .array = (uintptr_t)ops },
		.failed_op = 77,
	};

	for (unsigned int i = 0; i < 4; i++)
		ops[i] = (struct drm_faa_vm_bind_op){
			.op = DRM_FAA_VM_BIND_OP_MAP,
			.handle = self->bo,
			.bo_offset = i * PAGE,
			.va = AREA + i * PAGE,
			.size = PAGE,
		};
	ASSERT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(4, arg.failed_op);
	ASSERT_EQ(0, unmap(self, AREA, 4));

	ops[2].handle = UINT32_MAX;
	ASSERT_EQ(-ENOENT, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(2, arg.failed_op);
	EXPECT_EQ(1, look(self, AREA));
	EXPECT_EQ(2, look(self, AREA + PAGE));
	EXPECT_EQ(0, look(self, AREA + 2 * PAGE));
	EXPECT_EQ(0, look(self, AREA + 3 * PAGE));

	arg.failed_op = 77;
	arg.pad = 1;
	ASSERT_EQ(-EINVAL, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(4, arg.failed_op);
}

TEST_F(bind, as_many_operations_as_allowed)
{
	static struct drm_faa_vm_bind_op ops[DRM_FAA_MAX_BIND_OPS];
	struct drm_faa_vm_bind arg = {
		.vm_id = self->client.vm,
		.ops = { .stride = sizeof(ops[0]),
			 .count = DRM_FAA_MAX_BIND_OPS,
			 .array = (uintptr_t)ops },
	};

	/* Every second page: a page table entry, and now and then a table, each. */
	for (unsigned int i = 0; i < DRM_FAA_MAX_BIND_OPS; i++)
		ops[i] = (struct drm_faa_vm_bind_op){
			.op = DRM_FAA_VM_BIND_OP_MAP,
			.handle = self->bo,
			.bo_offset = i % PAGES * PAGE,
			.va = AREA + 2ull * i * PAGE,
			.size = PAGE,
		};
	ASSERT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(DRM_FAA_MAX_BIND_OPS, arg.failed_op);
	EXPECT_EQ(1023 % PAGES + 1, look(self, AREA + 2 * 1023 * PAGE));
	EXPECT_EQ(0, look(self, AREA + 1023 * PAGE));
	EXPECT_EQ(0, vm_unmap(self->client.fd, self->client.vm, AREA,
			      2 * DRM_FAA_MAX_BIND_OPS * PAGE));
	EXPECT_EQ(0, look(self, AREA));
}

TEST_F(bind, two_megabytes)
{
	const uint64_t big = 2 << 20, va = 0x4000000000;
	uint32_t handle;
	uint64_t *at;

	ASSERT_EQ(0, bo_create(self->client.fd, 2 * big, &handle));
	at = bo_mmap(self->client.fd, handle, 2 * big, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, at);
	for (unsigned int i = 0; i < 2 * big / PAGE; i++)
		at[i * PAGE / 8] = i + 1;
	ASSERT_EQ(0, vm_map(self->client.fd, self->client.vm, handle, 0, va, 2 * big, 0));
	EXPECT_EQ(1, look(self, va));
	EXPECT_EQ(512, look(self, va + big - PAGE));
	EXPECT_EQ(1024, look(self, va + 2 * big - PAGE));
	/* A hole in the middle of what may be one large page. */
	ASSERT_EQ(0, vm_unmap(self->client.fd, self->client.vm, va + 100 * PAGE, PAGE));
	EXPECT_EQ(100, look(self, va + 99 * PAGE));
	EXPECT_EQ(0, look(self, va + 100 * PAGE));
	EXPECT_EQ(102, look(self, va + 101 * PAGE));
	EXPECT_EQ(0, bo_close(self->client.fd, handle));
}

/* Null pages have no memory: they read 0, stores are dropped. */
TEST_F(bind, null_pages)
{
	int fd = self->client.fd;
	uint32_t vm = self->client.vm;

	self->client.data64[0] = 1;
	ASSERT_EQ(0, vm_map_null(fd, vm, AREA, 3 * PAGE, 0));
	ASSERT_EQ(0, vm_map_null(fd, vm, AREA + 3 * PAGE, PAGE, DRM_FAA_VM_BIND_READONLY));
	for (unsigned int i = 0; i < 3; i++) {
		EXPECT_EQ(0, poke(self, AREA + i * PAGE));
		EXPECT_EQ(0, read_word(self, AREA + i * PAGE + 8));
	}
	EXPECT_EQ(0, read_word(self, AREA + 3 * PAGE));
	EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, poke(self, AREA + 3 * PAGE));
	EXPECT_EQ(-EFAULT, read_word(self, AREA + 4 * PAGE));
	/* Replaced and replacing. */
	ASSERT_EQ(0, map(self, 2, AREA + PAGE, 1, 0));
	EXPECT_EQ(3, look(self, AREA + PAGE));
	ASSERT_EQ(0, vm_map_null(fd, vm, AREA + PAGE, PAGE, 0));
	EXPECT_EQ(0, read_word(self, AREA + PAGE));
	ASSERT_EQ(0, unmap(self, AREA, 2));
	EXPECT_EQ(-EFAULT, read_word(self, AREA + PAGE));
	EXPECT_EQ(0, read_word(self, AREA + 2 * PAGE));
}

/* The largest range that is allowed, with another page in the middle of a 2 MiB leaf. */
TEST_F(bind, null_ranges_of_any_size)
{
	const uint64_t va = 0x400000000000 - 3 * PAGE, size = 1ull << 40;
	int fd = self->client.fd;
	uint32_t vm = self->client.vm;

	ASSERT_EQ(0, vm_map_null(fd, vm, va, size, 0));
	EXPECT_EQ(0, read_word(self, va));
	EXPECT_EQ(0, read_word(self, va + size / 2));
	EXPECT_EQ(0, read_word(self, va + size - 8));
	EXPECT_EQ(-EFAULT, read_word(self, va - 8));
	EXPECT_EQ(-EFAULT, read_word(self, va + size));
	ASSERT_EQ(0, map(self, 4, va + 700 * PAGE, 1, 0));
	EXPECT_EQ(5, look(self, va + 700 * PAGE));
	EXPECT_EQ(0, read_word(self, va + 699 * PAGE));
	EXPECT_EQ(0, read_word(self, va + 701 * PAGE));
	ASSERT_EQ(0, vm_unmap(fd, vm, va + 800 * PAGE, PAGE));
	EXPECT_EQ(-EFAULT, read_word(self, va + 800 * PAGE));
	EXPECT_EQ(0, read_word(self, va + 801 * PAGE));
	ASSERT_EQ(0, vm_unmap(fd, vm, va, size));
	EXPECT_EQ(-EFAULT, read_word(self, va + 701 * PAGE));
	EXPECT_EQ(-EINVAL, vm_map_null(fd, vm, 0, size + PAGE, 0));
}

/* The device must not make the status ring writable. */
TEST_F(bind, the_status_ring_cannot_be_mapped)
{
	EXPECT_EQ(-EINVAL, vm_map(self->client.fd, self->client.vm, self->client.status_bo, 0, AREA,
				  PAGE, 0));
	EXPECT_EQ(-EINVAL, vm_map(self->client.fd, self->client.vm, self->client.status_bo, 0, AREA,
				  PAGE, DRM_FAA_VM_BIND_READONLY));
}

TEST_F(bind, a_mapping_keeps_the_memory_of_a_closed_handle)
{
	uint32_t handle;
	uint64_t *at;

	ASSERT_EQ(0, bo_create(self->client.fd, PAGE, &handle));
	at = bo_mmap(self->client.fd, handle, PAGE, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, at);
	at[0] = 42;
	ASSERT_EQ(0, vm_map(self->client.fd, self->client.vm, handle, 0, AREA, PAGE, 0));
	ASSERT_EQ(0, bo_close(self->client.fd, handle));
	EXPECT_EQ(42, look(self, AREA));
	EXPECT_EQ(0, poke(self, AREA));
	EXPECT_EQ(99, at[1]);
}

/*
 * A waiting job in the device must see mappings made after it started, and fault on those removed.
 */
TEST_F(bind, changes_reach_a_running_job)
{
	struct client *c = &self->client;
	struct drm_faa_status status;
	uint64_t seqno;

	ASSERT_EQ(0, map(self, 0, AREA, 2, 0));
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		op_stream(AREA, FAA_TYPE_U64, 8));
	put_sem_signal(c, DATA_VA + 64, 1);
	put_sem_wait(c, DATA_VA + 128, 1);
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 8, FAA_TYPE_U64, 8),
		op_stream(AREA, FAA_TYPE_U64, 8));
	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA + 16, FAA_TYPE_U64, 8),
		op_stream(AREA + PAGE, FAA_TYPE_U64, 8));
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	for (uint64_t end = now_ms() + WAIT_MS;
	     !((volatile uint64_t *)c->data64)[8] && now_ms() < end;)
		usleep(1000);
	ASSERT_EQ(1, c->data64[8]);
	/* Its translations are cached by now. */
	ASSERT_EQ(0, map(self, 5, AREA, 1, 0));
	ASSERT_EQ(0, unmap(self, AREA + PAGE, 1));
	__atomic_store_n(&c->data64[16], 1, __ATOMIC_RELEASE);
	EXPECT_EQ(-EFAULT, client_wait(c, seqno, &status));
	EXPECT_EQ(FAA_ERROR_NOT_MAPPED, status.code);
	EXPECT_EQ(AREA + PAGE, status.address);
	EXPECT_EQ(1, c->data64[0]);
	EXPECT_EQ(6, c->data64[1]);
	EXPECT_EQ(0, c->data64[2]);
	c->words = 0;
}

enum { SCATTERED = 1024 };

/*
 * Leave free pages of which at most two are adjacent, so that a new object has many DMA segments.
 */
static void scatter_memory(void)
{
	const size_t pages = 6 * SCATTERED;
	uint8_t *memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		return;
	for (size_t i = 0; i + 2 < pages; i += 3)
		madvise(memory + i * PAGE, 2 * PAGE, MADV_DONTNEED);
	/* The others stay until the process ends. */
}

/* A mapping that begins inside a DMA segment has the right pages in the segments after it, too. */
TEST_F(bind, offsets_inside_of_segments)
{
	struct client *c = &self->client;
	uint64_t *at;
	uint32_t bo;

	scatter_memory();
	ASSERT_EQ(0, bo_create(c->fd, SCATTERED * PAGE, &bo));
	at = bo_mmap(c->fd, bo, SCATTERED * PAGE, PROT_READ | PROT_WRITE);
	ASSERT_NE(NULL, at);
	for (unsigned int i = 0; i < SCATTERED; i++)
		at[i * PAGE / 8] = i + 1;
	for (unsigned int first = 0; first < 16; first++) {
		const unsigned int count = SCATTERED - first;
		unsigned int wrong = 0;

		ASSERT_EQ(0, vm_map(c->fd, c->vm, bo, (uint64_t)first * PAGE, AREA,
				    (uint64_t)count * PAGE, 0));
		put_mov(c, FAA_TYPE_U64, count, op_stream(DATA_VA, FAA_TYPE_U64, 8),
			op_stream(AREA, FAA_TYPE_U64, PAGE));
		put_end(c);
		ASSERT_EQ(0, client_run(c, NULL));
		for (unsigned int i = 0; i < count; i++)
			wrong += c->data64[i] != first + i + 1;
		EXPECT_EQ(0, wrong)
		{
			TH_LOG("%u pages from page %u on", wrong, first);
		}
		ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA, (uint64_t)count * PAGE));
	}
	munmap(at, SCATTERED * PAGE);
	EXPECT_EQ(0, bo_close(c->fd, bo));
}

TEST_HARNESS_MAIN
