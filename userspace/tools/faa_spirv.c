// SPDX-License-Identifier: MIT
/* Checks, describes and runs SPIR-V modules. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv_tool.h"
#include "tool.h"

/* A command; @run gets the arguments after its name. */
struct command {
	const char *name;
	int (*run)(const struct spirv_settings *settings, char **words, int count);
};

static const struct command spirv_commands[] = {
	{ "validate", spirv_command_validate },
	{ "info", spirv_command_info },
	{ "run", spirv_command_run },
};

struct arguments {
	struct spirv_settings settings;
	const struct command *command;
	/* Arguments after the command. */
	char **words;
	int count;
};

enum {
	OPTION_SPIRV_VAL = 256,
	OPTION_MODULES,
	OPTION_LIMIT,
	OPTION_STATS,
};

const char *argp_program_version = "faa-spirv " FAA_VERSION_TEXT;

static int spirv_find_environment(const char *name)
{
	static const char *const names[] = { "guess", "universal", "vulkan", "opencl" };
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return (int)i;
	return -1;
}

static void spirv_take_command(struct arguments *arguments, const char *name,
			       struct argp_state *state)
{
	unsigned int i;

	for (i = 0; i < sizeof(spirv_commands) / sizeof(spirv_commands[0]); i++)
		if (!strcmp(spirv_commands[i].name, name))
			arguments->command = &spirv_commands[i];
	if (!arguments->command)
		argp_error(state, "there is no command '%s'", name);
}

static uint64_t spirv_take_limit(const char *arg, struct argp_state *state)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(arg, &end, 0);
	if (errno || *end || end == arg || *arg == '-')
		argp_error(state, "--limit=%s: a number is expected", arg);
	return value;
}

/* Options of command run. */
static error_t spirv_parse_run(int key, char *arg, struct argp_state *state,
			       struct spirv_run_options *run)
{
	switch (key) {
	case 'i':
		run->inputs = arg;
		return 0;
	case 'o':
		run->output = arg;
		return 0;
	case OPTION_STATS:
		run->statistics = true;
		return 0;
	case OPTION_MODULES:
		run->modules = arg;
		return 0;
	case OPTION_LIMIT:
		run->limit = spirv_take_limit(arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t spirv_parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &arguments->settings.program.engine;
		return 0;
	case 'E':
		if (spirv_find_environment(arg) < 0)
			argp_error(
				state,
				"the environment is guess, universal, vulkan or opencl, not '%s'",
				arg);
		else
			arguments->settings.environment =
				(enum faa_spirv_environment)spirv_find_environment(arg);
		return 0;
	case OPTION_SPIRV_VAL:
		arguments->settings.validator = strcmp(arg, "none") ? arg : "";
		return 0;
	case 'j':
		arguments->settings.json = true;
		return 0;
	case 'q':
		arguments->settings.quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!arguments->command)
			spirv_take_command(arguments, arg, state);
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
		return spirv_parse_run(key, arg, state, &arguments->settings.run);
	}
}

static const struct argp_option spirv_options[] = {
	{ "environment", 'E', "guess|universal|vulkan|opencl", 0,
	  "Rules for modules: vulkan, opencl, universal (SPIR-V's own alone); default: opencl for a module with the "
	  "capability Kernel, otherwise vulkan",
	  0 },
	{ "spirv-val", OPTION_SPIRV_VAL, "PROGRAM", 0,
	  "Program of SPIRV-Tools that validate also runs; none: no program. Default: spirv-val, "
	  "if it is on PATH",
	  0 },
	{ "json", 'j', NULL, 0, "Print one JSON object a line, for each module or case", 0 },
	{ "quiet", 'q', NULL, 0, "Print nothing about modules that are accepted", 0 },
	{ NULL, 0, NULL, 0, "Command run:", 0 },
	{ "in", 'i', "DIR", 0, "Folder of the inputs (default: in, next to the folder of the case)",
	  0 },
	{ "out", 'o', "DIR", 0, "Folder of the results (default: the current one)", 0 },
	{ "modules", OPTION_MODULES, "DIR", 0,
	  "Folder of the modules (default: spv, next to the folder of the case)", 0 },
	{ "stats", OPTION_STATS, NULL, 0, "Print statistics of each case", 0 },
	{ "limit", OPTION_LIMIT, "COUNT", 0,
	  "End a case after COUNT instructions of all lanes together", 0 },
	{ 0 },
};

static const struct argp spirv_argp = {
	.options = spirv_options,
	.parser = spirv_parse,
	.args_doc = "validate FILE...\ninfo FILE...\nrun CASE...",
	.doc = "Check and describe SPIR-V modules; FILE holds words, or text, which spirv-as assembles."
	       "\vvalidate prints a line for each rule that a module breaks: word offset, instruction, id, rule. The exit status is 0 if all "
	       "modules are accepted, 1 if one is rejected or cannot be read.\n"
	       "info prints entry points, bindings and sizes.\n"
	       "run executes cases: a module, inputs NAME.bK.bin of the bindings K, workgroups; the contents of the bindings afterwards are written to files "
	       "NAME.bK.bin. Documentation/spirv.rst has the grammar of a case. The exit status is 1 if a case failed.",
	.children = faa_program_children,
};

int main(int argc, char **argv)
{
	struct arguments arguments = { .words = calloc((size_t)argc, sizeof(char *)),
				       .settings.run.output = ".",
				       .settings.program = { .argc = argc, .argv = argv } };
	int ret;

	if (!arguments.words) {
		perror("faa-spirv");
		return 1;
	}
	tool_parse(&spirv_argp, argc, argv, &arguments);
	ret = arguments.command->run(&arguments.settings, arguments.words, arguments.count);
	free(arguments.words);
	return ret ? 1 : 0;
}
