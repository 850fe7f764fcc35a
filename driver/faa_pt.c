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
 * walk while an update goes on. A range is unmapped before it is mapped anew:
 * a mapping never overwrites a valid leaf, and the device may cache valid
 * entries only, hence mapping alone needs no invalidation.
 */

#include <linux/bug.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include <asm/barrier.h>

#include <kunit/visibility.h>

#include "faa_pt.h"

static unsigned int level_shift(unsigned int level)
{
	return FAA_PAGE_SHIFT + 9 * level;
}

/* Bytes that one entry of a table covers. */
static u64 entry_bytes(unsigned int level)
{
	return 1ULL << level_shift(level);
}

static unsigned int entry_index(u64 va, unsigned int level)
{
	return (va >> level_shift(level)) & (FAA_PT_ENTRIES - 1);
}

static u64 read_entry(const struct faa_pt_table *table, unsigned int i)
{
	return le64_to_cpu(READ_ONCE(table->entries[i]));
}

static void write_entry(struct faa_pt_table *table, unsigned int i, u64 value)
{
	WRITE_ONCE(table->entries[i], cpu_to_le64(value));
}

static u64 make_leaf(u64 dma, u64 prot)
{
	return FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | prot |
	       (dma & FAA_PTE_ADDRESS_MASK);
}

static struct faa_pt_table *alloc_table(struct faa_pt *pt, unsigned int level)
{
	struct faa_pt_table *table = kzalloc(sizeof(*table), GFP_KERNEL);

	if (!table)
		return NULL;

