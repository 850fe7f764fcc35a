// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "progress.h"
#include "spirv_tool.h"
#include "tool.h"

/* The object of a binding. */
struct bound {
	struct faa_bo *bo;
	uint64_t va;
	struct faa_surface *surface;
};

/* A case in execution. */
struct running {
	const struct spirv_run_options *options;
	const struct spirv_case *test;
	const char *path;
	/* For statistics: see clock_unit(). */
	const char *cycle_unit;
	struct faa_vm *vm;
	struct faa_spirv_module *module;
	struct faa_spirv_kernel *kernel;
	struct bound bound[SPIRV_CASE_BINDINGS];
};

static int run_complain(const struct running *running, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", running->path, what, why);
	return -1;
}

/* "FOLDER/FILE"; without a folder, @otherwise next to the folder of the case. */
static int run_place(const struct running *running, const char *folder, const char *otherwise,
		     const char *file, char *path)
{
	char copy[PATH_MAX];
	int length;

	if (folder) {
		length = snprintf(path, PATH_MAX, "%s/%s", folder, file);
	} else {
		if (snprintf(copy, sizeof(copy), "%s", running->path) >= (int)sizeof(copy))
			return run_complain(running, file, strerror(ENAMETOOLONG));
		length = snprintf(path, PATH_MAX, "%s/../%s/%s", dirname(copy), otherwise, file);
	}
	return length < PATH_MAX ? 0 : run_complain(running, file, strerror(ENAMETOOLONG));
}

/* Reads exactly @bytes bytes; UINT64_MAX: the whole file, whose size is returned there. */
static uint8_t *run_read_file(const struct running *running, const char *path, uint64_t *bytes)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long size = -1;

	if (file && !fseek(file, 0, SEEK_END))
		size = ftell(file);
	if (size < 0 || fseek(file, 0, SEEK_SET)) {
		run_complain(running, path, strerror(errno));
	} else if (*bytes != UINT64_MAX && (uint64_t)size != *bytes) {
		fprintf(stderr, "%s: %s: it has %ld bytes, not %" PRIu64 "\n", running->path, path,
			size, *bytes);
	} else {
		data = malloc((size_t)size + 1);
		if (data && fread(data, 1, (size_t)size, file) != (size_t)size) {
			run_complain(running, path, "cannot be read");
			free(data);
			data = NULL;
		}
		*bytes = (uint64_t)size;
	}
	if (file)
		fclose(file);
	return data;
}

static int run_write_file(const struct running *running, const char *path, const void *data,
			  uint64_t bytes)
{
	FILE *file = fopen(path, "wb");
	size_t written = file ? fwrite(data, 1, bytes, file) : 0;

	if (!file || written != bytes || fclose(file))
		return run_complain(running, path, strerror(errno));
	return 0;
}

static void run_tell(const char *path, const struct faa_spirv_message *message, int error)
{
	fprintf(stderr, "%s: ", path);
	if (message->name)
		fprintf(stderr, "word %u: ", message->word);
	fprintf(stderr, "%s\n", message->text[0] ? message->text : strerror(-error));
}

static int run_load_module(struct running *running)
{
	struct faa_spirv_options options = { .environment = running->options->environment };
	struct faa_spirv_message message = { 0 };
	uint64_t bytes = UINT64_MAX;
	char path[PATH_MAX];
	uint8_t *data;
	int ret;

	if (run_place(running, running->options->modules, "spv", running->test->module, path))
		return -1;
	data = run_read_file(running, path, &bytes);
	if (!data)
		return -1;
	ret = faa_spirv_load(data, bytes, &options, &running->module, &message);
	free(data);
	if (!ret)
		ret = faa_spirv_kernel_create(running->vm, running->module, NULL, &running->kernel,
					      &message);
	if (!ret)
		return 0;
	run_tell(path, &message, ret);
	return -1;
}

