/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_DMA_H__
#define __FAA_DMA_H__

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct faa_device;
struct page;

/* In faa_dma_user.dma: the device only reads the page. */
#define FAA_DMA_TO_DEVICE	BIT_ULL(2)

/**
 * struct faa_dma_pages - the DMA mappings of processes' pages, of a device
 */
struct faa_dma_pages {
	/** @lock: protects the table and the lists of users. */
	spinlock_t lock;
	/** @buckets: for each mapping one of its users, &faa_dma_user.hash, by page. */
	struct hlist_head *buckets;
	/** @bits: log2 of the number of buckets. */
	unsigned int bits;
};

/**
 * struct faa_dma_user - one user of a DMA mapping of a page
 */
struct faa_dma_user {
	/** @page: the page; NULL = none. No reference. */
	struct page *page;
	/** @dma: DMA address; bit 2 is FAA_DMA_TO_DEVICE, other low bits are the owner's. */
	u64 dma;
	/** @hash: entry of a bucket, for one of the users. */
	struct hlist_node hash;
	/** @others: list of all users of the mapping, without a head. */
	struct list_head others;
};

int faa_dma_init(struct faa_device *faa);
int faa_dma_map(struct faa_device *faa, struct faa_dma_user *user, struct page *page,
		bool write);
void faa_dma_unmap(struct faa_device *faa, struct faa_dma_user *user);

#endif
