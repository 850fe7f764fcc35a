// SPDX-License-Identifier: Apache-2.0
#include "events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

void events_init(struct events *events)
{
	*events = (struct events){ .digest = 0xcbf29ce484222325u, .interval = 1 };
}

/* FNV-1a with words of 64 bits, and a rotation that moves high bits to low ones. */
static void events_mix(uint64_t *digest, uint64_t word)
{
	*digest = (*digest ^ word) * 0x100000001b3u;
	*digest = *digest << 29 | *digest >> 35;
}

/* Keeps every second checkpoint. */
static void events_thin(struct events *events)
{
	for (unsigned int i = 0; i < EVENTS_CHECKPOINTS / 2; i++)
		events->checkpoint[i] = events->checkpoint[2 * i + 1];
	events->checkpoints = EVENTS_CHECKPOINTS / 2;
	events->interval *= 2;
}

void events_add(struct events *events, const struct event *event)
{
	const uint64_t words[] = { event->time_ns, event->cycle, event->addr, event->value,
				   event->len,	   event->unit,	 event->kind };

	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		events_mix(&events->digest, words[i]);
	events->count++;
	if (events->count % events->interval)
		return;
	if (events->checkpoints == EVENTS_CHECKPOINTS)
		events_thin(events);
	if (events->count % events->interval)
		return;
	events->checkpoint[events->checkpoints].digest = events->digest;
	events->checkpoint[events->checkpoints++].last = *event;
}

int events_write(const struct events *events, const char *path)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return -errno;
	fprintf(file, "events %" PRIu64 " %016" PRIx64 "\n", events->count, events->digest);
	for (unsigned int i = 0; i < events->checkpoints; i++) {
		const struct event *last = &events->checkpoint[i].last;

		fprintf(file,
			"at %" PRIu64 " %016" PRIx64 " %" PRIu64 " ns, cycle %" PRIu64
			": %s[%u] 0x%" PRIx64 " = 0x%" PRIx64 "\n",
			(i + 1) * events->interval, events->checkpoint[i].digest, last->time_ns,
			last->cycle, recorder_kind_name(last->kind), (unsigned int)last->unit,
			last->addr, last->value);
	}
	return fclose(file) ? -errno : 0;
}
