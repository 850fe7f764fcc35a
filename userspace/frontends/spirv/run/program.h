/* SPDX-License-Identifier: MIT */
/*
 * A kernel in the form in which warps execute it.
 *
 * Every scalar of every value has a *slot*: 32 items of 64 bits, one a lane. Integers are there extended with zeros, floating-point numbers as their
 * bits, booleans as 0 and 1. Variables of the classes Function, Private and Input are slots too. Instructions of a function lie in an order in which
 * every block of a construct comes before its merge block, and functions before those that call them: so of the lanes of a warp those at the lowest
 * instruction go first, and all meet at the merge.
 */
#ifndef FAA_SPIRV_PROGRAM_H
#define FAA_SPIRV_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPIRV_LANES 32u

/* A slot of the program, the same for all warps, instead of one of the warp. */
#define SLOT_CONST 0x80000000u
#define SLOT_NONE  0xffffffffu

/* Instructions that are not SPIR-V's own: codes of those are the opcodes, those of GLSL.std.450 begin at CODE_GLSL. */
enum spirv_code {
	/* dst = mask of b bits from bit a on */
	CODE_FIELD_MASK = 0x3f00,
	CODE_GLSL = 0x4000,
	/* dst, count slots from a; x slots in all (the list) of struct spirv_move from extra on */
	CODE_MOVE = 0x8000,
	CODE_MOVES,
	/* dst = a + imm; dst = a + sign extended b * imm */
	CODE_ADD_IMM,
	CODE_MUL_ADD,
	/* dst = item b of the constants from a on */
	CODE_TABLE,
	/* count slots of width bits from dst on = the parts of a, low one first; dst = count slots from a on, put together */
	CODE_UNPACK,
	CODE_PACK,
	/* to block a; to a if slot b is true, else to c; one of the targets */
	CODE_JUMP,
	CODE_JUMP_IF,
	CODE_SWITCH,
	CODE_CALL,
	CODE_RETURN,
	/* memory: extra is an access */
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
	/** @opcode: the SPIR-V instruction that it belongs to, for messages */
	uint16_t opcode;
	/** @width: bits of a component of the operands */
	uint8_t width;
	/** @to: bits of a component of the result */
	uint8_t to;
	/** @count: components */
	uint16_t count;
	/** @step: bit n: operand n goes on with the component */
	uint8_t step;
	/** @flush: results that are denormal become zero */
	bool flush;
	/** @word: word offset in the module */
	uint32_t word;
	uint32_t dst;
	uint32_t a, b, c, d;
	/** @extra: number or index, as the code says */
	uint32_t extra;
	int64_t imm;
};

/** struct spirv_move - @count slots from @from to @to */
struct spirv_move {
	uint32_t to, from, count;
};

/** struct spirv_edge - what happens on the way to a block */
struct spirv_edge {
	/** @target: instruction */
	uint32_t target;
	/** @move: first of @moves, done all at once */
	uint32_t move, moves;
};

/** struct spirv_case - of a switch */
struct spirv_case {
	uint64_t value;
	uint32_t edge;
};

/** enum spirv_space - where a pointer points to */
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

/** enum spirv_atomic_kind - what an atomic instruction becomes */
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
	/** @seq_cst: a FENCE.SC goes before */
	bool seq_cst;
	/** @before, @after: FENCE of a shared operation, whose command has no order; UINT8_MAX: none */
	uint8_t fence_before, fence_after;
	/** @flag: the result is whether it was not 0 */
	bool flag;
	/** @width: bits of the item in memory */
	uint8_t width;
	/** @coordinates: of a texel, in slots from ins.b on; dim: enum faa_dim */
	uint8_t coordinates;
	uint8_t dim;
};

/** struct spirv_fence - OpMemoryBarrier, or that of OpControlBarrier */
struct spirv_fence {
	/** @none: it orders nothing */
	bool none;
	uint8_t order;
	uint8_t scope;
};

/** enum spirv_builtin - what a warp begins with in its slots */
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

/** enum spirv_resource_kind - what a program is bound to */
enum spirv_resource_kind { RESOURCE_BUFFER, RESOURCE_IMAGE };

/** struct spirv_resource - a variable with set and binding */
struct spirv_resource {
	uint8_t kind;
	uint32_t set, binding;
	/** @count: elements of an array of them */
	uint32_t count;
	/** @slot: buffer: constant slots that hold the addresses; image: first place in the table of images */
	uint32_t slot;
	/** @min_bytes: of a buffer, without its runtime array */
	uint64_t min_bytes;
	/** @dim: of an image, enum faa_dim; @width: bits of a texel */
	uint8_t dim;
	uint8_t width;
	/** @components: of a texel */
	uint8_t components;
	/** @data_type: enum faa_data_type that its texels have */
	uint8_t data_type;
};

/** struct spirv_program - a kernel */
struct spirv_program {
	struct spirv_ins *code;
	uint32_t length;
	/** @entry: where warps begin */
	uint32_t entry;
	/** @slots: of a warp */
	uint32_t slots;
	/** @constants: 32 items each; addresses of buffers are filled in for a dispatch */
	uint64_t *constants;
	uint32_t constant_count;
	uint32_t local[3];
	/** @reconverges: no lanes go ahead of others that may still meet them */
	bool reconverges;
	/** @shared_bytes: of a workgroup, a multiple of 8 */
	uint32_t shared_bytes;
	/** @clear_shared: some of it has an initializer */
	bool clear_shared;
	/** @builtin: first slot of each; SLOT_NONE: not used */
	uint32_t builtin[BUILTINS];
	struct spirv_resource *resources;
	uint32_t resource_count;
	/** @images: places in the table of images */
	uint32_t images;
	uint32_t push_bytes;
	struct spirv_edge *edges;
	uint32_t edge_count;
	struct spirv_move *moves;
	uint32_t move_count;
	/** @most_moves: slots that one edge moves at most */
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
