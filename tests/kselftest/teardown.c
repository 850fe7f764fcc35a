// SPDX-License-Identifier: MIT
/*
 * The device is removed while threads of a program wait for each other in the kernel: unbinding
 * ends within a bound, and all waits end with it. Anything that could hang runs in a process of its
 * own, so that a failure is reported instead of blocking the test.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define AREA  0x80000000ull
#define PAGES 4
/* Time in which a thread reaches its wait; bound of the unbind and the waits that it ends. */
#define SETTLE_MS 200
#define BOUND_MS  15000

/* Report of a process, written to its pipe. */
struct report {
	int submitted, changed, other, fence;
};

/** struct scene - memory that an endless job uses, and threads that wait because of it */
struct scene {
	struct client client;
	char *memory, *second;
	int file;
	struct report report;
	int (*other)(struct scene *scene);
	int (*change)(struct scene *scene);
};

static int change_dontneed(struct scene *scene)
{
	return madvise(scene->memory, PAGES * PAGE, MADV_DONTNEED) ? -errno : 0;
}

/*
 * Page faults of the file's second mapping sleep until the hole is punched, that is until the job
 * ends.
 */
static int change_punch(struct scene *scene)
{
	return fallocate(scene->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, PAGES * PAGE) ?
		       -errno :
		       0;
}

static int other_submit(struct scene *scene)
{
	struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 };

	return submit(scene->client.fd, scene->client.queue, &job, 1, NULL);
}

/* Ends the mapping, which has to remove the notifier. */
static int other_unmap(struct scene *scene)
{
	return vm_unmap(scene->client.fd, scene->client.vm, AREA, PAGES * PAGE);
}

/* A fault in the pages of another mapping of the file. */
static int other_map(struct scene *scene)
{
	return vm_map_userptr(scene->client.fd, scene->client.vm, scene->second,
			      AREA + PAGES * PAGE, PAGES * PAGE, 0);
}

static int other_map_async(struct scene *scene)
{
	struct drm_faa_vm_bind_op ops[2] = {
		{ .op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		  .userptr = (uintptr_t)scene->memory + PAGES * PAGE,
		  .va = AREA + 4 * PAGES * PAGE,
		  .size = PAGE },
		{ .op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
		  .userptr = (uintptr_t)scene->second,
		  .va = AREA + 8 * PAGES * PAGE,
		  .size = PAGES * PAGE },
	};
	struct drm_faa_vm_bind bind = {
		.vm_id = scene->client.vm,
		.flags = DRM_FAA_VM_BIND_ASYNC,
		.ops = { .stride = sizeof(ops[0]), .count = 2, .array = (uintptr_t)ops },
	};

	return xioctl(scene->client.fd, DRM_IOCTL_FAA_VM_BIND, &bind);
}

/* The page for the result of the ioctl is not present. */
static int other_query(struct scene *scene)
{
	struct drm_faa_dev_query query = {
		.type = DRM_FAA_DEV_QUERY_DEVICE,
		.size = sizeof(struct drm_faa_device_info),
		.pointer = (uintptr_t)scene->second,
	};

	return xioctl(scene->client.fd, DRM_IOCTL_FAA_DEV_QUERY, &query);
}

static void *change_thread(void *arg)
{
	struct scene *scene = arg;

	scene->report.changed = scene->change(scene);
	return NULL;
}

static void *other_thread(void *arg)
{
	struct scene *scene = arg;

	usleep(SETTLE_MS * 1000);
	scene->report.other = scene->other(scene);
	return NULL;
}

