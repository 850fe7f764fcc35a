/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_DEBUGFS_H__
#define __FAA_DEBUGFS_H__

struct drm_minor;

void faa_debugfs_init(struct drm_minor *minor);

#endif
