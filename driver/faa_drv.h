/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_DRV_H__
#define __FAA_DRV_H__

#include <linux/types.h>

struct drm_driver;

extern const struct drm_driver faa_drm_driver;

void faa_drv_job_times(u32 *timeout_ms, u32 *limit_ms);
u32 faa_drv_fault_memory(void);

#endif
