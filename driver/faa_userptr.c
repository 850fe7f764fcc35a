// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Memory of processes
 *
 * A userptr is a range of a process's addresses that VM_BIND mapped. Its pages are
 * not held: an interval notifier is called before the process or the kernel
 * takes one away, changes what it may be used for, or copies it. The life of a page:
 *
 * 1. looked at: hmm_range_fault() makes it present, writable if the mapping is. Sleeps,
 *    allocates, takes mmap_lock; the result counts only if the notifier was not called
 *    since.
 * 2. staged: under pt_lock, that being so, it gets a DMA address. From here on the
 *    notifier finds it.
 * 3. mapped: under pt_lock, a leaf of the page tables points to it.
 * 4. dropped: under pt_lock, leaf cleared, TLBs invalidated, marked dirty (the device
 *    may have written, which shows in no page table of a CPU), DMA address given back.
 *
 * Looking and staging is done by VM_BIND, and by SUBMIT for what the notifier dropped;
 * dropping by VM_BIND, the notifier, and when the VM is closed or the device unplugged.
 *
 * The notifier of a userptr that is not faultable first puts it on the list of what
 * SUBMIT has to look at, then waits for the fences of the VM, then drops. SUBMIT
 * publishes its fence while it holds pt_lock and has seen the list empty. So either
 * the notifier waits for the job, or SUBMIT sees that it must retry, which it can
 * only do when the notifier is done: mmu_interval_read_begin() waits for it. Hence
 * no page that a job was submitted with is dropped while it runs. An asynchronous VM_BIND
 * is like a job in this: its fence is published together with its staged pages.
 *
 * The notifier may be called by any allocation, so its wait is bounded by design. Fences may
 * take long: there may be many jobs, each may wait for a compute unit and for fences of
 * others. When the job limit is over all queues of the VM that have jobs are stopped, as for
 * a timeout; none of their jobs runs afterwards, whether its fence has signalled or not. A
 * pending VM_BIND continues; it finds no pages to map, and the next SUBMIT looks at them again.
 *
 * Locks: VM's lock, then mmap_lock or reservations, then pt_lock, then those of an object's
 * mappings and of TLB invalidation. The notifier, which may be called by any allocation,
 * takes pt_lock; so its owner neither allocates nor waits for fences.
 *
 * Work that takes time for each page is done in pieces of 32 MiB at most, each with pt_lock, by
 * VM_BIND, SUBMIT and the notifier alike: so no notifier waits for the change of a large range.
 * Page table entries of a range may be incomplete in between. No job relies on them: VM_BIND has
 * not returned, SUBMIT has the VM's lock, and a notifier has waited for jobs.
 *
 * The notifier does not wait when the process ends: its memory goes with it. Nor when
 * the device has been unplugged: all jobs have ended before.
 */

#include <linux/dma-resv.h>
#include <linux/hmm.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>

#include "faa_device.h"
#include "faa_dma.h"
#include "faa_mmu.h"
#include "faa_pt.h"
#include "faa_queue.h"
#include "faa_trace.h"
#include "faa_userptr.h"
#include "faa_vm.h"

/* In faa_dma_user.dma: the process may write the page; a leaf points to it. */
#define FAA_USERPTR_WRITABLE	BIT_ULL(0)
#define FAA_USERPTR_LEAF	BIT_ULL(1)

/* Pages looked at in one go, with mmap_lock held. */
#define FAA_USERPTR_CHUNK	512UL
/* Pages dropped in one go, with pt_lock held. */
#define FAA_USERPTR_PIECE	(FAA_PT_PIECE >> PAGE_SHIFT)

static u64 userptr_page_dma(const struct faa_dma_user *page)
{
	return ALIGN_DOWN(page->dma, PAGE_SIZE);
}

