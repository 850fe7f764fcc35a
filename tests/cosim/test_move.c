// SPDX-License-Identifier: MIT
/* MOV, SETP, LD, ST, LDS, STS: types, operand kinds, order within a command. */
#include <string.h>

#include "fixture.h"

struct width {
	enum faa_type type;
	unsigned int bytes;
	bool sign;
};

static const struct width widths[] = {
	{ FAA_TYPE_U8, 1, false },  { FAA_TYPE_U16, 2, false },	  { FAA_TYPE_U32, 4, false },
	{ FAA_TYPE_U64, 8, false }, { FAA_TYPE_S8, 1, true },	  { FAA_TYPE_S16, 2, true },
	{ FAA_TYPE_S32, 4, true },  { FAA_TYPE_S64, 8, true },	  { FAA_TYPE_F32, 4, false },
	{ FAA_TYPE_F64, 8, false }, { FAA_TYPE_F16X2, 4, false }, { FAA_TYPE_BF16X2, 4, false },
};

static uint64_t item(const void *memory, int64_t byte, struct width w)
{
	uint64_t value = 0;

	memcpy(&value, (const uint8_t *)memory + byte, w.bytes);
	if (w.sign && w.bytes < 8 && (value >> (8 * w.bytes - 1)))
		value |= ~0ULL << (8 * w.bytes);
	return value;
}

static void fill(struct fixture *f, uint64_t seed)
{
	uint8_t *in = f->in.ptr;

	for (unsigned int i = 0; i < FIXTURE_BUFFER; i++)
		in[i] = test_random(&seed);
	memset(f->out.ptr, 0, FIXTURE_BUFFER);
}

/* Every item type of a stream source, every shift, strides of both signs and 0. */
static void stream_sources(void **state)
{
	struct fixture *f = *state;
	const uint64_t *out = f->out.ptr;

	fill(f, 1);
	for (unsigned int i = 0; i < sizeof(widths) / sizeof(widths[0]) * 8; i++) {
		struct width w = widths[i / 8];
		unsigned int shift = i % 8;
		int32_t strides[4] = { w.bytes, 0, -(int32_t)w.bytes, 5 * (int32_t)w.bytes };
		int32_t stride = strides[(i / 8 + i) % 4];
		uint64_t base = 0x123456789abcdef0ULL * i;
		uint64_t first = f->in.va + (stride < 0 ? 4096 : 0);

		/*
		 * F64 exists in 64-bit operands only, the 32-bit floating-point types in 32-bit
		 * ones.
		 */
		enum faa_type type = w.bytes == 4 && w.type >= FAA_TYPE_F16 ? FAA_TYPE_U32 :
									      FAA_TYPE_U64;

		memset(f->out.ptr, 0, 70 * 8);
		add_mov(f, type, 70, stream(type, f->out.va, 8),
			scaled(w.type, first, stride, shift, base));
		run(f);
		for (int64_t e = 0; e < 70; e++) {
			uint64_t value =
				base +
				(item((uint8_t *)f->in.ptr + (first - f->in.va), e * stride, w)
				 << shift);

			assert_int_equal(out[e], type == FAA_TYPE_U64 ? value : (uint32_t)value);
		}
	}
}

/* Every item type of a result stream takes the low bytes. */
static void stream_results(void **state)
{
	struct fixture *f = *state;

	fill(f, 2);
	for (unsigned int i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct width w = widths[i];
		enum faa_type type = w.bytes == 8 || w.type < FAA_TYPE_F16 ? FAA_TYPE_U64 :
									     FAA_TYPE_U32;
		unsigned int stride = w.bytes * 3;

		memset(f->out.ptr, 0x77, 4096);
		add_mov(f, type, 50, stream(w.type, f->out.va, stride), stream(type, f->in.va, 8));
		run(f);
		for (unsigned int e = 0; e < 50; e++) {
			const uint8_t *got = (uint8_t *)f->out.ptr + e * stride;
			const uint8_t *in = (uint8_t *)f->in.ptr + e * 8;

			assert_memory_equal(got, in, w.bytes);
			assert_int_equal(got[w.bytes], 0x77);
		}
	}
}

