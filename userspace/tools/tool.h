/* SPDX-License-Identifier: MIT */
/**
 * DOC: What the command lines of all tools have in common
 *
 * Documentation/tools.rst is the rule; tests/unit/tools.sh checks it of every program that is installed.
 */
#ifndef TOOL_H
#define TOOL_H

#include <argp.h>
#include <stdbool.h>

/** TOOL_USAGE - exit status of a command line that makes no sense; argp's own */
#define TOOL_USAGE 64

/** tool_children - a program's argp children: option -h, the same as --help */
extern const struct argp_child tool_children[];

/** tool_help_argp - the parser of tool_children, for programs that have other children too */
extern const struct argp tool_help_argp;

/** TOOL_JSON_OPTION - option --json, a struct argp_option; @what: the figures that it prints */
#define TOOL_JSON_OPTION(what)                                               \
	{                                                                    \
		"json", 'j', NULL, 0, "Print " what " as one JSON object", 0 \
	}

/** tool_check_json() - end with a usage error if @json and @disassemble, which prints text, are set */
void tool_check_json(struct argp_state *state, bool json, bool disassemble);

/** tool_print_json_string() - print @text as a string of JSON, with its quotes. */
void tool_print_json_string(const char *text);

#endif /* TOOL_H */
