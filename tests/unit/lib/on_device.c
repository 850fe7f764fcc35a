// SPDX-License-Identifier: MIT
/*
 * The library on a kernel with a device: what the unit tests cannot know, whether the real ioctls, syncobjs and dma-bufs do
 * what the library takes them to do. Runs inside faa-run or on a machine with the card.
 */
#include "check.h"

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

#include "faa.h"

#define PAGE   4096
#define BYTES  (8 * PAGE)
#define SECOND 1000000000ll

/* One VM, one BO with a stream at 0 and data from PAGE on, one queue. */
struct bench {
	struct faa_device *device;
	struct faa_vm *vm;
	struct faa_bo *bo;
	struct faa_queue *queue;
	struct faa_stream *stream;
	uint64_t va;
	uint8_t *memory;
};

static int setup(void **state)
{
	struct faa_queue_options options = { .shared_bytes = 1024, .status_entries = 64 };
	struct bench *b = calloc(1, sizeof(*b));
	void *memory;

	assert_non_null(b);
	assert_int_equal(faa_device_open(&b->device), 0);
	assert_int_equal(faa_vm_create(b->device, &b->vm), 0);
	assert_int_equal(faa_bo_create(b->device, BYTES, 0, &b->bo), 0);
	assert_int_equal(faa_bo_map(b->bo, &memory), 0);
	assert_int_equal(faa_vm_map(b->vm, b->bo, 0, 0, 0, &b->va), 0);
	assert_int_equal(faa_queue_create(b->vm, &options, &b->queue), 0);
	assert_int_equal(faa_stream_create(&b->stream), 0);
	b->memory = memory;
	*state = b;
	return 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	faa_stream_destroy(b->stream);
	faa_queue_destroy(b->queue);
	faa_bo_unref(b->bo);
	faa_vm_unref(b->vm);
	faa_device_unref(b->device);
	free(b);
	return 0;
}

static struct faa_job upload(struct bench *b)
{
	struct faa_job job = { .stream_va = b->va };

	assert_int_equal(faa_stream_upload(b->stream, b->bo, 0), 0);
	job.stream_bytes = faa_stream_bytes(b->stream);
	return job;
}

static int run(struct bench *b, struct faa_job_status *status)
{
	struct faa_job job = upload(b);

	return faa_queue_run(b->queue, &job, faa_deadline(30 * SECOND), status);
}

static void error_in_words(void **state)
{
	struct faa_job_status status;
	struct bench *b = *state;
	const uint64_t *words;
	char text[256];
	size_t count;

	faa_stream_nop(b->stream);
	faa_stream_atoms(b->stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 128, faa_none(),
			 faa_stream_u32(b->va + PAGE, 4), 0, faa_imm(1), faa_none());
	faa_stream_end(b->stream);
	((uint32_t *)(b->memory + PAGE))[99] = 2;
	assert_int_equal(run(b, &status), -EINVAL);
	words = faa_stream_words(b->stream, &count);
	faa_status_format(&status, words, count, text, sizeof(text));
	assert_string_equal(text, "job 1: misaligned address 0x2 at command 1, element 99, lane 3");
	faa_stream_reset(b->stream);
	faa_stream_end(b->stream);
	assert_int_equal(run(b, &status), 0);
	assert_int_equal(status.seqno, 2);
}

