// SPDX-License-Identifier: MIT
/*
 * Copies texels between rows in memory and the layout of a surface, in contiguous pieces of 16
 * bytes.
 */
#include "error.h"
#include "surface_layout.h"

#include <errno.h>
#include <string.h>

struct faa_surface_box faa_surface_box(const struct faa_surface_layout *layout, uint32_t level)
{
	struct faa_surface_box box = { .level = level };

	if (level >= layout->desc.levels)
		return box;
	box.width = layout->level[level].width;
	box.height = layout->level[level].height;
	box.slices = layout->dim == FAA_DIM_D3 ? layout->level[level].depth : layout->desc.layers;
	return box;
}

/* Checks the arguments, and fills in the strides of @linear that are 0. */
static int copy_check(const struct faa_surface_layout *layout, const struct faa_surface_box *box,
		      struct faa_linear *linear)
{
	struct faa_surface_box all = faa_surface_box(layout, box->level);
	uint64_t row = box->width * layout->texel_bytes;

	if (box->level >= layout->desc.levels || box->x > all.width ||
	    box->width > all.width - box->x || box->y > all.height ||
	    box->height > all.height - box->y || box->slice > all.slices ||
	    box->slices > all.slices - box->slice)
		return faa_fail(-EINVAL, "surface: the box goes beyond level %u", box->level);
	if (!linear->row_bytes)
		linear->row_bytes = row;
	if (!linear->slice_bytes)
		linear->slice_bytes = linear->row_bytes * box->height;
	if (linear->row_bytes < row || linear->slice_bytes < linear->row_bytes * box->height)
		return faa_fail(-EINVAL,
				"surface: rows of %llu bytes %zu bytes apart, or slices "
				"%zu bytes apart, overlap",
				(unsigned long long)row, linear->row_bytes, linear->slice_bytes);
	return 0;
}

/* Number of bytes, at most @bytes, from @x to the end of its piece. */
static size_t copy_bytes_of_piece(uint64_t x, uint64_t bytes)
{
	size_t n = FAA_CHUNK_BYTES - x % FAA_CHUNK_BYTES;

	return n < bytes ? n : (size_t)bytes;
}

/* The compiler knows the size of a whole piece. */
static void copy_piece(uint8_t *to, const uint8_t *from, size_t bytes)
{
	if (bytes == FAA_CHUNK_BYTES)
		memcpy(to, from, FAA_CHUNK_BYTES);
	else
		memcpy(to, from, bytes);
}

static void copy_write_row(const struct faa_surface_level *level, uint8_t *row, uint64_t x,
			   const uint8_t *linear, uint64_t bytes)
{
	while (bytes) {
		size_t n = copy_bytes_of_piece(x, bytes);

		copy_piece(row + faa_surface_column(level, x), linear, n);
		linear += n;
		bytes -= n;
		x += n;
	}
}

static void copy_read_row(const struct faa_surface_level *level, const uint8_t *row, uint64_t x,
			  uint8_t *linear, uint64_t bytes)
{
	while (bytes) {
		size_t n = copy_bytes_of_piece(x, bytes);

		copy_piece(linear, row + faa_surface_column(level, x), n);
		linear += n;
		bytes -= n;
		x += n;
	}
}

static struct faa_surface_slice copy_slice_of(const struct faa_surface_layout *layout,
					      uint32_t number)
{
	struct faa_surface_slice slice = { number, 0 };

	if (layout->dim == FAA_DIM_D3) {
		slice.layer = 0;
		slice.z = number;
	}
	return slice;
}

/* A row of the box: the addresses of its texels in the surface and in @linear. */
struct row {
	uint64_t offset;
	uint8_t *linear;
};

static struct row copy_row_of(const struct faa_surface_layout *layout,
			      const struct faa_surface_box *box, const struct faa_linear *linear,
			      uint32_t slice, uint32_t y)
{
	struct row row = {
		faa_surface_row(layout, box->level, copy_slice_of(layout, box->slice + slice),
				box->y + y),
		(uint8_t *)linear->texels + slice * linear->slice_bytes + y * linear->row_bytes,
	};

	return row;
}

int faa_surface_write(const struct faa_surface_layout *layout, void *surface,
		      const struct faa_surface_box *box, const struct faa_linear *linear)
{
	uint64_t x = box->x * layout->texel_bytes, bytes = box->width * layout->texel_bytes;
	bool blocks = faa_surface_is_blocks(layout->desc.version);
	struct faa_linear from = *linear;
	uint32_t slice, y;
	int ret;

	ret = copy_check(layout, box, &from);
	for (slice = 0; !ret && slice < box->slices; slice++) {
		for (y = 0; y < box->height; y++) {
			struct row row = copy_row_of(layout, box, &from, slice, y);
			uint8_t *to = (uint8_t *)surface + row.offset;

			if (blocks)
				copy_write_row(&layout->level[box->level], to, x, row.linear,
					       bytes);
			else
				memcpy(to + x, row.linear, bytes);
		}
	}
	return ret;
}

int faa_surface_read(const struct faa_surface_layout *layout, const void *surface,
		     const struct faa_surface_box *box, const struct faa_linear *linear)
{
	uint64_t x = box->x * layout->texel_bytes, bytes = box->width * layout->texel_bytes;
	bool blocks = faa_surface_is_blocks(layout->desc.version);
	struct faa_linear to = *linear;
	uint32_t slice, y;
	int ret;

	ret = copy_check(layout, box, &to);
	for (slice = 0; !ret && slice < box->slices; slice++) {
		for (y = 0; y < box->height; y++) {
			struct row row = copy_row_of(layout, box, &to, slice, y);
			const uint8_t *from = (const uint8_t *)surface + row.offset;

			if (blocks)
				copy_read_row(&layout->level[box->level], from, x, row.linear,
					      bytes);
			else
				memcpy(row.linear, from + x, bytes);
		}
	}
	return ret;
}
