#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
#
# The documentation builds without a warning, every page can be reached from the index and is laid
# out well at 1300 and 400 pixels. Every function of the library has a manual page.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

links_work() {
	# Every href to a page of the project names a file that exists.
	local bad=0 page link
	for page in "$out"/html/*.html; do
		while read -r link; do
			[ -e "$out/html/$link" ] || { echo "$(basename "$page") links to $link, which is not there"; bad=1; }
		done < <(grep -o 'href="[^"#:]*\.html' "$page" | sed 's/^href="//' | sort -u)
	done
	return $bad
}

manuals_are_complete() {
	# Functions of both libraries, by the list of their symbols; groff has no complaint.
	local bad=0 name warnings

	/usr/bin/python3 -B "$top/Documentation/api/gen_manuals.py" "$out/spec" 0 "$out/man3" || return 1
	for name in $(sed -n 's/^symbol [^ ]* \(faa_[a-z0-9_]*\)@.*/\1/p' "$top/userspace/libdrm_faa/abi.txt" | sort -u); do
		[ -s "$out/man3/$name.3" ] || { echo "no manual page of $name()"; bad=1; }
	done
	for name in "$out"/man3/*.3; do
		warnings=$(cd "$out" && man --warnings -l "$name" 2>&1 >/dev/null)
		[ -z "$warnings" ] || { echo "$name: $warnings"; bad=1; }
	done
	return $bad
}

comments_that_are_wrong() {
	# A comment of a header that cannot be understood is an error with its place.
	local comment

	for comment in 'faa_a - text' '/** faa_a() - text */\nint faa_b(void);' '/** struct faa_a - text */\nstruct faa_b {\n\tint a;\n};' '/** text */'; do
		[[ $comment == /* ]] || comment="/** $comment */\nint faa_a(void);"
		printf '%b\n' "$comment" >"$out/a.h"
		! PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$top/Documentation/api /usr/bin/python3 -c \
			'import headers, sys; headers.read(sys.argv[1])' "$out/a.h" 2>"$out/err" && grep -q "a.h:1: " "$out/err" ||
			{ echo "$comment: $(cat "$out/err")"; return 1; }
	done
}

layout_finds_faults() {
	local said

	mkdir "$out/bad"
	echo '<article><h1>A</h1><p style="width: 2000px">wide</p><img src="no.png"></article>' >"$out/bad/a.html"
	echo '<article><h1>B</h1><div style="overflow-x: auto"><p style="width: 2000px">wide</p></div></article>' >"$out/bad/b.html"
	! said=$("$top/tests/docs/layout.py" "$out/bad") || return 1
	[ "$(grep -c "^a.html at .*\(pixels wide\|no picture no.png\|cut: P wide\)$" <<<"$said")" -eq 6 ] && [ "$(wc -l <<<"$said")" -eq 7 ] ||
		{ echo "$said"; return 1; }
}

check "every page builds, warnings are errors" "$top/Documentation/build-docs.sh" "$out"
check "every page has become HTML" bash -c '
	for page in "$0"/Documentation/*.rst; do
		[ -s "$1/html/$(basename "$page" .rst).html" ] || { echo "$page has no HTML"; exit 1; }
	done' "$top" "$out"
check "links between pages lead somewhere" links_work
check "every error code is documented" bash -c '
	for code in $(sed -n "s/^\tFAA_ERROR_\([A-Z_]*\) = .*/\1/p" "$0/spec/faa_isa.h"); do
		grep -q "\b$code\b" "$0/html/errors.html" || { echo "$code is not in errors.html"; exit 1; }
	done' "$out"
check "every public name of the Python package is documented" bash -c '
	names=$(sed -n "/^__all__/,\$s/^    \"//p" "$0/userspace/python/faa/__init__.py" | grep -o "[A-Za-z]*")
	[ "$(wc -w <<<"$names")" -ge 40 ] || { echo "names: $names"; exit 1; }
	for name in $names; do
		grep -qE "id=\"(module-)?faa.$name\"" "$1/html/python.html" || { echo "$name is not in python.html"; exit 1; }
	done' "$top" "$out"
check "no page is cut at 1300 and 400 pixels" "$top/tests/docs/layout.py" "$out/html"
check "a page that is cut is noticed" layout_finds_faults
check "every function of the library has a manual page" manuals_are_complete
check "a comment of a header that cannot be read names its place" comments_that_are_wrong
finish
