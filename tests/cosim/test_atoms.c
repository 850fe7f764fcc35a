// SPDX-License-Identifier: MIT
/* ATOMS: every operation, type, operand kind and address form. */
#include <string.h>

#include "fixture.h"

/* One row of the table of operations. */
struct row {
	enum faa_atoms_op op;
	enum faa_type type;
};

static const struct row table[] = {
	{ FAA_ATOMS_OP_ADD, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_ADD, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_ADD, FAA_TYPE_U64 },	  { FAA_ATOMS_OP_ADD, FAA_TYPE_S64 },
	{ FAA_ATOMS_OP_MIN, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_MIN, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_MIN, FAA_TYPE_U64 },	  { FAA_ATOMS_OP_MIN, FAA_TYPE_S64 },
	{ FAA_ATOMS_OP_MAX, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_MAX, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_MAX, FAA_TYPE_U64 },	  { FAA_ATOMS_OP_MAX, FAA_TYPE_S64 },
	{ FAA_ATOMS_OP_INC, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_INC, FAA_TYPE_U64 },
	{ FAA_ATOMS_OP_DEC, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_DEC, FAA_TYPE_U64 },
	{ FAA_ATOMS_OP_AND, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_AND, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_AND, FAA_TYPE_U64 },	  { FAA_ATOMS_OP_AND, FAA_TYPE_S64 },
	{ FAA_ATOMS_OP_OR, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_OR, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_OR, FAA_TYPE_U64 },	  { FAA_ATOMS_OP_OR, FAA_TYPE_S64 },
	{ FAA_ATOMS_OP_XOR, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_XOR, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_XOR, FAA_TYPE_U64 },	  { FAA_ATOMS_OP_XOR, FAA_TYPE_S64 },
	{ FAA_ATOMS_OP_EXCH, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_EXCH, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_EXCH, FAA_TYPE_U64 },	  { FAA_ATOMS_OP_EXCH, FAA_TYPE_S64 },
	{ FAA_ATOMS_OP_CAS, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_CAS, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_CAS, FAA_TYPE_U64 },	  { FAA_ATOMS_OP_CAS, FAA_TYPE_S64 },
	{ FAA_ATOMS_OP_CAST, FAA_TYPE_U32 },	  { FAA_ATOMS_OP_CAST, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_CAST, FAA_TYPE_U64 },	  { FAA_ATOMS_OP_CAST, FAA_TYPE_S64 },
	{ FAA_ATOMS_OP_CAST_SPIN, FAA_TYPE_U32 }, { FAA_ATOMS_OP_CAST_SPIN, FAA_TYPE_S32 },
	{ FAA_ATOMS_OP_CAST_SPIN, FAA_TYPE_U64 }, { FAA_ATOMS_OP_CAST_SPIN, FAA_TYPE_S64 },
};

#define ROWS (sizeof(table) / sizeof(table[0]))

static const uint32_t edges[] = { 0,	      1,	  2,	      0x7ffffffe,
				  0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe,
				  0xffffffff, 0x12345678, 0x00ff00ff };

#define EDGES (sizeof(edges) / sizeof(edges[0]))

static unsigned int size_of(enum faa_type type)
{
	return type == FAA_TYPE_U64 || type == FAA_TYPE_S64 ? 8 : 4;
}

static bool has_c(enum faa_atoms_op op)
{
	return op >= FAA_ATOMS_OP_CAS;
}

static bool is_less(enum faa_type type, uint64_t a, uint64_t b)
{
	if (type == FAA_TYPE_S32)
		return (int32_t)a < (int32_t)b;
	return type == FAA_TYPE_S64 ? (int64_t)a < (int64_t)b : a < b;
}

