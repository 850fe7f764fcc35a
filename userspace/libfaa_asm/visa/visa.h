/* SPDX-License-Identifier: MIT */
/*
 * vISA code: a kernel with its declarations, or bare instructions, in which V<n>, P<n> and L<n> are
 * variable, predicate and label number n. See Documentation/visa.rst.
 */
#ifndef VISA_H
#define VISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../asm/asm.h"
#include "visa_tables.h"

#define VISA_GRF 32u
/*
 * Number of the first general variable, predicate and surface that a kernel declares; lower ones
 * are predefined.
 */
#define VISA_FIRST_GENERAL   32u
#define VISA_FIRST_PREDICATE 1u
#define VISA_FIRST_SURFACE   6u

/* Kinds of variables, in the order of a CISA file. */
enum visa_class {
	VISA_GENERAL,
	VISA_ADDRESS,
	VISA_PREDICATE,
	VISA_SAMPLER,
	VISA_SURFACE,
	VISA_CLASSES,
};

/* Operands of SVM_ATOMIC, in the order of its bytes. */
enum visa_slot {
	VISA_ADDRESSES,
	VISA_SRC0,
	VISA_SRC1,
	VISA_DST,
	VISA_SLOTS,
};

/** struct visa_raw - a raw operand */
struct visa_raw {
	/** @variable: number, 0 = null. */
	uint32_t variable;
	/** @offset: first byte of the operand in the variable. */
	uint16_t offset;
};

/** struct visa_inst - an instruction */
struct visa_inst {
	/** @opcode: enum visa_opcode. */
	uint8_t opcode;
	/** @exec: RET, SVM: execution size and mask, as encoded. */
	uint8_t exec;
	/** @predicate: RET, SVM: predicate control, as encoded. */
	uint16_t predicate;
	/** @op: SVM: operation and width, as encoded; FENCE: its mask. */
	uint8_t op;
	/** @label: SUBROUTINE, LABEL. */
	uint16_t label;
	/** @line: line of the text, or number of the instruction in a binary form, from 1. */
	uint32_t line;
	/** @raw: SVM, by enum visa_slot. */
	struct visa_raw raw[VISA_SLOTS];
};

/** struct visa_attribute - attribute of a variable or the kernel */
struct visa_attribute {
	/** @name: name in the pool. */
	uint32_t name;
	/** @text: value in the pool, if @kind is VISA_TEXT. */
	uint32_t text;
	/** @value: value, if @kind is VISA_NUMBER. */
	uint32_t value;
	/** @kind: without a value, with a number, or with a text. */
	enum { VISA_BARE, VISA_NUMBER, VISA_TEXT } kind;
};

/** struct visa_variable - a declaration */
struct visa_variable {
	/** @name: name in the pool. */
	uint32_t name;
	/** @elements: elements of @type. */
	uint16_t elements;
	/** @type: general: enum visa_type. */
	uint8_t type;
	/** @align: general: enum visa_align. */
	uint8_t align;
	/** @alias: general: number of the variable that it is an alias of; 0 = none. */
	uint32_t alias;
	/** @alias_offset: first byte in @alias. */
	uint16_t alias_offset;
	/**
	 * @root: general: number of the variable at the end of the chain of aliases; its own
	 * without an alias.
	 */
	uint32_t root;
	/** @root_offset: first byte in @root. */
	uint32_t root_offset;
	/** @attributes: index of the first attribute; there are @attribute_count. */
	uint32_t attributes;
	uint8_t attribute_count;
};

/** struct visa_input - an input of the kernel */
struct visa_input {
	/** @class: enum visa_class: general, sampler or surface. */
	uint8_t class;
	/** @number: number of the variable. */
	uint32_t number;
	/** @offset: byte in the payload. */
	uint16_t offset;
	/** @size: bytes. */
	uint16_t size;
};

/** struct visa_label - a label, indexed by number */
struct visa_label {
	/** @name: name in the pool; 0 = L<n>. */
	uint32_t name;
	/** @kind: VISA_SUBROUTINE or VISA_LABEL; 0 = there is no such label. */
	uint8_t kind;
};

