// SPDX-License-Identifier: MIT
/*
 * Runs tests, and notes which ones fail: cmocka does not tell. Each test is wrapped: its functions
 * find it in the initial state.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fixture_run.h"
#include "tb_waves.h"

/* Tests that run again with waveforms. */
#define AGAIN 5

static const struct CMUnitTest *run_test;
static bool run_failed;
static const char *run_again[AGAIN];
static unsigned int run_failures;

void fixture_skips(void)
{
	run_failed = false;
}

static int run_setup(void **state)
{
	run_test = *state;
	run_failed = true;
	*state = run_test->initial_state;
	return run_test->setup_func ? run_test->setup_func(state) : 0;
}

/* A failure does not return. */
static void run_function(void **state)
{
	run_test->test_func(state);
	run_failed = false;
}

static int run_teardown(void **state)
{
	if (run_failed || tb_waves_asked())
		tb_waves_keep(run_test->name);
	if (run_failed) {
		if (run_failures < AGAIN)
			run_again[run_failures] = run_test->name;
		run_failures++;
	}
	return run_test->teardown_func ? run_test->teardown_func(state) : 0;
}

static void run_failures_again(const char *engine, uint64_t seed)
{
	char engine_arg[32], seed_arg[40];

	snprintf(engine_arg, sizeof(engine_arg), "--engine=%s", engine);
	snprintf(seed_arg, sizeof(seed_arg), "--seed=%" PRIu64, seed);
	for (unsigned int i = 0; i < run_failures && i < AGAIN; i++)
		tb_waves_again((const char *const[]){ engine_arg, seed_arg, run_again[i], NULL });
}

unsigned int fixture_select(const struct CMUnitTest *tests, size_t count, const char *pattern)
{
	unsigned int selected = 0;

	for (size_t i = 0; i < count; i++)
		selected += fnmatch(pattern, tests[i].name, 0) == 0;
	cmocka_set_test_filter(pattern);
	return selected;
}

int fixture_run(const char *name, const struct CMUnitTest *tests, size_t count, const char *engine,
		uint64_t seed)
{
	struct CMUnitTest *wrapped = calloc(count, sizeof(*wrapped));
	int failed;

	if (!wrapped)
		tb_die("no memory for %zu tests", count);
	for (size_t i = 0; i < count; i++)
		wrapped[i] = (struct CMUnitTest){ .name = tests[i].name,
						  .test_func = run_function,
						  .setup_func = run_setup,
						  .teardown_func = run_teardown,
						  .initial_state = (void *)&tests[i] };
	failed = _cmocka_run_group_tests(name, wrapped, count, NULL, NULL);
	if (failed && tb_waves_wanted() && tb_engine(engine) != &faa_engine_model)
		run_failures_again(engine, seed);
	free(wrapped);
	return failed ? 1 : 0;
}
