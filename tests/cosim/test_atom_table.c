// SPDX-License-Identifier: MIT
/*
 * Every operation and type of ATOM, and every SVM_ATOMIC with an equivalent ATOM, on edge values.
 * Memory and d must hold the values of atom_table.py, which shares no code with the model. Bytes
 * between items must not change.
 */
#include <endian.h>
#include <string.h>

#include "atom_ops.h"
#include "fixture.h"

/* struct atom_group - rows of one operation, type and mode */
struct atom_group {
	const char *name;
	unsigned int op;
	unsigned int type;
	unsigned int mode;
	unsigned int first;
	unsigned int count;
};

#include "atom_table.h"

#define GROUPS (sizeof(atom_groups) / sizeof(atom_groups[0]))
/* Stride of items in bytes: a line holds items of several lanes. */
#define SLOT 16
/* Most rows of a group. */
#define ROWS 512
/* Initial value of the bytes between items. */
#define CANARY 0xc5
#define POISON 0xdeadbeefdeadbeefULL

enum column { COLUMN_M, COLUMN_B, COLUMN_C, COLUMN_NEW, COLUMN_RETURNED };

/* struct bench - addresses of operands, items and results */
struct bench {
	struct tb_buffer items;
	struct tb_buffer operands;
	struct tb_buffer results;
};

/* Offset of the item of a row: at every position that its alignment allows. */
static uint32_t item_offset(unsigned int row, unsigned int bytes)
{
	return row * SLOT + row % (SLOT / bytes) * bytes;
}

static void store_item(uint8_t *at, uint64_t value, unsigned int bytes)
{
	value = htole64(value);
	memcpy(at, &value, bytes);
}

/*
 * Items; 32-bit indices in units of 2 bytes; b and c, of which a 16-bit type takes the low half;
 * results with a nonzero initial value.
 */
static void fill(struct bench *bench, const struct atom_group *group)
{
	unsigned int bytes = item_bytes(group->type);
	uint64_t *b = bench->operands.ptr, *c = b + ROWS, *results = bench->results.ptr;
	uint32_t *index = (uint32_t *)(c + ROWS);
	uint64_t above = bytes == 2 ? 0x7a7a0000 : 0;

	memset(bench->items.ptr, CANARY, ROWS * SLOT);
	for (unsigned int i = 0; i < group->count; i++) {
		const uint64_t *row = atom_rows[group->first + i];
		uint32_t offset = item_offset(i, bytes);

		store_item((uint8_t *)bench->items.ptr + offset, row[COLUMN_M], bytes);
		index[i] = htole32(offset / 2);
		b[i] = htole64(row[COLUMN_B] | above);
		c[i] = htole64(row[COLUMN_C] | above);
		results[i] = POISON;
	}
}

static void check_items(const struct bench *bench, const struct atom_group *group,
			const char *variant)
{
	static uint8_t expected[ROWS * SLOT];
	const uint8_t *items = bench->items.ptr;
	unsigned int bytes = item_bytes(group->type);

	memset(expected, CANARY, sizeof(expected));
	for (unsigned int i = 0; i < group->count; i++)
		store_item(expected + item_offset(i, bytes),
			   atom_rows[group->first + i][COLUMN_NEW], bytes);
	for (unsigned int at = 0; at < sizeof(expected); at++) {
		uint64_t new = 0;
		const uint64_t *row;

		if (items[at] == expected[at])
			continue;
		if (at / SLOT >= group->count)
			fail_msg("%s, %s: byte %u after the items changed", group->name, variant,
				 at);
		row = atom_rows[group->first + at / SLOT];
		memcpy(&new, items + item_offset(at / SLOT, bytes), bytes);
		fail_msg(
			"%s, %s: M 0x%llx, b 0x%llx, c 0x%llx: M becomes 0x%llx, not 0x%llx; first wrong byte %u",
			group->name, variant, (unsigned long long)row[COLUMN_M],
			(unsigned long long)row[COLUMN_B], (unsigned long long)row[COLUMN_C],
			(unsigned long long)le64toh(new), (unsigned long long)row[COLUMN_NEW], at);
	}
}

/* Results of 32-bit operations lie in the low half of 64 bits; the other half must not change. */
static void check_results(const struct bench *bench, const struct atom_group *group,
			  unsigned int count, const char *variant)
{
	const uint64_t *results = bench->results.ptr;

	for (unsigned int i = 0; i < count; i++) {
		const uint64_t *row = atom_rows[group->first + i];
		uint64_t expected = row[COLUMN_RETURNED];

		if (item_bytes(group->type) != 8)
			expected |= POISON & 0xffffffff00000000;
		if (le64toh(results[i]) != expected)
			fail_msg(
				"%s, %s: M 0x%llx, b 0x%llx, c 0x%llx: returned 0x%llx, not 0x%llx",
				group->name, variant, (unsigned long long)row[COLUMN_M],
				(unsigned long long)row[COLUMN_B],
				(unsigned long long)row[COLUMN_C], (unsigned long long)results[i],
				(unsigned long long)expected);
	}
}

