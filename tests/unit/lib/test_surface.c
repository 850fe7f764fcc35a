// SPDX-License-Identifier: MIT
/* Surfaces in memory only: layouts, copies, texture headers, and external tables. */
#include "check.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "faa.h"

static struct faa_surface_layout layout_of(struct faa_surface_desc desc)
{
	struct faa_surface_layout layout;
	const char *why;

	if (faa_surface_layout(&desc, &layout, &why))
		fail_msg("%s", why);
	assert_null(why);
	return layout;
}

static struct faa_surface_desc blocks(enum faa_texture_type type, enum faa_texel texel,
				      uint64_t width, uint32_t height)
{
	struct faa_surface_desc desc = { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
					 .type = type,
					 .texel = texel,
					 .data_type = FAA_DATA_TYPE_UINT,
					 .width = width,
					 .height = height };

	return desc;
}

static uint64_t offset(const struct faa_surface_layout *layout, struct faa_surface_at at)
{
	at.x *= layout->texel_bytes;
	return faa_surface_offset(layout, &at);
}

#define AT(...) ((struct faa_surface_at){ __VA_ARGS__ })

/* The examples of Documentation/surfaces.rst. */
static void worked_examples(void **state)
{
	struct faa_surface_desc desc = blocks(FAA_TEXTURE_TYPE_TWO_D, FAA_TEXEL_R32, 16, 8);
	struct faa_surface_layout layout = layout_of(desc);

	(void)state;
	assert_int_equal(offset(&layout, AT(.x = 13, .y = 5)), 436);
	desc = blocks(FAA_TEXTURE_TYPE_TWO_D, FAA_TEXEL_R32, 100, 40);
	desc.log2_gobs_y = 1;
	layout = layout_of(desc);
	assert_int_equal(offset(&layout, AT(.x = 37, .y = 21)), 9396);
	desc = blocks(FAA_TEXTURE_TYPE_THREE_D, FAA_TEXEL_R32_G32, 33, 20);
	desc.depth = 5;
	desc.log2_gobs_y = 1;
	desc.log2_gobs_z = 1;
	layout = layout_of(desc);
	assert_int_equal(offset(&layout, AT(.x = 19, .y = 13, .z = 3)), 26296);
	desc = blocks(FAA_TEXTURE_TYPE_TWO_D_ARRAY, FAA_TEXEL_R32, 65, 33);
	desc.levels = 6;
	desc.layers = 3;
	desc.log2_gobs_y = 2;
	layout = layout_of(desc);
	assert_int_equal(layout.level[2].width, 16);
	assert_int_equal(layout.level[2].height, 8);
	assert_int_equal(layout.level[2].log2_gobs_y, 0);
	assert_int_equal(layout.level[2].offset, 22528);
	assert_int_equal(layout.layer_stride, 24576);
	assert_int_equal(layout.size, 73728);
	assert_int_equal(offset(&layout, AT(.level = 2, .layer = 2, .x = 9, .y = 6)), 72132);
	assert_int_equal(layout.level[1].height, 16);
	assert_int_equal(layout.level[1].log2_gobs_y, 1);
	/* Layers begin at a multiple of a block even without the last level. */
	desc.levels = 5;
	layout = layout_of(desc);
	assert_int_equal(layout.level[4].offset + layout.level[4].size, 24064);
	assert_int_equal(layout.layer_stride, 24576);
	/* Rows, and a buffer. */
	desc = blocks(FAA_TEXTURE_TYPE_TWO_D, FAA_TEXEL_R16, 50, 7);
	desc.version = FAA_HEADER_VERSION_PITCH;
	layout = layout_of(desc);
	assert_int_equal(layout.desc.pitch, 128);
	assert_int_equal(layout.size, 7 * 128);
	assert_int_equal(offset(&layout, AT(.x = 3, .y = 2)), 262);
	desc = blocks(FAA_TEXTURE_TYPE_ONE_D_BUFFER, FAA_TEXEL_R32_G32_B32, 1ull << 32, 1);
	desc.version = FAA_HEADER_VERSION_ONE_D_BUFFER;
	layout = layout_of(desc);
	assert_int_equal(layout.size, 12ull << 32);
	assert_int_equal(offset(&layout, AT(.x = UINT32_MAX)), 12ull * UINT32_MAX);
	assert_true(offset(&layout, AT(.x = 1ull << 32)) == UINT64_MAX);
}

