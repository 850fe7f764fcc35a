#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
#
# The driver as text: checkpatch, kernel-doc, sparse, and W=1 for the co-simulation's kernel.
# (Debian's kernel has a suite of its own.)
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
kernel=$("$top/sim/uml/build-kernel.sh" --source-dir)
cd "$top" || exit 1

# Trace events are written as in the kernel; field names in layout asserts are no expressions.
checkpatch() { # FILE
	local ignore=

	case $1 in
	driver/faa_trace.h) ignore=--ignore=OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT ;;
	driver/faa_status.c) ignore=--ignore=MACRO_ARG_REUSE ;;
	esac
	perl "$kernel/scripts/checkpatch.pl" --strict --no-tree --no-summary --show-types ${ignore:+"$ignore"} -f "$1"
}

kernel_doc() {
	perl "$kernel/scripts/kernel-doc" -none -Werror driver/*.[ch] uapi/drm/faa_drm.h
}

# build NAME FLAVOUR MAKE_ARGUMENTS...: the module in a build directory of its own; any warning
# fails.
build() {
	local dir=$tmp/$1 flavour=$2

	shift 2
	mkdir -p "$dir"
	[ -e "$dir/spec" ] || ln -s "$build/spec" "$dir/spec"
	FAA_BUILD=$dir sim/uml/build-module.sh "$flavour" "$@" || return 1
	! grep -iE 'warning|error:' "$dir/log/kmod-$flavour.log"
}

# The same tree with one conversion left out: the check must be able to fail.
sparse_sees_byte_order() {
	local farm=$tmp/sparse/kmod-native

	rm "$farm/driver/faa_sched.c"
	sed 's/cpu_to_le64(job->seqno)/job->seqno/' driver/faa_sched.c >"$farm/driver/faa_sched.c"
	make -C "$(sim/uml/build-module.sh --print-headers)" \
		M="$farm" FAA_GENERATED="$farm/generated" C=2 CF=-D__CHECK_ENDIAN__ driver/faa_sched.o 2>&1 |
		grep 'faa_sched.c.*different base types'
}

for file in driver/*.[ch] tests/kunit/*.c tests/modules/*.c uapi/drm/faa_drm.h; do
	check "checkpatch --strict $file" checkpatch "$file"
done
check "kernel-doc" kernel_doc
check "sparse, with byte order" build sparse native C=2 CF=-D__CHECK_ENDIAN__
check "sparse would tell a wrong byte order" sparse_sees_byte_order
check "W=1 for the co-simulation's kernel, unit tests included" build uml debug W=1
finish