/* The definition of the table's operation on one word: changes *m, returns Rd. */
static uint64_t table_says(struct row row, uint64_t *m, uint64_t b, uint64_t c)
{
	uint64_t old = *m;

	switch (row.op) {
	case FAA_ATOMS_OP_ADD:
		*m = size_of(row.type) == 8 ? old + b : (uint32_t)(old + b);
		break;
	case FAA_ATOMS_OP_MIN:
		if (is_less(row.type, b, old))
			*m = b;
		break;
	case FAA_ATOMS_OP_MAX:
		if (is_less(row.type, old, b))
			*m = b;
		break;
	case FAA_ATOMS_OP_INC:
		*m = (old >= b) ? 0 : (old + 1);
		break;
	case FAA_ATOMS_OP_DEC:
		*m = (old == 0 || old > b) ? b : old - 1;
		break;
	case FAA_ATOMS_OP_AND:
		*m = old & b;
		break;
	case FAA_ATOMS_OP_OR:
		*m = old | b;
		break;
	case FAA_ATOMS_OP_XOR:
		*m = old ^ b;
		break;
	case FAA_ATOMS_OP_EXCH:
		*m = b;
		break;
	case FAA_ATOMS_OP_CAS:
		if (old == b)
			*m = c;
		break;
	case FAA_ATOMS_OP_CAST:
	case FAA_ATOMS_OP_CAST_SPIN:
		if (old != b)
			return 0;
		*m = c;
		return 1;
	}
	return old;
}

static void put(void *memory, unsigned int index, unsigned int bytes, uint64_t value)
{
	memcpy((uint8_t *)memory + (size_t)index * bytes, &value, bytes);
}

static uint64_t get(const void *memory, unsigned int index, unsigned int bytes)
{
	uint64_t value = 0;

	memcpy(&value, (const uint8_t *)memory + (size_t)index * bytes, bytes);
	return value;
}

static uint64_t edge(unsigned int i, unsigned int bytes)
{
	uint64_t low = edges[i % EDGES];

	return bytes == 4 ? low : low | (uint64_t)edges[(i * 5 + 3) % EDGES] << 32;
}

/* Documentation/device.rst, "Banks", bit by bit. */
static unsigned int bank_by_bits(uint32_t address)
{
	unsigned int bank = 0;

	for (unsigned int bit = 0; bit < 22; bit++)
		if (address >> 2 >> bit & 1)
			bank ^= 1u << (bit % 5);
	return bank;
}

/* The group of a CAST.SPIN: a bank, or a pair of banks for 64 bits. */
static unsigned int spin_group(uint32_t address, unsigned int bytes)
{
	return bank_by_bits(address) & (bytes == 8 ? ~1u : ~0u);
}

/* One row with every pair of edge values, each element at an address of its own. */
static void check_row(struct fixture *f, struct row row)
{
	enum { ELEMENTS = EDGES * EDGES };
	unsigned int bytes = size_of(row.type);
	enum faa_type type = bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;
	uint8_t *m = f->in.ptr, *b = m + 1024, *c = m + 2048;
	const uint8_t *old = f->out.ptr, *new = old + 1024;
	uint64_t va = f->in.va;
	uint32_t taken = 0;

	for (unsigned int i = 0; i < ELEMENTS; i++) {
		put(m, i, bytes, edge(i / EDGES, bytes));
		put(b, i, bytes, edge(i % EDGES, bytes));
		put(c, i, bytes, edge(i + 7, bytes));
	}
	add_sts(f, type, ELEMENTS, affine(64, bytes), 0, stream(type, va, bytes));
	add_atoms(f, row.op, row.type, ELEMENTS, stream(type, f->out.va, bytes), affine(64, bytes),
		  0, stream(type, va + 1024, bytes),
		  has_c(row.op) ? stream(type, va + 2048, bytes) : none());
	add_lds(f, type, ELEMENTS, stream(type, f->out.va + 1024, bytes), affine(64, bytes), 0);
	run(f);
	for (unsigned int i = 0; i < ELEMENTS; i++) {
		uint64_t memory = edge(i / EDGES, bytes), rd = 0;
		uint32_t group = 1u << spin_group(64 + i * bytes, bytes);

		if (i % FAA_LANES == 0)
			taken = 0;
		if (row.op != FAA_ATOMS_OP_CAST_SPIN || !(taken & group))
			rd = table_says(row, &memory, edge(i % EDGES, bytes), edge(i + 7, bytes));
		taken |= group;
		assert_int_equal(get(old, i, bytes), rd);
		assert_int_equal(get(new, i, bytes), memory);
	}
}

