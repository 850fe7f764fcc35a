// SPDX-License-Identifier: MIT
/*
 * The library on a kernel with a device. Tests the assumptions of the unit tests: whether the real
 * ioctls, syncobjs and dma-bufs behave as the library expects. Runs inside faa-run or on a machine
 * with the card.
 */
#include "check.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xf86drm.h>

#include <drm/faa_dump.h>

#include "faa.h"
#include "fixture.h"

#define BYTES  (8 * PAGE)
#define SECOND 1000000000ll

/* The fixture with a stream at 0 and data from PAGE on. */
static int setup(void **state)
{
	struct faa_queue_options options = { .shared_bytes = 1024, .status_entries = 64 };

	(void)state;
	assert_int_equal(faa_device_open(&device), 0);
	assert_int_equal(fixture_make(BYTES, &options), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fixture_release();
	faa_device_unref(device);
	device = NULL;
	return 0;
}

static struct faa_job upload(void)
{
	struct faa_job job = { .stream_va = va };

	assert_int_equal(faa_stream_upload(stream, bo, 0), 0);
	job.stream_bytes = faa_stream_bytes(stream);
	return job;
}

static int run(struct faa_job_status *status)
{
	struct faa_job job = upload();

	return faa_queue_run(queue, &job, faa_deadline(30 * SECOND), status);
}

static void error_in_words(void **state)
{
	struct faa_job_status status;
	const uint64_t *words;
	char text[256];
	size_t count;

	(void)state;
	faa_stream_nop(stream);
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 128, faa_none(),
			 faa_array_u32(va + PAGE, 4), 0, faa_imm(1), faa_none());
	faa_stream_end(stream);
	((uint32_t *)(memory + PAGE))[99] = 2;
	assert_int_equal(run(&status), -EINVAL);
	words = faa_stream_words(stream, &count);
	faa_status_format(&status, words, count, text, sizeof(text));
	assert_string_equal(text, "job 1: misaligned address 0x2 at command 1, element 99, lane 3");
	faa_stream_reset(stream);
	faa_stream_end(stream);
	assert_int_equal(run(&status), 0);
	assert_int_equal(status.seqno, 2);
}

static void fault_and_restart(void **state)
{
	struct faa_job_status status;
	struct faa_vm_info info;
	struct faa_job job;
	const uint64_t *words;
	uint64_t items;
	size_t count, i;

	(void)state;
	assert_int_equal(faa_vm_reserve(vm, 2 * PAGE, 0, &items), 0);
	assert_int_equal(faa_vm_bind(vm, bo, PAGE, PAGE, FAA_MAP_READONLY, items), 0);
	for (i = 0; i < 2048; i++)
		((uint32_t *)(memory + PAGE))[i] = i;
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 2048, faa_none(), faa_none(), 16,
			 faa_array_u32(items, 4), faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, 1, faa_array_u32(va + 4 * PAGE, 4), faa_none(), 16);
	faa_stream_end(stream);
	assert_int_equal(run(&status), -EFAULT);
	assert_int_equal(status.element, 1024);
	assert_int_equal(faa_vm_info(vm, &info), 0);
	assert_int_equal(info.fault_code, FAA_ERROR_NOT_MAPPED);
	assert_true(info.fault_va == items + PAGE);
	job = upload();
	words = faa_stream_words(stream, &count);
	assert_int_equal(faa_status_restart(&status, words, count, &job), 0);
	assert_int_equal(faa_vm_bind(vm, bo, 2 * PAGE, PAGE, FAA_MAP_READONLY, items + PAGE), 0);
	assert_int_equal(faa_queue_run(queue, &job, faa_deadline(30 * SECOND), &status), 0);
	assert_int_equal(*(uint32_t *)(memory + 4 * PAGE), 2047 * 2048 / 2);
	/* Mapped read-only. */
	faa_stream_reset(stream);
	faa_stream_st(stream, FAA_TYPE_U32, 1, faa_imm(items), 0, faa_imm(1));
	faa_stream_end(stream);
	assert_int_equal(run(&status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_WRITABLE);
	assert_int_equal(faa_vm_unmap(vm, items, 2 * PAGE), 0);
}