/* Let a page go: the device cannot access it any more. */
static void userptr_drop_page(struct faa_userptr *userptr, struct faa_dma_user *page)
{
	/*
	 * Without the lock of the page, which a caller of the notifier may hold. The page
	 * keeps its place in a file or swap until the notifier returns, which needs pt_lock.
	 */
	if (page->dma & FAA_USERPTR_WRITABLE && page->dma & FAA_USERPTR_LEAF)
		set_page_dirty(page->page);
	faa_dma_unmap(userptr->vm->faa, page);
}

static void userptr_drop_pages(struct faa_userptr *userptr, unsigned long first, unsigned long end)
{
	unsigned long i;

	for (i = first; i < end; i++) {
		if (userptr->pages[i].page)
			userptr_drop_page(userptr, &userptr->pages[i]);
		if (!((i + 1) % FAA_USERPTR_CHUNK))
			cond_resched();
	}
}

/**
 * faa_userptr_drop() - let pages go
 * @userptr: the userptr
 * @va: addresses of the VM from here, as far as they are the userptr's
 * @size: bytes
 *
 * No leaf points to them, and the TLBs have forgotten them. The VM's pt_lock is held.
 */
void faa_userptr_drop(struct faa_userptr *userptr, u64 va, u64 size)
{
	u64 first = max(va, userptr->va);
	u64 end = min(va + size, userptr->va + ((u64)userptr->count << PAGE_SHIFT));

	lockdep_assert_held(&userptr->vm->pt_lock);

	if (first < end)
		userptr_drop_pages(userptr, (first - userptr->va) >> PAGE_SHIFT,
				   (end - userptr->va) >> PAGE_SHIFT);
}

/**
 * faa_userptr_drop_all() - let all pages go
 * @vm: the VM; the device does no DMA any more. Its pt_lock is held.
 */
void faa_userptr_drop_all(struct faa_vm *vm)
{
	struct faa_userptr *userptr;

	lockdep_assert_held(&vm->pt_lock);

	list_for_each_entry(userptr, &vm->userptr.all, node)
		userptr_drop_pages(userptr, 0, userptr->count);
}

/* Clear the leaves of pages and let them go: of more than those where a leaf has more. */
static void userptr_zap(struct faa_userptr *userptr, unsigned long first, unsigned long end)
{
	struct faa_vm *vm = userptr->vm;
	u64 from = userptr->va + ((u64)first << PAGE_SHIFT);
	u64 to = userptr->va + ((u64)end << PAGE_SHIFT);
	struct faa_pt_update update;
	struct faa_va *va;

	faa_pt_update_begin(&update, &vm->pt);
	list_for_each_entry(va, &userptr->mappings, node) {
		u64 start = max(from, va->base.va.addr);
		u64 stop = min(to, va->base.va.addr + va->base.va.range);

		if (start >= stop)
			continue;
		start = ALIGN_DOWN(start, faa_pt_leaf_bytes(&vm->pt, start));
		stop = ALIGN(stop, faa_pt_leaf_bytes(&vm->pt, stop - 1));
		faa_pt_unmap(&update, start, stop - start);
		from = min(from, start);
		to = max(to, stop);
	}
	faa_vm_invalidate_update(vm, &update);
	faa_pt_update_fini(&update);
	faa_userptr_drop(userptr, from, to - from);
}

/* The same, between which others get the lock. Nobody stages a page while a notifier runs. */
static void userptr_zap_in_pieces(struct faa_userptr *userptr, unsigned long first,
				  unsigned long end)
{
	struct faa_vm *vm = userptr->vm;
	unsigned long next;

	for (; first < end; first = next) {
		next = min(end, first + FAA_USERPTR_PIECE);
		mutex_lock(&vm->pt_lock);
		trace_faa_vm_piece(vm->serial, userptr->va + ((u64)first << PAGE_SHIFT),
				   (u64)(next - first) << PAGE_SHIFT);
		userptr_zap(userptr, first, next);
		mutex_unlock(&vm->pt_lock);
		cond_resched();
	}
}

/*
 * Wait for the jobs of a VM, which may use what is to go. Those that have not ended after the
 * job limit lose their queue, so that nothing waits longer for memory than one job may run.
 */
