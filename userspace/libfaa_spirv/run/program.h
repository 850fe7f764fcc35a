/* SPDX-License-Identifier: MIT */
/*
 * A kernel in the form that warps execute.
 *
 * Every scalar of every value has a *slot*: 32 items of 64 bits, one per lane. Integers are
 * zero-extended, floating-point numbers are their bits, booleans are 0 and 1. Variables of the
 * classes Function, Private and Input are slots too.
 *
 * In the order of instructions, all blocks of a construct precede its merge block, and functions
 * precede their callers. A warp executes the lanes at the lowest instruction first, so all lanes
 * meet at the merge block.
 */
#ifndef FAA_SPIRV_PROGRAM_H
#define FAA_SPIRV_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPIRV_LANES 32u

/* Flag of a slot of the program, which all warps share; other slots belong to a warp. */
#define SLOT_CONST 0x80000000u
#define SLOT_NONE  0xffffffffu

/* Instructions: a SPIR-V opcode, CODE_GLSL + an instruction of GLSL.std.450, or one of these. */
enum spirv_code {
	/* dst = mask of b bits from bit a on */
	CODE_FIELD_MASK = 0x3f00,
	CODE_GLSL = 0x4000,
	/* dst, count slots = slots from a on */
	CODE_MOVE = 0x8000,
	/* dst = a + imm; dst = a + sign extended b * imm */
	CODE_ADD_IMM,
	CODE_MUL_ADD,
	/* dst = item b of the constants from a on */
	CODE_TABLE,
	/* count slots of width bits from dst on = the parts of a, low part first; the inverse */
	CODE_UNPACK,
	CODE_PACK,
	/*
	 * jump to edge a; to edge b if slot a is true, else to edge c; to the edge of the case of
	 * slot a, else to edge b
	 */
	CODE_JUMP,
	CODE_JUMP_IF,
	CODE_SWITCH,
	CODE_CALL,
	CODE_RETURN,
	/* memory: extra is the index of an access */
	CODE_LOAD,
	CODE_STORE,
	CODE_GATHER,
	CODE_SCATTER,
	CODE_ATOMIC,
	CODE_LENGTH,
	CODE_IMAGE_READ,
	CODE_IMAGE_WRITE,
	CODE_IMAGE_SIZE,
	CODE_FENCE,
	CODE_BARRIER,
	CODE_END,
	CODE_TRAP,
};

/** struct spirv_ins - one instruction */
struct spirv_ins {
	/** @code: SPIR-V opcode, CODE_GLSL + instruction of GLSL.std.450, or enum spirv_code */
	uint16_t code;
	/** @opcode: SPIR-V opcode of the source instruction, for messages */
	uint16_t opcode;
	/** @width: bits of a component of the operands */
	uint8_t width;
	/** @to: bits of a component of the result */
	uint8_t to;
	/** @count: components */
	uint16_t count;
	/** @step: bit n: operand n advances with the component */
	uint8_t step;
	/** @flush: flush denormal results to zero */
	bool flush;
	/** @word: word offset in the module */
	uint32_t word;
	uint32_t dst;
	uint32_t a, b, c, d;
	/** @extra: number or index, by @code */
	uint32_t extra;
	int64_t imm;
};

/** struct spirv_move - @count slots from @from to @to */
struct spirv_move {
	uint32_t to, from, count;
};

/** struct spirv_edge - moves on the way to a block */
struct spirv_edge {
	/** @target: index of the instruction */
	uint32_t target;
	/** @move: first of @moves, which are done in parallel */
	uint32_t move, moves;
};

/** struct spirv_case - a case of a switch */
struct spirv_case {
	uint64_t value;
	uint32_t edge;
};

/** enum spirv_space - address space of a pointer */
enum spirv_space {
	/* slots of the warp */
	SPACE_SLOTS,
	/* addresses of the VM */
	SPACE_GLOBAL,
	/* the push constants */
	SPACE_PUSH,
	/* shared memory of the workgroup */
	SPACE_SHARED,
	/* a texel, or an image */
	SPACE_IMAGE,
};

/** struct spirv_leaf - a scalar of a value in memory */
struct spirv_leaf {
	uint32_t offset;
	/** @bytes: 1, 2, 4, 8 */
	uint32_t bytes;
};

/** struct spirv_access - a load or store of memory by bytes, or of slots */
struct spirv_access {
	uint8_t space;
	/** @leaf: first of @leaves, in the order of the value's slots */
	uint32_t leaf, leaves;
};

/** enum spirv_atomic_kind - operation that an atomic instruction is compiled to */
enum spirv_atomic_kind { ATOMIC_RMW, ATOMIC_LOAD, ATOMIC_STORE };

