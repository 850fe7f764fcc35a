#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# kernel
#
# faa-run --seed: the same seed is the same run, on an idle and on a loaded machine, different seeds
# are different orders, and a record repeats a run. `make test-long`: 100 runs of each
# engine.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
# shellcheck source=tests/programs.sh
. "$(dirname "$0")/../programs.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export TMPDIR=$tmp
faa_run=$build/bin/faa-run
race=$build/tests/cosim/race
runs=${FAA_LONG:+100}
runs=${runs:-4}

# seeded NAME OPTIONS... PROGRAM...: leaves $tmp/NAME.log, .record and .out.
seeded() {
	local name=$1

	shift
	"$faa_run" --timeout=300 --log="$tmp/$name.log" --record="$tmp/$name.record" "$@" </dev/null >"$tmp/$name.out" 2>&1
}

# Two processes for each processor.
load_begin() {
	local i

	load=()
	for ((i = 0; i < 2 * $(nproc); i++)); do
		(while :; do :; done) &
		load+=($!)
	done
}

load_end() {
	kill "${load[@]}"
	wait "${load[@]}" 2>/dev/null
}

same_files() { # NAME NAME
	local kind

	for kind in log record out; do
		cmp "$tmp/$1.$kind" "$tmp/$2.$kind" || { diff "$tmp/$1.$kind" "$tmp/$2.$kind" | head -20; return 1; }
	done
}

# Every second run has a load beside it.
repeats() { # OPTIONS...
	local i status=0 first

	seeded first --seed=1 "$@" "$race"
	first=$?
	[ "$first" -le 1 ] || { cat "$tmp/first.out"; return 1; }
	for ((i = 1; i < runs && !status; i++)); do
		((i % 2 == 0)) || load_begin
		seeded again --seed=1 "$@" "$race"
		[ $? -eq "$first" ] || { cat "$tmp/again.out"; status=1; }
		((i % 2 == 0)) || load_end
		same_files first again || status=1
	done
	return $status
}

seeds_differ() {
	seeded one --engine=rtl --seed=1 "$race"
	seeded two --engine=rtl --seed=2 "$race"
	[ "$(grep '^events ' "$tmp/one.record")" != "$(grep '^events ' "$tmp/two.record")" ]
}

# A program with a race passes with some seeds; the record of one that fails fails each time.
race_is_found() {
	local seed status passed=0 failed=''

	for seed in 1 2 3 4 5 6 7 8; do
		seeded "seed$seed" --engine=model --seed="$seed" "$race"
		status=$?
		case $status in
		0) passed=$((passed + 1)) ;;
		1) failed=$seed ;;
		*) cat "$tmp/seed$seed.out"; return 1 ;;
		esac
	done
	echo "passed with $passed of 8 seeds, failed with $failed"
	[ "$passed" -gt 0 ] && [ -n "$failed" ] || return 1
	[ "$(stat -c %s "$tmp/seed$failed.record")" -lt 16384 ] || return 1
	cp "$tmp/seed$failed.record" "$tmp/found"
	for _ in 1 2 3; do
		(cd / && env -i "$faa_run" --replay="$tmp/found" --log="$tmp/replay.log" </dev/null >"$tmp/replay.out" 2>&1)
		[ $? -eq 1 ] || { cat "$tmp/replay.out"; return 1; }
		cmp "$tmp/replay.log" "$tmp/seed$failed.log" && cmp "$tmp/replay.out" "$tmp/seed$failed.out" || return 1
	done
	# Recorded with one file for output and errors
	"$faa_run" --replay="$tmp/found" >"$tmp/replay.out" 2>"$tmp/replay.err"
	[ $? -eq 1 ] && ! grep . "$tmp/replay.err" && cmp "$tmp/replay.out" "$tmp/seed$failed.out"
}

another_run_is_noticed() {
	sed 's/--seed=[0-9]*/--seed=77/' "$tmp/found" >"$tmp/other"
	says "differs from the record after" "$faa_run" --replay="$tmp/other" && ends_with 125 "$faa_run" --replay="$tmp/other"
}

# Time limits and waits are simulated: an hour takes seconds.
waits_take_no_time() {
	local start=$SECONDS

	"$faa_run" --engine=rtl --seed=1 sleep 3600 && [ $((SECONDS - start)) -lt 60 ]
}

random_numbers_are_the_seeds() {
	local command='head -c 16 /dev/urandom | od -An -tx1; date +%s; cat /proc/sys/kernel/random/uuid' one two

	one=$("$faa_run" --no-device --seed=5 sh -c "$command")
	two=$("$faa_run" --no-device --seed=5 sh -c "$command")
	echo "$one"
	[ "$one" = "$two" ] && [ "$one" != "$("$faa_run" --no-device --seed=6 sh -c "$command")" ]
}

input_is_recorded() {
	[ "$(printf 'a %%\nb' | "$faa_run" --no-device --seed=1 --record="$tmp/input" cat)" = $'a %\nb' ] &&
		is $'a %\nb' "$faa_run" --replay="$tmp/input"
}

bad_options() {
	says "a number from 0" "$faa_run" --seed=one true && says "needs --seed" "$faa_run" --record=x true &&
		says "one device" "$faa_run" --seed=1 --devices=2 true && says "one guest" "$faa_run" --seed=1 --guests=2 true &&
		says "no record of faa-run" "$faa_run" --replay=/etc/passwd && says "first option" "$faa_run" --seed=1 --replay=x &&
		ends_with 2 "$faa_run" --replay="$tmp/missing"
}

check "$runs runs of a seed, idle and loaded, RTL: log, events, output" repeats --engine=rtl
check "$runs runs of a seed, idle and loaded, model: log, events, output" repeats --engine=model
runs=${FAA_LONG:+20}
runs=${runs:-2}
check "$runs runs of a seed, debug kernel, log clean" repeats --engine=model --kernel=debug --check-log=noleaks
check "another seed is another order" seeds_differ
check "a race is found by a seed, and its record repeats it" race_is_found
check "a run that differs from the record is noticed" another_run_is_noticed
check "an hour passes in seconds" waits_take_no_time
check "random numbers and the date depend on the seed alone" random_numbers_are_the_seeds
check "standard input of a pipe is recorded" input_is_recorded
check "wrong options are refused" bad_options
finish
