// SPDX-License-Identifier: MIT
/* Surfaces of a VM, header pools and constant banks, and SUATOM with them on the model. */
#include "check.h"

#include <errno.h>
#include <string.h>

#include "check_alloc.h"
#include "decode.h"
#include "device.h"
#include "fake_kernel.h"
#include "fixture_fake.h"

#define CODE_BYTES (4 * PAGE)
/* Offset of the results of a command. */
#define RESULTS	   CODE_BYTES
#define POINTS	   (CODE_BYTES + PAGE)
#define WORK_BYTES (CODE_BYTES + 2 * PAGE)

static int setup(void **state)
{
	(void)state;
	fixture_open(WORK_BYTES, NULL);
	return 0;
}

/* Runs the stream, which is then empty. */
static void run(struct faa_job_status *status)
{
	struct faa_job job = { .stream_va = va };

	faa_stream_end(stream);
	if (faa_stream_upload(stream, bo, 0))
		fail_msg("%s", faa_stream_error(stream));
	job.stream_bytes = faa_stream_bytes(stream);
	faa_queue_run(queue, &job, FAA_NO_DEADLINE, status);
	faa_stream_reset(stream);
}

static void expect_success(void)
{
	struct faa_job_status status;
	char text[256];

	run(&status);
	if (!status.code)
		return;
	faa_status_format(&status, NULL, 0, text, sizeof(text));
	fail_msg("%s", text);
}

static const struct faa_surface_desc image = { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
					       .type = FAA_TEXTURE_TYPE_TWO_D,
					       .texel = FAA_TEXEL_R32,
					       .data_type = FAA_DATA_TYPE_UINT,
					       .width = 100,
					       .height = 40,
					       .log2_gobs_y = 1 };

static struct faa_surface *create(const struct faa_surface_desc *desc)
{
	struct faa_surface *surface;
	const char *why;

	if (faa_surface_create(vm, desc, &surface, &why))
		fail_msg("%s", why ? why : "no memory");
	return surface;
}

/* The surface's header in the pool. */
static uint32_t add(struct faa_header_pool *pool, const struct faa_surface *surface,
		    const struct faa_surface_view *view)
{
	uint32_t header[FAA_HEADER_WORDS], index;
	const char *why;

	if (faa_surface_encode(faa_surface_info(surface), view, faa_surface_va(surface), header,
			       &why))
		fail_msg("%s", why);
	assert_int_equal(faa_header_pool_add(pool, header, &index), 0);
	return index;
}

static uint32_t add_all(struct faa_header_pool *pool, const struct faa_surface *surface)
{
	struct faa_surface_view view = faa_surface_view(faa_surface_info(surface));

	return add(pool, surface, &view);
}

static void memory_of_a_surface(void **state)
{
	struct faa_surface *surface = create(&image);
	static uint32_t texels[40][100], back[40][100];
	struct faa_surface_box box = faa_surface_box(faa_surface_info(surface), 0);
	struct faa_linear linear = { texels, 0, 0 };
	uint32_t x, y;
	void *address;

	(void)state;
	assert_int_equal(faa_surface_info(surface)->size, 21504);
	assert_int_equal(faa_bo_size(faa_surface_bo(surface)), 24576);
	assert_int_equal(faa_surface_va(surface) % 512, 0);
	for (y = 0; y < 40; y++)
		for (x = 0; x < 100; x++)
			texels[y][x] = 1000 * y + x;
	assert_int_equal(faa_surface_upload(surface, &box, &linear), 0);
	assert_int_equal(faa_bo_map(faa_surface_bo(surface), &address), 0);
	assert_int_equal(*(uint32_t *)((uint8_t *)address + 9396), 21037);
	linear.texels = back;
	assert_int_equal(faa_surface_download(surface, &box, &linear), 0);
	assert_memory_equal(texels, back, sizeof(texels));
	box.width = 101;
	assert_int_equal(faa_surface_download(surface, &box, &linear), -EINVAL);
	faa_surface_destroy(surface);
	faa_surface_destroy(NULL);
}

static void bad_surfaces(void **state)
{
	struct faa_surface_desc desc = image;
	struct faa_surface *surface;
	const char *why;

	(void)state;
	desc.width = 65537;
	assert_int_equal(faa_surface_create(vm, &desc, &surface, &why), -EINVAL);
	assert_null(surface);
	assert_non_null(strstr(why, "width"));
	assert_int_equal(faa_surface_create(vm, &desc, &surface, NULL), -EINVAL);
}