/** struct visa_array - a growing array */
struct visa_array {
	void *items;
	uint32_t count;
	uint32_t capacity;
};

/** struct visa_code - a kernel or bare instructions */
struct visa_code {
	struct faa_asm_code base;
	/**
	 * @kernel: there is a .kernel, whose name in the pool is @name; otherwise bare
	 * instructions.
	 */
	bool kernel;
	uint32_t name;
	/** @major: .version; 0 = none. */
	uint8_t major;
	uint8_t minor;
	/** @pool: names and texts, each followed by a 0; the one at 0 is empty. */
	struct visa_array pool;
	/** @variables: struct visa_variable, by class. */
	struct visa_array variables[VISA_CLASSES];
	/** @attributes: struct visa_attribute, those of the kernel and of the variables. */
	struct visa_array attributes;
	/** @kernel_attributes: struct visa_attribute. */
	struct visa_array kernel_attributes;
	/** @inputs: struct visa_input. */
	struct visa_array inputs;
	/** @labels: struct visa_label, by number. */
	struct visa_array labels;
	/** @insts: struct visa_inst. */
	struct visa_array insts;
};

/** struct visa_places - columns of the parts of an instruction, for errors */
struct visa_places {
	uint32_t line;
	uint32_t start;
	uint32_t exec;
	uint32_t mask;
	uint32_t predicate;
	uint32_t op;
	uint32_t width;
	uint32_t raw[VISA_SLOTS];
};

/* visa.c */

/** visa_create() - empty code. Return: NULL without memory. */
struct visa_code *visa_create(void);
void visa_destroy(struct faa_asm_code *code);

/** visa_add() - append an item of @size bytes, set to 0. Return: the item; NULL without memory. */
void *visa_add(struct visa_array *array, size_t size);

/** visa_text_add() - append @size bytes and a 0 to the pool. Return: 0 or -ENOMEM. */
int visa_text_add(struct visa_code *code, const char *text, size_t size, uint32_t *place);

static inline const char *visa_text(const struct visa_code *code, uint32_t place)
{
	return (const char *)code->pool.items + place;
}

static inline struct visa_inst *visa_insts(const struct visa_code *code)
{
	return (struct visa_inst *)code->insts.items;
}

static inline struct visa_label *visa_labels(const struct visa_code *code)
{
	return (struct visa_label *)code->labels.items;
}

static inline struct visa_variable *visa_variables(const struct visa_code *code,
						   enum visa_class class)
{
	return (struct visa_variable *)code->variables[class].items;
}

/** visa_first() - number of the first variable of a class that code declares. */
uint32_t visa_first(enum visa_class class);

/** visa_find() - the declaration of variable @number; NULL if there is none. */
const struct visa_variable *visa_find(const struct visa_code *code, enum visa_class class,
				      uint32_t number);

/**
 * visa_declared() - whether variables of @class must be declared; otherwise the name has the
 * number.
 */
bool visa_declared(const struct visa_code *code, enum visa_class class);

/** visa_name() - name of variable @number, or V<n> and P<n>; @buffer has 16 bytes. */
const char *visa_name(const struct visa_code *code, enum visa_class class, uint32_t number,
		      char *buffer);

/** visa_label_name() - name of label @number; @buffer has 16 bytes. */
const char *visa_label_name(const struct visa_code *code, uint32_t number, char *buffer);

/** visa_label_put() - place label @number. Return: 0; -EEXIST: it is already placed; -ENOMEM. */
int visa_label_put(struct visa_code *code, uint32_t number, uint8_t kind, uint32_t name);

/*
 * Size of fields that are narrower in early versions of CISA files: length of the kernel's name,
 * and number of inputs.
 */

static inline unsigned int visa_name_bytes(const struct visa_code *code)
{
	return code->major == 3 && code->minor < 7 ? 1 : 2;
}

static inline unsigned int visa_input_bytes(const struct visa_code *code)
{
	return code->major == 3 && code->minor < 5 ? 1 : 4;
}

/** visa_bytes() - size of a variable. */
static inline uint32_t visa_bytes(const struct visa_variable *variable)
{
	return variable->elements * (uint32_t)visa_types[variable->type].bytes;
}

