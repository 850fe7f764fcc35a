# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Checks of programs, for suites whose temporary directory is $tmp.

# ends_with STATUS COMMAND...: the command ends with this status.
ends_with() {
	local want=$1 status=0

	shift
	"$@" || status=$?
	[ "$status" -eq "$want" ] || { echo "exit status $status, expected $want"; return 1; }
}

# says TEXT COMMAND...: the text is part of what the command prints.
says() {
	local want=$1 out

	shift
	out=$("$@" 2>&1)
	echo "$out"
	grep -qF -- "$want" <<<"$out"
}

# is TEXT COMMAND...: the command prints this and nothing else.
is() {
	local want=$1 out

	shift
	out=$("$@" 2>&1)
	[ "$out" = "$want" ] || { echo "it prints '$out', not '$want'"; return 1; }
}

# wait_for FILE: until it exists, for at most 30 s.
wait_for() {
	for _ in $(seq 300); do
		[ ! -e "$1" ] || return 0
		sleep 0.1
	done
	echo "there is no $1"
	return 1
}

# until_said FILE COUNT TEXT: until COUNT lines of FILE have the text, as long as process pid runs.
# The file has to be emptied before the process begins: in the background, the process itself could
# do so only after the first look at it.
# shellcheck disable=SC2154 # the caller sets pid
until_said() {
	until [ "$(grep -c -- "$3" "$1")" -ge "$2" ]; do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	[ "$(grep -c -- "$3" "$1")" -ge "$2" ]
}

# Processes and directories of faa-run, which make their files in $tmp.
# shellcheck disable=SC2154 # the suite sets it
runs_left() {
	pgrep -af "$tmp/faa-run\."
	find "$tmp" -maxdepth 1 -name 'faa-run.*'
}

nothing_is_left() {
	local left

	sleep 0.2
	left=$(runs_left)
	[ -z "$left" ] || { echo "left: $left"; return 1; }
}
