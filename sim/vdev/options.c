// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "faa_pci.h"

#ifndef FAA_VERSION_TEXT
#error "the build defines FAA_VERSION_TEXT"
#endif

const char *argp_program_version = "faa-vdev " FAA_VERSION_TEXT;

enum option_key {
	KEY_ENGINE = 'e',
	KEY_HELP = 'h',
	KEY_VERBOSE = 'v',
	KEY_KEEP = 'k',
	KEY_LATENCY = 256,
	KEY_SOCKET,
	KEY_JITTER,
	KEY_OUTSTANDING,
	KEY_STALL,
	KEY_ERROR_RATE,
	KEY_SEED,
	KEY_TRACE_CYCLES,
	KEY_TRACE_FILE,
	KEY_TRACE_FROM,
	KEY_TRACE_TO,
	KEY_RECORD,
	KEY_RECORD_EVENTS,
	KEY_RECORD_UNITS,
	KEY_NO_ATOMIC_OPS,
	KEY_CUS,
	KEY_VECTORS,
	KEY_PACE,
	KEY_DEFECT,
	KEY_FAULT,
	KEY_TIME_SOCKET,
	KEY_CYCLE_NS,
	KEY_EVENTS,
	KEY_QTEST,
};

static const struct argp_option options_list[] = {
	{ 0, 0, 0, 0, "Device:", 1 },
	{ "engine", KEY_ENGINE, "rtl|model", 0,
	  "what computes: the verilated hardware (rtl) or the C model", 1 },
	{ "socket", KEY_SOCKET, "PATH", 0,
	  "UNIX socket to listen at; the guest gets virtio_uml.device=PATH:1234", 1 },
	{ "keep", KEY_KEEP, 0, 0, "wait for the next guest when one has gone, instead of ending",
	  1 },
	{ "no-atomic-ops", KEY_NO_ATOMIC_OPS, 0, 0,
	  "as on a machine whose root port takes no PCI atomic operations: no scope SYS", 1 },
	{ "cus", KEY_CUS, "N", 0,
	  "compute units of engine model, 1..8 (default 2); those of rtl are fixed when it is built",
	  1 },
	{ "vectors", KEY_VECTORS, "N", 0,
	  "MSI-X vectors, 1..16 (default 16); a guest has 32 for all of its devices", 1 },
	{ "pace", KEY_PACE, "N", 0,
	  "run at most N clock cycles a second, 100..1000000, as a slower machine would (default: no limit)",
	  1 },
	{ "defect", KEY_DEFECT, "NAME", 0,
	  "have this defect, to see that tests find it: one of the memory order (faa-vdev-quad-defects), or, with "
	  "--engine=model, deaf: compute units stop for a reset alone, not for a kill; unserved: queues of low "
	  "priority get no compute unit",
	  1 },
	{ "fault", KEY_FAULT, "NAME[:COUNT][@AFTER]", 0,
	  "break as a card does, COUNT times (default: always) after AFTER events that pass unharmed (default 0); may be "
	  "given once for each NAME: ignore-kill, ignore-reset (of a compute unit), lose-irq, stick-tlb (an invalidation "
	  "never completes), stop-axi and read-ones (memory does not answer, registers read as all-ones, from the doorbell "
	  "of a queue until a reset of the function), ignore-flr, lose-power (in D3hot)",
	  1 },
	{ "time-socket", KEY_TIME_SOCKET, "PATH", 0,
	  "simulated time: be the clock of the guest, which gets time-travel=ext:PATH and connects there; the device "
	  "runs while the guest waits, and the same seed gives the same run (faa-run --seed)",
	  1 },
	{ "cycle-ns", KEY_CYCLE_NS, "N", 0,
	  "with --time-socket: simulated time of a clock cycle (model: of a step) in ns, 1..1000000 (default 10, model: 1000)",
	  1 },
	{ "qtest", KEY_QTEST, "PATH", 0,
	  "the guest is QEMU's: --socket is for its x-pci-proxy-dev, and PATH the UNIX socket at which its -qtest connects, "
	  "which delivers the interrupts (faa-run --cpus)",
	  1 },
	{ 0, 0, 0, 0, "Memory of the device (clock cycles):", 2 },
	{ "latency", KEY_LATENCY, "N", 0, "from an address to its first data, 1..4096 (default 32)",
	  2 },
	{ "jitter", KEY_JITTER, "N", 0,
	  "up to N cycles more, drawn for each transaction, 0..4096 (default 0)", 2 },
	{ "outstanding", KEY_OUTSTANDING, "N", 0,
	  "transactions accepted at a time per direction, 1..256 (default 32)", 2 },
	{ "stall", KEY_STALL, "N", 0,
	  "per mille of cycles in which a ready or valid is withheld, 0..900 (default 0)", 2 },
	{ "error-rate", KEY_ERROR_RATE, "N", 0,
	  "answer one in N transactions with a bus error (default 0 = none)", 2 },
	{ "seed", KEY_SEED, "N", 0, "of all random choices (default 1)", 2 },
	{ 0, 0, 0, 0, "Looking inside:", 3 },
	{ "trace-cycles", KEY_TRACE_CYCLES, "N", 0,
	  "keep a waveform of at least the last N cycles (engine rtl, a build with tracing); SIGUSR2 writes it",
	  3 },
	{ "trace-from", KEY_TRACE_FROM, "CYCLE", 0,
	  "instead: keep a waveform from this cycle on (default 0), counted since the last reset of the function",
	  3 },
	{ "trace-to", KEY_TRACE_TO, "CYCLE", 0, "of --trace-from: up to this cycle", 3 },
	{ "trace-file", KEY_TRACE_FILE, "FILE", 0,
	  "where the waveform goes (default faa-vdev.fst); a save file of GTKWave, which ends in .gtkw, is written beside it",
	  3 },
	{ "record", KEY_RECORD, "FILE", 0,
	  "write the flight recorder to FILE (else to standard error) on SIGUSR1 and when the engine aborts, and to FILE at the end as well",
	  3 },
	{ "record-events", KEY_RECORD_EVENTS, "N", 0,
	  "length of the flight recorder, 1..16777216 events (default 4096)", 3 },
	{ "events", KEY_EVENTS, "FILE", 0,
	  "with --time-socket: write a digest of all events with their times to FILE at the end",
	  3 },
	{ "record-units", KEY_RECORD_UNITS, 0, 0,
	  "in the flight recorder: which queue has which compute unit, and the exact time of each access of memory",
	  3 },
	{ "verbose", KEY_VERBOSE, 0, 0, "tell what happens", 3 },
	{ 0, KEY_HELP, 0, 0, "the same as --help", -1 },
	{ 0 },
};

