// SPDX-License-Identifier: MIT
/*
 * Decoding of SUATOM and CONFIG, rule by rule with the letters of device.rst. Each error has its
 * code and word; neither the bad command nor those after it execute.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "atom_ops.h"
#include "faa_model.h"

#include "surface.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const enum faa_dim dims[] = { FAA_DIM_D1, FAA_DIM_D1_BUFFER, FAA_DIM_D1_ARRAY,
				     FAA_DIM_D2, FAA_DIM_D2_ARRAY,  FAA_DIM_D3 };

/*
 * The surface of all commands here: large enough, of any dimension; no test depends on its
 * contents.
 */
static struct faa_place place_of(enum faa_dim dim)
{
	struct faa_place place = { .dim = dim,
				   .clamp = FAA_CLAMP_IGN,
				   .handle_kind = FAA_HANDLE_KIND_INDEX,
				   .ps = FAA_PT };

	/* Beyond the pool: no lane has a surface. */
	place.handle = BENCH_HEADERS;
	return place;
}

/* The table of ATOM, and the rows of SD32 and SD64, written by hand. */
static bool suatom_has(unsigned int op, unsigned int type)
{
	switch (op) {
	case FAA_ATOM_OP_MIN:
	case FAA_ATOM_OP_MAX:
		return type == FAA_TYPE_SD32 || type == FAA_TYPE_SD64 || atom_has(op, type);
	case FAA_ATOM_OP_ADD:
	case FAA_ATOM_OP_AND:
	case FAA_ATOM_OP_OR:
	case FAA_ATOM_OP_XOR:
		return type == FAA_TYPE_SD32 || atom_has(op, type);
	}
	return atom_has(op, type);
}

/* The operation with all operands in registers. */
static void add_plain(struct fixture *f, unsigned int mode, unsigned int op, unsigned int type,
		      struct faa_place place)
{
	add_suatom(f, mode, op, type, FAA_SCOPE_GPU, place, 32, reg(2), reg(8),
		   has_b(op) ? reg(4) : none(), has_c(op) ? reg(6) : none());
}

static void add_good(struct fixture *f)
{
	add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, place_of(FAA_DIM_D2));
}

static void c_d_lengths(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	for (unsigned int length = 0; length < 256;
	     length += length < 20 ? 1 : amount_of(f, 1, 16)) {
		/* A CONFIG that is too long is reported as such even at the end of the stream. */
		if (length != 3) {
			add_config(f, FAA_CONFIG_HELPER_LANES, 0, 0);
			f->words[0] = (f->words[0] & ~FAA_HEADER_LENGTH_MASK) |
				      FAA_PUT(HEADER_LENGTH, length);
			refused(f, FAA_ERROR_BAD_LENGTH, 0);
		}
		add_good(f);
		f->words[0] = (f->words[0] & ~FAA_HEADER_LENGTH_MASK) |
			      FAA_PUT(HEADER_LENGTH, length);
		if (length < 3 || length > 15) {
			refused(f, FAA_ERROR_BAD_LENGTH, 0);
		} else if (length > 3) {
			/* k: the length does not match the operands; the stream has 15 words. */
			for (unsigned int i = 0; i < 12; i++)
				add_word(f, 0);
			refused(f, FAA_ERROR_BAD_LENGTH, 0);
		}
		f->count = 0;
	}
	for (unsigned int words = 1; words < 3; words++) {
		add_good(f);
		f->count = words;
		assert_int_equal(run_raw(f), FAA_ERROR_TRUNCATED);
		add_config(f, FAA_CONFIG_HELPER_LANES, 0, 0);
		f->count = words;
		assert_int_equal(run_raw(f), FAA_ERROR_TRUNCATED);
	}
	bench_end(b);
}