/* Affine operands beyond 32 bits, elements beyond a warp. */
static void affine_source(void **state)
{
	struct fixture *f = *state;
	const uint64_t *out = f->out.ptr;

	add_mov(f, FAA_TYPE_U64, 100, stream(FAA_TYPE_U64, f->out.va, 8),
		affine(0xfffffffffffffff0ULL, 0x100000001ULL));
	run(f);
	for (uint64_t e = 0; e < 100; e++)
		assert_int_equal(out[e], 0xfffffffffffffff0ULL + e * 0x100000001ULL);
}

/* A register source gives the same 32 values to every warp. */
static void register_source_of_many_warps(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	add_mov(f, FAA_TYPE_U32, 32, reg(7), affine(100, 3));
	add_mov(f, FAA_TYPE_U32, 100, stream(FAA_TYPE_U32, f->out.va, 4), reg(7));
	run(f);
	for (unsigned int e = 0; e < 100; e++)
		assert_int_equal(out[e], 100 + 3 * (e % 32));
}

/* All 255 registers hold 32 lanes each; RZ holds nothing. */
static void registers_are_all_there(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	for (unsigned int r = 0; r < 255; r++)
		add_mov(f, FAA_TYPE_U32, 32, reg(r), affine(r * 1000, 7));
	add_mov(f, FAA_TYPE_U32, 32, reg(FAA_RZ), imm(99));
	run(f);
	for (unsigned int r = 0; r < 256; r++)
		add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + r * 128, 4),
			reg(r == 255 ? FAA_RZ : r));
	/* Registers persist from job to job. */
	run(f);
	for (unsigned int i = 0; i < 255 * 32; i++)
		assert_int_equal(out[i], i / 32 * 1000 + i % 32 * 7);
	for (unsigned int i = 255 * 32; i < 256 * 32; i++)
		assert_int_equal(out[i], 0);
}

/* 64-bit operands are pairs; R254's partner is RZ. */
static void register_pairs(void **state)
{
	struct fixture *f = *state;
	const uint64_t *out = f->out.ptr;

	add_mov(f, FAA_TYPE_U64, 32, reg(20), affine(0x1111111122222222ULL, 0x100000001ULL));
	add_mov(f, FAA_TYPE_U64, 32, reg(254), imm(0x3333333344444444ULL));
	add_mov(f, FAA_TYPE_U64, 32, reg(FAA_RZ), imm(~0ULL));
	add_mov(f, FAA_TYPE_U64, 32, stream(FAA_TYPE_U64, f->out.va, 8), reg(20));
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 256, 8), reg(21));
	add_mov(f, FAA_TYPE_U64, 32, stream(FAA_TYPE_U64, f->out.va + 512, 8), reg(254));
	add_mov(f, FAA_TYPE_U64, 32, stream(FAA_TYPE_U64, f->out.va + 768, 8), reg(FAA_RZ));
	run(f);
	for (uint64_t e = 0; e < 32; e++) {
		uint64_t value = 0x1111111122222222ULL + e * 0x100000001ULL;

		assert_int_equal(out[e], value);
		assert_int_equal((uint32_t)out[32 + e], value >> 32);
		assert_int_equal(out[64 + e], 0x44444444);
		assert_int_equal(out[96 + e], 0);
	}
}

