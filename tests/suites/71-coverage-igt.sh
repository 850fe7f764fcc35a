#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# kernel
# long
#
# Which lines of the driver, of DRM and of its helpers run, and the tests of igt-gpu-tools, where
# FAA_IGT names the directory in which these are built or installed.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
# shellcheck source=tests/unit/says.sh
. "$top/tests/unit/says.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

covers() {
	"$top/tests/coverage/run.sh" 60 >"$tmp/all" 2>&1 || { tail -n 40 "$tmp/all"; return 1; }
	sed -n '/^code /,$p' "$tmp/all" | tee "$tmp/tables"
	[ "$(grep -c '^code ' "$tmp/tables")" = 2 ]
}

# part LINES BRANCHES NAME: shares of a part, in percent, at the end
part() {
	local line

	line=$(grep "^$3 " "$tmp/tables" | tail -n 1)
	echo "$line"
	awk -v lines="$1" -v branches="$2" '{ $0 = substr($0, 21); exit !($3 >= lines && $7 >= branches) }' <<<"$line"
}

igt() {
	[ -n "${FAA_IGT:-}" ] || { echo "FAA_IGT is not set"; return 4; }
	"$top/tests/igt/run.sh" "$FAA_IGT"
}

# igt-gpu-tools that lack a test of the list
lacks_a_test() {
	mkdir "$tmp/igt"
	refuse "$tmp/igt/core_auth: no program" "$top/tests/igt/run.sh" "$tmp/igt"
}

check "counted runs of unit tests, kselftests and random programs" covers
check "the driver" part 96 78 "driver, all files"
check "drm_gpuvm" part 55 35 drm_gpuvm
check "the scheduler" part 62 37 scheduler
check "sync objects" part 70 48 syncobj
check "igt-gpu-tools without a test is an error" lacks_a_test
check_or_skip "igt-gpu-tools" igt
finish
