// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Tests the page table builder with a walker that is written from Documentation/mmu.rst alone.
 * Tables are in ordinary memory; the "DMA address" of a table is its virtual one.
 */

#include <kunit/test.h>

#include <linux/io.h>
#include <linux/mm.h>
#include <linux/prandom.h>
#include <linux/slab.h>

#include "faa_pt.h"

/* DMA addresses of pages in these tests, with room for 2 MiB alignment. */
#define DMA_BASE	0x123400000000ULL
#define RW		FAA_PTE_WRITABLE_MASK
#define RO		0

struct tables {
	struct faa_pt pt;
	/* Number of existing tables. */
	int live;
	/* Number of allocations that succeed before one fails; -1 = all. */
	int budget;
};

static int test_alloc(void *ctx, struct faa_pt_table *table)
{
	struct tables *tables = ctx;

	if (!tables->budget)
		return -ENOMEM;
	if (tables->budget > 0)
		tables->budget--;

	/* Page tables are page aligned: bits 11..0 of an address in an entry are flags. */
	table->entries = (void *)get_zeroed_page(GFP_KERNEL);
	if (!table->entries)
		return -ENOMEM;
	table->dma = virt_to_phys(table->entries);
	tables->live++;

	return 0;
}

static void test_free(void *ctx, struct faa_pt_table *table)
{
	struct tables *tables = ctx;

	free_page((unsigned long)table->entries);
	tables->live--;
}

static const struct faa_pt_ops test_ops = {
	.alloc = test_alloc,
	.free = test_free,
};

/* Result of a walk: the device's view of an address. */
struct walk {
	bool mapped;
	u64 dma;
	u64 prot;
	unsigned int level;
};

static struct walk walk(struct kunit *test, struct tables *tables, u64 va)
{
	struct walk result = {};
	u64 table = tables->pt.root->dma;
	int level;

	for (level = 3; level >= 0; level--) {
		unsigned int shift = 12 + 9 * level;
		__le64 *entries = phys_to_virt(table);
		u64 entry = le64_to_cpu(entries[(va >> shift) & 511]);

		if (!(entry & FAA_PTE_VALID_MASK))
			return result;
		KUNIT_ASSERT_EQ_MSG(test, entry & FAA_PTE_RESERVED, 0, "entry 0x%llx", entry);
		if (entry & FAA_PTE_LEAF_MASK) {
			KUNIT_ASSERT_LE_MSG(test, level, 1, "leaf at level %d", level);
			if (level)
				KUNIT_ASSERT_EQ(test, entry & GENMASK_ULL(20, 12), 0);
			result.mapped = true;
			result.dma = (entry & FAA_PTE_ADDRESS_MASK) + (va & (BIT_ULL(shift) - 1));
			result.prot = entry & (FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK |
					       FAA_PTE_SPARSE_MASK | FAA_PTE_REGION_MASK);
			result.level = level;
			return result;
		}
		KUNIT_ASSERT_EQ_MSG(test, entry & ~(FAA_PTE_VALID_MASK | FAA_PTE_ADDRESS_MASK), 0,
				    "entry 0x%llx", entry);
		table = entry & FAA_PTE_ADDRESS_MASK;
	}
	KUNIT_FAIL_AND_ABORT(test, "no leaf at level 0 for 0x%llx", va);

	return result;
}

static void expect_mapped(struct kunit *test, struct tables *tables, u64 va, u64 size, u64 dma,
			  u64 prot)
{
	u64 offset;

	for (offset = 0; offset < size; offset += SZ_4K) {
		struct walk found = walk(test, tables, va + offset);

		KUNIT_ASSERT_TRUE_MSG(test, found.mapped, "0x%llx", va + offset);
		KUNIT_ASSERT_EQ(test, found.dma, dma + offset);
		KUNIT_ASSERT_EQ(test, found.prot, prot);
	}
}

static void expect_unmapped(struct kunit *test, struct tables *tables, u64 va, u64 size)
{
	u64 offset;

	for (offset = 0; offset < size; offset += SZ_4K)
		KUNIT_ASSERT_FALSE_MSG(test, walk(test, tables, va + offset).mapped, "0x%llx",
				       va + offset);
}

static void map(struct kunit *test, struct tables *tables, u64 va, u64 size, u64 dma, u64 prot)
{
	struct faa_pt_update update;

	KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, va, size, FAA_PT_MAP), 0);
	faa_pt_map(&update, va, dma, size, prot);
	KUNIT_EXPECT_FALSE_MSG(test, faa_pt_update_needs_inv(&update),
			       "mapping what was not mapped");
	faa_pt_update_fini(&update);
}

