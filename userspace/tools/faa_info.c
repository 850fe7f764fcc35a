// SPDX-License-Identifier: MIT
/* Shows properties of the first faa device and its driver. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xf86drm.h>

#include "drm/faa_drm.h"
#include "faa.h"
#include "faa_program.h"
#include "tool.h"
#include "faa_tables.h"

struct options {
	const char *engine;
	bool json;
};

/* A property of the device with its name in JSON and its unit. */
struct row {
	const char *name;
	const char *unit;
	unsigned long long value;
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *info_feature_name(unsigned int bit)
{
	return bit < COUNT(faa_feature_names) && faa_feature_names[bit] ? faa_feature_names[bit] :
									  NULL;
}

static void info_print_features(uint64_t features, bool json)
{
	const char *separator = "";
	unsigned int bit;

	printf(json ? ", \"features\": [" : "features              ");
	for (bit = 0; bit < 64; bit++) {
		if (!(features >> bit & 1))
			continue;
		printf("%s", separator);
		if (info_feature_name(bit))
			printf(json ? "\"%s\"" : "%s", info_feature_name(bit));
		else
			printf(json ? "\"bit %u\"" : "bit %u", bit);
		separator = json ? ", " : " ";
	}
	printf(json ? "]" : "\n");
}

static void info_print_page_sizes(uint64_t sizes, bool json)
{
	const char *separator = "";
	unsigned int bit;

	printf(json ? ", \"page_sizes\": [" : "page sizes            ");
	for (bit = 0; bit < 64; bit++) {
		if (!(sizes >> bit & 1))
			continue;
		printf(json ? "%s%llu" : "%s%llu bytes", separator, 1ull << bit);
		separator = ", ";
	}
	printf(json ? "]" : "\n");
}

/*
 * "ATOMS.ADD    U32 S32" as a line, or an object; "*" marks types with which scope SYS is one PCI
 * atomic operation.
 */
static void info_print_operation(const struct drm_faa_op_info *op, bool json)
{
	const struct faa_command_info *info = op->opcode < 256 ? &faa_commands[op->opcode] : NULL;
	const char *name = info && info->name ? info->name : "?";
	bool named = info && info->op_names && op->op < info->op_count;
	const char *op_name = named && info->op_names[op->op] ? info->op_names[op->op] : "";
	const char *separator = "";
	unsigned int type;
	char full[32];

	snprintf(full, sizeof(full), "%s%s%s", name, *op_name ? "." : "", op_name);
	if (json)
		printf("{\"command\": \"%s\", \"op\": \"%s\", \"types\": [", name, op_name);
	else
		printf("  %-20s", full);
	for (type = 0; type < COUNT(faa_type_names); type++) {
		if (!(op->types >> type & 1))
			continue;
		printf(json ? "%s\"%s\"" : "%s%s", separator, faa_type_names[type]);
		if (!json && op->pci_types >> type & 1)
			printf("*");
		separator = json ? ", " : " ";
	}
	separator = "";
	if (json)
		printf("], \"pci_types\": [");
	for (type = 0; json && type < COUNT(faa_type_names); type++) {
		if (!(op->pci_types >> type & 1))
			continue;
		printf("%s\"%s\"", separator, faa_type_names[type]);
		separator = ", ";
	}
	printf(json ? "]}" : "\n");
}

static int info_print_operations(struct faa_device *device, bool json)
{
	struct drm_faa_op_info *ops;
	size_t size = 0, i;
	int ret;

	ret = faa_device_query(device, DRM_FAA_DEV_QUERY_OPS, NULL, &size);
	if (ret)
		return ret;
	ops = calloc(1, size + 1);
	if (!ops)
		return -ENOMEM;
	ret = faa_device_query(device, DRM_FAA_DEV_QUERY_OPS, ops, &size);
	for (i = 0; !ret && i < size / sizeof(*ops); i++) {
		if (json && i)
			printf(", ");
		info_print_operation(&ops[i], json);
	}
	free(ops);
	return ret;
}

static void info_print_rows(const struct faa_device_info *info, bool json)
{
	const struct row rows[] = {
		{ "queues", "hardware queues", info->num_queues },
		{ "compute_units", "compute units", info->num_cus },
		{ "warp_slots", "warp slots of a unit", info->warp_slots },
		{ "lanes", "lanes of a warp", info->lanes },
		{ "shared_max", "bytes of shared memory of a queue at most", info->shared_max },
		{ "shared_granule", "bytes, of which it is a multiple", info->shared_granule },
		{ "axi_width", "bits of the memory port", info->axi_width },
		{ "host_atomics",
		  "1: scope SYS reaches memory as PCI atomic operations (*), 0: nothing is atomic against processors",
		  info->host_atomics },
		{ "va_bits", "bits of a virtual address", info->va_bits },
		{ "job_timeout_ms", "ms without progress until a job is killed",
		  info->job_timeout_ms },
		{ "job_limit_ms", "ms until a job is killed in any case", info->job_limit_ms },
		{ "max_vms", "address spaces of a program", info->max_vms },
		{ "max_queues", "queues of a program", info->max_queues },
		{ "max_jobs", "jobs of one submission", info->max_jobs },
		{ "max_syncs", "sync operations of one job", info->max_syncs },
		{ "max_status_entries", "unfinished jobs of a queue at most",
		  info->max_status_entries },
	};
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		if (json)
			printf(", \"%s\": %llu", rows[i].name, rows[i].value);
		else
			printf("%-20s  %llu %s\n", rows[i].name, rows[i].value, rows[i].unit);
	}
}