static void fault_and_restart(void **state)
{
	struct faa_job_status status;
	struct faa_vm_info info;
	struct bench *b = *state;
	struct faa_job job;
	const uint64_t *words;
	uint64_t va;
	size_t count, i;

	assert_int_equal(faa_vm_reserve(b->vm, 2 * PAGE, 0, &va), 0);
	assert_int_equal(faa_vm_bind(b->vm, b->bo, PAGE, PAGE, FAA_MAP_READONLY, va), 0);
	for (i = 0; i < 2048; i++)
		((uint32_t *)(b->memory + PAGE))[i] = i;
	faa_stream_atoms(b->stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 2048, faa_none(), faa_none(),
			 16, faa_stream_u32(va, 4), faa_none());
	faa_stream_lds(b->stream, FAA_TYPE_U32, 1, faa_stream_u32(b->va + 4 * PAGE, 4), faa_none(),
		       16);
	faa_stream_end(b->stream);
	assert_int_equal(run(b, &status), -EFAULT);
	assert_int_equal(status.element, 1024);
	assert_int_equal(faa_vm_info(b->vm, &info), 0);
	assert_int_equal(info.fault_code, FAA_ERROR_NOT_MAPPED);
	assert_true(info.fault_va == va + PAGE);
	job = upload(b);
	words = faa_stream_words(b->stream, &count);
	assert_int_equal(faa_status_restart(&status, words, count, &job), 0);
	assert_int_equal(faa_vm_bind(b->vm, b->bo, 2 * PAGE, PAGE, FAA_MAP_READONLY, va + PAGE), 0);
	assert_int_equal(faa_queue_run(b->queue, &job, faa_deadline(30 * SECOND), &status), 0);
	assert_int_equal(*(uint32_t *)(b->memory + 4 * PAGE), 2047 * 2048 / 2);
	/* Mapped for reading only. */
	faa_stream_reset(b->stream);
	faa_stream_st(b->stream, FAA_TYPE_U32, 1, faa_imm(va), 0, faa_imm(1));
	faa_stream_end(b->stream);
	assert_int_equal(run(b, &status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_WRITABLE);
	assert_int_equal(faa_vm_unmap(b->vm, va, 2 * PAGE), 0);
}

/* A job that waits for a word of memory which the CPU writes later. */
static void deadlines(void **state)
{
	struct faa_job_status status;
	struct bench *b = *state;
	struct faa_job job;
	uint64_t seqno;

	faa_stream_sem_wait(b->stream, FAA_SEM_COND_GE, b->va + PAGE, 7);
	faa_stream_end(b->stream);
	job = upload(b);
	assert_int_equal(faa_queue_submit(b->queue, &job, 1, &seqno), 0);
	assert_int_equal(faa_queue_wait(b->queue, seqno, faa_deadline(SECOND / 20)), -ETIME);
	assert_int_equal(faa_queue_status(b->queue, seqno, &status), -EBUSY);
	__atomic_store_n((uint64_t *)(b->memory + PAGE), 8, __ATOMIC_RELEASE);
	assert_int_equal(faa_queue_wait(b->queue, seqno, faa_deadline(30 * SECOND)), 0);
	assert_int_equal(faa_queue_status(b->queue, seqno, &status), 0);
	assert_int_equal(status.code, FAA_ERROR_SUCCESS);
}

/* The second queue's job stores what the first queue's third job has left in memory. */
static void queues_and_timelines(void **state)
{
	struct bench *b = *state;
	struct faa_sync wait = { FAA_SYNC_TIMELINE, faa_queue_syncobj(b->queue), 3 }, signals[2];
	struct faa_job jobs[3], job;
	struct faa_queue *second;
	uint32_t binary, timeline;
	uint64_t point = 40;

	assert_int_equal(faa_queue_create(b->vm, NULL, &second), 0);
	assert_int_equal(faa_syncobj_create(b->device, false, &binary), 0);
	assert_int_equal(faa_syncobj_create(b->device, false, &timeline), 0);
	signals[0] = (struct faa_sync){ FAA_SYNC_SIGNAL, binary, 0 };
	signals[1] = (struct faa_sync){ FAA_SYNC_SIGNAL | FAA_SYNC_TIMELINE, timeline, 40 };
	/* shared[0] += 5; memory = shared[0] */
	faa_stream_atoms(b->stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, faa_none(), faa_none(), 0,
			 faa_imm(5), faa_none());
	faa_stream_lds(b->stream, FAA_TYPE_U32, 1, faa_stream_u32(b->va + PAGE, 4), faa_none(), 0);
	faa_stream_end(b->stream);
	jobs[0] = jobs[1] = jobs[2] = upload(b);
	jobs[2].syncs = signals;
	jobs[2].sync_count = 2;
	/* memory[1] = memory[0] */
	faa_stream_reset(b->stream);
	faa_stream_mov(b->stream, FAA_TYPE_U32, 1, faa_stream_u32(b->va + PAGE + 4, 4),
		       faa_stream_u32(b->va + PAGE, 4));
	faa_stream_end(b->stream);
	assert_int_equal(faa_stream_upload(b->stream, b->bo, 2 * PAGE), 0);
	job = (struct faa_job){ b->va + 2 * PAGE, faa_stream_bytes(b->stream), 0, &wait, 1, 0 };
	assert_int_equal(faa_queue_submit(second, &job, 1, NULL), -EAGAIN);
	assert_int_equal(faa_queue_submit(b->queue, jobs, 3, NULL), 0);
	assert_int_equal(faa_queue_run(second, &job, faa_deadline(30 * SECOND), NULL), 0);
	assert_int_equal(((uint32_t *)(b->memory + PAGE))[1], 15);
	assert_int_equal(faa_syncobj_wait(b->device, &binary, NULL, 1, true, faa_deadline(SECOND)),
			 0);
	assert_int_equal(
		faa_syncobj_wait(b->device, &timeline, &point, 1, true, faa_deadline(SECOND)), 0);
	assert_int_equal(faa_syncobj_query(b->device, timeline, &point), 0);
	assert_int_equal(point, 40);
	point = 41;
	assert_int_equal(faa_syncobj_wait(b->device, &timeline, &point, 1, true,
					  faa_deadline(SECOND / 50)),
			 -ETIME);
	assert_int_equal(faa_syncobj_signal(b->device, timeline, 41), 0);
	assert_int_equal(faa_syncobj_wait(b->device, &timeline, &point, 1, true, 0), 0);
	faa_syncobj_destroy(b->device, binary);
	faa_syncobj_destroy(b->device, timeline);
	faa_queue_destroy(second);
}

static void status_ring_wraps(void **state)
{
	struct faa_job_status status;
	struct bench *b = *state;
	struct faa_job job;
	uint64_t i, seqno;

	faa_stream_end(b->stream);
	job = upload(b);
	for (i = 1; i <= 65; i++) {
		assert_int_equal(faa_queue_submit(b->queue, &job, 1, &seqno), 0);
		assert_int_equal(seqno, i);
		assert_int_equal(faa_queue_wait(b->queue, seqno, faa_deadline(30 * SECOND)), 0);
	}
	assert_int_equal(faa_queue_status(b->queue, 1, &status), -ENODATA);
	assert_int_equal(faa_queue_status(b->queue, 2, &status), 0);
	assert_int_equal(faa_queue_status(b->queue, 65, &status), 0);
}

/* Memory of one open file in another, and back: one BO object for one piece of memory. */
static void shared_between_files(void **state)
{
	struct bench *b = *state;
	struct faa_bo *same, *theirs, *again;
	struct faa_device *other;
	void *memory;
	int fd, back;

	assert_int_equal(faa_bo_export(b->bo, &fd), 0);
	assert_int_equal(faa_bo_import(b->device, fd, &same), 0);
	assert_ptr_equal(same, b->bo);
	faa_bo_unref(same);
	assert_int_equal(faa_device_open_fd(faa_device_fd(b->device), &other), 0);
	faa_device_unref(other);
	assert_int_equal(faa_device_open(&other), 0);
	assert_int_equal(faa_bo_import(other, fd, &theirs), 0);
	assert_int_equal(faa_bo_size(theirs), BYTES);
	assert_int_equal(faa_bo_import(other, fd, &again), 0);
	assert_ptr_equal(again, theirs);
	faa_bo_unref(again);
	assert_int_equal(faa_bo_map(theirs, &memory), 0);
	b->memory[BYTES - 1] = 0x5a;
	assert_int_equal(((uint8_t *)memory)[BYTES - 1], 0x5a);
	assert_int_equal(faa_bo_export(theirs, &back), 0);
	assert_int_equal(faa_bo_import(b->device, back, &same), 0);
	assert_ptr_equal(same, b->bo);
	faa_bo_unref(same);
	faa_bo_unref(theirs);
	faa_device_unref(other);
	close(back);
	close(fd);
}

/* A dma-buf of the vgem driver, -1 where that is not loaded. */
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
	struct bench *b = *state;
	struct faa_bo *foreign;
	void *memory;
	uint64_t va;
	int fd = foreign_dmabuf();

	if (fd < 0)
		skip();
	assert_int_equal(faa_bo_import(b->device, fd, &foreign), 0);
	assert_int_equal(faa_bo_size(foreign), 4 * PAGE);
	assert_int_equal(faa_bo_map(foreign, &memory), 0);
	assert_int_equal(faa_vm_map(b->vm, foreign, 0, 0, 0, &va), 0);
	faa_stream_st(b->stream, FAA_TYPE_U32, 4096, faa_affine(va, 4), 0, faa_affine(7, 3));
	faa_stream_end(b->stream);
	assert_int_equal(run(b, NULL), 0);
	assert_int_equal(((uint32_t *)memory)[0], 7);
	assert_int_equal(((uint32_t *)memory)[4095], 7 + 3 * 4095);
	assert_int_equal(faa_vm_unmap(b->vm, va, 4 * PAGE), 0);
	faa_bo_unref(foreign);
	close(fd);
}

