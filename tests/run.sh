#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs the suites of tests/suites one after the other and adds up what they hold.
#
#   tests/run.sh [SUITE...]     suites whose names begin so, like 50 or 50-uml-host-programs; default: all
#
# A suite is an executable that ends with a line "N passed, M failed" and bounds its time with a comment
# "# timeout: SECONDS". One that prints no such line, runs out of time, or ends with a status other than 0 without
# having counted a failure, is a failure itself. What a suite prints is in build/test-logs/SUITE.log.
set -uo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
export FAA_BUILD=${FAA_BUILD:-$top/build}
FAA_VENV=$("$top/sim/setup/setup.sh" --print-venv)
export FAA_VENV
logs=$FAA_BUILD/test-logs
passed=0
failed=0

clock() {
	printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

# Names of the suites that an argument asks for, or of all.
choose() {
	local path name want

	for path in "$top"/tests/suites/*; do
		name=$(basename "$path" .sh)
		[ "$#" -gt 0 ] || echo "$name"
		for want in "$@"; do
			case $name in "${want%.sh}"*) echo "$name"; break ;; esac
		done
	done
}

# While process $1 runs: one line that is redrawn in a terminal, one a minute elsewhere.
watch_suite() {
	local pid=$1 name=$2 log=$3 start=$SECONDS next=60 elapsed

	while kill -0 "$pid" 2>/dev/null; do
		elapsed=$((SECONDS - start))
		if [ -t 1 ]; then
			printf '\r%-28s %d ok, %s\033[K' "$name" "$(grep -cE '^ *ok ' "$log")" "$(clock $elapsed)"
		elif [ "$elapsed" -ge "$next" ]; then
			next=$((elapsed + 60))
			printf '%-28s %d ok, %s ...\n' "$name" "$(grep -cE '^ *ok ' "$log")" "$(clock $elapsed)"
		fi
		sleep 0.5
	done
	if [ -t 1 ]; then printf '\r\033[K'; fi
}

show_failures() {
	grep -nE '^ *not ok|^[^ ]*: (error|warning)|^FAIL' "$1" | head -n 20 | sed 's/^/    /'
	echo "    ... the end of $1:"
	tail -n 15 "$1" | sed 's/^/    /'
}

run_suite() {
	local name=$1 path=$top/tests/suites/$1.sh log=$logs/$1.log limit status pid start=$SECONDS sum ok=0 bad=0 why=

	limit=$(sed -n 's/^# timeout: \([0-9]*\)$/\1/p' "$path" | head -n 1)
	: >"$log"
	timeout -k 30 "${limit:-600}" "$path" >"$log" 2>&1 </dev/null &
	pid=$!
	watch_suite "$pid" "$name" "$log"
	wait "$pid"
	status=$?
	sum=$(tail -n 1 "$log" | grep -xE '[0-9]+ passed, [0-9]+ failed')
	if [ -n "$sum" ]; then
		ok=${sum%% *}
		bad=${sum#*, }
		bad=${bad% failed}
	fi
	if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
		why="not done after ${limit:-600} s"
	elif [ -z "$sum" ]; then
		why="ended with status $status and without a sum"
	elif [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		why="ended with status $status"
	elif [ "$((ok + bad))" -eq 0 ]; then
		why="ran no test"
	fi
	[ -z "$why" ] || bad=$((bad + 1))
	passed=$((passed + ok))
	failed=$((failed + bad))
	printf '%-28s %d passed, %d failed, %s%s\n' "$name" "$ok" "$bad" "$(clock $((SECONDS - start)))" "${why:+: $why}"
	[ "$bad" -eq 0 ] || show_failures "$log"
}

mkdir -p "$logs"
mapfile -t suites < <(choose "$@")
if [ "${#suites[@]}" -eq 0 ]; then
	echo "no suite begins with: $*" >&2
	echo "0 passed, 1 failed"
	exit 1
fi
for suite in "${suites[@]}"; do
	run_suite "$suite"
done
echo "all suites: $(clock $SECONDS)"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
