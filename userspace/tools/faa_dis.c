// SPDX-License-Identifier: MIT
/* Disassembler: streams, or the binary form of a language, as text. */
#include <argp.h>
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm_tool.h"
#include "dump.h"
#include "tool.h"

/* Of a stream, or none. */
enum format {
	FORMAT_GUESS,
	FORMAT_HEX,
	FORMAT_BINARY,
	FORMAT_DUMP,
};

#define NONE (-1)

struct options {
	const char *path;
	enum format format;
	bool plain, json;
	/* enum faa_asm_syntax and enum faa_asm_format, or NONE: a stream; guess. */
	int syntax;
	int form;
};

/* Text is hexadecimal words if all its characters may occur in these. */
static bool dis_looks_like_hex(const struct asm_input *input)
{
	bool comment = false, digits = false;
	size_t i;

	for (i = 0; i < input->size; i++) {
		int c = input->bytes[i];

		if (c == '#' || c == '\n')
			comment = c == '#';
		else if (comment && c)
			continue;
		else if (isxdigit(c))
			digits = true;
		else if (!isspace(c) && c != ',' && c != 'x' && c != 'X')
			return false;
	}
	return digits;
}

/*
 * Reads words from hexadecimal text: up to 16 digits each, "0x" optional, other characters between
 * them, '#' to the end of the line. More than 16 digits in a row are several words. @words has room
 * for one word per byte of input.
 */
static size_t dis_take_hex(const struct asm_input *input, uint64_t *words)
{
	unsigned int digits = 0;
	size_t i, count = 0;
	uint64_t word = 0;

	for (i = 0; i <= input->size; i++) {
		int c = i < input->size ? input->bytes[i] : '\n';

		if (c == '#')
			while (i < input->size && input->bytes[i] != '\n')
				i++;
		/* The 0 of "0x" is no digit. */
		if ((c == 'x' || c == 'X') && digits == 1 && !word) {
			digits = 0;
			continue;
		}
		if (isxdigit(c)) {
			word = word << 4 | (uint64_t)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
			digits++;
		}
		if (digits == 16 || (digits && !isxdigit(c))) {
			words[count++] = word;
			word = 0;
			digits = 0;
		}
	}
	return count;
}

static size_t dis_take_binary(const struct asm_input *input, uint64_t *words)
{
	size_t i, count = input->size / 8;

	for (i = 0; i < count; i++) {
		uint64_t word;

		memcpy(&word, input->bytes + 8 * i, 8);
		words[i] = le64toh(word);
	}
	return count;
}

/* An item of the array "commands". */
static void dis_print_command_json(const uint64_t *words, size_t at, unsigned int used,
				   const char *text)
{
	unsigned int i;

	printf("%s\n{\"offset\": %zu, \"words\": [", at ? "," : "", at * 8);
	for (i = 0; i < used; i++)
		printf("%s\"0x%016llx\"", i ? ", " : "", (unsigned long long)words[at + i]);
	printf("], \"text\": ");
	tool_print_json_string(text);
	putchar('}');
}

static int dis_print_stream(const uint64_t *words, size_t count, const struct options *options)
{
	size_t at = 0;

	while (at < count) {
		unsigned int used;
		char *text = asm_command_text(words + at, count - at, &used);

		if (!text)
			return -ENOMEM;
		if (options->json)
			dis_print_command_json(words, at, used, text);
		else if (options->plain)
			printf("%s\n", text);
		else
			printf("%6zx:  %s\n", at * 8, text);
		free(text);
		at += used;
	}
	return 0;
}

static int faa_dis_fail(const struct options *options, int error)
{
	fprintf(stderr, "faa-dis: %s: %s\n", options->path, strerror(-error));
	return error;
}

