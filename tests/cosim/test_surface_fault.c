// SPDX-License-Identifier: MIT
/*
 * Errors of SUATOM's execution: constant words, headers, coordinates, the access; their order. A
 * warp that fails has no effect, and a stopped job continues where it was.
 */
#include <endian.h>
#include <string.h>

#include "surface.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define FULL	     (FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK)
#define END	     (1ULL << 48)

/* A row of 8192 words. */
static const struct tb_texture row = { .version = FAA_HEADER_VERSION_PITCH,
				       .type = FAA_TEXTURE_TYPE_ONE_D,
				       .components = TEXEL_4,
				       .width = 8192,
				       .height = 1,
				       .depth = 1,
				       .pitch = 32768 };

static void add_count(struct bench *b, struct faa_place place, uint64_t n, struct faa_operand a)
{
	add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, n, none(), a,
		   imm(1), none());
}

/* Maps a page of its own at @va with leaf flags; returns the host's address. */
static void *map_page(struct bench *b, uint64_t va, uint64_t flags)
{
	uint64_t dma = tb_dma_alloc(b->f->host, TB_PAGE, TB_READ_WRITE);

	tb_vm_map(b->f->vm, va, dma, TB_PAGE, flags);
	assert_true(tb_vm_invalidate(b->f->vm, va, va + TB_PAGE - 1));
	return tb_ptr(b->f->host, dma);
}

/* -------------------------------------------------------------------------------------------------
 * Constant words and headers
 */

static void bank_range(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	struct faa_place place;

	bench_surface(b, FAA_DIM_D1, row);
	place = bench_place(b, FAA_CLAMP_TRAP);
	place.handle_kind = FAA_HANDLE_KIND_BANK;
	for (unsigned int word = 0; word < BENCH_BANK_WORDS; word++)
		((uint32_t *)b->bank.ptr)[word] = htole32(BENCH_INDEX);
	for (unsigned int i = 0; i < 4 * 14; i++) {
		unsigned int bytes = 4 * (i % 4), handle = i / 4 < 13 ? (1u << i / 4) - 1 : 8191;
		uint32_t command;

		add_config(f, FAA_CONFIG_CONSTANT_BANK, b->bank.va, bytes);
		place.handle = handle;
		command = here(f);
		add_count(b, place, 40, imm(0));
		if (4 * handle < bytes)
			run(f);
		else
			run_error(f, FAA_ERROR_BANK_RANGE, command, 0, 4ULL * handle);
	}
	/* Lane 7 is the first active one. */
	add_setp(f, FAA_CMP_GE, FAA_TYPE_U32, 32, 2, affine(0, 1), imm(7));
	run(f);
	f->issue.guard = 2;
	place.handle = 100;
	add_count(b, place, 40, imm(0));
	f->issue.guard = FAA_PT;
	run_error(f, FAA_ERROR_BANK_RANGE, 0, 7, 400);
	bench_end(b);
}

/*
 * Pages of bank and pool: errors of translation, also beyond 2^48; sparse pages read 0; only read
 * access is needed.
 */
static void pages_of_bank_and_pool(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	const uint64_t hole = 0x60000000, other = 0x61000000;
	uint32_t *words = b->memory.ptr, *bank;
	uint64_t header[TB_HEADER_WORDS], *pool;
	struct faa_place place;
	uint32_t command;

	bench_surface(b, FAA_DIM_D1, row);
	place = bench_place(b, FAA_CLAMP_TRAP);
	place.handle_kind = FAA_HANDLE_KIND_BANK;
	place.handle = 1023;
	/*
	 * No bank at the address; a bank that ends at an unmapped page; one beyond the end of the
	 * address space.
	 */
	add_config(f, FAA_CONFIG_CONSTANT_BANK, hole, 0xfffc);
	add_count(b, place, 1, imm(0));
	run_error(f, FAA_ERROR_NOT_MAPPED, 24, 0, hole + 4 * 1023);
	bank = map_page(b, other, 0);
	for (unsigned int w = 0; w < 1024; w++)
		bank[w] = htole32(BENCH_INDEX);
	add_config(f, FAA_CONFIG_CONSTANT_BANK, other, 0xfffc);
	add_count(b, place, 1, imm(0));
	place.handle = 1024;
	command = here(f);
	add_count(b, place, 1, imm(0));
	run_error(f, FAA_ERROR_NOT_MAPPED, command, 0, other + TB_PAGE);
	assert_int_equal(le32toh(words[0]), 1);
	add_config(f, FAA_CONFIG_CONSTANT_BANK, END - TB_PAGE, 0xfffc);
	add_count(b, place, 1, imm(0));
	run_error(f, FAA_ERROR_NON_CANONICAL, 24, 0, END);
	/* A sparse bank: header 0. */
	map_page(b, hole, FAA_PTE_SPARSE_MASK);
	bench_header(b, 0, &b->texture);
	add_config(f, FAA_CONFIG_CONSTANT_BANK, hole, 0xfffc);
	place.handle = 77;
	add_count(b, place, 1, imm(0));
	run(f);
	assert_int_equal(le32toh(words[0]), 2);
	/* A sparse pool: headers of zeros, which are no surfaces. */
	place.handle_kind = FAA_HANDLE_KIND_INDEX;
	add_config(f, FAA_CONFIG_HEADER_POOL, hole, 0xfffff);
	add_count(b, place, 1, imm(0));
	run_error(f, FAA_ERROR_BAD_HEADER, 24, 0, hole + 32 * 77);
	place.handle = 128;
	add_count(b, place, 1, imm(0));
	run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, hole + TB_PAGE);
	/* Read-only pages. */
	pool = map_page(b, other, 0);
	tb_texture_encode(&b->texture, header);
	for (unsigned int w = 0; w < TB_HEADER_WORDS; w++)
		pool[127 * TB_HEADER_WORDS + w] = htole64(header[w]);
	place.handle = 127;
	add_config(f, FAA_CONFIG_HEADER_POOL, other, 127);
	add_count(b, place, 1, imm(0));
	run(f);
	assert_int_equal(le32toh(words[0]), 3);
	/* The last header below 2^48, and the next one. */
	add_config(f, FAA_CONFIG_HEADER_POOL, END - 32 * 128, 1000);
	add_count(b, place, 1, imm(0));
	run_error(f, FAA_ERROR_NOT_MAPPED, 24, 0, END - 32);
	place.handle = 128;
	add_count(b, place, 1, imm(0));
	run_error(f, FAA_ERROR_NON_CANONICAL, 0, 0, END);
	bench_end(b);
}

