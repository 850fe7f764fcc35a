/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_STATS_H__
#define __FAA_STATS_H__

struct drm_file;
struct drm_printer;

void faa_stats_show_fdinfo(struct drm_printer *p, struct drm_file *drm_file);

#endif
