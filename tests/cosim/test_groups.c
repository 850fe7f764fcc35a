// SPDX-License-Identifier: MIT
/*
 * Groups and passes: the table of device.rst, "Statistics", row by row, in the status record and in
 * the counters. A shared unit that processes fewer than 32 lanes at a time is counted part by part.
 */
#include <string.h>

#include "faa_model.h"

#include "fixture.h"

/* enum pattern - operands b and c of lane l */
enum pattern {
	/* 5 and 7 */
	CONSTANT,
	/* 5 and 5 */
	EQUAL,
	/* l and 5 */
	EACH_B,
	/* l % 2 and 5 */
	TURNS,
	/* l / 4 and 100 */
	B_OF_FOUR,
	/* 5, and 5 in the last of four lanes, else 7 */
	C_OF_FOUR,
	/* l and l + 1 */
	CHAIN,
};

/* struct row - 32 lanes on one word */
struct row {
	unsigned int opcode;
	unsigned int op;
	enum faa_type type;
	unsigned int mode;
	enum pattern pattern;
	/* Lanes of a group, 0 = all lanes that enter together. */
	unsigned int size;
};

#define ATOMS FAA_OPCODE_ATOMS
#define OP(x) FAA_ATOMS_OP_##x
#define FTZ   FAA_FLOAT_MODE_FTZ
#define RLX   FAA_FLOAT_MODE_RELAXED

static const struct row rows[] = {
	{ FAA_OPCODE_LDS, 0, FAA_TYPE_U32, 0, EACH_B, 0 },
	{ FAA_OPCODE_LDS, 0, FAA_TYPE_U64, 0, EACH_B, 0 },
	{ FAA_OPCODE_LDS, 0, FAA_TYPE_U8, 0, EACH_B, 0 },
	{ FAA_OPCODE_LDS, 0, FAA_TYPE_S16, 0, EACH_B, 0 },
	{ FAA_OPCODE_STS, 0, FAA_TYPE_U32, 0, EACH_B, 0 },
	{ FAA_OPCODE_STS, 0, FAA_TYPE_U64, 0, EACH_B, 0 },
	{ FAA_OPCODE_STS, 0, FAA_TYPE_U8, 0, CONSTANT, 1 },
	{ FAA_OPCODE_STS, 0, FAA_TYPE_U16, 0, CONSTANT, 1 },
	{ ATOMS, OP(ADD), FAA_TYPE_U32, 0, EACH_B, 0 },
	{ ATOMS, OP(ADD), FAA_TYPE_S32, 0, EACH_B, 0 },
	{ ATOMS, OP(MIN), FAA_TYPE_U32, 0, EACH_B, 0 },
	{ ATOMS, OP(MAX), FAA_TYPE_S32, 0, EACH_B, 0 },
	{ ATOMS, OP(AND), FAA_TYPE_U32, 0, EACH_B, 0 },
	{ ATOMS, OP(OR), FAA_TYPE_S32, 0, EACH_B, 0 },
	{ ATOMS, OP(XOR), FAA_TYPE_U32, 0, EACH_B, 0 },
	{ ATOMS, OP(EXCH), FAA_TYPE_S32, 0, EACH_B, 0 },
	{ ATOMS, OP(MIN), FAA_TYPE_F32, 0, EACH_B, 0 },
	{ ATOMS, OP(MAX), FAA_TYPE_F32, FTZ, EACH_B, 0 },
	{ ATOMS, OP(ADD), FAA_TYPE_F32, RLX, EACH_B, 0 },
	{ ATOMS, OP(ADD), FAA_TYPE_F32, RLX | FTZ, EACH_B, 0 },
	{ ATOMS, OP(INC), FAA_TYPE_U32, 0, CONSTANT, 0 },
	{ ATOMS, OP(INC), FAA_TYPE_U32, 0, TURNS, 1 },
	{ ATOMS, OP(INC), FAA_TYPE_U32, 0, B_OF_FOUR, 4 },
	{ ATOMS, OP(DEC), FAA_TYPE_U32, 0, CONSTANT, 0 },
	{ ATOMS, OP(DEC), FAA_TYPE_U32, 0, B_OF_FOUR, 4 },
	{ ATOMS, OP(DEC), FAA_TYPE_U32, 0, EACH_B, 1 },
	{ ATOMS, OP(CAS), FAA_TYPE_U32, 0, CONSTANT, 0 },
	{ ATOMS, OP(CAS), FAA_TYPE_S32, 0, EQUAL, 0 },
	{ ATOMS, OP(CAS), FAA_TYPE_U32, 0, B_OF_FOUR, 0 },
	{ ATOMS, OP(CAS), FAA_TYPE_U32, 0, C_OF_FOUR, 0 },
	{ ATOMS, OP(CAS), FAA_TYPE_U32, 0, CHAIN, 0 },
	{ ATOMS, OP(CAST), FAA_TYPE_U32, 0, CONSTANT, 0 },
	{ ATOMS, OP(CAST), FAA_TYPE_S32, 0, C_OF_FOUR, 0 },
	{ ATOMS, OP(CAST), FAA_TYPE_U32, 0, EQUAL, 0 },
	{ ATOMS, OP(ADD), FAA_TYPE_U64, 0, CONSTANT, 1 },
	{ ATOMS, OP(MIN), FAA_TYPE_S64, 0, CONSTANT, 1 },
	{ ATOMS, OP(XOR), FAA_TYPE_U64, 0, CONSTANT, 1 },
	{ ATOMS, OP(EXCH), FAA_TYPE_U64, 0, CONSTANT, 1 },
	{ ATOMS, OP(INC), FAA_TYPE_U64, 0, CONSTANT, 1 },
	{ ATOMS, OP(CAS), FAA_TYPE_U64, 0, CONSTANT, 1 },
	{ ATOMS, OP(CAST), FAA_TYPE_S64, 0, CONSTANT, 1 },
	{ ATOMS, OP(ADD), FAA_TYPE_F32, 0, CONSTANT, 1 },
	{ ATOMS, OP(ADD), FAA_TYPE_F32, FTZ, CONSTANT, 1 },
	{ ATOMS, OP(ADD), FAA_TYPE_F64, 0, CONSTANT, 1 },
	{ ATOMS, OP(ADD), FAA_TYPE_F64, RLX, CONSTANT, 1 },
	{ ATOMS, OP(MAX), FAA_TYPE_F64, 0, CONSTANT, 1 },
	{ ATOMS, OP(ADD), FAA_TYPE_F16X2, 0, CONSTANT, 1 },
	{ ATOMS, OP(MIN), FAA_TYPE_F16X2, 0, CONSTANT, 1 },
	{ ATOMS, OP(ADD), FAA_TYPE_BF16X2, RLX, CONSTANT, 1 },
	{ ATOMS, OP(MAX), FAA_TYPE_BF16X2, FTZ, CONSTANT, 1 },
};

