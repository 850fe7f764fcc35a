// SPDX-License-Identifier: Apache-2.0
/* Reads the file of a flight recorder. */
#include "trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool device_kind(const char *name, uint8_t *kind)
{
	for (uint8_t i = 0; i < REC_KINDS; i++) {
		if (strcmp(recorder_kind_name(i), name))
			continue;
		*kind = i;
		return true;
	}
	return false;
}

/* "TIME CYCLE KIND[UNIT] ADDR LEN VALUE", where KIND has blanks. */
static bool device_parse(struct trace_record *record, const char *line, uint64_t start)
{
	unsigned long long us, cycle, addr, value;
	unsigned int ns, unit, len;
	char kind[24];
	size_t length;

	if (sscanf(line, "%llu.%3u %llu %23[^[][%u] %llx %u %llx", &us, &ns, &cycle, kind, &unit,
		   &addr, &len, &value) != 8)
		return false;
	length = strlen(kind);
	while (length && kind[length - 1] == ' ')
		kind[--length] = 0;
	*record = (struct trace_record){ .ns = start + us * 1000 + ns,
					 .cycle = cycle,
					 .addr = addr,
					 .value = value,
					 .len = len,
					 .unit = (uint8_t)unit };
	return device_kind(kind, &record->kind);
}

static bool device_add(struct trace_device *device, size_t *room, const struct trace_record *record)
{
	if (device->count == *room) {
		size_t more = *room ? 2 * *room : 1024;
		void *grown = realloc(device->record, more * sizeof(*record));

		if (!grown)
			return false;
		device->record = grown;
		*room = more;
	}
	device->record[device->count++] = *record;
	return true;
}

int trace_read_device(struct trace_device *device, const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long long start = 0, first;
	struct trace_record record;
	size_t room = 0;
	bool dated = false;
	char line[256];
	int err = 0;

	*device = (struct trace_device){ 0 };
	if (!file)
		return -errno;
	while (!err && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "# flight recorder: events %llu..", &first) == 1)
			device->lost = first;
		else if (sscanf(line, "# time 0 is CLOCK_MONOTONIC %llu ns", &start) == 1 ||
			 sscanf(line, "# time 0 is simulated time %llu ns", &start) == 1)
			dated = true;
		else if (line[0] != '#' && !device_parse(&record, line, start))
			err = -EINVAL;
		else if (line[0] != '#' && !device_add(device, &room, &record))
			err = -ENOMEM;
	}
	fclose(file);
	if (!err && !dated)
		err = -EINVAL;
	if (err)
		trace_free_device(device);
	return err;
}

void trace_free_device(struct trace_device *device)
{
	free(device->record);
	*device = (struct trace_device){ 0 };
}
