/* SPDX-License-Identifier: MIT */
/**
 * DOC: Bench of the tests of SUATOM
 *
 * A bench has memory for one surface with unmapped pages on both sides, a pool of texture headers,
 * a constant bank, and the offset of each byte of the surface. The offsets come from a walk through
 * memory in the order of GOBs, blocks, slabs, levels and layers, not from the formulas of
 * surfaces.rst.
 */
#ifndef SURFACE_H
#define SURFACE_H

#include "fixture.h"
#include "tb_texture.h"

#define BENCH_BYTES 65536u
/** BENCH_HEADERS - headers in the pool */
#define BENCH_HEADERS 16u
/** BENCH_INDEX - the header of the bench's own surface */
#define BENCH_INDEX 3u
/** BENCH_BANK_WORDS - words of the constant bank */
#define BENCH_BANK_WORDS 64u
/** BENCH_POINTS - limit of points of bench_points() */
#define BENCH_POINTS 8192u
/** BENCH_X - register of x; y and z or a layer are in the next ones */
#define BENCH_X 4u

/** struct bench - a device and a surface */
struct bench {
	struct fixture *f;
	struct tb_buffer memory;
	struct tb_buffer pool;
	struct tb_buffer bank;
	struct tb_buffer points;
	struct tb_buffer results;
	struct tb_texture texture;
	enum faa_dim dim;
	/** @row: bytes of a row of the level that is used */
	unsigned int row;
	/** @sizes: of the level: rows, slices, layers */
	unsigned int height, depth, layers;
	/** @offsets: of each byte of the level in the memory, by layer, slice, row, byte */
	uint32_t *offsets;
};

/** struct point - coordinates as the command has them, layers too */
struct point {
	int64_t x;
	int64_t second;
	int64_t third;
};

/**
 * bench_begin() - a bench on the test's device; skips the test on one without SUATOM; sets pool and
 * bank
 */
struct bench *bench_begin(void **state);
void bench_end(struct bench *b);
/** bench_offers() - whether the device has a type, with a mask of enum faa_float_mode */
bool bench_offers(const struct bench *b, enum faa_type type, unsigned int mode);
/** bench_surface() - make the surface @texture, whose address is relative to the bench's memory */
void bench_surface(struct bench *b, enum faa_dim dim, struct tb_texture texture);
/** bench_header() - write header @index of the pool */
void bench_header(struct bench *b, unsigned int index, const struct tb_texture *texture);
/** bench_header_words() - the same from words */
void bench_header_words(struct bench *b, unsigned int index, const uint64_t words[TB_HEADER_WORDS]);
/** bench_header_va() - address of header @index */
uint64_t bench_header_va(const struct bench *b, unsigned int index);
/** bench_place() - SUATOM of the bench's surface with clamp @clamp and without Ps */
struct faa_place bench_place(const struct bench *b, enum faa_clamp clamp);
/** bench_coordinates() - coordinates of a dimension: 1 to 3 */
unsigned int bench_coordinates(enum faa_dim dim);
/** bench_has_layer() - whether the last coordinate is a layer */
bool bench_has_layer(enum faa_dim dim);
/** bench_offset() - offset of byte @xb in the memory; coordinates must be inside */
uint32_t bench_offset(const struct bench *b, uint64_t xb, uint64_t second, uint64_t third);
/** bench_registers() - appends commands that load up to 32 points into registers BENCH_X and up */
void bench_registers(struct bench *b, const struct point *points, unsigned int count);
/** bench_packed() - operand a of up to BENCH_POINTS points with 16-bit coordinates, from memory */
struct faa_operand bench_packed(struct bench *b, const struct point *points, unsigned int count);
/** bench_fill() - pattern in all of the memory; the same in @copy, of BENCH_BYTES bytes */
void bench_fill(struct bench *b, uint8_t *copy);
/**
 * bench_compare() - fails unless the memory equals @expected; @what names the test in the message
 */
void bench_compare(const struct bench *b, const uint8_t *expected, const char *what);

/** TEXEL_1 to TEXEL_16 - COMPONENTS of texels of 1 to 16 bytes */
enum {
	TEXEL_1 = 0x1d,
	TEXEL_2 = 0x1b,
	TEXEL_4 = 0x0f,
	TEXEL_8 = 0x04,
	TEXEL_12 = 0x02,
	TEXEL_16 = 0x01
};

#endif /* SURFACE_H */
