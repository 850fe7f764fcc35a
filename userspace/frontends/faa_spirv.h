/* SPDX-License-Identifier: MIT */
/**
 * DOC: SPIR-V
 *
 * Compute modules in SPIR-V: read, checked against the rules of their environment, described (entry points, bindings), run.
 * A program includes faa.h. See Documentation/spirv.rst.
 *
 * Threads: a module does not change once it is loaded; any number of threads may use it at a time.
 */
#ifndef FAA_SPIRV_H
#define FAA_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum faa_spirv_environment - whose rules a module keeps, on top of SPIR-V's own */
enum faa_spirv_environment {
	/** @FAA_SPIRV_GUESS: OpenCL's for a module with the capability Kernel, else Vulkan's. */
	FAA_SPIRV_GUESS,
	/** @FAA_SPIRV_UNIVERSAL: SPIR-V's own alone. */
	FAA_SPIRV_UNIVERSAL,
	/** @FAA_SPIRV_VULKAN: Vulkan's. */
	FAA_SPIRV_VULKAN,
	/** @FAA_SPIRV_OPENCL: OpenCL's. */
	FAA_SPIRV_OPENCL,
};

/** struct faa_spirv_message - something wrong with a module, and where */
struct faa_spirv_message {
	/** @warning: the module is accepted all the same. */
	bool warning;
	/** @word: offset of the instruction, or of the word in it, in words from the begin of the module. */
	uint32_t word;
	/** @instruction: its number, from 1; 0: the header. */
	uint32_t instruction;
	/** @name: of the instruction, such as OpAtomicIAdd; NULL: the header, or no instruction of SPIR-V. */
	const char *name;
	/** @id: that the message is about, most often the instruction's result; 0: none. */
	uint32_t id;
	/** @text: one sentence; where SPIRV-Tools checks the rule too, its words. */
	char text[512];
};

/** struct faa_spirv_specialization - a value for a specialization constant */
struct faa_spirv_specialization {
	/** @spec_id: of its decoration SpecId; one that the module has not is ignored, as in Vulkan. */
	uint32_t spec_id;
	/** @value: its bits; bool: 0 or not 0. */
	uint64_t value;
};

/** struct faa_spirv_options - how a module is read; all 0 is allowed */
struct faa_spirv_options {
	/** @environment: whose rules it must keep. */
	enum faa_spirv_environment environment;
	/** @specializations: values of specialization constants that differ from the module's defaults. */
	const struct faa_spirv_specialization *specializations;
	/** @specialization_count: their number. */
	size_t specialization_count;
	/** @report: called for every message, in the order of the module as far as a rule can tell; NULL: none. */
	void (*report)(const struct faa_spirv_message *message, void *user);
	/** @user: handed to @report. */
	void *user;
};

/** struct faa_spirv_module - a module that keeps the rules */
struct faa_spirv_module;

/**
 * faa_spirv_load() - read and check a module
 * @data: @size bytes of it, in either byte order; they may be freed afterwards
 * @size: bytes, a multiple of 4, up to 64 MiB
 * @options: NULL: all 0
 * @module: receives it; faa_spirv_destroy() frees it
 * @message: receives the first message that refuses the module; NULL is allowed
 *
 * A malformed module ends with its first message; the rules are checked to the end, and every breach is reported.
 *
 * Return: 0; -EINVAL: refused; -ENOMEM.
 */
int faa_spirv_load(const void *data, size_t size, const struct faa_spirv_options *options,
		   struct faa_spirv_module **module, struct faa_spirv_message *message);

/** faa_spirv_destroy() - free it; NULL is allowed. */
void faa_spirv_destroy(struct faa_spirv_module *module);

/** struct faa_spirv_entry_point - an entry point */
struct faa_spirv_entry_point {
	/** @name: as a dispatch names it. */
	const char *name;
	/** @model: number of its execution model; 5 = GLCompute, 6 = Kernel. */
	uint32_t model;
	/** @local_size: invocations of a workgroup in x, y, z; 0: the module does not say. */
	uint32_t local_size[3];
};

/** enum faa_spirv_binding_kind - what is bound */
enum faa_spirv_binding_kind {
	/** @FAA_SPIRV_STORAGE_BUFFER: memory that is read and written */
	FAA_SPIRV_STORAGE_BUFFER,
	/** @FAA_SPIRV_UNIFORM_BUFFER: memory that is read */
	FAA_SPIRV_UNIFORM_BUFFER,
	/** @FAA_SPIRV_STORAGE_IMAGE: image without a sampler */
	FAA_SPIRV_STORAGE_IMAGE,
	/** @FAA_SPIRV_TEXEL_BUFFER: image of dimension Buffer without a sampler */
	FAA_SPIRV_TEXEL_BUFFER,
	/** @FAA_SPIRV_OTHER_BINDING: sampled images, samplers and whatever else a dispatch cannot bind */
	FAA_SPIRV_OTHER_BINDING,
};

/** struct faa_spirv_binding - a variable with a descriptor set and a binding */
struct faa_spirv_binding {
	uint32_t set;
	uint32_t binding;
	enum faa_spirv_binding_kind kind;
	/** @name: of the variable, else of its type, else "". */
	const char *name;
	/** @count: descriptors; 0: an array of any length. */
	uint64_t count;
	/** @size: buffers: bytes without the runtime array at the end. */
	uint64_t size;
	/** @stride: buffers: bytes of an element of the runtime array at the end; 0: there is none. */
	uint64_t stride;
	/** @dim: images: 0 = 1D, 1 = 2D, 2 = 3D, 3 = cube, 5 = buffer. */
	uint32_t dim;
	/** @arrayed: images: with layers. */
	bool arrayed;
	/** @format: images: SPIR-V's number; 0: not known. */
	uint32_t format;
	/** @readonly: the module never writes it. */
	bool readonly;
};

/** struct faa_spirv_info - what a module is; valid as long as the module */
struct faa_spirv_info {
	/** @version: 0x10500 = 1.5. */
	uint32_t version;
	/** @environment: whose rules were checked; never FAA_SPIRV_GUESS. */
	enum faa_spirv_environment environment;
	const struct faa_spirv_entry_point *entry_points;
	size_t entry_point_count;
	/** @bindings: ascending by set and binding. */
	const struct faa_spirv_binding *bindings;
	size_t binding_count;
	/** @push_constant_size: bytes. */
	uint64_t push_constant_size;
	/** @shared_size: bytes of all Workgroup variables, laid out one behind the other. */
	uint64_t shared_size;
	/** @capabilities: numbers of the declared and implied ones, ascending. */
	const uint32_t *capabilities;
	size_t capability_count;
};

/** faa_spirv_info() - what @module is. */
const struct faa_spirv_info *faa_spirv_info(const struct faa_spirv_module *module);

#ifdef __cplusplus
}
#endif

#endif /* FAA_SPIRV_H */
