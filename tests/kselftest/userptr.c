// SPDX-License-Identifier: MIT
/* Memory of the process in the device: kinds of memory, permissions, errors, and its owner. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

/* Area of the tests' mappings; spans a 2 MiB and a 1 GiB boundary. */
#define AREA  0x7fffe000ull
#define PAGES 8

FIXTURE(userptr)
{
	struct client client;
	uint64_t *memory;
};

FIXTURE_SETUP(userptr)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
	self->memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	ASSERT_NE(MAP_FAILED, self->memory);
}

FIXTURE_TEARDOWN(userptr)
{
	EXPECT_EQ(0, client_close(&self->client));
	munmap(self->memory, PAGES * PAGE);
}

static int bind(FIXTURE_DATA(userptr) *self, const void *memory, unsigned int pages, uint32_t flags)
{
	return vm_map_userptr(self->client.fd, self->client.vm, memory, AREA, pages * PAGE, flags);
}

/* Copy @count 64-bit words; returns 0, or the error code of the device. */
static int copy(FIXTURE_DATA(userptr) *self, uint64_t to, uint64_t from, uint64_t count)
{
	struct drm_faa_status status = { 0 };
	int ret;

	put_mov(&self->client, FAA_TYPE_U64, count, op_stream(to, FAA_TYPE_U64, 8),
		op_stream(from, FAA_TYPE_U64, 8));
	put_end(&self->client);
	ret = client_run(&self->client, &status);
	return status.code ? (int)status.code : ret;
}

/* The word at @va as the device reads it, or ~0. */
static uint64_t look(FIXTURE_DATA(userptr) *self, uint64_t va)
{
	self->client.data64[0] = 0;
	return copy(self, DATA_VA, va, 1) ? ~0ull : self->client.data64[0];
}

static int poke(FIXTURE_DATA(userptr) *self, uint64_t va, uint64_t value)
{
	self->client.data64[1] = value;
	return copy(self, va, DATA_VA + 8, 1);
}

TEST_F(userptr, operands_and_results_in_memory_of_malloc)
{
	const unsigned int count = 1000;
	struct client *c = &self->client;
	char *block = malloc(8 * PAGE);
	uint64_t *first = (uint64_t *)(((uintptr_t)block + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
	uint64_t *second = first + 3 * PAGE / 8;

	ASSERT_NE(NULL, block);
	for (unsigned int i = 0; i < count; i++)
		first[i] = i * 0x100000001ull;
	ASSERT_EQ(0, bind(self, first, 6, 0));
	/* Stream operand and result stream. */
	ASSERT_EQ(0, copy(self, AREA + 3 * PAGE, AREA, count));
	EXPECT_EQ(0, memcmp(first, second, count * 8));

	/* LD and ST: addresses per lane. */
	memset(second, 0, count * 8);
	put_ld(c, FAA_TYPE_U64, 32, op_reg(8), op_affine(AREA, 16));
	put_st(c, FAA_TYPE_U64, 32, op_affine(AREA + 3 * PAGE + 8, 24), op_reg(8));
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	for (unsigned int i = 0; i < 32; i++)
		EXPECT_EQ(first[2 * i], second[3 * i + 1]);
	EXPECT_EQ(0, second[0]);
	ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA, 6 * PAGE));
	free(block);
}

TEST_F(userptr, a_stream_in_memory_of_the_process)
{
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_job job = {
		.stream_va = AREA,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};
	uint64_t seqno;

	put_mov(c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8), op_imm(4711));
	put_end(c);
	memcpy(self->memory, c->stream, c->words * 8);
	memset(c->stream, 0, c->words * 8);
	job.stream_bytes = c->words * 8;
	c->words = 0;
	ASSERT_EQ(0, bind(self, self->memory, 1, DRM_FAA_VM_BIND_READONLY));
	ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, &seqno));
	ASSERT_EQ(0, client_wait(c, seqno, NULL));
	EXPECT_EQ(4711, c->data64[0]);
}

/* Untouched memory is zero, and gets a page of its own by the first store. */
TEST_F(userptr, untouched_memory)
{
	ASSERT_EQ(0, bind(self, self->memory, PAGES, 0));
	EXPECT_EQ(0, look(self, AREA + 3 * PAGE));
	ASSERT_EQ(0, poke(self, AREA + 3 * PAGE, 5));
	EXPECT_EQ(5, self->memory[3 * PAGE / 8]);
	EXPECT_EQ(0, self->memory[2 * PAGE / 8]);
}

