/* SPDX-License-Identifier: MIT */
#ifndef FIXTURE_RUN_H
#define FIXTURE_RUN_H

#include "fixture.h"

/**
 * fixture_select() - run those tests only whose names match @pattern, with * and ?
 *
 * Return: their number.
 */
unsigned int fixture_select(const struct CMUnitTest *tests, size_t count, const char *pattern);

/**
 * fixture_run() - run tests; with FAA_WAVES, tests that fail leave waveforms
 * @engine: name of the engine, @seed: of the tests, with which those that fail run again
 *
 * Return: 0, or 1 if a test has failed.
 */
int fixture_run(const char *name, const struct CMUnitTest *tests, size_t count, const char *engine,
		uint64_t seed);

#endif
