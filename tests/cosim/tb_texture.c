// SPDX-License-Identifier: MIT
/* See tb_texture.h. */
#include <string.h>

#include "faa_texture.h"

#include "tb_texture.h"

#define PUT(words, name, value) \
	put(words, FAA_TEXTURE_##name##_LOW, FAA_TEXTURE_##name##_WIDTH, value)

static void put(uint64_t words[TB_HEADER_WORDS], unsigned int low, unsigned int width,
		uint64_t value)
{
	words[low / 64] |= (value & ((1ULL << width) - 1)) << low % 64;
}

unsigned int tb_texel_bytes(unsigned int components)
{
	static const struct {
		unsigned int code, bytes;
	} texels[] = {
#define TEXEL(name, code, bytes) { code, bytes },
		FAA_TEXELS(TEXEL)
#undef TEXEL
	};

	for (unsigned int i = 0; i < sizeof(texels) / sizeof(texels[0]); i++)
		if (texels[i].code == components)
			return texels[i].bytes;
	return 0;
}

static void encode_buffer(const struct tb_texture *t, uint64_t *words)
{
	PUT(words, ONE_D_BUFFER_ADDRESS_BITS31TO0, t->address);
	PUT(words, ONE_D_BUFFER_WIDTH_MINUS_ONE_BITS31TO16, (t->width - 1) >> 16);
	PUT(words, ONE_D_BUFFER_WIDTH_MINUS_ONE_BITS15TO0, t->width - 1);
}

static void encode_pitch(const struct tb_texture *t, uint64_t *words)
{
	PUT(words, PITCH_ADDRESS_BITS31TO5, t->address >> 5);
	PUT(words, PITCH_PITCH_BITS20TO5, t->pitch >> 5);
}

static void encode_blocklinear(const struct tb_texture *t, uint64_t *words)
{
	PUT(words, BLOCKLINEAR_ADDRESS_BITS31TO9, t->address >> 9);
	PUT(words, BLOCKLINEAR_GOBS_PER_BLOCK_HEIGHT, t->gobs_height);
	PUT(words, BLOCKLINEAR_GOBS_PER_BLOCK_DEPTH, t->gobs_depth);
}

/* Fields in which PITCH and BLOCKLINEAR agree. */
static void encode_sizes(const struct tb_texture *t, uint64_t *words)
{
	PUT(words, PITCH_MAX_MIP_LEVEL, t->max_level);
	PUT(words, PITCH_WIDTH_MINUS_ONE, t->width - 1);
	PUT(words, PITCH_HEIGHT_MINUS_ONE, t->height - 1);
	PUT(words, PITCH_DEPTH_MINUS_ONE, t->depth - 1);
	if (t->version != FAA_HEADER_VERSION_PITCH && t->version != FAA_HEADER_VERSION_BLOCKLINEAR)
		return;
	PUT(words, PITCH_RES_VIEW_MIN_MIP_LEVEL, t->view_min);
	PUT(words, PITCH_RES_VIEW_MAX_MIP_LEVEL, t->view_max);
}

void tb_texture_encode(const struct tb_texture *t, uint64_t words[TB_HEADER_WORDS])
{
	memset(words, 0, TB_HEADER_WORDS * sizeof(words[0]));
	PUT(words, PITCH_COMPONENTS, t->components);
	PUT(words, PITCH_R_DATA_TYPE, t->data_type);
	PUT(words, PITCH_HEADER_VERSION, t->version);
	PUT(words, PITCH_TEXTURE_TYPE, t->type);
	PUT(words, PITCH_ADDRESS_BITS47TO32, t->address >> 32);
	if (t->version == FAA_HEADER_VERSION_ONE_D_BUFFER) {
		encode_buffer(t, words);
		return;
	}
	encode_sizes(t, words);
	if (t->version == FAA_HEADER_VERSION_PITCH ||
	    t->version == FAA_HEADER_VERSION_PITCH_COLOR_KEY)
		encode_pitch(t, words);
	else
		encode_blocklinear(t, words);
}

unsigned int tb_texture_layers(const struct tb_texture *t)
{
	switch (t->type) {
	case FAA_TEXTURE_TYPE_ONE_D_ARRAY:
	case FAA_TEXTURE_TYPE_TWO_D_ARRAY:
		return t->depth;
	case FAA_TEXTURE_TYPE_CUBEMAP:
		return 6;
	case FAA_TEXTURE_TYPE_CUBEMAP_ARRAY:
		return 6 * t->depth;
	default:
		return 1;
	}
}
