// SPDX-License-Identifier: MIT
/* The elements of the benchmarks of SUATOM. */
#include "global.h"
#include "random.h"

#define SEED 0x5eedfaa5u
/* Each coordinate of a point of a cloud is the mean of this many numbers. */
#define MEAN_OF 4

void global_layout(const struct global_bench *bench, struct faa_surface_layout *layout)
{
	const struct faa_surface_desc desc = {
		.version = FAA_HEADER_VERSION_BLOCKLINEAR,
		.type = FAA_TEXTURE_TYPE_TWO_D,
		.texel = FAA_TEXEL_R32,
		.data_type = FAA_DATA_TYPE_UINT,
		.width = bench->surface->width,
		.height = bench->surface->height,
		.log2_gobs_y = bench->surface->log2_gobs_y,
	};

	if (faa_surface_layout(&desc, layout, NULL))
		tb_die("%s: there is no such surface", bench->name);
}

static uint32_t coordinate(const struct global_bench *bench, uint64_t *state, uint32_t size)
{
	uint64_t sum = 0;
	unsigned int i;

	if (bench->words == GLOBAL_TEXELS)
		return random_next(state) % size;
	for (i = 0; i < MEAN_OF; i++)
		sum += random_next(state) % size;
	return (uint32_t)(sum / MEAN_OF);
}

void global_fill_surface(const struct global_bench *bench, struct global_stream *stream)
{
	const struct global_surface *surface = bench->surface;
	struct faa_surface_layout layout;
	uint64_t state = SEED;
	uint32_t e;

	global_layout(bench, &layout);
	for (e = 0; e < stream->elements; e++) {
		struct faa_surface_at at = { .x = e % surface->width, .y = GLOBAL_ROW_Y };

		if (stream->points) {
			at.x = coordinate(bench, &state, surface->width);
			at.y = coordinate(bench, &state, surface->height);
			stream->points[e] = (uint32_t)at.x | at.y << 16;
		}
		at.x *= layout.texel_bytes;
		stream->items[e] =
			(uint32_t)(faa_surface_offset(&layout, &at) / layout.texel_bytes);
	}
}
