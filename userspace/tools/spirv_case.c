// SPDX-License-Identifier: MIT
#include "spirv_case.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line that is being read: words are cut off its front. */
struct line {
	const char *path;
	unsigned int number;
	char *text;
	/* The word that was cut off last. */
	char *word;
	char *rest;
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct line *line, const char *format,
							...)
{
	va_list args;

	fprintf(stderr, "%s:%u:%d: ", line->path, line->number,
		line->word ? (int)(line->word - line->text) + 1 : 1);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return -1;
}

static const char *case_next_word(struct line *line)
{
	line->rest += strspn(line->rest, " \t\r\n");
	line->word = line->rest;
	line->rest += strcspn(line->rest, " \t\r\n");
	if (*line->rest)
		*line->rest++ = '\0';
	return *line->word ? line->word : NULL;
}

static int case_number(struct line *line, const char *what, uint32_t min, uint32_t max,
		       uint32_t *value)
{
	const char *word = case_next_word(line);
	unsigned long long parsed;
	char *end;

	if (!word)
		return refuse(line, "%s is missing", what);
	errno = 0;
	parsed = strtoull(word, &end, 0);
	if (errno || *end || end == word || *word == '-' || parsed < min || parsed > max)
		return refuse(line, "%s must be a number from %u to %u, not '%s'", what, min, max,
			      word);
	*value = (uint32_t)parsed;
	return 0;
}

static int case_text(struct line *line, const char *what, char **out)
{
	const char *word = case_next_word(line);

	if (!word)
		return refuse(line, "%s is missing", what);
	if (strchr(word, '/') || !strcmp(word, "..") || !strcmp(word, "."))
		return refuse(line, "%s must be a file's name without a folder", what);
	free(*out);
	*out = strdup(word);
	return *out ? 0 : refuse(line, "out of memory");
}

static const struct {
	const char *name;
	enum spirv_case_kind kind;
} kinds[] = {
	{ "ssbo", SPIRV_CASE_SSBO },
	{ "phys", SPIRV_CASE_PHYS },
	{ "texbuf", SPIRV_CASE_TEXBUF },
	{ "image1d", SPIRV_CASE_IMAGE_1D },
	{ "image2d", SPIRV_CASE_IMAGE_2D },
	{ "image3d", SPIRV_CASE_IMAGE_3D },
	{ "image2darray", SPIRV_CASE_IMAGE_2D_ARRAY },
};