/* A job that waits for a word of memory which the CPU writes later. */
static void deadlines(void **state)
{
	struct faa_job_status status;
	struct faa_job job;
	uint64_t seqno;

	(void)state;
	faa_stream_sem_wait(stream, FAA_SEM_COND_GE, va + PAGE, 7);
	faa_stream_end(stream);
	job = upload();
	assert_int_equal(faa_queue_submit(queue, &job, 1, &seqno), 0);
	assert_int_equal(faa_queue_wait(queue, seqno, faa_deadline(SECOND / 20)), -ETIME);
	assert_int_equal(faa_queue_status(queue, seqno, &status), -EBUSY);
	__atomic_store_n((uint64_t *)(memory + PAGE), 8, __ATOMIC_RELEASE);
	assert_int_equal(faa_queue_wait(queue, seqno, faa_deadline(30 * SECOND)), 0);
	assert_int_equal(faa_queue_status(queue, seqno, &status), 0);
	assert_int_equal(status.code, FAA_ERROR_SUCCESS);
}

/* The second queue's job stores the value that the first queue's third job left in memory. */
static void queues_and_timelines(void **state)
{
	struct faa_sync wait = { FAA_SYNC_TIMELINE, faa_queue_syncobj(queue), 3 }, signals[2];
	struct faa_job jobs[3], job;
	struct faa_queue *second;
	uint32_t binary, timeline;
	uint64_t point = 40;

	(void)state;
	assert_int_equal(faa_queue_create(vm, NULL, &second), 0);
	assert_int_equal(faa_syncobj_create(device, false, &binary), 0);
	assert_int_equal(faa_syncobj_create(device, false, &timeline), 0);
	signals[0] = (struct faa_sync){ FAA_SYNC_SIGNAL, binary, 0 };
	signals[1] = (struct faa_sync){ FAA_SYNC_SIGNAL | FAA_SYNC_TIMELINE, timeline, 40 };
	/* shared[0] += 5; memory = shared[0] */
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, faa_none(), faa_none(), 0,
			 faa_imm(5), faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, 1, faa_array_u32(va + PAGE, 4), faa_none(), 0);
	faa_stream_end(stream);
	jobs[0] = jobs[1] = jobs[2] = upload();
	jobs[2].syncs = signals;
	jobs[2].sync_count = 2;
	/* memory[1] = memory[0] */
	faa_stream_reset(stream);
	faa_stream_mov(stream, FAA_TYPE_U32, 1, faa_array_u32(va + PAGE + 4, 4),
		       faa_array_u32(va + PAGE, 4));
	faa_stream_end(stream);
	assert_int_equal(faa_stream_upload(stream, bo, 2 * PAGE), 0);
	job = (struct faa_job){ va + 2 * PAGE, faa_stream_bytes(stream), 0, &wait, 1, 0 };
	assert_int_equal(faa_queue_submit(second, &job, 1, NULL), -EAGAIN);
	assert_int_equal(faa_queue_submit(queue, jobs, 3, NULL), 0);
	assert_int_equal(faa_queue_run(second, &job, faa_deadline(30 * SECOND), NULL), 0);
	assert_int_equal(((uint32_t *)(memory + PAGE))[1], 15);
	assert_int_equal(faa_syncobj_wait(device, &binary, NULL, 1, true, faa_deadline(SECOND)), 0);
	assert_int_equal(faa_syncobj_wait(device, &timeline, &point, 1, true, faa_deadline(SECOND)),
			 0);
	assert_int_equal(faa_syncobj_query(device, timeline, &point), 0);
	assert_int_equal(point, 40);
	point = 41;
	assert_int_equal(faa_syncobj_wait(device, &timeline, &point, 1, true,
					  faa_deadline(SECOND / 50)),
			 -ETIME);
	assert_int_equal(faa_syncobj_signal(device, timeline, 41), 0);
	assert_int_equal(faa_syncobj_wait(device, &timeline, &point, 1, true, 0), 0);
	faa_syncobj_destroy(device, binary);
	faa_syncobj_destroy(device, timeline);
	faa_queue_destroy(second);
}

