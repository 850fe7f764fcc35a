// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Statistics of a client
 *
 * fdinfo has the keys of the DRM usage statistics. There is one engine class, ``rmw``, whose
 * capacity is the number of compute units. Time and cycles count when a job ends.
 */

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "faa_device.h"
#include "faa_stats.h"

/**
 * faa_stats_show_fdinfo() - drm_driver.show_fdinfo
 * @p: where to print
 * @drm_file: the client
 */
void faa_stats_show_fdinfo(struct drm_printer *p, struct drm_file *drm_file)
{
	struct faa_file *file = drm_file->driver_priv;
	struct faa_device *faa = file->faa;
	int cookie;

	drm_printf(p, "drm-engine-capacity-rmw:\t%u\n", faa->info.num_cus);
	drm_printf(p, "drm-engine-rmw:\t%lld ns\n", atomic64_read(&file->stats.busy_ns));
	drm_printf(p, "drm-cycles-rmw:\t%lld\n", atomic64_read(&file->stats.cycles));
	if (drm_dev_enter(&faa->drm, &cookie)) {
		drm_printf(p, "drm-total-cycles-rmw:\t%llu\n", faa_hw_cycles(faa));
		drm_dev_exit(cookie);
	}
	drm_printf(p, "faa-jobs:\t%lld\n", atomic64_read(&file->stats.jobs));
	drm_printf(p, "faa-elements:\t%lld\n", atomic64_read(&file->stats.elements));

	drm_show_memory_stats(p, drm_file);
}