static char *map_file(int file)
{
	char *at = mmap(NULL, 2 * PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	return at == MAP_FAILED ? NULL : at;
}

static int scene_memory(struct scene *scene)
{
	scene->file = memfd_create("scene", MFD_CLOEXEC);
	if (scene->file < 0 || ftruncate(scene->file, 2 * PAGES * PAGE))
		return -errno;
	scene->memory = map_file(scene->file);
	scene->second = map_file(scene->file);
	if (!scene->memory || !scene->second)
		return -ENOMEM;
	memset(scene->memory, 1, 2 * PAGES * PAGE);
	return 0;
}

/* A job that signals its start and then runs for ever, with the memory mapped. */
static int scene_job(struct scene *scene)
{
	struct client *c = &scene->client;
	uint64_t seqno, end = now_ms() + WAIT_MS;
	int ret = vm_map_userptr(c->fd, c->vm, scene->memory, AREA, PAGES * PAGE, 0);

	if (ret)
		return ret;
	put_sem_signal(c, DATA_VA, 1);
	/* Makes progress all the time: only the job limit could end it. */
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_imm(0), op_imm(1));
	put_jump(c, -(int32_t)c->words);
	ret = client_submit(c, &seqno);
	while (!ret && !((volatile uint64_t *)c->data64)[0] && now_ms() < end)
		usleep(1000);
	return ret ? ret : c->data64[0] ? 0 : -ETIME;
}

/* The process of a scene: writes "r" when both threads wait, then its report. */
static int play(struct scene *scene, int out)
{
	pthread_t change, other;
	int fence;

	if (client_open(&scene->client, 1024) || scene_memory(scene) || scene_job(scene))
		return 1;
	fence = fence_fd(scene->client.fd, scene->client.sync);
	/*
	 * The other thread first: the change may wait with a lock that the creation of a thread
	 * needs.
	 */
	if (fence < 0 || pthread_create(&other, NULL, other_thread, scene) ||
	    pthread_create(&change, NULL, change_thread, scene))
		return 1;
	usleep(2 * SETTLE_MS * 1000);
	if (write(out, "r", 1) != 1)
		return 1;
	scene->report.fence = fence_fd_wait(fence, BOUND_MS);
	pthread_join(change, NULL);
	pthread_join(other, NULL);
	return write(out, &scene->report, sizeof(scene->report)) != sizeof(scene->report);
}

/* Reads bytes from a pipe for at most @ms. */
static bool read_within(int pipe, void *to, size_t size, int ms)
{
	struct pollfd file = { .fd = pipe, .events = POLLIN };

	return poll(&file, 1, ms) == 1 && read(pipe, to, size) == (ssize_t)size;
}

FIXTURE(teardown)
{
	char address[64];
	struct scene scene;
};

FIXTURE_VARIANT(teardown)
{
	int (*change)(struct scene * scene);
	int (*other)(struct scene * scene);
};

FIXTURE_VARIANT_ADD(teardown, submit){ .change = change_dontneed, .other = other_submit };
FIXTURE_VARIANT_ADD(teardown, unmap){ .change = change_dontneed, .other = other_unmap };
FIXTURE_VARIANT_ADD(teardown, fault_of_bind){ .change = change_punch, .other = other_map };
FIXTURE_VARIANT_ADD(teardown, fault_of_async){ .change = change_punch, .other = other_map_async };
FIXTURE_VARIANT_ADD(teardown, fault_of_query){ .change = change_punch, .other = other_query };

FIXTURE_SETUP(teardown)
{
	ASSERT_EQ(0, faa_pci_address(self->address, sizeof(self->address)));
	self->scene.change = variant->change;
	self->scene.other = variant->other;
}

FIXTURE_TEARDOWN(teardown)
{
}

/* Unbind in a process of its own; reports 'u' and the result. */
static int unbind_process(const char *address, int out)
{
	struct report report = { .other = write_file("/sys/bus/pci/drivers/faa/unbind", address) };

	return write(out, &report, sizeof(report)) != sizeof(report);
}

/* A child with the write end of a pipe; returns its PID. */
static pid_t start(int pipe_out[2])
{
	fflush(stdout);
	if (pipe(pipe_out))
		return -1;
	return fork();
}

