// SPDX-License-Identifier: MIT
/* faa-bench: cycles of the device, checked and compared with their limits. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "faa_regs.h"
#include "faa_tables.h"
#include "global.h"
#include "order.h"
#include "progress.h"
#include "tool.h"

#define NAME_BYTES    64
#define DEFAULT_WARPS 4096
#define MAX_WARPS     65535

struct options {
	const struct faa_engine_ops *engine;
	struct bench_build build;
	uint32_t latency;
	uint32_t warps;
	enum bench_inject inject;
	bool list;
	bool json;
	bool here;
	bool no_head;
	char **names;
	int name_count;
};

/* The benchmark NAME, or one below it where NAME is not itself a benchmark. */
static bool selects(const char *pattern, const char *name, bool exact)
{
	size_t n = strlen(pattern);

	if (exact)
		return !strcmp(pattern, name);
	while (n && pattern[n - 1] == '/')
		n--;
	return !strncmp(pattern, name, n) && name[n] == '/';
}

/*
 * One benchmark: a form of one of ATOMS, or one of ATOM, SUATOM, LD or ST, of order, or of scaling.
 */
struct entry {
	const char *name;
	const struct bench *bench;
	enum bench_result form;
	const struct global_bench *global;
	const struct order_bench *order;
	const struct scaling_bench *scaling;
};

typedef bool visit_fn(void *context, const struct entry *entry);

/* Calls @visit for every benchmark; returns how many calls returned true. */
static unsigned int for_each(visit_fn *visit, void *context)
{
	unsigned int i, form, count = 0;
	char name[NAME_BYTES];

	for (i = 0; i < bench_count; i++)
		for (form = 0; form < BENCH_RESULTS; form++) {
			struct entry entry = { .name = name,
					       .bench = &bench_table[i],
					       .form = form };

			if (!(bench_table[i].forms >> form & 1))
				continue;
			bench_name(&bench_table[i], form, name, sizeof(name));
			count += visit(context, &entry);
		}
	for (i = 0; i < global_count; i++) {
		struct entry entry = { .name = global_table[i].name, .global = &global_table[i] };

		count += visit(context, &entry);
	}
	for (i = 0; i < order_count; i++) {
		struct entry entry = { .name = order_table[i].name, .order = &order_table[i] };

		count += visit(context, &entry);
	}
	for (i = 0; i < scaling_count; i++) {
		struct entry entry = { .name = scaling_table[i].name,
				       .scaling = &scaling_table[i] };

		count += visit(context, &entry);
	}
	return count;
}

static bool has_name(void *context, const struct entry *entry)
{
	return selects(context, entry->name, true);
}

static bool is_below(void *context, const struct entry *entry)
{
	return selects(context, entry->name, false);
}

static bool chosen(const struct options *options, const char *name)
{
	int i;

	for (i = 0; i < options->name_count; i++)
		if (selects(options->names[i], name, for_each(has_name, options->names[i]) != 0))
			return true;
	return !options->name_count;
}

static bool print_name(void *context, const struct entry *entry)
{
	const struct options *options = context;

	if (!chosen(options, entry->name))
		return false;
	printf("%s\n", entry->name);
	return true;
}

static bool is_chosen(void *context, const struct entry *entry)
{
	return chosen(context, entry->name);
}

static uint32_t warps_of(const struct options *options, const struct bench *bench)
{
	uint32_t warps = options->warps / (bench->fewer ? bench->fewer : 1);

	return (warps ? warps : 1) + bench_start_warps(bench);
}

static void make_report(const struct bench *bench, enum bench_result form,
			const struct bench_stream *stream, const struct bench_run *run,
			struct bench_report *report)
{
	uint32_t adder = (run->build.shared_unit & FAA_REG_SHARED_UNIT_ADDER_MASK) >>
			 FAA_REG_SHARED_UNIT_ADDER_SHIFT;
	uint32_t scale = bench->per_adder ? adder : 1;

	report->unit = "cycles/warp";
	report->start = run->start.value[FAA_COUNTER_CYCLES];
	report->cycles = run->command.value[FAA_COUNTER_CYCLES] - report->start;
	report->warps = stream->warps - bench_start_warps(bench);
	report->value = (double)report->cycles / (double)report->warps;
	report->roofline = bench_roofline(bench, form, stream, &run->build, report->start);
	report->ceiling = form == BENCH_MEMORY ? 0 : bench->ceiling * scale;
	report->aim = form == BENCH_MEMORY ? 0 : bench->aim * scale;
	report->counters = run->command;
}

static struct bench_engine engine_of(const struct options *options)
{
	return (struct bench_engine){ .ops = options->engine,
				      .latency = options->latency ? options->latency : 20,
				      .outstanding = 256,
				      .inject = options->inject };
}

