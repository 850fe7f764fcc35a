// SPDX-License-Identifier: MIT
/* Reflection: fills struct faa_spirv_info. */
#include <errno.h>
#include <stdlib.h>

#include "context.h"

static int reflect_list_entries(struct faa_spirv_module *module)
{
	struct faa_spirv_entry_point *points =
		spirv_alloc(module, module->entry_count, sizeof(*points));
	uint32_t i, d;

	if (!points)
		return -ENOMEM;
	for (i = 0; i < module->entry_count; i++) {
		points[i].name = module->entries[i].name;
		points[i].model = module->entries[i].model;
		for (d = 0; d < 3; d++)
			points[i].local_size[d] = module->entries[i].local_size[d];
	}
	module->info.entry_points = points;
	module->info.entry_point_count = module->entry_count;
	return 0;
}

static enum faa_spirv_binding_kind reflect_kind_of(const struct spirv_variable *variable,
						   const struct spirv_type *type)
{
	if (variable->storage_class == SpvStorageClassStorageBuffer ||
	    (variable->storage_class == SpvStorageClassUniform && type->buffer_block))
		return FAA_SPIRV_STORAGE_BUFFER;
	if (variable->storage_class == SpvStorageClassUniform)
		return FAA_SPIRV_UNIFORM_BUFFER;
	if (type->op != SpvOpTypeImage || type->sampled != 2)
		return FAA_SPIRV_OTHER_BINDING;
	return type->dim == SpvDimBuffer ? FAA_SPIRV_TEXEL_BUFFER : FAA_SPIRV_STORAGE_IMAGE;
}

static const char *reflect_name_of(const struct faa_spirv_module *module, uint32_t variable,
				   uint32_t type)
{
	const char *name = module->ids[variable].name;

	if (!name || !*name)
		name = module->ids[type].name;
	return name ? name : "";
}

/* Bytes of an element of the runtime array at the end of @type; 0: there is none. */
static uint64_t reflect_runtime_stride(const struct faa_spirv_module *module,
				       const struct spirv_type *type)
{
	while (type->runtime && type->op == SpvOpTypeStruct)
		type = spirv_type(module, type->members[type->count - 1].type);
	return type->runtime ? type->stride : 0;
}

static void reflect_describe(const struct faa_spirv_module *module,
			     const struct spirv_variable *variable,
			     struct faa_spirv_binding *binding)
{
	const struct spirv_type *type = spirv_type(module, variable->type);

	binding->set = variable->set;
	binding->binding = variable->binding;
	binding->count = 1;
	/* An array of descriptors; the counts of nested arrays are multiplied. */
	while (type->op == SpvOpTypeArray || type->op == SpvOpTypeRuntimeArray) {
		if (__builtin_mul_overflow(binding->count, type->count, &binding->count))
			binding->count = UINT64_MAX;
		type = spirv_type(module, type->base);
	}
	binding->kind = reflect_kind_of(variable, type);
	binding->name = reflect_name_of(module, variable->id, type->id);
	if (binding->kind == FAA_SPIRV_STORAGE_BUFFER ||
	    binding->kind == FAA_SPIRV_UNIFORM_BUFFER) {
		binding->size = type->size;
		binding->stride = reflect_runtime_stride(module, type);
	}
	binding->dim = type->dim;
	binding->arrayed = type->arrayed;
	binding->format = type->format;
	binding->readonly = variable->nonwritable || binding->kind == FAA_SPIRV_UNIFORM_BUFFER;
}

static int reflect_compare(const void *a, const void *b)
{
	const struct faa_spirv_binding *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return (x->binding > y->binding) - (x->binding < y->binding);
}

static int reflect_list_bindings(struct faa_spirv_module *module)
{
	struct faa_spirv_binding *bindings =
		spirv_alloc(module, module->variable_count, sizeof(*bindings));
	uint32_t i, count = 0;

	if (!bindings)
		return -ENOMEM;
	for (i = 0; i < module->variable_count; i++) {
		const struct spirv_variable *variable = &module->variables[i];

		/* A binding without a set is in set 0, as in GLSL outside of Vulkan. */
		if (variable->binding == SPIRV_NONE)
			continue;
		reflect_describe(module, variable, &bindings[count]);
		if (bindings[count].set == SPIRV_NONE)
			bindings[count].set = 0;
		count++;
	}
	qsort(bindings, count, sizeof(*bindings), reflect_compare);
	module->info.bindings = bindings;
	module->info.binding_count = count;
	return 0;
}

static void reflect_add_sizes(struct faa_spirv_module *module)
{
	uint32_t i;

	for (i = 0; i < module->variable_count; i++) {
		const struct spirv_type *type = spirv_type(module, module->variables[i].type);
		uint64_t *size = &module->info.shared_size;

		if (module->variables[i].storage_class == SpvStorageClassPushConstant &&
		    type->size > module->info.push_constant_size)
			module->info.push_constant_size = type->size;
		if (module->variables[i].storage_class != SpvStorageClassWorkgroup)
			continue;
		*size = ((*size + type->align - 1) & ~((uint64_t)type->align - 1)) + type->size;
		*size = *size > SPIRV_SIZE_MAX ? SPIRV_SIZE_MAX : *size;
	}
}

int spirv_reflect(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	int ret;

	module->info.version = module->version;
	module->info.environment = module->environment;
	module->info.capabilities = module->capabilities;
	module->info.capability_count = module->capability_count;
	reflect_add_sizes(module);
	ret = reflect_list_entries(module);
	return ret ? ret : reflect_list_bindings(module);
}
