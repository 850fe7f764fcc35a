/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files that build and check a module share.
 */
#ifndef FAA_SPIRV_CONTEXT_H
#define FAA_SPIRV_CONTEXT_H

#include "grammar.h"
#include "module.h"

/* Limit of reported errors, so that the first ones remain visible. */
#define SPIRV_REFUSALS_SHOWN 20u

/** struct spirv_context - a module while it is built and checked */
struct spirv_context {
	struct faa_spirv_module *module;
	const struct faa_spirv_options *options;
	/** @first: receives the first error; NULL is allowed. */
	struct faa_spirv_message *first;
	/** @refusals: number of errors; the first SPIRV_REFUSALS_SHOWN are reported. */
	uint32_t refusals;

	/** @at: instruction that is being read. */
	struct spirv_instruction *at;
	/** @section: section of the module's layout, see parse.c. */
	uint32_t section;
	/** @function, @block: index of the open function and block; SPIRV_NONE: none. */
	uint32_t function, block;
	/** @forward: bit per id: named by an OpTypeForwardPointer. */
	uint8_t *forward;
	/** @parameters: parameters of the open function read so far. */
	uint32_t parameters;
	/** @memory_models: number of OpMemoryModel read. */
	uint32_t memory_models;
};

/**
 * spirv_refuse() - report that the module breaks a rule
 * @context: context
 * @instruction: instruction; NULL: the header
 * @word: offset in the instruction of the word that is wrong; 0: the whole instruction
 * @id: id that the message is about; 0: none
 *
 * Return: -EINVAL.
 */
int spirv_refuse(struct spirv_context *context, const struct spirv_instruction *instruction,
		 uint32_t word, uint32_t id, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/** spirv_warn() - as spirv_refuse(), but the module is accepted. */
void spirv_warn(struct spirv_context *context, const struct spirv_instruction *instruction,
		uint32_t id, const char *format, ...) __attribute__((format(printf, 4, 5)));

/** spirv_report_rest() - report the number of errors that were not reported, if any. */
void spirv_report_rest(struct spirv_context *context);

/** spirv_fail() - report an error in the instruction that is being read. Return: -EINVAL. */
#define spirv_fail(context, id, ...) spirv_refuse(context, (context)->at, 0, id, __VA_ARGS__)

/*
 * words.c: header, byte order, division into instructions. Return: 0, -EINVAL, -ENOMEM; the
 * functions below likewise.
 */
int spirv_read_words(struct spirv_context *context, const void *data, size_t size);

/* operands.c */

/** struct spirv_operand - an operand of the grammar */
struct spirv_operand {
	/**
	 * @kind: enum spirv_kind. Pairs are visited as their parts, and enumerants before their
	 * parameters.
	 */
	enum spirv_kind kind;
	/** @word: offset of the first word in the instruction; @words: number of words. */
	uint32_t word, words;
};

/**
 * spirv_operand_visit() - called for an operand. Return: 0, or an error that spirv_walk() returns
 * at once.
 */
typedef int (*spirv_operand_visit)(struct spirv_context *context,
				   const struct spirv_instruction *instruction,
				   const struct spirv_operand *operand);

/**
 * spirv_walk() - parse @instruction by the grammar and call @visit for every operand, including
 * result type and result.
 */
int spirv_walk(struct spirv_context *context, const struct spirv_instruction *instruction,
	       spirv_operand_visit visit);

/**
 * spirv_string() - length in words of the string at @words, which has @count words; 0: no
 * terminating 0.
 */
uint32_t spirv_string(const uint32_t *words, uint32_t count);

/**
 * spirv_text() - copy the string at @words, with its bytes in order, to the module's arena; NULL:
 * no memory.
 */
const char *spirv_text(struct faa_spirv_module *module, const uint32_t *words);

/* parse.c */
int spirv_parse(struct spirv_context *context);

/* declarations.c: instructions before the types */
int spirv_declare(struct spirv_context *context);
int spirv_finish_decorations(struct spirv_context *context);

/* entries.c */
/** spirv_finish_entries() - check entry points and their modes after all functions are read. */
int spirv_finish_entries(struct spirv_context *context);

/* types.c */
int spirv_declare_type(struct spirv_context *context);
/**
 * spirv_finish_types() - check that forward pointers are defined, and that no type is declared
 * twice.
 */
int spirv_finish_types(struct spirv_context *context);

/* constants.c, fold.c */
/** spirv_reserve_constants() - allocate room for ids and constants. */
int spirv_reserve_constants(struct faa_spirv_module *module);
int spirv_declare_constant(struct spirv_context *context);
/** spirv_fold() - compute the value of the OpSpecConstantOp that is being read into @constant. */
int spirv_fold(struct spirv_context *context, struct spirv_constant *constant);

/* functions.c */
int spirv_declare_variable(struct spirv_context *context);
int spirv_read_function(struct spirv_context *context);
int spirv_finish_functions(struct spirv_context *context);

/* dominators.c: reachability and immediate dominators of blocks. */
int spirv_find_dominators(struct spirv_context *context);

/*
 * uses.c: every used id is defined, and its definition dominates the use. All errors are reported.
 */
int spirv_check_uses(struct spirv_context *context);

/*
 * typing.c: types of the operands of every instruction that the interpreter executes. All errors
 * are reported.
 */
int spirv_check_typing(struct spirv_context *context);

/* Rules that report all errors: rules_capability.c, rules_atomic.c, rules_scope.c */
void spirv_check_capabilities(struct spirv_context *context);
void spirv_check_atomics(struct spirv_context *context);
/**
 * spirv_check_scopes() - check scopes by the execution models that reach a function. Return: 0;
 * -ENOMEM.
 */
int spirv_check_scopes(struct spirv_context *context);
/**
 * spirv_memory_scope() - index of the operand of an atomic or a barrier that is its memory scope;
 * SPIRV_NONE: another instruction.
 */
uint32_t spirv_memory_scope(uint32_t opcode);

/* reflect.c: fills module->info. */
int spirv_reflect(struct spirv_context *context);

/**
 * spirv_define() - set the kind of the result id of the instruction that is being read. Return: 0;
 * -EINVAL: it is already defined.
 */
int spirv_define(struct spirv_context *context, enum spirv_id_kind kind, uint32_t index);

/**
 * spirv_want_type() - report an error unless @id is a type defined before. Return: the type; NULL:
 * error.
 */
const struct spirv_type *spirv_want_type(struct spirv_context *context, uint32_t id,
					 const char *what);

/**
 * spirv_want_constant() - report an error unless @id is a constant defined before. Return: the
 * constant; NULL: error.
 */
const struct spirv_constant *spirv_want_constant(struct spirv_context *context, uint32_t id,
						 const char *what);

#endif /* FAA_SPIRV_CONTEXT_H */