static void every_operation_at_every_edge(void **state)
{
	for (unsigned int i = 0; i < ROWS; i++)
		check_row(*state, table[i]);
}

/* INC and DEC at their bounds: M, b and the new M, calculated by hand. */
static void bounds_of_inc_and_dec(void **state)
{
	static const struct {
		enum faa_atoms_op op;
		enum faa_type type;
		uint64_t m, b, after;
	} rows[] = {
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U32, 0, 0, 0 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U32, 5, 0, 0 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U32, 0xffffffff, 0, 0 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U32, 0xfffffffe, 0xffffffff, 0xffffffff },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U32, 0xffffffff, 0xffffffff, 0 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U32, 0x7fffffff, 0x80000000, 0x80000000 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U32, 9, 10, 10 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U32, 10, 10, 0 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U32, 11, 10, 0 },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U32, 0, 0, 0 },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U32, 5, 0, 0 },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U32, 0, 0xffffffff, 0xffffffff },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U32, 0xffffffff, 0xffffffff, 0xfffffffe },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U32, 10, 10, 9 },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U32, 11, 10, 10 },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U32, 0x80000000, 0x7fffffff, 0x7fffffff },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U32, 0x80000000, 0x80000000, 0x7fffffff },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U64, 0xffffffff, 0x100000000, 0x100000000 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U64, 0x100000000, 0x100000000, 0 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U64, 0xffffffff, 0xffffffff, 0 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U64, 0x100000000, 0xffffffff, 0 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U64, ~1ULL, ~0ULL, ~0ULL },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U64, ~0ULL, ~0ULL, 0 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_U64, ~0ULL, 0, 0 },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U64, 0x100000000, 0x100000000, 0xffffffff },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U64, 0x100000001, 0x100000000, 0x100000000 },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U64, 0, ~0ULL, ~0ULL },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U64, ~0ULL, ~0ULL, ~1ULL },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U64, 0x100000000, 0xffffffff, 0xffffffff },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_U64, 7, 0, 0 },
	};
	struct fixture *f = *state;
	const uint64_t *out = f->out.ptr;

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		/* The words around it keep their values. */
		add_sts(f, FAA_TYPE_U64, 8, affine(0, 8), 0, imm(0x5555555566666666));
		add_sts(f, rows[i].type, 1, imm(24), 0, imm(rows[i].m));
		add_mov(f, FAA_TYPE_U64, 1, stream(FAA_TYPE_U64, f->out.va, 8), imm(0));
		add_atoms(f, rows[i].op, rows[i].type, 1, stream(rows[i].type, f->out.va, 8),
			  imm(24), 0, imm(rows[i].b), none());
		add_lds(f, FAA_TYPE_U64, 8, stream(FAA_TYPE_U64, f->out.va + 8, 8), affine(0, 8),
			0);
		run(f);
		assert_int_equal(out[0], rows[i].m);
		for (unsigned int e = 0; e < 8; e++) {
			uint64_t keep = 0x5555555566666666;

			if (e == 3 && rows[i].type == FAA_TYPE_U64)
				keep = rows[i].after;
			else if (e == 3)
				keep = 0x5555555500000000 | rows[i].after;
			assert_int_equal(out[1 + e], keep);
		}
	}
}

