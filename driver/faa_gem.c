// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Memory
 *
 * Buffer objects are shmem objects, cached and coherent. Their pages are pinned
 * and mapped for DMA when the device first needs them, until the object is freed.
 *
 * A mapping in a VM holds a reference to the object, and is dropped only after
 * the TLBs forgot it (see faa_vm.c), so pages cannot be freed while the
 * device can reach them. DMA mappings must not outlive the binding of the driver,
 * but objects do, as long as a file is open: the device keeps a list of the
 * objects that have one and ends them when it is unplugged. The pages, and mappings
 * of the CPU, stay.
 *
 * A dma-buf is imported once by a device, whichever files import it: they share the object, as
 * they would share one of the device's own. An attachment for each file would map the same
 * pages for DMA again, with addresses of an IOMMU for each, and more often than the DMA API's
 * debugging can count.
 */

#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_gpuvm.h>
#include <drm/drm_prime.h>
#include <drm/drm_vma_manager.h>

#include <kunit/visibility.h>

#include "faa_device.h"
#include "faa_gem.h"
#include "faa_refuse.h"
#include "faa_vm.h"

/*
 * Pages of file offsets for mmap(): as many as loff_t has, less one bit. The core's own range
 * of 2^28 pages is as large as one large object.
 */
#define FAA_GEM_OFFSET_PAGES	BIT(62 - PAGE_SHIFT)

/**
 * faa_gem_init() - get ready for buffer objects
 * @faa: the device, without objects yet
 *
 * No object is larger than the machine's memory, so this many offsets are used up only when the
 * objects themselves, which are charged to their creators, fill the memory.
 */
void faa_gem_init(struct faa_device *faa)
{
#ifdef CONFIG_64BIT
	struct drm_vma_offset_manager *manager = faa->drm.vma_offset_manager;

	drm_vma_offset_manager_destroy(manager);
	drm_vma_offset_manager_init(manager, DRM_FILE_PAGE_OFFSET_START, FAA_GEM_OFFSET_PAGES);
#endif
}

static void bo_track(struct faa_bo *bo)
{
	struct faa_device *faa = to_faa_device(bo->base.base.dev);

	mutex_lock(&faa->objects.lock);
	if (list_empty(&bo->node))
		list_add_tail(&bo->node, &faa->objects.bos);
	mutex_unlock(&faa->objects.lock);
}

/* End the DMA mapping of an object on the list, whose lock is held. */
static void bo_end_dma(struct faa_bo *bo)
{
	struct drm_gem_shmem_object *shmem = &bo->base;
	struct drm_gem_object *obj = &shmem->base;

	if (obj->import_attach) {
		dma_buf_unmap_attachment_unlocked(obj->import_attach, shmem->sgt,
						  DMA_BIDIRECTIONAL);
	} else {
		dma_unmap_sgtable(obj->dev->dev, shmem->sgt, DMA_BIDIRECTIONAL, 0);
		sg_free_table(shmem->sgt);
		kfree(shmem->sgt);
	}
	/* drm_gem_shmem_free() then frees the pages alone. */
	shmem->sgt = NULL;
	list_del_init(&bo->node);
}

/* The unplug path waits for the lock: no mapping is ended after it. */
static void bo_untrack(struct faa_bo *bo)
{
	struct faa_device *faa = to_faa_device(bo->base.base.dev);

	mutex_lock(&faa->objects.lock);
	if (!list_empty(&bo->node))
		bo_end_dma(bo);
	mutex_unlock(&faa->objects.lock);
}

/* The object that a dma-buf was imported as, with a reference; NULL if there is none. */
static struct drm_gem_object *gem_find_import(struct faa_device *faa, struct dma_buf *dma_buf)
{
	struct drm_gem_object *obj;

	xa_lock(&faa->objects.imports);
	obj = xa_load(&faa->objects.imports, (unsigned long)dma_buf);
	if (obj && !kref_get_unless_zero(&obj->refcount))
		obj = NULL;
	xa_unlock(&faa->objects.imports);

	return obj;
}

/* An object that is being freed may have a successor already. */
static void gem_forget_import(struct drm_gem_object *obj)
{
	struct faa_device *faa = to_faa_device(obj->dev);

	if (obj->import_attach)
		xa_cmpxchg(&faa->objects.imports, (unsigned long)obj->import_attach->dmabuf,
			   obj, NULL, 0);
}

/* The object can be shown from here on. */
static void bo_list(struct faa_bo *bo)
{
	struct faa_device *faa = to_faa_device(bo->base.base.dev);

	bo->owner = task_tgid_nr(current);
	mutex_lock(&faa->objects.lock);
	list_add_tail(&bo->all_node, &faa->objects.all);
	mutex_unlock(&faa->objects.lock);
}