static void userptr_wait_for_jobs(struct faa_vm *vm)
{
	unsigned long limit = msecs_to_jiffies(vm->faa->job_limit_ms);

	if (!dma_resv_wait_timeout(drm_gpuvm_resv(&vm->base), DMA_RESV_USAGE_BOOKKEEP, false,
				   limit))
		faa_queue_stop_vm(vm);
}

/* Put a userptr on one of the lists of those to look at, or on none. */
static void userptr_set_stale(struct faa_userptr *userptr, struct list_head *list)
{
	list_del_init(&userptr->stale_node);
	if (list)
		list_add_tail(&userptr->stale_node, list);
}

static bool userptr_invalidate(struct mmu_interval_notifier *notifier,
			       const struct mmu_notifier_range *range, unsigned long cur_seq)
{
	struct faa_userptr *userptr = container_of(notifier, struct faa_userptr, notifier);
	unsigned long last = userptr->start + (userptr->count << PAGE_SHIFT) - 1;
	bool release = range->event == MMU_NOTIFY_RELEASE;
	struct faa_vm *vm = userptr->vm;
	unsigned long first;

	if (!mmu_notifier_range_blockable(range))
		return false;

	first = max(range->start, userptr->start);
	last = min(range->end - 1, last);
	trace_faa_userptr_invalidate(vm->serial, first, last, range->event);

	mutex_lock(&vm->pt_lock);
	mmu_interval_set_seq(notifier, cur_seq);
	userptr->gone |= release;
	if (!userptr->faultable)
		userptr_set_stale(userptr, release ? NULL : &vm->userptr.stale);
	mutex_unlock(&vm->pt_lock);

	if (!userptr->faultable && !release && !drm_dev_is_unplugged(&vm->faa->drm))
		userptr_wait_for_jobs(vm);

	userptr_zap_in_pieces(userptr, (first - userptr->start) >> PAGE_SHIFT,
			      ((last - userptr->start) >> PAGE_SHIFT) + 1);

	return true;
}

static const struct mmu_interval_notifier_ops faa_userptr_ops = {
	.invalidate = userptr_invalidate,
};

/**
 * faa_userptr_create() - begin to follow memory of the calling process
 * @vm: the VM, its lock held
 * @op: MAP_USERPTR, checked
 *
 * Return: the userptr without pages, or an ERR_PTR: -ENOMEM; -EFAULT if the range is
 * not one of a process.
 */
struct faa_userptr *faa_userptr_create(struct faa_vm *vm, const struct drm_faa_vm_bind_op *op)
{
	struct faa_userptr *userptr;
	int ret = -ENOMEM;

	if (op->userptr > ULONG_MAX - op->size ||
	    !access_ok(u64_to_user_ptr(op->userptr), op->size))
		return ERR_PTR(-EFAULT);

	userptr = kzalloc(sizeof(*userptr), GFP_KERNEL_ACCOUNT);
	if (!userptr)
		return ERR_PTR(-ENOMEM);

	kref_init(&userptr->refcount);
	userptr->vm = vm;
	userptr->va = op->va;
	userptr->start = op->userptr;
	userptr->count = op->size >> PAGE_SHIFT;
	userptr->prot = faa_vm_prot(op->flags);
	userptr->faultable = op->flags & DRM_FAA_VM_BIND_FAULTABLE;
	INIT_LIST_HEAD(&userptr->mappings);
	INIT_LIST_HEAD(&userptr->stale_node);
	userptr->pages = kvcalloc(userptr->count, sizeof(*userptr->pages),
				  GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!userptr->pages)
		goto err_free;

	ret = mmu_interval_notifier_insert(&userptr->notifier, current->mm, userptr->start,
					   op->size, &faa_userptr_ops);
	if (ret)
		goto err_free;

	mutex_lock(&vm->pt_lock);
	list_add_tail(&userptr->node, &vm->userptr.all);
	mutex_unlock(&vm->pt_lock);

	return userptr;

err_free:
	kvfree(userptr->pages);
	kfree(userptr);
	return ERR_PTR(ret);
}

