// SPDX-License-Identifier: Apache-2.0
#include "run.h"
#include "run_qemu.h"
#include "run_seed.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "faa-run " FAA_VERSION_TEXT;

enum option_key {
	KEY_ENGINE = 'e',
	KEY_HELP = 'h',
	KEY_KERNEL = 'k',
	KEY_LOG = 'l',
	KEY_MEM = 'm',
	KEY_TIMEOUT = 't',
	KEY_VERBOSE = 'v',
	KEY_VDEV_ARG = 256,
	KEY_DEVICES,
	KEY_KERNEL_ARG,
	KEY_NO_DEVICE,
	KEY_DEVICE,
	KEY_MODULE,
	KEY_KERNEL_TREE,
	KEY_KERNEL_CONFIG,
	KEY_NO_DRIVER,
	KEY_INSMOD,
	KEY_MODULE_ARGS,
	KEY_CHECK_LOG,
	KEY_EXPECT_LOG,
	KEY_PIDS,
	KEY_KUNIT,
	KEY_GUESTS,
	KEY_EACH,
	KEY_SEED,
	KEY_RECORD,
	KEY_REPLAY,
	KEY_WAVES,
	KEY_TRACE,
	KEY_GDB,
	KEY_CPUS,
};

/* A simulated device is slow; the default time limits of a job are for hardware. */
#define MODULE_ARGS "job_timeout_ms=20000 job_limit_ms=120000"

/* In simulated time the device is as fast as hardware; but each cycle of the RTL is computed. */
#define SEED_RTL_ARGS	"job_timeout_ms=20 job_limit_ms=2000"
#define SEED_MODEL_ARGS "job_timeout_ms=2000 job_limit_ms=10000"
/* The guest's clock continues while a debugger has stopped it: the largest limits. */
#define MODULE_ARGS_GDB "job_timeout_ms=60000 job_limit_ms=86400000"

#define REPLAY "--replay="

#define TEXT_OF_(options_number) #options_number
#define TEXT_OF(options_number)	 TEXT_OF_(options_number)