/*
 * ATOM of the first @count rows: 32-bit indices scaled onto a base; b and c from memory; d as
 * given.
 */
static void add_rows(struct fixture *f, const struct bench *bench, const struct atom_group *group,
		     enum faa_scope scope, unsigned int count, struct faa_operand d)
{
	enum faa_type item = item_bytes(group->type) == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;
	uint64_t va = bench->operands.va;

	add_atom(f, group->mode, group->op, group->type, scope, count, d,
		 scaled(FAA_TYPE_U32, va + 2 * ROWS * 8, 4, 1, bench->items.va - 64), 64,
		 has_b(group->op) ? stream(item, va, 8) : none(),
		 has_c(group->op) ? stream(item, va + ROWS * 8, 8) : none());
}

/* Where not all of it runs, the variants after the first take turns from group to group. */
static void run_group(struct fixture *f, struct bench *bench, const struct atom_group *group)
{
	unsigned int turns = amount_of(f, 1, 3);
	unsigned int turn = (unsigned int)(group - atom_groups) % turns;
	enum faa_type item = item_bytes(group->type) == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;
	unsigned int warp = group->count < 32 ? group->count : 32;
	struct faa_operand d = stream(item, bench->results.va, 8);

	assert_true(group->count <= ROWS);
	fill(bench, group);
	add_rows(f, bench, group, FAA_SCOPE_CTA, group->count, d);
	run(f);
	check_items(bench, group, "scope CTA");
	check_results(bench, group, group->count, "scope CTA");
	if (turn == 0) {
		fill(bench, group);
		add_rows(f, bench, group, FAA_SCOPE_GPU, group->count, none());
		run(f);
		check_items(bench, group, "scope GPU, reduction");
	}
	if (turn == 1 % turns) {
		/* Registers hold the results of the last warp, so one warp runs alone. */
		fill(bench, group);
		add_rows(f, bench, group, FAA_SCOPE_GPU, warp, reg(2));
		add_st(f, item, warp, affine(bench->results.va, 8), 0, reg(2));
		run(f);
		check_results(bench, group, warp, "results in registers");
	}
	if (turn == 2 % turns && has_feature(f, FAA_FEATURE_SYS_ATOMICS)) {
		fill(bench, group);
		add_rows(f, bench, group, FAA_SCOPE_SYS, group->count, d);
		run(f);
		check_items(bench, group, "scope SYS");
		check_results(bench, group, group->count, "scope SYS");
	}
}

static void every_operation_and_type(void **state)
{
	struct fixture *f = *state;
	struct bench bench;

	needs_feature(f, FAA_FEATURE_GLOBAL_ATOMICS);
	bench.items = atomic_buffer(f, ROWS * SLOT);
	bench.operands = tb_buffer_create(f->vm, ROWS * 20);
	bench.results = tb_buffer_create(f->vm, ROWS * 8);
	for (unsigned int i = 0; i < GROUPS; i++)
		if (has_type(f, atom_groups[i].type) && has_modes(f, atom_groups[i].mode))
			run_group(f, &bench, &atom_groups[i]);
	print_message("# %zu operations, %zu rows, scope SYS %s\n", GROUPS,
		      sizeof(atom_rows) / sizeof(atom_rows[0]),
		      has_feature(f, FAA_FEATURE_SYS_ATOMICS) ? "too" : "not, which it has not");
}

/* The table has every operation and type of the command's table. */
static void the_table_is_complete(void **state)
{
	static const struct {
		unsigned int opcode, op, types;
	} legal[] = {
#define ROW(opcode, op, types) { opcode, op, types },
		FAA_LEGAL_TYPES(ROW)
#undef ROW
	};
	(void)state;
	for (unsigned int i = 0; i < sizeof(legal) / sizeof(legal[0]); i++) {
		unsigned int seen = 0;

		if (legal[i].opcode != FAA_OPCODE_ATOM)
			continue;
		for (unsigned int g = 0; g < GROUPS; g++)
			if (atom_groups[g].op == legal[i].op)
				seen |= 1u << atom_groups[g].type;
		if (seen != legal[i].types)
			fail_msg("operation %u: types 0x%04x, but 0x%04x are legal", legal[i].op,
				 seen, legal[i].types);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_complete),
		FIXTURE_TEST(every_operation_and_type),
	};

	return fixture_main(argc, argv, "atom-table", tests, sizeof(tests) / sizeof(tests[0]));
}