static void outside(void **state)
{
	struct faa_surface_desc desc = blocks(FAA_TEXTURE_TYPE_TWO_D_ARRAY, FAA_TEXEL_R32, 10, 20);
	struct faa_surface_layout layout;

	(void)state;
	desc.layers = 2;
	desc.levels = 3;
	layout = layout_of(desc);
	assert_true(offset(&layout, AT(.level = 2, .x = 1, .y = 4, .layer = 1)) < layout.size);
	assert_true(offset(&layout, AT(.level = 2, .x = 2)) == UINT64_MAX);
	assert_true(offset(&layout, AT(.level = 2, .y = 5)) == UINT64_MAX);
	assert_true(offset(&layout, AT(.layer = 2)) == UINT64_MAX);
	assert_true(offset(&layout, AT(.z = 1)) == UINT64_MAX);
	assert_true(offset(&layout, AT(.level = 3)) == UINT64_MAX);
	assert_true(offset(&layout, AT(.level = UINT32_MAX)) == UINT64_MAX);
}

/* @desc is rejected with a reason that has @text. */
static void refuse(struct faa_surface_desc desc, const char *text)
{
	struct faa_surface_layout layout;
	const char *why;

	assert_int_equal(faa_surface_layout(&desc, &layout, &why), -EINVAL);
	if (!strstr(why, text))
		fail_msg("'%s' does not say '%s'", why, text);
	assert_int_equal(faa_surface_layout(&desc, &layout, NULL), -EINVAL);
}

/* A good description with a wrong member, and the expected message. */
#define REFUSE(text, ...)                                                                        \
	do {                                                                                     \
		struct faa_surface_desc d = blocks(FAA_TEXTURE_TYPE_TWO_D, FAA_TEXEL_R32, 4, 4); \
		__VA_ARGS__;                                                                     \
		refuse(d, text);                                                                 \
	} while (0)

static void bad_descriptions(void **state)
{
	(void)state;
	REFUSE("header version", d.version = 5);
	REFUSE("texel", d.texel = 0x05);
	REFUSE("texel", d.texel = 0x7f);
	REFUSE("texture type", d.type = 9);
	REFUSE("texture type", d.type = FAA_TEXTURE_TYPE_ONE_D_BUFFER);
	REFUSE("texture type", d.version = FAA_HEADER_VERSION_ONE_D_BUFFER);
	REFUSE("texture type", d.version = FAA_HEADER_VERSION_PITCH,
	       d.type = FAA_TEXTURE_TYPE_TWO_D_ARRAY);
	REFUSE("width", d.width = 65537);
	REFUSE("height", d.height = 65537);
	REFUSE("height", d.type = FAA_TEXTURE_TYPE_ONE_D);
	REFUSE("depth", d.depth = 2);
	REFUSE("depth", d.type = FAA_TEXTURE_TYPE_THREE_D, d.depth = 16385);
	REFUSE("no layers", d.layers = 2);
	REFUSE("layers", d.type = FAA_TEXTURE_TYPE_TWO_D_ARRAY, d.layers = 16385);
	REFUSE("6 layers", d.type = FAA_TEXTURE_TYPE_CUBEMAP, d.layers = 5);
	REFUSE("multiple of 6", d.type = FAA_TEXTURE_TYPE_CUBEMAP_ARRAY, d.layers = 8);
	REFUSE("levels: at most 16", d.levels = 17);
	REFUSE("levels", d.type = FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP, d.levels = 2);
	REFUSE("levels", d.version = FAA_HEADER_VERSION_PITCH, d.levels = 2);
	REFUSE("2^5", d.log2_gobs_y = 6);
	REFUSE("2^5", d.log2_gobs_z = 6);
	REFUSE("2^0", d.version = FAA_HEADER_VERSION_PITCH, d.log2_gobs_y = 1);
	REFUSE("pitch: 0", d.pitch = 32);
	REFUSE("less than a row", d.version = FAA_HEADER_VERSION_PITCH, d.width = 9, d.pitch = 32);
	REFUSE("multiple of 32", d.version = FAA_HEADER_VERSION_PITCH, d.pitch = 40);
	REFUSE("at most 2097120", d.version = FAA_HEADER_VERSION_PITCH, d.pitch = 1 << 21);
	REFUSE("2^48", d.type = FAA_TEXTURE_TYPE_THREE_D, d.width = 65536, d.height = 65536,
	       d.depth = 16384, d.texel = FAA_TEXEL_R32_G32_B32_A32);
}

