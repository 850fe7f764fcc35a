/* SPDX-License-Identifier: MIT */
#ifndef FAA_PROGRAM_H
#define FAA_PROGRAM_H

#include <argp.h>

#include "faa.h"

/** struct faa_program - how a program of this project gets its device */
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
 * Where there is no node the program starts itself again inside faa-run, which is looked for in bin/
 * of the directories above the program and then in $PATH, says so in one line on stderr, and does not return. With FAA_IN_RUN in the environment it does not try.
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