static bool compares(enum faa_cmp cmp, enum faa_type type, uint64_t a, uint64_t b)
{
	int order;

	switch (type) {
	case FAA_TYPE_U32:
		order = ((uint32_t)a > (uint32_t)b) - ((uint32_t)a < (uint32_t)b);
		break;
	case FAA_TYPE_S32:
		order = ((int32_t)a > (int32_t)b) - ((int32_t)a < (int32_t)b);
		break;
	case FAA_TYPE_U64:
		order = (a > b) - (a < b);
		break;
	default:
		order = ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
	}
	switch (cmp) {
	case FAA_CMP_EQ:
		return order == 0;
	case FAA_CMP_NE:
		return order != 0;
	case FAA_CMP_LT:
		return order < 0;
	case FAA_CMP_LE:
		return order <= 0;
	case FAA_CMP_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

/* Every comparison and type over edges; each predicate; the guard reads it back. */
static void comparisons(void **state)
{
	static const uint64_t edges[] = {
		0,    1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000,
		~0ULL
	};
	static const enum faa_type types[] = { FAA_TYPE_U32, FAA_TYPE_S32, FAA_TYPE_U64,
					       FAA_TYPE_S64 };
	struct fixture *f = *state;
	uint64_t *in = f->in.ptr;
	const uint32_t *out = f->out.ptr;

	for (unsigned int i = 0; i < 64; i++) {
		in[i] = edges[i / 8];
		in[64 + i] = edges[i % 8];
	}
	for (unsigned int i = 0; i < 6 * 4 * 2; i++) {
		enum faa_cmp cmp = i % 6;
		enum faa_type type = types[i / 6 % 4];
		unsigned int half = i / 24, predicate = i % 7;
		uint64_t va = f->in.va + half * 256;
		bool wide = type == FAA_TYPE_U64 || type == FAA_TYPE_S64;
		enum faa_type items = wide ? FAA_TYPE_U64 : FAA_TYPE_U32;

		memset(f->out.ptr, 0, 128);
		add_setp(f, cmp, type, 32, predicate, stream(items, va, 8),
			 stream(items, va + 512, 8));
		f->issue.guard = predicate;
		add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), imm(1));
		f->issue.guard = FAA_PT;
		run(f);
		for (unsigned int e = 0; e < 32; e++)
			assert_int_equal(out[e], compares(cmp, type, in[half * 32 + e],
							  in[64 + half * 32 + e]));
	}
}

/* SETP changes active lanes only; destination PT is dropped. */
static void setp_keeps_other_lanes(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 0, imm(0), imm(0));
	add_setp(f, FAA_CMP_NE, FAA_TYPE_U32, 10, 0, imm(0), imm(0));
	add_setp(f, FAA_CMP_LT, FAA_TYPE_U32, 32, 1, affine(0, 1), imm(20));
	f->issue.guard = 1;
	f->issue.guard_negate = 1;
	add_setp(f, FAA_CMP_NE, FAA_TYPE_U32, 32, 0, imm(0), imm(0));
	f->issue.guard = FAA_PT;
	f->issue.guard_negate = 0;
	add_setp(f, FAA_CMP_NE, FAA_TYPE_U32, 32, FAA_PT, imm(0), imm(0));
	add_mov(f, FAA_TYPE_U32, 32, reg(1), imm(5));
	f->issue.guard = 0;
	add_mov(f, FAA_TYPE_U32, 32, reg(1), imm(6));
	f->issue.guard = FAA_PT;
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(1));
	run(f);
	for (unsigned int e = 0; e < 32; e++)
		assert_int_equal(out[e], e >= 10 && e < 20 ? 6 : 5);
}

static const enum faa_type load_types[] = { FAA_TYPE_U8,  FAA_TYPE_U16, FAA_TYPE_U32,
					    FAA_TYPE_U64, FAA_TYPE_S8,	FAA_TYPE_S16 };

static struct width width_of(enum faa_type type)
{
	return widths[type];
}

/* Loads of every type, global and shared, to a stream and to a register. */
static void loads(void **state)
{
	struct fixture *f = *state;
	const uint64_t *out = f->out.ptr;

	fill(f, 3);
	add_sts(f, FAA_TYPE_U64, 64, affine(0, 8), 0, stream(FAA_TYPE_U64, f->in.va, 8));
	run(f);
	for (unsigned int i = 0; i < 6 * 2 * 2; i++) {
		struct width w = width_of(load_types[i % 6]);
		bool global = i / 6 % 2, to_register = i / 12;
		enum faa_type result = w.bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;
		struct faa_operand d = to_register ? reg(30) : stream(result, f->out.va, 8);
		unsigned int n = to_register ? 32 : 45;

		memset(f->out.ptr, 0, 512);
		if (global)
			add_ld(f, w.type, n, d, affine(f->in.va - 64, w.bytes), 64);
		else
			add_lds(f, w.type, n, d, affine(64, w.bytes), -64);
		if (to_register)
			add_mov(f, result, 32, stream(result, f->out.va, 8), reg(30));
		run(f);
		for (unsigned int e = 0; e < n; e++) {
			uint64_t value = item(f->in.ptr, e * w.bytes, w);

			assert_int_equal(out[e], w.bytes == 8 ? value : (uint32_t)value);
		}
	}
}