static void unmap(struct kunit *test, struct tables *tables, u64 va, u64 size, bool was_mapped)
{
	struct faa_pt_update update;

	KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, va, size, FAA_PT_UNMAP), 0);
	faa_pt_unmap(&update, va, size);
	KUNIT_EXPECT_EQ(test, faa_pt_update_needs_inv(&update), was_mapped);
	faa_pt_update_fini(&update);
}

static int pt_test_init(struct kunit *test)
{
	struct tables *tables = kunit_kzalloc(test, sizeof(*tables), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, tables);
	tables->budget = -1;
	KUNIT_ASSERT_EQ(test, faa_pt_init(&tables->pt, &test_ops, tables), 0);
	test->priv = tables;

	return 0;
}

/* After any test, the tree frees all its tables. */
static void pt_test_exit(struct kunit *test)
{
	struct tables *tables = test->priv;

	faa_pt_fini(&tables->pt);
	KUNIT_EXPECT_EQ_MSG(test, tables->live, 0, "tables left");
}

static void small_pages(struct kunit *test)
{
	struct tables *tables = test->priv;

	map(test, tables, SZ_1M, 3 * SZ_4K, DMA_BASE + SZ_4K, RW);
	expect_mapped(test, tables, SZ_1M, 3 * SZ_4K, DMA_BASE + SZ_4K, RW);
	expect_unmapped(test, tables, SZ_1M - SZ_4K, SZ_4K);
	expect_unmapped(test, tables, SZ_1M + 3 * SZ_4K, SZ_4K);
	KUNIT_EXPECT_EQ(test, tables->live, 4);
}

static void protection_bits(struct kunit *test)
{
	struct tables *tables = test->priv;
	u64 atomic = FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK;

	map(test, tables, 0, SZ_4K, DMA_BASE, RO);
	map(test, tables, SZ_4K, SZ_4K, DMA_BASE + SZ_4K, atomic);
	map(test, tables, SZ_2M, SZ_2M, DMA_BASE, RO);
	expect_mapped(test, tables, 0, SZ_4K, DMA_BASE, RO);
	expect_mapped(test, tables, SZ_4K, SZ_4K, DMA_BASE + SZ_4K, atomic);
	expect_mapped(test, tables, SZ_2M, SZ_2M, DMA_BASE, RO);
}

static void huge_pages_where_both_addresses_allow(struct kunit *test)
{
	struct tables *tables = test->priv;

	/* 4 KiB before, two 2 MiB pages, 8 KiB after. */
	map(test, tables, SZ_4M - SZ_4K, SZ_4M + 3 * SZ_4K, DMA_BASE - SZ_4K, RW);
	expect_mapped(test, tables, SZ_4M - SZ_4K, SZ_4M + 3 * SZ_4K, DMA_BASE - SZ_4K, RW);
	KUNIT_EXPECT_EQ(test, walk(test, tables, SZ_4M - SZ_4K).level, 0);
	KUNIT_EXPECT_EQ(test, walk(test, tables, SZ_4M).level, 1);
	KUNIT_EXPECT_EQ(test, walk(test, tables, SZ_4M + SZ_2M).level, 1);
	KUNIT_EXPECT_EQ(test, walk(test, tables, SZ_8M).level, 0);
	/* Root, level 2, level 1, and two of level 0. */
	KUNIT_EXPECT_EQ(test, tables->live, 5);
}

static void no_huge_page_for_shifted_memory(struct kunit *test)
{
	struct tables *tables = test->priv;

	map(test, tables, SZ_4M, SZ_4M, DMA_BASE + SZ_4K, RW);
	expect_mapped(test, tables, SZ_4M, SZ_4M, DMA_BASE + SZ_4K, RW);
	KUNIT_EXPECT_EQ(test, walk(test, tables, SZ_4M).level, 0);
}

static void unmap_frees_tables(struct kunit *test)
{
	struct tables *tables = test->priv;

	map(test, tables, SZ_1G - SZ_8K, 4 * SZ_4K, DMA_BASE, RW);
	KUNIT_EXPECT_EQ(test, tables->live, 6);
	unmap(test, tables, SZ_1G - SZ_8K, SZ_8K, true);
	expect_unmapped(test, tables, SZ_1G - SZ_8K, SZ_8K);
	expect_mapped(test, tables, SZ_1G, SZ_8K, DMA_BASE + SZ_8K, RW);
	KUNIT_EXPECT_EQ_MSG(test, tables->live, 4, "the empty ones are gone");
	unmap(test, tables, SZ_1G, SZ_8K, true);
	KUNIT_EXPECT_EQ_MSG(test, tables->live, 1, "only the root is left");
}

