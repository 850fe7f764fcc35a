// SPDX-License-Identifier: MIT
/* Surfaces of the command line: DIM:TEXEL:WIDTH[xHEIGHT[xDEPTH|LAYERS]][:LAYOUT]. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exec_tool.h"
#include "surface_tool.h"

/* WIDTH[xHEIGHT[xDEPTH]]; the last one is the layers if the surface has any. */
static bool surface_take_sizes(char *text, struct faa_surface_desc *desc, enum faa_dim dim)
{
	uint64_t size[3] = { 1, 1, 1 };
	unsigned int count = 0, wanted = dim == FAA_DIM_D1 || dim == FAA_DIM_D1_BUFFER ? 1 :
					 dim == FAA_DIM_D2 || dim == FAA_DIM_D1_ARRAY  ? 2 :
											 3;
	char *item;

	while ((item = strsep(&text, "x"))) {
		if (count == 3 || !surface_number(item, UINT32_MAX, &size[count]) || !size[count])
			return false;
		count++;
	}
	desc->width = size[0];
	if (dim == FAA_DIM_D1_ARRAY)
		desc->layers = (uint32_t)size[1];
	else
		desc->height = wanted > 1 ? (uint32_t)size[1] : 0;
	if (dim == FAA_DIM_D2_ARRAY)
		desc->layers = (uint32_t)size[2];
	if (dim == FAA_DIM_D3)
		desc->depth = (uint32_t)size[2];
	return count == wanted;
}

/* Type of the items of a texel, in which rows of results are shown. */
static const struct exec_type *surface_item_type(uint32_t bytes)
{
	return bytes == 1 ? exec_type_find("u8", 2) :
	       bytes == 2 ? exec_type_find("u16", 3) :
	       bytes == 4 ? exec_type_find("u32", 3) :
	       bytes == 8 ? exec_type_find("u64", 3) :
			    NULL;
}

static int surface_parse_parts(char **parts, struct exec_buffer *buffer, char *why, size_t why_size)
{
	struct faa_surface_desc *desc = &buffer->desc;
	struct faa_surface_layout layout;
	const char *reason = NULL;
	int type = parts[0] ? surface_type(parts[0]) : -1;
	int texel = parts[1] ? surface_texel(parts[1]) : -1;
	int version = parts[3] ? surface_version(parts[3]) : FAA_HEADER_VERSION_BLOCKLINEAR;
	int dim;

	if (type == FAA_TEXTURE_TYPE_ONE_D_BUFFER && !parts[3])
		version = FAA_HEADER_VERSION_ONE_D_BUFFER;
	dim = type < 0 || version < 0 ? -1 :
					faa_surface_dim((enum faa_header_version)version,
							(enum faa_texture_type)type);
	if (dim < 0 || texel < 0 || !parts[2]) {
		snprintf(
			why, why_size,
			"a surface is DIM:TEXEL:WIDTH[xHEIGHT[xDEPTH]][:LAYOUT], such as 2D:R32:64x32, with names of faa-surface");
		return -EINVAL;
	}
	desc->version = (enum faa_header_version)version;
	desc->type = (enum faa_texture_type)type;
	desc->texel = (enum faa_texel)texel;
	if (!surface_take_sizes(parts[2], desc, (enum faa_dim)dim)) {
		snprintf(why, why_size,
			 "its sizes are numbers with x between, one for each dimension");
		return -EINVAL;
	}
	if (faa_surface_layout(desc, &layout, &reason)) {
		snprintf(why, why_size, "%s", reason ? reason : "there is no such surface");
		return -EINVAL;
	}
	buffer->array.type = surface_item_type(layout.texel_bytes);
	if (!buffer->array.type) {
		snprintf(why, why_size, "texels of %u bytes are no items of an operation",
			 layout.texel_bytes);
		return -EINVAL;
	}
	return 0;
}

int exec_surface_parse(const char *text, struct exec_buffer *buffer, char *why, size_t why_size)
{
	char *copy = strdup(text), *rest = copy, *parts[4] = { NULL };
	unsigned int i;
	int ret;

	if (!copy)
		return -ENOMEM;
	for (i = 0; i < 4; i++)
		parts[i] = strsep(&rest, ":");
	buffer->is_surface = true;
	if (rest) {
		snprintf(why, why_size, "'%s' follows the layout", rest);
		ret = -EINVAL;
	} else {
		ret = surface_parse_parts(parts, buffer, why, why_size);
	}
	free(copy);
	return ret;
}
