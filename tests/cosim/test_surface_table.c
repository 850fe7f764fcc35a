// SPDX-License-Identifier: MIT
/*
 * Every operation and type of SUATOM on edge values. Memory and d must hold the values of
 * atom_table.py, which shares no code with the model. Items are in the texels of a surface; the
 * bytes between items must not change. SD32 and SD64 are signed on a surface of SINT, unsigned on
 * one of UINT. Types that the device lacks are skipped.
 */
#include <endian.h>
#include <string.h>

#include "atom_ops.h"
#include "surface.h"

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
/* Texels of the surface, and the maximum of rows of a group. */
#define WIDTH  32u
#define HEIGHT 16u
#define ROWS   (WIDTH * HEIGHT)
/* Bytes of a texel. */
#define SLOT   16u
#define CANARY 0xc5

enum column { COLUMN_M, COLUMN_B, COLUMN_C, COLUMN_NEW, COLUMN_RETURNED };

/* struct variant - a group as it is run, with type SD32 or SD64 where these apply */
struct variant {
	const struct atom_group *group;
	unsigned int type;
	enum faa_scope scope;
	enum faa_data_type data_type;
	/* Operands in registers, where only one warp counts, or in memory. */
	bool registers;
};

/* x in bytes of the item of a row: at every position in its texel that its alignment allows. */
static unsigned int item_x(unsigned int row, unsigned int bytes)
{
	return row % WIDTH * SLOT + row % (SLOT / bytes) * bytes;
}

static void store_item(uint8_t *at, uint64_t value, unsigned int bytes)
{
	value = htole64(value);
	memcpy(at, &value, bytes);
}

/* Writes the memory with column @column of the group in its items. */
static void fill(const struct bench *b, uint8_t *memory, const struct atom_group *group,
		 unsigned int count, enum column column)
{
	unsigned int bytes = item_bytes(group->type);

	memset(memory, CANARY, BENCH_BYTES);
	for (unsigned int i = 0; i < group->count; i++)
		store_item(memory + bench_offset(b, item_x(i, bytes), i / WIDTH, 0),
			   atom_rows[group->first + i][i < count ? column : COLUMN_M], bytes);
}

static void check_results(const struct bench *b, const struct variant *v, unsigned int count)
{
	const uint64_t *results = b->results.ptr;

	for (unsigned int i = 0; i < count; i++) {
		const uint64_t *row = atom_rows[v->group->first + i];

		if (le64toh(results[i]) != row[COLUMN_RETURNED])
			fail_msg(
				"%s, type %u, scope %u: M 0x%llx, b 0x%llx, c 0x%llx: returned 0x%llx, not 0x%llx",
				v->group->name, v->type, v->scope,
				(unsigned long long)row[COLUMN_M],
				(unsigned long long)row[COLUMN_B],
				(unsigned long long)row[COLUMN_C],
				(unsigned long long)le64toh(results[i]),
				(unsigned long long)row[COLUMN_RETURNED]);
	}
}

/* Coordinates, b and c of the rows into the buffers that the commands read. */
static void set_operands(struct bench *b, struct tb_buffer *values, const struct atom_group *group)
{
	uint64_t *points = b->points.ptr, *bs = values->ptr, *cs = bs + ROWS;

	for (unsigned int i = 0; i < group->count; i++) {
		points[i] =
			htole64(item_x(i, item_bytes(group->type)) | (uint64_t)(i / WIDTH) << 32);
		bs[i] = htole64(atom_rows[group->first + i][COLUMN_B]);
		cs[i] = htole64(atom_rows[group->first + i][COLUMN_C]);
	}
}

static void run_variant(struct bench *b, struct tb_buffer *values, const struct variant *v)
{
	static uint8_t expected[BENCH_BYTES];
	const struct atom_group *group = v->group;
	struct tb_texture texture = { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
				      .type = FAA_TEXTURE_TYPE_TWO_D,
				      .components = TEXEL_16,
				      .data_type = v->data_type,
				      .width = WIDTH,
				      .height = HEIGHT,
				      .depth = 1,
				      .gobs_height = 1 };
	enum faa_type item = item_bytes(group->type) == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;
	unsigned int count = v->registers && group->count > FAA_LANES ? FAA_LANES : group->count;
	struct faa_operand d = v->registers ? reg(6) : stream(item, b->results.va, 8);
	struct faa_place place;

	assert_true(group->count <= ROWS);
	bench_surface(b, FAA_DIM_D2, texture);
	set_operands(b, values, group);
	fill(b, b->memory.ptr, group, count, COLUMN_M);
	fill(b, expected, group, count, COLUMN_NEW);
	memset(b->results.ptr, 0, ROWS * 8);
	place = bench_place(b, FAA_CLAMP_TRAP);
	place.ba = 1;
	add_suatom(b->f, group->mode, group->op, v->type, v->scope, place, count, d,
		   stream(FAA_TYPE_U64, b->points.va, 8),
		   has_b(group->op) ? stream(item, values->va, 8) : none(),
		   has_c(group->op) ? stream(item, values->va + 8 * ROWS, 8) : none());
	if (v->registers)
		add_st(b->f, item, count, affine(b->results.va, 8), 0, reg(6));
	run(b->f);
	bench_compare(b, expected, group->name);
	check_results(b, v, count);
}

