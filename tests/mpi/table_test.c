// SPDX-License-Identifier: MIT
/*
 * libfaa_mpi on the ranks that mpirun started. Every rank computes the updates of all ranks, which
 * follow from their numbers, and compares its part of the table with a sum of its own. A check that
 * fails ends all ranks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"

#define check(condition) test_check(condition, #condition, __FILE__, __LINE__)
#define ELEMENTS	 1000
#define UPDATES		 5000

static int test_rank, test_ranks;

static void test_check(bool holds, const char *text, const char *file, int line)
{
	if (holds)
		return;
	printf("%s:%d: rank %d: not so: %s\n  the last error: %s\n", file, line, test_rank, text,
	       faa_last_error());
	fflush(stdout);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The updates of one rank: a quarter of them on element 7, so that batches end early. */
struct updates {
	size_t count;
	uint64_t indices[UPDATES];
	uint64_t values[UPDATES];
};

/* Rank 1 has none, and the others have different numbers of them. */
static void updates_make(struct updates *updates, int rank)
{
	uint64_t seed = (uint64_t)rank + 1;
	size_t i;

	updates->count = rank == 1 ? 0 : UPDATES - 100 * (size_t)rank;
	for (i = 0; i < updates->count; i++) {
		updates->indices[i] = i % 4 ? ranks_random(&seed) % ELEMENTS : 7;
		updates->values[i] = ranks_random(&seed);
	}
}

static struct faa_mpi_table *test_table(enum faa_type type, bool exact, uint64_t elements)
{
	struct faa_mpi_table_options options = {
		.elements = elements, .type = type, .exact = exact, .batch = 300
	};
	struct faa_mpi_table *table;

	check(!faa_mpi_table_create(MPI_COMM_WORLD, &options, &table));
	return table;
}

static uint32_t test_bits32(const void *part, uint64_t i)
{
	uint32_t bits;

	memcpy(&bits, (const char *)part + i * 4, 4);
	return bits;
}

/* Values of 32 bits of the same updates. */
static void updates_narrow(const struct updates *updates, uint32_t *values)
{
	size_t i;

	for (i = 0; i < updates->count; i++)
		values[i] = (uint32_t)updates->values[i];
}

static uint64_t test_apply(enum faa_atom_op op, uint64_t old, uint64_t value)
{
	switch (op) {
	case FAA_ATOM_OP_ADD:
		return old + value;
	case FAA_ATOM_OP_SUB:
		return old - value;
	case FAA_ATOM_OP_MIN:
		return (int64_t)value < (int64_t)old ? value : old;
	case FAA_ATOM_OP_MAX:
		return (int64_t)value > (int64_t)old ? value : old;
	case FAA_ATOM_OP_AND:
		return old & value;
	case FAA_ATOM_OP_OR:
		return old | value;
	case FAA_ATOM_OP_XOR:
		return old ^ value;
	default:
		check(!"an operation of this test");
		return 0;
	}
}

/* Applies the updates of all ranks to a table of the process. */
static void test_reference(enum faa_atom_op op, bool narrow, uint64_t *elements)
{
	struct updates *updates = malloc(sizeof(*updates));
	int rank;
	size_t i;

	memset(elements, 0, ELEMENTS * sizeof(*elements));
	for (rank = 0; rank < test_ranks; rank++) {
		updates_make(updates, rank);
		for (i = 0; i < updates->count; i++) {
			uint64_t *element = &elements[updates->indices[i]];
			uint64_t value = narrow ? (uint64_t)(int32_t)updates->values[i] :
						  updates->values[i];

			*element = test_apply(op, *element, value);
		}
	}
	free(updates);
}

