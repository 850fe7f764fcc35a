// SPDX-License-Identifier: MIT
/*
 * Limits on the resources of the device and the machine that one client may use, so that every
 * other client gets its share.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(limits)
{
	int fd;
	struct drm_faa_device_info info;
};

FIXTURE_SETUP(limits)
{
	self->fd = faa_open();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, device_info(self->fd, &self->info));
}

FIXTURE_TEARDOWN(limits)
{
	close(self->fd);
}

/* Let every user open the nodes with this prefix. */
static void open_up(const char *prefix, unsigned int first)
{
	for (unsigned int i = first; i < first + 16; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/dev/dri/%s%u", prefix, i);
		(void)!chmod(path, 0666);
	}
}

/* A DRM master with a file of its own; the parent has made the node accessible. */
static int high_priority_as_master(void *unused)
{
	struct drm_faa_queue_create queue = { .priority = DRM_FAA_PRIORITY_REALTIME };
	int fd = -1, ret;

	for (unsigned int i = 0; i < 16 && fd < 0; i++) {
		struct drm_version version = { 0 };
		char path[64], name[32] = "";

		snprintf(path, sizeof(path), "/dev/dri/card%u", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		version.name = name;
		version.name_len = sizeof(name) - 1;
		if (fd >= 0 && (xioctl(fd, DRM_IOCTL_VERSION, &version) || strcmp(name, "faa"))) {
			close(fd);
			fd = -1;
		}
	}
	if (fd < 0)
		return -ENXIO;
	/* The first opener of a primary node is master; only a master may set itself again. */
	if (ioctl(fd, DRM_IOCTL_SET_MASTER, 0))
		return -ESRCH;
	ret = vm_create(fd, &queue.vm_id);
	return ret ? ret : xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, &queue);
}

TEST_F(limits, a_drm_master_has_no_higher_priority)
{
	open_up("card", 0);
	EXPECT_EQ(-EACCES, as_nobody(high_priority_as_master, NULL));
}

/*
 * Create queues until the file may have no more. Returns their number; *@error: the error that
 * ended it.
 */
static unsigned int take_queues(int fd, int *error)
{
	struct drm_faa_queue_create queue;
	unsigned int n = 0;
	uint32_t vm;

	*error = vm_create(fd, &vm);
	while (!*error) {
		*error = queue_create(fd, vm, 0, &queue);
		if (!*error)
			n++;
	}
	return n;
}

TEST_F_TIMEOUT(limits, a_greedy_file_leaves_queues_to_others, 120)
{
	int others[4], error;

	EXPECT_EQ(self->info.max_queues, take_queues(self->fd, &error));
	EXPECT_EQ(-ENOSPC, error);
	for (unsigned int i = 0; i < 4; i++) {
		struct drm_faa_queue_create queue;
		uint32_t vm;

		others[i] = faa_open();
		ASSERT_LE(0, others[i]);
		ASSERT_EQ(0, vm_create(others[i], &vm));
		EXPECT_EQ(0, queue_create(others[i], vm, 0, &queue));
	}
	for (unsigned int i = 0; i < 4; i++)
		close(others[i]);
}

static int one_queue(void *unused)
{
	struct drm_faa_queue_create queue;
	int fd = faa_open(), ret;
	uint32_t vm;

	if (fd < 0)
		return fd;
	ret = vm_create(fd, &vm);
	if (!ret)
		ret = queue_create(fd, vm, 0, &queue);
	close(fd);
	return ret;
}

/* With any number of files. */
TEST_F_TIMEOUT(limits, a_greedy_user_leaves_queues_to_others, 240)
{
	enum { FILES = 20 };
	unsigned int sum = 0;
	int files[FILES], error;

	open_up("renderD", 128);
	for (unsigned int i = 0; i < FILES; i++) {
		files[i] = faa_open();
		ASSERT_LE(0, files[i]);
		sum += take_queues(files[i], &error);
		EXPECT_EQ(-ENOSPC, error);
	}
	/*
	 * Two files take half of the 4096 queues; each other file gets one of those reserved for
	 * new files.
	 */
	EXPECT_EQ(2 * DRM_FAA_MAX_QUEUES + FILES - 2, sum);
	EXPECT_EQ(0, as_nobody(one_queue, NULL));
	for (unsigned int i = 0; i < FILES; i++)
		close(files[i]);
}

