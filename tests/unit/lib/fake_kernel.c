// SPDX-License-Identifier: MIT
#include "fake_kernel.h"

#include "check.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <drm/faa_drm.h>
#include <drm/faa_dump.h>

#include "svm/share.h"
#include "tb_host.h"

#define MAX_BOS	     64
#define MAX_VMS	     4
#define MAX_QUEUES   4
#define MAX_SYNCOBJS 256
#define MAX_JOBS     512
#define PAGE	     4096ull

/* Size of fake_kernel_memory(). */
#define MEMORY_BYTES (64u << 20)
#define MEMORY_PAGES (MEMORY_BYTES / PAGE)

/* Mapping of a page of the process at its own address. */
enum fake_page {
	FAKE_PAGE_NONE,
	FAKE_PAGE_FAULTABLE,
	FAKE_PAGE_WAITS,
};

struct fake_bo {
	bool used;
	bool imported;
	bool status_ring;
	bool exclusive;
	uint32_t flags;
	uint64_t size;
	uint64_t dma;
	/* Inode of its dma-buf, 0 = never exported. */
	ino_t inode;
	char label[64];
};

struct fake_vm {
	struct tb_vm *vm;
	unsigned int queues;
	/* enum fake_page */
	uint8_t pages[MEMORY_PAGES];
};

struct fake_queue {
	struct tb_queue *queue;
	struct fake_vm *vm;
	struct fake_bo *ring;
	uint32_t entries;
	uint64_t submitted;
};

/* The object of one or several handles. */
struct fake_syncobj {
	unsigned int handles;
	/* Points up to these are signaled and promised; for a binary syncobj, 1 is. */
	uint64_t signaled;
	uint64_t promised;
};

/* A syncobj that a job signals when it has ended. */
struct fake_signal {
	struct fake_queue *queue;
	uint64_t seqno;
	struct fake_syncobj *syncobj;
	uint64_t point;
};

struct fake_kernel {
	struct faa_backend backend;
	/* The library may call from several threads. */
	pthread_mutex_t lock;
	struct tb_host *host;
	struct fake_bo bos[MAX_BOS];
	struct fake_vm vms[MAX_VMS];
	struct fake_queue queues[MAX_QUEUES];
	struct fake_syncobj syncobjs[MAX_SYNCOBJS];
	/* By handle. */
	struct fake_syncobj *names[MAX_SYNCOBJS];
	struct fake_signal signals[MAX_JOBS];
	unsigned int signal_count;
	unsigned int mappings;
	unsigned int userptr_binds;
	/* Pages that are unmapped by every MAP_USERPTR, 0 = none. */
	uint64_t shy[2];
	unsigned int calls;
	uint32_t major;
	bool fail_armed;
	unsigned int fail_at;
	int fail_error;
	bool hold;
	bool storm;
	bool lost;
	bool lose_in_wait;
	/* Of the last wait for a timeline. */
	uint64_t waited;
	/* Syncobj of fake_kernel_promise_late(), 0 = none. */
	uint32_t late;
	/* The end of the pipe of the last stream of counters, 0 = none. */
	int counters;
};

static struct fake_kernel *kernel_of(struct faa_backend *backend)
{
	return (struct fake_kernel *)backend;
}

static struct fake_kernel *lock_kernel(struct fake_kernel *kernel)
{
	pthread_mutex_lock(&kernel->lock);
	return kernel;
}

static void unlock_kernel(struct fake_kernel **kernel)
{
	pthread_mutex_unlock(&(*kernel)->lock);
}

/* Locks the kernel for the rest of the block. */
#define LOCKED(kernel)                    \
	struct fake_kernel *lock_of_block \
		__attribute__((cleanup(unlock_kernel), unused)) = lock_kernel(kernel)

/* Counts a call; returns the injected error, or 0. */
static int enter(struct fake_kernel *kernel)
{
	unsigned int call = kernel->calls++;

	if (kernel->lost)
		return -ENODEV;
	if (!kernel->fail_armed || call != kernel->fail_at)
		return 0;
	kernel->fail_armed = false;
	return kernel->fail_error;
}

static struct fake_bo *find_bo(struct fake_kernel *kernel, uint32_t handle)
{
	return handle && handle < MAX_BOS && kernel->bos[handle].used ? &kernel->bos[handle] : NULL;
}

/* The lowest free handle, as the kernel assigns it: a stale handle soon names another BO. */
static int new_bo(struct fake_kernel *kernel, uint64_t size, uint32_t *handle)
{
	uint32_t i;

	for (i = 1; i < MAX_BOS && kernel->bos[i].used; i++)
		;
	if (i == MAX_BOS)
		return -ENOMEM;
	kernel->bos[i] = (struct fake_bo){ .used = true, .size = (size + PAGE - 1) & ~(PAGE - 1) };
	kernel->bos[i].dma = tb_dma_alloc(kernel->host, kernel->bos[i].size, TB_READ_WRITE);
	*handle = i;
	return 0;
}

/* Warp slots of a compute unit. */
static uint32_t slots(struct fake_kernel *kernel)
{
	uint32_t config = tb_read(kernel->host, FAA_REG_CONFIG0);

	return (config & FAA_REG_CONFIG0_WARP_SLOTS_MASK) >> FAA_REG_CONFIG0_WARP_SLOTS_SHIFT;
}

