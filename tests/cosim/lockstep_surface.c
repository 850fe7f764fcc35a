// SPDX-License-Identifier: MIT
/*
 * Surfaces of random cases: headers, handles and coordinates, all drawn from the seed of the case.
 */
#include <endian.h>
#include <string.h>

#include "faa_texture.h"

#include "lockstep.h"
#include "tb_texture.h"

#define GOB_BYTES 512u
/* Handles of each dimension in the constant bank; the words after them are arbitrary. */
#define HANDLES (LS_DIM_HANDLES * LS_DIMS)

static uint64_t below(uint64_t *random, uint64_t limit)
{
	return ls_random(random) % limit;
}

static bool chance(uint64_t *random, unsigned int per_mille)
{
	return below(random, 1000) < per_mille;
}

static unsigned int level_size(unsigned int size, unsigned int level)
{
	return size >> level ? size >> level : 1;
}

static uint64_t round_up(uint64_t x, uint64_t unit)
{
	return (x + unit - 1) / unit * unit;
}

static unsigned int shrunk(unsigned int log2, unsigned int unit, unsigned int size)
{
	while (log2 > 0 && unit << (log2 - 1) >= size)
		log2--;
	return log2;
}

/* Bytes of the surface, which limit its size here. */
static uint64_t footprint(const struct tb_texture *t, const struct ls_surface *s)
{
	uint64_t sum = 0, block = GOB_BYTES;

	if (t->version == FAA_HEADER_VERSION_ONE_D_BUFFER)
		return t->width * s->texel_bytes;
	if (t->version == FAA_HEADER_VERSION_PITCH ||
	    t->version == FAA_HEADER_VERSION_PITCH_COLOR_KEY)
		return (uint64_t)t->pitch * t->height;
	for (unsigned int l = 0; l <= t->max_level; l++) {
		unsigned int h = s->flat ? 1 : level_size(t->height, l);
		unsigned int d = s->dim == FAA_DIM_D3 ? level_size(t->depth, l) : 1;
		unsigned int bh = shrunk(t->gobs_height, 8, h), bd = shrunk(t->gobs_depth, 1, d);

		if (l == 0)
			block <<= bh + bd;
		sum += round_up(level_size(t->width, l) * s->texel_bytes, 64) *
		       round_up(h, 8u << bh) * round_up(d, 1u << bd);
	}
	return round_up(sum, block) * tb_texture_layers(t);
}

static void draw_version(struct ls_surface *s, struct tb_texture *t, uint64_t *random)
{
	static const uint8_t blocklinear[][3] = {
		{ FAA_TEXTURE_TYPE_ONE_D, FAA_TEXTURE_TYPE_ONE_D, FAA_TEXTURE_TYPE_ONE_D },
		{ FAA_TEXTURE_TYPE_ONE_D_BUFFER, FAA_TEXTURE_TYPE_ONE_D_BUFFER,
		  FAA_TEXTURE_TYPE_ONE_D_BUFFER },
		{ FAA_TEXTURE_TYPE_ONE_D_ARRAY, FAA_TEXTURE_TYPE_ONE_D_ARRAY,
		  FAA_TEXTURE_TYPE_ONE_D_ARRAY },
		{ FAA_TEXTURE_TYPE_TWO_D, FAA_TEXTURE_TYPE_TWO_D,
		  FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP },
		{ FAA_TEXTURE_TYPE_TWO_D_ARRAY, FAA_TEXTURE_TYPE_CUBEMAP,
		  FAA_TEXTURE_TYPE_CUBEMAP_ARRAY },
		{ FAA_TEXTURE_TYPE_THREE_D, FAA_TEXTURE_TYPE_THREE_D, FAA_TEXTURE_TYPE_THREE_D },
	};
	bool key = chance(random, 200);

	t->type = blocklinear[s->dim][below(random, 3)];
	if (s->dim == FAA_DIM_D1_BUFFER)
		t->version = FAA_HEADER_VERSION_ONE_D_BUFFER;
	else if ((s->dim == FAA_DIM_D1 || s->dim == FAA_DIM_D2) && chance(random, 300))
		t->version = key ? FAA_HEADER_VERSION_PITCH_COLOR_KEY : FAA_HEADER_VERSION_PITCH;
	else
		t->version = key ? FAA_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY :
				   FAA_HEADER_VERSION_BLOCKLINEAR;
	s->flat = s->dim == FAA_DIM_D1 || s->dim == FAA_DIM_D1_ARRAY;
}

