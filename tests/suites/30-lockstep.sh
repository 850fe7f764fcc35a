#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# modules: faa_top
# inputs: rtl/faa.f rtl/regs spec meson.build meson_options.txt
# inputs: sim/meson.build sim/include sim/model sim/vpci sim/vdev
# inputs: $build/meson-info/intro-buildoptions.json
# inputs: tests/meson.build tests/cosim/meson.build tests/cosim/tb_* tests/cosim/lockstep*
#
# The C model and the RTL on the same random streams: 10,000 warps, and a sixth as many with SUATOM
# in most commands; a tenth of them on the device sim, the default one of the co-simulation. With
# FAA_LONG=1 200,000, and a tenth on each of the other builds and devices (spec/builds.toml): small;
# artix; plain, without ATOM; ports, with four ports to the L2; 64, a memory port of 64 bits. First
# comes a check that the comparison can fail.
# FAA_SEED and FAA_WARPS choose the streams and their number. A case that differs leaves a waveform
# in FAA_WAVES; if that is set and empty, there is none, and no second program is built.
set -u
. "$(dirname "$0")/../tap.sh"
dir=$build/tests/cosim
seed=${FAA_SEED:-1}
warps=${FAA_WARPS:-${FAA_LONG:+200000}}
warps=${warps:-10000}
surface_warps=$((warps / 6))
devices=(sim ${FAA_LONG:+small artix plain ports 64})
export FAA_WAVES=${FAA_WAVES-$build/test-logs/waves}
mkdir -p "$build/test-logs"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Two models that differ in the number of compute units and in order: results of a queue depend on
# neither.
model_against_model() {
	"$dir/faa-lockstep-model" --seed="$seed" --warps=$((2 * warps)) --output="$out/model.case" &&
		"$dir/faa-lockstep-model" --seed="$seed" --warps="$warps" --surfaces --output="$out/model.case"
}

# Falsified results are found and the case is reduced. Its file reproduces the difference, and shows
# none without the falsification.
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

# both NAME COMMAND...: runs COMMAND 0 and COMMAND 1 as two processes and prints their results;
# their files are named NAME.
both() {
	local name=$1 pids=() shard status=0
	shift

	for shard in 0 1; do
		"$@" $shard "$out/$name-$shard.case" >"$out/$name-$shard.log" 2>&1 &
		pids+=($!)
	done
	for shard in 0 1; do
		wait "${pids[$shard]}" || {
			status=1
			tail -n 20 "$out/$name-$shard.log"
			mkdir -p "$build/test-logs"
			cp "$out/$name-$shard.case" "$build/test-logs/lockstep-$name-$shard.case" &&
				echo "the case is in $build/test-logs/lockstep-$name-$shard.case"
		}
		grep " the same" "$out/$name-$shard.log"
	done
	return $status
}

# Half of the warps, from a first case of its own.
lockstep_shard() { # 0|1 case
	"$dir/faa-lockstep" --seed=$((seed + $1 * 1000000)) --warps=$((warps / 2)) --output="$2"
}

# Most commands are SUATOM.
surfaces_shard() { # 0|1 case
	"$dir/faa-lockstep" --surfaces --seed=$((seed + 2000000 + $1 * 1000000)) --warps="$surface_warps" --output="$2"
}

device_shard() { # 0|1 case; $device is its name
	"$dir/faa-lockstep-$device" --cus=1 --seed=$((seed + $1 * 1000000)) --warps=$((warps / 20)) --output="$2"
}

echo "# seed $seed, $warps warps"
check "a falsified result is found, shrunk and replayed" injected_error_is_found
check "model against model, any number of compute units" model_against_model
check "model against RTL" both rtl lockstep_shard
check "model against RTL, surfaces" both surfaces surfaces_shard
for device in "${devices[@]}"; do
	check "the device '$device' is built" ninja -C "$build" "tests/cosim/faa-lockstep-$device"
	check "model against it" both "$device" device_shard
done
finish
