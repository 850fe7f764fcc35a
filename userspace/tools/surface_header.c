// SPDX-License-Identifier: MIT
/* faa-surface header: prints a texture header as text. */
#include "surface_tool.h"
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_tables.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Words that were read, and their origin. */
struct words {
	const char *from;
	uint32_t *word;
	size_t count;
};

static const char *header_name_in(const char *const *names, size_t count, uint32_t value)
{
	return value < count && names[value] ? names[value] : NULL;
}

/* The name of a field's value, NULL for a number. */
static const char *header_value_name(const char *field, uint32_t value)
{
	if (!strcmp(field, "COMPONENTS"))
		return surface_texel_name(value);
	if (!strcmp(field, "HEADER_VERSION"))
		return header_name_in(faa_header_version_names, COUNT(faa_header_version_names),
				      value);
	if (!strcmp(field, "TEXTURE_TYPE"))
		return header_name_in(faa_texture_type_names, COUNT(faa_texture_type_names), value);
	if (strlen(field) > 10 && !strcmp(field + 1, "_DATA_TYPE"))
		return header_name_in(faa_data_type_names, COUNT(faa_data_type_names), value);
	return NULL;
}

/* A header, and its meaning for SUATOM. */
struct header {
	const uint32_t *words;
	uint32_t version;
	/* NULL: the version is unknown. */
	const char *version_name;
	const struct faa_header_field *fields;
	size_t field_count;
	/*
	 * 0: the members below are valid; -ENOENT: it is disabled; others: it is bad. @why has the
	 * reason.
	 */
	int error;
	const char *why;
	struct faa_surface_layout layout;
	struct faa_surface_view view;
	uint64_t va;
};

static void header_decode(const uint32_t *words, struct header *header)
{
	header->words = words;
	header->version = faa_header_version(words);
	header->version_name = header_name_in(faa_header_version_names,
					      COUNT(faa_header_version_names), header->version);
	header->fields = faa_header_fields(header->version, &header->field_count);
	header->error = faa_surface_decode(words, &header->layout, &header->view, &header->va,
					   &header->why);
}

static bool header_is_signed(const struct header *header)
{
	return header->layout.desc.data_type == FAA_DATA_TYPE_SINT;
}

static void header_print_fields(const struct header *header)
{
	const char *name;
	uint32_t value;
	size_t i;

	for (i = 0; i < header->field_count; i++) {
		const struct faa_header_field *field = &header->fields[i];

		faa_header_get(header->words, field->name, &value);
		name = header_value_name(field->name, value);
		printf("  %3u..%-3u  %-28s  0x%x%s%s\n", field->high, field->low, field->name,
		       value, name ? "  " : "", name ? name : "");
	}
}

static void header_print_text(const struct header *header)
{
	printf("header version %u: %s\n", header->version,
	       header->version_name ? header->version_name : "unknown");
	header_print_fields(header);
	if (header->error) {
		printf("SUATOM: %s%s\n",
		       header->error == -ENOENT ? "" : "BAD_HEADER: ", header->why);
		return;
	}
	printf("SUATOM.%s at 0x%" PRIx64
	       ": texels of %u bytes, SD32 and SD64 are %s; shows level %u\n",
	       surface_dim_name(header->layout.dim), header->va, header->layout.texel_bytes,
	       header_is_signed(header) ? "signed" : "unsigned", header->view.level);
	surface_print_levels(&header->layout);
}

static void header_print_json_name(const char *key, const char *name)
{
	if (!name)
		return;
	printf(", \"%s\": ", key);
	tool_print_json_string(name);
}

static void header_print_json_fields(const struct header *header)
{
	uint32_t value;
	size_t i;

	printf("[");
	for (i = 0; i < header->field_count; i++) {
		const struct faa_header_field *field = &header->fields[i];

		faa_header_get(header->words, field->name, &value);
		printf("%s{\"name\": \"%s\", \"high\": %u, \"low\": %u, \"value\": %u",
		       i ? ", " : "", field->name, field->high, field->low, value);
		header_print_json_name("meaning", header_value_name(field->name, value));
		printf("}");
	}
	printf("]");
}

static void header_print_json_surface(const struct header *header)
{
	if (header->error) {
		printf("{\"bad_header\": %s", header->error == -ENOENT ? "false" : "true");
		header_print_json_name("reason", header->why);
	} else {
		printf("{\"dim\": \"%s\", \"address\": %" PRIu64
		       ", \"texel_bytes\": %u, \"signed\": %s, \"level\": %u, ",
		       surface_dim_name(header->layout.dim), header->va, header->layout.texel_bytes,
		       header_is_signed(header) ? "true" : "false", header->view.level);
		surface_print_json_levels(&header->layout);
	}
	printf("}");
}

static void header_print_json(const struct header *header)
{
	printf("{\"version\": %u", header->version);
	header_print_json_name("layout", header->version_name);
	printf(", \"fields\": ");
	header_print_json_fields(header);
	printf(", \"surface\": ");
	header_print_json_surface(header);
	printf("}\n");
}

static int header_add(struct words *words, const char *text, const char *where)
{
	uint32_t *grown;
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 16);
	if (!isxdigit((unsigned char)text[0]) || *end || errno || value > UINT32_MAX) {
		fprintf(stderr, "faa-surface: %s'%s' is no hexadecimal word of 32 bits\n", where,
			text);
		return -EINVAL;
	}
	grown = realloc(words->word, (words->count + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	words->word = grown;
	grown[words->count++] = (uint32_t)value;
	return 0;
}

/* Adds the words of a line, separated by blanks and commas; '#' begins a comment. */
static int header_add_line(struct words *words, char *line, unsigned int number)
{
	char where[300], *save, *word;
	int ret = 0;

	snprintf(where, sizeof(where), "%.250s:%u: ", words->from, number);
	line[strcspn(line, "#")] = '\0';
	for (word = strtok_r(line, " \t\r\n,", &save); word && !ret;
	     word = strtok_r(NULL, " \t\r\n,", &save))
		ret = header_add(words, word, where);
	return ret;
}

static int header_read_file(struct words *words, const char *path)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
	char *line = NULL;
	unsigned int number = 0;
	size_t size = 0;
	int ret = 0;

	if (!file) {
		fprintf(stderr, "faa-surface: %s: %s\n", path, strerror(errno));
		return -errno;
	}
	while (!ret && getline(&line, &size, file) >= 0)
		ret = header_add_line(words, line, ++number);
	if (!ret && ferror(file)) {
		fprintf(stderr, "faa-surface: %s: cannot be read\n", path);
		ret = -EIO;
	}
	free(line);
	if (file != stdin)
		fclose(file);
	return ret;
}

int surface_header(const char *const *args, unsigned int count, const char *path, bool json)
{
	struct words words = { .from = path ? path : "the command line" };
	struct header header;
	unsigned int i;
	size_t at;
	int ret = 0;

	for (i = 0; i < count && !ret; i++)
		ret = header_add(&words, args[i], "");
	if (!ret && path)
		ret = header_read_file(&words, path);
	if (!ret && (!words.count || words.count % FAA_HEADER_WORDS)) {
		fprintf(stderr, "faa-surface: %s: %zu words; a header has %d\n", words.from,
			words.count, FAA_HEADER_WORDS);
		ret = -EINVAL;
	}
	for (at = 0; !ret && at < words.count; at += FAA_HEADER_WORDS) {
		header_decode(words.word + at, &header);
		(json ? header_print_json : header_print_text)(&header);
	}
	free(words.word);
	return ret ? 1 : 0;
}