/* All lanes on few words: old values are those of lane order. CAST.SPIN has its own test. */
static void check_conflicts(struct fixture *f, struct row row, unsigned int words)
{
	enum { ELEMENTS = 100 };
	unsigned int bytes = size_of(row.type);
	enum faa_type type = bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;
	uint64_t seed = row.op * 1000u + row.type * 100u + words;
	uint32_t *index = f->in.ptr;
	uint8_t *b = (uint8_t *)f->in.ptr + 1024;
	uint64_t memory[16] = { 0 };
	uint32_t zero[32] = { 0 };

	shared_fill(f, zero, 32);
	for (unsigned int i = 0; i < ELEMENTS; i++) {
		index[i] = test_random(&seed) % words;
		put(b, i, bytes, test_random(&seed) % 3);
	}
	add_atoms(f, row.op, row.type, ELEMENTS, stream(type, f->out.va, bytes),
		  scaled(FAA_TYPE_U32, f->in.va, 4, bytes == 8 ? 3 : 2, 0), 0,
		  stream(type, f->in.va + 1024, bytes), has_c(row.op) ? affine(1, 1) : none());
	run(f);
	for (unsigned int i = 0; i < ELEMENTS; i++) {
		uint64_t rd = table_says(row, &memory[index[i]], get(b, i, bytes), 1 + i);

		assert_int_equal(get(f->out.ptr, i, bytes), rd);
	}
}

static void conflicting_lanes_in_lane_order(void **state)
{
	for (unsigned int i = 0; i < ROWS; i++) {
		if (table[i].op == FAA_ATOMS_OP_CAST_SPIN)
			continue;
		check_conflicts(*state, table[i], 1);
		check_conflicts(*state, table[i], 3);
	}
}

static void check_spin(struct fixture *f, unsigned int bytes, uint64_t seed)
{
	enum faa_type type = bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;
	uint32_t *address = f->in.ptr;
	uint32_t zero[FIXTURE_SHARED / 4] = { 0 };
	bool taken[32] = { false };
	unsigned int parts = 0;

	shared_fill(f, zero, FIXTURE_SHARED / 4);
	for (unsigned int i = 0; i < 32; i++)
		address[i] = test_random(&seed) % (FIXTURE_SHARED / bytes) * bytes;
	/* A value that no lane stores: every lane that tries succeeds. */
	add_atoms(f, FAA_ATOMS_OP_CAST_SPIN, type, 32, reg(10), stream(FAA_TYPE_U32, f->in.va, 4),
		  0, imm(0), affine(1, 1));
	add_mov(f, type, 32, stream(type, f->out.va, bytes), reg(10));
	run(f);
	for (unsigned int i = 0; i < 32; i++) {
		unsigned int group = spin_group(address[i], bytes);

		assert_int_equal(get(f->out.ptr, i, bytes), !taken[group]);
		if (!taken[group])
			parts |= 1u << i / lanes_of(f);
		taken[group] = true;
	}
	/* One pass for each part of the warp in which a lane tries. */
	assert_int_equal(f->status.passes, __builtin_popcount(parts));
}

static void spin_lets_one_lane_of_a_bank_try(void **state)
{
	for (uint64_t seed = 0; seed < 8; seed++)
		check_spin(*state, seed % 2 ? 8 : 4, seed);
}

/* The lowest active lane tries even if it fails, and no other does. */
static void spin_failure_is_final(void **state)
{
	static const uint32_t memory[] = { 7 };
	struct fixture *f = *state;
	const uint32_t *rd = f->out.ptr;
	uint32_t after;

	shared_fill(f, memory, 1);
	/* Lane 0 compares with 9 and fails, lane 1 would match. */
	add_mov(f, FAA_TYPE_U32, 32, reg(0), imm(7));
	add_mov(f, FAA_TYPE_U32, 1, reg(0), imm(9));
	add_atoms(f, FAA_ATOMS_OP_CAST_SPIN, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4),
		  none(), 0, reg(0), imm(1));
	run(f);
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(rd[i], 0);
	shared_dump(f, &after, 1);
	assert_int_equal(after, 7);
}

