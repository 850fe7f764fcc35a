/* SPDX-License-Identifier: Apache-2.0 */
/* Waveforms of the devices of a run: --waves, or FAA_WAVES for those of programs that fail. */
#ifndef FAA_UML_RUN_WAVES_H
#define FAA_UML_RUN_WAVES_H

#include <limits.h>

#include "waves_option.h"

struct run_files;
struct run_machine;
struct run_options;

/* Arguments of faa-vdev for a waveform. */
struct run_waves_args {
	char cycles[48], from[48], to[48], file[PATH_MAX + 16];
};

/** run_waves_environment - without --waves: take the directory FAA_WAVES, if it is set */
void run_waves_environment(struct run_options *options);

/**
 * run_waves_find - find the faa-vdev that has waveforms, which is built if it is missing
 * @root: the build directory; NULL in an installation
 * @path: out: PATH_MAX bytes
 *
 * Return: 0, or -1 after run_error()
 */
int run_waves_find(const char *root, char *path);

/**
 * run_waves_prepare - remove waveforms of an earlier run, and check that new ones can be written
 *
 * Return: 0, or -1 after run_error()
 */
int run_waves_prepare(const struct run_options *options);

/** run_waves_args - the arguments of the device of slot @index; unused ones are empty */
void run_waves_args(const struct run_options *options, unsigned int index,
		    struct run_waves_args *args);

/**
 * run_waves_end - let the devices write their waveforms, and end them
 * @result: of the run
 */
void run_waves_end(struct run_machine *machine, const struct run_files *files,
		   const struct run_options *options, int result);

#endif
