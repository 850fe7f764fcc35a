// SPDX-License-Identifier: MIT
/*
 * SUATOM without errors: places of every dimension, layout and size of item, clamps, handles,
 * operations, signedness, sparse pages, invalid surfaces, and the configuration in the queue's
 * context. The expected memory comes from a walk through the surface (surface.h) and from
 * arithmetic in this file, not from the model.
 */
#include <endian.h>
#include <string.h>

#include "atom_ops.h"
#include "surface.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* struct shape - a surface for tests */
struct shape {
	const char *name;
	enum faa_dim dim;
	struct tb_texture texture;
};

#define T(v, ty, c, w, h, d)                                                               \
	.version = FAA_HEADER_VERSION_##v, .type = FAA_TEXTURE_TYPE_##ty, .components = c, \
	.width = w, .height = h, .depth = d
#define BLOCK(h, d)	 .gobs_height = h, .gobs_depth = d
#define LEVELS(max, min) .max_level = max, .view_min = min, .view_max = max

static const struct shape shapes[] = {
	{ "buffer",
	  FAA_DIM_D1_BUFFER,
	  { T(ONE_D_BUFFER, ONE_D_BUFFER, TEXEL_4, 1025, 1, 1), .address = 24 } },
	{ "1D",
	  FAA_DIM_D1,
	  { T(BLOCKLINEAR, ONE_D, TEXEL_4, 133, 9, 9), BLOCK(2, 0), .address = 1024 } },
	{ "1D, level 2", FAA_DIM_D1, { T(BLOCKLINEAR, ONE_D, TEXEL_8, 301, 1, 1), LEVELS(4, 2) } },
	{ "1D pitch",
	  FAA_DIM_D1,
	  { T(PITCH, ONE_D, TEXEL_2, 100, 5, 1), .pitch = 224, .address = 32 } },
	{ "1D array",
	  FAA_DIM_D1_ARRAY,
	  { T(BLOCKLINEAR, ONE_D_ARRAY, TEXEL_2, 65, 3, 5), BLOCK(3, 0) } },
	{ "1D array, level 1",
	  FAA_DIM_D1_ARRAY,
	  { T(BLOCKLINEAR, ONE_D_ARRAY, TEXEL_16, 31, 1, 7), LEVELS(3, 1) } },
	{ "2D", FAA_DIM_D2, { T(BLOCKLINEAR, TWO_D, TEXEL_4, 33, 37, 1), BLOCK(1, 0) } },
	{ "2D, texels of 1 byte",
	  FAA_DIM_D2,
	  { T(BLOCKLINEAR, TWO_D, TEXEL_1, 70, 9, 1), BLOCK(5, 5) } },
	{ "2D, texels of 12 bytes",
	  FAA_DIM_D2,
	  { T(BLOCKLINEAR, TWO_D, TEXEL_12, 11, 17, 3), BLOCK(2, 0) } },
	{ "2D, texels of 16 bytes",
	  FAA_DIM_D2,
	  { T(BLOCKLINEAR, TWO_D_NO_MIPMAP, TEXEL_16, 9, 40, 1), BLOCK(2, 1) } },
	{ "2D, level 2",
	  FAA_DIM_D2,
	  { T(BLOCKLINEAR, TWO_D, TEXEL_4, 33, 101, 1), BLOCK(2, 0), LEVELS(7, 2) } },
	{ "2D with a colour key",
	  FAA_DIM_D2,
	  { T(BLOCKLINEAR_COLOR_KEY, TWO_D, TEXEL_4, 20, 20, 1), BLOCK(1, 0), .max_level = 3 } },
	{ "2D pitch",
	  FAA_DIM_D2,
	  { T(PITCH, TWO_D, TEXEL_8, 10, 7, 1), .pitch = 96, .address = 4064 } },
	{ "2D pitch, colour key",
	  FAA_DIM_D2,
	  { T(PITCH_COLOR_KEY, TWO_D_NO_MIPMAP, TEXEL_4, 8, 19, 2), .pitch = 32 } },
	{ "2D array",
	  FAA_DIM_D2_ARRAY,
	  { T(BLOCKLINEAR, TWO_D_ARRAY, TEXEL_4, 17, 9, 3), BLOCK(4, 0) } },
	{ "2D array, level 3",
	  FAA_DIM_D2_ARRAY,
	  { T(BLOCKLINEAR, TWO_D_ARRAY, TEXEL_4, 33, 35, 3), BLOCK(2, 3), LEVELS(5, 3) } },
	{ "cube",
	  FAA_DIM_D2_ARRAY,
	  { T(BLOCKLINEAR, CUBEMAP, TEXEL_4, 12, 12, 5), BLOCK(1, 0), LEVELS(2, 0) } },
	{ "cubes",
	  FAA_DIM_D2_ARRAY,
	  { T(BLOCKLINEAR, CUBEMAP_ARRAY, TEXEL_4, 8, 8, 3), BLOCK(0, 0), LEVELS(2, 1) } },
	{ "3D", FAA_DIM_D3, { T(BLOCKLINEAR, THREE_D, TEXEL_4, 19, 20, 5), BLOCK(1, 1) } },
	{ "3D, level 1",
	  FAA_DIM_D3,
	  { T(BLOCKLINEAR, THREE_D, TEXEL_8, 18, 21, 6), BLOCK(1, 4), LEVELS(5, 1) } },
};

static uint64_t load(const uint8_t *at, unsigned int bytes)
{
	uint64_t value = 0;

	memcpy(&value, at, bytes);
	return le64toh(value);
}

static void store(uint8_t *at, uint64_t value, unsigned int bytes)
{
	value = htole64(value);
	memcpy(at, &value, bytes);
}

/*
 * Every item of @bytes bytes that the rows of the bench's surface have, in any order; returns how
 * many.
 */
static unsigned int all_points(const struct bench *b, unsigned int bytes, struct point *points)
{
	unsigned int count = 0, second = b->height, third = b->depth;

	if (b->dim == FAA_DIM_D1_ARRAY)
		second = b->layers;
	if (b->dim == FAA_DIM_D2_ARRAY)
		third = b->layers;
	for (unsigned int i = 0; i < third; i++)
		for (unsigned int j = 0; j < second; j++)
			for (unsigned int x = 0; x < b->row / bytes; x++) {
				assert_true(count < BENCH_POINTS);
				points[count++] = (struct point){ x, j, i };
			}
	return count;
}

/* The item of a point, whose x is in items, in a copy of the memory. */
static uint8_t *item(const struct bench *b, uint8_t *copy, const struct point *p,
		     unsigned int bytes)
{
	return copy +
	       bench_offset(b, (uint64_t)p->x * bytes, (uint64_t)p->second, (uint64_t)p->third);
}

/* -------------------------------------------------------------------------------------------------
 * Places
 */

static const enum faa_type exchange_types[] = { FAA_TYPE_U16, FAA_TYPE_U32, FAA_TYPE_U64 };

/* Operand a of all points from memory: 32 bits each of one or two coordinates, else 16 bits. */
static struct faa_operand points_operand(struct bench *b, const struct point *points,
					 unsigned int count, bool ba, unsigned int bytes,
					 struct faa_place *place)
{
	static struct point scaled_points[BENCH_POINTS];
	unsigned int coordinates = bench_coordinates(b->dim);
	uint64_t *words = b->points.ptr;

	for (unsigned int i = 0; i < count; i++) {
		scaled_points[i] = points[i];
		scaled_points[i].x *= ba ? bytes : 1;
		words[i] = htole64((uint64_t)scaled_points[i].x | (uint64_t)points[i].second << 32);
	}
	place->packed = coordinates == 3;
	if (place->packed)
		return bench_packed(b, scaled_points, count);
	return stream(coordinates == 1 ? FAA_TYPE_U32 : FAA_TYPE_U64, b->points.va, 8);
}