/* The SD type that is equivalent to a type in an operation, or the type itself. */
static unsigned int sd_type(const struct atom_group *group)
{
	bool compares = group->op == FAA_ATOM_OP_MIN || group->op == FAA_ATOM_OP_MAX;
	bool simple = group->op == FAA_ATOM_OP_ADD || group->op == FAA_ATOM_OP_AND ||
		      group->op == FAA_ATOM_OP_OR || group->op == FAA_ATOM_OP_XOR;

	if ((group->type == FAA_TYPE_U32 || group->type == FAA_TYPE_S32) && (compares || simple))
		return FAA_TYPE_SD32;
	if ((group->type == FAA_TYPE_U64 || group->type == FAA_TYPE_S64) && compares)
		return FAA_TYPE_SD64;
	return group->type;
}

/*
 * Every scope, and results in registers; where not all of it runs, these take turns from group to
 * group.
 */
static unsigned int run_group(struct bench *b, struct tb_buffer *values,
			      const struct atom_group *group)
{
	unsigned int scopes = has_feature(b->f, FAA_FEATURE_SYS_ATOMICS) ? 3 : 2;
	unsigned int turn = (unsigned int)(group - atom_groups), turns = amount_of(b->f, 1, scopes);
	bool is_signed = group->type == FAA_TYPE_S32 || group->type == FAA_TYPE_S64;
	struct variant v = { .group = group,
			     .type = group->type,
			     .data_type = FAA_DATA_TYPE_FLOAT };

	for (v.scope = turn % turns; v.scope < scopes; v.scope += turns)
		run_variant(b, values, &v);
	v.scope = FAA_SCOPE_GPU;
	v.registers = true;
	if (turn % turns == 0)
		run_variant(b, values, &v);
	if (sd_type(group) == group->type)
		return 0;
	v.type = sd_type(group);
	v.data_type = is_signed ? FAA_DATA_TYPE_SINT : FAA_DATA_TYPE_UINT;
	for (unsigned int i = 0; i < 2; i++) {
		v.registers = i;
		run_variant(b, values, &v);
	}
	return 1;
}

static void every_operation_and_type(void **state)
{
	struct bench *b = bench_begin(state);
	struct tb_buffer values = tb_buffer_create(b->f->vm, 2 * ROWS * 8);
	unsigned int sd = 0;

	for (unsigned int i = 0; i < GROUPS; i++)
		if (strncmp(atom_groups[i].name, "svm", 3) &&
		    bench_offers(b, atom_groups[i].type, atom_groups[i].mode))
			sd += run_group(b, &values, &atom_groups[i]);
	/* ADD, MIN, MAX, AND, OR, XOR of SD32 and MIN, MAX of SD64, both signs. */
	assert_int_equal(sd, 2 * (6 + 2));
	bench_end(b);
}

/* The table of commands has exactly the operations and types that are tested here. */
static void the_table_is_complete(void **state)
{
	static const struct {
		unsigned int opcode, op, types;
	} legal[] = {
#define ROW(opcode, op, types) { opcode, op, types },
		FAA_LEGAL_TYPES(ROW)
#undef ROW
	};
	unsigned int rows = 0;

	(void)state;
	for (unsigned int i = 0; i < sizeof(legal) / sizeof(legal[0]); i++) {
		unsigned int seen = 0;

		if (legal[i].opcode != FAA_OPCODE_SUATOM)
			continue;
		rows++;
		for (unsigned int g = 0; g < GROUPS; g++)
			if (atom_groups[g].op == legal[i].op)
				seen |= 1u << atom_groups[g].type | 1u << sd_type(&atom_groups[g]);
		if (seen != legal[i].types)
			fail_msg("operation %u: types 0x%04x, but 0x%04x are legal", legal[i].op,
				 seen, legal[i].types);
	}
	assert_int_equal(rows, 16);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_complete),
		FIXTURE_TEST(every_operation_and_type),
	};

	return fixture_main(argc, argv, "surface-table", tests, sizeof(tests) / sizeof(tests[0]));
}