/* struct change - bits of a header and their new value */
struct change {
	unsigned int high, low;
	uint64_t value;
};

/* struct rule - a good surface and a change of its header that makes it a bad one */
struct rule {
	const char *name;
	enum faa_dim dim;
	struct tb_texture texture;
	struct change change;
	/* The changed header is still good. */
	bool good;
};

#define SHAPE(v, ty, c, w, h, d)                                                                   \
	{                                                                                          \
		.version = FAA_HEADER_VERSION_##v, .type = FAA_TEXTURE_TYPE_##ty, .components = c, \
		.width = w, .height = h, .depth = d, .pitch = 256                                  \
	}
#define FLAT   SHAPE(BLOCKLINEAR, TWO_D, TEXEL_4, 16, 16, 1)
#define KEYED  SHAPE(BLOCKLINEAR_COLOR_KEY, TWO_D, TEXEL_4, 16, 16, 1)
#define PITCH  SHAPE(PITCH, TWO_D, TEXEL_4, 16, 16, 1)
#define PKEYED SHAPE(PITCH_COLOR_KEY, TWO_D, TEXEL_4, 16, 16, 1)
#define SINGLE SHAPE(BLOCKLINEAR, TWO_D_NO_MIPMAP, TEXEL_4, 16, 16, 1)