TEST_F(userptr, cpu_and_device_see_each_other)
{
	ASSERT_EQ(0, bind(self, self->memory, 1, 0));
	for (unsigned int i = 1; i < 20; i++) {
		self->memory[0] = i;
		EXPECT_EQ(i, look(self, AREA));
		ASSERT_EQ(0, poke(self, AREA + 8, 2 * i));
		EXPECT_EQ(2 * i, self->memory[1]);
	}
}

TEST_F(userptr, read_only_mapping)
{
	self->memory[0] = 9;
	ASSERT_EQ(0, bind(self, self->memory, 2, DRM_FAA_VM_BIND_READONLY));
	EXPECT_EQ(9, look(self, AREA));
	EXPECT_EQ(0, look(self, AREA + PAGE));
	EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, poke(self, AREA, 1));
	EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, poke(self, AREA + PAGE, 1));
	EXPECT_EQ(9, self->memory[0]);
}

TEST_F(userptr, read_only_memory)
{
	self->memory[0] = 9;
	ASSERT_EQ(0, mprotect(self->memory, PAGE, PROT_READ));
	EXPECT_EQ(-EPERM, bind(self, self->memory, 1, 0));
	EXPECT_EQ(-EPERM, bind(self, self->memory, 2, 0));
	EXPECT_EQ(-EPERM, bind(self, self->memory, 1, DRM_FAA_VM_BIND_FAULTABLE));
	ASSERT_EQ(0, bind(self, self->memory, 2, DRM_FAA_VM_BIND_READONLY));
	EXPECT_EQ(9, look(self, AREA));
	EXPECT_EQ(FAA_ERROR_NOT_WRITABLE, poke(self, AREA, 1));
	/* The program's own text. */
	const void *text = (const void *)((uintptr_t)&client_open & ~(uintptr_t)(PAGE - 1));

	EXPECT_EQ(-EPERM, bind(self, text, 1, 0));
	ASSERT_EQ(0, bind(self, text, 1, DRM_FAA_VM_BIND_READONLY));
	EXPECT_EQ(*(const uint64_t *)text, look(self, AREA));
}

TEST_F(userptr, a_file_mapped_shared)
{
	char path[] = "/tmp/faa-userptr-XXXXXX";
	const int files[] = { memfd_create("faa", 0), mkstemp(path) };

	for (unsigned int i = 0; i < 2; i++) {
		uint64_t got = 0;

		ASSERT_LE(0, files[i]);
		ASSERT_EQ(0, ftruncate(files[i], 2 * PAGE));
		uint64_t *map =
			mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, files[i], 0);

		ASSERT_NE(MAP_FAILED, map);
		map[0] = 3;
		/* Not beyond the end of the file. */
		EXPECT_EQ(-EFAULT, bind(self, map, 3, 0));
		ASSERT_EQ(0, bind(self, map, 2, 0));
		EXPECT_EQ(3, look(self, AREA));
		/*
		 * The device's stores reach the file, also those after a write-back of the memory.
		 */
		ASSERT_EQ(0, poke(self, AREA + PAGE, 1234 + i));
		ASSERT_EQ(0, msync(map, 2 * PAGE, MS_SYNC));
		ASSERT_EQ(0, poke(self, AREA + PAGE + 8, 4321 + i));
		ASSERT_EQ(0, munmap(map, 3 * PAGE));
		ASSERT_EQ(8, pread(files[i], &got, 8, PAGE));
		EXPECT_EQ(1234 + i, got);
		ASSERT_EQ(8, pread(files[i], &got, 8, PAGE + 8));
		EXPECT_EQ(4321 + i, got);
		close(files[i]);
	}
	unlink(path);
}

TEST_F(userptr, a_file_mapped_private)
{
	int file = memfd_create("faa", 0);
	uint64_t got = 0;

	ASSERT_LE(0, file);
	ASSERT_EQ(0, ftruncate(file, PAGE));
	ASSERT_EQ(8, pwrite(file, &(uint64_t){ 21 }, 8, 0));
	uint64_t *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);

	ASSERT_NE(MAP_FAILED, map);
	ASSERT_EQ(0, bind(self, map, 1, DRM_FAA_VM_BIND_READONLY));
	EXPECT_EQ(21, look(self, AREA));
	ASSERT_EQ(0, bind(self, map, 1, 0));
	ASSERT_EQ(0, poke(self, AREA, 22));
	EXPECT_EQ(22, map[0]);
	ASSERT_EQ(8, pread(file, &got, 8, 0));
	EXPECT_EQ(21, got);
	munmap(map, PAGE);
	close(file);
}

