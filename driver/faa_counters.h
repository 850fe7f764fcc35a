/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_COUNTERS_H__
#define __FAA_COUNTERS_H__

struct drm_faa_counters_open;
struct drm_faa_cu_counters;
struct faa_device;
struct faa_file;

int faa_counters_init(struct faa_device *faa);
void faa_counters_unplug(struct faa_device *faa);
void faa_counters_take(struct faa_device *faa, struct drm_faa_cu_counters *cus);
int faa_counters_open(struct faa_file *file, struct drm_faa_counters_open *args);
void faa_counters_close_file(struct faa_file *file);

#endif
