/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_VM_H__
#define __FAA_VM_H__

#include <linux/mutex.h>
#include <linux/spinlock.h>

#include <linux/wait.h>
#include <linux/workqueue.h>

#include <drm/drm_gpuvm.h>
#include <drm/faa_drm.h>

#include "faa_pt.h"
#include "faa_regs.h"

struct faa_device;
struct faa_file;
struct faa_timeline;
struct faa_userptr;
struct seq_file;

#define FAA_VMID_MAX	(FAA_REG_QUEUE_CONFIG0_VMID_MASK >> FAA_REG_QUEUE_CONFIG0_VMID_SHIFT)

/**
 * struct faa_va - mapping
 */
struct faa_va {
	/** @base: base. */
	struct drm_gpuva base;
	/** @userptr: what it maps, NULL = a BO or nothing. Holds a reference. */
	struct faa_userptr *userptr;
	/** @node: entry of &faa_userptr.mappings. */
	struct list_head node;
};

static inline struct faa_va *to_faa_va(struct drm_gpuva *base)
{
	return container_of(base, struct faa_va, base);
}

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
	/** @serial: for people who watch the driver. */
	u32 serial;
	/** @vmid: number by which the device's TLBs know it; valid while it has queues. */
	u32 vmid;

	/** @lock: one ioctl at a time; protects @queues and @closed. */
	struct mutex lock;
	/**
	 * @pt_lock: protects the mappings, @pt, @cached, and @userptr with what is in
	 * it. Taken in MMU notifiers, hence by any allocation, and in the fence signalling
	 * path: who has it neither allocates nor waits for a fence.
	 */
	struct mutex pt_lock;
	/** @pt: page tables; their spare tables are an update's own. */
	struct faa_pt pt;
	/** @timeline: of the fences of asynchronous VM_BINDs. Holds a reference. */
	struct faa_timeline *timeline;
	/** @queues: queues that use it. */
	unsigned int queues;
	/** @cached: it has queues: TLBs may hold translations. */
	bool cached;
	/** @closed: destroyed; what is left are references. */
	bool closed;

	/** @userptr: memory of processes. */
	struct {
		/** @userptr.all: &faa_userptr.node. */
		struct list_head all;
		/** @userptr.stale: &faa_userptr.stale_node of those that changed. */
		struct list_head stale;
		/** @userptr.partial: the same of those of which a part is missing. */
		struct list_head partial;
	} userptr;

	/** @binds: asynchronous calls of VM_BIND. */
	struct {
		/** @binds.lock: protects the lists and @binds.ended. */
		spinlock_t lock;
		/** @binds.end_lock: who ends those that are pending. */
		struct mutex end_lock;
		/** @binds.pending: those that are to be done, in order. */
		struct list_head pending;
		/** @binds.over: those that are to be freed. */
		struct list_head over;
		/** @binds.count: those that are not freed; protected by @lock of the VM. */
		unsigned int count;
		/** @binds.ended: nothing is done any more. */
		bool ended;
		/** @binds.work: does them; signals fences. */
		struct work_struct work;
		/** @binds.finish_work: frees them. */
		struct work_struct finish_work;
		/** @binds.idle: woken when one is over. */
		wait_queue_head_t idle;
	} binds;

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

/* Bits of leaves for flags of VM_BIND. */
static inline u64 faa_vm_prot(u32 flags)
{
	return (flags & DRM_FAA_VM_BIND_READONLY ? 0 : FAA_PTE_WRITABLE_MASK) |
	       (flags & DRM_FAA_VM_BIND_ATOMIC ? FAA_PTE_ATOMIC_MASK : 0);
}

/* Is no asynchronous VM_BIND pending? */
static inline bool faa_vm_no_binds(struct faa_vm *vm)
{
	bool none;

	spin_lock(&vm->binds.lock);
	none = list_empty(&vm->binds.pending);
	spin_unlock(&vm->binds.lock);

	return none;
}

int faa_vm_create(struct faa_file *file, u64 *va_range, u32 *id);
struct faa_vm *faa_vm_get(struct faa_file *file, u32 id);
int faa_vm_destroy(struct faa_file *file, u32 id);
void faa_vm_close_all(struct faa_file *file);

void faa_vm_invalidate_update(struct faa_vm *vm, const struct faa_pt_update *update);
int faa_vm_check_usable(struct faa_vm *vm);

int faa_vm_add_queue(struct faa_vm *vm, struct faa_file *file);
void faa_vm_remove_queue(struct faa_vm *vm, struct faa_file *file);
void faa_vm_report_fault(struct faa_vm *vm, u32 queue, u64 seqno, u32 code, u64 va);
void faa_vm_get_state(struct faa_vm *vm, struct drm_faa_vm_get_state *args);

int faa_vm_show(struct faa_device *faa, struct seq_file *m);
void faa_vm_unplug(struct faa_device *faa);

#endif