/* The model with the features of build @build. */
static struct bench_engine model_of(const struct bench_engine *engine,
				    const struct bench_build *build)
{
	return (struct bench_engine){ .ops = &faa_engine_model,
				      .build = build,
				      .latency = engine->latency,
				      .outstanding = engine->outstanding };
}

/*
 * Runs the stream on the model, too: memory, register and counters, or all old values if @form is
 * BENCH_MEMORY.
 */
static int check(const struct bench_engine *engine, const struct bench *bench,
		 enum bench_result form, const struct bench_stream *stream, const char *name,
		 const struct bench_run *run)
{
	struct bench_engine reference = model_of(engine, &run->build);
	static struct bench_run model;
	int ret = bench_execute(&reference, bench, form, stream, &model);

	if (!ret && !bench_compare(name, bench, run, &model))
		ret = -1;
	bench_run_free(&model);
	return ret;
}

/* Runs one form and checks it; with results to memory, every old value. */
static int measure(const struct options *options, const struct entry *entry,
		   const struct bench_stream *stream, struct bench_report *report)
{
	struct bench_engine engine = engine_of(options);
	static struct bench_run run;
	int ret = bench_execute(&engine, entry->bench, entry->form, stream, &run);

	if (!ret) {
		make_report(entry->bench, entry->form, stream, &run, report);
		ret = check(&engine, entry->bench, entry->form, stream, entry->name, &run);
	}
	bench_run_free(&run);
	if (ret || entry->form != BENCH_REGISTER)
		return ret;
	ret = bench_execute(&engine, entry->bench, BENCH_MEMORY, stream, &run);
	if (!ret)
		ret = check(&engine, entry->bench, BENCH_MEMORY, stream, entry->name, &run);
	bench_run_free(&run);
	return ret;
}

static int run_atoms(const struct options *options, const struct entry *entry,
		     struct bench_report *report)
{
	struct bench_stream stream;
	int ret = bench_stream_create(entry->bench, warps_of(options, entry->bench), &stream);

	if (!ret)
		ret = measure(options, entry, &stream, report);
	bench_stream_destroy(&stream);
	return ret;
}

/* ---- ATOM ---- */

/* One execution and its check; reports the figures, unless @report is NULL. */
static int measure_global(const struct bench_engine *engine, const struct global_bench *bench,
			  const struct global_stream *stream, bool to_memory,
			  struct bench_report *report)
{
	struct global_run run, model = { .table = NULL };
	int ret = global_execute(engine, bench, stream, to_memory, &run);

	if (!ret && report)
		global_report(bench, stream, engine, &run, report);
	if (!ret) {
		struct bench_engine reference = model_of(engine, &run.build);

		ret = global_execute(&reference, bench, stream, to_memory, &model);
	}
	if (!ret &&
	    (!global_compare(bench, stream, &run, &model) || !global_verify(bench, stream, &run)))
		ret = -1;
	global_run_free(&model);
	global_run_free(&run);
	return ret;
}

/* SUATOM's cycles as a multiple of those of ATOM on the same items. */
static int compare_with_atom(const struct bench_engine *engine, const struct global_bench *bench,
			     const struct global_stream *stream, struct bench_report *report)
{
	struct bench_report atom = { .name = bench->name };
	struct global_bench flat = *bench;
	double cycles;
	int ret;

	flat.surface = NULL;
	ret = measure_global(engine, &flat, stream, false, &atom);
	cycles = (double)(atom.cycles ? atom.cycles : 1);
	report->value = (double)report->cycles / cycles;
	/* ATOM sets no limit: it may find its lines in another order. The roofline bounds both. */
	report->roofline.limit = report->roofline.limit * (double)report->warps / cycles;
	return ret;
}

static int run_global(const struct options *options, const struct entry *entry,
		      struct bench_report *report)
{
	struct bench_engine engine = engine_of(options);
	const struct global_bench *bench = entry->global;
	bool usual = options->warps == DEFAULT_WARPS && bench->elements;
	struct global_stream stream;
	int ret;

	if (!options->latency)
		engine.latency = GLOBAL_LATENCY;
	engine.outstanding = GLOBAL_OUTSTANDING;
	ret = global_stream_create(bench, usual ? bench->elements : options->warps * FAA_LANES,
				   &stream);
	if (!ret)
		ret = measure_global(&engine, bench, &stream, false, report);
	if (!ret && bench->returns)
		ret = measure_global(&engine, bench, &stream, true, NULL);
	if (!ret && bench->figure == GLOBAL_OF_ATOM)
		ret = compare_with_atom(&engine, bench, &stream, report);
	global_stream_destroy(&stream);
	return ret;
}