static void places_of_a_pool(void **state)
{
	uint32_t header[FAA_HEADER_WORDS] = { 0 }, index;
	struct faa_header_pool *pool;

	(void)state;
	assert_int_equal(faa_header_pool_create(vm, 0, &pool), -EINVAL);
	assert_null(pool);
	assert_int_equal(faa_header_pool_create(vm, (1 << 20) + 1, &pool), -EINVAL);
	assert_int_equal(faa_header_pool_create(vm, 3, &pool), 0);
	assert_int_equal(faa_header_pool_add(pool, header, &index), 0);
	assert_int_equal(index, 0);
	assert_int_equal(faa_header_pool_add(pool, header, &index), 0);
	assert_int_equal(index, 1);
	assert_int_equal(faa_header_pool_replace(pool, 1, header), 0);
	assert_int_equal(faa_header_pool_replace(pool, 2, header), -ENOENT);
	assert_int_equal(faa_header_pool_replace(pool, 3, header), -ENOENT);
	assert_int_equal(faa_header_pool_remove(pool, 0), 0);
	assert_int_equal(faa_header_pool_remove(pool, 0), -ENOENT);
	assert_int_equal(faa_header_pool_remove(pool, 3), -ENOENT);
	assert_int_equal(faa_header_pool_add(pool, header, &index), 0);
	assert_int_equal(index, 0);
	assert_int_equal(faa_header_pool_add(pool, header, &index), 0);
	assert_int_equal(index, 2);
	assert_int_equal(faa_header_pool_add(pool, header, &index), -ENOSPC);
	faa_header_pool_destroy(pool);
	faa_header_pool_destroy(NULL);
}

static void words_of_a_bank(void **state)
{
	struct faa_constant_bank *bank;

	(void)state;
	assert_int_equal(faa_constant_bank_create(vm, 0, &bank), -EINVAL);
	assert_null(bank);
	assert_int_equal(faa_constant_bank_create(vm, FAA_CONSTANT_WORDS + 1, &bank), -EINVAL);
	assert_int_equal(faa_constant_bank_create(vm, FAA_CONSTANT_WORDS, &bank), 0);
	assert_int_equal(faa_constant_bank_set(bank, FAA_CONSTANT_WORDS - 1, 1), 0);
	assert_int_equal(faa_constant_bank_set(bank, FAA_CONSTANT_WORDS, 1), -EINVAL);
	faa_constant_bank_destroy(bank);
	faa_constant_bank_destroy(NULL);
}

static uint32_t texel(struct faa_surface *surface, uint32_t x, uint32_t y)
{
	struct faa_surface_box box = { .x = x, .y = y, .width = 1, .height = 1, .slices = 1 };
	uint32_t value;
	struct faa_linear linear = { &value, 0, 0 };

	assert_int_equal(faa_surface_download(surface, &box, &linear), 0);
	return value;
}

