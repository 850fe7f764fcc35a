/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_H
#define LITMUS_H

#include "lit.h"
#include "model.h"

/**
 * litmus_check() - compare the tables of files with the model
 * @paths: files
 * @count: number of files
 * @verbose: print the outcomes of each
 *
 * Return: the number of files with an error, or with another table or verdict than the model; each
 * has a line on stdout.
 */
unsigned int litmus_check(char *const *paths, unsigned int count, bool verbose);

/**
 * litmus_table() - print files with the table and the verdict of the model instead of their own;
 * returns the number of files with errors.
 */
unsigned int litmus_table(char *const *paths, unsigned int count);

/**
 * litmus_export() - write tests as files of herd7
 * @paths: files
 * @count: number of files
 * @directory: for files NAME.litmus, or NULL for stdout
 *
 * Return: the number of files with errors and of tests that LISA cannot express, each with a
 * message on stderr.
 */
unsigned int litmus_export(char *const *paths, unsigned int count, const char *directory);

/**
 * litmus_defects() - find the defects of the model that the tables of @paths detect; returns the
 * number of unexpected results.
 */
unsigned int litmus_defects(char *const *paths, unsigned int count);

/** litmus_run() - run tests on a device, as given by the command line; returns the exit status. */
int litmus_run(int argc, char **argv);

#endif /* LITMUS_H */
