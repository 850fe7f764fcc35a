// SPDX-License-Identifier: MIT
/*
 * A dump as one JSON object. Addresses, offsets of registers and page-table entries are strings of
 * hexadecimal digits, since numbers of JSON have 53 bits; counts are numbers.
 */
#include "dump.h"

#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <drm/faa_drm.h>

#include "faa.h"
#include "faa_isa.h"
#include "tool.h"

#define NONE (~0u)

typedef unsigned long long ull;

/* Name of a bit or of a value. */
struct json_name {
	uint32_t value;
	const char *name;
};

/* Text of a program: bytes that are no ASCII are escaped one by one. */
static void json_print_text(const void *text, size_t room)
{
	const unsigned char *c = text;

	putchar('"');
	for (size_t i = 0; i < room && c[i]; i++) {
		if (c[i] < ' ' || c[i] >= 0x7f || c[i] == '"' || c[i] == '\\')
			printf("\\u%04x", c[i]);
		else
			putchar(c[i]);
	}
	putchar('"');
}

static void json_print_name(const struct json_name *names, size_t count, uint32_t value)
{
	for (size_t i = 0; i < count; i++)
		if (names[i].value == value) {
			printf("\"%s\"", names[i].name);
			return;
		}
	printf("\"%u\"", value);
}

static void json_print_bits(const struct json_name *names, size_t count, uint32_t bits)
{
	const char *comma = "";

	putchar('[');
	for (size_t i = 0; i < count; i++)
		if (bits & names[i].value) {
			printf("%s\"%s\"", comma, names[i].name);
			comma = ", ";
		}
	putchar(']');
}

#define JSON_NAME(names, value) json_print_name(names, sizeof(names) / sizeof((names)[0]), value)
#define JSON_BITS(names, bits)	json_print_bits(names, sizeof(names) / sizeof((names)[0]), bits)

static void json_print_header(const struct dump *dump)
{
	static const struct json_name reasons[] = { { FAA_DUMP_DEMAND, "demand" },
						    { FAA_DUMP_TIMEOUT, "timeout" },
						    { FAA_DUMP_FAULT, "fault" },
						    { FAA_DUMP_VICTIM, "victim" },
						    { FAA_DUMP_LOST, "lost" } };
	static const struct json_name flags[] = { { FAA_DUMP_NO_ADDRESSES, "no_addresses" },
						  { FAA_DUMP_NO_REGISTERS, "no_registers" } };
	const struct faa_dump_header *header = &dump->header;

	printf("\"reason\": ");
	JSON_NAME(reasons, le32toh(header->reason));
	printf(", \"flags\": ");
	JSON_BITS(flags, le32toh(header->flags));
	printf(", \"time_ns\": %llu, \"cycle\": %llu, \"pid\": %u, \"comm\": ",
	       (ull)le64toh(header->time_ns), (ull)le64toh(header->cycle), le32toh(header->pid));
	json_print_text(header->comm, sizeof(header->comm));
	printf(", \"kernel\": ");
	json_print_text(header->kernel, sizeof(header->kernel));
}

/* A number, or null for none. */
static void json_print_index(const char *name, uint32_t index)
{
	if (index == NONE)
		printf(", \"%s\": null", name);
	else
		printf(", \"%s\": %u", name, index);
}

static void json_print_queue_fault(const struct faa_dump_queue *queue)
{
	if (!le64toh(queue->fault_seqno)) {
		printf(", \"page_fault\": null");
		return;
	}
	printf(", \"page_fault\": {\"address\": \"0x%llx\", \"job\": %llu, \"queue\": %u, \"code\": %u, \"error\": ",
	       (ull)le64toh(queue->fault_va), (ull)le64toh(queue->fault_seqno),
	       le32toh(queue->fault_queue), le32toh(queue->fault_code));
	tool_print_json_string(faa_error_text(le32toh(queue->fault_code)));
	putchar('}');
}

