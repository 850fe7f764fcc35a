// SPDX-License-Identifier: MIT
/* See surface.h. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "surface.h"

#define GOB_ROWS  8u
#define GOB_WIDTH 64u
#define NOWHERE	  0xffffffffu

struct bench *bench_begin(void **state)
{
	struct fixture *f = *state;
	struct bench *b;

	needs_feature(f, FAA_FEATURE_SURFACE_ATOMICS);
	b = calloc(1, sizeof(*b));
	assert_non_null(b);
	b->f = f;
	b->memory = atomic_buffer(f, BENCH_BYTES);
	b->pool = tb_buffer_create(f->vm, BENCH_HEADERS * FAA_TEXTURE_HEADER_BYTES);
	b->bank = tb_buffer_create(f->vm, BENCH_BANK_WORDS * 4);
	b->points = tb_buffer_create(f->vm, BENCH_POINTS * 8);
	b->results = tb_buffer_create(f->vm, BENCH_POINTS * 8);
	add_config(f, FAA_CONFIG_HEADER_POOL, b->pool.va, BENCH_HEADERS - 1);
	add_config(f, FAA_CONFIG_CONSTANT_BANK, b->bank.va, BENCH_BANK_WORDS * 4);
	run(f);
	return b;
}

void bench_end(struct bench *b)
{
	free(b->offsets);
	free(b);
}

bool bench_offers(const struct bench *b, enum faa_type type, unsigned int mode)
{
	return has_type(b->f, type) && has_modes(b->f, mode);
}

unsigned int bench_coordinates(enum faa_dim dim)
{
	static const uint8_t counts[] = { 1, 1, 2, 2, 3, 3 };

	return counts[dim];
}

bool bench_has_layer(enum faa_dim dim)
{
	return dim == FAA_DIM_D1_ARRAY || dim == FAA_DIM_D2_ARRAY;
}

static unsigned int level_size(unsigned int size, unsigned int level)
{
	return size >> level ? size >> level : 1;
}

/* The smallest power of two, up to @log2, that covers @units. */
static unsigned int block_size(unsigned int log2, unsigned int units)
{
	unsigned int size = 1;

	while (size < units && size < 1u << log2)
		size *= 2;
	return size;
}

static unsigned int *offset_entry(const struct bench *b, uint64_t xb, uint64_t y, uint64_t z,
				  uint64_t layer)
{
	return &b->offsets[((layer * b->depth + z) * b->height + y) * b->row + xb];
}

static void note(const struct bench *b, uint64_t xb, uint64_t y, uint64_t z, uint64_t layer,
		 uint32_t offset)
{
	if (xb < b->row && y < b->height && z < b->depth)
		*offset_entry(b, xb, y, z, layer) = offset;
}

/*
 * Passes over the 512 bytes of the GOB whose first byte is (@xb, @y) of slice @z; returns the
 * offset after it.
 */
static uint32_t walk_gob(const struct bench *b, bool noted, uint64_t xb, uint64_t y, uint64_t z,
			 uint64_t layer, uint32_t at)
{
	for (unsigned int i = 0; noted && i < GOB_ROWS * GOB_WIDTH; i++) {
		/*
		 * 16 bytes of a row, 16 of the row below, the same for the next 16 columns; four
		 * such pairs of rows make a half of the GOB.
		 */
		unsigned int column = i / 256 * 32 + i / 32 % 2 * 16 + i % 16;
		unsigned int row = i / 64 % 4 * 2 + i / 16 % 2;

		note(b, xb + column, y + row, z, layer, at + i);
	}
	return at + GOB_ROWS * GOB_WIDTH;
}

/* Passes over a level; *block: the size of its blocks in bytes. */
static uint32_t walk_level(const struct bench *b, unsigned int level, uint64_t layer, uint32_t at,
			   uint32_t *block)
{
	const struct tb_texture *t = &b->texture;
	bool flat = b->dim == FAA_DIM_D1 || b->dim == FAA_DIM_D1_ARRAY;
	unsigned int row = level_size(t->width, level) * tb_texel_bytes(t->components);
	unsigned int height = flat ? 1 : level_size(t->height, level);
	unsigned int depth = b->dim == FAA_DIM_D3 ? level_size(t->depth, level) : 1;
	unsigned int high = block_size(t->gobs_height, (height + GOB_ROWS - 1) / GOB_ROWS);
	unsigned int deep = block_size(t->gobs_depth, depth);

	for (unsigned int z = 0; z < depth; z += deep)
		for (unsigned int y = 0; y < height; y += high * GOB_ROWS)
			for (unsigned int xb = 0; xb < row; xb += GOB_WIDTH)
				for (unsigned int i = 0; i < high * deep; i++)
					at = walk_gob(b, level == t->view_min, xb,
						      y + i % high * GOB_ROWS, z + i / high, layer,
						      at);
	*block = high * deep * GOB_ROWS * GOB_WIDTH;
	return at;
}

static void walk_blocklinear(const struct bench *b, uint32_t at)
{
	uint32_t start = at, block, first = 1;

	for (unsigned int layer = 0; layer < b->layers; layer++) {
		for (unsigned int level = 0; level <= b->texture.max_level; level++) {
			at = walk_level(b, level, layer, at, &block);
			if (level == 0)
				first = block;
		}
		while ((at - start) % first)
			at++;
	}
	if (at > BENCH_BYTES)
		fail_msg("the surface ends at 0x%x, the memory at 0x%x", at, BENCH_BYTES);
}

