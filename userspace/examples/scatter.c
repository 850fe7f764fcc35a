// SPDX-License-Identifier: MIT
/**
 * DOC: Scatter-add of gradients
 *
 * As in training with an embedding table: each token has a row number and a gradient of as many
 * floats as a row has columns, and is added to its row. Few rows get many tokens. A column is one
 * RED.ADD.F32 command that takes row numbers and gradients from memory as they are. Its order is
 * that of the tokens, so the sums equal those of a loop on the CPU, bit for bit; with mode RELAXED
 * they equal those of the definition in the specification.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "faa_program.h"
#include "machine.h"
#include "random.h"
#include "tool.h"

#define MAX_COLUMNS 32

struct options {
	const char *engine;
	uint32_t tokens;
	uint32_t rows;
	uint32_t columns;
	uint64_t seed;
	bool json;
};

/* A method of summing a cell. */
struct way {
	const char *name;
	unsigned int modes;
	void (*compute)(const struct options *options, const uint32_t *rows, const float *gradients,
			float *table);
};

struct scatter {
	struct machine machine;
	struct machine_area table, rows, gradients;
	/* Sums of the CPU, and the same sums in double precision. */
	float *expected;
	double *exact;
};

static size_t scatter_cells(const struct options *options)
{
	return (size_t)options->rows * options->columns;
}

/* Column by column, token by token. */
static void scatter_compute_strict(const struct options *options, const uint32_t *rows,
				   const float *gradients, float *table)
{
	uint32_t t, c;

	for (c = 0; c < options->columns; c++)
		for (t = 0; t < options->tokens; t++)
			table[rows[t] * options->columns + c] +=
				gradients[t * options->columns + c];
}

/* One warp: sums the gradients of each row in order of lanes, then adds the sum to its cell. */
static void scatter_compute_warp(const struct options *options, const uint32_t *rows,
				 const float *gradients, uint32_t lanes, float *column)
{
	uint64_t done = 0;
	uint32_t i, j;

	for (i = 0; i < lanes; i++) {
		float sum = gradients[i * options->columns];

		if (done >> i & 1)
			continue;
		for (j = i + 1; j < lanes; j++) {
			if (rows[j] != rows[i])
				continue;
			sum += gradients[j * options->columns];
			done |= 1ull << j;
		}
		column[rows[i] * options->columns] += sum;
	}
}

static void scatter_compute_relaxed(const struct options *options, const uint32_t *rows,
				    const float *gradients, float *table)
{
	uint32_t t, c, lanes;

	for (c = 0; c < options->columns; c++) {
		for (t = 0; t < options->tokens; t += FAA_LANES) {
			lanes = options->tokens - t < FAA_LANES ? options->tokens - t : FAA_LANES;
			scatter_compute_warp(options, rows + t,
					     gradients + t * options->columns + c, lanes,
					     table + c);
		}
	}
}

static int scatter_open(struct scatter *scatter, struct faa_device *device,
			const struct options *options)
{
	uint64_t table = machine_area_bytes(scatter_cells(options) * sizeof(float));
	uint64_t rows = machine_area_bytes(options->tokens * sizeof(uint32_t));
	uint64_t gradients =
		machine_area_bytes((uint64_t)options->tokens * options->columns * sizeof(float));
	int ret;

	ret = machine_open(&scatter->machine, device, 1,
			   1ull << FAA_FEATURE_GLOBAL_ATOMICS | 1ull << FAA_FEATURE_ATOMS_F32,
			   table + rows + gradients);
	if (ret)
		return ret;
	scatter->table = machine_take(&scatter->machine, table);
	scatter->rows = machine_take(&scatter->machine, rows);
	scatter->gradients = machine_take(&scatter->machine, gradients);
	scatter->expected = malloc(scatter_cells(options) * sizeof(float));
	scatter->exact = calloc(scatter_cells(options), sizeof(double));
	if (scatter->expected && scatter->exact)
		return 0;
	fprintf(stderr, "scatter: no memory\n");
	return -ENOMEM;
}

static void scatter_close(struct scatter *scatter)
{
	free(scatter->expected);
	free(scatter->exact);
	machine_close(&scatter->machine);
}

/*
 * Low rows get more tokens. Gradients have both signs and sizes from 2^-15 to 1, so that the order
 * of the sums shows.
 */
