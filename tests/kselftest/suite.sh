# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For suites: run test programs of this directory inside faa-run and end with the sum of their results.
#
#   kselftest FAA_RUN_OPTIONS... -- PROGRAM...     does not return
#
# What faa-run finds in the kernel log with --check-log counts as one more test.

# shellcheck source=tests/supervised.sh
. "$(dirname "${BASH_SOURCE[0]}")/../supervised.sh"

kselftest() {
	local top build flavour=plain option status expect=() options=() name

	top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
	build=${FAA_BUILD:-$top/build}
	while [ "$#" -gt 0 ] && [ "$1" != -- ]; do
		option=$1
		case $option in --kernel=*) flavour=${option#--kernel=} ;; esac
		options+=("$option")
		shift
	done
	shift
	for name; do expect+=("--expect=$name"); done
	mkdir -p "$build/test-logs"
	export FAA_MODULE=$build/kmod-$flavour/faa.ko
	{
		status=0
		"$build/bin/faa-run" "${options[@]}" --log="$build/test-logs/$(basename "$0" .sh)-kernel.log" "$top/tests/kselftest/run.sh" "$build/tests/kselftest" "$@" 2>&1 || status=$?
		echo "# PROGRAM kernel-log-and-machine"
		echo "1..1"
		if [ "$status" = 0 ]; then
			echo "ok 1 - the machine ended well, its kernel log is clean"
			echo "# EXIT kernel-log-and-machine 0"
		else
			echo "not ok 1 - faa-run ended with status $status (124: complaints in the kernel log, 125: it could not run)"
			echo "# EXIT kernel-log-and-machine 1"
		fi
	} | "$top/tests/tap-sum.py" "${expect[@]}" --expect=kernel-log-and-machine
	exit
}
