// SPDX-License-Identifier: MIT
/**
 * DOC: RandomAccess of the HPC Challenge
 *
 * A table of 2^n 64-bit words, T[i] = i, is updated at random: T[ran mod 2^n] ^= ran for each
 * number ran of the sequence of a linear feedback shift register. The host computes the sequence as
 * the benchmark does, with 128 generators that take turns; the device executes an atomic XOR for
 * each number. At most 1024 numbers are known ahead of their updates: the host fills one half of
 * the buffers while a job of the device works on the other.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "faa_program.h"
#include "gups_sequence.h"
#include "machine.h"
#include "progress.h"
#include "tool.h"

/* Limit of numbers that are computed ahead of the updates before them: the benchmark's rule. */
#define LOOK_AHEAD 1024
#define HALVES	   2
#define HALF	   (LOOK_AHEAD / HALVES)

struct options {
	const char *engine;
	unsigned int log2;
	uint64_t updates;
	double megahertz;
	bool json;
};

struct gups {
	struct machine machine;
	uint64_t words;
	struct gups_sequence sequence;
	struct machine_area table;
	/* The numbers, and the indices of their words, for each half, which belongs to a queue. */
	struct machine_area values[HALVES], indices[HALVES];
	/*
	 * Sums of all jobs: cycles in which one or both queues had a job, and warps; and the end of
	 * the last job.
	 */
	uint64_t cycles, warps, end;
};

static int gups_open(struct gups *gups, struct faa_device *device, const struct options *options)
{
	uint64_t *table;
	uint64_t i;
	int ret;

	gups->words = 1ull << options->log2;
	ret = machine_open(&gups->machine, device, HALVES, 1ull << FAA_FEATURE_GLOBAL_ATOMICS,
			   gups->words * 8 + LOOK_AHEAD * 12);
	if (ret)
		return ret;
	gups->table = machine_take(&gups->machine, gups->words * 8);
	for (i = 0; i < HALVES; i++) {
		gups->values[i] = machine_take(&gups->machine, HALF * 8);
		gups->indices[i] = machine_take(&gups->machine, HALF * 4);
	}
	table = gups->table.memory;
	for (i = 0; i < gups->words; i++)
		table[i] = i;
	gups_sequence_begin(&gups->sequence, options->updates);
	return 0;
}

/* Generates the next @count updates in half @half. */
static void gups_generate(struct gups *gups, unsigned int half, uint64_t count)
{
	uint64_t *values = gups->values[half].memory;
	uint32_t *indices = gups->indices[half].memory;
	uint64_t i;

	for (i = 0; i < count; i++) {
		values[i] = gups_sequence_next(&gups->sequence);
		indices[i] = values[i] & (gups->words - 1);
	}
}

static int gups_submit(struct gups *gups, unsigned int half, uint64_t count)
{
	struct faa_stream *stream = gups->machine.queues[half].stream;
	struct faa_operand index = faa_array_u32(gups->indices[half].va, 4);

	faa_stream_red(stream, FAA_ATOM_OP_XOR, FAA_TYPE_U64, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
		       count, faa_scaled(index, 3, gups->table.va), 0,
		       faa_array_u64(gups->values[half].va, 8), faa_none());
	return machine_submit(&gups->machine, half);
}

static int gups_finish(struct gups *gups, unsigned int half)
{
	struct faa_job_status status;
	int ret;

	ret = machine_wait(&gups->machine, half, &status);
	if (ret)
		return ret;
	if (status.end_cycle > gups->end) {
		gups->cycles += status.end_cycle -
				(status.start_cycle > gups->end ? status.start_cycle : gups->end);
		gups->end = status.end_cycle;
	}
	gups->warps += gups->machine.queues[half].counters.value[FAA_COUNTER_WARPS];
	return 0;
}

/*
 * Uses two halves in turn, each with a queue: the host fills one while the device works on the
 * other.
 */
static int gups_update(struct gups *gups, uint64_t updates)
{
	uint64_t done, count, jobs = 0;
	int ret = 0;

	progress_begin("updates", updates);
	for (done = 0; !ret && done < updates; done += count, jobs++) {
		count = updates - done < HALF ? updates - done : HALF;
		if (jobs >= HALVES)
			ret = gups_finish(gups, jobs % HALVES);
		if (ret)
			return ret;
		progress_done(done);
		gups_generate(gups, jobs % HALVES, count);
		ret = gups_submit(gups, jobs % HALVES, count);
	}
	for (done = jobs > HALVES ? jobs - HALVES : 0; !ret && done < jobs; done++)
		ret = gups_finish(gups, done % HALVES);
	progress_end();
	return ret;
}

/*
 * The benchmark's verification: repeats the whole sequence with one generator; each word must then
 * have its first value.
 */