static void refusals(void **state)
{
	struct faa_queue_options options = { .shared_bytes = 100 };
	struct bench *b = *state;
	struct faa_queue *queue;
	struct faa_bo *bo;
	uint64_t va;
	void *memory;
	int fd;

	assert_int_equal(faa_queue_create(b->vm, &options, &queue), -EINVAL);
	assert_null(queue);
	assert_int_equal(faa_bo_create(b->device, PAGE, FAA_BO_NO_MMAP, &bo), 0);
	assert_int_equal(faa_bo_map(bo, &memory), -EPERM);
	faa_bo_unref(bo);
	assert_int_equal(faa_bo_create_exclusive(b->vm, PAGE, 0, &bo), 0);
	assert_int_equal(faa_bo_export(bo, &fd), -EPERM);
	assert_int_equal(faa_vm_map(b->vm, bo, 0, 0, 0, &va), 0);
	faa_bo_unref(bo);
	assert_int_equal(faa_bo_import(b->device, STDERR_FILENO, &bo), -EINVAL);
	assert_int_equal(faa_syncobj_destroy(b->device, 12345), -EINVAL);
}

/* The kernel has one errno for a malformed job and an early wait; the library tells them apart. */
static void too_early(void **state)
{
	struct bench *b = *state;
	struct faa_sync wait;
	struct faa_job job, later;
	uint32_t binary, timeline = faa_queue_syncobj(b->queue);
	uint64_t point = 1;

	faa_stream_end(b->stream);
	later = job = upload(b);
	later.syncs = &wait;
	later.sync_count = 1;
	wait = (struct faa_sync){ FAA_SYNC_TIMELINE, timeline, 1 };
	assert_int_equal(faa_queue_submit(b->queue, &later, 1, NULL), -EAGAIN);
	assert_non_null(strstr(faa_last_error(), "has no promise yet"));
	assert_int_equal(faa_syncobj_wait_promised(b->device, &timeline, &point, 1, true,
						   faa_deadline(1000000)),
			 -ETIME);
	assert_int_equal(faa_syncobj_create(b->device, false, &binary), 0);
	wait = (struct faa_sync){ 0, binary, 0 };
	assert_int_equal(faa_queue_submit(b->queue, &later, 1, NULL), -EAGAIN);
	assert_int_equal(faa_syncobj_wait_promised(b->device, &binary, NULL, 1, true,
						   faa_deadline(1000000)),
			 -ETIME);
	/* Promised by a job; given by the CPU. */
	wait.flags = FAA_SYNC_SIGNAL;
	assert_int_equal(faa_queue_submit(b->queue, &later, 1, NULL), 0);
	assert_int_equal(faa_syncobj_wait_promised(b->device, &timeline, &point, 1, true, 0), 0);
	assert_int_equal(faa_syncobj_wait_promised(b->device, &binary, NULL, 1, true, 0), 0);
	wait.flags = 0;
	assert_int_equal(faa_queue_submit(b->queue, &later, 1, NULL), 0);
	assert_int_equal(faa_queue_wait(b->queue, 2, faa_deadline(30 * SECOND)), 0);
	wait.handle = 12345;
	assert_int_equal(faa_queue_submit(b->queue, &later, 1, NULL), -ENOENT);
	assert_non_null(strstr(faa_last_error(), "there is no syncobj 12345"));
	assert_int_equal(faa_syncobj_destroy(b->device, binary), 0);
}

