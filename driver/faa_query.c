// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <linux/capability.h>
#include <linux/ktime.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>

#include "faa_counters.h"
#include "faa_device.h"
#include "faa_pt.h"
#include "faa_query.h"
#include "faa_refuse.h"
#include "faa_uobj.h"

#define OP_INFO(code, operation, mask) \
	{ .opcode = (code), .op = (operation), .types = (mask) },

/* Operations of a device with every feature. */
static const struct drm_faa_op_info query_op_infos[] = { FAA_LEGAL_TYPES(OP_INFO) };

static const struct drm_faa_region_info query_region_infos[] = {
	{ .region = DRM_FAA_REGION_HOST },
};

/**
 * faa_query_priority_allowed() - may the caller have queues of a priority?
 * @priority: &enum drm_faa_priority
 *
 * Being DRM master is no privilege here: on a card without displays the first process
 * that opens the primary node is master.
 *
 * Return: true if it may.
 */
bool faa_query_priority_allowed(u32 priority)
{
	return priority <= DRM_FAA_PRIORITY_NORMAL || capable(CAP_SYS_NICE);
}

static int query_answer(struct drm_faa_dev_query *args, const void *object, u32 size)
{
	u32 user_size = args->size;

	args->size = size;

	return args->pointer ? faa_uobj_set(args->pointer, user_size, object, size) : 0;
}

static bool query_op_offered(const struct faa_device *faa, const struct drm_faa_op_info *op)
{
	switch (op->opcode) {
	case FAA_OPCODE_ATOM:
		return faa->info.features & BIT_ULL(FAA_FEATURE_GLOBAL_ATOMICS);
	case FAA_OPCODE_SUATOM:
		return faa->info.features & BIT_ULL(FAA_FEATURE_SURFACE_ATOMICS);
	default:
		return true;
	}
}

/* Types with which an operation of scope SYS is one PCI atomic operation. */
static u32 query_pci_types(const struct faa_device *faa, const struct drm_faa_op_info *op)
{
	const u32 words = BIT(FAA_TYPE_U32) | BIT(FAA_TYPE_S32) | BIT(FAA_TYPE_U64) |
			  BIT(FAA_TYPE_S64) | BIT(FAA_TYPE_SD32);

	if (faa->host_atomics != DRM_FAA_HOST_ATOMICS_PCI)
		return 0;
	if (op->opcode != FAA_OPCODE_ATOM && op->opcode != FAA_OPCODE_SUATOM)
		return 0;

	switch (op->op) {
	case FAA_ATOM_OP_ADD:
	case FAA_ATOM_OP_SUB:
	case FAA_ATOM_OP_INCU:
	case FAA_ATOM_OP_DECU:
	case FAA_ATOM_OP_PREDEC:
	case FAA_ATOM_OP_EXCH:
	case FAA_ATOM_OP_CAS:
	case FAA_ATOM_OP_CAST:
		return op->types & words;
	default:
		return 0;
	}
}

static int query_ops(struct faa_device *faa, struct drm_faa_dev_query *args)
{
	struct drm_faa_op_info *ops;
	u32 i, count = 0;
	int ret;

	ops = kmalloc_array(ARRAY_SIZE(query_op_infos), sizeof(*ops), GFP_KERNEL);
	if (!ops)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(query_op_infos); i++) {
		if (!query_op_offered(faa, &query_op_infos[i]))
			continue;
		ops[count] = query_op_infos[i];
		ops[count].pci_types = query_pci_types(faa, &query_op_infos[i]);
		count++;
	}
	ret = query_answer(args, ops, count * sizeof(*ops));
	kfree(ops);

	return ret;
}

