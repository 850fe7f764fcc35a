/* SPDX-License-Identifier: MIT */
/* The kernel's interface in a C90 program; the sizes are those of 64-bit kernels. */
#include <drm/faa_drm.h>

#define SIZE(type, bytes) typedef char size_of_##type[sizeof(struct type) == (bytes) ? 1 : -1]

SIZE(drm_faa_obj_array, 16);
SIZE(drm_faa_sync, 16);
SIZE(drm_faa_job, 40);
SIZE(drm_faa_submit, 32);
SIZE(drm_faa_vm_bind_op, 48);
SIZE(drm_faa_status, 64);
SIZE(drm_faa_counters_open, 24);
SIZE(drm_faa_counters_record, 56);

int main(void)
{
	return 0;
}