/* The three ways to name a surface, and one that does not exist. */
static void handles(void **state)
{
	struct faa_place by_index, by_word = faa_place_bank(FAA_DIM_D2, FAA_CLAMP_IGN, 7);
	struct faa_place by_register = faa_place_reg(FAA_DIM_D2, FAA_CLAMP_IGN, 9);
	struct faa_operand at = faa_imm(21ull << 32 | 37), none = faa_none();
	struct faa_surface *one = create(&image), *other = create(&image);
	uint32_t *results = (uint32_t *)(memory + RESULTS), first, second;
	struct faa_constant_bank *bank;
	struct faa_header_pool *pool;
	struct faa_place place;
	const uint64_t *words;
	size_t count;

	(void)state;
	assert_int_equal(faa_header_pool_create(vm, 4, &pool), 0);
	assert_int_equal(faa_constant_bank_create(vm, 8, &bank), 0);
	first = add_all(pool, one);
	second = add_all(pool, other);
	assert_int_equal(faa_constant_bank_set(bank, 7, 0xabc00000 | second), 0);
	by_index = faa_place_header(FAA_DIM_D2, FAA_CLAMP_IGN, first);
	faa_header_pool_config(pool, stream);
	/* The device expects the last index, not the number of headers. */
	words = faa_stream_words(stream, &count);
	assert_int_equal(words[count - 1], 3);
	faa_constant_bank_config(bank, stream);
	faa_stream_sured(stream, &by_index, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, 32, at, faa_imm(1), none);
	faa_stream_sured(stream, &by_word, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, 32, at, faa_imm(10), none);
	faa_stream_mov(stream, FAA_TYPE_U32, 32, faa_reg(9), faa_imm(first));
	faa_stream_suatom(stream, &by_register, FAA_ATOM_OP_EXCH, FAA_TYPE_U32, FAA_SCOPE_GPU,
			  FAA_ORDER_RELAXED, 1, faa_array_u32(va + RESULTS, 4), at, faa_imm(5),
			  none);
	expect_success();
	assert_int_equal(results[0], 32);
	assert_int_equal(texel(one, 37, 21), 5);
	assert_int_equal(texel(other, 37, 21), 320);
	assert_int_equal(texel(other, 36, 21), 0);
	/*
	 * Removed: reads 0, drops stores; without CONFIG, the configuration of the queue still
	 * applies.
	 */
	assert_int_equal(faa_header_pool_remove(pool, second), 0);
	results[0] = 77;
	place = faa_place_header(FAA_DIM_D2, FAA_CLAMP_TRAP, second);
	faa_stream_suatom(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			  FAA_ORDER_RELAXED, 1, faa_array_u32(va + RESULTS, 4), at, faa_imm(1),
			  none);
	expect_success();
	assert_int_equal(results[0], 0);
	assert_int_equal(texel(other, 37, 21), 320);
	/* Helper lanes are inactive. */
	faa_stream_config_helpers(stream, 0x0000ffff);
	faa_stream_sured(stream, &by_index, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, 32, at, faa_imm(1), none);
	expect_success();
	assert_int_equal(texel(one, 37, 21), 5 + 16);
	faa_header_pool_destroy(pool);
	faa_constant_bank_destroy(bank);
	faa_surface_destroy(other);
	faa_surface_destroy(one);
}

/* A description and the device's coordinates of the last texel of a level. */
struct kind {
	struct faa_surface_desc desc;
	uint32_t level;
	uint32_t first_layer;
};

static const struct kind kinds[] = {
	{ { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
	    .type = FAA_TEXTURE_TYPE_ONE_D,
	    .texel = FAA_TEXEL_R32,
	    .width = 77,
	    .levels = 3,
	    .log2_gobs_y = 3 },
	  1,
	  0 },
	{ { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
	    .type = FAA_TEXTURE_TYPE_ONE_D_ARRAY,
	    .texel = FAA_TEXEL_R32,
	    .width = 77,
	    .layers = 9,
	    .levels = 2 },
	  1,
	  3 },
	{ { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
	    .type = FAA_TEXTURE_TYPE_TWO_D,
	    .texel = FAA_TEXEL_R32,
	    .width = 77,
	    .height = 66,
	    .levels = 4,
	    .log2_gobs_y = 2 },
	  2,
	  0 },
	{ { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
	    .type = FAA_TEXTURE_TYPE_TWO_D_ARRAY,
	    .texel = FAA_TEXEL_R32,
	    .width = 40,
	    .height = 66,
	    .layers = 5,
	    .levels = 4,
	    .log2_gobs_y = 2 },
	  1,
	  2 },
	{ { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
	    .type = FAA_TEXTURE_TYPE_THREE_D,
	    .texel = FAA_TEXEL_R32,
	    .width = 40,
	    .height = 20,
	    .depth = 11,
	    .levels = 3,
	    .log2_gobs_y = 2,
	    .log2_gobs_z = 2 },
	  1,
	  0 },
	{ { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
	    .type = FAA_TEXTURE_TYPE_CUBEMAP_ARRAY,
	    .texel = FAA_TEXEL_R32,
	    .width = 16,
	    .height = 16,
	    .layers = 12,
	    .levels = 2 },
	  1,
	  6 },
	{ { .version = FAA_HEADER_VERSION_PITCH,
	    .type = FAA_TEXTURE_TYPE_TWO_D_NO_MIPMAP,
	    .texel = FAA_TEXEL_R32,
	    .width = 77,
	    .height = 31 },
	  0,
	  0 },
	{ { .version = FAA_HEADER_VERSION_ONE_D_BUFFER,
	    .type = FAA_TEXTURE_TYPE_ONE_D_BUFFER,
	    .texel = FAA_TEXEL_R32,
	    .width = 777 },
	  0,
	  0 },
};

