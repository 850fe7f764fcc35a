/* SPDX-License-Identifier: Apache-2.0 */
/* --cpus=N: the guest is a machine of QEMU with several processors, instead of User Mode Linux. */
#ifndef FAA_UML_RUN_QEMU_H
#define FAA_UML_RUN_QEMU_H

#include "run.h"

#define RUN_QEMU_WORDS 56
#define RUN_QEMU_TEXT  512

/* Command line of QEMU. */
struct run_qemu_args {
	const char *item[RUN_QEMU_WORDS];
	unsigned int count;
	char text[RUN_QEMU_WORDS][RUN_QEMU_TEXT]; /* words that are no constants */
	unsigned int texts;
	bool too_long;
	int device; /* connection to faa-vdev that QEMU inherits; -1 = none */
};

/** run_qemu_check - Return: why @options exclude several processors, or NULL */
const char *run_qemu_check(const struct run_options *options);

/**
 * run_qemu_find - check that QEMU is installed, and whether it needs the library of
 * sim/qemu/no_kvm.c
 * @scripts: directory of that library
 * @library: out: PATH_MAX bytes, its path, or an empty string if QEMU does not need it
 *
 * Return: 0, or -1 after run_error()
 */
int run_qemu_find(const char *scripts, char *library);

/**
 * run_qemu_preload - the variable of the environment with which QEMU is started
 *
 * Return: LD_PRELOAD with the library and those that the caller preloads, which the caller frees;
 * NULL if QEMU does not need the library.
 */
char *run_qemu_preload(const struct run_files *files);

/**
 * run_qemu_vdev_arg - argument of faa-vdev for this kind of guest; an empty string if there is none
 * @text: out: RUN_QEMU_TEXT bytes
 */
void run_qemu_vdev_arg(const struct run_options *options, const struct run_files *files,
		       char *text);

/**
 * run_qemu_build_args - the command line of QEMU; connects to faa-vdev
 * @line: end of the guest's line, which QEMU inherits
 *
 * Return: 0, or -1 after run_error()
 */
int run_qemu_build_args(const struct run_options *options, const struct run_files *files, int line,
			struct run_qemu_args *args);

#endif
