// SPDX-License-Identifier: MIT
/* faa-surface address: computes the byte of coordinates, and prints the steps. */
#include "surface_tool.h"

#include <inttypes.h>
#include <stdio.h>

/* The coordinates in the order of the dimension; x is in texels. */
static struct faa_surface_at address_place(const struct surface_address *address,
					   const struct faa_surface_layout *layout)
{
	struct faa_surface_at at = { .level = address->level,
				     .x = address->at[0] * layout->texel_bytes };
	const uint64_t *more = address->at + 1;

	if (layout->dim == FAA_DIM_D1_ARRAY)
		at.layer = (uint32_t)more[0];
	else
		at.y = (uint32_t)more[0];
	if (layout->dim == FAA_DIM_D2_ARRAY)
		at.layer = (uint32_t)more[1];
	else
		at.z = (uint32_t)more[1];
	return at;
}

static unsigned int address_coordinates(enum faa_dim dim)
{
	if (dim == FAA_DIM_D1 || dim == FAA_DIM_D1_BUFFER)
		return 1;
	return dim == FAA_DIM_D1_ARRAY || dim == FAA_DIM_D2 ? 2 : 3;
}

/* Prints a line of the sum. */
static void address_part(const char *what, uint64_t number, uint64_t each, uint64_t *sum)
{
	printf("  %-22s %8" PRIu64 " * %-10" PRIu64 " = %" PRIu64 "\n", what, number, each,
	       number * each);
	*sum += number * each;
}

static uint64_t address_explain_blocks(const struct faa_surface_layout *layout,
				       const struct faa_surface_at *at)
{
	const struct faa_surface_level *level = &layout->level[at->level];
	uint32_t by = level->log2_gobs_y, bz = level->log2_gobs_z;
	uint64_t block = 512ull << (by + bz), row = block * level->row_gobs, sum = 0;
	uint32_t x = at->x % 64, y = at->y % 8;

	address_part("layer", at->layer, layout->layer_stride, &sum);
	address_part("level", 1, level->offset, &sum);
	address_part("slab of blocks", at->z >> bz, row * level->block_rows, &sum);
	address_part("row of blocks", at->y / 8 >> by, row, &sum);
	address_part("block", at->x / 64, block, &sum);
	address_part("slice of the block", at->z & ((1u << bz) - 1), 512ull << by, &sum);
	address_part("GOB of the slice", at->y / 8 & ((1u << by) - 1), 512, &sum);
	printf("  in the GOB: byte %u of row %u\n", x, y);
	address_part("  half of 32 bytes", x / 32, 256, &sum);
	address_part("  pair of rows", y / 2, 64, &sum);
	address_part("  16 bytes of the half", x / 16 % 2, 32, &sum);
	address_part("  row of the pair", y % 2, 16, &sum);
	address_part("  byte", x % 16, 1, &sum);
	return sum;
}

static uint64_t address_explain_rows(const struct faa_surface_layout *layout,
				     const struct faa_surface_at *at)
{
	uint64_t sum = 0;

	address_part("row", at->y, layout->desc.pitch, &sum);
	address_part("byte", at->x, 1, &sum);
	return sum;
}

static void address_print_json(const struct surface_address *address,
			       const struct faa_surface_layout *layout,
			       const struct faa_surface_at *at, uint64_t offset)
{
	printf("{\"offset\": %" PRIu64 ", \"address\": %" PRIu64 ", \"level\": %u, \"layer\": %u, "
	       "\"x_bytes\": %" PRIu64 ", \"y\": %u, \"z\": %u, ",
	       offset, address->base + offset, at->level, at->layer, at->x, at->y, at->z);
	surface_print_json_levels(layout);
	printf("}\n");
}

int surface_address(const struct surface_address *address)
{
	struct faa_surface_layout layout;
	struct faa_surface_at at;
	uint64_t offset, sum;
	const char *why;

	if (faa_surface_layout(&address->desc, &layout, &why)) {
		fprintf(stderr, "faa-surface: %s\n", why);
		return 1;
	}
	if (address_coordinates(layout.dim) != address->count) {
		fprintf(stderr,
			"faa-surface: a surface of dimension %s has %u coordinates, not %u\n",
			surface_dim_name(layout.dim), address_coordinates(layout.dim),
			address->count);
		return 1;
	}
	at = address_place(address, &layout);
	offset = faa_surface_offset(&layout, &at);
	if (offset == UINT64_MAX) {
		fprintf(stderr, "faa-surface: the coordinates are outside of level %u\n",
			address->level);
		if (!address->json)
			surface_print_levels(&layout);
		return 1;
	}
	if (address->json) {
		address_print_json(address, &layout, &at, offset);
		return 0;
	}
	surface_print_levels(&layout);
	printf("byte %" PRIu64 " of row %u, slice %u, layer %u of level %u\n", at.x, at.y, at.z,
	       at.layer, at.level);
	sum = layout.level[0].row_gobs ? address_explain_blocks(&layout, &at) :
					 address_explain_rows(&layout, &at);
	if (sum != offset) {
		fprintf(stderr,
			"faa-surface: the parts are %" PRIu64 " together, the offset is %" PRIu64
			"\n",
			sum, offset);
		return 1;
	}
	printf("offset %" PRIu64 " = 0x%" PRIx64, offset, offset);
	if (address->base)
		printf(", address 0x%" PRIx64, address->base + offset);
	printf("\n");
	return 0;
}