/* All updates by @op, of 32 or 64 bits with a sign, in two calls. */
static void test_operation(enum faa_atom_op op, bool narrow)
{
	struct faa_mpi_table *table =
		test_table(narrow ? FAA_TYPE_S32 : FAA_TYPE_S64, false, ELEMENTS);
	struct updates *updates = malloc(sizeof(*updates));
	uint64_t *reference = calloc(ELEMENTS, sizeof(*reference));
	uint32_t *values32 = calloc(UPDATES, sizeof(*values32));
	struct faa_mpi_part part;
	const char *values;
	size_t half, bytes = narrow ? 4 : 8;
	uint64_t i;

	updates_make(updates, test_rank);
	updates_narrow(updates, values32);
	values = narrow ? (const char *)values32 : (const char *)updates->values;
	half = updates->count / 2;
	check(!faa_mpi_update(table, op, updates->indices, values, half));
	check(!faa_mpi_update(table, op, updates->indices + half, values + half * bytes,
			      updates->count - half));
	check(!faa_mpi_flush(table));
	test_reference(op, narrow, reference);
	faa_mpi_table_part(table, &part);
	for (i = 0; i < part.count; i++) {
		uint64_t want = reference[part.first + i];

		if (narrow)
			check(test_bits32(part.memory, i) == (uint32_t)want);
		else
			check(((const uint64_t *)part.memory)[i] == want);
	}
	faa_mpi_table_destroy(table);
	free(updates);
	free(reference);
	free(values32);
}

static void test_operations(void)
{
	static const enum faa_atom_op ops[] = { FAA_ATOM_OP_ADD, FAA_ATOM_OP_SUB, FAA_ATOM_OP_MIN,
						FAA_ATOM_OP_MAX, FAA_ATOM_OP_OR,  FAA_ATOM_OP_XOR };
	unsigned int i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		test_operation(ops[i], true);
		test_operation(ops[i], false);
	}
}

/* Elements that no rank owns, and ranks that own none. */
static void test_small_table(void)
{
	struct faa_mpi_table *table = test_table(FAA_TYPE_U32, false, 1);
	uint64_t index = 0;
	uint32_t one = 1, sum;
	struct faa_mpi_part part;

	faa_mpi_table_part(table, &part);
	check(part.count == (test_rank == 0));
	check(!faa_mpi_add(table, &index, &one, 1));
	check(!faa_mpi_flush(table));
	check(!faa_mpi_gather(table, &index, &sum, 1) && sum == (uint32_t)test_ranks);
	faa_mpi_table_destroy(table);
}

/* Tickets: the old values of all ranks are the numbers from 0, each once. */
static void test_fetch(void)
{
	enum { TICKETS = 700 };
	struct faa_mpi_table *table = test_table(FAA_TYPE_U64, false, ELEMENTS);
	size_t total = (size_t)test_ranks * TICKETS, i;
	uint64_t *indices = calloc(TICKETS, 8), *ones = calloc(TICKETS, 8),
		 *old = calloc(TICKETS, 8);
	uint64_t *all = calloc(total, 8);
	char *taken = calloc(total, 1);

	for (i = 0; i < TICKETS; i++) {
		indices[i] = 567;
		ones[i] = 1;
	}
	check(!faa_mpi_fetch_add(table, indices, ones, old, TICKETS));
	MPI_Allgather(old, TICKETS, MPI_UINT64_T, all, TICKETS, MPI_UINT64_T, MPI_COMM_WORLD);
	for (i = 0; i < total; i++) {
		check(all[i] < total && !taken[all[i]]);
		taken[all[i]] = 1;
	}
	faa_mpi_table_destroy(table);
	free(indices);
	free(ones);
	free(old);
	free(all);
	free(taken);
}