/* More VMs than VM numbers of the device; each is usable. */
TEST_F(limits, vms_do_not_run_out)
{
	enum { FILES = 10 };
	int files[FILES];
	uint32_t vm = 0;

	for (unsigned int i = 0; i < FILES; i++) {
		files[i] = faa_open();
		ASSERT_LE(0, files[i]);
		for (unsigned int j = 0; j < DRM_FAA_MAX_VMS; j++) {
			ASSERT_EQ(0, vm_create(files[i], &vm))
			{
				TH_LOG("VM %u of file %u", j, i);
			}
		}
	}
	for (unsigned int i = 0; i < FILES; i++) {
		struct drm_faa_queue_create queue;

		ASSERT_EQ(0, queue_create(files[i], vm, 0, &queue));
		ASSERT_EQ(0, queue_destroy(files[i], queue.queue_id));
	}
	for (unsigned int i = 0; i < FILES; i++)
		close(files[i]);
}

/* Objects larger than any memory do not use up the offsets for mmap(). */
TEST_F(limits, huge_objects_take_nothing_from_others)
{
	uint32_t huge, small;
	int other = faa_open();

	ASSERT_LE(0, other);
	EXPECT_EQ(-EINVAL, bo_create(self->fd, 1ull << 40, &huge));
	EXPECT_EQ(-EINVAL, bo_create(self->fd, (1ull << 40) - (1 << 20), &huge));
	for (unsigned int i = 0; i < 64; i++)
		ASSERT_EQ(0, bo_create(self->fd, 128 << 20, &huge));
	ASSERT_EQ(0, bo_create(other, PAGE, &small));
	EXPECT_NE(NULL, bo_mmap(other, small, PAGE, PROT_READ));
	close(other);
}

/* A client whose first job runs, and makes progress, until gate_end(); its fence is gate->sync. */
static int gate_begin(struct client *gate)
{
	uint64_t seqno;
	int ret = client_open(gate, 1024);

	if (ret)
		return ret;
	put_atoms(gate, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_imm(0), op_imm(1));
	put_jump(gate, -(int32_t)gate->words);
	return client_submit(gate, &seqno);
}

static int gate_end(struct client *gate)
{
	int ret = queue_destroy(gate->fd, gate->queue);

	gate->queue = 0;
	return ret ? ret : syncobj_wait(gate->fd, gate->sync, WAIT_MS);
}

/* The number of destroyed queues whose jobs wait for a fence is bounded. */
TEST_F_TIMEOUT(limits, destroyed_queues_are_bounded, 120)
{
	struct client gate;
	struct drm_faa_sync wait = { 0 };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.stream_bytes = 8,
		.syncs = { .stride = sizeof(wait), .count = 1, .array = (uintptr_t)&wait },
	};
	struct drm_faa_queue_create queue;
	unsigned int n;
	uint64_t end;
	int ret = 0;

	ASSERT_EQ(0, gate_begin(&gate));
	wait.handle = gate.sync;
	for (n = 0; n < 200; n++) {
		ret = queue_create(gate.fd, gate.vm, 0, &queue);
		if (ret)
			break;
		ASSERT_EQ(0, submit(gate.fd, queue.queue_id, &job, 1, NULL));
		ASSERT_EQ(0, queue_destroy(gate.fd, queue.queue_id));
		ASSERT_EQ(0, bo_close(gate.fd, queue.status_handle));
	}
	if (fence_error(gate.fd, gate.sync) != -EBUSY)
		SKIP(return, "the machine is too slow for the job limit");
	EXPECT_EQ(-ENOSPC, ret);
	EXPECT_GE(64, n);
	/* They are freed when the fence signals. */
	ASSERT_EQ(0, gate_end(&gate));
	for (end = now_ms() + 20000; now_ms() < end;) {
		ret = queue_create(gate.fd, gate.vm, 0, &queue);
		if (!ret)
			break;
		usleep(10000);
	}
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, queue_destroy(gate.fd, queue.queue_id));
	EXPECT_EQ(0, client_close(&gate));
}

