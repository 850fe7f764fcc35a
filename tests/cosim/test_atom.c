// SPDX-License-Identifier: MIT
/*
 * ATOM except the results of its operations (test_atom_table.c): decoding, order of lanes and
 * warps, operands of every kind, neighbouring bytes, sparse pages, precise errors and restart,
 * scopes, and host threads that change the same words.
 */
#include <endian.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "atom_ops.h"
#include "faa_model.h"

#include "fixture.h"

#define BYTES 16384u

static const enum faa_scope scopes[] = { FAA_SCOPE_CTA, FAA_SCOPE_GPU, FAA_SCOPE_SYS };

/* Number of scopes that the device has: a prefix of the table. */
static unsigned int scope_count(struct fixture *f)
{
	return has_feature(f, FAA_FEATURE_SYS_ATOMICS) ? 3 : 2;
}

/* A test with a device of its own that has ATOM. */
static struct fixture *begin(void **state)
{
	struct fixture *f = *state;

	needs_feature(f, FAA_FEATURE_GLOBAL_ATOMICS);
	return f;
}

/* d = M; M += 1, all lanes. */
static void add_count(struct fixture *f, uint64_t n, struct faa_operand d, struct faa_operand a)
{
	add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, n, d, a, 0, imm(1), none());
}

/* -------------------------------------------------------------------------------------------------
 * Decoding
 */

/* The operation with all operands in registers. */
static void add_plain(struct fixture *f, unsigned int mode, unsigned int op, unsigned int type,
		      unsigned int scope, uint64_t va)
{
	add_atom(f, mode, op, type, scope, 32, reg(2), affine(va, 8), 0,
		 has_b(op) ? reg(4) : none(), has_c(op) ? reg(6) : none());
}

static void every_operation_type_and_mode(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);

	for (unsigned int i = 0; i < 20 * 16 * 4; i++) {
		unsigned int op = i % 20, type = i / 20 % 16, mode = i / 320;
		bool good = atom_has(op, type) && has_type(f, type);

		if (mode & FAA_FLOAT_MODE_FTZ)
			good &= is_float(type);
		if (mode & FAA_FLOAT_MODE_RELAXED)
			good &= is_float(type) && op == FAA_ATOM_OP_ADD &&
				has_feature(f, FAA_FEATURE_ATOMS_RELAXED);
		add_plain(f, mode, op, type, FAA_SCOPE_GPU, buffer.va);
		if (good) {
			run(f);
			continue;
		}
		/* Has precedence over reserved bits of the second word (h). */
		f->words[1] |= FAA_ACCESS_RESERVED;
		refused(f, FAA_ERROR_ILLEGAL_OPERATION, 0);
	}
	for (unsigned int bit = 2; bit < 4; bit++) {
		add_plain(f, 1 << bit, FAA_ATOM_OP_ADD, FAA_TYPE_F32, FAA_SCOPE_GPU, buffer.va);
		refused(f, FAA_ERROR_ILLEGAL_OPERATION, 0);
	}
	for (unsigned int op = 17; op < 256; op += 17) {
		add_plain(f, 0, op, FAA_TYPE_U32, FAA_SCOPE_GPU, buffer.va);
		refused(f, FAA_ERROR_ILLEGAL_OPERATION, 0);
	}
}

static void second_and_third_word(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);

	for (unsigned int bit = 56; bit < 64; bit++) {
		add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, 3, buffer.va);
		f->words[1] |= 1ULL << bit;
		f->words[2] |= 1ULL << 63;
		refused(f, FAA_ERROR_RESERVED_BITS, 1);
		/* The third word's error has precedence over a scope that does not exist. */
		add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, 3, buffer.va);
		f->words[2] |= 1ULL << bit;
		refused(f, FAA_ERROR_RESERVED_BITS, 2);
	}
	/* The scope has precedence over kinds and registers (i). */
	add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, 3, buffer.va);
	f->words[1] |= FAA_PUT(SHAPE_KIND_A, 7);
	refused(f, FAA_ERROR_ILLEGAL_OPERATION, 1);
	add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_SYS, buffer.va);
	if (has_feature(f, FAA_FEATURE_SYS_ATOMICS))
		run(f);
	else
		refused(f, FAA_ERROR_ILLEGAL_OPERATION, 1);
	/* Every order at every scope. */
	for (unsigned int i = 0; i < 4 * scope_count(f); i++) {
		add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, scopes[i / 4], buffer.va);
		f->words[1] |= FAA_PUT(ACCESS_ORDER, i % 4);
		run(f);
	}
}

/* Kinds of a, b, c and d, bit = kind; b and c for the operations that have them. */
static void kinds_of_operands(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);

	for (unsigned int op = 0; op <= FAA_ATOM_OP_FCMPWR; op++) {
		const unsigned int allowed[] = { 0x1f, has_b(op) ? 0x1e : 0x01,
						 has_c(op) ? 0x1e : 0x01, 0x13 };
		enum faa_type type = op == FAA_ATOM_OP_FCMPWR ? FAA_TYPE_F32 : FAA_TYPE_U32;

		if (!atom_has(op, type) || !has_type(f, type))
			continue;
		for (unsigned int i = 0; i < 4 * 8; i++) {
			unsigned int slot = i / 8, kind = i % 8;

			if (allowed[slot] >> kind & 1)
				continue;
			add_plain(f, 0, op, type, FAA_SCOPE_GPU, buffer.va);
			f->words[1] &= ~(7ULL << (40 + 3 * slot));
			f->words[1] |= (uint64_t)kind << (40 + 3 * slot);
			/* Has precedence over the count (j). */
			f->words[1] &= ~FAA_SHAPE_COUNT_MASK;
			refused(f, FAA_ERROR_ILLEGAL_OPERAND, 1);
		}
	}
}

