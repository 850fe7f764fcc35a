/* SPDX-License-Identifier: Apache-2.0 */
/* The trace of a run: --trace. trace.h describes how it is made. */
#ifndef FAA_UML_RUN_TRACE_H
#define FAA_UML_RUN_TRACE_H

struct run_files;
struct run_machine;
struct run_options;

/* Events of a device that a trace has without another number. */
#define TRACE_EVENTS 1000000

struct run_trace {
	const char *file;    /* NULL = none */
	unsigned int events; /* limit of each device */
};

/* Arguments of faa-vdev for a trace. */
struct run_trace_args {
	char record[160], events[48], units[24];
};

/**
 * run_trace_parse - parse an argument of --trace, FILE[,events=N]
 * @arg: is changed, and used later
 *
 * Return: NULL, or an error message.
 */
const char *run_trace_parse(struct run_trace *trace, char *arg);

/** run_trace_prepare - check that the trace can be written. Return: 0, or -1 after run_error() */
int run_trace_prepare(const struct run_options *options);

/** run_trace_args - the arguments of the device of slot @index; unused ones are empty */
void run_trace_args(const struct run_options *options, const struct run_files *files,
		    unsigned int index, struct run_trace_args *args);

/** run_trace_end - write the trace, after the devices have ended */
void run_trace_end(const struct run_machine *machine, const struct run_files *files,
		   const struct run_options *options);

#endif
