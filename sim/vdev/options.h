/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_VDEV_OPTIONS_H
#define FAA_VDEV_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "faa_engine.h"
#include "faults.h"

/** struct options - the command line of faa-vdev */
struct options {
	/** @engine: the engine to present. */
	const struct faa_engine_ops *engine;
	/** @socket: path of the socket to listen at. */
	const char *socket;
	/** @mem: behaviour of the device's memory. */
	struct faa_mem_config mem;
	/** @trace_cycles: length of the waveform window, 0 = none. */
	uint32_t trace_cycles;
	/** @trace_from: first cycle of the waveform, with @trace_to. */
	uint64_t trace_from;
	/** @trace_to: cycle after the waveform's last, 0 = the last cycles are kept. */
	uint64_t trace_to;
	/** @trace_file: file for the waveform on SIGUSR2. */
	const char *trace_file;
	/** @record: file for the flight recorder, NULL = standard error. */
	const char *record;
	/** @record_events: length of the flight recorder. */
	uint32_t record_events;
	/** @record_units: the flight recorder shows which queue has which compute unit. */
	bool record_units;
	/** @no_atomic_ops: the guest's memory does not support AtomicOps. */
	bool no_atomic_ops;
	/** @pace: limit of clock cycles per second, 0 = none. */
	uint32_t pace;
	/** @num_cus: compute units of engine model, 0 = its default. */
	uint32_t num_cus;
	/** @vectors: MSI-X vectors, 0 = all. */
	uint32_t vectors;
	/** @defect: defect of the hardware, NULL = none. */
	const char *defect;
	/** @faults: faults of the device. */
	struct faults faults;
	/** @time_socket: path where a guest in simulated time connects, NULL = real time. */
	const char *time_socket;
	/** @cycle_ns: simulated time of a cycle, 0 = that of the engine. */
	uint32_t cycle_ns;
	/** @qtest: path where QEMU's -qtest connects, NULL = the guest is not QEMU's. */
	const char *qtest;
	/** @events: file for the digest of the events, NULL = none. */
	const char *events;
	/** @keep: wait for the next guest after one has disconnected. */
	bool keep;
	/** @verbose: print debug messages. */
	bool verbose;
};

/**
 * options_parse() - parse the command line, then the words of the environment variable
 * FAA_VDEV_OPTS
 *
 * Ends the process with a message on a bad option, like argp. Strings of the result live as long as
 * the process.
 */
void options_parse(struct options *options, int argc, char **argv);

#endif /* FAA_VDEV_OPTIONS_H */