/* A surface of any kind, small enough to look at each byte. */
static struct faa_surface_desc random_desc(uint64_t *seed)
{
	static const enum faa_texel texels[] = { FAA_TEXEL_R8,		FAA_TEXEL_R16,
						 FAA_TEXEL_R32,		FAA_TEXEL_R32_G32,
						 FAA_TEXEL_R32_G32_B32, FAA_TEXEL_R32_G32_B32_A32 };
	struct faa_surface_desc desc = { 0 };
	bool row;

	do {
		desc.version = check_random(seed) % 5;
		desc.type = check_random(seed) % 9;
	} while (faa_surface_dim(desc.version, desc.type) < 0);
	row = desc.type == FAA_TEXTURE_TYPE_ONE_D || desc.type == FAA_TEXTURE_TYPE_ONE_D_ARRAY ||
	      desc.type == FAA_TEXTURE_TYPE_ONE_D_BUFFER;
	desc.texel = texels[check_random(seed) % COUNT(texels)];
	desc.data_type = 1 + check_random(seed) % 7;
	desc.width = 1 + check_random(seed) % (row ? 300 : 40);
	desc.height = row ? 1 : 1 + check_random(seed) % 70;
	if (desc.type == FAA_TEXTURE_TYPE_THREE_D)
		desc.depth = 1 + check_random(seed) % 9;
	if (desc.type == FAA_TEXTURE_TYPE_ONE_D_ARRAY || desc.type == FAA_TEXTURE_TYPE_TWO_D_ARRAY)
		desc.layers = 1 + check_random(seed) % 4;
	if (desc.type == FAA_TEXTURE_TYPE_CUBEMAP)
		desc.layers = 6;
	if (desc.type == FAA_TEXTURE_TYPE_CUBEMAP_ARRAY)
		desc.layers = 12;
	if (desc.version < FAA_HEADER_VERSION_BLOCKLINEAR)
		return desc;
	desc.log2_gobs_y = check_random(seed) % 6;
	desc.log2_gobs_z = check_random(seed) % 6;
	if (desc.type != FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP)
		desc.levels = 1 + check_random(seed) % 8;
	return desc;
}

/* A box inside of @all. */
static struct faa_surface_box random_box(uint64_t *seed, const struct faa_surface_box *all)
{
	struct faa_surface_box box = { .level = all->level };

	box.x = check_random(seed) % all->width;
	box.width = 1 + check_random(seed) % (all->width - box.x);
	box.y = check_random(seed) % all->height;
	box.height = 1 + check_random(seed) % (all->height - box.y);
	box.slice = check_random(seed) % all->slices;
	box.slices = 1 + check_random(seed) % (all->slices - box.slice);
	return box;
}

/* Calls @visit for each byte of a box with its offsets in the surface and in rows. */
static void each_byte(const struct faa_surface_layout *layout, const struct faa_surface_box *box,
		      const struct faa_linear *linear,
		      void (*visit)(uint8_t *in_surface, uint8_t *in_rows), uint8_t *surface)
{
	uint64_t x, bytes = box->width * layout->texel_bytes;
	uint32_t slice, y;

	for (slice = 0; slice < box->slices; slice++) {
		for (y = 0; y < box->height; y++) {
			for (x = 0; x < bytes; x++) {
				struct faa_surface_at at = { .level = box->level, .y = box->y + y };
				uint64_t where;

				if (layout->dim == FAA_DIM_D3)
					at.z = box->slice + slice;
				else
					at.layer = box->slice + slice;
				at.x = box->x * layout->texel_bytes + x;
				where = faa_surface_offset(layout, &at);
				assert_true(where < layout->size);
				visit(surface + where, (uint8_t *)linear->texels +
							       slice * linear->slice_bytes +
							       y * linear->row_bytes + x);
			}
		}
	}
}

static void count(uint8_t *in_surface, uint8_t *in_rows)
{
	(void)in_rows;
	*in_surface += 1;
}

static void expect_equal(uint8_t *in_surface, uint8_t *in_rows)
{
	assert_int_equal(*in_surface, *in_rows);
}

/* Clears bytes that were copied in both, so that other writes remain visible. */
static void clear_both(uint8_t *in_surface, uint8_t *in_rows)
{
	*in_surface = 0;
	*in_rows = 0;
}