static void json_print_queue(const struct dump *dump)
{
	static const struct json_name priorities[] = { { DRM_FAA_PRIORITY_LOW, "low" },
						       { DRM_FAA_PRIORITY_NORMAL, "normal" },
						       { DRM_FAA_PRIORITY_HIGH, "high" },
						       { DRM_FAA_PRIORITY_REALTIME, "realtime" } };
	static const struct json_name states[] = { { DRM_FAA_QUEUE_STATE_DEAD, "dead" },
						   { DRM_FAA_QUEUE_STATE_TIMEDOUT, "timed_out" },
						   { DRM_FAA_QUEUE_STATE_FAULT, "bus_error" },
						   { DRM_FAA_QUEUE_STATE_RESET, "reset" },
						   { DRM_FAA_QUEUE_STATE_LOST, "lost" } };
	struct dump_section section;
	struct faa_dump_queue queue;

	if (!dump_find(dump, FAA_DUMP_QUEUE, 0, &section)) {
		printf(",\n\"queue\": null");
		return;
	}
	dump_item(&section, 0, &queue, sizeof(queue));
	printf(",\n\"queue\": {\"number\": %u, \"id\": %u", le32toh(queue.number),
	       le32toh(queue.id));
	json_print_index("hardware_queue", le32toh(queue.hardware_queue));
	json_print_index("cu", le32toh(queue.cu));
	printf(", \"priority\": ");
	JSON_NAME(priorities, le32toh(queue.priority));
	printf(", \"state\": ");
	JSON_BITS(states, le32toh(queue.state));
	printf(", \"shared_bytes\": %u, \"vm\": %u, \"resets\": %u, \"submitted\": %llu, "
	       "\"given\": %llu, \"ended\": %llu, \"failed\": %llu, \"tail\": %u",
	       le32toh(queue.shared_bytes), le32toh(queue.vm), le32toh(queue.resets),
	       (ull)le64toh(queue.submitted), (ull)le64toh(queue.given), (ull)le64toh(queue.ended),
	       (ull)le64toh(queue.failed), le32toh(queue.tail));
	json_print_queue_fault(&queue);
	putchar('}');
}

static void json_print_position(const struct dump *dump, const struct dump_section *section)
{
	struct faa_dump_position position;
	struct dump_section code;

	dump_item(section, 0, &position, sizeof(position));
	printf("{\"slot\": %u, \"job\": %llu, \"stream\": \"0x%llx\", \"stream_bytes\": %u, "
	       "\"running\": %s, \"command\": %u, \"retired\": %u, \"commands\": ",
	       le32toh(position.slot), (ull)le64toh(position.seqno),
	       (ull)le64toh(position.stream_va), le32toh(position.stream_bytes),
	       le32toh(position.running) ? "true" : "false", le32toh(position.pc),
	       le32toh(position.retired));
	if (dump_find(dump, FAA_DUMP_CODE, section->index, &code))
		dump_json_code(&code, &position, section->address);
	else
		printf("[]");
	putchar('}');
}

static void json_print_walk(const struct dump *dump, const struct dump_section *section)
{
	struct faa_dump_entry entry;

	printf("{\"of\": \"%s\", \"address\": \"0x%llx\", \"entries\": [",
	       section->index == FAA_DUMP_WALK_FAULT ? "page_fault" : "command",
	       (ull)section->address);
	for (size_t i = 0; i < section->bytes / sizeof(entry); i++) {
		dump_item(section, i, &entry, sizeof(entry));
		printf("%s{\"level\": %u, \"index\": %u, \"entry\": \"0x%016llx\"}", i ? ", " : "",
		       le32toh(entry.level), le32toh(entry.index), (ull)le64toh(entry.entry));
	}
	printf("]}");
}

