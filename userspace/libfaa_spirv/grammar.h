/* SPDX-License-Identifier: MIT */
/*
 * The grammar of SPIR-V as tables, generated from the grammar files of spirv-headers
 * (gen_grammar.py).
 */
#ifndef FAA_SPIRV_GRAMMAR_H
#define FAA_SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

#include "spirv_tables.h"

enum spirv_quantifier { SPIRV_ONE, SPIRV_OPTIONAL, SPIRV_ANY };

enum spirv_category {
	SPIRV_CATEGORY_BitEnum,
	SPIRV_CATEGORY_ValueEnum,
	SPIRV_CATEGORY_Id,
	SPIRV_CATEGORY_Literal,
	SPIRV_CATEGORY_Composite,
};

/** struct spirv_operand_grammar - an operand of an instruction, or a parameter of an enumerant */
struct spirv_operand_grammar {
	/** @kind: enum spirv_kind */
	uint8_t kind;
	/** @quantifier: enum spirv_quantifier */
	uint8_t quantifier;
	/** @name: name in the specification; the kind where it has no name */
	const char *name;
};

/**
 * struct spirv_requirements - what a module has to declare to use an instruction or an enumerant
 */
struct spirv_requirements {
	/**
	 * @capability: first of @capability_count in spirv_capabilities[]; any of them is enough
	 */
	uint16_t capability, capability_count;
	/** @extension: first of @extension_count in spirv_extensions[]; any of them is enough */
	uint16_t extension, extension_count;
	/**
	 * @first_version: first version that needs no extension, as the header's word; UINT32_MAX:
	 * none
	 */
	uint32_t first_version;
	/** @last_version: last version that has it */
	uint32_t last_version;
};

/** struct spirv_grammar - an instruction */
struct spirv_grammar {
	uint16_t opcode;
	/** @name: with the prefix Op, unless it is an extended instruction */
	const char *name;
	/** @operand: first of @operand_count in spirv_operands[] */
	uint16_t operand, operand_count;
	struct spirv_requirements needs;
};

/** struct spirv_enumerant - a value or a bit of an operand */
struct spirv_enumerant {
	uint32_t value;
	const char *name;
	/** @parameter: first of @parameter_count in spirv_operands[] */
	uint16_t parameter, parameter_count;
	struct spirv_requirements needs;
};

/** struct spirv_kind_info - a kind of operands */
struct spirv_kind_info {
	/** @category: enum spirv_category */
	uint8_t category;
	const char *name;
	/** @first: first of @count in spirv_enumerants[] */
	uint16_t first, count;
};

extern const struct spirv_grammar spirv_instruction_table[], spirv_glsl_table[];
extern const uint32_t spirv_instruction_table_length, spirv_glsl_table_length;
extern const struct spirv_enumerant spirv_enumerants[];
extern const struct spirv_kind_info spirv_kinds[SPIRV_KINDS];
extern const struct spirv_operand_grammar spirv_operands[];
extern const uint16_t spirv_capabilities[];
/** spirv_extensions - names, some more than once; NULL after the last */
extern const char *const spirv_extensions[];

/** spirv_grammar() - the instruction with @opcode; NULL: there is none. */
const struct spirv_grammar *spirv_grammar(uint32_t opcode);

/** spirv_glsl() - instruction @number of GLSL.std.450; NULL: there is none. */
const struct spirv_grammar *spirv_glsl(uint32_t number);

/** spirv_enumerant() - enumerant @value of @kind; NULL: there is none. */
const struct spirv_enumerant *spirv_enumerant(enum spirv_kind kind, uint32_t value);

/** spirv_op_name() - name of an instruction without Op, for messages; "?" for an unknown one. */
const char *spirv_op_name(uint32_t opcode);

#endif /* FAA_SPIRV_GRAMMAR_H */
