// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Page tables
 *
 * Four levels of 512 entries; a leaf is 4 KiB at level 0 or 2 MiB at level 1. A
 * change is an update: it allocates all tables that it could need first, then
 * writes entries, which cannot fail, then the caller invalidates the range
 * and ends the update, which frees what the device can no longer reach.
 *
 * A table is complete in memory before an entry points to it, so the device may
 * walk during an update. A range is unmapped before it is mapped anew:
 * a mapping never overwrites a valid leaf, and the device may cache valid
 * entries only, hence mapping alone needs no invalidation.
 *
 * Where nothing (MAP_NULL) is mapped in a whole 1 GiB, the tables of level 1 would all be the
 * same. They are one table of the tree, so that such a mapping costs a few tables, whatever its
 * size. A part that is unmapped gets a table of its own first.
 *
 * Tables are charged to the caller's memory cgroup. When that, or the machine, has no more, the
 * change fails rather than that a process is killed.
 */

#include <linux/bug.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/barrier.h>

#include <kunit/visibility.h>

#include "faa_pt.h"

static unsigned int pt_level_shift(unsigned int level)
{
	return FAA_PAGE_SHIFT + 9 * level;
}

/* Bytes that one entry of a table covers. */
static u64 pt_entry_bytes(unsigned int level)
{
	return 1ULL << pt_level_shift(level);
}

/**
 * faa_pt_index() - which entry of a table is an address's?
 * @va: virtual address
 * @level: of the table
 *
 * Return: its index.
 */
unsigned int faa_pt_index(u64 va, unsigned int level)
{
	return (va >> pt_level_shift(level)) & (FAA_PT_ENTRIES - 1);
}

static u64 pt_read_entry(const struct faa_pt_table *table, unsigned int i)
{
	return le64_to_cpu(READ_ONCE(table->entries[i]));
}

static void pt_write_entry(struct faa_pt_table *table, unsigned int i, u64 value)
{
	WRITE_ONCE(table->entries[i], cpu_to_le64(value));
}

static u64 pt_make_leaf(u64 dma, u64 prot)
{
	return FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | prot |
	       (dma & FAA_PTE_ADDRESS_MASK);
}

static struct faa_pt_table *pt_alloc_table(struct faa_pt *pt, unsigned int level)
{
	struct faa_pt_table *table = kzalloc(sizeof(*table), FAA_PT_GFP);

	if (!table)
		return NULL;

	table->level = level;
	if (level) {
		table->child = kcalloc(FAA_PT_ENTRIES, sizeof(*table->child),
				       FAA_PT_GFP);
		if (!table->child)
			goto err_free_table;
	}

	if (pt->ops->alloc(pt->ctx, table))
		goto err_free_child;

	return table;

err_free_child:
	kfree(table->child);
err_free_table:
	kfree(table);
	return NULL;
}

static void pt_free_table(struct faa_pt *pt, struct faa_pt_table *table)
{
	pt->ops->free(pt->ctx, table);
	kfree(table->child);
	kfree(table);
}

/**
 * faa_pt_init() - make an empty tree
 * @pt: the tree
 * @ops: where tables come from
 * @ctx: for @ops
 *
 * Return: 0 or -ENOMEM.
 */
int faa_pt_init(struct faa_pt *pt, const struct faa_pt_ops *ops, void *ctx)
{
	memset(pt->null, 0, sizeof(pt->null));
	pt->ops = ops;
	pt->ctx = ctx;
	pt->root = pt_alloc_table(pt, FAA_PT_LEVELS - 1);

	return pt->root ? 0 : -ENOMEM;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_init);

/**
 * faa_pt_fini() - free a tree
 * @pt: the tree; the device must not walk it any more. Twice is allowed.
 */
