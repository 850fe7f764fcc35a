#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Mutation score of the shared memory unit's tests: single bits of its netlist are changed, and at least 95 % of the changes that make a
# difference must be found (tests/rtl/mutate/mutate.py).
#
#   score.sh [MUTANTS [SEED]]
#
# Without MUTANTS: what score.txt says, if it is of this RTL and of these tests, else 60 mutants. FAA_RECORD=1 writes score.txt.
# Prints each mutant that survives, with its source lines, and the score; ends with 1 below 95 %. The same numbers choose the same mutants
# as long as the RTL stays. FAA_UPDATE=1 makes the cycles that the unit takes the expected ones first (rows of the build of 8 lanes
# in tests/rtl/shared_cycles.txt). FAA_CACHE keeps netlists and programs: only the tests are run again when nothing but they changed.
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