static bool is_zero(const uint8_t *bytes, size_t size)
{
	while (size--)
		if (*bytes++)
			return false;
	return true;
}

/* No two bytes of a surface have the same offset. */
static void places_are_different(void **state)
{
	uint64_t seed = check_seed(0x5eed0011);
	unsigned int round, level;
	size_t i;

	(void)state;
	for (round = 0; round < 300; round++) {
		struct faa_surface_layout layout = layout_of(random_desc(&seed));
		uint8_t *surface = calloc(1, layout.size);
		struct faa_linear nowhere = { surface, 0, 0 };

		assert_non_null(surface);
		for (level = 0; level < layout.desc.levels; level++) {
			struct faa_surface_box box = faa_surface_box(&layout, level);

			each_byte(&layout, &box, &nowhere, count, surface);
		}
		for (i = 0; i < layout.size; i++)
			assert_true(surface[i] <= 1);
		free(surface);
	}
}

/*
 * Boxes of any kind, copied in and out: the bytes of the box are copied, no other byte is written.
 */
static void copies(void **state)
{
	uint64_t seed = check_seed(0x5eed0012);
	unsigned int round;

	(void)state;
	for (round = 0; round < 600; round++) {
		struct faa_surface_layout layout = layout_of(random_desc(&seed));
		struct faa_surface_box all =
			faa_surface_box(&layout, check_random(&seed) % layout.desc.levels);
		struct faa_surface_box box = random_box(&seed, &all);
		struct faa_linear linear = { 0 };
		uint8_t *surface = calloc(1, layout.size), *rows;
		size_t size, i;

		linear.row_bytes = box.width * layout.texel_bytes + check_random(&seed) % 9;
		linear.slice_bytes = linear.row_bytes * box.height + check_random(&seed) % 9;
		size = linear.slice_bytes * box.slices;
		rows = calloc(1, size);
		assert_true(surface && rows);
		linear.texels = rows;
		for (i = 0; i < size; i++)
			rows[i] = (uint8_t)check_random(&seed) | 1;
		assert_int_equal(faa_surface_write(&layout, surface, &box, &linear), 0);
		each_byte(&layout, &box, &linear, expect_equal, surface);
		memset(rows, 0, size);
		assert_int_equal(faa_surface_read(&layout, surface, &box, &linear), 0);
		each_byte(&layout, &box, &linear, expect_equal, surface);
		each_byte(&layout, &box, &linear, clear_both, surface);
		assert_true(is_zero(surface, layout.size));
		assert_true(is_zero(rows, size));
		free(surface);
		free(rows);
	}
}

static void bad_boxes(void **state)
{
	struct faa_surface_desc desc = blocks(FAA_TEXTURE_TYPE_TWO_D_ARRAY, FAA_TEXEL_R32, 8, 8);
	struct faa_surface_layout layout;
	struct faa_surface_box box;
	uint8_t surface[1024] = { 0 }, rows[1024] = { 0 };
	struct faa_linear linear = { rows, 0, 0 };

	(void)state;
	desc.layers = 2;
	layout = layout_of(desc);
	box = faa_surface_box(&layout, 0);
	assert_int_equal(layout.size, sizeof(surface));
	assert_int_equal(faa_surface_write(&layout, surface, &box, &linear), 0);
	box.x = 1;
	assert_int_equal(faa_surface_write(&layout, surface, &box, &linear), -EINVAL);
	box.width = UINT64_MAX;
	assert_int_equal(faa_surface_read(&layout, surface, &box, &linear), -EINVAL);
	box = faa_surface_box(&layout, 0);
	box.y = 8;
	assert_int_equal(faa_surface_read(&layout, surface, &box, &linear), -EINVAL);
	box.height = 0;
	assert_int_equal(faa_surface_read(&layout, surface, &box, &linear), 0);
	box.y = 1;
	box.height = 8;
	assert_int_equal(faa_surface_read(&layout, surface, &box, &linear), -EINVAL);
	box = faa_surface_box(&layout, 0);
	box.slice = 1;
	assert_int_equal(faa_surface_read(&layout, surface, &box, &linear), -EINVAL);
	box = faa_surface_box(&layout, 0);
	box.level = 1;
	assert_int_equal(faa_surface_write(&layout, surface, &box, &linear), -EINVAL);
	assert_int_equal(faa_surface_box(&layout, 1).width, 0);
	box.level = 0;
	linear.row_bytes = 31;
	assert_int_equal(faa_surface_write(&layout, surface, &box, &linear), -EINVAL);
	linear.row_bytes = 32;
	linear.slice_bytes = 255;
	assert_int_equal(faa_surface_write(&layout, surface, &box, &linear), -EINVAL);
}

