// SPDX-License-Identifier: MIT
#include <string.h>

#include "run.h"

/* The image of a lane; NULL after a message. */
static const struct spirv_image *image_of(struct spirv_run *run, const struct spirv_warp *warp,
					  const struct spirv_ins *ins, unsigned int lane)
{
	const uint64_t *number = spirv_lanes_of(run, warp, ins->a);

	if (number[lane] < run->program->images)
		return &run->images[number[lane]];
	spirv_stop(run, ins, warp, lane, "there is no image %llu",
		   (unsigned long long)number[lane]);
	return NULL;
}

/* Whether the last coordinate is a layer. */
static bool image_has_layers(const struct spirv_image *image)
{
	return image->layout->dim == FAA_DIM_D1_ARRAY || image->layout->dim == FAA_DIM_D2_ARRAY;
}

/* The texel of a lane; NULL: its coordinates are outside. */
static uint8_t *image_texel(struct spirv_run *run, const struct spirv_warp *warp,
			    const struct spirv_ins *ins, const struct spirv_image *image,
			    unsigned int lane)
{
	const uint64_t *at = spirv_lanes_of(run, warp, ins->b);
	struct faa_surface_at place = { 0 };
	uint64_t offset, one;
	uint32_t i;

	for (i = 0; i < ins->extra; i++) {
		one = at[(size_t)i * SPIRV_LANES + lane] & UINT32_MAX;
		if (i && i + 1 == ins->extra && image_has_layers(image))
			place.layer = (uint32_t)one;
		else if (i == 0)
			place.x = one * image->layout->texel_bytes;
		else if (i == 1)
			place.y = (uint32_t)one;
		else
			place.z = (uint32_t)one;
	}
	offset = faa_surface_offset(image->layout, &place);
	return offset == UINT64_MAX ? NULL : image->memory + offset;
}

/* Missing components are 0, alpha is 1. */
static uint64_t image_missing(const struct spirv_image *image, const struct spirv_ins *ins,
			      uint32_t component)
{
	if (component != 3)
		return 0;
	if (image->layout->desc.data_type != FAA_DATA_TYPE_FLOAT)
		return 1;
	return ins->width == 64 ? 0x3ff0000000000000ull : 0x3f800000;
}

enum spirv_outcome spirv_image_read(struct spirv_run *run, struct spirv_warp *warp,
				    const struct spirv_ins *ins, uint32_t lanes)
{
	uint64_t *to = spirv_lanes_of(run, warp, ins->dst), values[4];
	uint32_t bytes = ins->width / 8, lane, i;
	const struct spirv_image *image;
	const uint8_t *memory;

	if (warp->stale)
		return OUTCOME_RETRY;
	for (lane = 0; lane < SPIRV_LANES && !run->error; lane++) {
		image = lanes >> lane & 1 ? image_of(run, warp, ins, lane) : NULL;
		if (!image)
			continue;
		memory = image_texel(run, warp, ins, image, lane);
		for (i = 0; i < ins->count && i < 4; i++) {
			values[i] = 0;
			if (memory && (i + 1) * bytes <= image->layout->texel_bytes)
				memcpy(&values[i], memory + i * bytes, bytes);
			else if (memory)
				values[i] = image_missing(image, ins, i);
		}
		/* The result may overwrite the coordinates. */
		for (i = 0; i < ins->count && i < 4; i++)
			to[(size_t)i * SPIRV_LANES + lane] = values[i];
	}
	return OUTCOME_NEXT;
}

enum spirv_outcome spirv_image_write(struct spirv_run *run, struct spirv_warp *warp,
				     const struct spirv_ins *ins, uint32_t lanes)
{
	const uint64_t *from = spirv_lanes_of(run, warp, ins->c);
	uint32_t bytes = ins->width / 8, lane, i;
	const struct spirv_image *image;
	uint8_t *memory;

	if (warp->stale)
		return OUTCOME_RETRY;
	for (lane = 0; lane < SPIRV_LANES && !run->error; lane++) {
		image = lanes >> lane & 1 ? image_of(run, warp, ins, lane) : NULL;
		memory = image ? image_texel(run, warp, ins, image, lane) : NULL;
		for (i = 0;
		     memory && i < ins->count && (i + 1) * bytes <= image->layout->texel_bytes; i++)
			memcpy(memory + i * bytes, &from[(size_t)i * SPIRV_LANES + lane], bytes);
	}
	return OUTCOME_NEXT;
}

void spirv_image_size(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		      uint32_t lanes)
{
	uint64_t *to = spirv_lanes_of(run, warp, ins->dst);
	const struct faa_surface_desc *desc;
	const struct spirv_image *image;
	uint32_t lane, i;
	uint64_t size;

	for (lane = 0; lane < SPIRV_LANES && !run->error; lane++) {
		image = lanes >> lane & 1 ? image_of(run, warp, ins, lane) : NULL;
		if (!image)
			continue;
		desc = &image->layout->desc;
		for (i = 0; i < ins->count; i++) {
			size = i == 0 ? desc->width : i == 1 ? desc->height : desc->depth;
			if (i && i + 1 == ins->count && image_has_layers(image))
				size = desc->layers;
			to[(size_t)i * SPIRV_LANES + lane] = size;
		}
	}
}
