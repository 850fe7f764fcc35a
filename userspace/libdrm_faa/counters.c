// SPDX-License-Identifier: MIT
#include "faa.h"
#include "faa_tables.h"

#include <endian.h>
#include <string.h>

void faa_counters_read(const void *snapshot, struct faa_counters *counters)
{
	uint64_t raw[FAA_COUNTERS];
	unsigned int i;

	memcpy(raw, snapshot, sizeof(raw));
	for (i = 0; i < FAA_COUNTERS; i++)
		counters->value[i] = le64toh(raw[i]);
}

void faa_counters_diff(const struct faa_counters *before, const struct faa_counters *after,
		       struct faa_counters *diff)
{
	unsigned int i;

	for (i = 0; i < FAA_COUNTERS; i++)
		diff->value[i] = after->value[i] - before->value[i];
}

const char *faa_counter_name(uint32_t counter)
{
	return counter < FAA_COUNTERS ? faa_counter_names[counter] : NULL;
}
