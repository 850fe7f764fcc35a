/* SPDX-License-Identifier: MIT */
/*
 * PTX: representation of code between text and commands. spec/ptx.toml has the tables of
 * instructions.
 */
#ifndef FAA_PTX_H
#define FAA_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../asm/asm.h"
#include "ptx/ptx_table.h"

struct ptx_type_info {
	const char *name;
	unsigned int bits;
	/* b, u, s, f or p. */
	char kind;
	/* enum faa_type of commands, -1: none. */
	int device;
};

struct ptx_scope_info {
	const char *name;
	enum faa_scope device;
	unsigned int since;
};

struct ptx_atomic_info {
	const char *name;
	unsigned int args;
	bool red;
	enum faa_atom_op atom;
	enum faa_atoms_op atoms;
	/*
	 * Types as bits 1 << enum ptx_type: legal ones, those with .noftz, those of ATOM and those
	 * of ATOMS.
	 */
	uint32_t types, noftz, global, shared;
	uint8_t since[PTX_COUNT];
};

struct ptx_memory_info {
	const char *name;
	/* Bits 1 << enum ptx_sem. */
	uint32_t sems;
	enum ptx_sem meant;
	uint32_t types;
	uint8_t since[PTX_IS_COUNT];
	const char *caches[8];
};

struct ptx_level_info {
	const char *name;
	enum ptx_scope scope;
};

enum ptx_lowering {
	PTX_LOWER_ALU,
	PTX_LOWER_MOVE,
	PTX_LOWER_NOT,
	PTX_LOWER_NEGATE,
	PTX_LOWER_WIDE,
	PTX_LOWER_MAD,
	PTX_LOWER_CONVERT,
	PTX_LOWER_COMPARE,
	PTX_LOWER_BRANCH,
	PTX_LOWER_BARRIER,
	PTX_LOWER_RETURN,
};

struct ptx_plain_info {
	const char *name;
	const char *modifiers[4];
	const char *optional[4];
	uint32_t types, from;
	/* Types that are legal in PTX, but not supported. */
	uint32_t other_types;
	const char *operands;
	enum ptx_lowering lowering;
	enum faa_alu_op alu;
};

struct ptx_compare_info {
	const char *name;
	enum faa_cmp cmp, opposite;
	const char *classes;
};

struct ptx_special_info {
	const char *name;
	uint32_t base, step;
};

extern const struct ptx_type_info ptx_types[];
extern const struct ptx_scope_info ptx_scopes[];
extern const char *const ptx_spaces[];
extern const char *const ptx_sems[];
/* Names that are legal in PTX, but not supported; each list ends with NULL. */
extern const char *const ptx_other_instructions[];
extern const char *const ptx_other_modifiers[];
extern const char *const ptx_other_directives[];
extern const char *const ptx_other_specials[];
extern const char *const ptx_l1_hints[];
extern const char *const ptx_l2_hints[];
extern const struct ptx_atomic_info ptx_atomics[];
extern const struct ptx_memory_info ptx_memories[];
extern const struct ptx_level_info ptx_levels[];
extern const struct ptx_plain_info ptx_plains[];
extern const struct ptx_compare_info ptx_compares[];
extern const struct ptx_special_info ptx_specials[];

/* ------------------------------------------------------------------------------------------------
 * Names
 */

/** enum ptx_name_kind - kind of a name */
enum ptx_name_kind {
	PTX_NAME_REGISTER,
	PTX_NAME_SYMBOL,
	PTX_NAME_LABEL,
	/**
	 * @PTX_NAME_RANGE: registers of a declaration such as %r<5>; a register's name is that of
	 * the range and a number.
	 */
	PTX_NAME_RANGE,
};

/** struct ptx_name - an entry of struct ptx_names */
struct ptx_name {
	/** @scope: block of the declaration, 0: the text, outside of all blocks. */
	uint32_t scope;
	/* Offset and size in ptx_names.text. */
	uint32_t at, size;
	uint32_t hash;
	enum ptx_name_kind kind;
	uint32_t index;
};

