// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: DMA mappings of processes' pages
 *
 * A page of a process may be mapped any number of times: in several VMs, at several addresses,
 * by several processes that share it. It has one DMA mapping for each direction all the same,
 * which its users share. So a client cannot use up the addresses of an IOMMU with one page, nor
 * have more mappings of a page than the DMA API can tell apart.
 *
 * A user is part of the record that a mapping in a VM has of the page, so nothing is allocated
 * here: it is called by notifiers.
 */

#include <linux/dma-mapping.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include <drm/drm_managed.h>

#include "faa_device.h"
#include "faa_dma.h"
#include "faa_fault.h"

/* Pages of memory for each bucket, and the most buckets. */
#define FAA_DMA_PAGES_PER_BUCKET	16
#define FAA_DMA_MAX_BITS		20

static void dma_fini(struct drm_device *drm, void *buckets)
{
	kvfree(buckets);
}

/**
 * faa_dma_init() - get ready for pages of processes
 * @faa: the device
 *
 * Return: 0 or -ENOMEM.
 */
int faa_dma_init(struct faa_device *faa)
{
	unsigned long buckets = totalram_pages() / FAA_DMA_PAGES_PER_BUCKET;

	spin_lock_init(&faa->dma.lock);
	faa->dma.bits = clamp(ilog2(buckets | 1), 4, FAA_DMA_MAX_BITS);
	faa->dma.buckets = kvcalloc(BIT(faa->dma.bits), sizeof(*faa->dma.buckets), GFP_KERNEL);
	if (!faa->dma.buckets)
		return -ENOMEM;

	return drmm_add_action_or_reset(&faa->drm, dma_fini, faa->dma.buckets);
}

static struct hlist_head *dma_bucket(struct faa_device *faa, const struct page *page)
{
	return &faa->dma.buckets[hash_long(page_to_pfn(page), faa->dma.bits)];
}

/* A user of the mapping of a page in one direction, NULL if it has none. */
static struct faa_dma_user *dma_find(struct faa_device *faa, const struct page *page, u64 bits)
{
	struct faa_dma_user *user;

	hlist_for_each_entry(user, dma_bucket(faa, page), hash) {
		if (user->page == page && (user->dma & FAA_DMA_TO_DEVICE) == bits)
			return user;
	}

	return NULL;
}

static enum dma_data_direction dma_direction(u64 bits)
{
	return bits & FAA_DMA_TO_DEVICE ? DMA_TO_DEVICE : DMA_BIDIRECTIONAL;
}

/**
 * faa_dma_map() - get the DMA address of a page
 * @faa: the device, inside drm_dev_enter()
 * @user: who uses it; its page and dma are set
 * @page: the page, which stays until faa_dma_unmap()
 * @write: the device may write it
 *
 * Does not sleep.
 *
 * Return: 0 or -ENOMEM.
 */
int faa_dma_map(struct faa_device *faa, struct faa_dma_user *user, struct page *page,
		bool write)
{
	u64 bits = write ? 0 : FAA_DMA_TO_DEVICE;
	struct device *dev = faa->drm.dev;
	struct faa_dma_user *other;
	dma_addr_t dma;
	int ret = 0;

	spin_lock(&faa->dma.lock);
	other = dma_find(faa, page, bits);
	if (other) {
		dma = ALIGN_DOWN(other->dma, PAGE_SIZE);
		INIT_HLIST_NODE(&user->hash);
		list_add(&user->others, &other->others);
	} else {
		if (faa_fault(FAA_FAULT_DMA_MAP)) {
			ret = -ENOMEM;
			goto out_unlock;
		}
		dma = dma_map_page_attrs(dev, page, 0, PAGE_SIZE, dma_direction(bits),
					 DMA_ATTR_SKIP_CPU_SYNC);
		if (dma_mapping_error(dev, dma)) {
			ret = -ENOMEM;
			goto out_unlock;
		}
		hlist_add_head(&user->hash, dma_bucket(faa, page));
		INIT_LIST_HEAD(&user->others);
	}
	user->page = page;
	user->dma = dma | bits;
out_unlock:
	spin_unlock(&faa->dma.lock);

	return ret;
}

/**
 * faa_dma_unmap() - give the DMA address of a page back
 * @faa: the device, which does not access the page by way of @user any more
 * @user: who used it; has no page then
 *
 * Does not sleep.
 */
void faa_dma_unmap(struct faa_device *faa, struct faa_dma_user *user)
{
	struct faa_dma_user *other;

	spin_lock(&faa->dma.lock);
	if (list_empty(&user->others)) {
		hlist_del(&user->hash);
		dma_unmap_page_attrs(faa->drm.dev, ALIGN_DOWN(user->dma, PAGE_SIZE), PAGE_SIZE,
				     dma_direction(user->dma), DMA_ATTR_SKIP_CPU_SYNC);
	} else {
		other = list_first_entry(&user->others, struct faa_dma_user, others);
		list_del(&user->others);
		if (!hlist_unhashed(&user->hash)) {
			hlist_add_head(&other->hash, dma_bucket(faa, user->page));
			hlist_del(&user->hash);
		}
	}
	user->page = NULL;
	user->dma = 0;
	spin_unlock(&faa->dma.lock);
}