/* EXCH with every item of the surface: each is found once, and no other byte changes. */
static void exchange_all(struct bench *b, const char *name, enum faa_type type, bool ba)
{
	static struct point points[BENCH_POINTS];
	static uint8_t copy[BENCH_BYTES];
	unsigned int bytes = item_bytes(type), count = all_points(b, bytes, points);
	struct faa_place place = bench_place(b, FAA_CLAMP_TRAP);
	struct faa_operand a = points_operand(b, points, count, ba, bytes, &place);
	const uint64_t *old = b->results.ptr;

	if (count == 0)
		return;
	place.ba = ba;
	bench_fill(b, copy);
	memset(b->results.ptr, 0, b->results.bytes);
	add_suatom(b->f, 0, FAA_ATOM_OP_EXCH, type, FAA_SCOPE_GPU, place, count,
		   stream(bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32, b->results.va, 8), a,
		   affine(0x1234567, 0x10001), none());
	run(b->f);
	for (unsigned int i = 0; i < count; i++) {
		uint8_t *at = item(b, copy, &points[i], bytes);

		if (le64toh(old[i]) != load(at, bytes))
			fail_msg("%s, item of %u bytes: point %u returned 0x%llx, not 0x%llx", name,
				 bytes, i, (unsigned long long)le64toh(old[i]),
				 (unsigned long long)load(at, bytes));
		store(at, 0x1234567 + 0x10001ULL * i, bytes);
	}
	bench_compare(b, copy, name);
}

static void every_place_of_every_shape(void **state)
{
	struct bench *b = bench_begin(state);

	for (unsigned int i = 0; i < COUNT(shapes) * COUNT(exchange_types) * 2; i++) {
		const struct shape *shape = &shapes[i / 2 / COUNT(exchange_types)];

		if (i % (2 * COUNT(exchange_types)) == 0)
			bench_surface(b, shape->dim, shape->texture);
		exchange_all(b, shape->name, exchange_types[i / 2 % COUNT(exchange_types)], i % 2);
	}
	bench_end(b);
}

/*
 * The worked examples of surfaces.rst, from registers: every byte of the four items is at the
 * documented offset.
 */
static void worked_examples(void **state)
{
	static const struct {
		enum faa_dim dim;
		struct tb_texture texture;
		struct point point;
		uint32_t offset;
	} examples[] = {
		{ FAA_DIM_D2, { T(BLOCKLINEAR, TWO_D, TEXEL_4, 16, 8, 1) }, { 13, 5, 0 }, 436 },
		{ FAA_DIM_D2,
		  { T(BLOCKLINEAR, TWO_D, TEXEL_4, 100, 40, 1), BLOCK(1, 0) },
		  { 37, 21, 0 },
		  9396 },
		{ FAA_DIM_D3,
		  { T(BLOCKLINEAR, THREE_D, TEXEL_8, 33, 20, 5), BLOCK(1, 1) },
		  { 19, 13, 3 },
		  26296 },
		{ FAA_DIM_D2_ARRAY,
		  { T(BLOCKLINEAR, TWO_D_ARRAY, TEXEL_4, 65, 33, 3), BLOCK(2, 0), LEVELS(5, 2) },
		  { 9, 6, 2 },
		  72132 },
	};
	struct bench *b = bench_begin(state);
	struct tb_buffer memory = atomic_buffer(b->f, 81920);
	uint8_t *bytes = memory.ptr;

	for (unsigned int i = 0; i < COUNT(examples); i++) {
		struct tb_texture texture = examples[i].texture;
		bool wide = texture.components == TEXEL_8;

		b->dim = examples[i].dim;
		texture.address = memory.va;
		bench_header(b, BENCH_INDEX, &texture);
		memset(bytes, 0, memory.bytes);
		bench_registers(b, &examples[i].point, 1);
		add_suatom(b->f, 0, FAA_ATOM_OP_EXCH, wide ? FAA_TYPE_U64 : FAA_TYPE_U32,
			   FAA_SCOPE_GPU, bench_place(b, FAA_CLAMP_TRAP), 1, none(), reg(BENCH_X),
			   imm(~0ULL), none());
		run(b->f);
		for (unsigned int at = 0; at < memory.bytes; at++)
			assert_int_equal(bytes[at],
					 at - examples[i].offset < (wide ? 8 : 4) ? 0xff : 0);
	}
	bench_end(b);
}

/* Coordinates from registers, 32 lanes of each shape; all warps of a command get the same. */
static void coordinates_from_registers(void **state)
{
	static struct point points[BENCH_POINTS];
	static uint8_t copy[BENCH_BYTES];
	struct bench *b = bench_begin(state);
	struct point chosen[32];
	uint64_t random = 3;

	for (unsigned int i = 0; i < COUNT(shapes); i++) {
		unsigned int count;

		bench_surface(b, shapes[i].dim, shapes[i].texture);
		bench_fill(b, copy);
		count = all_points(b, 4, points);
		for (unsigned int lane = 0; lane < 32; lane++) {
			uint8_t *at;

			chosen[lane] = points[test_random(&random) % count];
			at = item(b, copy, &chosen[lane], 4);
			store(at, load(at, 4) + 3 * (lane + 1) + 32 * 1 + 64, 4);
		}
		bench_registers(b, chosen, 32);
		/* Three warps: 1 + lane, 33 + lane, 65 + lane. */
		add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			   bench_place(b, FAA_CLAMP_NEAR), 96, none(), reg(BENCH_X), affine(1, 1),
			   none());
		run(b->f);
		bench_compare(b, copy, shapes[i].name);
	}
	bench_end(b);
}

/*
 * One and two coordinates as immediate and affine operand; x grows with the element, y is in the
 * upper half.
 */
static void coordinates_that_are_computed(void **state)
{
	static uint8_t copy[BENCH_BYTES];
	struct bench *b = bench_begin(state);
	const struct shape *shape = &shapes[6];
	struct point p = { 0, 0, 0 };
	struct faa_place place;

	bench_surface(b, shape->dim, shape->texture);
	bench_fill(b, copy);
	place = bench_place(b, FAA_CLAMP_TRAP);
	add_suatom(b->f, 0, FAA_ATOM_OP_XOR, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 33, none(),
		   affine(2ULL << 32, 1), imm(0x55aa55aa), none());
	add_suatom(b->f, 0, FAA_ATOM_OP_XOR, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 1, none(),
		   imm(7 | 30ULL << 32), imm(0x11111111), none());
	place.packed = 1;
	add_suatom(b->f, 0, FAA_ATOM_OP_XOR, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 30, none(),
		   affine(0xabcd00000000 + (3 << 16), 1), imm(0x01020304), none());
	/* 32 bits of two packed coordinates: one register, of any number. */
	add_mov(b->f, FAA_TYPE_U32, 32, reg(7), affine(4 << 16, 1));
	add_suatom(b->f, 0, FAA_ATOM_OP_XOR, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 30, none(), reg(7),
		   imm(0x01020304), none());
	run(b->f);
	for (p.second = 2, p.x = 0; p.x < 33; p.x++)
		store(item(b, copy, &p, 4), load(item(b, copy, &p, 4), 4) ^ 0x55aa55aa, 4);
	p = (struct point){ 7, 30, 0 };
	store(item(b, copy, &p, 4), load(item(b, copy, &p, 4), 4) ^ 0x11111111, 4);
	for (p.second = 3; p.second < 5; p.second++)
		for (p.x = 0; p.x < 30; p.x++)
			store(item(b, copy, &p, 4), load(item(b, copy, &p, 4), 4) ^ 0x01020304, 4);
	bench_compare(b, copy, "computed coordinates");
	bench_end(b);
}

/* -------------------------------------------------------------------------------------------------
 * Clamps
 */

/* Surfaces that fill whole pages, between unmapped pages: an access beyond an edge fails. */
static const struct shape whole_pages[] = {
	{ "buffer", FAA_DIM_D1_BUFFER, { T(ONE_D_BUFFER, ONE_D_BUFFER, TEXEL_4, 16384, 1, 1) } },
	{ "1D", FAA_DIM_D1, { T(PITCH, ONE_D, TEXEL_4, 16384, 1, 1), .pitch = 65536 } },
	{ "1D array", FAA_DIM_D1_ARRAY, { T(BLOCKLINEAR, ONE_D_ARRAY, TEXEL_4, 256, 1, 8) } },
	{ "2D", FAA_DIM_D2, { T(BLOCKLINEAR, TWO_D, TEXEL_4, 64, 256, 1), BLOCK(3, 0) } },
	{ "2D pitch", FAA_DIM_D2, { T(PITCH, TWO_D, TEXEL_4, 128, 128, 1), .pitch = 512 } },
	{ "2D array",
	  FAA_DIM_D2_ARRAY,
	  { T(BLOCKLINEAR, TWO_D_ARRAY, TEXEL_4, 32, 64, 8), BLOCK(1, 0) } },
	{ "3D", FAA_DIM_D3, { T(BLOCKLINEAR, THREE_D, TEXEL_4, 32, 32, 16), BLOCK(2, 2) } },
};

