#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Mutants of library, model, front ends and driver: each is found by the test that its list names (tests/mutants). A sample that differs
# from day to day, or by FAA_SEED; all of them with FAA_LONG=1.
# timeout: 21600
# kernel
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
seed=${FAA_SEED:-$(date +%j)}
mutants=$top/tests/mutants/mutants.py

killed() { # options...: all that are judged are killed; prints what is not
	local out status=0
	out=$("$mutants" --seed="$seed" "$@" 2>&1) || status=$?
	[ "$status" = 0 ] || echo "$out"
	grep '^# [0-9]* mutants' <<<"$out" >&3
	return "$status"
}

exec 3>&1
echo "# seed $seed"
check "the lists agree with the sources" "$mutants" --list
check "the lists' errors name their place" "$top/tests/mutants/errors.sh"
if [ -n "${FAA_LONG:-}" ]; then
	check "all mutants are killed" killed
else
	check "mutants of user space are killed" killed --user-space --sample=60
	check "mutants of the driver are killed" killed --kernel --sample=60
fi
finish