/* A child that ends its copies, and has a device of its own, changes nothing for the parent. */
static int child(struct bench *b, const struct faa_job *job)
{
	struct faa_device *own;
	struct faa_vm *vm;

	if (faa_queue_submit(b->queue, job, 1, NULL) != -EPERM ||
	    faa_queue_wait(b->queue, 1, 0) != -EPERM)
		return 1;
	faa_queue_destroy(b->queue);
	faa_bo_unref(b->bo);
	faa_vm_unref(b->vm);
	faa_device_unref(b->device);
	if (faa_device_open(&own) || faa_vm_create(own, &vm))
		return 2;
	faa_vm_unref(vm);
	faa_device_unref(own);
	return 0;
}

static void child_of_a_fork(void **state)
{
	struct faa_job_status status;
	struct bench *b = *state;
	struct faa_job job;
	int ended, i;
	pid_t pid;

	faa_stream_end(b->stream);
	job = upload(b);
	assert_int_equal(run(b, NULL), 0);
	for (i = 0; i < 3; i++) {
		pid = fork();
		assert_true(pid >= 0);
		if (!pid)
			_exit(child(b, &job));
		assert_int_equal(waitpid(pid, &ended, 0), pid);
		assert_int_equal(ended, 0);
		assert_int_equal(run(b, &status), 0);
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
static void bus_name(struct bench *b, char *name, size_t size)
{
	char link[64], target[256];
	struct stat node;
	ssize_t n;

	assert_int_equal(fstat(faa_device_fd(b->device), &node), 0);
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device", major(node.st_rdev),
		 minor(node.st_rdev));
	n = readlink(link, target, sizeof(target) - 1);
	assert_true(n > 0);
	target[n] = 0;
	snprintf(name, size, "%s", strrchr(target, '/') + 1);
}

/* The driver lets go of the device; what the job came to is in the ring, which stays mapped. */
static void lost_device(void **state)
{
	struct faa_job_status before, after;
	struct faa_device *again;
	struct bench *b = *state;
	char name[64];

	faa_stream_mov(b->stream, FAA_TYPE_U32, 64, faa_reg(0), faa_imm(1));
	faa_stream_end(b->stream);
	assert_int_equal(run(b, &before), 0);
	bus_name(b, name, sizeof(name));
	if (write_text("/sys/bus/pci/drivers/faa/unbind", name))
		skip();
	assert_int_equal(faa_queue_wait(b->queue, 1, 0), 0);
	memset(&after, 0, sizeof(after));
	assert_int_equal(faa_queue_status(b->queue, 1, &after), 0);
	assert_memory_equal(&after, &before, sizeof(after));
	assert_int_equal(run(b, &after), -ENODEV);
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

/* What each thread does to the same device, queue and memory. */
static void *worker(void *arg)
{
	struct bench *b = arg;
	struct faa_job job = { .stream_va = b->va, .stream_bytes = faa_stream_bytes(b->stream) };
	struct faa_job_status status;
	int i, fd, failures = 0;
	struct faa_bo *same, *own;
	uint64_t va;

	for (i = 0; i < ROUNDS; i++) {
		failures += faa_queue_run(b->queue, &job, faa_deadline(30 * SECOND), &status) != 0;
		failures += faa_bo_export(b->bo, &fd) != 0;
		failures += faa_bo_import(b->device, fd, &same) != 0 || same != b->bo;
		faa_bo_unref(same);
		close(fd);
		failures += faa_bo_create(b->device, PAGE, 0, &own) != 0;
		failures += faa_vm_map(b->vm, own, 0, 0, 0, &va) != 0;
		faa_bo_unref(own);
		failures += faa_vm_unmap(b->vm, va, PAGE) != 0;
	}
	return (void *)(intptr_t)failures;
}

/* Every job of every thread ran once, each with a sequence number of its own. */
static void many_threads(void **state)
{
	pthread_t threads[THREADS];
	struct bench *b = *state;
	struct faa_queue_info info;
	void *failures;
	int i;

	faa_stream_atoms(b->stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, faa_none(), faa_none(), 0,
			 faa_imm(1), faa_none());
	faa_stream_lds(b->stream, FAA_TYPE_U32, 1, faa_stream_u32(b->va + PAGE, 4), faa_none(), 0);
	faa_stream_end(b->stream);
	upload(b);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, worker, b), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failures), 0);
		assert_null(failures);
	}
	assert_int_equal(*(uint32_t *)(b->memory + PAGE), THREADS * ROUNDS);
	assert_int_equal(faa_queue_info(b->queue, &info), 0);
	assert_int_equal(info.submitted, THREADS * ROUNDS);
	assert_int_equal(info.failed, 0);
}

