#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Error messages of mutants.py for a wrong list: a place that is missing or not unique, and unknown
# lines.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

refused() { # sentence, lines on standard input
	local out status=0
	cat >"$tmp/wrong.mut"
	out=$("$top/tests/mutants/mutants.py" --lists="$tmp" --list 2>&1) || status=$?
	if [ "$status" != 2 ] || ! grep -qF -- "$1" <<<"$out"; then
		echo "status $status, not '$1' but: $out"
		failed=1
	fi
}

mutant() { # lines of the change
	printf '%s\n' "mutant m" "file userspace/libdrm_faa/va.c" "test unit lib/test_lib_va_asan" "$@"
}

mutant "-	va->cuont++;" "+	va->count--;" | refused "wrong.mut:1: wrong/m: userspace/libdrm_faa/va.c has no such places: 'va->cuont++;'"
mutant "-		return -ENOMEM;" "+		return 0;" | refused "such places: 'return -ENOMEM;'"
mutant "-	va->count++;" "+	va->count++;" | refused "wrong/m changes nothing"
mutant "-	va->count++;" "+	va->count--;" "tset unit" | refused "wrong.mut:6: cannot read 'tset unit'"
mutant | refused "wrong/m needs 'file', lines, and one of 'test', 'equivalent' and 'survivor'"
{ mutant "-	va->count++;" "+	va->count--;"; mutant "-	va->count++;" "+	va->count--;"; } | refused "wrong/m is there twice"
mutant "-	va->count++;" "+	va->count--;" | sed 's/va\.c/none.c/' | refused "No such file or directory"
exit "$failed"
