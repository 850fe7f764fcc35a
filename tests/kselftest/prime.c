// SPDX-License-Identifier: MIT
/*
 * PRIME in both directions: export to and import from vgem, duplicate imports, objects that must
 * not be exported, and device access to foreign memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

/* Files that import one buffer: more mappings of a page than the DMA debugging code can count. */
#define IMPORTERS 12
#define AREA_VA	  0x50000000ull

FIXTURE(prime)
{
	struct client client;
	int vgem;
};

FIXTURE_SETUP(prime)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
	self->vgem = vgem_open();
	ASSERT_LE(0, self->vgem)
	{
		TH_LOG("no vgem: modprobe vgem");
	}
}

FIXTURE_TEARDOWN(prime)
{
	close(self->vgem);
	EXPECT_EQ(0, client_close(&self->client));
}

/* The device adds 1000 to each of @count words at @from and stores the sums at @to. */
static void put_add_1000(struct client *c, uint64_t from, uint64_t to, uint32_t count)
{
	struct faa_operand item = op_stream(from, FAA_TYPE_U32, 4);

	item.step = 1000;
	put_mov(c, FAA_TYPE_U32, count, op_stream(to, FAA_TYPE_U32, 4), item);
	put_end(c);
}

TEST_F(prime, the_device_works_on_imported_memory)
{
	struct drm_faa_bo_info info = { 0 };
	uint32_t foreign, handle, *at;
	size_t size;
	int dmabuf;

	ASSERT_EQ(0, vgem_buffer(self->vgem, &foreign, &at, &size));
	for (unsigned int i = 0; i < 1024; i++)
		at[i] = i;
	ASSERT_EQ(0, prime_export(self->vgem, foreign, &dmabuf));
	ASSERT_EQ(0, prime_import(self->client.fd, dmabuf, &handle));
	info.handle = handle;
	ASSERT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_INFO, &info));
	EXPECT_EQ(DRM_FAA_BO_IMPORTED, info.flags);
	EXPECT_EQ(size, info.size);
	ASSERT_EQ(0, vm_map(self->client.fd, self->client.vm, handle, 0, 0x50000000, size, 0));
	put_add_1000(&self->client, 0x50000000, 0x50000000 + 2 * PAGE, 1024);
	EXPECT_EQ(0, client_run(&self->client, NULL));
	for (unsigned int i = 0; i < 1024; i++)
		ASSERT_EQ(i + 1000, at[2 * PAGE / 4 + i]);

	/* The mapping in the VM keeps the memory alive. */
	EXPECT_EQ(0, bo_close(self->client.fd, handle));
	EXPECT_EQ(0, bo_close(self->vgem, foreign));
	close(dmabuf);
	put_add_1000(&self->client, 0x50000000 + 2 * PAGE, DATA_VA, 1024);
	EXPECT_EQ(0, client_run(&self->client, NULL));
	EXPECT_EQ(1023 + 2000, self->client.data32[1023]);
	munmap(at, size);
}

TEST_F(prime, imported_memory_is_mapped_through_its_own_driver)
{
	struct drm_faa_bo_mmap_offset map = { 0 };
	uint32_t foreign, handle, *at;
	size_t size;
	int dmabuf;

	ASSERT_EQ(0, vgem_buffer(self->vgem, &foreign, &at, &size));
	ASSERT_EQ(0, prime_export(self->vgem, foreign, &dmabuf));
	ASSERT_EQ(0, prime_import(self->client.fd, dmabuf, &handle));
	map.handle = handle;
	EXPECT_EQ(-EINVAL, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &map));
	close(dmabuf);
	munmap(at, size);
}

TEST_F(prime, another_driver_sees_our_memory)
{
	/*
	 * vgem leaves its DMA device at the default of 64 KiB a segment; DMA debugging warns of
	 * longer ones.
	 */
	const uint64_t size = 16 * PAGE, va = 0x50000000;
	uint32_t ours, handle;
	uint32_t *at;
	int dmabuf;

	ASSERT_EQ(0, bo_create(self->client.fd, size, &ours));
	ASSERT_EQ(0, vm_map(self->client.fd, self->client.vm, ours, 0, va, size, 0));
	ASSERT_EQ(0, prime_export(self->client.fd, ours, &dmabuf));
	ASSERT_EQ(0, prime_import(self->vgem, dmabuf, &handle));
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, dmabuf, 0);
	ASSERT_NE(MAP_FAILED, (void *)at);
	put_mov(&self->client, FAA_TYPE_U32, 256, op_stream(va, FAA_TYPE_U32, 4), op_affine(7, 3));
	put_end(&self->client);
	EXPECT_EQ(0, client_run(&self->client, NULL));
	for (unsigned int i = 0; i < 256; i++)
		ASSERT_EQ(7 + 3 * i, at[i]);
	munmap(at, size);
	EXPECT_EQ(0, bo_close(self->vgem, handle));
	close(dmabuf);
}

/*
 * Importing an exported object, or importing twice, returns the existing handle: never a second
 * object for the same memory.
 */
