/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated time (faa-run --seed), and records of runs in it (--record, --replay). */
#ifndef FAA_UML_RUN_SEED_H
#define FAA_UML_RUN_SEED_H

#include "run.h"

/** run_seed_check - Return: why @options exclude simulated time, or NULL */
const char *run_seed_check(const struct run_options *options);

/** run_seed_passes_variable - whether the program gets this variable of the caller, NAME=VALUE */
bool run_seed_passes_variable(const char *variable);

/**
 * run_seed_choose_input - let the guest open standard input itself: a pipe is copied to a file
 * first, a terminal becomes /dev/null. Return: 0, or -1 after run_error()
 */
int run_seed_choose_input(const struct run_files *files);

/**
 * run_seed_vdev_args - write the arguments of faa-vdev to @text, and their addresses to @args
 *
 * Return: their number, 0 in real time.
 */
unsigned int run_seed_vdev_args(const struct run_options *options, const struct run_files *files,
				char (*text)[256], const char **args);

/** run_seed_kernel_args - the same for the kernel */
unsigned int run_seed_kernel_args(const struct run_options *options, char (*text)[256],
				  const char **args);

/**
 * run_seed_become - in the process that becomes the kernel: enter @dir, so that no argument names
 * it, and have the same addresses as in each run. Return: 0, or -1 with errno
 */
int run_seed_become(const char *dir);

#define RUN_SEED_ARGS 5

/**
 * run_record_load - read the record @path: sets environment, working directory, mask of files and
 * standard input as in the recorded run
 *
 * Return: the recorded arguments, or NULL after run_error().
 */
char **run_record_load(const char *path, int *argc);

/**
 * run_record_choose_stdio - change what run_choose_stdio() has chosen to what the record of
 * run_record_load() has, if there is one
 */
void run_record_choose_stdio(char *stdio);

/** run_record_write - write a record of the run. Return: 0, or -1 after run_error() */
int run_record_write(const struct run_options *options, const struct run_files *files,
		     const char *stdio, int result);

/**
 * run_record_compare - compare the run with the record of run_record_load()
 *
 * Return: whether it is the same; else after run_error() about the first difference.
 */
bool run_record_compare(const struct run_files *files, int result);

#endif