static const struct rule rules[] = {
	{ "version 5", FAA_DIM_D2, FLAT, { 87, 85, 5 }, false },
	{ "version 6", FAA_DIM_D2, FLAT, { 87, 85, 6 }, false },
	{ "version 7", FAA_DIM_D2, FLAT, { 87, 85, 7 }, false },
	{ "texel 0", FAA_DIM_D2, FLAT, { 6, 0, 0 }, false },
	{ "texel 0x02", FAA_DIM_D2, FLAT, { 6, 0, 2 }, true },
	{ "texel 0x05", FAA_DIM_D2, FLAT, { 6, 0, 5 }, false },
	{ "texel 0x7f", FAA_DIM_D2, PITCH, { 6, 0, 0x7f }, false },
	{ "texel 0x4f", FAA_DIM_D2, FLAT, { 6, 0, 0x4f }, false },
	{ "type 9", FAA_DIM_D2, FLAT, { 154, 151, 9 }, false },
	{ "type 15", FAA_DIM_D2, FLAT, { 154, 151, 15 }, false },
	{ "max level 1 of PITCH", FAA_DIM_D2, PITCH, { 127, 124, 1 }, false },
	{ "max level 8 of PITCH, colour key", FAA_DIM_D2, PKEYED, { 127, 124, 8 }, false },
	{ "max level of a type without mipmap", FAA_DIM_D2, SINGLE, { 127, 124, 1 }, false },
	{ "max level", FAA_DIM_D2, FLAT, { 127, 124, 15 }, true },
	{ "max level, colour key", FAA_DIM_D2, KEYED, { 127, 124, 3 }, true },
	{ "view level 1 of 0", FAA_DIM_D2, FLAT, { 231, 224, 0x11 }, false },
	{ "view level 1 of 0, PITCH", FAA_DIM_D2, PITCH, { 231, 224, 0x21 }, false },
	{ "view levels 0 to 9", FAA_DIM_D2, FLAT, { 231, 224, 0x90 }, true },
	{ "colour key in the place of view levels",
	  FAA_DIM_D2,
	  KEYED,
	  { 255, 224, 0xffffff17 },
	  true },
	{ "colour key in the place of view levels, PITCH",
	  FAA_DIM_D2,
	  PKEYED,
	  { 255, 224, 0xffffff17 },
	  true },
	{ "pitch of one row", FAA_DIM_D2, PITCH, { 111, 96, 2 }, true },
	{ "pitch too small", FAA_DIM_D2, PITCH, { 111, 96, 1 }, false },
	{ "pitch 0", FAA_DIM_D2, PKEYED, { 111, 96, 0 }, false },
	{ "row too long for the pitch", FAA_DIM_D2, PITCH, { 143, 128, 64 }, false },
	{ "row as long as the pitch", FAA_DIM_D2, PITCH, { 143, 128, 63 }, true },
	{ "blocks two GOBs wide", FAA_DIM_D2, FLAT, { 98, 96, 1 }, false },
	{ "blocks 16 GOBs wide", FAA_DIM_D2, FLAT, { 98, 96, 4 }, false },
	{ "tiles two GOBs wide", FAA_DIM_D2, FLAT, { 108, 106, 1 }, false },
	{ "tiles 16 GOBs wide", FAA_DIM_D2, KEYED, { 108, 106, 4 }, false },
	{ "GOB3D", FAA_DIM_D2, FLAT, { 109, 109, 1 }, false },
	{ "blocks 32 GOBs high", FAA_DIM_D2, FLAT, { 101, 99, 5 }, true },
	{ "blocks 64 GOBs high", FAA_DIM_D2, FLAT, { 101, 99, 6 }, false },
	{ "blocks 128 GOBs high", FAA_DIM_D2, KEYED, { 101, 99, 7 }, false },
	{ "blocks 32 GOBs deep", FAA_DIM_D2, FLAT, { 104, 102, 5 }, true },
	{ "blocks 64 GOBs deep", FAA_DIM_D2, FLAT, { 104, 102, 6 }, false },
	{ "sparse", FAA_DIM_D2, FLAT, { 105, 105, 1 }, true },
	{ "array tile alignment", FAA_DIM_D2, FLAT, { 110, 110, 1 }, true },
	{ "reserved bits of the address", FAA_DIM_D2, FLAT, { 84, 80, 31 }, true },
	{ "bits below the address", FAA_DIM_D2, FLAT, { 40, 32, 0x1ff }, true },
	{ "bits below the address, PITCH", FAA_DIM_D2, PITCH, { 36, 32, 31 }, true },
	{ "reserved bit of the version", FAA_DIM_D2, FLAT, { 88, 88, 1 }, true },
	{ "hash and reserved bits", FAA_DIM_D2, FLAT, { 95, 89, 127 }, true },
	{ "filters", FAA_DIM_D2, FLAT, { 123, 112, 0xfff }, true },
	{ "data types and sources", FAA_DIM_D2, FLAT, { 31, 7, 0x1ffffff }, true },
	{ "bits after the width", FAA_DIM_D2, FLAT, { 150, 144, 127 }, true },
	{ "promotion and border", FAA_DIM_D2, FLAT, { 159, 155, 31 }, true },
	{ "layers of 2D", FAA_DIM_D2, FLAT, { 189, 176, 0x3fff }, true },
	{ "coordinates", FAA_DIM_D2, FLAT, { 191, 190, 3 }, true },
	{ "more of filters", FAA_DIM_D2, FLAT, { 223, 192, 0xffffffff }, true },
	{ "samples and reserved bits", FAA_DIM_D2, FLAT, { 255, 232, 0xffffff }, true },
};

static void change_bits(uint64_t words[TB_HEADER_WORDS], const struct change *change)
{
	unsigned int width = change->high - change->low + 1;
	uint64_t mask = ((1ULL << width) - 1) << change->low % 64;

	words[change->low / 64] = (words[change->low / 64] & ~mask) | change->value
									      << change->low % 64;
}

static void every_rule_of_headers(void **state)
{
	struct bench *b = bench_begin(state);
	uint64_t words[TB_HEADER_WORDS];

	for (unsigned int i = 0; i < COUNT(rules); i++) {
		const struct rule *rule = &rules[i];

		bench_surface(b, rule->dim, rule->texture);
		add_count(b, bench_place(b, FAA_CLAMP_TRAP), 1, imm(0));
		run(b->f);
		tb_texture_encode(&b->texture, words);
		change_bits(words, &rule->change);
		bench_header_words(b, BENCH_INDEX, words);
		add_count(b, bench_place(b, FAA_CLAMP_TRAP), 1, imm(0));
		add_end(b->f);
		if (run_raw(b->f) != (rule->good ? FAA_ERROR_SUCCESS : FAA_ERROR_BAD_HEADER))
			fail_msg("%s: error %u", rule->name, le32toh(b->f->status.code));
		assert_int_equal(le64toh(b->f->status.address),
				 rule->good ? 0 : bench_header_va(b, BENCH_INDEX));
	}
	bench_end(b);
}

/* The table of surfaces.rst: bit mask of the types for dim and version. */
static unsigned int types_of(enum faa_dim dim, unsigned int version)
{
	bool pitch = version == FAA_HEADER_VERSION_PITCH ||
		     version == FAA_HEADER_VERSION_PITCH_COLOR_KEY;
	bool buffer = version == FAA_HEADER_VERSION_ONE_D_BUFFER;

	switch (dim) {
	case FAA_DIM_D1:
		return buffer ? 0 : 1 << 0;
	case FAA_DIM_D1_BUFFER:
		return buffer ? 1 << 6 : 0;
	case FAA_DIM_D1_ARRAY:
		return pitch || buffer ? 0 : 1 << 4;
	case FAA_DIM_D2:
		return buffer ? 0 : 1 << 1 | 1 << 7;
	case FAA_DIM_D2_ARRAY:
		return pitch || buffer ? 0 : 1 << 5 | 1 << 3 | 1 << 8;
	default:
		return pitch || buffer ? 0 : 1 << 2;
	}
}