static void walk_rows(const struct bench *b, uint32_t at)
{
	for (unsigned int y = 0; y < b->height; y++)
		for (unsigned int xb = 0; xb < b->row; xb++)
			note(b, xb, y, 0, 0, at + y * b->texture.pitch + xb);
	assert_true(at + (b->height - 1) * b->texture.pitch + b->row <= BENCH_BYTES);
}

void bench_surface(struct bench *b, enum faa_dim dim, struct tb_texture texture)
{
	bool high = dim == FAA_DIM_D2 || dim == FAA_DIM_D2_ARRAY || dim == FAA_DIM_D3;
	uint32_t at = texture.address;
	size_t bytes;

	b->dim = dim;
	b->texture = texture;
	b->texture.address += b->memory.va;
	bench_header(b, BENCH_INDEX, &b->texture);
	b->row = level_size(texture.width, texture.view_min) * tb_texel_bytes(texture.components);
	b->height = high ? level_size(texture.height, texture.view_min) : 1;
	b->depth = dim == FAA_DIM_D3 ? level_size(texture.depth, texture.view_min) : 1;
	b->layers = tb_texture_layers(&texture);
	bytes = (size_t)b->row * b->height * b->depth * b->layers * sizeof(b->offsets[0]);
	free(b->offsets);
	b->offsets = malloc(bytes);
	assert_non_null(b->offsets);
	memset(b->offsets, 0xff, bytes);
	if (texture.version == FAA_HEADER_VERSION_BLOCKLINEAR ||
	    texture.version == FAA_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY)
		walk_blocklinear(b, at);
	else
		walk_rows(b, at);
	for (size_t i = 0; i < bytes / sizeof(b->offsets[0]); i++)
		assert_true(b->offsets[i] != NOWHERE);
}

void bench_header_words(struct bench *b, unsigned int index, const uint64_t words[TB_HEADER_WORDS])
{
	uint64_t *headers = b->pool.ptr;

	for (unsigned int i = 0; i < TB_HEADER_WORDS; i++)
		headers[index * TB_HEADER_WORDS + i] = htole64(words[i]);
}

void bench_header(struct bench *b, unsigned int index, const struct tb_texture *texture)
{
	uint64_t words[TB_HEADER_WORDS];

	tb_texture_encode(texture, words);
	bench_header_words(b, index, words);
}

uint64_t bench_header_va(const struct bench *b, unsigned int index)
{
	return b->pool.va + (uint64_t)index * FAA_TEXTURE_HEADER_BYTES;
}

struct faa_place bench_place(const struct bench *b, enum faa_clamp clamp)
{
	struct faa_place place = { .dim = b->dim,
				   .clamp = clamp,
				   .handle_kind = FAA_HANDLE_KIND_INDEX,
				   .handle = BENCH_INDEX,
				   .ps = FAA_PT };

	return place;
}

uint32_t bench_offset(const struct bench *b, uint64_t xb, uint64_t second, uint64_t third)
{
	switch (b->dim) {
	case FAA_DIM_D1_ARRAY:
		return *offset_entry(b, xb, 0, 0, second);
	case FAA_DIM_D2_ARRAY:
		return *offset_entry(b, xb, second, 0, third);
	case FAA_DIM_D1:
	case FAA_DIM_D1_BUFFER:
		return *offset_entry(b, xb, 0, 0, 0);
	case FAA_DIM_D2:
		return *offset_entry(b, xb, second, 0, 0);
	default:
		return *offset_entry(b, xb, second, third, 0);
	}
}

void bench_registers(struct bench *b, const struct point *points, unsigned int count)
{
	uint32_t *words = b->points.ptr;
	uint64_t va = b->points.va;

	assert_true(count <= FAA_LANES);
	for (unsigned int i = 0; i < count; i++) {
		words[i] = htole32((uint32_t)points[i].x);
		words[32 + i] = htole32((uint32_t)points[i].second);
		words[64 + i] = htole32((uint32_t)points[i].third);
	}
	for (unsigned int i = 0; i < 3; i++)
		add_mov(b->f, FAA_TYPE_U32, count, reg(BENCH_X + i),
			stream(FAA_TYPE_U32, va + 128 * i, 4));
}

struct faa_operand bench_packed(struct bench *b, const struct point *points, unsigned int count)
{
	bool wide = bench_coordinates(b->dim) == 3;
	uint64_t *words = b->points.ptr;

	assert_true(count <= BENCH_POINTS);
	for (unsigned int i = 0; i < count; i++)
		words[i] = htole64((uint64_t)(uint16_t)points[i].x |
				   (uint64_t)(uint16_t)points[i].second << 16 |
				   (uint64_t)(uint16_t)points[i].third << 32);
	return stream(wide ? FAA_TYPE_U64 : FAA_TYPE_U32, b->points.va, 8);
}

void bench_fill(struct bench *b, uint8_t *copy)
{
	uint8_t *bytes = b->memory.ptr;
	uint64_t random = 5;

	for (unsigned int i = 0; i < BENCH_BYTES; i++)
		bytes[i] = copy[i] = (uint8_t)test_random(&random);
}

void bench_compare(const struct bench *b, const uint8_t *expected, const char *what)
{
	const uint8_t *bytes = b->memory.ptr;

	if (!memcmp(bytes, expected, BENCH_BYTES))
		return;
	for (unsigned int i = 0; i < BENCH_BYTES; i++)
		if (bytes[i] != expected[i])
			fail_msg("%s: byte 0x%x of the memory is 0x%02x, not 0x%02x", what, i,
				 bytes[i], expected[i]);
}
