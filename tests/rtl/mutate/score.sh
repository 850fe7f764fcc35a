#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Mutation score of the shared memory unit's tests: single bits of its netlist are changed, and the
# tests must find at least 95 % of the changes that make a difference (tests/rtl/mutate/mutate.py).
#
#   score.sh [MUTANTS [SEED]]
#
# Without MUTANTS: the result in score.txt, if it was recorded for this RTL and these tests, else 60
# mutants. FAA_RECORD=1 writes score.txt. Prints each mutant that survives, with its source lines,
# and the score; ends with 1 below 95 %. The same numbers choose the same mutants as long as the RTL
# is unchanged. FAA_UPDATE=1 first makes the present cycles of the unit the expected ones (rows of
# the build of 8 lanes in tests/rtl/shared_cycles.txt). FAA_CACHE keeps netlists and programs: only
# the tests are run again when nothing else has changed.
set -eu

case ${1:-} in
-*)
	sed -n '4,/^set/s/^# \{0,1\}//p' "$0"
	exit 0
	;;
esac
top=$(cd "$(dirname "$0")/../../.." && pwd)
python=$("$top/sim/setup/setup.sh" --print-venv)/bin/python
score=$top/tests/rtl/mutate/score.txt
known=()
[ -n "${1:-}" ] || known=(--recorded "$score")
[ -z "${FAA_RECORD:-}" ] || known=(--record "$score")
exec "$python" "$top/tests/rtl/mutate/mutate.py" --yosys "$(dirname "$python")/yosys-slang" --mutants "${1:-60}" --seed "${2:-1}" \
	--cycles "$top/tests/rtl/shared_cycles.txt" ${FAA_UPDATE:+--update} "${known[@]}"
