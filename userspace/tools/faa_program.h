/* SPDX-License-Identifier: MIT */
#ifndef FAA_PROGRAM_H
#define FAA_PROGRAM_H

#include <argp.h>

#include "faa.h"

/** struct faa_program - input of faa_program_device() */
struct faa_program {
	/** @argc, @argv: those of main(). */
	int argc;
	char **argv;
	/** @engine: engine to ask faa-run for, "rtl" or "model"; NULL = faa-run's default. */
	const char *engine;
};

/**
 * faa_program_device() - the first faa render node, or a machine that has one
 *
 * Without a node the program starts itself again inside faa-run, and does not return; a line on
 * stderr says so. faa-run is searched in bin/ of the directories above the program, then in $PATH.
 * If FAA_IN_RUN is in the environment the program does not start itself again.
 *
 * Return: 0 and the device, or a negative errno after a message on stderr.
 */
int faa_program_device(const struct faa_program *program, struct faa_device **device);

/**
 * faa_program_children - a program's argp children: option --engine, and those of tool_children
 *
 * The first child's input is a const char * that receives the name.
 */
extern const struct argp_child faa_program_children[];

#endif /* FAA_PROGRAM_H */
