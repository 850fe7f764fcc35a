// SPDX-License-Identifier: MIT
/* Disassembler: streams as text, from files of any content. */
#include <argp.h>
#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa.h"

enum format {
	FORMAT_GUESS,
	FORMAT_HEX,
	FORMAT_BINARY,
};

struct options {
	const char *path;
	enum format format;
	bool plain;
};

/* What is in the file. */
struct input {
	unsigned char *bytes;
	size_t size;
};

static int read_all(FILE *file, struct input *input)
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

static int read_path(const char *path, struct input *input)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	int ret;

	if (!file)
		return -errno;
	ret = read_all(file, input);
	if (file != stdin)
		fclose(file);
	return ret;
}

/* Text is hexadecimal words if nothing in it could not belong to them. */
static bool looks_like_hex(const struct input *input)
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
 * Words of hexadecimal text: up to 16 digits each, "0x" optional, anything else between them, '#' to the end of the line.
 * More than 16 digits in a row are several words. @words has room for one word per byte of input.
 */
static size_t take_hex(const struct input *input, uint64_t *words)
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

static size_t take_binary(const struct input *input, uint64_t *words)
{
	size_t i, count = input->size / 8;

	for (i = 0; i < count; i++) {
		uint64_t word;

		memcpy(&word, input->bytes + 8 * i, 8);
		words[i] = le64toh(word);
	}
	return count;
}

static int print_stream(const uint64_t *words, size_t count, bool plain)
{
	size_t at = 0;

	while (at < count) {
		unsigned int used;
		size_t length = faa_disassemble(words + at, count - at, &used, NULL, 0);
		char *text = malloc(length + 1);

		if (!text)
			return -ENOMEM;
		faa_disassemble(words + at, count - at, &used, text, length + 1);
		if (plain)
			printf("%s\n", text);
		else
			printf("%6zx:  %s\n", at * 8, text);
		free(text);
		at += used;
	}
	return 0;
}

static int disassemble(const struct input *input, const struct options *options)
{
	bool hex = options->format == FORMAT_HEX ||
		   (options->format == FORMAT_GUESS && looks_like_hex(input));
	uint64_t *words = calloc(input->size + 1, sizeof(*words));
	size_t count;
	int ret;

	if (!words)
		return -ENOMEM;
	count = hex ? take_hex(input, words) : take_binary(input, words);
	ret = print_stream(words, count, options->plain);
	if (!ret && !hex && input->size % 8)
		printf("// %zu bytes at the end are no whole word\n", input->size % 8);
	free(words);
	return ret;
}

const char *argp_program_version = "faa-dis " FAA_VERSION;

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'x':
		options->format = FORMAT_HEX;
		return 0;
	case 'b':
		options->format = FORMAT_BINARY;
		return 0;
	case 'p':
		options->plain = true;
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
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{ "hex", 'x', NULL, 0, "FILE holds hexadecimal 64-bit words ('#' begins a comment)", 0 },
	{ "binary", 'b', NULL, 0, "FILE holds little-endian 64-bit words", 0 },
	{ "plain", 'p', NULL, 0, "Do not print the byte offset of each command", 0 },
	{ 0 },
};

static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.args_doc = "FILE",
	.doc = "Disassemble a stream of faa commands; FILE '-' is the standard input.\v"
	       "What no device executes is printed as .word with the reason. Without --hex and --binary the content decides.",
};

int main(int argc, char **argv)
{
	struct options options = { 0 };
	struct input input = { 0 };
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	ret = read_path(options.path, &input);
	if (!ret)
		ret = disassemble(&input, &options);
	if (ret)
		fprintf(stderr, "faa-dis: %s: %s\n", options.path, strerror(-ret));
	free(input.bytes);
	return ret ? 1 : 0;
}
