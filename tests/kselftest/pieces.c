// SPDX-License-Identifier: MIT
/*
 * A change of a large range is made in pieces, and other changes may take the lock of the VM's page
 * tables in between. The driver's trace (event faa_vm_piece, one each time that the lock is held)
 * has the number of pieces and their order.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define TRACEFS "/sys/kernel/tracing/"
/* Limit of a change with the lock held. */
#define PIECE	 0x2000000ull
#define AREA	 (4 * PIECE)
#define AREA_VA	 0x80000000ull
#define OTHER_VA 0x70000000ull

FIXTURE(pieces)
{
	struct client client;
};

FIXTURE_SETUP(pieces)
{
	if (mount("tracefs", TRACEFS, "tracefs", 0, NULL))
		ASSERT_EQ(EBUSY, errno);
	ASSERT_EQ(0, write_file(TRACEFS "events/faa/faa_vm_piece/enable", "1"));
	ASSERT_EQ(0, client_open(&self->client, 0));
}

FIXTURE_TEARDOWN(pieces)
{
	EXPECT_EQ(0, write_file(TRACEFS "events/faa/faa_vm_piece/enable", "0"));
	EXPECT_EQ(0, client_close(&self->client));
}

/* Clear the trace. */
static int trace_clear(void)
{
	int fd = open(TRACEFS "trace", O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/** struct seen - contents of the trace since it was cleared */
struct seen {
	/**
	 * @pieces: pieces in AREA of at most PIECE; larger ones are empty ranges that were skipped
	 */
	unsigned int pieces;
	/** @bytes: their total size */
	uint64_t bytes;
	/** @between: pieces elsewhere that come after one in AREA and before another one */
	unsigned int between;
};

static int trace_read(struct seen *seen)
{
	FILE *file = fopen(TRACEFS "trace", "re");
	unsigned int since = 0;
	char line[512];

	if (!file)
		return -errno;
	memset(seen, 0, sizeof(*seen));
	while (fgets(line, sizeof(line), file)) {
		const char *at = strstr(line, "faa_vm_piece: vm=");
		unsigned long long va, size;

		if (!at || sscanf(at, "faa_vm_piece: vm=%*u va=%llx size=%llx", &va, &size) != 2)
			continue;
		if (va < AREA_VA) {
			since++;
			continue;
		}
		if (seen->pieces)
			seen->between += since;
		since = 0;
		if (size <= PIECE) {
			seen->pieces++;
			seen->bytes += size;
		}
	}
	fclose(file);
	return 0;
}

static void check_pieces(struct __test_metadata *_metadata, uint64_t bytes)
{
	struct seen seen;

	ASSERT_EQ(0, trace_read(&seen));
	EXPECT_LE(bytes, seen.bytes);
	EXPECT_LE(bytes / PIECE, seen.pieces);
	ASSERT_EQ(0, trace_clear());
}

TEST_F_TIMEOUT(pieces, of_an_object, 120)
{
	struct client *c = &self->client;
	uint32_t handle;

	ASSERT_EQ(0, bo_create(c->fd, AREA, &handle));
	ASSERT_EQ(0, trace_clear());
	ASSERT_EQ(0, vm_map(c->fd, c->vm, handle, 0, AREA_VA, AREA, 0));
	check_pieces(_metadata, AREA);
	ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA_VA, AREA));
	check_pieces(_metadata, AREA);
	/* From inside a piece, and from inside the object. */
	ASSERT_EQ(0,
		  vm_map(c->fd, c->vm, handle, 5 * PAGE, AREA_VA + 3 * PAGE, AREA - 5 * PAGE, 0));
	check_pieces(_metadata, AREA - 5 * PAGE);
	ASSERT_EQ(0, bo_close(c->fd, handle));
}

/* Memory of the process that is mapped, removed, faulted in again for a job, and unmapped. */
TEST_F_TIMEOUT(pieces, of_memory_of_the_process, 300)
{
	char *memory = mmap(NULL, AREA, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct client *c = &self->client;

	ASSERT_NE(MAP_FAILED, memory);
	ASSERT_EQ(0, trace_clear());
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, memory, AREA_VA, AREA, DRM_FAA_VM_BIND_READONLY));
	check_pieces(_metadata, AREA);
	ASSERT_EQ(0, madvise(memory, AREA, MADV_DONTNEED));
	check_pieces(_metadata, AREA);
	put_end(c);
	ASSERT_EQ(0, client_run(c, NULL));
	check_pieces(_metadata, AREA);
	/* Entries are cleared, pages are dropped. */
	ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA_VA, AREA));
	check_pieces(_metadata, 2 * AREA);
	munmap(memory, AREA);
}

/** struct changer - a thread that changes memory that is mapped elsewhere in the VM */
struct changer {
	char *memory;
	bool stop;
};

static void *change_memory(void *arg)
{
	struct changer *changer = arg;

	while (!__atomic_load_n(&changer->stop, __ATOMIC_RELAXED)) {
		madvise(changer->memory, PAGE, MADV_DONTNEED);
		usleep(100);
	}
	return NULL;
}

/*
 * A notifier runs between two pieces at some time. Its thread has a real-time priority, so it gets
 * a single CPU as soon as it wakes up and the lock as soon as it is free. Offset and address differ
 * in the place in a large page, so each page has an entry, and a piece takes long enough.
 */
TEST_F_TIMEOUT(pieces, let_a_notifier_in, 300)
{
	struct changer changer = { 0 };
	struct client *c = &self->client;
	struct sched_param param = { .sched_priority = 1 };
	uint64_t end = now_ms() + 120000;
	struct seen seen = { 0 };
	pthread_t thread;
	uint32_t handle;

	changer.memory =
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)changer.memory);
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, changer.memory, OTHER_VA, PAGE,
				    DRM_FAA_VM_BIND_FAULTABLE));
	ASSERT_EQ(0, bo_create(c->fd, AREA, &handle));
	ASSERT_EQ(0, pthread_create(&thread, NULL, change_memory, &changer));
	ASSERT_EQ(0, pthread_setschedparam(thread, SCHED_FIFO, &param));
	while (!seen.between && now_ms() < end) {
		ASSERT_EQ(0, trace_clear());
		ASSERT_EQ(0, vm_map(c->fd, c->vm, handle, PAGE, AREA_VA, AREA - PAGE, 0));
		ASSERT_EQ(0, trace_read(&seen));
		ASSERT_EQ(0, vm_unmap(c->fd, c->vm, AREA_VA, AREA - PAGE));
	}
	EXPECT_LT(0, seen.between);
	__atomic_store_n(&changer.stop, true, __ATOMIC_RELAXED);
	ASSERT_EQ(0, pthread_join(thread, NULL));
	munmap(changer.memory, PAGE);
	ASSERT_EQ(0, bo_close(c->fd, handle));
}

TEST_HARNESS_MAIN