static void json_print_mappings(const struct dump *dump, const struct dump_section *section)
{
	static const struct json_name kinds[] = { { FAA_DUMP_MAPPED_BO, "bo" },
						  { FAA_DUMP_MAPPED_USERPTR, "userptr" },
						  { FAA_DUMP_MAPPED_NULL, "null" } };
	struct faa_dump_mapping mapping;

	printf("{\"of\": \"%s\", \"address\": \"0x%llx\", \"mappings\": [",
	       section->index == FAA_DUMP_WALK_FAULT ? "page_fault" : "command",
	       (ull)section->address);
	for (size_t i = 0; i < section->bytes / sizeof(mapping); i++) {
		dump_item(section, i, &mapping, sizeof(mapping));
		printf("%s{\"va\": \"0x%llx\", \"bytes\": %llu, \"offset\": \"0x%llx\", \"kind\": ",
		       i ? ", " : "", (ull)le64toh(mapping.va), (ull)le64toh(mapping.bytes),
		       (ull)le64toh(mapping.offset));
		JSON_NAME(kinds, le32toh(mapping.kind));
		printf(", \"label\": ");
		json_print_text(mapping.label, sizeof(mapping.label));
		putchar('}');
	}
	printf("]}");
}

/* An array of what @print makes of each section of a kind that has @bytes bytes or more. */
static void
json_print_sections(const struct dump *dump, const char *name, uint32_t kind, size_t bytes,
		    void (*print)(const struct dump *dump, const struct dump_section *section))
{
	struct dump_section section;
	const char *comma = "\n";

	printf(",\n\"%s\": [", name);
	for (size_t offset = 0; dump_next(dump, offset, &section); offset = section.next) {
		if (section.kind != kind || section.bytes < bytes)
			continue;
		printf("%s", comma);
		print(dump, &section);
		comma = ",\n";
	}
	putchar(']');
}

static void json_print_records(const struct dump *dump)
{
	struct dump_section section;
	struct drm_faa_status record;
	const char *comma = "\n";

	printf(",\n\"records\": [");
	if (!dump_find(dump, FAA_DUMP_RECORDS, 0, &section))
		section.bytes = 0;
	for (size_t i = 0; i < section.bytes / sizeof(record); i++) {
		dump_item(&section, i, &record, sizeof(record));
		if (!le64toh(record.seqno))
			continue;
		printf("%s{\"job\": %llu, \"code\": %u, \"error\": ", comma,
		       (ull)le64toh(record.seqno), le32toh(record.code));
		tool_print_json_string(faa_error_text(le32toh(record.code)));
		printf(", \"command\": %u, \"element\": %u, \"lane\": %u, \"address\": \"0x%llx\", "
		       "\"elements_retired\": %llu, \"start_cycle\": %llu, \"end_cycle\": %llu}",
		       le32toh(record.command), le32toh(record.element), le32toh(record.lane),
		       (ull)le64toh(record.address), (ull)le64toh(record.elements_retired),
		       (ull)le64toh(record.start_cycle), (ull)le64toh(record.end_cycle));
		comma = ",\n";
	}
	putchar(']');
}

static void json_print_ring(const struct dump *dump, const struct dump_section *section)
{
	struct faa_job_desc desc;

	for (size_t i = 0; i < section->bytes / sizeof(desc); i++) {
		dump_item(section, i, &desc, sizeof(desc));
		printf("%s{\"entry\": %llu, \"job\": %llu, \"stream\": \"0x%llx\", "
		       "\"stream_bytes\": %u, \"flags\": %u}",
		       i ? ",\n" : "", (ull)section->index + i, (ull)le64toh(desc.seqno),
		       (ull)le64toh(desc.stream_va), le32toh(desc.stream_bytes),
		       le32toh(desc.flags));
	}
}

void dump_json(const struct dump *dump)
{
	struct dump_section section;

	putchar('{');
	json_print_header(dump);
	json_print_queue(dump);
	json_print_sections(dump, "positions", FAA_DUMP_POSITION, 0, json_print_position);
	json_print_sections(dump, "walks", FAA_DUMP_WALK, 0, json_print_walk);
	json_print_sections(dump, "mappings", FAA_DUMP_MAPPINGS, 0, json_print_mappings);
	json_print_records(dump);
	json_print_sections(dump, "ring", FAA_DUMP_RING, sizeof(struct faa_job_desc),
			    json_print_ring);
	printf(",\n\"registers\": [");
	if (dump_find(dump, FAA_DUMP_REGISTERS, 0, &section))
		dump_json_registers(&section);
	printf("]}\n");
}