static void fields(void **state)
{
	uint32_t header[FAA_HEADER_WORDS] = { 0 }, value;

	(void)state;
	header[2] = FAA_HEADER_VERSION_BLOCKLINEAR << 21;
	assert_int_equal(faa_header_version(header), FAA_HEADER_VERSION_BLOCKLINEAR);
	assert_int_equal(faa_header_set(header, "HEIGHT_MINUS_ONE", 0x1234), 0);
	assert_int_equal(header[5], 0x1234);
	assert_int_equal(faa_header_set(header, "NORMALIZED_COORDS", 1), 0);
	assert_int_equal(header[5], 0x80001234);
	assert_int_equal(faa_header_get(header, "HEIGHT_MINUS_ONE", &value), 0);
	assert_int_equal(value, 0x1234);
	assert_int_equal(faa_header_set(header, "GOB3D", 2), -ERANGE);
	assert_int_equal(faa_header_set(header, "PITCH_BITS20TO5", 1), -ENOENT);
	assert_int_equal(faa_header_get(header, "PITCH_BITS20TO5", &value), -ENOENT);
	assert_int_equal(value, 0);
	/* A whole word. */
	header[2] = FAA_HEADER_VERSION_PITCH_COLOR_KEY << 21;
	assert_int_equal(faa_header_set(header, "COLOR_KEY_VALUE", UINT32_MAX), 0);
	assert_int_equal(header[7], UINT32_MAX);
	header[2] = 7u << 21;
	assert_int_equal(faa_header_version(header), 7);
	assert_int_equal(faa_header_get(header, "COMPONENTS", &value), -ENOENT);
}

static bool same_desc(const struct faa_surface_desc *a, const struct faa_surface_desc *b)
{
	return a->version == b->version && a->type == b->type && a->texel == b->texel &&
	       a->data_type == b->data_type && a->width == b->width && a->height == b->height &&
	       a->depth == b->depth && a->layers == b->layers && a->levels == b->levels &&
	       a->log2_gobs_y == b->log2_gobs_y && a->log2_gobs_z == b->log2_gobs_z &&
	       a->pitch == b->pitch;
}

/* An encoded header is decoded unchanged; its words match the field list. */
static void headers(void **state)
{
	uint64_t seed = check_seed(0x5eed0013);
	unsigned int round;

	(void)state;
	for (round = 0; round < 20000; round++) {
		struct faa_surface_layout layout = layout_of(random_desc(&seed)), decoded;
		struct faa_surface_view view = faa_surface_view(&layout), seen;
		uint32_t header[FAA_HEADER_WORDS];
		uint64_t va, at = check_random(&seed) % (1ull << 47) / layout.align * layout.align;
		const char *why;

		if (layout.desc.version == FAA_HEADER_VERSION_BLOCKLINEAR)
			view.level = check_random(&seed) % layout.desc.levels;
		assert_int_equal(faa_surface_encode(&layout, &view, at, header, &why), 0);
		assert_null(why);
		if (faa_surface_decode(header, &decoded, &seen, &va, &why))
			fail_msg("round %u: %s", round, why);
		assert_null(why);
		assert_true(va == at);
		assert_true(same_desc(&decoded.desc, &layout.desc));
		assert_int_equal(seen.level, view.level);
		assert_int_equal(seen.layers, layout.desc.layers);
		assert_true(decoded.size == layout.size);
	}
}