static int run_bind_buffer(struct running *running, uint32_t index, const uint8_t *data)
{
	const struct spirv_case_binding *binding = &running->test->bindings[index];
	struct bound *bound = &running->bound[index];
	struct faa_spirv_buffer buffer = { .bytes = binding->bytes };
	void *memory;
	int ret;

	ret = faa_bo_create_exclusive(running->vm, binding->bytes, 0, &bound->bo);
	if (!ret)
		ret = faa_bo_map(bound->bo, &memory);
	if (!ret)
		ret = faa_vm_map(running->vm, bound->bo, 0, 0, FAA_MAP_ATOMIC, &bound->va);
	if (ret)
		return ret;
	memcpy(memory, data, binding->bytes);
	buffer.bo = bound->bo;
	buffer.va = bound->va;
	if (binding->kind == SPIRV_CASE_PHYS)
		return faa_spirv_bind_memory(running->kernel, &buffer);
	ret = faa_spirv_bind_buffer(running->kernel, 0, index, 0, &buffer);
	/* A case may bind objects that the kernel does not use. */
	return ret == -ENOENT ? 0 : ret;
}

static struct faa_surface_desc run_describe(const struct spirv_case_binding *binding)
{
	struct faa_surface_desc desc = { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
					 .texel = binding->item == 4 ? FAA_TEXEL_R32 :
								       FAA_TEXEL_R32_G32,
					 .data_type = binding->data_type,
					 .width = binding->size[0],
					 .height = binding->size[1] };

	switch (binding->kind) {
	case SPIRV_CASE_TEXBUF:
		desc.version = FAA_HEADER_VERSION_ONE_D_BUFFER;
		desc.type = FAA_TEXTURE_TYPE_ONE_D_BUFFER;
		desc.width = binding->bytes / binding->item;
		desc.height = 1;
		break;
	case SPIRV_CASE_IMAGE_1D:
		desc.type = FAA_TEXTURE_TYPE_ONE_D;
		break;
	case SPIRV_CASE_IMAGE_3D:
		desc.type = FAA_TEXTURE_TYPE_THREE_D;
		desc.depth = binding->size[2];
		break;
	case SPIRV_CASE_IMAGE_2D_ARRAY:
		desc.type = FAA_TEXTURE_TYPE_TWO_D_ARRAY;
		desc.layers = binding->size[2];
		break;
	default:
		desc.type = FAA_TEXTURE_TYPE_TWO_D;
	}
	return desc;
}

static int run_bind_image(struct running *running, uint32_t index, uint8_t *data)
{
	const struct spirv_case_binding *binding = &running->test->bindings[index];
	struct faa_surface_desc desc = run_describe(binding);
	struct bound *bound = &running->bound[index];
	struct faa_linear linear = { .texels = data };
	struct faa_surface_box box;
	const char *why = NULL;
	int ret;

	ret = faa_surface_create(running->vm, &desc, &bound->surface, &why);
	if (ret && why)
		fprintf(stderr, "%s: binding %u: %s\n", running->path, index, why);
	if (ret)
		return ret;
	box = faa_surface_box(faa_surface_info(bound->surface), 0);
	ret = faa_surface_upload(bound->surface, &box, &linear);
	if (!ret)
		ret = faa_spirv_bind_surface(running->kernel, 0, index, 0, bound->surface);
	return ret == -ENOENT ? 0 : ret;
}

static int run_input_path(const struct running *running, uint32_t index, char *path)
{
	char file[PATH_MAX];

	snprintf(file, sizeof(file), "%s.b%u.bin", running->test->name, index);
	return run_place(running, running->options->inputs, "in", file, path);
}