void faa_pt_fini(struct faa_pt *pt)
{
	struct faa_pt_table *path[FAA_PT_LEVELS] = { [FAA_PT_LEVELS - 1] = pt->root };
	unsigned int next[FAA_PT_LEVELS] = { 0 };
	unsigned int level = FAA_PT_LEVELS - 1, kind;

	if (!pt->root)
		return;

	/* Depth first without recursion: next[] is where each level continues. */
	while (level < FAA_PT_LEVELS) {
		struct faa_pt_table *table = path[level];

		if (!table->child || next[level] == FAA_PT_ENTRIES) {
			pt_free_table(pt, table);
			next[level++] = 0;
			cond_resched();
		} else {
			struct faa_pt_table *child = table->child[next[level]++];

			if (child && !child->shared)
				path[--level] = child;
		}
	}
	for (kind = 0; kind < ARRAY_SIZE(pt->null); kind++) {
		if (pt->null[kind])
			pt_free_table(pt, pt->null[kind]);
		pt->null[kind] = NULL;
	}

	pt->root = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_fini);

static int pt_add_spare(struct faa_pt_update *update, unsigned int level, u64 count)
{
	while (count--) {
		struct faa_pt_table *table = pt_alloc_table(update->pt, level);

		if (!table)
			return -ENOMEM;
		list_add(&table->node, &update->spare[level]);
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}

	return 0;
}

/* Tables of a level that cover [va, va + size). */
static u64 pt_tables_covering(u64 va, u64 size, unsigned int level)
{
	unsigned int shift = pt_level_shift(level + 1);

	return ((va + size - 1) >> shift) - (va >> shift) + 1;
}

/**
 * faa_pt_update_begin() - begin a change that needs no tables
 * @update: the update
 * @pt: the tree
 *
 * That is, whole leaves are unmapped. Does not allocate, as faa_pt_update_fini().
 */
void faa_pt_update_begin(struct faa_pt_update *update, struct faa_pt *pt)
{
	unsigned int level;

	update->pt = pt;
	update->inv_first = U64_MAX;
	update->inv_last = 0;
	INIT_LIST_HEAD(&update->retired);
	for (level = 0; level < ARRAY_SIZE(update->spare); level++)
		INIT_LIST_HEAD(&update->spare[level]);
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_update_begin);

/* Tables of a level that a change may need. */
static u64 pt_spare_count(u64 va, u64 size, unsigned int level, enum faa_pt_change change)
{
	u64 count = pt_tables_covering(va, size, level);

	if (change == FAA_PT_MAP)
		return count;
	/* Tables that a piece has made may be gone when the next one needs them. */
	if (change == FAA_PT_MAP_PIECES)
		return max(count, (va + size - 1) / FAA_PT_PIECE - va / FAA_PT_PIECE + 1);
	if (level > 1)
		return change == FAA_PT_UNMAP ? 0 : count;

	/* At each end a leaf or a shared table is split, or a part of its size mapped. */
	count = min(count, 2ULL);

	/* And perhaps the shared table itself. */
	return level && change == FAA_PT_MAP_HUGE ? count + 1 : count;
}

/**
 * faa_pt_update_init() - prepare a change of [va, va + size)
 * @update: the update
 * @pt: the tree
 * @va: first address, page aligned
 * @size: bytes, whole pages, not 0
 * @change: what will be done
 *
 * The content of the tree, now or when the change is made, does not matter.
 *
 * Return: 0; -ENOMEM, or -EINTR if the process is being killed, with nothing to undo.
 */
int faa_pt_update_init(struct faa_pt_update *update, struct faa_pt *pt,
		       u64 va, u64 size, enum faa_pt_change change)
{
	unsigned int level;
	int ret;

	faa_pt_update_begin(update, pt);
	for (level = 0; level < ARRAY_SIZE(update->spare); level++) {
		ret = pt_add_spare(update, level, pt_spare_count(va, size, level, change));
		if (ret) {
			faa_pt_update_fini(update);
			return ret;
		}
	}

	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_update_init);

static void pt_free_tables(struct faa_pt *pt, struct list_head *tables)
{
	struct faa_pt_table *table, *next;

	list_for_each_entry_safe(table, next, tables, node) {
		pt_free_table(pt, table);
		cond_resched();
	}
	INIT_LIST_HEAD(tables);
}

/**
 * faa_pt_update_fini() - end an update
 * @update: the update; its range must have been invalidated if
 *	faa_pt_update_needs_inv(). Twice is allowed.
 */
