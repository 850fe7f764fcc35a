/* SPDX-License-Identifier: Apache-2.0 */
/* Several guests, each with a device, joined by a network: faa-run --guests. */
#ifndef FAA_UML_RUN_GUESTS_H
#define FAA_UML_RUN_GUESTS_H

#include "run.h"

/**
 * run_guests_start - become one of the processes of a run with several guests
 * @options: in a guest's process changed to the options of that guest
 *
 * Forks a process for each guest. The calling process joins their networks and their output, and
 * waits for the end of all.
 *
 * Return: in the process of a guest -1, and the caller runs it; in the calling process the exit
 * status of the run.
 */
int run_guests_start(struct run_options *options);

/**
 * run_guests_hold - tell the calling process that the program has ended with @result, and wait
 * until the guests may power off
 *
 * Until then other guests can reach this one.
 */
void run_guests_hold(const struct run_options *options, int result);

#endif
