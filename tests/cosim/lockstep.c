// SPDX-License-Identifier: MIT
/*
 * faa-lockstep: random cases on the C model and on another engine.
 *
 * Ends with status 0 when enough warps were the same, 1 at the first case that differs (made
 * smaller and written to a file), 2 on a usage error.
 */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "faa_tables.h"

#include "lockstep.h"
#include "tb_waves.h"

#define DEFAULT_WARPS	 10000
#define PROGRESS_SECONDS 10

/* struct options - the command line */
struct options {
	uint64_t seed;
	uint64_t warps;
	const struct faa_engine_ops *engine;
	unsigned int cus;
	const char *replay;
	const char *output;
	bool shrink;
	bool inject;
	bool surfaces;
	/* Argument of --waves, or NULL. */
	char *waves;
	/*
	 * Most queues of a case. The evictors at the end of a run take one more for each compute
	 * unit.
	 */
	unsigned int queues;
};

static void usage(FILE *file)
{
	fprintf(file,
		"faa-lockstep [OPTIONS]: the same random streams on the C model and on another engine\n"
		"  --seed=N       first case (default: from the clock)\n"
		"  --warps=N      stop after so many warps (default %d)\n"
		"  --engine=NAME  the other engine, rtl or model (default: rtl if this program has it)\n"
		"  --cus=N        compute units of the model (default 2)\n"
		"  --replay=FILE  run the case in FILE instead of random ones\n"
		"  --output=FILE  file for a differing case (default lockstep-SEED.case)\n"
		"  --no-shrink    write it as it is\n"
		"  --inject       falsify results of the other engine, which must be detected\n"
		"  --surfaces     most vector commands are SUATOM, if both engines have it\n"
		"  --waves=FILE[,from=CYCLE][,to=CYCLE][,cycles=N]\n"
		"                 one case, of --seed or --replay, and its waveform; without numbers\n"
		"                 of the last 10000 cycles\n",
		DEFAULT_WARPS);
}