static int dev_query(struct fake_kernel *kernel, struct drm_faa_dev_query *args)
{
	struct drm_faa_device_info info = {
		.version_major = kernel->major,
		.num_queues = kernel->host->num_queues,
		.num_cus = kernel->host->num_cus,
		.warp_slots = slots(kernel),
		.lanes = 32,
		.shared_max = kernel->host->shared_max,
		.shared_granule = 128,
		.axi_width = 64,
		.va_bits = 48,
		.features = tb_read64(kernel->host, FAA_REG_FEATURES_LO),
		.page_sizes = 1 << 12 | 1 << 21,
		.job_timeout_ms = 2000,
		.job_limit_ms = 60000,
		.max_vms = MAX_VMS,
		.max_queues = MAX_QUEUES,
		.max_bind_ops = 16,
		.max_jobs = 64,
		.max_syncs = 8,
		.max_status_entries = 4096,
	};

	if (args->type != DRM_FAA_DEV_QUERY_DEVICE || args->size > DRM_FAA_MAX_QUERY_BYTES)
		return -EINVAL;
	if (args->pointer) {
		size_t n = args->size < sizeof(info) ? args->size : sizeof(info);

		memset((void *)(uintptr_t)args->pointer, 0, args->size);
		memcpy((void *)(uintptr_t)args->pointer, &info, n);
	}
	args->size = sizeof(info);
	return 0;
}

static int bo_create(struct fake_kernel *kernel, struct drm_faa_bo_create *args)
{
	int ret;

	if (!args->size || args->flags & ~(uint32_t)DRM_FAA_BO_NO_MMAP || args->region)
		return -EINVAL;
	if (args->exclusive_vm &&
	    (args->exclusive_vm > MAX_VMS || !kernel->vms[args->exclusive_vm - 1].vm))
		return -ENOENT;
	if (args->size > 4u << 20)
		return -ENOMEM;
	ret = new_bo(kernel, args->size, &args->handle);
	if (ret)
		return ret;
	kernel->bos[args->handle].flags = args->flags;
	kernel->bos[args->handle].exclusive = args->exclusive_vm;
	args->size = kernel->bos[args->handle].size;
	return 0;
}

static int bo_mmap_offset(struct fake_kernel *kernel, struct drm_faa_bo_mmap_offset *args)
{
	struct fake_bo *bo = find_bo(kernel, args->handle);

	if (args->pad)
		return -EINVAL;
	if (!bo)
		return -ENOENT;
	if (bo->flags & DRM_FAA_BO_NO_MMAP)
		return -EPERM;
	if (bo->imported)
		return -EINVAL;
	args->offset = (uint64_t)args->handle << 32;
	return 0;
}

static int bo_info(struct fake_kernel *kernel, struct drm_faa_bo_info *args)
{
	struct fake_bo *bo = find_bo(kernel, args->handle);

	if (args->pad)
		return -EINVAL;
	if (!bo)
		return -ENOENT;
	args->size = bo->size;
	args->flags = bo->flags | (bo->imported ? DRM_FAA_BO_IMPORTED : 0);
	args->exclusive = bo->exclusive;
	return 0;
}

static int bo_set_label(struct fake_kernel *kernel, struct drm_faa_bo_set_label *args)
{
	struct fake_bo *bo = find_bo(kernel, args->handle);
	const char *label = (const char *)(uintptr_t)args->label;

	if (args->pad)
		return -EINVAL;
	if (!bo)
		return -ENOENT;
	if (label && strlen(label) >= DRM_FAA_MAX_LABEL_BYTES)
		return -E2BIG;
	snprintf(bo->label, sizeof(bo->label), "%s", label ? label : "");
	return 0;
}

const char *fake_kernel_label(const struct fake_kernel *kernel, uint32_t handle)
{
	return kernel->bos[handle].label;
}

static int vm_create(struct fake_kernel *kernel, struct drm_faa_vm_create *args)
{
	uint32_t i;

	if (args->flags)
		return -EINVAL;
	for (i = 0; i < MAX_VMS && kernel->vms[i].vm; i++)
		;
	if (i == MAX_VMS)
		return -ENOSPC;
	kernel->vms[i].vm = tb_vm_create(kernel->host, i);
	memset(kernel->vms[i].pages, FAKE_PAGE_NONE, MEMORY_PAGES);
	args->vm_id = i + 1;
	args->va_range = 1ull << 48;
	return 0;
}

static struct fake_vm *find_vm(struct fake_kernel *kernel, uint32_t id)
{
	return id && id <= MAX_VMS && kernel->vms[id - 1].vm ? &kernel->vms[id - 1] : NULL;
}

static int vm_destroy(struct fake_kernel *kernel, struct drm_faa_vm_destroy *args)
{
	struct fake_vm *vm = find_vm(kernel, args->vm_id);

	if (!vm)
		return -ENOENT;
	if (vm->queues)
		return -EBUSY;
	/* The next VM with this number must not use translations of this one. */
	assert_true(tb_vm_invalidate(vm->vm, 0, (1ull << 48) - 1));
	tb_vm_destroy(vm->vm);
	vm->vm = NULL;
	return 0;
}

/* The state of the page at @va, NULL if it is not one of the process. */
static uint8_t *page_at(struct fake_kernel *kernel, struct fake_vm *vm, uint64_t va)
{
	uint64_t start = (uintptr_t)kernel->host->memory;

	return va >= start && va - start < MEMORY_BYTES ? &vm->pages[(va - start) / PAGE] : NULL;
}

static void note_pages(struct fake_kernel *kernel, struct fake_vm *vm, uint64_t va, uint64_t size,
		       enum fake_page as)
{
	uint64_t at;

	for (at = va; at < va + size; at += PAGE) {
		uint8_t *page = page_at(kernel, vm, at);

		if (page)
			*page = as;
	}
}

/*
 * Effect of a fork: all FAULTABLE mappings lose their pages; other pages stay until the jobs have
 * ended.
 */
static void storm(struct fake_kernel *kernel, struct fake_vm *vm)
{
	uint64_t start = (uintptr_t)kernel->host->memory, i;

	for (i = 0; i < MEMORY_PAGES; i++) {
		if (vm->pages[i] != FAKE_PAGE_FAULTABLE)
			continue;
		tb_vm_unmap(vm->vm, start + i * PAGE, PAGE);
		vm->pages[i] = FAKE_PAGE_NONE;
	}
	assert_true(tb_vm_invalidate(vm->vm, start, start + MEMORY_BYTES - 1));
}

