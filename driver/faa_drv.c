// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: The driver
 *
 * This file has the ioctls, the file operations and the module. An ioctl checks reserved
 * fields and flags, then calls the unit that does the work.
 *
 * A render node is the right kind of node although nothing is rendered: buffers are
 * shared with GPUs through PRIME, access follows the rules of render nodes, and existing
 * tools find it there. Which kind it is, is decided by the feature flags below alone.
 */

#include <linux/module.h>
#include <linux/moduleparam.h>

#include <drm/drm_debugfs.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>

#include "faa_bind.h"
#include "faa_compat.h"
#include "faa_counters.h"
#include "faa_debugfs.h"
#include "faa_device.h"
#include "faa_drv.h"
#include "faa_dump.h"
#include "faa_gem.h"
#include "faa_job.h"
#include "faa_pci.h"
#include "faa_query.h"
#include "faa_queue.h"
#include "faa_refuse.h"
#include "faa_share.h"
#include "faa_stats.h"
#include "faa_timeline.h"
#include "faa_vm.h"

#define FAA_JOB_TIMEOUT_MIN_MS	10
#define FAA_JOB_TIMEOUT_MAX_MS	(60 * 1000)
#define FAA_JOB_LIMIT_MAX_MS	(24 * 60 * 60 * 1000)
#define FAA_FAULT_MEMORY_MAX_MS	(24 * 60 * 60 * 1000)

static unsigned int job_timeout_ms = 2000;
module_param(job_timeout_ms, uint, 0444);
MODULE_PARM_DESC(job_timeout_ms,
		 "A job that retires no element for so long is killed (10..60000 ms, default 2000)");

static unsigned int job_limit_ms = 10 * 1000;
module_param(job_limit_ms, uint, 0444);
MODULE_PARM_DESC(job_limit_ms,
		 "A job that runs longer is killed (job_timeout_ms..86400000 ms, default 10000)");

static unsigned int fault_memory_ms = 60 * 1000;
module_param(fault_memory_ms, uint, 0444);
MODULE_PARM_DESC(fault_memory_ms,
		 "A fault of the device within this time after the last one leads to a reset of more (0..86400000 ms, default 60000)");

/**
 * faa_drv_job_times() - how long may a job run?
 * @timeout_ms: out: without progress, milliseconds
 * @limit_ms: out: in total, milliseconds
 *
 * Module parameters out of range have been refused when the module was loaded.
 */
void faa_drv_job_times(u32 *timeout_ms, u32 *limit_ms)
{
	*timeout_ms = job_timeout_ms;
	*limit_ms = job_limit_ms;
}

/**
 * faa_drv_fault_memory() - for how long does a fault of a device count?
 *
 * Return: milliseconds; 0 = not at all.
 */
u32 faa_drv_fault_memory(void)
{
	return fault_memory_ms;
}

static int drv_refuse_pad(struct drm_device *drm, const char *ioctl, u32 pad)
{
	return faa_refuse(drm, -EINVAL, "%s: pad 0x%x, must be 0", ioctl, pad);
}

static int drv_refuse_flags(struct drm_device *drm, const char *ioctl, u32 flags, u32 allowed)
{
	return faa_refuse(drm, -EINVAL, "%s: flags 0x%x, allowed are 0x%x", ioctl, flags,
			  allowed);
}

static int drv_refuse_handle(struct drm_device *drm, const char *ioctl, u32 handle)
{
	return faa_refuse(drm, -ENOENT, "%s: handle %u, the file has no such BO", ioctl, handle);
}

static int drv_refuse_vm(struct drm_device *drm, const char *ioctl, u32 vm)
{
	return faa_refuse(drm, -ENOENT, "%s: VM %u, the file has none with this ID", ioctl, vm);
}

static int faa_ioctl_dev_query(struct drm_device *drm, void *data, struct drm_file *file)
{
	return faa_query(to_faa_device(drm), data);
}

