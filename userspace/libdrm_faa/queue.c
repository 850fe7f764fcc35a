// SPDX-License-Identifier: MIT
#include "queue.h"
#include "error.h"
#include "svm/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <drm/faa_dump.h>

static struct faa_device *queue_device_of(const struct faa_queue *queue)
{
	return queue->vm->device;
}

static struct faa_backend *queue_backend_of(const struct faa_queue *queue)
{
	return queue->vm->device->backend;
}

/* The kernel checks these too, but has one errno for all of them. */
static int queue_check_options(const struct faa_device_info *info,
			       const struct faa_queue_options *options)
{
	uint32_t entries = options->status_entries;

	if (options->low_priority && options->high_priority)
		return faa_fail(-EINVAL,
				"queue: low_priority and high_priority exclude each other");
	if (options->shared_bytes % info->shared_granule ||
	    options->shared_bytes > info->shared_max)
		return faa_fail(-EINVAL,
				"queue: shared_bytes %u: allowed are multiples of %u up to %u",
				options->shared_bytes, info->shared_granule, info->shared_max);
	if (entries && (entries & (entries - 1) || entries < DRM_FAA_MIN_STATUS_ENTRIES ||
			entries > info->max_status_entries))
		return faa_fail(-EINVAL,
				"queue: status_entries %u: allowed are 0 and powers of two from %u "
				"to %u",
				entries, DRM_FAA_MIN_STATUS_ENTRIES, info->max_status_entries);
	return 0;
}

static int queue_create_fail(const struct faa_queue *queue, int error)
{
	const struct faa_device_info *info = &queue->vm->device->info;

	if (error == -EACCES)
		return faa_fail(error, "queue: high_priority needs CAP_SYS_NICE");
	if (error == -ENOSPC)
		return faa_fail(
			error,
			"queue: none is left of the device's, of which a program may have %u",
			info->max_queues);
	return error;
}

static int queue_create_id(struct faa_queue *queue, const struct faa_queue_options *options)
{
	struct drm_faa_queue_create args = {
		.vm_id = queue->vm->id,
		.priority = options->low_priority ? DRM_FAA_PRIORITY_LOW : DRM_FAA_PRIORITY_NORMAL,
		.shared_bytes = options->shared_bytes,
		.status_entries = options->status_entries,
	};
	int ret;

	ret = queue_check_options(&queue_device_of(queue)->info, options);
	if (ret)
		return ret;
	if (options->high_priority)
		args.priority = DRM_FAA_PRIORITY_HIGH;
	ret = faa_device_ioctl(queue_device_of(queue), DRM_IOCTL_FAA_QUEUE_CREATE, &args);
	if (ret)
		return queue_create_fail(queue, ret);
	queue->id = args.queue_id;
	queue->status_handle = args.status_handle;
	queue->status_entries = args.status_entries;
	return 0;
}

/* Without a sentence: the callers return nothing, or an earlier error. */
static void queue_destroy_id(struct faa_queue *queue)
{
	struct drm_faa_queue_destroy args = { .queue_id = queue->id };

	queue_backend_of(queue)->ops->ioctl(queue_backend_of(queue), DRM_IOCTL_FAA_QUEUE_DESTROY,
					    &args);
	queue_backend_of(queue)->ops->gem_close(queue_backend_of(queue), queue->status_handle);
}

static uint64_t queue_ring_bytes(const struct faa_queue *queue)
{
	uint64_t bytes = (uint64_t)queue->status_entries * sizeof(struct drm_faa_status);

	return (bytes + 4095) & ~4095ull;
}

static int queue_map_status_ring(struct faa_queue *queue)
{
	struct drm_faa_bo_mmap_offset args = { .handle = queue->status_handle };
	void *address;
	int ret;

	ret = faa_device_ioctl(queue_device_of(queue), DRM_IOCTL_FAA_BO_MMAP_OFFSET, &args);
	if (ret)
		return ret;
	ret = queue_backend_of(queue)->ops->map(queue_backend_of(queue), args.offset,
						queue_ring_bytes(queue), PROT_READ, &address);
	if (ret)
		return faa_fail(ret, "queue: mapping its status ring: %s", strerror(-ret));
	queue->status_ring = address;
	return 0;
}

static void queue_unmap_status_ring(struct faa_queue *queue)
{
	queue_backend_of(queue)->ops->unmap(queue_backend_of(queue), (void *)queue->status_ring,
					    queue_ring_bytes(queue));
}

/* Counts the queue: a VM with a queue cannot become shared. */
static int queue_attach(struct faa_vm *vm)
{
	int ret = faa_device_check(vm->device);

	if (ret)
		return ret;
	pthread_mutex_lock(&vm->lock);
	vm->queues++;
	pthread_mutex_unlock(&vm->lock);
	return 0;
}

static void queue_detach(struct faa_vm *vm)
{
	pthread_mutex_lock(&vm->lock);
	vm->queues--;
	pthread_mutex_unlock(&vm->lock);
}

