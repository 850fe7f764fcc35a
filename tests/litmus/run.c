// SPDX-License-Identifier: MIT
/* The command that runs litmus tests on a device, and its output. */
#include "run.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_program.h"
#include "litmus.h"
#include "progress.h"
#include "tool.h"

const char *argp_program_version = "faa-litmus " FAA_VERSION_TEXT;

enum option_key {
	KEY_RUNS = 'n',
	KEY_SEED = 's',
	KEY_VERBOSE = 'v',
	KEY_JSON = 'j',
	KEY_SKIP = 256,
	KEY_REPORT,
	KEY_INJECT,
	KEY_STOP,
};

static const struct argp_option option_list[] = {
	{ "runs", KEY_RUNS, "N", 0, "runs of each test, 1..100000000 (default 1000)", 1 },
	{ "seed", KEY_SEED, "N", 0, "seed of the random choices (default 1)", 1 },
	{ "skip", KEY_SKIP, 0, 0, "a test for which the device is too small is no failure", 1 },
	{ "report", KEY_REPORT, 0, 0, "list the allowed outcomes that never occurred at the end",
	  1 },
	{ "stop", KEY_STOP, 0, 0, "end a test at its first illegal outcome", 1 },
	{ "json", KEY_JSON, 0, 0, "print one JSON object a test, with every allowed outcome", 1 },
	{ "verbose", KEY_VERBOSE, 0, 0, "print every outcome with the number of its occurrences",
	  1 },
	{ "inject", KEY_INJECT, "outcome|order", 0,
	  "make an error on purpose, which must be detected: read a wrong value, or omit orders and fences",
	  1 },
	{ 0 },
};

static const char doc[] =
	"Run litmus tests of the memory model on the device: every outcome must be one that the model and the table of the file "
	"allow. A FILE has the format of this project (.lit) or of herd7 (LISA).\v"
	"check compares the tables of files with the model, without a device.\n"
	"table prints files with the model's table.\n"
	"export prints files in herd7's language LISA, or with --directory=DIR writes a file NAME.litmus for each.\n"
	"defects lists the wrong models that the tables detect.\n\n"
	"FAA_VDEV names the program of the simulated device, FAA_RUN_OPTS and FAA_VDEV_OPTS have options for faa-run and the device, "
	"like --latency=200 for its memory.";

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case KEY_RUNS:
		options->runs = tool_number("runs", arg, 1, 100000000);
		return 0;
	case KEY_SEED:
		options->seed = tool_number("seed", arg, 0, UINT64_MAX);
		return 0;
	case KEY_SKIP:
		options->skip = true;
		return 0;
	case KEY_REPORT:
		options->report = true;
		return 0;
	case KEY_INJECT:
		if (strcmp(arg, "outcome") && strcmp(arg, "order"))
			argp_error(state, "--inject takes outcome or order, not '%s'", arg);
		options->inject = strcmp(arg, "order") ? RUN_FAULT_OUTCOME : RUN_FAULT_ORDER;
		return 0;
	case KEY_STOP:
		options->stop = true;
		return 0;
	case KEY_JSON:
		options->json = true;
		return 0;
	case KEY_VERBOSE:
		options->verbose = true;
		return 0;
	case ARGP_KEY_ARGS:
		options->paths = state->argv + state->next;
		options->path_count = state->argc - state->next;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "FILE ... are needed");
		return 0;
	case ARGP_KEY_END:
		if (options->json && (options->verbose || options->report))
			argp_error(state, "--json prints all that --verbose and --report do");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Results of a test, kept for the list of outcomes that never occurred. */
struct finished {
	struct lit_test test;
	struct run_result result;
};

enum verdict {
	PASSED,
	FAILED,
	SKIPPED,
};

static void print_outcomes(const struct finished *f, bool seen)
{
	char text[512];
	size_t i;

	for (i = 0; i < f->result.allowed.count; i++) {
		if (!f->result.seen[i] == seen)
			continue;
		lit_format(&f->test, f->result.allowed.rows + i * f->test.column_count, text,
			   sizeof(text));
		if (seen)
			printf("  %8u  %s\n", f->result.seen[i], text);
		else
			printf("  %s: %s%s\n", f->test.name, text,
			       lit_asked(&f->test,
					 f->result.allowed.rows + i * f->test.column_count) ?
				       "  (asked about)" :
				       "");
	}
}

static size_t count_seen(const struct run_result *result)
{
	size_t count = 0, i;

	for (i = 0; i < result->allowed.count; i++)
		count += result->seen[i] > 0;
	return count;
}

/* Prints a test that was run as a JSON object in a line, with every allowed outcome. */
static void print_json(const struct finished *f)
{
	const struct run_result *result = &f->result;
	char text[512];
	size_t i;

	printf("{\"test\": ");
	tool_print_json_string(f->test.name);
	printf(", \"verdict\": \"%s\", \"runs\": %u, \"illegal\": %u, \"outcomes\": [",
	       result->illegal ? "failed" : "passed", result->runs, result->illegal);
	for (i = 0; i < result->allowed.count; i++) {
		lit_format(&f->test, result->allowed.rows + i * f->test.column_count, text,
			   sizeof(text));
		printf("%s{\"outcome\": ", i ? ", " : "");
		tool_print_json_string(text);
		printf(", \"seen\": %u}", result->seen[i]);
	}
	printf("]");
	if (result->illegal) {
		lit_format(&f->test, result->first_illegal, text, sizeof(text));
		printf(", \"first_illegal\": ");
		tool_print_json_string(text);
	}
	printf("}\n");
}