/* A size: mostly small, at or next to a power of two. */
static unsigned int draw_size(uint64_t *random, unsigned int limit)
{
	unsigned int size = 1u << below(random, 12);

	size += chance(random, 600) ? (unsigned int)below(random, 5) - 2 : below(random, size);
	if (size > 1u << 20)
		size = 1;
	return size % limit + 1;
}

static void draw_sizes(struct ls_surface *s, struct tb_texture *t, uint64_t *random)
{
	bool pitch = t->version == FAA_HEADER_VERSION_PITCH ||
		     t->version == FAA_HEADER_VERSION_PITCH_COLOR_KEY;
	bool single = pitch || t->version == FAA_HEADER_VERSION_ONE_D_BUFFER ||
		      t->type == FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP;

	t->width = draw_size(random, 4096);
	t->height = draw_size(random, 1024);
	t->depth = draw_size(random, 64);
	t->gobs_height = below(random, 6);
	t->gobs_depth = below(random, 6);
	t->max_level = single || chance(random, 500) ? 0 : below(random, FAA_SURFACE_LEVELS);
	t->view_max = below(random, FAA_SURFACE_LEVELS);
	t->view_min = below(random, (t->view_max < t->max_level ? t->view_max : t->max_level) + 1);
	for (;;) {
		t->pitch = round_up(t->width * s->texel_bytes, 32) + 32 * (t->width % 3);
		if (footprint(t, s) <= LS_SURFACE_BYTES)
			return;
		if (t->depth > t->height && t->depth > 1)
			t->depth /= 2;
		else if (!s->flat && t->height * s->texel_bytes > t->width)
			t->height = t->height / 2 + (t->height == 1);
		else if (t->depth > 1)
			t->depth /= 2;
		else
			t->width = t->width / 2 + (t->width == 1);
		if (t->width == 1 && t->height == 1 && t->depth == 1)
			t->gobs_height = t->gobs_depth = t->max_level = t->view_min = 0;
	}
}

/* Address of a surface: mostly anywhere in the memory for surfaces, overlapping another one. */
static void draw_address(const struct ls_surface *s, struct tb_texture *t, unsigned int part,
			 uint64_t *random)
{
	static const uint16_t units[] = { 4, 32, 32, 512, 512 };
	uint64_t unit = units[t->version], room = (LS_SURFACE_BYTES - footprint(t, s)) / unit;

	if (t->version == FAA_HEADER_VERSION_ONE_D_BUFFER && chance(random, 950))
		unit = 16;
	t->address = ls_base(part) + LS_SURFACE +
		     below(random, room * units[t->version] / unit + 1) * unit;
}

/* Makes some of the last surfaces odd; the coordinates are those of the good surface. */
static void make_odd(struct ls_surface *s, struct tb_texture *t, unsigned int part,
		     uint64_t *random)
{
	static const uint32_t places[] = { LS_READ_ONLY,
					   LS_SPARSE,
					   LS_SPARSE_READ_ONLY,
					   LS_SNAPSHOT,
					   LS_DATA + LS_INPUT_BYTES,
					   LS_SURFACE + LS_SURFACE_BYTES - 512 };

	/* Bits that have rules: texel, address, version, layout, levels, type. */
	static const uint8_t bits[] = { 0,   3,	  5,   6,   79,	 78,  85,  86,	87,  96,  98,
					99,  101, 102, 104, 106, 107, 109, 111, 124, 125, 127,
					151, 152, 153, 154, 158, 224, 225, 227, 228, 231 };

	switch (below(random, 6)) {
	case 0:
		t->address = ls_base(part) + places[below(random, 6)];
		tb_texture_encode(t, s->header);
		return;
	case 1:
		s->header[below(random, TB_HEADER_WORDS)] ^= 1ULL << below(random, 64);
		return;
	case 2:
	case 3:
	case 4:
		for (unsigned int i = 0; i < 2; i++) {
			unsigned int bit = bits[below(random, sizeof(bits))];

			s->header[bit / 64] ^= 1ULL << bit % 64;
		}
		return;
	default:
		for (unsigned int i = 0; i < TB_HEADER_WORDS; i++)
			s->header[i] = ls_random(random);
	}
}