static void every_dim_version_and_type(void **state)
{
	static const struct point origin;
	struct bench *b = bench_begin(state);

	for (unsigned int i = 0; i < 6 * 5 * 16; i++) {
		unsigned int version = i / 16 % 5, type = i % 16;
		struct tb_texture texture = { .version = version,
					      .type = type,
					      .components = TEXEL_4,
					      .width = 8,
					      .height = 8,
					      .depth = 1,
					      .pitch = 32 };

		texture.address = b->memory.va;
		b->dim = i / 80;
		bench_header(b, BENCH_INDEX, &texture);
		bench_registers(b, &origin, 1);
		add_count(b, bench_place(b, FAA_CLAMP_TRAP), 1, reg(BENCH_X));
		add_end(b->f);
		if (run_raw(b->f) != (types_of(b->dim, version) >> type & 1 ? FAA_ERROR_SUCCESS :
									      FAA_ERROR_BAD_HEADER))
			fail_msg("dim %u, version %u, type %u: error %u", b->dim, version, type,
				 le32toh(b->f->status.code));
	}
	bench_end(b);
}

/*
 * Disabled has precedence over every error in a header; only PITCH and BLOCKLINEAR have the levels
 * that disable a surface.
 */
static void disabled_wins(void **state)
{
	struct bench *b = bench_begin(state);

	b->dim = FAA_DIM_D3;
	for (unsigned int version = 0; version < 8; version++) {
		uint64_t words[TB_HEADER_WORDS] = { ~0ULL, ~0ULL, ~0ULL, ~0ULL };
		struct change levels = { 231, 224, 0xef }, number = { 87, 85, version };

		change_bits(words, &levels);
		change_bits(words, &number);
		bench_header_words(b, BENCH_INDEX, words);
		add_count(b, bench_place(b, FAA_CLAMP_TRAP), 32, reg(BENCH_X));
		if (version == FAA_HEADER_VERSION_PITCH ||
		    version == FAA_HEADER_VERSION_BLOCKLINEAR)
			run(b->f);
		else
			run_error(b->f, FAA_ERROR_BAD_HEADER, 0, 0,
				  bench_header_va(b, BENCH_INDEX));
	}
	bench_end(b);
}

/*
 * A surface must end at or below 2^48 with all its levels and layers, whatever part of it is used.
 */
static void end_of_addresses(void **state)
{
	static const struct {
		enum faa_dim dim;
		struct tb_texture texture;
		uint64_t bytes, step;
	} rows[] = {
		{ FAA_DIM_D1_BUFFER, SHAPE(ONE_D_BUFFER, ONE_D_BUFFER, TEXEL_4, 1ULL << 32, 1, 1),
		  1ULL << 34, 1 },
		{ FAA_DIM_D1_BUFFER, SHAPE(ONE_D_BUFFER, ONE_D_BUFFER, TEXEL_1, 4, 1, 1), 4, 1 },
		{ FAA_DIM_D2, SHAPE(PITCH, TWO_D, TEXEL_4, 8, 3, 1), 3 * 256, 32 },
		{ FAA_DIM_D1, SHAPE(PITCH_COLOR_KEY, ONE_D, TEXEL_4, 8, 3, 1), 256, 32 },
		{ FAA_DIM_D2, FLAT, 1024, 512 },
		/* 3 layers of 24576 bytes, as in the worked example. */
		{ FAA_DIM_D2_ARRAY,
		  { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
		    .type = FAA_TEXTURE_TYPE_TWO_D_ARRAY,
		    .components = TEXEL_4,
		    .width = 65,
		    .height = 33,
		    .depth = 3,
		    .gobs_height = 2,
		    .max_level = 5,
		    .view_min = 2,
		    .view_max = 5 },
		  73728,
		  512 },
		/* The largest: 2^14 GOBs by 2^13 rows of them, 2^14 slices. */
		{ FAA_DIM_D3, SHAPE(BLOCKLINEAR, THREE_D, TEXEL_16, 65536, 65536, 16384), END * 4,
		  512 },
		/* 6 * 2^14 layers of 2^36 bytes. */
		{ FAA_DIM_D2_ARRAY,
		  SHAPE(BLOCKLINEAR, CUBEMAP_ARRAY, TEXEL_16, 65536, 65536, 16384), END * 24, 512 },
	};
	static const struct point origin;
	struct bench *b = bench_begin(state);

	for (unsigned int i = 0; i < COUNT(rows); i++) {
		for (unsigned int over = 0; over < 2; over++) {
			struct tb_texture texture = rows[i].texture;
			uint32_t command;

			b->dim = rows[i].dim;
			texture.address =
				rows[i].bytes > END ? 0 : END - rows[i].bytes + over * rows[i].step;
			bench_header(b, BENCH_INDEX, &texture);
			bench_registers(b, &origin, 1);
			command = here(b->f);
			add_suatom(b->f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U16, FAA_SCOPE_GPU,
				   bench_place(b, FAA_CLAMP_IGN), 1, none(), reg(BENCH_X), imm(1),
				   none());
			if (over || rows[i].bytes > END)
				run_error(b->f, FAA_ERROR_BAD_HEADER, command, 0,
					  bench_header_va(b, BENCH_INDEX));
			else
				run_error(b->f, FAA_ERROR_NOT_MAPPED, command, 0,
					  i == 5 ? texture.address + 22528 : texture.address);
		}
	}
	bench_end(b);
}

