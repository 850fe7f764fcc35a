// SPDX-License-Identifier: MIT
/* Assembler: converts text of a language to its binary form or to a stream of the device. */
#include <argp.h>
#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm_tool.h"
#include "tool.h"

#define FORMAT_STREAM (-1)

struct options {
	const char *path;
	const char *output;
	/* NULL: there is one kernel. */
	const char *kernel;
	enum faa_asm_syntax syntax;
	bool has_syntax;
	/* enum faa_asm_format or FORMAT_STREAM. */
	int format;
};

/* The output. */
struct product {
	void *bytes;
	size_t size;
};

static int as_copy_words(const uint64_t *words, size_t count, struct product *product)
{
	uint64_t *copy = calloc(count + 1, sizeof(*copy));
	size_t i;

	if (!copy)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		copy[i] = htole64(words[i]);
	product->bytes = copy;
	product->size = count * sizeof(*copy);
	return 0;
}

/*
 * Makes a whole job: the commands and an END. Every register is 0 at its beginning, and all lanes
 * execute.
 */
static int as_make_stream(const struct faa_asm_code *code, struct product *product,
			  struct faa_asm_error *error)
{
	const struct faa_asm_environment environment = { .lanes = ~0u };
	struct faa_stream *stream;
	const uint64_t *words;
	size_t count;
	int ret;

	ret = faa_stream_create(&stream);
	if (ret)
		return ret;
	ret = faa_asm_emit(code, &environment, stream, error);
	if (!ret) {
		faa_stream_end(stream);
		ret = faa_stream_finish(stream);
		if (ret)
			snprintf(error->text, sizeof(error->text), "%s", faa_stream_error(stream));
	}
	if (!ret) {
		words = faa_stream_words(stream, &count);
		ret = as_copy_words(words, count, product);
	}
	faa_stream_destroy(stream);
	return ret;
}

static int as_assemble(const struct options *options, const struct asm_input *input,
		       struct product *product, struct faa_asm_error *error)
{
	struct faa_asm_code *code;
	int ret;

	ret = asm_read(options->path, options->syntax, FAA_ASM_TEXT, input, &code);
	if (ret)
		return ret;
	if (options->kernel)
		ret = faa_asm_choose(code, options->kernel, error);
	if (!ret && options->format == FORMAT_STREAM)
		ret = as_make_stream(code, product, error);
	else if (!ret)
		ret = faa_asm_write(code, (enum faa_asm_format)options->format, &product->bytes,
				    &product->size, error);
	if (ret && !error->text[0])
		snprintf(error->text, sizeof(error->text), "%s", strerror(-ret));
	faa_asm_destroy(code);
	return ret;
}

static int as_write_product(const char *path, const struct product *product)
{
	FILE *file = path && strcmp(path, "-") ? fopen(path, "wb") : stdout;
	int ret = 0;

	if (!file)
		return -errno;
	if (fwrite(product->bytes, 1, product->size, file) != product->size || fflush(file))
		ret = -errno;
	if (file != stdout && fclose(file) && !ret)
		ret = -errno;
	return ret;
}

const char *argp_program_version = "faa-as " FAA_VERSION_TEXT;

static void as_set_format(struct options *options, const char *name, const struct argp_state *state)
{
	options->format = strcmp(name, "stream") ? asm_format_find(name) : FORMAT_STREAM;
	if (options->format < 0 && strcmp(name, "stream"))
		argp_error(state, "the format is stream, text, hex, bundle or cisa, not '%s'",
			   name);
}

static void as_set_syntax(struct options *options, const char *name, const struct argp_state *state)
{
	int syntax = asm_syntax_find(name);

	if (syntax < 0)
		argp_error(state, "the syntax is " ASM_SYNTAXES ", not '%s'", name);
	options->syntax = (enum faa_asm_syntax)syntax;
	options->has_syntax = true;
}

/* Without --syntax the name of the file decides. */
static void as_guess_syntax(struct options *options, const struct argp_state *state)
{
	struct asm_kind kind;

	if (options->has_syntax)
		return;
	if (!asm_kind_of(options->path, &kind))
		argp_error(state, "which syntax? --syntax=" ASM_SYNTAXES);
	if (kind.syntax == ASM_STREAM || kind.format != FAA_ASM_TEXT)
		argp_error(state, "%s: its name says that it is no text; faa-dis reads it",
			   options->path);
	options->syntax = (enum faa_asm_syntax)kind.syntax;
}

/* Bytes that are not text can leave a terminal in any state. */
static void as_check_terminal(const struct options *options, const struct argp_state *state)
{
	bool text = options->format == FAA_ASM_TEXT || options->format == FAA_ASM_HEX;

	if (!text && !options->output && isatty(STDOUT_FILENO))
		argp_error(state, "binary code is not written to a terminal; "
				  "--output=FILE, or --output=- if it shall be");
}

static error_t as_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 's':
		as_set_syntax(options, arg, state);
		return 0;
	case 'f':
		as_set_format(options, arg, state);
		return 0;
	case 'k':
		options->kernel = arg;
		return 0;
	case 'o':
		options->output = arg;
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
		as_guess_syntax(options, state);
		as_check_terminal(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option as_argp_options[] = {
	{ "syntax", 's', ASM_SYNTAX_VALUES, 0,
	  "Language of FILE: " ASM_SYNTAXES
	  ". Without it the suffix decides: .sass, .visaasm, .visa, .ptx",
	  0 },
	{ "format", 'f', ASM_FORMAT_VALUES, 0,
	  "Output: stream (default): commands of the device; text; hex: an instruction a line; bundle (sass): "
	  "bundles of 32 bytes with control words; cisa (visa): a CISA file",
	  0 },
	{ "kernel", 'k', "NAME", 0, "Kernel to assemble, if FILE has several", 0 },
	{ "output", 'o', "PATH", 0, "Output file; '-' (default) is the standard output", 0 },
	{ 0 },
};

static const struct argp as_argp = {
	.options = as_argp_options,
	.parser = as_parse,
	.children = tool_children,
	.args_doc = "FILE",
	.doc = "Assemble FILE; '-' is the standard input.\v"
	       "Nothing is written if FILE breaks a rule of its language; the message names its line and column.",
};

int main(int argc, char **argv)
{
	struct options options = { .format = FORMAT_STREAM };
	struct asm_input input = { 0 };
	struct faa_asm_error error = { 0 };
	struct product product = { 0 };
	int ret;

	tool_parse(&as_argp, argc, argv, &options);
	ret = asm_input_read(options.path, &input);
	if (ret)
		fprintf(stderr, "faa-as: %s: %s\n", options.path, strerror(-ret));
	else
		ret = as_assemble(&options, &input, &product, &error);
	if (error.text[0])
		asm_print_error(options.path, &error);
	if (!ret) {
		ret = as_write_product(options.output, &product);
		if (ret)
			fprintf(stderr, "faa-as: %s: %s\n",
				options.output ? options.output : "standard output",
				strerror(-ret));
	}
	free(product.bytes);
	free(input.bytes);
	return ret ? 1 : 0;
}
