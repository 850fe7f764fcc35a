// SPDX-License-Identifier: MIT
/* Command info: describes modules. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "spirv_tool.h"
#include "tool.h"

static const char *const info_kind_names[] = {
	[FAA_SPIRV_STORAGE_BUFFER] = "storage buffer",
	[FAA_SPIRV_UNIFORM_BUFFER] = "uniform buffer",
	[FAA_SPIRV_STORAGE_IMAGE] = "storage image",
	[FAA_SPIRV_TEXEL_BUFFER] = "texel buffer",
	[FAA_SPIRV_OTHER_BINDING] = "other",
};

static const char *const info_environment_names[] = {
	[FAA_SPIRV_GUESS] = "none",
	[FAA_SPIRV_UNIVERSAL] = "universal",
	[FAA_SPIRV_VULKAN] = "vulkan",
	[FAA_SPIRV_OPENCL] = "opencl",
};

static void info_print_binding(const struct faa_spirv_binding *binding)
{
	printf("  set %u, binding %u: %s", binding->set, binding->binding,
	       info_kind_names[binding->kind]);
	if (*binding->name)
		printf(" %s", binding->name);
	if (binding->count != 1)
		printf(", %" PRIu64 " descriptors", binding->count);
	if (binding->kind == FAA_SPIRV_STORAGE_BUFFER || binding->kind == FAA_SPIRV_UNIFORM_BUFFER)
		printf(", %" PRIu64 " bytes", binding->size);
	if (binding->stride)
		printf(" and any number of %" PRIu64, binding->stride);
	if (binding->kind == FAA_SPIRV_STORAGE_IMAGE || binding->kind == FAA_SPIRV_TEXEL_BUFFER)
		printf(", dimension %u%s, format %u", binding->dim,
		       binding->arrayed ? " with layers" : "", binding->format);
	printf("%s\n", binding->readonly ? ", read only" : "");
}

static void info_print(const char *path, const struct faa_spirv_info *info)
{
	size_t i;

	printf("%s: SPIR-V %u.%u, environment %s\n", path, info->version >> 16,
	       info->version >> 8 & 0xff, info_environment_names[info->environment]);
	for (i = 0; i < info->entry_point_count; i++) {
		const struct faa_spirv_entry_point *entry = &info->entry_points[i];

		printf("  entry point %s: execution model %u, workgroup %u x %u x %u\n",
		       entry->name, entry->model, entry->local_size[0], entry->local_size[1],
		       entry->local_size[2]);
	}
	for (i = 0; i < info->binding_count; i++)
		info_print_binding(&info->bindings[i]);
	if (info->push_constant_size)
		printf("  push constants: %" PRIu64 " bytes\n", info->push_constant_size);
	if (info->shared_size)
		printf("  shared memory: %" PRIu64 " bytes\n", info->shared_size);
}

/* The same as an object in a line. */
static void info_print_json(const char *path, const struct faa_spirv_info *info)
{
	size_t i;

	printf("{\"file\": ");
	tool_print_json_string(path);
	printf(", \"version\": \"%u.%u\", \"environment\": \"%s\", \"entry_points\": [",
	       info->version >> 16, info->version >> 8 & 0xff,
	       info_environment_names[info->environment]);
	for (i = 0; i < info->entry_point_count; i++) {
		const struct faa_spirv_entry_point *entry = &info->entry_points[i];

		printf("%s{\"name\": ", i ? ", " : "");
		tool_print_json_string(entry->name);
		printf(", \"model\": %u, \"local_size\": [%u, %u, %u]}", entry->model,
		       entry->local_size[0], entry->local_size[1], entry->local_size[2]);
	}
	printf("], \"bindings\": [");
	for (i = 0; i < info->binding_count; i++) {
		const struct faa_spirv_binding *binding = &info->bindings[i];

		printf("%s{\"set\": %u, \"binding\": %u, \"kind\": \"%s\", \"name\": ",
		       i ? ", " : "", binding->set, binding->binding,
		       info_kind_names[binding->kind]);
		tool_print_json_string(binding->name);
		printf(", \"count\": %" PRIu64 ", \"size\": %" PRIu64 ", \"stride\": %" PRIu64
		       ", \"dim\": %u, \"arrayed\": %s, \"format\": %u, \"readonly\": %s}",
		       binding->count, binding->size, binding->stride, binding->dim,
		       binding->arrayed ? "true" : "false", binding->format,
		       binding->readonly ? "true" : "false");
	}
	printf("], \"push_constant_size\": %" PRIu64 ", \"shared_size\": %" PRIu64 "}\n",
	       info->push_constant_size, info->shared_size);
}

static int info_describe(const struct spirv_settings *settings, const struct spirv_file *file)
{
	struct faa_spirv_options options = { .environment = settings->environment };
	struct faa_spirv_message message;
	struct faa_spirv_module *module;
	int ret = faa_spirv_load(file->bytes, file->size, &options, &module, &message);

	if (ret == -EINVAL)
		spirv_print_message(settings->json ? stderr : stdout, file->path, &message);
	else if (ret)
		fprintf(stderr, "faa-spirv: %s: %s\n", file->path, strerror(-ret));
	else if (settings->json)
		info_print_json(file->path, faa_spirv_info(module));
	else
		info_print(file->path, faa_spirv_info(module));
	faa_spirv_destroy(module);
	return ret == -EINVAL ? 1 : ret ? 2 : 0;
}

int spirv_command_info(const struct spirv_settings *settings, char **paths, int count)
{
	int i, ret, worst = 0;

	for (i = 0; i < count; i++) {
		struct spirv_file file;

		ret = spirv_file_open(&file, paths[i]);
		if (!ret)
			ret = info_describe(settings, &file);
		spirv_file_close(&file);
		worst = ret > worst ? ret : worst;
	}
	return worst;
}
