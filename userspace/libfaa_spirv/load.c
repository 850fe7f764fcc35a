// SPDX-License-Identifier: MIT
/* Loading: parsing, validation, reflection. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

struct spirv_chunk {
	struct spirv_chunk *next;
	/* Followed by the memory. */
	_Alignas(16) unsigned char bytes[];
};

void *spirv_alloc(struct faa_spirv_module *module, size_t count, size_t size)
{
	struct spirv_chunk *chunk;
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - sizeof(*chunk) - 16)
		return NULL;
	chunk = calloc(1, sizeof(*chunk) + bytes);
	if (!chunk)
		return NULL;
	chunk->next = module->arena;
	module->arena = chunk;
	return chunk->bytes;
}

static enum faa_spirv_environment load_guess(const struct faa_spirv_module *module)
{
	return spirv_has_capability(module, SpvCapabilityKernel) &&
			       !spirv_has_capability(module, SpvCapabilityShader) ?
		       FAA_SPIRV_OPENCL :
		       FAA_SPIRV_VULKAN;
}

static int load_parse(struct spirv_context *context, const void *data, size_t size)
{
	struct faa_spirv_module *module = context->module;
	int ret = spirv_read_words(context, data, size);

	ret = ret ? ret : spirv_reserve_constants(module);
	if (ret)
		return ret;
	context->forward = calloc(module->bound / 8 + 1, 1);
	if (!context->forward)
		return -ENOMEM;
	ret = spirv_parse(context);
	free(context->forward);
	return ret;
}

/* All rules are checked, so that one run reports all errors. */
static int load_check(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	int ret;

	module->environment = context->options->environment ? context->options->environment :
							      load_guess(module);
	spirv_check_capabilities(context);
	spirv_check_atomics(context);
	ret = spirv_check_scopes(context);
	ret = ret ? ret : spirv_check_typing(context);
	return ret ? ret : context->refusals ? -EINVAL : 0;
}

int faa_spirv_load_sized(const void *data, size_t size, const struct faa_spirv_options *options,
			 size_t options_size, struct faa_spirv_module **module,
			 struct faa_spirv_message *message)
{
	struct faa_spirv_options own = { 0 };
	struct spirv_context context = {
		.options = &own,
		.first = message,
		.function = SPIRV_NONE,
		.block = SPIRV_NONE,
	};
	struct faa_spirv_message local;
	int ret;

	*module = NULL;
	if (!message)
		context.first = message = &local;
	memset(message, 0, sizeof(*message));
	if (options) {
		ret = faa_struct_read(&own, sizeof(own), options, options_size,
				      "faa_spirv_options");
		if (ret)
			return ret;
	}
	context.module = calloc(1, sizeof(*context.module));
	if (!context.module)
		return faa_fail(-ENOMEM, "SPIR-V: out of memory");
	ret = load_parse(&context, data, size);
	ret = ret ? ret : load_check(&context);
	ret = ret ? ret : spirv_reflect(&context);
	spirv_report_rest(&context);
	if (!ret) {
		*module = context.module;
		return 0;
	}
	faa_spirv_destroy(context.module);
	if (!message->text[0])
		return faa_fail(ret, "SPIR-V: %s", strerror(-ret));
	return faa_fail(ret, "SPIR-V: word %u: %s", message->word, message->text);
}

void faa_spirv_destroy(struct faa_spirv_module *module)
{
	while (module && module->arena) {
		struct spirv_chunk *chunk = module->arena;

		module->arena = chunk->next;
		free(chunk);
	}
	free(module);
}

const struct faa_spirv_info *faa_spirv_info(const struct faa_spirv_module *module)
{
	return &module->info;
}
