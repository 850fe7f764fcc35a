/* SPDX-License-Identifier: MIT */
/**
 * DOC: SPIR-V
 *
 * Compute modules in SPIR-V: reading, validation against the rules of their environment, reflection
 * (entry points, bindings), execution. pkg-config name: libfaa_spirv. See Documentation/spirv.rst.
 *
 * Threads: a loaded module does not change; any number of threads may use it concurrently.
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

/**
 * enum faa_spirv_environment - the rules that a module has to follow, in addition to those of
 * SPIR-V
 */
enum faa_spirv_environment {
	/** @FAA_SPIRV_GUESS: OpenCL's for a module with the capability Kernel, else Vulkan's. */
	FAA_SPIRV_GUESS,
	/** @FAA_SPIRV_UNIVERSAL: the rules of SPIR-V alone. */
	FAA_SPIRV_UNIVERSAL,
	/** @FAA_SPIRV_VULKAN: Vulkan's. */
	FAA_SPIRV_VULKAN,
	/** @FAA_SPIRV_OPENCL: OpenCL's. */
	FAA_SPIRV_OPENCL,
};

/** struct faa_spirv_message - an error or a warning about a module, and its place */
struct faa_spirv_message {
	/** @warning: the module is accepted nevertheless. */
	bool warning;
	/**
	 * @word: offset of the instruction, or of the word in it, in words from the start of the
	 * module.
	 */
	uint32_t word;
	/** @instruction: number of the instruction, from 1; 0: the header. */
	uint32_t instruction;
	/**
	 * @name: name of the instruction, such as OpAtomicIAdd; NULL: the header, or no instruction
	 * of SPIR-V.
	 */
	const char *name;
	/** @id: id that the message is about, usually the result of the instruction; 0: none. */
	uint32_t id;
	/** @text: one sentence; the words of SPIRV-Tools where SPIRV-Tools checks the rule too. */
	char text[512];
};

/** struct faa_spirv_specialization - a value for a specialization constant */
struct faa_spirv_specialization {
	/**
	 * @spec_id: value of the decoration SpecId; a value that the module does not have is
	 * ignored, as in Vulkan.
	 */
	uint32_t spec_id;
	/** @value: bits of the value; bool: 0 or not 0. */
	uint64_t value;
};

/** struct faa_spirv_options - how to read a module; all 0 is allowed */
struct faa_spirv_options {
	/** @environment: rules that the module has to follow. */
	enum faa_spirv_environment environment;
	/**
	 * @specializations: values of specialization constants that differ from the module's
	 * defaults.
	 */
	const struct faa_spirv_specialization *specializations;
	/** @specialization_count: number of @specializations. */
	size_t specialization_count;
	/**
	 * @report: called for every message, in the order of the module where the rule allows;
	 * NULL: none.
	 */
	void (*report)(const struct faa_spirv_message *message, void *user);
	/** @user: passed to @report. */
	void *user;
};

/** struct faa_spirv_module - a valid module */
struct faa_spirv_module;

/** faa_spirv_load_sized() - faa_spirv_load() with the structure's size. */
int faa_spirv_load_sized(const void *data, size_t size, const struct faa_spirv_options *options,
			 size_t options_size, struct faa_spirv_module **module,
			 struct faa_spirv_message *message);

/**
 * faa_spirv_load() - read and validate a module
 * @data: @size bytes of SPIR-V in either byte order; may be freed after the call
 * @size: bytes, a multiple of 4, up to 64 MiB
 * @options: NULL: all 0
 * @module: receives the module; faa_spirv_destroy() frees it
 * @message: receives the first error; NULL is allowed
 *
 * A module that cannot be parsed has one message. Ids and rules are checked to the end of the
 * module: the first 20 errors are reported, and one more message has the number of those that
 * follow.
 *
 * Return: 0; -EINVAL: invalid; -ENOMEM.
 */
static inline int faa_spirv_load(const void *data, size_t size,
				 const struct faa_spirv_options *options,
				 struct faa_spirv_module **module,
				 struct faa_spirv_message *message)
{
	return faa_spirv_load_sized(data, size, options, sizeof(*options), module, message);
}

/** faa_spirv_destroy() - free @module; NULL is allowed. */
void faa_spirv_destroy(struct faa_spirv_module *module);

/** struct faa_spirv_entry_point - an entry point */
struct faa_spirv_entry_point {
	/** @name: name of the entry point, as passed to a dispatch. */
	const char *name;
	/** @model: number of the execution model; 5 = GLCompute, 6 = Kernel. */
	uint32_t model;
	/** @local_size: invocations of a workgroup in x, y, z; 0: the module does not say. */
	uint32_t local_size[3];
};