static void status_ring_wraps(void **state)
{
	struct faa_job_status status;
	struct faa_job job;
	uint64_t i, seqno;

	(void)state;
	faa_stream_end(stream);
	job = upload();
	for (i = 1; i <= 65; i++) {
		assert_int_equal(faa_queue_submit(queue, &job, 1, &seqno), 0);
		assert_int_equal(seqno, i);
		assert_int_equal(faa_queue_wait(queue, seqno, faa_deadline(30 * SECOND)), 0);
	}
	assert_int_equal(faa_queue_status(queue, 1, &status), -ENODATA);
	assert_int_equal(faa_queue_status(queue, 2, &status), 0);
	assert_int_equal(faa_queue_status(queue, 65, &status), 0);
}

/* Memory of one open file is imported in another, and back: one BO object for one buffer. */
static void shared_between_files(void **state)
{
	struct faa_bo *same, *theirs, *again;
	struct faa_device *other;
	void *mapped;
	int fd, back;

	(void)state;
	assert_int_equal(faa_bo_set_label(bo, "shared between files"), 0);
	assert_int_equal(faa_bo_export(bo, &fd), 0);
	assert_int_equal(faa_bo_import(device, fd, &same), 0);
	assert_ptr_equal(same, bo);
	faa_bo_unref(same);
	assert_int_equal(faa_device_open_fd(faa_device_fd(device), &other), 0);
	faa_device_unref(other);
	assert_int_equal(faa_device_open(&other), 0);
	assert_int_equal(faa_bo_import(other, fd, &theirs), 0);
	assert_int_equal(faa_bo_size(theirs), BYTES);
	assert_int_equal(faa_bo_import(other, fd, &again), 0);
	assert_ptr_equal(again, theirs);
	faa_bo_unref(again);
	assert_int_equal(faa_bo_map(theirs, &mapped), 0);
	memory[BYTES - 1] = 0x5a;
	assert_int_equal(((uint8_t *)mapped)[BYTES - 1], 0x5a);
	assert_int_equal(faa_bo_export(theirs, &back), 0);
	assert_int_equal(faa_bo_import(device, back, &same), 0);
	assert_ptr_equal(same, bo);
	faa_bo_unref(same);
	faa_bo_unref(theirs);
	faa_device_unref(other);
	close(back);
	close(fd);
}

/* A dma-buf of the vgem driver, -1 if the driver is not loaded. */
static int foreign_dmabuf(void)
{
	struct drm_mode_create_dumb dumb = { .width = 1024, .height = 4, .bpp = 32 };
	char path[32];
	int card, fd = -1, i;

	for (i = 0; i < 8; i++) {
		drmVersionPtr version;
		bool vgem;

		snprintf(path, sizeof(path), "/dev/dri/card%d", i);
		card = open(path, O_RDWR | O_CLOEXEC);
		if (card < 0)
			continue;
		version = drmGetVersion(card);
		vgem = version && !strcmp(version->name, "vgem");
		drmFreeVersion(version);
		if (vgem && !drmIoctl(card, DRM_IOCTL_MODE_CREATE_DUMB, &dumb))
			drmPrimeHandleToFD(card, dumb.handle, DRM_CLOEXEC | DRM_RDWR, &fd);
		close(card);
		if (fd >= 0)
			return fd;
	}
	return -1;
}

static void memory_of_another_driver(void **state)
{
	struct faa_bo *foreign;
	void *memory;
	uint64_t va;
	int fd = foreign_dmabuf();

	(void)state;
	if (fd < 0)
		skip();
	assert_int_equal(faa_bo_import(device, fd, &foreign), 0);
	assert_int_equal(faa_bo_size(foreign), 4 * PAGE);
	assert_int_equal(faa_bo_map(foreign, &memory), 0);
	assert_int_equal(faa_vm_map(vm, foreign, 0, 0, 0, &va), 0);
	faa_stream_st(stream, FAA_TYPE_U32, 4096, faa_affine(va, 4), 0, faa_affine(7, 3));
	faa_stream_end(stream);
	assert_int_equal(run(NULL), 0);
	assert_int_equal(((uint32_t *)memory)[0], 7);
	assert_int_equal(((uint32_t *)memory)[4095], 7 + 3 * 4095);
	assert_int_equal(faa_vm_unmap(vm, va, 4 * PAGE), 0);
	faa_bo_unref(foreign);
	close(fd);
}

