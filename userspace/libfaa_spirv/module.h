/* SPDX-License-Identifier: MIT */
/*
 * A parsed SPIR-V module. All numbers of a module that other files use as an index are checked
 * first: word counts, ids below the bound, ids defined where they must be, types of operands, block
 * structure.
 *
 * All memory belongs to the module's arena and lives as long as the module.
 */
#ifndef FAA_SPIRV_MODULE_H
#define FAA_SPIRV_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <spirv/unified1/spirv.h>

#include "faa_spirv.h"

/** SPIRV_NONE - no index, no member, no such number */
#define SPIRV_NONE UINT32_MAX

/** SPIRV_SIZE_MAX - largest size of a type: bytes of the virtual address space */
#define SPIRV_SIZE_MAX (1ull << 48)

/** SPIRV_COMPONENTS_MAX - components of a vector: 2, 3, 4, in OpenCL also 8 and 16 */
#define SPIRV_COMPONENTS_MAX 16

/** struct spirv_instruction - an instruction and its place; its number is its index + 1 */
struct spirv_instruction {
	uint16_t opcode;
	/** @length: words, including the first one. */
	uint16_t length;
	/** @word: offset in the module, in words. */
	uint32_t word;
	/** @type: id of the result type, 0: none. */
	uint32_t type;
	/** @result: result id, 0: none. */
	uint32_t result;
	/** @operands: words after opcode, result type and result id, in host byte order. */
	const uint32_t *operands;
	/** @operand_count: number of @operands. */
	uint32_t operand_count;
};

/** enum spirv_id_kind - kind of an id */
enum spirv_id_kind {
	SPIRV_ID_UNDEFINED,
	/** @SPIRV_ID_OTHER: string, decoration group */
	SPIRV_ID_OTHER,
	/** @SPIRV_ID_IMPORT: set of extended instructions; index: enum spirv_import */
	SPIRV_ID_IMPORT,
	/** @SPIRV_ID_TYPE: index in types[] */
	SPIRV_ID_TYPE,
	/** @SPIRV_ID_CONSTANT: index in constants[]; an OpUndef of the module is a null constant */
	SPIRV_ID_CONSTANT,
	/**
	 * @SPIRV_ID_VARIABLE: index in variables[], for variables of the module and of functions
	 */
	SPIRV_ID_VARIABLE,
	/** @SPIRV_ID_FUNCTION: index in functions[] */
	SPIRV_ID_FUNCTION,
	/** @SPIRV_ID_PARAMETER: index in the parameters of its function */
	SPIRV_ID_PARAMETER,
	/** @SPIRV_ID_BLOCK: index in blocks[] */
	SPIRV_ID_BLOCK,
	/** @SPIRV_ID_VALUE: result of an instruction in a block; its type may be void */
	SPIRV_ID_VALUE,
};

/** enum spirv_import - sets of extended instructions */
enum spirv_import {
	SPIRV_IMPORT_GLSL,
	SPIRV_IMPORT_OPENCL,
	/** @SPIRV_IMPORT_NONSEMANTIC: instructions without effect, debug information included */
	SPIRV_IMPORT_NONSEMANTIC,
	SPIRV_IMPORT_OTHER,
};

/** struct spirv_id - definition of an id below the bound */
struct spirv_id {
	/** @kind: enum spirv_id_kind. */
	uint8_t kind;
	/** @index: see enum spirv_id_kind. */
	uint32_t index;
	/**
	 * @type: id of the type of a value, constant, variable (a pointer), parameter or function
	 * (its result); 0: none.
	 */
	uint32_t type;
	/** @instruction: index of the defining instruction. */
	uint32_t instruction;
	/** @function: index of the function that it is local to; SPIRV_NONE: the module. */
	uint32_t function;
	/** @name: operand of OpName; NULL: none. */
	const char *name;
};

/** struct spirv_member - a member of a structure */
struct spirv_member {
	/** @type: id of the type. */
	uint32_t type;
	/**
	 * @offset: bytes from the start of the structure, by its decoration, else by natural
	 * layout.
	 */
	uint64_t offset;
	/** @matrix_stride: bytes between columns (rows with @row_major); 0: not decorated. */
	uint32_t matrix_stride;
	bool row_major;
	/** @builtin: SpvBuiltIn; SPIRV_NONE: none. */
	uint32_t builtin;
	const char *name;
};

/**
 * struct spirv_type - a type
 *
 * Sizes are those in memory. They follow the decorations Offset, ArrayStride and MatrixStride where
 * present, else the natural layout: bool has 4 bytes, a pointer 8, a vector its components, a
 * matrix its columns, an array its elements at multiples of their alignment.
 */