/* Each element is claimed by one rank; the others find its number. Results are in order. */
static void test_cas(void)
{
	struct faa_mpi_table *table = test_table(FAA_TYPE_U32, false, ELEMENTS);
	uint64_t *indices = calloc(ELEMENTS, 8), seed = (uint64_t)test_rank, i;
	uint32_t *zero = calloc(ELEMENTS, 4), *mine = calloc(ELEMENTS, 4),
		 *old = calloc(ELEMENTS, 4);
	uint32_t *now = calloc(ELEMENTS, 4), claimed = 0, all;

	for (i = 0; i < ELEMENTS; i++) {
		indices[i] = (i * 7 + ranks_random(&seed) % 3) % ELEMENTS;
		mine[i] = (uint32_t)test_rank + 1;
	}
	check(!faa_mpi_cas(table, indices, zero, mine, old, ELEMENTS));
	check(!faa_mpi_flush(table));
	check(!faa_mpi_gather(table, indices, now, ELEMENTS));
	for (i = 0; i < ELEMENTS; i++) {
		check(now[i] == (old[i] ? old[i] : mine[i]));
		claimed += !old[i];
	}
	MPI_Allreduce(&claimed, &all, 1, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD);
	check(all <= ELEMENTS && all > ELEMENTS / 2);
	faa_mpi_table_destroy(table);
	free(indices);
	free(zero);
	free(mine);
	free(old);
	free(now);
}

/* Results come in the order of the indices, from every part. */
static void test_gather(void)
{
	struct faa_mpi_table *table = test_table(FAA_TYPE_F64, false, ELEMENTS);
	struct updates *updates = malloc(sizeof(*updates));
	double *values = calloc(UPDATES, sizeof(*values));
	struct faa_mpi_part part;
	size_t i;

	faa_mpi_table_part(table, &part);
	for (i = 0; i < part.count; i++)
		((double *)part.memory)[i] = (double)(part.first + i) + 0.5;
	MPI_Barrier(MPI_COMM_WORLD);
	updates_make(updates, test_rank);
	check(!faa_mpi_gather(table, updates->indices, values, updates->count));
	for (i = 0; i < updates->count; i++)
		check(values[i] == (double)updates->indices[i] + 0.5);
	faa_mpi_table_destroy(table);
	free(updates);
	free(values);
}

static void test_float(void)
{
	struct faa_mpi_table *table = test_table(FAA_TYPE_F32, false, ELEMENTS);
	uint64_t index = ELEMENTS - 1;
	float value = 0.25f, sum;
	int i;

	for (i = 0; i < 8; i++)
		check(!faa_mpi_add(table, &index, &value, 1));
	check(!faa_mpi_flush(table));
	check(!faa_mpi_gather(table, &index, &sum, 1));
	check(sum == 2.0f * (float)test_ranks);
	faa_mpi_table_destroy(table);
}

/* A number of any exponent; Inf and NaN are left out. */
static float test_number(uint64_t *seed)
{
	uint32_t bits = (uint32_t)ranks_random(seed);
	float number;

	if ((bits >> 23 & 255) == 255)
		bits ^= 1u << 30;
	memcpy(&number, &bits, 4);
	return number;
}

/* Puts the additions of a rank in a random order. */
static void test_shuffle(uint64_t *indices, float *numbers, uint64_t count, uint64_t seed)
{
	for (uint64_t i = count - 1; i; i--) {
		uint64_t other = ranks_random(&seed) % (i + 1), index = indices[i];
		float number = numbers[i];

		indices[i] = indices[other];
		indices[other] = index;
		numbers[i] = numbers[other];
		numbers[other] = number;
	}
}

/*
 * Sums of the same numbers, which the ranks add in another order each time, have the same bits.
 * FAA_ORDERS: how many orders, default 4.
 */