/* Operands of 16-bit types have 32 bits, so F16 items are not allowed. */
static void items_of_16_bits(void **state)
{
	struct fixture *f = begin(state);
	uint64_t va = atomic_buffer(f, BYTES).va;

	needs_type(f, FAA_TYPE_F16);
	add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_F16, FAA_SCOPE_GPU, 32, none(), affine(va, 2), 0,
		 stream(FAA_TYPE_F16, f->in.va, 2), none());
	refused(f, FAA_ERROR_ILLEGAL_OPERAND, 6);
	add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_F16, FAA_SCOPE_GPU, 32, none(), affine(va, 2), 0,
		 stream(FAA_TYPE_U64, f->in.va, 8), none());
	refused(f, FAA_ERROR_ILLEGAL_OPERAND, 6);
	add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_F16, FAA_SCOPE_GPU, 32,
		 stream(FAA_TYPE_U16, f->out.va, 2), affine(va, 2), 0,
		 stream(FAA_TYPE_U16, f->in.va, 2), none());
	run(f);
}

static void registers_and_items(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	uint64_t va = buffer.va;

	/* The address has 64 bits, whatever the type. */
	add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U16, FAA_SCOPE_GPU, 32, none(), reg(3), 0, reg(1),
		 none());
	refused(f, FAA_ERROR_ILLEGAL_OPERAND, 2);
	for (unsigned int slot = 1; slot < 4; slot++) {
		add_atom(f, 0, FAA_ATOM_OP_CAS, FAA_TYPE_S64, FAA_SCOPE_GPU, 32, reg(2), reg(4), 0,
			 reg(6), reg(8));
		f->words[2] |= 1ULL << 8 * slot;
		refused(f, FAA_ERROR_ILLEGAL_OPERAND, 2);
	}
	/* A nonzero register field of an operand that is none. */
	add_atom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, 32, none(), reg(4), 0, none(),
		 none());
	f->words[2] |= FAA_PUT(REGS_RB, 6);
	refused(f, FAA_ERROR_ILLEGAL_OPERAND, 2);
	/* Any offset is legal. */
	add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, 32, none(), affine(va + 3, 4),
		 -3, imm(1), none());
	run(f);
}

static bool built_without(enum faa_feature gone, unsigned int op, unsigned int type,
			  unsigned int mode, unsigned int scope)
{
	(void)op;
	switch (gone) {
	case FAA_FEATURE_SYS_ATOMICS:
		return scope != FAA_SCOPE_SYS;
	case FAA_FEATURE_ATOMS_F32:
		return type != FAA_TYPE_F32;
	case FAA_FEATURE_ATOMS_F64:
		return type != FAA_TYPE_F64;
	case FAA_FEATURE_ATOMS_X2:
		return type != FAA_TYPE_F16 && type != FAA_TYPE_F16X2 && type != FAA_TYPE_BF16X2;
	case FAA_FEATURE_ATOMS_RELAXED:
		return !(mode & FAA_FLOAT_MODE_RELAXED);
	default:
		/* 64-bit integers of ATOM do not need the feature of those of ATOMS. */
		return true;
	}
}

static void check_build_without(struct fixture *f, enum faa_feature gone)
{
	struct tb_buffer buffer = atomic_buffer(f, BYTES);

	for (unsigned int i = 0; i < 17 * 16 * 2 * 3; i++) {
		unsigned int op = i % 17, type = i / 17 % 16, scope = scopes[i / 544];
		unsigned int mode = i / 272 % 2 ? FAA_FLOAT_MODE_RELAXED : 0;

		if (!atom_has(op, type) || (mode && (op != FAA_ATOM_OP_ADD || !is_float(type))))
			continue;
		add_plain(f, mode, op, type, scope, buffer.va);
		if (built_without(gone, op, type, mode, scope))
			run(f);
		else
			refused(f, FAA_ERROR_ILLEGAL_OPERATION,
				gone == FAA_FEATURE_SYS_ATOMICS ? 1 : 0);
	}
}

/* The model alone can be any build. */
static void builds_without_a_feature(void **state)
{
	static const uint8_t features[] = { FAA_FEATURE_SYS_ATOMICS, FAA_FEATURE_ATOMS_INT64,
					    FAA_FEATURE_ATOMS_F32,   FAA_FEATURE_ATOMS_F64,
					    FAA_FEATURE_ATOMS_X2,    FAA_FEATURE_ATOMS_RELAXED,
					    FAA_FEATURE_ALU };

	(void)state;
	needs_model();
	for (unsigned int i = 0; i < sizeof(features); i++) {
		struct faa_model_params params = FAA_MODEL_DEFAULT;
		void *f;

		params.features &= ~(1u << features[i]);
		fixture_setup_build(&f, &params);
		check_build_without(f, features[i]);
		assert_int_equal(fixture_teardown(&f), 0);
	}
}

/* Without GLOBAL_ATOMICS the opcode is unknown, whatever else is wrong with the command. */
static void a_build_without_atom(void **state)
{
	struct faa_model_params params = FAA_MODEL_DEFAULT;
	void *fixture;
	struct fixture *f;

	(void)state;
	needs_model();
	params.features &= ~(1u << FAA_FEATURE_GLOBAL_ATOMICS | 1u << FAA_FEATURE_SYS_ATOMICS |
			     1u << FAA_FEATURE_SURFACE_ATOMICS);
	fixture_setup_build(&fixture, &params);
	f = fixture;
	add_plain(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, f->in.va);
	f->words[0] |= FAA_HEADER_RESERVED | FAA_HEADER_LENGTH_MASK;
	refused(f, FAA_ERROR_ILLEGAL_COMMAND, 0);
	assert_int_equal(fixture_teardown(&fixture), 0);
}

/* -------------------------------------------------------------------------------------------------
 * Execution
 */

