/* SPDX-License-Identifier: MIT */
/**
 * DOC: Texture headers for tests
 *
 * Encodes the description of a surface as the 32 bytes that a device reads, by the fields of
 * spec/texture_header.toml.
 */
#ifndef TB_TEXTURE_H
#define TB_TEXTURE_H

#include <stdint.h>

#include "faa_isa.h"

#define TB_HEADER_WORDS (FAA_TEXTURE_HEADER_BYTES / 8)

/**
 * struct tb_texture - the header fields of surface operations; sizes are true sizes, not less one
 */
struct tb_texture {
	enum faa_header_version version;
	enum faa_texture_type type;
	/** @components: code of a texel */
	unsigned int components;
	enum faa_data_type data_type;
	uint64_t address;
	uint64_t width;
	unsigned int height;
	/** @depth: slices, layers or cubes */
	unsigned int depth;
	unsigned int pitch;
	/** @gobs_height: of a block, as logarithm */
	unsigned int gobs_height;
	unsigned int gobs_depth;
	/** @max_level: the last level */
	unsigned int max_level;
	/** @view_min, @view_max: levels of the view, where the version has them */
	unsigned int view_min;
	unsigned int view_max;
};

/** tb_texel_bytes() - bytes of a texel; 0 for a code that surfaces cannot have */
unsigned int tb_texel_bytes(unsigned int components);
/**
 * tb_texture_encode() - the header of a surface, words in the host's byte order
 *
 * Nothing is checked: bits that do not fit into a field, and fields that the version lacks, are
 * dropped. Unused fields are 0.
 */
void tb_texture_encode(const struct tb_texture *texture, uint64_t words[TB_HEADER_WORDS]);

/** tb_texture_layers() - layers of a surface: of arrays and cubes, else 1. */
unsigned int tb_texture_layers(const struct tb_texture *texture);

#endif /* TB_TEXTURE_H */
