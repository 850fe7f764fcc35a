/* SPDX-License-Identifier: MIT */
/**
 * DOC: faa-surface
 *
 * Common parts of the commands of the tool: parsing of words, and names.
 */
#ifndef SURFACE_TOOL_H
#define SURFACE_TOOL_H

#include "faa.h"

/** struct surface_address - arguments of command address: a surface and coordinates */
struct surface_address {
	struct faa_surface_desc desc;
	/** @base: address of the surface. */
	uint64_t base;
	uint32_t level;
	/** @json: print one JSON object. */
	bool json;
	/** @at: coordinates as given: x, then those that the surface has. */
	uint64_t at[3];
	unsigned int count;
};

/**
 * surface_header() - command header: show texture headers
 * @words: words of a header
 * @count: of @words; 0: the headers are in file @path
 * @json: print one JSON object a header, each on a line
 *
 * Return: exit status.
 */
int surface_header(const char *const *words, unsigned int count, const char *path, bool json);

/** surface_address() - command address; exit status. */
int surface_address(const struct surface_address *address);

/** surface_check() - command check; @json: print one JSON object a line; exit status. */
int surface_check(const char *path, bool json);

/** surface_texel_name() - such as "R32"; NULL for a code that surfaces do not have. */
const char *surface_texel_name(uint32_t code);

/** surface_texel() - code of a texel by its name or its number of bytes; -1 if there is none. */
int surface_texel(const char *text);

/** surface_dim_name() - such as "2D_ARRAY". */
const char *surface_dim_name(enum faa_dim dim);

/** surface_type() - texture type of a dimension such as "2D_ARRAY"; -1 if there is none. */
int surface_type(const char *dim);

/** surface_version() - header version of "blocklinear", "pitch" or "buffer"; -1 for others. */
int surface_version(const char *layout);

/** surface_number() - parse a decimal or 0x hexadecimal number up to @max; false if it is none. */
bool surface_number(const char *text, uint64_t max, uint64_t *value);

/** surface_print_json_levels() - "size", "layer_stride" and "levels", members of a JSON object. */
void surface_print_json_levels(const struct faa_surface_layout *layout);

/** surface_print_levels() - sizes, blocks and offsets, a line a level. */
void surface_print_levels(const struct faa_surface_layout *layout);

#endif /* SURFACE_TOOL_H */