/* Random places of the view, packed if the dimension can be. */
static struct faa_surface_at random_place(uint64_t *seed, const struct faa_surface_layout *layout,
					  const struct kind *kind, uint64_t *packed)
{
	const struct faa_surface_level *level = &layout->level[kind->level];
	struct faa_surface_at at = {
		.level = kind->level,
		.x = check_random(seed) % level->width,
		.y = check_random(seed) % level->height,
		.z = check_random(seed) % level->depth,
		.layer = check_random(seed) % (layout->desc.layers - kind->first_layer),
	};

	*packed = at.x;
	if (layout->dim == FAA_DIM_D1_ARRAY)
		*packed |= at.layer << 16;
	else
		*packed |= at.y << 16;
	*packed |= (uint64_t)(layout->dim == FAA_DIM_D3 ? at.z : at.layer) << 32;
	if (layout->dim == FAA_DIM_D1_ARRAY)
		*packed &= UINT32_MAX;
	at.layer += kind->first_layer;
	at.x *= layout->texel_bytes;
	return at;
}

static void try_kind(const struct kind *kind, uint64_t *seed)
{
	struct faa_surface *surface = create(&kind->desc);
	const struct faa_surface_layout *layout = faa_surface_info(surface);
	struct faa_surface_view view = faa_surface_view(layout);
	bool wide = layout->dim == FAA_DIM_D2_ARRAY || layout->dim == FAA_DIM_D3;
	struct faa_surface_at at[64];
	struct faa_header_pool *pool;
	struct faa_place place;
	unsigned int i;
	void *texels;

	assert_int_equal(faa_header_pool_create(vm, 1, &pool), 0);
	view.level = kind->level;
	view.first_layer = kind->first_layer;
	view.layers -= kind->first_layer;
	place = faa_place_header(layout->dim, FAA_CLAMP_TRAP, add(pool, surface, &view));
	place.packed = layout->dim != FAA_DIM_D1 && layout->dim != FAA_DIM_D1_BUFFER;
	for (i = 0; i < COUNT(at); i++) {
		uint64_t packed;

		at[i] = random_place(seed, layout, kind, &packed);
		if (wide)
			((uint64_t *)(memory + POINTS))[i] = packed;
		else
			((uint32_t *)(memory + POINTS))[i] = (uint32_t)packed;
	}
	faa_header_pool_config(pool, stream);
	faa_stream_sured(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, COUNT(at),
			 wide ? faa_array_u64(va + POINTS, 8) : faa_array_u32(va + POINTS, 4),
			 faa_affine(1, 1), faa_none());
	expect_success();
	/* Subtracts all additions: no byte of the surface remains changed. */
	assert_int_equal(faa_bo_map(faa_surface_bo(surface), &texels), 0);
	for (i = 0; i < COUNT(at); i++)
		((uint32_t *)texels)[faa_surface_offset(layout, &at[i]) / 4] -= i + 1;
	for (i = 0; i < layout->size / 4; i++)
		assert_int_equal(((uint32_t *)texels)[i], 0);
	faa_header_pool_destroy(pool);
	faa_surface_destroy(surface);
}

/* Additions at random places of every kind of surface are at the texels' offsets by the library. */
static void every_kind(void **state)
{
	uint64_t seed = check_seed(0x5eed0015);
	unsigned int i, round;

	(void)state;
	for (i = 0; i < COUNT(kinds); i++)
		for (round = 0; round < 10; round++)
			try_kind(&kinds[i], &seed);
}

/* Errors of headers and coordinates from the device, in words. */
static void errors_of_jobs(void **state)
{
	struct faa_surface *surface = create(&image);
	struct faa_place place = faa_place_header(FAA_DIM_D3, FAA_CLAMP_TRAP, 0);
	struct faa_job_status status;
	struct faa_header_pool *pool;
	char text[256];

	(void)state;
	assert_int_equal(faa_header_pool_create(vm, 1, &pool), 0);
	add_all(pool, surface);
	faa_header_pool_config(pool, stream);
	faa_stream_sured(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, 1, faa_reg(4), faa_imm(1), faa_none());
	run(&status);
	assert_int_equal(status.code, FAA_ERROR_BAD_HEADER);
	faa_status_format(&status, NULL, 0, text, sizeof(text));
	assert_non_null(strstr(text, "texture header"));
	place = faa_place_header(FAA_DIM_D2, FAA_CLAMP_TRAP, 0);
	faa_stream_sured(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, 1, faa_imm(100), faa_imm(1), faa_none());
	run(&status);
	assert_int_equal(status.code, FAA_ERROR_TRAP);
	assert_int_equal(status.address & UINT32_MAX, 100);
	faa_header_pool_destroy(pool);
	faa_surface_destroy(surface);
}

