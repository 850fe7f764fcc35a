#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh DIR [FAA_RUN_OPTION...]: the tests of igt-gpu-tools in tests.txt, on the debug kernel with
# the C model. DIR is the build directory of igt-gpu-tools, where `ninja tests/NAME` has built them;
# or where a package has installed them. The output of each test is in BUILD/test-logs/igt-NAME.log.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
build=${FAA_BUILD:-$top/build}
logs=$build/test-logs

die() {
	echo "run.sh: $*" >&2
	exit 2
}

[ $# -ge 1 ] || die "usage: run.sh DIR [FAA_RUN_OPTION...]"
programs=$(readlink -f "$1") && [ -d "$programs" ] || die "$1: no directory"
shift
[ ! -d "$programs/tests" ] || programs=$programs/tests
mapfile -t list < <(grep -v '^#' "$here/tests.txt")
for line in "${list[@]}"; do
	[ -x "$programs/${line% *}" ] || die "$programs/${line% *}: no program; 'ninja tests/${line% *}' builds it"
done

mkdir -p "$logs"
rm -f "$logs"/igt-*.log
# A program of the guest: each test opens the only device, or another that it names.
inside='logs=$1 programs=$2
shift 2
for name; do
	timeout 300 "$programs/$name" >"$logs/igt-$name.log" 2>&1
	echo "exit status $?" >>"$logs/igt-$name.log"
done'
status=0
"$build/bin/faa-run" --engine=model --kernel=debug --mem=768M --check-log --insmod=vgem --log="$logs/igt-kernel.log" "$@" \
	bash -c "$inside" inside "$logs" "$programs" "${list[@]% *}" || status=$?

# grep prints 0 and fails where nothing matches.
count() {
	grep -cE "$1" "$2" || true
}

failed=0
[ "$status" = 0 ] || failed=1
for line in "${list[@]}"; do
	name=${line% *}
	log=$logs/igt-$name.log
	passed=$(count '^Subtest .*: SUCCESS|^SUCCESS' "$log")
	skipped=$(count '^Subtest .*: SKIP' "$log")
	bad=$(count '^Subtest .*: (FAIL|CRASH|TIMEOUT)|^FAIL' "$log")
	printf '%-24s %3d passed, %d failed, %d skipped' "$name" "$passed" "$bad" "$skipped"
	# igt-gpu-tools: 0 passed, 77 some or all skipped
	if ! grep -qxE 'exit status (0|77)' "$log" || [ "$bad" != 0 ] || [ "$passed" -lt "${line#* }" ]; then
		printf ': FAILED, see %s' "$log"
		failed=1
	fi
	echo
done
exit "$failed"