/* A 64 x 32 R32 UINT surface with blocks of 2 GOBs, by hand. */
static void words_of_a_header(void **state)
{
	struct faa_surface_desc desc = blocks(FAA_TEXTURE_TYPE_TWO_D, FAA_TEXEL_R32, 64, 32);
	struct faa_surface_layout layout;
	struct faa_surface_view view;
	uint32_t header[FAA_HEADER_WORDS];

	(void)state;
	desc.log2_gobs_y = 1;
	desc.levels = 3;
	layout = layout_of(desc);
	view = faa_surface_view(&layout);
	view.level = 2;
	assert_int_equal(faa_surface_encode(&layout, &view, 0x123456789a00, header, NULL), 0);
	assert_int_equal(header[0], 0x0f | 4 << 7 | 4 << 10 | 4 << 13 | 4 << 16);
	assert_int_equal(header[1], 0x56789a00);
	assert_int_equal(header[2], 0x1234 | 3 << 21);
	assert_int_equal(header[3], 1 << 3 | 2u << 28);
	assert_int_equal(header[4], 63 | 1 << 23);
	assert_int_equal(header[5], 31);
	assert_int_equal(header[6], 0);
	assert_int_equal(header[7], 0x22);
}

static void views(void **state)
{
	struct faa_surface_desc desc = blocks(FAA_TEXTURE_TYPE_TWO_D_ARRAY, FAA_TEXEL_R32, 65, 33);
	struct faa_surface_layout layout, decoded;
	struct faa_surface_view view = { FAA_TEXTURE_TYPE_TWO_D_ARRAY, 2, 1, 7 }, seen;
	uint32_t header[FAA_HEADER_WORDS];
	const char *why;
	uint64_t va;

	(void)state;
	desc.levels = 6;
	desc.layers = 8;
	desc.log2_gobs_y = 2;
	layout = layout_of(desc);
	/* Some layers of a level: the address of the first one, and the same stride. */
	assert_int_equal(faa_surface_encode(&layout, &view, 0x10000, header, &why), 0);
	assert_int_equal(faa_surface_decode(header, &decoded, &seen, &va, &why), 0);
	assert_int_equal(va, 0x10000 + layout.layer_stride);
	assert_int_equal(decoded.layer_stride, layout.layer_stride);
	assert_int_equal(decoded.desc.layers, 7);
	assert_int_equal(seen.level, 2);
	assert_int_equal(va + offset(&decoded, AT(.level = 2, .layer = 1, .x = 9, .y = 6)),
			 0x10000 + offset(&layout, AT(.level = 2, .layer = 2, .x = 9, .y = 6)));
	/* Six layers as a cube, one as 2D. */
	view = (struct faa_surface_view){ FAA_TEXTURE_TYPE_CUBEMAP, 0, 2, 6 };
	assert_int_equal(faa_surface_encode(&layout, &view, 0x10000, header, &why), 0);
	assert_int_equal(faa_surface_decode(header, &decoded, &seen, &va, &why), 0);
	assert_int_equal(decoded.desc.layers, 6);
	view = (struct faa_surface_view){ FAA_TEXTURE_TYPE_TWO_D, 0, 7, 1 };
	assert_int_equal(faa_surface_encode(&layout, &view, 0x10000, header, &why), 0);
	assert_int_equal(faa_surface_decode(header, &decoded, &seen, &va, &why), 0);
	assert_int_equal(decoded.dim, FAA_DIM_D2);
	assert_int_equal(va, 0x10000 + 7 * layout.layer_stride);
}

static void refuse_view(const struct faa_surface_layout *layout, struct faa_surface_view view,
			uint64_t va, const char *text)
{
	uint32_t header[FAA_HEADER_WORDS];
	const char *why;

	assert_int_equal(faa_surface_encode(layout, &view, va, header, &why), -EINVAL);
	if (!strstr(why, text))
		fail_msg("'%s' does not say '%s'", why, text);
}

#define VIEW(...) ((struct faa_surface_view){ __VA_ARGS__ })