/*
 * SD types: the lowest lane with a surface sets the signedness for all, even if its coordinates are
 * outside.
 */
static void signs_that_differ(void **state)
{
	static const enum faa_type types[] = { FAA_TYPE_SD32, FAA_TYPE_SD64, FAA_TYPE_U32 };
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	uint32_t *handles = f->in.ptr;

	for (unsigned int i = 0; i < 2 * 3; i++) {
		struct tb_texture texture = row;
		struct faa_place place;
		uint32_t command;

		b->dim = FAA_DIM_D1;
		texture.address = b->memory.va;
		texture.data_type = i % 2 ? FAA_DATA_TYPE_UINT : FAA_DATA_TYPE_SINT;
		bench_header(b, 1, &texture);
		texture.data_type = i % 2 ? FAA_DATA_TYPE_SINT : FAA_DATA_TYPE_FLOAT;
		bench_header(b, 2, &texture);
		texture.view_min = 1;
		bench_header(b, 4, &texture);
		/*
		 * Invalid, disabled, the first surface (outside), the first surface again, the
		 * other one.
		 */
		for (unsigned int lane = 0; lane < 32; lane++)
			handles[lane] = htole32(lane < 3 ? 999 : lane < 5 ? 4 : lane < 9 ? 1 : 2);
		for (unsigned int lane = 0; lane < 32; lane++)
			handles[32 + lane] = htole32(lane < 7 ? 100000 : lane);
		place = bench_place(b, FAA_CLAMP_IGN);
		place.handle_kind = FAA_HANDLE_KIND_REG;
		place.handle = 1;
		add_mov(f, FAA_TYPE_U32, 32, reg(1), stream(FAA_TYPE_U32, f->in.va, 4));
		command = here(f);
		add_suatom(f, 0, FAA_ATOM_OP_MAX, types[i / 2], FAA_SCOPE_GPU, place, 32, none(),
			   stream(FAA_TYPE_U32, f->in.va + 128, 4), imm(1), none());
		if (types[i / 2] == FAA_TYPE_U32)
			run(f);
		else
			run_error(f, FAA_ERROR_BAD_HEADER, command, 9, bench_header_va(b, 2));
		/* Each warp is checked separately. */
		for (unsigned int lane = 0; lane < 32; lane++)
			handles[lane] = htole32(lane < 16 ? 1 : 2);
		add_mov(f, FAA_TYPE_U32, 32, reg(1), stream(FAA_TYPE_U32, f->in.va, 4));
		for (unsigned int half = 0; half < 2; half++) {
			add_setp(f, half ? FAA_CMP_GE : FAA_CMP_LT, FAA_TYPE_U32, 32, 1,
				 affine(0, 1), imm(16));
			f->issue.guard = 1;
			add_suatom(f, 0, FAA_ATOM_OP_MAX, types[i / 2], FAA_SCOPE_GPU, place, 32,
				   none(), affine(0, 1), imm(1), none());
			f->issue.guard = FAA_PT;
		}
		run(f);
	}
	bench_end(b);
}

/* -------------------------------------------------------------------------------------------------
 * Order of errors
 */

/*
 * The steps: operands a, b and c, surfaces, the result stream, the access. Each has its own fault;
 * the faults are removed one by one.
 */
static void order_of_steps(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	const uint64_t hole = 0x70000000;
	uint32_t *x = b->points.ptr;

	bench_surface(b, FAA_DIM_D1, row);
	/* Lane 4 is outside, lane 2 on a page that is not atomic. */
	for (unsigned int lane = 0; lane < 32; lane++)
		x[lane] = htole32(lane == 4 ? 8192 : lane == 2 ? 1024 : lane);
	map_page(b, b->memory.va + TB_PAGE, FAA_PTE_WRITABLE_MASK);
	for (unsigned int good = 0; good < 7; good++) {
		struct faa_place place = bench_place(b, good < 4 ? FAA_CLAMP_TRAP : FAA_CLAMP_IGN);

		add_suatom(f, 0, FAA_ATOM_OP_CAS, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 32,
			   good < 5 ? stream(FAA_TYPE_U32, hole + 0x3000, 4) : reg(2),
			   stream(FAA_TYPE_U32, good < 1 ? hole : b->points.va, 4),
			   good < 2 ? stream(FAA_TYPE_U32, hole + 0x1000, 4) : imm(0),
			   good < 3 ? stream(FAA_TYPE_U32, hole + 0x2000, 4) : imm(1));
		switch (good) {
		case 0:
		case 1:
		case 2:
			run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, hole + 0x1000 * good);
			break;
		case 3:
			run_error(f, FAA_ERROR_TRAP, 0, 4, (uint64_t)BENCH_INDEX << 32 | 8192);
			break;
		case 4:
			run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, hole + 0x3000);
			break;
		case 5:
			run_error(f, FAA_ERROR_NOT_ATOMIC, 0, 2, b->memory.va + TB_PAGE);
			map_page(b, b->memory.va + TB_PAGE, FULL);
			break;
		default:
			run(f);
		}
	}
	bench_end(b);
}