static const char options_doc[] =
	"Present the faa device to a User Mode Linux guest, or one of QEMU, as a PCI device.\v"
	"The guest needs CONFIG_UML_PCI_OVER_VIRTIO with device ID 1234. faa-run starts both. Words of the environment "
	"variable FAA_VDEV_OPTS are read as further options.\n\n"
	"Signals: SIGUSR1 writes the flight recorder, SIGUSR2 the waveform, SIGTERM and SIGINT end the device (the guest "
	"sees it unplugged).";

static const struct faa_engine_ops *const options_engines[] = {
#ifdef FAA_WITH_RTL
	&faa_engine_rtl,
#endif
#ifdef FAA_WITH_MODEL
	&faa_engine_model,
#endif
	NULL,
};

static uint64_t options_number(struct argp_state *state, const char *name, const char *arg,
			       uint64_t min, uint64_t max)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(arg, &end, 0);
	if (errno || end == arg || *end || arg[0] == '-' || value < min || value > max)
		argp_error(state, "--%s takes a number from %llu to %llu, not '%s'", name,
			   (unsigned long long)min, (unsigned long long)max, arg);
	return value;
}

static const struct faa_engine_ops *options_find_engine(struct argp_state *state, const char *name)
{
	char known[64] = "";

	for (const struct faa_engine_ops *const *engine = options_engines; *engine; engine++) {
		if (strcmp((*engine)->name, name) == 0)
			return *engine;
		strncat(known, " ", sizeof(known) - strlen(known) - 1);
		strncat(known, (*engine)->name, sizeof(known) - strlen(known) - 1);
	}
	argp_error(state, "there is no engine '%s'; this program has:%s", name, known);
	return NULL;
}