static int dis_disassemble(const struct asm_input *input, const struct options *options)
{
	bool hex = options->format == FORMAT_HEX ||
		   (options->format == FORMAT_GUESS && dis_looks_like_hex(input));
	uint64_t *words = calloc(input->size + 1, sizeof(*words));
	size_t count, good, all;
	int ret;

	if (!words)
		return faa_dis_fail(options, -ENOMEM);
	count = hex ? dis_take_hex(input, words) : dis_take_binary(input, words);
	/* Hexadecimal words, and files named so by an option, are assumed to be a stream. */
	if (!hex && options->format == FORMAT_GUESS && !asm_is_stream(words, count, &good, &all)) {
		fprintf(stderr,
			"faa-dis: %s: this is no stream: %zu of %zu commands are ones that a "
			"device executes (--binary shows it all the same)\n",
			options->path, good, all);
		free(words);
		return -EINVAL;
	}
	if (options->json)
		printf("{\"commands\": [");
	ret = dis_print_stream(words, count, options);
	if (options->json)
		printf("], \"rest_bytes\": %zu}\n", hex ? 0 : input->size % 8);
	else if (!ret && !hex && input->size % 8)
		printf("// %zu bytes at the end are no whole word\n", input->size % 8);
	free(words);
	return ret;
}

/* The lines of a text as one JSON object. */
static void dis_print_lines_json(const char *text, size_t size)
{
	const char *end = text + size, *stop;
	bool first = true;

	printf("{\"lines\": [");
	for (; text < end; text = stop + 1, first = false) {
		char *line;

		stop = memchr(text, '\n', (size_t)(end - text));
		if (!stop)
			stop = end;
		line = strndup(text, (size_t)(stop - text));
		printf(first ? "\n" : ",\n");
		tool_print_json_string(line ? line : "");
		free(line);
	}
	printf("]}\n");
}

/* Code of a language in its binary form. */
static int dis_print_code(const struct asm_input *input, const struct options *options)
{
	enum faa_asm_format binary = options->syntax == FAA_ASM_SASS ? FAA_ASM_BUNDLE :
								       FAA_ASM_CISA;
	struct faa_asm_error error;
	struct faa_asm_code *code;
	void *text = NULL;
	size_t size;
	int ret;

	if (options->form != NONE)
		binary = (enum faa_asm_format)options->form;
	else if (dis_looks_like_hex(input))
		binary = FAA_ASM_HEX;
	ret = faa_asm_read((enum faa_asm_syntax)options->syntax, binary, input->bytes, input->size,
			   &code, &error);
	if (!ret)
		ret = faa_asm_write(code, FAA_ASM_TEXT, &text, &size, &error);
	if (ret)
		asm_print_error(options->path, &error);
	else if (options->json)
		dis_print_lines_json(text, size);
	else
		fwrite(text, 1, size, stdout);
	free(text);
	faa_asm_destroy(code);
	return ret;
}

static int dis_print_dump(const struct asm_input *input, const struct options *options)
{
	struct dump dump;
	char why[128];
	int ret = dump_check(&dump, input->bytes, input->size, why, sizeof(why));

	if (ret)
		fprintf(stderr, "faa-dis: %s: %s\n", options->path, why);
	else if (options->json)
		dump_json(&dump);
	else
		dump_show(&dump);
	return ret;
}

static bool dis_looks_like_dump(const struct asm_input *input)
{
	const uint64_t magic = htole64(FAA_DUMP_MAGIC);

	return input->size >= sizeof(magic) && !memcmp(input->bytes, &magic, sizeof(magic));
}

/* The suffix of a name names the binary form of a language. */
static void dis_guess_language(struct options *options)
{
	struct asm_kind kind;

	if (options->syntax != NONE || options->form != NONE || options->format != FORMAT_GUESS ||
	    options->plain || !asm_kind_of(options->path, &kind))
		return;
	if (kind.syntax == ASM_STREAM) {
		options->format = FORMAT_BINARY;
	} else if (kind.format != FAA_ASM_TEXT) {
		options->syntax = kind.syntax;
		options->form = kind.format;
	}
}

const char *argp_program_version = "faa-dis " FAA_VERSION_TEXT;

