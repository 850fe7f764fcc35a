// SPDX-License-Identifier: MIT
/* Sizes and offsets of surfaces, as in Documentation/surfaces.rst. */
#include "error.h"
#include "surface_layout.h"

#include <errno.h>
#include <string.h>

#include "faa_texture.h"

#define MAX_SIZE      65536u
#define MAX_DEPTH     16384u
#define MAX_LOG2_GOBS 5u
#define PITCH_ALIGN   32u
#define MAX_PITCH     (65535u * PITCH_ALIGN)
#define FACES	      6u

uint32_t faa_texel_bytes(uint32_t texel)
{
#define TEXEL(name, code, bytes) [code] = bytes,
	static const uint8_t sizes[] = { FAA_TEXELS(TEXEL) };
#undef TEXEL

	return texel < sizeof(sizes) ? sizes[texel] : 0;
}

bool faa_surface_is_blocks(enum faa_header_version version)
{
	return version == FAA_HEADER_VERSION_BLOCKLINEAR ||
	       version == FAA_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY;
}

bool faa_surface_is_pitch(enum faa_header_version version)
{
	return version == FAA_HEADER_VERSION_PITCH || version == FAA_HEADER_VERSION_PITCH_COLOR_KEY;
}

bool faa_surface_is_layered(enum faa_texture_type type)
{
	return type == FAA_TEXTURE_TYPE_ONE_D_ARRAY || type == FAA_TEXTURE_TYPE_TWO_D_ARRAY ||
	       type == FAA_TEXTURE_TYPE_CUBEMAP || type == FAA_TEXTURE_TYPE_CUBEMAP_ARRAY;
}

/* enum faa_dim, -1 if there is none. */
static int layout_find_dim(enum faa_header_version version, enum faa_texture_type type)
{
	static const uint8_t dims[] = {
		[FAA_TEXTURE_TYPE_ONE_D] = FAA_DIM_D1,
		[FAA_TEXTURE_TYPE_TWO_D] = FAA_DIM_D2,
		[FAA_TEXTURE_TYPE_THREE_D] = FAA_DIM_D3,
		[FAA_TEXTURE_TYPE_CUBEMAP] = FAA_DIM_D2_ARRAY,
		[FAA_TEXTURE_TYPE_ONE_D_ARRAY] = FAA_DIM_D1_ARRAY,
		[FAA_TEXTURE_TYPE_TWO_D_ARRAY] = FAA_DIM_D2_ARRAY,
		[FAA_TEXTURE_TYPE_ONE_D_BUFFER] = FAA_DIM_D1_BUFFER,
		[FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP] = FAA_DIM_D2,
		[FAA_TEXTURE_TYPE_CUBEMAP_ARRAY] = FAA_DIM_D2_ARRAY,
	};
	enum faa_dim dim;

	if ((unsigned int)type >= sizeof(dims))
		return -1;
	dim = dims[type];
	if (version == FAA_HEADER_VERSION_ONE_D_BUFFER)
		return dim == FAA_DIM_D1_BUFFER ? (int)dim : -1;
	if (faa_surface_is_pitch(version))
		return dim == FAA_DIM_D1 || dim == FAA_DIM_D2 ? (int)dim : -1;
	if (faa_surface_is_blocks(version))
		return dim == FAA_DIM_D1_BUFFER ? -1 : (int)dim;
	return -1;
}

int faa_surface_dim(enum faa_header_version version, enum faa_texture_type type)
{
	int dim = layout_find_dim(version, type);

	if (dim >= 0)
		return dim;
	return faa_fail(-EINVAL, "surface: version %u has no texture type %u",
			(unsigned int)version, (unsigned int)type);
}

/* Replaces sizes of 0 by 1. */
static void layout_fill_in(struct faa_surface_desc *desc)
{
	uint32_t *sizes[] = { &desc->height, &desc->depth, &desc->layers, &desc->levels };
	size_t i;

	if (!desc->width)
		desc->width = 1;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (!*sizes[i])
			*sizes[i] = 1;
}

static const char *layout_check_layers(const struct faa_surface_desc *desc)
{
	switch (desc->type) {
	case FAA_TEXTURE_TYPE_CUBEMAP:
		return desc->layers == FACES ? NULL : "a cube map has 6 layers";
	case FAA_TEXTURE_TYPE_CUBEMAP_ARRAY:
		return desc->layers % FACES || desc->layers > FACES * MAX_DEPTH ?
			       "layers: a multiple of 6, up to 98304, for an array of cube maps" :
			       NULL;
	case FAA_TEXTURE_TYPE_ONE_D_ARRAY:
	case FAA_TEXTURE_TYPE_TWO_D_ARRAY:
		return desc->layers > MAX_DEPTH ? "layers: at most 16384" : NULL;
	default:
		return desc->layers > 1 ? "this texture type has no layers" : NULL;
	}
}

