/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_BIND_OP_H__
#define __FAA_BIND_OP_H__

#include <linux/list.h>
#include <linux/types.h>

#include <drm/faa_drm.h>

#include "faa_pt.h"
#include "faa_userptr.h"
#include "faa_vm.h"

struct drm_file;
struct drm_gem_object;
struct drm_gpuvm_bo;
struct drm_gpuvm_ops;
struct scatterlist;
struct sg_table;

/**
 * struct faa_bind_op - one operation in progress
 */
struct faa_bind_op {
	/** @vm: the VM. */
	struct faa_vm *vm;
	/** @args: what user space asked for. */
	const struct drm_faa_vm_bind_op *args;
	/** @pt: change of the page tables. */
	struct faa_pt_update pt;
	/** @prot: MAP_x: bits of the leaves. */
	u64 prot;
	/** @obj: MAP: object; holds a reference. */
	struct drm_gem_object *obj;
	/** @vm_bo: MAP: link between VM and object; holds a reference. */
	struct drm_gpuvm_bo *vm_bo;
	/** @sgt: MAP: pages of the object; valid inside drm_dev_enter(). */
	struct sg_table *sgt;
	/** @next: MAP: place in @sgt that is mapped next. */
	struct {
		/** @next.sg: the entry, NULL at the end. */
		struct scatterlist *sg;
		/** @next.offset: byte of it. */
		u64 offset;
	} next;
	/** @userptr: MAP_USERPTR: holds a reference. */
	struct faa_userptr *userptr;
	/** @look: MAP_USERPTR: what was found there. */
	struct faa_userptr_look look;
	/** @spare: a new mapping, and the rests of two that are cut. */
	struct faa_va *spare[3];
	/** @removed: &drm_gpuva.rb.entry of mappings to unlink. */
	struct list_head removed;
};

extern const struct drm_gpuvm_ops faa_gpuvm_ops;

bool faa_bind_range_ok(u64 va, u64 size, u64 va_range);
int faa_bind_check_op(const struct drm_faa_vm_bind_op *op);

int faa_bind_op_prepare(struct faa_bind_op *op, struct faa_vm *vm, struct drm_file *file,
			const struct drm_faa_vm_bind_op *args);
int faa_bind_op_look_again(struct faa_bind_op *op);
int faa_bind_op_stage(struct faa_bind_op *op);
void faa_bind_op_run(struct faa_bind_op *op);
void faa_bind_op_finish(struct faa_bind_op *op);
void faa_bind_unlink(struct faa_va *va);

#endif
