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
 * A module that cannot be taken apart ends with its first message. Ids and rules are checked to the end: the first 20 breaches are reported,
 * and one more message says how many follow.
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

/* ---------------------------------------------------------------------------------------------------------------
 * Running
 *
 * A kernel is an entry point of a module with what is bound to it. Its invocations are executed by the library, 32 at a time as the lanes of
 * a warp; every atomic operation, and all of shared memory, is the device's: what all warps ask at one time is one job. See
 * Documentation/spirv.rst for what is supported, and for the order of memory.
 *
 * Threads: a kernel belongs to one thread at a time. Several kernels may run at a time, of one module too.
 */

/** struct faa_spirv_kernel - an entry point, what is bound to it, and a queue */
struct faa_spirv_kernel;

/**
 * faa_spirv_kernel_create() - make an entry point ready to run
 * @vm: VM in which it runs
 * @module: may be destroyed afterwards
 * @entry: name of the entry point; NULL: the module's only one of the execution model GLCompute
 * @kernel: out; faa_spirv_kernel_destroy() frees it
 * @message: out: what the interpreter does not have, or why else it failed. NULL is allowed.
 *
 * Return: 0; -ENOENT: no such entry point, or no only one; -EOPNOTSUPP: the module needs what the interpreter or the device does not have; -ENOMEM.
 */
int faa_spirv_kernel_create(struct faa_vm *vm, const struct faa_spirv_module *module,
			    const char *entry, struct faa_spirv_kernel **kernel,
			    struct faa_spirv_message *message);

/** faa_spirv_kernel_destroy() - free it; NULL is allowed. What is bound stays the caller's. */
void faa_spirv_kernel_destroy(struct faa_spirv_kernel *kernel);

/** struct faa_spirv_buffer - memory that the host and the device see */
struct faa_spirv_buffer {
	/** @bo: memory that the CPU may map; the kernel takes no reference: it must outlive its use. */
	struct faa_bo *bo;
	/** @offset: first byte of it. */
	uint64_t offset;
	/** @bytes: how many; 0 = up to the end of the BO. */
	uint64_t bytes;
	/** @va: address of that first byte in the VM, mapped with FAA_MAP_ATOMIC where the kernel has atomic operations on it. */
	uint64_t va;
};

/**
 * faa_spirv_bind_buffer() - bind memory to a buffer variable
 * @kernel: kernel
 * @set: descriptor set
 * @binding: binding
 * @element: of an array of buffers, else 0
 * @buffer: copied
 *
 * Return: 0; -ENOENT: the kernel uses no such buffer, which is no reason to stop; -EINVAL: smaller than the variable's fixed part, or beyond
 * the end of the BO; errors of faa_bo_map().
 */
int faa_spirv_bind_buffer(struct faa_spirv_kernel *kernel, uint32_t set, uint32_t binding,
			  uint32_t element, const struct faa_spirv_buffer *buffer);

/**
 * faa_spirv_bind_surface() - bind a surface to a storage image or storage texel buffer; level 0, all layers
 * @kernel: kernel
 * @set: descriptor set
 * @binding: binding
 * @element: of an array of images, else 0
 * @surface: of the kernel's VM; must outlive its use
 *
 * Return: 0; -ENOENT: the kernel uses no such image; -EINVAL: of another dimension, or other texels; errors of faa_bo_map().
 */
int faa_spirv_bind_surface(struct faa_spirv_kernel *kernel, uint32_t set, uint32_t binding,
			   uint32_t element, struct faa_surface *surface);

/** faa_spirv_bind_memory() - memory that the kernel reaches by addresses (PhysicalStorageBuffer); 0, -EINVAL, errors of faa_bo_map(), -ENOMEM. */
int faa_spirv_bind_memory(struct faa_spirv_kernel *kernel, const struct faa_spirv_buffer *buffer);

/** faa_spirv_push_constants() - set @bytes bytes of the push constants from byte @offset on, zero at first; 0; -EINVAL: there are not so many. */
int faa_spirv_push_constants(struct faa_spirv_kernel *kernel, uint32_t offset, uint32_t bytes,
			     const void *data);

/** faa_spirv_limit() - end dispatches with -ETIME after @instructions executed by all lanes together; 0, the default: never. */
void faa_spirv_limit(struct faa_spirv_kernel *kernel, uint64_t instructions);

/** struct faa_spirv_statistics - what a dispatch came to */
struct faa_spirv_statistics {
	/** @invocations: lanes in all. */
	uint64_t invocations;
	/** @warp_instructions: instructions that warps executed. */
	uint64_t warp_instructions;
	/** @lane_instructions: the same, each times its active lanes. */
	uint64_t lane_instructions;
	/** @atomics: atomic operations of lanes. */
	uint64_t atomics;
	/** @shared_accesses: scalars of shared memory that lanes loaded and stored. */
	uint64_t shared_accesses;
	/** @rounds: times that the warps waited for the device. */
	uint64_t rounds;
	/** @submits: jobs. */
	uint64_t submits;
	/** @commands: commands of them, END aside. */
	uint64_t commands;
	/** @cycles: of the device, from begin to end of each job. */
	uint64_t cycles;
	/** @device_ns: time from submission to the end of the jobs; @total_ns: of the whole dispatch. */
	uint64_t device_ns;
	uint64_t total_ns;
};

/**
 * faa_spirv_dispatch() - run a kernel and wait for it
 * @kernel: everything that it uses is bound
 * @x, @y, @z: workgroups in each direction; 0: nothing is done
 * @statistics: out, on failure too. NULL is allowed.
 * @message: out: what failed: the instruction and its word, the invocation, and why. NULL is allowed.
 *
 * When it returns, all memory is what the kernel made it. After a failure some of its effects are there.
 *
 * Return: 0; -EINVAL: something is not bound; -EFAULT: an address that nothing is bound at, or the device refused it; -EDEADLK: a
 * barrier that not all invocations of a workgroup come to; -ETIME: the limit of instructions; errors of faa_queue_run(); -ENOMEM.
 */
int faa_spirv_dispatch(struct faa_spirv_kernel *kernel, uint32_t x, uint32_t y, uint32_t z,
		       struct faa_spirv_statistics *statistics, struct faa_spirv_message *message);

#ifdef __cplusplus
}
#endif

#endif /* FAA_SPIRV_H */
