// SPDX-License-Identifier: MIT
/**
 * DOC: Sums in any order
 *
 * Numbers that nearly cancel are added in many orders, by several queues at the same time: once
 * with f32 atomics, whose sums round after each addition, and once as exact sums, which round when
 * they are read. The sums are known, because the numbers are pairs x and -x of any size, and
 * multiples of 2^-20.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "faa_exact.h"
#include "faa_program.h"
#include "machine.h"
#include "random.h"
#include "tool.h"

/* Unit of the numbers that remain. */
#define UNIT_EXPONENT (-20)
#define UNITS	      (1u << 12)
#define MAX_ORDERS    1000

struct options {
	const char *engine;
	uint32_t numbers;
	uint32_t sums;
	uint32_t orders;
	uint32_t queues;
	uint64_t seed;
	bool json;
};

/* The results of a way of adding, in all orders. */
struct results {
	/* A row of sums for each order. */
	float *sums;
	/* Rows that differ from all before them. */
	uint32_t different;
	/* Of one queue: the job that adds all numbers. */
	uint64_t cycles;
};

struct exact {
	struct machine machine;
	struct machine_area values, indices, words, cells;
	/* The right sums, in units. */
	int64_t *known;
	struct results rounded, exact;
	/* Exact sums with other bits than in the first order, or that are not the known ones. */
	uint32_t wrong;
	struct faa_exact_cell *first;
	double magnitude;
};

static int exact_open(struct exact *exact, struct faa_device *device, const struct options *options)
{
	uint64_t numbers = machine_area_bytes((uint64_t)options->numbers * sizeof(float));
	uint64_t words = machine_area_bytes((uint64_t)options->sums * sizeof(float));
	uint64_t cells = machine_area_bytes((uint64_t)options->sums * FAA_EXACT_CELL_BYTES);
	size_t rows = (size_t)options->sums * options->orders;
	int ret;

	ret = machine_open(&exact->machine, device, options->queues,
			   1ull << FAA_FEATURE_GLOBAL_ATOMICS | 1ull << FAA_FEATURE_ATOMS_F32 |
				   1ull << FAA_FEATURE_ALU,
			   2 * numbers + words + cells);
	if (ret)
		return ret;
	exact->values = machine_take(&exact->machine, numbers);
	exact->indices = machine_take(&exact->machine, numbers);
	exact->words = machine_take(&exact->machine, words);
	exact->cells = machine_take(&exact->machine, cells);
	exact->known = calloc(options->sums, sizeof(*exact->known));
	exact->first = calloc(options->sums, FAA_EXACT_CELL_BYTES);
	exact->rounded.sums = calloc(rows, sizeof(float));
	exact->exact.sums = calloc(rows, sizeof(float));
	if (exact->known && exact->first && exact->rounded.sums && exact->exact.sums)
		return 0;
	fprintf(stderr, "exact: no memory\n");
	return -ENOMEM;
}

static void exact_close(struct exact *exact)
{
	free(exact->known);
	free(exact->first);
	free(exact->rounded.sums);
	free(exact->exact.sums);
	machine_close(&exact->machine);
}

/* Pairs that cancel, from 2^-20 to 2^40, in one sum; every eighth pair is two small numbers. */
static void exact_draw(struct exact *exact, const struct options *options)
{
	uint32_t *indices = exact->indices.memory, i;
	float *values = exact->values.memory;
	uint64_t seed = options->seed;

	for (i = 0; i < options->numbers; i++) {
		uint64_t bits = random_next(&seed);
		int32_t units = (int32_t)(bits >> 32 & (UNITS - 1)) - (int32_t)(UNITS / 2);
		float size = ldexpf((float)(bits >> 40), (int)(bits % 36) - 20);

		indices[i] = (bits >> 8) % options->sums;
		values[i] = bits & 64 ? -size : size;
		if (i % 2 && (i / 2) % 8) {
			indices[i] = indices[i - 1];
			values[i] = -values[i - 1];
		} else if (!((i / 2) % 8) || i + 1 == options->numbers) {
			values[i] = ldexpf((float)units, UNIT_EXPONENT);
			exact->known[indices[i]] += units;
		}
		exact->magnitude += fabs((double)values[i]);
	}
}

static void exact_shuffle(struct exact *exact, const struct options *options, uint64_t *seed)
{
	uint32_t *indices = exact->indices.memory, i, j, index;
	float *values = exact->values.memory, value;

	for (i = options->numbers - 1; i > 0; i--) {
		j = random_next(seed) % (i + 1);
		value = values[i];
		values[i] = values[j];
		values[j] = value;
		index = indices[i];
		indices[i] = indices[j];
		indices[j] = index;
	}
}

