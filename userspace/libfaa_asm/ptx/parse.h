/* SPDX-License-Identifier: MIT */
/*
 * Parser of PTX: declarations that its files share. All functions return 0 or a negative errno,
 * with the error noted.
 */
#ifndef FAA_PTX_PARSE_H
#define FAA_PTX_PARSE_H

#include "../asm/scan.h"
#include "ptx.h"

/** struct ptx_parse - text, and the state of its parser */
struct ptx_parse {
	struct faa_scan scan;
	struct ptx_code *code;
	struct faa_asm_error *error;
	/** @kernel: kernel whose braces are open, NULL: none. */
	struct ptx_kernel *kernel;
	/** @scope: innermost open block; @depth: number of open blocks. */
	uint32_t scope;
	unsigned int depth;
	/** @pending: labels that are used before they are placed. */
	uint32_t *pending;
	size_t pending_count, pending_capacity;
	/**
	 * @incomplete: a declaration was rejected; the names that it would have declared are
	 * unknown.
	 */
	bool incomplete;
	/** @undefined: the error of this statement is an unknown name. */
	bool undefined;
	/**
	 * @begun: the head of the text is over: directives for the whole text are no longer
	 * allowed.
	 */
	bool begun;
};

/** struct ptx_word - a word of the text and its place */
struct ptx_word {
	const char *text;
	size_t size;
	struct faa_scan_mark mark;
};

#define PTX_MAX_MODIFIERS 12

/** struct ptx_opcode - the name of an instruction, split at its dots */
struct ptx_opcode {
	struct ptx_word name;
	struct ptx_word modifiers[PTX_MAX_MODIFIERS];
	unsigned int count;
	/** @next: first modifier that is not taken yet. */
	unsigned int next;
};

/* lex.c */

/** ptx_blank() - skip blanks, ends of lines and comments. */
int ptx_blank(struct ptx_parse *parse);

