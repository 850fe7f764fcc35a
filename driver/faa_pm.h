/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_PM_H__
#define __FAA_PM_H__

#include <linux/pci.h>
#include <linux/pm.h>

struct faa_device;

extern const struct dev_pm_ops faa_pm_ops;
extern const struct pci_error_handlers faa_pm_error_handlers;

void faa_pm_begin(struct faa_device *faa);
void faa_pm_end(struct faa_device *faa);
void faa_pm_get(struct faa_device *faa);
void faa_pm_put(struct faa_device *faa);
void faa_pm_wake(struct faa_device *faa);
bool faa_pm_is_asleep(struct faa_device *faa);

#endif