static void scatter_draw(struct scatter *scatter, const struct options *options)
{
	float *gradients = scatter->gradients.memory;
	uint32_t *rows = scatter->rows.memory, t, c;
	uint64_t seed = options->seed, a, b;

	for (t = 0; t < options->tokens; t++) {
		a = random_next(&seed) % options->rows;
		b = random_next(&seed) % options->rows;
		rows[t] = a < b ? a : b;
		for (c = 0; c < options->columns; c++) {
			uint64_t bits = random_next(&seed);
			float gradient = ldexpf((float)(bits >> 40) / (1 << 24), -(int)(bits % 16));

			gradients[t * options->columns + c] = bits & 16 ? -gradient : gradient;
			scatter->exact[rows[t] * options->columns + c] +=
				gradients[t * options->columns + c];
		}
	}
}

/* Adds one command a column: row numbers times the bytes of a row, and the column's gradients. */
static int scatter_add_on_device(struct scatter *scatter, const struct options *options,
				 const struct way *way, struct faa_job_status *status)
{
	struct faa_stream *stream = scatter->machine.queues[0].stream;
	unsigned int row_bytes = options->columns * sizeof(float);
	struct faa_operand row = faa_array_u32(scatter->rows.va, sizeof(uint32_t));
	uint32_t c;
	int ret;

	memset(scatter->table.memory, 0, scatter_cells(options) * sizeof(float));
	for (c = 0; c < options->columns; c++) {
		uint64_t offset = c * sizeof(float);

		faa_stream_float_mode(stream, way->modes);
		faa_stream_red(
			stream, FAA_ATOM_OP_ADD, FAA_TYPE_F32, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
			options->tokens,
			faa_scaled(row, __builtin_ctz(row_bytes), scatter->table.va + offset), 0,
			faa_array_u32(scatter->gradients.va + offset, row_bytes), faa_none());
	}
	ret = machine_submit(&scatter->machine, 0);
	return ret ? ret : machine_wait(&scatter->machine, 0, status);
}

/* Number of cells whose bits differ from the CPU's. */
static size_t scatter_compare(const struct scatter *scatter, const struct options *options,
			      const struct way *way)
{
	const float *table = scatter->table.memory;
	size_t i, wrong = 0;

	for (i = 0; i < scatter_cells(options); i++) {
		if (!memcmp(&table[i], &scatter->expected[i], sizeof(float)))
			continue;
		if (!wrong++)
			fprintf(stderr,
				"scatter: %s: row %zu, column %zu: the device has %a, the CPU %a\n",
				way->name, i / options->columns, i % options->columns,
				(double)table[i], (double)scatter->expected[i]);
	}
	return wrong;
}

static double scatter_largest_error(const struct scatter *scatter, const struct options *options)
{
	const float *table = scatter->table.memory;
	double error, most = 0;
	size_t i;

	for (i = 0; i < scatter_cells(options); i++) {
		error = fabs((double)table[i] - scatter->exact[i]);
		if (error > most)
			most = error;
	}
	return most;
}

static void scatter_print_text(const struct scatter *scatter, const struct options *options,
			       const struct way *way, const struct faa_job_status *status,
			       size_t wrong)
{
	printf("%s: %" PRIu64 " additions into %zu cells, %" PRIu64 " %s; error at most %.2g; ",
	       way->name, status->elements_retired, scatter_cells(options),
	       status->end_cycle - status->start_cycle, scatter->machine.unit,
	       scatter_largest_error(scatter, options));
	if (wrong)
		printf("CPU check FAILED: %zu cells differ\n", wrong);
	else
		printf("CPU check passed: all bits equal\n");
}

/* Prints a member of the object of scatter_run(). */
static void scatter_print_json(const struct scatter *scatter, const struct options *options,
			       const struct way *way, const struct faa_job_status *status,
			       size_t wrong)
{
	printf("\"%s\": {\"additions\": %" PRIu64 ", \"cells\": %zu, ", way->name,
	       status->elements_retired, scatter_cells(options));
	clock_print_json(scatter->machine.unit, status->end_cycle - status->start_cycle);
	printf(", \"largest_error\": %.9g, \"wrong\": %zu}, ",
	       scatter_largest_error(scatter, options), wrong);
}