static const struct argp_option options_list[] = {
	{ 0, 0, 0, 0, "The machine:", 1 },
	{ "engine", KEY_ENGINE, "rtl|model", 0,
	  "what executes the commands: the verilated hardware (rtl, default) or the C model", 1 },
	{ "kernel", KEY_KERNEL, "plain|debug|coverage", 0,
	  "plain (default), debug (lockdep, KASAN, kmemleak, PREEMPT, fault injection; slower), or coverage (debug with gcov; 'make module-coverage' builds it)",
	  1 },
	{ "cpus", KEY_CPUS, "N", 0,
	  "CPUs of the guest, from 1 (default) to " TEXT_OF(
		  RUN_MAX_CPUS) ". From 2 on, QEMU emulates the machine, with a kernel that reports data races (KCSAN) and that 'make module-smp' builds",
	  1 },
	{ "mem", KEY_MEM, "SIZE", 0, "memory of the guest, like 256M or 1G (default 512M)", 1 },
	{ "devices", KEY_DEVICES, "N", 0,
	  "devices of the machine, from 1 (default) to " TEXT_OF(
		  RUN_MAX_DEVICES) ", each a faa-vdev and a render node of its own",
	  1 },
	{ "vdev-arg", KEY_VDEV_ARG, "ARG", 0,
	  "hand an argument to faa-vdev (or to the program of --device), that of each device; may be given several times",
	  1 },
	{ "kernel-arg", KEY_KERNEL_ARG, "ARG", 0,
	  "hand an argument to the kernel; may be given several times", 1 },
	{ "no-device", KEY_NO_DEVICE, 0, 0, "boot without a device and without the driver", 1 },
	{ "no-driver", KEY_NO_DRIVER, 0, 0, "boot with the device, without the driver", 1 },
	{ "insmod", KEY_INSMOD, "MODULE", 0,
	  "load a kernel module before the driver: a file (with a slash) or one of the kernel's own like 'vgem'; parameters may follow after a space; may be given several times",
	  1 },
	{ "kunit", KEY_KUNIT, 0, 0,
	  "run the driver's unit tests before the program (debug kernel); their results are in the kernel log",
	  1 },
	{ "module-args", KEY_MODULE_ARGS, "ARGS", 0,
	  "parameters of faa.ko (default \"" MODULE_ARGS
	  "\": a simulated device takes time, more on a busy machine), or of the last module of --module",
	  1 },
	{ "guests", KEY_GUESTS, "N", 0,
	  "boot N machines, 1 to " TEXT_OF(
		  RUN_MAX_GUESTS) ", with a device each, joined by a network. The program runs in the first; it reaches the others as guest1, guest2 ... and starts commands there with faa-rsh, which Open MPI finds",
	  1 },
	{ "each", KEY_EACH, 0, 0,
	  "with --guests: run the program in each; lines of output begin with the guest's name, and the exit status is the first that is not 0",
	  1 },
	{ 0, 0, 0, 0, "A device, a driver or a kernel of your own, without the driver of faa:", 2 },
	{ "device", KEY_DEVICE, "PROGRAM", 0,
	  "instead of faa-vdev, a program that serves a PCI device at the socket of its option --socket=PATH, such as one with libvpci",
	  2 },
	{ "module", KEY_MODULE, "DIR", 0,
	  "the modules of a directory for Kbuild, which are built for the kernel; or a .ko file",
	  2 },
	{ "kernel-tree", KEY_KERNEL_TREE, "DIR", 0,
	  "a kernel of this source tree, which is built in the cache ($FAA_CACHE/tree) and not written to; or a directory with a User Mode Linux kernel that is built already, or its file linux",
	  2 },
	{ "kernel-config", KEY_KERNEL_CONFIG, "FILE", 0,
	  "with --kernel-tree: further lines of its configuration, like CONFIG_DRM_TTM_HELPER=y",
	  2 },
	{ 0, 0, 0, 0, "The run:", 3 },
	{ "timeout", KEY_TIMEOUT, "SECONDS", 0,
	  "end everything after this time, with exit status 125 (default: never)", 3 },
	{ "log", KEY_LOG, "FILE", 0, "keep the kernel log, with the messages of faa-vdev", 3 },
	{ "check-log", KEY_CHECK_LOG, "noleaks", OPTION_ARG_OPTIONAL,
	  "unload the driver at the end; exit status 124, whatever the program's, when the kernel log has an error, a warning, an oops, a report of lockdep or KASAN, or (debug kernel, which takes 6 s; not with =noleaks) leaked memory",
	  3 },
	{ "expect-log", KEY_EXPECT_LOG, "MIN[-MAX]:REGEX", 0,
	  "with --check-log: lines that match (extended regular expression) are no complaint if there are MIN to MAX of them; may be given several times",
	  3 },
	{ "seed", KEY_SEED, "N", 0,
	  "simulated time: guest and device have a common clock that does not depend on the host's load, and N selects "
	  "the order of all events; the same N gives the same run. Time limits of the driver are then "
	  "simulated, \"" SEED_RTL_ARGS "\" (model: \"" SEED_MODEL_ARGS
	  "\"). Of the environment the program gets the variables that Documentation/cosimulation.rst lists",
	  3 },
	{ "record", KEY_RECORD, "FILE", 0,
	  "with --seed: write to FILE what repeats this run (some KiB)", 3 },
	{ "replay", KEY_REPLAY, "FILE", 0,
	  "repeat the run that --record wrote to FILE; exit status 125 and a message with the first difference if it is "
	  "not the same. Options after it are added; no program is given",
	  3 },
	{ "pids", KEY_PIDS, "FILE", 0,
	  "write the process numbers of faa-vdev and of the kernel, one a line", 3 },
	{ "waves", KEY_WAVES, "FILE[,from=CYCLE][,to=CYCLE][,cycles=N]", 0,
	  "write a waveform (FST) of the device, by default of the last " TEXT_OF(
		  WAVES_CYCLES) " clock cycles, and beside it a save file of GTKWave, FILE with .gtkw; names of several devices or guests get -device0, -guest0 and so on",
	  3 },
	{ "trace", KEY_TRACE, "FILE[,events=N]", 0,
	  "write a trace (JSON, for ui.perfetto.dev) of jobs, queues, compute units, register accesses, DMA and interrupts, with the driver's events on the same clock; of each device at most the last N events, by default " TEXT_OF(
		  TRACE_EVENTS),
	  3 },
	{ "gdb", KEY_GDB, "FILE", OPTION_ARG_OPTIONAL,
	  "run kernel, driver and program in gdb, with the symbols of each; gdb has the terminal, or reads its commands from FILE",
	  3 },
	{ "verbose", KEY_VERBOSE, 0, 0, "show the kernel log on standard error", 3 },
	{ 0, KEY_HELP, 0, 0, "the same as --help", -1 },
	{ 0 },
};