struct spirv_type {
	/** @op: SpvOpType... */
	uint16_t op;
	uint32_t id;
	/** @width: bits of an integer or float. */
	uint32_t width;
	/** @is_signed: signedness of an integer type. */
	bool is_signed;
	/**
	 * @base: id of the type of the component (vector), column (matrix), element (array),
	 * pointee, image's sampled type, or function's result.
	 */
	uint32_t base;
	/** @count: components, columns, elements (0: runtime array), members, parameters. */
	uint64_t count;
	/** @members: @count members of a structure. */
	struct spirv_member *members;
	/** @parameters: ids of the types of the @count parameters of a function. */
	const uint32_t *parameters;
	/** @storage_class: storage class of a pointer. */
	uint32_t storage_class;
	/** @stride: bytes from element to element, or from column to column. */
	uint64_t stride;
	/** @size: bytes; 0 for a runtime array, and for types that cannot be in memory. */
	uint64_t size;
	/** @align: natural alignment in bytes, a power of two. */
	uint32_t align;
	/**
	 * @scalars: scalars in it, counting a pointer as one, a runtime array as 0; at most
	 * SPIRV_SIZE_MAX.
	 */
	uint64_t scalars;
	/** @levels: nesting depth of arrays, structures, vectors, matrices; at most 255. */
	uint32_t levels;
	/** @runtime: it is or ends with a runtime array. */
	bool runtime;
	/** @block: decorated Block or BufferBlock. */
	bool block, buffer_block;
	/**
	 * @dim: SpvDim; @depth, @arrayed, @multisampled, @sampled, @format (SpvImageFormat):
	 * operands of OpTypeImage.
	 */
	uint32_t dim, depth, arrayed, multisampled, sampled, format;
};

/** struct spirv_constant - a constant with its value after specialization */
struct spirv_constant {
	/** @op: opcode. */
	uint16_t op;
	uint32_t id;
	uint32_t type;
	/** @value: bits of a scalar, zero above its width; bool: 0 or 1; 0 for a null constant. */
	uint64_t value;
	/**
	 * @constituents: ids of a composite's constants, as many as its type has; NULL: all of it
	 * is 0. Parts of the result of an OpSpecConstantOp have ids at and above the bound.
	 */
	const uint32_t *constituents;
	/** @spec_id: operand of SpecId; SPIRV_NONE: none. */
	uint32_t spec_id;
	/** @specialized: it is, or depends on, a specialization constant. */
	bool specialized;
};

/** struct spirv_variable - OpVariable, of the module or a function */
struct spirv_variable {
	uint32_t id;
	/** @type: id of the pointee's type. */
	uint32_t type;
	uint32_t storage_class;
	/** @initializer: id of a constant or module variable; 0: none. */
	uint32_t initializer;
	/** @function: index of the function; SPIRV_NONE: the module. */
	uint32_t function;
	/** @set: descriptor set; @binding: SPIRV_NONE: not decorated. */
	uint32_t set, binding;
	/** @builtin: SpvBuiltIn; SPIRV_NONE: none. */
	uint32_t builtin;
	/** @nonwritable: NonWritable decorates it, or all members of its structure. */
	bool nonwritable;
};

/** struct spirv_decoration - a decoration of an id or a member; groups are expanded */
struct spirv_decoration {
	uint32_t target;
	/** @member: SPIRV_NONE: the id itself. */
	uint32_t member;
	uint32_t decoration;
	/** @operands: words after the decoration. */
	const uint32_t *operands;
	uint32_t operand_count;
	/** @instruction: index of the instruction. */
	uint32_t instruction;
};

/**
 * struct spirv_block - a block; its instructions are those after the label, up to and including the
 * terminator
 */
struct spirv_block {
	/** @label: id of the label. */
	uint32_t label;
	/** @function: index of the function. */
	uint32_t function;
	/**
	 * @first: index of the instruction after the label; @count: instructions, including merge
	 * and terminator.
	 */
	uint32_t first, count;
	/** @merge_op: SpvOpSelectionMerge, SpvOpLoopMerge, or 0. */
	uint16_t merge_op;
	/**
	 * @merge: index of the merge block; @continue_target: index of the continue target of a
	 * loop; SPIRV_NONE: none.
	 */
	uint32_t merge, continue_target;
	/**
	 * @successors: indices of blocks, in order of the terminator's operands (OpSwitch: the
	 * default first).
	 */
	const uint32_t *successors;
	uint32_t successor_count;
	/** @idom: index of the immediate dominator; SPIRV_NONE: entry block or unreachable. */
	uint32_t idom;
	/** @enter, @leave: times of a walk over the dominator tree: see spirv_dominates(). */
	uint32_t enter, leave;
	/**
	 * @order: index in a depth-first walk along the successors, from 0; the walk below this
	 * block ends at @order_end.
	 */
	uint32_t order, order_end;
	/** @reachable: reachable from the entry block of the function. */
	bool reachable;
};

/** struct spirv_function - a function */
struct spirv_function {
	uint32_t id;
	/** @type: id of its OpTypeFunction; @result: id of the type of its result. */
	uint32_t type, result;
	/** @parameters: ids of the parameters. */
	const uint32_t *parameters;
	uint32_t parameter_count;
	/** @first_block: index of the entry block; @block_count: 0: only declared. */
	uint32_t first_block, block_count;
	/** @first: index of OpFunction; @count: instructions through OpFunctionEnd. */
	uint32_t first, count;
};

