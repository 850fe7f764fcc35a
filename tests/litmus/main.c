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

static unsigned int check(char *const *paths, unsigned int count, const char *verbose)
{
	return litmus_check(paths, count, verbose != NULL);
}

static unsigned int defects(char *const *paths, unsigned int count, const char *option)
{
	(void)option;
	return litmus_defects(paths, count);
}

static unsigned int table(char *const *paths, unsigned int count, const char *option)
{
	(void)option;
	return litmus_table(paths, count);
}

/*
 * Commands that need no device; litmus_run() handles all others. A command may have one option,
 * before the files; the rest of its word is its value.
 */
static const struct {
	const char *name, *option;
	unsigned int (*run)(char *const *paths, unsigned int count, const char *value);
} commands[] = {
	{ "check", "--verbose", check },
	{ "defects", NULL, defects },
	{ "export", "--directory=", litmus_export },
	{ "table", NULL, table },
};

static int is_help(const char *word)
{
	return !strcmp(word, "-h") || !strcmp(word, "-?") || !strcmp(word, "--help");
}

static int run_command(unsigned int index, char **words, int count)
{
	char *help[] = { "faa-litmus", "--help", NULL };
	const char *option = commands[index].option, *value = NULL;

	if (count && is_help(words[0]))
		return litmus_run(2, help);
	if (count && option && !strncmp(words[0], option, strlen(option))) {
		value = words[0] + strlen(option);
		words++;
		count--;
	}
	if (!count || words[0][0] == '-') {
		fprintf(stderr, "faa-litmus: %s: which file? Try `faa-litmus --help'\n",
			commands[index].name);
		return TOOL_USAGE;
	}
	return !!commands[index].run(words, (unsigned int)count, value);
}

int main(int argc, char **argv)
{
	unsigned int i;

	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return run_command(i, argv + 2, argc - 2);
	return litmus_run(argc, argv);
}
