/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_QUERY_H__
#define __FAA_QUERY_H__

#include <linux/types.h>

struct drm_faa_dev_query;
struct faa_device;

bool faa_query_priority_allowed(u32 priority);
int faa_query(struct faa_device *faa, struct drm_faa_dev_query *args);

#endif