static void test_exact(void)
{
	enum { SUMS = 5, NUMBERS = 600 };
	const int orders = getenv("FAA_ORDERS") ? atoi(getenv("FAA_ORDERS")) : 4;
	struct faa_exact_cell *want = calloc(SUMS, sizeof(*want));
	uint64_t *indices = calloc(NUMBERS, 8), seed, i;
	float *numbers = calloc(NUMBERS, 4);
	struct faa_exact_sum sums[SUMS], first[SUMS];
	int order, rank;

	for (rank = 0; rank < test_ranks; rank++)
		for (seed = (uint64_t)rank + 99, i = 0; i < NUMBERS; i++) {
			float number = test_number(&seed);

			faa_exact_add_host(&want[i % SUMS], &number, 1);
		}
	check(orders > 0);
	for (order = 0; order < orders; order++) {
		struct faa_mpi_table *table = test_table(FAA_TYPE_F32, true, SUMS);
		uint64_t all[SUMS] = { 0, 1, 2, 3, 4 };

		/* Another rank's numbers each time, and another device's addends first. */
		rank = (test_rank + order) % test_ranks;
		for (seed = (uint64_t)rank + 99, i = 0; i < NUMBERS; i++) {
			numbers[i] = test_number(&seed);
			indices[i] = i % SUMS;
		}
		test_shuffle(indices, numbers, NUMBERS, (uint64_t)order * 64 + (uint64_t)test_rank);
		check(!faa_mpi_exact_add(table, indices, numbers, NUMBERS));
		check(!faa_mpi_flush(table));
		check(!faa_mpi_exact_read(table, all, sums, SUMS));
		for (i = 0; i < SUMS; i++) {
			check(!faa_exact_read(&want[i], &first[i]));
			check(!memcmp(&sums[i], &first[i], sizeof(sums[i])));
		}
		faa_mpi_table_destroy(table);
	}
	free(want);
	free(indices);
	free(numbers);
}

/* An argument of one rank refuses the call on all ranks, with the same sentence. */
static void test_bad_argument(void)
{
	struct faa_mpi_table *table = test_table(FAA_TYPE_U32, false, ELEMENTS);
	int bad = test_ranks - 1;
	uint64_t indices[3] = { 1, 2, test_rank == bad ? ELEMENTS : 3 };
	uint32_t values[3] = { 5, 5, 5 }, now[3];
	struct faa_mpi_failure failure;
	char want[128];

	check(faa_mpi_add(table, indices, values, 3) == -EINVAL);
	snprintf(want, sizeof(want),
		 "faa_mpi_update: rank %d: update 2: index %d of a table of %d elements", bad,
		 ELEMENTS, ELEMENTS);
	check(!strcmp(faa_last_error(), want));
	faa_mpi_table_failure(table, &failure);
	check(!failure.error);
	indices[2] = 3;
	check(!faa_mpi_gather(table, indices, now, 3));
	check(!now[0] && !now[1] && !now[2]);
	check(faa_mpi_update(table, FAA_ATOM_OP_CAS, indices, values, 3) == -EINVAL);
	check(faa_mpi_exact_add(table, indices, (const float *)values, 3) == -EINVAL);
	check(faa_mpi_update(table, FAA_ATOM_OP_ADD, test_rank ? indices : NULL, values, 3) ==
	      -EINVAL);
	check(strstr(faa_last_error(), "rank 0: an array is NULL") != NULL);
	check(!faa_mpi_add(table, indices, values, 3));
	faa_mpi_table_destroy(table);
}

/* Ranks that call different functions are told so, and none waits for the others. */
static void test_different_calls(void)
{
	struct faa_mpi_table *table = test_table(FAA_TYPE_U32, false, ELEMENTS);
	uint64_t index = 0;
	uint32_t value = 1;
	int ret;

	if (test_ranks > 1) {
		ret = test_rank == 1 ? faa_mpi_gather(table, &index, &value, 1) :
				       faa_mpi_add(table, &index, &value, 1);
		check(ret == -EINVAL);
		check(strstr(faa_last_error(), "rank 1 calls another function than rank 0") !=
		      NULL);
	}
	check(!faa_mpi_gather(table, &index, &value, 1) && value == 0);
	faa_mpi_table_destroy(table);
}