static void unmap_of_nothing(struct kunit *test)
{
	struct tables *tables = test->priv;

	unmap(test, tables, 0, FAA_PT_VA_END, false);
	map(test, tables, SZ_1M, SZ_4K, DMA_BASE, RW);
	unmap(test, tables, SZ_1M + SZ_4K, SZ_1G, false);
	unmap(test, tables, 0, SZ_1M, false);
	expect_mapped(test, tables, SZ_1M, SZ_4K, DMA_BASE, RW);
	unmap(test, tables, 0, FAA_PT_VA_END, true);
	KUNIT_EXPECT_EQ(test, tables->live, 1);
}

static void unmap_splits_a_huge_page(struct kunit *test)
{
	struct tables *tables = test->priv;

	map(test, tables, SZ_2M, 3 * SZ_2M, DMA_BASE, RO);
	/* From within the first mapping to within the third. */
	unmap(test, tables, SZ_2M + SZ_8K, 2 * SZ_2M, true);
	expect_mapped(test, tables, SZ_2M, SZ_8K, DMA_BASE, RO);
	expect_unmapped(test, tables, SZ_2M + SZ_8K, 2 * SZ_2M);
	expect_mapped(test, tables, 3 * SZ_2M + SZ_8K, SZ_2M - SZ_8K,
		      DMA_BASE + 2 * SZ_2M + SZ_8K, RO);
}

static void split_invalidates_the_whole_huge_page(struct kunit *test)
{
	struct tables *tables = test->priv;
	struct faa_pt_update update;

	map(test, tables, SZ_2M, SZ_2M, DMA_BASE, RW);
	KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, SZ_2M + SZ_1M, SZ_4K,
						 FAA_PT_UNMAP), 0);
	faa_pt_unmap(&update, SZ_2M + SZ_1M, SZ_4K);
	KUNIT_EXPECT_EQ(test, update.inv_first, SZ_2M);
	KUNIT_EXPECT_EQ(test, update.inv_last, 2 * SZ_2M - 1);
	faa_pt_update_fini(&update);
}

static void a_huge_page_again_after_small_ones(struct kunit *test)
{
	struct tables *tables = test->priv;

	map(test, tables, SZ_2M, SZ_4K, DMA_BASE, RW);
	unmap(test, tables, SZ_2M, SZ_4K, true);
	map(test, tables, SZ_2M, SZ_2M, DMA_BASE, RW);
	KUNIT_EXPECT_EQ(test, walk(test, tables, SZ_2M).level, 1);
}

/* Sparse leaves have no address, nor have those that a split creates. */
static void sparse_leaves(struct kunit *test)
{
	const u64 va = SZ_1G - SZ_4K, size = SZ_4K + SZ_4M + SZ_8K;
	struct tables *tables = test->priv;
	struct faa_pt_update update;
	u64 offset;

	KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, va, size,
						 FAA_PT_MAP_HUGE), 0);
	faa_pt_map(&update, va, 0, size, FAA_PTE_SPARSE_MASK | RW);
	faa_pt_update_fini(&update);
	KUNIT_EXPECT_EQ(test, walk(test, tables, va).level, 0);
	KUNIT_EXPECT_EQ(test, walk(test, tables, SZ_1G).level, 1);
	KUNIT_EXPECT_EQ(test, walk(test, tables, SZ_1G + SZ_2M).level, 1);
	KUNIT_EXPECT_EQ(test, walk(test, tables, SZ_1G + SZ_4M + SZ_4K).level, 0);
	unmap(test, tables, SZ_1G + SZ_1M, SZ_4K, true);
	for (offset = 0; offset < size; offset += SZ_4K) {
		struct walk found = walk(test, tables, va + offset);

		if (va + offset == SZ_1G + SZ_1M) {
			KUNIT_EXPECT_FALSE(test, found.mapped);
			continue;
		}
		KUNIT_ASSERT_TRUE(test, found.mapped);
		KUNIT_EXPECT_EQ(test, ALIGN_DOWN(found.dma, SZ_2M), 0);
		KUNIT_EXPECT_EQ(test, found.prot, FAA_PTE_SPARSE_MASK | RW);
	}
}