static void e_f_header(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	for (unsigned int bit = 0; bit < 64; bit++) {
		bool field = !(FAA_HEADER_RESERVED >> bit & 1);

		/* CONFIG does not use type and mod. */
		if (!field || (bit >= 40 && bit < 48)) {
			add_config(f, FAA_CONFIG_HELPER_LANES, 0, 0);
			f->words[0] |= 1ULL << bit;
			refused(f, FAA_ERROR_RESERVED_BITS, 0);
		}
		if (!field) {
			add_good(f);
			f->words[0] |= 1ULL << bit;
			refused(f, FAA_ERROR_RESERVED_BITS, 0);
		}
	}
	for (unsigned int guard = 0; guard < 15; guard++) {
		f->issue.guard = guard % 8;
		f->issue.guard_negate = guard / 8 || guard == 7;
		add_config(f, FAA_CONFIG_HELPER_LANES, 0, 0);
		f->issue.guard = FAA_PT;
		f->issue.guard_negate = 0;
		/* f has precedence over g and h. */
		f->words[0] |= FAA_PUT(HEADER_OP, 0x70);
		refused(f, FAA_ERROR_ILLEGAL_OPERAND, 0);
	}
	for (unsigned int barrier = 0; barrier < 7; barrier++) {
		for (unsigned int write = 0; write < 2; write++) {
			f->issue.read_barrier = write ? FAA_NO_BARRIER : barrier;
			f->issue.write_barrier = write ? barrier : FAA_NO_BARRIER;
			add_config(f, FAA_CONFIG_HELPER_LANES, 0, 0);
			refused(f, FAA_ERROR_ILLEGAL_OPERAND, 0);
			add_good(f);
			if (barrier == 6)
				refused(f, FAA_ERROR_ILLEGAL_OPERAND, 0);
			else
				run(f);
			f->issue.read_barrier = f->issue.write_barrier = FAA_NO_BARRIER;
		}
	}
	bench_end(b);
}

static void g_every_operation_type_and_mode(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	for (unsigned int i = 0; i < 20 * 16 * 16; i += amount_of(f, 1, 7)) {
		unsigned int op = i % 20, type = i / 20 % 16, mode = i / 320;
		bool good = suatom_has(op, type) && mode < 4 && bench_offers(b, type, mode);

		if (mode & FAA_FLOAT_MODE_FTZ)
			good &= is_float(type);
		if (mode & FAA_FLOAT_MODE_RELAXED)
			good &= is_float(type) && op == FAA_ATOM_OP_ADD;
		add_plain(f, mode, op, type, place_of(FAA_DIM_D2));
		if (good) {
			run(f);
			continue;
		}
		/* Has precedence over reserved bits of the second word (h). */
		f->words[1] |= FAA_PLACE_RESERVED;
		refused(f, FAA_ERROR_ILLEGAL_OPERATION, 0);
	}
	for (unsigned int op = 17; op < 256; op += 17) {
		add_plain(f, 0, op, FAA_TYPE_U32, place_of(FAA_DIM_D2));
		refused(f, FAA_ERROR_ILLEGAL_OPERATION, 0);
	}
	for (unsigned int op = 3; op < 256; op += amount_of(f, 1, 11)) {
		add_config(f, op, ~0ULL, ~0ULL);
		refused(f, FAA_ERROR_ILLEGAL_OPERATION, 0);
	}
	bench_end(b);
}