static void refusals(void **state)
{
	struct faa_queue_options options = { .shared_bytes = 100 };
	struct faa_queue *queue;
	struct faa_bo *bo;
	uint64_t va;
	void *memory;
	int fd;

	(void)state;
	assert_int_equal(faa_queue_create(vm, &options, &queue), -EINVAL);
	assert_null(queue);
	assert_int_equal(faa_bo_create(device, PAGE, FAA_BO_NO_MMAP, &bo), 0);
	assert_int_equal(faa_bo_map(bo, &memory), -EPERM);
	faa_bo_unref(bo);
	assert_int_equal(faa_bo_create_exclusive(vm, PAGE, 0, &bo), 0);
	assert_int_equal(faa_bo_export(bo, &fd), -EPERM);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, 0, &va), 0);
	faa_bo_unref(bo);
	assert_int_equal(faa_bo_import(device, STDERR_FILENO, &bo), -EINVAL);
	assert_int_equal(faa_syncobj_destroy(device, 12345), -EINVAL);
}

/*
 * The kernel has one errno for a malformed job and an early wait; the library distinguishes them.
 */
static void too_early(void **state)
{
	struct faa_sync wait;
	struct faa_job job, later;
	uint32_t binary, timeline = faa_queue_syncobj(queue);
	uint64_t point = 1;

	(void)state;
	faa_stream_end(stream);
	later = job = upload();
	later.syncs = &wait;
	later.sync_count = 1;
	wait = (struct faa_sync){ FAA_SYNC_TIMELINE, timeline, 1 };
	assert_int_equal(faa_queue_submit(queue, &later, 1, NULL), -EAGAIN);
	assert_non_null(strstr(faa_last_error(), "has no promise yet"));
	assert_int_equal(faa_syncobj_wait_promised(device, &timeline, &point, 1, true,
						   faa_deadline(1000000)),
			 -ETIME);
	assert_int_equal(faa_syncobj_create(device, false, &binary), 0);
	wait = (struct faa_sync){ 0, binary, 0 };
	assert_int_equal(faa_queue_submit(queue, &later, 1, NULL), -EAGAIN);
	assert_int_equal(faa_syncobj_wait_promised(device, &binary, NULL, 1, true,
						   faa_deadline(1000000)),
			 -ETIME);
	/* Promised by a job; signaled by the CPU. */
	wait.flags = FAA_SYNC_SIGNAL;
	assert_int_equal(faa_queue_submit(queue, &later, 1, NULL), 0);
	assert_int_equal(faa_syncobj_wait_promised(device, &timeline, &point, 1, true, 0), 0);
	assert_int_equal(faa_syncobj_wait_promised(device, &binary, NULL, 1, true, 0), 0);
	wait.flags = 0;
	assert_int_equal(faa_queue_submit(queue, &later, 1, NULL), 0);
	assert_int_equal(faa_queue_wait(queue, 2, faa_deadline(30 * SECOND)), 0);
	wait.handle = 12345;
	assert_int_equal(faa_queue_submit(queue, &later, 1, NULL), -ENOENT);
	assert_non_null(strstr(faa_last_error(), "there is no syncobj 12345"));
	assert_int_equal(faa_syncobj_destroy(device, binary), 0);
}

/* A child that destroys its copies, and opens a device of its own, does not affect the parent. */
static int child(const struct faa_job *job)
{
	struct faa_device *own;
	struct faa_vm *own_vm;

	if (faa_queue_submit(queue, job, 1, NULL) != -EPERM ||
	    faa_queue_wait(queue, 1, 0) != -EPERM)
		return 1;
	faa_queue_destroy(queue);
	faa_bo_unref(bo);
	faa_vm_unref(vm);
	faa_device_unref(device);
	if (faa_device_open(&own) || faa_vm_create(own, &own_vm))
		return 2;
	faa_vm_unref(own_vm);
	faa_device_unref(own);
	return 0;
}