/* The greatest coordinate of each of the three. */
static void limits_of(const struct bench *b, unsigned int bytes, bool ba, int64_t limits[3])
{
	int64_t items = b->row / bytes;

	limits[0] = ba ? (items - 1) * bytes : items - 1;
	limits[1] = b->dim == FAA_DIM_D1_ARRAY ? b->layers - 1 : b->height - 1;
	limits[2] = b->dim == FAA_DIM_D2_ARRAY ? b->layers - 1 : b->depth - 1;
}

/* Value of coordinate @i: of 32 bits in a register or of 16 packed ones. */
static int64_t meaning(const struct bench *b, unsigned int i, int64_t value, enum faa_clamp clamp,
		       bool packed)
{
	if (bench_has_layer(b->dim) && i == bench_coordinates(b->dim) - 1)
		return (uint16_t)value;
	if (packed)
		return (int16_t)value;
	if (b->dim == FAA_DIM_D1_BUFFER && clamp != FAA_CLAMP_NEAR)
		return (uint32_t)value;
	return (int32_t)value;
}

/* Index of the first coordinate outside, or 3; *near: coordinates of the nearest point inside. */
static unsigned int outside(const struct bench *b, const struct point *p, enum faa_clamp clamp,
			    bool packed, const int64_t limits[3], int64_t near[3])
{
	const int64_t values[3] = { p->x, p->second, p->third };
	unsigned int first = 3;

	for (unsigned int i = 3; i-- > 0;) {
		near[i] = i < bench_coordinates(b->dim) ? meaning(b, i, values[i], clamp, packed) :
							  0;
		if (near[i] >= 0 && near[i] <= limits[i])
			continue;
		first = i;
		near[i] = near[i] < 0 ? 0 : limits[i];
	}
	return first;
}

/*
 * Values at and beyond the edges of a coordinate with the greatest value @limit; @step: that of
 * .BA.
 */
static int64_t edge(uint64_t *random, int64_t limit, int64_t step, bool packed)
{
	const int64_t wide[] = { 0,
				 step,
				 limit,
				 limit - step,
				 limit + step,
				 -step,
				 2 * limit + 2 * step,
				 INT32_MIN,
				 INT32_MAX - step + 1,
				 limit + 65536 * step,
				 -65536 * step,
				 (limit + step) * 1000,
				 0x80000000 - step,
				 0xfffffff8 };
	const int64_t narrow[] = { 0,	      step,   limit, limit - step, limit + step, -step,
				   2 * limit, -32768, 32760, 32768,	   65528 };

	return packed ? narrow[test_random(random) % COUNT(narrow)] :
			wide[test_random(random) % COUNT(wide)];
}

/* 32 random points at the edges, clamped by IGN or NEAR: the result is calculated lane by lane. */
static void clamp_round(struct bench *b, const char *name, enum faa_clamp clamp, bool packed,
			bool ba, uint64_t *random)
{
	static uint8_t copy[BENCH_BYTES];
	struct faa_place place = bench_place(b, clamp);
	const uint32_t *returned = b->results.ptr;
	struct faa_operand a = reg(BENCH_X);
	struct point points[32];
	int64_t limits[3], at[3];

	limits_of(b, 4, ba, limits);
	for (unsigned int lane = 0; lane < 32; lane++)
		points[lane] = (struct point){ edge(random, limits[0], ba ? 4 : 1, packed),
					       edge(random, limits[1], 1, packed),
					       edge(random, limits[2], 1, packed) };
	bench_fill(b, copy);
	place.packed = packed;
	place.ba = ba;
	if (packed)
		a = bench_packed(b, points, 32);
	else
		bench_registers(b, points, 32);
	add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 32,
		   stream(FAA_TYPE_U32, b->results.va, 4), a, imm(0x01010101), none());
	run(b->f);
	for (unsigned int lane = 0; lane < 32; lane++) {
		unsigned int first = outside(b, &points[lane], clamp, packed, limits, at);
		uint64_t xb = (uint64_t)at[0] * (ba ? 1 : 4);
		uint8_t *m = copy + bench_offset(b, xb, (uint64_t)at[1], (uint64_t)at[2]);

		if (first < 3 && clamp == FAA_CLAMP_IGN) {
			assert_int_equal(returned[lane], 0);
			continue;
		}
		assert_int_equal(le32toh(returned[lane]), load(m, 4));
		store(m, load(m, 4) + 0x01010101, 4);
	}
	bench_compare(b, copy, name);
}

static void ign_and_near(void **state)
{
	struct bench *b = bench_begin(state);
	uint64_t random = 77;

	for (unsigned int i = 0; i < COUNT(whole_pages); i++) {
		bench_surface(b, whole_pages[i].dim, whole_pages[i].texture);
		for (unsigned int round = 0; round < 24; round++) {
			bool packed = round / 2 % 2 && bench_coordinates(b->dim) > 1;

			clamp_round(b, whole_pages[i].name,
				    round % 2 ? FAA_CLAMP_NEAR : FAA_CLAMP_IGN, packed,
				    round / 4 % 2, &random);
		}
	}
	bench_end(b);
}

/*
 * The same points, one at a time: TRAP reports the coordinate outside, and the warp has no effect.
 */
static void trap_round(struct bench *b, bool packed, bool ba, uint64_t *random)
{
	static uint8_t copy[BENCH_BYTES];
	struct faa_place place = bench_place(b, FAA_CLAMP_TRAP);
	struct faa_operand a = reg(BENCH_X);
	int64_t limits[3], at[3], values[3];
	unsigned int first;
	struct point point;
	uint32_t command;

	limits_of(b, 4, ba, limits);
	point = (struct point){ edge(random, limits[0], ba ? 4 : 1, packed),
				edge(random, limits[1], 1, packed),
				edge(random, limits[2], 1, packed) };
	first = outside(b, &point, FAA_CLAMP_TRAP, packed, limits, at);
	bench_fill(b, copy);
	place.packed = packed;
	place.ba = ba;
	if (packed)
		a = bench_packed(b, &point, 1);
	else
		bench_registers(b, &point, 1);
	command = here(b->f);
	add_suatom(b->f, 0, FAA_ATOM_OP_EXCH, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 1, none(), a,
		   imm(0x12345678), none());
	if (first == 3) {
		run(b->f);
		store(copy + bench_offset(b, (uint64_t)at[0] * (ba ? 1 : 4), (uint64_t)at[1],
					  (uint64_t)at[2]),
		      0x12345678, 4);
	} else {
		values[0] = point.x;
		values[1] = point.second;
		values[2] = point.third;
		run_error(b->f, FAA_ERROR_TRAP, command, 0,
			  (uint64_t)first << 52 | (uint64_t)BENCH_INDEX << 32 |
				  (uint32_t)meaning(b, first, values[first], FAA_CLAMP_TRAP,
						    packed));
	}
	bench_compare(b, copy, "TRAP");
}

static void trap(void **state)
{
	struct bench *b = bench_begin(state);
	uint64_t random = 78;

	for (unsigned int i = 0; i < COUNT(whole_pages); i++) {
		bench_surface(b, whole_pages[i].dim, whole_pages[i].texture);
		for (unsigned int round = 0; round < 40; round++)
			trap_round(b, round % 2 && bench_coordinates(b->dim) > 1, round / 2 % 2,
				   &random);
	}
	bench_end(b);
}

/*
 * Items that do not divide a row: no item reaches beyond it; in a row without an item NEAR works as
 * IGN.
 */