static void h_second_and_third_word(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	/*
	 * Bit 63 of the second, bits 63 to 57 of the third word; they have precedence over a scope
	 * and codes that do not exist.
	 */
	add_good(f);
	f->words[1] |= 1ULL << 63 | FAA_PUT(ACCESS_SCOPE, 3) | FAA_PUT(PLACE_DIM, 7);
	f->words[2] |= 1ULL << 63;
	refused(f, FAA_ERROR_RESERVED_BITS, 1);
	for (unsigned int bit = 57; bit < 64; bit++) {
		add_good(f);
		f->words[1] |= FAA_PUT(ACCESS_SCOPE, 3) | FAA_PUT(PLACE_DIM, 7) |
			       FAA_PUT(PLACE_CLAMP, 3);
		f->words[2] |= 1ULL << bit;
		refused(f, FAA_ERROR_RESERVED_BITS, 2);
	}
	for (unsigned int i = 0; i < 2; i++) {
		add_good(f);
		f->words[1] |= i ? FAA_PUT(PLACE_CLAMP, 3) : FAA_PUT(ACCESS_SCOPE, 3);
		/* Has precedence over the third word's code, and over kinds and registers (i). */
		f->words[1] |= FAA_PUT(SHAPE_KIND_A, 7);
		f->words[2] |= FAA_PUT(SURFACE_HANDLE_KIND, 3);
		refused(f, FAA_ERROR_ILLEGAL_OPERATION, 1);
	}
	for (unsigned int dim = 0; dim < 8; dim++) {
		for (unsigned int packed = 0; packed < 2; packed++) {
			struct faa_place place = place_of(dim);
			bool good = dim < 6 && (!packed || bench_coordinates(dim) > 1);

			place.packed = packed;
			add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, place);
			if (good)
				run(f);
			else
				refused(f, FAA_ERROR_ILLEGAL_OPERATION, 1);
		}
	}
	add_good(f);
	f->words[2] |= FAA_PUT(SURFACE_HANDLE_KIND, 3);
	f->words[1] |= FAA_PUT(SHAPE_KIND_A, 7);
	refused(f, FAA_ERROR_ILLEGAL_OPERATION, 2);
	/* Every order, scope, predicate and clamp, with .BA. */
	for (unsigned int i = 0; i < 4 * 3 * 8 * 3; i += amount_of(f, 1, 5)) {
		unsigned int scope = i / 4 % 3;

		add_good(f);
		f->words[1] &= ~(FAA_ACCESS_SCOPE_MASK | FAA_PLACE_CLAMP_MASK);
		f->words[1] |= FAA_PUT(ACCESS_ORDER, i % 4) | FAA_PUT(ACCESS_SCOPE, scope) |
			       FAA_PUT(PLACE_CLAMP, i / 96) | FAA_PUT(PLACE_BA, i % 2);
		f->words[2] = (f->words[2] & ~FAA_SURFACE_PS_MASK) |
			      FAA_PUT(SURFACE_PS, i / 12 % 8);
		if (scope == FAA_SCOPE_SYS && !has_feature(f, FAA_FEATURE_SYS_ATOMICS))
			refused(f, FAA_ERROR_ILLEGAL_OPERATION, 1);
		else
			run(f);
	}
	bench_end(b);
}

/* Kinds of a, b, c and d, bit = kind; b and c for the operations that have them. */
static void i_kinds(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	for (unsigned int op = 0; op <= FAA_ATOM_OP_FCMPWR; op++) {
		const unsigned int allowed[] = { 0x1e, has_b(op) ? 0x1e : 0x01,
						 has_c(op) ? 0x1e : 0x01, 0x13 };
		enum faa_type type = op == FAA_ATOM_OP_FCMPWR ? FAA_TYPE_F32 : FAA_TYPE_U32;

		if (!suatom_has(op, type) || !has_type(f, type))
			continue;
		for (unsigned int i = 0; i < 4 * 8; i++) {
			unsigned int slot = i / 8, kind = i % 8;

			if (allowed[slot] >> kind & 1)
				continue;
			add_plain(f, 0, op, type, place_of(FAA_DIM_D2));
			f->words[1] &= ~(7ULL << (40 + 3 * slot));
			f->words[1] |= (uint64_t)kind << (40 + 3 * slot);
			/* Has precedence over the count (j). */
			f->words[1] &= ~FAA_SHAPE_COUNT_MASK;
			refused(f, FAA_ERROR_ILLEGAL_OPERAND, 1);
		}
	}
	/*
	 * Three coordinates of 32 bits are in registers. The error names the second word, not the
	 * third, since kinds precede registers.
	 */
	for (unsigned int i = 0; i < 2 * 3; i++) {
		const struct faa_operand others[] = { imm(0), affine(0, 1),
						      stream(FAA_TYPE_U64, f->in.va, 8) };
		struct faa_place place = place_of(i % 2 ? FAA_DIM_D3 : FAA_DIM_D2_ARRAY);

		add_suatom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 32, none(),
			   others[i / 2], imm(1), none());
		f->words[2] |= FAA_PUT(SURFACE_RD, 9);
		refused(f, FAA_ERROR_ILLEGAL_OPERAND, 1);
		place.packed = 1;
		add_suatom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 32, none(),
			   others[i / 2], imm(1), none());
		run(f);
	}
	bench_end(b);
}