/* Names of enum bench_inject. */
static const char *const inject_names[] = { "nothing", "shared", "table", "register", "values" };

/* Why the device lacks features that benchmarks of order and scaling need, or NULL. */
static const char *needs_missing(const struct entry *entry, const struct bench_build *build,
				 char *buffer, size_t size)
{
	bool sys = entry->order && entry->order->scope == FAA_SCOPE_SYS;
	uint32_t lacks = (1u << FAA_FEATURE_GLOBAL_ATOMICS | sys << FAA_FEATURE_SYS_ATOMICS) &
			 ~build->features;

	if (lacks)
		snprintf(buffer, size, "not in this build, which lacks %s",
			 faa_feature_names[__builtin_ctz(lacks)]);
	return lacks ? buffer : NULL;
}

/* Why the device cannot run the benchmark, or NULL. */
static const char *missing(const struct options *options, const struct entry *entry, char *buffer,
			   size_t size)
{
	const char *feature;

	if (entry->global)
		return global_missing(entry->global, &options->build, buffer, size);
	if (entry->order || entry->scaling)
		return needs_missing(entry, &options->build, buffer, size);
	feature = bench_missing(entry->bench, &options->build);
	if (!feature)
		return NULL;
	snprintf(buffer, size, "not in this build, which lacks %s", feature);
	return buffer;
}

/* Runs the benchmark with the same options in the program of its device. */
static bool run_elsewhere(const struct options *options, const char *device, const char *name)
{
	char why[256], warps[32], latency[32], inject[32], benchmark[NAME_BYTES];
	char no_head[] = "--no-head", json[] = "--json";
	char *arguments[] = { no_head, warps, inject, benchmark, NULL, NULL, NULL };
	unsigned int n = 4;

	if (devices_missing(device, why, sizeof(why))) {
		fprintf(stderr, "faa-bench: %s is left out: %s\n", name, why);
		return false;
	}
	snprintf(warps, sizeof(warps), "--warps=%u", options->warps);
	snprintf(inject, sizeof(inject), "--inject=%s", inject_names[options->inject]);
	snprintf(benchmark, sizeof(benchmark), "%s", name);
	snprintf(latency, sizeof(latency), "--latency=%u", options->latency);
	if (options->latency)
		arguments[n++] = latency;
	if (options->json)
		arguments[n++] = json;
	return devices_run(device, arguments) != 0;
}

/*
 * The device whose program runs it, NULL for this program. The C model is the same in all programs.
 */
static const char *elsewhere(const struct options *options, const struct entry *entry)
{
	const char *device = entry->global ? entry->global->device : NULL;

	if (options->here || options->engine == &faa_engine_model || devices_here(device))
		return NULL;
	return device;
}

static int run_entry(const struct options *options, const struct entry *entry,
		     struct bench_report *report)
{
	struct bench_engine engine = engine_of(options);

	if (entry->order)
		return order_measure(&engine, entry->order, report);
	if (entry->scaling)
		return scaling_measure(&engine, entry->scaling, report);
	return entry->global ? run_global(options, entry, report) :
			       run_atoms(options, entry, report);
}

/* The model has no build. */
static const char *build_name(const struct options *options)
{
	return options->engine == &faa_engine_model ? NULL : devices_name();
}

static bool run_one(const struct options *options, const struct entry *entry)
{
	struct bench_report report = { .name = entry->name,
				       .engine = options->engine->name,
				       .build = build_name(options) };
	char why[128];
	int ret;

	if (elsewhere(options, entry))
		progress_hide();
	if (elsewhere(options, entry))
		return run_elsewhere(options, elsewhere(options, entry), entry->name);
	if (missing(options, entry, why, sizeof(why))) {
		progress_hide();
		fprintf(stderr, "faa-bench: %s is left out: %s\n", entry->name, why);
		return false;
	}
	ret = run_entry(options, entry, &report);
	progress_hide();
	if (!ret && bench_beats_limit(&report)) {
		fprintf(stderr,
			"faa-bench: %s: %.4f is better than its limit %.4f (%s): the limit is wrong\n",
			entry->name, report.value, report.roofline.limit, report.roofline.bound_by);
		ret = -1;
	}
	if (ret)
		fprintf(stderr, "faa-bench: %s FAILED\n", entry->name);
	else if (options->json)
		bench_print_json(&report);
	else
		bench_print_row(&report);
	return ret != 0;
}

static bool run_chosen(void *context, const struct entry *entry)
{
	bool failed;

	if (!chosen(context, entry->name))
		return false;
	failed = run_one(context, entry);
	progress_add(1);
	return failed;
}

