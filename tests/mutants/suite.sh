# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Functions of suites 37 and 72; source tests/tap.sh first.

# Seconds after which a sample judges no further mutant.
sample=25
seed=${FAA_SEED:-$(date +%j)}
# shellcheck disable=SC2154 # of tap.sh
mutants=$top/tests/mutants/mutants.py
exec 3>&1
echo "# seed $seed"

# Judges mutants, which must all be killed; prints the verdicts otherwise.
killed() { # options...
	local out status=0

	[ -n "${FAA_LONG:-}" ] || set -- "$@" --sample="$sample"
	out=$("$mutants" --seed="$seed" "$@" 2>&1) || status=$?
	[ "$status" = 0 ] || echo "$out"
	grep '^# killed' <<<"$out" >&3
	return "$status"
}

# Prints the score of each area.
score() {
	local out status=0

	out=$("$mutants" --score) || status=$?
	[ "$status" = 0 ] || echo "$out"
	grep ': killed [0-9]* of ' <<<"$out" | sed 's/^/# /' >&3
	return "$status"
}