/* Adds the commands of @count numbers from @first on to the stream of a queue. */
static void exact_add_part(struct exact *exact, const struct options *options, bool is_exact,
			   unsigned int queue, uint32_t first, uint32_t count)
{
	struct faa_stream *stream = exact->machine.queues[queue].stream;
	struct faa_operand value = faa_array_u32(exact->values.va + 4ull * first, 4);
	struct faa_operand index = faa_array_u32(exact->indices.va + 4ull * first, 4);
	struct faa_exact_add add = {
		.count = count,
		.scope = FAA_SCOPE_GPU,
		.cells = exact->cells.va,
		.cell = options->sums > 1 ? index : faa_imm(0),
		.value = value,
	};

	if (is_exact)
		faa_stream_exact_add(stream, &add);
	else
		faa_stream_red(stream, FAA_ATOM_OP_ADD, FAA_TYPE_F32, FAA_SCOPE_GPU,
			       FAA_ORDER_RELAXED, count, faa_scaled(index, 2, exact->words.va), 0,
			       value, faa_none());
}

/* All numbers, divided among @queues queues. @status: of the last one. 0, or -errno. */
static int exact_add_all(struct exact *exact, const struct options *options, bool is_exact,
			 uint32_t queues, struct faa_job_status *status)
{
	uint32_t first = 0, i, count;
	int ret = 0, one;

	memset(exact->words.memory, 0, options->sums * sizeof(float));
	memset(exact->cells.memory, 0, (size_t)options->sums * FAA_EXACT_CELL_BYTES);
	for (i = 0; i < queues && !ret; i++, first += count) {
		count = (options->numbers - first) / (queues - i);
		exact_add_part(exact, options, is_exact, i, first, count);
		ret = machine_submit(&exact->machine, i);
	}
	queues = ret ? i - 1 : queues;
	for (i = 0; i < queues; i++) {
		one = machine_wait(&exact->machine, i, status);
		ret = ret ? ret : one;
	}
	return ret;
}

/* Reads the exact sums into row @order, and compares them with the known ones. */
static void exact_read_row(struct exact *exact, const struct options *options, uint32_t order)
{
	const struct faa_exact_cell *cells = exact->cells.memory;
	struct faa_exact_sum sum;
	uint32_t i;

	if (!order)
		memcpy(exact->first, cells, (size_t)options->sums * sizeof(*cells));
	for (i = 0; i < options->sums; i++) {
		double known = ldexp((double)exact->known[i], UNIT_EXPONENT);
		bool same = !memcmp(&exact->first[i], &cells[i], sizeof(*cells));

		if (faa_exact_read(&cells[i], &sum) || !same || sum.f64 != known ||
		    sum.f32 != (float)known) {
			if (!exact->wrong++)
				fprintf(stderr,
					"exact: order %u, sum %u: the exact sum is %a, not %a%s\n",
					order, i, sum.f64, known,
					same ? "" : ", and its cell has other bits than before");
		}
		exact->exact.sums[(size_t)order * options->sums + i] = sum.f32;
	}
}

/* Counts the row of @order if it differs from all before. */
static void exact_count_row(struct results *results, const struct options *options, uint32_t order)
{
	size_t bytes = options->sums * sizeof(float);
	const float *row = results->sums + (size_t)order * options->sums;
	uint32_t i;

	for (i = 0; i < order; i++)
		if (!memcmp(results->sums + (size_t)i * options->sums, row, bytes))
			return;
	results->different++;
}

/* The cost of all numbers on a single queue. */
static int exact_measure(struct exact *exact, const struct options *options, bool is_exact)
{
	struct results *results = is_exact ? &exact->exact : &exact->rounded;
	struct faa_job_status status;
	int ret = exact_add_all(exact, options, is_exact, 1, &status);

	results->cycles = exact->machine.queues[0].counters.value[FAA_COUNTER_CYCLES];
	return ret;
}

static int exact_try_orders(struct exact *exact, const struct options *options)
{
	uint64_t seed = options->seed ^ UINT64_MAX;
	struct faa_job_status status;
	uint32_t order;
	int ret = 0;

	for (order = 0; order < options->orders && !ret; order++) {
		ret = exact_add_all(exact, options, false, options->queues, &status);
		memcpy(exact->rounded.sums + (size_t)order * options->sums, exact->words.memory,
		       options->sums * sizeof(float));
		if (!ret)
			ret = exact_add_all(exact, options, true, options->queues, &status);
		if (ret)
			break;
		exact_read_row(exact, options, order);
		exact_count_row(&exact->rounded, options, order);
		exact_count_row(&exact->exact, options, order);
		exact_shuffle(exact, options, &seed);
	}
	if (!ret)
		ret = exact_measure(exact, options, false);
	return ret ? ret : exact_measure(exact, options, true);
}

/* Smallest and largest value of sum 0 over all orders. */
static void exact_range(const struct results *results, const struct options *options, float *low,
			float *high)
{
	uint32_t i;

	*low = *high = results->sums[0];
	for (i = 1; i < options->orders; i++) {
		float sum = results->sums[(size_t)i * options->sums];

		*low = sum < *low ? sum : *low;
		*high = sum > *high ? sum : *high;
	}
}

