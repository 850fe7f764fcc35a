// SPDX-License-Identifier: MIT
/* Names of values in headers and layouts. */
#include "surface_tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_texture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define TEXEL(name, code, bytes) { #name, code, bytes },
static const struct {
	const char *name;
	uint32_t code;
	uint32_t bytes;
} texels[] = { FAA_TEXELS(TEXEL) };
#undef TEXEL

/* Default texture type of each dimension. */
static const struct {
	const char *name;
	enum faa_dim dim;
	enum faa_texture_type type;
} dims[] = {
	{ "1D", FAA_DIM_D1, FAA_TEXTURE_TYPE_ONE_D },
	{ "1D_BUFFER", FAA_DIM_D1_BUFFER, FAA_TEXTURE_TYPE_ONE_D_BUFFER },
	{ "1D_ARRAY", FAA_DIM_D1_ARRAY, FAA_TEXTURE_TYPE_ONE_D_ARRAY },
	{ "2D", FAA_DIM_D2, FAA_TEXTURE_TYPE_TWO_D },
	{ "2D_ARRAY", FAA_DIM_D2_ARRAY, FAA_TEXTURE_TYPE_TWO_D_ARRAY },
	{ "3D", FAA_DIM_D3, FAA_TEXTURE_TYPE_THREE_D },
};

const char *surface_texel_name(uint32_t code)
{
	size_t i;

	for (i = 0; i < COUNT(texels); i++)
		if (texels[i].code == code)
			return texels[i].name;
	return NULL;
}

int surface_texel(const char *text)
{
	uint64_t bytes = 0;
	size_t i;

	surface_number(text, 16, &bytes);
	for (i = 0; i < COUNT(texels); i++)
		if (!strcmp(texels[i].name, text) || texels[i].bytes == bytes)
			return (int)texels[i].code;
	return -1;
}

const char *surface_dim_name(enum faa_dim dim)
{
	size_t i;

	for (i = 0; i < COUNT(dims); i++)
		if (dims[i].dim == dim)
			return dims[i].name;
	return "?";
}

int surface_type(const char *dim)
{
	size_t i;

	for (i = 0; i < COUNT(dims); i++)
		if (!strcmp(dims[i].name, dim))
			return (int)dims[i].type;
	return -1;
}

int surface_version(const char *layout)
{
	if (!strcmp(layout, "blocklinear"))
		return FAA_HEADER_VERSION_BLOCKLINEAR;
	if (!strcmp(layout, "pitch"))
		return FAA_HEADER_VERSION_PITCH;
	return strcmp(layout, "buffer") ? -1 : (int)FAA_HEADER_VERSION_ONE_D_BUFFER;
}

bool surface_number(const char *text, uint64_t max, uint64_t *value)
{
	int base = !strncmp(text, "0x", 2) ? 16 : 10;
	char *end;

	errno = 0;
	*value = strtoull(text, &end, base);
	return text[0] >= '0' && text[0] <= '9' && !*end && !errno && *value <= max;
}

static void names_print_level(const struct faa_surface_layout *layout, uint32_t index)
{
	const struct faa_surface_level *level = &layout->level[index];

	printf("  level %u: %" PRIu64 " x %u x %u at %" PRIu64 ", %" PRIu64 " bytes", index,
	       level->width, level->height, level->depth, level->offset, level->size);
	if (level->row_gobs)
		printf("; %u GOBs a row, blocks of %u x %u GOBs", level->row_gobs,
		       1u << level->log2_gobs_y, 1u << level->log2_gobs_z);
	printf("\n");
}

void surface_print_json_levels(const struct faa_surface_layout *layout)
{
	uint32_t i;

	printf("\"size\": %" PRIu64 ", \"layer_stride\": %" PRIu64 ", \"levels\": [", layout->size,
	       layout->layer_stride);
	for (i = 0; i < layout->desc.levels; i++) {
		const struct faa_surface_level *level = &layout->level[i];

		printf("%s{\"width\": %" PRIu64
		       ", \"height\": %u, \"depth\": %u, \"offset\": %" PRIu64
		       ", \"size\": %" PRIu64 ", \"gobs_height\": %u, \"gobs_depth\": %u}",
		       i ? ", " : "", level->width, level->height, level->depth, level->offset,
		       level->size, level->log2_gobs_y, level->log2_gobs_z);
	}
	printf("]");
}

void surface_print_levels(const struct faa_surface_layout *layout)
{
	uint32_t index;

	for (index = 0; index < layout->desc.levels; index++)
		names_print_level(layout, index);
	if (layout->desc.pitch)
		printf("  pitch %u\n", layout->desc.pitch);
	printf("  %u %s of %" PRIu64 " bytes: %" PRIu64 " bytes\n", layout->desc.layers,
	       layout->desc.layers == 1 ? "layer" : "layers", layout->layer_stride, layout->size);
}
