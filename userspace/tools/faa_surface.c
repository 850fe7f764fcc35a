// SPDX-License-Identifier: MIT
/* Shows texture headers and addresses of surfaces, without a device. */
#include <argp.h>
#include <string.h>

#include "surface_tool.h"
#include "tool.h"

#define MAX_WORDS FAA_HEADER_WORDS

enum key {
	KEY_BASE = 256,
	KEY_HEIGHT,
	KEY_LEVELS,
	KEY_LEVEL,
	KEY_LAYERS,
};

struct options {
	const char *command;
	const char *args[MAX_WORDS];
	unsigned int count;
	/* An option of command address, if one was given. */
	const char *address_option;
	bool json;
	struct surface_address address;
};

const char *argp_program_version = "faa-surface " FAA_VERSION_TEXT;

static uint64_t surface_take_number(struct argp_state *state, const char *name, const char *arg,
				    uint64_t max)
{
	uint64_t value;

	if (!surface_number(arg, max, &value))
		argp_error(state, "--%s=%s: a number up to %llu is expected", name, arg,
			   (unsigned long long)max);
	return value;
}

/* Checks @code, the code of @arg. */
static int surface_take_code(struct argp_state *state, const char *name, const char *arg, int code,
			     const char *allowed)
{
	if (code < 0)
		argp_error(state, "--%s=%s: allowed are %s", name, arg, allowed);
	return code;
}

static error_t surface_parse_names(int key, char *arg, struct argp_state *state,
				   struct faa_surface_desc *desc)
{
	switch (key) {
	case 'l':
		desc->version = (enum faa_header_version)surface_take_code(
			state, "layout", arg, surface_version(arg), "blocklinear, pitch, buffer");
		return 0;
	case 'd':
		desc->type = (enum faa_texture_type)surface_take_code(
			state, "dim", arg, surface_type(arg),
			"1D, 1D_BUFFER, 1D_ARRAY, 2D, 2D_ARRAY, 3D");
		return 0;
	case 't':
		desc->texel = (enum faa_texel)surface_take_code(
			state, "texel", arg, surface_texel(arg),
			"names of texels such as R32, or their bytes: 1, 2, 4, 8, 12, 16");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t surface_parse_sizes(int key, char *arg, struct argp_state *state,
				   struct surface_address *address)
{
	struct faa_surface_desc *desc = &address->desc;
	const struct {
		int key;
		const char *name;
		uint32_t *value;
	} sizes[] = {
		{ KEY_HEIGHT, "height", &desc->height },
		{ 'z', "depth", &desc->depth },
		{ KEY_LAYERS, "layers", &desc->layers },
		{ KEY_LEVELS, "levels", &desc->levels },
		{ 'H', "gobs-height", &desc->log2_gobs_y },
		{ 'D', "gobs-depth", &desc->log2_gobs_z },
		{ 'p', "pitch", &desc->pitch },
		{ KEY_LEVEL, "level", &address->level },
	};
	size_t i;

	if (key == 'w')
		desc->width = surface_take_number(state, "width", arg, 1ull << 32);
	else if (key == KEY_BASE)
		address->base = surface_take_number(state, "base", arg, (1ull << FAA_VA_BITS) - 1);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (sizes[i].key != key)
			continue;
		*sizes[i].value =
			(uint32_t)surface_take_number(state, sizes[i].name, arg, UINT32_MAX);
		return 0;
	}
	return key == 'w' || key == KEY_BASE ? 0 : ARGP_ERR_UNKNOWN;
}

static void surface_take_arg(struct argp_state *state, struct options *options, const char *arg)
{
	if (!options->command)
		options->command = arg;
	else if (options->count < MAX_WORDS)
		options->args[options->count++] = arg;
	else
		argp_error(state, "'%s' is one argument too many", arg);
}

static void surface_check_address(struct argp_state *state, struct options *options)
{
	unsigned int i;

	if (!options->count || options->count > 3)
		argp_error(state, "address takes 1 to 3 coordinates");
	for (i = 0; i < options->count; i++)
		if (!surface_number(options->args[i], UINT32_MAX, &options->address.at[i]))
			argp_error(state, "'%s' is no coordinate", options->args[i]);
	options->address.count = options->count;
}

static void surface_check_args(struct argp_state *state, struct options *options)
{
	const char *command = options->command;

	if (!command)
		argp_error(state, "which command? header, address or check");
	else if (!strcmp(command, "address"))
		surface_check_address(state, options);
	else if (options->address_option)
		argp_error(state, "%s has no option for surfaces", command);
	else if (!strcmp(command, "check") && options->count != 1)
		argp_error(state, "check takes one file");
	else if (!strcmp(command, "header") && options->count > 1 && options->count != MAX_WORDS)
		argp_error(state, "a header has %d words, not %u", MAX_WORDS, options->count);
	else if (strcmp(command, "header") && strcmp(command, "check"))
		argp_error(state, "'%s' is no command; header, address and check are", command);
}

static error_t surface_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	error_t ret;