/* Fills the fields without a meaning with random bits. */
static void fill_unused(struct ls_surface *s, uint64_t *random)
{
	/*
	 * Sources; reserved bits of address and version; quality of filters; borders; the rest of
	 * filters.
	 */
	s->header[0] |= ls_random(random) & 0xfffffc00;
	s->header[1] |= (ls_random(random) & 0xff1f0000) & ~0x00e00000ULL;
	s->header[2] |= ls_random(random) & 0xf8600000;
	s->header[3] |= ls_random(random) & 0xffffffff;
}

void ls_surface(struct ls_surface *s, uint64_t seed, unsigned int part, unsigned int index)
{
	static const uint8_t texels[] = {
#define TEXEL(name, code, bytes) code,
		FAA_TEXELS(TEXEL)
#undef TEXEL
	};
	uint64_t random = seed * 64 + part + ((uint64_t)index << 40);
	struct tb_texture t = { 0 };

	memset(s, 0, sizeof(*s));
	s->dim = index % LS_DIMS;
	t.components = texels[below(&random, sizeof(texels))];
	t.data_type = chance(&random, 700) ? FAA_DATA_TYPE_SINT + seed % 2 : below(&random, 8);
	s->texel_bytes = tb_texel_bytes(t.components);
	draw_version(s, &t, &random);
	draw_sizes(s, &t, &random);
	draw_address(s, &t, part, &random);
	tb_texture_encode(&t, s->header);
	fill_unused(s, &random);
	s->row = level_size(t.width, t.view_min) * s->texel_bytes;
	if (t.version == FAA_HEADER_VERSION_PITCH_COLOR_KEY ||
	    t.version == FAA_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY) {
		s->row = t.width * s->texel_bytes;
		t.view_min = 0;
	}
	s->second = s->dim == FAA_DIM_D1_ARRAY ? tb_texture_layers(&t) :
						 level_size(t.height, t.view_min);
	s->third = s->dim == FAA_DIM_D2_ARRAY ? tb_texture_layers(&t) :
						level_size(t.depth, t.view_min);
	if (index >= LS_GOOD_SURFACES && index < LS_GOOD_SURFACES + LS_DISABLED_SURFACES) {
		t.version = index % 2 ? FAA_HEADER_VERSION_PITCH : FAA_HEADER_VERSION_BLOCKLINEAR;
		t.view_max = below(&random, 15);
		t.view_min = t.view_max + 1;
		t.components = below(&random, 128);
		tb_texture_encode(&t, s->header);
	} else if (index >= LS_GOOD_SURFACES) {
		make_odd(s, &t, part, &random);
	}
}

/*
 * A handle of a surface of the dimension, seldom of a disabled or invalid one; sampler bits are
 * random.
 */
static uint32_t draw_handle(unsigned int dim, uint64_t *random)
{
	uint32_t sampler = (uint32_t)below(random, 4096) << FAA_HEADER_INDEX_BITS;

	if (chance(random, 60))
		return sampler | (LS_GOOD_SURFACES + below(random, LS_DISABLED_SURFACES));
	if (chance(random, 60))
		return sampler | (LS_SURFACES + below(random, 0xff000));
	return sampler | (dim + LS_DIMS * below(random, LS_GOOD_SURFACES / LS_DIMS));
}