void faa_pt_update_fini(struct faa_pt_update *update)
{
	unsigned int level;

	for (level = 0; level < ARRAY_SIZE(update->spare); level++)
		pt_free_tables(update->pt, &update->spare[level]);
	pt_free_tables(update->pt, &update->retired);
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_update_fini);

/* Everything that an entry covers must go: a device may have cached it as a whole. */
static void pt_note_inv(struct faa_pt_update *update, u64 va, unsigned int level)
{
	u64 first = ALIGN_DOWN(va, pt_entry_bytes(level));

	update->inv_first = min(update->inv_first, first);
	update->inv_last = max(update->inv_last, first + pt_entry_bytes(level) - 1);
}

static struct faa_pt_table *pt_take_spare(struct faa_pt_update *update,
					  unsigned int level)
{
	struct faa_pt_table *table;

	table = list_first_entry_or_null(&update->spare[level],
					 struct faa_pt_table, node);
	if (!WARN_ON_ONCE(!table))
		list_del_init(&table->node);

	return table;
}

/* Point an entry to a table whose content is complete. */
static void pt_link_table(struct faa_pt_table *parent, unsigned int i,
			  struct faa_pt_table *child)
{
	dma_wmb();
	parent->child[i] = child;
	pt_write_entry(parent, i, FAA_PTE_VALID_MASK | child->dma);
}

/* The table of a level for an address, made where there is none. */
static struct faa_pt_table *pt_reach_table(struct faa_pt_update *update, u64 va,
					   unsigned int level)
{
	struct faa_pt_table *table = update->pt->root;

	while (table->level > level) {
		unsigned int i = faa_pt_index(va, table->level);
		struct faa_pt_table *child = table->child[i];

		if (!child) {
			child = pt_take_spare(update, table->level - 1);
			if (!child)
				return NULL;
			pt_link_table(table, i, child);
			table->used++;
		}
		table = child;
	}

	return table;
}

/* The table of level 1 that maps nothing with a protection. */
static struct faa_pt_table *pt_null_table(struct faa_pt_update *update, u64 prot)
{
	unsigned int kind = (prot & FAA_PTE_WRITABLE_MASK ? 1 : 0) |
			    (prot & FAA_PTE_ATOMIC_MASK ? 2 : 0);
	struct faa_pt *pt = update->pt;
	struct faa_pt_table *table;
	unsigned int i;

	if (pt->null[kind])
		return pt->null[kind];

	table = pt_take_spare(update, 1);
	if (!table)
		return NULL;
	for (i = 0; i < FAA_PT_ENTRIES; i++)
		pt_write_entry(table, i, pt_make_leaf(0, prot));
	table->used = FAA_PT_ENTRIES;
	table->shared = true;
	pt->null[kind] = table;

	return table;
}

/* Map nothing in a whole 1 GiB. */
static void pt_map_null(struct faa_pt_update *update, u64 va, u64 prot)
{
	struct faa_pt_table *parent = pt_reach_table(update, va, 2);
	struct faa_pt_table *table = pt_null_table(update, prot);
	unsigned int i = faa_pt_index(va, 2);

	if (!parent || !table || WARN_ON_ONCE(pt_read_entry(parent, i) & FAA_PTE_VALID_MASK))
		return;

	pt_link_table(parent, i, table);
	parent->used++;
}

/* Map what one leaf, or one shared table, maps. Returns its size, 0 if the tree is wrong. */
static u64 pt_map_step(struct faa_pt_update *update, u64 va, u64 dma, u64 size, u64 prot)
{
	unsigned int level = IS_ALIGNED(va | dma, FAA_PT_HUGE_PAGE) && size >= FAA_PT_HUGE_PAGE;
	struct faa_pt_table *table;
	unsigned int i;

	if (prot & FAA_PTE_SPARSE_MASK && IS_ALIGNED(va, FAA_PT_NULL_BYTES) &&
	    size >= FAA_PT_NULL_BYTES) {
		pt_map_null(update, va, prot);
		return FAA_PT_NULL_BYTES;
	}

	table = pt_reach_table(update, va, level);
	i = faa_pt_index(va, level);
	if (!table || WARN_ON_ONCE(pt_read_entry(table, i) & FAA_PTE_VALID_MASK))
		return 0;
	pt_write_entry(table, i, pt_make_leaf(dma, prot));
	table->used++;

	return pt_entry_bytes(level);
}

