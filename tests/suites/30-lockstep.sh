#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
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

model_against_rtl() {
	if "$dir/faa-lockstep" --seed="$seed" --warps="$warps" --output="$out/rtl.case"; then
		return 0
	fi
	mkdir -p "$top/build/test-logs" && cp "$out/rtl.case" "$top/build/test-logs/lockstep-rtl.case" &&
		echo "the case is in build/test-logs/lockstep-rtl.case"
	return 1
}

echo "# seed $seed, $warps warps"
check "a falsified result is found, shrunk and replayed" injected_error_is_found
check "model against model, any number of compute units" model_against_model
check "model against RTL" model_against_rtl
finish