/* A test that was not run. */
static enum verdict not_run(const struct run_options *options, const char *name,
			    enum verdict verdict, const char *why)
{
	progress_hide();
	if (!options->json) {
		printf("%s %s: %s\n", verdict == SKIPPED ? "skip" : "not ok", name, why);
		return verdict;
	}
	printf("{\"test\": ");
	tool_print_json_string(name);
	printf(", \"verdict\": \"%s\", \"why\": ", verdict == SKIPPED ? "skipped" : "failed");
	tool_print_json_string(why);
	printf("}\n");
	return verdict;
}

static void print_result(const struct finished *f, const struct run_options *options)
{
	const struct run_result *result = &f->result;
	char text[512];

	progress_hide();
	if (options->json) {
		print_json(f);
		return;
	}
	printf("%s %s: %u runs, illegal %u, seen %zu of %zu allowed\n",
	       result->illegal ? "not ok" : "ok", f->test.name, result->runs, result->illegal,
	       count_seen(result), result->allowed.count);
	if (options->verbose)
		print_outcomes(f, true);
	if (!result->illegal)
		return;
	lit_format(&f->test, result->first_illegal, text, sizeof(text));
	printf("  illegal: %s\n", text);
}

/* Seeds of tests are different, and do not depend on the tests before. */
static uint64_t seed_of(const struct run_options *options, const char *name)
{
	uint64_t hash = 0xcbf29ce484222325ull ^ options->seed;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 0x100000001b3ull;
	return hash ? hash : 1;
}

static int run_batches(struct run_machine *machine, const struct run_options *options,
		       struct finished *f)
{
	struct run_random random = { seed_of(options, f->test.name) };
	struct run_batch *batch = malloc(sizeof(*batch));
	unsigned int before;
	int ret = batch ? 0 : -ENOMEM;

	while (!ret && f->result.runs < options->runs && !(options->stop && f->result.illegal)) {
		run_plan(&f->test, &random, options->runs - f->result.runs, batch);
		before = f->result.runs;
		ret = run_machine_batch(machine, &f->test, batch, options->inject, &f->result);
		progress_add(f->result.runs - before);
	}
	free(batch);
	return ret;
}

static enum verdict run_test(struct run_machine *machine, const struct run_options *options,
			     const char *path, struct finished *f)
{
	char why[128];
	int ret = lit_read(path, &f->test);

	if (!ret)
		ret = model_outcomes(&f->test, MODEL_CORRECT, &f->result.allowed);
	if (!ret)
		f->result.seen = calloc(f->result.allowed.count + 1, sizeof(*f->result.seen));
	if (!ret && !f->result.seen)
		ret = -ENOMEM;
	if (ret)
		return not_run(options, path, FAILED, strerror(-ret));
	if (run_machine_lacks(machine, &f->test, why, sizeof(why)))
		return not_run(options, f->test.name, options->skip ? SKIPPED : FAILED, why);
	ret = run_batches(machine, options, f);
	if (ret)
		return not_run(options, f->test.name, FAILED, strerror(-ret));
	print_result(f, options);
	return f->result.illegal ? FAILED : PASSED;
}

static void print_report(const struct finished *all, unsigned int count)
{
	size_t never = 0, allowed = 0;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!all[i].result.runs)
			continue;
		allowed += all[i].result.allowed.count;
		never += all[i].result.allowed.count - count_seen(&all[i].result);
	}
	printf("allowed, but never seen: %zu of %zu outcomes\n", never, allowed);
	for (i = 0; i < count; i++)
		if (all[i].result.runs)
			print_outcomes(&all[i], false);
}

static int run_all(struct run_machine *machine, const struct run_options *options)
{
	struct finished *all = calloc(options->path_count, sizeof(*all));
	unsigned int counts[3] = { 0 }, i;

	progress_begin("runs", (uint64_t)options->path_count * options->runs);
	for (i = 0; all && i < options->path_count; i++) {
		progress_done((uint64_t)i * options->runs);
		counts[run_test(machine, options, options->paths[i], &all[i])]++;
		fflush(stdout);
	}
	progress_end();
	if (all && options->report)
		print_report(all, options->path_count);
	for (i = 0; all && i < options->path_count; i++) {
		free(all[i].result.seen);
		free(all[i].result.allowed.rows);
		lit_free(&all[i].test);
	}
	free(all);
	if (counts[SKIPPED] && !options->json)
		printf("%u skipped\n", counts[SKIPPED]);
	if (!options->json)
		printf("%u passed, %u failed\n", counts[PASSED], counts[FAILED]);
	return counts[FAILED] || !counts[PASSED];
}

int litmus_run(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_list,
		.parser = parse,
		.args_doc = "FILE...\ncheck [--verbose] FILE...\ntable FILE...\n"
			    "export [--directory=DIR] FILE...\ndefects FILE...",
		.doc = doc,
		.children = faa_program_children
	};
	struct run_options options = { .runs = 1000, .seed = 1 };
	struct faa_program program = { .argc = argc, .argv = argv };
	struct run_machine *machine = NULL;
	struct faa_device *device;
	int ret;

	tool_parse(&argp, argc, argv, &options);
	program.engine = options.engine;
	if (run_choose_device(&options))
		return 1;
	if (faa_program_device(&program, &device))
		return 1;
	ret = run_machine_open(device, &machine);
	if (!ret)
		ret = run_all(machine, &options);
	run_machine_close(machine);
	faa_device_unref(device);
	return !!ret;
}