/*
 * The process memory that the device can access is in the host's memory; its protection is looked
 * up as a kernel does.
 */
static int bind_userptr(struct fake_kernel *kernel, struct fake_vm *vm,
			const struct drm_faa_vm_bind_op *op, uint64_t flags)
{
	uint64_t start = (uintptr_t)kernel->host->memory, at;
	struct faa_vma vma;

	if (op->handle || op->bo_offset || op->userptr % PAGE)
		return -EINVAL;
	kernel->userptr_binds++;
	for (at = 0; at < 2; at++) {
		uint64_t page = kernel->shy[at];

		if (!page)
			continue;
		tb_vm_unmap(vm->vm, page, PAGE);
		assert_true(tb_vm_invalidate(vm->vm, page, page + PAGE - 1));
	}
	if (op->userptr < start || op->userptr + op->size > start + kernel->host->bytes) {
		/* Memory that is only bound, never accessed. */
		if (faa_vma_find(op->userptr, &vma))
			return -EFAULT;
		return op->userptr + op->size <= vma.end && op->size == PAGE ? 0 : -EFAULT;
	}
	for (at = op->userptr; at < op->userptr + op->size; at += PAGE) {
		if (faa_vma_find(at, &vma) || !vma.readable)
			return -EFAULT;
		if (!vma.writable && !(op->flags & DRM_FAA_VM_BIND_READONLY))
			return -EPERM;
	}
	tb_vm_map(vm->vm, op->va, kernel->host->base + (op->userptr - start), op->size, flags);
	if (op->va == op->userptr)
		note_pages(kernel, vm, op->va, op->size,
			   op->flags & DRM_FAA_VM_BIND_FAULTABLE ? FAKE_PAGE_FAULTABLE :
								   FAKE_PAGE_WAITS);
	return 0;
}

static int bind_bo(struct fake_kernel *kernel, struct fake_vm *vm,
		   const struct drm_faa_vm_bind_op *op, uint64_t flags)
{
	struct fake_bo *bo = find_bo(kernel, op->handle);

	if (!bo)
		return -ENOENT;
	if (op->userptr || op->bo_offset % PAGE || op->bo_offset + op->size > bo->size ||
	    bo->status_ring)
		return -EINVAL;
	tb_vm_map(vm->vm, op->va, bo->dma + op->bo_offset, op->size, flags);
	return 0;
}

static uint32_t legal_flags(uint32_t op)
{
	switch (op) {
	case DRM_FAA_VM_BIND_OP_UNMAP:
		return 0;
	case DRM_FAA_VM_BIND_OP_MAP_USERPTR:
		return DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC |
		       DRM_FAA_VM_BIND_FAULTABLE;
	default:
		return DRM_FAA_VM_BIND_READONLY | DRM_FAA_VM_BIND_ATOMIC;
	}
}

static int bind_one(struct fake_kernel *kernel, struct fake_vm *vm,
		    const struct drm_faa_vm_bind_op *op)
{
	uint64_t flags = op->flags & DRM_FAA_VM_BIND_READONLY ? 0 : FAA_PTE_WRITABLE_MASK;
	int ret = 0;

	if (op->pad || op->va % PAGE || op->size % PAGE || !op->size ||
	    op->flags & ~legal_flags(op->op))
		return -EINVAL;
	if (op->flags & DRM_FAA_VM_BIND_ATOMIC)
		flags |= FAA_PTE_ATOMIC_MASK;
	if (op->op == DRM_FAA_VM_BIND_OP_MAP)
		ret = bind_bo(kernel, vm, op, flags);
	else if (op->op == DRM_FAA_VM_BIND_OP_MAP_USERPTR)
		ret = bind_userptr(kernel, vm, op, flags);
	else if (op->handle || op->bo_offset || op->userptr)
		ret = -EINVAL;
	else if (op->op == DRM_FAA_VM_BIND_OP_MAP_NULL)
		tb_vm_map(vm->vm, op->va, 0, op->size, flags | FAA_PTE_SPARSE_MASK);
	else
		tb_vm_unmap(vm->vm, op->va, op->size);
	if (op->op == DRM_FAA_VM_BIND_OP_UNMAP)
		note_pages(kernel, vm, op->va, op->size, FAKE_PAGE_NONE);
	if (!ret)
		assert_true(tb_vm_invalidate(vm->vm, op->va, op->va + op->size - 1));
	return ret;
}

static int check_syncs(struct fake_kernel *kernel, const struct drm_faa_obj_array *array);
static void wait_syncs(struct fake_kernel *kernel, const struct drm_faa_obj_array *array);
static void signal_syncs(struct fake_kernel *kernel, const struct drm_faa_obj_array *array);

/* ASYNC is faked as well: a call waits by running all jobs that it waits for. */
static int vm_bind(struct fake_kernel *kernel, struct drm_faa_vm_bind *args)
{
	const struct drm_faa_vm_bind_op *ops = (const void *)(uintptr_t)args->ops.array;
	struct fake_vm *vm = find_vm(kernel, args->vm_id);
	bool async = args->flags & DRM_FAA_VM_BIND_ASYNC;
	uint32_t i;
	int ret;

	args->failed_op = args->ops.count;
	if (args->flags & ~(uint32_t)DRM_FAA_VM_BIND_ASYNC || args->pad || !args->ops.count ||
	    args->ops.count > 16 || args->ops.stride != sizeof(*ops) ||
	    (args->syncs.count && !async))
		return -EINVAL;
	if (!vm)
		return -ENOENT;
	ret = check_syncs(kernel, &args->syncs);
	if (ret)
		return ret;
	wait_syncs(kernel, &args->syncs);
	for (i = 0; i < args->ops.count; i++) {
		ret = bind_one(kernel, vm, &ops[i]);
		if (ret) {
			args->failed_op = i;
			return ret;
		}
	}
	signal_syncs(kernel, &args->syncs);
	return 0;
}