static void bad_views(void **state)
{
	struct faa_surface_desc desc = blocks(FAA_TEXTURE_TYPE_TWO_D_ARRAY, FAA_TEXEL_R32, 65, 33);
	enum faa_texture_type array = FAA_TEXTURE_TYPE_TWO_D_ARRAY;
	struct faa_surface_layout layout;

	(void)state;
	desc.levels = 6;
	desc.layers = 8;
	layout = layout_of(desc);
	refuse_view(&layout, VIEW(FAA_TEXTURE_TYPE_THREE_D, 0, 0, 1), 0, "another dimension");
	refuse_view(&layout, VIEW(FAA_TEXTURE_TYPE_ONE_D_ARRAY, 0, 0, 1), 0, "another dimension");
	refuse_view(&layout, VIEW(array, 0, 0, 0), 0, "layers that");
	refuse_view(&layout, VIEW(array, 0, 1, 8), 0, "layers that");
	refuse_view(&layout, VIEW(array, 0, 9, 1), 0, "layers that");
	refuse_view(&layout, VIEW(array, 0, UINT32_MAX, 1), 0, "layers that");
	refuse_view(&layout, VIEW(array, 6, 0, 8), 0, "a level that");
	refuse_view(&layout, VIEW(FAA_TEXTURE_TYPE_CUBEMAP, 0, 0, 8), 0, "6 layers");
	refuse_view(&layout, VIEW(FAA_TEXTURE_TYPE_TWO_D, 0, 0, 2), 0, "no layers");
	refuse_view(&layout, VIEW(FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP, 0, 0, 1), 0, "levels");
	refuse_view(&layout, VIEW(array, 0, 0, 8), 256, "not a multiple");
	refuse_view(&layout, VIEW(array, 0, 0, 8), (1ull << 48) - 512, "above 2^48");
	refuse_view(&layout, VIEW(array, 0, 0, 8), UINT64_MAX & ~511ull, "above 2^48");
	desc.version = FAA_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY;
	layout = layout_of(desc);
	refuse_view(&layout, VIEW(array, 1, 0, 8), 0, "level 0 alone");
}

/* Field @name of a good header = @value: expected error of a device. */
static void expect_header(enum faa_header_version version, const char *name, uint32_t value,
			  int expected, const char *text)
{
	struct faa_surface_desc desc = blocks(FAA_TEXTURE_TYPE_TWO_D, FAA_TEXEL_R32, 8, 8);
	struct faa_surface_layout layout;
	struct faa_surface_view view;
	uint32_t header[FAA_HEADER_WORDS];
	const char *why;
	uint64_t va;

	desc.version = version;
	layout = layout_of(desc);
	view = faa_surface_view(&layout);
	assert_int_equal(faa_surface_encode(&layout, &view, 0xffffffffe000, header, NULL), 0);
	assert_int_equal(faa_header_set(header, name, value), 0);
	assert_int_equal(faa_surface_decode(header, &layout, &view, &va, &why), expected);
	if (text && !strstr(why, text))
		fail_msg("'%s' does not say '%s'", why, text);
	assert_true(text || !why);
}

static void bad_headers(void **state)
{
	const enum faa_header_version pitch = FAA_HEADER_VERSION_PITCH;
	const enum faa_header_version lines = FAA_HEADER_VERSION_BLOCKLINEAR;
	uint32_t header[FAA_HEADER_WORDS];
	struct faa_surface_layout layout;
	struct faa_surface_view view;
	const char *why;
	uint64_t va;

	(void)state;
	expect_header(lines, "COMPONENTS", 0x05, -EINVAL, "texel");
	expect_header(lines, "TEXTURE_TYPE", FAA_TEXTURE_TYPE_ONE_D_BUFFER, -EINVAL,
		      "texture type");
	expect_header(lines, "TEXTURE_TYPE", 15, -EINVAL, "texture type");
	expect_header(pitch, "TEXTURE_TYPE", FAA_TEXTURE_TYPE_THREE_D, -EINVAL, "texture type");
	expect_header(lines, "HEADER_VERSION", 5, -EINVAL, "header version");
	expect_header(lines, "GOBS_PER_BLOCK_WIDTH", 1, -EINVAL, "GOBS_PER_BLOCK_WIDTH");
	expect_header(lines, "TILE_WIDTH_IN_GOBS", 1, -EINVAL, "TILE_WIDTH_IN_GOBS");
	expect_header(lines, "GOB3D", 1, -EINVAL, "GOB3D");
	expect_header(lines, "GOBS_PER_BLOCK_HEIGHT", 6, -EINVAL, "2^5");
	expect_header(lines, "GOBS_PER_BLOCK_DEPTH", 7, -EINVAL, "2^5");
	expect_header(pitch, "PITCH_BITS20TO5", 0, -EINVAL, "less than a row");
	expect_header(pitch, "MAX_MIP_LEVEL", 1, -EINVAL, "levels");
	expect_header(lines, "RES_VIEW_MIN_MIP_LEVEL", 1, -ENOENT, "disabled");
	expect_header(pitch, "RES_VIEW_MIN_MIP_LEVEL", 1, -ENOENT, "disabled");
	expect_header(lines, "HEIGHT_MINUS_ONE", 0xffff, -EINVAL, "above 2^48");
	/* Fields that are ignored. */
	expect_header(lines, "RES_VIEW_MAX_MIP_LEVEL", 15, 0, NULL);
	expect_header(lines, "MULTI_SAMPLE_COUNT", 3, 0, NULL);
	expect_header(lines, "SPARSE_ENABLE", 1, 0, NULL);
	expect_header(lines, "DEPTH_MINUS_ONE", 9, 0, NULL);
	expect_header(lines, "G_DATA_TYPE", 0, 0, NULL);
	faa_header_disable(header);
	assert_int_equal(faa_surface_decode(header, &layout, &view, &va, &why), -ENOENT);
	/* Both levels out of the chain: not disabled, not usable. */
	faa_header_set(header, "RES_VIEW_MAX_MIP_LEVEL", 1);
	faa_header_set(header, "COMPONENTS", FAA_TEXEL_R32);
	assert_int_equal(faa_surface_decode(header, &layout, &view, &va, &why), -EINVAL);
	assert_non_null(strstr(why, "above MAX_MIP_LEVEL"));
}

