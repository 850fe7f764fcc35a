/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_GEM_H__
#define __FAA_GEM_H__

#include <linux/list.h>
#include <linux/mutex.h>

#include <drm/drm_gem_shmem_helper.h>

struct dma_buf;
struct faa_device;
struct seq_file;
struct faa_vm;

/**
 * struct faa_bo - buffer object
 */
struct faa_bo {
	/** @base: base. */
	struct drm_gem_shmem_object base;
	/** @flags: &enum drm_faa_bo_flags, fixed at creation. */
	u32 flags;
	/**
	 * @exclusive_root: root object of the only VM that may map it, whose
	 * reservation it shares; NULL = any VM. Holds a reference.
	 */
	struct drm_gem_object *exclusive_root;
	/** @gpuva_lock: protects the list of the object's mappings. */
	struct mutex gpuva_lock;
	/** @node: entry of the device's list while it has a DMA mapping. */
	struct list_head node;
	/** @all_node: entry of the device's list of all objects. */
	struct list_head all_node;
	/** @label: its name or NULL; protected by the lock of that list. */
	char *label;
	/** @owner: process that created or imported it, for debugfs. */
	pid_t owner;
};

static inline struct faa_bo *to_faa_bo(struct drm_gem_object *obj)
{
	return container_of(to_drm_gem_shmem_obj(obj), struct faa_bo, base);
}

struct drm_gem_object *faa_gem_create_object(struct drm_device *drm, size_t size);
struct drm_gem_object *faa_gem_prime_import(struct drm_device *drm, struct dma_buf *dma_buf);
struct drm_gem_object *
faa_gem_prime_import_sg_table(struct drm_device *drm,
			      struct dma_buf_attachment *attach, struct sg_table *sgt);

void faa_gem_init(struct faa_device *faa);
struct faa_bo *faa_bo_create(struct faa_device *faa, u64 size, u32 flags,
			     struct faa_vm *exclusive_vm);
struct sg_table *faa_bo_get_sgt(struct faa_bo *bo);
int faa_bo_set_label(struct faa_bo *bo, u64 user);
void faa_bo_get_label(struct faa_bo *bo, char *text, size_t size);
void faa_gem_show(struct faa_device *faa, struct seq_file *m);
bool faa_gem_sgt_ok(struct sg_table *sgt, u64 size);
void faa_gem_unplug(struct faa_device *faa);

#endif