static int queue_create(struct fake_kernel *kernel, struct drm_faa_queue_create *args)
{
	struct fake_vm *vm = find_vm(kernel, args->vm_id);
	struct tb_queue_config config = { .shared_bytes = args->shared_bytes,
					  .prio = args->priority,
					  .vector = 1 };
	struct fake_queue *queue;
	uint32_t i;
	int ret;

	if (!vm)
		return -ENOENT;
	if (!args->status_entries)
		args->status_entries = 256;
	if (args->flags || args->pad || args->shared_bytes % 128 ||
	    args->shared_bytes > kernel->host->shared_max || args->status_entries < 64 ||
	    args->status_entries > 4096 || args->status_entries & (args->status_entries - 1))
		return -EINVAL;
	if (args->priority > DRM_FAA_PRIORITY_NORMAL)
		return -EACCES;
	for (i = 0; i < MAX_QUEUES && kernel->queues[i].queue; i++)
		;
	if (i == MAX_QUEUES)
		return -ENOSPC;
	queue = &kernel->queues[i];
	ret = new_bo(kernel, args->status_entries * sizeof(struct drm_faa_status),
		     &args->status_handle);
	if (ret)
		return ret;
	config.ring_log2 = __builtin_ctz(args->status_entries);
	*queue = (struct fake_queue){ .vm = vm,
				      .ring = find_bo(kernel, args->status_handle),
				      .entries = args->status_entries };
	queue->ring->status_ring = true;
	queue->queue = tb_queue_create(vm->vm, i, &config);
	vm->queues++;
	args->queue_id = i + 1;
	return 0;
}

static struct fake_queue *find_queue(struct fake_kernel *kernel, uint32_t id)
{
	return id && id <= MAX_QUEUES && kernel->queues[id - 1].queue ? &kernel->queues[id - 1] :
									NULL;
}

/* Signals the syncobjs of jobs that have ended. */
static void collect(struct fake_kernel *kernel)
{
	unsigned int i, kept = 0;

	for (i = 0; i < kernel->signal_count; i++) {
		struct fake_signal *signal = &kernel->signals[i];
		struct fake_syncobj *syncobj = signal->syncobj;

		if (!signal->queue->queue || tb_seqno(signal->queue->queue) >= signal->seqno) {
			if (syncobj->signaled < signal->point)
				syncobj->signaled = signal->point;
		} else {
			kernel->signals[kept++] = *signal;
		}
	}
	kernel->signal_count = kept;
}

static int queue_destroy(struct fake_kernel *kernel, struct drm_faa_queue_destroy *args)
{
	struct fake_queue *queue = find_queue(kernel, args->queue_id);

	if (!queue)
		return -ENOENT;
	assert_true(tb_queue_destroy(queue->queue));
	queue->queue = NULL;
	queue->vm->queues--;
	collect(kernel);
	return 0;
}

static int queue_get_state(struct fake_kernel *kernel, struct drm_faa_queue_get_state *args)
{
	struct fake_queue *queue = find_queue(kernel, args->queue_id);

	if (!queue)
		return -ENOENT;
	args->submitted = queue->submitted;
	args->completed = tb_seqno(queue->queue);
	return 0;
}

/* A dump of only a header. */
static int queue_dump(struct fake_kernel *kernel, struct drm_faa_queue_dump *args)
{
	const struct faa_dump_header header = {
		.magic = htole64(FAA_DUMP_MAGIC),
		.version = htole32(FAA_DUMP_VERSION),
		.bytes = htole32(sizeof(header)),
		.size = htole64(sizeof(header)),
	};

	if (!find_queue(kernel, args->queue_id))
		return -ENOENT;
	if (args->size < sizeof(header))
		return -ENOSPC;
	memcpy((void *)(uintptr_t)args->pointer, &header, sizeof(header));
	args->size = sizeof(header);
	return 0;
}

/* A stream is a pipe, which the test fills. */
static int counters_open(struct fake_kernel *kernel, struct drm_faa_counters_open *args)
{
	int ends[2];

	if (args->flags)
		return -EINVAL;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	if (kernel->counters)
		close(kernel->counters);
	kernel->counters = ends[1];
	args->fd = ends[0];
	args->record_bytes = sizeof(struct drm_faa_counters_record) +
			     kernel->host->num_cus * sizeof(struct drm_faa_cu_counters);
	return 0;
}

static struct fake_syncobj *find_syncobj(struct fake_kernel *kernel, uint32_t handle)
{
	return handle && handle < MAX_SYNCOBJS ? kernel->names[handle] : NULL;
}

static bool is_over(int64_t deadline)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec >= deadline;
}

/*
 * Runs the device until @syncobj has @point or @deadline has passed, 0 = does not run it; false if
 * the point cannot be reached. Other threads may call in between.
 */
static bool run_until(struct fake_kernel *kernel, const struct fake_syncobj *syncobj,
		      uint64_t point, int64_t deadline)
{
	const struct timespec pause = { .tv_nsec = 1000 };

	for (;;) {
		collect(kernel);
		if (syncobj->signaled >= point)
			return true;
		if (is_over(deadline) || kernel->hold || !tb_step(kernel->host, 64)) {
			collect(kernel);
			return syncobj->signaled >= point;
		}
		/* Long enough for waiting threads to get the lock. */
		pthread_mutex_unlock(&kernel->lock);
		nanosleep(&pause, NULL);
		pthread_mutex_lock(&kernel->lock);
	}
}

