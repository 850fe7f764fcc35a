// SPDX-License-Identifier: MIT
#include "tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static error_t tool_parse_help(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != 'h')
		return ARGP_ERR_UNKNOWN;
	/* Prints to the standard output and ends the program with 0. */
	argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
	return 0;
}

/* argp itself has --help and -?. */
static const struct argp_option tool_help_options[] = {
	{ NULL, 'h', NULL, 0, "The same as --help", -1 },
	{ 0 },
};

void tool_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	argp_err_exit_status = TOOL_USAGE;
	argp_parse(argp, argc, argv, 0, NULL, input);
}

const struct argp tool_help_argp = { .options = tool_help_options, .parser = tool_parse_help };

const struct argp_child tool_children[] = {
	{ &tool_help_argp, 0, NULL, -1 },
	{ 0 },
};

void tool_check_json(struct argp_state *state, bool json, bool disassemble)
{
	if (json && disassemble)
		argp_error(state, "--json and --disassemble exclude each other");
}

void tool_print_json_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			printf("\\u%04x", *text);
		else
			putchar(*text);
	}
	putchar('"');
}

uint64_t tool_number(const char *name, const char *text, uint64_t min, uint64_t max)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (end != text && !*end && !errno && text[0] != '-' && value >= min && value <= max)
		return value;
	fprintf(stderr, "%s: --%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'\n",
		program_invocation_short_name, name, min, max, text);
	exit(TOOL_USAGE);
}