/* The stream under construction as a job whose words are at byte @offset of the BO. */
static struct faa_job take_stream(struct bench *b, uint64_t offset)
{
	struct faa_job job = { .stream_va = b->va + offset };

	assert_int_equal(faa_stream_upload(b->stream, b->bo, offset), 0);
	job.stream_bytes = faa_stream_bytes(b->stream);
	faa_stream_reset(b->stream);
	return job;
}

static void needs_slots(struct bench *b, uint32_t slots)
{
	if (faa_device_info(b->device)->warp_slots < slots)
		skip();
}

/* One stream hands another a value, both running: data, then a flag. */
static void a_message_between_streams(void **state)
{
	struct faa_job_status statuses[2];
	struct bench *b = *state;
	struct faa_operand data = faa_imm(b->va + PAGE), flag = faa_imm(b->va + PAGE + 64);
	uint32_t *memory = (uint32_t *)(b->memory + PAGE);
	struct faa_job jobs[2];
	uint32_t again;

	needs_slots(b, 2);
	faa_stream_label(b->stream, &again);
	faa_stream_place(b->stream, again);
	faa_stream_ld_strong(b->stream, FAA_TYPE_U32, FAA_SCOPE_CTA, FAA_ORDER_ACQUIRE, 1,
			     faa_reg(0), flag, 0);
	faa_stream_setp(b->stream, FAA_CMP_NE, FAA_TYPE_U32, 1, 0, faa_reg(0), faa_imm(1));
	faa_stream_guard(b->stream, 0, false);
	faa_stream_jump(b->stream, FAA_JUMP_COND_ANY, again);
	faa_stream_ld(b->stream, FAA_TYPE_U32, 1, faa_reg(1), data, 0);
	faa_stream_st(b->stream, FAA_TYPE_U32, 1, flag, 64, faa_reg(1));
	faa_stream_end(b->stream);
	jobs[0] = take_stream(b, 0);
	faa_stream_st(b->stream, FAA_TYPE_U32, 1, data, 0, faa_imm(77));
	faa_stream_st_strong(b->stream, FAA_TYPE_U32, FAA_SCOPE_CTA, FAA_ORDER_RELEASE, 1, flag, 0,
			     faa_imm(1));
	faa_stream_end(b->stream);
	jobs[1] = take_stream(b, 1024);
	assert_int_equal(
		faa_queue_run_group(b->queue, jobs, 2, faa_deadline(30 * SECOND), statuses), 0);
	assert_int_equal(statuses[0].seqno, 1);
	assert_int_equal(statuses[1].seqno, 2);
	assert_int_equal(memory[32], 77);
}