static void exact_print_way(const struct exact *exact, const struct options *options,
			    const char *name, const struct results *results)
{
	float low, high;

	exact_range(results, options, &low, &high);
	printf("%s: %u different result%s; the first sum is %.9g to %.9g; %.1f %s for each number\n",
	       name, results->different, results->different == 1 ? "" : "s", (double)low,
	       (double)high, (double)results->cycles / options->numbers, exact->machine.unit);
}

static void exact_print(const struct exact *exact, const struct options *options)
{
	double known = ldexp((double)exact->known[0], UNIT_EXPONENT);

	printf("%u numbers, magnitudes %.3g in all, %u sums, the first is %.9g; %u orders on %u queues\n",
	       options->numbers, exact->magnitude, options->sums, known, options->orders,
	       options->queues);
	exact_print_way(exact, options, "f32 atomics", &exact->rounded);
	exact_print_way(exact, options, "exact sums", &exact->exact);
	if (exact->wrong)
		printf("check FAILED: %u exact sums are wrong\n", exact->wrong);
	else
		printf("check passed: all exact sums are the known ones, with the same bits\n");
}

static void exact_print_json_way(const struct exact *exact, const struct options *options,
				 const char *name, const struct results *results)
{
	float low, high;

	exact_range(results, options, &low, &high);
	printf("\"%s\": {\"different\": %u, \"lowest\": %.9g, \"highest\": %.9g, ", name,
	       results->different, (double)low, (double)high);
	clock_print_json(exact->machine.unit, results->cycles);
	printf("}, ");
}

static void exact_print_json(const struct exact *exact, const struct options *options)
{
	printf("{\"numbers\": %u, \"sums\": %u, \"orders\": %u, \"queues\": %u, \"known\": %.17g, ",
	       options->numbers, options->sums, options->orders, options->queues,
	       ldexp((double)exact->known[0], UNIT_EXPONENT));
	exact_print_json_way(exact, options, "f32", &exact->rounded);
	exact_print_json_way(exact, options, "exact", &exact->exact);
	printf("\"wrong\": %u, \"check\": %s}\n", exact->wrong, exact->wrong ? "false" : "true");
}

static int exact_run(struct faa_device *device, const struct options *options)
{
	struct exact exact = { 0 };
	int ret = exact_open(&exact, device, options);

	if (!ret) {
		exact_draw(&exact, options);
		ret = exact_try_orders(&exact, options);
	}
	if (!ret)
		(options->json ? exact_print_json : exact_print)(&exact, options);
	ret = ret || exact.wrong;
	exact_close(&exact);
	return ret;
}

const char *argp_program_version = "exact " FAA_VERSION_TEXT;

static error_t exact_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 'n':
		options->numbers = tool_number("numbers", arg, MACHINE_QUEUES, 1u << 20);
		return 0;
	case 'c':
		options->sums = tool_number("sums", arg, 1, 1u << 16);
		return 0;
	case 'r':
		options->orders = tool_number("orders", arg, 1, MAX_ORDERS);
		return 0;
	case 'q':
		options->queues = tool_number("queues", arg, 1, MACHINE_QUEUES);
		return 0;
	case 's':
		options->seed = tool_number("seed", arg, 0, UINT64_MAX);
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument is needed, but '%s' was given", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option exact_argp_options[] = {
	{ "numbers", 'n', "COUNT", 0, "Numbers to add (default 2000)", 0 },
	{ "sums", 'c', "COUNT", 0, "Sums among which they are divided (default 1)", 0 },
	{ "orders", 'r', "COUNT", 0, "Orders of the numbers (default 20)", 0 },
	{ "queues", 'q', "COUNT", 0, "Queues that add at the same time: 1 to 4 (default)", 0 },
	{ "seed", 's', "N", 0, "Seed of the numbers and orders (default 1)", 0 },
	TOOL_JSON_OPTION("the results of both ways, and what they took"),
	{ 0 },
};

static const struct argp exact_argp = {
	.options = exact_argp_options,
	.parser = exact_parse,
	.children = faa_program_children,
	.doc = "Adds numbers that nearly cancel, in many orders and on several queues of the faa device at the same time: "
	       "with f32 atomics, and as exact sums, whose bits do not depend on the order.\v"
	       "Exit status: 0 if all exact sums are the known ones, 1 if not or if something failed.",
};

int main(int argc, char **argv)
{
	struct options options = {
		.numbers = 2000, .sums = 1, .orders = 20, .queues = 4, .seed = 1
	};
	struct faa_program program = { argc, argv, NULL };
	struct faa_device *device;
	int ret;

	tool_parse(&exact_argp, argc, argv, &options);
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	ret = exact_run(device, &options);
	faa_device_unref(device);
	return ret;
}