static bool parse(int argc, char **argv, struct options *o)
{
	static const struct option names[] = {
		{ "seed", 1, NULL, 's' },      { "warps", 1, NULL, 'w' },
		{ "engine", 1, NULL, 'e' },    { "cus", 1, NULL, 'c' },
		{ "replay", 1, NULL, 'r' },    { "output", 1, NULL, 'o' },
		{ "no-shrink", 0, NULL, 'n' }, { "inject", 0, NULL, 'i' },
		{ "surfaces", 0, NULL, 'f' },  { "waves", 1, NULL, 'v' },
		{ "help", 0, NULL, 'h' },      { NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (c) {
		case 's':
			o->seed = strtoull(optarg, NULL, 0);
			break;
		case 'w':
			o->warps = strtoull(optarg, NULL, 0);
			break;
		case 'e':
			o->engine = tb_engine(optarg);
			if (!o->engine)
				tb_die("engine %s is not in this program", optarg);
			break;
		case 'c':
			o->cus = strtoul(optarg, NULL, 0);
			break;
		case 'r':
			o->replay = optarg;
			break;
		case 'o':
			o->output = optarg;
			break;
		case 'n':
			o->shrink = false;
			break;
		case 'i':
			o->inject = true;
			break;
		case 'f':
			o->surfaces = true;
			break;
		case 'v':
			o->waves = optarg;
			break;
		case 'h':
			usage(stdout);
			exit(0);
		default:
			return false;
		}
	}
	return optind == argc && o->cus >= 1 && o->cus <= FAA_MAX_CUS;
}

/* Memory of an RTL engine: mostly fast, so that many warps run, with every kind of delay. */
static struct faa_mem_config memory(uint64_t seed)
{
	static const uint8_t latencies[] = { 1, 2, 3, 5, 10, 40 };
	static const uint8_t jitters[] = { 0, 0, 3, 20 };
	static const uint8_t outstanding[] = { 32, 8, 4, 2 };
	static const uint8_t stalls[] = { 0, 0, 20, 200 };
	uint64_t random = seed * 3;
	struct faa_mem_config mem = { .seed = seed };

	mem.latency = latencies[ls_random(&random) % 6];
	mem.jitter = jitters[ls_random(&random) % 4];
	mem.outstanding = outstanding[ls_random(&random) % 4];
	mem.stall = stalls[ls_random(&random) % 4];
	return mem;
}

static void set_sides(struct ls_side sides[2], const struct options *o, uint64_t seed,
		      const struct faa_model_params *build)
{
	static const uint32_t widths[] = { 32, 16, 8, 4 };
	struct faa_model_params model = *build;

	memset(sides, 0, 2 * sizeof(sides[0]));
	sides[0].engine = &faa_engine_model;
	sides[1].engine = o->engine;
	for (unsigned int i = 0; i < 2; i++) {
		sides[i].model = model;
		sides[i].mem = memory(seed + i);
	}
	/*
	 * Two models with the same width and number of slots, but different numbers of CUs and
	 * seeds.
	 */
	if (o->engine == &faa_engine_model) {
		sides[1].model.num_cus = seed % FAA_MAX_CUS + 1;
		for (unsigned int i = 0; i < 2; i++) {
			sides[i].model.shared_unit = widths[seed % 4];
			sides[i].model.warp_slots = seed % FAA_MAX_SLOTS + 1;
		}
	}
	sides[1].inject = o->inject;
}

/*
 * Parameters of a model that equals the other engine's build; sets the queues that a case may use.
 */
static struct faa_model_params build_of(struct options *o)
{
	struct tb_config config = { .engine = o->engine, .mem = tb_mem_default(0) };
	struct tb_host *host = tb_host_create(&config);
	struct faa_model_params build = { .num_cus = o->cus,
					  .num_queues = FAA_MAX_QUEUES,
					  .shared_max = host->shared_max,
					  .features = tb_read(host, FAA_REG_FEATURES_LO),
					  .shared_unit = tb_read(host, FAA_REG_SHARED_UNIT),
					  .warp_slots = host->warp_slots };

	if (host->num_queues <= host->num_cus)
		tb_die("the engine has %u queues for %u compute units, lock step needs one more",
		       host->num_queues, host->num_cus);
	o->queues = host->num_queues - host->num_cus;
	if (o->queues > LS_QUEUES)
		o->queues = LS_QUEUES;
	tb_host_destroy(host);
	return build;
}

/* Runs a case that differs again, in the program that has waveforms. */
static void waves(const struct options *o, const char *file)
{
	char replay[PATH_MAX];

	if (!tb_waves_wanted() || o->engine == &faa_engine_model)
		return;
	snprintf(replay, sizeof(replay), "--replay=%s", file);
	tb_waves_again((const char *const[]){ replay, o->inject ? "--inject" : NULL, NULL });
}

static void report(struct ls_case *c, const struct ls_side sides[2], const struct options *o,
		   const char *what)
{
	char name[64], message[LS_MESSAGE];
	struct ls_totals totals = { 0 };
	FILE *file;

	printf("seed %" PRIu64 ": %s\n", c->seed, what);
	if (o->shrink && !o->replay) {
		printf("making it smaller...\n");
		fflush(stdout);
		ls_shrink(c, sides);
		ls_run(c, sides, false, &totals, message);
		printf("smaller case: %s\n", message);
	}
	snprintf(name, sizeof(name), "lockstep-%" PRIu64 ".case", c->seed);
	if (o->replay) {
		ls_write(c, stdout);
		waves(o, o->replay);
		return;
	}
	file = fopen(o->output ? o->output : name, "w");
	if (!file)
		tb_die("cannot write %s", o->output ? o->output : name);
	ls_write(c, file);
	fclose(file);
	ls_write(c, stdout);
	printf("run it again with --replay=%s\n", o->output ? o->output : name);
	waves(o, o->output ? o->output : name);
}

static int replay(struct ls_case *c, const struct options *o, const struct faa_model_params *build)
{
	struct ls_side sides[2];
	char message[LS_MESSAGE];
	struct ls_totals totals = { 0 };
	FILE *file = fopen(o->replay, "r");

	if (!file)
		tb_die("cannot read %s", o->replay);
	if (!ls_read(c, file, o->replay))
		return 2;
	fclose(file);
	if (c->num_queues > o->queues)
		tb_die("%s has %u queues, this engine can run cases of %u", o->replay,
		       c->num_queues, o->queues);
	set_sides(sides, o, c->seed, build);
	switch (ls_run(c, sides, false, &totals, message)) {
	case LS_SAME:
		printf("the same, %" PRIu64 " warps\n", totals.warps);
		return 0;
	case LS_ENDLESS:
		printf("the model does not end this case\n");
		return 0;
	default:
		report(c, sides, o, message);
		return 1;
	}
}

/* Counts error codes of the jobs: the outcomes that the random streams reached. */
static void print_codes(const struct ls_totals *totals)
{
	printf("jobs:");
	for (unsigned int i = 0; i < LS_CODES; i++)
		if (totals->codes[i])
			printf(" %s %" PRIu64, faa_error_names[i], totals->codes[i]);
	printf("\n");
}

static int random_cases(struct ls_case *c, const struct options *o,
			const struct faa_model_params *build)
{
	uint64_t cases = 0, endless = 0, seed = o->seed;
	struct ls_totals totals = { 0 };
	time_t start = time(NULL), shown = start;
	char message[LS_MESSAGE];

	printf("first seed %" PRIu64 ", model against %s\n", seed, o->engine->name);
	for (; totals.warps < o->warps && !(tb_waves_asked() && cases); seed++) {
		struct ls_side sides[2];

		set_sides(sides, o, seed, build);
		ls_generate(c, seed, build->shared_max, build->features, o->surfaces,
			    sides[0].model.warp_slots, o->queues);
		if (!ls_settle(c, &sides[0])) {
			endless++;
			continue;
		}
		switch (ls_run(c, sides, false, &totals, message)) {
		case LS_DIFFERENT:
			report(c, sides, o, message);
			return 1;
		case LS_ENDLESS:
			endless++;
			break;
		default:
			cases++;
		}
		if (time(NULL) >= shown + PROGRESS_SECONDS) {
			shown = time(NULL);
			printf("%" PRIu64 " warps, %" PRIu64 " cases, seed %" PRIu64 "\n",
			       totals.warps, cases, seed);
			fflush(stdout);
		}
	}
	printf("%" PRIu64 " warps in %" PRIu64 " cases the same, %" PRIu64
	       " endless ones skipped, %lld s\n",
	       totals.warps, cases, endless, (long long)(time(NULL) - start));
	print_codes(&totals);
	return 0;
}

int main(int argc, char **argv)
{
	static struct ls_case c;
	struct options o = { .seed = (uint64_t)time(NULL) * 1000,
			     .warps = DEFAULT_WARPS,
			     .cus = 2,
			     .shrink = true };
	struct faa_model_params build;

	o.engine = tb_engine("rtl") ? tb_engine("rtl") : &faa_engine_model;
	if (!parse(argc, argv, &o)) {
		usage(stderr);
		return 2;
	}
	if (o.waves && o.engine == &faa_engine_model)
		tb_die("--waves: the C model has no signals");
	/* The case as it is: a smaller one would replace its waveform. */
	if (o.waves) {
		o.shrink = false;
		tb_waves_option(o.waves, argv);
	}
	build = build_of(&o);
	printf("features 0x%x, shared unit 0x%x, %u warp slots\n", build.features,
	       build.shared_unit, build.warp_slots);
	return o.replay ? replay(&c, &o, &build) : random_cases(&c, &o, &build);
}