/* 100 elements on one word: each returns the number of elements before it. */
static void lanes_of_one_word_in_order(void **state)
{
	static const enum faa_type types[] = { FAA_TYPE_U16, FAA_TYPE_U32, FAA_TYPE_U64 };
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	uint64_t *before = f->out.ptr;

	for (unsigned int i = 0; i < 3 * scope_count(f); i++) {
		enum faa_type type = types[i % 3];
		uint64_t value = 0;

		memset(buffer.ptr, 0, 64);
		memset(f->out.ptr, 0, 800);
		add_atom(f, 0, FAA_ATOM_OP_ADD, type, scopes[i / 3], 100,
			 stream(type == FAA_TYPE_U64 ? FAA_TYPE_U64 : FAA_TYPE_U32, f->out.va, 8),
			 imm(buffer.va + 8), 0, affine(3, 1), none());
		run(f);
		for (unsigned int e = 0; e < 100; e++) {
			assert_int_equal(le64toh(before[e]), value);
			value += 3 + e;
		}
		assert_int_equal(le64toh(((uint64_t *)buffer.ptr)[1]), value);
		assert_int_equal(f->status.warps, 4);
		assert_int_equal(f->status.elements_retired, 100);
		assert_int_equal(f->status.passes, 0);
	}
}

/* A chain of CAS: each lane finds what the one before stored, in the order of lanes and warps. */
static void a_chain_of_cas(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	uint32_t *success = f->out.ptr;

	for (unsigned int i = 0; i < scope_count(f); i++) {
		*(uint32_t *)buffer.ptr = 0;
		memset(success, 0, 400);
		add_atom(f, 0, FAA_ATOM_OP_CAST, FAA_TYPE_U32, scopes[i], 96,
			 stream(FAA_TYPE_U32, f->out.va, 4), imm(buffer.va), 0, affine(0, 1),
			 affine(1, 1));
		/* Once more: only the element that compares with 96 succeeds. */
		add_atom(f, 0, FAA_ATOM_OP_CAS, FAA_TYPE_U32, scopes[i], 97, none(), imm(buffer.va),
			 0, affine(0, 1), imm(1000));
		run(f);
		for (unsigned int e = 0; e < 96; e++)
			assert_int_equal(success[e], 1);
		assert_int_equal(*(uint32_t *)buffer.ptr, 1000);
	}
}

/*
 * Two items per 32 bits: one command changes both, another only one; neighbouring bytes do not
 * change.
 */
static void halves_are_apart(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	bool floats = has_type(f, FAA_TYPE_F16);
	uint16_t *halves = buffer.ptr;

	for (unsigned int i = 0; i < scope_count(f); i++) {
		for (unsigned int h = 0; h < 256; h++)
			halves[h] = htole16(0xff00 + h);
		/* Carries and borrows stay inside. */
		add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U16, scopes[i], 64, none(),
			 affine(buffer.va + 64, 2), 0, imm(0x7fff00f0), none());
		add_atom(f, 0, FAA_ATOM_OP_SUB, FAA_TYPE_S16, scopes[i], 64, none(),
			 affine(buffer.va + 64, 4), 2, imm(0xffff), none());
		if (floats)
			add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_F16, scopes[i], 1, none(),
				 imm(buffer.va), 6, imm(0x12343c00), none());
		halves[3] = htole16(0x3c00);
		run(f);
		for (unsigned int h = 0; h < 256; h++) {
			uint16_t expected = 0xff00 + h;

			if (h >= 32 && h < 96)
				expected += 0xf0;
			if (h >= 32 && h < 160 && h % 2)
				expected++;
			if (h == 3)
				expected = floats ? 0x4000 : 0x3c00;
			if (le16toh(halves[h]) != expected)
				fail_msg("half %u is 0x%04x, not 0x%04x", h, halves[h], expected);
		}
	}
}

/* The same additions with the address, b, c and d of every kind. */
static void operands_of_every_kind(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	uint64_t va = buffer.va, *in = f->in.ptr;
	uint32_t *index = (uint32_t *)(in + 64);
	const struct faa_operand addresses[] = { affine(va, 8), stream(FAA_TYPE_U64, f->in.va, 8),
						 scaled(FAA_TYPE_U32, f->in.va + 512, 4, 3, va),
						 reg(2) };
	const struct faa_operand values[] = { affine(100, 1),
					      stream(FAA_TYPE_U64, f->in.va + 1024, 8), reg(4) };
	const struct faa_operand results[] = { none(), reg(6), stream(FAA_TYPE_U64, f->out.va, 8) };

	for (unsigned int i = 0; i < 32; i++) {
		in[i] = htole64(va + 8 * i);
		index[i] = htole32(i);
		in[128 + i] = htole64(100 + i);
	}
	add_mov(f, FAA_TYPE_U64, 32, reg(2), affine(va, 8));
	add_mov(f, FAA_TYPE_U64, 32, reg(4), affine(100, 1));
	run(f);
	for (unsigned int i = 0; i < 4 * 3 * 3; i++) {
		uint64_t *words = buffer.ptr, *out = f->out.ptr;

		memset(f->out.ptr, 0, 256);
		for (unsigned int e = 0; e < 32; e++)
			words[e] = htole64(7 * e);
		add_atom(f, 0, FAA_ATOM_OP_CAS, FAA_TYPE_U64, FAA_SCOPE_GPU, 32, results[i / 12],
			 addresses[i % 4], 0, affine(0, 7), values[i / 4 % 3]);
		add_atom(f, 0, FAA_ATOM_OP_SUB, FAA_TYPE_U64, FAA_SCOPE_GPU, 32, none(),
			 addresses[i % 4], 0, values[i / 4 % 3], none());
		if (i / 12 == 1)
			add_st(f, FAA_TYPE_U64, 32, affine(f->out.va, 8), 0, reg(6));
		run(f);
		for (unsigned int e = 0; e < 32; e++) {
			assert_int_equal(words[e], 0);
			assert_int_equal(le64toh(out[e]), i / 12 ? 7 * e : 0);
		}
	}
	/* No address operand: the offset alone, unsigned. That address is unmapped. */
	add_atom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, 1, none(), none(), 0xfffffc,
		 none(), none());
	run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, 0xfffffc);
	add_atom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, 1, none(), reg(FAA_RZ),
		 0xfffff8, none(), none());
	run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, 0xfffff8);
	/* The same immediate address for all; a negative offset. */
	add_atom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, FAA_SCOPE_GPU, 77, none(), imm(va + 4096),
		 -4096, none(), none());
	run(f);
	assert_int_equal(*(uint64_t *)buffer.ptr, 77);
}