static void items_of_a_row(void **state)
{
	static const struct {
		unsigned int components, width;
		enum faa_type type;
		unsigned int items;
	} rows[] = {
		{ TEXEL_1, 7, FAA_TYPE_U16, 3 },  { TEXEL_1, 7, FAA_TYPE_U32, 1 },
		{ TEXEL_1, 7, FAA_TYPE_U64, 0 },  { TEXEL_1, 1, FAA_TYPE_U16, 0 },
		{ TEXEL_2, 5, FAA_TYPE_U32, 2 },  { TEXEL_12, 1, FAA_TYPE_U64, 1 },
		{ TEXEL_12, 3, FAA_TYPE_U64, 4 }, { TEXEL_12, 3, FAA_TYPE_U32, 9 },
		{ TEXEL_16, 1, FAA_TYPE_U16, 8 }, { TEXEL_4, 1, FAA_TYPE_U64, 0 },
		{ TEXEL_2, 1, FAA_TYPE_U32, 0 },
	};
	static uint8_t copy[BENCH_BYTES];
	struct bench *b = bench_begin(state);
	uint64_t *returned = b->results.ptr;

	for (unsigned int i = 0; i < COUNT(rows) * 4; i++) {
		unsigned int bytes = item_bytes(rows[i / 4].type), items = rows[i / 4].items;
		bool near = i % 2, ba = i / 2 % 2;
		struct faa_place place;
		uint32_t command;

		bench_surface(b, FAA_DIM_D1,
			      (struct tb_texture){ T(BLOCKLINEAR, ONE_D, rows[i / 4].components,
						     rows[i / 4].width, 1, 1) });
		bench_fill(b, copy);
		memset(returned, 0xff, 128);
		place = bench_place(b, near ? FAA_CLAMP_NEAR : FAA_CLAMP_IGN);
		place.ba = ba;
		add_suatom(b->f, 0, FAA_ATOM_OP_INCU, rows[i / 4].type, FAA_SCOPE_GPU, place, 16,
			   stream(bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32, b->results.va, 8),
			   affine(0, ba ? bytes : 1), none(), none());
		run(b->f);
		for (unsigned int e = 0; e < 16; e++) {
			unsigned int x = e < items || !items ? e : items - 1;
			uint64_t old = bytes == 8 ? le64toh(returned[e]) :
						    (uint32_t)le64toh(returned[e]);

			if (!items || (e >= items && !near)) {
				assert_int_equal(old, 0);
				continue;
			}
			assert_int_equal(old, load(copy + bench_offset(b, x * bytes, 0, 0), bytes));
			store(copy + bench_offset(b, x * bytes, 0, 0), old + 1, bytes);
		}
		bench_compare(b, copy, "items of a row");
		/* TRAP: the first x outside. */
		place.clamp = FAA_CLAMP_TRAP;
		command = here(b->f);
		add_suatom(b->f, 0, FAA_ATOM_OP_OR,
			   rows[i / 4].type == FAA_TYPE_U64 ? FAA_TYPE_S64 : rows[i / 4].type,
			   FAA_SCOPE_GPU, place, 16, none(), affine(0, ba ? bytes : 1), imm(0),
			   none());
		run_error(b->f, FAA_ERROR_TRAP, command, items,
			  (uint64_t)BENCH_INDEX << 32 | items * (ba ? bytes : 1));
	}
	bench_end(b);
}

/* A buffer of more than 2^31 items, whose last page is mapped: x is unsigned except for NEAR. */
static void large_buffers(void **state)
{
	struct bench *b = bench_begin(state);
	struct tb_buffer page = atomic_buffer(b->f, TB_PAGE);
	struct tb_texture texture = { T(ONE_D_BUFFER, ONE_D_BUFFER, TEXEL_4, 1ULL << 32, 1, 1),
				      .address = 0x300000000000 };
	uint64_t last = texture.address + (1ULL << 34) - TB_PAGE, first = texture.address;
	uint64_t middle = texture.address + (1ULL << 33) - TB_PAGE;
	const uint32_t *words = page.ptr;
	struct faa_place place;
	uint32_t command;

	b->dim = FAA_DIM_D1_BUFFER;
	bench_header(b, BENCH_INDEX, &texture);
	tb_vm_map(b->f->vm, last, page.dma, TB_PAGE, FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
	for (unsigned int clamp = 0; clamp < 3; clamp++) {
		place = bench_place(b, clamp);
		command = here(b->f);
		add_suatom(b->f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 1, none(),
			   imm(0xfffffffe), none(), none());
		/* The nearest x to -2 is 0, which is unmapped. */
		if (clamp == FAA_CLAMP_NEAR)
			run_error(b->f, FAA_ERROR_NOT_MAPPED, command, 0, first);
		else
			run(b->f);
	}
	assert_int_equal(le32toh(words[1022]), 2);
	assert_int_equal(words[1023], 0);
	/* The greatest x that is positive. */
	tb_vm_map(b->f->vm, middle, page.dma, TB_PAGE, FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
	add_suatom(b->f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU,
		   bench_place(b, FAA_CLAMP_NEAR), 1, none(), imm(0x7fffffff), none(), none());
	run(b->f);
	assert_int_equal(le32toh(words[1023]), 1);
	bench_end(b);
}

/* -------------------------------------------------------------------------------------------------
 * Handles and surfaces
 */

/* The four surfaces of mixed_surfaces(): 1D, 16 words each, adjacent in memory. */
#define SURFACES 4u

static void four_surfaces(struct bench *b)
{
	for (unsigned int i = 0; i < SURFACES; i++) {
		struct tb_texture texture = { T(PITCH, ONE_D, TEXEL_4, 16, 1, 1), .pitch = 64,
					      .address = b->memory.va + 64 * i };

		bench_header(b, BENCH_INDEX + i, &texture);
	}
	b->dim = FAA_DIM_D1;
}

/* Every kind of handle names the same surface; bits 31..20 are ignored. */
static void kinds_of_handles(void **state)
{
	struct bench *b = bench_begin(state);
	uint32_t *words = b->memory.ptr, *bank = b->bank.ptr;

	four_surfaces(b);
	for (unsigned int i = 0; i < 2 * SURFACES; i++) {
		uint32_t handle = (BENCH_INDEX + i % SURFACES) | (i >= SURFACES ? 0xfff00000 : 0);
		struct faa_place place = bench_place(b, FAA_CLAMP_TRAP);

		memset(words, 0, 64 * SURFACES);
		bank[40 + i] = htole32(handle);
		add_mov(b->f, FAA_TYPE_U32, 32, reg(253), imm(handle));
		place.handle_kind = FAA_HANDLE_KIND_REG;
		place.handle = 253;
		add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 16, none(),
			   affine(0, 1), imm(1), none());
		place.handle_kind = FAA_HANDLE_KIND_BANK;
		place.handle = 40 + i;
		add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 16, none(),
			   affine(0, 1), imm(16), none());
		place.handle_kind = FAA_HANDLE_KIND_INDEX;
		place.handle = BENCH_INDEX + i % SURFACES;
		add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 16, none(),
			   affine(0, 1), imm(256), none());
		run(b->f);
		for (unsigned int w = 0; w < 16 * SURFACES; w++)
			assert_int_equal(le32toh(words[w]), w / 16 == i % SURFACES ? 0x111 : 0);
	}
	bench_end(b);
}

/* Lanes of a warp on four surfaces, on an invalid one and on a disabled one. */
static void mixed_surfaces(void **state)
{
	struct tb_texture disabled = { T(BLOCKLINEAR, TWO_D_ARRAY, 0, 1, 1, 1), .view_min = 1 };
	struct bench *b = bench_begin(state);
	uint32_t *words = b->memory.ptr, *handles = b->points.ptr;
	const uint32_t *returned = b->results.ptr;
	struct faa_place place;

	four_surfaces(b);
	bench_header(b, BENCH_INDEX + SURFACES, &disabled);
	for (unsigned int e = 0; e < 32; e++)
		handles[e] = htole32(e % 6 < 5 ? BENCH_INDEX + e % 6 : BENCH_HEADERS + e);
	for (unsigned int w = 0; w < 16 * SURFACES; w++)
		words[w] = htole32(100 + w);
	place = bench_place(b, FAA_CLAMP_TRAP);
	place.handle_kind = FAA_HANDLE_KIND_REG;
	place.handle = 9;
	add_mov(b->f, FAA_TYPE_U32, 32, reg(9), stream(FAA_TYPE_U32, b->points.va, 4));
	/* x is a sixth of the lane: 0 to 5. */
	for (unsigned int e = 0; e < 32; e++)
		handles[64 + e] = htole32(e / 6);
	add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 32,
		   stream(FAA_TYPE_U32, b->results.va, 4),
		   stream(FAA_TYPE_U32, b->points.va + 256, 4), imm(1000), none());
	run(b->f);
	for (unsigned int e = 0; e < 32; e++)
		assert_int_equal(le32toh(returned[e]),
				 e % 6 < SURFACES ? 100 + 16 * (e % 6) + e / 6 : 0);
	for (unsigned int w = 0; w < 16 * SURFACES; w++)
		assert_int_equal(le32toh(words[w]),
				 100 + w + (w % 16 <= (31 - w / 16) / 6 ? 1000 : 0));
	bench_end(b);
}