static int query_device(struct faa_device *faa, struct drm_faa_dev_query *args)
{
	const struct drm_faa_device_info info = {
		.version_major = faa->info.version_major,
		.version_minor = faa->info.version_minor,
		.num_queues = faa->info.num_queues,
		.num_cus = faa->info.num_cus,
		.warp_slots = faa->info.warp_slots,
		.lanes = faa->info.lanes,
		.shared_max = faa->info.shared_max,
		.shared_granule = FAA_SHARED_GRANULE,
		.axi_width = faa->info.axi_width,
		.va_bits = FAA_VA_BITS,
		.features = faa->info.features,
		.page_sizes = FAA_PT_PAGE | FAA_PT_HUGE_PAGE,
		.job_timeout_ms = faa->job_timeout_ms,
		.job_limit_ms = faa->job_limit_ms,
		.host_atomics = faa->host_atomics,
		.max_vms = DRM_FAA_MAX_VMS,
		.max_queues = DRM_FAA_MAX_QUEUES,
		.max_bind_ops = DRM_FAA_MAX_BIND_OPS,
		.max_jobs = DRM_FAA_MAX_JOBS,
		.max_syncs = DRM_FAA_MAX_SYNCS,
		.max_status_entries = DRM_FAA_MAX_STATUS_ENTRIES,
	};

	return query_answer(args, &info, sizeof(info));
}

static int query_timestamp(struct faa_device *faa, struct drm_faa_dev_query *args)
{
	struct drm_faa_timestamp stamp = {};
	int cookie;

	/* Not around the copy to user space, which may wait for a page. */
	if (!drm_dev_enter(&faa->drm, &cookie))
		return -ENODEV;
	faa_recover_enter(faa);
	stamp.cpu_ns = ktime_get_ns();
	stamp.device_cycles = faa_hw_cycles(faa);
	stamp.cpu_delta_ns = ktime_get_ns() - stamp.cpu_ns;
	faa_recover_exit(faa);
	drm_dev_exit(cookie);

	return query_answer(args, &stamp, sizeof(stamp));
}

static int query_priorities(struct drm_faa_dev_query *args)
{
	struct drm_faa_priorities priorities = {};
	u32 i;

	for (i = DRM_FAA_PRIORITY_LOW; i <= DRM_FAA_PRIORITY_REALTIME; i++) {
		if (faa_query_priority_allowed(i))
			priorities.allowed |= BIT(i);
	}

	return query_answer(args, &priorities, sizeof(priorities));
}

static int query_counters(struct faa_device *faa, struct drm_faa_dev_query *args)
{
	const u32 size = faa->info.num_cus * sizeof(struct drm_faa_cu_counters);
	struct drm_faa_cu_counters *counters;
	int cookie, ret;

	if (!perfmon_capable())
		return faa_refuse(&faa->drm, -EACCES, "DEV_QUERY: type %u needs CAP_PERFMON",
				  args->type);
	if (!args->pointer)
		return query_answer(args, NULL, size);
	counters = kcalloc(faa->info.num_cus, sizeof(*counters), GFP_KERNEL);
	if (!counters)
		return -ENOMEM;
	/* Not around the copy to user space, which may wait for a page. */
	if (!drm_dev_enter(&faa->drm, &cookie)) {
		kfree(counters);
		return -ENODEV;
	}
	faa_recover_enter(faa);
	faa_counters_take(faa, counters);
	faa_recover_exit(faa);
	drm_dev_exit(cookie);
	ret = query_answer(args, counters, size);
	kfree(counters);

	return ret;
}

/**
 * faa_query() - DEV_QUERY
 * @faa: the device
 * @args: arguments; out fields are filled
 *
 * Return: 0 or an error of DEV_QUERY.
 */
int faa_query(struct faa_device *faa, struct drm_faa_dev_query *args)
{
	switch (args->type) {
	case DRM_FAA_DEV_QUERY_DEVICE:
		return query_device(faa, args);
	case DRM_FAA_DEV_QUERY_OPS:
		return query_ops(faa, args);
	case DRM_FAA_DEV_QUERY_REGIONS:
		return query_answer(args, query_region_infos, sizeof(query_region_infos));
	case DRM_FAA_DEV_QUERY_TIMESTAMP:
		return query_timestamp(faa, args);
	case DRM_FAA_DEV_QUERY_PRIORITIES:
		return query_priorities(args);
	case DRM_FAA_DEV_QUERY_COUNTERS:
		return query_counters(faa, args);
	default:
		return faa_refuse(&faa->drm, -EINVAL, "DEV_QUERY: type %u, the largest is %u",
				  args->type, DRM_FAA_DEV_QUERY_COUNTERS);
	}
}
