// SPDX-License-Identifier: Apache-2.0
/* Translation, invalidation and access: Documentation/mmu.rst. */
#include <endian.h>
#include <string.h>

#include "model.h"

#define PAGE_MASK	((1ULL << FAA_PAGE_SHIFT) - 1)
#define LARGE_PAGE_MASK ((1ULL << 21) - 1)
#define LEAF_ONLY \
	(FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK | FAA_PTE_SPARSE_MASK | FAA_PTE_REGION_MASK)

static struct fault mmu_fault(uint32_t code, uint64_t address)
{
	struct fault f = { .code = code, .address = address };

	return f;
}

static bool mmu_entry_malformed(uint64_t pte, int level)
{
	bool leaf = pte & FAA_PTE_LEAF_MASK;

	if (pte & FAA_PTE_RESERVED)
		return true;
	if (leaf ? level > 1 : level == 0)
		return true;
	if (!leaf)
		return pte & LEAF_ONLY;
	if (level == 1 && (pte & FAA_PTE_ADDRESS_MASK & LARGE_PAGE_MASK))
		return true;
	return FAA_GET(PTE_REGION, pte) != FAA_REGION_HOST;
}

/* Finds the leaf of a canonical address; sets all fields of @entry except valid. */
static struct fault mmu_walk(struct cu *cu, const struct queue *queue, uint64_t va,
			     struct tlb_entry *entry)
{
	uint64_t table = queue->page_table & ~PAGE_MASK;
	uint64_t pte, where;
	int level = 3;

	for (;; level--) {
		where = table + (va >> (12 + 9 * level) & 511) * 8;
		if (bus_read(cu->engine, where, &pte, sizeof(pte)))
			return mmu_fault(FAA_ERROR_BUS_ERROR, where);
		pte = le64toh(pte);
		if (!(pte & FAA_PTE_VALID_MASK))
			return mmu_fault(FAA_ERROR_NOT_MAPPED, va);
		if (mmu_entry_malformed(pte, level))
			return mmu_fault(FAA_ERROR_BAD_PAGE_TABLE, va);
		if (pte & FAA_PTE_LEAF_MASK)
			break;
		table = pte & FAA_PTE_ADDRESS_MASK;
	}
	entry->writable = pte & FAA_PTE_WRITABLE_MASK;
	entry->atomic = pte & FAA_PTE_ATOMIC_MASK;
	entry->sparse = pte & FAA_PTE_SPARSE_MASK;
	entry->vmid = queue->vmid;
	entry->page = va & ~PAGE_MASK;
	entry->dma = pte & FAA_PTE_ADDRESS_MASK;
	if (level == 1)
		entry->dma |= va & LARGE_PAGE_MASK & ~PAGE_MASK;
	return mmu_fault(FAA_ERROR_SUCCESS, 0);
}

/*
 * Checks and translates an access to an address in the VM of the CU's queue, which must be a
 * multiple of @align.
 */
struct fault mmu_translate(struct cu *cu, uint64_t va, unsigned int align, enum use use,
			   struct place *place)
{
	const struct queue *queue = &cu->engine->queues[cu->queue];
	struct tlb_entry *entry;
	struct tlb_entry found = { .valid = false };
	struct fault f;

	if (va % align)
		return mmu_fault(FAA_ERROR_MISALIGNED, va);
	if (va >> FAA_VA_BITS)
		return mmu_fault(FAA_ERROR_NON_CANONICAL, va);
	entry = &cu->tlb[((va >> FAA_PAGE_SHIFT) + queue->vmid) % TLB_ENTRIES];
	if (entry->valid && entry->vmid == queue->vmid && entry->page == (va & ~PAGE_MASK)) {
		cu->counters[FAA_COUNTER_TLB_HITS]++;
	} else {
		cu->counters[FAA_COUNTER_TLB_MISSES]++;
		f = mmu_walk(cu, queue, va, &found);
		if (f.code)
			return f;
		found.valid = true;
		*entry = found;
	}
	if (use != USE_READ && !entry->writable)
		return mmu_fault(FAA_ERROR_NOT_WRITABLE, va);
	if (use == USE_ATOMIC && !entry->atomic)
		return mmu_fault(FAA_ERROR_NOT_ATOMIC, va);
	place->dma = entry->dma | (va & PAGE_MASK);
	place->sparse = entry->sparse;
	return mmu_fault(FAA_ERROR_SUCCESS, 0);
}

/* Reads @len bytes within a page, in the host's byte order. */
struct fault mmu_read(struct cu *cu, struct place place, void *buf, size_t len)
{
	if (place.sparse) {
		memset(buf, 0, len);
		return mmu_fault(FAA_ERROR_SUCCESS, 0);
	}
	cu->counters[FAA_COUNTER_LINES_READ]++;
	if (bus_read(cu->engine, place.dma, buf, len))
		return mmu_fault(FAA_ERROR_BUS_ERROR, place.dma & ~(uint64_t)(FAA_LINE_BYTES - 1));
	return mmu_fault(FAA_ERROR_SUCCESS, 0);
}

/* Writes @len bytes within a line. */
struct fault mmu_write(struct cu *cu, struct place place, const void *buf, size_t len)
{
	if (place.sparse)
		return mmu_fault(FAA_ERROR_SUCCESS, 0);
	cu->counters[FAA_COUNTER_LINES_WRITTEN]++;
	if (bus_write(cu->engine, place.dma, buf, len))
		return mmu_fault(FAA_ERROR_BUS_ERROR, place.dma & ~(uint64_t)(FAA_LINE_BYTES - 1));
	return mmu_fault(FAA_ERROR_SUCCESS, 0);
}

/* Compares and swaps @size bytes of memory, not of a sparse page, as in faa_host_ops.dma_cas(). */
struct fault mmu_cas(struct cu *cu, struct place place, unsigned int size, uint64_t *expected,
		     uint64_t desired)
{
	cu->counters[FAA_COUNTER_LINES_READ]++;
	cu->counters[FAA_COUNTER_LINES_WRITTEN]++;
	if (bus_cas(cu->engine, place.dma, size, expected, desired))
		return mmu_fault(FAA_ERROR_BUS_ERROR, place.dma & ~(uint64_t)(FAA_LINE_BYTES - 1));
	return mmu_fault(FAA_ERROR_SUCCESS, 0);
}

/*
 * Completes the requested invalidation. A unit of the model keeps no translation after its end, so
 * there is nothing to drain.
 */
void mmu_invalidate(struct faa_engine *engine)
{
	for (unsigned int i = 0; i < engine->params.num_cus; i++) {
		for (unsigned int j = 0; j < TLB_ENTRIES; j++) {
			struct tlb_entry *entry = &engine->cus[i].tlb[j];

			if (entry->vmid == engine->inv_vmid && entry->page <= engine->inv_last &&
			    (entry->page | PAGE_MASK) >= engine->inv_start)
				entry->valid = false;
		}
	}
	engine->inv_pending = false;
	engine->inv_done = engine->inv_request;
	raise_event(engine, EVENT_TLB_INV_DONE);
}
