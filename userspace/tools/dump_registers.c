// SPDX-License-Identifier: MIT
/* Registers of a dump, by name. */
#include "dump.h"
#include "register_name.h"

#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "faa.h"
#include "faa_regs.h"

static void register_print_fields(const struct register_info *name, uint32_t value)
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
				   const struct register_info *name, const uint32_t *block)
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
	const struct register_info *name;
	uint32_t block[2] = { 0 };
	char text[64];

	for (size_t i = 0; i < registers->bytes / sizeof(item); i++) {
		dump_item(registers, i, &item, sizeof(item));
		name = register_find(le32toh(item.offset), block);
		if (name && register_print_counter(registers, i, name, block)) {
			i++;
			continue;
		}
		register_name(text, sizeof(text), le32toh(item.offset));
		printf("  0x%05x  %-24s 0x%08x", le32toh(item.offset), text, le32toh(item.value));
		register_print_fields(name, le32toh(item.value));
		putchar('\n');
	}
}

void dump_json_registers(const struct dump_section *registers)
{
	const struct register_field *field;
	const struct register_info *name;
	struct faa_dump_register item;
	uint32_t block[2] = { 0 };
	char text[64];

	for (size_t i = 0; i < registers->bytes / sizeof(item); i++) {
		dump_item(registers, i, &item, sizeof(item));
		name = register_find(le32toh(item.offset), block);
		register_name(text, sizeof(text), le32toh(item.offset));
		printf("%s{\"offset\": \"0x%05x\", \"name\": \"%s\", \"value\": \"0x%08x\", \"fields\": {",
		       i ? ",\n" : "\n", le32toh(item.offset), text, le32toh(item.value));
		for (field = name ? name->fields : NULL; field && field->name; field++)
			printf("%s\"%s\": %u", field == name->fields ? "" : ", ", field->name,
			       (le32toh(item.value) & field->mask) >> __builtin_ctz(field->mask));
		printf("}}");
	}
}