/*
 * The register of the handle, and those of the coordinates, may be the destination: all warps read
 * the old values.
 */
static void sources_that_are_overwritten(void **state)
{
	struct bench *b = bench_begin(state);
	const struct shape *shape = &whole_pages[6];
	struct faa_place place;
	static uint8_t copy[BENCH_BYTES];
	struct point points[32];

	for (unsigned int target = 0; target < 2; target++) {
		bench_surface(b, shape->dim, shape->texture);
		memset(b->memory.ptr, 0, BENCH_BYTES);
		memset(copy, 0, BENCH_BYTES);
		for (unsigned int lane = 0; lane < 32; lane++) {
			points[lane] = (struct point){ lane, 31 - lane, lane % 16 };
			store(item(b, copy, &points[lane], 4), 7 * 3, 4);
		}
		bench_registers(b, points, 32);
		add_mov(b->f, FAA_TYPE_U32, 32, reg(9), imm(BENCH_INDEX));
		place = bench_place(b, FAA_CLAMP_TRAP);
		place.handle_kind = FAA_HANDLE_KIND_REG;
		place.handle = 9;
		add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 96,
			   reg(target ? 9 : BENCH_X + 2), reg(BENCH_X), imm(7), none());
		add_st(b->f, FAA_TYPE_U32, 32, affine(b->results.va, 4), 0,
		       reg(target ? 9 : BENCH_X + 2));
		run(b->f);
		bench_compare(b, copy, "overwritten sources");
		for (unsigned int lane = 0; lane < 32; lane++)
			assert_int_equal(((uint32_t *)b->results.ptr)[lane], 14);
	}
	bench_end(b);
}

/*
 * Invalid and disabled surfaces, and coordinates that IGN drops, act as ATOM on a sparse page, with
 * any coordinates.
 */
static void lanes_without_an_item(void **state)
{
	static const struct {
		enum faa_atom_op op;
		enum faa_type type;
		unsigned int mode;
		uint64_t b, returned;
	} rows[] = {
		{ FAA_ATOM_OP_ADD, FAA_TYPE_U32, 0, 7, 0 },
		{ FAA_ATOM_OP_EXCH, FAA_TYPE_U64, 0, 7, 0 },
		{ FAA_ATOM_OP_CAS, FAA_TYPE_U32, 0, 0, 0 },
		{ FAA_ATOM_OP_CAST, FAA_TYPE_U32, 0, 0, 1 },
		{ FAA_ATOM_OP_CAST, FAA_TYPE_U32, 0, 1, 0 },
		{ FAA_ATOM_OP_PREDEC, FAA_TYPE_U32, 0, 0, 0xffffffff },
		{ FAA_ATOM_OP_PREDEC, FAA_TYPE_U16, 0, 0, 0xffff },
		{ FAA_ATOM_OP_MIN, FAA_TYPE_SD64, 0, ~0ULL, 0 },
		{ FAA_ATOM_OP_ADD, FAA_TYPE_F32, FAA_FLOAT_MODE_RELAXED, 0x3f800000, 0 },
	};
	struct tb_texture disabled = { T(PITCH, TWO_D, 0x7f, 1, 1, 1), .view_min = 3,
				       .view_max = 2 };
	struct bench *b = bench_begin(state);
	static uint8_t copy[BENCH_BYTES];

	bench_surface(b, FAA_DIM_D1,
		      (struct tb_texture){ T(BLOCKLINEAR, ONE_D, TEXEL_8, 16, 1, 1) });
	bench_header(b, 5, &disabled);
	bench_fill(b, copy);
	for (unsigned int i = 0; i < COUNT(rows) * 3; i++) {
		unsigned int op = rows[i / 3].op;
		bool wide = item_bytes(rows[i / 3].type) == 8;
		struct faa_place place = bench_place(b, i % 3 ? FAA_CLAMP_TRAP : FAA_CLAMP_IGN);
		const uint64_t *returned = b->results.ptr;

		if (!bench_offers(b, rows[i / 3].type, rows[i / 3].mode))
			continue;
		/* IGN, disabled, invalid. */
		place.handle = i % 3 == 0 ? BENCH_INDEX : i % 3 == 1 ? 5 : BENCH_HEADERS;
		place.ps = 2;
		memset(b->results.ptr, 0, 512);
		add_setp(b->f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 2, imm(0), imm(0));
		add_suatom(b->f, rows[i / 3].mode, op, rows[i / 3].type, FAA_SCOPE_GPU, place, 40,
			   stream(wide ? FAA_TYPE_U64 : FAA_TYPE_U32, b->results.va, 8), imm(~0ULL),
			   op == FAA_ATOM_OP_PREDEC ? none() : imm(rows[i / 3].b),
			   op == FAA_ATOM_OP_CAS || op == FAA_ATOM_OP_CAST ? imm(9) : none());
		run(b->f);
		for (unsigned int e = 0; e < 40; e++)
			assert_int_equal(le64toh(returned[e]), rows[i / 3].returned);
		assert_int_equal(b->f->status.warps, 3);
		bench_compare(b, copy, "lanes without an item");
	}
	bench_end(b);
}

/*
 * R_DATA_TYPE selects the signedness of SD32 and SD64; with other data types they are unsigned, and
 * lanes without a surface do not matter.
 */
static void signedness(void **state)
{
	struct bench *b = bench_begin(state);
	struct tb_texture disabled = { T(PITCH, ONE_D, TEXEL_4, 1, 1, 1),
				       .data_type = FAA_DATA_TYPE_UINT, .view_min = 1 };
	uint64_t *m = b->memory.ptr;

	bench_header(b, 6, &disabled);
	add_mov(b->f, FAA_TYPE_U32, 32, reg(1), imm(6));
	add_mov(b->f, FAA_TYPE_U32, 1, reg(1), imm(BENCH_HEADERS));
	add_setp(b->f, FAA_CMP_GE, FAA_TYPE_U32, 32, 0, affine(0, 1), imm(20));
	b->f->issue.guard = 0;
	add_mov(b->f, FAA_TYPE_U32, 32, reg(1), imm(BENCH_INDEX));
	b->f->issue.guard = FAA_PT;
	run(b->f);
	for (unsigned int data_type = 0; data_type < 8; data_type++) {
		bool sint = data_type == FAA_DATA_TYPE_SINT;

		for (unsigned int wide = 0; wide < 2; wide++) {
			uint64_t minus = wide ? ~0ULL - 4 : 0xfffffffb;
			enum faa_type type = wide ? FAA_TYPE_SD64 : FAA_TYPE_SD32;
			struct faa_place place;

			bench_surface(b, FAA_DIM_D1,
				      (struct tb_texture){ T(BLOCKLINEAR, ONE_D, TEXEL_8, 16, 1, 1),
							   .data_type = data_type });
			m[0] = htole64(minus);
			m[1] = htole64(minus);
			place = bench_place(b, FAA_CLAMP_TRAP);
			/* Lanes 0 to 19 have no surface. */
			place.handle_kind = FAA_HANDLE_KIND_REG;
			place.handle = 1;
			add_suatom(b->f, 0, FAA_ATOM_OP_MIN, type, FAA_SCOPE_GPU, place, 32, reg(2),
				   imm(0), imm(3), none());
			add_suatom(b->f, 0, FAA_ATOM_OP_MAX, type, FAA_SCOPE_GPU, place, 32, none(),
				   imm(wide ? 1 : 2), imm(3), none());
			run(b->f);
			assert_int_equal(le64toh(m[0]), sint ? minus : 3);
			assert_int_equal(le64toh(m[1]), sint ? 3 : minus);
		}
	}
	bench_end(b);
}

