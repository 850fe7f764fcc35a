/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_USERPTR_H__
#define __FAA_USERPTR_H__

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/types.h>

struct drm_faa_vm_bind_op;
struct faa_dma_user;
struct faa_pt_update;
struct faa_va;
struct faa_vm;

/**
 * struct faa_userptr - memory of a process, as one VM_BIND operation mapped it
 *
 * All its mappings, which are what is left of the first one, have the same
 * distance between addresses of the process and of the VM.
 */
struct faa_userptr {
	/** @refcount: references: each mapping, an operation in progress. */
	struct kref refcount;
	/** @vm: the VM, which lives longer. */
	struct faa_vm *vm;
	/** @notifier: tells of changes; has the range and a reference to the mm. */
	struct mmu_interval_notifier notifier;
	/** @va: where it is mapped in the VM. */
	u64 va;
	/** @start: first address of the process. */
	unsigned long start;
	/** @count: pages. */
	unsigned long count;
	/** @prot: bits of its leaves, where the process may write. */
	u64 prot;
	/** @faultable: changes do not wait for jobs. */
	bool faultable;

	/** @pages: the pages; this and what follows is protected by the VM's pt_lock. */
	struct faa_dma_user *pages;
	/** @gone: the process has ended: nothing will be mapped again. */
	bool gone;
	/** @mappings: &faa_va.node. */
	struct list_head mappings;
	/** @node: entry of the VM's list of all. */
	struct list_head node;
	/** @stale_node: entry of one of the VM's lists of those to look at. */
	struct list_head stale_node;
};

/**
 * struct faa_userptr_look - what a look at the memory of a process found
 */
struct faa_userptr_look {
	/** @pfns: as hmm_range_fault() gives them; invalid where there is no page. */
	unsigned long *pfns;
	/** @seq: state of the notifier. */
	unsigned long seq;
	/** @complete: there are all pages. */
	bool complete;
	/** @gone: the process has ended. */
	bool gone;
};

struct faa_userptr *faa_userptr_create(struct faa_vm *vm, const struct drm_faa_vm_bind_op *op);
void faa_userptr_put(struct faa_userptr *userptr);

int faa_userptr_look(struct faa_userptr *userptr, struct faa_userptr_look *look, bool partial);
void faa_userptr_look_fini(struct faa_userptr_look *look);
int faa_userptr_stage_ahead(struct faa_userptr *userptr, const struct faa_userptr_look *look);
int faa_userptr_stage(struct faa_userptr *userptr, const struct faa_userptr_look *look);
void faa_userptr_map(struct faa_userptr *userptr, struct faa_pt_update *update, u64 va, u64 size);
void faa_userptr_drop(struct faa_userptr *userptr, u64 va, u64 size);
void faa_userptr_drop_all(struct faa_vm *vm);

bool faa_userptr_stale(struct faa_vm *vm);
int faa_userptr_revalidate(struct faa_vm *vm);

#endif
