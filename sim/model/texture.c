// SPDX-License-Identifier: Apache-2.0
/* Texture headers: surfaces.rst, "Surface" and "Address". */
#include "faa_texture.h"

#include "model.h"

#define MAX_LOG2_GOBS  5u
#define GOB_BYTES_LOG2 9
#define ADDRESSES      (1ULL << FAA_VA_BITS)

#define FIELD(header, name) \
	texture_field(header, FAA_TEXTURE_##name##_LOW, FAA_TEXTURE_##name##_WIDTH)

/* struct level - size and layout of a level of a BLOCKLINEAR surface */
struct level {
	/* In texels. */
	uint64_t width, height, depth;
	/* GOBs of a block, as logarithms. */
	unsigned int bh, bd;
	/* GOBs per row, rows of blocks, slabs of blocks. */
	uint64_t wg, hb, db;
	uint64_t bytes;
};

static uint64_t texture_field(const uint64_t header[TEXTURE_WORDS], unsigned int low,
			      unsigned int width)
{
	return header[low / 64] >> low % 64 & ((1ULL << width) - 1);
}

static unsigned int texture_texel_bytes(uint64_t components)
{
	switch (components) {
#define TEXEL(name, code, bytes) \
	case code:               \
		return bytes;
		FAA_TEXELS(TEXEL)
#undef TEXEL
	}
	return 0;
}

static uint64_t texture_at_least_one(uint64_t x)
{
	return x ? x : 1;
}

static uint64_t texture_divide_up(uint64_t x, uint64_t by)
{
	return (x + by - 1) / by;
}

static bool texture_version_is_pitch(unsigned int version)
{
	return version == FAA_HEADER_VERSION_PITCH || version == FAA_HEADER_VERSION_PITCH_COLOR_KEY;
}

/* Versions whose headers have the levels of a view. */
static bool texture_version_has_view(unsigned int version)
{
	return version == FAA_HEADER_VERSION_PITCH || version == FAA_HEADER_VERSION_BLOCKLINEAR;
}

#define TYPE(name) (1u << FAA_TEXTURE_TYPE_##name)

/* The texture types that are legal for dim and version. */
static unsigned int texture_types_of(unsigned int dim, unsigned int version)
{
	static const unsigned int blocklinear[] = {
		[FAA_DIM_D1] = TYPE(ONE_D),
		[FAA_DIM_D1_ARRAY] = TYPE(ONE_D_ARRAY),
		[FAA_DIM_D2] = TYPE(TWO_D) | TYPE(TWO_D_NO_MIPMAP),
		[FAA_DIM_D2_ARRAY] = TYPE(TWO_D_ARRAY) | TYPE(CUBEMAP) | TYPE(CUBEMAP_ARRAY),
		[FAA_DIM_D3] = TYPE(THREE_D),
	};
	static const unsigned int pitch[] = {
		[FAA_DIM_D1] = TYPE(ONE_D),
		[FAA_DIM_D2] = TYPE(TWO_D) | TYPE(TWO_D_NO_MIPMAP),
		[FAA_DIM_D3] = 0,
	};

	if (version == FAA_HEADER_VERSION_ONE_D_BUFFER)
		return dim == FAA_DIM_D1_BUFFER ? TYPE(ONE_D_BUFFER) : 0;
	return texture_version_is_pitch(version) ? pitch[dim] : blocklinear[dim];
}

static struct level texture_level_of(const struct texture *texture, unsigned int l)
{
	struct level level = {
		.width = texture_at_least_one(texture->width >> l),
		.height = texture_at_least_one(texture->height >> l),
		.depth = texture_at_least_one(texture->depth >> l),
		.bh = texture->gobs_height,
		.bd = texture->gobs_depth,
	};

	while (level.bh > 0 && 8ULL << (level.bh - 1) >= level.height)
		level.bh--;
	while (level.bd > 0 && 1ULL << (level.bd - 1) >= level.depth)
		level.bd--;
	level.wg = texture_divide_up(level.width * texture->texel_bytes, 64);
	level.hb = texture_divide_up(level.height, 8ULL << level.bh);
	level.db = texture_divide_up(level.depth, 1ULL << level.bd);
	level.bytes = level.wg * level.hb * level.db << (level.bh + level.bd + GOB_BYTES_LOG2);
	return level;
}

/* Distance between layers, which also determines the end of a BLOCKLINEAR surface. */
static uint64_t texture_layer_stride(const struct texture *texture)
{
	struct level first = texture_level_of(texture, 0);
	uint64_t unit = 1ULL << (first.bh + first.bd + GOB_BYTES_LOG2), sum = 0;

	for (unsigned int l = 0; l <= texture->levels; l++)
		sum += texture_level_of(texture, l).bytes;
	return texture_divide_up(sum, unit) * unit;
}

static uint64_t texture_layers_of(unsigned int type, uint64_t depth)
{
	switch (type) {
	case FAA_TEXTURE_TYPE_ONE_D_ARRAY:
	case FAA_TEXTURE_TYPE_TWO_D_ARRAY:
		return depth;
	case FAA_TEXTURE_TYPE_CUBEMAP:
		return 6;
	case FAA_TEXTURE_TYPE_CUBEMAP_ARRAY:
		return 6 * depth;
	}
	return 1;
}

static void texture_read_buffer(struct texture *texture, const uint64_t header[TEXTURE_WORDS])
{
	texture->base = FIELD(header, ONE_D_BUFFER_ADDRESS_BITS47TO32) << 32 |
			FIELD(header, ONE_D_BUFFER_ADDRESS_BITS31TO0);
	texture->width = (FIELD(header, ONE_D_BUFFER_WIDTH_MINUS_ONE_BITS31TO16) << 16 |
			  FIELD(header, ONE_D_BUFFER_WIDTH_MINUS_ONE_BITS15TO0)) +
			 1;
	texture->height = texture->depth = texture->layers = 1;
}

/* Sizes in the layout of the other versions. */
static void texture_read_sizes(struct texture *texture, const uint64_t header[TEXTURE_WORDS])
{
	uint64_t depth = FIELD(header, BLOCKLINEAR_DEPTH_MINUS_ONE) + 1;
	bool flat = texture->type == FAA_TEXTURE_TYPE_ONE_D ||
		    texture->type == FAA_TEXTURE_TYPE_ONE_D_ARRAY;

	texture->base = FIELD(header, BLOCKLINEAR_ADDRESS_BITS47TO32) << 32;
	if (texture_version_is_pitch(texture->version))
		texture->base |= FIELD(header, PITCH_ADDRESS_BITS31TO5) << 5;
	else
		texture->base |= FIELD(header, BLOCKLINEAR_ADDRESS_BITS31TO9) << 9;
	texture->width = FIELD(header, BLOCKLINEAR_WIDTH_MINUS_ONE) + 1;
	texture->height = flat ? 1 : FIELD(header, BLOCKLINEAR_HEIGHT_MINUS_ONE) + 1;
	texture->depth = texture->type == FAA_TEXTURE_TYPE_THREE_D ? depth : 1;
	texture->layers = texture_layers_of(texture->type, depth);
	texture->pitch = FIELD(header, PITCH_PITCH_BITS20TO5) << 5;
	texture->gobs_height = FIELD(header, BLOCKLINEAR_GOBS_PER_BLOCK_HEIGHT);
	texture->gobs_depth = FIELD(header, BLOCKLINEAR_GOBS_PER_BLOCK_DEPTH);
	texture->levels = FIELD(header, BLOCKLINEAR_MAX_MIP_LEVEL);
	if (texture_version_has_view(texture->version))
		texture->level = FIELD(header, BLOCKLINEAR_RES_VIEW_MIN_MIP_LEVEL);
}

static bool texture_view_is_empty(const uint64_t header[TEXTURE_WORDS])
{
	return FIELD(header, BLOCKLINEAR_RES_VIEW_MIN_MIP_LEVEL) >
	       FIELD(header, BLOCKLINEAR_RES_VIEW_MAX_MIP_LEVEL);
}

static bool texture_pitch_usable(const struct texture *texture)
{
	return texture->levels == 0 && texture->pitch >= texture->width * texture->texel_bytes &&
	       texture->base + texture->height * texture->pitch <= ADDRESSES;
}

static bool texture_blocklinear_usable(const struct texture *texture,
				       const uint64_t header[TEXTURE_WORDS])
{
	if (FIELD(header, BLOCKLINEAR_GOBS_PER_BLOCK_WIDTH) ||
	    FIELD(header, BLOCKLINEAR_TILE_WIDTH_IN_GOBS) || FIELD(header, BLOCKLINEAR_GOB3D))
		return false;
	if (texture->gobs_height > MAX_LOG2_GOBS || texture->gobs_depth > MAX_LOG2_GOBS)
		return false;
	if (texture->type == FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP && texture->levels)
		return false;
	return texture->base + texture->layers * texture_layer_stride(texture) <= ADDRESSES;
}

static bool texture_usable(const struct texture *texture, unsigned int dim,
			   const uint64_t header[TEXTURE_WORDS])
{
	if (!texture->texel_bytes ||
	    !(texture_types_of(dim, texture->version) >> texture->type & 1))
		return false;
	if (texture->version == FAA_HEADER_VERSION_ONE_D_BUFFER)
		return texture->base + texture->width * texture->texel_bytes <= ADDRESSES;
	if (texture->level > texture->levels)
		return false;
	return texture_version_is_pitch(texture->version) ?
		       texture_pitch_usable(texture) :
		       texture_blocklinear_usable(texture, header);
}

/*
 * Reads a header, words in the host's byte order, for a surface operation of dimension @dim.
 * *texture is valid only for TEXTURE_GOOD.
 */
enum texture_state texture_read(const uint64_t header[TEXTURE_WORDS], unsigned int dim,
				struct texture *texture)
{
	*texture = (struct texture){
		.version = FIELD(header, BLOCKLINEAR_HEADER_VERSION),
		.type = FIELD(header, BLOCKLINEAR_TEXTURE_TYPE),
		.texel_bytes = texture_texel_bytes(FIELD(header, BLOCKLINEAR_COMPONENTS)),
		.sint = FIELD(header, BLOCKLINEAR_R_DATA_TYPE) == FAA_DATA_TYPE_SINT,
	};
	if (texture->version > FAA_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY)
		return TEXTURE_BAD;
	if (texture_version_has_view(texture->version) && texture_view_is_empty(header))
		return TEXTURE_DISABLED;
	if (texture->version == FAA_HEADER_VERSION_ONE_D_BUFFER)
		texture_read_buffer(texture, header);
	else
		texture_read_sizes(texture, header);
	return texture_usable(texture, dim, header) ? TEXTURE_GOOD : TEXTURE_BAD;
}

/* Size of the level in use: texels per row, rows, slices. */
void texture_size(const struct texture *texture, uint64_t size[3])
{
	size[0] = texture_at_least_one(texture->width >> texture->level);
	size[1] = texture_at_least_one(texture->height >> texture->level);
	size[2] = texture_at_least_one(texture->depth >> texture->level);
}

/* Offset of a byte in its GOB of 64 bytes by 8 rows: the order of Tegra X1. */
static uint64_t texture_in_gob(uint64_t x, uint64_t y)
{
	return (x >> 5 & 1) << 8 | (y >> 1 & 3) << 6 | (x >> 4 & 1) << 5 | (y & 1) << 4 | (x & 15);
}

static uint64_t texture_blocklinear_offset(const struct texture *texture, uint64_t xb, uint64_t y,
					   uint64_t z)
{
	struct level level = texture_level_of(texture, texture->level);
	unsigned int block = level.bh + level.bd + GOB_BYTES_LOG2;
	uint64_t offset = 0;

	for (unsigned int l = 0; l < texture->level; l++)
		offset += texture_level_of(texture, l).bytes;
	offset += (z >> level.bd) * (level.wg * level.hb << block);
	offset += (y >> (3 + level.bh)) * (level.wg << block);
	offset += xb >> 6 << block;
	offset += (z & ((1ULL << level.bd) - 1)) << (level.bh + GOB_BYTES_LOG2);
	offset += (y >> 3 & ((1ULL << level.bh) - 1)) << GOB_BYTES_LOG2;
	return offset + texture_in_gob(xb & 63, y & 7);
}

/* Virtual address of byte @xb of a row, for coordinates within the surface. */
uint64_t texture_address(const struct texture *texture, uint64_t xb, uint64_t y, uint64_t z,
			 uint64_t layer)
{
	if (texture->version == FAA_HEADER_VERSION_ONE_D_BUFFER)
		return texture->base + xb;
	if (texture_version_is_pitch(texture->version))
		return texture->base + y * texture->pitch + xb;
	return texture->base + layer * texture_layer_stride(texture) +
	       texture_blocklinear_offset(texture, xb, y, z);
}