/*
 * A page in the middle of a surface is sparse: it reads 0, drops stores, and Ps marks the lanes on
 * it.
 */
static void sparse_status(void **state)
{
	static uint8_t copy[BENCH_BYTES];
	struct bench *b = bench_begin(state);
	uint64_t va = b->memory.va + TB_PAGE;
	const uint32_t *returned = b->results.ptr;
	uint32_t *status = (uint32_t *)b->f->out.ptr;

	bench_surface(b, FAA_DIM_D1,
		      (struct tb_texture){ T(PITCH, ONE_D, TEXEL_4, 4096, 1, 1), .pitch = 16384 });
	bench_fill(b, copy);
	*tb_vm_entry(b->f->vm, va, 0) =
		htole64(TB_NO_MEMORY | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK |
			FAA_PTE_SPARSE_MASK | FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
	for (unsigned int scope = 0; scope < (has_feature(b->f, FAA_FEATURE_SYS_ATOMICS) ? 3 : 2);
	     scope++) {
		for (unsigned int ps = 0; ps < 8; ps++) {
			struct faa_place place = bench_place(b, FAA_CLAMP_IGN);
			unsigned int before = (ps + 1) % 7;

			place.ps = ps;
			memset(status, 0, 128);
			/*
			 * Lane l at word 1024 + 64 (l - 16): lanes below 16 on the first page,
			 * lanes of the second warp from 24 on outside.
			 */
			if (ps != FAA_PT)
				add_setp(b->f, FAA_CMP_EQ, FAA_TYPE_U32, 32, ps, affine(0, 1),
					 imm(3));
			add_setp(b->f, FAA_CMP_LT, FAA_TYPE_U32, 32, before, affine(0, 1), imm(30));
			b->f->issue.guard = before;
			add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, scope, place, 32,
				   stream(FAA_TYPE_U32, b->results.va, 4), affine(0, 64), imm(1),
				   none());
			b->f->issue.guard = FAA_PT;
			if (ps != FAA_PT) {
				b->f->issue.guard = ps;
				add_st(b->f, FAA_TYPE_U32, 32, affine(b->f->out.va, 4), 0, imm(1));
				b->f->issue.guard = FAA_PT;
			}
			run(b->f);
			for (unsigned int lane = 0; lane < 30; lane++) {
				uint8_t *m = copy + 256 * lane;
				bool sparse = lane >= 16;

				assert_int_equal(le32toh(returned[lane]), sparse ? 0 : load(m, 4));
				if (!sparse)
					store(m, load(m, 4) + 1, 4);
				assert_int_equal(status[lane], ps != FAA_PT && sparse);
			}
			/* Lanes 30 and 31 keep their values. */
			assert_int_equal(status[30], 0);
			assert_int_equal(status[31], 0);
			bench_compare(b, copy, "sparse page");
		}
	}
	bench_end(b);
}

/*
 * Ps is false for lanes without an item, and unchanged for lanes that the guard or the helper mask
 * disables; the last warp counts.
 */
static void status_of_other_lanes(void **state)
{
	struct bench *b = bench_begin(state);
	struct faa_place place;
	uint32_t *status = b->f->out.ptr;

	bench_surface(b, FAA_DIM_D1,
		      (struct tb_texture){ T(PITCH, ONE_D, TEXEL_4, 2048, 1, 1), .pitch = 8192 });
	*tb_vm_entry(b->f->vm, b->memory.va, 0) =
		htole64(TB_NO_MEMORY | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK |
			FAA_PTE_SPARSE_MASK | FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
	place = bench_place(b, FAA_CLAMP_IGN);
	place.ps = 4;
	add_setp(b->f, FAA_CMP_NE, FAA_TYPE_U32, 32, 4, affine(0, 1), imm(5));
	add_setp(b->f, FAA_CMP_NE, FAA_TYPE_U32, 32, 1, affine(0, 1), imm(6));
	add_config(b->f, FAA_CONFIG_HELPER_LANES, 0, 0x1a0);
	b->f->issue.guard = 1;
	/*
	 * The first warp is on the sparse page only. In the second, lanes 0 to 3 are on it, 4 to 15
	 * on the other page, the rest outside; lanes 5, 7 and 8 are helpers, the guard disables 6.
	 * In the third, lanes 0 to 2 are outside.
	 */
	for (unsigned int e = 0; e < 67; e++)
		((uint32_t *)b->f->in.ptr)[e] = htole32(e < 36 ? 4 * e :
							e < 48 ? 1024 + e :
								 2048 + e);
	add_suatom(b->f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 67, none(),
		   stream(FAA_TYPE_U32, b->f->in.va, 4), none(), none());
	b->f->issue.guard = 4;
	add_st(b->f, FAA_TYPE_U32, 32, affine(b->f->out.va, 4), 0, imm(1));
	b->f->issue.guard = FAA_PT;
	add_config(b->f, FAA_CONFIG_HELPER_LANES, 0, 0);
	run(b->f);
	for (unsigned int lane = 0; lane < 32; lane++)
		assert_int_equal(status[lane], lane == 3 || (lane >= 6 && lane <= 8));
	for (unsigned int w = 0; w < 2048; w++) {
		unsigned int lane = w - 1024 - 32;

		assert_int_equal(((uint32_t *)b->memory.ptr)[w],
				 lane >= 4 && lane < 16 && (lane < 5 || lane > 8));
	}
	bench_end(b);
}

/*
 * Helper lanes are neither checked, read, written nor counted; a warp of helper lanes only has no
 * effect.
 */
static void helper_lanes(void **state)
{
	struct bench *b = bench_begin(state);
	const uint32_t *words = b->memory.ptr, *returned = b->results.ptr;
	uint64_t *values = b->f->in.ptr, elements = cu_counter(b->f, FAA_COUNTER_ELEMENTS);
	struct faa_place place;

	bench_surface(b, FAA_DIM_D1,
		      (struct tb_texture){ T(PITCH, ONE_D, TEXEL_4, 64, 1, 1), .pitch = 256 });
	place = bench_place(b, FAA_CLAMP_TRAP);
	memset(b->results.ptr, 0x77, 256);
	/* Even lanes have an x far outside and a bad handle. */
	for (unsigned int e = 0; e < 64; e++)
		values[e] = htole64(e % 2 ? e : 1000);
	add_mov(b->f, FAA_TYPE_U32, 32, reg(1), affine(BENCH_INDEX, 0));
	add_config(b->f, FAA_CONFIG_HELPER_LANES, 0, 0x55555555);
	add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 64,
		   stream(FAA_TYPE_U32, b->results.va, 4),
		   scaled(FAA_TYPE_U32, b->f->in.va, 8, 0, 0), affine(1, 1), none());
	/* Other commands ignore helper lanes. */
	add_mov(b->f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, b->results.va + 256, 4), imm(5));
	add_config(b->f, FAA_CONFIG_HELPER_LANES, 0, 0xffffffff);
	place.handle_kind = FAA_HANDLE_KIND_BANK;
	place.handle = 8191;
	add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 64,
		   stream(FAA_TYPE_U32, 3, 4), stream(FAA_TYPE_U32, 1, 4),
		   stream(FAA_TYPE_U32, 1ULL << 63, 4), none());
	add_config(b->f, FAA_CONFIG_HELPER_LANES, 0, 0);
	run(b->f);
	for (unsigned int e = 0; e < 64; e++) {
		assert_int_equal(le32toh(words[e]), e % 2 ? e + 1 : 0);
		assert_int_equal(returned[e], e % 2 ? 0 : 0x77777777);
		assert_int_equal(le32toh(returned[64 + e % 32]), 5);
	}
	assert_int_equal(cu_counter(b->f, FAA_COUNTER_ELEMENTS) - elements, 2 * 32 + 2 * 16);
	bench_end(b);
}

/*
 * Four kinds of lanes in turns: on word @word of the surface at @base, on the same word of a
 * surface that is @offset bytes later, outside of a surface, and on an invalid one. Lanes with an
 * item are summed, whatever the addresses of the others.
 */