/*
 * In the step of surfaces the lowest lane has precedence; in a lane the order is constant word,
 * header, coordinates.
 */
static void order_of_lanes(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	uint64_t words[TB_HEADER_WORDS] = { 0 };
	uint32_t *handles = f->in.ptr;

	bench_surface(b, FAA_DIM_D1, row);
	bench_header_words(b, 7, words);
	for (unsigned int i = 0; i < 32 * 2; i++) {
		unsigned int first = i / 2, second = 31 - first;
		struct faa_place place = bench_place(b, FAA_CLAMP_TRAP);
		uint32_t command;

		/* Lane first has a bad header and lane second is outside, or vice versa. */
		for (unsigned int lane = 0; lane < 32; lane++) {
			bool bad = lane == first;

			handles[lane] = htole32(bad ? 7 : BENCH_INDEX);
			handles[32 + lane] =
				htole32(lane == second || (bad && i % 2) ? 0xfffffff0 : lane);
		}
		place.handle_kind = FAA_HANDLE_KIND_REG;
		place.handle = 1;
		add_mov(f, FAA_TYPE_U32, 32, reg(1), stream(FAA_TYPE_U32, f->in.va, 4));
		command = here(f);
		add_count(b, place, 32, stream(FAA_TYPE_U32, f->in.va + 128, 4));
		if (first < second)
			run_error(f, FAA_ERROR_BAD_HEADER, command, first, bench_header_va(b, 7));
		else
			run_error(f, FAA_ERROR_TRAP, command, second,
				  (uint64_t)BENCH_INDEX << 32 | 0xfffffff0);
	}
	bench_end(b);
}

/* TRAP names the first of three coordinates that are outside. */
static void order_of_coordinates(void **state)
{
	static const struct tb_texture box = { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
					       .type = FAA_TEXTURE_TYPE_THREE_D,
					       .components = TEXEL_4,
					       .width = 16,
					       .height = 9,
					       .depth = 5 };
	static const struct tb_texture array = { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
						 .type = FAA_TEXTURE_TYPE_TWO_D_ARRAY,
						 .components = TEXEL_4,
						 .width = 16,
						 .height = 9,
						 .depth = 5 };
	struct bench *b = bench_begin(state);

	for (unsigned int i = 0; i < 2 * 2 * 8; i++) {
		bool layers = i / 8 % 2, packed = i / 16;
		struct point p = { i & 1 ? -5 : 15, i & 2 ? 9 : 8, i & 4 ? -1 : 4 };
		struct faa_place place;
		struct faa_operand a = reg(BENCH_X);
		uint32_t command;

		bench_surface(b, layers ? FAA_DIM_D2_ARRAY : FAA_DIM_D3, layers ? array : box);
		place = bench_place(b, FAA_CLAMP_TRAP);
		place.packed = packed;
		if (packed)
			a = bench_packed(b, &p, 1);
		else
			bench_registers(b, &p, 1);
		command = here(b->f);
		add_count(b, place, 1, a);
		if (i & 1)
			run_error(b->f, FAA_ERROR_TRAP, command, 0,
				  (uint64_t)BENCH_INDEX << 32 | 0xfffffffb);
		else if (i & 2)
			run_error(b->f, FAA_ERROR_TRAP, command, 0,
				  1ULL << 52 | (uint64_t)BENCH_INDEX << 32 | 9);
		else if (i & 4)
			run_error(b->f, FAA_ERROR_TRAP, command, 0,
				  2ULL << 52 | (uint64_t)BENCH_INDEX << 32 |
					  (layers ? 0xffff : 0xffffffff));
		else
			run(b->f);
	}
	bench_end(b);
}

/* 16 bits of a layer are used, whatever the bits above; TRAP reports these 16 bits. */
static void layers_have_16_bits(void **state)
{
	static const struct tb_texture array = { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
						 .type = FAA_TEXTURE_TYPE_ONE_D_ARRAY,
						 .components = TEXEL_4,
						 .width = 16,
						 .height = 1,
						 .depth = 5 };
	struct bench *b = bench_begin(state);
	const uint32_t *words = b->memory.ptr;

	bench_surface(b, FAA_DIM_D1_ARRAY, array);
	for (uint64_t above = 0; above < 0x10000; above += 0x3333) {
		memset(b->memory.ptr, 0, 4096);
		add_count(b, bench_place(b, FAA_CLAMP_TRAP), 1, imm(2 | (above << 16 | 4) << 32));
		run(b->f);
		assert_int_equal(le32toh(words[bench_offset(b, 8, 4, 0) / 4]), 1);
		add_count(b, bench_place(b, FAA_CLAMP_TRAP), 1,
			  imm(2 | (above << 16 | 0x8005) << 32));
		run_error(b->f, FAA_ERROR_TRAP, 0, 0,
			  1ULL << 52 | (uint64_t)BENCH_INDEX << 32 | 0x8005);
		add_count(b, bench_place(b, FAA_CLAMP_NEAR), 1,
			  imm(2 | (above << 16 | 0xffff) << 32));
		run(b->f);
		assert_int_equal(le32toh(words[bench_offset(b, 8, 4, 0) / 4]), 2);
		add_count(b, bench_place(b, FAA_CLAMP_IGN), 1, imm(2 | (above << 16 | 5) << 32));
		run(b->f);
		assert_int_equal(le32toh(words[bench_offset(b, 8, 4, 0) / 4]), 2);
	}
	bench_end(b);
}