/* With leaves of 2 MiB a large range needs few tables. */
static void huge_leaves_need_few_tables(struct kunit *test)
{
	struct tables *tables = test->priv;
	struct faa_pt_update update;

	KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, SZ_1G - SZ_4K,
						 8ULL * SZ_1G, FAA_PT_MAP_HUGE), 0);
	/* Root; level 2; of level 1 the shared one and the two ends; the two ends of level 0. */
	KUNIT_EXPECT_LE(test, tables->live, 1 + 1 + 3 + 2);
	faa_pt_map(&update, SZ_1G - SZ_4K, 0, 8ULL * SZ_1G, FAA_PTE_SPARSE_MASK);
	faa_pt_update_fini(&update);
	KUNIT_EXPECT_TRUE(test, walk(test, tables, 9ULL * SZ_1G - SZ_8K).mapped);
	unmap(test, tables, SZ_1G - SZ_4K, 8ULL * SZ_1G, true);
	/* The shared table remains. */
	KUNIT_EXPECT_EQ(test, tables->live, 2);
}

#define NULL_SIZE	BIT_ULL(40)

/* The largest MAP_NULL needs no more tables than a small one; a part of it can be changed. */
static void nothing_costs_next_to_nothing(struct kunit *test)
{
	const u64 hole = 5ULL * SZ_1G + SZ_2M + SZ_4K;
	struct tables *tables = test->priv;
	struct faa_pt_update update;

	KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, SZ_4K, NULL_SIZE,
						 FAA_PT_MAP_HUGE), 0);
	KUNIT_EXPECT_LE(test, tables->live, 1 + 3 + 3 + 2);
	faa_pt_map(&update, SZ_4K, 0, NULL_SIZE, FAA_PTE_SPARSE_MASK | RW);
	faa_pt_update_fini(&update);
	KUNIT_EXPECT_FALSE(test, walk(test, tables, 0).mapped);
	KUNIT_EXPECT_TRUE(test, walk(test, tables, SZ_4K).mapped);
	KUNIT_EXPECT_TRUE(test, walk(test, tables, NULL_SIZE).mapped);
	KUNIT_EXPECT_FALSE(test, walk(test, tables, NULL_SIZE + SZ_4K).mapped);

	unmap(test, tables, hole, SZ_4K, true);
	KUNIT_EXPECT_FALSE(test, walk(test, tables, hole).mapped);
	KUNIT_EXPECT_TRUE(test, walk(test, tables, hole - SZ_4K).mapped);
	KUNIT_EXPECT_TRUE(test, walk(test, tables, hole + SZ_4K).mapped);
	/* Other users of the shared table are not affected. */
	KUNIT_EXPECT_TRUE(test, walk(test, tables, hole + SZ_1G).mapped);
	KUNIT_EXPECT_TRUE(test, walk(test, tables, hole - SZ_1G).mapped);
	map(test, tables, hole, SZ_4K, DMA_BASE, RO);
	expect_mapped(test, tables, hole, SZ_4K, DMA_BASE, RO);
	KUNIT_EXPECT_EQ(test, walk(test, tables, hole + SZ_1G).prot, FAA_PTE_SPARSE_MASK | RW);

	unmap(test, tables, 0, FAA_PT_VA_END, true);
	KUNIT_EXPECT_EQ(test, tables->live, 2);
}

/* Entries as the device reads them, down to the leaf or to an invalid entry. */
static void entries_of_an_address(struct kunit *test)
{
	struct tables *tables = test->priv;
	u64 entries[FAA_PT_LEVELS];

	KUNIT_EXPECT_EQ(test, faa_pt_walk(&tables->pt, SZ_2M, entries), 1);
	KUNIT_EXPECT_EQ(test, entries[0], 0);
	map(test, tables, SZ_2M, SZ_2M, DMA_BASE, RW);
	map(test, tables, SZ_4M, SZ_4K, DMA_BASE, RO);
	KUNIT_ASSERT_EQ(test, faa_pt_walk(&tables->pt, SZ_2M + SZ_4K, entries), 3);
	KUNIT_EXPECT_EQ(test, entries[2],
			DMA_BASE | RW | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK);
	KUNIT_ASSERT_EQ(test, faa_pt_walk(&tables->pt, SZ_4M, entries), 4);
	KUNIT_EXPECT_EQ(test, entries[3], DMA_BASE | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK);
	KUNIT_ASSERT_EQ(test, faa_pt_walk(&tables->pt, SZ_4M + SZ_4K, entries), 4);
	KUNIT_EXPECT_EQ(test, entries[3], 0);
	KUNIT_EXPECT_EQ(test, entries[2] & FAA_PTE_VALID_MASK, FAA_PTE_VALID_MASK);
	KUNIT_EXPECT_EQ(test, faa_pt_walk(&tables->pt, FAA_PT_VA_END, entries), 0);
}