static int faa_ioctl_bo_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_bo_create *args = data;
	struct faa_vm *vm = NULL;
	struct faa_bo *bo;
	int ret;

	if (args->flags & ~DRM_FAA_BO_NO_MMAP)
		return drv_refuse_flags(drm, "BO_CREATE", args->flags, DRM_FAA_BO_NO_MMAP);
	if (args->region != DRM_FAA_REGION_HOST)
		return faa_refuse(drm, -EINVAL, "BO_CREATE: region %u, there is only %u",
				  args->region, DRM_FAA_REGION_HOST);

	if (args->exclusive_vm) {
		vm = faa_vm_get(file->driver_priv, args->exclusive_vm);
		if (!vm)
			return drv_refuse_vm(drm, "BO_CREATE", args->exclusive_vm);
	}
	bo = faa_bo_create(to_faa_device(drm), args->size, args->flags, vm);
	faa_vm_put(vm);
	if (IS_ERR(bo))
		return PTR_ERR(bo);

	args->size = bo->base.base.size;
	ret = drm_gem_handle_create(file, &bo->base.base, &args->handle);
	drm_gem_object_put(&bo->base.base);

	return ret;
}

static int faa_ioctl_bo_mmap_offset(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_bo_mmap_offset *args = data;
	struct drm_gem_object *obj;
	int ret = 0;

	if (args->pad)
		return drv_refuse_pad(drm, "BO_MMAP_OFFSET", args->pad);

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return drv_refuse_handle(drm, "BO_MMAP_OFFSET", args->handle);

	if (obj->import_attach)
		ret = faa_refuse(drm, -EINVAL, "BO_MMAP_OFFSET: handle %u is imported",
				 args->handle);
	else if (to_faa_bo(obj)->flags & DRM_FAA_BO_NO_MMAP)
		ret = faa_refuse(drm, -EPERM, "BO_MMAP_OFFSET: handle %u was made with NO_MMAP",
				 args->handle);
	if (!ret)
		ret = drm_gem_create_mmap_offset(obj);
	if (!ret)
		args->offset = drm_vma_node_offset_addr(&obj->vma_node);
	drm_gem_object_put(obj);

	return ret;
}

static int faa_ioctl_bo_info(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_bo_info *args = data;
	struct drm_gem_object *obj;
	struct faa_bo *bo;

	if (args->pad)
		return drv_refuse_pad(drm, "BO_INFO", args->pad);

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return drv_refuse_handle(drm, "BO_INFO", args->handle);

	bo = to_faa_bo(obj);
	args->size = obj->size;
	args->flags = bo->flags;
	args->region = DRM_FAA_REGION_HOST;
	args->exclusive = bo->exclusive_root ? 1 : 0;
	args->pad2 = 0;
	drm_gem_object_put(obj);

	return 0;
}

static int faa_ioctl_bo_set_label(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_bo_set_label *args = data;
	struct drm_gem_object *obj;
	int ret;

	if (args->pad)
		return drv_refuse_pad(drm, "BO_SET_LABEL", args->pad);

	obj = drm_gem_object_lookup(file, args->handle);
	if (!obj)
		return drv_refuse_handle(drm, "BO_SET_LABEL", args->handle);
	ret = faa_bo_set_label(to_faa_bo(obj), args->label);
	drm_gem_object_put(obj);

	return ret;
}

static int faa_ioctl_vm_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_vm_create *args = data;

	if (args->flags)
		return drv_refuse_flags(drm, "VM_CREATE", args->flags, 0);

	return faa_vm_create(file->driver_priv, &args->va_range, &args->vm_id);
}

static int faa_ioctl_vm_destroy(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_vm_destroy *args = data;

	if (args->pad)
		return drv_refuse_pad(drm, "VM_DESTROY", args->pad);

	return faa_vm_destroy(file->driver_priv, args->vm_id);
}