static const char options_doc[] =
	"Run a program of this machine on a Linux kernel that has a faa device: boots a User Mode Linux kernel with the "
	"driver and the virtual device, with the files of this machine, and runs the program as root in the working "
	"directory with the standard input, output and error, environment and terminal of the caller.\v"
	"The exit status is the program's, 128 + N if signal N ended it, 125 if it could not be run, 2 if the options "
	"are invalid. The first "
	"interrupt (Ctrl-C) goes to the program, the third ends everything.\n\n"
	"Environment: FAA_BUILD names a build directory (default: the installation or the build directory that faa-run is in), "
	"FAA_VDEV the program faa-vdev, FAA_CACHE the cache of kernels. FAA_WAVES names a directory, for waveforms of programs that fail on engine rtl. FAA_RUN_OPTS holds options that come before those of the command line.";

static void options_add(struct argp_state *state, struct run_list *list, const char *item)
{
	if (list->count == RUN_MAX_LIST)
		argp_error(state, "an option was given more than %d times", RUN_MAX_LIST);
	list->item[list->count++] = item;
}

/* @words: those that are allowed, up to NULL; @text: the same for the message. */
static const char *options_one_of(struct argp_state *state, const char *option, const char *arg,
				  const char *const *words, const char *text)
{
	while (*words && strcmp(arg, *words))
		words++;
	if (!*words)
		argp_error(state, "%s takes %s, not '%s'", option, text, arg);
	return arg;
}

/* The value of option --@name, from 1 to @max; @what names its kind. */
static unsigned int options_number(struct argp_state *state, const char *name, const char *what,
				   unsigned long max, const char *arg)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(arg, &end, 10);
	if (errno || end == arg || *end || arg[0] == '-' || value < 1 || value > max)
		argp_error(state, "--%s takes %s from 1 to %lu, not '%s'", name, what, max, arg);
	return (unsigned int)value;
}

static const char *options_memory_size(struct argp_state *state, const char *arg)
{
	char *end;
	unsigned long value = strtoul(arg, &end, 10);

	if (end == arg || (strcmp(end, "M") && strcmp(end, "G")) || (*end == 'M' && value < 64) ||
	    value < 1 || value > 65536)
		argp_error(state, "--mem takes a size from 64M up, like 512M or 2G, not '%s'", arg);
	return arg;
}

static void options_expect_log(struct argp_state *state, struct run_options *options,
			       const char *arg)
{
	const char *problem;

	if (options->expected_count == RUN_MAX_LIST)
		argp_error(state, "--expect-log was given more than %d times", RUN_MAX_LIST);
	problem = run_log_expect(&options->expected[options->expected_count++], arg);
	if (problem)
		argp_error(state, "--expect-log=%s: %s", arg, problem);
}

static const char *options_seed(struct argp_state *state, const char *arg)
{
	char *end;

	errno = 0;
	strtoull(arg, &end, 10);
	if (errno || end == arg || *end || arg[0] == '-' || arg[0] == '+')
		argp_error(state, "--seed takes a number from 0 to 18446744073709551615, not '%s'",
			   arg);
	return arg;
}

static void options_waves(struct argp_state *state, struct run_options *options, char *arg)
{
	const char *problem = waves_option_parse(&options->waves, arg);

	if (problem)
		argp_error(state, "--waves: %s", problem);
}

static void options_trace(struct argp_state *state, struct run_options *options, char *arg)
{
	const char *problem = run_trace_parse(&options->trace, arg);

	if (problem)
		argp_error(state, "--trace: %s", problem);
}