static int check_syncs(struct fake_kernel *kernel, const struct drm_faa_obj_array *array)
{
	const struct drm_faa_sync *syncs = (const void *)(uintptr_t)array->array;
	uint32_t i;

	if (array->count > 8 || (array->count && array->stride != sizeof(*syncs)))
		return -EINVAL;
	for (i = 0; i < array->count; i++) {
		struct fake_syncobj *syncobj = find_syncobj(kernel, syncs[i].handle);
		bool timeline = syncs[i].flags & DRM_FAA_SYNC_TIMELINE;

		if (!syncobj)
			return -ENOENT;
		if (syncs[i].flags & ~3u || timeline != !!syncs[i].point)
			return -EINVAL;
		if (!(syncs[i].flags & DRM_FAA_SYNC_SIGNAL) &&
		    syncobj->promised < (timeline ? syncs[i].point : 1))
			return -EINVAL;
	}
	return 0;
}

static void wait_syncs(struct fake_kernel *kernel, const struct drm_faa_obj_array *array)
{
	const struct drm_faa_sync *syncs = (const void *)(uintptr_t)array->array;
	uint32_t i;

	for (i = 0; i < array->count; i++)
		if (!(syncs[i].flags & DRM_FAA_SYNC_SIGNAL))
			assert_true(run_until(kernel, find_syncobj(kernel, syncs[i].handle),
					      syncs[i].point ? syncs[i].point : 1, INT64_MAX));
}

/* Drops the fences of a binary syncobj. */
static void forget_signals(struct fake_kernel *kernel, struct fake_syncobj *syncobj)
{
	unsigned int i, kept = 0;

	for (i = 0; i < kernel->signal_count; i++)
		if (kernel->signals[i].syncobj != syncobj)
			kernel->signals[kept++] = kernel->signals[i];
	kernel->signal_count = kept;
	syncobj->signaled = syncobj->promised = 0;
}

static void give_point(struct fake_kernel *kernel, struct fake_syncobj *syncobj, uint64_t point)
{
	if (!point)
		forget_signals(kernel, syncobj);
	syncobj->signaled = syncobj->promised = point ? point : 1;
}

static void signal_syncs(struct fake_kernel *kernel, const struct drm_faa_obj_array *array)
{
	const struct drm_faa_sync *syncs = (const void *)(uintptr_t)array->array;
	uint32_t i;

	for (i = 0; i < array->count; i++)
		if (syncs[i].flags & DRM_FAA_SYNC_SIGNAL)
			give_point(kernel, find_syncobj(kernel, syncs[i].handle), syncs[i].point);
}

static void promise(struct fake_kernel *kernel, struct fake_syncobj *syncobj, uint64_t point,
		    struct fake_queue *queue, uint64_t seqno)
{
	if (!point)
		forget_signals(kernel, syncobj);
	assert_true(kernel->signal_count < MAX_JOBS);
	kernel->signals[kernel->signal_count++] =
		(struct fake_signal){ queue, seqno, syncobj, point ? point : 1 };
	syncobj->promised = point ? point : 1;
}

static int check_job(struct fake_kernel *kernel, const struct drm_faa_job *job)
{
	if (job->flags & ~(uint32_t)DRM_FAA_JOB_TOGETHER || job->pad || job->stream_va % 8 ||
	    job->stream_bytes % 8 || !job->stream_bytes || job->first_element % 32)
		return -EINVAL;
	return check_syncs(kernel, &job->syncs);
}

static bool waits(const struct drm_faa_job *job)
{
	const struct drm_faa_sync *syncs = (const void *)(uintptr_t)job->syncs.array;
	uint32_t i;

	for (i = 0; i < job->syncs.count; i++)
		if (!(syncs[i].flags & DRM_FAA_SYNC_SIGNAL))
			return true;
	return false;
}

/* Groups must have an end and fit into a compute unit; only their first job may wait. */
static int check_groups(struct fake_kernel *kernel, const struct drm_faa_job *jobs, uint32_t count)
{
	uint32_t i, place = 0;

	for (i = 0; i < count; i++) {
		if (place && waits(&jobs[i]))
			return -EINVAL;
		place = jobs[i].flags & DRM_FAA_JOB_TOGETHER ? place + 1 : 0;
		if (place >= slots(kernel))
			return -EINVAL;
	}
	return place ? -EINVAL : 0;
}

static void push_job(struct fake_kernel *kernel, struct fake_queue *queue,
		     const struct drm_faa_job *job, uint64_t seqno)
{
	const struct drm_faa_sync *syncs = (const void *)(uintptr_t)job->syncs.array;
	struct faa_job_desc desc;
	uint32_t i;

	/*
	 * A job waits by running all jobs that it waits for: the scheduler of a kernel in one
	 * process.
	 */
	wait_syncs(kernel, &job->syncs);
	desc = tb_desc(queue->queue, job->stream_va, job->stream_bytes);
	desc.seqno = htole64(seqno);
	desc.first_element = htole32(job->first_element);
	if (job->flags & DRM_FAA_JOB_TOGETHER)
		desc.flags |= htole32(FAA_JOB_FLAG_TOGETHER);
	desc.status_addr =
		htole64(queue->ring->dma + seqno % queue->entries * sizeof(struct drm_faa_status));
	tb_push(queue->queue, &desc);
	for (i = 0; i < job->syncs.count; i++)
		if (syncs[i].flags & DRM_FAA_SYNC_SIGNAL)
			promise(kernel, find_syncobj(kernel, syncs[i].handle), syncs[i].point,
				queue, seqno);
}

static int submit(struct fake_kernel *kernel, struct drm_faa_submit *args)
{
	const struct drm_faa_job *jobs = (const void *)(uintptr_t)args->jobs.array;
	struct fake_queue *queue = find_queue(kernel, args->queue_id);
	uint32_t i;
	int ret;

	if (kernel->late) {
		give_point(kernel, find_syncobj(kernel, kernel->late), 0);
		kernel->late = 0;
		return -EINVAL;
	}
	if (!queue)
		return -ENOENT;
	if (args->flags || !args->jobs.count || args->jobs.count > 64 ||
	    args->jobs.stride != sizeof(*jobs))
		return -EINVAL;
	for (i = 0; i < args->jobs.count; i++) {
		ret = check_job(kernel, &jobs[i]);
		if (ret)
			return ret;
	}
	ret = check_groups(kernel, jobs, args->jobs.count);
	if (ret)
		return ret;
	if (queue->submitted + args->jobs.count - tb_seqno(queue->queue) > queue->entries)
		return -ENOSPC;
	args->first_seqno = queue->submitted + 1;
	for (i = 0; i < args->jobs.count; i++)
		push_job(kernel, queue, &jobs[i], ++queue->submitted);
	if (kernel->storm)
		storm(kernel, queue->vm);
	tb_doorbell(queue->queue);
	return 0;
}