/* Whether coordinates may begin at register @a. */
static bool register_good(enum faa_dim dim, bool packed, unsigned int a)
{
	unsigned int numbers = bench_coordinates(dim);

	if (a == FAA_RZ)
		return false;
	if (numbers == 3)
		return a % (packed ? 2 : 4) == 0;
	return numbers == 1 || packed || a % 2 == 0;
}

static void i_registers(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	for (unsigned int i = 0; i < COUNT(dims) * 2; i++) {
		struct faa_place place = place_of(dims[i / 2]);

		place.packed = i % 2;
		if (place.packed && bench_coordinates(place.dim) == 1)
			continue;
		for (unsigned int a = 0; a < 256; a += amount_of(f, 1, 5)) {
			/* The operation's type does not change the width of coordinates. */
			add_suatom(f, 0, FAA_ATOM_OP_ADD, a % 3 ? FAA_TYPE_U32 : FAA_TYPE_U64,
				   FAA_SCOPE_GPU, place, 32, none(), reg(a), imm(1), none());
			if (register_good(place.dim, place.packed, a))
				run(f);
			else
				refused(f, FAA_ERROR_ILLEGAL_OPERAND, 2);
		}
	}
	for (unsigned int slot = 1; slot < 4; slot++) {
		add_suatom(f, 0, FAA_ATOM_OP_CAS, FAA_TYPE_S64, FAA_SCOPE_GPU, place_of(FAA_DIM_D2),
			   32, reg(2), reg(4), reg(6), reg(8));
		f->words[2] |= 1ULL << 8 * slot;
		refused(f, FAA_ERROR_ILLEGAL_OPERAND, 2);
	}
	/* SD64 has 64 bits, SD32 32. */
	for (unsigned int i = 0; i < 2; i++) {
		add_suatom(f, 0, FAA_ATOM_OP_MIN, i ? FAA_TYPE_SD64 : FAA_TYPE_SD32, FAA_SCOPE_GPU,
			   place_of(FAA_DIM_D1), 32, reg(2), reg(5), reg(7), none());
		if (i)
			refused(f, FAA_ERROR_ILLEGAL_OPERAND, 2);
		else
			run(f);
	}
	/* A nonzero register field of an operand that is none. */
	for (unsigned int shift = 0; shift < 32; shift += 8) {
		add_suatom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU,
			   place_of(FAA_DIM_D1), 32, none(), imm(0), none(), none());
		f->words[2] |= 2ULL << shift;
		refused(f, FAA_ERROR_ILLEGAL_OPERAND, 2);
	}
	bench_end(b);
}

static void i_handles(void **state)
{
	static const struct {
		enum faa_handle_kind kind;
		uint32_t last;
	} kinds[] = { { FAA_HANDLE_KIND_REG, 254 },
		      { FAA_HANDLE_KIND_BANK, 8191 },
		      { FAA_HANDLE_KIND_INDEX, 0xfffff } };
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	/* Helper lanes only, so that no lane is checked. */
	add_config(f, FAA_CONFIG_HELPER_LANES, 0, ~0u);
	run(f);
	for (unsigned int i = 0; i < COUNT(kinds); i++) {
		for (unsigned int bit = 0; bit < 21; bit++) {
			struct faa_place place = place_of(FAA_DIM_D1);
			uint32_t beyond = kinds[i].last + (1u << bit);

			place.handle_kind = kinds[i].kind;
			place.handle = kinds[i].last >> bit % 8;
			add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, place);
			run(f);
			if (beyond > 0xfffff)
				continue;
			place.handle = beyond;
			add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, place);
			/* Has precedence over the count (j). */
			f->words[1] &= ~FAA_SHAPE_COUNT_MASK;
			refused(f, FAA_ERROR_ILLEGAL_OPERAND, 2);
		}
	}
	bench_end(b);
}