/* -------------------------------------------------------------------------------------------------
 * The access
 */

/*
 * Bytes that are not aligned to the item: x of .BA, and the base of a buffer. The error precedes
 * those of the page, and follows those of the result stream.
 */
static void misaligned(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	for (unsigned int bytes = 2; bytes <= 8; bytes *= 2) {
		enum faa_type type = bytes == 2 ? FAA_TYPE_U16 :
				     bytes == 4 ? FAA_TYPE_S32 :
						  FAA_TYPE_U64;

		for (unsigned int low = 0; low < 8; low++) {
			struct tb_texture buffer =
				SHAPE(ONE_D_BUFFER, ONE_D_BUFFER, TEXEL_8, 10, 1, 1);
			struct faa_place place;

			bench_surface(b, FAA_DIM_D1, row);
			place = bench_place(b, FAA_CLAMP_TRAP);
			place.ba = 1;
			add_suatom(f, 0, FAA_ATOM_OP_MAX, type, FAA_SCOPE_GPU, place, 1, none(),
				   imm(64 + low), imm(0), none());
			if (low % bytes)
				run_error(f, FAA_ERROR_MISALIGNED, 0, 0, b->memory.va + 64 + low);
			else
				run(f);
			/* The same for an unmapped address. */
			buffer.address = 0x7000ULL + low;
			b->dim = FAA_DIM_D1_BUFFER;
			bench_header(b, BENCH_INDEX, &buffer);
			add_suatom(f, 0, FAA_ATOM_OP_MAX, type, FAA_SCOPE_GPU,
				   bench_place(b, FAA_CLAMP_TRAP), 1, none(), imm(3), imm(0),
				   none());
			run_error(f, low % bytes ? FAA_ERROR_MISALIGNED : FAA_ERROR_NOT_MAPPED, 0,
				  0, 0x7000 + low + 3 * bytes);
			add_suatom(f, 0, FAA_ATOM_OP_MAX, type, FAA_SCOPE_GPU,
				   bench_place(b, FAA_CLAMP_TRAP), 1,
				   stream(FAA_TYPE_U16, 0x9000, 2), imm(3), imm(0), none());
			run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, 0x9000);
		}
	}
	bench_end(b);
}

/*
 * One bad lane in the second warp, at each lane: the first warp is complete, the second has no
 * effect, also none on Ps.
 */
static void one_bad_lane(void **state)
{
	static const struct {
		uint64_t flags;
		uint32_t code;
	} pages[] = {
		{ 0, FAA_ERROR_NOT_WRITABLE },
		{ FAA_PTE_ATOMIC_MASK, FAA_ERROR_NOT_WRITABLE },
		{ FAA_PTE_WRITABLE_MASK, FAA_ERROR_NOT_ATOMIC },
		{ FAA_PTE_WRITABLE_MASK | FAA_PTE_SPARSE_MASK, FAA_ERROR_NOT_ATOMIC },
	};
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	uint32_t *words = b->memory.ptr, *x = b->points.ptr, *status = f->out.ptr;

	bench_surface(b, FAA_DIM_D1, row);
	for (unsigned int i = 0; i < (COUNT(pages) + 1) * 32; i++) {
		unsigned int bad = i % 32, page = i / 32;
		struct faa_place place = bench_place(b, FAA_CLAMP_TRAP);
		uint64_t va = b->memory.va + TB_PAGE;
		uint32_t command;

		place.ps = 3;
		memset(b->memory.ptr, 0, TB_PAGE);
		memset(b->results.ptr, 0xee, 256);
		for (unsigned int e = 0; e < 64; e++)
			x[e] = htole32(e);
		x[32 + bad] = htole32(page < COUNT(pages) ? 1024 + bad : 8192 + bad);
		if (page < COUNT(pages))
			map_page(b, va, pages[page].flags);
		add_setp(f, FAA_CMP_LT, FAA_TYPE_U32, 32, 3, affine(0, 1), imm(9));
		command = here(f);
		add_suatom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 64,
			   stream(FAA_TYPE_U32, b->results.va, 4),
			   stream(FAA_TYPE_U32, b->points.va, 4), imm(1), none());
		add_count(b, place, 1, imm(100));
		if (page < COUNT(pages))
			run_error(f, pages[page].code, command, 32 + bad, va + 4 * bad);
		else
			run_error(f, FAA_ERROR_TRAP, command, 32 + bad,
				  (uint64_t)BENCH_INDEX << 32 | (8192 + bad));
		assert_int_equal(f->status.elements_retired, 64);
		assert_int_equal(f->status.warps, 2);
		for (unsigned int e = 0; e < 1024; e++)
			assert_int_equal(words[e], htole32(e < 32));
		for (unsigned int e = 0; e < 64; e++)
			assert_int_equal(((uint32_t *)b->results.ptr)[e], e < 32 ? 0 : 0xeeeeeeee);
		/* The first warp has made Ps false. */
		f->issue.guard = 3;
		add_st(f, FAA_TYPE_U32, 32, affine(f->out.va, 4), 0, imm(1));
		f->issue.guard = FAA_PT;
		run(f);
		for (unsigned int lane = 0; lane < 32; lane++)
			assert_int_equal(status[lane], 0);
	}
	bench_end(b);
}