static void sizes_of_leaves(struct kunit *test)
{
	struct tables *tables = test->priv;
	struct faa_pt_update update;

	KUNIT_EXPECT_EQ(test, faa_pt_leaf_bytes(&tables->pt, SZ_2M), SZ_4K);
	map(test, tables, SZ_2M, SZ_2M + SZ_8K, DMA_BASE, RW);
	KUNIT_EXPECT_EQ(test, faa_pt_leaf_bytes(&tables->pt, SZ_2M), SZ_2M);
	KUNIT_EXPECT_EQ(test, faa_pt_leaf_bytes(&tables->pt, SZ_4M - 1), SZ_2M);
	KUNIT_EXPECT_EQ(test, faa_pt_leaf_bytes(&tables->pt, SZ_4M), SZ_4K);
	KUNIT_EXPECT_EQ(test, faa_pt_leaf_bytes(&tables->pt, SZ_4M + SZ_8K), SZ_4K);
	/* Whole leaves are unmapped without an allocation. */
	tables->budget = 0;
	faa_pt_update_begin(&update, &tables->pt);
	faa_pt_unmap(&update, SZ_2M, SZ_2M + SZ_4K);
	KUNIT_EXPECT_TRUE(test, faa_pt_update_needs_inv(&update));
	faa_pt_update_fini(&update);
	/* A second call is allowed. */
	faa_pt_update_fini(&update);
	tables->budget = -1;
	expect_unmapped(test, tables, SZ_2M, SZ_2M + SZ_4K);
	expect_mapped(test, tables, SZ_4M + SZ_4K, SZ_4K, DMA_BASE + SZ_2M + SZ_4K, RW);
}

static void a_freed_tree_has_nothing_mapped(struct kunit *test)
{
	struct tables *tables = test->priv;
	struct faa_pt_update update;

	map(test, tables, SZ_2M, SZ_4M, DMA_BASE, RW);
	faa_pt_fini(&tables->pt);
	KUNIT_EXPECT_EQ(test, faa_pt_leaf_bytes(&tables->pt, SZ_2M), SZ_4K);
	faa_pt_update_begin(&update, &tables->pt);
	faa_pt_unmap(&update, SZ_2M, SZ_4M);
	KUNIT_EXPECT_FALSE(test, faa_pt_update_needs_inv(&update));
	faa_pt_update_fini(&update);
}

/* Unmapping ahead of a change, in steps, needs no tables: leaves that would be split remain. */
static void unmap_ahead_splits_nothing(struct kunit *test)
{
	const u64 va = SZ_2M + SZ_4K, end = SZ_8M + SZ_4K, null = 4ULL * SZ_1G;
	struct tables *tables = test->priv;
	struct faa_pt_update update;

	map(test, tables, SZ_2M, SZ_8M, DMA_BASE, RW);
	KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, null, SZ_1G,
						 FAA_PT_MAP_HUGE), 0);
	faa_pt_map(&update, null, 0, SZ_1G, FAA_PTE_SPARSE_MASK);
	faa_pt_update_fini(&update);

	faa_pt_update_begin(&update, &tables->pt);
	KUNIT_EXPECT_EQ(test, faa_pt_unmap_ahead(&update, va, end), end);
	KUNIT_EXPECT_EQ(test, faa_pt_unmap_ahead(&update, null + SZ_2M, null + SZ_1G),
			null + SZ_1G);
	KUNIT_EXPECT_TRUE(test, faa_pt_update_needs_inv(&update));
	expect_mapped(test, tables, SZ_2M, SZ_2M, DMA_BASE, RW);
	expect_unmapped(test, tables, SZ_4M, SZ_4M);
	expect_mapped(test, tables, SZ_8M, SZ_2M, DMA_BASE + SZ_2M + SZ_4M, RW);
	KUNIT_EXPECT_TRUE(test, walk(test, tables, null + SZ_4M).mapped);
	/* A whole shared table is unmapped at once. */
	KUNIT_EXPECT_EQ(test, faa_pt_unmap_ahead(&update, null, null + SZ_1G), null + SZ_1G);
	KUNIT_EXPECT_FALSE(test, walk(test, tables, null + SZ_4M).mapped);
	faa_pt_update_fini(&update);
}