static void userptr_release(struct kref *kref)
{
	struct faa_userptr *userptr = container_of(kref, struct faa_userptr, refcount);
	struct faa_vm *vm = userptr->vm;
	unsigned long first, next;

	/* Waits for a running call of the notifier, and with it for jobs. */
	mmu_interval_notifier_remove(&userptr->notifier);

	/* Pages that were staged and not mapped. */
	for (first = 0; first < userptr->count; first = next) {
		next = min(userptr->count, first + FAA_USERPTR_PIECE);
		mutex_lock(&vm->pt_lock);
		userptr_drop_pages(userptr, first, next);
		mutex_unlock(&vm->pt_lock);
		cond_resched();
	}
	mutex_lock(&vm->pt_lock);
	list_del(&userptr->node);
	userptr_set_stale(userptr, NULL);
	mutex_unlock(&vm->pt_lock);
	kvfree(userptr->pages);
	kfree(userptr);
}

/**
 * faa_userptr_put() - drop a reference
 * @userptr: the userptr or NULL
 *
 * May wait for the VM's jobs. The VM's lock is held, its pt_lock is not.
 */
void faa_userptr_put(struct faa_userptr *userptr)
{
	if (userptr)
		kref_put(&userptr->refcount, userptr_release);
}

/* Look at pages that must be there, mmap_lock held. */
static int userptr_look_at(struct faa_userptr *userptr, struct faa_userptr_look *look,
			   unsigned long first, unsigned long count, bool write)
{
	struct hmm_range range = {
		.notifier = &userptr->notifier,
		.notifier_seq = look->seq,
		.start = userptr->start + (first << PAGE_SHIFT),
		.end = userptr->start + ((first + count) << PAGE_SHIFT),
		.hmm_pfns = look->pfns + first,
		.default_flags = HMM_PFN_REQ_FAULT | (write ? HMM_PFN_REQ_WRITE : 0),
	};

	return hmm_range_fault(&range);
}

/* Look at a page that may have gone, or become read-only. */
static int userptr_look_at_page(struct faa_userptr *userptr, struct faa_userptr_look *look,
				unsigned long i, bool write)
{
	int ret = userptr_look_at(userptr, look, i, 1, write);

	if (ret == -EPERM) {
		look->complete = false;
		ret = userptr_look_at(userptr, look, i, 1, false);
	}
	if (ret == -EFAULT || ret == -EPERM || ret == -EINVAL) {
		look->complete = false;
		look->pfns[i] = 0;
		ret = 0;
	}

	return ret;
}

/* Look at some pages, which may have gone if @partial; mmap_lock held. */
static int userptr_look_at_chunk(struct faa_userptr *userptr, struct faa_userptr_look *look,
				 unsigned long first, unsigned long count, bool partial)
{
	unsigned long start = userptr->start + (first << PAGE_SHIFT), i;
	bool write = userptr->prot & FAA_PTE_WRITABLE_MASK;
	struct vm_area_struct *vma;
	int ret;

	if (partial) {
		vma = find_vma(userptr->notifier.mm, start);
		if (!vma || vma->vm_start >= start + (count << PAGE_SHIFT)) {
			look->complete = false;
			return 0;
		}
	}

	ret = userptr_look_at(userptr, look, first, count, write);
	if (!partial || !ret || ret == -EBUSY || ret == -ENOMEM)
		return ret;

	memset(look->pfns + first, 0, count * sizeof(*look->pfns));
	for (i = first; i < first + count; i++) {
		ret = userptr_look_at_page(userptr, look, i, write);
		if (ret)
			break;
	}

	return ret;
}

