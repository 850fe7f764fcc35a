#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh DIRECTORY PROGRAM...: run test programs one after the other, inside the guest; tests/tap-sum.py reads the output.
#
# FAA_PROGRAM_SECONDS bounds each (default 300). When a program dies of a signal the next one still runs: that the kernel
# survived is part of what is tested.
dir=$1
shift
status=0
for name; do
	echo "# PROGRAM $name"
	timeout -k 10 "${FAA_PROGRAM_SECONDS:-300}" "$dir/$name"
	code=$?
	echo "# EXIT $name $code"
	[ "$code" = 0 ] || [ "$code" = 4 ] || status=1
done
exit $status