static int run_bind_all(struct running *running)
{
	const struct spirv_case_binding *binding;
	char path[PATH_MAX];
	uint64_t bytes;
	uint8_t *data;
	uint32_t i;
	int ret;

	for (i = 0; i < SPIRV_CASE_BINDINGS; i++) {
		binding = &running->test->bindings[i];
		if (binding->kind == SPIRV_CASE_UNUSED)
			continue;
		bytes = binding->bytes;
		data = run_input_path(running, i, path) ? NULL :
							  run_read_file(running, path, &bytes);
		if (!data)
			return -1;
		if (binding->kind <= SPIRV_CASE_PHYS)
			ret = run_bind_buffer(running, i, data);
		else
			ret = run_bind_image(running, i, data);
		free(data);
		if (ret) {
			fprintf(stderr, "%s: binding %u: %s\n", running->path, i,
				ret == -EINVAL ? "it is not what the kernel has there" :
						 strerror(-ret));
			return -1;
		}
	}
	if (running->test->push < 0)
		return 0;
	if (faa_spirv_push_constants(running->kernel, 0, 8,
				     &running->bound[running->test->push].va))
		return run_complain(running, "pushaddr",
				    "the kernel has no push constants for an address");
	return 0;
}

static int run_save_one(struct running *running, uint32_t index)
{
	const struct spirv_case_binding *binding = &running->test->bindings[index];
	struct bound *bound = &running->bound[index];
	char path[PATH_MAX], file[PATH_MAX];
	struct faa_linear linear = { 0 };
	struct faa_surface_box box;
	void *memory;
	int ret;

	snprintf(file, sizeof(file), "%s.b%u.bin", running->test->name, index);
	if (run_place(running, running->options->output, NULL, file, path))
		return -1;
	if (bound->bo) {
		ret = faa_bo_map(bound->bo, &memory);
		return ret ? run_complain(running, path, strerror(-ret)) :
			     run_write_file(running, path, memory, binding->bytes);
	}
	linear.texels = malloc(binding->bytes);
	if (!linear.texels)
		return run_complain(running, path, strerror(ENOMEM));
	box = faa_surface_box(faa_surface_info(bound->surface), 0);
	ret = faa_surface_download(bound->surface, &box, &linear);
	ret = ret ? run_complain(running, path, strerror(-ret)) :
		    run_write_file(running, path, linear.texels, binding->bytes);
	free(linear.texels);
	return ret;
}

static void run_add(struct faa_spirv_statistics *sum, const struct faa_spirv_statistics *one)
{
	sum->invocations += one->invocations;
	sum->warp_instructions += one->warp_instructions;
	sum->lane_instructions += one->lane_instructions;
	sum->atomics += one->atomics;
	sum->shared_accesses += one->shared_accesses;
	sum->rounds += one->rounds;
	sum->submits += one->submits;
	sum->commands += one->commands;
	sum->cycles += one->cycles;
	sum->device_ns += one->device_ns;
	sum->total_ns += one->total_ns;
}

static void run_print_statistics(const char *name, const struct faa_spirv_statistics *s,
				 const char *cycle_unit)
{
	uint64_t host = s->total_ns - s->device_ns;

	printf("%s: %" PRIu64 " invocations, %" PRIu64
	       " lane instructions (%.1f lanes each), %" PRIu64 " atomics, %" PRIu64
	       " shared accesses; %" PRIu64 " submits, %.1f atomics each; %" PRIu64
	       " %s; %.1f ms, of which %.1f ms device; "
	       "%.1f M lane instructions/s between submits\n",
	       name, s->invocations, s->lane_instructions,
	       s->warp_instructions ? (double)s->lane_instructions / (double)s->warp_instructions :
				      0.0,
	       s->atomics, s->shared_accesses, s->submits,
	       s->submits ? (double)s->atomics / (double)s->submits : 0.0, s->cycles, cycle_unit,
	       (double)s->total_ns / 1e6, (double)s->device_ns / 1e6,
	       host ? (double)s->lane_instructions * 1e3 / (double)host : 0.0);
}

/* The result of a case, or the sum of all, as a JSON object in a line. */
static void run_print_json(const char *name, bool passed, const struct faa_spirv_statistics *s,
			   const char *cycle_unit)
{
	printf("{\"case\": ");
	tool_print_json_string(name);
	printf(", \"passed\": %s, \"invocations\": %" PRIu64 ", \"lane_instructions\": %" PRIu64
	       ", \"warp_instructions\": %" PRIu64 ", \"atomics\": %" PRIu64
	       ", \"shared_accesses\": %" PRIu64 ", \"submits\": %" PRIu64
	       ", \"commands\": %" PRIu64 ", \"%s\": %" PRIu64 ", \"device_ns\": %" PRIu64
	       ", \"total_ns\": %" PRIu64 "}\n",
	       passed ? "true" : "false", s->invocations, s->lane_instructions,
	       s->warp_instructions, s->atomics, s->shared_accesses, s->submits, s->commands,
	       cycle_unit, s->cycles, s->device_ns, s->total_ns);
}

