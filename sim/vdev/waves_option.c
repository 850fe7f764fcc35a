// SPDX-License-Identifier: Apache-2.0
#include "waves_option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *waves_number(const char *text, uint64_t min, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	if (errno || end == text || *end || text[0] == '-' || *value < min)
		return "from, to and cycles are followed by '=' and a number of clock cycles";
	return NULL;
}

const char *waves_option_parse(struct waves_option *waves, char *arg)
{
	const char *problem = NULL;
	uint64_t cycles = WAVES_CYCLES;
	char *save = NULL, *word;
	bool counted = false;

	*waves = (struct waves_option){ .file = strtok_r(arg, ",", &save) };
	if (!waves->file)
		return "the name of a file comes first";
	while (!problem && (word = strtok_r(NULL, ",", &save))) {
		if (strncmp(word, "from=", 5) == 0) {
			problem = waves_number(word + 5, 0, &waves->from);
			waves->to = waves->to ? waves->to : UINT64_MAX;
		} else if (strncmp(word, "to=", 3) == 0) {
			problem = waves_number(word + 3, 1, &waves->to);
		} else if (strncmp(word, "cycles=", 7) == 0) {
			problem = waves_number(word + 7, 1, &cycles);
			counted = true;
		} else {
			problem = "FILE is followed by ',from=CYCLE', ',to=CYCLE' or ',cycles=N'";
		}
	}
	waves->cycles = (unsigned int)cycles;
	if (!problem && waves->to && waves->from >= waves->to)
		problem = "'from' has to be less than 'to'";
	if (!problem && waves->to && counted)
		problem = "'cycles' counts back from the end, so it excludes 'from' and 'to'";
	if (!problem && cycles > 100000000)
		problem = "'cycles' is at most 100000000";
	return problem;
}
