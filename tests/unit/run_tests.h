/* SPDX-License-Identifier: MIT */
#ifndef RUN_TESTS_H
#define RUN_TESTS_H

#include <stdlib.h>

/**
 * RUN_TESTS() - run the array @tests of struct CMUnitTest. Return: exit status of the program, 0 or
 * 1.
 *
 * The environment variable FAA_TEST names one of the tests, with * and ? as wildcards.
 *
 * cmocka itself returns the number of failures, which is no valid status: 4 means "skipped", 126
 * and 127 are the shell's, and 256 failures would be 0.
 */
#define RUN_TESTS(tests, setup, teardown)            \
	(cmocka_set_test_filter(getenv("FAA_TEST")), \
	 cmocka_run_group_tests(tests, setup, teardown) ? 1 : 0)

#endif /* RUN_TESTS_H */