TEST_F(prime, no_evil_twins)
{
	uint32_t foreign, first, second, own, *at;
	size_t size;
	int dmabuf, again, ours;

	ASSERT_EQ(0, prime_export(self->client.fd, self->client.data_bo, &ours));
	ASSERT_EQ(0, prime_import(self->client.fd, ours, &own));
	EXPECT_EQ(self->client.data_bo, own);
	close(ours);

	ASSERT_EQ(0, vgem_buffer(self->vgem, &foreign, &at, &size));
	ASSERT_EQ(0, prime_export(self->vgem, foreign, &dmabuf));
	ASSERT_EQ(0, prime_export(self->vgem, foreign, &again));
	ASSERT_EQ(0, prime_import(self->client.fd, dmabuf, &first));
	ASSERT_EQ(0, prime_import(self->client.fd, again, &second));
	EXPECT_EQ(first, second);
	close(dmabuf);
	close(again);
	munmap(at, size);
}

TEST_F(prime, between_two_files_of_the_device)
{
	struct client other;
	uint32_t handle;
	int dmabuf;

	ASSERT_EQ(0, client_open(&other, 0));
	ASSERT_EQ(0, prime_export(self->client.fd, self->client.data_bo, &dmabuf));
	ASSERT_EQ(0, prime_import(other.fd, dmabuf, &handle));
	close(dmabuf);
	ASSERT_EQ(0, vm_map(other.fd, other.vm, handle, 0, 0x60000000, DATA_BYTES, 0));
	put_mov(&other, FAA_TYPE_U32, 32, op_stream(0x60000000, FAA_TYPE_U32, 4), op_imm(0x1234));
	put_end(&other);
	EXPECT_EQ(0, client_run(&other, NULL));
	EXPECT_EQ(0x1234, self->client.data32[31]);
	EXPECT_EQ(0, other.data32[0]);
	EXPECT_EQ(0, client_close(&other));
}

/* However many files import one buffer, it is mapped for DMA once. */
TEST_F(prime, many_files_import_one_buffer)
{
	struct client clients[IMPORTERS];
	uint32_t foreign, handle, handles[IMPORTERS], *at;
	int dmabuf, again;
	size_t size;

	ASSERT_EQ(0, vgem_buffer(self->vgem, &foreign, &at, &size));
	ASSERT_EQ(0, prime_export(self->vgem, foreign, &dmabuf));
	for (int i = 0; i < IMPORTERS; i++) {
		clients[i].fd = faa_open();
		ASSERT_LE(0, clients[i].fd);
		ASSERT_EQ(0, vm_create(clients[i].fd, &clients[i].vm));
		ASSERT_EQ(0, prime_import(clients[i].fd, dmabuf, &handles[i]));
		ASSERT_EQ(0, vm_map(clients[i].fd, clients[i].vm, handles[i], 0, AREA_VA, size, 0));
	}
	close(dmabuf);
	EXPECT_EQ(0, bo_close(self->vgem, foreign));
	/* The first handle is closed, and created again through another export. */
	ASSERT_EQ(0, bo_close(clients[0].fd, handles[0]));
	ASSERT_EQ(0, prime_export(clients[1].fd, handles[1], &again));
	ASSERT_EQ(0, prime_import(clients[0].fd, again, &handles[0]));
	ASSERT_EQ(0, prime_import(self->client.fd, again, &handle));
	close(again);
	ASSERT_EQ(0, vm_map(self->client.fd, self->client.vm, handle, 0, AREA_VA, size, 0));
	for (int i = 0; i < IMPORTERS; i++)
		close(clients[i].fd);
	/* The last file still has the whole buffer. */
	at[0] = 5;
	put_add_1000(&self->client, AREA_VA, AREA_VA + PAGE, 1);
	EXPECT_EQ(0, client_run(&self->client, NULL));
	EXPECT_EQ(1005, at[PAGE / 4]);
	EXPECT_EQ(0, bo_close(self->client.fd, handle));
	munmap(at, size);
}

TEST_F(prime, exclusive_buffers_cannot_be_exported)
{
	struct drm_faa_bo_create create = { .size = PAGE, .exclusive_vm = self->client.vm };
	int dmabuf = -1;

	ASSERT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_CREATE, &create));
	EXPECT_GT(0, prime_export(self->client.fd, create.handle, &dmabuf));
	EXPECT_EQ(-1, dmabuf);
}

TEST_F(prime, status_rings_cannot_be_exported)
{
	int dmabuf = -1;

	EXPECT_GT(0, prime_export(self->client.fd, self->client.status_bo, &dmabuf));
	EXPECT_EQ(-1, dmabuf);
}

TEST_F(prime, read_only_exports_cannot_be_written)
{
	struct drm_prime_handle prime = { .handle = self->client.data_bo, .flags = DRM_CLOEXEC };

	ASSERT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, prime.fd, 0));
	close(prime.fd);
}

TEST_F(prime, what_is_no_dmabuf_is_refused)
{
	uint32_t handle;

	EXPECT_EQ(-EBADF, prime_import(self->client.fd, -1, &handle));
	EXPECT_EQ(-EINVAL, prime_import(self->client.fd, self->client.fd, &handle));
}

TEST_HARNESS_MAIN