static void child_of_a_fork(void **state)
{
	struct faa_job_status status;
	struct faa_job job;
	int ended, i;
	pid_t pid;

	(void)state;
	faa_stream_end(stream);
	job = upload();
	assert_int_equal(run(NULL), 0);
	for (i = 0; i < 3; i++) {
		pid = fork();
		assert_true(pid >= 0);
		if (!pid)
			_exit(child(&job));
		assert_int_equal(waitpid(pid, &ended, 0), pid);
		assert_int_equal(ended, 0);
		assert_int_equal(run(&status), 0);
		assert_int_equal(status.seqno, 2 + i);
	}
}

static void no_descriptor_left(void **state)
{
	struct rlimit before, few;
	struct faa_device *device;
	int ret;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	ret = faa_device_open(&device);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(ret, -EMFILE);
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return n < 0 ? -errno : 0;
}

/* The name of the device on its bus. */
static void bus_name(char *name, size_t size)
{
	char link[64], target[256];
	struct stat node;
	ssize_t n;

	assert_int_equal(fstat(faa_device_fd(device), &node), 0);
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device", major(node.st_rdev),
		 minor(node.st_rdev));
	n = readlink(link, target, sizeof(target) - 1);
	assert_true(n > 0);
	target[n] = 0;
	snprintf(name, size, "%s", strrchr(target, '/') + 1);
}

/* The driver is unbound from the device; the job's result is in the ring, which stays mapped. */
static void lost_device(void **state)
{
	struct faa_job_status before, after;
	struct faa_device *again;
	char name[64];

	(void)state;
	faa_stream_mov(stream, FAA_TYPE_U32, 64, faa_reg(0), faa_imm(1));
	faa_stream_end(stream);
	assert_int_equal(run(&before), 0);
	bus_name(name, sizeof(name));
	if (write_text("/sys/bus/pci/drivers/faa/unbind", name))
		skip();
	assert_int_equal(faa_queue_wait(queue, 1, 0), 0);
	memset(&after, 0, sizeof(after));
	assert_int_equal(faa_queue_status(queue, 1, &after), 0);
	assert_memory_equal(&after, &before, sizeof(after));
	assert_int_equal(run(&after), -ENODEV);
	assert_int_equal(after.code, FAA_JOB_NOT_SUBMITTED);
	assert_non_null(strstr(faa_last_error(), "the device is gone"));
	assert_int_equal(faa_device_open(&again), -ENODEV);
	assert_non_null(strstr(faa_last_error(), "faa-run"));
	assert_int_equal(write_text("/sys/bus/pci/drivers/faa/bind", name), 0);
	assert_int_equal(faa_device_open(&again), 0);
	faa_device_unref(again);
}

#define THREADS 4
#define ROUNDS	50

/* Function of each thread, on the same device, queue and memory. */
static void *worker(void *arg)
{
	struct faa_job job = { .stream_va = va, .stream_bytes = faa_stream_bytes(stream) };
	struct faa_job_status status;
	int i, fd, failures = 0;
	struct faa_bo *same, *own;
	uint64_t own_va;

	(void)arg;
	for (i = 0; i < ROUNDS; i++) {
		failures += faa_queue_run(queue, &job, faa_deadline(30 * SECOND), &status) != 0;
		failures += faa_bo_export(bo, &fd) != 0;
		failures += faa_bo_import(device, fd, &same) != 0 || same != bo;
		faa_bo_unref(same);
		close(fd);
		failures += faa_bo_create(device, PAGE, 0, &own) != 0;
		failures += faa_vm_map(vm, own, 0, 0, 0, &own_va) != 0;
		faa_bo_unref(own);
		failures += faa_vm_unmap(vm, own_va, PAGE) != 0;
	}
	return (void *)(intptr_t)failures;
}

/* Every job of every thread ran once, each with a sequence number of its own. */
static void many_threads(void **state)
{
	pthread_t threads[THREADS];
	struct faa_queue_info info;
	void *failures;
	int i;

	(void)state;
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, faa_none(), faa_none(), 0,
			 faa_imm(1), faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, 1, faa_array_u32(va + PAGE, 4), faa_none(), 0);
	faa_stream_end(stream);
	upload();
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, worker, NULL), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failures), 0);
		assert_null(failures);
	}
	assert_int_equal(*(uint32_t *)(memory + PAGE), THREADS * ROUNDS);
	assert_int_equal(faa_queue_info(queue, &info), 0);
	assert_int_equal(info.submitted, THREADS * ROUNDS);
	assert_int_equal(info.failed, 0);
}

