// SPDX-License-Identifier: MIT
/* The status ring: read-only by any means, right slots, and a lifetime beyond that of its queue. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(ring)
{
	struct client client;
	struct drm_faa_bo_mmap_offset map;
	size_t size;
};

FIXTURE_SETUP(ring)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
	self->map = (struct drm_faa_bo_mmap_offset){ .handle = self->client.status_bo };
	self->size = self->client.entries * sizeof(struct drm_faa_status);
	ASSERT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &self->map));
}

FIXTURE_TEARDOWN(ring)
{
	EXPECT_EQ(0, client_close(&self->client));
}

TEST_F(ring, cannot_be_mapped_writable)
{
	const int fd = self->client.fd;
	const off_t offset = (off_t)self->map.offset;

	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, self->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, self->size, PROT_WRITE, MAP_SHARED, fd, offset));
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, self->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, offset));
}

TEST_F(ring, cannot_be_made_writable)
{
	void *at = (void *)self->client.ring;

	EXPECT_EQ(-1, mprotect(at, self->size, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(-1, mprotect(at, self->size, PROT_WRITE));
	/* The ring still works. */
	put_end(&self->client);
	EXPECT_EQ(0, client_run(&self->client, NULL));
}

static sigjmp_buf jump;

static void on_fault(int number)
{
	(void)number;
	siglongjmp(jump, 1);
}

TEST_F(ring, a_store_is_a_fault)
{
	struct sigaction action = { .sa_handler = on_fault };

	ASSERT_EQ(0, sigaction(SIGSEGV, &action, NULL));
	ASSERT_EQ(0, sigaction(SIGBUS, &action, NULL));
	if (!sigsetjmp(jump, 1)) {
		((volatile struct drm_faa_status *)self->client.ring)[0].seqno = 1;
		EXPECT_TRUE(false)
		{
			TH_LOG("a store into the status ring went through");
		}
	}
	EXPECT_EQ(0, self->client.ring[0].seqno);
}

/* Nor may the kernel write for the process: a read() into it must fail. */
TEST_F(ring, the_kernel_does_not_write_for_us)
{
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	ASSERT_LE(0, zero);
	EXPECT_EQ(-1, read(zero, (void *)self->client.ring, 8));
	EXPECT_EQ(EFAULT, errno);
	close(zero);
}

TEST_F(ring, every_job_has_its_slot)
{
	struct client *c = &self->client;
	struct drm_faa_status status, other;
	uint64_t seqno, last_end = 0;

	for (unsigned int i = 1; i <= 2 * c->entries + 5; i++) {
		c->words = 0;
		put_mov(c, FAA_TYPE_U32, i, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_imm(i));
		put_end(c);
		ASSERT_EQ(0, client_submit(c, &seqno));
		ASSERT_EQ(i, seqno);
		ASSERT_EQ(0, client_wait(c, seqno, &status));
		EXPECT_EQ(0, status.code);
		EXPECT_EQ(8 * (c->words - 1), status.command);
		EXPECT_EQ(i, status.elements_retired);
		EXPECT_EQ((i + 31) / 32, status.warps);
		EXPECT_EQ(0, status.passes);
		EXPECT_LE(status.start_cycle, status.end_cycle);
		EXPECT_LE(last_end, status.end_cycle);
		last_end = status.end_cycle;
		/* The slot that is overwritten next still has the old job's record. */
		if (i > c->entries) {
			EXPECT_FALSE(client_status(c, i - c->entries, &other));
			EXPECT_TRUE(client_status(c, i - c->entries + 1, &other));
		}
	}
}

TEST_F(ring, counts_passes_over_the_banks)
{
	struct drm_faa_status status;
	struct client c;
	uint32_t parts;

	ASSERT_EQ(0, client_open(&c, 4096));
	/*
	 * 32 lanes on one address: one group for each part of the warp that the unit takes in a
	 * cycle, of 32 lanes or fewer; or 32 groups for 64 bits. 32 lanes on 32 banks: one pass
	 * for each part.
	 */
	put_atoms(&c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_imm(0), op_imm(1));
	put_end(&c);
	ASSERT_EQ(0, client_run(&c, &status));
	parts = status.passes;
	EXPECT_TRUE(parts == 1 || parts == 2 || parts == 4 || parts == 8);
	put_atoms(&c, FAA_ATOMS_OP_EXCH, FAA_TYPE_U64, 32, op_none(), op_imm(0), op_imm(1));
	put_end(&c);
	ASSERT_EQ(0, client_run(&c, &status));
	EXPECT_EQ(32, status.passes);
	put_atoms(&c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_affine(0, 4), op_imm(1));
	put_end(&c);
	ASSERT_EQ(0, client_run(&c, &status));
	EXPECT_EQ(parts, status.passes);
	EXPECT_EQ(0, client_close(&c));
}

TEST_F(ring, outlives_queue_and_handle)
{
	struct drm_faa_queue_create queue;
	const volatile struct drm_faa_status *ring;
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.stream_bytes = 8,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};

	ASSERT_EQ(0, queue_create(c->fd, c->vm, 0, &queue));
	ring = bo_mmap(c->fd, queue.status_handle, self->size, PROT_READ);
	ASSERT_NE(NULL, (void *)ring);
	/* The handle is closed first: the device still writes into the ring. */
	ASSERT_EQ(0, bo_close(c->fd, queue.status_handle));
	put_end(c);
	ASSERT_EQ(0, submit(c->fd, queue.queue_id, &job, 1, NULL));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	EXPECT_EQ(1, ring[1].seqno);
	ASSERT_EQ(0, queue_destroy(c->fd, queue.queue_id));
	EXPECT_EQ(1, ring[1].seqno);
	munmap((void *)ring, self->size);
}

TEST_F(ring, every_queue_has_its_own)
{
	struct client other;
	struct drm_faa_status status;

	ASSERT_EQ(0, client_open(&other, 0));
	put_end(&other);
	ASSERT_EQ(0, client_run(&other, &status));
	EXPECT_EQ(1, status.seqno);
	EXPECT_FALSE(client_status(&self->client, 1, &status));
	EXPECT_EQ(0, client_close(&other));
}

TEST_HARNESS_MAIN
