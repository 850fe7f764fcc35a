/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Events of a JSON trace
 *
 * Writers of the kinds of events of Chrome's Trace Event Format that Perfetto shows, too. Times are
 * nanoseconds since json_begin(); a track is a pair of numbers, process and thread.
 */
#ifndef FAA_UML_TRACE_JSON_H
#define FAA_UML_TRACE_JSON_H

#include <stdint.h>
#include <stdio.h>

/** struct json - a trace that is being written */
struct json {
	FILE *file;
	/** @origin: time 0 of the trace. */
	uint64_t origin;
	uint64_t events;
};

/** struct json_track - where an event is shown */
struct json_track {
	unsigned int pid, tid;
};

/** json_begin() - begin the list of events; the members of the trace before it are written */
void json_begin(struct json *json, FILE *file, uint64_t origin);
/** json_end() - end the list */
void json_end(struct json *json);

/** json_string() - write a string with quotes */
void json_string(FILE *file, const char *text);

/** json_name() - name the track, or with @tid 0 its process; tracks are shown in order of @tid */
void json_name(struct json *json, struct json_track track, const char *name);

/**
 * json_slice() - an event with a duration
 * @args: members of an object, as JSON without braces; "" for none
 *
 * Slices of a track are nested, or do not overlap.
 */
void json_slice(struct json *json, struct json_track track, const char *name, uint64_t ns,
		uint64_t duration, const char *args);
/** json_instant() - an event without a duration */
void json_instant(struct json *json, struct json_track track, const char *name, uint64_t ns,
		  const char *args);
/** json_counter() - a value of one or more curves, which @args names */
void json_counter(struct json *json, struct json_track track, const char *name, uint64_t ns,
		  const char *args);
/**
 * json_async() - begin ('b') or end ('e') of an event that may overlap others of its track
 * @id: of the event; events with one id are nested
 */
void json_async(struct json *json, struct json_track track, char phase, const char *name,
		const char *id, uint64_t ns, const char *args);
/**
 * json_flow() - begin ('s'), step ('t') or end ('f') of an arrow
 * @ns: a time within a slice of the track, which the arrow is attached to
 */
void json_flow(struct json *json, struct json_track track, char phase, const char *id, uint64_t ns);

#endif /* FAA_UML_TRACE_JSON_H */
