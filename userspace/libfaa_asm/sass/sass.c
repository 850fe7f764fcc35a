// SPDX-License-Identifier: MIT
/* SASS: struct sass_code, and all forms except text. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../asm/scan.h"
#include "sass.h"

#define BUNDLE_BYTES 32
#define BUNDLE_SLOTS 3
#define NOP	     0x50b0000000070f00ull

static struct sass_code *sass_of(struct faa_asm_code *code)
{
	return (struct sass_code *)code;
}

static const struct sass_code *sass_of_const(const struct faa_asm_code *code)
{
	return (const struct sass_code *)code;
}

struct sass_code *sass_new(void)
{
	struct sass_code *code = calloc(1, sizeof(*code));

	if (code)
		code->base.language = &faa_asm_sass;
	return code;
}

int sass_add(struct sass_code *code, uint64_t word, uint32_t control, uint32_t line)
{
	if (code->count == code->capacity) {
		size_t capacity = code->capacity ? code->capacity * 2 : 64;
		struct sass_item *items = realloc(code->items, capacity * sizeof(*items));

		if (!items)
			return -ENOMEM;
		code->items = items;
		code->capacity = capacity;
	}
	code->items[code->count++] = (struct sass_item){ word, control, line };
	return 0;
}

void sass_free(struct sass_code *code)
{
	free(code->items);
	free(code);
}

static void sass_destroy(struct faa_asm_code *code)
{
	sass_free(sass_of(code));
}

static size_t sass_count(const struct faa_asm_code *code)
{
	return sass_of_const(code)->count;
}

/* Fills @code by @read; NULL on failure. */
static int sass_read_with(int (*read)(struct sass_code *code, const void *data, size_t size,
				      struct faa_asm_error *error),
			  const void *data, size_t size, struct faa_asm_code **code,
			  struct faa_asm_error *error)
{
	struct sass_code *sass = sass_new();
	int ret;

	if (!sass)
		return -ENOMEM;
	ret = read(sass, data, size, error);
	if (ret)
		sass_free(sass);
	else
		*code = &sass->base;
	return ret;
}

static int sass_read_text(const void *data, size_t size, struct faa_asm_code **code,
			  struct faa_asm_log *log)
{
	struct sass_code *sass = sass_new();
	int ret = sass ? sass_parse(sass, data, size, log) : -ENOMEM;

	if (ret && sass)
		sass_free(sass);
	else if (!ret)
		*code = &sass->base;
	return ret;
}

static int sass_write_text(const struct faa_asm_code *code, void **data, size_t *size,
			   struct faa_asm_error *error)
{
	const struct sass_code *sass = sass_of_const(code);
	struct faa_output output = { 0 };
	size_t i;

	for (i = 0; i < sass->count; i++)
		sass_print(&output, &sass->items[i]);
	return faa_output_finish(&output, data, size);
}

/* Up to 16 hexadecimal digits, with or without 0x. */
static int sass_parse_word(struct faa_scan *scan, uint64_t *word, struct faa_asm_error *error)
{
	char digits[20], buffer[64], *end;
	struct faa_scan start = *scan;
	size_t length, skip = 0;

	length = faa_scan_word(scan, "");
	if (length > 2 && start.at[0] == '0' && (start.at[1] == 'x' || start.at[1] == 'X'))
		skip = 2;
	if (!length)
		return faa_scan_fail(scan, error, "a word of 64 bits is expected, not %s",
				     faa_scan_show(scan, buffer));
	if (length - skip > 16)
		return faa_scan_fail(&start, error,
				     "a word has up to 16 hexadecimal digits, not %zu",
				     length - skip);
	memcpy(digits, start.at + skip, length - skip);
	digits[length - skip] = 0;
	*word = strtoull(digits, &end, 16);
	if (end != digits + length - skip || digits[0] == '_')
		return faa_scan_fail(&start, error, "%s is no hexadecimal number",
				     faa_scan_show(&start, buffer));
	return 0;
}

static bool sass_at_comment(const struct faa_scan *scan)
{
	return faa_scan_peek(scan) == '#' ||
	       (scan->end - scan->at > 1 && scan->at[0] == '/' && scan->at[1] == '/');
}

static int sass_parse_hex(struct sass_code *code, const void *data, size_t size,
			  struct faa_asm_error *error)
{
	struct faa_scan scan = faa_scan_begin(data, size);
	char buffer[64];
	uint64_t word = 0;
	int ret = 0;

	while (!ret && scan.at < scan.end) {
		faa_scan_blank(&scan);
		if (faa_scan_peek(&scan) >= 0 && faa_scan_peek(&scan) != '\n' &&
		    !sass_at_comment(&scan)) {
			ret = sass_parse_word(&scan, &word, error);
			if (!ret)
				ret = sass_add(code, word, SASS_CONTROL_NONE, scan.line);
			faa_scan_blank(&scan);
		}
		if (sass_at_comment(&scan))
			faa_scan_rest(&scan);
		if (!ret && faa_scan_peek(&scan) >= 0 && faa_scan_peek(&scan) != '\n')
			return faa_scan_fail(&scan, error,
					     "one word a line is expected, not %s after it",
					     faa_scan_show(&scan, buffer));
		if (!ret && scan.at < scan.end)
			faa_scan_newline(&scan);
	}
	return ret;
}