/*
 * Groups of the busiest bank for stores of lanes [first, first + count): one for a word, one for
 * each narrow store.
 */
static unsigned int busiest_bank(const uint32_t *address, unsigned int first, unsigned int count,
				 unsigned int bytes)
{
	unsigned int served[32] = { 0 }, most = 0;

	for (unsigned int i = first; i < first + count; i++) {
		bool again = false;

		for (unsigned int j = first; j < i && bytes >= 4; j++)
			again |= address[j] == address[i];
		if (again)
			continue;
		served[bank_by_bits(address[i])]++;
		if (bytes == 8)
			served[bank_by_bits(address[i]) ^ 1]++;
	}
	for (unsigned int i = 0; i < 32; i++)
		most = served[i] > most ? served[i] : most;
	return most;
}

/* The documented bank formula against the passes that a program can read. */
static void passes_count_the_busiest_bank(void **state)
{
	struct fixture *f = *state;
	unsigned int lanes = tb_read(f->host, FAA_REG_SHARED_UNIT) & FAA_REG_SHARED_UNIT_LANES_MASK;
	uint32_t *address = f->in.ptr;

	for (uint64_t seed = 0; seed < 24; seed++) {
		static const enum faa_type types[] = { FAA_TYPE_U8, FAA_TYPE_U16, FAA_TYPE_U32,
						       FAA_TYPE_U64 };
		unsigned int bytes = 1u << (seed % 4), passes = 0;
		/* Later rounds have fewer words. */
		unsigned int size = FIXTURE_SHARED >> seed / 4;
		uint64_t random = seed;

		for (unsigned int i = 0; i < 32; i++)
			address[i] = test_random(&random) % (size / bytes) * bytes;
		for (unsigned int i = 0; i < 32; i += lanes)
			passes += busiest_bank(address, i, lanes, bytes);
		add_sts(f, types[seed % 4], 32, stream(FAA_TYPE_U32, f->in.va, 4), 0, imm(0));
		run(f);
		assert_int_equal(f->status.passes, passes);
		assert_int_equal(f->status.warps, 1);
		assert_int_equal(f->status.elements_retired, 32);
	}
}

/* A power-of-two stride is conflict-free. */
static void strides_are_conflict_free(void **state)
{
	struct fixture *f = *state;
	unsigned int lanes = tb_read(f->host, FAA_REG_SHARED_UNIT) & FAA_REG_SHARED_UNIT_LANES_MASK;

	for (unsigned int stride = 4; stride <= 64; stride *= 2) {
		add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, none(), affine(0, stride), 0,
			  imm(1), none());
		run(f);
		assert_int_equal(f->status.passes, 32 / lanes);
	}
}

static uint32_t read_word(struct fixture *f, uint32_t address)
{
	uint32_t words[FIXTURE_SHARED / 4];

	shared_dump(f, words, FIXTURE_SHARED / 4);
	return words[address / 4];
}

/* Both forms of the seed: [Ra + ImmS24] and [ImmU24]. */
static void offsets_are_signed_only_beside_an_operand(void **state)
{
	struct fixture *f = *state;

	add_mov(f, FAA_TYPE_U32, 32, reg(3), imm(1000));
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), reg(3), -400, imm(5), none());
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), none(), 0x10, imm(6), none());
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), reg(FAA_RZ), 0x20, imm(7), none());
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), imm(16), -4, imm(8), none());
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), affine(64, 4), -16, imm(9), none());
	run(f);
	assert_int_equal(read_word(f, 600), 5);
	assert_int_equal(read_word(f, 0x10), 6);
	assert_int_equal(read_word(f, 0x20), 7);
	assert_int_equal(read_word(f, 12), 8);
	assert_int_equal(read_word(f, 48), 9);
}