/* A register destination keeps the result of each lane's last element; results are extended. */
static void results_in_registers(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	int16_t *halves = buffer.ptr;
	uint32_t *out = f->out.ptr;

	for (int i = 0; i < 40; i++)
		halves[i] = (int16_t)htole16((uint16_t)(-20 + i));
	add_atom(f, 0, FAA_ATOM_OP_MAX, FAA_TYPE_S16, FAA_SCOPE_GPU, 40, reg(2),
		 affine(buffer.va, 2), 0, imm(0xfffb), none());
	add_st(f, FAA_TYPE_U32, 32, affine(f->out.va, 4), 0, reg(2));
	add_atom(f, 0, FAA_ATOM_OP_PREDEC, FAA_TYPE_U16, FAA_SCOPE_GPU, 1, reg(3),
		 imm(buffer.va + 200), 0, none(), none());
	add_st(f, FAA_TYPE_U32, 1, imm(f->out.va + 128), 0, reg(3));
	run(f);
	for (int i = 0; i < 32; i++)
		assert_int_equal((int32_t)le32toh(out[i]), i < 8 ? 12 + i : -20 + i);
	for (int i = 0; i < 40; i++)
		assert_int_equal((int16_t)le16toh((uint16_t)halves[i]), i < 15 ? -5 : -20 + i);
	assert_int_equal(le32toh(out[32]), 0xffff);
}

/* The guard selects the lanes; the others are not checked and change nothing. */
static void guards(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	uint32_t *words = buffer.ptr, command;

	add_setp(f, FAA_CMP_LT, FAA_TYPE_U32, 32, 2, affine(0, 1), imm(9));
	f->issue.guard = 2;
	/* Lane 1 is the first active lane with a bad address. */
	command = here(f);
	add_count(f, 32, none(), affine(buffer.va, 4 + (1ULL << 44)));
	f->issue.guard = FAA_PT;
	run_error(f, FAA_ERROR_NOT_MAPPED, command, 1, buffer.va + 4 + (1ULL << 44));
	/* Lanes from 9 on have bad addresses, which are not checked. */
	for (unsigned int i = 0; i < 32; i++)
		((uint64_t *)f->in.ptr)[i] = htole64(i < 9 ? buffer.va + 4 * i : 3);
	f->issue.guard = 2;
	add_count(f, 64, none(), stream(FAA_TYPE_U64, f->in.va, 0));
	add_count(f, 32, none(), stream(FAA_TYPE_U64, f->in.va, 8));
	f->issue.guard_negate = 1;
	add_count(f, 32, none(), affine(buffer.va + 64, 4));
	f->issue.guard_negate = 0;
	f->issue.guard = FAA_PT;
	run(f);
	assert_int_equal(words[0], 18 + 1);
	for (unsigned int i = 1; i < 48; i++)
		assert_int_equal(words[i], i < 9 || (i >= 25 && i < 48) ? 1 : 0);
}

/*
 * b from the words that the command changes: a warp sees the changes of earlier warps, none of its
 * own.
 */
static void operands_from_the_words_themselves(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	uint32_t *words = buffer.ptr, value = 1;

	for (unsigned int scope = 0; scope < scope_count(f); scope++) {
		value = words[5] = 1;
		add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, scopes[scope], 5 * 32, none(),
			 imm(buffer.va + 20), 0, stream(FAA_TYPE_U32, buffer.va + 20, 0), none());
		run(f);
		for (unsigned int warp = 0; warp < 5; warp++)
			value += 32 * value;
		assert_int_equal(words[5], value);
	}
}

/* Results to the addresses of the atomic accesses: written after these, so they remain. */
static void results_onto_the_words_themselves(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	uint32_t *words = buffer.ptr;

	for (unsigned int i = 0; i < 32; i++)
		words[i] = 1000 + i;
	/* Lane l changes word l and returns it to word (l + 1): only the old values remain. */
	add_atom(f, 0, FAA_ATOM_OP_EXCH, FAA_TYPE_U32, FAA_SCOPE_GPU, 32,
		 stream(FAA_TYPE_U32, buffer.va + 4, 4), affine(buffer.va, 4), 0, imm(5), none());
	run(f);
	assert_int_equal(words[0], 5);
	for (unsigned int i = 1; i <= 32; i++)
		assert_int_equal(words[i], 1000 + i - 1);
}

/*
 * RELAXED sums of 32 lanes on one word and on three: the rule of the specification in the host's
 * floats.
 */
static void relaxed_sums(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, BYTES);
	uint64_t random = 11;
	float m[3], values[64], returned[64];

	needs_feature(f, FAA_FEATURE_ATOMS_RELAXED);
	for (unsigned int round = 0; round < 30 * scope_count(f); round++) {
		unsigned int words = round % 3 + 1;

		for (unsigned int w = 0; w < 3; w++)
			m[w] = (float)(int32_t)test_random(&random);
		for (unsigned int e = 0; e < 64; e++)
			values[e] = (float)(int32_t)test_random(&random) / 1024.0f;
		memcpy(buffer.ptr, m, sizeof(m));
		memcpy(f->in.ptr, values, sizeof(values));
		for (unsigned int e = 0; e < 64; e++)
			((uint32_t *)f->in.ptr)[64 + e] = e % words;
		add_atom(f, FAA_FLOAT_MODE_RELAXED, FAA_ATOM_OP_ADD, FAA_TYPE_F32,
			 scopes[round / 30], 64, stream(FAA_TYPE_F32, f->out.va, 4),
			 scaled(FAA_TYPE_U32, f->in.va + 256, 4, 2, buffer.va), 0,
			 stream(FAA_TYPE_F32, f->in.va, 4), none());
		run(f);
		for (unsigned int warp = 0; warp < 2; warp++) {
			for (unsigned int w = 0; w < words; w++) {
				volatile float sum = 0;

				for (unsigned int e = 32 * warp; e < 32 * warp + 32; e++) {
					bool first =
						e ==
						32 * warp + (w + words - 32 * warp % words) % words;

					if (e % words != w)
						continue;
					returned[e] = first ? m[w] : m[w] + sum;
					sum = first ? values[e] : sum + values[e];
				}
				m[w] = m[w] + sum;
			}
		}
		assert_memory_equal(buffer.ptr, m, sizeof(m[0]) * words);
		assert_memory_equal(f->out.ptr, returned, sizeof(returned));
	}
}