/* Look at everything once; -EBUSY: there was a change meanwhile. */
static int userptr_look_once(struct faa_userptr *userptr, struct faa_userptr_look *look,
			     bool partial)
{
	struct mm_struct *mm = userptr->notifier.mm;
	unsigned long first, count;
	int ret;

	look->complete = true;
	memset(look->pfns, 0, userptr->count * sizeof(*look->pfns));
	look->seq = mmu_interval_read_begin(&userptr->notifier);
	for (first = 0; first < userptr->count; first += count) {
		count = min(userptr->count - first, FAA_USERPTR_CHUNK);
		if (signal_pending(current))
			return -ERESTARTSYS;
		mmap_read_lock(mm);
		ret = userptr_look_at_chunk(userptr, look, first, count, partial);
		mmap_read_unlock(mm);
		if (ret)
			return ret;
		cond_resched();
	}

	return 0;
}

/**
 * faa_userptr_look() - look at the memory of the process
 * @userptr: the userptr
 * @look: result, to be freed by faa_userptr_look_fini() in any case; from zeros or an
 *	earlier look
 * @partial: what is missing is left out, otherwise an error
 *
 * Makes pages present, which may sleep, allocate and wait for jobs. The VM's lock is held.
 *
 * Return: 0, -EFAULT, -EPERM, -ENOMEM, -ERESTARTSYS.
 */
int faa_userptr_look(struct faa_userptr *userptr, struct faa_userptr_look *look, bool partial)
{
	struct mm_struct *mm = userptr->notifier.mm;
	int ret;

	if (!look->pfns)
		look->pfns = kvcalloc(userptr->count, sizeof(*look->pfns),
				      GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!look->pfns)
		return -ENOMEM;

	look->gone = !mmget_not_zero(mm);
	if (look->gone)
		return partial ? 0 : -EFAULT;
	do {
		ret = userptr_look_once(userptr, look, partial);
	} while (ret == -EBUSY);
	/* Not the end of an address space under our locks. */
	mmput_async(mm);

	/* A mapping of a device, say a buffer object, is one of the invalid kinds. */
	return ret == -EINVAL ? -EFAULT : ret;
}

/**
 * faa_userptr_look_fini() - free the result of a look
 * @look: the result, or zeros
 */
void faa_userptr_look_fini(struct faa_userptr_look *look)
{
	kvfree(look->pfns);
	look->pfns = NULL;
}

/* Give a page its DMA address. */
static int userptr_stage_page(struct faa_userptr *userptr, struct faa_dma_user *page,
			      unsigned long pfn)
{
	bool write = userptr->prot & FAA_PTE_WRITABLE_MASK;
	int ret = faa_dma_map(userptr->vm->faa, page, hmm_pfn_to_page(pfn), write);

	/* Read-only is what was asked for, or what the process may do by now. */
	if (!ret && write && pfn & HMM_PFN_WRITE)
		page->dma |= FAA_USERPTR_WRITABLE;

	return ret;
}

/* The same for those of [first, end) that a look has found and that have none. */
static int userptr_stage_pages(struct faa_userptr *userptr, const struct faa_userptr_look *look,
			       unsigned long first, unsigned long end)
{
	unsigned long i;
	int ret;

	for (i = first; i < end; i++) {
		if (!(i % FAA_USERPTR_CHUNK)) {
			if (fatal_signal_pending(current))
				return -EINTR;
			cond_resched();
		}
		if (!(look->pfns[i] & HMM_PFN_VALID) || userptr->pages[i].page)
			continue;
		ret = userptr_stage_page(userptr, &userptr->pages[i], look->pfns[i]);
		if (ret)
			return ret;
	}

	return 0;
}

/* Stage some pages unless the memory has changed; inside drm_dev_enter(). */
static int userptr_stage_chunk(struct faa_userptr *userptr, const struct faa_userptr_look *look,
			       unsigned long first, unsigned long end)
{
	struct faa_vm *vm = userptr->vm;
	int ret = 0;

	mutex_lock(&vm->pt_lock);
	if (!userptr->gone && !mmu_interval_read_retry(&userptr->notifier, look->seq))
		ret = userptr_stage_pages(userptr, look, first, end);
	mutex_unlock(&vm->pt_lock);

	return ret;
}

