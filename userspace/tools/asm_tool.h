/* SPDX-License-Identifier: MIT */
/*
 * What the programs for assembly languages share: names on the command line, files, messages.
 */
#ifndef FAA_ASM_TOOL_H
#define FAA_ASM_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa_asm.h"

/** struct asm_input - what is in a file */
struct asm_input {
	unsigned char *bytes;
	size_t size;
};

/** asm_input_read() - all of the file at @path, "-" for the standard input; the caller frees the bytes. Return: 0 or a negative errno. */
int asm_input_read(const char *path, struct asm_input *input);

/** asm_syntax_find() - language of a name; -1 if there is none. */
int asm_syntax_find(const char *name);

/** ASM_SYNTAXES - their names, for messages */
#define ASM_SYNTAXES "sass, visa or ptx"

/** asm_format_find() - form of a name ("text", "hex", "bundle", "cisa"); -1 if there is none. */
int asm_format_find(const char *name);

/** ASM_STREAM - beside enum faa_asm_syntax: commands of the device, not a language */
#define ASM_STREAM 99

/** struct asm_kind - what is in a file */
struct asm_kind {
	/** @syntax: enum faa_asm_syntax or ASM_STREAM. */
	int syntax;
	/** @format: form of a language. */
	enum faa_asm_format format;
};

/** ASM_SUFFIXES - the suffixes that asm_kind_of() knows, for help texts */
#define ASM_SUFFIXES ".sass, .bundle, .visaasm, .visa, .isa, .cisa, .ptx, .faa (a stream)"

/** asm_kind_of() - what the suffix of @path says; false: nothing. */
bool asm_kind_of(const char *path, struct asm_kind *kind);

/** asm_is_stream() - whether half of the commands of words, or more, are ones; @good and @all: how many, and of how many. */
bool asm_is_stream(const uint64_t *words, size_t count, size_t *good, size_t *all);

/** asm_command_text() - a command as text, to be freed; NULL: no memory. See faa_disassemble(). */
char *asm_command_text(const uint64_t *words, size_t count, unsigned int *used);

/**
 * asm_read() - code of the file @path, whose contents are @input
 *
 * Up to 20 errors are printed as asm_print_error() does it, and then that the rest of the file was not read.
 *
 * Return: as faa_asm_read().
 */
int asm_read(const char *path, enum faa_asm_syntax syntax, enum faa_asm_format format,
	     const struct asm_input *input, struct faa_asm_code **code);

/** asm_print_error() - "FILE:LINE:COLUMN: why" to the standard error, without what is 0. */
void asm_print_error(const char *path, const struct faa_asm_error *error);

#endif /* FAA_ASM_TOOL_H */
