#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 300
#
# The documentation builds without a warning, and every page can be reached from the index.
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
		grep -q "id=\"faa.$name\"" "$1/html/python.html" || { echo "$name is not in python.html"; exit 1; }
	done' "$top" "$out"
finish