static int queue_create(struct faa_vm *vm, const struct faa_queue_options *options,
			struct faa_queue **out)
{
	struct faa_queue *queue;
	int ret;

	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return faa_fail_memory("a queue");
	queue->vm = vm;
	ret = queue_attach(vm);
	if (ret)
		goto err_free;
	ret = queue_create_id(queue, options);
	if (ret)
		goto err_detach;
	ret = queue_map_status_ring(queue);
	if (ret)
		goto err_destroy;
	ret = faa_syncobj_create(vm->device, false, &queue->syncobj);
	if (ret)
		goto err_unmap;
	ret = faa_fail_lock(-pthread_mutex_init(&queue->lock, NULL));
	if (ret)
		goto err_syncobj;
	if (vm->share)
		ret = faa_worker_create(queue);
	if (ret)
		goto err_lock;
	faa_vm_ref(vm);
	*out = queue;
	return 0;

err_lock:
	pthread_mutex_destroy(&queue->lock);
err_syncobj:
	faa_syncobj_drop(vm->device, queue->syncobj);
err_unmap:
	queue_unmap_status_ring(queue);
err_destroy:
	queue_destroy_id(queue);
err_detach:
	queue_detach(vm);
err_free:
	free(queue);
	return ret;
}

int faa_queue_create_sized(struct faa_vm *vm, const struct faa_queue_options *options,
			   size_t options_size, struct faa_queue **queue)
{
	struct faa_queue_options own = { 0 };
	int ret = 0;

	*queue = NULL;
	if (options)
		ret = faa_struct_read(&own, sizeof(own), options, options_size,
				      "faa_queue_options");
	return ret ? ret : queue_create(vm, &own, queue);
}

/* Destroys the kernel's queue; not in the child of a fork, where the queue is the parent's. */
static void queue_destroy_in_kernel(struct faa_queue *queue)
{
	if (queue->worker) {
		/* The thread needs the status ring until the last job has been killed. */
		faa_worker_about_to_stop(queue);
		queue_destroy_id(queue);
		faa_worker_stop(queue);
		queue_unmap_status_ring(queue);
	} else {
		queue_unmap_status_ring(queue);
		queue_destroy_id(queue);
	}
	faa_syncobj_drop(queue_device_of(queue), queue->syncobj);
	pthread_mutex_destroy(&queue->lock);
	queue_detach(queue->vm);
}

void faa_queue_destroy(struct faa_queue *queue)
{
	if (!queue)
		return;
	if (faa_device_is_mine(queue_device_of(queue))) {
		queue_destroy_in_kernel(queue);
	} else {
		if (queue->worker)
			faa_worker_stop(queue);
		queue_unmap_status_ring(queue);
	}
	faa_vm_unref(queue->vm);
	free(queue->jobs);
	free(queue->syncs);
	free(queue);
}

uint32_t faa_queue_id(const struct faa_queue *queue)
{
	return queue->id;
}

uint32_t faa_queue_syncobj(const struct faa_queue *queue)
{
	return queue->syncobj;
}

static int queue_info(struct faa_queue *queue, struct faa_queue_info *info)
{
	struct drm_faa_queue_get_state args = { .queue_id = queue->id };
	int ret = faa_device_ioctl(queue_device_of(queue), DRM_IOCTL_FAA_QUEUE_GET_STATE, &args);

	if (ret)
		return ret;
	*info = (struct faa_queue_info){
		.flags = args.state,
		.resets = args.resets,
		.submitted = args.submitted,
		.completed = args.completed,
		.failed = args.failed,
		.error_seqno = args.error_seqno,
		.elements_retired = args.elements_retired,
	};
	if (queue->worker)
		faa_worker_info(queue, info);
	return 0;
}

int faa_queue_info_sized(struct faa_queue *queue, struct faa_queue_info *info, size_t info_size)
{
	struct faa_queue_info own = { 0 };
	int ret = queue_info(queue, &own);

	faa_struct_write(info, info_size, &own, sizeof(own));
	return ret;
}

int faa_queue_dump(struct faa_queue *queue, void **dump, size_t *size)
{
	struct drm_faa_queue_dump args = { .queue_id = queue->id, .size = FAA_DUMP_MAX_BYTES };
	void *memory = malloc(FAA_DUMP_MAX_BYTES);
	int ret;

	*dump = NULL;
	*size = 0;
	if (!memory)
		return faa_fail(-ENOMEM, "dump: no memory for %d bytes", FAA_DUMP_MAX_BYTES);
	args.pointer = (uintptr_t)memory;
	ret = faa_device_ioctl(queue_device_of(queue), DRM_IOCTL_FAA_QUEUE_DUMP, &args);
	if (ret) {
		free(memory);
		/* The kernel does not have this ioctl. */
		return ret == -EINVAL ?
			       faa_fail(-EOPNOTSUPP, "dump: the driver is older than version 1.3") :
			       ret;
	}
	*dump = memory;
	*size = args.size;
	return 0;
}