static void a_dump(void **state)
{
	struct faa_dump_header header;
	void *dump;
	size_t size;

	(void)state;
	assert_int_equal(faa_queue_dump(queue, &dump, &size), 0);
	assert_true(size > sizeof(header) && size <= FAA_DUMP_MAX_BYTES);
	memcpy(&header, dump, sizeof(header));
	assert_true(le64toh(header.magic) == FAA_DUMP_MAGIC);
	assert_int_equal(le64toh(header.size), size);
	assert_int_equal(le32toh(header.pid), getpid());
	assert_int_equal(le32toh(header.reason), FAA_DUMP_DEMAND);
	free(dump);
}

/* Two samples with a job between them. */
static void samples_of_counters(void **state)
{
	struct faa_counters_sample sample;
	struct faa_counters_stream *counters;
	uint64_t jobs[2] = { 0 }, time;
	unsigned int i;

	(void)state;
	assert_int_equal(faa_counters_open(device, 10000000, 64, &counters), 0);
	faa_stream_end(stream);
	for (i = 0; i < 2; i++) {
		time = (uint64_t)faa_deadline(0);
		do {
			assert_int_equal(faa_counters_next(counters, &sample, FAA_NO_DEADLINE), 0);
		} while (sample.time < time);
		assert_int_equal(sample.num_cus, faa_device_info(device)->num_cus);
		assert_int_equal(sample.flags, 0);
		for (uint32_t cu = 0; cu < sample.num_cus; cu++)
			jobs[i] += sample.cus[cu].counters.value[FAA_COUNTER_JOBS];
		if (!i)
			assert_int_equal(run(NULL), 0);
	}
	assert_int_equal(jobs[1], jobs[0] + 1);
	faa_counters_close(counters);
}

/* The stream under construction as a job whose words are at byte @offset of the BO. */
static struct faa_job take_stream(uint64_t offset)
{
	struct faa_job job = { .stream_va = va + offset };

	assert_int_equal(faa_stream_upload(stream, bo, offset), 0);
	job.stream_bytes = faa_stream_bytes(stream);
	faa_stream_reset(stream);
	return job;
}

static void needs_slots(uint32_t slots)
{
	if (faa_device_info(device)->warp_slots < slots)
		skip();
}

/* One running stream passes a value to another: data, then a flag. */
static void a_message_between_streams(void **state)
{
	struct faa_job_status statuses[2];
	struct faa_operand data = faa_imm(va + PAGE), flag = faa_imm(va + PAGE + 64);
	uint32_t *words = (uint32_t *)(memory + PAGE);
	struct faa_job jobs[2];
	uint32_t again;

	(void)state;
	needs_slots(2);
	faa_stream_label(stream, &again);
	faa_stream_place(stream, again);
	faa_stream_ld_strong(stream, FAA_TYPE_U32, FAA_SCOPE_CTA, FAA_ORDER_ACQUIRE, 1, faa_reg(0),
			     flag, 0);
	faa_stream_setp(stream, FAA_CMP_NE, FAA_TYPE_U32, 1, 0, faa_reg(0), faa_imm(1));
	faa_stream_guard(stream, 0, false);
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, again);
	faa_stream_ld(stream, FAA_TYPE_U32, 1, faa_reg(1), data, 0);
	faa_stream_st(stream, FAA_TYPE_U32, 1, flag, 64, faa_reg(1));
	faa_stream_end(stream);
	jobs[0] = take_stream(0);
	faa_stream_st(stream, FAA_TYPE_U32, 1, data, 0, faa_imm(77));
	faa_stream_st_strong(stream, FAA_TYPE_U32, FAA_SCOPE_CTA, FAA_ORDER_RELEASE, 1, flag, 0,
			     faa_imm(1));
	faa_stream_end(stream);
	jobs[1] = take_stream(1024);
	assert_int_equal(faa_queue_run_group(queue, jobs, 2, faa_deadline(30 * SECOND), statuses),
			 0);
	assert_int_equal(statuses[0].seqno, 1);
	assert_int_equal(statuses[1].seqno, 2);
	assert_int_equal(words[32], 77);
}

/*
 * A stream that faults stops the other one; both continue where they were, each with its registers.
 */
