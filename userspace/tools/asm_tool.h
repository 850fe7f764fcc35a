/* SPDX-License-Identifier: MIT */
/*
 * What the programs for assembly languages share: names on the command line, files, messages.
 */
#ifndef FAA_ASM_TOOL_H
#define FAA_ASM_TOOL_H

#include <stddef.h>

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

/** asm_print_error() - "FILE:LINE:COLUMN: why" to the standard error, without what is 0. */
void asm_print_error(const char *path, const struct faa_asm_error *error);

#endif /* FAA_ASM_TOOL_H */