/** enum faa_spirv_binding_kind - kind of a bound resource */
enum faa_spirv_binding_kind {
	/** @FAA_SPIRV_STORAGE_BUFFER: read-write memory */
	FAA_SPIRV_STORAGE_BUFFER,
	/** @FAA_SPIRV_UNIFORM_BUFFER: read-only memory */
	FAA_SPIRV_UNIFORM_BUFFER,
	/** @FAA_SPIRV_STORAGE_IMAGE: image without a sampler */
	FAA_SPIRV_STORAGE_IMAGE,
	/** @FAA_SPIRV_TEXEL_BUFFER: image of dimension Buffer without a sampler */
	FAA_SPIRV_TEXEL_BUFFER,
	/**
	 * @FAA_SPIRV_OTHER_BINDING: sampled images, samplers and other kinds that a dispatch cannot
	 * bind
	 */
	FAA_SPIRV_OTHER_BINDING,
};

/** struct faa_spirv_binding - a variable with a descriptor set and a binding */
struct faa_spirv_binding {
	uint32_t set;
	uint32_t binding;
	enum faa_spirv_binding_kind kind;
	/** @name: name of the variable, else of its type, else "". */
	const char *name;
	/** @count: descriptors; 0: an array without a length. */
	uint64_t count;
	/** @size: buffers: bytes without the runtime array at the end. */
	uint64_t size;
	/**
	 * @stride: buffers: bytes of an element of the runtime array at the end; 0: there is none.
	 */
	uint64_t stride;
	/** @dim: images: 0 = 1D, 1 = 2D, 2 = 3D, 3 = cube, 5 = buffer. */
	uint32_t dim;
	/** @arrayed: images: with layers. */
	bool arrayed;
	/** @format: images: number in SPIR-V; 0: unknown. */
	uint32_t format;
	/** @readonly: the module never writes it. */
	bool readonly;
};

/** struct faa_spirv_info - description of a module; valid as long as the module */
struct faa_spirv_info {
	/** @version: 0x10500 = 1.5. */
	uint32_t version;
	/** @environment: environment whose rules were checked; never FAA_SPIRV_GUESS. */
	enum faa_spirv_environment environment;
	const struct faa_spirv_entry_point *entry_points;
	size_t entry_point_count;
	/** @bindings: ascending by set and binding. */
	const struct faa_spirv_binding *bindings;
	size_t binding_count;
	/** @push_constant_size: bytes. */
	uint64_t push_constant_size;
	/** @shared_size: bytes of all Workgroup variables, laid out one after the other. */
	uint64_t shared_size;
	/** @capabilities: numbers of the declared and implied capabilities, ascending. */
	const uint32_t *capabilities;
	size_t capability_count;
};

/** faa_spirv_info() - description of @module. */
const struct faa_spirv_info *faa_spirv_info(const struct faa_spirv_module *module);

/* ------------------------------------------------------------------------------------------------
 * Running
 *
 * A kernel is an entry point of a module with its bound resources. The library executes the
 * invocations, 32 at a time as the lanes of a warp. The device executes every atomic operation and
 * all accesses to shared memory: the requests that all warps have at one time are one job. The page
 * on SPIR-V has the supported subset and the memory order.
 *
 * Threads: one thread at a time may use a kernel. Several kernels may run at a time, also of one
 * module.
 */

/** struct faa_spirv_kernel - an entry point, its bound resources, and a queue */
struct faa_spirv_kernel;

/**
 * faa_spirv_kernel_create() - prepare an entry point for execution
 * @vm: VM in which it runs
 * @module: may be destroyed afterwards
 * @entry: name of the entry point; NULL: the only entry point with execution model GLCompute
 * @kernel: out; faa_spirv_kernel_destroy() frees it
 * @message: out: the feature that the interpreter lacks, or another cause of the failure. NULL is
 * allowed.
 *
 * Return: 0; -ENOENT: no such entry point, or @entry is NULL and there is not exactly one;
 * -EOPNOTSUPP: the module needs a feature that the interpreter or the device lacks; -ENOMEM.
 */
int faa_spirv_kernel_create(struct faa_vm *vm, const struct faa_spirv_module *module,
			    const char *entry, struct faa_spirv_kernel **kernel,
			    struct faa_spirv_message *message);

/**
 * faa_spirv_kernel_destroy() - free @kernel; NULL is allowed. The caller keeps the bound resources.
 */
void faa_spirv_kernel_destroy(struct faa_spirv_kernel *kernel);

/** struct faa_spirv_buffer - memory shared by host and device */
struct faa_spirv_buffer {
	/**
	 * @bo: BO that the CPU may map. The kernel takes no reference: the BO has to outlive its
	 * use.
	 */
	struct faa_bo *bo;
	/** @offset: first byte in @bo. */
	uint64_t offset;
	/** @bytes: size; 0 = up to the end of the BO. */
	uint64_t bytes;
	/**
	 * @va: address of the first byte in the VM, mapped with FAA_MAP_ATOMIC where the kernel has
	 * atomic operations on it.
	 */
	uint64_t va;
};