static void group_goes_on(void **state)
{
	struct faa_job_status statuses[2];
	uint64_t copies[2][64], missing;
	const uint64_t *words;
	struct faa_job jobs[2];
	size_t counts[2], i;

	(void)state;
	needs_slots(2);
	assert_int_equal(faa_vm_reserve(vm, PAGE, 0, &missing), 0);
	for (i = 0; i < 2; i++) {
		faa_stream_mov(stream, FAA_TYPE_U32, 1, faa_reg(3), faa_imm(10 + i));
		if (i == 1)
			faa_stream_ld(stream, FAA_TYPE_U32, 1, faa_reg(4), faa_imm(missing), 0);
		faa_stream_bar(stream);
		faa_stream_st(stream, FAA_TYPE_U32, 1, faa_imm(va + PAGE), 4 * (int)i, faa_reg(3));
		faa_stream_end(stream);
		assert_int_equal(faa_stream_finish(stream), 0);
		words = faa_stream_words(stream, &counts[i]);
		assert_true(counts[i] <= 64);
		memcpy(copies[i], words, counts[i] * sizeof(uint64_t));
		jobs[i] = take_stream(1024 * i);
	}
	assert_int_equal(faa_queue_run_group(queue, jobs, 2, faa_deadline(30 * SECOND), statuses),
			 -EFAULT);
	assert_int_equal(statuses[0].code, FAA_ERROR_STOPPED);
	assert_int_equal(statuses[1].code, FAA_ERROR_NOT_MAPPED);
	assert_int_equal(statuses[1].address, missing);
	assert_int_equal(faa_vm_bind(vm, bo, PAGE, PAGE, 0, missing), 0);
	for (i = 0; i < 2; i++)
		assert_int_equal(faa_status_restart(&statuses[i], copies[i], counts[i], &jobs[i]),
				 0);
	assert_int_equal(faa_queue_run_group(queue, jobs, 2, faa_deadline(30 * SECOND), statuses),
			 0);
	assert_int_equal(((uint32_t *)(memory + PAGE))[0], 10);
	assert_int_equal(((uint32_t *)(memory + PAGE))[1], 11);
}

/* Objects are released in the wrong order on purpose. */
static void destroyed_under_way(void **state)
{
	struct faa_job job;
	uint64_t seqno;

	(void)state;
	faa_stream_sem_wait(stream, FAA_SEM_COND_EQ, va + PAGE, 99);
	faa_stream_end(stream);
	job = upload();
	assert_int_equal(faa_queue_submit(queue, &job, 1, &seqno), 0);
	faa_device_unref(device);
	faa_vm_unref(vm);
	faa_bo_unref(bo);
	faa_queue_destroy(queue);
	device = NULL;
	vm = NULL;
	bo = NULL;
	queue = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(error_in_words, setup, teardown),
		cmocka_unit_test_setup_teardown(fault_and_restart, setup, teardown),
		cmocka_unit_test_setup_teardown(deadlines, setup, teardown),
		cmocka_unit_test_setup_teardown(queues_and_timelines, setup, teardown),
		cmocka_unit_test_setup_teardown(status_ring_wraps, setup, teardown),
		cmocka_unit_test_setup_teardown(shared_between_files, setup, teardown),
		cmocka_unit_test_setup_teardown(memory_of_another_driver, setup, teardown),
		cmocka_unit_test_setup_teardown(too_early, setup, teardown),
		cmocka_unit_test_setup_teardown(child_of_a_fork, setup, teardown),
		cmocka_unit_test_setup_teardown(no_descriptor_left, setup, teardown),
		cmocka_unit_test_setup_teardown(refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(a_dump, setup, teardown),
		cmocka_unit_test_setup_teardown(samples_of_counters, setup, teardown),
		cmocka_unit_test_setup_teardown(many_threads, setup, teardown),
		cmocka_unit_test_setup_teardown(a_message_between_streams, setup, teardown),
		cmocka_unit_test_setup_teardown(group_goes_on, setup, teardown),
		cmocka_unit_test_setup_teardown(destroyed_under_way, setup, teardown),
		/* Last, because no other test can use the device after it. */
		cmocka_unit_test_setup_teardown(lost_device, setup, teardown),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
