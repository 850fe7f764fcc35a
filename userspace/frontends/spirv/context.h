/* SPDX-License-Identifier: MIT */
/*
 * What the files that build and check a module share while they do so.
 */
#ifndef FAA_SPIRV_CONTEXT_H
#define FAA_SPIRV_CONTEXT_H

#include "grammar.h"
#include "module.h"

/* A module that is wrong throughout should not bury its first messages. */
#define SPIRV_REFUSALS_SHOWN 20u

/** struct spirv_context - a module in the making */
struct spirv_context {
	struct faa_spirv_module *module;
	const struct faa_spirv_options *options;
	/** @first: receives the first message that refuses; NULL is allowed. */
	struct faa_spirv_message *first;
	/** @refusals: breaches of rules; the first SPIRV_REFUSALS_SHOWN are reported. */
	uint32_t refusals;

	/** @at: the instruction that is being read. */
	struct spirv_instruction *at;
	/** @section: of the module's layout, see parse.c. */
	uint32_t section;
	/** @function: index of the open one, @block likewise; SPIRV_NONE. */
	uint32_t function, block;
	/** @forward: bit per id: of OpTypeForwardPointer. */
	uint8_t *forward;
	/** @parameters: ids of the open function's that are there already. */
	uint32_t parameters;
	/** @memory_models: OpMemoryModel seen. */
	uint32_t memory_models;
};

/**
 * spirv_refuse() - report that the module breaks a rule
 * @context: context
 * @instruction: where; NULL: the header
 * @word: offset of the word in the instruction that is wrong; 0: the whole of it
 * @id: that the message is about; 0: none
 *
 * Return: -EINVAL.
 */
int spirv_refuse(struct spirv_context *context, const struct spirv_instruction *instruction,
		 uint32_t word, uint32_t id, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/** spirv_warn() - as spirv_refuse(), but the module is accepted. */
void spirv_warn(struct spirv_context *context, const struct spirv_instruction *instruction,
		uint32_t id, const char *format, ...) __attribute__((format(printf, 4, 5)));

/** spirv_report_rest() - report how many breaches were not reported, if any. */
void spirv_report_rest(struct spirv_context *context);

/** spirv_fail() - refuse because of the instruction that is being read. Return: -EINVAL. */
#define spirv_fail(context, id, ...) spirv_refuse(context, (context)->at, 0, id, __VA_ARGS__)

/* words.c: header, byte order, the cut into instructions. Return: 0, -EINVAL, -ENOMEM; the others likewise. */
int spirv_read_words(struct spirv_context *context, const void *data, size_t size);

/* operands.c */

/** struct spirv_operand - an operand as the grammar names it */
struct spirv_operand {
	/** @kind: enum spirv_kind; pairs come as their parts, parameters of enumerants behind them. */
	enum spirv_kind kind;
	/** @word: its first word's offset in the instruction; @words: their number. */
	uint32_t word, words;
};

/** spirv_operand_visit() - called for an operand. Return: 0, or what spirv_operands_of() is to stop with and return. */
typedef int (*spirv_operand_visit)(struct spirv_context *context,
				   const struct spirv_instruction *instruction,
				   const struct spirv_operand *operand);

/** spirv_walk() - take @instruction apart by the grammar and call @visit for every operand, result type and result included. */
int spirv_walk(struct spirv_context *context, const struct spirv_instruction *instruction,
	       spirv_operand_visit visit);

/** spirv_string() - length in words of the string at @words, which has @count words; 0: it does not end. */
uint32_t spirv_string(const uint32_t *words, uint32_t count);

/** spirv_text() - the string at @words, with its bytes in order, in the module's memory; NULL: no memory. */
const char *spirv_text(struct faa_spirv_module *module, const uint32_t *words);

/* parse.c */
int spirv_parse(struct spirv_context *context);

/* declarations.c: what stands before the types */
int spirv_declare(struct spirv_context *context);
int spirv_finish_decorations(struct spirv_context *context);

/* entries.c */
/** spirv_finish_entries() - entry points and their modes, when all functions are known. */
int spirv_finish_entries(struct spirv_context *context);

/* types.c */
int spirv_declare_type(struct spirv_context *context);
/** spirv_finish_types() - forward pointers are defined, no type stands twice. */
int spirv_finish_types(struct spirv_context *context);

/* constants.c, fold.c */
/** spirv_reserve_constants() - room for ids and constants. */
int spirv_reserve_constants(struct faa_spirv_module *module);
int spirv_declare_constant(struct spirv_context *context);
/** spirv_fold() - value of the OpSpecConstantOp being read, into @constant. */
int spirv_fold(struct spirv_context *context, struct spirv_constant *constant);

/* functions.c */
int spirv_declare_variable(struct spirv_context *context);
int spirv_read_function(struct spirv_context *context);
int spirv_finish_functions(struct spirv_context *context);

/* dominators.c: successors' reachability and immediate dominators. */
int spirv_find_dominators(struct spirv_context *context);

/* uses.c: every id that is used is defined, and where it is used. Each instruction that is wrong is reported. */
int spirv_check_uses(struct spirv_context *context);

/* typing.c: types of the operands of every instruction that an interpreter executes. Each that is wrong is reported. */
int spirv_check_typing(struct spirv_context *context);

/* Rules: they report every breach. rules_capability.c, rules_atomic.c, rules_scope.c */
void spirv_check_capabilities(struct spirv_context *context);
void spirv_check_atomics(struct spirv_context *context);
/** spirv_check_scopes() - scopes by the execution models that reach a function. Return: 0; -ENOMEM. */
int spirv_check_scopes(struct spirv_context *context);
/** spirv_memory_scope() - which operand of an atomic or a barrier is its memory scope; SPIRV_NONE: another instruction. */
uint32_t spirv_memory_scope(uint32_t opcode);

/* reflect.c: fills module->info. */
int spirv_reflect(struct spirv_context *context);

/** spirv_define() - note what the result id of the instruction being read is. Return: 0; -EINVAL: it was defined before. */
int spirv_define(struct spirv_context *context, enum spirv_id_kind kind, uint32_t index);

/** spirv_want_type() - refuse @id unless it is a type that was read before. Return: the type; NULL: refused. */
const struct spirv_type *spirv_want_type(struct spirv_context *context, uint32_t id,
					 const char *what);

/** spirv_want_constant() - refuse @id unless it is a constant that was read before. Return: the constant; NULL: refused. */
const struct spirv_constant *spirv_want_constant(struct spirv_context *context, uint32_t id,
						 const char *what);

#endif /* FAA_SPIRV_CONTEXT_H */
