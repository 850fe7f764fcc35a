#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Mutants of library, model and front ends: each is found by the test that its list names
# (tests/mutants). First those whose file or test has changed since the recorded verdict, then a
# sample that differs from day to day, or by FAA_SEED; all of them with FAA_LONG=1. Suite 72 has
# those of the driver.
# timeout: 7200
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
# shellcheck source=tests/mutants/suite.sh
. "$top/tests/mutants/suite.sh"

check "the lists agree with the sources" "$mutants" --list
check "the lists' errors name their place" "$top/tests/mutants/errors.sh"
check "by the recorded verdicts 95 % are killed" score
check "mutants of user space are killed" killed --user-space
finish