/*
 * 320 counts, of which element 256 is bad until the host has changed the header; then the job
 * continues there.
 */
static void restart(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	struct tb_texture texture = row;
	const uint32_t *words = b->memory.ptr;
	struct faa_job_desc desc;
	uint32_t job, bytes;

	texture.width = 256;
	texture.pitch = 1024;
	bench_surface(b, FAA_DIM_D1, texture);
	add_suatom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
		   bench_place(b, FAA_CLAMP_TRAP), 320, none(), affine(0, 1), affine(1, 1), none());
	add_end(f);
	bytes = f->count * 8;
	assert_int_equal(run_raw(f), FAA_ERROR_TRAP);
	assert_int_equal(le32toh(f->status.element), 256);
	assert_int_equal(le64toh(f->status.elements_retired), 256);
	bench_surface(b, FAA_DIM_D1, row);
	desc = tb_desc(f->queue, f->code.va, bytes);
	desc.first_element = htole32(le32toh(f->status.element) & ~31u);
	job = tb_push(f->queue, &desc);
	tb_doorbell(f->queue);
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(le32toh(tb_status(f->queue, job)->code), FAA_ERROR_SUCCESS);
	assert_int_equal(le64toh(tb_status(f->queue, job)->elements_retired), 64);
	for (unsigned int e = 0; e < 1024; e++)
		assert_int_equal(le32toh(words[e]), e < 320 ? e + 1 : 0);
	bench_end(b);
}

/*
 * No memory at the address of the bank's page, the header's, the texel's: BUS_ERROR with the line.
 */
static void bus_errors(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;
	const uint64_t va = 0x71000000;
	struct faa_place place;

	f->host->allow_bus_errors = true;
	*tb_vm_entry(f->vm, va, 0) =
		htole64(TB_NO_MEMORY | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | FULL);
	bench_surface(b, FAA_DIM_D1, row);
	place = bench_place(b, FAA_CLAMP_TRAP);
	place.handle_kind = FAA_HANDLE_KIND_BANK;
	place.handle = 0x53;
	add_config(f, FAA_CONFIG_CONSTANT_BANK, va, 4096);
	add_count(b, place, 1, imm(0));
	add_end(f);
	assert_int_equal(run_raw(f), FAA_ERROR_BUS_ERROR);
	assert_int_equal(le64toh(f->status.address), TB_NO_MEMORY + 0x140);
	place.handle_kind = FAA_HANDLE_KIND_INDEX;
	place.handle = 5;
	add_config(f, FAA_CONFIG_HEADER_POOL, va, 100);
	add_count(b, place, 1, imm(0));
	add_end(f);
	assert_int_equal(run_raw(f), FAA_ERROR_BUS_ERROR);
	assert_int_equal(le64toh(f->status.address), TB_NO_MEMORY + 0x80);
	b->texture.address = va;
	bench_header(b, BENCH_INDEX, &b->texture);
	add_config(f, FAA_CONFIG_HEADER_POOL, b->pool.va, 100);
	add_count(b, bench_place(b, FAA_CLAMP_TRAP), 1, imm(33));
	add_end(f);
	assert_int_equal(run_raw(f), FAA_ERROR_BUS_ERROR);
	assert_int_equal(le64toh(f->status.address), TB_NO_MEMORY + 0x80);
	/* The queue continues to work. */
	run(f);
	bench_end(b);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(bank_range),
		FIXTURE_TEST(pages_of_bank_and_pool),
		FIXTURE_TEST(every_rule_of_headers),
		FIXTURE_TEST(every_dim_version_and_type),
		FIXTURE_TEST(disabled_wins),
		FIXTURE_TEST(end_of_addresses),
		FIXTURE_TEST(signs_that_differ),
		FIXTURE_TEST(order_of_steps),
		FIXTURE_TEST(order_of_lanes),
		FIXTURE_TEST(order_of_coordinates),
		FIXTURE_TEST(layers_have_16_bits),
		FIXTURE_TEST(misaligned),
		FIXTURE_TEST(one_bad_lane),
		FIXTURE_TEST(restart),
		FIXTURE_TEST(bus_errors),
	};

	return fixture_main(argc, argv, "surface-fault", tests, sizeof(tests) / sizeof(tests[0]));
}