/* Words of SUATOM and CONFIG: the decoder and the device report the same error. */
static void decoder_and_device(void **state)
{
	uint64_t seed = check_seed(0x5eed0016);
	unsigned int round, legal = 0, i;

	(void)state;
	for (round = 0; round < 100000; round++) {
		uint64_t words[FAA_MAX_COMMAND_WORDS];
		bool config = round % 8 == 0;
		struct faa_job_status status;
		struct faa_decoded decoded;
		unsigned int length = 3;

		for (i = 0; i < COUNT(words); i++)
			words[i] = check_random(&seed) & check_random(&seed) & check_random(&seed);
		/* One element, registers and immediates, so that only the words matter. */
		words[1] = (words[1] & ~0x000fffffffffffffull) | 1;
		words[1] |= (1 + check_random(&seed) % 2) << 40 | 1ull << 43 |
			    check_random(&seed) % 2 << 46 | check_random(&seed) % 2 << 49;
		words[2] &= ~0x00000000ff020100ull;
		if (round % 4) {
			words[1] &= ~FAA_PLACE_RESERVED;
			words[2] &= ~FAA_SURFACE_RESERVED;
		}
		for (i = 0; i < 4; i++)
			length += faa_operand_words(words[1] >> (40 + 3 * i) & 7);
		words[0] = 0xfc070000ull | (config ? 0x0308 : 0x32 | length << 8) |
			   check_random(&seed) % 18 << 32;
		if (!config)
			words[0] |= check_random(&seed) % 16 << 40;
		if (config)
			words[0] &= ~(28ull << 32);
		length = config ? 3 : length;
		faa_decode(words, length, &decoded);
		if (decoded.error == FAA_ERROR_SUCCESS)
			legal++;
		faa_stream_raw(stream, words, length);
		run(&status);
		/* The decoder does not report errors of execution. */
		if (status.code > FAA_ERROR_BAD_OFFSET)
			status.code = FAA_ERROR_SUCCESS;
		if (status.code != decoded.error)
			fail_msg(
				"round %u, %016llx %016llx %016llx: the decoder says %u, the device %u",
				round, (unsigned long long)words[0], (unsigned long long)words[1],
				(unsigned long long)words[2], decoded.error, status.code);
	}
	print_message("%u of %u legal\n", legal, round);
	assert_true(legal > 500);
}

/* A header similar to a usable one, or of random words. */
static void random_header(uint64_t *seed, uint32_t *header)
{
	static const uint32_t texels[] = { FAA_TEXEL_R8, FAA_TEXEL_R32, FAA_TEXEL_R32_G32,
					   FAA_TEXEL_R32_G32_B32_A32 };
	unsigned int i;

	for (i = 0; i < FAA_HEADER_WORDS; i++)
		header[i] =
			(uint32_t)(check_random(seed) & check_random(seed) & check_random(seed));
	if (check_random(seed) % 8)
		header[0] = (header[0] & ~0x7fu) | texels[check_random(seed) % COUNT(texels)];
	/*
	 * The fields of a header's blocks and levels have few bits, which must not be set too
	 * often.
	 */
	if (check_random(seed) % 2)
		header[3] &= 0x80ff01b0;
	if (check_random(seed) % 2)
		header[7] &= ~0xfu;
}

/* The code of an operation on the surface at header 0, whose result is in @result. */
static uint32_t operate(enum faa_dim dim, uint32_t *result)
{
	struct faa_place place = faa_place_header(dim, FAA_CLAMP_IGN, 0);
	struct faa_job_status status;

	place.packed = dim != FAA_DIM_D1 && dim != FAA_DIM_D1_BUFFER;
	*(uint32_t *)(memory + RESULTS) = 77;
	faa_stream_suatom(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			  FAA_ORDER_RELAXED, 1, faa_array_u32(va + RESULTS, 4), faa_imm(0),
			  faa_imm(1), faa_none());
	run(&status);
	*result = *(uint32_t *)(memory + RESULTS);
	return status.code;
}