/* Runs the stream: one warp, with the given groups and passes. */
static void expect_service(struct fixture *f, const char *what, unsigned int index, uint64_t groups,
			   uint64_t passes)
{
	uint64_t groups_before = cu_counter(f, FAA_COUNTER_GROUPS);
	uint64_t passes_before = cu_counter(f, FAA_COUNTER_PASSES);

	run(f);
	groups_before = cu_counter(f, FAA_COUNTER_GROUPS) - groups_before;
	passes_before = cu_counter(f, FAA_COUNTER_PASSES) - passes_before;
	if (groups_before != groups || passes_before != passes || f->status.passes != passes)
		fail_msg("%s %u: %llu groups, %llu passes (status record: %u), not %llu and %llu",
			 what, index, (unsigned long long)groups_before,
			 (unsigned long long)passes_before, f->status.passes,
			 (unsigned long long)groups, (unsigned long long)passes);
}

/* Sets R8 to b and R10 to c, both 64 bits wide. */
static void set_operands(struct fixture *f, enum pattern pattern)
{
	uint64_t *b = f->in.ptr, *c = b + 32;

	for (unsigned int lane = 0; lane < 32; lane++) {
		b[lane] = 5;
		c[lane] = 7;
		if (pattern == EACH_B || pattern == CHAIN)
			b[lane] = lane;
		if (pattern == TURNS)
			b[lane] = lane % 2;
		if (pattern == B_OF_FOUR) {
			b[lane] = lane / 4;
			c[lane] = 100;
		}
		if (pattern == EQUAL || pattern == EACH_B || pattern == TURNS ||
		    (pattern == C_OF_FOUR && lane % 4 == 3))
			c[lane] = 5;
		if (pattern == CHAIN)
			c[lane] = lane + 1;
	}
	add_mov(f, FAA_TYPE_U64, 32, reg(8), stream(FAA_TYPE_U64, f->in.va, 8));
	add_mov(f, FAA_TYPE_U64, 32, reg(10), stream(FAA_TYPE_U64, f->in.va + 256, 8));
	run(f);
}