	table->level = level;
	if (level) {
		table->child = kcalloc(FAA_PT_ENTRIES, sizeof(*table->child),
				       GFP_KERNEL);
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

static void free_table(struct faa_pt *pt, struct faa_pt_table *table)
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
	pt->ops = ops;
	pt->ctx = ctx;
	pt->root = alloc_table(pt, FAA_PT_LEVELS - 1);

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
	unsigned int level = FAA_PT_LEVELS - 1;

	if (!pt->root)
		return;

	/* Depth first without recursion: next[] is where each level goes on. */
	while (level < FAA_PT_LEVELS) {
		struct faa_pt_table *table = path[level];

		if (!table->child || next[level] == FAA_PT_ENTRIES) {
			free_table(pt, table);
			next[level++] = 0;
		} else {
			struct faa_pt_table *child = table->child[next[level]++];

			if (child)
				path[--level] = child;
		}
	}

	pt->root = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_fini);

static int add_spare(struct faa_pt_update *update, unsigned int level, u64 count)
{
	while (count--) {
		struct faa_pt_table *table = alloc_table(update->pt, level);

		if (!table)
			return -ENOMEM;
		list_add(&table->node, &update->spare[level]);
	}

	return 0;
}

/* Tables of a level that cover [va, va + size). */
static u64 tables_covering(u64 va, u64 size, unsigned int level)
{
	unsigned int shift = level_shift(level + 1);

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

/**
 * faa_pt_update_init() - prepare a change of [va, va + size)
 * @update: the update
 * @pt: the tree
 * @va: first address, page aligned
 * @size: bytes, whole pages, not 0
 * @change: what will be done
 *
 * What is in the tree, now or when the change is made, does not matter.
 *
 * Return: 0, or -ENOMEM with nothing to undo.
 */
int faa_pt_update_init(struct faa_pt_update *update, struct faa_pt *pt,
		       u64 va, u64 size, enum faa_pt_change change)
{
	unsigned int level;
	u64 count;
	int ret;

	faa_pt_update_begin(update, pt);
	for (level = 0; level < ARRAY_SIZE(update->spare); level++) {
		count = tables_covering(va, size, level);
		/* At each end a 2 MiB leaf is split, or a part of its size mapped. */
		if (!level && change != FAA_PT_MAP)
			count = min(count, 2ULL);
		if (level && change == FAA_PT_UNMAP)
			count = 0;
		ret = add_spare(update, level, count);
		if (ret) {
			faa_pt_update_fini(update);
			return ret;
		}
	}

	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_update_init);

static void free_tables(struct faa_pt *pt, struct list_head *tables)
{
	struct faa_pt_table *table, *next;

	list_for_each_entry_safe(table, next, tables, node)
		free_table(pt, table);
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
		free_tables(update->pt, &update->spare[level]);
	free_tables(update->pt, &update->retired);
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_update_fini);

/* Everything that an entry covers must go: a device may have cached it as a whole. */
static void note_inv(struct faa_pt_update *update, u64 va, unsigned int level)
{
	u64 first = ALIGN_DOWN(va, entry_bytes(level));

	update->inv_first = min(update->inv_first, first);
	update->inv_last = max(update->inv_last, first + entry_bytes(level) - 1);
}

static struct faa_pt_table *take_spare(struct faa_pt_update *update,
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
static void link_table(struct faa_pt_table *parent, unsigned int i,
		       struct faa_pt_table *child)
{
	dma_wmb();
	parent->child[i] = child;
	write_entry(parent, i, FAA_PTE_VALID_MASK | child->dma);
}

/* The table of a level for an address, made where there is none. */
static struct faa_pt_table *reach_table(struct faa_pt_update *update, u64 va,
					unsigned int level)
{
	struct faa_pt_table *table = update->pt->root;

	while (table->level > level) {
		unsigned int i = entry_index(va, table->level);
		struct faa_pt_table *child = table->child[i];

		if (!child) {
			child = take_spare(update, table->level - 1);
			if (!child)
				return NULL;
			link_table(table, i, child);
			table->used++;
		}
		table = child;
	}

	return table;
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
	while (size) {
		unsigned int level =
			IS_ALIGNED(va | dma, FAA_PT_HUGE_PAGE) && size >= FAA_PT_HUGE_PAGE;
		struct faa_pt_table *table = reach_table(update, va, level);
		unsigned int i = entry_index(va, level);
		u64 step = entry_bytes(level);

		if (!table || WARN_ON_ONCE(read_entry(table, i) & FAA_PTE_VALID_MASK))
			return;

		write_entry(table, i, make_leaf(dma, prot));
		table->used++;
		va += step;
		dma += prot & FAA_PTE_SPARSE_MASK ? 0 : step;
		size -= step;
	}
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_map);

/* Replace a 2 MiB leaf by a table of 4 KiB leaves that says the same. */
static void split_leaf(struct faa_pt_update *update, struct faa_pt_table *parent,
		       u64 va)
{
	unsigned int i, slot = entry_index(va, parent->level);
	u64 entry = read_entry(parent, slot);
	u64 step = entry & FAA_PTE_SPARSE_MASK ? 0 : FAA_PT_PAGE;
	struct faa_pt_table *table = take_spare(update, parent->level - 1);

	if (!table)
		return;

	for (i = 0; i < FAA_PT_ENTRIES; i++)
		write_entry(table, i, entry + i * step);
	table->used = FAA_PT_ENTRIES;
	link_table(parent, slot, table);
	note_inv(update, va, parent->level);
}

static void clear_leaf(struct faa_pt_update *update, struct faa_pt_table *table,
		       u64 va)
{
	write_entry(table, entry_index(va, table->level), 0);
	table->used--;
	note_inv(update, va, table->level);
}

/* Take empty tables out of the tree, from the leaf level of an address upwards. */
static void prune(struct faa_pt_update *update, struct faa_pt_table **path,
		  unsigned int level, u64 va)
{
	for (; level < FAA_PT_LEVELS - 1 && !path[level]->used; level++) {
		struct faa_pt_table *parent = path[level + 1];
		unsigned int i = entry_index(va, parent->level);

		write_entry(parent, i, 0);
		parent->child[i] = NULL;
		parent->used--;
		list_add(&path[level]->node, &update->retired);
		note_inv(update, va, parent->level);
	}
}

/* Unmap from va on, up to the end of what one entry covers; returns where to go on. */
static u64 unmap_step(struct faa_pt_update *update, u64 va, u64 end)
{
	struct faa_pt_table *path[FAA_PT_LEVELS];
	unsigned int level = FAA_PT_LEVELS - 1;
	u64 next;

	path[level] = update->pt->root;
	for (;;) {
		struct faa_pt_table *table = path[level];
		u64 entry = read_entry(table, entry_index(va, level));

		next = min(end, ALIGN_DOWN(va, entry_bytes(level)) + entry_bytes(level));
		if (!(entry & FAA_PTE_VALID_MASK))
			return next;

		if (entry & FAA_PTE_LEAF_MASK) {
			if (next - va == entry_bytes(level))
				break;
			split_leaf(update, table, va);
		}

		level--;
		path[level] = table->child[entry_index(va, level + 1)];
		if (!path[level])
			return next;
	}

	clear_leaf(update, path[level], va);
	prune(update, path, level, va);

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

	while (va < end && update->pt->root)
		va = unmap_step(update, va, end);
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_unmap);

/**
 * faa_pt_leaf_bytes() - how much does the leaf of an address map?
 * @pt: the tree
 * @va: virtual address
 *
 * Return: bytes; FAA_PT_PAGE if nothing is mapped.
 */
u64 faa_pt_leaf_bytes(const struct faa_pt *pt, u64 va)
{
	struct faa_pt_table *table = pt->root;

	while (table) {
		unsigned int i = entry_index(va, table->level);

		if (read_entry(table, i) & FAA_PTE_LEAF_MASK)
			return entry_bytes(table->level);
		table = table->child ? table->child[i] : NULL;
	}

	return FAA_PT_PAGE;
}
EXPORT_SYMBOL_IF_KUNIT(faa_pt_leaf_bytes);
