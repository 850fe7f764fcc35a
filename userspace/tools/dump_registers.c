// SPDX-License-Identifier: MIT
/* Registers of a dump, by name. */
#include "dump.h"

#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "faa.h"
#include "faa_regs.h"

/* A field; the last one of a register has no name. */
struct register_field {
	const char *name;
	uint32_t mask;
};

/* A register, or one of several blocks. */
struct register_name {
	const char *name;
	uint32_t offset;
	/* Number of @step in use. */
	unsigned int steps;
	struct {
		uint32_t count, stride;
	} step[2];
	const struct register_field *fields;
};

#include "register_names.h"

#define COUNT (sizeof(register_names) / sizeof(register_names[0]))

/* Whether it is the register at @offset; @block receives the indices of its blocks. */
static bool register_is(const struct register_name *name, uint32_t offset, uint32_t *block)
{
	uint32_t left = offset - name->offset;

	if (offset < name->offset)
		return false;
	for (unsigned int i = 0; i < name->steps; i++) {
		block[i] = left / name->step[i].stride;
		if (block[i] >= name->step[i].count)
			block[i] = name->step[i].count - 1;
		left -= block[i] * name->step[i].stride;
	}
	return !left;
}

static const struct register_name *register_find(uint32_t offset, uint32_t *block)
{
	for (size_t i = 0; i < COUNT; i++)
		if (register_is(&register_names[i], offset, block))
			return &register_names[i];
	return NULL;
}

static void register_write_name(char *text, size_t size, const struct register_name *name,
				uint32_t offset, const uint32_t *block)
{
	if (!name)
		snprintf(text, size, "0x%05x", offset);
	else if (name->steps == 2)
		snprintf(text, size, "%s[%u][%u]", name->name, block[0], block[1]);
	else if (name->steps == 1)
		snprintf(text, size, "%s[%u]", name->name, block[0]);
	else
		snprintf(text, size, "%s", name->name);
}

static void register_print_fields(const struct register_name *name, uint32_t value)
{
	const struct register_field *field;

	for (field = name ? name->fields : NULL; field && field->name; field++)
		printf(" %s=%u", field->name, (value & field->mask) >> __builtin_ctz(field->mask));
}

/*
 * Prints both halves of a counter in one line. Returns whether the registers at @i and @i + 1 are
 * such.
 */
static bool register_print_counter(const struct dump_section *registers, size_t i,
				   const struct register_name *name, const uint32_t *block)
{
	struct faa_dump_register low, high;
	const char *counter = faa_counter_name(block[1]);

	if (strcmp(name->name, "CU_COUNTER_LO") || (i + 2) * sizeof(low) > registers->bytes)
		return false;
	dump_item(registers, i, &low, sizeof(low));
	dump_item(registers, i + 1, &high, sizeof(high));
	if (le32toh(high.offset) != le32toh(low.offset) + 4)
		return false;
	if (counter)
		printf("  0x%05x  CU_COUNTER[%u] %-20s %llu\n", le32toh(low.offset), block[0],
		       counter, (unsigned long long)le32toh(high.value) << 32 | le32toh(low.value));
	return true;
}

void dump_show_registers(const struct dump_section *registers)
{
	struct faa_dump_register item;
	const struct register_name *name;
	uint32_t block[2] = { 0 };
	char text[64];

	for (size_t i = 0; i < registers->bytes / sizeof(item); i++) {
		dump_item(registers, i, &item, sizeof(item));
		name = register_find(le32toh(item.offset), block);
		if (name && register_print_counter(registers, i, name, block)) {
			i++;
			continue;
		}
		register_write_name(text, sizeof(text), name, le32toh(item.offset), block);
		printf("  0x%05x  %-24s 0x%08x", le32toh(item.offset), text, le32toh(item.value));
		register_print_fields(name, le32toh(item.value));
		putchar('\n');
	}
}

void dump_json_registers(const struct dump_section *registers)
{
	const struct register_field *field;
	const struct register_name *name;
	struct faa_dump_register item;
	uint32_t block[2] = { 0 };
	char text[64];

	for (size_t i = 0; i < registers->bytes / sizeof(item); i++) {
		dump_item(registers, i, &item, sizeof(item));
		name = register_find(le32toh(item.offset), block);
		register_write_name(text, sizeof(text), name, le32toh(item.offset), block);
		printf("%s{\"offset\": \"0x%05x\", \"name\": \"%s\", \"value\": \"0x%08x\", \"fields\": {",
		       i ? ",\n" : "\n", le32toh(item.offset), text, le32toh(item.value));
		for (field = name ? name->fields : NULL; field && field->name; field++)
			printf("%s\"%s\": %u", field == name->fields ? "" : ", ", field->name,
			       (le32toh(item.value) & field->mask) >> __builtin_ctz(field->mask));
		printf("}}");
	}
}
