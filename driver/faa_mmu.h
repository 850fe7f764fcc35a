/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_MMU_H__
#define __FAA_MMU_H__

#include <linux/types.h>

#include "faa_pt.h"

struct faa_device;

extern const struct faa_pt_ops faa_mmu_pt_ops;

void faa_mmu_unplug(struct faa_device *faa);
int faa_mmu_invalidate(struct faa_device *faa, u32 vmid, u64 first, u64 last);

#endif
