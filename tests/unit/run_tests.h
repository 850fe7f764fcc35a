/* SPDX-License-Identifier: MIT */
#ifndef RUN_TESTS_H
#define RUN_TESTS_H

/**
 * RUN_TESTS() - run the array @tests of struct CMUnitTest. Return: exit status of the program, 0 or 1.
 *
 * cmocka itself returns the number of failures, and a status has meanings: 4 is "skipped", 126 and 127 are the shell's,
 * and of 256 failures 0 is left.
 */
#define RUN_TESTS(tests, setup, teardown) (cmocka_run_group_tests(tests, setup, teardown) ? 1 : 0)

#endif /* RUN_TESTS_H */
