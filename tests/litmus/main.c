// SPDX-License-Identifier: MIT
/**
 * DOC: faa-litmus
 *
 * Litmus tests of the memory model: compared with the model alone (check, defects), or run on a
 * device, where each observed outcome must be allowed by the model and by the file's table.
 */
#include <stdio.h>
#include <string.h>

#include "litmus.h"
#include "tool.h"

static unsigned int check(char *const *paths, unsigned int count)
{
	unsigned int verbose = count && !strcmp(paths[0], "--verbose");

	return litmus_check(paths + verbose, count - verbose, verbose);
}

/* Commands that need no device; litmus_run() handles all others. */
static const struct {
	const char *name;
	unsigned int (*run)(char *const *paths, unsigned int count);
} commands[] = {
	{ "check", check },
	{ "defects", litmus_defects },
	{ "table", litmus_table },
};

static int is_help(const char *word)
{
	return !strcmp(word, "-h") || !strcmp(word, "-?") || !strcmp(word, "--help");
}

static int run_command(unsigned int index, char **words, int count)
{
	char *help[] = { "faa-litmus", "--help", NULL };

	if (count && is_help(words[0]))
		return litmus_run(2, help);
	if (!count || (words[0][0] == '-' && strcmp(words[0], "--verbose") != 0)) {
		fprintf(stderr, "faa-litmus: %s: which file? Try `faa-litmus --help'\n",
			commands[index].name);
		return TOOL_USAGE;
	}
	return !!commands[index].run(words, (unsigned int)count);
}

int main(int argc, char **argv)
{
	unsigned int i;

	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return run_command(i, argv + 2, argc - 2);
	return litmus_run(argc, argv);
}