TEST_F(userptr, memory_that_is_not_there)
{
	const uint32_t flags[] = { 0, DRM_FAA_VM_BIND_READONLY, DRM_FAA_VM_BIND_FAULTABLE };
	char *hole =
		mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *none = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, hole);
	ASSERT_NE(MAP_FAILED, none);
	/* Freed, with memory before and after it. */
	ASSERT_EQ(0, munmap(hole + PAGE, 2 * PAGE));
	for (unsigned int i = 0; i < 3; i++) {
		EXPECT_EQ(-EFAULT, bind(self, hole + PAGE, 1, flags[i]));
		EXPECT_EQ(-EFAULT, bind(self, hole, 2, flags[i]));
		EXPECT_EQ(-EFAULT, bind(self, hole + 2 * PAGE, 2, flags[i]));
		EXPECT_EQ(-EFAULT, bind(self, none, 1, flags[i]));
		/* Never mapped, beyond the process, of the kernel, not canonical. */
		EXPECT_EQ(-EFAULT, bind(self, NULL, 1, flags[i]));
		EXPECT_EQ(-EFAULT, bind(self, (void *)0x10000, 4, flags[i]));
		EXPECT_EQ(-EFAULT, bind(self, (void *)0x7ffffffff000, 1, flags[i]));
		EXPECT_EQ(-EFAULT, bind(self, (void *)0x800000000000, 1, flags[i]));
		EXPECT_EQ(-EFAULT, bind(self, (void *)0xffff888000000000, 1, flags[i]));
		EXPECT_EQ(-EFAULT, bind(self, (void *)0xffffffff80000000, 1, flags[i]));
		/* Memory of a device: a mapped BO. */
		EXPECT_EQ(-EFAULT, bind(self, self->client.data, 1, flags[i]));
	}
	EXPECT_EQ(0, bind(self, hole, 1, 0));
	munmap(none, PAGE);
	munmap(hole, 4 * PAGE);
}

TEST_F(userptr, malformed_ranges)
{
	const struct {
		uint64_t userptr, va, size;
	} bad[] = {
		{ (uintptr_t)self->memory + 1, AREA, PAGE },
		{ (uintptr_t)self->memory + 2048, AREA, PAGE },
		{ (uintptr_t)self->memory, AREA + 8, PAGE },
		{ (uintptr_t)self->memory, AREA, PAGE + 8 },
		{ (uintptr_t)self->memory, AREA, 0 },
		{ UINT64_MAX - PAGE + 1, AREA, 2 * PAGE },
		{ UINT64_MAX - PAGE + 1, AREA, PAGE },
		{ (uintptr_t)self->memory, AREA, (1ull << 38) + PAGE },
		{ (uintptr_t)self->memory, 1ull << FAA_VA_BITS, PAGE },
		{ (uintptr_t)self->memory, (1ull << FAA_VA_BITS) - PAGE, 2 * PAGE },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, vm_map_userptr(self->client.fd, self->client.vm,
						  (void *)(uintptr_t)bad[i].userptr, bad[i].va,
						  bad[i].size, 0))
		{
			TH_LOG("case %u", i);
		}
	}
}

TEST_F(userptr, the_failed_operation_is_named_and_changes_nothing)
{
	char *gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct drm_faa_vm_bind_op ops[4];
	struct drm_faa_vm_bind arg = {
		.vm_id = self->client.vm,
		.ops = { .stride = sizeof(ops[0]), .count = 4, .array = (uintptr_t)ops },
	};

	ASSERT_NE(MAP_FAILED, gone);
	munmap(gone, PAGE);
	ASSERT_EQ(0, bind(self, self->memory, 4, 0));
	for (unsigned int i = 0; i < 4; i++) {
		self->memory[i * PAGE / 8] = i + 1;
		/* The pages in reverse order. */
		ops[i] = (struct drm_faa_vm_bind_op){
			.op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
			.userptr = (uintptr_t)self->memory + (3 - i) * PAGE,
			.va = AREA + i * PAGE,
			.size = PAGE,
		};
	}
	ops[2].userptr = (uintptr_t)gone;
	ASSERT_EQ(-EFAULT, xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &arg));
	EXPECT_EQ(2, arg.failed_op);
	EXPECT_EQ(4, look(self, AREA));
	EXPECT_EQ(3, look(self, AREA + PAGE));
	EXPECT_EQ(3, look(self, AREA + 2 * PAGE));
	EXPECT_EQ(4, look(self, AREA + 3 * PAGE));
}

