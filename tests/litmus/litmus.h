/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_H
#define LITMUS_H

#include "lit.h"
#include "model.h"

/**
 * litmus_check() - hold the tables of files against the model
 * @paths: files
 * @count: how many
 * @verbose: print the outcomes of each
 *
 * Return: how many files are wrong, or have another table or verdict than the model; each with a line on stdout.
 */
unsigned int litmus_check(char *const *paths, unsigned int count, bool verbose);

/** litmus_table() - print files with the table and the verdict of the model instead of their own; returns how many are wrong. */
unsigned int litmus_table(char *const *paths, unsigned int count);

/** litmus_defects() - which defects of the model the tables of @paths notice; returns how many answers are unexpected. */
unsigned int litmus_defects(char *const *paths, unsigned int count);

/** litmus_run() - run tests on a device, as the command line says; returns the exit status. */
int litmus_run(int argc, char **argv);

#endif /* LITMUS_H */