static int faa_ioctl_vm_bind(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_vm_bind *args = data;
	struct faa_vm *vm;
	int ret;

	args->failed_op = args->ops.count;
	if (args->flags & ~DRM_FAA_VM_BIND_ASYNC)
		return drv_refuse_flags(drm, "VM_BIND", args->flags, DRM_FAA_VM_BIND_ASYNC);
	if (args->pad)
		return drv_refuse_pad(drm, "VM_BIND", args->pad);

	vm = faa_vm_get(file->driver_priv, args->vm_id);
	if (!vm)
		return drv_refuse_vm(drm, "VM_BIND", args->vm_id);
	ret = faa_bind(file, vm, args);
	faa_vm_put(vm);

	return ret;
}

static int faa_ioctl_vm_get_state(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_vm_get_state *args = data;
	struct faa_vm *vm = faa_vm_get(file->driver_priv, args->vm_id);

	if (!vm)
		return drv_refuse_vm(drm, "VM_GET_STATE", args->vm_id);
	faa_vm_get_state(vm, args);
	faa_vm_put(vm);

	return 0;
}

static int faa_ioctl_queue_create(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_queue_create *args = data;

	if (args->priority <= DRM_FAA_PRIORITY_REALTIME &&
	    !faa_query_priority_allowed(args->priority))
		return faa_refuse(drm, -EACCES, "QUEUE_CREATE: priority %u needs CAP_SYS_NICE",
				  args->priority);

	return faa_queue_create(file->driver_priv, file, args);
}

static int faa_ioctl_queue_destroy(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_queue_destroy *args = data;

	if (args->pad)
		return drv_refuse_pad(drm, "QUEUE_DESTROY", args->pad);

	return faa_queue_destroy(file->driver_priv, args->queue_id);
}

static int faa_ioctl_queue_get_state(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_queue_get_state *args = data;
	struct faa_queue *queue = faa_queue_get(file->driver_priv, args->queue_id);

	if (!queue)
		return faa_refuse(drm, -ENOENT,
				  "QUEUE_GET_STATE: queue %u, the file has none with this ID",
				  args->queue_id);
	faa_queue_get_state(queue, args);
	faa_queue_put(queue);

	return 0;
}

static int faa_ioctl_queue_dump(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_queue_dump *args = data;
	struct faa_queue *queue;
	int ret;

	if (args->pad)
		return drv_refuse_pad(drm, "QUEUE_DUMP", args->pad);

	queue = faa_queue_get(file->driver_priv, args->queue_id);
	if (!queue)
		return faa_refuse(drm, -ENOENT,
				  "QUEUE_DUMP: queue %u, the file has none with this ID",
				  args->queue_id);
	ret = faa_dump_queue(queue, args);
	faa_queue_put(queue);

	return ret;
}

static int faa_ioctl_submit(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_submit *args = data;

	if (args->flags)
		return drv_refuse_flags(drm, "SUBMIT", args->flags, 0);

	return faa_job_submit(file->driver_priv, file, args);
}

static int faa_ioctl_counters_open(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_faa_counters_open *args = data;

	if (args->flags)
		return drv_refuse_flags(drm, "COUNTERS_OPEN", args->flags, 0);

	return faa_counters_open(file->driver_priv, args);
}