/** struct spirv_entry - an entry point and its execution modes */
struct spirv_entry {
	/** @model: SpvExecutionModel. */
	uint32_t model;
	/** @function: index of the function. */
	uint32_t function;
	const char *name;
	/** @interface: ids of variables. */
	const uint32_t *interface;
	uint32_t interface_count;
	/**
	 * @local_size: invocations of a workgroup, by WorkgroupSize, LocalSizeId or LocalSize, in
	 * this order; 0: none is given.
	 */
	uint32_t local_size[3];
	/**
	 * @denorm_preserve, @denorm_flush, @round_even, @round_zero, @keep_nan_inf: execution modes
	 * by float width; bit 0: 16, bit 1: 32, bit 2: 64.
	 */
	uint8_t denorm_preserve, denorm_flush, round_even, round_zero, keep_nan_inf;
	/**
	 * @reconverges: diverged lanes reconverge at the merge block, even if they wait for each
	 * other.
	 */
	bool reconverges;
	/** @instruction: index of its OpEntryPoint. */
	uint32_t instruction;
};

struct spirv_chunk;

/** struct faa_spirv_module - a module */
struct faa_spirv_module {
	struct spirv_chunk *arena;
	/** @words: @count words in host byte order. */
	uint32_t *words;
	uint32_t count;
	/** @version, @generator: words of the header. */
	uint32_t version, generator;
	/** @bound: exclusive limit of ids. */
	uint32_t bound;
	uint32_t addressing_model, memory_model;
	/** @environment: environment whose rules were checked. */
	enum faa_spirv_environment environment;

	struct spirv_instruction *instructions;
	uint32_t instruction_count;
	/** @ids: @bound ids, followed by those of @made_constants. */
	struct spirv_id *ids;
	/** @capabilities: numbers of the declared and implied ones, ascending. */
	uint32_t *capabilities;
	uint32_t capability_count;
	/** @extensions: extensions that the grammar has, without duplicates. */
	const char **extensions;
	uint32_t extension_count;
	struct spirv_type *types;
	uint32_t type_count;
	/**
	 * @constants: @constant_count constants of the module; from index @constant_room on,
	 * @made_constants made for OpSpecConstantOp.
	 */
	struct spirv_constant *constants;
	uint32_t constant_count, constant_room, made_constants, made_room;
	struct spirv_variable *variables;
	uint32_t variable_count;
	/**
	 * @decorations: sorted by target, member (the id itself last), decoration, place in the
	 * module.
	 */
	struct spirv_decoration *decorations;
	uint32_t decoration_count;
	struct spirv_entry *entries;
	uint32_t entry_count;
	struct spirv_function *functions;
	uint32_t function_count;
	struct spirv_block *blocks;
	uint32_t block_count;
	/** @info: result of faa_spirv_info(). */
	struct faa_spirv_info info;
};

/** spirv_type() - the type @id, which must be one. */
static inline const struct spirv_type *spirv_type(const struct faa_spirv_module *module,
						  uint32_t id)
{
	return &module->types[module->ids[id].index];
}

/** spirv_type_of() - the type of value @id; NULL: it has none. */
static inline const struct spirv_type *spirv_type_of(const struct faa_spirv_module *module,
						     uint32_t id)
{
	uint32_t type = module->ids[id].type;

	return type ? spirv_type(module, type) : NULL;
}

/** spirv_constant() - the constant @id; NULL: it is none. */
static inline const struct spirv_constant *spirv_constant(const struct faa_spirv_module *module,
							  uint32_t id)
{
	return module->ids[id].kind == SPIRV_ID_CONSTANT ?
		       &module->constants[module->ids[id].index] :
		       NULL;
}

/**
 * spirv_dominates() - whether @a is @b or every path from the entry block to @b passes @a; both are
 * reachable blocks.
 */
static inline bool spirv_dominates(const struct spirv_block *a, const struct spirv_block *b)
{
	return a->enter <= b->enter && b->leave <= a->leave;
}

/**
 * spirv_decoration() - a decoration of @id, or of its @member (SPIRV_NONE: of itself); NULL: it has
 * none.
 */
const struct spirv_decoration *spirv_decoration(const struct faa_spirv_module *module, uint32_t id,
						uint32_t member, uint32_t decoration);

/** spirv_has_capability() - whether @capability is declared or implied. */
bool spirv_has_capability(const struct faa_spirv_module *module, uint32_t capability);

/** spirv_has_extension() - whether the module has OpExtension @name. */
bool spirv_has_extension(const struct faa_spirv_module *module, const char *name);

/** spirv_alloc() - @count zeroed items of @size bytes in the module's arena; NULL: no memory. */
void *spirv_alloc(struct faa_spirv_module *module, size_t count, size_t size);

#endif /* FAA_SPIRV_MODULE_H */