static void j_l_count_and_streams(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	for (unsigned int i = 0; i < 2; i++) {
		add_good(f);
		f->words[1] = (f->words[1] & ~FAA_SHAPE_COUNT_MASK) | (i ? (1ULL << 32) + 1 : 0);
		refused_at(f, FAA_ERROR_BAD_COUNT, i ? (1ULL << 32) + 1 : 0);
	}
	/* Item types of a by its width; SD32 and SD64 are not item types. */
	for (unsigned int i = 0; i < COUNT(dims) * 2 * 16; i++) {
		struct faa_place place = place_of(dims[i / 32]);
		unsigned int type = i % 16, numbers = bench_coordinates(place.dim);
		bool wide, good;

		place.packed = i / 16 % 2;
		if (place.packed ? numbers == 1 : numbers == 3)
			continue;
		wide = place.packed ? numbers == 3 : numbers == 2;
		good = type < FAA_TYPE_F16 ?
			       wide || (type != FAA_TYPE_U64 && type != FAA_TYPE_S64) :
		       wide ? type == FAA_TYPE_F64 :
			      type == FAA_TYPE_F32 || type == FAA_TYPE_F16X2 ||
				       type == FAA_TYPE_BF16X2;
		add_suatom(f, 0, FAA_ATOM_OP_ADD, i % 2 ? FAA_TYPE_U32 : FAA_TYPE_U64,
			   FAA_SCOPE_GPU, place, 32, none(), stream(type, f->in.va, 8), imm(1),
			   none());
		if (good)
			run(f);
		else
			refused(f, FAA_ERROR_ILLEGAL_OPERAND, 4);
	}
	/* b, c and d of SD types have the width of the type. */
	for (unsigned int type = 0; type < 16; type++) {
		bool integer = type < FAA_TYPE_F16;

		add_suatom(f, 0, FAA_ATOM_OP_MAX, FAA_TYPE_SD64, FAA_SCOPE_GPU,
			   place_of(FAA_DIM_D1), 32, none(), imm(0), stream(type, f->in.va, 8),
			   none());
		if (integer || type == FAA_TYPE_F64)
			run(f);
		else
			refused(f, FAA_ERROR_ILLEGAL_OPERAND, 5);
		add_suatom(f, 0, FAA_ATOM_OP_MAX, FAA_TYPE_SD32, FAA_SCOPE_GPU,
			   place_of(FAA_DIM_D1), 32, stream(type, f->in.va, 8), imm(0), imm(0),
			   none());
		if ((integer && type != FAA_TYPE_U64 && type != FAA_TYPE_S64) ||
		    type == FAA_TYPE_F32 || type == FAA_TYPE_F16X2 || type == FAA_TYPE_BF16X2)
			run(f);
		else
			refused(f, FAA_ERROR_ILLEGAL_OPERAND, 6);
	}
	add_suatom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, place_of(FAA_DIM_D1), 32,
		   none(), stream(FAA_TYPE_U32, f->in.va, 4), imm(1), none());
	f->words[4] |= 1ULL << 39;
	refused(f, FAA_ERROR_RESERVED_BITS, 4);
	bench_end(b);
}

/* The first command of a job whose first_element is not 0. */
static void n_first_element(void **state)
{
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	for (unsigned int config = 0; config < 2; config++) {
		struct faa_job_desc desc;
		uint32_t job;

		/* Its address is bad as well, with lower precedence. */
		if (config)
			add_config(f, FAA_CONFIG_HEADER_POOL, 1, 0);
		else
			add_good(f);
		add_end(f);
		for (unsigned int i = 0; i < f->count; i++)
			((uint64_t *)f->code.ptr)[i] = htole64(f->words[i]);
		desc = tb_desc(f->queue, f->code.va, f->count * 8);
		desc.first_element = htole32(32);
		f->count = 0;
		job = tb_push(f->queue, &desc);
		tb_doorbell(f->queue);
		assert_true(tb_wait(f->queue, job));
		assert_int_equal(le32toh(tb_status(f->queue, job)->code), FAA_ERROR_BAD_DESCRIPTOR);
		assert_int_equal(le64toh(tb_status(f->queue, job)->address), 32);
	}
	bench_end(b);
}

