/* SPDX-License-Identifier: MIT */
/*
 * From a parsed module to a program that warps execute.
 */
#ifndef FAA_SPIRV_COMPILE_H
#define FAA_SPIRV_COMPILE_H

#include "module.h"
#include "program.h"

/** struct spirv_value - where what an id stands for is */
struct spirv_value {
	bool known;
	/** @texel: result of OpImageTexelPointer: @base and @offset are the image's, the coordinates from @slot on */
	bool texel;
	/** @space: of a pointer, enum spirv_space */
	uint8_t space;
	bool row_major;
	/** @slot: first slot of a value */
	uint32_t slot;
	/** @base, @offset: pointers and images: value of slot @base (SLOT_NONE: 0) plus @offset */
	uint32_t base;
	int64_t offset;
	/** @matrix_stride: of the matrix that a pointer points to or into; 0: none */
	uint32_t matrix_stride;
	/** @buffers: of a variable: 1 + index of its resource, if that is of buffers; 0: something else, or a part of one. */
	uint32_t buffers;
	/** @coordinates: id of a texel's; @image: id of its image's type */
	uint32_t coordinates, image;
};

/** struct spirv_function_slots - of a function while it is compiled */
struct spirv_function_slots {
	bool done;
	uint32_t entry;
	/** @back: where to return to; @result: first slot of what it returns */
	uint32_t back, result;
};

/** struct spirv_layout - of a type, each number + 1 once it is known, so that types that share parts are walked once */
struct spirv_layout {
	uint32_t slots, shared_size, shared_align;
};

/** struct spirv_pending_edge - an edge whose moves are known when its function is compiled */
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
	/** @error: 0 or a negative errno, with @message; what is emitted afterwards does not matter */
	int error;
	struct faa_spirv_message *message;
	/** @at: the instruction under way */
	const struct spirv_instruction *at;
	struct spirv_value *values;
	struct spirv_function_slots *functions;
	/** @layouts: of each type */
	struct spirv_layout *layouts;
	/** @block_at: first instruction of each block */
	uint32_t *block_at;
	struct spirv_pending_edge *pending;
	uint32_t pending_count;
	/** @phi_value: for each block, 0, or what the phi under way takes from it */
	uint32_t *phi_value;
	/** @current: block under way */
	uint32_t current;
	/** @used: a bit for each id that an instruction of a function has among its operands */
	uint8_t *used;
	/** @solid: pointers are values of slots, since they may be selected */
	bool solid;
	/** @flush: widths whose denormal results become zero, bit 0: 16, bit 1: 32, bit 2: 64 */
	uint8_t flush;
};

/** spirv_compile() - compile entry point @entry; 0 or a negative errno with @message, and nothing to free. */
int spirv_compile(const struct faa_spirv_module *module, const struct spirv_entry *entry,
		  struct spirv_program *program, struct faa_spirv_message *message);

/** spirv_program_free() - free what it points to. */
void spirv_program_free(struct spirv_program *program);

/* compile.c */

/** spirv_unable() - end the compilation at the instruction under way with a sentence. */
__attribute__((format(printf, 2, 3))) void spirv_unable(struct spirv_compiler *c,
							const char *format, ...);

/** spirv_emit() - one instruction more, zeroed but for opcode and word; valid until the next one. */
struct spirv_ins *spirv_emit(struct spirv_compiler *c, unsigned int code);

/** spirv_append() - @count items of @size more at the end of an array of *@used; returns the first, NULL: no memory. */
void *spirv_append(struct spirv_compiler *c, void *array, uint32_t *used, uint32_t count,
		   size_t size);

/** spirv_take_slots() - @count slots of the warp. */
uint32_t spirv_take_slots(struct spirv_compiler *c, uint32_t count);

/** spirv_edge() - an edge from the block under way to block @to. */
uint32_t spirv_edge(struct spirv_compiler *c, uint32_t to);

/** spirv_edges_finish() - resolve the edges of the function that is compiled. */
void spirv_edges_finish(struct spirv_compiler *c);

/** spirv_compile_function() - compile a function, those that it calls before; once. */
void spirv_compile_function(struct spirv_compiler *c, uint32_t function);

/* compile_type.c */

/** spirv_slots() - scalars of a value of @type; 0: void; refuses types that have none. */
uint32_t spirv_slots(struct spirv_compiler *c, const struct spirv_type *type);

/** spirv_scalar() - the type of the components of scalars, vectors and matrices. */
const struct spirv_type *spirv_scalar(struct spirv_compiler *c, const struct spirv_type *type);

/** spirv_width() - bits of a scalar; bool: 32, pointers: 64. */
unsigned int spirv_width(const struct spirv_type *scalar);