/* However much is mapped, one call clears a piece, and returns its end. */
static void unmap_ahead_goes_on_where_it_was(struct kunit *test)
{
	const u64 size = FAA_PT_PIECE + SZ_1M;
	struct tables *tables = test->priv;
	struct faa_pt_update update;
	unsigned int calls = 0;

	/* Small leaves, since the memory is not aligned to 2 MiB. */
	map(test, tables, SZ_1G, size, DMA_BASE + SZ_4K, RW);
	faa_pt_update_begin(&update, &tables->pt);
	KUNIT_EXPECT_EQ(test, faa_pt_unmap_ahead(&update, SZ_1G, SZ_1G + size),
			SZ_1G + FAA_PT_PIECE);
	expect_unmapped(test, tables, SZ_1G, FAA_PT_PIECE);
	expect_mapped(test, tables, SZ_1G + FAA_PT_PIECE, SZ_1M,
		      DMA_BASE + SZ_4K + FAA_PT_PIECE, RW);
	KUNIT_EXPECT_EQ(test, faa_pt_unmap_ahead(&update, SZ_1G + FAA_PT_PIECE, SZ_1G + size),
			SZ_1G + size);
	faa_pt_update_fini(&update);
	KUNIT_EXPECT_EQ(test, tables->live, 1);

	/* An unmapped address space takes few steps. */
	faa_pt_update_begin(&update, &tables->pt);
	for (u64 va = 0; va < FAA_PT_VA_END; calls++)
		va = faa_pt_unmap_ahead(&update, va, FAA_PT_VA_END);
	KUNIT_EXPECT_LE(test, calls, FAA_PT_ENTRIES);
	faa_pt_update_fini(&update);
}

/* Large leaves, as of contiguous memory, do not change the length of a piece. */
static void unmap_ahead_ends_a_piece_of_large_leaves(struct kunit *test)
{
	const u64 end = SZ_1G + 2 * FAA_PT_PIECE;
	struct tables *tables = test->priv;
	struct faa_pt_update update;

	map(test, tables, SZ_1G, 2 * FAA_PT_PIECE, DMA_BASE, RW);
	KUNIT_ASSERT_EQ(test, faa_pt_leaf_bytes(&tables->pt, SZ_1G), SZ_2M);
	faa_pt_update_begin(&update, &tables->pt);
	KUNIT_EXPECT_EQ(test, faa_pt_unmap_ahead(&update, SZ_1G + SZ_2M, end),
			SZ_1G + FAA_PT_PIECE);
	expect_mapped(test, tables, SZ_1G, SZ_2M, DMA_BASE, RW);
	expect_mapped(test, tables, SZ_1G + FAA_PT_PIECE, FAA_PT_PIECE, DMA_BASE + FAA_PT_PIECE,
		      RW);
	KUNIT_EXPECT_EQ(test, faa_pt_unmap_ahead(&update, SZ_1G + FAA_PT_PIECE, end), end);
	faa_pt_update_fini(&update);
}

/* A piece has its tables even if another update freed those that earlier pieces created. */
static void pieces_have_their_tables(struct kunit *test)
{
	const u64 va = SZ_1G - SZ_4K, size = 3ULL * FAA_PT_PIECE;
	struct tables *tables = test->priv;
	struct faa_pt_update update;
	u64 at, next;

	KUNIT_EXPECT_EQ(test, faa_pt_piece_end(va, va + size), SZ_1G);
	KUNIT_EXPECT_EQ(test, faa_pt_piece_end(SZ_1G, SZ_1G + SZ_4K), SZ_1G + SZ_4K);
	KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, va, size,
						 FAA_PT_MAP_PIECES), 0);
	for (at = va; at < va + size; at = next) {
		next = faa_pt_piece_end(at, va + size);
		/* Small leaves, since the memory is not aligned to 2 MiB. */
		faa_pt_map(&update, at, DMA_BASE + SZ_4K + (at - SZ_2M), next - at, RW);
		expect_mapped(test, tables, at, next - at, DMA_BASE + SZ_4K + (at - SZ_2M), RW);
		unmap(test, tables, at, next - at, true);
	}
	faa_pt_update_fini(&update);
	KUNIT_EXPECT_EQ(test, tables->live, 1);
}

static void ends_of_the_address_space(struct kunit *test)
{
	struct tables *tables = test->priv;

	map(test, tables, 0, SZ_4K, DMA_BASE, RW);
	map(test, tables, FAA_PT_VA_END - SZ_4K, SZ_4K, DMA_BASE + SZ_4K, RW);
	map(test, tables, FAA_PT_VA_END - SZ_4M, SZ_2M, DMA_BASE, RW);
	expect_mapped(test, tables, 0, SZ_4K, DMA_BASE, RW);
	expect_mapped(test, tables, FAA_PT_VA_END - SZ_4K, SZ_4K, DMA_BASE + SZ_4K, RW);
	expect_mapped(test, tables, FAA_PT_VA_END - SZ_4M, SZ_2M, DMA_BASE, RW);
	unmap(test, tables, FAA_PT_VA_END - SZ_4M, SZ_4M, FAA_PT_MAP);
	expect_unmapped(test, tables, FAA_PT_VA_END - SZ_4M, SZ_4M);
	expect_mapped(test, tables, 0, SZ_4K, DMA_BASE, RW);
}