/* A stream that misses a page stops the other one; both go on where they were, each with its registers. */
static void group_goes_on(void **state)
{
	struct faa_job_status statuses[2];
	struct bench *b = *state;
	uint64_t copies[2][64], va;
	const uint64_t *words;
	struct faa_job jobs[2];
	size_t counts[2], i;

	needs_slots(b, 2);
	assert_int_equal(faa_vm_reserve(b->vm, PAGE, 0, &va), 0);
	for (i = 0; i < 2; i++) {
		faa_stream_mov(b->stream, FAA_TYPE_U32, 1, faa_reg(3), faa_imm(10 + i));
		if (i == 1)
			faa_stream_ld(b->stream, FAA_TYPE_U32, 1, faa_reg(4), faa_imm(va), 0);
		faa_stream_bar(b->stream);
		faa_stream_st(b->stream, FAA_TYPE_U32, 1, faa_imm(b->va + PAGE), 4 * (int)i,
			      faa_reg(3));
		faa_stream_end(b->stream);
		assert_int_equal(faa_stream_finish(b->stream), 0);
		words = faa_stream_words(b->stream, &counts[i]);
		assert_true(counts[i] <= 64);
		memcpy(copies[i], words, counts[i] * sizeof(uint64_t));
		jobs[i] = take_stream(b, 1024 * i);
	}
	assert_int_equal(faa_queue_run_group(b->queue, jobs, 2, faa_deadline(30 * SECOND),
					     statuses),
			 -EFAULT);
	assert_int_equal(statuses[0].code, FAA_ERROR_STOPPED);
	assert_int_equal(statuses[1].code, FAA_ERROR_NOT_MAPPED);
	assert_int_equal(statuses[1].address, va);
	assert_int_equal(faa_vm_bind(b->vm, b->bo, PAGE, PAGE, 0, va), 0);
	for (i = 0; i < 2; i++)
		assert_int_equal(faa_status_restart(&statuses[i], copies[i], counts[i], &jobs[i]),
				 0);
	assert_int_equal(
		faa_queue_run_group(b->queue, jobs, 2, faa_deadline(30 * SECOND), statuses), 0);
	assert_int_equal(((uint32_t *)(b->memory + PAGE))[0], 10);
	assert_int_equal(((uint32_t *)(b->memory + PAGE))[1], 11);
}

/* Released in the wrong order on purpose. */
static void destroyed_under_way(void **state)
{
	struct bench *b = *state;
	struct faa_job job;
	uint64_t seqno;

	faa_stream_sem_wait(b->stream, FAA_SEM_COND_EQ, b->va + PAGE, 99);
	faa_stream_end(b->stream);
	job = upload(b);
	assert_int_equal(faa_queue_submit(b->queue, &job, 1, &seqno), 0);
	faa_device_unref(b->device);
	faa_vm_unref(b->vm);
	faa_bo_unref(b->bo);
	faa_queue_destroy(b->queue);
	b->device = NULL;
	b->vm = NULL;
	b->bo = NULL;
	b->queue = NULL;
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
		cmocka_unit_test_setup_teardown(many_threads, setup, teardown),
		cmocka_unit_test_setup_teardown(a_message_between_streams, setup, teardown),
		cmocka_unit_test_setup_teardown(group_goes_on, setup, teardown),
		cmocka_unit_test_setup_teardown(destroyed_under_way, setup, teardown),
		/* Last: it takes the device from everybody. */
		cmocka_unit_test_setup_teardown(lost_device, setup, teardown),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