TEST_F_TIMEOUT(teardown, unbind_ends_every_wait, 200)
{
	struct report report = { 0 };
	int actors[2], unbind[2];
	char ready = 0;
	pid_t pid;

	pid = start(actors);
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(play(&self->scene, actors[1]));
	ASSERT_TRUE(read_within(actors[0], &ready, 1, WAIT_MS));
	ASSERT_EQ('r', ready);
	/* The threads wait, so no report has been written. */
	ASSERT_FALSE(read_within(actors[0], &report, sizeof(report), 0));
	pid = start(unbind);
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(unbind_process(self->address, unbind[1]));
	ASSERT_TRUE(read_within(unbind[0], &report, sizeof(report), BOUND_MS))
	{
		TH_LOG("the unbind does not end");
	}
	EXPECT_EQ(0, report.other);
	ASSERT_TRUE(read_within(actors[0], &report, sizeof(report), BOUND_MS))
	{
		TH_LOG("a thread of the program still waits");
	}
	EXPECT_EQ(0, report.changed);
	EXPECT_EQ(-ENODEV, report.fence);
	EXPECT_TRUE(report.other == 0 || report.other == -ENODEV || report.other == -ECANCELED)
	{
		TH_LOG("the other call: %d", report.other);
	}
	while (wait(NULL) > 0)
		;
	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/faa/bind", self->address));
	ASSERT_EQ(0, client_open(&self->scene.client, 0));
	put_end(&self->scene.client);
	EXPECT_EQ(0, client_run(&self->scene.client, NULL));
	EXPECT_EQ(0, client_close(&self->scene.client));
}

FIXTURE(gone)
{
	struct client client;
	char address[64];
};

FIXTURE_SETUP(gone)
{
	ASSERT_EQ(0, faa_pci_address(self->address, sizeof(self->address)));
	ASSERT_EQ(0, client_open(&self->client, 0));
}

FIXTURE_TEARDOWN(gone)
{
}

/* Reads a stream of counters to its end; its last error. @flags: out: those of the last record. */
static int read_to_the_end(int stream, uint32_t *flags)
{
	struct {
		struct drm_faa_counters_record head;
		struct drm_faa_cu_counters cus[FAA_MAX_CUS];
	} record;

	while (read(stream, &record, sizeof(record)) > 0)
		*flags = record.head.flags;
	return -errno;
}

/*
 * The timeout handler finds a device that does not respond: its jobs are lost, not timed out. A
 * stream of counters has records without values, and an end.
 */
TEST_F_TIMEOUT(gone, is_lost_not_overdue, 200)
{
	struct drm_faa_counters_open counters = { .period_ns = 10000000, .records = 4096 };
	struct client *c = &self->client, fresh;
	uint32_t flags = 0;
	struct drm_faa_device_info info;
	uint64_t seqno, end;
	int first, second, fd;

	ASSERT_EQ(0, device_info(c->fd, &info));
	put_jump(c, 0);
	ASSERT_EQ(0, client_submit(c, &seqno));
	first = fence_fd(c->fd, c->sync);
	ASSERT_EQ(0, client_submit(c, &seqno));
	second = fence_fd(c->fd, c->sync);
	ASSERT_LE(0, first);
	ASSERT_LE(0, second);
	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_COUNTERS_OPEN, &counters));
	/*
	 * Without memory decoding the registers read as all-ones, as if the device had been pulled
	 * out.
	 */
	ASSERT_EQ(0, faa_pci_command(self->address, PCI_COMMAND_MEMORY, 0));
	EXPECT_EQ(-ENODEV, fence_fd_wait(first, (int)info.job_timeout_ms + 5000));
	EXPECT_EQ(-ENODEV, fence_fd_wait(second, 5000));
	for (uint64_t i = 1; i <= 2; i++) {
		EXPECT_EQ(i, c->ring[i].seqno);
		EXPECT_EQ(FAA_ERROR_DEVICE_LOST, c->ring[i].code);
	}
	/* The device is lost; its removal continues for a short time. */
	for (end = now_ms() + 10000; (fd = faa_open()) >= 0 && now_ms() < end; usleep(10000))
		close(fd);
	EXPECT_EQ(-ENODEV, fd);
	EXPECT_EQ(-ENODEV, read_to_the_end(counters.fd, &flags));
	EXPECT_EQ(DRM_FAA_COUNTERS_NO_VALUES, flags);
	close(counters.fd);
	client_close(c);
	close(first);
	close(second);
	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/faa/unbind", self->address));
	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/faa/bind", self->address));
	ASSERT_EQ(0, client_open(&fresh, 0));
	put_end(&fresh);
	EXPECT_EQ(0, client_run(&fresh, NULL));
	EXPECT_EQ(0, client_close(&fresh));
}

TEST_HARNESS_MAIN
