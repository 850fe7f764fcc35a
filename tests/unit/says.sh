# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Checks of the output of a program, for tests that end with the first failure.

fail() {
	echo "$*"
	exit 1
}

expect() { # text command...: which succeeds and prints the text
	local text=$1 out status=0
	shift
	out=$("$@" 2>&1) || status=$?
	[ "$status" = 0 ] || fail "'$*' ends with status $status: '$out'"
	[[ $out == *"$text"* ]] || fail "'$*' prints '$out', not '$text'"
}

refuse() { # text command...: which fails with the text
	local text=$1 out
	shift
	! out=$("$@" 2>&1) || fail "'$*' succeeds"
	[[ $out == *"$text"* ]] || fail "'$*' says '$out', not '$text'"
}
