/* SPDX-License-Identifier: MIT */
/*
 * Dumps of the driver (faa_dump.h) as text and JSON.
 */
#ifndef FAA_DUMP_TOOL_H
#define FAA_DUMP_TOOL_H

#include <stddef.h>
#include <stdint.h>

#include <drm/faa_dump.h>

/** struct dump - a dump in memory that dump_check() has accepted */
struct dump {
	const unsigned char *bytes;
	/** @size: of the dump; a file may have more. */
	size_t size;
	struct faa_dump_header header;
};

/** struct dump_section - a section of a dump */
struct dump_section {
	uint32_t kind, index, error;
	uint64_t address;
	/** @content: its @bytes bytes, not aligned. */
	const unsigned char *content;
	size_t bytes;
	/** @next: offset of the next section. */
	size_t next;
};

/**
 * dump_check() - check that a file is a dump
 * @dump: out
 * @bytes: the file
 * @size: its size
 * @why: out: the error and its position
 * @room: bytes at @why
 *
 * Return: 0 or -EINVAL.
 */
int dump_check(struct dump *dump, const void *bytes, size_t size, char *why, size_t room);

/**
 * dump_next() - the section at an offset
 * @dump: the dump
 * @offset: of it, 0 = the first
 * @section: out
 *
 * Return: false after the last one.
 */
_Bool dump_next(const struct dump *dump, size_t offset, struct dump_section *section);

/** dump_find() - the first section of a kind and index; false: there is none. */
_Bool dump_find(const struct dump *dump, uint32_t kind, uint32_t index,
		struct dump_section *section);

/** dump_item() - copy item @i of @size bytes; members that an older driver lacks are 0. */
void dump_item(const struct dump_section *section, size_t i, void *item, size_t size);

/** dump_show() - print a dump as text to the standard output. */
void dump_show(const struct dump *dump);

/** dump_show_code() - print the commands around a position, with an arrow at it. */
void dump_show_code(const struct dump_section *code, const struct faa_dump_position *position,
		    uint64_t address);

/** dump_show_registers() - print registers with their names and fields. */
void dump_show_registers(const struct dump_section *registers);

/** dump_json() - print a dump as one JSON object to the standard output. */
void dump_json(const struct dump *dump);

/** dump_json_code() - an array of the commands around a position; "here" is true at it. */
void dump_json_code(const struct dump_section *code, const struct faa_dump_position *position,
		    uint64_t address);

/** dump_json_registers() - items of an array: offset, name, value and fields of each register. */
void dump_json_registers(const struct dump_section *registers);

#endif /* FAA_DUMP_TOOL_H */