static error_t options_parse_memory(int key, const char *arg, struct argp_state *state,
				    struct faa_mem_config *mem)
{
	switch (key) {
	case KEY_LATENCY:
		mem->latency = (uint32_t)options_number(state, "latency", arg, 1, 4096);
		return 0;
	case KEY_JITTER:
		mem->jitter = (uint32_t)options_number(state, "jitter", arg, 0, 4096);
		return 0;
	case KEY_OUTSTANDING:
		mem->outstanding = (uint32_t)options_number(state, "outstanding", arg, 1, 256);
		return 0;
	case KEY_STALL:
		mem->stall = (uint32_t)options_number(state, "stall", arg, 0, 900);
		return 0;
	case KEY_ERROR_RATE:
		mem->error_rate = (uint32_t)options_number(state, "error-rate", arg, 0, UINT32_MAX);
		return 0;
	case KEY_SEED:
		mem->seed = options_number(state, "seed", arg, 0, UINT64_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void options_add_fault(struct argp_state *state, struct faults *faults, const char *arg)
{
	char message[256];

	if (faults_parse(faults, arg, message, sizeof(message)))
		argp_error(state, "--fault: %s", message);
}

static error_t options_parse_key(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_ENGINE:
		options->engine = options_find_engine(state, arg);
		return 0;
	case KEY_HELP:
		argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
		return 0;
	case KEY_SOCKET:
		options->socket = arg;
		return 0;
	case KEY_KEEP:
		options->keep = true;
		return 0;
	case KEY_TRACE_CYCLES:
		options->trace_cycles =
			(uint32_t)options_number(state, "trace-cycles", arg, 0, 100000000);
		return 0;
	case KEY_TRACE_FROM:
		options->trace_from = options_number(state, "trace-from", arg, 0, UINT64_MAX);
		return 0;
	case KEY_TRACE_TO:
		options->trace_to = options_number(state, "trace-to", arg, 1, UINT64_MAX);
		return 0;
	case KEY_TRACE_FILE:
		options->trace_file = arg;
		return 0;
	case KEY_RECORD:
		options->record = arg;
		return 0;
	case KEY_RECORD_EVENTS:
		options->record_events =
			(uint32_t)options_number(state, "record-events", arg, 1, 1 << 24);
		return 0;
	case KEY_RECORD_UNITS:
		options->record_units = true;
		return 0;
	case KEY_PACE:
		options->pace = (uint32_t)options_number(state, "pace", arg, 100, 1000000);
		return 0;
	case KEY_NO_ATOMIC_OPS:
		options->no_atomic_ops = true;
		return 0;
	case KEY_CUS:
		options->num_cus = (uint32_t)options_number(state, "cus", arg, 1, 8);
		return 0;
	case KEY_VECTORS:
		options->vectors =
			(uint32_t)options_number(state, "vectors", arg, 1, FAA_PCI_VECTORS);
		return 0;
	case KEY_DEFECT:
		options->defect = arg;
		return 0;
	case KEY_FAULT:
		options_add_fault(state, &options->faults, arg);
		return 0;
	case KEY_TIME_SOCKET:
		options->time_socket = arg;
		return 0;
	case KEY_CYCLE_NS:
		options->cycle_ns = (uint32_t)options_number(state, "cycle-ns", arg, 1, 1000000);
		return 0;
	case KEY_EVENTS:
		options->events = arg;
		return 0;
	case KEY_QTEST:
		options->qtest = arg;
		return 0;
	case KEY_VERBOSE:
		options->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "'%s' is not an option; all arguments of faa-vdev are options",
			   arg);
		return 0;
	case ARGP_KEY_END:
		if (!options->socket)
			argp_error(state, "--socket=PATH is needed: where the guest connects");
		if (options->time_socket && options->pace)
			argp_error(
				state,
				"--time-socket and --pace exclude each other: the time is simulated");
		if (options->time_socket && options->qtest)
			argp_error(
				state,
				"--time-socket and --qtest exclude each other: QEMU has its own clock");
		if (options->events && !options->time_socket)
			argp_error(state, "--events needs --time-socket");
		if (options->trace_from && options->trace_from >= options->trace_to)
			argp_error(state, "--trace-from=%llu needs a --trace-to that is larger",
				   (unsigned long long)options->trace_from);
		if (options->trace_to && options->trace_cycles)
			argp_error(state, "--trace-cycles and --trace-to exclude each other");
		return 0;
	default:
		return options_parse_memory(key, arg, state, &options->mem);
	}
}

/* argv followed by the words of FAA_VDEV_OPTS; never freed, as the options point into it. */
static char **options_with_environment(int argc, char **argv, int *count)
{
	const char *env = getenv("FAA_VDEV_OPTS");
	char *words = strdup(env ? env : "");
	size_t room = (size_t)argc + strlen(words) + 1;
	char **all = calloc(room, sizeof(*all));
	char *rest = words;
	char *word;

	*count = argc;
	if (!all || !words) {
		perror("faa-vdev");
		exit(EXIT_FAILURE);
	}
	memcpy(all, argv, (size_t)argc * sizeof(*all));
	while ((word = strsep(&rest, " \t\n")))
		if (*word)
			all[(*count)++] = word;
	return all;
}

void options_parse(struct options *options, int argc, char **argv)
{
	static const struct argp argp = { .options = options_list,
					  .parser = options_parse_key,
					  .doc = options_doc };
	int count;
	char **all = options_with_environment(argc, argv, &count);

	*options = (struct options){
		.engine = options_engines[0],
		.mem = { .latency = 32, .outstanding = 32, .seed = 1 },
		.trace_file = "faa-vdev.fst",
		.record_events = 4096,
	};
	argp_err_exit_status = 2;
	argp_parse(&argp, count, all, 0, NULL, options);
}
