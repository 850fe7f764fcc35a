#!/bin/sh
# SPDX-License-Identifier: MIT
#
# collect.sh PROGRAM...: inside a guest with the coverage kernel, runs a program and leaves the
# counters of gcov in a new directory below $FAA_GCOV. Its exit status is the program's; a kernel
# without gcov leaves nothing.
"$@"
status=$?
if [ -d /sys/kernel/debug/gcov ]; then
	to=$(mktemp -d "$FAA_GCOV/boot-XXXXXX") || exit 1
	cd /sys/kernel/debug/gcov || exit 1
	find . -name '*.gcda' | while read -r file; do
		mkdir -p "$to/${file%/*}"
		cat "$file" >"$to/$file"
	done
fi
exit "$status"