	if (key == ARGP_KEY_ARG) {
		surface_take_arg(state, options, arg);
		return 0;
	}
	if (key == ARGP_KEY_END) {
		surface_check_args(state, options);
		return 0;
	}
	if (key == 'j') {
		options->json = options->address.json = true;
		return 0;
	}
	ret = surface_parse_names(key, arg, state, &options->address.desc);
	if (ret)
		ret = surface_parse_sizes(key, arg, state, &options->address);
	if (!ret)
		options->address_option = arg;
	return ret;
}

static const struct argp_option surface_argp_options[] = {
	{ 0, 0, 0, 0, "The surface of command address:", 0 },
	{ "layout", 'l', "LAYOUT", 0, "blocklinear (default), pitch, buffer", 0 },
	{ "dim", 'd', "DIM", 0, "1D, 1D_BUFFER, 1D_ARRAY, 2D (default), 2D_ARRAY, 3D", 0 },
	{ "texel", 't', "TEXEL", 0, "Name of a texel, or its bytes (default R32)", 0 },
	{ "width", 'w', "TEXELS", 0, "Width (default 1)", 0 },
	{ "height", KEY_HEIGHT, "ROWS", 0, "Height (default 1)", 0 },
	{ "depth", 'z', "SLICES", 0, "Depth (default 1)", 0 },
	{ "layers", KEY_LAYERS, "COUNT", 0, "Layers (default 1)", 0 },
	{ "levels", KEY_LEVELS, "COUNT", 0, "Mip levels (default 1)", 0 },
	{ "level", KEY_LEVEL, "NUMBER", 0, "Level of the coordinates (default 0)", 0 },
	{ "gobs-height", 'H', "LOG2", 0, "A block is 2^LOG2 GOBs high (default 0)", 0 },
	{ "gobs-depth", 'D', "LOG2", 0, "A block is 2^LOG2 GOBs deep (default 0)", 0 },
	{ "pitch", 'p', "BYTES", 0, "Bytes from row to row (default: the minimum)", 0 },
	{ "base", KEY_BASE, "ADDRESS", 0, "Address of the surface", 0 },
	{ 0, 0, 0, 0, "All commands:", 0 },
	{ "json", 'j', NULL, 0,
	  "Print one JSON object a line: the header's fields and its surface; offset, address and levels; "
	  "each mismatch of the table, then the number of lines that passed",
	  0 },
	{ 0 },
};

static const struct argp surface_argp = {
	.options = surface_argp_options,
	.parser = surface_parse,
	.children = tool_children,
	.args_doc = "header [WORD...|FILE]\naddress X [Y [Z|LAYER]]\ncheck FILE",
	.doc = "Texture headers and addresses of surfaces."
	       "\vheader shows texture headers: 8 hexadecimal words of 32 bits, or a FILE with headers, '-' or none for the standard input.\n"
	       "address computes the offset of a texel, and shows the steps.\n"
	       "check compares a table of surfaces, coordinates and offsets, columns separated by tabs and named in the first line, with computed values; the "
	       "last line is \"N passed, M failed\".\n"
	       "Exit status: 0; 1 if something failed; 2 for a usage error.",
};

int main(int argc, char **argv)
{
	struct options options = {
		.address.desc = { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
				  .type = FAA_TEXTURE_TYPE_TWO_D,
				  .texel = FAA_TEXEL_R32,
				  .width = 1 },
	};
	bool words;

	tool_parse(&surface_argp, argc, argv, &options);
	if (!strcmp(options.command, "address"))
		return surface_address(&options.address);
	if (!strcmp(options.command, "check"))
		return surface_check(options.args[0], options.json);
	words = options.count == MAX_WORDS;
	return surface_header(options.args, words ? MAX_WORDS : 0,
			      words	    ? NULL :
			      options.count ? options.args[0] :
					      "-",
			      options.json);
}