/* Stores of every type, global and shared, at scattered addresses from a stream. */
static void stores(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < 8; i++) {
		struct width w = width_of(load_types[i % 4]);
		bool global = i / 4;
		uint8_t expect[1024] = { 0 };
		uint32_t *index = (uint32_t *)((uint8_t *)f->in.ptr + 4096);
		uint64_t seed = i;

		fill(f, 10 + i);
		for (unsigned int e = 0; e < 90; e++) {
			index[e] = test_random(&seed) % (1024 / w.bytes) * w.bytes;
			memcpy(expect + index[e], (uint8_t *)f->in.ptr + e * 8, w.bytes);
		}
		if (global) {
			add_st(f, w.type, 90,
			       scaled(FAA_TYPE_U32, f->in.va + 4096, 4, 0, f->out.va), 0,
			       stream(w.bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32, f->in.va, 8));
		} else {
			add_sts(f, FAA_TYPE_U64, 128, affine(0, 8), 0, imm(0));
			add_sts(f, w.type, 90, stream(FAA_TYPE_U32, f->in.va + 4096, 4), 0,
				stream(w.bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32, f->in.va, 8));
			add_lds(f, FAA_TYPE_U64, 128, stream(FAA_TYPE_U64, f->out.va, 8),
				affine(0, 8), 0);
		}
		run(f);
		assert_memory_equal(f->out.ptr, expect, sizeof(expect));
	}
}

/* Lanes that store to one byte leave the value of the highest lane, also in a result stream. */
static void highest_lane_wins(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;
	uint32_t shared;

	add_st(f, FAA_TYPE_U32, 70, imm(f->out.va), 0, affine(1000, 1));
	add_sts(f, FAA_TYPE_U32, 70, imm(0), 0, affine(2000, 1));
	add_mov(f, FAA_TYPE_U32, 70, stream(FAA_TYPE_U32, f->out.va + 4, 0), affine(3000, 1));
	run(f);
	assert_int_equal(out[0], 1069);
	assert_int_equal(out[1], 3069);
	shared_dump(f, &shared, 1);
	assert_int_equal(shared, 2069);
}

/* Bytes of neighbours survive narrow stores to one word in one warp. */
static void narrow_stores_share_words(void **state)
{
	struct fixture *f = *state;
	const uint8_t *out = f->out.ptr;
	uint32_t shared[25];

	add_st(f, FAA_TYPE_U8, 100, affine(f->out.va, 1), 0, affine(1, 1));
	add_sts(f, FAA_TYPE_U8, 100, affine(0, 1), 0, affine(101, 1));
	run(f);
	for (unsigned int i = 0; i < 100; i++)
		assert_int_equal(out[i], i + 1);
	shared_dump(f, shared, 25);
	for (unsigned int i = 0; i < 100; i++)
		assert_int_equal(shared[i / 4] >> i % 4 * 8 & 0xff, i + 101);
}

/* An operand stream that overlaps the result sees earlier warps and no later ones. */
static void overlap_of_operand_and_result(void **state)
{
	struct fixture *f = *state;
	uint32_t *out = f->out.ptr;

	out[0] = 1;
	for (unsigned int i = 1; i < 200; i++)
		out[i] = 1000 + i;
	/* out[i + 1] = out[i]: inside a warp the old values, across warps the new. */
	add_mov(f, FAA_TYPE_U32, 128, stream(FAA_TYPE_U32, f->out.va + 4, 4),
		stream(FAA_TYPE_U32, f->out.va, 4));
	run(f);
	assert_int_equal(out[1], 1);
	for (unsigned int i = 2; i <= 128; i++)
		assert_int_equal(out[i], 1000 + i - (i % 32 == 1 ? 2 : 1));
}

/* The same with LD, whose loaded memory is read before the results are written. */
static void overlap_of_load_and_result(void **state)
{
	struct fixture *f = *state;
	uint32_t *out = f->out.ptr;

	for (unsigned int i = 0; i < 100; i++)
		out[i] = i;
	add_ld(f, FAA_TYPE_U32, 64, stream(FAA_TYPE_U32, f->out.va + 40, 4), affine(f->out.va, 4),
	       0);
	run(f);
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(out[10 + i], i);
	/* Element 32 + i reads out[32 + i], of which the first warp wrote 10 places. */
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(out[42 + i], i < 10 ? 22 + i : 32 + i);
}