/* -------------------------------------------------------------------------------------------------
 * Sparse pages and errors
 */

/* Sets the leaf flags of the buffer's second page, and returns its address. */
static uint64_t second_page(struct fixture *f, const struct tb_buffer *buffer, uint64_t flags)
{
	uint64_t va = buffer->va + TB_PAGE;

	*tb_vm_entry(f->vm, va, 0) =
		htole64((buffer->dma + TB_PAGE) | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | flags);
	assert_true(tb_vm_invalidate(f->vm, va, va + TB_PAGE - 1));
	return va;
}

#define FULL (FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK)

/*
 * M is 0 for every lane, also for lanes on one word; nothing is stored, and the page's memory is
 * not touched.
 */
static void sparse_pages(void **state)
{
	static const struct {
		uint8_t op, type, mode;
		uint64_t b, returned;
	} rows[] = {
		{ FAA_ATOM_OP_ADD, FAA_TYPE_U32, 0, 7, 0 },
		{ FAA_ATOM_OP_EXCH, FAA_TYPE_U64, 0, 7, 0 },
		{ FAA_ATOM_OP_CAST, FAA_TYPE_U32, 0, 0, 1 },
		{ FAA_ATOM_OP_CAST, FAA_TYPE_U32, 0, 1, 0 },
		{ FAA_ATOM_OP_PREDEC, FAA_TYPE_U32, 0, 0, 0xffffffff },
		{ FAA_ATOM_OP_PREDEC, FAA_TYPE_U16, 0, 0, 0xffff },
		{ FAA_ATOM_OP_MIN, FAA_TYPE_S16, 0, 0x8000, 0 },
		{ FAA_ATOM_OP_ADD, FAA_TYPE_F32, 0, 0x3f800000, 0 },
		{ FAA_ATOM_OP_ADD, FAA_TYPE_F32, FAA_FLOAT_MODE_RELAXED, 0x3f800000, 0 },
	};
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, 2 * TB_PAGE);
	uint64_t va = second_page(f, &buffer, FULL | FAA_PTE_SPARSE_MASK);
	uint64_t *out = f->out.ptr;

	tb_dma_access(f->host, buffer.dma + TB_PAGE, TB_PAGE, TB_NONE);
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]) * scope_count(f); i++) {
		unsigned int n = i / scope_count(f), op = rows[n].op;
		bool wide = rows[n].type == FAA_TYPE_U64;

		if (!has_type(f, rows[n].type) ||
		    (rows[n].mode && !has_feature(f, FAA_FEATURE_ATOMS_RELAXED)))
			continue;
		memset(out, 0, 512);
		add_atom(f, rows[n].mode, op, rows[n].type, scopes[i % scope_count(f)], 64,
			 stream(wide ? FAA_TYPE_U64 : FAA_TYPE_U32, f->out.va, 8),
			 i % 2 ? imm(va + 16) : affine(va, 8), 0,
			 has_b(op) ? imm(rows[n].b) : none(), has_c(op) ? imm(9) : none());
		run(f);
		for (unsigned int e = 0; e < 64; e++)
			assert_int_equal(le64toh(out[e]), rows[n].returned);
		assert_int_equal(f->status.warps, 2);
	}
}

/*
 * One bad lane in the second warp, at each lane: the first warp is done, the second has no effect.
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
		{ FAA_PTE_ATOMIC_MASK | FAA_PTE_SPARSE_MASK, FAA_ERROR_NOT_WRITABLE },
	};
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, 2 * TB_PAGE);
	uint32_t *words = buffer.ptr, *index = f->in.ptr;

	for (unsigned int i = 0; i < 5 * 32; i++) {
		unsigned int bad = i % 32;
		uint64_t va = second_page(f, &buffer, pages[i / 32].flags);

		memset(buffer.ptr, 0, TB_PAGE);
		memset(f->out.ptr, 0xee, 256);
		for (unsigned int e = 0; e < 64; e++)
			index[e] = e;
		index[32 + bad] = 1024 + bad;
		if (bad < 31)
			index[63] = 0x3fffffff;
		add_count(f, 64, stream(FAA_TYPE_U32, f->out.va, 4),
			  scaled(FAA_TYPE_U32, f->in.va, 4, 2, buffer.va));
		add_count(f, 1, none(), imm(buffer.va + 1024));
		run_error(f, pages[i / 32].code, 0, 32 + bad, va + 4 * bad);
		assert_int_equal(f->status.elements_retired, 32);
		assert_int_equal(f->status.warps, 1);
		for (unsigned int e = 0; e < 1024; e++)
			assert_int_equal(words[e], e < 32);
		for (unsigned int e = 0; e < 64; e++)
			assert_int_equal(((uint32_t *)f->out.ptr)[e], e < 32 ? 0 : 0xeeeeeeee);
	}
}

/*
 * Order of errors: MISALIGNED, NON_CANONICAL, the page; operand streams and the result before the
 * access itself.
 */
