#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
# inputs: rtl Documentation/spec tests/rtl tests/formal
#
# Mutation score of the shared memory unit's tests: the testbench of suite 34 finds at least 95 % of
# the changes of single bits in the unit's netlist that make a difference
# (tests/rtl/mutate/score.sh). FAA_LONG=1 tests 400 changes; else score.txt has the result of 400,
# and where it was recorded for other RTL or tests, 60 are tested.
set -u
. "$(dirname "$0")/../tap.sh"

score() {
	local status=0

	"$top/tests/rtl/mutate/score.sh" "${FAA_LONG:+400}" >"$build/mutation.log" 2>&1 || status=$?
	cat "$build/mutation.log"
	return "$status"
}

mkdir -p "$build"
check "at least 95 % of the mutants of the shared memory unit are found" score
grep '^# [0-9]* mutants: \|^# survived' "$build/mutation.log"
finish
