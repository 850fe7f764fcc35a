#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run-directed.sh ENGINE SUFFIX SKIPPED [NAME...]: every directed test on one engine, and the tests
# NAME; ends with "N passed, M failed". Exactly SKIPPED tests, those that do not apply to this
# engine, must be skipped.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=${FAA_BUILD_DIR:-${FAA_BUILD:-$top/build}}/tests/cosim
engine=$1 suffix=$2 expect_skipped=$3 passed=0 failed=0 all_skipped=0
export CMOCKA_MESSAGE_OUTPUT=TAP

for name in atoms alu float groups move decode fault queue keep counters group order atom atom-table surface surface-decode surface-fault surface-table surface-vectors "${@:4}"; do
	program=$dir/directed-$name$suffix
	echo "# $name"
	if ! [ -x "$program" ]; then
		echo "not ok - $program has not been built"
		failed=$((failed + 1))
		continue
	fi
	output=$("$program" --engine="$engine" 2>&1)
	status=$?
	printf '%s\n' "$output"
	# A test that does not apply to this engine: cmocka 1.1.5 writes "not ok N # SKIP", newer
	# ones "ok N # SKIP".
	skipped=$(grep -cE '^(not )?ok [0-9]+ # SKIP' <<<"$output")
	ok=$(grep -E '^ok' <<<"$output" | grep -cvE '^ok [0-9]+ # SKIP')
	bad=$(grep -E '^not ok' <<<"$output" | grep -cvE '^not ok [0-9]+ # SKIP')
	plan=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' <<<"$output" | head -n 1)
	if [ $((ok + bad + skipped)) != "${plan:-none}" ] || { [ "$status" != 0 ] && [ "$bad" = 0 ]; }; then
		echo "not ok - $name ended with status $status after $((ok + bad + skipped)) of ${plan:-?} tests"
		bad=$((bad + 1))
	fi
	[ "$skipped" = 0 ] || echo "# $name: $skipped tests are not for engine $engine"
	all_skipped=$((all_skipped + skipped))
	passed=$((passed + ok))
	failed=$((failed + bad))
done
if [ "$all_skipped" != "$expect_skipped" ]; then
	echo "not ok - $all_skipped tests were skipped, not $expect_skipped"
	failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
