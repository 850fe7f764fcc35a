// SPDX-License-Identifier: MIT
/*
 * Fuzz target: any bytes as a SPIR-V module, under the rules of each environment, with a
 * specialization.
 */
#include <stdlib.h>
#include <string.h>

#include "faa_spirv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads the strings of a message. */
static void take(const struct faa_spirv_message *message, void *user)
{
	size_t *length = user;

	*length += strlen(message->text) + (message->name ? strlen(message->name) : 0);
}

static size_t touch(const struct faa_spirv_info *info)
{
	size_t i, sum = 0;

	for (i = 0; i < info->entry_point_count; i++)
		sum += strlen(info->entry_points[i].name) + info->entry_points[i].local_size[0];
	for (i = 0; i < info->binding_count; i++)
		sum += strlen(info->bindings[i].name) + info->bindings[i].size;
	for (i = 0; i < info->capability_count; i++)
		sum += info->capabilities[i];
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct faa_spirv_specialization values[] = { { 0, 3 },
								  { 1, 1 },
								  { 2, UINT64_MAX } };
	static volatile size_t sink __attribute__((unused));
	enum faa_spirv_environment environment;

	for (environment = FAA_SPIRV_GUESS; environment <= FAA_SPIRV_OPENCL; environment++) {
		size_t length = 0;
		struct faa_spirv_options options = {
			.environment = environment,
			.specializations = values,
			.specialization_count = environment == FAA_SPIRV_VULKAN ? 3 : 0,
			.report = take,
			.user = &length,
		};
		struct faa_spirv_message message;
		struct faa_spirv_module *module;
		int ret = faa_spirv_load(data, size, &options, &module, &message);

		if (!ret != !!module || (ret && !message.text[0]))
			abort();
		if (module)
			sink = touch(faa_spirv_info(module));
		faa_spirv_destroy(module);
		sink = length;
	}
	return 0;
}