/*
 * The configuration is that of bench_begin(): word 5 of the bank names the header, no lane is a
 * helper.
 */
static void configuration_is_intact(struct bench *b)
{
	struct faa_place place = bench_place(b, FAA_CLAMP_TRAP);

	place.handle_kind = FAA_HANDLE_KIND_BANK;
	place.handle = 5;
	*(uint32_t *)b->memory.ptr = 0;
	add_suatom(b->f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, place, 32, none(),
		   imm(0), none(), none());
	run(b->f);
	assert_int_equal(le32toh(*(uint32_t *)b->memory.ptr), 32);
}

static void config_words(void **state)
{
	static const struct {
		enum faa_config op;
		uint64_t address, value;
		unsigned int align;
	} rows[] = {
		{ FAA_CONFIG_HEADER_POOL, ~0ULL, 0xfffff, 32 },
		{ FAA_CONFIG_CONSTANT_BANK, ~0ULL, 0xfffc, 4 },
		{ FAA_CONFIG_HELPER_LANES, 0, 0xffffffff, 1 },
	};
	struct bench *b = bench_begin(state);
	struct fixture *f = b->f;

	bench_surface(b, FAA_DIM_D1,
		      (struct tb_texture){ .version = FAA_HEADER_VERSION_PITCH,
					   .type = FAA_TEXTURE_TYPE_ONE_D,
					   .components = TEXEL_4,
					   .width = 16,
					   .height = 1,
					   .depth = 1,
					   .pitch = 64 });
	((uint32_t *)b->bank.ptr)[5] = htole32(BENCH_INDEX);
	for (unsigned int i = 0; i < COUNT(rows); i++) {
		for (unsigned int bit = 0; bit < 64; bit++) {
			/*
			 * Reserved bits of the address, then of the value; both have precedence
			 * over MISALIGNED.
			 */
			if (!(rows[i].address >> bit & 1)) {
				add_config(f, rows[i].op, 1ULL << bit, ~0ULL);
				refused(f, FAA_ERROR_RESERVED_BITS, 1);
			}
			if (!(rows[i].value >> bit & 1)) {
				add_config(f, rows[i].op, rows[i].address & 1, 1ULL << bit);
				refused(f, FAA_ERROR_RESERVED_BITS, 2);
			}
			if (rows[i].address && 1ULL << bit < rows[i].align) {
				add_config(f, rows[i].op, 1ULL << bit | 1ULL << 63, 0);
				refused(f, FAA_ERROR_MISALIGNED, 1);
			}
			if (rows[i].address && bit >= 48) {
				add_config(f, rows[i].op, 1ULL << bit, 0);
				refused(f, FAA_ERROR_NON_CANONICAL, 1);
			}
		}
	}
	configuration_is_intact(b);
	/* CONFIG reads nothing: neither address is mapped. */
	add_config(f, FAA_CONFIG_HEADER_POOL, (1ULL << 48) - 32, 0xfffff);
	add_config(f, FAA_CONFIG_CONSTANT_BANK, (1ULL << 48) - 4, 0xfffc);
	add_config(f, FAA_CONFIG_HELPER_LANES, 0, 0xffffffff);
	run(f);
	bench_end(b);
}

/*
 * Without SURFACE_ATOMICS both commands are unknown, whatever else is wrong with them. Only the
 * model can be any build.
 */
static void b_a_build_without_surfaces(void **state)
{
	struct faa_model_params params = FAA_MODEL_DEFAULT;
	void *fixture;
	struct fixture *f;

	(void)state;
	needs_model();
	params.features &= ~(1u << FAA_FEATURE_SURFACE_ATOMICS);
	fixture_setup_build(&fixture, &params);
	f = fixture;
	for (unsigned int i = 0; i < 4; i++) {
		if (i % 2)
			add_config(f, FAA_CONFIG_HELPER_LANES, 0, 0);
		else
			add_good(f);
		if (i / 2)
			f->words[0] |= FAA_HEADER_RESERVED | FAA_HEADER_LENGTH_MASK;
		refused(f, FAA_ERROR_ILLEGAL_COMMAND, 0);
	}
	/* ATOM still exists. */
	add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, 1, none(),
		 imm(atomic_buffer(f, 64).va), 0, imm(1), none());
	run(f);
	assert_int_equal(fixture_teardown(&fixture), 0);
}

