/* SPDX-License-Identifier: MIT */
/**
 * DOC: Byte order of block-linear levels
 *
 * The offset of a byte is the sum of the offset of its row and an offset for x, which have no bit
 * in common.
 */
#ifndef FAA_SURFACE_LAYOUT_H
#define FAA_SURFACE_LAYOUT_H

#include "faa_surface.h"

#define FAA_GOB_WIDTH  64u
#define FAA_GOB_HEIGHT 8u
#define FAA_GOB_BYTES  512u
/* Contiguous bytes of a row of a GOB. */
#define FAA_CHUNK_BYTES 16u

/* A slice of a surface: layers, or slices in z, by number. */
struct faa_surface_slice {
	uint32_t layer;
	uint32_t z;
};

/** faa_surface_is_blocks() - whether texels lie in blocks of GOBs, otherwise in rows. */
bool faa_surface_is_blocks(enum faa_header_version version);

/** faa_surface_is_pitch() - whether they lie in rows with a pitch. */
bool faa_surface_is_pitch(enum faa_header_version version);

/** faa_surface_is_layered() - whether surfaces of @type have layers. */
bool faa_surface_is_layered(enum faa_texture_type type);

/**
 * faa_surface_row() - offset of byte 0 of row @y of @slice; all arguments are inside the surface.
 */
uint64_t faa_surface_row(const struct faa_surface_layout *layout, uint32_t level,
			 struct faa_surface_slice slice, uint32_t y);

/** faa_surface_column() - offset of byte @x in its row. */
static inline uint64_t faa_surface_column(const struct faa_surface_level *level, uint64_t x)
{
	uint32_t shift = level->log2_gobs_y + level->log2_gobs_z;

	return (x / FAA_GOB_WIDTH * FAA_GOB_BYTES << shift) + (x >> 5 & 1) * 256 +
	       (x >> 4 & 1) * 32 + (x & 15);
}

#endif /* FAA_SURFACE_LAYOUT_H */