static int sass_read_hex(const void *data, size_t size, struct faa_asm_code **code,
			 struct faa_asm_error *error)
{
	return sass_read_with(sass_parse_hex, data, size, code, error);
}

/* Notes whether annotations are left out. */
static void sass_note_annotations(const struct sass_code *sass, struct faa_asm_error *error)
{
	size_t i = 0;

	while (i < sass->count && sass->items[i].control == SASS_CONTROL_NONE)
		i++;
	if (i < sass->count)
		faa_asm_fail(error, sass->items[i].line, 0,
			     "the hexadecimal form has no room for annotations; bundles have");
}

static int sass_write_hex(const struct faa_asm_code *code, void **data, size_t *size,
			  struct faa_asm_error *error)
{
	const struct sass_code *sass = sass_of_const(code);
	struct faa_output output = { 0 };
	size_t i;

	for (i = 0; i < sass->count && faa_output_room(&output, 19); i++) {
		char *at = output.bytes + output.size;
		int digit;

		*at++ = '0';
		*at++ = 'x';
		for (digit = 15; digit >= 0; digit--)
			*at++ = "0123456789abcdef"[sass->items[i].word >> (4 * digit) & 15];
		*at = '\n';
		output.size += 19;
	}
	sass_note_annotations(sass, error);
	return faa_output_finish(&output, data, size);
}

static int sass_parse_bundles(struct sass_code *code, const void *data, size_t size,
			      struct faa_asm_error *error)
{
	const char *at = (const char *)data;
	uint64_t words[1 + BUNDLE_SLOTS];
	size_t bundle, slot;

	if (size % BUNDLE_BYTES)
		return faa_asm_fail(error, (uint32_t)(size / BUNDLE_BYTES) + 1, 0,
				    "the last bundle has %zu bytes, not %u", size % BUNDLE_BYTES,
				    BUNDLE_BYTES);
	for (bundle = 0; bundle < size / BUNDLE_BYTES; bundle++) {
		memcpy(words, at + bundle * BUNDLE_BYTES, sizeof(words));
		for (slot = 0; slot < BUNDLE_SLOTS; slot++) {
			uint64_t control = le64toh(words[0]) >> (SASS_CONTROL_BITS * slot);
			uint32_t bits = control & ((1u << SASS_CONTROL_BITS) - 1);

			if (slot == BUNDLE_SLOTS - 1 && control >> SASS_CONTROL_BITS)
				bits |= SASS_BIT63;
			if (sass_add(code, le64toh(words[1 + slot]), bits, (uint32_t)bundle + 1))
				return -ENOMEM;
		}
	}
	return 0;
}

static int sass_read_bundles(const void *data, size_t size, struct faa_asm_code **code,
			     struct faa_asm_error *error)
{
	return sass_read_with(sass_parse_bundles, data, size, code, error);
}

/* NOPs fill the last bundle. */
static int sass_write_bundles(const struct faa_asm_code *code, void **data, size_t *size,
			      struct faa_asm_error *error)
{
	static const struct sass_item filler = { NOP, SASS_CONTROL_NONE, 0 };
	const struct sass_code *sass = sass_of_const(code);
	struct faa_output output = { 0 };
	size_t i, slot;

	for (i = 0; i < sass->count; i += BUNDLE_SLOTS) {
		uint64_t words[1 + BUNDLE_SLOTS] = { 0 };

		for (slot = 0; slot < BUNDLE_SLOTS; slot++) {
			const struct sass_item *item =
				i + slot < sass->count ? &sass->items[i + slot] : &filler;

			if (item->control & SASS_BIT63 && slot != BUNDLE_SLOTS - 1) {
				faa_output_drop(&output);
				return faa_asm_fail(
					error, item->line, 0,
					"&bit63 is for the third instruction of a bundle");
			}
			words[0] |= (uint64_t)item->control << (SASS_CONTROL_BITS * slot);
			words[1 + slot] = htole64(item->word);
		}
		words[0] = htole64(words[0]);
		faa_output_add(&output, words, sizeof(words));
	}
	return faa_output_finish(&output, data, size);
}

const struct faa_asm_language faa_asm_sass = {
	.name = "sass",
	.read_text = sass_read_text,
	.read = { [FAA_ASM_HEX] = sass_read_hex, [FAA_ASM_BUNDLE] = sass_read_bundles },
	.write = { [FAA_ASM_TEXT] = sass_write_text,
		   [FAA_ASM_HEX] = sass_write_hex,
		   [FAA_ASM_BUNDLE] = sass_write_bundles },
	.emit = sass_emit,
	.count = sass_count,
	.destroy = sass_destroy,
};
