/* SPDX-License-Identifier: MIT */
/*
 * Compiler from a parsed module to a program that warps execute.
 */
#ifndef FAA_SPIRV_COMPILE_H
#define FAA_SPIRV_COMPILE_H

#include "module.h"
#include "program.h"

/** struct spirv_value - place of the value of an id */
struct spirv_value {
	bool known;
	/**
	 * @texel: result of OpImageTexelPointer: @base and @offset are those of the image, the
	 * coordinates start at @slot
	 */
	bool texel;
	/** @space: address space of a pointer, enum spirv_space */
	uint8_t space;
	bool row_major;
	/** @slot: first slot of a value */
	uint32_t slot;
	/**
	 * @base, @offset: pointers and images: the value of slot @base (SLOT_NONE: 0) plus @offset
	 */
	uint32_t base;
	int64_t offset;
	/** @matrix_stride: stride of the matrix that a pointer points to or into; 0: none */
	uint32_t matrix_stride;
	/**
	 * @buffers: 1 + index of the resource of a variable that is a buffer or an array of
	 * buffers; 0: another variable, or a part of one.
	 */
	uint32_t buffers;
	/** @coordinates: id of the coordinates of a texel; @image: id of the type of its image */
	uint32_t coordinates, image;
};

/** struct spirv_function_slots - state of a function during compilation */
struct spirv_function_slots {
	bool done;
	uint32_t entry;
	/** @back: slot of the return address; @result: first slot of the result */
	uint32_t back, result;
};

/**
 * struct spirv_layout - cached layout of a type, each number + 1, 0: unknown; types that share
 * parts are walked once
 */
struct spirv_layout {
	uint32_t slots, shared_size, shared_align;
};

/** struct spirv_pending_edge - an edge whose moves are resolved when its function is compiled */
struct spirv_pending_edge {
	uint32_t edge;
	/** @from, @to: blocks */
	uint32_t from, to;
};

/** struct spirv_compiler - state of a compilation */
struct spirv_compiler {
	const struct faa_spirv_module *module;
	const struct spirv_entry *entry;
	struct spirv_program *program;
	/**
	 * @error: 0 or a negative errno, with @message; instructions emitted after an error have no
	 * effect
	 */
	int error;
	struct faa_spirv_message *message;
	/** @at: current instruction */
	const struct spirv_instruction *at;
	struct spirv_value *values;
	struct spirv_function_slots *functions;
	/** @layouts: indexed by type */
	struct spirv_layout *layouts;
	/** @block_at: first instruction of each block */
	uint32_t *block_at;
	struct spirv_pending_edge *pending;
	uint32_t pending_count;
	/** @phi_value: for each block, the id that the current phi takes from it, or 0 */
	uint32_t *phi_value;
	/** @current: current block */
	uint32_t current;
	/** @used: a bit for each id that is an operand of an instruction of a function */
	uint8_t *used;
	/** @solid: pointers are kept in slots, as they may be selected */
	bool solid;
	/** @flush: widths whose denormal results become zero, bit 0: 16, bit 1: 32, bit 2: 64 */
	uint8_t flush;
};

/**
 * spirv_compile() - compile entry point @entry. Return: 0; or a negative errno with @message, and
 * nothing to free.
 */
int spirv_compile(const struct faa_spirv_module *module, const struct spirv_entry *entry,
		  struct spirv_program *program, struct faa_spirv_message *message);

/** spirv_program_free() - free the memory that @program points to. */
void spirv_program_free(struct spirv_program *program);

/* compile.c */

/** spirv_unable() - end the compilation at the current instruction with a message. */
__attribute__((format(printf, 2, 3))) void spirv_unable(struct spirv_compiler *c,
							const char *format, ...);

/**
 * spirv_emit() - append an instruction, zeroed except opcode and word. Return: the instruction,
 * valid until the next one.
 */
struct spirv_ins *spirv_emit(struct spirv_compiler *c, unsigned int code);

/**
 * spirv_append() - append @count items of @size to an array of *@used items. Return: the first one;
 * NULL: no memory.
 */
void *spirv_append(struct spirv_compiler *c, void *array, uint32_t *used, uint32_t count,
		   size_t size);

/** spirv_take_slots() - allocate @count slots of the warp. Return: the first one. */
uint32_t spirv_take_slots(struct spirv_compiler *c, uint32_t count);

/** spirv_edge() - add an edge from the current block to block @to. Return: its index. */
uint32_t spirv_edge(struct spirv_compiler *c, uint32_t to);

/** spirv_edges_finish() - resolve the edges of the function that was compiled. */
void spirv_edges_finish(struct spirv_compiler *c);

/**
 * spirv_compile_function() - compile a function after those that it calls, unless it is compiled
 * already.
 */
void spirv_compile_function(struct spirv_compiler *c, uint32_t function);

/* compile_type.c */

/** spirv_slots() - scalars of a value of @type; 0: void; unsupported types are an error. */
uint32_t spirv_slots(struct spirv_compiler *c, const struct spirv_type *type);

/** spirv_scalar() - the component type of scalars, vectors and matrices. */
const struct spirv_type *spirv_scalar(struct spirv_compiler *c, const struct spirv_type *type);