/* An object that could not be initialised is on no list. */
static void bo_unlist(struct faa_bo *bo)
{
	struct faa_device *faa = to_faa_device(bo->base.base.dev);

	mutex_lock(&faa->objects.lock);
	list_del_init(&bo->all_node);
	mutex_unlock(&faa->objects.lock);
	kvfree(bo->label);
}

static void faa_gem_free(struct drm_gem_object *obj)
{
	struct faa_bo *bo = to_faa_bo(obj);
	struct drm_gem_object *root = bo->exclusive_root;

	gem_forget_import(obj);
	bo_unlist(bo);
	bo_untrack(bo);
	mutex_destroy(&bo->gpuva_lock);
	/* Locks the reservation that is shared with the VM: the root goes last. */
	drm_gem_shmem_free(&bo->base);
	drm_gem_object_put(root);
}

static int faa_gem_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	struct faa_bo *bo = to_faa_bo(obj);

	if (bo->flags & DRM_FAA_BO_NO_MMAP)
		return -EPERM;

	if (bo->flags & DRM_FAA_BO_STATUS_RING) {
		/* The kernel and other clients' fences rely on its content. */
		if (vma->vm_flags & VM_WRITE)
			return -EACCES;
		vm_flags_clear(vma, VM_MAYWRITE);
		/* A private mapping that cannot be written is no COW mapping. */
		if (!(vma->vm_flags & VM_SHARED))
			return -EINVAL;
	}

	return drm_gem_shmem_object_mmap(obj, vma);
}

static struct dma_buf *faa_gem_export(struct drm_gem_object *obj, int flags)
{
	struct faa_bo *bo = to_faa_bo(obj);

	if (bo->exclusive_root || bo->flags & DRM_FAA_BO_STATUS_RING)
		return ERR_PTR(faa_refuse(obj->dev, -EPERM, "PRIME_HANDLE_TO_FD: the BO is %s",
					  bo->exclusive_root ? "exclusive to a VM" :
							       "a status ring"));

	return drm_gem_prime_export(obj, flags);
}

static enum drm_gem_object_status faa_gem_status(struct drm_gem_object *obj)
{
	struct faa_bo *bo = to_faa_bo(obj);

	return bo->base.pages || obj->import_attach ? DRM_GEM_OBJECT_RESIDENT : 0;
}

static const struct drm_gem_object_funcs faa_gem_funcs = {
	.free = faa_gem_free,
	.print_info = drm_gem_shmem_object_print_info,
	.pin = drm_gem_shmem_object_pin,
	.unpin = drm_gem_shmem_object_unpin,
	.get_sg_table = drm_gem_shmem_object_get_sg_table,
	.vmap = drm_gem_shmem_object_vmap,
	.vunmap = drm_gem_shmem_object_vunmap,
	.mmap = faa_gem_mmap,
	.export = faa_gem_export,
	.status = faa_gem_status,
	.vm_ops = &drm_gem_shmem_vm_ops,
};

/**
 * faa_gem_create_object() - drm_driver.gem_create_object
 * @drm: DRM device
 * @size: bytes
 *
 * Return: the object, not initialised by the helpers yet, or an ERR_PTR.
 */
struct drm_gem_object *faa_gem_create_object(struct drm_device *drm, size_t size)
{
	struct faa_bo *bo = kzalloc(sizeof(*bo), GFP_KERNEL_ACCOUNT);

	if (!bo)
		return ERR_PTR(-ENOMEM);

	bo->base.base.funcs = &faa_gem_funcs;
	INIT_LIST_HEAD(&bo->node);
	INIT_LIST_HEAD(&bo->all_node);
	mutex_init(&bo->gpuva_lock);
	drm_gem_gpuva_set_lock(&bo->base.base, &bo->gpuva_lock);

	return &bo->base.base;
}

static struct drm_gem_object *gem_import(struct faa_device *faa, struct dma_buf *dma_buf)
{
	struct drm_gem_object *obj = gem_find_import(faa, dma_buf);
	int ret;

	if (obj)
		return obj;
	obj = drm_gem_prime_import(&faa->drm, dma_buf);
	/* Without attachment it is one of ours that has come back. */
	if (IS_ERR(obj) || !obj->import_attach)
		return obj;
	ret = xa_err(xa_store(&faa->objects.imports, (unsigned long)dma_buf, obj,
			      GFP_KERNEL_ACCOUNT));
	if (ret) {
		drm_gem_object_put(obj);
		return ERR_PTR(ret);
	}