/** struct spirv_atomic - an atomic instruction */
struct spirv_atomic {
	uint8_t space;
	uint8_t kind;
	/** @op: enum faa_atom_op */
	uint8_t op;
	/** @type: enum faa_type */
	uint8_t type;
	uint8_t scope;
	uint8_t order;
	/** @modes: enum faa_float_mode */
	uint8_t modes;
	bool has_b, has_c;
	/** @seq_cst: a FENCE.SC precedes it */
	bool seq_cst;
	/**
	 * @fence_before, @fence_after: order of a FENCE around a shared operation, whose command
	 * has no order; UINT8_MAX: none
	 */
	uint8_t fence_before, fence_after;
	/** @flag: the result is whether the value was not 0 */
	bool flag;
	/** @width: bits of the item in memory */
	uint8_t width;
	/** @coordinates: coordinates of a texel, in slots from ins.b on; @dim: enum faa_dim */
	uint8_t coordinates;
	uint8_t dim;
};

/** struct spirv_fence - OpMemoryBarrier, or the memory barrier of OpControlBarrier */
struct spirv_fence {
	/** @none: it orders nothing */
	bool none;
	uint8_t order;
	uint8_t scope;
};

/** enum spirv_builtin - values that are set in the slots of a warp at its start */
enum spirv_builtin {
	BUILTIN_NUM_WORKGROUPS,
	BUILTIN_WORKGROUP_SIZE,
	BUILTIN_WORKGROUP_ID,
	BUILTIN_LOCAL_ID,
	BUILTIN_GLOBAL_ID,
	BUILTIN_LOCAL_INDEX,
	BUILTIN_SUBGROUP_SIZE,
	BUILTIN_NUM_SUBGROUPS,
	BUILTIN_SUBGROUP_ID,
	BUILTIN_SUBGROUP_LANE,
	BUILTIN_MASK_EQ,
	BUILTIN_MASK_GE,
	BUILTIN_MASK_GT,
	BUILTIN_MASK_LE,
	BUILTIN_MASK_LT,
	BUILTINS,
};

/** enum spirv_resource_kind - kind of a bound resource */
enum spirv_resource_kind { RESOURCE_BUFFER, RESOURCE_IMAGE };

/** struct spirv_resource - a variable with set and binding */
struct spirv_resource {
	uint8_t kind;
	uint32_t set, binding;
	/** @count: elements of an array of resources */
	uint32_t count;
	/**
	 * @slot: buffer: first constant slot of the addresses; image: first index in the table of
	 * images
	 */
	uint32_t slot;
	/** @min_bytes: size of a buffer without its runtime array */
	uint64_t min_bytes;
	/** @dim: enum faa_dim of an image; @width: bits of a texel */
	uint8_t dim;
	uint8_t width;
	/** @components: components of a texel */
	uint8_t components;
	/** @data_type: enum faa_data_type of the texels */
	uint8_t data_type;
};

/** struct spirv_program - a kernel */
struct spirv_program {
	struct spirv_ins *code;
	uint32_t length;
	/** @entry: first instruction */
	uint32_t entry;
	/** @slots: slots of a warp */
	uint32_t slots;
	/** @constants: 32 items each; a dispatch fills in the addresses of buffers */
	uint64_t *constants;
	uint32_t constant_count;
	uint32_t local[3];
	/** @reconverges: no lane is executed ahead of lanes that it may still meet */
	bool reconverges;
	/** @shared_bytes: shared memory of a workgroup, a multiple of 8 */
	uint32_t shared_bytes;
	/** @clear_shared: a Workgroup variable has an initializer */
	bool clear_shared;
	/** @builtin: first slot of each; SLOT_NONE: not used */
	uint32_t builtin[BUILTINS];
	struct spirv_resource *resources;
	uint32_t resource_count;
	/** @images: size of the table of images */
	uint32_t images;
	uint32_t push_bytes;
	struct spirv_edge *edges;
	uint32_t edge_count;
	struct spirv_move *moves;
	uint32_t move_count;
	/** @most_moves: largest number of slots that one edge moves */
	uint32_t most_moves;
	struct spirv_case *cases;
	uint32_t case_count;
	struct spirv_access *accesses;
	uint32_t access_count;
	struct spirv_leaf *leaves;
	uint32_t leaf_count;
	struct spirv_atomic *atomics;
	uint32_t atomic_count;
	struct spirv_fence *fences;
	uint32_t fence_count;
};

#endif /* FAA_SPIRV_PROGRAM_H */
