// SPDX-License-Identifier: MIT
/**
 * DOC: faa-litmus
 *
 * Litmus tests of the memory model: held against the model alone (check, defects), or run on a device, where each outcome that is
 * seen must be one that the model and the file's table allow.
 */
#include <stdio.h>
#include <string.h>

#include "litmus.h"

int main(int argc, char **argv)
{
	int first = 2;

	if (argc > 2 && !strcmp(argv[1], "defects"))
		return !!litmus_defects(argv + 2, argc - 2);
	if (argc > 2 && !strcmp(argv[1], "table"))
		return !!litmus_table(argv + 2, argc - 2);
	if (argc > 2 && !strcmp(argv[1], "check")) {
		first += !strcmp(argv[2], "--verbose");
		return !!litmus_check(argv + first, argc - first, first > 2);
	}
	return litmus_run(argc, argv);
}