	return obj;
}

/**
 * faa_gem_prime_import() - drm_driver.gem_prime_import
 * @drm: DRM device
 * @dma_buf: what to import
 *
 * The core allows one import at a time. The attachment is mapped for DMA here, for which the
 * exporter may wait.
 *
 * Return: the object or an ERR_PTR.
 */
struct drm_gem_object *faa_gem_prime_import(struct drm_device *drm, struct dma_buf *dma_buf)
{
	struct faa_device *faa = to_faa_device(drm);
	struct drm_gem_object *obj;
	int idx;

	if (!faa_bound_enter(faa, &idx))
		return ERR_PTR(-ENODEV);
	obj = gem_import(faa, dma_buf);
	faa_bound_exit(faa, idx);

	return obj;
}

/**
 * faa_gem_sgt_ok() - can the device map what an exporter offers?
 * @sgt: the pages, mapped for DMA
 * @size: bytes of the object
 *
 * Exporters promise pages of the CPU, not that DMA addresses consist of pages of the device.
 *
 * Return: true if each piece consists of whole pages, and there are enough of them.
 */
bool faa_gem_sgt_ok(struct sg_table *sgt, u64 size)
{
	struct scatterlist *sg;
	u64 total = 0;
	unsigned int i;

	for_each_sgtable_dma_sg(sgt, sg, i) {
		if (!IS_ALIGNED(sg_dma_address(sg) | sg_dma_len(sg), FAA_PT_PAGE))
			return false;
		total += sg_dma_len(sg);
	}

	return total >= size;
}
EXPORT_SYMBOL_IF_KUNIT(faa_gem_sgt_ok);

/**
 * faa_gem_prime_import_sg_table() - drm_driver.gem_prime_import_sg_table
 * @drm: DRM device
 * @attach: attachment to the exporter
 * @sgt: its pages, mapped for DMA
 *
 * Return: the object or an ERR_PTR.
 */
struct drm_gem_object *
faa_gem_prime_import_sg_table(struct drm_device *drm,
			      struct dma_buf_attachment *attach, struct sg_table *sgt)
{
	struct drm_gem_object *obj;

	if (!faa_gem_sgt_ok(sgt, attach->dmabuf->size))
		return ERR_PTR(faa_refuse(drm, -EINVAL,
					  "PRIME_FD_TO_HANDLE: memory of %zu bytes is no whole pages",
					  attach->dmabuf->size));
	obj = drm_gem_shmem_prime_import_sg_table(drm, attach, sgt);
	if (!IS_ERR(obj)) {
		to_faa_bo(obj)->flags = DRM_FAA_BO_IMPORTED;
		bo_track(to_faa_bo(obj));
		bo_list(to_faa_bo(obj));
	}

	return obj;
}

/**
 * faa_bo_create() - create a buffer object
 * @faa: the device
 * @size: bytes, not 0; rounded up to pages
 * @flags: &enum drm_faa_bo_flags
 * @exclusive_vm: the only VM that may map it, or NULL
 *
 * An object that is larger than the machine's memory could never be used, because the device
 * needs all of its pages at a time.
 *
 * Return: the object with one reference, or an ERR_PTR (-EINVAL: too large; -ENOMEM).
 */
struct faa_bo *faa_bo_create(struct faa_device *faa, u64 size, u32 flags,
			     struct faa_vm *exclusive_vm)
{
	struct drm_gem_shmem_object *shmem;
	struct faa_bo *bo;

	if (!size || size > FAA_PT_VA_END || size > SIZE_MAX - PAGE_SIZE ||
	    PFN_UP(size) > totalram_pages())
		return ERR_PTR(faa_refuse(&faa->drm, -EINVAL,
					  "BO_CREATE: size %llu, allowed is 1 to %llu", size,
					  (u64)totalram_pages() << PAGE_SHIFT));

	shmem = drm_gem_shmem_create(&faa->drm, PAGE_ALIGN(size));
	/* No inode or no offset left: that is memory, too. */
	if (shmem == ERR_PTR(-ENOSPC))
		return ERR_PTR(-ENOMEM);
	if (IS_ERR(shmem))
		return ERR_CAST(shmem);

	bo = to_faa_bo(&shmem->base);
	bo->flags = flags;
	if (exclusive_vm) {
		bo->exclusive_root = drm_gpuvm_resv_obj(&exclusive_vm->base);
		drm_gem_object_get(bo->exclusive_root);
		bo->base.base.resv = bo->exclusive_root->resv;
	}
	bo_list(bo);

	return bo;
}