static void which_error(void **state)
{
	static const enum faa_type types[] = { FAA_TYPE_U16, FAA_TYPE_F32, FAA_TYPE_S64 };
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, 2 * TB_PAGE);
	uint64_t plain = second_page(f, &buffer, FAA_PTE_WRITABLE_MASK), va = buffer.va;
	uint64_t hole = buffer.va + 2 * TB_PAGE;

	for (unsigned int i = 0; i < 3; i++) {
		unsigned int bytes = 2u << i;

		if (!has_type(f, types[i]))
			continue;
		for (unsigned int low = 1; low < bytes; low++) {
			add_plain(f, 0, FAA_ATOM_OP_MAX, types[i], FAA_SCOPE_GPU, va + low);
			run_error(f, FAA_ERROR_MISALIGNED, 0, 0, va + low);
			add_plain(f, 0, FAA_ATOM_OP_MAX, types[i], FAA_SCOPE_GPU,
				  (plain + low) | 1ULL << 63);
			run_error(f, FAA_ERROR_MISALIGNED, 0, 0, (plain + low) | 1ULL << 63);
		}
		for (unsigned int bit = 48; bit < 64; bit++) {
			add_plain(f, 0, FAA_ATOM_OP_MAX, types[i], FAA_SCOPE_GPU,
				  plain | 1ULL << bit);
			run_error(f, FAA_ERROR_NON_CANONICAL, 0, 0, plain | 1ULL << bit);
		}
		add_plain(f, 0, FAA_ATOM_OP_MAX, types[i], FAA_SCOPE_GPU, hole);
		run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, hole);
	}
	add_atom(f, 0, FAA_ATOM_OP_CAS, FAA_TYPE_U32, FAA_SCOPE_GPU, 32,
		 stream(FAA_TYPE_U32, hole, 4), imm(plain), 0, imm(0),
		 stream(FAA_TYPE_U32, hole + 4, 4));
	run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, hole + 4);
	add_count(f, 32, stream(FAA_TYPE_U32, hole, 4), imm(plain));
	run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, hole);
	add_count(f, 32, none(), imm(plain));
	run_error(f, FAA_ERROR_NOT_ATOMIC, 0, 0, plain);
	/* Stores and loads to the page are allowed. */
	add_st(f, FAA_TYPE_U32, 1, imm(plain), 0, imm(4));
	run(f);
	assert_int_equal(*(uint32_t *)buffer.ptr, 0);
}

/*
 * 320 counts in two pages, of which one becomes atomic only after the first run; none is counted
 * twice.
 */
static void restart(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, 2 * TB_PAGE);
	uint64_t va = second_page(f, &buffer, FAA_PTE_WRITABLE_MASK);
	uint32_t *words = buffer.ptr, job, bytes;
	struct faa_job_desc desc;

	/* 16 bytes apart: element 256 is the first in the second page. */
	add_count(f, 320, stream(FAA_TYPE_U32, f->out.va, 4), affine(buffer.va, 16));
	add_end(f);
	bytes = f->count * 8;
	assert_int_equal(run_raw(f), FAA_ERROR_NOT_ATOMIC);
	assert_int_equal(f->status.element, 256);
	assert_int_equal(f->status.address, va);
	assert_int_equal(f->status.elements_retired, 256);
	second_page(f, &buffer, FULL);
	desc = tb_desc(f->queue, f->code.va, bytes);
	desc.first_element = htole32(f->status.element & ~31u);
	job = tb_push(f->queue, &desc);
	tb_doorbell(f->queue);
	assert_true(tb_wait(f->queue, job));
	f->status = *tb_status(f->queue, job);
	assert_int_equal(f->status.code, FAA_ERROR_SUCCESS);
	assert_int_equal(f->status.elements_retired, 64);
	for (unsigned int e = 0; e < 320; e++)
		assert_int_equal(words[4 * e], 1);
}

/* No memory at the page's address: BUS_ERROR with the address of the line, at every scope. */
static void bus_errors(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, 2 * TB_PAGE);

	f->host->allow_bus_errors = true;
	*tb_vm_entry(f->vm, buffer.va, 0) =
		htole64(TB_NO_MEMORY | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | FULL);
	for (unsigned int i = 0; i < scope_count(f); i++) {
		add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, scopes[i], 1, none(),
			 imm(buffer.va + 0x148), 0, imm(1), none());
		add_end(f);
		assert_int_equal(run_raw(f), FAA_ERROR_BUS_ERROR);
		assert_int_equal(f->status.address, TB_NO_MEMORY + 0x140);
	}
	/* The queue continues to work. */
	run(f);
}

/*
 * The page of half of the lanes moves to other memory and back while a job runs: every lane counts
 * once, in either memory.
 */
static void a_page_moves(void **state)
{
	const unsigned int commands = 20, elements = 16384;
	struct fixture *f = begin(state);
	struct tb_buffer one = atomic_buffer(f, 2 * TB_PAGE),
			 two = tb_buffer_create(f->vm, TB_PAGE);
	uint32_t *words = one.ptr, *others = two.ptr, job;
	const unsigned int word = TB_PAGE / 4;

	for (unsigned int e = 0; e < elements; e++)
		((uint8_t *)f->in.ptr)[e] = e % 32;
	/* 16 words before the end of the page, 16 after it. */
	for (unsigned int i = 0; i < commands; i++)
		add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU, elements, none(),
			 scaled(FAA_TYPE_U8, f->in.va, 1, 2, one.va + TB_PAGE - 64), 0, imm(1),
			 none());
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	for (unsigned int round = 0; round < 50; round++) {
		tb_step(f->host, 100 + 7 * round);
		tb_vm_map(f->vm, one.va + TB_PAGE, round % 2 ? one.dma + TB_PAGE : two.dma, TB_PAGE,
			  FULL);
		assert_true(tb_vm_invalidate(f->vm, one.va + TB_PAGE, one.va + 2 * TB_PAGE - 1));
	}
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_SUCCESS);
	for (unsigned int i = 0; i < 16; i++) {
		assert_int_equal(words[word - 16 + i], commands * elements / 32);
		assert_int_equal(words[word + i] + others[i], commands * elements / 32);
	}
	assert_true(words[word] != 0 && others[0] != 0);
}