/* The number of pending asynchronous binds is bounded; completed ones make room. */
TEST_F_TIMEOUT(limits, pending_binds_are_bounded, 120)
{
	struct client gate;
	struct drm_faa_vm_bind_op op = { .op = DRM_FAA_VM_BIND_OP_UNMAP,
					 .va = 1 << 30,
					 .size = PAGE };
	struct drm_faa_sync sync = { 0 };
	struct drm_faa_vm_bind bind = {
		.flags = DRM_FAA_VM_BIND_ASYNC,
		.ops = { .stride = sizeof(op), .count = 1, .array = (uintptr_t)&op },
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};
	unsigned int n;
	int ret = 0;

	ASSERT_EQ(0, gate_begin(&gate));
	bind.vm_id = gate.vm;
	sync.handle = gate.sync;
	for (n = 0; n < 1000 && !ret; n++)
		ret = xioctl(gate.fd, DRM_IOCTL_FAA_VM_BIND, &bind);
	if (fence_error(gate.fd, gate.sync) != -EBUSY)
		SKIP(return, "the machine is too slow for the job limit");
	EXPECT_EQ(-ENOSPC, ret);
	EXPECT_EQ(DRM_FAA_MAX_PENDING_BINDS + 1, n);
	ASSERT_EQ(0, gate_end(&gate));
	/* A call without ASYNC waits until none is pending. */
	ASSERT_EQ(0, vm_unmap(gate.fd, gate.vm, 1 << 30, PAGE));
	for (n = 0; n < 2 * DRM_FAA_MAX_PENDING_BINDS; n++) {
		ASSERT_EQ(0, xioctl(gate.fd, DRM_IOCTL_FAA_VM_BIND, &bind));
		ASSERT_EQ(0, vm_unmap(gate.fd, gate.vm, 1 << 30, PAGE));
	}
	EXPECT_EQ(0, client_close(&gate));
}

/* The total of sync operations in a call is bounded, because each costs time with locks held. */
TEST_F_TIMEOUT(limits, syncs_of_a_submit_are_bounded, 120)
{
	enum { JOBS = 8 };
	static struct drm_faa_sync syncs[JOBS][DRM_FAA_MAX_SYNCS];
	struct drm_faa_job jobs[JOBS] = { 0 };
	struct client c;

	ASSERT_EQ(0, client_open(&c, 0));
	put_end(&c);
	for (unsigned int i = 0; i < JOBS; i++) {
		jobs[i].stream_va = STREAM_VA;
		jobs[i].stream_bytes = 8 * c.words;
		jobs[i].syncs = (struct drm_faa_obj_array){ .stride = sizeof(syncs[0][0]),
							    .count = DRM_FAA_MAX_SYNCS,
							    .array = (uintptr_t)syncs[i] };
		/* The first half signals points; a job of the second half waits for each. */
		for (unsigned int j = 0; j < DRM_FAA_MAX_SYNCS; j++)
			syncs[i][j] = (struct drm_faa_sync){
				.flags = DRM_FAA_SYNC_TIMELINE |
					 (i % 4 < 2 ? DRM_FAA_SYNC_SIGNAL : 0),
				.handle = c.sync,
				.point = 1 + j + DRM_FAA_MAX_SYNCS * (i % 2),
			};
	}
	EXPECT_EQ(-EINVAL, submit(c.fd, c.queue, jobs, 5, NULL));
	jobs[4].syncs.count = 1;
	EXPECT_EQ(-EINVAL, submit(c.fd, c.queue, jobs, 5, NULL));
	EXPECT_EQ(-EINVAL, submit(c.fd, c.queue, jobs, JOBS, NULL));
	EXPECT_EQ(0, submit(c.fd, c.queue, jobs, 4, NULL));
	EXPECT_EQ(0, timeline_wait(c.fd, c.sync, 2 * DRM_FAA_MAX_SYNCS, WAIT_MS));
	EXPECT_EQ(0, client_close(&c));
}