/**
 * faa_userptr_stage_ahead() - do most of faa_userptr_stage() in small pieces
 * @userptr: the userptr
 * @look: what was found
 *
 * It ends early if the memory has changed, which faa_userptr_stage() then finds out. Notifiers
 * and other processes get their turns in between. The VM's lock is held, its pt_lock is not.
 *
 * Return: 0, -ENOMEM, -ENODEV, -EINTR if the process is being killed.
 */
int faa_userptr_stage_ahead(struct faa_userptr *userptr, const struct faa_userptr_look *look)
{
	struct drm_device *drm = &userptr->vm->faa->drm;
	unsigned long first, end;
	int cookie, ret;

	if (look->gone)
		return 0;

	for (first = 0; first < userptr->count; first = end) {
		end = min(first + FAA_USERPTR_CHUNK, userptr->count);
		if (!drm_dev_enter(drm, &cookie))
			return -ENODEV;
		ret = userptr_stage_chunk(userptr, look, first, end);
		drm_dev_exit(cookie);
		if (ret)
			return ret;
	}

	return 0;
}

/**
 * faa_userptr_stage() - get the pages that a look has found ready for the device
 * @userptr: the userptr
 * @look: what was found
 *
 * Inside drm_dev_enter(), the VM's pt_lock held. Pages that are staged already stay as they
 * are, so it may be repeated. Notifiers wait meanwhile: of memory that changes all the time,
 * say in a program that forks, faa_userptr_stage_ahead() alone would never get all pages.
 *
 * Return: 0; -EAGAIN if the memory has changed since; with some pages staged -ENOMEM, or
 * -EINTR if the process is being killed.
 */
int faa_userptr_stage(struct faa_userptr *userptr, const struct faa_userptr_look *look)
{
	struct faa_vm *vm = userptr->vm;
	int ret;

	lockdep_assert_held(&vm->pt_lock);

	if (look->gone || userptr->gone) {
		userptr_set_stale(userptr, NULL);
		return 0;
	}
	if (mmu_interval_read_retry(&userptr->notifier, look->seq))
		return -EAGAIN;

	ret = userptr_stage_pages(userptr, look, 0, userptr->count);
	if (ret)
		return ret;
	if (!userptr->faultable)
		userptr_set_stale(userptr, look->complete ? NULL : &vm->userptr.partial);

	return 0;
}

/* The staged pages without leaf from @first on that one leaf, or several, can map. */
static unsigned long userptr_run_length(const struct faa_userptr *userptr, unsigned long first,
					unsigned long end)
{
	const struct faa_dma_user *page = &userptr->pages[first];
	unsigned long n = 1;

	while (first + n < end && page[n].page &&
	       page[n].dma == page->dma + ((u64)n << PAGE_SHIFT))
		n++;

	return n;
}

/**
 * faa_userptr_map() - write the leaves of staged pages that have none
 * @userptr: the userptr
 * @update: an update for mapping that covers the range
 * @va: first address of the VM, one of the userptr's
 * @size: bytes, all of them the userptr's
 *
 * The VM's pt_lock is held.
 */
void faa_userptr_map(struct faa_userptr *userptr, struct faa_pt_update *update, u64 va, u64 size)
{
	unsigned long first = (va - userptr->va) >> PAGE_SHIFT;
	unsigned long end = first + (size >> PAGE_SHIFT), n;

	lockdep_assert_held(&userptr->vm->pt_lock);

	for (; first < end; first += n) {
		struct faa_dma_user *page = &userptr->pages[first];
		u64 prot = userptr->prot;
		unsigned long i;

		n = 1;
		if (!page->page || page->dma & FAA_USERPTR_LEAF)
			continue;
		n = userptr_run_length(userptr, first, end);
		if (!(page->dma & FAA_USERPTR_WRITABLE))
			prot &= ~(u64)FAA_PTE_WRITABLE_MASK;
		faa_pt_map(update, userptr->va + ((u64)first << PAGE_SHIFT), userptr_page_dma(page),
			   (u64)n << PAGE_SHIFT, prot);
		for (i = 0; i < n; i++)
			page[i].dma |= FAA_USERPTR_LEAF;
	}
}