static int fake_ioctl(struct faa_backend *backend, unsigned long request, void *arg)
{
	struct fake_kernel *kernel = kernel_of(backend);
	/* Destruction does not fail, neither here nor in the kernel. */
	bool destroys = request == DRM_IOCTL_FAA_VM_DESTROY ||
			request == DRM_IOCTL_FAA_QUEUE_DESTROY;
	LOCKED(kernel);
	int ret = destroys ? 0 : enter(kernel);

	if (ret)
		return ret;
	switch (request) {
	case DRM_IOCTL_FAA_DEV_QUERY:
		return dev_query(kernel, arg);
	case DRM_IOCTL_FAA_BO_CREATE:
		return bo_create(kernel, arg);
	case DRM_IOCTL_FAA_BO_MMAP_OFFSET:
		return bo_mmap_offset(kernel, arg);
	case DRM_IOCTL_FAA_BO_INFO:
		return bo_info(kernel, arg);
	case DRM_IOCTL_FAA_BO_SET_LABEL:
		return bo_set_label(kernel, arg);
	case DRM_IOCTL_FAA_VM_CREATE:
		return vm_create(kernel, arg);
	case DRM_IOCTL_FAA_VM_DESTROY:
		return vm_destroy(kernel, arg);
	case DRM_IOCTL_FAA_VM_BIND:
		return vm_bind(kernel, arg);
	case DRM_IOCTL_FAA_QUEUE_CREATE:
		return queue_create(kernel, arg);
	case DRM_IOCTL_FAA_QUEUE_DESTROY:
		return queue_destroy(kernel, arg);
	case DRM_IOCTL_FAA_QUEUE_GET_STATE:
		return queue_get_state(kernel, arg);
	case DRM_IOCTL_FAA_QUEUE_DUMP:
		return queue_dump(kernel, arg);
	case DRM_IOCTL_FAA_COUNTERS_OPEN:
		return counters_open(kernel, arg);
	case DRM_IOCTL_FAA_SUBMIT:
		return submit(kernel, arg);
	default:
		return -ENOTTY;
	}
}

static void fake_close(struct faa_backend *backend)
{
	(void)backend;
}

static int fake_map(struct faa_backend *backend, uint64_t offset, uint64_t size, int prot,
		    void **address)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_bo *bo = find_bo(kernel, offset >> 32);
	int ret = enter(kernel);

	if (ret)
		return ret;
	if (!bo || size != bo->size || (bo->status_ring && prot & PROT_WRITE))
		return -EINVAL;
	*address = tb_ptr(kernel->host, bo->dma);
	kernel->mappings++;
	return 0;
}

static void fake_unmap(struct faa_backend *backend, void *address, uint64_t size)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);

	(void)address;
	(void)size;
	kernel->mappings--;
}

static int fake_map_dmabuf(struct faa_backend *backend, uint32_t handle, uint64_t size,
			   void **address)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_bo *bo = find_bo(kernel, handle);
	int ret = enter(kernel);

	if (ret)
		return ret;
	if (!bo || !bo->imported || size != bo->size)
		return -EINVAL;
	*address = tb_ptr(kernel->host, bo->dma);
	kernel->mappings++;
	return 0;
}

static int fake_gem_close(struct faa_backend *backend, uint32_t handle)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_bo *bo = find_bo(kernel, handle);

	/* The handle table prevents the bug of closing a handle twice. */
	assert_non_null(bo);
	bo->used = false;
	return 0;
}

static int fake_prime_export(struct faa_backend *backend, uint32_t handle, int *fd)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_bo *bo = find_bo(kernel, handle);
	struct stat info;
	int ret = enter(kernel);

	if (ret)
		return ret;
	if (!bo)
		return -ENOENT;
	if (bo->exclusive || bo->status_ring)
		return -EPERM;
	*fd = memfd_create("dma-buf", MFD_CLOEXEC);
	assert_true(*fd >= 0);
	assert_int_equal(fstat(*fd, &info), 0);
	bo->inode = info.st_ino;
	return 0;
}

/* A dma-buf is a memfd here: of an existing BO, or of another owner. */
static int fake_prime_import(struct faa_backend *backend, int fd, uint32_t *handle)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct stat info;
	uint32_t i;
	int ret = enter(kernel);

	if (ret)
		return ret;
	if (fstat(fd, &info))
		return -EBADF;
	for (i = 1; i < MAX_BOS; i++) {
		if (kernel->bos[i].used && kernel->bos[i].inode == info.st_ino) {
			*handle = i;
			return 0;
		}
	}
	if (!info.st_size)
		return -EINVAL;
	ret = new_bo(kernel, info.st_size, handle);
	if (ret)
		return ret;
	kernel->bos[*handle].imported = true;
	kernel->bos[*handle].inode = info.st_ino;
	return 0;
}

/* The lowest free handle, for @syncobj or a new one. */
static int new_name(struct fake_kernel *kernel, struct fake_syncobj *syncobj, uint32_t *handle)
{
	uint32_t i, j;

	for (i = 1; i < MAX_SYNCOBJS && kernel->names[i]; i++)
		;
	for (j = 0; j < MAX_SYNCOBJS && !syncobj; j++)
		if (!kernel->syncobjs[j].handles)
			syncobj = &kernel->syncobjs[j];
	if (i == MAX_SYNCOBJS || !syncobj)
		return -ENOMEM;
	kernel->names[i] = syncobj;
	syncobj->handles++;
	*handle = i;
	return 0;
}