/* At whatever allocation memory runs out, no mapping changes and no table leaks. */
static void out_of_memory(struct kunit *test)
{
	struct tables *tables = test->priv;
	struct faa_pt_update update;
	int before, budget, ret;

	map(test, tables, SZ_2M, SZ_2M, DMA_BASE, RW);
	before = tables->live;
	for (budget = 0; ; budget++) {
		tables->budget = budget;
		ret = faa_pt_update_init(&update, &tables->pt, SZ_1G - SZ_2M, SZ_4M, FAA_PT_MAP);
		if (!ret)
			break;
		KUNIT_ASSERT_EQ(test, ret, -ENOMEM);
		KUNIT_ASSERT_EQ(test, tables->live, before);
	}
	/* Two tables of each of levels 0 and 1, one of level 2. */
	KUNIT_EXPECT_EQ(test, budget, 5);
	faa_pt_update_fini(&update);
	KUNIT_EXPECT_EQ(test, tables->live, before);
	expect_mapped(test, tables, SZ_2M, SZ_2M, DMA_BASE, RW);
}

#define RANDOM_PAGES	(4 * 512)
#define RANDOM_BASE	(SZ_1G - SZ_4M)
#define RANDOM_ROUNDS	300

/* Random mappings and unmappings of 8 MiB around a table boundary, against an array of pages. */
static void random_changes(struct kunit *test)
{
	struct tables *tables = test->priv;
	struct rnd_state rnd;
	u64 *model = kunit_kcalloc(test, RANDOM_PAGES, sizeof(*model), GFP_KERNEL);
	unsigned int round, i;

	KUNIT_ASSERT_NOT_NULL(test, model);
	prandom_seed_state(&rnd, 20261121);
	for (round = 0; round < RANDOM_ROUNDS; round++) {
		unsigned int first = prandom_u32_state(&rnd) % RANDOM_PAGES;
		unsigned int count = 1 + prandom_u32_state(&rnd) % (RANDOM_PAGES - first);
		bool aligned = prandom_u32_state(&rnd) & 1;
		bool mapping = prandom_u32_state(&rnd) & 1;
		u64 va, dma = DMA_BASE + (u64)round * SZ_1G;
		struct faa_pt_update update;

		if (aligned)
			first = ALIGN_DOWN(first, 512);
		va = RANDOM_BASE + (u64)first * SZ_4K;
		KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, va,
							 (u64)count * SZ_4K,
							 mapping ? FAA_PT_MAP : FAA_PT_UNMAP), 0);
		faa_pt_unmap(&update, va, (u64)count * SZ_4K);
		if (mapping)
			faa_pt_map(&update, va, dma, (u64)count * SZ_4K, RW);
		faa_pt_update_fini(&update);

		/* Pages that were mapped are in the range to invalidate. */
		for (i = 0; i < count; i++) {
			if (!model[first + i])
				continue;
			KUNIT_ASSERT_LE(test, update.inv_first, va + (u64)i * SZ_4K);
			KUNIT_ASSERT_GE(test, update.inv_last, va + (u64)i * SZ_4K + SZ_4K - 1);
		}
		for (i = 0; i < count; i++)
			model[first + i] = mapping ? dma + (u64)i * SZ_4K : 0;
		for (i = 0; i < RANDOM_PAGES; i++) {
			struct walk found = walk(test, tables, RANDOM_BASE + (u64)i * SZ_4K);

			KUNIT_ASSERT_EQ_MSG(test, found.mapped ? found.dma : 0, model[i],
					    "page %u after round %u", i, round);
		}
	}
	unmap(test, tables, 0, FAA_PT_VA_END, true);
	KUNIT_EXPECT_EQ(test, tables->live, 1);
}

#define NULL_UNITS	2048

/* Checks a unit of 2 MiB of the next test: unmapped, sparse leaves, or memory. */
static void expect_unit(struct kunit *test, struct tables *tables, u64 va, u64 expected)
{
	struct walk found = walk(test, tables, va);

	KUNIT_ASSERT_EQ(test, found.mapped, expected != 0);
	if (!found.mapped)
		return;
	KUNIT_ASSERT_EQ(test, !!(found.prot & FAA_PTE_SPARSE_MASK),
			!!(expected & FAA_PTE_SPARSE_MASK));
	if (!(expected & FAA_PTE_SPARSE_MASK))
		KUNIT_ASSERT_EQ(test, found.dma, expected);
	else
		KUNIT_ASSERT_EQ(test, found.prot, expected);
}

