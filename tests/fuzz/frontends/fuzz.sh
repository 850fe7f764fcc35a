#!/bin/bash
# SPDX-License-Identifier: MIT
#
# fuzz.sh SECONDS [NAME...]: builds the fuzz targets of the front ends with clang and runs each for
# SECONDS. New inputs are stored in $FAA_CACHE/fuzz-corpus/NAME; an input on which a target fails is
# stored in corpus/NAME as a .case file, to be kept. Prints executions per second.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
cache=${FAA_CACHE:-$HOME/.cache/faa}
build=$cache/fuzz-build-$(printf '%s' "$top" | sha256sum | cut -c1-16)

[ $# -ge 1 ] || { echo "usage: fuzz.sh SECONDS [NAME...]"; exit 2; }
seconds=$1
shift
"$top/sim/setup/setup.sh" fuzz
if [ $# = 0 ]; then
	for file in "$here"/*.c; do
		[[ $file == */replay.c ]] || set -- "$@" "$(basename "$file" .c)"
	done
fi
[ -f "$build/build.ninja" ] || CC=clang CXX=clang++ meson setup "$build" "$top" >/dev/null
nice ninja -C "$build" "${@/#/tests/fuzz/frontends/fuzz-}" >"$build/log" 2>&1 || { tail -n 40 "$build/log"; exit 1; }

failed=0
for name; do
	corpus=$here/corpus/$name
	grown=$cache/fuzz-corpus/$name
	log=$build/fuzz-$name.log
	mkdir -p "$corpus" "$grown"
	options=(-max_total_time="$seconds" -timeout=60 -print_final_stats=1 -artifact_prefix="$corpus/")
	[ ! -f "$here/$name.dict" ] || options+=(-dict="$here/$name.dict")
	status=0
	"$build/tests/fuzz/frontends/fuzz-$name" "${options[@]}" "$grown" "$corpus" >"$log" 2>&1 || status=$?
	echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions," \
		"$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log") a second, $(find "$grown" -type f | wc -l) inputs grown"
	if [ "$status" != 0 ]; then
		failed=1
		for file in "$corpus"/*-????????????????????????????????????????; do
			[ ! -f "$file" ] || mv "$file" "$file.case"
		done
		tail -n 40 "$log"
	fi
done
exit "$failed"
