#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 300
# kernel
#
# The driver's unit tests (tests/kunit) on the debug kernel, and its kernel log.
set -uo pipefail
. "$(dirname "$0")/../tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Without the search for leaks: KUnit 6.12 itself loses the mm_struct that kunit_vm_mmap() gives to
# a test.
"$build/bin/faa-run" --engine=model --kernel=debug --kunit --check-log=noleaks --timeout=200 --log="$tmp/log" true
run_status=$?

# Results are nested by four columns: suites have none, their tests four. A suite that stopped early
# leaves its plan open.
ktap=$(tr -d '\r' <"$tmp/log" | sed -n 's/^\[[ 0-9.]*\] \( *\(ok\|not ok\|KTAP\|1\.\.\|#\).*\)$/\1/p')
echo "$ktap" | sed 's/^/# /'

# The result that the kernel reported for the test called $1.
passed_in_kernel() {
	grep -qE "^    ok [0-9]+ $1( |\$)" <<<"$ktap"
}

# As many results as planned, in all suites that the sources define.
every_test_ran() {
	local planned ran suites

	planned=$(echo "$ktap" | sed -n 's/^    1\.\.//p' | awk '{ sum += $1 } END { print sum + 0 }')
	ran=$(echo "$ktap" | grep -cE '^    (ok|not ok) ')
	suites=$(echo "$ktap" | grep -cE '^(ok|not ok) ')
	echo "$suites suites, $planned tests planned, $ran ran"
	[ "$ran" -gt 0 ] && [ "$ran" -eq "$planned" ] &&
		[ "$suites" -eq "$(cat "$top"/tests/kunit/*.c | grep -cE '^(static )?struct kunit_suite ')" ]
}

log_is_clean() {
	[ "$run_status" -eq 0 ] || { echo "faa-run ended with status $run_status"; return 1; }
}

for name in $(echo "$ktap" | sed -nE 's/^    (ok|not ok) [0-9]+ ([^ ]+).*/\2/p'); do
	check "$name" passed_in_kernel "$name"
done
check "every test that is planned ran" every_test_ran
check "the kernel log is clean" log_is_clean
finish