/* Random memory mappings, null mappings and unmappings in 4 GiB, in units of 2 MiB. */
static void random_changes_of_nothing(struct kunit *test)
{
	static const u64 kinds[] = { FAA_PTE_SPARSE_MASK, FAA_PTE_SPARSE_MASK | RW };
	struct tables *tables = test->priv;
	struct rnd_state rnd;
	u64 *model = kunit_kcalloc(test, NULL_UNITS, sizeof(*model), GFP_KERNEL);
	unsigned int round, i;

	KUNIT_ASSERT_NOT_NULL(test, model);
	prandom_seed_state(&rnd, 20261123);
	for (round = 0; round < RANDOM_ROUNDS; round++) {
		unsigned int first = prandom_u32_state(&rnd) % NULL_UNITS;
		unsigned int count = 1 + prandom_u32_state(&rnd) % (NULL_UNITS - first);
		unsigned int kind = prandom_u32_state(&rnd) % 4;
		u64 va = (u64)first * SZ_2M, size = (u64)count * SZ_2M;
		u64 dma = DMA_BASE + round * 2 * NULL_SIZE / 1024;
		struct faa_pt_update update;
		enum faa_pt_change change;

		change = kind < 2 ? FAA_PT_MAP_HUGE : kind == 2 ? FAA_PT_MAP : FAA_PT_UNMAP;
		KUNIT_ASSERT_EQ(test, faa_pt_update_init(&update, &tables->pt, va, size, change),
				0);
		faa_pt_unmap(&update, va, size);
		if (kind < 2)
			faa_pt_map(&update, va, 0, size, kinds[kind]);
		else if (kind == 2)
			faa_pt_map(&update, va, dma, size, RW);
		faa_pt_update_fini(&update);

		for (i = 0; i < count; i++) {
			if (model[first + i]) {
				KUNIT_ASSERT_LE(test, update.inv_first, va + (u64)i * SZ_2M);
				KUNIT_ASSERT_GE(test, update.inv_last,
						va + (u64)i * SZ_2M + SZ_2M - 1);
			}
			model[first + i] = kind < 2 ? kinds[kind] :
					   kind == 2 ? dma + (u64)i * SZ_2M : 0;
		}
		for (i = 0; i < NULL_UNITS; i++)
			expect_unit(test, tables, (u64)i * SZ_2M, model[i]);
	}
	unmap(test, tables, 0, FAA_PT_VA_END, true);
	/* The root and the two shared tables. */
	KUNIT_EXPECT_EQ(test, tables->live, 3);
}

static struct kunit_case faa_pt_cases[] = {
	KUNIT_CASE(small_pages),
	KUNIT_CASE(protection_bits),
	KUNIT_CASE(huge_pages_where_both_addresses_allow),
	KUNIT_CASE(no_huge_page_for_shifted_memory),
	KUNIT_CASE(unmap_frees_tables),
	KUNIT_CASE(unmap_of_nothing),
	KUNIT_CASE(unmap_splits_a_huge_page),
	KUNIT_CASE(split_invalidates_the_whole_huge_page),
	KUNIT_CASE(a_huge_page_again_after_small_ones),
	KUNIT_CASE(sparse_leaves),
	KUNIT_CASE(huge_leaves_need_few_tables),
	KUNIT_CASE(nothing_costs_next_to_nothing),
	KUNIT_CASE(entries_of_an_address),
	KUNIT_CASE(sizes_of_leaves),
	KUNIT_CASE(a_freed_tree_has_nothing_mapped),
	KUNIT_CASE(unmap_ahead_splits_nothing),
	KUNIT_CASE(unmap_ahead_goes_on_where_it_was),
	KUNIT_CASE(unmap_ahead_ends_a_piece_of_large_leaves),
	KUNIT_CASE(pieces_have_their_tables),
	KUNIT_CASE(ends_of_the_address_space),
	KUNIT_CASE(out_of_memory),
	KUNIT_CASE_SLOW(random_changes),
	KUNIT_CASE_SLOW(random_changes_of_nothing),
	{}
};

static struct kunit_suite faa_pt_suite = {
	.name = "faa_pt",
	.init = pt_test_init,
	.exit = pt_test_exit,
	.test_cases = faa_pt_cases,
};

kunit_test_suite(faa_pt_suite);