static const char *layout_check_sizes(const struct faa_surface_desc *desc, int dim)
{
	bool one_row = dim == FAA_DIM_D1 || dim == FAA_DIM_D1_ARRAY || dim == FAA_DIM_D1_BUFFER;

	if (desc->width > (dim == FAA_DIM_D1_BUFFER ? 1ull << 32 : MAX_SIZE))
		return "width: at most 65536 texels, of a buffer 2^32";
	if (desc->height > (one_row ? 1 : MAX_SIZE))
		return "height: at most 65536, of one-dimensional types 1";
	if (desc->depth > (dim == FAA_DIM_D3 ? MAX_DEPTH : 1))
		return "depth: at most 16384, of all types but THREE_D 1";
	if (desc->levels > FAA_SURFACE_LEVELS)
		return "levels: at most 16";
	if (desc->levels > 1 && (!faa_surface_is_blocks(desc->version) ||
				 desc->type == FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP))
		return "levels: more than one needs a block-linear surface, and not TWO_D_NO_MIPMAP";
	return layout_check_layers(desc);
}

static const char *layout_check_blocks(const struct faa_surface_desc *desc)
{
	bool blocks = faa_surface_is_blocks(desc->version);

	if (!blocks && (desc->log2_gobs_y || desc->log2_gobs_z))
		return "GOBs of a block: 2^0 of a surface that has no blocks";
	if (desc->log2_gobs_y > MAX_LOG2_GOBS || desc->log2_gobs_z > MAX_LOG2_GOBS)
		return "GOBs of a block: at most 2^5 in height and in depth";
	return NULL;
}