/* -4 is 0xfffffc: unsigned without Ra or with RZ, so inside the window and out of range. */
static void negative_offset_without_operand_is_far_away(void **state)
{
	struct fixture *f = *state;

	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), none(), -4, imm(1), none());
	run_error(f, FAA_ERROR_OUT_OF_RANGE, 0, 0, 0xfffffc);
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), reg(FAA_RZ), -4, imm(1), none());
	run_error(f, FAA_ERROR_OUT_OF_RANGE, 0, 0, 0xfffffc);
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), imm(0), -4, imm(1), none());
	run_error(f, FAA_ERROR_OUT_OF_WINDOW, 0, 0, 0xfffffffc);
}

/* The sum is taken modulo 2^32. */
static void address_sum_wraps(void **state)
{
	struct fixture *f = *state;

	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), imm(0xfffffff0), 0x20, imm(3),
		  none());
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, none(), imm(0x1234567800000040), 4, imm(4),
		  none());
	run(f);
	assert_int_equal(read_word(f, 0x10), 3);
	assert_int_equal(read_word(f, 0x44), 4);
}

/* Every kind of every operand, result in a register, in a stream or nowhere. */
static void every_kind_of_every_operand(void **state)
{
	struct fixture *f = *state;
	const uint32_t *old = f->out.ptr;
	uint32_t *in = f->in.ptr;
	uint32_t zero[64] = { 0 };

	for (unsigned int i = 0; i < 32; i++)
		in[i] = i * 4;
	for (unsigned int combination = 0; combination < 4 * 4 * 4 * 3; combination++) {
		unsigned int a = combination % 4, b = combination / 4 % 4, c = combination / 16 % 4;
		unsigned int d = combination / 64;
		struct faa_operand kinds[4] = { reg(8), imm(64), affine(0, 4),
						stream(FAA_TYPE_U32, f->in.va, 4) };
		struct faa_operand results[3] = { none(), reg(12),
						  stream(FAA_TYPE_U32, f->out.va, 4) };
		uint32_t after[64], expect[64] = { 0 }, value[4], got[32];

		shared_fill(f, zero, 64);
		memset(f->out.ptr, 0, 128);
		add_mov(f, FAA_TYPE_U32, 32, reg(8), affine(128, (uint64_t)-4));
		add_atoms(f, FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 32, results[d], kinds[a], 0, kinds[b],
			  kinds[c]);
		if (d == 1)
			add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(12));
		run(f);
		for (unsigned int i = 0; i < 32; i++) {
			value[0] = 128 - 4 * i;
			value[1] = 64;
			value[2] = value[3] = 4 * i;
			got[i] = expect[value[a] / 4];
			if (got[i] == value[b])
				expect[value[a] / 4] = value[c];
			if (d)
				assert_int_equal(old[i], got[i]);
		}
		shared_dump(f, after, 64);
		assert_memory_equal(after, expect, sizeof(expect));
	}
}

/* Guarded-off lanes do nothing and are not checked. */
static void guard_selects_lanes(void **state)
{
	struct fixture *f = *state;
	uint32_t words[64];

	add_setp(f, FAA_CMP_LT, FAA_TYPE_U32, 32, 2, affine(0, 1), imm(16));
	f->issue.guard = 2;
	/* Lanes 16 and up would be out of range. */
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, none(), affine(0, FIXTURE_SHARED / 16), 0,
		  imm(1), none());
	f->issue.guard_negate = 1;
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 64, none(), affine(0, 4), 0, imm(100), none());
	f->issue.guard = FAA_PT;
	/* Never true: no lane. */
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, none(), imm(1), 0, imm(1), none());
	f->issue.guard_negate = 0;
	run(f);
	assert_int_equal(f->status.elements_retired, 32 + 32 + 64 + 32);
	assert_int_equal(f->status.warps, 1 + 1 + 2 + 1);
	shared_dump(f, words, 64);
	for (unsigned int i = 0; i < 64; i++)
		assert_int_equal(words[i], (i == 0) + (i % 32 >= 16 ? 100 : 0));
}