static void test_bad_options(void)
{
	struct faa_mpi_table_options options = { .elements = 10, .type = FAA_TYPE_U32 };
	struct faa_mpi_table *table;

	options.type = FAA_TYPE_U8;
	check(faa_mpi_table_create(MPI_COMM_WORLD, &options, &table) == -EINVAL && !table);
	options = (struct faa_mpi_table_options){ .elements = 0, .type = FAA_TYPE_U32 };
	check(faa_mpi_table_create(MPI_COMM_WORLD, &options, &table) == -EINVAL && !table);
	options = (struct faa_mpi_table_options){ .elements = 10,
						  .type = FAA_TYPE_F64,
						  .exact = true };
	check(faa_mpi_table_create(MPI_COMM_WORLD, &options, &table) == -EINVAL && !table);
	options = (struct faa_mpi_table_options){
		.elements = 10 + (uint64_t)(test_rank == test_ranks - 1), .type = FAA_TYPE_U32
	};
	if (test_ranks == 1)
		return;
	check(faa_mpi_table_create(MPI_COMM_WORLD, &options, &table) == -EINVAL && !table);
	check(strstr(faa_last_error(), "its options differ from those of rank 0") != NULL);
}

/* Two tables, whose calls take turns. */
static void test_two_tables(void)
{
	struct faa_mpi_table *a = test_table(FAA_TYPE_U32, false, 100);
	struct faa_mpi_table *b = test_table(FAA_TYPE_U64, false, 200);
	uint64_t index = 99, eight = 8, at_b;
	uint32_t four = 4, at_a;

	check(!faa_mpi_add(a, &index, &four, 1));
	check(!faa_mpi_add(b, &index, &eight, 1));
	check(!faa_mpi_flush(b) && !faa_mpi_flush(a));
	check(!faa_mpi_gather(a, &index, &at_a, 1) && at_a == 4 * (uint32_t)test_ranks);
	check(!faa_mpi_gather(b, &index, &at_b, 1) && at_b == 8 * (uint64_t)test_ranks);
	faa_mpi_table_destroy(a);
	faa_mpi_table_destroy(b);
}

/* Updates until something fails; prints the error. Not among the tests that run without a name. */
static void test_until_failure(void)
{
	struct faa_mpi_table *table = test_table(FAA_TYPE_U32, false, ELEMENTS);
	struct updates *updates = malloc(sizeof(*updates));
	uint32_t *values = calloc(UPDATES, sizeof(*values));
	struct faa_mpi_failure failure;
	int ret, again;

	updates_make(updates, test_rank);
	printf("rank %d begins\n", test_rank);
	fflush(stdout);
	do {
		ret = faa_mpi_add(table, updates->indices, values, updates->count);
	} while (!ret);
	printf("rank %d: %d: %s\n", test_rank, ret, faa_last_error());
	faa_mpi_table_failure(table, &failure);
	again = faa_mpi_flush(table);
	check(failure.error == ret && again == ret);
	faa_mpi_table_destroy(table);
	free(updates);
	free(values);
}

static const struct test {
	const char *name;
	void (*run)(void);
	bool on_request;
} tests[] = {
	{ "operations", test_operations, false },
	{ "small-table", test_small_table, false },
	{ "fetch", test_fetch, false },
	{ "cas", test_cas, false },
	{ "gather", test_gather, false },
	{ "float", test_float, false },
	{ "exact", test_exact, false },
	{ "bad-argument", test_bad_argument, false },
	{ "different-calls", test_different_calls, false },
	{ "bad-options", test_bad_options, false },
	{ "two-tables", test_two_tables, false },
	{ "until-failure", test_until_failure, true },
};

static int test_list(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (!tests[i].on_request)
			puts(tests[i].name);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int i, ran = 0;

	if (argc > 1 && !strcmp(argv[1], "--list"))
		return test_list();
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &test_rank);
	MPI_Comm_size(MPI_COMM_WORLD, &test_ranks);
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc > 1 ? strcmp(argv[1], tests[i].name) : tests[i].on_request)
			continue;
		tests[i].run();
		MPI_Barrier(MPI_COMM_WORLD);
		if (!test_rank)
			printf("%s: passed with %d ranks\n", tests[i].name, test_ranks);
		ran++;
	}
	check(ran > 0);
	MPI_Finalize();
	return 0;
}