static int faa_open(struct drm_device *drm, struct drm_file *drm_file)
{
	struct faa_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;

	file->faa = to_faa_device(drm);
	file->user = faa_user_open(file->faa);
	if (!file->user) {
		kfree(file);
		return -ENOMEM;
	}
	xa_init_flags(&file->vms, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	xa_init_flags(&file->queues, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	faa_turns_init_file(&file->turns);
	drm_file->driver_priv = file;

	return 0;
}

static void faa_postclose(struct drm_device *drm, struct drm_file *drm_file)
{
	struct faa_file *file = drm_file->driver_priv;

	faa_counters_close_file(file);
	faa_queue_close_all(file);
	faa_vm_close_all(file);
	faa_user_close(file->user);
	kfree(file);
}

#define FAA_IOCTL(name, handler) \
	DRM_IOCTL_DEF_DRV(FAA_##name, faa_ioctl_##handler, DRM_RENDER_ALLOW)

static const struct drm_ioctl_desc faa_ioctls[] = {
	FAA_IOCTL(DEV_QUERY, dev_query),
	FAA_IOCTL(BO_CREATE, bo_create),
	FAA_IOCTL(BO_MMAP_OFFSET, bo_mmap_offset),
	FAA_IOCTL(BO_INFO, bo_info),
	FAA_IOCTL(VM_CREATE, vm_create),
	FAA_IOCTL(VM_DESTROY, vm_destroy),
	FAA_IOCTL(VM_BIND, vm_bind),
	FAA_IOCTL(VM_GET_STATE, vm_get_state),
	FAA_IOCTL(QUEUE_CREATE, queue_create),
	FAA_IOCTL(QUEUE_DESTROY, queue_destroy),
	FAA_IOCTL(QUEUE_GET_STATE, queue_get_state),
	FAA_IOCTL(SUBMIT, submit),
	FAA_IOCTL(BO_SET_LABEL, bo_set_label),
	FAA_IOCTL(QUEUE_DUMP, queue_dump),
	FAA_IOCTL(COUNTERS_OPEN, counters_open),
};

static const struct file_operations faa_fops = {
	.owner = THIS_MODULE,
	.show_fdinfo = drm_show_fdinfo,
	DRM_GEM_FOPS,
};

/*
 * Every flag or field that is added raises the minor.
 *
 * 1.0: first interface
 * 1.1: VM_BIND with MAP_USERPTR, FAULTABLE, MAP_NULL and ASYNC
 * 1.2: SUBMIT with TOGETHER
 * 1.3: BO_SET_LABEL; more queues than hardware queues
 * 1.4: COUNTERS_OPEN
 */
const struct drm_driver faa_drm_driver = {
	.driver_features = DRIVER_RENDER | DRIVER_GEM | DRIVER_GEM_GPUVA |
			   DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = faa_open,
	.postclose = faa_postclose,
	.show_fdinfo = faa_stats_show_fdinfo,
	.ioctls = faa_ioctls,
	.num_ioctls = ARRAY_SIZE(faa_ioctls),
	.fops = &faa_fops,
	.name = "faa",
	.desc = "FPGA atomics accelerator",
	FAA_DRM_DRIVER_DATE
	.major = 1,
	.minor = 4,
	.gem_create_object = faa_gem_create_object,
	.gem_prime_import = faa_gem_prime_import,
	.gem_prime_import_sg_table = faa_gem_prime_import_sg_table,
#ifdef CONFIG_DEBUG_FS
	.debugfs_init = faa_debugfs_init,
#endif
};

static int __init faa_init(void)
{
	int ret;

	if (job_timeout_ms < FAA_JOB_TIMEOUT_MIN_MS || job_timeout_ms > FAA_JOB_TIMEOUT_MAX_MS ||
	    job_limit_ms < job_timeout_ms || job_limit_ms > FAA_JOB_LIMIT_MAX_MS) {
		pr_err("faa: job_timeout_ms=%u must be %u..%u, job_limit_ms=%u from there to %u\n",
		       job_timeout_ms, FAA_JOB_TIMEOUT_MIN_MS, FAA_JOB_TIMEOUT_MAX_MS,
		       job_limit_ms, FAA_JOB_LIMIT_MAX_MS);
		return -EINVAL;
	}
	if (fault_memory_ms > FAA_FAULT_MEMORY_MAX_MS) {
		pr_err("faa: fault_memory_ms=%u must be at most %u\n", fault_memory_ms,
		       FAA_FAULT_MEMORY_MAX_MS);
		return -EINVAL;
	}

	ret = faa_timeline_module_init();
	if (ret)
		return ret;
	ret = faa_pci_register();
	if (ret)
		faa_timeline_module_exit();

	return ret;
}
module_init(faa_init);

static void __exit faa_exit(void)
{
	faa_pci_unregister();
	faa_timeline_module_exit();
}
module_exit(faa_exit);

MODULE_AUTHOR("faa contributors");
MODULE_DESCRIPTION("DRM driver of the FPGA atomics accelerator");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_IMPORT_NS(DMA_BUF);