/* A histogram of bytes, the purpose of the device, in one command. */
static void histogram_is_one_command(void **state)
{
	enum { PIXELS = 5003 };
	struct fixture *f = *state;
	uint8_t *pixel = f->in.ptr;
	uint32_t expect[256] = { 0 }, bins[256];
	uint64_t seed = 42;

	for (unsigned int i = 0; i < PIXELS; i++) {
		pixel[i] = test_random(&seed) % 256 & test_random(&seed);
		expect[pixel[i]]++;
	}
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, PIXELS, none(),
		  scaled(FAA_TYPE_U8, f->in.va, 1, 2, 0), 0, imm(1), none());
	run(f);
	assert_int_equal(f->status.warps, (PIXELS + 31) / 32);
	assert_int_equal(f->status.elements_retired, PIXELS);
	shared_dump(f, bins, 256);
	assert_memory_equal(bins, expect, sizeof(bins));
}

/* The loop of the seed: a 64-bit minimum from CAS. */
static void minimum_of_64_bits_from_cas(void **state)
{
	struct fixture *f = *state;
	uint64_t *in = f->in.ptr, least = ~0ULL, got, seed = 3;
	uint32_t words[2];
	int32_t loop;

	for (unsigned int i = 0; i < 32; i++) {
		in[i] = test_random(&seed) >> 1;
		least = in[i] < least ? in[i] : least;
	}
	add_sts(f, FAA_TYPE_U64, 1, none(), 0, imm(~0ULL));
	add_mov(f, FAA_TYPE_U64, 32, reg(0), stream(FAA_TYPE_U64, f->in.va, 8));
	add_lds(f, FAA_TYPE_U64, 32, reg(2), reg(FAA_RZ), 0);
	add_setp(f, FAA_CMP_LT, FAA_TYPE_U64, 32, 0, reg(0), reg(2));
	loop = f->count;
	f->issue.guard = 0;
	/* while (val < ret) { old = ret; ret = cas(old, val); if (ret == old) break; } */
	add_mov(f, FAA_TYPE_U64, 32, reg(4), reg(2));
	add_atoms(f, FAA_ATOMS_OP_CAS, FAA_TYPE_U64, 32, reg(2), none(), 0, reg(4), reg(0));
	add_setp(f, FAA_CMP_NE, FAA_TYPE_U64, 32, 0, reg(2), reg(4));
	add_setp(f, FAA_CMP_LT, FAA_TYPE_U64, 32, 0, reg(0), reg(2));
	add_jump(f, FAA_JUMP_COND_ANY, loop - (int32_t)f->count);
	f->issue.guard = FAA_PT;
	run(f);
	shared_dump(f, words, 2);
	got = words[0] | (uint64_t)words[1] << 32;
	assert_int_equal(got, least);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(every_operation_at_every_edge),
		FIXTURE_TEST(bounds_of_inc_and_dec),
		FIXTURE_TEST(conflicting_lanes_in_lane_order),
		FIXTURE_TEST(spin_lets_one_lane_of_a_bank_try),
		FIXTURE_TEST(spin_failure_is_final),
		FIXTURE_TEST(passes_count_the_busiest_bank),
		FIXTURE_TEST(strides_are_conflict_free),
		FIXTURE_TEST(offsets_are_signed_only_beside_an_operand),
		FIXTURE_TEST(negative_offset_without_operand_is_far_away),
		FIXTURE_TEST(address_sum_wraps),
		FIXTURE_TEST(every_kind_of_every_operand),
		FIXTURE_TEST(guard_selects_lanes),
		FIXTURE_TEST(histogram_is_one_command),
		FIXTURE_TEST(minimum_of_64_bits_from_cas),
	};

	return fixture_main(argc, argv, "atoms", tests, sizeof(tests) / sizeof(tests[0]));
}
