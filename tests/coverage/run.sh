#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh [SECONDS]: coverage of the driver, DRM, the scheduler and dma-buf by gcov: unit tests and
# kselftests (suite 60), then with SECONDS (default 60) of random programs of ioctls. Prints the
# table before and after these; the data are in build/coverage. Takes 15 minutes.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
build=$top/build
seconds=${1:-60}

if [ $# -gt 1 ] || ! [[ $seconds =~ ^[0-9]+$ ]]; then
	echo "usage: run.sh [SECONDS]" >&2
	exit 2
fi
export FAA_KERNEL=coverage FAA_GCOV=$build/coverage
make --no-print-directory -C "$top" -s userland module-plain module-coverage
rm -rf "$FAA_GCOV"
mkdir -p "$FAA_GCOV"
status=0
"$build/bin/faa-run" --engine=model --kernel=coverage --kunit "$here/collect.sh" true || status=1
"$top/tests/suites/60-kselftest-model.sh" || status=1
"$here/report.py" "$build" "$FAA_GCOV"
if [ "$seconds" != 0 ]; then
	"$top/tests/fuzz/ioctl/run.sh" --seconds="$seconds" || status=1
	"$here/report.py" "$build" "$FAA_GCOV"
fi
exit "$status"
