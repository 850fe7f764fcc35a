// SPDX-License-Identifier: MIT
/* faa-surface header: a texture header in words. */
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

/* Words as they come, with where they come from. */
struct words {
	const char *from;
	uint32_t *word;
	size_t count;
};

static const char *name_in(const char *const *names, size_t count, uint32_t value)
{
	return value < count && names[value] ? names[value] : NULL;
}

/* The name of a field's value, NULL for a number. */
static const char *value_name(const char *field, uint32_t value)
{
	if (!strcmp(field, "COMPONENTS"))
		return surface_texel_name(value);
	if (!strcmp(field, "HEADER_VERSION"))
		return name_in(faa_header_version_names, COUNT(faa_header_version_names), value);
	if (!strcmp(field, "TEXTURE_TYPE"))
		return name_in(faa_texture_type_names, COUNT(faa_texture_type_names), value);
	if (strlen(field) > 10 && !strcmp(field + 1, "_DATA_TYPE"))
		return name_in(faa_data_type_names, COUNT(faa_data_type_names), value);
	return NULL;
}

static void print_fields(const uint32_t *header)
{
	const struct faa_header_field *fields;
	const char *name;
	uint32_t value;
	size_t count, i;

	fields = faa_header_fields(faa_header_version(header), &count);
	for (i = 0; i < count; i++) {
		faa_header_get(header, fields[i].name, &value);
		name = value_name(fields[i].name, value);
		printf("  %3u..%-3u  %-28s  0x%x%s%s\n", fields[i].high, fields[i].low,
		       fields[i].name, value, name ? "  " : "", name ? name : "");
	}
}

/* What SUATOM makes of it. */
static void print_surface(const uint32_t *header)
{
	struct faa_surface_layout layout;
	struct faa_surface_view view;
	const char *why;
	uint64_t va;
	int ret;

	ret = faa_surface_decode(header, &layout, &view, &va, &why);
	if (ret) {
		printf("SUATOM: %s%s\n", ret == -ENOENT ? "" : "BAD_HEADER: ", why);
		return;
	}
	printf("SUATOM.%s at 0x%" PRIx64
	       ": texels of %u bytes, SD32 and SD64 are %s; shows level %u\n",
	       surface_dim_name(layout.dim), va, layout.texel_bytes,
	       layout.desc.data_type == FAA_DATA_TYPE_SINT ? "signed" : "unsigned", view.level);
	surface_print_levels(&layout);
}

static void print_json_name(const char *key, const char *name)
{
	if (!name)
		return;
	printf(", \"%s\": ", key);
	tool_print_json_string(name);
}

static void print_json_fields(const uint32_t *header)
{
	const struct faa_header_field *fields;
	uint32_t value;
	size_t count, i;

	fields = faa_header_fields(faa_header_version(header), &count);
	printf("[");
	for (i = 0; i < count; i++) {
		faa_header_get(header, fields[i].name, &value);
		printf("%s{\"name\": \"%s\", \"high\": %u, \"low\": %u, \"value\": %u",
		       i ? ", " : "", fields[i].name, fields[i].high, fields[i].low, value);
		print_json_name("meaning", value_name(fields[i].name, value));
		printf("}");
	}
	printf("]");
}

/* The surface that SUATOM sees, or the reason why it sees none. */
static void print_json_surface(const uint32_t *header)
{
	struct faa_surface_layout layout;
	struct faa_surface_view view;
	const char *why;
	uint64_t va;
	int ret;

	ret = faa_surface_decode(header, &layout, &view, &va, &why);
	if (ret) {
		printf("{\"bad_header\": %s", ret == -ENOENT ? "false" : "true");
		print_json_name("reason", why);
	} else {
		printf("{\"dim\": \"%s\", \"address\": %" PRIu64
		       ", \"texel_bytes\": %u, \"signed\": %s, \"level\": %u, ",
		       surface_dim_name(layout.dim), va, layout.texel_bytes,
		       layout.desc.data_type == FAA_DATA_TYPE_SINT ? "true" : "false", view.level);
		surface_print_json_levels(&layout);
	}
	printf("}");
}

static void print_json(const uint32_t *header)
{
	uint32_t version = faa_header_version(header);

	printf("{\"version\": %u", version);
	print_json_name("layout", name_in(faa_header_version_names, COUNT(faa_header_version_names),
					  version));
	printf(", \"fields\": ");
	print_json_fields(header);
	printf(", \"surface\": ");
	print_json_surface(header);
	printf("}\n");
}

static void print_header(const uint32_t *header)
{
	uint32_t version = faa_header_version(header);
	const char *name =
		name_in(faa_header_version_names, COUNT(faa_header_version_names), version);

	printf("header version %u: %s\n", version, name ? name : "unknown");
	print_fields(header);
	print_surface(header);
}

static int add(struct words *words, const char *text, const char *where)
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

/* Words of a line, separated by blanks and commas; '#' begins a comment. */
static int add_line(struct words *words, char *line, unsigned int number)
{
	char where[300], *save, *word;
	int ret = 0;

	snprintf(where, sizeof(where), "%.250s:%u: ", words->from, number);
	line[strcspn(line, "#")] = '\0';
	for (word = strtok_r(line, " \t\r\n,", &save); word && !ret;
	     word = strtok_r(NULL, " \t\r\n,", &save))
		ret = add(words, word, where);
	return ret;
}

static int read_file(struct words *words, const char *path)
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
		ret = add_line(words, line, ++number);
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
	unsigned int i;
	size_t at;
	int ret = 0;

	for (i = 0; i < count && !ret; i++)
		ret = add(&words, args[i], "");
	if (!ret && path)
		ret = read_file(&words, path);
	if (!ret && (!words.count || words.count % FAA_HEADER_WORDS)) {
		fprintf(stderr, "faa-surface: %s: %zu words; a header has %d\n", words.from,
			words.count, FAA_HEADER_WORDS);
		ret = -EINVAL;
	}
	for (at = 0; !ret && at < words.count; at += FAA_HEADER_WORDS)
		(json ? print_json : print_header)(words.word + at);
	free(words.word);
	return ret ? 1 : 0;
}