/* A coordinate of any sort, with respect to a size. */
static uint32_t wild(uint64_t *random, uint32_t size)
{
	static const uint32_t extremes[] = { 0x80000000, 0x7fffffff, 0xffffffff, 0x8000,
					     0x7fff,	 0xffff,     0x10000,	 0xffff8000,
					     0x80000001, 0x40000000, 0x20000000, 0x1fffffff,
					     0xfffffff8, 0x7ffffff8 };

	switch (below(random, 4)) {
	case 0:
		return (uint32_t)below(random, size);
	case 1:
		return size - 2 + (uint32_t)below(random, 4);
	case 2:
		return extremes[below(random, sizeof(extremes) / sizeof(extremes[0]))];
	default:
		return (uint32_t)below(random, 2 * (uint64_t)size + 16) - 8;
	}
}

/* Three coordinates of 32 bits and an unused word, then the same coordinates in 16 bits each. */
static void store_point(uint8_t *at, uint32_t x, uint32_t second, uint32_t third)
{
	const uint32_t words[] = { htole32(x), htole32(second), htole32(third), 0 };
	uint64_t packed =
		htole64((x & 0xffff) | (second & 0xffff) << 16 | (uint64_t)(third & 0xffff) << 32);

	memcpy(at, words, sizeof(words));
	memcpy(at + LS_POINT_PACKED, &packed, sizeof(packed));
}

/*
 * Points of a surface: inside for items of up to 8 bytes with x in items, the same with x in bytes,
 * any.
 */
static void fill_points(uint8_t *points, const struct ls_surface *s, uint64_t *random)
{
	uint32_t items = s->row / 8 ? s->row / 8 : 1;

	for (unsigned int i = 0; i < LS_POINTS; i++) {
		uint32_t x = below(random, items), second = below(random, s->second),
			 third = below(random, s->third);

		if (i >= LS_POINTS_INSIDE_BYTES)
			x *= 8;
		if (i >= LS_POINTS_WILD) {
			x = wild(random, chance(random, 500) ? s->row : items);
			x &= chance(random, 400) ? ~7u : ~0u;
			second = chance(random, 500) ? second : wild(random, s->second);
			third = chance(random, 500) ? third : wild(random, s->third);
		}
		store_point(points + i * LS_POINT_BYTES, x, second, third);
	}
}

void ls_fill_surfaces(uint8_t config[LS_CONFIG_BYTES], uint64_t seed, unsigned int part)
{
	uint64_t random = seed ^ 0x5017faceULL << 8 ^ part;
	uint8_t *bank = config + (LS_BANK - LS_CONFIG),
		*points = config + (LS_POINT_TABLE - LS_CONFIG);

	memset(config, 0, LS_CONFIG_BYTES);
	for (unsigned int i = 0; i < LS_SURFACES; i++) {
		struct ls_surface s;

		ls_surface(&s, seed, part, i);
		for (unsigned int w = 0; w < TB_HEADER_WORDS; w++) {
			uint64_t word = htole64(s.header[w]);

			memcpy(config + i * FAA_TEXTURE_HEADER_BYTES + 8 * w, &word, sizeof(word));
		}
		fill_points(points + i * LS_POINTS * LS_POINT_BYTES, &s, &random);
	}
	for (unsigned int i = 0; i < LS_BANK_BYTES / 4; i++) {
		uint32_t handle = i < HANDLES ? draw_handle(i / LS_DIM_HANDLES, &random) :
						(uint32_t)ls_random(&random);

		handle = htole32(handle);
		memcpy(bank + 4 * i, &handle, sizeof(handle));
	}
}

bool ls_surface_page_sparse(uint64_t seed, unsigned int part, unsigned int page)
{
	uint64_t random = seed ^ 0x9a9eULL << 20 ^ (uint64_t)part << 8 ^ page;

	return chance(&random, 80);
}