static void relaxed_round(struct bench *b, uint64_t base, unsigned int word, unsigned int offset)
{
	struct tb_texture texture = { T(PITCH, ONE_D, TEXEL_4, 32, 1, 1), .pitch = 128 };
	uint32_t *handles = b->points.ptr;
	float *m = b->memory.ptr, *values = b->f->in.ptr;
	const float *returned = b->results.ptr;
	volatile float sum = 0;
	struct faa_place place;

	texture.address = base;
	bench_header(b, 0, &texture);
	texture.address += offset;
	bench_header(b, 1, &texture);
	b->dim = FAA_DIM_D1;
	for (unsigned int lane = 0; lane < 32; lane++) {
		unsigned int x = lane % 4 == 1 ? word - offset / 4 : word;

		handles[lane] = htole32(lane % 4 < 3 ? lane % 2 : 999);
		handles[32 + lane] = htole32(lane % 4 == 2 ? 32 : x);
		values[lane] = 1.0f + 0x1p-20f * (float)(lane * lane) - (lane == 5 ? 0x1p26f : 0);
	}
	memset(m, 0, 256);
	m[word] = 0x1p24f;
	place = bench_place(b, FAA_CLAMP_IGN);
	place.handle_kind = FAA_HANDLE_KIND_REG;
	place.handle = 1;
	add_mov(b->f, FAA_TYPE_U32, 32, reg(1), stream(FAA_TYPE_U32, b->points.va, 4));
	add_suatom(b->f, FAA_FLOAT_MODE_RELAXED, FAA_ATOM_OP_ADD, FAA_TYPE_F32, FAA_SCOPE_GPU,
		   place, 32, stream(FAA_TYPE_F32, b->results.va, 4),
		   stream(FAA_TYPE_U32, b->points.va + 128, 4),
		   stream(FAA_TYPE_F32, b->f->in.va, 4), none());
	run(b->f);
	for (unsigned int lane = 0; lane < 32; lane++) {
		volatile float expected = lane ? 0x1p24f + sum : 0x1p24f;

		if (lane % 4 > 1) {
			assert_true(returned[lane] == 0);
			continue;
		}
		assert_true(returned[lane] == expected);
		sum = lane ? sum + values[lane] : values[lane];
	}
	assert_true(m[word] == 0x1p24f + sum);
	for (unsigned int w = 0; w < 64; w++)
		assert_true(w == word || m[w] == 0);
}

/* Sums of RELAXED; overlapping surfaces share a word. Address 0 is an ordinary address. */
static void relaxed_sums(void **state)
{
	struct bench *b;

	needs_feature(*state, FAA_FEATURE_ATOMS_RELAXED);
	b = bench_begin(state);
	relaxed_round(b, b->memory.va, 9, 32);
	tb_vm_map(b->f->vm, 0, b->memory.dma, TB_PAGE, FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
	relaxed_round(b, 0, 0, 0);
	bench_end(b);
}

/*
 * b and coordinates from the words that the command changes: a warp sees the changes of earlier
 * warps, none of its own.
 */
static void operands_from_the_surface_itself(void **state)
{
	struct bench *b = bench_begin(state);
	uint32_t *words = b->memory.ptr, value = 1;

	bench_surface(b, FAA_DIM_D1,
		      (struct tb_texture){ T(PITCH, ONE_D, TEXEL_4, 4096, 1, 1), .pitch = 16384 });
	words[5] = htole32(1);
	add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
		   bench_place(b, FAA_CLAMP_TRAP), 5 * 32, none(), imm(5),
		   stream(FAA_TYPE_U32, b->memory.va + 20, 0), none());
	run(b->f);
	for (unsigned int warp = 0; warp < 5; warp++)
		value += 32 * value;
	assert_int_equal(le32toh(words[5]), value);
	/* x of a warp was stored by the warp before: 32, 64 ... */
	for (unsigned int e = 0; e < 32; e++)
		words[e] = htole32(32 + e);
	for (unsigned int e = 32; e < 1024; e++)
		words[e] = 0;
	add_suatom(b->f, 0, FAA_ATOM_OP_EXCH, FAA_TYPE_U32, FAA_SCOPE_GPU,
		   bench_place(b, FAA_CLAMP_TRAP), 8 * 32, none(),
		   stream(FAA_TYPE_U32, b->memory.va, 4), affine(64, 1), none());
	run(b->f);
	for (unsigned int e = 0; e < 1024; e++)
		assert_int_equal(le32toh(words[e]), e < 288 ? 32 + e : 0);
	bench_end(b);
}

/*
 * 100 elements on one item: each returns the number of elements before it, at every scope; bytes
 * next to a 16-bit item do not change.
 */
static void lanes_of_one_item_in_order(void **state)
{
	static const enum faa_type types[] = { FAA_TYPE_U16, FAA_TYPE_U32, FAA_TYPE_U64 };
	static uint8_t copy[BENCH_BYTES];
	struct bench *b = bench_begin(state);
	unsigned int scopes = has_feature(b->f, FAA_FEATURE_SYS_ATOMICS) ? 3 : 2;
	const uint64_t *before = b->results.ptr;

	for (unsigned int i = 0; i < 3 * scopes; i++) {
		enum faa_type type = types[i % 3];
		unsigned int bytes = item_bytes(type);
		struct point p = { 16 / bytes + 1, 5, 0 };
		uint64_t value;

		bench_surface(b, FAA_DIM_D2,
			      (struct tb_texture){ T(BLOCKLINEAR, TWO_D, TEXEL_4, 16, 8, 1) });
		bench_fill(b, copy);
		memset(b->results.ptr, 0, 800);
		value = load(item(b, copy, &p, bytes), bytes);
		add_suatom(b->f, 0, FAA_ATOM_OP_ADD, type, i / 3, bench_place(b, FAA_CLAMP_TRAP),
			   100, stream(bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32, b->results.va, 8),
			   imm((uint64_t)p.x | (uint64_t)p.second << 32), affine(3, 1), none());
		run(b->f);
		for (unsigned int e = 0; e < 100; e++) {
			assert_int_equal(le64toh(before[e]), value);
			value += 3 + e;
			value = bytes == 2 ? (uint16_t)value : bytes == 4 ? (uint32_t)value : value;
		}
		store(item(b, copy, &p, bytes), value, bytes);
		bench_compare(b, copy, "one item");
	}
	bench_end(b);
}

/* -------------------------------------------------------------------------------------------------
 * Configuration
 */

/*
 * A queue that was never configured has neither a header nor a bank, whatever the configuration of
 * another queue.
 */
static void an_empty_configuration(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	struct tb_queue *mine = f->queue;
	struct faa_place place;

	bench_surface(b, FAA_DIM_D1,
		      (struct tb_texture){ T(PITCH, ONE_D, TEXEL_4, 64, 1, 1), .pitch = 256 });
	f->queue = tb_queue_create(f->vm, 3, NULL);
	place = bench_place(b, FAA_CLAMP_TRAP);
	for (unsigned int index = 0; index < 1 << 20; index += 0xaaaa) {
		place.handle = index;
		add_suatom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 32, none(),
			   imm(0), none(), none());
		run(f);
	}
	place.handle_kind = FAA_HANDLE_KIND_BANK;
	place.handle = 0;
	add_suatom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 32, none(), imm(0),
		   none(), none());
	run_error(f, FAA_ERROR_BANK_RANGE, 0, 0, 0);
	assert_int_equal(*(uint32_t *)b->memory.ptr, 0);
	assert_true(tb_queue_destroy(f->queue));
	/* A queue that is enabled again has no configuration, either. */
	f->queue = mine;
	add_suatom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU,
		   bench_place(b, FAA_CLAMP_TRAP), 32, none(), imm(0), none(), none());
	run(f);
	assert_true(tb_queue_disable(mine));
	tb_queue_enable(mine);
	add_suatom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU,
		   bench_place(b, FAA_CLAMP_TRAP), 32, none(), imm(0), none(), none());
	run(f);
	assert_int_equal(le32toh(*(uint32_t *)b->memory.ptr), 32);
	bench_end(b);
}