/** spirv_width() - bits of a scalar; bool: 32, pointers: 64. */
unsigned int spirv_width(const struct spirv_type *scalar);

/**
 * spirv_shared_size() - size of @type in shared memory, in which every scalar has a word of its
 * own, in bytes.
 */
uint32_t spirv_shared_size(struct spirv_compiler *c, const struct spirv_type *type);

/** spirv_shared_member() - offset of member @index of structure @type in shared memory. */
uint32_t spirv_shared_member(struct spirv_compiler *c, const struct spirv_type *type,
			     uint32_t index);

/** spirv_access() - add the access to a value of @type through @pointer. Return: its index. */
uint32_t spirv_access(struct spirv_compiler *c, const struct spirv_type *type,
		      const struct spirv_value *pointer);

/* compile_value.c */

/** spirv_value() - the place of @id; constants and variables are created at their first use. */
struct spirv_value *spirv_value(struct spirv_compiler *c, uint32_t id);

/** spirv_slot() - first slot of the value @id; for pointers and images the slot of their number. */
uint32_t spirv_slot(struct spirv_compiler *c, uint32_t id);

/**
 * spirv_result() - allocate slots for the result of the current instruction. Return: the first one.
 */
uint32_t spirv_result(struct spirv_compiler *c);

/** spirv_alias() - the result of the current instruction is in existing slots, from @slot on. */
void spirv_alias(struct spirv_compiler *c, uint32_t slot);

/** spirv_pointer() - the result of the current instruction is the pointer @pointer. */
void spirv_pointer(struct spirv_compiler *c, const struct spirv_value *pointer);

/** spirv_constant_slots() - allocate @count constant slots, zeroed. */
uint32_t spirv_constant_slots(struct spirv_compiler *c, uint32_t count);

/** spirv_constant_slot() - allocate a constant slot with @value. */
uint32_t spirv_constant_slot(struct spirv_compiler *c, uint64_t value);

/** spirv_number() - the value of integer constant @id; for others, an error that names @what. */
uint64_t spirv_number(struct spirv_compiler *c, uint32_t id, const char *what);

/** spirv_space() - enum spirv_space of a storage class. */
uint8_t spirv_space(struct spirv_compiler *c, uint32_t storage_class);

/* compile_pointer.c */

/**
 * spirv_compile_pointer() - compile an instruction that creates a pointer. Return: whether the
 * current one is one.
 */
bool spirv_compile_pointer(struct spirv_compiler *c);

/* compile_memory.c */

/**
 * spirv_compile_memory() - compile a load, store or image access. Return: whether the current
 * instruction is one.
 */
bool spirv_compile_memory(struct spirv_compiler *c);

/** spirv_initialize() - store initializer @id to variable @value, which is in slots. */
void spirv_initialize(struct spirv_compiler *c, const struct spirv_value *value, uint32_t id);

/** spirv_store_value() - store a value of @type, in slots from @from on, through pointer @id. */
void spirv_store_value(struct spirv_compiler *c, uint32_t id, const struct spirv_type *type,
		       uint32_t from);

/* compile_atomic.c */

/**
 * spirv_compile_atomic() - compile an atomic instruction or a barrier. Return: whether the current
 * one is one.
 */
bool spirv_compile_atomic(struct spirv_compiler *c);

/** spirv_image_dim() - enum faa_dim of an image type; for others, an error. */
unsigned int spirv_image_dim(struct spirv_compiler *c, const struct spirv_type *image);

/* compile_composite.c */

/** spirv_move() - emit a copy of @count slots. */
void spirv_move(struct spirv_compiler *c, uint32_t dst, uint32_t from, uint32_t count);

/**
 * spirv_compile_composite() - compile an instruction that splits or combines values. Return:
 * whether the current one is one.
 */
bool spirv_compile_composite(struct spirv_compiler *c);

/* compile_arithmetic.c */

/**
 * spirv_operate() - emit dst = a code b (code c) for @count components of scalar type @type; @step
 * as in struct spirv_ins.
 */
void spirv_operate(struct spirv_compiler *c, unsigned int code, const struct spirv_type *type,
		   uint32_t count, unsigned int step, uint32_t dst, const uint32_t *slots);

/** spirv_dot() - emit dst = sum of a * b over @count components. */
void spirv_dot(struct spirv_compiler *c, const struct spirv_type *type, uint32_t count,
	       uint32_t dst, uint32_t a, uint32_t b);

/**
 * spirv_compile_arithmetic() - compile an arithmetic instruction. Return: whether the current one
 * is one.
 */
bool spirv_compile_arithmetic(struct spirv_compiler *c);

/* compile_glsl.c */

/**
 * spirv_compile_glsl_vector() - compile geometry and matrices of GLSL.std.450. Return: whether
 * instruction @number is one of them.
 */
bool spirv_compile_glsl_vector(struct spirv_compiler *c, uint32_t number);

/** spirv_compile_glsl() - compile an OpExtInst of GLSL.std.450. */
void spirv_compile_glsl(struct spirv_compiler *c);

/* compile_flow.c */

/**
 * spirv_compile_flow() - compile a terminator or a call. Return: whether the current instruction is
 * one.
 */
bool spirv_compile_flow(struct spirv_compiler *c);

#endif /* FAA_SPIRV_COMPILE_H */