static error_t dis_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'x':
		options->format = FORMAT_HEX;
		return 0;
	case 'b':
		options->format = FORMAT_BINARY;
		return 0;
	case 'd':
		options->format = FORMAT_DUMP;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case 'p':
		options->plain = true;
		return 0;
	case 's':
		options->syntax = asm_syntax_find(arg);
		if (options->syntax < 0)
			argp_error(state, "the syntax is " ASM_SYNTAXES ", not '%s'", arg);
		return 0;
	case 'f':
		options->form = asm_format_find(arg);
		if (options->form < 0)
			argp_error(state, "the format is hex, bundle, cisa or text, not '%s'", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (options->path)
			argp_error(state, "one file, please: '%s' and '%s' were given",
				   options->path, arg);
		options->path = arg;
		return 0;
	case ARGP_KEY_END:
		if (!options->path)
			argp_error(state, "which file?");
		dis_guess_language(options);
		if (options->form != NONE && options->syntax == NONE)
			argp_error(state,
				   "--format goes with --syntax; a stream has --hex and --binary");
		if (options->syntax != NONE && (options->format != FORMAT_GUESS || options->plain))
			argp_error(
				state,
				"--hex, --binary and --plain are for streams, --dump is for dumps, --syntax has --format");
		if (options->format == FORMAT_DUMP && options->plain)
			argp_error(state, "--dump and --plain exclude each other");
		if (options->json && options->plain)
			argp_error(state, "--json and --plain exclude each other");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option dis_argp_options[] = {
	{ "hex", 'x', NULL, 0, "FILE holds hexadecimal 64-bit words ('#' begins a comment)", 0 },
	{ "binary", 'b', NULL, 0, "FILE holds little-endian 64-bit words", 0 },
	{ "dump", 'd', NULL, 0,
	  "FILE is a dump of the driver: /sys/class/devcoredump/devcd*/data, or the result of faa_queue_dump()",
	  0 },
	{ "json", 'j', NULL, 0,
	  "Print one JSON object: offset, words and text of each command; with --syntax the lines of the text; of a dump all that it has",
	  0 },
	{ "plain", 'p', NULL, 0, "Do not print the byte offset of each command", 0 },
	{ "syntax", 's', ASM_SYNTAX_VALUES, 0,
	  "FILE is no stream, but the binary form of a language: " ASM_SYNTAXES, 0 },
	{ "format", 'f', ASM_FORMAT_VALUES, 0,
	  "With --syntax: hex: an instruction a line; bundle (sass): bundles of 32 bytes with control words; "
	  "cisa (visa): a CISA file; text. Without it the content decides",
	  0 },
	{ 0 },
};

static const struct argp dis_argp = {
	.options = dis_argp_options,
	.parser = dis_parse,
	.children = tool_children,
	.args_doc = "FILE",
	.doc = "Disassemble a stream of faa commands, code of an assembly language, or the dump of a queue; FILE '-' is the standard input.\v"
	       "A word that no device executes is printed as .word with the reason. Without --hex and --binary the content decides, and a file with more "
	       "invalid than valid commands is rejected. Names that end in .bundle, .isa and .cisa are code of a language, .faa is a stream.",
};

int main(int argc, char **argv)
{
	struct options options = { .syntax = NONE, .form = NONE };
	struct asm_input input = { 0 };
	int ret;

	tool_parse(&dis_argp, argc, argv, &options);
	ret = asm_input_read(options.path, &input);
	if (ret)
		ret = faa_dis_fail(&options, ret);
	else if (options.syntax != NONE)
		ret = dis_print_code(&input, &options);
	else if (options.format == FORMAT_DUMP ||
		 (options.format == FORMAT_GUESS && dis_looks_like_dump(&input)))
		ret = dis_print_dump(&input, &options);
	else
		ret = dis_disassemble(&input, &options);
	free(input.bytes);
	return ret ? 1 : 0;
}
