// SPDX-License-Identifier: MIT
/*
 * Addresses of texels: surfaces and coordinates of tests/vectors/blocklinear.tsv, which were
 * calculated outside of this project. Only the page of the surface with the given offset is mapped,
 * and only the item in it may change.
 */
#include <endian.h>
#include <string.h>

#include "fixture.h"
#include "tb_texture.h"

/* struct vector - a row */
struct vector {
	enum faa_header_version version;
	enum faa_dim dim;
	unsigned int id;
	unsigned int el_size;
	uint64_t width;
	unsigned int height, depth, layers, pitch;
	unsigned int log2_gobs_h, log2_gobs_d;
	unsigned int num_levels, level;
	uint64_t x, y, z, layer, x_byte, off_tx1;
};

#include "surface_vectors.h"

#define VECTORS	   (sizeof(vectors) / sizeof(vectors[0]))
#define SURFACE_VA 0x123400000000ULL
#define POOL_INDEX 77u
#define OLD	   0xc5
#define NEW	   0x0123456789abcdefULL

static struct tb_texture texture_of(const struct vector *v)
{
	static const enum faa_texture_type types[] = {
		[FAA_DIM_D1] = FAA_TEXTURE_TYPE_ONE_D,
		[FAA_DIM_D1_BUFFER] = FAA_TEXTURE_TYPE_ONE_D_BUFFER,
		[FAA_DIM_D1_ARRAY] = FAA_TEXTURE_TYPE_ONE_D_ARRAY,
		[FAA_DIM_D2] = FAA_TEXTURE_TYPE_TWO_D,
		[FAA_DIM_D2_ARRAY] = FAA_TEXTURE_TYPE_TWO_D_ARRAY,
		[FAA_DIM_D3] = FAA_TEXTURE_TYPE_THREE_D,
	};
	struct tb_texture texture = {
		.version = v->version,
		.type = types[v->dim],
		.components = v->el_size == 8 ? 0x04 : 0x0f,
		.data_type = FAA_DATA_TYPE_UINT,
		.address = SURFACE_VA,
		.width = v->width,
		.height = v->height,
		.depth = v->depth > 1 ? v->depth : v->layers,
		.pitch = v->pitch,
		.gobs_height = v->log2_gobs_h,
		.gobs_depth = v->log2_gobs_d,
		.max_level = v->num_levels - 1,
		.view_min = v->level,
		.view_max = v->num_levels - 1,
	};

	return texture;
}

/* Puts the coordinates into R4, R5 and R6 of every lane. */
static void add_coordinates(struct fixture *f, const struct vector *v, uint64_t x)
{
	bool array = v->dim == FAA_DIM_D1_ARRAY || v->dim == FAA_DIM_D2_ARRAY;
	uint64_t values[3] = { x, v->y, v->z };

	if (array)
		values[v->dim == FAA_DIM_D1_ARRAY ? 1 : 2] = v->layer;
	for (unsigned int i = 0; i < 3; i++)
		add_mov(f, FAA_TYPE_U32, 32, reg(4 + i), imm(values[i]));
}

static void check_page(const struct vector *v, const uint8_t *page, const char *how)
{
	uint8_t expected[TB_PAGE];
	uint64_t new = htole64(NEW);

	memset(expected, OLD, sizeof(expected));
	memcpy(expected + v->off_tx1 % TB_PAGE, &new, v->el_size);
	for (unsigned int i = 0; i < TB_PAGE; i++)
		if (page[i] != expected[i])
			fail_msg("row %u, %s: byte 0x%llx is 0x%02x, not 0x%02x", v->id, how,
				 (unsigned long long)(v->off_tx1 - v->off_tx1 % TB_PAGE + i),
				 page[i], expected[i]);
}

/* One lane exchanges the texel: x in texels, then in bytes. */
static void run_vector(struct fixture *f, struct tb_buffer *page, const struct vector *v)
{
	uint64_t va = SURFACE_VA + v->off_tx1 / TB_PAGE * TB_PAGE;
	struct tb_texture texture = texture_of(v);
	uint64_t *headers = f->in.ptr, words[TB_HEADER_WORDS];

	tb_texture_encode(&texture, words);
	for (unsigned int i = 0; i < TB_HEADER_WORDS; i++)
		headers[POOL_INDEX * TB_HEADER_WORDS + i] = htole64(words[i]);
	tb_vm_map(f->vm, va, page->dma, TB_PAGE, FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
	for (unsigned int ba = 0; ba < 2; ba++) {
		struct faa_place place = { .dim = v->dim,
					   .clamp = FAA_CLAMP_TRAP,
					   .handle_kind = FAA_HANDLE_KIND_INDEX,
					   .handle = POOL_INDEX,
					   .ba = ba,
					   .ps = FAA_PT };

		memset(page->ptr, OLD, TB_PAGE);
		add_config(f, FAA_CONFIG_HEADER_POOL, f->in.va, POOL_INDEX);
		add_coordinates(f, v, ba ? v->x_byte : v->x);
		add_suatom(f, 0, FAA_ATOM_OP_EXCH, v->el_size == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32,
			   FAA_SCOPE_GPU, place, 1, none(), reg(4), imm(NEW), none());
		run(f);
		check_page(v, page->ptr, ba ? "x in bytes" : "x in texels");
	}
	tb_vm_unmap(f->vm, va, TB_PAGE);
	assert_true(tb_vm_invalidate(f->vm, va, va + TB_PAGE - 1));
}

static void every_row(void **state)
{
	struct fixture *f = *state;
	struct tb_buffer page;

	needs_feature(f, FAA_FEATURE_SURFACE_ATOMICS);
	page = atomic_buffer(f, TB_PAGE);
	for (unsigned int i = 0; i < VECTORS; i++)
		run_vector(f, &page, &vectors[i]);
	print_message("# %zu rows\n", VECTORS);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(every_row),
	};

	return fixture_main(argc, argv, "surface-vectors", tests, sizeof(tests) / sizeof(tests[0]));
}
