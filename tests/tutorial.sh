# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# The first program of Documentation/library.rst, for suites that compile and run it; sourced.

# tutorial DIRECTORY: first.c, and in the file lines the commands that compile and run it without a
# card.
# shellcheck disable=SC2154 # top is that of tap.sh
tutorial() {
	local page=$top/Documentation/library.rst

	mkdir -p "$1"
	awk '/^\.\. code-block:: c$/ { on = 1; next } on && /^[^ ]/ { exit } on' "$page" |
		sed 's/^    //' >"$1/first.c"
	sed -n '/^    cc -o first first\.c/,/^$/s/^    //p' "$page" | grep -v '^\./first ' >"$1/lines"
	[ "$(sed 's/ *#.*//' "$1/lines" | tail -n 1)" = "faa-run ./first" ] &&
		[ "$(wc -l <"$1/lines")" = 2 ]
}
