# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# For tests of programs that end with the first failure: what a program prints.

fail() {
	echo "$*"
	exit 1
}

expect() { # text command...: prints the text, whatever its status
	local text=$1 out
	shift
	out=$("$@" 2>&1) || true
	[[ $out == *"$text"* ]] || fail "'$*' prints '$out', not '$text'"
}

refuse() { # text command...: which fails and says so
	local text=$1 out
	shift
	! out=$("$@" 2>&1) || fail "'$*' succeeds"
	[[ $out == *"$text"* ]] || fail "'$*' says '$out', not '$text'"
}