/**
 * faa_spirv_bind_buffer() - bind memory to a buffer variable
 * @kernel: kernel
 * @set: descriptor set
 * @binding: binding
 * @element: index in an array of buffers, else 0
 * @buffer: copied
 *
 * Return: 0; -ENOENT: the kernel uses no such buffer, which a caller may ignore; -EINVAL: smaller
 * than the fixed part of the variable, or beyond the end of the BO; errors of faa_bo_map().
 */
int faa_spirv_bind_buffer(struct faa_spirv_kernel *kernel, uint32_t set, uint32_t binding,
			  uint32_t element, const struct faa_spirv_buffer *buffer);

/**
 * faa_spirv_bind_surface() - bind level 0 with all layers of a surface to a storage image or
 * storage texel buffer
 * @kernel: kernel
 * @set: descriptor set
 * @binding: binding
 * @element: index in an array of images, else 0
 * @surface: surface in the VM of the kernel; has to outlive its use
 *
 * Return: 0; -ENOENT: the kernel uses no such image; -EINVAL: the dimension or the texels differ;
 * errors of faa_bo_map().
 */
int faa_spirv_bind_surface(struct faa_spirv_kernel *kernel, uint32_t set, uint32_t binding,
			   uint32_t element, struct faa_surface *surface);

/**
 * faa_spirv_bind_memory() - bind memory that the kernel accesses by address (PhysicalStorageBuffer)
 * @kernel: kernel
 * @buffer: copied
 *
 * Return: 0; -EINVAL; errors of faa_bo_map(); -ENOMEM.
 */
int faa_spirv_bind_memory(struct faa_spirv_kernel *kernel, const struct faa_spirv_buffer *buffer);

/**
 * faa_spirv_push_constants() - set a part of the push constants, which are initially 0
 * @kernel: kernel
 * @offset: first byte
 * @bytes: number of bytes
 * @data: @bytes bytes, copied
 *
 * Return: 0; -EINVAL: beyond the end of the push constants.
 */
int faa_spirv_push_constants(struct faa_spirv_kernel *kernel, uint32_t offset, uint32_t bytes,
			     const void *data);

/**
 * faa_spirv_limit() - limit the instructions of a dispatch
 * @kernel: kernel
 * @instructions: number executed by all lanes together, after which a dispatch ends with -ETIME; 0,
 * the default: no limit
 */
void faa_spirv_limit(struct faa_spirv_kernel *kernel, uint64_t instructions);

/** struct faa_spirv_statistics - counters of a dispatch */
struct faa_spirv_statistics {
	/** @invocations: lanes in total. */
	uint64_t invocations;
	/** @warp_instructions: instructions executed by warps. */
	uint64_t warp_instructions;
	/** @lane_instructions: the same, each multiplied by its active lanes. */
	uint64_t lane_instructions;
	/** @atomics: atomic operations of lanes. */
	uint64_t atomics;
	/** @shared_accesses: scalars loaded from and stored to shared memory by lanes. */
	uint64_t shared_accesses;
	/** @rounds: number of times that the warps waited for the device. */
	uint64_t rounds;
	/** @submits: jobs. */
	uint64_t submits;
	/** @commands: commands of the jobs, without END. */
	uint64_t commands;
	/** @cycles: device cycles from begin to end of each job. */
	uint64_t cycles;
	/**
	 * @device_ns: time from submission to the end of the jobs; @total_ns: time of the whole
	 * dispatch.
	 */
	uint64_t device_ns;
	uint64_t total_ns;
};

/** faa_spirv_dispatch_sized() - faa_spirv_dispatch() with the structure's size. */
int faa_spirv_dispatch_sized(struct faa_spirv_kernel *kernel, uint32_t x, uint32_t y, uint32_t z,
			     struct faa_spirv_statistics *statistics, size_t statistics_size,
			     struct faa_spirv_message *message);

/**
 * faa_spirv_dispatch() - run a kernel and wait for it
 * @kernel: kernel whose resources are all bound
 * @x, @y, @z: workgroups in each direction; 0: no effect
 * @statistics: out, on failure too. NULL is allowed.
 * @message: out: the instruction that failed and its word, the invocation, and the cause. NULL is
 * allowed.
 *
 * On return all memory accesses of the kernel are complete. After a failure some of its effects are
 * visible.
 *
 * Return: 0; -EINVAL: a resource is not bound; -EFAULT: an address without bound memory, or an
 * access that the device rejected; -EDEADLK: a barrier that not all invocations of a workgroup
 * reach; -ETIME: the limit of instructions; errors of faa_queue_run(); -ENOMEM.
 */
static inline int faa_spirv_dispatch(struct faa_spirv_kernel *kernel, uint32_t x, uint32_t y,
				     uint32_t z, struct faa_spirv_statistics *statistics,
				     struct faa_spirv_message *message)
{
	return faa_spirv_dispatch_sized(kernel, x, y, z, statistics, sizeof(*statistics), message);
}

#ifdef __cplusplus
}
#endif

#endif /* FAA_SPIRV_H */
