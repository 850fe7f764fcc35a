/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_PT_H__
#define __FAA_PT_H__

#include <linux/align.h>
#include <linux/bits.h>
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include <linux/types.h>

#include "faa_isa.h"

#define FAA_PT_LEVELS		4
#define FAA_PT_ENTRIES		512
#define FAA_PT_TABLE_BYTES	(FAA_PT_ENTRIES * sizeof(__le64))
#define FAA_PT_PAGE		SZ_4K
#define FAA_PT_HUGE_PAGE	SZ_2M
/* Range of a table of level 1. */
#define FAA_PT_NULL_BYTES	SZ_1G
/* Largest range that is mapped or dropped with the lock held. A power of two. */
#define FAA_PT_PIECE		SZ_32M
/* Sparse leaves differ in being writable and atomic. */
#define FAA_PT_NULL_KINDS	4
#define FAA_PT_GFP		(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)
#define FAA_PT_VA_END		BIT_ULL(FAA_VA_BITS)

/**
 * struct faa_pt_table - one table of a page table tree
 */
struct faa_pt_table {
	/** @node: entry of &faa_pt_update.spare or &faa_pt_update.retired. */
	struct list_head node;
	/** @tracked: for &faa_pt_ops: where it keeps the tables that have memory. */
	struct list_head tracked;
	/** @entries: what the device reads. */
	__le64 *entries;
	/** @dma: DMA address of @entries. */
	dma_addr_t dma;
	/** @child: tables that entries point to; NULL at level 0. */
	struct faa_pt_table **child;
	/** @level: 3 for the root, 0 for a table of 4 KiB leaves. */
	unsigned int level;
	/** @used: valid entries. */
	unsigned int used;
	/** @shared: one of &faa_pt.null, which any number of entries point to. */
	bool shared;
};

/**
 * struct faa_pt_ops - where tables come from
 */
struct faa_pt_ops {
	/** @alloc: fill entries (zeroed) and dma of a table; 0 or -ENOMEM. */
	int (*alloc)(void *ctx, struct faa_pt_table *table);
	/** @free: undo @alloc. */
	void (*free)(void *ctx, struct faa_pt_table *table);
};

/**
 * struct faa_pt - a page table tree
 *
 * Not locked here: one update at a time.
 */
struct faa_pt {
	/** @ops: where tables come from. */
	const struct faa_pt_ops *ops;
	/** @ctx: for @ops. */
	void *ctx;
	/** @root: level 3 table. */
	struct faa_pt_table *root;
	/**
	 * @null: by protection, a table of level 1 with nothing but sparse leaves; made when
	 * it is needed first, never changed and not freed before the tree.
	 */
	struct faa_pt_table *null[FAA_PT_NULL_KINDS];
};

/**
 * struct faa_pt_update - one change of a page table tree
 *
 * Holds the tables that the change may need, so that it cannot fail half way,
 * and those that it made superfluous, which the device may still read until the
 * range has been invalidated.
 */
struct faa_pt_update {
	/** @pt: the tree. */
	struct faa_pt *pt;
	/** @spare: per level, tables allocated and not used. */
	struct list_head spare[FAA_PT_LEVELS - 1];
	/** @retired: tables to free once the range is invalidated. */
	struct list_head retired;
	/** @inv_first: first byte to invalidate. */
	u64 inv_first;
	/** @inv_last: last byte to invalidate, below @inv_first if none is. */
	u64 inv_last;
};

/**
 * enum faa_pt_change - what an update is for
 */
enum faa_pt_change {
	/** @FAA_PT_UNMAP: the range is unmapped only. */
	FAA_PT_UNMAP,
	/** @FAA_PT_MAP: it is unmapped, then mapped with leaves of any size. */
	FAA_PT_MAP,
	/** @FAA_PT_MAP_HUGE: the same, with 2 MiB leaves wherever they fit in the range. */
	FAA_PT_MAP_HUGE,
	/**
	 * @FAA_PT_MAP_PIECES: FAA_PT_MAP, piece by piece (faa_pt_piece_end()). Other updates
	 * may unmap pieces in between.
	 */
	FAA_PT_MAP_PIECES,
};

int faa_pt_init(struct faa_pt *pt, const struct faa_pt_ops *ops, void *ctx);
void faa_pt_fini(struct faa_pt *pt);

void faa_pt_update_begin(struct faa_pt_update *update, struct faa_pt *pt);
int faa_pt_update_init(struct faa_pt_update *update, struct faa_pt *pt,
		       u64 va, u64 size, enum faa_pt_change change);
void faa_pt_update_fini(struct faa_pt_update *update);

void faa_pt_map(struct faa_pt_update *update, u64 va, u64 dma, u64 size, u64 prot);
void faa_pt_unmap(struct faa_pt_update *update, u64 va, u64 size);
u64 faa_pt_unmap_ahead(struct faa_pt_update *update, u64 va, u64 end);
unsigned int faa_pt_index(u64 va, unsigned int level);
unsigned int faa_pt_walk(const struct faa_pt *pt, u64 va, u64 *entries);
u64 faa_pt_leaf_bytes(const struct faa_pt *pt, u64 va);

/**
 * faa_pt_piece_end() - where does the piece end that an address is in?
 * @va: virtual address
 * @end: end of the range
 *
 * A piece is what is done to a range at a time, between which others get the lock. Pieces
 * begin at multiples of their size, so that two have no table of level 0 in common.
 *
 * Return: its end, at most @end.
 */
static inline u64 faa_pt_piece_end(u64 va, u64 end)
{
	return min(end, ALIGN_DOWN(va, (u64)FAA_PT_PIECE) + FAA_PT_PIECE);
}

/**
 * faa_pt_update_needs_inv() - has the update removed anything valid?
 * @update: the update
 *
 * Return: true if [inv_first, inv_last] must be invalidated before anything that
 * was mapped there is freed.
 */
static inline bool faa_pt_update_needs_inv(const struct faa_pt_update *update)
{
	return update->inv_first <= update->inv_last;
}

#endif