/** struct ptx_names - names by their text; ranges have a name space of their own */
struct ptx_names {
	struct ptx_name *entries;
	/* Index of an entry + 1; 0 is free. */
	uint32_t *slots;
	size_t count, capacity, slot_count;
	char *text;
	size_t text_size, text_capacity;
};

/** ptx_names_find() - look up a name in @scope itself; NULL: not found. */
struct ptx_name *ptx_names_find(const struct ptx_names *names, uint32_t scope, const char *text,
				size_t size, bool range);

/** ptx_names_add() - add an entry to @scope. Return: its index, or -ENOMEM. */
int64_t ptx_names_add(struct ptx_names *names, uint32_t scope, const char *text, size_t size,
		      enum ptx_name_kind kind, uint32_t index);

/**
 * ptx_names_add_copy() - add label @index with the text of an entry to another scope. Return: the
 * new entry, or -ENOMEM.
 */
int64_t ptx_names_add_copy(struct ptx_names *names, uint32_t scope, uint32_t entry, uint32_t index);

/** ptx_names_text() - the text of an entry, which ends with 0. */
static inline const char *ptx_names_text(const struct ptx_names *names, uint32_t entry)
{
	return names->text + names->entries[entry].at;
}

void ptx_names_free(struct ptx_names *names);

/**
 * ptx_grow() - make room for one more item after @count. Return: the array; NULL: no memory, the
 * array is unchanged.
 */
void *ptx_grow(void *items, size_t count, size_t *capacity, size_t size);

/* ------------------------------------------------------------------------------------------------
 * Code
 */

enum ptx_operand_kind {
	PTX_OPERAND_NONE,
	PTX_OPERAND_REGISTER,
	PTX_OPERAND_CONSTANT,
	/** @PTX_OPERAND_SYMBOL: address of a variable. */
	PTX_OPERAND_SYMBOL,
	PTX_OPERAND_SPECIAL,
	PTX_OPERAND_LABEL,
};

/** struct ptx_operand - an operand, or an address */
struct ptx_operand {
	enum ptx_operand_kind kind;
	/** @index: register, symbol, special register or label. */
	uint32_t index;
	/** @value: bits of a constant; offset of an address. */
	uint64_t value;
};

/** struct ptx_instruction - an instruction with all defaults filled in */
struct ptx_instruction {
	uint32_t line, column;
	/** @memory: @which is enum ptx_memory, else an index into ptx_plains. */
	bool memory;
	bool guarded, negated;
	uint8_t which;
	uint8_t sem, scope, space, atomic;
	uint8_t type, from, compare;
	/** @optional: modifiers that are present, bits of ptx_plain_info.optional. */
	uint8_t optional;
	uint32_t guard;
	/**
	 * @operands: d, a, b, c; p, a, b, q of setp. The address of a memory instruction is operand
	 * 1.
	 */
	struct ptx_operand operands[4];
};

struct ptx_register {
	uint32_t name;
	uint8_t type;
};

/** struct ptx_symbol - a variable or parameter */
struct ptx_symbol {
	uint32_t name;
	uint8_t space, type;
	uint32_t align;
	/** @elements: 0: no array; UINT32_MAX: an array of unknown size. */
	uint32_t elements;
	/** @address: address in shared memory. */
	uint32_t address;
	/**
	 * @initial: offset of the @initial_bytes first bytes in ptx_code.data; the others are 0.
	 */
	size_t initial, initial_bytes;
};

/** PTX_UNKNOWN_SIZE - elements of .extern .shared NAME[] */
#define PTX_UNKNOWN_SIZE UINT32_MAX

struct ptx_label {
	uint32_t name;
	/** @at: instruction that follows it, UINT32_MAX: not placed yet. */
	uint32_t at;
	uint32_t line, column;
	/** @same: label of an outer block that this label was resolved to; else itself. */
	uint32_t same;
};

/** struct ptx_mark - a label, or the beginning or end of a block, before an instruction */
struct ptx_mark {
	uint32_t at;
	enum { PTX_MARK_LABEL, PTX_MARK_OPEN, PTX_MARK_CLOSE } kind;
	/** @index: index of the label, or scope of the block. */
	uint32_t index;
};