static const char *layout_check_pitch(struct faa_surface_desc *desc, uint32_t texel_bytes)
{
	uint64_t row = desc->width * texel_bytes;

	if (!faa_surface_is_pitch(desc->version))
		return desc->pitch ? "pitch: 0 of a surface that is not PITCH" : NULL;
	if (!desc->pitch)
		desc->pitch = (uint32_t)((row + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN);
	if (desc->pitch < row)
		return "pitch: less than a row of texels";
	if (desc->pitch % PITCH_ALIGN || desc->pitch > MAX_PITCH)
		return "pitch: a multiple of 32, at most 2097120";
	return NULL;
}

static uint32_t layout_level_size(uint64_t size, uint32_t level)
{
	return size >> level ? (uint32_t)(size >> level) : 1;
}

static uint64_t layout_divide_up(uint64_t value, uint64_t by)
{
	return (value + by - 1) / by;
}

/* Halves a block as long as half of it holds the whole level. */
static uint32_t layout_fitting(uint32_t log2, uint32_t unit, uint32_t size)
{
	while (log2 && unit << (log2 - 1) >= size)
		log2--;
	return log2;
}

static void layout_compute_level(struct faa_surface_layout *layout, uint32_t index)
{
	const struct faa_surface_desc *desc = &layout->desc;
	struct faa_surface_level *level = &layout->level[index];
	uint64_t slabs;

	level->width = layout_level_size(desc->width, index);
	level->height = layout_level_size(desc->height, index);
	level->depth = layout_level_size(desc->depth, index);
	level->log2_gobs_y = layout_fitting(desc->log2_gobs_y, FAA_GOB_HEIGHT, level->height);
	level->log2_gobs_z = layout_fitting(desc->log2_gobs_z, 1, level->depth);
	level->row_gobs =
		(uint32_t)layout_divide_up(level->width * layout->texel_bytes, FAA_GOB_WIDTH);
	level->block_rows =
		(uint32_t)layout_divide_up(level->height, FAA_GOB_HEIGHT << level->log2_gobs_y);
	slabs = layout_divide_up(level->depth, 1ull << level->log2_gobs_z);
	level->size = (uint64_t)level->row_gobs * level->block_rows * slabs * FAA_GOB_BYTES
		      << (level->log2_gobs_y + level->log2_gobs_z);
}

static void layout_compute_blocks(struct faa_surface_layout *layout)
{
	const struct faa_surface_level *first = &layout->level[0];
	uint64_t block = (uint64_t)FAA_GOB_BYTES, end = 0;
	uint32_t index;

	for (index = 0; index < layout->desc.levels; index++) {
		layout_compute_level(layout, index);
		layout->level[index].offset = end;
		end += layout->level[index].size;
	}
	block <<= first->log2_gobs_y + first->log2_gobs_z;
	layout->layer_stride = layout_divide_up(end, block) * block;
	layout->align = FAA_GOB_BYTES;
}

/* PITCH and ONE_D_BUFFER: one level, one layer. */
static void layout_compute_rows(struct faa_surface_layout *layout)
{
	const struct faa_surface_desc *desc = &layout->desc;
	struct faa_surface_level *level = &layout->level[0];
	bool pitch = faa_surface_is_pitch(desc->version);

	level->width = desc->width;
	level->height = desc->height;
	level->depth = 1;
	level->size = pitch ? (uint64_t)desc->pitch * desc->height :
			      desc->width * layout->texel_bytes;
	layout->layer_stride = level->size;
	layout->align = pitch ? PITCH_ALIGN : 1;
}

static const char *layout_compute(const struct faa_surface_desc *desc,
				  struct faa_surface_layout *layout)
{
	int dim = layout_find_dim(desc->version, desc->type);
	const char *why;

	memset(layout, 0, sizeof(*layout));
	layout->desc = *desc;
	layout_fill_in(&layout->desc);
	layout->texel_bytes = faa_texel_bytes(desc->texel);
	if ((unsigned int)desc->version > FAA_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY)
		return "header version: 0 to 4";
	if (!layout->texel_bytes)
		return "texel: a code that surfaces do not have";
	if (dim < 0)
		return "texture type that surfaces of this version do not have";
	layout->dim = (enum faa_dim)dim;
	why = layout_check_sizes(&layout->desc, dim);
	if (!why)
		why = layout_check_blocks(&layout->desc);
	if (!why)
		why = layout_check_pitch(&layout->desc, layout->texel_bytes);
	if (why)
		return why;
	if (faa_surface_is_blocks(desc->version))
		layout_compute_blocks(layout);
	else
		layout_compute_rows(layout);
	layout->size = layout->layer_stride * layout->desc.layers;
	return layout->size > 1ull << FAA_VA_BITS ? "larger than 2^48 bytes" : NULL;
}

int faa_surface_layout(const struct faa_surface_desc *desc, struct faa_surface_layout *layout,
		       const char **why)
{
	const char *wrong = layout_compute(desc, layout);

	if (why)
		*why = wrong;
	return wrong ? faa_fail(-EINVAL, "surface: %s", wrong) : 0;
}

uint64_t faa_surface_row(const struct faa_surface_layout *layout, uint32_t index,
			 struct faa_surface_slice slice, uint32_t y)
{
	const struct faa_surface_level *level = &layout->level[index];
	uint32_t by = level->log2_gobs_y, bz = level->log2_gobs_z;
	uint64_t block_row = (uint64_t)level->row_gobs * FAA_GOB_BYTES << (by + bz);

	if (!faa_surface_is_blocks(layout->desc.version))
		return (uint64_t)y * layout->desc.pitch;
	return slice.layer * layout->layer_stride + level->offset +
	       (slice.z >> bz) * (block_row * level->block_rows) +
	       (y / FAA_GOB_HEIGHT >> by) * block_row +
	       ((uint64_t)(slice.z & ((1u << bz) - 1)) * FAA_GOB_BYTES << by) +
	       (uint64_t)(y / FAA_GOB_HEIGHT & ((1u << by) - 1)) * FAA_GOB_BYTES +
	       (y >> 1 & 3) * 64 + (y & 1) * 16;
}

uint64_t faa_surface_offset(const struct faa_surface_layout *layout,
			    const struct faa_surface_at *at)
{
	struct faa_surface_slice slice = { at->layer, at->z };
	const struct faa_surface_level *level;
	uint64_t row;

	if (at->level >= layout->desc.levels)
		return UINT64_MAX;
	level = &layout->level[at->level];
	if (at->layer >= layout->desc.layers || at->x >= level->width * layout->texel_bytes ||
	    at->y >= level->height || at->z >= level->depth)
		return UINT64_MAX;
	row = faa_surface_row(layout, at->level, slice, at->y);
	return row + (faa_surface_is_blocks(layout->desc.version) ?
			      faa_surface_column(level, at->x) :
			      at->x);
}