/**
 * faa_pt_map() - map a contiguous piece
 * @update: an update for mapping that covers the range
 * @va: first virtual address, page aligned; the range must be unmapped
 * @dma: DMA address, page aligned
 * @size: bytes, whole pages
 * @prot: FAA_PTE_WRITABLE_MASK, FAA_PTE_ATOMIC_MASK, FAA_PTE_SPARSE_MASK or 0
 *
 * 2 MiB leaves are used where both addresses allow it. All sparse leaves have @dma, which
 * is 0.
 */
void faa_pt_map(struct faa_pt_update *update, u64 va, u64 dma, u64 size, u64 prot)
{
	unsigned int steps = 0;

	while (size) {
		u64 step = pt_map_step(update, va, dma, size, prot);

		if (!step)
			return;
		va += step;
		dma += prot & FAA_PTE_SPARSE_MASK ? 0 : step;
		size -= step;
		if (!(++steps % FAA_PT_ENTRIES))
			cond_resched();
	}
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_map);

/* Replace a 2 MiB leaf by a table of 4 KiB leaves that says the same. */
static void pt_split_leaf(struct faa_pt_update *update, struct faa_pt_table *parent,
			  u64 va)
{
	unsigned int i, slot = faa_pt_index(va, parent->level);
	u64 entry = pt_read_entry(parent, slot);
	u64 step = entry & FAA_PTE_SPARSE_MASK ? 0 : FAA_PT_PAGE;
	struct faa_pt_table *table = pt_take_spare(update, parent->level - 1);

	if (!table)
		return;

	for (i = 0; i < FAA_PT_ENTRIES; i++)
		pt_write_entry(table, i, entry + i * step);
	table->used = FAA_PT_ENTRIES;
	pt_link_table(parent, slot, table);
	pt_note_inv(update, va, parent->level);
}

/* Give an entry a table of its own instead of a shared one. */
static void pt_split_shared(struct faa_pt_update *update, struct faa_pt_table *parent, u64 va)
{
	unsigned int i, slot = faa_pt_index(va, parent->level);
	struct faa_pt_table *table = pt_take_spare(update, parent->level - 1);

	if (!table)
		return;

	for (i = 0; i < FAA_PT_ENTRIES; i++)
		pt_write_entry(table, i, pt_read_entry(parent->child[slot], i));
	table->used = FAA_PT_ENTRIES;
	pt_link_table(parent, slot, table);
	pt_note_inv(update, va, parent->level);
}

/* Clear the entry of a leaf or of a shared table. */
static void pt_clear_entry(struct faa_pt_update *update, struct faa_pt_table *table,
			   u64 va)
{
	unsigned int i = faa_pt_index(va, table->level);

	pt_write_entry(table, i, 0);
	if (table->child)
		table->child[i] = NULL;
	table->used--;
	pt_note_inv(update, va, table->level);
}

/* Take empty tables out of the tree, from the leaf level of an address upwards. */
static void pt_prune(struct faa_pt_update *update, struct faa_pt_table **path,
		     unsigned int level, u64 va)
{
	for (; level < FAA_PT_LEVELS - 1 && !path[level]->used; level++) {
		struct faa_pt_table *parent = path[level + 1];
		unsigned int i = faa_pt_index(va, parent->level);

		pt_write_entry(parent, i, 0);
		parent->child[i] = NULL;
		parent->used--;
		list_add(&path[level]->node, &update->retired);
		pt_note_inv(update, va, parent->level);
	}
}

/*
 * Unmap from va up to the end of the range of one entry; returns where to continue. Without
 * @split an entry that covers more stays.
 */
