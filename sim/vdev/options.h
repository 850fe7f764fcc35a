/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_VDEV_OPTIONS_H
#define FAA_VDEV_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "faa_engine.h"

/** struct options - the command line of faa-vdev */
struct options {
	/** @engine: the engine to present. */
	const struct faa_engine_ops *engine;
	/** @socket: path to listen at. */
	const char *socket;
	/** @mem: behaviour of the memory behind the device. */
	struct faa_mem_config mem;
	/** @trace_cycles: length of the waveform window, 0 = none. */
	uint32_t trace_cycles;
	/** @trace_file: where SIGUSR2 puts the waveform. */
	const char *trace_file;
	/** @record: where the flight recorder goes, NULL = standard error. */
	const char *record;
	/** @record_events: length of the flight recorder. */
	uint32_t record_events;
	/** @no_atomic_ops: no AtomicOps to the guest's memory. */
	bool no_atomic_ops;
	/** @pace: clock cycles a second at most, 0 = no limit. */
	uint32_t pace;
	/** @num_cus: compute units of engine model, 0 = its default. */
	uint32_t num_cus;
	/** @defect: the defect that the hardware is to have, NULL = none. */
	const char *defect;
	/** @keep: wait for the next guest when one has gone. */
	bool keep;
	/** @verbose: tell what happens. */
	bool verbose;
};

/**
 * options_parse() - parse the command line and, after it, the words of the environment variable FAA_VDEV_OPTS
 *
 * Ends the process with a message on a bad option, as argp does. Strings of the result live as long as the process.
 */
void options_parse(struct options *options, int argc, char **argv);

#endif /* FAA_VDEV_OPTIONS_H */