/** struct ptx_kernel - a kernel, or instructions without one */
struct ptx_kernel {
	/** @name: entry of names, -1: none. */
	int64_t name;
	/** @scope: scope of its parameters and of the declarations in its braces. */
	uint32_t scope;
	/**
	 * @first: first of its @count instructions; @first_mark: first of its @mark_count marks.
	 */
	size_t first, count, first_mark, mark_count;
	/**
	 * @shared_bytes: size of its own shared variables, which follow those outside of kernels,
	 * at a multiple of @shared_align.
	 */
	uint32_t shared_bytes, shared_align;
	/** @needed: threads of a CTA by .reqntid; @most: by .maxntid; 0: not specified. */
	uint32_t needed[3], most[3];
};

/** struct ptx_range - registers of one declaration: 0 .. count - 1 */
struct ptx_range {
	uint32_t count;
	uint8_t type;
	/** @lowest: lowest number that has a declaration of its own, UINT32_MAX for none. */
	uint32_t lowest;
};

struct ptx_code {
	struct faa_asm_code common;
	struct ptx_names names;
	struct ptx_instruction *instructions;
	size_t count, capacity;
	struct ptx_register *registers;
	size_t register_count, register_capacity;
	struct ptx_symbol *symbols;
	size_t symbol_count, symbol_capacity;
	struct ptx_label *labels;
	size_t label_count, label_capacity;
	struct ptx_mark *marks;
	size_t mark_count, mark_capacity;
	/** @kernels: none where the text is a list of instructions, which is @bare. */
	struct ptx_kernel *kernels;
	size_t kernel_count, kernel_capacity;
	struct ptx_kernel bare;
	/** @chosen: kernel to emit; @choice: set by ptx_choose(). */
	size_t chosen;
	bool choice;
	/** @scopes: parent of each block. */
	uint32_t *scopes;
	size_t scope_count, scope_capacity;
	/** @data: initial values. */
	uint8_t *data;
	size_t data_size, data_capacity;
	struct ptx_range *ranges;
	size_t range_count, range_capacity;
	/**
	 * @version: ISA version * 10, 0: not specified; @target: number of sm_, 0: not specified.
	 */
	uint32_t version, target;
	/** @shared_bytes: end of the shared variables outside of kernels. */
	uint32_t shared_bytes;
};

/** ptx_chosen() - the kernel to emit. */
static inline const struct ptx_kernel *ptx_chosen(const struct ptx_code *code)
{
	return code->kernel_count ? &code->kernels[code->chosen] : &code->bare;
}

/** ptx_is_aggregate() - whether a symbol is an array parameter, which lies in memory. */
static inline bool ptx_is_aggregate(const struct ptx_symbol *symbol)
{
	return symbol->space == PTX_IN_PARAM && symbol->elements;
}

/** ptx_symbol_bytes() - size of a variable, 0: unknown. */
static inline uint64_t ptx_symbol_bytes(const struct ptx_symbol *symbol)
{
	uint64_t elements = symbol->elements ? symbol->elements : 1;

	return symbol->elements == PTX_UNKNOWN_SIZE ? 0 :
						      elements * ptx_types[symbol->type].bits / 8;
}

/** ptx_register_bits() - width of a register. */
static inline unsigned int ptx_register_bits(const struct ptx_code *code, uint32_t index)
{
	return ptx_types[code->registers[index].type].bits;
}

/** ptx_is_float() - whether a type is a floating-point type. */
static inline bool ptx_is_float(unsigned int type)
{
	return ptx_types[type].kind == 'f';
}

/* ------------------------------------------------------------------------------------------------
 * Functions of struct faa_asm_language
 */

int ptx_read(const void *data, size_t size, struct faa_asm_code **code, struct faa_asm_log *log);
int ptx_write(const struct faa_asm_code *code, void **data, size_t *size,
	      struct faa_asm_error *error);
int ptx_emit(const struct faa_asm_code *code, const struct faa_asm_environment *environment,
	     struct faa_stream *stream, struct faa_asm_error *error);
void ptx_destroy(struct faa_asm_code *code);
int ptx_choose(struct faa_asm_code *code, const char *name, struct faa_asm_error *error);
bool ptx_variable(const struct faa_asm_code *code, size_t index, struct faa_asm_variable *variable);

#endif /* FAA_PTX_H */