static uint64_t gups_verify(struct gups *gups, uint64_t updates)
{
	uint64_t *table = gups->table.memory;
	uint64_t ran = 1, wrong = 0, i;

	for (i = 0; i < updates; i++) {
		ran = gups_step(ran);
		table[ran & (gups->words - 1)] ^= ran;
	}
	for (i = 0; i < gups->words; i++) {
		if (table[i] == i)
			continue;
		if (!wrong++)
			fprintf(stderr, "gups: word %" PRIu64 " is 0x%" PRIx64 " after all\n", i,
				table[i]);
	}
	return wrong;
}

static double gups_updates_per_clock(const struct gups *gups, const struct options *options)
{
	return gups->cycles ? (double)options->updates / (double)gups->cycles : 0;
}

static void gups_print_json(const struct gups *gups, const struct options *options, uint64_t errors)
{
	double rate = gups_updates_per_clock(gups, options);

	printf("{\"words\": %" PRIu64 ", \"updates\": %" PRIu64 ", \"warps\": %" PRIu64 ", ",
	       gups->words, options->updates, gups->warps);
	clock_print_json(gups->machine.unit, gups->cycles);
	if (!strcmp(gups->machine.unit, "cycles"))
		printf(", \"updates_per_clock\": %.3f, \"mhz\": %g, \"mups\": %.1f", rate,
		       options->megahertz, rate * options->megahertz);
	printf(", \"errors\": %" PRIu64 ", \"check\": %s}\n", errors, errors ? "false" : "true");
}

static void gups_print_text(const struct gups *gups, const struct options *options, uint64_t errors)
{
	double rate = gups_updates_per_clock(gups, options);

	printf("table of 2^%u words (%" PRIu64 " KiB), %" PRIu64 " updates in %" PRIu64 " warps\n",
	       options->log2, gups->words / 128, options->updates, gups->warps);
	if (!strcmp(gups->machine.unit, "cycles"))
		printf("%" PRIu64 " cycles, %.3f updates per clock, %.1f MUPS at %g MHz\n",
		       gups->cycles, rate, rate * options->megahertz, options->megahertz);
	else
		printf("%" PRIu64 " steps (the C model has no clock)\n", gups->cycles);
	printf("verification %s: %" PRIu64 " errors in %" PRIu64 " words\n",
	       errors ? "FAILED" : "passed", errors, gups->words);
}

static int gups_report(struct gups *gups, const struct options *options)
{
	uint64_t errors = gups_verify(gups, options->updates);

	if (options->json)
		gups_print_json(gups, options, errors);
	else
		gups_print_text(gups, options, errors);
	return errors ? 1 : 0;
}

static int gups_run(struct faa_device *device, const struct options *options)
{
	struct gups gups = { 0 };
	int ret;

	ret = gups_open(&gups, device, options);
	if (!ret)
		ret = gups_update(&gups, options->updates);
	ret = ret ? 1 : gups_report(&gups, options);
	machine_close(&gups.machine);
	return ret;
}

const char *argp_program_version = "gups " FAA_VERSION_TEXT;

static error_t gups_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 'n':
		options->log2 = tool_number("log2", arg, 7, 26);
		return 0;
	case 'u':
		options->updates = tool_number("updates", arg, GUPS_GENERATORS, 1ull << 32);
		if (options->updates % GUPS_GENERATORS)
			argp_error(state, "--updates=%s: a multiple of %d, please, the generators",
				   arg, GUPS_GENERATORS);
		return 0;
	case 'c':
		options->megahertz = tool_number("clock", arg, 1, 10000);
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument is needed, but '%s' was given", arg);
		return EINVAL;
	case ARGP_KEY_END:
		if (!options->updates)
			options->updates = 4ull << options->log2;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option gups_argp_options[] = {
	{ "log2", 'n', "N", 0, "The table has 2^N words, N from 7 to 26 (default 14)", 0 },
	{ "updates", 'u', "COUNT", 0, "Updates, a multiple of 128 (default 4 times the words)", 0 },
	{ "clock", 'c', "MHZ", 0, "Clock for which MUPS are told, MHz (default 250)", 0 },
	TOOL_JSON_OPTION("counts and rates"),
	{ 0 },
};

static const struct argp gups_argp = {
	.options = gups_argp_options,
	.parser = gups_parse,
	.children = faa_program_children,
	.doc = "RandomAccess of the HPC Challenge on the faa device: random XOR updates of a table of "
	       "64-bit words, verified.\v"
	       "Exit status: 0 if no word is wrong, 1 if one is or if something failed.",
};

int main(int argc, char **argv)
{
	struct options options = { .log2 = 14, .megahertz = 250 };
	struct faa_program program = { argc, argv, NULL };
	struct faa_device *device;
	int ret;

	tool_parse(&gups_argp, argc, argv, &options);
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	ret = gups_run(device, &options);
	faa_device_unref(device);
	return ret;
}
