/* SPDX-License-Identifier: MIT */
/*
 * SASS: an instruction between its text, its word and the commands of the device. The tables are
 * generated from spec/sass.toml; Documentation/sass.rst is the specification.
 */
#ifndef FAA_SASS_H
#define FAA_SASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../asm/asm.h"
#include "../asm/output.h"
#include "sass_table.h"

#define SASS_RZ 255
#define SASS_PT 7

/** struct sass_name - a spelling and its number; the last one of a table has no text */
struct sass_name {
	const char *text;
	uint8_t length;
	uint8_t number;
};

/** struct sass_encoding - the encoding of a form */
struct sass_encoding {
	/** @word: bits outside of all fields. */
	uint64_t word;
	/** @mask: which bits these are. */
	uint64_t mask;
	/** @field: place of each field; width 0: the form lacks it. */
	struct {
		uint8_t low;
		uint8_t width;
	} field[SASS_FIELDS];
	/**
	 * @op_code, @size_code: code of an operation or a size in the word, -1: none; @op_of,
	 * @size_of: the inverse.
	 */
	int8_t op_code[SASS_OPS];
	int8_t op_of[16];
	int8_t size_code[SASS_SIZES];
	int8_t size_of[8];
};

extern const struct sass_name sass_op_names[], sass_size_names[], sass_dim_names[],
	sass_clamp_names[], sass_sched_names[];
/** sass_other_names - instructions of sm_50 that are rejected; their numbers have no meaning */
extern const struct sass_name sass_other_names[];
extern const char *const sass_op_texts[SASS_OPS], *const sass_size_texts[SASS_SIZES],
							  *const sass_dim_texts[SASS_DIMS];
extern const char *const sass_clamp_texts[SASS_CLAMPS], *const sass_sched_texts[SASS_SCHEDS];
/* By size, by dimension. */
extern const uint8_t sass_size_bits[], sass_size_types[], sass_dim_registers[], sass_dim_align[];
/* By operation: bits of the legal sizes. */
extern const uint8_t sass_legal_atoms[], sass_legal_suatom[];
extern const struct sass_encoding sass_encodings[SASS_FORMS];

/**
 * struct sass_instruction - a decoded word
 * @form: enum sass_form
 * @field: by enum sass_field. SASS_OP and SASS_SIZE are enum sass_op and enum sass_size in every
 * form, SASS_PS is the number of the predicate, SASS_IMM a quarter of the offset, SASS_BCRZ is 1
 * for Rc = RZ. Fields that the form lacks are 0.
 */
struct sass_instruction {
	uint8_t form;
	uint32_t field[SASS_FIELDS];
};

/** sass_is_cas() - whether it has both a compare value and a new value. */
static inline bool sass_is_cas(const struct sass_instruction *i)
{
	return i->field[SASS_OP] >= SASS_OP_CAS;
}

/** sass_is_atoms() - whether it accesses shared memory. */
static inline bool sass_is_atoms(const struct sass_instruction *i)
{
	return i->form == SASS_FORM_ATOMS || i->form == SASS_FORM_ATOMS_CAS;
}

/** sass_has() - whether the form of @i has @field. */
static inline bool sass_has(const struct sass_instruction *i, enum sass_field field)
{
	return sass_encodings[i->form].field[field].width;
}

/** sass_is_wide() - whether M has 64 bits. */
static inline bool sass_is_wide(const struct sass_instruction *i)
{
	return sass_size_bits[i->field[SASS_SIZE]] == 64;
}

/** sass_new_value() - register of the new value of CAS and CAST; SASS_RZ for none. */
static inline uint32_t sass_new_value(const struct sass_instruction *i)
{
	return i->field[SASS_BCRZ] ? SASS_RZ : i->field[SASS_RB] + (sass_is_wide(i) ? 2 : 1);
}

/** sass_offset() - offset of the address of ATOMS, in bytes. */
static inline int32_t sass_offset(const struct sass_instruction *i)
{
	uint32_t imm = i->field[SASS_IMM];

	return (int32_t)(i->field[SASS_RA] != SASS_RZ && imm >> 21 ? imm - (1u << 22) : imm) * 4;
}

/**
 * sass_decode() - decode a word
 *
 * Return: false if the word has no text: no form has its fixed bits, a field has an undefined
 * value, or Rc is no register. An instruction with a text may still break rules, see sass_check().
 */
bool sass_decode(uint64_t word, struct sass_instruction *i);

/** sass_encode() - encode an instruction. */
uint64_t sass_encode(const struct sass_instruction *i);

/**
 * sass_check() - whether an instruction follows the rules of its language
 * @i: instruction
 * @text: receives the rule that it breaks, @size bytes
 *
 * Return: -1 if it does; else the field that is wrong.
 */
int sass_check(const struct sass_instruction *i, char *text, size_t size);

/*
 * Bits of struct sass_item.control: those of an instruction in a control word; and with the third
 * instruction bit 63 of the control word, which belongs to no instruction.
 */
#define SASS_SCHED_MASK	  0x1fu
#define SASS_WR_SHIFT	  5
#define SASS_RD_SHIFT	  8
#define SASS_REQ_SHIFT	  11
#define SASS_REUSE_SHIFT  17
#define SASS_BIT63	  (1u << 21)
#define SASS_CONTROL_BITS 21
#define SASS_NO_BARRIER	  7u
#define SASS_CONTROL_NONE (SASS_NO_BARRIER << SASS_WR_SHIFT | SASS_NO_BARRIER << SASS_RD_SHIFT)

/** struct sass_item - an instruction, legal or not */
struct sass_item {
	uint64_t word;
	uint32_t control;
	/** @line: line of the input. */
	uint32_t line;
};

/** struct sass_code - code that was read */
struct sass_code {
	struct faa_asm_code base;
	struct sass_item *items;
	size_t count;
	size_t capacity;
};

/** sass_new() - empty code; NULL: no memory. */
struct sass_code *sass_new(void);

/** sass_add() - append an instruction. Return: 0; -ENOMEM. */
int sass_add(struct sass_code *code, uint64_t word, uint32_t control, uint32_t line);

/** sass_free() - free @code. */
void sass_free(struct sass_code *code);

/**
 * sass_parse() - parse the text and append its instructions to @code. Return: 0; -EINVAL with
 * errors in @log; -ENOMEM.
 */
int sass_parse(struct sass_code *code, const void *data, size_t size, struct faa_asm_log *log);

/** sass_print() - append the text of an instruction, and an end of line. */
void sass_print(struct faa_output *output, const struct sass_item *item);

/** sass_emit() - as faa_asm_emit(). */
int sass_emit(const struct faa_asm_code *code, const struct faa_asm_environment *environment,
	      struct faa_stream *stream, struct faa_asm_error *error);

#endif /* FAA_SASS_H */