/* Commands that overlap in memory are performed in command order, without any barrier. */
static void commands_in_order_where_they_overlap(void **state)
{
	struct fixture *f = *state;
	uint32_t *out = f->out.ptr;

	for (unsigned int i = 0; i < 20; i++) {
		add_st(f, FAA_TYPE_U32, 64, affine(f->out.va, 4), 0, affine(i, 1));
		add_ld(f, FAA_TYPE_U32, 64, stream(FAA_TYPE_U32, f->out.va + 1024 + i * 256, 4),
		       affine(f->out.va, 4), 0);
	}
	run(f);
	for (unsigned int i = 0; i < 20 * 64; i++)
		assert_int_equal(out[256 + i], i / 64 + i % 64);
}

/* Register hazards of every sort, back to back, without any barrier. */
static void register_hazards(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;
	uint32_t *in = f->in.ptr;

	for (unsigned int i = 0; i < 32; i++)
		in[i] = 4 * i;
	/* Read after write of a slow load, write after read, write after write. */
	add_ld(f, FAA_TYPE_U32, 32, reg(0), affine(f->in.va, 4), 0);
	add_mov(f, FAA_TYPE_U32, 32, reg(1), reg(0));
	add_mov(f, FAA_TYPE_U32, 32, reg(0), imm(77));
	add_ld(f, FAA_TYPE_U32, 32, reg(2), affine(f->in.va, 4), 0);
	add_mov(f, FAA_TYPE_U32, 32, reg(2), imm(88));
	add_sts(f, FAA_TYPE_U32, 32, reg(1), 0, reg(2));
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, reg(1), reg(1), 0, reg(0), none());
	for (unsigned int r = 0; r < 3; r++)
		add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 128 * r, 4), reg(r));
	run(f);
	for (unsigned int i = 0; i < 32; i++) {
		assert_int_equal(out[i], 77);
		assert_int_equal(out[32 + i], 88);
		assert_int_equal(out[64 + i], 88);
	}
}

/* Barriers are taken, waited for and freed; more holders than a barrier counts. */
static void barriers(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	for (unsigned int i = 0; i < 100; i++) {
		f->issue.read_barrier = i % 6;
		f->issue.write_barrier = i % 7 == 6 ? 7 : (i + 3) % 6;
		f->issue.wait_mask = i % 5 ? 0 : 1u << i % 6;
		add_st(f, FAA_TYPE_U32, 8, affine(f->out.va + i * 32, 4), 0, imm(i));
	}
	f->issue.wait_mask = 0;
	f->issue.read_barrier = 2;
	f->issue.write_barrier = 2;
	for (unsigned int i = 0; i < 80; i++)
		add_st(f, FAA_TYPE_U32, 1, imm(f->out.va + 8192), 0, imm(i));
	f->issue.read_barrier = FAA_NO_BARRIER;
	f->issue.write_barrier = FAA_NO_BARRIER;
	f->issue.wait_mask = 0x3f;
	f->count += faa_encode_nop(f->words + f->count, &f->issue);
	f->issue.wait_mask = 0;
	run(f);
	for (unsigned int i = 0; i < 800; i++)
		assert_int_equal(out[i], i / 8);
	assert_int_equal(out[2048], 79);
}

/* Element counts around warps. */
static void counts_around_a_warp(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	for (unsigned int n = 1; n <= 100; n += n < 4 || (n > 28 && n < 36) || n > 60 ? 1 : 5) {
		memset(f->out.ptr, 0, 1024);
		add_st(f, FAA_TYPE_U32, n, affine(f->out.va, 4), 0, affine(1, 1));
		run(f);
		assert_int_equal(f->status.elements_retired, n);
		assert_int_equal(f->status.warps, (n + 31) / 32);
		for (unsigned int e = 0; e < 110; e++)
			assert_int_equal(out[e], e < n ? e + 1 : 0);
	}
}

