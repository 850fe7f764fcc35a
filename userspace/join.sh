#!/bin/sh
# SPDX-License-Identifier: MIT
#
# join.sh ARCHIVE MAP OUTPUT COMPILER...: make the static library OUTPUT, one object with all code
# of ARCHIVE. Only the symbols of the version script MAP are global, so that internal functions
# cannot clash with those of a program.
set -eu

archive=$1 map=$2 output=$3
name=$(basename "$output" .a)
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n 's/^\t\(\(faa\|vpci\)_[a-z0-9_]*\);$/\1/p' "$map" >"$work/symbols"
[ -s "$work/symbols" ]
"$@" -r -nostdlib -o "$work/$name.o" -Wl,--whole-archive "$archive"
objcopy --keep-global-symbols="$work/symbols" "$work/$name.o"
rm -f "$output"
ar rcsD "$output" "$work/$name.o"
