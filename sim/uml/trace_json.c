// SPDX-License-Identifier: Apache-2.0
#include "trace_json.h"

#include <stdbool.h>

void json_string(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else if ((unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e)
			fprintf(file, "\\u%04x", (unsigned char)*text);
		else
			fputc(*text, file);
	}
	fputc('"', file);
}

void json_begin(struct json *json, FILE *file, uint64_t origin)
{
	*json = (struct json){ .file = file, .origin = origin };
	fputs("\"traceEvents\":[", file);
}

void json_end(struct json *json)
{
	fputs("\n]", json->file);
}

/* The members that all events have. */
static void json_head(struct json *json, struct json_track track, char phase, const char *name)
{
	fprintf(json->file,
		"%s\n{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"name\":", json->events++ ? "," : "",
		phase, track.pid, track.tid);
	json_string(json->file, name);
}

/* Times are microseconds. */
static void json_time(struct json *json, const char *member, uint64_t ns)
{
	fprintf(json->file, ",\"%s\":%llu.%03llu", member, (unsigned long long)ns / 1000,
		(unsigned long long)ns % 1000);
}

/* A time before the origin is that of the origin. */
static void json_when(struct json *json, uint64_t ns)
{
	json_time(json, "ts", ns > json->origin ? ns - json->origin : 0);
}

static void json_tail(struct json *json, const char *args)
{
	if (args[0])
		fprintf(json->file, ",\"args\":{%s}", args);
	fputc('}', json->file);
}

static void json_metadata(struct json *json, struct json_track track, const char *kind,
			  const char *name, unsigned int order)
{
	json_head(json, track, 'M', kind);
	fputs(",\"args\":{", json->file);
	if (name) {
		fputs("\"name\":", json->file);
		json_string(json->file, name);
	} else {
		fprintf(json->file, "\"sort_index\":%u", order);
	}
	fputs("}}", json->file);
}

void json_name(struct json *json, struct json_track track, const char *name)
{
	bool process = track.tid == 0;
	unsigned int order = process ? track.pid : track.tid;

	/* Thread 0 is the idle task for Perfetto. */
	if (process)
		track.tid = 1;
	json_metadata(json, track, process ? "process_name" : "thread_name", name, 0);
	json_metadata(json, track, process ? "process_sort_index" : "thread_sort_index", NULL,
		      order);
}

void json_slice(struct json *json, struct json_track track, const char *name, uint64_t ns,
		uint64_t duration, const char *args)
{
	json_head(json, track, 'X', name);
	json_when(json, ns);
	json_time(json, "dur", duration);
	json_tail(json, args);
}

void json_instant(struct json *json, struct json_track track, const char *name, uint64_t ns,
		  const char *args)
{
	json_head(json, track, 'i', name);
	json_when(json, ns);
	fputs(",\"s\":\"t\"", json->file);
	json_tail(json, args);
}

void json_counter(struct json *json, struct json_track track, const char *name, uint64_t ns,
		  const char *args)
{
	json_head(json, track, 'C', name);
	json_when(json, ns);
	json_tail(json, args);
}

void json_async(struct json *json, struct json_track track, char phase, const char *name,
		const char *id, uint64_t ns, const char *args)
{
	json_head(json, track, phase, name);
	fputs(",\"cat\":\"job\",\"id\":", json->file);
	json_string(json->file, id);
	json_when(json, ns);
	json_tail(json, args);
}

void json_flow(struct json *json, struct json_track track, char phase, const char *id, uint64_t ns)
{
	json_head(json, track, phase, "job");
	fputs(",\"cat\":\"flow\",\"id\":", json->file);
	json_string(json->file, id);
	json_when(json, ns);
	if (phase == 'f')
		fputs(",\"bp\":\"e\"", json->file);
	json_tail(json, "");
}