/* Path of the node, and driver name and version. */
static void info_print_names(struct faa_device *device, bool json)
{
	char *node = drmGetDeviceNameFromFd2(faa_device_fd(device));
	drmVersionPtr version = drmGetVersion(faa_device_fd(device));
	const struct faa_device_info *info = faa_device_info(device);
	const char *format =
		json ? "{\"node\": \"%s\", \"driver\": \"%s %d.%d.%d\", \"interface\": \"%u.%u\"" :
		       "node                  %s\ndriver                %s %d.%d.%d\n"
		       "command stream        version %u.%u\n";

	printf(format, node ? node : "?", version ? version->name : "?",
	       version ? version->version_major : 0, version ? version->version_minor : 0,
	       version ? version->version_patchlevel : 0, info->version_major, info->version_minor);
	drmFreeVersion(version);
	free(node);
}

static int info_print_all(struct faa_device *device, bool json)
{
	const struct faa_device_info *info = faa_device_info(device);
	int ret;

	info_print_names(device, json);
	info_print_rows(info, json);
	info_print_page_sizes(info->page_sizes, json);
	info_print_features(info->features, json);
	printf(json ? ", \"operations\": [" : "operations and their types\n");
	ret = info_print_operations(device, json);
	printf(json ? "]}\n" : "");
	return ret;
}

const char *argp_program_version = "faa-info " FAA_VERSION_TEXT;

static error_t info_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument is needed, but '%s' was given", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option info_argp_options[] = {
	{ "json", 'j', NULL, 0, "Print one JSON object", 0 },
	{ 0 },
};

static const struct argp info_argp = {
	.options = info_argp_options,
	.parser = info_parse,
	.children = faa_program_children,
	.doc = "Show the properties of the first faa device.",
};

int main(int argc, char **argv)
{
	struct faa_program program = { argc, argv, NULL };
	struct options options = { 0 };
	struct faa_device *device;
	int ret;

	tool_parse(&info_argp, argc, argv, &options);
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	ret = info_print_all(device, options.json);
	if (ret)
		fprintf(stderr, "faa-info: %s\n", faa_last_error());
	faa_device_unref(device);
	return ret ? 1 : 0;
}
