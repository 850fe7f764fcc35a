// SPDX-License-Identifier: MIT
/* The format of dumps: checks a file and finds its sections. */
#include "dump.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Contents end at multiples of this. */
#define ALIGN 8

/* Smallest sizes of a header and a section: those of version 1. */
static const size_t file_header_bytes = sizeof(struct faa_dump_header);
static const size_t file_section_bytes = sizeof(struct faa_dump_section);

static bool dump_section_at(const struct dump *dump, size_t offset, struct dump_section *section)
{
	struct faa_dump_section raw;
	size_t room;

	if (offset > dump->size || dump->size - offset < file_section_bytes)
		return false;
	memcpy(&raw, dump->bytes + offset, file_section_bytes);
	room = dump->size - offset - file_section_bytes;
	*section = (struct dump_section){
		.kind = le32toh(raw.kind),
		.index = le32toh(raw.index),
		.error = le32toh(raw.error),
		.address = le64toh(raw.address),
		.content = dump->bytes + offset + file_section_bytes,
		.bytes = le32toh(raw.bytes),
	};
	if (section->bytes > room)
		return false;
	section->next =
		offset + file_section_bytes + ((section->bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1));
	return section->next <= dump->size;
}

static int dump_check_header(struct dump *dump, size_t size, char *why, size_t room)
{
	uint64_t claimed = le64toh(dump->header.size);
	uint32_t first = le32toh(dump->header.bytes);

	if (le64toh(dump->header.magic) != FAA_DUMP_MAGIC) {
		snprintf(why, room, "this is no dump: it does not begin with \"faadump\"");
	} else if (le32toh(dump->header.version) != FAA_DUMP_VERSION) {
		snprintf(why, room, "format %u, this program knows format %u",
			 le32toh(dump->header.version), FAA_DUMP_VERSION);
	} else if (claimed > size || claimed < file_header_bytes) {
		snprintf(why, room, "cut off: %zu of %llu bytes", size,
			 (unsigned long long)claimed);
	} else if (first < file_header_bytes || first > claimed || first % ALIGN) {
		snprintf(why, room, "byte %zu: a header of %u bytes",
			 offsetof(struct faa_dump_header, bytes), first);
	} else {
		dump->size = claimed;
		return 0;
	}
	return -EINVAL;
}

int dump_check(struct dump *dump, const void *bytes, size_t size, char *why, size_t room)
{
	struct dump_section section;
	size_t offset;
	int ret;

	*dump = (struct dump){ .bytes = bytes, .size = size };
	if (size < file_header_bytes) {
		snprintf(why, room, "this is no dump: it has %zu bytes, the shortest %zu", size,
			 file_header_bytes);
		return -EINVAL;
	}
	memcpy(&dump->header, bytes, file_header_bytes);
	/* The names in it are not trusted to end. */
	dump->header.comm[sizeof(dump->header.comm) - 1] = '\0';
	dump->header.kernel[sizeof(dump->header.kernel) - 1] = '\0';
	ret = dump_check_header(dump, size, why, room);
	if (ret)
		return ret;
	for (offset = le32toh(dump->header.bytes); offset < dump->size; offset = section.next) {
		if (dump_section_at(dump, offset, &section))
			continue;
		snprintf(why, room, "byte %zu: a section that goes beyond the end", offset);
		return -EINVAL;
	}
	return 0;
}

bool dump_next(const struct dump *dump, size_t offset, struct dump_section *section)
{
	return dump_section_at(dump, offset ? offset : le32toh(dump->header.bytes), section);
}

bool dump_find(const struct dump *dump, uint32_t kind, uint32_t index, struct dump_section *section)
{
	size_t offset = 0;

	while (dump_next(dump, offset, section)) {
		if (section->kind == kind && section->index == index)
			return true;
		offset = section->next;
	}
	return false;
}

void dump_item(const struct dump_section *section, size_t i, void *item, size_t size)
{
	size_t offset = i * size;
	size_t there = offset < section->bytes ? section->bytes - offset : 0;

	memset(item, 0, size);
	memcpy(item, section->content + offset, there < size ? there : size);
}