#define CGROUP	  "/sys/fs/cgroup"
#define MY_CGROUP CGROUP "/faa-limits"
#define CGROUP_MB 24

/* Moves this process into a cgroup with little memory; its earlier memory is charged elsewhere. */
static int enter_cgroup(void)
{
	char text[32];
	int ret;

	if (access(CGROUP "/cgroup.controllers", R_OK) && mount("none", CGROUP, "cgroup2", 0, NULL))
		return -errno;
	(void)write_file(CGROUP "/cgroup.subtree_control", "+memory");
	if (mkdir(MY_CGROUP, 0755) && errno != EEXIST)
		return -errno;
	snprintf(text, sizeof(text), "%u", CGROUP_MB << 20);
	ret = write_file(MY_CGROUP "/memory.max", text);
	snprintf(text, sizeof(text), "%d", getpid());
	return ret ? ret : write_file(MY_CGROUP "/cgroup.procs", text);
}

/*
 * Calls @use up to @count times in a child in a cgroup, which must limit it. -ENOMEM also if the
 * child was killed.
 */
static int in_cgroup(int (*use)(int fd, unsigned int i), unsigned int count)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		int ret = enter_cgroup(), fd;

		if (ret)
			_exit(100);
		fd = faa_open();
		for (unsigned int i = 0; i < count && !ret; i++)
			ret = use(fd, i);
		_exit(-ret);
	}
	waitpid(pid, &status, 0);
	(void)rmdir(MY_CGROUP);
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGKILL ? -ENOMEM : -EINTR;
	return -WEXITSTATUS(status);
}

static uint32_t use_vm, use_bo;

/* A page far from all others: it needs two or three page tables. */
static int use_page_tables(int fd, unsigned int i)
{
	int ret = 0;

	if (!i) {
		ret = vm_create(fd, &use_vm);
		if (!ret)
			ret = bo_create(fd, PAGE, &use_bo);
	}
	return ret ? ret : vm_map(fd, use_vm, use_bo, 0, (uint64_t)i << 30, PAGE, 0);
}

/* Jobs that wait for ever, in as many queues as allowed. */
static int use_status_rings(int fd, unsigned int i)
{
	struct drm_faa_queue_create queue = { .status_entries = DRM_FAA_MAX_STATUS_ENTRIES };
	int ret = i ? 0 : vm_create(fd, &use_vm);

	queue.vm_id = use_vm;
	if (!ret)
		ret = xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, &queue);
	/* The BO of the status ring remains. */
	return ret ? ret : queue_destroy(fd, queue.queue_id);
}

static int use_null(int fd, unsigned int i)
{
	int ret = i ? 0 : vm_create(fd, &use_vm);

	return ret ? ret : vm_map_null(fd, use_vm, (uint64_t)i << 40, 1ull << 40, 0);
}

TEST_F_TIMEOUT(limits, page_tables_are_charged, 120)
{
	if (access(CGROUP, F_OK))
		SKIP(return, "the kernel has no cgroups");
	/* 12 KiB each. */
	EXPECT_EQ(-ENOMEM, in_cgroup(use_page_tables, 5000));
}

TEST_F_TIMEOUT(limits, status_rings_are_charged, 120)
{
	if (access(CGROUP, F_OK))
		SKIP(return, "the kernel has no cgroups");
	/* 256 KiB each. */
	EXPECT_EQ(-ENOMEM, in_cgroup(use_status_rings, 200));
}

/* A null mapping of 64 TiB costs little, and all of it is charged. */
TEST_F_TIMEOUT(limits, nothing_costs_nothing, 120)
{
	if (access(CGROUP, F_OK))
		SKIP(return, "the kernel has no cgroups");
	EXPECT_EQ(0, in_cgroup(use_null, 64));
}

TEST_HARNESS_MAIN