/**
 * faa_userptr_stale() - has memory that jobs rely on changed?
 * @vm: the VM, its pt_lock held
 *
 * Return: true if faa_userptr_revalidate() has to be called before a job is submitted.
 */
bool faa_userptr_stale(struct faa_vm *vm)
{
	lockdep_assert_held(&vm->pt_lock);

	return !list_empty(&vm->userptr.stale);
}

static struct faa_userptr *userptr_first_stale(struct faa_vm *vm)
{
	struct faa_userptr *userptr;

	mutex_lock(&vm->pt_lock);
	userptr = list_first_entry_or_null(&vm->userptr.stale, struct faa_userptr, stale_node);
	mutex_unlock(&vm->pt_lock);

	return userptr;
}

/*
 * Map the staged pages. Those that a notifier drops between two pieces are not mapped, and it puts
 * the userptr on the list of stale ones again.
 */
static void userptr_map_in_pieces(struct faa_userptr *userptr, struct faa_pt_update *update)
{
	u64 va, next, end = userptr->va + ((u64)userptr->count << PAGE_SHIFT);
	struct faa_vm *vm = userptr->vm;
	struct faa_va *mapping;

	for (va = userptr->va; va < end; va = next) {
		next = faa_pt_piece_end(va, end);
		mutex_lock(&vm->pt_lock);
		trace_faa_vm_piece(vm->serial, va, next - va);
		list_for_each_entry(mapping, &userptr->mappings, node) {
			u64 first = max(va, mapping->base.va.addr);
			u64 last = min(next, mapping->base.va.addr + mapping->base.va.range);

			if (first < last)
				faa_userptr_map(userptr, update, first, last - first);
		}
		mutex_unlock(&vm->pt_lock);
		cond_resched();
	}
}

/* Map what there is of a userptr; -EAGAIN: it has changed meanwhile. */
static int userptr_revalidate(struct faa_userptr *userptr)
{
	struct faa_vm *vm = userptr->vm;
	struct faa_userptr_look look = {};
	struct faa_pt_update update;
	int cookie, ret;

	ret = faa_userptr_look(userptr, &look, true);
	if (!ret)
		ret = faa_userptr_stage_ahead(userptr, &look);
	if (ret)
		goto out;
	ret = faa_pt_update_init(&update, &vm->pt, userptr->va,
				 (u64)userptr->count << PAGE_SHIFT, FAA_PT_MAP_PIECES);
	if (ret)
		goto out;

	ret = -ENODEV;
	if (drm_dev_enter(&vm->faa->drm, &cookie)) {
		mutex_lock(&vm->pt_lock);
		ret = faa_userptr_stage(userptr, &look);
		mutex_unlock(&vm->pt_lock);
		if (!ret)
			userptr_map_in_pieces(userptr, &update);
		drm_dev_exit(cookie);
	}
	faa_pt_update_fini(&update);
out:
	faa_userptr_look_fini(&look);

	return ret;
}

/**
 * faa_userptr_revalidate() - map again what notifiers have dropped
 * @vm: the VM, its lock held
 *
 * Return: 0, -ENOMEM, -ENODEV, -ERESTARTSYS.
 */
int faa_userptr_revalidate(struct faa_vm *vm)
{
	struct faa_userptr *userptr;
	int ret = 0;

	lockdep_assert_held(&vm->lock);

	mutex_lock(&vm->pt_lock);
	/* Pages that were missing may be there again. */
	list_splice_tail_init(&vm->userptr.partial, &vm->userptr.stale);
	mutex_unlock(&vm->pt_lock);

	while (!ret) {
		/* With the VM's lock it stays. */
		userptr = userptr_first_stale(vm);
		if (!userptr)
			break;
		ret = userptr_revalidate(userptr);
		if (ret == -EAGAIN)
			ret = 0;
	}

	return faa_device_error(vm->faa, ret);
}