/** ptx_fail() - note an error at a mark. Return: -EINVAL. */
int ptx_fail(const struct ptx_parse *parse, struct faa_scan_mark mark, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * ptx_unsupported() - as ptx_fail(), for legal PTX that is not supported, with FAA_ASM_UNSUPPORTED.
 * Return: -EINVAL.
 */
int ptx_unsupported(const struct ptx_parse *parse, struct faa_scan_mark mark, const char *format,
		    ...) __attribute__((format(printf, 3, 4)));

/** ptx_expect() - skip blanks and the byte @c; @what is the message if it is missing. */
int ptx_expect(struct ptx_parse *parse, char c, const char *what);

/**
 * ptx_take() - skip blanks, and the byte @c if it follows. Return: -EINVAL only for a bad comment.
 */
int ptx_take(struct ptx_parse *parse, char c, bool *taken);

/** ptx_identifier() - skip blanks and a name. */
int ptx_identifier(struct ptx_parse *parse, struct ptx_word *word, const char *what);

/** ptx_is() - whether a word equals a text. */
bool ptx_is(const struct ptx_word *word, const char *text);

/** ptx_has_prefix() - whether a word begins with a text. */
bool ptx_has_prefix(const struct ptx_word *word, const char *text);

/** ptx_find() - index of a word in texts that end with NULL, -1 if it is none of them. */
int ptx_find(const struct ptx_word *word, const char *const *texts);

/** ptx_shown() - size of a word for "%.*s" in messages. */
static inline int ptx_shown(const struct ptx_word *word)
{
	return word->size > 60 ? 60 : (int)word->size;
}

/** ptx_type() - enum ptx_type of a word, -1 if it is no type. */
int ptx_type(const struct ptx_word *word);

/** ptx_type_list() - "u32, s32" for bits of types. @buffer has 128 bytes. */
const char *ptx_type_list(uint32_t types, char *buffer);

/* constant.c */

/** ptx_constant() - read a constant of @type as bits. */
int ptx_constant(struct ptx_parse *parse, unsigned int type, uint64_t *bits);

/** ptx_integer() - read an integer from @low to @high; @what is its name in messages. */
int ptx_integer(struct ptx_parse *parse, int64_t low, int64_t high, const char *what,
		int64_t *value);

/** ptx_at_constant() - whether the next byte begins a constant. */
bool ptx_at_constant(const struct ptx_parse *parse);

/* declare.c */

/** ptx_directive() - a statement that begins with a dot. */
int ptx_directive(struct ptx_parse *parse);

/** ptx_lookup() - look up a name in the open block and those around it; NULL: not found. */
const struct ptx_name *ptx_lookup(const struct ptx_parse *parse, const struct ptx_word *word);

/** ptx_is_new() - whether a name may be declared in the open block. */
int ptx_is_new(struct ptx_parse *parse, const struct ptx_word *word);

/** ptx_since() - whether @word, a feature since version @since, is allowed. */
int ptx_since(struct ptx_parse *parse, const struct ptx_word *word, unsigned int since);

/** ptx_register() - the register that a word names. */
int ptx_register(struct ptx_parse *parse, const struct ptx_word *word, uint32_t *index);

/* block.c */

/** ptx_label() - the label that a word names, created if it is new. */
int ptx_label(struct ptx_parse *parse, const struct ptx_word *word, uint32_t *index);

/** ptx_place_label() - place label @word before the next instruction. */
int ptx_place_label(struct ptx_parse *parse, const struct ptx_word *word);

/** ptx_open_block(), ptx_close_block() - the braces of a block among the instructions. */
int ptx_open_block(struct ptx_parse *parse);
int ptx_close_block(struct ptx_parse *parse);

/** ptx_new_scope() - a scope in the open one; 0: no memory. */
uint32_t ptx_new_scope(struct ptx_parse *parse);

/* variable.c */

/** ptx_variables() - a declaration of variables in a state space, after its name @word. */
int ptx_variables(struct ptx_parse *parse, const struct ptx_word *word, unsigned int space);

/** ptx_parameters() - the parameters of a kernel in parentheses, which are optional. */
int ptx_parameters(struct ptx_parse *parse);

/** ptx_type_word() - a type of registers or variables, after its dot. */
int ptx_type_word(struct ptx_parse *parse, const char *what, unsigned int *type);

/** ptx_alignment() - an optional .align N; without it @align is unchanged. */
int ptx_alignment(struct ptx_parse *parse, uint32_t *align);

/* kernel.c */

/** ptx_kernel() - .entry up to its opening brace. */
int ptx_kernel(struct ptx_parse *parse, const struct ptx_word *directive);

/** ptx_head_directives - directives between the parameters and the brace; ends with NULL */
extern const char *const ptx_head_directives[];

/** ptx_pragma() - the texts after .pragma, which have no effect. */
int ptx_pragma(struct ptx_parse *parse);

/* read.c */

/** ptx_skip_braces() - skip to the end of the '}' of the '{' at @mark, which is already skipped. */
int ptx_skip_braces(struct ptx_parse *parse, struct faa_scan_mark mark);

/** ptx_finish_kernel() - ptx_end_kernel(), and check that its labels are placed. */
int ptx_finish_kernel(struct ptx_parse *parse, struct ptx_kernel *kernel);

/* kernel.c */

/** ptx_end_kernel() - end the instructions of the open kernel, or of the text without one. */
void ptx_end_kernel(struct ptx_parse *parse, struct ptx_kernel *kernel);

/* operand.c */

/** ptx_guard() - @p or @!p, after the @. */
int ptx_guard(struct ptx_parse *parse, struct ptx_instruction *instruction);

/** struct ptx_wanted - operands that are allowed */
struct ptx_wanted {
	unsigned int type;
	/** @wider: a wider register is allowed, as in ld, st and cvt. */
	bool wider;
	bool destination;
	/** @sink: _ is allowed. */
	bool sink;
	/** @move: special registers and addresses of variables are allowed. */
	bool move;
	/** @no_constant: message if it is a constant; NULL: a constant is allowed. */
	const char *no_constant;
};

/** ptx_operand() - one operand. */
int ptx_operand(struct ptx_parse *parse, const struct ptx_wanted *wanted,
		struct ptx_operand *operand);

/** ptx_address() - [a], [a + offset] in a state space. */
int ptx_address(struct ptx_parse *parse, unsigned int space, struct ptx_operand *operand);

/* instruction.c */

/**
 * ptx_instruction() - an instruction, from its name up to its semicolon. @name is its first word.
 */
int ptx_instruction(struct ptx_parse *parse, struct ptx_word name,
		    struct ptx_instruction *instruction);

/** ptx_modifier() - the next modifier that is not taken; NULL after the last. */
static inline const struct ptx_word *ptx_modifier(const struct ptx_opcode *opcode)
{
	return opcode->next < opcode->count ? &opcode->modifiers[opcode->next] : NULL;
}

/**
 * ptx_type_modifier() - take the type of a plain instruction, which must be the next modifier and
 * one of @types; @others are legal in PTX, but not supported.
 */
int ptx_type_modifier(struct ptx_parse *parse, struct ptx_opcode *opcode, uint32_t types,
		      uint32_t others, uint8_t *type);

/** ptx_missing() - note that a modifier is missing after the name. Return: -EINVAL. */
int ptx_missing(const struct ptx_parse *parse, const struct ptx_opcode *opcode, const char *what);

/** ptx_no_more() - check that all modifiers are taken. */
int ptx_no_more(const struct ptx_parse *parse, const struct ptx_opcode *opcode);

/* memory.c: instructions that access memory, and fences */
int ptx_memory(struct ptx_parse *parse, struct ptx_opcode *opcode,
	       struct ptx_instruction *instruction);

/* plain.c: all others */
int ptx_plain(struct ptx_parse *parse, struct ptx_opcode *opcode,
	      struct ptx_instruction *instruction);

#endif /* FAA_PTX_PARSE_H */