static int no_memory(void *ctx, uint64_t addr, void *buf, size_t len)
{
	(void)ctx;
	(void)addr;
	(void)buf;
	(void)len;
	return -EFAULT;
}

/* SUATOM requires ATOM: no build has SUATOM alone. */
static void surfaces_need_global_atomics(void **state)
{
	static const struct faa_host_ops ops = { .dma_read = no_memory };
	const struct faa_engine_config config = { .ops = &ops };
	struct faa_model_params params = FAA_MODEL_DEFAULT;
	struct faa_engine *engine;

	(void)state;
	params.features &= ~(1u << FAA_FEATURE_SYS_ATOMICS);
	engine = faa_model_create(&config, &params);
	assert_non_null(engine);
	faa_engine_model.destroy(engine);
	params.features &= ~(1u << FAA_FEATURE_GLOBAL_ATOMICS);
	errno = 0;
	assert_null(faa_model_create(&config, &params));
	assert_int_equal(errno, EINVAL);
}

/*
 * A floating-point type that the build lacks for ATOMS is missing here as well; the integer types,
 * including SD32 and SD64, exist.
 */
static void g_builds_without_a_type(void **state)
{
	static const uint8_t features[] = { FAA_FEATURE_ATOMS_INT64,   FAA_FEATURE_ATOMS_F32,
					    FAA_FEATURE_ATOMS_F64,     FAA_FEATURE_ATOMS_X2,
					    FAA_FEATURE_ATOMS_RELAXED, FAA_FEATURE_ALU,
					    FAA_FEATURE_SYS_ATOMICS };
	static const unsigned int types[COUNT(features)] = { 0,
							     1u << FAA_TYPE_F32,
							     1u << FAA_TYPE_F64,
							     1u << FAA_TYPE_F16 |
								     1u << FAA_TYPE_F16X2 |
								     1u << FAA_TYPE_BF16X2,
							     0,
							     0,
							     0 };

	(void)state;
	needs_model();
	for (unsigned int i = 0; i < COUNT(features); i++) {
		struct faa_model_params params = FAA_MODEL_DEFAULT;
		void *fixture;

		params.features &= ~(1u << features[i]);
		fixture_setup_build(&fixture, &params);
		for (unsigned int n = 0; n < 17 * 16 * 2; n++) {
			unsigned int op = n % 17, type = n / 17 % 16;
			unsigned int mode = n / 272 ? FAA_FLOAT_MODE_RELAXED : 0;

			if (!suatom_has(op, type) ||
			    (mode && (op != FAA_ATOM_OP_ADD || !is_float(type))))
				continue;
			add_plain(fixture, mode, op, type, place_of(FAA_DIM_D2));
			if ((types[i] >> type & 1) ||
			    (mode && features[i] == FAA_FEATURE_ATOMS_RELAXED))
				refused(fixture, FAA_ERROR_ILLEGAL_OPERATION, 0);
			else
				run(fixture);
		}
		assert_int_equal(fixture_teardown(&fixture), 0);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(b_a_build_without_surfaces),
		cmocka_unit_test(surfaces_need_global_atomics),
		FIXTURE_TEST(c_d_lengths),
		FIXTURE_TEST(e_f_header),
		FIXTURE_TEST(g_every_operation_type_and_mode),
		cmocka_unit_test(g_builds_without_a_type),
		FIXTURE_TEST(h_second_and_third_word),
		FIXTURE_TEST(i_kinds),
		FIXTURE_TEST(i_registers),
		FIXTURE_TEST(i_handles),
		FIXTURE_TEST(j_l_count_and_streams),
		FIXTURE_TEST(n_first_element),
		FIXTURE_TEST(config_words),
	};

	return fixture_main(argc, argv, "surface-decode", tests, sizeof(tests) / sizeof(tests[0]));
}
