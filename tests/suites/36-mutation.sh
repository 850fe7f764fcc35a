#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
# inputs: rtl Documentation/spec tests/rtl tests/formal
#
# Mutation score of the shared memory unit's tests: at least 95 % of the changes of single bits in its netlist that make a difference are found by the
# testbench of suite 34 (tests/rtl/mutate/score.sh). 400 changes with FAA_LONG=1; else what score.txt says of 400 in this RTL and these tests, and
# where it is of others, 60.
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
