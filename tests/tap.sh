# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For suites: run checks, print TAP, end with "N passed, M failed".
#
#   . "$(dirname "$0")/../tap.sh"
#   check "name of the check" command args...     # passes when the command succeeds; exit status 4 skips
#   finish                                        # prints the plan and the sum, exits 0 or 1

# shellcheck source=tests/supervised.sh
. "$(dirname "${BASH_SOURCE[0]}")/supervised.sh"

tap_passed=0
tap_failed=0
tap_skipped=0

# The repository, wherever the suite was started.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034 # used by the suites
build=${FAA_BUILD:-$top/build}

tap_line() { # result name [comment]
	local number=$((tap_passed + tap_failed + tap_skipped))
	echo "$1 $number - $2${3:+ # $3}"
}

check() {
	local name=$1 status=0 tap_out
	shift
	tap_out=$("$@" 2>&1) || status=$?
	case $status in
	0)
		tap_passed=$((tap_passed + 1))
		tap_line ok "$name"
		;;
	4)
		tap_skipped=$((tap_skipped + 1))
		tap_line ok "$name" "SKIP $(printf '%s' "$tap_out" | tail -n 1)"
		;;
	*)
		tap_failed=$((tap_failed + 1))
		tap_line "not ok" "$name" "exit status $status"
		;;
	esac
	if [ "$status" != 0 ] && [ "$status" != 4 ]; then
		printf '%s\n' "$tap_out" | tail -n 60 | sed 's/^/#   /'
	fi
	return 0
}

finish() {
	echo "1..$((tap_passed + tap_failed + tap_skipped))"
	[ "$tap_skipped" = 0 ] || echo "# $tap_skipped skipped"
	echo "$tap_passed passed, $tap_failed failed"
	[ "$tap_failed" = 0 ] && [ "$tap_passed" -gt 0 ]
	exit
}
