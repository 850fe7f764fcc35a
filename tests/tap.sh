# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For suites: run checks, print TAP, end with "N passed, M failed".
#
#   . "$(dirname "$0")/../tap.sh"
#   check "name of the check" command args...           # passes when the command succeeds
#   check_or_skip "name of the check" command args...   # the same, but exit status 4 means skipped
#   finish                                              # prints the plan and the sum, exits 0 or 1

# shellcheck source=tests/supervised.sh
. "$(dirname "${BASH_SOURCE[0]}")/supervised.sh"

tap_passed=0
tap_failed=0
tap_skipped=0

# The repository, independent of the working directory.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034 # used by the suites
build=${FAA_BUILD:-$top/build}

tap_line() { # result name [comment]
	local number=$((tap_passed + tap_failed + tap_skipped))
	echo "$1 $number - $2${3:+ # $3}"
}

check() {
	tap_check no "$@"
}

# A suite says which of its checks may be skipped: another program that ends with status 4 has
# failed.
check_or_skip() {
	tap_check yes "$@"
}

tap_check() { # yes|no (status 4 skips) name command args...
	local may_skip=$1 name=$2 status=0 tap_out
	shift 2
	tap_out=$("$@" 2>&1) || status=$?
	# cmocka's exit status is 0 even when it has skipped a test.
	if [ "$status-$may_skip" = 0-no ] && grep -q '^\[  SKIPPED \]' <<<"$tap_out"; then status=skipped; fi
	case $status-$may_skip in
	0-*)
		tap_passed=$((tap_passed + 1))
		tap_line ok "$name"
		;;
	4-yes)
		tap_skipped=$((tap_skipped + 1))
		tap_line ok "$name" "SKIP $(printf '%s' "$tap_out" | tail -n 1)"
		;;
	*)
		tap_failed=$((tap_failed + 1))
		case $status in
		skipped) tap_line "not ok" "$name" "skips a test" ;;
		*) tap_line "not ok" "$name" "exit status $status" ;;
		esac
		printf '%s\n' "$tap_out" | tail -n 60 | sed 's/^/#   /'
		;;
	esac
	return 0
}

finish() {
	echo "1..$((tap_passed + tap_failed + tap_skipped))"
	[ "$tap_skipped" = 0 ] || echo "# $tap_skipped skipped"
	echo "$tap_passed passed, $tap_failed failed"
	[ "$tap_failed" = 0 ] && [ "$tap_passed" -gt 0 ]
	exit
}