/* Options that need or exclude each other. */
static void options_check(struct argp_state *state, struct run_options *options)
{
	const char *message = run_qemu_check(options);

	if (!message)
		message = run_seed_check(options);
	if (message)
		argp_error(state, "%s", message);
	if (!options->flavour)
		options->flavour = options->cpus > 1 ? "smp" : "plain";
	if (options->kunit && (!strcmp(options->flavour, "plain") || !options->driver))
		argp_error(state, "--kunit needs --kernel=debug and the driver");
	if (options->guests && strcmp(options->flavour, "plain"))
		argp_error(state, "--guests needs --kernel=plain: debug has no network");
	if (options->gdb && options->guests)
		argp_error(state, "--gdb and --guests exclude each other");
	if (options->each && !options->guests)
		argp_error(state, "--each needs --guests");
	if (options->expected_count && !options->check_log)
		argp_error(state, "--expect-log needs --check-log");
	if (options->waves.file && strcmp(options->engine, "rtl"))
		argp_error(state, "--waves needs --engine=rtl: the C model has no signals");
	if (options->waves.file && !options->devices)
		argp_error(state, "--waves needs a device");
	if (options->trace.file && !options->devices)
		argp_error(state, "--trace needs a device");
}

/* A device, a driver or a kernel of the user, which faa's own options say nothing of. */
static void options_check_own(struct argp_state *state, struct run_options *options)
{
	static const char of_faa[] = "--device excludes --%s, which is for faa-vdev";

	if (options->device && !options->devices)
		argp_error(state, "--device and --no-device exclude each other");
	if (options->device && options->waves.file)
		argp_error(state, of_faa, "waves");
	if (options->device && options->trace.file)
		argp_error(state, of_faa, "trace");
	if (options->device && options->seed)
		argp_error(state, of_faa, "seed");
	if (options->kernel_tree && !strcmp(options->flavour, "coverage"))
		argp_error(state, "--kernel-tree takes --kernel=plain or debug: gcov is for the "
				  "files that faa uses");
	if (options->kernel_config && !options->kernel_tree)
		argp_error(state, "--kernel-config needs --kernel-tree");
}

