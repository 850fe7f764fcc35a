#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh DIRECTORY PROGRAM...: run test programs one after the other, inside the guest; tests/tap-sum.py reads the output.
#
# FAA_PROGRAM_SECONDS bounds each (default 900). When a program dies of a signal the next one still runs: that the kernel
# survived is part of what is tested. Always ends with 0, so that faa-run's status is about the machine and its kernel log.
dir=$1
shift
for name; do
	echo "# PROGRAM $name"
	timeout -k 10 "${FAA_PROGRAM_SECONDS:-900}" "$dir/$name"
	echo "# EXIT $name $?"
done
exit 0
