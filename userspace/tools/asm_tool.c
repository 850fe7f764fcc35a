// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm_tool.h"

static int tool_read_all(FILE *file, struct asm_input *input)
{
	size_t capacity = 0, n;

	do {
		if (input->size == capacity) {
			unsigned char *grown;

			capacity = capacity ? capacity * 2 : 65536;
			grown = realloc(input->bytes, capacity);
			if (!grown)
				return -ENOMEM;
			input->bytes = grown;
		}
		n = fread(input->bytes + input->size, 1, capacity - input->size, file);
		input->size += n;
	} while (n);
	return ferror(file) ? -EIO : 0;
}

int asm_input_read(const char *path, struct asm_input *input)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	int ret;

	if (!file)
		return -errno;
	ret = tool_read_all(file, input);
	if (file != stdin)
		fclose(file);
	return ret;
}

static int tool_find(const char *const *names, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return (int)i;
	return -1;
}

int asm_syntax_find(const char *name)
{
	static const char *const names[] = {
		[FAA_ASM_SASS] = "sass",
		[FAA_ASM_VISA] = "visa",
		[FAA_ASM_PTX] = "ptx",
	};

	return tool_find(names, sizeof(names) / sizeof(names[0]), name);
}

int asm_format_find(const char *name)
{
	static const char *const names[] = {
		[FAA_ASM_TEXT] = "text",
		[FAA_ASM_HEX] = "hex",
		[FAA_ASM_BUNDLE] = "bundle",
		[FAA_ASM_CISA] = "cisa",
	};

	return tool_find(names, sizeof(names) / sizeof(names[0]), name);
}

bool asm_kind_of(const char *path, struct asm_kind *kind)
{
	static const struct {
		const char *suffix;
		struct asm_kind kind;
	} suffixes[] = {
		{ ".ptx", { FAA_ASM_PTX, FAA_ASM_TEXT } },
		{ ".sass", { FAA_ASM_SASS, FAA_ASM_TEXT } },
		{ ".visaasm", { FAA_ASM_VISA, FAA_ASM_TEXT } },
		{ ".visa", { FAA_ASM_VISA, FAA_ASM_TEXT } },
		{ ".isa", { FAA_ASM_VISA, FAA_ASM_CISA } },
		{ ".cisa", { FAA_ASM_VISA, FAA_ASM_CISA } },
		{ ".bundle", { FAA_ASM_SASS, FAA_ASM_BUNDLE } },
		{ ".faa", { ASM_STREAM, FAA_ASM_TEXT } },
	};
	size_t i, end, size = strlen(path);

	for (i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		end = strlen(suffixes[i].suffix);
		if (size <= end || strcmp(path + size - end, suffixes[i].suffix) != 0)
			continue;
		*kind = suffixes[i].kind;
		return true;
	}
	return false;
}

char *asm_command_text(const uint64_t *words, size_t count, unsigned int *used)
{
	size_t length = faa_disassemble(words, count, used, NULL, 0);
	char *text = malloc(length + 1);

	if (text)
		faa_disassemble(words, count, NULL, text, length + 1);
	return text;
}

bool asm_is_stream(const uint64_t *words, size_t count, size_t *good, size_t *all)
{
	unsigned int used;
	char text[8];
	size_t at;

	*good = *all = 0;
	for (at = 0; at < count; at += used) {
		faa_disassemble(words + at, count - at, &used, text, sizeof(text));
		*good += strncmp(text, ".word", 5) != 0;
		(*all)++;
	}
	return 2 * *good >= *all;
}

void asm_print_error(const char *path, const struct faa_asm_error *error)
{
	fprintf(stderr, "%s:", path);
	if (error->line)
		fprintf(stderr, "%u:", error->line);
	if (error->column)
		fprintf(stderr, "%u:", error->column);
	fprintf(stderr, " %s\n", error->text);
}

#define ASM_MOST_ERRORS 20

int asm_read(const char *path, enum faa_asm_syntax syntax, enum faa_asm_format format,
	     const struct asm_input *input, struct faa_asm_code **code)
{
	struct faa_asm_error errors[ASM_MOST_ERRORS];
	size_t count, i;
	int ret = faa_asm_read_errors(syntax, format, input->bytes, input->size, code, errors,
				      ASM_MOST_ERRORS, &count);

	for (i = 0; i < count; i++)
		asm_print_error(path, &errors[i]);
	if (count == ASM_MOST_ERRORS)
		fprintf(stderr, "%s: %d errors; what follows was not read\n", path,
			ASM_MOST_ERRORS);
	return ret;
}