/* Random words do no harm, and usable surfaces are inside of the address space. */
static void random_headers(void **state)
{
	uint64_t seed = check_seed(0x5eed0014);
	unsigned int round, usable = 0, i;

	(void)state;
	for (round = 0; round < 200000; round++) {
		uint32_t header[FAA_HEADER_WORDS];
		struct faa_surface_layout layout;
		struct faa_surface_view view;
		const char *why;
		uint64_t va;

		for (i = 0; i < FAA_HEADER_WORDS; i++)
			header[i] = (uint32_t)(check_random(&seed) & check_random(&seed));
		if (round % 2)
			header[0] = (header[0] & ~0x7fu) | FAA_TEXEL_R32;
		if (faa_surface_decode(header, &layout, &view, &va, &why))
			continue;
		usable++;
		assert_true(view.level < layout.desc.levels);
		assert_true(va % layout.align == 0 && va + layout.size <= 1ull << 48);
	}
	print_message("%u of %u usable\n", usable, round);
	assert_true(usable > 1000);
}

/* The fields of the public class header, a line each: version, low bit, high bit, name. */
static void fields_of_the_class_header(void **state)
{
	static const char *const versions[] = { "ONE_D_BUFFER", "PITCH_COLOR_KEY", "PITCH",
						"BLOCKLINEAR", "BLOCKLINEAR_COLOR_KEY" };
	FILE *file = fopen(VECTORS "/tic_fields.tsv", "r");
	size_t seen[COUNT(versions)] = { 0 }, have, v;
	char line[256], version[64], name[64];
	unsigned int low, high, rows = 0;

	(void)state;
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	assert_string_equal(line, "header_version\tlo_bit\thi_bit\tfield\n");
	for (; fgets(line, sizeof(line), file); rows++) {
		const struct faa_header_field *list;

		assert_int_equal(sscanf(line, "%63s %u %u %63s", version, &low, &high, name), 4);
		for (v = 0; v < COUNT(versions) && strcmp(versions[v], version); v++)
			;
		assert_true(v < COUNT(versions));
		list = faa_header_fields((uint32_t)v, &have);
		/* In the order of their bits, as in the list. */
		assert_true(seen[v] < have);
		assert_string_equal(list[seen[v]].name, name);
		assert_int_equal(list[seen[v]].low, low);
		assert_int_equal(list[seen[v]].high, high);
		seen[v]++;
	}
	fclose(file);
	assert_int_equal(rows, 245);
	for (v = 0; v < COUNT(versions); v++) {
		faa_header_fields((uint32_t)v, &have);
		assert_int_equal(seen[v], have);
	}
	assert_null(faa_header_fields(5, &have));
	assert_int_equal(have, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_examples),
		cmocka_unit_test(outside),
		cmocka_unit_test(bad_descriptions),
		cmocka_unit_test(places_are_different),
		cmocka_unit_test(copies),
		cmocka_unit_test(bad_boxes),
		cmocka_unit_test(fields),
		cmocka_unit_test(headers),
		cmocka_unit_test(words_of_a_header),
		cmocka_unit_test(views),
		cmocka_unit_test(bad_views),
		cmocka_unit_test(bad_headers),
		cmocka_unit_test(random_headers),
		cmocka_unit_test(fields_of_the_class_header),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