static const struct {
	const char *name;
	bool texel;
	uint8_t item;
	uint8_t data_type;
} types[] = {
	{ "u16", false, 2, 0 },
	{ "i16", false, 2, 0 },
	{ "f16", false, 2, 0 },
	{ "u32", false, 4, 0 },
	{ "i32", false, 4, 0 },
	{ "f32", false, 4, 0 },
	{ "u64", false, 8, 0 },
	{ "i64", false, 8, 0 },
	{ "f64", false, 8, 0 },
	{ "r32ui", true, 4, FAA_DATA_TYPE_UINT },
	{ "r32i", true, 4, FAA_DATA_TYPE_SINT },
	{ "r32f", true, 4, FAA_DATA_TYPE_FLOAT },
	{ "r64ui", true, 8, FAA_DATA_TYPE_UINT },
	{ "r64i", true, 8, FAA_DATA_TYPE_SINT },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int case_binding_type(struct line *line, struct spirv_case_binding *binding)
{
	bool texel = binding->kind != SPIRV_CASE_SSBO && binding->kind != SPIRV_CASE_PHYS;
	const char *word = case_next_word(line);
	size_t i;

	for (i = 0; word && i < COUNT(types); i++) {
		if (strcmp(types[i].name, word) || types[i].texel != texel)
			continue;
		binding->item = types[i].item;
		binding->data_type = types[i].data_type;
		return 0;
	}
	return refuse(line,
		      word ? "'%s' is no type of a %s" : "a type is missing: '%s' is none of a %s",
		      word ? word : "", texel ? "texel" : "buffer");
}

/* The generator of the inputs follows the sizes; it is ignored, as inputs are files. */
static int case_read_binding(struct line *line, struct spirv_case *test)
{
	struct spirv_case_binding *binding;
	uint32_t index, sizes, i;
	const char *word;

	if (case_number(line, "the binding", 0, SPIRV_CASE_BINDINGS - 1, &index))
		return -1;
	binding = &test->bindings[index];
	if (binding->kind != SPIRV_CASE_UNUSED)
		return refuse(line, "binding %u is there already", index);
	word = case_next_word(line);
	for (i = 0; word && i < COUNT(kinds) && strcmp(kinds[i].name, word); i++)
		;
	if (!word || i == COUNT(kinds))
		return refuse(
			line,
			"the kind must be ssbo, phys, texbuf, image1d, image2d, image3d or image2darray");
	binding->kind = kinds[i].kind;
	if (case_binding_type(line, binding))
		return -1;
	sizes = binding->kind <= SPIRV_CASE_PHYS ? 1 : 3;
	binding->bytes = binding->item;
	for (i = 0; i < 3; i++) {
		binding->size[i] = 1;
		if (i < sizes && case_number(line, "the size", 1, INT_MAX, &binding->size[i]))
			return -1;
		if (__builtin_mul_overflow(binding->bytes, binding->size[i], &binding->bytes) ||
		    binding->bytes > INT_MAX)
			return refuse(line, "the binding has more than %d bytes", INT_MAX);
	}
	return 0;
}

static int case_read_groups(struct line *line, struct spirv_case *test)
{
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (case_number(line, "the number of workgroups", 0, UINT32_MAX, &test->groups[i]))
			return -1;
	return 0;
}

static int case_read_line(struct line *line, struct spirv_case *test)
{
	const char *word = case_next_word(line);
	uint32_t value;

	if (!word || *word == '#')
		return 0;
	if (!strcmp(word, "name"))
		return case_text(line, "the name", &test->name);
	if (!strcmp(word, "spv"))
		return case_text(line, "the module", &test->module);
	if (!strcmp(word, "groups"))
		return case_read_groups(line, test);
	if (!strcmp(word, "bind"))
		return case_read_binding(line, test);
	if (!strcmp(word, "pushaddr")) {
		if (case_number(line, "the binding", 0, SPIRV_CASE_BINDINGS - 1, &value))
			return -1;
		test->push = (int)value;
		return 0;
	}
	/* Generator of inputs, and check of results: ignored. */
	if (!strcmp(word, "seed") || !strcmp(word, "check"))
		return 0;
	return refuse(line, "unknown directive '%s'", word);
}

static int case_check(const char *path, const struct spirv_case *test)
{
	if (!test->name || !test->module) {
		fprintf(stderr, "%s: the line '%s' is missing\n", path,
			test->name ? "spv" : "name");
		return -1;
	}
	if (test->push >= 0 && test->bindings[test->push].kind != SPIRV_CASE_PHYS &&
	    test->bindings[test->push].kind != SPIRV_CASE_SSBO) {
		fprintf(stderr, "%s: pushaddr %d: that binding is no buffer\n", path, test->push);
		return -1;
	}
	return 0;
}

int spirv_case_read(const char *path, struct spirv_case *test)
{
	FILE *file = fopen(path, "r");
	struct line line = { .path = path };
	char *buffer = NULL;
	size_t size = 0;
	int ret = 0;

	*test = (struct spirv_case){ .groups = { 1, 1, 1 }, .push = -1 };
	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	while (!ret && getline(&buffer, &size, file) >= 0) {
		line.text = line.rest = buffer;
		line.word = NULL;
		line.number++;
		ret = case_read_line(&line, test);
	}
	if (!ret && ferror(file)) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		ret = -1;
	}
	free(buffer);
	fclose(file);
	if (!ret)
		ret = case_check(path, test);
	if (ret)
		spirv_case_free(test);
	return ret;
}

void spirv_case_free(struct spirv_case *test)
{
	free(test->name);
	free(test->module);
	test->name = test->module = NULL;
}