/* Parts of a mapping are unmapped and replaced; the rest still follows the memory. */
TEST_F(userptr, cut_in_pieces)
{
	struct client *c = &self->client;

	for (unsigned int i = 0; i < PAGES; i++)
		self->memory[i * PAGE / 8] = i + 1;
	ASSERT_EQ(0, bind(self, self->memory, PAGES, 0));
	ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA + 2 * PAGE, PAGE));
	ASSERT_EQ(0, vm_map(c->fd, c->vm, c->data_bo, PAGE, AREA + 4 * PAGE, PAGE, 0));
	ASSERT_EQ(0, vm_map_null(c->fd, c->vm, AREA + 6 * PAGE, PAGE, 0));
	c->data64[PAGE / 8] = 77;
	for (unsigned int round = 0; round < 2; round++) {
		for (unsigned int i = 0; i < PAGES; i++) {
			const uint64_t want = i == 2 ? ~0ull : i == 4 ? 77 : i == 6 ? 0 : i + 1;

			EXPECT_EQ(want, look(self, AREA + i * PAGE));
		}
		/* Now all pages are dropped and found again. */
		ASSERT_EQ(0, mprotect(self->memory, PAGES * PAGE, PROT_READ));
		ASSERT_EQ(0, mprotect(self->memory, PAGES * PAGE, PROT_READ | PROT_WRITE));
	}
	/* Pages that are no longer mapped may be unmapped at once. */
	ASSERT_EQ(0, munmap((char *)self->memory + 2 * PAGE, PAGE));
	EXPECT_EQ(2, look(self, AREA + PAGE));
	EXPECT_EQ(4, look(self, AREA + 3 * PAGE));
}

TEST_F(userptr, one_page_at_many_addresses)
{
	struct client *c = &self->client;

	for (unsigned int i = 0; i < 6; i++)
		ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, self->memory, AREA + i * PAGE, PAGE,
					    i & 1 ? DRM_FAA_VM_BIND_FAULTABLE : 0));
	ASSERT_EQ(0, poke(self, AREA + 5 * PAGE, 6));
	for (unsigned int i = 0; i < 6; i++)
		EXPECT_EQ(6, look(self, AREA + i * PAGE));
}

/* More pages than a leaf table has, and than are handled at a time. */
TEST_F(userptr, many_pages)
{
	const unsigned int pages = 1500;
	struct client *c = &self->client;
	uint64_t *big = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(MAP_FAILED, big);
	for (unsigned int i = 0; i < pages; i += 3)
		big[i * PAGE / 8] = i + 1;
	ASSERT_EQ(0, bind(self, big, pages, 0));
	for (unsigned int i = 0; i < pages; i += 97)
		EXPECT_EQ(i % 3 ? 0 : i + 1, look(self, AREA + i * PAGE));
	ASSERT_EQ(0, munmap((char *)big + 700 * PAGE, 100 * PAGE));
	EXPECT_EQ(700, look(self, AREA + 699 * PAGE));
	EXPECT_EQ(~0ull, look(self, AREA + 700 * PAGE));
	EXPECT_EQ(~0ull, look(self, AREA + 799 * PAGE));
	EXPECT_EQ(0, look(self, AREA + 800 * PAGE));
	ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA, pages * PAGE));
	munmap(big, pages * PAGE);
}

/* A child shares the parent's file: its jobs work on memory of the parent. */
TEST_F(userptr, the_memory_is_that_of_who_mapped_it)
{
	int status;
	pid_t child;

	self->memory[0] = 1;
	ASSERT_EQ(0, bind(self, self->memory, 1, 0));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		self->memory[0] = 2;
		_exit(look(self, AREA) == 1 && !poke(self, AREA + 8, 3) && !self->memory[1] ? 0 :
											      1);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(1, self->memory[0]);
	EXPECT_EQ(3, self->memory[1]);
	/* The child's exit does not stop the queue; sequence numbers continued. */
	EXPECT_EQ(3, look(self, AREA + 8));
}

