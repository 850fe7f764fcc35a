// SPDX-License-Identifier: MIT
/* Kernels: entry points and their bound resources. */
#include "kernel.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "grammar.h"

static int kernel_say(struct faa_spirv_message *message, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int kernel_say(struct faa_spirv_message *message, int error, const char *format, ...)
{
	char text[sizeof(message->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (message) {
		memset(message, 0, sizeof(*message));
		memcpy(message->text, text, sizeof(text));
	}
	return faa_fail(error, "SPIR-V: %s", text);
}

static const char *kernel_model_name(const struct spirv_entry *entry)
{
	return spirv_enumerant(SPIRV_KIND_ExecutionModel, entry->model)->name;
}

/* Reports why kernel_find_entry() found none. */
static int kernel_say_entry(const struct faa_spirv_module *module, const char *name, uint32_t found,
			    struct faa_spirv_message *message)
{
	if (name && !found)
		return kernel_say(message, -ENOENT, "the module has no entry point '%s'", name);
	if (found)
		return kernel_say(
			message, -ENOENT,
			"the module has %u entry points of the execution model GLCompute%s%s%s",
			found, name ? " with the name '" : ": name one", name ? name : "",
			name ? "'" : "");
	if (!module->entry_count)
		return kernel_say(message, -ENOENT, "the module has no entry point");
	return kernel_say(
		message, -ENOENT,
		"an entry point of the execution model GLCompute is needed: '%s' of this module has %s",
		module->entries[0].name, kernel_model_name(&module->entries[0]));
}

/*
 * The only GLCompute entry point, named @name unless that is NULL; else one with this name and any
 * model.
 */
static const struct spirv_entry *kernel_find_entry(const struct faa_spirv_module *module,
						   const char *name,
						   struct faa_spirv_message *message)
{
	const struct spirv_entry *found = NULL, *other = NULL, *entry;
	uint32_t count = 0, i;

	for (i = 0; i < module->entry_count; i++) {
		entry = &module->entries[i];
		if (name && strcmp(entry->name, name))
			continue;
		if (entry->model != SpvExecutionModelGLCompute) {
			other = entry;
			continue;
		}
		found = entry;
		count++;
	}
	if (count == 1)
		return found;
	if (!count && name && other)
		return other;
	kernel_say_entry(module, name, count, message);
	return NULL;
}

static int kernel_create_headers(struct faa_spirv_kernel *kernel, struct faa_vm *vm)
{
	uint32_t header[FAA_HEADER_WORDS] = { 0 }, i;
	int ret;

	if (!kernel->program.images)
		return 0;
	ret = faa_header_pool_create(vm, kernel->program.images, &kernel->headers);
	faa_header_disable(header);
	for (i = 0; !ret && i < kernel->program.images; i++)
		ret = faa_header_pool_add(kernel->headers, header, &kernel->images[i].header);
	return ret;
}

static int kernel_create_parts(struct faa_spirv_kernel *kernel, struct faa_vm *vm)
{
	const struct spirv_program *program = &kernel->program;
	uint32_t i;

	/* One more, as calloc() of 0 bytes may return NULL. */
	kernel->images = calloc(program->images + 1, sizeof(*kernel->images));
	kernel->push = calloc(program->push_bytes + 1, 1);
	for (i = 0; i < program->resource_count; i++)
		kernel->buffer_count += program->resources[i].kind == RESOURCE_BUFFER ?
						program->resources[i].count :
						0;
	kernel->buffers = calloc(kernel->buffer_count + 1, sizeof(*kernel->buffers));
	if (!kernel->images || !kernel->push || !kernel->buffers)
		return -ENOMEM;
	return kernel_create_headers(kernel, vm);
}

int faa_spirv_kernel_create(struct faa_vm *vm, const struct faa_spirv_module *module,
			    const char *name, struct faa_spirv_kernel **out,
			    struct faa_spirv_message *message)
{
	const struct spirv_entry *entry = kernel_find_entry(module, name, message);
	struct faa_spirv_message nobody;
	struct faa_spirv_kernel *kernel;
	uint32_t max = faa_device_info(faa_vm_device(vm))->shared_max;
	int ret;

	*out = NULL;
	if (!entry)
		return -ENOENT;
	kernel = calloc(1, sizeof(*kernel));
	if (!kernel)
		return kernel_say(message, -ENOMEM, "out of memory");
	kernel->vm = faa_vm_ref(vm);
	if (!message)
		message = &nobody;
	message->text[0] = '\0';
	ret = spirv_compile(module, entry, &kernel->program, message);
	if (ret)
		faa_fail(ret, "SPIR-V: %s", message->text[0] ? message->text : strerror(-ret));
	else if (kernel->program.shared_bytes > max)
		ret = kernel_say(message, -EOPNOTSUPP,
				 "a workgroup needs more shared memory than the device has");
	else if (kernel_create_parts(kernel, vm))
		ret = kernel_say(message, -ENOMEM, "out of memory");
	if (ret)
		faa_spirv_kernel_destroy(kernel);
	else
		*out = kernel;
	return ret;
}

void faa_spirv_kernel_destroy(struct faa_spirv_kernel *kernel)
{
	if (!kernel)
		return;
	spirv_round_destroy(kernel->round);
	faa_header_pool_destroy(kernel->headers);
	spirv_program_free(&kernel->program);
	free(kernel->images);
	free(kernel->buffers);
	free(kernel->memory);
	free(kernel->push);
	faa_vm_unref(kernel->vm);
	free(kernel);
}

/*
 * Finds a resource of a kind; @place receives the index of its element in the table of this kind.
 */
static const struct spirv_resource *kernel_find_resource(const struct faa_spirv_kernel *kernel,
							 uint8_t kind, uint32_t set,
							 uint32_t binding, uint32_t element,
							 uint32_t *place)
{
	const struct spirv_resource *resource;
	uint32_t i;

	*place = 0;
	for (i = 0; i < kernel->program.resource_count; i++) {
		resource = &kernel->program.resources[i];
		if (resource->kind != kind)
			continue;
		if (resource->set == set && resource->binding == binding &&
		    element < resource->count) {
			*place += element;
			return resource;
		}
		*place += resource->count;
	}
	return NULL;
}

static int kernel_resolve(const struct faa_spirv_buffer *buffer, struct spirv_region *region)
{
	uint64_t size = faa_bo_size(buffer->bo), bytes = buffer->bytes;
	void *memory;
	int ret;

	if (!buffer->va)
		return faa_fail(-EINVAL, "SPIR-V: the buffer has no address");
	if (buffer->offset > size || bytes > size - buffer->offset)
		return faa_fail(-EINVAL,
				"SPIR-V: %llu bytes from byte %llu on of a BO of %llu bytes",
				(unsigned long long)bytes, (unsigned long long)buffer->offset,
				(unsigned long long)size);
	if (!bytes)
		bytes = size - buffer->offset;
	ret = faa_bo_map(buffer->bo, &memory);
	if (!ret)
		*region = (struct spirv_region){ buffer->va, bytes,
						 (uint8_t *)memory + buffer->offset };
	return ret;
}

static int kernel_no_variable(const char *kind, uint32_t set, uint32_t binding, uint32_t element)
{
	return faa_fail(-ENOENT, "SPIR-V: the kernel uses no %s at set %u, binding %u, element %u",
			kind, set, binding, element);
}

int faa_spirv_bind_buffer(struct faa_spirv_kernel *kernel, uint32_t set, uint32_t binding,
			  uint32_t element, const struct faa_spirv_buffer *buffer)
{
	const struct spirv_resource *resource;
	struct spirv_region region;
	bool found = false;
	uint32_t place, i;
	int ret;

	/* Several variables may have one binding. */
	for (i = 0, place = 0; i < kernel->program.resource_count;
	     place += resource->kind == RESOURCE_BUFFER ? resource->count : 0, i++) {
		resource = &kernel->program.resources[i];
		if (resource->kind != RESOURCE_BUFFER || resource->set != set ||
		    resource->binding != binding || element >= resource->count)
			continue;
		ret = kernel_resolve(buffer, &region);
		if (!ret && region.bytes < resource->min_bytes)
			ret = faa_fail(-EINVAL,
				       "SPIR-V: set %u, binding %u: %llu bytes: at least %llu", set,
				       binding, (unsigned long long)region.bytes,
				       (unsigned long long)resource->min_bytes);
		if (ret)
			return ret;
		kernel->buffers[place + element] = region;
		found = true;
	}
	return found ? 0 : kernel_no_variable("buffer", set, binding, element);
}

int faa_spirv_bind_surface(struct faa_spirv_kernel *kernel, uint32_t set, uint32_t binding,
			   uint32_t element, struct faa_surface *surface)
{
	const struct faa_surface_layout *layout = faa_surface_info(surface);
	struct faa_surface_view view = faa_surface_view(layout);
	const struct spirv_resource *resource;
	uint32_t header[FAA_HEADER_WORDS], place;
	struct spirv_image *image;
	const char *why;
	void *memory;
	int ret;

	resource = kernel_find_resource(kernel, RESOURCE_IMAGE, set, binding, element, &place);
	if (!resource)
		return kernel_no_variable("image", set, binding, element);
	if (layout->dim != resource->dim ||
	    layout->texel_bytes != resource->components * resource->width / 8u)
		return faa_fail(-EINVAL,
				"SPIR-V: set %u, binding %u: a surface of another dimension, or "
				"with other texels",
				set, binding);
	ret = faa_bo_map(faa_surface_bo(surface), &memory);
	if (!ret)
		ret = faa_surface_encode(layout, &view, faa_surface_va(surface), header, &why);
	image = &kernel->images[place];
	if (!ret)
		ret = faa_header_pool_replace(kernel->headers, image->header, header);
	if (ret)
		return ret;
	image->layout = layout;
	image->memory = memory;
	return 0;
}

int faa_spirv_bind_memory(struct faa_spirv_kernel *kernel, const struct faa_spirv_buffer *buffer)
{
	struct spirv_region region, *grown;
	int ret = kernel_resolve(buffer, &region);

	if (ret)
		return ret;
	grown = realloc(kernel->memory, (kernel->memory_count + 1) * sizeof(*grown));
	if (!grown)
		return faa_fail(-ENOMEM, "SPIR-V: out of memory");
	kernel->memory = grown;
	kernel->memory[kernel->memory_count++] = region;
	return 0;
}

int faa_spirv_push_constants(struct faa_spirv_kernel *kernel, uint32_t offset, uint32_t bytes,
			     const void *data)
{
	uint32_t size = kernel->program.push_bytes;

	if (offset > size || bytes > size - offset)
		return faa_fail(-EINVAL, "SPIR-V: %u bytes from byte %u on of %u push constants",
				bytes, offset, size);
	memcpy(kernel->push + offset, data, bytes);
	return 0;
}

void faa_spirv_limit(struct faa_spirv_kernel *kernel, uint64_t instructions)
{
	kernel->limit = instructions;
}