static int run_dispatch(struct running *running, struct faa_spirv_statistics *statistics)
{
	const uint32_t *groups = running->test->groups;
	struct faa_spirv_message message = { 0 };
	uint32_t i;
	int ret;

	faa_spirv_limit(running->kernel, running->options->limit);
	ret = faa_spirv_dispatch(running->kernel, groups[0], groups[1], groups[2], statistics,
				 &message);
	if (ret) {
		run_tell(running->path, &message, ret);
		return -1;
	}
	for (i = 0; i < SPIRV_CASE_BINDINGS; i++)
		if (running->test->bindings[i].kind != SPIRV_CASE_UNUSED &&
		    run_save_one(running, i))
			return -1;
	if (running->options->statistics && !running->options->json)
		run_print_statistics(running->test->name, statistics, running->cycle_unit);
	return 0;
}

static void run_release(struct running *running)
{
	struct bound *bound;
	uint32_t i;

	faa_spirv_kernel_destroy(running->kernel);
	faa_spirv_destroy(running->module);
	for (i = 0; i < SPIRV_CASE_BINDINGS; i++) {
		bound = &running->bound[i];
		faa_surface_destroy(bound->surface);
		if (bound->va)
			faa_vm_unmap(running->vm, bound->va, faa_bo_size(bound->bo));
		faa_bo_unref(bound->bo);
	}
}

/* @base: the state common to all cases. */
static int run_case(const struct running *base, const char *path, struct faa_spirv_statistics *sum)
{
	struct running running = *base;
	struct faa_spirv_statistics statistics = { 0 };
	struct spirv_case test;
	int ret;

	running.path = path;
	if (spirv_case_read(path, &test))
		return -1;
	running.test = &test;
	ret = run_load_module(&running);
	if (!ret)
		ret = run_bind_all(&running);
	if (!ret)
		ret = run_dispatch(&running, &statistics);
	run_release(&running);
	progress_hide();
	if (base->options->json)
		run_print_json(test.name, !ret, &statistics, base->cycle_unit);
	spirv_case_free(&test);
	run_add(sum, &statistics);
	return ret;
}

static int run_cases(struct faa_device *device, const struct spirv_run_options *options,
		     char **paths, int count)
{
	struct running base = { .options = options };
	struct faa_spirv_statistics sum = { 0 };
	int i, failed = 0;
	char name[64];
	int ret;

	if ((options->statistics || options->json) && clock_probe(device, &base.cycle_unit))
		return 1;
	ret = faa_vm_create(device, &base.vm);
	if (ret) {
		fprintf(stderr, "faa-spirv: making a VM: %s\n", faa_last_error());
		return 1;
	}
	progress_begin("cases", (uint64_t)count);
	for (i = 0; i < count; i++) {
		progress_done((uint64_t)i);
		failed += run_case(&base, paths[i], &sum) != 0;
	}
	progress_end();
	snprintf(name, sizeof(name), "%d cases, %d failed", count, failed);
	if (options->statistics && !options->json)
		run_print_statistics(name, &sum, base.cycle_unit);
	faa_vm_unref(base.vm);
	return failed != 0;
}

int spirv_command_run(const struct spirv_settings *settings, char **paths, int count)
{
	struct spirv_run_options run = settings->run;
	struct faa_device *device;
	int ret;

	ret = faa_program_device(&settings->program, &device);
	if (ret)
		return 1;
	run.environment = settings->environment;
	run.json = settings->json;
	ret = run_cases(device, &run, paths, count);
	faa_device_unref(device);
	return ret;
}