static error_t options_parse_run(int key, char *arg, struct argp_state *state,
				 struct run_options *options)
{
	switch (key) {
	case KEY_TIMEOUT:
		options->timeout = options_number(state, "timeout", "seconds", 1000000, arg);
		return 0;
	case KEY_LOG:
		options->log = arg;
		return 0;
	case KEY_CHECK_LOG:
		if (arg && strcmp(arg, "noleaks"))
			argp_error(state, "--check-log takes nothing or 'noleaks', not '%s'", arg);
		options->check_log = true;
		options->leaks = !arg;
		return 0;
	case KEY_EXPECT_LOG:
		options_expect_log(state, options, arg);
		return 0;
	case KEY_WAVES:
		options_waves(state, options, arg);
		return 0;
	case KEY_TRACE:
		options_trace(state, options, arg);
		return 0;
	case KEY_GDB:
		options->gdb = true;
		options->gdb_file = arg;
		return 0;
	case KEY_PIDS:
		options->pids = arg;
		return 0;
	case KEY_VERBOSE:
		options->verbose = true;
		return 0;
	case KEY_SEED:
		options->seed = options_seed(state, arg);
		return 0;
	case KEY_RECORD:
		options->record = arg;
		return 0;
	case KEY_REPLAY:
		if (arg != state->argv[1] + strlen(REPLAY))
			argp_error(state, "--replay=FILE has to be the first option");
		options->replay = arg;
		return 0;
	case KEY_HELP:
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
		return 0;
	case ARGP_KEY_ARG:
		/* The program and its arguments. */
		options->program = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "there is no program to run");
		return 0;
	case ARGP_KEY_END:
		options_check(state, options);
		options_check_own(state, options);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t options_parse(int key, char *arg, struct argp_state *state)
{
	static const char *const engines[] = { "rtl", "model", NULL };
	static const char *const flavours[] = { "plain", "debug", "coverage", NULL };
	struct run_options *options = state->input;

	switch (key) {
	case KEY_ENGINE:
		options->engine =
			options_one_of(state, "--engine", arg, engines, "'rtl' or 'model'");
		return 0;
	case KEY_KERNEL:
		options->flavour = options_one_of(state, "--kernel", arg, flavours,
						  "'plain', 'debug' or 'coverage'");
		return 0;
	case KEY_CPUS:
		options->cpus =
			options_number(state, "cpus", "a number of CPUs", RUN_MAX_CPUS, arg);
		return 0;
	case KEY_MEM:
		options->mem = options_memory_size(state, arg);
		return 0;
	case KEY_VDEV_ARG:
		options_add(state, &options->vdev_args, arg);
		return 0;
	case KEY_KERNEL_ARG:
		options_add(state, &options->kernel_args, arg);
		return 0;
	case KEY_DEVICES:
		options->devices = options_number(state, "devices", "a number of devices",
						  RUN_MAX_DEVICES, arg);
		return 0;
	case KEY_NO_DEVICE:
		options->devices = 0;
		options->driver = false;
		return 0;
	case KEY_NO_DRIVER:
		options->driver = false;
		return 0;
	case KEY_DEVICE:
		options->device = arg;
		options->driver = false;
		return 0;
	case KEY_MODULE:
		options->module = arg;
		options->driver = false;
		return 0;
	case KEY_KERNEL_TREE:
		options->kernel_tree = arg;
		options->driver = false;
		return 0;
	case KEY_KERNEL_CONFIG:
		options->kernel_config = arg;
		return 0;
	case KEY_INSMOD:
		options_add(state, &options->modules, arg);
		return 0;
	case KEY_KUNIT:
		options->kunit = true;
		return 0;
	case KEY_GUESTS:
		options->guests =
			options_number(state, "guests", "a number of guests", RUN_MAX_GUESTS, arg);
		return 0;
	case KEY_EACH:
		options->each = true;
		return 0;
	case KEY_MODULE_ARGS:
		options->module_params = arg;
		return 0;
	default:
		return options_parse_run(key, arg, state, options);
	}
}

/* Inserts the words of FAA_RUN_OPTS after the program's name. */
static char **options_with_environment(int *argc, char **argv)
{
	const char *env = getenv("FAA_RUN_OPTS");
	char **all = calloc((size_t)*argc + (env ? strlen(env) : 0) + 1, sizeof(char *));
	char *text = strdup(env ? env : ""), *save = NULL;
	int count = 0;

	if (!all || !text)
		return argv;
	all[count++] = argv[0];
	for (char *word = strtok_r(text, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save))
		all[count++] = word;
	for (int i = 1; i < *argc; i++)
		all[count++] = argv[i];
	*argc = count;
	return all;
}

/* --replay=FILE OPTIONS: the arguments of the record, with OPTIONS before its program. */
static char **options_with_record(int *argc, char **argv)
{
	char **recorded, **all;
	int count = 0, used = 1;

	recorded = run_record_load(argv[1] + strlen(REPLAY), &count);
	if (!recorded)
		exit(RUN_USAGE);
	all = calloc((size_t)(*argc + count + 1), sizeof(char *));
	if (!all)
		exit(RUN_FAILED);
	all[0] = argv[0];
	for (int i = 1; i < *argc; i++)
		all[used++] = argv[i];
	for (int i = 0; i < count; i++)
		all[used++] = recorded[i];
	*argc = used;
	return all;
}

void run_parse(struct run_options *options, int argc, char **argv)
{
	static const struct argp argp = { .options = options_list,
					  .parser = options_parse,
					  .args_doc = "PROGRAM [ARGS...]",
					  .doc = options_doc };

	*options = (struct run_options){
		.engine = "rtl",
		.mem = "512M",
		.devices = 1,
		.cpus = 1,
		.driver = true,
		.network = -1,
		.hold = -1,
	};
	/* A record has the options of the environment, too. */
	if (argc > 1 && !strncmp(argv[1], REPLAY, strlen(REPLAY)))
		argv = options_with_record(&argc, argv);
	else
		argv = options_with_environment(&argc, argv);
	options->arguments = argv + 1;
	argp_err_exit_status = RUN_USAGE;
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, options);
	if (!options->module_params && !options->driver)
		options->module_params = "";
	if (!options->module_params && options->gdb)
		options->module_params = MODULE_ARGS_GDB;
	if (!options->module_params && options->seed)
		options->module_params = strcmp(options->engine, "model") ? SEED_RTL_ARGS :
									    SEED_MODEL_ARGS;
	if (!options->module_params)
		options->module_params = MODULE_ARGS;
	run_waves_environment(options);
}