static void add_access(struct fixture *f, const struct row *row, struct faa_operand address)
{
	bool c = row->op >= FAA_ATOMS_OP_CAS;

	if (row->opcode == FAA_OPCODE_LDS)
		add_lds(f, row->type, 32, reg(12), address, 0);
	else if (row->opcode == FAA_OPCODE_STS)
		add_sts(f, row->type, 32, address, 0, reg(8));
	else
		add_atoms_mode(f, row->mode, row->op, row->type, 32, none(), address, 0, reg(8),
			       c ? reg(10) : none());
}

static void one_word(void **state)
{
	struct fixture *f = *state;
	unsigned int parts = 32 / lanes_of(f);

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned int groups = rows[i].size ? 32 / rows[i].size : parts;

		if (!has_type(f, rows[i].type) || !has_modes(f, rows[i].mode))
			continue;
		set_operands(f, rows[i].pattern);
		add_access(f, &rows[i], imm(64));
		expect_service(f, "row", i, groups, groups);
	}
}

/* Groups of a row with even lanes on one word and odd lanes on another. */
static unsigned int groups_of_two_words(const struct row *row, unsigned int parts)
{
	/*
	 * "The lane before" is the one on the same word, so each word's b is constant with TURNS.
	 */
	if (!row->size || row->pattern == TURNS)
		return 2 * parts;
	/* Two of four lanes are on each word. */
	if (row->pattern == B_OF_FOUR)
		return 16;
	return 32;
}

/* Words 0 and 33 are both of bank 0 (1 ^ 1), which serves all groups. */
static void two_words_of_a_bank(void **state)
{
	struct fixture *f = *state;
	unsigned int parts = 32 / lanes_of(f);
	uint32_t *address = (uint32_t *)f->in.ptr + 1024;

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned int groups = groups_of_two_words(&rows[i], parts);

		if (rows[i].type == FAA_TYPE_U64 || rows[i].type == FAA_TYPE_S64 ||
		    rows[i].type == FAA_TYPE_F64 || !has_type(f, rows[i].type) ||
		    !has_modes(f, rows[i].mode))
			continue;
		for (unsigned int lane = 0; lane < 32; lane++)
			address[lane] = lane % 2 * 132;
		set_operands(f, rows[i].pattern);
		add_access(f, &rows[i], stream(FAA_TYPE_U32, f->in.va + 4096, 4));
		expect_service(f, "two words, row", i, groups, groups);
	}
}

/* A spin has one group per bank, or pair of banks, and one pass, whatever the lanes. */
static void spins(void **state)
{
	static const struct {
		enum faa_type type;
		uint32_t step;
		unsigned int groups;
	} cases[] = {
		{ FAA_TYPE_U32, 0, 1 },
		{ FAA_TYPE_S64, 0, 1 },
		/* words 0 to 31, a bank each */
		{ FAA_TYPE_U32, 4, 32 },
		/* words 0, 33, 66 ... : bank 0 */
		{ FAA_TYPE_S32, 132, 1 },
		/*
		 * 64 bits: words 0 to 62, each pair of banks twice, so the later half does not try
		 */
		{ FAA_TYPE_U64, 8, 16 },
	};
	struct fixture *f = *state;
	unsigned int parts = 32 / lanes_of(f);

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned int groups = cases[i].groups, passes = 1;

		/* The lanes that try are in the same number of parts. */
		if (groups > 1)
			passes = groups * parts / 32 ? groups * parts / 32 : 1;
		add_atoms(f, FAA_ATOMS_OP_CAST_SPIN, cases[i].type, 32, none(),
			  affine(0, cases[i].step), 0, imm(0), imm(1));
		expect_service(f, "spin", i, groups, passes);
	}
}