/* Global addresses of every form: offset signed beside an operand, absolute without. */
static void global_address_forms(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;
	struct tb_buffer low = { .dma = tb_dma_alloc(f->host, TB_PAGE, TB_READ_WRITE) };
	const uint32_t *bottom = tb_ptr(f->host, low.dma);

	/* 0xfff000 is reachable without an operand. */
	tb_vm_map(f->vm, 0xfff000, low.dma, TB_PAGE, FAA_PTE_WRITABLE_MASK);
	add_mov(f, FAA_TYPE_U64, 32, reg(40), imm(f->out.va + 4096));
	add_st(f, FAA_TYPE_U32, 1, reg(40), -4096, imm(11));
	add_st(f, FAA_TYPE_U32, 1, none(), 0xfff010, imm(12));
	add_st(f, FAA_TYPE_U32, 1, reg(FAA_RZ), 0xfff020, imm(13));
	add_st(f, FAA_TYPE_U32, 1, imm(f->out.va + 0x800004), -0x800000, imm(14));
	/* The sum wraps around 2^64. */
	add_st(f, FAA_TYPE_U32, 1, affine(f->out.va + 8 - 0x1000, 0), 0x1000, imm(15));
	add_st(f, FAA_TYPE_U32, 1, imm(0 - 0x400000ULL), 0x7fffff & ~3, imm(16));
	tb_vm_map(f->vm, 0x3ff000, low.dma, TB_PAGE, FAA_PTE_WRITABLE_MASK);
	run(f);
	assert_int_equal(out[0], 11);
	assert_int_equal(bottom[4], 12);
	assert_int_equal(bottom[8], 13);
	assert_int_equal(out[1], 14);
	assert_int_equal(out[2], 15);
	assert_int_equal(bottom[1023], 16);
}

/* A result stream overwrites the source of the load before it, which memory may answer late. */
static void result_stream_behind_a_load(void **state)
{
	struct tb_config config = fixture_config();
	struct fixture *f = *state;
	struct tb_buffer code, data;
	struct tb_host *host;
	struct tb_queue *queue;
	struct tb_vm *vm;
	uint32_t *words, job;

	config.mem.jitter = 100;
	host = tb_host_create(&config);
	vm = tb_vm_create(host, 5);
	queue = tb_queue_create(vm, 1, NULL);
	code = tb_buffer_create(vm, TB_PAGE);
	data = tb_buffer_create(vm, TB_PAGE);
	words = data.ptr;
	for (unsigned int round = 0; round < 50; round++) {
		for (unsigned int i = 0; i < 32; i++)
			words[i] = 7000 + i;
		for (unsigned int i = 0; i < round % 5; i++)
			add_mov(f, FAA_TYPE_U32, 32, reg(9), imm(i));
		add_ld(f, FAA_TYPE_U32, 32, reg(2), affine(data.va, 4), 0);
		add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, data.va, 4), imm(5));
		add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, data.va + 1024, 4), reg(2));
		add_end(f);
		memcpy(code.ptr, f->words, f->count * 8);
		job = tb_submit(queue, code.va, f->count * 8);
		f->count = 0;
		assert_true(tb_wait(queue, job));
		assert_int_equal(tb_status(queue, job)->code, FAA_ERROR_SUCCESS);
		for (unsigned int i = 0; i < 32; i++) {
			assert_int_equal(words[i], 5);
			assert_int_equal(words[256 + i], 7000 + i);
		}
	}
	assert_true(tb_queue_destroy(queue));
	tb_vm_destroy(vm);
	tb_host_destroy(host);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(stream_sources),
		FIXTURE_TEST(stream_results),
		FIXTURE_TEST(affine_source),
		FIXTURE_TEST(register_source_of_many_warps),
		FIXTURE_TEST(registers_are_all_there),
		FIXTURE_TEST(register_pairs),
		FIXTURE_TEST(comparisons),
		FIXTURE_TEST(setp_keeps_other_lanes),
		FIXTURE_TEST(loads),
		FIXTURE_TEST(stores),
		FIXTURE_TEST(highest_lane_wins),
		FIXTURE_TEST(narrow_stores_share_words),
		FIXTURE_TEST(overlap_of_operand_and_result),
		FIXTURE_TEST(overlap_of_load_and_result),
		FIXTURE_TEST(commands_in_order_where_they_overlap),
		FIXTURE_TEST(result_stream_behind_a_load),
		FIXTURE_TEST(register_hazards),
		FIXTURE_TEST(barriers),
		FIXTURE_TEST(counts_around_a_warp),
		FIXTURE_TEST(global_address_forms),
	};

	return fixture_main(argc, argv, "move", tests, sizeof(tests) / sizeof(tests[0]));
}
