#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
# kernel
#
# The example end to end, on both engines: the photograph, and odd images whose bins are counted
# independently.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
histogram=$build/bin/histogram
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

photo() {
	local out
	cd "$tmp" || return 1
	out=$("$histogram" --engine="$1" --output="$tmp/$1.png" </dev/null 2>&1) || { echo "$out"; return 1; }
	echo "$out"
	grep -q '^CPU check passed' <<<"$out" || return 1
	[ "$1" = model ] || grep -qE '[0-9.]+ cycles per warp' <<<"$out" || return 1
	# The plot is the picture on the front page of the documentation.
	cmp "$tmp/$1.png" "$top/Documentation/histogram.png"
}

image() {
	/usr/bin/python3 "$top/tests/e2e/histogram_check.py" "$histogram" "$@"
}

refused() { # a file that is no image
	printf 'this is no image' >"$tmp/no.png"
	! "$histogram" --engine=model "$tmp/no.png" >"$tmp/out" 2>&1 && grep -q 'no.png' "$tmp/out"
}

for engine in model rtl; do
	check "$engine: the photograph, with plot" photo $engine
	for size in "1 1" "2 1" "31 1" "32 1" "33 1" "1 77" "97 13"; do
		# shellcheck disable=SC2086 # two words
		check "$engine: rgb ${size/ / x }" image $engine rgb $size
	done
	check "$engine: grey 1 x 1" image $engine grey 1 1 5
	check "$engine: grey 201 x 97" image $engine grey 201 97 6
	check "$engine: flat, every lane on one bin" image $engine flat 100 40 200
	check "$engine: every value in turn" image $engine step 256 20
	check "$engine: skewed" image $engine skew 160 100 7
done
check "model: rgb 2048 x 1536" image model rgb 2048 1536 8
check "rtl: rgb 400 x 300" image rtl rgb 400 300 9
check "what is no image is refused in a sentence" refused
finish