/* 64-bit words: each takes a pair of banks. Words 0 and 32 are both of banks 0 and 1. */
static void pairs_of_banks(void **state)
{
	struct fixture *f = *state;
	unsigned int parts = 32 / lanes_of(f);

	add_lds(f, FAA_TYPE_U64, 32, reg(2), imm(0), 0);
	expect_service(f, "one 64-bit word", 0, parts, parts);
	/* Lanes of a part step through all pairs; 16 pairs serve 32 lanes in two passes. */
	add_lds(f, FAA_TYPE_U64, 32, reg(2), affine(0, 8), 0);
	expect_service(f, "64-bit words in a row", 0, 32, parts == 1 ? 2 : parts);
	for (unsigned int lane = 0; lane < 32; lane++)
		((uint32_t *)f->in.ptr)[lane] = lane % 2 * 128;
	add_lds(f, FAA_TYPE_U64, 32, reg(2), stream(FAA_TYPE_U32, f->in.va, 4), 0);
	expect_service(f, "two 64-bit words of one pair", 0, 2 * parts, 2 * parts);
	for (unsigned int lane = 0; lane < 32; lane++)
		((uint32_t *)f->in.ptr)[lane] = lane % 2 * 8;
	add_sts(f, FAA_TYPE_U64, 32, stream(FAA_TYPE_U32, f->in.va, 4), 0, imm(1));
	expect_service(f, "two 64-bit words of two pairs", 0, 2 * parts, parts);
}

/* Bytes: loads from one word are one group, stores never are. */
static void bytes_of_words(void **state)
{
	struct fixture *f = *state;
	unsigned int parts = 32 / lanes_of(f);

	add_lds(f, FAA_TYPE_U8, 32, reg(2), affine(0, 1), 0);
	expect_service(f, "loads of bytes", 0, 8, parts);
	add_sts(f, FAA_TYPE_U8, 32, affine(0, 1), 0, imm(1));
	expect_service(f, "stores of bytes", 0, 32, 4 * parts);
	add_sts(f, FAA_TYPE_U16, 32, affine(0, 2), 0, imm(1));
	expect_service(f, "stores of halves", 0, 32, 2 * parts);
}

/* Lanes that the guard disables do not count: the odd lanes have another b. */
static void inactive_lanes(void **state)
{
	struct fixture *f = *state;
	unsigned int parts = 32 / lanes_of(f);

	add_mov(f, FAA_TYPE_U32, 32, reg(0), affine(0, 0x80000000));
	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 1, reg(0), imm(0));
	run(f);
	set_operands(f, TURNS);
	f->issue.guard = 1;
	add_atoms(f, FAA_ATOMS_OP_INC, FAA_TYPE_U32, 32, none(), imm(0), 0, reg(8), none());
	f->issue.guard = FAA_PT;
	expect_service(f, "even lanes", 0, parts, parts);
	/* No lane: a warp without a group. */
	f->issue.guard_negate = 1;
	add_atoms(f, FAA_ATOMS_OP_INC, FAA_TYPE_U32, 32, none(), imm(0), 0, reg(8), none());
	f->issue.guard_negate = 0;
	expect_service(f, "no lane", 0, 0, 0);
	assert_int_equal(f->status.warps, 1);
	/* Fewer elements than a part. */
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 3, none(), imm(0), 0, imm(1), none());
	expect_service(f, "three lanes", 0, 1, 1);
}

/* The same on builds that take 8 and 16 lanes at a time, which the model can be. */
static void narrow_builds(void **state)
{
	static void (*const tests[])(void **) = { one_word,	  two_words_of_a_bank,
						  spins,	  pairs_of_banks,
						  bytes_of_words, inactive_lanes };

	(void)state;
	needs_model();
	for (unsigned int i = 0; i < 3 * sizeof(tests) / sizeof(tests[0]); i++) {
		struct faa_model_params params = FAA_MODEL_DEFAULT;
		void *f;

		params.shared_unit = 4u << i % 3;
		fixture_setup_build(&f, &params);
		tests[i / 3](&f);
		assert_int_equal(fixture_teardown(&f), 0);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(one_word),
		FIXTURE_TEST(two_words_of_a_bank),
		FIXTURE_TEST(spins),
		FIXTURE_TEST(pairs_of_banks),
		FIXTURE_TEST(bytes_of_words),
		FIXTURE_TEST(inactive_lanes),
		cmocka_unit_test(narrow_builds),
	};

	return fixture_main(argc, argv, "groups", tests, sizeof(tests) / sizeof(tests[0]));
}
