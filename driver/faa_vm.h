/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_VM_H__
#define __FAA_VM_H__

#include <linux/mutex.h>
#include <linux/spinlock.h>

#include <drm/drm_gpuvm.h>

#include "faa_pt.h"

struct drm_faa_vm_bind_op;
struct drm_faa_vm_get_state;
struct faa_device;
struct faa_file;
struct seq_file;

/**
 * struct faa_vm - address space
 */
struct faa_vm {
	/** @base: base; its reference count is ours. */
	struct drm_gpuvm base;
	/** @faa: the device. */
	struct faa_device *faa;
	/** @node: entry of the device's list. */
	struct list_head node;
	/** @vmid: number by which the device's TLBs know it. */
	u32 vmid;

	/** @lock: protects the mappings, @pt and what follows it. */
	struct mutex lock;
	/** @pt: page tables. */
	struct faa_pt pt;
	/** @queues: queues that use it. */
	unsigned int queues;
	/** @cached: a queue has used it: TLBs may hold translations. */
	bool cached;
	/** @closed: destroyed; what is left are references. */
	bool closed;
	/** @unusable: the device was lost. */
	bool unusable;

	/** @fault: the last page fault. */
	struct {
		/** @fault.lock: protects it; taken in the fence signalling path. */
		spinlock_t lock;
		/** @fault.va: address. */
		u64 va;
		/** @fault.seqno: job, 0 = no fault yet. */
		u64 seqno;
		/** @fault.code: enum faa_error. */
		u32 code;
		/** @fault.queue: ID of the queue. */
		u32 queue;
	} fault;
};

static inline struct faa_vm *to_faa_vm(struct drm_gpuvm *gpuvm)
{
	return container_of(gpuvm, struct faa_vm, base);
}

static inline void faa_vm_put(struct faa_vm *vm)
{
	if (vm)
		drm_gpuvm_put(&vm->base);
}

bool faa_vm_range_ok(u64 va, u64 size, u64 va_range);
int faa_vm_check_op(const struct drm_faa_vm_bind_op *op);

int faa_vm_create(struct faa_file *file, u64 *va_range, u32 *id);
struct faa_vm *faa_vm_get(struct faa_file *file, u32 id);
int faa_vm_destroy(struct faa_file *file, u32 id);
void faa_vm_close_all(struct faa_file *file);

int faa_vm_bind_op(struct drm_file *file, struct faa_vm *vm,
		   const struct drm_faa_vm_bind_op *op);

int faa_vm_add_queue(struct faa_vm *vm);
void faa_vm_remove_queue(struct faa_vm *vm);
void faa_vm_report_fault(struct faa_vm *vm, u32 queue, u64 seqno, u32 code, u64 va);
void faa_vm_get_state(struct faa_vm *vm, struct drm_faa_vm_get_state *args);

int faa_vm_show(struct faa_device *faa, struct seq_file *m);
void faa_vm_unplug(struct faa_device *faa);

#endif