static int fake_syncobj_create(struct faa_backend *backend, bool signaled, uint32_t *handle)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	int ret = enter(kernel);

	if (!ret)
		ret = new_name(kernel, NULL, handle);
	if (!ret)
		kernel->names[*handle]->signaled = kernel->names[*handle]->promised = signaled;
	return ret;
}

static int fake_syncobj_destroy(struct faa_backend *backend, uint32_t handle)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_syncobj *syncobj = find_syncobj(kernel, handle);

	if (!syncobj)
		return -EINVAL;
	kernel->names[handle] = NULL;
	if (!--syncobj->handles)
		forget_signals(kernel, syncobj);
	return 0;
}

/* The condition of a waiting call. */
struct fake_wait {
	const uint32_t *handles;
	const uint64_t *points; /* NULL: binary ones */
	uint32_t count;
	bool all;
	bool promised; /* until the points are promised, not until they are signaled */
	int64_t deadline;
};

/* Checks all of them with the lock held; this runs the device, which makes no promises itself. */
static int look(struct fake_kernel *kernel, const struct fake_wait *wait)
{
	uint32_t i, done = 0;

	for (i = 0; i < wait->count; i++) {
		struct fake_syncobj *syncobj = find_syncobj(kernel, wait->handles[i]);
		uint64_t point = wait->points && wait->points[i] ? wait->points[i] : 1;

		if (!syncobj)
			return -ENOENT;
		done += wait->promised ? syncobj->promised >= point :
					 run_until(kernel, syncobj, point, wait->deadline);
	}
	return done == wait->count || (done && !wait->all) ? 0 : -ETIME;
}

/*
 * Polls until the deadline. The lock is held, and released for a short time after each poll, since
 * another thread may signal a point that the device cannot reach.
 */
static int wait_for(struct fake_kernel *kernel, const struct fake_wait *wait)
{
	const struct timespec pause = { .tv_nsec = 200000 };
	int ret;

	for (;;) {
		ret = look(kernel, wait);
		if (kernel->lose_in_wait && !wait->promised) {
			kernel->lost = true;
			return -ENODEV;
		}
		if (ret != -ETIME || is_over(wait->deadline))
			return ret;
		pthread_mutex_unlock(&kernel->lock);
		nanosleep(&pause, NULL);
		pthread_mutex_lock(&kernel->lock);
	}
}

static int fake_syncobj_wait(struct faa_backend *backend, const uint32_t *handles,
			     const uint64_t *points, uint32_t count, bool all, int64_t deadline)
{
	const struct fake_wait wait = { handles, points, count, all, false, deadline };
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	int ret = enter(kernel);

	if (ret)
		return ret;
	if (points)
		kernel->waited = points[count - 1];
	return wait_for(kernel, &wait);
}

static int fake_syncobj_wait_promised(struct faa_backend *backend, const uint32_t *handles,
				      const uint64_t *points, uint32_t count, bool all,
				      int64_t deadline)
{
	const struct fake_wait wait = { handles, points, count, all, true, deadline };
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	int ret = enter(kernel);

	return ret ? ret : wait_for(kernel, &wait);
}

static int fake_syncobj_signal(struct faa_backend *backend, uint32_t handle, uint64_t point)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_syncobj *syncobj = find_syncobj(kernel, handle);
	int ret = enter(kernel);

	if (ret)
		return ret;
	if (!syncobj)
		return -ENOENT;
	give_point(kernel, syncobj, point);
	return 0;
}

static int fake_syncobj_query(struct faa_backend *backend, uint32_t handle, uint64_t *point)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_syncobj *syncobj = find_syncobj(kernel, handle);
	int ret = enter(kernel);

	if (ret)
		return ret;
	if (!syncobj)
		return -ENOENT;
	collect(kernel);
	*point = syncobj->signaled;
	return 0;
}

static int fake_syncobj_reset(struct faa_backend *backend, uint32_t handle)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_syncobj *syncobj = find_syncobj(kernel, handle);

	if (!syncobj)
		return -ENOENT;
	forget_signals(kernel, syncobj);
	return 0;
}

static int fake_syncobj_dup(struct faa_backend *backend, uint32_t handle, uint32_t *dup)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_syncobj *syncobj = find_syncobj(kernel, handle);
	int ret = enter(kernel);

	if (ret)
		return ret;
	return syncobj ? new_name(kernel, syncobj, dup) : -ENOENT;
}

static int fake_syncobj_transfer(struct faa_backend *backend, uint32_t to, uint64_t to_point,
				 uint32_t from, uint64_t from_point)
{
	struct fake_kernel *kernel = kernel_of(backend);
	LOCKED(kernel);
	struct fake_syncobj *target = find_syncobj(kernel, to),
			    *source = find_syncobj(kernel, from);
	uint64_t point = from_point ? from_point : 1;
	unsigned int i;
	int ret = enter(kernel);

	if (ret)
		return ret;
	if (!target || !source)
		return -ENOENT;
	if (source->promised < point)
		return -EINVAL;
	collect(kernel);
	if (source->signaled >= point) {
		give_point(kernel, target, to_point);
		return 0;
	}
	for (i = 0; kernel->signals[i].syncobj != source || kernel->signals[i].point < point; i++)
		assert_true(i + 1 < kernel->signal_count);
	promise(kernel, target, to_point, kernel->signals[i].queue, kernel->signals[i].seqno);
	return 0;
}

