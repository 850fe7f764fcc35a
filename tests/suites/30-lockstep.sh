#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# alone
#
# The C model and the RTL on the same random streams, at least 100,000 warps; before that, that the comparison can fail.
# FAA_SEED and FAA_WARPS choose others.
set -u
. "$(dirname "$0")/../tap.sh"
dir=${FAA_BUILD_DIR:-${FAA_BUILD:-$top/build}}/tests/cosim
seed=${FAA_SEED:-1}
warps=${FAA_WARPS:-100000}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Two models with other numbers of compute units and other orders: what a queue computes depends on neither.
model_against_model() {
	"$dir/faa-lockstep-model" --seed="$seed" --warps=100000 --output="$out/model.case"
}

# Falsified results are found, the case gets small, and its file shows the same again, without falsification nothing.
injected_error_is_found() {
	local status=0
	"$dir/faa-lockstep-model" --seed="$seed" --inject --output="$out/inject.case" || status=$?
	[ "$status" = 1 ] || { echo "status $status instead of 1"; return 1; }
	[ "$(grep -c '^command' "$out/inject.case")" -le 12 ] || { echo "the case did not get small"; return 1; }
	status=0
	"$dir/faa-lockstep-model" --inject --replay="$out/inject.case" || status=$?
	[ "$status" = 1 ] || { echo "the replay ended with status $status instead of 1"; return 1; }
	"$dir/faa-lockstep-model" --replay="$out/inject.case"
}

# Half of the warps, from a first case of its own, in the process of shard $1.
lockstep_shard() {
	"$dir/faa-lockstep" --seed=$((seed + $1 * 1000000)) --warps=$((warps / 2)) --output="$out/rtl-$1.case"
}

model_against_rtl() {
	local pids=() shard status=0

	for shard in 0 1; do
		lockstep_shard $shard >"$out/shard-$shard.log" 2>&1 &
		pids+=($!)
	done
	for shard in 0 1; do
		wait "${pids[$shard]}" || {
			status=1
			tail -n 20 "$out/shard-$shard.log"
			mkdir -p "$top/build/test-logs"
			cp "$out/rtl-$shard.case" "$top/build/test-logs/lockstep-rtl-$shard.case" &&
				echo "the case is in build/test-logs/lockstep-rtl-$shard.case"
		}
		grep " the same" "$out/shard-$shard.log"
	done
	return $status
}

echo "# seed $seed, $warps warps"
check "a falsified result is found, shrunk and replayed" injected_error_is_found
check "model against model, any number of compute units" model_against_model
check "model against RTL" model_against_rtl
finish
