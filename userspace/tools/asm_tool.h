/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the programs for assembly languages: names on the command line, files, messages.
 */
#ifndef FAA_ASM_TOOL_H
#define FAA_ASM_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa_asm.h"

/** struct asm_input - content of a file */
struct asm_input {
	unsigned char *bytes;
	size_t size;
};

/**
 * asm_input_read() - read the file at @path, "-" for the standard input
 *
 * The caller frees the bytes. Return: 0 or a negative errno.
 */
int asm_input_read(const char *path, struct asm_input *input);

/** asm_syntax_find() - language of a name; -1 if there is none. */
int asm_syntax_find(const char *name);

/** ASM_SYNTAXES, ASM_SYNTAX_VALUES - their names, for messages and for the help of an option */
#define ASM_SYNTAXES	  "sass, visa or ptx"
#define ASM_SYNTAX_VALUES "sass|visa|ptx"

/** asm_format_find() - form of a name ("text", "hex", "bundle", "cisa"); -1 if there is none. */
int asm_format_find(const char *name);

/** ASM_FORMAT_VALUES - their names, for the help of an option */
#define ASM_FORMAT_VALUES "text|hex|bundle|cisa"

/** ASM_STREAM - in place of enum faa_asm_syntax: commands of the device, not a language */
#define ASM_STREAM 99

/** struct asm_kind - kind of content of a file */
struct asm_kind {
	/** @syntax: enum faa_asm_syntax or ASM_STREAM. */
	int syntax;
	/** @format: form of a language. */
	enum faa_asm_format format;
};

/** ASM_SUFFIXES - the suffixes that asm_kind_of() knows, for help texts */
#define ASM_SUFFIXES ".sass, .bundle, .visaasm, .visa, .isa, .cisa, .ptx, .faa (a stream)"

/** asm_kind_of() - the kind by the suffix of @path; false: the suffix is unknown. */
bool asm_kind_of(const char *path, struct asm_kind *kind);

/**
 * asm_is_stream() - whether at least half of the commands of @words are valid
 *
 * @good and @all receive the numbers of valid commands and of all commands.
 */
bool asm_is_stream(const uint64_t *words, size_t count, size_t *good, size_t *all);

/**
 * asm_command_text() - a command as text, which the caller frees; NULL: no memory
 *
 * See faa_disassemble().
 */
char *asm_command_text(const uint64_t *words, size_t count, unsigned int *used);

/**
 * asm_read() - code of the file @path with the content @input
 *
 * Prints up to 20 errors as asm_print_error() does, and then that the rest of the file was not
 * read.
 *
 * Return: as faa_asm_read().
 */
int asm_read(const char *path, enum faa_asm_syntax syntax, enum faa_asm_format format,
	     const struct asm_input *input, struct faa_asm_code **code);

/** asm_print_error() - print "FILE:LINE:COLUMN: why" to stderr, without members that are 0. */
void asm_print_error(const char *path, const struct faa_asm_error *error);

#endif /* FAA_ASM_TOOL_H */
