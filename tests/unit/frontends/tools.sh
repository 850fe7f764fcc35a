#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools.sh BIN: faa-as and faa-dis with languages, and what they say of mistakes.
set -euo pipefail
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "$*"
	exit 1
}

expect() { # text command...
	local text=$1 out
	shift
	out=$("$@" 2>&1) || true
	[[ $out == *"$text"* ]] || fail "'$*' prints '$out', not '$text'"
}

refuse() { # text command...: which fails and says so
	local text=$1 out
	shift
	! out=$("$@" 2>&1) || fail "'$*' succeeds"
	[[ $out == *"$text"* ]] || fail "'$*' says '$out', not '$text'"
}

"$bin/faa-as" --help >/dev/null || fail "faa-as --help fails"
expect "faa-as 0." "$bin/faa-as" --version
: >"$work/empty"
refuse "which syntax?" "$bin/faa-as" "$work/empty"
refuse "which file?" "$bin/faa-as" --syntax=sass
refuse "the syntax is sass, visa or ptx, not 'gcn'" "$bin/faa-as" --syntax=gcn "$work/empty"
refuse "the format is stream, text, hex, bundle or cisa, not 'elf'" "$bin/faa-as" --syntax=sass --format=elf "$work/empty"
refuse "nowhere: No such file or directory" "$bin/faa-as" --syntax=sass "$work/nowhere"
refuse "the syntax is sass, visa or ptx, not 'gcn'" "$bin/faa-dis" --syntax=gcn "$work/empty"
refuse "--format goes with --syntax" "$bin/faa-dis" --format=hex "$work/empty"
refuse "--syntax has --format" "$bin/faa-dis" --syntax=sass --plain "$work/empty"
refuse "sass has no CISA form" "$bin/faa-dis" --syntax=sass --format=cisa "$work/empty"
