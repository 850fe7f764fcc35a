#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 21600
# long
#
# Each suite of RTL units whose result is kept (tests/kept.py) passes in a tree that has nothing but
# its named inputs. So no change of another file can change its result.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

passes_alone() {
	local suite=$1 name

	rm -rf "$tmp/tree"
	mkdir "$tmp/tree"
	while read -r name; do
		case $name in
		suite) name=tests/suites/$suite ;;
		\$*) continue ;;
		esac
		mkdir -p "$tmp/tree/$(dirname "$name")"
		cp -p "$top/$name" "$tmp/tree/$name"
	done < <("$top/tests/kept.py" inputs "$top/tests/suites/$suite")
	git -C "$tmp/tree" init -q
	git -C "$tmp/tree" add -A
	FAA_LONG='' "$tmp/tree/tests/suites/$suite"
}

for path in "$top"/tests/suites/*; do
	# Programs that Meson has built depend on whole directories.
	grep -qE '^# (inputs|modules): ' "$path" && ! grep -q '^# inputs: .*meson.build' "$path" || continue
	check "$(basename "$path" .sh)" passes_alone "$(basename "$path")"
done
finish