static const struct faa_backend_ops fake_ops = {
	.close = fake_close,
	.ioctl = fake_ioctl,
	.map = fake_map,
	.unmap = fake_unmap,
	.map_dmabuf = fake_map_dmabuf,
	.gem_close = fake_gem_close,
	.prime_export = fake_prime_export,
	.prime_import = fake_prime_import,
	.syncobj_create = fake_syncobj_create,
	.syncobj_destroy = fake_syncobj_destroy,
	.syncobj_wait = fake_syncobj_wait,
	.syncobj_wait_promised = fake_syncobj_wait_promised,
	.syncobj_signal = fake_syncobj_signal,
	.syncobj_query = fake_syncobj_query,
	.syncobj_reset = fake_syncobj_reset,
	.syncobj_dup = fake_syncobj_dup,
	.syncobj_transfer = fake_syncobj_transfer,
};

/* The device's memory is also memory of the process, at page-aligned addresses. */
static void align_memory(struct tb_host *host)
{
	void *pages =
		mmap(NULL, host->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(pages != MAP_FAILED);
	memcpy(pages, host->memory, host->used);
	free(host->memory);
	host->memory = pages;
}

struct fake_kernel *fake_kernel_create_build(const struct faa_model_params *params)
{
	struct tb_config config = { .engine = tb_engine("model"),
				    .model = params,
				    .mem = tb_mem_default(1),
				    .memory_bytes = MEMORY_BYTES };
	struct fake_kernel *kernel = calloc(1, sizeof(*kernel));

	assert_non_null(kernel);
	assert_int_equal(pthread_mutex_init(&kernel->lock, NULL), 0);
	kernel->backend.ops = &fake_ops;
	kernel->backend.fd = -1;
	kernel->major = 2;
	kernel->host = tb_host_create(&config);
	align_memory(kernel->host);
	return kernel;
}

struct fake_kernel *fake_kernel_create(void)
{
	return fake_kernel_create_build(NULL);
}

void fake_kernel_destroy(struct fake_kernel *kernel)
{
	assert_int_equal(kernel->host->violations, 0);
	munmap(kernel->host->memory, kernel->host->bytes);
	kernel->host->memory = NULL;
	tb_host_destroy(kernel->host);
	if (kernel->counters)
		close(kernel->counters);
	pthread_mutex_destroy(&kernel->lock);
	free(kernel);
}

struct faa_backend *fake_kernel_open(struct fake_kernel *kernel)
{
	return &kernel->backend;
}

void fake_kernel_fail(struct fake_kernel *kernel, unsigned int nth, int error)
{
	kernel->fail_armed = true;
	kernel->fail_at = kernel->calls + nth;
	kernel->fail_error = error;
}

bool fake_kernel_failed(struct fake_kernel *kernel)
{
	bool failed = !kernel->fail_armed;

	kernel->fail_armed = false;
	return failed;
}

void fake_kernel_hold(struct fake_kernel *kernel, bool hold)
{
	LOCKED(kernel);

	kernel->hold = hold;
}

void fake_kernel_lose(struct fake_kernel *kernel, bool in_wait)
{
	LOCKED(kernel);

	kernel->lost = !in_wait;
	kernel->lose_in_wait = in_wait;
}

uint64_t fake_kernel_waited(struct fake_kernel *kernel)
{
	LOCKED(kernel);

	return kernel->waited;
}

void fake_kernel_promise_late(struct fake_kernel *kernel, uint32_t handle)
{
	LOCKED(kernel);

	kernel->late = handle;
}

unsigned int fake_kernel_live(const struct fake_kernel *kernel)
{
	unsigned int i, live = kernel->mappings;

	for (i = 0; i < MAX_BOS; i++)
		live += kernel->bos[i].used;
	for (i = 0; i < MAX_VMS; i++)
		live += kernel->vms[i].vm != NULL;
	for (i = 0; i < MAX_QUEUES; i++)
		live += kernel->queues[i].queue != NULL;
	for (i = 0; i < MAX_SYNCOBJS; i++)
		live += kernel->names[i] != NULL;
	return live;
}

unsigned int fake_kernel_calls(const struct fake_kernel *kernel)
{
	return kernel->calls;
}

void fake_kernel_set_major(struct fake_kernel *kernel, uint32_t major)
{
	kernel->major = major;
}

void *fake_kernel_memory(struct fake_kernel *kernel, size_t bytes)
{
	LOCKED(kernel);

	return tb_ptr(kernel->host, tb_dma_alloc(kernel->host, bytes, TB_READ_WRITE));
}

void fake_kernel_invalidate(struct fake_kernel *kernel, void *address, size_t bytes)
{
	uint64_t start = (uintptr_t)address;
	unsigned int i;
	LOCKED(kernel);

	for (i = 0; i < MAX_VMS; i++) {
		if (!kernel->vms[i].vm)
			continue;
		tb_vm_unmap(kernel->vms[i].vm, start, bytes);
		assert_true(tb_vm_invalidate(kernel->vms[i].vm, start, start + bytes - 1));
	}
}

void fake_kernel_shy_pages(struct fake_kernel *kernel, void *one, void *other)
{
	LOCKED(kernel);

	kernel->shy[0] = (uintptr_t)one;
	kernel->shy[1] = (uintptr_t)other;
}

void fake_kernel_storm(struct fake_kernel *kernel, bool storm)
{
	LOCKED(kernel);

	kernel->storm = storm;
}

unsigned int fake_kernel_pages_that_wait(struct fake_kernel *kernel)
{
	unsigned int i, j, count = 0;
	LOCKED(kernel);

	for (i = 0; i < MAX_VMS; i++)
		for (j = 0; j < MEMORY_PAGES && kernel->vms[i].vm; j++)
			count += kernel->vms[i].pages[j] == FAKE_PAGE_WAITS;
	return count;
}

unsigned int fake_kernel_userptr_binds(struct fake_kernel *kernel)
{
	LOCKED(kernel);

	return kernel->userptr_binds;
}

int fake_kernel_counters(struct fake_kernel *kernel)
{
	LOCKED(kernel);

	return kernel->counters;
}
