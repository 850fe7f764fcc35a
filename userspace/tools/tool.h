/* SPDX-License-Identifier: MIT */
/**
 * DOC: Common parts of the command lines of all tools
 *
 * Documentation/tools.rst has the rules; tests/unit/tools.sh checks them for every installed
 * program.
 */
#ifndef TOOL_H
#define TOOL_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/** TOOL_USAGE - exit status of a usage error; 1 is that of all other errors */
#define TOOL_USAGE 2

/** tool_parse() - argp_parse() that ends the program with TOOL_USAGE for a usage error. */
void tool_parse(const struct argp *argp, int argc, char **argv, void *input);

/** tool_children - a program's argp children: option -h, the same as --help */
extern const struct argp_child tool_children[];

/** tool_help_argp - the parser of tool_children, for programs that have other children too */
extern const struct argp tool_help_argp;

/** TOOL_JSON_OPTION - option --json, a struct argp_option; @what: the figures that it prints */
#define TOOL_JSON_OPTION(what)                                               \
	{                                                                    \
		"json", 'j', NULL, 0, "Print " what " as one JSON object", 0 \
	}

/** tool_check_json() - usage error if both @json and @disassemble, which prints text, are set */
void tool_check_json(struct argp_state *state, bool json, bool disassemble);

/** tool_print_json_string() - print @text as a string of JSON, with its quotes. */
void tool_print_json_string(const char *text);

/**
 * tool_number() - value of option --@name, whose argument is @text, from @min to @max
 *
 * The program exits with a message if @text is no such number.
 */
uint64_t tool_number(const char *name, const char *text, uint64_t min, uint64_t max);

#endif /* TOOL_H */