/* Parts of an instruction's bytes. */

static inline unsigned int visa_width_code(const struct visa_inst *inst)
{
	return inst->op >> 5;
}

static inline unsigned int visa_size(const struct visa_inst *inst)
{
	return 1u << (inst->exec & 7);
}

/** visa_channel() - the first channel of its mask. */
static inline unsigned int visa_channel(const struct visa_inst *inst)
{
	return (inst->exec >> 4 & 7) * 4u;
}

static inline bool visa_no_mask(const struct visa_inst *inst)
{
	return inst->exec & 0x80;
}

static inline uint32_t visa_predicate(const struct visa_inst *inst)
{
	return inst->predicate & 0xfff;
}

/** enum visa_combine - bits 14..13 of a predicate control */
enum visa_combine {
	VISA_EACH,
	VISA_ANY,
	VISA_ALL,
};

static inline unsigned int visa_combine(const struct visa_inst *inst)
{
	return inst->predicate >> 13 & 3;
}

static inline bool visa_inverted(const struct visa_inst *inst)
{
	return inst->predicate & 0x8000;
}

/* check.c */

/**
 * visa_check() - whether an instruction follows the rules, for all forms. Return: 0; -EINVAL with
 * @error.
 */
int visa_check(const struct visa_code *code, const struct visa_inst *inst,
	       const struct visa_places *places, struct faa_asm_error *error);

/**
 * visa_check_variable() - whether the next general variable may be declared in this way
 * @variable: the declaration; receives @root and @root_offset
 * @column: column of the declaration
 */
int visa_check_variable(const struct visa_code *code, struct visa_variable *variable, uint32_t line,
			uint32_t column, struct faa_asm_error *error);

/** visa_check_input() - whether an input agrees with the variables and the inputs before it. */
int visa_check_input(const struct visa_code *code, const struct visa_input *input, uint32_t line,
		     uint32_t column, struct faa_asm_error *error);

/**
 * enum visa_attribute_class - type of the value of an attribute, by its name; every attribute may
 * be bare
 */
enum visa_attribute_class {
	VISA_HAS_NUMBER,
	VISA_HAS_TEXT,
	/** @VISA_HAS_TARGET: "cm" or "3d", a byte 0 or 1 in a file. */
	VISA_HAS_TARGET,
};

enum visa_attribute_class visa_attribute_class(const char *name);

/** visa_is_name() - whether @text can be a name. */
bool visa_is_name(const char *text);

/* bytes.c */

/**
 * visa_decode() - decode and check one instruction
 * @code: code of the instruction; a label is placed there
 * @bytes: @size bytes; may be more than those of the instruction
 * @used: receives the size of the instruction
 * @line: number of the instruction, for errors
 *
 * Return: 0; -EINVAL with @error; -ENOMEM.
 */
int visa_decode(struct visa_code *code, const uint8_t *bytes, size_t size, size_t *used,
		uint32_t line, struct faa_asm_error *error);

/** visa_encode() - bytes of an instruction; @bytes has VISA_SVM_BYTES. Return: their number. */
size_t visa_encode(const struct visa_inst *inst, uint8_t *bytes);

/* The forms. */

int visa_read_text(const void *data, size_t size, struct faa_asm_code **code,
		   struct faa_asm_log *log);
int visa_write_text(const struct faa_asm_code *code, void **data, size_t *size,
		    struct faa_asm_error *error);
int visa_read_hex(const void *data, size_t size, struct faa_asm_code **code,
		  struct faa_asm_error *error);
int visa_write_hex(const struct faa_asm_code *code, void **data, size_t *size,
		   struct faa_asm_error *error);
int visa_read_cisa(const void *data, size_t size, struct faa_asm_code **code,
		   struct faa_asm_error *error);
int visa_write_cisa(const struct faa_asm_code *code, void **data, size_t *size,
		    struct faa_asm_error *error);
int visa_emit(const struct faa_asm_code *code, const struct faa_asm_environment *environment,
	      struct faa_stream *stream, struct faa_asm_error *error);

#endif /* VISA_H */