static uint32_t number(struct argp_state *state, const char *name, const char *arg, uint32_t max)
{
	char *end;
	unsigned long value = strtoul(arg, &end, 0);

	if (end == arg || *end || arg[0] == '-' || value < 1 || value > max)
		argp_error(state, "--%s takes a number from 1 to %u, not '%s'", name, max, arg);
	return (uint32_t)value;
}

static enum bench_inject injection(struct argp_state *state, const char *arg)
{
	unsigned int i;

	for (i = BENCH_INJECT_NOTHING; i <= BENCH_INJECT_VALUES; i++)
		if (!strcmp(arg, inject_names[i]))
			return i;
	argp_error(state, "--inject=%s: allowed are nothing, shared, table, register and values",
		   arg);
	return BENCH_INJECT_NOTHING;
}

static void check_name(struct argp_state *state, char *name)
{
	if (!for_each(has_name, name) && !for_each(is_below, name))
		argp_error(state, "there is no benchmark '%s'; --list names all", name);
}

#define KEY_HERE 256

const char *argp_program_version = "faa-bench " FAA_VERSION_TEXT;

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	int i;

	switch (key) {
	case 'e':
		options->engine = tb_engine(arg);
		if (!options->engine)
			argp_error(state, "--engine=%s: allowed are rtl and model", arg);
		return 0;
	case 'l':
		options->latency = number(state, "latency", arg, 4096);
		return 0;
	case 'w':
		options->warps = number(state, "warps", arg, MAX_WARPS);
		return 0;
	case 'i':
		options->inject = injection(state, arg);
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case 'L':
		options->list = true;
		return 0;
	case KEY_HERE:
		options->here = true;
		return 0;
	case 'n':
		options->no_head = true;
		return 0;
	case ARGP_KEY_ARGS:
		options->names = state->argv + state->next;
		options->name_count = state->argc - state->next;
		for (i = 0; i < options->name_count; i++)
			check_name(state, options->names[i]);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{ "engine", 'e', "rtl|model", 0,
	  "Engine (default rtl: the verilated hardware); the C model has no clock", 0 },
	{ "latency", 'l', "CYCLES", 0, "Latency of the memory, 1..4096 (default 20, of ATOM 100)",
	  0 },
	{ "warps", 'w', "N", 0,
	  "Warps of a command, 1..65535 (default 4096); slow benchmarks take fewer", 0 },
	{ "inject", 'i', "nothing|shared|table|register|values", 0,
	  "Falsify one bit of what the device computed, to see the check fail", 0 },
	{ "json", 'j', NULL, 0, "Print one JSON object a line", 0 },
	{ "here", KEY_HERE, NULL, 0,
	  "On this program's device also what is measured on another one", 0 },
	{ "no-head", 'n', NULL, 0, "Print no head above the table", 0 },
	{ "list", 'L', NULL, 0, "Print the names and do nothing else", 0 },
	{ 0 },
};

static const struct argp argp = {
	.options = argp_options,
	.parser = parse,
	.children = tool_children,
	.args_doc = "[NAME...]",
	.doc = "Cycles per warp of the device, without NAME all of them. NAME is a benchmark, or the "
	       "beginning of several names up to a '/'.\v"
	       "atoms/: old values go to a register; \"/red\": nowhere; \"/to-memory\": to memory. global/: ATOM, suatom/: SUATOM, ldst/: LD and ST, on "
	       "devices that have it; order/: what a fence or order adds; scaling/: two streams side by side; figures in the unit of the last column. Figures are those of "
	       "the build in the first line. Some are measured on a device with a "
	       "memory port of another width, or with several ports to the L2, by the program faa-bench-DEVICE, which "
	       "has to be built; faa-bench-small and faa-bench-artix have the other builds. The limit is what the resource in "
	       "the last column allows. Memory, register, counters and every old value are compared with the C "
	       "model.\n\n"
	       "Exit status: 0; 1 if a result is wrong or a benchmark could not run; 2 if the command line makes no sense.",
};

int main(int argc, char **argv)
{
	struct options options = { .engine = tb_engine("rtl"), .warps = DEFAULT_WARPS };
	int ret;

	tool_parse(&argp, argc, argv, &options);
	if (options.list)
		return for_each(print_name, &options) ? 0 : 1;
	if (!options.engine) {
		fprintf(stderr,
			"faa-bench: this build has no RTL engine; --engine=model is there\n");
		return 1;
	}
	options.build = bench_probe(options.engine);
	if (!options.json && !options.no_head)
		bench_print_head(options.engine->name, build_name(&options));
	progress_begin("benchmarks", for_each(is_chosen, &options));
	ret = for_each(run_chosen, &options) ? 1 : 0;
	progress_end();
	return ret;
}
