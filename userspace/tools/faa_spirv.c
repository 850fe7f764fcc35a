// SPDX-License-Identifier: MIT
/* SPIR-V modules: checked, described, run. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv_tool.h"

/* A command; @run gets the words behind its name. */
struct command {
	const char *name;
	int (*run)(const struct spirv_settings *settings, char **words, int count);
};

static const struct command commands[] = {
	{ "validate", spirv_command_validate },
	{ "info", spirv_command_info },
};

struct arguments {
	struct spirv_settings settings;
	const struct command *command;
	/* Words behind the command. */
	char **words;
	int count;
};

enum {
	OPTION_SPIRV_VAL = 256,
};

const char *argp_program_version = "faa-spirv " FAA_VERSION;

static int find_environment(const char *name)
{
	static const char *const names[] = { "guess", "universal", "vulkan", "opencl" };
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return (int)i;
	return -1;
}

static void take_command(struct arguments *arguments, const char *name, struct argp_state *state)
{
	unsigned int i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name))
			arguments->command = &commands[i];
	if (!arguments->command)
		argp_error(state, "there is no command '%s'", name);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case 'e':
		if (find_environment(arg) < 0)
			argp_error(
				state,
				"the environment is guess, universal, vulkan or opencl, not '%s'",
				arg);
		else
			arguments->settings.environment =
				(enum faa_spirv_environment)find_environment(arg);
		return 0;
	case OPTION_SPIRV_VAL:
		arguments->settings.validator = strcmp(arg, "none") ? arg : "";
		return 0;
	case 'q':
		arguments->settings.quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!arguments->command)
			take_command(arguments, arg, state);
		else
			arguments->words[arguments->count++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (arguments->command && !arguments->count)
			argp_error(state, "%s: which file?", arguments->command->name);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which command?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "environment", 'e', "NAME", 0,
	  "Whose rules a module must keep: vulkan, opencl, universal (SPIR-V's own alone); without it OpenCL's for a module with the "
	  "capability Kernel, else Vulkan's",
	  0 },
	{ "spirv-val", OPTION_SPIRV_VAL, "PROGRAM", 0,
	  "Program of SPIRV-Tools that validate asks too; none: none. Without it spirv-val, "
	  "if it is on PATH",
	  0 },
	{ "quiet", 'q', NULL, 0, "Say nothing about modules that are accepted", 0 },
	{ 0 },
};

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "validate FILE...\ninfo FILE...",
	.doc = "Check and describe SPIR-V modules; FILE holds words, or text, which spirv-as assembles."
	       "\vvalidate prints a line for each rule that a module breaks: word offset, instruction, id, rule. The exit status is 0 if all "
	       "modules are accepted, 1 if one is refused, 2 if one cannot be read.\n"
	       "info prints entry points, bindings and sizes.",
};

int main(int argc, char **argv)
{
	struct arguments arguments = { .words = calloc((size_t)argc, sizeof(char *)) };
	int ret;

	if (!arguments.words) {
		perror("faa-spirv");
		return 2;
	}
	argp_parse(&argp, argc, argv, 0, NULL, &arguments);
	ret = arguments.command->run(&arguments.settings, arguments.words, arguments.count);
	free(arguments.words);
	return ret;
}