/* -------------------------------------------------------------------------------------------------
 * Queues, and the host
 */

#define COUNTS 20000

/* Two queues, on two compute units if possible: none of their counts is lost. */
static void two_queues_on_the_same_words(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, TB_PAGE);
	struct tb_queue *other = tb_queue_create(f->vm, 3, NULL);
	uint32_t *words = buffer.ptr, jobs[2];

	for (unsigned int scope = 1; scope < scope_count(f); scope++) {
		memset(words, 0, 256);
		/* All lanes on word 0, then each on one of 32. */
		add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, scopes[scope], 1000, none(),
			 imm(buffer.va), 0, imm(3), none());
		add_atom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U32, scopes[scope], 1000, none(),
			 stream(FAA_TYPE_U64, f->in.va, 8), 0, none(), none());
		add_end(f);
		for (unsigned int e = 0; e < 1000; e++)
			((uint64_t *)f->in.ptr)[e] = htole64(buffer.va + e % 32 * 4);
		memcpy(f->code.ptr, f->words, f->count * 8);
		jobs[0] = tb_submit(f->queue, f->code.va, f->count * 8);
		jobs[1] = tb_submit(other, f->code.va, f->count * 8);
		f->count = 0;
		assert_true(tb_wait(f->queue, jobs[0]) && tb_wait(other, jobs[1]));
		for (unsigned int w = 0; w < 32; w++)
			assert_int_equal(words[w], (w ? 0 : 6000) + 2 * (31 + (w < 8)));
	}
	assert_true(tb_queue_destroy(other));
}

static void add_ordered(struct fixture *f, enum faa_order order, enum faa_atom_op op,
			struct faa_operand d, uint64_t va, uint64_t b)
{
	unsigned int at = f->count;

	add_atom(f, 0, op, FAA_TYPE_U32, FAA_SCOPE_GPU, 1, d, imm(va), 0, imm(b), none());
	f->words[at + 1] |= FAA_PUT(ACCESS_ORDER, order);
}

static uint32_t submit_from(struct fixture *f, struct tb_queue *queue, struct tb_buffer *code)
{
	uint32_t bytes = f->count * 8;

	add_end(f);
	memcpy(code->ptr, f->words, bytes + 8);
	f->count = 0;
	return tb_submit(queue, code->va, bytes + 8);
}

#define MESSAGES 140u

/*
 * Stores of one queue before it counts with RELEASE are visible to the other one after an ACQUIRE
 * that saw the count.
 */
static void release_and_acquire(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, TB_PAGE), code = tb_buffer_create(f->vm, 32768);
	struct tb_queue *other = tb_queue_create(f->vm, 3, NULL);
	const uint64_t count = buffer.va, stored = count + 64 * 5, added = count + 64 * 10;
	uint32_t *seen = f->out.ptr, jobs[2];

	for (unsigned int i = 0; i < MESSAGES; i++) {
		add_ordered(f, FAA_ORDER_RELAXED, FAA_ATOM_OP_ADD, none(), added, 1);
		add_st(f, FAA_TYPE_U32, 1, imm(stored), 0, imm(i + 1));
		add_ordered(f, FAA_ORDER_RELEASE, FAA_ATOM_OP_ADD, none(), count, 1);
	}
	jobs[0] = submit_from(f, f->queue, &f->code);
	for (unsigned int i = 0; i < MESSAGES; i++) {
		uint64_t out = f->out.va + 16 * i;

		add_ordered(f, i % 2 ? FAA_ORDER_ACQUIRE : FAA_ORDER_ACQ_REL, FAA_ATOM_OP_OR,
			    stream(FAA_TYPE_U32, out, 4), count, 0);
		add_ordered(f, FAA_ORDER_RELAXED, FAA_ATOM_OP_OR, stream(FAA_TYPE_U32, out + 4, 4),
			    added, 0);
		add_ld(f, FAA_TYPE_U32, 1, stream(FAA_TYPE_U32, out + 8, 4), imm(stored), 0);
	}
	jobs[1] = submit_from(f, other, &code);
	assert_true(tb_wait(f->queue, jobs[0]) && tb_wait(other, jobs[1]));
	assert_int_equal(tb_status(f->queue, jobs[0])->code, FAA_ERROR_SUCCESS);
	assert_int_equal(tb_status(other, jobs[1])->code, FAA_ERROR_SUCCESS);
	assert_int_equal(*(uint32_t *)buffer.ptr, MESSAGES);
	for (unsigned int i = 0; i < MESSAGES; i++) {
		assert_true(seen[4 * i + 1] >= seen[4 * i]);
		assert_true(seen[4 * i + 2] >= seen[4 * i]);
	}
	assert_true(tb_queue_destroy(other));
}

/* struct player - a host thread and its results */
struct player {
	pthread_t thread;
	uint64_t *words;
	bool stop;
	/* Longest pause between its accesses in microseconds; 0 = none. */
	unsigned int pause;
	uint64_t counted;
	uint64_t freed;
	/* Sum of the tokens that it has stored, less those that it has taken. */
	uint64_t balance;
};

/* The words that both sides change, each in a line of its own. */
enum word { WORD_COUNT = 0, WORD_FLAG = 8, WORD_TOKEN = 16, WORD_HALVES = 24 };