static u64 pt_unmap_step(struct faa_pt_update *update, u64 va, u64 end, bool split)
{
	struct faa_pt_table *path[FAA_PT_LEVELS];
	unsigned int level = FAA_PT_LEVELS - 1;
	u64 next;

	path[level] = update->pt->root;
	for (;;) {
		struct faa_pt_table *table = path[level];
		unsigned int i = faa_pt_index(va, level);
		u64 entry = pt_read_entry(table, i);
		bool whole;

		next = min(end, ALIGN_DOWN(va, pt_entry_bytes(level)) + pt_entry_bytes(level));
		whole = next - va == pt_entry_bytes(level);
		if (!(entry & FAA_PTE_VALID_MASK))
			return next;

		if (entry & FAA_PTE_LEAF_MASK || table->child[i]->shared) {
			if (whole)
				break;
			if (!split)
				return next;
			if (entry & FAA_PTE_LEAF_MASK)
				pt_split_leaf(update, table, va);
			else
				pt_split_shared(update, table, va);
		}

		path[--level] = table->child[i];
		/* No table to split with, which pt_take_spare() has complained about. */
		if (!path[level] || path[level]->shared)
			return next;
	}

	pt_clear_entry(update, path[level], va);
	pt_prune(update, path, level, va);

	return next;
}

/**
 * faa_pt_unmap() - unmap a range
 * @update: an update that covers the range
 * @va: first virtual address, page aligned
 * @size: bytes, whole pages; addresses that are not mapped are skipped
 *
 * A tree that has been freed has nothing mapped.
 */
void faa_pt_unmap(struct faa_pt_update *update, u64 va, u64 size)
{
	u64 end = va + size;
	unsigned int steps = 0;

	while (va < end && update->pt->root) {
		va = pt_unmap_step(update, va, end, true);
		if (!(++steps % FAA_PT_ENTRIES))
			cond_resched();
	}
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_unmap);

/**
 * faa_pt_unmap_ahead() - unmap some of a range that will be unmapped
 * @update: an update that covers the range
 * @va: first virtual address, page aligned
 * @end: end of the range, page aligned
 *
 * Leaves and shared tables that reach beyond the range stay, so no tables are needed. When it
 * has come to the end, little work is left for faa_pt_unmap().
 *
 * Return: where to continue: the end of the piece that @va is in; if nothing is mapped there, the
 * end of the range of one entry above it; or @end.
 */
u64 faa_pt_unmap_ahead(struct faa_pt_update *update, u64 va, u64 end)
{
	u64 piece_end = faa_pt_piece_end(va, end);

	if (!update->pt->root)
		return end;
	while (va < piece_end)
		va = pt_unmap_step(update, va, end, false);

	return va;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_unmap_ahead);

/**
 * faa_pt_walk() - the entries that translate an address, as the device reads them
 * @pt: the tree, which is not changed meanwhile
 * @va: virtual address
 * @entries: out: FAA_PT_LEVELS of them, the root's first; the last one that is written is a leaf
 *	or not valid
 *
 * Return: how many were written; 0 if there is no tree, or no address space at the address.
 */
unsigned int faa_pt_walk(const struct faa_pt *pt, u64 va, u64 *entries)
{
	struct faa_pt_table *table = va < FAA_PT_VA_END ? pt->root : NULL;
	unsigned int count = 0;

	while (table) {
		unsigned int i = faa_pt_index(va, table->level);

		entries[count++] = pt_read_entry(table, i);
		table = table->child ? table->child[i] : NULL;
	}

	return count;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_walk);

/**
 * faa_pt_leaf_bytes() - how much does the leaf of an address map?
 * @pt: the tree
 * @va: virtual address
 *
 * Return: bytes; FAA_PT_PAGE if nothing is mapped.
 */
u64 faa_pt_leaf_bytes(const struct faa_pt *pt, u64 va)
{
	u64 entries[FAA_PT_LEVELS];
	unsigned int count = faa_pt_walk(pt, va, entries);

	if (count && entries[count - 1] & FAA_PTE_LEAF_MASK)
		return pt_entry_bytes(FAA_PT_LEVELS - count);

	return FAA_PT_PAGE;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_leaf_bytes);