/* The process that mapped its memory exits, another one keeps the file open. */
TEST_F(userptr, the_owner_of_the_memory_ends)
{
	int status;
	pid_t child = fork();

	ASSERT_LE(0, child);
	if (!child) {
		self->memory[0] = 2;
		_exit(bind(self, self->memory, 2, 0) || look(self, AREA) != 2);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(~0ull, look(self, AREA));
	EXPECT_EQ(FAA_ERROR_NOT_MAPPED, poke(self, AREA + PAGE, 1));
	ASSERT_EQ(0, bind(self, self->memory, 2, 0));
	EXPECT_EQ(0, look(self, AREA));
}

/* The process ends in different ways while a job runs on its memory. */
TEST_F(userptr, a_process_ends_under_its_job)
{
	for (unsigned int how = 0; how < 4; how++) {
		pid_t child = fork();
		int status;

		ASSERT_LE(0, child);
		if (!child) {
			struct client c;
			uint64_t seqno;

			if (client_open(&c, 0) ||
			    vm_map_userptr(c.fd, c.vm, self->memory, AREA, PAGE,
					   how & 1 ? DRM_FAA_VM_BIND_FAULTABLE : 0))
				_exit(1);
			put_mov(&c, FAA_TYPE_U64, 1, op_stream(AREA, FAA_TYPE_U64, 8), op_imm(1));
			put_sem_signal(&c, AREA + 8, 1);
			put_sem_wait(&c, AREA + 64, 1);
			put_end(&c);
			if (client_submit(&c, &seqno))
				_exit(2);
			for (uint64_t end = now_ms() + WAIT_MS;
			     !((volatile uint64_t *)self->memory)[1] && now_ms() < end;)
				usleep(1000);
			if (!self->memory[1])
				_exit(3);
			if (how & 2)
				execl("/bin/true", "true", NULL);
			_exit(0);
		}
		ASSERT_EQ(child, waitpid(child, &status, 0));
		EXPECT_EQ(0, status);
	}
}

/*
 * One page at many addresses, in two VMs. Each mapping works, also after others were removed; the
 * kernel's check of DMA mappings, which counts those of a page, reports nothing.
 */
TEST_F(userptr, a_page_at_many_addresses)
{
	enum { N = 20 };
	struct client *c = &self->client, other;
	uint32_t *page = (uint32_t *)self->memory;

	ASSERT_EQ(0, client_open(&other, 0));
	for (unsigned int i = 0; i < N; i++) {
		ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, page, AREA + 2 * i * PAGE, PAGE, 0));
		ASSERT_EQ(0, vm_map_userptr(other.fd, other.vm, page, AREA + 2 * i * PAGE, PAGE,
					    i % 2 ? DRM_FAA_VM_BIND_READONLY : 0));
	}
	/* The oldest mapping is removed first. */
	for (unsigned int i = 0; i < N; i++) {
		page[0] = 0;
		put_mov(c, FAA_TYPE_U32, 1, op_stream(AREA + 2 * i * PAGE, FAA_TYPE_U32, 4),
			op_imm(1000 + i));
		put_end(c);
		ASSERT_EQ(0, client_run(c, NULL));
		EXPECT_EQ(1000 + i, page[0]);
		put_mov(&other, FAA_TYPE_U32, 1, op_stream(DATA_VA, FAA_TYPE_U32, 4),
			op_stream(AREA + 2 * i * PAGE, FAA_TYPE_U32, 4));
		put_end(&other);
		ASSERT_EQ(0, client_run(&other, NULL));
		EXPECT_EQ(1000 + i, other.data32[0]);
		ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA + 2 * i * PAGE, PAGE));
		put_mov(c, FAA_TYPE_U32, 1, op_stream(AREA + 2 * i * PAGE, FAA_TYPE_U32, 4),
			op_imm(1));
		put_end(c);
		EXPECT_EQ(-EFAULT, client_run(c, NULL));
	}
	/* All remaining mappings of the page are removed at once. */
	for (unsigned int i = 0; i < N; i++)
		ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, page, AREA + 2 * i * PAGE, PAGE, 0));
	ASSERT_EQ(0, madvise(page, PAGE, MADV_DONTNEED));
	put_mov(c, FAA_TYPE_U32, 1, op_stream(AREA + 2 * (N - 1) * PAGE, FAA_TYPE_U32, 4),
		op_imm(77));
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	EXPECT_EQ(77, page[0]);
	EXPECT_EQ(0, client_close(&other));
}

TEST_HARNESS_MAIN