static int scatter_try_way(struct scatter *scatter, const struct options *options,
			   const struct way *way)
{
	struct faa_job_status status;
	size_t wrong;
	int ret;

	ret = scatter_add_on_device(scatter, options, way, &status);
	if (ret)
		return 1;
	memset(scatter->expected, 0, scatter_cells(options) * sizeof(float));
	way->compute(options, scatter->rows.memory, scatter->gradients.memory, scatter->expected);
	wrong = scatter_compare(scatter, options, way);
	(options->json ? scatter_print_json : scatter_print_text)(scatter, options, way, &status,
								  wrong);
	return wrong ? 1 : 0;
}

/* Explains the difference between both methods. */
static void scatter_explain(const struct machine *machine)
{
	if (!strcmp(machine->unit, "steps"))
		printf("The C model has no clock: its steps do not tell which way is faster.\n");
	else
		printf("Strict adds the lanes of a warp on one cell to memory one by one; relaxed adds them to each other first,\n"
		       "in a chain of adders through which every warp goes: 66 cycles, also where few lanes share a cell.\n");
}

/* Runs both methods, the relaxed one if the device has it; returns 0 if all bits are equal. */
static int scatter_try_ways(struct scatter *scatter, const struct options *options)
{
	static const struct way strict = { "strict", 0, scatter_compute_strict };
	static const struct way relaxed = { "relaxed", FAA_FLOAT_MODE_RELAXED,
					    scatter_compute_relaxed };
	bool has_relaxed = scatter->machine.info->features >> FAA_FEATURE_ATOMS_RELAXED & 1;
	int ret;

	ret = scatter_try_way(scatter, options, &strict);
	if (has_relaxed)
		ret |= scatter_try_way(scatter, options, &relaxed);
	if (options->json)
		return ret;
	if (has_relaxed)
		scatter_explain(&scatter->machine);
	else
		printf("relaxed: this build of the device lacks ATOMS_RELAXED\n");
	return ret;
}

static int scatter_run(struct faa_device *device, const struct options *options)
{
	struct scatter scatter = { 0 };
	int ret;

	ret = scatter_open(&scatter, device, options) ? 1 : 0;
	if (!ret) {
		scatter_draw(&scatter, options);
		if (options->json)
			printf("{\"tokens\": %u, \"rows\": %u, \"columns\": %u, ", options->tokens,
			       options->rows, options->columns);
		ret = scatter_try_ways(&scatter, options);
		if (options->json)
			printf("\"check\": %s}\n", ret ? "false" : "true");
	}
	scatter_close(&scatter);
	return ret;
}

const char *argp_program_version = "scatter " FAA_VERSION_TEXT;

static error_t scatter_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 't':
		options->tokens = tool_number("tokens", arg, 1, 1u << 24);
		return 0;
	case 'r':
		options->rows = tool_number("rows", arg, 1, 1u << 20);
		return 0;
	case 'c':
		options->columns = tool_number("columns", arg, 1, MAX_COLUMNS);
		if (options->columns & (options->columns - 1))
			argp_error(state, "--columns=%s: 1, 2, 4, 8, 16 or 32, please", arg);
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

static const struct argp_option scatter_argp_options[] = {
	{ "tokens", 't', "COUNT", 0, "Tokens (default 4000)", 0 },
	{ "rows", 'r', "COUNT", 0, "Rows of the table (default 25)", 0 },
	{ "columns", 'c', "COUNT", 0, "Floats of a row: 1, 2, 4 (default), 8, 16 or 32", 0 },
	{ "seed", 's', "N", 0, "Seed of the random rows and gradients (default 1)", 0 },
	TOOL_JSON_OPTION("what both ways took, and their errors"),
	{ 0 },
};

static const struct argp scatter_argp = {
	.options = scatter_argp_options,
	.parser = scatter_parse,
	.children = faa_program_children,
	.doc = "Scatter-add of float gradients into few rows on the faa device, in the order of the tokens and relaxed, "
	       "compared bit for bit with the CPU.\v"
	       "Exit status: 0 if all bits are equal, 1 if not or if something failed.",
};

int main(int argc, char **argv)
{
	struct options options = { .tokens = 4000, .rows = 25, .columns = 4, .seed = 1 };
	struct faa_program program = { argc, argv, NULL };
	struct faa_device *device;
	int ret;

	tool_parse(&scatter_argp, argc, argv, &options);
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	ret = scatter_run(device, &options);
	faa_device_unref(device);
	return ret;
}