/* Counts, frees the flag if it was taken, exchanges tokens, counts in the upper half of a word. */
static void *play(void *argument)
{
	struct player *p = argument;
	uint16_t *halves = (uint16_t *)&p->words[WORD_HALVES];

	while (!__atomic_load_n(&p->stop, __ATOMIC_RELAXED)) {
		uint64_t token = ++p->counted * 0x9e3779b97f4a7c15ULL, taken = 1;

		__atomic_fetch_add(&p->words[WORD_COUNT], 1, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(&halves[1], 1, __ATOMIC_SEQ_CST);
		p->freed += __atomic_compare_exchange_n(&p->words[WORD_FLAG], &taken, 0, false,
							__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
		p->balance +=
			token - __atomic_exchange_n(&p->words[WORD_TOKEN], token, __ATOMIC_SEQ_CST);
		if (p->pause)
			usleep((useconds_t)(token >> 40) % p->pause);
	}
	return NULL;
}

static void add_game(struct fixture *f, uint64_t va, unsigned int counts, unsigned int swaps)
{
	add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U64, FAA_SCOPE_SYS, counts, none(), imm(va), 0,
		 imm(1), none());
	add_atom(f, 0, FAA_ATOM_OP_INCU, FAA_TYPE_U16, FAA_SCOPE_SYS, counts, none(),
		 imm(va + 8 * WORD_HALVES), 0, none(), none());
	/* Old values to the elements' words: 0 where the flag was free. */
	add_atom(f, 0, FAA_ATOM_OP_CAS, FAA_TYPE_U64, FAA_SCOPE_SYS, swaps,
		 stream(FAA_TYPE_U64, f->out.va, 8), imm(va + 8 * WORD_FLAG), 0, imm(0), imm(1));
	add_atom(f, 0, FAA_ATOM_OP_EXCH, FAA_TYPE_U64, FAA_SCOPE_SYS, swaps,
		 stream(FAA_TYPE_U64, f->out.va + 16384, 8), imm(va + 8 * WORD_TOKEN), 0,
		 affine(1, 5), none());
}

/*
 * Two host threads and the device change the same words at scope SYS: no change is lost. The RTL
 * implements operations on halves of a word with CAS, which succeeds only if no other agent changes
 * the word during a transaction; so the threads pause.
 */
static void threads_of_the_host(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, TB_PAGE);
	struct player players[2] = { { .words = buffer.ptr }, { .words = buffer.ptr } };
	uint64_t *words = buffer.ptr, *out = f->out.ptr, counted = 0, balance = 0;
	const bool rtl = f->host->ops != &faa_engine_model;
	const unsigned int rounds = rtl ? 2 : 5;
	const unsigned int counts = rtl ? 320 : COUNTS, swaps = rtl ? 160 : 2048;
	int64_t flag = 0;

	needs_feature(f, FAA_FEATURE_SYS_ATOMICS);
	players[0].pause = players[1].pause = rtl ? 100000 : 0;
	for (unsigned int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&players[i].thread, NULL, play, &players[i]), 0);
	for (unsigned int round = 0; round < rounds; round++) {
		add_game(f, buffer.va, counts, swaps);
		run(f);
		for (unsigned int e = 0; e < swaps; e++) {
			flag += le64toh(out[e]) == 0;
			balance += 1 + 5 * e - le64toh(out[2048 + e]);
		}
	}
	for (unsigned int i = 0; i < 2; i++) {
		__atomic_store_n(&players[i].stop, true, __ATOMIC_RELAXED);
		pthread_join(players[i].thread, NULL);
		counted += players[i].counted;
		flag -= players[i].freed;
		balance += players[i].balance;
	}
	print_message("# the host counted %llu times, the device %u times\n",
		      (unsigned long long)counted, rounds * counts);
	assert_int_equal(words[WORD_COUNT], counted + rounds * counts);
	assert_int_equal(words[WORD_FLAG], flag);
	assert_int_equal(words[WORD_TOKEN], balance);
	assert_int_equal(words[WORD_HALVES], (rounds * counts & 0xffff) | (counted & 0xffff) << 16);
}

/* Scope SYS uses the host's instructions, and only there. */
static void scope_sys_swaps(void **state)
{
	struct fixture *f = begin(state);
	struct tb_buffer buffer = atomic_buffer(f, TB_PAGE);

	needs_feature(f, FAA_FEATURE_SYS_ATOMICS);
	if (f->host->ops != &faa_engine_model)
		skip();
	add_count(f, 320, none(), imm(buffer.va));
	run(f);
	assert_int_equal(f->host->swaps, 0);
	add_atom(f, 0, FAA_ATOM_OP_MAX, FAA_TYPE_S16, FAA_SCOPE_SYS, 320, none(), imm(buffer.va), 0,
		 imm(0x7fff), none());
	run(f);
	assert_in_range(f->host->swaps, 320, 2 * 320);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(every_operation_type_and_mode),
		FIXTURE_TEST(second_and_third_word),
		FIXTURE_TEST(kinds_of_operands),
		FIXTURE_TEST(items_of_16_bits),
		FIXTURE_TEST(registers_and_items),
		cmocka_unit_test(builds_without_a_feature),
		cmocka_unit_test(a_build_without_atom),
		FIXTURE_TEST(lanes_of_one_word_in_order),
		FIXTURE_TEST(a_chain_of_cas),
		FIXTURE_TEST(halves_are_apart),
		FIXTURE_TEST(operands_of_every_kind),
		FIXTURE_TEST(results_in_registers),
		FIXTURE_TEST(guards),
		FIXTURE_TEST(operands_from_the_words_themselves),
		FIXTURE_TEST(results_onto_the_words_themselves),
		FIXTURE_TEST(relaxed_sums),
		FIXTURE_TEST(sparse_pages),
		FIXTURE_TEST(one_bad_lane),
		FIXTURE_TEST(which_error),
		FIXTURE_TEST(restart),
		FIXTURE_TEST(bus_errors),
		FIXTURE_TEST(a_page_moves),
		FIXTURE_TEST(two_queues_on_the_same_words),
		FIXTURE_TEST(release_and_acquire),
		FIXTURE_TEST(threads_of_the_host),
		FIXTURE_TEST(scope_sys_swaps),
	};

	return fixture_main(argc, argv, "atom", tests, sizeof(tests) / sizeof(tests[0]));
}