/** spirv_shared_size() - bytes of @type in shared memory, where every scalar has a word of its own. */
uint32_t spirv_shared_size(struct spirv_compiler *c, const struct spirv_type *type);

/** spirv_shared_member() - offset of member @index of structure @type in shared memory. */
uint32_t spirv_shared_member(struct spirv_compiler *c, const struct spirv_type *type,
			     uint32_t index);

/** spirv_access() - the access to a value of @type through @pointer; its index. */
uint32_t spirv_access(struct spirv_compiler *c, const struct spirv_type *type,
		      const struct spirv_value *pointer);

/* compile_value.c */

/** spirv_value() - what @id stands for; constants and variables are made at their first use. */
struct spirv_value *spirv_value(struct spirv_compiler *c, uint32_t id);

/** spirv_slot() - first slot of the value @id, of pointers and images the slot of their number. */
uint32_t spirv_slot(struct spirv_compiler *c, uint32_t id);

/** spirv_result() - slots for the result of the instruction under way; the first. */
uint32_t spirv_result(struct spirv_compiler *c);

/** spirv_alias() - the result of the instruction under way is what lies in slots from @slot on. */
void spirv_alias(struct spirv_compiler *c, uint32_t slot);

/** spirv_pointer() - the result of the instruction under way is the pointer @pointer. */
void spirv_pointer(struct spirv_compiler *c, const struct spirv_value *pointer);

/** spirv_constant_slots() - @count constant slots, zero. */
uint32_t spirv_constant_slots(struct spirv_compiler *c, uint32_t count);

/** spirv_constant_slot() - a constant slot with @value. */
uint32_t spirv_constant_slot(struct spirv_compiler *c, uint64_t value);

/** spirv_number() - value of the integer constant @id; refuses others, which @what names. */
uint64_t spirv_number(struct spirv_compiler *c, uint32_t id, const char *what);

/** spirv_space() - enum spirv_space of a storage class. */
uint8_t spirv_space(struct spirv_compiler *c, uint32_t storage_class);

/* compile_pointer.c */

/** spirv_compile_pointer() - instructions that make pointers; whether the one under way is one. */
bool spirv_compile_pointer(struct spirv_compiler *c);

/* compile_memory.c */

/** spirv_compile_memory() - loads, stores, images; whether the instruction under way is one. */
bool spirv_compile_memory(struct spirv_compiler *c);

/** spirv_initialize() - store initializer @id to the variable @value of the slots. */
void spirv_initialize(struct spirv_compiler *c, const struct spirv_value *value, uint32_t id);

/** spirv_store_value() - store the value of @type in slots from @from on through pointer @id. */
void spirv_store_value(struct spirv_compiler *c, uint32_t id, const struct spirv_type *type,
		       uint32_t from);

/* compile_atomic.c */

/** spirv_compile_atomic() - atomic instructions and barriers; whether the one under way is one. */
bool spirv_compile_atomic(struct spirv_compiler *c);

/** spirv_image_dim() - enum faa_dim of an image type; refuses those that have none. */
unsigned int spirv_image_dim(struct spirv_compiler *c, const struct spirv_type *image);

/* compile_composite.c */

/** spirv_move() - emit a copy of @count slots. */
void spirv_move(struct spirv_compiler *c, uint32_t dst, uint32_t from, uint32_t count);

/** spirv_compile_composite() - instructions that take values apart and put them together; whether it is one. */
bool spirv_compile_composite(struct spirv_compiler *c);

/* compile_arithmetic.c */

/** spirv_operate() - emit dst = a code b (code c), @count components, on scalars of @type; @step as of struct spirv_ins. */
void spirv_operate(struct spirv_compiler *c, unsigned int code, const struct spirv_type *type,
		   uint32_t count, unsigned int step, uint32_t dst, const uint32_t *slots);

/** spirv_dot() - emit dst = sum of a * b, @count components. */
void spirv_dot(struct spirv_compiler *c, const struct spirv_type *type, uint32_t count,
	       uint32_t dst, uint32_t a, uint32_t b);

/** spirv_compile_arithmetic() - arithmetic of any kind; whether the instruction under way is one. */
bool spirv_compile_arithmetic(struct spirv_compiler *c);

/* compile_glsl.c */

/** spirv_compile_glsl_vector() - geometry and matrices of GLSL.std.450; whether instruction @number is one of them. */
bool spirv_compile_glsl_vector(struct spirv_compiler *c, uint32_t number);

/** spirv_compile_glsl() - OpExtInst of GLSL.std.450. */
void spirv_compile_glsl(struct spirv_compiler *c);

/* compile_flow.c */

/** spirv_compile_flow() - terminators and calls; whether the instruction under way is one. */
bool spirv_compile_flow(struct spirv_compiler *c);

#endif /* FAA_SPIRV_COMPILE_H */