/* A pool that is replaced, a smaller one, and one of 2^20 headers, of which the last is used. */
static void another_pool(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	struct tb_texture texture = { T(PITCH, ONE_D, TEXEL_4, 64, 1, 1), .pitch = 256 };
	const uint64_t pool = 0x50000000ULL, last = pool + (1ULL << 25) - TB_PAGE;
	struct tb_buffer page = tb_buffer_create(f->vm, TB_PAGE);
	const uint32_t *words = b->memory.ptr;
	uint64_t header[TB_HEADER_WORDS];
	struct faa_place place;

	bench_surface(b, FAA_DIM_D1, texture);
	texture.address = b->memory.va + 256;
	tb_texture_encode(&texture, header);
	for (unsigned int i = 0; i < TB_HEADER_WORDS; i++)
		((uint64_t *)page.ptr)[TB_PAGE / 8 - TB_HEADER_WORDS + i] = htole64(header[i]);
	tb_vm_map(f->vm, last, page.dma, TB_PAGE, 0);
	place = bench_place(b, FAA_CLAMP_TRAP);
	/* A limit one below the index: invalid; then the index itself. */
	for (unsigned int greatest = BENCH_INDEX - 1; greatest <= BENCH_INDEX; greatest++) {
		add_config(f, FAA_CONFIG_HEADER_POOL, b->pool.va, greatest);
		add_suatom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 1, none(),
			   imm(0), none(), none());
		run(f);
		assert_int_equal(le32toh(words[0]), greatest == BENCH_INDEX);
	}
	add_config(f, FAA_CONFIG_HEADER_POOL, pool, (1 << 20) - 1);
	place.handle = (1 << 20) - 1;
	add_suatom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 1, none(), imm(0),
		   none(), none());
	/* The next CONFIG applies to later commands only. */
	add_config(f, FAA_CONFIG_HEADER_POOL, b->pool.va, BENCH_INDEX);
	place.handle = BENCH_INDEX;
	add_suatom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 1, none(), imm(0),
		   none(), none());
	run(f);
	assert_int_equal(le32toh(words[0]), 2);
	assert_int_equal(le32toh(words[64]), 1);
	bench_end(b);
}

/*
 * Headers and constant words that the host changes between jobs, or the job itself before a FENCE:
 * the new values are used.
 */
static void headers_that_change(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	struct tb_texture texture = { T(PITCH, ONE_D, TEXEL_4, 64, 1, 1), .pitch = 256 };
	const uint32_t *words = b->memory.ptr;
	uint64_t header[TB_HEADER_WORDS];
	struct faa_place place;

	bench_surface(b, FAA_DIM_D1, texture);
	place = bench_place(b, FAA_CLAMP_TRAP);
	place.handle_kind = FAA_HANDLE_KIND_BANK;
	place.handle = 2;
	for (unsigned int i = 0; i < 8; i++) {
		texture.address = b->memory.va + 256 * i;
		bench_header(b, i % 4, &texture);
		((uint32_t *)b->bank.ptr)[2] = htole32(i % 4);
		add_suatom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 1, none(),
			   imm(0), imm(1), none());
		texture.address += 2048;
		tb_texture_encode(&texture, header);
		for (unsigned int w = 0; w < TB_HEADER_WORDS; w++)
			add_st(f, FAA_TYPE_U64, 1, imm(bench_header_va(b, i % 4) + 8 * w), 0,
			       imm(header[w]));
		f->count += faa_encode_fence(f->words + f->count, &f->issue, FAA_FENCE_ORDER_SC,
					     FAA_SCOPE_GPU);
		add_suatom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 1, none(),
			   imm(0), imm(16), none());
		run(f);
	}
	for (unsigned int w = 0; w < 1024; w++)
		assert_int_equal(le32toh(words[w]), w % 64 ? 0 : w < 512 ? 1 : 16);
	bench_end(b);
}

/*
 * Other queues use the compute units between the jobs; the configuration is saved in row 255 of the
 * save area, and restored from there.
 */
static void configuration_in_the_context(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	unsigned int cus = f->host->num_cus;
	struct tb_queue *others[FAA_MAX_CUS], *mine = f->queue;
	const uint8_t *row = (uint8_t *)tb_ptr(f->host, mine->save) + 255 * 128;
	const uint32_t *words = b->memory.ptr;
	struct faa_place place;

	bench_surface(b, FAA_DIM_D1,
		      (struct tb_texture){ T(PITCH, ONE_D, TEXEL_4, 64, 1, 1), .pitch = 256 });
	((uint32_t *)b->bank.ptr)[7] = htole32(BENCH_INDEX);
	add_config(f, FAA_CONFIG_HELPER_LANES, 0, 0xff00ff00);
	add_setp(f, FAA_CMP_LT, FAA_TYPE_U32, 32, 6, affine(0, 1), imm(4));
	run(f);
	for (unsigned int i = 0; i < cus; i++) {
		static const struct tb_queue_config config = { .prio = 3 };
		volatile uint64_t *flag = (uint64_t *)f->in.ptr + i;

		/*
		 * Each job signals its start, and occupies its compute unit until all have started.
		 */
		others[i] = tb_queue_create(f->vm, f->host->num_queues - 1 - i, &config);
		f->count += faa_encode_config(f->words, &f->issue, FAA_CONFIG_HELPER_LANES, 0, ~0u);
		f->count += faa_encode_sem_signal(f->words + f->count, &f->issue, FAA_SEM_OP_SET,
						  f->in.va + 8 * i, 1);
		f->count += faa_encode_sem_wait(f->words + f->count, &f->issue, FAA_SEM_COND_EQ,
						f->in.va + 512, 1);
		add_end(f);
		for (unsigned int w = 0; w < f->count; w++)
			((uint64_t *)f->code.ptr)[64 + 16 * i + w] = htole64(f->words[w]);
		tb_submit(others[i], f->code.va + 512 + 128 * i, f->count * 8);
		f->count = 0;
		for (unsigned int step = 0; !*flag && step < 100000; step++)
			tb_step(f->host, 64);
		assert_true(*flag);
	}
	assert_int_equal(load(row + 4 * 6, 4), 0xf);
	assert_int_equal(load(row + 28, 4), 0);
	assert_int_equal(load(row + 32, 8), b->pool.va);
	assert_int_equal(load(row + 40, 4), BENCH_HEADERS);
	assert_int_equal(load(row + 44, 4), BENCH_BANK_WORDS * 4);
	assert_int_equal(load(row + 48, 8), b->bank.va);
	assert_int_equal(load(row + 56, 4), 0xff00ff00);
	for (unsigned int at = 60; at < 128; at++)
		assert_int_equal(row[at], 0);
	*((uint64_t *)f->in.ptr + 64) = htole64(1);
	for (unsigned int i = 0; i < cus; i++)
		assert_true(tb_wait(others[i], 0));
	place = bench_place(b, FAA_CLAMP_TRAP);
	place.handle_kind = FAA_HANDLE_KIND_BANK;
	place.handle = 7;
	add_suatom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 64, none(),
		   affine(0, 1), none(), none());
	run(f);
	for (unsigned int w = 0; w < 64; w++)
		assert_int_equal(le32toh(words[w]), w / 8 % 2 == 0);
	for (unsigned int i = 0; i < cus; i++)
		assert_true(tb_queue_destroy(others[i]));
	bench_end(b);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(every_place_of_every_shape),
		FIXTURE_TEST(worked_examples),
		FIXTURE_TEST(coordinates_from_registers),
		FIXTURE_TEST(coordinates_that_are_computed),
		FIXTURE_TEST(ign_and_near),
		FIXTURE_TEST(trap),
		FIXTURE_TEST(items_of_a_row),
		FIXTURE_TEST(large_buffers),
		FIXTURE_TEST(kinds_of_handles),
		FIXTURE_TEST(mixed_surfaces),
		FIXTURE_TEST(sources_that_are_overwritten),
		FIXTURE_TEST(lanes_without_an_item),
		FIXTURE_TEST(signedness),
		FIXTURE_TEST(sparse_status),
		FIXTURE_TEST(status_of_other_lanes),
		FIXTURE_TEST(helper_lanes),
		FIXTURE_TEST(relaxed_sums),
		FIXTURE_TEST(operands_from_the_surface_itself),
		FIXTURE_TEST(lanes_of_one_item_in_order),
		FIXTURE_TEST(an_empty_configuration),
		FIXTURE_TEST(another_pool),
		FIXTURE_TEST(headers_that_change),
		FIXTURE_TEST(configuration_in_the_context),
	};

	return fixture_main(argc, argv, "surface", tests, sizeof(tests) / sizeof(tests[0]));
}