/* Headers: the library's check matches the device's behaviour. */
static void headers_and_device(void **state)
{
	uint64_t seed = check_seed(0x5eed0017);
	unsigned int round, counts[3] = { 0 };
	struct faa_header_pool *pool;
	uint32_t header[FAA_HEADER_WORDS], index, result, code, dim;

	(void)state;
	assert_int_equal(faa_header_pool_create(vm, 1, &pool), 0);
	faa_header_disable(header);
	assert_int_equal(faa_header_pool_add(pool, header, &index), 0);
	faa_header_pool_config(pool, stream);
	expect_success();
	for (round = 0; round < 20000; round++) {
		struct faa_surface_layout layout;
		struct faa_surface_view view;
		const char *why;
		uint64_t at;
		int ret;

		random_header(&seed, header);
		ret = faa_surface_decode(header, &layout, &view, &at, &why);
		assert_int_equal(faa_header_pool_replace(pool, index, header), 0);
		for (dim = FAA_DIM_D1; dim <= FAA_DIM_D3; dim++) {
			code = operate((enum faa_dim)dim, &result);
			if (ret == -ENOENT && (code || result))
				fail_msg("round %u: disabled, but the device says %u", round, code);
			if (!ret && dim == layout.dim && code == FAA_ERROR_BAD_HEADER)
				fail_msg("round %u: usable, but not for the device", round);
			if ((ret == -EINVAL || (!ret && dim != layout.dim)) &&
			    code != FAA_ERROR_BAD_HEADER)
				fail_msg("round %u, dimension %u: %s, but the device says %u",
					 round, dim, ret ? why : "usable", code);
		}
		counts[ret == 0 ? 0 : ret == -ENOENT ? 1 : 2]++;
	}
	print_message("%u usable, %u disabled, %u bad\n", counts[0], counts[1], counts[2]);
	assert_true(counts[0] > 100 && counts[1] > 100 && counts[2] > 100);
	faa_header_pool_destroy(pool);
}

/* All objects; the first error. */
static int make_all(void)
{
	struct faa_constant_bank *bank = NULL;
	struct faa_header_pool *pool = NULL;
	struct faa_surface *surface;
	int ret;

	ret = faa_surface_create(vm, &image, &surface, NULL);
	if (!ret)
		ret = faa_header_pool_create(vm, 100, &pool);
	if (!ret)
		ret = faa_constant_bank_create(vm, 100, &bank);
	faa_constant_bank_destroy(bank);
	faa_header_pool_destroy(pool);
	faa_surface_destroy(surface);
	return ret;
}

/* Each call of the kernel fails once: the error is returned, and no object leaks. */
static void failing_calls(void **state)
{
	unsigned int nth, live = fake_kernel_live(kernel);

	(void)state;
	for (nth = 0;; nth++) {
		int ret;

		fake_kernel_fail(kernel, nth, -EXDEV);
		ret = make_all();
		if (!fake_kernel_failed(kernel)) {
			assert_int_equal(ret, 0);
			break;
		}
		/* A failure during a release is not returned. */
		assert_true(!ret || ret == -EXDEV);
		if (ret)
			assert_int_equal(fake_kernel_live(kernel), live);
		else
			live = fake_kernel_live(kernel);
	}
	assert_true(nth > 8);
}

#ifdef CHECK_ALLOC
static void failing_allocations(void **state)
{
	unsigned int nth, live = fake_kernel_live(kernel);

	(void)state;
	for (nth = 0;; nth++) {
		int ret;

		check_alloc_fail(nth);
		ret = make_all();
		if (!check_alloc_failed()) {
			assert_int_equal(ret, 0);
			break;
		}
		assert_int_equal(ret, -ENOMEM);
		assert_int_equal(fake_kernel_live(kernel), live);
	}
	assert_true(nth > 3);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(memory_of_a_surface, setup, fixture_close),
		cmocka_unit_test_setup_teardown(bad_surfaces, setup, fixture_close),
		cmocka_unit_test_setup_teardown(places_of_a_pool, setup, fixture_close),
		cmocka_unit_test_setup_teardown(words_of_a_bank, setup, fixture_close),
		cmocka_unit_test_setup_teardown(handles, setup, fixture_close),
		cmocka_unit_test_setup_teardown(every_kind, setup, fixture_close),
		cmocka_unit_test_setup_teardown(errors_of_jobs, setup, fixture_close),
		cmocka_unit_test_setup_teardown(decoder_and_device, setup, fixture_close),
		cmocka_unit_test_setup_teardown(headers_and_device, setup, fixture_close),
		cmocka_unit_test_setup_teardown(failing_calls, setup, fixture_close),
#ifdef CHECK_ALLOC
		cmocka_unit_test_setup_teardown(failing_allocations, setup, fixture_close),
#endif
	};

	return RUN_TESTS(tests, NULL, NULL);
}
