#!/bin/bash
# SPDX-License-Identifier: MIT
#
# sessions.sh DIRECTORY: runs the sessions NAME.session there: a line that begins with "$ " is a
# command, the lines up to the next one are its expected output. Runs inside the machine that has
# the device. Prints TAP without a plan.
set -uo pipefail
cd "$1" || exit 1
number=0
status=0

compare() { # name command expected
	local got
	got=$(bash -c "$2" 2>&1 </dev/null | grep -v 'no faa device on this machine')
	number=$((number + 1))
	if [ "$got" = "$3" ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1: $2"
		diff <(echo "$3") <(echo "$got")
		status=1
	fi
}

for session in *.session; do
	command=
	expected=
	while IFS= read -r line; do
		case $line in
		'# SPDX'*) ;;
		'$ '*)
			[ -z "$command" ] || compare "${session%.session}" "$command" "${expected%$'\n'}"
			command=${line#'$ '}
			expected=
			;;
		*) expected+=$line$'\n' ;;
		esac
	done <"$session"
	compare "${session%.session}" "$command" "${expected%$'\n'}"
done
[ "$number" -gt 0 ] || { echo "no session in $1"; exit 1; }
exit "$status"