/* A copy of a string of the program, charged to it. */
static char *gem_copy_label(struct drm_device *drm, u64 user)
{
	long bytes = strnlen_user(u64_to_user_ptr(user), DRM_FAA_MAX_LABEL_BYTES);
	char *label;

	/* User Mode Linux returns -EFAULT for an address of the kernel. */
	if (bytes <= 0)
		return ERR_PTR(faa_refuse(drm, -EFAULT,
					  "BO_SET_LABEL: label 0x%llx cannot be read", user));
	if (bytes > DRM_FAA_MAX_LABEL_BYTES)
		return ERR_PTR(faa_refuse(drm, -E2BIG,
					  "BO_SET_LABEL: label of more than %u bytes",
					  DRM_FAA_MAX_LABEL_BYTES));
	label = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (!label)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(label, u64_to_user_ptr(user), bytes)) {
		kvfree(label);
		return ERR_PTR(faa_refuse(drm, -EFAULT,
					  "BO_SET_LABEL: label 0x%llx cannot be read", user));
	}
	/* The program may have changed it meanwhile. */
	label[bytes - 1] = '\0';

	return label;
}

/**
 * faa_bo_set_label() - name an object
 * @bo: the object
 * @user: user address of the name; 0 = none
 *
 * Return: 0, -E2BIG, -EFAULT, -ENOMEM.
 */
int faa_bo_set_label(struct faa_bo *bo, u64 user)
{
	struct faa_device *faa = to_faa_device(bo->base.base.dev);
	char *label = NULL;

	if (user) {
		label = gem_copy_label(&faa->drm, user);
		if (IS_ERR(label))
			return PTR_ERR(label);
	}
	mutex_lock(&faa->objects.lock);
	swap(bo->label, label);
	mutex_unlock(&faa->objects.lock);
	kvfree(label);

	return 0;
}

/**
 * faa_bo_get_label() - copy the name of an object
 * @bo: the object
 * @text: out: as much of it as fits, with a NUL; empty if it has none
 * @size: bytes at @text
 */
void faa_bo_get_label(struct faa_bo *bo, char *text, size_t size)
{
	struct faa_device *faa = to_faa_device(bo->base.base.dev);

	mutex_lock(&faa->objects.lock);
	strscpy(text, bo->label ?: "", size);
	mutex_unlock(&faa->objects.lock);
}

/**
 * faa_gem_show() - show all objects and their names
 * @faa: the device
 * @m: where to
 */
void faa_gem_show(struct faa_device *faa, struct seq_file *m)
{
	struct faa_bo *bo;

	/* An object that is being freed waits for the lock. */
	mutex_lock(&faa->objects.lock);
	list_for_each_entry(bo, &faa->objects.all, all_node) {
		struct drm_gem_object *obj = &bo->base.base;

		seq_printf(m, "size %zu flags 0x%x pid %d handles %u dma %u", obj->size, bo->flags,
			   bo->owner, READ_ONCE(obj->handle_count), !list_empty(&bo->node));
		if (bo->label) {
			seq_puts(m, " label ");
			/* The label of a program must not look like another line. */
			seq_escape_mem(m, bo->label, strlen(bo->label), ESCAPE_HEX | ESCAPE_NAP,
				       NULL);
		}
		seq_putc(m, '\n');
	}
	mutex_unlock(&faa->objects.lock);
}

/**
 * faa_bo_get_sgt() - pin an object and map it for DMA
 * @bo: the object
 *
 * The table stays until the object is freed or the device unplugged: use it inside
 * drm_dev_enter() or faa_bound_enter().
 *
 * Return: the table or an ERR_PTR.
 */
struct sg_table *faa_bo_get_sgt(struct faa_bo *bo)
{
	struct faa_device *faa = to_faa_device(bo->base.base.dev);
	struct sg_table *sgt;
	int idx;

	if (!faa_bound_enter(faa, &idx))
		return ERR_PTR(-ENODEV);
	sgt = drm_gem_shmem_get_pages_sgt(&bo->base);
	if (!IS_ERR(sgt))
		bo_track(bo);
	faa_bound_exit(faa, idx);

	return sgt;
}

/**
 * faa_gem_unplug() - end all DMA mappings
 * @faa: the device, unplugged; it does no DMA any more
 */
void faa_gem_unplug(struct faa_device *faa)
{
	struct faa_bo *bo, *next;

	/*
	 * An object on the list that is being freed waits for the lock: it stays valid here,
	 * and has no DMA mapping afterwards.
	 */
	mutex_lock(&faa->objects.lock);
	list_for_each_entry_safe(bo, next, &faa->objects.bos, node)
		bo_end_dma(bo);
	mutex_unlock(&faa->objects.lock);
}
