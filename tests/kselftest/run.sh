#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh DIRECTORY PROGRAM...: run test programs, each with arguments separated by blanks, one after
# the other, inside the guest; tests/tap-sum.py reads the output. "# TOOK" are seconds of the guest.
#
# FAA_PROGRAM_SECONDS limits each (default 900). After a program that was ended by a signal the next
# one still runs, since the kernel must survive it. The exit status is always 0, so that faa-run's
# status is that of the machine and its kernel log. With FAA_STOP the first program that fails is
# the last one, and its status that of faa-run, which then leaves a waveform (FAA_WAVES).
dir=$1
shift
uptime() {
	cut -d. -f1 /proc/uptime
}

for words; do
	name=${words%% *}
	echo "# PROGRAM $name"
	start=$(uptime)
	# shellcheck disable=SC2086 # a program and its arguments
	timeout -k 10 "${FAA_PROGRAM_SECONDS:-900}" "$dir/"$words
	status=$?
	echo "# EXIT $name $status"
	echo "# TOOK $name $(($(uptime) - start))"
	case $status${FAA_STOP:+-stop} in
	0-stop | 4-stop) ;;
	*-stop) exit "$status" ;;
	esac
done
exit 0
